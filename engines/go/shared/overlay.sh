#!/bin/sh
# overlay.sh DIRECTORY: writes a copy of Go's syscall_linux.go, whose Syscall and Syscall6
# hand calls that sync to a function, and overlay.json for go build -overlay; fails if this
# Go's file is another.
set -eu
to=$1
source=$(go env GOROOT)/src/syscall/syscall_linux.go
numbers=$(go env GOROOT)/src/syscall/zsysnum_linux_$(go env GOARCH).go
calls=
for call in FSYNC FDATASYNC MSYNC SYNCFS SYNC_FILE_RANGE
do
	! grep -q "	SYS_$call " "$numbers" || calls="$calls${calls:+ || }trap == SYS_$call"
done
awk -v calls="$calls" '
	{ print }
	/^func Syscall6?\(trap, / {
		rest = /^func Syscall6/ ? "a4" : "0"
		print "\tif AssaySync != nil && (" calls ") {\n\t\treturn AssaySync(trap, a1, a2, a3, " rest ")\n\t}"
		patched++
	}
	END {
		print "\n// AssaySync makes a call that syncs; nil: the system call is made here."
		print "var AssaySync func(trap, a1, a2, a3, a4 uintptr) (r1, r2 uintptr, err Errno)"
		exit patched != 2
	}' "$source" >"$to/syscall_linux.go"
printf '{"Replace": {"%s": "%s"}}\n' "$source" "$to/syscall_linux.go" >"$to/overlay.json"
