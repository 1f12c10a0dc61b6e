/* extras.c: see extras.h. An extra is named here and in its own files only. */
#include "extras.h"

#include <stddef.h>

extern const struct extra queue_extra;
extern const struct extra insert_benchmark_extra;
extern const struct extra smallbank_extra;
extern const struct extra random_transaction_extra;
extern const struct extra mixgraph_extra;
extern const struct extra trace_extra;
extern const struct extra aging_extra;
extern const struct extra maintenance_extra;
extern const struct extra soak_extra;
extern const struct extra probe_extra;
extern const struct extra long_reader_extra;
extern const struct extra backup_extra;
extern const struct extra device_limit_extra;
extern const struct extra engine_counters_extra;
extern const struct extra slow_calls_extra;
extern const struct extra commit_journal_extra;
extern const struct extra crossing_extra;

/*
 * One a line, to be deleted one by one. At the beginning of a run, backup reads the
 * database before engine_counters and crossing count calls.
 */
/* clang-format off */
const struct extra *const extras_table[] = {
	&queue_extra,
	&insert_benchmark_extra,
	&smallbank_extra,
	&random_transaction_extra,
	&mixgraph_extra,
	&trace_extra,
	&aging_extra,
	&maintenance_extra,
	&soak_extra,
	&probe_extra,
	&long_reader_extra,
	&backup_extra,
	&device_limit_extra,
	&engine_counters_extra,
	&slow_calls_extra,
	&commit_journal_extra,
	&crossing_extra,
	NULL,
};
/* clang-format on */

_Static_assert(sizeof(extras_table) / sizeof(extras_table[0]) <= EXTRAS_MAX + 1,
	       "raise EXTRAS_MAX");
