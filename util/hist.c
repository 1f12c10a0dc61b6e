/* hist.c: reading a histogram; recording is in hist.h. */
#include "hist.h"

#include <math.h>

double hist_lowest(size_t bucket)
{
	uint64_t bits = (uint64_t)(bucket + HIST_BIAS) << (52 - HIST_BITS);
	double x;

	memcpy(&x, &bits, sizeof x);
	return ceil(x) - 1;
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
	return fmin((hist_lowest(bucket) + hist_highest(bucket)) / 2, (double)h->max);
}

void hist_merge(struct hist *into, const struct hist *from)
{
	if (from->unit > 0)
		into->unit = from->unit;
	into->sum += from->sum;
	into->max = from->max > into->max ? from->max : into->max;
	for (size_t i = 0; i < HIST_BUCKETS; i++)
		if (from->count[i])
			into->count[i] += from->count[i];
}

void hist_subtract(struct hist *h, const struct hist *before)
{
	uint64_t max = h->max;

	h->sum -= before->sum;
	h->max = 0;
	for (size_t i = 0; i < HIST_BUCKETS; i++) {
		h->count[i] -= before->count[i];
		if (h->count[i])
			h->max = (uint64_t)fmin(hist_highest(i), (double)max);
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
	double mean, sum = 0, squares = 0;
	size_t first = 0;

	if (!s.count)
		return s;
	while (!h->count[first])
		first++;
	mean = (double)h->sum / (double)s.count;
	/* about the middles' own mean: of equal values they are equal */
	for (size_t i = first; i < HIST_BUCKETS; i++) {
		double d = bucket_middle(h, i) - mean;

		sum += (double)h->count[i] * d;
		squares += (double)h->count[i] * d * d;
	}
	squares = fmax(squares - sum * sum / (double)s.count, 0);
	s.min = (s.count == 1 ? (double)h->max : hist_lowest(first)) * h->unit;
	s.mean = mean * h->unit;
	s.stddev = sqrt(squares / (double)s.count) * h->unit;
	s.max = (double)h->max * h->unit;
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
