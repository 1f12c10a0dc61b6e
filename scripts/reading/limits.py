"""The limit of a run, a word: its column bound_by, of which docs/why.md has the rules."""
from __future__ import annotations

from typing import NamedTuple

from .rows import Row
from .text import rounded

SAID = "Limited by: the column bound_by; docs/why.md, The limit of a run, has the rules."


class Limit(NamedTuple):
    """What limited a run, a detail of it, and the fractions of the time in which CPU and device
    were busy; None: unknown."""

    word: str
    detail: str | None
    cpu: float | None
    device: float | None


def limit_background_thread(row: Row) -> bool:
    return row.get("mix") is None and "while" in (row.get("benchmark") or "")


def limit_background_writer(row: Row) -> bool:
    return (limit_background_thread(row) and (row.get("reads") or row.get("scans") or 0) > 0
            and (row.get("writes") or 0) > 0)


def _limit_waits_for_device(row: Row) -> bool:
    """Whether the device got a request for at least every second wait."""
    waits, reads = row.get("ctx_voluntary"), row.get("device_reads")
    if not waits or reads is None:
        return False
    return (reads + (row.get("device_writes") or 0)) / waits >= 0.5


def limit_of(row: Row) -> Limit:
    busy, used = row.get("device_busy_percent"), row.get("cpu_used_percent")
    device = None if busy is None else min(busy / 100, 1)
    cpu = None if used is None else used / 100
    # older rows call waits for the device a lock, too
    if row.get("bound_by") == "lock" and _limit_waits_for_device(row):
        return Limit("unclear", f"CPU {rounded(row.get('cpu_demand_percent') or 0)} %", cpu, device)
    return Limit(row.get("bound_by") or "unknown", row.get("bound_by_detail"), cpu, device)


#: the word of a run that nothing limits alone
NO_LIMIT = "unclear"


def limit_or_both(word: str, cpu: float | None, device: float | None) -> str:
    """Such a word, or another if CPU and device together are as busy as a CPU that limits."""
    if word == NO_LIMIT and cpu is not None and device is not None and cpu + device >= 0.85:
        return "CPU or device"
    return word


def limit_words(row: Row) -> str:
    limit = limit_of(row)
    return limit_or_both(limit.word, limit.cpu, limit.device)


_CALLED = {
    "cpu": "CPU",
    "CPU or device": "CPU and device, neither alone",
    "lock": "waits for other threads",
    "quota": "the CPU quota",
}
_MEANS = {
    "CPU": "the usable cores were busy, 85 % or more",
    "device": "the device was busy most of the time",
    "CPU and device, neither alone": "their shares of the time add up to 85 % or more",
    "sync": "commits waited for syncs",
    "the CPU quota": "a control group stopped the threads in half of its periods or more",
    "waits for other threads": "threads slept 1,000 times a second or more",
    "unclear": "nothing was busy enough",
}


def limit_called(word: str) -> str:
    return _CALLED.get(word, word)


def limit_means(word: str) -> str | None:
    """What such a word means, for those who have no page beside it; None of one that tells no
    limit."""
    return _MEANS.get(limit_called(word))
