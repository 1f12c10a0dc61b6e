/*
 * act.h: operations that are made of several calls of the engine.
 *
 * A workload may have a cast of acts instead of weights: what an operation is, say a
 * transaction that moves money, is then its own. An act is drawn before a clock is read
 * and done within one timed call, as often as the engine gives way: what was drawn stays.
 * It counts as one read, write or scan, in the histogram of that kind. Rates, --duration,
 * --warmup, timelines and --verify are the core's, as for any other operation.
 *
 * A cast is written without knowing how it is run: it sees its actor, which is a thread
 * at work, and the stage, which all actors share.
 */
#ifndef ACT_H
#define ACT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../engines/engine.h"
#include "../util/clock.h"
#include "../util/option.h"
#include "../util/random.h"
#include "../util/record.h"
#include "../util/result.h"
#include "seen.h"

struct actor;
struct acts;

/* Of the command line, what a number of acts can be made of. */
struct amounts {
	uint64_t num, writes;
	double duration;
};

enum { STAGE_WHY = 512 };

/* What all actors of a benchmark share. Only `shared` is written while they work. */
struct stage {
	const struct acts *acts;
	const struct settings *settings;
	struct record_shape shape; /* of keys */
	enum touch touch;
	uint64_t num;              /* as --num says */
	const struct amounts *amounts;
	uint64_t seed;
	unsigned threads;
	unsigned ratio;            /* of values, as record_value takes it */
	void *shared;              /* acts->shared_size bytes, all zero at first */
	/* of each thread; NULL before they are there */
	struct actor *const *actors;
	/* the end has come: nobody waits for others any more */
	const atomic_bool *stop;
	char why[STAGE_WHY];       /* room for what prepare and check answer */
};

/*
 * What was done; the core adds it up over the threads, and forgets that of the warm-up.
 */
struct acted {
	uint64_t commits; /* transactions that wrote */
	uint64_t puts;    /* records written or deleted */
	uint64_t bytes;   /* in the keys and values of records written */
	uint64_t entries; /* records written, deleted or read */
	uint64_t wrong;   /* records that are not what they should be */
};

struct actor {
	struct stage *stage;
	const struct engine *engine;
	struct session *session;
	const struct clock *clock;
	unsigned number;
	/*
	 * Calls are answered by an engine that does nothing, to learn what the harness
	 * costs; nothing is to be made of what they say, and `shared` is left alone.
	 */
	bool rehearses;
	bool verify;             /* look at values byte by byte */
	struct random random;    /* a stream of its own */
	void *state;             /* acts->state_size bytes, all zero at first */
	char *key;               /* buffers for two keys, */
	char *value, *scratch;   /* and for the largest value, twice */
	struct seen *seen;       /* of the thread: what gives way takes it back */
	uint64_t *aside;         /* ticks that checking took within a call */
	struct acted acted;      /* what is acknowledged, */
	struct acted now;        /* and what the act under way has done */
	char *why;               /* the engine's words, or ours about what cannot go on */
};

/* A workload of acts. What is NULL or 0 is not there. */
struct acts {
	const char *title;
	const struct option *options; /* rows added to the option table */
	const char *mix;              /* for the column */
	bool transacts;               /* on engines with transactions that read only */
	unsigned records;             /* in the database, for one of --num */
	/* of its values, in the marker: no other's number */
	unsigned form;
	/* bytes of a value, which all have one size; 0: any */
	size_t least;
	/* of keys and values, where they are its own: --key_size and --value_size */
	size_t key_size, value_least, value_most;
	size_t draw_size, state_size, shared_size;

	/*
	 * Threads beside each of those asked for: thread n of T is the (n / T)th of
	 * client n % T. They work until those asked for have ended.
	 */
	unsigned beside;
	bool singly; /* an act is drawn when the one before it is done */

	/* Why the engine or its options cannot be, with this --num; NULL: they can. */
	const char *(*refuse)(const struct acts *, uint64_t num);

	/* Of each thread asked for, whatever --duration says; 0: --duration must say. */
	uint64_t (*operations)(const struct acts *, const struct amounts *);

	/*
	 * Acts a second that are due to a thread, whatever --rate says, and after which
	 * part of a gap the first one is; 0: a closed loop.
	 */
	double (*rate)(const struct stage *, unsigned number, double *phase);

	/* Of what a fill loads: the value of record `id`, of `size` bytes. */
	void (*value)(const struct stage *, char *to, size_t size, uint64_t id);

	/*
	 * Before the threads begin and after they have ended, on the open database, with
	 * a session of main()'s: answers NULL, or why the row is void.
	 */
	const char *(*prepare)(struct stage *, struct actor *);
	const char *(*check)(struct stage *, struct actor *);

	/*
	 * Draw the next act, into draw_size bytes. Not timed. Answers what it counts as.
	 */
	enum result_kind (*draw)(struct actor *, void *draw);

	/*
	 * Do it. DONE; NOT_FOUND if a record was not there that must be; CONFLICT if the
	 * engine gave way: it is done again, by the same draw, and `now` and what was
	 * seen are forgotten; or what the engine failed with. With nothing left open.
	 */
	enum status (*once)(struct actor *, const void *draw);

	/* The warm-up is over: forget what was counted. */
	void (*forget)(struct actor *);

	/*
	 * The thread has done its last act. True if it had to wait, which is part of the
	 * benchmark's time.
	 */
	bool (*end)(struct actor *);

	/* Columns of its own; and how keys are chosen, or NULL. */
	void (*columns)(const struct stage *, struct result *);
	const char *(*distribution)(void);
};

/* An actor for thread `number` with a stream of random numbers of its own. */
struct actor *actor_make(struct stage *stage, const struct engine *by,
			 unsigned number, const struct random *stream);
void actor_free(struct actor *a);

/* Do an act, and count what it has done if it is done. */
enum status actor_do(struct actor *a, const void *draw);

/* The warm-up is over. */
void actor_forget(struct actor *a);

/* The last act is done; true: after a wait. */
bool actor_end(struct actor *a);

/* ---- for casts: calls that count ---- */

/*
 * Reads from here on are in one snapshot of the database, which is a transaction where
 * the engine has no snapshots; its release answers `status`, or what ending it came to.
 */
enum status actor_snapshot(struct actor *a);
enum status actor_release(struct actor *a, enum status status);

enum status actor_begin(struct actor *a);
enum status actor_commit(struct actor *a);
/* End an act that is not to be, or that failed; answers `status`. */
enum status actor_abandon(struct actor *a, enum status status);

/* Record `id`, by its key; `value` until the next call. Its bytes are read. */
enum status actor_get(struct actor *a, uint64_t id, struct slice *value);
/* As actor_get, by a key of one's own. */
enum status actor_get_key(struct actor *a, struct slice key, struct slice *value);
enum status actor_put(struct actor *a, uint64_t id, struct slice value);
enum status actor_put_key(struct actor *a, struct slice key, struct slice value);
enum status actor_del_key(struct actor *a, struct slice key);

/* The key of record `id`, in the actor's buffer. */
struct slice actor_key(struct actor *a, uint64_t id);

#endif
