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
#include "cast.h"
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
	 "Workloads to run, separated by commas, in this order on one database: name@4 "
	 "runs with four threads, name[X5] is measured five times, name[W2] runs twice "
	 "unreported first.",
	 .brief = "workloads, run in this order on one database",
	 .text = &options_read.benchmarks, .group = "What to run"},
	{"preset", "",
	 "Name of a published benchmark, whose workloads and options are taken unless "
	 "the command line gives others; --help=presets lists them.",
	 .text = &options_read.preset},
	{"num", "1m",
	 "Records in the key space; a fill writes this many, unless its own help names "
	 "a share of it.",
	 .brief = "records in the database", .count = &options_read.num, .least = 1,
	 .most = 10000000000000000},
	{"device_share", "0",
	 "Share of the file system under --db, or of --device, that the records are to "
	 "fill, 0 to 1, which sets the number of records instead of --num; 0: --num.",
	 .real = &options_read.device_share, .ceiling = 1},
	{"reads", "0",
	 "Reads of each thread; 0: --num, or the workload's share of it. Ignored by "
	 "workloads of fixed length.",
	 .count = &options_read.reads},
	{"writes", "0",
	 "Writes of each thread; 0: --num, or the workload's share of it. Ignored by "
	 "workloads of fixed length.",
	 .count = &options_read.writes},
	{"duration", "0",
	 "Seconds that each benchmark runs, instead of a number of operations; 0: count "
	 "operations. Ignored by workloads of fixed length: fills, deletes, "
	 "bangdb-read, bangdb-mix, voron-read, scan, ucsb-z.",
	 .brief = "seconds to run instead of counting operations",
	 .real = &options_read.duration, .ceiling = 1e9},
	{"until_steady", "0",
	 "Longest run, seconds, for the rate to become steady by SNIA's rule (column "
	 "steady), which ends the run; a run that never becomes steady says so; 0: run "
	 "by --duration or by count.",
	 .real = &options_read.until_steady, .ceiling = 1e9},
	{"threads", "1",
	 "Threads that run each workload, unless name@N in --benchmarks says otherwise; "
	 "workloads with a background writer have one more.", .brief = "threads at work",
	 .count = &options_read.threads, .least = 1, .most = 4096},
	{"seed", "1",
	 "Seed of all random choices: with the same seed and threads every engine is "
	 "asked for the same operations.", .count = &options_read.seed},
	{"seek_nexts", "0",
	 "Records that each seek reads after the one it lands on.",
	 .count = &options_read.seek_nexts},
	{"scan_length", "",
	 "Records that each seek reads: 100, or 1-100 for any number in between, all "
	 "alike; empty: --seek_nexts + 1, or the number in the workload's help.",
	 .text = &options_read.scan_length},
	{"readwritepercent", "90",
	 "Percentage of gets among the operations of readrandomwriterandom and "
	 "bangdb-mix.",
	 .count = &options_read.readwritepercent, .most = 100},
	{"queues", "100",
	 "Number of queues of the workload queue, each used by one thread.",
	 .count = &options_read.queues, .least = 1, .most = 100000000},
	{"queue_deletes", "0.3",
	 "Share of the workload queue's operations, 0.01 to 0.5, that delete the head "
	 "of a queue; the others append to a tail.",
	 .real = &options_read.queue_deletes, .floor = 0.01, .ceiling = 0.5},
	{"mix", "read:50,update:50",
	 "Operations of the workload mix and their weights: read, update, rmw "
	 "(read-modify-write), scan, insert, delete (of the oldest inserted record).",
	 .text = &options_read.mix},
	{"txn_reads", "1",
	 "Consecutive reads of a thread that share one snapshot; 1: each read sees the "
	 "newest data.",
	 .count = &options_read.txn_reads, .least = 1},
	{"txn", "0",
	 "1: each read-modify-write is one transaction, on engines whose transactions "
	 "can read; 0: a get and a put of their own.",
	 .flag = &options_read.txn},
	{"long_reader", "0",
	 "Seconds for which a background thread of a writing workload, the long reader, "
	 "holds each of its snapshots; the columns snapshot_... say what grows "
	 "meanwhile; 0: no long reader.",
	 .real = &options_read.long_reader, .ceiling = 1e9},
	{"long_reader_pause", "0",
	 "Seconds between one snapshot of --long_reader and the next; 0: none.",
	 .real = &options_read.long_reader_pause, .ceiling = 1e9},
	{"backup", "0",
	 "Seconds after the start at which a background thread of a writing workload "
	 "backs the database up, as the workload backup does; 0: no backup. With "
	 "--verify=1 the copy must be of one moment between the backup's begin and end.",
	 .real = &options_read.backup, .ceiling = 1e9},
	{"age", "0",
	 "Passes that age the database before the first workload that is no fill, or "
	 "where the list says age: each overwrites --num records at random, then "
	 "deletes a tenth and puts it back; 0: none.",
	 .count = &options_read.age, .most = 300},
	{"warmup", "0",
	 "Seconds that each workload runs before its figures are counted (the warm-up), "
	 "before --duration begins; 0: none. Ignored by fills, deletes and others that "
	 "end with their data.",
	 .real = &options_read.warmup, .ceiling = 1e9},
	{"cold", "0",
	 "1: before each benchmark, close the database and drop its pages from the page "
	 "cache.",
	 .flag = &options_read.cold},
	{"supervise", "1",
	 "1: run in a child process, so that a crash of the engine is reported as a "
	 "void row; 0: in this process, for debuggers.",
	 .flag = &options_read.supervise},
	{"isolate", "0",
	 "1: run each benchmark of the list in its own process, on the same database.",
	 .flag = &options_read.isolate},
	{"repeat", "1",
	 "Times to run the whole list, each time in a fresh process; a list that begins "
	 "with a fill starts from a new database each time.",
	 .count = &options_read.repeat, .least = 1, .most = PLAN_MOST},
	{"start_at", "0",
	 "Time at which the threads of the first benchmark start, in seconds since the "
	 "epoch, so that several clients start together; 0: at once.",
	 .real = &options_read.start_at, .ceiling = 1e11},
	{"meet", "",
	 "File, not there yet, through which several clients wait for each other before "
	 "the threads of each benchmark start; clients.sh runs such clients. Empty: do "
	 "not wait.",
	 .text = &options_read.meet},
	{"meet_clients", "2", "Clients that wait for each other at the file of --meet.",
	 .count = &options_read.meet_clients, .least = 2, .most = 100000},
	{"repetition", "1",
	 "Number of the first repetition in the results (column repetition), for "
	 "scripts that repeat by separate commands.",
	 .count = &options_read.repetition, .least = 1, .most = 1000000},
	{"cpus", "", "CPUs to run on, such as 0-3,8; empty: all.",
	 .text = &options_read.cpus},
	{"numa_node", "",
	 "Number of the NUMA node whose CPUs and memory the run is bound to; empty: no "
	 "binding.",
	 .text = &options_read.numa_node},
	{"hang_timeout", "120",
	 "Seconds without a finished call, a written byte or CPU time after which the "
	 "engine counts as hung and the row is void; 0: wait for ever.",
	 .real = &options_read.hang_timeout, .ceiling = 1e9},

	{"distribution", "auto",
	 "Distribution of random keys; auto: the workload's own, uniform for most.",
	 .choice = &options_read.distribution, .choices = distributions,
	 .group = "Which keys"},
	{"theta", "0.99",
	 "Exponent of the zipfian distributions: 0 is uniform, larger is more skewed; "
	 "scrambled_zipfian approximates it by Gray's formula, as YCSB does.",
	 .real = &options_read.theta, .ceiling = 100},
	{"hotspot_keys", "0.2",
	 "Share of the keys, 0 to 1, that are hot under --distribution=hotspot.",
	 .real = &options_read.hotspot_keys, .ceiling = 1},
	{"hotspot_share", "0.8",
	 "Share of operations, 0 to 1, that go to the hot keys under "
	 "--distribution=hotspot.",
	 .real = &options_read.hotspot_share, .ceiling = 1},
	{"pareto_h", "0.2",
	 "Pareto's h, up to 0.5: under --distribution=pareto this share of the keys "
	 "gets 1 - h of the operations.",
	 .real = &options_read.pareto_h, .floor = 1e-6, .ceiling = 0.5},
	{"rng", "good",
	 "Random number generator of uniform keys; minstd reproduces an artefact of "
	 "db_bench's keys of 2014, where thread n starts at 999 + --seed + n of one "
	 "shared sequence.",
	 .choice = &options_read.rng, .choices = artefacts_rng},
	{"zipf", "good",
	 "Generator of scrambled zipfian keys; ucsb2022 reproduces an artefact of "
	 "UCSB's publication of 2022: 32-bit floats, which draw only a few of many keys.",
	 .choice = &options_read.zipf, .choices = artefacts_zipf},
	{"parallel", "good",
	 "Partitioning of voron-read; voron2013 reproduces an artefact: partition p "
	 "reads the keys 0, p, 2p, ... so that one of them reads key 0 only.",
	 .choice = &options_read.parallel, .choices = artefacts_parallel},

	{"mixgraph_keys", "prefix_dist",
	 "Key popularity of mixgraph. prefix_dist: hot key ranges with hot keys in "
	 "them; prefix_random: hot key ranges, uniform within; all_dist: hot keys "
	 "anywhere; all_random: uniform.",
	 .choice = &options_read.mixgraph.keys, .choices = mixgraph_variants,
	 .group = "Social graph"},
	{"keyrange_num", "30", "Number of key ranges of mixgraph, all of equal size.",
	 .count = &options_read.mixgraph.ranges, .least = 1, .most = MIXGRAPH_RANGES},
	{"keyrange_dist_a", "14.18",
	 "Coefficient a of mixgraph's key ranges: range i = 1, 2, ... is drawn with "
	 "weight a * e^(b i) + c * e^(d i), where b, c and d are keyrange_dist_b, _c "
	 "and _d; all four 0: no ranges.",
	 .real = &options_read.mixgraph.range_a, .floor = -1e9, .ceiling = 1e9},
	{"keyrange_dist_b", "-2.917",
	 "Exponent b of mixgraph's key ranges; keyrange_dist_a has the formula.",
	 .real = &options_read.mixgraph.range_b, .floor = -1e9, .ceiling = 1e9},
	{"keyrange_dist_c", "0.0164",
	 "Coefficient c of mixgraph's key ranges; keyrange_dist_a has the formula.",
	 .real = &options_read.mixgraph.range_c, .floor = -1e9, .ceiling = 1e9},
	{"keyrange_dist_d", "-0.08082",
	 "Exponent d of mixgraph's key ranges; keyrange_dist_a has the formula.",
	 .real = &options_read.mixgraph.range_d, .floor = -1e9, .ceiling = 1e9},
	{"key_dist_a", "0.002312",
	 "Coefficient a of mixgraph's keys: the s most popular keys, s a number, get "
	 "a * s^b of the draws, with key_dist_b as b; 0: uniform.",
	 .real = &options_read.mixgraph.key_a, .ceiling = 1e9},
	{"key_dist_b", "0.3467",
	 "Exponent b of mixgraph's keys; see key_dist_a.",
	 .real = &options_read.mixgraph.key_b,
	 .ceiling = 1e9},
	{"value_theta", "0",
	 "Location theta of mixgraph's value sizes, bytes: theta + sigma (u^-k - 1) / k "
	 "with u uniform, at least 10.",
	 .real = &options_read.mixgraph.value.theta, .ceiling = 1e9},
	{"value_k", "0.2615",
	 "Shape k of the generalised Pareto distribution of mixgraph's value sizes; see "
	 "value_theta.",
	 .real = &options_read.mixgraph.value.k,
	 .ceiling = 1e9},
	{"value_sigma", "25.45",
	 "Scale sigma, bytes, of the generalised Pareto distribution of mixgraph's value "
	 "sizes; see value_theta.",
	 .real = &options_read.mixgraph.value.sigma, .floor = 1e-9, .ceiling = 1e9},
	{"mix_max_value_size", "1024",
	 "Limit of mixgraph's value sizes, bytes; a larger draw is taken modulo this.",
	 .size = &options_read.mixgraph.max_value, .least = 10, .most = 1 << 20},
	{"iter_theta", "0",
	 "Location theta of mixgraph's scan lengths, records: theta + sigma (u^-k - 1) "
	 "/ k with u uniform.",
	 .real = &options_read.mixgraph.scan.theta, .ceiling = 1e9},
	{"iter_k", "2.517",
	 "Shape k of the generalised Pareto distribution of mixgraph's scan lengths; see "
	 "iter_theta.",
	 .real = &options_read.mixgraph.scan.k,
	 .ceiling = 1e9},
	{"iter_sigma", "14.236",
	 "Scale sigma, records, of the generalised Pareto distribution of mixgraph's "
	 "scan lengths; see iter_theta.",
	 .real = &options_read.mixgraph.scan.sigma, .floor = 1e-9, .ceiling = 1e9},
	{"mix_max_scan_len", "10k",
	 "Limit of mixgraph's scan lengths, records; a larger draw is taken modulo this.",
	 .count = &options_read.mixgraph.max_scan, .least = 1, .most = 1000000000},
	{"mix_get_ratio", "0.85",
	 "Share of gets in mixgraph, relative to the other two shares.",
	 .real = &options_read.mixgraph.get, .ceiling = 1e6},
	{"mix_put_ratio", "0.14",
	 "Share of puts in mixgraph, relative to the other two shares.",
	 .real = &options_read.mixgraph.put,
	 .ceiling = 1e6},
	{"mix_seek_ratio", "0.01",
	 "Share of seeks in mixgraph, relative to the other two shares.",
	 .real = &options_read.mixgraph.seek,
	 .ceiling = 1e6},
	{"mixgraph", "good",
	 "Way in which mixgraph draws; db_bench reproduces an artefact: one draw "
	 "decides key, operation, size and length, and ranges have whole-number weights.",
	 .choice = &options_read.mixgraph.db_bench, .choices = artefacts_mixgraph},

	{"record", "",
	 "File to which the benchmark's operations are written as a trace, those of "
	 "loads left out; .gz and .zst are compressed. Values are then made from key "
	 "and size alone. Empty: no trace.",
	 .text = &options_read.record, .group = "Traces"},
	{"trace", "",
	 "Trace that replay and replay-load work from, in Twitter's form: time,key,key "
	 "size,value size,client,operation,TTL.",
	 .text = &options_read.trace},
	{"speed", "0",
	 "Speed of a replay as a multiple of the recorded one, in an open loop; 0: as "
	 "fast as the engine answers (closed loop).",
	 .real = &options_read.speed, .ceiling = 1e9},
	{"trace_clients", "0",
	 "1: a replay has as many threads as the trace has clients; 0: as many as "
	 "--threads says.",
	 .flag = &options_read.trace_clients},

	{"rate", "0",
	 "Operations a second that all --threads together are to begin, each at its "
	 "intended time whether or not earlier ones have returned (open loop); 0: as "
	 "fast as the engine answers (closed loop).",
	 .brief = "operations a second that are due (open loop)",
	 .count = &options_read.rate, .group = "Open loop"},
	{"read_rate", "0",
	 "Reads a second that workloads and threads that only read are to begin (open "
	 "loop); 0: as --rate says.",
	 .count = &options_read.read_rate},
	{"write_rate", "0",
	 "Writes a second that workloads and threads that only write are to begin (open "
	 "loop), such as the background writer of readwhilewriting; 0: as --rate says.",
	 .count = &options_read.write_rate},
	{"probe_rate", "0",
	 "Reads a second of the probe, a background thread of a writing workload (open "
	 "loop) with a line and columns of its own; 0: no probe.",
	 .count = &options_read.probe_rate},
	{"arrivals", "constant",
	 "Spacing of operations under --rate: constant intervals, or the random "
	 "intervals of a Poisson process.",
	 .choice = &options_read.arrivals, .choices = arrivals},
	{"sine_mix_rate", "0",
	 "1: mixgraph's rate follows a sine (open loop): sine_a * sin(sine_b * t + "
	 "sine_c) + sine_d operations a second of all threads, t in seconds; 0: --rate.",
	 .flag = &options_read.sine_mix_rate},
	{"sine_write_rate", "0",
	 "1: workloads and threads that only write run at a rate of a sin(b t + c) + d "
	 "operations a second, t in seconds (open loop), by sine_a to sine_d; 0: as "
	 "--write_rate says.",
	 .flag = &options_read.sine_write_rate},
	{"sine_mix_rate_interval_milliseconds", "5000",
	 "Interval at which the rate of sine_mix_rate or sine_write_rate is computed "
	 "anew, ms.",
	 .count = &options_read.sine_interval_ms,
	 .least = 1, .most = 1000000000},
	{"sine_mix_rate_noise", "0",
	 "Noise of the rate of sine_mix_rate or sine_write_rate as a share of that "
	 "rate's amplitude, 0 to 1: each interval adds or takes off up to half of it.",
	 .real = &options_read.sine_noise, .ceiling = 1},
	{"sine_a", "1000",
	 "Amplitude a of the rate a sin(b t + c) + d, operations a second.",
	 .real = &options_read.sine_a, .ceiling = 1e9},
	{"sine_b", "0.000073",
	 "Angular frequency b of the rate a sin(b t + c) + d, radians a second; the "
	 "default is one period a day.",
	 .real = &options_read.sine_b, .ceiling = 1e9},
	{"sine_c", "0",
	 "Phase c of the rate a sin(b t + c) + d, radians.", .real = &options_read.sine_c,
	 .floor = -1e9,
	 .ceiling = 1e9},
	{"sine_d", "4500",
	 "Mean d of the rate a sin(b t + c) + d, operations a second.",
	 .real = &options_read.sine_d, .ceiling = 1e9},

	{"key_size", "16", "Size of a key, bytes, 8 to 511.",
	 .size = &options_read.key_size, .least = 8,
	 .most = 511, .group = "Records"},
	{"key_format", "decimal",
	 "Form of keys. decimal: zero-padded digits; hex: zero-padded digits; binary: 8 "
	 "bytes big-endian; user: YCSB's word and hash; native: the machine's integers.",
	 .choice = &options_read.key_format, .choices = record_forms},
	{"value_size", "100",
	 "Size of a value, bytes: 100; 100-400 for any size in between; or 100,400,10k "
	 "for one of a list.",
	 .brief = "bytes of a value: 100, 100-400 or 100,400,10k",
	 .text = &options_read.value_size},
	{"compression_ratio", "0.5",
	 "Compressed size of a value as a share of its size, 0 to 1; 1: incompressible.",
	 .real = &options_read.compression_ratio, .ceiling = 1},
	{"batch_size", "1000",
	 "Writes in one transaction of the batch workloads; keys in one multi-get.",
	 .alias = "batch", .count = &options_read.batch_size, .least = 1},

	{"db", "",
	 "Directory of the database, created if missing; empty: assay-UID/ENGINE below "
	 "$TMPDIR or /tmp.",
	 .brief = "directory of the database", .text = &options_read.db,
	 .group = "Database"},
	{"device", "",
	 "Block device that holds the records, for engines that need no file system; "
	 "--db then holds little but the marker file. Needs --raw_device=1.",
	 .alias = "aio_device", .text = &options_read.device},
	{"raw_device", "0",
	 "1: the contents of --device may be overwritten. The device must still be "
	 "blank or stamped by assay.",
	 .flag = &options_read.raw_device},
	{"use_existing_db", "0",
	 "1: run on the database that --db holds, and keep it; 0: a fill replaces it.",
	 .brief = "1: on the database that is there, which is kept",
	 .flag = &options_read.use_existing_db},
	{"share", "0",
	 "1: let other processes read the same database at the same time, each with "
	 "--share=1; for workloads that only read, on engines that allow it.",
	 .flag = &options_read.share},
	{"check_space", "1",
	 "0: start a load even if the file system has too little room for its records; "
	 "1: refuse to.",
	 .flag = &options_read.check_space},
	{"durability", "async",
	 "What an acknowledged commit survives. none: nothing; async: kill -9; sync: a "
	 "power cut.",
	 .brief = "what a commit survives: nothing, kill -9, a power cut",
	 .choice = &options_read.durability, .choices = durabilities},
	{"sync", "0", "1: the same as --durability=sync; 0: as --durability says.",
	 .flag = &options_read.sync},
	{"memory", "0",
	 "Limit of the run's memory, page cache included, by a control group, bytes; 0: "
	 "no limit.",
	 .size = &options_read.memory},
	{"malloc_arenas", "0",
	 "Arenas of glibc's malloc, each of which keeps memory that its threads freed; "
	 "0: one under --memory, else glibc's own number.",
	 .count = &options_read.malloc_arenas, .most = 4096},
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
	 .choice = &options_read.compression, .choices = compressions},
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
	 "Bytes of each returned value that are read inside the timed call: all, the "
	 "first, or none.",
	 .choice = &options_read.touch, .choices = touches, .group = "Measuring"},
	{"verify", "0",
	 "1: check every byte that is read, outside the timed call; a record that is "
	 "wrong, lost or out of order makes the row void.",
	 .flag = &options_read.verify},
	{"latency", "1",
	 "0: do not time single operations, so that rows have no percentiles; 1: time "
	 "each.",
	 .flag = &options_read.latency},
	{"timer", "auto",
	 "Clock of latencies: tsc is the processor's cycle counter, monotonic is "
	 "clock_gettime; auto: tsc where it is invariant.",
	 .choice = &options_read.timer, .choices = timers},

	{"label", "",
	 "Name of this configuration in results and plots; empty: the engine's name.",
	 .text = &options_read.label, .group = "Reporting"},
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
	 .brief = "append a row of all figures for each benchmark",
	 .text = &options_read.json},
	{"stats_interval", "0",
	 "Operations after which each thread reports its rate on stderr, since its last "
	 "report and since the start; 0: never.",
	 .count = &options_read.stats_interval},
	{"stats_interval_seconds", "0",
	 "Seconds between reports of each thread's rate on stderr, since its last report "
	 "and since the start; 0: never.",
	 .real = &options_read.stats_interval_seconds, .ceiling = 1e9},
	{"timeline", "",
	 "TSV file to which the activity and cost of each interval "
	 "(--timeline_interval) are appended, for all threads together and for each; "
	 "empty: no timeline.",
	 .text = &options_read.timeline},
	{"timeline_interval", "1",
	 "Length of an interval of --timeline, seconds.",
	 .real = &options_read.timeline_interval, .floor = 0.05, .ceiling = 1e9},
	{"report_file", "report.csv", "CSV file that --report_interval_seconds writes.",
	 .text = &options_read.report_file},
	{"report_interval_seconds", "0",
	 "Seconds between rows of --report_file, which are in RocksDB's form with more "
	 "columns; 0: no such file.",
	 .real = &options_read.report_interval_seconds, .ceiling = 1e9},

	{"help", "",
	 "Topic to print help about: all, a group of options, an option, a workload or "
	 "a preset; without a topic: the options used most.",
	 .text = &options_read.asked.help, .bare = "most", .group = "About"},
	{"man", "0",
	 "1: print the manual page.", .flag = &options_read.asked.man},
	{"columns", "0",
	 "1: print name, unit and meaning of each column of the results.",
	 .flag = &options_read.asked.columns},
	{"workloads", "0",
	 "1: print each workload's name, whether it fills, reads or writes, and its "
	 "meaning.",
	 .flag = &options_read.asked.workloads},
	{"version", "0",
	 "1: print the versions of the suite and of the engine's library.",
	 .flag = &options_read.asked.version},
	{0},
};

/* Ours, the engine's, and those of the casts of acts. */
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
		if (load->cast)
			add_table(cast_of(load)->options);
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
	cast_configure(&(struct amounts){options_read.num, options_read.writes,
					 options_read.duration});
	workload_configure((unsigned)options_read.readwritepercent,
			   (unsigned)(100 * options_read.queue_deletes + 0.5), own_mix,
			   &options_read.mixgraph);
}

/* An option that somebody is used to, of those that cannot be read. */
static void answer_habits(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *name = argv[i] + 2, *ours;
		size_t length = strncmp(argv[i], "--", 2) ? 0 : strcspn(name, "=");

		ours = length ? habit_option(name, length) : NULL;
		if (ours && !option_find(tables, name, length))
			die(2, "no option '--%.*s' here; instead: %s", (int)length, name,
			    ours);
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
