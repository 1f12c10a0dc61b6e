"""Of measured rows and prices: how many machines suffice."""
import json
import re

import pytest
from reading import cost
from reading.command import Failure

LARGE = cost.CostMachine("large", cores=8, memory_gib=1000, disk_gb=100000, iops=None,
                         endurance_tbw=None, price=100)
ROW = {"valid": 1, "engine": "e", "benchmark": "readrandom", "threads": 1, "num": 1000000,
       "key_size": 16, "value_size": 84, "cores": 4, "memory_kb": 1 << 20, "space_amp": 1,
       "ops": 100000, "reads": 100000, "writes": 0, "ops_per_sec": 10000, "cpu_us_per_op": 1}


@pytest.mark.parametrize("changes, machines", [
    ({}, 8), ({"target_rate": 10000, "target_rate_met": 1, "read_resp_p99_ns": 900}, 5)])
def test_a_rate_that_was_met_is_not_reduced_and_one_without_a_target_is(changes, machines):
    required = cost.CostRequirements(rate=50000, data=1e9)
    (offer,) = cost.machine_costs([{**ROW, **changes}], [LARGE], required).offers
    assert (offer.count, offer.binding) == (machines, "throughput")


@pytest.mark.parametrize("fits, ratio", [
    (0, 1), (0.125, 0.75), (0.25, 0.5), (0.375, 0.375), (0.5, 0.25), (1, 0), (2, 0)])
def test_a_curve_of_misses_goes_through_its_points_and_is_straight_between(fits, ratio):
    assert cost.cost_misses_at([(0, 1), (0.25, 0.5), (0.5, 0.25), (1, 0)], fits) == ratio


@pytest.mark.parametrize("value, number", [
    ("5", 5), ("2.5k", 2500), ("0.5Gi", 1 << 29), ("0", None), ("0.0k", None), ("k", None),
    ("5kk", None), (".5", None), ("-1", None), ("1e3", None)])
def test_a_number_above_0_is_times_its_unit(value, number):
    if number is None:
        with pytest.raises(Failure):
            cost.cost_number_with_unit("--data", value, cost.COUNTS)
    else:
        assert cost.cost_number_with_unit("--data", value, cost.COUNTS) == number


@pytest.mark.parametrize("lines, points", [
    (["10\t0.5\t0.4", "20\t1\t0"], [(0, 1), (0.5, 0.4), (1, 0)]),
    (["20\t1\t0", "10\t0.5\t0.4"], None), (["10\t0.5"], None), (["10\tx\t0.4"], None), ([], None)])
def test_a_curve_of_misses_begins_with_all_of_nothing_cached(tmp_path, lines, points):
    path = tmp_path / "misses"
    path.write_text("\n".join(["cache\tfraction\tmiss_ratio", *lines, ""]))
    if points is None:
        with pytest.raises(Failure):
            cost.read_cost_misses(str(path))
    else:
        assert cost.read_cost_misses(str(path)) == points


def test_requirements_have_their_units_and_defaults():
    given = {"--prices": "f", "--rate": "20k", "--data": "1Gi"}
    required = cost.read_cost_requirements(given)
    assert required == cost.CostRequirements(20000, 1 << 30, None, 0.7, 0)
    required = cost.read_cost_requirements(
        {**given, "--p99": "2ms", "--utilization": "0.5", "--years": "3"})
    assert (required.p99, required.utilization, required.years) == (2e6, 0.5, 3)
    for missing in given:
        with pytest.raises(Failure):
            cost.read_cost_requirements({k: v for k, v in given.items() if k != missing})


def made_costs(tmp_path, capsys, *arguments, rows=(ROW,)):
    """What cost.sh prints of rows and a table of two machines."""
    prices, results = tmp_path / "prices", tmp_path / "results.json"
    prices.write_text("# a comment\nmachine\tcores\tmemory_gib\tdisk_gb\tprice\n"
                      "small\t4\t100\t1000\t10\n\nbig\t16\t100\t1000\t30\n")
    results.write_text("".join(json.dumps(row) + "\n" for row in rows))
    status = cost.main([f"--prices={prices}", *arguments, str(results)])
    return status, capsys.readouterr().out.splitlines()


def test_costs_are_printed_with_the_cheapest_first(tmp_path, capsys):
    status, said = made_costs(tmp_path, capsys, "--rate=10k", "--data=1g")
    # 10,000 of 0.7 * 10,000 a second on 4 cores; more cores are not faster than those measured
    assert (status, said[0]) == (
        0, "cheapest: 2 x small with e, 1 thread: 20; limited by throughput, of which 71 % is used")
    assert [re.split("  +", line)[:5] for line in said[2:5]] == [
        ["machines", "engine", "cost", "bound by", "used"],
        ["2 x small", "e, 1 thread", "20", "throughput", "71 %"],
        ["2 x big", "e, 1 thread", "60", "throughput", "71 %"]]
    _, table = made_costs(tmp_path, capsys, "--rate=7000", "--data=1g", "--format=tsv")
    assert [line.split("\t")[:6] for line in table] == [
        ["machine", "count", "engine", "cost", "binding", "used"],
        ["small", "1", "e, 1 thread", "10", "throughput", "1"],
        ["big", "1", "e, 1 thread", "30", "throughput", "1"]]


@pytest.mark.parametrize("arguments, why", [
    (["--rate=1"], "--data=SIZE is missing"), (["--data=1"], "--rate=N is missing"),
    (["--rate=1", "--data=1", "--format=json"], "cannot read '--format=json'"),
    (["--rate=1", "--data=1", "--nosuch=1"], "cannot read '--nosuch=1'"),
    (["--rate=1", "--data=1", "--benchmark=x"], "no row of x in")])
def test_what_costs_need_is_asked_for(tmp_path, capsys, arguments, why):
    with pytest.raises(Failure, match=why):
        made_costs(tmp_path, capsys, *arguments)


def test_of_several_workloads_one_is_chosen(tmp_path, capsys):
    rows = (ROW, {**ROW, "benchmark": "readseq"})
    with pytest.raises(Failure, match="these rows are of readrandom, readseq; choose one"):
        made_costs(tmp_path, capsys, "--rate=1", "--data=1", rows=rows)
    status, _ = made_costs(tmp_path, capsys, "--rate=1", "--data=1", "--benchmark=readseq",
                           rows=rows)
    assert status == 0


@pytest.mark.parametrize("curve, space_amp, reads", [
    (None, 1, 1), ([(0, 1), (1, 0.5)], None, 1), ([(0, 1), (1, 0)], 1, 1.5)])
def test_reads_follow_the_curve_from_the_memory_of_the_measurement(curve, space_amp, reads):
    # 1 GiB of memory for 2 GiB of data: half misses; of 4 GiB with 1 GiB three quarters do
    row = {**ROW, "num": (2 << 30) // 100, "space_amp": space_amp, "device_reads": 9}
    required = cost.CostRequirements(rate=1, data=4 * 2**30)._replace(curve=curve)
    of = cost.CostConfiguration([row], required)
    assert of.reads(LARGE._replace(memory_gib=1), 1) == pytest.approx(reads, abs=1e-6)


@pytest.mark.parametrize("columns, p99", [
    ({"read_p99_ns": 5, "write_p99_ns": 9, "read_resp_p99_ns": 70}, 9),
    ({"read_p99_ns": 5, "read_resp_p99_ns": 70, "target_rate": 9}, 70), ({}, None)])
def test_the_p99_is_that_of_the_slowest_kind_as_clients_see_it(columns, p99):
    assert cost.CostConfiguration([{**ROW, **columns}], cost.CostRequirements(1, 1)).p99 == p99
