/*
 * hand_lmdb.c: gets of LMDB by hand; the read snapshot is renewed for each, as the driver
 * must.
 */
#include <lmdb.h>

#include "hand.h"

static void check(int rc)
{
	if (rc)
		hand_fail(mdb_strerror(rc));
}

static void read_all(struct hand_work *w)
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
		MDB_val key = {HAND_KEY, (void *)(uintptr_t)(w->keys + i * HAND_KEY)},
			value;
		uint64_t before = clock_ticks(w->clock);

		mdb_txn_reset(txn);
		check(mdb_txn_renew(txn));
		check(mdb_get(txn, dbi, &key, &value));
		w->sum += hand_see(value.mv_data, value.mv_size);
		w->inside += clock_ticks(w->clock) - before;
	}
	w->ticks = clock_ticks(w->clock) - start;
	mdb_txn_abort(txn);
	mdb_env_close(env);
}

const struct hand hand = {"lmdb", NULL, read_all};
