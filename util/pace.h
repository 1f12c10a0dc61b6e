/*
 * pace.h: the intended start of each operation of an open loop, whatever became of those
 * before it.
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

/*
 * A rate of a sin(b t + c) + d a second, t seconds after the beginning, set anew after so
 * many.
 */
struct pace_sine {
	double a, b, c, d, interval;
	double noise; /* up to half this share of a is added or taken off */
};

/* When some operations are due, in ticks from the beginning of all; those of one turn. */
enum { PACE_TIMES = 192 };
struct pace_times {
	unsigned n, at;
	uint64_t due[PACE_TIMES];
};

struct pace {
	const struct clock *clock;
	bool poisson;
	double gap;			/* mean, in ticks */
	double (*next)(struct pace *p); /* ticks from one operation to the next */
	unsigned head, ahead; /* gaps drawn while there was time, of a mean of 1 */
	float drawn[64];
	struct pace_sine sine;
	/* of a sine: ticks since the beginning, and when the rate changes */
	double elapsed, changes;
	uint64_t issued;	  /* operations in them */
	struct pace_times *times; /* the caller's; NULL: gaps follow from a rate */
	uint64_t base;		  /* ticks of their 0 */
	bool based;
	uint64_t whole;	 /* intended start of the next operation, ticks, */
	double fraction; /* and a part of one */
	struct random random;
};

/*
 * Begin at `start` with `per_second` operations, above 0. The first is due after `phase`
 * gaps, by which threads can be interleaved; of a Poisson process, one of its own later.
 */
struct pace pace_start(const struct clock *clock, uint64_t start, double per_second,
		       bool poisson, double phase, struct random random);

/* Begin likewise at the rate of a sine, which is above 0 at times. */
struct pace pace_start_sine(const struct clock *clock, uint64_t start,
			    const struct pace_sine *sine, bool poisson, double phase,
			    struct random random);

bool pace_sines(const struct pace *p);

/*
 * By times that the caller enters a few at a time: n and due, and then pace_take, when
 * the operations before them are over. Their 0 is what `whole` is at the first of these.
 */
struct pace pace_start_times(const struct clock *clock, uint64_t start,
			     struct pace_times *times);
void pace_take(struct pace *p);

/* Operations a second: as asked for, or the mean of those that were due. */
double pace_rate(const struct pace *p);

/*
 * Ticks at which a schedule of n operations that began at `start` ends; all of them have
 * been due.
 */
uint64_t pace_end(const struct pace *p, uint64_t start, uint64_t n);

/* Intended start of the next operation, ticks. */
static inline uint64_t pace_due(const struct pace *p)
{
	return p->whole;
}

/* Is there time to sleep until then? */
bool pace_rests(const struct pace *p);

/* On to the operation after it. */
void pace_advance(struct pace *p);

/*
 * Wait until `ticks`: asleep while there is time, then busy. False if *stop came first.
 */
bool pace_wait_until(struct pace *p, uint64_t ticks, const atomic_bool *stop);

/* Wait until the intended start of the next operation. */
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
