/*
 * mixgraph_generator.h: generates the operations of mixgraph (util/mixgraph.h):
 * operation and sizes are drawn for each one.
 */
#ifndef BENCH_EXTRAS_MIXGRAPH_GENERATOR_H
#define BENCH_EXTRAS_MIXGRAPH_GENERATOR_H

#include "../workload/generator.h"

/* As generator_next. */
unsigned mixgraph_generator_next(struct generator *g, unsigned n);

#endif
