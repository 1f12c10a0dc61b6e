/*
 * task.h: work that main() does instead of threads: reopen, compact, make a backup. It is
 * reported as the operations of one worker.
 */
#ifndef BENCH_RUNNER_TASK_H
#define BENCH_RUNNER_TASK_H

#include "run.h"

struct task {
	const char *activity; /* what it does, if that may take long, or NULL */
	enum status (*do_once)(struct run *run, char *why);
	double rest_seconds; /* after each time; they are part of its time */
};

/* Do a task `times` times. */
void task_run(struct run *run, uint64_t times, const struct task *task);

/* Wait until the engine has no pending work; for do_once. */
enum status task_settle(struct run *run, char *why);

#endif
