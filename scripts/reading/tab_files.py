"""Files of lines with tabs between their cells."""
from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from .command import fail, readable
from .text import as_text

_NUMBER = re.compile(r"-?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?")


def tab_lines_as_they_are(path: str, option: str = "") -> list[str]:
    """The lines of a file; or the end of the script, if it cannot be read, is empty or cut
    short."""
    readable(path, option)
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        text = file.read()
    named = f"{option}: {path}" if option else path
    if not text:
        fail(2, f"{named} is empty")
    if not text.endswith("\n"):
        fail(2, f"{named}: its last line has no end; if it is not cut short, add one")
    return text[:-1].split("\n")


def read_tab_lines(path: str, option: str = "") -> list[str]:
    """The same without the CR of other systems' line ends."""
    return [line.removesuffix("\r") for line in tab_lines_as_they_are(path, option)]


def tab_cells(path: str, option: str = "") -> list[list[str]]:
    return [line.split("\t") for line in read_tab_lines(path, option)]


def read_tab_table(path: str) -> list[dict[str, str]]:
    names, *lines = tab_cells(path)
    return [dict(zip(names, line)) for line in lines]


def tab_number(cell: str) -> float | None:
    """The number of a cell; None of one that is empty or has none."""
    return float(cell) if _NUMBER.fullmatch(cell) else None


def as_tsv(lines: Iterable[Sequence[Any]]) -> str:
    """Lines of cells as the text of such a file; what is not known is empty."""
    return "".join("\t".join("" if cell is None else as_text(cell) for cell in line) + "\n"
                   for line in lines)


def write_tsv(path: str, lines: Iterable[Sequence[Any]]) -> None:
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(as_tsv(lines))
