"""The rows of a reproduction of Symas' publications as plot/symas.sh draws them.

usage: symas.sh medians ROWS.json             of the valid rows of each point the medians
       symas.sh runs MEDIANS.json DIRECTORY EXPERIMENT
       symas.sh about MEDIANS.json PUBLISHED EXPERIMENT...

runs prints the directories of the runs in DIRECTORY/runs whose rows are of that experiment, each
with a tab and the label after it. about says how many records there were here, and in the
publication.
"""
from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Sequence

from .rows import Row, group_rows, median_row, read_rows, row_name, row_run_of_sweep, row_valid
from .tab_files import as_tsv
from .text import as_json, as_text, commas


def symas_points(rows: Iterable[Row]) -> list[Row]:
    """Of the rounds the medians; what else a row has, its run among it, is of the first."""
    return [median_row(same) for same in group_rows(
        filter(row_valid, rows), lambda row: (row.get("experiment"), row_name(row),
                                              row.get("benchmark"), row.get("threads")))]


def symas_runs(ours: Iterable[Row], directory: str, experiment: str) -> list[tuple[str, str]]:
    labels: dict[str, str | None] = {}
    for row in ours:
        if row.get("experiment") == experiment:
            labels.setdefault(row_run_of_sweep(row), row.get("label"))
    found = []
    for path in sorted(glob.glob(os.path.join(glob.escape(directory), "runs", "*", "row.json"))):
        run = os.path.dirname(path)
        timeline = os.path.join(run, "timeline.tsv")
        if os.path.exists(timeline) and os.path.getsize(timeline):
            label = labels.get(row_run_of_sweep(read_rows(path)[-1]))
            if label:
                found.append((run, label))
    return found


def symas_records(ours: Iterable[Row], published: str, experiments: Sequence[str]) -> str:
    nothing: Row = {}
    row = next((row for row in ours if not experiments or row.get("experiment") in experiments),
               nothing)
    return (f"{commas(row.get('num'))} records of {as_text(row.get('key_size'))} +"
            f" {as_text(row.get('value_size'))} bytes here, {published} there.")


def main(arguments: list[str]) -> None:
    question, file, *rest = arguments
    rows = read_rows(file)
    if question == "medians":
        print("\n".join(map(as_json, symas_points(rows))))
    elif question == "runs":
        print(as_tsv(symas_runs(rows, *rest)), end="")
    elif question == "about":
        print(symas_records(rows, rest[0], rest[1:]))
