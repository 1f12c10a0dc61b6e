"""Symas, Intel Optane SSD Microbenchmark, 2018."""
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
    Figures,
    Head,
    LimitChart,
    Question,
    Reproduction,
    Sweep,
    answer_doubt,
    answer_figures,
    answer_how_sure,
    answer_lines,
    answer_ratios,
    answer_relabelled,
    answer_why_open,
    lead_sentence,
    leads_question,
    multiples_panel,
    question_of_claim,
    sweep_over,
    undecided_answer,
    who_led,
)
from ..rows import group_rows, last_greatest, unique
from ..text import as_text, commas, compact, factor, number, percent, round_to, short, size, three
from . import our_engine


def _optane_storage(row: Point) -> str:
    if row.filesystem == "none":
        return "raw"
    return "ext4" if row.journal == 1 else "ext4-nojournal"


def published(tables: Tables) -> Points:
    records = tables.number("B.records")
    rows = []
    for row in tables.table("symas-2018-load"):
        engine, storage, medium = our_engine(row.engine), _optane_storage(row), row.device.lower()
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

def _optane_form(row: Point) -> str:
    """The engine with its options, without what it ran on."""
    return row.name.split(":")[0]


def _optane_key(row: Point) -> tuple[str, str, str]:
    return _optane_form(row), row.storage, row.medium


def _optane_keys(rows: Points, experiment: str, engine: str = "") -> list[tuple[str, str, str]]:
    """The forms of an engine, or of all, on each storage and medium, in order of the engines."""
    found = unique([row.engine, *_optane_key(row)] for row in rows
                   if row.experiment == experiment and engine in ("", row.engine))
    return [tuple(key[1:]) for key in found]


def _optane_rows(rows: Points, experiment: str, key: tuple[str, str, str]) -> Points:
    return [row for row in rows if row.experiment == experiment and _optane_key(row) == key]


def _optane_amplification(row: Point) -> Any:
    """Bytes written for a byte of records: the blocks are of 512 bytes (F3)."""
    return row.fs_out_per_write * 512 / (row.key_size + row.value_size)


_TIME: Columns = (
    ("wall", "seconds", markdown_time),
    ("user", "user_s", markdown_time),
    ("sys", "sys_s", markdown_time),
    ("CPU", "cpu_percent", markdown_percent),
    ("voluntary", "ctx_voluntary", compact),
    ("involuntary", "ctx_involuntary", compact),
)
_SPACE: Columns = (
    ("size, KB", "db_disk_kb", commas),
    ("blocks in", "fs_in_blocks", compact),
    ("blocks out", "fs_out_blocks", compact),
    ("write amp, blocks/record", "fs_out_per_write", three),
    ("bytes/byte", _optane_amplification, three),
)


def _optane_loads_table(printed: Points, ours: Points, columns: Columns) -> Blocks:
    lines = [[*key, *markdown_column_cells(_optane_rows(rows, "load", key), columns)]
             for engine in ("lmdb", "rocksdb", "aio") for rows in (printed, ours)
             for key in _optane_keys(rows, "load", engine)]
    return markdown_table(["engine", "storage", "medium", *markdown_column_names(columns)], lines,
                          (0, 1, 2))


def _optane_runs_table(ours: Points, kind: str) -> Blocks:
    threads = unique(row.threads for row in points_where(ours, experiment="run"))
    lines = []
    for key in _optane_keys(ours, "run"):
        rows = _optane_rows(ours, "run", key)
        lines.append([*key[:2], *(
            markdown_rounds(points_where(rows, threads=n), f"{kind}_per_sec", compact)
            for n in threads)])
    return [
        f"## {kind.capitalize()} a second beside each other, by the number of readers", "",
        "The publication has these figures in pictures only.", "",
        *markdown_table(["engine", "storage", *map(as_text, threads)], lines, (0, 1))]


def tables(run: Reproduction) -> Blocks:
    printed, ours = published(run.tables), run.valid
    first = next(iter(points_where(ours, experiment="load")), Point())
    times = "-"
    if first.memory_limit_kb:
        times = three(first.num * 4016 / 1024 / first.memory_limit_kb)
    return [
        f"{commas(first.num or 0)} records of 16 + 4000 bytes, {times} times the memory, where "
        f"there were 80 million in 64 GB. {ROUNDS}", "",
        "## Loading: time and switches", "",
        "A loop device works in the kernel's threads, and what they cost is not the process's.",
        "", *_optane_loads_table(printed, ours, _TIME),
        "## Loading: space and blocks", "",
        "Blocks are of 512 bytes (F3); the last column is bytes written for a byte of records, "
        "which the publication did not have.", "", *_optane_loads_table(printed, ours, _SPACE),
        *_optane_runs_table(ours, "writes"), *_optane_runs_table(ours, "reads"),
        *markdown_invalid_rows(run.rows, ("experiment", "label", "threads")),
        "## What of the publication is not here", "",
        *markdown_missing(run.missing, "what")]


# ---- the page

def _optane_loads(rows: Points, storage: str, medium: str) -> Points:
    """The loads onto a storage, by labels without it."""
    return answer_relabelled(points_where(rows, experiment="load", storage=storage, medium=medium),
                             _optane_form)


def _optane_runs(rows: Points, storage: str) -> Points:
    return answer_relabelled(points_where(rows, experiment="run", storage=storage), _optane_form)


def _optane_raw_question(run: Reproduction, printed: Points) -> Question:
    """Of LMDB the time of a load onto the bare device over that onto ext4."""
    there = []
    for medium in ("flash", "optane"):
        ext4, raw = (next(row.seconds for row in _optane_loads(printed, storage, medium)
                          if row.label == "lmdb") for storage in ("ext4", "raw"))
        there.append(number(round_to(2, raw / ext4)))
    loads = answer_relabelled((row for row in points_where(run.valid, experiment="load")
                               if _optane_form(row) == "lmdb" and row.storage in ("raw", "ext4")),
                              lambda row: row.storage)
    times = answer_lines(answer_ratios(answer_figures(loads, "seconds"), "raw", "ext4", "lmdb"))
    return question_of_claim(
        run.claims, "B3", "Is the bare device slower to load for LMDB than ext4?",
        f"yes, {' and '.join(there)} x the time, on flash and Optane",
        f"lmdb, {factor(times[0].value)} the time" if times else "not measured",
        answer_how_sure(times, factor))


def _optane_amplified(rows: Points) -> str:
    """Of each engine as it is the bytes that it writes for a byte of records."""
    loads = [row for row in points_where(rows, experiment="load", storage="ext4")
             if row.engine in ("lmdb", "rocksdb") and "+" not in _optane_form(row)]
    found = [(group[0].engine, median_figure(_optane_amplification, group) or 0)
             for group in group_rows(loads, lambda row: row.engine)]
    found.sort(key=lambda pair: pair[1])
    if not found:
        return "not measured"
    told = ", ".join(f"{engine} {three(value)}" for engine, value in found)
    if len(found) == 2:
        told += f", {factor(found[1][1] / found[0][1])} as many"
    return told


def _optane_bytes_question(run: Reproduction, printed: Points) -> Question:
    loads = points_where(run.valid, experiment="load", storage="ext4")
    lmdb = answer_lines(answer_figures((row for row in loads if _optane_form(row) == "lmdb"),
                                       _optane_amplification))
    sure = ""
    if lmdb:
        apart = lmdb[0].apart(lambda x: number(round_to(2, x)))
        sure = f"lmdb {apart}; bytes, which no limit changes"
    return question_of_claim(
        run.claims, "B7", "How many bytes are written for a byte of records, on ext4?",
        _optane_amplified(points_where(printed, medium="flash")), _optane_amplified(loads), sure)


def _optane_at_best(ours: Points, engines: tuple[str, str], storage: str) -> Figures:
    """The runs of some engines, each at the number of readers that suits it best."""
    found: Figures = []
    for engine in engines:
        runs = points_where(_optane_runs(ours, storage), engine=engine)
        for form in group_rows(runs, lambda row: row.label):
            rates = [(median_figure("reads_per_sec", group) or 0, group)
                     for group in group_rows(form, lambda row: row.threads)]
            threads = last_greatest(rates, lambda pair: pair[0])[1][0].threads
            found += answer_figures(points_where(runs, threads=threads, label=form[0].label),
                                    "reads_per_sec")
    return found


def _optane_readers_question(run: Reproduction) -> Question:
    best = _optane_at_best(run.valid, ("lmdb", "rocksdb"), "ext4")
    lines = answer_lines(best)
    here = who_led(lines, "/s", ("lmdb", "rocksdb"), "not there")
    for line in lines:
        if line.label == "lmdb":
            here += f"; lmdb by default {line.rate('/s')}"
    there, claim = "lmdb, in pictures: no figure, no margin", run.claim("B17")
    question = question_of_claim(
        run.claims, "B17", "Which engine reads most beside a writer, each at its best number of "
        "readers, on ext4?", there, here, answer_how_sure(lines, lambda x: f"{short(x)}/s"))
    return question._replace(sentence=undecided_answer(
        answer_why_open(claim.ours if claim else None)) + lead_sentence(
        best, "reads most beside a writer, each at its best number of readers", "/s", there))


def _optane_device_question(run: Reproduction) -> Question:
    best = _optane_at_best(run.valid, ("lmdb", "aio"), "raw")
    rate = {line.label: line.value for line in answer_lines(best)}
    here = "not measured"
    if "lmdb" in rate and "aio" in rate:
        ahead = rate.get("lmdb+readahead=0")
        here = (f"lmdb {short(rate['lmdb'])}/s, {percent(rate['lmdb'] / rate['aio'])} of aio's "
                f"{short(rate['aio'])}/s"
                + (f"; with readahead=0 {short(ahead)}/s" if ahead else "")
                + " (aio: the bare device, direct reads of the same size, no engine)")
    return question_of_claim(
        run.claims, "B20", "Does LMDB read as much as the bare device gives?",
        "said: lmdb is never the bottleneck; no figure", here,
        answer_how_sure(answer_lines(answer_ratios(best, "lmdb", "aio", "lmdb")), percent))


def _optane_machine(ours: Points) -> Question:
    row = ours[0] if ours else Point()
    memory = "no limit" if row.memory_limit_kb is None else size(row.memory_limit_kb)
    return Question(
        "On what?", "80 million records of 16 + 4000 bytes, 64 GB of memory, flash and Optane",
        f"{commas(row.num)} records, {memory} of memory, one loop device, {as_text(row.cores)} "
        "cores. lmdb+readahead=0 is lmdb without read-ahead; aio reads the device directly, without"
        " an engine")


def _optane_sweep(ours: Points, kind: str) -> Sweep:
    runs = points_where(ours, experiment="run")
    return sweep_over(f"{kind}/s over readers", runs, unique(row.threads for row in runs),
                      "threads", "readers", f"{kind}_per_sec",
                      "Each engine on each storage; one scale for all.")


def head(run: Reproduction) -> Head:
    printed, ours = published(run.tables), run.valid

    def sides(storage: str) -> tuple[Figures, Figures]:
        return (answer_figures(_optane_loads(printed, storage, "flash"), "writes_per_sec"),
                answer_figures(_optane_loads(ours, storage, "loop"), "writes_per_sec"))

    loaded = answer_relabelled(points_where(ours, experiment="load", storage="ext4"), _optane_form)
    return Head(
        asked=[
            leads_question("loads fastest onto ext4", "/s", *sides("ext4"), answer_doubt(run.rows)),
            _optane_raw_question(run, printed),
            _optane_bytes_question(run, printed),
            _optane_readers_question(run),
            _optane_device_question(run),
            _optane_machine(ours)],
        panels=[
            multiples_panel(title, "Flash there, a loop device here.", "/s", "lmdb",
                            *sides(storage))
            for storage, title in (
                ("ext4", "Load onto ext4, records/s"),
                ("ext4-nojournal", "Load onto ext4 without a journal"),
                ("raw", "Load onto the bare device"))],
        limits=[
            LimitChart("the load", "records/s", "Onto ext4.", loaded, "writes_per_sec"),
            LimitChart("reads with 16 readers", "reads/s", "On ext4, beside a writer.",
                       points_where(_optane_runs(ours, "ext4"), threads=16), "reads_per_sec")],
        sweeps=[_optane_sweep(ours, kind) for kind in ("reads", "writes")])
