/* mixgraph.c: see mixgraph.h. */
#include "mixgraph.h"

#include <math.h>
#include <stdio.h>

#define FAIL_SIZE MIXGRAPH_ERROR
#include "fail.h"

const char *const mixgraph_variants[] = {"prefix_dist", "prefix_random", "all_dist",
					 "all_random", NULL};

uint64_t mixgraph_size(const struct mixgraph_law *law, double u)
{
	double x = law->k == 0 ? law->theta - law->sigma * log(u)
			       : law->theta + law->sigma * (pow(u, -law->k) - 1) / law->k;

	x = ceil(x);
	if (x < (double)law->least || !isfinite(x))
		return law->least;
	/* exact, however far out: what a double of that size is by whole numbers */
	return (uint64_t)(x > (double)law->most ? fmod(x, (double)law->modulus) : x);
}

double mixgraph_mean(const struct mixgraph_law *law)
{
	enum { QUANTILES = 1 << 17 };
	double sum = 0;

	for (int i = 0; i < QUANTILES; i++)
		sum += (double)mixgraph_size(law, (i + 0.5) / QUANTILES);
	return sum / QUANTILES;
}

/* ---- which range ---- */

/* How often range i = 1 ... is drawn, before they are normalised. */
static double range_weight(const struct mixgraph *m, double i)
{
	double weight =
		m->range_a * exp(m->range_b * i) + m->range_c * exp(m->range_d * i);

	return weight > 1e-16 ? weight : 0;
}

/*
 * What db_bench counts a weight in: the last range that is drawn at all is one of them,
 * and the rest are cut to whole numbers.
 */
static double range_unit(const struct mixgraph *m)
{
	for (uint64_t i = m->ranges; i; i--)
		if (range_weight(m, (double)i) > 0)
			return 1 / (floor(1 / range_weight(m, (double)i)) + 1);
	return 1;
}

/* The ranges lie in the key space in an order that depends on their number only. */
static void place_ranges(struct mixgraph *m)
{
	struct random random = random_seed(30, "mixgraph ranges");

	for (uint64_t i = m->ranges; i-- > 1;) {
		uint64_t j = random_below(&random, i + 1);
		double swap = m->edge[i];

		m->edge[i] = m->edge[j];
		m->edge[j] = swap;
	}
}

static bool by_range(const struct mixgraph *m)
{
	return (m->keys == MIXGRAPH_PREFIX_DIST || m->keys == MIXGRAPH_PREFIX_RANDOM) &&
	       (m->range_a != 0 || m->range_b != 0 || m->range_c != 0 || m->range_d != 0);
}

static bool by_heat(const struct mixgraph *m)
{
	return (m->keys == MIXGRAPH_PREFIX_DIST || m->keys == MIXGRAPH_ALL_DIST) &&
	       m->key_a != 0 && m->key_b != 0;
}

static bool prepare_ranges(struct mixgraph *m, char *error)
{
	double unit = range_unit(m), sum = 0;

	for (uint64_t i = 0; i < m->ranges; i++) {
		double weight = range_weight(m, (double)(i + 1));

		m->edge[i] = m->db_bench ? floor(weight / unit) : weight;
	}
	place_ranges(m);
	for (uint64_t i = 0; i < m->ranges; i++)
		m->edge[i] = sum += m->edge[i];
	if (!(sum > 0) || !isfinite(sum))
		return fail(error, "--keyrange_dist_a to _d: by these no range is drawn");
	for (uint64_t i = 0; i < m->ranges && !m->db_bench; i++)
		m->edge[i] /= sum;
	return true;
}

/* The range that x falls into, x below the last edge. */
static uint64_t range_at(const struct mixgraph *m, double x)
{
	uint64_t low = 0, high = m->ranges - 1;

	while (low < high) {
		uint64_t middle = (low + high) / 2;

		if (x < m->edge[middle])
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* ---- what is done ---- */

/* Operations of 1000 that db_bench gives a share, rounded up. */
static uint64_t thousandths(double share)
{
	return (uint64_t)ceil(1000 * share);
}

static bool prepare_operations(struct mixgraph *m, char *error)
{
	double sum = m->get + m->put + m->seek;

	if (!(sum > 0))
		return fail(error, "--mix_get_ratio, _put_ratio, _seek_ratio: all are 0");
	if (m->db_bench) {
		m->get_below = thousandths(m->get / sum);
		m->put_below = m->get_below + thousandths(m->put / sum);
		m->operations = m->put_below + thousandths(m->seek / sum);
		return true;
	}
	m->get_below = (uint64_t)(m->get / sum * 0x1p63);
	m->put_below = (uint64_t)((m->get + m->put) / sum * 0x1p63);
	return true;
}

/* By a number of 64 bits, or as an artefact by that of the draw. */
static enum mixgraph_what operation(const struct mixgraph *m, uint64_t r)
{
	r = m->db_bench ? r % m->operations : r >> 1;
	return r < m->get_below	  ? MIXGRAPH_GET
	       : r < m->put_below ? MIXGRAPH_PUT
				  : MIXGRAPH_SEEK;
}

bool mixgraph_prepare(struct mixgraph *m, char *error)
{
	m->value.least = 10;
	m->value.most = m->value.modulus = m->max_value;
	m->scan.least = 0;
	m->scan.modulus = m->max_scan;
	m->scan.most = m->max_scan - 1;
	if (by_range(m) && !prepare_ranges(m, error))
		return false;
	return prepare_operations(m, error);
}

/* ---- which key ---- */

/* Where the key of the popularity that u draws lies among n. */
static uint64_t hot_key(const struct mixgraph *m, uint64_t n, double u)
{
	double s = ceil(pow(u / m->key_a, 1 / m->key_b));

	return random_mix(s < 0x1p63 ? (uint64_t)s : UINT64_C(1) << 63) % n;
}

/* In (0, 1). */
static double unit(struct random *random)
{
	return ((double)(random_next(random) >> 11) + 0.5) * 0x1p-53;
}

/* As an artefact: the key of r, one of n. */
static uint64_t key_of(const struct mixgraph *m, uint64_t n, uint64_t r)
{
	uint64_t size = n / m->ranges ? n / m->ranges : 1, first;

	/* Where keys are not drawn by their heat db_bench forgets the ranges, too. */
	if (!by_heat(m))
		return r;
	if (!by_range(m))
		return hot_key(m, n, (double)r / (double)n);
	first = size * range_at(m, fmod((double)r, m->edge[m->ranges - 1]));
	return (first + hot_key(m, size, (double)(r % size) / (double)size)) % n;
}

void mixgraph_draw(const struct mixgraph *m, uint64_t n, struct random *random,
		   uint64_t *ids, unsigned count)
{
	const bool range = by_range(m), heat = by_heat(m);
	const uint64_t size = !range ? n : n / m->ranges ? n / m->ranges : 1;

	for (unsigned i = 0; i < count; i++) {
		uint64_t first;

		if (m->db_bench) {
			ids[i] = key_of(m, n, random_below(random, n));
			continue;
		}
		first = range ? range_at(m, unit(random)) * size : 0;
		ids[i] = first + (heat ? hot_key(m, size, unit(random))
				       : random_below(random, size));
		/* there are fewer keys than ranges */
		ids[i] %= n;
	}
}

void mixgraph_next(const struct mixgraph *m, uint64_t n, struct random *keys,
		   struct random *others, uint64_t *ids, unsigned char *what, uint64_t *r,
		   unsigned count)
{
	if (!m->db_bench)
		mixgraph_draw(m, n, keys, ids, count);
	for (unsigned i = 0; i < count; i++) {
		r[i] = m->db_bench ? random_below(keys, n) : random_next(others);
		if (m->db_bench)
			ids[i] = key_of(m, n, r[i]);
		what[i] = (unsigned char)operation(m, r[i]);
	}
}
