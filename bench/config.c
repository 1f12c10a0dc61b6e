/* config.c: the option table; see config.h. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../engines/engine.h"
#include "../util/draw.h"
#include "../util/list.h"
#include "../util/nearest.h"
#include "../util/option.h"
#include "../util/result.h"
#include "../util/say.h"
#include "act.h"
#include "habits.h"
#include "workload.h"

const char *const touches[] = {"all", "first", "none", NULL};
static const char *const timers[] = {"auto", "tsc", "monotonic", NULL};
const char *const durabilities[] = {"none", "async", "sync", NULL};
const char *const compressions[] = {"none", "snappy", "lz4", "zlib", "zstd", NULL};
const char *const arrivals[] = {"constant", "poisson", NULL};
static const char *const artefacts_rng[] = {"good", "minstd", NULL};
static const char *const artefacts_zipf[] = {"good", "ucsb2022", NULL};
static const char *const artefacts_mixgraph[] = {"good", "db_bench", NULL};
static const char *const artefacts_parallel[] = {"good", "voron2013", NULL};
/*
 * draw_names after "auto"; the artefacts at their end are asked for by their own options.
 */
static const char *const distributions[] = {
	"auto",    "uniform",     "zipfian", "scrambled_zipfian", "latest",
	"hotspot", "exponential", "pareto",  "sequential",        "mixgraph",
	NULL,
};

/* Written by the table below and by what parses its texts further. */
static struct config options_read;
const struct config *const cfg = &options_read;

static const struct option config_options[] = {
	{"benchmarks", "fillseqbatch,readrandom,readseq",
	 "Workloads, separated by commas, run in this order on one database; name@4 has "
	 "four threads, name[X5] is repeated five times, name[W2] run twice before that "
	 "and not reported.",
	 .brief = "workloads, run in this order on one database",
	 .text = &options_read.benchmarks, .group = "What to run"},
	{"preset", "",
	 "Options of a known benchmark; those on the command line come after them.",
	 .text = &options_read.preset},
	{"num", "1m",
	 "Records in the database; a fill writes so many, or the share of it that its "
	 "help names.",
	 .brief = "records in the database", .count = &options_read.num, .least = 1,
	 .most = 10000000000000000},
	{"device_share", "0",
	 "As many records as take this share of the file system under --db, or of "
	 "--device, instead of --num: a drive that is nearly full is another one; 0:"
	 " --num.",
	 .real = &options_read.device_share, .ceiling = 1},
	{"reads", "0",
	 "Reads by each thread, unless the workload has an end of its own; 0: num, or "
	 "its share of it.",
	 .count = &options_read.reads},
	{"writes", "0",
	 "Writes by each thread, unless the workload has an end of its own; 0: num, or "
	 "its share of it.",
	 .count = &options_read.writes},
	{"duration", "0",
	 "Seconds to run instead of counting operations; 0: count. Fills, deletes, "
	 "bangdb-read, bangdb-mix, voron-read, scan and ucsb-z have an end of their own.",
	 .brief = "seconds to run instead of counting operations",
	 .real = &options_read.duration, .ceiling = 1e9},
	{"until_steady", "0",
	 "At most so many seconds to run, like duration; the end comes when the rate"
	 " is steady by SNIA's rule (column steady), and if it never is, the line "
	 "says so; 0: no.",
	 .real = &options_read.until_steady, .ceiling = 1e9},
	{"threads", "1", "Threads at work.", .brief = "threads at work",
	 .count = &options_read.threads, .least = 1, .most = 4096},
	{"seed", "1", "Seed of all randomness.", .count = &options_read.seed},
	{"seek_nexts", "0", "Records read after the first one of each seek.",
	 .count = &options_read.seek_nexts},
	{"scan_length", "",
	 "Records in each range: 100, or 1-100 for any in between; empty: --seek_nexts "
	 "and one, or the workload's own.",
	 .text = &options_read.scan_length},
	{"readwritepercent", "90",
	 "Gets in a hundred operations of readrandomwriterandom and bangdb-mix.",
	 .count = &options_read.readwritepercent, .most = 100},
	{"queues", "100",
	 "Queues of the workload queue, each of one thread.",
	 .count = &options_read.queues, .least = 1, .most = 100000000},
	{"queue_deletes", "0.3",
	 "Share of its operations that delete the head of a queue; the others append"
	 " to one.",
	 .real = &options_read.queue_deletes, .floor = 0.01, .ceiling = 0.5},
	{"mix", "read:50,update:50",
	 "What mix does, by weight: read, update, rmw, scan, insert, delete (of the "
	 "oldest record inserted).",
	 .text = &options_read.mix},
	{"txn_reads", "1", "Reads in one view of the database.",
	 .count = &options_read.txn_reads, .least = 1},
	{"txn", "0", "1: a read-modify-write is one transaction.",
	 .flag = &options_read.txn},
	{"long_reader", "0",
	 "Seconds for which one more thread beside whatever writes holds a view of "
	 "the database, again and again; what grows meanwhile is in columns; 0: "
	 "there is none.",
	 .real = &options_read.long_reader, .ceiling = 1e9},
	{"long_reader_pause", "0",
	 "Seconds between one such view and the next.",
	 .real = &options_read.long_reader_pause, .ceiling = 1e9},
	{"backup", "0",
	 "Seconds after the start at which one more thread beside whatever writes "
	 "makes a backup, as the workload backup does; 0: none. With --verify=1 the "
	 "copy must be of one moment between its beginning and its end.",
	 .real = &options_read.backup, .ceiling = 1e9},
	{"age", "0",
	 "Passes that the database has behind it before the first workload that is "
	 "no fill, or where the list says age: each overwrites --num records at "
	 "random, then deletes a tenth and puts it back.",
	 .count = &options_read.age, .most = 300},
	{"warmup", "0",
	 "Seconds at work before the figures begin, unless the workload has an end of "
	 "its own.",
	 .real = &options_read.warmup, .ceiling = 1e9},
	{"cold", "0",
	 "1: before each benchmark close the database and have the system forget its "
	 "pages.",
	 .flag = &options_read.cold},
	{"supervise", "1",
	 "1: run in a child process, so that the engine's death is reported; 0: for "
	 "debuggers.",
	 .flag = &options_read.supervise},
	{"isolate", "0",
	 "1: each benchmark of the list in a process of its own, on the same database.",
	 .flag = &options_read.isolate},
	{"repeat", "1",
	 "Run the whole list so many times, each time in a fresh process: a list that "
	 "begins with a fill has the same database each time.",
	 .count = &options_read.repeat, .least = 1, .most = PLAN_MOST},
	{"start_at", "0",
	 "Seconds since the epoch at which the threads of the first benchmark begin, so "
	 "that several clients begin together; 0: at once.",
	 .real = &options_read.start_at, .ceiling = 1e11},
	{"repetition", "1",
	 "Number of the first of them in the results, for scripts that repeat by "
	 "commands.",
	 .count = &options_read.repetition, .least = 1, .most = 1000000},
	{"cpus", "", "Processors to run on, such as 0-3,8; empty: all.",
	 .text = &options_read.cpus},
	{"numa_node", "",
	 "Run on the processors of this NUMA node, with memory of it only; empty: "
	 "wherever.",
	 .text = &options_read.numa_node},
	{"hang_timeout", "120",
	 "Seconds without a finished call, a byte written or processor time after which "
	 "the engine counts as hung; 0: wait for ever.",
	 .real = &options_read.hang_timeout, .ceiling = 1e9},

	{"distribution", "auto",
	 "How random keys are chosen; auto: uniform, or as the workload defines it.",
	 .choice = &options_read.distribution, .choices = distributions,
	 .group = "Which keys"},
	{"theta", "0.99",
	 "Exponent of the zipfian distributions; scrambled_zipfian approximates it by "
	 "Gray's formula, as YCSB does.",
	 .real = &options_read.theta, .ceiling = 100},
	{"hotspot_keys", "0.2", "Share of the keys that are hot.",
	 .real = &options_read.hotspot_keys, .ceiling = 1},
	{"hotspot_share", "0.8", "Share of the operations that they get.",
	 .real = &options_read.hotspot_share, .ceiling = 1},
	{"pareto_h", "0.2",
	 "Share of the keys that gets all but this share of the operations.",
	 .real = &options_read.pareto_h, .floor = 1e-6, .ceiling = 0.5},
	{"rng", "good",
	 "minstd: an artefact, uniform keys as db_bench drew them in 2014, when thread n "
	 "began at 999 + --seed + n of one sequence.",
	 .choice = &options_read.rng, .choices = artefacts_rng},
	{"zipf", "good",
	 "ucsb2022: an artefact, scrambled zipfian keys as UCSB drew them, in 32-bit "
	 "floats.",
	 .choice = &options_read.zipf, .choices = artefacts_zipf},
	{"parallel", "good",
	 "voron2013: an artefact, partition p of voron-read reads keys 0, p, 2p, ...",
	 .choice = &options_read.parallel, .choices = artefacts_parallel},

	{"mixgraph_keys", "prefix_dist",
	 "mixgraph's keys: by hot ranges and hot keys in them; by ranges, alike in them; "
	 "by hot keys of "
	 "all; all alike.",
	 .choice = &options_read.mixgraph.keys, .choices = mixgraph_variants,
	 .group = "Social graph"},
	{"keyrange_num", "30", "Ranges of keys, of equal size.",
	 .count = &options_read.mixgraph.ranges, .least = 1, .most = MIXGRAPH_RANGES},
	{"keyrange_dist_a", "14.18",
	 "Range i = 1, 2, ... is drawn by a e^(b i) + c e^(d i); all four 0: there are "
	 "no ranges.",
	 .real = &options_read.mixgraph.range_a, .floor = -1e9, .ceiling = 1e9},
	{"keyrange_dist_b", "-2.917", "The b of it.",
	 .real = &options_read.mixgraph.range_b, .floor = -1e9, .ceiling = 1e9},
	{"keyrange_dist_c", "0.0164", "The c of it.",
	 .real = &options_read.mixgraph.range_c, .floor = -1e9, .ceiling = 1e9},
	{"keyrange_dist_d", "-0.08082", "The d of it.",
	 .real = &options_read.mixgraph.range_d, .floor = -1e9, .ceiling = 1e9},
	{"key_dist_a", "0.002312",
	 "The most popular s keys get a s^b of the draws; 0: keys are drawn alike.",
	 .real = &options_read.mixgraph.key_a, .ceiling = 1e9},
	{"key_dist_b", "0.3467", "The b of it.", .real = &options_read.mixgraph.key_b,
	 .ceiling = 1e9},
	{"value_theta", "0",
	 "Values of mixgraph have theta + sigma (u^-k - 1) / k bytes, u uniform; at "
	 "least 10.",
	 .real = &options_read.mixgraph.value.theta, .ceiling = 1e9},
	{"value_k", "0.2615", "The k of it.", .real = &options_read.mixgraph.value.k,
	 .ceiling = 1e9},
	{"value_sigma", "25.45", "The sigma of it.",
	 .real = &options_read.mixgraph.value.sigma, .floor = 1e-9, .ceiling = 1e9},
	{"mix_max_value_size", "1024", "Of values above it what is left by it is taken.",
	 .size = &options_read.mixgraph.max_value, .least = 10, .most = 1 << 20},
	{"iter_theta", "0",
	 "Seeks of mixgraph read theta + sigma (u^-k - 1) / k records.",
	 .real = &options_read.mixgraph.scan.theta, .ceiling = 1e9},
	{"iter_k", "2.517", "The k of it.", .real = &options_read.mixgraph.scan.k,
	 .ceiling = 1e9},
	{"iter_sigma", "14.236", "The sigma of it.",
	 .real = &options_read.mixgraph.scan.sigma, .floor = 1e-9, .ceiling = 1e9},
	{"mix_max_scan_len", "10k", "What is left by it is taken.",
	 .count = &options_read.mixgraph.max_scan, .least = 1, .most = 1000000000},
	{"mix_get_ratio", "0.85", "Share of gets in mixgraph, by weight.",
	 .real = &options_read.mixgraph.get, .ceiling = 1e6},
	{"mix_put_ratio", "0.14", "Share of puts.", .real = &options_read.mixgraph.put,
	 .ceiling = 1e6},
	{"mix_seek_ratio", "0.01", "Share of seeks.", .real = &options_read.mixgraph.seek,
	 .ceiling = 1e6},
	{"mixgraph", "good",
	 "db_bench: an artefact, one draw decides on key, operation, size and length, "
	 "and weights of ranges are whole "
	 "numbers.",
	 .choice = &options_read.mixgraph.db_bench, .choices = artefacts_mixgraph},

	{"record", "",
	 "Write what the benchmark asked as a trace to this file, loads before it aside; "
	 ".gz and .zst are compressed. Values are "
	 "then made from key and size alone.",
	 .text = &options_read.record, .group = "Traces"},
	{"trace", "",
	 "The trace that replay and replay-load are about, in the form of Twitter's: "
	 "time,key,key size,value size,client,"
	 "operation,TTL.",
	 .text = &options_read.trace},
	{"speed", "0",
	 "Replay at so many times the recorded speed, in an open loop; 0: as fast as it "
	 "goes.",
	 .real = &options_read.speed, .ceiling = 1e9},
	{"trace_clients", "0", "1: as many threads as the trace has clients.",
	 .flag = &options_read.trace_clients},

	{"rate", "0",
	 "Open loop: operations a second that are due, of all --threads together; 0: as "
	 "fast as they go.",
	 .brief = "operations a second that are due (open loop)",
	 .count = &options_read.rate, .group = "Open loop"},
	{"read_rate", "0", "The same for a workload, or a side of one, that only reads.",
	 .count = &options_read.read_rate},
	{"write_rate", "0",
	 "The same for a workload, or a side of one, that only writes: the writer of "
	 "readwhilewriting.",
	 .count = &options_read.write_rate},
	{"probe_rate", "0",
	 "Reads a second, due as in an open loop, by one more thread beside whatever"
	 " writes: a line and columns of its own say what the writes do to a reader.",
	 .count = &options_read.probe_rate},
	{"arrivals", "constant",
	 "When they are due: at a constant interval, or as a Poisson process.",
	 .choice = &options_read.arrivals, .choices = arrivals},
	{"sine_mix_rate", "0",
	 "1: mixgraph at a rate of a sin(b t + c) + d operations a second, t in seconds.",
	 .flag = &options_read.sine_mix_rate},
	{"sine_write_rate", "0",
	 "1: the same for a workload, or a side of one, that only writes.",
	 .flag = &options_read.sine_write_rate},
	{"sine_mix_rate_interval_milliseconds", "5000",
	 "The rate is set anew after so many.", .count = &options_read.sine_interval_ms,
	 .least = 1, .most = 1000000000},
	{"sine_mix_rate_noise", "0",
	 "Each time up to half this share of a is added or taken off, at random.",
	 .real = &options_read.sine_noise, .ceiling = 1},
	{"sine_a", "1000", "The a of it, in operations a second.",
	 .real = &options_read.sine_a, .ceiling = 1e9},
	{"sine_b", "0.000073", "The b of it: a period of a day.",
	 .real = &options_read.sine_b, .ceiling = 1e9},
	{"sine_c", "0", "The c of it.", .real = &options_read.sine_c, .floor = -1e9,
	 .ceiling = 1e9},
	{"sine_d", "4500", "The d of it, in operations a second.",
	 .real = &options_read.sine_d, .ceiling = 1e9},

	{"key_size", "16", "Bytes in a key.", .size = &options_read.key_size, .least = 8,
	 .most = 511, .group = "Records"},
	{"key_format", "decimal",
	 "Zero-padded numbers; 8 bytes big-endian and '0's; user and a hash (YCSB's); "
	 "the machine's own integers.",
	 .choice = &options_read.key_format, .choices = record_forms},
	{"value_size", "100",
	 "Bytes in a value: 100, or any of 100-400, or one of 100,400,10k.",
	 .brief = "bytes of a value: 100, 100-400 or 100,400,10k",
	 .text = &options_read.value_size},
	{"compression_ratio", "0.5",
	 "Size to which a value can be compressed, as a share of it.",
	 .real = &options_read.compression_ratio, .ceiling = 1},
	{"batch_size", "1000",
	 "Writes in a transaction of the batch workloads; keys in a multi-get.",
	 .alias = "batch", .count = &options_read.batch_size, .least = 1},

	{"db", "",
	 "Directory of the database; empty: assay-UID/ENGINE in $TMPDIR or /tmp.",
	 .brief = "directory of the database", .text = &options_read.db,
	 .group = "Database"},
	{"device", "",
	 "Block device for the records, by an engine that can do without files; --db "
	 "then has little but the marker. Needs --raw_device=1.",
	 .alias = "aio_device", .text = &options_read.device},
	{"raw_device", "0",
	 "1: what --device holds may be overwritten. It must be blank or of assay all "
	 "the same.",
	 .flag = &options_read.raw_device},
	{"use_existing_db", "0", "1: run on the database that is there and keep it.",
	 .brief = "1: on the database that is there, which is kept",
	 .flag = &options_read.use_existing_db},
	{"share", "0",
	 "1: other processes may read the database at once, with --share=1 too; for "
	 "workloads that only read it, and an engine that can.",
	 .flag = &options_read.share},
	{"check_space", "1",
	 "0: begin a load for whose records the file system has no room.",
	 .flag = &options_read.check_space},
	{"durability", "async",
	 "What a commit promises: nothing; to survive kill -9; to survive a power cut.",
	 .brief = "what a commit survives: nothing, kill -9, a power cut",
	 .choice = &options_read.durability, .choices = durabilities},
	{"sync", "0", "1: the same as --durability=sync.", .flag = &options_read.sync},
	{"memory", "0",
	 "Limit of the run's memory, the page cache included, by a control group; 0: "
	 "none.",
	 .size = &options_read.memory},
	{"malloc_arenas", "0",
	 "Arenas of glibc's malloc, each of which keeps what its threads freed; 0: 1 "
	 "under --memory, else as many as it likes.",
	 .count = &options_read.malloc_arenas, .most = 4096},
	{"cache_size", "0",
	 "Cache of an engine that has one of its own, all sessions together; 0: half of "
	 "--memory, or 256Mi.",
	 .size = &options_read.cache_size},
	{"write_buffer_size", "0",
	 "Memtable of an engine that has one; 0: an eighth of --memory, or 64Mi.",
	 .size = &options_read.write_buffer_size},
	{"compression", "none", "Compression of blocks, by an engine that has it.",
	 .choice = &options_read.compression, .choices = compressions},
	{"show_options", "0",
	 "1: print the settings in effect, a line each, when the database was opened.",
	 .flag = &options_read.show_options},
	{"settle", "0",
	 "1: after each benchmark wait until the engine owes no work, timed apart.",
	 .flag = &options_read.settle},
	{"reopen", "0", "1: close the database after each benchmark, timed apart.",
	 .flag = &options_read.reopen},

	{"touch", "all",
	 "Which bytes that a read returned are looked at inside the timed call.",
	 .choice = &options_read.touch, .choices = touches, .group = "Measuring"},
	{"verify", "0", "1: check every byte read, outside the timed call.",
	 .flag = &options_read.verify},
	{"latency", "1", "0: do not time single operations.",
	 .flag = &options_read.latency},
	{"timer", "auto",
	 "Clock of the latencies; auto: the processor's counter where it is invariant.",
	 .choice = &options_read.timer, .choices = timers},

	{"label", "", "Name of this configuration in the results; empty: the engine's.",
	 .text = &options_read.label, .group = "Reporting"},
	{"format", "rocksdb",
	 "Form of the line on standard output; dbbench's micros/op is elapsed time by "
	 "operations; gobench is for benchstat.",
	 .choice = &options_read.format, .choices = result_formats},
	{"histogram", "0", "1: print the latency histogram in RocksDB's form.",
	 .flag = &options_read.histogram},
	{"hdr", "",
	 "Write the percentiles for HdrHistogram's plotters, in ns: of the first kind of "
	 "call to this file, of others to FILE.BENCHMARK.KIND.",
	 .text = &options_read.hdr},
	{"hdr_log", "",
	 "Append each benchmark's histograms to this log of HdrHistogram's, in ns, with "
	 "the time of their start; hdrmerge.sh merges those of several clients.",
	 .text = &options_read.hdr_log},
	{"tsv", "", "Append a row for each benchmark to this file.",
	 .text = &options_read.tsv},
	{"json", "", "Append a JSON line for each benchmark to this file.",
	 .brief = "append a row of all figures for each benchmark",
	 .text = &options_read.json},
	{"stats_interval", "0", "Each thread reports on stderr after so many operations.",
	 .count = &options_read.stats_interval},
	{"stats_interval_seconds", "0", "All threads are reported on stderr this often.",
	 .real = &options_read.stats_interval_seconds, .ceiling = 1e9},
	{"timeline", "",
	 "Append rows of what all threads and each of them did in every second, with "
	 "what it cost, to this TSV file.",
	 .text = &options_read.timeline},
	{"timeline_interval", "1", "Seconds between the rows of timeline.",
	 .real = &options_read.timeline_interval, .floor = 0.05, .ceiling = 1e9},
	{"report_file", "report.csv", "Where report_interval_seconds appends.",
	 .text = &options_read.report_file},
	{"report_interval_seconds", "0",
	 "Append the rate to report_file this often, in RocksDB's form with more "
	 "columns.",
	 .real = &options_read.report_interval_seconds, .ceiling = 1e9},

	{"help", "",
	 "Print help and exit; alone: the options used most; all: everything; or the "
	 "name of a group of options, an option, a workload or a preset.",
	 .text = &options_read.asked.help, .bare = "most", .group = "About"},
	{"man", "0", "Print the manual page and exit.", .flag = &options_read.asked.man},
	{"columns", "0", "Print name, unit and meaning of each column and exit.",
	 .flag = &options_read.asked.columns},
	{"workloads", "0",
	 "Print name, what it does to the database (fills, reads, writes) and meaning of "
	 "each benchmark and exit.",
	 .flag = &options_read.asked.workloads},
	{"version", "0", "Print versions and exit.", .flag = &options_read.asked.version},
	{0},
};

/* And the engine's, and those of the casts. */
enum { TABLES = 8 };
static const struct option *tables[TABLES + 1] = {config_options};

static void add_table(const struct option *options)
{
	int n = 0;

	while (tables[n] && tables[n] != options)
		n++;
	if (options && n < TABLES)
		tables[n] = options;
}

static void find_tables(void)
{
	size_t n;
	const struct workload *load = workload_table(&n);

	for (; n--; load++)
		if (load->acts)
			add_table(load->acts->options);
	add_table(engine.options);
}

/*
 * The preset that was asked for, or whose records the first workload that has one works
 * on.
 */
static const char *preset_name(void)
{
	const char *text = options_read.benchmarks;
	struct list_entry e;
	char error[LIST_ERROR];

	if (*options_read.preset)
		return options_read.preset;
	while (text && list_next(&text, &e, error)) {
		const struct workload *load = workload_find(e.name, e.length);

		if (load && load->preset)
			return load->preset;
	}
	return NULL;
}

/* Set a preset's options as if they stood before the others. */
static void apply_preset(const char *name)
{
	static char text[1024]; /* options go on pointing into it */
	enum { WORDS = 16 };
	char error[OPTION_ERROR], meant[NEAREST_TEXT], *argv[WORDS + 1] = {NULL};
	struct nearest near = nearest_begin(name, strlen(name));
	size_t used = 0;
	int argc = 1;
	size_t n, i = 0;
	const struct preset *presets = preset_table(&n);

	while (i < n && strcmp(presets[i].name, name))
		nearest_offer(&near, presets[i++].name);
	if (i == n)
		die(2, "--preset: no preset '%.60s'; %s", name,
		    nearest_text(&near, "", "--help=presets lists them", meant));
	for (const char *word = presets[i].settings; *word; word += strspn(word, " ")) {
		size_t length = strcspn(word, " ");

		argv[argc++] = text + used;
		used += (size_t)snprintf(text + used, sizeof text - used, "--%.*s",
					 (int)length, word) +
			1;
		word += length;
	}
	if (!option_parse(tables, argc, argv, error))
		die(2, "%s", error);
}

/* Options that are texts with a form of their own. */
static void parse_texts(void)
{
	unsigned own_mix[OPS];
	char error[OPTION_ERROR];

	if (!record_sizes_parse(&options_read.value_sizes, options_read.value_size,
				error))
		die(2, "--value_size: %s", error);
	if (!record_sizes_parse(
		    &options_read.scan_lengths,
		    *options_read.scan_length ? options_read.scan_length : "1", error))
		die(2, "--scan_length: %s", error);
	if (!list_weights(options_read.mix, op_names, OPS, WEIGHTS_MOST, own_mix, error))
		die(2, "--mix: %s", error);
	if (own_mix[OP_EXPIRE] > own_mix[OP_INSERT])
		die(2, "--mix: delete takes the oldest records that insert added; give "
		       "insert as much as delete or more");
	if (!mixgraph_prepare(&options_read.mixgraph, error))
		die(2, "%s", error);
	if ((options_read.sine_mix_rate || options_read.sine_write_rate) &&
	    options_read.sine_a + options_read.sine_d <= 0)
		die(2, "--sine_a, --sine_d: a sine of 0 about 0 is never above it; give "
		       "one of them");
	workload_configure(&(struct amounts){options_read.num, options_read.writes,
					     options_read.duration},
			   (unsigned)options_read.readwritepercent,
			   (unsigned)(100 * options_read.queue_deletes + 0.5), own_mix,
			   &options_read.mixgraph);
}

/* An option that somebody is used to, of those that cannot be read. */
static void answer_habits(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *name = argv[i] + 2, *here;
		size_t length = strncmp(argv[i], "--", 2) ? 0 : strcspn(name, "=");

		here = length ? habit_option(name, length) : NULL;
		if (here && !option_find(tables, name, length))
			die(2, "no option '--%.*s' here; instead: %s", (int)length, name,
			    here);
	}
}

/* Of a social graph: what is written after the load has a law of its own, and so have
 * seeks. */
static void take_law(const char *preset)
{
	struct record_sizes *values = &options_read.value_sizes;

	if (!preset || strncmp(preset, "mixgraph", 8))
		return;
	if (values->least != values->most)
		die(2, "--value_size: the values of mixgraph-load have one size");
	record_sizes_by_law(values, &options_read.mixgraph.value, values->most);
	if (!options_read.mixgraph.db_bench)
		return;
	if (options_read.num >= UINT32_MAX)
		die(2,
		    "--mixgraph=db_bench: values tell the draw they come from in 32 "
		    "bits; give a --num below %u",
		    UINT32_MAX);
	values->law_of = options_read.num;
}

bool config_parse(int argc, char **argv, const struct program *program)
{
	static char name[64];
	char error[OPTION_ERROR];
	const char *preset;

	snprintf(name, sizeof name, "bench_%s", engine.name);
	say_program(name);
	find_tables();
	for (int i = 0; tables[i]; i++)
		if (!option_defaults(tables[i], error))
			die(2, "%s", error);
	if (!option_parse(tables, argc, argv, error)) {
		answer_habits(argc, argv);
		die(2, "%s", error);
	}
	preset = preset_name();
	if (preset) {
		apply_preset(preset);
		option_parse(tables, argc, argv, error);
	}
	if (options_read.until_steady > 0 && options_read.duration > 0)
		die(2, "--until_steady: its seconds are the most that a run takes; leave "
		       "out --duration");
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
	if (help_print(&cfg->asked, tables, program))
		return true;
	parse_texts();
	take_law(preset);
	/* A value made from its size alone does not tell which generation that is the
	 * size of. */
	if (*options_read.record)
		options_read.value_sizes.beyond = options_read.value_sizes.most;
	return false;
}

void config_take_num(uint64_t num)
{
	options_read.num = num;
}

void config_record_loads(void)
{
	options_read.record_loads = true;
}

void config_take_trace(const struct trace_facts *facts)
{
	struct record_sizes *values = &options_read.value_sizes;

	options_read.in_trace = *facts;
	values->beyond =
		values->most > facts->value_most ? values->most : facts->value_most;
}

void config_take_native_keys(uint64_t size)
{
	options_read.key_format = KEYS_NATIVE;
	options_read.key_size = size;
}

unsigned config_ratio(void)
{
	return (unsigned)(cfg->compression_ratio * 256 + 0.5);
}
