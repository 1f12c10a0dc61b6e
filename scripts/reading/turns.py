"""Programs that are open at the same time and measure in turn, one at a time, for quickstart.sh.

usage: turns.sh DIRECTORY...

Each DIRECTORY has the words of a program's command, one a line, in the file command; its output
goes to out.txt and err.txt there. A program that is to wait for its turn before each run has
--barrier_file=DIRECTORY/turn --barrier_clients=2, where the only other client is this one. It is
started when those before it wait, and stopped while it waits: neither its polling nor its
background threads take CPU time from another's turn. Then each has a turn in each round, in random
order. A program without a barrier has one turn, in which it runs to its end. Prints the directories
of those that failed.
"""
from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from typing import NamedTuple

from .command import fail, warn
from .duet_round import start_with_parent

#: seconds between two looks whether a turn is over
LOOK = 0.002
#: nice value of the programs
FIRST = -19
#: how long a turn may take while others wait, seconds
TURN_MOST = 60


class Taker(NamedTuple):
    """A program that takes turns, and its directory."""

    place: str
    process: subprocess.Popen[bytes]

    def told(self, number: int) -> None:
        """Sends a signal to the program and its child, which has the engine."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)

    def waits(self) -> bool:
        """Whether it has arrived at its barrier, where this client has not."""
        try:
            return os.stat(f"{self.place}/turn").st_size % 2 == 1
        except FileNotFoundError:
            return False


def _come_first() -> None:
    """Lets it have a core before other programs, where this user may ask for that (root), unless
    it was started by nice: what holds a lock keeps its core, and those that wait do not spin for
    long. It gets a session, as the kernel's autogroup compares sessions, by a nice value of their
    own. Else it gets none: it would have as much of the cores as another session has in all."""
    try:
        if os.getpriority(os.PRIO_PROCESS, 0) > 0:
            raise PermissionError
        os.setpriority(os.PRIO_PROCESS, 0, FIRST)
    except PermissionError:
        os.setpgrp()
        return
    os.setsid()
    with suppress(OSError), open("/proc/self/autogroup", "w", encoding="ascii") as file:
        file.write(str(FIRST))


def begin_taker(place: str, stack: ExitStack) -> Taker:
    with open(f"{place}/command", encoding="utf-8") as file:
        command = file.read().splitlines()
    with open(f"{place}/out.txt", "wb") as out, open(f"{place}/err.txt", "wb") as err:
        process = start_with_parent(command, out, err, _come_first, signal.SIGKILL)
    taker = Taker(place, process)
    stack.callback(process.wait)
    for number in (signal.SIGCONT, signal.SIGTERM):
        stack.callback(taker.told, number)
    return taker


def turn_ends(taker: Taker, most: float) -> bool:
    """Lets it run until it waits for its next turn, and stops it; false: it has ended, by itself or
    because the turn took too long."""
    end = time.monotonic() + most
    while not taker.waits():
        if taker.process.poll() is not None:
            return False
        if time.monotonic() > end:
            warn(f"{taker.place}: its turn did not end within {most:g} s, so it is killed")
            taker.told(signal.SIGKILL)
            taker.process.wait()
            return False
        time.sleep(LOOK)
    taker.told(signal.SIGSTOP)
    return True


def give_turn(taker: Taker) -> None:
    with open(f"{taker.place}/turn", "ab") as file:
        file.write(b"+")
    taker.told(signal.SIGCONT)


def _show_progress(text: str) -> None:
    """What is being done, in the last line of a terminal; "" takes it away."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def _show_turn(number: int, taker: Taker) -> None:
    _show_progress(f"round {number}: {os.path.basename(taker.place)}")


def take_turns(places: Sequence[str]) -> list[Taker]:
    """Runs the programs of these directories to their ends: those that failed."""
    order = random.Random(1)
    with ExitStack() as stack:
        takers: list[Taker] = []
        waiting: list[Taker] = []
        for place in places:
            takers.append(begin_taker(place, stack))
            _show_turn(0, takers[-1])
            if turn_ends(takers[-1], TURN_MOST if waiting else float("inf")):
                waiting.append(takers[-1])
        number = 0
        while waiting:
            number += 1
            for taker in order.sample(waiting, len(waiting)):
                _show_turn(number, taker)
                give_turn(taker)
                if not turn_ends(taker, TURN_MOST):
                    waiting.remove(taker)
        _show_progress("")
        return [taker for taker in takers if taker.process.wait()]


def main(arguments: list[str]) -> int:
    if not arguments:
        fail(2, "which directories? usage: turns.sh DIRECTORY...")
    failed = take_turns(arguments)
    for taker in failed:
        print(taker.place)
    return int(bool(failed))
