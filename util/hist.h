/*
 * hist.h: a log-linear histogram of whole numbers from 0 to 2^63.
 *
 * A value's bucket is the exponent and the first seven fraction bits of value + 1 as a
 * double, so a bucket is at most 1/128 of its value wide and a value reported as its
 * bucket's middle is off by less than 0.4 %; below 256 every value has its own bucket.
 * Recording never clamps and never allocates.
 * Threads time in clock ticks and record those; `unit` turns them into nanoseconds once,
 * when the histogram is read. One writer per histogram; merge when the writers have
 * stopped.
 */
#ifndef HIST_H
#define HIST_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
	/* fraction bits kept: 128 buckets to a power of two */
	HIST_BITS = 7,
	HIST_BIAS = 1023 << HIST_BITS,   /* the bucket of 1.0, were it not subtracted */
	HIST_BUCKETS = 64 << HIST_BITS,
};

struct hist {
	double unit; /* nanoseconds in 1 */
	uint64_t max, sum;
	uint64_t count[HIST_BUCKETS];
};

static inline size_t hist_bucket(uint64_t value)
{
	double x = (double)(int64_t)(value + 1);
	uint64_t bits;

	memcpy(&bits, &x, sizeof bits);
	return (size_t)(bits >> (52 - HIST_BITS)) - HIST_BIAS;
}

/* The caller adds to the sum. */
static inline void hist_enter(struct hist *h, uint64_t value)
{
	h->count[hist_bucket(value)]++;
	if (value > h->max)
		h->max = value;
}

static inline void hist_record(struct hist *h, uint64_t value)
{
	hist_enter(h, value);
	h->sum += value;
}

/* The smallest and largest whole number that fall into a bucket; above 2^53 nearly. */
double hist_lowest(size_t bucket);
double hist_highest(size_t bucket);

/* `into` may be all zero: it takes the unit of what is merged into it. */
void hist_merge(struct hist *into, const struct hist *from);

/*
 * Leave what was recorded since `before`, an earlier state of the same histogram; the
 * longest is known to its bucket.
 */
void hist_since(struct hist *h, const struct hist *before);

uint64_t hist_count(const struct hist *h);

/* What a histogram says, in nanoseconds; everything 0 when nothing was recorded. */
struct hist_summary {
	uint64_t count;
	/* min to the bucket, the others exact to rounding */
	double min, mean, stddev, max;
};

struct hist_summary hist_summarize(const struct hist *h);

/*
 * The value at `parts` of a million, in nanoseconds: the recorded value that at most that
 * share of the others lie below, so that of 10^6 values with 100 slow ones 999900 names a
 * slow one. 500000 is the median.
 */
double hist_quantile(const struct hist *h, uint32_t parts);

#endif
