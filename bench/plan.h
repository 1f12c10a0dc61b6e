/*
 * plan.h: the list of --benchmarks: how often each is run, and what contradicts the
 * options.
 */
#ifndef PLAN_H
#define PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "../util/record.h"
#include "workload.h"

/* One benchmark of the list. */
struct entry {
	const struct workload *load; /* NULL ends a list */
	unsigned threads;
	/* this is repetition 1 ... of so many in this process */
	unsigned repeat, repeats;
	unsigned round;           /* 0 ... of --repeat */
	unsigned first; /* where the first of its repetitions stands in the list */
	bool warm;                /* not reported */
	unsigned age;             /* part of this pass of --age; 0: of none */
};

/*
 * The list as often as --repeat says, ended by an entry without a workload, into room for
 * `most` and that one; answers how long it is once. A contradiction ends the program with
 * status 2 and one line.
 */
unsigned plan_make(struct entry *list, unsigned most);

/*
 * How many operations a thread does, or all of them together when the workload shares
 * them.
 */
uint64_t plan_operations(const struct workload *load);

/*
 * What the background threads do that options add to a workload; answers how many there
 * are.
 */
unsigned plan_asides(const struct workload *load, const struct workload *roles[ASIDES]);
/* How many records each of its seeks reads. */
struct record_sizes plan_scan_lengths(const struct workload *load);

/* Writes in a transaction, keys in a multi-get. */
uint64_t plan_batch(const struct workload *load);

#endif
