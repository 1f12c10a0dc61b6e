/*
 * run.h: what the threads of one benchmark share, and where measuring begins and ends.
 */
#ifndef BENCH_RUNNER_RUN_H
#define BENCH_RUNNER_RUN_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "../../util/os/thread_barrier.h"
#include "../workload/extra.h"
#include "../workload/generator.h"
#include "../workload/procedure.h"
#include "metrics.h"
#include "monitor.h"

struct thread_stats;

/* Used by the threads of all benchmarks of a program, one benchmark after another. */
struct program_context {
	const struct engine *engine; /* of the program */
	const struct program_facts *info;
	struct cgroup *cgroup; /* of --memory */
	struct progress *progress;
	/* of each thread, in memory of the parent; NULL: they are allocated */
	struct thread_stats *stats;
	struct growth *growth; /* of each thread */
	int wake_fd;           /* a pipe that signals and finishing threads write to */
	const volatile sig_atomic_t *interrupted;
};

/*
 * While the gate is closed threads stop between two operations, outside any transaction
 * or snapshot.
 */
struct pause_gate {
	atomic_bool closed;
	pthread_mutex_t lock;
	pthread_cond_t gate_opened;
	unsigned waiting_threads; /* that have stopped */
};

/*
 * Shared by the threads of one benchmark. Only main() writes it. Threads read the
 * monitor's `stop`, `warming` and `sample_request`, and may set `stop`.
 */
struct run {
	const struct program_context *context;
	const struct program_facts *info;
	const struct workload *workload;
	const struct plan_item *item; /* of the plan: what is decided about it */
	/* the program's, or the null engine to measure the baseline */
	const struct engine *engine;
	bool is_baseline; /* nothing is scheduled then */
	struct db *db;
	const struct settings *settings;
	char seed_name[64];
	uint64_t batch;   /* writes in a transaction, or keys in a multi-get */
	bool bulk_load;   /* one load by the engine's loader */
	bool is_multiget; /* each chunk is a multi-get */
	struct generator_shared generator;
	struct procedure_shared procedure;           /* of a procedure workload, */
	struct procedure_thread **procedure_threads; /* and its threads */
	const char *procedure_error; /* the error that its check found, or NULL */
	/* of a settling: at its end the engine was watched, and did nothing */
	uint64_t idle_ns;
	bool timed;               /* ends by the clock, not by count */
	uint64_t txn_reads;       /* reads in one snapshot; 0: each has its own */
	pthread_mutex_t starting; /* held until all threads are created */
	bool cancelled;           /* or one could not be */
	/* all are attached; measuring begins; it has ended */
	struct thread_barrier all_attached, start, leave;
	struct worker *workers;
	struct published_counts *published; /* of each */
	struct thread_stats *stats;         /* of each, or NULL */
	/* all workers; the first `foreground` ones */
	unsigned all_threads, foreground;
	struct extra_states extras;
	struct pause_gate gate;
	uint64_t released_ticks; /* ticks when the threads began, before a warm-up */
	struct resource_usage usage_before, usage_after;
	struct thread_delay_engine engine_threads_before;
	struct cgroup_throttling throttling_before;
	struct metrics metrics;
	const char *time; /* when the benchmark began */
	struct monitored_thread **monitored;
	struct monitor monitor;
};

/* Open --perf_control unless it is empty, or exit with status 2. */
void run_open_profiler(void);

/* Initialize the run of a benchmark, on the open database. */
void run_init(struct run *run, const struct program_context *context,
	      const struct plan_item *item);
void run_free(struct run *run); /* its workers are freed */

/*
 * Calls begin_run of all extras. A procedure has prepared before: what it asked of the
 * engine is not part of the run.
 */
void run_begin_extras(struct run *run);

/*
 * Between these calls resource usage is measured for the row. The first takes a struct
 * run; the monitor calls it when the warm-up is over.
 */
void run_begin_measuring(void *owner);
void run_end_measuring(struct run *run);

/*
 * Operations that all foreground threads together plan to do; UINT64_MAX: until the
 * clock ends.
 */
uint64_t run_planned_operations(const struct run *run);

/*
 * Operations that the foreground threads have done since measuring began. NaN until
 * each of them has reset its counts after the warm-up: before that a difference could
 * be negative.
 */
double run_measured_operations(const struct run *run);

#endif
