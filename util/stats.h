/*
 * stats.h: statistics of samples, and tests that compare two.
 *
 * Samples are arrays in ascending order, as from stats_sort. A statistic that needs more
 * values is NaN. Not for the measured path: some functions allocate memory, and exit
 * without.
 */
#ifndef UTIL_STATS_H
#define UTIL_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Up to this many values in two samples, a double counts their choices exactly. */
enum { STATS_EXACT_MAX = 50 };

void stats_sort(double *values, size_t n);

/* The middle value, or the mean of the two in the middle. */
double stats_median(const double *x, size_t n);

struct stats_sample {
	size_t n;
	double mean, median;
	double squared_deviations; /* sum of squared deviations from the mean */
	/* NaN below two values: */
	double margin; /* half-width of the 95 % interval of the mean, by Student's t */
	/*
	 * The 95 % interval by Student's t. If all values are above 0, as rates and times
	 * are, it is that of the geometric mean, from logarithms, and above 0. Otherwise
	 * it is that of the mean, cut at 0 if no value is negative.
	 */
	double low, high;
	double cv; /* coefficient of variation; also NaN if the mean is 0 */
};
struct stats_sample stats_describe(const double *x, size_t n);

/* The coefficient of variation of values in any order. */
double stats_variation(const double *values, size_t n);

/*
 * Drift of values in the order of time: their range, and the change of the least-squares
 * line, both as fractions of their mean. NaN if the mean is not above 0. n is at least 2.
 */
struct stats_drift {
	double range, slope;
};
struct stats_drift stats_drift(const double *values, size_t n);

/*
 * Whether rates of five rounds with this drift are steady by SNIA's Solid State Storage
 * Performance Test Specification 2.0.2: a range of at most 20 % of the mean, and a change
 * of the line by at most 10 %.
 */
bool stats_is_steady(const struct stats_drift *drift);

/* P(|T| < t) of Student's distribution, and its inverse. */
double stats_student_probability(double t, size_t freedom);
double stats_student_quantile(double probability, size_t freedom);

/*
 * Power of a two-sided t test: the probability that |T| exceeds t. T is noncentral with
 * this shift: the difference of means over its standard error.
 */
double stats_power(double shift, double t, size_t freedom);

/* The shift that a two-sided t test of this level finds with this power. */
double stats_shift(double level, double power, size_t freedom);

/*
 * Mann and Whitney's two-sided p. Exact up to STATS_EXACT_MAX values, given the ties: the
 * fraction of all choices of n values with a rank sum at least this extreme. Beyond that
 * by the normal distribution, but never below stats_min_p.
 */
double stats_mann_whitney(const double *x, size_t n, const double *y, size_t m);

/* The smallest p that n and m values can have, without ties. */
double stats_min_p(size_t n, size_t m);

/*
 * Rate of false alarms: the largest p below 0.05 of n and m values without ties. 0: there
 * is none.
 */
double stats_false_alarm_rate(size_t n, size_t m);

/*
 * The smallest difference of means, as a fraction of x's, that tests of these samples
 * detect with a power of 80 %.
 */
struct stats_detectable {
	/* Mann and Whitney's test at its level below 5 %; NaN: there is none */
	double mann_whitney;
	double t; /* Student's at 5 %; NaN below two values */
};
struct stats_detectable stats_detectable(const struct stats_sample *x,
					 const struct stats_sample *y);

/*
 * The ratio of medians y / x, and the 2.5th and 97.5th percentile of ratios of resampled
 * medians (with replacement; `draws` and `seed` control them). NaN if x's median is 0.
 * The interval is also NaN without draws, or below two values.
 */
struct stats_ratio {
	double ratio, low, high;
};
struct stats_ratio stats_ratio(const double *x, size_t n, const double *y, size_t m,
			       size_t draws, uint64_t seed);

/*
 * The difference of means y - x, its 95 % interval and two-sided p by Welch's t test,
 * which needs no equal variances. NaN below two values. If neither sample varies, the
 * interval is empty, and p is 1 if they are equal, else stats_min_p.
 */
struct stats_difference {
	double difference, low, high, p;
};
struct stats_difference stats_welch(const struct stats_sample *x,
				    const struct stats_sample *y);

/* Holm's step-down correction of p for this many comparisons, in place. */
void stats_holm(double *p, size_t n);

/*
 * Benjamini and Hochberg's correction, in place: of the comparisons with a result below
 * 0.05 at most 5 % are expected to be false.
 */
void stats_benjamini_hochberg(double *p, size_t n);

#endif
