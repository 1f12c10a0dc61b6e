#!/bin/sh
# Guess: on overlayfs, opening an LMDB environment of the lower layer and reading it copies nothing.
# The file is copied to the upper layer by the first write.
#
# Truth: mdb_env_open opens the file for reading and writing, and that alone copies all of it. A
# program in a container that only reads pays for the whole database. MDB_RDONLY copies nothing.
#
# Version: lmdb 3.0.0 (PyPI, LMDB 0.9.36), overlayfs of Linux 6.18
# Seen: KiB in the upper layer after reading one record: MDB_RDONLY 8, default 24324
set -eu
for tool in python3 mount; do
    command -v "$tool" >/dev/null || { echo "overlayfs-open: needs $tool" >&2; exit 2; }
done
[ "$(id -u)" -eq 0 ] || { echo "overlayfs-open: needs root, for a mount" >&2; exit 2; }
dir=$(mktemp -d)
# shellcheck disable=SC2317 # called by the trap
clean() {
    ! mountpoint -q "$dir/mnt" || umount "$dir/mnt"
    rm -rf "$dir"
}
trap clean EXIT
cd "$dir"
python3 -m pip install -q --disable-pip-version-check --target lib lmdb==3.0.0 >log 2>&1 ||
    { cat log >&2; exit 2; }
cat >use.py <<'END'
import lmdb, sys
readonly = sys.argv[2] == "readonly"
env = lmdb.open(sys.argv[1], map_size=1 << 30, subdir=False, readonly=readonly)
if sys.argv[2] == "load":
    with env.begin(write=True) as txn:
        for i in range(200000):
            txn.put(b"%08d" % i, bytes(100))
with env.begin() as txn:
    assert txn.get(b"00000001") == bytes(100)
END
export PYTHONPATH="$dir/lib"
mkdir lower upper work mnt
python3 use.py lower/db load
rm lower/db-lock
mount -t overlay overlay -o "lowerdir=$dir/lower,upperdir=$dir/upper,workdir=$dir/work" mnt
kib() { # mode: KiB in the upper layer after a read
    python3 use.py mnt/db "$1"
    cat upper/* | wc -c | awk '{ print int($1 / 1024) }'
}
readonly=$(kib readonly)
default=$(kib default)
echo "KiB in the upper layer after reading one record: MDB_RDONLY $readonly, default $default"
[ "$readonly" -lt 100 ] && [ "$default" -gt 20000 ] && exit
echo "overlayfs-open: $readonly and $default KiB, not less than 100 and more than 20000" >&2
exit 1
