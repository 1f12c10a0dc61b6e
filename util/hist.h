/*
 * hist.h: a log-linear histogram of integers below 2^62.
 *
 * A value's bucket is the exponent and the first seven fraction bits of the value as a
 * double; 0 is 0.5 there. A bucket is at most 1/128 of its value wide, so a bucket's middle
 * is off by less than 0.4 %. Below 256 every value has its own bucket. Recording never
 * allocates. Threads record clock ticks; `unit` converts them to nanoseconds once, when the
 * histogram is read. Each histogram has one writer; merge after the writers have stopped.
 */
#ifndef UTIL_HIST_H
#define UTIL_HIST_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
	/* fraction bits kept: 128 buckets for each power of two */
	HIST_BITS = 7,
	HIST_BIAS = 1022 << HIST_BITS, /* the bucket of 0.5 before this is subtracted */
	HIST_BUCKETS = 65 << HIST_BITS,
};

struct hist {
	double unit; /* nanoseconds per recorded unit */
	/* of what was recorded; `below_min` is UINT64_MAX less the minimum */
	uint64_t max, below_min, sum;
	double squares; /* the sum of squares */
	uint64_t count[HIST_BUCKETS];
};

/* 0.5; compilers that know it make two branches of what is one instruction. */
extern double hist_half;

/* A value as a double that has a bucket: 0 or less is 0.5. */
static inline double hist_double(uint64_t value)
{
	double x = (double)(int64_t)value;

	return x > hist_half ? x : hist_half;
}

static inline size_t hist_bucket(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof bits);
	return (size_t)(bits >> (52 - HIST_BITS)) - HIST_BIAS;
}

/*
 * Minimum, maximum and squares of values that are recorded one after another, in
 * registers: a thread's calls of one kind. Exact below 2^53.
 */
struct hist_batch {
	double min, max, squares;
};

#define HIST_NO_BATCH {INFINITY, 0, 0}

/* Adds a value to its bucket and to the batch; its sum is the caller's. */
static inline void hist_add_to_bucket(struct hist *h, struct hist_batch *b,
				      uint64_t value)
{
	double x = hist_double(value);

	b->min = b->min < x ? b->min : x;
	b->max = b->max > x ? b->max : x;
	h->count[hist_bucket(x)]++;
	b->squares += x * x;
}

/* Makes the range of what was recorded include that of others. */
static inline void hist_widen(struct hist *h, uint64_t max, uint64_t below_min)
{
	if (max > h->max)
		h->max = max;
	if (below_min > h->below_min)
		h->below_min = below_min;
}

/* Ends a batch of at least one value, which are in their buckets. */
static inline void hist_end_batch(struct hist *h, const struct hist_batch *b)
{
	hist_widen(h, (uint64_t)(int64_t)b->max, ~(uint64_t)(int64_t)b->min);
	h->squares += b->squares;
}

/* For a value above the maximum, which it then is, or 0 if it is negative; returns that. */
__attribute__((cold, noinline)) uint64_t hist_raise_max(struct hist *h, uint64_t value);

/* Records one value. A negative difference of two clocks, which wraps around, is 0. */
static inline void hist_record(struct hist *h, uint64_t value)
{
	double x = hist_double(value);

	if (value > h->max)
		value = hist_raise_max(h, value);
	if (~value > h->below_min)
		h->below_min = ~value;
	h->sum += value;
	h->squares += x * x;
	h->count[hist_bucket(x)]++;
}

/* The smallest and largest integer of a bucket; approximate above 2^53. */
double hist_lowest(size_t bucket);
double hist_highest(size_t bucket);

/* `into` may be all zero: it then takes the unit of `from`. */
void hist_merge(struct hist *into, const struct hist *from);

/*
 * Subtracts `before`, an earlier state of the same histogram; the minimum and maximum are
 * then known to their buckets.
 */
void hist_subtract(struct hist *h, const struct hist *before);

uint64_t hist_count(const struct hist *h);

/* Summary of a histogram, nanoseconds; all 0 if nothing was recorded. */
struct hist_summary {
	uint64_t count;
	/*
	 * Exact to rounding, which moves stddev by less than 10^-5 of the root of the
	 * mean square.
	 */
	double min, mean, stddev, max;
};

struct hist_summary hist_summarize(const struct hist *h);

/*
 * Index of the quantile at `ppm` millionths, in n counts of ascending values; 0 if all
 * are 0. By nearest rank, as in HdrHistogram: the first rank, from 1, that at least this
 * fraction of values does not exceed. Of 10 values the median is the 5th; of 1000 the
 * 99.9th percentile is the 999th.
 */
size_t hist_find(const uint64_t *counts, size_t n, uint32_t ppm);

/* The value of that quantile, nanoseconds; 500000 is the median. */
double hist_quantile(const struct hist *h, uint32_t ppm);

#endif
