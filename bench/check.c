/*
 * check.c: is a record that came back the one that was put there, in its place? See
 * worker.h; not timed.
 */
#include <string.h>

#include "../util/random.h"
#include "worker.h"

/*
 * What records are sorted by, as a number: their keys, or their place where the engine
 * has one for each.
 */
static uint64_t check_place(const struct worker *w, uint64_t id)
{
	return w->ask.shape.form == KEYS_USER && !w->engine->fixed_size &&
			       !w->engine->stores_nothing
		       ? random_mix(id)
		       : id;
}

/*
 * Does the record that an iteration came to follow the one before, with none left out
 * between them?
 */
static void verify_order(struct worker *w, uint64_t id)
{
	uint64_t last = w->last_id, from = w->ask.role->reverse ? id : last,
		 to = w->ask.role->reverse ? last : id;

	w->last_id = id;
	/* What is not ours has no place. */
	if (last == UINT64_MAX || id == UINT64_MAX)
		return;
	if (check_place(w, from) >= check_place(w, to))
		w->disordered++;
	else if (w->ask.contiguous && to < cfg->num)
		w->seen.lost += to - from - 1;
}

/*
 * The record that an iteration came to, or UINT64_MAX: a key of another size may spell a
 * number, and is not ours.
 */
static uint64_t listed_id(const struct worker *w, struct slice key)
{
	return key.size == w->ask.shape.size
		       ? record_id(key.data, key.size, w->ask.shape.form)
		       : UINT64_MAX;
}

void worker_check(struct worker *w, uint64_t id, struct slice key, struct slice value)
{
	uint64_t start = clock_ticks(w->clock);

	if (id == UINT64_MAX) {
		id = listed_id(w, key);
		verify_order(w, id);
	}
	if (w->ask.keys == ABSENT || id == UINT64_MAX ||
	    !record_check(&w->ask.shared->sizes, value.data, value.size, w->ask.ratio, id,
			  w->scratch))
		w->wrong++;
	w->aside += clock_ticks(w->clock) - start;
}

/*
 * What comes after an empty queue is not looked at, as it may be another thread's; but it
 * is not of this queue.
 */
static void see_head(struct worker *w, size_t i, struct slice key, struct slice value)
{
	uint64_t id = listed_id(w, key), head = w->ask.head[i];

	if (head == UINT64_MAX) {
		w->wrong += id < w->ask.id[i] + w->ask.queue->room;
		return;
	}
	seen_add(&w->seen, key, w->touch);
	seen_add(&w->seen, value, w->touch);
	w->entries++;
	w->wrong += id != head;
	if (w->verify && id == head)
		worker_check(w, id, key, value);
}

enum status worker_seek_head(struct worker *w, const struct slot *slot)
{
	struct slice key, value;
	enum status status = w->engine->seek(w->session, slot->key, &key, &value);
	size_t i = (size_t)(slot - w->ask.slot);
	bool there = w->ask.head[i] != UINT64_MAX;

	if (status != DONE && status != NOT_FOUND)
		return status;
	w->seen.missing += !there;
	if (w->engine->stores_nothing)
		return DONE;
	if (status == DONE)
		see_head(w, i, key, value);
	else
		w->seen.lost += there;
	return DONE;
}
