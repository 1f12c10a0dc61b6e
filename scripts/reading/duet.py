"""Whether one of two versions is faster, by rounds of both at the same time, for duet.sh."""
from __future__ import annotations

import math
import os
import random
import shutil
import signal
import statistics
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, NoReturn

from .command import TOP, fail, is_option, split_option, warn, whole_option
from .duet_round import (
    LEAST_PART,
    PlayedRound,
    RoundSetting,
    RoundSide,
    copy_for_round,
    play_round,
    round_said_last,
    start_in_round,
)
from .rows import (
    Row,
    distinct,
    read_rows,
    row_calls_per_operation,
    row_unfit,
    row_unfit_why,
)
from .signed_rank import LEVEL, LOOKS, Look, look_at, looks_at
from .summary import summary_is_lsm
from .tab_files import as_tsv, write_tsv
from .text import as_json, count, fixed, or_none

HELP = """usage: scripts/duet.sh --out=DIRECTORY --old=BUILD --new=BUILD [option ...]

Compares the CPU time of an operation, in background threads too, of two versions, builds or
settings of one engine. In each round both run at the same time, each thread on the core of its
counterpart. Other processes, the hypervisor and the clock rate then hit both alike: a difference of
a few percent shows in seconds, even on a busy machine.

  --out=DIRECTORY       directory of the results
  --old=BUILD --new=BUILD  as sweep.sh --engines: lmdb-0.9.24, lmdb, rocksdb+block_size=16Ki; or
                        the path of a program with its options: ./bench_mine+x=1
  --benchmarks=A,B,...  workloads of the programs that run for a time [readrandom]
  --threads=N,...       numbers of threads, each of which has a core [1]
  --within=PERCENT      a difference of at most this is none [2]
  --seconds=S           time of a round that counts, seconds [0.5]
  --warmup=S            time before that [0.2]
  --load=NAME           workload that makes the database [filluniquerandbatch]
  --cpus=A,B,...        cores to use [all that may be used]
  --seed=N              seed of the order of copies and starts [1]
  --help                this
Any other option goes to both programs, such as --num=1m.

Each round has new processes on new copies of the database. Its result is the ratio of operations
per CPU second. At 8, 12, 20, 32 and 48 rounds Wilcoxon's signed rank test, each at a fifth of 5 %,
decides: faster, slower, the same within --within, or undecided. Every fourth round has the old
version on both sides, as a control. Both sides read copies of one database, the old version's; each
loads its own where their options differ, or the new one cannot open the old one's.
It prints a line for each benchmark and writes DIRECTORY/duet.json with the verdicts, duet.tsv with
the rounds, results.json with the rows of both (control.json those of the controls), and plots.

Refused: different engines (use compare.sh), durabilities, memory limits or caches, durability sync,
engines in servers, --rate, all that is of latency, copies that do not fit in memory, and runs that
wait for a device for more than a tenth of their time. Compactions make writes of LSM trees vary:
there --seconds=10 helps.
Exit status: 0 nothing is slower, 1 something is, or a run failed, 2 wrong arguments, or refused.
"""

_PACED = "in an open loop the rate is given, and time on a core shared is not response time"
_OF_LATENCY = "latencies of two programs on one core are those of its time slices"
_OWN = "is duet.sh's to set"
_DEVICE = "two programs at one device slow each other"
REFUSED = {
    **dict.fromkeys(("rate", "read_rate", "write_rate", "sine_write_rate", "sine_mix_rate"),
                    _PACED),
    **dict.fromkeys(("hdr", "hdr_log", "histogram", "timeline", "slow_calls", "slow_calls_file",
                     "probe_rate", "metric"), _OF_LATENCY),
    **dict.fromkeys(("cold", "device", "age", "backup"), _DEVICE),
    **dict.fromkeys(("db", "json", "tsv", "label", "duration", "use_existing_db", "copy_of",
                     "pin_threads", "progress_file", "barrier_file", "barrier_clients", "epoch",
                     "repetition", "repeat", "isolate", "supervise", "start_at"), _OWN),
}
#: columns in which both sides must agree, and why
_STRONGER = "who promises less shares the device with who promises more"
_LARGER = "who has less memory shares the pages of who has more"
ALIKE = {
    "engine": "who needs the CPU's caches more loses more on a shared core",
    "durability": _STRONGER, "durability_effective": _STRONGER,
    "memory_limit_kb": _LARGER, "cache_bytes": _LARGER,
}
#: every so many rounds one has the old version on both sides
CONTROL_EVERY = 4
#: so often a round is tried; on a busy machine a program can begin when the other has ended
TRIES = 3
#: how far from a half the old side's part of the CPU time may be
HALF_WITHIN = 0.01
#: the part of its time that a thread may wait for something else than a core
WAITS_MOST = 0.1
#: the part of the free memory that both copies may take
MEMORY_MOST = 0.8


@dataclass
class DuetOptions:
    out: str = ""
    old: str = ""
    new: str = ""
    benchmarks: str = "readrandom"
    threads: str = "1"
    within: str = "2"
    seconds: str = "0.5"
    warmup: str = "0.2"
    load: str = "filluniquerandbatch"
    cpus: str = ""
    seed: str = "1"
    further: list[str] = field(default_factory=list)


# ---- what is asked for


def _duet_number(option: str, value: str, least: float) -> float:
    try:
        found = float(value)
    except ValueError:
        found = math.nan
    if not least <= found < 1e6:
        fail(2, f"{option}: cannot read '{value}'; give a number from {least:g}")
    return found


def duet_options(arguments: Sequence[str]) -> DuetOptions:
    found = DuetOptions()
    for argument in arguments:
        name, value = split_option(argument)
        if not is_option(argument) or not name.startswith("--") or not value:
            fail(2, f"cannot read '{argument}'; options are --name=value, see --help")
        own = name[2:].replace("-", "_")
        if own in REFUSED:
            fail(2, f"{name}: {REFUSED[own]}; leave it out")
        if own != "further" and hasattr(found, own):
            setattr(found, own, value)
        else:
            found.further.append(argument)
    for own in ("out", "old", "new"):
        if not getattr(found, own):
            fail(2, f"--{own} is missing; see --help")
    return found


def duet_side(build: str, further: Sequence[str]) -> RoundSide:
    name, *own = build.split("+")
    program = name if "/" in name else os.path.join(TOP, f"bench_{name}")
    if not os.access(program, os.X_OK):
        made = f"run make bench_{name}" if "/" not in name else "give the path of a program"
        fail(2, f"{build}: {program.removeprefix(TOP + '/')} does not exist; {made}")
    for word in own:
        option = word.partition("=")[0].replace("-", "_")
        if option in REFUSED:
            fail(2, f"{build}: --{option}: {REFUSED[option]}; leave it out")
    return RoundSide(build if "/" not in name else build.replace(name, os.path.basename(name), 1),
                     program, (*further, *(f"--{word}" for word in own)))


def duet_cpus(text: str) -> list[int]:
    allowed = sorted(os.sched_getaffinity(0))
    if not text:
        return allowed
    found = [whole_option("--cpus", word) for word in text.split(",")]
    if other := [cpu for cpu in found if cpu not in allowed]:
        fail(2, f"--cpus: {other[0]} may not be used; there are {', '.join(map(str, allowed))}")
    return found


# ---- what forbids it


def why_no_duet(old: Row, new: Row) -> str | None:
    for column, why in ALIKE.items():
        ours, theirs = or_none(old.get(column)), or_none(new.get(column))
        if ours != theirs:
            return (f"{column} is {ours} on the old side and {theirs} on the new: {why};"
                    " compare.sh compares runs in turn")
    if old.get("durability_effective") == "sync":
        return f"at durability sync a device decides: {_DEVICE}; give --durability=async"
    return None


def duet_waits(row: Row) -> float:
    """The part of its time that a thread waited for something else than a core; 0 if unknown."""
    off, runnable = row.get("off_cpu_us_per_op"), row.get("runnable_us_per_op")
    rate, threads = row.get("ops_per_sec"), row.get("threads")
    if off is None or runnable is None or not rate or not threads:
        return 0
    return max(0.0, off - runnable) * (row_calls_per_operation(row) or 1) * rate / 1e6 / threads


def duet_waits_for_device(row: Row) -> bool:
    """Whether that is a device, or background threads; several threads also wait for each
    other."""
    return duet_waits(row) > WAITS_MOST and (
        row.get("threads") == 1 or (row.get("io_read_bytes") or 0) > 0
        or (row.get("syncs_per_commit") or 0) >= 0.05)


def _duet_size(directory: str | None) -> int:
    """The bytes that its files take on disk."""
    if directory is None:
        return 0
    return sum(os.lstat(os.path.join(at, name)).st_blocks * 512
               for at, _, names in os.walk(directory) for name in names)


def _duet_free_memory() -> float:
    with open("/proc/meminfo", encoding="ascii") as file:
        lines = dict(line.split(":") for line in file)
    return float(lines["MemAvailable"].split()[0]) * 1024


def _check_duet_fits(sides: Sequence[RoundSide], memory_limit_kb: float | None) -> None:
    copies = sum(_duet_size(side.database) for side in sides)
    limit = min(_duet_free_memory(), *(2 * 1024 * kb for kb in [memory_limit_kb] if kb), math.inf)
    if copies > MEMORY_MOST * limit:
        fail(2, f"copies of both databases take {copies >> 20} MiB, more than {MEMORY_MOST:.0%} of"
             f" the {int(limit) >> 20} MiB of memory that they may have: a device would decide, and"
             f" {_DEVICE}; give a smaller --num")


# ---- preparing


def _duet_done(arguments: Sequence[str], place: str) -> tuple[int, str]:
    """Runs a program to its end: its status, and the last line that it printed."""
    output = os.path.join(place, "output")
    status = start_in_round(arguments, output).wait()
    return status, round_said_last(output).partition(": ")[2]


def _duet_row(side: RoundSide, arguments: Sequence[str], place: str, row: str) -> Row:
    status, why = _duet_done([side.program, *side.options, f"--label={side.label}", f"--json={row}",
                              *arguments], place)
    if status:
        fail(2 if status == 2 else 1, f"{side.label}: {why}")
    return read_rows(row)[-1]


def _duet_facts(side: RoundSide, place: str) -> Row:
    """A row of a few records, which has what both sides must agree in."""
    return _duet_row(side, [f"--db={place}/facts-db", "--benchmarks=fillseqbatch", "--num=100",
                            "--threads=1"], place, f"{place}/facts.json")


def _duet_access(side: RoundSide, benchmark: str) -> str:
    table = subprocess.run([side.program, "--workloads=tsv"], capture_output=True, text=True,
                           check=True).stdout
    kinds = dict(line.split("\t")[:2] for line in table.splitlines())
    if benchmark not in kinds:
        fail(2, f"--benchmarks: no workload '{benchmark}'; {os.path.basename(side.program)}"
             " --workloads lists them")
    if kinds[benchmark] == "fills":
        fail(2, f"--benchmarks: {benchmark} makes a database and has no time of its own; give"
             " workloads that run on a loaded one")
    return kinds[benchmark]


def _duet_load(side: RoundSide, name: str, load: str, place: str, out: str) -> RoundSide:
    database = os.path.join(place, name)
    _duet_row(side, [f"--db={database}", f"--benchmarks={load}", "--threads=1", "--settle=1"],
              place, os.path.join(out, "loads.json"))
    return RoundSide(side.label, side.program, side.options, database)


def _duet_opens(side: RoundSide, database: str, place: str) -> bool:
    """Whether it can read a copy of that database."""
    tried = os.path.join(place, "tried")
    copy_for_round(database, tried)
    status, _ = _duet_done([side.program, *side.options, f"--db={tried}", "--use_existing_db=1",
                            "--benchmarks=readrandom", "--reads=10", "--threads=1"], place)
    shutil.rmtree(tried)
    return status == 0


def prepared_duet(old: RoundSide, new: RoundSide, options: DuetOptions,
                  place: str) -> tuple[RoundSide, RoundSide]:
    """Both with their loaded databases, or without if the engine stores nothing; or the end where
    something forbids it."""
    facts = [_duet_facts(side, place) for side in (old, new)]
    if reason := why_no_duet(*facts):
        fail(2, reason)
    if facts[0].get("engine") == "null":
        return old, new
    for side in (old, new):
        status, why = _duet_done([side.program, "--copy_of=.", "--version"], place)
        if status:
            fail(2, f"{side.label}: {why.removeprefix('--copy_of: ').partition(';')[0]}: it cannot"
                 " be copied for each round")
    old = _duet_load(old, "old", options.load, place, options.out)
    shared = old.options == new.options and _duet_opens(new, old.database or "", place)
    new = RoundSide(new.label, new.program, new.options, old.database) if shared else \
        _duet_load(new, "new", options.load, place, options.out)
    _check_duet_fits((old, new), facts[0].get("memory_limit_kb"))
    return old, new


# ---- rounds and their verdict


class DuetRound(NamedTuple):
    """Of one round the logarithms of new / old, by CPU time and by rate, and the part of the CPU
    time of both that the old side had."""

    control: bool
    cpus: str
    played: PlayedRound

    @property
    def by_cpu(self) -> float:
        (old, new), (old_s, new_s) = self.played.ops, self.played.cpu_s
        return math.log(new / new_s) - math.log(old / old_s)

    @property
    def by_rate(self) -> float:
        old, new = self.played.ops
        return math.log(new / old)

    @property
    def old_part(self) -> float:
        old, new = self.played.cpu_s
        return old / (old + new)


def duet_decided(differences: Sequence[float], level: float,
                 within: float) -> tuple[str, Look] | None:
    """The verdict on a series and the look that it is of; None: more rounds are needed. `within`
    is a part: 0.02 is 2 %."""
    looks = looks_at(differences, level)
    for look in looks:
        if look.same(within):
            return "same", look
        if look.differs:
            return ("faster" if look.estimate > 0 else "slower"), look
    return ("undecided", looks[-1]) if len(differences) >= LOOKS[-1] else None


@dataclass
class DuetPoint:
    """A benchmark with a number of threads: its rounds, and what they came to."""

    benchmark: str
    threads: int
    writes: bool
    rounds: list[DuetRound] = field(default_factory=list)
    took_s: float = 0
    repeated: int = 0
    found: tuple[str, Look] | None = None
    warnings: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return f"{self.benchmark}, {count(self.threads, 'thread')}"

    @property
    def verdict(self) -> tuple[str, Look]:
        """What the rounds came to; of a point without an end what they say so far."""
        return self.found or ("undecided", look_at(self.series("by_cpu")))

    def series(self, figure: str, control: bool = False) -> list[float]:
        return [getattr(each, figure) for each in self.rounds if each.control == control]


def duet_cautions(point: DuetPoint, level: float, row: Row) -> list[str]:
    told = []
    controls = point.series("by_cpu", control=True)
    control = look_at(controls, LEVEL) if controls else None
    if control and control.low is not None and control.high is not None \
            and not control.low <= 0 <= control.high:
        told.append("the control differs from itself:"
                    f" {_duet_percent(control.estimate)} ({_duet_interval(control)})")
    part = statistics.median(point.series("old_part"))
    if abs(part - 0.5) > HALF_WITHIN:
        told.append(f"the old side had {fixed(3, part)} of the CPU time, not a half: the ratio is"
                    " not that of runs alone")
    rate, cpu = (look_at(point.series(by), level) for by in ("by_rate", "by_cpu"))
    if rate.low is not None and rate.high is not None and cpu.low is not None \
            and cpu.high is not None and (rate.low > cpu.high or rate.high < cpu.low):
        told.append(f"by rate it is {_duet_percent(rate.estimate)} ({_duet_interval(rate)}), which"
                    " CPU time is not: one waits more than the other")
    if point.writes and summary_is_lsm(row):
        told.append("writes of an LSM tree: compactions fall at different moments of both sides,"
                    " so that a difference takes more rounds to show")
    if (waited := max(duet_waits(row) for each in point.rounds for row in each.played.rows)) \
            > WAITS_MOST:
        told.append(f"its threads waited up to {fixed(0, 100 * waited)} % of the time for each"
                    " other, which CPU time does not have")
    if row_unfit(row):
        told.append(f"a build that is not fit for comparison{row_unfit_why(row)}")
    return told


def _duet_percent(difference: float) -> str:
    return f"{fixed(1, 100 * math.expm1(difference))} %"


def _duet_interval(look: Look) -> str:
    if look.low is None or look.high is None:
        return "no interval"
    return f"{fixed(1, 100 * math.expm1(look.low))} to {_duet_percent(look.high)}"


def duet_line(point: DuetPoint, old: str, new: str, within: float) -> str:
    verdict, look = point.verdict
    size = fixed(1, abs(100 * math.expm1(look.estimate)))
    text = {"same": f"{new} is as fast as {old} within {within:g} %",
            "undecided": f"undecided: {new} to {old} {_duet_percent(look.estimate)}"}.get(
                verdict, f"{new} is {size} % {verdict} than {old}")
    return (f"{point.name}: {text} ({_duet_interval(look)}), after {count(look.pairs, 'round')} and"
            f" {fixed(0, point.took_s)} s")


def duet_report(point: DuetPoint, old: str, new: str, options: DuetOptions) -> dict[str, Any]:
    """The verdict as duet.json has it; ratios are new / old of operations per CPU second."""
    verdict, look = point.verdict
    rate = look_at(point.series("by_rate"), look.level)
    controls = point.series("by_cpu", control=True)
    control = look_at(controls) if controls else None
    return {
        "old": old, "new": new, "benchmark": point.benchmark, "threads": point.threads,
        "verdict": verdict, "within_percent": float(options.within), "rounds": look.pairs,
        "ratio": look.ratio, "ratio_low": look.ratio_low, "ratio_high": look.ratio_high,
        "p": look.p, "level": look.level,
        "rate_ratio": rate.ratio, "rate_ratio_low": rate.ratio_low,
        "rate_ratio_high": rate.ratio_high,
        "repeated_rounds": point.repeated, "control_rounds": len(controls),
        "control_ratio": control.ratio if control else None,
        "control_low": control.ratio_low if control else None,
        "control_high": control.ratio_high if control else None,
        "old_part": statistics.median(point.series("old_part")),
        "round_deviation": statistics.stdev(point.series("by_cpu")),
        "seconds": float(options.seconds), "took_s": round(point.took_s, 1),
        "warnings": point.warnings}


# ---- running


@dataclass
class Duet:
    """Both sides, and where and how they run."""

    options: DuetOptions
    sides: tuple[RoundSide, RoundSide]
    cpus: list[int]
    place: str
    shared: str
    draw: random.Random
    level: float
    played: int = 0

    def play(self, point: DuetPoint) -> DuetRound:
        """One more round of a point, repeated twice at most if one side began too late."""
        for _ in range(TRIES):
            if played := self.try_round(point):
                return played
            point.repeated += 1
        fail(1, f"{point.benchmark}: both measured together for less than"
             f" {LEAST_PART * float(self.options.seconds):g} s, {TRIES} times: it ends before its"
             " time, or one begins late; give a larger --num, another benchmark or a larger"
             " --seconds")

    def try_round(self, point: DuetPoint) -> DuetRound | None:
        """None: both did not measure together."""
        number = len(point.rounds) + 1
        control = number % CONTROL_EVERY == 0
        # the core alternates; with several threads each is as often the first
        cpus = [self.cpus[(self.played + i) % len(self.cpus)] for i in range(point.threads)]
        self.played += 1
        order = [0, 1] if self.draw.random() < 0.5 else [1, 0]
        old, new = self.sides
        with tempfile.TemporaryDirectory(dir=self.place) as place, \
                tempfile.TemporaryDirectory(dir=self.shared) as shared:
            played = play_round((old, old if control else new), RoundSetting(
                point.benchmark, point.threads, cpus, number, float(self.options.seconds),
                float(self.options.warmup), place, shared), order)
        if not played:
            return None
        for row in filter(duet_waits_for_device, played.rows):
            fail(2, f"{point.name}: it waited {fixed(0, 100 * duet_waits(row))} % of the time for"
                 f" something else than a core: {_DEVICE}; compare.sh compares runs in turn")
        with open(f"{self.options.out}/{'control' if control else 'results'}.json", "a",
                  encoding="utf-8") as file:
            file.writelines(as_json(row) + "\n" for row in played.rows)
        return DuetRound(control, ",".join(map(str, cpus)), played)

    def settle(self, point: DuetPoint) -> None:
        """Plays rounds until the point is decided."""
        began, within = time.monotonic(), float(self.options.within) / 100
        while not point.found:
            point.rounds.append(self.play(point))
            if not point.rounds[-1].control:
                point.found = duet_decided(point.series("by_cpu"), self.level, within)
        point.took_s = time.monotonic() - began
        point.warnings = duet_cautions(point, self.level / len(LOOKS),
                                       point.rounds[0].played.rows[1])


HEAD = ("benchmark", "threads", "round", "control", "cpus", "seconds", "old_ops", "new_ops",
        "old_cpu_s", "new_cpu_s", "ratio", "rate_ratio", "old_part")


def duet_rounds(points: Sequence[DuetPoint]) -> list[Sequence[Any]]:
    """A line a round, for duet.tsv."""
    return [HEAD, *(
        [point.benchmark, point.threads, number, int(each.control), each.cpus,
         each.played.seconds, *each.played.ops, *each.played.cpu_s, math.exp(each.by_cpu),
         math.exp(each.by_rate), each.old_part]
        for point in points for number, each in enumerate(point.rounds, 1))]


def plot_duet(point: DuetPoint, old: str, new: str, out: str) -> None:
    if shutil.which("gnuplot") is None:
        warn("no plot, as gnuplot is not installed; apt install gnuplot-nox")
        return
    assert point.found
    look = point.found[1]
    os.makedirs(f"{out}/plots", exist_ok=True)
    picture = f"{out}/plots/duet-{point.benchmark}-{point.threads}t.svg"
    with tempfile.NamedTemporaryFile("w", suffix=".dat", encoding="utf-8") as data:
        data.write(as_tsv([number, 100 * math.expm1(each.by_cpu), int(each.control)]
                          for number, each in enumerate(point.rounds, 1)))
        data.flush()
        ends = [100 * math.expm1(end) for end in (look.low, look.high) if end is not None]
        done = subprocess.run(
            ["gnuplot", "-c", os.path.join(TOP, "scripts", "plot", "style.gp"), "duet", picture,
             f"{point.name}: operations per CPU second of {new}, beside {old}", data.name,
             *map(str, ends)], check=False)
    if done.returncode:
        fail(1, f"gnuplot could not draw {picture}; see its message above")


def _duet_points(options: DuetOptions, side: RoundSide, cpus: Sequence[int]) -> list[DuetPoint]:
    threads = [whole_option("--threads", word, 1) for word in options.threads.split(",")]
    if max(threads) > len(cpus):
        fail(2, f"--threads: {count(max(threads), 'thread')} of each side need as many cores, and"
             f" {len(cpus)} may be used; give fewer")
    return [DuetPoint(benchmark, n, _duet_access(side, benchmark) == "writes")
            for benchmark in distinct(options.benchmarks.split(",")) for n in distinct(threads)]


def _run_duet(options: DuetOptions, sides: tuple[RoundSide, RoundSide], points: list[DuetPoint],
              cpus: list[int]) -> int:
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else options.out
    old, new = (side.label for side in sides)
    with tempfile.TemporaryDirectory(dir=options.out, prefix="databases-") as place, \
            tempfile.TemporaryDirectory(dir=memory, prefix="duet-") as shared:
        duet = Duet(options, prepared_duet(*sides, options, place), cpus, place, shared,
                    random.Random(int(options.seed)), LEVEL / len(points))
        for point in points:
            duet.settle(point)
            print(duet_line(point, old, new, float(options.within)), flush=True)
            for text in point.warnings:
                warn(f"warning: {point.name}: {text}")
    write_tsv(f"{options.out}/duet.tsv", duet_rounds(points))
    with open(f"{options.out}/duet.json", "w", encoding="utf-8") as file:
        file.write(as_json([duet_report(point, old, new, options) for point in points]) + "\n")
    for point in points:
        plot_duet(point, old, new, options.out)
    return int(any(point.found and point.found[0] == "slower" for point in points))


def _duet_told_to_stop(number: int, _: object) -> NoReturn:
    raise SystemExit(128 + number)


def main(arguments: list[str]) -> int:
    options = duet_options(arguments)
    for name, least in (("within", 0.1), ("seconds", 0.2), ("warmup", 0)):
        _duet_number(f"--{name}", getattr(options, name), least)
    whole_option("--seed", options.seed)
    cpus = duet_cpus(options.cpus)
    sides = (duet_side(options.old, options.further), duet_side(options.new, options.further))
    points = _duet_points(options, sides[0], cpus)
    if os.path.exists(f"{options.out}/results.json"):
        fail(2, f"--out: {options.out} has results; give another one")
    os.makedirs(options.out, exist_ok=True)
    options.out = os.path.abspath(options.out)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _duet_told_to_stop)
    return _run_duet(options, sides, points, cpus)
