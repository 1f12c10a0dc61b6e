/*
 * plan.h: expands --benchmarks into a plan: repetitions, what extras add, and checks for
 * contradictory options.
 */
#ifndef BENCH_WORKLOAD_PLAN_H
#define BENCH_WORKLOAD_PLAN_H

#include "plan_item.h"

/*
 * Expand the list of benchmarks as often as --repeat says into `list`, which has `most`
 * elements and one more for the end. Returns the length of one repetition. A
 * contradiction ends the program with status 2 and one line.
 */
unsigned plan_make(struct plan_item *list, unsigned most);

#endif
