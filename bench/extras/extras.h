/* extras.h: the table of extras. */
#ifndef BENCH_EXTRAS_EXTRAS_H
#define BENCH_EXTRAS_EXTRAS_H

#include "../workload/extra.h"

/* A row each; NULL ends it. */
extern const struct extra *const extras_table[];

#endif
