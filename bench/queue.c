/* queue.c: see queue.h. */
#include "queue.h"

#include <stdlib.h>

#include "../util/say.h"
#include "config.h"

/* Records that a queue has room for: one of each operation. */
static uint64_t queue_room(void)
{
	return cfg->num + 1;
}

double queue_keys(void)
{
	return (double)cfg->queues * (double)queue_room();
}

struct queue *queue_start(uint64_t number, uint64_t threads, uint64_t todo)
{
	struct queue *q = say_alloc(1, sizeof *q);

	q->number = number;
	q->threads = threads;
	q->own = (cfg->queues + threads - 1 - number) / threads;
	q->room = queue_room();
	q->changes = todo > q->own ? todo - q->own : 0;
	q->head = say_alloc(q->own, sizeof *q->head);
	q->tail = say_alloc(q->own, sizeof *q->tail);
	return q;
}

void queue_end(struct queue *q)
{
	if (!q)
		return;
	free(q->head);
	free(q->tail);
	free(q);
}

/* The record at a place of the thread's queue number `own`. */
static uint64_t queue_record(const struct queue *q, uint64_t own, uint64_t place)
{
	return (own * q->threads + q->number) * q->room + place;
}

/*
 * A deletion from an empty queue changes places with the next append to one that is not.
 */
static bool queue_deletes(struct queue *q, bool deletion, uint64_t own)
{
	bool empty = q->head[own] == q->tail[own];

	if (deletion && empty) {
		q->postponed++;
		return false;
	}
	if (!deletion && q->postponed && !empty) {
		q->postponed--;
		return true;
	}
	return deletion;
}

enum queue_act queue_next(struct queue *q, struct random *random, bool deletion,
			  uint64_t *id, uint64_t *head)
{
	uint64_t own;

	if (!q->changes) {
		own = q->sought++ % q->own;
		*id = queue_record(q, own, 0);
		*head = q->head[own] < q->tail[own] ? queue_record(q, own, q->head[own])
						    : UINT64_MAX;
		return QUEUE_SEEK;
	}
	q->changes--;
	own = random_below(random, q->own);
	deletion = queue_deletes(q, deletion, own);
	*id = queue_record(q, own, deletion ? q->head[own]++ : q->tail[own]++);
	return deletion ? QUEUE_DELETE : QUEUE_APPEND;
}
