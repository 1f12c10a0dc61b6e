/* steady_state.c: windows of time and SNIA's rule; see steady_state.h. */
#include "steady_state.h"

#include <math.h>
#include <stdio.h>

#include "stats.h"

void steady_state_init(struct steady_state *s)
{
	*s = (struct steady_state){.window_s = 1};
}

static void merge_pairs(struct steady_state *s)
{
	for (unsigned i = 0; i < STEADY_STATE_WINDOWS / 2; i++)
		s->window_ops[i] = s->window_ops[2 * i] + s->window_ops[2 * i + 1];
	s->windows = STEADY_STATE_WINDOWS / 2;
	s->window_s *= 2;
}

void steady_state_add(struct steady_state *s, double ops)
{
	s->partial_ops += ops;
	if (++s->partial_s < s->window_s)
		return;
	s->window_ops[s->windows++] = s->partial_ops;
	s->partial_ops = s->partial_s = 0;
	if (s->windows == STEADY_STATE_WINDOWS)
		merge_pairs(s);
}

void steady_state_end(struct steady_state *s, double seconds)
{
	while (s->windows && s->windows * s->window_s > seconds)
		s->windows--;
}

/* The rate over `length` windows. */
static double window_rate(const struct steady_state *s, unsigned from, unsigned length)
{
	double sum = 0;

	for (unsigned i = 0; i < length; i++)
		sum += s->window_ops[from + i];
	return sum / (length * s->window_s);
}

/* The rate of a round; rounds are counted from the end of the run. */
static double round_rate(const struct steady_state *s, unsigned length, unsigned from_end)
{
	return window_rate(s, s->windows - (from_end + 1) * length, length);
}

/* Drift of five rounds, the last of which is this many before the end. */
static struct stats_drift five_round_drift(const struct steady_state *s, unsigned length,
					   unsigned from_end)
{
	double rates[STEADY_STATE_ROUNDS];

	for (unsigned i = 0; i < STEADY_STATE_ROUNDS; i++)
		rates[STEADY_STATE_ROUNDS - 1 - i] = round_rate(s, length, from_end + i);
	return stats_drift(rates, STEADY_STATE_ROUNDS);
}

struct steady_state_verdict steady_state_judge(const struct steady_state *s)
{
	struct steady_state_verdict j = {.cv = stats_variation(s->window_ops, s->windows),
					 .range = NAN,
					 .slope = NAN,
					 .steady = NAN,
					 .rate_first_fifth = NAN,
					 .rate_last_fifth = NAN,
					 .steady_since_s = NAN};
	unsigned length = s->windows < 20 ? 1 : s->windows / 10,
		 rounds = s->windows / length, kept = 0, fifth;
	struct stats_drift drift;

	if (rounds < STEADY_STATE_ROUNDS)
		return j;
	fifth = s->windows / 5;
	j.rate_first_fifth = window_rate(s, 0, fifth);
	j.rate_last_fifth = window_rate(s, s->windows - fifth, fifth);
	for (unsigned end = 0; end + STEADY_STATE_ROUNDS <= rounds; end++, kept = end) {
		drift = five_round_drift(s, length, end);
		if (!end) {
			j.range = drift.range;
			j.slope = drift.slope;
		}
		if (!stats_is_steady(&drift))
			break;
	}
	j.steady = kept > 0;
	if (kept)
		j.steady_since_s =
			(s->windows - (kept + STEADY_STATE_ROUNDS - 1) * length) *
			s->window_s;
	return j;
}

void steady_state_format_rates(const struct steady_state *s, char *text, size_t size)
{
	size_t n = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < s->windows && n + 24 < size; i++)
		n += (size_t)snprintf(text + n, size - n, "%s%.0f", i ? " " : "",
				      s->window_ops[i] / s->window_s);
}
