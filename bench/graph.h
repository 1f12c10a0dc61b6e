/*
 * graph.h: the questions of mixgraph (util/mixgraph.h): what is done is drawn anew for
 * each operation, and how much.
 */
#ifndef GRAPH_H
#define GRAPH_H

#include "ask.h"

/* As ask_next. */
unsigned graph_next(struct ask *a, unsigned n);

#endif
