/*
 * census.h: how many different keys a stream of them had, in constant memory.
 *
 * Keys are sampled by a hash: all at first, then half as many each time the table of
 * those seen is full (Wegman's adaptive sampling; Flajolet, "On adaptive sampling",
 * Computing 43, 1990). Whether a key is in the sample depends on the key alone, so
 * censuses of several threads can be merged. A key outside the sample costs four to seven
 * instructions where there is SSE2: the more come at a time, the fewer. The standard
 * error is 1.2 / sqrt(CENSUS_MOST), 0.6 %; below CENSUS_MOST keys the count is exact.
 * Keys alike in their low 32 bits are in the sample together or not at all: few of those
 * do no harm; of many, only that they are CENSUS_MOST or more can be relied on.
 */
#ifndef CENSUS_H
#define CENSUS_H

#include <stdbool.h>
#include <stdint.h>

enum { CENSUS_SLOTS = 65536, CENSUS_MOST = 49152 };

struct census {
	uint32_t kept;     /* keys in the table: at most CENSUS_MOST */
	unsigned halvings; /* of the sample */
	bool own;          /* the table is its own */
	uint64_t *table;   /* CENSUS_SLOTS of key + 1; 0: empty */
};

/*
 * With a table of CENSUS_SLOTS zeros that is the caller's, or, if that is NULL, its own;
 * false if there is no memory.
 */
bool census_start(struct census *c, uint64_t *table);
void census_end(struct census *c);

/* Forget everything. */
void census_clear(struct census *c);

/* UINT64_MAX is no key: it is not counted. */
void census_add(struct census *c, const uint64_t *keys, unsigned n);
void census_merge(struct census *into, const struct census *from);

/* How many different keys there were, estimated. */
double census_distinct(const struct census *c);

#endif
