/*
 * stats.h: what samples of figures come to, and what tells two of them apart.
 *
 * Samples are arrays in ascending order, as stats_sort leaves them. What cannot be known
 * of so few figures is NaN. Nothing here is for the measured path: some of it takes
 * memory, and dies without.
 */
#ifndef STATS_H
#define STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Up to so many figures in two samples a double counts their choices exactly. */
enum { STATS_EXACT = 50 };

void stats_sort(double *figures, size_t n);

/* The middle figure, or the mean of the two in the middle. */
double stats_median(const double *x, size_t n);

struct stats_sample {
	size_t n;
	double mean, median;
	double squares; /* sum of the squared deviations from the mean */
	/* NaN below two figures: */
	double margin; /* half of the 95 % interval of the mean, by Student's t */
	double cv;     /* coefficient of variation; also NaN if the mean is 0 */
};
struct stats_sample stats_describe(const double *x, size_t n);

/* The coefficient of variation alone, of figures in any order. */
double stats_variation(const double *figures, size_t n);

/*
 * How far figures in the order of time drift: their range, and the change of the
 * least-squares line through them, both as shares of their mean; NaN if that is not above
 * 0. n is at least 2.
 */
struct stats_drift {
	double range, slope;
};
struct stats_drift stats_drift(const double *figures, size_t n);

/*
 * Whether five rounds' rates with that drift are steady by SNIA's Solid State Storage
 * Performance Test Specification 2.0.2: their range is at most 20 % of their mean, and
 * the line changes by at most 10 % of it.
 */
bool stats_steady(const struct stats_drift *drift);

/*
 * P(|T| < t) of Student's distribution, and the t within which T is with a probability.
 */
double stats_student(double t, size_t freedom);
double stats_student_within(double probability, size_t freedom);

/*
 * The power of a two-sided t test: the probability that |T| exceeds t, where T is
 * noncentral with that shift, which is the difference of the means over its standard
 * error.
 */
double stats_power(double shift, double t, size_t freedom);

/* The shift that a two-sided t test of that level finds with that power. */
double stats_shift(double level, double power, size_t freedom);

/*
 * Mann and Whitney's two-sided p. Up to STATS_EXACT figures exact, given what is tied:
 * the share of all choices of n of the figures with a rank sum as far out. Of more by the
 * normal distribution, and never below stats_least_p.
 */
double stats_mann_whitney(const double *x, size_t n, const double *y, size_t m);

/* The least p that n and m figures can have, without ties. */
double stats_least_p(size_t n, size_t m);

/*
 * The greatest p below 0.05 of n and m figures without ties, which is how often there is
 * a false alarm; 0: none is.
 */
double stats_alarms(size_t n, size_t m);

/*
 * The least difference of means, as a share of x's, that tests of these two samples show
 * with a power of 80 %.
 */
struct stats_could {
	double ranks; /* Mann and Whitney's at its level below 5 %; NaN if none is */
	double t;     /* Student's at 5 %; NaN below two figures */
};
struct stats_could stats_could(const struct stats_sample *x,
			       const struct stats_sample *y);

/*
 * The ratio of medians y / x, and the 2.5th and 97.5th percentile of those of so many
 * samples drawn from them, with replacement, by a stream of random numbers of that seed.
 * NaN if x's median is 0; the interval also without draws, or below two figures.
 */
struct stats_ratio {
	double ratio, low, high;
};
struct stats_ratio stats_ratio(const double *x, size_t n, const double *y, size_t m,
			       size_t draws, uint64_t seed);

/* Holm's step-down correction of p for so many comparisons, in place. */
void stats_holm(double *p, size_t n);

#endif
