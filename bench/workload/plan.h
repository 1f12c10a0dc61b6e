/*
 * plan.h: expands --benchmarks into a plan: repetitions, passes of --age, and checks
 * for contradictory options.
 */
#ifndef BENCH_WORKLOAD_PLAN_H
#define BENCH_WORKLOAD_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "../../util/record.h"
#include "workload.h"

/* One benchmark of the plan. */
struct plan_item {
	const struct workload *workload; /* NULL ends a plan */
	unsigned threads;
	/* iteration 1 ... of this many in this process */
	unsigned iteration, iterations;
	unsigned repetition;      /* 0 ... below --repeat */
	unsigned first_iteration; /* index of its first iteration in the plan */
	bool is_warmup;           /* not reported */
	unsigned age_pass;        /* part of this pass of --age; 0: of none */
};

/*
 * Expand the list of benchmarks as often as --repeat says into `list`, which has `most`
 * elements and one more for the end. Returns the length of one repetition. A
 * contradiction ends the program with status 2 and one line.
 */
unsigned plan_make(struct plan_item *list, unsigned most);

/* Operations of each thread, or of all together if the workload divides them. */
uint64_t plan_operations(const struct workload *workload);

/*
 * Fill roles[] with the background threads that options add to a workload; returns
 * their number.
 */
unsigned plan_added_background(const struct workload *workload,
			       const struct workload *roles[ADDED_BACKGROUNDS]);
/* How many records each seek reads. */
struct record_sizes plan_scan_lengths(const struct workload *workload);

/* Writes in a transaction, or keys in a multi-get. */
uint64_t plan_batch(const struct workload *workload);

#endif
