"""The references of publications: page.sh makes of their rows what stands beside them, whose
figures and verdicts test/recompute.py finds by a way of its own."""
import html
import json
import os
import re
import shutil
from itertools import zip_longest

import pytest
from reading import reproduction_page

RESULTS = os.path.join(os.path.dirname(__file__), "..", "..", "results", "reference")


def content(path):
    """A file by what it says: JSON lines as values, a page without its style and its symbols."""
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        said = file.read()
    if path.endswith(".json"):
        return [json.loads(line) for line in said.splitlines()]
    if not path.endswith(".html"):
        return said.splitlines()
    for left_out in ("style", "script", 'g id="m-[a-z]*"'):
        said = re.sub(f"(?s)<{left_out}[^>]*>.*?</{left_out[:6].split()[0]}>", "", said)
    return re.sub(r"\s+", "", html.unescape(said)).replace("><", ">\n<").splitlines()


@pytest.mark.parametrize("document", [
    "bangdb-2012", "inmemory-2014", "optane-2018", "redb-2025", "ucsb-2022", "voron-2013"])
def test_a_reference_has_what_page_sh_makes_of_its_rows(document, tmp_path):
    there, here = os.path.join(RESULTS, document), str(tmp_path / document)
    shutil.copytree(there, here)
    reproduction_page.main([here])
    for name in ("tables.md", "asked.md", "claims.md", "claims.json", "report.html"):
        old, new = (content(os.path.join(place, name)) for place in (there, here))
        differ = [pair for pair in zip_longest(old, new) if pair[0] != pair[1]][:1]
        # if a change means it: scripts/repro/page.sh results/reference/DOCUMENT
        assert (name, differ) == (name, [])
