/*
 * sqlite.c: SQLite, a B-tree in one file behind SQL.
 *
 * The table is WITHOUT ROWID, so a record lies in the tree of its key. A session is a
 * connection of its own with its statements prepared once. A value read is a pointer into
 * the statement that found it; that statement stays open, and with it its read
 * transaction, until the session's next call or release. Batches are BEGIN IMMEDIATE: one
 * writer at a time, the others wait by sleeping.
 * Traps: each connection has its own page cache, a share of the budget, and drops all of
 * it when another connection has committed. Automatic checkpoints run inside a commit.
 * The pages carry no checksums. Without a journal (none) an error in the middle of a
 * change can ruin the file.
 */
#include <errno.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <string.h>

#include "engine.h"

/* how long a call waits for another session before it gives way */
enum { BUSY_MS = 10000 };

enum query {
	SQL_GET, SQL_FROM, SQL_BELOW, SQL_BACK, SQL_PUT, SQL_DEL,
	SQL_BEGIN, SQL_SNAPSHOT, SQL_COMMIT, SQL_ROLLBACK, STATEMENTS
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

/* What is counted of each session's page cache, and added up when the session ends. */
enum { COUNTERS = 4 };
static const int counters[COUNTERS] = {
	SQLITE_DBSTATUS_CACHE_HIT, SQLITE_DBSTATUS_CACHE_MISS,
	SQLITE_DBSTATUS_CACHE_WRITE, SQLITE_DBSTATUS_CACHE_SPILL};

struct db {
	sqlite3 *own; /* for what no session does: settle, describe, statistics */
	const struct settings *settings;
	_Atomic uint64_t counts[COUNTERS];
};

struct session {
	struct db *db;
	char *why;
	sqlite3 *connection;
	sqlite3_stmt *statements[STATEMENTS];
	sqlite3_stmt *current; /* holds what the last call returned, or NULL */
	bool held;             /* a transaction for reads is open: a snapshot */
};

/* SQLite's status as ours; its words go where the harness finds them. */
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
	return because(why, status, "%s (%d)", sqlite3_errmsg(connection),
		       sqlite3_extended_errcode(connection));
}

/* What the last read returned. */
static void drop_result(struct session *s)
{
	if (s->current)
		sqlite3_reset(s->current); /* answers once more what step did */
	s->current = NULL;
}

/* Whatever is open, a transaction or a snapshot. */
static void sqlite_rollback(struct session *s)
{
	drop_result(s);
	s->held = false;
	if (sqlite3_get_autocommit(s->connection))
		return;
	sqlite3_step(s->statements[SQL_ROLLBACK]);
	sqlite3_reset(s->statements[SQL_ROLLBACK]);
}

/*
 * Nothing is left open by a call that failed; without a journal this undoes only what was
 * not written.
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

/* Run to its end a statement that answers no rows. */
static enum status sqlite_finish(struct session *s, enum query which)
{
	int rc;

	drop_result(s);
	s->current = s->statements[which];
	rc = sqlite3_step(s->current);
	if (rc != SQLITE_DONE)
		return sqlite_fail(s, rc);
	drop_result(s);
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

/* Go on with the current statement to its next row. */
static enum status row(struct session *s, struct slice *key, struct slice *value)
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
	drop_result(s);
	return NOT_FOUND;
}

static enum status sqlite_get(struct session *s, struct slice key, struct slice *value)
{
	int rc;

	drop_result(s);
	if ((rc = bind_slice(s->statements[SQL_GET], 1, key)))
		return sqlite_fail(s, rc);
	s->current = s->statements[SQL_GET];
	return row(s, NULL, value);
}

static enum status sqlite_next(struct session *s, struct slice *key, struct slice *value)
{
	return s->current ? row(s, key, value) : NOT_FOUND;
}

/*
 * A statement goes one way: below the record that a seek found, another one takes over.
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
	drop_result(s);
	s->current = below;
	return rc ? sqlite_fail(s, rc) : row(s, key, value);
}

/*
 * No key is below the empty one, so a scan from the first needs no statement of its own.
 */
static enum status sqlite_seek(struct session *s, struct slice from, struct slice *key,
			       struct slice *value)
{
	int rc;

	drop_result(s);
	if ((rc = bind_slice(s->statements[SQL_FROM], 1, from)))
		return sqlite_fail(s, rc);
	s->current = s->statements[SQL_FROM];
	return row(s, key, value);
}

static enum status sqlite_last(struct session *s, struct slice *key, struct slice *value)
{
	drop_result(s);
	s->current = s->statements[SQL_BACK];
	return row(s, key, value);
}

static void sqlite_release(struct session *s)
{
	drop_result(s);
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

enum journal { AUTO, WAL, DELETE, TRUNCATE, PERSIST, MEMORY, OFF };

static const char *const journals[] = {"auto", "wal", "delete", "truncate",
				       "persist", "memory", "off", NULL};

static struct {
	int journal;
	uint64_t page_size, wal_autocheckpoint, mmap_size;
} tuning;

static const struct option options[] = {
	{"journal", "auto",
	 "Journal mode (PRAGMA journal_mode): wal, delete, truncate, persist, memory or "
	 "off; auto: wal, or off with --durability=none. memory and off need "
	 "--durability=none.",
	 .choice = &tuning.journal, .choices = journals, .group = "SQLite"},
	{"page_size", "4Ki", "Size of a page of a new database, bytes, a power of two.",
	 .size = &tuning.page_size, .least = 512, .most = 65536},
	{"wal_autocheckpoint", "1000",
	 "Pages in the write-ahead log at which a commit makes a checkpoint; 0: "
	 "checkpoints only when the database settles or closes.",
	 .count = &tuning.wal_autocheckpoint, .most = 1000000000},
	{"mmap_size", "0",
	 "Bytes of the database file that are read through a memory map, of which "
	 "SQLite takes at most 2 GB; 0: none.",
	 .size = &tuning.mmap_size, .most = (uint64_t)1 << 40},
	{0},
};

static const char *sqlite_tune(struct settings *s)
{
	s->reads_mapped = tuning.mmap_size > 0;
	if (tuning.page_size & (tuning.page_size - 1))
		return "--page_size: SQLite takes powers of two from 512 to 65536";
	if (s->durability != DURABILITY_NONE &&
	    (tuning.journal == MEMORY || tuning.journal == OFF))
		return "--journal=memory and --journal=off cannot keep "
		       "--durability=async or sync: a process killed in a commit leaves "
		       "a broken file; give --durability=none";
	return NULL;
}

/*
 * Durability. The writes of a commit are the same for async and sync, in any journal mode
 * that survives the process; flushed they are only with synchronous=FULL. In WAL mode
 * that is the log once a commit, and log, file and log again at a checkpoint. The
 * unlinked journal of the mode delete comes back after a power cut unless its directory
 * is flushed too, which is EXTRA.
 */
static enum journal journal_of(enum durability durability)
{
	return tuning.journal                  ? (enum journal)tuning.journal
	       : durability == DURABILITY_NONE ? OFF
					       : WAL;
}

static const char *synchronous_of(enum durability durability)
{
	if (durability != DURABILITY_SYNC)
		return "OFF";
	return journal_of(durability) == DELETE ? "EXTRA" : "FULL";
}

/* The one value that `question` has for an answer, as text. */
static int ask(sqlite3 *connection, const char *question, char *answer, size_t size)
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

/* journal_mode comes last: entering it at a stronger synchronous would flush the file. */
static enum status configure(const struct settings *s, sqlite3 *c, char *why)
{
	const char *journal = journals[journal_of(s->durability)];
	unsigned long long cache_kib = s->cache_bytes / (s->sessions ? s->sessions : 1) /
				       1024;
	char text[512], mode[16];
	int rc;

	snprintf(text, sizeof text,
		 "PRAGMA page_size=%llu; PRAGMA cache_size=-%llu; PRAGMA mmap_size=%llu; "
		 "PRAGMA wal_autocheckpoint=%llu; PRAGMA secure_delete=OFF; PRAGMA "
		 "locking_mode=NORMAL; PRAGMA synchronous=%s",
		 (unsigned long long)tuning.page_size, cache_kib ? cache_kib : 1,
		 (unsigned long long)tuning.mmap_size,
		 (unsigned long long)tuning.wal_autocheckpoint,
		 synchronous_of(s->durability));
	if ((rc = sqlite3_busy_timeout(c, BUSY_MS)) ||
	    (rc = sqlite3_exec(c, text, NULL, NULL, NULL)))
		return check(why, c, rc);
	snprintf(text, sizeof text, "PRAGMA journal_mode=%s", journal);
	if ((rc = ask(c, text, mode, sizeof mode)))
		return check(why, c, rc);
	if (strcmp(mode, journal))
		return because(why, FAILED, "the journal mode is %s and will not be %s",
			       mode, journal);
	return DONE;
}

/* A connection with everything set, or NULL. */
static sqlite3 *connect_to(const struct settings *s, int flags, char *why)
{
	sqlite3 *c = NULL;
	char path[4096];
	int rc;

	snprintf(path, sizeof path, "%s/data.db", s->path);
	rc = sqlite3_open_v2(path, &c,
			     SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | flags, NULL);
	if (check(why, c, rc) == DONE && configure(s, c, why) == DONE)
		return c;
	sqlite3_close(c);
	return NULL;
}

static enum status sqlite_open(struct db *db, const struct settings *s, char *why)
{
	static const char table[] =
		"CREATE TABLE t(k BLOB PRIMARY KEY, v BLOB) WITHOUT ROWID";

	/*
	 * To count its memory SQLite takes a lock at every allocation. Refused once
	 * SQLite is in use.
	 */
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	db->settings = s;
	db->own = connect_to(s, s->create ? SQLITE_OPEN_CREATE : 0, why);
	if (!db->own)
		return FAILED;
	return s->create ? check(why, db->own,
				 sqlite3_exec(db->own, table, NULL, NULL, NULL))
			 : DONE;
}

static enum status sqlite_close(struct db *db, char *why)
{
	return check(why, db->own, sqlite3_close(db->own));
}

static enum status sqlite_attach(struct session *s, struct db *db, char *why)
{
	int rc = SQLITE_OK;

	s->db = db;
	s->why = why;
	s->connection = connect_to(db->settings, 0, why);
	if (!s->connection)
		return FAILED;
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
	for (int i = 0; s->connection && i < COUNTERS; i++)
		if (!sqlite3_db_status(s->connection, counters[i], &now, &most, 0))
			atomic_fetch_add(&s->db->counts[i], (unsigned)now);
	sqlite3_close(s->connection);
}

static enum status sqlite_compact(struct db *db, char *why)
{
	return check(why, db->own, sqlite3_exec(db->own, "VACUUM", NULL, NULL, NULL));
}

/* All pages in one step, so that a writer cannot have it begin again; with a log nobody
 * waits for it. */
static enum status sqlite_backup(struct db *db, const char *to, char *why)
{
	sqlite3 *from = connect_to(db->settings, 0, why), *copy = NULL;
	enum status status = FAILED;
	sqlite3_backup *backup;
	char path[4096];

	snprintf(path, sizeof path, "%s/data.db", to);
	if (from && (status = check(why, copy, sqlite3_open(path, &copy))) == DONE) {
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

/* All of the log into the file, and the log cut to nothing; without a log, nothing. */
static enum status sqlite_settle(struct db *db, char *why)
{
	int rc = sqlite3_wal_checkpoint_v2(db->own, NULL, SQLITE_CHECKPOINT_TRUNCATE,
					   NULL, NULL);

	return check(why, db->own, rc);
}

/*
 * What these PRAGMAs answer in the database's own connection, set as those of the
 * sessions are.
 */
static void pragmas(struct db *db, const char *const *names, const char *between,
		    char *text, size_t size)
{
	char question[64], answer[32];

	*text = '\0';
	for (size_t n = 0; *names && n < size; names++) {
		snprintf(question, sizeof question, "PRAGMA %s", *names);
		if (!ask(db->own, question, answer, sizeof answer))
			n += (size_t)snprintf(text + n, size - n, "%s%s=%s",
					      n ? between : "", *names, answer);
	}
}

static void sqlite_describe(struct db *db, char *text, size_t size)
{
	static const char *const names[] = {
		"journal_mode",  "synchronous",  "page_size",
		"cache_size",    "mmap_size",    "wal_autocheckpoint",
		"secure_delete", "locking_mode", NULL};

	pragmas(db, names, " ", text, size);
}

static void sqlite_statistics(struct db *db, char *text, size_t size)
{
	static const char *const names[] = {"page_size", "page_count", "freelist_count",
					    NULL};
	size_t n;

	pragmas(db, names, "\n", text, size);
	n = strlen(text);
	snprintf(text + n, size - n,
		 "\npage cache hits %llu\npage cache misses %llu\npages written %llu\n"
		 "pages written before their commit %llu\n",
		 (unsigned long long)db->counts[0], (unsigned long long)db->counts[1],
		 (unsigned long long)db->counts[2], (unsigned long long)db->counts[3]);
}

const struct engine engine = {
	.name = "sqlite",
	.title = "SQLite",
	.version = sqlite3_libversion,
	.cache = "page caches, an even share for each session",
	.gives = {DURABILITY_NONE, DURABILITY_ASYNC, DURABILITY_SYNC},
	.symbol = "sqlite3_open_v2",
	.options = options,
	.value_limit = 999999000,
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
	.tune = sqlite_tune,
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
