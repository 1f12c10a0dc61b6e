"""Histories: what is drawn of one."""
from reading.history import Change, Entry, History, _stretches


def change(at: int, before: float, after: float, percent: float) -> Change:
    return Change("x", at, before, after, 1e-5, percent, "", [], worse=True)


def test_each_day_is_drawn_at_the_mean_of_its_stretch_and_a_change_where_it_begins() -> None:
    lines = [{"time": day, "x": value} for day, value in
             (("a", "110"), ("b", "112"), ("c", "220"), ("d", "222"))]
    history = History("h", {}, lines, changes=[change(2, 111, 221, 99.1)])
    assert _stretches(history, "x") == (
        "a\t110\t111\t\nb\t112\t111\t\nc\t220\t221\t+99.1 %\nd\t222\t221\t\n")


def test_without_a_change_all_is_one_stretch() -> None:
    history = History("h", {}, [{"time": "a", "x": "1"}, {"time": "b", "x": "3"}])
    assert _stretches(history, "x") == "a\t1\t2\t\nb\t3\t2\t\n"


def test_the_name_of_a_history_is_kept_for_ever() -> None:
    entry = Entry("vm/readrandom-1t-null", {"label": "null", "threads": 1.0, "cpu": None}, "", "")
    assert entry.path == "vm/readrandom-1t-null-9e240bab"
