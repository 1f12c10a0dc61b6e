// Package pebble stands in for Pebble: what engines/go/pebble calls of it.
package pebble

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/cockroachdb/pebble/v2/sstable/block"
	"github.com/cockroachdb/pebble/v2/vfs"

	"note"
)

var ErrNotFound = errors.New("pebble: not found")

func init() { note.Errors = map[int]error{1001: ErrNotFound} }

type Cache struct{ size int64 }

func NewCache(size int64) *Cache { return &Cache{size} }
func (*Cache) Unref()            { note.Line("end of the cache") }

type WriteOptions struct{ Sync bool }

var (
	Sync   = &WriteOptions{true}
	NoSync = &WriteOptions{false}
)

type FormatMajorVersion uint64

const FormatNewest FormatMajorVersion = 24

type Logger interface{ Infof(string, ...any) }

type LevelOptions struct {
	BlockSize    int
	Compression  func() *block.CompressionProfile
	FilterPolicy any
}

type Options struct {
	Cache                                       *Cache
	MemTableSize                                uint64
	DisableWAL, ErrorIfExists, ErrorIfNotExists bool
	Logger                                      Logger
	FormatMajorVersion                          FormatMajorVersion
	CompactionConcurrencyRange                  func() (int, int)
	Levels                                      [7]LevelOptions
	FS                                          vfs.FS
}

type DB struct{ format FormatMajorVersion }

// Open does with the file system what may sync.
func Open(path string, o *Options) (*DB, error) {
	err := note.Call("open", "%s cache %d, memtable %d, no log %t, must be new %t, must be there %t",
		path, o.Cache.size, o.MemTableSize, o.DisableWAL, o.ErrorIfExists, o.ErrorIfNotExists)
	low, high := 0, 0
	if o.CompactionConcurrencyRange != nil {
		low, high = o.CompactionConcurrencyRange()
	}
	o.Logger.Infof("must not be printed")
	note.Line("format %d, %d to %d compactions", o.FormatMajorVersion, low, high)
	for i, l := range o.Levels {
		note.Line("level %d: block size %d, %s, bits %v", i, l.BlockSize, l.Compression().Name, l.FilterPolicy)
	}
	fs := o.FS
	if fs == nil {
		fs = vfs.Default
	}
	for i := range 5 {
		file, _ := []func() (vfs.File, error){
			func() (vfs.File, error) { return fs.Create("new", "pebble-wal") },
			func() (vfs.File, error) { return fs.Create("table", "sstable") },
			func() (vfs.File, error) { return fs.OpenReadWrite("there", "sstable") },
			func() (vfs.File, error) { return fs.OpenDir("directory") },
			func() (vfs.File, error) { return fs.ReuseForWrite("old", "again", "pebble-wal") },
		}[i]()
		file.Sync()
		file.SyncData()
		file.SyncTo(1)
	}
	return &DB{o.FormatMajorVersion}, err
}

func (*DB) Close() error { return note.Call("close", "") }
func (*DB) Flush() error { return note.Call("flush", "") }

func (*DB) Compact(_ context.Context, from, to []byte, parallelize bool) error {
	return note.Call("compact", "%q to %q, %t", from, to, parallelize)
}

type CheckpointOption string

func WithFlushedWAL() CheckpointOption { return "with flushed log" }

func (*DB) Checkpoint(to string, o ...CheckpointOption) error {
	return note.Call("checkpoint", "%s %v", to, o)
}

func (db *DB) FormatMajorVersion() FormatMajorVersion { return db.format }

type Metrics struct {
	Compact struct {
		NumInProgress, Count int64
		EstimatedDebt        uint64
	}
	Flush    struct{ NumInProgress, Count int64 }
	MemTable struct {
		Count int64
		Size  uint64
	}
	BlockCache struct{ Size, Hits, Misses int64 }
	WAL        struct {
		Files                 int64
		BytesIn, BytesWritten uint64
	}
}

func (*Metrics) ReadAmp() int           { return 14 }
func (*Metrics) DiskSpaceUsage() uint64 { return 15 }

func (*DB) Metrics() *Metrics {
	m := &Metrics{}
	m.Compact.NumInProgress, m.Compact.Count, m.Compact.EstimatedDebt = 1, 2, 3
	m.Flush.NumInProgress, m.Flush.Count = 40, 5
	m.MemTable.Count, m.MemTable.Size = 6, 7
	m.BlockCache.Size, m.BlockCache.Hits, m.BlockCache.Misses = 8, 9, 10
	m.WAL.Files, m.WAL.BytesIn, m.WAL.BytesWritten = 11, 12, 13
	return m
}

type result struct{}

func (result) Close() error {
	note.Line("end of the value")
	return nil
}

func get(of string, key []byte) ([]byte, io.Closer, error) {
	if err := note.Call("get", "%s%s", note.Text(key), of); err != nil {
		return nil, nil, err
	}
	return note.Value, result{}, nil
}

func (*DB) Get(key []byte) ([]byte, io.Closer, error) { return get("", key) }

func (*DB) Set(key, value []byte, o *WriteOptions) error {
	return note.Call("set", "%s, %s, %+v", note.Text(key), note.Text(value), *o)
}

func (*DB) Delete(key []byte, o *WriteOptions) error {
	return note.Call("delete", "%s, %+v", note.Text(key), *o)
}

type Batch struct{ writes []string }

func (*DB) NewBatch() *Batch { return &Batch{} }

func (*DB) Apply(b *Batch, o *WriteOptions) error {
	return note.Call("apply", "%v, %+v", b.writes, *o)
}

func (b *Batch) Set(key, value []byte, _ *WriteOptions) error {
	b.writes = append(b.writes, fmt.Sprintf("set %s, %s", note.Text(key), note.Text(value)))
	return note.Call("batch_set", "")
}

func (b *Batch) Delete(key []byte, _ *WriteOptions) error {
	b.writes = append(b.writes, "delete "+note.Text(key))
	return note.Call("batch_delete", "")
}

func (b *Batch) Reset()       { b.writes = nil }
func (b *Batch) Close() error { return note.Call("batch_close", "") }

type Snapshot struct{}

func (*DB) NewSnapshot() *Snapshot {
	note.Line("snapshot")
	return &Snapshot{}
}

func (*Snapshot) Close() error { return note.Call("end_of_the_snapshot", "") }

func (*Snapshot) Get(key []byte) ([]byte, io.Closer, error) { return get(" of the snapshot", key) }

type IterOptions struct{}

type Iterator struct{}

func (*DB) NewIter(*IterOptions) (*Iterator, error) {
	return &Iterator{}, note.Call("iterator", "")
}

func (*Snapshot) NewIter(*IterOptions) (*Iterator, error) {
	return &Iterator{}, note.Call("iterator", "of the snapshot")
}

func (*Iterator) First() bool                  { return note.Call("first", "") == nil }
func (*Iterator) SeekGE(key []byte) bool       { return note.Call("seek", "%s", note.Text(key)) == nil }
func (*Iterator) Last() bool                   { return note.Call("last", "") == nil }
func (*Iterator) Next() bool                   { return note.Call("next", "") == nil }
func (*Iterator) Prev() bool                   { return note.Call("prev", "") == nil }
func (*Iterator) Key() []byte                  { return note.Key }
func (*Iterator) ValueAndErr() ([]byte, error) { return note.Value, note.Call("value", "") }
func (*Iterator) Error() error                 { return note.Call("error", "") }
func (*Iterator) Close() error                 { return note.Call("end_of_the_scan", "") }
