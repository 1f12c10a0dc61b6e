"""Engines side by side, and what stands out, for summary.sh and the page of report.sh.

Rows become points, runs of one setting; points become tables, one for each benchmark, number of
threads and condition, the best first.
"""
from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

from . import stats
from .command import fail, split_option
from .limits import Limit, limit_background_writer, limit_of
from .rows import (
    CIRCUMSTANCES,
    CONDITIONS,
    MACHINE,
    SETUP,
    Row,
    columns_as_key,
    group_rows,
    last_greatest,
    median_row,
    read_rows,
    row_cautions,
    row_cpu_per_operation,
    row_get,
    row_is_paced,
    row_latency,
    row_machine_busy,
    row_order,
    row_rate_missed,
    row_response,
    row_timed_kind,
    row_unfit,
    row_unfit_why,
    row_valid,
    row_values,
    row_warnings,
    rows_beside,
    rows_differing,
    rows_told_apart,
    unique,
)
from .text import (
    aligned,
    as_json,
    as_text,
    commas,
    count,
    fold,
    number,
    or_none,
    percent,
    round_to,
    rounded,
    short,
    size,
    three,
    time,
)

HELP = """usage: scripts/summary.sh RESULTS.json [--all] [--allow=host | --found | --format=json]

Prints which engine is fastest, and how sure that is, from a file that bench_NAME --json or sweep.sh
wrote: a table for each workload and number of threads, the fastest engine first. Repeated runs are
one line of medians. A table is as wide as the terminal (COLUMNS): columns that do not fit are left
out, the last of this list first.

  ops/s             operations a second
  CPU us/op         only where the machine was busy, as warnings say: CPU time per operation. It
                    orders engines that their rates do not tell apart, if CPU limited all and none
                    waited for syncs, as the heading says
  rate met, limited by, p99
                    whether an open loop (--rate) met its rate; what limited the run (bound_by;
                    docs/why.md), whose figures go first where columns do not fit; a percentile of
                    the latency of a call, of reads if there are any
  p50, p99.9        further percentiles
  writes/s          writes a second, those of a background writer too
  spread            of five or more runs, the larger half of the 95 % interval by Student's t on
                    the logarithms; of three or four, their range
  of best           rate / rate of the fastest engine; the null engine and bench_aio are not
                    ranked
  runs, write p99   number of runs; 99th percentile latency of a write

In an open loop the p99 response time, which begins at the scheduled start, replaces ops/s. With
--all the table has all columns, however wide it becomes:

  95 % interval (t), CV  of the runs, instead of the spread; CV: coefficient of variation
  all in            throughput, with the time to finish background work (--settle=1) and to close
  last/first fifth  rate in the last fifth of the run / rate in the first fifth
  CPU us/op         CPU time of the process, the engine's own threads included
  device reads/op, KB read/op, device busy
                    reads, data read, and use of the device
  write amp         bytes written per byte of the records, to the kernel and by the device; all
                    in: with the work of --settle=1 and of closing
  syncs/commit      sync calls of the process per commit
  memory            memory used by the run: its own and the cached pages of its files, or the
                    control group's peak
  size              disk space of the database
  of device limit   rate as a fraction of bench_aio's in the same results, if lower

Lines below a table say what slow calls waited for (--slow_calls), which background writers hardly
ran, and which engines these runs cannot distinguish. Invalid rows follow the tables, then each
cause of a warning or note with the number of rows and their labels.

Rows of different machines, sizes, batches, rates, durabilities, file systems, memory limits or
other conditions are in separate tables, whose headings say which. Settings of one engine are
separate lines, such as wiredtiger+type=lsm. Other differences within a table, such as a governor,
are named below it. --allow=host puts several machines into one table, as lmdb+host=NAME.

--found prints sentences instead: for each workload, at the most threads, which engine leads, by
how much, and what to beware of, without the null engine and bench_aio. --format=json prints both
for programs; the page of report.sh begins with them.
"""

#: the device itself is a limit, and the null engine the cost of the harness: neither is ranked
NO_ENGINES = ("aio", "null")
#: what is said in the heading of a table whose order is that of CPU time in part
BY_CPU = ("a busy machine: where rates do not tell engines apart, in the order of CPU time per"
          " operation")
#: what is said of a table whose engines ran once
ONE_RUN = "one run each says nothing of how much they vary; sweep.sh --repeat=10 does"


# ---- what must be known of rows


class Cause(NamedTuple):
    """Why a reader should beware of some rows: in how many, the label of one, and how it is said
    with the greatest figure. `kind` is the same for all figures."""

    grade: str
    kind: str
    text: str
    runs: int = 1
    of: int = 1
    labels: tuple[str, ...] = ()

    def said(self, rows: int) -> str:
        up_to = "up to: " if self.text != cause_kind(self.text) and self.runs > 1 else ""
        return (f"{self.grade}, {self.runs} of {rows} rows: {up_to}{self.text}"
                f" ({summary_labels(self.labels)})")


def cause_kind(text: str) -> str:
    return re.sub(r"(?<![-A-Za-z0-9.,])[0-9][0-9.,]*", "N", text)


def _greatest_cause(causes: Sequence[Cause]) -> Cause:
    """The one with the greatest first figure, of equal ones the last."""

    def figure(cause: Cause) -> int:
        found = re.search(r"(?<![-A-Za-z])[0-9]+", cause.text)
        return int(found.group()) if found else -1

    return last_greatest(causes, figure)


def summary_is_lsm(row: Row) -> bool:
    return (row.get("engine") in ("rocksdb", "leveldb", "hyper", "basho", "tidesdb", "lsm")
            or "type=lsm" in (row.get("engine_options") or ""))


def summary_loaded_in_order(row: Row) -> bool:
    """Whether the load that filled the database was in the order of keys."""
    if row.get("load_order") is not None:
        return row.get("load_order") == "sequential"
    return "seq" in summary_loaded_by(row)


def summary_loaded_by(row: Row) -> str:
    """The load before a row, see _with_loads; "" is unknown."""
    return row_get(row, "loaded_by") or ""


def _cause_written_early(row: Row) -> Iterable[str]:
    """What the rows of an LSM tree do not say of what it writes later."""
    writes = row.get("writes") or 0
    if not summary_is_lsm(row) or writes <= 0:
        return
    if row.get("distribution") == "sequential" or summary_loaded_in_order(row):
        yield "loaded in key order: write and space amplification of an LSM tree are at their least"
    record = (row.get("key_size") or 0) + (row.get("value_size") or 0)
    if (row.get("write_buffer_bytes") or 0) > writes * record:
        yield "no memtable was filled: what an LSM tree writes later is not in its figures"


_USUAL_ALLOCATOR = "^Go, |^(lib)?c[.]so|^linked in$|^ld-musl"


def _warning_causes(row: Row) -> Iterable[str]:
    yield from row_warnings(row)
    if row_unfit(row):
        yield "the build is not fit for comparison" + row_unfit_why(row)
    if row.get("steady") == 0:
        yield ("not steady: the rate still changed at the end; run longer or warm up (--warmup)")
    if row.get("target_rate_met") == 0:
        yield ("the rate was missed: how long operations waited grows with the length of the run")


def _note_causes(row: Row) -> Iterable[str]:
    if (row.get("harness_percent") or 0) >= 10:
        yield "at least a tenth of an operation's time is the harness"
    if row.get("emulated") is not None:
        yield f"emulates {row.get('emulated')}"
    allocator = row.get("allocator")
    if allocator not in (None, "libc.so.6") and not re.search(_USUAL_ALLOCATOR, allocator or ""):
        yield f"malloc of {allocator}"
    if row.get("durability_effective") != row.get("durability"):
        yield f"gives durability {as_text(row.get('durability_effective'))}"
    yield from _cause_written_early(row)


def causes_of(rows: Sequence[Row]) -> list[Cause]:
    """Each cause once, with the number of these rows that have it."""
    found = [Cause("warning", cause_kind(text), text) for row in rows
             for text in _warning_causes(row)]
    found += [Cause("note", cause_kind(text), text) for row in rows for text in _note_causes(row)]
    return [_greatest_cause(same)._replace(runs=len(same), of=len(rows))
            for same in group_rows(found, lambda cause: (cause.grade, cause.kind))]


# ---- points and tables


@dataclass
class SummaryPoint:
    """A line of a table: of the runs of one setting each column's median, their results, and what
    is to be known of them. `around` has the values of circumstances; `apart` the columns in which
    its table is not like others of the benchmark."""

    row: Row
    results: list[float]
    missed: str
    cautions: list[str]
    causes: list[Cause]
    limited: Limit
    around: dict[str, list[Any]]
    apart: list[str]
    runs: int
    paced: bool
    #: whether others took CPU time in half of the runs or more
    busy: bool
    #: CPU time per operation of each run, us; of none if one is not known
    cpu: list[float]
    result: stats.SampleSummary = field(init=False)

    @property
    def label(self) -> str:
        return self.row.get("label") or ""

    @property
    def is_engine(self) -> bool:
        return self.row.get("engine") not in NO_ENGINES

    @property
    def median(self) -> float:
        return self.result.median or 0

    @property
    def cpu_median(self) -> float:
        return stats.median(self.cpu) or 0

    @property
    def writes_beside(self) -> float | None:
        """Writes a second beside reads, or scans if most are, by one kind of thread or two."""
        reads = (self.row.get("reads") or 0) > 0 or row_timed_kind(self.row) == "scan"
        beside = reads and (self.row.get("writes") or 0) > 0
        return self.row.get("writes_per_sec") if beside else None

    @property
    def whisker(self) -> tuple[float | None, float | None]:
        """Its ends: with five runs or more the 95 % interval, with three or four the least and the
        greatest result."""
        if self.result.n >= 5:
            return self.result.low, self.result.high
        if self.result.n >= 3:
            return min(self.results), max(self.results)
        return None, None


Table = list[SummaryPoint]
#: a table of a summary and a line of its engines, from 1
Place = tuple[int, int]


@dataclass
class Summary:
    """Tables, invalid rows of one kind as {benchmark, label, threads, rows, reason}, causes, and
    of how many rows. `ratios` has those of neighbours in a table, the worse to the better, so that
    they are above 1: of table `at`, line `i - 1` and `i`, with their interval. `cpu_ratios` has
    those of CPU time per operation, of tables that are ranked by it."""

    tables: list[Table]
    invalid: list[dict[str, Any]]
    causes: list[Cause]
    rows: int
    ratios: dict[Place, SummaryRatio]
    cpu_ratios: dict[Place, SummaryRatio]


class SummaryRatio(NamedTuple):
    value: float | None
    low: float | None
    high: float | None

    @property
    def interval(self) -> str:
        return f"95 % interval {three(self.low)} to {three(self.high)}"


def _summary_with_loads(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Rows with the load before them as `loaded_by`: what the row says, or a load of that label in
    the results."""

    def is_load(row: Row) -> bool:
        return row.get("reads") == 0 and bool(re.search("^fill|load", row.get("benchmark") or ""))

    loads = {row.get("label"): row.get("benchmark") for row in rows if is_load(row)}
    found: list[dict[str, Any]] = []
    for row in rows:
        load = loads.get(row.get("label"))
        own = row.get("reads") == 0 and row.get("benchmark") == load
        found.append(dict(row) if own else {**row, "loaded_by": row_get(row, "loaded_by") or load})
    return found


def _summary_table_apart(rows: Sequence[Row], differ: Sequence[str]) -> list[str]:
    """The columns that tell tables of a benchmark apart; what follows from the name of the machine
    is not among them."""
    hosts = len({row.get("host") for row in rows})
    return [c for c in differ if c not in MACHINE[1:]
            or len({(row.get("host"), row_get(row, c)) for row in rows}) > hosts]


def _summary_tables(rows: Sequence[Row], allow_host: bool) -> list[list[list[Row]]]:
    key = [c for c in (*SETUP, "value_size", *CONDITIONS) if not allow_host or c not in MACHINE]
    key = [c for c in key if c not in ("benchmark", "threads")]
    tables: list[list[Row]] = []
    loaded: list[Any] = _summary_with_loads([row for row in rows if row_valid(row)])
    for same in group_rows(loaded, lambda row: row.get("benchmark")):
        same = rows_beside(same)
        differ = rows_differing(same, key)
        apart = _summary_table_apart(same, differ)
        for table in group_rows(same, columns_as_key(("threads", *differ))):
            tables.append([cast(Row, {**row, "apart": apart}) for row in table])
    tables.sort(key=lambda table: row_order(table[0].get("time")))
    return [group_rows(rows_told_apart(table), lambda row: row.get("label")) for table in tables]


def _summary_limit(rows: Sequence[Row]) -> Limit:
    """The word that most runs have, with the figures of one of them."""
    known = [limit_of(row) for row in rows if row.get("bound_by") is not None]
    words = group_rows(known or [limit_of(rows[0])], lambda limit: limit.word)
    most = last_greatest(words, len)
    if len(words) < 2 or len(most) * 2 > sum(map(len, words)):
        return most[0]
    return most[0]._replace(word="unclear", detail="runs differ")


def _summary_point(rows: Sequence[Row]) -> SummaryPoint:
    results = [row_response(row, "p99") if row_is_paced(row) else row.get("ops_per_sec")
               for row in rows]
    row = median_row(rows)
    cpu = [us for one in rows if (us := row_cpu_per_operation(one)) is not None and us > 0]
    return SummaryPoint(
        row=row, runs=len(rows), results=[result for result in results if result is not None],
        missed=row_rate_missed(rows) or "", cautions=row_cautions(rows), causes=causes_of(rows),
        limited=_summary_limit(rows),
        around={c: row_values(rows, c) for c in CIRCUMSTANCES},
        apart=row_get(row, "apart"), paced=row_is_paced(row),
        busy=sum(map(row_machine_busy, rows)) * 2 >= len(rows),
        cpu=cpu if len(cpu) == len(rows) else [])


def _summary_rank(point: SummaryPoint) -> tuple[Any, ...]:
    """The best first; who missed the rate comes after who met it."""
    if point.paced:
        return row_order([bool(point.missed), point.result.median])
    return row_order(-point.median)


def _all_causes(tables: Iterable[Table]) -> list[Cause]:
    found = [cause._replace(labels=(point.label,))
             for table in tables for point in table for cause in point.causes]
    causes = [_greatest_cause(same)._replace(runs=sum(cause.runs for cause in same),
                      labels=tuple(unique(label for cause in same for label in cause.labels)))
              for same in group_rows(found, lambda cause: (cause.grade, cause.kind))]
    return sorted(causes, key=lambda cause: (cause.grade != "warning", -cause.runs))


def _invalid_in_summary(rows: Iterable[Row]) -> list[dict[str, Any]]:
    of = ("benchmark", "label", "threads")
    found = group_rows([row for row in rows if not row_valid(row)],
                       columns_as_key((*of, "invalid_reason")))
    return [{**{column: row_get(same[0], column) for column in of}, "rows": len(same),
             "reason": same[0].get("invalid_reason") or "it does not say why"} for same in found]


def summary_ranked(table: Iterable[SummaryPoint]) -> Table:
    return [point for point in table if point.is_engine]


def _summary_ratios_of_pairs(
    pairs: dict[Place, tuple[list[float], list[float]]]
) -> dict[Place, SummaryRatio]:
    """The ratio of the second to the first of each pair."""
    answers = stats.compare_samples(pairs.values())
    return {place: SummaryRatio(a.ratio, a.ratio_low, a.ratio_high)
            for place, a in zip(pairs, answers)}


def _summary_neighbours(tables: Sequence[Table]) -> dict[Place, tuple[SummaryPoint, SummaryPoint]]:
    ranked = [summary_ranked(table) for table in tables]
    return {(at, i): (table[i - 1], table[i])
            for at, table in enumerate(ranked) for i in range(1, len(table))}


def _summary_ratios(tables: Sequence[Table]) -> dict[Place, SummaryRatio]:
    return _summary_ratios_of_pairs({
        place: (better.results, worse.results) if better.paced else (worse.results, better.results)
        for place, (better, worse) in _summary_neighbours(tables).items()})


def _summary_cpu_ratios(tables: Sequence[Table]) -> dict[Place, SummaryRatio]:
    return _summary_ratios_of_pairs({
        place: (better.cpu, worse.cpu)
        for place, (better, worse) in _summary_neighbours(tables).items()
        if summary_cpu_ranks(tables[place[0]])})


# ---- a busy machine


def summary_busy(table: Iterable[SummaryPoint]) -> bool:
    return any(point.busy for point in summary_ranked(table))


#: limits of runs that would be faster with less CPU time per operation
CPU_LIMITS = ("cpu", "harness", "quota")


def summary_cpu_ranks(table: Iterable[SummaryPoint]) -> bool:
    """Whether engines that their rates do not tell apart are in the order of CPU time per
    operation: the machine was busy, and CPU limited them all. On a quiet machine syncs would limit
    who waits for them. A background writer's share of the operations differs by engine, so that
    their CPU time is of different mixes."""
    ranked = summary_ranked(table)
    return summary_busy(ranked) and all(
        point.cpu and not point.paced and point.limited.word in CPU_LIMITS
        and not limit_background_writer(point.row)
        and not (point.row.get("durability") == "sync" and point.row.get("writes"))
        for point in ranked)


def _summary_by_cpu(table: Table) -> Table:
    """Engines by their rates, as they come: but the least CPU time first of those than which
    none that is left is surely faster. The others keep their places."""
    ranked = summary_ranked(table)
    ratios = _summary_ratios_of_pairs({
        (fast, slow): (ranked[slow].results, ranked[fast].results)
        for slow in range(len(ranked)) for fast in range(slow)})
    faster = {place for place, ratio in ratios.items() if ratio.low is not None and ratio.low > 1}
    left, found = [*range(len(ranked))], []
    while left:
        free = [slow for slow in left if not any((fast, slow) in faster for fast in left)]
        found.append(min(free, key=lambda at: ranked[at].cpu_median))
        left.remove(found[-1])
    places = iter(found)
    return [ranked[next(places)] if point.is_engine else point for point in table]


def summarize(rows: Sequence[Row], allow_host: bool = False) -> Summary:
    """The tables of some rows; with `allow_host` several machines are in one."""
    tables = [[_summary_point(same) for same in table]
              for table in _summary_tables(rows, allow_host)]
    points = [point for table in tables for point in table]
    causes = _all_causes(tables)
    for point, answer in zip(points, stats.summarize_samples(point.results for point in points)):
        point.result = answer
    tables = [sorted(table, key=_summary_rank) for table in tables]
    tables = [_summary_by_cpu(table) if summary_cpu_ranks(table) else table for table in tables]
    return Summary(tables, _invalid_in_summary(rows), causes, len(rows), _summary_ratios(tables),
                   _summary_cpu_ratios(tables))


# ---- a table as texts


class SummaryCell(NamedTuple):
    """What a line has in a column; "-" where nothing is known. A terminal shows those with a rank,
    and leaves out the greatest first where they do not fit; --all shows all."""

    head: str
    text: str
    rank: int | None = None


def _summary_spread_cell(point: SummaryPoint, text: Callable[[float | None], str]) -> str:
    low, high = point.whisker
    if low is None or high is None:
        return "-"
    if point.result.n < 5:
        return f"{text(low)} to {text(high)}"
    median = point.median
    return f"±{percent(max(high / median - 1, 1 - low / median))}" if median > 0 else "-"


def _summary_rate_changed(row: Row) -> str:
    first, last = row.get("rate_first_fifth"), row.get("rate_last_fifth")
    if not first:
        return "-"
    change = (last or 0) / first - 1
    return ("+" if change >= 0 else "") + percent(change)


def _summary_cell_from(least: float, value: float | None, text: str) -> str:
    return "-" if value is None or value < least else text


def _summary_cell_unless_0(value: float | None) -> str:
    """A figure of which 0 is not shown."""
    return three(value) if value else "-"


def _summary_result_cells(point: SummaryPoint, best: float | None, busy: bool) -> list[SummaryCell]:
    text, result = (time if point.paced else short), point.result
    unranked = not best or point.paced
    of_best = "-" if unranked or not point.is_engine else percent(point.median / (best or 1))
    met = "-" if point.row.get("target_rate_met") is None else \
        "no" + point.missed.removeprefix("rate missed") if point.missed else "yes"
    return [
        SummaryCell("engine", point.label, 0),
        SummaryCell("response p99" if point.paced else "ops/s", text(result.median), 0),
        *([SummaryCell("CPU us/op", three(row_cpu_per_operation(point.row)), 1)] if busy else []),
        SummaryCell("spread", _summary_spread_cell(point, text), 4),
        SummaryCell("95 % interval (t)",
                    "-" if result.low is None else f"{text(result.low)} to {text(result.high)}"),
        SummaryCell("CV", percent(result.cv) if result.n > 1 else "-"),
        SummaryCell("runs", str(point.runs) if point.runs > 1 else "-", 6),
        SummaryCell("of best", of_best, 5),
        SummaryCell("rate met", met, 1),
        SummaryCell("ops/s", short(point.row.get("ops_per_sec")) if point.paced else "-"),
        SummaryCell("ops/s, all in", short(point.row.get("ops_per_sec_all_in"))),
    ]


def _summary_latency_cells(point: SummaryPoint) -> list[SummaryCell]:
    row, call = point.row, "call " if point.paced else ""
    both = point.writes_beside is not None
    limit = f"{point.limited.word} {point.limited.detail or ''}".rstrip(" ")
    return [
        SummaryCell(call + "p50", time(row_latency(row, "p50")), 2),
        SummaryCell(call + "p99", time(row_latency(row, "p99")), 1),
        SummaryCell(call + "p99.9", time(row_latency(row, "p999")), 2),
        SummaryCell("writes/s", short(point.writes_beside), 3),
        SummaryCell("write p99", time(row.get("write_p99_ns") if both else None), 6),
        SummaryCell("write response p99", time(row.get("write_resp_p99_ns") if both else None)),
        SummaryCell("limited by", limit, 1),
        SummaryCell("last/first fifth", _summary_rate_changed(row)),
    ]


def _summary_cost_cells(point: SummaryPoint, limit: float | None,
                        beside_rate: bool) -> list[SummaryCell]:
    row = point.row
    ended = row.get("settle_seconds") is not None or row.get("close_seconds") is not None
    reads, read_bytes = row.get("device_reads_per_op"), row.get("device_read_bytes_per_op")
    busy, syncs = row.get("device_busy_percent"), row.get("syncs_per_commit")
    amp_all_in = row.get("write_amp_all_in") if ended else None
    memory, disk = row.get("memory_used_kb"), row.get("db_disk_kb")
    memory = row.get("rss_kb") if memory is None else memory
    below = limit and not point.paced and row.get("engine") != "aio" and point.median <= limit
    return [
        *([] if beside_rate else [SummaryCell("CPU us/op", three(row_cpu_per_operation(row)))]),
        SummaryCell("device reads/op", _summary_cell_from(0.01, reads, three(reads))),
        SummaryCell("KB read/op",
                    _summary_cell_from(10, read_bytes, three((read_bytes or 0) / 1000))),
        SummaryCell("device busy", _summary_cell_from(1, busy, percent((busy or 0) / 100))),
        SummaryCell("write amp, kernel", three(row.get("write_amp"))),
        SummaryCell("kernel, all in", three(amp_all_in)),
        SummaryCell("write amp, host", _summary_cell_unless_0(row.get("host_write_amp"))),
        SummaryCell("host, all in",
                    _summary_cell_unless_0(row.get("host_write_amp_all_in") if ended else None)),
        SummaryCell("syncs/commit", "-" if syncs is None else number(round_to(3, syncs))),
        SummaryCell("memory", "-" if memory is None else size(memory)),
        SummaryCell("size", "-" if disk is None else size(disk)),
        SummaryCell("of device limit", percent(point.median / limit) if below and limit else "-"),
        SummaryCell("", "; ".join(cause.text for cause in point.causes)),
    ]


def summary_device_limit(table: Table) -> float | None:
    return stats.median(point.row.get("ops_per_sec") for point in table
                        if point.row.get("engine") == "aio")


def _summary_width(lines: Sequence[Sequence[SummaryCell]], columns: Sequence[int]) -> int:
    return sum(max(max(len(line[i].head), len(line[i].text)) for line in lines) + 2
               for i in columns) - 2


def summary_lines(table: Table, width: int | None) -> list[list[str]]:
    """The table with its head, without the columns that are empty in all lines; `width` is that of
    a terminal, or None for all columns. Where they do not fit, the figures beside the words of
    limits go first."""
    limit, busy = summary_device_limit(table), summary_busy(table)
    best = max(point.median for point in summary_ranked(table) or table)
    cells = [[*_summary_result_cells(p, best, busy), *_summary_latency_cells(p),
              *_summary_cost_cells(p, limit, busy)]
             for p in table]
    head = cells[0]
    kept = [i for i in range(len(head))
            if i < 2 or any(line[i].text not in ("-", "") for line in cells)]
    if width is None:
        kept = [i for i in kept if head[i].head != "spread"]
    else:
        kept = [i for i in kept if head[i].rank is not None]
        if _summary_width(cells, kept) > width:
            cells = [[cell._replace(text=point.limited.word) if cell.head == "limited by" else cell
                      for cell in line] for point, line in zip(table, cells)]
        while _summary_width(cells, kept) > width and any(head[i].rank for i in kept):
            kept.remove(last_greatest(kept, lambda i: head[i].rank or 0))
    return [[head[i].head for i in kept], *([line[i].text for i in kept] for line in cells)]


# ---- sentences


def summary_title(table: Table, shown: Sequence[str] = ()) -> str:
    """By what makes a table another one than others of its benchmark that `shown` does not say."""
    row, rate = table[0].row, table[0].row.get("target_rate")
    asked = f", {short(rate)} operations/s asked for" if rate else ""
    apart = [f", {c} {or_none(row_get(row, c))}" for c in table[0].apart
             if c != "target_rate" and c not in shown and (c != "arrivals" or rate is not None)]
    return f"{row.get('benchmark')}, {count(row.get('threads') or 0, 'thread')}{asked}" \
        + "".join(apart)


def _summary_load(row: Row) -> str:
    """The load of a run of a sweep, such as lmdb-fillseqbatch-1t, by its workload."""
    found = re.search("-((?:fill|load|ycsb)[a-z0-9]*)-[0-9]+t", summary_loaded_by(row))
    name = found.group(1) if found else summary_loaded_by(row)
    return name + (" (in key order)" if summary_loaded_in_order(row) else "")


def summary_conditions(table: Table) -> str:
    row, apart = table[0].row, table[0].apart
    parts = [f"{c} {row_get(row, c)}" for c in ("mix", "distribution")
             if row_get(row, c) is not None and c not in apart]
    value = row.get("value_sizes") or row.get("value_size")
    parts += [f"{commas(row.get('num'))} records of {as_text(row.get('key_size'))}"
              f" + {as_text(value)} bytes", f"durability {as_text(row.get('durability'))}"]
    if limit := row.get("memory_limit_kb"):
        parts.append(f"{rounded(limit / 1024)} MiB of memory")
    if loads := unique(_summary_load(point.row) for point in table if summary_loaded_by(point.row)):
        parts.append(f"loaded by {', '.join(loads)}")
    hosts = unique(point.row.get("host") for point in table)
    return ", ".join([*parts, f"on {', '.join(host or '' for host in hosts)}"])


def summary_heading(table: Table) -> str:
    said = ("num", "key_size", "value_size", "value_sizes", "durability", "memory_limit_kb", "host")
    return f"{summary_title(table, said)}, {summary_conditions(table)}" \
        + (f"; {BY_CPU}" if summary_cpu_ranks(table) else "")


def summary_labels(labels: Sequence[str]) -> str:
    return ", ".join([*labels[:3], f"and {len(labels) - 3} more"] if len(labels) > 3 else labels)


def _summary_alike(two: Sequence[SummaryPoint], ratio: SummaryRatio | None) -> bool:
    """Is there no telling two neighbours apart? Who met a rate is not like who missed it."""
    return (ratio is not None and ratio.low is not None and ratio.low <= 1
            and len({bool(point.missed) for point in two}) == 1)


def summary_rates_alike(two: Sequence[SummaryPoint], ratio: SummaryRatio | None) -> bool:
    """The same on a busy machine, where the rates of one run each do not tell either."""
    return ratio is None or ratio.low is None or _summary_alike(two, ratio)


def summary_starved(table: Table) -> tuple[str, list[str]]:
    """The engine whose background writer wrote most, and those of less than a tenth of that."""
    writers = [(point.label, rate) for point in table if limit_background_writer(point.row)
               and (rate := point.row.get("writes_per_sec")) is not None]
    if len(writers) < 2:
        return "", []
    most = last_greatest(writers, lambda writer: writer[1])
    return most[0], [label for label, rate in writers if rate < most[1] / 10]


def _summary_slow_parts(row: Row) -> list[tuple[float | None, str]]:
    """What the time of slow calls went to, in percent, the greatest first."""
    level0 = row.get("slow_stall_level0_percent") or 0
    flush = row.get("slow_stall_flush_percent")
    compaction = row.get("slow_stall_compaction_percent") or 0
    other = (row.get("slow_stall_percent") or 0) - (flush or 0) - compaction
    parts: list[tuple[float | None, str]] = [
        (flush, "in write stalls that ended with a memtable flush"),
        (level0, "in write stalls that ended with a compaction of level 0"),
        (compaction - level0, "in write stalls that ended with a compaction"),
        (other, "in write stalls"),
        (row.get("slow_own_sync_percent"), "own sync"),
        (row.get("slow_other_writer_percent"), "waiting for another writer"),
        (row.get("slow_device_read_percent"), "device reads"),
        (row.get("slow_flush_percent"), "waiting until a memtable flush ended"),
        (row.get("slow_compaction_percent"), "waiting until a compaction ended"),
        (row.get("slow_checkpoint_percent"), "waiting until a checkpoint ended"),
        (row.get("slow_cpu_percent"), "CPU"),
        (row.get("slow_runnable_percent"), "runnable without a core"),
        (row.get("slow_steal_percent"), "stolen by the hypervisor"),
        (row.get("slow_blocked_percent"), "blocked otherwise"),
    ]
    return sorted(parts, key=lambda part: -(part[0] or 0))


def _summary_slow_said(point: SummaryPoint) -> str | None:
    """What the slow calls of a line waited for (--slow_calls); what is not known last."""
    row = point.row
    if (row.get("slow_above_p99_ms") or 0) <= 0:
        return None
    parts = [*_summary_slow_parts(row), (row.get("slow_not_attributed_percent"), "not attributed")]
    shares = ", ".join(f"{rounded(part)} % {what}" for part, what in parts if (part or 0) >= 0.5
                       and part is not None)
    covered = row.get("slow_covered_percent") or 0
    kept = f" (the kept calls hold {rounded(covered)} % of it)" if covered < 80 else ""
    return (f"{point.label}: p99.9 of {row.get('benchmark')} is {time(row_latency(row, 'p999'))};"
            f" of the time above p99 {shares}{kept}")


def summary_stands_out(summary: Summary, at: int) -> list[str]:
    """What stands out in a table, a sentence each."""
    table = summary.tables[at]
    ranked = summary_ranked(table)
    said = []
    for column in CIRCUMSTANCES:
        values = unique(value for point in ranked for value in point.around[column])
        if len(values) > 1:
            texts = ", ".join(unique(or_none(value) for value in values))
            said.append(f"rows of more than one {column} ({texts}) stand side by side")
    said += filter(None, map(_summary_slow_said, table))
    most, starved = summary_starved(ranked)
    if starved:
        said.append(f"the writes beside the reads were starved: {summary_labels(starved)} did less"
                    f" than a tenth of {most}'s; compare at one --write_rate")
    once = [point.label for point in ranked if point.runs < 2]
    if once and len(ranked) > 1:
        said.append(ONE_RUN if len(once) == len(ranked) else
                    f"one run says nothing of how much it varies: {summary_labels(once)}")
    if same := [f"{ranked[i - 1].label} and {ranked[i].label}" for i in range(1, len(ranked))
                if _summary_alike(ranked[i - 1:i + 1], summary.ratios.get((at, i)))]:
        said.append(f"not told apart: {summary_labels(same)}: the 95 % interval of their ratio has"
                    " 1 in it")
    if told := [f"{ranked[i - 1].label} before {ranked[i].label}, which takes {three(ratio.value)}"
                f" times as much ({ratio.interval})"
                for i in range(1, len(ranked)) if (ratio := summary.cpu_ratios.get((at, i)))
                and ratio.low is not None and ratio.low > 1
                and summary_rates_alike(ranked[i - 1:i + 1], summary.ratios.get((at, i)))]:
        said.append(f"told apart by CPU time per operation: {summary_labels(told)}")
    return said


def summary_invalid(summary: Summary) -> list[str]:
    return [f"invalid: {as_text(one['label'])} {one['benchmark']}"
            + (f", {one['rows']} rows" if one["rows"] > 1 else "") + f": {one['reason']}"
            for one in summary.invalid]


def summary_causes(summary: Summary) -> list[str]:
    """A line for each cause, of warnings and of notes."""
    return [cause.said(summary.rows) for cause in summary.causes]


def _summary_leads(two: Sequence[SummaryPoint], ratio: SummaryRatio | None) -> str:
    """Who of the first two of a table leads, by how much, and how sure that is."""
    best, following = two
    labels = f"{best.label} and {following.label}"
    ratio = ratio or SummaryRatio(None, None, None)
    times_as_much, runs = three(ratio.value), min(point.runs for point in two)
    once = [point.label for point in two if point.runs < 2]
    sure = f"{ratio.interval}, {runs} runs each" if not once else \
        f"one run {'each' if once[1:] else f'of {once[0]}'}: no interval"
    if _summary_alike(two, ratio):
        return f"{labels} are not told apart (ratio {times_as_much}, {ratio.interval})."
    if not best.paced:
        return (f"{best.label} leads with {short(best.result.median)} operations/s,"
                f" {times_as_much} times {following.label} ({sure}).")
    if not best.missed and following.missed:
        return (f"{best.label} met the rate with a p99 response time of {time(best.median)},"
                f" {following.label} missed it with {time(following.median)}.")
    return (f"{best.label} leads with a p99 response time of {time(best.median)},"
            f" {following.label}'s is {times_as_much} times that ({sure}).")


def _summary_cpu_leads(two: Sequence[SummaryPoint], cpu: SummaryRatio) -> str:
    """The same of two that are in the order of CPU time per operation."""
    best, following = two
    labels = f"{best.label} and {following.label} are not told apart by rates of a busy machine"
    if cpu.low is not None and cpu.low <= 1:
        return (f"{labels}, nor by CPU time per operation (ratio {three(cpu.value)},"
                f" {cpu.interval}).")
    sure = "one run each: no interval" if cpu.low is None else cpu.interval
    return (f"{labels}; {best.label} takes {three(best.cpu_median)} us of CPU time per operation,"
            f" {following.label} {three(cpu.value)} times that ({sure}).")


def summary_doubts(doubts: Iterable[tuple[str, Sequence[str]]]) -> str:
    """The end of a sentence: the reasons to doubt each label that it names."""
    told = "; ".join(f"{label}: {', '.join(reasons)}" for label, reasons in doubts if reasons)
    return f" But {told}." if told else ""


def _summary_found_in(table: Table, ratio: SummaryRatio | None, cpu: SummaryRatio | None) -> str:
    """Who leads in a table of engines, and what must be known of those that it names."""
    two, best = table[:2], table[0]
    _, starved = summary_starved(table)
    if cpu is not None and summary_rates_alike(two, ratio):
        said = _summary_cpu_leads(two, cpu)
    elif len(two) > 1:
        said = _summary_leads(two, ratio)
    elif best.paced:
        said = f"{best.label} has a p99 response time of {time(best.median)}."
    else:
        said = f"{best.label} does {short(best.result.median)} operations/s."
    if best.paced and not any(point.missed for point in two):
        said += " The rate was met."
    return f"{summary_title(table)}: {said}" + summary_doubts(
        (point.label, [*filter(None, [point.missed]),
                       *(["its writes were starved"] if point.label in starved else []),
                       *point.cautions]) for point in two)


def summary_found(summary: Summary) -> list[str]:
    """Who leads: of each benchmark and what tells its tables apart, at the most threads, a
    sentence."""
    tables = [(at, ranked) for at, table in enumerate(summary.tables)
              if (ranked := summary_ranked(table))]

    def of(numbered: tuple[int, Table]) -> list[Any]:
        row, apart = numbered[1][0].row, numbered[1][0].apart
        return [row.get("benchmark"), row.get("target_rate"), [row_get(row, c) for c in apart]]

    most = [last_greatest(same, lambda numbered: numbered[1][0].row.get("threads") or 0)
            for same in group_rows(tables, of)]
    most.sort(key=lambda numbered: row_order(numbered[1][0].row.get("time")))
    return [_summary_found_in(table, summary.ratios.get((at, 1)), summary.cpu_ratios.get((at, 1)))
            for at, table in most]


# ---- output


def _cause_json(cause: Cause) -> dict[str, Any]:
    return {"grade": cause.grade, "text": cause.text, "cause": cause.kind, "runs": cause.runs}


def _summary_point_json(point: SummaryPoint) -> dict[str, Any]:
    return {**point.row, "runs": point.runs, "results": point.results, "missed": point.missed,
            "cautions": point.cautions, "limited": point.limited._asdict(), "around": point.around,
            "causes": [{**_cause_json(cause), "of": cause.of} for cause in point.causes],
            "result": point.result._asdict(), "whisker": point.whisker}


def summary_json(summary: Summary) -> dict[str, Any]:
    tables = []
    for at, table in enumerate(summary.tables):
        tables.append({
            "title": summary_title(table), "heading": summary_heading(table),
            "lines": summary_lines(table, None),
            "said": summary_stands_out(summary, at), "conditions": summary_conditions(table),
            "limit": summary_device_limit(table),
            "points": [_summary_point_json(point) for point in table],
            "ratio": summary.ratios.get((at, 1))})
    causes = [{**_cause_json(cause), "labels": cause.labels} for cause in summary.causes]
    said = [*summary_invalid(summary), *summary_causes(summary)]
    return {"found": summary_found(summary), "said": said, "tables": tables,
            "invalid": summary.invalid, "causes": causes, "rows": summary.rows}


def summary_text(summary: Summary, width: int | None) -> list[str]:
    printed = []
    for at, table in enumerate(summary.tables):
        printed += [summary_heading(table),
                    *aligned(summary_lines(table, width), lambda column, _: column == 0)]
        printed += ["- " + said for said in summary_stands_out(summary, at)]
        printed.append("")
    printed += ["- " + said for said in (*summary_invalid(summary), *summary_causes(summary))]
    return printed


def _summary_terminal_width() -> int:
    columns = os.environ.get("COLUMNS", "")
    if not columns and sys.stdout.isatty():
        columns = str(os.get_terminal_size(sys.stdout.fileno()).columns)
    return int(columns) if columns.isascii() and columns.isdigit() else 999


def main(arguments: list[str]) -> None:
    allow_host = everything = False
    form, file = "text", ""
    for argument in arguments:
        if argument == "--allow=host":
            allow_host = True
        elif argument == "--all":
            everything = True
        elif argument in ("--found", "--format=json"):
            form = "json" if argument == "--format=json" else "found"
        elif argument.startswith("--"):
            fail(2, f"no option '{split_option(argument)[0]}'; see --help")
        elif file:
            fail(2, f"cannot read '{argument}': a summary is of one file; see --help")
        else:
            file = argument
    if not file:
        fail(2, "which results? usage: scripts/summary.sh RESULTS.json")
    summary = summarize(read_rows(file), allow_host)
    if form == "json":
        print(as_json(summary_json(summary)))
    elif form == "found":
        print("".join(said + "\n" for said in summary_found(summary)), end="")
    elif everything:
        print("\n".join(summary_text(summary, None)))
    else:
        width = _summary_terminal_width()
        print("\n".join(part for line in summary_text(summary, width)
                        for part in fold(line, width)))
