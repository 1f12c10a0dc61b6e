"""The order of engines: what rounds can tell, and what a busy machine leaves of it."""
from types import SimpleNamespace

import pytest
from reading import quickstart

# how fast the machine was in each round
ROUNDS = (1.0, 0.2, 0.5, 3.0, 0.9, 0.1)


def rounds(label, rate, n=6, wait=0.0, cpu=1.0, threads=1, **columns):
    """A row for each round, in which `wait` of the time was spent waiting for a core."""
    return [{"label": label, "engine": label, "benchmark": "readrandom", "threads": threads,
             "valid": 1, "iteration": i + 1, "reads": 9,
             "ops_per_sec": rate * ROUNDS[i] * (1 + i / 99),
             "cpu_us_per_op": cpu, "runnable_us_per_op": cpu * wait / (1 - wait),
             "time": f"2026-01-31T12:00:0{i}Z", **columns} for i in range(n)]


def places(*rows, busy=False):
    return [(one.place, one.label) for one in quickstart.quickstart_places(rows, busy)]


def noisy(label, rate, *factors):
    rows = rounds(label, rate)
    for row, factor in zip(rows, factors):
        row["ops_per_sec"] *= factor
    return rows


def test_engines_that_differ_in_each_round_have_places_of_their_own():
    assert places(*rounds("b", 100), *rounds("a", 111), *rounds("c", 50)) == [
        (1, "a"), (2, "b"), (3, "c")]


def test_engines_that_are_less_than_a_tenth_apart_share_a_place():
    assert places(*rounds("b", 100), *rounds("a", 109), *rounds("c", 98)) == [
        (1, "a"), (1, "b"), (3, "c")]
    assert quickstart.quickstart_text([*rounds("a", 109), *rounds("b", 100)])[0].startswith(
        "readrandom, 1 thread: 2 engines share the first place with")


def test_engines_share_the_place_of_the_first_that_they_cannot_be_told_from():
    first = rounds("a", 100)
    like = noisy("b", 98, 1.1, 0.9, 1.05, 0.97, 1.1, 0.95)
    assert places(*first, *like, *rounds("c", 50)) == [(1, "a"), (1, "b"), (3, "c")]
    assert places(*like, *rounds("c", 50), *noisy("d", 50, 0.9, 1.01, 0.9, 1.02, 0.9, 0.9)) == [
        (1, "b"), (2, "c"), (2, "d")]
    assert places(*first, *rounds("b", 50, n=5)) == [(1, "a"), (1, "b")]
    assert places(*first, *rounds("null", 900), *rounds("aio", 800)) == [(1, "a")]


@pytest.mark.parametrize("threads", [1, 4])
def test_on_a_busy_machine_engines_are_ranked_by_their_cpu_time(threads):
    rows = [*rounds("a", 100, cpu=4.0, threads=threads), *rounds("b", 50, cpu=2.0, threads=threads)]
    assert places(*rows) == [(1, "a"), (2, "b")]
    assert places(*rows, busy=True) == [(1, "b"), (2, "a")]


def test_a_background_writer_s_share_differs_so_that_rates_rank_engines():
    for calls in ({}, {"reads": 0, "scans": 9}):
        rows = [*rounds("a", 100, cpu=4.0, writes=9, benchmark="readwhilewriting", **calls),
                *rounds("b", 50, cpu=2.0, writes=9, benchmark="readwhilewriting", **calls)]
        assert places(*rows, busy=True) == [(1, "a"), (2, "b")]
    assert places(*({**row, "benchmark": "updaterandom"} for row in rows), busy=True) == [
        (1, "b"), (2, "a")]


@pytest.mark.parametrize("wait, busy", [(0.05, False), (0.5, True)])
def test_the_machine_is_busy_if_a_single_thread_waits_for_a_core(wait, busy):
    text = quickstart.quickstart_text([*rounds("a", 100, wait=wait),
                                       *rounds("a", 100, wait=0.9, threads=16)])
    assert ("ops/CPU s" in text[1]) is busy
    assert ("CPU us/op" in text[1]) is busy
    assert text[-1].startswith("- the machine was busy: a single thread waited 50 %") is busy


def test_the_headline_has_who_leads_and_its_interval_or_who_shares_the_first_place():
    def headline(*rows):
        return quickstart.quickstart_headline(quickstart.quickstart_places(rows, False))

    lead = headline(*rounds("a", 200), *rounds("b", 100, steady=0))
    assert lead == ("readrandom, 1 thread: a leads with 145 operations/s, 2 times b"
                    " (95 % interval 2 to 2, 6 rounds). But b: not steady in 6 of 6 runs.")
    assert "2 engines share the first place with" in headline(*rounds("a", 2), *rounds("b", 2))
    assert headline(*rounds("a", 200, n=1)).endswith("a does 200 operations/s.")


def test_a_warning_of_all_rows_is_one_line():
    rows = [row for label in "abc" for row in rounds(label, 100, emulated="scans")]
    for i, row in enumerate(rows):
        row["warnings"] = f"other processes used {60 + i} % of the CPU time"
    said = [line for line in quickstart.quickstart_text(rows) if line.startswith("- ")]
    assert said == ["- warning, 18 of 18 rows: up to: other processes used 77 % of the CPU time"
                    " (a, b, c)"]


def test_loads_have_no_table():
    load = rounds("a", 9, n=1, benchmark="fillseq", reads=0)
    text = quickstart.quickstart_text([*rounds("a", 1), *load])
    assert not any("fillseq" in line for line in text)


def test_invalid_rows_have_no_place():
    text = quickstart.quickstart_text([*rounds("a", 1),
                                       *rounds("b", 9, n=1, valid=0, invalid_reason="lost 3")])
    assert text[0].startswith("readrandom, 1 thread: a does")
    assert text[-1] == "- invalid: b readrandom: lost 3"


def test_a_place_that_is_shared_stands_once():
    runs = {"rows": [{"cpu_us_per_op": 2}], "by_cpu": False}
    alone = SimpleNamespace(ratio_low=None)
    ranked = [SimpleNamespace(place=place, label=label, rate=rate, alone=alone, **runs)
              for place, label, rate in ((1, "a", 200), (1, "b", 150), (3, "c", 100))]
    lines = quickstart.quickstart_table(ranked, True)
    assert [line.split() for line in lines[1:]] == [
        ["1", "a", "200", "-", "100", "%", "2"], ["b", "150", "-", "75", "%", "2"],
        ["3", "c", "100", "-", "50", "%", "2"]]
    assert lines[0].split()[-2:] == ["CPU", "us/op"]
    assert "CPU" not in quickstart.quickstart_table(ranked, False)[0]
