"""From a ladder of rates to the highest one that keeps a limit."""
import json
import math

import pytest
from reading import capacity
from reading.capacity import LadderRate, LadderRun

HEAD = ("engine", "rate", "ops_per_sec", "resp_p50_ns", "p99_ns", "resp_p99_ns", "backlog", "kept",
        "broke", "cpu_percent", "device_busy_percent", "round")


def lines(*texts):
    return [dict(zip(HEAD, text.split(","))) for text in texts]


def runs(rate, p99s, limit=1000, round_=1):
    return [LadderRun(rate, p99 <= limit, p99, "" if p99 <= limit else "late", round_)
            for p99 in p99s]


def test_what_breaks_the_limit_is_told_by_runs_up_to_it():
    ladder = [LadderRun(10, False, math.inf, "late"), *[LadderRun(x, False, math.inf, "missed")
                                                        for x in (20, 30)]]
    assert capacity.ladder_broke_most(ladder, 10) == "late"
    assert capacity.ladder_broke_most(ladder, None) == "missed"
    assert capacity.ladder_broke_most([LadderRun(10, True, 1)], None) == ""


def test_the_median_of_two_runs_is_the_mean_of_both():
    table = capacity.ladder_table(lines("a,10,10,1000,2000,3000,0,1,,1,1,1",
                                        "a,10,20,3000,4000,7000,,0,reads,1,1,2"))
    assert table[1].split("  ")[0] == "a"
    assert table[1].split()[1:] == ["10", "15", "2.0", "us", "3.0", "us", "5.0", "us", "0", "1",
                                    "of", "2"]
    assert len(capacity.ladder_table(lines("a,10,10,1,1,1,0,1,,1,1,1",
                                           "b,10,10,1,1,1,0,1,,1,1,1"))) == 3
    assert capacity.ladder_rates([LadderRun(10, True, 3000), LadderRun(10, True, 7000)]) == [
        LadderRate(10, 2, 2, 5000)]


def test_a_run_that_broke_the_limit_otherwise_has_no_p99_within_it():
    ladder = capacity.read_ladder(lines(
        "a,10,10,1,1,900,0,1,,1,1,1", "a,20,15,1,1,900,9,0,a rate that was not met,1,1,1",
        "a,30,15,1,1,4000,9,0,late,1,1,1", "a,40,15,1,1,,9,0,an invalid run,1,1,0",
        "b,10,10,1,1,900,0,1,,1,1,1"), "a", 1000)
    assert ladder == [
        LadderRun(10, True, 900, "", 1),
        LadderRun(20, False, math.inf, "a rate that was not met", 1),
        LadderRun(30, False, 4000, "late", 1), LadderRun(40, False, math.inf, "an invalid run", 0)]
    found = capacity.capacity_verdict(ladder[:2], 1000, "1us")
    assert (found[0], found[2:4]) == ("found", [10, 20])


@pytest.mark.parametrize("rate, n, kept, below", [
    (1000, 2, 1, False), (1000, 3, 1, True), (1900, 3, 1, False), (1900, 3, 0, True)])
def test_a_saw_has_rates_that_no_run_kept_or_clearly_fewer_than_half(rate, n, kept, below):
    found = capacity.ladder_saw([LadderRate(rate, n, kept, 1), LadderRate(2000, 2, 2, 1)])
    assert found == (([rate], 2000) if below else None)


def test_one_run_at_a_rate_is_no_side_of_a_saw():
    held, broken = LadderRate(2000, 2, 2, 1), LadderRate(1000, 2, 0, 9)
    assert capacity.ladder_saw([broken, held]) == ([1000], 2000)
    assert capacity.ladder_saw([broken._replace(n=1), held]) is None
    assert capacity.ladder_saw([broken, held._replace(n=1, kept=1)]) is None


def test_the_limit_is_crossed_between_two_rates():
    ladder = runs(100, [500, 500]) + runs(200, [2000, 2000])
    assert capacity.capacity_verdict(ladder, 1000, "1us") == ["found", 141, 100, 200, None]


def test_a_curve_that_falls_is_pooled():
    found = capacity.ladder_curve([LadderRate(1, 1, 1, 100), LadderRate(2, 1, 1, 400),
                                   LadderRate(3, 1, 1, 100)], 1000)
    assert [round(math.exp(y)) for _, y in found] == [100, 200, 200]


def test_a_pool_weighs_by_runs_and_no_rate_by_more_than_four_limits():
    def curve(*found):
        return [round(math.exp(y)) for _, y in capacity.ladder_curve(found, 1000)]

    pooled = LadderRate(1, 3, 3, 800), LadderRate(2, 1, 1, 50)
    assert curve(*pooled) == [400, 400]
    assert curve(*pooled, LadderRate(3, 4, 4, 100)) == [200, 200, 200]
    assert curve(LadderRate(1, 1, 1, 100), LadderRate(2, 1, 0, math.inf)) == [100, 4000]


def test_runs_that_fail_clearly_below_are_told_or_decide_nothing():
    above = runs(1000, [500] * 3) + runs(2000, [4000] * 3)
    word, rate, _, _, note = capacity.capacity_verdict(
        [*runs(100, [500] * 9), *runs(100, [4000]), *above], 1000, "1us")
    assert (word, rate) == ("found", 1259)
    assert note == "though 1 of 13 runs below did not (at 100)"
    word, *_, reason = capacity.capacity_verdict(
        [*runs(100, [500] * 3), *runs(100, [4000] * 2), *above], 1000, "1us")
    assert word == "undecided"
    assert reason.startswith("not decided: of 8 runs clearly below 1259 a second 2 exceeded a p99"
                             " of 1us (at 100);")


def test_all_rates_or_none_keep_it():
    assert capacity.capacity_verdict(runs(10, [1, 1]), 1000, "1us")[0] == "all"
    assert capacity.capacity_verdict(runs(10, [4000, 4000]), 1000, "1us")[0] == "none"


ROW = {"valid": 1, "target_rate_met": 1, "target_rate": 10, "ops_per_sec": 10, "backlog": 0,
       "reads": 5000, "read_resp_p99_ns": 900, "read_p99_ns": 800,
       "writes": 4000, "write_resp_p99_ns": 900, "scans": 0}


def judged(**changes):
    cells = capacity.ladder_line({**ROW, **changes}, "e", 1000, "1")
    return cells[7], cells[8], cells[12]


def test_each_kind_of_operation_decides_and_so_does_the_rate():
    assert judged() == (1, "", 4000)
    assert judged(write_resp_p99_ns=1001) == (0, "writes that started late", 4000)
    assert judged(read_resp_p99_ns=1001, read_p99_ns=1001) == (
        0, "reads whose calls alone take longer", 4000)
    assert judged(scan_resp_p99_ns=1001) == (0, "scans that started late", 4000)
    assert judged(target_rate_met=0) == (0, "a rate that was not met", "")
    assert judged(valid=0) == (0, "an invalid run", "")
    assert judged(read_resp_p99_ns=None, write_resp_p99_ns=None) == (0, "", "")


def test_the_curve_is_of_the_rounds_not_of_the_search():
    ladder = runs(1000, [500, 500]) + runs(2000, [4000, 4000])
    search = runs(1500, [4000] * 3, round_=0) + runs(1500, [500])
    found = capacity.capacity_verdict(ladder + search, 1000, "1us")
    assert found[0] == "found"
    assert found[2:4] == [1500, 2000]
    assert 1500 < found[1] < 2000


@pytest.mark.parametrize("columns, broke, kept, samples", [
    ({}, "", 1, 30), ({"read_resp_p99_ns": 100}, "", 1, 30),
    ({"read_resp_p99_ns": 101, "read_p99_ns": 100}, "reads that started late", 0, 30),
    ({"read_resp_p99_ns": 101, "read_p99_ns": 101}, "reads whose calls alone take longer", 0, 30),
    ({"write_resp_p99_ns": 300, "read_p99_ns": 400}, "writes that started late", 0, 30),
    ({"target_rate_met": 0}, "a rate that was not met", 0, ""),
    ({"valid": 0}, "an invalid run", 0, ""), ({"writes": 0}, "", 1, 70),
    ({"read_resp_p99_ns": None}, "", 0, "")])
def test_a_line_of_a_ladder_says_what_broke_its_limit(columns, broke, kept, samples):
    row = {"valid": 1, "target_rate": 1000, "target_rate_met": 1, "ops_per_sec": 999, "reads": 70,
           "writes": 30, "backlog": 4, "read_resp_p99_ns": 50, "read_resp_p50_ns": 20,
           "read_p99_ns": 9, "cpu_percent": 77, "device_busy_percent": 8, **columns}
    cells = capacity.ladder_line(row, "e", 100, "2")
    assert cells[:3] == ["e", 1000, 999] and cells[3] == 20 and cells[6] == 4
    assert cells[7:] == [kept, broke, 77, 8, "2", samples]


@pytest.mark.parametrize("columns, why", [
    ({"read_resp_p99_ns": 101}, "the p99 was 101 ns"), ({"read_resp_p99_ns": 100},
                                                       "4 were not begun"),
    ({"valid": 0, "read_resp_p99_ns": 101}, "the row is invalid")])
def test_a_capacity_that_was_not_held_has_a_reason(tmp_path, capsys, columns, why):
    file = tmp_path / "row.json"
    file.write_text(json.dumps({"benchmark": "x", "valid": 1, "backlog": 4, **columns}) + "\n")
    capacity.main(["unheld", str(file), "100", "2k", "60"])
    assert capsys.readouterr().out == f"but 2k were not held for 60 s: {why}\n"


def test_a_synced_write_is_told_in_its_unit(capsys):
    capacity.main(["synced", "/d", "0.25", "12"])
    assert capsys.readouterr().out == \
        "a synced write of the disk under /d: median 250 us, p99 12 ms\n"


def test_each_question_about_a_ladder_is_of_its_file(tmp_path, capsys):
    ladder, row = tmp_path / "ladder.tsv", tmp_path / "row"
    ladder.write_text("\n".join("\t".join(line) for line in [HEAD, *(
        text.split(",") for text in ("a,10,10,1,1,500,0,1,,1,1,1", "b,10,10,1,1,900,0,1,,1,1,1",
                                     "a,20,20,1,1,2000,5,0,reads,1,1,1"))]) + "\n")

    def asked(*arguments):
        capacity.main([arguments[0], str(ladder), *arguments[1:]])
        return capsys.readouterr().out
    assert asked("broken", "a", "1000", "20") == "reads\n"
    assert asked("broken", "a", "1000", "19") == asked("broken", "b", "1000", "") == "\n"
    assert [line.split()[0] for line in asked("table").splitlines()] == ["engine", "a", "a", "b"]
    assert asked("verdict", "b", "1000", "1 us").split("\t")[0] == "all"
    found = asked("verdict", "a", "1000", "1 us").rstrip("\n").split("\t")
    assert found[0] == "found" and 10 < float(found[1]) < 20
    assert found[2:] == ["10", "20", ""]
    row.write_text('{"benchmark": "b", "valid": 1, "target_rate": 10, "read_resp_p99_ns": 5}\n'
                   '{"benchmark": "b", "valid": 1, "target_rate": 20, "read_resp_p99_ns": 7}\n')
    capacity.main(["judge", str(row), "a", "1000", "3"])
    line = capsys.readouterr().out.rstrip("\n").split("\t")
    assert (line[:2], line[5], line[11]) == (["a", "20"], "7", "3")
