#!/bin/sh
# Guess: an iterator of a keyspace is a snapshot, as iter() of fjall is, and as the LSM engines that
# it is like have it: records that are removed while it is open stay in it.
#
# Truth: only iter()'s. range() and prefix() also register a snapshot, but read the newest state:
# of 1000 records removed behind its back, the open iterator returns the 2 that it had read before.
# range() of db.snapshot() returns all.
#
# Version: fjall 3.1.13 (crates.io)
# Seen: records that an iterator returns whose records are removed after the first one: iter 1000,
# range 2, prefix 2, range of a snapshot 1000
set -eu
command -v cargo >/dev/null || { echo "fjall-range-snapshot: needs cargo" >&2; exit 2; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat >Cargo.toml <<'END'
[package]
name = "scan"
version = "0.1.0"
edition = "2021"

[dependencies]
fjall = { version = "=3.1.13", default-features = false }

# fewer units of code take less time to build
[profile.dev]
debug = false
incremental = false
codegen-units = 1

[profile.dev.build-override]
codegen-units = 1
END
mkdir src
cat >src/main.rs <<'END'
use fjall::{Database, Iter, Keyspace, KeyspaceCreateOptions, Readable};

fn key(i: u32) -> String {
    format!("k{i:08}")
}

/// How many records an iterator returns, if all are removed after the first.
fn returned(records: &Keyspace, open: impl Fn() -> Iter) -> usize {
    (0..1000).for_each(|i| records.insert(key(i), [7u8; 100]).unwrap());
    let mut iter = open();
    iter.next().unwrap().key().unwrap();
    (0..1000).for_each(|i| records.remove(key(i)).unwrap());
    1 + iter.map(|record| record.key().unwrap()).count()
}

fn main() {
    let db = Database::builder("db").open().unwrap();
    let records = db.keyspace("records", KeyspaceCreateOptions::default).unwrap();
    print!("{} ", returned(&records, || records.iter()));
    print!("{} ", returned(&records, || records.range(key(0)..)));
    print!("{} ", returned(&records, || records.prefix("k")));
    println!("{}", returned(&records, || db.snapshot().range(&records, key(0)..)));
}
END
cargo build -q >log 2>&1 || { cat log >&2; exit 2; }
seen=$(target/debug/scan)
echo "records returned by iter, range, prefix, range of a snapshot: $seen"
echo "$seen" | awk '{ exit !($1 == 1000 && $2 < 10 && $3 < 10 && $4 == 1000) }' ||
    { echo "fjall-range-snapshot: $seen" >&2; exit 1; }
