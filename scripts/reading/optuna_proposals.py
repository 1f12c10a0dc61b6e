"""Proposes settings for tune.sh, by Optuna's tree-structured Parzen estimator, whose Python runs
this file.

usage: optuna_proposals.py SEED TRIALS <levels, then results >proposals

The first lines of standard input are a setting each: its name and its values, with tabs
between them, up to an empty line. Each proposal is a line with the index of a value for
each setting. It is answered by a line: the goal, of which less is better, and by how much
limits are exceeded (0: feasible), or "invalid". Combinations are proposed once. The end of
the output: as many proposals as asked for, or no combination is left.
"""
from __future__ import annotations

import math
import re
import sys
from typing import Any

import optuna

NUMBER = re.compile(r"[0-9.]+([kmg]|[KMG]i)?")

#: names, each with its values
Settings = list[tuple[str, list[str]]]


def read_levels() -> Settings:
    settings = []
    for line in sys.stdin:
        name, *values = line.rstrip("\n").split("\t")
        if not values:
            break
        settings.append((name, values))
    return settings


def propose_levels(trial: Any, settings: Settings) -> tuple[int, ...]:
    """The index of a value of each setting; numbers are in order, names are not."""
    indices = []
    for name, values in settings:
        if len(values) > 2 and all(NUMBER.fullmatch(v) for v in values):
            indices.append(trial.suggest_int(name, 0, len(values) - 1))
        else:
            indices.append(values.index(trial.suggest_categorical(name, values)))
    return tuple(indices)


def ask_for_result(indices: tuple[int, ...]) -> tuple[float, float] | None:
    """The goal, of which less is better, and by how much limits are exceeded; None if the run is
    invalid."""
    print(*indices, sep="\t", flush=True)
    answer = sys.stdin.readline().split()
    if not answer:
        sys.exit(0)
    return None if answer[0] == "invalid" else (float(answer[0]), float(answer[1]))


def tell_study(study: Any, trial: Any, result: tuple[float, float] | None) -> None:
    if result is None:
        study.tell(trial, state=optuna.trial.TrialState.FAIL)
        return
    trial.set_user_attr("exceeded", result[1])
    study.tell(trial, result[0])


def main() -> None:
    seed, trials = int(sys.argv[1]), int(sys.argv[2])
    settings = read_levels()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(
        seed=seed, multivariate=True, warn_independent_sampling=False,
        constraints_func=lambda trial: (trial.user_attrs.get("exceeded", 1.0),)))
    results: dict[tuple[int, ...], tuple[float, float] | None] = {}
    trials = min(trials, math.prod(len(values) for _, values in settings))
    repeated = 0
    # the estimator may insist on what it knows; then nothing new is to be expected
    while len(results) < trials and repeated < 50:
        trial = study.ask()
        indices = propose_levels(trial, settings)
        repeated = repeated + 1 if indices in results else 0
        if indices not in results:
            results[indices] = ask_for_result(indices)
        tell_study(study, trial, results[indices])


if __name__ == "__main__":
    main()
