"""The table of cuts of power."""
from reading import powerloss


def cut(configuration, durability, seed, **columns):
    return {"configuration": configuration, "durability": durability, "seed": seed, "opens": 1,
            "acknowledged": 10, "lost": 0, "after_a_gap": 0, "damaged": False, **columns}


CUTS = [cut("b", "async", 1, lost=3, after_a_gap=1),
        cut("a", "sync", 2, opens=0, lost=None, after_a_gap=None, damaged=None),
        cut("a", "sync", 3, acknowledged=12)]


def test_of_a_database_that_does_not_open_all_is_lost():
    assert [line.split() for line in powerloss.cuts_table(CUTS)[1:]] == [
        ["a", "sync", "2", "1", "22", "10", "10", "0", "0"],
        ["b", "async", "1", "1", "10", "3", "3", "1", "0"]]


def test_what_sync_must_not_lose():
    assert powerloss.cuts_that_lost(CUTS) == ["a (seed 2)"]
    assert powerloss.cuts_that_lost(
        [cut("c", "sync", 4, damaged=True), cut("c", "sync", 5, lost=1)]) == [
        "c (seed 4)", "c (seed 5)"]
