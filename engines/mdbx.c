/*
 * mdbx.c: libmdbx, a copy-on-write B+tree in one memory-mapped file, which grew out of
 * LMDB.
 *
 * The timed functions are in lmdb_common.h. Like LMDB it has one writer at a time, no
 * cache of its own and no background threads; its file grows and shrinks in steps. Trap:
 * SAFE_NOSYNC syncs about every second commit of a load (findings/mdbx-safe-nosync.sh),
 * so the mode without syncs is UTTERLY_NOSYNC. After that mode, an open trusts unsynced
 * commits only if the machine has not been rebooted.
 */
#include <errno.h>
#include <mdbx.h>
#include <string.h>
#include <sys/stat.h>

#include "driver_common.h"

#define MIB ((uint64_t)1 << 20)
#define GIB ((uint64_t)1 << 30)

struct db {
	MDBX_env *env;
	MDBX_dbi dbi;
};

/* Converts libmdbx's result to a status; its message goes to `why`. */
static enum status check(char *why, int rc)
{
	char words[128];

	if (rc == MDBX_SUCCESS || rc == MDBX_RESULT_TRUE)
		return DONE;
	if (rc == MDBX_NOTFOUND)
		return NOT_FOUND;
	if (rc == MDBX_MAP_FULL)
		return set_error(
			why, FAILED,
			"MDBX_MAP_FULL: the map is full; give a larger --mapsize, "
			"or none");
	return set_error(why, rc == ENOSPC ? FULL : FAILED, "%s",
			 mdbx_strerror_r(rc, words, sizeof words));
}

#include "mdbx_names.h" /* lmdb_common.h is written in LMDB's names */
#include "lmdb_common.h"

static struct {
	uint64_t growth_step, page_size;
} option_values;

static const struct option options[] = {
	LMDB_COMMON_OPTIONS("libmdbx", "MDBX_"),
	{"growth_step", "16Mi",
	 "Size of the steps in which the database file grows, bytes.",
	 .size = &option_values.growth_step, .min = 1 << 16, .max = 1 << 30},
	{"page_size", "4Ki",
	 "Size of a page of a new database, bytes, a power of two. An existing "
	 "database keeps its own.",
	 .size = &option_values.page_size, .min = 1 << 10, .max = MDBX_MAX_PAGESIZE},
	{0},
};

/* By default libmdbx reports its actions on stderr, even a fork. */
static struct traits check_mdbx_settings(const struct settings *s)
{
	mdbx_setup_debug(MDBX_LOG_FATAL, MDBX_DBG_DONTCHANGE, NULL);
	if (option_values.page_size & (option_values.page_size - 1))
		return invalid_settings(
			"--page_size must be a power of two, from 1Ki to 64Ki");
	return lmdb_common_check_settings(s);
}

static const char *version_text(void)
{
	return dotted_version(mdbx_version.major, mdbx_version.minor, mdbx_version.patch);
}

static uint64_t min_of(uint64_t value, uint64_t limit)
{
	return value < limit ? value : limit;
}

/*
 * Address space is free, so the map is large enough for every page to be garbage many
 * times over.
 */
static intptr_t map_size(const struct settings *s)
{
	uint64_t record = s->key_size + s->value_size + 64,
		 map_bytes = 16 * s->num * record + 16 * GIB;
	uint64_t most =
		(uint64_t)mdbx_limits_dbsize_max((intptr_t)option_values.page_size);
	struct stat file;
	char path[4096];

	if (common_option_values.mapsize)
		return (intptr_t)min_of(common_option_values.mapsize, most);
	snprintf(path, sizeof path, "%s/mdbx.dat", s->path);
	if (!stat(path, &file) && (uint64_t)file.st_size * 4 > map_bytes)
		map_bytes = (uint64_t)file.st_size * 4;
	return (intptr_t)min_of(min_of(map_bytes, 16384 * GIB), most);
}

static int set_geometry(MDBX_env *env, const struct settings *s)
{
	intptr_t most = map_size(s),
		 step = (intptr_t)min_of(option_values.growth_step, (uint64_t)most);

	return mdbx_env_set_geometry(env, 0, -1, most, step, 2 * step,
				     s->create ? (intptr_t)option_values.page_size : -1);
}

/* Without a log a commit is in the page cache or nowhere: none and async are the same. */
static unsigned durability_flags(enum durability durability)
{
	if (durability == DURABILITY_SYNC)
		return MDBX_SYNC_DURABLE;
	return common_option_values.metasync ? MDBX_UTTERLY_NOSYNC : MDBX_NOMETASYNC;
}

/* A session's transactions are not tied to a thread. */
static unsigned env_flags(const struct settings *s)
{
	return MDBX_NOSTICKYTHREADS | map_flags() | durability_flags(s->durability);
}

static int open_env(struct db *db, const struct settings *s)
{
	unsigned flags =
		(s->create ? MDBX_CREATE : 0u) | (s->native_keys ? MDBX_INTEGERKEY : 0u);
	MDBX_txn *txn;
	int rc;

	if ((rc = set_geometry(db->env, s)) ||
	    (rc = mdbx_env_set_maxreaders(db->env, s->sessions + 16)) ||
	    (rc = mdbx_env_open(db->env, s->path, env_flags(s), 0644)) ||
	    (rc = mdbx_txn_begin(db->env, NULL, MDBX_TXN_READWRITE, &txn)))
		return rc;
	rc = mdbx_dbi_open(txn, NULL, flags, &db->dbi);
	if (!rc)
		return mdbx_txn_commit(txn);
	mdbx_txn_abort(txn);
	return rc;
}

static enum status open_mdbx(struct db *db, const struct settings *s, char *why)
{
	int rc = mdbx_env_create(&db->env);

	return check(why, rc ? rc : open_env(db, s));
}

/*
 * A release build calls __assert_fail as well, when it panics; the library itself reports
 * whether it checks assertions.
 */
static bool has_assertions(void)
{
	return !strstr(mdbx_build.options, "CHECKING=0");
}

/* Closing syncs unsynced data at any durability; libmdbx has no way to avoid that. */
static enum status close_mdbx(struct db *db, char *why)
{
	return db->env ? check(why, mdbx_env_close(db->env)) : DONE;
}

static enum status settle(struct db *db, char *why)
{
	return check(why, mdbx_env_sync(db->env));
}

static void describe(struct db *db, struct report *report)
{
	MDBX_envinfo info = {0};
	unsigned flags = 0, table = 0, state = 0;
	MDBX_txn *txn;

	mdbx_env_info_ex(db->env, NULL, &info, sizeof info);
	mdbx_env_get_flags(db->env, &flags);
	if (!mdbx_txn_begin(db->env, NULL, MDBX_TXN_RDONLY, &txn)) {
		mdbx_dbi_flags_ex(txn, db->dbi, &table, &state);
		mdbx_txn_abort(txn);
	}
	REPORT_NUMBERS(report, {"writemap", !!(flags & MDBX_WRITEMAP)},
		       {"utterly_nosync",
			(flags & MDBX_UTTERLY_NOSYNC) == MDBX_UTTERLY_NOSYNC},
		       {"metasync", !(flags & MDBX_NOMETASYNC)},
		       {"readahead", !(flags & MDBX_NORDAHEAD)},
		       {"intkey", !!(table & MDBX_INTEGERKEY)},
		       {"mapsize", info.mi_geo.upper}, {"growth_step", info.mi_geo.grow},
		       {"page_size", info.mi_dxb_pagesize},
		       {"maxreaders", info.mi_maxreaders});
}

static void statistics(struct db *db, struct report *report)
{
	MDBX_envinfo info = {0};
	MDBX_stat st = {0};

	mdbx_env_info_ex(db->env, NULL, &info, sizeof info);
	mdbx_env_stat_ex(db->env, NULL, &st, sizeof st);
	REPORT_NUMBERS(report, {"entries", st.ms_entries}, {"depth", st.ms_depth},
		       {"branch pages", st.ms_branch_pages},
		       {"leaf pages", st.ms_leaf_pages},
		       {"overflow pages", st.ms_overflow_pages},
		       {"page size", st.ms_psize}, {"last page", info.mi_last_pgno},
		       {"last transaction", info.mi_recent_txnid},
		       {"readers in use", info.mi_numreaders},
		       {"readers at most", info.mi_maxreaders},
		       {"pages split", info.mi_pgop_stat.split},
		       {"pages merged", info.mi_pgop_stat.merge},
		       {"pages copied", info.mi_pgop_stat.cow},
		       {"pages spilled", info.mi_pgop_stat.spill});
}

/* Runs in a read transaction: pages replaced meanwhile are kept, and the file grows. */
static enum status backup(struct db *db, const char *to, char *why)
{
	char path[4096];

	snprintf(path, sizeof path, "%s/mdbx.dat", to);
	return check(why, mdbx_env_copy(db->env, path, MDBX_CP_DEFAULTS));
}

const struct engine engine = {
	.name = "mdbx",
	.title = "libmdbx",
	.version = version_text,
	.effective_durability = {DURABILITY_ASYNC, DURABILITY_ASYNC, DURABILITY_SYNC},
	.provenance = {.symbol = "mdbx_env_create", .has_assertions = has_assertions},
	.options = options,
	LMDB_COMMON_CALLS,
	.key_limit = 2022,
	.value_limit = MDBX_MAXDATASIZE,
	.check_settings = check_mdbx_settings,
	.open = open_mdbx,
	.close = close_mdbx,
	.settle = settle,
	.backup = backup,
	.backup_by = "mdbx_env_copy",
	.describe = describe,
	.statistics = statistics,
};
