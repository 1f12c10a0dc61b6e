/*
 * kyoto.c: Kyoto Cabinet's TreeDB, a B+tree whose pages are the records of a hash file.
 *
 * The sessions share one database object; each has a cursor and a buffer for the values it gets. Reads
 * have no view: they see what other threads have not yet committed, and a scan sees what is written while
 * it runs; backward beside removals, now and then a record twice. A transaction belongs to the database:
 * a write of another thread would join the one that is open, and be lost when that is abandoned. So the
 * driver keeps a lock that transactions hold alone and single writes share.
 * Traps: to force is to write out and drop the whole page cache, every time. A full device is a signal
 * (SIGBUS) where the file is mapped. After a crash open repairs the file, which takes its time.
 */
#include "engine.h"

#include <errno.h>
#include <kclangc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct db {
	KCDB *kc;
	pthread_rwlock_t transactions; /* held alone by a transaction, shared by writes without one */
	uint32_t mode;                 /* as opened */
	bool force;                    /* kcdbsync after each commit */
	size_t value_size;
};

struct session {
	struct db *db;
	char *why;
	KCCUR *cursor;
	bool back;        /* the scan in progress goes from last to first */
	bool transaction; /* begun and not committed */
	char *record;     /* of the scan: key and value in one piece, to be freed, or NULL */
	char value[];     /* of the last get */
};

static struct {
	uint64_t msiz, psiz;
	bool hard;
} tuning;

static const struct option options[] = {
	{"psiz", "4Ki", "Bytes in a page of a new database.", .size = &tuning.psiz, .least = 512,
	 .most = 16777216, .group = "Kyoto Cabinet"},
	{"msiz", "64Mi", "Bytes of the file that are mapped; calls read and write the rest.",
	 .size = &tuning.msiz, .most = (uint64_t)1 << 46},
	{"hard", "1",
	 "0: --durability=sync forces pages, but not the log of the transaction before them (no hard transaction): "
	 "two forces a commit instead of five, and a power cut in the middle can cost the database.",
	 .flag = &tuning.hard},
	{0},
};

/* Kyoto's answer as ours; its words, which are kept for each thread, go where the harness finds them. */
static enum status check(char *why, KCDB *kc, bool done)
{
	int error = errno, code = done ? KCESUCCESS : kcdbecode(kc);

	if (done)
		return DONE;
	if (code == KCENOREC)
		return NOT_FOUND;
	/* Of a system call that failed Kyoto keeps no errno, but nothing has come after it. */
	if (code == KCESYSTEM && error == ENOSPC)
		return because(why, FULL, "%s: %s: no space left on device", kcecodename(code), kcdbemsg(kc));
	return because(why, FAILED, "%s: %s", kcecodename(code), kcdbemsg(kc));
}

static const char *kyoto_version(void)
{
	return KCVERSION;
}

/*
 * Durability. none: pages stay in the cache until it is full. async: a transaction of its own for each
 * write, logged and written to the file when it ends. sync: Kyoto's own hard transactions, which force their
 * log before the pages; or the same as async and the file forced each time, by an msync and an fsync,
 * when nothing has a log of what a power cut leaves half done.
 */
static void set_durability(struct db *db, enum durability word)
{
	bool sync = word == DURABILITY_SYNC;

	db->mode |= word == DURABILITY_NONE ? 0u : KCOAUTOTRAN;
	db->mode |= sync && tuning.hard ? KCOAUTOSYNC : 0u;
	db->force = sync && !tuning.hard;
}

static enum status open_file(struct db *db, const struct settings *s, char *why)
{
	/* Hash buckets: two for each page. */
	uint64_t bnum = 2 * s->num * (s->key_size + s->value_size) / tuning.psiz;
	char path[4096];

	if (strchr(s->path, '#'))
		return because(why, FAILED, "'%s' has a '#', where Kyoto Cabinet's settings begin", s->path);
	snprintf(path, sizeof path, "%s/data.kct#psiz=%llu#msiz=%llu#bnum=%llu#pccap=%llu%s", s->path,
		 (unsigned long long)tuning.psiz, (unsigned long long)tuning.msiz,
		 (unsigned long long)(bnum > 65536 ? bnum : 65536), (unsigned long long)s->cache_bytes,
		 s->compression ? "#opts=c" : "");
	db->mode = KCOWRITER | (s->create ? KCOCREATE : 0u);
	set_durability(db, s->durability);
	return check(why, db->kc, kcdbopen(db->kc, path, db->mode));
}

static enum status kyoto_close(struct db *db, char *why)
{
	enum status status = check(why, db->kc, kcdbclose(db->kc));

	kcdbdel(db->kc);
	pthread_rwlock_destroy(&db->transactions);
	free(db);
	return status;
}

static struct db *kyoto_open(const struct settings *s, char *why)
{
	struct db *db = calloc(1, sizeof *db);
	pthread_rwlockattr_t attributes;
	char ignored[WHY_SIZE];

	if (!db) {
		because(why, FAILED, "out of memory");
		return NULL;
	}
	/* A transaction that waits goes first, or single writes could keep it waiting for ever. */
	pthread_rwlockattr_init(&attributes);
	pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	pthread_rwlock_init(&db->transactions, &attributes);
	pthread_rwlockattr_destroy(&attributes);
	db->value_size = s->value_size;
	db->kc = kcdbnew();
	if (open_file(db, s, why) == DONE)
		return db;
	kyoto_close(db, ignored);
	return NULL;
}

static void kyoto_release(struct session *s)
{
	if (s->record)
		kcfree(s->record);
	s->record = NULL;
}

static void kyoto_detach(struct session *s)
{
	if (s->transaction) {
		kcdbendtran(s->db->kc, 0);
		pthread_rwlock_unlock(&s->db->transactions);
	}
	kyoto_release(s);
	kccurdel(s->cursor);
	free(s);
}

static struct session *kyoto_attach(struct db *db, char *why)
{
	struct session *s = calloc(1, sizeof *s + db->value_size + 1);

	if (!s) {
		because(why, FAILED, "out of memory");
		return NULL;
	}
	s->db = db;
	s->why = why;
	s->cursor = kcdbcursor(db->kc);
	return s;
}

/* A commit that has come this far is forced where that was promised. */
static enum status force(struct session *s, enum status status)
{
	if (status == DONE && s->db->force)
		return check(s->why, s->db->kc, kcdbsync(s->db->kc, 1, NULL, NULL));
	return status;
}

static enum status kyoto_begin(struct session *s)
{
	enum status status;

	pthread_rwlock_wrlock(&s->db->transactions);
	status = check(s->why, s->db->kc, kcdbbegintran(s->db->kc, (s->db->mode & KCOAUTOSYNC) != 0));
	s->transaction = status == DONE;
	if (status != DONE)
		pthread_rwlock_unlock(&s->db->transactions);
	return status;
}

static enum status kyoto_commit(struct session *s)
{
	enum status status = force(s, check(s->why, s->db->kc, kcdbendtran(s->db->kc, 1)));

	s->transaction = false;
	pthread_rwlock_unlock(&s->db->transactions);
	return status;
}

/* Put, or remove where there is no value. */
static enum status change(struct session *s, struct slice key, const struct slice *value)
{
	KCDB *kc = s->db->kc;
	enum status status;

	if (!s->transaction)
		pthread_rwlock_rdlock(&s->db->transactions);
	status = check(s->why, kc, value ? kcdbset(kc, key.data, key.size, value->data, value->size)
					 : kcdbremove(kc, key.data, key.size));
	if (!s->transaction) {
		status = force(s, status);
		pthread_rwlock_unlock(&s->db->transactions);
	}
	return status;
}

static enum status kyoto_put(struct session *s, struct slice key, struct slice value)
{
	return change(s, key, &value);
}

static enum status kyoto_del(struct session *s, struct slice key)
{
	return change(s, key, NULL);
}

/* Kyoto copies what there is room for and answers how much there was. */
static enum status kyoto_get(struct session *s, struct slice key, struct slice *value)
{
	int32_t size = kcdbgetbuf(s->db->kc, key.data, key.size, s->value, s->db->value_size + 1);

	if (size > (int64_t)s->db->value_size)
		return because(s->why, FAILED, "a value of %d bytes, more than any should have", (int)size);
	*value = (struct slice){s->value, size > 0 ? (size_t)size : 0};
	return check(s->why, s->db->kc, size >= 0);
}

/* The record under the cursor, which then may go on to the one after it. */
static enum status current(struct session *s, bool step, struct slice *key, struct slice *value)
{
	const char *v;

	s->record = kccurget(s->cursor, &key->size, &v, &value->size, step);
	key->data = s->record;
	value->data = v;
	return check(s->why, s->db->kc, s->record);
}

/*
 * Forward, the cursor waits at the record to come, and one call does. Where another thread removes
 * that record, the cursor is at the one above: so backward it goes only when it must, and the record
 * just answered comes again only if the one below is removed between these two calls.
 */
static enum status kyoto_next(struct session *s, struct slice *key, struct slice *value)
{
	kyoto_release(s);
	if (s->back && !kccurstepback(s->cursor))
		return check(s->why, s->db->kc, false);
	return current(s, !s->back, key, value);
}

static enum status kyoto_seek(struct session *s, struct slice from, enum order order, struct slice *key,
			      struct slice *value)
{
	int32_t found;

	kyoto_release(s);
	s->back = order == REVERSE;
	if (from.data)
		found = s->back ? kccurjumpbackkey(s->cursor, from.data, from.size)
				: kccurjumpkey(s->cursor, from.data, from.size);
	else
		found = s->back ? kccurjumpback(s->cursor) : kccurjump(s->cursor);
	if (!found)
		return check(s->why, s->db->kc, false);
	return current(s, !s->back, key, value);
}

/* Every page out of the cache into the file, and the file forced where commits are. */
static enum status kyoto_settle(struct db *db, char *why)
{
	return check(why, db->kc, kcdbsync(db->kc, db->force || (db->mode & KCOAUTOSYNC), NULL, NULL));
}

/* As Kyoto answers, a line each; what the file was opened with it does not tell. */
static void kyoto_describe(struct db *db, char *text, size_t size)
{
	static const char *const lines[] = {"\npsiz", "\npccap", "\nmsiz", "\nbnum", "\nopts", NULL};
	char *answer = kcdbstatus(db->kc);
	size_t n = (size_t)snprintf(text, size, "autotran=%d autosync=%d sync=%d", !!(db->mode & KCOAUTOTRAN),
				    !!(db->mode & KCOAUTOSYNC), db->force);

	for (const char *const *line = lines; answer && *line && n < size; line++) {
		const char *at = strstr(answer, *line);
		char name[16] = "", value[32] = "";

		if (at && sscanf(at, "%15s %31s", name, value) == 2)
			n += (size_t)snprintf(text + n, size - n, " %s=%s", name, value);
	}
	if (answer)
		kcfree(answer);
}

static void kyoto_statistics(struct db *db, char *text, size_t size)
{
	char *answer = kcdbstatus(db->kc);

	snprintf(text, size, "%s", answer ? answer : "");
	if (answer)
		kcfree(answer);
}

/* The first msiz bytes of the file are a map, for reading and writing. */
static const char *kyoto_tune(struct settings *s)
{
	s->reads_mapped = s->writes_unseen = tuning.msiz > 0;
	return NULL;
}

const struct engine engine = {
	.tune = kyoto_tune,
	.name = "kyoto",
	.title = "Kyoto Cabinet",
	.version = kyoto_version,
	.cache = "page cache (pccap), beside a map of the file (msiz)",
	.compressions = 1u << COMPRESSION_ZLIB,
	.gives = {DURABILITY_NONE, DURABILITY_ASYNC, DURABILITY_SYNC},
	.symbol = "kcdbnew",
	.options = options,
	.value_limit = INT32_MAX / 2,
	.transactions = true,
	.open = kyoto_open,
	.close = kyoto_close,
	.attach = kyoto_attach,
	.detach = kyoto_detach,
	.release = kyoto_release,
	.begin = kyoto_begin,
	.commit = kyoto_commit,
	.put = kyoto_put,
	.get = kyoto_get,
	.del = kyoto_del,
	.seek = kyoto_seek,
	.next = kyoto_next,
	.settle = kyoto_settle,
	.describe = kyoto_describe,
	.statistics = kyoto_statistics,
};
