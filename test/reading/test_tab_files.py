"""Files of lines with tabs between their cells."""
import pytest
from reading import tab_files
from reading.command import Failure


def test_a_table_is_cells_by_the_names_of_its_header(tmp_path):
    file = tmp_path / "t.tsv"
    file.write_bytes(b"a\tb\r\n1\t\r\nx y\tz\n")
    assert tab_files.read_tab_table(str(file)) == [{"a": "1", "b": ""}, {"a": "x y", "b": "z"}]


@pytest.mark.parametrize("text, why", [
    ("", "is empty"), ("a\tb\n1\t2", "its last line has no end; if it is not cut short, add one")])
def test_a_file_that_is_empty_or_cut_short_is_refused(tmp_path, text, why):
    file = tmp_path / "t.tsv"
    file.write_text(text)
    with pytest.raises(Failure) as end:
        tab_files.read_tab_lines(str(file), "--file")
    assert end.value.status == 2
    assert end.value.args[0] in (f"--file: {file} {why}", f"--file: {file}: {why}")


@pytest.mark.parametrize("cell, number", [
    ("12", 12), ("-1.5", -1.5), (".5", 0.5), ("2.", 2), ("1e-3", 0.001), ("", None), ("-", None),
    ("nan", None), ("inf", None), ("1_0", None), (" 1", None), ("0x1", None)])
def test_only_what_is_a_number_is_one(cell, number):
    assert tab_files.tab_number(cell) == number


def test_what_is_not_known_is_an_empty_cell():
    assert tab_files.as_tsv([("a", "b", "c"), (None, 2.0, 0.5), ("", 0, "x")]) == \
        "a\tb\tc\n\t2\t0.5\n\t0\tx\n"
