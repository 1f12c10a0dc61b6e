"""Unum, UCSB, 2022."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..markdown_tables import (
    ROUNDS,
    Blocks,
    Columns,
    markdown_column_cells,
    markdown_column_names,
    markdown_missing_sentence,
    markdown_rounds,
    markdown_size,
    markdown_table,
)
from ..points import Point, Points, median_figure, points_where
from ..published_tables import Tables
from ..reproduction_answers import (
    AnswerDoubt,
    Head,
    LimitChart,
    MultiplesPanel,
    Question,
    Reproduction,
    answer_figures,
    answer_how_sure,
    answer_lines,
    answer_ordinal,
    answer_ratios,
    leads_question,
    multiples_panel,
    question_of_claim,
)
from ..rows import distinct, group_rows, unique
from ..stats import greatest_known, median
from ..text import as_text, commas, compact, factor, listed, number, round_to, rounded, three
from . import our_engine

WORKLOADS = {
    "0": "bulk load", "A": "half reads, half updates", "C": "reads",
    "D": "95 % reads, 5 % inserts", "E": "ranges of 100", "X": "batches of reads",
    "Y": "batches of inserts", "Z": "scan",
}


def published(tables: Tables) -> Points:
    def base(engine: str, experiment: str) -> Point:
        return Point(document="unum-2022", experiment=experiment, engine=our_engine(engine),
                     label=our_engine(engine), valid=1)

    rows = []
    for workload in WORKLOADS:
        for row in tables.table("unum-2022-" + workload):
            rows.append(base(row.engine, workload).but(
                num=1000000000, key_size=tables.number("E.key"),
                value_size=tables.number("E.value.record"), threads=1,
                ops_per_sec=row.speed_per_sec, entries_per_sec=row.speed_per_sec,
                cores_used=row.cpu_cores, cpu_percent=row.cpu_cores * 100,
                rss_kb=row.ram_mib * 1024, db_disk_kb=row.disk_gib * 1048576, rank=row.rank,
                rosette=row.rosette))
    for row in tables.where("unum-2022-durations", what="engine"):
        rows.append(base(row["name"], "duration").but(seconds=row.duration_s))
    return rows


# ---- our rows, and its record of each size

#: in the order of the record, which the article does not have
_ALL = ("0", "C", "X", "E", "Z", "A", "D", "Y", "Remove")
#: workloads that are cut short here
_SHORT = ("C", "X", "E", "A", "D", "Y")


def _ucsb_rate(row: Point) -> Any:
    return row.ops_per_sec if row.entries_per_sec is None else row.entries_per_sec


def _ucsb_entries(row: Point) -> Any:
    return row.ops if row.entries is None else row.entries


def ucsb_ample(row: Point) -> bool:
    """What a cell of its own sizes rests on: as many operations as the record has, nearly each
    record once, or a million, or a steady rate."""
    if row.experiment not in _SHORT or row.steady == 1:
        return True
    return bool((_ucsb_entries(row) or 0) >= 0.95 * min(row.num or 0, 1e6))


def prepared(row: Point) -> Point:
    return row.but(ample=ucsb_ample(row))


def _ucsb_record(tables: Tables) -> Points:
    """Its record of each size, by one core without caches."""
    rows = tables.where("unum-2022-sizes", mode="without_caches", cores=1)
    return [Point(label=our_engine(row.engine), engine=our_engine(row.engine),
                  experiment=as_text(row.workload),
                  size_gb=row.size_gb, ops_per_sec=row.operations_per_sec,
                  fails=row.fails_percent or 0) for row in rows]


def _ucsb_own_in_record(row: Point) -> bool:
    """LMDB's Y there is its 0, and in A it missed its records."""
    return row.label != "lmdb" or row.experiment not in ("Y", "A")


class _UcsbSides:
    """The printed figures, the record, and our rows: with memory for a tenth, or of a size."""

    def __init__(self, run: Reproduction) -> None:
        self.printed, self.record = published(run.tables), _ucsb_record(run.tables)
        self.every = run.valid
        self.limited = points_where(self.every, size_gb=None)
        self.sizes = unique(row.size_gb for row in self.every if row.size_gb is not None)

    def of(self, rows: Points, workload: str, label: str) -> Points:
        return points_where(rows, experiment=workload, label=label)

    def sized(self, size: float, workload: str, label: str) -> Points:
        return points_where(self.every, size_gb=size, experiment=workload, label=label)

    def at(self, size: float | None, workload: str) -> Points:
        return points_where(self.every, size_gb=size, experiment=workload)

    def names(self) -> list[str]:
        """The labels of the article, in its order, and then ours."""
        first = [row.label for row in points_where(self.printed, experiment="0")]
        return distinct([*first, *unique(row.label for row in self.limited)])

    def places(self, workload: str) -> list[str]:
        """The labels by their speed here, the fastest first."""
        rates = [(median_figure(_ucsb_rate, self.of(self.limited, workload, label)), label)
                 for label in self.names()]
        known = [(rate, label) for rate, label in rates if rate is not None]
        return [label for _, label in sorted(known, key=lambda pair: -pair[0])]


# ---- tables.md

_FIGURES: Columns = (
    ("cores", "cores_used", lambda x: number(round_to(2, x))),
    ("RAM", "rss_kb", markdown_size),
    ("disk", "db_disk_kb", markdown_size),
    ("records/s", _ucsb_rate, compact),
)


def _ucsb_medal(row: Point) -> str:
    if not row.rank:
        return "-"
    return f"{row.rank}{'*' if row.rosette == 1 else ''}"


def _ucsb_introduction(sides: _UcsbSides) -> str:
    rows = [row for row in sides.limited if row.experiment in ("C", "X", "E", "A", "D")]
    memory = greatest_known(row.memory_limit_kb for row in sides.limited)
    records: Any = sides.limited[0].num if sides.limited else 0
    limit = "no limit of memory"
    if memory is not None:
        part = rounded(memory * 102400 / (records * 1032))
        limit = f"memory limited to {markdown_size(memory)}, {part} % of them, page cache included"
    return (f"Here: {commas(records)} records of 8 + 1024 bytes; C, X, E, A and D run for 6 s"
            f" at most, and in {sum(row.steady == 1 for row in rows)} of {len(rows)} rows until the"
            f" rate was steady; {limit}; there: 1,000 million on a machine of its own. Speeds are"
            " records a second, in E, X, Y and Z as well. A star is the article's rosette. "
            f"{ROUNDS}")


def _ucsb_place(places: list[str], label: str) -> str:
    return as_text(places.index(label) + 1) if label in places else "-"


def _ucsb_workload(sides: _UcsbSides, workload: str) -> Blocks:
    lines, places = [], sides.places(workload)
    for label in sides.names():
        if there := sides.of(sides.printed, workload, label):
            lines.append([label, "there", *markdown_column_cells(there, _FIGURES),
                          _ucsb_medal(there[0])])
        if here := sides.of(sides.limited, workload, label):
            lines.append([label, "here", *markdown_column_cells(here, _FIGURES),
                          _ucsb_place(places, label)])
    return [f"## {workload}: {WORKLOADS[workload]}", "",
            *markdown_table(["engine", "", *markdown_column_names(_FIGURES), "place"], lines,
                            (0, 1))]


def _ucsb_places(sides: _UcsbSides) -> Blocks:
    lines = []
    places = {workload: sides.places(workload) for workload in WORKLOADS}
    for label in sides.names():
        if any(row.label == label for row in sides.printed):
            lines.append([label, "there", *(
                _ucsb_medal((sides.of(sides.printed, workload, label) or [Point()])[0])
                for workload in WORKLOADS)])
        if any(row.label == label for row in sides.limited):
            lines.append([label, "here", *(_ucsb_place(order, label) for order in places.values())])
    return ["## Places", "", *markdown_table(["engine", "", *WORKLOADS], lines, (0, 1))]


def _ucsb_beside(sides: _UcsbSides) -> Blocks:
    lines: Blocks = [
        "## Beside the article (ours)", "",
        "C-ucsb2022 draws keys as UCSB did; C-in-memory has no limit of memory and comes after a"
        " scan of all records without one; C-permuted and E-permuted follow a load in random order."
        " LevelDB with max_open_files=74 has 64 tables open, as it had there.", ""]
    labels = unique(row.label for row in sides.limited)
    for experiments in (("C", "C-ucsb2022", "C-in-memory", "C-permuted", "C-user-keys"),
                        ("E", "E-permuted")):
        lines += markdown_table(["records/s", *experiments], [
            [label, *(markdown_rounds(sides.of(sides.limited, experiment, label), _ucsb_rate,
                                      compact)
                      for experiment in experiments)] for label in labels])
    return lines


def _ucsb_rests_on(rows: Points) -> str:
    if rows and all(row.steady == 1 for row in rows):
        return f"steady since {three(median_figure('steady_since_s', rows))} s"
    return markdown_rounds(rows, _ucsb_entries, compact)


def _ucsb_size_tables(sides: _UcsbSides, of: float) -> Blocks:
    record = points_where(sides.record, size_gb=of)
    labels = {row.label for row in record + points_where(sides.every, size_gb=of)}
    engines, lines = ["lmdb", *sorted(labels - {"lmdb", "unumdb"})], []
    for workload in _ALL:
        there, here = [workload, "there"], [workload, "here"]
        for engine in engines:
            printed, rows = sides.of(record, workload, engine), sides.sized(of, workload, engine)
            failed = "?" if printed and printed[0].fails > 1 else ""
            short = "~" if not all(map(ucsb_ample, rows)) else ""
            there.append(markdown_rounds(printed, _ucsb_rate, compact) + failed)
            here.append(short + markdown_rounds(rows, _ucsb_rate, compact))
        lines += [there, here]
    return [
        f"## {as_text(of)} GB, a size of its record", "",
        "Records a second. A question mark: more than a hundredth of the operations failed there. A"
        " tilde: fewer operations than the record has or a million, and no steady rate; it decides"
        " nothing. LMDB's Y there is its 0.", "",
        *markdown_table(["workload", "", *engines], lines, (0, 1)),
        "### Entries that each cell of it rests on", "",
        *markdown_table(["workload", *engines], [
            [workload, *(_ucsb_rests_on(sides.sized(of, workload, engine)) for engine in engines)]
            for workload in _SHORT])]


def _ucsb_ratios(one: Points, other: Points) -> list[float]:
    """The rates of some runs over those of others in the same rounds, of which some decide."""
    return [_ucsb_rate(a) / _ucsb_rate(b) for a in one if ucsb_ample(a) for b in other
            if ucsb_ample(b) and a.round == b.round]


class _UcsbPair(NamedTuple):
    """Two engines of which one was faster at a workload in the record of a size."""

    sides: _UcsbSides
    size: float
    workload: str
    fast: Point
    slow: Point

    def ratios(self, size: float, options: str = "") -> list[float]:
        """Of each round how many times as fast it is here; options are LMDB's."""
        fast, slow = (self.sides.sized(size, self.workload, row.label + (
            options if row.label == "lmdb" else "")) for row in (self.fast, self.slow))
        return _ucsb_ratios(fast, slow)

    def as_set(self) -> list[float]:
        """The same of runs that were set as there, where an engine has such ones."""
        fast, slow = (
            self.sides.sized(self.size, self.workload + "-as-set", row.label)
            or self.sides.sized(self.size, self.workload, row.label)
            for row in (self.fast, self.slow))
        return _ucsb_ratios(fast, slow)

    def forms(self) -> Iterator[tuple[str, list[float]]]:
        """What a run may differ in alone, and the ratios of such runs."""
        yield "as it was set there", self.as_set()
        for other in self.sides.sizes:
            if other != self.size:
                yield f"{as_text(other)} GB", self.ratios(other)
        if "lmdb" in (self.fast.label, self.slow.label):
            yield "without read-ahead", self.ratios(self.size, "+readahead=0")

    def line(self) -> list[str] | None:
        """Where the order is otherwise here in all of three rounds or more: what it depends on is
        what a run differs in alone and has the order with in all rounds."""
        here = self.ratios(self.size)
        if len(here) < 3 or any(times >= 1 for times in here):
            return None
        depends = [f"{called} {three(median(found))}" for called, found in self.forms()
                   if len(found) == len(here) and all(times > 1 for times in found)]
        return [self.workload, self.fast.label, self.slow.label,
                three(_ucsb_rate(self.fast) / _ucsb_rate(self.slow)), three(median(here)),
                ", ".join(depends) or "none of these runs"]


def _ucsb_pairs(sides: _UcsbSides, of: float) -> Iterator[_UcsbPair]:
    for workload in _ALL:
        rows = [row for row in points_where(sides.record, size_gb=of, experiment=workload)
                if row.fails < 1 and row.label != "unumdb" and _ucsb_own_in_record(row)]
        for fast in rows:
            for slow in rows:
                if _ucsb_rate(slow) < _ucsb_rate(fast):
                    yield _UcsbPair(sides, of, workload, fast, slow)


def _ucsb_orders(sides: _UcsbSides, of: float) -> Blocks:
    lines = [line for pair in _ucsb_pairs(sides, of) if (line := pair.line())]
    heading = [f"## {as_text(of)} GB: orders that are otherwise here in all rounds", ""]
    if not lines:
        return [*heading, "None of three rounds or more.", ""]
    return [
        *heading,
        "How many times as fast the faster one was there, and is here; and what it depends on: a"
        " run that differs in that alone and has its order in all rounds. As it was set there:"
        " caches, open files, loads and syncs of its record.", "",
        *markdown_table(["workload", "faster there", "than", "times, there", "here", "depends on"],
                        lines, (0, 1, 2, 5))]


def tables(run: Reproduction) -> Blocks:
    sides = _UcsbSides(run)
    lines: Blocks = [_ucsb_introduction(sides), ""]
    for workload in WORKLOADS:
        lines += _ucsb_workload(sides, workload)
    lines += _ucsb_places(sides) + _ucsb_beside(sides)
    for of in sides.sizes:
        lines += _ucsb_size_tables(sides, of)
    for of in sides.sizes:
        lines += _ucsb_orders(sides, of)
    return lines + markdown_missing_sentence(run.missing)


# ---- the page

def _ucsb_size(of: float | None) -> str:
    if of is None:
        return "memory for a tenth"
    return f"{as_text(of * 1000)} MB" if of < 1 else f"{as_text(of)} GB"


def _ucsb_terabytes(of: float) -> str:
    return f"{as_text(of / 1000)} TB" if of >= 1000 else _ucsb_size(of)


def _ucsb_too_few(rows: Points) -> bool:
    return not all(map(ucsb_ample, rows))


def _ucsb_leads(sides: _UcsbSides, does: str, of: float | None, workload: str) -> Question:
    there = [row for row in points_where(sides.record, size_gb=of, experiment=workload)
             if row.fails <= 1 and _ucsb_own_in_record(row)]
    rows = sides.at(of, workload)
    here = [row for row in rows if "+" not in row.label]
    apart = "fewer operations here than in the published runs" if _ucsb_too_few(rows) else None
    return leads_question(f"{does} (workload {workload}, {_ucsb_size(of)})", "/s",
                          answer_figures(there, _ucsb_rate),
                          answer_figures(here, _ucsb_rate), AnswerDoubt(apart=apart))


def _ucsb_won_at(sides: _UcsbSides, workload: str, fast: str, slow: str) -> str:
    """Which of two engines is faster there at each size of the record, and how much."""
    won: dict[tuple[str, str], list[str]] = {}
    rows = [row for row in points_where(sides.record, experiment=workload)
            if row.fails < 1 and row.label in (fast, slow)]
    for group in group_rows(rows, lambda row: row.size_gb):
        rate = {row.label: _ucsb_rate(row) for row in group}
        if rate.get(fast) and rate.get(slow):
            first, second = (fast, slow) if rate[fast] >= rate[slow] else (slow, fast)
            won.setdefault((first, second), []).append(
                f"{factor(rate[first] / rate[second])} at {_ucsb_terabytes(group[0].size_gb)}")
    return "; ".join(f"{first} over {second}: {', '.join(told)}"
                     for (first, second), told in sorted(won.items()))


def _ucsb_half_of_e2(sides: _UcsbSides, asked: str, workload: str, fast: str,
                     slow: str) -> Question:
    """One half of claim E2: whether an engine is faster than another, there at each size of the
    record, here with memory for a tenth."""
    found = answer_figures((row for row in points_where(sides.limited, experiment=workload)
                            if row.label in (fast, slow)), _ucsb_rate)
    lines = answer_lines(answer_ratios(found, fast, slow, fast))
    word, kind, here = "not measured", "open", "not measured"
    if lines:
        times = lines[0]
        word, kind = ("of too few rounds", "open") if times.rounds < 3 else (
            "yes", "holds") if times.low > 1 else (
            "no", "fails") if times.high < 1 else ("not told apart", "open")
        if times.value >= 1:
            here = f"{fast} {factor(times.value)} {slow}"
        else:
            here = f"{slow} {factor(1 / times.value)} {fast}"
            lines = answer_lines(answer_ratios(found, slow, fast, slow))
    asked += f", with memory for a tenth of the records (workload {workload})?"
    question = Question(asked, _ucsb_won_at(sides, workload, fast, slow), here, word, kind)
    return question.sure(answer_how_sure(lines, factor)).ruled(
        f"E2 on {workload}", f"{fast} faster, no margin")


def _ucsb_lmdb_places(sides: _UcsbSides,
                      repetition: float | None = None) -> list[tuple[str, int, int]]:
    """The workload, LMDB's place, and of how many; of all rounds or one."""
    found = []
    for workload in ("0", "C", "D", "E", "X", "Z"):
        rows = [row for row in points_where(sides.limited, experiment=workload)
                if row.label == row.engine]
        labels = [line.label for line in answer_lines([
            figure for figure in answer_figures(rows, _ucsb_rate)
            if repetition is None or figure.round == repetition])]
        if len(labels) > 1 and "lmdb" in labels:
            found.append((workload, labels.index("lmdb") + 1, len(labels)))
    return found


def _ucsb_times_last(places: list[tuple[str, int, int]]) -> int:
    return sum(place == of for _, place, of in places)


def _ucsb_lmdb_question(run: Reproduction, sides: _UcsbSides) -> Question:
    places, here, sure = _ucsb_lmdb_places(sides), "not measured", ""
    if places:
        told = ", ".join(f"{answer_ordinal(place)} of {of} in {workload}"
                         for workload, place, of in places)
        here = f"lmdb is last in {_ucsb_times_last(places)} of {len(places)} workloads: {told}"
    lines = answer_lines(answer_figures((row for row in sides.limited if row.label == "lmdb"
                                         and row.experiment != "Y"), _ucsb_rate))
    if lines:
        last = unique(_ucsb_times_last(_ucsb_lmdb_places(sides, repetition))
                      for repetition in unique(row.repetition for row in sides.limited))
        ends = f"{last[0]} of them in each of" if len(last) == 1 else (
            f"{last[0]} to {last[-1]} of them in")
        sure = f"last in {ends} {lines[0].rounds_told}; {lines[0].limited}"
    return question_of_claim(
        run.claims, "E19", "Is LMDB too slow to be shown, with memory for a tenth of the records?",
        "the article leaves lmdb out; in its record it is 1st or 2nd of 5 in workloads C, D and X"
        " below 100 GB", here, sure)


def _ucsb_panel(sides: _UcsbSides, of: float | None, workload: str) -> MultiplesPanel:
    there = [row for row in points_where(sides.record, size_gb=of, experiment=workload)
             if row.fails <= 1]
    here = sides.at(of, workload)
    note = "Fewer operations here than there." if _ucsb_too_few(here) else ""
    return multiples_panel(f"{workload}: {WORKLOADS[workload]}, {_ucsb_size(of)}, records/s", note,
                           "/s", "lmdb", answer_figures(there, _ucsb_rate),
                           answer_figures(here, _ucsb_rate))


def head(run: Reproduction) -> Head:
    sides = _UcsbSides(run)
    # the largest size of its own that is here
    of = max((of for of in sides.sizes if of <= 1), default=None)
    cores = as_text(sides.every[0].cores if sides.every else None)
    here = [f"{listed([_ucsb_size(size) for size in sides.sizes])} as there"] if sides.sizes else []
    if sides.limited:
        one = sides.limited[0]
        here.append(f"{three(one.num * (one.key_size + one.value_size) / 1e9)} GB with memory for a"
                    " tenth of it")
    return Head(
        note="unumdb and other engines of one side only are a ring or a shape alone.",
        asked=[
            _ucsb_leads(sides, "loads in bulk fastest", of, "0"),
            _ucsb_leads(sides, "reads single records fastest", of, "C"),
            _ucsb_leads(sides, "scans all records fastest", of, "Z"),
            _ucsb_half_of_e2(sides, "Does LevelDB scan faster than RocksDB", "Z", "leveldb",
                             "rocksdb"),
            _ucsb_half_of_e2(sides, "Does RocksDB read faster than LevelDB", "C", "rocksdb",
                             "leveldb"),
            _ucsb_lmdb_question(run, sides),
            Question("On what?", "100 MB to 1 TB, one thread, memory a setting of each engine, an"
                     " empty 8 TB disk for each",
                     f"{', and '.join(here)}; {cores} cores, a virtual disk")],
        panels=[_ucsb_panel(sides, of, workload) for workload in _ALL if workload in WORKLOADS],
        limits=[LimitChart(
            workload, "records/s",
            f"{workload}: {WORKLOADS[workload]}, with memory for a tenth of the records.",
            points_where(sides.limited, experiment=workload), _ucsb_rate)
                for workload in ("C", "A", "Z")])
