/*
 * distinct_count.h: the number of distinct keys in a stream, in constant memory.
 *
 * Keys are sampled by a hash: all at first, then half as many each time the table is full
 * (Wegman's adaptive sampling; Flajolet, "On adaptive sampling", Computing 43, 1990).
 * Sampling depends on the key alone, so the counts of several threads can be merged. A
 * key outside the sample costs four to seven instructions with SSE2, fewer if many keys
 * come at a time. The standard error is 1.2 / sqrt(DISTINCT_COUNT_MAX), 0.6 %; below
 * DISTINCT_COUNT_MAX keys the count is exact. Keys with the same low 32 bits are sampled
 * together or not at all. A few of them do no harm. With many, the count is only a lower
 * bound of DISTINCT_COUNT_MAX.
 */
#ifndef UTIL_DISTINCT_COUNT_H
#define UTIL_DISTINCT_COUNT_H

#include <stdbool.h>
#include <stdint.h>

enum { DISTINCT_COUNT_SLOTS = 65536, DISTINCT_COUNT_MAX = 49152 };

struct distinct_count {
	uint32_t sampled;  /* keys in the table: at most DISTINCT_COUNT_MAX */
	unsigned halvings; /* of the sample */
	bool owns_table;   /* the table was allocated here */
	uint64_t *table;   /* DISTINCT_COUNT_SLOTS entries of key + 1; 0: empty */
};

/*
 * `table`: DISTINCT_COUNT_SLOTS zeros owned by the caller; NULL: allocate one. Returns
 * false if there is no memory.
 */
bool distinct_count_init(struct distinct_count *c, uint64_t *table);
void distinct_count_free(struct distinct_count *c);

/* Removes all keys. */
void distinct_count_clear(struct distinct_count *c);

/* UINT64_MAX is not a key and is not counted. */
void distinct_count_add(struct distinct_count *c, const uint64_t *keys, unsigned n);
void distinct_count_merge(struct distinct_count *into, const struct distinct_count *from);

/* Estimated number of distinct keys. */
double distinct_count_estimate(const struct distinct_count *c);

#endif
