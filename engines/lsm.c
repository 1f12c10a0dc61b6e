/*
 * lsm.c: the log-structured merge tree written for SQLite 4 (LSM1).
 *
 * A session is a connection with one cursor. An open cursor is a snapshot of the
 * database. The cursor of a single get is closed at release, or when the session's next
 * call needs a newer one. LSM1 has one writer at a time and rejects a second one as busy,
 * so writers wait for each other in the driver. Merges run in the session whose write
 * triggers them; there are no background threads. Errors are numbers, and a full device
 * is reported as a general I/O error.
 */
#include <lsm.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "driver_common.h"

struct db {
	lsm_db *lsm;
	const struct settings *settings;
	char file[4096];
	pthread_mutex_t writer;
};

/* Directions in which the cursor can move, by the way it was positioned. */
enum cursor_direction { CURSOR_UNPOSITIONED, CURSOR_FORWARD, CURSOR_BACKWARD };

struct session {
	struct db *db;
	char *why;
	lsm_db *lsm;
	lsm_cursor *cursor; /* open while a read needs it, or NULL */
	enum cursor_direction direction;
	bool open; /* inside begin/commit: this session is the writer */
	bool held; /* the cursor is a snapshot, until release */
	struct buffer key;
};

/* Converts LSM1's result to a status; it has no messages. */
static enum status check(char *why, int rc)
{
	if (rc == LSM_OK)
		return DONE;
	if (rc == LSM_FULL)
		return set_error(why, FULL, "LSM_FULL");
	if ((rc & 0xff) == LSM_IOERR)
		return set_error(
			why, FAILED,
			"LSM_IOERR, which LSM1 also returns when there is no disk "
			"space");
	return set_error(why, FAILED, "%s, status %d of lsm.h",
			 rc == LSM_CORRUPT ? "LSM_CORRUPT" : "an error", rc);
}

static void close_cursor(struct session *s)
{
	if (s->cursor)
		lsm_csr_close(s->cursor);
	s->cursor = NULL;
	s->direction = CURSOR_UNPOSITIONED;
}

static void lsm1_release(struct session *s)
{
	close_cursor(s);
	s->held = false;
}

static void lsm1_rollback(struct session *s)
{
	close_cursor(s);
	if (!s->open)
		return;
	lsm_rollback(s->lsm, 0);
	s->open = false;
	pthread_mutex_unlock(&s->db->writer);
}

/* Like check, for a session: a busy database is a conflict. */
static enum status session_status(struct session *s, int rc)
{
	if (rc != LSM_BUSY)
		return check(s->why, rc);
	lsm1_rollback(s);
	lsm1_release(s);
	return CONFLICT;
}

/* Sees the latest commit, unless a snapshot is held. */
static int begin_read(struct session *s)
{
	if (s->held)
		return LSM_OK;
	close_cursor(s);
	return lsm_csr_open(s->lsm, &s->cursor);
}

static enum status lsm1_snapshot(struct session *s)
{
	int rc;

	lsm1_release(s);
	rc = begin_read(s);
	s->held = rc == LSM_OK;
	return session_status(s, rc);
}

static enum status lsm1_begin(struct session *s)
{
	int rc;

	close_cursor(s);
	pthread_mutex_lock(&s->db->writer);
	rc = lsm_begin(s->lsm, 1);
	s->open = rc == LSM_OK;
	if (rc != LSM_OK)
		pthread_mutex_unlock(&s->db->writer);
	return session_status(s, rc);
}

static enum status lsm1_commit(struct session *s)
{
	int rc;

	close_cursor(s);
	rc = lsm_commit(s->lsm, 0);
	if (rc != LSM_OK)
		lsm_rollback(s->lsm, 0);
	s->open = false;
	pthread_mutex_unlock(&s->db->writer);
	return session_status(s, rc);
}

/*
 * Writes the record, or deletes it if there is no value. Without an open transaction LSM1
 * makes its own.
 */
static enum status write_record(struct session *s, struct slice key,
				const struct slice *value)
{
	int rc;

	close_cursor(s);
	if (!s->open)
		pthread_mutex_lock(&s->db->writer);
	rc = value ? lsm_insert(s->lsm, key.data, (int)key.size, value->data,
				(int)value->size)
		   : lsm_delete(s->lsm, key.data, (int)key.size);
	if (!s->open)
		pthread_mutex_unlock(&s->db->writer);
	return session_status(s, rc);
}

static enum status lsm1_put(struct session *s, struct slice key, struct slice value)
{
	return write_record(s, key, &value);
}

static enum status lsm1_del(struct session *s, struct slice key)
{
	return write_record(s, key, NULL);
}

/* Returns the value under the cursor, if it is at a record. */
static enum status current_value(struct session *s, int rc, struct slice *value)
{
	int size = 0;

	if (rc == LSM_OK && !lsm_csr_valid(s->cursor))
		return NOT_FOUND;
	if (rc == LSM_OK)
		rc = lsm_csr_value(s->cursor, &value->data, &size);
	value->size = (size_t)size;
	if (!size)
		value->data = "";
	return session_status(s, rc);
}

static enum status lsm1_get(struct session *s, struct slice key, struct slice *value)
{
	int rc = begin_read(s);

	if (rc == LSM_OK)
		rc = lsm_csr_seek(s->cursor, key.data, (int)key.size, LSM_SEEK_EQ);
	s->direction = CURSOR_UNPOSITIONED;
	return current_value(s, rc, value);
}

static enum status current_record(struct session *s, int rc, struct slice *key,
				  struct slice *value)
{
	enum status status = current_value(s, rc, value);
	int size = 0;

	if (status != DONE)
		return status;
	rc = lsm_csr_key(s->cursor, &key->data, &size);
	key->size = (size_t)size;
	return session_status(s, rc);
}

static enum status lsm1_next(struct session *s, struct slice *key, struct slice *value)
{
	return current_record(s, lsm_csr_next(s->cursor), key, value);
}

/*
 * A cursor moves down only if it was positioned to do so: repositions it at its current
 * key.
 */
static int reverse_cursor(struct session *s)
{
	const void *key;
	int size, rc = lsm_csr_key(s->cursor, &key, &size);

	if (rc != LSM_OK)
		return rc;
	if (!buffer_copy(&s->key, key, (size_t)size))
		return LSM_NOMEM;
	s->direction = CURSOR_BACKWARD;
	return lsm_csr_seek(s->cursor, s->key.data, size, LSM_SEEK_LE);
}

static enum status lsm1_prev(struct session *s, struct slice *key, struct slice *value)
{
	int rc = s->direction == CURSOR_BACKWARD ? LSM_OK : reverse_cursor(s);

	return current_record(s, rc == LSM_OK ? lsm_csr_prev(s->cursor) : rc, key, value);
}

static enum status lsm1_seek(struct session *s, struct slice from, struct slice *key,
			     struct slice *value)
{
	int rc = begin_read(s);

	if (rc == LSM_OK)
		rc = from.data ? lsm_csr_seek(s->cursor, from.data, (int)from.size,
					      LSM_SEEK_GE)
			       : lsm_csr_first(s->cursor);
	s->direction = CURSOR_FORWARD;
	return current_record(s, rc, key, value);
}

static enum status lsm1_last(struct session *s, struct slice *key, struct slice *value)
{
	int rc = begin_read(s);

	s->direction = CURSOR_BACKWARD;
	return current_record(s, rc == LSM_OK ? lsm_csr_last(s->cursor) : rc, key, value);
}

static struct {
	bool mmap;
	uint64_t page_size, block_size, autocheckpoint, automerge;
} option_values;

static const struct option options[] = {
	{"mmap", "1",
	 "1: access the database file through a memory map; 0: by read and write "
	 "system calls.",
	 .flag = &option_values.mmap, .group = "LSM"},
	{"page_size", "4Ki",
	 "Size of a page of a new database, bytes, a power of two. An existing "
	 "database keeps its own.",
	 .size = &option_values.page_size, .min = 256, .max = 65536},
	{"block_size", "1Mi",
	 "Size of the steps in which the file of a new database grows, bytes, a power "
	 "of two.",
	 .size = &option_values.block_size, .min = 65536, .max = 67108864},
	{"autocheckpoint", "2Mi",
	 "Bytes written to the database file between checkpoints, each of which syncs "
	 "it and restarts the log.",
	 .size = &option_values.autocheckpoint, .min = 1024, .max = 1 << 30},
	{"automerge", "4",
	 "Smallest number of sorted parts (segments) of the LSM tree that one merge "
	 "combines.",
	 .count = &option_values.automerge, .min = 2, .max = 8},
	{0},
};

static bool is_power_of_two(uint64_t n)
{
	return !(n & (n - 1));
}

static struct traits lsm1_check_settings(const struct settings *s)
{
	(void)s;
	if (!is_power_of_two(option_values.page_size) ||
	    !is_power_of_two(option_values.block_size))
		return invalid_settings(
			"--page_size and --block_size must be powers of two");
	return (struct traits){.reads_mapped = option_values.mmap,
			       .uncounted_writes = option_values.mmap};
}

/* LSM1 has no version of its own: the package's is returned. */
static const char *lsm1_version(void)
{
	return ENGINE_VERSION;
}

/*
 * Durability. none: no log, no sync. async: the log is written at each commit, and synced
 * only with a checkpoint, so that the file survives a power cut. sync: the log is synced
 * at each commit.
 */
static int configure(lsm_db *lsm, const struct settings *s)
{
	static const int safety[] = {LSM_SAFETY_OFF, LSM_SAFETY_NORMAL, LSM_SAFETY_FULL};
	enum { MOST_KIB = 1 << 20 };
	const uint64_t kib = s->write_buffer_bytes >> 10;
	const struct {
		int what, value;
	} all[] = {
		{LSM_CONFIG_SAFETY, safety[s->durability]},
		{LSM_CONFIG_USE_LOG, s->durability != DURABILITY_NONE},
		{LSM_CONFIG_AUTOFLUSH, kib < MOST_KIB ? (int)kib : MOST_KIB},
		{LSM_CONFIG_PAGE_SIZE, (int)option_values.page_size},
		{LSM_CONFIG_BLOCK_SIZE, (int)(option_values.block_size >> 10)},
		{LSM_CONFIG_AUTOCHECKPOINT, (int)(option_values.autocheckpoint >> 10)},
		{LSM_CONFIG_AUTOMERGE, (int)option_values.automerge},
		{LSM_CONFIG_MMAP, option_values.mmap},
		{LSM_CONFIG_MULTIPLE_PROCESSES, 0},
	};
	int rc = LSM_OK;

	for (size_t i = 0; rc == LSM_OK && i < sizeof all / sizeof *all; i++) {
		int value = all[i].value;

		rc = lsm_config(lsm, all[i].what, &value);
	}
	return rc;
}

static int connect_to(lsm_db **lsm, const struct settings *s, const char *path)
{
	int rc = lsm_new(NULL, lsm);

	if (rc == LSM_OK)
		rc = configure(*lsm, s);
	return rc == LSM_OK ? lsm_open(*lsm, path) : rc;
}

/*
 * Closing the last connection writes data in memory to the file, and syncs it unless the
 * durability is none.
 */
static enum status lsm1_close(struct db *db, char *why)
{
	enum status status = db->lsm ? check(why, lsm_close(db->lsm)) : DONE;

	pthread_mutex_destroy(&db->writer);
	return status;
}

static enum status lsm1_open(struct db *db, const struct settings *s, char *why)
{
	pthread_mutex_init(&db->writer, NULL);
	db->settings = s;
	snprintf(db->file, sizeof db->file, "%s/data.lsm", s->path);
	/* Nothing is synced at none, and by a commit at sync only the log. */
	if (s->durability == DURABILITY_SYNC && !s->create &&
	    sync_earlier(db->file, why) != DONE)
		return FAILED;
	return check(why, connect_to(&db->lsm, s, db->file));
}

static enum status lsm1_attach(struct session *s, struct db *db, char *why)
{
	s->db = db;
	s->why = why;
	return check(why, connect_to(&s->lsm, db->settings, db->file));
}

static void lsm1_detach(struct session *s)
{
	close_cursor(s);
	if (s->lsm)
		lsm_close(s->lsm);
	free(s->key.data);
}

static enum status lsm1_settle(struct db *db, char *why)
{
	int rc = lsm_flush(db->lsm);

	return check(why, rc == LSM_OK ? lsm_checkpoint(db->lsm, NULL) : rc);
}

/* Merges all segments into one. */
static enum status lsm1_compact(struct db *db, char *why)
{
	int rc = lsm_flush(db->lsm);

	if (rc == LSM_OK)
		rc = lsm_work(db->lsm, 1, -1, NULL);
	return check(why, rc == LSM_OK ? lsm_checkpoint(db->lsm, NULL) : rc);
}

static void lsm1_describe(struct db *db, struct report *report)
{
	static const struct {
		const char *name;
		int what;
	} all[] = {
		{"safety", LSM_CONFIG_SAFETY},
		{"use_log", LSM_CONFIG_USE_LOG},
		{"autoflush_kib", LSM_CONFIG_AUTOFLUSH},
		{"page_size", LSM_CONFIG_PAGE_SIZE},
		{"block_size_kib", LSM_CONFIG_BLOCK_SIZE},
		{"autocheckpoint_kib", LSM_CONFIG_AUTOCHECKPOINT},
		{"automerge", LSM_CONFIG_AUTOMERGE},
		{"autowork", LSM_CONFIG_AUTOWORK},
		{"mmap", LSM_CONFIG_MMAP},
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		int value = -1;

		lsm_config(db->lsm, all[i].what, &value);
		REPORT_NUMBERS(report, {all[i].name, (unsigned)value});
	}
}

static void lsm1_statistics(struct db *db, struct report *report)
{
	char *structure = NULL;
	int old = 0, live = 0, kib = 0;

	lsm_info(db->lsm, LSM_INFO_DB_STRUCTURE, &structure);
	lsm_info(db->lsm, LSM_INFO_TREE_SIZE, &old, &live);
	lsm_info(db->lsm, LSM_INFO_CHECKPOINT_SIZE, &kib);
	REPORT_NUMBERS(report, {"KiB of the old tree", (unsigned)old},
		       {"KiB of the live tree", (unsigned)live},
		       {"KiB since the checkpoint", (unsigned)kib});
	report_text(report, "segments", structure ? structure : "");
	lsm_free(lsm_get_env(db->lsm), structure);
}

const struct engine engine = {
	.name = "lsm",
	.title = "LSM1",
	.version = lsm1_version,
	.write_buffer = "each of two trees in memory",
	.effective_durability = {DURABILITY_NONE, DURABILITY_ASYNC, DURABILITY_SYNC},
	.provenance = {.symbol = "lsm_new"},
	.options = options,
	.exclusive = true,
	.one_writer = true,
	.blind_deletes = true,
	.transactions = true,
	.value_limit = INT32_MAX / 2,
	.db_size = sizeof(struct db),
	.session_size = sizeof(struct session),
	.put = lsm1_put,
	.del = lsm1_del,
	.get = lsm1_get,
	.seek = lsm1_seek,
	.last = lsm1_last,
	.next = lsm1_next,
	.prev = lsm1_prev,
	.snapshot = lsm1_snapshot,
	.release = lsm1_release,
	.begin = lsm1_begin,
	.commit = lsm1_commit,
	.rollback = lsm1_rollback,
	.check_settings = lsm1_check_settings,
	.open = lsm1_open,
	.close = lsm1_close,
	.attach = lsm1_attach,
	.detach = lsm1_detach,
	.compact = lsm1_compact,
	.settle = lsm1_settle,
	.describe = lsm1_describe,
	.statistics = lsm1_statistics,
};
