/*
 * procedure.h: operations that consist of several calls of the engine.
 *
 * A workload may have a procedure instead of weights, for example a transaction that
 * moves money. Parameters are drawn before a clock is read. The operation is done
 * within one timed call, and repeated with the same parameters after a conflict. It
 * counts as one read, write or scan, in the histogram of that kind. Rates, --duration,
 * --warmup, timelines and --verify work as for any other operation.
 *
 * A procedure does not know how it is run. It sees its thread (struct procedure_thread)
 * and what all threads share (struct procedure_shared).
 */
#ifndef BENCH_WORKLOAD_PROCEDURE_H
#define BENCH_WORKLOAD_PROCEDURE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../engines/engine.h"
#include "../../util/os/clock.h"
#include "../../util/random.h"
#include "../../util/record.h"
#include "../../util/result.h"
#include "read_tally.h"

struct procedure_thread;
struct procedure;
struct worker;

enum { PROCEDURE_WHY_SIZE = 512 };

/* Shared by all threads of a benchmark. Only `shared` is written while they work. */
struct procedure_shared {
	const struct procedure *procedure;
	const struct settings *settings;
	struct record_key_shape key_shape;
	enum touch touch;
	uint64_t num; /* the value of --num */
	uint64_t seed;
	unsigned threads;
	unsigned value_ratio; /* as record_write_value takes it */
	void *shared;         /* procedure->shared_size bytes, zero at first */
	/* all threads; NULL before they exist */
	struct procedure_thread *const *threads_of;
	/* the run ends: threads must not wait for each other any more */
	const atomic_bool *stop;
	char why[PROCEDURE_WHY_SIZE]; /* for errors that prepare and check return */
};

/* Counts of work done; summed over the threads, and reset after the warm-up. */
struct procedure_counts {
	uint64_t commits; /* transactions that wrote */
	uint64_t writes;  /* records written or deleted */
	uint64_t bytes;   /* in the keys and values of records written */
	uint64_t records; /* records written, deleted or read */
	uint64_t wrong;   /* records with wrong contents */
};

struct procedure_thread {
	struct procedure_shared *shared;
	struct worker *worker; /* NULL: main() */
	const struct engine *engine;
	struct session *session;
	const struct clock *clock;
	unsigned number;
	/*
	 * The engine is the null engine, to measure the harness: results of calls mean
	 * nothing, and `shared` is not changed
	 */
	bool calibrating;
	bool verify;                     /* check values byte by byte */
	struct random random;            /* a stream of its own */
	void *state;                     /* procedure->state_size bytes, zero at first */
	char *key;                       /* buffers for two keys, */
	char *value, *value_scratch;     /* and twice for the largest value */
	struct read_tally *tally;        /* of the thread; a conflict restores it */
	uint64_t *check_ticks;           /* ticks that checking took within a call */
	struct procedure_counts total;   /* acknowledged work, */
	struct procedure_counts current; /* and work of the operation under way */
	char *why; /* the error message, of the engine or the procedure */
};

/* A procedure. Members that are NULL or 0 do not apply. */
struct procedure {
	const char *title;
	const char *mix; /* for the column `mix` */
	/* rejected on engines whose transactions only read */
	bool needs_transactions;
	unsigned records_per_num; /* in the database, for each of --num */
	/* of its values, in the marker; unique to the procedure */
	unsigned value_format;
	/* the least size of a value, all of one size; 0: any */
	size_t value_size_min;
	/* sizes of its own keys and values, instead of --key_size and --value_size */
	size_t own_key_size, own_value_min, own_value_max;
	size_t parameters_size, state_size, shared_size;

	/*
	 * Background threads for each foreground thread: thread n of T is number n / T
	 * of client n % T. They work until the foreground threads have ended.
	 */
	unsigned background_threads;
	/* parameters are drawn only when the operation before is done */
	bool one_at_a_time;

	/*
	 * Why the engine or its options are unsuitable for this --num; NULL: they are
	 * suitable.
	 */
	const char *(*reject)(const struct procedure *, uint64_t num);

	/* Operations of each foreground thread; 0: --duration is needed. */
	uint64_t (*operations)(const struct procedure *);

	/*
	 * Scheduled operations per second of a thread, whatever --rate says, and the
	 * start of the first as a fraction of the gap between two; 0: a closed loop.
	 */
	double (*rate)(const struct procedure_shared *, unsigned number,
		       double *first_gap);

	/* Write the loaded value of record `id`, of `size` bytes. */
	void (*make_value)(const struct procedure_shared *, char *to, size_t size,
			   uint64_t id);

	/*
	 * Called before the threads begin and after they have ended, on the open
	 * database, with a session of main()'s. Return NULL, or why the row is invalid.
	 */
	const char *(*prepare)(struct procedure_shared *, struct procedure_thread *);
	const char *(*check)(struct procedure_shared *, struct procedure_thread *);

	/*
	 * Draw the parameters of the next operation into parameters_size bytes; not
	 * timed. Returns the kind that it counts as.
	 */
	enum result_kind (*draw_parameters)(struct procedure_thread *, void *parameters);

	/*
	 * Do the operation once and leave no transaction open. DONE; NOT_FOUND: a
	 * required record is missing; CONFLICT: `current` and the read tally are
	 * restored, and the operation is repeated with the same parameters; or the
	 * engine's failure.
	 */
	enum status (*do_once)(struct procedure_thread *, const void *parameters);

	/* The warm-up is over: reset the counts. */
	void (*reset_counts)(struct procedure_thread *);

	/*
	 * The thread has done its last operation. Returns true if it had to wait, which
	 * is part of the benchmark's time.
	 */
	bool (*finish)(struct procedure_thread *);

	/* The key distribution's name, for the row. */
	const char *(*distribution)(void);
};

/* Create the procedure's thread `number`, with a stream of random numbers of its own. */
struct procedure_thread *procedure_thread_create(struct procedure_shared *shared,
						 const struct engine *by, unsigned number,
						 const struct random *stream);
void procedure_thread_free(struct procedure_thread *t);

/* Do one operation, and count its work if it succeeds. */
enum status procedure_do(struct procedure_thread *t, const void *parameters);

/* The warm-up is over: reset the counts. */
void procedure_reset_counts(struct procedure_thread *t);

/* After the last operation; returns true if the thread had to wait. */
bool procedure_end(struct procedure_thread *t);

/* ---- for procedures: calls that are counted ---- */

/*
 * A procedure that waits for another thread calls this repeatedly. It holds no snapshot
 * and no transaction, so it pauses here with all others while a backup copies files.
 */
void procedure_run_pause(struct procedure_thread *t);

/*
 * Reads from here on see one snapshot of the database, or run in a transaction if the
 * engine has no snapshots. The release returns `status`, or the error of ending the
 * transaction.
 */
enum status procedure_snapshot(struct procedure_thread *t);
enum status procedure_release(struct procedure_thread *t, enum status status);

enum status procedure_begin(struct procedure_thread *t);
enum status procedure_commit(struct procedure_thread *t);
/* Roll back after a failure or a decision of the procedure; returns `status`. */
enum status procedure_rollback(struct procedure_thread *t, enum status status);

/*
 * Get record `id`; its bytes are read as --touch says. `value` is valid until the next
 * call.
 */
enum status procedure_get(struct procedure_thread *t, uint64_t id, struct slice *value);
/* As procedure_get, by a key of the procedure's own. */
enum status procedure_get_key(struct procedure_thread *t, struct slice key,
			      struct slice *value);
enum status procedure_put(struct procedure_thread *t, uint64_t id, struct slice value);
enum status procedure_put_key(struct procedure_thread *t, struct slice key,
			      struct slice value);
enum status procedure_delete_key(struct procedure_thread *t, struct slice key);

/* The key of record `id`, in the thread's buffer. */
struct slice procedure_key(struct procedure_thread *t, uint64_t id);

#endif
