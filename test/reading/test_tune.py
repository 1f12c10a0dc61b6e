"""Which settings of an engine matter."""
import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from reading import tune
from reading.command import Failure
from reading.tune import TuneLimit, TuneSetting, TuneSurvey, TuneTrial

SETTINGS = [TuneSetting("x", "0"), TuneSetting("y", "1")]


def trial(settings, goal, kind="search", status="feasible"):
    return TuneTrial(kind, "readrandom", settings, status, goal)


def survey(*trials, goal="read_p99_ns", mode="search"):
    return TuneSurvey(trials, SETTINGS, goal, mode)


def test_limits_are_read_in_the_units_of_their_columns():
    assert tune.read_tune_limit("read_p99_ns<2ms") == TuneLimit("read_p99_ns", True, 2e6)
    assert tune.read_tune_limit("ops_per_sec>20k") == TuneLimit("ops_per_sec", False, 20000)
    assert tune.read_tune_limit("read_p99_ns") is None
    with pytest.raises(Failure, match="--limit: ops_per_sec is no time; give a number"):
        tune.read_tune_limit("ops_per_sec>2ms")
    with pytest.raises(Failure, match="there is no column z"):
        tune.check_tune_limits(["x"], ["z<1"])
    with pytest.raises(Failure, match="cannot read one of"):
        tune.check_tune_limits(["x"], ["x<1q"])


@pytest.mark.parametrize("text, value", [
    ("mean_us<50us", 50), ("mean_us<50", 50), ("open_seconds<2s", 2), ("seconds<2s", 2),
    ("longest_stall_ms<100ms", 100), ("longest_stall_ms<2s", 2000), ("cpu_us_per_op<5000ns", 5),
    ("user_s<500ms", 0.5), ("harness_ns_per_op<1us", 1000), ("cpu_us_per_query<1ms", 1000)])
def test_a_time_is_in_the_unit_of_its_column(text, value):
    assert tune.read_tune_limit(text).value == pytest.approx(value)


def test_the_name_of_each_column_says_in_what_unit_a_time_is():
    page = Path(__file__).parents[2] / "docs" / "columns.md"
    units = re.findall(r"^\| `([a-z0-9_]+)` \| ([^|]+) \|", page.read_text(), re.MULTILINE)
    assert len(units) > 300
    for column, unit in units:
        assert tune.tune_time_unit(column) == tune.TIMES.get(unit), column


ROW = {"benchmark": "readrandom", "valid": 1, "ops_per_sec": 100, "read_p99_ns": 3e6}


def test_a_run_is_feasible_infeasible_or_invalid():
    limit = TuneLimit("read_p99_ns", True, 2e6)
    assert tune.tune_outcome(ROW, "readrandom", "ops_per_sec", "", []) == ("feasible", 100, 0, "")
    status, goal, exceeded, reason = tune.tune_outcome(ROW, "readrandom", "ops_per_sec", "",
                                                       [limit])
    assert (status, goal, reason) == ("infeasible", 100, "read_p99_ns is 3000000")
    assert exceeded == pytest.approx(0.501)
    assert tune.tune_outcome(None, "readrandom", "ops_per_sec", "words", [])[3] == "words"
    assert tune.tune_outcome(ROW, "readseq", "ops_per_sec", "words", [])[0] == "invalid"
    assert tune.tune_outcome({**ROW, "valid": 0, "invalid_reason": "late"}, "readrandom",
                             "ops_per_sec",
                             "", [])[3] == "late"
    assert tune.tune_outcome(ROW, "readrandom", "nosuch", "", [])[3] == "its row has no nosuch"


def test_the_best_has_the_least_of_a_time_and_the_most_of_a_rate():
    trials = (trial("x=0 y=1", 5), trial("x=1 y=1", 3), trial("x=2 y=1", 9),
              trial("x=3 y=1", 1, status="infeasible"), trial("x=4 y=1", 0, kind="winner"))
    assert survey(*trials).best() == "x=1 y=1"
    assert survey(*trials, goal="ops_per_sec").best() == "x=2 y=1"
    assert survey(*trials, goal="ops_per_sec_all_in").best() == "x=2 y=1"
    assert survey().best() == ""


def test_of_one_factor_at_a_time_the_best_values_are_put_together():
    trials = (trial("x=0 y=1", 5), trial("x=1 y=1", 3), trial("x=0 y=2", 4), trial("x=0 y=3", 6))
    assert survey(*trials, mode="one-factor").best() == "x=1 y=2"


def test_settings_have_their_default_among_the_values(tmp_path, capsys):
    options, sets = tmp_path / "options", tmp_path / "sets"
    options.write_text("of\tname\tdefault\nall\ta\t1\nengine\tb\t2\nengine\tc\t\n")

    def settings(text, mode="search"):
        sets.write_text(text)
        tune.main(["settings", str(options), str(sets), "lmdb", mode])
        return capsys.readouterr().out

    assert settings("a\t7\t8\nb\t3\t2\n") == "a\t1\t1\t7\t8\nb\t2\t3\t2\n"
    many = "a\t" + "\t".join(map(str, range(1, 500))) + "\nb\t2\t3\t4\n"
    assert settings(many).count("\n") == 2
    for text, mode, why in (("d\t1\n", "search", "no such option: d; bench_lmdb --help lists"),
                            ("a\t1\na\t2\n", "search", "given twice: a; bench_lmdb --help lists"),
                            ("c\t1\n", "search", "c has no default"),
                            (many, "factorial", "these are 1497 combinations")):
        with pytest.raises(Failure, match=why):
            settings(text, mode)


@pytest.mark.parametrize("mode, others", [
    ("one-factor", ["a=7 b=2 c=9", "a=1 b=3 c=9", "a=1 b=4 c=9"]),
    ("factorial", ["a=1 b=3 c=9", "a=1 b=4 c=9", "a=7 b=2 c=9", "a=7 b=3 c=9", "a=7 b=4 c=9"])])
def test_a_plan_begins_with_the_default(tmp_path, capsys, mode, others):
    path = tmp_path / "settings"
    path.write_text("a\t1\t1\t7\nb\t2\t2\t3\t4\nc\t9\t9\n")
    tune.main(["plan", str(path), mode])
    assert capsys.readouterr().out.splitlines() == ["a=1 b=2 c=9", *others]


def test_what_is_measured_again():
    assert tune.tune_measured_again(SETTINGS, "x=1 y=1", "readseq") == [
        ["default", "x=0 y=1"], ["winner", "x=1 y=1"], ["without x", "x=0 y=1"],
        ["default", "x=0 y=1", "readseq"], ["winner", "x=1 y=1", "readseq"]]


def rounds(kind, settings, values):
    return [trial(settings, value, kind) for value in values]


SLOW, FAST = (100, 101, 99, 100.5, 99.5, 100.2), (50, 50.5, 49.5, 50.2, 49.8, 50.1)


def judged(default, winner, taken_back, goal="read_p99_ns"):
    found = survey(trial("x=1 y=1", 1), *rounds("default", "x=0 y=1", default),
                   *rounds("winner", "x=1 y=1", winner),
                   *rounds("without x", "x=0 y=1", taken_back), goal=goal)
    return tune.judge_tune_winner(found, "x=1 y=1", "readrandom", "", 6)


def test_a_winner_is_better_when_it_is_run_again():
    better, lines, table = judged(SLOW, FAST, SLOW)
    assert better and lines[1].startswith("found: run again in turn, 6 times each on fresh seeds,"
                                          " it changes read_p99_ns by -50.0 % (95 % interval -50.")
    assert [one.verdict for one in table] == ["matters", "best at its default"]
    better, lines, table = judged(SLOW, FAST, SLOW, "ops_per_sec")
    assert not better and lines[1].startswith("nothing found: run again")
    assert table[0].verdict == "does harm"


def test_a_winner_that_was_lucky_or_exceeds_a_limit_is_none():
    better, lines, table = judged(SLOW, SLOW[::-1], SLOW)
    assert not better and table[0].verdict == "shows no effect"
    better, lines, _ = judged(SLOW, FAST[:5], ())
    assert not better
    assert lines[1].endswith("the best exceeded a limit or was invalid in 1 of 6 runs")
    assert lines[3] == "x: not known: without it every run was invalid"
    found = survey(trial("x=1 y=1", 1), *rounds("winner", "x=1 y=1", FAST),
                   *(trial("x=0 y=1", 5, kind, status="infeasible")
                     for kind in ("default", "without x") for _ in range(5)),
                   trial("x=0 y=1", 50, "without x"), trial("x=0 y=1", 50, "default"))
    better, lines, table = tune.judge_tune_winner(found, "x=1 y=1", "readrandom", "", 6)
    assert not better and table[0].verdict == \
        "matters for the limits: 5 runs without it exceeded one"
    _, lines, table = judged(SLOW, (), SLOW)
    assert table[0].verdict == \
        "not known: the winner was invalid or exceeded a limit in each run"


def test_the_default_as_the_winner_is_nothing():
    found = survey(trial("x=0 y=1", 1))
    assert tune.judge_tune_winner(found, "x=0 y=1", "readrandom", "", 6) == (
        False, ["nothing found: the default was best"], [])


def test_a_search_is_told_with_what_it_left_out():
    of = survey(trial("x=0 y=1", 5), trial("x=1 y=1", 6, status="infeasible"),
                trial("x=2 y=1", None, status="invalid"), trial("x=0 y=1", 5, kind="default"),
                trial("x=3 y=1", None, status="invalid"))
    assert tune.tune_search_said(of, 12, "readrandom") == [
        "goal: read_p99_ns, less is better; search: 4 runs of 12 combinations, of which 1 exceeded"
        " a limit and 2 were invalid", "default: x=0 y=1"]
    assert "ops_per_sec, more is better; one-factor: 0 runs" in tune.tune_search_said(
        survey(goal="ops_per_sec", mode="one-factor"), 1, "readrandom")[0]


def test_without_a_winner_nothing_is_better():
    assert tune.judge_tune_winner(survey(), "", "readrandom", "", 3) == \
        (False, ["nothing found: each run was invalid or exceeded a limit"], [])


def test_one_factor_at_a_time_without_a_run_has_no_best():
    assert survey(mode="one-factor").best() == ""


def test_an_outcome_is_one_line_without_tabs(tmp_path, capsys):
    tune.main(["outcome", str(tmp_path / "none"), "readrandom", "ops_per_sec", "a\tb\nc"])
    assert capsys.readouterr().out == "invalid\t-\t-\t-\ta b c\n"
    row = tmp_path / "row"
    row.write_text(json.dumps(ROW) + "\n")
    tune.main(["outcome", str(row), "readrandom", "ops_per_sec", "", "read_p99_ns<2ms", "x"])
    status, goal, _, worth, reason = capsys.readouterr().out.split("\t")
    assert (status, goal, worth, reason) == (
        "infeasible", "100", "-100", "read_p99_ns is 3000000\n")


# ---- which settings matter, where the answers of build/stats are given

@pytest.fixture
def compared(monkeypatch):
    """Between which goals which ratio, interval and p are found."""
    def of(answers):
        def compare(pairs):
            new = pairs[0][1]
            ratio, low, high, p = answers[new[0]]
            return [SimpleNamespace(ratio=ratio, ratio_low=low, ratio_high=high, p=p, p_holm=p)]
        monkeypatch.setattr(tune.stats, "compare_samples", compare)
    return of


WINNER = "x=5 y=1 z=7 v=3 w=4"
FIVE = [TuneSetting(name, "1") for name in "xyzvw"]


def test_a_setting_matters_where_taking_it_back_is_worse(compared):
    trials = [trial(WINNER, 10, "winner"), trial("", 20, "without x"), trial("", 30, "without z"),
              trial("", 40, "without v"), trial("", 50, "default"),
              trial("", 9, "without w", "infeasible"), trial("", None, "without w", "invalid")]
    compared({20: (1.5, 1.2, 1.8, 0.016), 30: (0.5, 0.4, 0.6, 0.01), 40: (1.5, 1.2, 1.8, 0.017),
              10: (0.2, 0.1, 0.3, 0.01)})
    found = TuneSurvey(trials, FIVE, "read_p99_ns", "search")
    better, lines, table = tune.judge_tune_winner(found, WINNER, "readrandom", "", 1)
    assert better and [one.verdict for one in table] == [
        "matters", "best at its default", "does harm", "shows no effect",
        "matters: without it no run keeps the limits"]
    assert table[0] == ("x", "1", "5", "+50.0 % (95 % interval +20.0 to +80.0 %)", "matters")
    assert lines[0] == f"best of these runs: {WINNER}"
    assert lines[1] == ("found: run again in turn, 1 times each on fresh seeds, it changes"
                        " read_p99_ns by -80.0 % (95 % interval -90.0 to -70.0 %)")
    assert lines[3] == ("x: matters; taking back 5 to 1 alone changes read_p99_ns by +50.0 % (95 %"
                        " interval +20.0 to +80.0 %)")
    assert lines[4] == "y: best at its default"
    # of a rate the other way round
    rate = TuneSurvey(trials, FIVE, "ops_per_sec", "search")
    verdicts = [one.verdict for one in tune.tune_settings_that_matter(rate, WINNER, "readrandom")]
    assert verdicts[::2] == ["does harm", "matters", "matters: without it no run keeps the limits"]


@pytest.mark.parametrize("ratio, low, high, p, less, more", [
    (0.98, 0.9, 0.999, 0.01, True, False), (0.98, 0.9, 1, 0.01, False, False),
    (0.99, 0.9, 0.999, 0.01, False, False), (1.02, 1.001, 1.1, 0.04, False, True),
    (1.02, 1, 1.1, 0.01, False, False), (1.01, 1.001, 1.1, 0.01, False, False),
    (0.5, 0.4, 0.6, 0.05, False, False), (None, 0.4, 0.6, 0.01, False, False),
    (0.5, None, 0.6, 0.01, False, False), (0.5, 0.4, 0.6, None, False, False)])
def test_an_improvement_is_of_one_percent_and_beyond_chance(ratio, low, high, p, less, more):
    change = SimpleNamespace(ratio=ratio, ratio_low=low, ratio_high=high)
    assert [tune.tune_improves(change, p, way) for way in (True, False)] == [less, more]


def test_a_winner_is_also_told_of_on_another_benchmark(compared):
    shifted = [TuneTrial(kind, "other", "", status, goal) for kind, status, goal in (
        ("default", "feasible", 50), ("winner", "feasible", 10), ("winner", "infeasible", 9))]
    compared({10: (0.5, 0.4, 0.6, 0.01)})
    found = survey(trial("x=5 y=1", 10, "winner"), trial("", 50, "default"), *shifted)
    _, lines, _ = tune.judge_tune_winner(found, "x=5 y=1", "readrandom", "other", 2)
    assert lines[1] == ("nothing found: when run again, the best exceeded a limit or was invalid in"
                        " 1 of 2 runs")
    assert lines[-1] == ("on other: -50.0 % (95 % interval -60.0 to -40.0 %) against the default;"
                         " limits exceeded in 1 of 2 runs")


def test_judge_again_and_best_are_asked_for_by_files(tmp_path, capsys, compared):
    compared({10: (0.5, 0.4, 0.6, 0.01), 20: (1, 0.9, 1.1, 0.5)})
    settings, trials, into = tmp_path / "settings", tmp_path / "trials", tmp_path / "into"
    settings.write_text("x\t0\t0\t5\t6\ny\t1\t1\t2\n")
    trials.write_text("kind\tbenchmark\tsettings\tstatus\tgoal\n" + "".join(
        f"{kind}\tb\tx={x} y=1\tfeasible\t{goal}\n" for kind, x, goal in (
            ("search", 5, 10), ("search", 0, 50), ("winner", 5, 10), ("default", 0, 50),
            ("without x", 0, 20))))
    asked = [str(trials), str(settings), "read_p99_ns", "search"]
    assert tune.main(["best", *asked]) == 0 and capsys.readouterr().out == "x=5 y=1\n"
    assert tune.main(["judge", *asked, "b", "", "1", "x=5 y=1", str(into)]) == 0
    assert "2 runs of 6 combinations" in capsys.readouterr().out
    assert into.read_text().splitlines()[:2] == [
        "setting\tdefault\tvalue\tchange_if_taken_back\tverdict",
        "x\t0\t5\t+0.0 % (95 % interval -10.0 to +10.0 %)\tshows no effect"]
    assert tune.main(["judge", *asked, "b", "", "1", "x=0 y=1", str(tmp_path / "no")]) == 1
    assert not (tmp_path / "no").exists()
    tune.main(["again", str(settings), "x=5 y=1", ""])
    assert capsys.readouterr().out.endswith("default\tx=0 y=1\nwinner\tx=5 y=1\n"
                                            "without x\tx=0 y=1\n")
