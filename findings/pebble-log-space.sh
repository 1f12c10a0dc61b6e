#!/bin/sh
# Guess: a database of one record takes some 20 KiB on the disk once it is closed; a log that was
# preallocated is cut to its length.
#
# Truth: the log keeps 1.1 times MemTableSize of blocks behind its end, after Close, too. Its length
# is 39 bytes, so ls and du --apparent-size do not show them. At the default of 4 MiB it is 4.4 MiB;
# with memtables of 64 MiB an empty store takes 70 MiB, and a loaded one has several such logs.
#
# Version: github.com/cockroachdb/pebble/v2 v2.1.7, Go 1.26.8, Linux 6.18, ext4
# Seen, KiB, apparent and allocated: 7 and 4520 at the default, 7 and 72104 with 64 MiB
set -eu
command -v go >/dev/null || { echo "pebble-log-space: needs go" >&2; exit 2; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat >go.mod <<'END'
module space

go 1.25.0

require github.com/cockroachdb/pebble/v2 v2.1.7
END
cat >main.go <<'END'
package main

import (
	"os"
	"strconv"

	"github.com/cockroachdb/pebble/v2"
)

type quiet struct{}

func (quiet) Infof(string, ...interface{})  {}
func (quiet) Errorf(string, ...interface{}) {}
func (quiet) Fatalf(f string, _ ...interface{}) {
	panic(f)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	memtable, err := strconv.ParseUint(os.Args[1], 10, 64)
	check(err)
	db, err := pebble.Open("db", &pebble.Options{Logger: quiet{}, MemTableSize: memtable})
	check(err)
	check(db.Set([]byte("key"), []byte("value"), pebble.Sync))
	check(db.Close())
}
END
{ go mod tidy && go build -o space; } >log 2>&1 || { cat log >&2; exit 2; }
for mib in 4 64; do
    rm -rf db
    ./space $((mib << 20))
    apparent=$(du -sk --apparent-size db | cut -f 1)
    allocated=$(du -sk db | cut -f 1)
    echo "MemTableSize $mib MiB: $apparent KiB apparent, $allocated KiB allocated"
    if [ "$apparent" -gt 64 ] || [ "$allocated" -lt $((mib * 1024)) ]; then
        echo "pebble-log-space: the log keeps no blocks behind its end" >&2
        exit 1
    fi
done
