"""Which functions make the difference of two groups of profiled runs, for compare.sh --explain."""
from __future__ import annotations

import math
import os
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .command import SCRIPTS, fail
from .pairing import Pair, p_of_pair
from .rows import Row, group_rows, read_rows, row_calls
from .stats import SampleComparison, compare_samples
from .tab_files import read_tab_lines, write_tsv
from .text import aligned, count, number, round_to

FLAMEGRAPH = os.path.join(SCRIPTS, "tools", "flamegraph.awk")


class Key(NamedTuple):
    """A function of a library; of all functions both are ""."""

    function: str = ""
    library: str = ""


ALL = Key()


@dataclass
class FunctionProfile:
    """CPU time and samples by function of one run; `callers` has each one's main caller and how
    long the function took there."""

    us: dict[Key, float]
    samples: dict[Key, float]
    callers: dict[Key, tuple[float, str]]


class FunctionDifference(NamedTuple):
    """CPU time per operation of a function on both sides. The difference of the means is
    `sampling_errors` standard errors of the sampling."""

    pair: Pair
    key: Key
    caller: str
    sampling_errors: float
    answer: SampleComparison

    @property
    def differs(self) -> bool:
        p = self.answer.welch_p_holm
        return self.key != ALL and p is not None and p < 0.05 and abs(self.sampling_errors) >= 4

    def as_json(self) -> dict[str, Any]:
        answer, first = self.answer, self.pair.old[0]
        return {
            "name": self.pair.name, "benchmark": first.get("benchmark"),
            "threads": first.get("threads"), "function": self.key.function,
            "library": self.key.library, "caller": self.caller,
            "sampling_errors": self.sampling_errors, "old_runs": answer.old.n,
            "old_us_per_op": answer.old.mean, "new_runs": answer.new.n,
            "new_us_per_op": answer.new.mean, "difference": answer.difference,
            "low": answer.difference_low, "high": answer.difference_high, "p": answer.welch_p,
            "p_corrected": answer.welch_p_holm, "differs": self.differs}


@dataclass
class Explanation:
    pairs: list[Pair]
    differences: list[FunctionDifference]

    def as_json(self) -> list[dict[str, Any]]:
        return [one.as_json() for one in self.differences]


# ---- profiles


def profiled_rows(results: str) -> list[Row]:
    """The rows of its profiles, each with the file of its profile, without what that ends with."""
    places = [at for at in (results, os.path.join(results, "profile"))
              if os.path.exists(os.path.join(at, "profiles.tsv"))]
    if not places:
        fail(2, f"{results} has no profiles; scripts/profile.sh makes them")
    rows = read_rows(os.path.join(places[0], "rows.json"), 2)
    for row in rows:
        row["profile"] = os.path.join(places[0], row.get("profile") or "")
    return rows


def _profile_library(library: str) -> str:
    """A library by the name that its versions share; a program stands for its version, too."""
    library = re.sub(r"\.so(\.[0-9]+)*$", "", library)
    return "bench" if library.startswith("bench_") else library


def _function_profile(row: Row) -> FunctionProfile:
    """Without the functions of the harness."""
    us: dict[Key, float] = defaultdict(float)
    samples: dict[Key, float] = defaultdict(float)
    callers: dict[Key, tuple[float, str]] = {}
    for line in read_tab_lines(f"{row.get('profile')}.functions.tsv")[1:]:
        cells = line.split("\t")
        if cells[2] == "harness":
            continue
        library = _profile_library(cells[1])
        unnamed = cells[0] == f"[{cells[1]}]"
        key = Key(f"[{library}]" if unnamed else cells[0], library)
        for each in (key, ALL):
            us[each] += float(cells[3])
            samples[each] += float(cells[6])
        if float(cells[3]) > callers.get(key, (0.0, ""))[0]:
            callers[key] = float(cells[3]), cells[7]
    return FunctionProfile(us, samples, callers)


def _explain_mean_us(profiles: Sequence[FunctionProfile], key: Key) -> float:
    return sum(profile.us.get(key, 0) for profile in profiles) / len(profiles)


def _profile_variance(profiles: Sequence[FunctionProfile], key: Key) -> float:
    """Of the mean, by the sampling: n samples have a standard error of 1 / sqrt(n) of their sum."""
    parts = [profile.us[key] ** 2 / n for profile in profiles if (n := profile.samples.get(key, 0))]
    return float(sum(parts)) / len(profiles) ** 2


def _profile_errors(old: Sequence[FunctionProfile], new: Sequence[FunctionProfile],
                    key: Key) -> float:
    variance = _profile_variance(old, key) + _profile_variance(new, key)
    difference = _explain_mean_us(new, key) - _explain_mean_us(old, key)
    return float(f"{difference / math.sqrt(variance):.3g}") if variance else 0


def _profile_keys(profiles: Sequence[FunctionProfile], old: Sequence[FunctionProfile],
                  new: Sequence[FunctionProfile]) -> list[Key]:
    """All functions together, then those with half a percent of the CPU time on a side."""
    least = max(_explain_mean_us(old, ALL), _explain_mean_us(new, ALL)) / 200
    keys = {key for profile in profiles for key in profile.us if key != ALL}
    return [ALL, *(key for key in sorted(keys, key=lambda key: (key.function, key.library))
                   if max(_explain_mean_us(old, key), _explain_mean_us(new, key)) >= least)]


def _profile_main_caller(profiles: Iterable[FunctionProfile], key: Key) -> str:
    return max((profile.callers.get(key, (0.0, "")) for profile in profiles),
               key=lambda caller: caller[0])[1]


def explain_pairs(pairs: list[Pair]) -> Explanation:
    if not pairs:
        fail(2, "--explain: no benchmark has profiles on both sides")
    found, samples = [], []
    for pair in pairs:
        old, new = ([_function_profile(row) for row in rows] for rows in (pair.old, pair.new))
        for key in _profile_keys(old + new, old, new):
            found.append((pair, key, _profile_main_caller(old + new, key),
                          _profile_errors(old, new, key)))
            samples.append(([profile.us.get(key, 0.0) for profile in old],
                            [profile.us.get(key, 0.0) for profile in new]))
    answers = compare_samples(samples, "--draws=0")
    return Explanation(pairs, [FunctionDifference(*one, answer)
                               for one, answer in zip(found, answers)])


# ---- what is told and written


def _explain_us(x: float | None) -> str:
    return number(round_to(4, x or 0))


def _explain_signed_us(x: float | None) -> str:
    return ("+" if (x or 0) > 0 else "") + _explain_us(x)


def _explain_order(one: FunctionDifference) -> float:
    return -abs(one.answer.difference or 0)


def _explain_interval(answer: SampleComparison) -> str:
    return f"{_explain_signed_us(answer.difference_low)} to" \
        f" {_explain_signed_us(answer.difference_high)}"


def _explain_function_line(one: FunctionDifference) -> list[str]:
    answer = one.answer
    return [_explain_signed_us(answer.difference), _explain_interval(answer),
            _explain_us(answer.old.mean), _explain_us(answer.new.mean),
            p_of_pair(answer.welch_p_holm), one.key.function[:60], one.key.library, one.caller[:60]]


def _benchmark_explained(same: Sequence[FunctionDifference]) -> list[str]:
    every = next(one for one in same if one.key == ALL)
    functions = [one for one in same if one.key != ALL]
    answer = every.answer
    change = "" if answer.difference_low is None else \
        f", {_explain_signed_us(answer.difference)} ({_explain_interval(answer)})"
    old, new = _explain_us(answer.old.mean), _explain_us(answer.new.mean)
    told = ["", f"{every.pair.name}: {old} -> {new} us of CPU per operation in"
                f" {answer.old.n}+{answer.new.n} profiles{change}"]
    named = sorted((one for one in functions if one.differs), key=_explain_order)
    of = count(len(functions), "function")
    if answer.difference_low is None:
        return [*told, "no intervals: they need two or more profiles of each side; repeat the runs"
                " (--repeat)"]
    if not named:
        return [*told, f"no function differs beyond chance, of {of}"]
    head = ["us/op", "95 % interval", "old", "new", "p", "function", "library", "called by"]
    table = aligned([head, *map(_explain_function_line, named)], lambda column, _: column >= 5)
    return [*told, *table, f"these differ beyond chance, of {of}"]


def explanation_text(explanation: Explanation) -> list[str]:
    told = [line for same in group_rows(explanation.differences, lambda one: one.pair.name)
            for line in _benchmark_explained(same)]
    return [
        *told, "",
        "us/op: CPU time in the function itself, without its callees; p: Welch's t test, corrected"
        " by Holm's method for all functions.",
        "A difference beyond chance also exceeds four standard errors of the sampling, as a few"
        " samples can agree in all runs.",
        "Functions with less than half a percent of the CPU time on both sides are left out."]


def _differential_stacks(pair: Pair) -> list[str]:
    """Stacks with us per operation of the new side and the old one."""
    sums: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for side, rows in enumerate((pair.new, pair.old)):
        for row in rows:
            for line in read_tab_lines(f"{row.get('profile')}.cpu.folded"):
                stack, us = line.rsplit(" ", 1)
                role, _, frames = stack.partition(";")
                if role != "harness":
                    frames = re.sub(r"\.so[.0-9]*\]", "]", frames or role)
                    sums[frames][side] += float(us) / (row_calls(row) or 1) / len(rows)
    return [f"{stack}\t{new:.9g}\t{old:.9g}" for stack, (new, old) in sorted(sums.items())]


TABLE = ("name", "function", "library", "caller", "sampling_errors", "old_runs", "old_us_per_op",
         "new_runs", "new_us_per_op", "difference", "low", "high", "p", "p_corrected")


def write_explanation(explanation: Explanation, directory: str, names: Sequence[str]) -> None:
    os.makedirs(directory, exist_ok=True)
    functions = [one.as_json() for one in sorted(explanation.differences, key=_explain_order)
                 if one.key != ALL]
    write_tsv(os.path.join(directory, "functions.tsv"),
              [TABLE, *([one[column] for column in TABLE] for one in functions)])
    for pair in explanation.pairs:
        title = f"{pair.name}: CPU time per operation, {names[0]} -> {names[1]}"
        graph = re.sub("-+", "-", re.sub("[, /]", "-", pair.name))
        with open(os.path.join(directory, graph + ".svg"), "w", encoding="utf-8") as file:
            subprocess.run(
                ["awk", "-v", "hue=change", "-v", f"title={title}", "-f", FLAMEGRAPH],
                input="".join(line + "\n" for line in _differential_stacks(pair)), text=True,
                stdout=file, check=True)
