"""The rows of several clients as one row of each benchmark, for clients.sh.

usage: clients.sh DIRECTORY CLIENTS SEED CPUS COMMAND JSON TSV

DIRECTORY has results.json, the rows of all clients, and merged.tsv, which hdrmerge prints of their
histograms. The rows go to merged.json there, and are appended to the files JSON and TSV; "" is no
file. CPUS is how many there are, SEED the one that was asked for, COMMAND what repeats the rows.
"""
from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, cast

from .command import fail
from .rows import KINDS, Row, distinct, read_rows, row_get, row_groups, row_warnings
from .stats import greatest_known, sum_if_known
from .tab_files import read_tab_table, tab_number
from .text import as_json, as_text, number, round_to, rounded

#: What stands for all of them together is a sum; nothing, if one of them did not have it.
SUMS = frozenset((
    "ops", "reads", "writes", "scans", "entries", "found", "missing", "lost", "wrong",
    "out_of_order", "errors", "bytes", "target_rate", "backlog", "user_s", "sys_s", "fg_cpu_s",
    "bg_cpu_s", "harness_cpu_s", "ctx_voluntary", "ctx_involuntary", "faults_major",
    "faults_minor", "fs_in_blocks", "fs_out_blocks", "io_read_bytes", "io_write_bytes",
    "io_wchar_bytes", "io_write_calls", "cycles", "instructions", "cache_misses", "tlb_misses",
    "rss_anon_kb", "commits", "aborts", "conflicts", "retries", "retry_s", "write_skews", "syncs",
    "fsyncs", "fdatasyncs", "msyncs", "sync_file_ranges", "dsync_writes", "round_trips",
))
#: Among the figures, what was asked for.
ASKED = frozenset((
    "arrivals", "until_steady_s", "probe_rate", "backup_at_s", "long_reader_s", "memory_limit_kb",
    "malloc_arenas", "counters", "servers",
))
#: Means by operations.
MEANS = frozenset((
    "mean_us", "cpu_us_per_op", "round_trips_per_op", "cycles_per_op", "instructions_per_op",
    "cache_misses_per_op", "tlb_misses_per_op",
))
QUANTILES = ("mean", "p50", "p90", "p95", "p99", "p999", "p9999")

Values = Sequence[Any]


class ClientsRun(NamedTuple):
    clients: int
    seed: int
    cpus: int
    command: str


class ClientCalls(NamedTuple):
    """A kind of calls of all clients, such as read or read_resp: what hdrmerge says of it."""

    kind: str
    figures: dict[str, str]

    def figure(self, name: str) -> float | None:
        return tab_number(self.figures.get(name, ""))


def least_of_clients(values: Iterable[Any]) -> Any:
    """None if one of them is not known."""
    found = list(values)
    return None if None in found else min(found, default=None)


def client_mean(x: float | None, n: float | None) -> float | None:
    return None if x is None or n is None or n <= 0 else x / n


def client_calls(merged: Iterable[dict[str, str]], benchmark: str) -> list[ClientCalls]:
    """The calls of a benchmark. Letters that a tag has not are _ in it, as hdrlog_line has it."""
    name = re.sub("[^A-Za-z0-9+=@.-]", "_", benchmark)
    return [ClientCalls(kind, line) for line in merged for of in KINDS
            for kind in (of, of + "_resp")
            if line["tag"].endswith(f".{name}.{kind}")]


def cpu_of_no_client(rows: Sequence[Row], cpus: int) -> float:
    """The CPU time of others than the clients, in percent: what each client took of the CPUs, the
    others saw as others'."""
    n = len(rows)
    seen = sum(row.get("others_cpu_percent") or 0 for row in rows) / n
    of_each = sum(((row.get("user_s") or 0) + (row.get("sys_s") or 0)) / (row.get("seconds") or 1)
                  for row in rows)
    return max(seen - 100 * (n - 1) / n / cpus * of_each, 0)


def client_warnings(rows: Sequence[Row], others: float, together: float | None) -> str | None:
    """Those of the clients, each once, and of all of them."""
    texts = [text for row in rows for text in row_warnings(row)
             if not text.startswith("other processes")]
    if others > 10:
        texts.append(f"other processes and kernel threads used {rounded(others)} % of the CPUs")
    if together is not None and together < 95:
        texts.append(f"all clients ran at once in only {number(together)} % of the time")
    return "; ".join(distinct(texts)) or None


def column_of_clients(rows: Sequence[Row], column: str, is_figure: bool) -> Any:
    """What a column comes to: a sum, a mean by operations, nothing if it is another figure, or what
    all clients have in it."""
    values = [row_get(row, column) for row in rows]
    if column in SUMS:
        return sum_if_known(values)
    if column in MEANS:
        parts = (None if value is None else value * (row.get("ops") or 0)
                 for row, value in zip(rows, values))
        return client_mean(sum_if_known(parts), sum_if_known(row.get("ops") for row in rows))
    if is_figure and column not in ASKED:
        return None
    return values[0] if all(value == values[0] for value in values) else None


def merge_clients(rows: Sequence[Row], calls: Sequence[ClientCalls],
                  run: ClientsRun) -> dict[str, Any]:
    """The row of all clients of a benchmark, with the columns of the first in their order."""
    if len(rows) != run.clients:
        fail(1, f"{rows[0].get('benchmark')} ran {len(rows)} times in {run.clients} clients, which"
             " cannot be added up; name each benchmark once in --benchmarks")
    rows = sorted(rows, key=lambda row: row.get("time") or "")
    columns = list(rows[0])
    figures = range(columns.index("ops"), columns.index("timer"))
    merged = {column: column_of_clients(rows, column, at in figures)
              for at, column in enumerate(columns)}

    def of_rows(column: str) -> Values:
        return [row_get(row, column) for row in rows]

    seconds = greatest_known(one.figure("seconds") for one in calls)
    together = least_of_clients(one.figure("overlap_percent") for one in calls)
    others = cpu_of_no_client(rows, run.cpus)
    cpu_s = sum_if_known((merged["user_s"], merged["sys_s"]))
    merged.update(
        time=rows[0].get("time"), seed=run.seed, command=run.command, clients=run.clients,
        **{column: greatest_known(one.figure(column) for one in calls)
           for column in ("start_skew_s", "end_skew_s")},
        **{column: greatest_known(of_rows(column))
           for column in ("longest_stall_ms", "harness_ns_per_op", "timer_ns")},
        overlap_percent=together, seconds=seconds,
        **{f"{what}_per_sec": client_mean(merged[what], seconds)
           for what in ("ops", "entries", "reads", "writes")},
        cpu_percent=client_mean(None if cpu_s is None else cpu_s * 100, seconds),
        syncs_per_commit=client_mean(merged["syncs"], sum_if_known(of_rows("commits"))),
        target_rate_met=least_of_clients(of_rows("target_rate_met")),
        steal_percent=client_mean(sum_if_known(of_rows("steal_percent")), len(rows)),
        others_cpu_percent=None if None in of_rows("others_cpu_percent") else others,
        warnings=client_warnings(rows, others, together))
    for one in calls:
        merged.update({f"{one.kind}_{q}_ns": one.figure(f"{q}_ns") for q in QUANTILES})
        merged[f"{one.kind}_min_ns"] = least_of_clients(of_rows(f"{one.kind}_min_ns"))
        merged[f"{one.kind}_max_ns"] = greatest_known(of_rows(f"{one.kind}_max_ns"))
    return {column: round_to(6, value) if isinstance(value, (int, float)) else value
            for column, value in merged.items()}


def merge_client_benchmarks(rows: Iterable[Row], histograms: Sequence[dict[str, str]],
                            run: ClientsRun) -> list[dict[str, Any]]:
    """A row of each benchmark, as they ran: those that began in one second have one time."""
    return [merge_clients(same, client_calls(histograms, cast(str, same[0].get("benchmark"))), run)
            for same in row_groups(rows, lambda row: row.get("benchmark"))]


def append_clients(path: str, lines: Iterable[str]) -> None:
    with open(path, "a", encoding="utf-8", errors="surrogateescape") as file:
        file.writelines(line + "\n" for line in lines)


def append_clients_table(path: str, rows: Sequence[dict[str, Any]]) -> None:
    """As lines of cells, below a header of the same columns; or the end."""
    header = "\t".join(rows[0])
    there = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            there = file.readline().rstrip("\n")
    if there and there != header:
        fail(1, f"--tsv: {path} has other columns; name another file")
    cells = ("\t".join("" if value is None else re.sub("[\t\r\n]", " ", as_text(value))
                       for value in row.values()) for row in rows)
    append_clients(path, cells if there else [header, *cells])


def main(arguments: list[str]) -> None:
    directory, clients, seed, cpus, command, json, tsv = arguments
    run = ClientsRun(int(clients), int(seed), int(cpus), command)
    rows = merge_client_benchmarks(read_rows(os.path.join(directory, "results.json")),
                                   read_tab_table(os.path.join(directory, "merged.tsv")), run)
    lines = list(map(as_json, rows))
    append_clients(os.path.join(directory, "merged.json"), lines)
    if json:
        append_clients(json, lines)
    if tsv:
        append_clients_table(tsv, rows)
