"""The page of a directory of results: its answer, charts and tables."""
import json
from types import SimpleNamespace

import pytest
from reading import report, report_charts, summary
from reading.command import Failure


def row(label, i, **columns):
    return {"label": label, "engine": "lmdb", "benchmark": "readrandom", "threads": 1, "num": 1000,
            "key_size": 16, "value_size": 100, "durability": "async", "host": "h", "valid": 1,
            "durability_effective": "async", "ops_per_sec": 100.0 + i, "reads": 1000, "writes": 0,
            "bound_by": "cpu", "time": f"2026-01-31T12:00:0{i}Z", **columns}


def runs(label, values, **columns):
    return [row(label, i, ops_per_sec=value, **columns) for i, value in enumerate(values)]


@pytest.fixture
def found():
    def of(rows):
        return report_charts.chart_results(summary.summarize(rows), [])
    return of


FAST, SLOW = (400.0, 404.0, 396.0), (100.0, 101.0, 99.0)


def test_a_result_says_who_leads_and_how_sure_that_is(found):
    result, = found([*runs("a", FAST), *runs("b", SLOW)])
    assert result.finding.startswith("1 thread: a 400/s, 4.0 × the next (b; 95 % interval 3.")
    tied, = found([*runs("a", FAST), *runs("b", (399.0, 404.0, 396.0))])
    assert tied.finding == "1 thread: a and b cannot be told apart"
    once, = found([*runs("a", FAST[:1]), *runs("b", SLOW[:1])])
    assert once.finding == "1 thread: a 400/s, 4.0 × the next (b; one run: no interval)"
    alone, = found(runs("a", FAST))
    assert alone.finding == "1 thread: a 400/s"


def paced(label, p99s, missed=()):
    return [row(label, i, target_rate=100, target_rate_met=int(i not in missed),
                read_resp_p99_ns=ns) for i, ns in enumerate(p99s)]


@pytest.mark.parametrize("times, sure", [
    ((1.0,), "with one run each there is no telling how sure that is"),
    ((1.0, 1.01, 0.99), "a lead is one whose 95 % interval is above 1, of 3 runs or more, or who"
                        " met a rate that the next missed")])
def test_who_met_the_rate_leads_who_missed_it(found, times, sure):
    slow, fast = ([x * of for x in times] for of in (2e6, 1e6))
    result, = found([*paced("a", slow), *paced("b", fast, missed=[0])])
    assert result.finding == ("1 thread, 100 operations/s asked for: a met the rate with a p99 of"
                              " 2.0 ms, b missed it with 1.0 ms")
    answer = report_charts.glance_answer([result])
    assert (answer.winners, answer.ties, answer.sure) == (
        [("a", "leads in the one result (readrandom)")], "", sure)
    # of those that missed it in a run the times tell
    result, = found([*paced("a", slow, missed=[0]), *paced("b", fast, missed=[0])])
    assert " asked for: b 1.0 ms, 2.0 × shorter than the next (a; " in result.finding


def test_how_sure_a_lead_is_follows_from_the_fewer_runs_of_the_two(found):
    rows = [*runs("a", (400.0, 404.0, 396.0, 401.0, 399.0)), *runs("b", SLOW[:1])]
    answer = report_charts.glance_answer(found(rows))
    assert answer.sure == "with one run each there is no telling how sure that is"
    more = [*runs("a", FAST + FAST[:2], threads=2), *runs("b", SLOW, threads=2)]
    answer = report_charts.glance_answer(found([*rows, *more]))
    assert answer.sure == ("a lead is one whose 95 % interval is above 1, of 3 runs or more, but"
                           " for 1 result of one run, of which there is no telling")


def test_on_a_busy_machine_who_takes_least_cpu_time_is_first_and_does_not_lead(found):
    def busy(label, rates, us):
        return runs(label, rates, cpu_us_per_op=us, warnings="others used 90 % of the CPU time")

    for many in (3, 1):
        alike = (405.0, 398.0, 397.0)
        result, = found([*busy("a", FAST[:many], 2.0), *busy("b", alike[:many], 1.5)])
        assert result.finding == "1 thread: b and a cannot be told apart by rates of a busy" \
            " machine, and are in the order of CPU time per operation"
        answer = report_charts.glance_answer([result])
        assert (answer.winners, answer.ties) == ([], "in 1 of 1 the first two cannot be told apart"
                                                 " (b and a in readrandom)")
        bars = result.chart.bars
        assert [(bar.label, bar.cpu) for bar in bars] == [("b", 1500), ("a", 2000)]
        assert result.chart.best == max(bar.value for bar in bars)
        assert max(report_charts.at_a_glance([result])[0].parts) == 1
    result, = found([*busy("a", FAST, 2.0), *busy("b", SLOW, 1.5)])
    assert result.finding.startswith("1 thread: a 400/s, 4.0 × the next (b; 95 %")


def test_cpu_time_is_no_bar_of_a_quiet_machine(found):
    result, = found(runs("a", FAST, cpu_us_per_op=2.0))
    assert result.chart.bars[0].cpu is None


def test_the_bars_are_medians_and_the_whiskers_their_range_or_interval(found):
    bar = found(runs("a", (1.0, 2.0, 9.0)))[0].chart.bars[0]
    assert (bar.value, bar.low, bar.high) == (2, 1, 9)
    bar = found(runs("a", (1.0, 2.0)))[0].chart.bars[0]
    assert (bar.value, bar.low, bar.high) == (1.5, None, None)


def test_the_null_engine_is_a_note_and_no_bar(found):
    result, = found([*runs("a", SLOW), *runs("null", FAST, engine="null")])
    assert [bar.label for bar in result.chart.bars] == ["a"]
    assert result.notes[0] == ("", "The null engine, which stores nothing, does 400/s:"
                               " the limit of the harness.")
    only, = found(runs("null", FAST, engine="null"))
    assert [bar.label for bar in only.chart.bars] == ["null"] and only.finding == "1 thread: null"


def test_invalid_rows_have_a_line_if_no_valid_one_has(found):
    bad = row("b", 1, valid=0, invalid_reason="full")
    result, = found([*runs("a", SLOW), bad])
    assert [(bar.label, bar.invalid) for bar in result.chart.bars] == [("a", None), ("b", "full")]
    both, = found([*runs("a", SLOW), row("a", 5, valid=0)])
    assert [bar.label for bar in both.chart.bars] == ["a"]


def test_warnings_stand_at_their_bar_and_notes_have_letters(found):
    rows = [*runs("a", FAST, allocator="jemalloc"), *runs("b", SLOW)]
    rows[0]["warnings"] = "it lasted 5 ms"
    result, = found(rows)
    bars = result.chart.bars
    assert bars[0].warnings == ["it lasted 5 ms (1 of 3 runs)"] and bars[0].notes == ["a"]
    assert result.notes[0] == ("a", "malloc of jemalloc.")
    assert not bars[1].warnings and not bars[1].notes


@pytest.mark.parametrize("columns, unit", [
    ({"reads": 9}, "reads/s"), ({"scans": 9}, "scans/s"), ({"writes": 9}, "writes/s"),
    ({}, "ops/s"),
    ({"reads": 9, "writes": 1}, "ops/s"), ({"scans": 9, "writes": 1}, "ops/s"),
    ({"reads": 9, "scans": 9}, "ops/s"),
    ({"reads": 9, "writes": 1, "benchmark": "readwhilewriting"}, "reads/s"),
    ({"reads": 9, "scans": 1, "benchmark": "readwhilescanning"}, "reads/s"),
    ({"scans": 9, "writes": 1, "benchmark": "seekrandomwhilewriting"}, "scans/s")])
def test_a_rate_is_of_the_one_kind_of_operations_or_of_all(columns, unit):
    row = {"benchmark": "b", **columns}
    assert report_charts.chart_unit(SimpleNamespace(row=row, paced=False)) == unit


def starved(writes):
    return [row(label, i, benchmark="readwhilewriting", writes=10, ops_per_sec=rate,
                writes_per_sec=wrote) for i, (label, rate, wrote)
            in enumerate((("a", 100.0, 51.0), ("b", 300.0, writes)))]


def test_a_leader_whose_writes_were_starved_is_said_to_be_one(found):
    result, = found(starved(5.0))
    assert result.finding.endswith("(a; one run: no interval), but its writes were starved")
    answer = report_charts.glance_answer([result])
    assert answer.winners == [("b", "leads in the one result (readwhilewriting, by 3.0 ×;"
                               " starving writes in readwhilewriting)")]
    assert not found(starved(6.0))[0].lead.starved


def test_at_a_glance_the_best_is_100_and_of_an_open_loop_the_shortest_p99(found):
    def parts(rows):
        return [(line.label, line.parts) for line in report_charts.at_a_glance(found(rows))]

    assert parts([*runs("a", (100.0,)), *runs("b", (400.0,))]) == [("b", [1]), ("a", [0.25])]
    paced = [row(label, 1, target_rate=100, target_rate_met=1, read_resp_p99_ns=ns)
             for label, ns in (("a", 1e6), ("b", 5e6))]
    assert parts(paced) == [("a", [1]), ("b", [0.2])]
    missed = row("c", 1, target_rate=100, target_rate_met=0, read_resp_p99_ns=2e5)
    assert parts([*paced, missed]) == [("a", [1]), ("b", [0.2]), ("c", [None])]


def test_who_is_not_in_all_results_has_no_mean(found):
    rows = [*runs("a", SLOW), *runs("b", FAST), *runs("b", FAST, threads=2)]
    lines = report_charts.at_a_glance(found(rows))
    assert [(line.label, line.parts, line.mean) for line in lines] == \
        [("b", [1, 1], pytest.approx(1)), ("a", [0.25, None], None)]


def test_the_answer_counts_leads_ties_and_limits(found):
    rows = [*runs("a", FAST), *runs("b", SLOW), *runs("a", SLOW, threads=2),
            *runs("b", FAST, threads=2, bound_by="unclear"), *runs("a", FAST, threads=4),
            *runs("b", (399.0, 404.0, 396.0), threads=4)]
    answer = report_charts.glance_answer(found(rows))
    assert [label for label, _ in answer.winners] == ["a", "b"]
    assert answer.winners[0][1] == "leads in 1 of 3 (readrandom, by 4.0 ×)"
    assert answer.ties == \
        "in 1 of 3 the first two cannot be told apart (a and b in readrandom)"
    assert answer.sure == "a lead is one whose 95 % interval is above 1, of 3 runs or more"
    assert answer.limits == [("cpu", 5), ("", 1)]
    assert report_charts.glance_answer([]) is None


@pytest.mark.parametrize("engines, shown", [
    (["null"], ["null"]), (["aio"], ["aio"]), (["null", "aio"], ["null", "aio"]),
    (["null", "lmdb"], ["lmdb"]), (["aio", "lmdb"], ["aio", "lmdb"]),
    (["null", "aio", "lmdb"], ["aio", "lmdb"])])
def test_the_null_engine_has_a_bar_only_where_no_engine_is(found, engines, shown):
    rates = {"null": 900.0, "aio": 50.0, "lmdb": 40.0}
    result, = found([row(name, 1, engine=name, ops_per_sec=rates[name]) for name in engines])
    assert [bar.label for bar in result.chart.bars] == shown


def test_more_than_two_numbers_of_threads_are_panels_of_which_the_ends_have_charts(found):
    rows = [one for n in (4, 1, 2) for one in (*runs("a", SLOW, threads=n),
                                               *runs("null", FAST, threads=n, engine="null"))]
    workload, = report_charts.charts_by_workload(found(rows))
    series, = workload.series
    assert [result.threads for result in series.ends] == [1, 4]
    assert series.middle_said == "The chart of 2 threads"
    panel, = series.panels.panels
    assert panel.label == "a" and panel.points == [(1, 100), (2, 100), (4, 100)]


def test_numbers_are_conditions_that_differ_and_measures_that_there_are(found):
    rows = [*runs("a", SLOW, batch_size=1, write_p50_ns=12_000, read_p50_ns=11_000),
            *runs("b", FAST, batch_size=10, target_rate_met=0)]
    for one in rows:
        one["benchmark"] = "overwrite"
    tables = {table.caption: table for result in found(rows)
              for table in report.report_numbers(result)}
    assert tables["Latency of a write"].lines == [["a", "12 µs"]]
    assert tables["Latency of a read"].lines == [["a", "11 µs"]]
    assert tables["Runs"].header[-1] == "rate met" and "Response of a read" not in tables


def test_a_measure_that_one_engine_lacks_is_there_for_the_others(found):
    result, = found([row("a", 1, read_p50_ns=11_000), row("b", 1, engine="b")])
    table, = (table for table in report.report_numbers(result)
              if table.caption == "Latency of a read")
    assert sorted(line[1] for line in table.lines) == sorted(["11 µs", "–"])


def test_of_servers_the_cpu_time_of_the_client_is_not_shown(found):
    result, = found([row("a", 1, cpu_us_per_op=2), row("b", 1, cpu_us_per_op=1, servers="x:1")])
    table, = (table for table in report.report_numbers(result) if table.caption == "CPU")
    assert {line[0]: line[table.header.index("µs an operation")] for line in table.lines} == {
        "a": "2", "b": "–"}


def test_runs_without_a_row_are_told_with_their_last_words(tmp_path):
    said = {"one": "x\nno space\n", "two": "", "three": None, "four": "done"}
    for name, words in said.items():
        run = tmp_path / "below" / "runs" / name
        run.mkdir(parents=True)
        if words is not None:
            (run / "err.txt").write_text(words)
    (tmp_path / "below" / "runs" / "four" / "row.json").write_text("{}")
    (tmp_path / "below" / "runs" / "one" / "row.json").write_text("")
    assert report.report_runs_without_row(str(tmp_path)) == [
        ("below/runs/one", "no space"), ("below/runs/three", "it has not run"),
        ("below/runs/two", "it said nothing")]
    runs_itself = tmp_path / "below" / "runs"
    assert report.report_runs_without_row(str(runs_itself)) == []


def test_the_most_telling_plots_come_first(tmp_path):
    plots = tmp_path / "plots"
    plots.mkdir()
    for name in ("zoo", "growth-a", "readers-b", "readers-a", "cpu"):
        (plots / f"{name}.svg").write_text("<svg></svg>")
    (plots / "readers-a.png").write_text("")
    assert [picture.caption for picture in report.report_plots(str(tmp_path))] == \
        ["readers-a", "readers-b", "growth-a", "cpu", "zoo"]


INDEX = "profile label benchmark threads repetition profile_us_per_op off_cpu_us_per_op samples" \
    " missing"
FUNCTIONS = "function library role cpu_us_per_op with_callees_us_per_op percent samples caller"


def test_profiles_are_the_first_of_each_workload(tmp_path):
    def table(name, *lines):
        (tmp_path / name).write_text("".join(line.replace(" ", "\t") + "\n" for line in lines))

    table("profiles.tsv", INDEX, "b null fillseq 1 1 3  80 ",
          "a null readrandom 1 1 2.5 0.75 900 x",
          "a-r2 null readrandom 1 2 2.5  900 ", "c lmdb readrandom 1 1 1.5  900 ",
          "none lmdb overwrite 1 1 1.5  900 ")
    for name in ("a", "b", "a-r2", "c"):
        table(f"{name}.functions.tsv", FUNCTIONS, f"get<{name}> libx.so reader 1.5 2 60 540 work")
    fill, read = report.report_profiles(str(tmp_path))
    assert [profile.finding for profile in read] == [
        "lmdb: 1.5 µs of CPU an operation, 60 % in get<c>",
        "null: 2.5 µs of CPU an operation, 60 % in get<a>; 750 ns off CPU"]
    assert read[1].lines == [["get<a>", "work", "libx.so", "reader", "1.5 µs", "60", "2.0 µs"]]
    assert read[1].cautions == ["X."] and read[0].heading == "readrandom, 1 thread"
    assert fill[0].cautions == ["80 samples: a function of a few percent may be chance."]


def test_facts_are_all_values_that_rows_have():
    rows = [row("a", 1, cores=2, memory_kb=2097152, filesystem="ext4", mount_options="rw",
                read_ahead_kb=128, steal_percent=1.0), row("b", 2, cores=4, steal_percent=3.0)]
    facts = dict(report._report_machine(rows))
    assert facts["cores"] == "2; 4" and facts["memory"] == "2 GiB"
    assert facts["file system"] == "ext4, rw" and facts["read-ahead"] == "128 KiB"
    assert facts["taken by the hypervisor"] == "up to 3 %" and "kernel" not in facts


def test_warnings_that_differ_in_figures_are_one():
    rows = [row("a", 1, warnings="it lasted 5 ms; odd"), row("b", 2, warnings="it lasted 7.5 ms")]
    assert report._report_warnings(rows) == [("it lasted 5 ms, and the like", [1, 2]),
                                             ("odd", [1])]


def test_a_page_says_of_what_and_when_it_is(tmp_path):
    rows = [row("a", 1, commit="c1", cores=2), row("a", 3, commit="c2", cores=2)]
    assert report._report_origin(rows, str(tmp_path / "place")) == \
        "assay c1 and c2 · place · 2026-01-31T12:00:01Z to 2026-01-31T12:00:03Z"
    assert report._report_origin(rows[:1], "/x/place/") == \
        "assay c1 · place · 2026-01-31T12:00:01Z"


def test_its_title_counts_engines_or_configurations_and_what_is_the_same():
    def title(*rows):
        return report._report_title(rows)

    both = row("lmdb", 1, cores=2), row("lmdb", 2, cores=2)
    assert title(*both) == "Which is fastest? 1 engine, 1,000 records, 2 cores"
    assert title(both[0], row("lmdb", 2, cores=1, num=10)) == "Which is fastest? 1 engine"
    # nothing is fastest that stores nothing
    assert title(row("lmdb+x", 1, cores=1), {**row("null", 1), "engine": "null"}) == \
        "Which is fastest? 1 configuration, 1,000 records, 1 core"


def test_conditions_of_a_page_are_what_the_rows_share():
    shared = row("a", 1, memory_limit_kb=2048, filesystem="ext4", device="vda")
    assert report._report_conditions([shared, shared]) == [
        "records of 16 + 100 bytes", "durability async", "memory limited to 2 MiB", "ext4 on vda"]
    other = {**shared, "value_size": 9, "durability": "sync", "memory_limit_kb": 1024,
             "filesystem": "xfs"}
    assert report._report_conditions([shared, other]) == [
        "durability async, sync", "memory limited to 1 MiB, 2 MiB", "ext4 on vda, xfs on vda"]


@pytest.mark.parametrize("numbers, said", [((1, 1), ""), ((3, 3), "3"), ((3, 1, 5), "1 to 5")])
def test_runs_of_points_are_told_if_more_than_one(numbers, said):
    points = [point for i, n in enumerate(numbers)
              for (point,) in summary.summarize(runs(f"e{i}", [100.0] * n)).tables]
    assert report._report_runs(points) == said


def test_scatter_is_from_the_least_to_the_most():
    points = [point for label, values in (("a", (99.0, 101.0)), ("b", (90.0, 110.0)), ("c", (1.0,)))
              for (point,) in summary.summarize(runs(label, values)).tables]
    assert report._report_scatter(points) == "1.4 % to 14 %"
    assert report._report_scatter(points[2:]) == ""
    # runs that do not differ have no scatter that would be the least
    ((alike,),) = summary.summarize(runs("d", (100.0, 100.0))).tables
    assert report._report_scatter([*points, alike]) == "1.4 % to 14 %"


@pytest.mark.parametrize("n, widths", [
    (0, []), (1, [1]), (7, [7]), (8, [4, 4]), (15, [5, 5, 5]), (16, [6, 6, 4])])
def test_columns_at_a_glance_are_seven_at_most(n, widths):
    assert [len(range(n)[part]) for part in report._report_glance(n)] == widths


def test_sizes_are_of_bytes_and_percents_of_hundreds():
    assert (report._report_size(3 << 20), report._report_percent(12)) == ("3 MiB", "12 %")


def test_an_invalid_row_is_told_by_its_number_and_reason():
    rows = [row("a", 1), row("b", 2, valid=0, invalid_reason="why", experiment="load", threads=4),
            row("c", 3, valid=0, experiment="readrandom")]
    assert report._report_invalid(rows) == [
        (2, "b", "load: readrandom", "4", "why"), (3, "c", "readrandom", "1", "")]


def test_engines_have_all_versions_and_settings_that_were_run():
    rows = [row("a", 1, engine_version="1", engine_build="x", engine_options="o=1"),
            row("a", 2, engine_version="2", engine_build="x", engine_options=None), row("b", 3)]
    assert report.report_engines(rows) == [
        ("a", ["1", "2"], ["x"], ["o=1", ""]), ("b", [""], [""], [""])]


def test_of_figures_of_the_machine_the_least_and_the_greatest_are_told():
    rows = [row("a", 1, load_before=0.25, steal_percent=1, harness_ns_per_op=70),
            row("a", 2, load_before=3, steal_percent=4, others_cpu_percent=None)]
    facts = dict(report._report_machine(rows))
    assert (facts["load before"], facts["taken by the hypervisor"],
            facts["baseline of the harness"]) == (
        "0.25 to 3", "up to 4 %", "70 to 70 ns an operation")
    assert "CPU of others" not in facts


def written(directory, name, *rows):
    (directory / name).write_text("".join(json.dumps(one) + "\n" for one in rows))


def test_a_page_is_of_the_rows_of_a_directory(tmp_path, capsys):
    written(tmp_path, "results.json", row("old", 1))
    written(tmp_path, "rows.json", *runs("a", FAST), row("c", 5, valid=0, invalid_reason="void <b>",
                                                         warnings="doubt"))
    report.main([f"{tmp_path}/", "--title=Of & all"])
    assert capsys.readouterr().out == f"{tmp_path}/report.html\n"
    page = (tmp_path / "report.html").read_text()
    assert "<title>Of &amp; all</title>" in page and "void &lt;b&gt;" in page
    assert ">old<" not in page
    # without rows.json those of results.json
    written(tmp_path, "rows.json")
    report.main([str(tmp_path)])
    assert ">old<" in (tmp_path / "report.html").read_text().replace("\n", "")


def test_limits_are_counted_by_bar(tmp_path):
    written(tmp_path, "rows.json", *(row(name, at) for at, name in enumerate("abc")))
    report.main([str(tmp_path)])
    page = " ".join((tmp_path / "report.html").read_text().split())
    assert "Limited by <b>cpu</b> in 3 of 3 bars." in page


@pytest.mark.parametrize("meta, arguments, why", [
    (None, [], "which directory"), (None, ["DIR", "x"], "one directory, not also 'x'"),
    (None, ["DIR"], "neither rows.json nor results.json in"),
    ({"document": "d"}, ["DIR", "--title=x"], "the page of a reproduction has its publication's")])
def test_what_has_no_page(tmp_path, meta, arguments, why):
    if meta:
        written(tmp_path, "meta.json", meta)
        written(tmp_path, "rows.json", row("a", 1))
    with pytest.raises(Failure, match=why):
        report.main([argument.replace("DIR", str(tmp_path)) for argument in arguments])


@pytest.mark.parametrize("text, is_one", [('{"document": "d"}', True), ('{"document": ""}', False),
                                          ("{}", False), ("[]", False), ("{", False)])
def test_a_reproduction_is_told_by_its_document(tmp_path, text, is_one):
    (tmp_path / "meta.json").write_text(text)
    assert report._is_report_of_reproduction(str(tmp_path)) == is_one


@pytest.mark.parametrize("columns, said", [
    ({}, "16 + 100 bytes"), ({"value_sizes": "50:10,100:5"}, "16 + 50:10,100:5 bytes")])
def test_sizes_of_values_are_all_that_there_are(columns, said):
    assert any(said in one for one in report._report_conditions([row("a", 1, **columns)]))
