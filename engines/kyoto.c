/*
 * kyoto.c: Kyoto Cabinet's TreeDB, a B+tree whose pages are the records of a hash file.
 *
 * The sessions share one database object; each has a cursor and a buffer for values.
 * There are no snapshots: reads see uncommitted writes of other threads, and a scan sees
 * writes made while it runs.
 *
 * A transaction belongs to the database: a concurrent write of another thread would join
 * it, and be lost when it is rolled back. Therefore the driver has a lock: transactions
 * hold it exclusively, single writes share it. Traps: each sync writes and drops the
 * whole page cache. A full device is a signal (SIGBUS) where the file is mapped. After a
 * crash, open repairs the file, which takes time.
 */
#include <errno.h>
#include <kclangc.h>
#include <pthread.h>
#include <string.h>

#include "driver_common.h"

struct db {
	KCDB *kc;
	/* exclusive for a transaction, shared for writes outside one */
	pthread_rwlock_t transactions;
	uint32_t mode;      /* mode of kcdbopen */
	bool syncs_commits; /* kcdbsync after each commit */
	size_t value_size;
};

struct session {
	struct db *db;
	char *why;
	KCCUR *cursor;
	bool ahead;       /* the cursor is past the record last returned */
	bool transaction; /* begun and not committed */
	/* of the scan: key and value in one block, to be freed, or NULL */
	char *record;
	size_t key_size; /* of that key */
	char value[];    /* of the last get */
};

/*
 * Converts Kyoto's result to a status; its message, which it keeps per thread, goes to
 * `why`.
 */
static enum status check(char *why, KCDB *kc, bool done)
{
	int error = errno, code = done ? KCESUCCESS : kcdbecode(kc);

	if (done)
		return DONE;
	if (code == KCENOREC)
		return NOT_FOUND;
	/*
	 * Kyoto saves no errno for a failed system call, but no other call has followed
	 * it.
	 */
	if (code == KCESYSTEM && error == ENOSPC)
		return set_error(why, FULL, "%s: %s: no space left on device",
				 kcecodename(code), kcdbemsg(kc));
	return set_error(why, FAILED, "%s: %s", kcecodename(code), kcdbemsg(kc));
}

/* Syncs the commit, at sync without hard transactions. */
static enum status sync_commit(struct session *s, enum status status)
{
	if (status == DONE && s->db->syncs_commits)
		return check(s->why, s->db->kc, kcdbsync(s->db->kc, 1, NULL, NULL));
	return status;
}

static enum status kyoto_begin(struct session *s)
{
	enum status status;

	pthread_rwlock_wrlock(&s->db->transactions);
	status = check(s->why, s->db->kc,
		       kcdbbegintran(s->db->kc, (s->db->mode & KCOAUTOSYNC) != 0));
	s->transaction = status == DONE;
	if (status != DONE)
		pthread_rwlock_unlock(&s->db->transactions);
	return status;
}

static void kyoto_rollback(struct session *s)
{
	if (!s->transaction)
		return;
	kcdbendtran(s->db->kc, 0);
	pthread_rwlock_unlock(&s->db->transactions);
	s->transaction = false;
}

static enum status kyoto_commit(struct session *s)
{
	enum status status = check(s->why, s->db->kc, kcdbendtran(s->db->kc, 1));

	status = sync_commit(s, status);
	s->transaction = false;
	pthread_rwlock_unlock(&s->db->transactions);
	return status;
}

/* Writes the record, or removes it if there is no value. */
static enum status write_record(struct session *s, struct slice key,
				const struct slice *value)
{
	KCDB *kc = s->db->kc;
	enum status status;

	if (!s->transaction)
		pthread_rwlock_rdlock(&s->db->transactions);
	status = check(s->why, kc,
		       value ? kcdbset(kc, key.data, key.size, value->data, value->size)
			     : kcdbremove(kc, key.data, key.size));
	if (!s->transaction) {
		status = sync_commit(s, status);
		pthread_rwlock_unlock(&s->db->transactions);
	}
	return status;
}

static enum status kyoto_put(struct session *s, struct slice key, struct slice value)
{
	return write_record(s, key, &value);
}

static enum status kyoto_del(struct session *s, struct slice key)
{
	return write_record(s, key, NULL);
}

/* Kyoto copies what fits and returns the size of the whole value. */
static enum status kyoto_get(struct session *s, struct slice key, struct slice *value)
{
	int32_t size = kcdbgetbuf(s->db->kc, key.data, key.size, s->value,
				  s->db->value_size + 1);

	if (size > (int64_t)s->db->value_size)
		return set_error(s->why, FAILED,
				 "a value of %d bytes, larger than any that was written",
				 (int)size);
	*value = (struct slice){s->value, size > 0 ? (size_t)size : 0};
	return check(s->why, s->db->kc, size >= 0);
}

static void kyoto_release(struct session *s)
{
	if (s->record)
		kcfree(s->record);
	s->record = NULL;
}

/* Returns the record under the cursor, which may then step to the next one. */
static enum status current_record(struct session *s, bool step, struct slice *key,
				  struct slice *value)
{
	const char *v;

	kyoto_release(s);
	s->record = kccurget(s->cursor, &key->size, &v, &value->size, step);
	s->key_size = key->size;
	s->ahead = step;
	key->data = s->record;
	value->data = v;
	return check(s->why, s->db->kc, s->record);
}

/*
 * Forward, the cursor waits at the next record, and if that is removed, at the one above
 * it.
 */
static enum status kyoto_next(struct session *s, struct slice *key, struct slice *value)
{
	return current_record(s, true, key, value);
}

/*
 * Moves from any position to the record below the one last returned, which may be gone.
 */
static bool find_below(struct session *s)
{
	size_t size;
	char *key;
	bool same;

	if (!s->record || !kccurjumpbackkey(s->cursor, s->record, s->key_size))
		return false;
	key = kccurgetkey(s->cursor, &size, false);
	same = key && size == s->key_size && !memcmp(key, s->record, size);
	if (key)
		kcfree(key);
	return key && (!same || kccurstepback(s->cursor));
}

/*
 * Backward, the cursor stays at the record last returned. If another session removes the
 * last record of a page, the cursor is lost, or at the next page.
 */
static enum status kyoto_prev(struct session *s, struct slice *key, struct slice *value)
{
	if ((s->ahead || !kccurstepback(s->cursor)) && !find_below(s))
		return check(s->why, s->db->kc, false);
	return current_record(s, false, key, value);
}

static enum status kyoto_seek(struct session *s, struct slice from, struct slice *key,
			      struct slice *value)
{
	if (!(from.data ? kccurjumpkey(s->cursor, from.data, from.size)
			: kccurjump(s->cursor)))
		return check(s->why, s->db->kc, false);
	return current_record(s, true, key, value);
}

static enum status kyoto_last(struct session *s, struct slice *key, struct slice *value)
{
	return kccurjumpback(s->cursor) ? current_record(s, false, key, value)
					: check(s->why, s->db->kc, false);
}

static struct {
	uint64_t msiz, psiz;
	bool hard;
} option_values;

static const struct option options[] = {
	{"psiz", "4Ki",
	 "Size of a B+tree page of a new database, bytes. An existing database keeps "
	 "its own.",
	 .size = &option_values.psiz, .min = 512, .max = 16777216,
	 .group = "Kyoto Cabinet"},
	{"msiz", "64Mi",
	 "Size of the part of the database file, from its start, that is accessed "
	 "through a memory map, bytes. The rest is read and written by system calls. "
	 "0: no map.",
	 .size = &option_values.msiz, .max = (uint64_t)1 << 46},
	{"hard", "1",
	 "Order of syncs in a commit with --durability=sync; other levels "
	 "ignore it. 1: sync a log, then the pages, in at least five syncs; "
	 "this protects the database in a power cut. 0: sync only the pages, "
	 "by msync and fsync; a power cut can destroy the database.",
	 .flag = &option_values.hard},
	{0},
};

/* The first msiz bytes of the file are mapped, for reading and writing. */
static struct traits kyoto_check_settings(const struct settings *s)
{
	struct traits traits = {.reads_mapped = option_values.msiz > 0,
				.uncounted_writes = option_values.msiz > 0};

	/*
	 * Its log has no checksums. A log record truncated by a kill is taken for
	 * complete, and its missing part for zeros (kcfile.cc, walapply).
	 */
	if (s->durability != DURABILITY_NONE)
		traits.non_atomic = NON_ATOMIC_CRASH | NON_ATOMIC_DATABASE;
	return traits;
}

static const char *kyoto_version(void)
{
	return KCVERSION;
}

/*
 * Durability. none: pages stay in the cache until it is full. async: each write is a
 * transaction, logged and written to the file at its end. sync: Kyoto's hard
 * transactions, which sync their log before the pages. Alternatively, as async with the
 * file synced each time by msync and fsync; then no log repairs a commit that a power cut
 * interrupts.
 */
static void set_durability(struct db *db, enum durability durability)
{
	bool sync = durability == DURABILITY_SYNC;

	db->mode |= durability == DURABILITY_NONE ? 0u : KCOAUTOTRAN;
	db->mode |= sync && option_values.hard ? KCOAUTOSYNC : 0u;
	db->syncs_commits = sync && !option_values.hard;
}

static enum status open_file(struct db *db, const struct settings *s, char *why)
{
	/* Hash buckets: two for each page. */
	uint64_t bnum = 2 * s->num * (s->key_size + s->value_size) / option_values.psiz;
	char path[4096];

	if (strchr(s->path, '#'))
		return set_error(why, FAILED,
				 "'%s' has a '#', where Kyoto Cabinet's settings begin; "
				 "choose another --db",
				 s->path);
	snprintf(path, sizeof path,
		 "%s/data.kct#psiz=%llu#msiz=%llu#bnum=%llu#pccap=%llu%s", s->path,
		 (unsigned long long)option_values.psiz,
		 (unsigned long long)option_values.msiz,
		 (unsigned long long)(bnum > 65536 ? bnum : 65536),
		 (unsigned long long)s->cache_bytes, s->compression ? "#opts=c" : "");
	db->mode = KCOWRITER | (s->create ? KCOCREATE : 0u);
	set_durability(db, s->durability);
	return check(why, db->kc, kcdbopen(db->kc, path, db->mode));
}

static enum status kyoto_close(struct db *db, char *why)
{
	enum status status = check(why, db->kc, kcdbclose(db->kc));

	kcdbdel(db->kc);
	pthread_rwlock_destroy(&db->transactions);
	return status;
}

static enum status kyoto_open(struct db *db, const struct settings *s, char *why)
{
	pthread_rwlockattr_t attributes;

	/*
	 * Waiting transactions have priority; otherwise single writes could keep them
	 * waiting for ever.
	 */
	pthread_rwlockattr_init(&attributes);
	pthread_rwlockattr_setkind_np(&attributes,
				      PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	pthread_rwlock_init(&db->transactions, &attributes);
	pthread_rwlockattr_destroy(&attributes);
	db->value_size = s->value_size;
	db->kc = kcdbnew();
	return open_file(db, s, why);
}

static size_t kyoto_session_extra_size(const struct settings *s)
{
	return s->value_size + 1;
}

static enum status kyoto_attach(struct session *s, struct db *db, char *why)
{
	s->db = db;
	s->why = why;
	s->cursor = kcdbcursor(db->kc);
	return DONE;
}

static void kyoto_detach(struct session *s)
{
	kccurdel(s->cursor);
}

/* No transaction is open meanwhile, and nothing is written. */
static enum status kyoto_backup(struct db *db, const char *to, char *why)
{
	enum status status;
	char path[4096];

	snprintf(path, sizeof path, "%s/data.kct", to);
	pthread_rwlock_wrlock(&db->transactions);
	status = check(why, db->kc, kcdbcopy(db->kc, path));
	pthread_rwlock_unlock(&db->transactions);
	return status;
}

/* Writes every page from the cache to the file, and syncs the file. */
static enum status kyoto_settle(struct db *db, char *why)
{
	return check(why, db->kc, kcdbsync(db->kc, 1, NULL, NULL));
}

/* Kyoto's own report, a line each; how transactions are synced is not part of it. */
static void kyoto_describe(struct db *db, struct report *report)
{
	static const char *const lines[] = {"\npsiz", "\npccap", "\nmsiz",
					    "\nbnum", "\nopts",  NULL};
	char *answer = kcdbstatus(db->kc);

	for (const char *const *line = lines; answer && *line; line++) {
		const char *at = strstr(answer, *line);
		char name[16] = "", value[32] = "";

		if (at && sscanf(at, "%15s %31s", name, value) == 2)
			report_text(report, name, value);
	}
	kcfree(answer);
}

static void kyoto_statistics(struct db *db, struct report *report)
{
	char *answer = kcdbstatus(db->kc);

	report_append(report, "%s", answer ? answer : "");
	kcfree(answer);
}

const struct engine engine = {
	.name = "kyoto",
	.title = "Kyoto Cabinet",
	.version = kyoto_version,
	.cache = "page cache (pccap), beside a map of the file (msiz)",
	.compressions = 1u << COMPRESSION_ZLIB,
	.effective_durability = {DURABILITY_NONE, DURABILITY_ASYNC, DURABILITY_SYNC},
	.provenance = {.symbol = "kcdbnew"},
	.exclusive = true,
	.options = options,
	.value_limit = INT32_MAX / 2,
	.non_atomic = NON_ATOMIC_VISIBLE,
	.transactions = true,
	.db_size = sizeof(struct db),
	.session_size = sizeof(struct session),
	.put = kyoto_put,
	.del = kyoto_del,
	.get = kyoto_get,
	.seek = kyoto_seek,
	.last = kyoto_last,
	.next = kyoto_next,
	.prev = kyoto_prev,
	.release = kyoto_release,
	.begin = kyoto_begin,
	.commit = kyoto_commit,
	.rollback = kyoto_rollback,
	.check_settings = kyoto_check_settings,
	.open = kyoto_open,
	.close = kyoto_close,
	.session_extra_size = kyoto_session_extra_size,
	.attach = kyoto_attach,
	.detach = kyoto_detach,
	.backup = kyoto_backup,
	.backup_by = "kcdbcopy, while writers wait",
	.settle = kyoto_settle,
	.describe = kyoto_describe,
	.statistics = kyoto_statistics,
};
