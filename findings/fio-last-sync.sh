#!/bin/sh
# Guess: with fdatasync=1 fio syncs each write, so that 10 writes are followed by 10 syncs, and its
# JSON counts them in sync.total_ios.
#
# Truth: the last write is not synced (9 of 10), and sync.total_ios is 0; the number of syncs stands
# only in sync.lat_ns.N. end_fsync=1 adds the last one.
#
# Version: fio 3.33-3 (Debian 12), Linux 6.18, ext4
# Seen: 10 writes, strace 9 fdatasync, sync.total_ios 0, sync.lat_ns.N 9; with end_fsync=1 one fsync
set -eu
for tool in strace jq apt-get; do
    command -v "$tool" >/dev/null || { echo "fio-last-sync: needs $tool" >&2; exit 2; }
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p debs/partial
{
    apt-get -q -y --download-only --reinstall -o Dir::Cache::archives="$dir/debs" install \
        fio=3.33-3 && for package in debs/*.deb; do
        dpkg-deb -x "$package" root
    done
} >log 2>&1 || { cat log >&2; exit 2; }
LD_LIBRARY_PATH=$dir/root/usr/lib/$(uname -m)-linux-gnu
PATH=$dir/root/usr/bin:$PATH
export LD_LIBRARY_PATH PATH
run() { # further options of fio
    strace -f -o calls -e trace=fsync,fdatasync fio --name=x --filename=file --rw=write --bs=4k \
        --size=40k --ioengine=sync --fdatasync=1 --output-format=json --output=out "$@"
    jq -j '.jobs[0] | "\(.write.total_ios) writes, total_ios \(.sync.total_ios), "' out
    jq -j '"N \(.jobs[0].sync.lat_ns.N)"' out
    echo ", $(grep -c 'fdatasync(' calls) fdatasync, $(grep -c ' fsync(' calls) fsync"
}
seen="$(run)
$(run --end_fsync=1)"
echo "$seen"
[ "$seen" = "10 writes, total_ios 0, N 9, 9 fdatasync, 0 fsync
10 writes, total_ios 0, N 9, 9 fdatasync, 1 fsync" ] ||
    { echo "fio-last-sync: other counts" >&2; exit 1; }
