"""Which settings of an engine matter, from the runs of tune.sh.

usage: tune.sh settings OPTIONS.tsv SETS.tsv ENGINE MODE   SETTINGS.tsv of what is to be tried
       tune.sh limits COLUMNS LIMIT...                  refuses limits that cannot be read
       tune.sh plan SETTINGS.tsv MODE                    the settings of the runs of that mode
       tune.sh outcome ROW.json BENCHMARK GOAL WORDS LIMIT...
       tune.sh best TRIALS.tsv SETTINGS.tsv GOAL MODE    the settings of the best run
       tune.sh again SETTINGS.tsv WINNER SHIFTED         what is measured again: kind, settings,
                                                         benchmark if it is another one
       tune.sh judge TRIALS.tsv SETTINGS.tsv GOAL MODE BENCHMARK SHIFTED ROUNDS WINNER INTO

SETTINGS.tsv has a setting a line: its name, its default, its values. Settings of a run are
NAME=VALUE with blanks between them. outcome prints status, goal, by how much limits are exceeded,
the goal with the sign by which less is better, and a reason; WORDS are the last of a run that left
no row. judge prints what tune.txt has, and writes the table of settings to the file INTO; its
status is 0 if the winner is better.
"""
from __future__ import annotations

import itertools
import math
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from . import stats
from .command import fail
from .pairing import direction_of_metric
from .rows import Row, read_rows, row_number, row_valid
from .stats import SampleComparison
from .tab_files import (
    as_tsv,
    read_tab_lines,
    read_tab_table,
    tab_cells,
    tab_number,
    write_tsv,
)
from .text import as_text, number

COUNTS = {"": 1, "k": 1e3, "m": 1e6, "g": 1e9}
#: in nanoseconds
TIMES = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9, "seconds": 1e9}


# ---- limits, and a run


class TuneLimit(NamedTuple):
    """A column that must be below a value, or above it."""

    column: str
    below: bool
    value: float

    def exceeded(self, x: float) -> float:
        """By which fraction; below 0 if it is not."""
        above, least = (x, self.value) if self.below else (self.value, x)
        return above / least - 1 if least else 1e9


def tune_time_unit(column: str) -> float | None:
    """Nanoseconds of what a column of times counts, which its name says; None: it is no time."""
    found = re.search(f"(?:^|_)({'|'.join(TIMES)})(?:_per_[a-z]+)?$", column)
    return TIMES[found[1]] if found else None


def read_tune_limit(text: str) -> TuneLimit | None:
    """A time is in the unit of the column."""
    found = re.fullmatch("([a-z0-9_]+)([<>])([0-9]+(?:[.][0-9]+)?)(ns|us|ms|s|k|m|g)?", text)
    if not found:
        return None
    column, way, value, unit = found.groups("")
    factor = COUNTS.get(unit)
    if factor is None:
        own = tune_time_unit(column)
        if own is None:
            fail(2, f"--limit: {column} is no time; give a number, such as ops_per_sec>20k")
        factor = TIMES[unit] / own
    return TuneLimit(column, way == "<", float(value) * factor)


def check_tune_limits(columns: Sequence[str], texts: Sequence[str]) -> None:
    for text in texts:
        column = re.split("[<>]", text)[0]
        if column not in columns:
            fail(2, f"--limit: there is no column {column}")
    if None in map(read_tune_limit, texts):
        fail(2, f"--limit: cannot read one of '{' '.join(texts)}'; give COLUMN<VALUE or"
             " COLUMN>VALUE, such as read_p99_ns<2ms")


class TuneOutcome(NamedTuple):
    """Of a run: feasible, infeasible or invalid, the goal, by how much limits are exceeded in all,
    and why it is not feasible."""

    status: str
    goal: float | None = None
    exceeded: float | None = None
    reason: str = ""


def tune_outcome(row: Row | None, benchmark: str, goal: str, words: str,
                 limits: Iterable[TuneLimit]) -> TuneOutcome:
    if row is None or row.get("benchmark") != benchmark:
        return TuneOutcome("invalid", reason=words)
    if not row_valid(row):
        return TuneOutcome("invalid", reason=as_text(row.get("invalid_reason")))
    result = row_number(row, goal)
    if result is None:
        return TuneOutcome("invalid", reason=f"its row has no {goal}")
    over = []
    for limit in limits:
        x = row_number(row, limit.column)
        if x is None:
            return TuneOutcome("invalid", reason=f"its row has no {limit.column}")
        if limit.exceeded(x) >= 0:
            over.append((limit.exceeded(x) + 0.001, f"{limit.column} is {number(x)}"))
    if not over:
        return TuneOutcome("feasible", result, 0)
    return TuneOutcome("infeasible", result, sum(by for by, _ in over),
                       ", ".join(reason for _, reason in over))


# ---- all runs


class TuneSetting(NamedTuple):
    name: str
    default: str

    def __str__(self) -> str:
        return f"{self.name}={self.default}"


def read_tune_settings(path: str) -> list[TuneSetting]:
    return [TuneSetting(*cells[:2]) for cells in tab_cells(path)]


def tune_combinations(settings: Iterable[Sequence[str]]) -> int:
    return math.prod(len(cells) - 2 for cells in settings)


def tune_settings_to_try(options: str, sets: str, engine: str, mode: str) -> list[list[str]]:
    """The lines of SETTINGS.tsv: the default is among the values. Or the end, if there is none."""
    defaults = {line["name"]: line["default"] for line in read_tab_table(options)}
    table: dict[str, list[str]] = {}
    for name, *values in tab_cells(sets):
        if name not in defaults or name in table:
            wrong = "given twice" if name in table else "no such option"
            fail(2, f"--set: {wrong}: {name}; bench_{engine} --help lists options")
        usual = defaults[name]
        if "" in (usual, *values):
            fail(2, f"--set: {name} has no default, so nothing is to be compared with")
        table[name] = [name, usual, *([] if usual in values else [usual]), *values]
    count = tune_combinations(table.values())
    if mode == "factorial" and count > 1000:
        fail(2, f"--mode=factorial: these are {count} combinations; give fewer values, or search")
    return list(table.values())


def tune_defaults(settings: Iterable[TuneSetting]) -> str:
    return " ".join(map(str, settings))


def tune_planned(path: str, mode: str) -> list[str]:
    """The settings of all runs of one-factor or factorial, the default first."""
    settings = tab_cells(path)
    default = [f"{name}={usual}" for name, usual, *_ in settings]
    values = [[f"{name}={value}" for value in rest] for name, _, *rest in settings]
    runs: Iterable[list[str]] = map(list, itertools.product(*values)) if mode == "factorial" else (
        [*default[:i], value, *default[i + 1:]]
        for i, of_setting in enumerate(values) for value in of_setting)
    return [" ".join(run) for run in [default, *(run for run in runs if run != default)]]


def tune_without_setting(winner: str, setting: TuneSetting) -> str:
    """The winner with that setting at its default."""
    return " ".join(str(setting) if one.partition("=")[0] == setting.name else one
                    for one in winner.split(" "))


class TuneTrial(NamedTuple):
    """A run of these settings; the goal is None if it is invalid."""

    kind: str
    benchmark: str
    settings: str
    status: str
    goal: float | None


def read_tune_trials(path: str) -> list[TuneTrial]:
    return [TuneTrial(line["kind"], line["benchmark"], line["settings"], line["status"],
                      tab_number(line["goal"])) for line in read_tab_table(path)]


def tune_less_is_better(goal: str) -> bool:
    direction = direction_of_metric(goal)
    return direction is None or not direction.more


def tune_worth(metric: str, goal: float) -> float:
    """The figure with the sign by which less is better."""
    return goal if tune_less_is_better(metric) else -goal


@dataclass(frozen=True)
class TuneSurvey:
    trials: Sequence[TuneTrial]
    settings: Sequence[TuneSetting]
    goal: str
    mode: str

    @property
    def default(self) -> str:
        return tune_defaults(self.settings)

    @property
    def _searched(self) -> list[tuple[float, str]]:
        return [(tune_worth(self.goal, trial.goal), trial.settings) for trial in self.trials
                if trial.kind == "search" and trial.status == "feasible" and trial.goal is not None]

    def best(self) -> str:
        """The settings of the best feasible run, "" if there is none; of one factor at a time the
        best value of each setting, while the others are at their defaults."""
        if not self._searched or self.mode != "one-factor":
            return min(self._searched, default=(0, ""))[1]
        values = []
        for setting in self.settings:
            alone = [(worth, tried) for worth, tried in self._searched
                     if tune_without_setting(tried, setting) == self.default]
            at = self.settings.index(setting)
            _, best = min(alone, key=lambda pair: pair[0], default=(0, self.default))
            values.append(best.split(" ")[at])
        return " ".join(values)

    def goals(self, kind: str, benchmark: str) -> list[float]:
        return [trial.goal for trial in self.trials
                if trial.kind == kind and trial.benchmark == benchmark
                and trial.status == "feasible" and trial.goal is not None]

    def count(self, kind: str, status: str, benchmark: str) -> int:
        return sum(trial.kind == kind and trial.status == status and trial.benchmark == benchmark
                   for trial in self.trials)

    def compared(self, old: str, new: str, benchmark: str) -> SampleComparison | None:
        pair = self.goals(old, benchmark), self.goals(new, benchmark)
        return stats.compare_samples([pair])[0] if all(pair) else None

    def better(self, change: SampleComparison, p: float | None) -> bool:
        """Whether the second is."""
        return tune_improves(change, p, tune_less_is_better(self.goal))

    def worse(self, change: SampleComparison, p: float | None) -> bool:
        return tune_improves(change, p, not tune_less_is_better(self.goal))


def tune_improves(change: SampleComparison, p: float | None, less: bool) -> bool:
    """Whether the second is less than the first, or more: by the test, by 1 %, and by its
    interval."""
    ratio, low, high = change.ratio, change.ratio_low, change.ratio_high
    if p is None or p >= 0.05 or ratio is None or low is None or high is None:
        return False
    return ratio < 0.99 and high < 1 if less else ratio > 1.01 and low > 1


def tune_change_said(change: SampleComparison | None) -> str:
    if change is None or change.ratio is None or change.ratio_low is None \
            or change.ratio_high is None:
        return "not known"
    by, low, high = ((x - 1) * 100 for x in (change.ratio, change.ratio_low, change.ratio_high))
    return f"{by:+.1f} % (95 % interval {low:+.1f} to {high:+.1f} %)"


def tune_measured_again(settings: Sequence[TuneSetting], winner: str,
                        shifted: str) -> list[list[str]]:
    """Default, winner, and the winner without each of its settings; both on another benchmark."""
    default = tune_defaults(settings)
    lines = [["default", default], ["winner", winner]]
    lines += [["without " + setting.name, tune_without_setting(winner, setting)]
              for setting in settings
              if tune_without_setting(winner, setting) != winner]
    if shifted:
        lines += [["default", default, shifted], ["winner", winner, shifted]]
    return lines


# ---- the answer


class TuneMatter(NamedTuple):
    """Whether a setting of the winner matters, and what changes if it alone is taken back."""

    setting: str
    default: str
    value: str
    change_if_taken_back: str
    verdict: str


def tune_settings_that_matter(survey: TuneSurvey, winner: str, benchmark: str) -> list[TuneMatter]:
    changes = {setting: survey.compared("winner", "without " + setting.name, benchmark)
               for setting in survey.settings}
    judged = sum(change is not None for change in changes.values())
    table = []
    for (setting, change), value in zip(changes.items(), winner.split(" ")):
        value = value.partition("=")[2]
        broke = survey.count("without " + setting.name, "infeasible", benchmark)
        by, verdict = "", "not known: without it every run was invalid"
        if value == setting.default:
            verdict = "best at its default"
        elif not survey.goals("winner", benchmark):
            verdict = "not known: the winner was invalid or exceeded a limit in each run"
        elif change is not None:
            # corrected for the number of settings that are judged
            p = None if change.p is None else change.p * judged
            by, verdict = tune_change_said(change), "shows no effect"
            if survey.better(change, p):
                verdict = "does harm"
            elif survey.worse(change, p):
                verdict = "matters"
            if broke:
                effect = "" if verdict == "shows no effect" else f"{verdict}; "
                verdict = f"{effect}matters for the limits: {broke} runs without it exceeded one"
        elif broke:
            verdict = "matters: without it no run keeps the limits"
        table.append(TuneMatter(setting.name, setting.default, value, by, verdict))
    return table


def tune_found_again(survey: TuneSurvey, benchmark: str, rounds: int) -> tuple[bool, str]:
    bad = rounds - survey.count("winner", "feasible", benchmark)
    if bad > 0:
        return False, ("nothing found: when run again, the best exceeded a limit or was invalid in"
                       f" {bad} of {rounds} runs")
    change = survey.compared("default", "winner", benchmark)
    again = f"run again in turn, {rounds} times each on fresh seeds,"
    if survey.count("default", "infeasible", benchmark) == rounds:
        return True, f"found: {again} it keeps the limits, and the default exceeded one each time"
    if change is not None and survey.better(change, change.p_holm):
        return True, f"found: {again} it changes {survey.goal} by {tune_change_said(change)}"
    return False, f"nothing found: {again} the change of {survey.goal} is" \
        f" {tune_change_said(change)}"


def tune_search_said(survey: TuneSurvey, combinations: int, benchmark: str) -> list[str]:
    runs = sum(trial.kind == "search" for trial in survey.trials)
    infeasible, invalid = (survey.count("search", status, benchmark)
                           for status in ("infeasible", "invalid"))
    better = "less" if tune_less_is_better(survey.goal) else "more"
    return [f"goal: {survey.goal}, {better} is better; {survey.mode}: {runs} runs of"
            f" {combinations} combinations, of which {infeasible} exceeded a limit and {invalid}"
            " were invalid", f"default: {survey.default}"]


def judge_tune_winner(survey: TuneSurvey, winner: str, benchmark: str, shifted: str,
                      rounds: int) -> tuple[bool, list[str], list[TuneMatter]]:
    """Whether the winner is better than the default, in words; which of its settings matter."""
    if not winner:
        return False, ["nothing found: each run was invalid or exceeded a limit"], []
    if winner == survey.default:
        return False, ["nothing found: the default was best"], []
    better, sentence = tune_found_again(survey, benchmark, rounds)
    table = tune_settings_that_matter(survey, winner, benchmark)
    lines = [f"best of these runs: {winner}", sentence, ""]
    for one in table:
        taken_back = f"; taking back {one.value} to {one.default} alone changes {survey.goal} by" \
            f" {one.change_if_taken_back}" if one.change_if_taken_back else ""
        lines.append(f"{one.setting}: {one.verdict}{taken_back}")
    if shifted:
        exceeded = survey.count("winner", "infeasible", shifted)
        change = survey.compared("default", "winner", shifted)
        lines.append(f"on {shifted}: {tune_change_said(change)} against the default; limits"
                     f" exceeded in {exceeded} of {rounds} runs")
    return better, lines, table


def _print_tune_judgement(trials: str, settings: str, goal: str, mode: str, benchmark: str,
                          shifted: str, rounds: str, winner: str, into: str) -> int:
    survey = TuneSurvey(read_tune_trials(trials), read_tune_settings(settings), goal, mode)
    combinations = tune_combinations(tab_cells(settings))
    better, lines, table = judge_tune_winner(survey, winner, benchmark, shifted, int(rounds))
    print("\n".join([*tune_search_said(survey, combinations, benchmark), *lines]))
    if table:
        write_tsv(into, [TuneMatter._fields, *table])
    return 0 if better else 1


def _print_tune_outcome(path: str, benchmark: str, goal: str, words: str, *limits: str) -> None:
    row = read_rows(path)[-1] if os.path.exists(path) and os.path.getsize(path) else None
    read = [limit for text in limits if (limit := read_tune_limit(text))]
    found = tune_outcome(row, benchmark, goal, words, read)
    worth = None if found.goal is None else tune_worth(goal, found.goal)
    cells = (re.sub("[\t\n]", " ", "" if cell is None else as_text(cell))
             for cell in (found.status, found.goal, found.exceeded, worth, found.reason))
    print("\t".join(cell or "-" for cell in cells))


def main(arguments: list[str]) -> int:
    question, file, *rest = arguments
    if question == "limits":
        check_tune_limits(read_tab_lines(file), rest)
    elif question == "settings":
        print(as_tsv(tune_settings_to_try(file, *rest)), end="")
    elif question == "plan":
        print("\n".join(tune_planned(file, *rest)))
    elif question == "outcome":
        _print_tune_outcome(file, *rest)
    elif question == "best":
        settings, goal, mode = rest
        print(TuneSurvey(read_tune_trials(file), read_tune_settings(settings), goal, mode).best())
    elif question == "again":
        print(as_tsv(tune_measured_again(read_tune_settings(file), *rest)), end="")
    elif question == "judge":
        return _print_tune_judgement(file, *rest)
    return 0
