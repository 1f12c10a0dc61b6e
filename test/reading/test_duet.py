"""Two versions at the same time: verdicts on series of rounds, what is refused and what is told."""
import math
import os
import random
import struct
import time

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
    with pytest.raises(Failure, match=r"together for less than 0\.25 s, 3 times"):
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
