/*
 * plan_item.h: one benchmark of the plan. Everything that follows from workload and
 * options is decided once, when the plan is made; later layers read it here.
 */
#ifndef BENCH_WORKLOAD_PLAN_ITEM_H
#define BENCH_WORKLOAD_PLAN_ITEM_H

#include <stdbool.h>
#include <stdint.h>

#include "../../util/record.h"
#include "workload.h"

enum { ADDED_THREADS_MAX = 4 };

struct plan_item {
	const struct workload *workload; /* NULL ends a plan */
	unsigned threads;                /* foreground threads */
	/* iteration 1 ... of this many in this process */
	unsigned iteration, iterations;
	unsigned repetition;      /* 0 ... below --repeat */
	unsigned first_iteration; /* index of its first iteration in the plan */
	bool is_warmup;           /* not reported */
	bool continues; /* the iteration before it, whose database a fill keeps */
	unsigned pass;  /* part of this pass over the database; 0: of none */
	/*
	 * measurements of the database before it, counting those of a database that is
	 * loaded here; a warm-up has the epoch of its workload. See database_epoch
	 */
	uint64_t epoch;

	/* foreground threads and the workload's own background threads */
	unsigned measured_threads;
	/* roles of the threads that extras add */
	unsigned added_count;
	const struct workload *added[ADDED_THREADS_MAX];
	uint64_t records; /* in the database after its load */
	/* of each thread, or of all together if the workload divides them */
	uint64_t operations;
	uint64_t batch;      /* writes in a transaction, or keys in a multi-get */
	bool is_timed;       /* ends by the clock, not by a number of operations */
	bool may_warm_up;    /* not if it ends by itself, with its data */
	bool is_preparation; /* of a later workload: rates of options do not hold */
	enum durability durability;
	struct record_sizes value_sizes, scan_lengths;
};

/* Does it begin by emptying the database? */
static inline bool plan_item_empties(const struct plan_item *item)
{
	return item->workload->starts_empty && !item->continues;
}

/* Does it measure the database, so that it has an epoch? */
static inline bool plan_item_has_epoch(const struct plan_item *item)
{
	return !item->workload->maintenance && !item->pass;
}

#endif
