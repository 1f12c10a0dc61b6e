"""Rows of a results file as a table, for table.sh."""
from __future__ import annotations

import math
import textwrap
from typing import Any

from .command import fail, warn
from .rows import columns_of_row, read_rows, row_get, row_valid
from .text import aligned, as_text, number, round_to, rounded

COLUMNS = (
    "label,benchmark,threads,reads_per_sec,writes_per_sec,read_p50_ns,read_p99_ns,read_p999_ns,"
    "write_p99_ns,write_p999_ns,cpu_percent,rss_kb,harness_ns_per_op"
)
HELP = f"""usage: scripts/table.sh RESULTS.json [COLUMN,COLUMN,...]

Prints the rows of RESULTS.json, a file that bench_NAME --json appends to, as an aligned table of
the given columns; bench_NAME --columns explains all of them. Invalid rows are excluded, and
counted on stderr. Without columns it prints
{textwrap.fill(COLUMNS.replace(",", ", "), 88)}
"""


def table_cell(value: Any) -> str:
    if value is None:
        return "-"
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return as_text(value)
    if abs(value) >= 100 or value == math.floor(value):
        return number(rounded(value))
    return number(round_to(1 if abs(value) >= 1 else 3, value))


def main(arguments: list[str]) -> None:
    if not arguments or not arguments[0]:
        fail(2, "which results? usage: scripts/table.sh RESULTS.json [COLUMN,...]")
    file = arguments[0]
    columns = (arguments[1] if len(arguments) > 1 and arguments[1] else COLUMNS).split(",")
    rows = read_rows(file)
    there = columns_of_row(rows)
    unknown = [column for column in columns if column not in there]
    if unknown:
        fail(2, f"no column {', '.join(unknown)} in {file}")
    invalid = sum(not row_valid(row) for row in rows)
    if invalid:
        warn(f"{invalid} invalid rows left out")
    lines = [[table_cell(row_get(row, column)) for column in columns] for row in rows
             if row_valid(row)]
    print("\n".join(aligned([columns, *lines], lambda column, _: column < 2)))
