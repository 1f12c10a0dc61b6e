/*
 * hist.h: a log-linear histogram of integers below 2^62.
 *
 * A value's bucket is the exponent and the first seven fraction bits of value + 1 as a
 * double. A bucket is at most 1/128 of its value wide, so a bucket's middle is off by
 * less than 0.4 %. Below 256 every value has its own bucket. Recording never clamps and
 * never allocates. Threads record clock ticks; `unit` converts them to nanoseconds once,
 * when the histogram is read. Each histogram has one writer; merge after the writers have
 * stopped.
 */
#ifndef UTIL_HIST_H
#define UTIL_HIST_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
	/* fraction bits kept: 128 buckets for each power of two */
	HIST_BITS = 7,
	HIST_BIAS = 1023 << HIST_BITS, /* the bucket of 1.0 before this is subtracted */
	HIST_BUCKETS = 64 << HIST_BITS,
};

struct hist {
	double unit; /* nanoseconds per recorded unit */
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

/*
 * For a value above the maximum, which it then is. A negative difference of two clocks is
 * above any, as it wraps around, and becomes 0. Returns the value.
 */
__attribute__((cold, noinline)) uint64_t hist_raise_max(struct hist *h, uint64_t value);

/* Records a value without its sum; returns what was recorded, which is never negative. */
static inline uint64_t hist_add_to_bucket(struct hist *h, uint64_t value)
{
	if (value > h->max)
		value = hist_raise_max(h, value);
	h->count[hist_bucket(value)]++;
	return value;
}

static inline void hist_record(struct hist *h, uint64_t value)
{
	h->sum += hist_add_to_bucket(h, value);
}

/* The smallest and largest integer of a bucket; approximate above 2^53. */
double hist_lowest(size_t bucket);
double hist_highest(size_t bucket);

/* `into` may be all zero: it then takes the unit of `from`. */
void hist_merge(struct hist *into, const struct hist *from);

/*
 * Subtracts `before`, an earlier state of the same histogram; the maximum is then known
 * to its bucket.
 */
void hist_subtract(struct hist *h, const struct hist *before);

uint64_t hist_count(const struct hist *h);

/* Summary of a histogram, nanoseconds; all 0 if nothing was recorded. */
struct hist_summary {
	uint64_t count;
	/*
	 * Mean and max are exact to rounding. Min is the lowest value of its bucket, less
	 * than 0.8 % below. Stddev is that of buckets' middles, off by less than 0.4 % of
	 * the root of the mean square. Both are exact for one value.
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
