/* rocksdb.c: what the driver of RocksDB makes of its errors, events and counters. */
#include <rocksdb/c.h>
#include <stdint.h>

static int property_int(rocksdb_t *db, const char *name, uint64_t *value);
static char *statistics_string(rocksdb_options_t *o);
static char *perf_report(rocksdb_perfcontext_t *perf, unsigned char without_zero);
static char *property_text(rocksdb_t *db, const char *name);
static void no_perf(rocksdb_perfcontext_t *perf);
static void options_set(rocksdb_t *db, int count, const char *const names[],
			const char *const values[], char **error);
static void transaction_rolled_back(rocksdb_transaction_t *transaction, char **error);
static void transaction_committed(rocksdb_transaction_t *transaction, char **error);
static void bulk_put(rocksdb_sstfilewriter_t *writer, const char *key, size_t key_size,
		     const char *value, size_t value_size, char **error);
static void bulk_finish(rocksdb_sstfilewriter_t *writer, char **error);
static void bulk_file_size(rocksdb_sstfilewriter_t *writer, uint64_t *size);
static void bulk_ingest(rocksdb_t *db, const char *const *files, size_t count,
			const rocksdb_ingestexternalfileoptions_t *how, char **error);

#define rocksdb_property_int property_int
#define rocksdb_options_statistics_get_string statistics_string
#define rocksdb_perfcontext_report perf_report
#define rocksdb_perfcontext_destroy no_perf
#define rocksdb_property_value property_text
#define rocksdb_set_options options_set
#define rocksdb_transaction_rollback transaction_rolled_back
#define rocksdb_transaction_commit transaction_committed
#define rocksdb_sstfilewriter_put bulk_put
#define rocksdb_sstfilewriter_finish bulk_finish
#define rocksdb_sstfilewriter_file_size bulk_file_size
#define rocksdb_ingest_external_file bulk_ingest
#include "../../engines/rocksdb.c"
#include "../tap.h"

/* Properties that are not 0, in their order; one does not exist. */
static struct {
	const char *name;
	uint64_t value;
} properties[5];

static int property_int(rocksdb_t *db, const char *name, uint64_t *value)
{
	(void)db;
	*value = 0;
	for (size_t i = 0; i < 5; i++)
		if (properties[i].name && !strcmp(properties[i].name, name))
			*value = properties[i].value;
	return 0;
}

/* A file of a bulk load, how many were loaded, and the call that fails, if any. */
static uint64_t bulk_size;
static unsigned bulk_loaded;
static const char *bulk_failing = "none";

static void bulk_fail(const char *call, char **error)
{
	if (!strcmp(call, bulk_failing))
		*error = strdup("IO error: No space left on device: x");
}

static void bulk_put(rocksdb_sstfilewriter_t *writer, const char *key, size_t key_size,
		     const char *value, size_t value_size, char **error)
{
	(void)writer, (void)key, (void)key_size, (void)value, (void)value_size;
	bulk_fail("put", error);
}

static void bulk_finish(rocksdb_sstfilewriter_t *writer, char **error)
{
	(void)writer;
	bulk_fail("finish", error);
}

static void bulk_file_size(rocksdb_sstfilewriter_t *writer, uint64_t *size)
{
	(void)writer;
	*size = bulk_size;
}

static void bulk_ingest(rocksdb_t *db, const char *const *files, size_t count,
			const rocksdb_ingestexternalfileoptions_t *how, char **error)
{
	(void)db, (void)files, (void)how;
	bulk_loaded += (unsigned)count;
	bulk_fail("ingest", error);
}

static const char *statistics_are, *perf_is;

static char *statistics_string(rocksdb_options_t *o)
{
	(void)o;
	return strdup(statistics_are);
}

static char *perf_report(rocksdb_perfcontext_t *perf, unsigned char without_zero)
{
	(void)perf;
	return strdup(without_zero ? perf_is : "zeros = 0");
}

static char *property_text(rocksdb_t *db, const char *name)
{
	(void)db;
	return strdup(name);
}

static char settings_set[1000];
static bool settings_fail;

static void options_set(rocksdb_t *db, int count, const char *const names[],
			const char *const values[], char **error)
{
	(void)db;
	for (int i = 0; i < count; i++) {
		strcat(settings_set, names[i]);
		strcat(settings_set, "=");
		strcat(settings_set, values[i]);
		strcat(settings_set, i + 1 < count ? "," : ";");
	}
	if (settings_fail)
		*error = strdup("no such option");
}

static void no_perf(rocksdb_perfcontext_t *perf)
{
	(void)perf;
}

static void errors(void)
{
	char why[ENGINE_ERROR_SIZE] = "";

	tap_expect(check(why, NULL) == DONE, "none");
	tap_expect(check(why, strdup("IO error: No space left on device: x")) == FULL,
		   "a full device");
	tap_expect(check(why, strdup("Corruption: x")) == FAILED, "damage");
	tap_expect(!strcmp(why, "Corruption: x"), "%s", why);
}

static const char *commit_error; /* NULL: none */
static unsigned rollbacks;

static void transaction_committed(rocksdb_transaction_t *transaction, char **error)
{
	(void)transaction;
	*error = commit_error ? strdup(commit_error) : NULL;
}

static void transaction_rolled_back(rocksdb_transaction_t *transaction, char **error)
{
	(void)transaction;
	*error = strdup("it is told nobody");
	rollbacks++;
}

/* A commit that fails ends its transaction, and says why unless others were the reason. */
static void commits(void)
{
	static const struct {
		const char *error;
		enum status status;
		bool is_told;
	} rows[] = {
		{NULL, DONE, false},
		{"Resource busy: ", CONFLICT, false},
		{"Operation timed out: Timeout waiting to lock key", CONFLICT, false},
		{"Operation failed. Try again.: Transaction could not check", CONFLICT,
		 false},
		{"Operation aborted: Resource busy", FAILED, true},
		{"IO error: No space left on device: x", FULL, true},
	};
	rocksdb_writebatch_t *batch = rocksdb_writebatch_create();
	struct db db = {.handle = NULL};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char why[ENGINE_ERROR_SIZE] = "";
		struct session s = {.db = &db,
				    .why = why,
				    .batch = batch,
				    .in_transaction = true};

		commit_error = rows[i].error;
		rollbacks = 0;
		tap_expect(rocks_commit(&s) == rows[i].status, "status %zu", i);
		tap_expect(!s.in_transaction && rollbacks == (i > 0), "%zu: %u ended", i,
			   rollbacks);
		tap_expect(!strcmp(why, rows[i].is_told ? rows[i].error : ""), "%zu: %s",
			   i, why);
	}
	rocksdb_writebatch_destroy(batch);
}

/* Why writes wait, and since when, by lines of the file LOG. */
static void stalls(void)
{
	static const struct {
		const char *line;
		int reason; /* -1: none */
	} rows[] = {
		{"[default] Stopping writes because we have 2 immutable memtables "
		 "(waiting for flush), max_write_buffer_number is set to 2",
		 STALL_MEMTABLES},
		{"[default] Stalling writes because we have 20 level-0 files rate 16",
		 STALL_LEVEL0},
		{"[default] Stopping writes because of estimated pending compaction "
		 "bytes 274877906944",
		 STALL_COMPACTION},
		{"[default] Stalling writes because of something new", STALL_UNKNOWN},
		{"[default] Increasing compaction threads because we have 20 level-0 "
		 "files",
		 -1},
		{"Stopping writes because we have 2 immutable memtables", -1},
	};
	char line[200];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct event_log log = {0};
		struct event event = {.end_ns = 0};

		snprintf(line, sizeof line, "2026/11/28-10:00:00.00010%zu 7f %s\n", i,
			 rows[i].line);
		tap_expect(!read_event(&log, line, &event), "it ends no job: %s", line);
		for (int k = 0; k < STALL_REASONS; k++)
			tap_expect(log.stalls[k].since ==
					   (k == rows[i].reason
						    ? event_log_line_time(line)
						    : 0),
				   "reason %d: %s", k, line);
	}
}

static void pending_work(void)
{
	static const struct {
		uint64_t flushes, compactions, flush, compaction;
		bool automatic;
		uint64_t work;
	} rows[] = {
		{0, 0, 0, 0, true, 0},
		{1, 0, 0, 0, true, 1},
		{0, 2, 0, 0, true, 2},
		{1, 2, 1, 1, true, 3},
		{0, 0, 1, 0, true, PENDING_WORK_UNKNOWN},
		{0, 0, 0, 1, true, PENDING_WORK_UNKNOWN},
		{0, 0, 0, 1, false, 0},
		{0, 0, 1, 0, false, PENDING_WORK_UNKNOWN},
		{0, 1, 0, 0, false, 1},
	};
	struct pending_work pending;
	char why[ENGINE_ERROR_SIZE];
	struct db db = {0};

	properties[0].name = "rocksdb.num-running-flushes";
	properties[1].name = "rocksdb.num-running-compactions";
	properties[2].name = "rocksdb.mem-table-flush-pending";
	properties[3].name = "rocksdb.compaction-pending";
	properties[4].name = "rocksdb.background-errors";
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		properties[0].value = rows[i].flushes;
		properties[1].value = rows[i].compactions;
		properties[2].value = rows[i].flush;
		properties[3].value = rows[i].compaction;
		option_values.auto_compactions = rows[i].automatic;
		pending.progress = 5;
		tap_expect(rocks_pending_work(&db, &pending, why) == DONE, "done");
		tap_expect(pending.work == rows[i].work && !pending.progress, "row %zu",
			   i);
	}
	properties[4].value = 1;
	tap_expect(rocks_pending_work(&db, &pending, why) == FAILED, "a failed flush");
	tap_expect(strstr(why, "LOG") != NULL, "%s", why);
	properties[4].value = 0;
}

/* One file is reason enough for a while; then what was set holds again. */
static void level0(void)
{
	char why[ENGINE_ERROR_SIZE];
	struct db db = {.options = rocksdb_options_create()};
	int waits = 0;

	memset(properties, 0, sizeof properties);
	rocksdb_options_set_level0_file_num_compaction_trigger(db.options, 7);
	for (int automatic = 0; automatic < 2; automatic++) {
		option_values.auto_compactions = automatic;
		*settings_set = '\0';
		tap_expect(rocks_compact_level0(&db, why) == DONE, "done");
		tap_expect(!strcmp(settings_set,
				   automatic ? "level0_file_num_compaction_trigger=1,"
					       "disable_auto_compactions=false;"
					       "level0_file_num_compaction_trigger=7,"
					       "disable_auto_compactions=false;"
					     : "level0_file_num_compaction_trigger=1,"
					       "disable_auto_compactions=false;"
					       "level0_file_num_compaction_trigger=7,"
					       "disable_auto_compactions=true;"),
			   "%s", settings_set);
	}
	settings_fail = true;
	tap_expect(rocks_compact_level0(&db, why) == FAILED, "refused");
	settings_fail = false;
	properties[4].name = "rocksdb.background-errors";
	properties[4].value = 1;
	properties[0].name = "rocksdb.compaction-pending";
	properties[0].value = 1;
	tap_expect(rocks_compact_level0(&db, why) == FAILED,
		   "an error of background work, by which one stays queued");
	properties[4].value = 0;
	tap_expect(rocks_compact_level0(&db, why) == DONE,
		   "one that is always queued, as in a universal tree");
	tap_expect(is_compacting(&db, &waits) && waits == 1, "one is queued");
	waits = 48;
	tap_expect(is_compacting(&db, &waits) && !is_compacting(&db, &waits),
		   "one that is queued and never begins");
	properties[0].name = "rocksdb.num-running-compactions";
	tap_expect(is_compacting(&db, &waits) && waits == 0, "one runs");
	properties[0].name = "rocksdb.num-running-flushes";
	tap_expect(!is_compacting(&db, &waits), "a flush is none");
	memset(properties, 0, sizeof properties);
	rocksdb_options_destroy(db.options);
}

static void properties_told(void)
{
	static const char memory[] =
		"rocksdb.num-immutable-mem-table: rocksdb.num-immutable-mem-table\n"
		"rocksdb.cur-size-active-mem-table: ";
	char text[1000] = "";
	struct report report = {text, sizeof text, " ", "\n"};
	struct db db = {0};

	rocks_property(&db, "levelstats", &report);
	tap_expect(!strcmp(text, "rocksdb.levelstats"), "%s", text);
	*text = '\0';
	statistics_are = "tickers";
	rocks_property(&db, "statistics", &report);
	tap_expect(!strcmp(text, "tickers"), "%s", text);
	*text = '\0';
	rocks_property(&db, "memstats", &report);
	tap_expect(!strncmp(text, memory, sizeof memory - 1) &&
			   strstr(text, "rocksdb.num-entries-imm-mem-tables"),
		   "%s", text);
}

static void events(void)
{
	static const struct {
		const char *line;
		uint64_t begin_us, end_us; /* 0: it ends no job */
		enum event_kind kind;
	} rows[] = {
		{"EVENT_LOG_v1 {\"time_micros\": 1000, \"job\": 3, \"event\": "
		 "\"flush_started\", \"num_memtables\": 1}\n",
		 0, 0, EVENT_FLUSH},
		{"EVENT_LOG_v1 {\"time_micros\": 1500, \"job\": 4, \"event\": "
		 "\"compaction_started\"}\n",
		 0, 0, EVENT_FLUSH},
		{"EVENT_LOG_v1 {\"time_micros\": 1600, \"job\": 4, \"event\": "
		 "\"table_file_creation\"}\n",
		 0, 0, EVENT_FLUSH},
		{"EVENT_LOG_v1 {\"time_micros\": 2000, \"job\": 3, \"event\": "
		 "\"flush_finished\"}\n",
		 1000, 2000, EVENT_FLUSH},
		{"EVENT_LOG_v1 {\"time_micros\": 2100, \"job\": 3, \"event\": "
		 "\"flush_finished\"}\n",
		 0, 0, EVENT_FLUSH},
		{"EVENT_LOG_v1 {\"time_micros\": 9000, \"job\": 4, \"event\": "
		 "\"compaction_finished\"}\n",
		 1500, 9000, EVENT_COMPACTION},
		{"EVENT_LOG_v1 {\"time_micros\": 9500, \"job\": 5, \"event\": "
		 "\"trivial_move\"}\n",
		 0, 9500, EVENT_COMPACTION},
		{"2026/11/28-10:00:00.000100 7f [db/x.cc] no event\n", 0, 0, EVENT_FLUSH},
	};
	struct event_log log = {0};
	struct event event;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		bool ends;

		event.end_ns = 0;
		ends = read_event(&log, rows[i].line, &event);
		tap_expect(ends == (rows[i].begin_us > 0), "row %zu ends a job", i);
		if (ends)
			tap_expect(event.kind == rows[i].kind && event.realtime &&
					   event.begin_ns == rows[i].begin_us * 1000,
				   "event of row %zu", i);
		if (ends || rows[i].end_us)
			tap_expect(event.end_ns == rows[i].end_us * 1000,
				   "end of row %zu", i);
	}
}

/* Counters of two threads are added; those of one that counts nothing are none. */
static void counters(void)
{
	static struct db db;
	struct settings s = {.counters = true};
	char text[1000] = "";
	struct report report = {text, sizeof text, " ", "\n"};
	struct session counting = {.db = &db, .perf = (void *)&s},
		       other = {.db = &db, .perf = NULL};

	db.settings = &s;
	pthread_mutex_init(&db.perf_lock, NULL);
	perf_is = "block_read_count = 3, get_from_memtable_count = 5, ";
	end_perf(&counting);
	perf_is = "get_from_memtable_count = 7";
	end_perf(&counting);
	end_perf(&other);
	statistics_are = "rocksdb.block.cache.miss COUNT : 11\n"
			 "rocksdb.db.get.micros P50 : 1.5 P95 : 2.5 P99 : 3.5 P100 : 4.0 "
			 "COUNT : 13 SUM : 17\n"
			 "no counter\n";
	rocks_statistics(&db, &report);
	tap_expect(!strcmp(text, "rocksdb.block.cache.miss 11\n"
				 "rocksdb.db.get.micros 13\n"
				 "rocksdb.db.get.micros sum 17\n"
				 "perfcontext.block_read_count 3\n"
				 "perfcontext.get_from_memtable_count 12\n"
				 "rocksdb.stats"),
		   "%s", text);
	s.counters = false;
	*text = '\0';
	rocks_statistics(&db, &report);
	tap_expect(!strcmp(text, "rocksdb.stats"), "unasked: %s", text);
}

/* A file that has 256 MiB is loaded, and the next begun. */
static void bulk_files(void)
{
	static const uint64_t sizes[] = {100, (256 << 20) - 1, 256 << 20, 257 << 20};
	char why[ENGINE_ERROR_SIZE] = "";
	struct db db = {.handle = NULL};
	struct slice slice = {"k", 1};

	for (unsigned i = 0; i < 4; i++) {
		struct session s = {.db = &db, .why = why, .bulk_open = true};

		bulk_loaded = 0;
		bulk_size = sizes[i];
		tap_expect(rocks_bulk_put(&s, slice, slice) == DONE, "%s", why);
		tap_expect(bulk_loaded == i / 2 && s.bulk_open == (i < 2),
			   "file %u: %u loaded", i, bulk_loaded);
	}
}

/* The put that fills a file fails with what loading it does, as the load's end does. */
static void bulk_failures(void)
{
	static const struct {
		const char *call;
		uint64_t size;
		enum status put, end;
		unsigned loaded; /* files that were tried */
	} rows[] = {
		{"none", 256 << 20, DONE, DONE, 1},
		{"put", 256 << 20, FULL, DONE, 0},
		{"finish", 256 << 20, FULL, DONE, 0},
		{"ingest", 256 << 20, FULL, DONE, 1},
		{"finish", 100, DONE, FULL, 0},
		{"ingest", 100, DONE, FULL, 1},
	};
	struct db db = {.handle = NULL};
	struct slice slice = {"k", 1};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char why[ENGINE_ERROR_SIZE] = "";
		struct session s = {.db = &db, .why = why, .bulk_open = true};
		bool fails = rows[i].put != DONE || rows[i].end != DONE;

		bulk_loaded = 0;
		bulk_size = rows[i].size;
		bulk_failing = rows[i].call;
		tap_expect(rocks_bulk_put(&s, slice, slice) == rows[i].put, "put %zu", i);
		if (rows[i].put == DONE)
			tap_expect(rocks_bulk_end(&s) == rows[i].end, "end %zu", i);
		tap_expect(bulk_loaded == rows[i].loaded, "%zu: %u loaded", i,
			   bulk_loaded);
		tap_expect(!strcmp(why,
				   fails ? "IO error: No space left on device: x" : ""),
			   "%zu: %s", i, why);
	}
	bulk_failing = "none";
}

static void refusals(void)
{
	struct settings s = {.key_size = 16};

	option_values.read_options = "";
	option_values.mmap_reads = option_values.direct_reads = false;
	option_values.prefix_size = 16;
	tap_expect(!rocks_check_settings(&s).invalid, "a prefix as long as the key");
	tap_expect(rocks_check_settings(&s).reads_mapped, "plain tables are mapped");
	option_values.prefix_size = 17;
	tap_expect(rocks_check_settings(&s).invalid, "a longer one");
	option_values.prefix_size = 0;
	option_values.direct_reads = true;
	tap_expect(!rocks_check_settings(&s).invalid, "direct");
	option_values.mmap_reads = true;
	tap_expect(rocks_check_settings(&s).invalid, "direct and mapped");
	option_values.direct_reads = false;
	tap_expect(!rocks_check_settings(&s).invalid, "mapped");
}

/* Each by its name, and no other one with it. */
static void read_options_named(void)
{
	static unsigned char (*const get[])(rocksdb_readoptions_t *) = {
		rocksdb_readoptions_get_fill_cache,
		rocksdb_readoptions_get_pin_data,
		rocksdb_readoptions_get_prefix_same_as_start,
		rocksdb_readoptions_get_tailing,
		rocksdb_readoptions_get_total_order_seek,
		rocksdb_readoptions_get_verify_checksums,
	};
	static const struct {
		const char *text, *flags; /* of those above, in their order */
		size_t readahead;
	} rows[] = {
		{"", "100001", 0},
		{"fill_cache=false", "000001", 0},
		{"pin_data=true", "110001", 0},
		{"prefix_same_as_start=1", "101001", 0},
		{"tailing=true", "100101", 0},
		{"total_order_seek=true", "100011", 0},
		{"verify_checksums=0", "100000", 0},
		{"readahead_size=65536;fill_cache=0", "000001", 65536},
	};

	option_values.prefix_size = 0;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		rocksdb_readoptions_t *read;
		char flags[8] = "";

		option_values.read_options = rows[i].text;
		read = read_options();
		for (int f = 0; f < 6; f++)
			flags[f] = get[f](read) ? '1' : '0';
		tap_expect(!strcmp(flags, rows[i].flags), "%s: %s", rows[i].text, flags);
		tap_expect(rocksdb_readoptions_get_readahead_size(read) ==
				   rows[i].readahead,
			   "%s: readahead", rows[i].text);
		rocksdb_readoptions_destroy(read);
	}
}

static void read_options_refused(void)
{
	static const char *const wrong[] = {"pin_data",     "pin_data=",
					    "pin_data=yes", "pin_data=nope",
					    "pinned=1",     "tailing=true1"};
	struct settings s = {.key_size = 16};

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		option_values.read_options = wrong[i];
		tap_expect(rocks_check_settings(&s).invalid, "%s", wrong[i]);
	}
	tap_expect(find_read_option("async_io")->set ==
				   rocksdb_readoptions_set_async_io &&
			   find_read_option("adaptive_readahead")->set ==
				   rocksdb_readoptions_set_adaptive_readahead &&
			   find_read_option("auto_prefix_mode")->set ==
				   rocksdb_readoptions_set_auto_prefix_mode &&
			   find_read_option("optimize_multiget_for_io")->set ==
				   rocksdb_readoptions_set_optimize_multiget_for_io,
		   "those of newer libraries");
	option_values.read_options = "pin_data=true;tailing=false;readahead_size=7";
	tap_expect(!rocks_check_settings(&s).invalid, "three");
	option_values.read_options = "";
}

int main(void)
{
	tap_run("rocksdb: each error is the status that it must be", errors);
	tap_run("rocksdb: a commit that fails ends its transaction", commits);
	tap_run("rocksdb: stalls of writes have their reasons", stalls);
	tap_run("rocksdb: what is pending, and what never runs", pending_work);
	tap_run("rocksdb: level 0 is compacted, and settings are as before", level0);
	tap_run("rocksdb: properties by their names", properties_told);
	tap_run("rocksdb: events have their times, of their own job", events);
	tap_run("rocksdb: counters of all threads, and histograms' counts and sums",
		counters);
	tap_run("rocksdb: read options are set by their names", read_options_named);
	tap_run("rocksdb: read options that it has not are refused",
		read_options_refused);
	tap_run("rocksdb: files of a bulk load have their size", bulk_files);
	tap_run("rocksdb: a bulk load fails with what its files do", bulk_failures);
	tap_run("rocksdb: refuses what contradicts, and not what does not", refusals);
	return tap_end();
}
