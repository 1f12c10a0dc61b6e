/* draw.c: key distributions; see draw.h. */
#include "draw.h"

#include <math.h>
#include <stddef.h>

const char *const draw_names[DRAWS + 1] = {
	"uniform", "zipfian", "scrambled_zipfian", "latest", "hotspot", "exponential", "pareto", "sequential",
	"uniform by minstd (2014)", "scrambled_zipfian in floats (UCSB 2022)", NULL,
};

/* YCSB's scrambled zipfian is always over so many ranks, however many keys there are. */
static const uint64_t SCRAMBLED_RANKS = 10000000000;

/* Below this distance from 1, theta counts as 1: the exponents are off by less than 10^-4. */
static const double ONE = 1e-4;

/* The constants of the zipfian kinds, and of the others. */
enum { Q, LOW, SPAN, ACCEPT, INVERSE_Q, THETA };
enum { SCALE = 0, EXPONENT = 0, HOT = 0 };
enum { ALPHA, ETA, ZETA, HALF };

/* In [0, 1), of 53 bits. */
static inline double unit(struct random *r)
{
	return (double)(random_next(r) >> 11) * 0x1p-53;
}

/*
 * Zipfian ranks by rejection-inversion (Hoermann and Derflinger, "Rejection-inversion to generate
 * variates from monotone discrete distributions", ACM TOMACS 6, 1996), exact for every theta and n.
 * With h(x) = x^-theta and H its integral, k = round(H^-1(u)) for u uniform from H(1.5) - h(1) to
 * H(n + 0.5) is kept if u >= H(k + 0.5) - h(k), which for most needs no computing: k - x <= ACCEPT
 * is enough. Where theta is 1, H is the logarithm.
 */
static double integral(double q, double x)
{
	return q == 0 ? log(x) : (pow(x, q) - 1) / q;
}

static inline double inverse(double q, double inverse_q, double y)
{
	return q == 0 ? exp(y) : pow(1 + q * y, inverse_q);
}

static void zipfian_constants(double *c, double theta, uint64_t n)
{
	double q = fabs(1 - theta) < ONE ? 0 : 1 - theta;

	c[Q] = q;
	c[INVERSE_Q] = q == 0 ? 0 : 1 / q;
	c[THETA] = q == 0 ? 1 : theta;
	c[LOW] = integral(q, 1.5) - 1;
	c[SPAN] = integral(q, (double)n + 0.5) - c[LOW];
	c[ACCEPT] = 2 - inverse(q, c[INVERSE_Q], integral(q, 2.5) - pow(2, -c[THETA]));
}

/* From 0. */
static inline uint64_t zipfian_rank(const double *c, struct random *r)
{
	for (;;) {
		double y = c[LOW] + unit(r) * c[SPAN], x = inverse(c[Q], c[INVERSE_Q], y), k = (double)(int64_t)(x + 0.5);

		if (__builtin_expect(k < 1, 0))
			k = 1;
		if (__builtin_expect(k - x <= c[ACCEPT], 1) || y >= integral(c[Q], k + 0.5) - pow(k, -c[THETA]))
			return (uint64_t)k - 1;
	}
}

/* A rank that rounding put beyond the last is the last. */
static inline uint64_t below(uint64_t rank, uint64_t n)
{
	return rank < n ? rank : n - 1;
}

static void uniform(struct draw *d, struct random *random, uint64_t *restrict ids, unsigned count)
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

static void zipfian(struct draw *d, struct random *random, uint64_t *restrict ids, unsigned count)
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

static void scrambled(struct draw *d, struct random *random, uint64_t *restrict ids, unsigned count)
{
	const uint64_t modulus = d->shape.hashed > d->n ? d->shape.hashed : d->n;
	struct random r = *random;

	for (unsigned i = 0; i < count; i++) {
		uint64_t rank;

		do {
			uint64_t hash = fnv(rank = zipfian_rank(d->constant, &r));

			/* Java's Math.abs */
			ids[i] = ((int64_t)hash < 0 ? -hash : hash) % modulus;
		} while (ids[i] >= d->n);
		d->tops += rank < d->popular;
	}
	*random = r;
}

static void hotspot(struct draw *d, struct random *random, uint64_t *restrict ids, unsigned count)
{
	const uint64_t hot = (uint64_t)d->constant[HOT];

	for (unsigned i = 0; i < count; i++) {
		ids[i] = unit(random) < d->shape.hot_share || hot == d->n ? random_below(random, hot)
									  : hot + random_below(random, d->n - hot);
		d->tops += ids[i] < d->popular;
	}
}

static void exponential(struct draw *d, struct random *random, uint64_t *restrict ids, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		double rank;

		do
			rank = -log(1 - unit(random)) * d->constant[SCALE];
		while (rank >= (double)d->n);
		ids[i] = d->n - 1 - (uint64_t)rank;
		d->tops += (uint64_t)rank < d->popular;
	}
}

static void pareto(struct draw *d, struct random *random, uint64_t *restrict ids, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		ids[i] = below((uint64_t)((double)d->n * pow(unit(random), d->constant[EXPONENT])), d->n);
		d->tops += ids[i] < d->popular;
	}
}

static void sequential(struct draw *d, struct random *random, uint64_t *restrict ids, unsigned count)
{
	(void)random;
	for (unsigned i = 0; i < count; i++) {
		ids[i] = d->position < d->n ? d->position : 0;
		d->position = ids[i] + 1;
	}
}

/* A multiplicative congruential generator modulo 2^31 - 1: minstd's, with the multiplier of its year. */
static inline uint32_t lcg_next(uint32_t *state, uint32_t multiplier)
{
	return *state = (uint32_t)((uint64_t)*state * multiplier % 0x7fffffff);
}

static void minstd(struct draw *d, struct random *random, uint64_t *restrict ids, unsigned count)
{
	(void)random;
	for (unsigned i = 0; i < count; i++) {
		ids[i] = lcg_next(&d->lcg, 16807) % d->n;
		d->tops += ids[i] < d->popular;
	}
}

/*
 * YCSB's zipfian as UCSB had it until 2022: Gray's approximation (SIGMOD 1994) in 32-bit floats over
 * std::minstd_rand, whose every draw gives a float. There are no more ranks than floats.
 */
static void ucsb2022(struct draw *d, struct random *random, uint64_t *restrict ids, unsigned count)
{
	const float alpha = (float)d->constant[ALPHA], eta = (float)d->constant[ETA], zeta = (float)d->constant[ZETA];
	const double half = d->constant[HALF];

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
			rank = (uint64_t)((float)(SCRAMBLED_RANKS + 1) * powf(eta * u - eta + 1, alpha));
		ids[i] = fnv(rank) % d->n;
		d->tops += rank < d->popular;
	}
}

static void ucsb2022_constants(double *c)
{
	const float theta = 0.99f, zeta = 26.46902820178302f;
	const float zeta2 = (float)(1 + 1 / pow(2, (double)theta));

	c[ALPHA] = (double)(float)(1.0 / (1.0 - (double)theta));
	c[ZETA] = (double)zeta;
	c[ETA] = (double)(float)((1 - pow(2.0 / (double)(SCRAMBLED_RANKS + 1), (double)(1 - theta))) /
				 (double)(1 - zeta2 / zeta));
	c[HALF] = pow(0.5, (double)theta);
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
		c[HOT] = fmin(fmax(1, round(hot)), (double)n);
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
	*d = (struct draw){.shape = *shape, .lcg = shape->lcg};
	if (shape->kind == DRAW_SCRAMBLED)
		zipfian_constants(d->constant, shape->theta, SCRAMBLED_RANKS);
	if (shape->kind == DRAW_PARETO)
		d->constant[EXPONENT] = log(shape->h) / log(1 - shape->h);
	if (shape->kind == DRAW_UCSB2022)
		ucsb2022_constants(d->constant);
	draw_resize(d, n);
}

void draw_many(struct draw *d, struct random *random, uint64_t *ids, unsigned count)
{
	static void (*const kinds[DRAWS])(struct draw *, struct random *, uint64_t *, unsigned) = {
		[DRAW_UNIFORM] = uniform,	  [DRAW_ZIPFIAN] = zipfian,
		[DRAW_SCRAMBLED] = scrambled,	  [DRAW_LATEST] = latest,
		[DRAW_HOTSPOT] = hotspot,	  [DRAW_EXPONENTIAL] = exponential,
		[DRAW_PARETO] = pareto,		  [DRAW_SEQUENTIAL] = sequential,
		[DRAW_MINSTD] = minstd,		  [DRAW_UCSB2022] = ucsb2022,
	};

	kinds[d->shape.kind](d, random, ids, count);
}
