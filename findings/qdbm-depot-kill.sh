#!/bin/sh
# Guess: QDBM's Depot calls write() for each record, so after kill -9 it opens with all records.
#
# Truth: dpopen() refuses the file ("broken database file"), for writing and for reading, although
# not one byte is missing: dprepair() brings back every record.
#
# Version: QDBM 1.8.78-12+b1 (Debian 12), Linux 6.18, ext4
# Seen: writer: broken database file; reader: broken database file; after dprepair 200 of 200
set -eu
for tool in cc apt-get; do
    command -v "$tool" >/dev/null || { echo "qdbm-depot-kill: needs $tool" >&2; exit 2; }
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
cat >kill.c <<'END'
#include <depot.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void write_and_die(void)
{
    DEPOT *db = dpopen("db", DP_OWRITER | DP_OCREAT, -1);
    char key[16], value[100] = {0};

    for (int i = 0; db && i < 200; i++) {
        snprintf(key, sizeof key, "k%08d", i);
        if (!dpput(db, key, 9, value, sizeof value, DP_DOVER))
            _exit(1);
    }
    kill(getpid(), SIGKILL);
}

static const char *state(int mode)
{
    DEPOT *db = dpopen("db", mode, -1);
    static char text[32];

    if (!db)
        return dperrmsg(dpecode);
    snprintf(text, sizeof text, "%d records", dprnum(db));
    dpclose(db);
    return text;
}

int main(void)
{
    pid_t child = fork();

    if (child == 0)
        write_and_die();
    if (child < 0 || waitpid(child, NULL, 0) < 0)
        return 1;
    printf("%s, ", state(DP_OWRITER));
    printf("%s, ", state(DP_OREADER));
    printf("%s\n", dprepair("db") ? state(DP_OREADER) : "no repair");
    return 0;
}
END
lib=$(dirname "$(find root -name libqdbm.so)")
cc -w -Iroot/usr/include/qdbm kill.c -L"$lib" -lqdbm -o kill
seen=$(LD_LIBRARY_PATH="$lib" ./kill)
echo "writer, reader, repaired: $seen"
[ "$seen" = "broken database file, broken database file, 200 records" ] ||
    { echo "qdbm-depot-kill: $seen" >&2; exit 1; }
