/*
 * stats.c: see stats.h. A&S is Abramowitz and Stegun, Handbook of Mathematical Functions;
 * other sources stand where they are used.
 */
#include "stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "random.h"
#include "say.h"

static const double PI = 3.14159265358979323846;

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void stats_sort(double *figures, size_t n)
{
	if (n)
		qsort(figures, n, sizeof *figures, ascending);
}

double stats_median(const double *x, size_t n)
{
	return n ? (x[(n - 1) / 2] + x[n / 2]) / 2 : NAN;
}

/* The mean, and the sum of the squared deviations from it. */
static double mean_of(const double *figures, size_t n, double *squares)
{
	double sum = 0, mean;

	for (size_t i = 0; i < n; i++)
		sum += figures[i];
	mean = sum / (double)n;
	*squares = 0;
	for (size_t i = 0; i < n; i++)
		*squares += (figures[i] - mean) * (figures[i] - mean);
	return mean;
}

double stats_variation(const double *figures, size_t n)
{
	double squares, mean = mean_of(figures, n, &squares);

	return n > 1 && mean != 0 ? sqrt(squares / (double)(n - 1)) / mean : NAN;
}

struct stats_sample stats_describe(const double *x, size_t n)
{
	struct stats_sample s = {.n = n, .median = stats_median(x, n), .margin = NAN};

	s.mean = mean_of(x, n, &s.squares);
	s.cv = stats_variation(x, n);
	if (n > 1)
		s.margin = stats_student_within(0.95, n - 1) *
			   sqrt(s.squares / (double)(n - 1) / (double)n);
	return s;
}

struct stats_drift stats_drift(const double *figures, size_t n)
{
	double least = INFINITY, most = -INFINITY, sum = 0, moment = 0, squares = 0;
	double count = (double)n;

	for (size_t i = 0; i < n; i++) {
		double from_middle = (double)i - (count - 1) / 2;

		least = fmin(least, figures[i]);
		most = fmax(most, figures[i]);
		sum += figures[i];
		moment += figures[i] * from_middle;
		squares += from_middle * from_middle;
	}
	if (!(sum > 0))
		return (struct stats_drift){NAN, NAN};
	return (struct stats_drift){(most - least) * count / sum,
				    fabs(moment / squares * (count - 1)) * count / sum};
}

bool stats_steady(const struct stats_drift *drift)
{
	return drift->range <= 0.20 && drift->slope <= 0.10;
}

/* A&S 26.7.3 and 26.7.4. */
double stats_student(double t, size_t freedom)
{
	double angle = atan2(t, sqrt((double)freedom)), square = cos(angle) * cos(angle);
	double term = freedom % 2 ? cos(angle) : 1, sum = 0;

	for (size_t i = 2 + freedom % 2; i <= freedom; i += 2) {
		sum += term;
		term *= square * (double)(i - 1) / (double)i;
	}
	return freedom % 2 ? (angle + sin(angle) * sum) * 2 / PI : sin(angle) * sum;
}

double stats_student_within(double probability, size_t freedom)
{
	double low = 0, high = 1;

	while (stats_student(high, freedom) < probability && high < 1e12)
		high *= 2;
	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		if (stats_student(middle, freedom) < probability)
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
 * Over the distribution of the ratio s of the sample's standard deviation to the true
 * one, which is chi over the root of its degrees of freedom: T exceeds t where a normal
 * figure exceeds t * s - shift. By Simpson's rule, ten standard deviations of s to either
 * side, where its density is below 1e-14.
 */
double stats_power(double shift, double t, size_t freedom)
{
	enum { STEPS = 1000 };
	double v = (double)freedom, spread = 10 / sqrt(2 * v), from = fmax(0, 1 - spread);
	double scale = log(2) + v / 2 * log(v / 2) - lgamma(v / 2);
	double step = (1 + spread - from) / STEPS, sum = 0;

	for (int i = 0; i <= STEPS; i++) {
		double s = from + i * step;
		double density = exp(scale - v * s * s / 2) * pow(s, v - 1);
		double beyond = normal_above(t * s - shift) + normal_above(t * s + shift);

		sum += density * beyond * (i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2);
	}
	return sum * step / 3;
}

/*
 * By the secant method, from the sum of two quantiles of t, which is a little more than
 * it.
 */
double stats_shift(double level, double power, size_t freedom)
{
	double t = stats_student_within(1 - level, freedom);
	double at = t + stats_student_within(2 * power - 1, freedom), before = at * 0.9;
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
 * Of choices of n of some ranks: how many have each sum, from 0 to `sums`, and how many
 * there are.
 */
struct choices {
	double *ways, all;
	size_t sums;
};

/*
 * Each rank in turn is added to the choices of one less among those before it. Ties share
 * the mean of their ranks, so the ranks are doubled, and whole. The caller frees ways.
 */
static struct choices stats_choose(size_t n, const size_t *rank, size_t many)
{
	struct choices c = {.all = 0};
	size_t width, below = 0;
	double *some;

	for (size_t i = 0; i < many; i++)
		c.sums += rank[i];
	width = c.sums + 1;
	some = say_alloc((n + 1) * width, sizeof *some);
	some[0] = 1;
	for (size_t i = 0; i < many; i++) {
		below += rank[i];
		for (size_t k = i + 1 < n ? i + 1 : n; k > 0; k--)
			for (size_t s = rank[i], less = (k - 1) * width; s <= below; s++)
				some[k * width + s] += some[less + s - rank[i]];
	}
	c.ways = say_alloc(width, sizeof *c.ways);
	for (size_t s = 0; s < width; s++)
		c.all += c.ways[s] = some[n * width + s];
	free(some);
	return c;
}

/* Twice the share of choices whose sum is as little, or as much, whichever are fewer. */
static double exact_p(size_t sum, size_t n, const size_t *rank, size_t many)
{
	struct choices c = stats_choose(n, rank, many);
	double little = 0, much = 0;

	for (size_t s = 0; s <= c.sums; s++) {
		little += s <= sum ? c.ways[s] : 0;
		much += s >= sum ? c.ways[s] : 0;
	}
	free(c.ways);
	return fmin(1, 2 * fmin(little, much) / c.all);
}

double stats_least_p(size_t n, size_t m)
{
	double p = 2;

	for (size_t i = 1; i <= n; i++)
		p *= (double)i / (double)(m + i);
	return fmin(p, 1);
}

double stats_alarms(size_t n, size_t m)
{
	size_t rank[STATS_EXACT];
	double some = 0, all;
	struct choices c;

	if (n + m > STATS_EXACT)
		return 0.05;
	for (size_t i = 0; i < n + m; i++)
		rank[i] = 2 * (i + 1);
	c = stats_choose(n < m ? n : m, rank, n + m);
	all = c.all;
	for (size_t s = 0; 2 * (some + c.ways[s]) < 0.05 * all; s++)
		some += c.ways[s];
	free(c.ways);
	return 2 * some / all;
}

/*
 * The doubled ranks of x and y among both, in ascending order, and the sum of t^3 - t
 * over groups of t tied ones.
 */
static double rank_both(const double *x, size_t n, const double *y, size_t m,
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
 * Exact: Hollander and Wolfe, Nonparametric Statistical Methods, 1999, chapter 4. By the
 * normal distribution: with the corrections for ties and continuity (the same), as R's
 * wilcox.test does.
 */
double stats_mann_whitney(const double *x, size_t n, const double *y, size_t m)
{
	double u = 0, count = (double)(n + m), half = (double)n * (double)m / 2;
	double ties, spread, p = 1;
	double *both = say_alloc(n + m, sizeof *both);
	size_t *rank = say_alloc(n + m, sizeof *rank);

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < m; k++)
			u += x[i] > y[k] ? 1 : x[i] == y[k] ? 0.5 : 0;
	ties = rank_both(x, n, y, m, both, rank);
	if (n + m <= STATS_EXACT)
		p = n < m ? exact_p((size_t)(2 * u) + n * (n + 1), n, rank, n + m)
			  : exact_p((size_t)(4 * half - 2 * u) + m * (m + 1), m, rank,
				    n + m);
	else {
		spread = sqrt(half / 6 * (count + 1 - ties / count / (count - 1)));
		if (spread > 0 && fabs(u - half) > 0.5)
			p = 2 * normal_above((fabs(u - half) - 0.5) / spread);
		p = fmax(p, stats_least_p(n, m));
	}
	free(both);
	free(rank);
	return p;
}

/*
 * The shift, which is a difference over its standard error with the pooled variance, as a
 * difference. The ranks are judged as a t test is at the level they allow, with 3 / pi of
 * the figures, their efficiency for normal ones (Lehmann, Nonparametrics, 1975). That is
 * of many figures: of 20,000 trials with normal ones such a difference was found in 76.8
 * % with 4 and 4, 79.0 % with 5 and 5, and 79.2 to 80.0 % with more, up to 25 and 25.
 */
struct stats_could stats_could(const struct stats_sample *x, const struct stats_sample *y)
{
	size_t freedom = x->n + y->n - 2;
	double error, level;

	if (x->n < 2 || y->n < 2 || x->mean == 0)
		return (struct stats_could){NAN, NAN};
	error = sqrt((x->squares + y->squares) / (double)freedom *
		     (1 / (double)x->n + 1 / (double)y->n)) / x->mean;
	level = stats_alarms(x->n, y->n);
	return (struct stats_could){
		.ranks = level > 0 ? stats_shift(level, 0.8, freedom) * error /
					     sqrt(3 / PI)
				   : NAN,
		.t = stats_shift(0.05, 0.8, freedom) * error,
	};
}

/*
 * The median of n figures drawn from x with replacement; `times` has room for n counts.
 */
static double median_drawn(const double *x, size_t n, struct random *random,
			   unsigned *times)
{
	size_t seen = 0, i = 0;
	double low;

	for (size_t k = 0; k < n; k++)
		times[k] = 0;
	for (size_t k = 0; k < n; k++)
		times[random_below(random, n)]++;
	while ((seen += times[i]) < (n + 1) / 2)
		i++;
	low = x[i];
	while (seen < n / 2 + 1)
		seen += times[++i];
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
	of = say_alloc(draws, sizeof *of);
	times = say_alloc(n > m ? n : m, sizeof *times);
	for (size_t i = 0; i < draws; i++) {
		double first = median_drawn(x, n, &random, times);

		of[i] = median_drawn(y, m, &random, times) /
			(first != 0 ? first : centre);
	}
	stats_sort(of, draws);
	r.low = of[(size_t)((double)draws * 0.025)];
	r.high = of[draws - 1 - (size_t)((double)draws * 0.025)];
	free(of);
	free(times);
	return r;
}

static int by_figure(const void *a, const void *b)
{
	return ascending(*(double *const *)a, *(double *const *)b);
}

/*
 * Scandinavian Journal of Statistics 6, 1979: each, from the least, by as many as have
 * not been rejected before it.
 */
void stats_holm(double *p, size_t n)
{
	double **sorted = say_alloc(n, sizeof *sorted), at_least = 0;

	for (size_t i = 0; i < n; i++)
		sorted[i] = &p[i];
	if (n)
		qsort(sorted, n, sizeof *sorted, by_figure);
	for (size_t i = 0; i < n; i++)
		at_least = *sorted[i] =
			fmax(at_least, fmin(1, *sorted[i] * (double)(n - i)));
	free(sorted);
}
