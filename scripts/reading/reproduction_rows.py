"""What a reproduction keeps of its rows, for repro/repro-common.sh.

  SCRIPT rows EXPERIMENT RESULTS.json   rows as the reproduction keeps them, see below
  SCRIPT tsv DIRECTORY                  its rows as TSV, with every column that any row has
  SCRIPT begin DIRECTORY COMMIT COMMAND writes its meta.json
  SCRIPT passed DIRECTORY SECONDS       adds to the minutes in it
  SCRIPT taken DIRECTORY PERCENT        says in it where the hypervisor took more of the CPU

Further arguments are NAME=VALUE: document, scale, rounds, times, ahead, medium, out.

A test whose count of operations is the publication's may take milliseconds. It is run several
`times`, each from the same state, and these runs are one row: counts and times are sums, rates and
percentages those of all their time, other numbers medians. `repeats` says how many they were, and
`repeat_rates` how many operations a second each did.
"""
from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from datetime import datetime, timezone
from typing import Any, NamedTuple

from . import command
from .command import TOP, fail
from .points import Point, Points, as_points
from .rows import (
    distinct,
    group_rows,
    read_json_lines,
    row_groups,
    row_valid,
    row_warnings,
    unique,
)
from .stats import median
from .text import as_json, as_text, plain_json, rounded

# ---- several runs as one row

_SUMMED = re.compile(
    "seconds|ops|entries|reads|writes|scans|bytes|found|missing|wrong|lost|errors|commits|"
    "conflicts|aborts|retries|round_trips|crossings|nand_write_bytes|"
    "(retry|overrun|memory_stall|(server_)?(user|sys)|(fg|bg|harness)_cpu|throttled)_s|"
    "(open|close|settle)_seconds|(quota|throttled)_periods|"
    "ctx_.*|faults_.*|cycles|instructions|(cache|tlb)_misses|fs_(in|out)_blocks|.*syncs|"
    "sync_file_ranges|dsync_writes|device_(reads|writes|flushes|busy_s)|"
    ".*device_(read|write)_bytes|.*io_.*_bytes|io_write_calls")
_OF_TIME = re.compile(".*(_per_sec(_all_in)?|_percent)")


def _repeat_seconds(row: Point, column: str) -> float:
    """The time that a rate or a part of the time is of."""
    seconds: float = row.seconds
    if column.endswith("_all_in"):
        seconds += (row.get("settle_seconds") or 0) + (row.get("close_seconds") or 0)
    return seconds


def _over_repeats(rows: Points, column: str) -> float | None:
    """A column of several runs: of those in which it is known."""
    rows = [row for row in rows if row.get(column) is not None]
    if not rows:
        return None
    values: list[float] = [row[column] for row in rows]
    if _SUMMED.fullmatch(column):
        return sum(values)
    if not _OF_TIME.fullmatch(column):
        return median(values)
    seconds = [_repeat_seconds(row, column) for row in rows]
    if sum(seconds) <= 0:
        return values[0]
    return sum(value * time for value, time in zip(values, seconds)) / sum(seconds)


#: what bench/report/verdict.c warns of a disturbed machine: column, limit, text
_DISTURBANCES = (
    ("steal_percent", 2, "the hypervisor took {} % of the CPU time"),
    ("others_cpu_percent", 10, "other processes and kernel threads used {} % of the CPU time"),
)


def _repeats_warnings(rows: Points) -> str | None:
    """What one row of several runs warns of: the machine's disturbances are those of all of its
    time."""
    begins = tuple(form.split("{}")[0].rstrip() for _, _, form in _DISTURBANCES)
    found = unique(warning for row in rows for warning in row_warnings(row.row)
                   if not warning.startswith(begins))
    for column, limit, form in _DISTURBANCES:
        percent = _over_repeats(rows, column)
        if percent is not None and percent > limit:
            found.append(form.format(rounded(percent)))
    return "; ".join(found) or None


def _repeats_as_row(rows: Points) -> Point:
    """Several runs of a point as one row; an invalid one makes it invalid."""
    if len(rows) == 1:
        return rows[0]
    for row in rows:
        if not row_valid(row.row):
            return row
    columns = distinct(column for row in rows for column in row)
    numbers = {column: _over_repeats(rows, column) for column in columns
               if any(isinstance(row.get(column), (int, float)) for row in rows)}
    return rows[0].but(**numbers, warnings=_repeats_warnings(rows), repeats=len(rows),
                       repeat_rates=[row.ops_per_sec for row in rows])


class ReproductionConditions(NamedTuple):
    """How many runs of a point are one row, and what the reproduction has set: the read-ahead in
    KiB, or 0, and what its devices are."""

    times: int = 1
    ahead: float = 0
    medium: str = ""

    def has_set(self, warning: str, row: Point) -> bool:
        """Whether a warning is of read-ahead, which makes a mapped file read up to that for each
        record, or of the kernel's threads that serve a loop device."""
        if found := re.match("([0-9]+) KiB were read for each record", warning):
            is_set = self.ahead > 0 and row.read_ahead_kb == self.ahead
            return is_set and int(found[1]) <= 1.5 * self.ahead
        return (self.medium == "loop" and (row.others_cpu_percent or 0) <= 25
                and warning.startswith("other processes and kernel threads used"))


def _reproduction_conditions(row: Point, conditions: ReproductionConditions) -> Point:
    """A condition that the reproduction has set is no doubt about a row but a property of it, and
    stands in its notes."""
    warnings = row_warnings(row.row)
    notes = [warning for warning in warnings if conditions.has_set(warning, row)]
    if not notes:
        return row
    warnings = [warning for warning in warnings if warning not in notes]
    return row.but(warnings="; ".join(warnings) or None, notes="; ".join(notes))


def _repeat_warned_if_brief(row: Point) -> Point:
    if not row_valid(row.row) or row.seconds is None or row.seconds >= 1:
        return row
    lasted = f"it lasted {rounded(row.seconds * 1000)} ms, less than a second"
    return row.but(warnings="; ".join([*row_warnings(row.row), lasted]))


def _repeat_key(row: Point) -> tuple[Any, ...]:
    run = re.search("/runs/([^/ ]+)/row[.]json", row.command or "")
    return row.label, re.sub("-r[0-9]+$", "", run[1] if run else ""), row.repetition


def reproduction_rows_kept(rows: Points, conditions: ReproductionConditions) -> Points:
    if conditions.times > 1:
        rows = [row.but(repetition=(row.round - 1) // conditions.times + 1) for row in rows]
        rows = [_repeats_as_row(group) for group in row_groups(rows, _repeat_key)]
    return [_repeat_warned_if_brief(_reproduction_conditions(row, conditions)) for row in rows]


# ---- what repro-common.sh asks for

def _print_reproduction_rows(given: dict[str, str], experiment: str, path: str) -> None:
    """Without the places of this machine."""
    conditions = ReproductionConditions(int(given["times"]), float(given["ahead"]), given["medium"])
    try:
        for row in reproduction_rows_kept(as_points(read_json_lines(path)), conditions):
            shown = Point({"experiment": experiment, "document": given["document"], **row})
            shown["command"] = (row.command or "").replace(
                given["out"], f"results/{_reproduction_name()}")
            if row.engine_build:
                shown["engine_build"] = row.engine_build.replace(TOP + "/", "")
            print(as_json(shown))
    except (ArithmeticError, TypeError, ValueError):
        fail(1, f"cannot read {path}; start it again with another --out")


def _reproduction_name() -> str:
    return command.script.removesuffix(".sh")


def _print_reproduction_tsv(given: dict[str, str], directory: str) -> None:
    rows = read_json_lines(os.path.join(directory, "rows.json"))
    columns = distinct(column for row in rows for column in row)
    print("\t".join(columns))
    for row in rows:
        cells = ["" if row.get(column) is None else as_text(row[column]) for column in columns]
        print("\t".join(re.sub("[\t\n]", " ", cell) for cell in cells))


def _read_meta(directory: str) -> dict[str, Any]:
    """Its meta.json; nothing if there is none that can be read."""
    try:
        with open(os.path.join(directory, "meta.json"), encoding="utf-8") as file:
            return dict(json.load(file))
    except (OSError, TypeError, ValueError):
        return {}


def _write_meta(directory: str, meta: dict[str, Any]) -> None:
    path = os.path.join(directory, "meta.json")
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(plain_json(meta), file, indent=2, ensure_ascii=False)
        file.write("\n")
    os.replace(path + ".new", path)


def _meta_first_match(path: str, pattern: str) -> str:
    with open(path, encoding="utf-8") as file:
        found = re.search(pattern, file.read(), re.MULTILINE)
    return found[1] if found else ""


def _begin_meta(given: dict[str, str], directory: str, commit: str, line: str) -> None:
    """A resumed run keeps the date of its beginning, and must be of the same arguments."""
    before = _read_meta(directory)
    holds = "{document} at scale {scale}, rounds: {rounds}"
    if before and holds.format_map(before) != holds.format_map(given):
        fail(2, f"{directory} holds {holds.format_map(before)}; give the same arguments to resume "
             "it, or another --out")
    system, host, release = os.uname()[:3]
    now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    _write_meta(directory, {
        "document": given["document"], "script": _reproduction_name(), "scale": given["scale"],
        "command": line, "date": before.get("date") or now, "host": host,
        "kernel": f"{system} {release}",
        "cpu": _meta_first_match("/proc/cpuinfo", "^model name[^:\n]*: *(.*)$"),
        "cores": len(os.sched_getaffinity(0)),
        "memory_kb": int(_meta_first_match("/proc/meminfo", "^MemTotal: *([0-9]+)")),
        "commit": commit, "rounds": int(given["rounds"]), "minutes": before.get("minutes")})


def _add_minutes_to_meta(given: dict[str, str], directory: str, seconds: str) -> None:
    meta = _read_meta(directory)
    meta["minutes"] = (meta.get("minutes") or 0) + int(seconds) / 60
    _write_meta(directory, meta)


def _note_taken_in_meta(given: dict[str, str], directory: str, percent: str) -> None:
    rows = [row for row in as_points(read_json_lines(os.path.join(directory, "rows.json")))
            if (row.steal_percent or 0) > float(percent)]
    groups = group_rows(rows, lambda row: (row.experiment, row.repetition))
    _write_meta(directory, {**_read_meta(directory), "taken": [
        {"experiment": group[0].experiment, "round": group[0].round,
         "percent": max(row.steal_percent for row in group)} for group in groups]})


# with how many arguments before those of NAME=VALUE
_DO: dict[str, tuple[Callable[..., None], int]] = {
    "rows": (_print_reproduction_rows, 2), "tsv": (_print_reproduction_tsv, 1),
    "begin": (_begin_meta, 3),
    "passed": (_add_minutes_to_meta, 2), "taken": (_note_taken_in_meta, 2),
}


def main(arguments: Sequence[str]) -> None:
    command.script, what, *others = arguments
    do, count = _DO[what]
    do(dict(argument.split("=", 1) for argument in others[count:]), *others[:count])
