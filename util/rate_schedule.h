/*
 * rate_schedule.h: the scheduled start of each operation of an open loop, however long
 * earlier operations took.
 *
 * Each thread has its own struct rate_schedule. Arrivals come at a constant interval or
 * as a Poisson process (exponential gaps). Times are ticks of the clock. The schedule is
 * a sum of exact gaps, so that a day of operations drifts by less than a microsecond.
 */
#ifndef UTIL_RATE_SCHEDULE_H
#define UTIL_RATE_SCHEDULE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "os/clock.h"
#include "random.h"

/*
 * A rate of d + a * sin(b * t + c) per second, t seconds after the beginning, updated at
 * this interval.
 */
struct rate_schedule_sine {
	double a, b, c, d, interval;
	double noise; /* up to half this fraction of a is added or subtracted */
};

/* Listed scheduled starts of one chunk, in ticks from the beginning of the list. */
enum { RATE_SCHEDULE_CHUNK = 192 };
struct rate_schedule_times {
	unsigned n, next;
	uint64_t starts[RATE_SCHEDULE_CHUNK];
};

struct rate_schedule {
	const struct clock *clock;
	bool poisson;
	double mean_gap; /* mean, in ticks */
	double (*next_gap)(
		struct rate_schedule *p); /* ticks from one operation to the next */
	unsigned drawn_next, drawn_count; /* gaps drawn in idle time, with a mean of 1 */
	float drawn_gaps[64];
	struct rate_schedule_sine sine;
	/* of a sine: ticks since the beginning, and when the rate changes */
	double elapsed, rate_change_at;
	double burst_ticks; /* from one burst to the next */
	uint64_t issued;    /* operations in them */
	struct rate_schedule_times
		*times;       /* owned by the caller; NULL: gaps follow from a rate */
	uint64_t first_ticks; /* ticks at time 0 of the list */
	bool has_first_ticks;
	uint64_t next_start;        /* scheduled start of the next operation, ticks, */
	double next_start_fraction; /* and its fraction of a tick */
	struct random random;
};

/*
 * Begins at `start` with `per_second` operations, above 0. The first starts after `phase`
 * gaps, by which threads can be interleaved; in a Poisson process one random gap is
 * added.
 */
struct rate_schedule rate_schedule_start(const struct clock *clock, uint64_t start,
					 double per_second, bool poisson, double phase,
					 struct random random);

/* The same with the rate of a sine, which must be above 0 at times. */
struct rate_schedule rate_schedule_start_sine(const struct clock *clock, uint64_t start,
					      const struct rate_schedule_sine *sine,
					      bool poisson, double phase,
					      struct random random);

/*
 * Lets a schedule at constant intervals, which has just begun, start the operations of
 * `seconds` together at the beginning of these seconds.
 */
void rate_schedule_in_bursts(struct rate_schedule *p, double seconds);

bool rate_schedule_is_sine(const struct rate_schedule *p);

/*
 * Follows a list that the caller fills one chunk at a time: it enters n and the starts,
 * then calls rate_schedule_take_times, once the operations before them are done. Time 0
 * of the list is `start`.
 */
struct rate_schedule rate_schedule_start_times(const struct clock *clock, uint64_t start,
					       struct rate_schedule_times *times);
void rate_schedule_take_times(struct rate_schedule *p);

/* Operations per second: as requested, or the mean of those scheduled so far. */
double rate_schedule_rate(const struct rate_schedule *p);

/*
 * Ticks at which a schedule of n operations that began at `start` ends: all have been
 * scheduled.
 */
uint64_t rate_schedule_end(const struct rate_schedule *p, uint64_t start, uint64_t n);

/* Scheduled start of the next operation, ticks. */
static inline uint64_t rate_schedule_next_start(const struct rate_schedule *p)
{
	return p->next_start;
}

/* Whether there is time to sleep before the next scheduled start. */
bool rate_schedule_can_sleep(const struct rate_schedule *p);

/* Moves on to the next operation. */
void rate_schedule_advance(struct rate_schedule *p);

/*
 * Waits until `ticks`: sleeps while there is time, then busy-waits. Returns false if
 * *stop was set first.
 */
bool rate_schedule_wait_until(struct rate_schedule *p, uint64_t ticks,
			      const atomic_bool *stop);

/* Wait until the scheduled start of the next operation. */
static inline bool rate_schedule_wait(struct rate_schedule *p, const atomic_bool *stop)
{
	return rate_schedule_wait_until(p, p->next_start, stop);
}

/*
 * Number of operations scheduled by `end` beyond the next one, which was about to begin.
 * A Poisson process is counted on a copy; beyond a million operations the mean gap gives
 * an estimate.
 */
uint64_t rate_schedule_backlog(const struct rate_schedule *p, uint64_t end);

#endif
