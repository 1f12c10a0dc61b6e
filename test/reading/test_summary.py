"""Tables of engines: their points and what is said of them."""
import pytest
from reading import summary


def row(label="a", i=0, **columns):
    return {"label": label, "engine": "lmdb", "benchmark": "readrandom", "threads": 1, "valid": 1,
            "ops_per_sec": 100.0 + i, "time": f"2026-01-31T12:00:0{i}Z", **columns}


def tables(*rows):
    return summary.summarize(rows).tables


@pytest.mark.parametrize("words, limit", [
    ("cpu", "cpu"), ("cpu lock lock", "lock"), ("lock cpu lock", "lock"), ("cpu lock", "unclear"),
    ("cpu lock device", "unclear"), ("- lock", "lock"), ("-", "unknown")])
def test_runs_are_limited_by_the_word_that_most_of_them_have(words, limit):
    runs = [row(i=i, **({} if word == "-" else {"bound_by": word, "bound_by_detail": f"run {i}"}))
            for i, word in enumerate(words.split())]
    ((point,),) = tables(*runs)
    assert point.limited.word == limit
    if limit == "lock":
        assert point.limited.detail == f"run {words.split().index('lock')}"
    if limit == "unclear":
        assert point.limited.detail == "runs differ"


def test_the_best_is_first_and_of_an_open_loop_who_met_the_rate():
    (table,) = tables(row("a"), row("b", ops_per_sec=300.0), row("c", ops_per_sec=200.0))
    assert [point.label for point in table] == ["b", "c", "a"]

    def paced(label, ns, met):
        return row(label, target_rate=30, target_rate_met=met, read_resp_p99_ns=ns)

    (table,) = tables(paced("a", 50, 0), paced("b", 300, 1), paced("c", 200, 1))
    assert [(point.label, point.median) for point in table] == [("c", 200), ("b", 300), ("a", 50)]


def test_what_is_a_condition_makes_tables_and_what_is_a_setting_lines():
    assert [len(table) for table in tables(row(), row(filesystem="xfs"))] == [1]
    assert len(tables(row(filesystem="ext4"), row(filesystem="xfs"))) == 2
    (table,) = tables(row(cache_bytes=1), row(cache_bytes=2), row(cache_bytes=2, i=1))
    assert sorted((point.label, point.runs) for point in table) == \
        [("a+cache_bytes=1", 1), ("a+cache_bytes=2", 2)]
