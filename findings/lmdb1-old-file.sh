#!/bin/sh
# Guess: LMDB 1.0 names the reason when it is given a database of 0.9, whose format differs:
# MDB_VERSION_MISMATCH.
#
# Truth: it returns MDB_INVALID, "File is not an LMDB file", the answer for a file of zeros. 0.9
# returns the same for a database of 1.0. A migration cannot tell an old file from a damaged one.
#
# Version: LMDB 0.9.36 and 1.0.2 (lib and lib1 of the sdist lmdb 3.0.0 of PyPI)
# Seen: 1.0 opens 0.9: -30793, 0.9 opens 1.0: -30793, 1.0 opens zeros: -30793
set -eu
for tool in cc python3; do
    command -v "$tool" >/dev/null || { echo "lmdb1-old-file: needs $tool" >&2; exit 2; }
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
#include <string.h>

int main(int argc, char **argv)
{
    MDB_env *env;
    MDB_txn *txn;
    MDB_dbi dbi;
    MDB_val key = {3, "key"}, value = {5, "value"};

    mdb_env_create(&env);
    int rc = mdb_env_open(env, argv[1], MDB_NOSUBDIR, 0600);
    if (argc == 2) {
        printf("%d\n", rc);
        return 0;
    }
    return rc || mdb_txn_begin(env, NULL, 0, &txn) || mdb_dbi_open(txn, NULL, 0, &dbi) ||
           mdb_put(txn, dbi, &key, &value, 0) || mdb_txn_commit(txn);
}
END
for version in lib lib1; do
    (cd lmdb-3.0.0/$version && cc -w -O1 -I. ../../open.c mdb.c midl.c -pthread -o ../../$version)
done
./lib old create
./lib1 new create
dd if=/dev/zero of=zeros bs=4096 count=4 status=none
seen="$(./lib1 old) $(./lib new) $(./lib1 zeros) $(./lib old) $(./lib1 new)"
echo "1.0 opens 0.9, 0.9 opens 1.0, 1.0 opens zeros, each opens its own: $seen"
[ "$seen" = "-30793 -30793 -30793 0 0" ] ||
    { echo "lmdb1-old-file: $seen, not -30793 -30793 -30793 0 0" >&2; exit 1; }
