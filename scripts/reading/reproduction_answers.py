"""What the page of a reproduction begins with: questions, what was found there and here.

An answer says who leads, by how much, how sure that is, by the range of the rounds, and what
limited it. Ranges and limits of publications are recorded nowhere, which the page says.
"""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from . import points, text
from .claim_verdicts import CALLED, Judged, Verdict, rows_with_cpu_taken
from .limits import NO_LIMIT, limit_called, limit_of, limit_or_both
from .points import Point, Points, point_figure
from .published_tables import Tables
from .rows import group_rows, last_greatest, unique
from .stats import median
from .text import factor, percent, short

Form = Callable[[float], str]


# ---- figures of rounds

class RoundFigure(NamedTuple):
    """What a row comes to, and what limited it; fractions of CPU and device, None if unknown."""

    label: str
    value: float
    round: float | None = None
    seconds: float | None = None
    limit: str | None = None
    cpu: float | None = None
    device: float | None = None


Figures = list[RoundFigure]


def answer_figures(rows: Iterable[Point], figure: points.Figure) -> Figures:
    """Of rows in which the figure is known and above 0."""
    found = []
    for row in rows:
        value = point_figure(figure, row)
        if value is not None and value > 0:
            limit = limit_of(row.row)
            found.append(RoundFigure(row.name, value, row.round, row.seconds, limit.word, limit.cpu,
                                     limit.device))
    return found


def answer_relabelled(rows: Iterable[Point], label: Callable[[Point], str] | str) -> Points:
    return [row.but(label=label if isinstance(label, str) else label(row)) for row in rows]


class AnswerLine(NamedTuple):
    """The figures of a label: their median, the least and the most, and of how many rounds."""

    label: str
    value: float
    low: float
    high: float
    rounds: int
    seconds: float | None = None
    limit: str | None = None
    cpu: float | None = None
    device: float | None = None

    @property
    def engine(self) -> str:
        return self.label.split("+")[0]

    @property
    def setting(self) -> str:
        """Of an engine that leads with several settings what each is."""
        options = self.label.split("+")[1:]
        return f"with {' and '.join(options)}" if options else "by default"

    def rate(self, unit: str) -> str:
        return short(self.value) + unit

    def with_setting(self, unit: str) -> str:
        return f"{self.rate(unit)} {self.setting}"

    def ranged(self, unit: str) -> str:
        if self.rounds < 2 or self.low == self.high:
            return self.rate(unit)
        return f"{self.rate(unit)} ({short(self.low)} to {short(self.high)})"

    @property
    def rounds_told(self) -> str:
        """How many rounds and, of short ones, how long."""
        told = text.count(self.rounds, "round")
        if self.seconds is None or self.seconds >= 1:
            return told
        return f"{told} of {text.number(text.round_to(2, self.seconds))} s"

    def apart(self, form: Form) -> str:
        """How sure it is, in the form that its figures have."""
        if self.rounds < 2:
            return self.rounds_told
        low, high = form(self.low), form(self.high)
        told = f"{low} in each of" if low == high else f"{low} to {high} in"
        return f"{told} {self.rounds_told}"

    def _busy(self) -> str:
        told = [f"{name} {percent(part)}" for name, part in
                (("CPU", self.cpu), ("device", self.device)) if part is not None]
        return f" ({', '.join(told)})" if told else ""

    @property
    def limited(self) -> str:
        if self.limit in (None, "unknown"):
            return "what limits it is not recorded"
        if self.limit == NO_LIMIT:
            return "no single limit" + self._busy()
        if self.limit == "rate":
            return "the rate was met"
        together = self._busy() if self.limit == "CPU or device" else ""
        return f"limited by {limit_called(self.limit or '')}{together}"


Lines = list[AnswerLine]


def _answer_most_frequent(words: Iterable[str | None]) -> str | None:
    """Of several that are as frequent the last in order."""
    groups = group_rows((word for word in words if word is not None), lambda word: word)
    return last_greatest(groups, len)[0] if groups else None


def _answer_line(of: Figures) -> AnswerLine:
    values = [figure.value for figure in of]
    cpu, device = median(f.cpu for f in of), median(f.device for f in of)
    limit = _answer_most_frequent(figure.limit for figure in of)
    return AnswerLine(of[0].label, median(values) or 0, min(values), max(values),
                      len({figure.round for figure in of}), median(f.seconds for f in of),
                      limit and limit_or_both(limit, cpu, device), cpu, device)


def answer_lines(found: Figures) -> Lines:
    """A line for each label, the greatest first."""
    lines = [_answer_line(group) for group in group_rows(found, lambda figure: figure.label)]
    return sorted(lines, key=lambda line: -line.value)


def answer_ratios(found: Figures, one: str, other: str, called: str) -> Figures:
    """How many times as much one is as another in each round that has both, of several in a round
    by their median: as a figure, so that it has a range and a limit."""
    ratios = []
    for group in group_rows((f for f in found if f.label == one), lambda figure: figure.round):
        beside = median(f.value for f in found if f.label == other and f.round == group[0].round)
        value = median(f.value for f in group)
        if beside is not None and value is not None:
            ratios.append(group[0]._replace(label=called, value=value / beside))
    return ratios


def ratios_of_rounds(found: Figures, one: str, other: str) -> list[float]:
    return [ratio.value for ratio in answer_ratios(found, one, other, "")]


def answer_range(values: Sequence[float], form: Form) -> str:
    """The least and the most of some figures, or the one that they have in that form."""
    low, high = form(min(values)), form(max(values))
    return low if low == high else f"{low.removesuffix(' x')} to {high}"


def answer_ordinal(place: int) -> str:
    return f"{place}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(place, 'th')}"


# ---- who leads

def leaders(lines: Lines) -> Lines:
    """Several lead if the ranges of their rounds meet that of the first."""
    return [line for line in lines if line.high >= lines[0].low]


def _leading_engines(lines: Lines) -> set[str]:
    return {line.engine for line in lines}


def next_to_leaders(lines: Lines) -> AnswerLine | None:
    """Of those that do not lead the first. Settings of one engine are no rivals of one another."""
    first = leaders(lines)
    return next((line for line in lines if line.engine not in _leading_engines(first)), None)


def behind_leaders(lines: Lines) -> Lines:
    return [line for line in lines if line not in leaders(lines) and line != next_to_leaders(lines)]


def _next_called(lines: Lines, after: AnswerLine) -> str:
    return "the second" if lines[1].label == after.label else "the next engine"


def answer_how_sure(lines: Lines, form: Form) -> str:
    if not lines:
        return ""
    first = leaders(lines)
    if len(first) == 1:
        return f"{lines[0].apart(form)}; {lines[0].limited}"
    ranges = ", ".join(f"{line.label} {form(line.low)} to {form(line.high)}" for line in first)
    return f"{ranges} in {lines[0].rounds_told}; {lines[0].limited}"


def who_led(lines: Lines, unit: str, among: Iterable[str], strange: str) -> str:
    """Who leads, by how much over the next; those that are not of the known labels, `among`, are
    called strange."""
    if not lines:
        return "not measured"
    first, after, among = leaders(lines), next_to_leaders(lines), set(among)

    def named(line: AnswerLine) -> str:
        return line.label if line.label in among else f"{line.label} ({strange})"

    if len(_leading_engines(first)) > 1:
        tie = " and ".join(f"{named(line)} {line.rate(unit)}" for line in first)
        then = f"; then {named(after)} {after.ranged(unit)}" if after else ""
        return f"{tie} tie: their ranges meet{then}"
    margin = ", alone"
    if after:
        also = "" if after.label in among else f", {strange}"
        margin = (f", {factor(lines[0].value / after.value)} {_next_called(lines, after)} "
                  f"({after.label}{also}, {after.rate(unit)})")
    if len(first) > 1:
        engine, others = lines[0].engine, ", ".join(one.with_setting(unit) for one in first[1:])
        return f"{engine}, {first[0].with_setting(unit)}{margin}; {engine} {others}"
    return f"{named(lines[0])}, {lines[0].rate(unit)}{margin}"


def _tie_sentence(first: Lines, after: AnswerLine | None, does: str, unit: str) -> str:
    who = " or ".join(f"**{line.label}**" for line in first)
    ranges = " and ".join(line.ranged(unit) for line in first)
    then = f"; then {after.label}, {after.ranged(unit)}" if after else ""
    return (f"{who} {does}, a tie: {ranges}, whose ranges meet in {first[0].rounds_told}, "
            f"{first[0].limited}{then}")


def _lead_clause(found: Figures, lines: Lines, does: str, unit: str) -> str:
    first, after, best = leaders(lines), next_to_leaders(lines), lines[0]
    several = len(first) > 1
    who, rate = (best.engine, best.with_setting(unit)) if several else (best.label, best.rate(unit))
    if after is None:
        told = f"{best.ranged(unit)} in {best.rounds_told}, alone here"
    else:
        factors = ratios_of_rounds(found, best.label, after.label)
        apart = f"{answer_range(factors, factor)} in " if len(factors) > 1 else ""
        told = (f"{rate}, {factor(best.value / after.value)} {_next_called(lines, after)}, "
                f"{after.label} ({apart}{best.rounds_told})")
    others = ", ".join(line.with_setting(unit) for line in first[1:])
    also = f"; {best.engine} {others}" if several else ""
    return f"**{who}** {does}: {told}, {best.limited}{also}"


def lead_sentence(found: Figures, does: str, unit: str, there: str) -> str:
    """Of figures a sentence: who leads at what it does, by how much, how sure that is, and what
    limits it. Between asterisks it is bold; `there`, a sentence or nothing, is who led there."""
    lines = answer_lines(found)
    if not lines:
        told = f"nothing was measured that {does}"
    elif len(_leading_engines(leaders(lines))) > 1:
        told = _tie_sentence(leaders(lines), next_to_leaders(lines), does, unit)
    else:
        told = _lead_clause(found, lines, does, unit)
    return told + (f". There {there}" if there else "")


# ---- questions

class Question(NamedTuple):
    """What was asked, found there and found here, and in a word how these go together. `kind` is
    holds, fails, depends, open or absent, if it was not run here. here_sure is how far rounds
    differ and what limited them; a sentence of the answer may stand above the table."""

    asked: str
    there: str
    here: str
    word: str = ""
    kind: str = ""
    here_sure: str = ""
    sentence: str | None = None

    def sure(self, here: str) -> Question:
        return self._replace(here_sure=here or "range and limit not recorded")

    def ruled(self, claim: str, rule: str | None) -> Question:
        if rule is None:
            return self
        return self._replace(here_sure=f"{self.here_sure}; test of claim {claim}: {rule}")


@dataclass(frozen=True)
class AnswerDoubt:
    """Why our own rows decide nothing, or why the sides are not compared, though each is sure."""

    doubt: str | None = None
    apart: str | None = None


def _answer_seen_only(why: str | None) -> str:
    return f"{why}. Seen only: " if why else ""


def undecided_answer(why: str | None) -> str:
    return f"not decided ({why}). Seen only: " if why else ""


def answer_cpu_taken(rows: int, of: int) -> str:
    return f"another virtual machine took CPU time in {rows} of {of} rows"


def answer_doubt(rows: Points) -> AnswerDoubt:
    if rows_with_cpu_taken(rows) > 0.05 * len(rows):
        return AnswerDoubt(doubt=answer_cpu_taken(rows_with_cpu_taken(rows), len(rows)))
    return AnswerDoubt()


# a verdict's reason in the words of a page
_REASONS: tuple[tuple[str, Any], ...] = (
    ("of the run's ([0-9]+) rows ([0-9]+) were measured while the hypervisor took.*",
     lambda found: answer_cpu_taken(int(found[2]), int(found[1]))),
    ("^(.*: )?it rests on rows that were measured while the hypervisor took.*",
     "another virtual machine took CPU time in its rows"),
    ("the rounds differ: ", ""),
    ("lacks runs of as many operations as the record has.*", "fewer operations than published"),
)


def answer_reason(reason: str) -> str:
    for pattern, words in _REASONS:
        reason = re.sub(pattern, words, reason)
    return reason


def answer_why_open(verdict: Verdict | None) -> str | None:
    if verdict is None or verdict.verdict != "open" or not verdict.reason:
        return None
    return answer_reason(verdict.reason)


def _answer_word(asked: str, there: str | None, here: str | None) -> str:
    word = CALLED.get(here or "", "")
    if not asked.startswith(("Which ", "How ")):
        word = {"holds": "yes", "fails": "no"}.get(here or "", word)
    return word + (", nor there by its own figures" if here == there == "fails" else "")


def question_of_claim(claims: Sequence[Judged], claim: str, asked: str, there: str, here: str,
                      sure: str) -> Question:
    judged = next((one for one in claims if one.claim.id == claim), None)
    ours, rule = (judged.ours, judged.claim.rule) if judged else (None, None)
    found = ours.verdict if ours else None
    word = _answer_word(asked, judged.published.verdict if judged else None, found)
    question = Question(asked, there, _answer_seen_only(answer_why_open(ours)) + here, word,
                        found or "")
    return question.sure(sure).ruled(claim, rule)


class AnswerSide(NamedTuple):
    """The figures of one side: of all its labels, and of those that both sides have."""

    lines: Lines
    both: Lines

    @property
    def labels(self) -> list[str]:
        return [line.label for line in self.lines]

    def partly(self, unit: str, which: str) -> str:
        """Who leads of those of both sides, where one that is first or second is of one side
        alone."""
        after, both = next_to_leaders(self.both), {line.label for line in self.both}

        def top(lines: Lines) -> list[str | None]:
            first = leaders(lines)
            if len(first) > 1:
                return [line.label for line in first if line.label in both]
            after = next_to_leaders(lines)
            return [first[0].label, after.label if after else None]

        if top(self.lines) == top(self.both):
            return ""
        if self.lines[0].label == self.both[0].label and len(leaders(self.both)) == 1 and after:
            times = factor(self.both[0].value / after.value)
            return f"; {which} {times} {_next_called(self.both, after)} ({after.label})"
        return f"; {which}: " + who_led(self.both, unit, both, "")


def _there_and_here(there: Figures, here: Figures) -> tuple[AnswerSide, AnswerSide]:
    both = {figure.label for figure in there} & {figure.label for figure in here}
    return (AnswerSide(answer_lines(there), answer_lines([f for f in there if f.label in both])),
            AnswerSide(answer_lines(here), answer_lines([f for f in here if f.label in both])))


def _leads_compared(there: Lines, here: Lines, doubt: AnswerDoubt) -> tuple[str, str]:
    """How the leads of those of both sides go together, in a word, and its kind."""
    first = leaders(here)
    if doubt.doubt:
        return "undecided", "open"
    if doubt.apart:
        return "not compared", "open"
    if there[0].label not in [line.label for line in first]:
        return "another engine", "fails"
    if len(first) > 1:
        return "cannot be told apart here", "open"
    if len(there) < 2:
        return "as there", "holds"
    times = (here[0].value / here[1].value) / (there[0].value / there[1].value)
    if 0.5 < times < 2:
        return "as there", "holds"
    return f"the same engine, by a {'larger' if times > 1 else 'smaller'} factor", "depends"


def _winner_place_here(there: AnswerSide, here: AnswerSide, unit: str) -> str:
    """Where who won there, of those run here, ended here, if neither first nor next."""
    for won in behind_leaders(here.lines):
        if won.label == there.both[0].label and won.engine != here.lines[0].engine:
            place = sum(line.value > won.value for line in here.lines) + 1
            return f"{answer_ordinal(place)} with {won.rate(unit)}"
    return ""


def _lead_sure(found: Figures, lines: Lines, unit: str) -> str:
    sure = answer_how_sure(lines, lambda x: short(x) + unit)
    after = next_to_leaders(lines)
    if after is None or len(leaders(lines)) > 1:
        return sure
    factors = ratios_of_rounds(found, lines[0].label, after.label)
    if len(factors) < 2:
        return sure
    return f"{sure}; factor over {after.label} {answer_range(factors, factor)}"


def leads_question(does: str, unit: str, there: Figures, here: Figures,
                   doubt: AnswerDoubt = AnswerDoubt()) -> Question:
    """Who leads at what it does: on each side of all engines of that side, then, where these
    differ, of those of both, which decide the word."""
    a, b = _there_and_here(there, here)
    asked, sure = f"Which engine {does}?", _lead_sure(here, b.lines, unit)
    led_there, led_here = who_led(a.lines, unit, b.labels, "not run here"), ""
    if not a.both:
        led_here = who_led(b.lines, unit, b.labels, "")
        return Question(asked, led_there, led_here, "not on both sides", "absent").sure(sure)
    led_here = who_led(b.lines, unit, a.labels, "not there")
    rest_there = a.partly(unit, "of those run here")
    place, won = _winner_place_here(a, b, unit), a.both[0].label
    is_first = won == a.lines[0].label
    word, kind = _leads_compared(a.both, b.both, doubt)
    told = _answer_seen_only(doubt.doubt) \
        + (f"{doubt.apart}. Here: " if doubt.apart else "") + led_here
    told += b.partly(unit, "of those there")
    if place:
        told += f"; {won}, first there{'' if is_first else ' of those run here'}, is {place}"
    if doubt == AnswerDoubt() and rest_there and not is_first:
        word += f" (without {a.lines[0].label})"
    then = led_there + rest_there + (f"; here {won} is {place}" if place else "")
    then += f". Not compared: {doubt.apart}" if doubt.apart else ""
    sentence = undecided_answer(doubt.doubt) + lead_sentence(here, does, unit, then)
    question = Question(asked, led_there + rest_there, told, word, kind, sentence=sentence)
    return question.sure(sure)


# ---- panels, limits and sweeps below the questions

class PanelLine(NamedTuple):
    """A label on both sides: its figure, and how many times that of the reference it is; here with
    the range of the rounds."""

    label: str
    there: float | None
    here: float | None
    there_times: float | None
    here_times: float | None
    low: float | None
    high: float | None


class MultiplesPanel(NamedTuple):
    """Each engine as a multiple of one of the same side."""

    title: str
    note: str
    unit: str
    reference: str
    lines: list[PanelLine]


def _panel_multiple(value: float | None, of: float | None) -> float | None:
    return value / of if value and of else None


def multiples_panel(title: str, note: str, unit: str, reference: str, there: Figures,
                    here: Figures) -> MultiplesPanel:
    a = {line.label: line.value for line in answer_lines(there)}
    b = {line.label: line.value for line in answer_lines(here)}
    lines = []
    for label in unique([*a, *b]):
        rounds = ratios_of_rounds(here, label, reference)
        several = len(rounds) > 1
        lines.append(PanelLine(
            label, a.get(label), b.get(label), _panel_multiple(a.get(label), a.get(reference)),
            _panel_multiple(b.get(label), b.get(reference)), min(rounds) if several else None,
            max(rounds) if several else None))
    lines.sort(key=lambda line: (-(line.there_times or line.here_times or 0),
                                 -(line.here_times or 0), line.label))
    return MultiplesPanel(title, note, unit, reference, lines)


class LimitChart(NamedTuple):
    """A chart of what limited the engines, of these rows; title and unit are of the figure."""

    title: str
    unit: str
    note: str
    rows: Points
    figure: points.Figure


class Sweep(NamedTuple):
    """Small multiples of a figure over what was varied; `word` says what xs count."""

    title: str
    note: str
    xs: list[Any]
    word: str
    lines: list[tuple[str, list[tuple[Any, float | None]]]]


def sweep_over(title: str, rows: Points, xs: list[Any], column: str, word: str,
               figure: points.Figure, note: str) -> Sweep:
    """A line for each label, the greatest first."""
    lines = [(group[0].label, [
        (x, points.median_figure(figure, [row for row in group if row.get(column) == x]))
        for x in xs]) for group in group_rows(rows, lambda row: row.label)]
    lines.sort(key=lambda line: -max((y or 0 for _, y in line[1]), default=0))
    return Sweep(title, note, xs, word, lines)


@dataclass(frozen=True)
class Head:
    """What a page begins with; `used` is the CPU time of all cores, in percent of them, there and
    here."""

    asked: list[Question]
    panels: list[MultiplesPanel]
    limits: list[LimitChart] = field(default_factory=list)
    sweeps: list[Sweep] = field(default_factory=list)
    used: tuple[Figures, Figures] | None = None
    note: str = ""


class Reproduction(NamedTuple):
    """A reproduction that is shown: the published tables, our rows, what is missing with the
    reason, and the claims."""

    tables: Tables
    rows: Points
    missing: list[tuple[str, str]]
    claims: list[Judged]

    @property
    def valid(self) -> Points:
        return [row for row in self.rows if row.valid]

    def claim(self, id: str) -> Judged | None:
        return next((one for one in self.claims if one.claim.id == id), None)
