"""Versions of an engine beside the first of them, for versions.sh.

usage: versions.sh directions METRIC,...
       versions.sh compared ROWS.json VERSION,... BENCHMARK,... METRIC,... SEED
       versions.sh figures ROWS.json VERSION BENCHMARK THREADS METRIC
       versions.sh bisected FIGURES MORE THRESHOLD SEED

directions prints for each metric 1 if more of it is better, else 0, or ends the script where that
is not known. compared prints a table with a line for each point, metric and version, where a point
has one value of each option; figures the figures of one, in a line, or ends the script if there
are several.
bisected prints what versions_bisected answers: FIGURES are of two or three versions, with tabs
between them; MORE is of directions, THRESHOLD percent.
"""
from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from . import stats
from .command import fail
from .pairing import NO_DIRECTION, direction_of_metric, metric_of
from .rows import (
    SETTINGS,
    Row,
    columns_as_key,
    group_rows,
    read_rows,
    row_get,
    row_groups,
    row_valid,
    rows_differing,
    rows_settled,
)
from .tab_files import as_tsv
from .text import as_text, number

HEAD = ("benchmark", "threads", "metric", "version", "runs", "median", "ratio", "low", "high", "p")


def version_metric_directions(metrics: Sequence[str]) -> list[int]:
    found = []
    for metric in metrics:
        way = direction_of_metric(metric)
        if way is None:
            fail(2, NO_DIRECTION.format(metric))
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
    points = row_groups(rows, lambda row: _version_point(row, options))
    lines = []
    for metric in metrics:
        for same in points:
            point = _version_point(same[0], options)
            first = _version_sample(same, versions[0], metric)
            samples = [(first, _version_sample(same, version, metric)) for version in versions]
            for version, (_, own), answer in zip(versions, samples,
                                                 stats.ask_stats(samples, f"--seed={seed}")):
                middle = stats.median(own)
                runs, median = str(len(own)), "" if middle is None else number(middle)
                # beside itself a version has no ratio
                ratio = answer[12:16] if version != versions[0] else [answer[12], "", "", ""]
                lines.append([*point, metric, version, runs, median, *ratio])
    return lines


DRAWS = 2000


def _version_chances(seed: int) -> Iterator[float]:
    """Random numbers in (0, 1), as tools/random.awk has them."""
    state = 1 + seed % 2147483646
    for drawn in itertools.count():
        state = state * 16807 % 2147483647
        if drawn >= 8:
            yield state / 2147483647


def versions_bisected(samples: Sequence[Sequence[float]], more: bool, threshold: float,
                      seed: int) -> list[float]:
    """How much slower the second of two versions is, as a fraction, by the medians, with its 95 %
    interval by the bootstrap; of three versions the same of both halves, the half that is worse, 1
    or 2, and in how many of the draws it is the same one. At last, in how many of the draws that
    half is as it is to the threshold: at least that, or less."""
    chances = _version_chances(seed)

    def slower(medians: Sequence[float]) -> list[float]:
        return [(old / new if more else new / old) - 1 for old, new in zip(medians, medians[1:])]

    def drawn(sample: Sequence[float]) -> float:
        return stats.middle_of_ordered(
            sorted(sample[int(next(chances) * len(sample))] for _ in sample))

    samples = list(map(sorted, samples))
    changes = slower(list(map(stats.middle_of_ordered, samples)))
    worse = changes.index(max(changes))
    draws = [slower(list(map(drawn, samples))) for _ in range(DRAWS)]
    cells: list[float] = []
    for change, of in zip(changes, map(sorted, zip(*draws))):
        cells += [change, of[DRAWS // 40], of[-1 - DRAWS // 40]]
    if len(changes) > 1:
        cells += [worse + 1, sum(draw.index(max(draw)) == worse for draw in draws) / DRAWS]
    above = changes[worse] >= threshold
    return [*cells, sum((draw[worse] >= threshold) == above for draw in draws) / DRAWS]


def main(arguments: list[str]) -> None:
    question, *rest = arguments
    if question == "directions":
        print("\n".join(map(str, version_metric_directions(rest[0].split(",")))))
        return
    if question == "bisected":
        figures, more, threshold, seed = rest
        samples = [[float(one) for one in sample.split(" ")] for sample in figures.split("\t")]
        answer = versions_bisected(samples, more == "1", float(threshold) / 100, int(seed))
        print(" ".join(f"{cell:.6g}" for cell in answer))
        return
    rows = [rows_settled(row) for row in read_rows(rest[0]) if row_valid(row)]
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
    print(as_tsv([HEAD, *lines]), end="")
