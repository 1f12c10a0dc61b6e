"""Which columns of two groups differ beyond chance."""
import math
from types import SimpleNamespace

import pytest
from reading import compare_all
from reading.command import Failure
from reading.compare_all import ColumnDifference, all_differences
from reading.pairing import Pair


def difference(old, new, column="read_p99_ns", p=0.01, corrected=0.02):
    def side(mean):
        return SimpleNamespace(mean=mean, n=3)

    return ColumnDifference("b", column, SimpleNamespace(
        old=side(old), new=side(new), difference=new - old, difference_low=new - old,
        difference_high=new - old, welch_p=p, welch_p_benjamini=corrected, welch_p_holm=corrected))


@pytest.mark.parametrize("p, corrected, differs", [
    (0.01, 0.04, True), (0.04, 0.06, False), (0.01, 0.05, False), (None, None, False)])
def test_a_column_differs_by_its_corrected_p(p, corrected, differs):
    one = difference(1, 2, p=p, corrected=corrected)
    assert (one.differs, one.verdict) == (differs, "slower" if differs else None)


def test_what_is_better_depends_on_the_column_and_of_some_is_not_known():
    assert [difference(2, 1, c).verdict for c in ("ops_per_sec", "read_p99_ns", "db_disk_kb",
                                                  "found")] == ["slower", "faster", "better", None]


def test_the_effect_is_the_ratio_as_a_distance():
    assert difference(1, 2).effect == difference(2, 1).effect == pytest.approx(math.log(2))
    assert [difference(*two).effect for two in ((0, 1), (1, 0), (-1, 1))] == [None] * 3


def test_the_largest_change_is_first_and_before_it_what_has_none():
    columns = [difference(10, 11, "a_ns"), difference(0, 5, "b_ns"), difference(10, 5, "c_ns"),
               difference(10, 90, "d_ns", corrected=0.5)]
    lines = compare_all.all_differences_text(columns)
    assert lines[1] == "b: 3 of 4 columns that vary differ beyond chance (3+3 runs)"
    assert [line.split()[0] for line in lines[3:6]] == ["b_ns", "c_ns", "a_ns"]
    assert lines[3].split() == ["b_ns", "0", "5", "-", "-", "0.02", "slower"]
    assert "-50 %" in lines[4] and "+10 %" in lines[5]


def test_the_columns_of_each_benchmark_are_counted_by_themselves():
    columns = [difference(10, 11, "a_ns"), difference(10, 10, "b_ns", corrected=0.5),
               difference(10, 12, "a_ns")._replace(name="c")]
    columns[2].answer.new.n = 4
    told = [line for line in compare_all.all_differences_text(columns) if "that vary" in line]
    assert told == ["b: 1 of 2 columns that vary differ beyond chance (3+3 runs)",
                    "c: 1 of 1 column that vary differ beyond chance (3+4 runs)"]


def test_columns_are_compared_that_vary_and_are_no_conditions():
    def rows(start):
        return [{"label": "a", "threads": 1, "num": 9, "repetition": i, "cores": i, "ops": 100,
                 "read_p99_ns": start + i, "text": f"{i}", "some_ns": None if i else 1}
                for i in range(3)]

    (found,) = all_differences([Pair("b", rows(100), rows(200))])
    assert (found.name, found.column, found.differs, found.verdict) == \
        ("b", "read_p99_ns", True, "slower")
    assert found.answer.difference == pytest.approx(100)


def test_a_column_varies_by_what_is_constant_on_a_side_but_is_none_of_one_run():
    old, new = ([{"faults": faults, "found": 7, "some_ns": None if i else faults}
                 for i in range(3)] for faults in (0, 5))
    assert [one.column for one in all_differences([Pair("b", old, new)])] == ["faults"]


def test_the_kth_value_of_a_counter_is_of_the_kth_run(tmp_path):
    path = tmp_path / "counters"
    lines = ["e l b 1 hits 0 9 3", "e l b 1 misses 0 9 1", "e l b 1 hits 0 9 5",
             "e l b 1 misses 0 9 ", "e l b 1 misses 0 9 2", "e other b 8 hits 0 9 7"]
    path.write_text("\n".join(["engine label benchmark threads counter begin end per_op", *lines,
                               ""]).replace(" ", "\t"))
    of = {"valid": 1, "engine": "e", "label": "l", "benchmark": "b", "threads": 1}
    assert compare_all._counter_rows(str(path)) == [
        {**of, "hits": 3, "misses": 1}, {**of, "hits": 5, "misses": 2},
        {**of, "label": "other", "threads": 8, "hits": 7}]


def test_a_file_of_something_else_has_no_counters(tmp_path):
    (tmp_path / "other").write_text("engine\tlabel\n")
    with pytest.raises(Failure, match="other is no file of --engine_counters"):
        compare_all._counter_rows(str(tmp_path / "other"))


def test_what_differs_is_listed_the_largest_ratio_first_and_without_one_before():
    every = [difference(2, 3), difference(1, 9, "write_p99_ns"), difference(0, 5, "found"),
             difference(1, 2, "ops", p=0.5, corrected=0.6)]
    told = compare_all.all_differences_text(every)
    assert told[1] == "b: 3 of 4 columns that vary differ beyond chance (3+3 runs)"
    assert [line.split()[0] for line in told[3:6]] == ["found", "write_p99_ns", "read_p99_ns"]
