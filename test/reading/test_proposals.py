"""Two programs that run by the Python of others, Optuna's and Otava's, with stand-ins of both."""
import importlib
import io
import json
import sys
import types
from types import SimpleNamespace

import pytest


class Trial:
    """Proposes what a script of it says; notes what it was asked."""

    def __init__(self, indices):
        self.indices, self.asked, self.attributes = list(indices), [], {}

    def suggest_int(self, name, low, high):
        self.asked.append((name, low, high))
        return self.indices.pop(0)

    def suggest_categorical(self, name, values):
        self.asked.append((name, tuple(values)))
        return values[self.indices.pop(0)]

    def set_user_attr(self, name, value):
        self.attributes[name] = value


class Study:
    def __init__(self, proposals):
        self.proposals, self.trials, self.told = list(proposals), [], []

    def ask(self):
        self.trials.append(Trial(self.proposals.pop(0)))
        return self.trials[-1]

    def tell(self, trial, value=None, state=None):
        self.told.append((value, state))


@pytest.fixture
def proposals(monkeypatch):
    optuna = types.ModuleType("optuna")
    optuna.trial = SimpleNamespace(TrialState=SimpleNamespace(FAIL="fail"))
    optuna.logging = SimpleNamespace(set_verbosity=lambda level: None, ERROR=40)
    monkeypatch.setitem(sys.modules, "optuna", optuna)
    monkeypatch.delitem(sys.modules, "reading.optuna_proposals", raising=False)
    module = importlib.import_module("reading.optuna_proposals")

    def play(levels, proposed, answers, trials=9, seed=7):
        """The lines that are proposed, the study, and what the sampler was given."""
        study, given = Study(proposed), {}
        optuna.samplers = SimpleNamespace(TPESampler=lambda **of: given.update(of) or "sampler")
        optuna.create_study = lambda sampler: study
        out = io.StringIO()
        monkeypatch.setattr(sys, "argv", ["x", str(seed), str(trials)])
        monkeypatch.setattr(sys, "stdin", io.StringIO(levels + "\n" + answers))
        monkeypatch.setattr(sys, "stdout", out)
        try:
            module.main()
        except SystemExit as end:
            assert end.code == 0
        return out.getvalue().splitlines(), study, given
    yield play
    sys.modules.pop("reading.optuna_proposals", None)


def test_numbers_are_in_order_and_names_are_not(proposals):
    lines, study, _ = proposals("a\t1\t2\t4k\nb\tx\ty\tz\nc\t1\t2\nd\t0.5\t1Mi\t3\n",
                                [(2, 1, 1, 0)], "5 0\n", trials=1)
    assert lines == ["2\t1\t1\t0"]
    # two values have no order that could be learnt of
    assert study.trials[0].asked == [("a", 0, 2), ("b", ("x", "y", "z")), ("c", ("1", "2")),
                                     ("d", 0, 2)]


def test_each_combination_is_asked_for_once_and_told_as_often_as_proposed(proposals):
    lines, study, given = proposals("a\t1\t2\nb\t1\t2\n", [(0, 0), (0, 0), (1, 0), (0, 1), (1, 1)],
                                    "5 0\ninvalid\n7 0.25\n3 0\n", trials=99)
    assert lines == ["0\t0", "1\t0", "0\t1", "1\t1"]
    assert study.told == [(5, None), (5, None), (None, "fail"), (7, None), (3, None)]
    assert [trial.attributes for trial in study.trials] == [
        {"exceeded": 0}, {"exceeded": 0}, {}, {"exceeded": 0.25}, {"exceeded": 0}]
    assert given["seed"] == 7
    constraint = given["constraints_func"]
    assert constraint(SimpleNamespace(user_attrs={"exceeded": 0.5})) == (0.5,)
    assert constraint(SimpleNamespace(user_attrs={})) == (1,)


def test_the_end_is_as_many_as_asked_for_or_where_nothing_new_is_proposed(proposals):
    lines, study, _ = proposals("a\t1\t2\t3\n", [(0,), (1,), (2,)], "1 0\n2 0\n", trials=2)
    assert lines == ["0", "1"] and len(study.trials) == 2
    lines, study, _ = proposals("a\t1\t2\t3\n", [(0,)] * 49 + [(1,)] + [(0,)] * 60, "1 0\n2 0\n")
    assert lines == ["0", "1"] and len(study.trials) == 50 + 50
    # who answers no more has ended
    lines, study, _ = proposals("a\t1\t2\t3\n", [(0,), (1,)], "1 0\n")
    assert lines == ["0", "1"] and len(study.told) == 1


@pytest.fixture
def otava(monkeypatch, tmp_path):
    """What is printed of a file with these lines, where a change is found at line 2 of 4."""
    asked = []

    def compute(values, max_pvalue, min_magnitude):
        asked.append((values, max_pvalue, min_magnitude))
        return [SimpleNamespace(index=2, stats=SimpleNamespace(mean_1=1, mean_2=2, pvalue=0.5))], []
    package, analysis = types.ModuleType("otava"), types.ModuleType("otava.analysis")
    analysis.compute_change_points = compute
    monkeypatch.setitem(sys.modules, "otava", package)
    monkeypatch.setitem(sys.modules, "otava.analysis", analysis)
    monkeypatch.delitem(sys.modules, "reading.otava_changes", raising=False)
    module = importlib.import_module("reading.otava_changes")

    def found(text, metrics):
        (tmp_path / "h.tsv").write_text(text)
        out = io.StringIO()
        monkeypatch.setattr(sys, "argv", ["x", "0.01", "0.5"])
        monkeypatch.setattr(sys, "stdin", io.StringIO("\t".join([str(tmp_path / "h.tsv"), *metrics])
                                                      + "\n"))
        monkeypatch.setattr(sys, "stdout", out)
        module.main()
        answer = json.loads(out.getvalue())
        assert answer["file"].endswith("/h.tsv")
        return answer["changes"], asked
    yield found
    sys.modules.pop("reading.otava_changes", None)


def test_a_change_has_its_line(otava):
    changes, asked = otava("time\tx\ty\na\t1\t9\n\nb\t1\t9\nc\t2\t9\nd\t2\t13.5\n", ["y", "x"])
    assert asked == [([9, 9, 9, 13.5], 0.01, 0.5), ([1, 1, 2, 2], 0.01, 0.5)]
    assert changes[1] == {"metric": "x", "at": 2, "before": 1, "after": 2, "p": 0.5}
