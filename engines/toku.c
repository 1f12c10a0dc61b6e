/*
 * toku.c: TokuDB's fractal tree, by the interface of Berkeley DB 4.6 as in PerconaFT. No
 * package provides it: make TOKU_PREFIX=DIRECTORY uses a library that the user has built
 * (include/db.h, lib/libtokufractaltree.so and lib/libtokuportability.so).
 *
 * Each read outside a write transaction begins its own read-only transaction, a snapshot.
 * A snapshot or a scan keeps it for all its reads. The library passes a record to a
 * callback, which copies it. Writes lock their records; a lock timeout or a deadlock
 * rolls back. Trap: an unsynced commit stays in the process. At async each commit is
 * therefore synced as at sync, but with a sync function that does nothing: the commit has
 * reached the kernel. Trap: a checkpoint leaves a file out that has not changed since the
 * last one, which at async has not synced it. So settling and closing then sync all files,
 * as does opening at sync.
 */
#include <db.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "driver_common.h"

#define FILE_NAME "assay.db"

struct db {
	DB_ENV *env;
	DB *db;
	const char *path; /* the directory of all files */
	enum durability durability;
	uint32_t commit; /* flags */
};

struct session {
	struct db *db;
	char *why;
	DB_TXN *write; /* an open begin/commit bracket, or NULL */
	DB_TXN *read;  /* transaction of the last read, or NULL */
	DBC *cursor;   /* of that transaction */
	bool held;     /* it is a snapshot, until release */
	struct buffer key, value;
};

/* Converts the library's result to a status. */
static enum status check(char *why, int rc)
{
	if (!rc)
		return DONE;
	if (rc == DB_NOTFOUND)
		return NOT_FOUND;
	return set_error(why, rc == ENOSPC ? FULL : FAILED, "%s", db_strerror(rc));
}

static void end_scan(struct session *s)
{
	if (s->cursor)
		s->cursor->c_close(s->cursor);
	s->cursor = NULL;
}

static void toku_release(struct session *s)
{
	end_scan(s);
	if (s->read)
		s->read->commit(s->read, DB_TXN_NOSYNC);
	s->read = NULL;
	s->held = false;
}

static void toku_rollback(struct session *s)
{
	if (s->write)
		s->write->abort(s->write);
	s->write = NULL;
}

static enum status session_status(struct session *s, int rc)
{
	if (rc != DB_LOCK_DEADLOCK && rc != DB_LOCK_NOTGRANTED)
		return check(s->why, rc);
	toku_rollback(s);
	return CONFLICT;
}

/* Sees the latest commit, unless a snapshot is held. */
static int begin_read(struct session *s)
{
	DB_ENV *env = s->db->env;

	if (s->held) {
		end_scan(s);
		return 0;
	}
	toku_release(s);
	return env->txn_begin(env, NULL, &s->read, DB_TXN_SNAPSHOT | DB_TXN_READ_ONLY);
}

static enum status toku_snapshot(struct session *s)
{
	int rc;

	toku_release(s);
	rc = begin_read(s);
	s->held = !rc;
	return check(s->why, rc);
}

static enum status toku_begin(struct session *s)
{
	DB_ENV *env = s->db->env;

	toku_release(s);
	return check(s->why, env->txn_begin(env, NULL, &s->write, 0));
}

static enum status toku_commit(struct session *s)
{
	DB_TXN *txn = s->write;

	s->write = NULL;
	return check(s->why, txn->commit(txn, s->db->commit));
}

static DBT dbt_of_slice(struct slice s)
{
	return (DBT){.data = (void *)(uintptr_t)s.data, .size = (uint32_t)s.size};
}

static enum status write_record(struct session *s, struct slice key,
				const struct slice *value)
{
	DB *db = s->db->db;
	DBT k = dbt_of_slice(key), v = value ? dbt_of_slice(*value) : (DBT){0};

	return session_status(s, value ? db->put(db, s->write, &k, &v, 0)
				       : db->del(db, s->write, &k, DB_DELETE_ANY));
}

static const struct single_write single_writes = {toku_begin, write_record, toku_commit,
						  toku_rollback};

static enum status toku_put(struct session *s, struct slice key, struct slice value)
{
	return single_write(&single_writes, s, s->write, key, &value);
}

static enum status toku_del(struct session *s, struct slice key)
{
	return single_write(&single_writes, s, s->write, key, NULL);
}

/* Called with each record that is found. */
static int copy_record(const DBT *key, const DBT *value, void *session)
{
	struct session *s = session;
	bool copied = !key || buffer_copy(&s->key, key->data, key->size);

	return copied && (!value || buffer_copy(&s->value, value->data, value->size))
		       ? 0
		       : ENOMEM;
}

/*
 * A record read in a transaction may be written later: DB_RMW keeps a second transaction
 * from reading it.
 */
static enum status toku_get(struct session *s, struct slice key, struct slice *value)
{
	DB *db = s->db->db;
	DBT k = dbt_of_slice(key);
	int rc = s->write ? 0 : begin_read(s);

	if (!rc)
		rc = db->getf_set(db, s->write ? s->write : s->read,
				  s->write ? DB_RMW : 0, &k, copy_record, s);
	*value = buffer_slice(&s->value);
	return session_status(s, rc);
}

static enum status return_record(struct session *s, int rc, struct slice *key,
				 struct slice *value)
{
	*key = buffer_slice(&s->key);
	*value = buffer_slice(&s->value);
	return session_status(s, rc);
}

static enum status toku_next(struct session *s, struct slice *key, struct slice *value)
{
	return return_record(s, s->cursor->c_getf_next(s->cursor, 0, copy_record, s), key,
			     value);
}

static enum status toku_prev(struct session *s, struct slice *key, struct slice *value)
{
	return return_record(s, s->cursor->c_getf_prev(s->cursor, 0, copy_record, s), key,
			     value);
}

static int begin_scan(struct session *s)
{
	DB *db = s->db->db;
	int rc = begin_read(s);

	return rc ? rc : db->cursor(db, s->read, &s->cursor, 0);
}

static enum status toku_seek(struct session *s, struct slice from, struct slice *key,
			     struct slice *value)
{
	DBT k = dbt_of_slice(from);
	int rc = begin_scan(s);

	if (!rc)
		rc = from.data ? s->cursor->c_getf_set_range(s->cursor, 0, &k,
							     copy_record, s)
			       : s->cursor->c_getf_first(s->cursor, 0, copy_record, s);
	return return_record(s, rc, key, value);
}

static enum status toku_last(struct session *s, struct slice *key, struct slice *value)
{
	int rc = begin_scan(s);

	return return_record(s,
			     rc ? rc
				: s->cursor->c_getf_last(s->cursor, 0, copy_record, s),
			     key, value);
}

static struct {
	uint64_t pagesize, readpagesize, checkpoint, lock_timeout;
} option_values;

static const struct option options[] = {
	{"pagesize", "4Mi", "Size of a tree node of a new database, bytes.",
	 .size = &option_values.pagesize, .min = 65536, .max = 1 << 30,
	 .group = "TokuDB"},
	{"readpagesize", "64Ki",
	 "Size of the unit in which a leaf node is read from the device, bytes; a "
	 "node has many.",
	 .size = &option_values.readpagesize, .min = 4096, .max = 1 << 30},
	{"checkpoint", "60",
	 "Time between checkpoints, seconds. 0: checkpoint only while closing, or "
	 "while waiting with --settle=1.",
	 .count = &option_values.checkpoint, .max = 86400},
	{"lock_timeout", "4000",
	 "Time that a write waits for another transaction's lock before it returns a "
	 "conflict and is retried, ms.",
	 .count = &option_values.lock_timeout, .min = 1, .max = 3600000},
	{0},
};

static const char *toku_version(void)
{
	int major, minor, patch;

	db_version(&major, &minor, &patch);
	return dotted_version(major, minor, patch);
}

static int skip_fsync(int fd)
{
	(void)fd;
	return 0;
}

/* none: a commit stays in the log's buffer. async: it is written. sync: it is synced. */
static void set_durability(struct db *db, enum durability durability)
{
	db->durability = durability;
	db->commit = durability == DURABILITY_NONE ? DB_TXN_NOSYNC : 0;
	db_env_set_func_fsync(durability == DURABILITY_ASYNC ? skip_fsync : NULL);
}

/* Syncs what the library does not, as it did so by skip_fsync. */
static enum status sync_files(const struct db *db, char *why)
{
	DIR *directory = opendir(db->path);
	struct dirent *entry;
	enum status status = DONE;
	char path[4096];

	if (!directory)
		return set_error(why, FAILED, "%s: %s", db->path, strerror(errno));
	while (status == DONE && (entry = readdir(directory))) {
		snprintf(path, sizeof path, "%s/%s", db->path, entry->d_name);
		if (strcmp(entry->d_name, "..") != 0)
			status = sync_earlier(path, why);
	}
	closedir(directory);
	return status;
}

/* The library has synced all but at async. */
static enum status finish_syncs(const struct db *db, int rc, char *why)
{
	return rc || db->durability != DURABILITY_ASYNC ? check(why, rc)
							: sync_files(db, why);
}

static int open_env(DB_ENV *env, const struct settings *s)
{
	uint32_t parts = DB_INIT_MPOOL | DB_INIT_LOG | DB_INIT_LOCK | DB_INIT_TXN;
	int rc;

	if ((rc = env->set_cachesize(env, (uint32_t)(s->cache_bytes >> 30),
				     (uint32_t)(s->cache_bytes & ((1u << 30) - 1)), 1)) ||
	    (rc = env->set_lock_timeout(env, option_values.lock_timeout, NULL)) ||
	    (rc = env->open(env, s->path,
			    DB_CREATE | DB_THREAD | DB_PRIVATE | DB_RECOVER | parts,
			    0644)))
		return rc;
	return env->checkpointing_set_period(env, (uint32_t)option_values.checkpoint);
}

static TOKU_COMPRESSION_METHOD compression_method(enum compression compression)
{
	return compression == COMPRESSION_ZLIB     ? TOKU_ZLIB_WITHOUT_CHECKSUM_METHOD
	       : compression == COMPRESSION_SNAPPY ? TOKU_SNAPPY_METHOD
						   : TOKU_NO_COMPRESSION;
}

static int open_tree(struct db *db, const struct settings *s)
{
	DB_TXN *txn = NULL;
	int rc = db_create(&db->db, db->env, 0);

	if (rc || (rc = db->db->set_pagesize(db->db, (uint32_t)option_values.pagesize)) ||
	    (rc = db->db->set_readpagesize(db->db,
					   (uint32_t)option_values.readpagesize)) ||
	    (rc = db->db->set_compression_method(db->db,
						 compression_method(s->compression))) ||
	    (rc = db->env->txn_begin(db->env, NULL, &txn, 0)))
		return rc;
	rc = db->db->open(db->db, txn, FILE_NAME, NULL, DB_BTREE,
			  s->create ? DB_CREATE : 0, 0644);
	if (!rc)
		return txn->commit(txn, 0);
	txn->abort(txn);
	return rc;
}

static enum status toku_open(struct db *db, const struct settings *s, char *why)
{
	int rc;

	db->path = s->path;
	if (s->durability == DURABILITY_SYNC && sync_files(db, why) != DONE)
		return FAILED;
	rc = db_env_create(&db->env, 0);
	set_durability(db, s->durability);
	if (!rc && !(rc = open_env(db->env, s)))
		rc = open_tree(db, s);
	if (rc == TOKUDB_HUGE_PAGES_ENABLED)
		return set_error(
			why, FAILED,
			"TokuDB refuses to open while transparent huge pages are on; "
			"echo madvise >/sys/kernel/mm/transparent_hugepage/enabled");
	return check(why, rc);
}

static enum status toku_close(struct db *db, char *why)
{
	int rc, again;

	db_env_set_func_fsync(NULL);
	rc = db->db ? db->db->close(db->db, 0) : 0;
	again = db->env ? db->env->close(db->env, 0) : 0;
	return finish_syncs(db, rc ? rc : again, why);
}

static enum status toku_attach(struct session *s, struct db *db, char *why)
{
	s->db = db;
	s->why = why;
	return DONE;
}

static void toku_detach(struct session *s)
{
	free(s->key.data);
	free(s->value.data);
}

/* Syncs, at async as well. */
static enum status toku_settle(struct db *db, char *why)
{
	int rc;

	db_env_set_func_fsync(NULL);
	rc = db->env->txn_checkpoint(db->env, 0, 0, 0);
	set_durability(db, db->durability);
	return finish_syncs(db, rc, why);
}

static void toku_describe(struct db *db, struct report *report)
{
	uint32_t giga = 0, bytes = 0, page = 0, readpage = 0, period = 0;
	TOKU_COMPRESSION_METHOD compression = TOKU_NO_COMPRESSION;
	int caches = 0;

	db->env->get_cachesize(db->env, &giga, &bytes, &caches);
	db->env->checkpointing_get_period(db->env, &period);
	db->db->get_pagesize(db->db, &page);
	db->db->get_readpagesize(db->db, &readpage);
	db->db->get_compression_method(db->db, &compression);
	REPORT_NUMBERS(report, {"cachesize", ((uint64_t)giga << 30) + bytes},
		       {"pagesize", page}, {"readpagesize", readpage},
		       {"checkpoint", period},
		       {"compression_method", (unsigned)compression});
}

static void toku_statistics(struct db *db, struct report *report)
{
	if (db->env->get_engine_status_text(db->env, report->text, (int)report->size))
		*report->text = '\0';
}

const struct engine engine = {
	.name = "toku",
	.title = "TokuDB",
	.version = toku_version,
	.cache = "cache of nodes",
	.compressions = 1u << COMPRESSION_SNAPPY | 1u << COMPRESSION_ZLIB,
	.effective_durability = {DURABILITY_NONE, DURABILITY_ASYNC, DURABILITY_SYNC},
	.provenance = {.symbol = "db_env_create"},
	.options = options,
	.key_limit = 32 << 10,
	.value_limit = 32 << 20,
	.exclusive = true,
	.blind_deletes = true,
	.transactions = true,
	.db_size = sizeof(struct db),
	.session_size = sizeof(struct session),
	.put = toku_put,
	.del = toku_del,
	.get = toku_get,
	.seek = toku_seek,
	.last = toku_last,
	.next = toku_next,
	.prev = toku_prev,
	.snapshot = toku_snapshot,
	.release = toku_release,
	.begin = toku_begin,
	.commit = toku_commit,
	.rollback = toku_rollback,
	.open = toku_open,
	.close = toku_close,
	.attach = toku_attach,
	.detach = toku_detach,
	.settle = toku_settle,
	.describe = toku_describe,
	.statistics = toku_statistics,
};
