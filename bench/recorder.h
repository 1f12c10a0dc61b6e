/*
 * recorder.h: --record: what a benchmark asked, as a trace (util/trace.h).
 *
 * Between its turns each thread appends what it did to a file of its own, which has no
 * name; when all have ended they are merged in the order of time. With --record values
 * are made from key and size alone, so that whoever replays the trace writes, and reads,
 * the same bytes.
 */
#ifndef RECORDER_H
#define RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "../util/clock.h"
#include "ask.h"
#include "place.h"
#include "plan.h"

struct recorder; /* a thread's */

/* Which benchmark of the list is recorded; what cannot be ends the program. */
void recorder_plan(const struct entry *list);

/* That of thread `number` of a workload; NULL: it is not recorded. */
struct recorder *recorder_start(const struct workload *load, unsigned number);
void recorder_free(struct recorder *r);

/*
 * These n slots were done, one after another from `start` on, in ticks since the thread
 * began; or their intended starts, in ticks of the clock, `began` of which it began at.
 */
struct recorder_turn {
	const struct ask *ask;
	unsigned from, n;
	uint64_t began, start;
	const uint64_t *due; /* of all slots; NULL: no open loop */
	bool grouped;	     /* they are one call */
};

void recorder_note(struct recorder *r, const struct recorder_turn *turn);

/* All n threads have ended: write the trace. What goes wrong is a failure. */
void recorder_finish(struct recorder *const *recorders, unsigned n,
		     const struct clock *clock, struct failure *failure);

#endif
