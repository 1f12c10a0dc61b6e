/*
 * pace.h: when each operation of an open loop is due, whatever became of those before it.
 *
 * A thread has its own struct pace. Arrivals come at a constant interval or as a Poisson
 * process (exponential gaps). Time is in ticks of the clock; the schedule is kept as a
 * sum of exact gaps, so that a day of operations drifts by less than a microsecond.
 */
#ifndef PACE_H
#define PACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "clock.h"
#include "random.h"

struct pace {
	const struct clock *clock;
	bool poisson;
	double gap;      /* mean, in ticks */
	unsigned head, ahead; /* gaps drawn while there was time */
	float drawn[64];
	uint64_t whole;  /* ticks at which the next operation is due, */
	double fraction; /* and a part of one */
	struct random random;
};

/*
 * Begin at `start` with `per_second` operations, above 0. The first is due after `phase`
 * of a gap, 0 to 1, by which threads of a constant rate can be interleaved.
 */
struct pace pace_start(const struct clock *clock, uint64_t start, double per_second,
		       bool poisson, double phase, struct random random);

/* When the next one is due. */
static inline uint64_t pace_due(const struct pace *p)
{
	return p->whole;
}

/* Is there time to sleep until then? */
bool pace_rests(const struct pace *p);

/* On to the one after it. */
void pace_advance(struct pace *p);

/*
 * Wait until `ticks`: asleep while there is time, then awake. False if *stop came first.
 */
bool pace_wait_until(struct pace *p, uint64_t ticks, const atomic_bool *stop);

/* The same until the next operation is due. */
static inline bool pace_wait(struct pace *p, const atomic_bool *stop)
{
	return pace_wait_until(p, p->whole, stop);
}

/*
 * How many operations are due by `end` beyond the next one, which was about to begin.
 * Those of a Poisson process are counted on a copy of it; beyond a million they are
 * estimated by the mean gap.
 */
uint64_t pace_backlog(const struct pace *p, uint64_t end);

#endif
