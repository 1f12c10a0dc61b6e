/*
 * sqlite.c: SQLite, a B-tree in one file behind SQL.
 *
 * The table is WITHOUT ROWID, so records are in the tree of their keys. A session is a
 * connection with its statements prepared once. A value read is a pointer into the
 * statement that found it. That statement stays open, with its read transaction, until
 * the session's next call or release. Batches are BEGIN IMMEDIATE: one writer at a time,
 * the others wait by sleeping.
 *
 * Traps: each connection has its own page cache, a fraction of the budget, and drops all
 * of it when another connection has committed. Automatic checkpoints run inside a commit.
 * The pages have no checksums. Without a journal (none) an error in the middle of a
 * change can corrupt the file.
 */
#include <errno.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <string.h>

#include "driver_common.h"

/* longest wait of a call for another session, before it has a conflict */
enum { BUSY_TIMEOUT_MS = 10000 };

enum query {
	SQL_GET,
	SQL_FROM,
	SQL_BELOW,
	SQL_BACK,
	SQL_PUT,
	SQL_DEL,
	SQL_BEGIN,
	SQL_SNAPSHOT,
	SQL_COMMIT,
	SQL_ROLLBACK,
	STATEMENTS
};

static const char *const sql[STATEMENTS] = {
	[SQL_GET] = "SELECT v FROM t WHERE k = ?1",
	[SQL_FROM] = "SELECT v, k FROM t WHERE k >= ?1 ORDER BY k",
	[SQL_BELOW] = "SELECT v, k FROM t WHERE k < ?1 ORDER BY k DESC",
	[SQL_BACK] = "SELECT v, k FROM t ORDER BY k DESC",
	[SQL_PUT] = "INSERT OR REPLACE INTO t VALUES (?1, ?2)",
	[SQL_DEL] = "DELETE FROM t WHERE k = ?1",
	[SQL_BEGIN] = "BEGIN IMMEDIATE",
	[SQL_SNAPSHOT] = "BEGIN", /* the first read begins it */
	[SQL_COMMIT] = "COMMIT",
	[SQL_ROLLBACK] = "ROLLBACK",
};

/* Counters of each session's page cache, added up when the session ends. */
enum { COUNTER_COUNT = 4 };
static const int counters[COUNTER_COUNT] = {SQLITE_DBSTATUS_CACHE_HIT,
					    SQLITE_DBSTATUS_CACHE_MISS,
					    SQLITE_DBSTATUS_CACHE_WRITE,
					    SQLITE_DBSTATUS_CACHE_SPILL};

struct db {
	sqlite3 *own; /* for calls without a session: settle, describe, statistics */
	const struct settings *settings;
	_Atomic uint64_t counts[COUNTER_COUNT];
};

struct session {
	struct db *db;
	char *why;
	sqlite3 *connection;
	sqlite3_stmt *statements[STATEMENTS];
	sqlite3_stmt *current; /* statement of the last result, or NULL */
	bool held;             /* a transaction for reads is open: a snapshot */
};

/* Converts SQLite's result to a status; its message goes to `why`. */
static enum status check(char *why, sqlite3 *connection, int rc)
{
	enum status status = FAILED;

	if (rc == SQLITE_OK || rc == SQLITE_ROW || rc == SQLITE_DONE)
		return DONE;
	if ((rc & 0xff) == SQLITE_BUSY)
		status = CONFLICT;
	if (rc == SQLITE_FULL ||
	    ((rc & 0xff) == SQLITE_IOERR && sqlite3_system_errno(connection) == ENOSPC))
		status = FULL;
	return set_error(why, status, "%s (%d)", sqlite3_errmsg(connection),
			 sqlite3_extended_errcode(connection));
}

/* Resets the statement of the last read. */
static void reset_current(struct session *s)
{
	if (s->current)
		sqlite3_reset(s->current); /* returns the result of the last step again */
	s->current = NULL;
}

/* Rolls back a transaction, or ends a snapshot. */
static void sqlite_rollback(struct session *s)
{
	reset_current(s);
	s->held = false;
	if (sqlite3_get_autocommit(s->connection))
		return;
	sqlite3_step(s->statements[SQL_ROLLBACK]);
	sqlite3_reset(s->statements[SQL_ROLLBACK]);
}

/*
 * A failed call leaves nothing open; without a journal this undoes only what was not yet
 * written.
 */
static enum status sqlite_fail(struct session *s, int rc)
{
	enum status status = check(s->why, s->connection, rc);

	sqlite_rollback(s);
	return status;
}

static struct slice column(struct session *s, int i)
{
	const void *data = sqlite3_column_blob(s->current, i);
	int size = sqlite3_column_bytes(s->current, i);

	return (struct slice){size ? data : "", (size_t)size};
}

static int bind_slice(sqlite3_stmt *statement, int i, struct slice s)
{
	return sqlite3_bind_blob64(statement, i, s.size ? s.data : "", s.size,
				   SQLITE_STATIC);
}

/* Runs a statement that returns no rows. */
static enum status sqlite_finish(struct session *s, enum query which)
{
	int rc;

	reset_current(s);
	s->current = s->statements[which];
	rc = sqlite3_step(s->current);
	if (rc != SQLITE_DONE)
		return sqlite_fail(s, rc);
	reset_current(s);
	return DONE;
}

static enum status sqlite_begin(struct session *s)
{
	return sqlite_finish(s, SQL_BEGIN);
}

static enum status sqlite_commit(struct session *s)
{
	return sqlite_finish(s, SQL_COMMIT);
}

static enum status sqlite_put(struct session *s, struct slice key, struct slice value)
{
	int rc = bind_slice(s->statements[SQL_PUT], 1, key);

	if (!rc)
		rc = bind_slice(s->statements[SQL_PUT], 2, value);
	return rc ? sqlite_fail(s, rc) : sqlite_finish(s, SQL_PUT);
}

static enum status sqlite_del(struct session *s, struct slice key)
{
	int rc = bind_slice(s->statements[SQL_DEL], 1, key);
	enum status status = rc ? sqlite_fail(s, rc) : sqlite_finish(s, SQL_DEL);

	return status == DONE && !sqlite3_changes(s->connection) ? NOT_FOUND : status;
}

/* Steps the current statement to its next row. */
static enum status step_row(struct session *s, struct slice *key, struct slice *value)
{
	int rc = sqlite3_step(s->current);

	if (rc == SQLITE_ROW) {
		*value = column(s, 0);
		if (key)
			*key = column(s, 1);
		return DONE;
	}
	if (rc != SQLITE_DONE)
		return sqlite_fail(s, rc);
	reset_current(s);
	return NOT_FOUND;
}

static enum status sqlite_get(struct session *s, struct slice key, struct slice *value)
{
	int rc;

	reset_current(s);
	if ((rc = bind_slice(s->statements[SQL_GET], 1, key)))
		return sqlite_fail(s, rc);
	s->current = s->statements[SQL_GET];
	return step_row(s, NULL, value);
}

static enum status sqlite_next(struct session *s, struct slice *key, struct slice *value)
{
	return s->current ? step_row(s, key, value) : NOT_FOUND;
}

/*
 * A statement has one direction: below the record that a seek found, another one
 * continues.
 */
static enum status sqlite_prev(struct session *s, struct slice *key, struct slice *value)
{
	sqlite3_stmt *below = s->statements[SQL_BELOW];
	struct slice from;
	int rc;

	if (!s->current || s->current != s->statements[SQL_FROM])
		return sqlite_next(s, key, value);
	from = column(s, 1);
	rc = sqlite3_bind_blob64(below, 1, from.data, from.size, SQLITE_TRANSIENT);
	reset_current(s);
	s->current = below;
	return rc ? sqlite_fail(s, rc) : step_row(s, key, value);
}

/*
 * No key is below the empty one, so a scan from the first needs no statement of its own.
 */
static enum status sqlite_seek(struct session *s, struct slice from, struct slice *key,
			       struct slice *value)
{
	int rc;

	reset_current(s);
	if ((rc = bind_slice(s->statements[SQL_FROM], 1, from)))
		return sqlite_fail(s, rc);
	s->current = s->statements[SQL_FROM];
	return step_row(s, key, value);
}

static enum status sqlite_last(struct session *s, struct slice *key, struct slice *value)
{
	reset_current(s);
	s->current = s->statements[SQL_BACK];
	return step_row(s, key, value);
}

static void sqlite_release(struct session *s)
{
	reset_current(s);
	if (s->held)
		sqlite_finish(s, SQL_COMMIT);
	s->held = false;
}

static enum status sqlite_snapshot(struct session *s)
{
	enum status status;

	sqlite_release(s);
	status = sqlite_finish(s, SQL_SNAPSHOT);
	s->held = status == DONE;
	return status;
}

enum journal { MODE_AUTO, WAL, DELETE, TRUNCATE, PERSIST, MEMORY, OFF };

static const char *const journals[] = {"auto",    "wal",    "delete", "truncate",
				       "persist", "memory", "off",    NULL};

static struct {
	int journal;
	uint64_t page_size, wal_autocheckpoint, mmap_size;
} option_values;

static const struct option options[] = {
	{"journal", "auto",
	 "SQLite's way to make transactions durable (PRAGMA journal_mode). auto: wal, "
	 "or off with --durability=none. memory and off need --durability=none.",
	 .choice = &option_values.journal, .choices = journals, .group = "SQLite"},
	{"page_size", "4Ki",
	 "Size of a page of a new database, bytes, a power of two. An existing "
	 "database keeps its own.",
	 .size = &option_values.page_size, .min = 512, .max = 65536},
	{"wal_autocheckpoint", "1000",
	 "Length of the write-ahead log, pages, at which a commit makes a checkpoint. "
	 "0: checkpoint only while closing, or while waiting with --settle=1.",
	 .count = &option_values.wal_autocheckpoint, .max = 1000000000},
	{"mmap_size", "0",
	 "Size of the part of the database file, from its start, that is read through "
	 "a memory map, bytes. 0: no map. SQLite uses at most 2 GB.",
	 .size = &option_values.mmap_size, .max = (uint64_t)1 << 40},
	{0},
};

static struct traits sqlite_check_settings(const struct settings *s)
{
	if (option_values.page_size & (option_values.page_size - 1))
		return invalid_settings(
			"--page_size: SQLite takes powers of two from 512 to 65536");
	if (s->durability != DURABILITY_NONE &&
	    (option_values.journal == MEMORY || option_values.journal == OFF))
		return invalid_settings(
			"--journal=memory and --journal=off cannot keep "
			"--durability=async or sync: a process killed in a commit "
			"leaves a broken file; give --durability=none");
	return (struct traits){.reads_mapped = option_values.mmap_size > 0};
}

/*
 * Durability. async and sync write the same at a commit, in every journal mode that
 * survives the end of the process. Only synchronous=FULL syncs. In WAL mode a commit
 * syncs the log, and a checkpoint the log, the file and the log again. The unlinked
 * journal of the mode delete can reappear after a power cut unless its directory is
 * synced too, which is EXTRA.
 */
static enum journal journal_of(enum durability durability)
{
	return option_values.journal           ? (enum journal)option_values.journal
	       : durability == DURABILITY_NONE ? OFF
					       : WAL;
}

static const char *synchronous_of(enum durability durability)
{
	if (durability != DURABILITY_SYNC)
		return "OFF";
	return journal_of(durability) == DELETE ? "EXTRA" : "FULL";
}

/* Returns the single value of a query as text. */
static int query_text(sqlite3 *connection, const char *question, char *answer,
		      size_t size)
{
	sqlite3_stmt *statement;
	int rc = sqlite3_prepare_v2(connection, question, -1, &statement, NULL);

	if (rc)
		return rc;
	*answer = '\0';
	if (sqlite3_step(statement) == SQLITE_ROW)
		snprintf(answer, size, "%s",
			 (const char *)sqlite3_column_text(statement, 0));
	return sqlite3_finalize(statement);
}

/* On macOS fsync() leaves data in the device's cache; by these SQLite asks for more. */
#ifdef __APPLE__
#define FULL_SYNC "PRAGMA fullfsync=ON; PRAGMA checkpoint_fullfsync=ON; "
#else
#define FULL_SYNC ""
#endif

/* journal_mode comes last: entering it at a stronger synchronous would sync the file. */
static enum status configure(const struct settings *s, sqlite3 *c, char *why)
{
	const char *journal = journals[journal_of(s->durability)];
	unsigned long long cache_kib =
		s->cache_bytes / (s->sessions ? s->sessions : 1) / 1024;
	char text[512], mode[16];
	int rc;

	snprintf(text, sizeof text,
		 FULL_SYNC
		 "PRAGMA page_size=%llu; PRAGMA cache_size=-%llu; PRAGMA mmap_size=%llu; "
		 "PRAGMA wal_autocheckpoint=%llu; PRAGMA secure_delete=OFF; PRAGMA "
		 "locking_mode=NORMAL; PRAGMA synchronous=%s",
		 (unsigned long long)option_values.page_size, cache_kib ? cache_kib : 1,
		 (unsigned long long)option_values.mmap_size,
		 (unsigned long long)option_values.wal_autocheckpoint,
		 synchronous_of(s->durability));
	if ((rc = sqlite3_busy_timeout(c, BUSY_TIMEOUT_MS)) ||
	    (rc = sqlite3_exec(c, text, NULL, NULL, NULL)))
		return check(why, c, rc);
	snprintf(text, sizeof text, "PRAGMA journal_mode=%s", journal);
	if ((rc = query_text(c, text, mode, sizeof mode)))
		return check(why, c, rc);
	if (strcmp(mode, journal))
		return set_error(why, FAILED,
				 "the journal mode is %s and cannot be "
				 "changed to %s",
				 mode, journal);
	return DONE;
}

/* Opens and configures a connection; NULL unless the result is DONE. */
static enum status connect_to(sqlite3 **c, const struct settings *s, int flags, char *why)
{
	enum status status;
	char path[4096];
	int rc;

	snprintf(path, sizeof path, "%s/data.db", s->path);
	rc = sqlite3_open_v2(path, c, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | flags,
			     NULL);
	status = check(why, *c, rc);
	if (status == DONE)
		status = configure(s, *c, why);
	if (status != DONE) {
		sqlite3_close(*c);
		*c = NULL;
	}
	return status;
}

/* Syncs the file, as neither commits nor checkpoints do that below sync. */
static int sync_file(sqlite3 *c)
{
	sqlite3_file *file;
	int rc = sqlite3_file_control(c, "main", SQLITE_FCNTL_FILE_POINTER, &file);

	return rc ? rc : file->pMethods->xSync(file, SQLITE_SYNC_FULL);
}

static enum status sqlite_open(struct db *db, const struct settings *s, char *why)
{
	static const char table[] =
		"CREATE TABLE t(k BLOB PRIMARY KEY, v BLOB) WITHOUT ROWID";
	enum status status;

	/*
	 * To count its memory SQLite takes a lock at every allocation. The call fails
	 * once SQLite is in use.
	 */
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	db->settings = s;
	status = connect_to(&db->own, s, s->create ? SQLITE_OPEN_CREATE : 0, why);
	if (status == DONE && s->create)
		status = check(why, db->own,
			       sqlite3_exec(db->own, table, NULL, NULL, NULL));
	/* At async no checkpoint syncs it, and a commit at sync syncs only the log. */
	if (status == DONE && !s->create && s->durability == DURABILITY_SYNC)
		status = check(why, db->own, sync_file(db->own));
	return status;
}

static enum status sqlite_close(struct db *db, char *why)
{
	return check(why, db->own, sqlite3_close(db->own));
}

static enum status sqlite_attach(struct session *s, struct db *db, char *why)
{
	enum status status;
	int rc = SQLITE_OK;

	s->db = db;
	s->why = why;
	status = connect_to(&s->connection, db->settings, 0, why);
	if (status != DONE)
		return status;
	for (int i = 0; !rc && i < STATEMENTS; i++)
		rc = sqlite3_prepare_v3(s->connection, sql[i], -1,
					SQLITE_PREPARE_PERSISTENT, &s->statements[i],
					NULL);
	return check(why, s->connection, rc);
}

static void sqlite_detach(struct session *s)
{
	int now, most;

	for (int i = 0; i < STATEMENTS; i++)
		sqlite3_finalize(s->statements[i]);
	for (int i = 0; s->connection && i < COUNTER_COUNT; i++)
		if (!sqlite3_db_status(s->connection, counters[i], &now, &most, 0))
			atomic_fetch_add(&s->db->counts[i], (unsigned)now);
	sqlite3_close(s->connection);
}

static enum status sqlite_compact(struct db *db, char *why)
{
	return check(why, db->own, sqlite3_exec(db->own, "VACUUM", NULL, NULL, NULL));
}

/*
 * All pages in one step, so that no writer makes it restart; with a write-ahead log
 * nobody waits for it.
 */
static enum status sqlite_backup(struct db *db, const char *to, char *why)
{
	sqlite3 *from, *copy = NULL;
	enum status status = connect_to(&from, db->settings, 0, why);
	sqlite3_backup *backup;
	char path[4096];

	snprintf(path, sizeof path, "%s/data.db", to);
	if (status == DONE)
		status = check(why, copy, sqlite3_open(path, &copy));
	if (status == DONE) {
		backup = sqlite3_backup_init(copy, "main", from, "main");
		if (backup)
			sqlite3_backup_step(backup, -1);
		status = check(why, copy,
			       backup ? sqlite3_backup_finish(backup)
				      : sqlite3_errcode(copy));
	}
	sqlite3_close(copy);
	sqlite3_close(from);
	return status;
}

/* Checkpoints the whole log, if there is one, and truncates it. */
static enum status sqlite_settle(struct db *db, char *why)
{
	int rc = sqlite3_wal_checkpoint_v2(db->own, NULL, SQLITE_CHECKPOINT_TRUNCATE,
					   NULL, NULL);

	if (!rc && db->settings->durability != DURABILITY_SYNC)
		rc = sync_file(db->own);
	return check(why, db->own, rc);
}

/*
 * Reports the results of these PRAGMAs for the database's own connection, which has the
 * same settings as the sessions'.
 */
static void report_pragmas(struct db *db, const char *const *names, struct report *report)
{
	char question[64], answer[32];

	for (; *names; names++) {
		snprintf(question, sizeof question, "PRAGMA %s", *names);
		if (!query_text(db->own, question, answer, sizeof answer))
			report_text(report, *names, answer);
	}
}

static void sqlite_describe(struct db *db, struct report *report)
{
	static const char *const names[] = {
		"journal_mode",  "synchronous",  "page_size",
		"cache_size",    "mmap_size",    "wal_autocheckpoint",
		"secure_delete", "locking_mode", NULL};
	sqlite3_int64 used = 0, most;

	report_pragmas(db, names, report);
	sqlite3_status64(SQLITE_STATUS_MEMORY_USED, &used, &most, 0);
	report_text(report, "memstatus", used > 0 ? "1" : "0");
}

static void sqlite_statistics(struct db *db, struct report *report)
{
	static const char *const names[] = {"page_size", "page_count", "freelist_count",
					    NULL};

	report_pragmas(db, names, report);
	REPORT_NUMBERS(report, {"page cache hits", db->counts[0]},
		       {"page cache misses", db->counts[1]},
		       {"pages written", db->counts[2]},
		       {"pages written before their commit", db->counts[3]});
}

const struct engine engine = {
	.name = "sqlite",
	.title = "SQLite",
	.version = sqlite3_libversion,
	.cache = "page caches, an equal part for each session",
	.effective_durability = {DURABILITY_NONE, DURABILITY_ASYNC, DURABILITY_SYNC},
	.provenance = {.symbol = "sqlite3_open_v2"},
	.options = options,
	.value_limit = 999999000,
	.one_writer = true,
	.transactions = true,
	.db_size = sizeof(struct db),
	.session_size = sizeof(struct session),
	.put = sqlite_put,
	.del = sqlite_del,
	.get = sqlite_get,
	.seek = sqlite_seek,
	.last = sqlite_last,
	.next = sqlite_next,
	.prev = sqlite_prev,
	.snapshot = sqlite_snapshot,
	.release = sqlite_release,
	.begin = sqlite_begin,
	.commit = sqlite_commit,
	.rollback = sqlite_rollback,
	.check_settings = sqlite_check_settings,
	.open = sqlite_open,
	.close = sqlite_close,
	.attach = sqlite_attach,
	.detach = sqlite_detach,
	.compact = sqlite_compact,
	.settle = sqlite_settle,
	.backup = sqlite_backup,
	.backup_by = "sqlite3_backup",
	.describe = sqlite_describe,
	.statistics = sqlite_statistics,
};
