"""Of measured rows and prices: how many machines suffice."""
import pytest
from reading import cost

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
