/*
 * queue.c: queues in one key range. They are appended to at their tails and deleted from
 * at their heads. Then each is sought from its beginning, over all that was deleted.
 *
 * A queue is a part of the key range, as long as all operations together could make it.
 * Each thread has queues of its own, so that the contents of a queue follow from the
 * seed.
 */
#include <stdlib.h>

#include "../../util/message.h"
#include "../../util/option.h"
#include "../runner/worker.h"
#include "../workload/config.h"

extern const struct extra queue_extra;

static struct {
	uint64_t queues;
	double deletes;
} queue_settings;

static const struct option queue_options[] = {
	{"queues", "100",
	 "Number of first-in, first-out queues that the workload queue keeps "
	 "in the database, in all. They are divided among the threads; fewer "
	 "queues than threads are refused.",
	 .count = &queue_settings.queues, .min = 1, .max = 100000000,
	 .group = "Queue workload"},
	{"queue_deletes", "0.3",
	 "Fraction of the operations of the workload queue that delete the "
	 "oldest entry of a queue, 0.01 to 0.5. The others append a new "
	 "entry. If the queue of a delete is empty, it becomes an append; a "
	 "later append becomes the delete.",
	 .real = &queue_settings.deletes, .real_min = 0.01, .real_max = 0.5},
	{0},
};

struct queue_columns {
	double queues, queue_deletes;
};

static const struct row_file_column queue_column_table[] = {
	RESULT_NUMBER(queue_columns, queues, 0,
		      "Number of first-in, first-out queues that the workload queue "
		      "kept in the database (--queues). Empty: another workload."),
	RESULT_NUMBER(queue_columns, queue_deletes, 2,
		      "Fraction of deletes among the appends and deletes of the "
		      "workload queue, as configured (--queue_deletes), rounded to "
		      "0.01. A delete from an empty queue is postponed. Empty: another "
		      "workload."),
};

/* The queues of one thread. */
struct queue {
	/* of each queue; its records are those from head up to tail */
	uint64_t *head, *tail;
	uint64_t queue_count, capacity; /* queues, and records that each can hold */
	uint64_t thread, threads;
	uint64_t changes_left;      /* appends and deletions before the seeks, */
	uint64_t seeks_done;        /* and seeks done */
	uint64_t postponed_deletes; /* there was nothing to delete yet */
	/* of each slot that seeks: the record that it must find */
	uint64_t *expected_head;
};

/* Records that a queue can hold: one of each operation. */
static uint64_t queue_capacity(void)
{
	return cfg->num + 1;
}

static double queue_key_count(void)
{
	return (double)queue_settings.queues * (double)queue_capacity();
}

static struct queue *queue_create(uint64_t number, uint64_t threads, uint64_t todo)
{
	struct queue *q = message_alloc(1, sizeof *q);

	q->thread = number;
	q->threads = threads;
	q->queue_count = (queue_settings.queues + threads - 1 - number) / threads;
	q->capacity = queue_capacity();
	q->changes_left = todo > q->queue_count ? todo - q->queue_count : 0;
	q->head = message_alloc(q->queue_count, sizeof *q->head);
	q->tail = message_alloc(q->queue_count, sizeof *q->tail);
	return q;
}

static void queue_free(struct queue *q)
{
	if (!q)
		return;
	free(q->head);
	free(q->tail);
	free(q->expected_head);
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

/*
 * The next operation and its record. Changes come first: a deletion if one is wanted and
 * possible, else an append. Then each queue's beginning is sought, which must find record
 * *head, or no record of that queue if *head is UINT64_MAX.
 */
static enum call queue_choose(struct queue *q, struct random *random, bool deletion,
			      uint64_t *id, uint64_t *head)
{
	uint64_t own;

	if (!q->changes_left) {
		own = q->seeks_done++ % q->queue_count;
		*id = queue_record_id(q, own, 0);
		*head = q->head[own] < q->tail[own]
				? queue_record_id(q, own, q->head[own])
				: UINT64_MAX;
		return CALL_OWN_SCAN;
	}
	q->changes_left--;
	own = random_below(random, q->queue_count);
	deletion = queue_choose_deletion(q, deletion, own);
	*id = queue_record_id(q, own, deletion ? q->head[own]++ : q->tail[own]++);
	return deletion ? CALL_DELETE : CALL_PUT;
}

/* Deal out the next operations, one slot each. */
static unsigned queue_next(struct generator *g, unsigned n)
{
	struct queue *q = g->source;

	for (unsigned i = 0; i < n; i++) {
		bool deletion = g->schedule[g->schedule_position] == OP_DELETE;

		g->schedule_position = (g->schedule_position + 1) % g->schedule_length;
		g->slot[i].call =
			(unsigned char)queue_choose(q, &g->random, deletion, &g->id[i],
						    &q->expected_head[i]);
	}
	generator_write_records(g, n);
	return n;
}

static const struct queue *queue_of(const struct worker *w)
{
	return w->generator.source;
}

/*
 * After an empty queue comes the record of another queue, perhaps another thread's. It
 * is not checked, except that it is not of this queue.
 */
static void check_queue_head(struct worker *w, size_t i, struct slice key,
			     struct slice value)
{
	uint64_t id = verify_id_of_key(w, key), head = queue_of(w)->expected_head[i];

	if (head == UINT64_MAX) {
		w->wrong += id < w->generator.id[i] + queue_of(w)->capacity;
		return;
	}
	read_tally_add(&w->tally, key, w->touch);
	read_tally_add(&w->tally, value, w->touch);
	w->entries++;
	w->wrong += id != head;
	if (w->verify && id == head)
		verify_record(w, id, key, value);
}

/* Seek where a queue began, and check its head. */
static enum status queue_seek(struct worker *w, const struct slot *slot)
{
	struct slice key, value;
	enum status status = w->engine->seek(w->session, slot->key, &key, &value);
	size_t i = (size_t)(slot - w->generator.slot);
	bool has_head = queue_of(w)->expected_head[i] != UINT64_MAX;

	if (status != DONE && status != NOT_FOUND)
		return status;
	w->tally.missing += !has_head;
	w->tally.missing_scans += !has_head;
	if (w->engine->stores_nothing)
		return DONE;
	if (status == DONE)
		check_queue_head(w, i, key, value);
	else
		w->tally.lost += has_head;
	return DONE;
}

/* ---- the extra ---- */

static struct workload queue_workloads[] = {
	{"queue",
	 "Append to the tails of --queues queues and delete from their heads, --num "
	 "operations on an empty database; --queue_deletes is the fraction of deletes. "
	 "At the end, seek each queue's first position, across the deleted records.",
	 {[OP_PUT] = 70, [OP_DELETE] = 30},
	 .key_order = ORDER_RANDOM,
	 .starts_empty = true,
	 .divided = true,
	 .own_keys = true,
	 .next = queue_next,
	 .call = queue_seek},
	{0},
};

static void queue_configure(const char *preset)
{
	unsigned deletes = (unsigned)(100 * queue_settings.deletes + 0.5);

	(void)preset;
	queue_workloads->weights[OP_PUT] = 100 - deletes;
	queue_workloads->weights[OP_DELETE] = deletes;
}

static unsigned queue_change_plan(struct plan_item *list, unsigned count, unsigned most)
{
	(void)list, (void)most;
	queue_workloads->operations = cfg->num + queue_settings.queues;
	return count;
}

static void queue_check_item(const struct plan_item *item)
{
	enum record_key_format form = (enum record_key_format)cfg->key_format;
	double max_keys = record_max_keys(form, cfg->key_size);

	if (item->workload != queue_workloads)
		return;
	if (queue_settings.queues < item->threads)
		message_fatal(2,
			      "--queues: each of the %u threads needs a queue; give at "
			      "least as many",
			      item->threads);
	if (form == KEYS_USER)
		message_fatal(2, "--key_format=user: queues need ordered keys, and these "
				 "are hashed");
	if (engine.fixed_size)
		message_fatal(2,
			      "queue: %s has slots for --num records only, and queues "
			      "need more keys",
			      engine.title);
	if (queue_key_count() > max_keys)
		message_fatal(2,
			      "--queues: %llu queues of up to %llu records do not fit "
			      "into %s keys of %llu bytes; give a larger --key_size",
			      (unsigned long long)queue_settings.queues,
			      (unsigned long long)cfg->num, record_key_formats[form],
			      (unsigned long long)cfg->key_size);
}

/* All that it reads is known to exist, in other keys than those of --num records. */
static void queue_begin_run(struct run *run)
{
	run->generator.must_find |= run->workload == queue_workloads;
}

static void queue_begin_worker(struct worker *w)
{
	struct generator *g = &w->generator;
	struct queue *q;

	if (g->workload != queue_workloads)
		return;
	g->source = q = queue_create(g->number, g->shared->threads, g->operations);
	q->expected_head = message_alloc(g->slots, sizeof *q->expected_head);
}

static void queue_end_worker(struct worker *w)
{
	if (w->generator.workload == queue_workloads)
		queue_free(w->generator.source);
}

static void queue_fill(const struct aggregate *a, struct result *r)
{
	struct queue_columns *columns = result_added(r, &queue_extra.columns);

	if (a->workload != queue_workloads)
		return;
	columns->queues = (double)queue_settings.queues;
	columns->queue_deletes = a->workload->weights[OP_DELETE] / 100.0;
}

const struct extra queue_extra = {
	.options = queue_options,
	.workloads = queue_workloads,
	.columns = ROW_FILE_COLUMNS(queue_column_table),
	.configure = queue_configure,
	.change_plan = queue_change_plan,
	.check_item = queue_check_item,
	.begin_run = queue_begin_run,
	.begin_worker = queue_begin_worker,
	.end_worker = queue_end_worker,
	.fill = queue_fill,
};
