/*
 * read_tally.h: counts and digest of what a thread has read, and how much of a value it
 * reads.
 */
#ifndef BENCH_WORKLOAD_READ_TALLY_H
#define BENCH_WORKLOAD_READ_TALLY_H

#include <stdint.h>

#include "../../engines/engine.h"
#include "../../util/record.h"

enum touch { TOUCH_ALL, TOUCH_FIRST, TOUCH_NONE, TOUCHES };

/* A conflict restores it to the transaction's start. */
struct read_tally {
	uint64_t bytes, missing, missing_scans, lost;
	record_lanes digest;
};

/* Read the bytes of a value, as much as `touch` says. */
static inline __attribute__((always_inline)) void read_tally_add(struct read_tally *tally,
								 struct slice bytes,
								 enum touch touch)
{
	tally->bytes += bytes.size;
	if (touch == TOUCH_ALL)
		tally->digest += record_fold(bytes.data, bytes.size);
	else if (touch == TOUCH_FIRST && bytes.size)
		tally->digest[0] += *(const unsigned char *)bytes.data;
}

#endif
