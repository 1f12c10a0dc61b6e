/*
 * leveldb.c: LevelDB through its C API, a log-structured merge tree with one background
 * thread.
 *
 * Batches, snapshots and iterators are in leveldb_common.h. A session has one batch, one
 * iterator and the last value read, a copy from malloc. The log cannot be turned off, so
 * `none` is async. By default there is no compression and no Bloom filter. Tables are
 * mapped up to a limit of LevelDB's own. An uncompressed block of a mapped table is read
 * in place and bypasses the block cache, which then stays almost empty.
 *
 * HyperLevelDB and Basho's LevelDB have the same interface, except for newer functions.
 * FORK is 100 times the LevelDB version that a fork reports, and 0 for LevelDB itself.
 */
#include <leveldb/c.h>
#include <stdlib.h>

#include "driver_common.h"

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
	leveldb_t *handle;
	leveldb_options_t *options;
	leveldb_cache_t *cache;
	leveldb_filterpolicy_t *filter;
	leveldb_writeoptions_t *write;
	const struct settings *settings;
	struct event_log log;
};

struct session {
	struct db *db;
	char *why;
	leveldb_writebatch_t *batch;
	bool open; /* the batch is collecting writes */
	leveldb_iterator_t *iterator;
	leveldb_readoptions_t *read;
	const leveldb_snapshot_t *snapshot;
	char *value; /* of the last get */
};

static void free_result(struct session *s)
{
	leveldb_free(s->value);
	s->value = NULL;
}

/* One thread does all the work: a kind of event is a job. */
static bool read_event(struct event_log *log, const char *line, struct event *event)
{
	static const struct {
		const char *begins, *ends, *also; /* the last: the line has this, too */
		enum event_kind kind;
	} kinds[] = {
		{"Level-0 table #", "Level-0 table #", ": started", EVENT_FLUSH},
		{"Compacting ", "Compacted ", "Compacting ", EVENT_COMPACTION},
	};
	uint64_t ns = event_log_line_time(line);

	if (ns && strstr(line, "Current memtable full; waiting..."))
		event_log_stalled(log, STALL_MEMTABLES, ns);
	else if (ns && strstr(line, "Too many L0 files; waiting..."))
		event_log_stalled(log, STALL_LEVEL0, ns);
	for (size_t i = 0; ns && i < sizeof kinds / sizeof *kinds; i++) {
		if (strstr(line, kinds[i].begins) && strstr(line, kinds[i].also))
			event_log_begin(log, kinds[i].kind, ns);
		else if (strstr(line, kinds[i].ends))
			return event_log_end(log, kinds[i].kind, ns, kinds[i].kind,
					     event);
	}
	return false;
}

#include "leveldb_common.h"

static enum status ldb_get(struct session *s, struct slice key, struct slice *value)
{
	char *error = NULL;

	begin_read(s);
	s->value = leveldb_get(s->db->handle, s->read, key.data, key.size, &value->size,
			       &error);
	if (error)
		return check(s->why, error);
	value->data = s->value;
	return s->value ? DONE : NOT_FOUND;
}

static struct {
	uint64_t bloom_bits, block_size, max_open_files, max_file_size;
} option_values;

static const struct option options[] = {
	{"bloom_bits", "0",
	 "Size of the Bloom filters in table files, bits per key; 0: no Bloom "
	 "filters. They spare reads of files that lack the key; with 10 bits, "
	 "1 % of these reads remain.",
	 .count = &option_values.bloom_bits, .max = 100, .group = "LevelDB"},
	{"block_size", "4Ki",
	 "Size of a block of a table file before compression, bytes. A block is read "
	 "from the device and cached as a whole.",
	 .size = &option_values.block_size, .min = 128},
	{"max_open_files", "1000",
	 "Largest number of table files that the engine holds open; others are opened "
	 "again when they are needed.",
	 .count = &option_values.max_open_files, .min = 20, .max = 50000},
#if !FORK
	{"max_file_size", "2Mi",
	 "Size that a table file grows to, bytes, before the next is begun.",
	 .size = &option_values.max_file_size, .min = 1 << 20, .max = 1 << 30},
#endif
	{0},
};

static const struct preset leveldb_presets[] = {
	{"db_bench",
	 "Defaults of LevelDB's db_bench: 8 MiB of cache, memtables of 4 MiB, Snappy; "
	 "values are not read.",
	 "cache_size=8Mi write_buffer_size=4Mi compression=snappy touch=none"},
	{"dbbench",
	 "Defaults of dbbench for LevelDB: 8 MiB of cache, memtables of 4 MiB; values "
	 "are not read.",
	 "key_format=hex cache_size=8Mi write_buffer_size=4Mi touch=none"},
	{0},
};

/*
 * LevelDB's Env maps the first thousand tables; Basho's forks have disabled that. The
 * forks write files through maps, as LevelDB did when they were forked.
 */
static struct traits ldb_check_settings(const struct settings *s)
{
	(void)s;
	return (struct traits){.reads_mapped = !BASHO, .uncounted_writes = FORK};
}

static const char *ldb_version(void)
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
	leveldb_options_set_block_size(o, option_values.block_size);
	leveldb_options_set_max_open_files(o, (int)option_values.max_open_files);
#if !FORK
	leveldb_options_set_max_file_size(o, option_values.max_file_size);
#endif
	leveldb_options_set_compression(o, s->compression ? leveldb_snappy_compression
							  : leveldb_no_compression);
	if (option_values.bloom_bits) {
		db->filter =
			leveldb_filterpolicy_create_bloom((int)option_values.bloom_bits);
		leveldb_options_set_filter_policy(o, db->filter);
	}
	leveldb_writeoptions_set_sync(db->write, s->durability == DURABILITY_SYNC);
}

static enum status ldb_open(struct db *db, const struct settings *s, char *why)
{
	char *error = NULL;

	db->settings = s;
	db->options = leveldb_options_create();
	db->write = leveldb_writeoptions_create();
	db->cache = leveldb_cache_create_lru(s->cache_bytes);
	set_options(db);
	db->handle = leveldb_open(db->options, s->path, &error);
	return check(why, error);
}

static enum status ldb_close(struct db *db, char *why)
{
	(void)why;
	if (db->handle)
		leveldb_close(db->handle);
	leveldb_writeoptions_destroy(db->write);
	leveldb_options_destroy(db->options);
	leveldb_cache_destroy(db->cache);
	if (db->filter)
		leveldb_filterpolicy_destroy(db->filter);
	return DONE;
}

static enum status ldb_attach(struct session *s, struct db *db, char *why)
{
	s->db = db;
	s->why = why;
	s->batch = leveldb_writebatch_create();
	s->read = leveldb_readoptions_create();
	return DONE;
}

static void ldb_detach(struct session *s)
{
	leveldb_readoptions_destroy(s->read);
	leveldb_writebatch_destroy(s->batch);
}

static enum status ldb_compact(struct db *db, char *why)
{
	(void)why;
	leveldb_compact_range(db->handle, NULL, 0, NULL, 0);
	return DONE;
}

/*
 * Compaction of a range writes the memtable first, whatever the range. No key of ours is
 * in this one.
 */
static enum status ldb_settle(struct db *db, char *why)
{
	(void)why;
	leveldb_compact_range(db->handle, "~", 1, NULL, 0);
	return DONE;
}

/*
 * The C API has no call that waits, or counts pending work.
 * "leveldb.stats" counts bytes that compactions have read and written; one compaction
 * takes tenths of a second. A level over its size limit keeps the only thread busy, so it
 * cannot be idle while work is pending.
 */
static enum status ldb_pending_work(struct db *db, struct pending_work *pending,
				    char *why)
{
	char *stats = leveldb_property_value(db->handle, "leveldb.stats");

	(void)why;
	*pending = (struct pending_work){.work = PENDING_WORK_UNKNOWN};
	for (const char *c = stats; c && *c; c++)
		pending->progress = pending->progress * 31 + (unsigned char)*c;
	leveldb_free(stats);
	return DONE;
}

/* Sums over the levels of the table of compactions. */
static void report_compactions(struct db *db, struct report *report)
{
	static const char *const names[] = {"table files", "table MB",
					    "compaction seconds", "compaction MB read",
					    "compaction MB written"};
	unsigned long long sums[5] = {0}, cell[6];
	char *all = leveldb_property_value(db->handle, "leveldb.stats");

	for (const char *line = all; line && *line;) {
		if (sscanf(line, "%llu %llu %llu %llu %llu %llu", &cell[0], &cell[1],
			   &cell[2], &cell[3], &cell[4], &cell[5]) == 6)
			for (int i = 0; i < 5; i++)
				sums[i] += cell[i + 1];
		line = strchr(line, '\n');
		line += line != NULL;
	}
	leveldb_free(all);
	for (int i = 0; i < 5; i++)
		REPORT_NUMBERS(report, {names[i], sums[i]});
}

static void ldb_property(struct db *db, const char *name, struct report *report)
{
	char whole[64];

	snprintf(whole, sizeof whole, "leveldb.%s", name);
	report_property(db, whole, report);
}

static void ldb_statistics(struct db *db, struct report *report)
{
	report_compactions(db, report);
	report_append(report, "\n");
	report_property(db, "leveldb.stats", report);
}

const struct engine engine = {
	.name = ENGINE_NAME,
	.title = ENGINE_TITLE,
	.version = ldb_version,
	.cache = "block cache",
	.write_buffer = "each of two memtables",
	.compressions = 1 << COMPRESSION_SNAPPY,
	.effective_durability = {DURABILITY_ASYNC, DURABILITY_ASYNC, DURABILITY_SYNC},
	.provenance = {.symbol = "leveldb_open",
		       .cpp_namespace = "leveldb",
		       .crc32c = true},
	.options = options,
	.presets = leveldb_presets,
	LEVELDB_COMMON_FACTS,
	.put = leveldb_common_put,
	.del = leveldb_common_del,
	.get = ldb_get,
	.seek = leveldb_common_seek,
	.last = leveldb_common_last,
	.prev = leveldb_common_prev,
	.begin = leveldb_common_begin,
	.commit = leveldb_common_commit,
	.rollback = leveldb_common_rollback,
	.check_settings = ldb_check_settings,
	.open = ldb_open,
	.close = ldb_close,
	.attach = ldb_attach,
	.detach = ldb_detach,
	.compact = ldb_compact,
	.settle = ldb_settle,
	.pending_work = ldb_pending_work,
	.property = ldb_property,
	.statistics = ldb_statistics,
};
