/* lmdb.c: what engines/lmdb.c calls of LMDB. */
#include "interpose.h"

#include <lmdb.h>

WRAP(CALL_PART, int, mdb_txn_renew, (MDB_txn * txn), txn)
WRAP(CALL_PART, int, mdb_cursor_renew, (MDB_txn * txn, MDB_cursor *cursor), txn, cursor)
WRAP(CALL_READ, int, mdb_get, (MDB_txn * txn, MDB_dbi dbi, MDB_val *key, MDB_val *value),
     txn, dbi, key, value)
WRAP(CALL_WRITE, int, mdb_put,
     (MDB_txn * txn, MDB_dbi dbi, MDB_val *key, MDB_val *value, unsigned flags), txn, dbi,
     key, value, flags)
WRAP(CALL_REMOVE, int, mdb_del,
     (MDB_txn * txn, MDB_dbi dbi, MDB_val *key, MDB_val *value), txn, dbi, key, value)
WRAP(CALL_COMMIT, int, mdb_txn_commit, (MDB_txn * txn), txn)

/* A transaction for reads is begun before anything is measured. */
EXPORTED int mdb_txn_begin(MDB_env *env, MDB_txn *parent, unsigned flags, MDB_txn **txn)
{
	NEXT(mdb_txn_begin);
	struct interposed_call call;
	int rc;

	if (flags & MDB_RDONLY)
		return next(env, parent, flags, txn);
	call = interpose_begin(CALL_BEGIN);
	rc = next(env, parent, flags, txn);
	interpose_end(&call);
	return rc;
}

EXPORTED int mdb_cursor_get(MDB_cursor *cursor, MDB_val *key, MDB_val *value,
			    MDB_cursor_op op)
{
	NEXT(mdb_cursor_get);
	struct interposed_call call =
		interpose_begin(op == MDB_NEXT || op == MDB_PREV ? CALL_NEXT : CALL_SEEK);
	int rc = next(cursor, key, value, op);

	interpose_end(&call);
	return rc;
}
