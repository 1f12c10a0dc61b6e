#!/bin/sh
# Guess: a checkpoint of an open store has all that was written before it. With "flushed WAL" asked
# for it has even what was not synced; RocksDB's checkpoint writes its memtable first.
#
# Truth: with DisableWAL Pebble's checkpoint has what its tables have, and nothing of the memtable.
# WithFlushedWAL changes nothing, as there is no log to flush, and no call says so. DB.Flush before
# it makes it whole. A store with a log has all records in its checkpoint.
#
# Version: github.com/cockroachdb/pebble/v2 v2.1.7, Go 1.26.8
# Seen, records of 1,000 in the checkpoint: with a log 1000, without 0, without and flushed 1000
set -eu
command -v go >/dev/null || { echo "pebble-checkpoint-unlogged: needs go" >&2; exit 2; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat >go.mod <<'END'
module checkpoint

go 1.25.0

require github.com/cockroachdb/pebble/v2 v2.1.7
END
cat >main.go <<'END'
package main

import (
	"fmt"

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

func count(path string) int {
	db, err := pebble.Open(path, &pebble.Options{Logger: quiet{}, ReadOnly: true})
	check(err)
	defer db.Close()
	found, err := db.NewIter(nil)
	check(err)
	defer found.Close()
	records := 0
	for found.First(); found.Valid(); found.Next() {
		records++
	}
	return records
}

func copied(name string, unlogged, flushed bool) int {
	db, err := pebble.Open(name, &pebble.Options{Logger: quiet{}, DisableWAL: unlogged})
	check(err)
	for i := 0; i < 1000; i++ {
		check(db.Set([]byte(fmt.Sprintf("%04d", i)), []byte("value"), pebble.NoSync))
	}
	if flushed {
		check(db.Flush())
	}
	check(db.Checkpoint(name+"-copy", pebble.WithFlushedWAL()))
	check(db.Close())
	return count(name + "-copy")
}

func main() {
	fmt.Println(copied("logged", false, false), copied("unlogged", true, false),
		copied("flushed", true, true))
}
END
{ go mod tidy && go build -o checkpoint; } >log 2>&1 || { cat log >&2; exit 2; }
seen=$(./checkpoint)
echo "$seen"
[ "$seen" = "1000 0 1000" ]
