/*
 * maintenance.h: workloads that are not lists of calls. They reopen the database
 * repeatedly, compact it, wait until it has settled, rest, make a backup or print the
 * engine's statistics.
 *
 * Each runs as one worker, so that it is reported like other workloads. The statistics
 * are printed, and have no row and no worker.
 */
#ifndef BENCH_EXTRAS_MAINTENANCE_H
#define BENCH_EXTRAS_MAINTENANCE_H

#include <signal.h>

struct run;

/* Run the maintenance of the run's workload; `interrupted` is set when it must end. */
void maintenance_run(struct run *run, const volatile sig_atomic_t *interrupted);

#endif
