"""What a reproduction keeps of its rows: several runs as one row, conditions as notes."""
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
