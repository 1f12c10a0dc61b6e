"""Pairs of runs: Wilcoxon's signed rank test, the estimate and interval of Hodges and Lehmann, and
looks at a growing series at which it may end.

A difference is the logarithm of the ratio of a pair, new / old. Sources: Wilcoxon, Individual
comparisons by ranking methods, 1945; Pratt, Remarks on zeros and ties in the Wilcoxon signed rank
procedures, 1959; Hodges and Lehmann, Estimates of location based on rank tests, 1963; of the looks
Dunn, Multiple comparisons among means, 1961 (Bonferroni's inequality).
"""
from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple, Optional

from .stats import middle_of_ordered

Figure = Optional[float]

#: how many pairs a series has when it is looked at; after the last it ends undecided
LOOKS = (8, 12, 20, 32, 48)
#: how often a series without a difference may end with one
LEVEL = 0.05
#: the same of one look, so that all of them together keep LEVEL
LOOK_LEVEL = LEVEL / len(LOOKS)
#: so many pairs have their exact distribution, more the normal one
EXACT_MAX = 200
#: decimals of a difference; what is equal but for rounding errors is a tie, or 0
DECIMALS = 12


@lru_cache(maxsize=64)
def _rank_tail(ranks: tuple[int, ...]) -> list[float]:
    """For each sum the probability that ranks of random signs have a positive sum of at most
    that."""
    counts = [1]
    for rank in ranks:
        counts = [a + b for a, b in zip_longest(counts, [0] * rank + counts, fillvalue=0)]
    total, below = 1 << len(ranks), 0
    tail = []
    for count in counts:
        below += count
        tail.append(below / total)
    return tail


def _doubled_ranks(sizes: Sequence[float]) -> list[int]:
    """Twice the rank of each of the sizes, from 1; equal ones share the mean of their ranks."""
    ordered = sorted(sizes)
    first = {size: at for at, size in reversed([*enumerate(ordered, 1)])}
    last = {size: at for at, size in enumerate(ordered, 1)}
    return [first[size] + last[size] for size in sizes]


def _normal_p(ranks: Sequence[int], least: int) -> float:
    deviation = math.sqrt(sum(rank * rank for rank in ranks)) / 2
    # half a rank of the doubled ones is 1
    z = max(0.0, (sum(ranks) / 2 - least - 1) / deviation)
    return math.erfc(z / math.sqrt(2))


def signed_rank_p(differences: Sequence[float]) -> float:
    """The two-sided p of Wilcoxon's test that the differences are symmetric about 0; exact for
    EXACT_MAX of them. Zeros take ranks and have no sign (Pratt)."""
    rounded = [round(x, DECIMALS) for x in differences]
    signed = [(rank, x) for rank, x in zip(_doubled_ranks([*map(abs, rounded)]), rounded) if x]
    ranks = sorted(rank for rank, _ in signed)
    positive = sum(rank for rank, x in signed if x > 0)
    least = min(positive, sum(ranks) - positive)
    if len(ranks) > EXACT_MAX:
        return _normal_p(ranks, least)
    return min(1.0, 2 * _rank_tail(tuple(ranks))[least])


def rank_least_p(pairs: int) -> float:
    """The least p that so many pairs can have."""
    return min(1.0, 2.0 ** (1 - pairs))


def _normal_quantile(part: float) -> float:
    from statistics import NormalDist  # a tenth of the time in which a comparison begins

    return NormalDist().inv_cdf(part)


def _rank_cut(pairs: int, level: float) -> int:
    """How many of the means of two lie below the interval, and how many above."""
    if pairs > EXACT_MAX:
        mean, squares = pairs * (pairs + 1) / 4, pairs * (pairs + 1) * (2 * pairs + 1) / 6
        return math.floor(mean + _normal_quantile(level / 2) * math.sqrt(squares) / 2 + 0.5)
    tail = _rank_tail(tuple(range(1, pairs + 1)))
    return sum(p <= level / 2 for p in tail)


class Look(NamedTuple):
    """What so many pairs say: p, the estimate of the difference, its interval at the level. Both
    ends are None where there are too few pairs for the level."""

    pairs: int
    p: float
    estimate: float
    low: Figure
    high: Figure
    level: float

    @property
    def differs(self) -> bool:
        return self.p <= self.level

    @property
    def ratio(self) -> float:
        """The estimate as a ratio, new / old; and the ends of its interval."""
        return math.exp(self.estimate)

    @property
    def ratio_low(self) -> Figure:
        return None if self.low is None else math.exp(self.low)

    @property
    def ratio_high(self) -> Figure:
        return None if self.high is None else math.exp(self.high)

    @property
    def half(self) -> Figure:
        """Half of the width of the interval."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2

    @property
    def away(self) -> Figure:
        """How far the interval extends from no difference, as a part: 0.02 is 2 %."""
        return None if self.low is None or self.high is None \
            else math.expm1(max(-self.low, self.high))

    @property
    def could_show(self) -> Figure:
        """The least difference, as a part, that is found 80 times in 100 or more: so much wider
        than the half is what lies that far from 0 by the normal distribution."""
        normal = _normal_quantile
        wider = 1 + normal(0.8) / normal(1 - self.level / 2)
        return None if self.half is None else math.expm1(wider * self.half)

    def narrow(self, part: float) -> bool:
        """Whether the interval extends by at most this part (0.02: 2 %) to both sides of its
        middle."""
        return self.half is not None and self.half <= math.log1p(part)

    def same(self, part: float) -> bool:
        """Whether all of the interval lies within this part of no difference."""
        return self.away is not None and self.away <= part


def look_at(differences: Sequence[float], level: float = LEVEL) -> Look:
    """What one or more differences say at a level: of one look LEVEL, of each in a series
    LOOK_LEVEL."""
    pairs = len(differences)
    means = sorted((x + y) / 2 for at, x in enumerate(differences) for y in differences[at:])
    cut = _rank_cut(pairs, level)
    low, high = (means[cut - 1], means[-cut]) if cut else (None, None)
    return Look(pairs, signed_rank_p(differences), middle_of_ordered(means), low, high, level)


def looks_at(differences: Sequence[float], level: float = LEVEL) -> list[Look]:
    """The looks that a series has had, each at its part of the level. At the first that differs,
    or has all that is asked for, the series ends; later pairs do not count."""
    return [look_at(differences[:pairs], level / len(LOOKS))
            for pairs in LOOKS if pairs <= len(differences)]


def next_look(pairs: int) -> int | None:
    """How many pairs the next look after so many has; None: there is none."""
    return next((look for look in LOOKS if look > pairs), None)


def end_of_looks(looks: Sequence[Look], part: float) -> Look | None:
    """The look that ends a series of which an interval of this part to both sides is wanted: the
    first that differs or is so narrow; None: none of them."""
    return next((look for look in looks if look.differs or look.narrow(part)), None)
