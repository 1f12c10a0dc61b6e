"""Figures and tables as texts: every form of a figure once.

Figures are rounded half away from zero, as readers do. None is what is not known.
"""
from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from typing import Any, Union

Number = Union[int, float]


def rounded(x: float) -> int:
    """The nearest whole number, halves away from zero."""
    whole = math.floor(abs(x))
    whole += abs(x) - whole >= 0.5
    return int(math.copysign(whole, x))


def round_to(places: int, x: float) -> float:
    """Rounded to so many digits after the point."""
    unit: int = 10**places
    return rounded(x * unit) / unit


def number(x: float) -> str:
    """All digits of a number: 20000, 0.1, 1e+17."""
    if x != x or math.isinf(x):
        return "null" if x != x else number(math.copysign(1.7976931348623157e308, x))
    x = float(x)
    if not x.is_integer():
        return repr(x)
    if abs(x) < 1e15:
        return ("-0" if math.copysign(1, x) < 0 else "0") if x == 0 else str(int(x))
    # as long as at most 15 zeros follow its digits
    zeros = int(Decimal(repr(x)).normalize().as_tuple().exponent)
    return str(int(x)) if zeros <= 15 else repr(x)


def as_text(value: Any) -> str:
    """A value of a row as a text: of a text itself, of anything else its JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return number(value)
    return as_json(value)


def or_none(value: Any) -> str:
    """The same, and of what is not known "none"."""
    return "none" if value is None or value is False else as_text(value)


def plain_json(value: Any) -> Any:
    """The same value, with whole numbers as integers, as other readers of JSON write them."""
    if isinstance(value, float):
        if value != value:
            return None
        return int(value) if value.is_integer() and abs(value) < 1e17 else value
    if isinstance(value, dict):
        return {key: plain_json(member) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_json(member) for member in value]
    return value


def as_json(value: Any) -> str:
    return json.dumps(plain_json(value), ensure_ascii=False, separators=(",", ":"))


def commas(x: float | None) -> str:
    """A whole number with commas: 1,234,567."""
    return "-" if x is None else f"{rounded(x):,}"


def three(x: Any) -> str:
    """Three digits that count, as a person reads them: 12,345, 123, 12.3, 0.012."""
    if x is None:
        return "-"
    if isinstance(x, str):
        return x
    size = abs(x)
    if size >= 100:
        return commas(x)
    if x == 0:
        return "0"
    return number(round_to(1 if size >= 10 else 2 if size >= 1 else 3 if size >= 0.01 else 5, x))


def fixed(places: int, x: float) -> str:
    """With so many digits after the point, also if they are zeros: 1.90."""
    if x < 0:
        return "-" + fixed(places, -x)
    if places == 0:
        return number(rounded(x))
    whole, rest = divmod(rounded(x * 10**places), 10**places)
    return f"{whole}.{rest:0{places}d}"


def digits(x: float) -> str:
    """Three digits: 7.88, 93.5, 935."""
    return fixed(0 if abs(x) >= 99.95 else 1 if abs(x) >= 9.995 else 2, x)


def rough(x: float) -> str:
    """Two digits below 10, such as 9.8 and 1.0, and no fraction above."""
    return "0" if x == 0 else fixed(1 if abs(x) < 9.95 else 0, x)


def short(x: float | None) -> str:
    """With what it is counted in: 7.88 M, 935 k, 101."""
    if x is None:
        return "-"
    for least, unit, letter in ((999.5e6, 1e9, "G"), (999.5e3, 1e6, "M"), (999.5, 1e3, "k")):
        if abs(x) >= least:
            return f"{digits(x / unit)} {letter}"
    return number(x) if x == math.floor(x) else digits(x)


def compact(x: Any) -> str:
    """The same without a blank, and in sentences: 1.82M, 44.2k, 0.95."""
    if x is None:
        return "-"
    if isinstance(x, str):
        return x

    def few(y: float) -> str:
        return number(round_to(0 if abs(y) >= 100 else 1 if abs(y) >= 10 else 2, y))

    for least, unit, letter in ((1e9, 1e9, "G"), (1e6, 1e6, "M"), (1e4, 1e3, "k")):
        if abs(x) >= least:
            return few(x / unit) + letter
    return few(x)


def time(ns: float | None) -> str:
    """Nanoseconds: 71 ns, 1.9 us, 24 us, 1.7 ms."""
    if ns is None:
        return "-"
    for least, unit, name in ((999.5e6, 1e9, "s"), (999.5e3, 1e6, "ms"), (999.5, 1e3, "us")):
        if ns >= least:
            return f"{rough(ns / unit)} {name}"
    return f"{rough(ns)} ns"


def percent(x: float | None) -> str:
    """A fraction: 31 %, 9.8 %, 0.25 %."""
    if x is None:
        return "-"
    x *= 100
    return f"{number(round_to(2, x)) if abs(x) < 0.995 else rough(x)} %"


def times(x: float) -> str:
    """How many times as much: 4.1 x, 1/49."""
    if x >= 0.995:
        return f"{rough(x)} x"
    return f"1/{rough(1 / x) if 1 / x < 9.95 else number(rounded(1 / x))}"


def factor(x: float) -> str:
    """The same, a near thing with two digits: 1.02 x, 0.96 x."""
    return f"{fixed(2, x)} x" if 0.905 < x < 1.095 else times(x)


def size(kib: float) -> str:
    """KiB, in whatever fits."""
    if kib >= 1048576:
        return f"{three(kib / 1048576)} GiB"
    return f"{three(kib / 1024)} MiB" if kib >= 1024 else f"{three(kib)} KiB"


def plain(x: float | None) -> str:
    """As it is said: 1234, 123.4, 12.34."""
    if x is None:
        return "nothing"
    return number(round_to(0 if abs(x) >= 1000 else 1 if abs(x) >= 100 else 2, x))


def count(n: float, what: str) -> str:
    """How many of what: 1 row, 3 rows."""
    return f"{number(n)} {what}{'' if n == 1 else 's'}"


def counted(n: float, what: str) -> str:
    """The same with commas: 1,200 rows."""
    return f"{commas(n)} {what}{'' if n == 1 else 's'}"


def listed(words: Sequence[str]) -> str:
    """At most three of them: a, b and c; a, b, c and 2 more."""
    if len(words) > 3:
        words = [*words[:3], f"{len(words) - 3} more"]
    return "".join(words) if len(words) < 2 else f"{', '.join(words[:-1])} and {words[-1]}"


def capitalized(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def aligned(lines: Sequence[Sequence[str]],
            left: Callable[[int, int], bool] = lambda column, last: column in (0, last)
            ) -> list[str]:
    """Cells as lines: a column for which left(column, the last one) is true begins on the
    left, the others end on the right."""
    if not lines:
        return []
    last = len(lines[0]) - 1
    widths = [max(len(line[column]) for line in lines) for column in range(last + 1)]

    def cell(column: int, text: str) -> str:
        width = widths[column]
        return text.ljust(width) if left(column, last) else text.rjust(width)

    return ["  ".join(cell(*pair) for pair in enumerate(line)).rstrip(" ") for line in lines]


def markdown_line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def markdown_table_lines(lines: Sequence[Sequence[str]]) -> list[str]:
    """Lines of cells, the first of which is the head, as a table in Markdown."""
    head, *others = map(markdown_line, lines)
    return [head, f"|{'---|' * len(lines[0])}", *others]


def fold(line: str, width: int) -> list[str]:
    """A line in lines of at most that width, ending at blanks where there are any."""
    parts = []
    while len(line) > width > 0:
        end = line.rfind(" ", 0, width) + 1 or width
        parts.append(line[:end].rstrip(" "))
        line = line[end:]
    return [*parts, line.rstrip(" ")]
