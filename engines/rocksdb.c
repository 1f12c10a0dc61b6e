/*
 * rocksdb.c: RocksDB through its C API, a log-structured merge tree.
 *
 * Transactions are write batches, applied at commit; reads see what was committed. A session keeps
 * one batch, one iterator, and the values it pinned in the block cache, which spare a copy.
 * Durability is a matter of each write. Index and filter blocks are inside the cache budget, and
 * compression is off on all levels; no Bloom filter unless asked for.
 * --prefix_size is the prefix mode of the 2014 publication: a hash of skip lists as memtable and
 * plain tables, read through mmap. It has no total order, so it refuses to iterate from an end or
 * backwards, and a scan ends with its prefix.
 */
#include "engine.h"

#include <rocksdb/c.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BULK_FILE_BYTES = 256 << 20 }; /* of each table file of a bulk load */

struct db {
	rocksdb_t *rocks;
	rocksdb_options_t *options;
	rocksdb_block_based_table_options_t *table;
	rocksdb_cache_t *cache;
	rocksdb_column_family_handle_t *family; /* the default one; batched multi-get wants it named */
	rocksdb_writeoptions_t *write;
	rocksdb_readoptions_t *read; /* of the latest commit */
	struct settings settings;
	char *bulk_path;
};

struct session {
	struct db *db;
	char *why;
	rocksdb_writebatch_t *batch;
	bool open; /* the batch collects */
	rocksdb_iterator_t *iterator;
	enum order order;
	rocksdb_readoptions_t *read; /* the database's, or those of a view */
	const rocksdb_snapshot_t *view;
	rocksdb_sstfilewriter_t *bulk;
	/* of the last get or multi-get */
	rocksdb_pinnableslice_t **pinned;
	unsigned held;
	const char **keys;
	size_t *sizes;
	char **errors;
};

static struct {
	uint64_t bloom_bits, block_size, background_jobs, prefix_size;
	bool mmap_reads, direct_reads;
} tuning;

static const struct option options[] = {
	{"bloom_bits", "0", "Bits a key of a Bloom filter; 0: none.", .count = &tuning.bloom_bits, .most = 100,
	 .group = "RocksDB"},
	{"block_size", "4Ki", "Uncompressed bytes in a block.", .size = &tuning.block_size, .least = 128},
	{"background_jobs", "2", "Flushes and compactions at a time.", .count = &tuning.background_jobs, .least = 1,
	 .most = 1000},
	{"mmap_reads", "0", "1: read tables through mmap, past the block cache.", .flag = &tuning.mmap_reads},
	{"direct_reads", "0", "1: read tables with O_DIRECT, past the page cache.", .flag = &tuning.direct_reads},
	{"prefix_size", "0", "Bytes of the prefix by which memtable and plain tables are hashed; 0: ordered tables.",
	 .count = &tuning.prefix_size, .most = 511},
	{0},
};

static const char *rocks_tune(struct settings *s)
{
	if (tuning.prefix_size > s->key_size)
		return "--prefix_size: a prefix is no longer than --key_size";
	if (tuning.mmap_reads && tuning.direct_reads)
		return "--mmap_reads and --direct_reads exclude each other";
	s->reads_mapped = tuning.mmap_reads || tuning.prefix_size;
	return NULL;
}

/* Frees RocksDB's text. */
static enum status check(char *why, char *error)
{
	enum status status = FAILED;

	if (!error)
		return DONE;
	if (strstr(error, "No space left"))
		status = FULL;
	because(why, status, "%s", error);
	rocksdb_free(error);
	return status;
}

/* The C API does not tell; it is the one of the build. */
static const char *rocks_version(void)
{
	return ENGINE_VERSION;
}

static void set_durability(struct db *db, enum durability d)
{
	rocksdb_writeoptions_disable_WAL(db->write, d == DURABILITY_NONE);
	rocksdb_writeoptions_set_sync(db->write, d == DURABILITY_SYNC);
}

/* The types' numbers are stored in databases and never change. */
static const int compressions[] = {
	[COMPRESSION_NONE] = rocksdb_no_compression,   [COMPRESSION_SNAPPY] = rocksdb_snappy_compression,
	[COMPRESSION_LZ4] = rocksdb_lz4_compression,   [COMPRESSION_ZLIB] = rocksdb_zlib_compression,
	[COMPRESSION_ZSTD] = rocksdb_zstd_compression,
};

static void set_prefix_mode(struct db *db)
{
	rocksdb_options_t *o = db->options;

	rocksdb_options_set_prefix_extractor(o, rocksdb_slicetransform_create_fixed_prefix(tuning.prefix_size));
	rocksdb_options_set_hash_skip_list_rep(o, 1 << 20, 4, 4);
	rocksdb_options_set_allow_concurrent_memtable_write(o, 0); /* a hash memtable cannot */
	rocksdb_options_set_allow_mmap_reads(o, 1);
#if ENGINE_MAJOR < 8
	rocksdb_options_set_plain_table_factory(o, (uint32_t)db->settings.key_size, 10, 0.75, 16);
#else
	rocksdb_options_set_plain_table_factory(o, (uint32_t)db->settings.key_size, 10, 0.75, 16, 0, 0, 0, 0);
#endif
}

static rocksdb_readoptions_t *read_options(void)
{
	rocksdb_readoptions_t *read = rocksdb_readoptions_create();

	if (tuning.prefix_size)
		rocksdb_readoptions_set_prefix_same_as_start(read, 1);
	return read;
}

static void set_options(struct db *db)
{
	const struct settings *s = &db->settings;
	rocksdb_options_t *o = db->options;

	rocksdb_options_set_create_if_missing(o, s->create);
	rocksdb_options_set_write_buffer_size(o, s->write_buffer_bytes);
	rocksdb_options_set_max_write_buffer_number(o, 2);
	rocksdb_options_set_compression(o, compressions[s->compression]);
	rocksdb_options_set_max_background_jobs(o, (int)tuning.background_jobs);
	rocksdb_options_set_allow_mmap_reads(o, tuning.mmap_reads);
	rocksdb_options_set_use_direct_reads(o, tuning.direct_reads);
	rocksdb_options_set_stats_dump_period_sec(o, 0);
	rocksdb_options_set_stats_persist_period_sec(o, 0);
	rocksdb_options_set_keep_log_file_num(o, 1);
	db->cache = rocksdb_cache_create_lru(s->cache_bytes);
	db->table = rocksdb_block_based_options_create();
	rocksdb_block_based_options_set_block_cache(db->table, db->cache);
	rocksdb_block_based_options_set_block_size(db->table, tuning.block_size);
	rocksdb_block_based_options_set_cache_index_and_filter_blocks(db->table, 1);
	if (tuning.bloom_bits)
		rocksdb_block_based_options_set_filter_policy(
			db->table, rocksdb_filterpolicy_create_bloom_full((double)tuning.bloom_bits));
	rocksdb_options_set_block_based_table_factory(o, db->table);
	if (tuning.prefix_size)
		set_prefix_mode(db);
}

static enum status rocks_close(struct db *db, char *why)
{
	(void)why;
	if (db->family)
		rocksdb_column_family_handle_destroy(db->family);
	if (db->rocks)
		rocksdb_close(db->rocks);
	rocksdb_readoptions_destroy(db->read);
	rocksdb_writeoptions_destroy(db->write);
	rocksdb_options_destroy(db->options);
	rocksdb_block_based_options_destroy(db->table);
	rocksdb_cache_destroy(db->cache);
	free(db->bulk_path);
	free(db);
	return DONE;
}

static struct db *rocks_open(const struct settings *s, char *why)
{
	static const char *const family = "default";
	struct db *db = calloc(1, sizeof *db);
	char *error = NULL;

	if (!db || !(db->bulk_path = malloc(strlen(s->path) + sizeof "/bulk.sst"))) {
		free(db);
		because(why, FAILED, "out of memory");
		return NULL;
	}
	sprintf(db->bulk_path, "%s/bulk.sst", s->path);
	db->settings = *s;
	db->options = rocksdb_options_create();
	db->read = read_options();
	db->write = rocksdb_writeoptions_create();
	set_options(db);
	set_durability(db, s->durability);
	db->rocks = rocksdb_open_column_families(db->options, s->path, 1, &family,
						 (const rocksdb_options_t *const *)&db->options, &db->family, &error);
	if (check(why, error) == DONE)
		return db;
	rocks_close(db, why);
	return NULL;
}

/* What the last read returned. */
static void let_go(struct session *s)
{
	for (; s->held; s->held--)
		if (s->pinned[s->held - 1])
			rocksdb_pinnableslice_destroy(s->pinned[s->held - 1]);
	if (s->iterator)
		rocksdb_iter_destroy(s->iterator);
	s->iterator = NULL;
}

static void rocks_release(struct session *s)
{
	let_go(s);
	if (s->view)
		rocksdb_release_snapshot(s->db->rocks, s->view);
	s->view = NULL;
}

/* Before a read: let go of the last one, and see to the view. */
static void look(struct session *s)
{
	let_go(s);
	if (s->view || !s->db->settings.hold_view)
		return;
	s->view = rocksdb_create_snapshot(s->db->rocks);
	rocksdb_readoptions_set_snapshot(s->read, s->view);
}

static void rocks_detach(struct session *s)
{
	rocks_release(s);
	if (s->read != s->db->read)
		rocksdb_readoptions_destroy(s->read);
	if (s->bulk)
		rocksdb_sstfilewriter_destroy(s->bulk);
	rocksdb_writebatch_destroy(s->batch);
	free(s->pinned);
	free(s->keys);
	free(s->sizes);
	free(s->errors);
	free(s);
}

static struct session *rocks_attach(struct db *db, char *why)
{
	unsigned most = db->settings.multiget ? db->settings.multiget : 1;
	struct session *s = calloc(1, sizeof *s);

	if (!s) {
		because(why, FAILED, "out of memory");
		return NULL;
	}
	s->db = db;
	s->why = why;
	s->batch = rocksdb_writebatch_create();
	s->read = db->settings.hold_view ? read_options() : db->read;
	s->pinned = calloc(most, sizeof *s->pinned); /* NOLINT(bugprone-sizeof-expression): an array of pointers */
	s->keys = calloc(most, sizeof *s->keys);
	s->sizes = calloc(most, sizeof *s->sizes);
	s->errors = calloc(most, sizeof *s->errors);
	if (s->pinned && s->keys && s->sizes && s->errors)
		return s;
	because(why, FAILED, "out of memory");
	rocks_detach(s);
	return NULL;
}

static enum status rocks_begin(struct session *s)
{
	s->open = true;
	return DONE;
}

static enum status rocks_commit(struct session *s)
{
	char *error = NULL;

	rocksdb_write(s->db->rocks, s->db->write, s->batch, &error);
	rocksdb_writebatch_clear(s->batch);
	s->open = false;
	return check(s->why, error);
}

static enum status rocks_put(struct session *s, struct slice key, struct slice value)
{
	char *error = NULL;

	if (s->open)
		rocksdb_writebatch_put(s->batch, key.data, key.size, value.data, value.size);
	else
		rocksdb_put(s->db->rocks, s->db->write, key.data, key.size, value.data, value.size, &error);
	return check(s->why, error);
}

/* A tombstone is written whether or not there is something to delete. */
static enum status rocks_del(struct session *s, struct slice key)
{
	char *error = NULL;

	if (s->open)
		rocksdb_writebatch_delete(s->batch, key.data, key.size);
	else
		rocksdb_delete(s->db->rocks, s->db->write, key.data, key.size, &error);
	return check(s->why, error);
}

static struct slice value_of(const rocksdb_pinnableslice_t *pinned)
{
	struct slice value;

	value.data = rocksdb_pinnableslice_value(pinned, &value.size);
	return value;
}

static enum status rocks_get(struct session *s, struct slice key, struct slice *value)
{
	char *error = NULL;

	look(s);
	s->pinned[0] = rocksdb_get_pinned_cf(s->db->rocks, s->read, s->db->family, key.data, key.size, &error);
	if (error)
		return check(s->why, error);
	if (!s->pinned[0])
		return NOT_FOUND;
	s->held = 1;
	*value = value_of(s->pinned[0]);
	return DONE;
}

static enum status rocks_multiget(struct session *s, const struct slice *keys, struct slice *values, unsigned n)
{
	enum status status = DONE;

	look(s);
	for (unsigned i = 0; i < n; i++) {
		s->keys[i] = keys[i].data;
		s->sizes[i] = keys[i].size;
	}
	rocksdb_batched_multi_get_cf(s->db->rocks, s->read, s->db->family, n, s->keys, s->sizes, s->pinned,
				     s->errors, false);
	s->held = n;
	for (unsigned i = 0; i < n; i++) {
		if (s->errors[i])
			status = check(s->why, s->errors[i]);
		values[i] = s->pinned[i] ? value_of(s->pinned[i]) : (struct slice){NULL, 0};
	}
	return status;
}

static enum status rocks_bulk_begin(struct session *s)
{
	rocksdb_envoptions_t *env = rocksdb_envoptions_create();
	char *error = NULL;

	if (!s->bulk)
		s->bulk = rocksdb_sstfilewriter_create(env, s->db->options);
	rocksdb_envoptions_destroy(env);
	rocksdb_sstfilewriter_open(s->bulk, s->db->bulk_path, &error);
	return check(s->why, error);
}

static enum status rocks_bulk_end(struct session *s)
{
	rocksdb_ingestexternalfileoptions_t *how = rocksdb_ingestexternalfileoptions_create();
	const char *path = s->db->bulk_path;
	char *error = NULL;

	rocksdb_sstfilewriter_finish(s->bulk, &error);
	rocksdb_ingestexternalfileoptions_set_move_files(how, 1);
	if (!error)
		rocksdb_ingest_external_file(s->db->rocks, &path, 1, how, &error);
	rocksdb_ingestexternalfileoptions_destroy(how);
	return check(s->why, error);
}

static enum status rocks_bulk_put(struct session *s, struct slice key, struct slice value)
{
	char *error = NULL;
	uint64_t size;
	enum status status;

	rocksdb_sstfilewriter_put(s->bulk, key.data, key.size, value.data, value.size, &error);
	status = check(s->why, error);
	rocksdb_sstfilewriter_file_size(s->bulk, &size);
	if (status != DONE || size < BULK_FILE_BYTES)
		return status;
	status = rocks_bulk_end(s);
	return status == DONE ? rocks_bulk_begin(s) : status;
}

static enum status here(struct session *s, struct slice *key, struct slice *value)
{
	char *error = NULL;

	if (!rocksdb_iter_valid(s->iterator)) {
		rocksdb_iter_get_error(s->iterator, &error);
		return error ? check(s->why, error) : NOT_FOUND;
	}
	key->data = rocksdb_iter_key(s->iterator, &key->size);
	value->data = rocksdb_iter_value(s->iterator, &value->size);
	return DONE;
}

static enum status rocks_next(struct session *s, struct slice *key, struct slice *value)
{
	if (s->order == FORWARD)
		rocksdb_iter_next(s->iterator);
	else
		rocksdb_iter_prev(s->iterator);
	return here(s, key, value);
}

static enum status rocks_seek(struct session *s, struct slice from, enum order order, struct slice *key,
			      struct slice *value)
{
	look(s);
	if (tuning.prefix_size && (!from.data || order == REVERSE))
		return because(s->why, UNSUPPORTED, "--prefix_size: tables hashed by prefix have no first, last or "
			       "previous record");
	s->iterator = rocksdb_create_iterator(s->db->rocks, s->read);
	s->order = order;
	if (!from.data && order == FORWARD)
		rocksdb_iter_seek_to_first(s->iterator);
	else if (!from.data)
		rocksdb_iter_seek_to_last(s->iterator);
	else if (order == FORWARD)
		rocksdb_iter_seek(s->iterator, from.data, from.size);
	else
		rocksdb_iter_seek_for_prev(s->iterator, from.data, from.size);
	return here(s, key, value);
}

/* What failed in the background since it was opened is no call's error, and the work stays owed. */
static enum status check_background(struct db *db, char *why)
{
	uint64_t n;

	if (rocksdb_property_int(db->rocks, "rocksdb.background-errors", &n) || !n)
		return DONE;
	return because(why, FAILED, "a flush or compaction failed; the file LOG beside the records has its words");
}

/* All of it through the last level, which is not done again unless one insists. */
static enum status rocks_compact(struct db *db, char *why)
{
	rocksdb_compactoptions_t *how = rocksdb_compactoptions_create();

	rocksdb_compactoptions_set_bottommost_level_compaction(how, 1);
	rocksdb_compact_range_opt(db->rocks, how, NULL, 0, NULL, 0);
	rocksdb_compactoptions_destroy(how);
	return check_background(db, why);
}

/* Flush the memtable, then wait for the compactions this calls for; the C API can only be asked. */
static enum status rocks_settle(struct db *db, char *why)
{
	static const char *const owed[] = {"rocksdb.num-running-flushes", "rocksdb.mem-table-flush-pending",
					   "rocksdb.num-running-compactions", "rocksdb.compaction-pending"};
	const struct timespec pause = {0, 5000000};
	rocksdb_flushoptions_t *flush = rocksdb_flushoptions_create();
	enum status status = DONE;
	char *error = NULL;
	uint64_t left = 1, n;

	rocksdb_flushoptions_set_wait(flush, 1);
	rocksdb_flush(db->rocks, flush, &error);
	rocksdb_flushoptions_destroy(flush);
	while (!error && left && (status = check_background(db, why)) == DONE) {
		left = 0;
		for (size_t i = 0; i < sizeof owed / sizeof *owed; i++)
			left += !rocksdb_property_int(db->rocks, owed[i], &n) ? n : 0;
		if (left)
			nanosleep(&pause, NULL);
	}
	return error ? check(why, error) : status;
}

/* From the OPTIONS file that RocksDB wrote when it was opened; what that does not tell was passed. */
static void rocks_describe(struct db *db, char *text, size_t size)
{
	rocksdb_env_t *env = rocksdb_create_default_env();
	rocksdb_options_t *o = NULL, **of_family = NULL;
	char **names = NULL, *error = NULL;
	size_t families = 0;
	int n;

	n = snprintf(text, size, "block_cache=%zu cache_index_and_filter_blocks=1 block_size=%llu bloom_bits=%llu "
		     "disable_wal=%d sync=%d prefix_size=%llu", rocksdb_cache_get_capacity(db->cache),
		     (unsigned long long)tuning.block_size, (unsigned long long)tuning.bloom_bits,
		     rocksdb_writeoptions_get_disable_WAL(db->write), rocksdb_writeoptions_get_sync(db->write),
		     (unsigned long long)tuning.prefix_size);
	rocksdb_load_latest_options(db->settings.path, env, true, db->cache, &o, &families, &names, &of_family, &error);
	if (!error && families)
		snprintf(text + n, size - (size_t)n, " write_buffer_size=%zu max_write_buffer_number=%d compression=%d "
			 "max_background_jobs=%d mmap_reads=%d use_direct_reads=%d max_open_files=%d "
			 "level0_file_num_compaction_trigger=%d",
			 rocksdb_options_get_write_buffer_size(of_family[0]),
			 rocksdb_options_get_max_write_buffer_number(of_family[0]),
			 rocksdb_options_get_compression(of_family[0]), rocksdb_options_get_max_background_jobs(o),
			 rocksdb_options_get_allow_mmap_reads(o), rocksdb_options_get_use_direct_reads(o),
			 rocksdb_options_get_max_open_files(o),
			 rocksdb_options_get_level0_file_num_compaction_trigger(of_family[0]));
	if (!error)
		rocksdb_load_latest_options_destroy(o, names, of_family, families);
	rocksdb_free(error);
	rocksdb_env_destroy(env);
}

static void rocks_statistics(struct db *db, char *text, size_t size)
{
	char *stats = rocksdb_property_value(db->rocks, "rocksdb.stats");

	snprintf(text, size, "%s", stats ? stats : "");
	rocksdb_free(stats);
}

const struct engine engine = {
	.name = "rocksdb",
	.title = "RocksDB",
	.version = rocks_version,
	.cache = "block cache, index and filter blocks included",
	.write_buffer = "each of two memtables",
	.compressions = 1 << COMPRESSION_SNAPPY | 1 << COMPRESSION_LZ4 | 1 << COMPRESSION_ZLIB | 1 << COMPRESSION_ZSTD,
	.gives = {DURABILITY_NONE, DURABILITY_ASYNC, DURABILITY_SYNC},
	.symbol = "rocksdb_open",
	.crc32c = true,
	.options = options,
	.value_limit = 0xffffffff,
	.tune = rocks_tune,
	.views = true,
	.blind_deletes = true,
	.open = rocks_open,
	.close = rocks_close,
	.attach = rocks_attach,
	.detach = rocks_detach,
	.release = rocks_release,
	.begin = rocks_begin,
	.commit = rocks_commit,
	.put = rocks_put,
	.get = rocks_get,
	.multiget = rocks_multiget,
	.del = rocks_del,
	.bulk_begin = rocks_bulk_begin,
	.bulk_put = rocks_bulk_put,
	.bulk_end = rocks_bulk_end,
	.seek = rocks_seek,
	.next = rocks_next,
	.compact = rocks_compact,
	.settle = rocks_settle,
	.describe = rocks_describe,
	.statistics = rocks_statistics,
};
