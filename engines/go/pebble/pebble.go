// Package main is Pebble, a log-structured merge tree.
//
// A transaction is a batch that is applied at commit; reads see what is committed. A
// session makes an iterator for each scan, as one sees the state in which it was made.
//
// Pebble has no level at which a commit waits for the operating system and not for the
// device: without a sync, its log is written later. At async, the log is of a file system
// whose syncs do nothing. Without its log, Close would lose the memtable.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"assay/contract"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/sstable/block"
	"github.com/cockroachdb/pebble/v2/vfs"
)

type database struct {
	*pebble.DB
	cache    *pebble.Cache
	write    *pebble.WriteOptions
	noLog    bool
	unsynced bool
}

type session struct {
	db       *database
	batch    *pebble.Batch
	open     bool // the batch is collecting writes
	snapshot *pebble.Snapshot
	iterator *pebble.Iterator
	result   io.Closer // of the last get
}

// quiet writes nothing: a driver never prints. What is fatal ends the process with its
// text.
type quiet struct{}

func (quiet) Infof(string, ...any)  {}
func (quiet) Errorf(string, ...any) {}
func (quiet) Fatalf(format string, arguments ...any) {
	panic("Pebble: " + fmt.Sprintf(format, arguments...))
}

// unsyncedFS is a file system where syncs of Pebble's log do nothing.
type unsyncedFS struct{ vfs.FS }

type unsyncedFile struct{ vfs.File }

func (unsyncedFile) Sync() error                { return nil }
func (unsyncedFile) SyncData() error            { return nil }
func (unsyncedFile) SyncTo(int64) (bool, error) { return false, nil }

func unsyncLog(f vfs.File, err error, c vfs.DiskWriteCategory) (vfs.File, error) {
	if err != nil || c != "pebble-wal" {
		return f, err
	}
	return unsyncedFile{f}, nil
}

func (fs unsyncedFS) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := fs.FS.Create(name, c)
	return unsyncLog(f, err, c)
}

func (fs unsyncedFS) ReuseForWrite(old, name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := fs.FS.ReuseForWrite(old, name, c)
	return unsyncLog(f, err, c)
}

// syncFiles syncs what was written while syncs did nothing.
func syncFiles(directory string) error {
	names, err := os.ReadDir(directory)
	if err != nil {
		return err
	}
	for _, name := range names {
		if !name.Type().IsRegular() {
			continue
		}
		file, err := os.Open(filepath.Join(directory, name.Name()))
		if err == nil {
			err = file.Sync()
			file.Close()
		}
		if err != nil {
			return err
		}
	}
	to, err := os.Open(directory)
	if err != nil {
		return err
	}
	defer to.Close()
	return to.Sync()
}

var profiles = map[contract.Codec]*block.CompressionProfile{
	contract.NoCompression: block.NoCompression,
	contract.Snappy:        block.SnappyCompression,
	contract.Zstd:          block.ZstdCompression,
}

func levels(o *pebble.Options, s *contract.Settings) {
	for i := range o.Levels {
		level := &o.Levels[i]
		level.BlockSize = int(s.Option["block_size"])
		level.Compression = func() *block.CompressionProfile { return profiles[s.Compression] }
		if bits := s.Option["bloom_bits"]; bits > 0 {
			level.FilterPolicy = bloom.FilterPolicy(bits)
		}
	}
}

func open(s *contract.Settings) (contract.Database, error) {
	db := &database{
		cache:    pebble.NewCache(int64(s.CacheBytes)),
		write:    pebble.Sync,
		noLog:    s.Durability == contract.None,
		unsynced: s.Durability == contract.Async,
	}
	options := &pebble.Options{
		Cache:            db.cache,
		MemTableSize:     s.Memtable,
		DisableWAL:       db.noLog,
		ErrorIfExists:    s.Create,
		ErrorIfNotExists: !s.Create,
		Logger:           quiet{},
	}
	if format := s.Option["file_format"]; format > 0 {
		options.FormatMajorVersion = pebble.FormatMajorVersion(format)
		if options.FormatMajorVersion > pebble.FormatNewest {
			return nil, fmt.Errorf("--file_format: this Pebble has formats up to %d",
				pebble.FormatNewest)
		}
	}
	if jobs := int(s.Option["background_jobs"]); jobs > 0 {
		options.CompactionConcurrencyRange = func() (int, int) { return jobs, jobs }
	}
	levels(options, s)
	if db.noLog {
		db.write = pebble.NoSync
	}
	if db.unsynced {
		options.FS = unsyncedFS{vfs.Default}
	} else if !s.Create {
		if err := syncFiles(s.Path); err != nil {
			return nil, err
		}
	}
	opened, err := pebble.Open(s.Path, options)
	if err != nil {
		db.cache.Unref()
		return nil, err
	}
	db.DB = opened
	return db, nil
}

func (db *database) Attach() (contract.Session, error) {
	return &session{db: db, batch: db.NewBatch()}, nil
}

func (db *database) Close() error {
	var err error
	if db.noLog {
		err = db.Flush()
	}
	if closed := db.DB.Close(); err == nil {
		err = closed
	}
	db.cache.Unref()
	return err
}

func (db *database) Settle() error { return db.Flush() }

func (db *database) Compact() error {
	return db.DB.Compact(context.Background(), []byte{}, []byte(strings.Repeat("\xff", 64)), true)
}

// Pebble makes the directory itself. Without a log it would leave out what the memtable has.
func (db *database) Backup(to string) error {
	if db.noLog {
		if err := db.Flush(); err != nil {
			return err
		}
	}
	os.Remove(to)
	return db.Checkpoint(to, pebble.WithFlushedWAL())
}

func (db *database) Pending() (work, progress uint64) {
	m := db.Metrics()
	return uint64(m.Compact.NumInProgress + m.Flush.NumInProgress), 0
}

func (db *database) Describe(r contract.Report) {
	r.Number("file_format", uint64(db.FormatMajorVersion()))
}

func (db *database) Statistics(r contract.Report) {
	m := db.Metrics()
	r.Number("compactions", uint64(m.Compact.Count))
	r.Number("compaction debt", m.Compact.EstimatedDebt)
	r.Number("flushes", uint64(m.Flush.Count))
	r.Number("memtables", uint64(m.MemTable.Count))
	r.Number("memtable bytes", m.MemTable.Size)
	r.Number("block cache bytes", uint64(m.BlockCache.Size))
	r.Number("block cache hits", uint64(m.BlockCache.Hits))
	r.Number("block cache misses", uint64(m.BlockCache.Misses))
	r.Number("log files", uint64(m.WAL.Files))
	r.Number("log bytes in", m.WAL.BytesIn)
	r.Number("log bytes written", m.WAL.BytesWritten)
	r.Number("read amplification", uint64(m.ReadAmp()))
	r.Number("disk bytes", m.DiskSpaceUsage())
}

// endRead ends what the last read holds.
func (s *session) endRead() {
	if s.iterator != nil {
		s.iterator.Close()
		s.iterator = nil
	}
	if s.result != nil {
		s.result.Close()
		s.result = nil
	}
}

func (s *session) Release() {
	s.endRead()
	if s.snapshot != nil {
		s.snapshot.Close()
		s.snapshot = nil
	}
}

func (s *session) Snapshot() error {
	s.Release()
	s.snapshot = s.db.NewSnapshot()
	return nil
}

func (s *session) Get(key []byte) (value []byte, err error) {
	s.endRead()
	if s.snapshot != nil {
		value, s.result, err = s.snapshot.Get(key)
	} else {
		value, s.result, err = s.db.Get(key)
	}
	return value, err
}

func (s *session) Put(key, value []byte) error {
	if s.open {
		return s.batch.Set(key, value, nil)
	}
	return s.db.Set(key, value, s.db.write)
}

// A tombstone is written whether or not the record exists.
func (s *session) Delete(key []byte) error {
	if s.open {
		return s.batch.Delete(key, nil)
	}
	return s.db.Delete(key, s.db.write)
}

func (s *session) Begin() error {
	s.open = true
	return nil
}

func (s *session) Commit() error {
	err := s.db.Apply(s.batch, s.db.write)
	s.Rollback()
	return err
}

func (s *session) Rollback() {
	s.batch.Reset()
	s.open = false
}

func (s *session) beginScan() (err error) {
	s.endRead()
	if s.snapshot != nil {
		s.iterator, err = s.snapshot.NewIter(nil)
	} else {
		s.iterator, err = s.db.NewIter(nil)
	}
	if err != nil {
		s.iterator = nil
	}
	return err
}

func (s *session) record(valid bool) ([]byte, []byte, error) {
	if valid {
		value, err := s.iterator.ValueAndErr()
		return s.iterator.Key(), value, err
	}
	if err := s.iterator.Error(); err != nil {
		return nil, nil, err
	}
	return nil, nil, contract.ErrNotFound
}

func (s *session) Seek(from []byte) ([]byte, []byte, error) {
	if err := s.beginScan(); err != nil {
		return nil, nil, err
	}
	if from == nil {
		return s.record(s.iterator.First())
	}
	return s.record(s.iterator.SeekGE(from))
}

func (s *session) Last() ([]byte, []byte, error) {
	if err := s.beginScan(); err != nil {
		return nil, nil, err
	}
	return s.record(s.iterator.Last())
}

func (s *session) Next() ([]byte, []byte, error) { return s.record(s.iterator.Next()) }
func (s *session) Prev() ([]byte, []byte, error) { return s.record(s.iterator.Prev()) }

func (s *session) Close() {
	s.Release()
	s.batch.Close()
}

func status(err error) error {
	if err == pebble.ErrNotFound {
		return contract.ErrNotFound
	}
	return err
}

func init() { contract.Register(contract.Engine{Open: open, Status: status}) }

func main() {}
