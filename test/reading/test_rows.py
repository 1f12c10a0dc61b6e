"""Rows: how files of them are read, what they say, and which belong together."""
import pytest
from reading import rows
from reading.command import Failure


@pytest.fixture
def read(tmp_path, capsys):
    """The rows of a file with that text, as values of x, and what was said of it."""
    def of(text):
        file = tmp_path / "rows.json"
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        found = [row.get("x") for row in rows.read_rows(str(file), 2)]
        return found, capsys.readouterr().err.replace(str(file), "FILE").rstrip("\n")
    return of


def row(x, **more):
    pairs = "".join(f', "{name}": {value}' for name, value in more.items())
    return f'{{"x": {x}, "benchmark": "b", "time": "t"{pairs}}}'


CUT = '{"x": 9, "benchmark": "b", "ti'


@pytest.mark.parametrize("text, found, said", [
    (f"{row(1)}\n{row(2)}\n", [1, 2], ""),
    (f"{row(1)}\r\n{row(2)}\r\n", [1, 2], ""), (f"{row(1)}\r\n\r\n{row(2)}\r\n", [1, 2], ""),
    (row(1), [1], ""),
    (f"{row(2)}\n{row(2)}\n".replace(": ", ":"), [2],
     "reading: FILE: 1 rows stand there twice, and count once"),
    (f"{row(1)}\n{row(1)}\n{row(2)}\n{row(1)}\n", [1, 2],
     "reading: FILE: 2 rows stand there twice, and count once"),
    # without a time nothing tells two runs apart, and none says that they are one
    ('{"x": 1, "benchmark": "b"}\n' * 2, [1, 1], ""),
    (f"{row(1)}\n{CUT}\n{row(2)}", [1, 2], "reading: FILE: rows cut short, and left out: 1"),
    (f"{row(1)}{CUT}", [1], "reading: FILE: rows cut short, and left out: 1"),
    ('{\n"x": 1,\n"benchmark": "b"}\n{"x": 2, "benchmark":\n"c"} ', [1, 2], ""),
    (f"{row(1)}{row(2)}{row(2)}".replace(": ", ":"), [1, 2],
     "reading: FILE: 1 rows stand there twice, and count once"),
    ('{"benchmark":"a}{b","x":1}{"x":2,"benchmark":"b"}', [1, 2], ""),
    (row('"a\tb"'), ["a b"], ""), (row(r'"\u001b[1m\n"'), [" [1m "], ""),
    (row(r'"\u00b5 \"\\"'), ['µ "\\'], ""), (row('"µ"'), ["µ"], "")])
def test_a_file_has_each_row_once_that_is_whole(read, text, found, said):
    assert read(text) == (found, said)


@pytest.mark.parametrize("text, why", [
    ("", "FILE has no row"), (CUT, "FILE has no row that is not cut short"),
    ("# no\n", "FILE does not hold rows as JSON lines: "),
    (f"{row(1)}\n[1]\n", "FILE does not hold rows as JSON lines: not a row"),
    (f'{row(1)}\n{{"x": 1}}\n', "FILE does not hold rows as JSON lines: not a row"),
    (f"{row(1)}\n3\n{row(2)}", "FILE does not hold rows as JSON lines: not a row"),
    (row(1, schema='"assay/1"'), "FILE does not hold rows as JSON lines: a row of assay/1, which "
     "scripts/upgrade-rows.jq of release 0.3.0 converts")])
def test_a_file_without_rows_or_with_something_else_ends_the_script(read, tmp_path, text, why):
    with pytest.raises(Failure) as end:
        read(text)
    assert end.value.status == 2
    assert end.value.args[0].replace(str(tmp_path / "rows.json"), "FILE").startswith(why)


def test_a_column_that_was_renamed_has_its_name_of_today(read, tmp_path):
    read(row(1, device_write_amp=2, device_write_amp_all_in=3))
    found, = rows.read_rows(str(tmp_path / "rows.json"))
    assert (found["host_write_amp"], found["host_write_amp_all_in"]) == (2, 3)


# ---- order and groups

def test_values_of_all_types_have_an_order():
    ordered = [None, False, True, -1, 0.5, 2, 10, "", "10", "9", [], [None], [0, 1], [1], {"a": 2}]
    shuffled = ordered[::2] + ordered[1::2]
    assert sorted(shuffled, key=rows.row_order) == ordered


def test_groups_are_by_the_order_of_keys_and_in_that_of_items():
    items = [(2, "a"), (None, "b"), (10, "c"), ("x", "d"), (2, "e"), (None, "f")]
    names = [[name for _, name in group] for group in rows.group_rows(items, lambda item: item[0])]
    assert names == [["b", "f"], ["a", "e"], ["c"], ["d"]]
    names = [[name for _, name in group] for group in rows.row_groups(items, lambda item: item[0])]
    assert names == [["a", "e"], ["b", "f"], ["c"], ["d"]]


def test_values_of_columns():
    some = [{"a": 2, "b": 1}, {"a": None, "b": 1}, {"a": 1}, {"a": 2, "b": 1}]
    assert rows.row_values(some, "a") == [None, 1, 2] and rows.known_row_values(some, "a") == [1, 2]
    assert rows.rows_differing(some, ("b", "a", "c")) == ["b", "a"]
    assert rows.why_rows_mixed(some, ("a", "c"), "one plot") == \
        ["rows of more than one a (1, 2, none) do not belong in one plot"]
    assert rows.distinct("banana") == ["b", "a", "n"]
    assert rows.columns_of_row(some) == {"a", "b"}
    assert rows.row_number({"a": True, "b": "1", "c": 0}, "c") == 0
    assert [rows.row_number({"a": True, "b": "1"}, c) for c in "abc"] == [None] * 3


@pytest.mark.parametrize("some, median", [
    ([{"a": 1, "b": None, "c": "x"}, {"a": 3, "b": 5, "c": "y", "d": 7}, {"a": 4, "b": 6, "d": 8}],
     {"a": 3, "b": 5.5, "c": "x", "d": 7.5}),
    ([{"a": 1, "b": True, "c": None}, {"a": 4, "b": False, "c": None}],
     {"a": 2.5, "b": True, "c": None}),
    ([{"a": 2, "b": 1}, {"b": 3, "a": 10}], {"a": 6, "b": 2}),
    ([{"a": 10}, {"a": 9}, {"a": 1}], {"a": 9}), ([{"a": 1}], {"a": 1})])
def test_a_median_is_of_each_number_also_of_those_that_the_first_row_lacks(some, median):
    assert rows.median_row(some) == median


# ---- rows side by side

def test_what_are_no_settings_is_taken_out():
    found = rows.rows_settled(
        {"cold": "files, but 3 MiB", "engine_options": "a=1 maxreaders=126 b=2"}
    )
    assert found == {"clients": 1, "cold": "files", "engine_options": "a=1 b=2"}
    assert rows.rows_settled({"clients": 3, "cold": None, "engine_options": "a=1"}) == \
        {"clients": 3, "cold": "none", "engine_options": "a=1"}
    assert rows.rows_settled({"cpus": "pinned 1,0"})["cpus"] == "pinned"
    assert rows.rows_settled({"cpus": "1"})["cpus"] == "1"


def test_a_row_on_no_file_system_is_on_that_of_all_others_and_a_label_says_its_own():
    def on(*some):
        return [(one["filesystem"], one["cold"]) for one in rows.rows_beside(
            [{"label": label, "filesystem": fs, "cold": "all"} for label, fs in some])]

    assert on(("lmdb", "xfs"), ("null", None)) == [("xfs", "all")] * 2
    assert on(("a", "xfs"), ("b", "ext4"), ("null", None))[2] == (None, "all")
    assert on(("lmdb:xfs", "xfs"), ("lmdb:raw", "raw")) == [(None, "cold")] * 2


@pytest.mark.parametrize("some, labels", [
    ([{}, {}], ["a", "a"]),
    ([{"batch_size": 1}, {"batch_size": 10}], ["a+batch_size=1", "a+batch_size=10"]),
    ([{"mix": None}, {"mix": "read:9,scan:1"}], ["a+mix=none", "a+mix=read_9_scan_1"]),
    # other labels have no need of it, but of a condition
    ([{"batch_size": 1}, {"batch_size": 9}, {"label": "b", "batch_size": 1}],
     ["a+batch_size=1", "a+batch_size=9", "b+batch_size=1"]),
    ([{"cache_bytes": 1}, {"cache_bytes": 9}, {"label": "b", "cache_bytes": 1}],
     ["a+cache_bytes=1", "a+cache_bytes=9", "b"]),
    ([{"durability": "sync"}, {"label": "b", "durability": "none"}],
     ["a+durability=sync", "b+durability=none"]),
    # the engine's own account of its options is told where nothing else differs, and what is not
    # shared of it
    ([{"engine_options": "m=1 x=2"}, {"engine_options": "m=1 y=3"}], ["a+x=2", "a+y=3"]),
    ([{"engine_options": "m=1 x=2", "batch_size": 2}, {"engine_options": "m=1", "batch_size": 3}],
     ["a+batch_size=2", "a+batch_size=3"]),
    ([{"threads": 2, "batch_size": 1}, {"threads": 1, "batch_size": 2}], ["a", "a"])])
def test_labels_say_in_what_settings_rows_differ(some, labels):
    told = rows.rows_told_apart(
        {"label": "a", "benchmark": "b", "threads": 1, **one} for one in some
    )
    assert [one["label"] for one in told] == labels


# ---- what a row says

BOTH = {"read_p50_ns": None, "read_p99_ns": 5, "read_resp_p99_ns": 7, "write_p50_ns": 9,
        "write_p99_ns": 9, "write_resp_p50_ns": 9}


def test_quantiles_of_a_row_are_of_one_kind_of_call():
    assert [rows.row_latency(BOTH, q) for q in ("p50", "p99")] == [None, 5]
    assert [rows.row_response(BOTH, q) for q in ("p50", "p99")] == [None, 7]


@pytest.mark.parametrize("one, kind", [
    (BOTH, "read"), ({"read_max_ns": 1, "write_p99_ns": 1}, "read"),
    ({"write_p99_ns": 1, "scan_p99_ns": 1, "ops": 9, "scans": 1}, "write"),
    ({"write_p99_ns": 1, "scan_p99_ns": 1, "ops": 9, "scans": 8}, "scan"),
    ({"scan_p999_ns": 1}, "scan"),
    ({"read_mean_ns": 1, "scan_p50_ns": 1}, "scan"), ({}, "read")])
def test_the_kind_of_a_row_is_the_first_that_was_timed(one, kind):
    assert rows.row_timed_kind(one) == kind


def test_paced_is_who_had_a_rate_and_response_times():
    assert rows.row_is_paced({**BOTH, "target_rate": 30})
    assert not rows.row_is_paced(BOTH)
    assert not rows.row_is_paced({"read_p99_ns": 5, "target_rate": 30})


@pytest.mark.parametrize("build, writes, unfit, why", [
    (None, 1, False, ""), ("libx 1.2", 1, False, ""),
    ("x: not fit for comparison", 0, True, ""),
    ("x, assertions compiled in: not fit for comparison", 0, True, ": assertions compiled in"),
    ("x, assertions compiled in, no CRC-32C instructions: not fit for comparison", 0, True,
     ": assertions compiled in, no CRC-32C instructions"),
    ("x, no CRC-32C instructions: not fit for comparison of writes", 0, False,
     " of writes: no CRC-32C instructions"),
    ("x, no CRC-32C instructions: not fit for comparison of writes", 1, True,
     " of writes: no CRC-32C instructions")])
def test_a_build_that_is_not_fit_has_its_reason(build, writes, unfit, why):
    one = {"engine_build": build, "writes": writes}
    assert (rows.row_unfit(one), rows.row_unfit_why(one)) == (unfit, why)


def test_cautions_say_in_how_many_runs():
    some = [{"warnings": "heat", "steady": 0, "target_rate_met": 1}, {"warnings": None},
            {"engine_build": "x: not fit for comparison", "warnings": "cold", "steady": 1}]
    assert rows.row_cautions(some) == ["a build that is not fit for comparison in 1 of 3 runs",
                                       "not steady in 1 of 3 runs", "warnings in 2 of 3 runs: heat"]
    assert rows.row_cautions(some[:1]) == ["not steady", "warnings: heat"]
    assert rows.row_cautions([{}]) == [] and rows.row_rate_missed(some) is None
    assert rows.row_rate_missed([{"target_rate_met": 0}, {}]) == "rate missed in 1 of 2 runs"


def test_a_run_of_a_sweep_is_the_same_wherever_its_directory_lies():
    said = {
        rows.row_run_of_sweep({"time": "t", "command": f"./b --json={at}/s/runs/r-1t/row.json -x"})
        for at in ("/a", "b/c")
    }
    assert said == {"t s/runs/r-1t"}


def test_names():
    assert rows.row_name({"engine": "lmdb"}) == "lmdb"
    assert rows.row_name({"engine": "lmdb", "label": "x"}) == "x"
    assert rows.row_threads({"benchmark": "b", "threads": 2}) == "b, 2 threads"
    assert rows.row_threads({"benchmark": "b"}) == "b, 1 thread"
