"""Of measured rows and prices: how many machines suffice."""
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
