/*
 * leveldb_common.h: common parts of the drivers of LevelDB and of RocksDB, whose C API
 * grew out of LevelDB's: write batches, snapshots and iterators. They are written in
 * LevelDB's names; before rocksdb.c includes this, it includes rocksdb_names.h, which
 * gives them RocksDB's. Both drivers first define
 *
 * 	struct db       with `handle`, the open database, `write`, the options of every
 * 	                write, `settings`, and `log`
 * 	struct session  with `db`, `why`, `batch`, `open` (the batch is collecting
 * 	                writes), `iterator`, `read` (its own options) and `snapshot`
 * 	                (a snapshot, or NULL)
 * 	free_result()   which frees the result of the last get or multi-get
 * 	read_event()    whether this line of the file LOG ends an event, and which; its
 * 			end_ns is set, too, if only stalls may end
 *
 * Transactions are write batches, applied at commit; reads see committed data.
 */
#ifndef ENGINES_LEVELDB_COMMON_H
#define ENGINES_LEVELDB_COMMON_H

#include <errno.h>
#include <string.h>

#include "driver_common.h"

/* Frees the engine's message. */
static enum status check(char *why, char *error)
{
	enum status status = FAILED;

	if (!error)
		return DONE;
	if (strstr(error, "No space left"))
		status = FULL;
	set_error(why, status, "%s", error);
	leveldb_free(error);
	return status;
}

static enum status leveldb_common_put(struct session *s, struct slice key,
				      struct slice value)
{
	char *error = NULL;

	if (s->open)
		leveldb_writebatch_put(s->batch, key.data, key.size, value.data,
				       value.size);
	else
		leveldb_put(s->db->handle, s->db->write, key.data, key.size, value.data,
			    value.size, &error);
	return check(s->why, error);
}

/* A tombstone is written whether or not the record exists. */
static enum status leveldb_common_del(struct session *s, struct slice key)
{
	char *error = NULL;

	if (s->open)
		leveldb_writebatch_delete(s->batch, key.data, key.size);
	else
		leveldb_delete(s->db->handle, s->db->write, key.data, key.size, &error);
	return check(s->why, error);
}

static enum status leveldb_common_begin(struct session *s)
{
	s->open = true;
	return DONE;
}

static void leveldb_common_rollback(struct session *s)
{
	leveldb_writebatch_clear(s->batch);
	s->open = false;
}

static enum status leveldb_common_commit(struct session *s)
{
	char *error = NULL;

	leveldb_write(s->db->handle, s->db->write, s->batch, &error);
	leveldb_common_rollback(s);
	return check(s->why, error);
}

/* A read frees the result of the last one, and ends its scan. */
static void begin_read(struct session *s)
{
	free_result(s);
	if (s->iterator)
		leveldb_iter_destroy(s->iterator);
	s->iterator = NULL;
}

static void leveldb_common_release(struct session *s)
{
	begin_read(s);
	if (!s->snapshot)
		return;
	leveldb_readoptions_set_snapshot(s->read, NULL);
	leveldb_release_snapshot(s->db->handle, s->snapshot);
	s->snapshot = NULL;
}

static enum status leveldb_common_snapshot(struct session *s)
{
	leveldb_common_release(s);
	s->snapshot = leveldb_create_snapshot(s->db->handle);
	leveldb_readoptions_set_snapshot(s->read, s->snapshot);
	return DONE;
}

static enum status current_record(struct session *s, struct slice *key,
				  struct slice *value)
{
	char *error = NULL;

	if (!leveldb_iter_valid(s->iterator)) {
		leveldb_iter_get_error(s->iterator, &error);
		return error ? check(s->why, error) : NOT_FOUND;
	}
	key->data = leveldb_iter_key(s->iterator, &key->size);
	value->data = leveldb_iter_value(s->iterator, &value->size);
	return DONE;
}

static enum status leveldb_common_next(struct session *s, struct slice *key,
				       struct slice *value)
{
	leveldb_iter_next(s->iterator);
	return current_record(s, key, value);
}

static enum status leveldb_common_prev(struct session *s, struct slice *key,
				       struct slice *value)
{
	leveldb_iter_prev(s->iterator);
	return current_record(s, key, value);
}

/* Moves the iterator that there is. */
static enum status move_iterator(struct session *s, struct slice from, struct slice *key,
				 struct slice *value)
{
	if (from.data)
		leveldb_iter_seek(s->iterator, from.data, from.size);
	else
		leveldb_iter_seek_to_first(s->iterator);
	return current_record(s, key, value);
}

static enum status leveldb_common_seek(struct session *s, struct slice from,
				       struct slice *key, struct slice *value)
{
	begin_read(s);
	s->iterator = leveldb_create_iterator(s->db->handle, s->read);
	return move_iterator(s, from, key, value);
}

static enum status leveldb_common_last(struct session *s, struct slice *key,
				       struct slice *value)
{
	begin_read(s);
	s->iterator = leveldb_create_iterator(s->db->handle, s->read);
	leveldb_iter_seek_to_last(s->iterator);
	return current_record(s, key, value);
}

static void report_property(struct db *db, const char *name, struct report *report)
{
	char *answer = leveldb_property_value(db->handle, name);

	report_append(report, "%s", answer ? answer : "");
	leveldb_free(answer);
}

static enum status leveldb_common_events(struct db *db,
					 void (*note)(void *to, const struct event *),
					 void *to, char *why)
{
	char path[4096], line[4096];
	struct event event;
	FILE *file;

	snprintf(path, sizeof path, "%s/LOG", db->settings->path);
	file = fopen(path, "r");
	if (!file || fseek(file, db->log.read, SEEK_SET)) {
		set_error(why, FAILED, "%s: %s", path, strerror(errno));
		if (file)
			fclose(file);
		return FAILED;
	}
	/* the last line may not be complete yet */
	while (fgets(line, sizeof line, file) &&
	       (strchr(line, '\n') || strlen(line) == sizeof line - 1)) {
		db->log.read = ftell(file);
		event.end_ns = 0;
		if (read_event(&db->log, line, &event))
			note(to, &event);
		event_log_end_stalls(&db->log, event.end_ns, note, to);
	}
	fclose(file);
	return DONE;
}

/* In each driver's `engine`: what holds for both. */
#define LEVELDB_COMMON_FACTS \
	.exclusive = true, .leveldb_files = true, .blind_deletes = true, \
	.value_limit = 0xffffffff, .db_size = sizeof(struct db), \
	.session_size = sizeof(struct session), .next = leveldb_common_next, \
	.snapshot = leveldb_common_snapshot, .release = leveldb_common_release, \
	.events = leveldb_common_events

#endif
