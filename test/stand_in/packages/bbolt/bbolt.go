// Package bbolt stands in for bbolt: what engines/go/bbolt calls of it.
package bbolt

import (
	"os"
	"time"

	"note"
)

type FreelistType string

const (
	FreelistArrayType = FreelistType("array")
	FreelistMapType   = FreelistType("hashmap")
)

type Options struct {
	Timeout                            time.Duration
	InitialMmapSize                    int
	NoSync, NoGrowSync, NoFreelistSync bool
	FreelistType                       FreelistType
}

var DefaultOptions = &Options{FreelistType: FreelistArrayType}

type DB struct {
	NoSync, NoGrowSync, NoFreelistSync bool
	FreelistType                       FreelistType
}

func Open(path string, mode os.FileMode, o *Options) (*DB, error) {
	err := note.Call("open", "%s %o %+v", path, mode, *o)
	return &DB{o.NoSync, o.NoGrowSync, o.NoFreelistSync, o.FreelistType}, err
}

type Info struct{ PageSize int }

func (*DB) Info() *Info  { return &Info{1009} }
func (*DB) Close() error { return note.Call("close", "") }
func (*DB) Sync() error  { return note.Call("sync", "") }

func (*DB) Begin(writes bool) (*Tx, error) {
	return &Tx{writes}, note.Call("begin", "%t", writes)
}

func (*DB) Update(do func(*Tx) error) error {
	note.Line("update")
	return do(&Tx{true})
}

func (*DB) View(do func(*Tx) error) error {
	note.Line("view")
	return do(&Tx{false})
}

type TxStats struct{}

func (TxStats) GetPageCount() int64         { return 6 }
func (TxStats) GetRebalance() int64         { return 7 }
func (TxStats) GetSplit() int64             { return 8 }
func (TxStats) GetWrite() int64             { return 9 }
func (TxStats) GetWriteTime() time.Duration { return 10 * time.Millisecond }

type Stats struct {
	FreePageN, PendingPageN, FreelistInuse, TxN, OpenTxN int
	TxStats                                              TxStats
}

func (*DB) Stats() Stats { return Stats{1, 2, 3, 4, 5, TxStats{}} }

type Tx struct{ writes bool }

func (tx *Tx) Bucket(name []byte) *Bucket {
	note.Line("bucket %s", name)
	return &Bucket{tx: tx}
}

func (*Tx) CreateBucketIfNotExists(name []byte) (*Bucket, error) {
	return nil, note.Call("create_bucket", "%s", name)
}

func (*Tx) Commit() error { return note.Call("commit", "") }

func (tx *Tx) Rollback() error { return note.Call("rollback", "%t", tx.writes) }

func (*Tx) CopyFile(path string, mode os.FileMode) error {
	return note.Call("copy", "%s %o", path, mode)
}

type Bucket struct {
	FillPercent float64
	tx          *Tx
}

// --fail=missing:1: there is no record
func (b *Bucket) Get(key []byte) []byte {
	note.Line("get %s, fill %g", note.Text(key), b.FillPercent)
	if note.Call("missing", "") != nil {
		return nil
	}
	return note.Value
}

func (b *Bucket) Put(key, value []byte) error {
	return note.Call("put", "%s, %s, fill %g", note.Text(key), note.Text(value), b.FillPercent)
}

func (*Bucket) Delete(key []byte) error { return note.Call("delete", "%s", note.Text(key)) }

func (*Bucket) Cursor() *Cursor {
	note.Line("cursor")
	return &Cursor{}
}

type Cursor struct{ at []byte }

func found(name string) ([]byte, []byte) {
	note.Line(name)
	if note.Call("missing", "") != nil {
		return nil, nil
	}
	return note.Key, note.Value
}

// Seek finds what is sought, as a delete wants.
func (*Cursor) Seek(key []byte) ([]byte, []byte) {
	_, value := found("cursor seek " + note.Text(key))
	if value == nil {
		return nil, nil
	}
	return append([]byte{}, key...), value
}

func (*Cursor) Delete() error           { return note.Call("cursor_delete", "") }
func (*Cursor) First() ([]byte, []byte) { return found("first") }
func (*Cursor) Last() ([]byte, []byte)  { return found("last") }
func (*Cursor) Next() ([]byte, []byte)  { return found("next") }
func (*Cursor) Prev() ([]byte, []byte)  { return found("prev") }
