/* result.c: the columns table and the writers that walk it; see result.h. */
#include "result.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "message.h"
#include "stats.h"

const char *const result_kinds[KINDS] = {"read", "write", "scan"};
const char *const result_formats[] = {"rocksdb", "leveldb", "dbbench",
				      "gobench", "ycsb",    NULL};

#define TEXT_COLUMN(name, help) RESULT_TEXT(result, name, help)
#define COLUMN(name, digits, help) RESULT_NUMBER(result, name, digits, help)
#define PART(name, part, digits, help) \
	{#name, help, offsetof(struct result, part.name), digits}
#define USAGE(name, digits, help) PART(name, usage, digits, help)
#define FOOTPRINT(name, digits, help) PART(name, footprint, digits, help)
#define TIMES(name, times, what, then) RESULT_TIMES(result, name, times, what, then)

#define RESPONSE_NOTE \
	"Waiting behind slow operations is in it. Empty: no such operation, or " \
	"none at a target rate (--rate, --read_rate, --write_rate)."

#define DEFERRED_FIELD(part, field, digits, help) \
	{#part "_" #field, help, offsetof(struct result, part.field), digits}
/* clang-format off */
#define DEFERRED(part, when, empty, what) \
	DEFERRED_FIELD(part, seconds, 6, "Time " what), \
	DEFERRED_FIELD(part, io_read_bytes, 0, \
		       "Bytes that had to be read from a device for the process " \
		       when ". " empty "."), \
	DEFERRED_FIELD(part, io_write_bytes, 0, \
		       "Bytes of file pages that the process changed " when \
		       ". Direct writes count, too. Changed pages may be written to " \
		       "the device later. " empty "."), \
	DEFERRED_FIELD(part, io_wchar_bytes, 0, \
		       "Bytes that the process passed to write system calls " when ". " \
		       empty "."), \
	DEFERRED_FIELD(part, device_write_bytes, 0, \
		       "Bytes that the device under the database wrote " when \
		       ". Writes of other processes count, too. " empty "."), \
	DEFERRED_FIELD(part, syncs, 0, \
		       "Number of sync calls of the process (fsync, msync and others, " \
		       "as in syncs) " when ". " empty \
		       ", or servers hold the records (bench_redis).")
/* clang-format on */

static const struct row_file_column columns_of_result[] = {
	TEXT_COLUMN(schema,
		    "Version of the format of this row, such as assay/2; rows of another "
		    "version have other columns."),
	TEXT_COLUMN(time, "Date and time at which the benchmark began, UTC."),
	TEXT_COLUMN(engine,
		    "Name of the storage engine: NAME of the program bench_NAME."),
	TEXT_COLUMN(label,
		    "Name of the configuration, chosen by --label to tell several "
		    "settings of one engine apart; without that, the engine's name."),
	TEXT_COLUMN(engine_version,
		    "Version of the engine, as its library reports it at run time."),
	TEXT_COLUMN(engine_build,
		    "Library file of the engine, its compiler and build flags, as far as "
		    "known. At the end, \"not fit for comparison\" marks a build with "
		    "assertions. \"not fit for comparison of writes\" marks one that "
		    "computes CRC-32C without the CPU's instructions."),
	TEXT_COLUMN(allocator,
		    "Library whose malloc the process uses, such as libc or one in "
		    "LD_PRELOAD. An engine in Go has Go's allocator, and malloc for C."),
	TEXT_COLUMN(engine_options,
		    "Engine settings in effect, as NAME=VALUE; they are read back from "
		    "the engine where it allows that."),
	TEXT_COLUMN(benchmark,
		    "Name of the workload that the row is about, such as readrandom."),
	COLUMN(threads, 0,
	       "Number of threads that ran the workload (--threads). The background "
	       "writer of workloads such as readwhilewriting is not among them."),
	COLUMN(clients, 0,
	       "Number of processes that ran at the same time and share this row "
	       "(scripts/clients.sh). Counts are sums, percentiles come from the "
	       "merged histograms. Rates are over the time from the first start to "
	       "the last end. Columns that cannot be combined are empty. Empty: one "
	       "process."),
	COLUMN(num, 0,
	       "Number of different keys that the workload can choose from (--num); "
	       "a complete fill writes as many records."),
	COLUMN(device_fill, 4,
	       "Fraction of a device to fill, 0 to 1 (--device_share): size of all "
	       "keys and values / size of the device. The device is --device, or "
	       "else the file system of --db. With compression, values count as "
	       "size * --compression_ratio. num is computed from it. Empty: num was "
	       "given."),
	COLUMN(key_size, 0, "Size of every key (--key_size)."),
	TEXT_COLUMN(key_format,
		    "Format of keys (--key_format). decimal, hex: digits; binary: a "
		    "big-endian number; user: YCSB's, the word user and a hash; native: "
		    "an integer in the machine's byte order."),
	COLUMN(value_size, 0, "Size of a value; the mean, if sizes are random."),
	TEXT_COLUMN(value_sizes,
		    "Sizes of values as requested by --value_size, bytes: one (100), a "
		    "range (100-400), or a list (100,400) of which each value has a "
		    "random one."),
	COLUMN(batch_size, 0,
	       "Number of writes per transaction, or of keys per multi-get "
	       "(--batch_size). 1: the workload has no batches."),
	TEXT_COLUMN(distribution,
		    "Distribution by which the workload chose its random keys, such as "
		    "uniform or zipfian, with its parameters. Of keys that are not "
		    "random, their order, such as sequential."),
	TEXT_COLUMN(mix,
		    "Kinds of operations of the workload with their weights, such as "
		    "read:50,update:50. Empty: all operations are of one kind."),
	TEXT_COLUMN(
		scan_length,
		"Number of records that a scan reads: a number, a range (1-100), or a "
		"distribution. Empty: the workload has no scans."),
	TEXT_COLUMN(loaded_by,
		    "Name that --loaded_by gave to the load of the database which this "
		    "run read or copied. Empty: it has no name."),
	TEXT_COLUMN(
		load_order,
		"Order in which the load wrote the keys of this database: sequential or "
		"random. It changes how compactly records lie. Empty: unknown, or "
		"several orders."),
	COLUMN(txn_reads, 0,
	       "Number of consecutive reads of a thread that used the same snapshot "
	       "(--txn_reads); 1: each read saw the newest data."),
	COLUMN(txn, 0,
	       "1: the calls of an operation, such as the get and put of a "
	       "read-modify-write, were one transaction (--txn). Always 1 in "
	       "SmallBank. 0: they were separate; the Insert Benchmark's statements "
	       "are transactions by themselves."),
	COLUMN(warmup_s, 3,
	       "Time for which the workload ran before its measurement began "
	       "(--warmup). 0: no warm-up."),
	TEXT_COLUMN(
		cold,
		"Pages dropped from the page cache before the workload (--cold=1). "
		"\"files\": those of the database. \"files and all\": then the clean "
		"pages of all other files, too. \"device\": those of the block device "
		"of --device. \"but N KiB\" is added if so much of the database "
		"stayed. Empty: nothing was dropped."),
	TEXT_COLUMN(
		page_cache_state,
		"How the database's files were in the page cache when the workload "
		"began. sequential: read in sequence before the database was opened "
		"(--page_cache). kept: as earlier processes left them, or as --reopen "
		"did. cold: not in memory. loaded: as the load wrote them, after which "
		"the database stayed open. mixed: as other workloads left them, after "
		"which it stayed open. Empty: a load, an engine that bypasses the page "
		"cache, no files of this process, or the system does not tell."),
	TEXT_COLUMN(
		durability,
		"Durability level that was requested (--durability): the event that an "
		"acknowledged commit must survive. none: no crash; async: a kill of the "
		"program; sync: a power cut."),
	TEXT_COLUMN(
		durability_effective,
		"Durability level that the engine provided, as requested or stronger: "
		"the event that an acknowledged commit survives. none: no crash; async: "
		"a kill of the program; sync: a power cut."),
	TEXT_COLUMN(batch_atomicity,
		    "Ways in which a batch of writes is not all or nothing; empty: none. "
		    "seen: other threads see part before the commit. abandoned: part "
		    "remains after a rollback. crash: part can remain after a crash. "
		    "database: a crash can also lose records of earlier commits, up to "
		    "the whole database."),
	COLUMN(cache_bytes, 0,
	       "Size of the engine's own cache (--cache_size), without the page "
	       "cache. Empty: the engine has none."),
	COLUMN(write_buffer_bytes, 0,
	       "Size of the memory buffer that an LSM engine fills before it writes "
	       "a table file (--write_buffer_size). Empty: the engine has none."),
	TEXT_COLUMN(
		compression,
		"Algorithm by which the engine compresses its blocks or pages on disk "
		"(--compression); none: no compression."),
	COLUMN(seed, 0,
	       "Seed of the random numbers that choose keys, values and operations "
	       "(--seed). With equal seeds and threads, every engine gets the same "
	       "operations."),
	COLUMN(epoch, 0,
	       "Number of measurements of the database before this one, its load "
	       "included. It selects keys and values together with the seed, so that "
	       "no measurement repeats those of another. --epoch repeats one. Empty: "
	       "a workload that measures no operations, such as compact."),
	COLUMN(iteration, 0,
	       "Number of this measurement among several of the same workload in "
	       "one process, counted from 1. name[X5] in --benchmarks asks for "
	       "five."),
	COLUMN(repetition, 0,
	       "Number of this repetition of the whole list of workloads, each in a "
	       "new process (--repeat, or sweep.sh), counted from 1."),
	COLUMN(isolated, 0,
	       "1: the workload ran in a process of its own (--isolate=1). 0: one "
	       "process ran all workloads of the list."),
	TEXT_COLUMN(
		cpus,
		"CPUs that the process was allowed to run on (--cpus), as a list such "
		"as 0-3,8. After the word pinned: CPUs to which its threads were bound, "
		"each to one (--pin_threads). Empty: all."),
	COLUMN(valid, 0,
	       "1: the results can be used. 0: something went wrong and they must "
	       "not be used; the column invalid_reason says what."),
	COLUMN(partial, 0,
	       "1: the workload ended too early, by an error, a signal, a full "
	       "--commit_journal, or too few clients at --barrier_file. 0: it ran to its "
	       "end."),
	TEXT_COLUMN(emulated,
		    "Operations and properties that the engine lacks for this workload, "
		    "each with what replaced it. Examples: a multi-get by single gets; "
		    "deletes that do not tell whether the key existed; another order of "
		    "keys. Empty: none."),
	TEXT_COLUMN(touch,
		    "Part of each returned value that was read while the call was timed "
		    "(--touch): all bytes, the first, or none."),
	TEXT_COLUMN(invalid_reason,
		    "Reason why the row's results must not be used, such as lost records "
		    "or a missed target rate. Empty: they can be used."),

	COLUMN(ops, 0,
	       "Number of operations done by the --threads threads. Each write of a "
	       "batch and each key of a multi-get is one. So is a whole scan, a "
	       "step of an iteration (readseq), a read-modify-write, or a "
	       "transaction of SmallBank. Background threads, such as the writer of "
	       "readwhilewriting, are not counted."),
	COLUMN(reads, 0,
	       "Number of point reads (gets) by all threads; background threads of the "
	       "workload count, too. A multi-get counts each of its keys."),
	COLUMN(writes, 0,
	       "Number of puts and deletes by all threads; the background writer of "
	       "the workload counts, too. A transaction of SmallBank and a statement "
	       "of the Insert Benchmark count as one, whatever they change."),
	COLUMN(scans, 0,
	       "Number of scans by all threads; background threads of the workload "
	       "count, too. A seek with all records read after it is one scan; so "
	       "is each step of an iteration (readseq)."),
	COLUMN(entries, 0,
	       "Number of records read or written by the --threads threads. A scan "
	       "counts each of its records, a read-modify-write two, a get that "
	       "finds nothing none. Background threads are not counted."),
	COLUMN(found, 0,
	       "Number of gets, scans and deletes whose key existed. A scan counts "
	       "once, by its first key; an iteration (readseq) counts every step. "
	       "Deletes do not count if the engine does not tell whether the key "
	       "existed. Empty: the run had only such deletes."),
	COLUMN(missing, 0,
	       "Number of gets, scans and deletes whose key did not exist. Deletes "
	       "do not count if the engine does not tell whether the key existed. "
	       "Empty: the run had only such deletes."),
	COLUMN(lost, 0,
	       "Number of records that must exist and were not found: 0 in a correct "
	       "engine. With --verify=1, records that an iteration skipped count, "
	       "too."),
	COLUMN(wrong, 0,
	       "Number of records with other bytes than were written (--verify=1), or "
	       "found although never written (workload readmissing): 0 in a correct "
	       "engine. Empty: not checked."),
	COLUMN(out_of_order, 0,
	       "Number of records that an iteration returned in another order than "
	       "that of their keys: 0 in a correct engine. Empty: without "
	       "--verify=1, or the engine has another order of keys, which the "
	       "column emulated names."),
	COLUMN(errors, 0,
	       "Number of engine calls that returned an error: 0 in a row that can be "
	       "used. Conflicts, which are retried, do not count."),
	COLUMN(bytes, 0,
	       "Total size of the keys and values that the --threads threads read "
	       "or wrote. Background threads, such as the writer of "
	       "readwhilewriting, are not counted."),
	COLUMN(seconds, 9,
	       "Duration of the measurement: from the first start to the last end "
	       "of the --threads threads. With --duration, at least that, unless "
	       "the workload ended early. Without it, at a constant target rate: at "
	       "least operations / rate."),
	COLUMN(overrun_s, 6,
	       "Time from the end of --duration to the end of the last operation; "
	       "0: it ended in time. Empty: without --duration."),
	COLUMN(start_skew_s, 6,
	       "Time between the starts of the first and the last of several "
	       "processes that ran together (scripts/clients.sh): short is good. "
	       "Empty: one process."),
	COLUMN(end_skew_s, 6,
	       "Time between the ends of the first and the last of several processes "
	       "that ran together (scripts/clients.sh): short is good. Empty: one "
	       "process."),
	COLUMN(overlap_percent, 1,
	       "Percentage of the time from the first start to the last end in "
	       "which all processes of scripts/clients.sh ran. 100 is best. Empty: "
	       "one process."),
	COLUMN(ops_per_sec, 1,
	       "Throughput of the --threads threads together: ops / seconds."),
	COLUMN(entries_per_sec, 1,
	       "Records read or written per second by the --threads threads: entries "
	       "/ seconds."),
	COLUMN(reads_per_sec, 1,
	       "Point reads per second, all threads together: reads / seconds."),
	COLUMN(writes_per_sec, 1,
	       "Puts and deletes per second, all threads together: writes / "
	       "seconds. Transactions of SmallBank and statements of the Insert "
	       "Benchmark count as one. In a workload with a background writer "
	       "(readwhilewriting), only that thread writes: its writes / its own "
	       "running time."),
	COLUMN(distinct_keys, 0,
	       "Number of different keys that the --threads threads chose, of a "
	       "scan its first, estimated within 2 % (exact below 50,000)."),
	COLUMN(top1pct_fraction, 4,
	       "Fraction of the key draws, 0 to 1, that chose one of the most "
	       "popular 1 % of the num keys. The distribution decides which these "
	       "are; they need not be adjacent. 0.01: uniform; more: skewed. Empty: "
	       "keys are not random, or mixgraph draws them by its own model."),
	TEXT_COLUMN(digest,
		    "Checksum of the values read, and in scans of the keys, independent "
		    "of the order of reads. Engines must agree at equal seed, number of "
		    "threads and number of operations. Exceptions: other threads write "
		    "meanwhile, or the engine has another order of keys, which the "
		    "column emulated names. Empty: --touch=none, or the null engine, "
		    "which stores no records, without --verify=1."),
	COLUMN(open_seconds, 6,
	       "Time that the engine took to open the database before this workload. "
	       "Empty: it was open already."),
	DEFERRED(settle,
		 "after the workload, while the engine finished its background work "
		 "(--settle=1)",
		 "Empty: without --settle=1",
		 "after the workload until the engine had finished its background work: "
		 "compaction, checkpoint, write-back (--settle=1). Empty: without "
		 "--settle=1."),
	DEFERRED(close, "while the database was being closed after the workload",
		 "Empty: it stayed open (--reopen=0)",
		 "that the engine took to close the database after the workload. Empty: "
		 "it stayed open (--reopen=0)."),
	COLUMN(ops_per_sec_all_in, 1,
	       "Throughput with the work that the engine put off: ops / (seconds + "
	       "settle_seconds + close_seconds). One that is empty counts as 0. "
	       "Empty: both are."),

	COLUMN(mean_us, 4,
	       "Mean service time per operation of the --threads threads: sum of "
	       "their service times / ops. A read-modify-write is one operation, "
	       "with the time of both its calls; each key of a multi-get is one. "
	       "With --latency=0: running time summed over the threads / ops, so "
	       "the program's own work is in it."),
	TIMES(read, latency[KIND_READ],
	      "service time of a read: the engine's call, and a pass over what it "
	      "returned (--touch)",
	      "A multi-get is one read here. Background threads of the workload count, "
	      "too. Empty: no reads, or --latency=0."),
	TIMES(write, latency[KIND_WRITE],
	      "service time of a put or delete: from the engine's call to its return",
	      "In a batch, the first write includes the begin, the last one the commit. "
	      "Background threads of the workload count, too. Empty: no writes, or "
	      "--latency=0."),
	TIMES(scan, latency[KIND_SCAN],
	      "service time of a scan: a seek with all records read after it, or one "
	      "step of an iteration (readseq)",
	      "Background threads of the workload count, too. Empty: no scans, or "
	      "--latency=0."),
	COLUMN(target_rate, 1,
	       "Target rate of all threads together, which --rate, --read_rate or "
	       "--write_rate asked for. Empty: no target rate; each thread starts "
	       "an operation when the last one ends."),
	TEXT_COLUMN(arrivals,
		    "Spacing of the scheduled starts of operations (--arrivals): "
		    "constant, or poisson (random, independent of each other). A target "
		    "rate that follows a sine adds its formula. A replayed trace has the "
		    "word recorded, and the factor by which it is faster than recorded. "
		    "Empty: no target rate."),
	COLUMN(target_rate_met, 0,
	       "1: the target rate was met: at most 1 % of the operations scheduled "
	       "until the end had not started by then. 0: it was not; do not use "
	       "response times. The Insert Benchmark allows 5 %, but no write that "
	       "starts 1 s (or 1 % of the run, if longer) after its schedule. "
	       "Empty: no target rate."),
	COLUMN(backlog, 0,
	       "Number of operations that were scheduled before the end of the run "
	       "and not done by then. It grows if the target rate is more than the "
	       "engine can do. 0 if the number of operations is fixed, as then all "
	       "are done. Empty: no target rate."),
	COLUMN(start_error_p99_ns, 1,
	       "99th percentile of the time from scheduled to real start, over all "
	       "operations with a scheduled start. An operation starts late if "
	       "earlier ones of its thread were slow, or the thread got no core. "
	       "Empty: no target rate (--rate, --read_rate, --write_rate)."),
	TIMES(read_resp, response[KIND_READ],
	      "response time of a read, from its scheduled start to its end",
	      RESPONSE_NOTE),
	TIMES(write_resp, response[KIND_WRITE],
	      "response time of a write, from its scheduled start to its end",
	      RESPONSE_NOTE),
	TIMES(scan_resp, response[KIND_SCAN],
	      "response time of a scan (a seek with its records, or an iteration step), "
	      "from its scheduled start to its end",
	      RESPONSE_NOTE),
	TEXT_COLUMN(rates,
		    "Throughput over time, all threads together: a number for each "
		    "window_s, operations/s, separated by blanks. The rest after the "
		    "last whole window is left out. Empty: no whole window."),
	COLUMN(window_s, 0,
	       "Time that each number in rates covers: 1 s, or more in a long run, "
	       "as rates has at most 512 numbers."),
	COLUMN(rate_cv, 4,
	       "Coefficient of variation of the throughput over time: standard "
	       "deviation / mean of the numbers in rates. 0 is perfectly even; 0.1 "
	       "varies by about 10 %. Empty: fewer than two such numbers."),
	COLUMN(rate_range, 4,
	       "Range of the throughput in the second half of the run: (highest - "
	       "lowest) / mean. The half is cut into five equal parts, each with "
	       "one throughput. At most 0.2 is steady. With fewer than 20 windows "
	       "of window_s, the parts are the last five windows. Empty: fewer than "
	       "five windows."),
	COLUMN(rate_slope, 4,
	       "Slope of the throughput over the second half of the run. A line is "
	       "fitted to the throughputs of five equal parts; its change from the "
	       "first to the fifth / their mean, without sign. At most 0.1 is "
	       "steady. With fewer than 20 windows of window_s, the last five are "
	       "the parts. Empty: fewer than five."),
	COLUMN(steady, 0,
	       "1: throughput was steady over the second half of the run (SNIA PTS: "
	       "rate_range <= 0.2, rate_slope <= 0.1). 0: it was not. Empty: fewer "
	       "than five windows of window_s."),
	COLUMN(steady_since_s, 0,
	       "Time from the start of the run after which throughput was steady up "
	       "to the end. From there, any five successive tenths of the run meet "
	       "the rule of the column steady. With fewer than 20 windows of "
	       "window_s: any five successive windows. Empty: not steady at the "
	       "end, or fewer than five windows."),
	COLUMN(rate_first_fifth, 1,
	       "Throughput in the first fifth of the run. Much more than "
	       "rate_last_fifth: the engine slows down. Empty: fewer than five "
	       "windows of window_s."),
	COLUMN(rate_last_fifth, 1,
	       "Throughput in the last fifth of the run. Much less than "
	       "rate_first_fifth: the engine slows down. Empty: fewer than five "
	       "windows of window_s."),
	COLUMN(until_steady_s, 3,
	       "Limit of --until_steady: the run ended when its throughput was "
	       "steady, but after this time at the latest. The column seconds has "
	       "its real length. Empty: the option was not used."),
	COLUMN(fairness, 4,
	       "Jain's fairness index of the operation rates of the --threads threads: "
	       "1 if all are equal, 1 / threads if one thread did everything."),
	COLUMN(longest_stall_ms, 3,
	       "Longest time in which any one thread finished no operation. With a "
	       "target rate, time in which no operation of that thread was due is "
	       "left out."),
	USAGE(user_s, 6,
	      "CPU time that the process spent in user mode during the measurement, "
	      "all threads together."),
	USAGE(sys_s, 6,
	      "CPU time that the process spent in the kernel during the "
	      "measurement, all threads together."),
	COLUMN(cpu_percent, 1,
	       "CPU use of the process, all threads together: (user_s + sys_s) / "
	       "seconds, in percent. One CPU in use all the time is 100, four are 400."),
	COLUMN(quota_periods, 0,
	       "Number of periods of the CPU quota (cpu_quota), mostly of 100 ms, in "
	       "which processes of its control group wanted to run. Of several groups "
	       "with a quota the one that was throttled most counts. Empty: no quota."),
	COLUMN(throttled_periods, 0,
	       "Number of those periods in which the group used up its quota, and its "
	       "threads waited for the next period. From half of quota_periods on, the "
	       "quota limits the run. Empty: no quota."),
	COLUMN(throttled_s, 6,
	       "Time that threads of the group waited for the next period of the CPU "
	       "quota, summed over the CPUs that they waited on. It can be longer than "
	       "the run. Empty: no quota."),
	COLUMN(cpu_us_per_op, 4,
	       "CPU time per operation: 1e6 * (fg_cpu_s + bg_cpu_s) / operations of "
	       "all threads. It includes the benchmark loop, which "
	       "engine_fg_us_per_op leaves out, and the engine's own threads."),
	COLUMN(fg_cpu_s, 6,
	       "CPU time, user and kernel, of the threads that call the engine. "
	       "These are the --threads threads, the workload's background threads "
	       "(as in readwhilewriting), and those of options such as "
	       "--probe_rate. Threads that the engine starts are in bg_cpu_s."),
	COLUMN(bg_cpu_s, 6,
	       "CPU time of the threads that the engine itself starts, such as for "
	       "compaction, in user mode and kernel."),
	COLUMN(harness_cpu_s, 6,
	       "CPU time of the benchmark program's own helper threads (monitor, "
	       "timeline, traces): user_s + sys_s - fg_cpu_s - bg_cpu_s. The benchmark "
	       "loop runs in the calling threads: fg_cpu_s."),
	COLUMN(engine_fg_us_per_op, 4,
	       "CPU time per operation that the engine takes in the threads that "
	       "call it. 1e6 * fg_cpu_s / operations of all threads, less the "
	       "benchmark loop (harness_ns_per_op / 1000)."),
	COLUMN(engine_bg_us_per_op, 4,
	       "CPU time per operation that the engine takes in threads that it "
	       "starts itself, such as for compaction. 1e6 * bg_cpu_s / operations "
	       "of all threads."),
	COLUMN(kernel_us_per_op, 4,
	       "CPU time per operation that the process spends in the kernel: 1e6 * "
	       "sys_s / operations of all threads. Except for that of the "
	       "benchmark's helper threads (harness_cpu_s), which cpu_us_per_op "
	       "excludes, it is part of cpu_us_per_op."),
	COLUMN(off_cpu_us_per_op, 4,
	       "Time per operation in which the threads that call the engine were "
	       "not on a CPU, summed over them. They waited for I/O, a lock, a core "
	       "or a scheduled start."),
	COLUMN(runnable_us_per_op, 4,
	       "Time per operation in which the threads that call the engine could "
	       "run and waited for a free core. It is part of off_cpu_us_per_op. "
	       "Empty: the kernel does not tell."),
	COLUMN(engine_bg_runnable_us_per_op, 4,
	       "Time per operation in which the threads that the engine itself "
	       "starts could run and waited for a free core, summed over them. "
	       "Threads that ended before the end of the run are left out. Empty: "
	       "the kernel does not tell."),
	COLUMN(device_busy_us_per_op, 4,
	       "Time per operation in which the device under the database was "
	       "working on requests: 1e6 * device_busy_s / operations of all "
	       "threads. Empty: unknown device, or a run below one second."),
	COLUMN(cpu_used_percent, 2,
	       "CPU use as a percentage of the possible, at most 100; the larger of "
	       "two ratios. One is CPU time of the threads that call the engine / "
	       "their elapsed time. The other is CPU time of the process, and of an "
	       "engine's servers, / (seconds * CPUs). These CPUs are cores less "
	       "steal, or cpu_quota, if that is smaller."),
	COLUMN(cpu_demand_percent, 2,
	       "CPU use if each thread had had a core whenever it could run, at "
	       "most 100. It is the largest of three. First, cpu_used_percent. "
	       "Second, its first ratio with waits for a core counted as CPU time. "
	       "Third, that ratio of the busiest thread that the engine started "
	       "(docs/why.md). From 85 on, the CPU limits the run."),
	COLUMN(harness_percent, 2,
	       "Percentage of the calling threads' elapsed time that the benchmark "
	       "loop takes, without the engine: harness_ns_per_op * operations / "
	       "that time. With more threads than CPUs (as cpu_used_percent counts "
	       "them), seconds * CPUs replaces the threads' time. From 50 on, the "
	       "engine is too fast to be measured well."),
	TEXT_COLUMN(
		bound_by,
		"Limit of the throughput: rate (the target was met), quota (of CPU "
		"time), harness (the benchmark loop), sync, cpu, device (busy), lock "
		"or unclear. A lock is any wait for another thread, sync one for fsync "
		"and the like. docs/why.md has the rules."),
	TEXT_COLUMN(bound_by_detail,
		    "Measured number by which bound_by was chosen, as text, such as CPU "
		    "93 %."),
	USAGE(ctx_voluntary, 0,
	      "Number of voluntary context switches of the process during the "
	      "measurement: threads gave up their CPU to wait for I/O, a lock or a "
	      "timer."),
	USAGE(ctx_involuntary, 0,
	      "Number of involuntary context switches of the process during the "
	      "measurement: the kernel took the CPU from a thread for another one."),
	USAGE(faults_major, 0,
	      "Number of page faults of the process during the measurement that had "
	      "to wait for a read from a device (major faults)."),
	USAGE(faults_minor, 0,
	      "Number of page faults of the process during the measurement that "
	      "memory could serve without a device (minor faults)."),
	USAGE(fs_in_blocks, 0,
	      "Number of blocks of 512 bytes that had to be read from a device for "
	      "the process during the measurement (ru_inblock of getrusage)."),
	USAGE(fs_out_blocks, 0,
	      "Number of blocks of 512 bytes that the process caused to be "
	      "written, now or later: io_write_bytes / 512 (ru_oublock of "
	      "getrusage)."),
	USAGE(io_read_bytes, 0,
	      "Bytes that had to be read from a device for the process during the "
	      "measurement (read_bytes of /proc/self/io). Reads that the page cache "
	      "served do not count."),
	USAGE(io_write_bytes, 0,
	      "Bytes that the process caused to be written to a device during the "
	      "measurement or later: changed file pages and direct writes "
	      "(write_bytes of /proc/self/io). Large folios count as a whole, so "
	      "it can be too high."),
	USAGE(io_wchar_bytes, 0,
	      "Bytes that the process passed to write system calls during the "
	      "measurement (wchar of /proc/self/io). Writes through a memory map do "
	      "not count."),
	USAGE(io_write_calls, 0,
	      "Number of write system calls of the process during the measurement "
	      "(syscw of /proc/self/io)."),
	COLUMN(io_write_overcharged, 0,
	       "1: io_write_bytes and fs_out_blocks are too high: more than the "
	       "write calls can have changed; do not use them. 0: they are "
	       "plausible. Empty: cannot be checked, as with memory maps or "
	       "io_submit."),
	USAGE(device_reads, 0,
	      "Number of reads that the device under the database completed during "
	      "the measurement, for all processes of the machine "
	      "(/proc/diskstats). Empty: unknown device."),
	USAGE(device_read_bytes, 0,
	      "Bytes that the device under the database read during the "
	      "measurement, for all processes of the machine (/proc/diskstats). "
	      "Empty: unknown device."),
	USAGE(device_writes, 0,
	      "Number of writes that the device under the database completed "
	      "during the measurement, for all processes of the machine "
	      "(/proc/diskstats). Empty: unknown device."),
	USAGE(device_write_bytes, 0,
	      "Bytes that the device under the database wrote during the "
	      "measurement, for all processes of the machine. Changes still in the "
	      "page cache at the end are missing. Empty: unknown device."),
	USAGE(device_flushes, 0,
	      "Number of times that the device under the database emptied its own "
	      "cache, for all processes of the machine. Syncs cause this. Empty: "
	      "unknown device, or a partition, as the kernel counts only its disk's."),
	USAGE(device_busy_s, 6,
	      "Time of the measurement in which the device under the database had "
	      "at least one request, of any process of the machine "
	      "(/proc/diskstats). Empty: unknown device."),
	COLUMN(device_reads_per_op, 4,
	       "Device reads per operation, of all processes of the machine: "
	       "device_reads / operations of all threads. 0: memory served all "
	       "reads. Empty: unknown device."),
	COLUMN(device_read_bytes_per_op, 1,
	       "Bytes that the device read per operation: device_read_bytes / "
	       "operations of all threads. 0: memory served all reads."),
	COLUMN(device_busy_percent, 2,
	       "Percentage of the run in which the device under the database had at "
	       "least one request. A device that serves requests in parallel can do "
	       "more even at 100 %. Empty: unknown device, or a run below one "
	       "second."),
	TEXT_COLUMN(
		counters,
		"Scope of the CPU's event counters (columns cycles to "
		"tlb_misses_per_op): all, or user (without kernel code). Empty: the CPU "
		"or the kernel gives none."),
	USAGE(cycles, 0,
	      "Number of CPU cycles that the process used during the measurement, "
	      "all threads together. Empty: no counters."),
	USAGE(instructions, 0,
	      "Number of CPU instructions that the process executed during the "
	      "measurement, all threads together. Empty: no counters."),
	USAGE(cache_misses, 0,
	      "Number of memory accesses of the process that missed the last-level "
	      "CPU cache during the measurement. Empty: no counters."),
	USAGE(tlb_misses, 0,
	      "Number of loads of the process that missed the CPU's data TLB during "
	      "the measurement. Empty: no counters."),
	COLUMN(cycles_per_op, 1,
	       "CPU cycles of the process per operation: cycles / operations of all "
	       "threads. Empty: no counters."),
	COLUMN(instructions_per_op, 1,
	       "CPU instructions of the process per operation: instructions / "
	       "operations of all threads. Empty: no counters."),
	COLUMN(cache_misses_per_op, 3,
	       "Last-level CPU cache misses of the process per operation: "
	       "cache_misses / operations of all threads. Empty: no counters."),
	COLUMN(tlb_misses_per_op, 3,
	       "Loads by the CPU that missed its data TLB, per operation: "
	       "tlb_misses / operations of all threads. Loads of the whole process "
	       "count, not only the engine's. Empty: no counters."),
	FOOTPRINT(
		rss_kb, 0,
		"Resident memory of the process after the last operation, of all kinds: "
		"rss_anon_kb + rss_file_kb + shared memory."),
	FOOTPRINT(rss_anon_kb, 0,
		  "Anonymous resident memory of the process (backed by no file) after "
		  "the last operation: heap, stacks, engine caches. Empty: the system "
		  "does not report it."),
	FOOTPRINT(rss_file_kb, 0,
		  "Resident memory of the process that is mapped from files, after the "
		  "last operation. It contains the program, its libraries and a "
		  "memory-mapped database. Empty: the system does not report it."),
	FOOTPRINT(peak_rss_kb, 0,
		  "Largest resident memory of the process during the benchmark; since "
		  "the process began, if the kernel cannot reset this number."),
	COLUMN(memory_limit_kb, 0,
	       "Most memory that the run was allowed to use, its page cache "
	       "included: by --memory, or from outside, as in a container. It is the "
	       "smallest limit of the run's control group and all visible groups "
	       "above it (memory.max, memory.high, hierarchical_memory_limit). Empty: "
	       "no limit below memory_kb, or unknown."),
	COLUMN(malloc_arenas, 0,
	       "Number of arenas (separate heaps) that glibc's malloc was limited to "
	       "(--malloc_arenas). Empty: not limited."),
	COLUMN(cgroup_peak_kb, 0,
	       "Largest memory use of the run with its page cache, as the control "
	       "group of --memory counts it. Linux before 6.12: since the program "
	       "began, not the benchmark. Empty: no --memory."),
	COLUMN(page_cache_kb, 0,
	       "Page cache that belonged to the run after the last operation, as the "
	       "control group of --memory counts it. Empty: no --memory."),
	COLUMN(memory_used_kb, 0,
	       "Memory that the run used, to compare engines under the same "
	       "options. With servers: server_rss_kb. With --memory: "
	       "cgroup_peak_kb, the peak with page cache. Otherwise, after the last "
	       "operation: rss_anon_kb + page cache that holds the database's "
	       "files. Empty: that page cache is unknown, as with a raw device "
	       "(--device)."),
	COLUMN(memory_stall_s, 6,
	       "Time in which at least one of the program's threads waited for "
	       "memory to be freed (PSI of the control group). It counts from the "
	       "program's start, loads included, to the end of this run. Empty: no "
	       "--memory, or not reported."),
	COLUMN(run_disk_kb, 0,
	       "Disk space that the database's files took after the last operation, "
	       "before the engine settled (--settle=1) or was closed."),
	COLUMN(disk_growth_kb, 0,
	       "Disk space that the database's files grew by, from the first "
	       "operation to the last; negative if they shrank."),
	COLUMN(space_amp_run, 4,
	       "Space amplification after the last operation: run_disk_kb / bytes of "
	       "keys and values in the database. 1 is ideal; empty: number of "
	       "records unknown."),
	COLUMN(db_apparent_kb, 0,
	       "Total length of the database's files after closing; with "
	       "--settle=1, background work had ended before. Holes in files count; "
	       "db_disk_kb leaves them out."),
	COLUMN(db_disk_kb, 0,
	       "Disk space that the database's files occupy after closing; with "
	       "--settle=1, background work had ended before. Holes in files do not "
	       "count."),
	COLUMN(db_preallocated_kb, 0,
	       "Part of db_disk_kb behind the ends of files, which stores nothing: "
	       "preallocated by the engine, or by the file system, as by XFS. It is "
	       "freed later, at the latest when the file system is mounted again."),
	COLUMN(db_extents, 0,
	       "Number of contiguous pieces (extents) on the device that make up "
	       "the database's files, after closing: more is more fragmented. "
	       "Empty: the file system does not report it."),
	COLUMN(space_amp, 4,
	       "Space amplification after closing: db_disk_kb / bytes of keys and "
	       "values in the database. 1 is ideal. Preallocated space counts: see "
	       "db_preallocated_kb. With --settle=1, compaction and other background "
	       "work had ended before. Empty: number of records unknown."),
	COLUMN(write_amp, 4,
	       "Write amplification seen by the kernel: io_wchar_bytes / bytes of "
	       "keys and values that the workload wrote. Writes after its end do "
	       "not count. Empty: no writes, or only deletes; the workloads queue, "
	       "replay and cluster14; engines that are servers, or that write "
	       "through a memory map or io_submit."),
	COLUMN(write_amp_all_in, 4,
	       "Write amplification seen by the kernel, with later work. Bytes "
	       "passed to write calls from the workload's start until closing / "
	       "bytes of keys and values written. With --settle=1, background work "
	       "ended before closing. Empty: as write_amp."),
	COLUMN(host_write_amp, 4,
	       "Write amplification seen by the device: device_write_bytes / bytes "
	       "of keys and values that the workload wrote. Other processes' writes "
	       "count, writes after its end do not. Empty: no writes, or only "
	       "deletes; the workloads queue, replay and cluster14; engines that "
	       "are servers; unknown device."),
	COLUMN(host_write_amp_all_in, 4,
	       "Write amplification seen by the device, with later work. Bytes that "
	       "it wrote from the workload's start until closing / bytes of keys "
	       "and values written. With --settle=1, background work ended before "
	       "closing. Other processes' writes count. Empty: as host_write_amp."),
	COLUMN(nand_write_bytes, 0,
	       "Bytes that the drive wrote to its flash memory during the workload, "
	       "by its own log (OCP C0h, read with nvme-cli). Other processes' "
	       "writes count. Empty: the log cannot be read."),
	COLUMN(nand_write_amp, 4,
	       "Write amplification within the drive: bytes written to flash / "
	       "bytes that it received (nand_write_bytes / device_write_bytes). The "
	       "drive's log may lag by seconds, so only long runs tell. Empty: as "
	       "nand_write_bytes, or it received none."),
	COLUMN(fs_out_per_write, 4,
	       "Number of blocks of 512 bytes that the process made dirty in the "
	       "page cache or wrote directly, per put or delete: fs_out_blocks / "
	       "writes. Symas (2018) published this number as Write Amp. Empty: no "
	       "writes; those of SmallBank and the Insert Benchmark; engines that are "
	       "servers; fs_out_blocks is known to be too high "
	       "(io_write_overcharged is 1)."),
	COLUMN(commits, 0,
	       "Number of commits that the engine acknowledged: transactions and "
	       "batches with writes, and single writes outside them. A bulk load is "
	       "one. Read-only transactions do not count."),
	COLUMN(conflicts, 0,
	       "Number of engine calls that returned a conflict with another "
	       "thread's transaction. The benchmark then rolled back the "
	       "operation's transaction, or released its snapshot, and tried again. "
	       "retries counts the operations that were done again."),
	COLUMN(retries, 0,
	       "Number of operations repeated after conflicts; each repetition "
	       "counts. When a transaction is rolled back, all its operations so "
	       "far count. An operation counts once in ops, however often it was "
	       "tried."),
	COLUMN(retry_s, 6,
	       "Time lost by conflicts, summed over all threads: failed calls, "
	       "calls rolled back with them, and pauses before retries. Latencies "
	       "of single writes and of SmallBank's transactions include it. In "
	       "other transactions of several calls, each call's latency is that of "
	       "its last try. Empty: --latency=0."),
	USAGE(syncs, 0,
	      "Number of sync calls of the process during the measurement: fsyncs + "
	      "fdatasyncs + msyncs + sync_file_ranges + dsync_writes. Empty: servers "
	      "hold the records (bench_redis)."),
	USAGE(fsyncs, 0, "Number of fsync calls of the process during the measurement."),
	USAGE(fdatasyncs, 0,
	      "Number of fdatasync calls of the process during the measurement."),
	USAGE(msyncs, 0,
	      "Number of msync calls with MS_SYNC of the process during the "
	      "measurement."),
	USAGE(sync_file_ranges, 0,
	      "Number of sync_file_range calls of the process during the "
	      "measurement."),
	USAGE(dsync_writes, 0,
	      "Number of write calls of the process to files opened with O_DSYNC or "
	      "O_SYNC during the measurement; each waits as a sync does."),
	COLUMN(syncs_per_commit, 4,
	       "Sync calls of the process, its background threads included, per "
	       "commit: syncs / commits. With durability sync, below 1 means that "
	       "commits share a sync (group commit). Empty: no commits, or servers."),
	COLUMN(servers, 0,
	       "Number of server processes that hold the records. With servers, "
	       "columns of CPU time, memory, context switches, faults and io_... "
	       "are the client's alone, except memory_used_kb. Columns server_... "
	       "are the servers'. Empty: the engine runs in this process."),
	COLUMN(round_trips, 0,
	       "Number of times that the threads, all together, sent requests to "
	       "the servers and waited for the replies. Concurrent requests to "
	       "several servers count once. Empty: no servers."),
	COLUMN(round_trips_per_op, 4,
	       "Round trips to the servers per operation: round_trips / operations "
	       "of all threads. Empty: no servers."),
	COLUMN(server_user_s, 6,
	       "CPU time of the servers in user mode during the measurement, with "
	       "child processes that rewrite logs. Empty: no servers."),
	COLUMN(server_sys_s, 6,
	       "CPU time of the servers in the kernel during the measurement, with "
	       "child processes that rewrite logs. Empty: no servers."),
	COLUMN(server_rss_kb, 0,
	       "Resident memory of all servers together after the last operation. "
	       "Empty: no servers."),

	TEXT_COLUMN(timer,
		    "Clock that measured the latencies: tsc (the CPU's cycle counter) or "
		    "monotonic (clock_gettime)."),
	COLUMN(timer_ns, 2,
	       "Time that one reading of the clock takes, measured at the start; "
	       "each latency includes it once."),
	COLUMN(harness_ns_per_op, 2,
	       "Time per operation of the benchmark loop in one thread, with an "
	       "engine that does nothing. Measured just before the workload. "
	       "Latencies are not reduced by it; distrust those below ten times "
	       "this value."),
	TEXT_COLUMN(host, "Name of the machine that the benchmark ran on."),
	TEXT_COLUMN(cpu, "Model name of the machine's CPU."),
	COLUMN(cores, 0,
	       "Number of CPUs that the process was allowed to run on, by a cpuset, "
	       "taskset, --cpus or --numa_node; hardware threads of a core count "
	       "each. A quota of CPU time does not change it: see cpu_quota."),
	TEXT_COLUMN(allowed_cpus,
		    "CPUs that cores counts, as a list such as 0-3,8. Empty: unknown."),
	COLUMN(cpu_quota, 4,
	       "CPU time that the process and the others in its control groups may "
	       "use in each second: 0.5 is half a CPU. It is the smallest quota of "
	       "the run's control group and all visible groups above it (cpu.max, "
	       "cpu.cfs_quota_us). Empty: no quota, or unknown."),
	COLUMN(memory_kb, 0, "Main memory of the machine."),
	TEXT_COLUMN(kernel, "Release of the kernel, as uname prints it."),
	TEXT_COLUMN(filesystem,
		    "Type of the file system that holds the database, such as ext4."),
	TEXT_COLUMN(mount_options,
		    "Mount options of the file system that holds the database."),
	TEXT_COLUMN(device,
		    "Name of the block device that holds the database, such as nvme0n1."),
	TEXT_COLUMN(
		simulated_disk,
		"Limits that scripts/storage.sh set below the file system to simulate "
		"another disk, such as IOPS and latency. Empty: a real disk."),
	TEXT_COLUMN(io_scheduler,
		    "I/O scheduler of the kernel for the device that holds the database, "
		    "such as none or mq-deadline."),
	COLUMN(read_ahead_kb, 0,
	       "Largest amount of data that the kernel reads ahead at once on the "
	       "device that holds the database. A memory-mapped engine may read as "
	       "much from the device for one record."),
	TEXT_COLUMN(governor,
		    "Frequency governor of the first CPU, such as performance; powersave "
		    "may slow a run down. Empty: none known."),
	TEXT_COLUMN(turbo,
		    "State of the CPUs' turbo mode, in which they may exceed their base "
		    "frequency: on or off. On makes repeated runs vary more."),
	TEXT_COLUMN(
		smt,
		"State of simultaneous multithreading (hyper-threading), several "
		"hardware threads in a core: on, off, or the kernel's reason why not."),
	TEXT_COLUMN(
		thp,
		"Kernel setting of transparent huge pages: always, madvise (where the "
		"program asks) or never."),
	TEXT_COLUMN(idle_reclaim,
		    "Kernel mechanism that frees memory which was not used for a while; "
		    "its only value is damon. It can slow reads. Empty: none is active, "
		    "or the run was not root and cannot see it."),
	COLUMN(swappiness, 0,
	       "Kernel setting vm.swappiness, 0 to 200: the higher, the sooner "
	       "memory of processes is swapped out instead of page cache."),
	COLUMN(numa_nodes, 0,
	       "Number of NUMA nodes of the machine: groups of CPUs with memory of "
	       "their own."),
	COLUMN(numa_node, 0,
	       "Number of the NUMA node whose CPUs and memory alone the run used "
	       "(--numa_node). Empty: not restricted."),
	COLUMN(load_before, 2,
	       "Load average of the machine over the last minute, when the benchmark "
	       "began: threads that ran or waited for disk, earlier benchmarks "
	       "included."),
	COLUMN(load_after, 2,
	       "Load average of the machine over the last minute, when the benchmark "
	       "ended. The benchmark's own threads are in it."),
	COLUMN(temperature_before_c, 1,
	       "Temperature of the machine's hottest sensor (thermal zone) when the "
	       "benchmark began. Empty: no sensor."),
	COLUMN(temperature_after_c, 1,
	       "Temperature of the machine's hottest sensor (thermal zone) when the "
	       "benchmark ended; a hot CPU may slow down. Empty: no sensor."),
	COLUMN(steal_percent, 2,
	       "Percentage of the machine's CPU time that the hypervisor gave to "
	       "other virtual machines during the run: 0 is good. All CPUs of the "
	       "machine count, also those that the process may not run on. Empty: "
	       "runs below one second."),
	COLUMN(others_cpu_percent, 2,
	       "Percentage of the machine's CPU time that processes other than the "
	       "benchmark and its servers used during the run; near 0 is good. All "
	       "kernel threads count, also those that write for the run. Empty: "
	       "runs below one second, or unknown."),
	TEXT_COLUMN(
		warnings,
		"Conditions that may have disturbed the measurement, such as other "
		"programs on the CPUs. Repeat the run without them. Empty: none known."),
	TEXT_COLUMN(commit,
		    "Version of the benchmark program: its git commit, as git describe "
		    "prints it."),
	TEXT_COLUMN(program,
		    "Hash of the benchmark program's code, without its shared libraries. "
		    "Equal in two rows: the same program ran, even if commit differs. "
		    "Empty: the system does not allow to read it."),
	TEXT_COLUMN(build, "Compiler and flags that built the benchmark program."),
	TEXT_COLUMN(command, "Command line that repeats this benchmark."),
};

/* The columns above, until others are added. */
static struct row_file_columns result_row = {columns_of_result,
					     sizeof columns_of_result /
						     sizeof *columns_of_result};
static struct row_file_column result_columns[RESULT_COLUMNS_MAX];
static const struct row_file_columns *added_tables[RESULT_TABLES_MAX];
static size_t added_offsets[RESULT_TABLES_MAX], added_size;

void result_add_columns(const struct row_file_columns *table)
{
	size_t size = 0;
	unsigned n = result_row.count, tables = 0;

	for (; added_tables[tables]; tables++)
		if (added_tables[tables] == table) /* by an earlier main() */
			return;
	if (n + table->count > RESULT_COLUMNS_MAX || tables + 1 >= RESULT_TABLES_MAX)
		message_fatal(1, "too many columns: raise the limits in result.h");
	if (result_row.columns != result_columns)
		memcpy(result_columns, columns_of_result, sizeof columns_of_result);
	result_row.columns = result_columns;
	added_tables[tables] = table;
	added_offsets[tables] = added_size;
	for (unsigned i = 0; i < table->count; i++) {
		result_columns[n + i] = table->columns[i];
		result_columns[n + i].offset +=
			offsetof(struct result, added) + added_size;
		size = table->columns[i].offset + sizeof(double) > size
			       ? table->columns[i].offset + sizeof(double)
			       : size;
	}
	result_row.count += table->count;
	added_size += size;
	if (added_size > RESULT_ADDED_SIZE)
		message_fatal(1, "too many columns: raise RESULT_ADDED_SIZE in result.h");
}

void *result_added(const struct result *r, const struct row_file_columns *table)
{
	unsigned i = 0;

	while (added_tables[i] != table)
		i++;
	return (char *)(uintptr_t)r->added + added_offsets[i];
}

struct result result_unknown(void)
{
	struct result r;

	memset(&r, 0, sizeof r); /* some members are not columns */
	row_file_set_unknown(&result_row, &r);
	return r;
}

struct latency result_latency(const struct hist *h)
{
	struct hist_summary s = hist_summarize(h);

	if (!s.count)
		return (struct latency){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	return (struct latency){
		.min_ns = s.min,
		.mean_ns = s.mean,
		.stddev_ns = s.stddev,
		.p50_ns = hist_quantile(h, 500000),
		.p90_ns = hist_quantile(h, 900000),
		.p95_ns = hist_quantile(h, 950000),
		.p99_ns = hist_quantile(h, 990000),
		.p999_ns = hist_quantile(h, 999000),
		.p9999_ns = hist_quantile(h, 999900),
		.max_ns = s.max,
	};
}

double result_operations(const struct result *r)
{
	return r->reads + r->writes + r->scans;
}

double result_p99(const struct latency *of_kinds)
{
	for (int k = 0; k < KINDS; k++)
		if (!isnan(of_kinds[k].p99_ns))
			return of_kinds[k].p99_ns;
	return NAN;
}

/*
 * Prints a line of Go's benchmark format (golang.org/design/14313-benchmark-format): name
 * with configuration, CPUs, operations, and metrics with units. Readers do not accept an
 * invalid row as a benchmark.
 */
static void print_gobench(const struct result_line *line, double rate)
{
	char name[256];
	size_t n =
		(size_t)snprintf(name, sizeof name, "Benchmark%c%s/engine=",
				 toupper((unsigned char)line->name[0]), line->name + 1);

	for (const char *c = line->label; *c && n + 1 < sizeof name; c++)
		name[n++] = (char)(isspace((unsigned char)*c) ||
						   iscntrl((unsigned char)*c) || *c == '/'
					   ? '_'
					   : *c);
	name[n] = '\0';
	if (line->invalid_reason) {
		printf("--- FAIL: %s/threads=%u-%u: %s\n", name, line->threads,
		       line->cores, line->invalid_reason);
		return;
	}
	printf("%s/threads=%u-%u\t%.0f\t%.1f ns/op\t%.1f ops/s", name, line->threads,
	       line->cores, line->ops, line->mean_us * 1000, rate);
	if (line->bytes > 0)
		printf("\t%.3f MB/s", rate * line->bytes / line->ops / 1e6);
	if (!isnan(line->response_p99_ns))
		printf("\t%.0f p99-resp-ns/op", line->response_p99_ns);
	if (!isnan(line->p99_ns))
		printf("\t%.0f p99-ns/op", line->p99_ns);
	putchar('\n');
}

void result_print(const struct result_line *line, enum result_format format)
{
	double seconds = line->seconds > 0 ? line->seconds : 1e-9,
	       rate = line->ops / seconds;
	char text[2048] = "";

	if (line->bytes > 0)
		snprintf(text, sizeof text, "%6.1f MB/s",
			 line->bytes / 1048576 / seconds);
	snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s%s%s",
		 *text && *line->extra ? " " : "", line->extra,
		 !line->invalid_reason   ? ""
		 : *text || *line->extra ? " INVALID: "
					 : "INVALID: ",
		 line->invalid_reason ? line->invalid_reason : "");
	switch (format) {
	case FORMAT_ROCKSDB:
		printf("%-12s : %11.3f micros/op %ld ops/sec %.3f seconds %llu "
		       "operations;%s%s\n",
		       line->name, line->mean_us, (long)rate, line->seconds,
		       (unsigned long long)line->ops, *text ? " " : "", text);
		break;
	case FORMAT_LEVELDB:
		printf("%-12s : %11.3f micros/op;%s%s\n", line->name, line->mean_us,
		       *text ? " " : "", text);
		break;
	case FORMAT_DBBENCH:
		/*
		 * db_bench prints elapsed time per operation, and no space after the
		 * semicolon.
		 */
		printf("%-13s : %11.3f micros/op %ld ops/sec;%s\n", line->name,
		       line->ops > 0 ? line->seconds * 1e6 / line->ops : 0, (long)rate,
		       text);
		break;
	case FORMAT_GOBENCH:
		print_gobench(line, rate);
		break;
	case FORMAT_YCSB:
		break;
	}
	fflush(stdout);
}

/*
 * Summary of the last n of `of` values, once sorted: the others are 0, of invalid runs.
 */
static struct stats_sample summarize(double *x, unsigned of, unsigned n)
{
	stats_sort(x, of);
	return stats_describe(x + of - n, n);
}

void result_print_iterations(const char *name, double *ops_per_sec,
			     double *megabytes_per_sec, unsigned iterations)
{
	struct stats_sample ops, mb;
	unsigned n = 0;
	char runs[32];

	for (unsigned i = 0; i < iterations; i++)
		n += ops_per_sec[i] > 0;
	snprintf(runs, sizeof runs, n < iterations ? "%u of %u" : "%u", n, iterations);
	if (n < 2) {
		printf("%s [%s runs] : no average\n", name, runs);
		return;
	}
	ops = summarize(ops_per_sec, iterations, n);
	mb = summarize(megabytes_per_sec, iterations, n);
	printf("%s [AVG %s runs] : %.0f (\u00b1 %.0f) ops/sec; %6.1f (\u00b1 %.1f) "
	       "MB/sec\n",
	       name, runs, ops.mean, ops.margin, mb.mean, mb.margin);
	printf("%s [MEDIAN %s runs] : %.0f ops/sec; %6.1f MB/sec\n", name, runs,
	       ops.median, mb.median);
	fflush(stdout);
}

bool result_check_tsv(const char *path, char *error)
{
	return row_file_check_tsv(&result_row, path, error);
}

bool result_check_json(const char *path, char *error)
{
	return row_file_check_json(&result_row, path, error);
}

bool result_append_tsv(const char *path, const struct result *r, char *error)
{
	return row_file_append_tsv(&result_row, path, r, error);
}

bool result_append_json(const char *path, const struct result *r, char *error)
{
	return row_file_append_json(&result_row, path, r, error);
}

void result_print_columns(FILE *to)
{
	row_file_print_columns(&result_row, "result", to);
}
