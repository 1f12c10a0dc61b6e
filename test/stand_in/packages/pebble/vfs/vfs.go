// Package vfs has file systems of Pebble's.
package vfs

import "note"

type (
	DiskWriteCategory string
	OpenOption        interface{ Apply() }
)

type File interface {
	Sync() error
	SyncData() error
	SyncTo(length int64) (bool, error)
	Close() error
}

type FS interface {
	Create(string, DiskWriteCategory) (File, error)
	OpenReadWrite(string, DiskWriteCategory, ...OpenOption) (File, error)
	OpenDir(string) (File, error)
	ReuseForWrite(string, string, DiskWriteCategory) (File, error)
}

type file struct{ name string }

func (f file) Sync() error     { return note.Call("file_sync", "%s", f.name) }
func (f file) SyncData() error { return note.Call("file_sync_data", "%s", f.name) }
func (f file) SyncTo(n int64) (bool, error) {
	return true, note.Call("file_sync_to", "%s %d", f.name, n)
}
func (f file) Close() error { return note.Call("file_close", "%s", f.name) }

type system struct{}

var Default FS = system{}

func (system) Create(name string, c DiskWriteCategory) (File, error) {
	return file{name}, note.Call("create", "%s %s", name, c)
}

func (system) OpenReadWrite(name string, c DiskWriteCategory, o ...OpenOption) (File, error) {
	return file{name}, note.Call("open_to_write", "%s %s %d", name, c, len(o))
}

func (system) OpenDir(name string) (File, error) {
	return file{name}, note.Call("open_directory", "%s", name)
}

func (system) ReuseForWrite(old, name string, c DiskWriteCategory) (File, error) {
	return file{name}, note.Call("reuse", "%s %s %s", old, name, c)
}
