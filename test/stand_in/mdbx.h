/* mdbx.h: stands in for libmdbx (stand_in.h). */
#ifndef TEST_STAND_IN_MDBX_H
#define TEST_STAND_IN_MDBX_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include "stand_in.h"

#define MDBX_MAXDATASIZE 2147418112u

enum {
	MDBX_SUCCESS = 0,
	MDBX_RESULT_TRUE = -1,
	MDBX_NOTFOUND = -30798,
	MDBX_MAP_FULL = -30792,

	MDBX_LOG_FATAL = 0,
	MDBX_DBG_DONTCHANGE = -1,
	MDBX_MAX_PAGESIZE = 65536,

	MDBX_SYNC_DURABLE = 0,
	MDBX_INTEGERKEY = 8,
	MDBX_CP_DEFAULTS = 0,
	MDBX_TXN_READWRITE = 0,
	MDBX_TXN_RDONLY = 0x20000,
	MDBX_RDONLY = 0x20000,
	MDBX_APPEND = 0x20000,
	MDBX_CREATE = 0x40000,
	MDBX_NOMETASYNC = 0x40000,
	MDBX_WRITEMAP = 0x80000,
	MDBX_UTTERLY_NOSYNC = 0x110000,
	MDBX_NOSTICKYTHREADS = 0x200000,
	MDBX_NORDAHEAD = 0x800000,
};

typedef struct mdbx_env MDBX_env;
typedef struct mdbx_txn MDBX_txn;
typedef struct mdbx_cursor MDBX_cursor;
typedef struct iovec MDBX_val;
typedef uint32_t MDBX_dbi;
typedef enum {
	MDBX_FIRST = 0,
	MDBX_LAST = 6,
	MDBX_NEXT = 8,
	MDBX_PREV = 12,
	MDBX_SET_RANGE = 17
} MDBX_cursor_op;

typedef struct {
	struct {
		uint64_t upper, grow;
	} mi_geo;
	struct {
		uint64_t split, merge, cow, spill;
	} mi_pgop_stat;
	uint64_t mi_last_pgno, mi_recent_txnid;
	uint32_t mi_dxb_pagesize, mi_maxreaders, mi_numreaders;
} MDBX_envinfo;

typedef struct {
	uint32_t ms_psize, ms_depth;
	uint64_t ms_branch_pages, ms_leaf_pages, ms_overflow_pages, ms_entries;
} MDBX_stat;

static const struct {
	int major, minor, patch;
} mdbx_version = {1, 23, 45};
static const struct {
	const char *options;
} mdbx_build = {"MDBX_CHECKING=1"};

STAND_IN(mdbx_setup_debug, int level, int flags, void *logger)
STAND_IN_MAKES(mdbx_env_create, env, MDBX_env **env)
STAND_IN(mdbx_env_set_geometry, MDBX_env *env, intptr_t lower, intptr_t now,
	 intptr_t upper, intptr_t growth, intptr_t shrink, intptr_t page_size)
STAND_IN(mdbx_env_set_maxreaders, MDBX_env *env, unsigned readers)
STAND_IN(mdbx_env_close, MDBX_env *env)
STAND_IN(mdbx_env_sync, MDBX_env *env)
STAND_IN(mdbx_env_copy, MDBX_env *env, const char *path, unsigned flags)
STAND_IN_MAKES(mdbx_txn_begin, txn, MDBX_env *env, MDBX_txn *parent, unsigned flags,
	       MDBX_txn **txn)
STAND_IN(mdbx_txn_commit, MDBX_txn *txn)
STAND_IN(mdbx_txn_abort, MDBX_txn *txn)
STAND_IN(mdbx_txn_reset, MDBX_txn *txn)
STAND_IN(mdbx_txn_renew, MDBX_txn *txn)
STAND_IN_MAKES(mdbx_cursor_open, cursor, MDBX_txn *txn, MDBX_dbi dbi,
	       MDBX_cursor **cursor)
STAND_IN(mdbx_cursor_close, MDBX_cursor *cursor)
STAND_IN(mdbx_cursor_renew, MDBX_txn *txn, MDBX_cursor *cursor)

/* Until the program ends there is a large file, which has no blocks. */
static char mdbx_file[4096];

static void mdbx_remove_file(void)
{
	unlink(mdbx_file);
}

static inline int mdbx_env_open(MDBX_env *env, const char *path, unsigned flags,
				mode_t mode)
{
	int fd;

	if (!*mdbx_file)
		atexit(mdbx_remove_file);
	snprintf(mdbx_file, sizeof mdbx_file, "%s/mdbx.dat", path);
	fd = open(mdbx_file, O_CREAT | O_WRONLY, mode);
	ftruncate(fd, (off_t)5 << 30);
	close(fd);
	return stand_in("mdbx_env_open");
}

static inline const char *mdbx_strerror_r(int rc, char *text, size_t size)
{
	snprintf(text, size, "text of %d", rc);
	return text;
}

static inline intptr_t mdbx_limits_dbsize_max(intptr_t page_size)
{
	return page_size << 31;
}

/* The bits that are set: --fail=mdbx_env_get_flags:BITS, and of a table below. */
static inline int mdbx_env_get_flags(MDBX_env *env, unsigned *flags)
{
	*flags = (unsigned)stand_in("mdbx_env_get_flags");
	return 0;
}

static inline int mdbx_dbi_open(MDBX_txn *txn, const char *name, unsigned flags,
				MDBX_dbi *dbi)
{
	*dbi = 1;
	return stand_in("mdbx_dbi_open");
}

static inline int mdbx_dbi_flags_ex(MDBX_txn *txn, MDBX_dbi dbi, unsigned *flags,
				    unsigned *state)
{
	*flags = (unsigned)stand_in("mdbx_dbi_flags_ex");
	*state = 0;
	return 0;
}

static inline int mdbx_env_info_ex(const MDBX_env *env, const MDBX_txn *txn,
				   MDBX_envinfo *info, size_t size)
{
	*info = (MDBX_envinfo){.mi_geo = {.upper = 1001, .grow = 1002},
			       .mi_pgop_stat = {1003, 1004, 1005, 1006},
			       .mi_last_pgno = 1007,
			       .mi_recent_txnid = 1008,
			       .mi_dxb_pagesize = 1009,
			       .mi_maxreaders = 1010,
			       .mi_numreaders = 1011};
	return 0;
}

static inline int mdbx_env_stat_ex(const MDBX_env *env, const MDBX_txn *txn,
				   MDBX_stat *stat, size_t size)
{
	*stat = (MDBX_stat){2001, 2002, 2003, 2004, 2005, 2006};
	return 0;
}

static inline int mdbx_found(int rc, MDBX_val *key, MDBX_val *value)
{
	if (rc)
		return rc;
	if (key)
		*key = (MDBX_val){STAND_IN_KEY, sizeof STAND_IN_KEY - 1};
	*value = (MDBX_val){STAND_IN_VALUE, sizeof STAND_IN_VALUE - 1};
	return 0;
}

static inline int mdbx_get(MDBX_txn *txn, MDBX_dbi dbi, const MDBX_val *key,
			   MDBX_val *value)
{
	stand_in_bytes("key", key->iov_base, key->iov_len);
	return mdbx_found(stand_in("mdbx_get"), NULL, value);
}

static inline int mdbx_put(MDBX_txn *txn, MDBX_dbi dbi, const MDBX_val *key,
			   MDBX_val *value, unsigned flags)
{
	stand_in_bytes("key", key->iov_base, key->iov_len);
	stand_in_bytes("value", value->iov_base, value->iov_len);
	return stand_in("mdbx_put");
}

static inline int mdbx_del(MDBX_txn *txn, MDBX_dbi dbi, const MDBX_val *key,
			   const MDBX_val *value)
{
	stand_in_bytes("key", key->iov_base, key->iov_len);
	return stand_in("mdbx_del");
}

static inline int mdbx_cursor_get(MDBX_cursor *cursor, MDBX_val *key, MDBX_val *value,
				  MDBX_cursor_op op)
{
	if (op == MDBX_SET_RANGE)
		stand_in_bytes("from", key->iov_base, key->iov_len);
	return mdbx_found(stand_in("mdbx_cursor_get"), key, value);
}

#endif
