/*
 * rocksdb.c: RocksDB through its C API, a log-structured merge tree.
 *
 * Batches, snapshots and iterators are in leveldb_common.h. A session has one batch, one
 * iterator, and the values it pinned in the block cache, which saves a copy. Durability
 * is set per write. Index and filter blocks are inside the cache budget. Compression is
 * off on all levels, and there is no Bloom filter by default.
 *
 * --prefix_size is the prefix mode of the 2014 publication: a hash of skip lists as
 * memtable and plain tables, read through mmap. It has no total order: it refuses to
 * iterate from an end or backwards, and a scan ends with its prefix.
 *
 * --transaction_db and --optimistic_transaction_db open RocksDB's transactions, of locks
 * or checked at commit. Their gets lock or track what they read (GetForUpdate), so that
 * no update is lost.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <rocksdb/c.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "driver_common.h"

enum {
	BULK_FILE_BYTES = 256 << 20, /* of each table file of a bulk load */
	PERF_COUNTERS = 128,         /* most counters of a PerfContext */
};

struct db {
	rocksdb_t *handle;
	rocksdb_options_t *options;
	rocksdb_block_based_table_options_t *table;
	rocksdb_cache_t *cache;
	/* the default one; batched multi-get requires a handle */
	rocksdb_column_family_handle_t *family;
	rocksdb_writeoptions_t *write;
	/* one of them and its options, or none; the handle is then its database */
	rocksdb_transactiondb_t *pessimistic;
	rocksdb_transaction_options_t *pessimistic_how;
	rocksdb_optimistictransactiondb_t *optimistic;
	rocksdb_optimistictransaction_options_t *optimistic_how;
	const struct settings *settings;
	struct event_log log;
	/* PerfContext of all threads that have detached */
	struct perf_counter {
		char name[64];
		uint64_t sum, told; /* to rocks_property() */
	} perf[PERF_COUNTERS];
	size_t perf_count;
	pthread_mutex_t perf_lock;
	char bulk_path[4096];
};

struct session {
	struct db *db;
	char *why;
	rocksdb_writebatch_t *batch;
	bool open;                          /* the batch is collecting writes */
	rocksdb_transaction_t *transaction; /* used again; NULL before the first */
	bool in_transaction;
	rocksdb_iterator_t *iterator;
	rocksdb_readoptions_t *read;
	bool tailing; /* the iterator sees later writes, and is used again */
	const rocksdb_snapshot_t *snapshot;
	rocksdb_perfcontext_t *perf; /* of this thread; NULL: --perf_level is below 2 */
	rocksdb_sstfilewriter_t *bulk;
	bool bulk_open; /* a table file is open, and has at least one record */
	/* of the last get or multi-get */
	rocksdb_pinnableslice_t **pinned;
	unsigned held;
	char **copies; /* values of a multi-get that copies them */
	unsigned copied;
	const char **keys;
	size_t *sizes, *copy_sizes;
	char **errors;
	void *allocated[]; /* memory of these arrays, each as long as a multi-get */
};

static struct {
	uint64_t bloom_bits, block_size, background_jobs, prefix_size, perf_level;
	uint64_t transaction_lock_timeout;
	bool mmap_reads, direct_reads, auto_compactions, batched_multiget;
	bool transaction_db, optimistic_transaction_db, transaction_set_snapshot;
	int cache_type;
	double cache_shard_bits;
	/* RocksDB's own options as a text, and its ReadOptions */
	const char *rocksdb_options, *read_options;
} option_values;

static void free_result(struct session *s)
{
	for (; s->held; s->held--)
		if (s->pinned[s->held - 1])
			rocksdb_pinnableslice_destroy(s->pinned[s->held - 1]);
	for (; s->copied; s->copied--)
		rocksdb_free(s->copies[s->copied - 1]);
}

/* "Stopping" or "Stalling writes because ...": why. */
static enum stall_reason find_stall(const char *line)
{
	static const struct {
		const char *text;
		enum stall_reason reason;
	} reasons[] = {
		{" immutable memtables", STALL_MEMTABLES},
		{" level-0 files", STALL_LEVEL0},
		{"pending compaction bytes", STALL_COMPACTION},
	};

	for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
		if (strstr(line, reasons[i].text))
			return reasons[i].reason;
	return STALL_UNKNOWN;
}

/* RocksDB logs events as JSON; the time before it is that of the line, which is later. */
static bool read_event(struct event_log *log, const char *line, struct event *event)
{
	unsigned long long micros, job;
	const char *json = strstr(line, "EVENT_LOG_v1 {");
	char name[32];

	if (strstr(line, "] Stopping writes because") ||
	    strstr(line, "] Stalling writes because"))
		event_log_stalled(log, find_stall(line), event_log_line_time(line));
	if (!json || sscanf(json,
			    "EVENT_LOG_v1 {\"time_micros\": %llu, \"job\": %llu, "
			    "\"event\": \"%31[a-z_]\"",
			    &micros, &job, name) != 3)
		return false;
	if (!strcmp(name, "flush_started") || !strcmp(name, "compaction_started"))
		event_log_begin(log, job, micros * 1000);
	if (!strcmp(name, "flush_finished"))
		return event_log_end(log, job, micros * 1000, EVENT_FLUSH, event);
	if (!strcmp(name, "compaction_finished"))
		return event_log_end(log, job, micros * 1000, EVENT_COMPACTION, event);
	/* files that move to the next level as they are: no work, but stalls may end */
	if (!strcmp(name, "trivial_move"))
		event->end_ns = micros * 1000;
	return false;
}

#include "rocksdb_names.h" /* leveldb_common.h is written in LevelDB's names */
#include "leveldb_common.h"

static struct slice slice_of_pinned(const rocksdb_pinnableslice_t *pinned)
{
	struct slice value;

	value.data = rocksdb_pinnableslice_value(pinned, &value.size);
	return value;
}

/* ---- transactions ---- */

static bool has_transactions(const struct db *db)
{
	return db->pessimistic || db->optimistic;
}

static void rocks_rollback(struct session *s)
{
	char *error = NULL;

	if (s->in_transaction)
		rocksdb_transaction_rollback(s->transaction, &error);
	else
		leveldb_common_rollback(s);
	s->in_transaction = false;
	rocksdb_free(error);
}

/* The C API has errors as texts alone; these begin those of conflicts. */
static enum status check_transaction(struct session *s, char *error)
{
	static const char *const conflicts[] = {"Resource busy", "Operation timed out",
						"Operation failed. Try again."};

	for (size_t i = 0; error && i < sizeof conflicts / sizeof *conflicts; i++)
		if (!strncmp(error, conflicts[i], strlen(conflicts[i]))) {
			rocksdb_free(error);
			rocks_rollback(s);
			return CONFLICT;
		}
	return check(s->why, error);
}

static enum status rocks_begin(struct session *s)
{
	struct db *db = s->db;

	if (!has_transactions(db))
		return leveldb_common_begin(s);
	s->transaction =
		db->optimistic
			? rocksdb_optimistictransaction_begin(db->optimistic, db->write,
							      db->optimistic_how,
							      s->transaction)
			: rocksdb_transaction_begin(db->pessimistic, db->write,
						    db->pessimistic_how, s->transaction);
	s->in_transaction = true;
	return DONE;
}

static enum status rocks_commit(struct session *s)
{
	char *error = NULL;
	enum status status;

	if (!s->in_transaction)
		return leveldb_common_commit(s);
	rocksdb_transaction_commit(s->transaction, &error);
	status = check_transaction(s, error);
	if (status != DONE)
		rocks_rollback(s);
	s->in_transaction = false;
	return status;
}

/* Outside a transaction a write waits for the locks of others, too. */
static enum status rocks_put(struct session *s, struct slice key, struct slice value)
{
	char *error = NULL;

	if (!has_transactions(s->db))
		return leveldb_common_put(s, key, value);
	if (s->in_transaction)
		rocksdb_transaction_put(s->transaction, key.data, key.size, value.data,
					value.size, &error);
	else
		rocksdb_put(s->db->handle, s->db->write, key.data, key.size, value.data,
			    value.size, &error);
	return check_transaction(s, error);
}

static enum status rocks_del(struct session *s, struct slice key)
{
	char *error = NULL;

	if (!has_transactions(s->db))
		return leveldb_common_del(s, key);
	if (s->in_transaction)
		rocksdb_transaction_delete(s->transaction, key.data, key.size, &error);
	else
		rocksdb_delete(s->db->handle, s->db->write, key.data, key.size, &error);
	return check_transaction(s, error);
}

/* Such a get has no form that pins. */
static enum status get_in_transaction(struct session *s, struct slice key,
				      struct slice *value)
{
	char *error = NULL;
	enum status status;

	s->copies[0] =
		rocksdb_transaction_get_for_update(s->transaction, s->read, key.data,
						   key.size, &s->copy_sizes[0], true,
						   &error);
	status = check_transaction(s, error);
	if (status != DONE)
		return status;
	if (!s->copies[0])
		return NOT_FOUND;
	s->copied = 1;
	*value = (struct slice){s->copies[0], s->copy_sizes[0]};
	return DONE;
}

static enum status rocks_get(struct session *s, struct slice key, struct slice *value)
{
	char *error = NULL;

	begin_read(s);
	if (s->in_transaction)
		return get_in_transaction(s, key, value);
	s->pinned[0] = rocksdb_get_pinned_cf(s->db->handle, s->read, s->db->family,
					     key.data, key.size, &error);
	if (error)
		return check(s->why, error);
	if (!s->pinned[0])
		return NOT_FOUND;
	s->held = 1;
	*value = slice_of_pinned(s->pinned[0]);
	return DONE;
}

/* Which operator there is, or none, is one of RocksDB's own options. */
static enum status rocks_merge(struct session *s, struct slice key, struct slice value)
{
	char *error = NULL;

	if (s->in_transaction)
		rocksdb_transaction_merge(s->transaction, key.data, key.size, value.data,
					  value.size, &error);
	else if (s->open)
		rocksdb_writebatch_merge(s->batch, key.data, key.size, value.data,
					 value.size);
	else
		rocksdb_merge(s->db->handle, s->db->write, key.data, key.size, value.data,
			      value.size, &error);
	return check_transaction(s, error);
}

#if ENGINE_MAJOR >= 7 /* newer than 6.29 */
/* The older form copies each value. */
static enum status multiget_copies(struct session *s, struct slice *values, unsigned n)
{
	enum status status = DONE;

	rocksdb_multi_get(s->db->handle, s->read, n, s->keys, s->sizes, s->copies,
			  s->copy_sizes, s->errors);
	s->copied = n;
	for (unsigned i = 0; i < n; i++) {
		if (s->errors[i])
			status = check(s->why, s->errors[i]);
		values[i] =
			(struct slice){s->copies[i], s->copies[i] ? s->copy_sizes[i] : 0};
	}
	return status;
}

static enum status rocks_multiget(struct session *s, const struct slice *keys,
				  struct slice *values, unsigned n)
{
	enum status status = DONE;

	begin_read(s);
	for (unsigned i = 0; i < n; i++) {
		s->keys[i] = keys[i].data;
		s->sizes[i] = keys[i].size;
	}
	if (!option_values.batched_multiget)
		return multiget_copies(s, values, n);
	rocksdb_batched_multi_get_cf(s->db->handle, s->read, s->db->family, n, s->keys,
				     s->sizes, s->pinned, s->errors, false);
	s->held = n;
	for (unsigned i = 0; i < n; i++) {
		if (s->errors[i])
			status = check(s->why, s->errors[i]);
		values[i] = s->pinned[i] ? slice_of_pinned(s->pinned[i])
					 : (struct slice){NULL, 0};
	}
	return status;
}
#endif

static const char no_total_order[] =
	"--prefix_size: tables hashed by prefix have no first, last or previous record";

static enum status rocks_seek(struct session *s, struct slice from, struct slice *key,
			      struct slice *value)
{
	if (option_values.prefix_size && !from.data)
		return set_error(s->why, UNSUPPORTED, no_total_order);
	if (s->tailing && s->iterator)
		return move_iterator(s, from, key, value);
	return leveldb_common_seek(s, from, key, value);
}

static enum status rocks_last(struct session *s, struct slice *key, struct slice *value)
{
	return option_values.prefix_size ? set_error(s->why, UNSUPPORTED, no_total_order)
					 : leveldb_common_last(s, key, value);
}

static enum status rocks_prev(struct session *s, struct slice *key, struct slice *value)
{
	return option_values.prefix_size ? set_error(s->why, UNSUPPORTED, no_total_order)
					 : leveldb_common_prev(s, key, value);
}

static enum status rocks_bulk_begin(struct session *s)
{
	rocksdb_envoptions_t *env = rocksdb_envoptions_create();

	if (!s->bulk)
		s->bulk = rocksdb_sstfilewriter_create(env, s->db->options);
	rocksdb_envoptions_destroy(env);
	return DONE;
}

static enum status rocks_bulk_end(struct session *s)
{
	rocksdb_ingestexternalfileoptions_t *how;
	const char *path = s->db->bulk_path;
	char *error = NULL;

	if (!s->bulk_open)
		return DONE;
	s->bulk_open = false;
	how = rocksdb_ingestexternalfileoptions_create();
	rocksdb_sstfilewriter_finish(s->bulk, &error);
	rocksdb_ingestexternalfileoptions_set_move_files(how, 1);
	if (!error)
		rocksdb_ingest_external_file(s->db->handle, &path, 1, how, &error);
	rocksdb_ingestexternalfileoptions_destroy(how);
	return check(s->why, error);
}

/* A file is opened for its first record: RocksDB refuses to finish an empty one. */
static enum status rocks_bulk_put(struct session *s, struct slice key, struct slice value)
{
	char *error = NULL;
	uint64_t size;
	enum status status;

	if (!s->bulk_open)
		rocksdb_sstfilewriter_open(s->bulk, s->db->bulk_path, &error);
	if (error)
		return check(s->why, error);
	s->bulk_open = true;
	rocksdb_sstfilewriter_put(s->bulk, key.data, key.size, value.data, value.size,
				  &error);
	status = check(s->why, error);
	rocksdb_sstfilewriter_file_size(s->bulk, &size);
	return status == DONE && size >= BULK_FILE_BYTES ? rocks_bulk_end(s) : status;
}

enum cache_type { CACHE_LRU, CACHE_HYPER_CLOCK };
static const char *const cache_types[] = {"lru", "hyper_clock", NULL};

static const struct option options[] = {
	{"bloom_bits", "0",
	 "Size of the Bloom filters in table files, bits per key; 0: no Bloom "
	 "filters. They spare reads of files that lack the key; with 10 bits, "
	 "1 % of these reads remain.",
	 .count = &option_values.bloom_bits, .max = 100, .group = "RocksDB"},
	{"block_size", "4Ki",
	 "Size of a block of a table file before compression, bytes. A block is read "
	 "from the device and cached as a whole.",
	 .size = &option_values.block_size, .min = 128},
	{"cache_type", "lru",
	 "Replacement in RocksDB's block cache. lru: the least recently used block, "
	 "found under a lock. hyper_clock: HyperClockCache without locks, from RocksDB "
	 "8.7 on and RocksDB's own default from 10.7 on.",
	 .choice = &option_values.cache_type, .choices = cache_types},
	{"cache_shard_bits", "-1",
	 "With --cache_type=hyper_clock, the cache has 2 to this power of shards; -1: as "
	 "many as RocksDB chooses by its size.",
	 .real = &option_values.cache_shard_bits, .real_min = -1, .real_max = 19},
	{"background_jobs", "2",
	 "Largest number of memtable flushes and compactions that run at once, each "
	 "in a background thread.",
	 .count = &option_values.background_jobs, .min = 1, .max = 1000},
	{"mmap_reads", "0",
	 "1: read table files through a memory map, without RocksDB's block cache. 0: "
	 "read them by system calls into that cache.",
	 .flag = &option_values.mmap_reads},
	{"direct_reads", "0",
	 "1: read table files with O_DIRECT, past the kernel's page cache, into "
	 "RocksDB's own cache only. 0: read them through the page cache.",
	 .flag = &option_values.direct_reads},
	{"auto_compactions", "1",
	 "1: merge table files in the background. 0: merge only in the "
	 "workload compact (disable_auto_compactions). Files then pile up, "
	 "and a read must search more of them.",
	 .flag = &option_values.auto_compactions},
#if ENGINE_MAJOR >= 7
	{"batched_multiget", "1",
	 "1: multi-gets search the keys of one table file together, and values stay in "
	 "the block cache. 0: by MultiGet's older form, which copies each value.",
	 .flag = &option_values.batched_multiget},
#endif
	{"perf_level", "1",
	 "Detail of RocksDB's own performance counters in each thread "
	 "(SetPerfLevel), 1 to 5; from RocksDB 9 on, 1 to 6. 1: none, as in "
	 "db_bench. 2: counts, RocksDB's default; --engine_counters raises 1 "
	 "to 2. 3 and above: times, too. Higher levels make the measured "
	 "calls slower.",
	 .count = &option_values.perf_level, .min = 1, .max = ENGINE_MAJOR >= 9 ? 6 : 5},
	{"rocksdb_options", "",
	 "Settings of RocksDB by its own names, such as max_open_files=100, separated "
	 "by semicolons. They are applied after all other options. A group of "
	 "settings is written NAME={NAME=VALUE;...}. Empty: none.",
	 .text = &option_values.rocksdb_options},
	{"read_options", "",
	 "RocksDB's ReadOptions by its own names, such as readahead_size=2097152, "
	 "separated by semicolons; they are for all reads. Empty: RocksDB's defaults.",
	 .text = &option_values.read_options},
	{"prefix_size", "0",
	 "Length of the key prefix that RocksDB hashes, bytes. Memtables are "
	 "then hash tables of skip lists, and table files have the plain "
	 "format. A scan ends after the last key with the prefix of its start "
	 "key. 0: no hashing; skip list and block-based tables.",
	 .count = &option_values.prefix_size, .max = 511},
	{"transaction_db", "0",
	 "1: open a TransactionDB, whose transactions lock what they read and write. 0: "
	 "transactions are batches of writes, and do not read.",
	 .flag = &option_values.transaction_db},
	{"optimistic_transaction_db", "0",
	 "1: open an OptimisticTransactionDB, whose transactions are checked for "
	 "conflicts at commit. 0: as --transaction_db says.",
	 .flag = &option_values.optimistic_transaction_db},
	{"transaction_lock_timeout", "1000",
	 "With --transaction_db, how long a transaction waits for a lock before that is "
	 "a conflict, milliseconds.",
	 .count = &option_values.transaction_lock_timeout, .min = 1, .max = 1000000000},
	{"transaction_set_snapshot", "0",
	 "1: what others changed since a transaction began is a conflict. 0: only what "
	 "they changed since it was read or written there.",
	 .flag = &option_values.transaction_set_snapshot},
	{0},
};

static const struct preset rocksdb_presets[] = {
	{"db_bench",
	 "Defaults of RocksDB's db_bench: 32 MiB of cache with the index blocks outside, "
	 "log and memtable written in a pipeline, Snappy; values are not read.",
	 "key_format=binary key_size=16 cache_size=32Mi compression=snappy touch=none "
	 "rocksdb_options=enable_pipelined_write=true;delayed_write_rate=8388608;"
	 "table_cache_numshardbits=4;level_compaction_dynamic_level_bytes=false;"
	 "block_based_table_factory={"
	 "cache_index_and_filter_blocks=false;"
	 "index_shortening=kShortenSeparatorsAndSuccessor}"},
	{0},
};

typedef void set_read_flag(rocksdb_readoptions_t *, unsigned char);

/* NULL in libraries whose C API does not have them yet. */
extern set_read_flag rocksdb_readoptions_set_adaptive_readahead __attribute__((weak)),
	rocksdb_readoptions_set_async_io __attribute__((weak)),
	rocksdb_readoptions_set_auto_prefix_mode __attribute__((weak)),
	rocksdb_readoptions_set_auto_readahead_size __attribute__((weak)),
	rocksdb_readoptions_set_auto_refresh_iterator_with_snapshot __attribute__((weak)),
	rocksdb_readoptions_set_optimize_multiget_for_io __attribute__((weak));

struct rocksdb_hyper_clock_cache_options_t;
extern struct rocksdb_hyper_clock_cache_options_t *
rocksdb_hyper_clock_cache_options_create(size_t capacity, size_t entry_charge)
	__attribute__((weak));
extern void rocksdb_hyper_clock_cache_options_set_num_shard_bits(
	struct rocksdb_hyper_clock_cache_options_t *, int) __attribute__((weak));
extern void rocksdb_hyper_clock_cache_options_destroy(
	struct rocksdb_hyper_clock_cache_options_t *) __attribute__((weak));
extern rocksdb_cache_t *rocksdb_cache_create_hyper_clock_opts(
	const struct rocksdb_hyper_clock_cache_options_t *) __attribute__((weak));

static const struct read_option {
	const char *name;
	set_read_flag *set;
	void (*set_size)(rocksdb_readoptions_t *, size_t);
} read_option_list[] = {
	{"adaptive_readahead", .set = rocksdb_readoptions_set_adaptive_readahead},
	{"async_io", .set = rocksdb_readoptions_set_async_io},
	{"auto_prefix_mode", .set = rocksdb_readoptions_set_auto_prefix_mode},
	{"auto_readahead_size", .set = rocksdb_readoptions_set_auto_readahead_size},
	{"auto_refresh_iterator_with_snapshot",
	 .set = rocksdb_readoptions_set_auto_refresh_iterator_with_snapshot},
	{"fill_cache", .set = rocksdb_readoptions_set_fill_cache},
	{"optimize_multiget_for_io",
	 .set = rocksdb_readoptions_set_optimize_multiget_for_io},
	{"pin_data", .set = rocksdb_readoptions_set_pin_data},
	{"prefix_same_as_start", .set = rocksdb_readoptions_set_prefix_same_as_start},
	{"readahead_size", .set_size = rocksdb_readoptions_set_readahead_size},
	{"tailing", .set = rocksdb_readoptions_set_tailing},
	{"total_order_seek", .set = rocksdb_readoptions_set_total_order_seek},
	{"verify_checksums", .set = rocksdb_readoptions_set_verify_checksums},
};

static const struct read_option *find_read_option(const char *name)
{
	const size_t n = sizeof read_option_list / sizeof *read_option_list;

	for (size_t i = 0; i < n; i++)
		if (!strcmp(read_option_list[i].name, name))
			return &read_option_list[i];
	return NULL;
}

static const char *wrong_read_option(const char *name, const char *problem)
{
	static char text[128];

	snprintf(text, sizeof text, "--read_options: %.40s: %s", name, problem);
	return text;
}

/* Read a boolean or a number, up to a semicolon or the end. */
static bool parse_read_value(const char *text, unsigned long long *value)
{
	size_t length = strcspn(text, ";");
	bool is_true = length == 4 && !memcmp(text, "true", 4);

	*value = is_true ? 1 : strtoull(text, NULL, 10);
	return is_true || (length == 5 && !memcmp(text, "false", 5)) ||
	       (length && length == strspn(text, "0123456789"));
}

/*
 * Set what --read_options names, or only check it if `read` is NULL. Returns what is wrong
 * with it, or NULL.
 */
static const char *set_read_options(rocksdb_readoptions_t *read)
{
	const char *at = option_values.read_options;
	unsigned long long value;
	char name[64];

	for (; *at; at += strcspn(at, ";"), at += *at == ';') {
		int read_to = 0;
		const struct read_option *option;

		if (sscanf(at, "%63[a-z_]=%n", name, &read_to) < 1 || !read_to ||
		    !parse_read_value(at + read_to, &value))
			return wrong_read_option(at, "give NAME=VALUE, with true, false "
						     "or a number");
		option = find_read_option(name);
		if (!option)
			return wrong_read_option(name, "RocksDB's C API has no such one");
		if (!option->set && !option->set_size)
			return wrong_read_option(name,
						 "the C API of RocksDB " ENGINE_VERSION
						 " cannot set it yet");
		if (read && option->set)
			option->set(read, value != 0);
		else if (read)
			option->set_size(read, value);
	}
	return NULL;
}

static struct traits rocks_check_settings(const struct settings *s)
{
	const char *wrong = set_read_options(NULL);
	int shard_bits = (int)option_values.cache_shard_bits;

	if (wrong)
		return invalid_settings(wrong);
	/* the C API has it from 8.1 on, but up to 8.6 blocks must all have a known size */
	if (option_values.cache_type == CACHE_HYPER_CLOCK &&
	    (!rocksdb_cache_create_hyper_clock_opts ||
	     !rocksdb_readoptions_set_auto_readahead_size))
		return invalid_settings("--cache_type=hyper_clock: needs RocksDB 8.7 or "
					"later, and this is " ENGINE_VERSION);
	if (option_values.cache_shard_bits < shard_bits ||
	    option_values.cache_shard_bits > shard_bits)
		return invalid_settings("--cache_shard_bits: give a whole number");
	if (option_values.prefix_size > s->key_size)
		return invalid_settings(
			"--prefix_size: a prefix is no longer than --key_size");
	if (option_values.mmap_reads && option_values.direct_reads)
		return invalid_settings(
			"--mmap_reads and --direct_reads exclude each other");
	if (option_values.transaction_db && option_values.optimistic_transaction_db)
		return invalid_settings(
			"--transaction_db and --optimistic_transaction_db "
			"exclude each other");
	return (struct traits){.reads_mapped = option_values.mmap_reads ||
					       option_values.prefix_size,
			       .transactions = option_values.transaction_db ||
					       option_values.optimistic_transaction_db};
}

/*
 * The C API has no version call, so this calls the library's C++ function: std::string
 * GetRocksVersionAsString(bool), under its names for both layouts of libstdc++'s strings.
 * Both begin with a pointer to the characters. The newer layout stores a text this short
 * inside the string, where it still is after the return.
 */
struct cpp_string {
	const char *text;
	size_t size;
	char inline_bytes[16];
};

static const char *rocks_version(void)
{
	static const char *const names[] = {
		"_ZN7rocksdb23GetRocksVersionAsStringB5cxx11Eb",
		"_ZN7rocksdb23GetRocksVersionAsStringEb"};
	static char text[32];
	struct cpp_string (*get_version)(bool with_patch);
	struct cpp_string string;

	for (int older = 0; !*text && older < 2; older++) {
		void *found = dlsym(RTLD_DEFAULT, names[older]);

		/* libc++'s strings differ from both, but have the older name */
		if (!found ||
		    (older && !dlsym(RTLD_DEFAULT, "_ZNSs4_Rep20_S_empty_rep_storageE")))
			continue;
		memcpy(&get_version, &found, sizeof get_version);
		string = get_version(true);
		if (older || string.size < sizeof string.inline_bytes)
			snprintf(text, sizeof text, "%s",
				 older ? string.text : string.inline_bytes);
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
 * The header may be of another version than the library (release builds come without
 * one), and this function differs: the last four parameters are newer than some headers.
 * An older library ignores them.
 */
extern void set_plain_table(
	rocksdb_options_t *, uint32_t key_size, int bloom_bits, double hash_ratio,
	size_t sparseness, size_t huge_page_size, char encoding, unsigned char full_scan,
	unsigned char index_in_file) __asm__("rocksdb_options_set_plain_table_factory");

static void set_prefix_mode(struct db *db)
{
	rocksdb_options_t *o = db->options;

	rocksdb_options_set_prefix_extractor(o,
					     rocksdb_slicetransform_create_fixed_prefix(
						     option_values.prefix_size));
	rocksdb_options_set_hash_skip_list_rep(o, 1 << 20, 4, 4);
	/* a hash memtable does not support this */
	rocksdb_options_set_allow_concurrent_memtable_write(o, 0);
	rocksdb_options_set_allow_mmap_reads(o, 1);
	set_plain_table(o, (uint32_t)db->settings->key_size, 10, 0.75, 16, 0, 0, 0, 0);
}

static rocksdb_readoptions_t *read_options(void)
{
	rocksdb_readoptions_t *read = rocksdb_readoptions_create();

	if (option_values.prefix_size)
		rocksdb_readoptions_set_prefix_same_as_start(read, 1);
	set_read_options(read);
	return read;
}

static rocksdb_cache_t *create_cache(size_t bytes)
{
	struct rocksdb_hyper_clock_cache_options_t *how;
	rocksdb_cache_t *cache;

	if (option_values.cache_type == CACHE_LRU)
		return rocksdb_cache_create_lru(bytes);
	how = rocksdb_hyper_clock_cache_options_create(bytes, 0);
	rocksdb_hyper_clock_cache_options_set_num_shard_bits(
		how, (int)option_values.cache_shard_bits);
	cache = rocksdb_cache_create_hyper_clock_opts(how);
	rocksdb_hyper_clock_cache_options_destroy(how);
	return cache;
}

static void set_options(struct db *db)
{
	const struct settings *s = db->settings;
	rocksdb_options_t *o = db->options;

	rocksdb_options_set_create_if_missing(o, s->create);
	rocksdb_options_set_write_buffer_size(o, s->write_buffer_bytes);
	rocksdb_options_set_max_write_buffer_number(o, 2);
	rocksdb_options_set_compression(o, rocks_compressions[s->compression]);
	rocksdb_options_set_max_background_jobs(o, (int)option_values.background_jobs);
	rocksdb_options_set_allow_mmap_reads(o, option_values.mmap_reads);
	rocksdb_options_set_use_direct_reads(o, option_values.direct_reads);
	rocksdb_options_set_disable_auto_compactions(o, !option_values.auto_compactions);
	rocksdb_options_set_stats_dump_period_sec(o, 0);
	rocksdb_options_set_stats_persist_period_sec(o, 0);
	rocksdb_options_set_keep_log_file_num(o, 1);
	db->cache = create_cache(s->cache_bytes);
	db->table = rocksdb_block_based_options_create();
	rocksdb_block_based_options_set_block_cache(db->table, db->cache);
	rocksdb_block_based_options_set_block_size(db->table, option_values.block_size);
	rocksdb_block_based_options_set_cache_index_and_filter_blocks(db->table, 1);
	if (option_values.bloom_bits)
		rocksdb_block_based_options_set_filter_policy(
			db->table, rocksdb_filterpolicy_create_bloom_full(
					   (double)option_values.bloom_bits));
	rocksdb_options_set_block_based_table_factory(o, db->table);
	if (option_values.prefix_size)
		set_prefix_mode(db);
	if (s->counters && !s->statistics)
		rocksdb_options_enable_statistics(o);
}

/*
 * RocksDB's own options as text are applied last; it reports those that it cannot parse.
 */
static void set_own_options(struct db *db, char **error)
{
	rocksdb_options_t *with = rocksdb_options_create();

	rocksdb_get_options_from_string(db->options, option_values.rocksdb_options, with,
					error);
	rocksdb_options_destroy(db->options);
	db->options = with;
}

/*
 * In db_bench's place statistics are of all databases that the program opens, one after
 * another.
 */
static rocksdb_options_t *create_options(bool statistics)
{
	static rocksdb_options_t *with_statistics;

	if (!statistics)
		return rocksdb_options_create();
	if (!with_statistics) {
		with_statistics = rocksdb_options_create();
		rocksdb_options_enable_statistics(with_statistics);
	}
	return rocksdb_options_create_copy(with_statistics);
}

static const char *const default_family = "default";

/*
 * The C API has few calls for a TransactionDB, which is a database of another class. Both
 * handles are a pointer to it, and its class has that of a database as its only base, at
 * its beginning: so its handle is one of a database, too.
 */
static void open_pessimistic(struct db *db, const char *path, char **error)
{
	rocksdb_transactiondb_options_t *with = rocksdb_transactiondb_options_create();

	db->pessimistic_how = rocksdb_transaction_options_create();
	rocksdb_transaction_options_set_lock_timeout(
		db->pessimistic_how, (int64_t)option_values.transaction_lock_timeout);
	rocksdb_transaction_options_set_set_snapshot(
		db->pessimistic_how, option_values.transaction_set_snapshot);
	db->pessimistic = rocksdb_transactiondb_open_column_families(
		db->options, with, path, 1, &default_family,
		(const rocksdb_options_t *const *)&db->options, &db->family, error);
	db->handle = (rocksdb_t *)(void *)db->pessimistic;
	rocksdb_transactiondb_options_destroy(with);
}

static void open_optimistic(struct db *db, const char *path, char **error)
{
	db->optimistic_how = rocksdb_optimistictransaction_options_create();
	rocksdb_optimistictransaction_options_set_set_snapshot(
		db->optimistic_how, option_values.transaction_set_snapshot);
	db->optimistic = rocksdb_optimistictransactiondb_open_column_families(
		db->options, path, 1, &default_family,
		(const rocksdb_options_t *const *)&db->options, &db->family, error);
	if (db->optimistic)
		db->handle = rocksdb_optimistictransactiondb_get_base_db(db->optimistic);
}

static enum status rocks_open(struct db *db, const struct settings *s, char *why)
{
	char *error = NULL;

	snprintf(db->bulk_path, sizeof db->bulk_path, "%s/bulk.sst", s->path);
	db->settings = s;
	pthread_mutex_init(&db->perf_lock, NULL);
	db->options = create_options(s->statistics);
	db->write = rocksdb_writeoptions_create();
	set_options(db);
	set_durability(db, s->durability);
	if (*option_values.rocksdb_options)
		set_own_options(db, &error);
	if (error)
		return check(why, error);
	if (option_values.transaction_db)
		open_pessimistic(db, s->path, &error);
	else if (option_values.optimistic_transaction_db)
		open_optimistic(db, s->path, &error);
	else
		db->handle = rocksdb_open_column_families(
			db->options, s->path, 1, &default_family,
			(const rocksdb_options_t *const *)&db->options, &db->family,
			&error);
	return check(why, error);
}

static void close_handle(struct db *db)
{
	if (db->family)
		rocksdb_column_family_handle_destroy(db->family);
	if (db->optimistic) {
		rocksdb_optimistictransactiondb_close_base_db(db->handle);
		rocksdb_optimistictransactiondb_close(db->optimistic);
	} else if (db->pessimistic) {
		rocksdb_transactiondb_close(db->pessimistic);
	} else if (db->handle) {
		rocksdb_close(db->handle);
	}
	if (db->optimistic_how)
		rocksdb_optimistictransaction_options_destroy(db->optimistic_how);
	if (db->pessimistic_how)
		rocksdb_transaction_options_destroy(db->pessimistic_how);
}

static enum status rocks_close(struct db *db, char *why)
{
	(void)why;
	close_handle(db);
	rocksdb_writeoptions_destroy(db->write);
	rocksdb_options_destroy(db->options);
	rocksdb_block_based_options_destroy(db->table);
	rocksdb_cache_destroy(db->cache);
	return DONE;
}

static size_t max_multiget_keys(const struct settings *s)
{
	return s->multiget ? s->multiget : 1;
}

static size_t rocks_session_extra_size(const struct settings *s)
{
	return 6 * max_multiget_keys(s) * sizeof(void *);
}

/* RocksDB counts in each thread by itself: begin at 0, with counts at least. */
static void begin_perf(struct session *s)
{
	uint64_t level = option_values.perf_level;

	if (s->db->settings->counters && level < 2)
		level = 2;
	rocksdb_set_perf_level((int)level); /* of this thread */
	if (level < 2)
		return;
	s->perf = rocksdb_perfcontext_create();
	rocksdb_perfcontext_reset(s->perf);
}

static void add_perf(struct db *db, const char *name, uint64_t value)
{
	size_t i = 0;

	while (i < db->perf_count && strcmp(db->perf[i].name, name) != 0)
		i++;
	if (i == PERF_COUNTERS)
		return;
	if (i == db->perf_count)
		snprintf(db->perf[db->perf_count++].name, sizeof db->perf->name, "%s",
			 name);
	db->perf[i].sum += value;
}

/* Adds this thread's counters to those of the database: "NAME = NUMBER, ...". */
static void end_perf(struct session *s)
{
	char *all = s->perf ? rocksdb_perfcontext_report(s->perf,
							 s->db->settings->counters)
			    : NULL,
	     *rest = all;
	unsigned long long value;
	char name[sizeof s->db->perf->name];

	pthread_mutex_lock(&s->db->perf_lock);
	for (char *one; rest && (one = strsep(&rest, ","));)
		if (sscanf(one, " %63[a-z0-9_] = %llu", name, &value) == 2)
			add_perf(s->db, name, value);
	pthread_mutex_unlock(&s->db->perf_lock);
	rocksdb_free(all);
	if (s->perf)
		rocksdb_perfcontext_destroy(s->perf);
}

static enum status rocks_attach(struct session *s, struct db *db, char *why)
{
	size_t most = max_multiget_keys(db->settings);

	s->db = db;
	s->why = why;
	begin_perf(s);
	s->batch = rocksdb_writebatch_create();
	s->read = read_options();
	s->tailing = rocksdb_readoptions_get_tailing(s->read);
	s->pinned = (rocksdb_pinnableslice_t **)s->allocated;
	s->keys = (const char **)&s->allocated[most];
	s->sizes = (size_t *)&s->allocated[2 * most];
	s->errors = (char **)&s->allocated[3 * most];
	s->copies = (char **)&s->allocated[4 * most];
	s->copy_sizes = (size_t *)&s->allocated[5 * most];
	return DONE;
}

static void rocks_detach(struct session *s)
{
	end_perf(s);
	if (s->transaction)
		rocksdb_transaction_destroy(s->transaction);
	rocksdb_readoptions_destroy(s->read);
	if (s->bulk)
		rocksdb_sstfilewriter_destroy(s->bulk);
	rocksdb_writebatch_destroy(s->batch);
}

/* An error of background work since open fails no call, and the work stays pending. */
static enum status check_background(struct db *db, char *why)
{
	uint64_t n;

	if (rocksdb_property_int(db->handle, "rocksdb.background-errors", &n) || !n)
		return DONE;
	return set_error(why, FAILED,
			 "a flush or compaction failed; see RocksDB's file LOG in the "
			 "database directory");
}

/*
 * Compacts everything into the last level; tables that lay there before are rewritten, too
 * (kForceOptimized), but none that this compaction made.
 */
static enum status rocks_compact(struct db *db, char *why)
{
	rocksdb_compactoptions_t *how = rocksdb_compactoptions_create();

	rocksdb_compactoptions_set_bottommost_level_compaction(how, 3);
	rocksdb_compact_range_opt(db->handle, how, NULL, 0, NULL, 0);
	rocksdb_compactoptions_destroy(how);
	return check_background(db, why);
}

/* The sum of some of RocksDB's properties, of those that exist. */
static uint64_t sum_of(const struct db *db, const char *const *property, size_t count)
{
	uint64_t sum = 0, n;

	for (size_t i = 0; i < count; i++)
		sum += rocksdb_property_int(db->handle, property[i], &n) ? 0 : n;
	return sum;
}

/*
 * Is a compaction running, or queued? One that is queued and does not begin while this is
 * asked fifty times never will: a universal tree always has one.
 */
static bool is_compacting(const struct db *db, int *waits)
{
	static const char *const running[] = {"rocksdb.num-running-compactions"},
				 *const queued[] = {"rocksdb.compaction-pending"};

	if (!sum_of(db, running, 1))
		return sum_of(db, queued, 1) && ++*waits < 50;
	*waits = 0;
	return true;
}

/*
 * The C API cannot name files to compact, so a single file in level 0 is made reason
 * enough until nothing is left to do.
 */
static enum status rocks_compact_level0(struct db *db, char *why)
{
	const struct timespec nap = {0, 20000000};
	const char *names[] = {"level0_file_num_compaction_trigger",
			       "disable_auto_compactions"};
	const char *during[] = {"1", "false"};
	char trigger[32];
	const char *after[] = {trigger,
			       option_values.auto_compactions ? "false" : "true"};
	char *error = NULL;
	int waits = 0;

	snprintf(trigger, sizeof trigger, "%d",
		 rocksdb_options_get_level0_file_num_compaction_trigger(db->options));
	rocksdb_set_options(db->handle, 2, names, during, &error);
	for (int quiet = 0; !error && quiet < 3 && check_background(db, why) == DONE;
	     quiet++) {
		nanosleep(&nap, NULL);
		quiet = is_compacting(db, &waits) ? -1 : quiet;
	}
	if (!error)
		rocksdb_set_options(db->handle, 2, names, after, &error);
	return error ? check(why, error) : check_background(db, why);
}

/* Flushes the memtable; compactions that this triggers are pending work. */
static enum status rocks_settle(struct db *db, char *why)
{
	rocksdb_flushoptions_t *flush = rocksdb_flushoptions_create();
	char *error = NULL;

	rocksdb_flushoptions_set_wait(flush, 1);
	rocksdb_flush(db->handle, flush, &error);
	rocksdb_flushoptions_destroy(flush);
	return check(why, error);
}

/*
 * Hard links to the tables, which never change, and copies of the rest; the memtable is
 * flushed first.
 */
static enum status rocks_backup(struct db *db, const char *to, char *why)
{
	char *error = NULL;
	rocksdb_checkpoint_t *checkpoint =
		rocksdb_checkpoint_object_create(db->handle, &error);

	if (checkpoint) {
		rmdir(to); /* RocksDB makes the directory itself */
		rocksdb_checkpoint_create(checkpoint, to, 0, &error);
		rocksdb_checkpoint_object_destroy(checkpoint);
	}
	return check(why, error);
}

/*
 * Running or queued flushes and compactions. A universal compaction can stay pending for
 * ever without need: one that waits and never starts does not count.
 */
static enum status rocks_pending_work(struct db *db, struct pending_work *pending,
				      char *why)
{
	static const char *const running[] = {"rocksdb.num-running-flushes",
					      "rocksdb.num-running-compactions"},
				 *const waiting[] = {"rocksdb.mem-table-flush-pending",
						     "rocksdb.compaction-pending"};

	pending->work = sum_of(db, running, 2);
	pending->progress = 0;
	/* Without automatic compactions, queued ones never run. */
	if (!pending->work && sum_of(db, waiting, option_values.auto_compactions ? 2 : 1))
		pending->work = PENDING_WORK_UNKNOWN;
	return check_background(db, why);
}

/* From the OPTIONS file that RocksDB wrote at open, and from properties. */
#if ENGINE_MAJOR >= 7
static void report_options(struct report *report, rocksdb_options_t *o,
			   rocksdb_options_t *family)
{
	REPORT_NUMBERS(report,
		       {"write_buffer_size",
			rocksdb_options_get_write_buffer_size(family)},
		       {"max_write_buffer_number",
			(unsigned)rocksdb_options_get_max_write_buffer_number(family)},
		       {"compression", (unsigned)rocksdb_options_get_compression(family)},
		       {"max_background_jobs",
			(unsigned)rocksdb_options_get_max_background_jobs(o)},
		       {"mmap_reads", rocksdb_options_get_allow_mmap_reads(o)},
		       {"use_direct_reads", rocksdb_options_get_use_direct_reads(o)});
	report_append(report, " max_open_files=%d level0_file_num_compaction_trigger=%d",
		      rocksdb_options_get_max_open_files(o), /* -1: no limit */
		      rocksdb_options_get_level0_file_num_compaction_trigger(family));
}

static void describe_latest(struct db *db, struct report *report)
{
	rocksdb_env_t *env = rocksdb_create_default_env();
	rocksdb_options_t *o = NULL, **of_family = NULL;
	char **names = NULL, *error = NULL;
	size_t families = 0;

	rocksdb_load_latest_options(db->settings->path, env, true, db->cache, &o,
				    &families, &names, &of_family, &error);
	if (!error && families)
		report_options(report, o, of_family[0]);
	if (!error)
		rocksdb_load_latest_options_destroy(o, names, of_family, families);
	rocksdb_free(error);
	rocksdb_env_destroy(env);
}
#endif

static void rocks_describe(struct db *db, struct report *report)
{
	REPORT_NUMBERS(report, {"block_cache", rocksdb_cache_get_capacity(db->cache)},
		       {"disable_wal", rocksdb_writeoptions_get_disable_WAL(db->write)},
		       {"sync", rocksdb_writeoptions_get_sync(db->write)});
#if ENGINE_MAJOR >= 7
	describe_latest(db, report);
#endif
}

/*
 * Lines of its text: "NAME COUNT : N", and of a histogram "NAME P50 : ... COUNT : N SUM :
 * MICROSECONDS".
 */
static void report_counters(struct db *db, struct report *report)
{
	char *all = rocksdb_options_statistics_get_string(db->options), *rest = all;
	char summed[136];

	for (char *line; rest && (line = strsep(&rest, "\n"));) {
		char name[128];
		const char *count = strstr(line, " COUNT : "), *sum;

		if (!count || sscanf(line, "%127s", name) != 1)
			continue;
		REPORT_NUMBERS(report, {name, strtoull(count + 9, NULL, 10)});
		sum = strstr(count, " SUM : ");
		snprintf(summed, sizeof summed, "%s sum", name);
		if (sum)
			REPORT_NUMBERS(report, {summed, strtoull(sum + 7, NULL, 10)});
	}
	rocksdb_free(all);
	for (size_t i = 0; i < db->perf_count; i++) {
		snprintf(summed, sizeof summed, "perfcontext.%s", db->perf[i].name);
		REPORT_NUMBERS(report, {summed, db->perf[i].sum});
	}
}

/* Its tickers and histograms as it formats them. */
static void report_tickers(struct db *db, struct report *report)
{
	char *text = rocksdb_options_statistics_get_string(db->options);

	report_append(report, "%s", text ? text : "");
	rocksdb_free(text);
}

/* PerfContext as it formats it, of the threads that detached since the last call. */
static void report_perf_context(struct db *db, struct report *report)
{
	for (size_t i = 0; i < db->perf_count; i++) {
		report_append(report, "%s = %llu, ", db->perf[i].name,
			      (unsigned long long)(db->perf[i].sum - db->perf[i].told));
		db->perf[i].told = db->perf[i].sum;
	}
}

static void rocks_property(struct db *db, const char *name, struct report *report)
{
	static const char *const memory[] = {"rocksdb.num-immutable-mem-table",
					     "rocksdb.cur-size-active-mem-table",
					     "rocksdb.cur-size-all-mem-tables",
					     "rocksdb.size-all-mem-tables",
					     "rocksdb.num-entries-active-mem-table",
					     "rocksdb.num-entries-imm-mem-tables"};
	char whole[64];

	if (!strcmp(name, "statistics")) {
		report_tickers(db, report);
		return;
	}
	if (!strcmp(name, "perf_context")) {
		report_perf_context(db, report);
		return;
	}
	if (strcmp(name, "memstats") != 0) {
		snprintf(whole, sizeof whole, "rocksdb.%s", name);
		report_property(db, whole, report);
		return;
	}
	for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) {
		report_append(report, "%s%s: ", i ? "\n" : "", memory[i]);
		report_property(db, memory[i], report);
	}
}

static void rocks_statistics(struct db *db, struct report *report)
{
	if (db->settings->counters) {
		report_counters(db, report);
		report_append(report, "\n");
	}
	report_property(db, "rocksdb.stats", report);
}

const struct engine engine = {
	.name = "rocksdb",
	.title = "RocksDB",
	.version = rocks_version,
	.cache = "block cache, index and filter blocks included",
	.write_buffer = "each of two memtables",
	.compressions = 1 << COMPRESSION_SNAPPY | 1 << COMPRESSION_LZ4 |
			1 << COMPRESSION_ZLIB | 1 << COMPRESSION_ZSTD,
	.effective_durability = {DURABILITY_NONE, DURABILITY_ASYNC, DURABILITY_SYNC},
	.provenance = {.symbol = "rocksdb_open",
		       .cpp_namespace = "rocksdb",
		       .crc32c = true},
	.options = options,
	.presets = rocksdb_presets,
	LEVELDB_COMMON_FACTS,
	.put = rocks_put,
	.del = rocks_del,
	.merge = rocks_merge,
	.get = rocks_get,
#if ENGINE_MAJOR >= 7
	.multiget = rocks_multiget,
#endif
	.seek = rocks_seek,
	.last = rocks_last,
	.prev = rocks_prev,
	.begin = rocks_begin,
	.commit = rocks_commit,
	.rollback = rocks_rollback,
	.bulk_begin = rocks_bulk_begin,
	.bulk_put = rocks_bulk_put,
	.bulk_end = rocks_bulk_end,
	.check_settings = rocks_check_settings,
	.open = rocks_open,
	.close = rocks_close,
	.session_extra_size = rocks_session_extra_size,
	.attach = rocks_attach,
	.detach = rocks_detach,
	.compact = rocks_compact,
	.compact_level0 = rocks_compact_level0,
	.property = rocks_property,
	.settle = rocks_settle,
	.pending_work = rocks_pending_work,
	.backup = rocks_backup,
	.backup_by = "checkpoint, by links",
	.describe = rocks_describe,
	.statistics = rocks_statistics,
};
