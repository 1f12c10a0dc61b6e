"""Finds changes in histories, by Apache Otava (Hunter's algorithm), whose Python runs this file.

usage: otava_changes.py P LEAST <histories >changes

Each line of standard input is a history's file and the metrics to look at, with tabs
between them. Each is answered by a line of JSON: the file, and its changes: the metric,
the line at which (the first is 0), the means before and after, and p. P is the probability
of a false change at each place, LEAST the smallest relative change. Otava's own command
reads a time by trying the formats of many languages, which takes most of its time; here
lines have an order only.
"""
from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

from otava.analysis import compute_change_points


def otava_changes(
    names: list[str], lines: list[list[str]], metric: str, p: float, least: float
) -> Iterator[dict[str, Any]]:
    at = names.index(metric)
    # a list: Otava cuts windows out of lists only
    values = [float(line[at]) for line in lines]
    # no means differ by more than all values: Otava would find many small changes first
    if max(values) - min(values) < least * min(values):
        return
    for point in compute_change_points(values, max_pvalue=p, min_magnitude=least)[0]:
        yield {"metric": metric, "at": int(point.index), "before": float(point.stats.mean_1),
               "after": float(point.stats.mean_2), "p": float(point.stats.pvalue)}


def main() -> None:
    p, least = float(sys.argv[1]), float(sys.argv[2])
    for asked in sys.stdin:
        file, *metrics = asked.rstrip("\n").split("\t")
        with open(file, encoding="utf-8") as text:
            names, *lines = [line.rstrip("\n").split("\t") for line in text if line != "\n"]
        found = [c for metric in metrics for c in otava_changes(names, lines, metric, p, least)]
        json.dump({"file": file, "changes": found}, sys.stdout)
        print()


if __name__ == "__main__":
    main()
