"""What a reproduction keeps of its rows: several runs as one row, conditions as notes."""
import json
import os

import pytest
from reading import reproduction_rows
from reading.command import Failure
from reading.points import Point
from reading.reproduction_rows import ReproductionConditions, reproduction_rows_kept


def runs(**more):
    """Two runs of a point, the second three times as long."""
    common = {"label": "a", "valid": 1, "num": 9, "ops": 100, "read_ahead_kb": 128,
              "others_cpu_percent": 0}
    return [
        Point({**common, "command": "x --json=o/runs/a-c-1t/row.json", "repetition": 1,
               "read_p50_ns": 1, "seconds": 1, "ops_per_sec": 100, "steal_percent": None,
               "warnings": "157 KiB were read for each record; the process was stopped", **more}),
        Point({**common, "command": "x --json=o/runs/a-c-1t-r2/row.json", "repetition": 2,
               "read_p50_ns": 5, "seconds": 3, "ops_per_sec": 33.333, "steal_percent": 4,
               "warnings": "the hypervisor took 4 % of the CPU time", **more})]


def one(rows, ahead=128, medium=""):
    found = reproduction_rows_kept(rows, ReproductionConditions(2, ahead, medium))
    assert len(found) == 1
    return found[0]


def test_counts_and_times_are_sums_rates_those_of_all_time_others_medians():
    row = one(runs())
    assert (row.ops, row.seconds, row.num, row.read_p50_ns) == (200, 4, 9, 3)
    assert abs(row.ops_per_sec - 50) < 0.01
    assert (row.repetition, row.repeats, row.repeat_rates) == (1, 2, [100, 33.333])
    assert row.steal_percent == 4


def test_a_condition_that_was_set_is_a_note_and_no_other_is():
    row = one(runs())
    assert row.warnings == "the process was stopped; the hypervisor took 4 % of the CPU time"
    assert row.notes == "157 KiB were read for each record"
    for ahead in (256, 0):
        row = one(runs(), ahead)
        assert "157 KiB" in row.warnings and row.notes is None


def test_a_machine_was_busy_for_a_part_of_the_time():
    # 4 % of one second of four is 1 %
    rows = [row.but(steal_percent=(2 - row.repetition) * 4, others_cpu_percent=20, warnings=None)
            for row in runs()]
    assert one(rows).steal_percent == 1
    assert one(rows).warnings == "other processes and kernel threads used 20 % of the CPU time"
    assert one(rows, medium="loop").warnings is None
    assert "used 20 %" in one(rows, medium="loop").notes
    rows = [row.but(others_cpu_percent=40) for row in rows]
    assert "used 40 %" in one(rows, medium="loop").warnings


def test_less_than_a_second_is_a_warning_and_an_invalid_run_an_invalid_row():
    rows = [row.but(seconds=row.seconds / 8, warnings=None, steal_percent=0) for row in runs()]
    assert one(rows).warnings == "it lasted 500 ms, less than a second"
    rows[1] = rows[1].but(valid=0, invalid_reason="so")
    assert (one(rows)["valid"], one(rows).invalid_reason) == (0, "so")


@pytest.mark.parametrize("column, found", [
    ("user_s", 6), ("harness_cpu_s", 6), ("throttled_s", 6), ("device_writes", 6),
    ("host_device_read_bytes", 6), ("io_write_calls", 6), ("round_trips", 6), ("crossings", 6),
    ("server_user_s", 6), ("server_sys_s", 6), ("overrun_s", 6), ("retry_s", 6),
    ("memory_stall_s", 6), ("nand_write_bytes", 6), ("round_trips_per_op", 3),
    ("ops_per_sec", 3.5), ("writes_per_sec_all_in", 3.5), ("cpu_percent", 3.5), ("db_disk_kb", 3),
    ("cpu_us_per_op", 3)])
def test_of_several_runs_some_columns_are_added_and_others_weighed(column, found):
    rows = [Point({column: 2, "seconds": 1}), Point({"seconds": 9}),
            Point({column: 4, "seconds": 3})]
    assert reproduction_rows._over_repeats(rows, column) == found
    assert reproduction_rows._over_repeats(rows[1:2], column) is None
    if found == 3.5:
        timeless = [row.but(seconds=0) for row in rows]
        assert reproduction_rows._over_repeats(timeless, column) == 2


def test_a_rate_with_settling_and_closing_is_of_their_time_too():
    rows = [Point({"writes_per_sec_all_in": rate, "seconds": 1, "settle_seconds": settled,
                   "close_seconds": 1}) for rate, settled in ((100, None), (500, 6))]
    assert reproduction_rows._over_repeats(rows, "writes_per_sec_all_in") == 420


@pytest.mark.parametrize("steal, others, said", [
    (2, 10, None), (2.6, 0, "the hypervisor took 3 % of the CPU time"),
    (0, 10.6, "other processes and kernel threads used 11 % of the CPU time")])
def test_a_disturbance_is_warned_of_above_its_limit(steal, others, said):
    rows = [row.but(steal_percent=steal, others_cpu_percent=others, warnings=None)
            for row in runs()]
    assert one(rows).warnings == said


@pytest.mark.parametrize("read, ahead, noted", [
    (192, 128, True), (193, 128, False), (10, 64, False)])
def test_reading_ahead_is_a_note_up_to_half_more_than_what_was_set(read, ahead, noted):
    row = one(runs(warnings=f"{read} KiB were read for each record", steal_percent=0), ahead)
    assert (row.notes is not None) == noted and (row.warnings is None) == noted


def test_runs_are_of_a_point_by_label_directory_and_round():
    names = ["a-1t", "a-1t-r2", "a-1t-r3", "a-2t", "a-1t-r4"]
    rows = [Point({"label": "a", "valid": 1, "seconds": 2, "ops": 1, "repetition": number,
                   "command": f"x --json=o/runs/{name}/row.json"})
            for name, number in zip(names, (1, 2, 3, 1, 4))]
    rows.append(rows[0].but(label="b"))
    found = reproduction_rows_kept(rows, ReproductionConditions(2))
    assert [(row.label, row.repetition, row.ops) for row in found] == [
        ("a", 1, 2), ("a", 2, 2), ("a", 1, 1), ("b", 1, 1)]
    # each run is a row where that is what was asked for
    assert len(reproduction_rows_kept(rows, ReproductionConditions())) == 6


# ---- the verbs of repro-common.sh

@pytest.fixture
def verb(tmp_path, capsys, monkeypatch):
    def of(what, *others, **given):
        reproduction_rows.main(["redb-2025.sh", what, *map(str, others),
                                *(f"{name}={value}" for name, value in given.items())])
        return capsys.readouterr().out
    return of


def written(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_rows_are_kept_without_the_places_of_this_machine(verb, tmp_path):
    path = written(tmp_path / "rows", {
        "label": "a", "valid": 1, "seconds": 2, "command": "x --db=/out/db /out/runs/a/row.json",
        "engine_build": f"{reproduction_rows.TOP}/build/lib.so", "experiment": None}, {
        "label": "b", "valid": 1, "seconds": 2})
    given = {"times": 1, "ahead": 0, "medium": "", "document": "d=1", "out": "/out"}
    first, second = map(json.loads, verb("rows", "E", path, **given).splitlines())
    assert first["command"] == "x --db=results/redb-2025/db results/redb-2025/runs/a/row.json"
    assert (first["experiment"], first["document"], first["engine_build"]) == \
        (None, "d=1", "build/lib.so")
    assert (second["experiment"], second["command"], "engine_build" in second) == ("E", "", False)
    path.write_text("{\n")
    with pytest.raises(Failure, match=r"cannot read .*rows; start it again with another --out"):
        verb("rows", "E", path, **given)


def test_rows_as_a_table_have_all_columns_and_no_tabs_of_their_own(verb, tmp_path):
    written(tmp_path / "rows.json", {"a": "x\ty\nz", "b": None}, {"c": 1.5, "a": 2})
    assert verb("tsv", tmp_path) == "a\tb\tc\nx y z\t\t\n2\t\t1.5\n"


def test_what_a_run_is_of_is_kept_and_a_resumed_one_must_be_of_the_same(verb, tmp_path):
    given = {"document": "d", "scale": "small", "rounds": 3}
    verb("begin", tmp_path, "c0ffee", "x --a", **given)
    meta = json.loads((tmp_path / "meta.json").read_text())
    assert {key: meta[key] for key in ("document", "script", "scale", "command", "commit", "rounds",
                                       "minutes", "cores", "host")} == {
        "document": "d", "script": "redb-2025", "scale": "small", "command": "x --a",
        "commit": "c0ffee", "rounds": 3, "minutes": None, "cores": len(os.sched_getaffinity(0)),
        "host": os.uname().nodename}
    assert meta["memory_kb"] > 1000 and meta["kernel"].startswith("Linux ")
    verb("passed", tmp_path, 90)
    verb("passed", tmp_path, 30)
    meta["date"] = "before"
    (tmp_path / "meta.json").write_text(json.dumps({**meta, "minutes": 2}))
    verb("begin", tmp_path, "f00d", "y", **given)
    again = json.loads((tmp_path / "meta.json").read_text())
    assert (again["date"], again["minutes"], again["commit"]) == ("before", 2, "f00d")
    for other in ({"document": "e"}, {"scale": "default"}, {"rounds": 4}):
        with pytest.raises(Failure, match="holds d at scale small, rounds: 3; give the same"):
            verb("begin", tmp_path, "c", "x", **{**given, **other})


def test_minutes_are_added_and_rounds_of_a_busy_time_noted(verb, tmp_path):
    verb("passed", tmp_path, 90)
    verb("passed", tmp_path, 30)
    assert json.loads((tmp_path / "meta.json").read_text())["minutes"] == 2
    written(tmp_path / "rows.json", *(
        {"experiment": experiment, "repetition": number, "steal_percent": steal}
        for experiment, number, steal in (("a", 1, 3), ("a", 1, 3.5), ("a", 1, 9), ("a", 2, 4),
                                          ("b", 1, None), ("b", None, 5))))
    verb("taken", tmp_path, 3)
    assert json.loads((tmp_path / "meta.json").read_text()) == {"minutes": 2, "taken": [
        {"experiment": "a", "round": 1, "percent": 9},
        {"experiment": "a", "round": 2, "percent": 4},
        {"experiment": "b", "round": 1, "percent": 5}]}


def test_what_only_a_later_run_knows_is_in_the_row_of_all():
    rows = runs()
    rows[1]["device_reads"], rows[1]["later"] = 7, 9
    assert (one(rows).device_reads, one(rows).later) == (7, 9)
