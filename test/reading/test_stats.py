"""Statistics of build/stats, and medians."""
import pytest
from reading import stats


def test_a_sample_that_is_empty_leaves_its_figures_unknown():
    full, empty, half = stats.compared([((1.0, 2.0), (2.0, 4.0)), ((), ()), ((1.0, 2.0), ())])
    assert full.ratio == 2 and full.new.n == 2
    for pair in (empty, half):
        assert (pair.ratio, pair.p, pair.new.n) == (None, None, 0)
    assert half.old.median == 1.5 and empty.old.median is None


def test_summaries_and_medians_agree():
    summary, none = stats.summaries([(3.0, 1.0, 2.0, 10.0), ()])
    assert summary.median == stats.median((3.0, None, 1.0, 2.0, 10.0)) == 2.5
    assert (none.n, none.median, stats.median(())) == (0, None, None)


def test_the_interval_of_rates_is_a_factor_around_their_geometric_mean():
    assert stats.interval((100.0,)) is None and stats.interval((1.0, 0.0)) is None
    rates = (90.0, 100.0, 110.0)
    mean = (90 * 100 * 110) ** (1 / 3)
    summary, = stats.summaries([rates])
    assert mean * stats.interval(rates) == pytest.approx(summary.high, rel=1e-4)
    assert mean / stats.interval(rates) == pytest.approx(summary.low, rel=1e-4)


@pytest.mark.parametrize("sample", [
    (7.0,), (4.0, 1.0), (9.0, 2.0, 5.0), (1.0, 2.0, 3.0, 10.0), (3.5, 1.0, 2.0, 8.0, 9.0, 100.0)])
def test_medians_and_intervals_are_those_of_the_programs(sample):
    summary, = stats.summaries([sample])
    assert summary.median == stats.median(sample)
    up = stats.interval(sample)
    assert up is None or up * up == pytest.approx(summary.high / summary.low, rel=1e-3)
