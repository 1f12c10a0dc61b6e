/*
 * transaction.h: writes that become visible together, and retries after conflicts.
 *
 * A workload has `writes_per_commit` writes in a transaction. Its slots are marked when
 * they are prepared: the first with CALL_BEGIN, the last with CALL_COMMIT. A chunk holds
 * whole transactions or a part of one (transaction_fit). So a transaction is either
 * inside one chunk or open from one chunk to the next.
 *
 *     idle --BEGIN--> open --write--> open ... --COMMIT--> idle
 *                      |
 *                      +--conflict: the driver has rolled back; all of it is repeated
 *
 * After a conflict within the chunk in which the transaction began, the slots still
 * exist: the worker returns to the one with CALL_BEGIN. If the transaction began in an
 * earlier chunk, its slots are gone. Then must_regenerate is set, the chunk ends, and the
 * same operations are generated again from the state that was saved when it began.
 *
 * Calls that are not committed do not count. Those of an open transaction are kept apart
 * at the end of a chunk (transaction_keep_times). They are counted when it commits
 * (transaction_commit_times) and discarded when it is rolled back
 * (transaction_discard_times). So a histogram holds as many calls as were counted, and
 * published counts never decrease.
 *
 * A single write commits by itself (single_writes). A bulk load is one commit, has no
 * conflicts, and counts as it goes. A read-modify-write may be a transaction of two
 * slots, which are always in one chunk.
 */
#ifndef BENCH_RUNNER_TRANSACTION_H
#define BENCH_RUNNER_TRANSACTION_H

#include <stdbool.h>
#include <stdint.h>

#include "../../util/hist.h"
#include "../workload/generator.h"

enum { TRANSACTION_TIMES_MAX = 4096 };

/*
 * Times of a transaction that is open from one chunk to the next. Those that do not fit
 * into the lists are added to the `spilled` members.
 */
struct transaction_times {
	unsigned count;
	uint64_t ticks[TRANSACTION_TIMES_MAX], responses[TRANSACTION_TIMES_MAX];
	uint64_t spilled;
	struct hist spilled_ticks, spilled_responses, spilled_start_errors;
};

struct transaction {
	uint64_t writes_per_commit; /* in a transaction */
	/* each write is a commit, except read-modify-writes in a transaction */
	bool single_writes;
	bool bulk_load;   /* all writes are one load by the engine's loader */
	uint64_t marked;  /* slots marked so far of a transaction that is not complete */
	uint64_t pending; /* writes done since the last commit, without the warm-up's */
	/* one is open since the warm-up, whose writes are not counted */
	bool open_since_warmup;
	uint64_t commits;
	bool must_regenerate; /* a transaction of an earlier chunk had a conflict */
	/* the last one had a conflict when no time was left to repeat it */
	bool rolled_back;
	struct transaction_times *times; /* owned by the caller; zero at first */
};

/* How many of n operations make a chunk of whole transactions, or a part of one. */
unsigned transaction_fit(const struct transaction *t, unsigned n);

/* Mark where transactions begin and end among n writes; `last`: no write follows. */
void transaction_mark(struct transaction *t, struct slot *slot, unsigned n, bool last);

/* A write was done, and its transaction committed if its call says so. */
static inline void transaction_note_write(struct transaction *t, unsigned call)
{
	if (call & CALL_COMMIT) {
		t->commits++;
		t->pending = 0;
		t->open_since_warmup = false;
	} else if (t->single_writes) {
		t->commits++;
	} else {
		t->pending++;
	}
}

/* Is there a transaction to commit? */
static inline bool transaction_is_open(const struct transaction *t)
{
	return t->pending || t->open_since_warmup;
}

/* Is `slot`, of those from `first` on, the second call of an operation? */
static inline bool transaction_is_second_call(const struct slot *first,
					      const struct slot *slot)
{
	return slot > first && (slot - 1)->call & CALL_FIRST_OF_TWO;
}

/*
 * The engine returned a conflict at `slot`, of those from `first` on. Returns the slot
 * to continue from, or NULL if the transaction began in an earlier chunk
 * (must_regenerate is set).
 */
struct slot *transaction_rewind(struct transaction *t, struct slot *first,
				struct slot *slot);

/* Writes that are done and not committed yet. */
static inline uint64_t transaction_uncounted(const struct transaction *t)
{
	return t->times->count + t->times->spilled;
}

/*
 * How many of the n slots just finished belong to a transaction that is still open;
 * these are the last ones.
 */
static inline unsigned transaction_open_calls(const struct transaction *t, unsigned n)
{
	return t->bulk_load ? 0 : t->pending < n ? (unsigned)t->pending : n;
}

/* Has a transaction that was open before the last n slots ended within them? */
static inline bool transaction_has_ended(const struct transaction *t, unsigned n)
{
	return transaction_uncounted(t) && t->pending < transaction_uncounted(t) + n;
}

/*
 * Keep the times of m finished slots of an open transaction; `response` is NULL without
 * a schedule.
 */
void transaction_keep_times(struct transaction *t, const struct slot *slot,
			    const uint64_t *response, unsigned m);

/*
 * It has committed: enter the times of its writes, and the delays of their starts, into
 * histograms, unless these are NULL. Returns how many writes those were.
 */
uint64_t transaction_commit_times(struct transaction *t, struct hist *times,
				  struct hist *responses, struct hist *start_errors);

/* It was rolled back: discard the times. Returns their sum, in ticks. */
uint64_t transaction_discard_times(struct transaction *t);

#endif
