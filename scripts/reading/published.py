"""What the tables of results/published come to, for published.sh.

A relation is a statement of a document with a figure for each row that can bear it out: what the
row says, what its own counters come to, and whether they agree. No figure of a document stands
here.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from .command import fail, read_options
from .points import Point, Points
from .published_tables import FOLDER, Tables, Unreadable
from .rows import group_rows
from .text import as_json, as_text, number, plain

HELP = """usage: scripts/published.sh [--json] [--all] [FOLDER]

Checks whether six published benchmarks agree with themselves: computes again what a publication
derives from other numbers, such as a ratio from its parts, a rate from its counters, a number in a
sentence from the table. FOLDER has the published tables as CSV files [results/published], and
statements.csv, the statements to check, which README.md there explains. Prints each statement with
which some rows disagree: its id, the file, the statement, the value computed from those rows, and
how many rows agree.

A row agrees with a number of its own table if the computed one is equal to the last printed digit.
It agrees with a number in a sentence if it is within a tenth of it.

--all     also print statements with which every row agrees
--json    JSON lines: id, document, file, says, number, unit, rows, agree, and figures,
          which is a row's name, the figure it says, the value it comes to, and agrees

Exit status: 0 whatever is found; 1 a file cannot be read as a table; 2 wrong arguments, or
FOLDER has no tables."""


class Checked(NamedTuple):
    row: str
    said: Any
    value: Any
    agrees: bool


Figures = Iterator[Checked]


# ---- how near is near enough

def agrees_truncated(value: float, said: float) -> bool:
    """time(1) drops what follows the point of a percentage."""
    return said - 0.005 < value < said + 1


def agrees_rounded(value: float, said: float, digit: float) -> bool:
    return abs(value - said) <= digit * 0.501


def agrees_equal(value: float, said: float) -> bool:
    return abs(value / said - 1) <= 0.001


def agrees_about(value: float, said: float) -> bool:
    """As a number in a sentence is."""
    return abs(value / said - 1) <= 0.1


def _checked(row: str, said: Any, value: float,
             near: Callable[[float, float], bool] = agrees_about) -> Checked:
    return Checked(row, said, value, near(value, said))


# ---- Symas, 2014

def _check_cpu_percent(name: str, user: float, sys: float, wall: float, said: float) -> Checked:
    return _checked(name, said, (user + sys) / wall * 100, agrees_truncated)


def _check_overheads(t: Tables) -> Figures:
    for row in t.table("symas-2014-results"):
        value = (row.load_user_s + row.load_sys_s) / row.load_wall_s
        yield Checked(row.engine, row.load_overhead, value,
                      agrees_rounded(value, row.load_overhead, 1e-10))


def _check_reads_done(t: Tables) -> Figures:
    """The reads that were done, in every row, and whether that is all of them in the time if and
    only if it is LMDB."""
    for row in t.table("symas-2014-results"):
        done = row.reads_per_sec * row.run_wall_s
        whole = done >= 0.99 * t.number("A.reads") and row.run_wall_s <= t.number("A.cap")
        yield Checked(row.engine, None, done, whole == (row.engine == "LMDB"))


def _check_digits_parted(t: Tables) -> Figures:
    """The digits of writes and reads run together: of the ways to part them those that give the
    hours of the text."""
    for row in t.table("symas-2014-hours"):
        result = t.one("symas-2014-results", engine=row.engine)
        digits = f"{result.writes_per_sec}{result.reads_per_sec}"
        possible = [int(digits[at:]) for at in range(1, len(digits)) if digits[at] != "0"]
        ways = sum(agrees_truncated(t.number("A.reads") / reads / 3600, row.all_reads_hours)
                   for reads in possible)
        yield Checked(f"{row.engine} of {len(possible)}", None, ways,
                      ways == 1 and len(possible) > 1)


def _check_weeks(t: Tables, statement: str, engine: str,
                 near: Callable[[float, float], bool]) -> Figures:
    weeks = t.one("symas-2014-hours", engine=engine).all_reads_hours / 168
    yield _checked(engine, t.number(statement), weeks, near)


def _check_size_of_records(t: Tables) -> Figures:
    value = t.number("A.records") * (t.number("A.key") + t.number("A.value")) / 1e9
    yield _checked("records", t.number("A17"), value)


def _check_followers(t: Tables) -> Figures:
    """LevelDB's db_bench, and what was made from it: RocksDB's has a generator of its own."""
    for row in t.table("symas-2014-followers"):
        if row.engine == "RocksDBpfx":
            continue
        result = t.one("symas-2014-results", engine=row.engine)
        draws = result.writes_per_sec * result.run_wall_s
        ahead = sum(offset.draws_ahead < draws for offset in t.table("symas-2014-offsets"))
        yield Checked(row.engine, row.readers, ahead, ahead == row.readers)


def _check_run_cpu(t: Tables) -> Figures:
    for row in t.table("symas-2014-results"):
        yield _check_cpu_percent(row.engine, row.run_user_s, row.run_sys_s, row.run_wall_s,
                                 row.run_cpu_percent)


# ---- Symas, 2018

def _load_checked(row: Point) -> str:
    on = f"{row.engine} {row.device}"
    if row.filesystem == "none":
        return on + " raw"
    return f"{on} {row.filesystem} {'journal' if row.journal == 1 else 'no journal'}"


def _check_load_cpu(t: Tables) -> Figures:
    for row in t.table("symas-2018-load"):
        yield _check_cpu_percent(_load_checked(row), row.load_user_s, row.load_sys_s,
                                 row.load_wall_s, row.load_cpu_percent)


def _check_load_amplification(t: Tables) -> Figures:
    for row in t.table("symas-2018-load"):
        value, said = row.fs_out_blocks / t.number("B.records"), row.write_amp_blocks_per_record
        yield Checked(_load_checked(row), said, value, agrees_rounded(value, said, 1e-7))


def _check_load_size(t: Tables, statement: str, gib: float = 1) -> Figures:
    """As a multiple of so many GiB."""
    for row in t.table("symas-2018-load"):
        if row.db_size_kb is not None:
            yield _checked(_load_checked(row), t.number(statement), row.db_size_kb / 1048576 / gib)


def _check_file_system_over_device(t: Tables) -> Figures:
    for raw in t.where("symas-2018-load", filesystem="none"):
        for row in t.where("symas-2018-load", engine=raw.engine, device=raw.device):
            if row.filesystem != "none":
                more = (row.fs_out_blocks / raw.fs_out_blocks - 1) * 100
                yield _checked(_load_checked(row), t.number("B1"), more)


def _check_bytes_for_a_byte(t: Tables) -> Figures:
    of_records = t.number("B.records") * (t.number("B.key") + t.number("B.value"))
    for row in t.table("symas-2018-load"):
        yield _checked(_load_checked(row), row.write_amp_blocks_per_record,
                       row.fs_out_blocks * t.number("F3.block") / of_records)


# ---- Voron, 2013

def _check_key_in_code(t: Tables) -> Figures:
    said, value = t.number("C.key"), t.number("C.key.code")
    yield Checked("its program", said, value, value == said)


def _check_voron_rates(t: Tables) -> Figures:
    """Times are cut to milliseconds."""
    entries = t.number("C.entries")
    for name in ("fill", "read", "read-cold", "read-warm"):
        for row in t.table("voron-2013-" + name):
            rate, least = entries / row.wall_s, entries / (row.wall_s + 0.001)
            yield Checked(f"{name}: {row.test}", row.ops_per_sec, rate,
                          least <= row.ops_per_sec <= rate)


def _check_two_parts(t: Tables) -> Figures:
    """The sentence is about the first of its two tables."""
    two = t.one("voron-2013-read-cold", parts=2)
    for row in t.table("voron-2013-read-cold"):
        if row.parts in (None, 1):
            yield _checked(f"cold over {row.test}", t.number("C3"),
                           two.ops_per_sec / row.ops_per_sec)


# ---- Unum, 2022

WORKLOADS = ("0", "A", "C", "D", "E", "X", "Y", "Z")


def _published_workload(t: Tables, workload: str) -> Points:
    return [row.but(workload=workload) for row in t.table("unum-2022-" + workload)]


def _published_workloads(t: Tables) -> Points:
    return [row for workload in WORKLOADS for row in _published_workload(t, workload)]


def _published_record(t: Tables) -> Points:
    return [row.but(workload=as_text(row.workload)) for row in t.table("unum-2022-record")]


def _published_fastest_first(rows: Points, column: str) -> Points:
    return sorted(rows, key=lambda row: -row[column])


def _check_rocksdb_lines(t: Tables) -> Figures:
    row, said = t.one("unum-2022-code", engine="RocksDB"), t.number("E.rocksdb.lines")
    lines = row.code_and_tests_lines + row.comments_lines + row.wrappers_and_other_lines
    yield Checked(row.engine, said, lines, lines <= said)


def _check_memory_part(t: Tables) -> Figures:
    for row in _published_workloads(t):
        value = row.ram_mib / 1024 / row.disk_gib * 100
        yield Checked(f"{row.workload} {row.engine}", None, value,
                      value <= t.number("E.ram.most") * 1.1)


def _check_lmdb_places(t: Tables) -> Figures:
    """Where it stands among the five of the record, by speed; LMDB has no figures of its own for
    Y, and A is one of F4's."""
    for workload in WORKLOADS:
        if workload in ("A", "Y"):
            continue
        rows = _published_fastest_first(
            [row for row in _published_record(t) if row.workload == workload], "operations_per_sec")
        place = [row.engine for row in rows].index("LMDB") + 1
        yield Checked(f"{workload}: place of {len(rows)}", None, place, place == 5)


def _check_batch_inserts(t: Tables) -> Figures:
    for row in t.table("unum-2022-verbs"):
        yield Checked(row.engine, None, row.batch_insert,
                      row.batch_insert == (row.engine in ("LevelDB", "UnumDB")))


def _check_sizes_recorded(t: Tables) -> Figures:
    said, sizes = t.number("E22.sizes"), t.table("unum-2022-sizes")
    yield Checked("rows", said, len(sizes), len(sizes) == said)
    for row in t.table("unum-2022-record"):
        if row.entries_per_iteration is None:
            continue
        same = t.where("unum-2022-sizes", engine=row.engine, workload=row.workload,
                       mode="without_caches", cores=1, size_gb=1000)
        yield _checked(f"{row.workload} {row.engine}", row.operations_per_sec,
                       same[0].operations_per_sec, agrees_equal)


def _check_durations(t: Tables) -> Figures:
    total = t.one("unum-2022-durations", what="total").duration_s
    for what in ("size", "engine"):
        value = sum(row.duration_s for row in t.where("unum-2022-durations", what=what))
        yield Checked(f"over every {what}", total, value, value == total)


def _check_rounded_row(row: Point, record: Point) -> Figures:
    """A size is in the unit that leaves less than 1024 of it, a rate in thousands or millions."""
    figures = (
        ("cpu_cores", record.cpu_avg_percent / 100, 0.01),
        ("ram_mib", record.mem_avg_bytes / 1048576, 0.01 if row.ram_mib < 1024 else 10.24),
        ("disk_gib", record.disk_bytes / 1073741824, 0.01 if row.disk_gib < 1024 else 10.24),
        ("speed_per_sec", record.operations_per_sec, 100 if row.speed_per_sec < 1e6 else 1e5),
    )
    for name, value, digit in figures:
        yield Checked(f"{row.workload} {row.engine} {name}", row[name], value,
                      agrees_rounded(value, row[name], digit))


def _check_all_rounded(t: Tables) -> Figures:
    for row in _published_workloads(t):
        for record in _published_record(t):
            if record.engine == row.engine and record.workload == row.workload:
                yield from _check_rounded_row(row, record)


def _check_medals(t: Tables) -> Figures:
    for workload in WORKLOADS:
        rows = _published_fastest_first(_published_workload(t, workload), "speed_per_sec")
        gaps = [row.speed_per_sec - after.speed_per_sec for row, after in zip(rows, rows[1:])]
        for place, row in enumerate(rows):
            rank = place + 1 if place < 3 else None
            yield Checked(f"{workload} {row.engine} rank", row.rank, rank, rank == row.rank)
            if row.rank is not None:
                rosette = int(place == 0 and gaps[0] > max(gaps[1:]))
                yield Checked(f"{workload} {row.engine} rosette", row.rosette, rosette,
                              rosette == row.rosette)


def _check_medals_again(t: Tables) -> Figures:
    """The same medals once more, so no claim counts them."""
    medals = {(medal.engine, as_text(medal.workload)): medal
              for medal in t.table("unum-2022-medals")}
    for row in _published_workloads(t):
        medal = medals.get((row.engine, row.workload), Point())
        name = f"{row.workload} {row.engine}"
        yield Checked(f"{name} rank", medal.rank, row.rank, row.rank == medal.rank)
        if row.rank is not None:
            yield Checked(f"{name} rosette", medal.rosette, row.rosette,
                          row.rosette == medal.rosette)


def _published_speeds(t: Tables, workload: str, other: str) -> list[tuple[str, float]]:
    """Of each engine the speed of one workload over that of another."""
    return [(row.engine, row.speed_per_sec / beside.speed_per_sec)
            for row in _published_workload(t, workload) for beside in _published_workload(t, other)
            if row.engine == beside.engine]


def _check_bulk_over_batches(t: Tables) -> Figures:
    for engine, ratio in _published_speeds(t, "0", "Y"):
        bulk = t.one("unum-2022-verbs", engine=engine).initialize
        yield Checked(engine + (" (has no bulk load)" if bulk == 0 else ""), None, ratio, ratio > 1)


def _check_over_the_second(t: Tables) -> Figures:
    """The tables print two digits of a million: the committed record has them all."""
    least = t.number("E11")
    for workload in WORKLOADS:
        shown = [row.engine for row in _published_workload(t, workload)]
        first, second = _published_fastest_first(
            [row for row in _published_record(t) if row.workload == workload and row.engine
             in shown], "operations_per_sec")[:2]
        value = first.operations_per_sec / second.operations_per_sec
        yield Checked(f"{workload}: {first.engine} over {second.engine}", least, value,
                      value >= least)


def _check_batches_over_reads(t: Tables) -> Figures:
    for engine, ratio in _published_speeds(t, "X", "C"):
        yield Checked(engine, None, ratio, ratio > 1)


def _check_record_of_itself(t: Tables) -> Figures:
    for row in _published_record(t):
        name, rate = f"{row.workload} {row.engine}", row.operations_per_sec
        by_bytes = row.bytes_per_sec / t.number("E.value.record")
        yield _checked(f"{name} by its bytes", rate, by_bytes, agrees_equal)
        if row.entries_per_iteration is not None:
            done = row.entries_per_iteration * (1 - row.fails_percent / 100)
            by_time = done / row.real_time_us * 1e6
            yield _checked(f"{name} by its time", rate, by_time, agrees_equal)


# ---- redb, 2025

def _check_bold(t: Tables) -> Figures:
    rows = t.table("redb-2025-times") + t.table("redb-2025-sizes")
    lines = group_rows(rows, lambda row: (row.test, row.size, row.threads, row.get("pass")))
    for line in lines:
        values = [(row, row.wall_s if row.wall_s is not None else row.mib) for row in line]
        known = [(row, value) for row, value in values if value is not None]
        for row, value in known:
            if row.bold == 1:
                name = f"bold: {row.test or row.size} {as_text(row.threads or '')} {row.engine}"
                yield Checked(name, None, value, value == min(value for _, value in known))


# Statement, the files that bear it out, and its figures, in the order of documents.csv
RELATIONS: tuple[tuple[str, str, Callable[[Tables], Figures]], ...] = (
    ("A.overhead", "symas-2014-results.csv", _check_overheads),
    ("A7", "symas-2014-results.csv", _check_reads_done),
    ("A8", "symas-2014-hours.csv", _check_digits_parted),
    ("A8.weeks.bdb", "symas-2014-hours.csv",
     lambda t: _check_weeks(t, "A8.weeks.bdb", "BerkeleyDB", agrees_truncated)),
    ("A8.weeks.rocksdb", "symas-2014-hours.csv",
     lambda t: _check_weeks(t, "A8.weeks.rocksdb", "RocksDBpfx", agrees_about)),
    ("A17", "statements.csv", _check_size_of_records),
    ("A20", "symas-2014-offsets.csv", _check_followers),
    ("F2", "symas-2014-results.csv", _check_run_cpu),
    ("B.cpu", "symas-2018-load.csv", _check_load_cpu),
    ("B.amp", "symas-2018-load.csv", _check_load_amplification),
    ("B.size", "symas-2018-load.csv", lambda t: _check_load_size(t, "B.size")),
    ("B.ratio", "symas-2018-load.csv",
     lambda t: _check_load_size(t, "B.ratio", t.number("B.ram"))),
    ("B1", "symas-2018-load.csv", _check_file_system_over_device),
    ("F3", "symas-2018-load.csv", _check_bytes_for_a_byte),
    ("C.key", "statements.csv", _check_key_in_code),
    ("C.rate", "voron-2013-*.csv", _check_voron_rates),
    ("C3", "voron-2013-read-cold.csv", _check_two_parts),
    ("E.rocksdb.lines", "unum-2022-code.csv", _check_rocksdb_lines),
    ("E18", "unum-2022-?.csv", _check_memory_part),
    ("E19", "unum-2022-record.csv", _check_lmdb_places),
    ("E20", "unum-2022-verbs.csv", _check_batch_inserts),
    ("E22.sizes", "unum-2022-sizes.csv", _check_sizes_recorded),
    ("E.durations", "unum-2022-durations.csv", _check_durations),
    ("E.rounded", "unum-2022-?.csv", _check_all_rounded),
    ("E12", "unum-2022-?.csv", _check_medals),
    ("E.medals", "unum-2022-medals.csv", _check_medals_again),
    ("E1", "unum-2022-0.csv unum-2022-Y.csv", _check_bulk_over_batches),
    ("E11", "unum-2022-record.csv", _check_over_the_second),
    ("E15", "unum-2022-X.csv unum-2022-C.csv", _check_batches_over_reads),
    ("F4", "unum-2022-record.csv", _check_record_of_itself),
    ("G.bold", "redb-2025-*.csv", _check_bold),
)


class Finding(NamedTuple):
    id: str
    document: str
    file: str
    says: str
    number: Any
    unit: Any
    figures: list[Checked]

    @property
    def agree(self) -> int:
        return sum(figure.agrees for figure in self.figures)

    @property
    def contradicts(self) -> bool:
        return self.agree < len(self.figures)

    def as_dict(self) -> dict[str, Any]:
        return {"id": self.id, "document": self.document, "file": self.file, "says": self.says,
                "number": self.number, "unit": self.unit, "rows": len(self.figures),
                "agree": self.agree, "figures": [figure._asdict() for figure in self.figures]}

    def as_line(self) -> str:
        of = f"{number(self.number)} " if self.number is not None else ""
        unit = f" [{of}{self.unit}]" if self.unit is not None else ""
        told = [self._told(figure) for figure in self.figures if not figure.agrees]
        told.append(f"{self.agree} of {len(self.figures)} agree")
        return f"{self.id}  {self.file}  says: {self.says}{unit}; comes to: {'; '.join(told)}"

    def _told(self, figure: Checked) -> str:
        if figure.said is None or figure.said == self.number:
            return f"{figure.row} {plain(figure.value)}"
        return f"{figure.row} says {plain(figure.said)}, its counters {plain(figure.value)}"


def findings(tables: Tables) -> list[Finding]:
    """Of every relation; Unreadable if the tables do not have what it needs."""
    found = []
    for statement, file, figures in RELATIONS:
        of = tables.one("statements", id=statement)
        try:
            found.append(Finding(statement, of.document, file, of.statement, of.number, of.unit,
                                 list(figures(tables))))
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise Unreadable(f"{statement}: a cell of {file} has no figure that fits "
                             f"({error})") from error
    return found


def main(arguments: list[str]) -> None:
    given, folders = read_options(arguments, ["--json", "--all"])
    folder = folders[-1] if folders else FOLDER
    try:
        found = findings(Tables(folder))
    except Unreadable as why:
        fail(1, f"the tables in {folder} cannot be read: {why}")
    for finding in found:
        if "--all" in given or finding.contradicts:
            print(as_json(finding.as_dict()) if "--json" in given else finding.as_line())
