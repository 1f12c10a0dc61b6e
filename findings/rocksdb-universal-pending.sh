#!/bin/sh
# Guess: once nothing of a universal tree is compacted any more, rocksdb.compaction-pending is 0, as
# in a leveled tree; so waiting for that waits for the end of compactions.
#
# Truth: it stays 1 as long as there are as many sorted runs as the trigger asks for
# (level0_file_num_compaction_trigger), whether or not any of them will be compacted. With the
# trigger at 1 it is 1 in every database that is not empty.
#
# Version: RocksDB 7.8.3-2 (Debian 12)
# Seen, 3 s after the last of six flushes, each a tenth of the one before, with no compaction
# running: leveled, trigger 4: 3 runs, pending 0; universal, trigger 4: 4 runs, pending 1;
# universal, trigger 1: 1 run, pending 1
set -eu
for tool in apt-get dpkg-deb cc; do
    command -v "$tool" >/dev/null || { echo "rocksdb-universal-pending: needs $tool" >&2; exit 2; }
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p debs/partial
{
    apt-get -q -y --download-only --reinstall -o Dir::Cache::archives="$dir/debs" install \
        librocksdb-dev=7.8.3-2 librocksdb7.8=7.8.3-2 && for package in debs/*.deb; do
        dpkg-deb -x "$package" root
    done
} >log 2>&1 || { cat log >&2; exit 2; }
libraries=$dir/root/usr/lib/$(uname -m)-linux-gnu
cat >pending.c <<'END'
#include <rocksdb/c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t property(rocksdb_t *db, const char *name)
{
    uint64_t value = 0;

    if (rocksdb_property_int(db, name, &value))
        exit(2);
    return value;
}

/* pending STYLE TRIGGER: six flushes, and what RocksDB says 3 s later */
int main(int argc, char **argv)
{
    rocksdb_options_t *o = rocksdb_options_create();
    rocksdb_writeoptions_t *write = rocksdb_writeoptions_create();
    rocksdb_flushoptions_t *flush = rocksdb_flushoptions_create();
    char *error = NULL, key[32], value[100];
    unsigned long long runs = 0;

    memset(value, 'v', sizeof value);
    rocksdb_options_set_create_if_missing(o, 1);
    rocksdb_options_set_compaction_style(o, argc > 1 ? atoi(argv[1]) : 0);
    rocksdb_options_set_level0_file_num_compaction_trigger(o, argc > 2 ? atoi(argv[2]) : 4);
    rocksdb_t *db = rocksdb_open(o, "db", &error);
    for (int n = 100000, at = 0; !error && n; n /= 10) {
        for (int i = 0; i < n && !error; i++) {
            int size = snprintf(key, sizeof key, "%016d", at++ * 7919 % 1000003);
            rocksdb_put(db, write, key, (size_t)size, value, sizeof value, &error);
        }
        if (!error)
            rocksdb_flush(db, flush, &error);
    }
    if (error)
        return fprintf(stderr, "%s\n", error), 2;
    sleep(3);
    for (int level = 0; level < 7; level++) {
        char name[64];
        snprintf(name, sizeof name, "rocksdb.num-files-at-level%d", level);
        char *files = rocksdb_property_value(db, name);
        int n = files ? atoi(files) : 0;
        runs += level ? n > 0 : (unsigned)n;
        rocksdb_free(files);
    }
    printf("runs %llu, running %llu, pending %llu\n", runs,
           (unsigned long long)property(db, "rocksdb.num-running-compactions"),
           (unsigned long long)property(db, "rocksdb.compaction-pending"));
    rocksdb_close(db);
    return 0;
}
END
cc -O1 -I root/usr/include pending.c -o pending -L "$libraries" -l:librocksdb.so.7.8 \
    -Wl,--allow-shlib-undefined 2>log || { cat log >&2; exit 2; }
LD_LIBRARY_PATH=$libraries
export LD_LIBRARY_PATH
said=
for case in '0 4' '1 4' '1 1'; do
    rm -rf db
    # shellcheck disable=SC2086 # two words
    ./pending $case >out || exit 2
    echo "style and trigger $case: $(cat out)"
    said="$said$(sed 's/.*pending //' out)"
done
[ "$said" = 011 ] || { echo "rocksdb-universal-pending: another answer" >&2; exit 1; }
