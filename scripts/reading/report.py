"""The page of a directory of results, for report.sh."""
from __future__ import annotations

import csv
import json
import math
import os
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from . import page, summary, text
from .command import fail, read_options
from .limits import SAID
from .report_charts import (
    ChartedResult,
    at_a_glance,
    chart_results,
    charts_by_workload,
    glance_answer,
)
from .rows import (
    Row,
    distinct,
    known_row_values,
    read_rows,
    row_get,
    row_groups,
    row_name,
    row_valid,
    row_warnings,
    unique,
)
from .summary import SummaryPoint
from .text import as_text, capitalized, commas, count, counted, listed, number, short, size, three

HELP = """usage: scripts/report.sh DIRECTORY [--title=TEXT]

Writes DIRECTORY/report.html, one self-contained page without scripts for screens, telephones and
print, and prints its name. DIRECTORY has results of scripts/sweep.sh or scripts/storages.sh; for
reproductions, scripts/repro/page.sh makes the page.

The page begins with the answer: who leads at what, by how much, how sure that is, and what limits
it. A chart for each workload and number of threads follows, with latencies, limits and warnings;
then the plots of scripts/plot.sh and the profiles of sweep.sh --profile, if there are any, all
numbers, invalid rows and failed runs with their reasons, the machine, the engines and their builds,
and the command that repeats each row.

  --title=TEXT          title of the page [what was measured]
  --help                this

Exit status: 0 the page was made, 1 otherwise, 2 wrong arguments.
"""

# ---- the top

def _report_title(rows: Sequence[Row]) -> str:
    engines = [row for row in rows if row.get("engine") != "null"]
    plain = all(row.get("label") == row.get("engine") for row in engines)
    sizes, cores = unique(row.get("num") for row in rows), known_row_values(rows, "cores")
    what = counted(len(set(map(row_name, engines))), "engine" if plain else "configuration")
    return "Which is fastest? " + ", ".join([
        what, *(f"{commas(n)} records" for n in sizes if len(sizes) == 1),
        *(counted(n, "core") for n in cores if len(cores) == 1)])


def _report_origin(rows: Sequence[Row], directory: str) -> str:
    times = known_row_values(rows, "time")
    when = " to ".join(distinct(times[:1] + times[-1:]))
    name = os.path.basename(os.path.realpath(directory))
    return " · ".join(filter(None, (f"assay {listed(known_row_values(rows, 'commit'))}", name,
                                    when)))


def _report_conditions(rows: Sequence[Row]) -> list[str]:
    """What the rows share, or all that there is."""
    records = unique(f"records of {as_text(row.get('key_size'))} +"
                     f" {as_text(row.get('value_sizes') or row.get('value_size'))} bytes"
                     for row in rows)
    memory = unique(map(size, known_row_values(rows, "memory_limit_kb")))
    places = unique(f"{row.get('filesystem')} on {as_text(row.get('device'))}"
                    for row in rows if row.get("filesystem") is not None)
    found = [("", records if len(records) == 1 else []),
             ("durability ", known_row_values(rows, "durability")), ("memory limited to ", memory),
             ("", places)]
    return [what + ", ".join(values) for what, values in found if values]


def _report_runs(points: Sequence[SummaryPoint]) -> str:
    """How many runs of each point there are; "" if one."""
    runs = [point.runs for point in points]
    ends = unique([min(runs), max(runs)])
    return "" if ends == [1] else " to ".join(map(str, ends))


def _report_scatter(points: Iterable[SummaryPoint]) -> str:
    cvs = [cv for point in points if (cv := point.result.cv) is not None and cv > 0]
    return " to ".join(distinct(map(text.percent, (min(cvs), max(cvs))))) if cvs else ""


def _report_glance(n: int) -> list[slice]:
    """Columns that stand in one table at a glance: at most seven, all tables nearly as wide."""
    wide = math.ceil(n / math.ceil(n / 7)) if n else 1
    return [slice(start, start + wide) for start in range(0, n, wide)]


# ---- all numbers

def _report_size(value: float) -> str:
    return size(value / 1024)


def _report_percent(value: float) -> str:
    return text.percent(value / 100)


#: a column of rows, its heading, the form of its figures
Column = tuple[str, str, Callable[[Any], str]]

CONDITIONS: list[Column] = [
    ("num", "records", three), ("key_size", "key bytes", three),
    ("value_sizes", "value bytes", three), ("batch_size", "batch", three),
    ("distribution", "keys", three), ("mix", "mix", three), ("scan_length", "range", three),
    ("durability", "durability", three), ("compression", "compression", three),
    ("cache_bytes", "cache", _report_size), ("durability_effective", "durability given", three),
    ("touch", "touch", three), ("memory_limit_kb", "memory", size), ("cold", "cold", three),
    ("target_rate", "target rate", short), ("filesystem", "file system", three),
    ("warm", "warm", three), ("side", "side", three), ("cores", "cores", three),
]


def _report_quantiles(kind: str) -> list[Column]:
    heads = {"p50": "p50", "p90": "p90", "p99": "p99", "p999": "p99.9", "max": "longest"}
    return [(f"{kind}_{quantile}_ns", head, page.page_duration) for quantile, head in heads.items()]


MEASURES: list[tuple[str, list[Column]]] = [
    ("Rate, a second", [
        ("ops_per_sec", "operations", short), ("entries_per_sec", "entries", short),
        ("reads_per_sec", "reads", short), ("writes_per_sec", "writes", short),
        ("ops_per_sec_all_in", "all in", short)]),
    *((f"{what} of a {kind}", _report_quantiles(kind + call)) for kind in ("read", "write", "scan")
      for what, call in (("Latency", ""), ("Response", "_resp"))),
    ("Runs", [
        ("runs", "runs", three), ("cv", "CV", _report_percent), ("seconds", "seconds", three),
        ("target_rate_met", "rate met", three)]),
    ("CPU", [
        ("cpu_us_per_op", "µs an operation", three), ("sys_s", "kernel, s", three),
        ("ctx_voluntary", "switches", short), ("harness_ns_per_op", "harness, ns", three)]),
    ("Memory and space", [
        ("memory_used_kb", "memory", size), ("rss_kb", "resident", size),
        ("db_disk_kb", "on disk", size)]),
    ("Device", [
        ("write_amp", "write amp.", three), ("host_write_amp", "at the device", three),
        ("syncs_per_commit", "syncs a commit", three),
        ("device_reads_per_op", "reads an operation", three),
        ("device_busy_percent", "busy, %", three)]),
]


class Numbers(NamedTuple):
    caption: str
    header: list[str]
    lines: list[list[str]]


def _report_number(row: Row, column: Column) -> str:
    name, _, form = column
    value = row_get(row, name)
    if value is None or value == "":
        return "–"
    return value if isinstance(value, str) else form(value)


def report_numbers(result: ChartedResult) -> list[Numbers]:
    """Conditions where they differ, five a table; measures where there are any."""
    rows: list[Any] = []
    for point in result.table:
        cv = point.result.cv
        # beside servers these are of the client alone
        client = ("cpu_us_per_op", "sys_s", "ctx_voluntary", "rss_kb")
        unknown = dict.fromkeys(client if point.row.get("servers") else ())
        rows.append({**point.row, **unknown, "runs": point.runs,
                     "cv": None if cv is None else cv * 100})

    def differs(column: Column) -> bool:
        return len({row_get(row, column[0]) for row in rows} - {None, ""}) > 1

    def measured(column: Column) -> bool:
        name = column[0]
        return any(row_get(row, name) is not None
                   and (row_get(row, name) or name == "target_rate_met") for row in rows)

    differ = list(filter(differs, CONDITIONS))
    tables = [("Conditions", differ[:5]), ("More conditions", differ[5:10]),
              *((caption, list(filter(measured, columns))) for caption, columns in MEASURES)]
    return [Numbers(caption, ["engine", *(head for _, head, _ in columns)],
                    [[point.label, *(_report_number(row, column) for column in columns)]
                     for point, row in zip(result.table, rows)])
            for caption, columns in tables if columns]


# ---- what lies beside the rows

def _report_run_said_last(run: str) -> str:
    try:
        with open(os.path.join(run, "err.txt"), encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        return "it has not run"
    return (lines or [""])[-1] or "it said nothing"


def _report_has_content(path: str) -> bool:
    return os.path.exists(path) and os.path.getsize(path) > 0


def report_runs_without_row(directory: str) -> list[tuple[str, str]]:
    """Runs of a plan that left no row: those that failed, with what they said last, and those
    that did not run."""
    runs = []
    for path, names, _ in os.walk(directory):
        if os.path.basename(path) == "runs" and path != directory:
            runs += [os.path.join(path, name) for name in names]
            names.clear()
    return [(os.path.relpath(run, directory), _report_run_said_last(run)) for run in sorted(runs)
            if not _report_has_content(os.path.join(run, "row.json"))]


#: plots by their names, the most telling first
PLOTS = ("readers", "probe", "latency", "throughput", "growth", "cpu", "")


def report_plots(directory: str) -> list[page.Picture]:
    plots = os.path.join(directory, "plots")
    names = sorted(os.listdir(plots)) if os.path.isdir(plots) else []
    names = [name for name in names if name.endswith(".svg")]
    ordered = distinct(name for kind in PLOTS for name in names if kind in name)
    return page.page_pictures(os.path.join(plots, name) for name in ordered)


class ShownProfile(NamedTuple):
    heading: str
    us: float
    finding: str
    cautions: list[str]
    lines: list[list[str]]
    graphs: list[page.Picture]


Cells = dict[str, str]


def _report_profile_table(path: str) -> list[Cells]:
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE, restval=""))


def _report_profile_figure(cells: Cells, column: str) -> float | None:
    return float(cells[column]) if cells.get(column) else None


def _report_profile_time(cells: Cells, column: str) -> str:
    us = _report_profile_figure(cells, column)
    return page.page_duration(None if us is None else us * 1000)


def _report_profile(cells: Cells, functions: Sequence[Cells],
                    graphs: list[page.Picture]) -> ShownProfile:
    name = re.sub(r"^\[(.*[.]so.*)\]$", r"functions of \1 without names", functions[0]["function"])
    off_cpu = f"; {_report_profile_time(cells, 'off_cpu_us_per_op')} off CPU"
    samples = _report_profile_figure(cells, "samples") or 0
    cautions = [capitalized(cells["missing"]) + "."] if cells["missing"] else []
    if samples < 500:
        cautions.append(f"{number(samples)} samples: a function of a few percent may be chance.")
    return ShownProfile(
        heading=f"{cells['benchmark']},"
        f" {count(_report_profile_figure(cells, 'threads') or 0, 'thread')}",
        us=_report_profile_figure(cells, "profile_us_per_op") or 0,
        finding=f"{cells['label']}: {_report_profile_time(cells, 'profile_us_per_op')} of CPU an"
        f" operation,"
        f" {text.rounded(_report_profile_figure(functions[0], 'percent') or 0)} % in {name}"
        + (off_cpu if cells["off_cpu_us_per_op"] else ""),
        cautions=cautions,
        lines=[[line["function"], line.get("caller", ""), line["library"], line["role"],
                _report_profile_time(line, "cpu_us_per_op"),
                three(_report_profile_figure(line, "percent")),
                _report_profile_time(line, "with_callees_us_per_op")] for line in functions[:12]],
        graphs=graphs)


def report_profiles(directory: str) -> list[list[ShownProfile]]:
    """Of each engine, workload and number of threads the first; those of one workload and number
    of threads together, the least CPU time first."""
    found = []
    rows = _report_profile_table(os.path.join(directory, "profiles.tsv"))
    for same in row_groups(rows, lambda row: (row["label"], row["benchmark"], row["threads"])):
        path = os.path.join(directory, same[0]["profile"])
        if functions := _report_profile_table(path + ".functions.tsv"):
            graphs = page.page_pictures([path + ".cpu.svg", path + ".off-cpu.svg"], titles=True)
            found.append(_report_profile(same[0], functions, graphs))
    return [sorted(same, key=lambda profile: profile.us)
            for same in row_groups(found, lambda profile: profile.heading)]


# ---- the end of the page: rows, machine, engines

class Invalid(NamedTuple):
    at: int
    label: str
    workload: str
    threads: str
    why: str


def _report_invalid(rows: Iterable[Row]) -> list[Invalid]:
    def workload(row: Row) -> str:
        return ": ".join(unique(filter(None, (row.get("experiment"), row.get("benchmark")))))

    return [Invalid(at, row_name(row), workload(row), as_text(row.get("threads")),
                    row.get("invalid_reason") or "")
            for at, row in enumerate(rows, 1) if not row_valid(row)]


def _report_warnings(rows: Iterable[Row]) -> list[tuple[str, list[int]]]:
    """Each warning once, whatever the figures in it, with the numbers of its rows."""
    warnings = [(at, warning) for at, row in enumerate(rows, 1) for warning in row_warnings(row)]
    found = []
    for same in row_groups(warnings, lambda pair: re.sub("[0-9][0-9.]*", "…", pair[1])):
        alike = ", and the like" if len({warning for _, warning in same}) > 1 else ""
        found.append((same[0][1] + alike, distinct(at for at, _ in same)))
    return found


def report_engines(rows: Iterable[Row]) -> list[tuple[str, list[str], list[str], list[str]]]:
    def values(rows: Sequence[Row], column: str) -> list[str]:
        return distinct(row_get(row, column) or "" for row in rows)

    return [(row_name(same[0]), values(same, "engine_version"), values(same, "engine_build"),
             values(same, "engine_options")) for same in row_groups(rows, row_name)]


def _report_kib(value: float) -> str:
    return f"{number(value)} KiB"


#: the machine and its state: a heading, columns, the form of figures
FACTS: list[tuple[str, tuple[str, ...], Callable[[Any], str]]] = [
    ("workloads", ("benchmark",), as_text),
    ("host", ("host",), as_text),
    ("CPU", ("cpu",), as_text),
    ("cores", ("cores",), as_text),
    ("CPU quota", ("cpu_quota",), as_text),
    ("memory", ("memory_kb",), size),
    ("memory limit", ("memory_limit_kb",), size),
    ("kernel", ("kernel",), as_text),
    ("file system", ("filesystem", "mount_options"), as_text),
    ("device", ("device", "simulated_disk", "io_scheduler"), as_text),
    ("read-ahead", ("read_ahead_kb",), _report_kib),
    ("governor", ("governor",), as_text),
    ("huge pages", ("thp",), as_text),
    ("swappiness", ("swappiness",), as_text),
    ("idle memory", ("idle_reclaim",), as_text),
    ("durability", ("durability",), as_text),
    ("seed", ("seed",), as_text),
    ("suite", ("commit",), as_text),
    ("compiler", ("build",), as_text),
]
#: figures of which the least and the greatest are told
RANGES = (
    ("load before", "load_before", "{0} to {1}"),
    ("CPU of others", "others_cpu_percent", "up to {1} %"),
    ("taken by the hypervisor", "steal_percent", "up to {1} %"),
    ("baseline of the harness", "harness_ns_per_op", "{0} to {1} ns an operation"),
)


def report_facts(rows: Sequence[Row]) -> list[tuple[str, list[str]]]:
    """Each of FACTS with what rows have, each text once."""
    facts = []
    for heading, columns, form in FACTS:
        values = ([row_get(row, column) for column in columns] for row in rows)
        texts = (", ".join(form(v) if isinstance(v, (int, float)) else v for v in row
                           if v not in (None, "")) for row in values)
        facts.append((heading, distinct(filter(None, texts))))
    return facts


def _report_machine(rows: Sequence[Row]) -> list[tuple[str, str]]:
    facts = [(heading, "; ".join(texts)) for heading, texts in report_facts(rows) if texts]
    for heading, column, words in RANGES:
        if figures := known_row_values(rows, column):
            facts.append((heading, words.format(three(min(figures)), three(max(figures)))))
    return facts


# ---- the page

def report_page(directory: str, file: str, title: str) -> str:
    rows = read_rows(file)
    found = summary.summarize(rows)
    common = [cause for cause in found.causes if cause.runs > found.rows / 2]
    results = chart_results(found, [cause.kind for cause in common])
    workloads = charts_by_workload(results)
    points = [point for result in results for point in result.table]
    series = [series for workload in workloads for series in workload.series]
    columns = [result for one in series for result in one.ends if result.ranked]
    return page.render_page(
        "report.html", title=title or _report_title(rows), origin=_report_origin(rows, directory),
        answer=glance_answer(columns), points=points,
        runs=_report_runs(points) if points else "",
        scatter=_report_scatter(points), rows=rows, invalid=_report_invalid(rows),
        failed=report_runs_without_row(directory),
        warned=sum(row_valid(row) and bool(row.get("warnings")) for row in rows),
        conditions=_report_conditions(rows), common=common,
        labels=distinct(point.label for point in points),
        columns=columns, slices=_report_glance(len(columns)), glances=at_a_glance(columns),
        limits_said=SAID, workloads=workloads, plots=report_plots(directory),
        profiles=report_profiles(os.path.join(directory, "profile")),
        numbers=[(result.title, report_numbers(result)) for one in series
                 for result in one.results],
        facts=_report_machine(rows), warnings=_report_warnings(rows),
        engines=report_engines(rows), commands=[row.get("command") or "" for row in rows])


def _is_report_of_reproduction(directory: str) -> bool:
    try:
        with open(os.path.join(directory, "meta.json"), encoding="utf-8") as file:
            return bool(json.load(file).get("document"))
    except (OSError, ValueError, AttributeError):
        return False


def main(arguments: list[str]) -> None:
    given, directories = read_options(arguments, values=["--title"])
    if len(directories) > 1:
        fail(2, f"one directory, not also '{directories[1]}'; see --help")
    if not directories:
        fail(2, "which directory? usage: scripts/report.sh DIRECTORY")
    directory, title = directories[0].rstrip("/"), given.get("--title", "")
    files = [os.path.join(directory, name) for name in ("rows.json", "results.json")]
    file = next(filter(_report_has_content, files), None)
    if file is None:
        fail(2, f"neither rows.json nor results.json in {directory}; sweep.sh makes one")
    if _is_report_of_reproduction(directory):
        if title:
            fail(2, "the page of a reproduction has its publication's title; not --title too")
        script = os.path.join(page.HERE, "..", "repro", "page.sh")
        os.execv(script, [script, directory])
    made = os.path.join(directory, "report.html")
    page.write_page(made, report_page(directory, file, title))
    print(made)
