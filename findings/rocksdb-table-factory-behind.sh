#!/bin/sh
# Guess: table_factory=BlockBasedTable, which each OPTIONS file of RocksDB has, names the tables
# that RocksDB makes anyhow, so it changes nothing in an options string that already has a
# block_based_table_factory={...}.
#
# Truth: in 11.8.1 it does, behind that group: it makes a new factory, and the group's options are
# the defaults again, without an error. Before the group it changes nothing. In 7.8.3 the order does
# not matter. So a program that appends the lines of an OPTIONS file to a string of its own loses
# the options of its tables, among them the size of blocks and the filter.
#
# Version: RocksDB 7.8.3-2 (Debian 12); org.rocksdb:rocksdbjni 11.8.1
# Seen, block_size (default 4096) of the string with 65536:
# 7.8.3: word before 65536, behind 65536; 11.8.1: word before 65536, behind 4096
set -eu
for tool in apt-get dpkg-deb cc mvn unzip; do
    command -v "$tool" >/dev/null ||
        { echo "rocksdb-table-factory-behind: needs $tool" >&2; exit 2; }
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p debs/partial
{
    apt-get -q -y --download-only --reinstall -o Dir::Cache::archives="$dir/debs" install \
        librocksdb-dev=7.8.3-2 librocksdb7.8=7.8.3-2 && for package in debs/*.deb; do
        dpkg-deb -x "$package" root
    done && mvn -q -B dependency:copy -DoutputDirectory=. \
        -Dartifact=org.rocksdb:rocksdbjni:11.8.1 &&
        unzip -q rocksdbjni-11.8.1.jar librocksdbjni-linux64.so
} >log 2>&1 || { cat log >&2; exit 2; }
libraries=$dir/root/usr/lib/$(uname -m)-linux-gnu
cat >tables.c <<'END'
#include <rocksdb/c.h>
#include <stdio.h>

/* tables STRING DIRECTORY: makes a database with these options */
int main(int argc, char **argv)
{
    rocksdb_options_t *base = rocksdb_options_create(), *options = rocksdb_options_create();
    rocksdb_t *db = NULL;
    char *error = NULL;

    (void)argc;
    rocksdb_options_set_create_if_missing(base, 1);
    rocksdb_get_options_from_string(base, argv[1], options, &error);
    if (!error)
        db = rocksdb_open(options, argv[2], &error);
    if (error) {
        puts(error);
        return 2;
    }
    rocksdb_close(db);
    return 0;
}
END
sizes() { # LIBRARY: the blocks' size with the word before the group, and behind it
    cc -o "tables-$1" tables.c -I"$dir/root/usr/include" -L"$libraries" -L"$dir" "-l:$1" \
        -Wl,-rpath,"$libraries:$dir" -Wl,--allow-shlib-undefined
    group='block_based_table_factory={block_size=65536}' word='table_factory=BlockBasedTable'
    "./tables-$1" "$word;$group" "before-$1"
    "./tables-$1" "$group;$word" "behind-$1"
    for place in before behind; do
        echo "$place $(sed -n 's/^ *block_size=//p' "$place-$1"/OPTIONS-*)"
    done | paste -s -d ' '
}
seen="7.8.3: $(sizes librocksdb.so.7.8)
11.8.1: $(sizes librocksdbjni-linux64.so)"
echo "$seen"
[ "$seen" = '7.8.3: before 65536 behind 65536
11.8.1: before 65536 behind 4096' ] ||
    { echo "rocksdb-table-factory-behind: another answer" >&2; exit 1; }
