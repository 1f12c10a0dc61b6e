"""The signed rank test, its interval, and looks at a growing series."""
import itertools
import json
import math
import random
from pathlib import Path

import pytest
from reading import signed_rank
from reading.signed_rank import LOOK_LEVEL, LOOKS, Look, look_at, looks_at, signed_rank_p

REFERENCE = Path(__file__).parents[2] / "results" / "reference" / "versions" / "lmdb" / "rows.json"


def by_all_signs(differences):
    """The two-sided p by counting all signs of the ranks, for few differences without ties."""
    sizes = sorted(abs(x) for x in differences)
    ranks = [sizes.index(abs(x)) + 1 for x in differences]
    positive = sum(rank for rank, x in zip(ranks, differences) if x > 0)
    least = min(positive, sum(ranks) - positive)
    sums = [sum(rank for rank, sign in zip(ranks, signs) if sign)
            for signs in itertools.product((0, 1), repeat=len(ranks))]
    return min(1, 2 * sum(x <= least for x in sums) / len(sums))


@pytest.mark.parametrize("n", range(1, 11))
def test_p_is_that_of_all_signs(n):
    draw = random.Random(n)
    for _ in range(5):
        sample = [draw.gauss(0.3, 1) for _ in range(n)]
        assert signed_rank_p(sample) == pytest.approx(by_all_signs(sample), abs=1e-15)


def test_p_of_tables():
    # Wilcoxon's table, two-sided: n = 8: 3 has 0.039; n = 20: 52 has 0.048; n = 48: 396 has 0.0498
    assert signed_rank_p([-1, -2, 3, 4, 5, 6, 7, 8]) == 10 / 256
    def with_sum(n, least):
        signs = [1] * n
        for rank in range(n, 0, -1):
            if rank <= least:
                signs[rank - 1], least = -1, least - rank
        return [rank * sign for rank, sign in zip(range(1, n + 1), signs)]
    assert signed_rank_p(with_sum(20, 52)) < 0.05 < signed_rank_p(with_sum(20, 53))
    assert signed_rank_p(with_sum(48, 396)) < 0.05 < signed_rank_p(with_sum(48, 397))


def test_ties_share_their_ranks_also_those_that_only_rounding_parts():
    # ranks 1.5, 1.5, 3, 4; the sums up to 1.5 are 0, 1.5, 1.5 of 16
    assert signed_rank_p([-1, 1, 2, 3]) == 2 * 3 / 16
    third = 0.1 + 0.2
    assert third != 0.3 and signed_rank_p([-third, 0.3, 2, 3]) == 2 * 3 / 16
    assert signed_rank_p([0.5] * 6) == 2 / 64
    # ranks 2, 2, 2, 4, 5; the sums up to 4 are 0, 2, 2, 2, 4, 4, 4, 4 of 32
    assert signed_rank_p([1, 1, 1, -4, 5]) == 2 * 8 / 32


def test_zeros_take_ranks_and_have_no_sign():
    # ranks 1.5, 1.5 without a sign; 3, 4, 5 with: the sums up to 3 are 0, 3 of 8
    assert signed_rank_p([0, 1e-14, -1, 2, 3]) == 2 * 2 / 8
    # ranks 2 to 5; the sums up to 5 are 0, 2, 3, 4, 5, 5 of 16
    assert signed_rank_p([0, -1, -2, 3, 4]) == 2 * 6 / 16
    assert signed_rank_p([0, 0]) == signed_rank_p([]) == 1


def test_many_pairs_have_the_normal_distribution():
    draw = random.Random(4)
    sample = [draw.gauss(0.1, 1) for _ in range(signed_rank.EXACT_MAX)]
    exact, more = signed_rank_p(sample), signed_rank_p([*sample, 1e-9])
    assert more == pytest.approx(exact, rel=0.03) and 0.01 < exact < 0.5
    one, other = look_at(sample), look_at([*sample, 0.1])
    assert other.low == pytest.approx(one.low, abs=0.01)
    assert other.high == pytest.approx(one.high, abs=0.01)


def test_least_p_is_that_of_equal_signs():
    for n in range(1, 12):
        assert signed_rank.rank_least_p(n) == signed_rank_p(range(1, n + 1))


def test_the_estimate_is_the_median_of_all_means_of_two():
    found = look_at([1, 2, 4])
    # 1 1.5 2 2.5 3 4
    assert (found.estimate, found.pairs) == (2.25, 3)
    # one round spoiled by a factor of 10 moves it a little
    assert look_at([0.01] * 9 + [math.log(10)]).estimate == 0.01


def test_the_interval_is_what_the_test_does_not_reject():
    draw = random.Random(7)
    for n in (6, 8, 12, 20, 48):
        sample = [draw.gauss(0, 1) for _ in range(n)]
        for level in (0.05, 0.01):
            found = look_at(sample, level)
            if n == 6 and level == 0.01:
                assert (found.low, found.high) == (None, None)
                continue
            for end, inside in ((found.low, 1e-6), (found.high, -1e-6)):
                assert signed_rank_p([x - end - inside for x in sample]) > level
                assert signed_rank_p([x - end + inside for x in sample]) <= level


def test_known_cuts_of_tables():
    # Hollander and Wolfe: n = 10 at 95 % is from the 9th to the 9th last of the 55 means
    assert [signed_rank._rank_cut(n, 0.05) for n in (5, 6, 8, 10, 20)] == [0, 1, 4, 9, 53]
    assert signed_rank._rank_cut(8, 0.01) == 1 and signed_rank._rank_cut(7, 0.01) == 0


def test_narrow_and_same_are_of_the_interval():
    small = look_at([0.03 + x / 1000 for x in range(-4, 4)])
    # from 0.027 to 0.032
    assert small.narrow(0.0026) and not small.narrow(0.0024)
    assert not small.same(0.032) and small.same(0.033)
    few = look_at([0.0] * 5)
    assert few.low is None and not few.narrow(1) and not few.same(1)


def test_looks_are_at_their_numbers_only():
    assert [look.pairs for look in looks_at([1.0] * 31)] == [8, 12, 20]
    assert all(look.level == LOOK_LEVEL == 0.01 for look in looks_at([1.0] * 31))
    assert [*map(signed_rank.next_look, (0, 8, 31, 47, 48))] == [8, 12, 32, 48, None]
    # eight equal signs are enough for the first look
    assert looks_at([*range(1, 9)])[0].differs and not looks_at([*range(-1, 7)])[0].differs


def ends(series):
    """At how many pairs a series ends with a difference; 0: it does not."""
    return next((look.pairs for look in looks_at(series) if look.differs), 0)


def measured_rounds():
    """Logarithms of ratios of successive runs of one version of LMDB, which have no difference."""
    rates = {}
    for line in REFERENCE.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        rates.setdefault((row["label"], row["benchmark"]), {})[row["repetition"]] = \
            row["ops_per_sec"]
    return [math.log(same[n + 1] / same[n]) for same in rates.values() for n in range(1, 20, 2)]


def test_of_series_without_a_difference_few_end_with_one():
    draw, pool = random.Random(56), measured_rounds()
    assert len(pool) == 160
    # without ties, each of which has a distribution of its own
    series = [[draw.choice(pool) * draw.choice((1, -1)) + draw.gauss(0, 1e-6)
               for _ in range(LOOKS[-1])] for _ in range(1000)]
    found = sum(ends(x) > 0 for x in series)
    # at most 5 % of 1,000, and not far fewer, or differences would be missed
    assert 15 <= found <= 50
    naive = sum(any(look.p <= signed_rank.LEVEL for look in looks_at(x)) for x in series[:200])
    assert naive > 20, "looks at the level of one do not hold it"


def test_a_true_difference_is_found_soon():
    draw = random.Random(2)
    found = [ends([draw.gauss(0.02, 0.015) for _ in range(LOOKS[-1])]) for _ in range(200)]
    assert all(found) and sum(found) / len(found) < 20


def test_what_could_be_shown_is_wider_than_the_interval_by_the_normal_distribution():
    # quantiles of the normal distribution: 0.8416 at 0.8, 1.9600 at 0.975, 2.5758 at 0.995
    for level, wider in ((0.05, 1.4294), (0.01, 1.3267)):
        look = Look(20, 0.5, 0.01, -0.01, 0.03, level)
        assert look.could_show == pytest.approx(math.expm1(0.02 * wider), rel=1e-4)
    assert Look(3, 0.5, 0.01, None, None, 0.05).could_show is None
