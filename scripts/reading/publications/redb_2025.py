"""Christopher Berner, the benchmarks of redb's README, 2025."""
from __future__ import annotations

from collections.abc import Iterable
from statistics import geometric_mean, median
from typing import Any, NamedTuple

from ..markdown_tables import ROUNDS, Blocks, markdown_missing, markdown_rounds, markdown_table
from ..points import Point, Points, points_where
from ..published_tables import Tables
from ..reproduction_answers import (
    Figures,
    Head,
    LimitChart,
    Question,
    Reproduction,
    Sweep,
    answer_figures,
    answer_relabelled,
    leads_question,
    multiples_panel,
    sweep_over,
)
from ..rows import unique
from ..text import as_text, commas, compact, count, three
from . import our_engine


class RedbTest(NamedTuple):
    """A line of its table: its name, our experiment, the threads, and what it counts."""

    name: str
    experiment: str
    threads: int
    ops: float


def _redb_tests(tables: Tables) -> list[RedbTest]:
    number = tables.number
    batches = number("G.batches") * number("G.batch")
    whole = number("G.records") + number("G.single") + batches
    return [
        RedbTest("bulk load", "bulk", 1, number("G.records")),
        RedbTest("individual writes", "single", 1, number("G.single")),
        RedbTest("batch writes", "batches", 1, batches),
        RedbTest("random reads", "reads", 1, number("G.reads")),
        RedbTest("random range reads", "ranges", 1, number("G.scans")),
        *(RedbTest("random reads", "reads", threads, whole) for threads in (4, 8, 16, 32)),
    ]


def published(tables: Tables) -> Points:
    def base(row: Point, experiment: str) -> Point:
        return Point(document="redb-2025", experiment=experiment, engine=our_engine(row.engine),
                     label=our_engine(row.engine), valid=1)

    rows = []
    for test in _redb_tests(tables):
        for row in tables.where("redb-2025-times", test=test.name, threads=test.threads):
            if row.get("pass") != 1:
                rows.append(base(row, test.experiment).but(
                    threads=test.threads, num=tables.number("G.records"),
                    key_size=tables.number("G.key"), value_size=tables.number("G.value"),
                    ops=test.ops, seconds=row.wall_s, bold=row.bold,
                    ops_per_sec=None if row.wall_s is None else test.ops / row.wall_s))
    for row in tables.table("redb-2025-sizes"):
        rows.append(base(row, "size-" + row.size).but(
            db_disk_kb=None if row.mib is None else row.mib * 1024))
    return rows


# ---- tables.md

#: SQLite with the cache and the journal of there
_UNTUNED = "sqlite+journal=delete+cache_size=2000Ki"
_THEIRS = ("redb", "lmdb", "rocksdb", "sqlite", "sled", "fjall")
_ORDER = ("lmdb", "rocksdb", _UNTUNED, "sqlite")


def _redb_rows(rows: Points, label: str, experiment: str, threads: int) -> Points:
    return [row for row in points_where(rows, label=label, experiment=experiment)
            if (row.threads or 1) == threads]


def _redb_test_called(test: RedbTest) -> str:
    if test.experiment != "reads":
        return test.name
    return f"random reads, {count(test.threads, 'thread')}"


def _redb_rates(tests: list[RedbTest], rows: Points, labels: list[str]) -> list[list[str]]:
    return [[_redb_test_called(test), *(
        markdown_rounds(_redb_rows(rows, label, test.experiment, test.threads), "ops_per_sec",
                        compact)
        for label in labels)] for test in tests]


def _redb_sizes(printed: Points, ours: Points, labels: list[str]) -> list[list[str]]:
    def mib(row: Point) -> Any:
        return row.db_disk_kb / 1024

    return [[label, *(markdown_rounds(_redb_rows(printed, label, kind, 1), mib, three)
                      for kind in ("size-uncompacted", "size-compacted")),
             markdown_rounds(_redb_rows(ours, label, "ranges", 1), mib, three)] for label in labels]


def tables(run: Reproduction) -> Blocks:
    printed, ours, tests = published(run.tables), run.valid, _redb_tests(run.tables)
    labels = sorted(unique(row.label for row in run.rows), key=lambda label: (
        _ORDER.index(label) if label in _ORDER else 9))
    here = [{_UNTUNED: "sqlite", "sqlite": "sqlite tuned"}.get(label, label) for label in labels]
    ahead = ", ".join(f"{as_text(kib)} KiB" for kib in unique(
        row.read_ahead_kb for row in run.rows if row.read_ahead_kb is not None))
    others = [label for label in labels if label not in _THEIRS]
    return [
        f"{commas(run.rows[0].num)} records of 24 + 150 bytes; there: "
        f"{commas(run.tables.number('G.records'))}. Operations a second: there those of its table,"
        " over its times. Here SQLite has the 2000 KiB of cache and the rollback journal of there,"
        " for all its connections, or is tuned: with what the others had and a write-ahead log. Its"
        f" table, statements and syncs are not those of there. Read-ahead: {ahead}. {ROUNDS}", "",
        "## Operations a second, there", "",
        *markdown_table(["test", *_THEIRS], _redb_rates(tests, printed, list(_THEIRS))),
        "## Operations a second, here", "",
        *markdown_table(["test", *here], _redb_rates(tests, ours, labels)),
        "## Size, MiB", "",
        "There after the removals, uncompacted and compacted; here after the load and the writes.",
        "",
        *markdown_table(["engine", "uncompacted, there", "compacted, there", "here"],
                        _redb_sizes(printed, ours, [*_THEIRS, *others])),
        "## Engines of the publication that are not here", "",
        *markdown_missing(run.missing)]


# ---- the page

def _redb_sqlite_shown(row: Point) -> str:
    """SQLite with the cache of there stands for SQLite."""
    return {_UNTUNED: "sqlite", "sqlite": "sqlite+tuned"}.get(row.name, row.name)


def _redb_ours(ours: Points, experiment: str, threads: int) -> Points:
    return answer_relabelled(points_where(ours, experiment=experiment, threads=threads),
                             _redb_sqlite_shown)


def _redb_sides(printed: Points, ours: Points, test: RedbTest) -> tuple[Figures, Figures]:
    there = [row for row in points_where(printed, experiment=test.experiment)
             if (row.threads or 1) == test.threads]
    here = _redb_ours(ours, test.experiment, test.threads)
    return answer_figures(there, "ops_per_sec"), answer_figures(here, "ops_per_sec")


def _redb_near(ours: Points, tests: Iterable[RedbTest], said: str) -> Question:
    """By the times of the publication's own lines: where both rates are known."""
    times = []
    for test in tests:
        figures = answer_figures(_redb_ours(ours, test.experiment, test.threads), "ops_per_sec")
        rates = {name: median(figure.value for figure in figures if figure.label == name)
                 for name in {figure.label for figure in figures}}
        times += [rates[other] / rates["redb"] for other in ("lmdb", "rocksdb")
                  if other in rates and "redb" in rates]
    asked = "How near is redb to LMDB and RocksDB?"
    if not times:
        return Question(asked, said, "redb is not run here", "not on both sides", "absent").sure("")
    return Question(
        asked, said, f"redb takes {min(times):.2f} to {max(times):.2f} times as long,"
        f" {geometric_mean(times):.2f} as a geometric mean", "no factor was said", "open").sure("")


def _redb_machine(ours: Points) -> Question:
    cores = as_text(ours[0].cores if ours else None)
    return Question(
        "On what?", "AMD Ryzen 9950X3D, Samsung 9100 PRO; five million records of 24 + 150 bytes",
        f"{cores} cores, a virtual disk; by default nothing is scaled. sqlite has the cache of"
        " 2000 KiB and the rollback journal of there, but not its table, statements and syncs."
        " sqlite+tuned has the cache of the others and a write-ahead log")


def _redb_sweep(side: str, rows: Points) -> Sweep:
    return sweep_over(f"Random reads/s over threads, {side}", rows, [4, 8, 16, 32], "threads",
                      "threads", "ops_per_sec", "One scale for all; the other engines grey.")


def head(run: Reproduction) -> Head:
    printed, ours = published(run.tables), run.valid
    tests = {(test.experiment, test.threads): test for test in _redb_tests(run.tables)}

    def asks(does: str, experiment: str, threads: int) -> Question:
        return leads_question(does, "/s", *_redb_sides(printed, ours, tests[experiment, threads]))

    near, batch = run.claim("G1"), commas(run.tables.number("G.batch"))
    read = [row for n in (4, 8, 16, 32) for row in _redb_ours(ours, "reads", n)]
    return Head(
        note="Rings alone are the engines that are not here; sqlite has the cache of 2000"
        " KiB and the rollback journal of there; sqlite+tuned has the cache of the others and a"
        " write-ahead log.",
        asked=[
            asks("loads five million records fastest", "bulk", 1),
            asks("writes most in transactions of one record, each synced", "single", 1),
            asks("reads most with one thread", "reads", 1),
            asks("reads most with 32 threads", "reads", 32),
            asks(f"writes most in transactions of {batch} records, each synced", "batches", 1),
            _redb_near(ours, tests.values(), (near.published.reason if near else None) or "-"),
            _redb_machine(ours)],
        panels=[
            multiples_panel(_redb_test_called(test), "Operations a second.", "/s", "lmdb",
                            *_redb_sides(printed, ours, test))
            for test in tests.values()
            if test.experiment != "reads" or test.threads in (1, 8, 32)],
        limits=[
            LimitChart("the load", "records/s", "Five million records, one thread.",
                       _redb_ours(ours, "bulk", 1), "ops_per_sec"),
            LimitChart("synced writes", "writes/s", "A thousand writes, each synced.",
                       _redb_ours(ours, "single", 1), "ops_per_sec"),
            LimitChart("reads", "reads/s", "One thread.", _redb_ours(ours, "reads", 1),
                       "ops_per_sec")],
        sweeps=[
            _redb_sweep("there", points_where(printed, experiment="reads")),
            _redb_sweep("here", read)])
