/* flush.c: stand between the process and the calls that flush; see flush.h. */
#include "flush.h"

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
#ifdef __linux__
#include <sys/syscall.h>
#endif

static struct {
	_Atomic uint64_t fsyncs, fdatasyncs, msyncs, sync_file_ranges, syncs,
		dsync_writes;
} counts;

enum { FILES = 1 << 16 };
/* by descriptor: opened with O_DSYNC or O_SYNC, so that each write flushes */
static _Atomic uint8_t dsync_files[FILES];

#define EXPORTED __attribute__((used, visibility("default")))

static void count(_Atomic uint64_t *counter)
{
	atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

/* Not by write(2), which is ours. */
static _Noreturn void end(const char *why)
{
#ifdef __linux__
	syscall(SYS_write, STDERR_FILENO, why, strlen(why));
#else
	(void)why;
#endif
	_exit(1);
}

/*
 * The C library's own function behind ours. POSIX lets dlsym answer with a function; ISO
 * C does not let that be cast to one, so its bytes are copied. A program that is linked
 * statically has none behind.
 */
static void flush_find(const char *name, void *function, size_t size)
{
	void *symbol = dlsym(RTLD_NEXT, name);

	if (!symbol)
		end("assay: cannot count flushes in a static program; link the C library "
		    "dynamically\n");
	memcpy(function, &symbol, size);
}

/* Looked up once; threads that race store the same. */
#define NEXT(function)                                       \
	static __typeof__(&function) _Atomic known;          \
	__typeof__(&function) next = known;                  \
	if (!next) {                                         \
		flush_find(#function, &next, sizeof next);         \
		known = next;                                \
	}

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

static void note_open(int fd, int flags)
{
	if (fd >= 0 && fd < FILES)
		dsync_files[fd] = (flags & O_DSYNC) || (flags & O_SYNC) == O_SYNC;
}

static void note_write(int fd)
{
	if (fd >= 0 && fd < FILES && dsync_files[fd])
		count(&counts.dsync_writes);
}

#ifdef O_TMPFILE
#define NAMELESS O_TMPFILE
#else
#define NAMELESS O_CREAT
#endif

/* open and its kin differ in their first parameters and in where off_t has 64 bits. */
#define OPEN(name, parameters, ...)                                    \
	EXPORTED int name parameters                                   \
	{                                                              \
		NEXT(name);                                            \
		va_list arguments;                                     \
		mode_t mode = 0;                                       \
		if (flags & O_CREAT || (flags & NAMELESS) == NAMELESS) { \
			va_start(arguments, flags);                    \
			mode = (mode_t)va_arg(arguments, unsigned);    \
			va_end(arguments);                             \
		}                                                      \
		int fd = next(__VA_ARGS__, flags, mode);               \
		note_open(fd, flags);                                  \
		return fd;                                             \
	}

#define WRITE(name, parameters, ...)              \
	EXPORTED ssize_t name parameters          \
	{                                         \
		NEXT(name);                       \
		note_write(fd);                   \
		return next(fd, __VA_ARGS__);     \
	}

OPEN(open, (const char *path, int flags, ...), path)
OPEN(openat, (int directory, const char *path, int flags, ...), directory, path)
WRITE(write, (int fd, const void *data, size_t size), data, size)
WRITE(writev, (int fd, const struct iovec *parts, int n), parts, n)
WRITE(pwrite, (int fd, const void *data, size_t size, off_t offset), data, size, offset)
/* off64_t is off_t in 64 bits. */
#ifdef __GLIBC__
OPEN(open64, (const char *path, int flags, ...), path)
OPEN(openat64, (int directory, const char *path, int flags, ...), directory, path)
WRITE(pwrite64, (int fd, const void *data, size_t size, off_t offset), data, size, offset)
WRITE(pwritev, (int fd, const struct iovec *parts, int n, off_t offset), parts, n, offset)
WRITE(pwritev64, (int fd, const struct iovec *parts, int n, off_t offset), parts, n,
      offset)
#endif

EXPORTED int close(int fd)
{
	NEXT(close);
	if (fd >= 0 && fd < FILES)
		dsync_files[fd] = false;
	return next(fd);
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
		atomic_load_explicit(&counts.dsync_writes, memory_order_relaxed),
	};
}

uint64_t flush_total(const struct flush_counts *c)
{
	return c->fsyncs + c->fdatasyncs + c->msyncs + c->sync_file_ranges + c->syncs +
	       c->dsync_writes;
}
