"""Answers: who leads, by how much, how sure that is and what limited it, also of ties and of what
is undecided."""

from types import SimpleNamespace

import pytest
from reading import limits
from reading.claim_verdicts import Claim, Judged, Verdict
from reading.points import as_points
from reading.publications import optane_2018, ucsb_2022, voron_2013
from reading.reproduction_answers import (
    AnswerDoubt,
    RoundFigure,
    answer_how_sure,
    answer_lines,
    answer_ratios,
    lead_sentence,
    leads_question,
    multiples_panel,
    next_to_leaders,
    question_of_claim,
    sweep_over,
    who_led,
)
from reading.text import number, round_to, times


def of(label, *values):
    """A figure in each of three short rounds."""
    return [RoundFigure(label, value, n, 0.5, "cpu") for n, value in enumerate(values, 1)]


CLEAR = of("a", 200, 150, 300) + of("b", 100, 100, 100)
CLOSE = of("a", 200, 150, 300) + of("b", 160, 100, 100) + of("c", 50, 50, 50)
THERE = [RoundFigure("b", 5), RoundFigure("a", 4)]
WON = [RoundFigure("z", 9)]
ROUNDS = "in 3 rounds of 0.5 s"
LEAD = f"**a** wins: 200/s, 2.0 x the second, b (1.5 to 3.0 x {ROUNDS})"
SURE = f"150/s to 300/s {ROUNDS}; limited by CPU; factor over b 1.5 to 3.0 x"
BEFORE = "b, 5/s, 1.3 x the second (a, 4/s)"


def test_a_lead_has_its_factor_its_range_and_its_limit():
    assert lead_sentence(CLEAR, "wins", "/s", "") == LEAD + ", limited by CPU"
    long = [figure._replace(limit="unknown", seconds=2) for figure in CLEAR]
    assert lead_sentence(long, "wins", "/s", "b") == (
        "**a** wins: 200/s, 2.0 x the second, b (1.5 to 3.0 x in 3 rounds), "
        "what limits it is not recorded. There b")
    assert lead_sentence([], "wins", "/s", "b") == "nothing was measured that wins. There b"


def test_a_tie_tells_both_ranges_and_who_comes_next():
    assert lead_sentence(CLOSE, "wins", "/s", "") == (
        "**a** or **b** wins, a tie: 200/s (150 to 300) and 100/s (100 to 160), whose ranges meet "
        f"{ROUNDS}, limited by CPU; then c, 50/s")
    question = leads_question("wins", "/s", THERE, CLOSE)
    assert question.word == "cannot be told apart here"
    assert question.here == (
        "a 200/s and b 100/s tie: their ranges meet; then c (not there) 50/s")
    assert question.here_sure == f"a 150/s to 300/s, b 100/s to 160/s {ROUNDS}; limited by CPU"


def test_where_nothing_limits_alone_cpu_and_device_are_told_if_they_are_known():
    def limited(cpu, device):
        return lead_sentence([figure._replace(limit="unclear", cpu=cpu and figure.round * 0.1 + cpu,
                                      device=device and figure.round * 0.1 + device)
                              for figure in CLEAR], "wins", "/s", "").removeprefix(LEAD + ", ")

    assert limited(0.5, 0.2) == (
        "limited by CPU and device, neither alone (CPU 70 %, device 40 %)")
    assert limited(0.2, 0.2) == "no single limit (CPU 40 %, device 40 %)"
    assert limited(None, 0.2) == "no single limit (device 40 %)"
    assert limited(None, None) == "no single limit"


def test_sides_that_lead_otherwise_are_not_as_there():
    question = leads_question("wins", "/s", THERE, CLEAR)
    assert question.sentence == f"{LEAD}, limited by CPU. There {BEFORE}"
    assert question.word == "another engine"
    assert question.here == "a, 200/s, 2.0 x the second (b, 100/s)"
    assert question.here_sure == SURE


def test_a_doubt_is_told_before_what_was_seen():
    apart = leads_question("wins", "/s", THERE, CLEAR, AnswerDoubt(apart="none looked"))
    assert apart.sentence == (
        f"{LEAD}, limited by CPU. There {BEFORE}. Not compared: none looked")
    assert apart.word == "not compared"
    assert apart.here == "none looked. Here: a, 200/s, 2.0 x the second (b, 100/s)"
    doubt = leads_question("wins", "/s", THERE, CLEAR, AnswerDoubt(doubt="none looked"))
    assert doubt.sentence == (
        f"not decided (none looked). Seen only: {LEAD}, limited by CPU. There {BEFORE}")
    assert doubt.word == "undecided"
    assert doubt.here == "none looked. Seen only: a, 200/s, 2.0 x the second (b, 100/s)"
    assert apart.here_sure == doubt.here_sure == SURE


def test_who_is_of_one_side_alone_is_told_and_does_not_decide():
    question = leads_question("wins", "/s", WON + THERE, CLEAR + of("c", 400, 400, 400))
    z = f"z (not run here), 9/s, 1.8 x the second (b, 5/s); of those run here: {BEFORE}"
    assert question.word == "another engine (without z)"
    assert question.there == z
    assert question.here == (
        "c (not there), 400/s, 2.0 x the second (a, 200/s); of those there: a, 200/s, 2.0 x the "
        "second (b, 100/s); b, first there of those run here, is 3rd with 100/s")
    assert question.here_sure == (
        "400/s in each of 3 rounds of 0.5 s; limited by CPU; factor over a 1.3 to 2.7 x")
    assert question.sentence == (
        f"**c** wins: 400/s, 2.0 x the second, a (1.3 to 2.7 x {ROUNDS}), limited by CPU. "
        f"There {z}; here b is 3rd with 100/s")


def test_who_won_there_has_its_place_here():
    question = leads_question("wins", "/s", [RoundFigure("c", 9), *THERE],
                              CLEAR + of("c", 50, 50, 50))
    assert question.word == "another engine"
    assert question.here == (
        "a, 200/s, 2.0 x the second (b, 100/s); c, first there, is 3rd with 50/s")
    assert question.sentence == (
        f"{LEAD}, limited by CPU. There c, 9/s, 1.8 x the second (b, 5/s); here c is 3rd with "
        "50/s")


def test_settings_of_one_engine_are_no_rivals_of_each_other():
    tied, ahead = CLEAR + of("a+x=1", 190, 160, 310), CLEAR + of("a+x=1", 900, 800, 900)
    assert lead_sentence(tied, "wins", "/s", "") == (
        f"**a** wins: 200/s by default, 2.0 x the next engine, b (1.5 to 3.0 x {ROUNDS}), limited "
        "by CPU; a 190/s with x=1")
    assert who_led(answer_lines(tied), "/s", ["a", "b"], "not there") == (
        "a, 200/s by default, 2.0 x the next engine (b, 100/s); a 190/s with x=1")
    assert lead_sentence(ahead, "wins", "/s", "") == (
        f"**a+x=1** wins: 900/s, 9.0 x the next engine, b (8.0 to 9.0 x {ROUNDS}), limited by CPU")
    assert who_led(answer_lines(ahead), "/s", ["a", "b"], "not there") == (
        "a+x=1 (not there), 900/s, 9.0 x the next engine (b, 100/s)")


def test_who_comes_next_is_the_first_that_does_not_lead_wherever_those_that_do_stand():
    wide = of("a", 100, 90, 110) + of("b", 80, 78, 82) + of("c", 70, 50, 95) + of("d", 40, 40, 40)
    assert next_to_leaders(answer_lines(wide)).label == "b"
    settings = of("a", 100, 60, 110) + of("b", 55, 54, 56) + of("a+x=1", 50, 40, 61)
    assert next_to_leaders(answer_lines(settings)).label == "b"


def test_the_same_lead_by_much_more_or_less_depends():
    here = of("a", 400, 500, 450) + of("b", 100, 100, 100)
    words = [leads_question("wins", "/s", [RoundFigure("a", factor), RoundFigure("b", 1)],
                            here).word
             for factor in (20, 1.5, 4)]
    assert words == ["the same engine, by a smaller factor", "the same engine, by a larger factor",
                     "as there"]


@pytest.mark.parametrize("there, here, doubt, word, kind", [
    (THERE, CLEAR, {"doubt": "none looked"}, "undecided", "open"),
    (THERE, CLEAR, {"apart": "none looked"}, "not compared", "open"),
    (THERE, CLEAR, {"doubt": "none looked", "apart": "nor there"}, "undecided", "open"),
    (THERE, CLEAR, {}, "another engine", "fails"),
    ([RoundFigure("a", 2), RoundFigure("b", 1)], CLOSE, {}, "cannot be told apart here", "open"),
    ([RoundFigure("c", 9), *THERE], CLOSE, {}, "another engine", "fails"),
    ([RoundFigure("a", 9)], CLEAR, {}, "as there", "holds"),
    ([RoundFigure("a", 2), RoundFigure("b", 1)], CLEAR, {}, "as there", "holds"),
    ([RoundFigure("a", 4), RoundFigure("b", 1)], CLEAR, {},
     "the same engine, by a smaller factor", "depends"),
    ([RoundFigure("a", 1), RoundFigure("b", 1)], CLEAR, {},
     "the same engine, by a larger factor", "depends"),
    (WON, CLEAR, {}, "not on both sides", "absent"),
    (THERE, [], {}, "not on both sides", "absent")])
def test_how_the_leads_go_together_has_its_word_and_its_kind(there, here, doubt, word, kind):
    question = leads_question("wins", "/s", there, here, AnswerDoubt(**doubt))
    assert (question.word, question.kind) == (word, kind)


def test_several_rows_of_a_round_count_as_their_median():
    more = [*CLEAR, RoundFigure("a", 900, 1), RoundFigure("a", 1, 1)]
    assert [number(round_to(1, one.value)) for one in answer_ratios(more, "a", "b", "")] == ["2",
                                                                                             "1.5",
                                                                                             "3"]
    assert answer_how_sure(answer_lines(answer_ratios(CLEAR, "a", "b", "a over b")), times) == (
        f"1.5 x to 3.0 x {ROUNDS}; limited by CPU")


def judged(verdict, rule="at least 6", reason=None):
    claim = Claim("X1", "d", "said", "", "O", "both", "", rule)
    return [Judged(claim, Verdict("open", None, None), Verdict(verdict, None, reason))]


def test_a_claim_answers_yes_or_no_but_not_to_which_and_how_many():
    reason = "the rounds differ: it holds in 1 of 3 rounds"
    question = question_of_claim(judged("open", reason=reason), "X1", "So?", "yes", "5", "")
    assert (question.word, question.here, question.here_sure) == (
        "undecided", "it holds in 1 of 3 rounds. Seen only: 5",
        "range and limit not recorded; test of claim X1: at least 6")
    question = question_of_claim(judged("fails"), "X1", "So?", "yes", "5", "")
    assert (question.word, question.here) == ("no", "5")
    question = question_of_claim(judged("holds", None), "X1", "How many?", "5", "5", "")
    assert (question.word, question.here_sure) == ("holds", "range and limit not recorded")


@pytest.mark.parametrize("found, to_a_claim, to_which", [
    ("holds", "yes", "holds"), ("fails", "no", "does not hold"),
    ("depends", "depends", "depends"), ("open", "undecided", "undecided")])
def test_the_kind_of_a_question_is_the_verdict_of_its_claim(found, to_a_claim, to_which):
    for asked, word in (("So?", to_a_claim), ("Which one?", to_which), ("How many?", to_which)):
        question = question_of_claim(judged(found), "X1", asked, "there", "5", "")
        assert (question.word, question.kind) == (word, found)
    question = question_of_claim(judged(found), "X2", "So?", "there", "5", "")
    assert (question.word, question.kind) == ("", "")


def test_cpu_and_device_limit_together_if_they_are_as_busy_as_a_cpu_that_limits():
    def word(cpu, device):
        return limits.limit_called(limits.limit_words({
            "bound_by": "unclear", "cpu_used_percent": cpu, "device_busy_percent": device}))

    assert word(45.1, 40) == "CPU and device, neither alone"
    assert word(45, 39.9) == word(90, None) == word(None, 90) == "unclear"


def test_a_sweep_has_a_line_for_each_label_with_the_median_at_each_value():
    rows = as_points({"label": label, "threads": threads, "ops": ops} for label, threads, ops in (
        ("a", 1, 5), ("b", 1, 4), ("b", 1, 8), ("b", 2, 20), ("a", 4, 9)))
    sweep = sweep_over("title", rows, [1, 2, 4], "threads", "threads", "ops", "note")
    assert sweep.lines == [("b", [(1, 6), (2, 20), (4, None)]), ("a", [(1, 5), (2, None), (4, 9)])]


def test_multiples_of_a_reference_are_of_the_same_round_the_published_ones_first():
    here = of("a", 200, 150, 300) + of("b", 100, 50, 100) + of("c", 500, 500, 500)
    panel = multiples_panel("title", "note", "1/s", "b", here=here, there=[
        RoundFigure("b", 5), RoundFigure("a", 20), RoundFigure("d", 10)])
    assert [(line.label, line.there, line.here, line.there_times, line.here_times, line.low,
             line.high) for line in panel.lines] == [
        ("c", None, 500, None, 5, 5, 10), ("a", 20, 200, 4, 2, 2, 3),
        ("d", 10, None, 2, None, None, None), ("b", 5, 100, 1, 1, 1, 1)]


@pytest.mark.parametrize("fast, word, kind", [
    ([], "not measured", "open"), ([200, 200], "of too few rounds", "open"),
    ([200, 150, 101], "yes", "holds"), ([200, 150, 100], "not told apart", "open"),
    ([99, 50, 90], "no", "fails"), ([99, 50, 100], "not told apart", "open")])
def test_a_half_of_a_claim_of_ucsb_holds_if_each_of_three_rounds_says_so(fast, word, kind):
    rows = [{"label": label, "experiment": "A", "ops_per_sec": rate, "repetition": n}
            for n, each in enumerate(fast, 1) for label, rate in (("a", each), ("b", 100))]
    sides = SimpleNamespace(limited=as_points(rows), record=[])
    question = ucsb_2022._ucsb_half_of_e2(sides, "Is it", "A", "a", "b")
    assert (question.word, question.kind) == (word, kind)


def voron_sides(over):
    """By the first of the tests that are compared: its times in each round."""
    def line(test, than):
        rounds = over(test)
        return answer_lines(of("lmdb", *rounds))[0] if rounds else None
    return SimpleNamespace(rounds=lambda test, than: over(test), over=line,
                           parts_there=lambda n, than: "", over_there=lambda test, than: "")


@pytest.mark.parametrize("rounds, word, kind", [
    ([], "not measured", "open"), ([0.9, 0.8], "yes", "holds"), ([1, 1.1], "no", "fails"),
    ([0.9, 1.1], "undecided", "open")])
def test_more_parts_are_slower_if_each_round_says_so(rounds, word, kind):
    question = voron_2013._voron_four_question(voron_sides(lambda test: rounds))
    assert (question.word, question.kind) == (word, kind)


@pytest.mark.parametrize("eight, sixteen, word, kind", [
    ([1, 1.1], [0.9, 1], "yes", "holds"), ([1.2, 0.8], [2], "no", "fails"),
    ([1, 2], [1, 2], "undecided", "open"), ([], [], "not measured", "open"),
    ([1], [2], "no for sixteen, yes for eight", "fails"),
    ([2], [], "not measured for sixteen, no for eight", "fails"),
    ([1], [1, 2], "undecided for sixteen, yes for eight", "open"),
    ([], [1], "yes for sixteen, not measured for eight", "open")])
def test_eight_and_sixteen_parts_are_as_fast_as_four_if_both_are(eight, sixteen, word, kind):
    run = SimpleNamespace(claim=lambda id: SimpleNamespace(claim=SimpleNamespace(tolerance=0.11)))
    question = voron_2013._voron_more_question(run, voron_sides(
        lambda test: eight if test == voron_2013._voron_part(8) else sixteen))
    assert (question.word, question.kind) == (word, kind)


def test_opening_and_closing_are_told_in_per_cent_of_the_time():
    rows = [{"label": label, "experiment": "fill", "durability": "none", "repetition": n,
             "ops_per_sec": 100, "whole_ops_per_sec": whole}
            for n, label, whole in ((1, "voron", 90), (2, "voron", 80), (3, "voron", 60),
                                    (1, "lmdb", 10))]
    question = voron_2013._voron_opening_question(
        SimpleNamespace(claims=[]), SimpleNamespace(ours=as_points(rows)))
    assert question.here == "voron: 20 % of a fill, without a sync and from a warm cache"
    reading = [{**row, "experiment": "parallel", "parts": 2, "warm": 1} for row in rows]
    question = voron_2013._voron_opening_question(
        SimpleNamespace(claims=[]), SimpleNamespace(ours=as_points(reading)))
    assert question.here.startswith("voron: 20 % of a reading in two parts, without")


@pytest.mark.parametrize("rounds, word, kind", [
    ([], "", ""), ([1.06, 1.2], "yes", "holds"), ([1.05, 1.2], "undecided", "open"),
    ([0.94, 0.5], "no", "fails"), ([0.95, 0.5], "undecided", "open")])
def test_a_warm_cache_is_faster_if_it_is_by_more_than_5_percent(rounds, word, kind):
    question = voron_2013._voron_warm_question(voron_sides(lambda test: rounds))
    assert (question.word, question.kind) == (word, kind)


def test_of_equal_multiples_the_greater_one_here_is_first():
    there = [RoundFigure(label, 5) for label in "abc"]
    here = of("a", 5) + of("b", 5) + of("c", 9) + of("d", 10)
    panel = multiples_panel("title", "note", "1/s", "a", there=there, here=here)
    assert [line.label for line in panel.lines] == ["d", "c", "a", "b"]


@pytest.mark.parametrize("labels, here", [
    (["lmdb", "aio"], "lmdb 100/s, 50 % of aio's 200/s (aio: the bare device, direct reads of the"
     " same size, no engine)"),
    (["lmdb", "aio", "lmdb+readahead=0"], "lmdb 100/s, 50 % of aio's 200/s; with readahead=0 150/s"
     " (aio: the bare device, direct reads of the same size, no engine)"),
    (["lmdb"], "not measured"), (["aio"], "not measured"), ([], "not measured")])
def test_lmdb_is_held_against_the_bare_device_where_both_are(monkeypatch, labels, here):
    rates = {"lmdb": 100, "aio": 200, "lmdb+readahead=0": 150}
    monkeypatch.setattr(optane_2018, "_optane_at_best", lambda *_: [
        RoundFigure(label, rates[label]) for label in labels])
    question = optane_2018._optane_device_question(SimpleNamespace(valid=[], claims=[]))
    assert question.here == here
