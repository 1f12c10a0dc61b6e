// Package main is Badger, a log-structured merge tree that keeps large values apart from
// keys. It writes its logs through maps.
//
// A session has a transaction for reads, which is renewed for each read unless it is a
// snapshot. An iterator has one direction: to go back from where a seek was, a second one
// begins there.
package main

import (
	"context"
	"errors"
	"math"

	"assay/contract"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
)

type database struct {
	*badger.DB
	prefetch int
	synced   bool
}

type session struct {
	db          *database
	read, write *badger.Txn
	held        bool // read is a snapshot
	iterator    *badger.Iterator
	reverse     bool
	key, value  []byte // of the last record
}

var codecs = map[contract.Codec]options.CompressionType{
	contract.NoCompression: options.None,
	contract.Snappy:        options.Snappy,
	contract.Zstd:          options.ZSTD,
}

func open(s *contract.Settings) (contract.Database, error) {
	memtable := int64(s.Memtable)
	o := badger.DefaultOptions(s.Path).
		WithLogger(nil).
		WithSyncWrites(s.Durability == contract.Sync).
		WithMemTableSize(memtable).
		WithValueThreshold(min(int64(s.Option["value_threshold"]), memtable*15/100)).
		WithBlockSize(int(s.Option["block_size"])).
		WithBlockCacheSize(int64(s.CacheBytes)).
		WithCompression(codecs[s.Compression]).
		WithDetectConflicts(s.Option["detect_conflicts"] != 0).
		WithBloomFalsePositive(0)
	if bits := s.Option["bloom_bits"]; bits > 0 {
		o = o.WithBloomFalsePositive(math.Pow(0.6185, float64(bits)))
	}
	opened, err := badger.Open(o)
	if err != nil {
		return nil, err
	}
	return &database{opened, int(s.Option["prefetch"]), o.SyncWrites}, nil
}

func (db *database) Attach() (contract.Session, error) { return &session{db: db}, nil }

func (db *database) Settle() error {
	if db.synced {
		return nil
	}
	return db.Sync()
}

func (db *database) Compact() error { return db.Flatten(2) }

// Badger does not tell what it has to do: the sizes of its levels change while it works.
func (db *database) Pending() (work, progress uint64) {
	for _, level := range db.Levels() {
		progress = progress*31 + uint64(level.Size) + uint64(level.NumTables)
	}
	return contract.Unknown, progress
}

// Backup does as DB.StreamDB, which is for managed databases alone. Each goroutine of a stream has
// a transaction of its own: one is of one moment.
func (db *database) Backup(to string) error {
	o := db.Opts()
	o.Dir, o.ValueDir = to, to
	copied, err := badger.Open(o)
	if err != nil {
		return err
	}
	writer, stream := copied.NewStreamWriter(), db.NewStream()
	stream.NumGo, stream.Send = 1, writer.Write
	if err = writer.Prepare(); err == nil {
		err = stream.Orchestrate(context.Background())
	}
	return errors.Join(err, writer.Flush(), copied.Close())
}

func (db *database) Describe(r contract.Report) {
	o := db.Opts()
	number := map[bool]uint64{true: 1}
	r.Number("syncwrites", number[o.SyncWrites])
	r.Number("detect_conflicts", number[o.DetectConflicts])
	r.Number("memtable_bytes", uint64(o.MemTableSize))
	r.Number("memtables", uint64(o.NumMemtables))
	r.Number("value_threshold", uint64(o.ValueThreshold))
	r.Number("block_size", uint64(o.BlockSize))
	r.Number("block_cache_bytes", uint64(o.BlockCacheSize))
	r.Number("compactors", uint64(o.NumCompactors))
}

func (db *database) Statistics(r contract.Report) {
	tables, bytes, stale := 0, int64(0), int64(0)
	for _, level := range db.Levels() {
		tables += level.NumTables
		bytes += level.Size
		stale += level.StaleDatSize
	}
	lsm, values := db.Size()
	r.Number("tables", uint64(tables))
	r.Number("table bytes", uint64(bytes))
	r.Number("stale bytes", uint64(stale))
	r.Number("directory bytes", uint64(lsm))
	r.Number("value log bytes", uint64(values))
	r.Number("last version", db.MaxVersion())
}

func (s *session) endScan() {
	if s.iterator != nil {
		s.iterator.Close()
		s.iterator = nil
	}
}

func (s *session) Release() {
	s.endScan()
	if s.read != nil {
		s.read.Discard()
	}
	s.read, s.held = nil, false
}

// Sees the latest commit, unless a snapshot is held.
func (s *session) beginRead() {
	s.endScan()
	if !s.held {
		s.Release()
		s.read = s.db.NewTransaction(false)
	}
}

func (s *session) Snapshot() error {
	s.Release()
	s.beginRead()
	s.held = true
	return nil
}

func (s *session) Get(key []byte) ([]byte, error) {
	txn := s.write
	if txn == nil {
		s.beginRead()
		txn = s.read
	}
	item, err := txn.Get(key)
	if err != nil {
		return nil, err
	}
	s.value, err = item.ValueCopy(s.value[:0])
	return s.value, err
}

func (s *session) Begin() error {
	s.write = s.db.NewTransaction(true)
	return nil
}

func (s *session) Commit() error {
	txn := s.write
	s.write = nil
	return txn.Commit()
}

func (s *session) Rollback() {
	if s.write != nil {
		s.write.Discard()
	}
	s.write = nil
}

// single does a write in a transaction of its own.
func (s *session) single(write func() error) error {
	s.Begin()
	if err := write(); err != nil {
		s.Rollback()
		return err
	}
	return s.Commit()
}

func clone(b []byte) []byte { return append([]byte{}, b...) }

// Badger keeps keys and values until it commits.
func (s *session) Put(key, value []byte) error {
	if s.write != nil {
		return s.write.Set(clone(key), clone(value))
	}
	return s.single(func() error { return s.write.Set(key, value) })
}

// A tombstone is written whether or not the record exists.
func (s *session) Delete(key []byte) error {
	if s.write != nil {
		return s.write.Delete(clone(key))
	}
	return s.single(func() error { return s.write.Delete(key) })
}

// iterate makes an iterator in that direction, at the first record.
func (s *session) iterate(reverse bool) {
	s.endScan()
	o := badger.DefaultIteratorOptions
	o.PrefetchValues = s.db.prefetch > 0
	o.PrefetchSize = s.db.prefetch
	o.Reverse = reverse
	s.iterator, s.reverse = s.read.NewIterator(o), reverse
}

func (s *session) record() ([]byte, []byte, error) {
	if !s.iterator.Valid() {
		return nil, nil, contract.ErrNotFound
	}
	item := s.iterator.Item()
	s.key = item.KeyCopy(s.key)
	var err error
	s.value, err = item.ValueCopy(s.value[:0])
	return s.key, s.value, err
}

func (s *session) Seek(from []byte) ([]byte, []byte, error) {
	s.beginRead()
	s.iterate(false)
	s.iterator.Seek(from)
	return s.record()
}

func (s *session) Last() ([]byte, []byte, error) {
	s.beginRead()
	s.iterate(true)
	s.iterator.Rewind()
	return s.record()
}

func (s *session) move(reverse bool) ([]byte, []byte, error) {
	if s.reverse != reverse {
		s.iterate(reverse)
		s.iterator.Seek(s.key)
	}
	if s.iterator.Valid() {
		s.iterator.Next()
	}
	return s.record()
}

func (s *session) Next() ([]byte, []byte, error) { return s.move(false) }
func (s *session) Prev() ([]byte, []byte, error) { return s.move(true) }
func (s *session) Close()                        { s.Rollback(); s.Release() }

func status(err error) error {
	switch {
	case err == badger.ErrKeyNotFound:
		return contract.ErrNotFound
	case err == badger.ErrConflict:
		return contract.ErrConflict
	}
	return err
}

func init() { contract.Register(contract.Engine{Open: open, Status: status}) }

func main() {}
