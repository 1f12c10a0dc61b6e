/* account.h: counts what the slots of a chunk took, and what the threads inserted. */
#ifndef BENCH_RUNNER_ACCOUNT_H
#define BENCH_RUNNER_ACCOUNT_H

#include "database.h"
#include "worker.h"

/*
 * Enter n finished slots into the thread's counters; `start` is the end of the last
 * chunk.
 */
void account_chunk(struct worker *w, unsigned n, uint64_t start);

/*
 * The thread has done its work: count the keys of its last chunk, publish what it did,
 * and print its last, partial interval.
 */
void account_end(struct worker *w);

/*
 * After a workload that inserts: the database has the records that every thread has
 * inserted. If a thread failed, it may have lost some of its own, and their number is
 * unknown.
 */
void account_inserted(struct database *database, const struct run *run);

#endif
