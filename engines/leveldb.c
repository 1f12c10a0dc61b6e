/*
 * leveldb.c: LevelDB through its C API, a log-structured merge tree with one background thread.
 *
 * Transactions are write batches, applied at commit; reads see what was committed. A session keeps
 * one batch, one iterator and the last value read, which the C API hands out as a copy from malloc.
 * The log cannot be turned off, so none is async. Compression is off and there is no Bloom filter
 * unless asked for. Tables are mapped up to a limit of LevelDB's own, and an uncompressed block of
 * a mapped table is read in place, past the block cache: that cache then holds next to nothing.
 */
#include "engine.h"

#include <leveldb/c.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct db {
	leveldb_t *level;
	leveldb_options_t *options;
	leveldb_cache_t *cache;
	leveldb_filterpolicy_t *filter;
	leveldb_writeoptions_t *write;
	leveldb_readoptions_t *read;
	struct settings settings;
};

struct session {
	struct db *db;
	char *why;
	leveldb_writebatch_t *batch;
	bool open; /* the batch collects */
	leveldb_iterator_t *iterator;
	enum order order;
	leveldb_readoptions_t *read; /* the database's, or those of a view */
	const leveldb_snapshot_t *view;
	char *value; /* of the last get */
};

static struct {
	uint64_t bloom_bits, block_size, max_open_files, max_file_size;
} tuning;

static const struct option options[] = {
	{"bloom_bits", "0", "Bits a key of a Bloom filter; 0: none.", .count = &tuning.bloom_bits, .most = 100,
	 .group = "LevelDB"},
	{"block_size", "4Ki", "Uncompressed bytes in a block.", .size = &tuning.block_size, .least = 128},
	{"max_open_files", "1000", "Tables open at a time.", .count = &tuning.max_open_files, .least = 20,
	 .most = 50000},
	{"max_file_size", "2Mi", "Bytes in a table.", .size = &tuning.max_file_size, .least = 1 << 20,
	 .most = 1 << 30},
	{0},
};

/* Frees LevelDB's text. */
static enum status check(char *why, char *error)
{
	enum status status = FAILED;

	if (!error)
		return DONE;
	if (strstr(error, "No space left"))
		status = FULL;
	because(why, status, "%s", error);
	leveldb_free(error);
	return status;
}

static const char *level_version(void)
{
	static char text[32];

	snprintf(text, sizeof text, "%d.%d", leveldb_major_version(), leveldb_minor_version());
	return text;
}

static enum status level_close(struct db *db, char *why)
{
	(void)why;
	if (db->level)
		leveldb_close(db->level);
	leveldb_readoptions_destroy(db->read);
	leveldb_writeoptions_destroy(db->write);
	leveldb_options_destroy(db->options);
	leveldb_cache_destroy(db->cache);
	if (db->filter)
		leveldb_filterpolicy_destroy(db->filter);
	free(db);
	return DONE;
}

static void set_options(struct db *db)
{
	const struct settings *s = &db->settings;
	leveldb_options_t *o = db->options;

	leveldb_options_set_create_if_missing(o, s->create);
	leveldb_options_set_cache(o, db->cache);
	leveldb_options_set_write_buffer_size(o, s->write_buffer_bytes);
	leveldb_options_set_block_size(o, tuning.block_size);
	leveldb_options_set_max_open_files(o, (int)tuning.max_open_files);
	leveldb_options_set_max_file_size(o, tuning.max_file_size);
	leveldb_options_set_compression(o, s->compression ? leveldb_snappy_compression : leveldb_no_compression);
	if (tuning.bloom_bits) {
		db->filter = leveldb_filterpolicy_create_bloom((int)tuning.bloom_bits);
		leveldb_options_set_filter_policy(o, db->filter);
	}
	leveldb_writeoptions_set_sync(db->write, s->durability == DURABILITY_SYNC);
}

static struct db *level_open(const struct settings *s, char *why)
{
	struct db *db = calloc(1, sizeof *db);
	char *error = NULL;

	if (!db) {
		because(why, FAILED, "out of memory");
		return NULL;
	}
	db->settings = *s;
	db->options = leveldb_options_create();
	db->read = leveldb_readoptions_create();
	db->write = leveldb_writeoptions_create();
	db->cache = leveldb_cache_create_lru(s->cache_bytes);
	set_options(db);
	db->level = leveldb_open(db->options, s->path, &error);
	if (check(why, error) == DONE)
		return db;
	level_close(db, why);
	return NULL;
}

/* What the last read returned. */
static void let_go(struct session *s)
{
	if (s->iterator)
		leveldb_iter_destroy(s->iterator);
	s->iterator = NULL;
	leveldb_free(s->value);
	s->value = NULL;
}

static void level_release(struct session *s)
{
	let_go(s);
	if (s->view)
		leveldb_release_snapshot(s->db->level, s->view);
	s->view = NULL;
}

/* Before a read: let go of the last one, and see to the view. */
static void look(struct session *s)
{
	let_go(s);
	if (s->view || !s->db->settings.hold_view)
		return;
	s->view = leveldb_create_snapshot(s->db->level);
	leveldb_readoptions_set_snapshot(s->read, s->view);
}

static struct session *level_attach(struct db *db, char *why)
{
	struct session *s = calloc(1, sizeof *s);

	if (!s) {
		because(why, FAILED, "out of memory");
		return NULL;
	}
	*s = (struct session){.db = db, .why = why, .batch = leveldb_writebatch_create()};
	s->read = db->settings.hold_view ? leveldb_readoptions_create() : db->read;
	return s;
}

static void level_detach(struct session *s)
{
	level_release(s);
	if (s->read != s->db->read)
		leveldb_readoptions_destroy(s->read);
	leveldb_writebatch_destroy(s->batch);
	free(s);
}

static enum status level_begin(struct session *s)
{
	s->open = true;
	return DONE;
}

static enum status level_commit(struct session *s)
{
	char *error = NULL;

	leveldb_write(s->db->level, s->db->write, s->batch, &error);
	leveldb_writebatch_clear(s->batch);
	s->open = false;
	return check(s->why, error);
}

static enum status level_put(struct session *s, struct slice key, struct slice value)
{
	char *error = NULL;

	if (s->open)
		leveldb_writebatch_put(s->batch, key.data, key.size, value.data, value.size);
	else
		leveldb_put(s->db->level, s->db->write, key.data, key.size, value.data, value.size, &error);
	return check(s->why, error);
}

/* A tombstone is written whether or not there is something to delete. */
static enum status level_del(struct session *s, struct slice key)
{
	char *error = NULL;

	if (s->open)
		leveldb_writebatch_delete(s->batch, key.data, key.size);
	else
		leveldb_delete(s->db->level, s->db->write, key.data, key.size, &error);
	return check(s->why, error);
}

static enum status level_get(struct session *s, struct slice key, struct slice *value)
{
	char *error = NULL;

	look(s);
	s->value = leveldb_get(s->db->level, s->read, key.data, key.size, &value->size, &error);
	if (error)
		return check(s->why, error);
	value->data = s->value;
	return s->value ? DONE : NOT_FOUND;
}

static enum status here(struct session *s, struct slice *key, struct slice *value)
{
	char *error = NULL;

	if (!leveldb_iter_valid(s->iterator)) {
		leveldb_iter_get_error(s->iterator, &error);
		return error ? check(s->why, error) : NOT_FOUND;
	}
	key->data = leveldb_iter_key(s->iterator, &key->size);
	value->data = leveldb_iter_value(s->iterator, &value->size);
	return DONE;
}

static enum status level_next(struct session *s, struct slice *key, struct slice *value)
{
	if (s->order == FORWARD)
		leveldb_iter_next(s->iterator);
	else
		leveldb_iter_prev(s->iterator);
	return here(s, key, value);
}

static enum status level_seek(struct session *s, struct slice from, enum order order, struct slice *key,
			      struct slice *value)
{
	enum status status;

	look(s);
	s->iterator = leveldb_create_iterator(s->db->level, s->read);
	s->order = order;
	if (!from.data && order == FORWARD)
		leveldb_iter_seek_to_first(s->iterator);
	else if (from.data)
		leveldb_iter_seek(s->iterator, from.data, from.size);
	/* A seek finds the record at or above; the reverse scan begins at or below. */
	if (order == REVERSE && (!from.data || !leveldb_iter_valid(s->iterator)))
		leveldb_iter_seek_to_last(s->iterator);
	status = here(s, key, value);
	if (order == FORWARD || status != DONE || !from.data)
		return status;
	if (memcmp(key->data, from.data, key->size < from.size ? key->size : from.size) < 0 ||
	    (key->size <= from.size && !memcmp(key->data, from.data, key->size)))
		return DONE;
	return level_next(s, key, value);
}

static enum status level_compact(struct db *db, char *why)
{
	(void)why;
	leveldb_compact_range(db->level, NULL, 0, NULL, 0);
	return DONE;
}

/*
 * The C API has no call that waits, nor one that flushes the memtable. The tree rests when none of
 * "leveldb.stats" changed, which counts what compactions read and wrote, for a good while; one
 * compaction takes tenths of a second. A level over its size keeps the one thread busy, so it cannot
 * rest with work owed.
 */
static enum status level_settle(struct db *db, char *why)
{
	enum { PAUSES = 40 };
	const struct timespec pause = {0, 25000000};
	char *before = NULL;

	(void)why;
	for (int quiet = 0; quiet < PAUSES; quiet++) {
		char *now = leveldb_property_value(db->level, "leveldb.stats");

		if (!before || !now || strcmp(before, now))
			quiet = 0;
		leveldb_free(before);
		before = now;
		nanosleep(&pause, NULL);
	}
	leveldb_free(before);
	return DONE;
}

/* As passed: LevelDB cannot be asked. */
static void level_describe(struct db *db, char *text, size_t size)
{
	const struct settings *s = &db->settings;

	snprintf(text, size, "block_cache=%llu write_buffer_size=%llu compression=%s block_size=%llu bloom_bits=%llu "
		 "max_open_files=%llu max_file_size=%llu sync=%d", (unsigned long long)s->cache_bytes,
		 (unsigned long long)s->write_buffer_bytes, s->compression ? "snappy" : "none",
		 (unsigned long long)tuning.block_size, (unsigned long long)tuning.bloom_bits,
		 (unsigned long long)tuning.max_open_files, (unsigned long long)tuning.max_file_size,
		 s->durability == DURABILITY_SYNC);
}

static void level_statistics(struct db *db, char *text, size_t size)
{
	char *stats = leveldb_property_value(db->level, "leveldb.stats");

	snprintf(text, size, "%s", stats ? stats : "");
	leveldb_free(stats);
}

/* Its Env maps the first thousand tables. */
static const char *level_tune(struct settings *s)
{
	s->reads_mapped = true;
	return NULL;
}

const struct engine engine = {
	.tune = level_tune,
	.name = "leveldb",
	.title = "LevelDB",
	.version = level_version,
	.cache = "block cache",
	.write_buffer = "each of two memtables",
	.compressions = 1 << COMPRESSION_SNAPPY,
	.gives = {DURABILITY_ASYNC, DURABILITY_ASYNC, DURABILITY_SYNC},
	.symbol = "leveldb_open",
	.crc32c = true,
	.options = options,
	.value_limit = 0xffffffff,
	.views = true,
	.blind_deletes = true,
	.open = level_open,
	.close = level_close,
	.attach = level_attach,
	.detach = level_detach,
	.release = level_release,
	.begin = level_begin,
	.commit = level_commit,
	.put = level_put,
	.get = level_get,
	.del = level_del,
	.seek = level_seek,
	.next = level_next,
	.compact = level_compact,
	.settle = level_settle,
	.describe = level_describe,
	.statistics = level_statistics,
};
