/*
 * wiredtiger.c: WiredTiger, a B-tree or LSM engine with snapshots and a write-ahead log.
 *
 * All records are in one table. A session has a WT_SESSION, a cursor for reads and blind
 * writes, and one that looks before it removes. A read returns pointers into the cursor's
 * page. A reset at the session's next call or at release releases the page. A transaction
 * is a snapshot transaction; WiredTiger repeats a write without one until it succeeds.
 * Checkpoints sync data, also in the background: their syncs are counted beside those of
 * commits.
 *
 * Traps: values above half a leaf page and keys above a tenth of one are stored
 * separately. A transaction must fit in the cache. An LSM tree needs a cache of three
 * chunks. After a panic, close may never return. Its threads busy-wait for each other: of
 * 32 writers on two CPUs gdb finds 27 in the yield of __wt_log_release (3.2.1), so rates
 * fall by more than CPU sharing explains.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <wiredtiger.h>

#include "../util/file_copy.h"
#include "driver_common.h"

#define TABLE "table:assay"

struct db {
	WT_CONNECTION *connection;
	WT_SESSION *session; /* for open, settle and describe */
	bool lsm, native, logged, counted;
	int64_t cache_bytes, log_file_bytes; /* as reported by WiredTiger at open */
};

struct session {
	struct db *db;
	char *why;
	WT_SESSION *session;
	WT_CURSOR *cursor, *remover, *bulk;
	bool held;                          /* the cursor is positioned on a record */
	bool open;                          /* inside begin/commit */
	bool snapshot;                      /* in a transaction for reads */
	uint64_t number;                    /* the native key last returned */
	char last_error[ENGINE_ERROR_SIZE]; /* the last error of this session */
};

enum { MOST_CHECKPOINTS = 4096 }; /* later ones are not noted */

/*
 * WiredTiger's messages; its own threads send some too, after a panic even once the
 * database is closed.
 */
static struct {
	WT_EVENT_HANDLER handler;
	pthread_mutex_t mutex;              /* of all sessions' messages */
	char last_error[ENGINE_ERROR_SIZE]; /* the last error outside a session */
	atomic_bool full;     /* some write failed because the device was full */
	atomic_bool panicked; /* WiredTiger has stopped until the process ends */
	struct event checkpoints[MOST_CHECKPOINTS]; /* that have not been passed on */
	unsigned checkpoint_count;
} engine_messages = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* Saves WiredTiger's error message, without the time and thread at its beginning. */
static int save_message(WT_EVENT_HANDLER *handler, WT_SESSION *session, int error,
			const char *message)
{
	char *words = session && session->app_private ? session->app_private
						      : engine_messages.last_error;
	const char *text = strstr(message, "], ");

	(void)handler;
	if (error == ENOSPC)
		engine_messages.full = true;
	if (error == WT_PANIC)
		engine_messages.panicked = true;
	pthread_mutex_lock(&engine_messages.mutex);
	/* The message of a panic does not name its cause. */
	if (error != WT_PANIC || !*words)
		snprintf(words, ENGINE_ERROR_SIZE, "%s", text ? text + 3 : message);
	pthread_mutex_unlock(&engine_messages.mutex);
	return 0;
}

/*
 * Notes checkpoints by the last message of each (verbose=checkpoint). It begins with the
 * time, "[seconds:microseconds]", and says how long the checkpoint took. All other
 * messages are dropped; they would go to standard output.
 */
static int read_message(WT_EVENT_HANDLER *handler, WT_SESSION *session,
			const char *message)
{
	const char *took = strstr(message, "time: ");
	unsigned long long seconds, micros, ms;
	uint64_t end;

	(void)handler;
	(void)session;
	if (!took || !strstr(message, "checkpoint metadata sync completed") ||
	    sscanf(message, "[%llu:%llu]", &seconds, &micros) != 2 ||
	    sscanf(took, "time: %llu ms", &ms) != 1)
		return 0;
	end = seconds * 1000000000u + micros * 1000;
	pthread_mutex_lock(&engine_messages.mutex);
	if (engine_messages.checkpoint_count < MOST_CHECKPOINTS)
		engine_messages.checkpoints[engine_messages.checkpoint_count++] =
			(struct event){EVENT_CHECKPOINT, STALL_UNKNOWN, true,
				       end - ms * 1000000, end};
	pthread_mutex_unlock(&engine_messages.mutex);
	return 0;
}

static enum status wt_events(struct db *db, void (*note)(void *to, const struct event *),
			     void *to, char *why)
{
	(void)db;
	(void)why;
	pthread_mutex_lock(&engine_messages.mutex);
	for (unsigned i = 0; i < engine_messages.checkpoint_count; i++)
		note(to, &engine_messages.checkpoints[i]);
	engine_messages.checkpoint_count = 0;
	pthread_mutex_unlock(&engine_messages.mutex);
	return DONE;
}

/*
 * Converts WiredTiger's result to a status. A panic hides its cause, which may have been
 * a full device.
 */
static enum status check(char *words, char *why, int rc)
{
	bool full = rc == ENOSPC || (rc == WT_PANIC && engine_messages.full);

	if (!rc)
		return DONE;
	if (rc == WT_NOTFOUND)
		return NOT_FOUND;
	pthread_mutex_lock(&engine_messages.mutex);
	if (!*words)
		words = engine_messages.last_error;
	set_error(why, FAILED, "%s%s%s", wiredtiger_strerror(rc), *words ? ": " : "",
		  words);
	*words = '\0';
	pthread_mutex_unlock(&engine_messages.mutex);
	return full ? FULL : FAILED;
}

static __attribute__((noinline)) enum status session_status_slow(struct session *s,
								 int rc)
{
	if (rc != WT_ROLLBACK)
		return check(s->last_error, s->why, rc);
	if (s->open || s->snapshot)
		s->session->rollback_transaction(s->session, NULL);
	s->open = s->snapshot = s->held = false;
	return CONFLICT;
}

static enum status session_status(struct session *s, int rc)
{
	return rc ? session_status_slow(s, rc) : DONE;
}

/* Releases the page of the last read. */
static void reset_cursor(struct session *s)
{
	if (s->held)
		s->cursor->reset(s->cursor);
	s->held = false;
}

static WT_ITEM item_of_slice(struct slice s)
{
	return (WT_ITEM){.data = s.data, .size = s.size};
}

static void set_key(struct session *s, WT_CURSOR *c, struct slice key)
{
	WT_ITEM bytes = item_of_slice(key);
	uint64_t number;

	if (s->db->native) {
		memcpy(&number, key.data, sizeof number);
		c->set_key(c, number);
	} else {
		c->set_key(c, &bytes);
	}
}

static enum status wt_insert(struct session *s, WT_CURSOR *c, struct slice key,
			     struct slice value)
{
	WT_ITEM bytes = item_of_slice(value);

	reset_cursor(s);
	set_key(s, c, key);
	c->set_value(c, &bytes);
	return session_status(s, c->insert(c));
}

static enum status wt_put(struct session *s, struct slice key, struct slice value)
{
	return wt_insert(s, s->cursor, key, value);
}

static enum status wt_del(struct session *s, struct slice key)
{
	reset_cursor(s);
	set_key(s, s->remover, key);
	return session_status(s, s->remover->remove(s->remover));
}

static int get_value(struct session *s, struct slice *value)
{
	WT_ITEM bytes;
	int rc = s->cursor->get_value(s->cursor, &bytes);

	if (!rc)
		*value = (struct slice){bytes.data, bytes.size};
	return rc;
}

static enum status wt_get(struct session *s, struct slice key, struct slice *value)
{
	int rc;

	reset_cursor(s);
	set_key(s, s->cursor, key);
	rc = s->cursor->search(s->cursor);
	s->held = !rc;
	return session_status(s, rc ? rc : get_value(s, value));
}

/* The record that the cursor has moved to, if any. */
static enum status current_record(struct session *s, int rc, struct slice *key,
				  struct slice *value)
{
	WT_ITEM bytes = {.data = &s->number, .size = sizeof s->number};

	s->held = !rc;
	if (!rc)
		rc = s->cursor->get_key(s->cursor, s->db->native ? (void *)&s->number
								 : (void *)&bytes);
	if (!rc)
		rc = get_value(s, value);
	*key = (struct slice){bytes.data, bytes.size};
	return session_status(s, rc);
}

static enum status wt_next(struct session *s, struct slice *key, struct slice *value)
{
	return current_record(s, s->cursor->next(s->cursor), key, value);
}

static enum status wt_prev(struct session *s, struct slice *key, struct slice *value)
{
	return current_record(s, s->cursor->prev(s->cursor), key, value);
}

/* An unpositioned cursor goes to the first record by next, and to the last by prev. */
static enum status wt_seek(struct session *s, struct slice from, struct slice *key,
			   struct slice *value)
{
	int near, rc;

	reset_cursor(s);
	if (!from.data)
		return wt_next(s, key, value);
	set_key(s, s->cursor, from);
	rc = s->cursor->search_near(s->cursor, &near);
	/* The cursor may be on either side. */
	if (!rc && near < 0)
		rc = s->cursor->next(s->cursor);
	return current_record(s, rc, key, value);
}

static enum status wt_last(struct session *s, struct slice *key, struct slice *value)
{
	reset_cursor(s);
	return wt_prev(s, key, value);
}

static void wt_release(struct session *s)
{
	reset_cursor(s);
	if (s->snapshot && !engine_messages.panicked)
		s->session->rollback_transaction(s->session, NULL);
	s->snapshot = false;
}

static enum status wt_snapshot(struct session *s)
{
	int rc;

	wt_release(s);
	rc = s->session->begin_transaction(s->session, NULL);
	s->snapshot = !rc;
	return session_status(s, rc);
}

static enum status wt_begin(struct session *s)
{
	int rc;

	reset_cursor(s);
	rc = s->session->begin_transaction(s->session, NULL);
	s->open = !rc;
	return session_status(s, rc);
}

static void wt_rollback(struct session *s)
{
	reset_cursor(s);
	if (s->open && !engine_messages.panicked)
		s->session->rollback_transaction(s->session, NULL);
	s->open = false;
}

static enum status wt_commit(struct session *s)
{
	reset_cursor(s);
	s->open = false; /* a commit that fails has rolled back */
	return session_status(s, s->session->commit_transaction(s->session, NULL));
}

static const char *const types[] = {"file", "lsm", NULL};

static struct {
	int type;
	bool bloom, intkey, statistics;
	uint64_t leaf_page_max, checkpoint, log_file_max;
} option_values;

static const struct option options[] = {
	{"type", "file",
	 "Structure of the table. file: a B-tree in one file; lsm: an LSM tree of "
	 "several files, merged in the background.",
	 .choice = &option_values.type, .choices = types, .group = "WiredTiger"},
	{"leaf_page_max", "4Ki",
	 "Size of the largest leaf page of the B-tree before compression, bytes, a "
	 "multiple of 4096. WiredTiger's own default is 32Ki.",
	 .size = &option_values.leaf_page_max, .min = 4096, .max = 512 << 20},
	{"checkpoint", "60",
	 "Time between checkpoints while there is a log (--durability=async or sync), "
	 "seconds. 0: checkpoint only while closing, or while waiting with --settle=1.",
	 .count = &option_values.checkpoint, .max = 100000},
	{"log_file_max", "16Mi",
	 "Size that a file of the write-ahead log grows to, bytes, before the next is "
	 "begun.",
	 .size = &option_values.log_file_max, .min = 1 << 20, .max = (uint64_t)2 << 30},
	{"bloom", "0",
	 "1: keep Bloom filters for an LSM tree (--type=lsm), which spare reads of "
	 "files that lack the key. 0: keep none.",
	 .flag = &option_values.bloom},
	{"wt_statistics", "0",
	 "1: WiredTiger counts its own events during the run (statistics=fast), as "
	 "wtperf and MongoDB have it. 0: it does not (statistics=none), as in most "
	 "applications; LSM trees are counted anyway, to observe merges.",
	 .flag = &option_values.statistics},
	{"intkey", "0",
	 "1: keys are 8-byte integers, which WiredTiger stores in its own type "
	 "(key_format=Q), as with --key_format=native. 0: keys are as --key_format "
	 "says.",
	 .flag = &option_values.intkey},
	{0},
};

/* Why an LSM tree cannot have these settings, or NULL. */
static const char *lsm_refusal(const struct settings *s)
{
	static char text[200];
	uint64_t need = 3 * s->write_buffer_bytes + 45 * option_values.leaf_page_max;

	if (s->write_buffer_bytes < 512 << 10 || s->write_buffer_bytes > 500 << 20)
		return "--write_buffer_size is the chunk of an LSM tree: from 512Ki to "
		       "500Mi";
	if (s->cache_bytes >= need)
		return NULL;
	snprintf(text, sizeof text,
		 "--cache_size=%llu is too small for --type=lsm: it needs three chunks "
		 "of --write_buffer_size=%llu and overhead, %llu in all",
		 (unsigned long long)s->cache_bytes,
		 (unsigned long long)s->write_buffer_bytes, (unsigned long long)need);
	return text;
}

/*
 * The chunks of an LSM tree, which do not change, are mapped; a B-tree's file was not
 * seen to be.
 */
static struct traits wt_check_settings(const struct settings *s)
{
	if (option_values.leaf_page_max % 4096)
		return invalid_settings(
			"--leaf_page_max must be a multiple of 4Ki, the unit of "
			"allocation");
	return (struct traits){.invalid = option_values.type ? lsm_refusal(s) : NULL,
			       .native_keys = option_values.intkey,
			       .reads_mapped = option_values.type};
}

static const char *wt_version(void)
{
	int major, minor, patch;

	wiredtiger_version(&major, &minor, &patch);
	return dotted_version(major, minor, patch);
}

static const char *const compressors[] = {
	[COMPRESSION_NONE] = "none",
	[COMPRESSION_SNAPPY] = "snappy",
	[COMPRESSION_ZLIB] = "zlib",
};

/*
 * Implements the durability levels. Without transaction_sync a commit stays in the log
 * buffer. Log files grow by small steps instead of being preallocated, so that the disk
 * space is that used. Files that a checkpoint made obsolete are removed (archive, on by
 * default).
 */
static void durability_config(const struct settings *s, char *text, size_t size)
{
	if (s->durability == DURABILITY_NONE)
		snprintf(text, size, "log=(enabled=false)");
	else
		snprintf(text, size,
			 "transaction_sync=(enabled=true,method=%s),"
			 "checkpoint=(wait=%llu),log=(enabled=true,file_max=%llu,"
			 "prealloc=false),file_extend=(log=1MB)",
			 s->durability == DURABILITY_SYNC ? "fsync" : "none",
			 (unsigned long long)option_values.checkpoint,
			 (unsigned long long)option_values.log_file_max);
}

/*
 * WiredTiger's own threads use sessions too: eviction, LSM, log, checkpoints, sweeping.
 * Compressors are extensions, libraries beside WiredTiger's own.
 */
static int open_connection(struct db *db, const struct settings *s, const char *log)
{
	char text[1024], extension[64] = "";

	if (s->compression != COMPRESSION_NONE)
		snprintf(extension, sizeof extension, ",extensions=(libwiredtiger_%s.so)",
			 compressors[s->compression]);
	snprintf(text, sizeof text,
		 "create=%s,config_base=false,use_environment=false,cache_size=%llu,"
		 "session_max=%u,eviction=(threads_min=1,threads_max=8),"
		 "verbose=[checkpoint],"
		 "statistics=(fast),%s%s",
		 s->create ? "true" : "false", (unsigned long long)s->cache_bytes,
		 s->sessions + 64, log, extension);
	return wiredtiger_open(s->path, &engine_messages.handler, text, &db->connection);
}

/* Opened without a log, a database silently loses the data in its existing log. */
static int recover(struct db *db, const struct settings *s)
{
	int rc = open_connection(
		db, s, "log=(enabled=true,prealloc=false),file_extend=(log=1MB)");

	return rc ? rc : db->connection->close(db->connection, NULL);
}

static int open_durable(struct db *db, const struct settings *s)
{
	char log[256];
	int rc = 0;

	durability_config(s, log, sizeof log);
	db->logged = s->durability != DURABILITY_NONE;
	if (!db->logged && !s->create)
		rc = recover(db, s);
	db->connection = NULL;
	return rc ? rc : open_connection(db, s, log);
}

static int create_table(struct db *db, const struct settings *s)
{
	char text[512];

	snprintf(text, sizeof text,
		 "key_format=%s,value_format=u,type=%s,allocation_size=4KB,"
		 "leaf_page_max=%llu,checksum=on,prefix_compression=false,"
		 "block_compressor=%s",
		 s->native_keys ? "Q" : "u", types[option_values.type],
		 (unsigned long long)option_values.leaf_page_max,
		 compressors[s->compression]);
	if (option_values.type)
		snprintf(text + strlen(text), sizeof text - strlen(text),
			 ",lsm=(chunk_size=%llu,bloom=%s)",
			 (unsigned long long)s->write_buffer_bytes,
			 option_values.bloom ? "true" : "false");
	return db->session->create(db->session, TABLE, text);
}

/* Reads the table's settings into `text`, as WiredTiger stores them. */
static int table_config(struct db *db, char *text, size_t size)
{
	WT_CURSOR *c;
	const char *config;
	int rc = db->session->open_cursor(db->session, "metadata:create", NULL, NULL, &c);

	if (rc)
		return rc;
	c->set_key(c, TABLE);
	if (!(rc = c->search(c)) && !(rc = c->get_value(c, &config)))
		snprintf(text, size, "%s", config);
	c->close(c);
	return rc;
}

/*
 * Recovery ignores the log of a table whose last checkpoint was made without a log.
 * Before a commit is acknowledged, a checkpoint with a log is therefore made while the
 * table is open.
 */
static int start_log(struct db *db)
{
	WT_CURSOR *c;
	int rc = db->session->open_cursor(db->session, TABLE, NULL, NULL, &c);

	if (rc)
		return rc;
	rc = db->session->checkpoint(db->session, "force=true");
	c->close(c);
	return rc;
}

/* Reads a setting of the connection that is only available as a statistic. */
static int64_t read_statistic(struct db *db, int which)
{
	const char *name, *shown;
	int64_t value = 0;
	WT_CURSOR *c;

	if (db->session->open_cursor(db->session, "statistics:", NULL, NULL, &c))
		return 0;
	c->set_key(c, which);
	if (!c->search(c))
		c->get_value(c, &name, &shown, &value);
	c->close(c);
	return value;
}

/*
 * Settings of the connection are readable only while statistics are on, and so is the
 * pending work of an LSM tree. All other statistics are off.
 */
static int disable_statistics(struct db *db)
{
	db->cache_bytes = read_statistic(db, WT_STAT_CONN_CACHE_BYTES_MAX);
	db->log_file_bytes = read_statistic(db, WT_STAT_CONN_LOG_MAX_FILESIZE);
	return db->lsm || db->counted
		       ? 0
		       : db->connection->reconfigure(db->connection, "statistics=(none)");
}

static int open_table(struct db *db, const struct settings *s)
{
	char config[4096] = "";
	int rc = db->connection->open_session(db->connection, NULL, NULL, &db->session);

	if (!rc && s->create)
		rc = create_table(db, s);
	if (!rc)
		rc = table_config(db, config, sizeof config);
	if (!rc && !s->create && db->logged)
		rc = start_log(db);
	db->lsm = strstr(config, "type=lsm");
	db->counted = option_values.statistics || s->counters;
	db->native = strstr(config, "key_format=Q");
	return rc ? rc : disable_statistics(db);
}

static enum status open_error(char *why, int rc)
{
	enum status status = check(engine_messages.last_error, why, rc);

	if (status == DONE)
		return set_error(
			why, FAILED,
			"--intkey differs from when this database was made; give the "
			"same, or load it again");
	return status == NOT_FOUND
		       ? set_error(why, FAILED, "there is no " TABLE " in the database")
		       : status;
}

static enum status wt_open(struct db *db, const struct settings *s, char *why)
{
	int rc;

	engine_messages.full = false;
	engine_messages.handler = (WT_EVENT_HANDLER){.handle_error = save_message,
						     .handle_message = read_message};
	engine_messages.checkpoint_count = 0;
	rc = open_durable(db, s);
	if (!rc && !(rc = open_table(db, s)) && db->native == s->native_keys)
		return DONE;
	return open_error(why, rc);
}

static enum status wt_close(struct db *db, char *why)
{
	/*
	 * Closing would wait for threads that have stopped: the end of the process frees
	 * its resources.
	 */
	if (engine_messages.panicked)
		return check(engine_messages.last_error, why, WT_PANIC);
	return db->connection ? check(engine_messages.last_error, why,
				      db->connection->close(db->connection, NULL))
			      : DONE;
}

static int open_cursors(struct session *s)
{
	int rc = s->session->open_cursor(s->session, TABLE, NULL, NULL, &s->cursor);

	return rc ? rc
		  : s->session->open_cursor(s->session, TABLE, NULL, "overwrite=false",
					    &s->remover);
}

static enum status wt_attach(struct session *s, struct db *db, char *why)
{
	int rc = db->connection->open_session(db->connection, NULL, "isolation=snapshot",
					      &s->session);

	s->db = db;
	s->why = why;
	if (!rc) {
		s->session->app_private = s->last_error;
		rc = open_cursors(s);
	}
	return check(s->last_error, why, rc);
}

/* Closes its cursors. */
static void wt_detach(struct session *s)
{
	if (s->session && !engine_messages.panicked)
		s->session->close(s->session, NULL);
}

static enum status wt_bulk_begin(struct session *s)
{
	/* The loader needs exclusive access to the table. */
	int rc = s->cursor->close(s->cursor);

	s->cursor = NULL;
	if (!rc)
		rc = s->remover->close(s->remover);
	s->remover = NULL;
	return session_status(s, rc ? rc
				    : s->session->open_cursor(s->session, TABLE, NULL,
							      "bulk", &s->bulk));
}

/*
 * An LSM tree marks a deletion by the value 14 14 (hex). It adds a byte to values that
 * begin so when they are written and removes it when they are read. Its loader (3.2.1)
 * does not add it.
 */
static enum status wt_bulk_put(struct session *s, struct slice key, struct slice value)
{
	enum status status;
	char *longer;

	if (!s->db->lsm || value.size < 2 || memcmp(value.data, "\x14\x14", 2))
		return wt_insert(s, s->bulk, key, value);
	longer = malloc(value.size + 1);
	if (!longer)
		return set_error(s->why, FAILED, "out of memory");
	memcpy(longer, value.data, value.size);
	longer[value.size] = '\x14';
	status = wt_insert(s, s->bulk, key, (struct slice){longer, value.size + 1});
	free(longer);
	return status;
}

static enum status wt_bulk_end(struct session *s)
{
	int rc = s->bulk->close(s->bulk);

	/* The loaded records are not logged: only a checkpoint makes them durable. */
	if (!rc && s->db->logged)
		rc = s->session->checkpoint(s->session, NULL);
	return session_status(s, rc ? rc : open_cursors(s));
}

/*
 * Rows that merges have moved and queued units of work, as far as the statistics show
 * them.
 */
static int merge_progress(struct db *db, uint64_t *rows, uint64_t *queued)
{
	const char *name, *text;
	WT_CURSOR *c;
	int64_t value;
	int rc = db->session->open_cursor(db->session, "statistics:", NULL, NULL, &c);

	if (rc)
		return rc;
	for (*rows = *queued = 0;
	     !(rc = c->next(c)) && !(rc = c->get_value(c, &name, &text, &value));) {
		if (strncmp(name, "LSM: ", 5))
			continue;
		if (strstr(name, "rows merged"))
			*rows = (uint64_t)value;
		else if (strstr(name, "currently queued"))
			*queued += (uint64_t)value;
	}
	c->close(c);
	return rc == WT_NOTFOUND ? 0 : rc;
}

/*
 * WiredTiger has no call that waits for merges, nor one that reports their pending work.
 */
static enum status wt_pending_work(struct db *db, struct pending_work *pending, char *why)
{
	uint64_t queued = 0;
	int rc;

	*pending = (struct pending_work){0};
	if (!db->lsm)
		return DONE;
	rc = merge_progress(db, &pending->progress, &queued);
	pending->work = queued ? queued : PENDING_WORK_UNKNOWN;
	return check(engine_messages.last_error, why, rc);
}

/*
 * Copies every file listed by a backup cursor, which keeps them unchanged while it is
 * open.
 */
static int copy_listed_files(WT_CURSOR *names, const char *from, const char *to,
			     char *error)
{
	char source[4096], target[4096];
	const char *name;
	int rc;

	while (!(rc = names->next(names)) && !(rc = names->get_key(names, &name))) {
		snprintf(source, sizeof source, "%s/%s", from, name);
		snprintf(target, sizeof target, "%s/%s", to, name);
		if (!file_copy(source, target, error))
			return WT_ERROR;
	}
	return rc == WT_NOTFOUND ? 0 : rc;
}

/* Makes a checkpoint, for data that is not logged, and copies the log since. */
static enum status wt_backup(struct db *db, const char *to, char *why)
{
	char error[FILE_COPY_ERROR_SIZE] = "";
	WT_CURSOR *names = NULL;
	WT_SESSION *session;
	int rc = db->connection->open_session(db->connection, NULL, NULL, &session);

	if (rc)
		return check(engine_messages.last_error, why, rc);
	if (!(rc = session->checkpoint(session, NULL)) &&
	    !(rc = session->open_cursor(session, "backup:", NULL, NULL, &names)))
		rc = copy_listed_files(names, db->connection->get_home(db->connection),
				       to, error);
	if (names)
		names->close(names);
	session->close(session, NULL);
	return *error ? set_error(why, FAILED, "%s", error)
		      : check(engine_messages.last_error, why, rc);
}

/* Freeing pages at the end of the file needs a checkpoint before and after. */
static enum status wt_compact(struct db *db, char *why)
{
	int rc = db->session->checkpoint(db->session, NULL);

	if (!rc)
		rc = db->session->compact(db->session, TABLE, "timeout=0");
	return check(engine_messages.last_error, why, rc);
}

static enum status wt_settle(struct db *db, char *why)
{
	return check(engine_messages.last_error, why,
		     db->session->checkpoint(db->session, NULL));
}

/* Reports a table setting as " name=value"; brackets hold nested settings. */
static void describe_setting(const char *config, const char *name, struct report *report)
{
	size_t length = strlen(name);

	for (const char *at = config; (at = strstr(at, name)); at++) {
		if (at[length] != '=' || (at > config && at[-1] != ',' && at[-1] != '('))
			continue;
		report_append(report, " %.*s", (int)strcspn(at, ",)"), at);
		return;
	}
}

/*
 * From the table and the connection; WiredTiger does not report how commits are synced.
 */
static void wt_describe(struct db *db, struct report *report)
{
	static const char *const names[] = {"type",
					    "key_format",
					    "leaf_page_max",
					    "internal_page_max",
					    "memory_page_max",
					    "block_compressor",
					    "prefix_compression",
					    "checksum",
					    NULL},
				 *const lsm[] = {"chunk_size", "bloom", "merge_max",
						 NULL};
	char config[4096] = "";

	table_config(db, config, sizeof config);
	report_append(report, "cache_size=%lld statistics=%s", (long long)db->cache_bytes,
		      read_statistic(db, WT_STAT_CONN_CACHE_BYTES_MAX) ? "fast" : "none");
	if (db->logged)
		report_append(report, " log_file_max=%lld",
			      (long long)db->log_file_bytes);
	for (int i = 0; names[i]; i++)
		describe_setting(config, names[i], report);
	for (int i = 0; db->lsm && lsm[i]; i++)
		describe_setting(config, lsm[i], report);
}

/*
 * Reports the nonzero ones among its several hundred counters, in the most informative
 * groups.
 */
static void wt_statistics(struct db *db, struct report *report)
{
	static const char groups[] =
		"LSM:log:cache:block-manager:transaction:reconciliation:";
	const char *name, *shown;
	int64_t value;
	WT_CURSOR *c;

	if (db->session->open_cursor(db->session, "statistics:", NULL, NULL, &c)) {
		report_append(report, "nothing is counted without --wt_statistics=1");
		return;
	}
	while (!c->next(c) && !c->get_value(c, &name, &shown, &value)) {
		char group[32];

		snprintf(group, sizeof group, "%.*s:", (int)strcspn(name, ":"), name);
		if (value && strstr(groups, group))
			REPORT_NUMBERS(report, {name, (uint64_t)value});
	}
	c->close(c);
}

const struct engine engine = {
	.name = "wiredtiger",
	.title = "WiredTiger",
	.version = wt_version,
	.cache = "page cache, dirty pages and LSM chunks in memory included",
	.write_buffer = "chunk of an LSM tree (--type=lsm)",
	.compressions = 1 << COMPRESSION_SNAPPY | 1 << COMPRESSION_ZLIB,
	.effective_durability = {DURABILITY_NONE, DURABILITY_ASYNC, DURABILITY_SYNC},
	.provenance = {.symbol = "wiredtiger_open", .crc32c = true},
	.exclusive = true,
	.options = options,
	.value_limit = 0xfffffe00,
	.integer_keys = true,
	.transactions = true,
	.db_size = sizeof(struct db),
	.session_size = sizeof(struct session),
	.put = wt_put,
	.del = wt_del,
	.get = wt_get,
	.seek = wt_seek,
	.last = wt_last,
	.next = wt_next,
	.prev = wt_prev,
	.snapshot = wt_snapshot,
	.release = wt_release,
	.begin = wt_begin,
	.commit = wt_commit,
	.rollback = wt_rollback,
	.bulk_begin = wt_bulk_begin,
	.bulk_put = wt_bulk_put,
	.bulk_end = wt_bulk_end,
	.check_settings = wt_check_settings,
	.open = wt_open,
	.close = wt_close,
	.attach = wt_attach,
	.detach = wt_detach,
	.compact = wt_compact,
	.settle = wt_settle,
	.pending_work = wt_pending_work,
	.backup = wt_backup,
	.backup_by = "backup cursor",
	.describe = wt_describe,
	.events = wt_events,
	.statistics = wt_statistics,
};
