"""Whether one of two groups of runs is faster than the other, for compare.sh."""
from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import compare_all, signed_rank
from .command import fail, is_option, whole_option
from .pairing import (
    Pair,
    Pairs,
    direction_of_metric,
    figure_without_ratio,
    is_latency_metric,
    judge_rounds,
    metric_objection,
    metric_of,
    metric_or_usual,
    p_of_pair,
    pair_texts,
    pairs_of,
    rounds_of,
    way_of_change,
    way_of_metric,
)
from .rows import (
    CIRCUMSTANCES,
    CONDITIONS,
    Row,
    columns_freed,
    last_greatest,
    row_cautions,
    row_get,
    row_is_paced,
    row_rate_missed,
    row_valid,
    rows_of_results,
    unique,
    why_rows_mixed,
)
from .signed_rank import Look
from .stats import SampleComparison, compare_samples, correct_by_holm
from .tab_files import read_tab_table
from .text import (
    aligned,
    as_json,
    count,
    markdown_table_lines,
    number,
    or_none,
    percent,
    round_to,
    short,
    time,
)

HELP = """usage: scripts/compare.sh OLD NEW [option ...]
       scripts/compare.sh --counters OLD.tsv NEW.tsv
       scripts/compare.sh RESULTS --by=COLUMN --old=VALUE --new=VALUE [option ...]

Compares two versions, engines or settings, each run several times. OLD, NEW and RESULTS are files
of JSON lines (--json of bench_NAME), or directories with results.json or rows.json. A line for each
benchmark, number of threads and setting has both medians, their ratio with its 95 % interval, the p
of a test, a verdict, and the smallest difference that so many runs with this variance can show.
Runs of sweep.sh --repeat are compared in pairs of one round, by Wilcoxon's signed rank test, if at
least six rounds have both sides; other runs by Mann and Whitney's test. The output says which.

  --by=COLUMN           compare two groups of rows of one file by the value of this column: label,
                        engine_version, threads, ...
  --old=VALUE --new=VALUE  values of that column in the old and the new group
  --metric=COLUMN       column to compare [ops_per_sec; in an open loop p99]. p50, p99, p999,
                        ... are of reads, or else of writes; in an open loop of response times.
                        On a busy machine cpu_us_per_op varies least
  --threshold=PERCENT   ignore smaller differences [0]
  --until=PERCENT       judge by the rule of sweep.sh --until=PERCENT, which holds although it
                        stopped at a verdict [that of RESULTS, if its directory has until.tsv],
                        and without --metric by the metric of that sweep
  --correction=NAME     correction of p for many comparisons: holm or none [holm]
  --all                 also list all numeric columns that differ beyond chance
  --counters            OLD and NEW are files of --engine_counters, of at least two runs each: list
                        the engine's counters that differ per operation beyond chance
  --explain[=DIRECTORY] also name the functions whose CPU time differs, by the profiles that
                        profile.sh made in both RESULTS or in their directory profile; DIRECTORY
                        gets functions.tsv and a differential flame graph for each benchmark
  --allow=COLUMN,...    columns that may differ between the groups; with host, which --by=host
                        allows, too, also cpu, cores and kernel
  --seed=N              seed of the bootstrap [1]
  --format=NAME         text, markdown or json [text]
  --help                this

Invalid rows are excluded and counted. Rows of several machines, durabilities, memory limits or file
systems are refused, as are several versions or settings on one side. A warning names rows that have
warnings, were not steady, missed their target rate or are of an unfit build, and governors, mount
options and the like that differ. Runs of both sides should alternate: scripts/sweep.sh --repeat=10
does so.
Exit status: 0 nothing is slower, 1 something is, 2 wrong arguments, or not comparable.
"""


@dataclass
class CompareOptions:
    """What was asked for; `old` and `new` are values of the column `by`."""

    files: list[str] = field(default_factory=list)
    by: str = ""
    old: str = ""
    new: str = ""
    metric: str = ""
    threshold: str = "0"
    until: str = ""
    correction: str = "holm"
    allow: str = ""
    seed: str = "1"
    format: str = "text"
    all: bool = False
    counters: bool = False
    explain: bool = False
    explain_to: str = ""

    @property
    def allowed(self) -> list[str]:
        return [column for column in self.allow.split(",") if column]


# ---- what is compared, and what forbids it


@dataclass
class Compared:
    """A comparison: the figures of both sides, and what they came to."""

    name: str
    row: Row
    metric: str
    old: list[float]
    new: list[float]
    #: the same in pairs, where there are rounds; old and new are then theirs
    rounds: list[tuple[float, float]] = field(default_factory=list)
    #: runs of rounds that the other side lacks
    lone: int = 0
    #: whether there are rounds, but a figure that is not above 0
    without_ratio: bool = False
    result: dict[str, Any] = field(default_factory=dict)

    @property
    def response(self) -> bool:
        """Whether it is of the response time in an open loop."""
        return is_latency_metric(self.metric) and row_is_paced(self.row)

    @property
    def better(self) -> str:
        found = direction_of_metric(self.metric)
        return "more" if found and found.more else "less"

    def judge(self, correction: str, threshold: float, answer: SampleComparison) -> None:
        p = answer.p_holm if correction == "holm" else answer.p
        ratio, way = answer.ratio, way_of_metric(self.metric, answer.ratio)
        old, new = answer.old.median or 0, answer.new.median or 0
        if min(old, new) <= 0:
            # then a ratio does not say which is more, and there is none to 0
            way = way_of_change(self.metric, new - old)
        verdict = "no difference shown"
        if way and p is not None and p < 0.05 \
                and (ratio is None or abs(ratio - 1) * 100 >= threshold):
            verdict = way
        self._take(answer, p, verdict)

    def judge_series(self, until: float, threshold: float, answer: SampleComparison) -> None:
        """The same of rounds that ended when there was a verdict."""
        end = judge_rounds(self.rounds, self.metric, until, threshold)
        answer = _compared_in_pairs(answer, end.look) if end.look else _compared_without_p(answer)
        self._take(answer, answer.p, end.verdict)
        self.result["decided_after"] = end.decided_after

    @property
    def differences(self) -> list[float]:
        """Of each round the logarithm of new / old."""
        return [math.log(new / old) for old, new in self.rounds]

    def _take(self, answer: SampleComparison, p: float | None, verdict: str) -> None:
        self.result = {
            "old_runs": answer.old.n, "old_median": answer.old.median, "old_cv": answer.old.cv,
            "new_runs": answer.new.n, "new_median": answer.new.median, "new_cv": answer.new.cv,
            **({"rounds": len(self.rounds)} if self.rounds else {}),
            "ratio": answer.ratio, "ratio_low": answer.ratio_low, "ratio_high": answer.ratio_high,
            "p": answer.p, "p_method": answer.p_method, "least_p": answer.least_p,
            "p_corrected": p, "could_show": answer.could_show,
            "could_show_t": answer.could_show_t, "verdict": verdict}


#: between the sides these are what is compared; on one side they must not differ
SUBJECT = compare_all.SUBJECT


def _compare_subject(rows: Sequence[Row]) -> list[str]:
    """Programs of several commits are one subject if they have the same code and data; those of
    one commit with changes are several if they have not."""
    programs = {row_get(row, "program") for row in rows}
    if len(programs) == 1 and None not in programs:
        return [column for column in SUBJECT if column != "commit"]
    if any((row.get("commit") or "").endswith("-dirty") for row in rows):
        return [*SUBJECT, "program"]
    return list(SUBJECT)


def _why_not_compared(pairs: Iterable[Pair], free: Sequence[str]) -> list[str]:
    reasons = []
    for pair in pairs:
        reasons += why_rows_mixed(pair.rows, [c for c in CONDITIONS if c not in free],
                                  "one comparison")
        for side, rows in (("old", pair.old), ("new", pair.new)):
            reasons += why_rows_mixed(rows, [c for c in _compare_subject(rows) if c not in free],
                                      f"the {side} side")
    return unique(reasons)


def _compare_unlike(pairs: Pairs) -> list[str]:
    """In what rows differ that are on one side only."""
    old = [row for pair in pairs.alone for row in pair.old]
    new = [row for pair in pairs.alone for row in pair.new]
    texts = [(c, pair_texts(old, c), pair_texts(new, c)) for c in pairs.key]
    return [f"{c} is {o} in the old rows and {n} in the new" for c, o, n in texts if o != n]


def _compare_subject_differs(old: Sequence[Row], new: Sequence[Row]) -> list[dict[str, str]]:
    """What is compared: the columns of the subject that differ; of settings only those that do."""
    found = []
    for column in SUBJECT:
        ours, theirs = pair_texts(old, column), pair_texts(new, column)
        if ours == theirs:
            continue
        if column == "engine_options":
            before, after = ours.split(" "), theirs.split(" ")
            ours = " ".join(word for word in before if word not in after)
            theirs = " ".join(word for word in after if word not in before)
        found.append({"column": column, "old": ours, "new": theirs})
    return found


def _compared_run_began(row: Row) -> tuple[Any, ...]:
    """Two runs differ in when they began or how long they took."""
    return tuple(row_get(row, c) for c in
                 ("time", "seconds", "label", "benchmark", "threads", "repetition"))


def _compare_warnings(
    old: Sequence[Row], new: Sequence[Row], metric: str, free: Sequence[str]
) -> list[str]:
    told = []
    for side, rows in (("old", old), ("new", new)):
        told += [f"{side}: {text}" for text in (row_rate_missed(rows), *row_cautions(rows))
                 if text]
    for column in CIRCUMSTANCES:
        ours, theirs = pair_texts(old, column), pair_texts(new, column)
        if column not in free and (ours != theirs or ", " in ours):
            told.append(f"{column}: {ours} in the old rows, {theirs} in the new")
    if "_per_sec" in metric and any(map(row_is_paced, [*old, *new])):
        told.append(f"{metric} of an open loop is at most the rate that was given; --metric=p99"
                    " has the response time")
    if metric == "cpu_us_per_op" and any(row.get("servers") for row in [*old, *new]):
        told.append(f"{metric} is of the client alone, without its servers")
    seen = {_compared_run_began(row) for row in old}
    if both := sum(_compared_run_began(row) in seen for row in new):
        told.append(f"{count(both, 'row')} on both sides")
    return told


@dataclass
class CompareReport:
    """What was found; as JSON it has these members."""

    names: list[str]
    rows: list[int]
    invalid: list[int]
    pairs: Pairs
    refused: list[str]
    differ: list[dict[str, str]]
    warnings: list[str]
    without: list[str]
    comparisons: list[Compared]
    more: dict[str, Any] = field(default_factory=dict)


def _comparison(pair: Pair, asked: str) -> Compared | None:
    """None: a side has no row with the metric."""
    metric = metric_or_usual(pair.first, asked)
    old, new = ([x for row in rows if (x := metric_of(row, metric)) is not None]
                for rows in (pair.old, pair.new))
    rounds = rounds_of(pair, metric)
    without_ratio = bool(rounds) and figure_without_ratio(pair.rows, metric) is not None
    if rounds and not without_ratio:
        lone = len(old) + len(new) - 2 * len(rounds)
        old, new = ([*side] for side in zip(*rounds))
        return Compared(pair.name, pair.first, metric, old, new, rounds, lone)
    return Compared(pair.name, pair.first, metric, old, new,
                    without_ratio=without_ratio) if old and new else None


# ---- what pairs say


def _compared_without_p(answer: SampleComparison) -> SampleComparison:
    """A comparison whose test is still to come."""
    return answer._replace(ratio_low=None, ratio_high=None, p=None, least_p=None, could_show=None,
                   could_show_t=None, p_method="none")


def _compared_in_pairs(answer: SampleComparison, look: Look) -> SampleComparison:
    """A comparison of which the rounds say how sure it is."""
    method = "exact" if look.pairs <= signed_rank.EXACT_MAX else "normal"
    return _compared_without_p(answer)._replace(ratio=look.ratio, ratio_low=look.ratio_low,
                   ratio_high=look.ratio_high, p=look.p, p_method=f"pairs, {method}",
                   least_p=signed_rank.rank_least_p(look.pairs), could_show=look.could_show)


def _judge_compared(report: CompareReport, options: CompareOptions) -> None:
    found = compare_samples(((one.old, one.new) for one in report.comparisons),
                            f"--seed={options.seed}")
    threshold = float(options.threshold)
    if options.until:
        for one, answer in zip(report.comparisons, found):
            one.judge_series(float(options.until), threshold, answer)
        return
    found = [_compared_in_pairs(answer, signed_rank.look_at(one.differences)) if one.rounds
             else answer
             for one, answer in zip(report.comparisons, found)]
    corrected = correct_by_holm([answer.p for answer in found])
    for one, answer, p in zip(report.comparisons, found, corrected):
        one.judge(options.correction, threshold, answer._replace(p_holm=p))


def _compare_report(options: CompareOptions, names: list[str], old: list[Row],
                    new: list[Row]) -> CompareReport:
    pairs = pairs_of(old, new, options.by, options.allowed)
    free = columns_freed([*options.allowed, options.by])
    ours = [row for pair in pairs.both for row in pair.old]
    theirs = [row for pair in pairs.both for row in pair.new]
    found = [(pair, _comparison(pair, options.metric)) for pair in pairs.both]
    return CompareReport(
        names, [sum(map(row_valid, old)), sum(map(row_valid, new))],
        [sum(not row_valid(row) for row in rows) for rows in (old, new)], pairs,
        _why_not_compared(pairs.both, free), _compare_subject_differs(ours, theirs),
        _compare_warnings(ours, theirs, options.metric, free),
        [pair.name for pair, comparison in found if comparison is None],
        [comparison for _, comparison in found if comparison])


def _refuse_comparison(report: CompareReport, options: CompareOptions) -> None:
    """Ends the script where there is nothing to compare, or something forbids it."""
    if report.refused:
        reasons = [f"{reason}; --allow=COLUMN,... allows it" for reason in report.refused]
    elif report.comparisons:
        return
    elif not min(report.rows):
        side = "old" if not report.rows[0] else "new"
        reasons = [f"no valid row on the {side} side; invalid: {sum(report.invalid)}"]
    elif report.without:
        reasons = [f"no row has {options.metric or 'ops_per_sec'}"]
    else:
        reasons = ["no benchmark is on both sides", *_compare_unlike(report.pairs)]
    fail(2, *reasons)


# ---- for readers


def _compared_ratio(ratio: float | None) -> str:
    return "-" if ratio is None else number(round_to(3, ratio))


def _compared_line(one: Compared) -> list[str]:
    result = one.result
    figure = time if is_latency_metric(one.metric) or one.metric.endswith("_ns") else short
    low, high = result["ratio_low"], result["ratio_high"]
    cvs = (result["old_cv"], result["new_cv"])
    return [
        one.name, figure(result["old_median"]), figure(result["new_median"]),
        _compared_ratio(result["ratio"]),
        "-" if low is None else f"{_compared_ratio(low)} to {_compared_ratio(high)}",
        p_of_pair(result["p_corrected"]),
        count(len(one.rounds), "pair") if one.rounds else
        f"{result['old_runs']}+{result['new_runs']}",
        "-" if None in cvs else ", ".join(map(percent, cvs)), percent(result["could_show"]),
        result["verdict"]]


def _compared_cells(report: CompareReport, options: CompareOptions) -> list[list[str]]:
    level = signed_rank.LOOK_LEVEL if options.until else signed_rank.LEVEL
    head = ["benchmark", "old", "new", "new/old", f"{percent(1 - level)} interval", "p", "runs",
            "CV", "could show", "verdict"]
    return [head, *map(_compared_line, report.comparisons)]


def _above_comparison(report: CompareReport) -> list[str]:
    sides = [f"{side}: {name}, {count(rows, 'row')}"
             for side, name, rows in zip(("old", "new"), report.names, report.rows)]
    return sides + [f"{one['column']}: {one['old']} -> {one['new']}" for one in report.differ]


def _compared_by(report: CompareReport) -> str:
    loop = " response time (open loop: the rate is given)"
    return ", or ".join(unique(
        f"{one.metric}{loop if one.response else ''}, of which {one.better} is better"
        for one in report.comparisons))


def _too_few_to_compare(report: CompareReport) -> list[str]:
    """That a p cannot be below 0.05, however the sides differ. Holm's method multiplies the least
    of those that can be no smaller than it by their number."""
    least: list[float] = [one.result["least_p"] or 0 for one in report.comparisons]

    def corrected(one: Compared) -> float:
        own = float(one.result["least_p"] or 0)
        return min(own * sum(p >= own for p in least), 1.0)

    worst = last_greatest(report.comparisons, corrected)
    if corrected(worst) <= 0.05:
        return []
    return [f"too few runs: with {worst.result['old_runs']}+{worst.result['new_runs']} p is"
            f" {p_of_pair(worst.result['least_p'])} at least, and {p_of_pair(corrected(worst))}"
            " when it is corrected."]


def _compare_unpaired(report: CompareReport) -> list[str]:
    return [f"only {'old' if pair.old else 'new'}: {pair.name}" for pair in report.pairs.alone]


def _compare_pairing(report: CompareReport) -> list[str]:
    lone = sum(one.lone for one in report.comparisons)
    said = [f"no pairs, as a figure is not above 0: {one.name}" for one in report.comparisons
            if one.without_ratio]
    if not any(one.rounds for one in report.comparisons):
        return said
    return [*said, "pairs: the runs of one round (column repetition); new/old and its interval are"
            " Hodges and Lehmann's, of the ratios of the rounds."
            + (f" Runs left out, as the other side lacks their round: {lone}." if lone else "")]


def _compare_ratios(report: CompareReport, options: CompareOptions) -> str:
    if all(one.rounds for one in report.comparisons):
        return "old, new: medians."
    return ("old, new: medians. Their ratio has a 95 % interval by the bootstrap (percentiles of"
            f" 2000 draws, seed {options.seed}).")


def _compare_tests(report: CompareReport, options: CompareOptions) -> str:
    """Which tests p is of, and whether it is corrected for their number."""
    comparisons = count(len(report.comparisons), "comparison")
    methods = unique(one.result["p_method"] for one in report.comparisons)
    ranks = ", ".join(method for method in methods if method in ("exact", "normal"))
    pairs = ", ".join(method.removeprefix("pairs, ") for method in methods if "pairs" in method)
    tests = [f"Mann and Whitney's, two-sided ({ranks})"] if ranks else []
    tests += [f"of pairs Wilcoxon's signed rank test's, two-sided ({pairs})"] if pairs else []
    corrected = f"corrected by Holm's method for {comparisons}."
    if options.correction != "holm" or options.until:
        corrected = f"NOT corrected for {comparisons}: of 20 without a difference one is" \
            " expected to show one."
    return f"p: {', '.join([*tests, corrected])}"


def _compare_rule(options: CompareOptions) -> str:
    threshold = float(options.threshold)
    least = f" and the ratio is {number(threshold)} % or more from 1" if threshold > 0 else ""
    if not options.until:
        return f"verdict: there is a difference where p is below 0.05{least}."
    looks = ", ".join(map(str, signed_rank.LOOKS[:-1]))
    return (f"verdict: of the first look, at {looks} or {signed_rank.LOOKS[-1]} pairs, at which p"
            f" is at most {signed_rank.LOOK_LEVEL:g}{least}, or the interval extends by at most"
            f" {options.until} % to both sides of its middle. So of comparisons without a"
            " difference at most 5 % show one, although they end when there is a verdict.")


def _compare_could_show(report: CompareReport) -> list[str]:
    ranks = [one for one in report.comparisons
             if not str(one.result["p_method"]).startswith("pairs")]
    unknown = any(one.result["could_show"] is None for one in report.comparisons)
    cannot = "; -: so few runs cannot show any." if unknown else "."
    said = []
    if ranks:
        said += [
            "could show: the smallest difference of the means that this test finds 80 times in 100,"
            " with so many runs and this variance (two-sided, 5 %, uncorrected)" + cannot,
            "  It is computed by the noncentral t at the level that the ranks allow, divided by"
            " their efficiency 3/pi. In simulations with normal data it was found in 77 of 100 with"
            " 4+4 runs, and in 79 or 80 with more. could_show_t of --format=json is that of"
            " Student's t test at 5 %, which is exact."]
    if len(ranks) < len(report.comparisons):
        said.append("could show, of pairs: the smallest difference that so many rounds as unlike"
                    " as these find 80 times in 100, by the width of the interval; in simulations"
                    " with normal data it was found in 82 to 84.")
    return said


def _below_comparison(report: CompareReport, options: CompareOptions) -> list[str]:
    return [
        *(f"warning: {text}" for text in report.warnings),
        f"{count(len(report.comparisons), 'benchmark')} compared by {_compared_by(report)};"
        f" invalid rows left out: {report.invalid[0]} old, {report.invalid[1]} new.",
        *_compare_unpaired(report),
        *(f"left out, as its rows lack the metric: {name}" for name in report.without),
        _compare_ratios(report, options), *_compare_pairing(report),
        _compare_tests(report, options), _compare_rule(options),
        *_compare_could_show(report),
        *(_too_few_to_compare(report) if options.correction == "holm" and not options.until
          else [])]


def _compared_text(report: CompareReport, options: CompareOptions) -> list[str]:
    return [*_above_comparison(report), "", *aligned(_compared_cells(report, options)), "",
            *_below_comparison(report, options)]


def _compared_markdown(report: CompareReport, options: CompareOptions) -> list[str]:
    return [*("- " + line for line in _above_comparison(report)), "",
            *markdown_table_lines(_compared_cells(report, options)), "",
            *_below_comparison(report, options)]


def _compared_json(report: CompareReport, options: CompareOptions) -> str:
    return as_json({
        "rows": report.rows, "refused": report.refused, "unpaired": _compare_unpaired(report),
        "unlike": _compare_unlike(report.pairs), "differ": report.differ,
        "warnings": report.warnings,
        "without": report.without, "invalid": report.invalid, "names": report.names,
        "comparisons": [{"name": one.name, "benchmark": one.row.get("benchmark"),
                         "threads": one.row.get("threads"), "metric": one.metric,
                         "response": one.response, "better": one.better, **one.result}
                        for one in report.comparisons],
        "metric": ", ".join(unique(one.metric for one in report.comparisons)),
        "better": ", ".join(unique(one.better for one in report.comparisons)),
        "correction": options.correction, "threshold_percent": float(options.threshold),
        **({"until_percent": float(options.until)} if options.until else {}),
        "compared": len(report.comparisons), **report.more, "seed": int(options.seed)})


# ---- options


VALUES = ("by", "old", "new", "metric", "threshold", "until", "allow", "seed")
NAMED = {"correction": ("holm", "none"), "format": ("text", "markdown", "json")}


def _compare_options(arguments: Iterable[str]) -> CompareOptions:
    options = CompareOptions()
    for argument in arguments:
        name, _, value = argument.partition("=")
        name = name.removeprefix("--")
        if argument in ("--all", "--counters", "--explain"):
            setattr(options, name, True)
        elif argument.startswith("--explain=") and value:
            options.explain, options.explain_to = True, value
        elif argument.startswith("--") and value and (
                name in VALUES or value in NAMED.get(name, ())):
            setattr(options, name, value)
        elif is_option(argument):
            fail(2, f"cannot read '{argument}'; see --help")
        elif len(options.files) == 2:
            fail(2, f"cannot read '{argument}': two groups are compared; see --help")
        else:
            options.files.append(argument)
    options.metric = re.sub("^device_write_amp", "host_write_amp", options.metric)
    _check_compare_options(options)
    return options


def _check_compare_options(options: CompareOptions) -> None:
    if not options.files or not options.files[0]:
        fail(2, "which results? usage: scripts/compare.sh OLD NEW; see --help")
    if options.by:
        if len(options.files) > 1:
            fail(2, f"--by divides the rows of one file; leave out '{options.files[1]}'")
        if not (options.old and options.new):
            fail(2, f"--by={options.by}: which values? give --old=VALUE --new=VALUE")
        if options.old == options.new:
            fail(2, f"--old and --new are both {options.old}")
    elif options.old or options.new:
        fail(2, "--old and --new are values of a column; give it by --by=COLUMN")
    elif len(options.files) < 2:
        fail(2, "with what? give NEW, too, or --by=COLUMN --old=VALUE --new=VALUE")
    for name in ("threshold", "until"):
        value = getattr(options, name)
        if value and not re.fullmatch(r"[0-9]+([.][0-9]+)?", value):
            fail(2, f"--{name}: cannot read '{value}'; give percent")
    whole_option("--seed", options.seed)
    if options.counters and options.by:
        fail(2, "--counters compares two files; leave out --by")


def _compare_until(results: Iterable[str]) -> tuple[str, str]:
    """The --until and the metric of the sweep that made a directory of results, or the file in it;
    "" if it had none, or several metrics."""
    for path in results:
        verdicts = os.path.join(path.removesuffix("results.json"), "until.tsv")
        if os.path.exists(verdicts) and (lines := read_tab_table(verdicts)):
            metrics = {line["metric"] for line in lines}
            return lines[0]["until_percent"], metrics.pop() if len(metrics) == 1 else ""
    return "", ""


def compared_side(rows: Sequence[Row], by: str, value: str) -> list[Row]:
    return [row for row in rows if or_none(row_get(row, by)) == value]


def _sides_to_compare(options: CompareOptions) -> tuple[list[Row], list[Row]]:
    rows = rows_of_results(options.files[0], 2)
    others = rows if options.by else rows_of_results(options.files[1], 2)
    if reason := metric_objection([*rows, *others], options.metric):
        fail(2, f"--metric: {reason}")
    if not options.by:
        return rows, others
    sides = []
    for side, value in (("old", options.old), ("new", options.new)):
        sides.append(compared_side(rows, options.by, value))
        if not sides[-1]:
            fail(2, f"--{side}: no row has {options.by} {value}; there are"
                 f" {pair_texts(rows, options.by)}")
    return sides[0], sides[1]


def _compare_explained(options: CompareOptions,
                       names: Sequence[str]) -> tuple[list[Any], list[str]]:
    """As JSON, and as lines of text."""
    from . import compare_explain  # here, as most comparisons begin sooner without

    sides = [compare_explain.profiled_rows(results)
             for results in (options.files[0], options.files[-1])]
    if options.by:
        sides = [compared_side(rows, options.by, value)
                 for rows, value in zip(sides, (options.old, options.new))]
    found = compare_explain.explain_pairs(
        pairs_of(sides[0], sides[1], options.by, options.allowed).both)
    if options.explain_to:
        compare_explain.write_explanation(found, options.explain_to, names)
    return found.as_json(), compare_explain.explanation_text(found)


def main(arguments: list[str]) -> int:
    options = _compare_options(arguments)
    if options.counters:
        compare_all.compare_counters(options.files[0], options.files[1], options.format)
        return 0
    if options.by:
        until, metric = _compare_until(options.files)
        options.until = options.until or until
        options.metric = options.metric or metric
    old, new = _sides_to_compare(options)
    names = [f"{options.by} {options.old}", f"{options.by} {options.new}"] if options.by \
        else options.files
    report = _compare_report(options, names, old, new)
    _refuse_comparison(report, options)
    _judge_compared(report, options)
    told: list[str] = []
    if options.all:
        every = compare_all.all_differences(report.pairs.both)
        report.more["all"] = [one.as_json() for one in every]
        told += compare_all.all_differences_text(every)
    if options.explain:
        report.more["explained"], said = _compare_explained(options, names)
        told += said
    if options.format == "json":
        print(_compared_json(report, options))
    else:
        form = _compared_text if options.format == "text" else _compared_markdown
        print("\n".join(form(report, options) + told))
    return int(any(one.result["verdict"] in ("slower", "worse") for one in report.comparisons))
