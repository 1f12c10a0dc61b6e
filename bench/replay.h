/*
 * replay.h: --trace: questions that come from a trace (util/trace.h).
 *
 * A thread of its own reads the trace and hands its lines to the workers in blocks, of
 * which each worker has a few: so memory does not grow with the trace, and no worker
 * parses. All lines of a key go to one worker, in the order of the trace.
 *
 *     get, gets                            get
 *     set                                  put
 *     add                                  get, and put if there was none
 *     replace, cas, append, prepend,
 *     incr, decr                           get, and put if there was one
 *     delete                               delete
 *     scan (a recording's)                 seek, and read so many records
 *
 * A put writes a value of the size that its line says, whatever was there. TTLs are
 * ignored.
 */
#ifndef REPLAY_H
#define REPLAY_H

#include <stdatomic.h>
#include <stdbool.h>

#include "../util/pace.h"
#include "ask.h"
#include "plan.h"

struct feed;   /* the trace, read while the workers are at it */
struct replay; /* a worker's part of it */

/*
 * Look through the trace of the list, if it is replayed: a line that cannot be read ends
 * the program. Afterwards it is known how many threads there are, and the workloads have
 * their weights and their operations.
 */
void replay_plan(struct entry *list);

/* What a worker is given to replay with. */
struct replay_terms {
	struct feed **feed; /* of all of them; the first one starts and ends it */
	unsigned threads;
	bool calibrates; /* it asks for no more than it was given to do */
	const atomic_bool *stop;
	struct pace *pace; /* made here, by the times of the trace; NULL: there is none */
	const struct clock *clock;
};

/* For one that is about to ask; and when it has ended. */
void replay_start(struct ask *a, const struct replay_terms *terms);
void replay_end(struct ask *a);

/* As ask_next. */
unsigned replay_next(struct ask *a, unsigned n);

/* CPU time in seconds that reading the trace has taken so far; of NULL 0. */
double replay_cpu(const struct feed *feed);

#endif
