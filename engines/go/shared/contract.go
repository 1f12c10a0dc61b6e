// Package contract is the Go half of engines/engine.h: it exports C functions for a
// driver (engines/go_common.h), and calls the one engine of its library by interfaces.
//
// Databases and sessions cross as small numbers. Bytes from C are used in place, as they
// stay valid during a call. Bytes that are returned must be none of Go's: those of a
// memory map are passed on as they are, others are copied into memory of C's own, which
// belongs to the session.
package contract

/*
#cgo CFLAGS: -I${SRCDIR}/../..
#include <stdlib.h>
#include "go_contract.h"

static void set_number(struct go_report *r, char *name, uint64_t value)
{
	r->number(r->report, name, value);
}

static void set_text(struct go_report *r, char *name, char *value)
{
	r->text(r->report, name, value);
}
*/
import "C"

import (
	"errors"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync"
	"syscall"
	"unsafe"
)

// Results of an engine's functions besides its own errors.
var (
	ErrNotFound = errors.New("not found")
	ErrConflict = errors.New("conflict")
)

// Level is a durability.
type Level int

// The levels of enum durability.
const (
	None  Level = C.DURABILITY_NONE
	Async Level = C.DURABILITY_ASYNC
	Sync  Level = C.DURABILITY_SYNC
)

// Codec is a compression.
type Codec int

// The codecs of enum compression that the engines here have.
const (
	NoCompression Codec = C.COMPRESSION_NONE
	Snappy        Codec = C.COMPRESSION_SNAPPY
	Zstd          Codec = C.COMPRESSION_ZSTD
)

// Settings are those of struct settings, and the engine's own options.
type Settings struct {
	Path                 string
	Create               bool
	Durability           Level
	Records              uint64
	KeySize, ValueSize   uint64
	CacheBytes, Memtable uint64
	Compression          Codec
	Sessions             int
	Option               map[string]uint64
}

// Report takes settings or counters by their names.
type Report interface {
	Number(name string, value uint64)
	Text(name, value string)
}

// Engine is what a library has one of.
type Engine struct {
	Open func(*Settings) (Database, error)
	// Status classifies the engine's own errors; nil: as they are.
	Status func(error) error
	// Mapped: returned bytes are of a memory map, which stays while the session
	// reads.
	Mapped bool
}

// Database is an open one.
type Database interface {
	Attach() (Session, error)
	Close() error
	Describe(Report)
	Statistics(Report)
}

// What a database may have besides; the driver has a member for each that is there.
type (
	Settler    interface{ Settle() error }
	Compacter  interface{ Compact() error }
	BackerUp   interface{ Backup(to string) error }
	HasPending interface {
		Pending() (work, progress uint64)
	}
)

// Session is one thread's view; its functions are those of engine.h. Errors are those of
// this package or the engine's. Bytes are valid until its next call.
type Session interface {
	Put(key, value []byte) error
	Delete(key []byte) error
	Get(key []byte) ([]byte, error)
	// Seek with a key of nil begins at the first record.
	Seek(from []byte) (key, value []byte, err error)
	Last() (key, value []byte, err error)
	Next() (key, value []byte, err error)
	Prev() (key, value []byte, err error)
	Snapshot() error
	Release()
	Begin() error
	Commit() error
	Rollback()
	Close()
}

var engine Engine

// Register is called by the library's main package before anything is opened.
func Register(e Engine) { engine = e }

type session struct {
	Session
	why *C.char
	// what was returned, if it is copied: one record after another
	copied struct {
		data       *byte
		size, used int
	}
}

const limit = 1 << 13

// Slots are written before their number is given to a thread, and read by it alone.
var (
	lock      sync.Mutex
	databases [limit]Database
	sessions  [limit]*session
)

func place[T any](slots *[limit]T, free func(T) bool, item T) (int, bool) {
	lock.Lock()
	defer lock.Unlock()
	for i := range slots {
		if free(slots[i]) {
			slots[i] = item
			return i, true
		}
	}
	return 0, false
}

var errTooMany = errors.New("more sessions or databases than the library has room for")

func status(err error, why *C.char) C.int {
	if err == nil {
		return C.DONE
	}
	result, kind := C.int(C.FAILED), err
	if engine.Status != nil {
		kind = engine.Status(err)
	}
	switch {
	case kind == ErrNotFound:
		return C.NOT_FOUND
	case kind == ErrConflict:
		return C.CONFLICT
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		result = C.FULL
	}
	if why != nil {
		text := strings.ReplaceAll(err.Error(), "\n", "; ")
		to := unsafe.Slice((*byte)(unsafe.Pointer(why)), C.ENGINE_ERROR_SIZE)
		to[copy(to[:len(to)-1], text)] = 0
	}
	return result
}

var none = []byte{}

// bytes are those of the slice in place; nil if it has no data.
func bytes(s C.struct_slice) []byte {
	if s.data == nil {
		return nil
	}
	if s.size == 0 {
		return none
	}
	return unsafe.Slice((*byte)(s.data), int(s.size))
}

// point sets a slice of C's as a number: what stood there before is not Go's, and the
// collector, which looks at a pointer that is replaced, would take it for a bad one.
func point(to *C.struct_slice, at unsafe.Pointer) {
	*(*uintptr)(unsafe.Pointer(&to.data)) = uintptr(at)
}

// give returns bytes to C: as they are, or in the session's memory, where those of the
// same call stay.
func (s *session) give(from []byte, to *C.struct_slice) {
	to.size = C.size_t(len(from))
	if engine.Mapped {
		point(to, unsafe.Pointer(unsafe.SliceData(from)))
		return
	}
	mine := &s.copied
	copy(unsafe.Slice(mine.data, mine.size)[mine.used:], from)
	point(to, unsafe.Add(unsafe.Pointer(mine.data), mine.used))
	mine.used += len(from)
}

// reserve makes room for so many bytes more. If what was given by this call has to move,
// its slices follow.
func (s *session) reserve(size int, given ...[]C.struct_slice) {
	mine := &s.copied
	if engine.Mapped || mine.used+size < mine.size {
		return
	}
	old := uintptr(unsafe.Pointer(mine.data))
	mine.size = 2*(mine.used+size) + 16384
	mine.data = (*byte)(C.realloc(unsafe.Pointer(mine.data), C.size_t(mine.size)))
	for _, slices := range given {
		for i := range slices {
			point(&slices[i], unsafe.Add(unsafe.Pointer(mine.data),
				uintptr(slices[i].data)-old))
		}
	}
}

func (s *session) giveRecord(k, v []byte, err error, key, value *C.struct_slice) C.int {
	if err != nil {
		return status(err, s.why)
	}
	s.copied.used = 0
	s.reserve(len(k) + len(v))
	s.give(k, key)
	s.give(v, value)
	return C.DONE
}

//export assay_go_nothing
func assay_go_nothing(h C.uint64_t) C.int { return C.DONE }

//export assay_go_put
func assay_go_put(h C.uint64_t, key, value C.struct_slice) C.int {
	s := sessions[h]
	if err := s.Put(bytes(key), bytes(value)); err != nil {
		return status(err, s.why)
	}
	return C.DONE
}

//export assay_go_del
func assay_go_del(h C.uint64_t, key C.struct_slice) C.int {
	s := sessions[h]
	return status(s.Delete(bytes(key)), s.why)
}

//export assay_go_get
func assay_go_get(h C.uint64_t, key C.struct_slice, value *C.struct_slice) C.int {
	s := sessions[h]
	v, err := s.Get(bytes(key))
	if err != nil {
		return status(err, s.why)
	}
	s.copied.used = 0
	s.reserve(len(v))
	s.give(v, value)
	return C.DONE
}

//export assay_go_seek
func assay_go_seek(h C.uint64_t, from C.struct_slice, key, value *C.struct_slice) C.int {
	s := sessions[h]
	k, v, err := s.Seek(bytes(from))
	return s.giveRecord(k, v, err, key, value)
}

//export assay_go_last
func assay_go_last(h C.uint64_t, key, value *C.struct_slice) C.int {
	s := sessions[h]
	k, v, err := s.Last()
	return s.giveRecord(k, v, err, key, value)
}

//export assay_go_next
func assay_go_next(h C.uint64_t, key, value *C.struct_slice) C.int {
	s := sessions[h]
	k, v, err := s.Next()
	return s.giveRecord(k, v, err, key, value)
}

//export assay_go_prev
func assay_go_prev(h C.uint64_t, key, value *C.struct_slice) C.int {
	s := sessions[h]
	k, v, err := s.Prev()
	return s.giveRecord(k, v, err, key, value)
}

// Large records are not copied by the dozen: there are fewer of them in a call.
const enough = 256 << 10

//export assay_go_next_many
func assay_go_next_many(h C.uint64_t, key, value *C.struct_slice, n *C.uint) C.int {
	s := sessions[h]
	keys, values := unsafe.Slice(key, *n), unsafe.Slice(value, *n)
	s.copied.used = 0
	for i := range keys {
		k, v, err := s.Next()
		if err != nil && (i == 0 || status(err, nil) != C.NOT_FOUND) {
			return status(err, s.why)
		}
		if err != nil {
			*n = C.uint(i)
			break
		}
		s.reserve(len(k)+len(v), keys[:i], values[:i])
		s.give(k, &keys[i])
		s.give(v, &values[i])
		if s.copied.used > enough {
			*n = C.uint(i + 1)
			break
		}
	}
	return C.DONE
}

//export assay_go_snapshot
func assay_go_snapshot(h C.uint64_t) C.int {
	s := sessions[h]
	return status(s.Snapshot(), s.why)
}

//export assay_go_release
func assay_go_release(h C.uint64_t) { sessions[h].Release() }

//export assay_go_begin
func assay_go_begin(h C.uint64_t) C.int {
	s := sessions[h]
	return status(s.Begin(), s.why)
}

//export assay_go_commit
func assay_go_commit(h C.uint64_t) C.int {
	s := sessions[h]
	return status(s.Commit(), s.why)
}

//export assay_go_rollback
func assay_go_rollback(h C.uint64_t) { sessions[h].Rollback() }

// ---- not timed ----

func settingsOf(s *C.struct_settings, option *C.struct_go_option) *Settings {
	to := &Settings{
		Path:        C.GoString(s.path),
		Create:      bool(s.create),
		Durability:  Level(s.durability),
		Records:     uint64(s.num),
		KeySize:     uint64(s.key_size),
		ValueSize:   uint64(s.value_size),
		CacheBytes:  uint64(s.cache_bytes),
		Memtable:    uint64(s.write_buffer_bytes),
		Compression: Codec(s.compression),
		Sessions:    int(s.sessions),
		Option:      map[string]uint64{},
	}
	for o := option; o.name != nil; o = (*C.struct_go_option)(unsafe.Add(unsafe.Pointer(o),
		unsafe.Sizeof(*o))) {
		to.Option[C.GoString(o.name)] = uint64(o.value)
	}
	return to
}

//export assay_go_open
func assay_go_open(s *C.struct_settings, option *C.struct_go_option, h *C.uint64_t,
	why *C.char) C.int {
	db, err := engine.Open(settingsOf(s, option))
	if err != nil {
		return status(err, why)
	}
	i, ok := place(&databases, func(d Database) bool { return d == nil }, db)
	if !ok {
		db.Close()
		return status(errTooMany, why)
	}
	*h = C.uint64_t(i)
	return C.DONE
}

//export assay_go_close
func assay_go_close(h C.uint64_t, why *C.char) C.int {
	err := databases[h].Close()
	lock.Lock()
	databases[h] = nil
	lock.Unlock()
	return status(err, why)
}

//export assay_go_attach
func assay_go_attach(db C.uint64_t, h *C.uint64_t, why *C.char) C.int {
	attached, err := databases[db].Attach()
	if err != nil {
		return status(err, why)
	}
	i, ok := place(&sessions, func(s *session) bool { return s == nil },
		&session{Session: attached, why: why})
	if !ok {
		attached.Close()
		return status(errTooMany, why)
	}
	*h = C.uint64_t(i)
	return C.DONE
}

//export assay_go_detach
func assay_go_detach(h C.uint64_t) {
	s := sessions[h]
	s.Close()
	C.free(unsafe.Pointer(s.copied.data))
	lock.Lock()
	sessions[h] = nil
	lock.Unlock()
}

//export assay_go_settle
func assay_go_settle(h C.uint64_t, why *C.char) C.int {
	return status(databases[h].(Settler).Settle(), why)
}

//export assay_go_compact
func assay_go_compact(h C.uint64_t, why *C.char) C.int {
	return status(databases[h].(Compacter).Compact(), why)
}

//export assay_go_backup
func assay_go_backup(h C.uint64_t, to, why *C.char) C.int {
	return status(databases[h].(BackerUp).Backup(C.GoString(to)), why)
}

//export assay_go_pending
func assay_go_pending(h C.uint64_t, pending *C.struct_pending_work) {
	work, progress := databases[h].(HasPending).Pending()
	pending.work, pending.progress = C.uint64_t(work), C.uint64_t(progress)
}

// Unknown is the pending work of an engine that does not tell it.
const Unknown = ^uint64(0)

type report struct{ to *C.struct_go_report }

func (r report) Number(name string, value uint64) {
	n := C.CString(name)
	C.set_number(r.to, n, C.uint64_t(value))
	C.free(unsafe.Pointer(n))
}

func (r report) Text(name, value string) {
	n, v := C.CString(name), C.CString(value)
	C.set_text(r.to, n, v)
	C.free(unsafe.Pointer(n))
	C.free(unsafe.Pointer(v))
}

// The collector runs in threads of the process, as the engine's background work does:
// nothing outside the runtime can tell them apart, so its own account is given.
//
//export assay_go_describe
func assay_go_describe(h C.uint64_t, to *C.struct_go_report) {
	r := report{to}
	databases[h].Describe(r)
	gogc := debug.SetGCPercent(100)
	debug.SetGCPercent(gogc)
	r.Text("go", runtime.Version())
	r.Number("gomaxprocs", uint64(runtime.GOMAXPROCS(0)))
	r.Number("gogc", uint64(gogc))
}

//export assay_go_statistics
func assay_go_statistics(h C.uint64_t, to *C.struct_go_report) {
	r := report{to}
	databases[h].Statistics(r)
	names := []metrics.Sample{
		{Name: "/gc/cycles/total:gc-cycles"},
		{Name: "/gc/heap/allocs:bytes"},
		{Name: "/gc/heap/allocs:objects"},
		{Name: "/memory/classes/total:bytes"},
	}
	metrics.Read(names)
	for i, name := range []string{"gc cycles", "gc allocated bytes",
		"gc allocated objects", "go memory bytes"} {
		r.Number(name, names[i].Value.Uint64())
	}
	cpu := []metrics.Sample{{Name: "/cpu/classes/gc/total:cpu-seconds"}}
	metrics.Read(cpu)
	r.Number("gc cpu us", uint64(cpu[0].Value.Float64()*1e6))
}

//export assay_go_counts_syncs
func assay_go_counts_syncs() C.int {
	if countsSyncs {
		return 1
	}
	return 0
}
