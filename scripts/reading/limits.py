"""The limit of a run, a word: its column bound_by, of which docs/why.md has the rules.

Rows of earlier programs have no such column: the word is then computed from others, by coarser
rules.
"""
from __future__ import annotations

from typing import NamedTuple

from .rows import Row
from .text import number, rounded

SAID = "Limited by: the column bound_by; docs/why.md, The limit of a run, has the rules."


class Limit(NamedTuple):
    """What limited a run, a detail of it, and the fractions of the time in which CPU and device
    were busy; None: unknown."""

    word: str
    detail: str | None
    cpu: float | None
    device: float | None


def limit_background_writer(row: Row) -> bool:
    return (row.get("mix") is None and (row.get("reads") or 0) > 0
            and (row.get("writes") or 0) > 0 and "while" in (row.get("benchmark") or ""))


def limit_cores(row: Row) -> float:
    """The cores that the threads could use: a background writer is a thread, too."""
    threads = row.get("threads") or 0
    return min(threads + limit_background_writer(row), row.get("cores") or threads)


def _limit_cpu_seconds(row: Row) -> float | None:
    parts = (row.get("user_s"), row.get("sys_s"), row.get("server_user_s"),
             row.get("server_sys_s"))
    known = [part for part in parts if part is not None]
    return sum(known) if known else None


def limit_cpu_used(row: Row) -> float | None:
    """CPU time of the process and its servers, as a fraction of these cores."""
    spent, seconds = _limit_cpu_seconds(row), row.get("seconds") or 0
    return None if spent is None or seconds <= 0 else min(spent / seconds / limit_cores(row), 1)


def _limit_kernel_part(row: Row) -> float:
    spent = _limit_cpu_seconds(row) or 0
    kernel = (row.get("sys_s") or 0) + (row.get("server_sys_s") or 0)
    return kernel / spent if spent > 0 else 0


def limit_harness(row: Row) -> float:
    """The harness, as a fraction of the time that an operation had on such a core."""
    harness = row.get("harness_ns_per_op") or 0
    return harness * (row.get("ops_per_sec") or 0) / 1e9 / limit_cores(row)


def _limit_waits(row: Row) -> float:
    seconds, threads = row.get("seconds") or 0, row.get("threads") or 1
    return (row.get("ctx_voluntary") or 0) / seconds / threads if seconds > 0 else 0


def _limit_waits_for(row: Row) -> str | None:
    """What a run waited for: the device, if it got a request for at least every second wait; not
    for it, if for fewer than one in ten."""
    waits, reads = row.get("ctx_voluntary"), row.get("device_reads")
    if not waits or reads is None:
        return None
    requests = (reads + (row.get("device_writes") or 0)) / waits
    if requests >= 0.5:
        return " for the device"
    return ", not for the device" if requests < 0.1 else None


def _limit_percent(fraction: float) -> str:
    return f"{rounded(fraction * 100)} %"


def _busy_limit(cpu: float, device: float, row: Row) -> tuple[str, str | None] | None:
    if cpu >= 0.85 and device >= 0.75:
        return "CPU, device", f"device {_limit_percent(device)}"
    if device >= 0.75:
        return "device", f"{_limit_percent(device)} busy"
    if cpu < 0.85:
        return None
    if _limit_kernel_part(row) >= 0.4:
        return "CPU", f"{_limit_percent(_limit_kernel_part(row))} kernel"
    cores = limit_cores(row)
    return "CPU", f"{number(cores)} core{'' if cores == 1 else 's'}"


def _computed_limit(row: Row, cpu: float | None, device: float | None) -> tuple[str, str | None]:
    """The first that is true."""
    if row.get("target_rate_met") == 1:
        return "rate met", None
    if cpu is None:
        return "unknown", None
    if limit_harness(row) >= 0.5:
        return "harness", _limit_percent(limit_harness(row))
    syncs = row.get("syncs_per_commit") or 0
    if syncs >= 0.05 and cpu < 0.7:
        return "sync", f"{number(rounded(syncs * 100) / 100)} a commit"
    if busy := _busy_limit(cpu, device or 0, row):
        return busy
    waits = _limit_waits(row)
    if waits >= 1000:
        return "waits", f"{rounded(waits / 1000)} k/s a thread"
    return "mixed", f"CPU {_limit_percent(cpu)}"


def limit_of(row: Row) -> Limit:
    busy, used = row.get("device_busy_percent"), row.get("cpu_used_percent")
    device = None if busy is None else min(busy / 100, 1)
    word = row.get("bound_by")
    if word is None:
        cpu = limit_cpu_used(row)
        return Limit(*_computed_limit(row, cpu, device), cpu, device)
    cpu = None if used is None else used / 100
    # older rows call waits for the device a lock, too
    if word == "lock" and _limit_waits_for(row) == " for the device":
        return Limit("unclear", f"CPU {rounded(row.get('cpu_demand_percent') or 0)} %", cpu, device)
    return Limit(word, row.get("bound_by_detail"), cpu, device)


def limit_with_waits(row: Row) -> Limit:
    """The same, with the word of waits saying what for."""
    limit = limit_of(row)
    if limit.word == "waits":
        return limit._replace(word=limit.word + (_limit_waits_for(row) or ""))
    return limit


#: the words of a run that nothing limits alone
NO_LIMIT = ("mixed", "unclear")


def limit_or_both(word: str, cpu: float | None, device: float | None) -> str:
    """Such a word, or another if CPU and device together are as busy as a CPU that limits."""
    if word in NO_LIMIT and cpu is not None and device is not None and cpu + device >= 0.85:
        return "CPU or device"
    return word


def limit_words(row: Row) -> str:
    limit = limit_with_waits(row)
    return limit_or_both(limit.word, limit.cpu, limit.device)


_CALLED = {
    "cpu": "CPU",
    "CPU, device": "CPU and device",
    "CPU or device": "CPU and device, neither alone",
    "waits": "waits of unknown cause",
    "lock": "waits for other threads",
    "quota": "the CPU quota",
}
_MEANS = {
    "CPU": "the usable cores were busy, 85 % or more",
    "device": "the device was busy most of the time",
    "CPU and device, neither alone": "their shares of the time add up to 85 % or more",
    "sync": "commits waited for syncs",
    "the CPU quota": "a control group stopped the threads in half of its periods or more",
    "waits for the device": "threads slept 1,000 times a second or more, mostly for its requests",
    "waits for other threads": "threads slept 1,000 times a second or more",
    "waits of unknown cause": "threads slept so often, too",
    "mixed": "nothing was busy enough",
    "unclear": "nothing was busy enough",
}


def limit_called(word: str) -> str:
    return _CALLED.get(word, word)


def limit_means(word: str) -> str | None:
    """What such a word means, for those who have no page beside it; None of one that tells no
    limit."""
    return _MEANS.get(limit_called(word))
