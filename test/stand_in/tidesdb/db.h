/* db.h: stands in for TidesDB (stand_in.h). */
#ifndef TEST_STAND_IN_TIDESDB_DB_H
#define TEST_STAND_IN_TIDESDB_DB_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../stand_in.h"

enum {
	TDB_SUCCESS = 0,
	TDB_ERR_NOT_FOUND = -3,
	TDB_ERR_CONFLICT = -7,
	TDB_ERR_LOCKED = -12,
	TDB_ERR_NO_SPACE = -15,

	TDB_SYNC_NONE = 0,
	TDB_SYNC_FULL = 1,
	TDB_SYNC_INTERVAL = 2,
	TDB_LOG_NONE = 0,
};

typedef struct tidesdb_t tidesdb_t;
typedef struct tidesdb_column_family_t tidesdb_column_family_t;
typedef struct tidesdb_txn_t tidesdb_txn_t;
typedef struct tidesdb_iter_t tidesdb_iter_t;
typedef enum {
	TDB_ISOLATION_READ_COMMITTED = 1,
	TDB_ISOLATION_SNAPSHOT = 3
} tidesdb_isolation_level_t;
typedef enum {
	TDB_COMPRESS_NONE,
	TDB_COMPRESS_SNAPPY,
	TDB_COMPRESS_LZ4,
	TDB_COMPRESS_ZSTD
} tidesdb_compression_algorithm_t;

typedef struct {
	char *db_path;
	int num_flush_threads, num_compaction_threads, log_level, memtable_sync_mode;
	size_t block_cache_size, memtable_write_buffer_size, value_separation_threshold;
	uint64_t memtable_sync_interval_us;
} tidesdb_config_t;

typedef struct {
	size_t btree_klog_block_size, level_size_ratio;
	int keep_values_inline, enable_bloom_filter, encoding_count;
	int l1_file_count_trigger;
	double bloom_fpr;
	uint8_t encoding_pipeline[4];
} tidesdb_column_family_config_t;

typedef struct {
	tidesdb_column_family_config_t config;
} tidesdb_cf_stats_t;

typedef struct {
	int immutable_memtable_count, compaction_pending_count, total_sstable_count;
	uint64_t flush_count, compaction_count, flush_bytes_written,
		compaction_bytes_written, wal_bytes_written, vlog_bytes_written;
	uint64_t txn_commits, txn_conflicts, writes_throttled, writes_blocked,
		write_stall_us;
} tidesdb_db_stats_t;

typedef struct {
	uint64_t total_bytes, hits, misses;
} tidesdb_cache_stats_t;

STAND_IN(tidesdb_close, tidesdb_t *db)
STAND_IN(tidesdb_checkpoint, tidesdb_t *db)
STAND_IN(tidesdb_flush_memtable, tidesdb_t *db)
STAND_IN(tidesdb_compact, tidesdb_t *db, tidesdb_column_family_t *family)
STAND_IN(tidesdb_is_flushing, tidesdb_t *db)
STAND_IN(tidesdb_is_compacting, tidesdb_column_family_t *family)
STAND_IN_MAKES(tidesdb_txn_begin_with_isolation, txn, tidesdb_t *db,
	       tidesdb_isolation_level_t isolation, tidesdb_txn_t **txn)
STAND_IN(tidesdb_txn_reset, tidesdb_txn_t *txn, tidesdb_isolation_level_t isolation)
STAND_IN(tidesdb_txn_commit, tidesdb_txn_t *txn)
STAND_IN(tidesdb_txn_rollback, tidesdb_txn_t *txn)
STAND_IN(tidesdb_txn_free, tidesdb_txn_t *txn)
STAND_IN_MAKES(tidesdb_iter_new, iterator, tidesdb_txn_t *txn,
	       tidesdb_column_family_t *family, tidesdb_iter_t **iterator)
STAND_IN(tidesdb_iter_free, tidesdb_iter_t *iterator)
STAND_IN(tidesdb_iter_seek_to_first, tidesdb_iter_t *iterator)
STAND_IN(tidesdb_iter_seek_to_last, tidesdb_iter_t *iterator)
STAND_IN(tidesdb_iter_next, tidesdb_iter_t *iterator)
STAND_IN(tidesdb_iter_prev, tidesdb_iter_t *iterator)

static inline const char *tidesdb_strerror(int rc)
{
	return rc == TDB_ERR_NO_SPACE ? "text of no space" : "text of an error";
}

/* --fail=tidesdb_compression_available:1: none is */
static inline int tidesdb_compression_available(tidesdb_compression_algorithm_t which)
{
	return !stand_in("tidesdb_compression_available");
}

static inline tidesdb_config_t tidesdb_default_config(void)
{
	return (tidesdb_config_t){.log_level = 77};
}

static inline int tidesdb_open(const tidesdb_config_t *c, tidesdb_t **db)
{
	static char object;
	int rc = stand_in("tidesdb_open");

	stand_in_note("db_path %s", c->db_path);
	stand_in_note("num_flush_threads %d", c->num_flush_threads);
	stand_in_note("num_compaction_threads %d", c->num_compaction_threads);
	stand_in_note("log_level %d", c->log_level);
	stand_in_note("memtable_sync_mode %d", c->memtable_sync_mode);
	stand_in_note("block_cache_size %zu", c->block_cache_size);
	stand_in_note("memtable_write_buffer_size %zu", c->memtable_write_buffer_size);
	stand_in_note("value_separation_threshold %zu", c->value_separation_threshold);
	stand_in_note("memtable_sync_interval_us %ju",
		      (uintmax_t)c->memtable_sync_interval_us);
	if (!rc)
		*db = (void *)&object;
	return rc;
}

static inline tidesdb_column_family_config_t tidesdb_default_column_family_config(void)
{
	return (tidesdb_column_family_config_t){
		.btree_klog_block_size = 3001,
		.level_size_ratio = 3002,
		.keep_values_inline = 77,
		.enable_bloom_filter = 77,
		.encoding_count = 77,
		.l1_file_count_trigger = 3003,
		.bloom_fpr = 0.25,
	};
}

static inline int tidesdb_create_column_family(tidesdb_t *db, const char *name,
					       const tidesdb_column_family_config_t *c)
{
	stand_in_note("btree_klog_block_size %zu", c->btree_klog_block_size);
	stand_in_note("keep_values_inline %d", c->keep_values_inline);
	stand_in_note("enable_bloom_filter %d", c->enable_bloom_filter);
	stand_in_note("bloom_fpr %g", c->bloom_fpr);
	stand_in_note("encoding_count %d, the first %d", c->encoding_count,
		      c->encoding_pipeline[0]);
	return stand_in("tidesdb_create_column_family");
}

/* --fail=tidesdb_get_column_family:1: there is none */
static inline tidesdb_column_family_t *tidesdb_get_column_family(tidesdb_t *db,
								 const char *name)
{
	static char object;

	return stand_in("tidesdb_get_column_family") ? NULL : (void *)&object;
}

static inline int tidesdb_get_cf_stats(tidesdb_column_family_t *family,
				       tidesdb_cf_stats_t *stats)
{
	stats->config = tidesdb_default_column_family_config();
	return stand_in("tidesdb_get_cf_stats");
}

static inline int tidesdb_get_db_stats(tidesdb_t *db, tidesdb_db_stats_t *stats)
{
	*stats = (tidesdb_db_stats_t){1,    2,    3,    1004, 1005, 1006, 1007,
				      1008, 1009, 1010, 1011, 1012, 1013, 1014};
	return stand_in("tidesdb_get_db_stats");
}

static inline int tidesdb_get_cache_stats(tidesdb_t *db, tidesdb_cache_stats_t *stats)
{
	*stats = (tidesdb_cache_stats_t){2001, 2002, 2003};
	return stand_in("tidesdb_get_cache_stats");
}

static inline int tidesdb_txn_put(tidesdb_txn_t *txn, tidesdb_column_family_t *family,
				  const uint8_t *key, size_t key_size,
				  const uint8_t *value, size_t value_size, long ttl)
{
	stand_in_bytes("key", key, key_size);
	return stand_in("tidesdb_txn_put");
}

static inline int tidesdb_txn_delete(tidesdb_txn_t *txn, tidesdb_column_family_t *family,
				     const uint8_t *key, size_t key_size)
{
	stand_in_bytes("key", key, key_size);
	return stand_in("tidesdb_txn_delete");
}

/* A result of 1 is an empty value. */
static inline int tidesdb_found(int rc, uint8_t **value, size_t *size)
{
	if (!rc) {
		*value = (uint8_t *)strdup(STAND_IN_VALUE);
		*size = sizeof STAND_IN_VALUE - 1;
	}
	return rc == 1 ? TDB_SUCCESS : rc;
}

static inline int tidesdb_txn_get(tidesdb_txn_t *txn, tidesdb_column_family_t *family,
				  const uint8_t *key, size_t key_size, uint8_t **value,
				  size_t *size)
{
	stand_in_bytes("key", key, key_size);
	return tidesdb_found(stand_in("tidesdb_txn_get"), value, size);
}

static inline int tidesdb_txn_get_notrack(tidesdb_txn_t *txn,
					  tidesdb_column_family_t *family,
					  const uint8_t *key, size_t key_size,
					  uint8_t **value, size_t *size)
{
	stand_in_bytes("key", key, key_size);
	return tidesdb_found(stand_in("tidesdb_txn_get_notrack"), value, size);
}

static inline int tidesdb_iter_seek(tidesdb_iter_t *iterator, const uint8_t *key,
				    size_t size)
{
	stand_in_bytes("key", key, size);
	return stand_in("tidesdb_iter_seek");
}

static inline int tidesdb_iter_key_value(tidesdb_iter_t *iterator, uint8_t **key,
					 size_t *key_size, uint8_t **value,
					 size_t *value_size)
{
	int rc = tidesdb_found(stand_in("tidesdb_iter_key_value"), value, value_size);

	if (rc)
		return rc;
	*key = (uint8_t *)strdup(STAND_IN_KEY);
	*key_size = sizeof STAND_IN_KEY - 1;
	return TDB_SUCCESS;
}

static inline void tidesdb_free(void *memory)
{
	free(memory);
}

#endif
