"""Which functions make a difference: profiles as sums, errors of sampling, and the rule."""
import math

import pytest
from reading import compare_explain as explain
from reading.command import Failure
from reading.compare_explain import ALL, FunctionProfile, Key

HEADER = "function\tlibrary\tpart\tus_per_op\tpercent\tx\tsamples\tcaller"


def profile_of(tmp_path, *lines):
    (tmp_path / "run.functions.tsv").write_text("\n".join([HEADER, *lines, ""]))
    return explain._function_profile({"profile": str(tmp_path / "run")})


def test_a_profile_is_sums_by_function_and_library_without_the_harness(tmp_path):
    got = profile_of(
        tmp_path,
        "get\tliblmdb.so.0.0.1\tengine\t2.5\t0\t0\t50\tb",
        "get\tliblmdb.so.0.0.1\tengine\t1.5\t0\t0\t30\ta",
        "get\tbench_lmdb\tengine\t4\t0\t0\t80\tc",
        "loop\tbench_lmdb\tharness\t100\t0\t0\t900\td",
        "[liblmdb.so.1]\tliblmdb.so.1\tengine\t8\t0\t0\t160\te")
    assert got.us == {Key("get", "liblmdb"): 4, Key("get", "bench"): 4,
                      Key("[liblmdb]", "liblmdb"): 8, ALL: 16}
    assert got.samples == {Key("get", "liblmdb"): 80, Key("get", "bench"): 80,
                           Key("[liblmdb]", "liblmdb"): 160, ALL: 320}
    # the caller where it took longest
    assert got.callers[Key("get", "liblmdb")] == (2.5, "b")
    assert ALL not in got.callers


def sampled(us, samples, key=ALL):
    return FunctionProfile({key: us}, {key: samples}, {})


def test_errors_of_sampling_are_of_the_difference_of_means():
    old, new = [sampled(10, 100), sampled(20, 400)], [sampled(30, 225)]
    # variances: (10^2/100 + 20^2/400) / 2^2 and 30^2/225; means 15 and 30
    assert explain._profile_variance(old, ALL) == 0.5
    assert explain._profile_variance(new, ALL) == 4
    assert explain._profile_errors(old, new, ALL) == float(f"{15 / math.sqrt(4.5):.3g}")
    assert explain._profile_errors(new, old, ALL) == -float(f"{15 / math.sqrt(4.5):.3g}")


def test_a_function_that_one_side_lacks_is_zero_there_and_one_that_both_lack_no_difference():
    key = Key("get", "liblmdb")
    here, lacking = [sampled(6, 9, key)], [FunctionProfile({}, {}, {})]
    assert explain._explain_mean_us([*here, *lacking], key) == 3
    assert explain._profile_errors(lacking, here, key) == 3
    assert explain._profile_errors(lacking, lacking, key) == 0


@pytest.mark.parametrize("library, name", [
    ("liblmdb.so.0.0.1", "liblmdb"), ("librocksdb.so", "librocksdb"), ("bench_lmdb-1.0", "bench"),
    ("libx.so.1a", "libx.so.1a"), ("[kernel]", "[kernel]")])
def test_libraries_have_the_names_that_versions_share(library, name):
    assert explain._profile_library(library) == name


def test_profiles_are_found_in_the_directory_or_in_its_profile(tmp_path):
    with pytest.raises(Failure) as end:
        explain.profiled_rows(str(tmp_path))
    assert end.value.status == 2 and "has no profiles" in end.value.args[0]
    inner = tmp_path / "profile"
    inner.mkdir()
    (inner / "profiles.tsv").write_text("")
    (inner / "rows.json").write_text(
        '{"schema": "assay/2", "benchmark": "x", "valid": 1, "profile": "a"}\n')
    assert [r["profile"] for r in explain.profiled_rows(str(tmp_path))] == [str(inner / "a")]
    assert [r["profile"] for r in explain.profiled_rows(str(inner))] == [str(inner / "a")]


def test_functions_of_half_a_percent_on_a_side_are_named_in_order():
    old = [FunctionProfile({ALL: 200, Key("b", "x"): 1, Key("a", "x"): 0.99}, {}, {})]
    new = [FunctionProfile({ALL: 100, Key("c", "x"): 1.5, Key("a", "y"): 0.9, Key("b", "a"): 9},
                           {}, {}),
           FunctionProfile({ALL: 100, Key("c", "x"): 0.4, Key("a", "y"): 1.2}, {}, {})]
    # means of the new side: 0.95, 1.05 and 4.5; half a percent of the larger side is 1
    assert explain._profile_keys(old + new, old, new) == [
        ALL, Key("a", "y"), Key("b", "a"), Key("b", "x")]


def test_the_main_caller_is_that_of_the_longest_time_in_any_run():
    runs = [FunctionProfile({}, {}, {ALL: called}) for called in (
        (2.0, "first"), (5.0, "second"), (3.0, "third"))] + [FunctionProfile({}, {}, {})]
    assert explain._profile_main_caller(runs, ALL) == "second"
    assert not explain._profile_main_caller(runs, Key("none"))


def explained(tmp_path, old, new):
    """Of runs of `get` and `put`, (us, samples) of each."""
    pairs = []
    for side, runs in (("old", old), ("new", new)):
        rows = []
        for at, (get, put) in enumerate(runs):
            file = tmp_path / f"{side}{at}"
            (tmp_path / f"{side}{at}.functions.tsv").write_text("\n".join([
                HEADER, f"get\tliba.so.1\tengine\t{get}\t0\t0\t{get * 1000}\tcall",
                f"put\tliba.so.1\tengine\t{put}\t0\t0\t{put * 1000}\tmain", ""]))
            (tmp_path / f"{side}{at}.cpu.folded").write_text(
                f"engine;[liba.so.1];get {get}\nharness;loop 7\nengine;put {put}\n")
            rows.append({"profile": str(file), "ops": 1, "reads": 1, "writes": 1,
                         "benchmark": "readrandom", "threads": 1})
        pairs.append(rows)
    return explain.Pair("readrandom", *pairs)


def test_functions_that_differ_are_told_the_greatest_difference_first(tmp_path):
    pair = explained(tmp_path, [(10, 20), (11, 20.1), (9, 19.9)], [(15, 12), (16, 12.1), (14, 12)])
    found = explain.explain_pairs([pair])
    assert [(one.key.function, one.caller, one.differs) for one in found.differences] == \
        [("", "", False), ("get", "call", True), ("put", "main", True)]
    said = explain.explanation_text(found)
    assert said[1].startswith("readrandom: 30 -> 27.0333 us of CPU per operation in 3+3"
                              " profiles, -2.9667 (-5.7613 to ")
    assert [line.split()[0] for line in said[3:5]] == ["-7.9667", "+5"]
    assert said[5] == "these differ beyond chance, of 2 functions"
    get = found.as_json()[1]
    assert [get[c] for c in ("old_us_per_op", "new_us_per_op", "difference", "old_runs",
                             "benchmark", "threads")] == [10, 15, 5, 3, "readrandom", 1]
    assert get["low"] < 5 < get["high"] and get["p"] <= get["p_corrected"] < 0.05


def test_one_profile_has_no_interval_and_alike_ones_do_not_differ(tmp_path):
    once = explain.explanation_text(explain.explain_pairs(
        [explained(tmp_path, [(10, 20)], [(15, 20)])]))
    assert once[1:3] == [
        "readrandom: 30 -> 35 us of CPU per operation in 1+1 profiles",
        "no intervals: they need two or more profiles of each side; repeat the runs (--repeat)"]
    alike = explain.explanation_text(explain.explain_pairs(
        [explained(tmp_path, [(10, 20), (12, 20)], [(11, 20), (12, 21)])]))
    assert alike[2] == "no function differs beyond chance, of 2 functions"


def test_a_difference_is_one_from_four_errors_of_sampling(tmp_path):
    pair = explained(tmp_path, [(10, 20), (11, 20)], [(15, 12), (16, 12)])
    one = explain.explain_pairs([pair]).differences[1]
    answer = one.answer._replace(welch_p_holm=0.049)
    assert one._replace(answer=answer, sampling_errors=-4).differs
    assert not one._replace(answer=answer, sampling_errors=3.99).differs
    assert not one._replace(answer=answer._replace(welch_p_holm=0.05), sampling_errors=9).differs
    assert not one._replace(answer=answer._replace(welch_p_holm=None), sampling_errors=9).differs


def test_stacks_are_means_an_operation_of_the_new_side_and_the_old(tmp_path):
    pair = explained(tmp_path, [(10, 20), (20, 20)], [(30, 8)])
    assert explain._differential_stacks(pair) == ["[liba];get\t15\t7.5", "put\t4\t10"]


def test_a_table_has_all_functions_but_not_their_sum(tmp_path):
    pair = explained(tmp_path, [(10, 20), (11, 20)], [(15, 12), (16, 12)])
    explain.write_explanation(explain.explain_pairs([pair]), str(tmp_path / "x"), ("o", "n"))
    names, *lines = [line.split("\t") for line in
                     (tmp_path / "x" / "functions.tsv").read_text().splitlines()]
    assert names == [*explain.TABLE]
    assert [dict(zip(names, line))["function"] for line in lines] == ["put", "get"]
    assert "readrandom: CPU time per operation, o -&gt; n" in \
        (tmp_path / "x" / "readrandom.svg").read_text()


def test_profiles_are_there_or_in_a_directory_of_theirs(tmp_path):
    with pytest.raises(Failure, match="has no profiles; scripts/profile"):
        explain.profiled_rows(str(tmp_path))
    place = tmp_path / "profile"
    place.mkdir()
    (place / "profiles.tsv").write_text("")
    (place / "rows.json").write_text('{"engine": "null", "benchmark": "x", "profile": "p/1"}\n')
    for results in (tmp_path, place):
        assert [row["profile"] for row in explain.profiled_rows(str(results))] == \
            [str(place / "p/1")]
