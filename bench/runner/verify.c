/*
 * verify.c: checks that a returned record is the one that was put, and in order; see
 * worker.h. Not timed.
 */
#include <string.h>

#include "../../util/random.h"
#include "worker.h"

/*
 * The position of a record in the order of the database, as a number: by its key, or by
 * its record number if the engine has those.
 */
static uint64_t sort_position(const struct worker *w, uint64_t id)
{
	return w->generator.key_shape.format == KEYS_USER && !w->engine->fixed_size &&
			       !w->engine->stores_nothing
		       ? random_mix(id)
		       : id;
}

/* Does an iteration's record follow the previous one, without any left out in between? */
static void verify_order(struct worker *w, uint64_t id)
{
	uint64_t last = w->last_id, from = w->generator.workload->reverse ? id : last,
		 to = w->generator.workload->reverse ? last : id;

	w->last_id = id;
	/* A foreign record has no position. */
	if (last == UINT64_MAX || id == UINT64_MAX)
		return;
	if (sort_position(w, from) >= sort_position(w, to))
		w->disordered++;
	else if (w->generator.contiguous && to < cfg->num)
		w->tally.lost += to - from - 1;
}

/*
 * The id of the record that an iteration returned, or UINT64_MAX. A key of another size
 * may look like a number, but is foreign.
 */
static uint64_t id_of_key(const struct worker *w, struct slice key)
{
	return key.size == w->generator.key_shape.size
		       ? record_parse_key(key.data, key.size,
					  w->generator.key_shape.format)
		       : UINT64_MAX;
}

void verify_record(struct worker *w, uint64_t id, struct slice key, struct slice value)
{
	uint64_t start = clock_ticks(w->clock);

	if (id == UINT64_MAX) {
		id = id_of_key(w, key);
		verify_order(w, id);
	}
	if (w->generator.key_order == ORDER_ABSENT || id == UINT64_MAX ||
	    !record_check(&w->generator.shared->value_sizes, value.data, value.size,
			  w->generator.value_ratio, id, w->value_scratch))
		w->wrong++;
	w->check_ticks += clock_ticks(w->clock) - start;
}

/*
 * After an empty queue comes the record of another queue, perhaps another thread's. It
 * is not checked, except that it is not of this queue.
 */
static void check_queue_head(struct worker *w, size_t i, struct slice key,
			     struct slice value)
{
	uint64_t id = id_of_key(w, key), head = w->generator.queue_head[i];

	if (head == UINT64_MAX) {
		w->wrong += id < w->generator.id[i] + w->generator.queue->capacity;
		return;
	}
	read_tally_add(&w->tally, key, w->touch);
	read_tally_add(&w->tally, value, w->touch);
	w->entries++;
	w->wrong += id != head;
	if (w->verify && id == head)
		verify_record(w, id, key, value);
}

enum status verify_seek_head(struct worker *w, const struct slot *slot)
{
	struct slice key, value;
	enum status status = w->engine->seek(w->session, slot->key, &key, &value);
	size_t i = (size_t)(slot - w->generator.slot);
	bool has_head = w->generator.queue_head[i] != UINT64_MAX;

	if (status != DONE && status != NOT_FOUND)
		return status;
	w->tally.missing += !has_head;
	if (w->engine->stores_nothing)
		return DONE;
	if (status == DONE)
		check_queue_head(w, i, key, value);
	else
		w->tally.lost += has_head;
	return DONE;
}
