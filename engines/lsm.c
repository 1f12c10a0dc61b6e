/*
 * lsm.c: the log-structured merge tree that was written for SQLite 4 (LSM1).
 *
 * A session is a connection with one cursor. An open cursor is a snapshot of the
 * database, so that of a single get is closed when the session's next call needs a newer
 * one, or at release. There is one writer at a time; another would be told that it is
 * busy, so writers wait for each other here. Merges are done by the session whose write
 * finds them due; nothing runs in the background.
 * Its status is a number, and that of a full device that of any error of input or output.
 */
#include <lsm.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"

struct db {
	lsm_db *lsm;
	const struct settings *settings;
	pthread_mutex_t writer;
};

/* What the cursor can do next, by the way it was placed. */
enum placed { NOWHERE, TO_GO_UP, TO_GO_DOWN };

struct session {
	struct db *db;
	char *why;
	lsm_db *lsm;
	lsm_cursor *cursor; /* open while a read holds on to it, or NULL */
	enum placed placed;
	bool open; /* a begin/commit bracket: this session is the writer */
	bool held; /* the cursor is a snapshot, until release */
	size_t room;
	char *key; /* for so many bytes */
};

/* LSM's status as ours; it has no words for it. */
static enum status check(char *why, int rc)
{
	if (rc == LSM_OK)
		return DONE;
	if (rc == LSM_FULL)
		return because(why, FULL, "LSM_FULL");
	if ((rc & 0xff) == LSM_IOERR)
		return because(why, FAILED,
			       "LSM_IOERR, which it also says of a write for which there "
			       "is no room");
	return because(why, FAILED, "%s, status %d of lsm.h",
		       rc == LSM_CORRUPT ? "LSM_CORRUPT" : "an error", rc);
}

static void close_cursor(struct session *s)
{
	if (s->cursor)
		lsm_csr_close(s->cursor);
	s->cursor = NULL;
	s->placed = NOWHERE;
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

/* As check, of a session. What is busy may be done again. */
static enum status answer(struct session *s, int rc)
{
	if (rc != LSM_BUSY)
		return check(s->why, rc);
	lsm1_rollback(s);
	lsm1_release(s);
	return CONFLICT;
}

/* See the latest commit, unless a snapshot is held. */
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
	return answer(s, rc);
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
	return answer(s, rc);
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
	return answer(s, rc);
}

/*
 * Put, or delete where there is no value. Without a transaction LSM makes one of its own.
 */
static enum status change(struct session *s, struct slice key, const struct slice *value)
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
	return answer(s, rc);
}

static enum status lsm1_put(struct session *s, struct slice key, struct slice value)
{
	return change(s, key, &value);
}

static enum status lsm1_del(struct session *s, struct slice key)
{
	return change(s, key, NULL);
}

/* What is under the cursor, if it is at a record. */
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
	return answer(s, rc);
}

static enum status lsm1_get(struct session *s, struct slice key, struct slice *value)
{
	int rc = begin_read(s);

	if (rc == LSM_OK)
		rc = lsm_csr_seek(s->cursor, key.data, (int)key.size, LSM_SEEK_EQ);
	s->placed = NOWHERE;
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
	return answer(s, rc);
}

static enum status lsm1_next(struct session *s, struct slice *key, struct slice *value)
{
	return current_record(s, lsm_csr_next(s->cursor), key, value);
}

/* A cursor goes down only if it was placed to do so: then once more where it is. */
static int turn(struct session *s)
{
	const void *key;
	int size, rc = lsm_csr_key(s->cursor, &key, &size);

	if (rc != LSM_OK)
		return rc;
	if ((size_t)size >= s->room) {
		free(s->key);
		s->room = (size_t)size + 1;
		s->key = malloc(s->room);
	}
	if (!s->key) {
		s->room = 0;
		return LSM_NOMEM;
	}
	memcpy(s->key, key, (size_t)size);
	s->placed = TO_GO_DOWN;
	return lsm_csr_seek(s->cursor, s->key, size, LSM_SEEK_LE);
}

static enum status lsm1_prev(struct session *s, struct slice *key, struct slice *value)
{
	int rc = s->placed == TO_GO_DOWN ? LSM_OK : turn(s);

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
	s->placed = TO_GO_UP;
	return current_record(s, rc, key, value);
}

static enum status lsm1_last(struct session *s, struct slice *key, struct slice *value)
{
	int rc = begin_read(s);

	s->placed = TO_GO_DOWN;
	return current_record(s, rc == LSM_OK ? lsm_csr_last(s->cursor) : rc, key, value);
}

static struct {
	bool mmap;
	uint64_t page_size, block_size, autocheckpoint, automerge;
} tuning;

static const struct option options[] = {
	{"mmap", "1",
	 "1: access the database file through a memory map; 0: by read and write calls.",
	 .flag = &tuning.mmap, .group = "LSM"},
	{"page_size", "4Ki", "Size of a page of a new database, bytes, a power of two.",
	 .size = &tuning.page_size, .least = 256, .most = 65536},
	{"block_size", "1Mi",
	 "Size of a block of a new database, the unit of space in its file, bytes, a "
	 "power of two.",
	 .size = &tuning.block_size, .least = 65536, .most = 67108864},
	{"autocheckpoint", "2Mi",
	 "Bytes written to the database file after which a checkpoint flushes it and "
	 "the log begins anew.",
	 .size = &tuning.autocheckpoint, .least = 1024, .most = 1 << 30},
	{"automerge", "4", "Fewest segments that one merge takes together.",
	 .count = &tuning.automerge, .least = 2, .most = 8},
	{0},
};

static bool is_power_of_two(uint64_t n)
{
	return !(n & (n - 1));
}

static const char *lsm1_tune(struct settings *s)
{
	if (!is_power_of_two(tuning.page_size) || !is_power_of_two(tuning.block_size))
		return "--page_size and --block_size must be powers of two";
	s->reads_mapped = s->writes_unseen = tuning.mmap;
	return NULL;
}

/* LSM1 has no version of its own: that of the package. */
static const char *lsm1_version(void)
{
	return ENGINE_VERSION;
}

/*
 * Durability. none: no log, no flush. async: a log that is written at each commit, and
 * flushed only with a checkpoint, so that the file survives a power cut. sync: the log is
 * flushed at each commit.
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
		{LSM_CONFIG_PAGE_SIZE, (int)tuning.page_size},
		{LSM_CONFIG_BLOCK_SIZE, (int)(tuning.block_size >> 10)},
		{LSM_CONFIG_AUTOCHECKPOINT, (int)(tuning.autocheckpoint >> 10)},
		{LSM_CONFIG_AUTOMERGE, (int)tuning.automerge},
		{LSM_CONFIG_MMAP, tuning.mmap},
		{LSM_CONFIG_MULTIPLE_PROCESSES, 0},
	};
	int rc = LSM_OK;

	for (size_t i = 0; rc == LSM_OK && i < sizeof all / sizeof *all; i++) {
		int value = all[i].value;

		rc = lsm_config(lsm, all[i].what, &value);
	}
	return rc;
}

static int connect_to(lsm_db **lsm, const struct settings *s)
{
	char path[4096];
	int rc = lsm_new(NULL, lsm);

	snprintf(path, sizeof path, "%s/data.lsm", s->path);
	if (rc == LSM_OK)
		rc = configure(*lsm, s);
	return rc == LSM_OK ? lsm_open(*lsm, path) : rc;
}

/*
 * The last connection that closes writes what is in memory to the file, and flushes it
 * unless the durability is none.
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
	return check(why, connect_to(&db->lsm, s));
}

static enum status lsm1_attach(struct session *s, struct db *db, char *why)
{
	s->db = db;
	s->why = why;
	return check(why, connect_to(&s->lsm, db->settings));
}

static void lsm1_detach(struct session *s)
{
	close_cursor(s);
	if (s->lsm)
		lsm_close(s->lsm);
	free(s->key);
}

static enum status lsm1_settle(struct db *db, char *why)
{
	int rc = lsm_flush(db->lsm);

	return check(why, rc == LSM_OK ? lsm_checkpoint(db->lsm, NULL) : rc);
}

/* All segments into one. */
static enum status lsm1_compact(struct db *db, char *why)
{
	int rc = lsm_flush(db->lsm);

	if (rc == LSM_OK)
		rc = lsm_work(db->lsm, 1, -1, NULL);
	return check(why, rc == LSM_OK ? lsm_checkpoint(db->lsm, NULL) : rc);
}

static void lsm1_describe(struct db *db, char *text, size_t size)
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
	size_t n = 0;

	for (size_t i = 0; i < sizeof all / sizeof *all && n < size; i++) {
		int value = -1;

		lsm_config(db->lsm, all[i].what, &value);
		n += (size_t)snprintf(text + n, size - n, "%s%s=%d", i ? " " : "",
				      all[i].name, value);
	}
}

static void lsm1_statistics(struct db *db, char *text, size_t size)
{
	char *structure = NULL;
	int old = 0, live = 0, kib = 0;

	lsm_info(db->lsm, LSM_INFO_DB_STRUCTURE, &structure);
	lsm_info(db->lsm, LSM_INFO_TREE_SIZE, &old, &live);
	lsm_info(db->lsm, LSM_INFO_CHECKPOINT_SIZE, &kib);
	snprintf(text, size,
		 "old tree %d KiB\nlive tree %d KiB\nwritten since the checkpoint %d "
		 "KiB\nsegments %s\n",
		 old, live, kib, structure ? structure : "");
	lsm_free(lsm_get_env(db->lsm), structure);
}

const struct engine engine = {
	.name = "lsm",
	.title = "LSM1",
	.version = lsm1_version,
	.write_buffer = "each of two trees in memory",
	.gives = {DURABILITY_NONE, DURABILITY_ASYNC, DURABILITY_SYNC},
	.symbol = "lsm_new",
	.options = options,
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
	.tune = lsm1_tune,
	.open = lsm1_open,
	.close = lsm1_close,
	.attach = lsm1_attach,
	.detach = lsm1_detach,
	.compact = lsm1_compact,
	.settle = lsm1_settle,
	.describe = lsm1_describe,
	.statistics = lsm1_statistics,
};
