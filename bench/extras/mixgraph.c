/* mixgraph.c: see mixgraph.h. */
#include "mixgraph.h"

#include <math.h>
#include <stdio.h>

#define FAIL_SIZE MIXGRAPH_ERROR_SIZE
#include "../../util/fail.h"

const char *const mixgraph_variants[] = {"prefix_dist", "prefix_random", "all_dist",
					 "all_random", NULL};

/* ---- choosing the range ---- */

/* Probability of drawing range i = 1 ..., before normalisation. */
static double range_weight(const struct mixgraph *m, double i)
{
	double weight =
		m->range_a * exp(m->range_b * i) + m->range_c * exp(m->range_d * i);

	return weight > 1e-16 ? weight : 0;
}

/*
 * db_bench's unit of weights: the probability of the last range that is ever drawn. Other
 * weights are rounded down to multiples of it.
 */
static double range_unit(const struct mixgraph *m)
{
	for (uint64_t i = m->ranges; i; i--)
		if (range_weight(m, (double)i) > 0)
			return 1 / (floor(1 / range_weight(m, (double)i)) + 1);
	return 1;
}

/* The order of ranges in the key range depends on their number only. */
static void shuffle_ranges(struct mixgraph *m)
{
	struct random random = random_seed(30, "mixgraph ranges");

	for (uint64_t i = m->ranges; i-- > 1;) {
		uint64_t j = random_below(&random, i + 1);
		double swap = m->range_edges[i];

		m->range_edges[i] = m->range_edges[j];
		m->range_edges[j] = swap;
	}
}

static bool uses_ranges(const struct mixgraph *m)
{
	return (m->keys == MIXGRAPH_PREFIX_DIST || m->keys == MIXGRAPH_PREFIX_RANDOM) &&
	       (m->range_a != 0 || m->range_b != 0 || m->range_c != 0 || m->range_d != 0);
}

static bool uses_popularity(const struct mixgraph *m)
{
	return (m->keys == MIXGRAPH_PREFIX_DIST || m->keys == MIXGRAPH_ALL_DIST) &&
	       m->key_a != 0 && m->key_b != 0;
}

static bool prepare_ranges(struct mixgraph *m, char *error)
{
	double unit = range_unit(m), sum = 0;

	for (uint64_t i = 0; i < m->ranges; i++) {
		double weight = range_weight(m, (double)(i + 1));

		m->range_edges[i] = m->db_bench ? floor(weight / unit) : weight;
	}
	shuffle_ranges(m);
	for (uint64_t i = 0; i < m->ranges; i++)
		m->range_edges[i] = sum += m->range_edges[i];
	if (!(sum > 0) || !isfinite(sum))
		return fail(error, "--keyrange_dist_a to _d: no key range has a positive "
				   "weight");
	for (uint64_t i = 0; i < m->ranges && !m->db_bench; i++)
		m->range_edges[i] /= sum;
	return true;
}

/* The range that contains x, below the last edge. */
static uint64_t find_range(const struct mixgraph *m, double x)
{
	uint64_t low = 0, high = m->ranges - 1;

	while (low < high) {
		uint64_t middle = (low + high) / 2;

		if (x < m->range_edges[middle])
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* ---- choosing the operation ---- */

/* Operations of 1000 that db_bench assigns to a fraction, rounded up. */
static uint64_t to_thousandths(double fraction)
{
	return (uint64_t)ceil(1000 * fraction);
}

static bool prepare_operations(struct mixgraph *m, char *error)
{
	double sum = m->get + m->put + m->seek;

	if (!(sum > 0))
		return fail(error, "--mix_get_ratio, _put_ratio, _seek_ratio: all are 0; "
				   "give one above 0");
	if (m->db_bench) {
		m->get_threshold = to_thousandths(m->get / sum);
		m->put_threshold = m->get_threshold + to_thousandths(m->put / sum);
		m->operations = m->put_threshold + to_thousandths(m->seek / sum);
		return true;
	}
	m->get_threshold = (uint64_t)(m->get / sum * 0x1p63);
	m->put_threshold = (uint64_t)((m->get + m->put) / sum * 0x1p63);
	return true;
}

/* By a 64-bit number; bug-compatible: by the number that the key was drawn from. */
static enum mixgraph_operation choose_operation(const struct mixgraph *m, uint64_t r)
{
	r = m->db_bench ? r % m->operations : r >> 1;
	return r < m->get_threshold   ? MIXGRAPH_GET
	       : r < m->put_threshold ? MIXGRAPH_PUT
				      : MIXGRAPH_SEEK;
}

bool mixgraph_prepare(struct mixgraph *m, char *error)
{
	m->value.min = 10;
	m->value.max = m->value.modulus = m->max_value;
	m->scan.min = 0;
	m->scan.modulus = m->max_scan;
	m->scan.max = m->max_scan - 1;
	if (uses_ranges(m) && !prepare_ranges(m, error))
		return false;
	return prepare_operations(m, error);
}

/* ---- choosing the key ---- */

/* Position among n keys of the key with the popularity that u draws. */
static uint64_t popular_key(const struct mixgraph *m, uint64_t n, double u)
{
	double s = ceil(pow(u / m->key_a, 1 / m->key_b));

	return random_mix(s < 0x1p63 ? (uint64_t)s : UINT64_C(1) << 63) % n;
}

/* In (0, 1). */
static double draw_open_unit(struct random *random)
{
	return ((double)(random_next(random) >> 11) + 0.5) * 0x1p-53;
}

/* Bug-compatible: the key of r, one of n. */
static uint64_t artefact_key(const struct mixgraph *m, uint64_t n, uint64_t r)
{
	uint64_t size = n / m->ranges ? n / m->ranges : 1, first;

	/* db_bench ignores ranges, too, if keys are not drawn by popularity. */
	if (!uses_popularity(m))
		return r;
	if (!uses_ranges(m))
		return popular_key(m, n, (double)r / (double)n);
	first = size * find_range(m, fmod((double)r, m->range_edges[m->ranges - 1]));
	return (first + popular_key(m, size, (double)(r % size) / (double)size)) % n;
}

void mixgraph_draw_keys(const struct mixgraph *m, uint64_t n, struct random *random,
			uint64_t *ids, unsigned count)
{
	const bool range = uses_ranges(m), by_popularity = uses_popularity(m);
	const uint64_t size = !range ? n : n / m->ranges ? n / m->ranges : 1;

	for (unsigned i = 0; i < count; i++) {
		uint64_t first;

		if (m->db_bench) {
			ids[i] = artefact_key(m, n, random_below(random, n));
			continue;
		}
		first = range ? find_range(m, draw_open_unit(random)) * size : 0;
		ids[i] = first + (by_popularity
					  ? popular_key(m, size, draw_open_unit(random))
					  : random_below(random, size));
		/* there are fewer keys than ranges */
		ids[i] %= n;
	}
}

void mixgraph_draw_operations(const struct mixgraph *m, uint64_t n, struct random *keys,
			      struct random *others, uint64_t *ids,
			      unsigned char *operations, uint64_t *r, unsigned count)
{
	if (!m->db_bench)
		mixgraph_draw_keys(m, n, keys, ids, count);
	for (unsigned i = 0; i < count; i++) {
		r[i] = m->db_bench ? random_below(keys, n) : random_next(others);
		if (m->db_bench)
			ids[i] = artefact_key(m, n, r[i]);
		operations[i] = (unsigned char)choose_operation(m, r[i]);
	}
}
