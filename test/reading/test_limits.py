"""What limited a run."""
import pytest
from reading import limits

# one thread that used half of a core and nothing else, by a program without bound_by
BASE = {"threads": 1, "cores": 2, "seconds": 10, "user_s": 5, "sys_s": 0, "ctx_voluntary": 0,
        "device_busy_percent": 0, "syncs_per_commit": 0, "harness_ns_per_op": 10,
        "ops_per_sec": 1e5}
WRITER = {"benchmark": "readwhilewriting", "reads": 1, "writes": 1}


@pytest.mark.parametrize("change, word, detail", [
    ({}, "mixed", "CPU 50 %"),
    ({"syncs_per_commit": 0.04}, "mixed", "CPU 50 %"),
    ({"syncs_per_commit": 0.05}, "sync", "0.05 a commit"),
    ({"syncs_per_commit": 1, "device_busy_percent": 90}, "sync", "1 a commit"),
    ({"syncs_per_commit": 1, "user_s": 7}, "mixed", "CPU 70 %"),
    ({"ctx_voluntary": 9990}, "mixed", "CPU 50 %"),
    ({"ctx_voluntary": 10000}, "waits", "1 k/s a thread"),
    ({"ctx_voluntary": 10000, "threads": 2}, "mixed", "CPU 25 %"),
    ({"user_s": 8.4}, "mixed", "CPU 84 %"),
    ({"user_s": 8.5}, "CPU", "1 core"),
    ({"threads": 8, "user_s": 16}, "mixed", "CPU 80 %"),
    ({"threads": 8, "user_s": 17}, "CPU", "2 cores"),
    ({**WRITER, "user_s": 16}, "mixed", "CPU 80 %"),
    ({**WRITER, "user_s": 17}, "CPU", "2 cores"),
    ({**WRITER, "user_s": 9, "mix": "read:1"}, "CPU", "1 core"),
    ({"user_s": 1, "server_user_s": 4, "server_sys_s": 4}, "CPU", "44 % kernel"),
    ({"user_s": 5.4, "sys_s": 3.5}, "CPU", "1 core"),
    ({"device_busy_percent": 74}, "mixed", "CPU 50 %"),
    ({"device_busy_percent": 75}, "device", "75 % busy"),
    ({"device_busy_percent": 75, "user_s": 9}, "CPU, device", "device 75 %"),
    ({"harness_ns_per_op": 4900}, "mixed", "CPU 50 %"),
    ({"harness_ns_per_op": 5000}, "harness", "50 %"),
    ({"harness_ns_per_op": 5000, "target_rate_met": 1}, "rate met", None),
    ({"user_s": None, "sys_s": None}, "unknown", None),
])
def test_rows_of_earlier_programs_have_a_limit_by_coarser_rules(change, word, detail):
    found = limits.limit_of({**BASE, **change})
    assert (found.word, found.detail) == (word, detail)


def test_a_row_says_itself_what_limited_it():
    row = {**BASE, "user_s": 9, "bound_by": "lock", "bound_by_detail": "x",
           "cpu_used_percent": 20, "device_busy_percent": 130}
    assert limits.limit_of(row) == limits.Limit("lock", "x", 0.2, 1)
    waiting = {**row, "ctx_voluntary": 100, "device_reads": 20, "device_writes": 30,
               "cpu_demand_percent": 12.5}
    assert limits.limit_of(waiting) == limits.Limit("unclear", "CPU 13 %", 0.2, 1)
    assert limits.limit_of({**waiting, "device_reads": 19}).word == "lock"
    unknown = limits.limit_of({"bound_by": "cpu"})
    assert (unknown.cpu, unknown.device) == (None, None)


@pytest.mark.parametrize("waits, reads, writes, word", [
    (100, 50, None, "waits for the device"), (100, 20, 30, "waits for the device"),
    (100, 49, 0, "waits"), (100, 10, 0, "waits"), (100, 9, 0, "waits, not for the device"),
    (100, None, 9, "waits"), (0, 9, 9, "waits")])
def test_waits_are_for_the_device_if_every_second_has_a_request(waits, reads, writes, word):
    row = {"bound_by": "waits", "ctx_voluntary": waits, "device_reads": reads,
           "device_writes": writes}
    assert limits.limit_with_waits(row).word == word


def test_cpu_and_device_that_are_busy_together_limit_together():
    assert limits.limit_or_both("mixed", 0.4, 0.45) == "CPU or device"
    assert limits.limit_or_both("unclear", 0.4, 0.45) == "CPU or device"
    assert limits.limit_or_both("mixed", 0.4, 0.44) == "mixed"
    assert limits.limit_or_both("sync", 0.9, 0.9) == "sync"
    assert limits.limit_or_both("mixed", None, 1) == "mixed"
    assert limits.limit_words({**BASE, "device_busy_percent": 35}) == "CPU or device"


def test_each_word_has_a_name_in_sentences_and_what_it_means():
    assert limits.limit_called("quota") == "the CPU quota"
    assert limits.limit_means("quota").startswith("a control group stopped the threads")
    assert limits.limit_called("sync") == "sync" and limits.limit_means(
        "sync") == "commits waited for syncs"
    assert limits.limit_means("lock") == "threads slept 1,000 times a second or more"
    assert limits.limit_means("waits").startswith("threads slept so often")
    assert limits.limit_means("cpu") == limits.limit_means("CPU") == \
        "the usable cores were busy, 85 % or more"
    assert limits.limit_means("rate met") is None
