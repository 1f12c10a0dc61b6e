"""From the runs of a ladder of rates to the highest one that keeps a limit, for capacity.sh.

usage: capacity.sh judge ROW.json ENGINE LIMIT ROUND   the run as a line of ladder.tsv
       capacity.sh verdict LADDER.tsv ENGINE LIMIT TEXT
       capacity.sh broken LADDER.tsv ENGINE LIMIT HIGH what breaks the limit at rates up to HIGH
       capacity.sh table LADDER.tsv                    a line for each rate
       capacity.sh unheld ROW.json LIMIT RATE SECONDS  why a rate was not held
       capacity.sh synced DIRECTORY MEDIAN P99         a sentence of the latency of syncs, in ms

LIMIT is in nanoseconds, TEXT the same as the user gave it. The line of judge has a last cell more
than ladder.tsv: how many operations its p99 is of. verdict prints one word, all, none (of the rates
keep the limit), found or undecided; then, with tabs between them, the rate found, the rates below
and above it that were tried, and a note or the reason.
"""
from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from .rows import KINDS, Row, group_rows, read_rows, row_number, row_valid
from .stats import greatest_known, median
from .tab_files import as_tsv, read_tab_table, tab_number
from .text import as_text, number, rounded, time

# ---- a run


def ladder_worst(row: Row, suffix: str) -> float | None:
    """The greatest of all kinds of operations."""
    return greatest_known(row_number(row, kind + suffix) for kind in KINDS)


def capacity_rate_kept(row: Row) -> bool:
    return row_valid(row) and row.get("target_rate_met") == 1


def what_broke_ladder(row: Row, limit: float) -> str:
    """What broke the limit; "" if nothing did."""
    if not row_valid(row):
        return "an invalid run"
    if row.get("target_rate_met") != 1:
        return "a rate that was not met"
    p99 = ladder_worst(row, "_resp_p99_ns")
    if p99 is None or p99 <= limit:
        return ""
    kind = next(kind for kind in KINDS if row_number(row, kind + "_resp_p99_ns") == p99)
    if (row_number(row, kind + "_p99_ns") or 0) > limit:
        return f"{kind}s whose calls alone take longer"
    return f"{kind}s that started late"


def ladder_line(row: Row, engine: str, limit: float, round_: str) -> list[Any]:
    """The cells of its line in ladder.tsv, and of how many operations of a kind at least its p99
    is, "" if that says nothing of the rate."""
    p99 = ladder_worst(row, "_resp_p99_ns")
    kept = capacity_rate_kept(row) and p99 is not None and p99 <= limit
    done = [n for n in (row.get("reads"), row.get("writes"), row.get("scans")) if n and n > 0]
    samples = min(done, default=0) if capacity_rate_kept(row) and p99 is not None else ""
    return [engine, row.get("target_rate"), row.get("ops_per_sec"),
            ladder_worst(row, "_resp_p50_ns"),
            ladder_worst(row, "_p99_ns"), p99, row.get("backlog"), int(kept),
            what_broke_ladder(row, limit),
            row.get("cpu_percent"), row.get("device_busy_percent"), round_, samples]


def why_capacity_unheld(row: Row, limit: float, rate: str, seconds: str) -> str:
    p99 = ladder_worst(row, "_resp_p99_ns")
    why = f"{as_text(row.get('backlog'))} were not begun"
    if not row_valid(row):
        why = "the row is invalid"
    elif p99 is not None and p99 > limit:
        why = f"the p99 was {time(p99)}"
    return f"but {rate} were not held for {seconds} s: {why}"


# ---- a ladder


class LadderRun(NamedTuple):
    """A line of the ladder. A run that did not keep the limit for another reason than its p99 has
    an infinite one. In round 0 it is of the search."""

    rate: float
    kept: bool
    p99: float
    broke: str = ""
    round: float = 0


class LadderRate(NamedTuple):
    """Of the runs at a rate: how many, how many of them kept the limit, their median p99."""

    rate: float
    n: int
    kept: int
    p99: float


def read_ladder(lines: Iterable[dict[str, str]], engine: str, limit: float) -> list[LadderRun]:
    runs = []
    for line in lines:
        if line["engine"] == engine:
            kept, p99 = line["kept"] == "1", tab_number(line["resp_p99_ns"])
            if p99 is None or (not kept and p99 <= limit):
                p99 = math.inf
            runs.append(LadderRun(float(line["rate"]), kept, p99, line["broke"],
                                  float(line["round"])))
    return runs


def ladder_rates(runs: Iterable[LadderRun]) -> list[LadderRate]:
    return [LadderRate(same[0].rate, len(same), sum(run.kept for run in same),
                       median(run.p99 for run in same) or 0)
            for same in group_rows(runs, lambda run: run.rate)]


def ladder_saw(found: Sequence[LadderRate]) -> tuple[list[float], float] | None:
    """A saw, from which nothing follows: rates that kept the limit in no run, or clearly below in
    less than half of them, and a higher rate that kept it in all."""
    top = max((one.rate for one in found if one.n > 1 and one.kept == one.n), default=0)
    below = [one.rate for one in found if one.n > 1 and (
        (one.kept == 0 and one.rate < top) or (2 * one.kept < one.n and one.rate < 0.92 * top))]
    return (below, top) if below else None


def ladder_curve(found: Iterable[LadderRate], limit: float) -> list[tuple[float, float]]:
    """The medians as a function that does not fall (pooled adjacent violators), as logarithms, up
    to four times the limit: above it, how late operations are tells how long the run was."""
    pools: list[tuple[list[float], float, int]] = []
    for one in found:
        rates_of, y, n = [one.rate], math.log(min(one.p99, 4 * limit)), one.n
        while pools and pools[-1][1] > y:
            before, y_before, n_before = pools.pop()
            rates_of = before + rates_of
            y = (y_before * n_before + y * n) / (n_before + n)
            n += n_before
        pools.append((rates_of, y, n))
    return [(rate, y) for rates_of, y, _ in pools for rate in rates_of]


class Crossing(NamedTuple):
    """Where the curve crosses the limit, interpolated between two rates that were tried. `rate` is
    None if it does not; then all rates keep the limit, or none."""

    rate: float | None
    low: float = 0
    high: float = 0
    all: bool = False


def ladder_crossing(found: Iterable[LadderRate], limit: float) -> Crossing:
    curve, log = ladder_curve(found, limit), math.log(limit)
    kept = sum(y <= log for _, y in curve)
    if kept in (0, len(curve)):
        return Crossing(None, all=kept > 0)
    (low, below), (high, above) = curve[kept - 1], curve[kept]
    part = (log - below) / (above - below)
    return Crossing(math.floor(low * math.exp(math.log(high / low) * part)), low, high)


def _ladder_rates_listed(values: Iterable[float]) -> str:
    return ", ".join(map(number, values))


def capacity_verdict(runs: Sequence[LadderRun], limit: float, text: str) -> list[Any]:
    """What follows from a ladder: cells, see above. The curve is that of the rounds, because the
    search repeats only the runs that failed."""
    found = ladder_rates(runs)
    contradiction = ladder_saw(found)
    if contradiction:
        below, top = contradiction
        return ["undecided", None, None, None,
                f"not decided: {_ladder_rates_listed(below)} operations a second"
                f" exceeded a p99 of {text}, and the higher rate {number(top)} did not; repeat it"
                " on an idle machine"]
    crossed = ladder_crossing(ladder_rates(run for run in runs if run.round > 0), limit)
    if crossed.rate is None:
        return ["all" if crossed.all else "none", None, None, None, None]
    clearly_below = [one for one in found if one.rate < 0.9 * crossed.rate]
    of = sum(one.n for one in clearly_below)
    failed = sum(one.n - one.kept for one in clearly_below)
    at = _ladder_rates_listed(one.rate for one in clearly_below if one.kept < one.n)
    if failed * 5 > of:
        return ["undecided", None, None, None, f"not decided: of {of} runs clearly below"
                f" {number(crossed.rate)} a second {failed} exceeded a p99 of {text} (at {at});"
                " the cause is not the rate, but noise or background work"]
    note = f"though {failed} of {of} runs below did not (at {at})" if failed else None
    return ["found", crossed.rate, crossed.low, crossed.high, note]


def ladder_broke_most(runs: Iterable[LadderRun], high: float | None) -> str:
    """In which kind of operation the runs that broke the limit did so most often, and how: those up
    to the rate `high`, if there is one, as far above it only the rate is missed."""
    reasons = Counter(run.broke for run in runs if run.broke and not run.kept
                      and (high is None or run.rate <= high))
    return max(sorted(reasons, reverse=True), key=lambda reason: reasons[reason], default="")


def ladder_table(lines: Iterable[dict[str, str]]) -> list[str]:
    """A line for each rate, of the medians of its runs."""
    cells = [["engine", "offered/s", "done/s", "p50 resp", "p99 call", "p99 resp", "behind",
              "kept"]]
    for same in group_rows(lines, lambda line: (line["engine"], tab_number(line["rate"]))):
        def of(column: str, runs: Sequence[dict[str, str]] = same) -> float | None:
            return median(tab_number(run[column]) for run in runs)

        done, behind = of("ops_per_sec"), of("backlog")
        kept = sum(run["kept"] == "1" for run in same)
        cells.append([
            same[0]["engine"], number(rounded(float(same[0]["rate"]))),
            "" if done is None else number(rounded(done)),
            *(time(of(column)) for column in ("resp_p50_ns", "p99_ns", "resp_p99_ns")),
            "" if behind is None else number(behind), f"{kept} of {len(same)}"])
    return ["{:<12} {:>12} {:>12} {:>10} {:>10} {:>10} {:>9}  {}".format(*line) for line in cells]


def main(arguments: list[str]) -> None:
    question, file, *rest = arguments
    if question == "judge":
        engine, limit, round_ = rest
        print(as_tsv([ladder_line(read_rows(file)[-1], engine, float(limit), round_)]), end="")
    elif question == "unheld":
        limit, rate, seconds = rest
        print(why_capacity_unheld(read_rows(file)[-1], float(limit), rate, seconds))
    elif question == "verdict":
        engine, limit, text = rest
        print(as_tsv([capacity_verdict(read_ladder(read_tab_table(file), engine, float(limit)),
                                       float(limit), text)]), end="")
    elif question == "broken":
        engine, limit, high = rest
        print(ladder_broke_most(read_ladder(read_tab_table(file), engine, float(limit)),
                                tab_number(high)))
    elif question == "table":
        print("\n".join(ladder_table(read_tab_table(file))))
    elif question == "synced":
        middle, p99 = (time(float(ms) * 1e6) for ms in rest)
        print(f"a synced write of the disk under {file}: median {middle}, p99 {p99}")
