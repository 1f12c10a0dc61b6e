"""What cuts of power left of commits, as a table, for powerloss.sh.

usage: powerloss.sh CUTS.json

CUTS.json has a line for each cut, as powerloss.sh makes it of what build/crash finds. Fails if a
configuration that syncs each commit has lost one, or acknowledged more than there were
device_flushes.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .command import fail
from .rows import group_rows, read_json_lines
from .text import aligned, as_text

#: the levels of durability in the order of the table
LEVELS = ("sync", "async", "none")

Cut = dict[str, Any]


def _cut_level(cut: Cut) -> int:
    return LEVELS.index(cut["durability"])


def _lost_in_cut(cut: Cut) -> int:
    """Of a database that does not open all acknowledged commits are lost."""
    lost = cut.get("lost")
    return cut.get("acknowledged") or 0 if lost is None else lost


def cuts_table(cuts: Iterable[Cut]) -> list[str]:
    lines = [["engine", "durability", "cuts", "readable", "acknowledged", "lost", "most", "gaps",
              "damaged", "device_flushes"]]
    for same in group_rows(cuts, lambda cut: (_cut_level(cut), cut["configuration"])):
        lost = [_lost_in_cut(cut) for cut in same]
        figures = (len(same), sum(cut.get("opens") or 0 for cut in same),
                   sum(cut.get("acknowledged") or 0 for cut in same), sum(lost), max(lost),
                   sum((cut.get("after_a_gap") or 0) > 0 for cut in same),
                   sum(bool(cut.get("damaged")) for cut in same),
                   sum(cut.get("disk_flushes") or 0 for cut in same))
        lines.append([same[0]["configuration"], same[0]["durability"], *map(as_text, figures)])
    return aligned(lines, lambda column, _: column < 2)


def cuts_that_lost(cuts: Sequence[Cut]) -> list[str]:
    return [f"{cut['configuration']} (seed {as_text(cut['seed'])})" for cut in cuts
            if cut["durability"] == "sync" and (
                cut.get("opens") == 0 or (cut.get("lost") or 0) > 0 or cut.get("damaged"))]


def cuts_unflushed(cuts: Sequence[Cut]) -> list[str]:
    """The cuts of one thread with more acknowledged synced commits than device_flushes."""
    return [f"{cut['configuration']} (seed {as_text(cut['seed'])})" for cut in cuts
            if cut["durability"] == "sync" and cut["threads"] == 1
            and cut["disk_flushes"] < cut["acknowledged"]]


def main(arguments: list[str]) -> None:
    cuts = read_json_lines(arguments[0])
    print("\n".join(cuts_table(cuts)))
    if unflushed := cuts_unflushed(cuts):
        fail(1, "sync acknowledged more commits than there were device_flushes:"
                f" {', '.join(unflushed)}")
    if lost := cuts_that_lost(cuts):
        fail(1, f"sync lost acknowledged data: {', '.join(lost)}")
