/*
 * row.h: fills the columns of a row from the values of a benchmark.
 *
 * The texts of a row are valid until the next one is filled.
 */
#ifndef BENCH_REPORT_ROW_H
#define BENCH_REPORT_ROW_H

#include "../../util/result.h"
#include "../runner/metrics.h"

/* Fill the row of a benchmark that ran, and judge it. */
void row_fill(const struct aggregate *a, struct result *r);

/* Fill that of one that could not begin, or whose process died. */
void row_fill_invalid(const struct aggregate *a, struct result *r, uint64_t ops,
		      const char *why);

#endif
