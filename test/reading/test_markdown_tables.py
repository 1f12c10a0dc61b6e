"""Cells of tables of reproductions, and what UCSB's orders depend on."""
import pytest
from reading.markdown_tables import (
    markdown_lines,
    markdown_missing_sentence,
    markdown_rounds,
    markdown_time,
)
from reading.points import Point
from reading.publications import ucsb_2022
from reading.published_tables import Tables
from reading.reproduction_answers import Reproduction
from reading.text import compact


def test_a_cell_has_the_median_with_its_range_and_a_mark_where_that_is_wide():
    cells = [markdown_rounds([Point(x=x) for x in xs], lambda row: row.x, compact) for xs in (
        (90, 101, 110), (0, 1, 0), (100,), (None, 100), (1, 2, 3), (100, 100), (None,))]
    assert cells == ["101 (90–110)", "0 (0–1)", "100", "100", "2 (1–3) !", "100", "-"]


# UCSB's record has LMDB 2.24 times as fast as LevelDB at the reads of 1 GB: the page says on which
# of our runs that depends, which differ in one thing alone and have it in all rounds, and nothing
# of runs with fewer operations than the record has.
TURNED = """
    C lmdb 1 100 1, C leveldb 1 200 1, C lmdb 1 100 2, C leveldb 1 210 2,
    C-as-set leveldb 1 50 1, C-as-set leveldb 1 300 2, C lmdb 1 100 3, C leveldb 1 205 3,
    C-as-set leveldb 1 300 3, C lmdb 10 60 3, C leveldb 10 44.4 3, X lmdb 1 1 1, X leveldb 1 2 1,
    C lmdb 10 60 1, C leveldb 10 50 1, C lmdb 10 60 2, C leveldb 10 40 2, C lmdb - 90 1,
    C leveldb - 10 1, C lmdb 0.1 90 1, C leveldb 0.1 10 1, C lmdb 0.1 90 2, C leveldb 0.1 20 2
"""


def turned():
    for words in TURNED.split(","):
        experiment, label, size, rate, repetition = words.split()
        yield Point(experiment=experiment, label=label, valid=1, ops=1,
                    size_gb=None if size == "-" else float(size), entries_per_sec=float(rate),
                    repetition=int(repetition), num=1000 if size == "0.1" else 1)


def test_where_an_order_is_otherwise_the_page_says_on_which_runs_it_depends():
    lines = markdown_lines(ucsb_2022.tables(
        Reproduction(Tables(), list(turned()), [], [])))
    start = lines.index("## 1 GB: orders that are otherwise here in all rounds")
    orders = [line for line in lines[start:] if line.startswith(("| C ", "| X "))]
    assert orders == ["| C | lmdb | leveldb | 2.24 | 0.488 | 10 GB 1.35 |"]


@pytest.mark.parametrize("seconds, text", [
    (12.346, "12.35 s"), (59.9, "59.9 s"), (60, "0:01:00"), (710, "0:11:50"), (3599.6, "1:00:00"),
    (90061, "25:01:01")])
def test_a_time_of_a_minute_or_more_has_hours(seconds, text):
    assert markdown_time(seconds) == text


def test_what_is_not_here_has_a_section_only_if_there_is_any():
    assert markdown_missing_sentence([]) == []
    assert markdown_missing_sentence([("a", "old"), ("b", "new")]) == [
        "## Not here", "", "Not here: a (old); b (new).", ""]
