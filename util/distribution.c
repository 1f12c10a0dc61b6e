/* distribution.c: key distributions; see distribution.h. */
#include "distribution.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

const char *const distribution_names[DISTRIBUTIONS + 1] = {
	"uniform",
	"zipfian",
	"scrambled_zipfian",
	"latest",
	"hotspot",
	"exponential",
	"pareto",
	"sequential",
	"",
	"uniform by minstd (2014)",
	"scrambled_zipfian in floats (UCSB 2022)",
	NULL,
};

/*
 * YCSB's scrambled zipfian always draws from this many ranks, whatever the number of
 * keys.
 */
#define SCRAMBLED_RANKS 10000000000u

/*
 * Below this distance from 1, theta counts as 1: the exponents are off by less than
 * 10^-4.
 */
static const double THETA_ONE_TOLERANCE = 1e-4;

/* Indexes of the constants of the zipfian kinds, and of the others. */
enum { Q, INTEGRAL_LOW, INTEGRAL_SPAN, ACCEPT_MARGIN, INVERSE_Q, THETA };
enum { SCALE = 0, EXPONENT = 0, HOT_KEYS = 0 };
enum { ALPHA, ETA, ZETA, SECOND_RANK_WEIGHT };

/* In [0, 1), with 53 random bits. */
static inline double draw_fraction(struct random *r)
{
	return (double)(int64_t)(random_next(r) >> 11) * 0x1p-53;
}

/*
 * x^e for x in (0, 2^1000), with a relative error below 10^-11 while |e log x| is below
 * 700. It takes a quarter of pow()'s time. The error changes a rank only at its very
 * border. log2 and exp2 use a table of 128 entries and a short series each.
 */
enum { TABLE_STEPS = 128 };

static struct {
	double inverse, log2;
} log_table[TABLE_STEPS];
static double exp_table[TABLE_STEPS];

/* Called by the first distribution_init(), without a lock: see distribution.h. */
static void make_tables(void)
{
	for (int i = 0; i < TABLE_STEPS; i++) {
		double middle = 1 + (i + 0.5) / TABLE_STEPS;

		log_table[i].inverse = 1 / middle;
		log_table[i].log2 = log2(middle);
		exp_table[i] = exp2((double)i / TABLE_STEPS);
	}
}

static inline double fast_log2(double x)
{
	uint64_t bits;
	double m, r;

	memcpy(&bits, &x, sizeof bits);
	unsigned i = bits >> 45 & (TABLE_STEPS - 1);
	double exponent = (double)((int32_t)(bits >> 52) - 1023);

	bits = (bits & 0x000fffffffffffff) | 0x3ff0000000000000;
	memcpy(&m, &bits, sizeof m);
	r = m * log_table[i].inverse - 1; /* |r| < 1/256 */
	/* log2(1 + r), to r^6 */
	return exponent + log_table[i].log2 +
	       r * (1.4426950408889634 +
		    r * (-0.7213475204444817 +
			 r * (0.4808983469629878 + r * (-0.36067376022224085 +
							r * (0.28853900817779268 -
							     r * 0.24044917348149391)))));
}

static inline double fast_exp2(double z)
{
	/* adding it rounds to the nearest multiple of 1 / TABLE_STEPS */
	const double magic = 0x1.8p52 / TABLE_STEPS;
	double nearest = z + magic, f, scale;
	uint64_t bits, result;

	memcpy(&bits, &nearest, sizeof bits);
	f = z - (nearest - magic); /* |f| <= 1/256 */
	scale = exp_table[bits % TABLE_STEPS] *
		(1 + f * (0.69314718055994531 +
			  f * (0.24022650695910072 +
			       f * (0.055504108664821580 + f * 0.0096181291076284772))));
	/* multiplied by 2 to the power of the integer part */
	memcpy(&result, &scale, sizeof result);
	result += bits / TABLE_STEPS << 52;
	memcpy(&scale, &result, sizeof scale);
	return scale;
}

/*
 * Zipfian ranks by rejection-inversion (Hoermann and Derflinger, "Rejection-inversion to
 * generate variates from monotone discrete distributions", ACM TOMACS 6, 1996), for every
 * theta and n. h(x) = x^-theta and H is its integral. u is uniform from H(1.5) - h(1) to
 * H(n + 0.5). k = round(H^-1(u)) is accepted if u >= H(k + 0.5) - h(k). The part cut off
 * below k + 1/2 is H's excess over the midpoint rule, at most h''/24. Therefore k is
 * always accepted if x is above k - 1/2 by theta (theta + 1) / 24 (4/3)^(theta + 2)
 * (5/4)^theta / k^2, and the test is rarely needed.
 */
static double zipfian_integral(double q, double x)
{
	return q == 0 ? log(x) : (pow(x, q) - 1) / q;
}

static inline double zipfian_integral_inverse(double q, double inverse_q, double y)
{
	return fast_exp2(q == 0 ? y * 1.4426950408889634
				: fast_log2(1 + q * y) * inverse_q);
}

static void zipfian_constants(double *c, double theta, uint64_t n)
{
	double q = fabs(1 - theta) < THETA_ONE_TOLERANCE ? 0 : 1 - theta;

	c[Q] = q;
	c[INVERSE_Q] = q == 0 ? 0 : 1 / q;
	c[THETA] = q == 0 ? 1 : theta;
	c[INTEGRAL_LOW] = zipfian_integral(q, 1.5) - 1;
	c[INTEGRAL_SPAN] = zipfian_integral(q, (double)n + 0.5) - c[INTEGRAL_LOW];
	c[ACCEPT_MARGIN] =
		theta * (theta + 1) / 24 * pow(4.0 / 3, theta + 2) * pow(1.25, theta);
}

/* Ranks begin at 0. */
static inline __attribute__((always_inline)) uint64_t draw_zipfian_rank(const double *c,
									struct random *r)
{
	for (;;) {
		double y = c[INTEGRAL_LOW] + draw_fraction(r) * c[INTEGRAL_SPAN],
		       x = zipfian_integral_inverse(c[Q], c[INVERSE_Q], y) + 0.5;
		double k = (double)(int64_t)x;

		if (__builtin_expect((x - k) * k * k >= c[ACCEPT_MARGIN], 1))
			return (uint64_t)(int64_t)k - 1;
		if (k < 2)
			return 0;
		if (y >= zipfian_integral(c[Q], k + 0.5) - pow(k, -c[THETA]))
			return (uint64_t)(int64_t)k - 1;
	}
}

/* Rounding may exceed the last rank. */
static inline uint64_t clamp_rank(uint64_t rank, uint64_t n)
{
	return rank < n ? rank : n - 1;
}

static void draw_uniform(struct distribution *d, struct random *random,
			 uint64_t *restrict ids, unsigned count)
{
	struct random r = *random; /* in registers */
	const uint64_t n = d->n, top1pct_keys = d->top1pct_keys;
	uint64_t top1pct_draws = 0;

#pragma GCC unroll 4
	for (unsigned i = 0; i < count; i++) {
		ids[i] = random_below(&r, n);
		top1pct_draws += ids[i] < top1pct_keys;
	}
	*random = r;
	d->top1pct_draws += top1pct_draws;
}

static void draw_zipfian(struct distribution *d, struct random *random,
			 uint64_t *restrict ids, unsigned count)
{
	struct random r = *random;

	for (unsigned i = 0; i < count; i++) {
		ids[i] = clamp_rank(draw_zipfian_rank(d->constants, &r), d->n);
		d->top1pct_draws += ids[i] < d->top1pct_keys;
	}
	*random = r;
}

static void draw_latest(struct distribution *d, struct random *random, uint64_t *ids,
			unsigned count)
{
	draw_zipfian(d, random, ids, count);
	for (unsigned i = 0; i < count; i++)
		ids[i] = d->n - 1 - ids[i];
}

/* FNV-1a of a number's eight bytes, lowest first, as in YCSB and UCSB. */
static inline uint64_t fnv(uint64_t x)
{
	uint64_t hash = 0xcbf29ce484222325;

#pragma GCC unroll 8
	for (int i = 0; i < 8; i++, x >>= 8)
		hash = (hash ^ (x & 255)) * 0x100000001b3;
	return hash;
}

/* Position of a rank among `modulus` keys: Java's Math.abs makes the hash positive. */
static inline uint64_t scramble(uint64_t rank, uint64_t modulus)
{
	uint64_t hash = fnv(rank);

	return ((int64_t)hash < 0 ? -hash : hash) % modulus;
}

/*
 * YCSB's zipfian: Gray's approximation ("Quickly generating billion-record synthetic
 * databases", SIGMOD 1994) over one rank more than SCRAMBLED_RANKS. The first two ranks
 * are exact.
 */
static inline __attribute__((always_inline)) uint64_t draw_gray_rank(const double *c,
								     struct random *r)
{
	double u = draw_fraction(r), uz = u * c[ZETA];

	if (uz < 1 + c[SECOND_RANK_WEIGHT])
		return uz >= 1;
	return (uint64_t)(int64_t)((double)(SCRAMBLED_RANKS + 1) *
				   fast_exp2(fast_log2(c[ETA] * u - c[ETA] + 1) *
					     c[ALPHA]));
}

/*
 * The sum of r^-theta for r from 1 to n: the first terms one by one, the rest by the
 * Euler-Maclaurin formula.
 */
static double zeta(double theta, double n)
{
	const double exact = 1000;
	double sum = 0;

	for (double r = 1; r < exact; r++)
		sum += pow(r, -theta);
	return sum + zipfian_integral(1 - theta, n) - zipfian_integral(1 - theta, exact) +
	       (pow(exact, -theta) + pow(n, -theta)) / 2 +
	       theta / 12 * (pow(exact, -theta - 1) - pow(n, -theta - 1));
}

static void gray_constants(double *c, double theta)
{
	const double ranks = (double)SCRAMBLED_RANKS;

	/* The formula does not hold for 1. */
	if (fabs(1 - theta) < THETA_ONE_TOLERANCE)
		theta = 1 - THETA_ONE_TOLERANCE;
	c[SECOND_RANK_WEIGHT] = pow(0.5, theta);
	c[ZETA] = zeta(theta, ranks);
	c[ALPHA] = 1 / (1 - theta);
	c[ETA] = (1 - pow(2 / (ranks + 1), 1 - theta)) /
		 (1 - (1 + c[SECOND_RANK_WEIGHT]) / c[ZETA]);
}

static void draw_scrambled(struct distribution *d, struct random *random,
			   uint64_t *restrict ids, unsigned count)
{
	const uint64_t range = d->parameters.hash_range,
		       modulus = range && (range > d->n || d->parameters.keeps_scale)
					 ? range
					 : d->n;
	struct random r = *random;
	uint64_t top1pct_draws = 0;

	/*
	 * A key that does not exist yet is drawn again at once: the stream must not
	 * depend on `count`.
	 */
	for (unsigned i = 0; modulus > d->n && i < count; i++) {
		uint64_t rank;

		do
			ids[i] = scramble(rank = draw_gray_rank(d->constants, &r),
					  modulus);
		while (ids[i] >= d->n);
		top1pct_draws += rank < d->top1pct_keys;
	}
	/* Two loops, so that the CPU can overlap many hashes. */
	for (unsigned i = 0; modulus <= d->n && i < count; i++) {
		ids[i] = draw_gray_rank(d->constants, &r);
		top1pct_draws += ids[i] < d->top1pct_keys;
	}
	for (unsigned i = 0; modulus <= d->n && i < count; i++)
		ids[i] = scramble(ids[i], modulus);
	*random = r;
	d->top1pct_draws += top1pct_draws;
}

static void draw_hotspot(struct distribution *d, struct random *random,
			 uint64_t *restrict ids, unsigned count)
{
	const uint64_t hot = (uint64_t)d->constants[HOT_KEYS];

	for (unsigned i = 0; i < count; i++) {
		ids[i] = draw_fraction(random) < d->parameters.hot_fraction || hot == d->n
				 ? random_below(random, hot)
				 : hot + random_below(random, d->n - hot);
		d->top1pct_draws += ids[i] < d->top1pct_keys;
	}
}

static void draw_exponential(struct distribution *d, struct random *random,
			     uint64_t *restrict ids, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		double rank;

		do
			rank = -log(1 - draw_fraction(random)) * d->constants[SCALE];
		while (rank >= (double)d->n);
		ids[i] = d->n - 1 - (uint64_t)rank;
		d->top1pct_draws += (uint64_t)rank < d->top1pct_keys;
	}
}

static void draw_pareto(struct distribution *d, struct random *random,
			uint64_t *restrict ids, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		ids[i] =
			clamp_rank((uint64_t)((double)d->n * pow(draw_fraction(random),
								 d->constants[EXPONENT])),
				   d->n);
		d->top1pct_draws += ids[i] < d->top1pct_keys;
	}
}

static void draw_sequential(struct distribution *d, struct random *random,
			    uint64_t *restrict ids, unsigned count)
{
	(void)random;
	for (unsigned i = 0; i < count; i++) {
		ids[i] = d->position < d->n ? d->position : 0;
		d->position = ids[i] + 1;
	}
}

/*
 * A multiplicative congruential generator modulo 2^31 - 1: minstd, with the caller's
 * multiplier.
 */
static inline uint32_t lcg_next(uint32_t *state, uint32_t multiplier)
{
	return *state = (uint32_t)((uint64_t)*state * multiplier % 0x7fffffff);
}

static void draw_minstd(struct distribution *d, struct random *random,
			uint64_t *restrict ids, unsigned count)
{
	(void)random;
	for (unsigned i = 0; i < count; i++) {
		ids[i] = lcg_next(&d->lcg_state, 16807) % d->n;
		d->top1pct_draws += ids[i] < d->top1pct_keys;
	}
}

/*
 * YCSB's zipfian as in UCSB until 2022: Gray's approximation (SIGMOD 1994) in 32-bit
 * floats over std::minstd_rand. Each draw gives one float, so there are no more ranks
 * than floats.
 */
static void draw_ucsb2022(struct distribution *d, struct random *random,
			  uint64_t *restrict ids, unsigned count)
{
	const float alpha = (float)d->constants[ALPHA], eta = (float)d->constants[ETA],
		    zeta = (float)d->constants[ZETA];
	const double half = d->constants[SECOND_RANK_WEIGHT];

	(void)random;
	for (unsigned i = 0; i < count; i++) {
		float u = (float)(lcg_next(&d->lcg_state, 48271) - 1) / (float)2147483646;
		uint64_t rank;

		if (u >= 1)
			u = nextafterf(1, 0);
		if (u * zeta < 1)
			rank = 0;
		else if ((double)(u * zeta) < 1 + half)
			rank = 1;
		else
			rank = (uint64_t)((float)(SCRAMBLED_RANKS + 1) *
					  powf(eta * u - eta + 1, alpha));
		ids[i] = fnv(rank) % d->n;
		d->top1pct_draws += rank < d->top1pct_keys;
	}
}

static void draw_added(struct distribution *d, struct random *random,
		       uint64_t *restrict ids, unsigned count)
{
	d->parameters.draw_keys(d->n, random, ids, count);
}

static void ucsb2022_constants(double *c)
{
	const float theta = 0.99f, zeta = 26.46902820178302f;
	const float zeta2 = (float)(1 + 1 / pow(2, (double)theta));

	c[ALPHA] = (double)(float)(1.0 / (1.0 - (double)theta));
	c[ZETA] = (double)zeta;
	c[ETA] = (double)(float)((1 - pow(2.0 / (double)(SCRAMBLED_RANKS + 1),
					  (double)(1 - theta))) /
				 (double)(1 - zeta2 / zeta));
	c[SECOND_RANK_WEIGHT] = pow(0.5, (double)theta);
}

void distribution_resize(struct distribution *d, uint64_t n)
{
	double *c = d->constants, hot = d->parameters.hot_keys * (double)n;

	d->n = n;
	d->top1pct_keys = n < 200 ? 1 : n / 100;
	switch (d->parameters.kind) {
	case DISTRIBUTION_ZIPFIAN:
	case DISTRIBUTION_LATEST:
		zipfian_constants(c, d->parameters.theta, n);
		break;
	case DISTRIBUTION_HOTSPOT:
		c[HOT_KEYS] = fmin(fmax(1, round(hot)), (double)n);
		break;
	case DISTRIBUTION_EXPONENTIAL:
		if (!(c[SCALE] > 0) || !d->parameters.keeps_scale)
			c[SCALE] = (double)n * 0.8571428571 / -log(1 - 0.95);
		break;
	default: /* the constants that do not depend on n */
		break;
	}
}

void distribution_init(struct distribution *d,
		       const struct distribution_parameters *parameters, uint64_t n)
{
	if (exp_table[0] == 0)
		make_tables();
	*d = (struct distribution){.parameters = *parameters,
				   .lcg_state = parameters->lcg_seed};
	if (parameters->kind == DISTRIBUTION_SCRAMBLED_ZIPFIAN)
		gray_constants(d->constants, parameters->theta);
	if (parameters->kind == DISTRIBUTION_PARETO)
		d->constants[EXPONENT] = log(parameters->h) / log(1 - parameters->h);
	if (parameters->kind == DISTRIBUTION_UCSB2022)
		ucsb2022_constants(d->constants);
	distribution_resize(d, n);
}

void distribution_draw(struct distribution *d, struct random *random, uint64_t *ids,
		       unsigned count)
{
	static void (*const kinds[DISTRIBUTIONS])(struct distribution *, struct random *,
						  uint64_t *, unsigned) = {
		[DISTRIBUTION_UNIFORM] = draw_uniform,
		[DISTRIBUTION_ZIPFIAN] = draw_zipfian,
		[DISTRIBUTION_SCRAMBLED_ZIPFIAN] = draw_scrambled,
		[DISTRIBUTION_LATEST] = draw_latest,
		[DISTRIBUTION_HOTSPOT] = draw_hotspot,
		[DISTRIBUTION_EXPONENTIAL] = draw_exponential,
		[DISTRIBUTION_PARETO] = draw_pareto,
		[DISTRIBUTION_SEQUENTIAL] = draw_sequential,
		[DISTRIBUTION_ADDED] = draw_added,
		[DISTRIBUTION_MINSTD] = draw_minstd,
		[DISTRIBUTION_UCSB2022] = draw_ucsb2022,
	};

	kinds[d->parameters.kind](d, random, ids, count);
}
