"""Which comparisons of a sweep have a verdict, and which of its runs are not needed any more, for
sweep.sh --until.

usage: sweep.sh DIRECTORY PERCENT METRIC unneeded|table

DIRECTORY has comparisons.tsv, plan.tsv and the rows of the runs until now; until.tsv is written
there. Prints the names of the runs that are not needed, or the verdicts as a table. METRIC may be
empty: what compare.sh compares.
"""
from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from typing import Any, NamedTuple

from .command import Failure, fail
from .pairing import (
    RoundsVerdict,
    complete_rounds,
    figure_without_ratio,
    judge_rounds,
    metric_objection,
    metric_or_usual,
    round_figures,
)
from .rows import Row, read_rows, row_valid
from .signed_rank import LOOK_LEVEL
from .tab_files import read_tab_table, write_tsv
from .text import aligned, count, number, percent, round_to

Line = dict[str, str]

HEAD = ("old", "new", "benchmark", "threads", "clients", "metric", "until_percent", "rounds",
        "decided_after", "ratio", "ratio_low", "ratio_high", "p", "verdict")


class JudgedComparison(NamedTuple):
    """A line of comparisons.tsv, its metric and rounds, and what they have come to."""

    line: Line
    metric: str
    rounds: int
    end: RoundsVerdict


def sweep_first_run(planned: Line) -> str:
    """How the run of the first round is called of which a run is a repetition."""
    return planned["run"].removesuffix(f"-r{planned['repetition']}")


def judge_sweep(comparison: Line, rows: dict[str, list[Row]], until: float,
                asked: str) -> JudgedComparison:
    """By the valid rows of its runs, which `rows` has by the names of first runs."""
    old, new = ([row for row in rows.get(comparison[run], []) if row_valid(row)]
                for run in ("old_run", "new_run"))
    metric = metric_or_usual((old + new or [{}])[0], asked)
    if (figure := figure_without_ratio(old + new, metric)) is not None:
        none = RoundsVerdict(None, f"none: {metric} is {number(figure)} in a run", True)
        return JudgedComparison(comparison, metric, 0, none)
    rounds = round_figures(complete_rounds(old, new, metric), metric)
    return JudgedComparison(comparison, metric, len(rounds), judge_rounds(rounds, metric, until))


def sweep_unneeded(plan: Iterable[Line], found: Iterable[JudgedComparison]) -> list[str]:
    """The runs whose comparisons are over, and loads for such runs only. Without a load of its own
    a workload may need what another one left behind: then an engine's are needed together."""
    plan = list(plan)
    together = not any(one["settle"] for one in plan)
    open_ones = [one.line for one in found if not one.end.over]
    sides = [(side, line) for line in open_ones for side in ("old", "new")]
    runs = {line[side + "_run"] for side, line in sides}
    subjects = {line[side] for side, line in sides}
    subject_of = {one.line[side + "_run"]: one.line[side] for one in found
                  for side in ("old", "new")}

    def needed(planned: Line) -> bool:
        first = sweep_first_run(planned)
        return subject_of.get(first) in subjects if together else first in runs

    runs_over = {one["run"] for one in plan if not one["settle"] and not needed(one)}
    loads_over = {one["loaded_by"] for one in plan if one["run"] in runs_over} \
        - {one["loaded_by"] for one in plan if one["run"] not in runs_over}
    return [one["run"] for one in plan if one["run"] in runs_over | loads_over]


def sweep_until_cells(one: JudgedComparison, until: str) -> list[Any]:
    look = one.end.look
    shown = (look.ratio, look.ratio_low, look.ratio_high, look.p) if look else (None,) * 4
    return [*(one.line[c] for c in HEAD[:5]), one.metric, until, one.rounds, one.end.decided_after,
            *(None if x is None else round_to(6, x) for x in shown), one.end.verdict]


def sweep_verdict_lines(found: Iterable[JudgedComparison]) -> list[str]:
    head = ["benchmark", "old", "new", "metric", "rounds", "new/old",
            f"{percent(1 - LOOK_LEVEL)} interval", "verdict"]
    lines = [head]
    for one in found:
        line, look = one.line, one.end.look
        clients = f", {line['clients']} clients" if line["clients"] != "1" else ""
        low, high = (look.ratio_low, look.ratio_high) if look else (None, None)
        interval = "-" if low is None or high is None else \
            f"{number(round_to(3, low))} to {number(round_to(3, high))}"
        lines.append([
            f"{line['benchmark']}, {count(float(line['threads']), 'thread')}{clients}",
            line["old"], line["new"], one.metric, str(one.rounds),
            number(round_to(3, look.ratio)) if look else "-", interval, one.end.verdict])
    return aligned(lines)


def _sweep_rows(directory: str, plan: Iterable[Line]) -> dict[str, list[Row]]:
    """The rows of all runs that left a whole one, by the names of first runs."""
    found: dict[str, list[Row]] = {}
    for planned in plan:
        path = os.path.join(directory, "runs", planned["run"], "row.json")
        if not planned["settle"] and os.path.exists(path):
            with contextlib.suppress(Failure):
                found.setdefault(sweep_first_run(planned), []).extend(read_rows(path))
    return found


def _write_sweep_verdicts(directory: str, found: Iterable[JudgedComparison], until: str) -> None:
    path = os.path.join(directory, "until.tsv")
    write_tsv(path + ".new", [HEAD, *(sweep_until_cells(one, until) for one in found)])
    os.replace(path + ".new", path)


def main(arguments: list[str]) -> None:
    directory, until, metric, question = arguments
    plan = read_tab_table(os.path.join(directory, "plan.tsv"))
    rows = _sweep_rows(directory, plan)
    known = [row for same in rows.values() for row in same]
    if reason := metric_objection(known, metric):
        fail(2, f"--metric: {reason}")
    comparisons = read_tab_table(os.path.join(directory, "comparisons.tsv"))
    found = [judge_sweep(one, rows, float(until), metric) for one in comparisons]
    _write_sweep_verdicts(directory, found, until)
    print("\n".join(sweep_verdict_lines(found) if question == "table"
                    else sweep_unneeded(plan, found)))
