/*
 * flush.h: how often this process flushes data to a device.
 *
 * The program defines fsync, fdatasync, msync, sync_file_range, sync, syncfs, and open,
 * close and write with their kin itself, so the calls an engine's shared library makes
 * are counted on their way to the kernel. It must be linked with these symbols exported
 * (-Wl,--export-dynamic-symbol or -rdynamic).
 */
#ifndef FLUSH_H
#define FLUSH_H

#include <stdint.h>

struct flush_counts {
	uint64_t fsyncs, fdatasyncs;
	uint64_t msyncs; /* MS_SYNC only: MS_ASYNC flushes nothing on Linux */
	uint64_t sync_file_ranges;
	uint64_t syncs; /* sync and syncfs */
	uint64_t dsync_writes; /* writes to a file opened with O_DSYNC or O_SYNC */
};

/* Since the process began. */
struct flush_counts flush_read(void);

/* All kinds together. */
uint64_t flush_total(const struct flush_counts *c);

#endif
