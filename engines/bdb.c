/*
 * bdb.c: Berkeley DB, a B-tree with page locks, a cache of its own and a write-ahead log.
 *
 * The environment is private: cache, locks and log buffer are in the heap. There a full
 * device cannot cause SIGBUS, and region files are not counted as data. A transaction is
 * a DB_TXN. Reads are read-committed and lock one page while they read it. Page locks can
 * deadlock, even for a single put or a scan. An interrupted scan continues after the last
 * record it returned. With threads, the library returns no pointers into its cache: a
 * session has buffers, and a read is a copy.
 *
 * The library has no checkpoint thread. The session whose commit finds --checkpoint_bytes
 * of log written since the last checkpoint makes one, while other sessions go on.
 * Snapshots for several reads would need DB_MULTIVERSION, which in 5.3.28 leaks 344 bytes
 * at each commit. Trap: writes at --durability=none are not logged, so a crash may leave
 * a broken tree.
 */
#include <db.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "driver_common.h"

#define FILE_NAME "assay.db"

/*
 * Maximum locks: enough for several transactions of 100000 scattered records; and hash
 * chains to find them.
 */
enum { LOCK_COUNT = 2000000, HASH_CHAINS = 32771 };
enum { ENV_SUBSYSTEMS = DB_INIT_MPOOL | DB_INIT_LOG | DB_INIT_LOCK | DB_INIT_TXN };

struct db {
	DB_ENV *env;
	DB *db;
	bool open, logged;
	atomic_bool full; /* some write failed because the device was full */
	size_t key_size, value_size;
};

struct session {
	struct db *db;
	char *why;
	DB_TXN *txn; /* an open begin/commit bracket, or NULL */
	DBC *cursor; /* of the current scan, or NULL: it keeps a page locked */
	/* the scan had a conflict and must return to the position in `last` */
	bool scan_interrupted;
	DBT key, value, last; /* own buffers; `size` is the number of bytes used */
	/* bytes since the last test whether a checkpoint is needed */
	uint64_t written;
};

static struct {
	bool chksum;
	uint64_t pagesize, lg_max, lg_bsize, checkpoint_bytes;
} option_values;

/* The library's last message in this thread; the library has no threads. */
static _Thread_local char last_message[ENGINE_ERROR_SIZE];

static void save_message(const DB_ENV *env, const char *prefix, const char *message)
{
	struct db *db = env->app_private;

	(void)prefix;
	if (strstr(message, strerror(ENOSPC)))
		db->full = true;
	/* The message before a panic names its cause. */
	if (strncmp(message, "PANIC", 5) || !*last_message)
		snprintf(last_message, sizeof last_message, "%s", message);
}

/*
 * Converts Berkeley DB's result to a status. Errors after the device was full hide the
 * cause.
 */
static enum status check(struct db *db, char *why, int rc)
{
	bool full = rc == ENOSPC || db->full;

	if (!rc)
		return DONE;
	if (rc == DB_NOTFOUND)
		return NOT_FOUND;
	set_error(why, FAILED, "%s%s%s", db_strerror(rc), *last_message ? ": " : "",
		  last_message);
	*last_message = '\0';
	return full ? FULL : FAILED;
}

/* Gives up the position of a scan, and its lock. */
static void bdb_release(struct session *s)
{
	if (s->cursor)
		s->cursor->close(s->cursor);
	s->cursor = NULL;
}

static bool grow_buffer(DBT *buffer, size_t size)
{
	void *data = realloc(buffer->data, size + 1);

	if (!data)
		return false;
	buffer->data = data;
	buffer->ulen = (u_int32_t)size + 1;
	buffer->flags = DB_DBT_USERMEM;
	return true;
}

/* In a deadlock one of the parties releases all its locks. */
static enum status return_conflict(struct session *s)
{
	DB_TXN *txn = s->txn;
	int rc = 0;

	if (s->cursor && !s->scan_interrupted && s->key.size <= s->last.ulen) {
		memcpy(s->last.data, s->key.data, s->key.size);
		s->last.size = s->key.size;
	}
	s->scan_interrupted = true;
	bdb_release(s);
	s->txn = NULL;
	if (txn)
		rc = txn->abort(txn);
	*last_message = '\0';
	return rc ? check(s->db, s->why, rc) : CONFLICT;
}

static enum status session_status(struct session *s, int rc)
{
	if (!rc)
		return DONE;
	if (rc == DB_LOCK_DEADLOCK || rc == DB_LOCK_NOTGRANTED)
		return return_conflict(s);
	return check(s->db, s->why, rc);
}

/*
 * Called after a commit. The test whether a checkpoint is needed locks the log, so it is
 * not made each time.
 */
static enum status after_commit(struct session *s, int rc)
{
	enum { CHECKS_PER_CHECKPOINT = 16 };

	u_int32_t kilobytes = (u_int32_t)(option_values.checkpoint_bytes >> 10);
	DB_ENV *env = s->db->env;

	if (rc || !kilobytes || !s->db->logged ||
	    s->written < option_values.checkpoint_bytes / CHECKS_PER_CHECKPOINT)
		return session_status(s, rc);
	s->written = 0;
	return session_status(s, env->txn_checkpoint(env, kilobytes, 0, 0));
}

static enum status bdb_begin(struct session *s)
{
	bdb_release(s);
	return session_status(s, s->db->env->txn_begin(s->db->env, NULL, &s->txn, 0));
}

static void bdb_rollback(struct session *s)
{
	bdb_release(s);
	if (s->txn)
		s->txn->abort(s->txn);
	s->txn = NULL;
}

static enum status bdb_commit(struct session *s)
{
	DB_TXN *txn = s->txn;

	bdb_release(s);
	s->txn = NULL;
	return after_commit(s, txn->commit(txn, 0));
}

static DBT dbt_of_slice(struct slice s)
{
	return (DBT){.data = (void *)(uintptr_t)s.data, .size = (u_int32_t)s.size};
}

static struct slice slice_of_dbt(const DBT *d)
{
	return (struct slice){d->data, d->size};
}

static enum status after_write(struct session *s, size_t bytes, int rc)
{
	s->written += bytes;
	return s->txn ? session_status(s, rc) : after_commit(s, rc);
}

static enum status bdb_put(struct session *s, struct slice key, struct slice value)
{
	DBT k = dbt_of_slice(key), v = dbt_of_slice(value);

	bdb_release(s);
	return after_write(s, key.size + value.size,
			   s->db->db->put(s->db->db, s->txn, &k, &v, 0));
}

static enum status bdb_del(struct session *s, struct slice key)
{
	DBT k = dbt_of_slice(key);

	bdb_release(s);
	return after_write(s, key.size, s->db->db->del(s->db->db, s->txn, &k, 0));
}

/* The value did not fit, and the engine has returned its size. */
static bool grow_value(struct session *s, int rc)
{
	return rc == DB_BUFFER_SMALL && s->value.size > s->value.ulen &&
	       grow_buffer(&s->value, s->value.size);
}

static enum status bdb_get(struct session *s, struct slice key, struct slice *value)
{
	DBT k = dbt_of_slice(key);
	int rc;

	bdb_release(s);
	/*
	 * A record read in a transaction may be written later: DB_RMW keeps a second
	 * transaction from reading it.
	 */
	do
		rc = s->db->db->get(s->db->db, s->txn, &k, &s->value,
				    s->txn ? DB_RMW : 0);
	while (grow_value(s, rc));
	*value = slice_of_dbt(&s->value);
	return session_status(s, rc);
}

/* Moves the cursor. The key to seek, and then the key found, is in s->key. */
static int move_cursor(struct session *s, u_int32_t how)
{
	int rc;

	do
		rc = s->cursor->get(s->cursor, &s->key, &s->value, how);
	while (grow_value(s, rc));
	return rc;
}

static int begin_scan(struct session *s)
{
	DB *db = s->db->db;

	bdb_release(s);
	s->scan_interrupted = false;
	return db->cursor(db, s->txn, &s->cursor, s->txn ? DB_READ_COMMITTED : 0);
}

/* Moves to the first record at or above `from`. */
static int position_cursor(struct session *s, struct slice from)
{
	if (from.size > s->key.ulen && !grow_buffer(&s->key, from.size))
		return ENOMEM;
	memcpy(s->key.data, from.data, from.size);
	s->key.size = (u_int32_t)from.size;
	return move_cursor(s, DB_SET_RANGE);
}

static enum status return_record(struct session *s, int rc, struct slice *key,
				 struct slice *value)
{
	*key = slice_of_dbt(&s->key);
	*value = slice_of_dbt(&s->value);
	return session_status(s, rc);
}

static enum status bdb_seek(struct session *s, struct slice from, struct slice *key,
			    struct slice *value)
{
	int rc = begin_scan(s);

	return return_record(s,
			     rc          ? rc
			     : from.data ? position_cursor(s, from)
					 : move_cursor(s, DB_FIRST),
			     key, value);
}

static enum status bdb_last(struct session *s, struct slice *key, struct slice *value)
{
	int rc = begin_scan(s);

	return return_record(s, rc ? rc : move_cursor(s, DB_LAST), key, value);
}

/* Continues a scan that had a conflict, after the last record it returned. */
static int resume_scan(struct session *s, u_int32_t how)
{
	int rc = begin_scan(s);

	s->scan_interrupted = true; /* until the position is found */
	if (!rc)
		rc = position_cursor(s, slice_of_dbt(&s->last));
	if (rc == DB_NOTFOUND && how == DB_PREV)
		rc = move_cursor(s, DB_LAST);
	else if (!rc &&
		 (how == DB_PREV || (s->key.size == s->last.size &&
				     !memcmp(s->key.data, s->last.data, s->last.size))))
		rc = move_cursor(s, how);
	s->scan_interrupted = rc != 0;
	return rc;
}

static enum status bdb_next(struct session *s, struct slice *key, struct slice *value)
{
	return return_record(s,
			     s->scan_interrupted ? resume_scan(s, DB_NEXT)
						 : move_cursor(s, DB_NEXT),
			     key, value);
}

static enum status bdb_prev(struct session *s, struct slice *key, struct slice *value)
{
	return return_record(s,
			     s->scan_interrupted ? resume_scan(s, DB_PREV)
						 : move_cursor(s, DB_PREV),
			     key, value);
}

static const struct option options[] = {
	{"pagesize", "4Ki",
	 "Size of a B-tree page of a new database, bytes, a power of two. An existing "
	 "database keeps its own.",
	 .size = &option_values.pagesize, .min = 512, .max = 65536,
	 .group = "Berkeley DB"},
	{"chksum", "0",
	 "1: store a checksum in each page of a new database and check it on reading "
	 "(DB_CHKSUM). 0: only log records have checksums.",
	 .flag = &option_values.chksum},
	{"lg_bsize", "1Mi", "Size of the memory buffer for the write-ahead log, bytes.",
	 .size = &option_values.lg_bsize, .min = 32768, .max = 1 << 28},
	{"lg_max", "16Mi",
	 "Size that a file of the write-ahead log grows to, bytes, before the next is "
	 "begun. It must be at least four times --lg_bsize.",
	 .size = &option_values.lg_max, .min = 131072, .max = 1 << 30},
	{"checkpoint_bytes", "128Mi",
	 "Bytes written to the log since the last checkpoint after which a "
	 "commit makes the next. 0: checkpoint only while closing, or while "
	 "waiting with --settle=1.",
	 .size = &option_values.checkpoint_bytes, .max = (uint64_t)1 << 40},
	{0},
};

static struct traits bdb_check_settings(const struct settings *s)
{
	(void)s;
	if (option_values.pagesize & (option_values.pagesize - 1))
		return invalid_settings(
			"--pagesize must be a power of two, from 512 to 64Ki");
	if (option_values.lg_max < 4 * option_values.lg_bsize)
		return invalid_settings(
			"--lg_max must be at least four times --lg_bsize");
	return (struct traits){.invalid = NULL};
}

static const char *bdb_version(void)
{
	int major, minor, patch;

	db_version(&major, &minor, &patch);
	return dotted_version(major, minor, patch);
}

/*
 * Implements the durability levels. `none` logs nothing. Transactions stay atomic while
 * the process lives, because the data for an abort is in memory.
 */
static int set_durability(struct db *db, enum durability durability)
{
	db->logged = durability != DURABILITY_NONE;
	if (durability == DURABILITY_NONE)
		return db->db->set_flags(db->db, DB_TXN_NOT_DURABLE);
	if (durability == DURABILITY_ASYNC)
		return db->env->set_flags(db->env, DB_TXN_WRITE_NOSYNC, 1);
	return 0; /* the default: each commit writes and syncs the log */
}

/*
 * Berkeley DB enlarges a cache below 500 MB by a quarter, so a smaller one is requested.
 */
static int set_cache(DB_ENV *env, uint64_t bytes)
{
	uint64_t requested = bytes < 500u << 20 ? bytes / 5 * 4 : bytes;

	return env->set_cachesize(env, (u_int32_t)(requested >> 30),
				  (u_int32_t)(requested & ((1u << 30) - 1)), 1);
}

/*
 * Limits cost nothing until they are reached; a table of chains sized by them took 160
 * MB.
 */
static int set_limits(DB_ENV *env, const struct settings *s)
{
	int rc;

	if ((rc = env->set_lk_max_locks(env, LOCK_COUNT)) ||
	    (rc = env->set_lk_max_objects(env, LOCK_COUNT)) ||
	    (rc = env->set_lk_tablesize(env, HASH_CHAINS)) ||
	    (rc = env->set_lk_max_lockers(env, 16 * s->sessions + 1000)) ||
	    (rc = env->set_tx_max(env, s->sessions + 64)))
		return rc;
	return env->mutex_set_increment(env, 16 * s->sessions + 4096);
}

/*
 * In a deadlock the transaction that has written least is aborted, so that one of many
 * writers of batches succeeds. With random victims, the default, 128 of them starve each
 * other. If only one party can resolve a deadlock, it is the victim whatever it has
 * written (5.3.28, __lock_detect). Each of 64 writers to one page can be that party in
 * turn, so callers must wait before they retry.
 */
static int open_env(struct db *db, const struct settings *s)
{
	DB_ENV *env = db->env;
	int rc;

	env->app_private = db;
	env->set_errcall(env, save_message);
	if ((rc = set_cache(env, s->cache_bytes)) || (rc = set_limits(env, s)) ||
	    (rc = env->set_lk_detect(env, DB_LOCK_MINWRITE)) ||
	    (rc = env->set_lg_max(env, (u_int32_t)option_values.lg_max)) ||
	    (rc = env->set_lg_bsize(env, (u_int32_t)option_values.lg_bsize)) ||
	    (rc = env->log_set_config(env, DB_LOG_AUTO_REMOVE, 1)))
		return rc;
	return env->open(env, s->path,
			 DB_CREATE | DB_THREAD | DB_PRIVATE | DB_RECOVER | ENV_SUBSYSTEMS,
			 0644);
}

static int open_file(struct db *db, const struct settings *s)
{
	u_int32_t create = s->create ? DB_CREATE : 0;
	int rc = db_create(&db->db, db->env, 0);

	if (rc || (rc = set_durability(db, s->durability)) ||
	    (create &&
	     (rc = db->db->set_pagesize(db->db, (u_int32_t)option_values.pagesize))) ||
	    (create && option_values.chksum &&
	     (rc = db->db->set_flags(db->db, DB_CHKSUM))))
		return rc;
	return db->db->open(db->db, NULL, FILE_NAME, NULL, DB_BTREE,
			    create | DB_AUTO_COMMIT | DB_THREAD, 0644);
}

static int close_handles(struct db *db)
{
	int rc = db->db ? db->db->close(db->db, 0) : 0;
	int again = db->env ? db->env->close(db->env, 0) : 0;

	return rc ? rc : again;
}

static enum status bdb_open(struct db *db, const struct settings *s, char *why)
{
	int rc = db_env_create(&db->env, 0);

	db->key_size = s->key_size;
	db->value_size = s->value_size;
	if (!rc && !(rc = open_env(db, s)))
		rc = open_file(db, s);
	db->open = !rc;
	return check(db, why, rc);
}

/*
 * The copy's pages are from different times. Recovery with the log, which is copied after
 * them, makes them consistent. It must begin at the log's first record, as there may have
 * been a checkpoint during the copy.
 */
static int recover_copy(const struct db *db, const char *to)
{
	DB_ENV *copy;
	int rc = db_env_create(&copy, 0), again;

	if (rc)
		return rc;
	copy->app_private = (void *)(uintptr_t)db;
	copy->set_errcall(copy, save_message);
	if (!(rc = copy->set_lk_max_locks(copy, LOCK_COUNT)) &&
	    !(rc = copy->set_lk_max_objects(copy, LOCK_COUNT)))
		rc = copy->open(copy, to,
				DB_CREATE | DB_THREAD | DB_PRIVATE | DB_RECOVER_FATAL |
					ENV_SUBSYSTEMS,
				0644);
	again = copy->close(copy, 0);
	return rc ? rc : again;
}

static enum status bdb_backup(struct db *db, const char *to, char *why)
{
	DB_ENV *env = db->env;
	int rc, again;

	if (!db->logged)
		return set_error(why, UNSUPPORTED,
				 "a hot backup needs the log, which there is not "
				 "with --durability=none");
	/* Logs must not be removed before they are copied. */
	if (!(rc = env->log_set_config(env, DB_LOG_AUTO_REMOVE, 0)))
		rc = env->backup(env, to, 0);
	again = env->log_set_config(env, DB_LOG_AUTO_REMOVE, 1);
	rc = rc ? rc : again;
	return check(db, why, rc ? rc : recover_copy(db, to));
}

static enum status bdb_compact(struct db *db, char *why)
{
	return check(db, why,
		     db->db->compact(db->db, NULL, NULL, NULL, NULL, DB_FREE_SPACE,
				     NULL));
}

/* A checkpoint skips pages whose changes are not logged. */
static enum status bdb_settle(struct db *db, char *why)
{
	DB_ENV *env = db->env;
	int rc = env->txn_checkpoint(env, 0, 0, DB_FORCE);

	return check(db, why, rc || db->logged ? rc : env->memp_sync(env, NULL));
}

static enum status bdb_close(struct db *db, char *why)
{
	enum status status = db->open ? bdb_settle(db, why) : DONE;
	int rc = close_handles(db);

	return status == DONE ? check(db, why, rc) : status;
}

static enum status bdb_attach(struct session *s, struct db *db, char *why)
{
	s->db = db;
	s->why = why;
	if (grow_buffer(&s->key, db->key_size) && grow_buffer(&s->last, db->key_size) &&
	    grow_buffer(&s->value, db->value_size))
		return DONE;
	return set_error(why, FAILED, "out of memory");
}

static void bdb_detach(struct session *s)
{
	free(s->key.data);
	free(s->value.data);
	free(s->last.data);
}

static void bdb_describe(struct db *db, struct report *report)
{
	u_int32_t giga = 0, bytes = 0, page = 0, lg_bsize = 0, lg_max = 0, locks = 0,
		  detect = 0;
	u_int32_t env = 0, table = 0, opened = 0; /* flags */
	int caches = 0, autoremove = 0;

	db->env->get_cachesize(db->env, &giga, &bytes, &caches);
	db->env->get_lg_bsize(db->env, &lg_bsize);
	db->env->get_lg_max(db->env, &lg_max);
	db->env->get_flags(db->env, &env);
	db->env->get_open_flags(db->env, &opened);
	db->env->get_lk_max_locks(db->env, &locks);
	db->env->get_lk_detect(db->env, &detect);
	db->env->log_get_config(db->env, DB_LOG_AUTO_REMOVE, &autoremove);
	db->db->get_pagesize(db->db, &page);
	db->db->get_flags(db->db, &table);
	REPORT_NUMBERS(report, {"cachesize", ((uint64_t)giga << 30) + bytes},
		       {"ncache", (unsigned)caches}, {"pagesize", page},
		       {"chksum", !!(table & DB_CHKSUM)},
		       {"txn_not_durable", !!(table & DB_TXN_NOT_DURABLE)},
		       {"txn_write_nosync", !!(env & DB_TXN_WRITE_NOSYNC)},
		       {"lg_bsize", lg_bsize}, {"lg_max", lg_max},
		       {"log_auto_remove", (unsigned)autoremove}, {"lk_max_locks", locks},
		       {"lk_detect", detect}, {"private", !!(opened & DB_PRIVATE)});
}

static void bdb_statistics(struct db *db, struct report *report)
{
	DB_MPOOL_STAT *pool = NULL;
	DB_LOCK_STAT *lock = NULL;
	DB_BTREE_STAT *tree = NULL;
	DB_LOG_STAT *log = NULL;
	DB_TXN_STAT *txn = NULL;

	if (!db->env->memp_stat(db->env, &pool, NULL, 0) &&
	    !db->env->lock_stat(db->env, &lock, 0) &&
	    !db->env->log_stat(db->env, &log, 0) &&
	    !db->env->txn_stat(db->env, &txn, 0) &&
	    !db->db->stat(db->db, NULL, &tree, DB_FAST_STAT))
		REPORT_NUMBERS(report, {"cache hits", pool->st_cache_hit},
			       {"cache misses", pool->st_cache_miss},
			       {"pages read", pool->st_page_in},
			       {"pages written", pool->st_page_out},
			       {"clean pages evicted", pool->st_ro_evict},
			       {"dirty pages evicted", pool->st_rw_evict},
			       {"pages in the cache", pool->st_pages},
			       {"dirty pages", pool->st_page_dirty},
			       {"lock requests", lock->st_nrequests},
			       {"lock waits", lock->st_lock_wait},
			       {"deadlocks", lock->st_ndeadlocks},
			       {"most locks held", lock->st_maxnlocks},
			       {"bytes of log written",
				((uint64_t)log->st_w_mbytes << 20) + log->st_w_bytes},
			       {"log writes", log->st_wcount},
			       {"log flushes", log->st_scount},
			       {"most commits in a flush", log->st_maxcommitperflush},
			       {"transactions committed", txn->st_ncommits},
			       {"transactions aborted", txn->st_naborts},
			       {"pages in the file", tree->bt_pagecnt});
	free(pool);
	free(lock);
	free(tree);
	free(log);
	free(txn);
}

const struct engine engine = {
	.name = "bdb",
	.title = "Berkeley DB",
	.version = bdb_version,
	.cache = "page cache, its headers included",
	.effective_durability = {DURABILITY_NONE, DURABILITY_ASYNC, DURABILITY_SYNC},
	.provenance = {.symbol = "db_create"},
	.options = options,
	.value_limit = 0xfffffffe,
	.one_process = true,
	.transactions = true,
	.db_size = sizeof(struct db),
	.session_size = sizeof(struct session),
	.put = bdb_put,
	.del = bdb_del,
	.get = bdb_get,
	.seek = bdb_seek,
	.last = bdb_last,
	.next = bdb_next,
	.prev = bdb_prev,
	.release = bdb_release,
	.begin = bdb_begin,
	.commit = bdb_commit,
	.rollback = bdb_rollback,
	.check_settings = bdb_check_settings,
	.open = bdb_open,
	.close = bdb_close,
	.attach = bdb_attach,
	.detach = bdb_detach,
	.compact = bdb_compact,
	.settle = bdb_settle,
	.backup = bdb_backup,
	.backup_by = "DB_ENV->backup, and recovery of the copy",
	.describe = bdb_describe,
	.statistics = bdb_statistics,
};
