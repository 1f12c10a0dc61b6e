/*
 * queue.h: queues in one key range. They are appended to at their tails and deleted
 * from at their heads. Then each is sought from its beginning, over all that was
 * deleted.
 *
 * A queue is a part of the key range, as long as all operations together could make it.
 * Each thread has queues of its own, so that the contents of a queue follow from the
 * seed.
 */
#ifndef BENCH_EXTRAS_QUEUE_H
#define BENCH_EXTRAS_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "../../util/random.h"

/* The queues of one thread. */
struct queue {
	/* of each queue; its records are those from head up to tail */
	uint64_t *head, *tail;
	uint64_t queue_count, capacity; /* queues, and records that each can hold */
	uint64_t thread, threads;
	uint64_t changes_left;          /* appends and deletions before the seeks, */
	uint64_t seeks_done;            /* and seeks done */
	uint64_t postponed_deletes;     /* there was nothing to delete yet */
};

enum queue_operation { QUEUE_APPEND, QUEUE_DELETE, QUEUE_SEEK };

/* The number of keys that all queues may use. */
double queue_key_count(void);

/* Create the queues of thread `number`, which does `todo` operations. */
struct queue *queue_create(uint64_t number, uint64_t threads, uint64_t todo);
void queue_free(struct queue *q);

/*
 * The next operation and its record. Changes come first: a deletion if one is wanted
 * and possible, else an append. Then each queue's beginning is sought, which must find
 * record *head, or no record of that queue if *head is UINT64_MAX.
 */
enum queue_operation queue_next(struct queue *q, struct random *random, bool deletion,
				uint64_t *id, uint64_t *head);

#endif
