// Package badger stands in for Badger: what engines/go/badger calls of it.
package badger

import (
	"context"
	"errors"

	"github.com/dgraph-io/badger/v4/options"

	"note"
)

var (
	ErrKeyNotFound = errors.New("Key not found")
	ErrConflict    = errors.New("Transaction Conflict. Please retry")
	ErrTxnTooBig   = errors.New("Txn is too big to fit into one request")
)

func init() {
	note.Errors = map[int]error{1001: ErrKeyNotFound, 1002: ErrConflict, 1003: ErrTxnTooBig}
}

type Logger interface{ Debugf(string, ...any) }

type Options struct {
	Dir, ValueDir                                string
	SyncWrites, DetectConflicts                  bool
	MemTableSize, ValueThreshold, BlockCacheSize int64
	NumMemtables, BlockSize, NumCompactors       int
	compression                                  options.CompressionType
	falsePositive                                float64
	logger                                       Logger
}

func DefaultOptions(path string) Options {
	return Options{Dir: path, ValueDir: path, NumMemtables: 5, NumCompactors: 4,
		falsePositive: 0.01}
}

func (o Options) WithLogger(l Logger) Options              { o.logger = l; return o }
func (o Options) WithSyncWrites(b bool) Options            { o.SyncWrites = b; return o }
func (o Options) WithMemTableSize(n int64) Options         { o.MemTableSize = n; return o }
func (o Options) WithValueThreshold(n int64) Options       { o.ValueThreshold = n; return o }
func (o Options) WithBlockSize(n int) Options              { o.BlockSize = n; return o }
func (o Options) WithBlockCacheSize(n int64) Options       { o.BlockCacheSize = n; return o }
func (o Options) WithDetectConflicts(b bool) Options       { o.DetectConflicts = b; return o }
func (o Options) WithBloomFalsePositive(f float64) Options { o.falsePositive = f; return o }
func (o Options) WithCompression(c options.CompressionType) Options {
	o.compression = c
	return o
}

type DB struct{ options Options }

func Open(o Options) (*DB, error) { return &DB{o}, note.Call("open", "%+v", o) }

func (db *DB) Opts() Options { return db.options }

func (*DB) Flatten(workers int) error { return note.Call("flatten", "%d", workers) }
func (*DB) Sync() error               { return note.Call("sync", "") }
func (*DB) Close() error              { return note.Call("close", "") }
func (*DB) Size() (int64, int64)      { return 1010, 1011 }
func (*DB) MaxVersion() uint64        { return 1012 }

func (db *DB) NewStreamWriter() *StreamWriter { return &StreamWriter{db.options.Dir} }

type StreamWriter struct{ to string }

func (w *StreamWriter) Prepare() error            { return note.Call("prepare", "%s", w.to) }
func (w *StreamWriter) Write(buffer []byte) error { return note.Call("write", "%s", buffer) }
func (w *StreamWriter) Flush() error              { return note.Call("flush", "%s", w.to) }

func (db *DB) NewStream() *Stream { return &Stream{from: db.options.Dir, NumGo: 8} }

type Stream struct {
	from  string
	NumGo int
	Send  func([]byte) error
}

func (s *Stream) Orchestrate(context.Context) error {
	if err := note.Call("stream", "%s by %d", s.from, s.NumGo); err != nil {
		return err
	}
	return s.Send(note.Key)
}

type LevelInfo struct {
	NumTables          int
	Size, StaleDatSize int64
}

func (*DB) Levels() []LevelInfo { return []LevelInfo{{1, 20, 300}, {4000, 50000, 600000}} }

func (*DB) NewTransaction(update bool) *Txn {
	note.Line("transaction %t", update)
	return &Txn{update: update}
}

type Txn struct {
	update bool
	kept   [][]byte // until the commit: they must stay as they are
}

func (txn *Txn) Get(key []byte) (*Item, error) {
	if err := note.Call("get", "%s", note.Text(key)); err != nil {
		return nil, err
	}
	return &Item{}, nil
}

func (txn *Txn) Set(key, value []byte) error {
	txn.kept = append(txn.kept, key)
	return note.Call("set", "%s, %s", note.Text(key), note.Text(value))
}

func (txn *Txn) Delete(key []byte) error {
	txn.kept = append(txn.kept, key)
	return note.Call("delete", "%s", note.Text(key))
}

func (txn *Txn) Commit() error { return note.Call("commit", "%s", txn.kept) }
func (txn *Txn) Discard()      { note.Line("discard %t", txn.update) }

type IteratorOptions struct {
	PrefetchSize                         int
	PrefetchValues, Reverse, AllVersions bool
}

var DefaultIteratorOptions = IteratorOptions{PrefetchSize: 100, PrefetchValues: true}

func (*Txn) NewIterator(o IteratorOptions) *Iterator {
	note.Line("iterator %+v", o)
	return &Iterator{}
}

type Item struct{}

func (*Item) KeyCopy(to []byte) []byte { return append(to[:0], note.Key...) }

func (*Item) ValueCopy(to []byte) ([]byte, error) {
	return append(to[:0], note.Value...), note.Call("value", "")
}

type Iterator struct{}

func (*Iterator) Close()          { note.Line("end of the scan") }
func (*Iterator) Valid() bool     { return note.Call("valid", "") == nil }
func (*Iterator) Item() *Item     { return &Item{} }
func (*Iterator) Seek(key []byte) { note.Line("seek %s", note.Text(key)) }
func (*Iterator) Rewind()         { note.Line("rewind") }
func (*Iterator) Next()           { note.Line("next") }
