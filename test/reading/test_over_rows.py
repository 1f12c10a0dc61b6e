"""Readers that put something beside rows, or draw points from them, by value."""
import importlib
import json
import sys
import types

import pytest
from reading import overtime, symas, table
from reading.command import Failure

ROW = {"schema": "assay/2", "label": "a", "benchmark": "readrandom", "threads": 1, "valid": 1}


def rows_file(tmp_path, rows, name="rows.json"):
    file = tmp_path / name
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(file)


def test_columns_of_a_timeline_are_put_into_the_row_of_their_run_lists_as_medians(tmp_path, capsys):
    rows = [{**ROW, "threads": n, "time": f"2026-11-28 10:00:0{n}"} for n in (1, 2, 3)]
    over = tmp_path / "over"
    over.write_text("".join(json.dumps(line) + "\n" for line in [
        rows[2], {"late": [9, 1, 4], "found": "x"}, rows[0], {"late": [2, 6]}]))
    overtime.main([rows_file(tmp_path, rows), str(over)])
    got = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(r["threads"], r.get("late"), r.get("found")) for r in got] == [
        (1, 4, None), (2, None, None), (3, 4, "x")]


def test_points_are_medians_of_valid_rounds_of_one_experiment():
    rows = [{**ROW, "experiment": e, "ops_per_sec": rate, "valid": v, "repetition": n}
            for n, (e, rate, v) in enumerate([
                ("1", 10.0, 1), ("1", 1000.0, 0), ("1", 30.0, 1), ("1", 50.0, 1), ("2", 7.0, 1)])]
    got = symas.symas_points(rows)
    assert [(r["experiment"], r["ops_per_sec"]) for r in got] == [("1", 30), ("2", 7)]


def test_runs_of_an_experiment_have_a_timeline_and_their_label(tmp_path):
    ours = []
    for name, experiment, timeline in [("x", "1", "t\n"), ("y", "1", ""), ("z", "2", "t\n")]:
        row = {**ROW, "label": name, "experiment": experiment, "time": "2026-11-28 10:00:00",
               "command": f"bench_lmdb --json=/d/runs/{name}/row.json"}
        run = tmp_path / "runs" / name
        run.mkdir(parents=True)
        rows_file(run, [row], "row.json")
        (run / "timeline.tsv").write_text(timeline)
        ours.append(row)
    assert symas.symas_runs(ours, str(tmp_path), "1") == [(str(tmp_path / "runs" / "x"), "x")]
    assert symas.symas_runs(ours, str(tmp_path), "2") == [(str(tmp_path / "runs" / "z"), "z")]


def test_how_many_records_are_of_the_first_of_the_experiments():
    ours = [{**ROW, "experiment": "1", "num": 1000, "key_size": 16, "value_size": 100},
            {**ROW, "experiment": "2", "num": 20000000, "key_size": 8, "value_size": 4000}]
    assert symas.symas_records(ours, "5", ["2"]) == (
        "20,000,000 records of 8 + 4000 bytes here, 5 there.")
    assert symas.symas_records(ours, "5", []).startswith("1,000 records of 16 + 100 bytes")


@pytest.mark.parametrize("value, cell", [
    (None, "-"), ("text", "text"), (True, "true"), (0, "0"), (7, "7"), (0.12345, "0.123"),
    (0.9996, "1"), (1.25, "1.3"), (12.34, "12.3"), (99.94, "99.9"), (100.4, "100"),
    (-0.12345, "-0.123"), (-250.6, "-251"), (1234567.8, "1234568"), (5.0, "5")])
def test_cells_of_a_table_have_as_many_digits_as_are_needed(value, cell):
    assert table.table_cell(value) == cell


def changes_of(monkeypatch, values, points, least):
    """What otava_changes makes of points that Otava is said to have found."""
    asked = []

    def found(series, max_pvalue, min_magnitude):
        asked.append((series, max_pvalue, min_magnitude))
        return points, None

    otava, analysis = types.ModuleType("otava"), types.ModuleType("otava.analysis")
    analysis.compute_change_points = found
    monkeypatch.setitem(sys.modules, "otava", otava)
    monkeypatch.setitem(sys.modules, "otava.analysis", analysis)
    monkeypatch.delitem(sys.modules, "reading.otava_changes", raising=False)
    otava_changes = importlib.import_module("reading.otava_changes")
    lines = [[f"c{n}", str(value)] for n, value in enumerate(values)]
    got = list(otava_changes.otava_changes(["commit", "rate"], lines, "rate", 0.01, least))
    return asked, got


def test_a_change_is_told_with_its_line_and_the_means(monkeypatch):
    stats = types.SimpleNamespace(mean_1=10, mean_2=20, pvalue=0.001)
    points = [types.SimpleNamespace(index=2, stats=stats)]
    asked, got = changes_of(monkeypatch, [10, 10, 20, 20], points, 0.05)
    assert asked == [([10.0, 10.0, 20.0, 20.0], 0.01, 0.05)]
    assert got == [{"metric": "rate", "at": 2, "before": 10.0, "after": 20.0, "p": 0.001}]


@pytest.mark.parametrize("values, is_asked", [([100, 104.9], 0), ([100, 105], 1), ([105, 100], 1)])
def test_values_that_differ_by_less_than_the_least_change_are_not_looked_at(
        monkeypatch, values, is_asked):
    assert len(changes_of(monkeypatch, values, [], 0.05)[0]) == is_asked


def test_each_question_about_points_has_its_answer(tmp_path, capsys):
    row = {"benchmark": "b", "experiment": "load", "label": "a", "valid": 1, "num": 1000,
           "key_size": 16, "value_size": 100, "seconds": 2}
    path = tmp_path / "rows"
    path.write_text(json.dumps(row) + "\n")
    symas.main(["about", str(path), "5", "load"])
    assert capsys.readouterr().out == "1,000 records of 16 + 100 bytes here, 5 there.\n"
    symas.main(["medians", str(path)])
    assert json.loads(capsys.readouterr().out)["label"] == "a"
    symas.main(["runs", str(path), str(tmp_path), "load"])
    assert capsys.readouterr().out == symas.as_tsv(symas.symas_runs([row], str(tmp_path), "load"))


def test_a_table_has_valid_rows_and_the_columns_that_are_asked_for(tmp_path, capsys):
    path = tmp_path / "rows"
    path.write_text('{"benchmark": "b", "valid": 1, "ops": 1234.6, "x": 0.12345}\n'
                    '{"benchmark": "c", "valid": 0}\n')
    table.main([str(path), "benchmark,valid,x,ops"])
    said = capsys.readouterr()
    assert [line.split() for line in said.out.splitlines()] == [
        ["benchmark", "valid", "x", "ops"], ["b", "1", "0.123", "1235"]]
    assert said.err == "reading: 1 invalid rows left out\n"
    with pytest.raises(Failure, match="no column y, z in"):
        table.main([str(path), "y,x,z"])
    with pytest.raises(Failure, match="which results"):
        table.main([""])
