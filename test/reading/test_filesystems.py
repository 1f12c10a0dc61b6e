"""What commits cost on file systems, as tables."""
import json

import pytest
from reading import filesystems
from reading.command import Failure

LMDB = {"file_system": "ext4", "writer": "lmdb", "commits": 20, "device_write_bytes": 163840,
        "device_writes": 60, "device_flushes": 40, "row_device_write_bytes": 162202,
        "row_device_flushes": 40, "allocated_kb": 2048, "used_kb": -512}
IN_MEMORY = {**LMDB, "file_system": "tmpfs", "device_writes": None, "device_write_bytes": None,
             "device_flushes": None, "row_device_write_bytes": None, "row_device_flushes": None}
SHAPES = {"lmdb": "pages"}


def test_a_writer_is_a_line_and_a_file_system_a_column():
    other = {**LMDB, "writer": "bdb", "device_flushes": None}
    lines = filesystems.filesystems_text([LMDB, IN_MEMORY, other], SHAPES, 20)
    assert lines[3:7] == ["| writer | ext4 | tmpfs |", "|---|---|---|",
                          "| pages (lmdb) | 8.0, 2.0 | none |", "| `bdb` | 8.0, - | - |"]
    assert "| pages (lmdb) | 2.0, -0.5 | 2.0, -0.5 |" in lines
    assert lines[-1].endswith("at most 1.0 % (bytes) and 0.0 % (flushes).")


@pytest.mark.parametrize("one, told, failed", [
    ({"file_system": "f2fs", "writer": "", "why": "no f2fs"}, "- f2fs: no f2fs", False),
    ({"file_system": "", "writer": "bdb", "why": "not built"}, "- bdb: not built", False),
    ({"file_system": "xfs", "writer": "bdb", "why": "it died"}, "- bdb on xfs: it died", True),
])
def test_what_has_no_figures_has_a_reason_and_only_a_writer_fails(
        one, told, failed, tmp_path, capsys):
    file, table = tmp_path / "rows", tmp_path / "tsv"
    file.write_text(json.dumps(LMDB) + "\n" + json.dumps(one) + "\n")
    arguments = [str(file), "20", "lmdb pages", str(table)]
    if failed:
        with pytest.raises(Failure, match="a writer failed"):
            filesystems.main(arguments)
    else:
        filesystems.main(arguments)
    assert capsys.readouterr().out.splitlines()[-1] == told
    head, *lines = (line.split("\t") for line in table.read_text().splitlines())
    assert head == [*filesystems.COLUMNS]
    assert dict(zip(head, lines[0]))["used_kb"] == "-512" and lines[1][-1] == one["why"]


@pytest.mark.parametrize("pairs, most", [
    ([(100, 100)], "0.0"), ([(90, 100), (103, 100)], "10.0"), ([(103, 100), (90, 100)], "10.0"),
    ([(None, 100), (5, None)], "0.0"), ([(2, 0)], "200.0"), ([], "0.0")])
def test_rows_differ_from_the_device_by_the_most(pairs, most):
    found = [{"row_device_writes": ours, "device_writes": theirs} for ours, theirs in pairs]
    assert filesystems.filesystem_differs(found, "device_writes") == most
