/* lsm.h: stands in for LSM1 (stand_in.h). */
#ifndef TEST_STAND_IN_LSM_H
#define TEST_STAND_IN_LSM_H

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "stand_in.h"

enum {
	LSM_OK = 0,
	LSM_BUSY = 5,
	LSM_NOMEM = 7,
	LSM_IOERR = 10,
	LSM_CORRUPT = 11,
	LSM_FULL = 13,

	LSM_SAFETY_OFF = 0,
	LSM_SAFETY_NORMAL = 1,
	LSM_SAFETY_FULL = 2,

	LSM_CONFIG_AUTOFLUSH = 1,
	LSM_CONFIG_PAGE_SIZE = 2,
	LSM_CONFIG_SAFETY = 3,
	LSM_CONFIG_BLOCK_SIZE = 4,
	LSM_CONFIG_AUTOWORK = 5,
	LSM_CONFIG_MMAP = 7,
	LSM_CONFIG_USE_LOG = 8,
	LSM_CONFIG_AUTOMERGE = 9,
	LSM_CONFIG_MULTIPLE_PROCESSES = 11,
	LSM_CONFIG_AUTOCHECKPOINT = 12,

	LSM_INFO_DB_STRUCTURE = 3,
	LSM_INFO_CHECKPOINT_SIZE = 10,
	LSM_INFO_TREE_SIZE = 11,

	LSM_SEEK_LE = -1,
	LSM_SEEK_EQ = 0,
	LSM_SEEK_GE = 1,
};

typedef struct lsm_db lsm_db;
typedef struct lsm_env lsm_env;
typedef struct lsm_cursor lsm_cursor;

STAND_IN_MAKES(lsm_new, lsm, lsm_env *env, lsm_db **lsm)
STAND_IN(lsm_open, lsm_db *lsm, const char *path)
STAND_IN(lsm_close, lsm_db *lsm)
STAND_IN(lsm_begin, lsm_db *lsm, int level)
STAND_IN(lsm_commit, lsm_db *lsm, int level)
STAND_IN(lsm_rollback, lsm_db *lsm, int level)
STAND_IN(lsm_work, lsm_db *lsm, int segments, int kib, int *written)
STAND_IN(lsm_flush, lsm_db *lsm)
STAND_IN(lsm_checkpoint, lsm_db *lsm, int *kib)
STAND_IN_MAKES(lsm_csr_open, cursor, lsm_db *lsm, lsm_cursor **cursor)
STAND_IN(lsm_csr_close, lsm_cursor *cursor)
STAND_IN(lsm_csr_first, lsm_cursor *cursor)
STAND_IN(lsm_csr_last, lsm_cursor *cursor)
STAND_IN(lsm_csr_next, lsm_cursor *cursor)
STAND_IN(lsm_csr_prev, lsm_cursor *cursor)

/* A value that is negative asks for the one in effect, which is 100 times its number. */
static inline int lsm_config(lsm_db *lsm, int what, ...)
{
	va_list arguments;
	int *value;

	va_start(arguments, what);
	value = va_arg(arguments, int *);
	va_end(arguments);
	if (*value < 0)
		*value = 100 * what;
	else
		stand_in_note("%d", *value);
	return stand_in("lsm_config");
}

static inline int lsm_info(lsm_db *lsm, int what, ...)
{
	va_list arguments;

	va_start(arguments, what);
	if (what == LSM_INFO_DB_STRUCTURE) {
		*va_arg(arguments, char **) = strdup("{structure}");
	} else {
		*va_arg(arguments, int *) = 10 * what;
		if (what == LSM_INFO_TREE_SIZE)
			*va_arg(arguments, int *) = 10 * what + 1;
	}
	va_end(arguments);
	return LSM_OK;
}

static inline lsm_env *lsm_get_env(lsm_db *lsm)
{
	return NULL;
}

static inline void lsm_free(lsm_env *env, void *memory)
{
	free(memory);
}

static inline int lsm_insert(lsm_db *lsm, const void *key, int key_size,
			     const void *value, int value_size)
{
	stand_in_bytes("key", key, (size_t)key_size);
	return stand_in("lsm_insert");
}

static inline int lsm_delete(lsm_db *lsm, const void *key, int key_size)
{
	stand_in_bytes("key", key, (size_t)key_size);
	return stand_in("lsm_delete");
}

static inline int lsm_csr_seek(lsm_cursor *cursor, const void *key, int key_size, int how)
{
	stand_in_bytes("key", key, (size_t)key_size);
	return stand_in("lsm_csr_seek");
}

/* --fail=lsm_csr_valid:1: there is no record */
static inline int lsm_csr_valid(lsm_cursor *cursor)
{
	return !stand_in("lsm_csr_valid");
}

static inline int lsm_csr_key(lsm_cursor *cursor, const void **key, int *size)
{
	*key = STAND_IN_KEY;
	*size = sizeof STAND_IN_KEY - 1;
	return stand_in("lsm_csr_key");
}

/* --fail=lsm_csr_value:-1: an empty one */
static inline int lsm_csr_value(lsm_cursor *cursor, const void **value, int *size)
{
	int rc = stand_in("lsm_csr_value");

	*value = rc ? NULL : STAND_IN_VALUE;
	*size = rc ? 0 : sizeof STAND_IN_VALUE - 1;
	return rc < 0 ? LSM_OK : rc;
}

#endif
