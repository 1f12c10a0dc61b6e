#!/bin/sh
# Guess: a transaction of tdb with one record is synced twice: the log of old data, then the new.
#
# Truth: eight calls sync, in four pairs of fdatasync and msync: after the log, after its header,
# after the data, and after the header is cleared.
#
# Version: tdb 1.4.8-2 (Debian 12), Linux 6.18, ext4
# Seen: 200 transactions: 800 fdatasync, 800 msync
set -eu
for tool in strace cc apt-get; do
    command -v "$tool" >/dev/null || { echo "tdb-commit-syncs: needs $tool" >&2; exit 2; }
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
{
    apt-get download -q libtdb1=1.4.8-2 libtdb-dev=1.4.8-2 && for package in ./*.deb; do
        dpkg-deb -x "$package" root
    done
} >log 2>&1 || { cat log >&2; exit 2; }
cat >commit.c <<'END'
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <tdb.h>
#include <unistd.h>

int main(void)
{
    struct tdb_context *db = tdb_open("db", 0, TDB_DEFAULT, O_RDWR | O_CREAT, 0600);
    unsigned char key[16], value[100] = {0};
    TDB_DATA k = {key, 9}, v = {value, sizeof value};

    if (!db)
        return 1;
    write(2, "begin\n", 6);
    for (int i = 0; i < 200; i++) {
        snprintf((char *)key, sizeof key, "k%08d", i);
        if (tdb_transaction_start(db) || tdb_store(db, k, v, TDB_INSERT) ||
            tdb_transaction_commit(db))
            return 1;
    }
    write(2, "end\n", 4);
    return tdb_close(db) != 0;
}
END
lib=$(dirname "$(find root -name libtdb.so)")
cc -w -Iroot/usr/include commit.c -L"$lib" -ltdb -o commit
LD_LIBRARY_PATH="$lib" strace -o calls -e trace=fsync,fdatasync,msync,write ./commit 2>/dev/null
counts=$(awk '/write\(2, "begin/ { on = 1 } /write\(2, "end/ { on = 0 }
    on && /fdatasync\(/ { data++ } on && /msync\(/ { map++ }
    END { print data + 0, map + 0 }' calls)
echo "fdatasync and msync of 200 transactions: $counts"
[ "$counts" = "800 800" ] || { echo "tdb-commit-syncs: $counts, not 800 800" >&2; exit 1; }
