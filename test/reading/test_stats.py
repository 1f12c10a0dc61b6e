"""Statistics of build/stats, and medians."""
import math

import pytest
from reading import stats


def test_a_sample_that_is_empty_leaves_its_figures_unknown():
    full, empty, half = stats.compared([((1.0, 2.0), (2.0, 4.0)), ((), ()), ((1.0, 2.0), ())])
    assert full.ratio == 2 and full.new.n == 2
    for pair in (empty, half):
        assert (pair.ratio, pair.p, pair.new.n) == (None, None, 0)
    assert half.old.median == 1.5 and empty.old.median is None


@pytest.mark.parametrize("sample, middle", [
    ((7.0,), 7), ((4.0, 1.0), 2.5), ((9.0, 2.0, 5.0), 5), ((3.0, 1.0, None, 2.0, 10.0), 2.5),
    ((3.5, 1.0, 2.0, 8.0, 9.0, 100.0), 5.75), (tuple(map(float, range(1, 12))), 6)])
def test_medians_and_intervals_are_those_of_build_stats(sample, middle):
    known = [x for x in sample if x is not None]
    summary, none = stats.summaries([known, ()])
    assert summary.median == stats.median(sample) == middle
    by = stats.interval(sample)
    if len(known) < 2:
        assert (by, summary.low) == (None, None)
    else:
        mean = math.exp(sum(map(math.log, known)) / len(known))
        # from eleven on Student's t is taken for 2
        near = pytest.approx((mean / by, mean * by), rel=1e-3 if len(known) < 11 else 0.1)
        assert (summary.low, summary.high) == near
    assert (none.n, none.median, stats.median(()), stats.median((None,))) == (0, None, None, None)


def test_there_is_no_interval_of_what_is_not_above_0():
    assert stats.interval((1.0, 0.0)) is None and stats.interval((1.0, None)) is None
    # t of two degrees of freedom is 4.303, and the deviation of the logarithms 1
    assert math.log(stats.interval([math.exp(x) for x in (0, 1, 2)])) \
        == pytest.approx(4.303 / math.sqrt(3))
