"""What engines do unasked, as tables."""
import json

import pytest
from reading import footprint

ONE = {
    "name": "bdb", "engine": "bdb", "engine_version": "5.3.28", "level": "sync", "harness": 3,
    "small": {"syncs": 21, "device_write_bytes": 20480, "commits": 20},
    "large": {"syncs": 20, "device_write_bytes": None, "commits": 20},
    "new": [17, 28], "loaded": [2048, 3072],
    "deleted_open": {"run_disk_kb": 1536}, "deleted": [9, 512],
    "idle": {"threads": 5, "bg_cpu_percent": 0.25, "rss_anon_kb": 3072, "rss_file_kb": 5120},
    "killed_none": [7, 20], "killed_async": [0, 30], "killed_sync": [0, 3], "why": None,
}
OTHER = {"name": "sled+a=b", "engine": "sled", "engine_version": "1", "level": "async",
         "harness": 3, "new": [1, 2], "why": "it died"}
DEAD = {"name": "toku", "harness": 3, "why": "no library"}


def test_each_figure_has_its_column_and_unit():
    lines = footprint.footprint_text([ONE, OTHER, DEAD], "1000", "20")
    assert [line for line in lines if line.startswith("| bdb")] == [
        "| bdb 5.3.28 | 1.05 | 1.0 | 1.00 | - |",
        "| bdb 5.3.28 | 17, 28 | 2.0, 3.0 | 1.5, 0.5 |",
        "| bdb 5.3.28 | 2 | 0.3 | 3, 5 | 7 | 0 | 0 |",
    ]


def test_what_was_not_measured_is_said_with_its_reason():
    lines = footprint.footprint_text([ONE, OTHER, DEAD], "1000", "20")
    assert "| sled+a=b (async) | 1, 2 | -, - | -, - |" in lines
    assert lines[-2:] == ["- sled+a=b: it died", "- toku: no library"]
    assert not any(line.startswith("| toku") for line in lines)


def test_a_line_of_the_tsv_is_an_engine(tmp_path, capsys):
    measured, into = tmp_path / "measured", tmp_path / "tsv"
    measured.write_text("".join(json.dumps(one) + "\n" for one in (ONE, DEAD)))
    footprint.main([str(measured), "1000", "20", str(into)])
    head, first, dead = (line.split("\t") for line in into.read_text().splitlines())
    row = dict(zip(head, first))
    assert row["syncs_small"] == "1.05" and row["kib_large"] == ""
    assert row["idle_threads"] == "2" and row["lost_none"] == "7" and row["why"] == ""
    assert dead[0] == "toku" and dead[-1] == "no library" and len(dead) == len(head)
    assert "| bdb 5.3.28 |" in capsys.readouterr().out


@pytest.mark.parametrize("part", [None, {"syncs": 1, "commits": 0}])
def test_without_commits_there_is_no_figure_of_one(part):
    assert footprint.footprint_per_commit("small", "syncs")({"small": part}) is None
