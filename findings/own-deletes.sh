#!/bin/sh
# Guess: an iterator in a writing transaction sees what the transaction deletes, as its Get does:
# when every second of 1000 records has been deleted ahead of it, it returns 500.
#
# Truth: Badger's iterator returns all 1000, from Rewind again, too: it has the transaction's
# writes as of when it was made. bbolt's cursor returns 508: it goes on in the page where it stands
# as that was, and sees the deletes in all others. New ones return 500.
#
# Version: Badger 4.9.6, bbolt 1.5.0
# Seen: the open iterator, the same after a rewind, a new one: Badger 1000 1000 500, bbolt 508 500 500
set -eu
command -v go >/dev/null || { echo "own-deletes: needs go" >&2; exit 2; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat >go.mod <<'END'
module own

go 1.24

require (
	github.com/dgraph-io/badger/v4 v4.9.6
	go.etcd.io/bbolt v1.5.0
)
END
cat >main.go <<'END'
package main

import (
	"fmt"

	"github.com/dgraph-io/badger/v4"
	"go.etcd.io/bbolt"
)

func key(i int) []byte { return fmt.Appendf(nil, "k%08d", i) }

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// ofBadger counts records that an iterator returns from where it stands.
func ofBadger(it *badger.Iterator) (n int) {
	for ; it.Valid(); it.Next() {
		n++
	}
	return n
}

func deletesBadger(tx *badger.Txn) error {
	it := tx.NewIterator(badger.DefaultIteratorOptions)
	it.Rewind()
	for i := 1; i < 1000; i += 2 {
		must(tx.Delete(key(i)))
	}
	fmt.Print(ofBadger(it))
	it.Rewind()
	fmt.Print(" ", ofBadger(it))
	it.Close()
	it = tx.NewIterator(badger.DefaultIteratorOptions)
	defer it.Close()
	it.Rewind()
	fmt.Print(" ", ofBadger(it))
	return nil
}

// ofBolt counts records from key k on, at which the cursor stands.
func ofBolt(c *bbolt.Cursor, k []byte) (n int) {
	for ; k != nil; k, _ = c.Next() {
		n++
	}
	return n
}

func deletesBolt(tx *bbolt.Tx) error {
	bucket := tx.Bucket([]byte("b"))
	c := bucket.Cursor()
	first, _ := c.First()
	for i := 1; i < 1000; i += 2 {
		must(bucket.Delete(key(i)))
	}
	fmt.Print(" ", ofBolt(c, first))
	first, _ = c.First()
	fmt.Print(" ", ofBolt(c, first))
	c = bucket.Cursor()
	first, _ = c.First()
	fmt.Println(" ", ofBolt(c, first))
	return nil
}

func main() {
	value := make([]byte, 100)
	b, err := badger.Open(badger.DefaultOptions("badger").WithLoggingLevel(badger.ERROR))
	must(err)
	must(b.Update(func(tx *badger.Txn) error {
		for i := range 1000 {
			must(tx.Set(key(i), value))
		}
		return nil
	}))
	must(b.Update(deletesBadger))
	must(b.Close())
	bolt, err := bbolt.Open("bolt", 0o600, nil)
	must(err)
	must(bolt.Update(func(tx *bbolt.Tx) error {
		bucket, err := tx.CreateBucket([]byte("b"))
		must(err)
		for i := range 1000 {
			must(bucket.Put(key(i), value))
		}
		return nil
	}))
	must(bolt.Update(deletesBolt))
	must(bolt.Close())
}
END
{ go mod tidy && go build -o own .; } >log 2>&1 || { cat log >&2; exit 2; }
seen=$(./own | tr -s ' ')
echo "the open iterator, after a rewind, a new one; of Badger, of bbolt: $seen"
echo "$seen" | awk '{ exit !($1 == 1000 && $2 == 1000 && $3 == 500 && $4 > 500 && $4 < 600 &&
    $5 == 500 && $6 == 500) }' || { echo "own-deletes: $seen" >&2; exit 1; }
