/* result.c: the columns table and the writers that walk it; see result.h. */
#include "result.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "message.h"
#include "stats.h"

const char *const result_kinds[KINDS] = {"read", "write", "scan"};
const char *const result_formats[] = {"rocksdb", "leveldb", "dbbench", "gobench", NULL};

#define TEXT_COLUMN(name, help) RESULT_TEXT(result, name, help)
#define COLUMN(name, digits, help) RESULT_NUMBER(result, name, digits, help)
#define PART(name, part, digits, help) \
	{#name, help, offsetof(struct result, part.name), digits}
#define USAGE(name, digits, help) PART(name, usage, digits, help)
#define FOOTPRINT(name, digits, help) PART(name, footprint, digits, help)
#define TIMES(name, times, what) RESULT_TIMES(result, name, times, what)

#define DEFERRED_FIELD(part, field, digits, help) \
	{#part "_" #field, help, offsetof(struct result, part.field), digits}
#define DEFERRED(part, when, what)                                                       \
	DEFERRED_FIELD(part, seconds, 6, "Time " what "."),                             \
	DEFERRED_FIELD(part, io_read_bytes, 0,                                          \
		       "Bytes that the process caused to be read from a device " when  \
		       "."),                                                            \
	DEFERRED_FIELD(part, io_write_bytes, 0,                                         \
		       "Bytes of pages that the process dirtied " when "."),            \
	DEFERRED_FIELD(part, io_wchar_bytes, 0,                                         \
		       "Bytes that the process passed to write calls " when "."),       \
	DEFERRED_FIELD(part, device_write_bytes, 0,                                     \
		       "Bytes written to the device under the database " when "."),     \
	DEFERRED_FIELD(part, syncs, 0, "Number of sync calls of the process " when ".")

static const struct row_file_column columns_of_result[] = {
	TEXT_COLUMN(schema, "Version of the row format, such as assay/2."),
	TEXT_COLUMN(time, "Time at which the benchmark began, UTC."),
	TEXT_COLUMN(engine, "Name of the engine, as in bench_NAME."),
	TEXT_COLUMN(label,
		"Name of the configuration (--label); without one, the engine's name."),
	TEXT_COLUMN(engine_version, "Version that the loaded engine library reports."),
	TEXT_COLUMN(engine_build,
		"File of the engine library, how it was built, and why that build is not "
		"fit for comparison, if so."),
	TEXT_COLUMN(allocator,
		"Library that provides malloc, such as one in LD_PRELOAD."),
	TEXT_COLUMN(engine_options,
		"Engine settings in effect, read back from engines that allow it."),
	TEXT_COLUMN(benchmark, "Name of the workload."),
	COLUMN(threads, 0,
		"Number of threads that run the workload (--threads); the background "
		"writer of workloads such as readwhilewriting is one more."),
	COLUMN(clients, 0,
		"Number of concurrent processes whose results the row sums up "
		"(clients.sh); empty: one process."),
	COLUMN(num, 0,
		"Number of records in the key range (--num); a complete load writes this "
		"many."),
	COLUMN(device_fill, 4,
		"Fraction of the file system or device, 0 to 1, to which the data was "
		"sized (--device_share); empty: sized by --num."),
	COLUMN(key_size, 0, "Size of a key (--key_size)."),
	TEXT_COLUMN(key_format,
		"Format of keys (--key_format): decimal, hex, binary (big-endian), user "
		"(YCSB's) or native."),
	COLUMN(value_size, 0, "Size of a value; the mean if sizes differ."),
	TEXT_COLUMN(value_sizes,
		"Value sizes that were requested (--value_size): one size, a range, or a "
		"list."),
	COLUMN(batch_size, 0,
		"Number of writes per transaction, or keys per multi-get, in a batch "
		"workload (--batch_size)."),
	TEXT_COLUMN(distribution, "Distribution of the keys, with its parameters."),
	TEXT_COLUMN(mix,
		"Operations of the workload with their weights, such as "
		"read:50,update:50; empty: the workload has one fixed kind."),
	TEXT_COLUMN(scan_length,
		"Number of records that each range operation reads: one number, a range, "
		"or a distribution."),
	TEXT_COLUMN(loaded_by,
		"Name of the load whose database this run copied or read (--loaded_by); "
		"empty: not given."),
	TEXT_COLUMN(load_order,
		"Order in which the load wrote its keys: sequential or random; empty: "
		"unknown, or several orders."),
	COLUMN(txn_reads, 0,
		"Number of consecutive reads that shared one snapshot (--txn_reads)."),
	COLUMN(txn, 0,
		"1: each operation of several calls was one transaction (--txn, "
		"SmallBank, Insert Benchmark); 0: each call stood alone."),
	COLUMN(warmup_s, 3, "Length of the warm-up before the measurement (--warmup)."),
	TEXT_COLUMN(cold,
		"Pages dropped from memory before the benchmark (--cold=1): files (the "
		"engine's), files and all (the whole page cache), or device. Checked by "
		"mincore."),
	TEXT_COLUMN(durability,
		"Durability level that was requested: what an acknowledged commit "
		"survives. none: nothing; async: kill -9; sync: a power cut."),
	TEXT_COLUMN(durability_effective,
		"Durability level that the engine provides at these settings: the "
		"requested one, or the next stronger one."),
	TEXT_COLUMN(batch_atomicity,
		"Ways in which a batch can become visible in part; empty: batches are "
		"atomic. seen: by other threads before the commit; abandoned: after a "
		"rollback; crash: after a crash; database: a crash can also lose older "
		"records."),
	COLUMN(cache_bytes, 0,
		"Size of the engine's own cache (--cache_size); empty: the engine has "
		"none."),
	COLUMN(write_buffer_bytes, 0,
		"Size of the engine's memtable (--write_buffer_size); empty: the engine "
		"has none."),
	TEXT_COLUMN(compression,
		"Compression of the engine's blocks (--compression); none: "
		"uncompressed."),
	COLUMN(seed, 0,
		"Seed of all random choices (--seed). With equal seeds and threads, "
		"every engine gets the same operations."),
	COLUMN(iteration, 0,
		"Number of this iteration of the benchmark within its process "
		"(name[X5]), from 1."),
	COLUMN(repetition, 0,
		"Number of this repetition in a fresh process (--repeat, or sweep.sh's), "
		"from 1."),
	COLUMN(isolated, 0,
		"1: the benchmark ran in its own process (--isolate=1); 0: one process "
		"ran the whole list."),
	TEXT_COLUMN(cpus,
		"CPUs to which the run was pinned (--cpus); empty: not pinned."),
	COLUMN(valid, 0,
		"1: the row is valid; 0: the row is invalid and must not be used, see "
		"invalid_reason."),
	COLUMN(partial, 0,
		"1: the run ended before all operations were done; 0: all were done."),
	TEXT_COLUMN(emulated,
		"Operations that the engine lacks, each with the other calls that "
		"replaced it; empty: none."),
	TEXT_COLUMN(touch,
		"Part of each returned value that was read inside the timed call "
		"(--touch): all bytes, the first byte, or none."),
	TEXT_COLUMN(invalid_reason,
		"Reason why the row is invalid and must not be used; empty: the row is "
		"valid."),

	COLUMN(ops, 0,
		"Number of operations done by the --threads threads, without background "
		"threads."),
	COLUMN(reads, 0,
		"Number of point reads done by all threads; a multi-get counts each of "
		"its keys."),
	COLUMN(writes, 0, "Number of puts and deletes done by all threads."),
	COLUMN(scans, 0,
		"Number of range operations done by all threads. A seek counts once with "
		"all records of its range; each step of an iteration (readseq) counts "
		"once."),
	COLUMN(entries, 0,
		"Number of records read or written by the --threads threads; a seek "
		"reads a range of records."),
	COLUMN(found, 0,
		"Number of reads, seeks and deletes that found their key; deletes count "
		"only in engines that report it (see emulated)."),
	COLUMN(missing, 0,
		"Number of reads, seeks and deletes that found no key; empty if the run "
		"had blind deletes only."),
	COLUMN(lost, 0,
		"Number of missing records that must exist; with --verify=1, records "
		"that an iteration skipped count, too."),
	COLUMN(wrong, 0,
		"Number of records with wrong bytes (--verify=1), or found although they "
		"must not exist (readmissing); empty: not checked."),
	COLUMN(out_of_order, 0,
		"Number of records that an iteration returned out of key order; empty "
		"without --verify=1, or if emulated names another order."),
	COLUMN(errors, 0, "Number of engine calls that failed."),
	COLUMN(bytes, 0,
		"Bytes of keys and values read or written by the --threads threads."),
	COLUMN(seconds, 6,
		"Time from the start of the first of the --threads threads to the end of "
		"the last. In an open loop at least --duration, or operations / rate."),
	COLUMN(overrun_s, 6,
		"Time from the end of --duration until the last call ended; empty "
		"without --duration."),
	COLUMN(start_skew_s, 6,
		"Time from the first client's start to the last client's start "
		"(clients.sh)."),
	COLUMN(end_skew_s, 6,
		"Time from the first client's end to the last client's end "
		"(clients.sh)."),
	COLUMN(overlap_percent, 1,
		"Percentage of the time from the first client's start to the last "
		"client's end in which all clients ran (clients.sh)."),
	COLUMN(ops_per_sec, 1, "Rate of operations (throughput): ops / seconds."),
	COLUMN(entries_per_sec, 1, "Rate of records: entries / seconds."),
	COLUMN(reads_per_sec, 1, "Rate of point reads: reads / seconds."),
	COLUMN(writes_per_sec, 1,
		"Rate of writes: writes / seconds, or the seconds of the background "
		"writer if it writes."),
	COLUMN(distinct_keys, 0,
		"Number of different keys that were drawn, estimated within 2 % (exact "
		"below 50,000)."),
	COLUMN(top1pct_fraction, 4,
		"Fraction of accesses, 0 to 1, that go to the hottest 1 % of keys. "
		"Empty: no key is hotter (sequential), or unknown (mixgraph)."),
	TEXT_COLUMN(digest,
		"Checksum of all bytes read. It is equal for all engines at equal seed "
		"and threads, unless emulated names another key order. The null engine "
		"needs --verify=1."),
	COLUMN(open_seconds, 6,
		"Time to open the database; empty: an earlier benchmark had opened it."),
	DEFERRED(settle, "while the engine settled (--settle=1)",
		 "to finish the engine's pending work (--settle=1)"),
	DEFERRED(close, "while the database was being closed",
		 "to close the database; empty if it stayed open"),
	COLUMN(ops_per_sec_all_in, 1,
		"Throughput including settling and closing: ops / (seconds + "
		"settle_seconds + close_seconds); empty without --settle=1 or a close."),

	COLUMN(mean_us, 4,
		"Mean service time of an operation; with --latency=0, the threads' time "
		"/ operations."),
	TIMES(read, latency[KIND_READ],
	      "service time of a read (the engine's call alone)"),
	TIMES(write, latency[KIND_WRITE],
	      "service time of a write (the engine's call; a batch's first and "
	      "last include begin and commit)"),
	TIMES(scan, latency[KIND_SCAN],
	      "service time of a scan: a seek with its range, or one step of an "
	      "iteration"),
	COLUMN(target_rate, 1,
		"Target rate of an open loop, over all threads that had one; empty in a "
		"closed loop."),
	TEXT_COLUMN(arrivals,
		"Intervals between operations in an open loop: constant or poisson, with "
		"the sine of the rate if it has one."),
	COLUMN(target_rate_met, 0,
		"1 if at most 1 % of scheduled operations had not started at the end, "
		"else 0; empty in a closed loop. With a fixed count, the schedule is "
		"assumed to continue until the last operation ended. Insert Benchmark: 1 "
		"if writes were at most 1 s (or 1 % of the time) late, and at most 5 % "
		"had not started."),
	COLUMN(backlog, 0,
		"Number of operations that were scheduled but not done at the end of an "
		"open loop; 0 with a fixed count."),
	COLUMN(start_error_p99_ns, 1,
		"99th percentile of the delay between scheduled and actual start of "
		"operations (open loop)."),
	TIMES(read_resp, response[KIND_READ],
	      "response time of a read, from scheduled start to end (open loop)"),
	TIMES(write_resp, response[KIND_WRITE],
	      "response time of a write, from scheduled start to end (open loop)"),
	TIMES(scan_resp, response[KIND_SCAN],
	      "response time of a scan (seek with its range, or iteration step), "
	      "scheduled start to end (open loop)"),
	TEXT_COLUMN(rates,
		"Rate in each whole window of window_s, operations/s, separated by "
		"blanks. Operations after the last whole window are left out."),
	COLUMN(window_s, 0,
		"Length of the windows of the column rates: 1 s, or longer if there "
		"would be more than 512."),
	COLUMN(rate_cv, 4,
		"Coefficient of variation (standard deviation / mean) of the rates in "
		"the windows of window_s: 0 is perfectly even."),
	COLUMN(rate_range, 4,
		"Range of the rate over the last five rounds: (highest - lowest) / mean. "
		"A round is a tenth of the run, at least window_s."),
	COLUMN(rate_slope, 4,
		"Slope of the rate over the last five rounds, each a tenth of the run: "
		"change along the least-squares line / mean."),
	COLUMN(steady, 0,
		"1: throughput was steady, rate_range <= 0.2 and rate_slope <= 0.1 (SNIA "
		"PTS); 0: it was not; empty: runs below five windows of window_s."),
	COLUMN(steady_since_s, 0,
		"Time after the start from which throughput was steady until the end; "
		"empty: never."),
	COLUMN(rate_first_fifth, 1,
		"Rate in the first fifth of the windows of window_s, to compare with "
		"rate_last_fifth; empty: fewer than five windows."),
	COLUMN(rate_last_fifth, 1,
		"Rate in the last fifth of the windows of window_s, to compare with "
		"rate_first_fifth; empty: fewer than five windows."),
	COLUMN(until_steady_s, 3,
		"Time limit within which throughput had to become steady "
		"(--until_steady)."),
	COLUMN(fairness, 4,
		"Jain's fairness index of the threads' rates: 1 if all are equal, 1 / "
		"threads if one thread did everything."),
	COLUMN(longest_stall_ms, 3,
		"Longest time in which a thread finished no operation; in an open loop, "
		"while one was scheduled."),
	USAGE(user_s, 6, "CPU time of the process in user mode."),
	USAGE(sys_s, 6, "CPU time of the process in the kernel."),
	COLUMN(cpu_percent, 1,
		"CPU use of the process: (user_s + sys_s) / seconds; 100 is one CPU."),
	COLUMN(cpu_us_per_op, 4,
		"CPU time per operation: (fg_cpu_s + bg_cpu_s) / operations. It "
		"includes the harness's loop in the calling threads "
		"(engine_fg_us_per_op does not) and the engine's own threads."),
	COLUMN(fg_cpu_s, 6,
		"CPU time of the threads that call the engine, background threads of the "
		"workload included."),
	COLUMN(bg_cpu_s, 6,
		"CPU time of the engine's own background threads, user mode and kernel."),
	COLUMN(harness_cpu_s, 6,
		"CPU time of the harness's own threads (monitor, timeline, traces): "
		"user_s + sys_s - fg_cpu_s - bg_cpu_s."),
	COLUMN(engine_fg_us_per_op, 4,
		"CPU time of the threads that call the engine, without the harness, per "
		"operation: 1e6 * fg_cpu_s / operations - harness_ns_per_op / 1000."),
	COLUMN(engine_bg_us_per_op, 4,
		"CPU time of the engine's own threads per operation: bg_cpu_s / "
		"operations."),
	COLUMN(kernel_us_per_op, 4,
		"CPU time of the process in the kernel per operation, part of the two "
		"columns before: sys_s / operations."),
	COLUMN(off_cpu_us_per_op, 4,
		"Time per operation in which threads that call the engine were not on a "
		"CPU: blocked, waiting for a core, or for a scheduled start."),
	COLUMN(runnable_us_per_op, 4,
		"Time per operation in which these threads could run and waited for a "
		"core, part of off_cpu_us_per_op; empty: the kernel does not tell."),
	COLUMN(device_busy_us_per_op, 4,
		"Time per operation in which the device under the database had requests: "
		"device_busy_s / operations; empty: runs below one second."),
	COLUMN(cpu_used_percent, 2,
		"CPU use, as a percentage of what was possible. The larger of two: time "
		"of the threads on a CPU; CPU time of process and servers on the cores "
		"that the hypervisor left."),
	COLUMN(cpu_demand_percent, 2,
		"CPU use as it would be if threads never waited for a core: "
		"cpu_used_percent with the time of runnable_us_per_op as time on a CPU."),
	COLUMN(harness_percent, 2,
		"Percentage of an operation's time in its thread that the harness "
		"takes, by harness_ns_per_op."),
	TEXT_COLUMN(bound_by,
		"Limit of the rate: rate (the target was met), harness, sync, cpu, "
		"device, lock or unclear; docs/why.md has the rules."),
	TEXT_COLUMN(bound_by_detail, "Number that bound_by rests on."),
	USAGE(ctx_voluntary, 0, "Number of voluntary context switches of the process."),
	USAGE(ctx_involuntary, 0,
		"Number of involuntary context switches of the process."),
	USAGE(faults_major, 0,
		"Number of page faults that waited for a read from a device."),
	USAGE(faults_minor, 0, "Number of page faults that were served from memory."),
	USAGE(fs_in_blocks, 0,
		"Number of 512-byte blocks that the process read from file systems "
		"(getrusage)."),
	USAGE(fs_out_blocks, 0,
		"Number of 512-byte blocks that the process wrote to file systems "
		"(getrusage): io_write_bytes / 512."),
	USAGE(io_read_bytes, 0,
		"Bytes that the process caused to be read from a device (/proc/self/io); "
		"reads from the page cache do not count."),
	USAGE(io_write_bytes, 0,
		"Bytes of pages that the process dirtied (write_bytes of /proc/self/io). "
		"The kernel counts large folios completely, so that the number can be "
		"too high."),
	USAGE(io_wchar_bytes, 0,
		"Bytes that the process passed to write calls (wchar of /proc/self/io); "
		"writes through a memory map do not count."),
	USAGE(io_write_calls, 0,
		"Number of write calls of the process (syscw of /proc/self/io)."),
	COLUMN(io_write_overcharged, 0,
		"1: io_write_bytes and fs_out_blocks exceed what the write calls can "
		"have dirtied; 0: they do not. Empty: the engine writes through a map or "
		"by io_submit, or /proc/self/io is unreadable."),
	USAGE(device_reads, 0,
		"Number of reads by the device under the database, for all processes "
		"(/proc/diskstats)."),
	USAGE(device_read_bytes, 0,
		"Bytes read from the device under the database, for all processes "
		"(/proc/diskstats)."),
	USAGE(device_writes, 0,
		"Number of writes by the device under the database, for all processes "
		"(/proc/diskstats)."),
	USAGE(device_write_bytes, 0,
		"Bytes written to the device under the database, for all processes. Data "
		"that is still in the page cache is written later."),
	USAGE(device_flushes, 0,
		"Number of times that the device under the database "
		"flushed its own cache."),
	USAGE(device_busy_s, 6,
		"Time in which the device under the database had requests."),
	COLUMN(device_reads_per_op, 4,
		"Device reads per operation: device_reads / operations of all threads."),
	COLUMN(device_read_bytes_per_op, 1,
		"Bytes read from the device per operation: device_read_bytes / "
		"operations of all threads."),
	COLUMN(device_busy_percent, 2,
		"Percentage of the benchmark's time in which the device under the "
		"database had requests; empty: runs below one second."),
	TEXT_COLUMN(counters,
		"Scope of the CPU's event counters in the columns cycles to tlb_misses: "
		"all, or user (without the kernel); empty: no counters."),
	USAGE(cycles, 0, "Number of CPU cycles of the process during the benchmark."),
	USAGE(instructions, 0,
		"Number of CPU instructions of the process during the benchmark."),
	USAGE(cache_misses, 0,
		"Number of last-level cache misses of the process during the benchmark."),
	USAGE(tlb_misses, 0,
		"Number of reads of the process that missed the TLB during the "
		"benchmark."),
	COLUMN(cycles_per_op, 1,
		"CPU cycles per operation of all threads: cycles / operations."),
	COLUMN(instructions_per_op, 1,
		"CPU instructions per operation of all threads: instructions / "
		"operations."),
	COLUMN(cache_misses_per_op, 3,
		"Last-level cache misses per operation of all threads: cache_misses / "
		"operations."),
	COLUMN(tlb_misses_per_op, 3,
		"TLB read misses per operation of all threads: tlb_misses / operations."),
	FOOTPRINT(rss_kb, 0,
		"Resident memory of the process after the last operation: rss_anon_kb + "
		"rss_file_kb + shared memory."),
	FOOTPRINT(rss_anon_kb, 0,
		"Anonymous resident memory of the process after the last operation: "
		"heap, stacks, the engine's own caches."),
	FOOTPRINT(rss_file_kb, 0,
		"Resident memory of the process that maps files, after the last "
		"operation, such as a memory-mapped database."),
	FOOTPRINT(peak_rss_kb, 0,
		"Peak resident memory of the process during the benchmark; since the "
		"process began where the kernel cannot reset it."),
	COLUMN(memory_limit_kb, 0,
		"Memory limit of the run, page cache included (--memory); empty: no "
		"limit."),
	COLUMN(malloc_arenas, 0,
		"Number of arenas that glibc's malloc could use (--malloc_arenas); "
		"empty: glibc's own number."),
	COLUMN(cgroup_peak_kb, 0,
		"Peak memory charged to the run's control group during the benchmark. "
		"With cgroup version 2 before Linux 6.12: since the program began."),
	COLUMN(page_cache_kb, 0,
		"Page cache charged to the run's control group after the last "
		"operation."),
	COLUMN(memory_used_kb, 0,
		"Memory used by the run. Under --memory: cgroup_peak_kb; else, at the "
		"end: rss_anon_kb + cached pages of the database's files (mincore)."),
	COLUMN(memory_stall_s, 6,
		"Time since the program began in which some thread waited for memory "
		"(PSI of the control group); empty: not reported."),
	COLUMN(run_disk_kb, 0,
		"Disk space of the database after the last operation, before settling."),
	COLUMN(disk_growth_kb, 0,
		"Growth of the database's files from the first operation to the last."),
	COLUMN(space_amp_run, 4,
		"Space amplification after the last operation: run_disk_kb / bytes of "
		"keys and values in the database; empty: number of records unknown."),
	COLUMN(db_apparent_kb, 0,
		"Total length of the database's files after settling and closing, holes "
		"included."),
	COLUMN(db_disk_kb, 0,
		"Disk space of the database's files after settling and closing, without "
		"holes."),
	COLUMN(db_extents, 0,
		"Number of extents of the database's files on the device (FIEMAP): "
		"fragmentation; empty: the file system does not report them."),
	COLUMN(space_amp, 4,
		"Space amplification after settling and closing: db_disk_kb / bytes of "
		"keys and values in the database; empty: number of records unknown."),
	COLUMN(write_amp, 4,
		"Write amplification at the kernel: io_wchar_bytes / bytes of written "
		"records (deletes: keys). Empty: the engine writes through a map or by "
		"io_submit."),
	COLUMN(write_amp_all_in, 4,
		"Write amplification at the kernel (write_amp), including the writes of "
		"settling and closing."),
	COLUMN(host_write_amp, 4,
		"Write amplification at the device: device_write_bytes / bytes of "
		"written records (deletes: keys). Other processes' writes count, too."),
	COLUMN(host_write_amp_all_in, 4,
		"Write amplification at the device (host_write_amp), including the "
		"writes of settling and closing."),
	COLUMN(nand_write_bytes, 0,
		"Bytes that the drive wrote to its flash during the benchmark, by its "
		"log (OCP C0h, read by nvme); empty: no such log."),
	COLUMN(nand_write_amp, 4,
		"Write amplification within the drive: nand_write_bytes / "
		"device_write_bytes. The drive's log may lag some seconds."),
	COLUMN(fs_out_per_write, 4,
		"File system blocks of 512 bytes per write: fs_out_blocks / writes, the "
		"Write Amp of Symas 2018. Empty: large folios may have made it too "
		"high."),
	COLUMN(commits, 0, "Number of write transactions that the engine acknowledged."),
	COLUMN(conflicts, 0,
		"Number of transactions that the engine rolled back because of another "
		"session."),
	COLUMN(retries, 0,
		"Number of operations repeated after conflicts; no other column counts "
		"the failed attempts."),
	COLUMN(retry_s, 6,
		"Time of all threads in failed attempts, which ended in a conflict. The "
		"latency of a write outside a transaction includes it."),
	USAGE(syncs, 0,
		"Number of sync calls of the process: fsyncs + fdatasyncs + msyncs + "
		"sync_file_ranges + dsync_writes."),
	USAGE(fsyncs, 0, "Number of fsync calls of the process."),
	USAGE(fdatasyncs, 0, "Number of fdatasync calls of the process."),
	USAGE(msyncs, 0, "Number of msync calls with MS_SYNC of the process."),
	USAGE(sync_file_ranges, 0, "Number of sync_file_range calls of the process."),
	USAGE(dsync_writes, 0,
		"Number of writes of the process to files opened with O_DSYNC or "
		"O_SYNC."),
	COLUMN(syncs_per_commit, 4, "Sync calls per commit: syncs / commits."),
	COLUMN(servers, 0,
		"Number of server processes that hold the records; CPU time, memory, "
		"counters and io_ columns are then the client's alone. Empty: the engine "
		"runs in this process."),
	COLUMN(round_trips, 0,
		"Number of times that a thread sent requests to the servers and waited "
		"for the replies; concurrent requests to several servers count once."),
	COLUMN(round_trips_per_op, 4,
		"Round trips to the servers per operation: round_trips / operations of "
		"all threads."),
	COLUMN(server_user_s, 6,
		"CPU time of the servers in user mode, including child processes that "
		"rewrite logs."),
	COLUMN(server_sys_s, 6,
		"CPU time of the servers in the kernel, including child processes that "
		"rewrite logs."),
	COLUMN(server_rss_kb, 0,
		"Resident memory of the servers after the last operation."),

	TEXT_COLUMN(timer,
		"Clock of the latencies: tsc (the CPU's cycle counter) or monotonic "
		"(clock_gettime)."),
	COLUMN(timer_ns, 2, "Cost of one clock reading, measured; part of each latency."),
	COLUMN(harness_ns_per_op, 2,
		"Baseline: cost of the harness per operation, measured just before with "
		"the null engine in the same loop."),
	TEXT_COLUMN(host, "Name of the machine."),
	TEXT_COLUMN(cpu, "Model name of the CPU."),
	COLUMN(cores, 0, "Number of CPUs that the process may use."),
	COLUMN(memory_kb, 0, "Memory of the machine."),
	TEXT_COLUMN(kernel, "Release of the kernel."),
	TEXT_COLUMN(filesystem, "Type of the file system under the database."),
	TEXT_COLUMN(mount_options,
		"Mount options of the file system under the database."),
	TEXT_COLUMN(device, "Device that the file system under the database is on."),
	TEXT_COLUMN(simulated_disk,
		"Settings of the simulated disk below the device (scripts/storage.sh "
		"--iops and others); empty: none."),
	TEXT_COLUMN(io_scheduler, "I/O scheduler of the device under the database."),
	COLUMN(read_ahead_kb, 0,
		"Kernel's read-ahead on the device under the database: up to this much "
		"may be read for one record of a memory-mapped engine."),
	TEXT_COLUMN(governor, "Frequency governor of the first CPU."),
	TEXT_COLUMN(turbo,
		"Whether turbo is on, so that CPUs may exceed their base frequency: on "
		"or off."),
	TEXT_COLUMN(smt,
		"Whether cores run several hardware threads: on, off, or the kernel's "
		"reason why not."),
	TEXT_COLUMN(thp,
		"Kernel setting of transparent huge pages: always, madvise or never."),
	TEXT_COLUMN(idle_reclaim,
		"Kernel mechanism that pages out idle memory (damon), visible to root "
		"only; empty: none known."),
	COLUMN(swappiness, 0,
		"Kernel setting vm.swappiness, 0 to 200: the higher, the more readily "
		"memory is swapped out."),
	COLUMN(numa_nodes, 0, "Number of NUMA nodes of the machine."),
	COLUMN(numa_node, 0,
		"Number of the NUMA node to which the run was bound (--numa_node); "
		"empty: not bound."),
	COLUMN(load_before, 2, "Load average over one minute when the benchmark began."),
	COLUMN(load_after, 2,
		"Load average over one minute when the benchmark ended, including its "
		"own threads."),
	COLUMN(temperature_before_c, 1,
		"Temperature of the hottest thermal zone when the benchmark began."),
	COLUMN(temperature_after_c, 1,
		"Temperature of the hottest thermal zone when the benchmark ended."),
	COLUMN(steal_percent, 2,
		"Percentage of the machine's CPU time that the hypervisor gave to "
		"others; empty: runs below one second."),
	COLUMN(others_cpu_percent, 2,
		"Percentage of the machine's CPU time that other processes and kernel "
		"threads used; empty: runs below one second, or /proc/stat unreadable."),
	TEXT_COLUMN(warnings,
		"Conditions that may have disturbed the measurement; empty: none known."),
	TEXT_COLUMN(commit, "Version of this suite, as git describes it."),
	TEXT_COLUMN(program,
		"Hash of this program's code and data, without the name of the commit "
		"and shared libraries; empty: this system cannot read them."),
	TEXT_COLUMN(build, "Compiler of this program."),
	TEXT_COLUMN(command, "Command line that repeats this benchmark."),
};

/* The columns above, until others are added. */
static struct row_file_columns result_row = {
	columns_of_result, sizeof columns_of_result / sizeof *columns_of_result};
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

double result_p99(const struct result *r)
{
	for (int k = 0; k < KINDS; k++)
		if (!isnan(r->latency[k].p99_ns))
			return r->latency[k].p99_ns;
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
	size_t n = (size_t)snprintf(name, sizeof name, "Benchmark%c%s/engine=",
				    toupper((unsigned char)line->name[0]),
				    line->name + 1);

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
		 !line->invalid_reason        ? ""
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
