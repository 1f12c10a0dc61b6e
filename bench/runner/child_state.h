/*
 * child_state.h: state that outlives the process that runs benchmarks. It is in memory
 * shared with the parent, which reports the benchmark that the process died in.
 */
#ifndef BENCH_RUNNER_CHILD_STATE_H
#define BENCH_RUNNER_CHILD_STATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../util/os/supervisor.h"
#include "../../util/record.h"
#include "database.h"
#include "../workload/plan_item.h"
#include "metrics.h"
#include "monitor.h"

/* The process that runs benchmarks writes it; the parent reads it. */
struct child_state {
	const struct workload *_Atomic workload; /* that runs, or NULL */
	/* The call that main() is in; NULL: the threads work */
	const char *_Atomic activity;
	_Atomic uint64_t began_ns;       /* clock_raw_ns */
	struct plan_item item;           /* the benchmark that runs */
	struct record_sizes value_sizes; /* of its records */
	char time[32];                   /* when it began, for its row */
	_Atomic bool stop_list;          /* the plan must not continue */
	struct report_state report_state;
	struct progress *progress;
	char engine_options[DATABASE_OPTIONS_SIZE];
};

/*
 * Allocate the state for this many threads; the counts of --progress_file are in that
 * file. Ends the program on failure.
 */
struct child_state *child_state_create(unsigned threads);

/* Store what the row of a benchmark needs, whichever process writes it. */
void child_state_begin(struct child_state *state, const struct plan_item *item,
		       const struct record_sizes *sizes);

/* A number that changes as long as the process makes progress. */
uint64_t child_state_progress(const struct child_state *state);

/*
 * Write to `why` why the benchmark ended with its process: `cause` if it is not NULL,
 * else the usual cause of such an end. Returns how many operations it had published.
 */
uint64_t child_state_explain(const struct child_state *state, enum supervisor_outcome end,
			     int how, const char *cause, const char *path, char *why,
			     size_t size);

#endif
