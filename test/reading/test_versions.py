"""Versions beside the first of them."""
import json

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


def test_versions_beside_a_first_one_without_figures_have_runs_and_a_median_and_no_ratio():
    given = [*rows("2.0", (202, 204, 200.5)), *rows("3.0", (1,))]
    assert [line[3:7] for line in versions.versions_compared(
        given, ["1.0", "2.0", "3.0"], ["readrandom"], ["ops_per_sec"], "1")] == [
            ["1.0", "0", "", ""], ["2.0", "3", "202", ""], ["3.0", "1", "1", ""]]


def test_what_a_lock_file_has_and_what_was_left_in_memory_make_no_points(tmp_path, capsys):
    path = tmp_path / "rows"
    path.write_text("".join(json.dumps({
        **row, "engine_options": f"path=1 maxreaders={room}", "cold": cold, "valid": 1,
        "engine": "e"}) + "\n" for label in ("1.0", "2.0") for room, cold, row in zip(
            (18, 33), ("files", "files, but 12 KiB"), rows(label, (10, 12)))))
    versions.main(["compared", str(path), "1.0,2.0", "readrandom", "ops_per_sec", "1"])
    assert [line.split("\t")[:6] for line in capsys.readouterr().out.splitlines()[1:]] == [
        ["readrandom", "1", "ops_per_sec", label, "2", "11"] for label in ("1.0", "2.0")]
    versions.main(["figures", str(path), "1.0", "readrandom", "1", "ops_per_sec"])
    assert capsys.readouterr().out == "10 12\n"


def test_each_value_of_an_option_has_lines_of_its_own_and_none_is_bisected(tmp_path):
    given = [{**row, "value_sizes": size, "engine_options": f"o={size}"} for label, rate in
             (("1.0", 10), ("2.0", 20)) for size in ("100", "900") for row in rows(label, [rate])]
    lines = versions.versions_compared(given, ["1.0", "2.0"], ["readrandom"], ["ops_per_sec"], "1")
    assert [line[:1] + line[3:7] for line in lines] == [
        [f"readrandom value_sizes={size}", *rest] for size in ("100", "900")
        for rest in (("1.0", "1", "10", "1"), ("2.0", "1", "20", "2"))]
    assert versions.versions_compared([{**row, "value_sizes": None} for row in given], [
        "1.0"], ["readrandom"], ["ops_per_sec"], "1")[0][0] == "readrandom engine_options=o=100"
    path = tmp_path / "rows"
    path.write_text("".join(json.dumps({**row, "valid": 1, "engine": "e"}) + "\n"
                            for row in given))
    with pytest.raises(Failure, match="one value of each option, and runs differ in value_sizes"):
        versions.main(["figures", str(path), "1.0", "readrandom", "1", "ops_per_sec"])


def test_figures_of_a_version_are_those_of_its_valid_rows(tmp_path, capsys):
    path = tmp_path / "rows"
    path.write_text("".join(json.dumps({
        "benchmark": "b", "threads": threads, "label": label, "valid": valid, "ops_per_sec": rate,
        "engine": "e"}) + "\n" for threads, label, valid, rate in (
            (1, "e-1", 1, 5), (1, "e-1", 0, 6), (2, "e-1", 1, 7), (1, "e-2", 1, 8),
            (1, "e-1", 1, 9.5))))
    versions.main(["figures", str(path), "e-1", "b", "1", "ops_per_sec"])
    assert capsys.readouterr().out == "5 9.5\n"
    versions.main(["directions", "ops_per_sec,read_p99_ns"])
    assert capsys.readouterr().out.splitlines() == [
        str(one) for one in versions.version_metric_directions(["ops_per_sec", "read_p99_ns"])]
