"""Verdicts on claims, from their answers: by the published figures, and by rows of a run here.

An answer has parts, each of which holds, does not, or cannot be told; a claim's rule says whether
the first decides or all of them. Here a part is decided by all rows, and must come out the same in
each round.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .points import Points
from .rows import group_rows

#: the part of the CPU, in per cent, above which what the hypervisor took spoils a row's times
STEAL_LIMIT = 3
_TAKEN = f"measured while the hypervisor took more than {STEAL_LIMIT} % of the CPU"
_NO_ANSWER = "its expression gives no answer"
#: how a verdict is called in a sentence
CALLED = {"holds": "holds", "fails": "does not hold", "depends": "depends", "open": "undecided"}


class Part(NamedTuple):
    """A part of an answer; `holds` is None if nothing can be told, and `numbers` then says why."""

    name: str | None
    holds: bool | None
    numbers: str | None = None


class ClaimAnswer(NamedTuple):
    parts: list[Part]
    rule: str

    @staticmethod
    def of(answer: dict[str, Any]) -> ClaimAnswer:
        """As claims.jq gives it."""
        parts = [Part(part["name"], part.get("holds"), part.get("numbers"))
                 for part in answer["parts"]]
        return ClaimAnswer(parts, answer["rule"])

    def part(self, name: str | None) -> Part | None:
        return next((part for part in self.parts if part.name == name), None)


Answers = dict[str, ClaimAnswer]


class View(NamedTuple):
    """The answers to all claims by some rows, and by those of them that were measured in quiet."""

    every: Answers
    quiet: Answers

    def answer(self, claim: Claim) -> ClaimAnswer:
        """Counts and sizes are not changed by a busy machine."""
        return (self.every if claim.counts else self.quiet)[claim.id]


class Claim(NamedTuple):
    id: str
    document: str
    kind: str
    place: str
    shape: str
    where: str
    text: str
    rule: str | None = None
    tolerance: float | None = None
    counts: bool = False
    reason: str | None = None


class Verdict(NamedTuple):
    """holds, fails, depends or open; the numbers that decide, or the reason why it is open."""

    verdict: str
    numbers: str | None
    reason: str | None
    name: str | None = None
    rounds: int | None = None
    parts: list[Verdict] | None = None

    def as_dict(self) -> dict[str, Any]:
        told: dict[str, Any] = {"verdict": self.verdict}
        if self.parts is None:
            told["name"] = self.name
            if self.rounds is not None:
                told["rounds"] = self.rounds
        else:
            if self.parts:
                told["rounds"] = self.rounds
            told["parts"] = [part.as_dict() for part in self.parts]
        return {**told, "numbers": self.numbers, "reason": self.reason}


@dataclass(frozen=True)
class JudgedRun:
    """What our rows say: their answers, all rows and of each round, and how many rows there are."""

    views: View
    rounds: list[View]
    rows: int
    taken: int
    scale: str = "default"

    @property
    def busy(self) -> bool:
        """Of a run on a busy machine only counts and sizes tell."""
        return self.taken > 0.05 * self.rows


def was_cpu_taken(steal_percent: float | None) -> bool:
    return steal_percent is not None and steal_percent > STEAL_LIMIT


def rows_with_cpu_taken(rows: Points) -> int:
    return sum(was_cpu_taken(row.steal_percent) for row in rows)


def _verdict_word(holds: bool | None) -> str:
    return "open" if holds is None else "holds" if holds else "fails"


def _published_part(part: Part) -> Verdict:
    if part.holds is None:
        return Verdict("open", None, part.numbers or _NO_ANSWER, part.name)
    return Verdict(_verdict_word(part.holds), part.numbers, None, part.name)


def _part_holds_in(answers: Iterable[ClaimAnswer], name: str | None) -> list[bool | None]:
    return [part.holds for answer in answers if (part := answer.part(name))]


def _why_part_open(part: Part, claim: Claim, run: JudgedRun) -> str | None:
    tried = _part_holds_in((view.answer(claim) for view in run.rounds), part.name)
    told = [holds for holds in tried if holds is not None]
    if run.busy and not claim.counts:
        return f"of the run's {run.rows} rows {run.taken} were {_TAKEN}"
    if run.scale == "small":
        return "at scale small no figure decides anything"
    if claim.shape == "O" and len(told) < 3:
        whole = _part_holds_in((view.every[claim.id] for view in run.rounds), part.name)
        every = sum(holds is not None for holds in whole)
        if not claim.counts and every > len(told):
            return (f"an order needs three rounds, and in {every - len(told)} of {every} the"
                    f" hypervisor took more than {STEAL_LIMIT} % of the CPU")
        return f"an order needs three rounds, and here are {len(told)}"
    if len(tried) > 1 and 2 * len(told) <= len(tried):
        return f"{len(tried) - len(told)} of {len(tried)} rounds cannot tell"
    if len(told) > 1 and set(told) != {part.holds}:
        return f"the rounds differ: it holds in {sum(map(bool, told))} of {len(told)} rounds"
    return None


def _our_part(part: Part, claim: Claim, run: JudgedRun) -> Verdict:
    tried = _part_holds_in((view.answer(claim) for view in run.rounds), part.name)
    rounds = sum(holds is not None for holds in tried)
    if part.holds is None:
        every = run.views.every[claim.id].part(part.name)
        if every and every.holds is not None:
            return Verdict("open", every.numbers, f"it rests on rows that were {_TAKEN}",
                           part.name, rounds)
        return Verdict("open", None, part.numbers or _NO_ANSWER, part.name, rounds)
    if why := _why_part_open(part, claim, run):
        return Verdict("open", part.numbers, why, part.name, rounds)
    return Verdict(_verdict_word(part.holds), part.numbers, None, part.name, rounds)


def _part_told(part: Verdict, verdict: str) -> str:
    begin = f"{part.name}: " if part.name else ""
    if part.verdict == "open" or (part.name and part.verdict != verdict):
        begin += CALLED[part.verdict] + ", "
    return begin + "; ".join(text for text in (part.numbers, part.reason) if text)


def _reasons_of_parts(parts: Sequence[Verdict]) -> str:
    told = []
    for group in group_rows(parts, lambda part: part.reason):
        names = ", ".join(part.name for part in group if part.name is not None)
        told.append((f"{names}: " if names else "") + (group[0].reason or ""))
    return "; ".join(told)


def _verdict_of_parts(parts: list[Verdict], rule: str) -> Verdict:
    """Of several parts the first decides, or all of them."""
    found = {part.verdict for part in parts} - {"open"}
    if rule == "first":
        verdict = parts[0].verdict
    else:
        verdict = "depends" if len(found) > 1 else found.pop() if found else "open"
    rounds = min((part.rounds for part in parts if part.rounds is not None), default=None)
    if verdict == "open":
        reason = parts[0].reason if rule == "first" else _reasons_of_parts(parts)
        return Verdict(verdict, parts[0].numbers, reason, None, rounds, parts)
    numbers = "; ".join(_part_told(part, verdict) for part in parts)
    return Verdict(verdict, numbers, None, None, rounds, parts)


def published_verdict(claim: Claim, answers: Answers) -> Verdict:
    if claim.where not in ("both", "published"):
        return Verdict("open", None, claim.reason or "no figure is printed that decides it",
                       parts=[])
    answer = answers[claim.id]
    return _verdict_of_parts([_published_part(part) for part in answer.parts], answer.rule)


def our_verdict(claim: Claim, run: JudgedRun) -> Verdict:
    if claim.where not in ("both", "ours"):
        return Verdict("open", None, claim.reason or "it is about the published figures", parts=[])
    answer, every = run.views.answer(claim), run.views.every[claim.id]
    parts, rule = answer.parts, answer.rule
    if [part.name for part in parts] != [part.name for part in every.parts]:
        # a part that only rows of a busy time have
        parts = [answer.part(part.name) or Part(part.name, None) for part in every.parts]
        rule = every.rule
    return _verdict_of_parts([_our_part(part, claim, run) for part in parts], rule)


class Judged(NamedTuple):
    """A claim with its verdicts; `ours` is None if only the published figures were asked."""

    claim: Claim
    published: Verdict
    ours: Verdict | None

    def as_dict(self) -> dict[str, Any]:
        claim = self.claim
        told = {"id": claim.id, "document": claim.document, "kind": claim.kind,
                "place": claim.place, "text": claim.text, "rule": claim.rule,
                "tolerance": claim.tolerance, "published": self.published.as_dict()}
        return told if self.ours is None else {**told, "ours": self.ours.as_dict()}
