"""Trends over passes of soak.sh, by Theil and Sen's slope with Kendall's interval.

usage: soak.sh trends PASSES.json
       soak.sh process TIMELINE.tsv

trends prints a table with a line for each metric. process prints, as JSON, the anonymous memory of
a process in the second half of soak-churn, and its growth.
"""
from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from .rows import read_json_lines
from .stats import median
from .tab_files import read_tab_table
from .text import as_json, as_text, rounded

METRICS = ("put_p99_ns", "get_p99_ns", "seek_p99_ns", "commit_p50_ns", "open_seconds", "disk_kb",
           "memory_kb")
#: 5 % over eight metrics (Bonferroni), two-sided, and standard deviations at that
LEVEL = 0.05 / 8
FAMILY = 2.73
#: growth of memory below this is no trend, KiB
LEAST_KB = 32

Points = Sequence[tuple[float, float]]


class Trend(NamedTuple):
    """A slope and its interval; `start` is the line at x = 0. The interval is None where so few
    points have none."""

    start: float | None
    slope: float | None
    low: float | None
    high: float | None

    @property
    def verdict(self) -> str:
        """Grows, falls, or nothing that chance does not do."""
        if self.low is None or self.high is None:
            return "too few passes"
        return "grows" if self.low > 0 else "falls" if self.high < 0 else "-"


def soak_trend(points: Points) -> Trend:
    """The median slope of all pairs. Its interval is at FAMILY standard deviations of Kendall's
    S."""
    n = len(points)
    slopes = sorted((y - before) / (x - earlier) for i, (earlier, before) in enumerate(points)
                    for x, y in points[i + 1:] if x != earlier)
    slope = median(slopes)
    start = None if slope is None else median(y - slope * x for x, y in points)
    deviation = FAMILY * math.sqrt(n * (n - 1) * (2 * n + 5) / 18)
    below = math.floor((len(slopes) - deviation) / 2)
    if below < 1:
        return Trend(start, slope, None, None)
    return Trend(start, slope, slopes[below - 1], slopes[len(slopes) - below])


def trend_of_slopes(slopes: Iterable[float], start: float | None) -> Trend:
    """Of one slope for each pass their median, with the interval in which the median of all passes
    lies, by the sign test; none below nine passes, which the test cannot tell from chance."""
    ordered = sorted(slopes)
    n = len(ordered)
    # how many slopes lie beyond each end, at most, for the test to err at LEVEL
    beyond, error = 0, 2 / 2 ** n
    while error <= LEVEL:
        beyond += 1
        error += 2 * math.comb(n, beyond) / 2 ** n
    ends = (ordered[beyond - 1], ordered[n - beyond]) if beyond else (None, None)
    return Trend(start, median(ordered), *ends)


def _soak_digits(x: float | None) -> str:
    """Four digits."""
    if x is None:
        return ""
    if x == 0:
        return "0"
    unit = 10.0 ** (3 - math.floor(math.log10(abs(x))))
    return as_text(rounded(x * unit) / unit)


def _trend_line(metric: str, by_ops: Trend, by_hours: Trend, verdict: str) -> str:
    start = by_ops.start
    figures = [x for one in (by_ops, by_hours) for x in (one.slope, one.low, one.high)]
    # of a start that the line puts below 0, no percentage says anything
    percents = [None if x is None or start is None or start <= 0 else x / start * 100
                for x in figures]
    return "\t".join([metric, *map(_soak_digits, [start, *percents]), verdict])


def soak_trends(passes: Sequence[dict[str, Any]]) -> list[str]:
    """The growth of memory within processes is a slope for each pass; all others are one slope over
    the passes."""
    lines = ["metric\tstart\tpercent_per_million_ops\tlow\thigh\tpercent_per_hour\thour_low"
             "\thour_high\ttrend"]
    for metric in METRICS:
        found = [one for one in passes if one.get(metric) is not None]
        if found:
            by_ops = soak_trend([(one["ops"] / 1e6, one[metric]) for one in found])
            by_hours = soak_trend([(one["hours"], one[metric]) for one in found])
            lines.append(_trend_line(metric, by_ops, by_hours, by_ops.verdict))
    found = [one for one in passes if one.get("process_kb") is not None]
    if found:
        start = median(one["process_kb"] for one in found)
        by_ops, by_hours = (trend_of_slopes((one[f"process_kb_per_{unit}"] for one in found), start)
                            for unit in ("million_ops", "hour"))
        grown = median(one["process_growth_kb"] for one in found) or 0
        lines.append(_trend_line("process_kb", by_ops, by_hours,
                                 by_ops.verdict if grown >= LEAST_KB else "-"))
    return lines


def soak_growth(timeline: str) -> dict[str, float | None]:
    """In a process that has opened the database once: its anonymous memory, and the growth of that
    in KiB per million operations and per hour."""
    points = []
    done = 0.0
    for line in read_tab_table(timeline):
        if line["benchmark"] == "soak-churn" and line["thread"] == "all":
            done += float(line["ops"])
            points.append((done / 1e6, float(line["at_s"]) / 3600, float(line["rss_anon_kb"])))
    half = [point for point in points if point[0] >= points[-1][0] / 2]
    if len(half) < 5:
        return {}
    return {
        "process_kb": half[0][2], "process_growth_kb": half[-1][2] - half[0][2],
        "process_kb_per_million_ops": soak_trend([(ops, kb) for ops, _, kb in half]).slope,
        "process_kb_per_hour": soak_trend([(hours, kb) for _, hours, kb in half]).slope}


def main(arguments: list[str]) -> None:
    question, file = arguments
    if question == "process":
        print(as_json(soak_growth(file)))
        return
    print("\n".join(soak_trends([one for one in read_json_lines(file) if one.get("pass")])))
