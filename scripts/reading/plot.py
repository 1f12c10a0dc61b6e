"""What plots show of rows, as files that plot.sh and gnuplot read.

usage: plot.sh points ROWS.json
       plot.sh probes ROWS.json
       plot.sh prepare RESULTS WORK ALLOW

points and probes print the tables that plot/points.sh and plot/probes.sh explain. prepare writes
them into the directory WORK, and beside them benchmarks.tsv (benchmark, whether it writes, is a
load, has several numbers of threads), for each benchmark NAME.note and NAME.extremes (of each
label the runs with the fewest and the most threads: name, run, threads, whether these are the
most), and rows.steps and queries.steps (bars of the Insert Benchmark).
"""
from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Sequence
from typing import Any, cast

from . import command, stats
from .command import fail, warn
from .rows import (
    Row,
    columns_as_key,
    columns_freed,
    distinct,
    group_rows,
    read_rows,
    row_get,
    row_number,
    row_valid,
    rows_told_apart,
    unique,
    why_rows_mixed,
)
from .tab_files import as_tsv
from .text import as_text, count, fold, number, rounded

# Each label is a curve: of it, all else must be one, too.
ONE_PLOT = ("host", "cpu", "kernel", "cores", "cpu_quota", "memory_limit_kb", "durability", "num",
            "key_size", "value_size")
ONE_CURVE = ("engine", "engine_version", "durability_effective")


# ---- points


def _plot_rate(row: Row, panel: str) -> float:
    """The reads or writes a second. A scan is a read of a range, but those of a scanner beside the
    readers are none of their operations."""
    if panel == "writes":
        return row.get("writes_per_sec") or 0
    scans = (row.get("scans") or 0) / (row.get("seconds") or 1)
    rate, most = (row.get("reads_per_sec") or 0) + scans, row.get("ops_per_sec")
    return rate if most is None else min(rate, most)


def _plot_whisker_ends(cells: list[str], sample: Sequence[float]) -> list[str]:
    """With three or four runs the least and the greatest rate are the ends of the whisker, with
    fewer there is none."""
    if len(sample) >= 5:
        return cells
    ends = ["", ""]
    if len(sample) > 2:
        ends = [number(x) if x.is_integer() else f"{x:.10g}"
                for x in (float(min(sample)), float(max(sample)))]
    return [*cells[:3], *ends, *cells[5:]]


def plot_points(rows: Iterable[Row]) -> str:
    """A table with a line for each benchmark, label, number of threads and kind of operation."""
    told = rows_told_apart(row for row in rows if row_valid(row))
    names, samples = [], []
    for panel in ("reads", "writes"):
        for same in group_rows(told, columns_as_key(("benchmark", "label", "threads"))):
            sample = [x for row in same if (x := _plot_rate(row, panel)) > 0]
            if sample:
                row = same[0]
                names.append([row.get("benchmark"), row.get("label"), row.get("threads"), panel])
                samples.append(sample)
    answers = stats.ask_stats(([sample] for sample in samples), "--draws=0")
    head = ("benchmark", "label", "threads", "panel", "n", "median", "mean", "low", "high", "cv")
    return as_tsv([head, *([*name, *_plot_whisker_ends(cells[:6], sample)]
                           for name, cells, sample in zip(names, answers, samples))])


def plot_probes(rows: Iterable[Row]) -> str:
    """A table with a line for each benchmark and label that had a probe, with the fewest and the
    most threads."""
    told = rows_told_apart(row for row in rows if row_valid(row)
                           and row.get("probe_p50_ns") is not None
                           and (row.get("writes_per_sec") or 0) > 0)
    figures = ("writes_per_sec", "probe_p50_ns", "probe_p99_ns", "probe_resp_p99_ns")
    lines: list[list[Any]] = [
        ["benchmark", "threads", "name", "writes_per_sec", "p50_ns", "p99_ns", "resp_p99_ns"]]
    for curve in group_rows(told, lambda row: (row.get("benchmark"), row.get("label"))):
        counts = [row.get("threads") or 0 for row in curve]
        for same in group_rows(curve, lambda row: row.get("threads")):
            threads = same[0].get("threads") or 0
            if threads in (min(counts), max(counts)):
                medians = [stats.median(row_number(row, c) for row in same) for c in figures]
                name = f"{same[0].get('label')}, {count(threads, 'thread')}"
                lines.append([same[0].get("benchmark"), threads, name, *medians])
    return as_tsv(lines)


def plot_steps(rows: Iterable[Row], figure: str) -> str:
    """Bars of the Insert Benchmark: the rate of each step, of rows or queries, at the most threads,
    and the worst second beside it, where it was not 0."""
    rate, worst = f"{figure}_per_sec", f"{figure}_worst_second"
    told = rows_told_apart(row for row in rows if row_valid(row) and row_get(row, rate) is not None
                           and (row.get("queries_per_sec") is None) == (figure == "rows"))
    bars: list[list[Any]] = []
    for curve in group_rows(told, lambda row: row.get("label")):
        most = max(row.get("threads") or 0 for row in curve)
        widest = [row for row in curve if row.get("threads") == most]
        for same in group_rows(widest, lambda row: row.get("benchmark")):
            label, benchmark = same[0].get("label") or "", same[0].get("benchmark")
            bars += [[figure, label + added, benchmark,
                      stats.median(row_number(r, c) for r in same)]
                     for added, c in (("", rate), ("+worst_second", worst))]
    return as_tsv([["panel", "label", "x", "y"], *(bar for bar in bars if (bar[3] or 0) > 0)])


# ---- what plot.sh draws


def _refuse_plot(rows: Sequence[Row], allow: Sequence[str]) -> None:
    """Ends the script where rows do not belong in one plot. Sync fills sync whatever the rest does,
    and are loads."""
    drawn = [row for row in rows if not (row.get("benchmark") or "").startswith("fill")]
    allow = columns_freed(allow)
    reasons = why_rows_mixed(drawn, [c for c in ONE_PLOT if c not in allow], "one plot")
    for curve in group_rows(drawn, lambda row: (row.get("benchmark"), row.get("label"))):
        reasons += why_rows_mixed(curve, [c for c in ONE_CURVE if c not in allow], "one curve")
    if reasons:
        fail(1, *(f"{reason}; --allow=COLUMN,... allows it" for reason in unique(reasons)))
    for row in rows:
        if re.search(r'[\s"]', row.get("label") or ""):
            fail(1, f"the label '{row.get('label')}' has a blank or a quote, which no plot can"
                 " read; measure again with another")


#: what a row has that has no mix, limit or rate: nothing to say, unless other rows have one
_PLOT_NONE = ("no mix", "no limit of memory", "no rate", "")


def _plot_conditions(row: Row) -> list[str]:
    mix, limit, rate = row.get("mix"), row.get("memory_limit_kb"), row.get("target_rate")
    return [
        f"{as_text(row.get('num'))} records of {as_text(row.get('key_size'))} +"
        f" {as_text(row.get('value_size'))} bytes",
        row.get("distribution") or "", f"mix {mix}" if mix else _PLOT_NONE[0],
        f"durability {as_text(row.get('durability'))}",
        f"{rounded(limit / 1024)} MiB of memory" if limit else _PLOT_NONE[1],
        f"{number(rate)} operations/s asked for" if rate else _PLOT_NONE[2],
        f"on {as_text(row.get('host'))}"]


def _plot_note(rows: Sequence[Row]) -> str:
    """Of what rows differ in, as their labels say, all that they have."""
    warned = [w for row in rows if (w := row.get("warnings"))]
    parts = map(distinct, zip(*map(_plot_conditions, rows)))
    note = ", ".join(" or ".join(part) for part in parts if part[1:] or part[0] not in _PLOT_NONE)
    if warned:
        note += f"\nwarnings, {len(warned)} of {len(rows)} rows, such as: {warned[0]}"
    return "".join(part + "\n" for line in note.split("\n") for part in fold(line, 104))


def _plot_extreme_threads(runs: Sequence[tuple[Row, str]]) -> list[list[Any]]:
    """Of each label the first run with the fewest threads and that with the most."""
    lines: dict[str, list[Any]] = {}
    for row, run in runs:
        label, threads = row.get("label"), row.get("threads") or 0
        counts = [other.get("threads") or 0 for other, _ in runs if other.get("label") == label]
        if threads in (min(counts), max(counts)):
            name = f"{label}, {count(threads, 'thread')}"
            lines.setdefault(name, [name, run, threads, threads == max(counts)])
    return list(lines.values())


def _plot_runs(results: str) -> list[tuple[Row, str]]:
    """The valid rows of each run by its directory, with the label that it has in the points."""
    found: list[Row] = []
    for file in sorted(glob.glob(os.path.join(glob.escape(results), "runs", "*", "row.json"))):
        run = os.path.basename(os.path.dirname(file))
        found += [cast(Row, {**row, "run": run}) for row in read_rows(file) if row_valid(row)]
    return [(row, row_get(row, "run")) for row in rows_told_apart(found)]


def prepare_plots(results: str, work: str, allow: Sequence[str]) -> None:
    rows = read_rows(os.path.join(results, "results.json"))
    if invalid := sum(not row_valid(row) for row in rows):
        warn(f"{invalid} invalid rows are not drawn")
    rows = [row for row in rows if row_valid(row)]
    _refuse_plot(rows, allow)
    runs = _plot_runs(results)
    files = {"points.tsv": plot_points(rows), "probes.tsv": plot_probes(rows),
             "rows.steps": plot_steps(rows, "rows"), "queries.steps": plot_steps(rows, "queries")}
    lines = []
    for same in group_rows(rows, lambda row: row.get("benchmark")):
        name = same[0].get("benchmark") or ""
        writes = sum(row.get("writes") or 0 for row in same) > 0
        reads = sum((row.get("reads") or 0) + (row.get("scans") or 0) for row in same) > 0
        several = len({row.get("threads") for row in same}) > 1
        lines.append([name, int(writes), int(not reads), int(several)])
        files[f"{name}.note"] = _plot_note(same)
        files[f"{name}.extremes"] = as_tsv(
            _plot_extreme_threads([run for run in runs if run[0].get("benchmark") == name]))
    files["benchmarks.tsv"] = as_tsv(lines)
    for name, text in files.items():
        with open(os.path.join(work, name), "w", encoding="utf-8") as file:
            file.write(text)


def main(arguments: list[str]) -> None:
    question, *rest = arguments
    if question == "prepare":
        results, work, allow = rest
        prepare_plots(results, work, allow.split(","))
    else:
        command.script = question + ".sh"
        print({"points": plot_points, "probes": plot_probes}[question](read_rows(rest[0])), end="")
