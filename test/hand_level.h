/*
 * hand_level.h: the loops of hand_leveldb.c and hand_rocksdb.c, whose engines have one
 * interface in C; see hand.h. Those first define
 *
 *	LEVEL(name)       the API's name for it: LEVEL(put) is leveldb_put
 *	struct database   with `db`, `read` and `write`, of its open_at and shut
 *	read_one(d, key)  one get: the sum of the bytes seen
 */
#ifndef HAND_LEVEL_H
#define HAND_LEVEL_H

#include "hand.h"

static void fill_all(struct hand_work *w)
{
	struct database d = open_at(w->path);
	uint64_t start = clock_ticks(w->clock);

	for (uint64_t i = 0; i < w->count; i++) {
		uint64_t before = clock_ticks(w->clock);
		char *error = NULL;

		LEVEL(put)(d.db, d.write, w->keys + i * HAND_KEY, HAND_KEY,
			   w->values + i * HAND_VALUE, HAND_VALUE, &error);
		check(error);
		w->inside += clock_ticks(w->clock) - before;
	}
	w->ticks = clock_ticks(w->clock) - start;
	shut(&d);
}

static void read_all(struct hand_work *w)
{
	struct database d = open_at(w->path);
	uint64_t start = clock_ticks(w->clock);

	for (uint64_t i = 0; i < w->count; i++) {
		uint64_t before = clock_ticks(w->clock);

		w->sum += read_one(&d, w->keys + i * HAND_KEY);
		w->inside += clock_ticks(w->clock) - before;
	}
	w->ticks = clock_ticks(w->clock) - start;
	shut(&d);
}

#endif
