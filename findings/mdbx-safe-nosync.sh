#!/bin/sh
# Guess: with MDBX_SAFE_NOSYNC no commit syncs; only mdbx_env_sync and close do.
#
# Truth: every second commit of a load calls fdatasync, half as many as with full durability.
# MDBX_UTTERLY_NOSYNC makes one call in all 200 commits.
#
# Version: libmdbx 0.14.4 (crate mdbx-sys 14.4.0), Linux 6.18, ext4
# Seen: fdatasync in 200 commits of 1000 records: durable 196, SAFE_NOSYNC 99, UTTERLY_NOSYNC 1
set -eu
for tool in strace cargo cc; do
    command -v "$tool" >/dev/null || { echo "mdbx-safe-nosync: needs $tool" >&2; exit 2; }
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
# the crate brings libmdbx's sources; cargo itself would first build a generator of bindings
cat >Cargo.toml <<'END'
[package]
name = "load"
version = "0.1.0"
edition = "2021"

[dependencies]
mdbx-sys = "=14.4.0"
END
mkdir src
touch src/lib.rs
cat >load.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "mdbx.h"

static void check(int rc)
{
    if (!rc)
        return;
    puts(mdbx_strerror(rc));
    exit(2);
}

int main(int argc, char **argv)
{
    const char *level = argc > 1 ? argv[1] : "";
    MDBX_env_flags_t flags = !strcmp(level, "safe")    ? MDBX_SAFE_NOSYNC
                           : !strcmp(level, "utterly") ? MDBX_UTTERLY_NOSYNC
                                                       : MDBX_SYNC_DURABLE;
    char name[16], value[100];
    MDBX_val k = {name, 9}, v = {memset(value, 7, sizeof value), sizeof value};
    MDBX_env *env;
    MDBX_txn *txn;
    MDBX_dbi dbi;

    check(mdbx_env_create(&env));
    check(mdbx_env_set_geometry(env, -1, -1, 1 << 30, -1, -1, -1));
    check(mdbx_env_open(env, "db", MDBX_NOSUBDIR | flags, 0600));
    check(mdbx_txn_begin(env, NULL, 0, &txn));
    check(mdbx_dbi_open(txn, NULL, 0, &dbi));
    check(mdbx_txn_commit(txn));
    fputs("begin\n", stderr);
    for (int i = 0; i < 200; i++) {
        check(mdbx_txn_begin(env, NULL, 0, &txn));
        for (int j = 0; j < 1000; j++) {
            snprintf(name, sizeof name, "k%08d", (i * 1000 + j) * 7919 % 200000);
            check(mdbx_put(txn, dbi, &k, &v, 0));
        }
        check(mdbx_txn_commit(txn));
    }
    fputs("end\n", stderr);
    return mdbx_env_close(env);
}
END
{
    cargo vendor -q vendor
    cc -w -std=gnu11 -DMDBX_BUILD_FLAGS='""' -Ivendor/mdbx-sys/libmdbx -o load load.c \
        vendor/mdbx-sys/libmdbx/mdbx.c -lpthread -lrt
} >log 2>&1 || { cat log >&2; exit 2; }
syncs() { # level: calls of fdatasync in the load
    rm -f db db-lck
    strace -o calls -e trace=fdatasync,write ./load "$1" 2>/dev/null
    awk '/write\(2, "begin/ { on = 1 } /write\(2, "end/ { on = 0 }
        on && /fdatasync\(/ { n++ } END { print n + 0 }' calls
}
durable=$(syncs durable)
safe=$(syncs safe)
utterly=$(syncs utterly)
echo "fdatasync in 200 commits: durable $durable, SAFE_NOSYNC $safe, UTTERLY_NOSYNC $utterly"
[ "$safe" -gt 50 ] && [ "$utterly" -le 1 ] && exit
echo "mdbx-safe-nosync: $safe syncs with SAFE_NOSYNC, $utterly with UTTERLY_NOSYNC" >&2
exit 1
