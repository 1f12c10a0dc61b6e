"""Ayende Rahien, Voron's Performance, 2013."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from ..markdown_tables import (
    ROUNDS,
    Blocks,
    Form,
    markdown_missing_sentence,
    markdown_rounds,
    markdown_table,
)
from ..points import Point, Points, median_figure, points_where
from ..published_tables import Tables
from ..reproduction_answers import (
    AnswerLine,
    Figures,
    Head,
    LimitChart,
    MultiplesPanel,
    Question,
    Reproduction,
    Sweep,
    answer_figures,
    answer_how_sure,
    answer_lines,
    answer_range,
    answer_ratios,
    lead_sentence,
    multiples_panel,
    question_of_claim,
    ratios_of_rounds,
    who_led,
)
from ..rows import group_rows, unique
from ..text import as_text, commas, compact, count, number, percent, round_to, short, times

_DURABILITY = {"none": "none", "buffers": "async", "full": "sync"}


def published(tables: Tables) -> Points:
    def base(row: Point, experiment: str, warm: Any) -> Point:
        return Point(
            document="voron-2013", experiment=experiment, engine="voron", label="voron", valid=1,
            num=tables.number("C.entries"), key_size=tables.number("C.key.code"),
            value_size=tables.number("C.value"), seconds=row.wall_s,
            ops_per_sec=row.ops_per_sec, whole_ops_per_sec=row.ops_per_sec,
            threads=row.parts or 1, parts=row.parts, warm=warm)

    rows = [base(row, "fill", None).but(durability=_DURABILITY[row.flush])
            for row in tables.table("voron-2013-fill")]
    rows += [base(row, "read", None) for row in tables.table("voron-2013-read")]
    for warm, cache in enumerate(("cold", "warm")):
        rows += [base(row, "parallel" if row.parts else "read", warm)
                 for row in tables.table("voron-2013-read-" + cache)]
    return rows


# ---- tables.md

_FILLS = {"none": "none", "async": "to the system", "sync": "to the disk"}
_PARTS = (1, 2, 4, 8, 16)


class VoronTest(NamedTuple):
    name: str
    experiment: str
    columns: dict[str, Any]

    def has(self, row: Point) -> bool:
        return bool(points_where([row], experiment=self.experiment, **self.columns))


#: with opening and closing, as there
_RATE = "whole_ops_per_sec"


def _voron_fills(experiment: str) -> list[VoronTest]:
    return [VoronTest(name, experiment, {"durability": durability})
            for durability, name in _FILLS.items()]


def _voron_in_parts(experiment: str, warm: int, begin: str = "") -> list[VoronTest]:
    return [VoronTest(begin + count(parts, "part"), experiment, {"warm": warm, "parts": parts})
            for parts in _PARTS]


def _voron_reads(warm: int) -> list[VoronTest]:
    return [VoronTest("whole", "read", {"warm": warm}), *_voron_in_parts("parallel", warm)]


#: of what stands in the tables and on the page
_LANGUAGES = {"C#": ["voron"], "C++": ["leveldb", "rocksdb"],
              "C": ["lmdb", "wiredtiger", "bdb", "sqlite"]}


def _voron_labels(run: Reproduction) -> list[str]:
    """Voron's first."""
    return sorted(unique(row.label for row in run.rows),
                  key=lambda label: not label.startswith("voron"))


def _voron_languages(run: Reproduction) -> str:
    engines = unique(row.engine for row in run.rows)
    return "; ".join(f"{', '.join(here)} in {language}" for language, all_of in _LANGUAGES.items()
                     if (here := [engine for engine in all_of if engine in engines]))


def tables(run: Reproduction) -> Blocks:
    printed, ours, number = published(run.tables), run.valid, run.tables.number
    labels = _voron_labels(run)
    first = run.rows[0] if run.rows else Point()

    def compared(tests: list[VoronTest]) -> Blocks:
        return markdown_table(["operations/s", "voron, there", *labels], [
            [test.name, markdown_rounds(filter(test.has, printed), _RATE, compact),
             *(markdown_rounds((row for row in ours if row.label == label and test.has(row)), _RATE,
                               compact)
               for label in labels)] for test in tests])

    own = [test for warm, cache in enumerate(("cold", "warm"))
           for test in _voron_in_parts("parallel-default", warm, f"{cache}, ")]
    return [
        f"{commas(first.num)} records of {as_text(first.key_size)} + {as_text(first.value_size)}"
        f" bytes; there: {commas(number('C.entries'))} of {number('C.key.code')} +"
        f" {number('C.value')}."
        f" Times are with opening and closing, as there. {ROUNDS}", "",
        f"Languages: {_voron_languages(run)}.", "",
        "## Filling in one transaction", "", *compared(_voron_fills("fill")),
        "## Reading, from a cold cache", "",
        "Parts read as its program did: part p reads keys 0, p, 2p and so on, so one part reads key"
        " 0 a million times.", "", *compared(_voron_reads(0)),
        "## Reading, from a warm cache", "", *compared(_voron_reads(1)),
        "## The first reading, after the fill", "",
        "Printed once, of a database just filled: neither of the two caches is said.", "",
        *compared([VoronTest("whole", "read", {"warm": None})]),
        "## Filling with a transaction for each record (ours)", "",
        "As many records as take seconds: of Voron fewer than of the others.", "",
        *compared(_voron_fills("fill-single")),
        "## Parts that read their own keys (ours)", "", *compared(own),
        *markdown_missing_sentence(run.missing)]


# ---- the page

def _voron_fill(durability: str, experiment: str = "fill") -> VoronTest:
    return VoronTest("", experiment, {"durability": durability})


def _voron_whole(warm: int) -> VoronTest:
    return VoronTest("", "read", {"warm": warm})


def _voron_part(parts: int, warm: int = 0) -> VoronTest:
    return VoronTest("", "parallel", {"warm": warm, "parts": parts})


def _voron_two_digits(x: float) -> str:
    return f"{number(round_to(2, x))} x"


class _VoronSides:
    def __init__(self, run: Reproduction) -> None:
        self.printed, self.ours = published(run.tables), run.valid

    def there(self, test: VoronTest) -> float | None:
        return median_figure(_RATE, filter(test.has, self.printed))

    def over_there(self, test: VoronTest, than: VoronTest) -> str:
        a, b = self.there(test), self.there(than)
        return "not measured" if a is None or b is None else times(a / b)

    def parts_there(self, parts: int, than: int) -> str:
        a, b = self.there(_voron_part(parts)), self.there(_voron_part(than))
        return number(round_to(2, (a or 0) / (b or 1)))

    def pair(self, test: VoronTest, than: VoronTest, rate: str) -> Figures:
        """Of Voron here one kind of run, and another."""
        rows = []
        for row in points_where(self.ours, label="voron"):
            if test.has(row):
                rows.append(row.but(label="a"))
            elif than.has(row):
                rows.append(row.but(label="b"))
        return answer_figures(rows, rate)

    def rounds(self, test: VoronTest, than: VoronTest) -> list[float]:
        """How many times as much one is as the other in each round."""
        return ratios_of_rounds(self.pair(test, than, _RATE), "a", "b")

    def over(self, test: VoronTest, than: VoronTest, rate: str = _RATE) -> AnswerLine | None:
        """The same, as the claims have it, of the medians, with the range of the rounds; None if
        it was not measured."""
        pair = self.pair(test, than, rate)
        value = {line.label: line.value for line in answer_lines(pair)}
        lines = answer_lines(answer_ratios(pair, "a", "b", "voron"))
        return lines[0]._replace(value=value["a"] / value["b"]) if lines else None


def _voron_told(line: AnswerLine | None, form: Form) -> str:
    return form(line.value) if line else "not measured"


def _voron_sure(line: AnswerLine | None, form: Form) -> str:
    return answer_how_sure([line], form) if line else ""


def _voron_range(line: AnswerLine | None) -> str:
    if line is None or line.rounds < 2:
        return ""
    return f" ({answer_range([line.low, line.high], times)} in {line.rounds_told})"


_KINDS = {"yes": "holds", "no": "fails", "not measured": "open", "undecided": "open"}


def _voron_by_rounds(rounds: Iterable[float], yes: Callable[[float], bool]) -> str:
    """Yes if all rounds say so, no if none does."""
    found = [yes(x) for x in rounds]
    if not found:
        return "not measured"
    return "yes" if all(found) else "undecided" if any(found) else "no"


def _voron_rate(x: float | None) -> str:
    return "not measured" if x is None else f"{short(x)}/s"


_ABSENT = "voron is not here"


def _voron_fill_question(sides: _VoronSides) -> Question:
    found = answer_figures(filter(_voron_fill("none").has, sides.ours), _RATE)
    lines, there = answer_lines(found), _voron_rate(sides.there(_voron_fill("none")))
    ours = next((line for line in lines if line.label == "voron"), None)
    here = f"voron, {ours.ranged('/s')}" if ours else _ABSENT
    most = who_led(lines, "/s", [line.label for line in lines], "")
    return Question(
        "How many records a second are filled in one transaction, without syncs?",
        f"voron, {there}, alone",
        f"{here}; most: {most}" if ours else most,
        "" if ours else here, "" if ours else "absent",
        answer_how_sure(lines, lambda x: f"{short(x)}/s"),
        lead_sentence(found, "fills most in one transaction, without syncs", "/s",
                      f"voron alone, {there}; here {here}"))


def _voron_fill_spread(rates: Sequence[float]) -> float | None:
    """The fastest of the three ways to end a fill over the slowest."""
    return max(rates) / min(rates) if len(rates) > 2 else None


def _voron_fills_question(run: Reproduction, sides: _VoronSides) -> Question:
    there = _voron_fill_spread([row.whole_ops_per_sec
                                for row in points_where(sides.printed, experiment="fill")])
    fills = points_where(sides.ours, label="voron", experiment="fill")
    whole = _voron_fill_spread([median_figure(_RATE, group) or 0
                                for group in group_rows(fills, lambda row: row.durability)])
    rounds = [group[0].but(spread=_voron_fill_spread([row.whole_ops_per_sec for row in group]))
              for group in group_rows(fills, lambda row: row.repetition)]
    lines = answer_lines(answer_figures(rounds, "spread"))
    line = lines[0]._replace(value=whole or 0) if lines else None
    return question_of_claim(
        run.claims, "C1", "Does such a fill take as long without a sync, handed to the system, and"
        " synced to the disk?",
        f"voron, its fastest way {number(round_to(2, there or 0))} x its slowest",
        f"voron, its fastest way {_voron_told(line, _voron_two_digits)} its slowest",
        _voron_sure(line, _voron_two_digits))


_SO_FAST = {"yes": "twice as fast as ", "no": "not twice as fast as ",
            "not measured": "not measured beside "}


def _voron_readers_question(run: Reproduction, sides: _VoronSides) -> Question:
    """Whether two readers are twice as fast as each of what the claim is held to."""
    claim = run.claim("C3")
    least = 2 * (1 - (claim.claim.tolerance or 0 if claim else 0))
    part, whole = ((_voron_part(2), _voron_part(1)), (_voron_part(2), _voron_whole(0)))
    than_part, than_whole = (
        _SO_FAST.get(_voron_by_rounds(sides.rounds(*pair), lambda x: x >= least),
                     "perhaps twice as fast as ") for pair in (part, whole))
    over_part, over_whole = sides.over(*part), sides.over(*whole)
    there = (f"{sides.over_there(*part)} one part (which reads one key over and over), "
             f"{sides.over_there(*whole)} one reader of all records")
    here = (f"voron, {than_part}one part (which reads one key over and over, as there), "
            f"{_voron_told(over_part, times)}, {than_whole}one reader of all records, "
            f"{_voron_told(over_whole, times)}; the claim needs both; without opening and closing"
            f" {_voron_told(sides.over(*part, 'ops_per_sec'), times)} and"
            f" {_voron_told(sides.over(*whole, 'ops_per_sec'), times)}")
    sure = ""
    if over_whole:
        apart = over_part.apart(times) if over_part else ""
        sure = f"over one part {apart}, over one reader of all {_voron_sure(over_whole, times)}"
    found = claim.ours.verdict if claim and claim.ours else ""
    begin = {"fails": "No: from", "holds": "Yes: from"}.get(found, "From")
    sentence = (
        f"{begin} a cold cache two parallel readers of **voron** are {than_part}one that reads one"
        f" key over and over, as the article's program does: {_voron_told(over_part, times)}"
        f"{_voron_range(over_part)}. They are {than_whole}one that reads all records: "
        f"{_voron_told(over_whole, times)}{_voron_range(over_whole)}"
        f"{f', {over_whole.limited}' if over_whole else ''}. There the text says 2 x, and the"
        f" tables {there}")
    question = question_of_claim(
        run.claims, "C3", "Do two parallel readers, on two cores, read twice as fast as one, from a"
        " cold cache? (Its text says so, its tables do not.)",
        f"voron: the text says 2 x; its tables {there}", here, sure)
    return question._replace(sentence=sentence)


def _voron_four_question(sides: _VoronSides) -> Question:
    word = _voron_by_rounds(sides.rounds(_voron_part(4), _voron_part(2)), lambda x: x < 1)
    four = sides.over(_voron_part(4), _voron_part(2))
    return Question(
        "Are four parts slower than two, from a cold cache?",
        f"voron, {sides.parts_there(4, 2)} x as fast",
        f"voron, {_voron_told(four, _voron_two_digits)} as fast",
        word, _KINDS[word]).sure(_voron_sure(four, _voron_two_digits)).ruled(
            "C4, one half", "below 1")


def _voron_more_question(run: Reproduction, sides: _VoronSides) -> Question:
    claim = run.claim("C4")
    change = claim.claim.tolerance or 0 if claim else 0
    eight, sixteen = (_voron_by_rounds(sides.rounds(_voron_part(n), _voron_part(4)),
                                       lambda x: abs(x - 1) <= change) for n in (8, 16))
    if eight == sixteen:
        word, kind = eight, _KINDS[eight]
    else:
        word = f"{sixteen} for sixteen, {eight} for eight"
        kind = "fails" if "no" in (eight, sixteen) else "open"
    of_eight, of_sixteen = (sides.over(_voron_part(n), _voron_part(4)) for n in (8, 16))
    sure = ""
    if of_eight and of_sixteen:
        sure = (f"eight {of_eight.apart(_voron_two_digits)},"
                f" sixteen {_voron_sure(of_sixteen, _voron_two_digits)}")
    return Question(
        "Are eight and sixteen parts as fast as four?",
        f"voron, eight {sides.parts_there(8, 4)} x, sixteen {sides.parts_there(16, 4)} x",
        f"voron, eight {_voron_told(of_eight, _voron_two_digits)},"
        f" sixteen {_voron_told(of_sixteen, _voron_two_digits)}",
        word, kind).sure(sure).ruled("C4, the other half", f"within {percent(change)}")


def _voron_opening_question(run: Reproduction, sides: _VoronSides) -> Question:
    """Of Voron what part of the time went by before and after the operations."""
    lines = [line._replace(value=100 * line.value, low=100 * line.low, high=100 * line.high)
             for name, test in (("fill", _voron_fill("none")), ("reading", _voron_whole(1)),
                                ("reading in two parts", _voron_part(2, 1)))
             for line in answer_lines(answer_figures(
                 [row.but(label=name, apart=1 - row.whole_ops_per_sec / row.ops_per_sec)
                  for row in points_where(sides.ours, label="voron") if test.has(row)], "apart"))]
    told = ", ".join(f"{number(round_to(2, line.value))} % of a {line.label}" for line in lines)
    return question_of_claim(
        run.claims, "C7", "Are opening and closing, which are in the times, a small part of them?",
        "voron: not timed apart",
        f"voron: {told or 'not measured'}, without a sync and from a warm cache",
        answer_how_sure([line for line in lines if line.label == "reading"],
                        lambda x: f"{number(round_to(2, x))} %"))


def _voron_single_question(run: Reproduction, sides: _VoronSides) -> Question:
    each, in_one = (sides.over(_voron_fill("none", experiment), _voron_fill("sync", experiment))
                    for experiment in ("fill-single", "fill"))
    return question_of_claim(
        run.claims, "C9", "Does a sync cost little because there is one transaction, as its author"
        " answered a reader?", "voron: one transaction alone was measured",
        f"voron, without a sync over synced, a transaction for each record:"
        f" {_voron_told(each, times)}; one for all: {_voron_told(in_one, times)}",
        _voron_sure(each, times))


def _voron_warm_question(sides: _VoronSides) -> Question:
    line = sides.over(_voron_whole(1), _voron_whole(0))
    word, kind = "undecided", "open"
    if line is None:
        word, kind = "", ""
    elif line.low > 1.05:
        word, kind = "yes", "holds"
    elif line.high < 0.95:
        word, kind = "no", "fails"
    sure = _voron_sure(line, _voron_two_digits)
    if line:
        sure += "; yes would need 1.05 x in every round"
    return Question(
        "Is a warm cache faster? (The article does not say.)",
        f"voron, {sides.over_there(_voron_whole(1), _voron_whole(0))} as fast",
        f"voron, {_voron_told(line, _voron_two_digits)} as fast", word, kind).sure(sure)


def _voron_machine(run: Reproduction, sides: _VoronSides) -> Question:
    first = run.rows[0] if run.rows else Point()
    return Question(
        "On what?", "a million records of 16 + 100 bytes, a solid-state disk",
        f"{commas(first.num)} records, {as_text(first.cores)} cores, a virtual disk; "
        f"{_voron_languages(run)}")


def _voron_panel(sides: _VoronSides, title: str, test: VoronTest) -> MultiplesPanel:
    """Voron is the one that the others are multiples of."""
    return multiples_panel(title, "", "/s", "voron",
                           answer_figures(filter(test.has, sides.printed), _RATE),
                           answer_figures(filter(test.has, sides.ours), _RATE))


def _voron_sweep(run: Reproduction, sides: _VoronSides, warm: int) -> Sweep:
    lines: list[tuple[str, list[tuple[Any, float | None]]]] = [
        ("voron, there", [(parts, sides.there(_voron_part(parts, warm))) for parts in _PARTS])]
    for label in _voron_labels(run):
        rows = points_where(sides.ours, label=label)
        points = [(parts, median_figure(_RATE, filter(_voron_part(parts, warm).has, rows)))
                  for parts in _PARTS]
        if any(y is not None for _, y in points):
            lines.append((label, points))
    return Sweep(f"Reads/s in parts, its keys, {('cold', 'warm')[warm]}",
                 "One scale for all.", list(_PARTS), "parts", lines)


_PANELS = (
    ("Fill, no sync", _voron_fill("none")), ("Fill, synced", _voron_fill("sync")),
    ("Read whole, cold", _voron_whole(0)), ("Two parts, cold", _voron_part(2)),
    ("Sixteen parts, cold", _voron_part(16)), ("Sixteen parts, warm", _voron_part(16, 1)),
)


def head(run: Reproduction) -> Head:
    sides = _VoronSides(run)
    synced = list(filter(_voron_fill("sync").has, sides.ours))
    of_voron = [
        _voron_fills_question(run, sides), _voron_single_question(run, sides),
        _voron_readers_question(run, sides), _voron_four_question(sides),
        _voron_more_question(run, sides), _voron_warm_question(sides),
        _voron_opening_question(run, sides)]
    if not points_where(sides.ours, label="voron"):
        of_voron = [question._replace(here="not measured", word=_ABSENT, kind="absent",
                                      sentence=None) for question in of_voron]
    return Head(
        note="Ring and line: Voron, there and here; so the ring is always on the line.",
        asked=[_voron_fill_question(sides), *of_voron, _voron_machine(run, sides)],
        panels=[_voron_panel(sides, title, test) for title, test in _PANELS],
        limits=[LimitChart("the fill", "records/s", "Filling in one transaction, synced.", synced,
                           _RATE)],
        sweeps=[_voron_sweep(run, sides, warm) for warm in (0, 1)])
