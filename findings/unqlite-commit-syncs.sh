#!/bin/sh
# Guess: a durable commit of one record takes UnQLite two syncs: its journal, then its file.
#
# Truth: it takes five. The rollback journal is created and deleted by each commit: three fdatasync
# of journal and database, and two fsync, of the directory.
#
# Version: unqlite 1.2.0 (PyPI, bundles UnQLite 1.2.1), Linux 6.18, ext4
# Seen: 200 commits: 600 fdatasync, 400 fsync
set -eu
for tool in strace python3; do
    command -v "$tool" >/dev/null || { echo "unqlite-commit-syncs: needs $tool" >&2; exit 2; }
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m pip install -q --disable-pip-version-check --target lib unqlite==1.2.0 >log 2>&1 ||
    { cat log >&2; exit 2; }
cat >commit.py <<'END'
import os
from unqlite import UnQLite
db = UnQLite("db")
db["first"] = "record"
db.commit()
os.write(2, b"begin\n")
for i in range(200):
    db["key%d" % i] = "x" * 100
    db.commit()
os.write(2, b"end\n")
END
PYTHONPATH="$dir/lib" strace -f -o calls -e trace=fsync,fdatasync,msync,write \
    python3 commit.py 2>/dev/null
counts=$(awk '
    /write\(2, "begin/ { on = 1 }
    /write\(2, "end/ { on = 0 }
    on && /fdatasync\(/ { data++ }
    on && /fsync\(/ { full++ }
    END { print data + 0, full + 0 }' calls)
echo "fdatasync and fsync of 200 commits: $counts"
[ "$counts" = "600 400" ] ||
    { echo "unqlite-commit-syncs: $counts, not 600 400" >&2; exit 1; }
