/*
 * resource_usage.h: the process's resource usage over an interval: getrusage and /proc.
 *
 * Every member is a double, so that an unknown one is NaN and stays NaN through a
 * subtraction.
 */
#ifndef UTIL_OS_RESOURCE_USAGE_H
#define UTIL_OS_RESOURCE_USAGE_H

#include <pthread.h>
#include <stdbool.h>

struct resource_usage {
	double user_s, sys_s;
	/* user and system time, from the finer clock that per-thread times use */
	double cpu_s;
	double ctx_voluntary, ctx_involuntary;
	double faults_major, faults_minor;
	double fs_in_blocks, fs_out_blocks; /* 512 bytes each */
	/* bytes that reached, or will reach, a device */
	double io_read_bytes, io_write_bytes;
	/* bytes written by system calls, and the number of these calls */
	double io_wchar_bytes, io_write_calls;
	/* syncs by type, and their sum */
	double fsyncs, fdatasyncs, msyncs, sync_file_ranges, dsync_writes, syncs;
	/* all processes together; known after resource_usage_watch */
	double device_reads, device_read_bytes, device_writes, device_write_bytes,
		device_flushes, device_busy_s;
	/* busy with any task; taken by the hypervisor */
	double machine_cpu_s, steal_s;
	/* of this process, after resource_usage_watch */
	double cycles, instructions, cache_misses, tlb_misses;
};

/*
 * Starts counting for the device under `path` (NULL: none), and the CPU's counters for
 * this thread and those that it starts. Call it once per process.
 */
void resource_usage_watch(const char *path);

/* "all" or "user", as in perf.h, or NULL. */
const char *resource_usage_counter_scope(void);

/*
 * Current memory of the process, KiB; the peak is since the last
 * resource_usage_reset_peak.
 */
struct footprint {
	double rss_kb, rss_anon_kb, rss_file_kb, peak_rss_kb;
};

struct resource_usage resource_usage_read(void);
struct resource_usage resource_usage_since(const struct resource_usage *before,
					   const struct resource_usage *after);
struct footprint resource_usage_footprint(void);

/*
 * Resets the peak where the kernel can (Linux); otherwise it is that of the whole
 * process.
 */
void resource_usage_reset_peak(void);

/*
 * CPU time of the calling thread, seconds. RUSAGE_THREAD would be rounded to ticks by
 * some kernels.
 */
double resource_usage_thread_cpu(void);

/* CPU time of another thread, which must not have been joined; NaN if unknown. */
double resource_usage_cpu_of(pthread_t thread);

/*
 * 1 if io_write_bytes exceeds the bytes that write calls can have dirtied, else 0; NaN if
 * they are unknown. Linux charges a whole folio when one page of it is dirtied: with
 * large folios up to 2 MiB for 4 KiB (task_io_account_write). Valid only for processes
 * that write by calls.
 */
double resource_usage_overcharged(const struct resource_usage *spent);

/*
 * Returns a sentence on why a measurement cannot be true, or NULL. Either a counter ran
 * backwards, or more CPU time was used than `wall` seconds of `cpus` CPUs have.
 * `foreground` is the CPU time of `threads` threads. The kernel's own bookkeeping may be
 * off by a tenth of a second and 2 %.
 */
const char *resource_usage_implausible(const struct resource_usage *spent,
				       double foreground, double wall_s, unsigned threads,
				       unsigned cpus);

#endif
