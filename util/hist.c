/* hist.c: reading a histogram; recording is in hist.h. */
#include "hist.h"

#include <math.h>

uint64_t hist_lowest(size_t bucket)
{
	size_t shift = bucket >> HIST_BITS;

	if (shift <= 1)
		return bucket;
	shift--;
	return (uint64_t)(bucket - (shift << HIST_BITS)) << shift;
}

uint64_t hist_highest(size_t bucket)
{
	return bucket + 1 == HIST_BUCKETS ? UINT64_MAX : hist_lowest(bucket + 1) - 1;
}

static double middle(const struct hist *h, size_t bucket)
{
	double low = (double)hist_lowest(bucket), high = (double)hist_highest(bucket);
	double value = low + (high - low) / 2, min = (double)~h->min_inverted, max = (double)h->max;

	return value < min ? min : value > max ? max : value;
}

void hist_merge(struct hist *into, const struct hist *from)
{
	if (!from->min_inverted)
		return;
	/* Only the buckets in use: the rest of an idle thread's histogram stays untouched memory. */
	for (size_t i = hist_bucket(~from->min_inverted); i <= hist_bucket(from->max); i++)
		into->count[i] += from->count[i];
	into->sum += from->sum;
	if (from->max > into->max)
		into->max = from->max;
	if (from->min_inverted > into->min_inverted)
		into->min_inverted = from->min_inverted;
}

struct hist_summary hist_summarize(const struct hist *h)
{
	struct hist_summary s = {0};
	double squares = 0;

	if (!h->min_inverted)
		return s;
	for (size_t i = 0; i < HIST_BUCKETS; i++)
		s.count += h->count[i];
	s.min = (double)~h->min_inverted;
	s.max = (double)h->max;
	s.mean = (double)h->sum / (double)s.count;
	for (size_t i = 0; i < HIST_BUCKETS; i++) {
		if (h->count[i]) {
			double d = middle(h, i) - s.mean;

			squares += (double)h->count[i] * d * d;
		}
	}
	s.stddev = sqrt(squares / (double)s.count);
	return s;
}

double hist_quantile(const struct hist *h, uint32_t parts)
{
	uint64_t total = 0, below = 0, rank;

	for (size_t i = 0; i < HIST_BUCKETS; i++)
		total += h->count[i];
	if (!total)
		return 0;
	/* total * parts / 10^6 without overflow */
	rank = total / 1000000 * parts + total % 1000000 * parts / 1000000;
	if (rank >= total)
		rank = total - 1;
	for (size_t i = 0; i < HIST_BUCKETS; i++) {
		below += h->count[i];
		if (below > rank)
			return middle(h, i);
	}
	return (double)h->max;
}
