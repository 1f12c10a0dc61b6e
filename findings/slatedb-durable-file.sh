#!/bin/sh
# Guess: with files as its object store, SlateDB's await_durable() returns after an fsync.
#
# Truth: it returns once files are written and closed. Not one sync is made for 20 records, each
# awaited: a power cut can take records that the API calls durable.
#
# Version: slatedb 0.17.0 (PyPI), Linux 6.18, ext4
# Seen: 20 awaited puts, 0 syncs, 20 records after reopening
set -eu
for tool in strace python3; do
    command -v "$tool" >/dev/null || { echo "slatedb-durable-file: needs $tool" >&2; exit 2; }
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m pip install -q --disable-pip-version-check --target lib slatedb==0.17.0 >log 2>&1 ||
    { cat log >&2; exit 2; }
cat >put.py <<'END'
import asyncio, os, sys
from slatedb.uniffi import DbBuilder, ObjectStore

async def main():
    store = ObjectStore.resolve("file:///")
    db = await DbBuilder(os.path.abspath("db").lstrip("/"), store).build()
    if sys.argv[1] == "count":
        print(sum([await db.get(b"key%d" % i) is not None for i in range(20)]))
        await db.shutdown()
        return
    for i in range(20):
        handle = await db.put(b"key%d" % i, b"x" * 100)
        await handle.await_durable()
    os._exit(0)

asyncio.run(main())
END
mkdir db
export PYTHONPATH="$dir/lib"
strace -f -o calls -e trace=fsync,fdatasync,msync,sync_file_range,sync,syncfs,openat \
    python3 put.py write
syncs=$(grep -cE '(sync|sync_file_range|syncfs)\(|O_D?SYNC' calls || true)
found=$(python3 put.py count)
echo "20 awaited puts, $syncs syncs, $found records after reopening"
[ "$syncs $found" = "0 20" ] ||
    { echo "slatedb-durable-file: $syncs syncs and $found records, not 0 and 20" >&2; exit 1; }
