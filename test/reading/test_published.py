"""What a publication says beside what its tables come to: how near is near enough."""
import os

import pytest
from reading import published
from reading.points import as_points
from reading.published_tables import Tables


@pytest.mark.parametrize("agrees, said, near, far", [
    (published.agrees_truncated, 12, [11.996, 12, 12.99], [11.99, 13]),
    (lambda value, said: published.agrees_rounded(value, said, 0.1), 1.5, [1.45, 1.55],
     [1.44, 1.56]),
    (published.agrees_equal, 1000, [999.1, 1000.9], [998.9, 1001.1]),
    (published.agrees_about, 10, [9.01, 10.99], [8.9, 11.1])])
def test_a_figure_agrees_within_what_its_form_says(agrees, said, near, far):
    assert all(agrees(value, said) for value in near)
    assert not any(agrees(value, said) for value in far)


def test_every_figure_of_the_published_tables_is_what_was_found_right():
    """A line for each statement: how many of its figures agree, their number, the sum of their
    values, and that of what they are held to; in test/reading/findings.tsv."""
    lines = []
    for one in published.findings(Tables()):
        sums = [f"{sum(value or 0 for value in values):.9g}" for values in zip(
            *((figure.value, figure.said) for figure in one.figures))]
        lines.append([one.id, one.file, str(one.agree), str(len(one.figures)), *sums])
    with open(os.path.join(os.path.dirname(__file__), "findings.tsv"), encoding="utf-8") as file:
        assert lines == [line.rstrip("\n").split("\t") for line in file]


class MadeTables:
    """Tables of one number and rows that are given."""

    def __init__(self, number, *rows):
        self.number = lambda _: number
        self.table = lambda name: as_points(rows) if name != "voron-2013-read" else []
        self.one = lambda *_, **__: as_points(rows)[0]


def test_rates_are_of_times_that_were_cut_to_milliseconds():
    rows = [{"test": "t", "wall_s": 2, "ops_per_sec": rate} for rate in (500.1, 500, 499.8, 499.7)]
    found = list(published._check_voron_rates(MadeTables(1000, *rows)))
    assert [(one.row, one.value, one.agrees) for one in found[:4]] == [
        ("fill: t", 500, agrees) for agrees in (False, True, True, False)]
    assert len(found) == 12


@pytest.mark.parametrize("said, agrees", [(5, False), (6, True), (7, True)])
def test_lines_are_at_most_as_many_as_said(said, agrees):
    code = {"engine": "RocksDB", "code_and_tests_lines": 1, "comments_lines": 2,
            "wrappers_and_other_lines": 3}
    assert list(published._check_rocksdb_lines(MadeTables(said, code))) == [
        published.Checked("RocksDB", said, 6, agrees)]
