"""Histories: what is kept, what changed, and what is told and drawn of that."""
import json

import pytest
from reading import history as histories
from reading.command import Failure
from reading.history import History, HistoryChange, HistoryEntry, HistoryOptions, _history_stretches

# ---- what is kept


def row(day=1, i=1, **columns):
    """A run of that day, with 109 + i ns of CPU an operation."""
    return {"time": f"2026-01-{day:02}T00:00:00Z", "benchmark": "readrandom", "threads": 1,
            "label": "null", "host": "h", "valid": 1, "commit": "one", "ops": 1_000_000_000,
            "user_s": 100 + i, "sys_s": 9, "ops_per_sec": 1000 + i, "read_p99_ns": 50,
            "write_p99_ns": 70, **columns}


@pytest.fixture
def add(tmp_path, capsys):
    """Adds files of rows; what is in each history then, by columns, and what was said."""
    def of(*files, **options):
        paths = []
        for number, rows in enumerate(files):
            paths.append(tmp_path / f"{number}.json")
            paths[-1].write_text("".join(json.dumps(row) + "\n" for row in rows))
        kept = tmp_path / "kept"
        histories.add_to_history(HistoryOptions("add", history=str(kept),
                                                results=[*map(str, paths)], **options))
        found = {}
        for file in kept.glob("*/*.tsv"):
            names, *lines = [line.split("\t") for line in file.read_text().splitlines()]
            found[f"{file.parent.name}/{file.name}"] = [dict(zip(names, line)) for line in lines]
        return found, capsys.readouterr().err
    return of


def test_the_runs_of_a_file_are_one_line_of_their_medians(add):
    found, said = add([row(2, 1), row(1, 2), row(2, 9)], [row(3)])
    (name, (first, second)), = found.items()
    assert name.startswith("h/readrandom-1t-null-") and said == ""
    assert [first[c] for c in ("time", "commit", "runs", "warnings", "ops_per_sec",
                               "cpu_ns_per_op", "p99_ns", "p50_ns")] == \
        ["2026-01-01T00:00:00Z", "one", "3", "0", "1002", "111", "50", ""]
    assert (second["time"], second["runs"]) == ("2026-01-03T00:00:00Z", "1")


def test_invalid_rows_are_none_of_it_and_the_commit_can_be_that_of_the_engine(add):
    found, said = add([row(i=9, valid=0), row(i=1), row(i=3)], commit="7f3")
    (line,), = found.values()
    assert (line["runs"], line["ops_per_sec"], line["commit"]) == ("2", "1002", "7f3")
    assert said == "reading: 1 invalid rows left out\n"
    with pytest.raises(Failure, match="no valid row in "):
        add([row(valid=0)])


def test_it_appends_only_what_is_new(add):
    add([row(2)], [row(3)])
    found, said = add([row(3)], [row(4)])
    assert "has the runs of 2026-01-03T00:00:00Z already" in said
    (lines,) = found.values()
    assert [line["time"][8:10] for line in lines] == ["02", "03", "04"]
    with pytest.raises(Failure, match="a run of 2026-01-01T00:00:00Z cannot be appended"):
        add([row(1)])


@pytest.mark.parametrize("columns, kept", [
    ({"host": "i"}, 2), ({"threads": 2}, 2), ({"cpu": "faster"}, 2), ({"durability": "sync"}, 2),
    ({"clients": 4}, 2), ({"clients": 1}, 1), ({"clients": None}, 1), ({"cpu_quota": 50}, 2),
    ({"engine_version": "2", "kernel": "k", "engine_options": "x=1"}, 1)])
def test_each_machine_and_setting_has_a_history_and_versions_are_of_one(add, columns, kept):
    found, _ = add([row(1)], [row(2, **columns)])
    assert len(found) == kept and len({name[0] for name in found}) == 1 + ("host" in columns)


@pytest.mark.parametrize("columns, why", [
    ({"time": "garbage"}, 'has the time "garbage", which is not of the form 2026-01-31T12:00:00Z'),
    ({"time": "2026-02-31T00:00:00Z"}, 'has the time "2026-02-31T00:00:00Z", which is not of'),
    ({"time": None}, "has the time null, which is not of"),
    ({"host": ".."}, 'has the host "..", which cannot name a directory'),
    ({"host": None}, "has the host null, which cannot name a directory"),
    ({"ops_per_sec": -1}, "has ops_per_sec -1, which is not a number of at least 0"),
    ({"mean_us": "x"}, 'has mean_us "x", which is not a number of at least 0')])
def test_what_no_history_can_hold_is_refused_and_nothing_is_added(add, tmp_path, columns, why):
    with pytest.raises(Failure) as end:
        add([row(), row(**columns)])
    assert f"a row of readrandom {why}" in end.value.args[0]
    assert end.value.args[0].endswith("; nothing is added") and not (tmp_path / "kept").exists()


def test_a_label_with_several_settings_is_refused(add):
    with pytest.raises(Failure, match="differ in their engine's options"):
        add([row(engine_options="x=1"), row(engine_options="x=2")])


# ---- what changed

def days(*commits, **more):
    lines = [{"time": f"2026-01-{day:02}T00:00:00Z", "commit": commit, "runs": "3",
              "engine_version": "1", "warnings": "0", "ops_per_sec": "1000",
              "cpu_ns_per_op": "110", **more} for day, commit in enumerate(commits, 1)]
    return History("h.tsv", {"benchmark": "b", "threads": 1, "label": "a", "host": "h"}, lines)


@pytest.fixture
def check(monkeypatch):
    """What check says of a history of eleven days with these changes, or None."""
    def of(*changes, **options):
        asked = HistoryOptions("check", **options)

        def find(histories_of, options):
            for history in histories_of:
                history.changes = histories._history_judged(
                    history, [dict(zip(("metric", "at", "before", "after", "p"), (*one, 1e-5)))
                              for one in changes], float(options.threshold))

        monkeypatch.setattr(histories, "find_history_changes", find)
        try:
            assert histories.check_histories([days(*"aabcccccccc")], asked) == 0
        except Failure as failure:
            assert failure.status == 1
            return failure.args[0]
        return None
    return of


SLOWER = ("cpu_ns_per_op", 2, 110, 220)


def test_check_says_in_one_sentence_what_became_slower(check):
    assert check(SLOWER) == (
        "slower: b, 1 thread, a on h: cpu_ns_per_op +100 % (110 to 220) at 2026-01-03T00:00:00Z,"
        " with commit b (before: a)")
    assert check(SLOWER, ("ops_per_sec", 3, 2000, 1900)).endswith(
        "; and 1 more, see history.sh show")
    assert check(("cpu_ns_per_op", 5, 110, 220)).endswith(
        ", without a change of version, commit or setting in the rows")


def test_of_rates_less_is_slower_and_of_all_else_more(check):
    assert check(("ops_per_sec", 2, 1000, 2000)) is None
    assert "ops_per_sec -50 % (2000 to 1000)" in check(("ops_per_sec", 2, 2000, 1000))
    assert check(("cpu_ns_per_op", 2, 220, 110)) is None


def test_what_is_below_the_threshold_or_before_a_time_is_none(check):
    assert check(SLOWER, threshold="101") is None
    assert check(SLOWER, since="2026-01-04") is None
    assert check(SLOWER, since="2026-01-03") is not None


@pytest.mark.parametrize("later, slower", [
    (("cpu_ns_per_op", 3, 220, 110), False), (("cpu_ns_per_op", 3, 220, 111), False),
    (("cpu_ns_per_op", 3, 220, 112), True), (("cpu_ns_per_op", 3, 220, 150), True),
    # neither another metric nor what was before
    (("ops_per_sec", 3, 1000, 2000), True), (("cpu_ns_per_op", 1, 220, 110), True)])
def test_what_was_made_up_for_to_within_the_threshold_is_not_slower(check, later, slower):
    assert (check(SLOWER, later) is not None) == slower


def test_nine_entries_are_too_few(capsys):
    assert histories.check_histories([days(*"a" * 9)], HistoryOptions("check")) == 2
    assert capsys.readouterr().err == ("reading: too few entries to find a change in 1 of 1"
                                       " histories: 10 are needed, and h.tsv has 9\n")
    assert histories._too_short_histories([days(*"a" * 10)]) is None
    assert histories._too_short_histories([days(*"a" * 10), days(*"a" * 9)]) == (
        "too few entries to find a change in 1 of 2 histories: 10 are needed, and h.tsv has 9")


def test_a_metric_that_some_lines_lack_is_named(capsys, monkeypatch):
    monkeypatch.setattr(histories, "find_history_changes", lambda *_: None)
    lacking = days(*"abcdefghij")
    lacking.lines[3]["cpu_ns_per_op"] = ""
    options = HistoryOptions("check")
    assert "cpu_ns_per_op" in options.asked
    assert histories.check_histories([lacking, days(*"abcdefghij")], options) == 0
    assert capsys.readouterr().err == (
        "reading: h.tsv: not checked, as some lines lack it: cpu_ns_per_op\n")


# ---- what is told and drawn

def test_other_tools_are_given_the_last_line_each_figure_in_its_unit():
    history = days("one")
    history.lines += days("two", ops_per_sec="3000", mean_us="0.25", p99_ns="77", cpu_ns_per_op="",
                          peak_rss_kb="4321", write_amp_all_in="1.5").lines
    assert histories._history_bencher([history]) == {"b, 1 thread, a on h": {
        "throughput": {"value": 3000}, "latency": {"value": 250}, "p99-ns": {"value": 77},
        "peak-rss-kb": {"value": 4321}, "write-amp-all-in": {"value": 1.5}}}

    def given(bigger):
        return [(one["name"].split(": ")[-1], one["unit"], one["value"])
                for one in histories._history_github([history], bigger)]

    assert given(True) == [("ops_per_sec", "ops/s", 3000)]
    assert given(False) == [("mean_us", "us", 0.25), ("p99_ns", "ns", 77),
                            ("write_amp_all_in", "ratio", 1.5), ("peak_rss_kb", "kb", 4321)]
    assert histories._history_metric_unit("cpu_ns_per_op") == "ns"
    assert histories._history_github([history], True)[0]["extra"].startswith("commit two, ")


def change(at: int, before: float, after: float, percent: float) -> HistoryChange:
    return HistoryChange("x", at, before, after, 1e-5, percent, "", [], worse=True)


def test_each_day_is_drawn_at_the_mean_of_its_stretch_and_a_change_where_it_begins() -> None:
    lines = [{"time": day, "x": value} for day, value in
             (("a", "110"), ("b", "112"), ("c", "220"), ("d", "222"))]
    history = History("h", {}, lines, changes=[change(2, 111, 221, 99.1)])
    assert _history_stretches(history, "x") == (
        "a\t110\t111\t\nb\t112\t111\t\nc\t220\t221\t+99.1 %\nd\t222\t221\t\n")


def test_without_a_change_all_is_one_stretch() -> None:
    history = History("h", {}, [{"time": "a", "x": "1"}, {"time": "b", "x": "3"}])
    assert _history_stretches(history, "x") == "a\t1\t2\t\nb\t3\t2\t\n"


def test_the_name_of_a_history_is_kept_for_ever() -> None:
    entry = HistoryEntry(
        "vm/readrandom-1t-null", {"label": "null", "threads": 1.0, "cpu": None}, "", ""
    )
    assert entry.path == "vm/readrandom-1t-null-9e240bab"


# ---- rates, zeros, and who looks for changes

@pytest.mark.parametrize("later, slower", [
    (1000, False), (990, False), (989, True), (2000, False), (500, True)])
def test_a_rate_is_made_up_for_where_it_is_as_high_again(check, later, slower):
    found = check(("ops_per_sec", 2, 1000, 500), ("ops_per_sec", 4, 500, later))
    assert (found is not None) == slower


def test_from_zero_there_is_no_percentage_but_a_change(check):
    assert "p99_ns - (0 to 7) at" in check(("p99_ns", 2, 0, 7))
    # the greatest is told, and one without a percentage is least
    assert "cpu_ns_per_op +100 %" in check(("p99_ns", 2, 0, 7), SLOWER)


def test_a_change_at_the_threshold_is_one_and_at_its_own_line(check):
    assert check(("cpu_ns_per_op", 2, 100, 125), threshold="25") is not None
    assert check(("cpu_ns_per_op", 2, 100, 124.9), threshold="25") is None
    found = histories._history_judged(days(*"aabc"), [
        {"metric": "mean_us", "at": 3, "before": 2.0, "after": 1.0, "p": 0.5},
        {"metric": "ops_per_sec", "at": 2, "before": 1, "after": 2, "p": 0.25}], 1)
    assert [(one.metric, one.at, one.before, one.after, one.p, one.percent, one.time, one.differ,
             one.worse, one.open) for one in found] == [
        ("ops_per_sec", 2, 1, 2, 0.25, 100, "2026-01-03T00:00:00Z",
         [{"column": "commit", "old": "a", "new": "b"}], False, False),
        ("mean_us", 3, 2, 1, 0.5, -50, "2026-01-04T00:00:00Z",
         [{"column": "commit", "old": "b", "new": "c"}], False, False)]


@pytest.fixture
def otava(tmp_path):
    """A program in Otava's place, that notes what it is given and answers so."""
    def of(answer, status=0):
        (tmp_path / "answer").write_text(answer)
        program = tmp_path / "otava"
        program.write_text(f'#!/bin/sh\ncd "{tmp_path}"\necho "$*" >given; cat >>given\n'
                           f'cat answer; echo "why" >&2\nexit {status}\n')
        program.chmod(0o755)
        return str(program)
    return of


def test_otava_is_asked_for_whole_columns_and_answers_for_each_file(otava, tmp_path):
    answer = {"file": "h.tsv", "changes": [
        {"metric": "ops_per_sec", "at": 1, "before": 10, "after": 5, "p": 0.01}]}
    one, other = days(*"ab"), days(*"cd", cpu_ns_per_op="")
    other.file = "i.tsv"
    asked = HistoryOptions("show", otava=otava(json.dumps(answer) + "\n"), threshold="2.5",
                           p_value="0.002")
    histories.find_history_changes([one, other], asked)
    assert (tmp_path / "given").read_text().split("otava_changes.py ")[1] == (
        "0.002 0.025\nh.tsv\tops_per_sec\tcpu_ns_per_op\ni.tsv\tops_per_sec\n")
    assert [change.percent for change in one.changes] == [-50] and other.changes == []


def test_what_otava_cannot_do_ends_the_script(otava, tmp_path):
    for options, why in (({"metrics": "ops_per_sec,x,y"}, "--metrics: no x, y; see --help"),
                         ({"otava": "/no/program"}, "--otava: there is no program /no/program"),
                         ({"otava": otava("", 3)}, "otava: why")):
        with pytest.raises(Failure, match=why):
            histories.find_history_changes([days(*"ab")], HistoryOptions("show", **options))
    # without a whole column nobody is asked
    histories.find_history_changes([days(*"ab", ops_per_sec="", cpu_ns_per_op="")],
                                   HistoryOptions("show", otava="/no/program"))


def test_histories_of_one_title_say_what_tells_them_apart(add, tmp_path):
    add([row(1), row(1, threads=2), row(1, threads=2, durability="sync")])
    found = histories.histories_in(str(tmp_path / "kept"))
    assert sorted(history.title for history in found) == [
        "readrandom, 1 thread, null on h", "readrandom, 2 threads, null on h, durability none",
        "readrandom, 2 threads, null on h, durability sync"]
    assert [history.file for history in found] == sorted(history.file for history in found)
    (tmp_path / "empty").mkdir()
    for directory, why in (("empty", "no history in"), ("none", "no directory")):
        with pytest.raises(Failure, match=why):
            histories.histories_in(str(tmp_path / directory))


def test_a_history_is_shown_with_its_last_line_and_each_change():
    history = days(*"abc", warnings="2")
    history.lines[-1] |= {"runs": "1", "ops_per_sec": "900", "cpu_ns_per_op": "12345.6"}
    history.changes = histories._history_judged(history, [
        {"metric": "ops_per_sec", "at": 1, "before": 1000, "after": 800, "p": 0},
        {"metric": "ops_per_sec", "at": 2, "before": 800, "after": 1000, "p": 0},
        {"metric": "mean_us", "at": 2, "before": 1, "after": 1.5, "p": 0}], 1)
    assert histories._history_text(history) == [
        "b, 1 thread, a on h",
        "  3 entries from 2026-01-01T00:00:00Z to 2026-01-03T00:00:00Z, in h.tsv",
        "  last: 900 operations/s, 12346 ns of CPU time an operation, median of 1 run, 2 with"
        " warnings",
        "  was slower: ops_per_sec -20 % (1000 to 800) at 2026-01-02T00:00:00Z, with commit b"
        " (before: a)",
        "  changed: ops_per_sec +25 % (800 to 1000) at 2026-01-03T00:00:00Z, with commit c"
        " (before: b)",
        "  slower: mean_us +50 % (1 to 1.5) at 2026-01-03T00:00:00Z, with commit c (before: b)",
        ""]
    plain = days(*"ab")
    plain.lines[-1]["cpu_ns_per_op"] = ""
    assert histories._history_text(plain)[2:] == [
        "  last: 1000 operations/s, - ns of CPU time an operation, median of 3 runs",
        "  no change", ""]


@pytest.mark.parametrize("arguments, found", [
    ("add --history=x --commit=c a b", {"history": "x", "commit": "c", "results": ["a", "b"]}),
    ("show --format=bmf --p-value=0.5", {"format": "bmf", "p_value": "0.5"}),
    ("check --since=2026 --metrics=a,b", {"since": "2026", "metrics": "a,b"}),
    ("show --format=x", "cannot read '--format=x' of show"), ("show a", "cannot read 'a' of show"),
    ("add --format=json", "cannot read '--format=json' of add"),
    ("check --page=x", "cannot read '--page=x' of check"),
    ("show --since=x", "cannot read '--since=x' of show"),
    ("show --threshold=1x", "cannot read '1x'; give a number to --threshold and --p-value"),
    ("check --p-value=.5", "cannot read '.5'; give a number")])
def test_each_verb_has_options_of_its_own(arguments, found):
    if isinstance(found, str):
        with pytest.raises(Failure, match=found):
            histories._history_options(arguments.split())
    else:
        options = histories._history_options(arguments.split())
        assert vars(options) == {**vars(HistoryOptions(arguments.split()[0])), **found}


def test_what_is_shown_has_the_form_that_was_asked_for(monkeypatch, capsys):
    monkeypatch.setattr(histories, "find_history_changes", lambda *_: None)
    history = days(*"ab")
    history.of |= {"engine": "e"}

    def shown(form):
        histories.show_histories([history], HistoryOptions("show", format=form))
        return capsys.readouterr().out
    assert json.loads(shown("bmf"))["b, 1 thread, a on h"]["throughput"] == {"value": 1000}
    assert [one["name"] for one in json.loads(shown("github-bigger"))] == \
        ["b, 1 thread, a on h: ops_per_sec"]
    assert [one["unit"] for one in json.loads(shown("github-smaller"))] == ["ns"]
    assert json.loads(shown("json")) == {"file": "h.tsv", "of": history.of, "entries": 2,
                                         "changes": []}
    assert shown("text").splitlines()[-2:] == ["  no change", ""]


@pytest.mark.parametrize("metric, figure", [
    ("p50_ns", 1), ("p99_ns", 2), ("p999_ns", 3), ("mean_us", 4), ("cpu_ns_per_op", 109),
    ("db_disk_kb", None)])
def test_each_figure_of_a_history_is_of_its_column(metric, figure):
    of = row(i=0, read_p50_ns=1, read_p99_ns=2, read_p999_ns=3, mean_us=4, write_p99_ns=None)
    assert histories.history_figure(of, metric) == figure
    assert histories.history_figure({**of, "ops": 0, "user_s": None}, "cpu_ns_per_op") is None
