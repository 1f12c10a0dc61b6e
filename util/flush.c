/* flush.c: stand between the process and the calls that force; see flush.h. */
#include "flush.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct {
	_Atomic uint64_t fsyncs, fdatasyncs, msyncs, sync_file_ranges, syncs;
} counts;

#define EXPORTED __attribute__((used, visibility("default")))

static void count(_Atomic uint64_t *counter)
{
	atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

/*
 * The C library's own function behind ours. POSIX lets dlsym answer with a function; ISO C does not
 * let that be cast to one, so its bytes are copied.
 */
static void find(const char *name, void *function, size_t size)
{
	void *symbol = dlsym(RTLD_NEXT, name);

	memcpy(function, &symbol, size);
}

#define NEXT(function)               \
	__typeof__(&function) next;  \
	find(#function, &next, sizeof next)

EXPORTED int fsync(int fd)
{
	NEXT(fsync);
	count(&counts.fsyncs);
	return next(fd);
}

EXPORTED int fdatasync(int fd)
{
	NEXT(fdatasync);
	count(&counts.fdatasyncs);
	return next(fd);
}

EXPORTED int msync(void *start, size_t size, int flags)
{
	NEXT(msync);
	if (flags & MS_SYNC)
		count(&counts.msyncs);
	return next(start, size, flags);
}

EXPORTED void sync(void)
{
	NEXT(sync);
	count(&counts.syncs);
	next();
}

#ifdef __linux__
EXPORTED int sync_file_range(int fd, off_t offset, off_t size, unsigned flags)
{
	NEXT(sync_file_range);
	count(&counts.sync_file_ranges);
	return next(fd, offset, size, flags);
}

EXPORTED int syncfs(int fd)
{
	NEXT(syncfs);
	count(&counts.syncs);
	return next(fd);
}
#endif

struct flush_counts flush_read(void)
{
	return (struct flush_counts){
		atomic_load_explicit(&counts.fsyncs, memory_order_relaxed),
		atomic_load_explicit(&counts.fdatasyncs, memory_order_relaxed),
		atomic_load_explicit(&counts.msyncs, memory_order_relaxed),
		atomic_load_explicit(&counts.sync_file_ranges, memory_order_relaxed),
		atomic_load_explicit(&counts.syncs, memory_order_relaxed),
	};
}

uint64_t flush_total(const struct flush_counts *c)
{
	return c->fsyncs + c->fdatasyncs + c->msyncs + c->sync_file_ranges + c->syncs;
}
