"""A timeline and slow calls as the events of a trace."""
import pytest
from reading import perfetto
from reading.command import Failure

TIMELINE = ("time", "label", "benchmark", "iteration", "threads", "thread", "at_s", "span_s",
            "ops_per_sec", "read_ops", "write_ops", "read_histogram", "rss_kb")
CALLS = ("benchmark", "iteration", "thread", "kind", "start_ms", "duration_ms", "record", "cpu_ms",
         "cause", "ended", "time")


def interval(thread, at_s, benchmark="mix", second="00", rss=""):
    return dict(zip(TIMELINE, (f"2026-11-28T10:00:{second}Z", "7", benchmark, "1", "1", thread,
                               at_s, "0.5", "20", "4", "6", "64:4", rss)))


def call(thread, start_ms, benchmark="mix", cpu_ms="1.5", second="00"):
    return dict(zip(CALLS, (benchmark, "1", thread, "write", start_ms, "2.25", "42", cpu_ms,
                            "own_sync", "", f"2026-11-28T10:00:{second}Z")))


def runs():
    return perfetto.perfetto_processes([
        interval("0", "0.5"), interval("writer", "0.5"), interval("all", "0.5", rss="100"),
        interval("all", "1", rss="300"), interval("all", "0.5", "load", "03")])


def test_a_run_is_a_process_and_begins_at_its_second():
    assert [(run.pid, run.began_us) for run in runs()] == [(1, 0), (2, 3e6)]


def test_threads_come_by_number_and_background_threads_behind():
    names = [(event["tid"], event["args"]["name"]) for event in runs()[0].names()]
    assert names == [(0, "7 mix, iteration 1"), (1, "thread 0"), (2, "writer")]


def test_a_figure_stands_at_the_start_of_its_interval_and_at_the_last_end():
    events = [event for event in perfetto.perfetto_counters(runs()[0]) if event["name"] == "rss_kb"]
    assert [(event["ts"], event["args"]) for event in events] == [
        (0, {"rss_kb": 100}), (0.5e6, {"rss_kb": 300}), (1e6, {"rss_kb": 300})]


def test_kinds_share_a_counter_and_what_is_not_known_has_none():
    assert perfetto._perfetto_interval(interval("all", "1")) == {
        "ops_per_sec": {"ops_per_sec": 20}, "ops by kind": {"read": 4, "write": 6}}
    assert perfetto._perfetto_interval(interval("writer", "1")) == {
        "ops_per_sec of thread writer": {"ops": 20}}


def test_a_slow_call_is_a_slice_on_the_track_of_its_thread():
    event, = perfetto.perfetto_slow_calls(runs(), [call("1", "10.5", "load", "", "03")])
    assert event == {
        "ph": "X", "name": "write: own_sync", "cat": "slow call", "pid": 2, "tid": 2,
        "ts": 3e6 + 10500, "dur": 2250, "args": {"record": 42, "cause": "own_sync"}}


def test_no_time_is_before_the_trace():
    event, = perfetto.perfetto_slow_calls(runs(), [call("0", "-0.25")])
    assert (event["ts"], event["dur"]) == (0, 2250)


def test_repetitions_are_told_apart_by_their_time():
    lines = [interval("all", "0.5"), interval("all", "0.5", second="09")]
    events = perfetto.perfetto_slow_calls(perfetto.perfetto_processes(lines),
                                          [call("0", "1", second="09"), call("0", "1")])
    assert [event["pid"] for event in events] == [2, 1]


@pytest.mark.parametrize("benchmark, second, again, said", [
    ("other", "00", [], "has 0 runs of other"),
    ("mix", "09", [], "has 0 runs of mix"),
    ("mix", "00", [{**interval("all", "0.5"), "label": "8"}], "has 2 runs of mix")])
def test_a_slow_call_of_no_run_or_of_several_is_refused(benchmark, second, again, said):
    lines = [interval("all", "0.5"), *again]
    with pytest.raises(Failure) as end:
        list(perfetto.perfetto_slow_calls(perfetto.perfetto_processes(lines),
                                          [call("0", "1", benchmark, second=second)]))
    assert said in end.value.args[0]


def test_a_time_or_a_figure_that_is_none_is_refused():
    with pytest.raises(Failure, match="no time of a timeline"):
        perfetto.perfetto_processes([{**interval("all", "1"), "time": "yesterday"}])
    run, = perfetto.perfetto_processes([interval("all", "")])
    with pytest.raises(Failure, match="no number of at_s"):
        list(perfetto.perfetto_counters(run))


@pytest.mark.parametrize("text, why", [
    ("a\tb\n", "T has no row"), ("a\tc\n1\t2\n", "T is no file of --timeline: it has no column b"),
    ("a\tb\n1\t2\n3\n", "T: line 3 is cut short")])
def test_a_file_that_is_none_or_cut_is_refused(tmp_path, monkeypatch, text, why):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "T").write_text(text)
    with pytest.raises(Failure, match=why):
        perfetto._perfetto_lines("T", ["a", "b"], "--timeline")


@pytest.mark.parametrize("files", [[], ["a", "b", "c"]])
def test_one_timeline_is_asked_for_and_perhaps_slow_calls(files):
    with pytest.raises(Failure, match="which timeline"):
        perfetto.main(files)
