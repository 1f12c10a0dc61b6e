/* sync_count.c: wrappers of the calls that sync; see sync_count.h. */
#include "sync_count.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>
#ifndef __APPLE__
#include <sys/syscall.h>
#endif

static struct {
	_Atomic uint64_t fsyncs, fdatasyncs, msyncs, sync_file_ranges, fs_syncs,
		dsync_writes;
} sync_counters;

static _Thread_local struct sync_count_spans *noted_spans;

void sync_count_note_spans(struct sync_count_spans *spans)
{
	noted_spans = spans;
}

static uint64_t load_relaxed(_Atomic uint64_t *from)
{
	return atomic_load_explicit(from, memory_order_relaxed);
}

uint64_t sync_count_ticks(struct sync_count_spans *spans, uint64_t begin, uint64_t end)
{
	uint64_t count = atomic_load_explicit(&spans->count, memory_order_acquire),
		 least = count > SYNC_COUNT_SPANS ? count - SYNC_COUNT_SPANS : 0, sum = 0;

	for (uint64_t i = count; i > least; i--) {
		struct sync_count_span *span = &spans->span[(i - 1) % SYNC_COUNT_SPANS];
		uint64_t from = load_relaxed(&span->begin), to = load_relaxed(&span->end);

		if (!to || to > end)
			to = end;
		if (to <= begin)
			break;
		from = from < begin ? begin : from;
		sum += to > from ? to - from : 0;
	}
	return sum;
}

#ifdef __APPLE__
static atomic_bool misses_some = true;
#else
static atomic_bool misses_some;
#endif

bool sync_count_is_complete(void)
{
	return !misses_some;
}

void sync_count_miss_some(void)
{
	misses_some = true;
}

#ifndef __APPLE__
enum { TRACKED_FILES = 1 << 16 };
/* by descriptor: opened with O_DSYNC or O_SYNC, so that each write syncs */
static _Atomic uint8_t dsync_files[TRACKED_FILES];

#define EXPORTED __attribute__((used, visibility("default")))

static void count_call(_Atomic uint64_t *counter)
{
	atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

/* A sync of this thread begins; NULL: its times are not noted. */
static struct sync_count_span *begin_sync(void)
{
	struct sync_count_spans *spans = noted_spans;
	struct sync_count_span *span;
	uint64_t count;

	if (!spans)
		return NULL;
	count = load_relaxed(&spans->count);
	span = &spans->span[count % SYNC_COUNT_SPANS];
	atomic_store_explicit(&span->end, 0, memory_order_relaxed);
	atomic_store_explicit(&span->begin, clock_ticks(spans->clock),
			      memory_order_relaxed);
	atomic_store_explicit(&spans->count, count + 1, memory_order_release);
	return span;
}

static void end_sync(struct sync_count_span *span)
{
	if (span)
		atomic_store_explicit(&span->end, clock_ticks(noted_spans->clock),
				      memory_order_relaxed);
}

/* Does the call between notes of its begin and end. */
#define SYNC(type, call) \
	struct sync_count_span *span = begin_sync(); \
	type result = (type)call; \
	end_sync(span); \
	return result

static atomic_bool is_static; /* the program: it has no C library to find anything in */

/*
 * Finds the C library's own function. POSIX lets dlsym return a function; ISO C does not
 * permit the cast, so its bytes are copied.
 */
static void find_libc_function(const char *name, void *function, size_t size)
{
	void *symbol = dlsym(RTLD_NEXT, name);

	is_static = !symbol;
#ifndef __linux__
	static const char why[] = "assay: cannot count syncs in a static program; link "
				  "the C library dynamically\n";

	if (!symbol) {
		syscall(SYS_write, STDERR_FILENO, why, sizeof why - 1);
		_exit(1);
	}
#endif
	memcpy(function, &symbol, size);
}

/* Looked up once; racing threads store the same value. */
#define NEXT(function) NEXT_NAMED(function, #function)
#define NEXT_NAMED(function, name) \
	static __typeof__(&function) _Atomic known; \
	__typeof__(&function) next = known; \
	if (!next && !is_static) { \
		find_libc_function(name, &next, sizeof next); \
		known = next; \
	}

/* Linux can do without the C library's function. */
#ifdef __linux__
#define FORWARD(call, ...) (next ? call : syscall(__VA_ARGS__))
#else
#define FORWARD(call, ...) (call)
#endif

/* NetBSD's header renames it: the function of this name is an older one. */
#ifdef __NetBSD__
#define MSYNC_NAME "__msync13"
#else
#define MSYNC_NAME "msync"
#endif

EXPORTED int fsync(int fd)
{
	NEXT(fsync);
	count_call(&sync_counters.fsyncs);
	SYNC(int, FORWARD(next(fd), SYS_fsync, fd));
}

EXPORTED int fdatasync(int fd)
{
	NEXT(fdatasync);
	count_call(&sync_counters.fdatasyncs);
	SYNC(int, FORWARD(next(fd), SYS_fdatasync, fd));
}

EXPORTED int msync(void *start, size_t size, int flags)
{
	NEXT_NAMED(msync, MSYNC_NAME);
	if (!(flags & MS_SYNC))
		return (int)FORWARD(next(start, size, flags), SYS_msync, start, size,
				    flags);
	count_call(&sync_counters.msyncs);
	SYNC(int, FORWARD(next(start, size, flags), SYS_msync, start, size, flags));
}

EXPORTED void sync(void)
{
	NEXT(sync);
	count_call(&sync_counters.fs_syncs);
	(void)FORWARD((next(), 0), SYS_sync);
}

static void track_open(int fd, int flags)
{
	if (fd >= 0 && fd < TRACKED_FILES)
		dsync_files[fd] = (flags & O_DSYNC) || (flags & O_SYNC) == O_SYNC;
}

/* Begins a write; it is a sync if the file was opened so. */
static struct sync_count_span *begin_write(int fd)
{
	if (fd < 0 || fd >= TRACKED_FILES || !dsync_files[fd])
		return NULL;
	count_call(&sync_counters.dsync_writes);
	return begin_sync();
}

#ifdef O_TMPFILE
#define TMPFILE_FLAGS O_TMPFILE
#else
#define TMPFILE_FLAGS O_CREAT
#endif

/*
 * open and its variants differ in their first parameters and in the width of off_t.
 * Not every CPU has a system call of each name.
 */
#define OPEN(name, parameters, directory, ...) \
	EXPORTED int name parameters \
	{ \
		NEXT(name); \
		va_list arguments; \
		mode_t mode = 0; \
		if (flags & O_CREAT || (flags & TMPFILE_FLAGS) == TMPFILE_FLAGS) { \
			va_start(arguments, flags); \
			mode = (mode_t)va_arg(arguments, unsigned); \
			va_end(arguments); \
		} \
		int fd = (int)FORWARD(next(__VA_ARGS__, flags, mode), SYS_openat, \
				      directory, path, flags, mode); \
		track_open(fd, flags); \
		return fd; \
	}

#define WRITE(name, parameters, number, ...) \
	EXPORTED ssize_t name parameters \
	{ \
		NEXT(name); \
		struct sync_count_span *span = begin_write(fd); \
		ssize_t result = \
			FORWARD(next(fd, __VA_ARGS__), number, fd, __VA_ARGS__); \
		end_sync(span); \
		return result; \
	}

OPEN(open, (const char *path, int flags, ...), AT_FDCWD, path)
OPEN(openat, (int at, const char *path, int flags, ...), at, at, path)
WRITE(write, (int fd, const void *data, size_t size), SYS_write, data, size)
WRITE(writev, (int fd, const struct iovec *parts, int n), SYS_writev, parts, n)
WRITE(pwrite, (int fd, const void *data, size_t size, off_t at), SYS_pwrite64, data, size,
      at)
/* off64_t is a 64-bit off_t. */
#ifdef __GLIBC__
OPEN(open64, (const char *path, int flags, ...), AT_FDCWD, path)
OPEN(openat64, (int at, const char *path, int flags, ...), at, at, path)
WRITE(pwrite64, (int fd, const void *data, size_t size, off_t at), SYS_pwrite64, data,
      size, at)
WRITE(pwritev, (int fd, const struct iovec *parts, int n, off_t at), SYS_pwritev, parts,
      n, at)
WRITE(pwritev64, (int fd, const struct iovec *parts, int n, off_t at), SYS_pwritev, parts,
      n, at)
#endif

EXPORTED int close(int fd)
{
	NEXT(close);
	if (fd >= 0 && fd < TRACKED_FILES)
		dsync_files[fd] = false;
	return (int)FORWARD(next(fd), SYS_close, fd);
}

#ifdef __linux__
EXPORTED int sync_file_range(int fd, off_t offset, off_t size, unsigned flags)
{
	NEXT(sync_file_range);
	count_call(&sync_counters.sync_file_ranges);
	SYNC(int, FORWARD(next(fd, offset, size, flags), SYS_sync_file_range, fd, offset,
			  size, flags));
}

EXPORTED int syncfs(int fd)
{
	NEXT(syncfs);
	count_call(&sync_counters.fs_syncs);
	SYNC(int, FORWARD(next(fd), SYS_syncfs, fd));
}
#endif
#endif

struct sync_counts sync_count_read(void)
{
	return (struct sync_counts){
		atomic_load_explicit(&sync_counters.fsyncs, memory_order_relaxed),
		atomic_load_explicit(&sync_counters.fdatasyncs, memory_order_relaxed),
		atomic_load_explicit(&sync_counters.msyncs, memory_order_relaxed),
		atomic_load_explicit(&sync_counters.sync_file_ranges,
				     memory_order_relaxed),
		atomic_load_explicit(&sync_counters.fs_syncs, memory_order_relaxed),
		atomic_load_explicit(&sync_counters.dsync_writes, memory_order_relaxed),
	};
}

uint64_t sync_count_total(const struct sync_counts *c)
{
	return c->fsyncs + c->fdatasyncs + c->msyncs + c->sync_file_ranges + c->fs_syncs +
	       c->dsync_writes;
}
