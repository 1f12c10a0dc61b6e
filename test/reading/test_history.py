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
