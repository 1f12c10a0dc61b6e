"""Columns that a row's timeline comes to, put into rows, for repro/overtime.sh.

  overtime.sh ROWS.json OVER    prints the rows of ROWS.json with them. OVER has two lines for each
                                run: its row, and the columns, of which lists become medians
"""
from __future__ import annotations

import json
from typing import Any

from .rows import read_rows, row_run_of_sweep
from .stats import median
from .text import as_json


def _timeline_columns(line: str) -> dict[str, Any]:
    return {name: median(value) if isinstance(value, list) else value
            for name, value in json.loads(line).items()}


def main(arguments: list[str]) -> None:
    rows, over = arguments
    with open(over, encoding="utf-8") as file:
        lines = file.read().splitlines()
    found = {row_run_of_sweep(json.loads(row)): _timeline_columns(columns)
             for row, columns in zip(lines[::2], lines[1::2])}
    for row in read_rows(rows):
        print(as_json({**row, **found.get(row_run_of_sweep(row), {})}))
