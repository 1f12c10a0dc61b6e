"""Versions of an engine beside the first of them, for versions.sh.

usage: versions.sh directions METRIC,...
       versions.sh compared ROWS.json VERSION,... BENCHMARK,... METRIC,... SEED
       versions.sh figures ROWS.json VERSION BENCHMARK THREADS METRIC

directions prints for each metric 1 if more of it is better, else 0, or ends the script where that
is not known. compared prints a table with a line for each point, metric and version, where a point
has one value of each option; figures the figures of one, in a line, or ends the script if there
are several.
"""
from __future__ import annotations

import re
from collections.abc import Sequence

from . import stats
from .command import fail
from .pairing import direction_of_metric, metric_of
from .rows import (
    SETTINGS,
    Row,
    columns_as_key,
    group_rows,
    read_rows,
    row_get,
    row_valid,
    rows_differing,
)
from .text import as_text, number

HEAD = ("benchmark", "threads", "metric", "version", "runs", "median", "ratio", "low", "high", "p")


def version_metric_directions(metrics: Sequence[str]) -> list[int]:
    found = []
    for metric in metrics:
        way = direction_of_metric(metric)
        if way is None:
            fail(2, f"cannot tell whether more {metric} is better; give a rate, a time, a size or a"
                 " count per operation")
        found.append(int(way.more))
    return found


def _version_sample(rows: Sequence[Row], label: str, metric: str) -> list[float]:
    return [x for row in rows if row.get("label") == label
            and (x := metric_of(row, metric)) is not None]


def _version_options(rows: Sequence[Row]) -> list[str]:
    """The columns of options that had several values in runs of one version; the text of all the
    engine's options only if no other column has them."""
    of_one = group_rows(rows, columns_as_key(("label", "benchmark", "threads")))
    found = {column for same in of_one for column in rows_differing(same, SETTINGS)}
    if len(found) > 1:
        found.discard("engine_options")
    return sorted(found)


def _version_point(row: Row, options: Sequence[str]) -> tuple[str, ...]:
    """The cells of a point: the benchmark with its options, and the threads."""
    values = (f"{column}={as_text(row_get(row, column))}" for column in options)
    return " ".join([row.get("benchmark") or "", *values]), as_text(row.get("threads"))


def versions_compared(rows: Sequence[Row], versions: Sequence[str], benchmarks: Sequence[str],
                      metrics: Sequence[str], seed: str) -> list[list[str]]:
    """A line for each point, metric and version, with the ratio to the first one. Loads are no
    points."""
    wanted = {re.sub(r"[@\[].*", "", benchmark) for benchmark in benchmarks}
    rows = [row for row in rows if row.get("benchmark") in wanted]
    options = _version_options(rows)
    points: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        points.setdefault(_version_point(row, options), []).append(row)
    lines = []
    for metric in metrics:
        for point, same in points.items():
            first = _version_sample(same, versions[0], metric)
            samples = [(first, _version_sample(same, version, metric)) for version in versions]
            for version, answer in zip(
                versions, stats.ask_stats(map(_version_stats_line, samples), f"--seed={seed}")):
                runs, median = answer[6] or "0", answer[7]
                # beside itself a version has no ratio
                ratio = answer[12:16] if version != versions[0] else [answer[12], "", "", ""]
                lines.append([*point, metric, version, runs, median, *ratio])
    return lines


def _version_stats_line(samples: tuple[Sequence[float], Sequence[float]]) -> str:
    return "x\t" + "\t".join(" ".join(map(number, sample)) for sample in samples)


def main(arguments: list[str]) -> None:
    question, *rest = arguments
    if question == "directions":
        print("\n".join(map(str, version_metric_directions(rest[0].split(",")))))
        return
    rows = [row for row in read_rows(rest[0]) if row_valid(row)]
    if question == "figures":
        version, benchmark, threads, metric = rest[1:]
        rows = [row for row in rows if row.get("label") == version
                and row.get("benchmark") == benchmark and row.get("threads") == float(threads)]
        if options := _version_options(rows):
            fail(2, f"--bisect goes by one value of each option, and runs differ in"
                 f" {', '.join(options)}")
        print(" ".join(map(number, _version_sample(rows, version, metric))))
        return
    versions, benchmarks, metrics = (one.split(",") for one in rest[1:4])
    lines = versions_compared(rows, versions, benchmarks, metrics, rest[4])
    print("\n".join("\t".join(line) for line in [HEAD, *lines]))
