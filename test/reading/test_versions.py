"""Versions beside the first of them."""
import pytest
from reading import versions
from reading.command import Failure


def test_a_metric_says_whether_more_is_better_or_ends_the_script():
    assert versions.version_metric_directions(["ops_per_sec", "p99", "db_disk_kb"]) == [1, 0, 0]
    with pytest.raises(Failure, match="cannot tell whether more num is better"):
        versions.version_metric_directions(["p99", "num"])


def rows(label, rates, benchmark="readrandom"):
    return [{"label": label, "benchmark": benchmark, "threads": 1, "ops_per_sec": rate}
            for rate in rates]


def test_each_version_has_its_ratio_to_the_first_and_loads_are_no_points():
    given = [*rows("1.0", (100, 102, 101)), *rows("1.0", (7,), "fillseqbatch"),
             *rows("2.0", (202, 204, 200)), *rows("3.0", ())]
    first, second, third = versions.versions_compared(
        given, ["1.0", "2.0", "3.0"], ["readrandom[X3]"], ["ops_per_sec"], "1")
    assert first == ["readrandom", "1", "ops_per_sec", "1.0", "3", "101", "1", "", "", ""]
    assert second[:7] == ["readrandom", "1", "ops_per_sec", "2.0", "3", "202", "2"]
    assert float(second[9]) == 0.1
    assert third == ["readrandom", "1", "ops_per_sec", "3.0", "0", "", "", "", "", ""]
