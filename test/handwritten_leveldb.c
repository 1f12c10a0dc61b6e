/* handwritten_leveldb.c: puts and gets of LevelDB by hand, through its C API. */
#include <leveldb/c.h>

#include "handwritten.h"

struct handwritten_database {
	leveldb_options_t *options;
	leveldb_cache_t *cache;
	leveldb_readoptions_t *read;
	leveldb_writeoptions_t *write;
	leveldb_t *db;
};

static void check(const char *error)
{
	if (error)
		handwritten_fail(error);
}

static struct handwritten_database handwritten_open(const char *path)
{
	struct handwritten_database d = {leveldb_options_create(),
					 leveldb_cache_create_lru(256 << 20),
					 leveldb_readoptions_create(),
					 leveldb_writeoptions_create(), NULL};
	char *error = NULL;

	leveldb_options_set_create_if_missing(d.options, 1);
	leveldb_options_set_cache(d.options, d.cache);
	leveldb_options_set_write_buffer_size(d.options, 64 << 20);
	leveldb_options_set_compression(d.options, leveldb_no_compression);
	d.db = leveldb_open(d.options, path, &error);
	check(error);
	return d;
}

static void handwritten_close(struct handwritten_database *d)
{
	leveldb_close(d->db);
	leveldb_readoptions_destroy(d->read);
	leveldb_writeoptions_destroy(d->write);
	leveldb_options_destroy(d->options);
	leveldb_cache_destroy(d->cache);
}

/* The bytes of a get, which are a copy. */
static inline uint64_t read_one(struct handwritten_database *d, const char *key)
{
	char *error = NULL, *value;
	uint64_t sum;
	size_t size;

	value = leveldb_get(d->db, d->read, key, HANDWRITTEN_KEY_SIZE, &size, &error);
	check(value ? error : "a record is missing");
	sum = handwritten_sum(value, size);
	leveldb_free(value);
	return sum;
}

#include "handwritten_leveldb_common.h"

const struct handwritten handwritten = {"leveldb", fill_all, read_all};
