/*
 * lmdb.c: LMDB, a copy-on-write B+tree in one memory-mapped file.
 *
 * What is timed is in mdb.h.
 * LMDB has one writer at a time, no cache of its own and nothing running in the
 * background.
 */
#include <errno.h>
#include <lmdb.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine.h"

#define GIB ((uint64_t)1 << 30)

struct db {
	MDB_env *env;
	MDB_dbi dbi;
};

/* LMDB's status as ours; its words go where the harness finds them. */
static enum status check(char *why, int rc)
{
	if (rc == MDB_SUCCESS)
		return DONE;
	if (rc == MDB_NOTFOUND)
		return NOT_FOUND;
	if (rc == MDB_MAP_FULL)
		return because(why, FULL,
			       "MDB_MAP_FULL: the map is full; give a larger --mapsize, "
			       "or none");
	if (rc == EIO)
		return because(why, FAILED,
			       "Input/output error, which LMDB also says of a write for "
			       "which there is no room");
	return because(why, rc == ENOSPC ? FULL : FAILED, "%s", mdb_strerror(rc));
}

#define MDB_CALL(name) mdb_##name
#define MDB_NAME(name) MDB_##name
#define MDB_TEXT "MDB_"
#define MDB_DATA mv_data
#define MDB_SIZE mv_size
#include "mdb.h"

static struct {
	uint64_t maxreaders;
} tuning;

static const struct option options[] = {
	TREE_OPTIONS("LMDB"),
	{"maxreaders", "0", "Slots in the reader table; 0: one per session and 16 more.",
	 .count = &tuning.maxreaders, .most = 1000000},
	{0},
};

static bool takes_devices(void)
{
	int major, minor, patch;

	mdb_version(&major, &minor, &patch);
	return major * 1000000 + minor * 1000 + patch >= 9090;
}

static const char *lmdb_tune(struct settings *s)
{
	if (tuning.maxreaders && tuning.maxreaders < s->sessions)
		return "--maxreaders is below the number of threads";
	if (s->device && !takes_devices())
		return "--device: this LMDB opens files only; 0.9.90 (its branch "
		       "mdb.master3), given as LMDB_PREFIX, opens devices";
	return tree_tune(s);
}

static const char *lmdb_version(void)
{
	static char text[32];
	int major, minor, patch;

	mdb_version(&major, &minor, &patch);
	snprintf(text, sizeof text, "%d.%d.%d", major, minor, patch);
	return text;
}

/*
 * Address space costs nothing, so the map leaves room for every page to be garbage many
 * times.
 */
static size_t map_size(const struct settings *s)
{
	uint64_t record = s->key_size + s->value_size + 64,
		 room = 16 * s->num * record + 16 * GIB;
	struct stat file;
	char path[4096];

	if (s->device) /* rounded up by LMDB, so down by us */
		return (tree.mapsize && tree.mapsize < s->device_bytes
				? tree.mapsize
				: s->device_bytes) &
		       ~(uint64_t)0x1fffff;
	if (tree.mapsize)
		return tree.mapsize;
	snprintf(path, sizeof path, "%s/data.mdb", s->path);
	/*
	 * what is in it: with writemap=1 its length is that of the map, which must not
	 * grow each time it is opened
	 */
	if (!stat(path, &file) && (uint64_t)file.st_blocks * 512 * 4 > room)
		room = (uint64_t)file.st_blocks * 512 * 4;
	return room < 16384 * GIB ? room : 16384 * GIB;
}

static unsigned env_flags(const struct settings *s)
{
	unsigned flags = MDB_NOTLS | map_flags();

	/*
	 * Without a log a commit is in the page cache or it is nowhere: none and async
	 * are one.
	 */
	if (s->durability != DURABILITY_SYNC)
		flags |= tree.metasync ? MDB_NOSYNC : MDB_NOMETASYNC;
	return flags;
}

/*
 * LMDB puts its lock file beside what it opens: beside a link to a device that is in our
 * own directory while it opens it.
 */
static int find_data(const struct settings *s, char *path, size_t size)
{
	snprintf(path, size, s->device ? "%s/device" : "%s", s->path);
	if (!s->device)
		return 0;
	return (unlink(path) && errno != ENOENT) || symlink(s->device, path) ? errno : 0;
}

static int open_env(struct db *db, const struct settings *s)
{
	char path[4096];
	unsigned readers = tuning.maxreaders ? (unsigned)tuning.maxreaders
					     : s->sessions + 16;
	unsigned flags = (s->create ? MDB_CREATE : 0) |
			 (s->native_keys ? MDB_INTEGERKEY : 0);
	MDB_txn *txn;
	int rc;

	if ((rc = mdb_env_set_mapsize(db->env, map_size(s))) ||
	    (rc = mdb_env_set_maxreaders(db->env, readers)) ||
	    (rc = find_data(s, path, sizeof path)))
		return rc;
	rc = mdb_env_open(db->env, path, env_flags(s), 0644);
	if (s->device)
		unlink(path);
	if (rc || (rc = mdb_txn_begin(db->env, NULL, 0, &txn)))
		return rc;
	rc = mdb_dbi_open(txn, NULL, flags, &db->dbi);
	if (!rc)
		return mdb_txn_commit(txn);
	mdb_txn_abort(txn);
	return rc;
}

static enum status lmdb_open(struct db *db, const struct settings *s, char *why)
{
	int rc = mdb_env_create(&db->env);

	return check(why, rc ? rc : open_env(db, s));
}

static enum status lmdb_close(struct db *db, char *why)
{
	(void)why;
	if (db->env)
		mdb_env_close(db->env);
	return DONE;
}

static enum status lmdb_settle(struct db *db, char *why)
{
	return check(why, mdb_env_sync(db->env, 1));
}

/* In a read transaction of its own: what is replaced meanwhile is kept, and the file
 * grows. */
static enum status lmdb_backup(struct db *db, const char *to, char *why)
{
	return check(why, mdb_env_copy2(db->env, to, 0));
}

static void lmdb_describe(struct db *db, char *text, size_t size)
{
	MDB_envinfo info;
	unsigned flags = 0, table = 0;
	MDB_txn *txn;

	mdb_env_info(db->env, &info);
	mdb_env_get_flags(db->env, &flags);
	if (!mdb_txn_begin(db->env, NULL, MDB_RDONLY, &txn)) {
		mdb_dbi_flags(txn, db->dbi, &table);
		mdb_txn_abort(txn);
	}
	snprintf(text, size,
		 "writemap=%d nosync=%d metasync=%d readahead=%d intkey=%d mapsize=%zu "
		 "maxreaders=%u",
		 !!(flags & MDB_WRITEMAP), !!(flags & MDB_NOSYNC),
		 !(flags & MDB_NOMETASYNC), !(flags & MDB_NORDAHEAD),
		 !!(table & MDB_INTEGERKEY), info.me_mapsize, info.me_maxreaders);
}

static void lmdb_statistics(struct db *db, char *text, size_t size)
{
	MDB_envinfo info;
	MDB_stat st;

	mdb_env_info(db->env, &info);
	mdb_env_stat(db->env, &st);
	snprintf(text, size,
		 "entries %zu\ndepth %u\nbranch pages %zu\nleaf pages %zu\n"
		 "overflow pages %zu\n"
		 "page size %u\nlast page %zu\nlast transaction %zu\n"
		 "readers in use %u of %u\n",
		 st.ms_entries, st.ms_depth, st.ms_branch_pages, st.ms_leaf_pages,
		 st.ms_overflow_pages, st.ms_psize, info.me_last_pgno, info.me_last_txnid,
		 info.me_numreaders, info.me_maxreaders);
}

const struct engine engine = {
	.name = "lmdb",
	.title = "LMDB",
	.version = lmdb_version,
	.gives = {DURABILITY_ASYNC, DURABILITY_ASYNC, DURABILITY_SYNC},
	.symbol = "mdb_env_create",
	.options = options,
	.raw_devices = true,
	.key_limit = 511,
	.value_limit = 0xffffffff,
	.integer_keys = true,
	.transactions = true,
	.db_size = sizeof(struct db),
	.session_size = sizeof(struct session),
	.put = tree_put,
	.append = tree_append,
	.del = tree_del,
	.get = tree_get,
	.seek = tree_seek,
	.last = tree_last,
	.next = tree_next,
	.prev = tree_prev,
	.snapshot = tree_snapshot,
	.release = tree_release,
	.begin = tree_begin,
	.commit = tree_commit,
	.rollback = tree_rollback,
	.tune = lmdb_tune,
	.open = lmdb_open,
	.close = lmdb_close,
	.attach = tree_attach,
	.detach = tree_detach,
	.settle = lmdb_settle,
	.backup = lmdb_backup,
	.backup_by = "mdb_env_copy2",
	.describe = lmdb_describe,
	.statistics = lmdb_statistics,
};
