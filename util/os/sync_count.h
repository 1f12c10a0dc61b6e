/*
 * sync_count.h: how often this process syncs data to a device.
 *
 * The program itself defines fsync, fdatasync, msync, sync_file_range, sync, syncfs, and
 * open, close, write and their variants. Calls from an engine's shared library are
 * counted on their way to the kernel. The program must export these symbols
 * (-Wl,--export-dynamic-symbol or -rdynamic).
 */
#ifndef UTIL_OS_SYNC_COUNT_H
#define UTIL_OS_SYNC_COUNT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "clock.h"

struct sync_counts {
	uint64_t fsyncs, fdatasyncs;
	uint64_t msyncs; /* MS_SYNC only: MS_ASYNC syncs nothing on Linux */
	uint64_t sync_file_ranges;
	uint64_t fs_syncs;     /* sync and syncfs */
	uint64_t dsync_writes; /* writes to a file opened with O_DSYNC or O_SYNC */
};

/*
 * Whether all calls are counted. On macOS none is: there the calls of a library are bound
 * to the C library's functions, whatever the program defines.
 */
bool sync_count_is_complete(void);

/* From now on not all are: a library makes some by system calls of its own. */
void sync_count_miss_some(void);

/* Counts since the process began. */
struct sync_counts sync_count_read(void);

/* The sum of all kinds. */
uint64_t sync_count_total(const struct sync_counts *c);

/*
 * The latest syncs of one thread, in ticks. Other threads may read them meanwhile: a span
 * that is overwritten then may be half of another.
 */
enum { SYNC_COUNT_SPANS = 1024 };
struct sync_count_spans {
	const struct clock *clock;
	_Atomic uint64_t count; /* that have begun */
	struct sync_count_span {
		_Atomic uint64_t begin, end; /* end 0: it has not ended */
	} span[SYNC_COUNT_SPANS];
};

/* Note the syncs of the calling thread from now on; NULL: no longer. */
void sync_count_note_spans(struct sync_count_spans *spans);

/* Ticks between `begin` and `end` in which the thread was in a sync. */
uint64_t sync_count_ticks(struct sync_count_spans *spans, uint64_t begin, uint64_t end);

#endif
