"""How a script begins and ends."""
import errno

import pytest
from reading import command
from reading.command import Failure


def ended(main, *arguments):
    with pytest.raises(SystemExit) as end:
        command.run_main(main, [*arguments])
    return end.value.code


@pytest.mark.parametrize("error, status, said", [
    (Failure(2, "one", "two"), 2, "reading: one\nreading: two\n"), (KeyboardInterrupt(), 130, ""),
    (OSError(errno.ENOSPC, ""), 1, "reading: cannot write: No space left on device\n")])
def test_a_script_ends_with_the_status_and_lines_of_what_ended_it(error, status, said, capsys):
    def main(arguments):
        raise error

    assert ended(main) == status and capsys.readouterr().err == said


def test_a_row_that_no_reader_understands_ends_in_one_line_that_says_where(capsys):
    def main(arguments):
        return {}["x"]

    assert ended(main) == 1
    said = capsys.readouterr().err
    assert said.startswith("reading: a row has what cannot be read (test_command.py:")
    assert said.endswith(": KeyError: 'x')\n") and said.count("\n") == 1


def test_the_status_is_what_main_returns_and_none_is_0():
    assert ended(lambda arguments: None) == 0 and ended(lambda arguments: len(arguments), "x") == 1


def test_help_is_answered_for_a_script_that_has_one(capsys):
    assert ended(lambda arguments: 3, "--help") == 3
    with pytest.raises(SystemExit) as end:
        command.run_main(lambda arguments: 3, ["x", "--help"], "usage: x\n")
    assert end.value.code == 0 and capsys.readouterr().out == "usage: x\n"


def test_options_have_values_or_none_and_others_are_arguments():
    found, others = command.read_options(
        ["a", "--all", "--seed=1=2", "-"], ("--all",), ("--seed",))
    assert found == {"--all": "", "--seed": "1=2"} and others == ["a", "-"]
    for wrong in ("--seed", "--seed=", "--all=1", "--nosuch", "-x"):
        with pytest.raises(Failure, match=f"cannot read '{wrong}'; see --help"):
            command.read_options([wrong], ("--all",), ("--seed",))


@pytest.mark.parametrize("value", ["", "-1", "1.5", "x", "1234567890", "²", "0"])
def test_a_whole_number_has_nine_digits_at_most_and_a_least_value(value):
    with pytest.raises(Failure, match=f"--n: cannot read '{value}'; give a whole number from 1"):
        command.whole_option("--n", value, 1)


def test_a_whole_number_is_one():
    assert command.whole_option("--n", "012") == 12 and command.whole_option("--n", "0") == 0


def test_a_file_must_be_one_that_can_be_read(tmp_path):
    for path, why in ((tmp_path, f"--x: {tmp_path} is a directory; give a file"),
                      (tmp_path / "none", f"--x: cannot read {tmp_path / 'none'}")):
        with pytest.raises(Failure) as end:
            command.readable(str(path), "--x")
        assert (end.value.status, *end.value.args) == (2, why)
