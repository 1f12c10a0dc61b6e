// Package main is bbolt, a copy-on-write B+tree in one mapped file that is written by
// system calls.
//
// A session keeps a read transaction from a read until its next call, as the value lies in
// the map. A write that lets the map grow waits for every reader, so that the map is made
// large enough at once; address space is free.
package main

import (
	"bytes"
	"path/filepath"
	"time"

	"assay/contract"

	bolt "go.etcd.io/bbolt"
)

var bucketName = []byte("records")

const gib = 1 << 30

type database struct {
	*bolt.DB
	fill   float64
	synced bool
}

type session struct {
	db          *database
	read, write *bolt.Tx
	// of the read transaction, or of the write transaction
	bucket, writing *bolt.Bucket
	cursor          *bolt.Cursor
	held            bool // read is a snapshot
}

func open(s *contract.Settings) (contract.Database, error) {
	options := *bolt.DefaultOptions
	options.Timeout = time.Second
	options.InitialMmapSize = int(min(16*s.Records*(s.KeySize+s.ValueSize+64)+16*gib, 1<<46))
	if s.Option["mapsize"] > 0 {
		options.InitialMmapSize = int(s.Option["mapsize"])
	}
	options.NoSync = s.Durability != contract.Sync
	options.NoGrowSync = options.NoSync
	options.NoFreelistSync = s.Option["freelist_sync"] == 0
	if s.Option["freelist"] == 1 {
		options.FreelistType = bolt.FreelistMapType
	}
	opened, err := bolt.Open(filepath.Join(s.Path, "bbolt.db"), 0o644, &options)
	if err != nil {
		return nil, err
	}
	db := &database{opened, float64(s.Option["fill_percent"]) / 100, !options.NoSync}
	err = db.Update(func(tx *bolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists(bucketName)
		return err
	})
	if err != nil {
		opened.Close()
		return nil, err
	}
	return db, nil
}

func (db *database) Attach() (contract.Session, error) { return &session{db: db}, nil }

func (db *database) Settle() error {
	if db.synced {
		return nil
	}
	return db.Sync()
}

// In a read transaction: pages replaced meanwhile are kept, and the file grows.
func (db *database) Backup(to string) error {
	return db.View(func(tx *bolt.Tx) error {
		return tx.CopyFile(filepath.Join(to, "bbolt.db"), 0o644)
	})
}

func number(is bool) uint64 {
	if is {
		return 1
	}
	return 0
}

func (db *database) Describe(r contract.Report) {
	r.Number("nosync", number(db.NoSync))
	r.Number("nogrowsync", number(db.NoGrowSync))
	r.Number("freelist_sync", number(!db.NoFreelistSync))
	r.Text("freelist", string(db.FreelistType))
	r.Number("page_size", uint64(db.Info().PageSize))
}

func (db *database) Statistics(r contract.Report) {
	s := db.Stats()
	r.Number("free pages", uint64(s.FreePageN))
	r.Number("pending pages", uint64(s.PendingPageN))
	r.Number("freelist bytes", uint64(s.FreelistInuse))
	r.Number("read transactions", uint64(s.TxN))
	r.Number("open read transactions", uint64(s.OpenTxN))
	r.Number("allocated pages", uint64(s.TxStats.GetPageCount()))
	r.Number("rebalances", uint64(s.TxStats.GetRebalance()))
	r.Number("splits", uint64(s.TxStats.GetSplit()))
	r.Number("writes", uint64(s.TxStats.GetWrite()))
	r.Number("write time us", uint64(s.TxStats.GetWriteTime().Microseconds()))
}

func (s *session) Release() {
	if s.read != nil {
		s.read.Rollback()
	}
	s.read, s.bucket, s.cursor, s.held = nil, nil, nil, false
}

// Sees the latest commit, unless a snapshot is held.
func (s *session) beginRead() (err error) {
	if s.held {
		return nil
	}
	s.Release()
	if s.read, err = s.db.DB.Begin(false); err != nil {
		s.read = nil
		return err
	}
	s.bucket = s.read.Bucket(bucketName)
	return nil
}

func (s *session) Snapshot() error {
	s.Release()
	err := s.beginRead()
	s.held = err == nil
	return err
}

func (s *session) Get(key []byte) ([]byte, error) {
	bucket := s.writing
	if bucket == nil {
		if err := s.beginRead(); err != nil {
			return nil, err
		}
		bucket = s.bucket
	}
	value := bucket.Get(key)
	if value == nil {
		return nil, contract.ErrNotFound
	}
	return value, nil
}

func (s *session) Begin() (err error) {
	if !s.held {
		s.Release()
	}
	if s.write, err = s.db.DB.Begin(true); err != nil {
		s.write = nil
		return err
	}
	s.writing = s.write.Bucket(bucketName)
	s.writing.FillPercent = s.db.fill
	return nil
}

func (s *session) Commit() error {
	tx := s.write
	s.write, s.writing = nil, nil
	err := tx.Commit()
	if err != nil {
		tx.Rollback()
	}
	return err
}

func (s *session) Rollback() {
	if s.write != nil {
		s.write.Rollback()
	}
	s.write, s.writing = nil, nil
}

// single does a write in a transaction of its own.
func (s *session) single(write func() error) error {
	if err := s.Begin(); err != nil {
		return err
	}
	if err := write(); err != nil {
		s.Rollback()
		return err
	}
	return s.Commit()
}

// bbolt copies keys, and values only when it commits.
func (s *session) Put(key, value []byte) error {
	if s.write != nil {
		return s.writing.Put(key, append([]byte{}, value...))
	}
	return s.single(func() error { return s.writing.Put(key, value) })
}

func (s *session) Delete(key []byte) error {
	if s.write != nil {
		return s.writing.Delete(key)
	}
	return s.single(func() error {
		cursor := s.writing.Cursor()
		if found, _ := cursor.Seek(key); !bytes.Equal(found, key) {
			return contract.ErrNotFound
		}
		return cursor.Delete()
	})
}

func record(key, value []byte) ([]byte, []byte, error) {
	if key == nil {
		return nil, nil, contract.ErrNotFound
	}
	return key, value, nil
}

func (s *session) beginScan() error {
	if err := s.beginRead(); err != nil {
		return err
	}
	if s.cursor == nil {
		s.cursor = s.bucket.Cursor()
	}
	return nil
}

func (s *session) Seek(from []byte) ([]byte, []byte, error) {
	if err := s.beginScan(); err != nil {
		return nil, nil, err
	}
	if from == nil {
		return record(s.cursor.First())
	}
	return record(s.cursor.Seek(from))
}

func (s *session) Last() ([]byte, []byte, error) {
	if err := s.beginScan(); err != nil {
		return nil, nil, err
	}
	return record(s.cursor.Last())
}

func (s *session) Next() ([]byte, []byte, error) { return record(s.cursor.Next()) }
func (s *session) Prev() ([]byte, []byte, error) { return record(s.cursor.Prev()) }
func (s *session) Close()                        { s.Rollback(); s.Release() }

func init() { contract.Register(contract.Engine{Open: open, Mapped: true}) }

func main() {}
