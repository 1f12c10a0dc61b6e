/*
 * queue.h: queues in one key space: appended to at their tails, deleted from at their
 * heads, and then each sought from its beginning, over all that was deleted.
 *
 * A queue is a stretch of the key space, as long as all operations together could make
 * it. Each thread has queues of its own, so that what a queue holds follows from the
 * seed.
 */
#ifndef QUEUE_H
#define QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "../util/random.h"

/* The queues of one thread. */
struct queue {
	uint64_t *head, *tail; /* of each: what is there is from head to tail */
	uint64_t own, room;    /* queues; records that one has room for */
	uint64_t number, threads;
	uint64_t changes;      /* that are left to do before the seeks, */
	uint64_t sought;       /* and seeks done */
	uint64_t postponed;    /* deletions for which there was nothing to delete yet */
};

enum queue_act { QUEUE_APPEND, QUEUE_DELETE, QUEUE_SEEK };

/* Keys that all queues may come to. */
double queue_keys(void);

/* Those of thread `number` of so many, which does `todo` operations. */
struct queue *queue_start(uint64_t number, uint64_t threads, uint64_t todo);
void queue_end(struct queue *q);

/*
 * The next operation and its record: a change, which is a deletion if one is due and can
 * be; and when all are done a seek of a queue's beginning, which must find *head, or
 * nothing of that queue for UINT64_MAX.
 */
enum queue_act queue_next(struct queue *q, struct random *random, bool deletion,
			  uint64_t *id, uint64_t *head);

#endif
