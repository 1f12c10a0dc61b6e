"""What limited a run."""
import pytest
from reading import limits


def test_a_row_says_itself_what_limited_it():
    row = {"bound_by": "lock", "bound_by_detail": "x", "cpu_used_percent": 20,
           "device_busy_percent": 130}
    assert limits.limit_of(row) == limits.Limit("lock", "x", 0.2, 1)
    waiting = {**row, "ctx_voluntary": 100, "device_reads": 20, "device_writes": 30,
               "cpu_demand_percent": 12.5}
    assert limits.limit_of(waiting) == limits.Limit("unclear", "CPU 13 %", 0.2, 1)
    assert limits.limit_of({**waiting, "device_reads": 19}).word == "lock"
    assert limits.limit_of({"bound_by": "cpu"}) == limits.Limit("cpu", None, None, None)
    assert limits.limit_of({"bound_by": None}).word == "unknown"


@pytest.mark.parametrize("waits, reads, writes, word", [
    (100, 50, None, "unclear"), (100, 20, 30, "unclear"), (100, 49, 0, "lock"),
    (100, None, 90, "lock"), (0, 9, 9, "lock"), (None, 9, 9, "lock")])
def test_a_lock_with_a_request_for_every_second_wait_was_the_device(waits, reads, writes, word):
    row = {"bound_by": "lock", "ctx_voluntary": waits, "device_reads": reads,
           "device_writes": writes}
    assert limits.limit_of(row).word == word


def test_cpu_and_device_that_are_busy_together_limit_together():
    assert limits.limit_or_both("unclear", 0.4, 0.45) == "CPU or device"
    assert limits.limit_or_both("unclear", 0.4, 0.44) == "unclear"
    assert limits.limit_or_both("sync", 0.9, 0.9) == "sync"
    assert limits.limit_or_both("unclear", None, 1) == "unclear"
    row = {"bound_by": "unclear", "cpu_used_percent": 50, "device_busy_percent": 35}
    assert limits.limit_words(row) == "CPU or device"


def test_each_word_has_a_name_in_sentences_and_what_it_means():
    assert limits.limit_called("quota") == "the CPU quota"
    assert limits.limit_means("quota").startswith("a control group stopped the threads")
    assert limits.limit_called("sync") == "sync" and limits.limit_means(
        "sync") == "commits waited for syncs"
    assert limits.limit_means("lock") == "threads slept 1,000 times a second or more"
    assert limits.limit_means("cpu") == "the usable cores were busy, 85 % or more"
    assert limits.limit_means("rate") is None
