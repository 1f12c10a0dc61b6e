/*
 * generator.h: generates a thread's operations: which operation, of which record, with
 * which key and value.
 *
 * Calls are prepared a chunk ahead, in slots, so that key and value exist before a
 * clock is read. Everything follows from the seed and the thread's number: every engine
 * is given the same operations, however fast it is. A key range may grow: each thread
 * inserts and deletes records of its own. Others draw only those that all threads are
 * known to have.
 */
#ifndef BENCH_WORKLOAD_GENERATOR_H
#define BENCH_WORKLOAD_GENERATOR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "../../engines/engine.h"
#include "../../util/distinct_count.h"
#include "../../util/distribution.h"
#include "../../util/random.h"
#include "../../util/record.h"
#include "../../util/result.h"
#include "procedure.h"
#include "workload.h"

/* One call of the engine; a conditional operation or a procedure makes several. */
enum call {
	CALL_GET,
	CALL_RMW_GET,
	CALL_PUT,
	CALL_APPEND,
	CALL_DELETE,
	CALL_SEEK,
	CALL_NEXT,
	CALL_MULTIGET, /* one key of a call that gets many */
	/* the workload's own call, by the kind that it counts as */
	CALL_OWN_READ,
	CALL_OWN_WRITE,
	CALL_OWN_SCAN,
	/* get, and put if the record was missing, or if it was found */
	CALL_ADD,
	CALL_REPLACE,
	CALLS
};
/*
 * Flags of a call: it begins or commits a transaction, it is the first of an
 * operation's two calls, it inserts a new record.
 */
enum {
	CALL_MASK = 15,
	CALL_BEGIN = 16,
	CALL_COMMIT = 32,
	CALL_FIRST_OF_TWO = 64,
	CALL_INSERTS = 128
};

/* The first call of each operation. */
extern const enum call generator_first_call[OPS];
/* Does the call write? Undefined for CALLS. */
bool generator_call_writes(enum call call);
/* The kind of latency that a call counts for. */
extern const enum result_kind generator_kind_of_call[CALLS];

/* Operations prepared ahead at most; a multi-get may need more. */
enum { GENERATOR_SLOTS_MAX = 192 };

/* A prepared call. The buffers keep their addresses; their contents change. */
struct slot {
	struct slice key, value; /* of a seek, value.size is the number of records */
	uint64_t ticks;          /* service time */
	unsigned char call;      /* an enum call and its flags */
};

/* Progress of a thread with records of its own: inserted, and deleted or about to be. */
struct growth {
	_Alignas(128) _Atomic uint64_t inserted, deleting;
};

/* Common to all threads of a benchmark. */
struct generator_shared {
	const struct workload *workload;
	const struct procedure_shared *procedure; /* of a procedure workload, or NULL */
	uint64_t num;                             /* records of the key range at first */
	uint64_t first_free_id;                   /* the first that does not exist yet */
	/* operations: of each thread, or of all if the workload divides them */
	uint64_t operations;
	unsigned threads;        /* foreground threads, which divide what is divided */
	unsigned all_threads;    /* with the workload's background threads */
	bool timed;              /* `operations` is no number to expect */
	bool must_find;          /* each record read is known to exist */
	bool complete;           /* every record of the key range exists */
	bool rmw_is_transaction; /* a read-modify-write is a transaction */
	/* a value depends on its key, its size and the epoch only */
	bool values_by_key;
	bool any_keys; /* records may have keys of any form, which tell no number */
	/*
	 * differs for all epochs of a database; 0: of its first load and the first
	 * workload after it
	 */
	uint64_t value_stream;
	enum record_key_format key_format;
	size_t key_size;
	struct record_sizes value_sizes, scan_lengths;
	struct random_permutation permutation;
	struct growth *growth; /* of each foreground thread */
};

/* A thread's generator; only this thread uses it between the barrier and the join. */
struct generator {
	/*
	 * fills the slots, see generator_next: generator_next_by_weight or another
	 * source
	 */
	unsigned (*next)(struct generator *, unsigned n);
	const struct generator_shared *shared;
	const struct workload *workload;
	unsigned number;
	bool is_background; /* its thread is no foreground thread */
	bool single_call;   /* every slot has the same call, */
	enum op only_op;    /* and this is the operation */
	/* a trace has no more yet: while its reader is awaited, nothing must be held */
	bool must_wait;

	/* record ids */
	/* `random` draws keys; scan lengths have their own, as chunks differ in size */
	struct random random, length_random;
	enum key_order key_order;
	struct distribution distribution;
	uint64_t id_limit;        /* random ids are below this */
	uint64_t position;        /* the next record of a sequence, */
	uint64_t stride;          /* and the distance to the one after it */
	uint64_t multiget_stride; /* the distance of a multi-get's keys; 0: none */
	uint64_t operations;      /* that this thread does in all */
	uint64_t generation;      /* of the next value */
	/* how much of it the bytes of a value depend on: all, or nothing, */
	uint64_t generation_mask;
	uint64_t generation_fixed; /* and what they depend on instead */
	/* the records it reads exist; all ids between two that exist do */
	bool must_find, contiguous;
	uint64_t keys_drawn;
	/* of keys whose operations were done; those of the slots are counted later */
	struct distinct_count distinct_keys;
	const uint64_t *uncounted_ids;
	unsigned uncounted;

	/*
	 * records of its own in a growing key range: first_free_id + k * threads +
	 * number, for k from `deleted` to `inserted`
	 */
	bool key_range_grows;
	uint64_t inserted, deleted;
	/*
	 * every thread had inserted at least this many before the held snapshot;
	 * UINT64_MAX: no snapshot is held
	 */
	uint64_t snapshot_inserted;
	uint64_t max_deleted;       /* the most that any thread has deleted */
	unsigned postponed_deletes; /* there was nothing to delete yet */

	void *source; /* state of the workload's own `next`, or NULL */
	/* total size of its keys so far, if they differ in size */
	uint64_t key_bytes;

	/* the slots */
	unsigned slots;
	struct slot *slot;
	uint64_t *id;        /* of each slot's record */
	uint64_t *drawn_ids; /* before they are dealt out among the operations of a mix */
	struct record_key_shape key_shape;
	size_t value_capacity;
	/* slots differ in value size or scan length */
	bool sizes_vary;
	unsigned value_ratio;
	char *key_buffer, *value_buffer;
	unsigned char schedule[WEIGHTS_MAX]; /* a cycle of operations */
	unsigned schedule_position, schedule_length;
};

/* The state to return to when a transaction is regenerated. */
struct generator_state {
	struct random random;
	struct distribution distribution;
	uint64_t position, generation, inserted, keys_drawn;
};

/*
 * The distribution of a workload's random keys: the one of --distribution or the
 * workload's own, or one that reproduces another program.
 */
enum distribution_kind generator_distribution(const struct workload *workload);

/* A stream of random numbers of the thread's own, for something else than keys. */
struct random generator_random_stream(const struct generator *g, const char *what);

/*
 * Initialize a thread's generator with a stream of random numbers of its own.
 * `distinct_key_slots` has DISTINCT_COUNT_SLOTS elements or is NULL. There are at most
 * `most` slots; 0: as many as fit into their memory.
 */
void generator_init(struct generator *g, const struct generator_shared *shared,
		    const struct workload *role, unsigned number,
		    const struct random *stream, uint64_t *distinct_key_slots,
		    unsigned most);
void generator_free(struct generator *g);

/*
 * These ids, a row of them for all slots, were drawn for the slots. They are counted as
 * distinct keys when the operations have been done.
 */
static inline void generator_note_drawn(struct generator *g, const uint64_t *ids,
					unsigned n)
{
	g->keys_drawn += n;
	if (!g->uncounted)
		g->uncounted_ids = ids;
	g->uncounted += n;
}

/* The first `slots` slots were done, and no others will be. */
void generator_count_keys(struct generator *g, unsigned slots);

/*
 * Fill slots with the next n operations, 1 to g->slots; returns how many slots they
 * take. The operations of the last slots have been done.
 */
static inline unsigned generator_next(struct generator *g, unsigned n)
{
	distinct_count_add(&g->distinct_keys, g->uncounted_ids, g->uncounted);
	g->uncounted = 0;
	return g->next(g, n);
}

/* For most workloads: operations by their weights, or all alike. */
unsigned generator_next_by_weight(struct generator *g, unsigned n);

/* Write keys and values of the first n slots, whose ids and calls are set. */
void generator_write_records(struct generator *g, unsigned n);

/* Let other threads draw the records that this thread has inserted so far. */
void generator_publish_inserted(struct generator *g);

struct generator_state generator_save(const struct generator *g);
/* Return to a saved state: the same operations are generated again. */
void generator_restore(struct generator *g, const struct generator_state *state);

/*
 * Called before a snapshot is taken, and when it is released: records that were
 * inserted later need not be found.
 */
void generator_begin_snapshot(struct generator *g);
void generator_end_snapshot(struct generator *g);

/* Must a read find this record? Not if its thread has deleted it or is about to. */
bool generator_must_find(const struct generator *g, uint64_t id);

/*
 * By how many records the thread's key range grew. Slots between `from` and `end` were
 * prepared but not done.
 */
uint64_t generator_growth(const struct generator *g, unsigned from, unsigned end);

/* The warm-up is over: reset the counts. */
void generator_reset_counts(struct generator *g);

#endif
