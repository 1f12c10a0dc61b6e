/*
 * rocksdb.c: RocksDB through its C API, a log-structured merge tree.
 *
 * Batches, snapshots and iterators are in level.h. A session keeps one batch, one
 * iterator, and the values it pinned in the block cache, which spare a copy.
 * Durability is a matter of each write. Index and filter blocks are inside the cache
 * budget, and compression is off on all levels; no Bloom filter unless asked for.
 * --prefix_size is the prefix mode of the 2014 publication: a hash of skip lists as
 * memtable and plain tables, read through mmap. It has no total order, so it refuses to
 * iterate from an end or backwards, and a scan ends with its prefix.
 */
#include <dlfcn.h>
#include <rocksdb/c.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine.h"

enum { BULK_FILE_BYTES = 256 << 20 }; /* of each table file of a bulk load */

struct db {
	rocksdb_t *level;
	rocksdb_options_t *options;
	rocksdb_block_based_table_options_t *table;
	rocksdb_cache_t *cache;
	/* the default one; batched multi-get wants it named */
	rocksdb_column_family_handle_t *family;
	rocksdb_writeoptions_t *write;
	const struct settings *settings;
	char bulk_path[4096];
};

struct session {
	struct db *db;
	char *why;
	rocksdb_writebatch_t *batch;
	bool open; /* the batch collects */
	rocksdb_iterator_t *iterator;
	rocksdb_readoptions_t *read;
	const rocksdb_snapshot_t *snapshot;
	rocksdb_sstfilewriter_t *bulk;
	/* of the last get or multi-get */
	rocksdb_pinnableslice_t **pinned;
	unsigned held;
	const char **keys;
	size_t *sizes;
	char **errors;
	void *room[]; /* of these four, each as long as a multi-get */
};

static struct {
	uint64_t bloom_bits, block_size, background_jobs, prefix_size;
	bool mmap_reads, direct_reads, auto_compactions;
	const char *own; /* RocksDB's own options as a text */
} tuning;

static void drop_result(struct session *s)
{
	for (; s->held; s->held--)
		if (s->pinned[s->held - 1])
			rocksdb_pinnableslice_destroy(s->pinned[s->held - 1]);
}

#define LEVEL(name) rocksdb_##name
#include "level.h"

static struct slice value_of(const rocksdb_pinnableslice_t *pinned)
{
	struct slice value;

	value.data = rocksdb_pinnableslice_value(pinned, &value.size);
	return value;
}

static enum status rocks_get(struct session *s, struct slice key, struct slice *value)
{
	char *error = NULL;

	begin_read(s);
	s->pinned[0] = rocksdb_get_pinned_cf(s->db->level, s->read, s->db->family,
					     key.data, key.size, &error);
	if (error)
		return check(s->why, error);
	if (!s->pinned[0])
		return NOT_FOUND;
	s->held = 1;
	*value = value_of(s->pinned[0]);
	return DONE;
}

#if ENGINE_MAJOR >= 7 /* what is younger than 6.29 */
static enum status rocks_multiget(struct session *s, const struct slice *keys,
				  struct slice *values, unsigned n)
{
	enum status status = DONE;

	begin_read(s);
	for (unsigned i = 0; i < n; i++) {
		s->keys[i] = keys[i].data;
		s->sizes[i] = keys[i].size;
	}
	rocksdb_batched_multi_get_cf(s->db->level, s->read, s->db->family, n, s->keys,
				     s->sizes, s->pinned, s->errors, false);
	s->held = n;
	for (unsigned i = 0; i < n; i++) {
		if (s->errors[i])
			status = check(s->why, s->errors[i]);
		values[i] = s->pinned[i] ? value_of(s->pinned[i])
					 : (struct slice){NULL, 0};
	}
	return status;
}
#endif

static const char no_order[] =
	"--prefix_size: tables hashed by prefix have no first, last or previous record";

static enum status rocks_seek(struct session *s, struct slice from, struct slice *key,
			      struct slice *value)
{
	if (tuning.prefix_size && !from.data)
		return because(s->why, UNSUPPORTED, no_order);
	return level_seek(s, from, key, value);
}

static enum status rocks_last(struct session *s, struct slice *key, struct slice *value)
{
	return tuning.prefix_size ? because(s->why, UNSUPPORTED, no_order)
				  : level_last(s, key, value);
}

static enum status rocks_prev(struct session *s, struct slice *key, struct slice *value)
{
	return tuning.prefix_size ? because(s->why, UNSUPPORTED, no_order)
				  : level_prev(s, key, value);
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
	rocksdb_ingestexternalfileoptions_t *how =
		rocksdb_ingestexternalfileoptions_create();
	const char *path = s->db->bulk_path;
	char *error = NULL;

	rocksdb_sstfilewriter_finish(s->bulk, &error);
	rocksdb_ingestexternalfileoptions_set_move_files(how, 1);
	if (!error)
		rocksdb_ingest_external_file(s->db->level, &path, 1, how, &error);
	rocksdb_ingestexternalfileoptions_destroy(how);
	return check(s->why, error);
}

static enum status rocks_bulk_put(struct session *s, struct slice key, struct slice value)
{
	char *error = NULL;
	uint64_t size;
	enum status status;

	rocksdb_sstfilewriter_put(s->bulk, key.data, key.size, value.data, value.size,
				  &error);
	status = check(s->why, error);
	rocksdb_sstfilewriter_file_size(s->bulk, &size);
	if (status != DONE || size < BULK_FILE_BYTES)
		return status;
	status = rocks_bulk_end(s);
	return status == DONE ? rocks_bulk_begin(s) : status;
}

static const struct option options[] = {
	{"bloom_bits", "0",
	 "Bits per key in the Bloom filters of tables; 0: no Bloom filters.",
	 .count = &tuning.bloom_bits, .most = 100, .group = "RocksDB"},
	{"block_size", "4Ki", "Size of a block of a table before compression, bytes.",
	 .size = &tuning.block_size, .least = 128},
	{"background_jobs", "2",
	 "Memtable flushes and compactions that may run at a time.",
	 .count = &tuning.background_jobs, .least = 1, .most = 1000},
	{"mmap_reads", "0",
	 "1: read tables through a memory map, past the block cache; 0: by read calls.",
	 .flag = &tuning.mmap_reads},
	{"direct_reads", "0",
	 "1: read tables with O_DIRECT, past the page cache; 0: through the page cache.",
	 .flag = &tuning.direct_reads},
	{"auto_compactions", "1",
	 "0: compact only on request (disable_auto_compactions), so that table files "
	 "pile up and each read looks into all of them; 1: compact in the background.",
	 .flag = &tuning.auto_compactions},
	{"rocksdb_options", "",
	 "RocksDB's options by its own names, set after all others: "
	 "NAME=VALUE;NAME={NAME=VALUE;...}. Empty: none.",
	 .text = &tuning.own},
	{"prefix_size", "0",
	 "Length of the key prefix by which memtable and plain tables are hashed, "
	 "bytes; 0: ordered tables.",
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

/*
 * The C API does not tell, so the library's C++ function does: std::string
 * GetRocksVersionAsString(bool), under the names it has with either layout of libstdc++'s
 * strings. Both begin with a pointer to the characters; the newer keeps as short a text
 * as this inside, where it is after the return.
 */
struct string {
	const char *text;
	size_t size;
	char inside[16];
};

static const char *rocks_version(void)
{
	static const char *const names[] = {
		"_ZN7rocksdb23GetRocksVersionAsStringB5cxx11Eb",
		"_ZN7rocksdb23GetRocksVersionAsStringEb"};
	static char text[32];
	struct string (*ask)(bool with_patch);
	struct string string;

	for (int older = 0; !*text && older < 2; older++) {
		void *found = dlsym(RTLD_DEFAULT, names[older]);

		/*
		 * libc++'s strings are another thing again, and have the older one's name
		 */
		if (!found ||
		    (older && !dlsym(RTLD_DEFAULT, "_ZNSs4_Rep20_S_empty_rep_storageE")))
			continue;
		memcpy(&ask, &found, sizeof ask);
		string = ask(true);
		if (older || string.size < sizeof string.inside)
			snprintf(text, sizeof text, "%s",
				 older ? string.text : string.inside);
	}
	return *text ? text : "unknown";
}

static void set_durability(struct db *db, enum durability d)
{
	rocksdb_writeoptions_disable_WAL(db->write, d == DURABILITY_NONE);
	rocksdb_writeoptions_set_sync(db->write, d == DURABILITY_SYNC);
}

/* The types' numbers are stored in databases and never change. */
static const int rocks_compressions[] = {
	[COMPRESSION_NONE] = rocksdb_no_compression,
	[COMPRESSION_SNAPPY] = rocksdb_snappy_compression,
	[COMPRESSION_LZ4] = rocksdb_lz4_compression,
	[COMPRESSION_ZLIB] = rocksdb_zlib_compression,
	[COMPRESSION_ZSTD] = rocksdb_zstd_compression,
};

/*
 * The header is not always the library's (release builds come without one), and here they
 * differ: the last four are younger than some headers. A library that has not got them
 * does not look at them.
 */
extern void set_plain_table(
	rocksdb_options_t *, uint32_t key_size, int bloom_bits, double hash_ratio,
	size_t sparseness, size_t huge_page_size, char encoding, unsigned char full_scan,
	unsigned char index_in_file) __asm__("rocksdb_options_set_plain_table_factory");

static void set_prefix_mode(struct db *db)
{
	rocksdb_options_t *o = db->options;

	rocksdb_options_set_prefix_extractor(
		o, rocksdb_slicetransform_create_fixed_prefix(tuning.prefix_size));
	rocksdb_options_set_hash_skip_list_rep(o, 1 << 20, 4, 4);
	/* a hash memtable cannot */
	rocksdb_options_set_allow_concurrent_memtable_write(o, 0);
	rocksdb_options_set_allow_mmap_reads(o, 1);
	set_plain_table(o, (uint32_t)db->settings->key_size, 10, 0.75, 16, 0, 0, 0, 0);
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
	const struct settings *s = db->settings;
	rocksdb_options_t *o = db->options;

	rocksdb_options_set_create_if_missing(o, s->create);
	rocksdb_options_set_write_buffer_size(o, s->write_buffer_bytes);
	rocksdb_options_set_max_write_buffer_number(o, 2);
	rocksdb_options_set_compression(o, rocks_compressions[s->compression]);
	rocksdb_options_set_max_background_jobs(o, (int)tuning.background_jobs);
	rocksdb_options_set_allow_mmap_reads(o, tuning.mmap_reads);
	rocksdb_options_set_use_direct_reads(o, tuning.direct_reads);
	rocksdb_options_set_disable_auto_compactions(o, !tuning.auto_compactions);
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
			db->table, rocksdb_filterpolicy_create_bloom_full(
					   (double)tuning.bloom_bits));
	rocksdb_options_set_block_based_table_factory(o, db->table);
	if (tuning.prefix_size)
		set_prefix_mode(db);
}

/* What RocksDB reads as a text comes last; what it cannot read it says. */
static void set_own_options(struct db *db, char **error)
{
	rocksdb_options_t *with = rocksdb_options_create();

	rocksdb_get_options_from_string(db->options, tuning.own, with, error);
	rocksdb_options_destroy(db->options);
	db->options = with;
}

static enum status rocks_open(struct db *db, const struct settings *s, char *why)
{
	static const char *const family = "default";
	char *error = NULL;

	snprintf(db->bulk_path, sizeof db->bulk_path, "%s/bulk.sst", s->path);
	db->settings = s;
	db->options = rocksdb_options_create();
	db->write = rocksdb_writeoptions_create();
	set_options(db);
	set_durability(db, s->durability);
	if (*tuning.own)
		set_own_options(db, &error);
	if (error)
		return check(why, error);
	db->level = rocksdb_open_column_families(
		db->options, s->path, 1, &family,
		(const rocksdb_options_t *const *)&db->options, &db->family, &error);
	return check(why, error);
}

static enum status rocks_close(struct db *db, char *why)
{
	(void)why;
	if (db->family)
		rocksdb_column_family_handle_destroy(db->family);
	if (db->level)
		rocksdb_close(db->level);
	rocksdb_writeoptions_destroy(db->write);
	rocksdb_options_destroy(db->options);
	rocksdb_block_based_options_destroy(db->table);
	rocksdb_cache_destroy(db->cache);
	return DONE;
}

static size_t most_keys(const struct settings *s)
{
	return s->multiget ? s->multiget : 1;
}

static size_t rocks_room(const struct settings *s)
{
	return 4 * most_keys(s) * sizeof(void *);
}

static enum status rocks_attach(struct session *s, struct db *db, char *why)
{
	size_t most = most_keys(db->settings);

	s->db = db;
	s->why = why;
	s->batch = rocksdb_writebatch_create();
	s->read = read_options();
	s->pinned = (rocksdb_pinnableslice_t **)s->room;
	s->keys = (const char **)&s->room[most];
	s->sizes = (size_t *)&s->room[2 * most];
	s->errors = (char **)&s->room[3 * most];
	return DONE;
}

static void rocks_detach(struct session *s)
{
	rocksdb_readoptions_destroy(s->read);
	if (s->bulk)
		rocksdb_sstfilewriter_destroy(s->bulk);
	rocksdb_writebatch_destroy(s->batch);
}

/*
 * What failed in the background since it was opened is no call's error, and the work
 * stays pending.
 */
static enum status check_background(struct db *db, char *why)
{
	uint64_t n;

	if (rocksdb_property_int(db->level, "rocksdb.background-errors", &n) || !n)
		return DONE;
	return because(why, FAILED,
		       "a flush or compaction failed; the file LOG beside the records "
		       "has its words");
}

/* All of it through the last level, which is not done again unless one insists. */
static enum status rocks_compact(struct db *db, char *why)
{
	rocksdb_compactoptions_t *how = rocksdb_compactoptions_create();

	rocksdb_compactoptions_set_bottommost_level_compaction(how, 1);
	rocksdb_compact_range_opt(db->level, how, NULL, 0, NULL, 0);
	rocksdb_compactoptions_destroy(how);
	return check_background(db, why);
}

/* The memtable; the compactions this calls for are pending work. */
static enum status rocks_settle(struct db *db, char *why)
{
	rocksdb_flushoptions_t *flush = rocksdb_flushoptions_create();
	char *error = NULL;

	rocksdb_flushoptions_set_wait(flush, 1);
	rocksdb_flush(db->level, flush, &error);
	rocksdb_flushoptions_destroy(flush);
	return check(why, error);
}

/* Links to the tables, which never change, and copies of the rest; the memtable is
 * flushed first. */
static enum status rocks_backup(struct db *db, const char *to, char *why)
{
	char *error = NULL;
	rocksdb_checkpoint_t *checkpoint =
		rocksdb_checkpoint_object_create(db->level, &error);

	if (checkpoint) {
		rmdir(to); /* it makes the directory itself */
		rocksdb_checkpoint_create(checkpoint, to, 0, &error);
		rocksdb_checkpoint_object_destroy(checkpoint);
	}
	return check(why, error);
}

/* Flushes and compactions that run or wait. */
static enum status rocks_owed(struct db *db, struct owed *owed, char *why)
{
	static const char *const counts[] = {
		"rocksdb.num-running-flushes", "rocksdb.mem-table-flush-pending",
		"rocksdb.num-running-compactions", "rocksdb.compaction-pending"};
	uint64_t n;

	*owed = (struct owed){0};
	/* What is only pending stays so where nobody compacts. */
	for (size_t i = 0; i + !tuning.auto_compactions < sizeof counts / sizeof *counts;
	     i++)
		owed->work += !rocksdb_property_int(db->level, counts[i], &n) ? n : 0;
	return check_background(db, why);
}

/*
 * From the OPTIONS file that RocksDB wrote when it was opened, and from what can be asked
 * itself.
 */
#if ENGINE_MAJOR >= 7
static void describe_latest(struct db *db, char *text, size_t size)
{
	rocksdb_env_t *env = rocksdb_create_default_env();
	rocksdb_options_t *o = NULL, **of_family = NULL;
	char **names = NULL, *error = NULL;
	size_t families = 0;

	rocksdb_load_latest_options(db->settings->path, env, true, db->cache, &o,
				    &families, &names, &of_family, &error);
	if (!error && families)
		snprintf(text, size,
			 " write_buffer_size=%zu max_write_buffer_number=%d "
			 "compression=%d max_background_jobs=%d mmap_reads=%d "
			 "use_direct_reads=%d max_open_files=%d "
			 "level0_file_num_compaction_trigger=%d",
			 rocksdb_options_get_write_buffer_size(of_family[0]),
			 rocksdb_options_get_max_write_buffer_number(of_family[0]),
			 rocksdb_options_get_compression(of_family[0]),
			 rocksdb_options_get_max_background_jobs(o),
			 rocksdb_options_get_allow_mmap_reads(o),
			 rocksdb_options_get_use_direct_reads(o),
			 rocksdb_options_get_max_open_files(o),
			 rocksdb_options_get_level0_file_num_compaction_trigger(
				 of_family[0]));
	if (!error)
		rocksdb_load_latest_options_destroy(o, names, of_family, families);
	rocksdb_free(error);
	rocksdb_env_destroy(env);
}
#endif

static void rocks_describe(struct db *db, char *text, size_t size)
{
	int n;

	n = snprintf(text, size, "block_cache=%zu disable_wal=%d sync=%d",
		     rocksdb_cache_get_capacity(db->cache),
		     rocksdb_writeoptions_get_disable_WAL(db->write),
		     rocksdb_writeoptions_get_sync(db->write));
#if ENGINE_MAJOR >= 7
	if (n > 0 && (size_t)n < size)
		describe_latest(db, text + n, size - (size_t)n);
#else
	(void)n;
#endif
}

static void rocks_statistics(struct db *db, char *text, size_t size)
{
	put_property(db, "rocksdb.stats", text, size);
}

const struct engine engine = {
	.name = "rocksdb",
	.title = "RocksDB",
	.version = rocks_version,
	.cache = "block cache, index and filter blocks included",
	.write_buffer = "each of two memtables",
	.compressions = 1 << COMPRESSION_SNAPPY | 1 << COMPRESSION_LZ4 |
			1 << COMPRESSION_ZLIB | 1 << COMPRESSION_ZSTD,
	.gives = {DURABILITY_NONE, DURABILITY_ASYNC, DURABILITY_SYNC},
	.symbol = "rocksdb_open",
	.own = "rocksdb",
	.crc32c = true,
	.options = options,
	.blind_deletes = true,
	.value_limit = 0xffffffff,
	.db_size = sizeof(struct db),
	.session_size = sizeof(struct session),
	.put = level_put,
	.del = level_del,
	.get = rocks_get,
#if ENGINE_MAJOR >= 7
	.multiget = rocks_multiget,
#endif
	.seek = rocks_seek,
	.last = rocks_last,
	.next = level_next,
	.prev = rocks_prev,
	.snapshot = level_snapshot,
	.release = level_release,
	.begin = level_begin,
	.commit = level_commit,
	.rollback = level_rollback,
	.bulk_begin = rocks_bulk_begin,
	.bulk_put = rocks_bulk_put,
	.bulk_end = rocks_bulk_end,
	.tune = rocks_tune,
	.open = rocks_open,
	.close = rocks_close,
	.session_room = rocks_room,
	.attach = rocks_attach,
	.detach = rocks_detach,
	.compact = rocks_compact,
	.settle = rocks_settle,
	.owed = rocks_owed,
	.backup = rocks_backup,
	.backup_by = "checkpoint, by links",
	.describe = rocks_describe,
	.statistics = rocks_statistics,
};
