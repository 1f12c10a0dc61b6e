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
#include "compat_line.h"
#include "db_bench.h"
#include "extra.h"
#include "ucsb.h"
#include "workload.h"
#include "ycsb.h"

const char *const config_touches[] = {"all", "first", "none", NULL};
static const char *const page_cache_choices[] = {"sequential", "kept", NULL};
static const char *const timer_names[] = {"auto", "tsc", "monotonic", NULL};
const char *const config_durabilities[] = {"none", "async", "sync", NULL};
const char *const config_compressions[] = {"none", "snappy", "lz4", "zlib", "zstd", NULL};
const char *const config_arrivals[] = {"constant", "poisson", NULL};
static const char *const compat_names[] = {"none", "db_bench", "ycsb", "ucsb", NULL};
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
	"hotspot", "exponential", "pareto",  "sequential",        NULL, /* an extra's */
	NULL,
};

/* Written by the table below and by the functions that parse texts. */
static struct config options_read;
const struct config *const cfg = &options_read;

static const struct option config_options[] = {
	{"benchmarks", "fillseqbatch,readrandom,readseq",
	 "Workloads to run, separated by commas, in this order on one database; "
	 "--help=all lists their names. name@4 runs a workload with four threads. "
	 "name[X5] measures it five times, each a row of results. name[W2] first runs "
	 "it twice without a row, as warm-up.",
	 .summary = "workloads, run in this order on one database",
	 .text = &options_read.benchmarks, .text_type = "list", .group = "What to run"},
	{"preset", "",
	 "Name of a published benchmark, such as ycsb, whose workloads, sizes and "
	 "options are used; --help=presets lists them. Options on the command line "
	 "take precedence. Empty: no preset.",
	 .text = &options_read.preset, .text_type = "word"},
	{"compat", "none",
	 "Program in whose place this one is. db_bench: options, defaults and output are "
	 "those of RocksDB's db_bench, or of LevelDB's in bench_leveldb. Workloads mean "
	 "what they mean there, and files are where it has them. The name db_bench for "
	 "this program does the same. Options of its own can be added. Flags without an "
	 "equivalent are refused, all at once. ycsb: the command line is that of YCSB's "
	 "client, and so is the result. The names ycsb and ycsb.sh do the same. "
	 "ucsb: the command line is that of UCSB's ucsb_bench, and its JSON file has the "
	 "workloads. The name ucsb_bench does the same.",
	 .choice = &options_read.compat, .choices = compat_names},
	{"num", "1m",
	 "Number of different keys in the database, from which workloads choose. A "
	 "fill writes this many records, or the fraction of it that the workload's "
	 "help names.",
	 .summary = "size of the key range, records", .count = &options_read.num,
	 .min = 1, .max = 10000000000000000},
	{"device_share", "0",
	 "Fraction of the device's size, 0 to 1, to fill with keys and "
	 "values; --num is computed from it. The device is --device, or else "
	 "the file system that holds --db. Values count as compressed to "
	 "--compression_ratio if --compression is used; the engine's own "
	 "overhead is not counted. 0: use --num as given.",
	 .real = &options_read.device_share, .real_max = 1},
	{"reads", "0",
	 "Number of operations that each thread does in a workload that reads. 0: "
	 "--num, or the fraction of it in the workload's help. Fills, deletes and "
	 "other workloads of fixed length (see --duration) ignore it.",
	 .count = &options_read.reads},
	{"writes", "0",
	 "Number of operations that each thread does in a workload that only writes, "
	 "such as overwrite. 0: --num, or the fraction of it in the workload's help. "
	 "Workloads that also read use --reads. Fills and deletes have a fixed length "
	 "and ignore it.",
	 .count = &options_read.writes},
	{"duration", "0",
	 "Measure each workload for this many seconds; 0: until it has done its "
	 "number of operations (--reads, --writes, --num). Workloads of fixed length "
	 "ignore it: fills, deletes, bangdb-read, bangdb-mix, voron-read, scan, "
	 "ucsb-z.",
	 .summary = "seconds to run; 0: count operations", .real = &options_read.duration,
	 .real_max = 1e9},
	{"until_steady", "0",
	 "Longest time to measure each workload, seconds; it ends earlier once its "
	 "throughput is steady (SNIA's rule). The row covers the whole time; its "
	 "column steady tells whether the rule was met. The second half is cut into "
	 "five parts. Their throughputs may differ by 20 % of their mean. A line "
	 "fitted to them may change by 10 % of it. Not together with --duration. "
	 "Workloads of fixed length ignore it. 0: not used.",
	 .real = &options_read.until_steady, .real_max = 1e9},
	{"threads", "1",
	 "Number of threads that run each workload at the same time; name@N in "
	 "--benchmarks overrides it. Workloads with a background writer, such as "
	 "readwhilewriting, use one more.",
	 .summary = "number of threads", .count = &options_read.threads, .min = 1,
	 .max = 4096},
	{"seed", "1",
	 "Seed of the random number generator, which chooses keys, values, sizes and "
	 "operations. With equal seeds and threads, every engine gets the same "
	 "operations. Another seed gives another sequence.",
	 .count = &options_read.seed},
	{"epoch", "0",
	 "Epoch of the list's first workload; later ones have the next ones. Workloads "
	 "of different epochs draw different keys and write different values. 0: a new "
	 "database begins with 0, and --use_existing_db continues where its last run "
	 "ended. The column epoch and this option repeat one measurement alone.",
	 .count = &options_read.epoch, .max = UINT64_C(1) << 53},
	{"seek_nexts", "0",
	 "Number of records that a seek reads after the first record that it finds, "
	 "in workloads such as seekrandom. --scan_length overrides it.",
	 .count = &options_read.seek_nexts, .max = (uint64_t)1 << 40},
	{"scan_length", "",
	 "Number of records that a scan reads, the first one included. 100: "
	 "always 100; 1-100: uniformly random in this range; zipf:1-100: in this range, "
	 "short scans most often. Empty: the "
	 "number in the workload's help; if that names none, --seek_nexts + "
	 "1.",
	 .text = &options_read.scan_length, .text_type = "sizes"},
	{"readwritepercent", "90",
	 "Percentage of the operations that are gets, 0 to 100, in "
	 "readrandomwriterandom and bangdb-mix; the others are puts. The workload "
	 "bangdb-fill, to be listed before bangdb-mix, inserts this percentage of "
	 "--num records.",
	 .count = &options_read.readwritepercent, .max = 100},
	{"mix", "read:50,update:50",
	 "Operations of the workload that is called mix, each with its weight: read, "
	 "update, rmw (read-modify-write), scan, insert, delete. An operation's "
	 "probability is its weight / the sum of all weights; the sum is at most "
	 "1000. A delete removes the oldest record that its thread inserted in this "
	 "workload. While none is left, an insert takes the delete's turn, and the "
	 "delete follows later. So delete's weight must not exceed insert's.",
	 .text = &options_read.mix, .text_type = "list"},
	{"txn_reads", "1",
	 "Number of consecutive gets or seeks of a thread that use one snapshot of "
	 "the database. 1: each read sees the newest data. A write by the thread "
	 "ends its snapshot early. Multi-gets, iterations and background threads "
	 "ignore it. On engines without snapshots each read sees the newest data; "
	 "the column emulated says so.",
	 .count = &options_read.txn_reads, .min = 1},
	{"txn", "0",
	 "1: run the get and the put of a read-modify-write in one "
	 "transaction. Engines whose transactions cannot read run them "
	 "separately; the column emulated says so. 0: run them separately.",
	 .flag = &options_read.txn},
	{"warmup", "0",
	 "Run each workload for this many seconds before it is measured, to fill "
	 "caches; 0: no warm-up. --duration begins afterwards. Fills, deletes and "
	 "other workloads that use up their data ignore it.",
	 .real = &options_read.warmup, .real_max = 1e9},
	{"cold", "0",
	 "1: before each workload, close and reopen the database and drop its pages "
	 "from the page cache. Reads then begin at the device. 0: leave caches as "
	 "they are.",
	 .flag = &options_read.cold},
	{"supervise", "1",
	 "1: run in a child process; a crash or hang of the engine then gives an "
	 "invalid row. 0: run in this process, for use with a debugger.",
	 .flag = &options_read.supervise},
	{"isolate", "0",
	 "1: run each workload of --benchmarks in a new process, on the same "
	 "database, so that none inherits another's memory. 0: run all in one process.",
	 .flag = &options_read.isolate},
	{"repeat", "1",
	 "Number of times to run all of --benchmarks, each time in a new "
	 "process; each repetition adds its rows. A list that begins with a "
	 "fill starts from an empty database each time. Any other list runs "
	 "on the database as the last repetition left it.",
	 .count = &options_read.repeat, .min = 1, .max = PLAN_ITEMS_MAX},
	{"start_at", "0",
	 "Time at which the first workload's threads start, in seconds since 1970 (Unix "
	 "time); 0: immediately. Give several machines the same time, so that their "
	 "processes start together.",
	 .real = &options_read.start_at, .real_max = 1e11},
	{"barrier_file", "",
	 "Path of a file, the same for several processes, by which they start "
	 "each workload together. --barrier_clients is their number. Delete "
	 "an old file before the first process starts; they create a new one. "
	 "It must not be on NFS. A process that waits longer than "
	 "--hang_timeout ends with an error. Empty: do not wait.",
	 .text = &options_read.barrier_file},
	{"barrier_clients", "2",
	 "Number of processes, this one included, that start each workload together. "
	 "They wait for each other through --barrier_file; without that option this "
	 "number has no effect.",
	 .count = &options_read.barrier_clients, .min = 2, .max = 100000},
	{"repetition", "1",
	 "Number for the column repetition in this command's rows. With "
	 "--repeat, the first repetition has this number, and later ones "
	 "count up. Scripts that repeat a benchmark by separate commands set "
	 "it.",
	 .count = &options_read.repetition, .min = 1, .max = 1000000},
	{"perf_control", "",
	 "Paths of one or two FIFOs that control the Linux profiler perf, as CONTROL or "
	 "CONTROL,ACK; empty: no profiler. Start perf record with "
	 "--control=fifo:CONTROL,ACK --delay=-1. It then samples only the last "
	 "workload, while that is measured. scripts/profile.sh does all this.",
	 .text = &options_read.perf_control, .text_type = "list"},
	{"engine_counters", "",
	 "TSV file to which the engine's own statistics are appended, such as cache "
	 "hits; empty: none. Each counter has its value before and after a workload, "
	 "and the difference per operation. Engines then count more events, which "
	 "takes time.",
	 .text = &options_read.engine_counters},
	{"progress_file", "",
	 "File in which other processes can read how many operations each thread has "
	 "done so far; empty: none. An old file is replaced. docs/design.md has the "
	 "format. In /dev/shm it causes no writes to a device.",
	 .text = &options_read.progress_file},
	{"cpus", "",
	 "CPUs that the program may run on, as a list such as 0-3,8; empty: all.",
	 .text = &options_read.cpus, .text_type = "list"},
	{"pin_threads", "",
	 "CPUs to which a workload's threads are bound, each to one, as a list such as "
	 "0-3,8. The first thread gets the first CPU; after the last CPU comes the "
	 "first again. All other threads, the engine's too, may use all of these. Not "
	 "together with --cpus. Empty: threads are not bound.",
	 .text = &options_read.pin_threads, .text_type = "list"},
	{"numa_node", "",
	 "Number of the NUMA node, such as 0, whose CPUs and memory alone the program "
	 "uses; empty: all nodes.",
	 .text = &options_read.numa_node, .text_type = "word"},
	{"hang_timeout", "120",
	 "Time without progress after which a workload is ended as hung and "
	 "its row is invalid, seconds. No progress: no operation begins, and "
	 "the process is idle. Idle: at most 64 KiB written and 0.05 s of CPU "
	 "time used per second. Needs --supervise=1 and /proc. It also limits "
	 "the wait at --barrier_file. 0: wait forever.",
	 .real = &options_read.hang_timeout, .real_max = 1e9},

	{"distribution", "auto",
	 "Distribution by which workloads choose their random keys. zipfian, "
	 "hotspot, pareto: low key numbers are most frequent. scrambled_zipfian: "
	 "frequent keys are spread over all. latest, exponential: the newest keys "
	 "are most frequent. sequential: each thread takes ascending keys from a "
	 "start of its own; key 0 follows the last. mixgraph: hot key ranges, as the "
	 "workload mixgraph. Some have options, such as --theta. auto: the "
	 "distribution in the workload's help, which is uniform for most.",
	 .choice = &options_read.distribution, .choices = distribution_choices,
	 .group = "Which keys"},
	{"theta", "0.99",
	 "Exponent of the distributions zipfian, scrambled_zipfian and latest, 0 to "
	 "100; others ignore it. The key of rank i is chosen with probability "
	 "proportional to 1 / i^theta. 0 is uniform, larger is more skewed. "
	 "scrambled_zipfian uses Gray's approximation, as YCSB does; zipfian and "
	 "latest are exact.",
	 .real = &options_read.theta, .real_max = 100},
	{"hotspot_keys", "0.2",
	 "Fraction of the keys, 0 to 1, that are hot with --distribution=hotspot; "
	 "--hotspot_share is the fraction of operations on them.",
	 .real = &options_read.hotspot_keys, .real_max = 1},
	{"hotspot_share", "0.8",
	 "Fraction of the operations, 0 to 1, that use a hot key with "
	 "--distribution=hotspot. --hotspot_keys is the fraction of hot keys.",
	 .real = &options_read.hotspot_share, .real_max = 1},
	{"pareto_h", "0.2",
	 "Skew h of --distribution=pareto, above 0 to 0.5. Fraction h of the keys "
	 "gets fraction 1 - h of the operations. The default 0.2 is the 80/20 rule; "
	 "0.5 is uniform.",
	 .real = &options_read.pareto_h, .real_min = 1e-6, .real_max = 0.5},
	{"rng", "default",
	 "Random number generator of uniform keys; use default, except to repeat an "
	 "old result. minstd reproduces a bug of db_bench in 2014: threads read one "
	 "shared sequence from neighbouring positions.",
	 .choice = &options_read.rng, .choices = rng_names},
	{"zipf_generator", "default",
	 "Random number generator of the distributions zipfian and "
	 "scrambled_zipfian; use default, except to repeat an old result. ucsb2022 "
	 "has a bug of the benchmark suite UCSB in 2022. It computes with 32-bit "
	 "floats, whose rounding leaves most keys of a large database never chosen. "
	 "It ignores --theta.",
	 .choice = &options_read.zipf_generator, .choices = zipf_generator_names},
	{"voron_partitioning", "default",
	 "Keys that each thread of the workload voron-read gets. default: one "
	 "consecutive range each. voron2013 reproduces a bug of Voron's benchmark of "
	 "2013: thread t (from 0) reads keys 0, t, 2t, ...",
	 .choice = &options_read.voron_partitioning, .choices = voron_partitioning_names},

	{"rate", "0",
	 "Target rate of each workload, operations/s, all threads together. Each "
	 "operation has a scheduled start (open loop), so that waiting behind a slow "
	 "one counts as latency. 0: each thread starts its next operation when the "
	 "last one ends (closed loop). A load that a later workload of the list uses "
	 "is always a closed loop, and so are aging passes.",
	 .summary = "target operations/s on schedule (open loop)",
	 .count = &options_read.rate, .group = "Open loop"},
	{"read_rate", "0",
	 "Target rate of a workload whose --threads threads only read, reads/s, all "
	 "of them together (open loop). 0: use --rate. In readwhilescanning this is "
	 "also the target of the background iteration, counted apart, in records/s; "
	 "0: it has none. Workloads whose threads both read and write refuse the "
	 "option.",
	 .count = &options_read.read_rate},
	{"write_rate", "0",
	 "Target rate of a workload whose --threads threads only write, writes/s, "
	 "all of them together (open loop). 0: use --rate. In workloads with a "
	 "background writer, such as readwhilewriting, it is that writer's rate; 0: "
	 "as fast as possible. Workloads whose threads both read and write refuse "
	 "the option.",
	 .count = &options_read.write_rate},
	{"arrivals", "constant",
	 "Times between the scheduled starts of operations with a target rate "
	 "(--rate). constant: equal times. poisson: random, exponentially distributed "
	 "times, as of many independent users.",
	 .choice = &options_read.arrivals, .choices = config_arrivals},
	{"sine_write_rate", "0",
	 "1: the target rate of all workloads and threads that only write rises and "
	 "falls as a sine. At t seconds from the workload's start it is d + a * "
	 "sin(b * t + c). The unit is writes/s, for these threads together. a to d "
	 "are --sine_a to --sine_d. 0: use --write_rate.",
	 .flag = &options_read.sine_write_rate},
	{"sine_mix_rate_interval_milliseconds", "5000",
	 "Time for which a target rate that follows a sine stays constant before it "
	 "is recomputed, ms (--sine_mix_rate, --sine_write_rate).",
	 .count = &options_read.sine_interval_ms, .min = 1, .max = 1000000000},
	{"sine_mix_rate_noise", "0",
	 "Random noise of a target rate that follows a sine, as a fraction of "
	 "--sine_a, 0 to 1. Each recomputed rate gets a uniformly random "
	 "addition between -noise * a / 2 and noise * a / 2. 0: no noise.",
	 .real = &options_read.sine_noise, .real_max = 1},
	{"sine_a", "1000",
	 "Amplitude a of a target rate that follows a sine, operations/s, all "
	 "threads together. At t seconds from the workload's start the rate is d + a "
	 "* sin(b * t + c). A rate below 0 counts as 0. Needs --sine_mix_rate or "
	 "--sine_write_rate.",
	 .real = &options_read.sine_a, .real_max = 1e9},
	{"sine_b", "0.000073",
	 "Angular frequency b of a target rate that follows a sine, "
	 "radians/s. At t seconds from the workload's start the rate is d + a "
	 "* sin(b * t + c). The default is one period a day. Needs "
	 "--sine_mix_rate or --sine_write_rate.",
	 .real = &options_read.sine_b, .real_max = 1e9},
	{"sine_c", "0",
	 "Phase c of a target rate that follows a sine, radians. At t seconds "
	 "from the workload's start the rate is d + a * sin(b * t + c). Needs "
	 "--sine_mix_rate or --sine_write_rate.",
	 .real = &options_read.sine_c, .real_min = -1e9, .real_max = 1e9},
	{"sine_d", "4500",
	 "Mean d of a target rate that follows a sine, operations/s, all "
	 "threads together. At t seconds from the workload's start the rate "
	 "is d + a * sin(b * t + c). Needs --sine_mix_rate or "
	 "--sine_write_rate.",
	 .real = &options_read.sine_d, .real_max = 1e9},

	{"key_size", "16", "Size of every key, bytes, 8 to 511.",
	 .size = &options_read.key_size, .min = 8, .max = 511, .group = "Records"},
	{"key_format", "decimal",
	 "Content of the --key_size bytes of a key. decimal, hex: the record's "
	 "number, padded with zeros on the left. binary: the number as 8 bytes, "
	 "big-endian. user: the word user and 20 digits of a hash of the number, as "
	 "in YCSB; needs 24 bytes. binary and user fill the remaining bytes with the "
	 "digit 0. native: a 64-bit integer in the machine's byte order, for engines "
	 "that compare integers; --key_size is ignored.",
	 .choice = &options_read.key_format, .choices = record_key_formats},
	{"value_size", "100",
	 "Size of a value, bytes. 100: all equal; 100-400: a random size in this "
	 "range; 100,400,10k: a random one of these sizes. zipf:1-100: in this range, "
	 "small sizes most often, with exponent 0.99. hist:FILE: by a histogram of YCSB. "
	 "10*1-100: the sum of 10 fields of such sizes; also 10*zipf:1-100 and "
	 "10*hist:FILE.",
	 .summary = "size of a value, bytes: 100, 100-400 or 100,400,10k",
	 .text = &options_read.value_size, .text_type = "sizes"},
	{"compression_ratio", "0.5",
	 "Size to which compression could reduce a generated value, as a fraction of "
	 "its size, 0 to 1. 0.5: to half its size; 1: incompressible. --compression "
	 "says whether the engine compresses.",
	 .real = &options_read.compression_ratio, .real_max = 1},
	{"batch_size", "1000",
	 "Number of writes per transaction in workloads with batch in their name; "
	 "number of keys per multi-get in multireadrandom.",
	 .alias = "batch", .count = &options_read.batch_size, .min = 1},

	{"db", "",
	 "Directory for the database's files, created if missing. Empty: "
	 "assay-UID/ENGINE below $TMPDIR or /tmp. The file system there is the one "
	 "that is measured.",
	 .summary = "directory of the database", .text = &options_read.db,
	 .group = "Database"},
	{"device", "",
	 "Block device, such as /dev/nvme1n1, that holds the records without a file "
	 "system. Only engines that docs/engines.md names can use it; --db then holds "
	 "a small marker file. The device must be blank, or written by this program "
	 "before. It needs --confirm_overwrite=1.",
	 .alias = "aio_device", .text = &options_read.device},
	{"confirm_overwrite", "0",
	 "1: allow overwriting the block device of --device, if it is blank or this "
	 "program has written it before. 0: refuse.",
	 .flag = &options_read.confirm_overwrite},
	{"use_existing_db", "0",
	 "1: run on the database that --db holds already, and keep it; fills are "
	 "refused. 0: the first workload must be a fill, which replaces a database "
	 "in --db.",
	 .summary = "1: run on the existing database and keep it",
	 .flag = &options_read.use_existing_db},
	{"copy_of", "",
	 "Directory of a loaded and closed database: run on a copy of it in --db, "
	 "then delete the copy. It implies --use_existing_db=1. Many runs can so "
	 "begin from one load; --repeat continues on the same copy. A --db that holds "
	 "a database is refused, unless that is a copy that a run left behind. The "
	 "copy shares blocks (reflink) where the file system can. Empty: no copy.",
	 .text = &options_read.copy_of},
	{"page_cache", "sequential",
	 "State of an existing database's files in the page cache when it is opened. "
	 "sequential: dropped and read in sequence, if they fit in memory, so that "
	 "originals and copies are alike. kept: as earlier processes left them; a copy "
	 "of --copy_of is not in memory.",
	 .choice = &options_read.page_cache, .choices = page_cache_choices},
	{"multiprocess_read", "0",
	 "1: allow several processes to have the same --db open at once; give "
	 "this option to each of them. It needs --use_existing_db=1, "
	 "workloads that only read, and an engine that supports it; others "
	 "are refused. 0: the database is locked against other processes.",
	 .flag = &options_read.multiprocess_read},
	{"check_space", "1",
	 "1: refuse a load if its keys and values are larger than the free space of "
	 "the file system. 0: start it anyway.",
	 .flag = &options_read.check_space},
	{"durability", "async",
	 "Worst event that an acknowledged commit must survive. none: it may "
	 "be lost in any crash. async: a kill of the program. sync: also a "
	 "power cut. An engine without the level uses the next stronger one "
	 "that it has, or refuses to run. The column durability_effective has "
	 "the level that it provides.",
	 .summary = "what a commit survives: nothing, kill -9, a power cut",
	 .choice = &options_read.durability, .choices = config_durabilities},
	{"sync", "0",
	 "1: every commit survives a power cut, as with --durability=sync; 0: use "
	 "--durability.",
	 .flag = &options_read.sync},
	{"memory", "0",
	 "Most memory that the run may use, bytes, its page cache included; a "
	 "control group enforces it. Set it below the size of the data to "
	 "measure reads from the device. If no control group can be made, the "
	 "program refuses to run. 0: no limit.",
	 .size = &options_read.memory},
	{"malloc_arenas", "0",
	 "Number of arenas (separate heaps) that glibc's malloc may use; more of them "
	 "keep more freed memory. 0: one with --memory, else glibc's own number.",
	 .count = &options_read.malloc_arenas, .max = 4096},
	{"cache_size", "0",
	 "Size of the engine's own cache, bytes, one for all threads; the page cache "
	 "comes on top. 0: half of --memory, or 256Mi without it. Engines without a "
	 "cache ignore it.",
	 .size = &options_read.cache_size},
	{"write_buffer_size", "0",
	 "Size of the memory buffer (memtable) that an LSM engine fills before it "
	 "writes a table file, bytes. 0: an eighth of --memory, or 64Mi without it. "
	 "Engines without a memtable ignore it.",
	 .size = &options_read.write_buffer_size},
	{"compression", "none",
	 "Algorithm by which the engine compresses its blocks or pages on disk; none: "
	 "no compression. An engine that lacks the algorithm refuses to run.",
	 .choice = &options_read.compression, .choices = config_compressions},
	{"show_options", "0",
	 "1: print the settings that the engine uses after the database is opened, "
	 "one per line. They are read back from the engine where it allows that. 0: "
	 "do not print them.",
	 .flag = &options_read.show_options},
	{"settle", "0",
	 "1: after each workload, wait until the engine has finished its background "
	 "work: compaction, checkpoint, write-back. The wait is timed apart, in the "
	 "column settle_seconds. 0: start the next workload at once.",
	 .flag = &options_read.settle},
	{"reopen", "0",
	 "1: close the database after each workload and reopen it for the "
	 "next. The column close_seconds has the time of closing. 0: keep it "
	 "open between workloads. Even so, it is reopened before a fill, "
	 "before a workload with another durability level, and by --cold=1.",
	 .flag = &options_read.reopen},

	{"touch", "all",
	 "Part of each returned value that is read while the call is timed: all "
	 "bytes, the first, or none. With none, an engine that only returns a pointer "
	 "into a map reads nothing.",
	 .choice = &options_read.touch, .choices = config_touches, .group = "Measuring"},
	{"verify", "0",
	 "1: check every byte that the database returns; lost, wrong or unordered "
	 "records make the row invalid. The check is outside the measured times, but "
	 "lowers throughput. 0: do not check.",
	 .flag = &options_read.verify},
	{"latency", "1",
	 "1: measure the time of each operation. 0: do not, which saves reading the "
	 "clock; results then have no percentiles. Target rates (--rate) need 1.",
	 .flag = &options_read.latency},
	{"timer", "auto",
	 "Clock that measures latencies. tsc: the CPU's cycle counter, which is fast; "
	 "monotonic: clock_gettime; auto: tsc if its frequency is constant, else "
	 "monotonic.",
	 .choice = &options_read.timer, .choices = timer_names},
	{"chunk", "0",
	 "Number of operations whose keys and values a thread prepares before it "
	 "calls the engine for them. Preparing does not count as latency. 0: adapted "
	 "so that the calls for one such group take 0.25 to 1 ms in all. A fixed "
	 "number gives equal instruction counts in each run. Large records reduce "
	 "any number, because a thread's buffer for them is limited.",
	 .count = &options_read.chunk, .max = 65536},

	{"label", "",
	 "Name of this configuration in the column label, in tables and in plots; "
	 "empty: the engine's name. Use it to tell several settings of one engine "
	 "apart.",
	 .text = &options_read.label, .group = "Reporting"},
	{"loaded_by", "",
	 "Text for the column loaded_by of result rows, usually the load's workload; "
	 "empty: none. Scripts such as sweep.sh set it where several runs share one "
	 "load.",
	 .text = &options_read.loaded_by},
	{"format", "rocksdb",
	 "Format of the line that is printed for each workload. rocksdb, "
	 "leveldb: as their db_bench; micros/op is the mean latency. dbbench: "
	 "as Symas's dbbench; micros/op is elapsed time / operations of all "
	 "threads. gobench: as Go's benchmarks, for benchstat; ns/op is the "
	 "mean latency. ycsb: several lines, as YCSB's client; latencies are whole "
	 "microseconds.",
	 .choice = &options_read.format, .choices = result_formats},
	{"histogram", "0",
	 "1: print a histogram of each workload's latencies, in the format of "
	 "RocksDB's db_bench. 0: do not. In an open loop, response times "
	 "(read_resp) come first, then service times (read).",
	 .flag = &options_read.histogram},
	{"hdr", "",
	 "File for the percentiles of a workload's latencies, ns, in the text format "
	 "that HdrHistogram's plotters read; empty: none. An earlier such file is "
	 "replaced. The first workload's first kind goes to this file: the first of "
	 "read_resp, read, write_resp, write, scan_resp and scan. Kinds with _resp "
	 "are response times of an open loop. Other kinds and workloads go to files "
	 "of this name with .WORKLOAD.KIND appended.",
	 .text = &options_read.hdr},
	{"hdr_log", "",
	 "File to which each workload's full latency histograms, ns, are appended in "
	 "HdrHistogram's log format; empty: none. Tags are LABEL.WORKLOAD.KIND, with "
	 "the kinds of --hdr. build/hdrmerge adds up the logs of several processes.",
	 .text = &options_read.hdr_log},
	{"tsv", "",
	 "File to which each workload's results are appended as one tab-separated "
	 "row, below a header of column names; empty: none. With - they go to standard "
	 "output, and all else to stderr. --columns describes them.",
	 .text = &options_read.tsv},
	{"json", "",
	 "File to which each workload's results are appended as one line of JSON; "
	 "empty: none. With - they go to standard output, and all else to stderr. "
	 "Scripts such as summary.sh read it; --columns describes the members.",
	 .summary = "file to append a row of all columns to", .text = &options_read.json},
	{"stats_interval", "0",
	 "Number of its own operations after which each thread prints its rate on "
	 "stderr again; 0: never. Each line has the rate since the last one, and "
	 "since the start. The last line has the rest.",
	 .count = &options_read.stats_interval},
	{"stats_interval_seconds", "0",
	 "Seconds after which each thread prints its rate on stderr again; 0: never. "
	 "Each line has the rate since the last one, and since the start. The last "
	 "line has the rest.",
	 .real = &options_read.stats_interval_seconds, .real_max = 1e9},
	{"timeline", "",
	 "TSV file to which rates, latencies, memory and I/O over time are appended; "
	 "empty: none. Each --timeline_interval adds one row for all threads together "
	 "and one for each thread.",
	 .text = &options_read.timeline},
	{"timeline_interval", "1",
	 "Time that one row of --timeline covers, seconds, at least 0.05.",
	 .real = &options_read.timeline_interval, .real_min = 0.05, .real_max = 1e9},
	{"report_file", "report.csv",
	 "CSV file for throughput over time, in the format of RocksDB's db_bench with "
	 "more columns. It is written only if --report_interval_seconds is above 0.",
	 .text = &options_read.report_file},
	{"report_interval_seconds", "0",
	 "Time that one row of --report_file covers, seconds; the last one ends with "
	 "the workload. 0: do not write that "
	 "file.",
	 .real = &options_read.report_interval_seconds, .real_max = 1e9},

	{"help", "",
	 "Print help about: all, a group of options, an option, a workload or a "
	 "preset. Without a value: the options used most.",
	 .text = &options_read.help_request.help, .bare_value = "most", .group = "About"},
	{"man", "0", "1: print the manual page, in the format of man (roff).",
	 .flag = &options_read.help_request.man},
	{"options", "none",
	 "Print the table of all options as tab-separated values, for scripts. Its "
	 "columns: of (all programs, or this engine), name, alias, group, type, "
	 "values, default, min, max, meaning. Types: flag, count, size, real, choice. "
	 "Types of texts: list (parts separated by commas), sizes (as --value_size), "
	 "word (without commas), text (any other).",
	 .choice = &options_read.help_request.options, .choices = table_formats,
	 .bare_value = "tsv"},
	{"columns", "none",
	 "Print the table of all columns of results as tab-separated values, for "
	 "scripts. Its columns: table (result or timeline), name, type, unit, meaning.",
	 .choice = &options_read.help_request.columns, .choices = table_formats,
	 .bare_value = "tsv"},
	{"workloads", "none",
	 "Print the table of all workloads as tab-separated values, for scripts. Its "
	 "columns: name, access (fills, reads or writes), meaning.",
	 .choice = &options_read.help_request.workloads, .choices = table_formats,
	 .bare_value = "tsv"},
	{"presets", "none",
	 "Print the table of all presets as tab-separated values, for scripts. Its "
	 "columns: name, options, meaning.",
	 .choice = &options_read.help_request.presets, .choices = table_formats,
	 .bare_value = "tsv"},
	{"version", "0",
	 "1: print the versions of this program and of the engine's library.",
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
	if (!record_sizes_parse(&options_read.scan_lengths,
				*options_read.scan_length ? options_read.scan_length
							  : "1",
				error))
		message_fatal(2, "--scan_length: %s", error);
	if (!list_parser_weights(options_read.mix, workload_op_names, OPS, WEIGHTS_MAX,
				 own_mix, error))
		message_fatal(2, "--mix: %s", error);
	if (own_mix[OP_EXPIRE] > own_mix[OP_INSERT])
		message_fatal(2, "--mix: delete removes records that insert added; give "
				 "insert at least the weight of delete");
	for (const char *p = options_read.label; *p; p++)
		if (iscntrl((unsigned char)*p))
			message_fatal(2, "--label: control characters are not allowed");
	if (options_read.sine_write_rate)
		config_check_sine();
	workload_configure((unsigned)options_read.readwritepercent, own_mix);
	if (cfg->db_bench.on)
		workload_imitate_db_bench(cfg->db_bench.leveldb, cfg->db_bench.reverse,
					  (!cfg->writes || cfg->writes >= cfg->num) &&
						  cfg->num % cfg->batch_size == 0,
					  cfg->num);
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
		message_fatal(2, "--until_steady limits the duration itself; leave out "
				 "--duration");
	if (options_read.until_steady > 0)
		options_read.duration = options_read.until_steady;
	if (options_read.sync)
		options_read.durability = DURABILITY_SYNC;
	if (!options_read.cache_size)
		options_read.cache_size =
			options_read.memory ? options_read.memory / 2 : 256 << 20;
	if (!options_read.write_buffer_size)
		options_read.write_buffer_size =
			options_read.memory ? options_read.memory / 8 : 64 << 20;
	if (!options_read.malloc_arenas && options_read.memory)
		options_read.malloc_arenas = 1;
	if (*options_read.copy_of &&
	    (engine.server_usage || engine.stores_nothing || *options_read.device))
		message_fatal(2,
			      "--copy_of: %s keeps no records in files under --db; "
			      "load each database",
			      engine.title);
	if (*options_read.copy_of && (options_read.multiprocess_read ||
				      (options_read.db_bench.on && engine.leveldb_files)))
		message_fatal(2, "--copy_of: %s works on --db itself; leave one out",
			      options_read.multiprocess_read ? "--multiprocess_read=1"
							     : "--compat=db_bench");
	if (*options_read.copy_of)
		options_read.use_existing_db = true;
	if (options_read.multiprocess_read && (engine.exclusive || engine.one_process))
		message_fatal(2,
			      "--multiprocess_read=1: %s has one process open a "
			      "database at a time; give each process a database of its "
			      "own",
			      engine.title);
}

static bool is_workload(const char *text, size_t length)
{
	return workload_find(text, length) != NULL;
}

const struct option *const *config_parse(int argc, char **argv)
{
	static const struct db_bench_names names = {is_workload, compat_option,
						    compat_workload};
	static char name[64];
	char error[OPTION_ERROR_SIZE];

	snprintf(name, sizeof name, "bench_%s", engine.name);
	message_set_program(name);
	find_option_tables();
	for (int i = 0; option_tables[i]; i++)
		if (!option_set_defaults(option_tables[i], error))
			message_fatal(2, "%s", error);
	if (compat_line_asks("db_bench", argc, argv)) {
		workload_add_db_bench();
		argv = db_bench_translate(option_tables, &names, &argc, argv,
					  &options_read.db_bench);
	}
	if (compat_line_asks("ucsb", argc, argv) ||
	    compat_line_asks("ucsb_bench", argc, argv))
		argv = ucsb_translate(option_tables, &argc, argv,
				      &options_read.ucsb_results);
	if (compat_line_asks("ycsb", argc, argv))
		argv = ycsb_translate(option_tables, &argc, argv, &options_read.ycsb);
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
	if (config_values_are_texts())
		record_use_text(cfg->compression_ratio);
	for (const struct extra *const *extra = extra_all(); *extra; extra++)
		if ((*extra)->configure)
			(*extra)->configure(chosen_preset);
}

void config_set_num(uint64_t num)
{
	options_read.num = num;
}

bool config_values_are_texts(void)
{
	return cfg->db_bench.on && !cfg->verify;
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
