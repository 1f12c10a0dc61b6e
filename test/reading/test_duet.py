"""Two versions at the same time: verdicts on series of rounds, what is refused and what is told."""
import json
import math
import os
import random
import struct
import time
from types import SimpleNamespace

import pytest
from reading import duet, duet_round
from reading.command import Failure
from reading.duet import DuetOptions, DuetPoint, DuetRound, duet_decided, duet_waits, why_no_duet
from reading.duet_round import PlayedRound
from reading.signed_rank import LEVEL, LOOKS


def noise(draw):
    """Of a round: 1 %, and in one of 75 a factor of 2 to 50, as on a busy machine."""
    gross = draw.choice((-1, 1)) * math.log(draw.uniform(2, 50)) if draw.random() < 1 / 75 else 0
    return draw.gauss(0, 0.01) + gross


def verdict(series, within=0.0, level=LEVEL):
    """As rounds are played: one more at a time, until it is decided."""
    for rounds in range(1, len(series) + 1):
        if found := duet_decided(series[:rounds], level, within):
            return found[0], rounds
    return None, len(series)


def test_a_series_is_decided_at_looks_only():
    assert verdict([0.05, 0.06, 0.04, 0.05, 0.05, 0.06, 0.04]) == (None, 7)
    assert verdict([0.05, 0.06, 0.04, 0.05, 0.05, 0.06, 0.04, 0.05]) == ("faster", 8)
    assert verdict([-0.05, -0.06, -0.04, -0.05, -0.05, -0.06, -0.04, -0.05]) == ("slower", 8)
    # one of eight has the other sign: too few
    assert verdict([0.05, 0.06, 0.04, 0.05, 0.05, 0.06, 0.04, -0.01, 0.05, 0.05]) == (None, 10)


def test_at_most_five_in_a_hundred_series_without_a_difference_end_with_one():
    draw = random.Random(1)
    # a whole series ends at the look at which a growing one does
    found = [
        duet_decided([noise(draw) for _ in range(LOOKS[-1])], LEVEL, 0)[0] for _ in range(1000)
    ]
    differ = found.count("faster") + found.count("slower")
    # 5 %, and three standard deviations
    assert found.count("undecided") == 1000 - differ and 10 <= differ <= 50 + 21


def test_a_difference_of_three_percent_is_found_and_none_is_said_to_be_none():
    draw = random.Random(2)
    three = [verdict([0.03 + noise(draw) for _ in range(LOOKS[-1])], 0.02) for _ in range(100)]
    assert {found for found, _ in three} == {"faster"} and max(n for _, n in three) <= 20
    none = [verdict([noise(draw) for _ in range(LOOKS[-1])], 0.02)[0] for _ in range(100)]
    assert none.count("same") >= 95


@pytest.mark.parametrize(("truth", "found"), [(0.05, "faster"), (-0.05, "slower"), (0, "same")])
def test_a_round_spoiled_by_a_factor_of_ten_changes_no_verdict(truth, found):
    draw = random.Random(3)
    series = [truth + draw.gauss(0, 0.008) for _ in range(LOOKS[-1])]
    assert verdict(series, 0.02)[0] == found
    for at in range(12):
        for factor in (10, 0.1):
            spoiled = [x + math.log(factor) * (i == at) for i, x in enumerate(series)]
            assert verdict(spoiled, 0.02)[0] == found


def test_several_benchmarks_share_the_level():
    eight = [0.05, 0.06, 0.04, 0.05, 0.05, 0.06, 0.04, 0.05]
    assert verdict(eight + eight, level=LEVEL / 2) == ("faster", 12)


def a_round(old=(1000, 1.0), new=(1000, 1.0), control=False, row=None):
    row = row or {"engine": "lmdb"}
    return DuetRound(control, "0", PlayedRound(1, (old[0], new[0]), (old[1], new[1]), (row, row)))


def test_a_round_is_operations_per_cpu_second_new_by_old():
    one = a_round(old=(1000, 1.0), new=(1100, 1.1))
    assert one.by_cpu == pytest.approx(0) and one.by_rate == pytest.approx(math.log(1.1))
    assert a_round(new=(1000, 0.5)).by_cpu == pytest.approx(math.log(2))
    assert one.old_part == pytest.approx(1 / 2.1)


def cautions(rounds, writes=False, row=None):
    return duet.duet_cautions(
        DuetPoint("readrandom", 1, writes, rounds), 0.01, row or {"engine": "lmdb"}
    )


def test_cautions():
    even = [a_round(new=(1000 + i, 1.0)) for i in range(12)]
    assert cautions(even) == []
    # a control without an interval says nothing; of six that all differ it does
    unlike_itself = [a_round(new=(1100 + i, 1.0), control=True) for i in range(6)]
    assert cautions(even + unlike_itself[:5]) == []
    assert "the control differs from itself: 10." in cautions(even + unlike_itself)[0]
    told = cautions([a_round(old=(1000 + i, 1.0), new=(1300, 1.3)) for i in range(12)])
    assert len(told) == 2 and "0.435 of the CPU time" in told[0] and "by rate it is 29." in told[1]
    assert "LSM" in cautions(even, True, {"engine": "rocksdb"})[0]
    assert cautions(even, False, {"engine": "rocksdb"}) == []
    blocked = {"off_cpu_us_per_op": 6, "runnable_us_per_op": 4, "ops_per_sec": 1e5, "threads": 1}
    assert "waited up to 20 % of the time" in cautions([a_round(row=blocked), *even])[0]


@pytest.mark.parametrize(("column", "value", "reason"), [
    ("engine", "lmdb", "engine is leveldb on the old side and lmdb on the new"),
    ("durability", "none", "durability is async"), ("durability_effective", "sync", "durability_e"),
    ("memory_limit_kb", 1024, "memory_limit_kb is none"), ("cache_bytes", 8, "cache_bytes is 1")])
def test_sides_that_differ_in_more_than_their_version_are_refused(column, value, reason):
    old = {"engine": "leveldb", "durability": "async", "durability_effective": "async",
           "memory_limit_kb": None, "cache_bytes": 1}
    assert why_no_duet(old, {**old, "engine_version": "2"}) is None
    assert reason in why_no_duet(old, {**old, column: value})


def test_durability_sync_is_refused():
    synced = {"engine": "lmdb", "durability_effective": "sync"}
    assert "at durability sync a device decides" in why_no_duet(synced, synced)


def test_waits_are_for_something_else_than_a_core():
    row = {"off_cpu_us_per_op": 6, "runnable_us_per_op": 5, "ops_per_sec": 1e5, "threads": 2}
    assert duet_waits(row) == pytest.approx(0.05)
    assert duet_waits({**row, "runnable_us_per_op": None}) == 0
    # of updates the columns are of each call
    assert duet_waits({**row, "ops": 10, "reads": 10, "writes": 5}) == pytest.approx(0.075)
    # two threads wait for each other, unless they read from a device
    slow = {**row, "off_cpu_us_per_op": 8}
    assert duet_waits(slow) == pytest.approx(0.15)
    assert [duet.duet_waits_for_device(one) for one in (
        row, slow, {**slow, "threads": 1}, {**slow, "io_read_bytes": 4096},
        {**slow, "syncs_per_commit": 1})] == [False, False, True, True, True]


@pytest.mark.parametrize("argument", [
    "--rate=5", "--write-rate=5", "--hdr=x", "--slow_calls=3", "--metric=p99", "--cold=1",
    "--db=x", "--pin_threads=0", "--duration=3", "--within=", "--verbose", "out"])
def test_refused_arguments(argument):
    with pytest.raises(Failure) as failure:
        duet.duet_options(["--out=x", "--old=a", "--new=b", argument])
    assert failure.value.status == 2


def test_options_go_to_both_programs():
    found = duet.duet_options(["--out=x", "--old=a", "--new=b", "--num=5", "--threads=2"])
    assert found.further == ["--num=5"] and found.threads == "2"


def test_copies_that_do_not_fit_in_memory_are_refused(tmp_path, monkeypatch):
    (tmp_path / "data").write_bytes(b"x" * 100000)
    side = duet.RoundSide("a", "a", (), str(tmp_path))
    monkeypatch.setattr(duet, "_duet_free_memory", lambda: 1e6)
    duet._check_duet_fits((side, side), None)
    monkeypatch.setattr(duet, "_duet_free_memory", lambda: 2e5)
    with pytest.raises(Failure, match="a smaller --num"):
        duet._check_duet_fits((side, side), None)


def progress_file(path, began=1, ended=0, measuring=(1, 1), process=None):
    header = (128, 256, 2, process or os.getpid(), 1, began, ended)
    data = struct.pack("=7Q", *header).ljust(128, b"\0")
    for thread in (0, 1):
        data += struct.pack("=QQB", 100 + thread, 7, measuring[thread]).ljust(256, b"\0")
    path.write_bytes(data)
    return str(path)


def test_progress_is_read_while_all_threads_measure(tmp_path):
    path = tmp_path / "progress"
    assert duet_round.read_round_progress(str(path), 2) is None
    before = time.process_time()
    found = duet_round.read_round_progress(progress_file(path), 2)
    assert found.ops == 201 and before <= found.cpu_s <= time.process_time()
    assert duet_round.read_round_progress(progress_file(path), 1).ops == 100
    for other in ({"began": 0}, {"ended": 5}, {"measuring": (1, 0)}, {"process": 2**22 - 1}):
        assert duet_round.read_round_progress(progress_file(path, **other), 2) is None


def test_a_program_that_cannot_start_is_said_in_a_line(tmp_path):
    with pytest.raises(Failure, match=r"cannot start .*: Permission denied"):
        duet_round.start_in_round([str(tmp_path)], str(tmp_path / "output"))


def test_lines_and_reports():
    options = DuetOptions(out="x", old="a", new="b")
    rounds = [a_round(new=(961 + i, 1.0)) for i in range(8)] + [a_round(control=True)]
    point = DuetPoint("readrandom", 2, False, rounds, 21.4)
    point.found = duet_decided(point.series("by_cpu"), LEVEL, 0.02)
    assert duet.duet_line(point, "a", "b", 2) == ("readrandom, 2 threads: b is 3.6 % slower than a"
                                                  " (-3.9 to -3.2 %), after 8 rounds and 21 s")
    report = duet.duet_report(point, "a", "b", options)
    assert report["verdict"] == "slower" and report["ratio"] == pytest.approx(0.9645, abs=1e-3)
    assert report["ratio_low"] < report["ratio"] < report["ratio_high"] and report["rounds"] == 8
    assert report["control_rounds"] == 1 and report["control_ratio"] == 1
    lines = duet.duet_rounds([point])
    assert len(lines) == 10 and [*lines[9][:4]] == ["readrandom", 2, 9, 1]
    point.found = ("same", point.found[1])
    assert "b is as fast as a within 2 %" in duet.duet_line(point, "a", "b", 2)


def test_a_round_in_which_one_side_is_late_is_repeated_twice_at_most(tmp_path, monkeypatch):
    played = a_round().played
    rounds = [None, None, played, None, played, None, None, None]
    monkeypatch.setattr(duet, "play_round", lambda *_: rounds.pop(0))
    side = duet_round.RoundSide("a", "a", [], None)
    place = str(tmp_path)
    running = duet.Duet(DuetOptions(out=place), (side, side), [0], place, place,
                        random.Random(1), LEVEL)
    point = DuetPoint("readrandom", 1, False)
    for repeated in (2, 3):
        point.rounds.append(running.play(point))
        assert point.repeated == repeated
    assert duet.duet_report(point, "a", "b", DuetOptions())["repeated_rounds"] == 3
    with pytest.raises(Failure, match=r"together for less than 0\.125 s, 3 times"):
        running.play(point)
    with open(f"{place}/results.json", encoding="utf-8") as file:
        assert len(file.readlines()) == 4


@pytest.mark.parametrize("off, runnable, waits", [
    (60, 10, 0.5), (10, 60, 0), (None, 1, 0), (1, None, 0)])
def test_a_thread_waits_for_what_is_not_a_core(off, runnable, waits):
    row = {"off_cpu_us_per_op": off, "runnable_us_per_op": runnable, "ops_per_sec": 20000,
           "threads": 2}
    assert duet_waits(row) == waits


@pytest.mark.parametrize("off, columns, device", [
    (100, {}, False), (101, {}, True), (101, {"threads": 2, "ops_per_sec": 2000}, False),
    (101, {"threads": 2, "ops_per_sec": 2000, "io_read_bytes": 1}, True),
    (101, {"threads": 2, "ops_per_sec": 2000, "syncs_per_commit": 0.05}, True),
    (101, {"threads": 2, "ops_per_sec": 2000, "syncs_per_commit": 0.04}, False)])
def test_a_device_is_waited_for_more_than_a_tenth(off, columns, device):
    row = {"off_cpu_us_per_op": off, "runnable_us_per_op": 0, "ops_per_sec": 1000, "threads": 1}
    assert duet.duet_waits_for_device({**row, **columns}) == device


def played(old, new, control=False, waited=0):
    """A round of 2 s with those rates by CPU time, of which the new side had 1.1 s."""
    row = {"off_cpu_us_per_op": waited, "runnable_us_per_op": 0, "ops_per_sec": 1000, "threads": 1}
    return DuetRound(control, "0", PlayedRound(2, (old * 0.9, new * 1.1), (0.9, 1.1),
                                                (row, row)))


def test_a_report_has_both_ratios_with_their_ends():
    point = DuetPoint("readrandom", 2, False, took_s=12.34, repeated=3, warnings=["w"])
    for at, new in enumerate((110, 112, 108, 111, 109, 113, 107, 110)):
        point.rounds += [played(100, new), played(100, 100 + at % 3, control=True)]
    told = duet.duet_report(point, "o", "n", DuetOptions(seconds="2", within="3"))
    assert [told[c] for c in ("old", "new", "benchmark", "threads", "within_percent", "rounds",
                              "repeated_rounds", "control_rounds", "seconds", "took_s",
                              "warnings")] == \
        ["o", "n", "readrandom", 2, 3, 8, 3, 8, 2, 12.3, ["w"]]
    assert told["ratio"] == pytest.approx(1.1, abs=0.005)
    assert told["rate_ratio"] == pytest.approx(1.1 * 1.1 / 0.9, abs=0.01)
    for of in ("ratio", "rate_ratio"):
        assert told[of + "_low"] < told[of] < told[of + "_high"]
    assert 1 <= told["control_low"] < told["control_ratio"] < told["control_high"] < 1.02
    assert told["old_part"] == pytest.approx(0.45)
    assert 0.01 < told["round_deviation"] < 0.03


def test_cautions_of_waits_of_controls_and_of_a_part():
    point = DuetPoint("readrandom", 1, True)
    for new in (110, 112, 108, 111, 109, 113, 107, 110):
        point.rounds += [played(100, new, waited=300), played(100, 105, control=True)]
    point.found = duet_decided(point.series("by_cpu"), LEVEL, 0)
    told = duet.duet_cautions(point, LEVEL, {"engine": "leveldb"})
    assert told[0].startswith("the control differs from itself: 5.0 % (5.0 to 5.0 %)")
    assert told[1].startswith("the old side had 0.450 of the CPU time, not a half")
    assert told[2].startswith("by rate it is 34.4 % (")
    assert told[3].startswith("writes of an LSM tree:")
    assert told[4].startswith("its threads waited up to 30 % of the time for each other")
    point.writes = False
    assert not any("LSM" in line for line in duet.duet_cautions(point, LEVEL, {"engine": "lmdb"}))
    assert duet.duet_line(point, "o", "n", 2).startswith("readrandom, 1 thread: n is 10.0 % faster")


def test_processors_are_those_that_may_be_used(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {5, 3})
    assert duet.duet_cpus("") == [3, 5]
    assert duet.duet_cpus("5") == [5]
    with pytest.raises(Failure, match="--cpus: 4 may not be used; there are 3, 5"):
        duet.duet_cpus("3,4")


@pytest.mark.parametrize("used, limit, fits", [
    (80, None, True), (81, None, False), (16, 10 << 10, True), (17, 10 << 10, False),
    (80, 1000 << 10, True), (81, 1000 << 10, False)])
def test_both_copies_fit_into_most_of_the_memory_or_of_both_limits(monkeypatch, used, limit, fits):
    mib = 1 << 20
    monkeypatch.setattr(duet, "_duet_free_memory", lambda: 100 * mib)
    monkeypatch.setattr(duet, "_duet_size", lambda directory: directory * mib)
    sides = [duet.RoundSide("o", "p", (), used - 7), duet.RoundSide("n", "p", (), 7)]
    if fits:
        duet._check_duet_fits(sides, limit)
    else:
        with pytest.raises(Failure, match=f"copies of both databases take {used} MiB"):
            duet._check_duet_fits(sides, limit)


# ---- a round, without its programs

def a_setting(place="p", **columns):
    return duet_round.RoundSetting(**{
        "benchmark": "readrandom", "threads": 2, "cpus": (4, 5), "epoch": 7, "seconds": 1.0,
        "warmup": 0.2, "place": str(place), "shared": "s", **columns})


A_SIDE = duet_round.RoundSide("a", "./bench_a", ("--x=1",), "/db/a")
B_SIDE = duet_round.RoundSide("b", "./bench_b", ())


def test_a_side_is_told_its_round():
    assert duet_round._round_command(A_SIDE, 1, a_setting()) == [
        "./bench_a", "--x=1", "--db=p/1", "--use_existing_db=1", "--benchmarks=readrandom",
        "--threads=2", "--epoch=7", "--duration=1.0", "--warmup=0.2", "--barrier_file=p/barrier",
        "--barrier_clients=2", "--pin_threads=4,5", "--progress_file=s/1", "--label=a",
        "--repetition=7", "--json=p/1.json"]
    assert "--use_existing_db=1" not in duet_round._round_command(B_SIDE, 0, a_setting())


class Program:
    """One that runs for so many looks at it, and ends with a status."""

    def __init__(self, looks=99, status=0):
        self.looks, self.status, self.ended = looks, status, 0

    def poll(self):
        self.looks -= 1
        return self.status if self.looks < 0 else None

    def terminate(self):
        self.ended += 1

    def wait(self):
        return self.status


@pytest.mark.parametrize("looks, seen, found", [
    (99, "..obbo.b", (3, 4)), (99, "..b..b.", (2, 2)), (3, "....b", None),
    (99, "bbb...", (0, 2)), (2, "bbbbb", (0, 1))])
def test_of_a_round_the_time_counts_in_which_both_measure(monkeypatch, looks, seen, found):
    at = [-1]

    def read(path, threads):
        assert threads == 2
        number = int(path.removeprefix("s/"))
        at[0] += number == 0
        measures = seen[at[0]] == "b" or (seen[at[0]] == "o" and number == 0)
        return duet_round.RoundReading(10 * at[0] + number, at[0]) if measures else None
    monkeypatch.setattr(duet_round, "read_round_progress", read)
    monkeypatch.setattr(duet_round.time, "sleep", lambda _: None)
    monkeypatch.setattr(duet_round.time, "monotonic", lambda: at[0])
    running = [Program(), Program(looks)]
    expected = found and tuple((n, (10 * n, n), (10 * n + 1, n)) for n in found)
    assert duet_round._round_together(running, a_setting()) == expected


@pytest.fixture
def playing(monkeypatch):
    """Plays a round of programs that are none; what was done, in its order."""
    done = []

    def play(sides, order, both, programs, seconds=1.0):
        def row(side, number, process, place):
            done.append(f"row {side.label} {number}")
            if process.status:
                raise Failure(1, "failed")
            return {"of": side.label}
        monkeypatch.setattr(duet_round, "copy_for_round", lambda d, to: done.append(f"{d} {to}"))
        monkeypatch.setattr(duet_round, "start_in_round", lambda command, output: done.append(
            f"{command[0]} {output}") or programs[int(output[2])])
        monkeypatch.setattr(duet_round, "_round_together", lambda running, _: both)
        monkeypatch.setattr(duet_round, "_round_row", row)
        return duet_round.play_round(sides, a_setting(seconds=seconds), order)
    play.done = done
    return play


def test_a_round_is_what_both_did_while_both_measured(playing):
    both = (10.0, (100, 1.0), (1000, 5.0)), (10.5, (160, 1.25), (1300, 5.5))
    both = tuple((at, *(duet_round.RoundReading(*one) for one in of)) for at, *of in both)
    programs = {0: Program(), 1: Program()}
    found = playing((A_SIDE, B_SIDE), (1, 0), both, programs)
    assert found == (0.5, (60, 300), (0.25, 0.5), ({"of": "a"}, {"of": "b"}))
    # the second side is first, and stores nothing: only the other is copied
    assert playing.done == ["/db/a p/0", "./bench_b p/1.out", "./bench_a p/0.out", "row a 0",
                            "row b 1"]
    assert programs[0].ended == programs[1].ended == 1
    least = 0.5 / duet_round.LEAST_PART
    assert playing((A_SIDE, B_SIDE), (0, 1), both, programs, least)
    assert playing((A_SIDE, B_SIDE), (0, 1), both, programs, least * 1.01) is None
    assert playing((A_SIDE, B_SIDE), (0, 1), None, programs) is None


def test_of_a_round_in_which_one_fails_that_one_is_told(playing):
    programs = {0: Program(99), 1: Program(0, 3)}
    with pytest.raises(Failure, match="failed"):
        playing((A_SIDE, B_SIDE), (0, 1), None, programs)
    assert playing.done[-1] == "row b 1" and "row a 0" not in playing.done
    assert programs[0].ended == programs[1].ended == 1


@pytest.mark.parametrize("rows, status, found", [
    ([{"valid": 1, "n": 1}, {"valid": 1, "n": 2}], 0, 2),
    ([{"valid": 0, "invalid_reason": "late"}], 0, "a: invalid: late"),
    ([{"valid": 1}], 3, "a ended with status 3: why"),
    (None, 1, "a ended with status 1: why"), (None, 0, "a ended with status 0: why")])
def test_the_row_of_a_round_is_its_last_valid_one(tmp_path, rows, status, found):
    (tmp_path / "1.out").write_text("first\nwhy\n\n")
    if rows is not None:
        (tmp_path / "1.json").write_text("".join(
            json.dumps({"engine": "e", "benchmark": "b", **row}) + "\n" for row in rows))
    if isinstance(found, str):
        with pytest.raises(Failure, match=found):
            duet_round._round_row(A_SIDE, 1, Program(status=status), str(tmp_path))
    else:
        row = duet_round._round_row(A_SIDE, 1, Program(status=status), str(tmp_path))
        assert row["n"] == found


def test_a_copy_for_a_round_is_of_its_own_or_says_why_not(tmp_path):
    (tmp_path / "db").mkdir()
    (tmp_path / "db" / "data").write_text("x")
    duet_round.copy_for_round(str(tmp_path / "db"), str(tmp_path / "0"))
    assert (tmp_path / "0" / "data").read_text() == "x"
    with pytest.raises(Failure, match=r"cannot copy .*none: .*; make space"):
        duet_round.copy_for_round(str(tmp_path / "none"), str(tmp_path / "1"))


# ---- what is asked for, and what is prepared

@pytest.mark.parametrize("value, found", [("1", 1.0), ("0.2", 0.2), ("0.19", None), ("x", None),
                                          ("nan", None), ("1e6", None), ("999999", 999999.0)])
def test_numbers_of_a_duet_have_a_least(value, found):
    if found is not None:
        assert duet._duet_number("--seconds", value, 0.2) == found
        return
    with pytest.raises(Failure, match=r"--seconds: cannot read '.*'; give a number from 0.2"):
        duet._duet_number("--seconds", value, 0.2)


def test_a_side_is_a_program_with_options_of_its_own(tmp_path, monkeypatch):
    program = tmp_path / "bench_x"
    program.write_text("")
    program.chmod(0o755)
    monkeypatch.setattr(duet, "TOP", str(tmp_path))
    assert duet.duet_side("x+a=1+b", ["--num=9"]) == \
        ("x+a=1+b", str(program), ("--num=9", "--a=1", "--b"), None)
    assert duet.duet_side(f"{program}+a=1", [])[:3] == ("bench_x+a=1", str(program), ("--a=1",))
    for build, why in (("y", "y: bench_y does not exist; run make bench_y"),
                       ("/no/y", "/no/y does not exist; give the path of a program"),
                       ("x+pin-threads=2", "--pin_threads: .*; leave it out"),
                       ("x+barrier-file=f", "--barrier_file: .*; leave it out")):
        with pytest.raises(Failure, match=why):
            duet.duet_side(build, [])


def test_threads_of_a_duet_have_a_core_each(monkeypatch):
    monkeypatch.setattr(duet, "_duet_access", lambda _, name: "writes" if name == "w" else "reads")
    options = DuetOptions(benchmarks="r,w,r", threads="2,1,2")
    found = [point.name for point in duet._duet_points(options, A_SIDE, [0, 1])]
    assert found == ["r, 2 threads", "r, 1 thread", "w, 2 threads", "w, 1 thread"]
    assert [point.writes for point in duet._duet_points(options, A_SIDE, [0, 1])] == \
        [False, False, True, True]
    with pytest.raises(Failure, match="2 threads of each side need as many cores, and 1 may be"):
        duet._duet_points(options, A_SIDE, [0])


@pytest.mark.parametrize("engine, options, opens, loaded, databases", [
    ("null", (), True, [], (None, None)), ("lmdb", (), True, ["old"], ("old", "old")),
    ("lmdb", (), False, ["old", "new"], ("old", "new")),
    ("lmdb", ("--x=1",), True, ["old", "new"], ("old", "new"))])
def test_a_database_is_shared_by_sides_that_can_both_read_it(monkeypatch, engine, options, opens,
                                                             loaded, databases):
    made, tried = [], []
    monkeypatch.setattr(duet, "_duet_facts", lambda side, _: {"engine": engine,
                                                              "memory_limit_kb": 5})
    monkeypatch.setattr(duet, "_duet_done", lambda arguments, place: (0, ""))
    monkeypatch.setattr(duet, "_duet_opens", lambda side, database, place: tried.append(
        (side.label, database)) or opens)
    monkeypatch.setattr(duet, "_duet_load", lambda side, name, load, place, out: made.append(
        name) or side._replace(database=name))
    monkeypatch.setattr(duet, "_check_duet_fits", lambda sides, limit: made.append(limit))
    sides = B_SIDE._replace(label="old"), B_SIDE._replace(label="new", options=options)
    found = duet.prepared_duet(*sides, DuetOptions(load="l", out="o"), "p")
    assert [side.label for side in found] == ["old", "new"]
    assert tuple(side.database for side in found) == databases
    assert made == [*loaded, 5] or (made == [] and engine == "null")
    assert tried == ([] if engine == "null" or options else [("new", "old")])


def test_sides_that_differ_or_that_cannot_be_copied_are_refused(monkeypatch):
    facts = [{"engine": "lmdb"}, {"engine": "bdb"}]
    monkeypatch.setattr(duet, "_duet_facts", lambda side, _: facts[side is B_SIDE])
    with pytest.raises(Failure, match="engine is lmdb on the old side and bdb on the new"):
        duet.prepared_duet(A_SIDE, B_SIDE, DuetOptions(), "p")
    facts[1] = facts[0]
    monkeypatch.setattr(duet, "_duet_done", lambda arguments, place: (
        int(arguments[0] == "./bench_b"), "--copy_of: servers have none; more"))
    with pytest.raises(Failure, match=r"^b: servers have none: it cannot be copied for each round"):
        duet.prepared_duet(A_SIDE, B_SIDE, DuetOptions(), "p")


# ---- all rounds

@pytest.fixture
def rounds_of(tmp_path, monkeypatch):
    """A duet on three cores; what each round was given."""
    given = []

    def of(played=None, **options):
        def play(sides, setting, order):
            given.append((tuple(side.label for side in sides), setting.epoch, setting.cpus,
                          [*order]))
            return (played or a_round)().played
        monkeypatch.setattr(duet, "play_round", play)
        place = str(tmp_path)
        return duet.Duet(DuetOptions(out=place, seconds="2", **options), (A_SIDE, B_SIDE),
                         [3, 5, 7], place, place, random.Random(1), LEVEL)
    of.given = given
    return of


def test_each_fourth_round_has_the_old_side_twice_and_cores_alternate(rounds_of, tmp_path):
    running, point = rounds_of(), DuetPoint("readrandom", 2, False)
    for _ in range(8):
        point.rounds.append(running.play(point))
    assert [sides for sides, *_ in rounds_of.given] == \
        ([("a", "b")] * 3 + [("a", "a")]) * 2
    assert [epoch for _, epoch, *_ in rounds_of.given] == [*range(1, 9)]
    assert [cpus for *_, cpus, _ in rounds_of.given][:4] == [[3, 5], [5, 7], [7, 3], [3, 5]]
    assert {tuple(order) for *_, order in rounds_of.given} == {(0, 1), (1, 0)}
    assert [each.control for each in point.rounds] == ([False] * 3 + [True]) * 2
    assert point.rounds[1].cpus == "5,7"
    for name, lines in (("results", 12), ("control", 4)):
        assert len((tmp_path / f"{name}.json").read_text().splitlines()) == lines


def test_rounds_are_played_until_the_point_is_decided(rounds_of):
    running = rounds_of(lambda: a_round(new=(1100, 1.0)))
    point = DuetPoint("readrandom", 1, False)
    running.settle(point)
    # eight rounds, and two of the control
    assert point.found[0] == "faster" and len(point.rounds) == 10
    assert point.took_s > 0 and isinstance(point.warnings, list)


def test_a_round_that_waits_for_a_device_ends_the_duet(rounds_of):
    def waits():
        found = a_round()
        row = {"off_cpu_us_per_op": 60, "runnable_us_per_op": 10, "ops_per_sec": 10000,
               "threads": 1}
        return found._replace(played=found.played._replace(rows=(row, row)))
    with pytest.raises(Failure, match="readrandom, 1 thread: it waited 50 % of the time for"):
        rounds_of(waits).play(DuetPoint("readrandom", 1, False))


@pytest.mark.parametrize("verdicts, status", [("faster same", 0), ("same slower", 1),
                                              ("undecided", 0)])
def test_a_duet_leaves_its_rounds_and_verdicts_and_fails_if_something_is_slower(
        tmp_path, monkeypatch, capsys, verdicts, status):
    points = [DuetPoint(f"b{at}", 1, False) for at, _ in enumerate(verdicts.split())]
    levels, drawn = [], []

    def settle(self, point):
        levels.append(self.level)
        point.rounds = [a_round(new=(961 + i, 1.0)) for i in range(8)]
        point.found = (verdicts.split()[points.index(point)],
                       duet_decided(point.series("by_cpu"), LEVEL, 0.02)[1])
        point.warnings = ["why"]
    monkeypatch.setattr(duet.Duet, "settle", settle)
    monkeypatch.setattr(duet, "prepared_duet", lambda *of: of[:2])
    monkeypatch.setattr(duet, "plot_duet", lambda *of: drawn.append(of))
    options = DuetOptions(out=str(tmp_path))
    assert duet._run_duet(options, (A_SIDE, B_SIDE), points, [0]) == status
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == len(points) == said.err.count(", 1 thread: why\n")
    assert levels == [LEVEL / len(points)] * len(points)
    assert drawn == [(point, "a", "b", str(tmp_path)) for point in points]
    assert [one["verdict"] for one in json.loads((tmp_path / "duet.json").read_text())] == \
        verdicts.split()
    lines = [line.split("\t") for line in (tmp_path / "duet.tsv").read_text().splitlines()]
    assert lines[0] == [*duet.HEAD] and len(lines) == 1 + 8 * len(points)
    columns = dict(zip(lines[0], lines[1]))
    assert (columns["benchmark"], columns["round"], columns["control"], columns["old_ops"],
            columns["new_ops"], columns["rate_ratio"]) == ("b0", "1", "0", "1000", "961", "0.961")
    assert [entry for entry in os.listdir(tmp_path) if entry.startswith("databases-")] == []


@pytest.mark.parametrize("ends, given", [((-0.01, 0.02), ["-0.995", "2.0201"]), ((None, None), [])])
def test_a_picture_has_each_round_in_percent_and_the_interval(tmp_path, monkeypatch, ends, given):
    asked = []

    def run(command, check):
        with open(command[6], encoding="utf-8") as data:
            asked.append((command, data.read()))
        return SimpleNamespace(returncode=int(bool(len(asked) > 1)))
    monkeypatch.setattr(duet.subprocess, "run", run)
    monkeypatch.setattr(duet.shutil, "which", lambda _: "/bin/gnuplot")
    point = DuetPoint("b", 2, False, [a_round(new=(1100, 1.0)), a_round(control=True)])
    point.found = ("same", SimpleNamespace(low=ends[0], high=ends[1]))
    duet.plot_duet(point, "old", "new", str(tmp_path))
    (command, data), = asked
    assert command[4] == f"{tmp_path}/plots/duet-b-2t.svg"
    assert command[5] == "b, 2 threads: operations per CPU second of new, beside old"
    assert [f"{float(end):.6g}" for end in command[7:]] == [f"{float(end):.6g}" for end in [
        f"{100 * math.expm1(end)}" for end in ends if end is not None]] and len(given) == len(
            command[7:])
    assert [[float(f"{float(cell):.6g}") for cell in line.split("\t")]
            for line in data.splitlines()] == [[1, 10, 0], [2, 0, 1]]
    with pytest.raises(Failure, match=r"gnuplot could not draw .*duet-b-2t.svg"):
        duet.plot_duet(point, "old", "new", str(tmp_path))


@pytest.mark.parametrize("status, ends", [(2, 2), (1, 1), (139, 1)])
def test_a_program_that_is_refused_ends_the_duet_as_one_that_fails(
        tmp_path, monkeypatch, status, ends):
    said = tmp_path / "output"

    def start(command, output):
        said.write_text(f"bench_a: {' '.join(command[1:])}\n")
        return Program(status=status)
    monkeypatch.setattr(duet, "start_in_round", start)
    with pytest.raises(Failure) as end:
        duet._duet_row(A_SIDE, ["--num=9"], str(tmp_path), "row")
    assert (end.value.status, end.value.args[0]) == (
        ends, "a: --x=1 --label=a --json=row --num=9")


def test_facts_and_loads_are_asked_for_of_one_thread(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(duet, "_duet_row", lambda side, arguments, place, row: asked.append(
        (arguments, row)) or {})
    duet._duet_facts(A_SIDE, "P")
    loaded = duet._duet_load(B_SIDE, "old", "fill", "P", "O")
    assert loaded == B_SIDE._replace(database="P/old")
    assert asked == [(["--db=P/facts-db", "--benchmarks=fillseqbatch", "--num=100", "--threads=1"],
                      "P/facts.json"),
                     (["--db=P/old", "--benchmarks=fill", "--threads=1", "--settle=1"],
                      "O/loads.json")]


@pytest.fixture
def begun(tmp_path, monkeypatch):
    """What a duet of two programs is begun with."""
    for name in ("bench_x", "bench_y"):
        (tmp_path / name).write_text("")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setattr(duet, "TOP", str(tmp_path))
    monkeypatch.setattr(duet, "duet_cpus", lambda text: [3, 5])
    monkeypatch.setattr(duet, "_duet_access", lambda side, name: f"{side.label} {name}"[2:])
    monkeypatch.setattr(duet.signal, "signal", lambda *_: None)
    monkeypatch.setattr(duet, "_run_duet", lambda *of: given.append(of) or 7)
    given = []

    def of(*arguments):
        status = duet.main([f"--out={tmp_path}/out", "--old=x", "--new=y", *arguments])
        return status, given[-1]
    return of


def test_a_duet_is_of_both_sides_all_points_and_all_cores(begun, tmp_path):
    status, (options, sides, points, cpus) = begun("--threads=1,2", "--num=9")
    assert status == 7 and options.out == f"{tmp_path}/out" and cpus == [3, 5]
    assert [(side.label, side.options) for side in sides] == [
        ("x", ("--num=9",)), ("y", ("--num=9",))]
    assert [point.name for point in points] == ["readrandom, 1 thread", "readrandom, 2 threads"]
    (tmp_path / "out" / "results.json").write_text("")
    with pytest.raises(Failure, match="has results; give another one"):
        begun()


@pytest.mark.parametrize("argument, why", [
    ("--within=0", "--within: cannot read '0'; give a number from 0.1"),
    ("--seconds=0.1", "--seconds: cannot read '0.1'; give a number from 0.2"),
    ("--warmup=-1", "--warmup: cannot read '-1'; give a number from 0"),
    ("--seed=x", "--seed: cannot read 'x'"), ("--threads=0", "--threads: cannot read '0'"),
    ("--threads=3", "3 threads of each side need as many cores, and 2 may be used"),
    ("--old=z", "z: bench_z does not exist"), ("x", "cannot read 'x'"),
    ("--rate=5", "--rate: in an open loop the rate is given")])
def test_what_a_duet_refuses_before_it_begins(begun, argument, why):
    with pytest.raises(Failure) as end:
        begun(argument)
    assert why in end.value.args[0] and end.value.status == 2
