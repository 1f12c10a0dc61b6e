"""What pages have in common: their templates, the colours and marks of engines, charts as data.

A page is a template in templates/ that extends page.html and takes its parts, such as a chart or
a table, from parts.html. Modules of pages compute what stands in it and call render(); no module
writes HTML. Texts are escaped by the templates.
"""
from __future__ import annotations

import html
import json
import math
import os
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

from . import text
from .limits import Limit

if TYPE_CHECKING:
    from jinja2 import Environment

HERE = os.path.dirname(os.path.abspath(__file__))

Number = Union[int, float]
Figure = Optional[Number]


# ---- engines

class Colours(NamedTuple):
    """An engine's row of palette.json: its colours on light and dark paper, the shape of its mark
    in pages, and the characters of its points in plots."""

    engine: str
    light: str
    dark: str
    shape: str
    point: Number | str
    hollow: Number | str


@cache
def palette() -> list[Colours]:
    with open(os.path.join(HERE, "..", "plot", "palette.json"), encoding="utf-8") as file:
        return [Colours(**json.loads(line)) for line in file]


@cache
def palette_engine(label: str) -> str:
    """The engine of the palette that a label such as lmdb+readahead=0, leveldb-1.23 or lmdb:xfs
    is of, which may be given by its beginning, such as hyper; "other" if it has none."""
    name = re.sub("[-+:*,].*", "", label)
    for colours in palette():
        if colours.engine == name or (len(name) > 3 and colours.engine.startswith(name)):
            return colours.engine
    return palette()[-1].engine


def palette_is_variant(label: str) -> bool:
    """Whether a label has options or a storage: its mark is hollow, its line dashed."""
    return "+" in label or ":" in label


def page_split_label(label: str) -> tuple[str, str]:
    found = re.match("([^-+:]+)(.*)", label)
    return (found[1], found[2]) if found else (label, "")


# ---- texts

def page_duration(ns: float | None) -> str:
    """Nanoseconds as text.time has them, with the letter µ."""
    return "–" if ns is None else re.sub("us$", "µs", text.time(ns))


_UNIT = re.compile("([0-9]) ((?:[kMG](?:/s)?|/s|×|%|ns|us|µs|ms|s|[KMG]i?B)(?![A-Za-z0-9]))")


def html_sentence(said: str | None) -> str:
    """A sentence as HTML, in which no line ends between a number and its unit, or within a name
    such as lmdb+readahead=0 but before its options."""
    escaped = re.sub("([0-9]) x(?![0-9a-z])", r"\1 ×", html.escape(said or ""))
    escaped = _UNIT.sub("\\1\u00a0\\2", escaped)
    return re.sub("([a-z0-9])[+](?=[a-z])", r"\1<wbr>+", escaped)


def html_unbroken_words(detail: str | None) -> str:
    """The detail of a limit, in which a line ends after a comma only."""
    return re.sub("(?<=[^,]) ", "\u00a0", detail or "")


# ---- scales

def page_css_part(x: float, of: float) -> str:
    """A part of something as a length in CSS: 12.5%."""
    return f"{text.number(text.rounded(x / of * 10000) / 100)}%"


class Tick(NamedTuple):
    """A word on an axis, and where, as a fraction of its length."""

    at: float
    text: str


def _chart_axis_step(most: float) -> float:
    """Steps of 1, 2 or 5 for at most five lines up to a value."""
    ten: float = 10 ** math.floor(math.log10(most / 5))
    return next(step for step in (ten, 2 * ten, 5 * ten, 10 * ten) if step * 5 >= most)


class Decades(NamedTuple):
    """A logarithmic scale between two powers of ten."""

    least: int
    most: int

    def at(self, x: float) -> float:
        return (math.log10(x) - self.least) / (self.most - self.least)

    @property
    def ticks(self) -> list[Tick]:
        """A word at each power of ten, or at each second one of a long scale."""
        powers = [power for power in range(self.least, self.most + 1)
                  if (power - self.least) % 2 == 0 or self.most - self.least < 4]
        return [Tick(self.at(10**power), page_duration(10**power).replace(".0 ", " "))
                for power in powers]


def _chart_decades(values: Iterable[float]) -> Decades | None:
    logs = [math.log10(value) for value in values]
    if not logs:
        return None
    least, most = math.floor(min(logs)), math.ceil(max(logs))
    return Decades(least, most + (least == most))


# ---- bar charts

class Bar(NamedTuple):
    """A line of a chart. A line that has no value has no bar, but a reason, `invalid`.

    low and high are the ends of the whisker; p50, p99 and p999 are in ns; notes are the letters
    of notes below the chart; a bar that is not ranked is not what others are held against. cpu is
    CPU time per operation, in ns, where it is to be shown.
    """

    label: str
    value: Figure = None
    low: Figure = None
    high: Figure = None
    p50: Figure = None
    p99: Figure = None
    p999: Figure = None
    writes: Figure = None
    limit: Limit | None = None
    warnings: Sequence[str] = ()
    notes: Sequence[str] = ()
    invalid: str | None = None
    ranked: bool = True
    cpu: Figure = None

    @property
    def shown(self) -> bool:
        return self.invalid is None and self.value is not None


class Latency(NamedTuple):
    """Where the marks of a bar's latencies stand, as lengths in CSS, and the same in words."""

    told: str
    start: str
    p50: str | None
    p99: str | None
    tail: str | None


@dataclass(frozen=True)
class Chart:
    """Bars, the best first, beside latencies and limits. `unit` is what values count; they are
    in ns and less is better if `time` is true; at `line` there is a dashed line."""

    bars: Sequence[Bar]
    unit: str
    time: bool = False
    line: Figure = None

    @cached_property
    def valid(self) -> list[Bar]:
        return [bar for bar in self.bars if bar.shown]

    @cached_property
    def most(self) -> Number:
        """The value at the right end of the bars."""
        values = [x for bar in self.valid for x in (bar.value, bar.high) if x is not None]
        most = max([*values, self.line or 0], default=0)
        return most if most > 0 else 1

    @cached_property
    def most_writes(self) -> Number:
        return max((bar.writes for bar in self.valid if bar.writes is not None), default=0)

    @cached_property
    def best(self) -> Figure:
        ranked = [bar for bar in self.valid if bar.ranked] or self.valid
        if not ranked or self.time:
            return ranked[0].value if ranked else None
        return max(bar.value for bar in ranked if bar.value is not None)

    @cached_property
    def decades(self) -> Decades | None:
        return _chart_decades(x for bar in self.valid for x in (bar.p50, bar.p99, bar.p999) if x)

    @cached_property
    def step(self) -> str:
        return page_css_part(_chart_axis_step(self.most), self.most)

    @cached_property
    def decade(self) -> str:
        return page_css_part(1, self.decades.most - self.decades.least if self.decades else 1)

    @cached_property
    def ticks(self) -> list[Tick]:
        step = _chart_axis_step(self.most)
        lines = [n * step for n in range(math.floor(self.most * 1.0001 / step) + 1)]
        return [Tick(at / self.most, re.sub("[.]0+ ", " ", self.text(at))) for at in lines]

    def text(self, value: float) -> str:
        return page_duration(value) if self.time else text.short(value)

    def of_best(self, value: float) -> str:
        if not self.best or value == 0:
            return "–"
        return text.times(value / self.best) if self.time else text.percent(value / self.best)

    def latency(self, bar: Bar) -> Latency | None:
        """None if none is known."""
        if self.decades is None or not (bar.p50 or bar.p99 or bar.p999):
            return None
        p50, p99, p999 = (page_css_part(self.decades.at(x), 1) if x else None
                          for x in (bar.p50, bar.p99, bar.p999))
        told = ", ".join(f"{name} {text.time(x)}" for name, x in
                         (("p50", bar.p50), ("p99", bar.p99), ("p99.9", bar.p999)))
        return Latency(told, p50 or "0%", p50, p99, p999 or p99)


# ---- small multiples

@dataclass(frozen=True)
class Panel:
    """A line through points (x, y); a y may be unknown."""

    label: str
    points: Sequence[tuple[Any, Figure]]

    @cached_property
    def known(self) -> list[tuple[Any, Number]]:
        return [(x, y) for x, y in self.points if y is not None]

    @cached_property
    def most(self) -> Number:
        return max((y for _, y in self.known), default=0)


class Word(NamedTuple):
    """A figure in a panel: where, and on which side of that it stands."""

    x: float
    y: int
    anchor: str
    text: str


@dataclass(frozen=True)
class Panels:
    """Small multiples of one scale: a panel for each label. The xs are in their order, and `word`
    says what they count."""

    xs: Sequence[Any]
    word: str
    panels: Sequence[Panel]

    @cached_property
    def most(self) -> Number:
        return max((panel.most for panel in self.panels), default=0) or 1

    def x(self, value: Any) -> float:
        """In percent of a panel's width."""
        return self.xs.index(value) / max(len(self.xs) - 1, 1) * 100

    def y(self, value: float, below: int = 0) -> int:
        """In pixels from the top of a panel."""
        return text.rounded(84 - value / self.most * 66 + below)

    def polyline(self, panel: Panel) -> str:
        """Of a panel's line, in a square of 100."""
        points = [(self.x(x), text.round_to(2, 100 - y / self.most * 100)) for x, y in panel.known]
        return " ".join(f"{text.number(x)},{text.number(y)}" for x, y in points)

    def _word(self, x: Any, y: float, best: float) -> Word:
        falls = x == self.xs[-1] and y < best * 0.9 and y > self.most * 0.3
        at = self.x(x)
        anchor = "start" if at < 20 else "end" if at > 80 else "middle"
        return Word(at, self.y(y, 17 if falls else -8), anchor, text.short(y))

    def words(self, panel: Panel) -> list[Word]:
        """The figures of a panel: the greatest, and of the ends those that are far from it."""
        if not panel.known:
            return []
        best = next(point for point in reversed(panel.known) if point[1] == panel.most)
        at = self.x(best[0])
        points = [*([] if 0 < at < 40 else panel.known[:1]), best,
                  *(panel.known[-1:] if at < 40 else [])]
        return [self._word(x, y, best[1]) for x, y in dict(points).items()]

    def told(self, panel: Panel) -> str:
        return ", ".join(f"{text.as_text(x)} {self.word}: {text.short(y)}" for x, y in panel.known)


# ---- pictures

class Picture(NamedTuple):
    svg: str
    caption: str


def _picture_caption(path: str, name: str) -> str:
    try:
        with open(os.path.join(os.path.dirname(path), "captions.tsv"), encoding="utf-8") as file:
            cells = [line.rstrip("\n").split("\t") for line in file]
    except OSError:
        return name
    return next((cell[1] for cell in reversed(cells) if cell[0] == name and cell[1:]), "") or name


def page_pictures(paths: Iterable[str], titles: bool = False) -> list[Picture]:
    """Those SVG files that there are. Ids, and what refers to them, have a prefix for each file;
    what only a file of its own has is left out, such as a title, but the titles of a flame graph,
    which are the numbers of its frames."""
    found: list[Picture] = []
    for path in paths:
        if not os.path.exists(path) or not os.path.getsize(path):
            continue
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            svg = file.read()
        prefix = f"f{len(found) + 1}-"
        svg = re.sub("(?m)^.*<([?]xml|!DOCTYPE).*\n?", "", svg)
        if not titles:
            svg = re.sub("<title>.*</title>", "", svg)
        svg = re.sub("<desc>.*</desc>| *xmlns[:a-z]*=\"[^\"]*\"", "", svg)
        svg = re.sub("( id=[\"']|href=[\"']#|url\\(#)", rf"\g<1>{prefix}", svg)
        name = os.path.basename(path).removesuffix(".svg")
        found.append(Picture(svg, _picture_caption(path, name)))
    return found


# ---- pages

@cache
def _templates() -> Environment:
    # imported here, as a script that only prints its help does without it
    from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FileSystemLoader(os.path.join(HERE, "templates")), autoescape=True,
        trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    # to compile the templates takes longer than to make a page
    compiled = os.path.join(HERE, "__pycache__")
    if os.access(compiled, os.W_OK) and not sys.dont_write_bytecode:
        environment.bytecode_cache = FileSystemBytecodeCache(compiled, "%s.template")
    environment.globals["palette"] = palette()
    environment.filters.update(
        engine=palette_engine, split_label=page_split_label, duration=page_duration,
        part=page_css_part, sentence=lambda said: Markup(html_sentence(said)),
        one_line=lambda lines: Markup(re.sub("[ \n]+", " ", lines).strip()),
        whole_words=html_unbroken_words, number=text.number, said=text.as_text, short=text.short,
        commas=text.commas, three=text.three, percent=text.percent, times=text.times,
        factor=text.factor, time=text.time, size=text.size, rough=text.rough, counted=text.counted,
        capitalized=text.capitalized)
    environment.tests["variant"] = palette_is_variant
    return environment


def render_page(template: str, **data: Any) -> str:
    return _templates().get_template(template).render(**data)


def write_page(path: str, page: str) -> None:
    """A page, whole or not at all."""
    new = f"{path}.{os.getpid()}"
    with open(new, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(page + "\n")
    os.replace(new, path)
