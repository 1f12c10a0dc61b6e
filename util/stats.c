/*
 * stats.c: see stats.h. A&S is Abramowitz and Stegun, Handbook of Mathematical Functions;
 * other sources are named where they are used.
 */
#include "stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "random.h"
#include "message.h"

static const double PI = 3.14159265358979323846;

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void stats_sort(double *values, size_t n)
{
	if (n)
		qsort(values, n, sizeof *values, compare_doubles);
}

double stats_median(const double *x, size_t n)
{
	return n ? (x[(n - 1) / 2] + x[n / 2]) / 2 : NAN;
}

/* The mean; `squares` receives the sum of squared deviations from it. */
static double mean_of(const double *values, size_t n, double *squares)
{
	double sum = 0, mean;

	for (size_t i = 0; i < n; i++)
		sum += values[i];
	mean = sum / (double)n;
	*squares = 0;
	for (size_t i = 0; i < n; i++)
		*squares += (values[i] - mean) * (values[i] - mean);
	return mean;
}

double stats_variation(const double *values, size_t n)
{
	double squares, mean = mean_of(values, n, &squares);

	return n > 1 && mean != 0 ? sqrt(squares / (double)(n - 1)) / mean : NAN;
}

/*
 * Half-width of the 95 % interval of the mean of n values with this sum of squared
 * deviations.
 */
static double margin_of(double squares, size_t n)
{
	return n > 1 ? stats_student_quantile(0.95, n - 1) *
			       sqrt(squares / (double)(n - 1) / (double)n)
		     : NAN;
}

struct stats_sample stats_describe(const double *x, size_t n)
{
	struct stats_sample s = {.n = n, .median = stats_median(x, n)};
	double *logs, mean, squares, margin;

	s.mean = mean_of(x, n, &s.squared_deviations);
	s.cv = stats_variation(x, n);
	s.margin = margin_of(s.squared_deviations, n);
	s.high = s.mean + s.margin;
	s.low = s.mean - s.margin;
	if (!n || x[0] < 0)
		return s;
	if (x[0] == 0) {
		s.low = isnan(s.low) ? NAN : fmax(0, s.low);
		return s;
	}
	logs = message_alloc(n, sizeof *logs);
	for (size_t i = 0; i < n; i++)
		logs[i] = log(x[i]);
	mean = mean_of(logs, n, &squares);
	margin = margin_of(squares, n);
	free(logs);
	s.low = exp(mean - margin);
	s.high = exp(mean + margin);
	return s;
}

struct stats_drift stats_drift(const double *values, size_t n)
{
	double least = INFINITY, most = -INFINITY, sum = 0, slope_sum = 0, squares = 0;
	double count = (double)n;

	for (size_t i = 0; i < n; i++) {
		double from_middle = (double)i - (count - 1) / 2;

		least = fmin(least, values[i]);
		most = fmax(most, values[i]);
		sum += values[i];
		slope_sum += values[i] * from_middle;
		squares += from_middle * from_middle;
	}
	if (!(sum > 0))
		return (struct stats_drift){NAN, NAN};
	return (struct stats_drift){(most - least) * count / sum,
				    fabs(slope_sum / squares * (count - 1)) * count /
					    sum};
}

bool stats_is_steady(const struct stats_drift *drift)
{
	return drift->range <= 0.20 && drift->slope <= 0.10;
}

/* A&S 26.7.3 and 26.7.4. */
double stats_student_probability(double t, size_t freedom)
{
	double angle = atan2(t, sqrt((double)freedom)), square = cos(angle) * cos(angle);
	double term = freedom % 2 ? cos(angle) : 1, sum = 0;

	for (size_t i = 2 + freedom % 2; i <= freedom; i += 2) {
		sum += term;
		term *= square * (double)(i - 1) / (double)i;
	}
	return freedom % 2 ? (angle + sin(angle) * sum) * 2 / PI : sin(angle) * sum;
}

double stats_student_quantile(double probability, size_t freedom)
{
	double low = 0, high = 1;

	while (stats_student_probability(high, freedom) < probability && high < 1e12)
		high *= 2;
	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		if (stats_student_probability(middle, freedom) < probability)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* P(Z > z) of the normal distribution. */
static double normal_above(double z)
{
	return erfc(z / sqrt(2)) / 2;
}

/*
 * T exceeds t where a normal variable exceeds t * s - shift. s is the ratio of the
 * sample's standard deviation to the true one: chi over the root of its degrees of
 * freedom. Integrates over s by Simpson's rule, ten standard deviations to either side,
 * where its density is below 1e-14.
 */
double stats_power(double shift, double t, size_t freedom)
{
	enum { CALLS = 1000 };
	double v = (double)freedom, spread = 10 / sqrt(2 * v), from = fmax(0, 1 - spread);
	double scale = log(2) + v / 2 * log(v / 2) - lgamma(v / 2);
	double step = (1 + spread - from) / CALLS, sum = 0;

	for (int i = 0; i <= CALLS; i++) {
		double s = from + i * step;
		double density = exp(scale - v * s * s / 2) * pow(s, v - 1);
		double beyond = normal_above(t * s - shift) + normal_above(t * s + shift);

		sum += density * beyond * (i == 0 || i == CALLS ? 1 : i % 2 ? 4 : 2);
	}
	return sum * step / 3;
}

/*
 * By the secant method, starting with the sum of two quantiles of t, which is slightly
 * too large.
 */
double stats_shift(double level, double power, size_t freedom)
{
	double t = stats_student_quantile(1 - level, freedom);
	double at = t + stats_student_quantile(2 * power - 1, freedom), before = at * 0.9;
	double off_before = stats_power(before, t, freedom) - power;

	for (int i = 0; i < 50 && fabs(at - before) > 1e-10; i++) {
		double off = stats_power(at, t, freedom) - power, next;

		if (off == off_before)
			break;
		next = at - off * (at - before) / (off - off_before);
		before = at;
		off_before = off;
		at = next;
	}
	return at;
}

/*
 * All choices of n of some ranks: how many have each sum, from 0 to `sums`, and their
 * total number.
 */
struct rank_sums {
	double *counts, total;
	size_t max_sum;
};

/*
 * Each rank in turn is added to the smaller choices of ranks before it. Ties have the
 * mean of their ranks; ranks are doubled to be integers. The caller frees ways.
 */
static struct rank_sums count_rank_sums(size_t n, const size_t *rank, size_t many)
{
	struct rank_sums c = {.total = 0};
	size_t width, below = 0;
	double *some;

	for (size_t i = 0; i < many; i++)
		c.max_sum += rank[i];
	width = c.max_sum + 1;
	some = message_alloc((n + 1) * width, sizeof *some);
	some[0] = 1;
	for (size_t i = 0; i < many; i++) {
		below += rank[i];
		for (size_t k = i + 1 < n ? i + 1 : n; k > 0; k--)
			for (size_t s = rank[i], less = (k - 1) * width; s <= below; s++)
				some[k * width + s] += some[less + s - rank[i]];
	}
	c.counts = message_alloc(width, sizeof *c.counts);
	for (size_t s = 0; s < width; s++)
		c.total += c.counts[s] = some[n * width + s];
	free(some);
	return c;
}

/*
 * Twice the fraction of choices with a sum this small, or this large, whichever is
 * smaller.
 */
static double exact_p(size_t sum, size_t n, const size_t *rank, size_t many)
{
	struct rank_sums c = count_rank_sums(n, rank, many);
	double little = 0, much = 0;

	for (size_t s = 0; s <= c.max_sum; s++) {
		little += s <= sum ? c.counts[s] : 0;
		much += s >= sum ? c.counts[s] : 0;
	}
	free(c.counts);
	return fmin(1, 2 * fmin(little, much) / c.total);
}

double stats_min_p(size_t n, size_t m)
{
	double p = 2;

	for (size_t i = 1; i <= n; i++)
		p *= (double)i / (double)(m + i);
	return fmin(p, 1);
}

double stats_false_alarm_rate(size_t n, size_t m)
{
	size_t rank[STATS_EXACT_MAX];
	double some = 0, all;
	struct rank_sums c;

	if (n + m > STATS_EXACT_MAX)
		return 0.05;
	for (size_t i = 0; i < n + m; i++)
		rank[i] = 2 * (i + 1);
	c = count_rank_sums(n < m ? n : m, rank, n + m);
	all = c.total;
	for (size_t s = 0; 2 * (some + c.counts[s]) < 0.05 * all; s++)
		some += c.counts[s];
	free(c.counts);
	return 2 * some / all;
}

/*
 * The doubled ranks of x and y among both, in ascending order, and the sum of t^3 - t
 * over groups of t ties.
 */
static double rank_pooled(const double *x, size_t n, const double *y, size_t m,
			  double *both, size_t *rank)
{
	double ties = 0;

	for (size_t i = 0; i < n + m; i++)
		both[i] = i < n ? x[i] : y[i - n];
	stats_sort(both, n + m);
	for (size_t i = 0, tied; i < n + m; i += tied) {
		for (tied = 1; i + tied < n + m && both[i + tied] == both[i];)
			tied++;
		ties += (double)tied * (double)tied * (double)tied - (double)tied;
		for (size_t k = 0; k < tied; k++)
			rank[i + k] = 2 * i + tied + 1;
	}
	return ties;
}

/*
 * Exact: Hollander and Wolfe, Nonparametric Statistical Methods, 1999, chapter 4.
 * Approximate: the normal distribution with corrections for ties and continuity (same
 * source), as in R's wilcox.test.
 */
double stats_mann_whitney(const double *x, size_t n, const double *y, size_t m)
{
	double u = 0, count = (double)(n + m), half = (double)n * (double)m / 2;
	double ties, spread, p = 1;
	double *both = message_alloc(n + m, sizeof *both);
	size_t *rank = message_alloc(n + m, sizeof *rank);

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < m; k++)
			u += x[i] > y[k] ? 1 : x[i] == y[k] ? 0.5 : 0;
	ties = rank_pooled(x, n, y, m, both, rank);
	if (n + m <= STATS_EXACT_MAX)
		p = n < m ? exact_p((size_t)(2 * u) + n * (n + 1), n, rank, n + m)
			  : exact_p((size_t)(4 * half - 2 * u) + m * (m + 1), m, rank,
				    n + m);
	else {
		spread = sqrt(half / 6 * (count + 1 - ties / count / (count - 1)));
		if (spread > 0 && fabs(u - half) > 0.5)
			p = 2 * normal_above((fabs(u - half) - 0.5) / spread);
		p = fmax(p, stats_min_p(n, m));
	}
	free(both);
	free(rank);
	return p;
}

/*
 * B. L. Welch, The Generalization of Student's Problem, Biometrika 34, 1947. The degrees
 * of freedom are rounded down, which widens the interval.
 */
struct stats_difference stats_welch(const struct stats_sample *x,
				    const struct stats_sample *y)
{
	double n = (double)x->n, m = (double)y->n, v, w, error, freedom, margin;
	struct stats_difference d = {y->mean - x->mean, NAN, NAN, NAN};

	if (x->n < 2 || y->n < 2)
		return d;
	v = x->squared_deviations / (n - 1) / n;
	w = y->squared_deviations / (m - 1) / m;
	error = sqrt(v + w);
	d.low = d.high = d.difference;
	d.p = d.difference == 0 ? 1 : stats_min_p(x->n, y->n);
	if (error <= 0)
		return d;
	freedom = (v + w) * (v + w) / (v * v / (n - 1) + w * w / (m - 1));
	margin = error * stats_student_quantile(0.95, (size_t)fmax(freedom, 1));
	d.low -= margin;
	d.high += margin;
	d.p = 1 - stats_student_probability(fabs(d.difference) / error,
					    (size_t)fmax(freedom, 1));
	return d;
}

/*
 * Converts the shift, a difference over its standard error with the pooled variance, into
 * a difference. The rank test is treated as a t test at its own level with 3 / pi of the
 * values: its asymptotic efficiency for normal values (Lehmann, Nonparametrics, 1975). In
 * 20,000 trials with normal values such a difference was found in 76.8 % with 4 and 4
 * values, 79.0 % with 5 and 5, and 79.2 to 80.0 % with more, up to 25 and 25.
 */
struct stats_detectable stats_detectable(const struct stats_sample *x,
					 const struct stats_sample *y)
{
	size_t freedom = x->n + y->n - 2;
	double error, level;

	if (x->n < 2 || y->n < 2 || x->mean == 0)
		return (struct stats_detectable){NAN, NAN};
	error = sqrt((x->squared_deviations + y->squared_deviations) / (double)freedom *
		     (1 / (double)x->n + 1 / (double)y->n)) /
		x->mean;
	level = stats_false_alarm_rate(x->n, y->n);
	return (struct stats_detectable){
		.mann_whitney = level > 0 ? stats_shift(level, 0.8, freedom) * error /
						    sqrt(3 / PI)
					  : NAN,
		.t = stats_shift(0.05, 0.8, freedom) * error,
	};
}

/* The median of n values drawn from x with replacement; `times` holds n counts. */
static double median_resampled(const double *x, size_t n, struct random *random,
			       unsigned *times)
{
	size_t cumulative = 0, i = 0;
	double low;

	for (size_t k = 0; k < n; k++)
		times[k] = 0;
	for (size_t k = 0; k < n; k++)
		times[random_below(random, n)]++;
	while ((cumulative += times[i]) < (n + 1) / 2)
		i++;
	low = x[i];
	while (cumulative < n / 2 + 1)
		cumulative += times[++i];
	return (low + x[i]) / 2;
}

struct stats_ratio stats_ratio(const double *x, size_t n, const double *y, size_t m,
			       size_t draws, uint64_t seed)
{
	struct random random = random_seed(seed, "bootstrap");
	double centre = stats_median(x, n), *of;
	struct stats_ratio r = {NAN, NAN, NAN};
	unsigned *times;

	if (!n || !m || centre == 0)
		return r;
	r.ratio = stats_median(y, m) / centre;
	if (!draws || n < 2 || m < 2)
		return r;
	of = message_alloc(draws, sizeof *of);
	times = message_alloc(n > m ? n : m, sizeof *times);
	for (size_t i = 0; i < draws; i++) {
		double first = median_resampled(x, n, &random, times);

		of[i] = median_resampled(y, m, &random, times) /
			(first != 0 ? first : centre);
	}
	stats_sort(of, draws);
	r.low = of[(size_t)((double)draws * 0.025)];
	r.high = of[draws - 1 - (size_t)((double)draws * 0.025)];
	free(of);
	free(times);
	return r;
}

static int compare_pointed_doubles(const void *a, const void *b)
{
	return compare_doubles(*(double *const *)a, *(double *const *)b);
}

/*
 * Scandinavian Journal of Statistics 6, 1979: each p, from the smallest, is multiplied by
 * the number of hypotheses not yet rejected.
 */
void stats_holm(double *p, size_t n)
{
	double **sorted = message_alloc(n, sizeof *sorted), at_least = 0;

	for (size_t i = 0; i < n; i++)
		sorted[i] = &p[i];
	if (n)
		qsort(sorted, n, sizeof *sorted, compare_pointed_doubles);
	for (size_t i = 0; i < n; i++)
		at_least = *sorted[i] =
			fmax(at_least, fmin(1, *sorted[i] * (double)(n - i)));
	free(sorted);
}

/*
 * Y. Benjamini and Y. Hochberg, Controlling the False Discovery Rate, Journal of the
 * Royal Statistical Society B 57, 1995: each p, from the largest, is multiplied by the
 * number of comparisons over its rank.
 */
void stats_benjamini_hochberg(double *p, size_t n)
{
	double **sorted = message_alloc(n, sizeof *sorted), at_most = 1;

	for (size_t i = 0; i < n; i++)
		sorted[i] = &p[i];
	if (n)
		qsort(sorted, n, sizeof *sorted, compare_pointed_doubles);
	for (size_t i = n; i-- > 0;)
		at_most = *sorted[i] =
			fmin(at_most, *sorted[i] * (double)n / (double)(i + 1));
	free(sorted);
}
