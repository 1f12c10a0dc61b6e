"""A timeline and slow calls as a trace, for perfetto.sh.

Its form is Chrome's trace events in JSON. Each run of a workload is a process there, and each of
its threads is a thread. Times are microseconds from the start of the first run.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

from .command import fail, read_options
from .rows import KINDS, distinct, row_groups
from .tab_files import read_tab_table, tab_number
from .text import as_json, count

HELP = """\
usage: scripts/perfetto.sh TIMELINE.tsv [SLOW_CALLS.tsv] >TRACE.json

Prints a trace that ui.perfetto.dev and chrome://tracing open, from the files of bench_NAME
--timeline and --slow_calls_file. Each run of a workload is a process of the trace.

  counters   each column of the timeline that has figures, of all threads, and of each thread its
             operations a second; a column of reads, writes and scans is one counter with each
  slices     each slow call, on the track of its thread, named by its kind and cause, such as
             "write: own_sync"; its arguments have the record's number, and what it waited for

A run begins at the second that the timeline names. Slow calls name their run by that time, workload
and iteration: give the files of one run of the program. Repetitions within a second are one run."""

TIMELINE = ("time", "label", "benchmark", "iteration", "thread", "at_s", "span_s", "ops_per_sec")
SLOW_CALLS = ("benchmark", "iteration", "thread", "kind", "start_ms", "duration_ms", "record",
              "cause", "time")
# what names a row of a timeline or a slow call, or when it was; the rest are figures
NAMES = {*TIMELINE[:-1], "engine", "threads"}
# the track of all threads together; thread N has track N + 1
ALL = 0

Line = dict[str, str]
Event = dict[str, Any]


@dataclass
class PerfettoProcess:
    pid: int
    lines: list[Line]
    began_us: float

    @property
    def threads(self) -> list[str]:
        """Its threads: those of the workload by their numbers, and then background threads."""
        return distinct(line["thread"] for line in self.lines if line["thread"] != "all")

    def event(self, ph: str, name: str, us: float, track: int, args: Event) -> Event:
        """An event so many microseconds after its start; a trace has no time before 0."""
        return {"ph": ph, "name": name, "pid": self.pid, "tid": track,
                "ts": max(0, round(self.began_us + us, 3)), "args": args}

    def names(self) -> Iterable[Event]:
        first = self.lines[0]
        name = f"{first['label']} {first['benchmark']}, iteration {first['iteration']}"
        yield self.event("M", "process_name", 0, ALL, {"name": name})
        for track, thread in enumerate(self.threads, ALL + 1):
            name = f"thread {thread}" if thread.isdigit() else thread
            yield self.event("M", "thread_name", 0, track, {"name": name})


def _perfetto_lines(path: str, columns: Sequence[str], option: str) -> list[Line]:
    """The lines of a file that --timeline or --slow_calls_file wrote; or the end, if it is another
    one."""
    lines = read_tab_table(path)
    if not lines:
        fail(2, f"{path} has no row")
    missing = [column for column in columns if column not in lines[0]]
    if missing:
        fail(2, f"{path} is no file of {option}: it has no column {missing[0]}")
    for number, line in enumerate(lines, 2):
        if len(line) < len(lines[0]):
            fail(2, f"{path}: line {number} is cut short")
    return lines


def _perfetto_figure(line: Line, column: str) -> float:
    number = tab_number(line[column])
    if number is None:
        fail(2, f"'{line[column]}' is no number of {column}")
    return number


def _perfetto_began(time: str) -> float:
    try:
        began = datetime.strptime(time, "%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        fail(2, f"'{time}' is no time of a timeline")
    return began.replace(tzinfo=timezone.utc).timestamp()


def perfetto_processes(lines: Iterable[Line]) -> list[PerfettoProcess]:
    found = row_groups(lines, lambda line: (line["time"], line["label"], line["benchmark"],
                                            line["iteration"]))
    began = [_perfetto_began(run[0]["time"]) for run in found]
    return [PerfettoProcess(pid, run, (second - min(began)) * 1e6)
            for pid, (run, second) in enumerate(zip(found, began), 1)]


def _perfetto_interval(line: Line) -> dict[str, Event]:
    """The figures of an interval, by the names of their counters."""
    if line["thread"] != "all":
        return {f"ops_per_sec of thread {line['thread']}": {
            "ops": _perfetto_figure(line, "ops_per_sec")}}
    found: dict[str, Event] = {}
    for column, cell in line.items():
        number = None if column in NAMES else tab_number(cell)
        kind, _, rest = column.partition("_")
        if number is not None and kind in KINDS:
            found.setdefault(f"{rest} by kind", {})[kind] = number
        elif number is not None:
            found[column] = {column: number}
    return found


def perfetto_counters(run: PerfettoProcess) -> Iterable[Event]:
    """The figures of a run's intervals, each from the start of its interval. The last ones stand
    again at their end, as a counter is drawn from one event to the next."""
    for lines in row_groups(run.lines, lambda line: line["thread"]):
        for line in lines:
            start = max(0, _perfetto_figure(line, "at_s") - _perfetto_figure(line, "span_s"))
            for counter, figures in _perfetto_interval(line).items():
                yield run.event("C", counter, start * 1e6, ALL, figures)
        for counter, figures in _perfetto_interval(lines[-1]).items():
            yield run.event("C", counter, _perfetto_figure(lines[-1], "at_s") * 1e6, ALL, figures)


def perfetto_slow_call(run: PerfettoProcess, call: Line) -> Event:
    """A slow call as a slice: what stands behind its duration in the file are its arguments, but
    for the time of its run."""
    behind = [column for column in [*call][[*call].index("duration_ms") + 1:]
              if column not in NAMES]
    args = {column: call[column] if number is None else number
            for column in behind if call[column] for number in [tab_number(call[column])]}
    event = run.event("X", f"{call['kind']}: {call['cause']}",
                      _perfetto_figure(call, "start_ms") * 1e3,
                      ALL + 1 + int(_perfetto_figure(call, "thread")), args)
    return {**event, "dur": round(_perfetto_figure(call, "duration_ms") * 1e3, 3),
            "cat": "slow call"}


def perfetto_slow_calls(runs: Sequence[PerfettoProcess], calls: Iterable[Line]) -> Iterable[Event]:
    """Slow calls, each in its run; or the end, where that is not one of the timeline's."""
    for call in calls:
        same = [run for run in runs
                if all(run.lines[0][name] == call[name]
                       for name in ("time", "benchmark", "iteration"))]
        if len(same) != 1:
            fail(2, f"the timeline has {count(len(same), 'run')} of {call['benchmark']}, iteration"
                 f" {call['iteration']}, at {call['time']}, where a slow call is of one; give the"
                 " files of one run of the program")
        yield perfetto_slow_call(same[0], call)


def main(arguments: list[str]) -> None:
    _, files = read_options(arguments)
    if len(files) not in (1, 2):
        fail(2, "which timeline? usage: scripts/perfetto.sh TIMELINE.tsv [SLOW_CALLS.tsv]")
    runs = perfetto_processes(_perfetto_lines(files[0], TIMELINE, "--timeline"))
    events = [event for run in runs for event in (*run.names(), *perfetto_counters(run))]
    if len(files) > 1:
        events += perfetto_slow_calls(runs,
                                      _perfetto_lines(files[1], SLOW_CALLS, "--slow_calls_file"))
    print('{"displayTimeUnit":"ms","traceEvents":[\n' + ",\n".join(map(as_json, events)) + "\n]}")
