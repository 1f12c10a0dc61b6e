/*
 * cast.h: who does the operations of a workload that are acts, and how many there are of
 * threads, records and operations with them.
 *
 * The table of workloads names a cast only, and knows of none; here are the names' acts.
 */
#ifndef CAST_H
#define CAST_H

#include "act.h"
#include "workload.h"

/* The acts of a workload, or NULL: its records are the suite's own. */
const struct acts *cast_of(const struct workload *load);

/* What the command line says of amounts; once, before any workload is run. */
void cast_configure(const struct amounts *asked);
const struct amounts *cast_amounts(void);

/* Acts of each thread, where their number is the workload's own; or 0. */
uint64_t cast_operations(const struct workload *load);

/* Of any workload: does it end by itself, whatever --duration says? */
bool cast_ends(const struct workload *load);

/* Threads in all where so many are asked for. */
unsigned cast_threads(const struct workload *load, unsigned asked);

/* How many records there are in its database, with `num` for --num. */
uint64_t cast_records(const struct workload *load, uint64_t num);

#endif
