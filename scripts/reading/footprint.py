"""What engines do unasked, as tables, for footprint.sh.

usage: footprint.sh MEASURED.json NUM COMMITS [TSV]

MEASURED.json has a line for each engine: what its rows, du and /proc told, and why it ended early.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Optional

from .rows import read_json_lines
from .tab_files import write_tsv
from .text import fixed, markdown_table_lines

Measured = dict[str, Any]
Figure = Callable[[Measured], Optional[float]]


def footprint_of(name: str, key: Any, unit: float = 1) -> Figure:
    """A part of what was measured under a name, in a unit; None where it is unknown."""
    def figure(one: Measured) -> float | None:
        part = one.get(name)
        value = None if part is None else part[key]
        return None if value is None else float(value) / unit
    return figure


def footprint_per_commit(name: str, column: str, unit: float = 1) -> Figure:
    """A column for each commit; None where either is unknown."""
    def figure(one: Measured) -> float | None:
        part = one.get(name)
        if part is None or not part["commits"] or part[column] is None:
            return None
        each: float = part[column] / part["commits"] / unit
        return each
    return figure


def footprint_threads(one: Measured) -> float | None:
    """Those of the engine: without the harness's own, which the null engine has, too."""
    part = one.get("idle")
    return None if part is None else float(part["threads"] - one["harness"])


#: column of the TSV, what it is of an engine, digits after the point
FIGURES: tuple[tuple[str, Figure, int], ...] = (
    ("syncs_small", footprint_per_commit("small", "syncs"), 2),
    ("kib_small", footprint_per_commit("small", "device_write_bytes", 1024), 1),
    ("syncs_large", footprint_per_commit("large", "syncs"), 2),
    ("kib_large", footprint_per_commit("large", "device_write_bytes", 1024), 1),
    ("new_apparent_kib", footprint_of("new", 0), 0),
    ("new_allocated_kib", footprint_of("new", 1), 0),
    ("loaded_apparent_mib", footprint_of("loaded", 0, 1024), 1),
    ("loaded_allocated_mib", footprint_of("loaded", 1, 1024), 1),
    ("deleted_open_mib", footprint_of("deleted_open", "run_disk_kb", 1024), 1),
    ("deleted_closed_mib", footprint_of("deleted", 1, 1024), 1),
    ("idle_threads", footprint_threads, 0),
    ("idle_cpu_percent", footprint_of("idle", "bg_cpu_percent"), 1),
    ("idle_anon_mib", footprint_of("idle", "rss_anon_kb", 1024), 0),
    ("idle_file_mib", footprint_of("idle", "rss_file_kb", 1024), 0),
    ("lost_none", footprint_of("killed_none", 0), 0),
    ("lost_async", footprint_of("killed_async", 0), 0),
    ("lost_sync", footprint_of("killed_sync", 0), 0),
)

#: title, headings, columns of FIGURES in each cell
TABLES: tuple[tuple[str, tuple[tuple[str, tuple[str, ...]], ...]], ...] = (
    ("Of a synced commit of one record, in a database of 100 records and in one of {num}: syncs"
     " and KiB that the device wrote:",
     (("small: syncs", ("syncs_small",)), ("KiB", ("kib_small",)),
      ("large: syncs", ("syncs_large",)), ("KiB", ("kib_large",)))),
    ("Files: their length and what they take on the disk. A new database has one record, and a"
     " loaded one {num}; after all are deleted it is measured before and after it is closed:",
     (("new, KiB", ("new_apparent_kib", "new_allocated_kib")),
      ("loaded, MiB", ("loaded_apparent_mib", "loaded_allocated_mib")),
      ("deleted, MiB", ("deleted_open_mib", "deleted_closed_mib")))),
    ("Open and idle, the loaded database: threads of the engine, CPU time of its background threads"
     " in percent of a CPU, memory of its own and of mapped files, MiB. And how many acknowledged"
     " commits were lost by one `kill -9` after a second of overwrites:",
     (("threads", ("idle_threads",)), ("CPU, %", ("idle_cpu_percent",)),
      ("memory", ("idle_anon_mib", "idle_file_mib")), ("lost at none", ("lost_none",)),
      ("async", ("lost_async",)), ("sync", ("lost_sync",)))),
)


def footprint_cell(one: Measured, columns: Sequence[str]) -> str:
    found = [(figure(one), places) for name, figure, places in FIGURES if name in columns]
    return ", ".join("-" if value is None else fixed(places, value) for value, places in found)


def footprint_table(found: Sequence[Measured],
                    headings: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
    lines = [["engine", *(text for text, _ in headings)]]
    for one in found:
        named = one["name"] if "+" in one["name"] else f"{one['engine']} {one['engine_version']}"
        note = "" if one["level"] == "sync" else f" ({one['level']})"
        lines.append([named + note, *(footprint_cell(one, columns) for _, columns in headings)])
    return markdown_table_lines(lines)


def footprint_text(found: Sequence[Measured], num: str, commits: str) -> list[str]:
    lines = [f"{commits} commits, records of 16 + 100 bytes, one thread."]
    measured = [one for one in found if "engine" in one]
    for title, headings in TABLES:
        lines += ["", title.format(num=num), "", *footprint_table(measured, headings)]
    if reasons := [f"- {one['name']}: {one['why']}" for one in found if one["why"] is not None]:
        lines += ["", "Not measured to the end:", "", *reasons]
    return lines


def write_footprint(path: str, found: Sequence[Measured]) -> None:
    first = ("name", "engine", "engine_version", "level")
    lines = ([*map(one.get, first), *(figure(one) for _, figure, _ in FIGURES), one["why"]]
             for one in found)
    write_tsv(path, [[*first, *(name for name, _, _ in FIGURES), "why"], *lines])


def main(arguments: list[str]) -> None:
    measured, num, commits, *into = arguments
    found = read_json_lines(measured)
    for path in into:
        write_footprint(path, found)
    print("\n".join(footprint_text(found, num, commits)))
