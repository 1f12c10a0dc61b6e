/*
 * replay.h: --trace_in: operations that come from a trace (util/trace.h).
 *
 * A thread of its own reads the trace and hands its lines to the workers in blocks. Each
 * worker has a few blocks: memory does not grow with the trace, and no worker parses. All
 * lines of a key go to one worker, in the order of the trace.
 *
 *     get, gets                            get
 *     set                                  put
 *     add                                  get, and put if there was none
 *     replace, cas, append, prepend,
 *     incr, decr                           get, and put if there was one
 *     delete                               delete
 *     scan (a recording's)                 seek, and read so many records
 *
 * A put writes a value of the size that its line gives, whatever its size was before.
 * TTLs are ignored.
 */
#ifndef BENCH_EXTRAS_REPLAY_H
#define BENCH_EXTRAS_REPLAY_H

#include <stdatomic.h>
#include <stdbool.h>

#include "../../util/rate_schedule.h"
#include "../workload/generator.h"
#include "../workload/plan_item.h"
#include "trace_settings.h"

/* Gets of a replay, by what they found when they were recorded. */
struct replay_gets {
	uint64_t recorded_found, lost; /* found a record, and of these none here */
	uint64_t gained;               /* found none, and one here */
};

struct replay_reader; /* reads the trace while the workers run */
struct replay;        /* a worker's part of it */

/* The workloads; a NULL name ends them. */
enum { REPLAY_LOAD, REPLAY_RUN };
extern struct workload replay_workloads[];

/*
 * Read the trace of --trace_in through, if the plan replays it: a line that cannot be
 * parsed ends the program. Afterwards the facts and the number of threads are known, and
 * the workloads have their weights and operations. Returns `count`.
 */
unsigned replay_change_plan(struct plan_item *list, unsigned count,
			    struct trace_facts *facts);

/* The arguments of a worker's replay. */
struct replay_arguments {
	struct replay_reader **reader; /* shared; the first worker starts and ends it */
	unsigned threads;
	bool calibrating; /* stop after the worker's planned operations */
	const atomic_bool *stop;
	/* set by the times of the trace; NULL: no schedule */
	struct rate_schedule *schedule;
	const struct clock *clock;
};

/* Called before a generator's first operation, and after its last. */
void replay_start(struct generator *g, const struct replay_arguments *arguments);
void replay_end(struct generator *g);

/* As generator_next. */
unsigned replay_next(struct generator *g, unsigned n);

/* The slot found no record; the n slots from `from` on are done. */
void replay_note_missing(const struct generator *g, unsigned slot);
void replay_note_done(const struct generator *g, unsigned from, unsigned n);
/* The counts of a worker's gets. */
const struct replay_gets *replay_gets_of(const struct generator *g);

/* CPU seconds spent reading the trace so far; 0 for NULL. */
double replay_cpu_seconds(const struct replay_reader *reader);

#endif
