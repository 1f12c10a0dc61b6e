"""Symas, Intel Optane SSD Microbenchmark, 2018."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..markdown_tables import (
    ROUNDS,
    Blocks,
    Columns,
    cells_of,
    clock,
    invalid_table,
    markdown,
    measured,
    missing_table,
    names_of,
    whole_percent,
)
from ..points import Point, Points, median_of, where
from ..published_tables import Tables
from ..reproduction_answers import (
    Figures,
    Head,
    LimitChart,
    Question,
    Run,
    Sweep,
    asked_of,
    by_label,
    doubt_of,
    figures,
    labelled,
    leads,
    led,
    panel,
    ratio,
    stated,
    sure_of,
    sweep,
    undecided,
    why_open,
)
from ..rows import group_by, last_greatest, unique
from ..text import commas, factor, number, percent, said, short, show, size, three, to
from . import ours


def _storage(row: Point) -> str:
    if row.filesystem == "none":
        return "raw"
    return "ext4" if row.journal == 1 else "ext4-nojournal"


def published(tables: Tables) -> Points:
    records = tables.number("B.records")
    rows = []
    for row in tables.table("symas-2018-load"):
        engine, storage, medium = ours(row.engine), _storage(row), row.device.lower()
        rows.append(Point(
            document="symas-2018", experiment="load", engine=engine, storage=storage,
            medium=medium, threads=1, label=f"{engine}:{storage}:{medium}", num=records,
            key_size=tables.number("B.key"), value_size=tables.number("B.value"),
            seconds=row.load_wall_s, user_s=row.load_user_s, sys_s=row.load_sys_s,
            cpu_percent=row.load_cpu_percent, db_disk_kb=row.db_size_kb,
            ctx_voluntary=row.voluntary_switches, ctx_involuntary=row.involuntary_switches,
            fs_in_blocks=row.fs_in_blocks, fs_out_blocks=row.fs_out_blocks, writes=records,
            writes_per_sec=records / row.load_wall_s,
            fs_out_per_write=row.write_amp_blocks_per_record))
    return rows


# ---- tables.md

def _form(row: Point) -> str:
    """The engine with its options, without what it ran on."""
    return row.name.split(":")[0]


def _key(row: Point) -> tuple[str, str, str]:
    return _form(row), row.storage, row.medium


def _keys(rows: Points, experiment: str, engine: str = "") -> list[tuple[str, str, str]]:
    """The forms of an engine, or of all, on each storage and medium, in order of the engines."""
    found = unique([row.engine, *_key(row)] for row in rows
                   if row.experiment == experiment and engine in ("", row.engine))
    return [tuple(key[1:]) for key in found]


def _of(rows: Points, experiment: str, key: tuple[str, str, str]) -> Points:
    return [row for row in rows if row.experiment == experiment and _key(row) == key]


def _amplification(row: Point) -> Any:
    """Bytes written for a byte of records: the blocks are of 512 bytes (F3)."""
    return row.fs_out_per_write * 512 / (row.key_size + row.value_size)


_TIME: Columns = (
    ("wall", "seconds", clock),
    ("user", "user_s", clock),
    ("sys", "sys_s", clock),
    ("CPU", "cpu_percent", whole_percent),
    ("voluntary", "ctx_voluntary", show),
    ("involuntary", "ctx_involuntary", show),
)
_SPACE: Columns = (
    ("size, KB", "db_disk_kb", commas),
    ("blocks in", "fs_in_blocks", show),
    ("blocks out", "fs_out_blocks", show),
    ("write amp, blocks/record", "fs_out_per_write", three),
    ("bytes/byte", _amplification, three),
)


def _loads_table(printed: Points, ours: Points, columns: Columns) -> Blocks:
    lines = [[*key, *cells_of(_of(rows, "load", key), columns)]
             for engine in ("lmdb", "rocksdb", "aio") for rows in (printed, ours)
             for key in _keys(rows, "load", engine)]
    return markdown(["engine", "storage", "medium", *names_of(columns)], lines, (0, 1, 2))


def _runs_table(ours: Points, kind: str) -> Blocks:
    threads = unique(row.threads for row in where(ours, experiment="run"))
    lines = []
    for key in _keys(ours, "run"):
        rows = _of(ours, "run", key)
        lines.append([*key[:2], *(
            measured(where(rows, threads=n), f"{kind}_per_sec", show) for n in threads)])
    return [
        f"## {kind.capitalize()} a second beside each other, by the number of readers", "",
        "The publication has these figures in pictures only.", "",
        *markdown(["engine", "storage", *map(said, threads)], lines, (0, 1))]


def tables(run: Run) -> Blocks:
    printed, ours = published(run.tables), run.valid
    first = next(iter(where(ours, experiment="load")), Point())
    times = "-"
    if first.memory_limit_kb:
        times = three(first.num * 4016 / 1024 / first.memory_limit_kb)
    return [
        f"{commas(first.num or 0)} records of 16 + 4000 bytes, {times} times the memory, where "
        f"there were 80 million in 64 GB. {ROUNDS}", "",
        "## Loading: time and switches", "",
        "A loop device works in the kernel's threads, and what they cost is not the process's.",
        "", *_loads_table(printed, ours, _TIME),
        "## Loading: space and blocks", "",
        "Blocks are of 512 bytes (F3); the last column is bytes written for a byte of records, "
        "which the publication did not have.", "", *_loads_table(printed, ours, _SPACE),
        *_runs_table(ours, "writes"), *_runs_table(ours, "reads"),
        *invalid_table(run.rows, ("experiment", "label", "threads")),
        "## What of the publication is not here", "",
        *missing_table(run.missing, "what")]


# ---- the page

def _loads(rows: Points, storage: str, medium: str) -> Points:
    """The loads onto a storage, by labels without it."""
    return labelled(where(rows, experiment="load", storage=storage, medium=medium), _form)


def _runs(rows: Points, storage: str) -> Points:
    return labelled(where(rows, experiment="run", storage=storage), _form)


def _slower_question(run: Run, printed: Points) -> Question:
    """Of LMDB the time of a load onto the bare device over that onto ext4."""
    there = []
    for medium in ("flash", "optane"):
        ext4, raw = (next(row.seconds for row in _loads(printed, storage, medium)
                          if row.label == "lmdb") for storage in ("ext4", "raw"))
        there.append(number(to(2, raw / ext4)))
    loads = labelled((row for row in run.valid if row.experiment == "load"
                      and _form(row) == "lmdb" and row.storage in ("raw", "ext4")),
                     lambda row: row.storage)
    times = by_label(ratio(figures(loads, "seconds"), "raw", "ext4", "lmdb"))
    return asked_of(
        run.claims, "B3", "Is the bare device slower to load for LMDB than ext4?",
        f"yes, {' and '.join(there)} x the time, on flash and Optane",
        f"lmdb, {factor(times[0].value)} the time" if times else "not measured",
        sure_of(times, factor))


def _amplified(rows: Points) -> str:
    """Of each engine as it is the bytes that it writes for a byte of records."""
    loads = [row for row in rows if row.experiment == "load" and row.storage == "ext4"
             and row.engine in ("lmdb", "rocksdb") and "+" not in _form(row)]
    found = [(group[0].engine, median_of(_amplification, group) or 0)
             for group in group_by(loads, lambda row: row.engine)]
    found.sort(key=lambda pair: pair[1])
    if not found:
        return "not measured"
    told = ", ".join(f"{engine} {three(value)}" for engine, value in found)
    if len(found) == 2:
        told += f", {factor(found[1][1] / found[0][1])} as many"
    return told


def _bytes_question(run: Run, printed: Points) -> Question:
    ours = run.valid
    lmdb = by_label(figures((row for row in ours if row.experiment == "load"
                             and row.storage == "ext4" and _form(row) == "lmdb"), _amplification))
    sure = ""
    if lmdb:
        sure = f"lmdb {lmdb[0].apart(lambda x: number(to(2, x)))}; bytes, which no limit changes"
    return asked_of(
        run.claims, "B7", "How many bytes are written for a byte of records, on ext4?",
        _amplified(where(printed, medium="flash")), _amplified(ours), sure)


def _at_best(ours: Points, engines: tuple[str, str], storage: str) -> Figures:
    """The runs of some engines, each at the number of readers that suits it best."""
    found: Figures = []
    for engine in engines:
        runs = where(_runs(ours, storage), engine=engine)
        for form in group_by(runs, lambda row: row.label):
            rates = [(median_of("reads_per_sec", group) or 0, group)
                     for group in group_by(form, lambda row: row.threads)]
            threads = last_greatest(rates, lambda pair: pair[0])[1][0].threads
            found += figures(where(runs, threads=threads, label=form[0].label), "reads_per_sec")
    return found


def _readers_question(run: Run) -> Question:
    best = _at_best(run.valid, ("lmdb", "rocksdb"), "ext4")
    lines = by_label(best)
    here = led(lines, "/s", ("lmdb", "rocksdb"), "not there")
    for line in lines:
        if line.label == "lmdb":
            here += f"; lmdb by default {line.rate('/s')}"
    there, claim = "lmdb, in pictures: no figure, no margin", run.claim("B17")
    question = asked_of(
        run.claims, "B17", "Which engine reads most beside a writer, each at its best number of "
        "readers, on ext4?", there, here, sure_of(lines, lambda x: f"{short(x)}/s"))
    return replace(question, sentence=undecided(why_open(claim.ours if claim else None)) + stated(
        best, "reads most beside a writer, each at its best number of readers", "/s", there))


def _device_question(run: Run) -> Question:
    best = _at_best(run.valid, ("lmdb", "aio"), "raw")
    rate = {line.label: line.value for line in by_label(best)}
    here = "not measured"
    if "lmdb" in rate and "aio" in rate:
        ahead = rate.get("lmdb+readahead=0")
        here = (f"lmdb {short(rate['lmdb'])}/s, {percent(rate['lmdb'] / rate['aio'])} of aio's "
                f"{short(rate['aio'])}/s"
                + (f"; with readahead=0 {short(ahead)}/s" if ahead else "")
                + " (aio: the bare device, direct reads of the same size, no engine)")
    return asked_of(
        run.claims, "B20", "Does LMDB read as much as the bare device gives?",
        "said: lmdb is never the bottleneck; no figure", here,
        sure_of(by_label(ratio(best, "lmdb", "aio", "lmdb")), percent))


def _machine_question(ours: Points) -> Question:
    row = ours[0] if ours else Point()
    memory = "no limit" if row.memory_limit_kb is None else size(row.memory_limit_kb)
    return Question(
        "On what?", "80 million records of 16 + 4000 bytes, 64 GB of memory, flash and Optane",
        f"{commas(row.num)} records, {memory} of memory, one loop device, {said(row.cores)} cores. "
        "lmdb+readahead=0 is lmdb without read-ahead; aio reads the device directly, without an "
        "engine")


def _sweep(ours: Points, kind: str) -> Sweep:
    runs = where(ours, experiment="run")
    return sweep(f"{kind}/s over readers", runs, unique(row.threads for row in runs), "threads",
                 "readers", f"{kind}_per_sec",
                 "Each engine on each storage; one scale for all.")


def head(run: Run) -> Head:
    printed, ours = published(run.tables), run.valid

    def sides(storage: str) -> tuple[Figures, Figures]:
        return (figures(_loads(printed, storage, "flash"), "writes_per_sec"),
                figures(_loads(ours, storage, "loop"), "writes_per_sec"))

    loaded = labelled(where(ours, experiment="load", storage="ext4"), _form)
    return Head(
        asked=[
            leads("loads fastest onto ext4", "/s", *sides("ext4"), doubt_of(run.rows)),
            _slower_question(run, printed),
            _bytes_question(run, printed),
            _readers_question(run),
            _device_question(run),
            _machine_question(ours)],
        panels=[
            panel(title, "Flash there, a loop device here.", "/s", "lmdb", *sides(storage))
            for storage, title in (
                ("ext4", "Load onto ext4, records/s"),
                ("ext4-nojournal", "Load onto ext4 without a journal"),
                ("raw", "Load onto the bare device"))],
        limits=[
            LimitChart("the load", "records/s", "Onto ext4.", loaded, "writes_per_sec"),
            LimitChart("reads with 16 readers", "reads/s", "On ext4, beside a writer.",
                       where(_runs(ours, "ext4"), threads=16), "reads_per_sec")],
        sweeps=[_sweep(ours, kind) for kind in ("reads", "writes")])
