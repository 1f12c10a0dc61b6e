/*
 * leveldb.c: LevelDB through its C API, a log-structured merge tree with one background
 * thread.
 *
 * Batches, snapshots and iterators are in level.h. A session keeps one batch, one
 * iterator and the last value read, which the C API hands out as a copy from malloc.
 * The log cannot be turned off, so none is async. Compression is off and there is no
 * Bloom filter unless asked for. Tables are mapped up to a limit of LevelDB's own, and an
 * uncompressed block of a mapped table is read in place, past the block cache: that cache
 * then holds next to nothing.
 *
 * HyperLevelDB and Basho's LevelDB have the same interface, but for what is younger than
 * they are. FORK is 100 times the version of LevelDB that one of them says it is, and 0
 * for LevelDB itself.
 */
#include <leveldb/c.h>
#include <stdlib.h>

#include "engine.h"

#ifndef FORK
#define FORK 0
#define ENGINE_NAME "leveldb"
#define ENGINE_TITLE "LevelDB"
#endif
#if FORK && FORK < 109
#define leveldb_free free
#endif
#define BASHO (FORK && FORK < 110)

struct db {
	leveldb_t *level;
	leveldb_options_t *options;
	leveldb_cache_t *cache;
	leveldb_filterpolicy_t *filter;
	leveldb_writeoptions_t *write;
	const struct settings *settings;
};

struct session {
	struct db *db;
	char *why;
	leveldb_writebatch_t *batch;
	bool open; /* the batch collects */
	leveldb_iterator_t *iterator;
	leveldb_readoptions_t *read;
	const leveldb_snapshot_t *snapshot;
	char *value; /* of the last get */
};

static void drop_result(struct session *s)
{
	leveldb_free(s->value);
	s->value = NULL;
}

#define LEVEL(name) leveldb_##name
#include "level.h"

static enum status level_get(struct session *s, struct slice key, struct slice *value)
{
	char *error = NULL;

	begin_read(s);
	s->value = leveldb_get(s->db->level, s->read, key.data, key.size, &value->size,
			       &error);
	if (error)
		return check(s->why, error);
	value->data = s->value;
	return s->value ? DONE : NOT_FOUND;
}

static struct {
	uint64_t bloom_bits, block_size, max_open_files, max_file_size;
} tuning;

static const struct option options[] = {
	{"bloom_bits", "0",
	 "Bits per key in the Bloom filters of tables; 0: no Bloom filters.",
	 .count = &tuning.bloom_bits, .most = 100, .group = "LevelDB"},
	{"block_size", "4Ki", "Size of a block of a table before compression, bytes.",
	 .size = &tuning.block_size, .least = 128},
	{"max_open_files", "1000", "Table files that may be open at a time.",
	 .count = &tuning.max_open_files, .least = 20, .most = 50000},
#if !FORK
	{"max_file_size", "2Mi",
	 "Size of a table file, bytes, at which the next one is begun.",
	 .size = &tuning.max_file_size,
	 .least = 1 << 20, .most = 1 << 30},
#endif
	{0},
};

/*
 * LevelDB's Env maps the first thousand tables; Basho's forks have that switched off.
 * The forks write their files through maps, as LevelDB did when they left it.
 */
static const char *level_tune(struct settings *s)
{
	s->reads_mapped = !BASHO;
	s->writes_unseen = FORK;
	return NULL;
}

static const char *level_version(void)
{
#if FORK && FORK < 109
	return "unknown";
#else
	static char text[32];

	snprintf(text, sizeof text, "%d.%d", leveldb_major_version(),
		 leveldb_minor_version());
	return text;
#endif
}

static void set_options(struct db *db)
{
	const struct settings *s = db->settings;
	leveldb_options_t *o = db->options;

	leveldb_options_set_create_if_missing(o, s->create);
	leveldb_options_set_cache(o, db->cache);
	leveldb_options_set_write_buffer_size(o, s->write_buffer_bytes);
	leveldb_options_set_block_size(o, tuning.block_size);
	leveldb_options_set_max_open_files(o, (int)tuning.max_open_files);
#if !FORK
	leveldb_options_set_max_file_size(o, tuning.max_file_size);
#endif
	leveldb_options_set_compression(o, s->compression ? leveldb_snappy_compression
							  : leveldb_no_compression);
	if (tuning.bloom_bits) {
		db->filter = leveldb_filterpolicy_create_bloom((int)tuning.bloom_bits);
		leveldb_options_set_filter_policy(o, db->filter);
	}
	leveldb_writeoptions_set_sync(db->write, s->durability == DURABILITY_SYNC);
}

static enum status level_open(struct db *db, const struct settings *s, char *why)
{
	char *error = NULL;

	db->settings = s;
	db->options = leveldb_options_create();
	db->write = leveldb_writeoptions_create();
	db->cache = leveldb_cache_create_lru(s->cache_bytes);
	set_options(db);
	db->level = leveldb_open(db->options, s->path, &error);
	return check(why, error);
}

static enum status level_close(struct db *db, char *why)
{
	(void)why;
	if (db->level)
		leveldb_close(db->level);
	leveldb_writeoptions_destroy(db->write);
	leveldb_options_destroy(db->options);
	leveldb_cache_destroy(db->cache);
	if (db->filter)
		leveldb_filterpolicy_destroy(db->filter);
	return DONE;
}

static enum status level_attach(struct session *s, struct db *db, char *why)
{
	s->db = db;
	s->why = why;
	s->batch = leveldb_writebatch_create();
	s->read = leveldb_readoptions_create();
	return DONE;
}

static void level_detach(struct session *s)
{
	leveldb_readoptions_destroy(s->read);
	leveldb_writebatch_destroy(s->batch);
}

static enum status level_compact(struct db *db, char *why)
{
	(void)why;
	leveldb_compact_range(db->level, NULL, 0, NULL, 0);
	return DONE;
}

/*
 * The C API has no call that waits, nor one that flushes the memtable, nor one that
 * counts pending work. "leveldb.stats" counts what compactions have read and written; one
 * compaction takes tenths of a second. A level over its size keeps the one thread busy,
 * so it cannot be idle while work is pending.
 */
static enum status level_owed(struct db *db, struct owed *owed, char *why)
{
	char *stats = leveldb_property_value(db->level, "leveldb.stats");

	(void)why;
	*owed = (struct owed){.work = OWED_UNKNOWN};
	for (const char *c = stats; c && *c; c++)
		owed->progress = owed->progress * 31 + (unsigned char)*c;
	leveldb_free(stats);
	return DONE;
}

static void level_statistics(struct db *db, char *text, size_t size)
{
	put_property(db, "leveldb.stats", text, size);
}

const struct engine engine = {
	.name = ENGINE_NAME,
	.title = ENGINE_TITLE,
	.version = level_version,
	.cache = "block cache",
	.write_buffer = "each of two memtables",
	.compressions = 1 << COMPRESSION_SNAPPY,
	.gives = {DURABILITY_ASYNC, DURABILITY_ASYNC, DURABILITY_SYNC},
	.symbol = "leveldb_open",
	.own = "leveldb",
	.crc32c = !FORK, /* the others compute it in software, however they are built */
	.options = options,
	.blind_deletes = true,
	.value_limit = 0xffffffff,
	.db_size = sizeof(struct db),
	.session_size = sizeof(struct session),
	.put = level_put,
	.del = level_del,
	.get = level_get,
	.seek = level_seek,
	.last = level_last,
	.next = level_next,
	.prev = level_prev,
	.snapshot = level_snapshot,
	.release = level_release,
	.begin = level_begin,
	.commit = level_commit,
	.rollback = level_rollback,
	.tune = level_tune,
	.open = level_open,
	.close = level_close,
	.attach = level_attach,
	.detach = level_detach,
	.compact = level_compact,
	.owed = level_owed,
	.statistics = level_statistics,
};
