"""What synced commits cost on file systems, as tables, for filesystems.sh.

usage: filesystems.sh MEASURED.json COMMITS WRITERS [TSV]

MEASURED.json has a line for each file system and writer, or one with the reason why there is none.
WRITERS are lines of a configuration and the shape of its writes. Fails if a writer failed.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .command import fail
from .rows import distinct, read_json_lines
from .tab_files import write_tsv
from .text import fixed, markdown_table_lines

COLUMNS = (
    "file_system", "writer", "commits", "syncs", "device_write_bytes", "device_writes",
    "device_flushes", "row_device_write_bytes", "row_device_writes", "row_device_flushes",
    "apparent_kb", "allocated_kb", "used_kb", "row_db_apparent_kb", "row_db_disk_kb",
    "row_db_preallocated_kb", "engine_version", "why",
)

Measured = dict[str, Any]


def filesystem_differs(found: Iterable[Measured], column: str) -> str:
    """By how many percent the row's column differs from the device's counter at most."""
    pairs = [(one.get("row_" + column), one.get(column)) for one in found]
    return fixed(1, max((abs(ours - theirs) * 100 / max(theirs, 1) for ours, theirs in pairs
                         if ours is not None and theirs is not None), default=0))


def filesystem_written(one: Measured, commits: int) -> str:
    if one.get("device_writes") is None:
        return "none"
    flushes = one.get("device_flushes")
    told = "-" if flushes is None else fixed(1, flushes / commits)
    return f"{fixed(1, one['device_write_bytes'] / one['commits'] / 1024)}, {told}"


def filesystem_space_cell(one: Measured) -> str:
    return f"{fixed(1, one['allocated_kb'] / 1024)}, {fixed(1, one['used_kb'] / 1024)}"


def filesystems_table(found: Sequence[Measured], shapes: dict[str, str], title: str,
                      cell: Callable[[Measured], str]) -> list[str]:
    kinds = distinct(one["file_system"] for one in found)
    lines = [["writer", *kinds]]
    for writer in distinct(one["writer"] for one in found):
        named = f"{shapes[writer]} ({writer.split('+')[0]})" if writer in shapes else f"`{writer}`"
        cells = [next((cell(one) for one in found
                       if (one["file_system"], one["writer"]) == (kind, writer)), "-")
                 for kind in kinds]
        lines.append([named, *cells])
    return ["", title, "", *markdown_table_lines(lines)]


def filesystems_text(found: Sequence[Measured], shapes: dict[str, str], commits: int) -> list[str]:
    lines = []
    if measured := [one for one in found if one.get("commits") is not None]:
        lines += filesystems_table(
            measured, shapes, "KiB that the device wrote for each commit, and its device_flushes:",
            lambda one: filesystem_written(one, commits))
        lines += filesystems_table(
            measured, shapes, "MiB of the closed database: its files (du), all that the file system"
            " uses for it (df):", filesystem_space_cell)
        lines += ["", "The columns of the rows differ from these counters by at most"
                  f" {filesystem_differs(measured, 'device_write_bytes')} % (bytes) and"
                  f" {filesystem_differs(measured, 'device_flushes')} % (flushes)."]
    if reasons := [one for one in found if one.get("why") is not None]:
        lines += ["", "Not measured, or invalid:", ""]
        lines += [f"- {' on '.join(filter(None, (one['writer'], one['file_system'])))}:"
                  f" {one['why']}" for one in reasons]
    return lines


def filesystem_failed(one: Measured) -> bool:
    return one.get("why") is not None and one["file_system"] != "" and one["writer"] != ""


def main(arguments: list[str]) -> None:
    file, commits, writers, *to = arguments
    found = read_json_lines(file)
    shapes = dict(line.split(" ", 1) for line in writers.splitlines() if line)
    for path in to:
        write_tsv(path, [COLUMNS, *([one.get(column) for column in COLUMNS] for one in found)])
    print("\n".join(filesystems_text(found, shapes, int(commits))))
    if any(map(filesystem_failed, found)):
        fail(1, "a writer failed; see the list above")
