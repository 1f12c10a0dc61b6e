#!/bin/sh
# Guess: canopydb has a write-ahead log and transactions that are ACID, so commit() syncs the log
# once, or a background thread does within a second.
#
# Truth: commit() appends to the log and syncs nothing, and no thread does later: by default
# default_commit_sync is false and wal_background_sync_interval None. commit_with(true) syncs, once.
#
# Version: canopydb 0.2.5 (crates.io), Linux 6.18, ext4
# Seen: writes and syncs of 200 commits and the 3 seconds after them: 200 0; of 200 times
# commit_with(true): 200 200
set -eu
for tool in strace cargo; do
    command -v "$tool" >/dev/null || { echo "canopydb-commit: needs $tool" >&2; exit 2; }
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat >Cargo.toml <<'END'
[package]
name = "commit"
version = "0.1.0"
edition = "2021"

[dependencies]
canopydb = "=0.2.5"

# fewer units of code take less time to build
[profile.dev]
debug = false
debug-assertions = false
incremental = false
codegen-units = 1

[profile.dev.build-override]
codegen-units = 1
END
mkdir src store
cat >src/main.rs <<'END'
use canopydb::{Database, WriteTransaction};

fn put(db: &Database, i: u32) -> WriteTransaction {
    let tx = db.begin_write().unwrap();
    let mut tree = tx.get_or_create_tree(b"tree").unwrap();
    tree.insert(format!("k{i:08}").as_bytes(), &[7u8; 100]).unwrap();
    drop(tree);
    tx
}

fn main() {
    let db = Database::new("store").unwrap();
    put(&db, 0).commit_with(true).unwrap();
    eprintln!("commits begin");
    for i in 1..=200 {
        put(&db, i).commit().unwrap();
    }
    std::thread::sleep(std::time::Duration::from_secs(3));
    eprintln!("syncs begin");
    for i in 201..=400 {
        put(&db, i).commit_with(true).unwrap();
    }
    eprintln!("end");
    println!("{}", db.begin_read().unwrap().get_tree(b"tree").unwrap().unwrap().len());
}
END
cargo build -q >log 2>&1 || { cat log >&2; exit 2; }
trace=fsync,fdatasync,msync,sync_file_range,write,pwrite64,writev,pwritev
records=$(strace -f -o calls -e trace=$trace target/debug/commit 2>/dev/null)
counts=$(awk '
    /write\(2, "commits begin/ { part = 1; next }
    /write\(2, "syncs begin/ { part = 2; next }
    /write\(2, "end/ { part = 0; next }
    /resumed/ { next }
    /(fsync|fdatasync|msync|sync_file_range)\(/ { syncs[part]++ }
    /write(64|v)?\(/ { writes[part]++ }
    END { print writes[1] + 0, syncs[1] + 0, writes[2] + 0, syncs[2] + 0 }' calls)
echo "writes and syncs of 200 commits, of 200 times commit_with(true); records: $counts $records"
[ "$counts $records" = '200 0 200 200 401' ] && exit
echo "canopydb-commit: $counts $records, not 200 0 200 200 401" >&2
exit 1
