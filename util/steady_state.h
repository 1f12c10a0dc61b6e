/*
 * steady_state.h: whether the rate was steady: operations per time window, in constant
 * memory, judged by SNIA's rule.
 *
 * Windows begin at one second. When STEADY_STATE_WINDOWS of them are full, pairs are
 * merged, and later windows are twice as long. Five consecutive rounds are judged by
 * stats_is_steady.
 */
#ifndef UTIL_STEADY_STATE_H
#define UTIL_STEADY_STATE_H

#include <stdbool.h>
#include <stddef.h>

enum { STEADY_STATE_WINDOWS = 512, STEADY_STATE_ROUNDS = 5 };

struct steady_state {
	double window_s;  /* length of a window */
	unsigned windows; /* complete windows */
	double window_ops[STEADY_STATE_WINDOWS];
	double partial_ops; /* operations and seconds of the incomplete window */
	double partial_s;
};

void steady_state_init(struct steady_state *s);

/* Adds `ops` operations of one more second. */
void steady_state_add(struct steady_state *s, double ops);

/*
 * The run lasted `seconds`: drops windows that it did not fill. A thread that ended and
 * has no core to say so keeps the last one open.
 */
void steady_state_end(struct steady_state *s, double seconds);

struct steady_state_verdict {
	/* coefficient of variation of the windows' rates; NaN below two windows */
	double cv;
	/*
	 * (largest - smallest) / mean, and change of the line / mean, of the last five
	 * rounds;
	 */
	double range;
	double slope; /* NaN below five rounds */
	/*
	 * 1: the last five rounds satisfy the rule; 0: they do not; NaN: fewer than five
	 * rounds
	 */
	double steady;
	/* rates of the first and the last fifth of the windows; NaN below five windows */
	double rate_first_fifth, rate_last_fifth;
	/*
	 * seconds from the start after which all five-round windows satisfy the rule; NaN
	 * if not steady
	 */
	double steady_since_s;
};

/*
 * A round is a tenth of the run, rounded down to whole windows, at least one: a run of 5
 * to 19 seconds has rounds of one second.
 */
struct steady_state_verdict steady_state_judge(const struct steady_state *s);

/*
 * Formats the windows' rates, operations per second, separated by spaces; as many as fit.
 */
void steady_state_format_rates(const struct steady_state *s, char *text, size_t size);

#endif
