"""Symas, In-Memory Microbenchmark (Large), 2014."""
from __future__ import annotations

from typing import Any

from ..markdown_tables import (
    ROUNDS,
    Blocks,
    Columns,
    markdown_column_cells,
    markdown_column_names,
    markdown_invalid_rows,
    markdown_missing,
    markdown_percent,
    markdown_rounds,
    markdown_table,
    markdown_time,
)
from ..points import Point, Points, median_figure, points_where
from ..published_tables import Tables
from ..reproduction_answers import (
    Head,
    LimitChart,
    Question,
    Reproduction,
    answer_figures,
    answer_how_sure,
    answer_lines,
    answer_ratios,
    answer_relabelled,
    leads_question,
    multiples_panel,
    question_of_claim,
)
from ..rows import unique
from ..text import (
    as_text,
    commas,
    compact,
    count,
    number,
    percent,
    round_to,
    rounded,
    size,
    three,
)
from . import our_engine


def published(tables: Tables) -> Points:
    records = tables.number("A.records")
    rows = []
    for row in tables.table("symas-2014-results"):
        label = "rocksdb+prefix_size=8" if row.engine == "RocksDBpfx" else our_engine(row.engine)
        common = Point(
            document="symas-2014", engine=label.split("+")[0], label=label, num=records,
            key_size=tables.number("A.key"), value_size=tables.number("A.value"))
        rows.append(common.but(
            experiment="load", threads=1, seconds=row.load_wall_s, user_s=row.load_user_s,
            sys_s=row.load_sys_s, db_disk_kb=row.load_size_kb,
            writes_per_sec=records / row.load_wall_s))
        rows.append(common.but(
            experiment="run", threads=tables.number("A.readers"), seconds=row.run_wall_s,
            user_s=row.run_user_s, sys_s=row.run_sys_s, writes_per_sec=row.writes_per_sec,
            reads_per_sec=row.reads_per_sec, db_disk_kb=row.final_size_kb,
            cpu_percent=row.run_cpu_percent, rss_kb=row.process_size_kb))
    return rows


# ---- tables.md

def _inmemory_rows(rows: Points, experiment: str, label: str) -> Points:
    return points_where(rows, experiment=experiment, label=label)


def _inmemory_labels(printed: Points) -> list[str]:
    """The labels of the printed rows, in their order, and then what else is measured here."""
    return [row.label for row in points_where(printed, experiment="run")] + ["rocksdb"]


def _inmemory_line_ups(ours: Points) -> list[tuple[str, str]]:
    """The line-up as faithful as can be, and the other beside it; those that were measured."""
    line_ups = (("run-cores", "here, a reader a core"), ("run", "here, 16 readers"))
    there = {row.experiment for row in ours}
    return [line_up for line_up in line_ups if line_up[0] in there]


def _gib_in_memory(kib: float) -> str:
    return f"{three(kib / 1048576)} GiB"


_LOAD: Columns = (
    ("wall", "seconds", markdown_time),
    ("user", "user_s", markdown_time),
    ("sys", "sys_s", markdown_time),
    ("overhead", lambda row: (row.user_s + row.sys_s) / row.seconds, three),
    ("size", "db_disk_kb", _gib_in_memory),
)
_RUN: Columns = (
    ("writes/s", "writes_per_sec", compact),
    ("reads/s", "reads_per_sec", compact),
    ("CPU", "cpu_percent", markdown_percent),
    ("final size", "db_disk_kb", _gib_in_memory),
    ("process", lambda row: row.rss_kb if row.peak_rss_kb is None else row.peak_rss_kb,
     _gib_in_memory),
)
_SWITCHES: Columns = (
    ("run: voluntary", "ctx_voluntary", compact),
    ("involuntary", "ctx_involuntary", compact),
    ("voluntary a million reads",
     lambda row: row.ctx_voluntary / row.reads * 1e6 if row.reads > 0 else None, compact),
)
_MORE: Columns = (
    ("run: peak writes/s", "peak_writes_per_sec", compact),
    ("own", lambda row: row.rss_anon_kb / 1024, lambda mib: f"{three(mib)} MiB"),
    ("fairness", "fairness", three),
    ("p50, us", lambda row: row.read_p50_ns / 1000, three),
    ("p99, us", lambda row: row.read_p99_ns / 1000, three),
)


def _inmemory_load(printed: Points, ours: Points) -> Blocks:
    lines = [[label, side, *markdown_column_cells(rows, _LOAD)]
             for label in _inmemory_labels(printed)
             for side, rows in (("there", _inmemory_rows(printed, "load", label)),
                                ("here", _inmemory_rows(ours, "load", label))) if rows]
    return [
        "## Load", "",
        "In key order, in batches. Overhead is user and system time over wall time. There the wall"
        " time ends with the process; here settling and closing are not in it.", "",
        *markdown_table(["engine", "", *markdown_column_names(_LOAD)], lines, (0, 1))]


def _inmemory_run(printed: Points, ours: Points) -> Blocks:
    lines = [[label, side, *markdown_column_cells(rows, _RUN)]
             for label in _inmemory_labels(printed)
             for side, rows in (
                 ("there", _inmemory_rows(printed, "run", label)),
                 *((called, _inmemory_rows(ours, name, label))
                   for name, called in _inmemory_line_ups(ours))) if rows]
    seconds = max((row.seconds for row in points_where(ours, experiment="run")), default=None)
    return [
        "## Run", "",
        f"Readers of random records and one writer, here for {three(seconds)} seconds after an "
        "empty page cache. Process is the largest size with mapped files. F2: LMDB's times there"
        " make 748 % of CPU.", "",
        *markdown_table(["engine", "", *markdown_column_names(_RUN)], lines, (0, 1))]


def _inmemory_more(printed: Points, ours: Points) -> Blocks:
    lines = []
    for label in _inmemory_labels(printed):
        if rows := _inmemory_rows(ours, "run", label):
            peak = markdown_rounds(_inmemory_rows(ours, "load", label), "peak_writes_per_sec",
                                   compact)
            lines.append([label, peak, *markdown_column_cells(rows, _MORE)])
    return [
        "## Where ours can say more", "",
        "Peak is the highest rate of one interval; own is the process's memory without mapped"
        " files. Latency is of reads, with 16 readers.", "",
        *markdown_table(["engine", "load: peak records/s", *markdown_column_names(_MORE)], lines)]


def _inmemory_switches(printed: Points, ours: Points) -> Blocks:
    told: Blocks = [
        "## Context switches", "",
        "The published counts run together in the stored text and cannot be told apart"
        " (results/published/unsplit.csv). Null is an engine that does nothing, so its switches are"
        " the harness's own.", ""]
    for called, experiment in (("a reader a core", "run-cores"), ("16 readers", "run"),
                               ("the small database, 16 readers", "run-small")):
        if any(row.experiment == experiment for row in ours):
            lines = [[label, *markdown_column_cells(rows, _SWITCHES)]
                     for label in [*_inmemory_labels(printed), "null"]
                     if (rows := _inmemory_rows(ours, experiment, label))]
            told += [f"### {called}", "",
                     *markdown_table(["engine", *markdown_column_names(_SWITCHES)], lines)]
    return told


def _inmemory_followers(ours: Points) -> Blocks:
    lines = []
    for generator in ("minstd", "default"):
        if rows := _inmemory_rows(ours, "run-" + generator, "leveldb"):
            leads = unique(row.lead_thread for row in rows)
            lines.append([
                generator, *markdown_column_cells(rows, (_RUN[1], _RUN[0], _MORE[2])),
                "thread " + ", ".join(map(as_text, leads)),
                markdown_rounds(rows, lambda row: row.lead_share * 100, markdown_percent)])
    return [
        "## Readers that follow the writer", "",
        "LevelDB with readers that wait for the device. A fairness of 1 is of readers that all read"
        " as much, of 1/16 of one that reads all there is: thread 3 reads what the writer has just"
        " written. The seed of minstd here was found among 600,000, as one that puts thread 3 as"
        " far ahead of the writer, for so few records, as it was there.", "",
        *markdown_table(["generator", "reads/s", "writes/s", "fairness",
                         "the reader that reads most", "its share of the reads"], lines)]


def tables(run: Reproduction) -> Blocks:
    printed, ours = published(run.tables), run.valid
    first = next(iter(points_where(ours, experiment="load")), Point())
    memory = "-" if first.memory_limit_kb is None else size(first.memory_limit_kb)
    return [
        f"{commas(first.num or 0)} records of 16 + 100 bytes in a memory of {memory}, where there"
        f" were a billion in 128 GB. {ROUNDS}", "",
        *_inmemory_load(printed, ours),
        *_inmemory_run(printed, ours),
        *_inmemory_more(printed, ours),
        *_inmemory_switches(printed, ours),
        *_inmemory_followers(ours),
        *markdown_invalid_rows(run.rows, ("experiment", "label")),
        "## Engines of the publication that are not here", "",
        *markdown_missing(run.missing)]


# ---- the page

def _inmemory_engines(rows: Points, experiment: str) -> Points:
    return [row for row in rows if row.experiment == experiment and row.engine != "null"]


def _inmemory_loaded(row: Point) -> Any:
    """As A3 has it: there the time of a load ends with its process."""
    return row.num / (row.seconds + (row.settle_seconds or 0) + (row.close_seconds or 0))


def _grown_in_memory(rows: Points, experiment: str, labels: list[str]) -> list[tuple[str, float]]:
    """Of each engine its size after the run over that after the load, the most grown first."""
    grown = []
    for label in labels:
        before, after = (median_figure("db_disk_kb", _inmemory_rows(rows, name, label))
                         for name in ("load", experiment))
        if before and after:
            grown.append((label, after / before))
    return sorted(grown, key=lambda pair: -pair[1])


def _inmemory_change(times: float) -> str:
    more = times * 100 - 100
    return f"{'+' if more > 0 else ''}{number(round_to(1, more))} %"


def _inmemory_kept_size(grown: list[tuple[str, float]]) -> str:
    lmdb = [f"lmdb {_inmemory_change(times)}" for label, times in grown if label == "lmdb"]
    others = [f"{label} {_inmemory_change(times)}" for label, times in grown if label != "lmdb"]
    ends = f"{others[-1]} to {others[0]}" if others else ""
    return f"{', '.join(lmdb) or 'not measured'}; others from {ends}"


def _inmemory_size_question(run: Reproduction, printed: Points, line_up: str) -> Question:
    labels, ours = _inmemory_labels(printed), run.valid
    sizes = answer_relabelled((row for row in ours if row.label == "lmdb"
                               and row.experiment in ("load", line_up)), lambda row: row.experiment)
    lines = answer_lines(answer_ratios(answer_figures(sizes, "db_disk_kb"), line_up, "load",
                                       "lmdb"))
    sure = ""
    if lines:
        sure = f"lmdb {lines[0].apart(_inmemory_change)}; a size, which no limit changes"
    return question_of_claim(
        run.claims, "A17", "Is LMDB's database as large after the run as after the load?",
        _inmemory_kept_size(_grown_in_memory(printed, "run", labels)),
        _inmemory_kept_size(_grown_in_memory(ours, line_up, labels)), sure)


def _inmemory_followers_question(run: Reproduction) -> Question:
    told = []
    for generator in ("minstd", "default"):
        rows = _inmemory_rows(run.valid, "run-" + generator, "leveldb")
        if not rows:
            continue
        if generator == "minstd":
            thread = as_text(median_figure("lead_thread", rows))
            most = percent(median_figure("lead_share", rows))
            told.append(f"generator of 2014: thread {thread} does {most} of reads")
        else:
            greatest = max(row.lead_share or 0 for row in rows)
            told.append("with assay's generator none of the sixteen does more than "
                        + percent(greatest) + (", an equal share" if greatest < 1.2 / 16 else ""))
    minstd = answer_figures(_inmemory_rows(run.valid, "run-minstd", "leveldb"), "lead_share")
    return question_of_claim(
        run.claims, "A20", "Do some readers get the writer's sequence of keys, and so read far more"
        " than others?", "yes: one to three of sixteen, thread 3 first, in four engines",
        f"leveldb, {'; '.join(told)}" if told else "not measured",
        answer_how_sure(answer_lines(minstd), percent))


def _inmemory_machine(ours: Points) -> Question:
    row = next(iter(points_where(ours, experiment="run")), Point())
    memory = "no limit" if row.memory_limit_kb is None else size(row.memory_limit_kb)
    return Question(
        "On what?", "a billion records of 16 + 100 bytes, 128 GB of memory, 16 cores, RAID 5 of"
        " eight disks, three hours a run",
        f"{commas(row.num)} records, {memory} of memory, the same ratio, {as_text(row.cores)}"
        f" cores, {count(rounded(row.seconds or 0), 'second')} a run after an empty page cache")


def head(run: Reproduction) -> Head:
    printed, ours = published(run.tables), run.valid
    line_up = (_inmemory_line_ups(ours) or [("run", "here")])[0][0]
    there, here = _inmemory_engines(printed, "run"), _inmemory_engines(ours, line_up)
    load_there, load_here = _inmemory_engines(printed, "load"), _inmemory_engines(ours, "load")
    reads, writes = ((answer_figures(there, rate), answer_figures(here, rate))
                     for rate in ("reads_per_sec", "writes_per_sec"))
    loads = (answer_figures(load_there, "writes_per_sec"),
             answer_figures(load_here, _inmemory_loaded))
    return Head(
        asked=[
            leads_question("reads most beside a writer, with a reader a core", "/s", *reads),
            leads_question("writes most beside the readers", "/s", *writes),
            leads_question("loads fastest, with settling and closing", "/s", *loads),
            _inmemory_size_question(run, printed, line_up),
            _inmemory_followers_question(run),
            _inmemory_machine(ours)],
        panels=[
            multiples_panel("Reads/s, as many readers as cores", "Sixteen there.", "/s", "lmdb",
                            *reads),
            multiples_panel("Writes/s beside them", "", "/s", "lmdb", *writes),
            multiples_panel("Load, records/s", "With settling and closing.", "/s", "lmdb", *loads)],
        limits=[
            LimitChart("reads", "reads/s", "A reader a core, and a writer.", here, "reads_per_sec"),
            LimitChart("reads with 16 readers", "reads/s",
                       "Sixteen readers and a writer share the cores.",
                       _inmemory_engines(ours, "run"), "reads_per_sec")],
        used=(answer_figures(there, lambda row: row.cpu_percent / 16),
              answer_figures(here, lambda row: row.cpu_percent / row.cores)))
