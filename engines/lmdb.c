/*
 * lmdb.c: LMDB, a copy-on-write B+tree in one memory-mapped file.
 *
 * The timed functions are in lmdb_common.h. LMDB has one writer at a time, no cache of
 * its own and no background threads.
 */
#include <errno.h>
#include <lmdb.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver_common.h"

#define GIB ((uint64_t)1 << 30)

struct db {
	MDB_env *env;
	MDB_dbi dbi;
};

/* Converts LMDB's result to a status; its message goes to `why`. */
static enum status check(char *why, int rc)
{
	if (rc == MDB_SUCCESS)
		return DONE;
	if (rc == MDB_NOTFOUND)
		return NOT_FOUND;
	if (rc == MDB_MAP_FULL)
		return set_error(
			why, FAILED,
			"MDB_MAP_FULL: the map is full; give a larger --mapsize, "
			"or none");
	if (rc == EIO)
		return set_error(
			why, FAILED,
			"Input/output error, which LMDB also returns when there is "
			"no disk space");
	return set_error(why, rc == ENOSPC ? FULL : FAILED, "%s", mdb_strerror(rc));
}

#include "lmdb_common.h"

static struct {
	uint64_t maxreaders;
} option_values;

static const struct option options[] = {
	LMDB_COMMON_OPTIONS("LMDB", "MDB_"),
	{"maxreaders", "0",
	 "Largest number of read transactions that can be open at once (slots "
	 "in the reader table). It must be at least the number of all "
	 "threads, main and background ones included. 0: 16 more than these.",
	 .count = &option_values.maxreaders, .max = 1000000},
	{0},
};

static const struct preset lmdb_presets[] = {
	{"dbbench",
	 "Defaults of dbbench for LMDB: writes through a writable map; only the first "
	 "byte of a value is read.",
	 "key_format=hex writemap=1 touch=first"},
	{0},
};

static bool accepts_devices(void)
{
	int major, minor, patch;

	mdb_version(&major, &minor, &patch);
	return major * 1000000 + minor * 1000 + patch >= 9090;
}

static struct traits lmdb_check_settings(const struct settings *s)
{
	if (option_values.maxreaders && option_values.maxreaders < s->sessions)
		return invalid_settings("--maxreaders is below the number of threads");
	if (s->device && !accepts_devices())
		return invalid_settings(
			"--device: this LMDB opens files only; 0.9.90 (its branch "
			"mdb.master3), given as LMDB_PREFIX, opens devices");
	return lmdb_common_check_settings(s);
}

static const char *lmdb_version(void)
{
	int major, minor, patch;

	mdb_version(&major, &minor, &patch);
	return dotted_version(major, minor, patch);
}

/*
 * Address space is free, so the map is large enough for every page to be garbage many
 * times over.
 */
static size_t map_size(const struct settings *s)
{
	uint64_t record = s->key_size + s->value_size + 64,
		 map_bytes = 16 * s->num * record + 16 * GIB;
	struct stat file;
	char path[4096];

	if (s->device) /* LMDB rounds up, so round down here */
		return (common_option_values.mapsize &&
					common_option_values.mapsize < s->device_bytes
				? common_option_values.mapsize
				: s->device_bytes) &
		       ~(uint64_t)0x1fffff;
	if (common_option_values.mapsize)
		return common_option_values.mapsize;
	snprintf(path, sizeof path, "%s/data.mdb", s->path);
	/*
	 * used blocks: with writemap=1 the file is as long as the map, which must not
	 * grow at each open
	 */
	if (!stat(path, &file) && (uint64_t)file.st_blocks * 512 * 4 > map_bytes)
		map_bytes = (uint64_t)file.st_blocks * 512 * 4;
	return map_bytes < 16384 * GIB ? map_bytes : 16384 * GIB;
}

static unsigned env_flags(const struct settings *s)
{
	unsigned flags = MDB_NOTLS | map_flags();

	/*
	 * Without a log a commit is in the page cache or nowhere: none and async are the
	 * same.
	 */
	if (s->durability != DURABILITY_SYNC)
		flags |= common_option_values.metasync ? MDB_NOSYNC : MDB_NOMETASYNC;
	return flags;
}

/*
 * LMDB creates its lock file beside the file that it opens. A device is therefore opened
 * through a link in our own directory.
 */
static int data_file_path(const struct settings *s, char *path, size_t size)
{
	snprintf(path, size, s->device ? "%s/device" : "%s", s->path);
	if (!s->device)
		return 0;
	return (unlink(path) && errno != ENOENT) || symlink(s->device, path) ? errno : 0;
}

static int open_env(struct db *db, const struct settings *s)
{
	char path[4096];
	unsigned readers = option_values.maxreaders ? (unsigned)option_values.maxreaders
						    : s->sessions + 16;
	unsigned flags =
		(s->create ? MDB_CREATE : 0) | (s->native_keys ? MDB_INTEGERKEY : 0);
	MDB_txn *txn;
	int rc;

	if ((rc = mdb_env_set_mapsize(db->env, map_size(s))) ||
	    (rc = mdb_env_set_maxreaders(db->env, readers)) ||
	    (rc = data_file_path(s, path, sizeof path)))
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

/* Runs in a read transaction: pages replaced meanwhile are kept, and the file grows. */
static enum status lmdb_backup(struct db *db, const char *to, char *why)
{
	return check(why, mdb_env_copy2(db->env, to, 0));
}

static void lmdb_describe(struct db *db, struct report *report)
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
	REPORT_NUMBERS(report, {"writemap", !!(flags & MDB_WRITEMAP)},
		       {"nosync", !!(flags & MDB_NOSYNC)},
		       {"metasync", !(flags & MDB_NOMETASYNC)},
		       {"readahead", !(flags & MDB_NORDAHEAD)},
		       {"intkey", !!(table & MDB_INTEGERKEY)},
		       {"mapsize", info.me_mapsize}, {"maxreaders", info.me_maxreaders});
}

static void lmdb_statistics(struct db *db, struct report *report)
{
	MDB_envinfo info;
	MDB_stat st;

	mdb_env_info(db->env, &info);
	mdb_env_stat(db->env, &st);
	REPORT_NUMBERS(report, {"entries", st.ms_entries}, {"depth", st.ms_depth},
		       {"branch pages", st.ms_branch_pages},
		       {"leaf pages", st.ms_leaf_pages},
		       {"overflow pages", st.ms_overflow_pages},
		       {"page size", st.ms_psize}, {"last page", info.me_last_pgno},
		       {"last transaction", info.me_last_txnid},
		       {"readers in use", info.me_numreaders},
		       {"readers at most", info.me_maxreaders});
}

const struct engine engine = {
	.name = "lmdb",
	.title = "LMDB",
	.version = lmdb_version,
	.effective_durability = {DURABILITY_ASYNC, DURABILITY_ASYNC, DURABILITY_SYNC},
	.provenance = {.symbol = "mdb_env_create"},
	.options = options,
	.presets = lmdb_presets,
	.raw_devices = true,
	/* For pages of 4 KiB, the smallest that are in use; 0.9 has a constant. */
	.key_limit = MDB_VERSION_MAJOR > 0 ? 1978 : 511,
	.value_limit = 0xffffffff,
	LMDB_COMMON_CALLS,
	.check_settings = lmdb_check_settings,
	.open = lmdb_open,
	.close = lmdb_close,
	.settle = lmdb_settle,
	.backup = lmdb_backup,
	.backup_by = "mdb_env_copy2",
	.describe = lmdb_describe,
	.statistics = lmdb_statistics,
};
