#!/bin/sh
# Guess: jammdb, a copy-on-write B+tree like bolt, syncs a commit twice: its pages, then the page
# that makes them current.
#
# Truth: it writes both and syncs once. No sync lies between, so a power cut can keep the new meta
# page and lose pages that it refers to.
#
# Version: jammdb 0.11.0 (crates.io), Linux 6.18, ext4
# Seen: syncs of 200 commits, and those of meta page and other pages at once: 200 200
set -eu
for tool in strace cargo; do
    command -v "$tool" >/dev/null || { echo "jammdb-one-sync: needs $tool" >&2; exit 2; }
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
jammdb = "=0.11.0"
END
mkdir src
cat >src/main.rs <<'END'
fn main() {
    let db = jammdb::DB::open("db").unwrap();
    let tx = db.tx(true).unwrap();
    tx.create_bucket("b").unwrap();
    tx.commit().unwrap();
    eprintln!("begin");
    for i in 0..200 {
        let tx = db.tx(true).unwrap();
        tx.get_bucket("b").unwrap().put(format!("k{i:08}"), vec![0u8; 100]).unwrap();
        tx.commit().unwrap();
    }
    eprintln!("end");
}
END
cargo build -q --release >log 2>&1 || { cat log >&2; exit 2; }
strace -o calls -e trace=fsync,fdatasync,msync,write,lseek target/release/commit 2>/dev/null
# The two meta pages are the first two of the file.
counts=$(awk -F '[(,]' '
    /write\(2, "begin/ { on = 1; next }
    /write\(2, "end/ { on = 0 }
    !on { next }
    /^lseek/ { at = $3 + 0 }
    /^write/ { if (at < 8192) meta = 1; else pages = 1 }
    /sync\(/ { syncs++; both += meta && pages; meta = pages = 0 }
    END { print syncs + 0, both + 0 }' calls)
echo "syncs of 200 commits, and those of meta page and other pages at once: $counts"
[ "$counts" = "200 200" ] || { echo "jammdb-one-sync: $counts, not 200 200" >&2; exit 1; }
