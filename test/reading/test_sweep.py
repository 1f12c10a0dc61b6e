"""Which comparisons of a sweep have a verdict, and which runs are not needed any more."""
import json

import pytest
from reading import sweep
from reading.command import Failure


def run(name, round_, loaded_by="load", settle=""):
    return {"run": name if round_ == 1 else f"{name}-r{round_}", "repetition": str(round_),
            "loaded_by": loaded_by, "settle": settle}


LOAD = {"run": "load", "repetition": "", "loaded_by": "", "settle": "1"}


def comparison(old, new, benchmark="read"):
    return {"old_run": f"{old}-{benchmark}", "new_run": f"{new}-{benchmark}", "old": old,
            "new": new, "benchmark": benchmark, "threads": "1", "clients": "1"}


def rows(figures, second=0):
    """Rows of successive rounds, in each of four seconds one."""
    return [{"valid": 1, "benchmark": "read", "repetition": n, "ops_per_sec": x,
             "time": f"2026-11-28T12:{n:02}:{second:02}Z"} for n, x in enumerate(figures, 1)]


def noise(rounds):
    """As often above 100 as below it, by 5 % and more."""
    return [100 * (1.05 + n / 1000) ** (-1) ** n for n in range(rounds)]


def judged(figures, until=1.0, base=100.0, metric=""):
    found = {"a-read": rows([base] * len(figures)), "b-read": rows(figures, 2)}
    return sweep.judge_sweep(comparison("a", "b"), found, until, metric)


@pytest.mark.parametrize("figures, verdict, after, over", [
    ([110 + n for n in range(8)], "faster", 8, True),
    ([110 + n for n in range(7)], "undecided", None, False),
    ([90.0] * 20, "slower", 8, True),
    ([100.0] * 9, "same within 0 %", 8, True),
    (noise(47), "undecided", None, False), (noise(48), "undecided", None, True)])
def test_a_comparison_ends_at_the_look_with_a_verdict(figures, verdict, after, over):
    end = judged(figures).end
    assert (end.verdict, end.decided_after, end.over) == (verdict, after, over)


def test_a_wider_interval_is_enough_if_that_is_asked_for():
    assert judged(noise(48), until=6).end.verdict.startswith("same within")


def test_a_comparison_that_can_have_no_ratio_ends():
    one = judged([110.0] * 3 + [0.0])
    assert (one.rounds, one.end.verdict, one.end.decided_after, one.end.over) == \
        (0, "none: ops_per_sec is 0 in a run", None, True)
    assert sweep.sweep_until_cells(one, "1")[7:] == [0, *[None] * 5, one.end.verdict]


def test_invalid_runs_and_rounds_of_one_side_are_no_pairs():
    found = {"a-read": rows([100.0] * 9), "b-read": rows([110.0] * 8, 2)}
    found["b-read"][3]["valid"] = 0
    assert sweep.judge_sweep(comparison("a", "b"), found, 1, "").rounds == 7
    assert sweep.judge_sweep(comparison("a", "b"), {}, 1, "").end.verdict == "undecided"


def test_a_metric_of_which_less_is_better():
    found = {"a-read": rows([100.0] * 8), "b-read": rows([100.0] * 8, 2)}
    for n, row in enumerate(found["a-read"] + found["b-read"]):
        row["cpu_us_per_op"] = 2 if n < 8 else 1
    one = sweep.judge_sweep(comparison("a", "b"), found, 1, "cpu_us_per_op")
    assert (one.end.verdict, one.metric) == ("better", "cpu_us_per_op")


def unneeded(over, plan, comparisons):
    """The runs that are not needed if the comparisons of these numbers are over."""
    decided, going_on = judged([110.0] * 8).end, judged([]).end
    found = [sweep.JudgedComparison(one, "ops_per_sec", 0, decided if at in over else going_on)
             for at, one in enumerate(comparisons)]
    return sweep.sweep_unneeded(plan, found)


THREE = [comparison("a", "b"), comparison("a", "c")]


def test_runs_go_on_as_long_as_an_open_comparison_needs_them():
    plan = [LOAD, *(run(f"{e}-read", n) for n in (1, 2) for e in "abc")]
    assert unneeded((), plan, THREE) == []
    assert unneeded((0,), plan, THREE) == ["b-read", "b-read-r2"]
    assert unneeded((1,), plan, THREE) == ["c-read", "c-read-r2"]
    assert unneeded((0, 1), plan, THREE) == [one["run"] for one in plan]
    # what stores nothing needs no load, but has one
    stores_nothing = [{**one, "loaded_by": ""} for one in plan]
    assert unneeded((0, 1), stores_nothing, THREE) == [one["run"] for one in plan[1:]]


def test_a_load_goes_with_the_last_run_that_needs_it():
    plan = [{**LOAD, "run": "load-b", "repetition": "2"}, run("a-read", 2, "load-a"),
            {**LOAD, "run": "load-a"}, run("b-read", 2, "load-b"), run("c-read", 2, "load-a")]
    assert unneeded((0,), plan, THREE) == ["load-b", "b-read-r2"]


def test_without_loads_the_runs_of_an_engine_are_needed_together():
    two = [comparison("a", "b"), comparison("a", "b", "write")]
    plan = [run(f"{e}-{w}", 1, "") for e in "ab" for w in ("read", "write")]
    assert unneeded((0,), plan, two) == []
    assert unneeded((0,), [LOAD, *plan], two) == ["a-read", "b-read"]
    assert unneeded((0, 1), plan, two) == [one["run"] for one in plan]


def test_a_name_that_ends_like_a_round_is_none():
    assert sweep.sweep_first_run({"run": "a-r2", "repetition": "1"}) == "a-r2"
    assert sweep.sweep_first_run({"run": "a-r2-r2", "repetition": "2"}) == "a-r2"


def directory(path, figures):
    """A sweep whose runs have these figures until now, a list for each engine."""
    plan = [LOAD]
    for name, values in figures.items():
        for row in rows(values, "abc".index(name)):
            planned = run(f"{name}-read", row["repetition"])
            plan.append(planned)
            (path / "runs" / planned["run"]).mkdir(parents=True)
            (path / "runs" / planned["run"] / "row.json").write_text(json.dumps(row) + "\n")
    for name, lines in (("plan.tsv", plan), ("comparisons.tsv", THREE)):
        text = "".join("\t".join(line) + "\n" for line in [[*lines[0]], *(one.values()
                                                                          for one in lines)])
        (path / name).write_text(text)


def test_verdicts_are_written_and_told(tmp_path, capsys):
    directory(tmp_path, {"a": [100.0] * 9, "b": [90.0] * 9, "c": noise(9)})
    # a row that a crash cut short is none
    (tmp_path / "runs" / "b-read-r9" / "row.json").write_text('{"benchmark"')
    sweep.main([str(tmp_path), "1.5", "", "unneeded"])
    assert capsys.readouterr().out.split() == ["b-read", *(f"b-read-r{n}" for n in range(2, 10))]
    head, b, c = (tmp_path / "until.tsv").read_text().splitlines()
    assert tuple(head.split("\t")) == sweep.HEAD
    assert b.split("\t") == ["a", "b", "read", "1", "1", "ops_per_sec", "1.5", "8", "8", "0.9",
                             "0.9", "0.9", "0.007813", "slower"]
    rounds, after, *figures, p, verdict = c.split("\t")[7:]
    assert (rounds, after, p, verdict) == ("9", "", "0.84375", "undecided")
    # of 8 rounds the 99 % interval is from the least to the greatest
    assert [*map(float, figures)][1:] == [0.946074, 1.056]
    sweep.main([str(tmp_path), "1.5", "", "table"])
    told = capsys.readouterr().out.splitlines()
    assert told[0].split()[-4:] == ["99", "%", "interval", "verdict"] and len(told) == 3
    assert told[1].split() == ["read,", "1", "thread", "a", "b", "ops_per_sec", "8", "0.9", "0.9",
                               "to", "0.9", "slower"]


@pytest.mark.parametrize("metric, why", [("nosuch", "no column nosuch"),
                                         ("num", "cannot tell whether more num is better")])
def test_a_metric_must_be_one(tmp_path, metric, why):
    directory(tmp_path, {"a": [1.0], "b": [1.0], "c": [1.0]})
    path = tmp_path / "runs" / "a-read" / "row.json"
    path.write_text(json.dumps({**rows([1.0])[0], "num": 5}))
    with pytest.raises(Failure, match=why):
        sweep.main([str(tmp_path), "1", metric, "table"])
