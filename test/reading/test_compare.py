"""Verdicts of comparisons, and what forbids one."""
import random
from types import SimpleNamespace

import pytest
from reading import compare
from reading.stats import SampleComparison

SIDE = SimpleNamespace(n=4, median=1, cv=0.1)


def answered(**figures):
    """What build/stats says of two samples."""
    nothing = dict.fromkeys(SampleComparison._fields)
    return SampleComparison(**{**nothing, "old": SIDE, "new": SIDE, "p_method": "exact", **figures})


def judged(metric, ratio, p, threshold=0.0, correction="none", p_holm=None):
    answer = answered(ratio=ratio, p=p, p_holm=p_holm)
    found = compare.Compared("b", {}, metric, [], [])
    found.judge(correction, threshold, answer)
    return found.result["verdict"]


@pytest.mark.parametrize("metric, ratio, p, verdict", [
    ("ops_per_sec", 0.8, 0.01, "slower"), ("ops_per_sec", 1.2, 0.01, "faster"),
    ("p99", 0.8, 0.01, "faster"), ("p99", 1.2, 0.01, "slower"),
    ("db_disk_kb", 0.8, 0.01, "better"), ("db_disk_kb", 1.2, 0.01, "worse"),
    ("ops_per_sec", 0.8, 0.05, "no difference shown"),
    ("ops_per_sec", 1, 0.01, "no difference shown"),
    ("ops_per_sec", None, 0.01, "no difference shown")])
def test_there_is_a_difference_where_p_is_below_5_percent(metric, ratio, p, verdict):
    assert judged(metric, ratio, p) == verdict


def test_a_difference_below_the_threshold_is_none():
    assert judged("ops_per_sec", 0.75, 0.01, threshold=25) == "slower"
    assert judged("ops_per_sec", 0.76, 0.01, threshold=25) == "no difference shown"
    assert judged("ops_per_sec", 1.24, 0.01, threshold=25) == "no difference shown"


def test_p_is_the_corrected_one_unless_that_is_not_wanted():
    assert judged("ops_per_sec", 0.8, 0.01, correction="holm", p_holm=0.06) \
        == "no difference shown"
    assert judged("ops_per_sec", 0.8, 0.01, correction="none", p_holm=0.06) == "slower"


def refused(old, new, free=()):
    pair = compare.Pair("b", old, new)
    return compare._why_not_compared([pair], free)


def test_conditions_are_the_same_on_both_sides_and_the_subject_on_each():
    assert refused([{"host": "a"}], [{"host": "b"}]) == [
        "rows of more than one host (a, b) do not belong in one comparison"]
    assert refused([{"host": "a"}], [{"host": "b"}], ["host"]) == []
    assert refused([{"engine": "a"}], [{"engine": "b"}]) == []
    assert refused([{}], [{"engine": "a"}, {"engine": "b"}]) == [
        "rows of more than one engine (a, b) do not belong in the new side"]


@pytest.mark.parametrize("rows, columns", [
    ([("1", "c"), ("1", "d")], []), ([("1", "c"), ("2", "d")], ["commit"]),
    ([(None, "c"), (None, "d")], ["commit"]), ([("1", "c"), ("2", "c")], []),
    ([("1", "c-dirty"), ("2", "c-dirty")], ["program"])])
def test_rows_of_one_program_are_one_subject_whatever_its_commit_is_called(rows, columns):
    side = [{"program": program, "commit": commit} for program, commit in rows]
    assert [reason.split()[5] for reason in refused(side, side)] == columns * 2


def test_an_unknown_p_shows_no_difference():
    assert judged("ops_per_sec", 2.0, None) == "no difference shown"


def rounds(mean, deviation, n, seed=1):
    """Pairs whose logarithms of new / old have that mean and deviation."""
    draw = random.Random(seed)
    return [(100.0, 100.0 * 2.718281828 ** draw.gauss(mean, deviation)) for _ in range(n)]


def series(pairs, until=1.0, threshold=0.0, metric="ops_per_sec"):
    found = compare.Compared("b", {}, metric, [], [], pairs)
    found.judge_series(until, threshold, answered(ratio=1.5, p=0.001, ratio_low=1, ratio_high=2))
    return found.result


@pytest.mark.parametrize("pairs, verdict, after", [
    (rounds(-0.05, 0.01, 9), "slower", 8), (rounds(0.05, 0.01, 12), "faster", 8),
    (rounds(0.02, 0.03, 48), "faster", 20), (rounds(0, 0.003, 12), "same within 0.44 %", 8),
    (rounds(0, 0.05, 31), "undecided", None), (rounds(0, 0.05, 60), "undecided", None),
    (rounds(0.05, 0.01, 7), "undecided", None)])
def test_a_series_has_the_verdict_of_the_look_that_ends_it(pairs, verdict, after):
    found = series(pairs)
    assert (found["verdict"], found["decided_after"]) == (verdict, after)


def test_what_comes_after_the_end_of_a_series_does_not_count():
    ended = rounds(0.05, 0.01, 8)
    assert series(ended + rounds(-0.5, 0.1, 40)) == {**series(ended), "rounds": 48}


def test_a_series_has_the_figures_of_its_last_look_and_none_before_the_first():
    found = series(rounds(0, 0.05, 31))
    assert found["ratio"] == series(rounds(0, 0.05, 20))["ratio"] != 1.5
    early = series(rounds(0.05, 0.01, 7))
    assert (early["p"], early["ratio_low"], early["ratio"]) == (None, None, 1.5)


def test_a_series_that_differs_by_less_than_the_threshold_is_the_same_within_something():
    assert series(rounds(0.02, 0.003, 8), threshold=3)["verdict"] == "same within 2.5 %"


def test_of_times_and_costs_less_is_better_in_a_series_too():
    assert series(rounds(-0.05, 0.01, 8), metric="cpu_us_per_op")["verdict"] == "better"
    assert series(rounds(0.05, 0.01, 8), metric="cpu_us_per_op")["verdict"] == "worse"


def in_rounds(label, figures):
    return [{"label": label, "benchmark": "b", "threads": 1, "valid": 1, "repetition": n,
             "time": f"2026-11-28T12:00:{2 * n + (label == 'new'):02}Z", "ops_per_sec": figure}
            for n, figure in enumerate(figures, 1)]


def report_of(pairs, *arguments):
    old, new = zip(*pairs)
    options = compare._compare_options(["a", "b", *arguments])
    report = compare._compare_report(options, ["a", "b"], in_rounds("old", old),
                                     in_rounds("new", new))
    compare._judge_compared(report, options)
    return report, options


def test_rounds_are_tested_in_pairs():
    drift = [100 * 1.5 ** n for n in range(10)]
    pairs = [(x, x * (1.02 + n % 3 / 1000)) for n, x in enumerate(drift)]
    report, options = report_of(pairs)
    result = report.comparisons[0].result
    assert (result["verdict"], result["p"], result["rounds"]) == ("faster", 2 / 1024, 10)
    assert 1.0199 < result["ratio_low"] <= result["ratio"] <= result["ratio_high"] < 1.023
    assert result["could_show"] == pytest.approx(0.001, abs=0.001)
    told = "\n".join(compare._compared_text(report, options))
    assert "10 pairs" in told and "Wilcoxon's signed rank" in told and "Mann" not in told
    # the same runs without rounds
    found, _ = report_of(pairs[:5])
    assert found.comparisons[0].result["verdict"] == "no difference shown"
    assert found.comparisons[0].result["p_method"] == "exact"
    assert "rounds" not in found.comparisons[0].result


def test_pairs_and_other_comparisons_are_corrected_together():
    report, options = report_of(rounds(0.05, 0.01, 6))
    report.comparisons *= 2
    compare._judge_compared(report, options)
    assert report.comparisons[0].result["p_corrected"] == 2 * 2 / 64


def test_the_rule_of_a_series_is_told():
    report, options = report_of(rounds(0.05, 0.01, 12), "--until=1.5")
    assert report.comparisons[0].result["decided_after"] == 8
    told = "\n".join(compare._compared_text(report, options))
    assert "99 % interval" in told and "at most 1.5 %" in told and "NOT corrected" in told


def test_the_rule_is_that_of_the_sweep_that_made_the_results(tmp_path):
    assert compare._compare_until([str(tmp_path)]) == ""
    (tmp_path / "until.tsv").write_text("verdict\tuntil_percent\nfaster\t2\n")
    assert compare._compare_until([str(tmp_path / "others.json"), str(tmp_path)]) == "2"
    assert compare._compare_until([str(tmp_path / "results.json")]) == "2"
    assert compare._compare_until([str(tmp_path / "others.json")]) == ""


def test_cpu_time_of_clients_is_told_where_there_are_servers():
    rows = [{"engine": "redis", "servers": 1}]
    said = "cpu_us_per_op is of the client alone, without its servers"
    assert said in compare._compare_warnings(rows, rows, "cpu_us_per_op", [])
    assert said not in compare._compare_warnings([{}], [{}], "cpu_us_per_op", [])
    assert said not in compare._compare_warnings(rows, rows, "ops_per_sec", [])


def test_a_program_is_a_subject_where_a_commit_is_not():
    def of(*rows):
        return compare._compare_subject([dict(zip(("commit", "program"), row)) for row in rows])

    subject = [*compare.SUBJECT]
    assert of(("a", "1"), ("b", "1")) == [c for c in subject if c != "commit"]
    assert of(("a", "1"), ("a", "2")) == of(("a", None), ("b", None)) == subject
    # one that is dirty is enough
    assert of(("a", "1"), ("a-dirty", "2")) == [*subject, "program"]


def test_a_side_whose_rate_was_missed_is_warned_of():
    row = {"target_rate": 9, "target_rate_met": 0, "valid": 1, "ops_per_sec": 8,
           "read_resp_p99_ns": 7}
    met = {**row, "target_rate_met": 1}
    told = compare._compare_warnings([row], [met], "p99", compare.CIRCUMSTANCES)
    assert [line.split(":")[0] for line in told if "rate" in line] == ["old"]
    told = compare._compare_warnings([met], [row], "ops_per_sec", compare.CIRCUMSTANCES)
    assert [line.split(":")[0] for line in told if "rate" in line][:1] == ["new"]
    assert any(line.startswith("ops_per_sec of an open loop is at most") for line in told)
