"""The row of several clients."""
from reading import clients

ROW = {"benchmark": "readrandom", "time": "2026-01-31T12:00:00Z", "label": "null", "seed": 1,
       "ops": 100, "entries": 100, "reads": 100, "writes": 0, "user_s": 0.5, "sys_s": 0.5,
       "mean_us": 2, "cpu_us_per_op": 2, "cycles_per_op": 2, "target_rate": 10,
       "target_rate_met": 1, "syncs": 0, "seconds": 1, "timer": "tsc"}


def line(kind, seconds=1, start=0, end=0, together=100):
    return {"tag": "null.readrandom." + kind, "seconds": str(seconds), "start_skew_s": str(start),
            "end_skew_s": str(end), "overlap_percent": str(together)}


READ = line("read")


def merged(*changes, lines=(READ,)):
    rows = [{**ROW, **change} for change in changes]
    (row,) = clients.merge_client_benchmarks(
        rows, list(lines), clients.ClientsRun(len(rows), 1, 2, "x")
    )
    return row


def test_a_rate_that_one_client_missed_was_missed():
    row = merged({}, {"target_rate_met": 0}, {})
    assert (row["target_rate"], row["target_rate_met"], row["clients"]) == (30, 0, 3)


def test_what_is_made_at_once_for_a_part_of_the_time_was_not_at_once():
    row = merged({}, {}, lines=(line("read"), line("write", 2, 0.25, 0.5, 40)))
    assert [row[column] for column in ("overlap_percent", "start_skew_s", "end_skew_s",
                                       "seconds")] == [40, 0.25, 0.5, 2]
    assert row["warnings"] == "all clients ran at once in only 40 % of the time"


def test_means_are_by_the_operations_of_each():
    more = {"ops": 300, "mean_us": 6, "cpu_us_per_op": 6, "cycles_per_op": 6}
    row = merged({}, more)
    assert [row[column] for column in ("ops", "mean_us", "cpu_us_per_op",
                                       "cycles_per_op")] == [400, 5, 5, 5]


def test_a_sum_is_unknown_if_a_part_is():
    row = merged({}, {"writes": None})
    assert (row["writes"], row["writes_per_sec"], row["reads_per_sec"]) == (None, None, 200)


def test_what_differs_and_is_no_figure_is_unknown():
    assert merged({}, {"label": "other"})["label"] is None
    assert merged({}, {})["label"] == "null"


def test_a_warning_of_several_clients_stands_once():
    row = merged({"warnings": "a; b"}, {"warnings": "b; other processes used 99 % of the CPU time"})
    assert row["warnings"] == "a; b"


def test_benchmarks_stand_as_they_ran():
    rows = [{**ROW, "benchmark": name} for name in ("seekrandom", "readrandom") * 2]
    found = clients.merge_client_benchmarks(rows, [], clients.ClientsRun(2, 1, 2, "x"))
    assert [row["benchmark"] for row in found] == ["seekrandom", "readrandom"]
