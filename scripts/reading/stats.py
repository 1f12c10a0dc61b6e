"""Statistics: those of build/stats, which the programs have, too; and medians."""
from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Optional

from .command import SCRIPTS, fail
from .text import number

PROGRAM = os.path.join(SCRIPTS, "..", "build", "stats")

#: columns of build/stats for two samples
CELLS = 27

Figure = Optional[float]
Sample = Sequence[float]


class SampleSummary(NamedTuple):
    """Of a sample: how many, its median and mean, the 95 % interval of the mean by Student's t
    on the logarithms, the coefficient of variation. None is what cannot be said."""

    n: int
    median: Figure
    mean: Figure
    low: Figure
    high: Figure
    cv: Figure


class SampleComparison(NamedTuple):
    old: SampleSummary
    new: SampleSummary
    ratio: Figure
    ratio_low: Figure
    ratio_high: Figure
    p: Figure
    p_method: str
    least_p: Figure
    could_show: Figure
    could_show_t: Figure
    p_holm: Figure
    difference: Figure
    difference_low: Figure
    difference_high: Figure
    welch_p: Figure
    welch_p_holm: Figure
    welch_p_benjamini: Figure


def ask_stats(samples: Iterable[Sequence[Sample]], *arguments: str) -> list[list[str]]:
    """Cells of build/stats for one sample, or for two; or the end. There are always CELLS of them:
    what is not known is empty."""
    lines = ["\t".join(["x", *(" ".join(map(number, one)) for one in each)]) for each in samples]
    if not lines:
        return []
    if not os.access(PROGRAM, os.X_OK):
        fail(1, "build/stats is not built; make build/stats")
    import subprocess  # a fifth of the time in which a reader begins

    given = "".join(line + "\n" for line in lines)
    done = subprocess.run([PROGRAM, *arguments], input=given, capture_output=True, text=True)
    if done.returncode:
        fail(1, done.stderr.strip())
    found = (line.split("\t")[1:] for line in done.stdout.splitlines())
    return [cells + [""] * (CELLS - len(cells)) for cells in found]


def _stats_figure(cell: str) -> Figure:
    return float(cell) if cell else None


def _sample_summary(cells: Sequence[str]) -> SampleSummary:
    return SampleSummary(int(cells[0] or 0), *map(_stats_figure, cells[1:6]))


def _sample_comparison(cells: Sequence[str]) -> SampleComparison:
    ratio, low, high, p = map(_stats_figure, cells[12:16])
    return SampleComparison(_sample_summary(cells[:6]), _sample_summary(cells[6:12]), ratio, low,
                            high, p, cells[16], *map(_stats_figure, cells[17:27]))


def summarize_samples(samples: Iterable[Sample]) -> list[SampleSummary]:
    """Of each sample; of an empty one n is 0."""
    return [_sample_summary(cells)
            for cells in ask_stats(([sample] for sample in samples), "--draws=0")]


def compare_samples(pairs: Iterable[tuple[Sample, Sample]],
                    *arguments: str) -> list[SampleComparison]:
    return [_sample_comparison(cells) for cells in ask_stats(pairs, *arguments)]


def correct_by_holm(ps: Sequence[Figure]) -> list[Figure]:
    """Probabilities corrected by Holm's method for all of them that are known."""
    known = sorted((p, at) for at, p in enumerate(ps) if p is not None)
    corrected, least = list(ps), 0.0
    for i, (p, at) in enumerate(known):
        corrected[at] = least = max(least, min(1.0, p * (len(known) - i)))
    return corrected


def middle_of_ordered(ordered: Sample) -> float:
    n = len(ordered)
    return (ordered[(n - 1) // 2] + ordered[n // 2]) / 2


def median(values: Iterable[Figure]) -> Figure:
    """Of those that are known, as util/stats.c has it; None: there are none."""
    known = sorted(value for value in values if value is not None)
    return middle_of_ordered(known) if known else None


def greatest_known(values: Iterable[Figure]) -> Figure:
    """None: there are none that are known."""
    return max((value for value in values if value is not None), default=None)


def sum_if_known(values: Iterable[Figure]) -> Figure:
    """None if one of them is not known."""
    found = list(values)
    known = [value for value in found if value is not None]
    return sum(known) if len(known) == len(found) else None
