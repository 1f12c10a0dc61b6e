"""How long a plan takes by the rows of a reference that exists, for reference.sh --estimate.

  estimate.sh ROWS.json PLAN    PLAN has the lines that the reproduction's --dry-run prints

A row took as long as until the next one began, so loads, copies and empty caches are in it; a
pause of more than ten minutes is none. Where the plan asks for another number of operations or
another duration, the measured part is what its rate needs for that.
"""
from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from .points import Point, as_points
from .rows import group_rows, read_rows
from .stats import median
from .text import number, round_to


def _estimate_option(command: str, name: str) -> float | None:
    found = re.search(f"--{name}=([0-9.]+)", command)
    return float(found[1]) if found else None


@dataclass(frozen=True)
class PlannedWork:
    num: float | None
    count: float | None
    duration: float | None
    steady: float | None

    @staticmethod
    def of(command: str) -> PlannedWork:
        """A load ends with its records, whatever number of reads stands beside it."""
        loads = re.search(
            "--benchmarks=(ucsb-0|fill[a-z]*|voron-fill-[a-z]*|bangdb-(write|fill)) ", command)
        counts = (None if loads else _estimate_option(command, name)
                  for name in ("reads", "writes"))
        count = next((count for count in counts if count is not None), None)
        return PlannedWork(_estimate_option(command, "num"), count,
                           _estimate_option(command, "duration"),
                           _estimate_option(command, "until_steady"))


def _estimate_run_named(command: str) -> tuple[str, str]:
    """What is run, without its round, repetition and the version of its engine: the experiment,
    and ENGINE-WORKLOAD-THREADSt."""
    found = re.search("/([^/ ]+)/runs/([^/ ]+)/row[.]json", command)
    experiment, run = found.groups() if found else ("", "")
    run = re.sub("-r[0-9]+$", "", run)
    return (re.sub("-round[0-9]+", "", experiment, count=1),
            re.sub("-[0-9]+[.][0-9.]+(?=[-+])", "", run, count=1))


class ReferenceRun(NamedTuple):
    """A run of the reference: what it asked for, how long it was measured, and what was beside
    that: all in seconds."""

    experiment: str
    run: str
    asked: PlannedWork
    seconds: float
    rate: float | None
    threads: float
    beside: float

    def needs(self, plan: PlannedWork) -> float:
        of = self.asked
        if plan.count is not None and plan.count != of.count and (self.rate or 0) > 0:
            return plan.count * self.threads / (self.rate or 1) + self.beside
        if plan.duration is not None and of.duration is not None:
            return self.seconds * plan.duration / of.duration + self.beside
        if plan.steady is not None and of.steady is None:
            return plan.steady + self.beside
        if plan.count is plan.duration is None and None not in (plan.num, of.num):
            return self.seconds * (plan.num or 0) / (of.num or 1) + self.beside
        return self.seconds + self.beside


def _estimate_row_began(row: Point) -> float:
    return datetime.strptime(row.time, "%Y-%m-%dT%H:%M:%SZ").timestamp()


def _estimate_beside(row: Point, after: Point | None) -> float:
    gap = None if after is None else _estimate_row_began(after) - _estimate_row_began(row)
    seconds = row.seconds or 0
    return 1 if gap is None or gap > 600 + seconds else max(gap - seconds, 0)


def _estimate_references(rows: Sequence[Point]) -> list[ReferenceRun]:
    rows = sorted(rows, key=lambda row: row.time)
    return [ReferenceRun(*_estimate_run_named(row.command), PlannedWork.of(row.command),
                         row.seconds or 0, row.ops_per_sec,
                         row.threads, _estimate_beside(row, after))
            for row, after in zip(rows, [*rows[1:], None])]


class PlannedRun(NamedTuple):
    """A run of the plan; seconds is None if nothing alike was ever measured."""

    experiment: str
    run: str
    seconds: float | None


def _estimate_run(command: str, taken: Sequence[ReferenceRun]) -> PlannedRun:
    """By runs of the same name, or else by those of other experiments, of as many records if there
    are such."""
    (experiment, run), asked = _estimate_run_named(command), PlannedWork.of(command)
    alike = [one for one in taken if one.run == run]
    as_many = [one for one in alike if one.asked.num == asked.num]
    same = [one for one in alike if one.experiment == experiment]
    of = same or as_many or alike
    return PlannedRun(experiment, run, median(one.needs(asked) for one in of))


def _estimate_seconds(runs: Sequence[PlannedRun]) -> float:
    return sum(run.seconds for run in runs if run.seconds is not None)


def _estimate_by_rounds(rows: Sequence[Point], taken: Sequence[ReferenceRun],
                        experiments: Sequence[str]) -> str:
    before = sum(one.seconds + one.beside for one in taken) / 60
    rounds = max(row.round for row in rows)
    more = len(experiments) / len({re.sub("-round[0-9]+$", "", name) for name in experiments})
    return (f"about {math.ceil(before / rounds * more)} minutes, as long as its rounds took before:"
            " the plan is not by commands")


def estimate_plan(rows: Sequence[Point], plan: Sequence[str]) -> Iterator[str]:
    """The lines that are printed: how long the plan takes, and its longest experiments."""
    taken = _estimate_references(rows)
    experiments = [line.split(": ")[0] for line in plan if line.startswith("# ")]
    runs = [_estimate_run(line, taken) for line in plan if "/row.json" in line]
    if not experiments:
        yield "nothing to run: no engine of it is built"
        return
    if not runs:
        yield _estimate_by_rounds(rows, taken, experiments)
        return
    unknown = [run for run in runs if run.seconds is None]
    never = (f"; {len(unknown)} were never measured, such as {unknown[0].experiment}/"
             f"{unknown[0].run}" if unknown else "")
    yield (f"about {math.ceil(_estimate_seconds(runs) / 60)} minutes for {len(runs) - len(unknown)}"
           f" of {len(runs)} runs{never}")
    groups = group_rows(runs, lambda run: run.experiment)
    for group in sorted(groups, key=lambda group: -_estimate_seconds(group))[:8]:
        yield (f"  {number(round_to(1, _estimate_seconds(group) / 60))} min  {len(group)} runs  "
               f"{group[0].experiment}")


def main(arguments: list[str]) -> None:
    rows, plan = arguments
    with open(plan, encoding="utf-8") as file:
        lines = file.read().splitlines()
    for line in estimate_plan(as_points(read_rows(rows)), lines):
        print(line)
