/* bdb.c: what the driver of Berkeley DB makes of its errors and statistics. */
#include "../../engines/bdb.c"
#include "../tap.h"

static void errors(void)
{
	char why[ENGINE_ERROR_SIZE] = "";
	struct db db = {.open = false};
	DB_ENV env = {.app_private = &db};

	tap_expect(check(&db, why, 0) == DONE, "none");
	tap_expect(check(&db, why, DB_NOTFOUND) == NOT_FOUND, "no record");
	tap_expect(check(&db, why, ENOSPC) == FULL, "a full device");
	tap_expect(check(&db, why, EINVAL) == FAILED, "another");
	save_message(&env, NULL, "write: 4096 bytes: the cause");
	save_message(&env, NULL, "PANIC: fatal region error");
	tap_expect(!db.full, "it is not full");
	tap_expect(check(&db, why, DB_RUNRECOVERY) == FAILED, "a panic");
	tap_expect(strstr(why, ": write: 4096 bytes: the cause") != NULL, "%s", why);
	tap_expect(!*last_message, "it is said once");
	save_message(&env, NULL, "PANIC: fatal region error");
	tap_expect(!strcmp(last_message, "PANIC: fatal region error"), "without a cause");
	save_message(&env, NULL, "write failed: No space left on device");
	tap_expect(db.full, "it is full");
	tap_expect(check(&db, why, DB_RUNRECOVERY) == FULL, "a panic of a full device");
}

static bool refused(uint64_t page, uint64_t buffer, uint64_t file)
{
	option_values.pagesize = page;
	option_values.lg_bsize = buffer;
	option_values.lg_max = file;
	return bdb_check_settings(NULL).invalid;
}

static void refusals(void)
{
	tap_expect(!refused(4096, 1 << 20, 4 << 20), "a buffer of a quarter");
	tap_expect(refused(4096, (1 << 20) + 1, 4 << 20), "a larger one");
	tap_expect(!refused(512, 1 << 20, 16 << 20), "the smallest page");
	tap_expect(refused(6144, 1 << 20, 16 << 20), "a page between two");
}

/* Statistics of which each has a number of its own; the driver frees them. */
static int cache_statistics(DB_ENV *env, DB_MPOOL_STAT **to, DB_MPOOL_FSTAT ***files,
			    u_int32_t flags)
{
	(void)env;
	(void)files;
	(void)flags;
	*to = calloc(1, sizeof **to);
	**to = (DB_MPOOL_STAT){.st_cache_hit = 1,
			       .st_cache_miss = 2,
			       .st_page_in = 3,
			       .st_page_out = 4,
			       .st_ro_evict = 5,
			       .st_rw_evict = 6,
			       .st_pages = 7,
			       .st_page_dirty = 8};
	return 0;
}

static int lock_statistics(DB_ENV *env, DB_LOCK_STAT **to, u_int32_t flags)
{
	(void)env;
	(void)flags;
	*to = calloc(1, sizeof **to);
	**to = (DB_LOCK_STAT){.st_nrequests = 9,
			      .st_lock_wait = 10,
			      .st_ndeadlocks = 11,
			      .st_maxnlocks = 12};
	return 0;
}

static int log_statistics(DB_ENV *env, DB_LOG_STAT **to, u_int32_t flags)
{
	(void)env;
	(void)flags;
	*to = calloc(1, sizeof **to);
	**to = (DB_LOG_STAT){.st_w_mbytes = 5000,
			     .st_w_bytes = 13,
			     .st_wcount = 14,
			     .st_scount = 15,
			     .st_maxcommitperflush = 16};
	return 0;
}

static int txn_statistics(DB_ENV *env, DB_TXN_STAT **to, u_int32_t flags)
{
	(void)env;
	(void)flags;
	*to = calloc(1, sizeof **to);
	**to = (DB_TXN_STAT){.st_ncommits = 17, .st_naborts = 18};
	return 0;
}

static int tree_statistics(DB *db, DB_TXN *txn, void *to, u_int32_t flags)
{
	DB_BTREE_STAT *tree = calloc(1, sizeof *tree);

	(void)db;
	(void)txn;
	tree->bt_pagecnt = flags == DB_FAST_STAT ? 19 : 0;
	memcpy(to, &tree, sizeof tree);
	return 0;
}

static void statistics(void)
{
	char text[1000] = "";
	struct report report = {text, sizeof text, " ", "\n"};
	DB_ENV env = {.memp_stat = cache_statistics,
		      .lock_stat = lock_statistics,
		      .log_stat = log_statistics,
		      .txn_stat = txn_statistics};
	DB table = {.stat = tree_statistics};
	struct db db = {.env = &env, .db = &table};

	bdb_statistics(&db, &report);
	tap_expect(!strcmp(text, "cache hits 1\ncache misses 2\npages read 3\n"
				 "pages written 4\nclean pages evicted 5\n"
				 "dirty pages evicted 6\npages in the cache 7\n"
				 "dirty pages 8\nlock requests 9\nlock waits 10\n"
				 "deadlocks 11\nmost locks held 12\n"
				 "bytes of log written 5242880013\nlog writes 14\n"
				 "log flushes 15\nmost commits in a flush 16\n"
				 "transactions committed 17\ntransactions aborted 18\n"
				 "pages in the file 19"),
		   "%s", text);
}

/*
 * A scan at one of the records 1 to 5 has a conflict; the record is deleted, or not; what
 * the scan then returns. '\0': it is at its end.
 */
static const struct {
	char at;
	bool deleted;
	enum status (*move)(struct session *, struct slice *, struct slice *);
	char then;
} resumed[] = {
	{'3', false, bdb_next, '4'},  {'3', true, bdb_next, '4'},
	{'3', false, bdb_prev, '2'},  {'3', true, bdb_prev, '2'},
	{'5', false, bdb_next, '\0'}, {'5', true, bdb_next, '\0'},
	{'5', false, bdb_prev, '4'},  {'5', true, bdb_prev, '4'},
	{'1', false, bdb_prev, '\0'}, {'1', true, bdb_prev, '\0'},
};

static void resume_scans(struct session *scan, struct session *other)
{
	for (size_t i = 0; i < sizeof resumed / sizeof *resumed; i++) {
		struct slice at = {&resumed[i].at, 1}, key, value;
		enum status status;

		for (const char *c = "12345"; *c; c++)
			bdb_put(other, (struct slice){c, 1}, (struct slice){"v", 1});
		bdb_seek(scan, at, &key, &value);
		tap_expect(return_conflict(scan) == CONFLICT, "a conflict");
		if (resumed[i].deleted)
			bdb_del(other, at);
		status = resumed[i].move(scan, &key, &value);
		if (resumed[i].then)
			tap_expect(status == DONE && key.size == 1 &&
					   *(const char *)key.data == resumed[i].then,
				   "%zu: status %d, and a key of %zu bytes, %.1s", i,
				   status, key.size, (const char *)key.data);
		else
			tap_expect(status == NOT_FOUND, "%zu: no end: %d", i, status);
		bdb_release(scan);
	}
}

static void scans(void)
{
	static const char *const files[] = {"assay.db", "log.0000000001"};
	char why[ENGINE_ERROR_SIZE] = "", path[64], directory[] = "/tmp/inside-XXXXXX";
	struct settings settings = {.path = mkdtemp(directory),
				    .create = true,
				    .cache_bytes = 1 << 20,
				    .sessions = 2,
				    .key_size = 1,
				    .value_size = 1};
	struct db db = {.open = false};
	struct session sessions[2] = {{.db = NULL}};

	option_values.pagesize = 4096;
	option_values.lg_bsize = 32768;
	option_values.lg_max = 1 << 20;
	if (bdb_open(&db, &settings, why) == DONE &&
	    bdb_attach(&sessions[0], &db, why) == DONE &&
	    bdb_attach(&sessions[1], &db, why) == DONE)
		resume_scans(&sessions[0], &sessions[1]);
	bdb_detach(&sessions[0]);
	bdb_detach(&sessions[1]);
	bdb_close(&db, why);
	tap_expect(!*why, "%s", why);
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		snprintf(path, sizeof path, "%s/%s", directory, files[i]);
		remove(path);
	}
	tap_expect(!remove(directory), "no other file");
}

int main(void)
{
	tap_run("bdb: each error is the status that it must be", errors);
	tap_run("bdb: refuses what it cannot have, to the byte", refusals);
	tap_run("bdb: statistics stand by their own names", statistics);
	tap_run("bdb: a scan after a conflict skips and repeats no record", scans);
	return tap_end();
}
