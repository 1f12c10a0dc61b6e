/*
 * bench.c: a benchmark of embedded key-value stores.
 *
 * Compiled once and linked with one driver (engines/NAME.c) and the parts in util/, it becomes
 * bench_NAME. Read it downwards: the tables say what can be asked for, main() turns a command line
 * into a list of workloads and runs them one after another on one database, run() is one
 * measurement from open to close, and work() is what a thread does, the only loop that is timed.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engines/engine.h"
#include "util/clock.h"
#include "util/guard.h"
#include "util/hist.h"
#include "util/histprint.h"
#include "util/host.h"
#include "util/library.h"
#include "util/option.h"
#include "util/random.h"
#include "util/record.h"
#include "util/result.h"
#include "util/say.h"
#include "util/store.h"
#include "util/usage.h"

#define VERSION "0.1.0"
#ifndef ASSAY_COMMIT
#define ASSAY_COMMIT "unknown"
#endif
#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif
#ifdef __OPTIMIZE__
#define BUILD COMPILER
#else
#define BUILD COMPILER " without optimization"
#endif

/* The null driver, linked into every program beside its own: what the harness itself costs. */
extern const struct engine floor_engine;

/* ---- what can be asked for ---------------------------------------------------------------- */

/* One call, or two, of the engine. A thread's work is a list of these, prepared ahead. */
enum step {
	STEP_GET, STEP_FETCH, STEP_PUT, STEP_APPEND, STEP_DELETE, STEP_SEEK, STEP_NEXT,
	STEP_MULTIGET, /* one key of a call that gets many */
	STEPS
};
enum { STEP_MASK = 15, BEGIN = 16, COMMIT = 32 }; /* a write may open and end a transaction */

static const enum result_kind kind_of[STEPS] = {
	[STEP_GET] = KIND_READ,      [STEP_FETCH] = KIND_READ,  [STEP_PUT] = KIND_WRITE,
	[STEP_APPEND] = KIND_WRITE,  [STEP_DELETE] = KIND_WRITE, [STEP_SEEK] = KIND_SCAN,
	[STEP_NEXT] = KIND_SCAN,     [STEP_MULTIGET] = KIND_READ,
};

enum touch { TOUCH_ALL, TOUCH_FIRST, TOUCH_NONE };

static const char *const touches[] = {"all", "first", "none", NULL};
static const char *const timers[] = {"auto", "tsc", "monotonic", NULL};
static const char *const durabilities[] = {"none", "async", "sync", NULL};
static const char *const compressions[] = {"none", "snappy", "lz4", "zlib", "zstd", NULL};

/* The command line, written by the option table and by nothing else. */
static struct config {
	const char *benchmarks, *label, *db, *report_file, *tsv, *json, *hdr;
	uint64_t num, reads, writes, threads, key_size, value_size, batch_size, cache_size, seed;
	uint64_t write_buffer_size;
	uint64_t seek_nexts, readwritepercent, stats_interval;
	double duration, compression_ratio, stats_interval_seconds, report_interval_seconds, hang_timeout;
	bool use_existing_db, sync, histogram, latency, verify, settle, reopen, show_options, supervise;
	bool help, man, version, columns;
	int durability, compression, touch, timer, format;
} cfg;

enum keys { RANDOM, SEQUENTIAL, PERMUTED, HOT, STRIDE, ABSENT };

static const char *const distributions[] = {
	[RANDOM] = "uniform", [SEQUENTIAL] = "sequential", [PERMUTED] = "permutation",
	[HOT] = "uniform over the first 1 %", [STRIDE] = "ascending", [ABSENT] = "uniform, absent",
};

struct phase;

struct workload {
	const char *name, *help;
	unsigned char mix[STEPS]; /* percent */
	enum keys keys;
	bool fresh;    /* empties the database first */
	bool shared;   /* all threads together do num operations, each record once; else each does its own */
	bool batched;  /* --batch_size writes in a transaction, or keys in a multi-get; else one by one */
	bool bulk;     /* by the engine's own loader */
	bool update;   /* FETCH and PUT of one key are one operation */
	bool writer;   /* one more thread overwrites random records as long as the others run */
	bool reverse;  /* of an iteration */
	bool deletes;  /* the database is incomplete from here on */
	bool completes; /* every record of the key space is there afterwards */
	bool sync;     /* each commit forced, whatever --durability says */
	const uint64_t *get_percent; /* if set, splits mix between STEP_GET and STEP_PUT */
	unsigned divisor; /* of the operations: 1000 for the sync fills; 0: 1 */
	void (*special)(struct phase *); /* does its own work instead */
};

static void open_and_close(struct phase *p);
static void print_statistics(struct phase *p);

static const struct workload workloads[] = {
	{"fillseq", "Write --num records in key order into an empty database, through the engine's append path "
	 "where it has one; threads share the range.",
	 {[STEP_APPEND] = 100}, .keys = SEQUENTIAL, .fresh = true, .shared = true, .completes = true},
	{"fillseqbatch", "fillseq with --batch_size records in a transaction.",
	 {[STEP_APPEND] = 100}, .keys = SEQUENTIAL, .fresh = true, .shared = true, .batched = true, .completes = true},
	{"fillbulk", "Load --num records in key order by the engine's own bulk loader, from one thread; by fillseqbatch "
	 "where it has none.",
	 {[STEP_APPEND] = 100}, .keys = SEQUENTIAL, .fresh = true, .shared = true, .batched = true, .bulk = true,
	 .completes = true},
	{"fillrandom", "Write --num records at random keys with replacement into an empty database: about 63.2 % of "
	 "the keys exist afterwards, as in db_bench.",
	 {[STEP_PUT] = 100}, .keys = RANDOM, .fresh = true, .shared = true},
	{"fillrandbatch", "fillrandom with --batch_size records in a transaction.",
	 {[STEP_PUT] = 100}, .keys = RANDOM, .fresh = true, .shared = true, .batched = true},
	{"filluniquerandom", "Write each of --num records once, in random order, into an empty database, from any "
	 "number of threads and without a table of keys.",
	 {[STEP_PUT] = 100}, .keys = PERMUTED, .fresh = true, .shared = true, .completes = true},
	{"fillsync", "Write --num/1000 records at random keys of the whole key space, each commit forced to the "
	 "device (LevelDB's meaning; RocksDB does --num).",
	 {[STEP_PUT] = 100}, .keys = RANDOM, .fresh = true, .shared = true, .sync = true, .divisor = 1000},
	{"fillrandsync", "The same as fillsync.",
	 {[STEP_PUT] = 100}, .keys = RANDOM, .fresh = true, .shared = true, .sync = true, .divisor = 1000},
	{"fillseqsync", "Write --num/1000 records in key order, each commit forced to the device.",
	 {[STEP_APPEND] = 100}, .keys = SEQUENTIAL, .fresh = true, .shared = true, .sync = true, .divisor = 1000},
	{"overwrite", "Write random records of an existing database, --writes times by each thread.",
	 {[STEP_PUT] = 100}, .keys = RANDOM},
	{"overwritebatch", "overwrite with --batch_size records in a transaction.",
	 {[STEP_PUT] = 100}, .keys = RANDOM, .batched = true},
	{"readseq", "Each thread iterates forwards from the first record over --reads records; the end of the "
	 "data ends it and is not counted.",
	 {[STEP_NEXT] = 100}, .keys = SEQUENTIAL},
	{"readreverse", "readseq backwards from the last record.",
	 {[STEP_NEXT] = 100}, .keys = SEQUENTIAL, .reverse = true},
	{"readrandom", "Get random records, --reads times by each thread.",
	 {[STEP_GET] = 100}, .keys = RANDOM},
	{"multireadrandom", "readrandom by multi-gets of --batch_size keys; a read is one key, a latency that of the "
	 "whole call.",
	 {[STEP_MULTIGET] = 100}, .keys = RANDOM, .batched = true},
	{"readmissing", "Get keys that do not exist: an existing key without its last digit (LevelDB's meaning; "
	 "RocksDB adds a byte), which falls between existing ones; integer keys beyond --num.",
	 {[STEP_GET] = 100}, .keys = ABSENT},
	{"readhot", "readrandom over the first 1 % of the keys.",
	 {[STEP_GET] = 100}, .keys = HOT},
	{"seekrandom", "Seek a random key and read the record there, then --seek_nexts more (a new range each time).",
	 {[STEP_SEEK] = 100}, .keys = RANDOM},
	{"seekordered", "seekrandom with keys that ascend by 1 to 100 and wrap (LevelDB's meaning).",
	 {[STEP_SEEK] = 100}, .keys = STRIDE},
	{"readwhilewriting", "readrandom by --threads readers while exactly one more thread overwrites random records "
	 "for as long as they run; the writer has a line of its own.",
	 {[STEP_GET] = 100}, .keys = RANDOM, .writer = true},
	{"readrandomwriterandom", "Random gets and puts by each thread, --readwritepercent of them gets, in a shuffled "
	 "order (RocksDB's come in blocks).",
	 {[STEP_GET] = 90, [STEP_PUT] = 10}, .keys = RANDOM, .get_percent = &cfg.readwritepercent},
	{"updaterandom", "Get a random record and put it again: one operation, two calls, each in its own latency.",
	 {[STEP_FETCH] = 50, [STEP_PUT] = 50}, .keys = RANDOM, .update = true},
	{"deleteseq", "Delete --num records in key order; threads share the range.",
	 {[STEP_DELETE] = 100}, .keys = SEQUENTIAL, .shared = true, .deletes = true},
	{"deleterandom", "Delete random keys with replacement, --num times in all; a key deleted before counts as missing.",
	 {[STEP_DELETE] = 100}, .keys = RANDOM, .shared = true, .deletes = true},
	{"open", "Close and open the database --num/10000 times (LevelDB's meaning).",
	 .divisor = 10000, .special = open_and_close},
	{"stats", "Print the engine's own statistics.",
	 .special = print_statistics},
};

enum { WORKLOADS = sizeof workloads / sizeof *workloads };

static const struct option options[] = {
	{"benchmarks", "fillseqbatch,readrandom,readseq", "Workloads, separated by commas, run in this order on one database.",
	 .text = &cfg.benchmarks, .group = "What to run"},
	{"num", "1m", "Records in the database; a fill writes exactly so many.", .count = &cfg.num, .least = 1,
	 .most = 10000000000000000},
	{"reads", "0", "Reads by each thread; 0: num.", .count = &cfg.reads},
	{"writes", "0", "Writes by each thread, fills aside; 0: num.", .count = &cfg.writes},
	{"duration", "0", "Seconds to run instead of counting operations, fills and deletes aside; 0: count.",
	 .real = &cfg.duration, .ceiling = 1e9},
	{"threads", "1", "Threads at work.", .count = &cfg.threads, .least = 1, .most = 4096},
	{"seed", "1", "Seed of all randomness.", .count = &cfg.seed},
	{"seek_nexts", "0", "Records read after the first one of each seek.", .count = &cfg.seek_nexts},
	{"readwritepercent", "90", "Gets in a hundred operations of readrandomwriterandom.",
	 .count = &cfg.readwritepercent, .most = 100},
	{"supervise", "1", "1: run in a child process, so that the engine's death is reported; 0: for debuggers.",
	 .flag = &cfg.supervise},
	{"hang_timeout", "120", "Seconds without a finished call, a byte written or processor time after which the "
	 "engine counts as hung; 0: wait for ever.",
	 .real = &cfg.hang_timeout, .ceiling = 1e9},

	{"key_size", "16", "Bytes in a key, a zero-padded decimal number.", .size = &cfg.key_size, .least = 8,
	 .most = 511, .group = "Records"},
	{"value_size", "100", "Bytes in a value.", .size = &cfg.value_size, .least = 1, .most = 1ull << 40},
	{"compression_ratio", "0.5", "Size to which a value can be compressed, as a share of it.",
	 .real = &cfg.compression_ratio, .ceiling = 1},
	{"batch_size", "1000", "Writes in a transaction of the batch workloads; keys in a multi-get.", .alias = "batch",
	 .count = &cfg.batch_size, .least = 1},

	{"db", "", "Directory of the database; empty: assay-UID/ENGINE in $TMPDIR or /tmp.", .text = &cfg.db,
	 .group = "Database"},
	{"use_existing_db", "0", "1: run on the database that is there and keep it.", .flag = &cfg.use_existing_db},
	{"durability", "async", "What a commit promises: nothing; to survive kill -9; to survive a power cut.",
	 .choice = &cfg.durability, .choices = durabilities},
	{"sync", "0", "1: the same as --durability=sync.", .flag = &cfg.sync},
	{"cache_size", "256Mi", "Cache of an engine that has one of its own, all sessions together.",
	 .size = &cfg.cache_size},
	{"write_buffer_size", "64Mi", "Memtable of an engine that has one.", .size = &cfg.write_buffer_size},
	{"compression", "none", "Compression of blocks, by an engine that has it.", .choice = &cfg.compression,
	 .choices = compressions},
	{"show_options", "0", "1: print the settings in effect, a line each, when the database was opened.",
	 .flag = &cfg.show_options},
	{"settle", "0", "1: after each benchmark wait until the engine owes no work, timed apart.",
	 .flag = &cfg.settle},
	{"reopen", "0", "1: close the database after each benchmark, timed apart.", .flag = &cfg.reopen},

	{"touch", "all", "Which bytes that a read returned are looked at inside the timed call.",
	 .choice = &cfg.touch, .choices = touches, .group = "Measuring"},
	{"verify", "0", "1: check every byte read, outside the timed call.", .flag = &cfg.verify},
	{"latency", "1", "0: do not time single operations.", .flag = &cfg.latency},
	{"timer", "auto", "Clock of the latencies; auto: the processor's counter where it is invariant.",
	 .choice = &cfg.timer, .choices = timers},

	{"label", "", "Name of this configuration in the results; empty: the engine's.", .text = &cfg.label,
	 .group = "Reporting"},
	{"format", "rocksdb", "Form of the line on standard output; dbbench's micros/op is elapsed time by operations.",
	 .choice = &cfg.format, .choices = result_formats},
	{"histogram", "0", "1: print the latency histogram in RocksDB's form.", .flag = &cfg.histogram},
	{"hdr", "", "Write the percentiles for HdrHistogram's plotters, in ns: the first benchmark's to this file, "
	 "others to FILE.BENCHMARK.KIND.",
	 .text = &cfg.hdr},
	{"tsv", "", "Append a row for each benchmark to this file.", .text = &cfg.tsv},
	{"json", "", "Append a JSON line for each benchmark to this file.", .text = &cfg.json},
	{"stats_interval", "0", "Each thread reports on stderr after so many operations.",
	 .count = &cfg.stats_interval},
	{"stats_interval_seconds", "0", "All threads are reported on stderr this often.",
	 .real = &cfg.stats_interval_seconds, .ceiling = 1e9},
	{"report_file", "report.csv", "Where report_interval_seconds appends.", .text = &cfg.report_file},
	{"report_interval_seconds", "0", "Append the rate to report_file this often, in RocksDB's form with more columns.",
	 .real = &cfg.report_interval_seconds, .ceiling = 1e9},

	{"help", "0", "Print this and exit.", .flag = &cfg.help, .group = "About"},
	{"man", "0", "Print the manual page and exit.", .flag = &cfg.man},
	{"columns", "0", "Print the name and meaning of each column and exit.", .flag = &cfg.columns},
	{"version", "0", "Print versions and exit.", .flag = &cfg.version},
	{0},
};

static const struct option *tables[] = {options, NULL, NULL}; /* and the engine's */

/* ---- the program -------------------------------------------------------------------------- */

/* What stays from one benchmark to the next. */
struct bench {
	char *command;
	struct clock clock;
	struct store store;
	struct settings settings;
	struct oracle oracle;
	struct db *db;                /* open, or NULL */
	enum durability opened_as;
	double open_seconds;
	char options[2048];           /* in effect, as the engine said when it was opened */
	char build[1024];             /* which library, and whether it is fit for comparison */
	bool complete;                /* every record of the key space is known to be there */
	bool hdr_written;
	struct host host;
	char why[WHY_SIZE];
	bool failed, any_void;        /* end the run; exit 1 */
	bool suffering;               /* the engine failed a call: that it cannot close is no news */
};

/* What of a thread others look at while it runs: the monitor and, were the process to die, its parent. */
struct vital {
	_Alignas(128) _Atomic uint64_t shown[KINDS];
	_Atomic uint64_t shown_ops;
};

/* In memory shared with the parent, so that it outlives the process. */
static struct life {
	const struct workload *_Atomic load; /* being run, or NULL */
	const char *_Atomic doing;           /* the call that main() is in, or NULL: the threads are at work */
	_Atomic uint64_t began_ns;           /* clock_raw_ns */
	char options[2048];
	struct vital vital[];
} *life;

static bool parse(int argc, char **argv);
static unsigned plan(const struct workload **list, unsigned most);
/* Say so if the engine's library was not built to be fast. */
static void prepare_library(struct bench *b)
{
	struct library library = library_find(engine.symbol);

	if (engine.symbol && library_describe(&library, engine.crc32c, b->build, sizeof b->build))
		say("%s", b->build);
}

static void prepare_bench(struct bench *b, const struct workload **list, char **argv);
static void print_header(const struct bench *b);
static enum guard_end supervise(int *how);
static void run(struct bench *b, const struct workload *load, const struct workload *after);
static void finish_bench(struct bench *b);
static void report_death(struct bench *b, enum guard_end end, int how);

static volatile sig_atomic_t interrupted; /* the signal that asked us to end, or 0 */
static int wake[2];                       /* a pipe: signals and finishing threads wake the monitor */

enum { LIST_MOST = 256 };

int main(int argc, char **argv)
{
	const struct workload *list[LIST_MOST + 1] = {NULL};
	struct bench bench = {.store = {.marker = -1}};
	unsigned count;
	enum guard_end end;
	int how;

	if (parse(argc, argv))
		return 0;
	count = plan(list, LIST_MOST);
	prepare_bench(&bench, list, argv);
	print_header(&bench);
	end = supervise(&how);
	for (unsigned i = 0; end == GUARD_CHILD && i < count && !bench.failed && !interrupted; i++)
		run(&bench, list[i], list[i + 1]);
	if (end == GUARD_KILLED || end == GUARD_HUNG)
		report_death(&bench, end, how);
	finish_bench(&bench);
	if (end != GUARD_CHILD)
		return end == GUARD_EXITED ? how : 1;
	return interrupted ? 128 + interrupted : bench.failed || bench.any_void;
}

/* ---- from the command line to a plan ------------------------------------------------------- */

static void print_help(FILE *to)
{
	fprintf(to,
		"bench_%s: benchmark of %s\n\nusage: bench_%s [--option=value ...]\n\n"
		"Counts take k, m, g (thousands); sizes also Ki, Mi, Gi. Hyphens and underscores are one.\n\nBenchmarks\n",
		engine.name, engine.title, engine.name);
	for (int i = 0; i < WORKLOADS; i++)
		fprintf(to, "  %s\n        %s\n", workloads[i].name, workloads[i].help);
	for (int i = 0; tables[i]; i++)
		option_help(tables[i], to);
}

static void print_manual(FILE *to)
{
	fprintf(to,
		".Dd $Mdocdate$\n.Dt BENCH_%s 1\n.Os assay " VERSION "\n.Sh NAME\n.Nm bench_%s\n.Nd benchmark of %s\n"
		".Sh SYNOPSIS\n.Nm\n.Op Fl Fl option Ns = Ns Ar value ...\n.Sh DESCRIPTION\n"
		"Runs workloads on one database and reports what they cost.\n"
		"Counts take k, m, g (thousands); sizes also Ki, Mi, Gi.\n.Sh BENCHMARKS\n.Bl -tag -width Ds\n",
		engine.name, engine.name, engine.title);
	for (int i = 0; i < WORKLOADS; i++)
		fprintf(to, ".It Sy %s\n%s\n", workloads[i].name, workloads[i].help);
	fputs(".El\n.Sh OPTIONS\n", to);
	for (int i = 0; tables[i]; i++)
		option_manual(tables[i], to);
	fputs(".Sh EXIT STATUS\n0: done and valid.\n1: a benchmark failed or its row is void.\n"
	      "2: the command line cannot be run; nothing was touched.\n130, 143: interrupted; what was measured is "
	      "reported as partial.\n",
	      to);
}

/* True if that was all that was asked for. */
static bool parse(int argc, char **argv)
{
	static char name[64];
	char error[OPTION_ERROR];

	snprintf(name, sizeof name, "bench_%s", engine.name);
	say_program(name);
	tables[1] = engine.options;
	for (int i = 0; tables[i]; i++)
		if (!option_defaults(tables[i], error))
			die(2, "%s", error);
	if (!option_parse(tables, argc, argv, error))
		die(2, "%s", error);
	if (cfg.sync)
		cfg.durability = DURABILITY_SYNC;
	if (cfg.help)
		print_help(stdout);
	else if (cfg.man)
		print_manual(stdout);
	else if (cfg.columns)
		result_columns(stdout);
	else if (cfg.version)
		printf("assay %s (%s), %s %s, %s\n", VERSION, ASSAY_COMMIT, engine.title, engine.version(),
		       BUILD);
	else
		return false;
	return true;
}

static const struct workload *find_workload(const char *name, size_t length)
{
	for (int i = 0; i < WORKLOADS; i++)
		if (strlen(workloads[i].name) == length && !memcmp(workloads[i].name, name, length))
			return &workloads[i];
	die(2, "--benchmarks: no benchmark '%.*s'; --help lists them", length > 60 ? 60 : (int)length, name);
}

static unsigned plan(const struct workload **list, unsigned most)
{
	unsigned count = 0;

	for (const char *name = cfg.benchmarks;; name++) {
		size_t length = strcspn(name, ",");

		if (count == most)
			die(2, "--benchmarks: more than %u", most);
		list[count++] = find_workload(name, length);
		name += length;
		if (!*name)
			break;
	}
	for (unsigned i = 0; i < count; i++)
		if (list[i]->fresh && cfg.use_existing_db)
			die(2, "%s begins by emptying the database, which --use_existing_db=1 forbids; give one or the other",
			    list[i]->name);
	for (unsigned i = 0; i < count; i++)
		if (list[i]->bulk && cfg.threads > 1)
			die(2, "--threads: %s loads from one thread; give 1", list[i]->name);
	if (!list[0]->fresh && !cfg.use_existing_db && !engine.stores_nothing)
		die(2, "%s needs a database; put a fill before it, or give --use_existing_db=1", list[0]->name);
	return count;
}

static uint64_t oracle_index(const struct oracle *o, struct slice key)
{
	uint64_t id = key.size == cfg.key_size ? record_id(key.data, key.size, KEYS_DECIMAL) : UINT64_MAX;

	return id < o->records ? id : UINT64_MAX;
}

/* Compressibility in 256ths, as record.h takes it. */
static unsigned ratio(void)
{
	return (unsigned)(cfg.compression_ratio * 256 + 0.5);
}

/* Does some key need more than eight digits? */
static bool wide(void)
{
	return cfg.num > 100000000;
}

static void oracle_record(const struct oracle *o, uint64_t index, char *key, char *value)
{
	struct record_shape shape = {KEYS_DECIMAL, wide(), cfg.key_size, 0};
	uint64_t ids[2] = {index, index};

	(void)o;
	memset(key, '0', cfg.key_size);
	record_keys(&shape, key, ids, 1);
	record_value(value, cfg.value_size, ratio(), index, 0);
}

/* What the engine offers besides none, for a message. */
static const char *compression_names(char *to, size_t size)
{
	size_t n = (size_t)snprintf(to, size, "none");

	for (int i = 1; compressions[i]; i++)
		if (engine.compressions & 1u << i)
			n += (size_t)snprintf(to + n, size - n, ", %s", compressions[i]);
	return to;
}

/* Settings that no run could honour, said before anything is touched. */
static void check_settings(struct settings *s)
{
	const char *why = engine.tune ? engine.tune(s) : NULL;
	double room = pow(10, (double)(s->key_size < 16 ? s->key_size : 16));
	char names[64];

	if (why)
		die(2, "%s", why);
	if (s->compression && !(engine.compressions & 1u << s->compression))
		die(2, "--compression=%s: %s as it was built has %s", compressions[s->compression], engine.title,
		    compression_names(names, sizeof names));
	if (engine.key_limit && s->key_size > engine.key_limit)
		die(2, "--key_size: %s takes at most %zu bytes", engine.title, engine.key_limit);
	if (engine.value_limit && s->value_size > engine.value_limit)
		die(2, "--value_size: %s takes at most %llu bytes", engine.title,
		    (unsigned long long)engine.value_limit);
	if (!s->native_keys && (double)s->num > room)
		die(2, "--num: %llu records do not fit into decimal keys of %zu bytes; give a larger --key_size",
		    (unsigned long long)s->num, s->key_size);
}

static void check_files(void)
{
	char error[RESULT_ERROR];

	if (*cfg.tsv && !result_check_tsv(cfg.tsv, error))
		die(2, "--tsv: %s", error);
	if (*cfg.json && !result_check_json(cfg.json, error))
		die(2, "--json: %s", error);
	if (cfg.report_interval_seconds > 0 && !result_check_json(cfg.report_file, error))
		die(2, "--report_file: %s", error);
}

static const char *default_path(char *to, size_t size)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(to, size, "%s/assay-%u/%s", tmp && *tmp ? tmp : "/tmp", (unsigned)getuid(), engine.name);
	return to;
}

/* The database there must be the one the command line describes. */
static void check_facts(const struct store *st, const struct settings *s)
{
	const struct store_facts *f = &st->facts;
	const struct {
		const char *name;
		uint64_t made, asked;
	} same[] = {
		{"key_size", f->key_size, s->key_size},
		{"value_size", f->value_size, s->value_size},
		{"native keys", f->native_keys, s->native_keys},
		{"256ths of compression_ratio", f->ratio, ratio()},
	};

	if (strcmp(f->engine, engine.name))
		die(2, "%s holds a database of bench_%s; choose another --db", st->path,
		    *f->engine ? f->engine : "(nothing known)");
	if (!f->keys)
		die(2, "%s was never loaded; begin with a fill", st->path);
	for (size_t i = 0; i < sizeof same / sizeof *same; i++)
		if (same[i].made != same[i].asked)
			die(2, "%s was made with %s %llu, not %llu; give the same, or load anew", st->path,
			    same[i].name, (unsigned long long)same[i].made, (unsigned long long)same[i].asked);
	if (s->num > f->keys)
		die(2, "--num: %s holds %llu records, not %llu; give as many, or load anew", st->path,
		    (unsigned long long)f->keys, (unsigned long long)s->num);
}

static void open_store(struct bench *b)
{
	char error[STORE_ERROR], path[STORE_PATH];
	const char *db = *cfg.db ? cfg.db : default_path(path, sizeof path);

	if (cfg.use_existing_db ? !store_open(&b->store, db, error)
				: !store_make(&b->store, db, engine.name, error))
		die(2, "%s", error);
	if (cfg.use_existing_db)
		check_facts(&b->store, &b->settings);
	b->complete = b->store.facts.complete;
	b->settings.path = b->store.data;
}

static void on_signal(int signal)
{
	int saved = errno;

	interrupted = signal;
	if (write(wake[1], "", 1) < 0) {
		/* The pipe is full, so the monitor is awake. */
	}
	errno = saved;
}

/* The first Ctrl-C ends the run in order; the second finds the default action and ends it at once. */
static void catch_signals(void)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND | SA_RESTART};

	if (pipe(wake))
		die(1, "cannot make a pipe: %s", strerror(errno));
	for (int i = 0; i < 2; i++)
		fcntl(wake[i], F_SETFL, O_NONBLOCK);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

static enum durability durability_of(const struct workload *load)
{
	return load->sync ? DURABILITY_SYNC : (enum durability)cfg.durability;
}

static void prepare_bench(struct bench *b, const struct workload **list, char **argv)
{
	b->settings = (struct settings){
		.num = cfg.num,
		.key_size = cfg.key_size,
		.value_size = cfg.value_size,
		.cache_bytes = cfg.cache_size,
		.write_buffer_bytes = cfg.write_buffer_size,
		.compression = (enum compression)cfg.compression,
		.multiget = (unsigned)(cfg.batch_size < 100000 ? cfg.batch_size : 100000),
		.sessions = (unsigned)cfg.threads + 1,
		.durability = (enum durability)cfg.durability,
		.verify = cfg.verify,
		.oracle = &b->oracle,
		.path = "",
	};
	b->oracle = (struct oracle){cfg.num, oracle_index, oracle_record};
	b->command = say_command(argv);
	check_settings(&b->settings);
	for (; *list; list++) {
		struct settings s = b->settings;

		s.durability = durability_of(*list);
		check_settings(&s);
	}
	if (cfg.timer == 1 && !clock_counter_usable())
		die(2, "--timer: this processor has no invariant counter; give --timer=monotonic");
	check_files();
	b->complete = engine.stores_nothing;
	if (!engine.stores_nothing)
		open_store(b);
	b->clock = clock_start(cfg.timer == 2 ? false : clock_counter_usable());
	b->host = host_describe();
	life = guard_memory(sizeof *life + (cfg.threads + 1) * sizeof *life->vital);
	if (!life)
		die(1, "out of memory");
	catch_signals();
	prepare_library(b);
#ifndef __OPTIMIZE__
	say("built without optimization: do not publish these figures");
#endif
}

static void print_header(const struct bench *b)
{
	double raw = (double)(b->settings.key_size + cfg.value_size) * (double)cfg.num / 1048576;
	double packed = ((double)b->settings.key_size + (double)cfg.value_size * cfg.compression_ratio) *
			(double)cfg.num / 1048576;

	printf("assay:      %s (%s), %s %s\n", VERSION, ASSAY_COMMIT, engine.title, engine.version());
	printf("CPU:        %u * %s\n", b->host.cores, b->host.cpu);
	printf("Keys:       %zu bytes each\n", b->settings.key_size);
	printf("Values:     %llu bytes each (%.0f bytes after compression)\n",
	       (unsigned long long)cfg.value_size, (double)cfg.value_size * cfg.compression_ratio);
	printf("Entries:    %llu\n", (unsigned long long)cfg.num);
	printf("RawSize:    %.1f MB (estimated)\n", raw);
	printf("FileSize:   %.1f MB (estimated)\n", packed);
	printf("Database:   %s\n", engine.stores_nothing ? "none" : b->store.path);
	printf("Durability: %s\n", durabilities[cfg.durability]);
	if (!engine.cache)
		printf("Cache:      the operating system's\n");
	else if (*engine.cache)
		printf("Cache:      %llu bytes: %s\n", (unsigned long long)cfg.cache_size, engine.cache);
	else
		printf("Cache:      none\n");
	if (engine.write_buffer)
		printf("Buffer:     %llu bytes: %s\n", (unsigned long long)cfg.write_buffer_size, engine.write_buffer);
	printf("------------------------------------------------\n");
	fflush(stdout);
}

/* ---- one benchmark, from open to close ----------------------------------------------------- */

enum { SLOTS = 128, SLOT_BYTES = 65536 }; /* operations prepared ahead: so many, in so much memory */

/* What the threads of one benchmark share; written only before they start, `stop` aside. */
struct phase {
	struct bench *bench;
	const struct workload *load;
	const struct engine *engine;
	struct db *db;
	const struct settings *settings;
	const char *seed_name;
	uint64_t todo;        /* operations: of each thread, or of all when the workload shares them */
	uint64_t batch;       /* writes in a transaction, keys in a multi-get */
	bool bulk;            /* one load by the engine's loader */
	bool grouped;         /* turns are multi-gets */
	struct permutation permutation;
	bool timed;           /* ends by the clock, not by count */
	bool must_find;       /* each record it asks for is known to be there */
	pthread_barrier_t start;
	struct worker *workers;
	unsigned count, foreground; /* workers in all; the first ones are those asked for */
	struct clock_pair began, ended;
	struct usage before, spent;
	struct footprint footprint; /* when the threads had ended and the database was still open */
	double main_cpu;
	_Alignas(128) atomic_bool stop;
};

/* One call of the engine, prepared ahead. The buffers stay where they are; what they say changes. */
struct slot {
	struct slice key, value;
	uint64_t took; /* ticks */
	unsigned char step; /* and BEGIN, COMMIT */
};

/* A thread and all it touches between the barrier and the join. */
struct worker {
	_Alignas(128) struct phase *phase;
	const struct workload *role;
	const struct engine *engine;
	struct session *session;
	const struct clock *clock;
	unsigned number;
	bool latency, verify, uniform; /* uniform: every slot has the same step */
	enum touch touch;
	enum status (*append)(struct session *, struct slice, struct slice);

	/* what remains to be done */
	struct random random;
	enum keys keys;
	uint64_t span;      /* random ids are below this */
	uint64_t position;  /* of a sequence */
	uint64_t todo, done;
	uint64_t batch, in_batch, generation;
	bool alone;         /* each write is a commit */
	bool bulk;          /* all writes are one load by the engine's loader */
	bool grouped;       /* the slots of one turn are one multi-get */
	uint64_t pending;   /* writes since the last commit */
	struct {
		struct random random;
		uint64_t position, generation;
	} batch_start;      /* to do the transaction again from */
	bool rewind;        /* it began in an earlier turn and must be */
	bool rolled_back;   /* the last one gave way when there was no time left to do it again */
	uint64_t next_report;    /* operation to report after */
	double reported_seconds; /* when it last did */
	bool scanning;      /* an iteration has begun */
	bool ended;         /* the data, or the engine's patience */

	/* the slots */
	unsigned slots, limit; /* there are; are used at a time */
	struct slot *slot;
	uint64_t *id; /* the records they are about */
	struct slice *group, *answers; /* of a multi-get: all slots' keys, and what came */
	struct record_shape shape;
	size_t value_size;
	unsigned ratio;
	char *key_bytes, *values, *scratch;
	unsigned char schedule[100];
	unsigned scheduled;

	/* what happened */
	struct hist *hist; /* one for each kind, of clock ticks */
	uint64_t kind[KINDS], missing, wrong, bytes, commits, conflicts, last_id;
	uint64_t aside; /* ticks that checking took within a call */
	record_lanes digest;
	uint64_t began, first_end, ended_at, gap; /* ticks */
	double cpu;
	enum status status;
	char why[WHY_SIZE];
	pthread_t thread;

	struct vital *vital;
	_Alignas(128) atomic_bool finished;
	uint64_t reported_ops; /* the monitor's own */
};

static void open_database(struct bench *b, const struct workload *load);
static void close_database(struct bench *b, struct result_aside *cost);
static void settle(struct bench *b, struct result_aside *cost);
static void make_phase(struct phase *p, struct bench *b, const struct workload *load);
static void run_threads(struct phase *p);
static void free_workers(struct phase *p);
static double calibrate(const struct phase *p);
static void report(struct phase *p, struct result *r);

static double seconds_since(uint64_t raw_ns)
{
	return (double)(clock_raw_ns() - raw_ns) / 1e9;
}

static void fail_bench(struct bench *b, const char *doing, const char *why)
{
	say("%s: %s", doing, *why ? why : "the engine gave no reason");
	b->failed = true;
}

/* After this benchmark, must the database be closed: nothing follows, or a different opening does? */
static bool closes(const struct bench *b, const struct workload *after)
{
	return cfg.reopen || b->failed || b->suffering || interrupted || !after || after->fresh ||
	       durability_of(after) != b->opened_as;
}

static void note_facts(struct bench *b, const struct workload *load, bool complete)
{
	char error[STORE_ERROR];

	if (engine.stores_nothing)
		return;
	if (load->fresh) {
		b->store.facts.keys = b->settings.num;
		b->store.facts.key_size = b->settings.key_size;
		b->store.facts.value_size = b->settings.value_size;
		b->store.facts.native_keys = b->settings.native_keys;
		b->store.facts.ratio = ratio();
	}
	b->store.facts.complete = complete;
	b->complete = complete;
	if (!store_note(&b->store, error))
		fail_bench(b, "marker", error);
}

/* When a benchmark begins, for its row. */
static const char *utc_now(void)
{
	static char text[32];
	time_t now = time(NULL);

	strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
	return text;
}

static void run(struct bench *b, const struct workload *load, const struct workload *after)
{
	struct phase p;
	struct result r = result_unknown();

	life->load = load;
	life->began_ns = clock_raw_ns();
	open_database(b, load);
	if (b->failed)
		return;
	make_phase(&p, b, load);
	if (load->deletes)
		note_facts(b, load, false);
	r.time = utc_now();
	r.engine_options = b->options;
	r.open_seconds = b->open_seconds;
	b->open_seconds = NAN;
	if (load->special) {
		load->special(&p);
	} else {
		r.harness_ns_per_op = calibrate(&p);
		run_threads(&p);
	}
	for (unsigned i = 0; i < p.count && p.workers; i++)
		b->suffering |= p.workers[i].status != DONE;
	if (cfg.settle && engine.settle && !b->failed && !b->suffering)
		settle(b, &r.settle);
	if (closes(b, after))
		close_database(b, &r.close);
	if (p.workers)
		report(&p, &r);
	if (load->completes && r.valid == 1)
		note_facts(b, load, true);
	free_workers(&p);
	life->load = NULL;
}

/* What main() is in from now on, for the report of a death; NULL: nothing that could take long. */
static void doing(const char *what)
{
	life->doing = what;
}

static struct result_aside aside_since(uint64_t start, const struct usage *before)
{
	double seconds = seconds_since(start);
	struct usage after = usage_read(), spent = usage_since(before, &after);

	return (struct result_aside){seconds, spent.io_read_bytes, spent.io_write_bytes, spent.flushes};
}

static void settle(struct bench *b, struct result_aside *cost)
{
	struct usage before = usage_read();
	uint64_t start = clock_raw_ns();

	say_progress("settling");
	doing("settling");
	if (engine.settle(b->db, b->why) != DONE)
		fail_bench(b, "settle", b->why);
	doing(NULL);
	*cost = aside_since(start, &before);
	say_progress("%s", "");
}

/* The settings in effect, for each row; and for people, who asked. */
static void note_options(struct bench *b)
{
	b->options[0] = '\0';
	engine.describe(b->db, b->options, sizeof b->options);
	memcpy(life->options, b->options, sizeof b->options);
	if (!cfg.show_options)
		return;
	for (const char *word = b->options; *word; word += strspn(word, " ")) {
		size_t length = strcspn(word, " ");

		printf("%s %.*s\n", engine.name, (int)length, word);
		word += length;
	}
	fflush(stdout);
}

static void open_database(struct bench *b, const struct workload *load)
{
	uint64_t start;
	char error[STORE_ERROR];

	if (load->fresh && !engine.stores_nothing) {
		if (b->db)
			close_database(b, NULL);
		/* From here until the load is complete the marker promises nothing. */
		note_facts(b, load, false);
		if (b->failed)
			return;
		if (!store_clear(&b->store, error)) {
			fail_bench(b, load->name, error);
			return;
		}
	}
	if (b->db)
		return;
	b->settings.create = load->fresh;
	b->settings.durability = b->opened_as = durability_of(load);
	start = clock_raw_ns();
	doing("opening");
	b->db = engine.open(&b->settings, b->why);
	doing(NULL);
	b->open_seconds = seconds_since(start);
	if (b->db)
		note_options(b);
	else
		fail_bench(b, "cannot open the database", b->why);
}

/* What closing cost goes to *cost, if that is not NULL. */
static void close_database(struct bench *b, struct result_aside *cost)
{
	struct usage before = usage_read();
	uint64_t start = clock_raw_ns();

	doing("closing");
	if (b->db && engine.close(b->db, b->why) != DONE && !b->suffering)
		fail_bench(b, "cannot close the database", b->why);
	doing(NULL);
	b->db = NULL;
	if (cost)
		*cost = aside_since(start, &before);
}

static void finish_bench(struct bench *b)
{
	if (b->db)
		close_database(b, NULL);
	store_close(&b->store);
	free(b->command);
}

/* How many operations a thread does, or all of them together when the workload shares them. */
static uint64_t operations(const struct workload *load)
{
	bool writes = load->mix[STEP_PUT] && !load->mix[STEP_GET];
	uint64_t asked = load->shared || load->special ? 0 : writes ? cfg.writes : cfg.reads;
	uint64_t n = (asked ? asked : cfg.num) / (load->divisor ? load->divisor : 1);

	/* An iteration has no more to read than there is. */
	if (load->mix[STEP_NEXT] && n > cfg.num)
		n = cfg.num;
	return n ? n : 1;
}

static void make_phase(struct phase *p, struct bench *b, const struct workload *load)
{
	memset(p, 0, sizeof *p);
	p->bench = b;
	p->load = load;
	p->engine = &engine;
	p->db = b->db;
	p->settings = &b->settings;
	p->seed_name = load->name;
	p->bulk = load->bulk && engine.bulk_begin;
	p->grouped = load->mix[STEP_MULTIGET] > 0;
	p->batch = load->batched && !p->bulk && (p->grouped || engine.begin) ? cfg.batch_size : 1;
	p->timed = cfg.duration > 0 && !load->shared;
	p->todo = p->timed ? UINT64_MAX : operations(load);
	p->permutation = permutation_make(cfg.num, cfg.seed);
	/* Deleting at random with replacement meets what it has deleted itself. */
	p->must_find = b->complete && !load->fresh && load->keys != ABSENT && !(load->deletes && load->keys == RANDOM);
	p->foreground = (unsigned)cfg.threads;
	p->count = p->foreground + load->writer;
}

/* ---- threads -------------------------------------------------------------------------------- */

static void make_worker(struct worker *w, struct phase *p, unsigned number, const struct random *stream);
static void free_worker(struct worker *w);
static void *thread_main(void *argument);
static void work(struct worker *w);
static void monitor(struct phase *p);

static void run_threads(struct phase *p)
{
	struct random stream = random_seed(cfg.seed, p->seed_name);
	unsigned started = 0;
	double cpu;

	p->workers = say_alloc_apart(p->count * sizeof *p->workers);
	for (unsigned i = 0; i < p->count; i++, random_jump(&stream))
		make_worker(&p->workers[i], p, i, &stream);
	pthread_barrier_init(&p->start, NULL, p->count + 1);
	for (; started < p->count; started++) {
		int rc = pthread_create(&p->workers[started].thread, NULL, thread_main, &p->workers[started]);

		/* The others wait at the barrier and cannot be called back. */
		if (rc)
			die(1, "cannot start thread %u of %u: %s", started + 1, p->count, strerror(rc));
	}
	pthread_barrier_wait(&p->start);
	usage_reset_peak();
	cpu = usage_thread_cpu();
	p->before = usage_read();
	p->began = clock_pair_now(&p->bench->clock);
	pthread_barrier_wait(&p->start);
	monitor(p);
	for (unsigned i = 0; i < p->count; i++)
		pthread_join(p->workers[i].thread, NULL);
	p->ended = clock_pair_now(&p->bench->clock);
	struct usage after = usage_read();

	p->spent = usage_since(&p->before, &after);
	p->footprint = footprint_read();
	p->main_cpu = usage_thread_cpu() - cpu;
	pthread_barrier_destroy(&p->start);
}

static void *thread_main(void *argument)
{
	struct worker *w = argument;

	w->session = w->engine->attach(w->phase->db, w->why);
	if (!w->session) {
		w->status = FAILED;
		w->began = w->ended_at = clock_ticks(w->clock);
	}
	pthread_barrier_wait(&w->phase->start); /* all are ready: the counters are read */
	pthread_barrier_wait(&w->phase->start); /* go */
	if (w->session) {
		double cpu = usage_thread_cpu();

		work(w);
		w->cpu = usage_thread_cpu() - cpu;
		w->engine->detach(w->session);
	}
	atomic_store(&w->finished, true);
	if (write(wake[1], "", 1) < 0) {
		/* The pipe is full, so the monitor is awake. */
	}
	return NULL;
}

/* Unroll percentages into a hundred slots, in an order of the thread's own. */
static void make_schedule(struct worker *w, const struct workload *load)
{
	unsigned n = 0;

	for (unsigned s = 0; s < STEPS; s++) {
		uint64_t share = load->mix[s];

		if (load->get_percent && s == STEP_GET)
			share = *load->get_percent;
		if (load->get_percent && s == STEP_PUT)
			share = 100 - *load->get_percent;
		w->uniform |= share == 100;
		while (share--)
			w->schedule[n++] = (unsigned char)s;
	}
	for (unsigned i = 99; i > 0; i--) {
		unsigned j = (unsigned)random_below(&w->random, i + 1);
		unsigned char swap = w->schedule[i];

		w->schedule[i] = w->schedule[j];
		w->schedule[j] = swap;
	}
}

/* The mix of the extra thread of readwhilewriting. */
static const struct workload writer_role = {"writer", "", {[STEP_PUT] = 100}, .keys = RANDOM};

/* Buffers for operations prepared ahead, and slots that point into them. */
static void make_slots(struct worker *w)
{
	const struct settings *s = w->phase->settings;
	const struct workload *role = w->role;

	w->shape = (struct record_shape){
		.form = s->native_keys ? KEYS_NATIVE : KEYS_DECIMAL,
		.wide = wide(),
		.size = s->key_size,
		.stride = (s->key_size + 15) / 16 * 16,
	};
	w->value_size = s->value_size;
	w->ratio = ratio();
	w->slots = (unsigned)(SLOT_BYTES / (s->value_size + w->shape.stride));
	w->slots = w->slots < 2 ? 2 : w->slots > SLOTS ? SLOTS : w->slots & ~1u;
	if (w->grouped) {
		w->slots = s->multiget;
		w->group = say_alloc(w->slots, sizeof *w->group);
		w->answers = say_alloc(w->slots, sizeof *w->answers);
	}
	w->limit = w->slots;
	w->slot = say_alloc_apart(w->slots * sizeof *w->slot);
	w->id = say_alloc_apart((w->slots + 1) / 2 * 2 * sizeof *w->id); /* record_keys makes pairs */
	w->key_bytes = say_alloc_apart((w->slots + 1) * w->shape.stride);
	if (!s->native_keys)
		memset(w->key_bytes, '0', w->slots * w->shape.stride);
	if (role->mix[STEP_PUT] || role->mix[STEP_APPEND])
		w->values = say_alloc_apart(w->slots * w->value_size);
	w->scratch = w->verify ? say_alloc_apart(w->value_size) : NULL;
	for (unsigned i = 0; i < w->slots; i++) {
		struct slot *slot = &w->slot[i];

		/* An absent decimal key is a present one without its last digit. */
		slot->key = (struct slice){w->key_bytes + i * w->shape.stride,
					   s->key_size - (role->keys == ABSENT && !s->native_keys)};
		slot->value = (struct slice){w->values ? w->values + i * w->value_size : NULL, w->value_size};
		if (w->grouped)
			w->group[i] = slot->key;
		slot->step = role->update ? (i % 2 ? STEP_PUT : STEP_FETCH) : w->schedule[0];
	}
}

static void make_worker(struct worker *w, struct phase *p, unsigned number, const struct random *stream)
{
	bool extra = number >= p->foreground;
	const struct workload *role = extra ? &writer_role : p->load;
	uint64_t threads = p->foreground, todo = p->todo;

	memset(w, 0, sizeof *w);
	w->phase = p;
	w->role = role;
	w->engine = p->engine;
	w->clock = &p->bench->clock;
	w->number = number;
	w->vital = &life->vital[number];
	memset(w->vital, 0, sizeof *w->vital);
	w->latency = cfg.latency;
	w->verify = cfg.verify;
	w->touch = (enum touch)cfg.touch;
	w->random = *stream;
	w->keys = role->keys;
	w->span = role->keys == HOT ? (cfg.num + 99) / 100 : cfg.num;
	w->todo = extra ? UINT64_MAX : todo;
	if (role->shared && !extra) {
		w->position = todo / threads * number + (number < todo % threads ? number : todo % threads);
		w->todo = todo / threads + (number < todo % threads);
	}
	w->grouped = p->grouped && !extra;
	w->bulk = p->bulk && !extra;
	w->batch = extra || w->grouped ? 1 : p->batch;
	w->alone = w->batch == 1 && !w->bulk;
	w->generation = role->fresh ? 0 : (uint64_t)(number + 1) << 40;
	w->next_report = cfg.stats_interval ? cfg.stats_interval : UINT64_MAX;
	w->last_id = UINT64_MAX;
	/* Several threads do not append in order. */
	w->append = threads == 1 && w->engine->append ? w->engine->append : w->engine->put;
	if (w->bulk && w->engine->bulk_put)
		w->append = w->engine->bulk_put;
	make_schedule(w, role);
	make_slots(w);
	w->hist = say_alloc(KINDS, sizeof *w->hist);
	for (int k = 0; k < KINDS; k++)
		w->hist[k].unit = clock_unit_ns(w->clock);
}

static void free_worker(struct worker *w)
{
	free(w->slot);
	free(w->id);
	free(w->group);
	free(w->answers);
	free(w->key_bytes);
	free(w->values);
	free(w->scratch);
	free(w->hist);
}

static void free_workers(struct phase *p)
{
	for (unsigned i = 0; p->workers && i < p->count; i++)
		free_worker(&p->workers[i]);
	free(p->workers);
}

/* ---- the work: prepare, measure, account ---------------------------------------------------- */

static unsigned prepare(struct worker *w);
static unsigned measure_any(struct worker *w, unsigned n);
static unsigned (*const measures[STEPS])(struct worker *, unsigned);
static void account(struct worker *w, unsigned n, uint64_t start);
static void report_thread(struct worker *w);
static void rewind_batch(struct worker *w);
static void finish_batch(struct worker *w);

static void work(struct worker *w)
{
	unsigned (*measure)(struct worker *, unsigned) = w->uniform ? measures[w->schedule[0]] : NULL;

	if (!measure)
		measure = measure_any;
	w->began = w->ended_at = clock_ticks(w->clock);
	if (w->bulk && w->engine->bulk_begin && (w->status = w->engine->bulk_begin(w->session)) != DONE)
		w->ended = true;
	while (w->todo && !w->ended && !atomic_load_explicit(&w->phase->stop, memory_order_relaxed)) {
		uint64_t start = w->ended_at;

		account(w, measure(w, prepare(w)), start);
		if (w->rewind)
			rewind_batch(w);
	}
	finish_batch(w);
	if (w->engine->release)
		w->engine->release(w->session);
}

/* The writes since the last commit are not there after all. */
static void forget_pending(struct worker *w)
{
	w->done -= w->pending;
	w->kind[KIND_WRITE] -= w->pending;
	w->bytes -= w->pending * w->value_size;
	w->pending = 0;
}

/* Go back to where the transaction began; what its calls took stays in the histogram. */
static void rewind_batch(struct worker *w)
{
	w->rewind = false;
	w->todo += w->pending;
	forget_pending(w);
	w->random = w->batch_start.random;
	w->position = w->batch_start.position;
	w->generation = w->batch_start.generation;
	w->in_batch = 0;
}

/* End the load, or commit what a stopped run left open; what a failed one left open was not done. */
static void finish_batch(struct worker *w)
{
	enum status (*finish)(struct session *) = w->bulk ? w->engine->bulk_end : w->engine->commit;

	if (!w->pending)
		return;
	if (w->status == DONE && !w->rolled_back && (!finish || (w->status = finish(w->session)) == DONE)) {
		w->commits++;
		w->ended_at = clock_ticks(w->clock);
		return;
	}
	forget_pending(w);
}

/* Which records the next n operations are about. */
static void choose(struct worker *w, unsigned n)
{
	uint64_t *restrict id = w->id;
	struct random random = w->random; /* in registers */
	const uint64_t span = w->span;

	switch (w->keys) {
	case RANDOM:
	case HOT:
	case ABSENT:
#pragma GCC unroll 4
		for (unsigned i = 0; i < n; i++)
			id[i] = random_below(&random, span);
		w->random = random;
		break;
	case SEQUENTIAL:
		for (unsigned i = 0; i < n; i++)
			id[i] = w->position++;
		break;
	case PERMUTED:
		for (unsigned i = 0; i < n; i++)
			id[i] = permutation_at(&w->phase->permutation, w->position++);
		break;
	case STRIDE:
		for (unsigned i = 0; i < n; i++) {
			w->position = (w->position + 1 + random_below(&w->random, 100)) % w->span;
			id[i] = w->position;
		}
		break;
	}
}

/* Mark where transactions begin and end among the next n writes. */
static void mark_transactions(struct worker *w, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		unsigned step = w->slot[i].step & STEP_MASK;

		if (!w->in_batch)
			step |= BEGIN;
		if (++w->in_batch == w->batch || (i + 1 == n && n == w->todo)) {
			step |= COMMIT;
			w->in_batch = 0;
		}
		w->slot[i].step = (unsigned char)step;
	}
}

static void make_values(struct worker *w, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		const struct slot *slot = &w->slot[i];

		if (kind_of[slot->step & STEP_MASK] == KIND_WRITE)
			record_value(w->values + i * w->value_size, w->value_size, w->ratio, w->id[i],
				     w->generation);
		w->generation += w->generation > 0;
	}
}

/*
 * Let a turn hold whole transactions, or a part of one, so that a transaction can be done again
 * either from its slot or from the state that was kept when it began.
 */
static unsigned align_batch(struct worker *w, unsigned n)
{
	if (!w->in_batch) {
		w->batch_start.random = w->random;
		w->batch_start.position = w->position;
		w->batch_start.generation = w->generation;
		return n > w->batch ? n - n % (unsigned)w->batch : n;
	}
	return n < w->batch - w->in_batch ? n : (unsigned)(w->batch - w->in_batch);
}

/* Fill the slots; nothing here is inside a timed call. Answers how many calls they hold. */
static unsigned prepare(struct worker *w)
{
	bool update = w->role->update;
	unsigned n = update ? w->limit / 2 : w->limit;

	if (n > w->todo)
		n = (unsigned)w->todo;
	if (n > w->next_report - w->done)
		n = (unsigned)(w->next_report - w->done);
	if (w->batch > 1)
		n = align_batch(w, n);
	choose(w, n);
	if (update) {
		for (unsigned i = n; i-- > 0;)
			w->id[2 * i] = w->id[2 * i + 1] = w->id[i];
		n *= 2;
	}
	if (!w->uniform && !update)
		for (unsigned i = 0; i < n; i++, w->scheduled = (w->scheduled + 1) % 100)
			w->slot[i].step = w->schedule[w->scheduled];
	if (w->keys == ABSENT && w->shape.form == KEYS_NATIVE)
		for (unsigned i = 0; i < n; i++)
			w->id[i] += cfg.num;
	record_keys(&w->shape, w->key_bytes, w->id, n);
	if (w->values)
		make_values(w, n);
	if (w->batch > 1)
		mark_transactions(w, n);
	return n;
}

/* Look at the bytes a read returned, as much as --touch asks. */
static inline void see(struct worker *w, struct slice bytes)
{
	w->bytes += bytes.size;
	if (__builtin_expect(w->touch == TOUCH_ALL, 1))
		w->digest += record_fold(bytes.data, bytes.size);
	else if (w->touch == TOUCH_FIRST && bytes.size)
		w->digest[0] += *(const unsigned char *)bytes.data;
}

static inline __attribute__((always_inline)) enum status
write_step(struct worker *w, const struct slot *slot,
	   enum status (*put)(struct session *, struct slice, struct slice))
{
	enum status status = DONE;

	if (slot->step & BEGIN)
		status = w->engine->begin(w->session);
	if (status == DONE)
		status = put(w->session, slot->key, slot->value);
	if (status == DONE && slot->step & COMMIT)
		status = w->engine->commit(w->session);
	if (status != DONE)
		return status;
	w->bytes += slot->value.size;
	w->commits += w->alone;
	w->pending += !w->alone;
	if (slot->step & COMMIT) {
		w->commits++;
		w->pending = 0;
	}
	return DONE;
}

/*
 * Check a record: its bytes and, where one follows another, its place. `id` is the record asked
 * for, or UINT64_MAX where the key must tell. The time this takes is kept aside of the call's.
 */
static void verify(struct worker *w, uint64_t id, struct slice key, struct slice value)
{
	uint64_t start = clock_ticks(w->clock), follows = w->last_id;

	w->last_id = record_id(key.data, key.size, w->shape.form);
	if (id == UINT64_MAX)
		id = w->last_id;
	else
		follows = UINT64_MAX;
	if ((follows != UINT64_MAX && (w->role->reverse ? id >= follows : id <= follows)) ||
	    value.size != w->value_size || w->keys == ABSENT ||
	    !record_check(value.data, value.size, w->ratio, id, w->scratch))
		w->wrong++;
	w->aside += clock_ticks(w->clock) - start;
}

static enum status seek_step(struct worker *w, const struct slot *slot)
{
	struct slice key, value;
	enum status status = w->engine->seek(w->session, slot->key, FORWARD, &key, &value), next = status;
	/* The record there may be another than the one asked for. */
	bool met = status == DONE && key.size == slot->key.size && !memcmp(key.data, slot->key.data, key.size);

	uint64_t bytes = w->bytes;
	record_lanes digest = w->digest;

	w->last_id = UINT64_MAX;
	for (uint64_t left = cfg.seek_nexts; next == DONE; left--) {
		see(w, key);
		see(w, value);
		if (w->verify)
			verify(w, UINT64_MAX, key, value);
		if (!left)
			break;
		next = w->engine->next(w->session, &key, &value);
	}
	if (next == CONFLICT) {
		w->bytes = bytes;
		w->digest = digest;
	}
	if (next != DONE && next != NOT_FOUND)
		return next;
	return met ? DONE : NOT_FOUND;
}

static enum status next_step(struct worker *w)
{
	struct slice key, value;
	enum status status;

	if (w->scanning) {
		status = w->engine->next(w->session, &key, &value);
	} else {
		status = w->engine->seek(w->session, (struct slice){NULL, 0},
					 w->role->reverse ? REVERSE : FORWARD, &key, &value);
		w->scanning = status != CONFLICT;
	}
	if (status == DONE) {
		see(w, key);
		see(w, value);
		if (w->verify)
			verify(w, UINT64_MAX, key, value);
	}
	return status;
}

/*
 * The engine gave way to another thread: answer the slot to go on from, the first of a transaction,
 * or NULL if that began in an earlier turn.
 */
static struct slot *retry(struct worker *w, struct slot *slot)
{
	struct slot *first = slot;

	w->conflicts++;
	sched_yield(); /* let the other one finish */
	while (w->pending && !(first->step & BEGIN)) {
		if (first == w->slot) {
			w->rewind = true;
			return NULL;
		}
		first--;
	}
	for (struct slot *undone = first; undone < slot; undone++) {
		w->pending--;
		w->bytes -= undone->value.size;
	}
	return first;
}

/* A call that was not DONE: the slot to go on from, or NULL to end the turn. */
static struct slot *missed(struct worker *w, struct slot *slot, enum status status)
{
	bool stop = atomic_load_explicit(&w->phase->stop, memory_order_relaxed);

	if (status == CONFLICT && !stop)
		return retry(w, slot);
	if (status == NOT_FOUND && (slot->step & STEP_MASK) != STEP_NEXT) {
		w->missing++;
		return slot + 1;
	}
	w->ended = true;
	w->rolled_back = status == CONFLICT;
	if (status != NOT_FOUND && status != CONFLICT)
		w->status = status;
	return NULL;
}

/* What is looked at while measuring, besides the time of each call. */
enum watch { WATCH_NOTHING, WATCH_COUNTER, WATCH_CLOCK, WATCH_BYTES };

/*
 * Do the first n slots and time each: from the end of the call before to the end of this one, so
 * that one clock reading serves both. Answers how many were done. Inlined once for each step and
 * kind of watching, so that a loop of gets is nothing but gets.
 */
static inline __attribute__((always_inline)) unsigned measure_as(struct worker *w, unsigned n, enum step fixed,
								 enum watch watch)
{
	const struct engine *e = w->engine;
	const struct clock clock = *w->clock;
	struct slot *slot, *end = w->slot + n;
	uint64_t then = clock_ticks(&clock), now;

	w->first_end = then;
	for (slot = w->slot; slot < end;) {
		enum step step = fixed == STEPS ? (enum step)(slot->step & STEP_MASK) : fixed;
		struct slice value;
		enum status status = UNSUPPORTED;

		switch (step) {
		case STEP_GET:
		case STEP_FETCH:
			status = e->get(w->session, slot->key, &value);
			if (status == DONE)
				see(w, value);
			if (watch == WATCH_BYTES && status == DONE)
				verify(w, w->id[slot - w->slot], slot->key, value);
			break;
		case STEP_PUT:
			status = write_step(w, slot, e->put);
			break;
		case STEP_APPEND:
			status = write_step(w, slot, w->append);
			break;
		case STEP_DELETE:
			status = e->del(w->session, slot->key);
			w->commits += status == DONE;
			break;
		case STEP_SEEK:
			status = seek_step(w, slot);
			break;
		case STEP_NEXT:
			status = next_step(w);
			break;
		case STEP_MULTIGET:
		case STEPS:
			break;
		}
		if (__builtin_expect(status != DONE, 0)) {
			struct slot *from = missed(w, slot, status);

			if (!from)
				break;
			if (from <= slot) {
				slot = from;
				continue;
			}
		}
		if (watch != WATCH_NOTHING) {
			now = watch == WATCH_COUNTER ? clock_counter() : clock_ticks(&clock);
			slot->took = now - then;
			then = now;
		}
		if (watch == WATCH_BYTES) {
			slot->took -= w->aside;
			w->aside = 0;
		}
		slot++;
	}
	w->ended_at = watch == WATCH_NOTHING ? clock_ticks(&clock) : then;
	return (unsigned)(slot - w->slot);
}

static inline __attribute__((always_inline)) unsigned measure_step(struct worker *w, unsigned n, enum step step)
{
	if (w->verify)
		return measure_as(w, n, step, WATCH_BYTES);
	if (!w->latency)
		return measure_as(w, n, step, WATCH_NOTHING);
	return w->clock->counter ? measure_as(w, n, step, WATCH_COUNTER) : measure_as(w, n, step, WATCH_CLOCK);
}

static unsigned measure_gets(struct worker *w, unsigned n)
{
	return measure_step(w, n, STEP_GET);
}

static unsigned measure_puts(struct worker *w, unsigned n)
{
	return measure_step(w, n, STEP_PUT);
}

static unsigned measure_nexts(struct worker *w, unsigned n)
{
	return measure_step(w, n, STEP_NEXT);
}

static unsigned measure_any(struct worker *w, unsigned n)
{
	return measure_step(w, n, STEPS);
}

/* One value of a multi-get, or none. */
static void see_answer(struct worker *w, unsigned i, struct slice value)
{
	if (!value.data) {
		w->missing++;
		return;
	}
	see(w, value);
	if (w->verify)
		verify(w, w->id[i], w->group[i], value);
}

/* Get the group one by one, for an engine without multi-get: each answer lives until the next get. */
static enum status get_group(struct worker *w, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		struct slice value = {NULL, 0};
		enum status status = w->engine->get(w->session, w->group[i], &value);

		if (status != DONE && status != NOT_FOUND)
			return status;
		see_answer(w, i, status == DONE ? value : (struct slice){NULL, 0});
	}
	return DONE;
}

/* One call for all slots; its time stands in the first one. */
static unsigned measure_group(struct worker *w, unsigned n)
{
	uint64_t missing = w->missing, bytes = w->bytes;
	record_lanes digest = w->digest;
	struct slot *again = w->slot;
	enum status status = CONFLICT;

	w->first_end = clock_ticks(w->clock);
	while (again == w->slot) {
		w->missing = missing;
		w->bytes = bytes;
		w->digest = digest;
		if (w->engine->multiget) {
			status = w->engine->multiget(w->session, w->group, w->answers, n);
			for (unsigned i = 0; status == DONE && i < n; i++)
				see_answer(w, i, w->answers[i]);
		} else {
			status = get_group(w, n);
		}
		again = status == DONE ? NULL : missed(w, w->slot, status);
	}
	w->ended_at = clock_ticks(w->clock);
	w->slot[0].took = w->ended_at - w->first_end - w->aside;
	w->aside = 0;
	return status == DONE ? n : 0;
}

/* The loop for a worker that does one step only, where there is one. */
static unsigned (*const measures[STEPS])(struct worker *, unsigned) = {
	[STEP_GET] = measure_gets,
	[STEP_PUT] = measure_puts,
	[STEP_NEXT] = measure_nexts,
	[STEP_MULTIGET] = measure_group,
};

/* Enter n finished slots into the thread's books; `start` is when the last ones ended. */
static void account(struct worker *w, unsigned n, uint64_t start)
{
	const struct clock *clock = w->clock;
	const struct slot *restrict slot = w->slot;
	uint64_t first = w->first_end + (n ? slot[0].took : 0) - start, spent;
	unsigned operations = w->role->update ? n / 2 : n;

	if (w->uniform) {
		enum result_kind kind = kind_of[slot[0].step & STEP_MASK];
		struct hist *h = &w->hist[kind];

		w->kind[kind] += n;
		if (w->latency) {
			unsigned calls = w->grouped && n ? 1 : n;

#pragma GCC unroll 4
			for (unsigned i = 0; i < calls; i++)
				hist_record(h, slot[i].took);
		}
	} else {
		for (unsigned i = 0; i < n; i++) {
			enum result_kind kind = kind_of[slot[i].step & STEP_MASK];

			w->kind[kind]++;
			if (w->latency)
				hist_record(&w->hist[kind], slot[i].took);
		}
	}
	if (first > w->gap)
		w->gap = first;
	w->done += operations;
	w->todo -= operations;
	for (int k = 0; k < KINDS; k++)
		atomic_store_explicit(&w->vital->shown[k], w->kind[k], memory_order_relaxed);
	atomic_store_explicit(&w->vital->shown_ops, w->done, memory_order_relaxed);
	if (w->done == w->next_report)
		report_thread(w);

	/* Slow calls are taken fewer at a time, so that a thread hears of the end within milliseconds. */
	spent = clock_ns(clock, w->ended_at - start);
	if (w->grouped)
		return;
	if (spent > 1000000 && w->limit > 2)
		w->limit /= 2;
	else if (spent < 250000 && w->limit < w->slots)
		w->limit = w->limit * 2 < w->slots ? w->limit * 2 : w->slots;
}

/*
 * Nanoseconds the loop of worker 0 costs an operation when the engine does nothing: the same code
 * with the null driver, the best of a few rounds of about 2 ms.
 */
static double calibrate(const struct phase *real)
{
	enum { ROUNDS = 4, FIRST = 2048, MOST = 1000000 };
	uint64_t records = cfg.num > MOST ? cfg.num : MOST; /* a small key space would end it early */
	struct phase p = *real;
	struct oracle oracle = {records, oracle_index, oracle_record};
	struct settings settings = *real->settings;
	struct random stream = random_seed(cfg.seed, "calibration");
	double best = INFINITY;

	settings.oracle = &oracle;
	settings.verify = false;
	p.engine = &floor_engine;
	p.settings = &settings;
	p.db = floor_engine.open(&settings, p.bench->why);
	p.todo = FIRST;
	p.permutation = permutation_make(records, cfg.seed);
	p.foreground = 1;
	for (int round = 0; p.db && round < ROUNDS; round++) {
		struct worker *w = say_alloc_apart(sizeof *w);

		make_worker(w, &p, 0, &stream);
		w->next_report = UINT64_MAX;
		w->session = floor_engine.attach(p.db, w->why);
		if (w->session) {
			work(w);
			floor_engine.detach(w->session);
		}
		if (w->done) {
			double ns = (double)clock_ns(w->clock, w->ended_at - w->began) /
				    (double)w->done;

			best = ns < best ? ns : best;
			p.todo = (uint64_t)fmin(2e6 / ns + 2, MOST);
		}
		free_worker(w);
		free(w);
	}
	if (p.db)
		floor_engine.close(p.db, p.bench->why);
	return isfinite(best) ? best : NAN;
}

/* ---- while it runs -------------------------------------------------------------------------- */

static void stamp(char *to, size_t size)
{
	time_t now = time(NULL);
	struct tm t;

	localtime_r(&now, &t);
	strftime(to, size, "%Y/%m/%d-%H:%M:%S", &t);
}

/* db_bench's interval line: (in this interval, in all). */
static void print_interval(unsigned thread, uint64_t ops, uint64_t all, double seconds, double all_seconds)
{
	char time_text[32];

	stamp(time_text, sizeof time_text);
	say("%s ... thread %u: (%llu,%llu) ops and (%.1f,%.1f) ops/second in (%.6f,%.6f) seconds", time_text,
	    thread, (unsigned long long)ops, (unsigned long long)all, (double)ops / seconds,
	    (double)all / all_seconds, seconds, all_seconds);
}

/* A thread's own report, every stats_interval operations. */
static void report_thread(struct worker *w)
{
	double all = (double)clock_ns(w->clock, w->ended_at - w->began) / 1e9;
	double since = all - w->reported_seconds;

	print_interval(w->number, cfg.stats_interval, w->done, since, all);
	w->reported_seconds = all;
	w->next_report += cfg.stats_interval;
}

/* What the monitor knows; seconds count from the start of the benchmark. */
struct timetable {
	uint64_t start; /* clock_raw_ns */
	double now, next_stats, next_report, next_progress;
	double last_stats, last_report;
	uint64_t reported[KINDS], reported_ops;
};

static uint64_t shown_ops(const struct phase *p)
{
	uint64_t ops = 0;

	for (unsigned i = 0; i < p->foreground; i++)
		ops += atomic_load_explicit(&p->workers[i].vital->shown_ops, memory_order_relaxed);
	return ops;
}

static void show_threads(struct phase *p, struct timetable *t)
{
	for (unsigned i = 0; i < p->count; i++) {
		struct worker *w = &p->workers[i];
		uint64_t ops = atomic_load_explicit(&w->vital->shown_ops, memory_order_relaxed);

		print_interval(i, ops - w->reported_ops, ops, t->now - t->last_stats, t->now);
		w->reported_ops = ops;
	}
	t->last_stats = t->now;
}

/* A line of the report file: RocksDB's two columns, then ours. */
static void append_report(struct phase *p, struct timetable *t)
{
	FILE *f = fopen(cfg.report_file, "ae");
	uint64_t ops = shown_ops(p), now[KINDS] = {0};
	double span = t->now - t->last_report;

	if (!f) {
		fail_bench(p->bench, "--report_file", strerror(errno));
		return;
	}
	for (unsigned i = 0; i < p->count; i++)
		for (int k = 0; k < KINDS; k++)
			now[k] += atomic_load_explicit(&p->workers[i].vital->shown[k], memory_order_relaxed);
	if (!ftell(f))
		fputs("secs_elapsed,interval_qps,interval_seconds,reads_per_sec,writes_per_sec,scans_per_sec,"
		      "total_ops,benchmark,engine,threads\n", f);
	fprintf(f, "%.6g,%.0f,%.6f", t->now, (double)(ops - t->reported_ops) / span, span);
	for (int k = 0; k < KINDS; k++)
		fprintf(f, ",%.0f", (double)(now[k] - t->reported[k]) / span);
	fprintf(f, ",%llu,%s,%s,%u\n", (unsigned long long)ops, p->load->name, engine.name, p->foreground);
	fclose(f);
	memcpy(t->reported, now, sizeof now);
	t->reported_ops = ops;
	t->last_report = t->now;
}

static void show_progress(const struct phase *p, const struct timetable *t)
{
	double ops = (double)shown_ops(p);
	double share = p->timed ? t->now / cfg.duration
				: ops / ((double)p->todo * (p->load->shared ? 1 : p->foreground));
	double left = share > 0 ? t->now / share - t->now : 0;

	say_progress("%s: %3.0f %%, %.0f ops/sec, %.0f s left", p->load->name, 100 * share, ops / t->now, left);
}

/* When `due` has come, do it and say when it is due again. */
static void when_due(struct phase *p, struct timetable *t, double *due, double every,
		     void (*act)(struct phase *, struct timetable *))
{
	if (every <= 0 || t->now < *due)
		return;
	act(p, t);
	*due += every * (floor((t->now - *due) / every) + 1);
}

/* Milliseconds until something is due, rounded up; -1: never. */
static int patience(const struct phase *p, const struct timetable *t)
{
	double until = INFINITY;

	if (p->timed)
		until = fmin(until, cfg.duration);
	if (cfg.stats_interval_seconds > 0)
		until = fmin(until, t->next_stats);
	if (cfg.report_interval_seconds > 0)
		until = fmin(until, t->next_report);
	if (say_on_terminal())
		until = fmin(until, t->next_progress);
	if (isinf(until) || atomic_load(&p->stop))
		return -1;
	return until <= t->now ? 0 : (int)fmin(ceil((until - t->now) * 1000), 60000);
}

static bool all_finished(const struct phase *p, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (!atomic_load(&p->workers[i].finished))
			return false;
	return true;
}

static void progress_due(struct phase *p, struct timetable *t)
{
	show_progress(p, t);
}

/* Wait for the threads; report, show progress, and tell them when to stop. */
static void monitor(struct phase *p)
{
	struct timetable t = {.start = clock_raw_ns()};
	struct pollfd pipe_end = {.fd = wake[0], .events = POLLIN};
	char drain[256];

	t.next_stats = cfg.stats_interval_seconds;
	t.next_report = cfg.report_interval_seconds;
	t.next_progress = 0.5;
	while (!all_finished(p, p->count)) {
		poll(&pipe_end, 1, patience(p, &t));
		while (read(wake[0], drain, sizeof drain) > 0)
			;
		t.now = seconds_since(t.start);
		if ((p->timed && t.now >= cfg.duration) || interrupted || all_finished(p, p->foreground))
			atomic_store(&p->stop, true);
		when_due(p, &t, &t.next_stats, cfg.stats_interval_seconds, show_threads);
		when_due(p, &t, &t.next_report, cfg.report_interval_seconds, append_report);
		when_due(p, &t, &t.next_progress, say_on_terminal() ? 0.5 : 0, progress_due);
	}
	say_progress("%s", "");
}

/* ---- the report ----------------------------------------------------------------------------- */

/* Sums over a range of workers. */
struct tally {
	uint64_t ops, kind[KINDS], missing, wrong, bytes, commits, conflicts;
	record_lanes digest;
	uint64_t first_start, last_end; /* ticks */
	double thread_ns, call_ns, cpu, rate, rate_squares;
	uint64_t gap_ns;
};

static struct tally tally(const struct phase *p, unsigned from, unsigned to)
{
	struct tally t = {.first_start = UINT64_MAX};
	size_t key_size = p->settings->key_size;

	for (unsigned i = from; i < to; i++) {
		const struct worker *w = &p->workers[i];
		double ns = (double)clock_ns(w->clock, w->ended_at - w->began);
		double rate = ns > 0 ? (double)w->done / ns : 0;
		uint64_t gap = w->gap;

		t.ops += w->done;
		t.missing += w->missing;
		t.wrong += w->wrong;
		t.digest += w->digest;
		t.commits += w->commits;
		t.conflicts += w->conflicts;
		t.bytes += w->bytes;
		for (int k = 0; k < KINDS; k++) {
			t.kind[k] += w->kind[k];
			t.call_ns += (double)w->hist[k].sum * w->hist[k].unit;
			gap = w->hist[k].max > gap ? w->hist[k].max : gap;
		}
		/* A scan saw its keys; the others sent theirs. */
		t.bytes += key_size * (w->kind[KIND_READ] + w->kind[KIND_WRITE] - w->missing * !w->kind[KIND_SCAN]);
		gap = clock_ns(w->clock, gap);
		t.gap_ns = gap > t.gap_ns ? gap : t.gap_ns;
		t.thread_ns += ns;
		t.cpu += w->cpu;
		t.rate += rate;
		t.rate_squares += rate * rate;
		t.first_start = w->began < t.first_start ? w->began : t.first_start;
		t.last_end = w->ended_at > t.last_end ? w->ended_at : t.last_end;
	}
	return t;
}

static double tally_seconds(const struct phase *p, const struct tally *t)
{
	return t->last_end > t->first_start
		       ? (double)clock_ns(&p->bench->clock, t->last_end - t->first_start) / 1e9
		       : 0;
}

static double tally_mean_us(const struct tally *t)
{
	if (!t->ops)
		return 0;
	return (t->call_ns > 0 ? t->call_ns : t->thread_ns) / (double)t->ops / 1000;
}

/* Why this row must not be believed, or NULL. */
static const char *doubt(const struct phase *p, const struct tally *all, const struct tally *asked)
{
	static char text[WHY_SIZE + 64];
	uint64_t due = p->todo * (p->load->shared ? 1 : p->foreground);
	bool absent = p->load->keys == ABSENT;
	const char *why;

	for (unsigned i = 0; i < p->count; i++) {
		const struct worker *w = &p->workers[i];

		if (w->status != DONE) {
			snprintf(text, sizeof text, "%s%s", w->status == FULL ? "no room: " : "",
				 *w->why ? w->why : "the engine refused a call");
			return text;
		}
	}
	if (interrupted)
		return "interrupted";
	if (!asked->ops)
		return "no operation was done";
	if (p->load->writer && !all->kind[KIND_WRITE])
		return "the readers ended before the writer wrote anything; give them more to do";
	if (all->wrong || (absent && all->missing < all->ops)) {
		snprintf(text, sizeof text, "%llu records were wrong",
			 (unsigned long long)(all->wrong ? all->wrong : all->ops - all->missing));
		return text;
	}
	if (p->must_find && all->missing) {
		snprintf(text, sizeof text, "%llu records were missing", (unsigned long long)all->missing);
		return text;
	}
	/* An iteration of an incomplete database ends when the data does. */
	if (!p->timed && asked->ops < due && (p->must_find || !p->load->mix[STEP_NEXT])) {
		snprintf(text, sizeof text, "%llu of %llu operations were done", (unsigned long long)asked->ops,
			 (unsigned long long)due);
		return text;
	}
	why = usage_doubt(&p->spent, all->cpu, (double)(p->ended.raw_ns - p->began.raw_ns) / 1e9, p->count,
			  p->bench->host.cores);
	if (why)
		return why;
	if (clock_disagreement(&p->bench->clock, p->began, p->ended) > 1e-3)
		return "the clocks disagree about how long it took";
	return NULL;
}

/* What the engine lacks of a workload, and how it is made up for; NULL: nothing. */
static const char *emulated(const struct workload *load)
{
	if (load->bulk && !engine.bulk_begin)
		return engine.begin ? "bulk load, by transactions" : "bulk load, by single writes";
	if (load->mix[STEP_MULTIGET])
		return engine.multiget ? NULL : "multi-get, by single gets";
	if (load->batched && !engine.begin)
		return "transactions, by single writes";
	return load->mix[STEP_APPEND] && !load->bulk && !engine.append ? "append, by put" : NULL;
}

static void fill_what_ran(const struct phase *p, struct result *r)
{
	const struct settings *s = p->settings;

	r->schema = RESULT_SCHEMA;
	r->engine = engine.name;
	r->label = *cfg.label ? cfg.label : engine.name;
	r->engine_build = *p->bench->build ? p->bench->build : NULL;
	r->engine_version = engine.version();
	r->benchmark = p->load->name;
	r->threads = p->foreground;
	r->num = (double)cfg.num;
	r->key_size = (double)s->key_size;
	r->value_size = (double)s->value_size;
	r->batch_size = (double)p->batch;
	r->distribution = distributions[p->load->keys];
	r->durability = durabilities[p->bench->opened_as];
	r->durability_given = durabilities[engine.gives[p->bench->opened_as]];
	r->cache_bytes = engine.cache && *engine.cache ? (double)s->cache_bytes : NAN;
	r->write_buffer_bytes = engine.write_buffer ? (double)s->write_buffer_bytes : NAN;
	r->compression = compressions[s->compression];
	r->seed = (double)cfg.seed;
	r->repeat = 1;
	r->emulated = emulated(p->load);
	r->touch = touches[cfg.touch];
	r->commit = VERSION " " ASSAY_COMMIT;
	r->build = BUILD;
	r->command = p->bench->command;
}

static void fill_what_happened(const struct phase *p, const struct tally *all, const struct tally *asked,
			       struct result *r)
{
	static char digest[20];
	double writer_seconds, n = p->foreground;
	struct tally writer = tally(p, p->foreground, p->count);

	snprintf(digest, sizeof digest, "%016llx", (unsigned long long)record_digest(all->digest));
	r->seconds = tally_seconds(p, asked);
	r->ops = (double)asked->ops;
	r->reads = (double)all->kind[KIND_READ];
	r->writes = (double)all->kind[KIND_WRITE];
	r->scans = (double)all->kind[KIND_SCAN];
	r->missing = (double)all->missing;
	r->found = (double)(all->kind[KIND_READ] + all->kind[KIND_SCAN]) - r->missing;
	if (p->load->mix[STEP_DELETE])
		r->found = r->writes - r->missing;
	r->wrong = (double)all->wrong;
	r->bytes = (double)asked->bytes;
	r->digest = cfg.touch == TOUCH_NONE ? NULL : digest;
	r->commits = (double)all->commits;
	r->conflicts = (double)all->conflicts;
	r->mean_us = tally_mean_us(asked);
	writer_seconds = p->load->writer ? tally_seconds(p, &writer) : r->seconds;
	if (r->seconds > 0) {
		r->ops_per_sec = r->ops / r->seconds;
		r->reads_per_sec = r->reads / r->seconds;
		r->writes_per_sec = writer_seconds > 0 ? r->writes / writer_seconds : NAN;
	}
	if (asked->rate_squares > 0)
		r->fairness = asked->rate * asked->rate / (n * asked->rate_squares);
	if (cfg.latency)
		r->longest_gap_ms = (double)all->gap_ns / 1e6;
}

/* Nothing was added where nothing was measured. */
static double known(double x)
{
	return isnan(x) ? 0 : x;
}

static void fill_cost(const struct phase *p, const struct tally *all, struct result *r)
{
	const struct usage *u = &p->spent;
	double record = (double)(p->settings->key_size + p->settings->value_size);

	r->usage = *u;
	r->footprint = p->footprint;
	r->cpu_percent = r->seconds > 0 ? 100 * (u->user_s + u->sys_s) / r->seconds : NAN;
	r->fg_cpu_s = all->cpu;
	r->bg_cpu_s = fmax(0, u->cpu_s - all->cpu - p->main_cpu);
	if (r->commits > 0)
		r->flushes_per_commit = u->flushes / r->commits;
	if (r->writes > 0)
		r->fs_out_per_write = u->fs_out_blocks / r->writes;
	if (r->writes > 0 && !p->load->deletes) {
		r->write_amp = u->io_write_bytes / (r->writes * record);
		r->write_amp_all_in = (u->io_write_bytes + known(r->settle.io_write_bytes) +
				       known(r->close.io_write_bytes)) / (r->writes * record);
	}
	if (!isnan(r->settle.seconds) || !isnan(r->close.seconds))
		r->ops_per_sec_all_in = r->ops / (r->seconds + known(r->settle.seconds) + known(r->close.seconds));
}

static void fill_where(const struct phase *p, struct mount *mount, struct result *r)
{
	const struct bench *b = p->bench;
	double apparent, disk, records;

	r->timer = b->clock.counter ? "tsc" : "monotonic";
	r->timer_ns = b->clock.reading_ns;
	r->host = b->host.name;
	r->cpu = b->host.cpu;
	r->cores = b->host.cores;
	r->memory_kb = b->host.memory_kb;
	r->kernel = b->host.kernel;
	r->governor = b->host.governor;
	if (engine.stores_nothing)
		return;
	*mount = host_mount(b->store.path);
	r->filesystem = mount->type;
	r->mount_options = mount->options;
	r->device = mount->device;
	store_size(&b->store, &apparent, &disk);
	r->db_apparent_kb = apparent / 1024;
	r->db_disk_kb = disk / 1024;
	records = (double)b->store.facts.keys * (double)(p->settings->key_size + p->settings->value_size);
	if ((b->complete || (p->load->completes && r->valid == 1)) && records > 0)
		r->space_amp = disk / records;
}

static void print_lines(const struct phase *p, const struct tally *asked, const struct result *r)
{
	struct result_line line = {.name = p->load->name, .mean_us = r->mean_us, .ops = r->ops,
				   .seconds = r->seconds, .bytes = r->bytes, .void_because = r->void_because};
	char extra[128] = "";
	size_t n = 0;

	if (r->reads + r->scans > 0 && !p->load->mix[STEP_NEXT])
		n = (size_t)snprintf(extra, sizeof extra, "(%.0f of %.0f found)", r->found, r->reads + r->scans);
	if (p->foreground > 1 && !p->load->shared && !p->timed)
		snprintf(extra + n, sizeof extra - n, "%s%u x %llu operations", n ? " " : "", p->foreground,
			 (unsigned long long)(asked->ops / p->foreground));
	n = strlen(extra);
	if (cfg.settle && !isnan(r->ops_per_sec_all_in))
		snprintf(extra + n, sizeof extra - n, "%s(%.0f ops/sec all in)", n ? " " : "", r->ops_per_sec_all_in);
	line.extra = extra;
	result_print(&line, (enum result_format)cfg.format);
	if (p->load->writer && p->workers) {
		struct tally writer = tally(p, p->foreground, p->count);

		line = (struct result_line){"writer", tally_mean_us(&writer), (double)writer.ops,
					    tally_seconds(p, &writer), (double)writer.bytes, "", NULL};
		result_print(&line, (enum result_format)cfg.format);
	}
}

static void write_hdr(struct bench *b, const char *benchmark, const char *kind, const struct hist *h)
{
	char path[STORE_PATH];

	snprintf(path, sizeof path, b->hdr_written ? "%s.%s.%s" : "%s", cfg.hdr, benchmark, kind);
	b->hdr_written = true;
	if (!histprint_hdr(h, path))
		fail_bench(b, path, errno == EEXIST ? "holds something else and is not overwritten"
						    : strerror(errno));
}

static void fill_latency(const struct phase *p, struct hist *merged, struct result *r)
{
	for (unsigned i = 0; i < p->count; i++)
		for (int k = 0; k < KINDS; k++)
			hist_merge(&merged[k], &p->workers[i].hist[k]);
	for (int k = 0; k < KINDS; k++)
		r->latency[k] = result_latency(&merged[k]);
}

static void report(struct phase *p, struct result *r)
{
	struct bench *b = p->bench;
	struct tally all = tally(p, 0, p->count), asked = tally(p, 0, p->foreground);
	struct hist *merged = say_alloc(KINDS, sizeof *merged);
	struct mount mount;
	char error[RESULT_ERROR];

	r->void_because = doubt(p, &all, &asked);
	r->valid = !r->void_because;
	r->errors = 0;
	for (unsigned i = 0; i < p->count; i++)
		r->errors += p->workers[i].status != DONE;
	r->partial = r->errors > 0 || interrupted;
	fill_what_ran(p, r);
	fill_what_happened(p, &all, &asked, r);
	fill_latency(p, merged, r);
	fill_cost(p, &all, r);
	fill_where(p, &mount, r);
	print_lines(p, &asked, r);
	for (int k = 0; k < KINDS; k++) {
		if (cfg.histogram)
			histprint_rocksdb(&merged[k], result_kinds[k], stdout);
		if (*cfg.hdr && merged[k].sum)
			write_hdr(b, p->load->name, result_kinds[k], &merged[k]);
	}
	free(merged);
	if (*cfg.tsv && !result_append_tsv(cfg.tsv, r, error))
		fail_bench(b, "--tsv", error);
	if (*cfg.json && !result_append_json(cfg.json, r, error))
		fail_bench(b, "--json", error);
	b->any_void |= r->valid != 1;
	if (r->errors > 0)
		fail_bench(b, p->load->name, r->void_because);
}

/* ---- when the engine dies --------------------------------------------------------------------- */

/* Something that changes as long as the child gets on. */
static uint64_t progress(void)
{
	uint64_t sum = (uintptr_t)life->load + (uintptr_t)life->doing;

	for (uint64_t i = 0; i <= cfg.threads; i++)
		sum += life->vital[i].shown_ops;
	return sum;
}

static enum guard_end supervise(int *how)
{
	enum guard_end end;

	if (!cfg.supervise)
		return GUARD_CHILD;
	end = guard_run(progress, cfg.hang_timeout, how);
	if (end == GUARD_EXITED && *how < 0)
		die(1, "cannot start a child process: %s; --supervise=0 does without", strerror(errno));
	return end;
}

/* The row of a benchmark that nobody was left to report, and the line that says why. */
static void report_death(struct bench *b, enum guard_end end, int how)
{
	const struct workload *load = life->load;
	struct result r = result_unknown();
	char why[WHY_SIZE], error[RESULT_ERROR];
	struct mount mount;
	struct phase p;
	struct tally asked = {0};

	if (how == SIGINT || how == SIGTERM)
		exit(128 + how);
	make_phase(&p, b, load ? load : workloads);
	for (unsigned i = 0; i < p.foreground; i++)
		asked.ops += life->vital[i].shown_ops;
	snprintf(why, sizeof why, "%s %s%s%s%s after %llu operations; likely cause: %s", engine.title,
		 end == GUARD_HUNG ? "hung" : "died of ", end == GUARD_HUNG ? "" : strsignal(how),
		 life->doing ? " while " : "", life->doing ? life->doing : "", (unsigned long long)asked.ops,
		 guard_likely_cause(end, how, engine.stores_nothing ? NULL : b->store.path));
	say("%s: %s", load ? load->name : "between benchmarks", why);
	if (!load || load->special)
		return;
	memcpy(b->options, life->options, sizeof b->options);
	r.time = utc_now();
	r.engine_options = b->options;
	r.void_because = why;
	r.valid = 0;
	r.partial = 1;
	r.ops = (double)asked.ops;
	r.seconds = seconds_since(life->began_ns);
	fill_what_ran(&p, &r);
	fill_where(&p, &mount, &r);
	r.mean_us = asked.ops ? r.seconds * 1e6 * p.foreground / r.ops : 0;
	print_lines(&p, &asked, &r);
	if (*cfg.tsv && !result_append_tsv(cfg.tsv, &r, error))
		say("--tsv: %s", error);
	if (*cfg.json && !result_append_json(cfg.json, &r, error))
		say("--json: %s", error);
}

/* ---- workloads that are not lists of calls ---------------------------------------------------- */

static void print_statistics(struct phase *p)
{
	char text[8192] = "";

	engine.statistics(p->db, text, sizeof text);
	printf("%s", text);
	fflush(stdout);
}

/* One worker that opens instead of reading, so that it is reported like the others. */
static void open_and_close(struct phase *p)
{
	struct bench *b = p->bench;
	struct random stream = random_seed(cfg.seed, p->seed_name);
	struct worker *w;

	p->workers = w = say_alloc_apart(sizeof *w);
	p->count = p->foreground = 1;
	p->timed = false;
	p->todo = operations(p->load);
	make_worker(w, p, 0, &stream);
	p->before = usage_read();
	p->began = clock_pair_now(&b->clock);
	b->settings.create = false;
	w->began = w->ended_at = clock_ticks(w->clock);
	while (w->todo && !interrupted && !b->failed) {
		close_database(b, NULL);
		b->db = b->failed ? NULL : engine.open(&b->settings, w->why);
		if (!b->db) {
			w->status = FAILED;
			b->failed = true;
		} else {
			w->done++;
			w->todo--;
		}
		w->ended_at = clock_ticks(w->clock);
	}
	p->ended = clock_pair_now(&b->clock);
	struct usage after = usage_read();

	p->spent = usage_since(&p->before, &after);
	p->footprint = footprint_read();
	w->cpu = p->spent.cpu_s;
	p->db = b->db;
}
