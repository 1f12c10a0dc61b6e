/*
 * lmdb_common.h: common parts of the drivers of LMDB and of libmdbx, which grew out of it:
 * all timed functions, and options of both. They are written in LMDB's names; before
 * mdbx.c includes this, it includes mdbx_names.h, which gives them libmdbx's. Both drivers
 * first define
 *
 * 	struct db           with `env` and `dbi`
 * 	check(why, rc)      the engine's result as a status, its message in why
 *
 * A session has one read transaction, renewed for every read or snapshot, and one cursor.
 * A value read is a pointer into the map and lives as long as that transaction. The
 * transaction of a single get is reset at release, or when the session's next call needs
 * a newer one.
 */
#ifndef ENGINES_LMDB_COMMON_H
#define ENGINES_LMDB_COMMON_H

#include "driver_common.h"

struct session {
	struct db *db;
	char *why;
	MDB_txn *read;
	MDB_cursor *cursor; /* of `read` */
	MDB_txn *write;     /* an open begin/commit bracket, or NULL */
	bool live;          /* `read` is active */
	bool held;          /* it is a snapshot, until release */
};

static MDB_val val_of_slice(struct slice s)
{
	return (MDB_val){.mv_size = s.size, .mv_data = (void *)(uintptr_t)s.data};
}

static struct slice slice_of_val(MDB_val v)
{
	return (struct slice){v.mv_data, v.mv_size};
}

static void lmdb_common_release(struct session *s)
{
	if (s->live)
		mdb_txn_reset(s->read);
	s->live = s->held = false;
}

/* Sees the latest commit, unless a snapshot is held. */
static int begin_read(struct session *s)
{
	int rc;

	if (s->held)
		return 0;
	lmdb_common_release(s);
	rc = mdb_txn_renew(s->read);
	s->live = !rc;
	return rc;
}

static enum status lmdb_common_snapshot(struct session *s)
{
	int rc;

	lmdb_common_release(s);
	rc = begin_read(s);
	s->held = !rc;
	return check(s->why, rc);
}

static enum status lmdb_common_begin(struct session *s)
{
	return check(s->why, mdb_txn_begin(s->db->env, NULL, 0, &s->write));
}

static void lmdb_common_rollback(struct session *s)
{
	if (s->write)
		mdb_txn_abort(s->write);
	s->write = NULL;
}

static enum status lmdb_common_commit(struct session *s)
{
	MDB_txn *txn = s->write;

	s->write = NULL;
	return check(s->why, mdb_txn_commit(txn));
}

static enum status put_record(struct session *s, struct slice key,
			      const struct slice *value, unsigned flags)
{
	MDB_val k = val_of_slice(key), v = val_of_slice(*value);

	return check(s->why, mdb_put(s->write, s->db->dbi, &k, &v, flags));
}

static enum status write_record(struct session *s, struct slice key,
				const struct slice *value)
{
	MDB_val k = val_of_slice(key);

	return value ? put_record(s, key, value, 0)
		     : check(s->why, mdb_del(s->write, s->db->dbi, &k, NULL));
}

static enum status append_record(struct session *s, struct slice key,
				 const struct slice *value)
{
	return put_record(s, key, value, MDB_APPEND);
}

static const struct single_write single_writes = {lmdb_common_begin, write_record,
						  lmdb_common_commit,
						  lmdb_common_rollback};
static const struct single_write single_appends = {lmdb_common_begin, append_record,
						   lmdb_common_commit,
						   lmdb_common_rollback};

static enum status lmdb_common_put(struct session *s, struct slice key,
				   struct slice value)
{
	return single_write(&single_writes, s, s->write, key, &value);
}

static enum status lmdb_common_append(struct session *s, struct slice key,
				      struct slice value)
{
	return single_write(&single_appends, s, s->write, key, &value);
}

static enum status lmdb_common_del(struct session *s, struct slice key)
{
	return single_write(&single_writes, s, s->write, key, NULL);
}

static enum status lmdb_common_get(struct session *s, struct slice key,
				   struct slice *value)
{
	MDB_val k = val_of_slice(key), v;
	int rc = s->write ? 0 : begin_read(s);

	if (!rc)
		rc = mdb_get(s->write ? s->write : s->read, s->db->dbi, &k, &v);
	if (rc)
		return check(s->why, rc);
	*value = slice_of_val(v);
	return DONE;
}

static enum status move_cursor(struct session *s, MDB_cursor_op op, MDB_val k,
			       struct slice *key, struct slice *value)
{
	MDB_val v;
	int rc = mdb_cursor_get(s->cursor, &k, &v, op);

	if (rc)
		return check(s->why, rc);
	*key = slice_of_val(k);
	*value = slice_of_val(v);
	return DONE;
}

static enum status lmdb_common_next(struct session *s, struct slice *key,
				    struct slice *value)
{
	return move_cursor(s, MDB_NEXT, (MDB_val){0}, key, value);
}

static enum status lmdb_common_prev(struct session *s, struct slice *key,
				    struct slice *value)
{
	return move_cursor(s, MDB_PREV, (MDB_val){0}, key, value);
}

static enum status begin_scan(struct session *s, MDB_cursor_op op, struct slice from,
			      struct slice *key, struct slice *value)
{
	int rc = begin_read(s);

	if (!rc)
		rc = mdb_cursor_renew(s->read, s->cursor);
	return rc ? check(s->why, rc)
		  : move_cursor(s, op, val_of_slice(from), key, value);
}

static enum status lmdb_common_seek(struct session *s, struct slice from,
				    struct slice *key, struct slice *value)
{
	return begin_scan(s, from.data ? MDB_SET_RANGE : MDB_FIRST, from, key, value);
}

static enum status lmdb_common_last(struct session *s, struct slice *key,
				    struct slice *value)
{
	return begin_scan(s, MDB_LAST, (struct slice){NULL, 0}, key, value);
}

static struct {
	bool writemap, metasync, readahead, intkey;
	uint64_t mapsize;
} common_option_values;

/*
 * The engine's option rows. The title is on the first; the prefix is that of the API's
 * flags, for the texts.
 */
/* clang-format off */
#define LMDB_COMMON_OPTIONS(title, prefix)							\
	{"writemap", "0",								\
	 "1: write pages directly into a writable memory map of the file "		\
	 "(" prefix "WRITEMAP). 0: write them by system calls.",			\
	 .flag = &common_option_values.writemap, .group = title},			\
	{"metasync", "1",								\
	 "1: a commit syncs as --durability says. 0: with --durability=none "	\
	 "or async, it syncs its data, but not the meta page that refers to "	\
	 "them (" prefix "NOMETASYNC). A power cut can then undo the last "	\
	 "commit. 0 is refused with --durability=sync.",			\
	 .flag = &common_option_values.metasync},					\
	{"readahead", "1",								\
	 "1: let the kernel read further pages ahead when the memory map is read. 0: "	\
	 "read only the page that is needed (" prefix "NORDAHEAD). That suits "	\
	 "random reads of databases larger than memory.",				\
	 .flag = &common_option_values.readahead},					\
	{"mapsize", "0",								\
	 "Largest size to which the database can grow, bytes: the size of its "	\
	 "memory map. Writes to a full map fail. 0: 16 times the expected "	\
	 "records' bytes plus 16 GiB, or 4 times the existing file if more. A "	\
	 "map reserves address space, not memory.",				\
	 .size = &common_option_values.mapsize},					\
	{"intkey", "0",									\
	 "1: keys are 8-byte integers in the machine's byte order, which the "	\
	 "engine compares faster (" prefix "INTEGERKEY). --key_size and "	\
	 "--key_format then have no effect. 0: keys are as --key_format says.",	\
	 .flag = &common_option_values.intkey}
/* clang-format on */

static struct traits lmdb_common_check_settings(const struct settings *s)
{
	if (!common_option_values.metasync && s->durability == DURABILITY_SYNC)
		return invalid_settings(
			"--metasync=0 cannot keep --durability=sync: a power cut can "
			"undo the last commit; give --durability=async");
	return (struct traits){.native_keys = common_option_values.intkey,
			       .reads_mapped = common_option_values.readahead,
			       .uncounted_writes = common_option_values.writemap};
}

static unsigned map_flags(void)
{
	return (common_option_values.writemap ? (unsigned)MDB_WRITEMAP : 0u) |
	       (common_option_values.readahead ? 0u : (unsigned)MDB_NORDAHEAD);
}

static enum status lmdb_common_attach(struct session *s, struct db *db, char *why)
{
	int rc = mdb_txn_begin(db->env, NULL, (unsigned)MDB_RDONLY, &s->read);

	s->db = db;
	s->why = why;
	if (!rc)
		rc = mdb_cursor_open(s->read, db->dbi, &s->cursor);
	if (!rc)
		mdb_txn_reset(s->read);
	return check(why, rc);
}

static void lmdb_common_detach(struct session *s)
{
	if (s->cursor)
		mdb_cursor_close(s->cursor);
	if (s->read)
		mdb_txn_abort(s->read);
}

/* In each driver's `engine`: the calls of sessions, and what follows from them. */
#define LMDB_COMMON_CALLS \
	.integer_keys = true, .one_writer = true, .transactions = true, \
	.db_size = sizeof(struct db), .session_size = sizeof(struct session), \
	.put = lmdb_common_put, .append = lmdb_common_append, .del = lmdb_common_del, \
	.get = lmdb_common_get, .seek = lmdb_common_seek, .last = lmdb_common_last, \
	.next = lmdb_common_next, .prev = lmdb_common_prev, \
	.snapshot = lmdb_common_snapshot, .release = lmdb_common_release, \
	.begin = lmdb_common_begin, .commit = lmdb_common_commit, \
	.rollback = lmdb_common_rollback, .attach = lmdb_common_attach, \
	.detach = lmdb_common_detach

#endif
