"""Verdicts: of rounds, of a busy time, of parts."""
from reading.claim_verdicts import (
    Claim,
    ClaimAnswer,
    JudgedRun,
    Part,
    Verdict,
    View,
    our_verdict,
    published_verdict,
)


def answers(*holds, names=(None,), rule="all"):
    return {"T": ClaimAnswer([Part(name, hold, "n") for name, hold in zip(names, holds)], rule)}


def claim(shape="O", where="ours", **more):
    return Claim("T", "d", "said", "", shape, where, "", **more)


def run(rounds, quiet=None, rows=40, taken=0, **more):
    """All rows hold; those of each round as they are given, and in quiet."""
    views = [View(answers(every), answers(calm))
             for every, calm in zip(rounds, quiet or rounds)]
    return JudgedRun(View(answers(True), answers(True)), views, rows, taken, **more)


def test_an_order_needs_three_rounds_that_agree():
    assert our_verdict(claim(), run([True] * 3)).verdict == "holds"
    assert our_verdict(claim(), run([True] * 2)).reason == (
        "an order needs three rounds, and here are 2")
    assert our_verdict(claim(), run([True, True, False])).reason == (
        "the rounds differ: it holds in 2 of 3 rounds")
    assert our_verdict(claim("N"), run([None, True, None])).reason == "2 of 3 rounds cannot tell"
    assert our_verdict(claim("N"), run([True])).verdict == "holds"


def test_rows_of_a_busy_time_do_not_turn_a_round_but_of_counts():
    found = run([True, True, False, True], [True] * 4, taken=1)
    verdict = our_verdict(claim(), found)
    assert (verdict.verdict, verdict.rounds) == ("holds", 4)
    assert our_verdict(claim(counts=True), found).reason == (
        "the rounds differ: it holds in 3 of 4 rounds")
    assert our_verdict(claim(), run([True] * 5, [None] * 3 + [True] * 2, taken=1)).reason == (
        "an order needs three rounds, and in 3 of 5 the hypervisor took more than 3 % of the CPU")


def test_a_busy_run_and_a_small_one_decide_nothing_but_counts():
    assert our_verdict(claim(), run([True] * 3, taken=3)).reason == (
        "of the run's 40 rows 3 were measured while the hypervisor took more than 3 % of the CPU")
    assert our_verdict(claim(counts=True), run([True] * 3, taken=3)).verdict == "holds"
    assert our_verdict(claim(counts=True), run([True] * 3, scale="small")).verdict == "open"


def test_the_first_part_decides_or_all_of_them():
    def verdict(rule):
        of = answers(True, False, names=("a", "b"), rule=rule)
        return our_verdict(claim("N"), JudgedRun(View(of, of), [View(of, of)], 1, 0))

    assert verdict("first").verdict == "holds"
    assert verdict("first").numbers == "a: n; b: does not hold, n"
    assert verdict("all").verdict == "depends"


def test_a_part_that_only_rows_of_a_busy_time_have_is_open():
    both, one = answers(True, True, names=("a", "b")), answers(True, names=("a",))
    verdict = our_verdict(claim("N"), JudgedRun(View(both, one), [View(both, one)], 100, 1))
    assert verdict.verdict == "holds"
    assert verdict.numbers == (
        "a: n; b: undecided, n; it rests on rows that were measured while the hypervisor took more"
        " than 3 % of the CPU")


def test_a_verdict_is_written_with_the_rounds_of_its_kind():
    one = Verdict("holds", "1", None, "a", 3)
    assert one.as_dict() == {"verdict": "holds", "name": "a", "rounds": 3, "numbers": "1",
                             "reason": None}
    assert "rounds" not in Verdict("open", "1", "why", "a").as_dict()
    assert Verdict("depends", "2", None, rounds=4, parts=[one]).as_dict() == {
        "verdict": "depends", "rounds": 4, "parts": [one.as_dict()], "numbers": "2",
        "reason": None}
    assert Verdict("open", "", "why", parts=[]).as_dict() == {
        "verdict": "open", "parts": [], "numbers": "", "reason": "why"}


def test_each_reason_is_told_with_the_parts_that_have_it():
    def undecided(rule, *parts):
        of = {"T": ClaimAnswer([Part(name, None, why) for name, why in parts], rule)}
        return published_verdict(claim(where="both"), of)

    parts = (("a", "x"), ("b", "y"), ("c", "x"))
    assert undecided("all", *parts).reason == "a, c: x; b: y"
    assert undecided("first", *parts).reason == "x"
    assert undecided("all", (None, "x"), ("b", "y")).reason == "x; b: y"


def test_what_the_published_figures_cannot_decide_has_its_reason():
    of = {"T": ClaimAnswer([Part(None, True, "n")], "all")}
    assert published_verdict(claim(), of).reason == "no figure is printed that decides it"
    assert published_verdict(claim(reason="why"), of).reason == "why"
    assert published_verdict(claim(where="both"), of).verdict == "holds"
    found = our_verdict(claim(where="published"), run([True]))
    assert (found.verdict, found.reason) == ("open", "it is about the published figures")
