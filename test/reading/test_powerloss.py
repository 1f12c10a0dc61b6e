"""The table of cuts of power."""
import json

import pytest
from reading import powerloss
from reading.command import Failure


def cut(configuration, durability, seed, **columns):
    return {"configuration": configuration, "durability": durability, "seed": seed, "opens": 1,
            "acknowledged": 10, "lost": 0, "after_a_gap": 0, "damaged": False, "threads": 1,
            "disk_flushes": 12, **columns}


CUTS = [cut("b", "async", 1, lost=3, after_a_gap=1),
        cut("a", "sync", 2, opens=0, lost=None, after_a_gap=None, damaged=None),
        cut("a", "sync", 3, acknowledged=12)]


def test_of_a_database_that_does_not_open_all_is_lost():
    assert [line.split() for line in powerloss.cuts_table(CUTS)[1:]] == [
        ["a", "sync", "2", "1", "22", "10", "10", "0", "0", "24"],
        ["b", "async", "1", "1", "10", "3", "3", "1", "0", "12"]]


def test_what_sync_must_not_lose():
    assert powerloss.cuts_that_lost(CUTS) == ["a (seed 2)"]
    assert powerloss.cuts_that_lost(
        [cut("c", "sync", 4, damaged=True), cut("c", "sync", 5, lost=1)]) == [
        "c (seed 4)", "c (seed 5)"]


def test_a_synced_commit_of_one_thread_has_a_flush_of_its_own():
    few = [cut("a", "async", 1, disk_flushes=9), cut("b", "sync", 2, disk_flushes=10),
           cut("c", "sync", 3, disk_flushes=9, threads=2), cut("d", "sync", 4, disk_flushes=9)]
    assert powerloss.cuts_unflushed(few) == ["d (seed 4)"]


def test_commits_without_a_flush_fail_even_if_none_is_lost(tmp_path):
    file = tmp_path / "cuts"
    file.write_text(json.dumps(cut("a", "sync", 1, disk_flushes=9)) + "\n")
    with pytest.raises(Failure, match=r"than there were device_flushes: a \(seed 1\)"):
        powerloss.main([str(file)])
