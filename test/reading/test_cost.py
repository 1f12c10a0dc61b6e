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
    with pytest.raises(Failure, match="--utilization: cannot use 70; give a fraction of 1"):
        cost.read_cost_requirements({**given, "--utilization": "70"})
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


def test_rows_that_differ_in_no_setting_are_runs_of_one_engine(tmp_path, capsys):
    runs = [{**ROW, "engine_options": f"path=1 maxreaders={room}"} for room in (18, 33)]
    _, said = made_costs(tmp_path, capsys, "--rate=10k", "--data=1g", rows=runs)
    assert len([line for line in said if "x small" in line and "e, 1 thread" in line]) == 2


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


def needs(columns=(), machine=(), required=()):
    """By resource, of how many large machines a rate of 1,000 and 1 GB ask for."""
    required = {"rate": 1000, "data": 1e9, **dict(required)}
    of = cost.CostConfiguration([{**ROW, **dict(columns)}], cost.CostRequirements(**required))
    return of.needs(LARGE._replace(**dict(machine)), 1)


#: 100,000 operations, each of 20 us
SERVED = {"servers": 1, "server_user_s": 1.5, "server_sys_s": 0.5}


@pytest.mark.parametrize("resource, columns, machine, required, need", [
    ("cpu", {"cpu_us_per_op": 2000}, {}, {}, 1000 * 2e-3 / (8 * 0.7)),
    ("cpu", {"cpu_us_per_op": None}, {}, {}, None), ("disk", {"space_amp": 3}, {}, {}, 3e-5),
    ("disk", {"space_amp": None}, {}, {}, None),
    ("iops", {"device_reads": 200000, "device_writes": 100000}, {}, {}, 0),
    ("iops", {"device_reads": 200000, "device_writes": 100000}, {"iops": 500}, {}, 6),
    ("iops", {"device_reads": 5, "device_writes": None}, {"iops": 500}, {}, None),
    ("endurance", {"writes": 50000, "device_write_bytes": 2e7}, {"endurance_tbw": 1}, {}, 0),
    # 1,000 operations a second have 200 bytes written each, for two years
    ("endurance", {"writes": 50000, "device_write_bytes": 2e7}, {"endurance_tbw": 1}, {"years": 2},
     1000 * 200 * 2 * cost.YEAR_S / 1e12),
    ("endurance", {"writes": 0}, {"endurance_tbw": 1}, {"years": 2}, 0),
    ("endurance", {"writes": 5}, {"endurance_tbw": 1}, {"years": 2}, None),
    # half of the operations update, which is a read and a write
    ("cpu", {"cpu_us_per_op": 10, "writes": 50000}, {}, {}, 1000 * 15e-6 / (8 * 0.7)),
    ("cpu", {"cpu_us_per_op": 8, **SERVED}, {}, {}, 1000 * 28e-6 / (8 * 0.7)),
    ("cpu", {"cpu_us_per_op": 8, **SERVED, "server_sys_s": None}, {}, {}, None),
    ("throughput", {"cores": 64, "cpu_quota": 2}, {}, {}, 1000 / (10000 * 0.7)),
    ("throughput", {}, {"cores": 2}, {}, 1000 / (10000 * 0.5 * 0.7)),
    ("throughput", {"cores": None}, {}, {}, None)])
def test_each_resource_asks_for_its_machines(resource, columns, machine, required, need):
    found = needs(columns, machine, required)[resource]
    assert found == (None if need is None else pytest.approx(need))


def test_servers_that_use_all_cpus_ask_for_more_machines():
    row = {**ROW, **SERVED, "cores": 2, "cpu_us_per_op": 8, "ops_per_sec": 70000,
           "target_rate": 70000, "target_rate_met": 1, "read_resp_p99_ns": 900}
    required = cost.CostRequirements(rate=70000, data=1e8)
    (offer,) = cost.machine_costs([row], [LARGE._replace(cores=2)], required).offers
    assert (offer.count, offer.binding) == (2, "cpu")


def test_drives_last_as_long_as_what_is_written_allows():
    of = cost.CostConfiguration([{**ROW, "writes": 100000, "device_write_bytes": 2e7}],
                                cost.CostRequirements(rate=1000, data=1e9))
    assert of.lasts(LARGE._replace(endurance_tbw=5), 3) == \
        pytest.approx(15e12 / (1000 * 100 * 2) / cost.YEAR_S)
    assert of.lasts(LARGE, 3) is None


@pytest.mark.parametrize("columns, p99, why", [
    ({}, None, None), ({"read_p99_ns": 5000}, 5000, None),
    ({"read_p99_ns": 5001}, 5000, "p99 of 5.0 us without a target rate"),
    ({"read_resp_p99_ns": 7e6, "target_rate": 9}, 5000, "p99 of 7.0 ms"),
    ({}, 5000, "its rows have no latencies (--latency=0)"),
    ({"space_amp": None, "cpu_us_per_op": None}, None, "not measured: cpu, memory, disk")])
def test_a_machine_is_excluded_by_a_p99_or_by_what_was_not_measured(columns, p99, why):
    required = cost.CostRequirements(rate=1, data=1e9, p99=p99)
    (offer,) = cost.machine_costs([{**ROW, **columns}], [LARGE], required).offers
    if why and why.startswith("not measured"):
        assert offer.why.startswith("not measured: cpu") and "disk" in offer.why
    else:
        assert offer.why == why


def test_rows_that_are_not_used_are_told_with_the_reason(tmp_path, capsys):
    rows = [{**ROW, "valid": 0, "invalid_reason": "why"}, {**ROW, "steady": 0},
            {**ROW, "target_rate": 5, "target_rate_met": 0}, {**ROW, "steady": 0}]
    status, said = made_costs(tmp_path, capsys, "--rate=1", "--data=1", rows=rows)
    assert status == 1 and said[0] == "no row can be used, so no machine is known to suffice"
    assert [line for line in said if line.startswith("not used")] == [
        "not used: 1 row of e: invalid: why",
        "not used: 1 row of e: it did not meet its target rate",
        "not used: 2 rows of e: its rate was not steady"]
    rows = [{**ROW, "read_p99_ns": 9}]
    status, said = made_costs(tmp_path, capsys, "--rate=1", "--data=1", "--p99=1ns", rows=rows)
    assert status == 1 and said[0] == "no machine of the table suffices, with any engine"
    assert [line for line in said if line.startswith("excl")] == [
        "excluded: e, 1 thread on big, small: p99 of 9.0 ns without a target rate"]


@pytest.mark.parametrize("text, why", [
    ("machine\tcores\nx\t1\n", "has no memory_gib, disk_gb, price"),
    ("machine\tcores\tmemory_gib\tdisk_gb\tprice\n", "has no machine, cores, memory_gib"),
    ("machine\tcores\tmemory_gib\tdisk_gb\tprice\nx\t1\t2\t\t4\n", "the line of x lacks a number"),
    ("machine\tcores\tmemory_gib\tdisk_gb\tprice\nx\t1\t2\n", "the line of x lacks a number")])
def test_a_table_of_prices_has_what_is_needed(tmp_path, text, why):
    (tmp_path / "prices").write_text(text)
    with pytest.raises(Failure, match=why):
        cost.read_cost_prices(str(tmp_path / "prices"))
