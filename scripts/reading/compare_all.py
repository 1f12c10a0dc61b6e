"""Every number of two groups of rows, and which of them differ beyond chance, for compare.sh --all
and --counters."""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

from .command import fail
from .pairing import Pair, p_of_pair, pairs_of, way_of_change
from .rows import CIRCUMSTANCES, CONDITIONS, SETUP, Row, group_rows, row_number
from .stats import SampleComparison, compare_samples
from .tab_files import tab_cells
from .text import aligned, as_json, count, number, rounded, three

#: what is compared between two sides
SUBJECT = (
    "label", "engine", "engine_version", "allocator", "engine_options", "compression",
    "cache_bytes", "write_buffer_bytes", "malloc_arenas", "commit", "build",
)
#: numbers that are no results
GIVEN = {*SETUP, *CONDITIONS, *CIRCUMSTANCES, *SUBJECT, "valid", "repetition", "iteration", "epoch",
         "seed", "clients", "ops_planned"}


class ColumnDifference(NamedTuple):
    name: str
    column: str
    answer: SampleComparison

    @property
    def effect(self) -> float | None:
        """The ratio of the means, as a distance; None: a side is 0, or they have not one sign."""
        old, new = self.answer.old.mean, self.answer.new.mean
        return abs(math.log(new / old)) if old and new and new / old > 0 else None

    @property
    def differs(self) -> bool:
        """Whether p, corrected by Benjamini and Hochberg's method, is below 0.05."""
        p = self.answer.welch_p_benjamini
        return p is not None and p < 0.05

    @property
    def verdict(self) -> str | None:
        return way_of_change(self.column, self.answer.difference or 0) if self.differs else None

    def as_json(self) -> dict[str, Any]:
        answer = self.answer
        return {
            "name": self.name, "column": self.column, "old_runs": answer.old.n,
            "old_mean": answer.old.mean, "new_runs": answer.new.n, "new_mean": answer.new.mean,
            "difference": answer.difference, "low": answer.difference_low,
            "high": answer.difference_high, "p": answer.welch_p,
            "p_corrected": answer.welch_p_benjamini, "effect": self.effect,
            "differs": self.differs, "verdict": self.verdict}


def all_differences(pairs: Sequence[Pair]) -> list[ColumnDifference]:
    """Of all columns that vary, in each pair with two values or more on both sides."""
    found, samples = [], []
    for pair in pairs:
        columns = sorted({c for row in pair.rows for c in row} - GIVEN)
        for column in columns:
            old, new = ([x for row in rows if (x := row_number(row, column)) is not None]
                        for rows in (pair.old, pair.new))
            if len(old) > 1 and len(new) > 1 and len({*old, *new}) > 1:
                found.append((pair.name, column))
                samples.append((old, new))
    return [ColumnDifference(name, column, answer) for (name, column), answer
            in zip(found, compare_samples(samples, "--draws=0"))]


def _all_mean_change(part: float) -> str:
    x = rounded(part * 1000) / 10
    return f"{'+' if x > 0 else ''}{number(x)} %"


def _all_difference_line(one: ColumnDifference) -> list[str]:
    answer = one.answer
    old = answer.old.mean
    if not old:
        change = interval = "-"
    else:
        change = _all_mean_change((answer.difference or 0) / old)
        ends = sorted((end or 0) / old for end in (answer.difference_low, answer.difference_high))
        interval = " to ".join(map(_all_mean_change, ends))
    return [one.column, three(old), three(answer.new.mean), change, interval,
            p_of_pair(answer.welch_p_benjamini), one.verdict or ""]


def all_differences_text(every: Sequence[ColumnDifference]) -> list[str]:
    """For readers: what differs, the largest ratio first; without a ratio, as one side is 0, before
    them."""
    told = []
    for same in group_rows(every, lambda one: one.name):
        named = sorted((one for one in same if one.differs),
                       key=lambda one: -1e9 if one.effect is None else -one.effect)
        runs = f"{same[0].answer.old.n}+{same[0].answer.new.n}"
        told += ["", f"{same[0].name}: {len(named)} of {count(len(same), 'column')} that vary"
                 f" differ beyond chance ({runs} runs)"]
        if named:
            head = ["column", "old", "new", "change", "95 % interval", "p", ""]
            told += aligned([head, *map(_all_difference_line, named)])
    return [*told, "", "old, new: means; change: of the mean, by Welch's t test; p: corrected by"
            " Benjamini and Hochberg's method for all columns, so that",
            "about 5 % of the columns named differ by chance."]


def _counter_rows(file: str) -> list[Row]:
    """A row for each run in a file of --engine_counters, with a column for each counter. The kth
    value of a counter is in the kth row: runs can begin in one second."""
    names, *lines = tab_cells(file)
    if names[-4:] != ["counter", "begin", "end", "per_op"]:
        fail(2, f"{file} is no file of --engine_counters")
    values = [dict(zip(names, line)) for line in lines]
    rows: list[dict[str, Any]] = []
    of = ("engine", "label", "benchmark", "threads")
    for same in group_rows(values, lambda value: [value[name] for name in of]):
        first = {**{name: same[0][name] for name in of}, "threads": float(same[0]["threads"])}
        counters = group_rows([value for value in same if value["per_op"]],
                              lambda value: value["counter"])
        for k in range(max(map(len, counters), default=0)):
            rows.append({"valid": 1, **first, **{one[k]["counter"]: float(one[k]["per_op"])
                                                 for one in counters if k < len(one)}})
    return cast("list[Row]", rows)


def compare_counters(old: str, new: str, form: str) -> None:
    pairs = pairs_of(_counter_rows(old), _counter_rows(new), "", ("label", "engine"))
    every = all_differences(pairs.both)
    if not every:
        fail(2, "no counter varies that two runs of each side have; repeat the runs (--repeat)")
    if form == "json":
        print("\n".join(as_json(one.as_json()) for one in every))
    else:
        print("\n".join(all_differences_text(every)))
