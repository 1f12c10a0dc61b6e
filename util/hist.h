/*
 * hist.h: a log-linear histogram of nanoseconds.
 *
 * 128 equal buckets to each power of two, so a bucket is at most 1/128 of its value wide and a
 * value reported as its bucket's middle is off by less than 0.4 %; below 256 ns every nanosecond
 * has its own bucket. All 64-bit values fit, so recording never clamps and never allocates. One
 * writer per histogram; merge when the writers have stopped.
 */
#ifndef HIST_H
#define HIST_H

#include <stddef.h>
#include <stdint.h>

enum {
	HIST_BITS = 7, /* log2 of the buckets in a power of two */
	HIST_BUCKETS = (64 - HIST_BITS + 1) << HIST_BITS,
};

struct hist {
	uint64_t max, min_inverted; /* ~smallest, so that an all-zero histogram is an empty one */
	uint64_t sum;               /* wraps after 584 years of waiting */
	uint64_t count[HIST_BUCKETS];
};

static inline size_t hist_bucket(uint64_t value)
{
	unsigned shift = 63u - HIST_BITS - (unsigned)__builtin_clzll(value | ((2u << HIST_BITS) - 1));

	return ((size_t)shift << HIST_BITS) + (size_t)(value >> shift);
}

static inline void hist_record(struct hist *h, uint64_t value)
{
	h->count[hist_bucket(value)]++;
	h->sum += value;
	if (value > h->max)
		h->max = value;
	if (~value > h->min_inverted)
		h->min_inverted = ~value;
}

/* The smallest and largest value that fall into a bucket. */
uint64_t hist_lowest(size_t bucket);
uint64_t hist_highest(size_t bucket);

void hist_merge(struct hist *into, const struct hist *from);

/* What a histogram says. All in nanoseconds; everything 0 when nothing was recorded. */
struct hist_summary {
	uint64_t count;
	double min, mean, stddev, max;
};

struct hist_summary hist_summarize(const struct hist *h);

/*
 * The value at `parts` of a million: the recorded value that at most that share of the others lie
 * below, so that of 10^6 values with 100 slow ones, 999900 names a slow one. 500000 is the median.
 */
double hist_quantile(const struct hist *h, uint32_t parts);

#endif
