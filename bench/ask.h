/*
 * ask.h: what a thread asks of the engine next: which operation, of which record, with
 * which key and value.
 *
 * Calls are prepared a turn ahead, in slots, so that key and value exist before a clock
 * is read. Everything comes from the seed and the thread's number: every engine is asked
 * the same, however fast it is. A key space may grow: each thread inserts and deletes
 * records of its own, and others draw of them what all threads are known to have.
 */
#ifndef ASK_H
#define ASK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "../engines/engine.h"
#include "../util/census.h"
#include "../util/draw.h"
#include "../util/random.h"
#include "../util/record.h"
#include "act.h"
#include "queue.h"
#include "workload.h"

/* One call, or two, of the engine. */
enum step {
	STEP_GET, STEP_FETCH, STEP_PUT, STEP_APPEND, STEP_DELETE, STEP_SEEK, STEP_NEXT,
	STEP_MULTIGET, /* one key of a call that gets many */
	STEP_HEAD,     /* seek where a queue began */
	/* one of a cast, by what it counts as */
	STEP_ACT_READ, STEP_ACT_WRITE, STEP_ACT_SCAN,
	/* get, and put if there was none, or one: a trace's */
	STEP_ADD, STEP_REPLACE,
	STEPS
};
/* A step may open and end a transaction, and be the first of an operation's two. */
enum { STEP_MASK = 15, BEGIN = 16, COMMIT = 32, HALF = 64 };

/* The first step of each operation. */
extern const enum step step_of[OPS];
/* Does it write? Do not ask for STEPS. */
bool step_writes(enum step step);

enum { ASK_SLOTS = 192 }; /* operations prepared ahead: at most, but for multi-gets */

/* A call, prepared. The buffers stay where they are; what they say changes. */
struct slot {
	struct slice key, value; /* of a seek, value.size is how many records it reads */
	uint64_t took;           /* ticks */
	unsigned char step;      /* and BEGIN, COMMIT, HALF */
};

/*
 * How far a thread has come with records of its own: inserted, and deleted or about to
 * be.
 */
struct growth {
	_Alignas(128) _Atomic uint64_t born, dying;
};

/* What all threads of a benchmark have in common. */
struct ask_shared {
	const struct workload *load;
	const struct stage *stage; /* of a workload with acts */
	uint64_t num;         /* records of the key space at first */
	uint64_t first_new;   /* the first that does not exist yet */
	/* operations: of each thread, or of all when the workload shares them */
	uint64_t todo;
	unsigned threads;     /* asked for: they share what is shared */
	unsigned count;       /* with the workload's background thread */
	bool timed;           /* todo is no number to expect */
	bool must_find;       /* each record asked for is known to be there */
	bool complete;        /* every record of the key space is there */
	bool transacts;       /* a read-modify-write is a transaction */
	enum record_keys form;
	size_t key_size;
	struct record_sizes sizes, scan_lengths;
	struct permutation permutation;
	struct growth *growth; /* of each thread */
};

/* A thread's questions: its own between the barrier and the join. */
struct ask {
	/* fills the slots: see ask_next; ask_deal, or another's */
	unsigned (*next)(struct ask *, unsigned n);
	const struct ask_shared *shared;
	const struct workload *role;
	unsigned number;
	bool beside;  /* of a background thread, beside those asked for */
	bool uniform; /* every slot has the same step, */
	enum op only; /* and this is the operation */

	/* which record */
	/* of keys; of scans, apart, as turns differ in size */
	struct random random, lengths;
	enum keys keys;
	struct draw draw;
	uint64_t span;     /* random ids are below this */
	uint64_t position; /* of a sequence, */
	uint64_t stride;   /* by so much */
	uint64_t todo;     /* operations to do in all, by this thread */
	uint64_t generation; /* of the next value */
	uint64_t told;       /* what its bytes tell of that: all, or nothing */
	/* what it reads is known to be there; so is what lies between two ids */
	bool must_find, contiguous;
	uint64_t draws;    /* keys drawn */
	struct census census;

	/*
	 * records of its own, of a key space that grows: first_new + k * threads +
	 * number, k from dead to born
	 */
	bool grows;
	uint64_t born, dead;
	uint64_t all_dead; /* some thread has deleted so many */
	unsigned postponed; /* deletions for which there was nothing to delete yet */
	struct queue *queue; /* or queues of its own; NULL: none */
	uint64_t *head; /* of each slot that seeks a queue: the record it must find */

	struct replay *replay; /* of a trace */
	uint64_t key_total;    /* bytes of its keys so far */

	/* the slots */
	unsigned slots;
	struct slot *slot;
	uint64_t *id;      /* the records they are about */
	uint64_t *drawn;   /* before they are dealt out among the operations of a mix */
	struct record_shape shape;
	size_t value_room;
	/* slots differ in the size of their value, or the length of their scan */
	bool sized;
	unsigned ratio;
	char *key_bytes, *values;
	unsigned char schedule[WEIGHTS_MOST + 3]; /* operations, in turn */
	unsigned scheduled, schedule_length;
};

/* A place in the questions to come back to. */
struct ask_place {
	struct random random;
	struct draw draw;
	uint64_t position, generation, born, draws;
};

/*
 * The distribution of a workload's random keys: as asked for, or as it has it; or an
 * artefact of old.
 */
enum draw_kind ask_distribution(const struct workload *load);

/* A stream of the thread's own for something else than keys. */
struct random ask_stream(const struct ask *a, const char *what);

/*
 * Begin the questions of a thread with a stream of random numbers of its own; `census`
 * has room for CENSUS_SLOTS or is NULL. Slots are at most `most`, or as many as fit into
 * their memory for 0.
 */
void ask_start(struct ask *a, const struct ask_shared *shared,
	       const struct workload *role, unsigned number, const struct random *stream,
	       uint64_t *census, unsigned most);
void ask_end(struct ask *a);

/*
 * Fill slots with the next n operations, 1 to a->slots; answers how many slots that took.
 */
static inline unsigned ask_next(struct ask *a, unsigned n)
{
	return a->next(a, n);
}

/* That of most workloads: by the schedule, or all alike. */
unsigned ask_deal(struct ask *a, unsigned n);

/* Let others draw what this thread has inserted so far. */
void ask_show_born(struct ask *a);

struct ask_place ask_place(const struct ask *a);
/* What was asked since is asked again. */
void ask_return(struct ask *a, const struct ask_place *place);

/*
 * Was this record there all the time? It was, unless its thread has deleted it, or is
 * about to.
 */
bool ask_must_find(const struct ask *a, uint64_t id);

/* The warm-up is over: forget what was counted. */
void ask_forget_counts(struct ask *a);

#endif
