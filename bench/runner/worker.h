/*
 * worker.h: a worker thread.
 *
 * bench.c runs the threads; aggregate.c sums up their results when they have ended.
 */
#ifndef BENCH_RUNNER_WORKER_H
#define BENCH_RUNNER_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "../../util/backoff.h"
#include "../../util/distinct_count.h"
#include "../../util/hist.h"
#include "../../util/rate_schedule.h"
#include "../workload/read_tally.h"
#include "run.h"
#include "transaction.h"

/*
 * A thread's histograms and counts. They take a megabyte of each of 64 threads, which
 * must not be charged to the engine. So under --memory they are in memory that the
 * parent has touched and is charged for.
 */
struct thread_stats {
	struct hist latency[METRICS_HISTS], responses[METRICS_HISTS], start_error;
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
	bool is_multiget;  /* the slots of a chunk are one multi-get */
	bool is_scheduled; /* in an open loop */
	bool moves_past;   /* a seek moves on from the last record that it reads */
	bool ends_scans;   /* a seek frees the iterator after its last record */
	bool times_whole;  /* updates and batches also as one, as db_bench has them */
	/*
	 * Times read-modify-writes, inserts and gets that found nothing once more, as
	 * YCSB has them. Which slots these gets are; NULL if times_apart is not set.
	 */
	bool times_apart, *missed;
	enum touch touch;
	uint64_t txn_reads;      /* reads in one snapshot of the database, or 0 */
	uint64_t planned;        /* operations after the warm-up */
	uint64_t duration_ticks; /* if it ends by the clock, */
	uint64_t end_ticks;      /* and its end; UINT64_MAX: no end, or warming up */
	uint64_t second_ticks;   /* ticks in a second */
	uint64_t report_every;   /* operations between reports; 0: no reports */
	enum status (*append)(struct session *, struct slice, struct slice);
	/* CALL_OWN_... */
	enum status (*own_call)(struct worker *, const struct slot *);
	/* the engine's next or prev */
	enum status (*iterate)(struct session *, struct slice *, struct slice *);

	/* operations and their schedule, by chunks */
	struct generator generator;
	struct procedure_thread *procedure; /* of a procedure workload, or NULL; */
	/* and the parameters drawn for each slot */
	char *procedure_parameters;
	struct transaction transaction;
	struct rate_schedule schedule;
	uint64_t whole_ticks; /* of an operation that times_whole times, so far */
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
	char *value_scratch;                   /* to check a value with */
	const struct chunk_observer *observer; /* an extra's, or NULL */
	void *observer_state;

	/* state */
	struct session *session;
	uint64_t remaining, done; /* operations */
	bool is_warming_up;
	bool is_iterating;       /* an iteration has begun */
	bool ended;              /* the data ended, or a conflict could not be retried */
	uint64_t snapshot_reads; /* reads made in the current snapshot, */
	bool holds_snapshot;     /* if there is one */
	uint64_t last_id;        /* in an iteration */
	uint64_t check_ticks;    /* ticks that checking took within a call */
	uint64_t retried_at;    /* ticks when the call after a conflict was begun again */
	struct backoff backoff; /* between a conflict and the retry */
	bool is_retrying;       /* in this chunk */
	uint64_t next_report;   /* operation to report after */
	uint64_t reported;      /* operations at the last report, */
	double reported_seconds;  /* and seconds */
	unsigned sample_answered; /* the last answered request */
	bool is_leaving;          /* this answer is the last one */

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
	uint64_t began, ended_at, longest_stall; /* ticks */
	uint64_t chunk_began; /* when its first call could begin, in ticks */
	uint64_t last_finish; /* end of the last operation of an open loop, in ticks */
	uint64_t next_second; /* end of this second, in ticks; UINT64_MAX: never */
	double cpu_before_s, cpu_s;
	double runnable_before_s, runnable_s; /* waiting for a core; NaN: unknown */
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
 * Reads the next `records` of a scan by the engine's next_many, as one by one. Returns
 * NOT_FOUND if there are fewer.
 */
enum status worker_scan_many(struct worker *w, uint64_t records);

/* Set up the monitor of a run whose workers are initialized. */
void worker_start_monitor(struct run *run);

/* End of the last of the first `threads`, in seconds since measuring began. */
double worker_last_end_seconds(const struct run *run, unsigned threads);

/* Free all workers of a run, which may have none. */
void worker_free_all(struct run *run);

/*
 * Bind the calling thread to its CPU (--pin_threads), and name it by its role: "read",
 * "write" or "mixed"; of a background thread "bgread", "bgwrite" or "bgmixed".
 */
void worker_prepare_thread(const struct worker *w);

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
	return w->is_warming_up &&
	       !atomic_load_explicit(&w->run->monitor.warming, memory_order_acquire);
}

/* By the worker's thread, around its work: its CPU time, and time without a core. */
void worker_begin_cpu(struct worker *w);
void worker_end_cpu(struct worker *w);

/* The warm-up is over: reset the counts, and begin the planned operations. */
void worker_end_warmup(struct worker *w);

/* The thread's work begins, or measuring after its warm-up; sets when it ends. */
void worker_begin_measuring(struct worker *w, uint64_t ticks);

/*
 * Return to where the transaction began, as if its calls had not been made; their time
 * is added to retry_ticks.
 */
void worker_rewind_transaction(struct worker *w);

/* The transaction has committed: count its writes. */
void worker_count_committed(struct worker *w);

/* Operations of an open loop that were begun and will not be done are only backlog. */
void worker_count_begun(struct worker *w);

/*
 * End a bulk load, or commit the transaction that a stopped run left open. The open
 * transaction of a failed run is rolled back and not counted.
 */
void worker_finish_transaction(struct worker *w);

/*
 * A timed run lasts until its time is over, and an open loop as long as its schedule,
 * whenever the last call ended. A thread that then waited for a CPU did so within that
 * time.
 */
void worker_finish_schedule(struct worker *w);

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

/*
 * Is a value as it was put under a key of that number? UINT64_MAX: the key has none, which
 * is right only where a trace gave it. `scratch`: record_sizes_max bytes.
 */
bool verify_value(const struct generator_shared *shared, uint64_t id, struct slice value,
		  unsigned ratio, char *scratch);

/*
 * The id of the record that an iteration returned, or UINT64_MAX. A key of another size
 * may look like a number, but is foreign.
 */
uint64_t verify_id_of_key(const struct worker *w, struct slice key);

/* Create the procedure's thread of a worker that is otherwise initialized. */
void procedure_run_create_thread(struct worker *w, const struct random *stream);

/* Draw parameters for the first n slots; returns n. */
unsigned procedure_run_draw(struct worker *w, unsigned n);

/* Do the operation of a slot. */
enum status procedure_run_do(struct worker *w, const struct slot *slot);

/*
 * Run the procedure's prepare before the threads begin, and its check after they have
 * ended; errors are noted.
 */
void procedure_run_prepare(struct run *run);
void procedure_run_check(struct run *run);

#endif
