#!/bin/sh
# Guess: at SyncMode::Full, "fsync every commit" in its API, TidesDB calls fsync or fdatasync once a
# commit, and an open database has a handful of threads (flush, compaction).
#
# Truth: it calls neither. Its log is opened with O_DSYNC, and each commit is one pwrite to it, so
# whoever counts sync calls counts none. An idle database of no records has 11 threads.
#
# Version: TidesDB 10.2.1 (crate tidesdb 1.0.0), Linux 6.18, ext4
# Seen: 200 commits: 200 pwrite64, 0 syncs, files opened with O_DSYNC; 11 threads
set -eu
for tool in strace cargo cmake; do
    command -v "$tool" >/dev/null || { echo "tidesdb-sync-calls: needs $tool" >&2; exit 2; }
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
tidesdb = "=1.0.0"
END
mkdir src
cat >src/main.rs <<'END'
use tidesdb::{ColumnFamilyConfig, Config, LogLevel, SyncMode, TidesDB};

fn main() {
    let config = Config::new("db").memtable_sync_mode(SyncMode::Full).log_level(LogLevel::None);
    let db = TidesDB::open(config).unwrap();
    db.create_column_family("c", ColumnFamilyConfig::new()).unwrap();
    let cf = db.get_column_family("c").unwrap();
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    print!("{}", status.lines().find(|l| l.starts_with("Threads:")).unwrap());
    eprintln!("begin");
    for i in 0..200 {
        let mut txn = db.begin_transaction().unwrap();
        txn.put(&cf, format!("k{i:08}").as_bytes(), &[7u8; 100]).unwrap();
        txn.commit().unwrap();
    }
    eprintln!("end");
}
END
cargo build -q >log 2>&1 || { cat log >&2; exit 2; }
threads=$(strace -f -o calls -e trace=fsync,fdatasync,msync,sync_file_range,pwrite64,write,openat \
    target/debug/commit 2>/dev/null | tr -dc 0-9)
counts=$(awk '/write\(2, "begin/ { on = 1 } /write\(2, "end/ { on = 0 }
    /O_DSYNC/ { dsync = 1 }
    on && /pwrite64\(/ { writes++ }
    on && /(fsync|fdatasync|msync|sync_file_range)\(/ { syncs++ }
    END { print writes + 0, syncs + 0, dsync + 0 }' calls)
echo "pwrite64, syncs of 200 commits, O_DSYNC, threads: $counts $threads"
[ "$counts" = "200 0 1" ] && [ "$threads" -ge 10 ] && exit
echo "tidesdb-sync-calls: $counts $threads, not 200 0 1 and at least 10 threads" >&2
exit 1
