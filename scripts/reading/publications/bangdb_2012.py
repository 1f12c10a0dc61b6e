"""Sachin Sinha, LevelDB, Berkeley DB and BangDB, 2012.

The article has no table and no figure of a result in its text, so its rows are its settings.
"""
from __future__ import annotations

from typing import Any

from ..markdown_tables import (
    ROUNDS,
    Blocks,
    markdown_missing_sentence,
    markdown_rounds,
    markdown_table,
)
from ..points import Point, Points, points_where
from ..published_tables import Tables
from ..reproduction_answers import (
    AnswerLine,
    Figures,
    Head,
    LimitChart,
    Lines,
    Question,
    Reproduction,
    Sweep,
    answer_figures,
    answer_how_sure,
    answer_lines,
    answer_range,
    answer_ratios,
    answer_relabelled,
    behind_leaders,
    lead_sentence,
    multiples_panel,
    question_of_claim,
    sweep_over,
    who_led,
)
from ..rows import group_rows, unique
from ..stats import greatest_known
from ..text import as_text, commas, compact, factor, percent, short, size, three


def _bangdb_test(row: Point) -> str:
    return f"D{row.test}{'s' if row.cache == 'small' else ''}"


def published(tables: Tables) -> Points:
    return [Point(
        document="bangdb-2012", experiment="settings", test=_bangdb_test(row), engine="bangdb",
        label="bangdb", num=row.operations_max, key_size=tables.number("D.key"),
        value_sizes=f"{row.value_min_bytes}-{row.value_max_bytes}",
        cache_bytes=row.cache_mb * 1048576,
        write_buffer_bytes=row.leveldb_write_buffer_mb * 1048576,
    ) for row in tables.table("bangdb-2012-tests")]


# ---- tables.md

SIDES = ("write", "read")
#: its tests, what they are, and what each varies
_TESTS = (
    ("D1", "random writes and reads by one thread, large cache", "operations"),
    ("D1s", "the same, small cache", "operations"),
    ("D2", "by four threads, LevelDB writing from one, large cache", "operations"),
    ("D2s", "the same, small cache", "operations"),
    ("D3", "twice as much data as cache", "operations"),
    ("D4", "over threads", "threads"),
    ("D5", "values of 10,000 bytes", "operations"),
    ("D6", "writes and reads at once, a fill before", "% writes"),
    ("D2-program", "test 2 with the settings of the surviving program", "operations"),
)


def _bangdb_cache_mib(size: float | None) -> str:
    return "-" if size is None else f"{three(size / 1048576)} MiB"


def _bangdb_mib(rows: Points, column: str) -> str:
    return _bangdb_cache_mib(greatest_known(row.get(column) for row in rows))


def _bangdb_rate(side: str) -> Any:
    """Writes or reads a second of a row, which has both only where they run at once."""
    def rate(row: Point) -> Any:
        if row.side == "mix":
            return row.get(f"{side}s_per_sec")
        return row.ops_per_sec if row.side == side else None
    return rate


def _bangdb_settings(tables: Tables, test: str) -> str:
    of = [row for row in tables.table("bangdb-2012-tests") if _bangdb_test(row) in (test[:2], test)]
    asked = ([row for row in of if _bangdb_test(row) == test] or of)[-1]
    operations = unique([asked.operations_min, asked.operations_max])
    return (f"There: pictures only; {' to '.join(map(commas, operations))} operations, cache "
            f"{commas(asked.cache_mb)} MiB, LevelDB's write buffer "
            f"{commas(asked.leveldb_write_buffer_mb)} MiB.")


def _bangdb_test_tables(here: Points, varied: str) -> Blocks:
    """What the test varies a line, writes and reads a second of each engine its columns."""
    labels, xs = unique(row.label for row in here), unique(row.x for row in here)
    lines: Blocks = [
        f"Here: cache {_bangdb_mib(here, 'cache_bytes')}, write buffer "
        f"{_bangdb_mib(here, 'write_buffer_bytes')}, values of "
        f"{as_text(here[0].value_sizes)} bytes.", ""]
    for side in SIDES:
        lines += markdown_table([f"{side}s/s, by {varied}", *labels], [
            [commas(x), *(markdown_rounds(points_where(here, label=label, x=x),
                                          _bangdb_rate(side), compact) for label in labels)]
            for x in xs], ())
    return lines


def tables(run: Reproduction) -> Blocks:
    lines: Blocks = [
        "The article has no table and no figure of a result in its text, only settings and"
        " pictures: there is nothing to set beside ours. leveldb is with its compression, as there;"
        f" values can be halved. {ROUNDS}", ""]
    for test, heading, varied in _TESTS:
        here = points_where(run.valid, experiment=test)
        lines += [f"## Test {test[1:].split('-')[0]}: {heading}", "",
                  _bangdb_settings(run.tables, test), "",
                  *(_bangdb_test_tables(here, varied) if here else ["Not measured.", ""])]
    return lines + markdown_missing_sentence(run.missing)


# ---- the page

_NOTHING = "BangDB (not run here), in a picture"


class _BangdbTests:
    def __init__(self, rows: Points) -> None:
        self.rows = rows

    def of(self, test: str) -> Points:
        return points_where(self.rows, experiment=test)

    def most(self, test: str, side: str) -> Points:
        rows = points_where(self.of(test), side=side)
        return points_where(rows, x=greatest_known(row.x for row in rows))

    def rates(self, test: str, side: str) -> Figures:
        return answer_figures(self.most(test, side), "ops_per_sec")

    def lines(self, test: str, side: str) -> Lines:
        return answer_lines(self.rates(test, side))

    def pair(self, test: str, side: str) -> str | None:
        """Of leveldb and bdb the faster one, and how many times as fast."""
        pair = [line for line in self.lines(test, side) if line.label in ("leveldb", "bdb")]
        if len(pair) < 2:
            return None
        first, after = pair[:2]
        ratios = answer_ratios(self.rates(test, side), first.label, after.label, "")
        times = answer_lines(ratios)[0]
        told = f"{first.label} {factor(first.value / after.value)} {after.label}"
        if times.rounds < 2:
            return told
        if factor(times.low) == factor(times.high):
            return told + " in each round"
        return f"{told} ({answer_range([times.low, times.high], factor)})"


def _bangdb_picture(tests: _BangdbTests, asked: str, does: str, test: str, side: str) -> Question:
    lines = tests.lines(test, side)
    found = who_led(lines, "/s", [line.label for line in lines], "")
    if others := behind_leaders(lines):
        found += ", then " + ", ".join(f"{line.label} {line.rate('/s')}" for line in others)
    question = Question(asked, f"{_NOTHING}; no figure, no margin", found, "BangDB is not here",
                        "absent").sure(answer_how_sure(lines, lambda x: f"{short(x)}/s"))
    return question._replace(sentence=lead_sentence(
        tests.rates(test, side), does, "/s", f"{_NOTHING} without figures"))


def _bangdb_small_sure(tests: _BangdbTests, small: str) -> str:
    """What limited leveldb and bdb, by what most of their tests have, and which have another."""
    found: list[tuple[str, AnswerLine]] = []
    for test, cache in (("D1", ""), ("D1s", f" with {small}")):
        for side in SIDES:
            found += [(f"{line.label}'s {side}s{cache}", line)
                      for line in tests.lines(test, side) if line.label in ("leveldb", "bdb")]
    if not found:
        return ""
    groups = sorted(group_rows(found, lambda pair: pair[1].limited), key=lambda group: -len(group))
    told = f"{found[0][1].rounds_told}; {groups[0][0][1].limited}"
    for group in groups[1:]:
        told += f", but for {' and '.join(name for name, _ in group)}: {group[0][1].limited}"
    return told


def _bangdb_small_question(run: Reproduction, tests: _BangdbTests, small: str) -> Question:
    pairs = [(side, tests.pair("D1", side), tests.pair("D1s", side)) for side in SIDES]
    here = "; ".join(f"{side}s: {large} and, with {small}, {less}"
                     for side, large, less in pairs if large and less)
    return question_of_claim(
        run.claims, "D12",
        f"Are leveldb and bdb in the same order with a {small} cache as with a large one?",
        "similar trends, it says, of its other tests; pictures of tests 1 and 2",
        here or "not measured", _bangdb_small_sure(tests, small))


def _bangdb_beyond_question(run: Reproduction, tests: _BangdbTests) -> Question:
    """Of Berkeley DB beyond its cache the rate over that within."""
    beyond = tests.most("D3", "write")
    rows = answer_relabelled((row for row in beyond + tests.most("D2", "write")
                              if row.engine == "bdb"), lambda row: row.experiment)
    lines = answer_lines(answer_ratios(answer_figures(rows, "ops_per_sec"), "D3", "D2", "bdb"))
    here = "not measured"
    if lines:
        here = (f"bdb, four threads, {commas(beyond[0].x)} records: {percent(lines[0].value)} of "
                "its rate in the cache")
    return question_of_claim(
        run.claims, "D5", "Does Berkeley DB write far slower beyond its cache?",
        "yes, it says, of 10 million records in 1.5 GB; no figure", here,
        answer_how_sure(lines, percent))


def _bangdb_machine(tests: _BangdbTests) -> Question:
    row, beyond = (next(iter(tests.of(test)), Point()) for test in ("D1", "D3"))
    fewer = f", but {commas(beyond.num)} of 10,000,000 in test 3" if beyond.num else ""
    memory = "unknown memory" if row.memory_kb is None else size(row.memory_kb)
    return Question(
        "On what?",
        "4 cores, 8 GB, a disk of 7200 rpm, 24-byte keys, values of 100 to 400 bytes",
        f"{as_text(row.cores)} cores, {memory}, a virtual disk, the same caches and numbers of"
        f" records{fewer}")


def _bangdb_sweeps(tests: _BangdbTests) -> list[Sweep]:
    found = []
    for side in SIDES:
        if rows := points_where(tests.of("D4"), side=side):
            found.append(sweep_over(
                f"Test 4: {side}s/s over threads", rows, unique(row.x for row in rows), "x",
                "threads", "ops_per_sec", "One scale for all; the other engines grey."))
    return found


_PANELS = {"D1": "One thread", "D1s": "One thread, small cache", "D2": "Four threads",
           "D3": "Beyond the cache"}


def head(run: Reproduction) -> Head:
    tests = _BangdbTests(run.valid)
    cache = next((row.cache_bytes for row in tests.of("D1s")), None)
    small = "small" if cache is None else _bangdb_cache_mib(cache)
    note = "Test 1, one thread, two million records."
    return Head(
        note="The article has pictures only, so there is no ring.",
        asked=[
            _bangdb_picture(
                tests, "Which writes fastest, from one thread, two million records in the cache?",
                "writes fastest from one thread, two million records in the cache", "D1", "write"),
            _bangdb_picture(
                tests, "Which reads fastest, by one thread, in the cache?",
                "reads fastest from one thread, in the cache", "D1", "read"),
            _bangdb_picture(
                tests, f"Which reads fastest with a {small} cache? (leveldb and bdb alone run so)",
                f"reads fastest with a {small} cache, of the two run so", "D1s", "read"),
            _bangdb_small_question(run, tests, small),
            _bangdb_beyond_question(run, tests),
            _bangdb_machine(tests)],
        panels=[multiples_panel(f"{title}: {side}s/s", "", "/s", "leveldb", [],
                                tests.rates(test, side))
                for test, title in _PANELS.items() for side in SIDES],
        limits=[LimitChart(f"{side}s", f"{side}s/s", note, tests.most("D1", side), "ops_per_sec")
                for side in SIDES],
        sweeps=_bangdb_sweeps(tests))
