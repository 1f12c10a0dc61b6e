/* pareto.h: sizes by a generalised Pareto distribution. */
#ifndef UTIL_PARETO_H
#define UTIL_PARETO_H

#include <stdint.h>

/*
 * Sizes by a generalised Pareto distribution: theta + sigma (u^-k - 1) / k, rounded up.
 * Sizes below `min` become `min`; a size above `max` is reduced modulo `modulus`. sigma
 * 0: no distribution.
 */
struct pareto {
	double theta, k, sigma;
	uint64_t min, max, modulus;
};

/* The size for u, in (0, 1]. */
uint64_t pareto_draw(const struct pareto *pareto, double u);

/* Mean size, by its quantiles. */
double pareto_mean(const struct pareto *pareto);

#endif
