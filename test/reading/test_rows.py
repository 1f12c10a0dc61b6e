"""Rows: what they say, and medians of them."""
from reading import rows


def test_quantiles_of_a_row_are_of_one_kind_of_call():
    row = {"read_p50_ns": None, "read_p99_ns": 5, "read_resp_p99_ns": 7, "write_p50_ns": 9,
           "write_p99_ns": 9, "write_resp_p50_ns": 9}
    assert [rows.latency_of(row, q) for q in ("p50", "p99")] == [None, 5]
    assert [rows.response_of(row, q) for q in ("p50", "p99")] == [None, 7]


def test_a_median_is_also_of_columns_that_the_first_row_does_not_have():
    found = [{"a": 1, "b": None, "c": "x"}, {"a": 3, "b": 5, "c": "y", "d": 7},
             {"a": 4, "b": 6, "d": 8}]
    assert rows.medians(found) == {"a": 3, "b": 5.5, "c": "x", "d": 7.5}
