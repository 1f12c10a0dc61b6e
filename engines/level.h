/*
 * level.h: what LevelDB's C API and RocksDB's, which grew out of it, do alike: write
 * batches, snapshots and iterators. A part of leveldb.c and of rocksdb.c, which first
 * define
 *
 *	LEVEL(name)     the API's name for it: LEVEL(put) is leveldb_put
 *	struct db       with `level`, the open database, and `write`, the options of
 *	                every write
 *	struct session  with `db`, `why`, `batch`, `open` (the batch collects),
 *	                `iterator`, `read` (its own options) and `snapshot` (a snapshot,
 *	                or NULL)
 *	drop_result()   which frees what the last get or multi-get returned
 *
 * Transactions are write batches, applied at commit; reads see what was committed.
 *
 * Each driver's `engine` names these functions itself, as that is its table of contents:
 * so those lines are alike.
 */
#ifndef LEVEL_H
#define LEVEL_H

#include <string.h>

#include "engine.h"

/* Frees the engine's text. */
static enum status check(char *why, char *error)
{
	enum status status = FAILED;

	if (!error)
		return DONE;
	if (strstr(error, "No space left"))
		status = FULL;
	because(why, status, "%s", error);
	LEVEL(free)(error);
	return status;
}

static enum status level_put(struct session *s, struct slice key, struct slice value)
{
	char *error = NULL;

	if (s->open)
		LEVEL(writebatch_put)(s->batch, key.data, key.size, value.data,
				      value.size);
	else
		LEVEL(put)(s->db->level, s->db->write, key.data, key.size, value.data,
			   value.size, &error);
	return check(s->why, error);
}

/* A tombstone is written whether or not there is something to delete. */
static enum status level_del(struct session *s, struct slice key)
{
	char *error = NULL;

	if (s->open)
		LEVEL(writebatch_delete)(s->batch, key.data, key.size);
	else
		LEVEL(delete)(s->db->level, s->db->write, key.data, key.size, &error);
	return check(s->why, error);
}

static enum status level_begin(struct session *s)
{
	s->open = true;
	return DONE;
}

static void level_rollback(struct session *s)
{
	LEVEL(writebatch_clear)(s->batch);
	s->open = false;
}

static enum status level_commit(struct session *s)
{
	char *error = NULL;

	LEVEL(write)(s->db->level, s->db->write, s->batch, &error);
	level_rollback(s);
	return check(s->why, error);
}

/* A read frees what the last one returned, and ends its scan. */
static void begin_read(struct session *s)
{
	drop_result(s);
	if (s->iterator)
		LEVEL(iter_destroy)(s->iterator);
	s->iterator = NULL;
}

static void level_release(struct session *s)
{
	begin_read(s);
	if (!s->snapshot)
		return;
	LEVEL(readoptions_set_snapshot)(s->read, NULL);
	LEVEL(release_snapshot)(s->db->level, s->snapshot);
	s->snapshot = NULL;
}

static enum status level_snapshot(struct session *s)
{
	level_release(s);
	s->snapshot = LEVEL(create_snapshot)(s->db->level);
	LEVEL(readoptions_set_snapshot)(s->read, s->snapshot);
	return DONE;
}

static enum status current_record(struct session *s, struct slice *key,
				  struct slice *value)
{
	char *error = NULL;

	if (!LEVEL(iter_valid)(s->iterator)) {
		LEVEL(iter_get_error)(s->iterator, &error);
		return error ? check(s->why, error) : NOT_FOUND;
	}
	key->data = LEVEL(iter_key)(s->iterator, &key->size);
	value->data = LEVEL(iter_value)(s->iterator, &value->size);
	return DONE;
}

static enum status level_next(struct session *s, struct slice *key, struct slice *value)
{
	LEVEL(iter_next)(s->iterator);
	return current_record(s, key, value);
}

static enum status level_prev(struct session *s, struct slice *key, struct slice *value)
{
	LEVEL(iter_prev)(s->iterator);
	return current_record(s, key, value);
}

static enum status level_seek(struct session *s, struct slice from, struct slice *key,
			      struct slice *value)
{
	begin_read(s);
	s->iterator = LEVEL(create_iterator)(s->db->level, s->read);
	if (from.data)
		LEVEL(iter_seek)(s->iterator, from.data, from.size);
	else
		LEVEL(iter_seek_to_first)(s->iterator);
	return current_record(s, key, value);
}

static enum status level_last(struct session *s, struct slice *key, struct slice *value)
{
	begin_read(s);
	s->iterator = LEVEL(create_iterator)(s->db->level, s->read);
	LEVEL(iter_seek_to_last)(s->iterator);
	return current_record(s, key, value);
}

static void put_property(struct db *db, const char *name, char *text, size_t size)
{
	char *answer = LEVEL(property_value)(db->level, name);

	snprintf(text, size, "%s", answer ? answer : "");
	LEVEL(free)(answer);
}

#endif
