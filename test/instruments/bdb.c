/*
 * bdb.c: what engines/bdb.c calls of Berkeley DB. Its functions are pointers in the
 * handles that it gives, the same in each of a kind: ours take their places when a handle
 * is given out.
 */
#include "interpose.h"

#include <db.h>

static struct {
	int (*get)(DB *, DB_TXN *, DBT *, DBT *, u_int32_t);
	int (*put)(DB *, DB_TXN *, DBT *, DBT *, u_int32_t);
	int (*del)(DB *, DB_TXN *, DBT *, u_int32_t);
	int (*cursor)(DB *, DB_TXN *, DBC **, u_int32_t);
	int (*move)(DBC *, DBT *, DBT *, u_int32_t);
	int (*begin)(DB_ENV *, DB_TXN *, DB_TXN **, u_int32_t);
	int (*commit)(DB_TXN *, u_int32_t);
	int (*abort)(DB_TXN *);
	int (*checkpoint)(DB_ENV *, u_int32_t, u_int32_t, u_int32_t);
} original;

#define TIMED(as, name, parameters, ...) \
	static int our_##name parameters \
	{ \
		struct interposed_call interposed_call = interpose_begin(as); \
		int rc = original.name(__VA_ARGS__); \
		if (rc == DB_LOCK_DEADLOCK) \
			interposed_call.kind = CALL_LOST; \
		interpose_end(&interposed_call); \
		return rc; \
	}

TIMED(CALL_READ, get, (DB * db, DB_TXN *txn, DBT *key, DBT *value, u_int32_t flags), db,
      txn, key, value, flags)
TIMED(CALL_WRITE, put, (DB * db, DB_TXN *txn, DBT *key, DBT *value, u_int32_t flags), db,
      txn, key, value, flags)
TIMED(CALL_REMOVE, del, (DB * db, DB_TXN *txn, DBT *key, u_int32_t flags), db, txn, key,
      flags)
TIMED(CALL_COMMIT, commit, (DB_TXN * txn, u_int32_t flags), txn, flags)
TIMED(CALL_UNDO, abort, (DB_TXN * txn), txn)
TIMED(CALL_REST, checkpoint,
      (DB_ENV * env, u_int32_t kilobytes, u_int32_t minutes, u_int32_t flags), env,
      kilobytes, minutes, flags)

static int our_move(DBC *cursor, DBT *key, DBT *value, u_int32_t how)
{
	struct interposed_call call =
		interpose_begin(how == DB_SET_RANGE ? CALL_SEEK : CALL_NEXT);
	int rc = original.move(cursor, key, value, how);

	if (rc == DB_LOCK_DEADLOCK)
		call.kind = CALL_LOST;
	interpose_end(&call);
	return rc;
}

static int our_cursor(DB *db, DB_TXN *txn, DBC **to, u_int32_t flags)
{
	struct interposed_call call = interpose_begin(CALL_PART);
	int rc = original.cursor(db, txn, to, flags);

	if (!rc)
		PUT_BEFORE((*to)->get, original.move, our_move);
	interpose_end(&call);
	return rc;
}

static int our_begin(DB_ENV *env, DB_TXN *parent, DB_TXN **to, u_int32_t flags)
{
	struct interposed_call call = interpose_begin(CALL_BEGIN);
	int rc = original.begin(env, parent, to, flags);

	if (!rc) {
		PUT_BEFORE((*to)->commit, original.commit, our_commit);
		PUT_BEFORE((*to)->abort, original.abort, our_abort);
	}
	interpose_end(&call);
	return rc;
}

EXPORTED int db_env_create(DB_ENV **to, u_int32_t flags)
{
	NEXT(db_env_create);
	int rc = next(to, flags);

	if (rc)
		return rc;
	PUT_BEFORE((*to)->txn_begin, original.begin, our_begin);
	PUT_BEFORE((*to)->txn_checkpoint, original.checkpoint, our_checkpoint);
	return 0;
}

EXPORTED int db_create(DB **to, DB_ENV *env, u_int32_t flags)
{
	NEXT(db_create);
	int rc = next(to, env, flags);

	if (rc)
		return rc;
	PUT_BEFORE((*to)->get, original.get, our_get);
	PUT_BEFORE((*to)->put, original.put, our_put);
	PUT_BEFORE((*to)->del, original.del, our_del);
	PUT_BEFORE((*to)->cursor, original.cursor, our_cursor);
	return 0;
}
