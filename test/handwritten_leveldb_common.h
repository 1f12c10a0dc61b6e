/*
 * handwritten_leveldb_common.h: the loops of handwritten_leveldb.c and
 *handwritten_rocksdb.c, whose engines have one interface in C; see handwritten.h. Those
 *first define
 *
 *	LEVELDB_API(name)       the API's name for it: LEVELDB_API(put) is leveldb_put
 *	struct database   with `db`, `read` and `write`, of its conform_open and shut
 *	read_one(d, key)  one get: the sum of the bytes seen
 */
#ifndef TEST_HANDWRITTEN_LEVELDB_COMMON_H
#define TEST_HANDWRITTEN_LEVELDB_COMMON_H

#include "handwritten.h"

static void fill_all(struct handwritten_work *w)
{
	struct rocksdb_database d = conform_open(w->path);
	uint64_t start = clock_ticks(w->clock);

	for (uint64_t i = 0; i < w->count; i++) {
		uint64_t before = clock_ticks(w->clock);
		char *error = NULL;

		LEVELDB_API(put)
		(d.db, d.write, w->keys + i * HANDWRITTEN_KEY_SIZE, HANDWRITTEN_KEY_SIZE,
		 w->values + i * HANDWRITTEN_VALUE_SIZE, HANDWRITTEN_VALUE_SIZE, &error);
		check(error);
		w->call_ticks += clock_ticks(w->clock) - before;
	}
	w->loop_ticks = clock_ticks(w->clock) - start;
	conform_close(&d);
}

static void read_all(struct handwritten_work *w)
{
	struct rocksdb_database d = conform_open(w->path);
	uint64_t start = clock_ticks(w->clock);

	for (uint64_t i = 0; i < w->count; i++) {
		uint64_t before = clock_ticks(w->clock);

		w->sum += read_one(&d, w->keys + i * HANDWRITTEN_KEY_SIZE);
		w->call_ticks += clock_ticks(w->clock) - before;
	}
	w->loop_ticks = clock_ticks(w->clock) - start;
	conform_close(&d);
}

#endif
