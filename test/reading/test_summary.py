"""Tables of engines: their points and what is said of them."""
import json
from types import SimpleNamespace

import pytest
from reading import summary
from reading.command import Failure


def row(label="a", i=0, **columns):
    return {"label": label, "engine": "lmdb", "benchmark": "readrandom", "threads": 1, "valid": 1,
            "ops_per_sec": 100.0 + i, "time": f"2026-01-31T12:00:0{i}Z", **columns}


def tables(*rows):
    return summary.summarize(rows).tables


@pytest.mark.parametrize("words, limit", [
    ("cpu", "cpu"), ("cpu lock lock", "lock"), ("lock cpu lock", "lock"), ("cpu lock", "unclear"),
    ("cpu lock device", "unclear"), ("- lock", "lock"), ("-", "unknown")])
def test_runs_are_limited_by_the_word_that_most_of_them_have(words, limit):
    runs = [row(i=i, **({} if word == "-" else {"bound_by": word, "bound_by_detail": f"run {i}"}))
            for i, word in enumerate(words.split())]
    ((point,),) = tables(*runs)
    assert point.limited.word == limit
    if limit == "lock":
        assert point.limited.detail == f"run {words.split().index('lock')}"
    if limit == "unclear":
        assert point.limited.detail == "runs differ"


def test_the_best_is_first_and_of_an_open_loop_who_met_the_rate():
    (table,) = tables(row("a"), row("b", ops_per_sec=300.0), row("c", ops_per_sec=200.0))
    assert [point.label for point in table] == ["b", "c", "a"]

    def paced(label, ns, met):
        return row(label, target_rate=30, target_rate_met=met, read_resp_p99_ns=ns)

    (table,) = tables(paced("a", 50, 0), paced("b", 300, 1), paced("c", 200, 1))
    assert [(point.label, point.median) for point in table] == [("c", 200), ("b", 300), ("a", 50)]


def test_what_is_a_condition_makes_tables_and_what_is_a_setting_lines():
    assert [len(table) for table in tables(row(), row(filesystem="xfs"))] == [1]
    assert len(tables(row(filesystem="ext4"), row(filesystem="xfs"))) == 2
    (table,) = tables(row(cache_bytes=1), row(cache_bytes=2), row(cache_bytes=2, i=1))
    assert sorted((point.label, point.runs) for point in table) == \
        [("a+cache_bytes=1", 1), ("a+cache_bytes=2", 2)]


def ratio(*rows):
    return summary.summarize(rows).ratios[0, 1].value


def test_the_ratio_of_neighbours_is_that_of_the_worse_to_the_better():
    assert ratio(row("a"), row("b", ops_per_sec=300.0)) == 3
    assert ratio(*(row(label, target_rate=30, read_resp_p99_ns=ns)
                   for label, ns in (("a", 50.0), ("b", 200.0)))) == 4


def test_invalid_rows_are_counted_and_in_no_point():
    found = summary.summarize([row(i=0), row(i=2), row(ops_per_sec=1e9, valid=0),
                               row("b", valid=0, invalid_reason="full")])
    ((point,),) = found.tables
    assert (point.runs, point.median, found.rows) == (2, 101, 4)
    assert summary.summary_invalid(found) == ["invalid: a readrandom: it does not say why",
                                              "invalid: b readrandom: full"]


def test_a_cause_is_said_once_with_its_greatest_figure_and_the_labels():
    found = summary.summarize([row(label, i, warnings=f"it was {9 + i} % busy; heat{i or ''}")
                               for i, label in enumerate("aabb")])
    assert summary.summary_causes(found) == [
        "warning, 4 of 4 rows: up to: it was 12 % busy (a, b)", "warning, 1 of 4 rows: heat (a)",
        "warning, 1 of 4 rows: heat1 (a)", "warning, 1 of 4 rows: heat2 (b)",
        "warning, 1 of 4 rows: heat3 (b)"]
    assert summary.cause_kind("used 1,234.5 % of p99.9") == "used N % of p99.9"


def shown(*rows, width=None):
    head, *found = summary.summary_lines(tables(*rows)[0], width)
    return [dict(zip(head, line)) for line in found]


def test_the_null_engine_and_the_device_are_not_ranked():
    found = shown(row("x", ops_per_sec=50.0), row("y"), row("null", 800, engine="null"),
                  row("aio", 100, engine="aio"))
    assert [(line["engine"], line["of best"]) for line in found] == [
        ("null", "-"), ("aio", "-"), ("y", "100 %"), ("x", "50 %")]
    assert [line["of device limit"] for line in found[2:]] == ["50 %", "25 %"]


def test_what_an_operation_reads_is_told_in_units_of_a_thousand_bytes():
    (line,) = shown(row(device_read_bytes_per_op=12288))
    assert line["KB read/op"] == "12.3"


def test_the_range_of_response_times_is_a_time():
    (line,) = shown(*(row(i=i, target_rate=30, read_resp_p99_ns=ns)
                      for i, ns in enumerate((122e3, 124e3, 123e3))), width=999)
    assert (line["response p99"], line["spread"]) == ("123 us", "122 us to 124 us")


@pytest.mark.parametrize("ends, spread", [((90, 130), "±30 %"), ((80, 110), "±20 %")])
def test_the_spread_of_five_runs_is_to_the_farther_end(ends, spread):
    point = SimpleNamespace(whisker=ends, result=SimpleNamespace(n=5), median=100)
    assert summary._summary_spread_cell(point, str) == spread


def test_on_a_narrow_terminal_figures_of_limits_go_first_and_then_columns():
    rows = [row("engine", i, bound_by="lock", bound_by_detail="14337 waits/s a thread",
                read_p50_ns=1, read_p99_ns=2, read_p999_ns=3) for i in range(5)]
    (wide,) = shown(*rows, width=100)
    assert wide["limited by"] == "lock 14337 waits/s a thread" and wide["p99.9"] == "3.0 ns"
    (line,) = shown(*rows, width=60)
    assert line["limited by"] == "lock" and line["p99.9"] == "3.0 ns"
    (narrow,) = shown(*rows, width=20)
    assert [*narrow] == ["engine", "ops/s"]


def test_a_load_is_in_key_order_if_it_says_so_or_its_name_does():
    assert summary.summary_loaded_in_order({"loaded_by": "lmdb-fillseqbatch-1t"})
    assert not summary.summary_loaded_in_order(
        {"loaded_by": "x-fillseq-1t", "load_order": "random"}
    )
    assert summary.summary_loaded_in_order({"load_order": "sequential"})
    assert not summary.summary_loaded_in_order({})


def headline(*rows):
    (said,) = summary.summary_found(summary.summarize(rows))
    return said


def runs(label, factor, **columns):
    return [row(label, i, ops_per_sec=(100.0 + i) * factor, **columns) for i in range(5)]


def test_a_headline_says_who_leads_and_has_no_null_engine():
    assert headline(*runs("a", 1), *runs("b", 3), *runs("null", 9, engine="null")) == (
        "readrandom, 1 thread: b leads with 306 operations/s, 3 times a (95 % interval 2.91 to"
        " 3.09, 5 runs each).")
    assert headline(row("a"), row("b", ops_per_sec=300.0)).endswith(
        "3 times a (one run each: no interval).")
    assert headline(row("a"), *runs("b", 3)).endswith("3.06 times a (one run of a: no interval).")
    assert headline(row("a")) == "readrandom, 1 thread: a does 100 operations/s."
    alike = headline(*runs("a", 1), *runs("b", 1.001))
    assert ": b and a are not told apart (ratio 1, 95 % interval 0.9" in alike


def test_a_headline_says_what_is_to_be_known_of_those_it_names():
    both = {"reads": 10, "writes": 10, "benchmark": "readwhilewriting"}
    unfit = runs("b", 3, **both, writes_per_sec=5, engine_build="x: not fit for comparison")
    heat = runs("a", 1, **both, writes_per_sec=51)
    heat[1]["warnings"] = "heat"
    assert headline(*heat, *unfit).endswith(
        " But b: its writes were starved, a build that is not fit for comparison in 5 of 5 runs;"
        " a: warnings in 1 of 5 runs: heat.")
    heat[1]["writes_per_sec"] = heat[0]["writes_per_sec"] = 50
    assert "starved" in headline(*heat, *unfit)
    assert "starved" not in headline(*({**one, "writes_per_sec": 50} for one in heat), *unfit)
    heat[0]["writes_per_sec"] = heat[1]["writes_per_sec"] = 500
    mixed = [{**one, "benchmark": "ycsb-a", "mix": "read:50,update:50"} for one in heat + unfit]
    assert "starved" not in headline(*mixed)


def test_what_differs_beside_engines_is_said_but_of_those_that_are_none():
    def circumstances(*rows):
        return [said for said in summary.summary_stands_out(summary.summarize(rows), 0)
                if "side by side" in said]

    engines = [*runs("a", 1, governor="x"), *runs("b", 2, governor="y")]
    assert circumstances(*engines) == ["rows of more than one governor (x, y) stand side by side"]
    assert circumstances(*engines[:5], *runs("null", 9, engine="null")) == []


BUSY = "other processes and kernel threads used 90 % of the CPU time"


def on_busy(label, rates, us, **columns):
    """Runs of those rates and CPU times while others took the CPU."""
    return [row(label, i, **{"ops_per_sec": rate, "cpu_us_per_op": us + i / 1000, "bound_by": "cpu",
                             "warnings": BUSY, **columns}) for i, rate in enumerate(rates)]


#: as fast as one another; a takes least CPU time, then c, then b
NOISE = [[100.0, 130, 90, 160, 110], [105.0, 140, 95, 150, 120], [101.0, 99, 150, 140, 104]]
ALIKE = [*on_busy("a", NOISE[0], 1), *on_busy("b", NOISE[1], 3), *on_busy("c", NOISE[2], 2)]
FAST = on_busy("d", [1000.0, 1300, 900, 1100, 1001], 9)


def labels(*rows):
    return [point.label for point in tables(*rows)[0]]


def test_one_run_beside_several_is_named_and_the_others_are_told_apart_or_not():
    def said(*rows):
        return summary.summary_stands_out(summary.summarize(rows), 0)

    assert said(row("a"), row("b")) == [summary.ONE_RUN]
    assert said(*runs("a", 1), *runs("b", 1.001), row("c")) == [
        "one run says nothing of how much it varies: c",
        "not told apart: b and a: the 95 % interval of their ratio has 1 in it"]


def test_on_a_busy_machine_cpu_time_ranks_what_rates_do_not_tell_apart():
    found = summary.summarize([*ALIKE, *FAST])
    # who is surely faster is first, however much CPU time it takes
    assert [point.label for point in found.tables[0]] == ["d", "a", "c", "b"]
    assert summary.summary_heading(found.tables[0]).endswith("; " + summary.BY_CPU)
    assert ("told apart by CPU time per operation: a before c, which takes 2 times as much (95 %"
            " interval 1.99 to 2), c before b, which takes 1.5 times as much (95 % interval 1.5 to"
            " 1.5)") in summary.summary_stands_out(found, 0)
    assert [line["of best"] for line in shown(*ALIKE)] == ["92 %", "87 %", "100 %"]


def test_one_run_each_of_a_busy_machine_is_ranked_by_cpu_time():
    single = [ALIKE[0], ALIKE[5], ALIKE[10], FAST[0]]
    assert labels(*single) == ["a", "c", "b", "d"]
    assert headline(*single).startswith(
        "readrandom, 1 thread: a and c are not told apart by rates of a busy machine; a takes 1 us"
        " of CPU time per operation, c 2 times that (one run each: no interval). But")


def test_a_headline_says_whether_cpu_time_tells_what_rates_do_not():
    assert ("a and c are not told apart by rates of a busy machine; a takes 1 us of CPU time per"
            " operation, c 2 times that (95 % interval 1.99 to 2).") in headline(*ALIKE)
    same = [*on_busy("a", NOISE[0], 1), *on_busy("b", NOISE[1], 1.0005)]
    assert "nor by CPU time per operation (ratio 1, 95 % interval 0.99" in headline(*same)
    assert "d leads with" in headline(*ALIKE, *FAST)


@pytest.mark.parametrize("columns", [
    {"warnings": None}, {"warnings": "the CPU ran at 95 degrees"}, {"bound_by": "device"},
    {"cpu_us_per_op": None}, {"servers": 1}, {"target_rate": 30, "read_resp_p99_ns": 5},
    {"durability": "sync", "writes": 9},
    {"benchmark": "readwhilewriting", "reads": 9, "writes": 9},
    {"benchmark": "seekrandomwhilewriting", "reads": 0, "scans": 9, "writes": 9}],
                         ids=["quiet", "hot", "device", "unknown", "servers", "open loop", "syncs",
                              "writer beside reads", "writer beside scans"])
def test_else_the_order_is_that_of_rates(columns):
    rows = [{**one, **columns} for one in ALIKE]
    (table,) = tables(*rows)
    assert summary.BY_CPU not in summary.summary_heading(table)
    if "target_rate" not in columns:
        assert [point.label for point in table] == ["b", "a", "c"]


def test_reads_of_a_database_that_syncs_are_ranked_by_cpu_time():
    assert labels(*({**one, "durability": "sync", "writes": 0} for one in ALIKE)) == ["a", "c", "b"]


def test_a_machine_is_busy_if_it_was_in_half_of_the_runs_of_an_engine():
    def warned(runs):
        return [{**one, "warnings": BUSY if i < runs else None} for i, one in enumerate(ALIKE[:4])]

    assert [summary.summary_busy(tables(*warned(n))[0]) for n in (1, 2)] == [False, True]
    null = [{**one, "engine": "null", "label": "null"} for one in ALIKE[:5]]
    assert not summary.summary_busy(tables(*null, row("a"))[0])


def test_cpu_time_stands_beside_the_rate_where_the_machine_was_busy():
    assert [*shown(*ALIKE, width=999)[0]][:3] == ["engine", "ops/s", "CPU us/op"]
    (line, *_) = shown(*({**one, "bound_by": "device"} for one in ALIKE), width=999)
    assert line["CPU us/op"] == "3"
    assert "CPU us/op" not in shown(*({**one, "warnings": None} for one in ALIKE), width=999)[0]
    assert "CPU us/op" not in shown(*({**one, "servers": 1} for one in ALIKE), width=999)[0]
    quiet = [{**one, "warnings": None} for one in ALIKE]
    assert "CPU us/op" in shown(*quiet, width=None)[0]
    # what servers use is not known from that of their client
    assert "CPU us/op" not in shown(*({**one, "servers": 1} for one in quiet), width=None)[0]


def test_what_is_no_engine_keeps_its_place():
    null = on_busy("null", [1e6] * 5, 0.1, engine="null")
    device = on_busy("aio", [120.0] * 5, 0.2, engine="aio")
    assert labels(*ALIKE, *null, *device)[0] == "null"
    assert sorted(labels(*ALIKE, *null, *device)[1:]) == ["a", "aio", "b", "c"]
    assert [x for x in labels(*ALIKE, *null, *device) if x in "abc"] == ["a", "c", "b"]


def said_of_slow(**columns):
    (line,) = summary.summarize([row(read_p999_ns=5e6, **columns)]).tables[0]
    return summary._summary_slow_said(line)


def test_slow_calls_are_told_by_what_they_waited_for_the_most_first():
    stalls = {"slow_stall_percent": 60, "slow_stall_flush_percent": 5,
              "slow_stall_compaction_percent": 45, "slow_stall_level0_percent": 15}
    assert said_of_slow() is said_of_slow(slow_above_p99_ms=0, **stalls) is None
    assert said_of_slow(slow_above_p99_ms=9, slow_covered_percent=79.6, slow_cpu_percent=12,
                        slow_not_attributed_percent=27.5, slow_steal_percent=0.4, **stalls) == (
        "a: p99.9 of readrandom is 5.0 ms; of the time above p99 30 % in write stalls that ended"
        " with a compaction, 15 % in write stalls that ended with a compaction of level 0, 12 %"
        " CPU, 10 % in write stalls, 5 % in write stalls that ended with a memtable flush, 28 % not"
        " attributed (the kept calls hold 80 % of it)")
    assert said_of_slow(slow_above_p99_ms=0.1, slow_covered_percent=80, slow_blocked_percent=0.5,
                        slow_runnable_percent=0.49) == (
        "a: p99.9 of readrandom is 5.0 ms; of the time above p99 1 % blocked otherwise")


@pytest.mark.parametrize("column, what", [
    ("own_sync", "own sync"), ("other_writer", "waiting for another writer"),
    ("device_read", "device reads"), ("flush", "waiting until a memtable flush ended"),
    ("compaction", "waiting until a compaction ended"),
    ("checkpoint", "waiting until a checkpoint ended"), ("cpu", "CPU"),
    ("runnable", "runnable without a core"), ("steal", "stolen by the hypervisor"),
    ("blocked", "blocked otherwise"), ("not_attributed", "not attributed")])
def test_each_part_of_slow_calls_has_its_name(column, what):
    told = said_of_slow(slow_above_p99_ms=1, slow_covered_percent=99,
                        **{f"slow_{column}_percent": 33})
    assert told.endswith(f"above p99 33 % {what}")


@pytest.mark.parametrize("percent, noted", [(None, False), (9.99, False), (10, True)])
def test_the_harness_is_noted_from_a_tenth_of_an_operation_on(percent, noted):
    notes = summary._note_causes(row(harness_percent=percent))
    assert any("a tenth" in note for note in notes) == noted


def test_labels_are_three_at_most_and_how_many_more():
    assert [summary.summary_labels([*word]) for word in ("a", "abc", "abcd", "abcdef")] == [
        "a", "a, b, c", "a, b, c, and 1 more", "a, b, c, and 3 more"]


@pytest.mark.parametrize("text, runs, said", [
    ("waited 7 us", 1, "note, 1 of 3 rows: waited 7 us (a)"),
    ("waited 7 us", 2, "note, 2 of 3 rows: up to: waited 7 us (a)"),
    ("is late", 2, "note, 2 of 3 rows: is late (a)")])
def test_a_figure_of_several_runs_is_the_greatest(text, runs, said):
    cause = summary.Cause("note", summary.cause_kind(text), text, runs, 3, ("a",))
    assert cause.said(3) == said


def test_of_causes_the_greatest_figure_is_told_and_of_equal_ones_the_last():
    causes = [summary.Cause("note", "", text) for text in ("none", "9 us", "10 us", "10 ms", "x")]
    assert summary._greatest_cause(causes) == causes[3]
    assert summary._greatest_cause(causes[:1] + causes[4:]) == causes[4]
    # 0 is more than no figure
    assert summary._greatest_cause([summary.Cause("note", "", text)
                                    for text in ("0 us", "late")]).text == "0 us"


@pytest.mark.parametrize("changes, said", [
    ({}, []), ({"write_buffer_bytes": 1000}, []),
    ({"write_buffer_bytes": 1001},
     ["no memtable was filled: what an LSM tree writes later is not in its figures"]),
    ({"write_buffer_bytes": 1001, "engine": "lmdb"}, []),
    ({"write_buffer_bytes": 1001, "writes": 0}, []),
    ({"distribution": "sequential"},
     ["loaded in key order: write and space amplification of an LSM tree are at their least"])])
def test_of_an_lsm_tree_what_it_writes_later_is_not_in_the_row(changes, said):
    of = {"engine": "leveldb", "writes": 10, "key_size": 16, "value_size": 84, **changes}
    assert list(summary._cause_written_early(row(**of))) == said


@pytest.mark.parametrize("by, order, said", [
    ("lmdb-fillseqbatch-1t-ab", None, "fillseqbatch (in key order)"),
    ("lmdb-fillseqbatch-1t-ab", "random", "fillseqbatch"),
    ("lmdb-loadrandom-4t", "sequential", "loadrandom (in key order)"),
    ("mine", None, "mine"), ("ycsb-load-1t", None, "load")])
def test_a_load_has_its_workload_and_its_order(by, order, said):
    assert summary._summary_load(row(loaded_by=by, load_order=order)) == said


def test_conditions_are_told_once_with_their_units():
    (table,) = tables(row(num=1000, key_size=16, value_size=100, durability="async", host="h",
                          mix="50r", distribution="zipf", memory_limit_kb=2048))
    assert summary.summary_conditions(table) == (
        "mix 50r, distribution zipf, 1,000 records of 16 + 100 bytes, durability async,"
        " 2 MiB of memory, on h")


@pytest.mark.parametrize("columns, shown", [
    ({"memory_used_kb": 2048, "rss_kb": 1}, "2 MiB"), ({"rss_kb": 3072}, "3 MiB"), ({}, "-")])
def test_memory_is_what_the_engine_used_or_else_the_process_had(columns, shown):
    (table,) = tables(row(**columns))
    cells = {cell.head: cell.text for cell in
             summary._summary_cost_cells(table[0], None, False)}
    assert cells["memory"] == shown


@pytest.fixture
def asked(tmp_path, capsys, monkeypatch):
    """What summary.sh prints of rows."""
    def of(rows, *arguments, columns=""):
        monkeypatch.setenv("COLUMNS", columns)
        (tmp_path / "rows").write_text("".join(json.dumps(one) + "\n" for one in rows))
        summary.main([str(tmp_path / "rows"), *arguments])
        return capsys.readouterr().out
    return of


def test_a_summary_is_a_table_sentences_or_json(asked):
    rows = [row("a", 1, num=9), row("b", 2, num=9), row("a", 3, valid=0, num=9)]
    found = summary.summarize(rows)
    assert asked(rows, "--all") == "\n".join(summary.summary_text(found, None)) + "\n"
    assert asked(rows, "--found") == "".join(f"{said}\n" for said in summary.summary_found(found))
    told = json.loads(asked(rows, "--format=json"))
    assert (told["rows"], len(told["tables"]), told["found"]) == (
        found.rows, 1, summary.summary_found(found))
    (table,) = told["tables"]
    assert [(point["label"], point["runs"]) for point in table["points"]] == [("b", 1), ("a", 1)]
    assert table["ratio"][0] == pytest.approx(102 / 101) and table["ratio"][1:] == [None, None]
    assert table["heading"].startswith("readrandom, 1 thread, ")
    wide, narrow = asked(rows), asked(rows, columns="40")
    assert max(map(len, narrow.splitlines())) <= 40 < max(map(len, wide.splitlines()))
    assert asked(rows, columns="x") == wide


@pytest.mark.parametrize("arguments, why", [
    ([], "which results"), (["a", "b"], "cannot read 'b': a summary is of one file"),
    (["a", "--width=5"], "no option '--width'"), (["--format=tsv", "a"], "no option '--format'")])
def test_what_is_no_argument_of_a_summary(arguments, why):
    with pytest.raises(Failure, match=why):
        summary.main(arguments)


def test_hosts_have_tables_of_their_own_unless_one_is_asked_for(asked):
    rows = [row("a", 1, host="h"), row("b", 2, host="i")]
    assert len(json.loads(asked(rows, "--format=json", "--allow=host"))["tables"]) == 1
    assert len(json.loads(asked(rows, "--format=json"))["tables"]) == 2


@pytest.mark.parametrize("first, last, said", [
    (100, 110, "+10 %"), (100, 90, "-10 %"), (100, 100, "+0 %"), (0, 5, "-"), (None, 5, "-"),
    (100, None, "-100 %")])
def test_the_change_of_a_rate_is_from_its_first_fifth_to_its_last(first, last, said):
    assert summary._summary_rate_changed({"rate_first_fifth": first,
                                          "rate_last_fifth": last}) == said


@pytest.mark.parametrize("columns, said", [
    ({"steady": 0}, "not steady: the rate still changed at the end"),
    ({"target_rate_met": 0}, "the rate was missed: how long"), ({"warnings": "a; b"}, "a")])
def test_doubts_about_a_row_are_causes(columns, said):
    found = [*summary._warning_causes(row(**columns))]
    assert found[0].startswith(said) and len(found) == (2 if "warnings" in columns else 1)
    assert [*summary._warning_causes(row(steady=1, target_rate_met=1))] == []


@pytest.mark.parametrize("met, said", [
    ((1, 1), "a leads with a p99 response time of 1.0 us, b's is 2 times that (one run each: no"
     " interval). The rate was met."),
    ((1, 0), "a met the rate with a p99 response time of 1.0 us, b missed it with 2.0 us. But b: "),
    ((0, 0), "a leads with a p99 response time of 1.0 us, b's is 2 times that (one run each: no"
     " interval). But a: "), ((1,), "a has a p99 response time of 1.0 us. The rate was met.")])
def test_a_headline_of_an_open_loop_says_who_met_the_rate(met, said):
    rows = [row(label, target_rate=100, target_rate_met=one, read_resp_p99_ns=1000 * at, i=at)
            for at, (label, one) in enumerate(zip("ab", met), 1)]
    assert headline(*rows).startswith(f"readrandom, 1 thread, 100 operations/s asked for: {said}")


def test_who_met_a_rate_is_told_apart_from_who_missed_it_whatever_their_times():
    def paced(label, met):
        return [row(label, i, target_rate=100, target_rate_met=met, read_resp_p99_ns=1000 + i)
                for i in range(5)]
    assert "not told apart" in headline(*paced("a", 1), *paced("b", 1))
    assert "a met the rate with" in headline(*paced("a", 1), *paced("b", 0))
    once_met = paced("b", 0)
    once_met[0]["target_rate_met"] = 1
    assert "a and b are not told apart" in headline(*once_met, *paced("a", 0))


def test_of_those_that_missed_a_rate_the_times_decide_however_often_it_was():
    def paced(label, ns, *met):
        return [row(label, i, target_rate=100, target_rate_met=one, read_resp_p99_ns=ns)
                for i, one in enumerate(met)]
    (table,) = tables(*paced("a", 2000, 0, 0, 1), *paced("b", 1000, 0, 0, 0), *paced("c", 3000, 0))
    assert [point.label for point in table] == ["b", "a", "c"]


def test_latencies_of_a_line_are_those_of_its_own_kind_and_of_the_writes_beside():
    def cells(**columns):
        ((point,),) = tables(row("a", read_p50_ns=1000, read_p99_ns=2000, read_p999_ns=3000,
                                 write_p99_ns=4000, write_resp_p99_ns=5000, **columns))
        return {cell[0]: cell[1] for cell in summary._summary_latency_cells(point)}
    alone = cells(reads=5, writes=0)
    assert [alone[name] for name in ("p50", "p99", "p99.9", "write p99", "write response p99")] \
        == ["1.0 us", "2.0 us", "3.0 us", "-", "-"]
    beside = cells(reads=5, writes=5, writes_per_sec=7, reads_per_sec=9)
    assert (beside["writes/s"], beside["write p99"], beside["write response p99"]) == (
        "7", "4.0 us", "5.0 us")
    assert "call p99" in cells(reads=5, target_rate=9, target_rate_met=1, read_resp_p99_ns=7)
