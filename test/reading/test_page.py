"""What pages have in common."""
import html.parser

import pytest
from reading import page
from reading.limits import Limit


@pytest.fixture
def parts():
    return page._templates().get_template("parts.html").module


@pytest.mark.parametrize("label, engine", [
    ("lmdb", "lmdb"),
    ("lmdb+readahead=0", "lmdb"),
    ("lmdb:xfs", "lmdb"),
    ("leveldb-1.23", "leveldb"),
    ("hyper", "hyperleveldb"),
    ("lm", "other"),
    ("nosuch", "other"),
])
def test_engine_of_a_label(label, engine):
    assert page.palette_engine(label) == engine


def test_a_variant_has_options_or_a_storage():
    assert page.palette_is_variant("lmdb+readahead=0") and page.palette_is_variant("lmdb:xfs")
    assert not page.palette_is_variant("leveldb-1.23")


def test_no_line_ends_before_a_unit():
    assert page.html_sentence("4.1 x of <lmdb+a=0>, 5 ms") == \
        "4.1\u00a0× of &lt;lmdb<wbr>+a=0&gt;, 5\u00a0ms"
    assert page.html_unbroken_words("100 %, used 14 %") == "100\u00a0%, used\u00a014\u00a0%"


# ---- charts

def chart(*values, **options):
    bars = [page.Bar(f"engine{i}", value) for i, value in enumerate(values)]
    return page.Chart(bars, "reads/s", **options)


@pytest.mark.parametrize("most, texts", [
    (100, ["0", "20", "40", "60", "80", "100"]),
    (48, ["0", "10", "20", "30", "40"]),
    (23e6, ["0", "5 M", "10 M", "15 M", "20 M"]),
    (0.9, ["0", "0.20", "0.40", "0.60", "0.80"]),
])
def test_an_axis_has_at_most_five_steps_of_1_2_or_5(most, texts):
    ticks = chart(most).ticks
    assert [tick.text for tick in ticks] == texts
    assert ticks[0].at == 0 and ticks[-1].at <= 1.0001


def test_bars_begin_at_0_and_end_at_the_greatest_of_values_whiskers_and_the_line(parts):
    assert page.page_css_part(chart(50, 20).bars[1].value, chart(50, 20).most) == "40%"
    assert chart(50, line=80.0).most == 80
    assert page.Chart([page.Bar("a", 50, 40, 100)], "x").most == 100
    assert chart().most == chart(0).most == 1
    assert 'style="width:40%"' in parts.bar("a", 20, 50)


def test_others_are_held_against_the_best_that_is_ranked():
    bars = [page.Bar("null", 100, ranked=False), page.Bar("a", 50), page.Bar("b", 10)]
    assert page.Chart(bars, "x").of_best(10) == "20 %"
    assert page.Chart(bars[1:], "p99", time=True).of_best(10) == "1/5.0"
    assert chart(0, 0).of_best(0) == "–"


def test_latencies_stand_on_a_scale_of_decades():
    line = page.Bar("a", 1, p50=1000, p99=10_000, p999=100_000)
    found = page.Chart([line], "x")
    assert found.latency(line) == page.Latency(
        "p50 1.0 us, p99 10 us, p99.9 100 us", "0%", "0%", "50%", "100%")
    assert [tick.text for tick in found.decades.ticks] == ["1 µs", "10 µs", "100 µs"]
    bare = page.Bar("a", 1)
    assert found.latency(bare) is None and page.Chart([bare], "x").decade == "100%"
    tail = found.latency(page.Bar("a", 1, p999=10_000))
    assert (tail.start, tail.p50, tail.p99, tail.tail) == ("0%", None, None, "50%")


def test_a_use_that_is_unknown_has_no_bar_and_one_of_0_has(parts):
    said = str(parts.limit(Limit("x", None, 0, None)))
    assert said.count("width:0%") == 1 and said.count("visibility:hidden") == 1


def test_texts_of_rows_are_escaped(parts):
    bar = page.Bar("<x1>", 1, warnings=["<x2>"], limit=Limit("<x3>", "<x4>", None, None))
    said = str(parts.chart(page.Chart([bar, page.Bar("x", invalid="<x5>")], "<x6>")))
    assert "<x" not in said
    assert {n for n in range(1, 7) if f"&lt;x{n}&gt;" in said} == {1, 2, 3, 4, 5, 6}


def test_cpu_time_stands_before_the_warnings_of_a_bar(parts):
    def why(**columns):
        said = str(parts.chart(page.Chart([page.Bar("x", 1, **columns)], "ops/s")))
        return said.partition('<span class="why')[2].partition("</span>")[0]

    assert why(cpu=1200) == '">1.2 µs of CPU time per operation'
    assert why(cpu=1200, warnings=["hot"]) == ' warning">1.2 µs of CPU time per operation; hot'
    assert (why(warnings=["hot"]), why()) == (' warning">hot', "")


# ---- small multiples

def test_a_panel_tells_its_greatest_value_and_the_ends_that_are_far_from_it():
    panel = page.Panel("a", [(1, 10.0), (2, 20.0), (4, 90.0), (8, None), (16, 80.0)])
    panels = page.Panels([1, 2, 4, 8, 16], "threads", [panel])
    assert [(word.x, word.text) for word in panels.words(panel)] == [(0, "10"), (50, "90")]
    near = page.Panel("b", [(1, 60.0), (2, 90.0), (4, 80.0), (16, 70.0)])
    assert [word.x for word in panels.words(near)] == [25, 100]
    assert panels.polyline(panel) == "0,88.89 25,77.78 50,0 100,11.11"
    assert panels.told(panel) == "1 threads: 10, 2 threads: 20, 4 threads: 90, 16 threads: 80"


def test_the_last_value_of_a_falling_line_stands_below_it():
    panel = page.Panel("a", [(1, 90.0), (2, 50.0)])
    words = page.Panels([1, 2], "threads", [panel]).words(panel)
    assert [(word.y, word.anchor) for word in words] == [(10, "start"), (64, "end")]


# ---- tables, sections, pictures

def test_what_is_empty_has_no_section(parts):
    render = page._templates().from_string(
        '{% import "parts.html" as parts %}{% call parts.section("a", "A") %}\n {{ x }}\n'
        '{% endcall %}{% call parts.folded("B") %}{{ x }}{% endcall %}').render
    assert render(x="").strip() == ""
    assert '<section id="a"><h2>A</h2>' in render(x="y") and "<summary>B</summary>" in render(x="y")


def test_a_row_of_a_table_is_a_line(parts):
    lines = str(parts.table(["a", "b"], [["x<y", "1"]], [0], "C")).splitlines()
    assert '<tr><td>x&lt;y</td><td class="n">1</td></tr>' in lines
    assert any(line.startswith("<caption>C</caption>") for line in lines)


SVG = """<?xml version="1.0"?>
<!DOCTYPE svg>
<svg xmlns="http://www.w3.org/2000/svg" id="top"><title>t</title><desc>d</desc>
<use href='#a' fill="url(#b)"/></svg>
"""


def test_pictures_refer_to_their_own_parts(tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}.svg").write_text(SVG)
    (tmp_path / "empty.svg").write_text("")
    (tmp_path / "captions.tsv").write_text("one\told\none\tthe first\none\n\n")
    paths = [str(tmp_path / f"{name}.svg") for name in ("nosuch", "empty", "one", "two")]
    one, two = page.page_pictures(paths)
    assert (one.caption, two.caption) == ("the first", "two")
    assert one.svg == "<svg id=\"f1-top\">\n<use href='#f1-a' fill=\"url(#f1-b)\"/></svg>\n"
    assert 'id="f2-top"' in two.svg
    assert "<title>t</title>" in page.page_pictures(paths, titles=True)[0].svg


class Tags(html.parser.HTMLParser):
    """Fails unless all tags that must be closed are."""

    VOID = ("meta", "br", "img", "input", "wbr", "link")

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_tags_are_closed():
    page_of = page._templates().from_string(
        '{% extends "page.html" %}{% import "parts.html" as parts %}{% block body %}'
        "{{ parts.chart(chart) }}{{ parts.panels(panels) }}{% endblock %}").render
    panels = page.Panels([1, 2], "x", [page.Panel("lmdb+a", [(1, 1.0), (2, 2.0)])])
    tags = Tags()
    tags.feed(page_of(chart=chart(1, None, 2), panels=panels))
    assert tags.open == []


def test_each_engine_of_the_palette_has_a_shape_of_its_own():
    shapes = page._templates().get_template("marks.html").module.shapes
    own = [shapes[colours.shape] for colours in page.palette()]
    assert len(set(own)) == len(own)


@pytest.mark.parametrize("label, both", [
    ("lmdb", ("lmdb", "")), ("lmdb+x=1", ("lmdb", "+x=1")), ("db:raw", ("db", ":raw")),
    ("leveldb-2", ("leveldb", "-2")), ("+x", ("+x", "")), ("", ("", ""))])
def test_a_label_is_a_name_and_what_follows(label, both):
    assert page.page_split_label(label) == both
