/* interpose.c: the clock, the record and the C library's own calls; see interpose.h. */
#include "interpose.h"
#include "recording.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { CHUNK_CALLS = 65535, MARKS = 4096, ASLEEP_NS = 1000000 };

struct chunk {
	struct chunk *next;
	uint64_t used;
	struct timed_call calls[CHUNK_CALLS];
};

/* A thread's record; only the thread writes to it. */
struct thread_log {
	struct thread_log *next;
	struct thread_head head;
	struct chunk *first, *last;
};

static struct thread_log *_Atomic logs;
static _Thread_local struct thread_log *own;
static _Thread_local unsigned depth;
static uint64_t slow_ns[CALL_KINDS];

static struct counter_reading marks[MARKS];
static unsigned mark_count; /* by the main thread */
static bool resets;         /* it resets the peak of memory: figures begin */

static struct {
	_Atomic uint64_t fsyncs, fdatasyncs, msyncs, sync_file_ranges, syncs, handed;
} counts;

/* ---- the clock, and calls made slow ---- */

static uint64_t clock_of(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t now_ns(void)
{
	return clock_of(CLOCK_MONOTONIC_RAW);
}

static void delay(uint64_t start, uint64_t ns)
{
	struct timespec t = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};

	if (ns >= ASLEEP_NS)
		nanosleep(&t, NULL);
	else
		while (now_ns() - start < ns)
			;
}

static _Noreturn void message_fatal(const char *text)
{
	fprintf(stderr, "instrument: %s\n", text);
	_exit(1);
}

/* POSIX lets dlsym answer with a function; ISO C does not let that be cast to one. */
void interpose_next(const char *name, void *function)
{
	void *symbol = dlsym(RTLD_NEXT, name);

	if (!symbol)
		message_fatal(name);
	memcpy(function, &symbol, sizeof symbol);
}

static unsigned kind_named(const char *name, size_t length)
{
	static const char *const names[CALL_KINDS] = {"read", "write", "remove", "seek",
						      "next", "group", "commit", "rest",
						      "part", "begin", "undo",   "lost",
						      "wait"};

	for (unsigned kind = 0; kind < CALL_KINDS; kind++)
		if (strlen(names[kind]) == length && !strncmp(names[kind], name, length))
			return kind;
	message_fatal(
		"INSTRUMENT_SLOW: KIND=NANOSECONDS,...; kinds are those of interpose.h");
}

static void read_slowness(const char *text)
{
	while (text && *text) {
		size_t length = strcspn(text, "=");
		const char *number = text + length + (text[length] == '=');
		char *end;

		slow_ns[kind_named(text, length)] = strtoull(number, &end, 10);
		if (end == number || (*end && *end != ','))
			message_fatal("INSTRUMENT_SLOW: KIND=NANOSECONDS,...");
		text = end + (*end == ',');
	}
}

static __attribute__((constructor)) void start(void)
{
	read_slowness(getenv("INSTRUMENT_SLOW"));
}

/* ---- calls ---- */

/* From the kernel, since malloc may be the engine's. */
static void *map_pages(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);

	if (p == MAP_FAILED)
		message_fatal("out of memory");
	return p;
}

static struct thread_log *begin_log(void)
{
	struct thread_log *l = map_pages(sizeof *l);

	l->head.tid = (uint64_t)syscall(SYS_gettid);
	l->first = l->last = map_pages(sizeof *l->first);
	l->next = logs;
	while (!atomic_compare_exchange_weak(&logs, &l->next, l))
		;
	return own = l;
}

static void record_call(const struct interposed_call *call, uint64_t end)
{
	struct thread_log *l = own ? own : begin_log();
	struct chunk *c = l->last;

	if (c->used == CHUNK_CALLS)
		c = l->last = c->next = map_pages(sizeof *c);
	c->calls[c->used++] =
		(struct timed_call){call->start, (end - call->start) << 4 | call->kind};
	l->head.calls++;
}

struct interposed_call interpose_begin(enum call_kind kind)
{
	struct interposed_call call = {.kind = kind, .outer = !depth++};

	if (!call.outer)
		return call;
	if (!own)
		begin_log();
	call.start = now_ns();
	if (slow_ns[kind])
		delay(call.start, slow_ns[kind]);
	return call;
}

void interpose_end(const struct interposed_call *call)
{
	depth--;
	if (call->outer)
		record_call(call, now_ns());
}

/* ---- what the C library is asked for ---- */

static bool in_main(void)
{
	return syscall(SYS_gettid) == getpid();
}

static uint64_t number_after(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

/* By system calls, as those of the C library are ours. */
static void read_file(const char *path, char *to, size_t size)
{
	int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	long n = fd < 0 ? 0 : syscall(SYS_read, fd, to, size - 1);

	to[n > 0 ? n : 0] = '\0';
	if (fd >= 0)
		syscall(SYS_close, fd);
}

/* $INSTRUMENT_DEVICE is such as /sys/block/loop0/stat (Documentation/block/stat.rst). */
static void read_device(struct kernel_counters *l)
{
	const char *path = getenv("INSTRUMENT_DEVICE");
	unsigned long long n[16] = {0};
	char text[512];
	int i = 0;

	if (!path)
		return;
	read_file(path, text, sizeof text);
	for (char *at = text; i < 16 && *at; i++)
		n[i] = strtoull(at, &at, 10);
	l->device_reads = n[0];
	l->device_read_bytes = n[2] * 512;
	l->device_writes = n[4];
	l->device_write_bytes = n[6] * 512;
	l->device_flushes = n[15];
}

static struct kernel_counters read_kernel_counters(void)
{
	struct kernel_counters l = {.written_bytes = counts.handed};
	char text[1024];

	read_file("/proc/self/io", text, sizeof text);
	l.rchar = number_after(text, "rchar: ");
	l.wchar = number_after(text, "wchar: ");
	l.read_bytes = number_after(text, "\nread_bytes: ");
	l.write_bytes = number_after(text, "\nwrite_bytes: ");
	read_device(&l);
	return l;
}

static struct sync_calls read_sync_calls(void)
{
	return (struct sync_calls){counts.fsyncs, counts.fdatasyncs, counts.msyncs,
				   counts.sync_file_ranges, counts.syncs};
}

/* The program reads its counters, those of syncs just before. */
static void record_reading(void)
{
	struct counter_reading *m = &marks[mark_count];

	if (mark_count == MARKS)
		return;
	*m = (struct counter_reading){.syncs = read_sync_calls(),
				      .ticks = now_ns(),
				      .begins_run = resets,
				      .process_ns = clock_of(CLOCK_PROCESS_CPUTIME_ID)};
	resets = false;
	m->before = m->after = read_kernel_counters();
	mark_count++;
}

EXPORTED int getrusage(__rusage_who_t who, struct rusage *to)
{
	NEXT(getrusage);
	if (who == RUSAGE_SELF && in_main())
		record_reading();
	return next(who, to);
}

/* What is read after a mark: as it is before, and after. */
EXPORTED int fclose(FILE *f)
{
	NEXT(fclose);
	int rc = next(f);

	if (mark_count && in_main() && !marks[mark_count - 1].waiting &&
	    now_ns() - marks[mark_count - 1].ticks < 50000000)
		marks[mark_count - 1].after = read_kernel_counters();
	return rc;
}

EXPORTED int poll(struct pollfd *fds, nfds_t n, int timeout)
{
	NEXT(poll);
	struct counter_reading *m = mark_count ? &marks[mark_count - 1] : NULL;
	struct interposed_call wait;
	int rc;

	if (!m || !in_main())
		return next(fds, n, timeout);
	wait = interpose_begin(CALL_WAIT);
	if (!m->waiting)
		m->waiting = wait.start;
	rc = next(fds, n, timeout);
	interpose_end(&wait);
	return rc;
}

#define COUNTED(name, counter, condition, parameters, ...) \
	EXPORTED int name parameters \
	{ \
		NEXT(name); \
		if (condition) \
			counts.counter++; \
		return next(__VA_ARGS__); \
	}

COUNTED(fsync, fsyncs, true, (int fd), fd)
COUNTED(fdatasync, fdatasyncs, true, (int fd), fd)
COUNTED(msync, msyncs, flags &MS_SYNC, (void *at, size_t size, int flags), at, size,
	flags)
COUNTED(sync_file_range, sync_file_ranges, true,
	(int fd, off64_t at, off64_t size, unsigned flags), fd, at, size, flags)
COUNTED(syncfs, syncs, true, (int fd), fd)

/* The program opens this to reset the peak of its memory when its figures begin. */
EXPORTED int open(const char *path, int flags, ...)
{
	NEXT(open);
	va_list arguments;
	mode_t mode = 0;

	if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE) {
		va_start(arguments, flags);
		mode = (mode_t)va_arg(arguments, unsigned);
		va_end(arguments);
	}
	resets |= !strcmp(path, "/proc/self/clear_refs") && in_main();
	return next(path, flags, mode);
}

/*
 * Writes by offset are what an engine that is none is made of; to the others they are the
 * file's.
 */
__attribute__((weak)) const bool interpose_system;

static ssize_t count_written(ssize_t n)
{
	if (n > 0)
		counts.handed += (uint64_t)n;
	return n;
}

#define WRITES(name, parameters, ...) \
	EXPORTED ssize_t name parameters \
	{ \
		NEXT(name); \
		return count_written(next(__VA_ARGS__)); \
	}

#define WRITES_AT(name, offset) \
	EXPORTED ssize_t name(int fd, const void *data, size_t size, offset at) \
	{ \
		NEXT(name); \
		struct interposed_call interposed_call; \
		if (!interpose_system || in_main()) \
			return count_written(next(fd, data, size, at)); \
		interposed_call = interpose_begin(CALL_WRITE); \
		ssize_t n = next(fd, data, size, at); \
		interpose_end(&interposed_call); \
		return count_written(n); \
	}

#define READS_AT(name, offset) \
	EXPORTED ssize_t name(int fd, void *data, size_t size, offset at) \
	{ \
		NEXT(name); \
		struct interposed_call interposed_call; \
		if (!interpose_system || in_main()) \
			return next(fd, data, size, at); \
		interposed_call = interpose_begin(CALL_READ); \
		ssize_t n = next(fd, data, size, at); \
		interpose_end(&interposed_call); \
		return n; \
	}

WRITES_AT(pwrite, off_t)
WRITES_AT(pwrite64, off64_t)
READS_AT(pread, off_t)
READS_AT(pread64, off64_t)
WRITES(write, (int fd, const void *data, size_t size), fd, data, size)
WRITES(writev, (int fd, const struct iovec *parts, int n), fd, parts, n)
WRITES(pwritev, (int fd, const struct iovec *parts, int n, off_t at), fd, parts, n, at)
WRITES(pwritev64, (int fd, const struct iovec *parts, int n, off64_t at), fd, parts, n,
       at)

/* ---- the end ---- */

static void conform_put(int fd, const void *data, size_t size)
{
	for (const char *at = data; size;) {
		long n = syscall(SYS_write, fd, at, size);

		if (n <= 0)
			message_fatal("INSTRUMENT: cannot be written");
		at += n;
		size -= (size_t)n;
	}
}

/* The process that measured nothing, as the one that waits for it, leaves no file. */
static __attribute__((destructor)) void finish(void)
{
	const char *path = getenv("INSTRUMENT");
	struct recording head = {.magic = RECORDING_MAGIC, .marks = mark_count};
	int fd;

	for (const struct thread_log *l = logs; l; l = l->next)
		head.threads++;
	if (!path || !head.threads || !mark_count)
		return;
	fd = (int)syscall(SYS_openat, AT_FDCWD, path,
			  O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0)
		message_fatal("INSTRUMENT: cannot be opened");
	conform_put(fd, &head, sizeof head);
	conform_put(fd, marks, mark_count * sizeof *marks);
	for (const struct thread_log *l = logs; l; l = l->next) {
		conform_put(fd, &l->head, sizeof l->head);
		for (const struct chunk *c = l->first; c; c = c->next)
			conform_put(fd, c->calls, c->used * sizeof *c->calls);
	}
	syscall(SYS_close, fd);
}
