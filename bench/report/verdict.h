/*
 * verdict.h: is a row valid, valid with warnings or invalid, and why; and what limited
 * its rate.
 *
 * Nothing decides but the arguments and the size of a page: no option, engine or thread
 * is asked. Texts are the aggregate's (`texts`).
 */
#ifndef BENCH_REPORT_VERDICT_H
#define BENCH_REPORT_VERDICT_H

#include "../../util/result.h"
#include "../runner/metrics.h"

/* Why the row is invalid, or NULL. */
const char *verdict_invalid_reason(const struct aggregate *a);

/* How many operations were done, if not all of a fixed number; or NULL. */
const char *verdict_undone_reason(const struct aggregate *a);

/*
 * For workloads that require the rate of their writes: why it was not met, or NULL.
 * Writes may be late by a second, or 1 % of the time if that is more. At most 5 % may
 * be missing at the end, which is the stricter limit in short runs.
 */
const char *verdict_missed_rate_reason(const struct aggregate *a);

/* Warnings about the machine and the results, or NULL; the row's columns are filled. */
const char *verdict_warnings(const struct aggregate *a, const struct result *r);

/*
 * What limited the rate: the word of the first rule that holds, and in *detail the number
 * that it rests on. The row's columns are filled. "unclear": no rule holds.
 */
const char *verdict_bound_by(const struct aggregate *a, const struct result *r,
			     const char **detail);

#endif
