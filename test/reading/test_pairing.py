"""Which rows of two groups belong together, and by what they are compared."""
import pytest
from reading import pairing


@pytest.mark.parametrize("metric, more, better", [
    ("ops_per_sec", True, "faster"), ("reads_per_sec", True, "faster"),
    ("ops_per_sec_all_in", True, "faster"), ("p99", False, "faster"), ("max", False, "faster"),
    ("read_p99_ns", False, "faster"), ("mean_us", False, "faster"),
    ("open_seconds", False, "faster"), ("user_s", False, "faster"),
    ("harness_ns_per_op", False, "faster"), ("db_disk_kb", False, "better"),
    ("cache_bytes", False, "better"),
    ("host_write_amp", False, "better"), ("write_amp_all_in", False, "better"),
    ("syncs_per_commit", False, "better"), ("device_reads_per_op", False, "better"),
    ("faults_major", False, "better"), ("ctx_voluntary", False, "better")])
def test_of_rates_more_is_better_and_of_all_else_less(metric, more, better):
    found = pairing.direction_of_metric(metric)
    assert (found.more, found.better) == (more, better)
    assert found.worse == {"faster": "slower", "better": "worse"}[better]


@pytest.mark.parametrize("metric", ["num", "threads", "cores", "p99x", "seconds", "found", "label"])
def test_of_what_is_no_cost_it_is_not_known_whether_more_is_better(metric):
    assert pairing.direction_of_metric(metric) is None


def test_a_metric_must_be_a_column_of_any_row_and_have_a_direction():
    rows = [{"num": 1}, {"read_p99_ns": 5}]
    assert [pairing.metric_objection(rows, metric) for metric in ("p99", "")] == [None, None]
    assert pairing.metric_objection(rows, "p98") == "no column p98; bench_NAME --columns lists them"
    against = pairing.metric_objection(rows, "num")
    assert against.startswith("cannot tell whether more num is better")


CALLS = {"read_p99_ns": 5, "read_resp_p99_ns": 7, "ops_per_sec": 3}


def test_in_an_open_loop_the_response_time_is_compared():
    open_loop = {**CALLS, "target_rate": 30}
    assert pairing.metric_or_usual(CALLS, "") == "ops_per_sec"
    assert pairing.metric_or_usual(open_loop, "") == "p99"
    assert pairing.metric_or_usual(open_loop, "mean_us") == "mean_us"
    assert pairing.metric_of(CALLS, "p99") == 5 and pairing.metric_of(open_loop, "p99") == 7
    assert pairing.metric_of(open_loop, "read_p99_ns") == 5
    assert pairing.metric_of(open_loop, "p98") is None


def row(**columns):
    return {"label": "a", "benchmark": "b", "threads": 1, "valid": 1, **columns}


def paired(old, new, by="", allow=()):
    found = pairing.pairs_of(old, new, by, allow)
    return ([(pair.name, len(pair.old), len(pair.new)) for pair in found.both],
            [pair.name for pair in found.alone])


def test_rows_of_one_setup_and_label_belong_together_and_invalid_ones_nowhere():
    old = [row(), row(), row(valid=0), row(num=1), row(label="b")]
    new = [row(), row(num=2), row(label="b")]
    assert paired(old, new) == (
        [("b, 1 thread, num none, a", 2, 1), ("b, 1 thread, num none, b", 1, 1)],
        ["b, 1 thread, num 1, a", "b, 1 thread, num 2, a"])
    assert paired([row()], [row(valid=0)]) == ([], ["b, 1 thread"])


def test_what_may_differ_does_not_divide():
    old, new = [row(num=1, threads=2)], [row(num=2, threads=2)]
    assert paired(old, new)[0] == []
    assert paired(old, new, allow=["num"]) == ([("b, 2 threads", 1, 1)], [])
    assert paired(old, new, by="num") == ([("b, 2 threads", 1, 1)], [])
    assert paired([row()], [row(threads=2)], by="threads")[0] == [("b", 1, 1)]


def test_two_configurations_are_compared_whatever_their_labels():
    assert paired([row()], [row(label="z")])[0] == [("b, 1 thread", 1, 1)]
    both = [row(), row(label="z")]
    assert paired(both, [row(label="z")])[0] == [("b, 1 thread, z", 1, 1)]
    # one row on both sides is in each of them
    assert paired(both[:1], both[:1])[0] == [("b, 1 thread", 1, 1)]


def at(second, **columns):
    return row(time=f"2026-11-28T12:00:{second:02}Z", **columns)


def sides(rounds=6, apart=0):
    """Rounds that alternate; `apart` seconds between the sides."""
    return ([at(2 * n, repetition=n, ops_per_sec=100 + n) for n in range(1, rounds + 1)],
            [at(2 * n + 1 + apart, repetition=n, ops_per_sec=200 + n)
             for n in range(1, rounds + 1)])


def rounds(old, new, metric="ops_per_sec"):
    return pairing.rounds_of(pairing.Pair("b", old, new), metric)


def test_runs_of_one_round_are_pairs():
    old, new = sides()
    assert rounds(old, new[::-1]) == [(100 + n, 200 + n) for n in range(1, 7)]
    # a round that one side lacks is left out, as is one without the metric
    assert rounds(*sides(8)) == [*rounds(old, new), (107, 207), (108, 208)]
    long_old, long_new = sides(8)
    assert rounds(long_old[1:], [*long_new[:-1], {**long_new[-1], "ops_per_sec": None}]) == \
        [(100 + n, 200 + n) for n in range(2, 8)]


def test_a_round_that_was_repeated_comes_last():
    old, new = sides()
    new[1]["time"] = "2026-11-28T13:00:00Z"
    assert [a for a, _ in rounds(old, new)] == [101, 103, 104, 105, 106, 102]


@pytest.mark.parametrize("spoil", [
    lambda old, new: (old[1:], new),
    lambda old, new: (old, [*new, new[0]]),
    lambda old, new: (old, [{**r, "repetition": None} for r in new]),
    lambda old, new: sides(6, apart=12),
    lambda old, new: ([{**r, "time": "t"} for r in old], [{**r, "time": "t"} for r in new])],
    ids=["few", "twice", "no rounds", "one after the other", "unknown order"])
def test_other_runs_are_no_pairs(spoil):
    assert rounds(*spoil(*sides())) == []


@pytest.mark.parametrize("figure", [0, -5])
def test_a_figure_that_is_not_above_0_has_no_ratio(figure):
    old, new = sides(20)
    assert pairing.figure_without_ratio(new, "ops_per_sec") is None and len(rounds(old, new)) == 20
    new[3]["ops_per_sec"] = figure
    assert pairing.figure_without_ratio(new, "ops_per_sec") == figure


def test_runs_that_overlap_only_once_alternate():
    assert len(rounds(*sides(6, apart=8))) == 6


def test_a_probability_has_four_digits_after_the_point():
    assert [*map(pairing.p_of_pair, (None, 0.00009, 0.0001, 0.12345, 1))] == \
        ["-", "<0.0001", "0.0001", "0.1235", "1"]
