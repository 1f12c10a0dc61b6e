/*
 * db.h: stands in for TokuDB's fractal tree (../stand_in.h). The values of flags are not
 * the library's.
 */
#ifndef TEST_STAND_IN_TOKU_DB_H
#define TEST_STAND_IN_TOKU_DB_H

#include <stdint.h>
#include <stdio.h>

#include "../stand_in.h"

enum {
	DB_NOTFOUND = -30989,
	DB_LOCK_DEADLOCK = -30995,
	DB_LOCK_NOTGRANTED = -30994,
	TOKUDB_HUGE_PAGES_ENABLED = -100000,

	DB_CREATE = 0x1,
	DB_THREAD = 0x2,
	DB_PRIVATE = 0x4,
	DB_RECOVER = 0x8,
	DB_INIT_MPOOL = 0x10,
	DB_INIT_LOG = 0x20,
	DB_INIT_LOCK = 0x40,
	DB_INIT_TXN = 0x80,
	DB_TXN_NOSYNC = 0x100,
	DB_TXN_SNAPSHOT = 0x200,
	DB_TXN_READ_ONLY = 0x400,
	DB_RMW = 0x800,
	DB_DELETE_ANY = 0x1000,
	DB_BTREE = 1,
};

typedef enum {
	TOKU_NO_COMPRESSION = 0,
	TOKU_SNAPPY_METHOD = 7,
	TOKU_ZLIB_WITHOUT_CHECKSUM_METHOD = 11
} TOKU_COMPRESSION_METHOD;

typedef struct {
	void *data;
	uint32_t size;
} DBT;
typedef int YDB_CALLBACK_FUNCTION(const DBT *key, const DBT *value, void *extra);

typedef struct db_txn DB_TXN;
struct db_txn {
	int (*commit)(DB_TXN *, uint32_t flags);
	int (*abort)(DB_TXN *);
};

typedef struct db_cursor DBC;
struct db_cursor {
	int (*c_close)(DBC *);
	int (*c_getf_set_range)(DBC *, uint32_t, DBT *, YDB_CALLBACK_FUNCTION *, void *);
	int (*c_getf_first)(DBC *, uint32_t, YDB_CALLBACK_FUNCTION *, void *);
	int (*c_getf_last)(DBC *, uint32_t, YDB_CALLBACK_FUNCTION *, void *);
	int (*c_getf_next)(DBC *, uint32_t, YDB_CALLBACK_FUNCTION *, void *);
	int (*c_getf_prev)(DBC *, uint32_t, YDB_CALLBACK_FUNCTION *, void *);
};

typedef struct db_env DB_ENV;
struct db_env {
	int (*set_cachesize)(DB_ENV *, uint32_t giga, uint32_t bytes, int caches);
	int (*get_cachesize)(DB_ENV *, uint32_t *giga, uint32_t *bytes, int *caches);
	int (*set_lock_timeout)(DB_ENV *, uint64_t, void *);
	int (*open)(DB_ENV *, const char *path, uint32_t flags, int mode);
	int (*close)(DB_ENV *, uint32_t flags);
	int (*checkpointing_set_period)(DB_ENV *, uint32_t seconds);
	int (*checkpointing_get_period)(DB_ENV *, uint32_t *seconds);
	int (*txn_begin)(DB_ENV *, DB_TXN *parent, DB_TXN **, uint32_t flags);
	int (*txn_checkpoint)(DB_ENV *, uint32_t, uint32_t, uint32_t);
	int (*get_engine_status_text)(DB_ENV *, char *, int);
};

typedef struct toku_db DB;
struct toku_db {
	int (*set_pagesize)(DB *, uint32_t);
	int (*get_pagesize)(DB *, uint32_t *);
	int (*set_readpagesize)(DB *, uint32_t);
	int (*get_readpagesize)(DB *, uint32_t *);
	int (*set_compression_method)(DB *, TOKU_COMPRESSION_METHOD);
	int (*get_compression_method)(DB *, TOKU_COMPRESSION_METHOD *);
	int (*open)(DB *, DB_TXN *, const char *file, const char *name, int type,
		    uint32_t flags, int mode);
	int (*close)(DB *, uint32_t flags);
	int (*put)(DB *, DB_TXN *, DBT *key, DBT *value, uint32_t flags);
	int (*del)(DB *, DB_TXN *, DBT *key, uint32_t flags);
	int (*getf_set)(DB *, DB_TXN *, uint32_t flags, DBT *key, YDB_CALLBACK_FUNCTION *,
			void *);
	int (*cursor)(DB *, DB_TXN *, DBC **, uint32_t flags);
};

STAND_IN(toku_txn_commit, DB_TXN *txn, uint32_t flags)
STAND_IN(toku_txn_abort, DB_TXN *txn)
STAND_IN(toku_c_close, DBC *cursor)
STAND_IN(toku_set_cachesize, DB_ENV *env, uint32_t giga, uint32_t bytes, int caches)
STAND_IN(toku_set_lock_timeout, DB_ENV *env, uint64_t ms, void *function)
STAND_IN(toku_env_open, DB_ENV *env, const char *path, uint32_t flags, int mode)
STAND_IN(toku_env_close, DB_ENV *env, uint32_t flags)
STAND_IN(toku_set_period, DB_ENV *env, uint32_t seconds)
STAND_IN(toku_txn_checkpoint, DB_ENV *env, uint32_t a, uint32_t b, uint32_t c)
STAND_IN(toku_set_pagesize, DB *db, uint32_t bytes)
STAND_IN(toku_set_readpagesize, DB *db, uint32_t bytes)
STAND_IN(toku_set_compression_method, DB *db, TOKU_COMPRESSION_METHOD method)
STAND_IN(toku_db_open, DB *db, DB_TXN *txn, const char *file, const char *name, int type,
	 uint32_t flags, int mode)
STAND_IN(toku_db_close, DB *db, uint32_t flags)

static inline int toku_get_number(uint32_t *to, uint32_t number)
{
	*to = number;
	return 0;
}

static inline int toku_get_cachesize(DB_ENV *env, uint32_t *giga, uint32_t *bytes,
				     int *caches)
{
	*giga = 3;
	*bytes = 1001;
	*caches = 7;
	return 0;
}

static inline int toku_get_period(DB_ENV *env, uint32_t *to)
{
	return toku_get_number(to, 1002);
}

static inline int toku_get_pagesize(DB *db, uint32_t *to)
{
	return toku_get_number(to, 1003);
}

static inline int toku_get_readpagesize(DB *db, uint32_t *to)
{
	return toku_get_number(to, 1004);
}

static inline int toku_get_compression(DB *db, TOKU_COMPRESSION_METHOD *to)
{
	*to = TOKU_SNAPPY_METHOD;
	return 0;
}

static inline int toku_get_status(DB_ENV *env, char *text, int size)
{
	snprintf(text, (size_t)size, "status in %d bytes", size);
	return stand_in("toku_get_status");
}

static inline int toku_txn_begin(DB_ENV *env, DB_TXN *parent, DB_TXN **txn,
				 uint32_t flags)
{
	static DB_TXN made = {toku_txn_commit, toku_txn_abort};
	int rc = stand_in("toku_txn_begin");

	if (!rc)
		*txn = &made;
	return rc;
}

static inline int toku_db_put(DB *db, DB_TXN *txn, DBT *key, DBT *value, uint32_t flags)
{
	stand_in_bytes("key", key->data, key->size);
	stand_in_bytes("value", value->data, value->size);
	return stand_in("toku_db_put");
}

static inline int toku_db_del(DB *db, DB_TXN *txn, DBT *key, uint32_t flags)
{
	stand_in_bytes("key", key->data, key->size);
	return stand_in("toku_db_del");
}

/* A get passes the value alone: --fail=toku_found:RESULT. */
static inline int toku_pass(YDB_CALLBACK_FUNCTION *found, void *extra, int with_key)
{
	const DBT key = {STAND_IN_KEY, sizeof STAND_IN_KEY - 1};
	const DBT value = {STAND_IN_VALUE, sizeof STAND_IN_VALUE - 1};
	int rc = stand_in("toku_found");

	return rc ? rc : found(with_key ? &key : NULL, &value, extra);
}

static inline int toku_getf_set(DB *db, DB_TXN *txn, uint32_t flags, DBT *key,
				YDB_CALLBACK_FUNCTION *found, void *extra)
{
	stand_in_bytes("key", key->data, key->size);
	return toku_pass(found, extra, 0);
}

static inline int toku_c_getf_set_range(DBC *cursor, uint32_t flags, DBT *key,
					YDB_CALLBACK_FUNCTION *found, void *extra)
{
	stand_in_bytes("from", key->data, key->size);
	return toku_pass(found, extra, 1);
}

static inline int toku_c_getf(DBC *cursor, uint32_t flags, YDB_CALLBACK_FUNCTION *found,
			      void *extra)
{
	return toku_pass(found, extra, 1);
}

static inline int toku_cursor(DB *db, DB_TXN *txn, DBC **cursor, uint32_t flags)
{
	static DBC made = {toku_c_close, toku_c_getf_set_range, toku_c_getf,
			   toku_c_getf,  toku_c_getf,           toku_c_getf};
	int rc = stand_in("toku_cursor");

	if (!rc)
		*cursor = &made;
	return rc;
}

static inline int db_env_create(DB_ENV **env, uint32_t flags)
{
	static DB_ENV made = {toku_set_cachesize,    toku_get_cachesize,
			      toku_set_lock_timeout, toku_env_open,
			      toku_env_close,        toku_set_period,
			      toku_get_period,       toku_txn_begin,
			      toku_txn_checkpoint,   toku_get_status};
	int rc = stand_in("db_env_create");

	if (!rc)
		*env = &made;
	return rc;
}

static inline int db_create(DB **db, DB_ENV *env, uint32_t flags)
{
	static DB made = {toku_set_pagesize,
			  toku_get_pagesize,
			  toku_set_readpagesize,
			  toku_get_readpagesize,
			  toku_set_compression_method,
			  toku_get_compression,
			  toku_db_open,
			  toku_db_close,
			  toku_db_put,
			  toku_db_del,
			  toku_getf_set,
			  toku_cursor};
	int rc = stand_in("db_create");

	if (!rc)
		*db = &made;
	return rc;
}

static inline const char *db_strerror(int rc)
{
	return rc > 0 ? "text of the system's" : "text of the library's";
}

static inline void db_version(int *major, int *minor, int *patch)
{
	*major = 1;
	*minor = 23;
	*patch = 45;
}

/* Calls it, to see what it does. */
static inline void db_env_set_func_fsync(int (*function)(int))
{
	if (function)
		stand_in_note("its result is %d", function(-1));
}

#endif
