/* handwritten_rocksdb.c: puts and pinned gets of RocksDB by hand, through its C API. */
#include <rocksdb/c.h>

#include "handwritten.h"

struct handwritten_database {
	rocksdb_options_t *options;
	rocksdb_block_based_table_options_t *table;
	rocksdb_cache_t *cache;
	rocksdb_readoptions_t *read;
	rocksdb_writeoptions_t *write;
	rocksdb_t *db;
};

static void check(const char *error)
{
	if (error)
		handwritten_fail(error);
}

static struct handwritten_database handwritten_open(const char *path)
{
	struct handwritten_database d = {rocksdb_options_create(),
					 rocksdb_block_based_options_create(),
					 rocksdb_cache_create_lru(256 << 20),
					 rocksdb_readoptions_create(),
					 rocksdb_writeoptions_create(),
					 NULL};
	char *error = NULL;

	rocksdb_options_set_create_if_missing(d.options, 1);
	rocksdb_options_set_write_buffer_size(d.options, 64 << 20);
	rocksdb_options_set_max_write_buffer_number(d.options, 2);
	rocksdb_options_set_compression(d.options, rocksdb_no_compression);
	rocksdb_options_set_max_background_jobs(d.options, 2);
	rocksdb_options_set_stats_dump_period_sec(d.options, 0);
	rocksdb_options_set_stats_persist_period_sec(d.options, 0);
	rocksdb_block_based_options_set_block_cache(d.table, d.cache);
	rocksdb_block_based_options_set_block_size(d.table, 4096);
	rocksdb_block_based_options_set_cache_index_and_filter_blocks(d.table, 1);
	rocksdb_options_set_block_based_table_factory(d.options, d.table);
	d.db = rocksdb_open(d.options, path, &error);
	check(error);
	return d;
}

static void handwritten_close(struct handwritten_database *d)
{
	rocksdb_close(d->db);
	rocksdb_readoptions_destroy(d->read);
	rocksdb_writeoptions_destroy(d->write);
	rocksdb_options_destroy(d->options);
	rocksdb_block_based_options_destroy(d->table);
	rocksdb_cache_destroy(d->cache);
}

/* The bytes of a get, which are in the block cache. */
static inline uint64_t read_one(struct handwritten_database *d, const char *key)
{
	rocksdb_pinnableslice_t *pinned;
	char *error = NULL;
	const char *value;
	uint64_t sum;
	size_t size;

	pinned = rocksdb_get_pinned(d->db, d->read, key, HANDWRITTEN_KEY_SIZE, &error);
	check(pinned ? error : "a record is missing");
	value = rocksdb_pinnableslice_value(pinned, &size);
	sum = handwritten_sum(value, size);
	rocksdb_pinnableslice_destroy(pinned);
	return sum;
}

#include "../engines/rocksdb_names.h"
#include "handwritten_leveldb_common.h"

const struct handwritten handwritten = {"rocksdb", fill_all, read_all};
