/*
 * guard.h: let a child process do the work, and outlive it.
 *
 * A storage engine can take its process along: an assertion, SIGBUS on a full device, a
 * wait that never ends. The guard is the parent; it does nothing but wait, so it is there
 * to report.
 */
#ifndef GUARD_H
#define GUARD_H

#include <stddef.h>
#include <stdint.h>

enum guard_end {
	GUARD_EXITED, /* it ended in order; *how is its exit status */
	GUARD_KILLED, /* a signal ended it; *how is its number */
	GUARD_HUNG,   /* it did nothing for too long and was killed */
};

/* Zeroed memory that parent and child share; NULL if there is none. Never freed. */
void *guard_memory(size_t size);

/*
 * Do work(argument) in a child process, which exits with what it answers; answers how the
 * child ended. Must be called before there are threads. SIGINT and SIGTERM that only the
 * parent gets are passed on; any of them comes to the parent's own handler, too, when the
 * child has ended. The child hangs when for `patience` seconds progress() answers the
 * same, hardly anything was written and hardly any CPU time was used; patience 0:
 * never. Linux only is the test for hanging, and that the child dies with its parent;
 * elsewhere it may wait for ever. -1 in *how if it could not fork.
 */
enum guard_end guard_run(int (*work)(void *), void *argument, uint64_t (*progress)(void),
			 double patience, int *how);

/*
 * What the process's limits, or a full file system, may have to do with a failure, to be
 * added to a message: "; only 16 files may be open here (ulimit -n)", or "" if nothing is
 * unusual. `path` is where the database is, or NULL.
 */
const char *guard_limits(const char *path);

/* What such an end is usually due to. */
const char *guard_likely_cause(enum guard_end end, int how);

#endif
