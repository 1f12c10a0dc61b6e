"""What requirements cost, of measured rows and a table of prices, for cost.sh."""
from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

from . import tab_files
from .command import fail, read_options
from .rows import (
    KINDS,
    SETTINGS,
    Row,
    columns_as_key,
    group_rows,
    last_greatest,
    median_row,
    row_calls_per_operation,
    row_is_paced,
    row_name,
    row_number,
    row_valid,
    rows_of_results,
    rows_settled,
    unique,
)
from .stats import greatest_known, sum_if_known
from .text import aligned, as_text, count, percent, three, time

HELP = """usage: scripts/cost.sh --prices=FILE --rate=N --data=SIZE [option ...] RESULTS ...

Estimates from measured rows which machines a workload needs and what they cost. Prints a line for
each engine and kind of machine, the cheapest first: the number of machines, their price, the
resource that limits them with its utilization, and how long the drives last. Excluded engines and
machines follow with the reason. RESULTS are directories of sweep.sh, or files of JSON lines (--json
of bench_NAME). Rows that are invalid, not steady, or missed their target rate are not used.

  --prices=FILE         TSV with the columns machine, cores, memory_gib, disk_gb, iops (empty: no
                        limit), endurance_tbw (terabytes that its drives may be written) and price,
                        as scripts/cost-example.tsv, whose prices are invented
  --rate=N              required rate of all machines together, operations/s
  --data=SIZE           size of all keys and values together, bytes, such as 500Gi
  --p99=TIME            use only rows whose p99 is at most this, such as 2ms: response time in rows
                        with a target rate, else service time [no limit]
  --benchmark=NAME      workload whose rows are used; needed if RESULTS have several
  --utilization=X       fraction, 0 to 1, of the measured throughput without a target rate, and
                        of the CPUs, that may be used [0.7]
  --misses=FILE         output of scripts/trace.sh misses, for machines with another memory than was
                        measured: multiplies device reads by the ratio of the misses, and divides
                        the rate by that ratio if it is above 1
  --years=N             years that the drives must last; 0: no requirement [0]
  --format=NAME         text or tsv [text]
  --help                this

The workload is divided equally among machines of one kind. Each must have enough for its part:

  throughput   measured rate; fewer cores than measured do proportionally less, more do no more
  cpu          CPU time per operation (cpu_us_per_op, and that of servers) x rate
  memory       as much per byte of data as was measured, or 1.25 times the data's size on disk, if
               that is less; with --misses none, unless --p99 is given
  disk         size of the data x space amplification (space_amp)
  iops         device_reads and device_writes per operation x rate
  endurance    bytes written to the device (device_write_bytes) in --years, if given

Other costs, replicas and the network are not part of it.
Exit status: 0 some machines suffice, 1 none do, 2 wrong arguments.
"""

GIB = 1073741824
YEAR_S = 31557600
COUNTS = {"": 1, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12,
          "Ki": 1024, "Mi": 1048576, "Gi": GIB, "Ti": 1099511627776}
TIMES = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
PLAIN = {"": 1}

Curve = Sequence[tuple[float, float]]
Units = Mapping[str, float]


class CostMachine(NamedTuple):
    """A line of the table of prices; iops None is no limit."""

    name: str
    cores: float
    memory_gib: float
    disk_gb: float
    iops: float | None
    endurance_tbw: float | None
    price: float


class CostRequirements(NamedTuple):
    """What is asked for: operations a second, bytes of keys and values, nanoseconds, years. `curve`
    is of trace.sh misses: fractions of the data that fit into a cache, and the fractions of the
    accesses that miss it."""

    rate: float
    data: float
    p99: float | None = None
    utilization: float = 0.7
    years: float = 0
    curve: Curve | None = None


@dataclass(frozen=True)
class CostOffer:
    """So many machines of a kind with an engine, or why not. `used` is the fraction of the resource
    that binds, `years` how long the drives last."""

    machine: str
    engine: str
    count: int | None = None
    cost: float | None = None
    binding: str | None = None
    used: float | None = None
    years: float | None = None
    why: str | None = None


def cost_over(x: float | None, y: float | None) -> float | None:
    """A quotient; None if it is not known."""
    return None if x is None or not y else x / y


def cost_product(*factors: float | None) -> float | None:
    """None if one is not known."""
    result = 1.0
    for x in factors:
        if x is None:
            return None
        result *= x
    return result


def cost_misses_at(curve: Curve, fits: float) -> float:
    """The miss ratio where that fraction fits, on a straight line between two points."""
    if fits >= curve[-1][0]:
        return curve[-1][1]
    at, ratio = next(point for point in curve if point[0] > fits)
    before, least = next(point for point in reversed(curve) if point[0] <= fits)
    return least + (ratio - least) * (fits - before) / (at - before)


class CostConfiguration:
    """Runs of one point, as the medians of their rows, and what is required of it."""

    def __init__(self, rows: Sequence[Row], required: CostRequirements) -> None:
        self.row = median_row(rows)
        self.required = required
        self.engine = f"{row_name(self.row)}, {count(self.row.get('threads') or 1, 'thread')}"
        key, value = self.row.get("key_size"), self.row.get("value_size")
        self.record = None if key is None or value is None else key + value
        self.data = cost_product(self.row.get("num"), self.record)
        limit = self.row.get("memory_limit_kb")
        self.memory = cost_product(self.row.get("memory_kb") if limit is None else limit, 1024)
        self.space_amp = self.row.get("space_amp")

    @property
    def data_per_memory(self) -> float | None:
        """The most data that it may have for a byte of memory: as measured, or so much that all of
        it fits into four fifths."""
        measured, fitting = cost_over(self.data, self.memory), cost_over(0.8, self.space_amp)
        return measured if measured is None or fitting is None else max(measured, fitting)

    @property
    def missed(self) -> float | None:
        """The miss ratio at the memory of the measurement; None if nothing is known of misses."""
        fitted = cost_over(self.memory, cost_product(self.data, self.space_amp))
        if self.required.curve is None or fitted is None or not self.row.get("device_reads"):
            return None
        return cost_misses_at(self.required.curve, fitted) or None

    def reads(self, machine: CostMachine, machines: int) -> float:
        """How many times as much it reads from the device as it did when it was measured."""
        if self.missed is None or self.required.curve is None or self.space_amp is None:
            return 1
        fits = machines * machine.memory_gib * GIB / (self.required.data * self.space_amp)
        return cost_misses_at(self.required.curve, fits) / self.missed

    @property
    def written(self) -> float | None:
        if not self.row.get("writes"):
            return 0
        return cost_product(self.required.rate, cost_over(self.row.get("device_write_bytes"),
                                                          self.row.get("ops")))

    @property
    def cpu_s(self) -> float | None:
        """CPU time of all threads for an operation, and of the servers if there are any."""
        row = self.row
        own = cost_product(row.get("cpu_us_per_op"), row_calls_per_operation(row), 1e-6)
        if not row.get("servers"):
            return own
        served_s = sum_if_known((row.get("server_user_s"), row.get("server_sys_s")))
        return sum_if_known((own, cost_over(served_s, row.get("ops"))))

    @property
    def p99(self) -> float | None:
        """Of the slowest kind of operation."""
        form = "_resp_p99_ns" if row_is_paced(self.row) else "_p99_ns"
        return greatest_known(row_number(self.row, kind + form) for kind in KINDS)

    # ---- how many machines each resource asks for, as a fraction, if the data is divided

    def _throughput(self, machine: CostMachine, reads: float) -> float | None:
        """The rate falls as if it did nothing else than read, and does not rise."""
        had = [x for column in ("cores", "cpu_quota")
               if (x := row_number(self.row, column)) is not None]
        cores = cost_over(machine.cores, min(had, default=None))
        of_each = cost_product(self.row.get("ops_per_sec"),
                               None if cores is None else min(1, cores),
                               1 if row_is_paced(self.row) else self.required.utilization)
        return cost_over(self.required.rate * max(1, reads), of_each)

    def _iops(self, machine: CostMachine, reads: float) -> float | None:
        if machine.iops is None:
            return 0
        read, written = self.row.get("device_reads"), self.row.get("device_writes")
        if read is None or written is None:
            return None
        done = self.required.rate * (read * reads + written)
        return cost_over(cost_over(done, self.row.get("ops")), machine.iops)

    def _endurance(self, machine: CostMachine) -> float | None:
        if self.required.years == 0:
            return 0
        return cost_over(cost_product(self.written, self.required.years, YEAR_S),
                         cost_product(machine.endurance_tbw, 1e12))

    def needs(self, machine: CostMachine, machines: int) -> dict[str, float | None]:
        """By resource; None is what cannot be said."""
        required, reads = self.required, self.reads(machine, machines)
        cpu_s = cost_product(required.rate, self.cpu_s)
        memory = 0 if self.missed is not None and required.p99 is None else cost_over(
            required.data, cost_product(self.data_per_memory, machine.memory_gib, GIB))
        return {
            "throughput": self._throughput(machine, reads),
            "cpu": cost_over(cpu_s, machine.cores * required.utilization), "memory": memory,
            "disk": cost_over(cost_product(required.data, self.space_amp), machine.disk_gb * 1e9),
            "iops": self._iops(machine, reads),
            "endurance": self._endurance(machine),
        }

    def most_needed(self, machine: CostMachine, machines: int) -> tuple[str, float]:
        """The resource that asks for the most machines, of several the last, and for how many."""
        known = [(name, need) for name, need in self.needs(machine, machines).items()
                 if need is not None]
        return last_greatest(known, lambda pair: pair[1])

    def enough(self, machine: CostMachine) -> int:
        """The least number of machines that is enough. More machines never need more in all."""
        low, high = 1, max(1, math.ceil(self.most_needed(machine, 1)[1]))
        while low < high:
            middle = (low + high) // 2
            if self.most_needed(machine, middle)[1] <= middle:
                high = middle
            else:
                low = middle + 1
        return low

    def lasts(self, machine: CostMachine, machines: int) -> float | None:
        return cost_over(cost_over(cost_product(machine.endurance_tbw, 1e12, machines),
                                   self.written), YEAR_S)

    def excluded(self, machine: CostMachine) -> str | None:
        if self.required.p99 is not None:
            if self.p99 is None:
                return "its rows have no latencies (--latency=0)"
            if self.p99 > self.required.p99:
                without = "" if row_is_paced(self.row) else " without a target rate"
                return f"p99 of {time(self.p99)}{without}"
        unknown = [name for name, need in self.needs(machine, 1).items() if need is None]
        return f"not measured: {', '.join(unknown)}" if unknown else None

    def offer(self, machine: CostMachine) -> CostOffer:
        why = self.excluded(machine)
        if why is not None:
            return CostOffer(machine.name, self.engine, why=why)
        machines = self.enough(machine)
        binding, need = self.most_needed(machine, machines)
        return CostOffer(machine.name, self.engine, machines, machines * machine.price, binding,
                         need / machines, self.lasts(machine, machines))


# ---- all rows and machines


def why_cost_row_unused(row: Row) -> str | None:
    if not row_valid(row):
        return f"invalid: {as_text(row.get('invalid_reason'))}"
    if row.get("steady") == 0:
        return "its rate was not steady"
    return "it did not meet its target rate" if row.get("target_rate_met") == 0 else None


class Costs(NamedTuple):
    """All offers, the cheapest first; engines for which the curve of misses is not used; rows that
    are not used: how many, of which engine, and why."""

    offers: list[CostOffer]
    unscaled: list[str]
    unused: list[tuple[int, str, str]]

    @property
    def sufficing(self) -> list[CostOffer]:
        return [offer for offer in self.offers if offer.cost is not None]


def machine_costs(rows: Iterable[Row], machines: Sequence[CostMachine],
                  required: CostRequirements) -> Costs:
    counted, unused = [], []
    for row in rows:
        why = why_cost_row_unused(row)
        if why is None:
            counted.append(rows_settled(row))
        else:
            unused.append((row_name(row), why))
    configurations = [CostConfiguration(same, required)
                      for same in group_rows(counted, columns_as_key(SETTINGS))]
    offers = [one.offer(machine) for one in configurations for machine in machines]
    offers.sort(key=lambda offer: (offer.cost is None, offer.cost or 0, offer.machine,
                                   offer.engine))
    return Costs(
        offers,
        [one.engine for one in configurations if one.missed is None] if required.curve else [],
        [(len(same), *same[0]) for same in group_rows(unused, lambda reason: reason)])


# ---- output


def _cost_cheapest_said(found: Costs) -> str:
    if not found.offers:
        return "no row can be used, so no machine is known to suffice"
    if not found.sufficing:
        return "no machine of the table suffices, with any engine"
    best = found.sufficing[0]
    lasts = "" if best.years is None else f"; its drives last {three(best.years)} years"
    return (f"cheapest: {best.count} x {best.machine} with {best.engine}: {three(best.cost)};"
            f" limited by {best.binding}, of which {percent(best.used)} is used{lasts}")


def costs_text(found: Costs) -> list[str]:
    table = [["machines", "engine", "cost", "bound by", "used", "years"]]
    table += [[f"{offer.count} x {offer.machine}", offer.engine, three(offer.cost),
               offer.binding or "", percent(offer.used), three(offer.years)]
              for offer in found.sufficing]
    excluded = [offer for offer in found.offers if offer.why is not None]
    return [
        _cost_cheapest_said(found), "", *aligned(table, lambda column, _: column in (0, 1, 3)),
        *(f"excluded: {same[0].engine} on {', '.join(offer.machine for offer in same)}:"
          f" {same[0].why}"
          for same in group_rows(excluded, lambda offer: (offer.engine, offer.why))),
        *(f"--misses is not used for {engine}: its rows lack device reads or space_amp, or the"
          " curve has no miss at their memory" for engine in found.unscaled),
        *(f"not used: {count(n, 'row')} of {name}: {why}" for n, name, why in found.unused)]


def costs_tsv(found: Costs) -> str:
    columns = ("machine", "count", "engine", "cost", "binding", "used", "years", "why")
    return tab_files.as_tsv([columns, *([getattr(offer, column) for column in columns]
                                        for offer in found.offers)])


# ---- input


def read_cost_prices(path: str) -> list[CostMachine]:
    """The machines of a table of prices, of which lines of # are comments."""
    table = [line.split("\t") for line in tab_files.read_tab_lines(path, "--prices")
             if line.strip() and not line.startswith("#")]
    names = table.pop(0) if table else []
    needed = ("machine", "cores", "memory_gib", "disk_gb", "price")
    missing = [column for column in needed if column not in names or not table]
    if missing:
        fail(2, f"--prices: {path} has no {', '.join(missing)}")
    machines = []
    for cells in table:
        line = dict(zip_longest(names, cells[:len(names)], fillvalue=""))
        cores, memory, disk, price = (tab_files.tab_number(line[column]) for column in needed[1:])
        if cores is None or memory is None or disk is None or price is None:
            fail(2, f"--prices: {path}: the line of {line['machine']} lacks a number")
        iops, endurance = (tab_files.tab_number(line.get(column, ""))
                           for column in ("iops", "endurance_tbw"))
        machines.append(CostMachine(line["machine"], cores, memory, disk, iops, endurance, price))
    return machines


def read_cost_misses(path: str) -> Curve:
    """The curve of `trace.sh misses`, with its beginning: of nothing in the cache all accesses
    miss it."""
    names, *table = tab_files.tab_cells(path, "--misses")
    points = [(0.0, 1.0)]
    for _, *cells in table:
        numbers = [x for cell in cells[:2] if (x := tab_files.tab_number(cell)) is not None]
        points += zip(numbers[:1], numbers[1:])
    if names != ["cache", "fraction", "miss_ratio"] or len(points) <= len(table) or not table \
            or points != sorted(points, key=lambda point: point[0]):
        fail(2, f"--misses: {path} is not the output of scripts/trace.sh misses")
    return points


def cost_number_with_unit(option: str, value: str, units: Units) -> float:
    """A number above 0, times its unit; or the end."""
    found = re.fullmatch("([0-9]+(?:[.][0-9]+)?)([a-zA-Z]*)", value)
    if not found or found[2] not in units or float(found[1]) == 0:
        fail(2, f"{option}: cannot read '{value}'; see --help")
    return float(found[1]) * units[found[2]]


def read_cost_requirements(given: dict[str, str]) -> CostRequirements:
    def of(option: str, units: Units, otherwise: float = 0) -> float:
        if option not in given:
            return otherwise
        return cost_number_with_unit(option, given[option], units)

    if given.get("--format", "text") not in ("text", "tsv"):
        fail(2, f"cannot read '--format={given['--format']}'; see --help")
    p99 = of("--p99", TIMES) if "--p99" in given else None
    utilization = of("--utilization", PLAIN, 0.7)
    if utilization > 1:
        fail(2, f"--utilization: cannot use {given['--utilization']}; give a fraction of 1")
    years = of("--years", PLAIN) if given.get("--years", "0") != "0" else 0
    rate, data = of("--rate", COUNTS), of("--data", COUNTS)
    if "--prices" not in given:
        fail(2, "--prices=FILE is missing; scripts/cost-example.tsv is an example")
    for option, value in (("--rate=N", rate), ("--data=SIZE", data)):
        if not value:
            fail(2, f"{option} is missing; see --help")
    return CostRequirements(rate, data, p99, utilization, years)


def read_cost_rows(paths: Sequence[str], benchmark: str | None) -> list[Row]:
    """The rows of a benchmark in all files or directories; without a name that of all rows."""
    rows = [row for path in paths for row in rows_of_results(path, 2)]
    if benchmark is None:
        there = unique(row.get("benchmark") for row in rows)
        if len(there) > 1:
            fail(2, f"--benchmark: these rows are of {', '.join(map(as_text, there))}; choose one")
        benchmark = as_text(there[0])
    rows = [row for row in rows if row.get("benchmark") == benchmark]
    if not rows:
        fail(2, f"no row of {benchmark} in {' '.join(paths)}")
    return rows


def main(arguments: list[str]) -> int:
    given, results = read_options(
        arguments, values=["--prices", "--rate", "--data", "--p99", "--benchmark", "--utilization",
                           "--misses", "--years", "--format"])
    required = read_cost_requirements(given)
    if not results:
        fail(2, "which results? see --help")
    machines = read_cost_prices(given["--prices"])
    if "--misses" in given:
        required = required._replace(curve=read_cost_misses(given["--misses"]))
    rows = read_cost_rows(results, given.get("--benchmark"))
    found = machine_costs(rows, machines, required)
    print(costs_tsv(found) if given.get("--format") == "tsv" else "".join(
        line + "\n" for line in costs_text(found)), end="")
    return 0 if found.sufficing else 1
