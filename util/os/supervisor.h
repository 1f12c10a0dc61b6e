/*
 * supervisor.h: run the work in a child process that the parent outlives.
 *
 * A storage engine can end its process: an assertion, SIGBUS on a full device, a wait
 * that never ends. The supervisor is the parent. It only waits, so it is there to report.
 */
#ifndef UTIL_OS_SUPERVISOR_H
#define UTIL_OS_SUPERVISOR_H

#include <stddef.h>
#include <stdint.h>

enum supervisor_outcome {
	SUPERVISOR_EXITED, /* normal exit; *status is the exit status */
	SUPERVISOR_KILLED, /* ended by a signal; *status is its number */
	SUPERVISOR_HUNG,   /* killed after it had been inactive for too long */
};

/* Zeroed memory shared by parent and child; NULL if there is none. Never freed. */
void *supervisor_shared_memory(size_t size);

/*
 * The same in a new file, where other processes can read it; NULL with errno: it cannot
 * be written.
 */
void *supervisor_shared_file(const char *path, size_t size);

/*
 * Runs work(argument) in a child process, which exits with its result; returns how the
 * child ended. Call it before there are threads.
 *
 * SIGINT and SIGTERM sent only to the parent are forwarded. After the child's end the
 * parent's own handler receives them, too.
 *
 * The child hangs if for `hang_timeout` seconds progress() is unchanged, and hardly any
 * bytes were written or CPU time used; 0: never. Hang detection needs /proc; without it
 * the parent may wait for ever. The child ends with its parent: within a second where the
 * system sends no signal for that (macOS, NetBSD). -1 in *status: fork failed.
 */
enum supervisor_outcome supervisor_run(int (*work)(void *), void *argument,
				       uint64_t (*progress)(void), double hang_timeout,
				       int *status);

/*
 * Process limits, or a full file system, that may explain a failure, to be appended to a
 * message: "; only 16 files may be open here (ulimit -n)". "" if nothing is unusual.
 * `path` is the database's, or NULL.
 */
const char *supervisor_describe_limits(const char *path);

/* The usual cause of such an end. */
const char *supervisor_likely_cause(enum supervisor_outcome outcome, int status);

#endif
