/* steady.c: windows of time and SNIA's rule; see steady.h. */
#include "steady.h"

#include <math.h>
#include <stdio.h>

static const double RANGE_MOST = 0.20, SLOPE_MOST = 0.10;

void steady_start(struct steady *s)
{
	*s = (struct steady){.seconds = 1};
}

static void merge_pairs(struct steady *s)
{
	for (unsigned i = 0; i < STEADY_WINDOWS / 2; i++)
		s->ops[i] = s->ops[2 * i] + s->ops[2 * i + 1];
	s->count = STEADY_WINDOWS / 2;
	s->seconds *= 2;
}

void steady_add(struct steady *s, double ops)
{
	s->pending += ops;
	if (++s->pending_seconds < s->seconds)
		return;
	s->ops[s->count++] = s->pending;
	s->pending = s->pending_seconds = 0;
	if (s->count == STEADY_WINDOWS)
		merge_pairs(s);
}

/* The rate of a round; rounds are counted from the end of the run. */
static double round_rate(const struct steady *s, unsigned length, unsigned from_end)
{
	double sum = 0;

	for (unsigned i = 0; i < length; i++)
		sum += s->ops[s->count - 1 - from_end * length - i];
	return sum / (length * s->seconds);
}

/* The range and the slope of five rounds, the last of them so many before the end. */
static void judge_five(const struct steady *s, unsigned length, unsigned from_end, double *range, double *slope)
{
	double least = INFINITY, most = -INFINITY, sum = 0, moment = 0;

	for (int i = 0; i < STEADY_ROUNDS; i++) {
		double rate = round_rate(s, length, from_end + (unsigned)i);

		least = fmin(least, rate);
		most = fmax(most, rate);
		sum += rate;
		moment += rate * (STEADY_ROUNDS / 2 - i); /* NOLINT(bugprone-integer-division): the middle round is a whole one */
	}
	/* Least squares over -2 ... 2: the slope is moment / 10, and the line changes by four of it. */
	*range = sum > 0 ? (most - least) * STEADY_ROUNDS / sum : NAN;
	*slope = sum > 0 ? fabs(moment / 10 * (STEADY_ROUNDS - 1)) * STEADY_ROUNDS / sum : NAN;
}

static double variation(const struct steady *s)
{
	double sum = 0, squares = 0;

	for (unsigned i = 0; i < s->count; i++)
		sum += s->ops[i];
	for (unsigned i = 0; i < s->count; i++)
		squares += (s->ops[i] - sum / s->count) * (s->ops[i] - sum / s->count);
	return s->count > 1 && sum > 0 ? sqrt(squares / (s->count - 1)) * s->count / sum : NAN;
}

struct steadiness steady_judge(const struct steady *s)
{
	struct steadiness j = {variation(s), NAN, NAN, NAN, NAN};
	unsigned length = s->count < 20 ? 1 : s->count / 10, rounds = s->count / length, kept = 0;

	if (rounds < STEADY_ROUNDS)
		return j;
	judge_five(s, length, 0, &j.range, &j.slope);
	for (unsigned end = 0; end + STEADY_ROUNDS <= rounds; end++, kept = end) {
		double range, slope;

		judge_five(s, length, end, &range, &slope);
		if (!(range <= RANGE_MOST && slope <= SLOPE_MOST))
			break;
	}
	j.steady = kept > 0;
	if (kept)
		j.since = (s->count - (kept + STEADY_ROUNDS - 1) * length) * s->seconds;
	return j;
}

void steady_rates(const struct steady *s, char *text, size_t size)
{
	size_t n = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < s->count && n + 24 < size; i++)
		n += (size_t)snprintf(text + n, size - n, "%s%.0f", i ? " " : "", s->ops[i] / s->seconds);
}
