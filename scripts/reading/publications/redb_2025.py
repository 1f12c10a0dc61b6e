"""Christopher Berner, the benchmarks of redb's README, 2025."""
from __future__ import annotations

from typing import Any, NamedTuple

from ..markdown_tables import ROUNDS, Blocks, markdown, measured, missing_table
from ..points import Point, Points, where
from ..published_tables import Tables
from ..reproduction_answers import (
    Figures,
    Head,
    LimitChart,
    Question,
    Run,
    Sweep,
    figures,
    labelled,
    leads,
    panel,
    sweep,
)
from ..rows import unique
from ..text import commas, count, said, show, three
from . import ours


class Test(NamedTuple):
    """A line of its table: its name, our experiment, the threads, and what it counts."""

    name: str
    experiment: str
    threads: int
    ops: float


def _tests(tables: Tables) -> list[Test]:
    number = tables.number
    batches = number("G.batches") * number("G.batch")
    whole = number("G.records") + number("G.single") + batches
    return [
        Test("bulk load", "bulk", 1, number("G.records")),
        Test("individual writes", "single", 1, number("G.single")),
        Test("batch writes", "batches", 1, batches),
        Test("random reads", "reads", 1, number("G.reads")),
        Test("random range reads", "ranges", 1, number("G.scans")),
        *(Test("random reads", "reads", threads, whole) for threads in (4, 8, 16, 32)),
    ]


def published(tables: Tables) -> Points:
    def base(row: Point, experiment: str) -> Point:
        return Point(document="redb-2025", experiment=experiment, engine=ours(row.engine),
                     label=ours(row.engine), valid=1)

    rows = []
    for test in _tests(tables):
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


def _of(rows: Points, label: str, experiment: str, threads: int) -> Points:
    return [row for row in where(rows, label=label, experiment=experiment)
            if (row.threads or 1) == threads]


def _called(test: Test) -> str:
    if test.experiment != "reads":
        return test.name
    return f"random reads, {count(test.threads, 'thread')}"


def _rates(tests: list[Test], rows: Points, labels: list[str]) -> list[list[str]]:
    return [[_called(test), *(
        measured(_of(rows, label, test.experiment, test.threads), "ops_per_sec", show)
        for label in labels)] for test in tests]


def _sizes(printed: Points, ours: Points, labels: list[str]) -> list[list[str]]:
    def mib(row: Point) -> Any:
        return row.db_disk_kb / 1024

    return [[label, *(measured(_of(printed, label, kind, 1), mib, three)
                      for kind in ("size-uncompacted", "size-compacted")),
             measured(_of(ours, label, "ranges", 1), mib, three)] for label in labels]


def tables(run: Run) -> Blocks:
    printed, ours, tests = published(run.tables), run.valid, _tests(run.tables)
    labels = sorted(unique(row.label for row in run.rows), key=lambda label: (
        _ORDER.index(label) if label in _ORDER else 9))
    here = [{_UNTUNED: "sqlite", "sqlite": "sqlite tuned"}.get(label, label) for label in labels]
    ahead = ", ".join(f"{said(kib)} KiB" for kib in unique(
        row.read_ahead_kb for row in run.rows if row.read_ahead_kb is not None))
    others = [label for label in labels if label not in _THEIRS]
    return [
        f"{commas(run.rows[0].num)} records of 24 + 150 bytes; there: "
        f"{commas(run.tables.number('G.records'))}. Operations a second: there those of its table,"
        " over its times. Here SQLite has the 2000 KiB of cache and the rollback journal of there,"
        " for all its connections, or is tuned: with what the others had and a write-ahead log. Its"
        f" table, statements and syncs are not those of there. Read-ahead: {ahead}. {ROUNDS}", "",
        "## Operations a second, there", "",
        *markdown(["test", *_THEIRS], _rates(tests, printed, list(_THEIRS))),
        "## Operations a second, here", "",
        *markdown(["test", *here], _rates(tests, ours, labels)),
        "## Size, MiB", "",
        "There after the removals, uncompacted and compacted; here after the load and the writes.",
        "",
        *markdown(["engine", "uncompacted, there", "compacted, there", "here"],
                  _sizes(printed, ours, [*_THEIRS, *others])),
        "## Engines of the publication that are not here", "",
        *missing_table(run.missing)]


# ---- the page

def _shown(row: Point) -> str:
    """SQLite with the cache of there stands for SQLite."""
    return {_UNTUNED: "sqlite", "sqlite": "sqlite+tuned"}.get(row.name, row.name)


def _ours(ours: Points, experiment: str, threads: int) -> Points:
    return labelled(where(ours, experiment=experiment, threads=threads), _shown)


def _sides(printed: Points, ours: Points, test: Test) -> tuple[Figures, Figures]:
    there = [row for row in where(printed, experiment=test.experiment)
             if (row.threads or 1) == test.threads]
    here = _ours(ours, test.experiment, test.threads)
    return figures(there, "ops_per_sec"), figures(here, "ops_per_sec")


def _machine_question(ours: Points) -> Question:
    cores = said(ours[0].cores if ours else None)
    return Question(
        "On what?", "AMD Ryzen 9950X3D, Samsung 9100 PRO; five million records of 24 + 150 bytes",
        f"{cores} cores, a virtual disk; nothing is scaled. sqlite has the cache of 2000 KiB and"
        " the rollback journal of there, but not its table, statements and syncs. sqlite+tuned has"
        " the cache of the others and a write-ahead log")


def _sweep(side: str, rows: Points) -> Sweep:
    return sweep(f"Random reads/s over threads, {side}", rows, [4, 8, 16, 32], "threads", "threads",
                 "ops_per_sec", "One scale for all; the other engines grey.")


def head(run: Run) -> Head:
    printed, ours = published(run.tables), run.valid
    tests = {(test.experiment, test.threads): test for test in _tests(run.tables)}

    def asks(does: str, experiment: str, threads: int) -> Question:
        return leads(does, "/s", *_sides(printed, ours, tests[experiment, threads]))

    near, batch = run.claim("G1"), commas(run.tables.number("G.batch"))
    read = [row for n in (4, 8, 16, 32) for row in _ours(ours, "reads", n)]
    return Head(
        note="Rings alone are redb and the engines that are not here; sqlite has the cache of 2000"
        " KiB and the rollback journal of there; sqlite+tuned has the cache of the others and a"
        " write-ahead log.",
        asked=[
            asks("loads five million records fastest", "bulk", 1),
            asks("writes most in transactions of one record, each synced", "single", 1),
            asks("reads most with one thread", "reads", 1),
            asks("reads most with 32 threads", "reads", 32),
            asks(f"writes most in transactions of {batch} records, each synced", "batches", 1),
            Question("How near is redb to LMDB and RocksDB?",
                     (near.published.reason if near else None) or "-", "redb is not run here",
                     "not on both sides", "absent").sure(""),
            _machine_question(ours)],
        panels=[
            panel(_called(test), "Operations a second.", "/s", "lmdb",
                  *_sides(printed, ours, test))
            for test in tests.values()
            if test.experiment != "reads" or test.threads in (1, 8, 32)],
        limits=[
            LimitChart("the load", "records/s", "Five million records, one thread.",
                       _ours(ours, "bulk", 1), "ops_per_sec"),
            LimitChart("synced writes", "writes/s", "A thousand writes, each synced.",
                       _ours(ours, "single", 1), "ops_per_sec"),
            LimitChart("reads", "reads/s", "One thread.", _ours(ours, "reads", 1), "ops_per_sec")],
        sweeps=[
            _sweep("there", where(printed, experiment="reads")),
            _sweep("here", read)])
