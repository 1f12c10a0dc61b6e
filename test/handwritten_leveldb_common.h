/*
 * handwritten_leveldb_common.h: the loops of handwritten_leveldb.c and
 * handwritten_rocksdb.c, whose engines have one interface in C, in LevelDB's names; see
 * handwritten.h and engines/rocksdb_names.h. Those first define
 *
 *	struct handwritten_database  with `db`, `read` and `write`
 *	handwritten_open(), handwritten_close()
 *	read_one(d, key)             one get; returns the sum of the bytes read
 */
#ifndef TEST_HANDWRITTEN_LEVELDB_COMMON_H
#define TEST_HANDWRITTEN_LEVELDB_COMMON_H

#include "handwritten.h"

static void fill_all(struct handwritten_work *w)
{
	struct handwritten_database d = handwritten_open(w->path);
	uint64_t start = clock_ticks(w->clock);

	for (uint64_t i = 0; i < w->count; i++) {
		uint64_t before = clock_ticks(w->clock);
		char *error = NULL;

		leveldb_put(d.db, d.write, w->keys + i * HANDWRITTEN_KEY_SIZE,
			    HANDWRITTEN_KEY_SIZE, w->values + i * HANDWRITTEN_VALUE_SIZE,
			    HANDWRITTEN_VALUE_SIZE, &error);
		check(error);
		w->call_ticks += clock_ticks(w->clock) - before;
	}
	w->loop_ticks = clock_ticks(w->clock) - start;
	handwritten_close(&d);
}

static void read_all(struct handwritten_work *w)
{
	struct handwritten_database d = handwritten_open(w->path);
	uint64_t start = clock_ticks(w->clock);

	for (uint64_t i = 0; i < w->count; i++) {
		uint64_t before = clock_ticks(w->clock);

		w->sum += read_one(&d, w->keys + i * HANDWRITTEN_KEY_SIZE);
		w->call_ticks += clock_ticks(w->clock) - before;
	}
	w->loop_ticks = clock_ticks(w->clock) - start;
	handwritten_close(&d);
}

#endif
