/*
 * steady.h: did the rate hold? Operations per window of time, in constant memory, judged
 * by SNIA's rule.
 *
 * Windows begin at one second; when STEADY_WINDOWS of them are full, pairs are merged and
 * windows are twice as long from then on. Five rounds in a row are judged by
 * stats_steady.
 */
#ifndef STEADY_H
#define STEADY_H

#include <stdbool.h>
#include <stddef.h>

enum { STEADY_WINDOWS = 512, STEADY_ROUNDS = 5 };

struct steady {
	double seconds;  /* length of a window */
	unsigned count;  /* of complete windows */
	double ops[STEADY_WINDOWS];
	double pending;  /* operations, and seconds, of a window begun */
	double pending_seconds;
};

void steady_start(struct steady *s);

/* `ops` more operations were done in one more second. */
void steady_add(struct steady *s, double ops);

struct steadiness {
	/* coefficient of variation of the windows' rates; NaN below two windows */
	double cv;
	/*
	 * (largest - smallest) / mean, and the line's change / mean, of the last five
	 * rounds;
	 */
	double range;
	double slope;  /* NaN below five */
	/*
	 * 1 if the last five rounds keep the rule, 0 if not, NaN if there were not so
	 * many
	 */
	double steady;
	/* rates of the first and the last fifth of the windows; NaN below five windows */
	double first, last;
	/*
	 * seconds after the start from which on every five rounds kept it; NaN if not
	 * steady
	 */
	double since;
};

/*
 * A round is a tenth of the run, rounded down to whole windows, one at least: a run of 5
 * to 19 seconds has rounds of one second.
 */
struct steadiness steady_judge(const struct steady *s);

/* The windows' rates, in operations per second, separated by spaces; as many as fit. */
void steady_rates(const struct steady *s, char *text, size_t size);

#endif
