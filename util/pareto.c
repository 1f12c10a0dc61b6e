/* pareto.c: see pareto.h. */
#include "pareto.h"

#include <math.h>

uint64_t pareto_draw(const struct pareto *pareto, double u)
{
	double x = pareto->k == 0
			   ? pareto->theta - pareto->sigma * log(u)
			   : pareto->theta +
				     pareto->sigma * (pow(u, -pareto->k) - 1) / pareto->k;

	x = ceil(x);
	if (x < (double)pareto->min || !isfinite(x))
		return pareto->min;
	/* exact for any size: a double this large is an integer */
	return (uint64_t)(x > (double)pareto->max ? fmod(x, (double)pareto->modulus) : x);
}

double pareto_mean(const struct pareto *pareto)
{
	enum { QUANTILES = 1 << 17 };
	double sum = 0;

	for (int i = 0; i < QUANTILES; i++)
		sum += (double)pareto_draw(pareto, (i + 0.5) / QUANTILES);
	return sum / QUANTILES;
}
