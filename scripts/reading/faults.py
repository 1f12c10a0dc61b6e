"""What engines did on faulty disks, as a table, for faults.sh.

usage: faults.sh TRIALS.json FAULT,FAULT... TSV

TRIALS.json has a line for each trial. The table has an engine a line and a fault a column, and the
worst outcome of each; the file TSV gets how many trials had which, "" being no file.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from .rows import group_rows, read_json_lines
from .tab_files import write_tsv
from .text import aligned

#: outcomes, the worst first
OUTCOMES = ("wrong", "lost", "died", "told", "right")

Trial = dict[str, Any]


class FaultOutcome(NamedTuple):
    """Of the trials of an engine with a fault: how many had each outcome, and the first of those
    that had the worst."""

    counts: Sequence[int]
    worst: Trial

    @property
    def trials(self) -> int:
        return sum(self.counts)

    def __str__(self) -> str:
        outcome: str = self.worst["outcome"]
        of = self.counts[OUTCOMES.index(outcome)]
        return outcome + (f" {of}/{self.trials}" if self.trials > 1 else "")


def fault_outcomes(trials: Iterable[Trial]) -> list[FaultOutcome]:
    found = []
    for same in group_rows(trials, lambda trial: (trial["configuration"], trial["fault"])):
        had = [trial["outcome"] for trial in same]
        worst = min(same, key=lambda trial: OUTCOMES.index(trial["outcome"]))
        found.append(FaultOutcome([had.count(outcome) for outcome in OUTCOMES], worst))
    return found


def faults_table(found: Iterable[FaultOutcome], faults: Sequence[str]) -> list[str]:
    lines = [["engine", *faults]]
    for same in group_rows(found, lambda one: one.worst["configuration"]):
        of = {one.worst["fault"]: str(one) for one in same}
        lines.append([same[0].worst["configuration"], *(of.get(fault, "") for fault in faults)])
    return aligned(lines, lambda *_: True)


def main(arguments: list[str]) -> None:
    file, faults, into = arguments
    found = fault_outcomes(read_json_lines(file))
    if into:
        head = ("engine", "fault", "trials", *OUTCOMES, "worst_outcome", "command", "words")
        cells = ([one.worst["configuration"], one.worst["fault"], one.trials, *one.counts,
                  one.worst["outcome"], one.worst["command"], one.worst["words"]] for one in found)
        write_tsv(into, [head, *cells])
    print("\n".join(faults_table(found, faults.split(","))))
