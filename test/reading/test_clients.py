"""The row of several clients."""
import json

import pytest
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


@pytest.mark.parametrize("others, together, said", [
    (10, 95, None), (10.4, None, "other processes and kernel threads used 10 % of the CPUs"),
    (0, 94.5, "all clients ran at once in only 94.5 % of the time")])
def test_all_clients_are_warned_of_others_and_of_what_was_not_at_once(others, together, said):
    assert clients.client_warnings([ROW, ROW], others, together) == said


def test_files_of_clients_have_a_row_more_and_a_table_one_header(tmp_path):
    (tmp_path / "results.json").write_text("".join(
        json.dumps({**ROW, "client": n}) + "\n" for n in (1, 2)))
    (tmp_path / "merged.tsv").write_text("\n".join(
        "\t".join(line) for line in (READ.keys(), READ.values())) + "\n")
    tsv, rows = tmp_path / "t.tsv", tmp_path / "r.json"
    for _ in range(2):
        clients.main([str(tmp_path), "2", "7", "2", "a command", str(rows), str(tsv)])
    said = [json.loads(line) for line in rows.read_text().splitlines()]
    assert [(row["ops"], row["seed"], row["command"]) for row in said] == \
        [(200, 7, "a command")] * 2
    header, *lines = [line.split("\t") for line in tsv.read_text().splitlines()]
    assert [dict(zip(header, line))["ops"] for line in lines] == ["200", "200"]
    (tmp_path / "other").write_text("")
    clients.main([str(tmp_path), "2", "7", "2", "a command", "", ""])
    assert len((tmp_path / "merged.json").read_text().splitlines()) == 3
