/*
 * stay.h: what became of the long reader (--long_reader), which reader.c is.
 */
#ifndef STAY_H
#define STAY_H

#include <stdbool.h>
#include <stdint.h>

#include "../util/record.h"

enum { STAY_LOOKED_AT = 16 }; /* records that are read in a snapshot, in turn */

/* What happened in some stretches of time, all together. */
struct stay_span {
	double seconds, ops;     /* operations of the threads asked for */
	double disk, anonymous; /* bytes and KiB that the files and the process grew by */
};

struct stay {
	unsigned snapshots;      /* that were held to their end */
	unsigned taken_back;     /* that the engine gave up before their time */
	uint64_t changed;        /* reads that answered otherwise than the first time */
	struct stay_span held, paused;

	/* how many records it looks at, and what each was when the snapshot was new */
	unsigned n;
	record_lanes fold[STAY_LOOKED_AT];
	bool there[STAY_LOOKED_AT];
};

#endif
