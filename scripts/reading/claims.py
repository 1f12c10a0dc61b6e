"""The claims of publications, for claims.sh.

Claims are functions in jq, scripts/repro/claims, written with scripts/repro/claims.jq. This module
prepares the rows that they judge, starts jq once for each side, writes the figures in their texts,
and makes a verdict of the answers.
"""
from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from . import claim_verdicts, text
from .claim_verdicts import Answers, Claim, ClaimAnswer, Judged, JudgedRun, Verdict, View
from .command import SCRIPTS, fail
from .points import Points, as_points
from .publications import prepared_for_claims, published_rows
from .published import findings
from .published_tables import Tables, Unreadable
from .rows import distinct, read_rows, unique
from .tab_files import tab_cells

HELP = """usage: scripts/claims.sh [--json] ROWS.json [DOCUMENT]
       scripts/claims.sh [--json] --published [DOCUMENT]

Checks the claims of six published benchmarks, such as "LMDB reads fastest", by the publication's
own numbers (results/published), and by a repetition of the benchmark on this machine (ROWS.json,
made by scripts/repro/*.sh). Prints a Markdown table for each publication: the claim; whether it is
in the text or read off a table; the verdicts by the published numbers and by those measured here;
the numbers that decide, or why it is undecided.

Repeated runs are judged by their medians, and round by round. A claim is undecided if rounds
differ, or if it says which engine is faster and there are fewer than three rounds. Rows that
were measured while the hypervisor took more than 3 % of the CPU decide only claims about counts
and sizes.

DOCUMENT is the publication whose claims are checked: symas-2014, symas-2018, voron-2013,
bangdb-2012, unum-2022 or redb-2025 [those that ROWS.json has rows of].

--json       JSON lines: id, document, kind, place, text, rule, tolerance, published and ours, each
             {verdict: "holds", "fails", "depends" or "open", numbers, reason, rounds, parts}
--scale=S    scale at which the rows were measured; rows of small decide nothing
--published  check the published numbers only
--rows       print the published numbers of DOCUMENT as rows with our column names, JSON lines
--tables     print every table of results/published, as one JSON object
--ids        print the ids of all claims, and what can decide them

Claims are functions in scripts/repro/claims; docs/publications.md explains how to write one.
Exit status: 0 whatever the verdicts; 1 a claim, a row or a table of results/published cannot be
read; 2 wrong arguments, or no ROWS.json."""

REPRO = os.path.join(SCRIPTS, "repro")


# ---- the figures in claims' texts, which claims.jq marks

_FORMS = {"show": text.compact, "three": text.three}
_MARK = re.compile("\x02([a-z]+)([0-9]*) ([^\x03]*)\x03")


def _claim_figure(mark: re.Match[str]) -> str:
    form, places, figure = mark.groups()
    value = json.loads(figure)
    return text.number(text.round_to(int(places), value)) if places else _FORMS[form](value)


def _claim_figures(value: Any) -> Any:
    if isinstance(value, str):
        return _MARK.sub(_claim_figure, value) if "\x02" in value else value
    if isinstance(value, list):
        return [_claim_figures(member) for member in value]
    if isinstance(value, dict):
        return {key: _claim_figures(member) for key, member in value.items()}
    return value


# ---- asking jq

class ClaimsFile(NamedTuple):
    """A file of claims, and the ids that it defines."""

    document: str
    path: str
    ids: list[str]

    @property
    def name(self) -> str:
        return re.sub("[^a-z0-9]", "_", self.document)


def _claims_files(documents: Iterable[str]) -> list[ClaimsFile]:
    """Of those documents that have claims; a claim's id is its name."""
    modules = []
    for document in documents:
        path = os.path.join(REPRO, "claims", document + ".jq")
        if os.path.exists(path):
            with open(path, encoding="utf-8", errors="surrogateescape") as file:
                ids = re.findall("^def ([A-Z][0-9][0-9]*):", file.read(), re.MULTILINE)
            modules.append(ClaimsFile(document, path, ids))
    ids = [id for module in modules for id in module.ids]
    twice = unique(id for id in ids if ids.count(id) > 1)
    if twice:
        fail(1, f"claims with the same id: {' '.join(twice)}")
    return modules


def _claims_program(modules: Sequence[ClaimsFile]) -> str:
    """Every claim, each for itself: of an object of rows by document a list of answers."""
    imports = [f'import "{module.document}" as {module.name};' for module in modules]
    claims = [f'{{id: "{id}", document: "{module.document}"}} +'
              f' ({{rows: (.["{module.document}"] // [])}} | {module.name}::{id})'
              for module in modules for id in module.ids]
    return "\n".join([*imports, "[", ",\n".join(claims), "]"])


class ClaimAsker:
    def __init__(self, tables: Tables, documents: Iterable[str]) -> None:
        if not shutil.which("jq"):
            fail(1, "jq is not installed; apt install jq")
        self.tables = tables
        self.modules = _claims_files(documents)

    def ask(self, side: str, views: Sequence[Points]) -> list[list[dict[str, Any]]]:
        """For each view, which is a list of rows, all claims with their answers."""
        found = [finding.as_dict() for finding in findings(self.tables)]
        given = [json.dumps(_rows_by_document(rows)) for rows in views]
        # a view of one round, or where no CPU was taken, is one that was asked already
        views_once = distinct(given)
        with tempfile.TemporaryDirectory(prefix="claims-") as work:
            # jq looks for a module in the current directory, too, and finds there what is not ours
            files = {"tables": [self.tables.tables], "findings": found}
            for name, content in files.items():
                with open(os.path.join(work, name), "w", encoding="utf-8") as file:
                    file.writelines(json.dumps(value) + "\n" for value in content)
            with open(os.path.join(work, "program"), "w", encoding="utf-8") as file:
                file.write(_claims_program(self.modules))
            done = subprocess.run(
                ["jq", "-c", "-L", os.path.join(REPRO, "claims"), "-L", REPRO, "--arg", "side",
                 side, "--slurpfile", "tables", "tables", "--slurpfile", "findings", "findings",
                 "-f", "program"], cwd=work, input="\n".join(views_once), capture_output=True,
                text=True, errors="surrogateescape")
        if done.returncode:
            status = 128 - done.returncode if done.returncode < 0 else done.returncode
            why = done.stderr.splitlines()[:1]
            fail(1, f"a claim cannot be read, jq ended with {status}: {''.join(why)}")
        answers = dict(zip(views_once, map(json.loads, done.stdout.splitlines())))
        return [_claim_figures(answers[view]) for view in given]


def _rows_by_document(rows: Points) -> dict[str, Points]:
    """The valid rows of each document: one that is invalid does not exist for a claim."""
    found: dict[str, Points] = {}
    for row in rows:
        if row.valid:
            found.setdefault(row.document, []).append(prepared_for_claims(row))
    return found


# ---- claims and their answers

def _claim_sources() -> dict[str, list[str]]:
    """Who says a claim, and where: of its id its kind and place."""
    cells = tab_cells(os.path.join(REPRO, "sources.tsv"))
    return {id: [kind, place] for id, kind, place in cells}


def _claim_told(told: dict[str, Any], sources: dict[str, list[str]]) -> Claim:
    id, where = told["id"], told.get("where")
    if where not in ("ours", "published", "both", "neither"):
        fail(1, f"cannot read the claims: {id}: where is {text.as_text(where)}?")
    if where == "neither" and told.get("reason") is None:
        fail(1, f"cannot read the claims: {id} says not why it cannot be decided")
    if id not in sources:
        fail(1, f"cannot read the claims: {id} is not in sources.tsv: who says it, and where?")
    kind, place = sources[id]
    return Claim(id, told["document"], kind, place, told.get("shape", ""), where,
                 told.get("text", ""), told.get("rule"), told.get("tolerance"),
                 told.get("counts") is True, told.get("reason"))


def _claim_answers(told: Sequence[dict[str, Any]]) -> Answers:
    return {claim["id"]: ClaimAnswer.of(claim["answer"]) for claim in told}


def _judged_run(asker: ClaimAsker, rows: Points, scale: str) -> JudgedRun:
    """What our rows answer: all of them, those of each round, and of both those that were measured
    in quiet."""
    numbers = unique(row.repetition for row in rows if row.repetition is not None) or [1]
    views = [rows, *([row for row in rows if row.round == number] for number in numbers)]
    both = [some for view in views for some in
            (view, [row for row in view if not claim_verdicts.was_cpu_taken(row.steal_percent)])]
    told = [_claim_answers(answers) for answers in asker.ask("ours", both)]
    whole, *rounds = [View(every, quiet) for every, quiet in zip(told[::2], told[1::2])]
    return JudgedRun(whole, rounds, len(rows), claim_verdicts.rows_with_cpu_taken(rows), scale)


def judged_claims(tables: Tables, rows: Points | None, document: str = "",
                  scale: str = "default") -> list[Judged]:
    """The claims of a document, or of those that the rows are of; of all, if no rows are given."""
    # jq takes longer to read the claims of all documents than to decide those of one
    of = None if rows is None else {row.document for row in rows}
    asker = ClaimAsker(tables, [document] if document else [
        d.document for d in tables.documents if of is None or d.document in of])
    told = asker.ask("published", [_published_for_claims(tables)])[0]
    sources = _claim_sources()
    claims = [_claim_told(one, sources) for one in told]
    answers = _claim_answers(told)
    run = None if rows is None else _judged_run(asker, rows, scale)
    return [Judged(claim, claim_verdicts.published_verdict(claim, answers),
                   claim_verdicts.our_verdict(claim, run) if run else None)
            for claim in claims]


def _published_for_claims(tables: Tables) -> Points:
    try:
        return published_rows(tables)
    except (ArithmeticError, LookupError, TypeError, ValueError, Unreadable) as error:
        fail(1, f"cannot make rows of the published numbers: {error}")


# ---- as Markdown

def document_heading(title: str) -> str:
    """A title in brackets is not the document's own, but what stands for it."""
    if not title.startswith("("):
        return title
    return title[1:].split(":")[0].removesuffix(")")


def _claim_why(verdict: Verdict) -> str:
    reason = verdict.reason if verdict.verdict == "open" else None
    return ": ".join(said for said in (reason, verdict.numbers) if said)


def _claim_decided_by(one: Judged) -> str:
    there, here = _claim_why(one.published), _claim_why(one.ours) if one.ours else ""
    if there == here:
        return there
    told = [f"{side}: {said}" for side, said in (("there", there), ("here", here)) if said]
    return "<br>".join(told)


def _claims_counted(found: Sequence[Verdict]) -> str:
    holds, fails, depends, undecided = (
        sum(verdict.verdict == word for verdict in found)
        for word in ("holds", "fails", "depends", "open"))
    return (f"{holds} hold, {fails} do not, {depends} depend on a condition, "
            f"{undecided} are undecided")


def _claim_line(one: Judged) -> str:
    claim = one.claim
    rule = f" ({claim.rule})" if claim.rule else ""
    found = [verdict.verdict for verdict in (one.published, one.ours) if verdict]
    words = ["**does not hold**" if word == "fails" else claim_verdicts.CALLED[word]
             for word in found]
    return text.markdown_line([claim.id, claim.text + rule, claim.kind, *words,
                               _claim_decided_by(one)])


def claims_as_markdown(tables: Tables, found: Sequence[Judged]) -> list[str]:
    lines = []
    for document in tables.documents:
        of = [one for one in found if one.claim.document == document.document]
        if not of:
            continue
        here = [one.ours for one in of if one.ours]
        said = sum(one.claim.kind == "said" for one in of)
        columns = ["", "the claim", "said or read off", "there", *(["here"] if here else []),
                   "decided by"]
        lines += [
            f"## {document.author}, {document_heading(document.title)},"
            f" {text.as_text(document.year)}", "",
            f"Of {len(of)} claims {said} are said in the text and {len(of) - said} read off its "
            f"tables. There {_claims_counted([one.published for one in of])}"
            + (f"; here {_claims_counted(here)}." if here else "."), "",
            f"|{'|'.join(f' {column} ' if column else ' ' for column in columns)}|",
            "|" + ":--|" * len(columns),
            *map(_claim_line, of), ""]
    return lines


# ---- claims.sh

@dataclass
class ClaimsAsked:
    mode: str = "ours"
    file: str = ""
    document: str = ""
    scale: str = "default"
    json: bool = False


def _claims_arguments(arguments: Sequence[str]) -> ClaimsAsked:
    asked = ClaimsAsked()
    for argument in arguments:
        if argument == "--json":
            asked.json = True
        elif argument.startswith("--scale=") and argument != "--scale=":
            asked.scale = argument.removeprefix("--scale=")
        elif argument in ("--published", "--rows", "--tables", "--ids"):
            asked.mode = argument.removeprefix("--")
        elif argument.startswith("-"):
            fail(2, f"unknown option {argument}; see --help")
        elif asked.mode == "ours" and not asked.file:
            asked.file = argument
        elif not asked.document:
            asked.document = argument
        else:
            fail(2, f"what is '{argument}'? see --help")
    if asked.mode == "ours" and not asked.file:
        fail(2, "which rows? give a file, or --published; see --help")
    return asked


def rows_for_claims(rows: Points, path: str, document: str) -> Points:
    """Those of the rows of a file that a reproduction has left; rows of no document are of the
    given one."""
    rows = [row.but(document=row.document or document or None) for row in rows]
    rows = [row for row in rows if row.document is not None and row.experiment is not None]
    if not rows:
        fail(1, f"{path} has no rows with document and experiment; "
             "scripts/repro/*.sh leave such ones")
    return rows


def main(arguments: list[str]) -> None:
    asked = _claims_arguments(arguments)
    rows = None
    if asked.mode == "ours":
        rows = rows_for_claims(as_points(read_rows(asked.file)), asked.file, asked.document)
    tables = Tables()
    if asked.mode == "tables":
        print(json.dumps(tables.tables, indent=2, ensure_ascii=False))
        return
    documents = [row.document for row in tables.documents]
    if asked.document and asked.document not in documents:
        fail(2, f"no document '{asked.document}'; there are {', '.join(documents)}")
    if asked.mode == "rows":
        for row in _published_for_claims(tables):
            if asked.document in ("", row.document):
                print(text.as_json(row))
        return
    try:
        found = judged_claims(tables, rows, asked.document, asked.scale)
    except Unreadable as why:
        fail(1, f"cannot read the tables of results/published: {why}")
    for one in found:
        if asked.mode == "ids":
            print(f"{one.claim.id}\t{one.claim.document}\t{one.claim.where}")
        elif asked.json:
            print(text.as_json(one.as_dict()))
    if asked.mode != "ids" and not asked.json:
        print("\n".join(claims_as_markdown(tables, found)))
