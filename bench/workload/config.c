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
	 "Workloads to run, separated by commas, in this order on one database. name@4 "
	 "runs with four threads. name[X5] is measured five times. name[W2] runs twice "
	 "first, as an unreported warm-up.",
	 .summary = "workloads, run in this order on one database",
	 .text = &options_read.benchmarks, .group = "What to run"},
	{"preset", "",
	 "Name of a published benchmark, which supplies its workloads and options; "
	 "--help=presets lists them. Options on the command line take precedence.",
	 .text = &options_read.preset},
	{"num", "1m",
	 "Size of the key range, records. A fill writes this many, unless "
	 "--help=WORKLOAD names a fraction.",
	 .summary = "size of the key range, records", .count = &options_read.num,
	 .min = 1, .max = 10000000000000000},
	{"device_share", "0",
	 "Size the data to this fraction of the device, 0 to 1; 0: use --num. The device "
	 "is --device, or else the file system that holds --db.",
	 .real = &options_read.device_share, .real_max = 1},
	{"reads", "0",
	 "Number of reads of each thread; 0: --num, or the fraction of it in the "
	 "workload's help. Workloads of fixed length (see --duration) ignore it.",
	 .count = &options_read.reads},
	{"writes", "0",
	 "Number of writes of each thread in workloads that only write; others use "
	 "--reads. 0: --num, or the fraction that the workload's help names. Workloads "
	 "of fixed length, such as fills and deletes, ignore it.",
	 .count = &options_read.writes},
	{"duration", "0",
	 "Run each workload for this many seconds, not for a number of operations; 0: "
	 "count operations. Workloads of fixed length ignore it: fills, deletes, "
	 "bangdb-read, bangdb-mix, voron-read, scan, ucsb-z.",
	 .summary = "seconds to run; 0: count operations",
	 .real = &options_read.duration, .real_max = 1e9},
	{"until_steady", "0",
	 "Stop once throughput is steady (SNIA's rule), after at most this many seconds; "
	 "0: stop by --duration or by count. The column steady says whether it became "
	 "steady.",
	 .real = &options_read.until_steady, .real_max = 1e9},
	{"threads", "1",
	 "Number of threads that run each workload; name@N in --benchmarks overrides it. "
	 "Workloads with a background writer use one more.",
	 .summary = "number of threads", .count = &options_read.threads, .min = 1,
	 .max = 4096},
	{"seed", "1",
	 "Seed of all random choices. With equal seeds and threads, every engine gets "
	 "the same operations.",
	 .count = &options_read.seed},
	{"seek_nexts", "0",
	 "Number of records that each seek reads after the record that it finds; "
	 "--scan_length overrides it.",
	 .count = &options_read.seek_nexts},
	{"scan_length", "",
	 "Number of records that each seek reads: 100, or 1-100 for a uniformly random "
	 "number. Empty: --seek_nexts + 1, or the number in the workload's help.",
	 .text = &options_read.scan_length},
	{"readwritepercent", "90",
	 "Percentage of gets, 0 to 100, in readrandomwriterandom and bangdb-mix; the "
	 "other operations are puts. bangdb-fill inserts this percentage of --num.",
	 .count = &options_read.readwritepercent, .max = 100},
	{"mix", "read:50,update:50",
	 "Operations and weights of the workload mix: read, update, rmw "
	 "(read-modify-write), scan, insert, delete. The weights sum to at most 1000. A "
	 "delete removes the oldest inserted record.",
	 .text = &options_read.mix},
	{"txn_reads", "1",
	 "Number of consecutive reads of a thread that share one snapshot; 1: each read "
	 "sees the newest data.",
	 .count = &options_read.txn_reads, .min = 1},
	{"txn", "0",
	 "1: run each read-modify-write as one transaction, on engines whose "
	 "transactions can read; 0: as separate get and put.",
	 .flag = &options_read.txn},
	{"warmup", "0",
	 "Run each workload for this many seconds before its measurement and --duration "
	 "begin; 0: no warm-up. Fills, deletes and other workloads that use up their "
	 "data ignore it.",
	 .real = &options_read.warmup, .real_max = 1e9},
	{"cold", "0",
	 "1: before each benchmark, close the database and drop its pages from the page "
	 "cache; 0: keep them.",
	 .flag = &options_read.cold},
	{"supervise", "1",
	 "1: run in a child process, and report an engine's crash as an invalid row. 0: "
	 "run in this process, for debuggers.",
	 .flag = &options_read.supervise},
	{"isolate", "0",
	 "1: run each benchmark of the list in its own process, on the same database; 0: "
	 "all in one process.",
	 .flag = &options_read.isolate},
	{"repeat", "1",
	 "Number of times to run the whole list, each in a fresh process. A list that "
	 "begins with a fill starts from an empty database each time.",
	 .count = &options_read.repeat, .min = 1, .max = PLAN_ITEMS_MAX},
	{"start_at", "0",
	 "Start the first benchmark's threads at this time, seconds since the epoch; 0: "
	 "immediately. It synchronizes clients on several machines.",
	 .real = &options_read.start_at, .real_max = 1e11},
	{"barrier_file", "",
	 "Barrier file; processes synchronize on it before each benchmark. It must not "
	 "exist yet; clients.sh runs such processes. Empty: no barrier.",
	 .text = &options_read.barrier_file},
	{"barrier_clients", "2",
	 "Number of processes that synchronize on --barrier_file.",
	 .count = &options_read.barrier_clients, .min = 2, .max = 100000},
	{"repetition", "1",
	 "Number of the first repetition, for the column repetition; scripts that repeat "
	 "by separate commands set it.",
	 .count = &options_read.repetition, .min = 1, .max = 1000000},
	{"perf_control", "",
	 "FIFOs of a running perf record, as CONTROL or CONTROL,ACK; empty: no profiler. "
	 "perf was started with --control=fifo:CONTROL,ACK --delay=-1. It then records "
	 "the measured interval of the list's last workload; profile.sh does this.",
	 .text = &options_read.perf_control},
	{"engine_counters", "",
	 "TSV file to which the engine's own counters are appended; empty: none. Per "
	 "workload it has begin, end, and difference per operation. The engine then "
	 "counts, which takes time.",
	 .text = &options_read.engine_counters},
	{"cpus", "", "CPUs to run on, as a list such as 0-3,8; empty: all.",
	 .text = &options_read.cpus},
	{"numa_node", "",
	 "Number of the NUMA node whose CPUs and memory the process is bound to; empty: "
	 "no binding.",
	 .text = &options_read.numa_node},
	{"hang_timeout", "120",
	 "Report a hang after this many seconds without progress, writes or CPU use; 0: "
	 "never. The row is then invalid.",
	 .real = &options_read.hang_timeout, .real_max = 1e9},

	{"distribution", "auto",
	 "Distribution of random keys; auto: the workload's own, which is uniform for "
	 "most.",
	 .choice = &options_read.distribution, .choices = distribution_choices,
	 .group = "Which keys"},
	{"theta", "0.99",
	 "Exponent of the zipfian distributions: 0 is uniform, larger is more skewed. "
	 "scrambled_zipfian follows Gray's approximate formula, as YCSB does; the others "
	 "are exact.",
	 .real = &options_read.theta, .real_max = 100},
	{"hotspot_keys", "0.2",
	 "Fraction of the keys, 0 to 1, that are hot under --distribution=hotspot.",
	 .real = &options_read.hotspot_keys, .real_max = 1},
	{"hotspot_share", "0.8",
	 "Fraction of the operations, 0 to 1, that use the hot keys under "
	 "--distribution=hotspot.",
	 .real = &options_read.hotspot_share, .real_max = 1},
	{"pareto_h", "0.2",
	 "Skew h of --distribution=pareto, up to 0.5: fraction h of the keys gets "
	 "fraction 1 - h of the operations.",
	 .real = &options_read.pareto_h, .real_min = 1e-6, .real_max = 0.5},
	{"rng", "default",
	 "Random number generator of uniform keys. minstd reproduces a bug of db_bench "
	 "in 2014: threads read one shared sequence from neighbouring positions.",
	 .choice = &options_read.rng, .choices = rng_names},
	{"zipf_generator", "default",
	 "Random number generator of scrambled zipfian keys. ucsb2022 reproduces a bug "
	 "of UCSB in 2022: 32-bit floats, which reach only a few of many keys.",
	 .choice = &options_read.zipf_generator, .choices = zipf_generator_names},
	{"voron_partitioning", "default",
	 "Partitioning of voron-read; default: consecutive ranges. voron2013 reproduces "
	 "a bug: partition p reads keys 0, p, 2p, ...",
	 .choice = &options_read.voron_partitioning, .choices = voron_partitioning_names},

	{"rate", "0",
	 "Target operations/s over all threads, issued on schedule (open loop); 0: "
	 "closed loop.",
	 .summary = "target operations/s on schedule (open loop)",
	 .count = &options_read.rate, .group = "Open loop"},
	{"read_rate", "0",
	 "Target reads/s of a workload that only reads, all threads together (open "
	 "loop); 0: --rate. A background thread that only reads has the whole rate; 0: "
	 "no schedule.",
	 .count = &options_read.read_rate},
	{"write_rate", "0",
	 "Target writes/s of a workload that only writes, all threads together (open "
	 "loop); 0: --rate. A background writer, as of readwhilewriting, has the whole "
	 "rate; 0: no schedule.",
	 .count = &options_read.write_rate},
	{"arrivals", "constant",
	 "Intervals between operations in an open loop: constant, or the random "
	 "intervals of a Poisson process.",
	 .choice = &options_read.arrivals, .choices = config_arrivals},
	{"sine_write_rate", "0",
	 "1: the rate of workloads and threads that only write follows a sine (open "
	 "loop); 0: use --write_rate. The rate is a sin(b t + c) + d operations/s at t "
	 "seconds, with --sine_a to --sine_d.",
	 .flag = &options_read.sine_write_rate},
	{"sine_mix_rate_interval_milliseconds", "5000",
	 "Interval at which the rate of --sine_mix_rate or --sine_write_rate is "
	 "recomputed, ms.",
	 .count = &options_read.sine_interval_ms, .min = 1, .max = 1000000000},
	{"sine_mix_rate_noise", "0",
	 "Noise of the rate of --sine_mix_rate or --sine_write_rate, as a fraction of "
	 "its amplitude, 0 to 1. Each interval adds or subtracts up to half of that.",
	 .real = &options_read.sine_noise, .real_max = 1},
	{"sine_a", "1000",
	 "Amplitude a of the sine rate a sin(b t + c) + d, operations/s "
	 "(--sine_mix_rate, --sine_write_rate).",
	 .real = &options_read.sine_a, .real_max = 1e9},
	{"sine_b", "0.000073",
	 "Angular frequency b of the sine rate a sin(b t + c) + d, radians/s "
	 "(--sine_mix_rate, --sine_write_rate). The default is one period a day.",
	 .real = &options_read.sine_b, .real_max = 1e9},
	{"sine_c", "0",
	 "Phase c of the sine rate a sin(b t + c) + d, radians (--sine_mix_rate, "
	 "--sine_write_rate).",
	 .real = &options_read.sine_c, .real_min = -1e9, .real_max = 1e9},
	{"sine_d", "4500",
	 "Mean d of the sine rate a sin(b t + c) + d, operations/s (--sine_mix_rate, "
	 "--sine_write_rate).",
	 .real = &options_read.sine_d, .real_max = 1e9},

	{"key_size", "16", "Size of a key, bytes, 8 to 511.",
	 .size = &options_read.key_size, .min = 8, .max = 511, .group = "Records"},
	{"key_format", "decimal",
	 "Format of keys. decimal, hex: zero-padded digits. binary: 8 bytes big-endian, "
	 "then zeros. user: the word user and a hash, as in YCSB. native: integers of 8 "
	 "bytes in the machine's order.",
	 .choice = &options_read.key_format, .choices = record_key_formats},
	{"value_size", "100",
	 "Size of a value, bytes: 100; 100-400 for a random size between; 100,400,10k "
	 "for a random one of a list.",
	 .summary = "size of a value, bytes: 100, 100-400 or 100,400,10k",
	 .text = &options_read.value_size},
	{"compression_ratio", "0.5",
	 "Compressed size of a generated value as a fraction of its size, 0 to 1; 1: "
	 "incompressible.",
	 .real = &options_read.compression_ratio, .real_max = 1},
	{"batch_size", "1000",
	 "Number of writes in a transaction of the batch workloads; number of keys in a "
	 "multi-get.",
	 .alias = "batch", .count = &options_read.batch_size, .min = 1},

	{"db", "",
	 "Directory of the database, created if missing. Empty: assay-UID/ENGINE below "
	 "$TMPDIR or /tmp.",
	 .summary = "directory of the database", .text = &options_read.db,
	 .group = "Database"},
	{"device", "",
	 "Block device that holds the records, for engines that docs/engines.md names. "
	 "--db then holds little but the marker file. It needs --confirm_overwrite=1.",
	 .alias = "aio_device", .text = &options_read.device},
	{"confirm_overwrite", "0",
	 "1: allow overwriting --device, which must still be blank or stamped by assay; "
	 "0: refuse to write to it.",
	 .flag = &options_read.confirm_overwrite},
	{"use_existing_db", "0",
	 "1: run on the existing database in --db, and keep it; 0: a fill replaces it.",
	 .summary = "1: run on the existing database and keep it",
	 .flag = &options_read.use_existing_db},
	{"copy_of", "",
	 "Directory of a loaded and closed database; run on a copy of it in --db, and "
	 "delete the copy afterwards. The copy is a reflink where the file system "
	 "supports that. Empty: no copy.",
	 .text = &options_read.copy_of},
	{"warm_copy", "0",
	 "1: keep the pages of the copy that --copy_of makes in the page cache; 0: drop "
	 "them.",
	 .flag = &options_read.warm_copy},
	{"multiprocess_read", "0",
	 "1: let other processes read the same database, each with "
	 "--multiprocess_read=1; 0: do not. It needs workloads that only read, and an "
	 "engine that supports it.",
	 .flag = &options_read.multiprocess_read},
	{"check_space", "1",
	 "1: refuse a load whose records do not fit on the file system; 0: start it "
	 "anyway.",
	 .flag = &options_read.check_space},
	{"durability", "async",
	 "Durability level: what an acknowledged commit survives. none: nothing; async: "
	 "kill -9; sync: a power cut.",
	 .summary = "what a commit survives: nothing, kill -9, a power cut",
	 .choice = &options_read.durability, .choices = config_durabilities},
	{"sync", "0", "1: the same as --durability=sync; 0: use --durability.",
	 .flag = &options_read.sync},
	{"memory", "0",
	 "Memory limit of the run, bytes, page cache included, set by a control group; "
	 "0: no limit.",
	 .size = &options_read.memory},
	{"malloc_arenas", "0",
	 "Number of arenas of glibc's malloc; 0: one under --memory, else glibc's own "
	 "number. Each arena keeps memory that its threads freed.",
	 .count = &options_read.malloc_arenas, .max = 4096},
	{"cache_size", "0",
	 "Size of the engine's own cache, bytes, for all sessions together; 0: half of "
	 "--memory, or 256Mi. Engines without a cache ignore it.",
	 .size = &options_read.cache_size},
	{"write_buffer_size", "0",
	 "Size of the engine's memtable, bytes; 0: an eighth of --memory, or 64Mi. "
	 "Engines without a memtable ignore it.",
	 .size = &options_read.write_buffer_size},
	{"compression", "none",
	 "Compression of the engine's blocks; engines that lack it refuse to run.",
	 .choice = &options_read.compression, .choices = config_compressions},
	{"show_options", "0",
	 "1: print the engine's settings after opening the database, one per line; 0: do "
	 "not. They are read back from engines that allow it.",
	 .flag = &options_read.show_options},
	{"settle", "0",
	 "1: after each benchmark, wait until the engine has no pending work "
	 "(compaction, checkpoint, write-back); 0: do not wait. The wait is timed "
	 "separately.",
	 .flag = &options_read.settle},
	{"reopen", "0",
	 "1: close the database after each benchmark and reopen it for the next, "
	 "timed apart in close_seconds. 0: close it only at the end, before a "
	 "fill, for another durability, or for --cold.",
	 .flag = &options_read.reopen},

	{"touch", "all",
	 "How much of each value the timed call reads: all bytes, the first byte, or "
	 "none.",
	 .choice = &options_read.touch, .choices = config_touches, .group = "Measuring"},
	{"verify", "0",
	 "1: check every byte that is read, outside the timed call; 0: do not check. "
	 "Wrong, lost or unordered records make the row invalid.",
	 .flag = &options_read.verify},
	{"latency", "1",
	 "1: time each operation; 0: do not, so that rows have no percentiles. Open "
	 "loops need 1.",
	 .flag = &options_read.latency},
	{"timer", "auto",
	 "Clock of the latencies. tsc: the CPU's cycle counter; monotonic: "
	 "clock_gettime; auto: tsc where it is invariant.",
	 .choice = &options_read.timer, .choices = timer_names},
	{"chunk", "0",
	 "Number of operations that a thread generates ahead of their calls; 0: as many "
	 "as take 0.25 to 1 ms. A fixed number makes runs execute the same instructions. "
	 "It is lower where large values fill the thread's buffer.",
	 .count = &options_read.chunk, .max = 65536},

	{"label", "",
	 "Name of this configuration in results and plots; empty: the engine's name.",
	 .text = &options_read.label, .group = "Reporting"},
	{"loaded_by", "",
	 "Name of the load that made the database, for the column loaded_by; empty: "
	 "none. Scripts such as sweep.sh set it.",
	 .text = &options_read.loaded_by},
	{"format", "rocksdb",
	 "Format of each benchmark's line: of RocksDB's db_bench, LevelDB's "
	 "db_bench, dbbench's, or Go's benchstat (gobench). micros/op is the "
	 "mean latency; in dbbench's, elapsed time / operations.",
	 .choice = &options_read.format, .choices = result_formats},
	{"histogram", "0",
	 "1: print the latency histogram of each benchmark in RocksDB's format; 0: do "
	 "not.",
	 .flag = &options_read.histogram},
	{"hdr", "",
	 "File for latency percentiles, ns, in the format of HdrHistogram's plotters; "
	 "empty: none. The first kind of operation goes to this file, others to "
	 "FILE.BENCHMARK.KIND.",
	 .text = &options_read.hdr},
	{"hdr_log", "",
	 "HdrHistogram log to which each benchmark's histograms, ns, are appended with "
	 "their start time; empty: none. build/hdrmerge merges the logs of several "
	 "clients.",
	 .text = &options_read.hdr_log},
	{"tsv", "",
	 "TSV file to which a row of all columns is appended for each benchmark, after a "
	 "header line; empty: none.",
	 .text = &options_read.tsv},
	{"json", "",
	 "JSON Lines file to which a row of all columns is appended for each benchmark; "
	 "empty: none.",
	 .summary = "file to append a row of all columns to",
	 .text = &options_read.json},
	{"stats_interval", "0",
	 "Number of operations between reports of a thread's rate on stderr; 0: no "
	 "reports. A report has the rate since the last report, and since the start.",
	 .count = &options_read.stats_interval},
	{"stats_interval_seconds", "0",
	 "Seconds between reports of each thread's rate on stderr; 0: no reports. A "
	 "report has the rate since the last report, and since the start.",
	 .real = &options_read.stats_interval_seconds, .real_max = 1e9},
	{"timeline", "",
	 "TSV file to which rates, latencies and resource usage of each "
	 "--timeline_interval are appended; empty: none. It has a row for all threads "
	 "together and one for each.",
	 .text = &options_read.timeline},
	{"timeline_interval", "1",
	 "Length of an interval of --timeline, seconds, at least 0.05.",
	 .real = &options_read.timeline_interval, .real_min = 0.05, .real_max = 1e9},
	{"report_file", "report.csv",
	 "CSV file of throughput over time, in RocksDB's format with more columns; "
	 "--report_interval_seconds turns it on.",
	 .text = &options_read.report_file},
	{"report_interval_seconds", "0",
	 "Seconds between rows of throughput in --report_file; 0: no such file.",
	 .real = &options_read.report_interval_seconds, .real_max = 1e9},

	{"help", "",
	 "Topic to print help about: all, a group of options, an option, a workload or a "
	 "preset. Without a topic: the options used most.",
	 .text = &options_read.help_request.help, .bare_value = "most", .group = "About"},
	{"man", "0", "1: print the manual page.", .flag = &options_read.help_request.man},
	{"options", "none",
	 "Print a table of options for scripts. Its columns: of (all programs, or this "
	 "engine), name, alias, group, type, values, default, min, max, meaning.",
	 .choice = &options_read.help_request.options, .choices = table_formats,
	 .bare_value = "tsv"},
	{"columns", "none",
	 "Print a table of the result columns for scripts. Its columns: table (result or "
	 "timeline), name, type, unit, meaning.",
	 .choice = &options_read.help_request.columns, .choices = table_formats,
	 .bare_value = "tsv"},
	{"workloads", "none",
	 "Print a table of workloads for scripts. Its columns: name, access (fills, "
	 "reads or writes), meaning.",
	 .choice = &options_read.help_request.workloads, .choices = table_formats,
	 .bare_value = "tsv"},
	{"presets", "none",
	 "Print a table of presets for scripts. Its columns: name, options, meaning.",
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
