"""Verdicts of comparisons, and what forbids one."""
import json
import random
from types import SimpleNamespace

import pytest
from reading import compare
from reading.command import Failure
from reading.stats import SampleComparison

SIDE = SimpleNamespace(n=4, median=1, cv=0.1)


def answered(**figures):
    """What build/stats says of two samples."""
    nothing = dict.fromkeys(SampleComparison._fields)
    return SampleComparison(**{**nothing, "old": SIDE, "new": SIDE, "p_method": "exact", **figures})


def judged(metric, ratio, p, threshold=0.0, correction="none", p_holm=None, medians=(1, 1)):
    old, new = (SimpleNamespace(n=4, median=median, cv=0.1) for median in medians)
    answer = answered(ratio=ratio, p=p, p_holm=p_holm, old=old, new=new)
    found = compare.Compared("b", {}, metric, [], [])
    found.judge(correction, threshold, answer)
    return found.result["verdict"]


@pytest.mark.parametrize("metric, ratio, p, verdict", [
    ("ops_per_sec", 0.8, 0.01, "slower"), ("ops_per_sec", 1.2, 0.01, "faster"),
    ("p99", 0.8, 0.01, "faster"), ("p99", 1.2, 0.01, "slower"),
    ("db_disk_kb", 0.8, 0.01, "better"), ("db_disk_kb", 1.2, 0.01, "worse"),
    ("ops_per_sec", 0.8, 0.05, "no difference shown"),
    ("ops_per_sec", 1, 0.01, "no difference shown"),
    ("ops_per_sec", None, 0.01, "no difference shown")])
def test_there_is_a_difference_where_p_is_below_5_percent(metric, ratio, p, verdict):
    assert judged(metric, ratio, p) == verdict


@pytest.mark.parametrize("old, new, ratio, verdict", [
    (0, 5, None, "worse"), (5, 0, 0, "better"), (-100, -50, 0.5, "worse"),
    (-50, -100, 2, "better"), (-50, 100, -2, "worse"), (0, 0, None, "no difference shown")])
def test_where_a_side_is_not_above_0_its_medians_say_which_is_more(old, new, ratio, verdict):
    assert judged("disk_growth_kb", ratio, 0.01, medians=(old, new)) == verdict


def test_a_difference_below_the_threshold_is_none():
    assert judged("ops_per_sec", 0.75, 0.01, threshold=25) == "slower"
    assert judged("ops_per_sec", 0.76, 0.01, threshold=25) == "no difference shown"
    assert judged("ops_per_sec", 1.24, 0.01, threshold=25) == "no difference shown"


def test_p_is_the_corrected_one_unless_that_is_not_wanted():
    assert judged("ops_per_sec", 0.8, 0.01, correction="holm", p_holm=0.06) \
        == "no difference shown"
    assert judged("ops_per_sec", 0.8, 0.01, correction="none", p_holm=0.06) == "slower"


def refused(old, new, free=()):
    pair = compare.Pair("b", old, new)
    return compare._why_not_compared([pair], free)


def test_conditions_are_the_same_on_both_sides_and_the_subject_on_each():
    assert refused([{"host": "a"}], [{"host": "b"}]) == [
        "rows of more than one host (a, b) do not belong in one comparison"]
    assert refused([{"host": "a"}], [{"host": "b"}], ["host"]) == []
    assert refused([{"engine": "a"}], [{"engine": "b"}]) == []
    assert refused([{}], [{"engine": "a"}, {"engine": "b"}]) == [
        "rows of more than one engine (a, b) do not belong in the new side"]


@pytest.mark.parametrize("rows, columns", [
    ([("1", "c"), ("1", "d")], []), ([("1", "c"), ("2", "d")], ["commit"]),
    ([(None, "c"), (None, "d")], ["commit"]), ([("1", "c"), ("2", "c")], []),
    ([("1", "c-dirty"), ("2", "c-dirty")], ["program"])])
def test_rows_of_one_program_are_one_subject_whatever_its_commit_is_called(rows, columns):
    side = [{"program": program, "commit": commit} for program, commit in rows]
    assert [reason.split()[5] for reason in refused(side, side)] == columns * 2


def test_an_unknown_p_shows_no_difference():
    assert judged("ops_per_sec", 2.0, None) == "no difference shown"


def rounds(mean, deviation, n, seed=1):
    """Pairs whose logarithms of new / old have that mean and deviation."""
    draw = random.Random(seed)
    return [(100.0, 100.0 * 2.718281828 ** draw.gauss(mean, deviation)) for _ in range(n)]


def series(pairs, until=1.0, threshold=0.0, metric="ops_per_sec"):
    found = compare.Compared("b", {}, metric, [], [], pairs)
    found.judge_series(until, threshold, answered(ratio=1.5, p=0.001, ratio_low=1, ratio_high=2))
    return found.result


@pytest.mark.parametrize("pairs, verdict, after", [
    (rounds(-0.05, 0.01, 9), "slower", 8), (rounds(0.05, 0.01, 12), "faster", 8),
    (rounds(0.02, 0.03, 48), "faster", 20), (rounds(0, 0.003, 12), "same within 0.44 %", 8),
    (rounds(0, 0.05, 31), "undecided", None), (rounds(0, 0.05, 60), "undecided", None),
    (rounds(0.05, 0.01, 7), "undecided", None)])
def test_a_series_has_the_verdict_of_the_look_that_ends_it(pairs, verdict, after):
    found = series(pairs)
    assert (found["verdict"], found["decided_after"]) == (verdict, after)


def test_what_comes_after_the_end_of_a_series_does_not_count():
    ended = rounds(0.05, 0.01, 8)
    assert series(ended + rounds(-0.5, 0.1, 40)) == {**series(ended), "rounds": 48}


def test_a_series_has_the_figures_of_its_last_look_and_none_before_the_first():
    found = series(rounds(0, 0.05, 31))
    assert found["ratio"] == series(rounds(0, 0.05, 20))["ratio"] != 1.5
    early = series(rounds(0.05, 0.01, 7))
    assert (early["p"], early["ratio_low"], early["ratio"]) == (None, None, 1.5)


def test_a_series_that_differs_by_less_than_the_threshold_is_the_same_within_something():
    assert series(rounds(0.02, 0.003, 8), threshold=3)["verdict"] == "same within 2.5 %"


def test_of_times_and_costs_less_is_better_in_a_series_too():
    assert series(rounds(-0.05, 0.01, 8), metric="cpu_us_per_op")["verdict"] == "better"
    assert series(rounds(0.05, 0.01, 8), metric="cpu_us_per_op")["verdict"] == "worse"


def in_rounds(label, figures):
    return [{"label": label, "benchmark": "b", "threads": 1, "valid": 1, "repetition": n,
             "time": f"2026-11-28T12:00:{2 * n + (label == 'new'):02}Z", "ops_per_sec": figure}
            for n, figure in enumerate(figures, 1)]


def report_of(pairs, *arguments):
    old, new = zip(*pairs)
    options = compare._compare_options(["a", "b", *arguments])
    report = compare._compare_report(options, ["a", "b"], in_rounds("old", old),
                                     in_rounds("new", new))
    compare._judge_compared(report, options)
    return report, options


def test_rounds_are_tested_in_pairs():
    drift = [100 * 1.5 ** n for n in range(10)]
    pairs = [(x, x * (1.02 + n % 3 / 1000)) for n, x in enumerate(drift)]
    report, options = report_of(pairs)
    result = report.comparisons[0].result
    assert (result["verdict"], result["p"], result["rounds"]) == ("faster", 2 / 1024, 10)
    assert 1.0199 < result["ratio_low"] <= result["ratio"] <= result["ratio_high"] < 1.023
    assert result["could_show"] == pytest.approx(0.001, abs=0.001)
    told = "\n".join(compare._compared_text(report, options))
    assert "10 pairs" in told and "Wilcoxon's signed rank" in told and "Mann" not in told
    # the same runs without rounds
    found, _ = report_of(pairs[:5])
    assert found.comparisons[0].result["verdict"] == "no difference shown"
    assert found.comparisons[0].result["p_method"] == "exact"
    assert "rounds" not in found.comparisons[0].result


@pytest.mark.parametrize("swapped, verdict", [(False, "better"), (True, "worse")])
def test_runs_of_which_some_have_0_are_all_judged_by_their_ranks(swapped, verdict):
    sides = [in_rounds(label, figures) for label, figures in
             (("old", [0.4] * 20), ("new", [0.0] * 14 + [0.5] * 6))]
    for one in sides[0] + sides[1]:
        one["device_reads_per_op"] = one["ops_per_sec"]
    options = compare._compare_options(["a", "b", "--metric=device_reads_per_op"])
    report = compare._compare_report(options, ["a", "b"], *sides[::-1 if swapped else 1])
    compare._judge_compared(report, options)
    result = report.comparisons[0].result
    assert (result["verdict"], result["old_runs"], result["new_runs"]) == (verdict, 20, 20)
    told = "\n".join(compare._compared_text(report, options))
    assert "no pairs, as a figure is not above 0: b, 1 thread" in told
    assert "Mann" in told and "left out, as" not in told
    # rows that have no rounds have no pairs whatever their figures are
    for one in sides[0]:
        del one["repetition"]
    report = compare._compare_report(options, ["a", "b"], *sides)
    compare._judge_compared(report, options)
    assert "no pairs" not in "\n".join(compare._compared_text(report, options))


def test_pairs_and_other_comparisons_are_corrected_together():
    report, options = report_of(rounds(0.05, 0.01, 6))
    report.comparisons *= 2
    compare._judge_compared(report, options)
    assert report.comparisons[0].result["p_corrected"] == 2 * 2 / 64


def test_the_rule_of_a_series_is_told():
    report, options = report_of(rounds(0.05, 0.01, 12), "--until=1.5")
    assert report.comparisons[0].result["decided_after"] == 8
    told = "\n".join(compare._compared_text(report, options))
    assert "99 % interval" in told and "at most 1.5 %" in told and "NOT corrected" in told


def test_the_rule_is_that_of_the_sweep_that_made_the_results(tmp_path):
    def until(*names):
        return compare._compare_until([str(tmp_path / name) for name in names])

    assert until("") == ("", "")
    (tmp_path / "until.tsv").write_text("metric\tuntil_percent\na\t2\na\t2\n")
    assert until("others.json", "") == until("results.json") == ("2", "a")
    assert until("others.json") == ("", "")
    (tmp_path / "until.tsv").write_text("metric\tuntil_percent\na\t2\nb\t2\n")
    assert until("") == ("2", "")


def test_the_metric_is_that_of_the_sweep_too(tmp_path, capsys):
    (tmp_path / "until.tsv").write_text("metric\tuntil_percent\ncpu_us_per_op\t2\n")
    (tmp_path / "results.json").write_text("".join(
        json.dumps({**row, "cpu_us_per_op": 1}) + "\n"
        for label in ("old", "new") for row in in_rounds(label, [100, 101, 102])))

    def metric(*arguments):
        compare.main([str(tmp_path), "--by=label", "--old=old", "--new=new", "--format=json",
                      *arguments])
        told = json.loads(capsys.readouterr().out)
        return told["metric"], told["until_percent"]

    assert metric() == ("cpu_us_per_op", 2)
    assert metric("--metric=ops_per_sec", "--until=3") == ("ops_per_sec", 3)


def test_cpu_time_of_clients_is_told_where_there_are_servers():
    rows = [{"engine": "redis", "servers": 1}]
    said = "cpu_us_per_op is of the client alone, without its servers"
    assert said in compare._compare_warnings(rows, rows, "cpu_us_per_op", [])
    assert said not in compare._compare_warnings([{}], [{}], "cpu_us_per_op", [])
    assert said in compare._compare_warnings([{}], rows, "cpu_us_per_op", [])
    assert said not in compare._compare_warnings(rows, rows, "ops_per_sec", [])


def test_a_program_is_a_subject_where_a_commit_is_not():
    def of(*rows):
        return compare._compare_subject([dict(zip(("commit", "program"), row)) for row in rows])

    subject = [*compare.SUBJECT]
    assert of(("a", "1"), ("b", "1")) == [c for c in subject if c != "commit"]
    assert of(("a", "1"), ("a", "2")) == of(("a", None), ("b", None)) == subject
    # one that is dirty is enough
    assert of(("a", "1"), ("a-dirty", "2")) == [*subject, "program"]


def test_a_side_whose_rate_was_missed_is_warned_of():
    row = {"target_rate": 9, "target_rate_met": 0, "valid": 1, "ops_per_sec": 8,
           "read_resp_p99_ns": 7}
    met = {**row, "target_rate_met": 1}
    told = compare._compare_warnings([row], [met], "p99", compare.CIRCUMSTANCES)
    assert [line.split(":")[0] for line in told if "rate" in line] == ["old"]
    told = compare._compare_warnings([met], [row], "ops_per_sec", compare.CIRCUMSTANCES)
    assert [line.split(":")[0] for line in told if "rate" in line][:1] == ["new"]
    assert any(line.startswith("ops_per_sec of an open loop is at most") for line in told)


# ---- what is asked for, and where nothing is compared

@pytest.mark.parametrize("arguments, found", [
    ("a b", {"files": ["a", "b"]}),
    ("a b --all --explain=to --counters", {"files": ["a", "b"], "all": True, "explain": True,
                                           "explain_to": "to", "counters": True}),
    ("--by=engine --old=x --new=y a", {"files": ["a"], "by": "engine", "old": "x", "new": "y"}),
    ("a b --metric=device_write_amp_all_in", {"files": ["a", "b"],
                                              "metric": "host_write_amp_all_in"}),
    ("a b --correction=none --format=json --until=1.5 --allow=c,d",
     {"files": ["a", "b"], "correction": "none", "format": "json", "until": "1.5", "allow": "c,d"}),
    ("a b --correction=bh", "cannot read '--correction=bh'"), ("a b --x", "cannot read '--x'"),
    ("a b --metric=", "cannot read '--metric='"), ("a b --format=", "cannot read '--format='"),
    ("a b --explain=", "cannot read '--explain='"),
    ("a b c", "cannot read 'c': two groups are compared"),
    ("", "which results"), ("a", "with what"), ("--by=c a b --old=1 --new=2", "leave out 'b'"),
    ("--by=c a --old=1", "--by=c: which values"), ("--by=c a --old=1 --new=1", "are both 1"),
    ("a b --old=1", "give it by --by=COLUMN"), ("a b --new=1", "give it by --by=COLUMN"),
    ("a b --threshold=x", "--threshold: cannot read 'x'; give percent"),
    ("a b --until=1.", "--until: cannot read '1.'"), ("a b --seed=x", "--seed: cannot read 'x'"),
    ("--by=c a --old=1 --new=2 --counters", "--counters compares two files")])
def test_options_of_a_comparison(arguments, found):
    if isinstance(found, str):
        with pytest.raises(Failure) as end:
            compare._compare_options(arguments.split())
        assert found in end.value.args[0] and end.value.status == 2
    else:
        options = vars(compare._compare_options(arguments.split()))
        assert options == {**vars(compare.CompareOptions()), **found}


@pytest.fixture
def compared(tmp_path, capsys):
    """What compare.sh says of the rows of two files, and its status; or why it refuses."""
    def of(old, new, *arguments):
        files = []
        for name, rows in (("old", old), ("new", new)):
            files.append(tmp_path / name)
            files[-1].write_text("".join(json.dumps(row) + "\n" for row in rows))
        try:
            status = compare.main([*map(str, files[:1] if "--by" in arguments[0] else files),
                                   *arguments])
        except Failure as failure:
            return list(failure.args), failure.status
        return capsys.readouterr().out, status
    return of


def a_row(number=0, rate=100, **columns):
    return {"benchmark": "b", "threads": 1, "label": "x", "engine": "e", "valid": 1, "host": "h",
            "ops_per_sec": rate, "time": f"2026-11-28T12:00:{number:02}Z", **columns}


@pytest.mark.parametrize("old, new, arguments, reasons", [
    ([a_row(valid=0)], [a_row()], "", ["no valid row on the old side; invalid: 1"]),
    ([a_row(valid=0), a_row(1)], [a_row(valid=0)], "", [
        "no valid row on the new side; invalid: 2"]),
    ([a_row(rate=None)], [a_row()], "", ["no row has ops_per_sec"]),
    ([a_row()], [a_row(threads=2)], "", ["no benchmark is on both sides",
                                         "threads is 1 in the old rows and 2 in the new"]),
    ([a_row()], [a_row(host="i")], "", [
        "rows of more than one host (h, i) do not belong in one comparison; --allow=COLUMN,..."
        " allows it"])])
def test_a_comparison_of_nothing_says_what_is_missing(compared, old, new, arguments, reasons):
    assert compared(old, new, arguments or "--seed=1") == (reasons, 2)


def test_hosts_may_have_other_cpus_where_hosts_are_compared(compared):
    rows = [a_row(number, host=host, cpu=host, cores=number, kernel=host)
            for number, host in enumerate("hi")]
    assert compared(rows, [], "--by=host", "--old=h", "--new=i")[1] == 0
    assert compared(rows[:1], rows[1:], "--allow=host")[1] == 0
    assert compared(rows[:1], rows[1:], "--allow=cpu")[1] == 2


def test_the_status_says_whether_something_became_slower(compared):
    old, new = ([a_row(10 * at + n, rate + n) for n in range(5)]
                for at, rate in ((0, 1000), (1, 2000)))
    said, status = compared(old, new, "--seed=1")
    assert status == 0 and "faster" in said and said.startswith("old: ")
    assert compared(new, old, "--seed=1")[1] == 1
    said, status = compared(new, old, "--format=json", "--metric=ops_per_sec")
    told = json.loads(said)
    assert (status, told["comparisons"][0]["verdict"]) == (1, "slower")
    assert (told["rows"], told["invalid"], told["compared"], told["seed"], told["metric"],
            told["better"]) == ([5, 5], [0, 0], 1, 1, "ops_per_sec", "more")
    assert (told["threshold_percent"], "until_percent" in told) == (0, False)
    assert told["comparisons"][0]["old_median"] == 2002
    both = [{**row, "label": label} for label, rows in (("x", old), ("y|z", new)) for row in rows]
    said, status = compared(both, [], "--by=label", "--old=x", "--new=y|z", "--format=markdown")
    lines = said.splitlines()
    assert status == 0 and lines[0] == "- old: label x, 5 rows" and lines[1].endswith("5 rows")
    assert [line.count("|") for line in lines if line.startswith("|")] == [11, 11, 11]
    assert compared(both, [], "--by=label", "--old=x", "--new=w") == (
        ["--new: no row has label w; there are x, y|z"], 2)


def test_of_settings_those_are_told_that_differ():
    differ = compare._compare_subject_differs(
        [{"engine_options": "a=1 b=2 c=3", "commit": "x"}],
        [{"engine_options": "a=1 b=5 c=3 d=4", "commit": "x"}])
    assert differ == [{"column": "engine_options", "old": "b=2", "new": "b=5 d=4"}]


def test_rows_of_one_side_only_and_without_the_metric_are_told():
    rows = in_rounds("old", [100, 101]), in_rounds("new", [100, 102])
    lone = [{**rows[0][0], "threads": 4}, {**rows[1][0], "benchmark": "c"}]
    without = [{**row, "threads": 8, "ops_per_sec": None} for row in (rows[0][0], rows[1][0])]
    options = compare._compare_options(["a", "b"])
    report = compare._compare_report(options, ["a", "b"], [*rows[0], lone[0], without[0]],
                                     [*rows[1], lone[1], without[1]])
    compare._judge_compared(report, options)
    assert sorted(compare._compare_unpaired(report)) == ["only new: c, 1 thread",
                                                         "only old: b, 4 threads"]
    assert report.without == ["b, 8 threads"]
    below = compare._below_comparison(report, options)
    assert "left out, as its rows lack the metric: b, 8 threads" in below
    assert "1 benchmark compared by ops_per_sec, of which more is better; invalid rows left out:" \
        " 0 old, 0 new." in below


def test_runs_without_a_partner_are_counted():
    old, new = in_rounds("old", range(100, 108)), in_rounds("new", range(200, 206))
    options = compare._compare_options(["a", "b"])
    report = compare._compare_report(options, ["a", "b"], old, new)
    assert [(len(one.rounds), one.lone) for one in report.comparisons] == [(6, 2)]
    assert compare._compare_pairing(report)[0].endswith(
        " Runs left out, as the other side lacks their round: 2.")


@pytest.mark.parametrize("n, told", [
    (3, ["too few runs: with 3+3 p is 0.1 at least, and 0.2 when it is corrected."]),
    (4, ["too few runs: with 4+4 p is 0.0286 at least, and 0.0571 when it is corrected."]),
    (5, [])])
def test_too_few_runs_are_told_where_no_verdict_was_possible(n, told):
    rows = [[{**a_row(at * 20 + i, 100 + i), "threads": threads} for i in range(n)
             for threads in (1, 2)] for at in (0, 1)]
    options = compare._compare_options(["a", "b"])
    report = compare._compare_report(options, ["a", "b"], *rows)
    compare._judge_compared(report, options)
    assert compare._too_few_to_compare(report) == told
    # what is sure to be told apart comes before it, and takes nothing from it
    more = [[{**a_row(at * 20 + i, 100 + i), "threads": 3} for i in range(9)] for at in (0, 1)]
    report = compare._compare_report(options, ["a", "b"], *(a + b for a, b in zip(rows, more)))
    compare._judge_compared(report, options)
    assert compare._too_few_to_compare(report) == told
    options.until = "2"
    assert not any(line.startswith("too few") for line in compare._below_comparison(
        report, options))


def test_an_explanation_is_of_the_profiles_of_both_sides(monkeypatch):
    from reading import compare_explain

    given, written = [], []
    profiles = {side: [{"benchmark": "b", "threads": 1, "valid": 1, "label": label, "of": side}
                       for label in labels] for side, labels in (("old", "xy"), ("new", "x"))}

    def explain(pairs):
        given.extend(([row["of"] for row in pair.old], [row["of"] for row in pair.new])
                     for pair in pairs)
        return SimpleNamespace(as_json=lambda: ["json"])
    monkeypatch.setattr(compare_explain, "profiled_rows", profiles.get)
    monkeypatch.setattr(compare_explain, "explain_pairs", explain)
    monkeypatch.setattr(compare_explain, "explanation_text", lambda found: ["text"])
    monkeypatch.setattr(compare_explain, "write_explanation", lambda *of: written.append(of[1:]))
    asked = compare._compare_options(["old", "new", "--explain=to"])
    assert compare._compare_explained(asked, ["O", "N"]) == (["json"], ["text"])
    assert given == [(["old"], ["new"])] and written == [("to", ["O", "N"])]
    given.clear()
    asked = compare._compare_options(["--by=label", "--old=x", "--new=y", "old", "--explain"])
    compare._compare_explained(asked, [])
    assert given == [(["old"], ["old"])] and len(written) == 1
