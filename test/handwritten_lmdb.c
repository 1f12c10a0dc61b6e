/*
 * handwritten_lmdb.c: gets of LMDB by hand; the read snapshot is renewed for each, as the
 * driver must.
 */
#include <lmdb.h>

#include "handwritten.h"

static void check(int rc)
{
	if (rc)
		handwritten_fail(mdb_strerror(rc));
}

static void read_all(struct handwritten_work *w)
{
	MDB_env *env;
	MDB_txn *txn;
	MDB_dbi dbi;
	uint64_t start;

	check(mdb_env_create(&env));
	check(mdb_env_set_mapsize(env, (size_t)16 << 30));
	check(mdb_env_open(env, w->path, MDB_NOTLS | MDB_NOSYNC, 0644));
	check(mdb_txn_begin(env, NULL, MDB_RDONLY, &txn));
	check(mdb_dbi_open(txn, NULL, 0, &dbi));
	start = clock_ticks(w->clock);
	for (uint64_t i = 0; i < w->count; i++) {
		MDB_val key = {HANDWRITTEN_KEY_SIZE,
			       (void *)(uintptr_t)(w->keys + i * HANDWRITTEN_KEY_SIZE)},
			value;
		uint64_t before = clock_ticks(w->clock);

		mdb_txn_reset(txn);
		check(mdb_txn_renew(txn));
		check(mdb_get(txn, dbi, &key, &value));
		w->sum += handwritten_sum(value.mv_data, value.mv_size);
		w->call_ticks += clock_ticks(w->clock) - before;
	}
	w->loop_ticks = clock_ticks(w->clock) - start;
	mdb_txn_abort(txn);
	mdb_env_close(env);
}

const struct handwritten handwritten = {"lmdb", NULL, read_all};
