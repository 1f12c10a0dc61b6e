"""Programs in turn: one at a time, each once in a round, whatever happens to another."""
import os
import re
import subprocess
import sys

import pytest
from reading import turns
from reading.command import Failure

# A program that takes three turns: it comes to its barrier as the programs do, and counts one more
# line of the log at the begin and the end of what it does in its turn.
TAKES_TURNS = """
for turn in 1 2 3
do
	printf + >>turn
	while [ $(($(wc -c <turn) % 2)) -eq 1 ]; do sleep 0.01; done
	echo "begins $name $turn" >>../log
	sleep 0.02
	{hook}
	echo "ends $name $turn" >>../log
done
"""


@pytest.fixture
def directory(tmp_path):
    def made(name, text=TAKES_TURNS, hook=":"):
        place = tmp_path / name
        place.mkdir()
        text = text.replace("{hook}", hook)
        (place / "program").write_text(f"cd '{place}'\nname={name}\n{text}")
        (place / "command").write_text(f"sh\n{place}/program\n")
        return str(place)
    return made


def log(tmp_path):
    return [line.split() for line in (tmp_path / "log").read_text().splitlines()]


def test_each_program_has_one_turn_a_round_and_none_overlaps_another(directory, tmp_path):
    assert turns.take_turns([directory(name) for name in "abc"]) == []
    lines = log(tmp_path)
    begun, ended = lines[::2], lines[1::2]
    assert [[what, *rest] for what, *rest in ended] == [["ends", *rest] for _, *rest in begun]
    rounds = [[name for _, name, turn in begun if turn == number] for number in "123"]
    assert [sorted(names) for names in rounds] == [["a", "b", "c"]] * 3
    assert [turn for _, _, turn in begun] == sorted(turn for _, _, turn in begun)
    # not in one order only
    assert len({tuple(names) for names in rounds}) > 1


def test_a_program_that_waits_for_its_turn_is_stopped(directory, tmp_path):
    # who has its turn looks at the other's processes, in whose directory is the first one's id; on
    # a busy machine they are not stopped at once
    looks = ("until [ -s ../b/pid ]; do sleep 0.01; done; for _ in $(seq 500); do"
             " now=$(ps -eo pgid=,stat= | awk -v of=$(cat ../b/pid)"
             " '$1 == of { all = all substr($2, 1, 1) } END { print all \"-\" }');"
             " case $now in -|T-|TT-|DT-) break; esac; sleep 0.02; done; echo $now >>../states")
    watched = directory("b", "echo $$ >pid\n" + TAKES_TURNS)
    assert turns.take_turns([watched, directory("a", hook=looks)]) == []
    states = (tmp_path / "states").read_text().split()
    assert len(states) == 3
    # a shell whose command is stopped between vfork and exec waits for it, in state D
    assert all(re.fullmatch("T+-|DT+-", of) for of in states[:2])


def test_a_program_without_a_barrier_ends_before_the_next_begins(directory, tmp_path):
    text = 'echo "begins $name" >>../log; sleep 0.05; echo "ends $name" >>../log\n'
    assert turns.take_turns([directory(name, text) for name in "ab"]) == []
    assert log(tmp_path) == [["begins", "a"], ["ends", "a"], ["begins", "b"], ["ends", "b"]]


def test_one_that_fails_leaves_the_turns_to_the_others(directory, tmp_path):
    failed = turns.take_turns([directory("a"), directory("b", hook="exit 3"), directory("c")])
    assert [taker.place for taker in failed] == [str(tmp_path / "b")]
    assert [name for what, name, _ in log(tmp_path) if what == "ends"].count("a") == 3
    assert turns.main([str(tmp_path / "a")]) == 0


def test_a_turn_that_does_not_end_is_ended_while_others_wait(
        directory, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(turns, "TURN_MOST", 1)
    places = [directory("a"), directory("b", hook="sleep 9")]
    assert [taker.place for taker in turns.take_turns(places)] == places[1:]
    said = capsys.readouterr().err
    assert f"{places[1]}: its turn did not end within 1 s, so it is killed" in said
    assert len([1 for what, name, _ in log(tmp_path) if (what, name) == ("ends", "a")]) == 3


def test_output_and_errors_have_files_of_their_own(directory, tmp_path):
    turns.take_turns([directory("a", "echo said\necho wrong >&2\n")])
    assert (tmp_path / "a" / "out.txt").read_text() == "said\n"
    assert (tmp_path / "a" / "err.txt").read_text() == "wrong\n"


def test_directories_must_be_given():
    with pytest.raises(Failure, match="which directories"):
        turns.main([])


def stood(directory, tmp_path):
    """A program's nice value, its session's where there is such, and whether its group and its
    session are its own."""
    looks = "cat /proc/$$/autogroup >../session || :; sed 's/.*) //' /proc/$$/stat >../stat"
    assert turns.take_turns([directory("a", f"echo $$ >../id; {looks}\n")]) == []
    fields = [int(field) for field in (tmp_path / "stat").read_text().split()[1:17]]
    program = int((tmp_path / "id").read_text())
    of_session = (tmp_path / "session").read_text().split()[-1:]
    return fields[15], of_session, fields[1] == program, fields[2] == program


def may_be_first():
    asks = "import os; os.setpriority(os.PRIO_PROCESS, 0, -1)"
    return not subprocess.run([sys.executable, "-c", asks], stderr=subprocess.DEVNULL).returncode


@pytest.mark.skipif(os.nice(0) > 0 or not may_be_first(), reason="started by nice, or not allowed")
def test_it_comes_before_other_programs_where_that_is_allowed(directory, tmp_path):
    of_session = ["-19"] * os.path.exists("/proc/self/autogroup")
    assert stood(directory, tmp_path) == (-19, of_session, True, True)


@pytest.mark.parametrize("niceness", [0, 5])
def test_else_it_has_a_group_in_this_session(directory, tmp_path, monkeypatch, niceness):
    def refuses(*_):
        assert niceness == 0
        raise PermissionError

    monkeypatch.setattr(os, "getpriority", lambda *_: niceness)
    monkeypatch.setattr(os, "setpriority", refuses)
    nice, _, own_group, own_session = stood(directory, tmp_path)
    assert (nice, own_group, own_session) == (os.nice(0), True, False)
