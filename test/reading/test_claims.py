"""Claims: which rows are asked, what is read of the answers, and what is told."""
import pytest
from reading import claims
from reading.claim_verdicts import Claim, Judged, Verdict
from reading.command import Failure
from reading.points import as_points


def row(number, document="d", steal=0, **columns):
    return {"benchmark": "b", "valid": 1, "document": document, "experiment": "e", "n": number,
            "steal_percent": steal, **columns}


class Asker:
    """Answers each view with its rows."""

    def ask(self, side, views):
        self.side = side
        return [[{"id": "T", "answer": {"rule": "all", "parts": [
            {"name": None, "holds": True, "numbers": [one["n"] for one in view]}]}}]
            for view in views]


def numbers(answers):
    return answers["T"].parts[0].numbers


def test_a_run_is_judged_by_all_rows_by_rounds_and_each_also_by_those_of_quiet():
    asker = Asker()
    rows = as_points([row(1, repetition=1), row(2, repetition=1, steal=3.1),
                      row(3, repetition=2, steal=3), row(4, "other", repetition=2, steal=None)])
    found = claims._judged_run(asker, rows, "small")
    assert asker.side == "ours" and found.scale == "small"
    assert (numbers(found.views.every), numbers(found.views.quiet)) == ([1, 2, 3, 4], [1, 3, 4])
    assert [(numbers(one.every), numbers(one.quiet)) for one in found.rounds] == [
        ([1, 2], [1]), ([3, 4], [3, 4])]
    assert (found.rows, found.taken) == (4, 1)


def test_rows_without_repetitions_are_one_round():
    found = claims._judged_run(Asker(), as_points([row(1), row(2)]), "default")
    assert [numbers(one.every) for one in found.rounds] == [[1, 2]]


def test_a_claim_is_asked_valid_rows_of_its_document():
    found = claims._rows_by_document(as_points([row(1), row(2, valid=0), row(3, "other")]))
    assert {document: [one["n"] for one in rows] for document, rows in found.items()} == {
        "d": [1], "other": [3]}


def test_rows_of_a_reproduction_have_a_document_and_an_experiment():
    def kept(*rows, document=""):
        return [(one["n"], one.document)
                for one in claims.rows_for_claims(as_points(rows), "F", document)]
    no_experiment = {key: value for key, value in row(2).items() if key != "experiment"}
    assert kept(row(1), no_experiment, row(3, None)) == [(1, "d")]
    assert kept(row(1), row(3, None), document="x") == [(1, "d"), (3, "x")]
    with pytest.raises(Failure, match="F has no rows with document and experiment"):
        kept(no_experiment)


@pytest.mark.parametrize("told, why", [
    ({"where": "here"}, "T: where is here"), ({}, "T: where is null"),
    ({"where": "neither"}, "T says not why it cannot be decided"),
    ({"where": "ours", "id": "U"}, "U is not in sources.tsv: who says it, and where")])
def test_a_claim_says_where_it_is_decided_and_why_it_is_not(told, why):
    with pytest.raises(Failure, match=why):
        claims._claim_told({"id": "T", "document": "d", **told}, {"T": ["said", "p. 1"]})


def test_a_claim_has_its_source_and_what_it_says_of_itself():
    sources = {"T": ["read off", "table 2"]}
    told = {"id": "T", "document": "d", "where": "both"}
    assert claims._claim_told(told, sources) == \
        Claim("T", "d", "read off", "table 2", "", "both", "", None, None, False, None)
    more = {"where": "neither", "shape": "O", "text": "t", "rule": "r", "tolerance": 2,
            "counts": True, "reason": "why"}
    assert claims._claim_told({**told, **more}, sources) == \
        Claim("T", "d", "read off", "table 2", "O", "neither", "t", "r", 2, True, "why")


def test_figures_of_texts_are_written_in_their_forms():
    assert claims._claim_figures({"a": ["\x02show 1234567\x03 of \x02round1 2.25\x03"], "b": 3}) \
        == {"a": [f"{claims.text.compact(1234567)} of 2.3"], "b": 3}
    assert claims._claim_figures("\x02three 0.123456\x03 ") == f"{claims.text.three(0.123456)} "


@pytest.mark.parametrize("arguments, found", [
    ("rows.json", {"file": "rows.json"}), ("rows.json d", {"file": "rows.json", "document": "d"}),
    ("--published d --json", {"mode": "published", "document": "d", "json": True}),
    ("--scale=small f", {"file": "f", "scale": "small"}), ("--ids", {"mode": "ids"}),
    ("--rows d", {"mode": "rows", "document": "d"}), ("--tables", {"mode": "tables"}),
    ("", "which rows"), ("--json", "which rows"), ("a b c", "what is 'c'"),
    ("--published a b", "what is 'b'"), ("--scale=", "unknown option --scale="),
    ("-x", "unknown option -x")])
def test_arguments(arguments, found):
    if isinstance(found, str):
        with pytest.raises(Failure, match=found):
            claims._claims_arguments(arguments.split())
    else:
        assert claims._claims_arguments(arguments.split()) == claims.ClaimsAsked(**found)


# ---- what is told

class Document:
    document, author, title, year = "d", "Someone", "(a page: of a site)", 2014


class SomeTables:
    documents = (Document,)


def judged(id, published, ours=None, kind="said", **columns):
    return Judged(Claim(id, "d", kind, "p", "O", "both", "a|b", **columns), published, ours)


def verdict(word, numbers="1", reason=None):
    return Verdict(word, numbers, reason)


@pytest.mark.parametrize("there, here, cell", [
    (verdict("holds"), None, "there: 1"), (verdict("holds"), verdict("holds"), "1"),
    (verdict("holds"), verdict("fails", "2"), "there: 1<br>here: 2"),
    (verdict("open", "1", "why"), verdict("holds", "3"), "there: why: 1<br>here: 3"),
    # a reason is told of what is undecided only
    (verdict("holds", "1", "why"), verdict("open", None, "a|b"), "there: 1<br>here: a|b")])
def test_what_decides_is_told_of_each_side(there, here, cell):
    assert claims._claim_decided_by(judged("T", there, here)) == cell


def test_a_document_is_a_table_with_a_line_for_each_claim():
    found = [judged("A1", verdict("holds"), verdict("fails", "2"), rule="r|s"),
             judged("A2", verdict("open", None, "why"), verdict("depends"), "read off")]
    assert claims.claims_as_markdown(SomeTables, found) == [
        "## Someone, a page, 2014", "",
        "Of 2 claims 1 are said in the text and 1 read off its tables. There 1 hold, 0 do not, 0"
        " depend on a condition, 1 are undecided; here 0 hold, 1 do not, 1 depend on a condition,"
        " 0 are undecided.", "",
        "| | the claim | said or read off | there | here | decided by |",
        "|:--|:--|:--|:--|:--|:--|",
        "| A1 | a\\|b (r\\|s) | said | holds | **does not hold** | there: 1<br>here: 2 |",
        "| A2 | a\\|b | read off | undecided | depends | there: why<br>here: 1 |", ""]
    alone = claims.claims_as_markdown(SomeTables, [judged("A1", verdict("fails"))])
    assert alone[2].endswith("There 0 hold, 1 do not, 0 depend on a condition, 0 are undecided.")
    assert alone[4] == "| | the claim | said or read off | there | decided by |"
    assert alone[6] == "| A1 | a\\|b | said | **does not hold** | there: 1 |"
    assert claims.claims_as_markdown(SomeTables, []) == []


@pytest.mark.parametrize("title, heading", [("Plain", "Plain"), ("(In brackets)", "In brackets"),
                                            ("(of: more)", "of")])
def test_a_title_in_brackets_is_what_stands_for_it(title, heading):
    assert claims.document_heading(title) == heading
