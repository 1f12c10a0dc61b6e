/*
 * special.h: workloads that are not lists of calls: to open and close the database again
 * and again, to compact it, to wait until it has settled, and then to rest, to make a
 * backup, to print what
 * it says of itself.
 *
 * Each is one worker that does something else than reading, so that it is reported like
 * the others; the statistics are printed, and have no row and no worker.
 */
#ifndef SPECIAL_H
#define SPECIAL_H

#include <signal.h>

struct phase;

/* Do what p->load says; `interrupted` is set when it is to end. */
void special_run(struct phase *p, const volatile sig_atomic_t *interrupted);

#endif
