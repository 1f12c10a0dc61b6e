#!/bin/sh
# Guess: LMDB's longest key is 511 bytes, a constant of the library that
# mdb_env_get_maxkeysize returns at any time.
#
# Truth: in LMDB 1.0 it follows from the page size: 1978 bytes with pages of 4 KiB. Before the
# environment is open the function returns 0, so a program that asks early accepts no key at all.
#
# Version: LMDB 0.9.36 and 1.0.2 (lib and lib1 of the sdist lmdb 3.0.0 of PyPI)
# Seen: before opening, after, longest key stored: 0.9 511 511 511, 1.0 0 1978 1978
set -eu
for tool in cc python3; do
    command -v "$tool" >/dev/null || { echo "lmdb1-key-size: needs $tool" >&2; exit 2; }
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
{
    python3 -m pip download -q --no-deps --no-binary :all: lmdb==3.0.0 &&
        tar xzf lmdb-3.0.0.tar.gz
} >log 2>&1 || { cat log >&2; exit 2; }
cat >open.c <<'END'
#include <lmdb.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    static char bytes[4096];
    MDB_env *env;
    MDB_txn *txn;
    MDB_dbi dbi;
    MDB_val key = {511, bytes}, value = {1, bytes};

    mdb_env_create(&env);
    printf("%d ", mdb_env_get_maxkeysize(env));
    if (mdb_env_set_mapsize(env, 1 << 26) || mdb_env_open(env, argv[1], MDB_NOSUBDIR, 0600) ||
        mdb_txn_begin(env, NULL, 0, &txn) || mdb_dbi_open(txn, NULL, 0, &dbi))
        return 1;
    while (mdb_put(txn, dbi, &key, &value, 0) == 0)
        key.mv_size++;
    printf("%d %zu\n", mdb_env_get_maxkeysize(env), key.mv_size - 1);
    return 0;
}
END
for version in lib lib1; do
    (cd lmdb-3.0.0/$version && cc -w -O1 -I. ../../open.c mdb.c midl.c -pthread -o ../../$version)
done
old=$(./lib old)
new=$(./lib1 new)
echo "before opening, after, longest key stored: 0.9 $old, 1.0 $new"
[ "$old $new" = "511 511 511 0 1978 1978" ] ||
    { echo "lmdb1-key-size: 0.9 $old, 1.0 $new" >&2; exit 1; }
