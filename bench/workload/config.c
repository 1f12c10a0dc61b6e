/* config.c: the option table; see config.h. */
#include "config.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../engines/engine.h"
#include "../../util/distribution.h"
#include "../../util/list_parser.h"
#include "../../util/edit_distance.h"
#include "../../util/option.h"
#include "../../util/result.h"
#include "../../util/message.h"
#include "compat.h"
#include "extra.h"
#include "workload.h"

const char *const config_touches[] = {"all", "first", "none", NULL};
static const char *const timer_names[] = {"auto", "tsc", "monotonic", NULL};
const char *const config_durabilities[] = {"none", "async", "sync", NULL};
const char *const config_compressions[] = {"none", "snappy", "lz4", "zlib", "zstd", NULL};
const char *const config_arrivals[] = {"constant", "poisson", NULL};
static const char *const table_formats[] = {"none", "tsv", NULL};
static const char *const rng_names[] = {"default", "minstd", NULL};
static const char *const zipf_generator_names[] = {"default", "ucsb2022", NULL};
static const char *const voron_partitioning_names[] = {"default", "voron2013", NULL};
/*
 * distribution_names after "auto". Those at the end, which reproduce other programs,
 * have options of their own.
 */
static const char *distribution_choices[] = {
	"auto",    "uniform",     "zipfian", "scrambled_zipfian", "latest",
	"hotspot", "exponential", "pareto",  "sequential",
	NULL, /* an extra's */
	NULL,
};

/* Written by the table below and by the functions that parse texts. */
static struct config options_read;
const struct config *const cfg = &options_read;

static const struct option config_options[] = {
	{"benchmarks", "fillseqbatch,readrandom,readseq",
	 "Workloads to run, separated by commas, in this order on one database: name@4 "
	 "runs with four threads, name[X5] is measured five times, name[W2] runs twice "
	 "unreported first.",
	 .summary = "workloads, run in this order on one database",
	 .text = &options_read.benchmarks, .group = "What to run"},
	{"preset", "",
	 "Name of a published benchmark, whose workloads and options are taken unless "
	 "the command line gives others; --help=presets lists them.",
	 .text = &options_read.preset},
	{"num", "1m",
	 "Records in the key range; a fill writes this many, unless its own help names a "
	 "fraction.",
	 .summary = "records in the database", .count = &options_read.num, .min = 1,
	 .max = 10000000000000000},
	{"device_share", "0",
	 "Size the data to this fraction of the device, 0 to 1: of the file system under "
	 "--db, or of --device; 0: use --num.",
	 .real = &options_read.device_share, .real_max = 1},
	{"reads", "0",
	 "Reads of each thread; 0: --num, or the workload's fraction of it. Ignored by "
	 "workloads of fixed length.",
	 .count = &options_read.reads},
	{"writes", "0",
	 "Writes of each thread; 0: --num, or the workload's fraction of it. Ignored by "
	 "workloads of fixed length.",
	 .count = &options_read.writes},
	{"duration", "0",
	 "Seconds that each benchmark runs, instead of a number of operations; 0: count "
	 "operations. Ignored by workloads of fixed length: fills, deletes, "
	 "bangdb-read, bangdb-mix, voron-read, scan, ucsb-z.",
	 .summary = "seconds to run instead of counting operations",
	 .real = &options_read.duration, .real_max = 1e9},
	{"until_steady", "0",
	 "Stop once throughput is steady (SNIA's rule, column steady), after at most "
	 "this many seconds; 0: run by --duration or by count.",
	 .real = &options_read.until_steady, .real_max = 1e9},
	{"threads", "1",
	 "Threads that run each workload, unless name@N in --benchmarks says otherwise; "
	 "workloads with a background writer have one more.",
	 .summary = "threads at work", .count = &options_read.threads, .min = 1,
	 .max = 4096},
	{"seed", "1",
	 "Seed of all random choices: with the same seed and threads every engine is "
	 "asked for the same operations.",
	 .count = &options_read.seed},
	{"seek_nexts", "0", "Records that each seek reads after the one it lands on.",
	 .count = &options_read.seek_nexts},
	{"scan_length", "",
	 "Records that each seek reads: 100, or 1-100 for any number in between, all "
	 "alike; empty: --seek_nexts + 1, or the number in the workload's help.",
	 .text = &options_read.scan_length},
	{"readwritepercent", "90",
	 "Percentage of gets among the operations of readrandomwriterandom and "
	 "bangdb-mix.",
	 .count = &options_read.readwritepercent, .max = 100},
	{"mix", "read:50,update:50",
	 "Operations of the workload mix and their weights: read, update, rmw "
	 "(read-modify-write), scan, insert, delete (of the oldest inserted record).",
	 .text = &options_read.mix},
	{"txn_reads", "1",
	 "Consecutive reads of a thread that share one snapshot; 1: each read sees the "
	 "newest data.",
	 .count = &options_read.txn_reads, .min = 1},
	{"txn", "0",
	 "1: each read-modify-write is one transaction, on engines whose transactions "
	 "can read; 0: a get and a put of their own.",
	 .flag = &options_read.txn},
	{"warmup", "0",
	 "Warm-up: seconds that each workload runs before measurement and --duration "
	 "begin; 0: none. Ignored by fills, deletes and others that end with their data.",
	 .real = &options_read.warmup, .real_max = 1e9},
	{"cold", "0",
	 "1: before each benchmark, close the database and drop its pages from the page "
	 "cache.",
	 .flag = &options_read.cold},
	{"supervise", "1",
	 "1: run in a child process, so that a crash of the engine is reported as an "
	 "invalid row; 0: in this process, for debuggers.",
	 .flag = &options_read.supervise},
	{"isolate", "0",
	 "1: run each benchmark of the list in its own process, on the same database.",
	 .flag = &options_read.isolate},
	{"repeat", "1",
	 "Times to run the whole list, each time in a fresh process; a list that begins "
	 "with a fill starts from a new database each time.",
	 .count = &options_read.repeat, .min = 1, .max = PLAN_ITEMS_MAX},
	{"start_at", "0",
	 "Time at which the threads of the first benchmark start, in seconds since the "
	 "epoch, so that several clients start together; 0: at once.",
	 .real = &options_read.start_at, .real_max = 1e11},
	{"barrier_file", "",
	 "Barrier file, which must not exist yet; processes synchronize on it before "
	 "each benchmark; clients.sh runs such processes. Empty: do not wait.",
	 .text = &options_read.barrier_file},
	{"barrier_clients", "2", "Processes that synchronize on --barrier_file.",
	 .count = &options_read.barrier_clients, .min = 2, .max = 100000},
	{"repetition", "1",
	 "Number of the first repetition in the results (column repetition), for "
	 "scripts that repeat by separate commands.",
	 .count = &options_read.repetition, .min = 1, .max = 1000000},
	{"perf_control", "",
	 "FIFOs CONTROL or CONTROL,ACK of perf record --control=fifo:CONTROL,ACK "
	 "--delay=-1, which then records the measured interval of the last workload of "
	 "the list; profile.sh does this. Empty: no profiler.",
	 .text = &options_read.perf_control},
	{"engine_counters", "",
	 "Append the engine's own counters to this TSV file: begin, end and difference "
	 "per operation of each workload. The engine then counts, which takes time.",
	 .text = &options_read.engine_counters},
	{"cpus", "", "CPUs to run on, such as 0-3,8; empty: all.",
	 .text = &options_read.cpus},
	{"numa_node", "",
	 "Number of the NUMA node whose CPUs and memory the run is bound to; empty: no "
	 "binding.",
	 .text = &options_read.numa_node},
	{"hang_timeout", "120",
	 "Report a hang after this many seconds without progress, writes or CPU use, and "
	 "make the row invalid; 0: never.",
	 .real = &options_read.hang_timeout, .real_max = 1e9},

	{"distribution", "auto",
	 "Distribution of random keys; auto: the workload's own, uniform for most.",
	 .choice = &options_read.distribution, .choices = distribution_choices,
	 .group = "Which keys"},
	{"theta", "0.99",
	 "Exponent of the zipfian distributions: 0 is uniform, larger is more skewed; "
	 "scrambled_zipfian approximates it by Gray's formula, as YCSB does.",
	 .real = &options_read.theta, .real_max = 100},
	{"hotspot_keys", "0.2",
	 "Fraction of the keys, 0 to 1, that are hot under --distribution=hotspot.",
	 .real = &options_read.hotspot_keys, .real_max = 1},
	{"hotspot_share", "0.8",
	 "Fraction of operations, 0 to 1, that go to the hot keys under "
	 "--distribution=hotspot.",
	 .real = &options_read.hotspot_share, .real_max = 1},
	{"pareto_h", "0.2",
	 "Pareto's h, up to 0.5: under --distribution=pareto this fraction of the keys "
	 "gets 1 - h of the operations.",
	 .real = &options_read.pareto_h, .real_min = 1e-6, .real_max = 0.5},
	{"rng", "default",
	 "Random number generator of uniform keys; minstd reproduces a bug of db_bench "
	 "in 2014: thread n starts at 999 + --seed + n of one shared sequence.",
	 .choice = &options_read.rng, .choices = rng_names},
	{"zipf_generator", "default",
	 "Generator of scrambled zipfian keys; ucsb2022 reproduces a bug of UCSB in "
	 "2022: 32-bit floats, which draw only a few of many keys.",
	 .choice = &options_read.zipf_generator, .choices = zipf_generator_names},
	{"voron_partitioning", "default",
	 "Partitioning of voron-read; voron2013 reproduces a bug: partition p reads keys "
	 "0, p, 2p, ...",
	 .choice = &options_read.voron_partitioning, .choices = voron_partitioning_names},

	{"rate", "0",
	 "Target operations/s over all threads, issued on schedule (open loop); 0: "
	 "closed loop.",
	 .summary = "target operations/s on schedule (open loop)",
	 .count = &options_read.rate, .group = "Open loop"},
	{"read_rate", "0",
	 "Target reads/s of workloads and threads that only read (open loop); 0: as "
	 "--rate says.",
	 .count = &options_read.read_rate},
	{"write_rate", "0",
	 "Target writes/s of workloads and threads that only write (open loop), such as "
	 "the background writer of readwhilewriting; 0: as --rate says.",
	 .count = &options_read.write_rate},
	{"arrivals", "constant",
	 "Spacing of operations under --rate: constant intervals, or the random "
	 "intervals of a Poisson process.",
	 .choice = &options_read.arrivals, .choices = config_arrivals},
	{"sine_write_rate", "0",
	 "1: workloads and threads that only write run at a rate of a sin(b t + c) + d "
	 "operations a second, t in seconds (open loop), by sine_a to sine_d; 0: as "
	 "--write_rate says.",
	 .flag = &options_read.sine_write_rate},
	{"sine_mix_rate_interval_milliseconds", "5000",
	 "Interval at which the rate of sine_mix_rate or sine_write_rate is computed "
	 "anew, ms.",
	 .count = &options_read.sine_interval_ms, .min = 1, .max = 1000000000},
	{"sine_mix_rate_noise", "0",
	 "Noise of the rate of sine_mix_rate or sine_write_rate as a fraction of the "
	 "rate's amplitude, 0 to 1: each interval adds or subtracts up to half of it.",
	 .real = &options_read.sine_noise, .real_max = 1},
	{"sine_a", "1000",
	 "Amplitude a of the rate a sin(b t + c) + d, operations a second.",
	 .real = &options_read.sine_a, .real_max = 1e9},
	{"sine_b", "0.000073",
	 "Angular frequency b of the rate a sin(b t + c) + d, radians a second; the "
	 "default is one period a day.",
	 .real = &options_read.sine_b, .real_max = 1e9},
	{"sine_c", "0", "Phase c of the rate a sin(b t + c) + d, radians.",
	 .real = &options_read.sine_c, .real_min = -1e9, .real_max = 1e9},
	{"sine_d", "4500", "Mean d of the rate a sin(b t + c) + d, operations a second.",
	 .real = &options_read.sine_d, .real_max = 1e9},

	{"key_size", "16", "Size of a key, bytes, 8 to 511.",
	 .size = &options_read.key_size, .min = 8, .max = 511, .group = "Records"},
	{"key_format", "decimal",
	 "Form of keys. decimal: zero-padded digits; hex: zero-padded digits; binary: 8 "
	 "bytes big-endian; user: YCSB's word and hash; native: the machine's integers.",
	 .choice = &options_read.key_format, .choices = record_key_formats},
	{"value_size", "100",
	 "Size of a value, bytes: 100; 100-400 for any size in between; or 100,400,10k "
	 "for one of a list.",
	 .summary = "bytes of a value: 100, 100-400 or 100,400,10k",
	 .text = &options_read.value_size},
	{"compression_ratio", "0.5",
	 "Compressed size of a value as a fraction of its size, 0 to 1; 1: "
	 "incompressible.",
	 .real = &options_read.compression_ratio, .real_max = 1},
	{"batch_size", "1000",
	 "Writes in one transaction of the batch workloads; keys in one multi-get.",
	 .alias = "batch", .count = &options_read.batch_size, .min = 1},

	{"db", "",
	 "Directory of the database, created if missing; empty: assay-UID/ENGINE below "
	 "$TMPDIR or /tmp.",
	 .summary = "directory of the database", .text = &options_read.db,
	 .group = "Database"},
	{"device", "",
	 "Block device that holds the records, for engines that need no file system; "
	 "--db then holds little but the marker file. Needs --confirm_overwrite=1.",
	 .alias = "aio_device", .text = &options_read.device},
	{"confirm_overwrite", "0",
	 "1: the contents of --device may be overwritten; the device must still be blank "
	 "or stamped by assay. 0: refuse to write to it.",
	 .flag = &options_read.confirm_overwrite},
	{"use_existing_db", "0",
	 "1: run on the database that --db holds, and keep it; 0: a fill replaces it.",
	 .summary = "1: on the database that is there, which is kept",
	 .flag = &options_read.use_existing_db},
	{"copy_of", "",
	 "Directory of a database that is loaded and closed: run on a copy of it in "
	 "--db, a reflink if the file system has them, and delete the copy at the end. "
	 "Empty: no copy.",
	 .text = &options_read.copy_of},
	{"warm_copy", "0",
	 "1: leave the pages of --copy_of's copy in the page cache; 0: drop them.",
	 .flag = &options_read.warm_copy},
	{"multiprocess_read", "0",
	 "1: let other processes read the same database at the same time, each with "
	 "--multiprocess_read=1; for workloads that only read, on engines that support "
	 "it.",
	 .flag = &options_read.multiprocess_read},
	{"check_space", "1",
	 "1: refuse a load whose records do not fit on the file system; 0: start it.",
	 .flag = &options_read.check_space},
	{"durability", "async",
	 "Durability level, what an acknowledged commit survives. none: nothing; async: "
	 "kill -9; sync: a power cut.",
	 .summary = "what a commit survives: nothing, kill -9, a power cut",
	 .choice = &options_read.durability, .choices = config_durabilities},
	{"sync", "0", "1: the same as --durability=sync; 0: as --durability says.",
	 .flag = &options_read.sync},
	{"memory", "0",
	 "Limit of the run's memory, page cache included, by a control group, bytes; 0: "
	 "no limit.",
	 .size = &options_read.memory},
	{"malloc_arenas", "0",
	 "Arenas of glibc's malloc, each of which keeps memory that its threads freed; "
	 "0: one under --memory, else glibc's own number.",
	 .count = &options_read.malloc_arenas, .max = 4096},
	{"cache_size", "0",
	 "Size of the engine's own cache, all sessions together, bytes, if it has one; "
	 "0: half of --memory, or 256Mi.",
	 .size = &options_read.cache_size},
	{"write_buffer_size", "0",
	 "Size of the engine's memtable, bytes, if it has one; 0: an eighth of "
	 "--memory, or 64Mi.",
	 .size = &options_read.write_buffer_size},
	{"compression", "none",
	 "Compression of the engine's blocks, refused by engines without it.",
	 .choice = &options_read.compression, .choices = config_compressions},
	{"show_options", "0",
	 "1: print the engine's settings after the database is opened, one per line, as "
	 "the engine reports them where it can.",
	 .flag = &options_read.show_options},
	{"settle", "0",
	 "1: after each benchmark, wait until the engine has no pending work "
	 "(compaction, checkpoint, write-back); the wait is timed separately.",
	 .flag = &options_read.settle},
	{"reopen", "0",
	 "1: close the database after each benchmark; closing is timed separately.",
	 .flag = &options_read.reopen},

	{"touch", "all",
	 "How much of each value the timed call reads: all bytes, the first, or none.",
	 .choice = &options_read.touch, .choices = config_touches, .group = "Measuring"},
	{"verify", "0",
	 "1: check every byte that is read, outside the timed call; a wrong, lost or "
	 "unordered record makes the row invalid. 0: do not check.",
	 .flag = &options_read.verify},
	{"latency", "1",
	 "0: do not time single operations, so that rows have no percentiles (not at a "
	 "rate, which is judged by response times); 1: time each.",
	 .flag = &options_read.latency},
	{"timer", "auto",
	 "Clock of latencies: tsc is the CPU's cycle counter, monotonic is "
	 "clock_gettime; auto: tsc where it is invariant.",
	 .choice = &options_read.timer, .choices = timer_names},
	{"chunk", "0",
	 "Operations that a thread prepares and accounts for at once, so that runs "
	 "execute the same instructions; fewer where large values fill its buffer. 0: as "
	 "many as take 0.25 to 1 ms.",
	 .count = &options_read.chunk, .max = 65536},

	{"label", "",
	 "Name of this configuration in results and plots; empty: the engine's name.",
	 .text = &options_read.label, .group = "Reporting"},
	{"loaded_by", "",
	 "Name of the load that made the database (column loaded_by), for scripts; "
	 "empty: none.",
	 .text = &options_read.loaded_by},
	{"format", "rocksdb",
	 "Form of the line that each benchmark prints: as RocksDB's db_bench, "
	 "LevelDB's, dbbench (micros/op is then elapsed time by operations), or gobench "
	 "for Go's benchstat.",
	 .choice = &options_read.format, .choices = result_formats},
	{"histogram", "0",
	 "1: print the latency histogram of each benchmark in RocksDB's form.",
	 .flag = &options_read.histogram},
	{"hdr", "",
	 "File for the percentiles of latency, ns, in the form of HdrHistogram's "
	 "plotters: the first kind of call goes to this file, others to "
	 "FILE.BENCHMARK.KIND.",
	 .text = &options_read.hdr},
	{"hdr_log", "",
	 "HdrHistogram log to which the histograms of each benchmark are appended, ns, "
	 "with their start time; hdrmerge merges the logs of several clients.",
	 .text = &options_read.hdr_log},
	{"tsv", "",
	 "TSV file to which a row for each benchmark is appended, all columns, with a "
	 "header line.",
	 .text = &options_read.tsv},
	{"json", "",
	 "JSON Lines file to which a row for each benchmark is appended, all columns.",
	 .summary = "append a row of all columns for each benchmark",
	 .text = &options_read.json},
	{"stats_interval", "0",
	 "Operations after which each thread reports its rate on stderr, since its last "
	 "report and since the start; 0: never.",
	 .count = &options_read.stats_interval},
	{"stats_interval_seconds", "0",
	 "Seconds between reports of each thread's rate on stderr, since its last report "
	 "and since the start; 0: never.",
	 .real = &options_read.stats_interval_seconds, .real_max = 1e9},
	{"timeline", "",
	 "TSV file to which the activity and cost of each interval "
	 "(--timeline_interval) are appended, for all threads together and for each; "
	 "empty: no timeline.",
	 .text = &options_read.timeline},
	{"timeline_interval", "1", "Length of an interval of --timeline, seconds.",
	 .real = &options_read.timeline_interval, .real_min = 0.05, .real_max = 1e9},
	{"report_file", "report.csv", "CSV file that --report_interval_seconds writes.",
	 .text = &options_read.report_file},
	{"report_interval_seconds", "0",
	 "Seconds between rows of --report_file, which are in RocksDB's form with more "
	 "columns; 0: no such file.",
	 .real = &options_read.report_interval_seconds, .real_max = 1e9},

	{"help", "",
	 "Topic to print help about: all, a group of options, an option, a workload or "
	 "a preset; without a topic: the options used most.",
	 .text = &options_read.help_request.help, .bare_value = "most", .group = "About"},
	{"man", "0", "1: print the manual page.", .flag = &options_read.help_request.man},
	{"options", "none",
	 "Print a table of options for scripts: who has it (all programs or this "
	 "engine), name, second name, group, type, values, default, least and greatest "
	 "value, meaning.",
	 .choice = &options_read.help_request.options, .choices = table_formats,
	 .bare_value = "tsv"},
	{"columns", "none",
	 "Print a table of columns for scripts: table (result or timeline), name, type, "
	 "unit, meaning.",
	 .choice = &options_read.help_request.columns, .choices = table_formats,
	 .bare_value = "tsv"},
	{"workloads", "none",
	 "Print a table of workloads for scripts: name, access (fills, reads or writes), "
	 "meaning.",
	 .choice = &options_read.help_request.workloads, .choices = table_formats,
	 .bare_value = "tsv"},
	{"presets", "none",
	 "Print a table of presets for scripts: name, options, meaning.",
	 .choice = &options_read.help_request.presets, .choices = table_formats,
	 .bare_value = "tsv"},
	{"version", "0",
	 "1: print the versions of the suite and of the engine's library.",
	 .flag = &options_read.help_request.version},
	{0},
};

/* The common options, those of extras, and the engine's. */
static const struct option *option_tables[EXTRAS_MAX + 3] = {config_options};

static void find_option_tables(void)
{
	int n = 1;

	for (const struct extra *const *extra = extra_all(); *extra; extra++) {
		if ((*extra)->options)
			option_tables[n++] = (*extra)->options;
		if ((*extra)->distribution_name)
			distribution_choices[1 + DISTRIBUTION_ADDED] =
				(*extra)->distribution_name;
	}
	option_tables[n] = engine.options;
}

static const char *chosen_preset; /* or NULL */

/*
 * The preset of --preset, or the one whose records the first workload with a preset
 * uses.
 */
static const char *preset_name(void)
{
	const char *text = options_read.benchmarks;
	struct list_parser_entry e;
	char error[LIST_PARSER_ERROR_SIZE];

	if (*options_read.preset)
		return options_read.preset;
	while (text && list_parser_next(&text, &e, error)) {
		const struct workload *workload = workload_find(e.name, e.length);

		if (workload && workload->preset)
			return workload->preset;
	}
	return NULL;
}

/* Set a preset's options as if they preceded the others on the command line. */
static void apply_preset(const char *name)
{
	static char text[1024]; /* options keep pointers into it */
	enum { WORDS = 16 };
	char error[OPTION_ERROR_SIZE], meant[EDIT_DISTANCE_TEXT_SIZE],
		*argv[WORDS + 1] = {NULL};
	struct edit_distance near = edit_distance_begin(name, strlen(name));
	size_t used = 0;
	int argc = 1;
	const struct preset *preset;

	for (size_t i = 0; (preset = workload_preset(i)) && strcmp(preset->name, name);
	     i++)
		edit_distance_offer(&near, preset->name);
	if (!preset)
		message_fatal(2, "--preset: no preset '%.60s'; %s", name,
			      edit_distance_suggestion(&near, "",
						       "--help=presets lists them",
						       meant));
	for (const char *word = preset->options; *word; word += strspn(word, " ")) {
		size_t length = strcspn(word, " ");

		argv[argc++] = text + used;
		used += (size_t)snprintf(text + used, sizeof text - used, "--%.*s",
					 (int)length, word) +
			1;
		word += length;
	}
	if (!option_parse(option_tables, argc, argv, error))
		message_fatal(2, "%s", error);
}

/* Options whose texts have a syntax of their own. */
static void parse_texts(void)
{
	unsigned own_mix[OPS];
	char error[OPTION_ERROR_SIZE];

	if (!record_sizes_parse(&options_read.value_sizes, options_read.value_size,
				error))
		message_fatal(2, "--value_size: %s", error);
	if (!record_sizes_parse(
		    &options_read.scan_lengths,
		    *options_read.scan_length ? options_read.scan_length : "1", error))
		message_fatal(2, "--scan_length: %s", error);
	if (!list_parser_weights(options_read.mix, workload_op_names, OPS, WEIGHTS_MAX,
				 own_mix, error))
		message_fatal(2, "--mix: %s", error);
	if (own_mix[OP_EXPIRE] > own_mix[OP_INSERT])
		message_fatal(2,
			      "--mix: delete removes records that insert added; give "
			      "insert at least the weight of delete");
	for (const char *p = options_read.label; *p; p++)
		if (iscntrl((unsigned char)*p))
			message_fatal(2, "--label: control characters are not allowed");
	if (options_read.sine_write_rate)
		config_check_sine();
	workload_configure((unsigned)options_read.readwritepercent, own_mix);
}

/* Suggest the equivalent of another tool's option among those that are unknown. */
static void suggest_compat_options(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *name = argv[i] + 2, *ours;
		size_t length = strncmp(argv[i], "--", 2) ? 0 : strcspn(name, "=");

		ours = length ? compat_option(name, length) : NULL;
		if (ours && !option_find(option_tables, name, length))
			message_fatal(2, "no option '--%.*s' here; instead: %s",
				      (int)length, name, ours);
	}
}

/* Values of options that follow from others. */
static void derive_options(void)
{
	if (options_read.until_steady > 0 && options_read.duration > 0)
		message_fatal(2,
			      "--until_steady limits the duration itself; leave out "
			      "--duration");
	if (options_read.until_steady > 0)
		options_read.duration = options_read.until_steady;
	if (options_read.sync)
		options_read.durability = DURABILITY_SYNC;
	if (!options_read.cache_size)
		options_read.cache_size = options_read.memory ? options_read.memory / 2
							      : 256 << 20;
	if (!options_read.write_buffer_size)
		options_read.write_buffer_size = options_read.memory
							 ? options_read.memory / 8
							 : 64 << 20;
	if (!options_read.malloc_arenas && options_read.memory)
		options_read.malloc_arenas = 1;
	if (*options_read.copy_of && (engine.server_usage || engine.stores_nothing ||
				      *options_read.device))
		message_fatal(2,
			      "--copy_of: %s keeps no records in files under --db; "
			      "load each database", engine.title);
	if (*options_read.copy_of)
		options_read.use_existing_db = true;
	if (options_read.multiprocess_read && engine.exclusive)
		message_fatal(2,
			      "--multiprocess_read=1: %s has one process open a "
			      "database at a time; give each process a database of its "
			      "own", engine.title);
}

const struct option *const *config_parse(int argc, char **argv)
{
	static char name[64];
	char error[OPTION_ERROR_SIZE];

	snprintf(name, sizeof name, "bench_%s", engine.name);
	message_set_program(name);
	find_option_tables();
	for (int i = 0; option_tables[i]; i++)
		if (!option_set_defaults(option_tables[i], error))
			message_fatal(2, "%s", error);
	if (!option_parse(option_tables, argc, argv, error)) {
		suggest_compat_options(argc, argv);
		message_fatal(2, "%s", error);
	}
	chosen_preset = preset_name();
	if (chosen_preset) {
		apply_preset(chosen_preset);
		option_parse(option_tables, argc, argv, error);
	}
	/* before --version answers, by which scripts ask what an engine accepts */
	derive_options();
	return option_tables;
}

void config_apply(void)
{
	parse_texts();
	for (const struct extra *const *extra = extra_all(); *extra; extra++)
		if ((*extra)->configure)
			(*extra)->configure(chosen_preset);
}

void config_set_num(uint64_t num)
{
	options_read.num = num;
}

void config_set_value_sizes(const struct record_sizes *sizes)
{
	options_read.value_sizes = *sizes;
}

void config_check_sine(void)
{
	if (cfg->sine_a + cfg->sine_d <= 0)
		message_fatal(2, "--sine_a + --sine_d must be positive");
}

void config_set_native_keys(uint64_t size)
{
	options_read.key_format = KEYS_NATIVE;
	options_read.key_size = size;
}

unsigned config_value_ratio(void)
{
	return (unsigned)(cfg->compression_ratio * 256 + 0.5);
}
