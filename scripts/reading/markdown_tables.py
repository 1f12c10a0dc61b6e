"""Tables of reproductions as Markdown: cells of several rounds, and lines of cells."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Union

from .points import Figure, Point, Points, point_figures
from .rows import row_valid
from .stats import median
from .text import as_text, markdown_line, number, round_to, rounded

Form = Callable[[float], str]
#: columns of a table: their names, what rows come to in them, and in what form
Columns = Sequence[tuple[str, Figure, Form]]

ROUNDS = ("Here the median of the rounds and in brackets the least and the most of them; "
          "an exclamation mark: these are more than a factor of two apart.")


def markdown_time(seconds: float) -> str:
    """A time: 0:11:50, or 12.3 s."""
    if seconds < 60:
        return f"{number(round_to(2, seconds))} s"
    minutes, rest = divmod(rounded(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}"


def markdown_percent(x: float) -> str:
    return f"{rounded(x)} %"


def markdown_size(kib: float) -> str:
    """KiB in the largest unit of which there is one: 3.9 GiB."""
    for unit, name in ((1073741824, "TiB"), (1048576, "GiB"), (1024, "MiB"), (1, "KiB")):
        if kib >= unit:
            return f"{number(round_to(2, kib / unit))} {name}"
    return "0"


def markdown_rounds(points: Iterable[Point], figure: Figure, form: Form) -> str:
    """As ROUNDS says. Each figure is made of its own row: none is read off the row that has the
    median of another."""
    values = point_figures(figure, points)
    middle = median(values)
    if middle is None:
        return "-"
    least, most = form(min(values)), form(max(values))
    if least == most:
        return form(middle)
    wide = min(values) > 0 and max(values) > 2 * min(values)
    return f"{form(middle)} ({least}–{most}){' !' if wide else ''}"


def _markdown_cell(value: Any) -> str:
    return "-" if value is None else as_text(value).replace("\n", " ")


class MarkdownTable(NamedTuple):
    """Rows of cells below a header; columns of words, by their numbers, go left."""

    header: list[str]
    rows: list[list[str]]
    left: Sequence[int]

    def lines(self) -> list[str]:
        rule = "|".join(":--" if i in self.left else "--:" for i in range(len(self.header)))
        header, *rows = map(markdown_line, (self.header, *self.rows))
        return [header, f"|{rule}|", *rows, ""]


#: what tables.md has: tables, and lines, of which those that begin with # are headings
Blocks = list[Union[str, MarkdownTable]]


def markdown_lines(blocks: Blocks) -> list[str]:
    return [line for block in blocks
            for line in (block.lines() if isinstance(block, MarkdownTable) else [block])]


def markdown_table(header: Sequence[Any], rows: Iterable[Sequence[Any]],
                   left: Sequence[int] = (0,)) -> Blocks:
    """A table of such cells; "-" stands for what is not known."""
    return [MarkdownTable(list(map(_markdown_cell, header)),
                          [list(map(_markdown_cell, row)) for row in rows], left)]


def markdown_column_names(columns: Columns) -> list[str]:
    return [name for name, _, _ in columns]


def markdown_column_cells(points: Points, columns: Columns) -> list[str]:
    return [markdown_rounds(points, figure, form) for _, figure, form in columns]


def markdown_missing(missing: Iterable[tuple[str, str]], what: str = "engine") -> Blocks:
    return markdown_table([what, "why"], missing, (0, 1))


def markdown_missing_sentence(missing: Iterable[tuple[str, str]]) -> Blocks:
    told = "; ".join(f"{engine} ({reason})" for engine, reason in missing)
    return ["## Not here", "", f"Not here: {told}.", ""] if told else []


def markdown_invalid_rows(rows: Points, columns: Sequence[str]) -> Blocks:
    invalid = [row for row in rows if not row_valid(row.row)]
    if not invalid:
        return []
    names = ["experiment", "engine", *columns[2:], "why"]
    cells = [[row.get(column) for column in (*columns, "invalid_reason")] for row in invalid]
    left = [i for i, name in enumerate(names) if name != "threads"]
    return ["## Invalid rows", "", *markdown_table(names, cells, left)]
