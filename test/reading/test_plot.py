"""What plots show of rows."""
import json

import pytest
from reading import plot
from reading.command import Failure


def row(**columns):
    return {"label": "a", "engine": "lmdb", "benchmark": "b", "threads": 1, "valid": 1,
            "seconds": 1, **columns}


def cells(text):
    return [line.split("\t") for line in text.splitlines()[1:]]


@pytest.mark.parametrize("one, reads", [
    ({"reads_per_sec": 5}, 5), ({"scans": 6, "seconds": 2}, 3),
    ({"reads_per_sec": 5, "scans": 6, "seconds": 2, "ops_per_sec": 8}, 8),
    # a scanner beside the readers
    ({"reads_per_sec": 5, "scans": 6, "seconds": 2, "ops_per_sec": 5}, 5), ({}, 0)])
def test_a_scan_is_a_read_unless_it_is_none_of_the_operations(one, reads):
    assert plot._plot_rate(one, "reads") == reads


def test_a_point_is_the_median_of_valid_runs_with_its_whisker():
    def point(*rates, **columns):
        return cells(plot.plot_points(row(reads_per_sec=rate, **columns) for rate in rates))

    (five,) = point(100, 101, 102, 103, 104)
    assert five[:6] == ["b", "a", "1", "reads", "5", "102"]
    assert 100 < float(five[7]) < 102 < float(five[8]) < 104
    (three,) = point(100, 170.5, 120)
    assert (three[4], three[5], three[7], three[8]) == ("3", "120", "100", "170.5")
    (two,) = point(100, 120)
    assert (two[5], two[7], two[8]) == ("110", "", "")
    assert point(100, valid=0) == [] and point(0) == []


def test_reads_and_writes_are_panels_of_their_own():
    found = cells(plot.plot_points([row(reads_per_sec=5, writes_per_sec=3), row(threads=2,
                                                                                writes_per_sec=9)]))
    assert [line[2:6] for line in found] == [
        ["1", "reads", "1", "5"], ["1", "writes", "1", "3"], ["2", "writes", "1", "9"]]


def probe(threads, p50, **columns):
    return row(threads=threads, probe_p50_ns=p50, probe_p99_ns=None, writes_per_sec=10, **columns)


def test_a_probe_is_drawn_at_the_fewest_and_the_most_threads():
    found = cells(plot.plot_probes([probe(1, 10), probe(1, 30), probe(2, 50), probe(4, 70),
                                    probe(4, 999, valid=0)]))
    assert found == [["b", "1", "a, 1 thread", "10", "20", "", ""],
                     ["b", "4", "a, 4 threads", "10", "70", "", ""]]


def test_steps_of_the_insert_benchmark_are_bars_at_the_most_threads():
    def step(benchmark, rate, worst, **columns):
        return row(benchmark=benchmark, rows_per_sec=rate, rows_worst_second=worst, **columns)

    some = [step("l.i0", 9, 9), step("l.i0", 10, 5, threads=2), step("l.i0", 20, 0, threads=2),
            step("l.i0", 99, 1, threads=2, valid=0), step("l.i1", 7, 0, threads=2),
            # a step of queries is none of rows
            step("qr", 8, 1, threads=2, queries_per_sec=3, queries_worst_second=2)]
    assert cells(plot.plot_steps(some, "rows")) == [
        ["rows", "a", "l.i0", "15"], ["rows", "a+worst_second", "l.i0", "2.5"],
        ["rows", "a", "l.i1", "7"]]
    assert cells(plot.plot_steps(some, "queries")) == [
        ["queries", "a", "qr", "3"], ["queries", "a+worst_second", "qr", "2"]]


def test_what_does_not_belong_in_one_plot_ends_the_script():
    def refuse(*rows, allow=()):
        with pytest.raises(Failure) as end:
            plot._refuse_plot(rows, allow)
        return end.value.args

    for columns, what in (("host cpu kernel cores cpu_quota memory_limit_kb durability num"
                           " key_size value_size", "plot"),
                          ("engine engine_version durability_effective", "curve")):
        for c in columns.split():
            assert refuse(row(**{c: 1}), row(**{c: 2})) == (
                f"rows of more than one {c} (1, 2) do not belong in one {what};"
                " --allow=COLUMN,... allows it",)
    assert "has a blank or a quote" in refuse(row(label="a b"))[0]
    plot._refuse_plot([row(host="h", cpu="h", cores=2, kernel="h"),
                       row(host="i", cpu="i", cores=4, kernel="i")], ["host"])
    # other engines are other curves, and loads are drawn of each
    plot._refuse_plot([row(), row(label="x", engine="x"), row(benchmark="fillsync", num=3)], [])


def test_the_note_says_what_was_measured_and_is_folded():
    one = row(num=1000, key_size=16, value_size=100, distribution="uniform", durability="sync",
              host="h", memory_limit_kb=1536, target_rate=3000.0, mix="read:9")
    assert plot._plot_note([one]) == (
        "1000 records of 16 + 100 bytes, uniform, mix read:9, durability sync, 2 MiB of memory,"
        " 3000\noperations/s asked for, on h\n")
    others = [{**one, "num": 9, "durability": "none", "distribution": "zipfian", "mix": None,
               "target_rate": None}, {**one, "durability": "none"}]
    assert plot._plot_note([one, *others]).replace("\n", " ") == (
        "1000 records of 16 + 100 bytes or 9 records of 16 + 100 bytes, uniform or zipfian,"
        " mix read:9 or no mix, durability sync or durability none, 2 MiB of memory,"
        " 3000 operations/s asked for or no rate, on h ")
    warned = plot._plot_note([one, {**one, "warnings": "heat"}])
    assert warned.endswith("\nwarnings, 1 of 2 rows, such as: heat\n")


@pytest.fixture
def prepared(tmp_path):
    """The files of some rows, of which each is also that of a run of its own."""
    def of(*rows):
        for number, one in enumerate(rows):
            run = tmp_path / "results" / "runs" / f"r{number}"
            run.mkdir(parents=True)
            (run / "row.json").write_text(json.dumps(one) + "\n")
        (tmp_path / "results" / "results.json").write_text(
            "".join(json.dumps(one) + "\n" for one in rows))
        work = tmp_path / "work"
        work.mkdir()
        plot.main(["prepare", str(tmp_path / "results"), str(work), "a,b"])
        return {file.name: file.read_text() for file in work.iterdir()}
    return of


def test_what_is_drawn_of_a_benchmark_follows_from_what_it_does(prepared, capsys):
    common = {"num": 9, "key_size": 1, "value_size": 2, "durability": "none", "host": "h",
              "distribution": "uniform"}
    files = prepared(*(row(time=f"t{at}", ops_per_sec=1, **common, **one) for at, one in enumerate((
        {"benchmark": "r", "reads": 5, "reads_per_sec": 5}, {"benchmark": "s", "scans": 5},
        {"benchmark": "w", "writes": 5, "writes_per_sec": 5},
        {"benchmark": "w", "writes": 5, "threads": 2, "warnings": "busy"},
        {"benchmark": "m", "reads": 1, "writes": 1, "valid": 0},
        {"benchmark": "m", "reads": 1, "writes": 1}))))
    assert capsys.readouterr().err == "reading: 1 invalid rows are not drawn\n"
    # its name, whether it writes, whether it reads nothing, whether there are several threads
    assert files["benchmarks.tsv"].splitlines() == [
        "m\t1\t0\t0", "r\t0\t0\t0", "s\t0\t0\t0", "w\t1\t1\t1"]
    assert files["w.extremes"].splitlines() == ["a, 1 thread\tr2\t1\tfalse",
                                                "a, 2 threads\tr3\t2\ttrue"]
    assert files["m.extremes"] == "a, 1 thread\tr5\t1\ttrue\n"
    assert files["r.note"] == "9 records of 1 + 2 bytes, uniform, durability none, on h\n"
    assert files["w.note"].endswith("on h\nwarnings, 1 of 2 rows, such as: busy\n")
    assert [line.split("\t")[:6] for line in files["points.tsv"].splitlines()
            if line.startswith("r")] == [["r", "a", "1", "reads", "1", "1"]]
    assert "probes.tsv" in files and files["rows.steps"] and files["queries.steps"]


def test_points_and_probes_are_asked_for_by_name(tmp_path, capsys):
    path = tmp_path / "rows"
    path.write_text(json.dumps(row(reads_per_sec=5)) + "\n")
    plot.main(["points", str(path)])
    assert capsys.readouterr().out == plot.plot_points([row(reads_per_sec=5)])
    plot.main(["probes", str(path)])
    assert capsys.readouterr().out == plot.plot_probes([row(reads_per_sec=5)])
