"""Two groups of rows, benchmark by benchmark: which rows belong together, and by what they are
compared."""
from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .rows import (
    SETUP,
    Row,
    columns_as_key,
    columns_of_row,
    group_rows,
    row_get,
    row_is_paced,
    row_latency,
    row_number,
    row_response,
    row_valid,
    rows_settled,
    unique,
)
from .signed_rank import Look, end_of_looks, looks_at, next_look
from .text import as_text, count, number, or_none, percent, round_to


class Direction(NamedTuple):
    """Whether more of a metric is better, and what that and the contrary are called."""

    more: bool
    better: str
    worse: str


def is_latency_metric(metric: str) -> bool:
    """Whether it is a quantile of the reads, or of what there is instead; in an open loop of the
    response time."""
    return bool(re.fullmatch("min|mean|p[0-9]+|max", metric))


def metric_of(row: Row, metric: str) -> float | None:
    if not is_latency_metric(metric):
        return row_number(row, metric)
    return row_response(row, metric) if row_is_paced(row) else row_latency(row, metric)


def metric_or_usual(row: Row, asked: str) -> str:
    """What is compared of a row if nothing is asked for: in an open loop the rate is that which
    was given."""
    return asked or ("p99" if row_is_paced(row) else "ops_per_sec")


def direction_of_metric(metric: str) -> Direction | None:
    """None: it is not known whether more of it is better."""
    if re.search("_per_sec(_all_in)?$", metric):
        return Direction(True, "faster", "slower")
    if is_latency_metric(metric) or re.search("_(ns|us|ms|s|seconds|ns_per_op)$", metric):
        return Direction(False, "faster", "slower")
    if re.search("_amp(_|$)|_kb$|_bytes$|_per_(op|commit|write)$|^(faults|ctx)_", metric):
        return Direction(False, "better", "worse")
    return None


def way_of_change(metric: str, change: float) -> str | None:
    """What it is called that a metric is that much more, or less; None: nothing."""
    found = direction_of_metric(metric)
    if found is None or change == 0:
        return None
    return found.better if (change > 0) == found.more else found.worse


def way_of_metric(metric: str, ratio: float | None) -> str | None:
    """What such a ratio of new to old is called; None: nothing."""
    return None if ratio is None else way_of_change(metric, ratio - 1)


NO_DIRECTION = ("cannot tell whether more {} is better; give a rate, a time, a size or a count per"
                " operation")


def metric_objection(rows: Iterable[Row], metric: str) -> str | None:
    """Without rows any column may be there."""
    columns = columns_of_row(rows)
    if not metric:
        return None
    name = f"read_{metric}_ns" if is_latency_metric(metric) else metric
    if columns and not {metric, name} & columns:
        return f"no column {metric}; bench_NAME --columns lists them"
    return NO_DIRECTION.format(metric) if direction_of_metric(metric) is None else None


def pair_texts(rows: Iterable[Row], column: str) -> str:
    return ", ".join(unique(or_none(row_get(row, column)) for row in rows))


@dataclass
class Pair:
    """The valid rows of both sides that belong together; one of them may have none."""

    name: str
    old: list[Row]
    new: list[Row]

    @property
    def rows(self) -> list[Row]:
        return self.old + self.new

    @property
    def first(self) -> Row:
        return self.rows[0]


@dataclass
class Pairs:
    """What is on both sides, what on one, and the columns that pairs agree in."""

    both: list[Pair]
    alone: list[Pair]
    key: list[str]


def _varying_in_pairs(groups: Sequence[Pair], key: Sequence[str]) -> list[str]:
    """What tells the pairs of one benchmark apart, which stands in their names."""
    benchmarks = group_rows([group.first for group in groups], lambda row: row.get("benchmark"))
    return [c for c in key if c not in ("benchmark", "threads")
            and any(len({row_get(row, c) for row in rows}) > 1 for rows in benchmarks)]


def _pair_name(row: Row, key: Sequence[str], varying: Sequence[str]) -> str:
    threads = f", {count(row.get('threads') or 0, 'thread')}" if "threads" in key else ""
    apart = [f", {row.get('label')}" if c == "label" else f", {c} {or_none(row_get(row, c))}"
             for c in varying]
    return as_text(row.get("benchmark")) + threads + "".join(apart)


def pairs_of(old: Iterable[Row], new: Iterable[Row], by: str, allow: Sequence[str]) -> Pairs:
    """The pairs of two sides; `by` and `allow` are columns that may differ."""
    free = {*allow, by}
    sides = [[rows_settled(row) for row in rows if row_valid(row)] for rows in (old, new)]
    labels = [{row.get("label") for row in side} for side in sides]
    # two directories of one configuration each are two configurations
    by_label = by in ("label", "engine") or (labels[0] != labels[1]
                                             and [*map(len, labels)] == [1, 1])
    key = [c for c in SETUP if c not in free]
    if not by_label and "label" not in free:
        key.append("label")
    whose = {id(row) for row in sides[0]}
    groups = [Pair("", [row for row in rows if id(row) in whose],
                   [row for row in rows if id(row) not in whose])
              for rows in group_rows(sides[0] + sides[1], columns_as_key(key))]
    varying = _varying_in_pairs(groups, key)
    for group in groups:
        group.name = _pair_name(group.first, key, varying)
    return Pairs([group for group in groups if group.old and group.new],
                 [group for group in groups if not (group.old and group.new)], key)


#: the column that has the number of the round
ROUND = "repetition"
#: with five rounds p is 0.0625 at least, and pairs show nothing
LEAST_ROUNDS = 6


def figure_without_ratio(rows: Iterable[Row], metric: str) -> float | None:
    """The least figure of the rows if it is not above 0, so that it has no ratio; else None."""
    figures = (x for row in rows if (x := metric_of(row, metric)) is not None)
    return min((x for x in figures if x <= 0), default=None)


def _pairs_by_round(rows: Iterable[Row], metric: str) -> dict[float, Row]:
    """One row for each round; none if a round has several."""
    with_metric = [row for row in rows if metric_of(row, metric) is not None]
    found = {n: row for row in with_metric if (n := row_number(row, ROUND)) is not None}
    return found if len(found) == len(with_metric) else {}


def _rounds_alternate(old: Iterable[Row], new: Iterable[Row]) -> bool:
    """Whether the runs of both sides were made in the same time, not those of one after those of
    the other."""
    times = [[row.get("time") or "" for row in side] for side in (old, new)]
    return max(map(min, times)) < min(map(max, times))


def complete_rounds(old: Iterable[Row], new: Iterable[Row], metric: str) -> list[tuple[Row, Row]]:
    """The rows of both sides in each round that both have, in the order in which the rounds were
    complete: one of which a run was repeated comes last."""
    ours, theirs = _pairs_by_round(old, metric), _pairs_by_round(new, metric)
    return sorted([(ours[n], theirs[n]) for n in ours if n in theirs],
                  key=lambda two: (max(row.get("time") or "" for row in two),
                                   row_get(two[0], ROUND)))


def round_figures(rounds: Iterable[tuple[Row, Row]], metric: str) -> list[tuple[float, float]]:
    return [(metric_of(old, metric) or 0, metric_of(new, metric) or 0) for old, new in rounds]


def rounds_of(pair: Pair, metric: str) -> list[tuple[float, float]]:
    """The figures of both sides in each round; [] where there are too few, or none. Where one has
    no ratio no round may be judged by it: without such rounds the others would say something
    else."""
    both = complete_rounds(pair.old, pair.new, metric)
    if len(both) < LEAST_ROUNDS or not _rounds_alternate(*zip(*both)):
        return []
    return round_figures(both, metric)


class RoundsVerdict(NamedTuple):
    """What a series of rounds has come to: the look that ended it, or else the last one, if there
    was one; the verdict, "undecided" if none did; whether there is none to come."""

    look: Look | None
    verdict: str
    over: bool

    @property
    def decided_after(self) -> int | None:
        return self.look.pairs if self.look and self.verdict != UNDECIDED else None


UNDECIDED = "undecided"


def judge_rounds(rounds: Sequence[tuple[float, float]], metric: str, until: float,
                 threshold: float = 0) -> RoundsVerdict:
    """Of rounds that go on until they differ, or their interval extends by `until` percent to both
    sides; a ratio within `threshold` percent is no difference."""
    looks = looks_at([math.log(new / old) for old, new in rounds])
    end = end_of_looks(looks, until / 100)
    if end is None:
        over = bool(looks) and next_look(looks[-1].pairs) is None
        return RoundsVerdict(looks[-1] if looks else None, UNDECIDED, over)
    way = way_of_metric(metric, end.ratio)
    if end.differs and way and abs(end.ratio - 1) * 100 >= threshold:
        return RoundsVerdict(end, way, True)
    return RoundsVerdict(end, f"same within {percent(end.away)}", True)


def p_of_pair(p: float | None) -> str:
    if p is None:
        return "-"
    return "<0.0001" if p < 0.0001 else number(round_to(4, p))
