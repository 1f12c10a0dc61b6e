#!/bin/sh
# Guess: with MDBX_SAFE_NOSYNC no commit syncs; only mdbx_env_sync and close do.
#
# Truth: every second commit of a load calls fdatasync, half as many as with full durability.
# MDBX_UTTERLY_NOSYNC makes one call in all 200 commits.
#
# Version: libmdbx 0.14.4 (crate mdbx-sys 14.4.0), Linux 6.18, ext4
# Seen: fdatasync in 200 commits of 1000 records: durable 196, SAFE_NOSYNC 99, UTTERLY_NOSYNC 1
set -eu
for tool in strace cargo; do
    command -v "$tool" >/dev/null || { echo "mdbx-safe-nosync: needs $tool" >&2; exit 2; }
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat >Cargo.toml <<'END'
[package]
name = "load"
version = "0.1.0"
edition = "2021"

[dependencies]
mdbx-sys = "=14.4.0"
END
mkdir src
cat >src/main.rs <<'END'
use mdbx_sys::*;
use std::ptr::null_mut;

fn check(rc: i32) {
    assert_eq!(rc, 0);
}

unsafe fn begin(env: *mut MDBX_env) -> *mut MDBX_txn {
    let mut txn = null_mut();
    check(mdbx_txn_begin_ex(env, null_mut(), 0 as _, &mut txn, null_mut()));
    txn
}

fn main() {
    let level: u32 = match std::env::args().nth(1).unwrap().as_str() {
        "safe" => MDBX_SAFE_NOSYNC as u32,
        "utterly" => MDBX_UTTERLY_NOSYNC as u32,
        _ => 0,
    };
    let path = std::ffi::CString::new("db").unwrap();
    let mut dbi = 0;
    unsafe {
        let mut env = null_mut();
        check(mdbx_env_create(&mut env));
        check(mdbx_env_set_geometry(env, -1, -1, 1 << 30, -1, -1, -1));
        check(mdbx_env_open(env, path.as_ptr(), (MDBX_NOSUBDIR as u32 | level) as _, 0o600));
        let txn = begin(env);
        check(mdbx_dbi_open(txn, std::ptr::null(), 0 as _, &mut dbi));
        check(mdbx_txn_commit_ex(txn, null_mut()));
        eprintln!("begin");
        for i in 0..200 {
            let txn = begin(env);
            for j in 0..1000 {
                let name = format!("k{:08}", (i * 1000 + j) * 7919 % 200000);
                let mut value = [7u8; 100];
                let k = MDBX_val { iov_base: name.as_ptr() as *mut _, iov_len: name.len() };
                let mut v = MDBX_val { iov_base: value.as_mut_ptr() as *mut _, iov_len: 100 };
                check(mdbx_put(txn, dbi, &k, &mut v, 0 as _));
            }
            check(mdbx_txn_commit_ex(txn, null_mut()));
        }
        eprintln!("end");
        check(mdbx_env_close_ex(env, false));
    }
}
END
cargo build -q >log 2>&1 || { cat log >&2; exit 2; }
syncs() { # level: calls of fdatasync in the load
    rm -f db db-lck
    strace -o calls -e trace=fdatasync,write target/debug/load "$1" 2>/dev/null
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
