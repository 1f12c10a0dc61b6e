"""Verdicts of comparisons, and what forbids one."""
from types import SimpleNamespace

import pytest
from reading import compare

SIDE = SimpleNamespace(n=4, median=1, cv=0.1)


def judged(metric, ratio, p, threshold=0.0, correction="none", p_holm=None):
    answer = SimpleNamespace(old=SIDE, new=SIDE, ratio=ratio, ratio_low=None, ratio_high=None, p=p,
                             p_holm=p_holm, p_method="exact", least_p=None, could_show=None,
                             could_show_t=None)
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
    return compare._refused([pair], free)


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
