/*
 * usage.h: what a span of work cost the process: getrusage and /proc.
 *
 * Every figure is a double so that one that could not be had is NaN and stays NaN through
 * a subtraction.
 */
#ifndef USAGE_H
#define USAGE_H

#include <pthread.h>
#include <stdbool.h>

struct usage {
	double user_s, sys_s;
	/* the two together, from the finer clock that threads are told apart by */
	double cpu_s;
	double ctx_voluntary, ctx_involuntary;
	double faults_major, faults_minor;
	double fs_in_blocks, fs_out_blocks; /* 512 bytes each */
	double io_read_bytes, io_write_bytes; /* that reached, or will reach, a device */
	/* handed to the kernel by calls that write, and how many those were */
	double io_wchar_bytes, io_write_calls;
	/* flushes: all kinds */
	double fsyncs, fdatasyncs, msyncs, sync_file_ranges, dsync_writes, flushes;
	/* of all processes together; known after usage_watch */
	double device_reads, device_read_bytes, device_writes, device_write_bytes,
		device_flushes, device_busy_s;
	/* at work on anything; kept from us by the hypervisor */
	double machine_cpu_s, steal_s;
	/* of this process, after usage_watch */
	double cycles, instructions, cache_misses, tlb_misses;
};

/*
 * Have the device under `path` (NULL: none) watched from here on, and the processor's
 * counters for this thread and those it will start. Once in a process.
 */
void usage_watch(const char *path);

/* "all" or "user", as in perf.h, or NULL. */
const char *usage_counter_scope(void);

/* What the process occupies now, in KiB; peak since the last usage_reset_peak. */
struct footprint {
	double rss_kb, rss_anon_kb, rss_file_kb, peak_rss_kb;
};

struct usage usage_read(void);
struct usage usage_since(const struct usage *before, const struct usage *after);
struct footprint footprint_read(void);

/*
 * Have the peak start again from here, where the kernel can (Linux); otherwise it is the
 * process's.
 */
void usage_reset_peak(void);

/*
 * CPU time of the calling thread, in seconds. Not RUSAGE_THREAD, which some kernels round
 * to ticks.
 */
double usage_thread_cpu(void);

/* Of another one, which must not have been joined; NaN if it cannot be had. */
double usage_cpu_of(pthread_t thread);

/*
 * Whether io_write_bytes is more than the calls that write can have dirtied. Linux
 * charges a whole folio when one page of it is dirtied, and with large folios that is up
 * to 2 MiB for 4 KiB (task_io_account_write). Only for who writes by calls.
 */
bool usage_overcharged(const struct usage *spent);

/*
 * A sentence on why a measurement cannot be true, or NULL: a counter ran backwards, or
 * more CPU time than `wall` seconds of `cpus` processors hold. foreground is the
 * CPU time of `threads` threads. A tenth of a second and 2 % are allowed for the
 * kernel's own bookkeeping.
 */
const char *usage_doubt(const struct usage *spent, double foreground, double wall,
			unsigned threads, unsigned cpus);

#endif
