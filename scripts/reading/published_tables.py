"""The tables of results/published: what publications printed, as CSV without quotes."""
from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

from .command import SCRIPTS, fail, warn
from .points import Point, Points
from .tab_files import tab_lines_as_they_are

FOLDER = os.path.join(SCRIPTS, "..", "results", "published")
_NUMBER = re.compile("-?[0-9]+([.][0-9]+)?")


class Unreadable(Exception):
    """Something is not in the tables that shall be, or is there twice."""


def _csv_cell(text: str) -> Any:
    if not text:
        return None
    if not _NUMBER.fullmatch(text):
        return text
    return float(text) if "." in text else int(text)


def _csv_faults(path: str, lines: list[str]) -> Iterator[str]:
    fields = len(lines[0].split(","))
    for number, line in enumerate(lines, 1):
        if "\r" in line:
            yield f"{path}:{number}: CR LF ends the line, not LF"
            return
        found = len(line.split(",")) if line else 0
        if found != fields:
            yield f"{path}:{number}: {found} fields, not {fields}"


class Tables:
    def __init__(self, folder: str = FOLDER) -> None:
        if not os.access(os.path.join(folder, "statements.csv"), os.R_OK):
            fail(2, f"no statements.csv in {folder}")
        paths = sorted(os.path.join(folder, name) for name in os.listdir(folder)
                       if name.endswith(".csv"))
        files = {path: tab_lines_as_they_are(path) for path in paths}
        faults = [fault for path, lines in files.items() for fault in _csv_faults(path, lines)]
        if faults:
            for fault in faults[:-1]:
                warn(fault)
            fail(1, faults[-1])
        self.tables: dict[str, Points] = {}
        for path, lines in files.items():
            names = lines[0].split(",")
            self.tables[os.path.basename(path)[:-4]] = [
                Point(zip(names, map(_csv_cell, line.split(",")))) for line in lines[1:]]

    def table(self, name: str) -> Points:
        if name not in self.tables:
            raise Unreadable(f"no table {name}")
        return self.tables[name]

    def where(self, name: str, **columns: Any) -> Points:
        return [row for row in self.table(name)
                if all(row[column] == value for column, value in columns.items())]

    def one(self, name: str, **columns: Any) -> Point:
        """The row of a table whose columns are so, of which there is one."""
        rows = self.where(name, **columns)
        if len(rows) != 1:
            raise Unreadable(f"{len(rows)} rows of {name} where one is meant")
        return rows[0]

    def number(self, statement: str) -> Any:
        """The number of a statement of a document; None if it has none."""
        return self.one("statements", id=statement)["number"]

    @property
    def documents(self) -> Points:
        return self.table("documents")

