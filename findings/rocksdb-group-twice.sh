#!/bin/sh
# Guess: in an options string of RocksDB a group adds to what is set, as a group in a string adds to
# the options that it is applied to. So compression_opts={a=1};compression_opts={b=2} sets both,
# as two groups from two places of a program would.
#
# Truth: of two groups of one name in a string the last alone holds, without an error: the string
# becomes a map, by name, before a group is looked into. Applied one after the other, or in one
# pair of braces, both hold. So a program that joins its own options with a user's loses one of them.
#
# Version: RocksDB 7.8.3-2 (Debian 12)
# Seen, parallel_threads (default 1) and zstd_max_train_bytes (default 0):
# one group 3 4096, two strings 3 4096, two groups 1 4096, no error
set -eu
for tool in apt-get dpkg-deb cc; do
    command -v "$tool" >/dev/null || { echo "rocksdb-group-twice: needs $tool" >&2; exit 2; }
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
cat >group.c <<'END'
#include <rocksdb/c.h>
#include <stdio.h>

/* group STRING...: applies them one after the other, and prints what two options have become */
int main(int argc, char **argv)
{
    rocksdb_options_t *options = rocksdb_options_create();

    for (int i = 1; i < argc; i++) {
        rocksdb_options_t *next = rocksdb_options_create();
        char *error = NULL;

        rocksdb_get_options_from_string(options, argv[i], next, &error);
        if (error) {
            puts(error);
            return 2;
        }
        rocksdb_options_destroy(options);
        options = next;
    }
    printf("%d %d\n", rocksdb_options_get_compression_options_parallel_threads(options),
           rocksdb_options_get_compression_options_zstd_max_train_bytes(options));
    rocksdb_options_destroy(options);
    return 0;
}
END
cc -o group group.c -I"$dir/root/usr/include" -L"$libraries" -l:librocksdb.so.7.8 \
    -Wl,-rpath,"$libraries" -Wl,--allow-shlib-undefined
threads='compression_opts={parallel_threads=3}' train='compression_opts={zstd_max_train_bytes=4096}'
seen="one group $(./group 'compression_opts={parallel_threads=3;zstd_max_train_bytes=4096}')
two strings $(./group "$threads" "$train")
two groups $(./group "$threads;$train")"
echo "$seen"
[ "$seen" = 'one group 3 4096
two strings 3 4096
two groups 1 4096' ] || { echo "rocksdb-group-twice: another answer" >&2; exit 1; }
