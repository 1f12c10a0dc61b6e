/* draw.c: key distributions; see draw.h. */
#include "draw.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

const char *const draw_names[DRAWS + 1] = {
	"uniform",
	"zipfian",
	"scrambled_zipfian",
	"latest",
	"hotspot",
	"exponential",
	"pareto",
	"sequential",
	"mixgraph",
	"uniform by minstd (2014)",
	"scrambled_zipfian in floats (UCSB 2022)",
	NULL,
};

/* YCSB's scrambled zipfian is always over so many ranks, however many keys there are. */
#define SCRAMBLED_RANKS 10000000000u

/*
 * Below this distance from 1, theta counts as 1: the exponents are off by less than
 * 10^-4.
 */
static const double ONE = 1e-4;

/* The constants of the zipfian kinds, and of the others. */
enum { Q, LOW, SPAN, SURE, INVERSE_Q, THETA };
enum { SCALE = 0, EXPONENT = 0, DRAW_HOT = 0 };
enum { ALPHA, ETA, ZETA, DRAW_HALF };

/* In [0, 1), of 53 bits. */
static inline double draw_unit(struct random *r)
{
	return (double)(int64_t)(random_next(r) >> 11) * 0x1p-53;
}

/*
 * x^e for x in (0, 2^1000) with a relative error below 10^-11 as long as |e log x| is
 * below 700: a quarter of what pow() takes, and a rank is right where its neighbour's
 * share is not touched. log2 and exp2 by a table of 128 and a short series each.
 */
enum { DRAW_STEPS = 128 };

static struct {
	double inverse, log2;
} log_table[DRAW_STEPS];
static double exp_table[DRAW_STEPS];

/* By the first draw_start, without a lock: see draw.h. */
static void make_tables(void)
{
	for (int i = 0; i < DRAW_STEPS; i++) {
		double middle = 1 + (i + 0.5) / DRAW_STEPS;

		log_table[i].inverse = 1 / middle;
		log_table[i].log2 = log2(middle);
		exp_table[i] = exp2((double)i / DRAW_STEPS);
	}
}

static inline double fast_log2(double x)
{
	uint64_t bits;
	double m, r;

	memcpy(&bits, &x, sizeof bits);
	unsigned i = bits >> 45 & (DRAW_STEPS - 1);
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
	/* adding it leaves the nearest multiple of 1 / STEPS */
	const double magic = 0x1.8p52 / DRAW_STEPS;
	double nearest = z + magic, f, scale;
	uint64_t bits, result;

	memcpy(&bits, &nearest, sizeof bits);
	f = z - (nearest - magic); /* |f| <= 1/256 */
	scale = exp_table[bits % DRAW_STEPS] *
		(1 + f * (0.69314718055994531 +
			  f * (0.24022650695910072 +
			       f * (0.055504108664821580 + f * 0.0096181291076284772))));
	/* times 2 to the power of what is above the fraction's bits */
	memcpy(&result, &scale, sizeof result);
	result += bits / DRAW_STEPS << 52;
	memcpy(&scale, &result, sizeof scale);
	return scale;
}

/*
 * Zipfian ranks by rejection-inversion (Hoermann and Derflinger, "Rejection-inversion to
 * generate variates from monotone discrete distributions", ACM TOMACS 6, 1996), for every
 * theta and n. With h(x) = x^-theta and H its integral, k = round(H^-1(u)) for u uniform
 * from H(1.5) - h(1) to H(n + 0.5) is kept if u >= H(k + 0.5) - h(k). What is cut off
 * below k + 1/2 is H's excess over the midpoint rule, at most h''/24; so k is sure to be
 * kept if x is above k - 1/2 by theta (theta + 1) / 24 (4/3)^(theta + 2) (5/4)^theta /
 * k^2, and the test need hardly ever be made.
 */
static double integral(double q, double x)
{
	return q == 0 ? log(x) : (pow(x, q) - 1) / q;
}

static inline double inverse(double q, double inverse_q, double y)
{
	return fast_exp2(q == 0 ? y * 1.4426950408889634
				: fast_log2(1 + q * y) * inverse_q);
}

static void zipfian_constants(double *c, double theta, uint64_t n)
{
	double q = fabs(1 - theta) < ONE ? 0 : 1 - theta;

	c[Q] = q;
	c[INVERSE_Q] = q == 0 ? 0 : 1 / q;
	c[THETA] = q == 0 ? 1 : theta;
	c[LOW] = integral(q, 1.5) - 1;
	c[SPAN] = integral(q, (double)n + 0.5) - c[LOW];
	c[SURE] = theta * (theta + 1) / 24 * pow(4.0 / 3, theta + 2) * pow(1.25, theta);
}

/* From 0. */
static inline __attribute__((always_inline)) uint64_t zipfian_rank(const double *c,
								   struct random *r)
{
	for (;;) {
		double y = c[LOW] + draw_unit(r) * c[SPAN],
		       x = inverse(c[Q], c[INVERSE_Q], y) + 0.5;
		double k = (double)(int64_t)x;

		if (__builtin_expect((x - k) * k * k >= c[SURE], 1))
			return (uint64_t)(int64_t)k - 1;
		if (k < 2)
			return 0;
		if (y >= integral(c[Q], k + 0.5) - pow(k, -c[THETA]))
			return (uint64_t)(int64_t)k - 1;
	}
}

/* A rank that rounding put beyond the last is the last. */
static inline uint64_t below(uint64_t rank, uint64_t n)
{
	return rank < n ? rank : n - 1;
}

static void uniform(struct draw *d, struct random *random, uint64_t *restrict ids,
		    unsigned count)
{
	struct random r = *random; /* in registers */
	const uint64_t n = d->n, popular = d->popular;
	uint64_t tops = 0;

#pragma GCC unroll 4
	for (unsigned i = 0; i < count; i++) {
		ids[i] = random_below(&r, n);
		tops += ids[i] < popular;
	}
	*random = r;
	d->tops += tops;
}

static void zipfian(struct draw *d, struct random *random, uint64_t *restrict ids,
		    unsigned count)
{
	struct random r = *random;

	for (unsigned i = 0; i < count; i++) {
		ids[i] = below(zipfian_rank(d->constant, &r), d->n);
		d->tops += ids[i] < d->popular;
	}
	*random = r;
}

static void latest(struct draw *d, struct random *random, uint64_t *ids, unsigned count)
{
	zipfian(d, random, ids, count);
	for (unsigned i = 0; i < count; i++)
		ids[i] = d->n - 1 - ids[i];
}

/* FNV-1a of a number's eight bytes, the lowest first, as YCSB and UCSB have it. */
static inline uint64_t fnv(uint64_t x)
{
	uint64_t hash = 0xcbf29ce484222325;

#pragma GCC unroll 8
	for (int i = 0; i < 8; i++, x >>= 8)
		hash = (hash ^ (x & 255)) * 0x100000001b3;
	return hash;
}

/* Where a rank goes among `modulus` keys: Java's Math.abs makes the hash positive. */
static inline uint64_t scramble(uint64_t rank, uint64_t modulus)
{
	uint64_t hash = fnv(rank);

	return ((int64_t)hash < 0 ? -hash : hash) % modulus;
}

/*
 * YCSB's zipfian, which is Gray's approximation ("Quickly generating billion-record
 * synthetic databases", SIGMOD 1994) over so many ranks and one: the first two are exact.
 */
static inline __attribute__((always_inline)) uint64_t gray_rank(const double *c,
								struct random *r)
{
	double u = draw_unit(r), uz = u * c[ZETA];

	if (uz < 1 + c[DRAW_HALF])
		return uz >= 1;
	return (uint64_t)(int64_t)((double)(SCRAMBLED_RANKS + 1) *
				   fast_exp2(fast_log2(c[ETA] * u - c[ETA] + 1) *
					     c[ALPHA]));
}

/*
 * The sum of r^-theta for r from 1 to n: a part of it as it is, the rest by Euler and
 * Maclaurin.
 */
static double zeta(double theta, double n)
{
	const double exact = 1000;
	double sum = 0;

	for (double r = 1; r < exact; r++)
		sum += pow(r, -theta);
	return sum + integral(1 - theta, n) - integral(1 - theta, exact) +
	       (pow(exact, -theta) + pow(n, -theta)) / 2 +
	       theta / 12 * (pow(exact, -theta - 1) - pow(n, -theta - 1));
}

static void gray_constants(double *c, double theta)
{
	const double ranks = (double)SCRAMBLED_RANKS;

	/* There is no such formula for 1. */
	if (fabs(1 - theta) < ONE)
		theta = 1 - ONE;
	c[DRAW_HALF] = pow(0.5, theta);
	c[ZETA] = zeta(theta, ranks);
	c[ALPHA] = 1 / (1 - theta);
	c[ETA] = (1 - pow(2 / (ranks + 1), 1 - theta)) /
		 (1 - (1 + c[DRAW_HALF]) / c[ZETA]);
}

static void scrambled(struct draw *d, struct random *random, uint64_t *restrict ids,
		      unsigned count)
{
	const uint64_t modulus = d->shape.hashed > d->n ? d->shape.hashed : d->n;
	struct random r = *random;
	uint64_t tops = 0;

	/*
	 * Of keys that are not there yet one is drawn again, at once: the stream must not
	 * depend on `count`.
	 */
	for (unsigned i = 0; modulus > d->n && i < count; i++) {
		uint64_t rank;

		do
			ids[i] = scramble(rank = gray_rank(d->constant, &r), modulus);
		while (ids[i] >= d->n);
		tops += rank < d->popular;
	}
	/* Two loops, so that the processor has many hashes in hand at a time. */
	for (unsigned i = 0; modulus == d->n && i < count; i++) {
		ids[i] = gray_rank(d->constant, &r);
		tops += ids[i] < d->popular;
	}
	for (unsigned i = 0; modulus == d->n && i < count; i++)
		ids[i] = scramble(ids[i], modulus);
	*random = r;
	d->tops += tops;
}

static void hotspot(struct draw *d, struct random *random, uint64_t *restrict ids,
		    unsigned count)
{
	const uint64_t hot = (uint64_t)d->constant[DRAW_HOT];

	for (unsigned i = 0; i < count; i++) {
		ids[i] = draw_unit(random) < d->shape.hot_share || hot == d->n
				 ? random_below(random, hot)
				 : hot + random_below(random, d->n - hot);
		d->tops += ids[i] < d->popular;
	}
}

static void exponential(struct draw *d, struct random *random, uint64_t *restrict ids,
			unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		double rank;

		do
			rank = -log(1 - draw_unit(random)) * d->constant[SCALE];
		while (rank >= (double)d->n);
		ids[i] = d->n - 1 - (uint64_t)rank;
		d->tops += (uint64_t)rank < d->popular;
	}
}

static void pareto(struct draw *d, struct random *random, uint64_t *restrict ids,
		   unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		ids[i] = below((uint64_t)((double)d->n *
					  pow(draw_unit(random), d->constant[EXPONENT])),
			       d->n);
		d->tops += ids[i] < d->popular;
	}
}

static void sequential(struct draw *d, struct random *random, uint64_t *restrict ids,
		       unsigned count)
{
	(void)random;
	for (unsigned i = 0; i < count; i++) {
		ids[i] = d->position < d->n ? d->position : 0;
		d->position = ids[i] + 1;
	}
}

/*
 * A multiplicative congruential generator modulo 2^31 - 1: minstd's, with the multiplier
 * of its year.
 */
static inline uint32_t lcg_next(uint32_t *state, uint32_t multiplier)
{
	return *state = (uint32_t)((uint64_t)*state * multiplier % 0x7fffffff);
}

static void minstd(struct draw *d, struct random *random, uint64_t *restrict ids,
		   unsigned count)
{
	(void)random;
	for (unsigned i = 0; i < count; i++) {
		ids[i] = lcg_next(&d->lcg, 16807) % d->n;
		d->tops += ids[i] < d->popular;
	}
}

/*
 * YCSB's zipfian as UCSB had it until 2022: Gray's approximation (SIGMOD 1994) in 32-bit
 * floats over std::minstd_rand, whose every draw gives a float. There are no more ranks
 * than floats.
 */
static void ucsb2022(struct draw *d, struct random *random, uint64_t *restrict ids,
		     unsigned count)
{
	const float alpha = (float)d->constant[ALPHA], eta = (float)d->constant[ETA],
		    zeta = (float)d->constant[ZETA];
	const double half = d->constant[DRAW_HALF];

	(void)random;
	for (unsigned i = 0; i < count; i++) {
		float u = (float)(lcg_next(&d->lcg, 48271) - 1) / (float)2147483646;
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
		d->tops += rank < d->popular;
	}
}

static void mixgraph(struct draw *d, struct random *random, uint64_t *restrict ids,
		     unsigned count)
{
	mixgraph_draw(d->shape.mixgraph, d->n, random, ids, count);
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
	c[DRAW_HALF] = pow(0.5, (double)theta);
}

void draw_resize(struct draw *d, uint64_t n)
{
	double *c = d->constant, hot = d->shape.hot_keys * (double)n;

	d->n = n;
	d->popular = n < 200 ? 1 : n / 100;
	switch (d->shape.kind) {
	case DRAW_ZIPFIAN:
	case DRAW_LATEST:
		zipfian_constants(c, d->shape.theta, n);
		break;
	case DRAW_HOTSPOT:
		c[DRAW_HOT] = fmin(fmax(1, round(hot)), (double)n);
		break;
	case DRAW_EXPONENTIAL:
		c[SCALE] = (double)n * 0.8571428571 / -log(1 - 0.95);
		break;
	default: /* those that do not depend on n, once and for all */
		break;
	}
}

void draw_start(struct draw *d, const struct draw_shape *shape, uint64_t n)
{
	if (exp_table[0] == 0)
		make_tables();
	*d = (struct draw){.shape = *shape, .lcg = shape->lcg};
	if (shape->kind == DRAW_SCRAMBLED)
		gray_constants(d->constant, shape->theta);
	if (shape->kind == DRAW_PARETO)
		d->constant[EXPONENT] = log(shape->h) / log(1 - shape->h);
	if (shape->kind == DRAW_UCSB2022)
		ucsb2022_constants(d->constant);
	draw_resize(d, n);
}

void draw_many(struct draw *d, struct random *random, uint64_t *ids, unsigned count)
{
	static void (*const kinds[DRAWS])(struct draw *, struct random *, uint64_t *,
					  unsigned) = {
		[DRAW_UNIFORM] = uniform,     [DRAW_ZIPFIAN] = zipfian,
		[DRAW_SCRAMBLED] = scrambled, [DRAW_LATEST] = latest,
		[DRAW_HOTSPOT] = hotspot,     [DRAW_EXPONENTIAL] = exponential,
		[DRAW_PARETO] = pareto,       [DRAW_SEQUENTIAL] = sequential,
		[DRAW_MIXGRAPH] = mixgraph,   [DRAW_MINSTD] = minstd,
		[DRAW_UCSB2022] = ucsb2022,
	};

	kinds[d->shape.kind](d, random, ids, count);
}
