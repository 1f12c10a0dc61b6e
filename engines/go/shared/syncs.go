//go:build assay_overlay

package contract

/*
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// The C library's functions, which the program replaces by those that count.
static int sync_by_libc(long number, uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d)
{
	int rc = -1;

	errno = ENOSYS;
	switch (number) {
	case SYS_fsync: rc = fsync((int)a); break;
	case SYS_fdatasync: rc = fdatasync((int)a); break;
	case SYS_msync: rc = msync((void *)a, b, (int)c); break;
	case SYS_syncfs: rc = syncfs((int)a); break;
	case SYS_sync_file_range:
		rc = sync_file_range((int)a, (off_t)b, (off_t)c, (unsigned)d);
		break;
	}
	return rc ? errno : 0;
}
*/
import "C"

import "syscall"

// Go makes system calls itself, past the C library. The overlay of package syscall
// (overlay.sh) hands those that sync to this function.
const countsSyncs = true

func init() {
	syscall.AssaySync = func(trap, a, b, c, d uintptr) (uintptr, uintptr, syscall.Errno) {
		errno := C.sync_by_libc(C.long(trap), C.uintptr_t(a), C.uintptr_t(b),
			C.uintptr_t(c), C.uintptr_t(d))
		if errno != 0 {
			return ^uintptr(0), 0, syscall.Errno(errno)
		}
		return 0, 0, 0
	}
}
