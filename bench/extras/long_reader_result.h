/*
 * long_reader_result.h: the results of the long reader (--long_reader), which is
 * long_reader.c.
 */
#ifndef BENCH_EXTRAS_LONG_READER_RESULT_H
#define BENCH_EXTRAS_LONG_READER_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "../../util/record.h"

enum { LONG_READER_RECORDS = 16 }; /* read in each snapshot, in rotation */

/* Totals over spans of time. */
struct long_reader_span {
	double seconds, ops; /* operations of the foreground threads */
	double disk_bytes;   /* growth of the files */
	double anonymous_kb; /* growth of the process's memory */
};

struct long_reader {
	unsigned snapshots; /* that were held to their end */
	unsigned revoked;   /* that the engine revoked early */
	/* reads that returned something else than the first time */
	uint64_t changed_reads;
	struct long_reader_span held, between;

	/* how many records it reads, and their contents when the snapshot was new */
	unsigned records;
	record_lanes digests[LONG_READER_RECORDS];
	bool found[LONG_READER_RECORDS];
};

#endif
