/* steady.c: windows of time and SNIA's rule; see steady.h. */
#include "steady.h"

#include <math.h>
#include <stdio.h>

#include "stats.h"

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

/* The rate of `length` windows. */
static double rate_of(const struct steady *s, unsigned from, unsigned length)
{
	double sum = 0;

	for (unsigned i = 0; i < length; i++)
		sum += s->ops[from + i];
	return sum / (length * s->seconds);
}

/* That of a round; rounds are counted from the end of the run. */
static double round_rate(const struct steady *s, unsigned length, unsigned from_end)
{
	return rate_of(s, s->count - (from_end + 1) * length, length);
}

/* The range and the slope of five rounds, the last of them so many before the end. */
static struct stats_drift judge_five(const struct steady *s, unsigned length,
				     unsigned from_end)
{
	double rates[STEADY_ROUNDS];

	for (unsigned i = 0; i < STEADY_ROUNDS; i++)
		rates[STEADY_ROUNDS - 1 - i] = round_rate(s, length, from_end + i);
	return stats_drift(rates, STEADY_ROUNDS);
}

struct steadiness steady_judge(const struct steady *s)
{
	struct steadiness j = {.cv = stats_variation(s->ops, s->count),
			       .range = NAN,
			       .slope = NAN,
			       .steady = NAN,
			       .first = NAN,
			       .last = NAN,
			       .since = NAN};
	unsigned length = s->count < 20 ? 1 : s->count / 10, rounds = s->count / length,
		 kept = 0, fifth;
	struct stats_drift drift;

	if (rounds < STEADY_ROUNDS)
		return j;
	fifth = s->count / 5;
	j.first = rate_of(s, 0, fifth);
	j.last = rate_of(s, s->count - fifth, fifth);
	for (unsigned end = 0; end + STEADY_ROUNDS <= rounds; end++, kept = end) {
		drift = judge_five(s, length, end);
		if (!end) {
			j.range = drift.range;
			j.slope = drift.slope;
		}
		if (!stats_steady(&drift))
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
		n += (size_t)snprintf(text + n, size - n, "%s%.0f", i ? " " : "",
				      s->ops[i] / s->seconds);
}
