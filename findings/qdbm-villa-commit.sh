#!/bin/sh
# Guess: vltrancommit() of QDBM's Villa syncs the file, so a committed record is on the device.
#
# Truth: each commit makes two msync, of the map that holds the file's head (131,044 bytes). The
# records behind it were written by write(), and nothing syncs them: no fsync in any commit.
#
# Version: QDBM 1.8.78-12+b1 (Debian 12), Linux 6.18, ext4
# Seen: 200 commits: 400 msync of the first 131044 bytes, 0 fsync, all writes behind that
set -eu
for tool in strace cc apt-get; do
    command -v "$tool" >/dev/null || { echo "qdbm-villa-commit: needs $tool" >&2; exit 2; }
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
{
    apt-get download -q libqdbm14=1.8.78-12+b1 libqdbm-dev=1.8.78-12+b1 &&
        for package in ./*.deb; do
            dpkg-deb -x "$package" root
        done
} >log 2>&1 || { cat log >&2; exit 2; }
cat >commit.c <<'END'
#include <depot.h>
#include <cabin.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <villa.h>

int main(void)
{
    VILLA *db = vlopen("db", VL_OWRITER | VL_OCREAT, VL_CMPLEX);
    char key[16], value[100] = {0};

    if (!db)
        return 1;
    write(2, "begin\n", 6);
    for (int i = 0; i < 200; i++) {
        snprintf(key, sizeof key, "k%08d", i);
        if (!vltranbegin(db) || !vlput(db, key, 9, value, sizeof value, VL_DOVER) ||
            !vltrancommit(db))
            return 1;
    }
    write(2, "end\n", 4);
    return !vlclose(db);
}
END
lib=$(dirname "$(find root -name libqdbm.so)")
cc -w -Iroot/usr/include/qdbm commit.c -L"$lib" -lqdbm -o commit
LD_LIBRARY_PATH="$lib" strace -o calls -e trace=fsync,fdatasync,msync,write,lseek ./commit \
    2>/dev/null
# lseek(FD, OFFSET, ...) places each write; msync(ADDRESS, LENGTH, ...) starts at the file's head.
counts=$(awk -F '[(,]' '
    /write\(2, "begin/ { on = 1; next }
    /write\(2, "end/ { on = 0 }
    !on { next }
    /^lseek/ { at = $3 + 0 }
    /^msync/ { maps++; if ($3 + 0 > head) head = $3 + 0 }
    /^(fsync|fdatasync)/ { syncs++ }
    /^write/ { if (at < 131044) inside++; else behind++ }
    END { print maps + 0, head + 0, syncs + 0, inside + 0, (behind > 200) + 0 }' calls)
echo "msync, longest range, fsync, writes inside the range, more than 200 behind it: $counts"
[ "$counts" = "400 131044 0 0 1" ] ||
    { echo "qdbm-villa-commit: $counts, not 400 131044 0 0 1" >&2; exit 1; }
