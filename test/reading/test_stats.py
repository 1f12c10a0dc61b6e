"""Statistics of build/stats, and medians."""
import pytest
from reading import stats


def test_a_sample_that_is_empty_leaves_its_figures_unknown():
    full, empty, half = stats.compare_samples(
        [((1.0, 2.0), (2.0, 4.0)), ((), ()), ((1.0, 2.0), ())])
    assert full.ratio == 2 and full.new.n == 2
    for pair in (empty, half):
        assert (pair.ratio, pair.p, pair.new.n) == (None, None, 0)
    assert half.old.median == 1.5 and empty.old.median is None


@pytest.mark.parametrize("sample, middle", [
    ((7.0,), 7), ((4.0, 1.0), 2.5), ((9.0, 2.0, 5.0), 5), ((3.0, 1.0, None, 2.0, 10.0), 2.5),
    ((3.5, 1.0, 2.0, 8.0, 9.0, 100.0), 5.75), (tuple(map(float, range(1, 12))), 6)])
def test_medians_are_those_of_build_stats(sample, middle):
    summary, none = stats.summarize_samples([[x for x in sample if x is not None], ()])
    assert summary.median == stats.median(sample) == middle
    assert (none.n, none.median, stats.median(()), stats.median((None,))) == (0, None, None, None)


def test_holm_is_that_of_build_stats():
    pairs = [(range(1, 6), range(3, 8)), (range(1, 6), range(6, 11)), (range(1, 6), range(2, 7))]
    found = stats.compare_samples([(tuple(map(float, a)), tuple(map(float, b))) for a, b in pairs])
    corrected = stats.correct_by_holm([None, *(one.p for one in found)])
    assert corrected == pytest.approx([None, *(one.p_holm for one in found)])
    assert len(set(corrected)) == 4 and stats.correct_by_holm([]) == []
    assert stats.correct_by_holm([0.4, 0.5]) == [0.8, 0.8]
