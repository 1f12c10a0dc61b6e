/*
 * mdb.h: what LMDB's C API and libmdbx's, which grew out of it, do alike: all that is
 * timed, and what both can be told. A part of lmdb.c and of mdbx.c, which first define
 *
 *	MDB_CALL(name)      the API's name for a function: MDB_CALL(put) is mdb_put
 *	MDB_NAME(name)      and for a type or a flag: MDB_NAME(NEXT) is MDB_NEXT
 *	MDB_TEXT            what these begin with: "MDB_"
 *	MDB_DATA, MDB_SIZE  the members of its MDB_NAME(val)
 *	struct db           with `env` and `dbi`
 *	check(why, rc)      the engine's status as ours, its words in why
 *
 * A session keeps one read transaction, renewed for every read or snapshot, and one
 * cursor. A value read is a pointer into the map and lives as long as that transaction;
 * so that of a single get is reset when the session's next call needs a newer one, or at
 * release.
 *
 * Each driver's `engine` names these functions itself, as that is its table of contents:
 * so those lines are alike.
 */
#ifndef MDB_H
#define MDB_H

#include "engine.h"

struct session {
	struct db *db;
	char *why;
	MDB_NAME(txn) *read;
	MDB_NAME(cursor) *cursor; /* of `read` */
	MDB_NAME(txn) *write;     /* an open begin/commit bracket, or NULL */
	bool live;                /* `read` is */
	bool held;                /* it is a snapshot, until release */
};

static MDB_NAME(val) val(struct slice s)
{
	return (MDB_NAME(val)){.MDB_SIZE = s.size, .MDB_DATA = (void *)(uintptr_t)s.data};
}

static struct slice slice(MDB_NAME(val) v)
{
	return (struct slice){v.MDB_DATA, v.MDB_SIZE};
}

static void tree_release(struct session *s)
{
	if (s->live)
		MDB_CALL(txn_reset)(s->read);
	s->live = s->held = false;
}

/* See the latest commit, unless a snapshot is held. */
static int begin_read(struct session *s)
{
	int rc;

	if (s->held)
		return 0;
	tree_release(s);
	rc = MDB_CALL(txn_renew)(s->read);
	s->live = !rc;
	return rc;
}

static enum status tree_snapshot(struct session *s)
{
	int rc;

	tree_release(s);
	rc = begin_read(s);
	s->held = !rc;
	return check(s->why, rc);
}

static enum status tree_begin(struct session *s)
{
	return check(s->why, MDB_CALL(txn_begin)(s->db->env, NULL, 0, &s->write));
}

static void tree_rollback(struct session *s)
{
	if (s->write)
		MDB_CALL(txn_abort)(s->write);
	s->write = NULL;
}

static enum status tree_commit(struct session *s)
{
	MDB_NAME(txn) *txn = s->write;

	s->write = NULL;
	return check(s->why, MDB_CALL(txn_commit)(txn));
}

/*
 * Put, or delete where there is no value; in a transaction of its own unless one is open.
 */
static enum status change(struct session *s, struct slice key, MDB_NAME(val) *value,
			  unsigned flags)
{
	MDB_NAME(val) k = val(key);
	bool own = !s->write;
	enum status status = own ? tree_begin(s) : DONE;
	int rc;

	if (status != DONE)
		return status;
	rc = value ? MDB_CALL(put)(s->write, s->db->dbi, &k, value, flags)
		   : MDB_CALL(del)(s->write, s->db->dbi, &k, NULL);
	if (own && !rc)
		return tree_commit(s);
	if (own)
		tree_rollback(s);
	return check(s->why, rc);
}

static enum status tree_put(struct session *s, struct slice key, struct slice value)
{
	MDB_NAME(val) v = val(value);

	return change(s, key, &v, 0);
}

static enum status tree_append(struct session *s, struct slice key, struct slice value)
{
	MDB_NAME(val) v = val(value);

	return change(s, key, &v, MDB_NAME(APPEND));
}

static enum status tree_del(struct session *s, struct slice key)
{
	return change(s, key, NULL, 0);
}

static enum status tree_get(struct session *s, struct slice key, struct slice *value)
{
	MDB_NAME(val) k = val(key), v;
	int rc = s->write ? 0 : begin_read(s);

	if (!rc)
		rc = MDB_CALL(get)(s->write ? s->write : s->read, s->db->dbi, &k, &v);
	if (rc)
		return check(s->why, rc);
	*value = slice(v);
	return DONE;
}

static enum status move(struct session *s, MDB_NAME(cursor_op) op, MDB_NAME(val) k,
			struct slice *key, struct slice *value)
{
	MDB_NAME(val) v;
	int rc = MDB_CALL(cursor_get)(s->cursor, &k, &v, op);

	if (rc)
		return check(s->why, rc);
	*key = slice(k);
	*value = slice(v);
	return DONE;
}

static enum status tree_next(struct session *s, struct slice *key, struct slice *value)
{
	return move(s, MDB_NAME(NEXT), (MDB_NAME(val)){0}, key, value);
}

static enum status tree_prev(struct session *s, struct slice *key, struct slice *value)
{
	return move(s, MDB_NAME(PREV), (MDB_NAME(val)){0}, key, value);
}

static enum status begin_scan(struct session *s, MDB_NAME(cursor_op) op,
			      struct slice from, struct slice *key, struct slice *value)
{
	int rc = begin_read(s);

	if (!rc)
		rc = MDB_CALL(cursor_renew)(s->read, s->cursor);
	return rc ? check(s->why, rc) : move(s, op, val(from), key, value);
}

static enum status tree_seek(struct session *s, struct slice from, struct slice *key,
			     struct slice *value)
{
	return begin_scan(s, from.data ? MDB_NAME(SET_RANGE) : MDB_NAME(FIRST), from, key,
			  value);
}

static enum status tree_last(struct session *s, struct slice *key, struct slice *value)
{
	return begin_scan(s, MDB_NAME(LAST), (struct slice){NULL, 0}, key, value);
}

static struct {
	bool writemap, metasync, readahead, intkey;
	uint64_t mapsize;
} tree;

/* Rows of the engine's options, the first of which has their title. */
#define TREE_OPTIONS(title)                                                              \
	{"writemap", "0",                                                                \
	 "1: write through a writable memory map (" MDB_TEXT "WRITEMAP); 0: by write "   \
	 "calls.",                                                                       \
	 .flag = &tree.writemap, .group = title},                                        \
	{"metasync", "1",                                                                \
	 "0: with --durability=async a commit flushes its data but not the meta page "   \
	 "(" MDB_TEXT "NOMETASYNC), so that a power cut can undo the last commit; 1: "   \
	 "flush as --durability says.",                                                  \
	 .flag = &tree.metasync},                                                        \
	{"readahead", "1",                                                               \
	 "1: let the kernel read ahead in the memory map; 0: have it read only what is " \
	 "asked for (" MDB_TEXT "NORDAHEAD).",                                           \
	 .flag = &tree.readahead},                                                       \
	{"mapsize", "0",                                                                 \
	 "Size of the memory map, bytes, beyond which the database cannot grow; 0: 16 "  \
	 "times the expected records plus 16Gi, of address space only.",                 \
	 .size = &tree.mapsize},                                                         \
	{"intkey", "0",                                                                  \
	 "1: keys are native 8-byte integers, as with --key_format=native "              \
	 "(" MDB_TEXT "INTEGERKEY); 0: keys are as --key_format says.",                  \
	 .flag = &tree.intkey}

static const char *tree_tune(struct settings *s)
{
	if (!tree.metasync && s->durability == DURABILITY_SYNC)
		return "--metasync=0 cannot keep --durability=sync: a power cut can undo "
		       "the last commit; give --durability=async";
	if (tree.intkey || s->native_keys) {
		s->native_keys = true;
		s->key_size = sizeof(uint64_t);
	}
	s->reads_mapped = tree.readahead;
	s->writes_unseen = tree.writemap;
	return NULL;
}

static unsigned map_flags(void)
{
	return (tree.writemap ? (unsigned)MDB_NAME(WRITEMAP) : 0u) |
	       (tree.readahead ? 0u : (unsigned)MDB_NAME(NORDAHEAD));
}

static enum status tree_attach(struct session *s, struct db *db, char *why)
{
	int rc = MDB_CALL(txn_begin)(db->env, NULL, (unsigned)MDB_NAME(RDONLY), &s->read);

	s->db = db;
	s->why = why;
	if (!rc)
		rc = MDB_CALL(cursor_open)(s->read, db->dbi, &s->cursor);
	if (!rc)
		MDB_CALL(txn_reset)(s->read);
	return check(why, rc);
}

static void tree_detach(struct session *s)
{
	if (s->cursor)
		MDB_CALL(cursor_close)(s->cursor);
	if (s->read)
		MDB_CALL(txn_abort)(s->read);
}

#endif
