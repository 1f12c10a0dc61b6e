"""How long a plan takes, by what its runs took before."""
import pytest
from reading.estimate import estimate_plan
from reading.points import Point


def rows(command, rate, seconds):
    return [Point(command=f"./bench_x {command}", ops_per_sec=rate, threads=1, seconds=seconds,
                  time=f"2026-01-01T00:00:{at}Z") for at in ("00", "12")]


def test_more_operations_take_longer_by_their_rate():
    # a row took ten seconds, and two until the next: of 1,200 operations it takes 122
    before = rows("--json=out/x-round2/runs/lmdb-0.9-r-1t/row.json --reads=100", 10, 10)
    assert list(estimate_plan(before, [
        "# x: scripts/sweep.sh", "./bench_x --json=/new/x/runs/lmdb-0.9-r-1t/row.json --reads=1200",
        "./bench_x --json=/new/x/runs/other-1t/row.json"])) == [
        "about 3 minutes for 1 of 2 runs; 1 were never measured, such as x/other-1t",
        "  2 min  2 runs  x"]


@pytest.mark.parametrize("next_began, minutes", [("00:20:00", 20), ("00:35:00", 16)])
def test_what_stood_beside_a_long_run_counts_up_to_ten_minutes(next_began, minutes):
    run = "--json=out/x/runs/a-1t/row.json --duration=900"
    before = [Point(command=f"./bench_x {command}", ops_per_sec=10, threads=1, seconds=900,
                    time=f"2026-01-01T{at}Z")
              for command, at in ((run, "00:00:00"), ("--json=x/b/row.json", next_began))]
    assert next(iter(estimate_plan(before, ["# x: scripts/sweep.sh", f"./bench_x {run}"]))) == (
        f"about {minutes} minutes for 1 of 1 runs")


def test_reads_beside_a_load_do_not_end_it_and_a_steady_rate_takes_the_most():
    before = rows("--benchmarks=ucsb-0 --json=out/x/runs/a-1t/row.json --num=10 --reads=1", 10, 60)
    run = "--json=/new/x/runs/a-1t/row.json"
    assert next(iter(estimate_plan(before, [
        "# x: scripts/sweep.sh", f"./bench_x --benchmarks=ucsb-0 {run} --num=20 --reads=9",
        f"./bench_x --benchmarks=ucsb-c {run} --num=10 --until_steady=240"]))) == (
        "about 7 minutes for 2 of 2 runs")


def test_a_plan_that_is_not_by_commands_takes_as_long_as_its_rounds():
    before = rows("--json=out/x/runs/a-1t/row.json", 10, 10)
    assert list(estimate_plan(before, ["# x: a", "# x-round2: a"])) == [
        "about 1 minutes, as long as its rounds took before: the plan is not by commands"]
    assert list(estimate_plan(before, [])) == ["nothing to run: no engine of it is built"]
