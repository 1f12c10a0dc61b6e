/* queue.c: see queue.h. */
#include "queue.h"

#include <stdlib.h>

#include "../../util/message.h"
#include "../workload/config.h"

/* Records that a queue can hold: one of each operation. */
static uint64_t queue_capacity(void)
{
	return cfg->num + 1;
}

double queue_key_count(void)
{
	return (double)cfg->queues * (double)queue_capacity();
}

struct queue *queue_create(uint64_t number, uint64_t threads, uint64_t todo)
{
	struct queue *q = message_alloc(1, sizeof *q);

	q->thread = number;
	q->threads = threads;
	q->queue_count = (cfg->queues + threads - 1 - number) / threads;
	q->capacity = queue_capacity();
	q->changes_left = todo > q->queue_count ? todo - q->queue_count : 0;
	q->head = message_alloc(q->queue_count, sizeof *q->head);
	q->tail = message_alloc(q->queue_count, sizeof *q->tail);
	return q;
}

void queue_free(struct queue *q)
{
	if (!q)
		return;
	free(q->head);
	free(q->tail);
	free(q);
}

/* The record at an offset in the thread's queue number `own`. */
static uint64_t queue_record_id(const struct queue *q, uint64_t own, uint64_t offset)
{
	return (own * q->threads + q->thread) * q->capacity + offset;
}

/*
 * A deletion from an empty queue changes places with the next append to a queue that is
 * not.
 */
static bool queue_choose_deletion(struct queue *q, bool deletion, uint64_t own)
{
	bool empty = q->head[own] == q->tail[own];

	if (deletion && empty) {
		q->postponed_deletes++;
		return false;
	}
	if (!deletion && q->postponed_deletes && !empty) {
		q->postponed_deletes--;
		return true;
	}
	return deletion;
}

enum queue_operation queue_next(struct queue *q, struct random *random, bool deletion,
				uint64_t *id, uint64_t *head)
{
	uint64_t own;

	if (!q->changes_left) {
		own = q->seeks_done++ % q->queue_count;
		*id = queue_record_id(q, own, 0);
		*head = q->head[own] < q->tail[own]
				? queue_record_id(q, own, q->head[own])
				: UINT64_MAX;
		return QUEUE_SEEK;
	}
	q->changes_left--;
	own = random_below(random, q->queue_count);
	deletion = queue_choose_deletion(q, deletion, own);
	*id = queue_record_id(q, own, deletion ? q->head[own]++ : q->tail[own]++);
	return deletion ? QUEUE_DELETE : QUEUE_APPEND;
}
