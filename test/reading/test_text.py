"""Figures and tables as texts."""
import math

import pytest
from reading import text


@pytest.mark.parametrize("x, whole", [
    (0.5, 1), (1.5, 2), (2.5, 3), (-0.5, -1), (-2.5, -3), (0.49999999999999994, 0),
    (4503599627370495.5, 4503599627370496), (1e17, 10**17), (7, 7)])
def test_halves_are_rounded_away_from_zero(x, whole):
    assert text.rounded(x) == whole


def test_digits_after_the_point():
    assert [text.round_to(2, 0.125), text.round_to(0, 2.5), text.round_to(1, -0.25)] == [0.13, 3,
                                                                                         -0.3]


@pytest.mark.parametrize("x, all_digits", [
    (20000.0, "20000"), (0.1, "0.1"), (-0.0, "-0"), (0, "0"), (1e15, "1000000000000000"),
    (1.5e16, "15000000000000000"), (1e17, "1e+17"), (1e-7, "1e-07"), (math.nan, "null"),
    (-math.inf, "-1.7976931348623157e+308")])
def test_a_number_has_all_its_digits_and_no_point_that_says_nothing(x, all_digits):
    assert text.number(x) == all_digits


def test_values_as_texts_and_as_json():
    assert [*map(text.as_text, ("a b", 2.0, True, None))] == ["a b", "2", "true", "null"]
    assert [*map(text.or_none, (None, False, 0, "x"))] == ["none", "none", "0", "x"]
    assert text.as_json({"a": [1.0, 1e17, math.nan], "µ": (0.5, True)}) \
        == '{"a":[1,1e+17,null],"µ":[0.5,true]}'


FORMS = [
    (text.commas, {1234567.5: "1,234,568", None: "-"}),
    (text.three, {12345: "12,345", 100: "100", 99.94: "99.9", 12.34: "12.3", 1.235: "1.24",
                  0.0123: "0.012", 0.001234: "0.00123", 0: "0", None: "-", "none": "none"}),
    (text.digits, {7.876: "7.88", 9.994: "9.99", 9.995: "10.0", 93.5: "93.5", 99.95: "100",
                   935.4: "935", -1.5: "-1.50"}),
    (text.rough, {0: "0", 1: "1.0", 9.84: "9.8", 9.95: "10", 31.5: "32"}),
    (text.short, {101: "101", 12.34: "12.3", 999.4: "999", 999.5: "1.00 k", 999499: "999 k",
                  999500: "1.00 M", 7.88e6: "7.88 M", 1.5e9: "1.50 G", None: "-"}),
    (text.compact, {0.954: "0.95", 9999: "9999", 44231: "44.2k", 1.82e6: "1.82M", 250e6: "250M",
                 3e9: "3G", 12.34: "12.3", None: "-", "none": "none"}),
    (text.time, {71: "71 ns", 1.94: "1.9 ns", 999.4: "999 ns", 999.5: "1.0 us", 24000: "24 us",
                 999500: "1.0 ms", 1.7e6: "1.7 ms", 2e9: "2.0 s", None: "-"}),
    (text.percent, {0.31: "31 %", 0.098: "9.8 %", 0.0025: "0.25 %", 0.00994: "0.99 %", 0: "0 %",
                    None: "-"}),
    (text.times, {4.1: "4.1 x", 12.5: "13 x", 0.995: "1.0 x", 0.5: "1/2.0", 1 / 49: "1/49"}),
    (text.factor, {1.02: "1.02 x", 0.96: "0.96 x", 1.1: "1.1 x", 0.9: "1/1.1"}),
    (text.size, {512: "512 KiB", 1536: "1.5 MiB", 2097152: "2 GiB", 1048575: "1,024 MiB"}),
    (text.plain, {1234.4: "1234", 123.44: "123.4", 12.344: "12.34", None: "nothing"}),
    (text.capitalized, {"": "", "a B": "A B"}),
]


@pytest.mark.parametrize("form, value, told", [
    (form, value, told) for form, table in FORMS for value, told in table.items()])
def test_figures_as_readers_are_told_them(form, value, told):
    assert form(value) == told


def test_digits_that_are_zeros_stay():
    assert [text.fixed(2, 1.9), text.fixed(0, 2.5), text.fixed(1, -0.05), text.fixed(3, 0)] \
        == ["1.90", "3", "-0.1", "0.000"]


def test_how_many_of_what():
    assert text.count(1, "row") == "1 row" and text.count(1200, "row") == "1200 rows"
    assert text.counted(1200, "row") == "1,200 rows" and text.counted(0, "row") == "0 rows"
    assert [text.listed(list("abcde")[:n]) for n in (0, 1, 2, 3, 5)] \
        == ["", "a", "a and b", "a, b and c", "a, b, c and 2 more"]


def test_first_and_last_columns_begin_on_the_left_and_no_line_ends_in_blanks():
    assert text.aligned([["engine", "ops/s", "limit"], ["a", "1", "CPU"], ["null", "100", ""]]) \
        == ["engine  ops/s  limit", "a           1  CPU", "null      100"]
    assert text.aligned([["a", "b"], ["aa", "bb"]], lambda column, last: False) \
        == [" a   b", "aa  bb"]
    assert text.aligned([]) == []


@pytest.mark.parametrize("line, width, lines", [
    ("", 5, [""]), ("a bc", 4, ["a bc"]), ("a bc d", 4, ["a", "bc d"]), ("abcdef g", 4,
     ["abcd", "ef g"]), ("a b", 0, ["a b"]), ("ab  cd", 3, ["ab", " cd"])])
def test_a_line_is_folded_at_its_blanks(line, width, lines):
    assert text.fold(line, width) == lines


@pytest.mark.parametrize("x, said", [
    (99.96, "100"), (100, "100"), (9.96, "9.96"), (10, "10"), (10.06, "10.1"), (0.999, "0.999"),
    (1.006, "1.01"), (0.0104, "0.01"), (0.00999, "0.00999"), (0, "0"), (-12.34, "-12.3")])
def test_three_digits_count_at_each_size(x, said):
    assert text.three(x) == said


@pytest.mark.parametrize("kib, said", [
    (1023, "1,023 KiB"), (1024, "1 MiB"), (1048575, "1,024 MiB"), (1048576, "1 GiB")])
def test_a_size_is_in_the_greatest_unit_of_which_there_is_one(kib, said):
    assert text.size(kib) == said


def test_a_line_of_a_table_in_markdown_has_no_bars_but_its_own():
    assert text.markdown_line(["a|b", "", "c"]) == "| a\\|b |  | c |"
