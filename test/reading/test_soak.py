"""Trends: slopes and their intervals."""
import math

import pytest
from reading import soak


def line(n, slope, *noise):
    return [(x, 10 + slope * x + (noise[x % len(noise)] if noise else 0)) for x in range(n)]


@pytest.mark.parametrize("points, slope, verdict", [
    (line(12, 2), 2, "grows"), (line(12, -0.5), -0.5, "falls"), (line(12, 0), 0, "-"),
    (line(12, 0, 1, -1), 0, "-"), (line(3, 2), 2, "too few passes"), (line(1, 2), None,
                                                                      "too few passes"),
    ([], None, "too few passes"),
    # one point that is far off does not turn it
    ([*line(12, 2)[:-1], (11, -500)], 2, "grows")])
def test_a_trend_is_the_median_slope_and_more_than_chance(points, slope, verdict):
    found = soak.soak_trend(points)
    assert (found.slope, found.verdict) == (slope, verdict)


def test_the_interval_of_a_slope_is_at_standard_deviations_of_kendalls_s():
    # eight points have 28 slopes, here those of a parabola: x + x'; S deviates by 8.08, of which
    # 2.73 times as much is 22.1: the interval ends at the second on both sides
    found = soak.soak_trend([(x, x * x) for x in range(8)])
    slopes = sorted(x + y for x in range(8) for y in range(x))
    assert (found.slope, found.low, found.high) == (7, slopes[1], slopes[-2])
    assert found.start == pytest.approx(-8)


def test_of_slopes_of_passes_the_median_and_its_interval_by_the_sign_test():
    # all of eight passes grow in 2 of 256 cases by chance, 0.78 %; all of nine in 0.39 %
    eight = soak.trend_of_slopes([3, 1, 2, 5, 4, 7, 6, 8], 100)
    assert (eight.start, eight.slope, eight.low, eight.high) == (100, 4.5, None, None)
    nine = soak.trend_of_slopes([3, 1, 2, 5, 4, 7, 6, 8, 9], 100)
    assert (nine.slope, nine.low, nine.high, nine.verdict) == (5, 1, 9, "grows")
    # all but one of twelve in 2 * 13 of 4096, 0.63 %, of thirteen in 2 * 14 of 8192, 0.34 %
    twelve = soak.trend_of_slopes(range(-1, 11), 0)
    assert (twelve.low, twelve.high, twelve.verdict) == (-1, 10, "-")
    thirteen = soak.trend_of_slopes(range(-1, 12), 0)
    assert (thirteen.low, thirteen.high, thirteen.verdict) == (0, 10, "-")
    assert soak.trend_of_slopes([], None).verdict == "too few passes"


@pytest.mark.parametrize("n", range(8, 40))
def test_an_interval_of_slopes_errs_at_most_as_often_as_is_said(n):
    low = soak.trend_of_slopes(range(n), 0).low
    # the median of all passes is below this one: so few slopes are, by chance
    errs = [2 * sum(math.comb(n, i) for i in range(beyond)) / 2 ** n
            for beyond in range(1, n // 2)]
    if low is None:
        assert errs[0] > 0.05 / 8
    else:
        assert errs[int(low)] <= 0.05 / 8 < errs[int(low) + 1]


def passes(growth):
    """Nine of them, whose median growth that is."""
    return [{"pass": i, "ops": 1e6 * i, "hours": i / 10, "disk_kb": 1000 * (1 + i / 100),
             "process_kb": 1000, "process_growth_kb": growth + (i % 3 - 1) * 10,
             "process_kb_per_million_ops": 50 + i, "process_kb_per_hour": 7} for i in range(1, 10)]


@pytest.mark.parametrize("growth, verdict", [(31, "-"), (32, "grows")])
def test_trends_are_in_percent_of_their_start_and_small_growth_is_none(growth, verdict):
    head, disk, process = soak.soak_trends(passes(growth))
    assert disk.split("\t") == ["disk_kb", "1000", "1", "1", "1", "10", "10", "10", "grows"]
    assert process.split("\t") == ["process_kb", "1000", "5.5", "5.1", "5.9", "0.7", "0.7", "0.7",
                                   verdict]
    assert head.count("\t") == disk.count("\t")


def test_of_a_start_below_0_no_percentage_is_said():
    found = soak.soak_trends([{**one, "disk_kb": i * 10 - 50} for i, one in enumerate(passes(0))])
    assert found[1].split("\t") == ["disk_kb", "-60", *[""] * 6, "grows"]


def test_the_growth_of_a_process_is_that_of_the_second_half_of_its_churn(tmp_path):
    def grown(lines):
        file = tmp_path / "timeline.tsv"
        head = ("benchmark", "thread", "ops", "at_s", "rss_anon_kb")
        file.write_text("".join("\t".join(map(str, line)) + "\n" for line in (head, *lines)))
        return soak.soak_growth(str(file))

    # of eight times half a million operations, a second each: 100 KiB each time
    churn = [("soak-churn", "all", 500_000, i, 1000 + 100 * i) for i in range(1, 9)]
    other = [("soak-churn", 0, 9, 3, 9), ("readrandom", "all", 9, 9, 9)]
    found = grown(other + churn)
    assert found == {"process_kb": 1400, "process_growth_kb": 400,
                     "process_kb_per_million_ops": pytest.approx(200),
                     "process_kb_per_hour": pytest.approx(360_000)}
    assert grown(churn[:6]) == {}


@pytest.mark.parametrize("n, known", [(5, False), (6, False), (7, True), (8, True)])
def test_an_interval_of_a_slope_needs_points(n, known):
    found = soak.soak_trend(line(n, 2))
    assert (found.low is not None, found.verdict) == \
        (known, "grows" if known else "too few passes")


def test_passes_and_processes_are_read_from_files(tmp_path, capsys):
    passes = tmp_path / "x.passes.json"
    passes.write_text('{"pass": 1, "ops": 1e6, "hours": 1, "put_p99_ns": 5}\n\n'
                      '{"kill": 1, "lost": 0}\n')
    soak.main(["trends", str(passes)])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("\t")[0] for line in lines] == ["metric", "put_p99_ns"]
    timeline = tmp_path / "timeline"
    timeline.write_text("benchmark\tthread\tops\tat_s\trss_anon_kb\n")
    soak.main(["process", str(timeline)])
    assert capsys.readouterr().out == "{}\n"


@pytest.mark.parametrize("x, digits", [
    (None, ""), (0, "0"), (1234567, "1235000"), (0.0123456, "0.01235"), (-99996, "-100000"),
    (9.8765, "9.877")])
def test_figures_have_four_digits(x, digits):
    assert soak._soak_digits(x) == digits
