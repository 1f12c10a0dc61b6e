/*
 * txn.h: writes that become visible together, and what becomes of them when the engine
 * gives way.
 *
 * The whole story. A workload has `size` writes in a transaction. Its slots are marked
 * when they are prepared: the first with BEGIN, the last with COMMIT. A turn of the loop
 * holds whole transactions, or a part of one (txn_fit), so a transaction is either inside
 * one turn or open from one turn to the next.
 *
 *     idle --BEGIN--> open --write--> open ... --COMMIT--> idle
 *                      |
 *                      +--conflict: the driver has rolled back; all of it is done again
 *
 * On a conflict within the turn in which the transaction began, the slots are still
 * there: go back to the one with BEGIN. If it began in an earlier turn its slots are
 * gone: `again` is set, the turn ends, and its questions are asked again from the place
 * that was kept when it began.
 *
 * What is not committed counts for nothing. The calls of an open transaction are kept
 * apart at the end of a turn (txn_keep); they are entered into the figures when it
 * commits (txn_settle) and dropped when it gives way (txn_drop). So a histogram holds as
 * many calls as were counted, and nothing that was shown is taken back.
 *
 * A single write commits by itself (`alone`); a bulk load is one commit, cannot give way,
 * and counts as it goes. A read-modify-write may be a transaction of two slots, which are
 * always in one turn.
 */
#ifndef TXN_H
#define TXN_H

#include <stdbool.h>
#include <stdint.h>

#include "../util/hist.h"
#include "ask.h"

enum { TXN_KEPT = 4096 };

/*
 * The times of a transaction that is open from one turn to the next; those for which the
 * lists have no room are spilled.
 */
struct txn_times {
	unsigned n;
	uint64_t took[TXN_KEPT], response[TXN_KEPT];
	uint64_t spilled;
	struct hist times, responses;
};

struct txn {
	uint64_t size;    /* writes in one */
	/* each write is a commit, read-modify-writes in a transaction aside */
	bool alone;
	bool bulk;        /* all writes are one load by the engine's loader */
	uint64_t placed;  /* slots marked of one that is not marked to its end */
	uint64_t pending; /* writes done since the last commit, of the figures */
	/* one is open from the warm-up, whose writes are in no figure */
	bool carried;
	uint64_t commits;
	bool again;       /* it gave way, and began in an earlier turn */
	/* the last one gave way when there was no time left to do it again */
	bool rolled_back;
	struct txn_times *times; /* of the caller; all zero at first */
};

/* How many of n operations make a turn of whole transactions, or a part of one. */
unsigned txn_fit(const struct txn *t, unsigned n);

/*
 * Mark where transactions begin and end among n writes; `last`: nothing comes after them.
 */
void txn_mark(struct txn *t, struct slot *slot, unsigned n, bool last);

/* A write was done, and its transaction committed if its step says so. */
static inline void txn_wrote(struct txn *t, unsigned step)
{
	if (step & COMMIT) {
		t->commits++;
		t->pending = 0;
		t->carried = false;
	} else if (t->alone) {
		t->commits++;
	} else {
		t->pending++;
	}
}

/* Is there a transaction to commit? */
static inline bool txn_is_open(const struct txn *t)
{
	return t->pending || t->carried;
}

/* Is `slot`, of those from `first` on, the second step of an operation? */
static inline bool txn_halfway(const struct slot *first, const struct slot *slot)
{
	return slot > first && (slot - 1)->step & HALF;
}

/*
 * The engine gave way at `slot`, of those from `first` on: answers the slot to go on
 * from, or NULL if that was in an earlier turn (`again` is set).
 */
struct slot *txn_back(struct txn *t, struct slot *first, struct slot *slot);

/* Writes that are done, open, and in no figure yet. */
static inline uint64_t txn_unsettled(const struct txn *t)
{
	return t->times->n + t->times->spilled;
}

/*
 * Of n slots just finished, how many belong to a transaction that is still open: the last
 * ones.
 */
static inline unsigned txn_open(const struct txn *t, unsigned n)
{
	return t->bulk ? 0 : t->pending < n ? (unsigned)t->pending : n;
}

/* Has one that was open before the last n slots ended with them? */
static inline bool txn_ended(const struct txn *t, unsigned n)
{
	return txn_unsettled(t) && t->pending < txn_unsettled(t) + n;
}

/*
 * Keep the times of m finished slots of an open one; `response` is NULL where there is no
 * schedule.
 */
void txn_keep(struct txn *t, const struct slot *slot, const uint64_t *response,
	      unsigned m);

/*
 * It has committed: enter its times, of writes, into histograms; NULL: not wanted.
 * Answers how many writes that were.
 */
uint64_t txn_settle(struct txn *t, struct hist *times, struct hist *responses);

/* It has not: forget them. Answers the sum of their times, in ticks. */
uint64_t txn_drop(struct txn *t);

#endif
