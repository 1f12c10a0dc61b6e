/* hist.c: reading a histogram; recording is in hist.h. */
#include "hist.h"

#include <math.h>

double hist_half = 0.5;

double hist_lowest(size_t bucket)
{
	uint64_t bits = (uint64_t)(bucket + HIST_BIAS) << (52 - HIST_BITS);
	double x;

	memcpy(&x, &bits, sizeof x);
	return bucket ? ceil(x) : 0;
}

double hist_highest(size_t bucket)
{
	return fmax(hist_lowest(bucket), hist_lowest(bucket + 1) - 1);
}

uint64_t hist_raise_max(struct hist *h, uint64_t value)
{
	if ((int64_t)value < 0)
		return 0;
	return h->max = value;
}

static double bucket_middle(const struct hist *h, size_t bucket)
{
	double middle = (hist_lowest(bucket) + hist_highest(bucket)) / 2;

	return fmax(fmin(middle, (double)h->max), (double)~h->below_min);
}

void hist_merge(struct hist *into, const struct hist *from)
{
	if (from->unit > 0)
		into->unit = from->unit;
	into->sum += from->sum;
	into->squares += from->squares;
	hist_widen(into, from->max, from->below_min);
	for (size_t i = 0; i < HIST_BUCKETS; i++)
		if (from->count[i])
			into->count[i] += from->count[i];
}

void hist_subtract(struct hist *h, const struct hist *before)
{
	double max = (double)h->max, min = (double)~h->below_min;

	h->sum -= before->sum;
	h->squares -= before->squares;
	h->max = h->below_min = 0;
	for (size_t i = 0; i < HIST_BUCKETS; i++) {
		h->count[i] -= before->count[i];
		if (h->count[i])
			hist_widen(h, (uint64_t)fmin(hist_highest(i), max),
				   ~(uint64_t)fmax(hist_lowest(i), min));
	}
}

static uint64_t sum_counts(const uint64_t *counts, size_t n)
{
	uint64_t sum = 0;

	while (n--)
		sum += *counts++;
	return sum;
}

uint64_t hist_count(const struct hist *h)
{
	return sum_counts(h->count, HIST_BUCKETS);
}

struct hist_summary hist_summarize(const struct hist *h)
{
	struct hist_summary s = {.count = hist_count(h)};
	double n = (double)s.count, mean, max, min, variance;

	if (!s.count)
		return s;
	mean = (double)h->sum / n;
	max = (double)h->max;
	min = (double)~h->below_min;
	/* squares of 0 were added as those of 0.5 */
	variance = (h->squares - 0.25 * (double)h->count[0]) / n - mean * mean;
	s.min = min * h->unit;
	s.mean = mean * h->unit;
	/* rounding moves it, but no deviation is above half of the range */
	s.stddev = fmin(sqrt(fmax(variance, 0)), (max - min) / 2) * h->unit;
	s.max = max * h->unit;
	return s;
}

size_t hist_find(const uint64_t *counts, size_t n, uint32_t ppm)
{
	uint64_t total = sum_counts(counts, n), cumulative = *counts;
	/* total * ppm / 10^6, rounded up, without overflow */
	uint64_t rank =
		total / 1000000 * ppm + (total % 1000000 * ppm + 999999) / 1000000;
	size_t i = 0;

	rank = rank ? rank : 1;
	while (total && cumulative < rank)
		cumulative += counts[++i];
	return i;
}

double hist_quantile(const struct hist *h, uint32_t ppm)
{
	size_t bucket = hist_find(h->count, HIST_BUCKETS, ppm);
	uint64_t count = hist_count(h);

	/* the last of all ranks is the maximum */
	if (ppm >= 1000000 || count <= 999999 / (1000000 - ppm))
		return (double)h->max * h->unit;
	return bucket_middle(h, bucket) * h->unit;
}
