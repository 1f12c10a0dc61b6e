"""Rows: reading files of them, what a row says, and which rows belong together."""
from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeVar, cast

from . import command
from .command import fail, readable, warn
from .stats import middle_of_ordered
from .text import as_json, as_text, count, or_none

if TYPE_CHECKING:
    from row_columns import Columns

    class Row(Columns, total=False):
        """A row, with what reproductions and sweeps add to it."""

        document: str | None
        experiment: str | None
        repetition: float | None
        profile: str | None
else:
    Row = dict


# What makes a benchmark another one: only rows that agree in all of it are set side by side.
SETUP = (
    "benchmark", "threads", "clients", "num", "key_size", "key_format", "value_sizes",
    "batch_size", "distribution", "mix", "scan_length", "queues", "queue_deletes", "txn_reads",
    "txn", "warmup_s", "age", "probe_rate", "long_reader_s", "backup_at_s", "durability",
    "target_rate", "arrivals",
)
# What else must not differ between rows that are set beside one another: compare.sh refuses it,
# summary.sh makes tables of their own of it, plot.sh refuses it or tells it in the label.
CONDITIONS = (
    "host", "cpu", "kernel", "cores", "cpu_quota", "filesystem", "simulated_disk",
    "memory_limit_kb", "durability_effective", "cold", "touch",
)
# What may differ, but not unsaid.
CIRCUMSTANCES = (
    "mount_options", "device", "io_scheduler", "read_ahead_kb", "governor", "turbo", "smt",
    "thp", "swappiness", "idle_reclaim", "numa_node", "cpus", "allowed_cpus", "memory_kb",
    "page_cache_state",
)
# What a machine has with its name: where several hosts may be, it may differ, too.
MACHINE = ("host", "cpu", "cores", "kernel")
# What else rows agree in if they are runs of one point; engine_options stands last, as it repeats
# some of the others.
SETTINGS = (
    *SETUP, "host", "engine", "engine_version", "allocator", "cold", "touch", "cpus",
    "durability_effective", "filesystem", "simulated_disk", "memory_limit_kb", "malloc_arenas",
    "compression", "cache_bytes", "write_buffer_bytes", "engine_options",
)


# ---- reading

_ESCAPED = re.compile(r'\\[^"\\/]')
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
# No text of a row ends where a name follows.
_BETWEEN = re.compile(r'(?<=\})(?=\{"\w+":)')


# rows may hold characters that JSON forbids
_DECODER = json.JSONDecoder(strict=False)


def _row_objects(text: str) -> Iterable[tuple[Any, str]]:
    """The JSON values of a text that stands in as many lines as it likes, each with its text."""
    at, end = 0, len(text)
    while True:
        while at < end and text[at] in " \t\r\n":
            at += 1
        if at == end:
            return
        begin = at
        value, at = _DECODER.raw_decode(text, at)
        yield value, text[begin:at]


def _row_clean(row: dict[str, Any]) -> None:
    """Names of columns as they are today, and blanks for control characters, which a terminal
    would obey."""
    for name in [name for name in row if name.startswith("device_write_amp")]:
        row["host_" + name.removeprefix("device_")] = row.pop(name)
    for name, value in row.items():
        if isinstance(value, str) and not value.isprintable():
            row[name] = _CONTROL.sub(" ", value)


def _row_lines(text: str) -> list[str]:
    """One row a line: two that were written into one line are two."""
    lines: list[str] = []
    for line in text.split("\n"):
        line = line.strip(" \t")
        if line:
            lines += _BETWEEN.split(line) if '}{"' in line else [line]
    return lines


class _Reader:
    """The rows of a file, and how many were left out."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.cut = self.again = 0
        self._seen: set[str] = set()

    def read(self, text: str) -> None:
        lines = _row_lines(text)
        if all(line.startswith("{") and line != "{" for line in lines):
            for line in lines:
                if line.endswith("}"):
                    self._take(_DECODER.decode(line), line)
                else:
                    self.cut += 1
        else:
            for value, own in _row_objects(text):
                self._take(value, own)

    def _take(self, value: Any, own: str) -> None:
        if not isinstance(value, dict) or "benchmark" not in value:
            raise ValueError("not a row")
        if value.get("schema") == "assay/1":
            raise ValueError("a row of assay/1, which scripts/upgrade-rows.jq of release 0.3.0"
                             " converts")
        if value.get("time") is not None and own in self._seen:
            self.again += 1
            return
        self._seen.add(own)
        # few rows need it, and it takes as long as all else
        if "device_write_amp" in own or not own.isprintable() or _ESCAPED.search(own):
            _row_clean(value)
        self.rows.append(cast(Row, value))


def read_rows(path: str, otherwise: int = 1) -> list[Row]:
    """The rows of a file of JSON lines.

    Rows that a crash has cut short are left out, which is said. A row that stands there again is
    the same run and is taken once: two runs differ in when they began or how long they took. The
    script ends with status `otherwise` if anything else is wrong, or no row is left.
    """
    readable(path)
    found = _Reader()
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            found.read(file.read())
    except (ValueError, RecursionError) as error:
        fail(otherwise, f"{path} does not hold rows as JSON lines: {error}")
    if not found.rows:
        fail(otherwise, f"{path} has no row{' that is not cut short' if found.cut else ''}")
    if found.cut:
        warn(f"{path}: rows cut short, and left out: {found.cut}")
    if found.again:
        warn(f"{path}: {found.again} rows stand there twice, and count once")
    return found.rows


def rows_of_results(results: str, otherwise: int = 1) -> list[Row]:
    """The rows of a file, or of a directory of results."""
    paths = [results]
    if os.path.isdir(results):
        paths = [os.path.join(results, name) for name in ("results.json", "rows.json")]
    path = next(filter(os.path.exists, paths), paths[0])
    if not os.access(path, os.R_OK):
        fail(2, f"cannot read {path}; sweep.sh makes a results.json")
    return read_rows(path, otherwise)


def read_json_lines(path: str) -> list[Any]:
    """The values of a file that has one a line."""
    readable(path)
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return [json.loads(line) for line in file if line.strip()]


# ---- columns by name, and order

def row_get(row: Row, column: str) -> Any:
    """A column by a name that is not written out."""
    return row.get(column)


def row_number(row: Row, column: str) -> float | None:
    """The same of a column that is a number."""
    value = row.get(column)
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def row_order(value: Any) -> tuple[Any, ...]:
    """A key by which values of all types can be sorted: what is not known, truths, numbers,
    texts, lists."""
    if value is None:
        return (0,)
    if isinstance(value, bool):
        return (1, value)
    if isinstance(value, (int, float)):
        return (2, value)
    if isinstance(value, str):
        return (3, value)
    if isinstance(value, dict):
        return (5, tuple(sorted(value)), tuple(row_order(value[key]) for key in sorted(value)))
    return (4, tuple(row_order(member) for member in value))


Item = TypeVar("Item")


def group_rows(items: Iterable[Item], key: Callable[[Item], Any]) -> list[list[Item]]:
    """Groups of equal keys, by the order of the keys; each in the order of `items`."""
    keyed = sorted(((row_order(key(item)), item) for item in items), key=lambda pair: pair[0])
    return [[item for _, item in group] for _, group in groupby(keyed, lambda pair: pair[0])]


def row_groups(items: Iterable[Item], key: Callable[[Item], Hashable]) -> list[list[Item]]:
    """Groups of equal keys, in the order in which their first items come."""
    found: dict[Hashable, list[Item]] = {}
    for item in items:
        found.setdefault(key(item), []).append(item)
    return list(found.values())


def last_greatest(items: Sequence[Item], key: Callable[[Item], Any]) -> Item:
    """The greatest by a key, of equal ones the last."""
    return max(reversed(items), key=key)


def unique(values: Iterable[Any]) -> list[Any]:
    """Each value once, in order."""
    return [group[0] for group in group_rows(values, lambda value: value)]


def distinct(values: Iterable[Item]) -> list[Item]:
    """Each value once, as they come."""
    return list(dict.fromkeys(values))


def columns_as_key(columns: Sequence[str]) -> Callable[[Row], list[Any]]:
    """A key for group_by: what a row has in these columns."""
    return lambda row: [row_get(row, column) for column in columns]


def row_values(rows: Iterable[Row], column: str) -> list[Any]:
    """The values of a column, each once, in order; None among them."""
    return unique({cast(Hashable, row_get(row, column)) for row in rows})


def known_row_values(rows: Iterable[Row], column: str) -> list[Any]:
    """The same without None."""
    return [value for value in row_values(rows, column) if value is not None]


def rows_differing(rows: Sequence[Row], columns: Iterable[str]) -> list[str]:
    """The columns of a list in which some rows differ."""
    plain = cast("Sequence[dict[str, Any]]", rows)
    return [c for c in columns if len({row.get(c) for row in plain}) > 1]


def columns_freed(named: Iterable[str]) -> list[str]:
    """The columns that may differ where those may that a user named."""
    columns = [*named]
    return columns + [c for c in MACHINE if "host" in columns]


def why_rows_mixed(rows: Sequence[Row], columns: Iterable[str], what: str) -> list[str]:
    """A reason for each column that these rows differ in."""
    reasons = []
    for column in columns:
        values = unique(or_none(row_get(row, column)) for row in rows)
        if len(values) > 1:
            reasons.append(f"rows of more than one {column} ({', '.join(values)})"
                           f" do not belong in {what}")
    return reasons


NUMBERS = {int, float}


def _row_by_column(rows: Sequence[Row]) -> Iterable[tuple[str, Sequence[Any]]]:
    plain = cast("Sequence[dict[str, Any]]", rows)
    names = [*plain[0]]
    # nearly always all rows have the same columns in the same order
    if all([*row] == names for row in plain):
        return zip(names, zip(*(row.values() for row in plain)))
    names = [*{column: None for row in plain for column in row}]
    return ((column, [row.get(column) for row in plain]) for column in names)


def median_row(rows: Sequence[Row]) -> Row:
    """A row that has of each number the median, also where the first has none, and what else the
    first has."""
    result = dict(rows[0])
    for column, values in _row_by_column(rows) if len(rows) > 1 else ():
        if type(values[0]) is str:
            continue
        if not {*map(type, values)} <= NUMBERS:
            values = [value for value in values if type(value) in NUMBERS]
        if values:
            result[column] = middle_of_ordered(sorted(values))
    return cast(Row, result)


# ---- rows side by side

def _row_without(value: str | None, found: str, pattern: str) -> str:
    if value is None:
        return "none"
    return re.sub(pattern, "", value, count=1) if found in value else value


def rows_settled(row: Row) -> Row:
    """A row without what are no settings: what was left in memory, the room for readers that a
    lock file happens to have, and which cores threads had by turns. A row that says nothing of
    clients is of one."""
    row = cast(Row, dict(row))
    row["clients"] = row.get("clients") or 1
    row["cold"] = _row_without(row.get("cold"), ", but", ", but .*")
    if str(row.get("cpus")).startswith("pinned "):
        row["cpus"] = "pinned"
    row["engine_options"] = _row_without(row.get("engine_options"), " maxreaders=",
                                         " maxreaders=[0-9]+")
    return row


def rows_beside(rows: Iterable[Row]) -> list[Row]:
    """Rows that are to stand beside one another. One that was on no file system, as the null
    engine stores nothing, is on that of all others; a label such as lmdb:xfs says itself what it
    ran on, and how that is made cold follows from it."""
    found = [rows_settled(row) for row in rows]
    on = {row.get("filesystem") for row in found} - {None}
    for row in found:
        if row.get("filesystem") is None and len(on) == 1:
            row["filesystem"] = next(iter(on))
        if ":" in (row.get("label") or ""):
            row["filesystem"] = None
            row["cold"] = "none" if row.get("cold") == "none" else "cold"
    return found


def _row_label_word(text: str) -> str:
    return "+" + re.sub("_$", "", re.sub("[^A-Za-z0-9_.=-]+", "_", text))


def _rows_told_apart_labels(rows: list[Row], between: Iterable[str]) -> list[Row]:
    """Rows of one label with what tells them apart in their labels; see told_apart."""
    within = rows_differing(rows, SETTINGS)
    among = [c for c in SETTINGS if c in within or c in between]
    if not among:
        return rows
    differ = [c for c in among if c != "engine_options"]

    def kinds(columns: Sequence[str]) -> int:
        return len({tuple(row_get(row, c) for c in columns) for row in rows})

    shared: list[str] = []
    if kinds(among) > kinds(differ):
        words = [(row.get("engine_options") or "").split(" ") for row in rows]
        shared = [word for word in words[0] if all(word in other for other in words)]
    told = []
    for row in rows:
        texts = [f"{c}={or_none(row_get(row, c))}" for c in differ]
        if kinds(among) > kinds(differ):
            texts += [w for w in (row.get("engine_options") or "").split(" ") if w not in shared]
        row["label"] = (row.get("label") or "") + "".join(map(_row_label_word, texts))
        told.append(row)
    return told


def rows_told_apart(rows: Iterable[Row]) -> list[Row]:
    """Rows whose label says in what settings they differ from others of the same benchmark,
    label and threads: null+batch_size=10; and in what conditions from those of other labels as
    well. Of engine_options it has the words that they do not share, and only if nothing else
    tells the rows apart."""
    told = []
    for group in group_rows(rows, lambda row: (row.get("benchmark"), row.get("threads"))):
        group = rows_beside(group)
        between = rows_differing(group, SETUP + CONDITIONS)
        for labelled in group_rows(group, lambda row: row.get("label")):
            told += _rows_told_apart_labels(labelled, between)
    return told


# ---- what a row says

KINDS = ("read", "write", "scan")
QUANTILES = ("p50", "p99", "p999", "max")


def row_timed_kind(row: Row) -> str:
    """The kind of call whose quantiles are a row's: the first that has any, and scans before writes
    where most operations are scans. One of them may be unknown, as it is short or of few."""
    scans = (row.get("scans") or 0) * 2 > (row.get("ops") or 0)
    for kind in ("read", "scan", "write") if scans else KINDS:
        if any(row.get(f"{kind}_{q}_ns") is not None for q in QUANTILES):
            return kind
    return "read"


def row_latency(row: Row, quantile: str) -> float | None:
    return row_number(row, f"{row_timed_kind(row)}_{quantile}_ns")


def row_response(row: Row, quantile: str) -> float | None:
    return row_number(row, f"{row_timed_kind(row)}_resp_{quantile}_ns")


def row_is_paced(row: Row) -> bool:
    """Whether what a row measured is how long operations took that were asked for at a rate, its
    response time, not how many it did: its own threads had a rate, which is not so where only a
    background writer had."""
    return row.get("target_rate") is not None and row_response(row, "p99") is not None


def row_valid(row: Row) -> bool:
    return row.get("valid") == 1


def rows_in_runs(rows: Sequence[Row], condition: Callable[[Row], bool]) -> str | None:
    """In how many of them it is so: "" in the only one, " in 2 of 3 runs", None in none."""
    found = sum(map(condition, rows))
    if not found:
        return None
    return "" if len(rows) == 1 else f" in {found} of {len(rows)} runs"


def row_rate_missed(rows: Sequence[Row]) -> str | None:
    """That a rate was missed, in how many of some rows."""
    runs = rows_in_runs(rows, lambda row: row.get("target_rate_met") == 0)
    return None if runs is None else "rate missed" + runs


def row_unfit(row: Row) -> bool:
    """Whether its build is not fit for comparison. Where that is so of writes only ("of writes:
    no CRC-32C instructions"), it is of rows that write."""
    build = row.get("engine_build") or ""
    if "not fit for comparison" not in build:
        return False
    return not build.endswith("of writes") or (row.get("writes") or 0) > 0


def row_unfit_why(row: Row) -> str:
    build = row.get("engine_build") or ""
    found = re.search("((?:assertions compiled in)?(?:, )?(?:no CRC-32C instructions)?): not fit",
                      build)
    why = found.group(1).removeprefix(", ") if found else ""
    return (" of writes" if build.endswith("of writes") else "") + (f": {why}" if why else "")


def row_warnings(row: Row) -> list[str]:
    return [*filter(None, (row.get("warnings") or "").split("; "))]


def row_machine_busy(row: Row) -> bool:
    """Whether other processes or the hypervisor took CPU time meanwhile: it warns of either."""
    return "of the CPU time" in (row.get("warnings") or "")


def row_calls(row: Row) -> float:
    """Reads, writes and scans of all threads, of which columns of CPU time and waits are."""
    return sum(row_number(row, kind) or 0 for kind in ("reads", "writes", "scans"))


def row_calls_per_operation(row: Row) -> float | None:
    """Of an update there are two; None: not known."""
    ops, calls = row_number(row, "ops"), row_calls(row)
    return calls / ops if calls and ops else None


def row_cpu_per_operation(row: Row) -> float | None:
    """CPU time per operation, us; None if it is not known, as of servers, which the column does not
    count."""
    return None if row.get("servers") else row_number(row, "cpu_us_per_op")


def row_cautions(rows: Sequence[Row]) -> list[str]:
    """What else a reader must know of some rows, in how many of them."""
    found = []
    if (runs := rows_in_runs(rows, row_unfit)) is not None:
        why = row_unfit_why(next(row for row in rows if row_unfit(row)))
        found.append(f"a build that is not fit for comparison{why}{runs}")
    if (runs := rows_in_runs(rows, lambda row: row.get("steady") == 0)) is not None:
        found.append("not steady" + runs)
    if (runs := rows_in_runs(rows, lambda row: bool(row.get("warnings")))) is not None:
        first = next(w for row in rows if (w := row.get("warnings")))
        found.append(f"warnings{runs}: {first}")
    return found


def row_run_of_sweep(row: Row) -> str:
    """Which run of a sweep a row is of, wherever its directory lies: when it began, and the last
    of its path."""
    path = re.sub(r"(?s).*/([^/]+/runs/[^/]+)/row[.]json.*", r"\1", row.get("command") or "",
                  count=1)
    return f"{as_text(row.get('time'))} {path}"


def columns_of_row(rows: Iterable[Row]) -> set[str]:
    return {column for row in rows for column in row}


def row_name(row: Row) -> str:
    """Its label; of a row without one its engine."""
    return row.get("label") or row.get("engine") or ""


def row_threads(row: Row) -> str:
    """Its benchmark and threads: readrandom, 2 threads."""
    return f"{row.get('benchmark')}, {count(row.get('threads') or 1, 'thread')}"


def main(arguments: list[str]) -> None:
    """Prints the rows of a file, one a line: rows.sh SCRIPT FILE STATUS."""
    command.script, file, status = arguments
    for row in read_rows(file, int(status)):
        print(as_json(row))
