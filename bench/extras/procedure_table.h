/*
 * procedure_table.h: finds the procedure of a workload, and its numbers of threads,
 * records and operations.
 *
 * The table of workloads contains only the ids of procedures and depends on none; this
 * table resolves them.
 */
#ifndef BENCH_EXTRAS_PROCEDURE_TABLE_H
#define BENCH_EXTRAS_PROCEDURE_TABLE_H

#include "../workload/procedure.h"
#include "../workload/workload.h"

/* The procedure of a workload; NULL: its records are the suite's own. */
const struct procedure *procedure_table_find(const struct workload *workload);

/* Store the sizes that the command line gives; once, before any workload is run. */
void procedure_table_configure(const struct run_size *size);
const struct run_size *procedure_table_run_size(void);

/* Operations of each thread if the workload determines their number; else 0. */
uint64_t procedure_table_operations(const struct workload *workload);

/* Does the workload, of any kind, end by itself whatever --duration says? */
bool procedure_table_has_fixed_length(const struct workload *workload);

/* All threads, for this many foreground threads. */
unsigned procedure_table_threads(const struct workload *workload, unsigned threads);

/* Records in its database, with `num` for --num. */
uint64_t procedure_table_records(const struct workload *workload, uint64_t num);

#endif
