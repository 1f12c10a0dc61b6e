#!/bin/sh
# Guess: a database of 1000 small records takes less than 1 MiB after it is closed. Log files that
# were preallocated are sparse or removed.
#
# Truth: with log=(enabled=true) 300 MiB stay: three log files of 100 MiB, written in full.
#
# Version: WiredTiger 3.2.1 (Debian 12), Linux 6.18, ext4
# Seen: MiB of a closed database of 1000 records: apparent 301, allocated 301
set -eu
for tool in cc apt-get; do
    command -v "$tool" >/dev/null || { echo "wiredtiger-log-space: needs $tool" >&2; exit 2; }
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
{
    apt-get download -q libwiredtiger0=3.2.1-1 libwiredtiger-dev=3.2.1-1 &&
        for package in ./*.deb; do
            dpkg-deb -x "$package" root
        done
} >log 2>&1 || { cat log >&2; exit 2; }
cat >load.c <<'END'
#include <stdio.h>
#include <wiredtiger.h>

int main(void)
{
    WT_CONNECTION *connection;
    WT_SESSION *session;
    WT_CURSOR *cursor;
    char key[16], value[101];

    if (wiredtiger_open("db", NULL, "create,log=(enabled=true)", &connection) ||
        connection->open_session(connection, NULL, NULL, &session) ||
        session->create(session, "table:t", "key_format=S,value_format=S") ||
        session->open_cursor(session, "table:t", NULL, NULL, &cursor))
        return 1;
    snprintf(value, sizeof value, "%0100d", 1);
    for (int i = 0; i < 1000; i++) {
        snprintf(key, sizeof key, "k%08d", i);
        cursor->set_key(cursor, key);
        cursor->set_value(cursor, value);
        if (cursor->insert(cursor))
            return 1;
    }
    return connection->close(connection, NULL) != 0;
}
END
mkdir db
lib=$(dirname "$(find root -name libwiredtiger.so)")
cc -w -Iroot/usr/include load.c -L"$lib" -lwiredtiger -o load
LD_LIBRARY_PATH="$lib" ./load
apparent=$(du -s --apparent-size -BM db | awk '{ print int($1) }')
allocated=$(du -s -BM db | awk '{ print int($1) }')
echo "MiB of a closed database of 1000 records: apparent $apparent, allocated $allocated"
[ "$allocated" -ge 150 ] ||
    { echo "wiredtiger-log-space: $allocated MiB are allocated, fewer than 150" >&2; exit 1; }
