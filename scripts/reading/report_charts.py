"""The results of a summary as a page shows them: charts, who leads in each, all at a glance.

A result is a table of summary.py: engines at one workload, number of threads and condition.
"""
from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import quote

from . import page, summary, text
from .limits import NO_LIMIT, limit_background_thread, limit_background_writer
from .rows import (
    row_cpu_per_operation,
    row_get,
    row_groups,
    row_latency,
    row_response,
    row_threads,
    unique,
)
from .summary import Cause, Summary, SummaryPoint, SummaryRatio, Table
from .text import capitalized, count, counted, listed, number, short


def chart_lead_times(times: float | None) -> str:
    return "–" if times is None else text.fixed(2, times) if times < 1.1 else text.rough(times)


class ChartLead(NamedTuple):
    """The first of a result's engines and the second, if there is one; whether the writes beside
    the reads of the first are less than a tenth of another's; whether rates do not tell the two
    apart, and they are in the order of CPU time per operation."""

    best: SummaryPoint
    other: SummaryPoint | None
    ratio: SummaryRatio | None
    starved: bool
    by_cpu: bool = False

    @property
    def benchmark(self) -> str:
        return self.best.row.get("benchmark") or ""

    @property
    def value(self) -> str:
        median = self.best.result.median
        return page.page_duration(median) if self.best.paced else short(median)

    @property
    def met_alone(self) -> bool:
        """Whether it leads as it met the rate, which the second missed."""
        return self.best.paced and self.other is not None and not self.best.missed \
            and bool(self.other.missed)

    @property
    def runs(self) -> int:
        """So many of each of the two, or more."""
        return min(point.runs for point in (self.best, self.other) if point)

    @property
    def times(self) -> float | None:
        if self.other is None or self.met_alone or not self.best.median or not self.other.median:
            return None
        ratio = self.other.median / self.best.median
        return ratio if ratio > 1 else 1 / ratio

    @property
    def interval(self) -> tuple[float, float] | None:
        if self.ratio is None or self.ratio.low is None or self.ratio.high is None:
            return None
        return self.ratio.low, self.ratio.high

    @property
    def tied(self) -> bool:
        return self.by_cpu or (
            self.other is not None and self.interval is not None
            and summary.summary_rates_alike([self.best, self.other], self.ratio))

    def said(self, per: str) -> str:
        """Who leads, and by how much; `per` follows the figure: /s."""
        best = f"{self.best.label} {self.value}{per}"
        if self.other is None:
            return best
        if self.by_cpu:
            return (f"{self.best.label} and {self.other.label} cannot be told apart by rates of a"
                    " busy machine, and are in the order of CPU time per operation")
        if self.tied:
            return f"{self.best.label} and {self.other.label} cannot be told apart"
        if self.met_alone:
            missed = page.page_duration(self.other.result.median)
            return f"{self.best.label} met the rate with a p99 of {self.value}," \
                f" {self.other.label} missed it with {missed}"
        shorter = " shorter than" if self.best.paced else ""
        sure = "one run: no interval" if self.interval is None else \
            f"95 % interval {' to '.join(map(chart_lead_times, self.interval))} ×"
        return f"{best}, {chart_lead_times(self.times)} ×{shorter} the next" \
            f" ({self.other.label}; {sure})"


def chart_unit(point: SummaryPoint) -> str:
    row = point.row
    if point.paced:
        return "p99"
    # what background threads do is not in the rate
    kinds = [kind for kind in ("reads", "scans", "writes") if row.get(kind)]
    of_one = len(kinds) == 1 or limit_background_thread(row)
    return f"{kinds[0]}/s" if kinds and of_one else "ops/s"


@dataclass(frozen=True)
class ChartedResult:
    """`common` are the kinds of causes that are said once for all results, `invalid` the invalid
    rows of its benchmark and threads, `remarks` what stands out in it."""

    table: Table
    ratio: SummaryRatio | None
    remarks: Sequence[str]
    invalid: Sequence[dict[str, Any]]
    common: Sequence[str]

    @property
    def first(self) -> SummaryPoint:
        return self.table[0]

    @property
    def benchmark(self) -> str:
        return self.first.row.get("benchmark") or ""

    @property
    def threads(self) -> float:
        return self.first.row.get("threads") or 0

    @property
    def title(self) -> str:
        return summary.summary_title(self.table)

    @property
    def conditions(self) -> str:
        return summary.summary_conditions(self.table)

    @property
    def below(self) -> str:
        """Its title below a heading that is the benchmark."""
        return (count(self.threads, "thread")
                + self.title.removeprefix(row_threads(self.first.row)))

    @cached_property
    def ranked(self) -> Table:
        return summary.summary_ranked(self.table)

    @property
    def without_null(self) -> Table:
        return [point for point in self.table if point.row.get("engine") != "null"]

    @property
    def shown(self) -> Table:
        """What has a bar: not the null engine, unless no engine is there."""
        return self.without_null if self.ranked else self.table

    @cached_property
    def lead(self) -> ChartLead | None:
        if not self.ranked:
            return None
        best, *others = self.ranked
        _, starved = summary.summary_starved(self.ranked)
        by_cpu = bool(others) and summary.summary_cpu_ranks(self.table) \
            and summary.summary_rates_alike(self.ranked[:2], self.ratio)
        return ChartLead(best, others[0] if others else None, self.ratio, best.label in starved,
                         by_cpu)

    @property
    def finding(self) -> str:
        if self.lead is None:
            return f"{self.below}: {self.first.label}"
        per = re.sub("ops/s|p99|.*(?=/)", "", chart_unit(self.first))
        starved = ", but its writes were starved" if self.lead.starved else ""
        return f"{self.below}: {self.lead.said(per)}{starved}"

    def _own(self, point: SummaryPoint, grade: str) -> list[Cause]:
        return [cause for cause in point.causes
                if cause.grade == grade and cause.kind not in self.common]

    @cached_property
    def letters(self) -> dict[str, str]:
        """Letters of notes, by the kinds of their causes."""
        kinds = unique(cause.kind for point in self.shown for cause in self._own(point, "note"))
        return {kind: chr(ord("a") + i) for i, kind in enumerate(kinds)}

    def _bar(self, point: SummaryPoint) -> page.Bar:
        low, high = point.whisker
        quantile = row_response if point.paced else row_latency
        p50, p99, p999 = (quantile(point.row, q) for q in ("p50", "p99", "p999"))
        beside = limit_background_writer(point.row)
        us = row_cpu_per_operation(point.row) if summary.summary_busy(self.table) else None
        return page.Bar(
            cpu=None if us is None else us * 1000,
            label=point.label, value=point.result.median, low=low, high=high,
            p50=p50, p99=p99, p999=p999, ranked=point.is_engine, limit=point.limited,
            writes=point.row.get("writes_per_sec") if beside else None,
            warnings=[cause.text + ("" if cause.runs == cause.of else
                                    f" ({cause.runs} of {cause.of} runs)")
                      for cause in self._own(point, "warning")],
            notes=[self.letters[cause.kind] for cause in self._own(point, "note")])

    @property
    def chart(self) -> page.Chart:
        labels = {point.label for point in self.table}
        bars = [self._bar(point) for point in self.shown]
        bars += [page.Bar(label=one["label"] or "", invalid=one["reason"])
                 for one in self.invalid if one["label"] not in labels]
        limit = summary.summary_device_limit(self.table)
        best = max((point.median for point in self.ranked), default=0)
        near = limit is not None and not self.first.paced and best <= limit <= 2 * best
        return page.Chart(bars, chart_unit(self.first), self.first.paced, limit if near else None)

    @property
    def notes(self) -> list[tuple[str, str]]:
        causes = {cause.kind: cause.text for point in reversed(self.table)
                  for cause in reversed(point.causes)}
        said = [(letter, causes[kind]) for kind, letter in self.letters.items()]
        said += [("", f"The null engine, which stores nothing, does {short(point.median)}/s:"
                  " the limit of the harness") for point in self.table
                 if self.ranked and point.row.get("engine") == "null" and not point.paced]
        said += [("", capitalized(remark)) for remark in self.remarks if remark != summary.ONE_RUN]
        return [(letter, sentence + ".") for letter, sentence in said]


def chart_results(found: Summary, common: Sequence[str]) -> list[ChartedResult]:
    results = []
    for at, table in enumerate(found.tables):
        of = tuple(row_get(table[0].row, column) for column in ("benchmark", "threads"))
        invalid = [one for one in found.invalid if (one["benchmark"], one["threads"]) == of]
        results.append(ChartedResult(table, found.ratios.get((at, 1)),
                                     summary.summary_stands_out(found, at), invalid, common))
    return results


# ---- workloads

@dataclass(frozen=True)
class ChartSeries:
    """Results that differ in the number of threads only, in its order."""

    results: Sequence[ChartedResult]

    @property
    def ends(self) -> list[ChartedResult]:
        return [self.results[0], *self.results[1:][-1:]]

    @property
    def middle(self) -> Sequence[ChartedResult]:
        return self.results[1:-1]

    @property
    def middle_said(self) -> str:
        threads = [number(result.threads) for result in self.middle]
        return f"The chart{'s' if len(threads) > 1 else ''} of {listed(threads)} threads"

    @cached_property
    def points(self) -> list[SummaryPoint]:
        return [point for result in self.results for point in result.without_null]

    @property
    def unit(self) -> str:
        return chart_unit(self.points[0]) if self.points else "ops/s"

    @property
    def panels(self) -> page.Panels:
        panels = [page.Panel(same[0].label, [(point.row.get("threads"), point.result.median)
                                             for point in same])
                  for same in row_groups(self.points, lambda point: point.label)]
        panels.sort(key=lambda panel: -panel.most)
        return page.Panels([result.threads for result in self.results], "threads", panels)


class ChartedWorkload(NamedTuple):
    benchmark: str
    series: list[ChartSeries]

    @property
    def id(self) -> str:
        return "workload-" + quote(self.benchmark, safe="-_.~")


def charts_by_workload(results: Iterable[ChartedResult]) -> list[ChartedWorkload]:
    def condition(result: ChartedResult) -> Any:
        point = result.first
        return (point.row.get("target_rate"), *(row_get(point.row, c) for c in point.apart))

    return [ChartedWorkload(same[0].benchmark,
                            [ChartSeries(sorted(series, key=lambda result: result.threads))
                             for series in row_groups(same, condition)])
            for same in row_groups(results, lambda result: result.benchmark)]


# ---- at a glance

class Glance(NamedTuple):
    """An engine in all results: which part of the best it does in each, None where it has no
    result or missed the rate; and the geometric mean, None if one is missing."""

    label: str
    parts: list[float | None]
    mean: float | None


def _chart_parts_of_best(result: ChartedResult) -> dict[str, float | None]:
    if result.first.paced:
        best = result.ranked[0].median
        return {point.label: None if point.missed else best / max(point.median, 1)
                for point in result.ranked}
    best = max(point.median for point in result.ranked)
    return {point.label: point.median / max(best, 1e-9) for point in result.ranked}


def at_a_glance(results: Sequence[ChartedResult]) -> list[Glance]:
    """A line for each engine, the best first."""
    parts = [_chart_parts_of_best(result) for result in results]
    lines = []
    for label in unique(label for part in parts for label in part):
        logs = [math.log(max(one, 1e-6)) for part in parts if (one := part.get(label)) is not None]
        mean = math.exp(sum(logs) / len(logs)) if len(logs) == len(parts) else None
        lines.append(Glance(label, [part.get(label) for part in parts], mean))
    return sorted(lines, key=lambda line: (line.mean is None, -(line.mean or 0)))


# ---- the answer

class ReportAnswer(NamedTuple):
    """What a page says first, in three sentences at most: the first two overall, unless one leads
    everywhere; who leads in which results; ties; how sure that is; what limited them, "" being no
    single limit, in how many bars."""

    overall: Sequence[Glance]
    alone: str
    winners: Sequence[tuple[str, str]]
    ties: str
    sure: str
    limits: Sequence[tuple[str, int]]


def _glance_wins(leads: Sequence[ChartLead], results: int) -> str:
    times = [lead.times for lead in leads if lead.times is not None]
    by = unique(map(chart_lead_times, (min(times), max(times)))) if times else []
    starving = unique(lead.benchmark for lead in leads if lead.starved)
    where = "the one result" if results == 1 else f"all {results} results" \
        if len(leads) == results else f"{len(leads)} of {results}"
    return (f"leads in {where} ({listed(unique(lead.benchmark for lead in leads))}"
            + (f", by {' to '.join(by)} ×" if by else "")
            + (f"; starving writes in {listed(starving)}" if starving else "") + ")")


def _glance_ties(leads: Iterable[ChartLead], results: int) -> str:
    tied = [f"{lead.best.label} and {lead.other.label} in {lead.benchmark}"
            for lead in leads if lead.tied and lead.other]
    return f"in {len(tied)} of {results} the first two cannot be told apart" \
        f" ({listed(unique(tied))})" if tied else ""


def _glance_sure(leads: Sequence[ChartLead]) -> str:
    runs = [lead.runs for lead in leads]
    bare = sum(n < 2 for n in runs)
    if bare == len(runs):
        return "with one run each there is no telling how sure that is"
    least = min(n for n in runs if n > 1)
    but = f", but for {counted(bare, 'result')} of one run, of which there is no telling"
    met = ", or who met a rate that the next missed" if any(one.met_alone for one in leads) else ""
    return f"a lead is one whose 95 % interval is above 1, of {counted(least, 'run')} or more" \
        + met + (but if bare else "")


def _glance_limits(results: Iterable[ChartedResult]) -> list[tuple[str, int]]:
    words = [point.limited.word for result in results for point in result.ranked]
    counts = sorted(((word, words.count(word)) for word in unique(words)),
                    key=lambda pair: -pair[1])
    return [pair for pair in counts if pair[0] != NO_LIMIT] \
        + [("", n) for word, n in counts if word == NO_LIMIT]


def glance_answer(results: Sequence[ChartedResult]) -> ReportAnswer | None:
    leads = [result.lead for result in results if result.lead]
    if not leads:
        return None
    contests = row_groups([lead for lead in leads if lead.other], lambda lead: lead.best.label)
    contests.sort(key=lambda same: same[0].best.label)
    won = [won for same in contests if (won := [lead for lead in same if not lead.tied])]
    won.sort(key=lambda same: -len(same))
    overall = [line for line in at_a_glance(results) if line.mean is not None][:2]
    return ReportAnswer(
        overall=overall if len(overall) > 1 and len(contests) != 1 else [],
        alone="" if contests else leads[0].best.label,
        winners=[(same[0].best.label, _glance_wins(same, len(leads))) for same in won],
        ties=_glance_ties(leads, len(leads)), sure=_glance_sure(leads),
        limits=_glance_limits(results))
