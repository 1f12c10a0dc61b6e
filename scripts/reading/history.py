"""Metrics over many days, and when they changed, for history.sh.

A history is a file of lines, one for each day or commit: the medians of the runs of one machine,
benchmark, number of threads and setting. The .json beside it describes that setting.
"""
from __future__ import annotations

import fcntl
import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from .command import SCRIPTS, fail, warn
from .environment import pip_environment
from .rows import (
    SETTINGS,
    Row,
    columns_as_key,
    group_rows,
    row_get,
    row_latency,
    row_order,
    row_valid,
    rows_of_results,
    rows_settled,
)
from .stats import median
from .tab_files import read_tab_lines
from .text import as_json, as_text, count, number, or_none, plain_json, round_to, rounded

OTAVA = "0.8.0"
HELP = f"""usage: scripts/history.sh add [--history=FOLDER] [--commit=TEXT] DIRECTORY ...
       scripts/history.sh show [option ...]
       scripts/history.sh check [option ...]

Keeps results over many days and finds when an engine became slower or faster.

add appends results to the history: DIRECTORY is a directory of sweep.sh, or a file of JSON lines.
There is one TSV file for each machine, benchmark, number of threads and setting:
FOLDER/MACHINE/BENCHMARK-THREADSt-LABEL-ID.tsv; the .json next to it describes the setting. The
valid runs of DIRECTORY for such a file become one line of it: their medians and their number.
Results that were added before are skipped and named.

show prints each file's metrics over time, and the commit or version of each change. check names, in
one sentence, the metrics that became slower and have not recovered; before it, files of fewer than
ten lines, which are too short.

  --history=FOLDER      directory of the histories [history]
  --commit=TEXT         add: the engine's own revision, for the column commit [the suite's, as in
                        the rows]
  --metrics=A,B         metrics to check for changes [ops_per_sec,cpu_ns_per_op]; also mean_us,
                        p50_ns, p99_ns, p999_ns, write_amp_all_in, db_disk_kb, peak_rss_kb,
                        syncs_per_commit
  --threshold=PERCENT   ignore smaller changes [1]
  --p-value=P           probability of a false alarm at each line of a history without a change
                        [0.0001]
  --since=TIME          check: ignore changes before this time, or beginning of a time:
                        2026-01-31T12:00:00Z
  --format=NAME         show the last lines: text, json, bmf (Bencher's), github-bigger or
                        github-smaller (github-action-benchmark's) [text]
  --page=DIRECTORY      show: plot each metric of each history over time, as SVG and PNG, with
                        index.html for all
  --otava=PROGRAM       Python interpreter that has apache-otava {OTAVA} [pip installs it into
                        a directory of its own below ${{XDG_CACHE_HOME:-~/.cache}}/assay, which
                        is announced first]
  --help                this

Changes are found by Apache Otava (Hunter's algorithm: change points by E-divisive means, each
held against Student's t). On a shared machine rates are noisy; cpu_ns_per_op is less so.
benchstat reads what bench_NAME --format=gobench prints.
Exit status: 0; check: 1 if a metric became slower; 2 wrong arguments, or no results.
"""

#: columns of a line that tell what may have changed
ABOUT = ("time", "commit", "build", "engine_version", "engine_build", "engine_options", "kernel",
         "runs", "warnings")
#: of them those whose change is told beside a metric's
BLAMED = ("commit", "build", "engine_version", "engine_build", "engine_options", "kernel")
#: figures, with the first of which more is better
METRICS = ("ops_per_sec", "cpu_ns_per_op", "mean_us", "p50_ns", "p99_ns", "p999_ns",
           "write_amp_all_in", "db_disk_kb", "peak_rss_kb", "syncs_per_commit")
# What makes a history another one. Versions, builds and the engine's own account of its options
# may change within one. Of clients only several count, and a quota only if there is one, as older
# histories do not know of them.
OF_HISTORY = ("cpu", "cores", "cpu_quota",
              *(c for c in SETTINGS if c not in ("engine_version", "engine_options")), "label")
#: the fewest lines in which a change is looked for: of five and five it must be some four and a
#: half standard deviations to be one
FEWEST = 10
HEADER = "\t".join(ABOUT + METRICS)


def history_more_is_better(metric: str) -> bool:
    return metric == METRICS[0]


@dataclass
class HistoryOptions:
    """`verb` is add, show or check; `results` are what add is given."""

    verb: str
    history: str = "history"
    metrics: str = "ops_per_sec,cpu_ns_per_op"
    threshold: str = "1"
    p_value: str = "0.0001"
    since: str = ""
    format: str = "text"
    page: str = ""
    otava: str = ""
    commit: str = ""
    results: list[str] = field(default_factory=list)

    @property
    def asked(self) -> list[str]:
        return self.metrics.split(",")


# ---- add


def history_figure(row: Row, metric: str) -> Any:
    """A metric of a row, which may be computed from others."""
    if metric == "cpu_ns_per_op":
        ops, user = row.get("ops") or 0, row.get("user_s")
        if ops <= 0 or user is None:
            return None
        return (user + (row.get("sys_s") or 0)) * 1e9 / ops
    if metric in ("p50_ns", "p99_ns", "p999_ns"):
        return row_latency(row, metric.removesuffix("_ns"))
    return row_get(row, metric)


def _is_history_time(text: Any) -> bool:
    try:
        datetime.strptime(str(text), "%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        return False
    return True


def _why_no_history(row: Row) -> str | None:
    """What no history can hold: a time that is none, by which nothing could be appended any more, a
    host that names no directory of its own, a figure that nothing can have."""
    if not _is_history_time(row.get("time")):
        return (f"has the time {as_json(row.get('time'))}, which is not of the form"
                " 2026-01-31T12:00:00Z")
    host: Any = row.get("host")
    if not isinstance(host, str) or host == "" or host.startswith("."):
        return f"has the host {as_json(host)}, which cannot name a directory"
    for metric in METRICS:
        x = history_figure(row, metric)
        if x is not None and (not isinstance(x, (int, float)) or x < 0):
            return f"has {metric} {as_json(x)}, which is not a number of at least 0"
    return None


def _history_name(name: str) -> str:
    """A name for a file, of which letters, figures and a few signs are left."""
    return re.sub("[^A-Za-z0-9_.+@=-]+", "_", name)


def _history_cell(value: Any) -> str:
    return "" if value is None else re.sub('[\t\r\n"]', " ", as_text(value))


def _history_digits(x: float | None) -> float | None:
    """Without the last digits of a double, which no clock has."""
    return None if x is None else round_to(6, x)


class HistoryEntry(NamedTuple):
    """A line of a history: the median of the runs of one directory."""

    name: str
    of: dict[str, Any]
    time: str
    line: str

    @property
    def path(self) -> str:
        """Without what it ends with, below the directory of histories."""
        return f"{self.name}-{hashlib.sha256(self.described.encode()).hexdigest()[:8]}"

    @property
    def described(self) -> str:
        """What it is of, as JSON whose bytes do not depend on the order of columns."""
        return json.dumps(plain_json(self.of), sort_keys=True, ensure_ascii=False,
                          separators=(",", ":"))


def _history_entry(runs: Sequence[Row]) -> HistoryEntry:
    row = runs[0]
    time = min(run.get("time") or "" for run in runs)
    name = _history_name(
        f"{row.get('benchmark')}-{as_text(row.get('threads'))}t-{row.get('label')}")
    if len({run.get("engine_options") for run in runs}) > 1:
        fail(2, f"runs of {name} differ in their engine's options; give each setting a --label and"
             " measure again")
    of = {c: row_get(row, c) for c in OF_HISTORY
          if (c, row_get(row, c)) not in (("clients", 1), ("cpu_quota", None))}
    about = {**row, "time": time, "runs": len(runs),
             "warnings": sum(bool(run.get("warnings")) for run in runs)}
    figures = [_history_digits(median(history_figure(run, metric) for run in runs))
               for metric in METRICS]
    cells = [*(about.get(c) for c in ABOUT), *figures]
    return HistoryEntry(f"{_history_name(row.get('host') or '')}/{name}", of, time,
                        "\t".join(map(_history_cell, cells)))


def _append_to_history(history: str, entry: HistoryEntry) -> None:
    """One line to its history, which is begun if it is the first."""
    file = os.path.join(history, entry.path + ".tsv")
    os.makedirs(os.path.dirname(file), exist_ok=True)
    if not os.path.exists(file):
        for name, text in ((file.removesuffix(".tsv") + ".json", entry.described), (file, HEADER)):
            with open(name, "w", encoding="utf-8") as new:
                print(text, file=new)
    header, *lines = read_tab_lines(file)
    if header != HEADER:
        fail(2, f"{file} has other columns than this version writes; begin another --history")
    last = lines[-1].split("\t")[0] if lines else ""
    if entry.line in lines:
        warn(f"{file} has the runs of {entry.time} already")
    elif entry.time < last:
        fail(2, f"{file} goes up to {last}, and a run of {entry.time} cannot be appended; add older"
             " runs first")
    else:
        with open(file, "a", encoding="utf-8") as history_file:
            print(entry.line, file=history_file)
        print(file, flush=True)


def add_to_history(options: HistoryOptions) -> None:
    if not options.results:
        fail(2, "which results? usage: scripts/history.sh add DIRECTORY ...")
    rows = [(at, row) for at, results in enumerate(options.results)
            for row in rows_of_results(results)]
    if options.commit:
        for _, row in rows:
            row["commit"] = options.commit
    if invalid := sum(not row_valid(row) for _, row in rows):
        warn(f"{invalid} invalid rows left out")
    rows = [(at, row) for at, row in rows if row_valid(row)]
    for _, row in rows:
        if against := _why_no_history(row):
            fail(2, f"a row of {row.get('benchmark')} {against}; nothing is added")
    if not rows:
        fail(2, f"no valid row in {' '.join(options.results)}")
    of = columns_as_key(("commit", "engine_version", *OF_HISTORY))
    groups = group_rows([(at, rows_settled(row)) for at, row in rows],
                        lambda pair: (pair[0], *of(pair[1])))
    groups.sort(key=lambda group: row_order(group[0][1].get("time")))
    entries = [_history_entry([row for _, row in group]) for group in groups]
    os.makedirs(options.history, exist_ok=True)
    with open(os.path.join(options.history, "lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for entry in entries:
            _append_to_history(options.history, entry)


# ---- histories and their changes


@dataclass
class HistoryChange:
    """Of a metric, at a line by its number from 0: the means before and after, what differs between
    the line and the one before, and whether it is for the worse and has not been made up for."""

    metric: str
    at: int
    before: float
    after: float
    p: float
    percent: float | None
    time: str
    differ: list[dict[str, str]]
    worse: bool
    open: bool = False

    def said(self) -> str:
        differ = ", ".join(
            f"{one['column']} {one['new'] or 'none'} (before: {one['old'] or 'none'})"
            for one in self.differ)
        cause = f"with {differ}" if differ else \
            "without a change of version, commit or setting in the rows"
        return (f"{self.metric} {_history_change_percent(self.percent)}"
                f" ({_history_number(self.before)} to {_history_number(self.after)})"
                f" at {self.time}, {cause}")


@dataclass
class History:
    """What a file holds; `also` is what tells it apart from others of its title."""

    file: str
    of: dict[str, Any]
    lines: list[dict[str, str]]
    also: str = ""
    changes: list[HistoryChange] = field(default_factory=list)

    @property
    def entries(self) -> int:
        return len(self.lines)

    @property
    def last(self) -> dict[str, str]:
        return self.lines[-1]

    @property
    def since(self) -> str:
        return self.lines[0]["time"]

    def plainly(self) -> str:
        of = self.of
        return (f"{of.get('benchmark')}, {count(of.get('threads') or 0, 'thread')},"
                f" {of.get('label')} on {of.get('host')}")

    @property
    def title(self) -> str:
        return self.plainly() + self.also

    def whole(self, asked: Iterable[str]) -> list[str]:
        """Of the metrics asked for those that every line has: a change is looked for in whole
        columns."""
        return [metric for metric in asked if all(line.get(metric) for line in self.lines)]

    def partly(self, asked: Iterable[str]) -> list[str]:
        """Those that some lines have and some lack."""
        return [metric for metric in asked
                if len({bool(line.get(metric)) for line in self.lines}) > 1]


def _history_change_percent(x: float | None) -> str:
    if x is None:
        return "-"
    x = round_to(1, x)
    return f"{'+' if x >= 0 else ''}{number(x)} %"


def _history_number(x: float) -> str:
    return number(rounded(x) if abs(x) >= 1e4 else round_to(2, x))


def _read_history(file: str) -> History | None:
    names, *lines = [line.split("\t") for line in read_tab_lines(file) if line]
    try:
        with open(file.removesuffix(".tsv") + ".json", encoding="utf-8") as described:
            of = json.load(described)
    except (OSError, ValueError) as error:
        fail(2, f"{file}: what it is of cannot be read: {error}")
    return History(file, of, [dict(zip(names, line)) for line in lines]) if lines else None


def histories_in(directory: str) -> list[History]:
    if not os.path.isdir(directory):
        fail(2, f"no directory {directory}; history.sh add begins one")
    pattern = os.path.join(glob.escape(directory), "**", "*.tsv")
    files = sorted(file for file in glob.glob(pattern, recursive=True) if os.path.isfile(file))
    if not files:
        fail(2, f"no history in {directory}; history.sh add begins one")
    found = [history for file in files if (history := _read_history(file))]
    for same in group_rows(found, History.plainly):
        differ = [c for c in OF_HISTORY if len({history.of.get(c) for history in same}) > 1]
        for history in same:
            history.also = "".join(f", {c} {or_none(history.of.get(c))}" for c in differ)
    return sorted(found, key=lambda history: history.file)


def _history_judged(history: History, found: Iterable[dict[str, Any]],
                    threshold: float) -> list[HistoryChange]:
    changes = []
    for one in found:
        before, after = one["before"], one["after"]
        percent = None if before == 0 else (after / before - 1) * 100
        if percent is not None and abs(percent) < threshold:
            continue
        old, new = history.lines[one["at"] - 1], history.lines[one["at"]]
        differ = [{"column": c, "old": old.get(c, ""), "new": new.get(c, "")} for c in BLAMED
                  if old.get(c) != new.get(c)]
        worse = after < before if history_more_is_better(one["metric"]) else after > before
        changes.append(HistoryChange(one["metric"], one["at"], before, after, one["p"], percent,
                                     new["time"], differ, worse))
    changes.sort(key=lambda change: change.at)
    for change in changes:
        change.open = change.worse and not any(_history_made_up_for(change, later, threshold)
                                               for later in changes)
    return changes


def _history_made_up_for(change: HistoryChange, later: HistoryChange, threshold: float) -> bool:
    sign = 1 if history_more_is_better(change.metric) else -1
    return (later.metric == change.metric and later.at > change.at
            and (later.after - change.before) * sign >= -abs(change.before * threshold / 100))


def find_history_changes(histories: Sequence[History], options: HistoryOptions) -> None:
    if unknown := [metric for metric in options.asked if metric not in METRICS]:
        fail(2, f"--metrics: no {', '.join(unknown)}; see --help")
    asked = [[history.file, *metrics] for history in histories
             if (metrics := history.whole(options.asked))]
    if not asked:
        return
    otava = options.otava or pip_environment("apache-otava", OTAVA)
    if not shutil.which(otava):
        fail(2, f"--otava: there is no program {otava}")
    threshold = float(options.threshold)
    given = "".join("\t".join(one) + "\n" for one in asked)
    done = subprocess.run(
        [otava, os.path.join(SCRIPTS, "reading", "otava_changes.py"), options.p_value,
         number(threshold / 100)],
        input=given, capture_output=True, text=True)
    if done.returncode:
        fail(2, f"{otava}: {(done.stderr.splitlines() or ['it said nothing'])[-1]}")
    answers = {one["file"]: one["changes"] for one in map(json.loads, done.stdout.splitlines())}
    for history in histories:
        history.changes = _history_judged(history, answers.get(history.file, []), threshold)


# ---- what is shown


def _too_short_histories(histories: Sequence[History]) -> str | None:
    few = [history for history in histories if history.entries < FEWEST]
    if not few:
        return None
    return (f"too few entries to find a change in {len(few)} of {len(histories)} histories:"
            f" {FEWEST} are needed, and {few[0].file} has {few[0].entries}")


def check_histories(histories: Sequence[History], options: HistoryOptions) -> int:
    """Ends with the one sentence that check has to say."""
    if few := _too_short_histories(histories):
        warn(few)
    if all(history.entries < FEWEST for history in histories):
        return 2
    find_history_changes(histories, options)
    for history in histories:
        if lacking := history.partly(options.asked):
            warn(f"{history.file}: not checked, as some lines lack it: {', '.join(lacking)}")
    found = [(history, change) for history in histories for change in history.changes
             if change.open and change.time >= options.since]
    if not found:
        return 0
    found.sort(key=lambda pair: -abs(pair[1].percent or 0))
    history, change = found[0]
    more = f"; and {len(found) - 1} more, see history.sh show" if len(found) > 1 else ""
    fail(1, f"slower: {history.title}: {change.said()}{more}")


def _history_text(history: History) -> list[str]:
    last = history.last
    cpu = _history_number(float(last["cpu_ns_per_op"])) if last["cpu_ns_per_op"] else "-"
    runs = f"{last['runs']} run{'' if last['runs'] == '1' else 's'}"
    warned = f", {last['warnings']} with warnings" if last["warnings"] != "0" else ""
    lines = [history.title,
             f"  {history.entries} entries from {history.since} to {last['time']}, in"
             f" {history.file}",
             f"  last: {last['ops_per_sec']} operations/s, {cpu} ns of CPU time an operation,"
             f" median of {runs}{warned}"]
    lines += [f"  {'slower' if change.open else 'was slower' if change.worse else 'changed'}:"
              f" {change.said()}" for change in history.changes] or ["  no change"]
    return [*lines, ""]


def _history_metric_number(cell: str | None) -> float | None:
    return float(cell) if cell else None


def _history_bencher(histories: Iterable[History]) -> dict[str, Any]:
    """Bencher Metric Format: {"BENCHMARK": {"MEASURE": {"value": N}}}, of the last line;
    "throughput" and "latency" are its own measures."""
    found = {}
    for history in histories:
        mean = _history_metric_number(history.last.get("mean_us"))
        measures = {"throughput": _history_metric_number(history.last.get("ops_per_sec")),
                    "latency": None if mean is None else mean * 1000}
        measures |= {metric.replace("_", "-"): _history_metric_number(history.last.get(metric))
                     for metric in METRICS if metric not in ("ops_per_sec", "mean_us")}
        found[history.title] = {name: {"value": value} for name, value in measures.items()
                                if value is not None}
    return found


def _history_metric_unit(metric: str) -> str:
    unit = re.search("_(ns|us|kb)(_per_op)?$", metric)
    return "ops/s" if metric == "ops_per_sec" else unit.group(1) if unit else "ratio"


def _history_github(histories: Iterable[History], bigger: bool) -> list[dict[str, Any]]:
    """github-action-benchmark's lists: one of rates, of which more is better, and one of all
    else."""
    return [{"name": f"{history.title}: {metric}", "unit": _history_metric_unit(metric),
             "value": value,
             "extra": f"commit {history.last['commit']}, {history.of.get('engine')}"
             f" {history.last['engine_version']}, median of {history.last['runs']}"}
            for history in histories for metric in METRICS
            if history_more_is_better(metric) == bigger
            and (value := _history_metric_number(history.last.get(metric))) is not None]


def _history_stretches(history: History, metric: str) -> str:
    """For history.gp: a line for each entry of a metric, with the mean of its stretch between two
    changes, and what begins there."""
    changes = [change for change in history.changes if change.metric == metric]
    values = [float(line[metric]) for line in history.lines]
    text = ""
    for at, line in enumerate(history.lines):
        before = [change for change in changes if change.at <= at]
        mean = before[-1].after if before else changes[0].before if changes \
            else sum(values) / len(values)
        begins = _history_change_percent(before[-1].percent) \
            if before and before[-1].at == at else ""
        text += "\t".join(map(_history_cell, (line["time"], line[metric], mean, begins))) + "\n"
    return text


def _history_pictures(history: History, asked: Iterable[str]) -> list[dict[str, str]]:
    name = "-".join(history.file.split("/")[-2:]).removesuffix(".tsv")
    return [{"metric": metric, "file": f"{name}-{metric}.svg"} for metric in history.whole(asked)]


def make_history_page(histories: Sequence[History], options: HistoryOptions) -> None:
    from . import page

    if not shutil.which("gnuplot"):
        fail(2, "gnuplot is not installed; apt install gnuplot-nox")
    os.makedirs(options.page, exist_ok=True)
    sys.stdout.flush()
    shown = []
    for history in histories:
        pictures = _history_pictures(history, options.asked)
        shown.append((history, pictures))
        for picture in pictures:
            with tempfile.NamedTemporaryFile("w", suffix=".tsv") as data:
                data.write(_history_stretches(history, picture["metric"]))
                data.flush()
                drawn = os.path.join(options.page, picture["file"].removesuffix(".svg"))
                script = os.path.join(SCRIPTS, "plot", "picture.sh")
                subprocess.run([script, "history", drawn, history.title, data.name,
                                picture["metric"]], check=True)
    index = os.path.join(options.page, "index.html")
    with open(index, "w", encoding="utf-8") as file:
        print(page.render_page("history.html", histories=shown), file=file)
    print(index)


def show_histories(histories: Sequence[History], options: HistoryOptions) -> None:
    if options.format == "bmf":
        print(as_json(_history_bencher(histories)))
        return
    if options.format.startswith("github-"):
        print(as_json(_history_github(histories, options.format == "github-bigger")))
        return
    find_history_changes(histories, options)
    if options.page:
        make_history_page(histories, options)
    elif options.format == "json":
        for history in histories:
            print(as_json({"file": history.file, "of": history.of, "entries": history.entries,
                           "changes": [*map(vars, history.changes)]}))
    else:
        print("\n".join(line for history in histories for line in _history_text(history)))


# ---- options

FORMATS = ("text", "json", "bmf", "github-bigger", "github-smaller")
#: options by their verbs
OPTIONS = {
    "history": ("add", "show", "check"), "metrics": ("show", "check"),
    "threshold": ("show", "check"), "p_value": ("show", "check"), "since": ("check",),
    "format": ("show",), "page": ("show",), "otava": ("show", "check"), "commit": ("add",),
}


def _history_options(arguments: Sequence[str]) -> HistoryOptions:
    options = HistoryOptions(arguments[0])
    for argument in arguments[1:]:
        name, _, value = argument.removeprefix("--").partition("=")
        name = name.replace("-", "_")
        if argument.startswith("--") and value and options.verb in OPTIONS.get(name, ()) \
                and (name != "format" or value in FORMATS):
            setattr(options, name, value)
        elif argument.startswith("-") or options.verb != "add":
            fail(2, f"cannot read '{argument}' of {options.verb}; see --help")
        else:
            options.results.append(argument)
    for value in (options.threshold, options.p_value):
        if not re.fullmatch(r"[0-9]+([.][0-9]+)?", value):
            fail(2, f"cannot read '{value}'; give a number to --threshold and --p-value")
    return options


def main(arguments: list[str]) -> int:
    if not arguments or not arguments[0]:
        fail(2, "add, show or check? see --help")
    if arguments[0] not in ("add", "show", "check"):
        fail(2, f"cannot read '{arguments[0]}'; give add, show or check, see --help")
    options = _history_options(arguments)
    if options.verb == "add":
        add_to_history(options)
        return 0
    histories = histories_in(options.history)
    if options.verb == "check":
        return check_histories(histories, options)
    show_histories(histories, options)
    return 0
