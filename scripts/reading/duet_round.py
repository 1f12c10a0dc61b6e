"""A round of duet.sh: two programs at the same time, each thread on the core of its counterpart.

What both have done is read while they work, in their files of --progress_file, so that only time
counts in which both measure.
"""
from __future__ import annotations

import ctypes
import os
import signal
import struct
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import IO, NamedTuple

from .command import fail
from .rows import Row, read_rows, row_valid

#: seconds between two readings
STEP = 0.02
#: the least part of the time asked for that both must have measured together
LEAST_PART = 0.25


class RoundSide(NamedTuple):
    """One of both: its name, its program, the options of its own, and its loaded database; None:
    the engine stores nothing."""

    label: str
    program: str
    options: tuple[str, ...]
    database: str | None = None


class RoundSetting(NamedTuple):
    """How a round is run: `cpus` has one for each thread, `epoch` the keys that are drawn, and
    `place` is a directory of the round, `shared` one in memory."""

    benchmark: str
    threads: int
    cpus: Sequence[int]
    epoch: int
    seconds: float
    warmup: float
    place: str
    shared: str


class RoundReading(NamedTuple):
    """What a program had done and used at a moment, since an earlier one that does not matter."""

    ops: int
    cpu_s: float


class PlayedRound(NamedTuple):
    """What both did, and used of the CPU, in the seconds in which both measured."""

    seconds: float
    ops: tuple[int, int]
    cpu_s: tuple[float, float]
    rows: tuple[Row, Row]


Both = tuple[float, RoundReading, RoundReading]


def _round_cpu_s(process: int) -> float:
    """The CPU time of all threads of a process, as clock_getcpuclockid has it."""
    return time.clock_gettime((~process << 3) | 2)


def read_round_progress(path: str, threads: int) -> RoundReading | None:
    """None: it measures not yet, or no longer."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return None
    if len(data) < 56:
        return None
    header, part, _, process, _, began, ended = struct.unpack_from("=7Q", data)
    if not process or not began or ended:
        return None
    counts = [struct.unpack_from("=QQB", data, header + i * part) for i in range(threads)]
    if not all(measuring for _, _, measuring in counts):
        return None
    try:
        return RoundReading(sum(ops for ops, _, _ in counts), _round_cpu_s(process))
    except OSError:
        return None


def start_in_round(command: Sequence[str], output: str) -> subprocess.Popen[bytes]:
    """Starts a program in a session of its own, of which the kernel's autogroup gives each half of
    a core. It ends with this process."""
    with open(output, "wb") as file:
        return start_with_parent(command, file, file, os.setsid, signal.SIGTERM)


def start_with_parent(command: Sequence[str], output: IO[bytes], errors: IO[bytes],
                      leave: Callable[[], object], orphaned: int) -> subprocess.Popen[bytes]:
    """Starts a program, which `leave` takes out of this process's group. When this process ends, it
    gets the signal `orphaned`, by which it ends; SIGKILL ends a stopped one, too."""
    def begin() -> None:
        pr_set_pdeathsig = 1
        leave()
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, orphaned)

    try:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors,
                                preexec_fn=begin)
    except OSError as error:
        fail(1, f"cannot start {command[0]}: {error.strerror}")


def round_said_last(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = file.read().split("\n")
    return next((line for line in reversed(lines) if line), "it printed nothing")


def copy_for_round(database: str, to: str) -> None:
    """Blocks are not shared, so that a copy has its own pages in memory, made as all others."""
    done = subprocess.run(["cp", "-r", "--reflink=never", database, to], capture_output=True,
                          text=True)
    if done.returncode:
        fail(1, f"cannot copy {database}: {done.stderr.strip()}; make space or give another --out")


def _round_command(side: RoundSide, number: int, setting: RoundSetting) -> list[str]:
    place = setting.place
    return [
        side.program, *side.options, f"--db={place}/{number}",
        *(["--use_existing_db=1"] if side.database else []),
        f"--benchmarks={setting.benchmark}", f"--threads={setting.threads}",
        f"--epoch={setting.epoch}", f"--duration={setting.seconds}", f"--warmup={setting.warmup}",
        f"--barrier_file={place}/barrier", "--barrier_clients=2",
        f"--pin_threads={','.join(map(str, setting.cpus))}",
        f"--progress_file={setting.shared}/{number}", f"--label={side.label}",
        f"--repetition={setting.epoch}", f"--json={place}/{number}.json"]


def _round_together(
    running: Sequence[subprocess.Popen[bytes]], setting: RoundSetting
) -> tuple[Both, Both] | None:
    """The first and the last moment at which both measured."""
    first: Both | None = None
    last: Both | None = None
    while all(process.poll() is None for process in running):
        time.sleep(STEP)
        old, new = (read_round_progress(f"{setting.shared}/{number}", setting.threads)
                    for number in (0, 1))
        if old and new:
            last = (time.monotonic(), old, new)
            first = first or last
        elif first:
            break
    return None if first is None or last is None else (first, last)


def _round_row(side: RoundSide, number: int, process: subprocess.Popen[bytes], place: str) -> Row:
    status, output = process.wait(), f"{place}/{number}.out"
    path = f"{place}/{number}.json"
    rows = read_rows(path) if os.path.exists(path) else []
    if rows and not row_valid(rows[-1]):
        fail(1, f"{side.label}: invalid: {rows[-1].get('invalid_reason')}")
    if status or not rows:
        fail(1, f"{side.label} ended with status {status}: {round_said_last(output)}")
    return rows[-1]


def play_round(sides: tuple[RoundSide, RoundSide], setting: RoundSetting,
               order: Sequence[int]) -> PlayedRound | None:
    """Runs both; `order` has 0 and 1, of which the first is copied and started first. None: they
    measured together for too short a time."""
    for number in order:
        if database := sides[number].database:
            copy_for_round(database, f"{setting.place}/{number}")
    running = {}
    with ExitStack() as stack:
        for number in order:
            process = start_in_round(_round_command(sides[number], number, setting),
                                     f"{setting.place}/{number}.out")
            stack.callback(process.wait)
            stack.callback(process.terminate)
            running[number] = process
        both = _round_together([*running.values()], setting)
        # who waits for one that has failed waits in vain
        failed = next((n for n in order if running[n].poll()), None)
        if failed is not None:
            _round_row(sides[failed], failed, running[failed], setting.place)
        rows = (_round_row(sides[0], 0, running[0], setting.place),
                _round_row(sides[1], 1, running[1], setting.place))
    if both is None or both[1][0] - both[0][0] < LEAST_PART * setting.seconds:
        return None
    (begin, *befores), (end, *afters) = both
    done = [(after.ops - before.ops, after.cpu_s - before.cpu_s)
            for before, after in zip(befores, afters)]
    return PlayedRound(end - begin, (done[0][0], done[1][0]), (done[0][1], done[1][1]), rows)
