"""The page of a reproduction, for repro/page.sh, and the files beside it."""
from __future__ import annotations

import glob
import json
import math
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from . import claim_verdicts, claims, command, limits, page, publications, text
from .claim_verdicts import Judged
from .claims import REPRO
from .command import fail
from .markdown_tables import Blocks, markdown_lines
from .page import Bar, Chart, Decades, Panels, Picture, Tick
from .points import Point, Points, as_points, point_figures
from .published_tables import Tables, Unreadable
from .report import report_engines, report_facts
from .reproduction_answers import (
    Head,
    LimitChart,
    MultiplesPanel,
    PanelLine,
    Question,
    Reproduction,
    Sweep,
    answer_lines,
)
from .rows import (
    group_rows,
    last_greatest,
    median_row,
    read_rows,
    row_latency,
    row_valid,
    row_warnings,
    unique,
)
from .stats import median
from .summary import NO_ENGINES
from .tab_files import tab_cells

HELP = """usage: scripts/repro/page.sh DIRECTORY

Makes the page of a reproduction, DIRECTORY/report.html, and prints its name. DIRECTORY is the
--out of a script such as redb-2025.sh, with rows.json, meta.json and missing.tsv. The page begins
with the publication's question, its answer and the answer here. Then it has the engines' rates
relative to one engine, published and measured; what limited them; the verdict on each claim,
failures first; and all tables. Each number is the median of the repeated runs. The parts are
also written as asked.md, tables.md, claims.json and claims.md."""

SIGNS = {"holds": "✓ ", "fails": "✗ ", "depends": "≈ ", "open": "? ", "absent": "– "}
# What tells the cells of a reproduction apart, but for the round.
_CELL = (
    "label", "experiment", "benchmark", "threads", "iteration", "storage", "medium", "parts",
    "warm", "x", "side", "num", "durability", "size_gb", "memory_limit_kb", "distribution",
    "value_size", "txn", "batch_size", "cache_bytes", "load_order",
)


# the facts of a report that are told here
_MACHINE = ("CPU", "cores", "memory", "memory limit", "kernel", "file system", "device",
            "read-ahead", "idle memory", "suite", "compiler")


# ---- what the page has

class Apart(NamedTuple):
    """How far rounds differ: of how many points there are several, by how much the best is above
    the worst in their median, and in how many by more than a factor of two."""

    points: int
    median: float
    wide: int


class Limited(NamedTuple):
    """A limit, and the percentage of rows that have it."""

    word: str
    percent: int
    bold: bool


class MultiplesScale(NamedTuple):
    """A logarithmic scale of multiples: decades, 1 among them."""

    of: Decades

    @property
    def decades(self) -> list[int]:
        return list(range(self.of.least, self.of.most + 1))

    def x(self, times: float) -> str:
        return page.page_css_part(self.of.at(times if times > 0 else 1e-9), 1)

    def power(self, decade: int) -> str:
        return self.x(10.0**decade)

    @property
    def ticks(self) -> list[Tick]:
        return [Tick(self.of.at(10.0**decade), f"{10**decade}" if decade >= 0
                     else f"1/{10**-decade}")
                for decade in self.decades if decade in (0, self.of.least, self.of.most)]


def _reproduction_scale(lines: Iterable[PanelLine]) -> MultiplesScale:
    logs = [math.log10(x) for line in lines
            for x in (line.there_times, line.here_times, line.low, line.high) if x and x > 0]
    if not logs:
        return MultiplesScale(Decades(-1, 1))
    least, most = math.floor(min(logs)), math.ceil(max(logs))
    return MultiplesScale(Decades(least if least < 0 else -1, most if most > 0 else 1))


def _reproduction_limit_called(word: str) -> str:
    return "no single limit" if word == limits.NO_LIMIT else limits.limit_called(word)


def _reproduction_limit_bar(rows: Points, figure: Any) -> Bar | None:
    """Of the rows of a label the medians, and what limited most of them; None if nothing is
    known."""
    values = point_figures(figure, rows)
    if not values:
        return None
    row = median_row([row.row for row in rows])
    limited = [limits.limit_of(row.row) for row in rows]
    limit = last_greatest(group_rows(limited, lambda one: one.word), len)[0]._replace(
        cpu=median(one.cpu for one in limited), device=median(one.device for one in limited))
    word = limits.limit_called(limits.limit_or_both(limit.word, limit.cpu, limit.device))
    low, high = (min(values), max(values)) if len(values) > 1 else (None, None)
    p50, p99, p999 = (row_latency(row, quantile) for quantile in ("p50", "p99", "p999"))
    return Bar(Point(row).name, median(values), low, high, p50, p99, p999,
               limit=limit._replace(word=word))


def _reproduction_limit_bars(chart: LimitChart) -> list[Bar]:
    bars = [_reproduction_limit_bar(group, chart.figure)
            for group in group_rows(chart.rows, lambda row: row.name)]
    return sorted((bar for bar in bars if bar), key=lambda bar: -(bar.value or 0))


def _reproduction_blocks(blocks: Blocks) -> tuple[Blocks, list[tuple[str, Blocks]]]:
    """What stands before the first heading, and each heading with what follows it."""
    before: Blocks = []
    parts: list[tuple[str, Blocks]] = []
    for block in blocks:
        if isinstance(block, str) and block.startswith("## "):
            parts.append((block[3:], []))
        else:
            (parts[-1][1] if parts else before).append(block)
    return before, parts


_ORDER = {"fails": 0, "depends": 1, "holds": 2, "open": 3}


@dataclass(frozen=True)
class ReproductionPage:
    """A reproduction as its page shows it: what it found, and what it was made by."""

    directory: str
    meta: dict[str, Any]
    run: Reproduction
    head: Head
    blocks: Blocks

    # ---- the first screen

    @property
    def document(self) -> Point:
        return next(d for d in self.run.tables.documents if d.document == self.meta["document"])

    @property
    def year(self) -> str:
        return text.as_text(self.document.year)

    @property
    def title(self) -> str:
        return f"{claims.document_heading(self.document.title)}, {self.year}: repeated"

    @property
    def when(self) -> str:
        rounds, minutes = text.count(self.meta.get("rounds") or 1, "round"), ""
        if self.meta.get("minutes"):
            minutes = f", {text.rounded(self.meta['minutes'])} minutes"
        return f"{rounds}, {self.meta['date'][:10]}{minutes}"

    @property
    def sentences(self) -> list[str]:
        return [q.sentence for q in self.head.asked if q.sentence is not None][:4]

    @property
    def claims(self) -> list[Judged]:
        return self.run.claims

    def counted(self, side: str, verdict: str) -> int:
        return sum(getattr(one, side).verdict == verdict for one in self.claims)

    def claims_depend(self, side: str) -> str:
        depend = self.counted(side, "depends")
        return f", make {depend} depend on a condition" if depend else ""

    @property
    def read_off(self) -> int:
        return sum(one.claim.kind == "read off" and one.published.verdict == "holds"
                   for one in self.claims)

    @cached_property
    def measured(self) -> Points:
        return [row for row in self.run.rows if row_valid(row.row) and row.engine not in NO_ENGINES]

    @property
    def apart(self) -> Apart:
        factors = []
        for group in group_rows(self.measured, lambda row: [row.get(name) for name in _CELL]):
            rates = [row.ops_per_sec for row in group if (row.ops_per_sec or 0) > 0]
            if len(rates) > 1:
                factors.append(max(rates) / min(rates))
        return Apart(len(factors), (median(factors) or 1) - 1, sum(x > 2 for x in factors))

    @cached_property
    def limit_words(self) -> list[str]:
        return [limits.limit_words(row.row) for row in self.measured]

    @property
    def limited(self) -> list[Limited]:
        groups = group_rows(self.limit_words, lambda word: word)
        found = []
        for group in sorted(groups, key=lambda group: -len(group))[:4]:
            word = "not recorded" if group[0] == "unknown" else _reproduction_limit_called(group[0])
            bold = group[0] != "unknown" and group[0] != limits.NO_LIMIT
            found.append(Limited(word, text.rounded(len(group) / len(self.limit_words) * 100),
                                 bold))
        return found

    @property
    def limits_mean(self) -> list[tuple[str, str]]:
        return sorted({(_reproduction_limit_called(word), means) for word in self.limit_words
                       if (means := limits.limit_means(word))})

    @property
    def rows_told(self) -> str:
        return text.count(len(self.run.rows), "measured row")

    @property
    def invalid(self) -> int:
        return sum(not row_valid(row.row) for row in self.run.rows)

    @property
    def warned(self) -> int:
        return sum(bool(row.warnings) for row in self.run.rows)

    @property
    def short(self) -> int:
        return sum(row_valid(row.row) and (row.seconds or 0) < 1 for row in self.run.rows)

    @property
    def taken(self) -> int:
        return claim_verdicts.rows_with_cpu_taken(self.run.rows)

    @property
    def read_ahead(self) -> str:
        return " or ".join(f"{text.as_text(kib)} KiB" for kib in unique(
            row.read_ahead_kb for row in self.run.rows if row.read_ahead_kb is not None))

    @property
    def has_ties(self) -> bool:
        return any(" tie: " in question.here for question in self.head.asked)

    def _has_word(self, pattern: str) -> bool:
        return any(re.search(pattern, question.word) for question in self.head.asked)

    @property
    def has_factors(self) -> bool:
        return self._has_word("by a (larger|smaller) factor")

    @property
    def has_leads(self) -> bool:
        return self.has_factors or self._has_word("^as there")

    # ---- below it

    @property
    def panels(self) -> list[MultiplesPanel]:
        return [panel for panel in self.head.panels if panel.lines]

    @property
    def reference(self) -> str:
        return self.panels[0].reference if self.panels else ""

    def scale(self, panel: MultiplesPanel) -> MultiplesScale:
        return _reproduction_scale(panel.lines)

    @property
    def limit_charts(self) -> list[tuple[LimitChart, list[Bar]]]:
        charts = ((chart, _reproduction_limit_bars(chart)) for chart in self.head.limits)
        return [(chart, bars) for chart, bars in charts if bars]

    def leads(self, bars: Sequence[Bar]) -> bool:
        """Whether the rounds of the first are above those of the next."""
        low, high = bars[0].low or bars[0].value, bars[1].high or bars[1].value
        return (low or 0) > (high or 0)

    def chart(self, chart: LimitChart, bars: Sequence[Bar]) -> Chart:
        return Chart(bars, chart.unit)

    @property
    def used(self) -> list[tuple[str, str, str]]:
        """The CPU time of all cores, there and here, of each label."""
        if self.head.used is None or not self.head.used[0]:
            return []
        there, here = ({line.label: line.value for line in answer_lines(side)}
                       for side in self.head.used)
        return [(label, *("–" if x is None else text.percent(x / 100)
                          for x in (there.get(label), here.get(label))))
                for label in unique([*there, *here])]

    @property
    def claims_by_verdict(self) -> list[Judged]:
        """Failures first."""
        return sorted(self.claims, key=lambda one: (
            _ORDER[one.ours.verdict if one.ours else "open"], _ORDER[one.published.verdict]))

    def likely(self, one: Judged) -> str | None:
        if one.ours is None or one.ours.verdict not in ("fails", "depends"):
            return None
        reasons = tab_cells(os.path.join(REPRO, "reasons.tsv"))
        return next((said for id, said in reasons if id == one.claim.id), None)

    @property
    def sweeps(self) -> list[Sweep]:
        return [sweep for sweep in self.head.sweeps if sweep.lines]

    def multiples(self, sweep: Sweep) -> Panels:
        return Panels(sweep.xs, sweep.word, [page.Panel(*line) for line in sweep.lines])

    @property
    def introduction(self) -> Blocks:
        return _reproduction_blocks(self.blocks)[0]

    @property
    def tables(self) -> list[tuple[str, Blocks]]:
        return _reproduction_blocks(self.blocks)[1]

    @property
    def pictures(self) -> list[Picture]:
        figures = os.path.join(glob.escape(self.directory), "figures")
        return page.page_pictures([os.path.join(self.directory, "figures", "load-time.svg"),
                                   *sorted(glob.glob(os.path.join(figures, "threads-*.svg")))])

    @property
    def changed(self) -> list[str]:
        return [said for document, said in tab_cells(os.path.join(REPRO, "changed.tsv"))
                if document == self.meta["document"]]

    @property
    def warnings(self) -> list[tuple[str, int]]:
        """The texts of warnings without their figures, and how many rows have each."""
        found = [re.sub("[0-9][0-9.,]*", "…", warning) for row in self.run.rows
                 for warning in row_warnings(row.row)]
        groups = group_rows(found, lambda warning: warning)
        return [(group[0], len(group)) for group in sorted(groups, key=lambda g: -len(g))]

    @property
    def machine(self) -> list[tuple[str, str]]:
        facts = report_facts([row.row for row in self.run.rows])
        return [(heading, "; ".join(unique(texts))) for heading, texts in facts
                if heading in _MACHINE and texts]

    @property
    def engines(self) -> list[tuple[str, str, str]]:
        engines = report_engines([row.row for row in self.run.rows])
        return sorted((name, "; ".join(unique(versions)), "; ".join(unique(builds)))
                      for name, versions, builds, _ in engines)

    @property
    def commands(self) -> list[str]:
        return [text.as_text(row.command) for row in self.run.rows]


# ---- the files

def _reproduction_asked(page: ReproductionPage) -> list[str]:
    def row(question: Question) -> list[str]:
        here = "; ".join(said for said in (question.here, question.here_sure) if said)
        word = f"**{question.word}**: " if question.word else ""
        return [question.asked, question.there, word + here]

    header = ["asked", f"found there, {page.year} (no range or limit recorded)",
              f"found here, {page.meta['date'][:4]}"]
    return [*map(text.markdown_line, (header, [":--"] * 3, *map(row, page.head.asked)))]


def _write_reproduction(directory: str, name: str, lines: Iterable[str]) -> None:
    with open(os.path.join(directory, name), "w", encoding="utf-8",
              errors="surrogateescape") as file:
        file.writelines(line + "\n" for line in lines)


def _read_reproduction(directory: str, meta: dict[str, Any]) -> ReproductionPage:
    """One without a module of its own has rows and claims alone."""
    path, tables = os.path.join(directory, "rows.json"), Tables()
    rows = as_points(read_rows(path))
    of = claims.rows_for_claims(rows, path, meta["document"])
    judged = claims.judged_claims(tables, of, meta["document"], meta["scale"])
    _write_reproduction(directory, "claims.json", (text.as_json(one.as_dict()) for one in judged))
    _write_reproduction(directory, "claims.md", claims.claims_as_markdown(tables, judged))
    missing = [(engine, reason) for engine, reason in
               tab_cells(os.path.join(directory, "missing.tsv"))[1:]]
    run = Reproduction(tables, rows, missing, judged)
    module = publications.publication_module(meta["script"])
    if module is None:
        return ReproductionPage(directory, meta, run, Head([], []), [])
    return ReproductionPage(directory, meta, run, module.head(run), module.tables(run))


def main(arguments: list[str]) -> None:
    command.script = "page.sh"
    if not arguments or not arguments[0]:
        fail(2, "which directory? usage: scripts/repro/page.sh DIRECTORY")
    if arguments[0].startswith("-"):
        fail(2, f"unknown option {arguments[0]}; see --help")
    if len(arguments) > 1:
        fail(2, f"one directory, not {len(arguments)}; see --help")
    directory = arguments[0].removesuffix("/")
    for name in ("rows.json", "meta.json", "missing.tsv"):
        path = os.path.join(directory, name)
        if not os.path.exists(path) or not os.path.getsize(path):
            fail(2, f"no {name} in {directory}; a reproduction leaves one")
    try:
        with open(os.path.join(directory, "meta.json"), encoding="utf-8") as file:
            shown = _read_reproduction(directory, json.load(file))
    except (LookupError, Unreadable, ValueError) as error:
        fail(1, f"the page could not be made of what is in {directory}: {error}")
    _write_reproduction(directory, "tables.md", markdown_lines(shown.blocks))
    _write_reproduction(directory, "asked.md", _reproduction_asked(shown))
    path = os.path.join(directory, "report.html")
    page.write_page(path, page.render_page("reproduction.html", page=shown,
                                           called=claim_verdicts.CALLED,
                                           signs=SIGNS, limits_said=limits.SAID))
    print(path)
