/* result.c: the columns table and the writers that walk it; see result.h. */
#include "result.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "stats.h"

const char *const result_kinds[KINDS] = {"read", "write", "scan"};
const char *const result_formats[] = {"rocksdb", "leveldb", "dbbench", "gobench", NULL};

#define TEXT_COLUMN(name, help) {#name, help, offsetof(struct result, name), TABLE_TEXT}
#define USAGE(name, digits, help)                                        \
	{                                                                \
#name, help, offsetof(struct result, usage.name), digits \
	}
#define FOOTPRINT(name, digits, help)                                        \
	{                                                                    \
#name, help, offsetof(struct result, footprint.name), digits \
	}
#define COLUMN(name, digits, help) {#name, help, offsetof(struct result, name), digits}
#define TIME(name, times, figure, help)                                           \
	{                                                                         \
#name "_" #figure, help, offsetof(struct result, times.figure), 1 \
	}
#define TIMES(name, times, what)                                            \
	TIME(name, times, min_ns, "Shortest " what "."),                     \
	TIME(name, times, mean_ns, "Mean " what "."),                        \
	TIME(name, times, stddev_ns, "Standard deviation of a " what "."),   \
	TIME(name, times, p50_ns, "Median " what "; bucket error below 0.4 %."), \
	TIME(name, times, p90_ns, "90th percentile of a " what "."),         \
	TIME(name, times, p95_ns, "95th percentile of a " what "."),         \
	TIME(name, times, p99_ns, "99th percentile of a " what "."),         \
	TIME(name, times, p999_ns, "99.9th percentile of a " what "."),      \
	TIME(name, times, p9999_ns, "99.99th percentile of a " what "."),    \
	TIME(name, times, max_ns, "Longest " what ".")

#define ASIDE_FIGURE(part, field, digits, help) \
	{#part "_" #field, help, offsetof(struct result, part.field), digits}
#define ASIDE(part, what)                                                      \
	ASIDE_FIGURE(part, seconds, 6, "Seconds of " what "."),                \
		ASIDE_FIGURE(part, io_read_bytes, 0,                           \
			     "Bytes fetched from a device in " what "."),      \
		ASIDE_FIGURE(part, io_write_bytes, 0,                          \
			     "Bytes sent to a device in " what "."),           \
		ASIDE_FIGURE(part, io_wchar_bytes, 0,                          \
			     "Bytes handed to calls that write in " what "."), \
		ASIDE_FIGURE(part, device_write_bytes, 0,                      \
			     "Bytes the device was written in " what "."),     \
		ASIDE_FIGURE(part, flushes, 0, "Calls that force data in " what ".")

/* A row is a column, and rows are alike because they are rows. */
static const struct table_column columns_of_result[] = {
	TEXT_COLUMN(schema, "Version of this table."),
	TEXT_COLUMN(time, "When the benchmark began, UTC."),
	TEXT_COLUMN(engine, "Name of the engine, as in bench_NAME."),
	TEXT_COLUMN(label, "Name of this configuration (--label), or the engine's."),
	TEXT_COLUMN(engine_version, "Version the library reports."),
	TEXT_COLUMN(engine_build, "The library that was loaded, how it was built, and "
				  "what makes that unfit for comparison."),
	TEXT_COLUMN(allocator,
		    "The library that malloc comes from, such as one in LD_PRELOAD."),
	TEXT_COLUMN(engine_options,
		    "Settings in effect, read back from the engine where it lets us."),
	TEXT_COLUMN(benchmark, "Name of the workload."),
	COLUMN(threads, 0,
	       "Threads asked for; readwhilewriting runs one more, its writer, and steps "
	       "of the Insert Benchmark one or two more for each, which are its "
	       "clients."),
	COLUMN(num, 0, "Size of the key space; a complete load holds this many records."),
	COLUMN(device_share, 4,
	       "Share of the file system or device that num was made to fill "
	       "(--device_share); empty: num was given."),
	COLUMN(key_size, 0, "Bytes in a key."),
	TEXT_COLUMN(key_format, "How keys are written: decimal, hex, binary "
				"(big-endian), user (YCSB's), native."),
	COLUMN(value_size, 0, "Bytes in a value; the mean, where they differ."),
	TEXT_COLUMN(value_sizes, "Its size, range of sizes, or list of sizes."),
	COLUMN(batch_size, 0, "Writes in a transaction."),
	TEXT_COLUMN(distribution,
		    "How keys are chosen, with the distribution's parameters."),
	TEXT_COLUMN(
		mix,
		"Operations by weight, of mix and of what has several or could have."),
	TEXT_COLUMN(scan_length, "Records in each range."),
	COLUMN(age, 0,
	       "Passes of --age that the database had behind it: each overwrote all of"
	       " it at random, and deleted and put back a tenth; empty: none."),
	COLUMN(queues, 0, "Queues (of the workload queue)."),
	COLUMN(queue_deletes, 2, "Share of its operations that deleted the head of one."),
	COLUMN(txn_reads, 0, "Reads in one view of the database."),
	COLUMN(txn, 0, "1: read-modify-writes were transactions, or all operations are."),
	COLUMN(warmup_s, 3, "Seconds at work before the figures began."),
	TEXT_COLUMN(cold, "What was dropped from memory before, checked by mincore "
			  "(--cold=1): its files, all files too, or the device's pages."),
	TEXT_COLUMN(durability, "What a commit promises: none, async (survives kill -9) "
				"or sync (power cut)."),
	TEXT_COLUMN(
		durability_given,
		"What the engine makes of it: the same, or the next stronger promise."),
	TEXT_COLUMN(torn_batches,
		    "How a batch can be there in part: seen (by other threads, before "
		    "its commit), abandoned, crash; empty: atomic."),
	COLUMN(cache_bytes, 0,
	       "Cache the engine was given; empty if it has none of its own."),
	COLUMN(write_buffer_bytes, 0,
	       "Memtable the engine was given; empty if it has none."),
	TEXT_COLUMN(compression, "Compression of the engine's blocks."),
	COLUMN(seed, 0,
	       "Seed of all randomness; the same seed asks every engine the same."),
	COLUMN(repeat, 0,
	       "Which repetition of this benchmark in its process (name[X5]), from 1."),
	COLUMN(repetition, 0,
	       "Which repetition in a fresh process (--repeat, or sweep.sh's), from 1."),
	COLUMN(isolated, 0, "1: in a process of its own."),
	TEXT_COLUMN(cpus, "Processors it was pinned to (--cpus)."),
	COLUMN(valid, 0, "1: believe this row. 0: see void_because."),
	COLUMN(partial, 0, "1: the run ended before its work was done."),
	TEXT_COLUMN(emulated, "What the engine lacks and was made from its other calls."),
	TEXT_COLUMN(touch, "Which returned bytes were looked at inside the timed call."),
	TEXT_COLUMN(void_because, "Why the row is void."),

	COLUMN(ops, 0, "Operations done by the threads asked for."),
	COLUMN(reads, 0, "Point reads, by all threads."),
	COLUMN(writes, 0, "Puts and deletes, by all threads."),
	COLUMN(scans, 0, "Range operations: records of an iteration, or seeks."),
	COLUMN(entries, 0,
	       "Records read or written by the threads asked for; a seek reads a range "
	       "of them."),
	COLUMN(found, 0,
	       "Reads, seeks and deletes that met their record; deletes only of an "
	       "engine that tells (emulated says which do not)."),
	COLUMN(missing, 0,
	       "Reads, seeks and deletes that met none; empty where blind deletes are "
	       "all there was."),
	COLUMN(lost, 0,
	       "Of the missing, and of what iterations left out (--verify=1), those that "
	       "must have been there."),
	COLUMN(wrong, 0,
	       "Records with wrong bytes, empty without --verify=1; or that should not "
	       "exist."),
	COLUMN(out_of_order, 0,
	       "Records of an iteration that did not follow the one before; empty "
	       "without --verify=1."),
	COLUMN(errors, 0, "Calls the engine failed."),
	COLUMN(bytes, 0, "Key and value bytes moved by the threads asked for."),
	COLUMN(seconds, 6,
	       "First start to last finish of the threads asked for; of an open loop at "
	       "least its --duration, or operations / rate."),
	COLUMN(overrun_s, 6, "Seconds beyond --duration: a call that was late to end."),
	COLUMN(ops_per_sec, 1, "ops / seconds."),
	COLUMN(entries_per_sec, 1, "entries / seconds."),
	COLUMN(reads_per_sec, 1, "reads / seconds."),
	COLUMN(writes_per_sec, 1, "writes / seconds of the threads that wrote."),
	COLUMN(fresh_share, 4,
	       "ops_per_sec / that of the same workload and threads in the same list "
	       "before the database was aged, where it was there."),
	COLUMN(rows_per_sec, 1,
	       "Rows that the Insert Benchmark inserted, or indexed, / seconds."),
	COLUMN(rows_worst_second, 0,
	       "Fewest rows in a whole second, all clients together; empty below "
	       "three seconds."),
	COLUMN(queries_per_sec, 1, "Its queries / seconds."),
	COLUMN(queries_worst_second, 0,
	       "Fewest queries in a whole second, all clients together; empty below "
	       "three seconds."),
	COLUMN(storage_reads_per_query, 3,
	       "device_reads / queries: for all processes, and for the inserts and "
	       "deletes beside them, too."),
	COLUMN(read_kb_per_query, 3, "KiB of device_read_bytes / queries."),
	COLUMN(cpu_us_per_query, 2,
	       "Microseconds of processor time of the whole process / queries."),
	COLUMN(ctx_per_query, 3, "Context switches of the whole process / queries."),
	COLUMN(index_check, 0,
	       "1: after the step each index entry was held against its row, and each "
	       "row against its entries (--ib_check); 0: not."),
	COLUMN(table_rows, 0, "Rows that this found."),
	COLUMN(index_entries, 0,
	       "Index entries that it found: three for each row, once there are "
	       "indexes."),
	COLUMN(distinct_keys, 0,
	       "Different keys that were drawn, estimated within 2 % (exact below "
	       "50,000)."),
	COLUMN(top1pct_share, 4,
	       "Share of the draws that fell on the 1 % of keys, or ranks, that the "
	       "distribution favours."),
	TEXT_COLUMN(digest,
		    "Fold of all bytes read; equal for every engine at one seed and "
		    "thread count. The null engine has one with --verify=1 only."),
	COLUMN(open_seconds, 6, "Opening the database, if this benchmark opened it."),
	ASIDE(settle, "waiting until the engine owed no work (--settle=1)"),
	ASIDE(close, "closing the database, if it was closed after this benchmark"),
	COLUMN(ops_per_sec_all_in, 1,
	       "ops / (seconds + settle_seconds + close_seconds), where there was "
	       "either."),

	COLUMN(mean_us, 4,
	       "Mean microseconds an operation took (with --latency=0, of the thread's "
	       "time)."),
	TIMES(read, latency[KIND_READ], "read call"),
	TIMES(write, latency[KIND_WRITE], "write call"),
	TIMES(scan, latency[KIND_SCAN], "scan call"),
	COLUMN(rate, 1,
	       "Operations a second that were due (open loop), by all threads that had a "
	       "rate."),
	TEXT_COLUMN(arrivals, "How they were due: constant or poisson."),
	COLUMN(rate_kept, 0,
	       "0: more than 1 % of what was due had not been begun at the end."),
	COLUMN(backlog, 0, "Operations that were due at the end and had not been begun."),
	COLUMN(start_error_p99_ns, 1,
	       "How late the latest hundredth of the operations of an open loop began."),
	TIMES(read_resp, response[KIND_READ],
	      "response of a read, from when it was due (open loop)"),
	TIMES(write_resp, response[KIND_WRITE],
	      "response of a write, from when it was due (open loop)"),
	TIMES(scan_resp, response[KIND_SCAN],
	      "response of a scan, from when it was due (open loop)"),
	TEXT_COLUMN(rates, "Operations a second in each window of window_s."),
	COLUMN(window_s, 0,
	       "Seconds in a window: 1, or as many more as keep them below 512."),
	COLUMN(rate_cv, 4, "Coefficient of variation of the windows' rates."),
	COLUMN(rate_range, 4,
	       "(highest - lowest) / mean rate of the last five rounds, each a tenth of "
	       "the run."),
	COLUMN(rate_slope, 4, "Change of the least-squares line through them / mean."),
	COLUMN(steady, 0,
	       "1: rate_range <= 0.2 and rate_slope <= 0.1 (SNIA PTS); empty below five "
	       "rounds."),
	COLUMN(steady_since_s, 0, "Second from which on every five rounds kept that."),
	COLUMN(rate_first_fifth, 1,
	       "Operations a second in the first fifth of the windows of window_s; empty "
	       "below five windows."),
	COLUMN(rate_last_fifth, 1,
	       "Operations a second in the last fifth of the windows of window_s; empty "
	       "below five windows."),
	COLUMN(until_steady_s, 3,
	       "Seconds that it could take until it was steady (--until_steady), and "
	       "its end if it never was."),
	COLUMN(fairness, 4,
	       "Jain's index over the threads' rates: 1 all equal, 1/threads one did "
	       "all."),
	COLUMN(longest_gap_ms, 3, "Longest time in which some thread finished nothing."),
	COLUMN(probe_rate, 0,
	       "Reads a second that were due to the probe beside the others "
	       "(--probe_rate)."),
	COLUMN(probe_reads, 0, "Reads that it did; they are in no other figure."),
	COLUMN(probe_missing, 0, "Of these, how many met no record."),
	COLUMN(probe_backlog, 0,
	       "Reads of it that were due at the end and had not been begun."),
	TIMES(probe, probe, "read call of the probe"),
	TIMES(probe_resp, probe_response,
	      "response to the probe, from when its read was due"),
	TEXT_COLUMN(backup_by,
		    "How a backup was made (--backup, or the workload): by the "
		    "engine's own call, or by copying its files while all wait."),
	COLUMN(backup_at_s, 3,
	       "Seconds after the start at which it was to begin beside the others "
	       "(--backup)."),
	COLUMN(backup_s, 6, "Seconds that it took."),
	COLUMN(backup_bytes, 0,
	       "Length of the copy's files; links are as long as what they are of."),
	COLUMN(backup_bytes_per_sec, 0, "backup_bytes / backup_s."),
	COLUMN(backup_ops_per_sec, 1,
	       "Operations a second of the threads asked for meanwhile."),
	COLUMN(backup_ops_share, 4,
	       "That / their rate in the rest of the run: what the backup left of it."),
	COLUMN(backup_records, 0, "Records in the copy, which was opened afterwards."),
	TEXT_COLUMN(backup_digest, "Fold of all its bytes, as readseq of it has."),
	COLUMN(backup_of_moment, 0,
	       "1: it is the database of one moment between its beginning and its end;"
	       " empty where nobody looked (--verify=1, beside fills and overwrites)."),
	COLUMN(long_reader_s, 3,
	       "Seconds for which a thread beside the others held each view of the "
	       "database (--long_reader)."),
	COLUMN(views, 0, "Views that it held to their end, or to that of the run."),
	COLUMN(view_reads, 0, "Reads through them; they are in no other figure."),
	COLUMN(views_taken_back, 0, "Views that the engine gave up before."),
	COLUMN(view_s, 3, "Seconds in which a view was held."),
	COLUMN(view_ops_per_sec, 1,
	       "Operations a second of the threads asked for in those."),
	COLUMN(view_disk_growth_kb, 0,
	       "What the database's files grew by in those, KiB."),
	COLUMN(view_memory_growth_kb, 0,
	       "What the process's own memory grew by in those, KiB."),
	COLUMN(pause_s, 3, "Seconds in which none was held, of --long_reader_pause."),
	COLUMN(pause_ops_per_sec, 1,
	       "Operations a second of the threads asked for in those."),
	COLUMN(pause_disk_growth_kb, 0,
	       "What the database's files grew by in those, KiB."),
	COLUMN(pause_memory_growth_kb, 0,
	       "What the process's own memory grew by in those, KiB."),

	USAGE(user_s, 6, "Processor seconds in user mode, whole process."),
	USAGE(sys_s, 6, "Processor seconds in the kernel, whole process."),
	COLUMN(cpu_percent, 1, "(user_s + sys_s) / seconds; 100 is one processor."),
	COLUMN(cpu_us_per_op, 4,
	       "CPU time of the whole process, the engine's threads included, by "
	       "operation of all threads."),
	COLUMN(fg_cpu_s, 6, "Processor seconds of the benchmark's own threads."),
	COLUMN(bg_cpu_s, 6, "Processor seconds of the engine's background threads."),
	USAGE(ctx_voluntary, 0, "Voluntary context switches."),
	USAGE(ctx_involuntary, 0, "Involuntary context switches."),
	USAGE(faults_major, 0, "Page faults that read from a device."),
	USAGE(faults_minor, 0, "Page faults that did not."),
	USAGE(fs_in_blocks, 0,
	      "Blocks of 512 bytes read by the file system (getrusage)."),
	USAGE(fs_out_blocks, 0,
	      "Blocks of 512 bytes written by the file system (getrusage): "
	      "io_write_bytes in other words."),
	USAGE(io_read_bytes, 0, "Bytes fetched from a device (/proc/self/io)."),
	USAGE(io_write_bytes, 0,
	      "Bytes of pages that the kernel says were dirtied (write_bytes of "
	      "/proc/self/io): too many where a page is part of a large folio, which is "
	      "charged whole."),
	USAGE(io_wchar_bytes, 0,
	      "Bytes handed to calls that write (wchar of /proc/self/io); of those "
	      "changed through a map, none."),
	USAGE(io_write_calls, 0, "Calls that write (syscw)."),
	COLUMN(io_write_overcharged, 0,
	       "1: io_write_bytes, and fs_out_blocks with it, is more than those calls "
	       "can have dirtied; empty where the engine writes through a map, or by "
	       "io_submit."),
	USAGE(device_reads, 0,
	      "Reads that the device under the database did, for all processes "
	      "(/proc/diskstats)."),
	USAGE(device_read_bytes, 0, "Bytes it was read."),
	USAGE(device_writes, 0, "Writes it did, for all processes."),
	USAGE(device_write_bytes, 0,
	      "Bytes it was written; what is still in the page cache comes later."),
	USAGE(device_flushes, 0, "Times its own cache was emptied."),
	USAGE(device_busy_s, 6, "Seconds in which it had something to do."),
	COLUMN(device_reads_per_op, 4, "device_reads / operations of all threads."),
	COLUMN(device_read_bytes_per_op, 1,
	       "device_read_bytes / operations of all threads."),
	COLUMN(device_busy_percent, 2,
	       "Share of the benchmark's seconds in which the device under the database "
	       "had something to do."),
	TEXT_COLUMN(counters, "What the processor's counters count: all, or user (the "
			      "kernel's work is left out); empty: none."),
	USAGE(cycles, 0, "Processor cycles of the process."),
	USAGE(instructions, 0, "Instructions of the process."),
	USAGE(cache_misses, 0, "Misses of the last cache."),
	USAGE(tlb_misses, 0, "Reads whose page was not in the TLB."),
	COLUMN(cycles_per_op, 1, "cycles / operations of all threads."),
	COLUMN(instructions_per_op, 1, "instructions / operations of all threads."),
	COLUMN(cache_misses_per_op, 3, "cache_misses / operations of all threads."),
	COLUMN(tlb_misses_per_op, 3, "tlb_misses / operations of all threads."),
	FOOTPRINT(rss_kb, 0, "Resident memory when the threads had ended, KiB."),
	FOOTPRINT(rss_anon_kb, 0, "Of that, the process's own."),
	FOOTPRINT(rss_file_kb, 0, "Of that, mapped files: a mapped database shows here."),
	FOOTPRINT(peak_rss_kb, 0,
		  "Most resident memory during the benchmark (of the process, where the "
		  "kernel cannot reset it)."),
	COLUMN(memory_limit_kb, 0,
	       "Limit of the run's memory, page cache included (--memory), KiB; empty: "
	       "none."),
	COLUMN(malloc_arenas, 0,
	       "Arenas that glibc's malloc could use (--malloc_arenas); empty: as many "
	       "as it liked."),
	COLUMN(cgroup_peak_kb, 0,
	       "Most memory that was charged to it during the benchmark, KiB (since the "
	       "program began, where the kernel cannot begin anew: version 2 before "
	       "Linux 6.12)."),
	COLUMN(page_cache_kb, 0,
	       "Of that, pages of files when the threads had ended, KiB."),
	COLUMN(held_kb, 0,
	       "Memory that the run held, KiB: cgroup_peak_kb under --memory; else the "
	       "process's own (rss_anon_kb) and the pages of the database's files that "
	       "were in memory when the threads had ended, by mincore; "
	       "server_rss_kb where there are servers."),
	COLUMN(memory_stall_s, 6,
	       "Seconds in which something waited for memory since the program began "
	       "(PSI), where the kernel tells."),
	COLUMN(run_disk_kb, 0,
	       "Room the database took on the file system when the threads had ended, "
	       "KiB."),
	COLUMN(disk_growth_kb, 0,
	       "What that grew by from the first operation to the last, KiB."),
	COLUMN(space_amp_run, 4,
	       "run_disk / bytes of the records in a complete database."),
	COLUMN(db_apparent_kb, 0,
	       "Length of its files after settling and closing, where there was either, "
	       "KiB."),
	COLUMN(db_disk_kb, 0, "Room they took then, KiB."),
	COLUMN(db_extents, 0,
	       "Pieces that its files lie in on the device (FIEMAP), as far as they "
	       "are written; empty where the file system does not tell."),
	COLUMN(space_amp, 4, "db_disk / bytes of the records in a complete database."),
	COLUMN(write_amp, 4,
	       "io_wchar_bytes / bytes of the records written; empty where the engine "
	       "writes through a map, or by io_submit."),
	COLUMN(write_amp_all_in, 4, "write_amp with what settling and closing wrote."),
	COLUMN(host_write_amp, 4,
	       "Bytes that the host wrote to the device (device_write_bytes) / bytes "
	       "of the records written; other processes' writes count too."),
	COLUMN(host_write_amp_all_in, 4,
	       "host_write_amp with what settling and closing wrote."),
	COLUMN(nand_write_bytes, 0,
	       "Bytes that the drive wrote to its flash meanwhile, by its own count "
	       "(OCP log C0h, by the program nvme); empty where it does not tell."),
	COLUMN(nand_write_amp, 4,
	       "nand_write_bytes / device_write_bytes: what the drive makes of what "
	       "the host writes; its log may be some seconds old."),
	COLUMN(fs_out_per_write, 4,
	       "fs_out_blocks / writes: the Write Amp of Symas 2018; empty where large "
	       "folios make it too high."),
	COLUMN(commits, 0, "Transactions that wrote and were acknowledged."),
	COLUMN(aborts, 0,
	       "Transactions that a rule of the workload has ended: SmallBank's payments "
	       "by who has not got the money."),
	COLUMN(conflicts, 0,
	       "Times the engine gave way to another session and the work was done "
	       "again."),
	COLUMN(retries, 0,
	       "Operations that were undone by conflicts and done again; they are in no "
	       "other figure."),
	COLUMN(retry_s, 6,
	       "Seconds of all threads in calls that were undone; a write that is no "
	       "part of a transaction has them in its latency, too."),
	COLUMN(skews, 0,
	       "SmallBank's WriteChecks that are known to have decided by savings which "
	       "another transaction had changed and a third had seen: no order of "
	       "transactions explains that; snapshot isolation allows it."),
	USAGE(flushes, 0, "Calls that force data, all kinds, made by the process."),
	USAGE(fsyncs, 0, "fsync calls."),
	USAGE(fdatasyncs, 0, "fdatasync calls."),
	USAGE(msyncs, 0, "msync calls with MS_SYNC."),
	USAGE(sync_file_ranges, 0, "sync_file_range calls."),
	USAGE(dsync_writes, 0, "Writes to files opened with O_DSYNC or O_SYNC."),
	COLUMN(flushes_per_commit, 4, "flushes / commits."),
	COLUMN(servers, 0,
	       "Processes behind a socket that have the records: then processor time, "
	       "memory, counters and io_ columns are the client's alone, and what is "
	       "said of files and flushes is empty. Empty: the engine is in this "
	       "process."),
	COLUMN(round_trips, 0,
	       "Times a thread sent them something and waited for the answer; to several "
	       "of them at once is one."),
	COLUMN(round_trips_per_op, 4, "round_trips / operations of all threads."),
	COLUMN(server_user_s, 6,
	       "Processor seconds of the servers in user mode, children that rewrite "
	       "their logs included."),
	COLUMN(server_sys_s, 6, "Processor seconds of the servers in the kernel."),
	COLUMN(server_rss_kb, 0,
	       "Resident memory of the servers when the threads had ended, KiB."),

	TEXT_COLUMN(
		timer,
		"Clock of the latencies: tsc (the processor's counter) or monotonic."),
	COLUMN(timer_ns, 2,
	       "What one reading of it costs, measured; part of each latency."),
	COLUMN(harness_ns_per_op, 2,
	       "What the same loop costs with an engine that does nothing, measured just "
	       "before."),
	TEXT_COLUMN(host, "Name of the machine."),
	TEXT_COLUMN(cpu, "Its processor."),
	COLUMN(cores, 0, "Processors this process may use."),
	COLUMN(memory_kb, 0, "Its memory, KiB."),
	TEXT_COLUMN(kernel, "Its kernel."),
	TEXT_COLUMN(filesystem, "File system under the database."),
	TEXT_COLUMN(mount_options, "How that is mounted."),
	TEXT_COLUMN(device, "What it is mounted from."),
	TEXT_COLUMN(io_scheduler, "How the kernel orders that device's requests."),
	COLUMN(read_ahead_kb, 0,
	       "How much the kernel reads ahead on it: what a mapped engine may read for "
	       "one record, KiB."),
	TEXT_COLUMN(governor, "Frequency governor of the first processor."),
	TEXT_COLUMN(turbo, "Whether processors may run above their frequency: on, off."),
	TEXT_COLUMN(smt, "Whether cores run several threads: on, off, notsupported, ..."),
	TEXT_COLUMN(thp, "Transparent huge pages: always, madvise, never."),
	COLUMN(swappiness, 0, "vm.swappiness."),
	COLUMN(numa_nodes, 0, "NUMA nodes of the machine."),
	COLUMN(numa_node, 0, "The one it was bound to (--numa_node)."),
	COLUMN(load_before, 2, "Load average of a minute when the benchmark began."),
	COLUMN(load_after, 2, "And when it ended: its own threads count."),
	COLUMN(temperature_before_c, 1,
	       "Hottest thermal zone when it began, degrees Celsius."),
	COLUMN(temperature_after_c, 1, "And when it ended."),
	COLUMN(steal_percent, 2,
	       "Share of the processors' time that the hypervisor gave to others; empty "
	       "for less than a second."),
	COLUMN(others_cpu_percent, 2,
	       "Share of the processors' time that other processes and the kernel's "
	       "threads used."),
	TEXT_COLUMN(noise, "What makes the figures doubtful, if anything; they are "
			   "measured all the same."),
	TEXT_COLUMN(commit, "Version of this suite."),
	TEXT_COLUMN(build, "Compiler of this binary."),
	TEXT_COLUMN(command, "The command line; run again, it repeats the row."),
};

static const struct table result_table = {
	columns_of_result, sizeof columns_of_result / sizeof *columns_of_result};

struct result result_unknown(void)
{
	struct result r;

	memset(&r, 0, sizeof r); /* not all of it is columns */
	table_unknown(&result_table, &r);
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

double result_p99(const struct result *r)
{
	for (int k = 0; k < KINDS; k++)
		if (!isnan(r->latency[k].p99_ns))
			return r->latency[k].p99_ns;
	return NAN;
}

/*
 * A line of Go's benchmark format (golang.org/design/14313-benchmark-format): a name with
 * its configuration, the processors, operations, and figures with their units. No reader
 * takes a void row for one.
 */
static void print_gobench(const struct result_line *line, double rate)
{
	char name[256];
	size_t n = (size_t)snprintf(name, sizeof name, "Benchmark%c%s/engine=",
				    toupper((unsigned char)line->name[0]),
				    line->name + 1);

	for (const char *c = line->label; *c && n + 1 < sizeof name; c++)
		name[n++] = (char)(isspace((unsigned char)*c) || *c == '/' ? '_' : *c);
	name[n] = '\0';
	if (line->void_because) {
		printf("--- FAIL: %s/threads=%u-%u: %s\n", name, line->threads,
		       line->cores, line->void_because);
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
		 line->void_because ? (*text || *line->extra ? " INVALID: " : "INVALID: ")
				    : "",
		 line->void_because ? line->void_because : "");
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
		 * Theirs is elapsed time by operations, and has no space after the
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

/* Of n figures, those above 0 of `of`, which are sorted. */
static struct stats_sample summarize(double *x, unsigned of, unsigned n)
{
	stats_sort(x, of);
	return stats_describe(x + of - n, n);
}

void result_print_repeats(const char *name, double *ops_per_sec,
			  double *megabytes_per_sec, unsigned of)
{
	struct stats_sample ops, mb;
	unsigned n = 0;
	char runs[32];

	for (unsigned i = 0; i < of; i++)
		n += ops_per_sec[i] > 0;
	snprintf(runs, sizeof runs, n < of ? "%u of %u" : "%u", n, of);
	if (n < 2) {
		printf("%s [%s runs] : no average\n", name, runs);
		return;
	}
	ops = summarize(ops_per_sec, of, n);
	mb = summarize(megabytes_per_sec, of, n);
	printf("%s [AVG %s runs] : %.0f (\u00b1 %.0f) ops/sec; %6.1f (\u00b1 %.1f) "
	       "MB/sec\n",
	       name, runs, ops.mean, ops.margin, mb.mean, mb.margin);
	printf("%s [MEDIAN %s runs] : %.0f ops/sec; %6.1f MB/sec\n", name, runs,
	       ops.median, mb.median);
	fflush(stdout);
}

bool result_check_tsv(const char *path, char *error)
{
	return table_check_tsv(&result_table, path, error);
}

bool result_check_json(const char *path, char *error)
{
	return table_check_json(&result_table, path, error);
}

bool result_append_tsv(const char *path, const struct result *r, char *error)
{
	return table_append_tsv(&result_table, path, r, error);
}

bool result_append_json(const char *path, const struct result *r, char *error)
{
	return table_append_json(&result_table, path, r, error);
}

void result_columns(FILE *to)
{
	table_columns(&result_table, "", to);
}
