"""quickstart.sh: engines in order, as far as short runs in turn can tell them apart.

A round has each engine once. The runs of one round are compared in pairs, so what slows all of them
in some rounds does not count. An engine shares a place with the first one there unless that is
faster by APART at least, with a 95 % interval of the ratio without 1 (signed_rank).
"""
from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from . import stats
from .limits import limit_background_writer
from .rows import (
    Row,
    group_rows,
    read_rows,
    row_cautions,
    row_name,
    row_threads,
    row_valid,
)
from .signed_rank import Look, look_at
from .summary import NO_ENGINES, summarize, summary_doubts, summary_invalid
from .text import aligned, count, percent, short, three

#: a machine is busy if a single thread that could run waited for a core for such a part of its
#: time: runs of less than a second warn of nothing. Longer ones say by warnings that others took
#: CPU time (row_machine_busy); a thread may wait for its engine's background threads as well.
BUSY = 0.1
#: how many times as fast is another place: loaded anew, an engine is faster or slower by up to a
#: tenth, by where its files and memory happen to lie, which no round of one load shows
APART = 1.1


@dataclass
class Ranked:
    """An engine of a table: its place, operations a second by round (by_cpu: a second of CPU time),
    and how it compares with the first engine of its place, or, where it is the first, with that of
    the place before; None: it is the first of all."""

    label: str
    rows: list[Row]
    by_cpu: bool
    rates: dict[float, float]
    place: int = 1
    behind: Look | None = None

    @property
    def alone(self) -> Look:
        return look_at([math.log(rate) for rate in self.rates.values()])

    @property
    def rate(self) -> float:
        return stats.median(self.rates.values()) or 0


def _quickstart_rates(rows: Sequence[Row], by_cpu: bool) -> dict[float, float]:
    found = {}
    for row in rows:
        rate = row.get("ops_per_sec") or 0
        if by_cpu:
            cpu = row.get("cpu_us_per_op") or 0
            rate = 1e6 / cpu if cpu > 0 else 0
        if rate > 0:
            found[row.get("iteration") or 0] = rate
    return found


def _quickstart_compared(better: Ranked, worse: Ranked) -> Look | None:
    """The better one's rates to the worse one's, in the rounds that both have; None: there is no
    such round."""
    both = [n for n in better.rates if n in worse.rates]
    return look_at([math.log(better.rates[n] / worse.rates[n]) for n in both]) if both else None


def quickstart_places(rows: Sequence[Row], busy: bool) -> list[Ranked]:
    """The engines of one workload, the fastest first, with their places. On a busy machine the CPU
    time tells more than the rate, which has the waits for a core; but a background writer's share
    of the operations, of which it is the mean, differs by engine."""
    by_cpu = busy and not any(map(limit_background_writer, rows))
    found = [Ranked(row_name(same[0]), same, by_cpu, _quickstart_rates(same, by_cpu))
             for same in group_rows([row for row in rows if row.get("engine") not in NO_ENGINES],
                                    row_name)]
    found = [one for one in found if one.rates]
    levels = {n: stats.median(math.log(one.rates[n]) for one in found if n in one.rates) or 0
              for n in {n for one in found for n in one.rates}}

    def above_level(one: Ranked) -> float:
        """How far it is above the middle engine of a round: so no round's speed counts."""
        return stats.median(math.log(rate) - levels[n] for n, rate in one.rates.items()) or 0

    ranked = sorted(found, key=lambda one: -above_level(one))
    first = ranked[0] if ranked else None
    for at, one in enumerate(ranked[1:], 2):
        assert first is not None
        one.behind = _quickstart_compared(first, one)
        one.place = first.place
        if one.behind and one.behind.differs and one.behind.ratio >= APART:
            one.place, first = at, one
    return ranked


def _quickstart_doubts(ranked: Sequence[Ranked]) -> str:
    """What must be known of the engines that a sentence names; warnings are said once for all."""
    return summary_doubts(
        (one.label, [text for text in row_cautions(one.rows) if not text.startswith("warnings")])
        for one in ranked)


def quickstart_headline(ranked: Sequence[Ranked]) -> str:
    """Which engine leads, by how much, and how sure that is."""
    best = ranked[0]
    title = row_threads(best.rows[0])
    does = f"{short(best.rate)} operations" + (" a second of CPU time" if best.by_cpu else "/s")
    leaders = [one for one in ranked if one.place == 1]
    following = next((one for one in ranked if one.place > 1), None)
    if len(leaders) > 1:
        return (f"{title}: {len(leaders)} engines share the first place with {does}:"
                f" {', '.join(one.label for one in leaders)}." + _quickstart_doubts(leaders))
    if following is None or following.behind is None:
        return f"{title}: {best.label} does {does}." + _quickstart_doubts([best])
    look = following.behind
    return (f"{title}: {best.label} leads with {does}, {three(look.ratio)} times {following.label}"
            f" (95 % interval {three(look.ratio_low)} to {three(look.ratio_high)},"
            f" {count(look.pairs, 'round')})." + _quickstart_doubts([best, following]))


def _quickstart_without_core(rows: Sequence[Row]) -> float:
    """The part of the time in which a thread could run and waited for a core, in runs of one
    thread; 0: not known."""
    parts = []
    for row in rows:
        waited, cpu = row.get("runnable_us_per_op"), row.get("cpu_us_per_op")
        if row.get("threads") == 1 and waited is not None and cpu:
            parts.append(waited / (waited + cpu))
    return stats.median(parts) or 0


def quickstart_table(ranked: Sequence[Ranked], busy: bool) -> list[str]:
    """A line for each engine; on a busy machine with its CPU time, which others disturb least."""
    unit = "ops/CPU s" if ranked[0].by_cpu else "ops/s"
    lines = [["place", "engine", unit, "95 % interval", "of best",
              *(["CPU us/op"] if busy else [])]]
    for at, one in enumerate(ranked):
        alone = one.alone
        known = alone.ratio_low is not None
        cpu = stats.median(row.get("cpu_us_per_op") for row in one.rows)
        shared = at > 0 and ranked[at - 1].place == one.place
        lines.append(["" if shared else str(one.place), one.label, short(one.rate),
                      f"{short(alone.ratio_low)} to {short(alone.ratio_high)}" if known else "-",
                      percent(one.rate / ranked[0].rate), *([three(cpu)] if busy else [])])
    return aligned(lines, lambda column, _: column == 1)


def quickstart_warnings(rows: Sequence[Row]) -> list[str]:
    """Each kind of warning once, with the number of rows that have it."""
    summary = summarize(rows)
    return [*summary_invalid(summary),
            *(cause.said(summary.rows) for cause in summary.causes if cause.grade == "warning")]


def quickstart_text(rows: Sequence[Row]) -> list[str]:
    measured = [row for row in rows if row_valid(row) and (row.get("reads") or 0) > 0]
    waited = _quickstart_without_core(measured)
    busy = waited > BUSY
    printed = []
    for same in group_rows(measured, lambda row: (row.get("benchmark") or "",
                                                  row.get("threads") or 0)):
        if ranked := quickstart_places(same, busy):
            printed += [quickstart_headline(ranked), *quickstart_table(ranked, busy), ""]
    if busy:
        printed.append(f"- the machine was busy: a single thread waited {percent(waited)} of its"
                       " time for a core. So engines are in the order of their CPU time; waits for"
                       " locks do not count in it. With a background writer they are in the order"
                       " of rates: its share of the operations differs by engine")
    return printed + ["- " + said for said in quickstart_warnings(rows)]


def main(arguments: list[str]) -> None:
    print("\n".join(quickstart_text(read_rows(arguments[0]))))
