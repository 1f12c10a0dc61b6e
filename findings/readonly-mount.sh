#!/bin/sh
# Guess: an engine that can open a database read-only opens one that was closed in good order on a
# file system that is mounted read-only, too.
#
# Truth: LMDB, RocksDB, bbolt and Badger do. Pebble does not, as it makes its file LOCK all the
# same. SQLite does not open a database in WAL mode, though no log is left of it, unless told that
# the file is immutable.
#
# Version: lmdb 3.0.0 (PyPI), SQLite 3.40.1, rocksdbjni 11.8.1, bbolt 1.5.0, Pebble 2.1.7,
# Badger 4.9.6, tmpfs of Linux 6.18
# Seen: lmdb opens, rocksdb opens, bbolt opens, pebble fails, badger opens, sqlite fails,
# sqlite-immutable opens
set -eu
for tool in python3 mvn java go mount; do
    command -v "$tool" >/dev/null || { echo "readonly-mount: needs $tool" >&2; exit 2; }
done
[ "$(id -u)" -eq 0 ] || { echo "readonly-mount: needs root, for a mount" >&2; exit 2; }
dir=$(mktemp -d)
# shellcheck disable=SC2317 # called by the trap
clean() {
    ! mountpoint -q "$dir/mnt" || umount "$dir/mnt"
    rm -rf "$dir"
}
trap clean EXIT
cd "$dir"
python3 -m pip install -q --disable-pip-version-check --target lib lmdb==3.0.0 >log 2>&1 ||
    { cat log >&2; exit 2; }
mvn -q -B dependency:copy -Dartifact=org.rocksdb:rocksdbjni:11.8.1 -DoutputDirectory=jar \
    >log 2>&1 || { cat log >&2; exit 2; }
cat >use.py <<'END'
import lmdb, sqlite3, sys
_, engine, how = sys.argv
if engine == "lmdb":
    env = lmdb.open("mnt/lmdb", readonly=how == "read")
    with env.begin(write=how == "make") as txn:
        assert txn.get(b"k") == b"v" if how == "read" else txn.put(b"k", b"v")
elif how == "make":
    db = sqlite3.connect("mnt/" + engine)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("CREATE TABLE t(k)")
    db.close()
else:
    last = "&immutable=1" if engine == "sqlite-immutable" else ""
    db = sqlite3.connect(f"file:mnt/{engine}?mode=ro{last}", uri=True)
    db.execute("SELECT * FROM t").fetchall()
END
cat >Use.java <<'END'
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

public class Use {
    public static void main(String[] args) throws Exception {
        Options options = new Options().setCreateIfMissing(true);
        boolean read = args[0].equals("read");
        RocksDB db = read ? RocksDB.openReadOnly(options, "mnt/rocksdb")
            : RocksDB.open(options, "mnt/rocksdb");
        if (!read)
            db.put("k".getBytes(), "v".getBytes());
        db.get("k".getBytes())[0]++;
        db.close();
    }
}
END
cat >go.mod <<'END'
module use

go 1.24

require (
	github.com/cockroachdb/pebble/v2 v2.1.7
	github.com/dgraph-io/badger/v4 v4.9.6
	go.etcd.io/bbolt v1.5.0
)
END
cat >use.go <<'END'
package main

import (
	"os"

	"github.com/cockroachdb/pebble/v2"
	"github.com/dgraph-io/badger/v4"
	"go.etcd.io/bbolt"
)

func main() {
	read := os.Args[2] == "read"
	var err error
	switch os.Args[1] {
	case "bbolt":
		var db *bbolt.DB
		if db, err = bbolt.Open("mnt/bbolt", 0o600, &bbolt.Options{ReadOnly: read}); err == nil {
			err = db.Close()
		}
	case "pebble":
		var db *pebble.DB
		if db, err = pebble.Open("mnt/pebble", &pebble.Options{ReadOnly: read}); err == nil {
			if !read {
				err = db.Set([]byte("k"), []byte("v"), pebble.Sync)
			}
			db.Close()
		}
	case "badger":
		var db *badger.DB
		options := badger.DefaultOptions("mnt/badger").WithReadOnly(read).WithLogger(nil)
		if db, err = badger.Open(options); err == nil {
			if !read {
				err = db.Update(func(t *badger.Txn) error { return t.Set([]byte("k"), []byte("v")) })
			}
			db.Close()
		}
	}
	if err != nil {
		println(err.Error())
		os.Exit(1)
	}
}
END
GOFLAGS=-mod=mod go build -o use use.go >log 2>&1 || { cat log >&2; exit 2; }
export PYTHONPATH="$dir/lib"
call() { # ENGINE make|read
    case $1 in
    lmdb | sqlite*) python3 use.py "$@" ;;
    rocksdb) java -Djava.io.tmpdir="$dir" -cp 'jar/*' Use.java "$2" ;;
    *) ./use "$@" ;;
    esac
}
mkdir mnt
mount -t tmpfs -o size=1g tmpfs mnt
engines='lmdb rocksdb bbolt pebble badger sqlite sqlite-immutable'
for engine in $engines; do
    call "$engine" make >log 2>&1 || { cat log >&2; exit 2; }
done
mount -o remount,ro mnt
for engine in $engines; do
    if call "$engine" read >log 2>&1; then
        echo "$engine opens"
    else
        echo "$engine fails"
        tail -n 1 log >&2
    fi
done >opened
result=$(paste -s -d , opened)
echo "$result"
expected='lmdb opens,rocksdb opens,bbolt opens,pebble fails,badger opens,sqlite fails'
[ "$result" = "$expected,sqlite-immutable opens" ] && exit
echo "readonly-mount: not $expected,sqlite-immutable opens" >&2
exit 1
