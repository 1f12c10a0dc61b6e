"""Files of lines with tabs between their cells."""
from __future__ import annotations

from .command import fail, readable


def take_lines(path: str, option: str = "") -> list[str]:
    """The lines of a file, without the CR of other systems' line ends; or the end of the script, if
    it cannot be read, is empty or cut short."""
    readable(path, option)
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        text = file.read()
    named = f"{option}: {path}" if option else path
    if not text:
        fail(2, f"{named} is empty")
    if not text.endswith("\n"):
        fail(2, f"{named}: its last line has no end; if it is not cut short, add one")
    return [line.removesuffix("\r") for line in text[:-1].split("\n")]


def tables(path: str) -> list[dict[str, str]]:
    """The lines of such a file that has a header, as cells by their names."""
    names, *lines = (line.split("\t") for line in take_lines(path))
    return [dict(zip(names, line)) for line in lines]
