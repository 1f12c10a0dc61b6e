/*
 * worker.h: a worker thread, and what the threads of one benchmark share.
 *
 * bench.c runs the threads; aggregate.c sums up their results when they have ended.
 */
#ifndef BENCH_WORKER_H
#define BENCH_WORKER_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "../engines/engine.h"
#include "../util/backoff.h"
#include "../util/distinct_count.h"
#include "../util/cgroup.h"
#include "../util/clock.h"
#include "../util/hist.h"
#include "../util/host.h"
#include "../util/rate_schedule.h"
#include "../util/record.h"
#include "../util/resource_usage.h"
#include "../util/thread_barrier.h"
#include "procedure.h"
#include "generator.h"
#include "backup_result.h"
#include "config.h"
#include "plan.h"
#include "metrics.h"
#include "long_reader_result.h"
#include "read_tally.h"
#include "transaction.h"
#include "monitor.h"

/* Used by the threads of all benchmarks of a program, one benchmark after another. */
struct run_context {
	const struct engine *engine;        /* of the program */
	const struct run_info *info;
	struct cgroup *cgroup;              /* of --memory */
	struct published_counts *published; /* of each thread */
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
	const struct run_context *context;
	const struct run_info *info;
	const struct workload *workload;
	const struct plan_item *item;
	/* the program's, or the null engine to measure the baseline */
	const struct engine *engine;
	bool is_baseline;            /* nothing is scheduled then */
	struct db *db;
	const struct settings *settings;
	char seed_name[64];
	uint64_t batch;              /* writes in a transaction, or keys in a multi-get */
	bool bulk_load;              /* one load by the engine's loader */
	bool is_multiget;            /* each chunk is a multi-get */
	struct generator_shared generator;
	struct procedure_shared procedure; /* of a procedure workload, */
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
	struct replay_reader *replay_reader; /* of a replayed trace */
	struct worker *workers;
	struct published_counts *published;  /* of each */
	struct thread_stats *stats;          /* of each, or NULL */
	/* all workers; the first `foreground` ones */
	unsigned all_threads, foreground;
	/* roles of the last workers, which options add */
	const struct workload *added_background[ADDED_BACKGROUNDS];
	struct long_reader long_reader;
	struct backup backup;
	struct pause_gate gate;
	uint64_t released_ticks;  /* ticks when the threads began, before a warm-up */
	struct resource_usage usage_before, usage_after;
	struct metrics metrics;
	const char *time; /* when the benchmark began */
	struct monitored_thread **monitored;
	struct monitor monitor;
};

/*
 * A thread's histograms and counts. They take a megabyte of each of 64 threads, which
 * must not be charged to the engine. So under --memory they are in memory that the
 * parent has touched and is charged for.
 */
struct thread_stats {
	struct hist latency[KINDS], responses[KINDS], start_error;
	struct transaction_times open_transaction;
	struct thread_sample sample;
	struct thread_last_sample last_sample;
	uint64_t distinct_key_slots[DISTINCT_COUNT_SLOTS];
};

/*
 * A thread and all it touches between the barrier and the join. main() writes the first
 * part before and reads the others after. Only the thread writes the rest, except
 * `monitored`, through which others see it meanwhile.
 */
struct worker {
	/* given */
	_Alignas(128) struct run *run;
	const struct engine *engine;
	const struct clock *clock;
	struct thread_stats *stats;
	bool timed_calls, verify;
	bool is_multiget;        /* the slots of a chunk are one multi-get */
	bool is_scheduled;       /* in an open loop */
	enum touch touch;
	uint64_t txn_reads;      /* reads in one snapshot of the database, or 0 */
	uint64_t planned;        /* operations after the warm-up */
	uint64_t duration_ticks; /* if it ends by the clock, */
	uint64_t end_ticks;      /* and its end; UINT64_MAX: no end, or warming up */
	uint64_t second_ticks;   /* ticks in a second */
	uint64_t report_every;   /* operations between reports; 0: no reports */
	enum status (*append)(struct session *, struct slice, struct slice);
	/* the engine's next or prev */
	enum status (*iterate)(struct session *, struct slice *, struct slice *);

	/* operations and their schedule, by chunks */
	struct generator generator;
	struct procedure_thread *procedure; /* of a procedure workload, or NULL; */
	/* and the parameters drawn for each slot */
	char *procedure_parameters;
	struct transaction transaction;
	struct rate_schedule schedule;
	struct {
		struct generator_state generator;
		struct rate_schedule schedule;
		struct read_tally tally;
	} transaction_start; /* state when the open transaction began */
	unsigned chunk_size; /* slots in a chunk */
	bool chunk_size_is_fixed;
	/* slots of this chunk, and the first that is not done */
	unsigned prepared, next_slot;
	/* of an open loop: slots that were begun; operations unfinished at the end */
	unsigned slots_begun;
	uint64_t ops_unfinished;
	/* of each slot: scheduled start, and response time in ticks */
	uint64_t *scheduled, *response;
	/* of a multi-get: all slots' keys and values */
	struct slice *group_keys, *group_values;
	char *value_scratch;               /* to check a value with */
	struct trace_writer *trace_writer; /* or NULL */

	/* state */
	struct session *session;
	uint64_t remaining, done; /* operations */
	bool is_warming_up;
	bool is_iterating;      /* an iteration has begun */
	bool ended;             /* the data ended, or a conflict could not be retried */
	uint64_t snapshot_reads; /* reads made in the current snapshot, */
	bool holds_snapshot;    /* if there is one */
	uint64_t last_id;       /* in an iteration */
	uint64_t check_ticks;   /* ticks that checking took within a call */
	uint64_t retried_at;    /* ticks when the call after a conflict was begun again */
	struct backoff backoff; /* between a conflict and the retry */
	bool is_retrying;       /* in this chunk */
	uint64_t next_report;   /* operation to report after */
	uint64_t reported;      /* operations at the last report, */
	double reported_seconds; /* and seconds */
	unsigned sample_answered; /* the last answered request */
	bool is_leaving;        /* this answer is the last one */

	/* results */
	struct hist *latencies;   /* service times of each kind, in clock ticks */
	struct hist *responses;   /* response times of each kind, in clock ticks */
	struct hist *start_error; /* from scheduled to actual start, in ticks */
	struct read_tally tally;
	uint64_t ops_by_kind[KINDS], wrong, disordered, entries, deletes;
	/* transactions that the engine rolled back for another session */
	uint64_t conflicts;
	uint64_t retries;     /* operations undone by conflicts */
	uint64_t retry_ticks; /* ticks spent in operations undone by conflicts */
	uint64_t retry_end;   /* end of the last retry, in ticks */
	uint64_t began, first_end, ended_at, longest_stall; /* ticks */
	uint64_t last_finish; /* end of the last operation of an open loop, in ticks */
	uint64_t next_second; /* end of this second, in ticks; UINT64_MAX: never */
	double cpu_before_s, cpu_s;
	enum status status;
	char why[ENGINE_ERROR_SIZE];

	struct monitored_thread monitored;
};

/*
 * Allocate statistics of this many threads, in memory that a child shares and its
 * parent has touched.
 */
struct thread_stats *worker_alloc_shared_stats(unsigned threads);

/* Initialize worker `number` of a run, with a stream of random numbers of its own. */
void worker_init(struct worker *w, struct run *run, unsigned number,
		 const struct random *stream);
void worker_free(struct worker *w);

/*
 * Publish what was counted so far as the answer to this request; if the monitor is
 * reading the sample, the next call does.
 */
void worker_publish_sample(struct worker *w, unsigned request);

/*
 * Is the warm-up over, and the thread has not noticed yet? If so it also sees when
 * measuring began.
 */
static inline bool worker_is_warmed_up(const struct worker *w)
{
	return w->is_warming_up && !atomic_load_explicit(&w->run->monitor.warming,
							 memory_order_acquire);
}

/* The warm-up is over: reset the counts, and begin the planned operations. */
void worker_end_warmup(struct worker *w);

/* The thread's work begins, or measuring after its warm-up; sets when it ends. */
void worker_begin_measuring(struct worker *w, uint64_t ticks);

/* Wait until the gate is open. */
void worker_wait_at_gate(struct worker *w);

/*
 * Close the gate, and return when all other threads wait at it or have ended; then open
 * it. `w` is the thread that does not wait.
 */
void worker_close_gate(struct worker *w);
void worker_open_gate(struct worker *w);

/*
 * Check a record's bytes and, in an iteration, its order. `id` is the requested record,
 * or UINT64_MAX if the key determines it. The time this takes is subtracted from the
 * call's.
 */
void verify_record(struct worker *w, uint64_t id, struct slice key, struct slice value);

/* Initialize the run of a benchmark, on the open database. */
void run_init(struct run *run, const struct run_context *context,
	      const struct plan_item *item);
void run_free_workers(struct run *run);

/*
 * Between these calls resource usage is measured for the row. The first takes a struct
 * run; the monitor calls it when the warm-up is over.
 */
void run_begin_measuring(void *owner);
void run_end_measuring(struct run *run);

/* Set up the monitor; the workers are initialized. */
void run_start_monitor(struct run *run);

/* End of the last of the first `threads`, in seconds since measuring began. */
double run_last_end_seconds(const struct run *run, unsigned threads);

/* Create the procedure's thread of a worker that is otherwise initialized. */
void procedure_run_create_thread(struct worker *w, const struct random *stream);

/* Draw parameters for the first n slots; returns n. */
unsigned procedure_run_draw(struct worker *w, unsigned n);

/* Do the operation of a slot. */
enum status procedure_run_do(struct worker *w, const struct slot *slot);

/*
 * A conditional operation of a trace (replay.h) in one timed call: a get and, depending
 * on its result, a put.
 */
enum status trace_worker_conditional_put(struct worker *w, const struct slot *slot);

/*
 * Add the first n slots from w->next_slot on, which were done in this chunk, to
 * --trace_out.
 */
void trace_worker_write(struct worker *w, unsigned n);

/* All threads have ended: write the trace of --trace_out, if it is given. */
void trace_worker_finish(const struct run *run);

/* Set what all threads of a procedure share; also for loads of a procedure's records. */
void procedure_run_set_shared(struct run *run);

/*
 * Run the procedure's prepare before the threads begin, and its check after they have
 * ended; errors are noted.
 */
void procedure_run_prepare(struct run *run);
void procedure_run_check(struct run *run);
/* Seek where a queue began, and check its head: CALL_SEEK_HEAD. */
enum status verify_seek_head(struct worker *w, const struct slot *slot);

/*
 * Operations that all foreground threads together plan to do; UINT64_MAX: until the
 * clock ends.
 */
uint64_t run_planned_operations(const struct run *run);

#endif
