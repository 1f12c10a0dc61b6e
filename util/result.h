/*
 * result.h: one benchmark's result, and all its output formats.
 *
 * One table of columns (row_file.h) has each metric's name, help and digits. The TSV row,
 * the JSON line and the manual are generated from it.
 */
#ifndef UTIL_RESULT_H
#define UTIL_RESULT_H

#include <stdbool.h>
#include <stdio.h>

#include "hist.h"
#include "row_file.h"
#include "os/resource_usage.h"

#define RESULT_SCHEMA "assay/2"

/* Columns in all, tables that are added, and bytes of their structs. */
enum { RESULT_COLUMNS_MAX = 640, RESULT_TABLES_MAX = 24, RESULT_ADDED_SIZE = 2048 };

/* Rows of a table of columns, of a member of this name in struct `of`. */
#define RESULT_TEXT(of, name, help) \
	{#name, help, offsetof(struct of, name), ROW_FILE_TEXT}
#define RESULT_NUMBER(of, name, digits, help) \
	{#name, help, offsetof(struct of, name), digits}
#define RESULT_TIME(of, name, times, figure, help) \
	{#name "_" #figure, help, offsetof(struct of, times.figure), 1}
/* `what` is a noun phrase, `then` further sentences. */
/* clang-format off */
#define RESULT_TIMES(of, name, times, what, then)                                      \
	RESULT_TIME(of, name, times, min_ns, "Shortest " what ". " then),              \
	RESULT_TIME(of, name, times, mean_ns, "Mean " what ". " then),                 \
	RESULT_TIME(of, name, times, stddev_ns,                                        \
		    "Standard deviation of the " what ". " then),                      \
	RESULT_TIME(of, name, times, p50_ns, "Median " what ". " then),                \
	RESULT_TIME(of, name, times, p90_ns, "90th percentile of the " what ". " then), \
	RESULT_TIME(of, name, times, p95_ns, "95th percentile of the " what ". " then), \
	RESULT_TIME(of, name, times, p99_ns, "99th percentile of the " what ". " then), \
	RESULT_TIME(of, name, times, p999_ns,                                          \
		    "99.9th percentile of the " what ". " then),                       \
	RESULT_TIME(of, name, times, p9999_ns,                                         \
		    "99.99th percentile of the " what ". " then),                      \
	RESULT_TIME(of, name, times, max_ns, "Longest " what ". " then)
/* clang-format on */

enum result_kind { KIND_READ, KIND_WRITE, KIND_SCAN, KINDS };

extern const char *const result_kinds[KINDS];

struct latency {
	double min_ns, mean_ns, stddev_ns, p50_ns, p90_ns, p95_ns, p99_ns, p999_ns,
		p9999_ns, max_ns;
};

/* Deferred work, which the metrics of the operations do not include. */
struct result_deferred {
	double seconds, io_read_bytes, io_write_bytes, io_wchar_bytes, device_write_bytes,
		syncs;
};

struct result {
	const char *schema, *time, *engine, *label, *engine_version, *engine_build,
		*allocator, *engine_options;
	const char *benchmark;
	double threads, clients, num, key_size, value_size, batch_size;
	const char *value_sizes, *key_format, *distribution, *mix, *scan_length,
		*durability, *durability_effective, *batch_atomicity;
	const char *loaded_by, *load_order;
	double device_fill, txn_reads, txn, warmup_s;
	const char *cold, *page_cache_state;
	double cache_bytes, write_buffer_bytes;
	const char *compression;
	const char *cpus;
	double seed, epoch, iteration, repetition, isolated, valid, partial;
	const char *emulated, *touch, *invalid_reason;

	double ops, reads, writes, scans, entries, found, missing, lost, wrong,
		out_of_order, errors, bytes, seconds, overrun_s;
	double start_skew_s, end_skew_s, overlap_percent; /* by clients.sh */
	double ops_per_sec, entries_per_sec, reads_per_sec, writes_per_sec, distinct_keys,
		top1pct_fraction;
	const char *digest;
	double open_seconds, ops_per_sec_all_in;
	struct result_deferred settle, close;

	double mean_us; /* per operation, over the threads requested */
	struct latency latency[KINDS], response[KINDS];
	const char *arrivals, *rates;
	double target_rate, target_rate_met, backlog, start_error_p99_ns, window_s,
		rate_cv, rate_range, rate_slope, steady, steady_since_s, until_steady_s,
		rate_first_fifth, rate_last_fifth;
	double fairness, longest_stall_ms;

	struct resource_usage usage;
	struct footprint footprint;
	double memory_limit_kb, malloc_arenas, cgroup_peak_kb, page_cache_kb,
		memory_stall_s, memory_used_kb;
	double quota_periods, throttled_periods, throttled_s;
	double cpu_percent, cpu_us_per_op, fg_cpu_s, bg_cpu_s, harness_cpu_s;
	double engine_fg_us_per_op, engine_bg_us_per_op, kernel_us_per_op,
		off_cpu_us_per_op, runnable_us_per_op, engine_bg_runnable_us_per_op,
		device_busy_us_per_op, cpu_used_percent, cpu_demand_percent,
		harness_percent;
	const char *bound_by, *bound_by_detail;
	double device_reads_per_op, device_read_bytes_per_op, device_busy_percent;
	double run_disk_kb, disk_growth_kb, space_amp_run, db_apparent_kb, db_disk_kb,
		db_preallocated_kb, db_extents, space_amp;
	double io_write_overcharged, write_amp, write_amp_all_in, host_write_amp,
		host_write_amp_all_in, fs_out_per_write, nand_write_bytes, nand_write_amp;
	double cycles_per_op, instructions_per_op, cache_misses_per_op, tlb_misses_per_op;
	const char *counters;
	double commits, conflicts, retries, retry_s, syncs_per_commit;
	double servers, round_trips, round_trips_per_op;
	double server_user_s, server_sys_s, server_rss_kb;

	const char *timer;
	double timer_ns, harness_ns_per_op;
	const char *host, *cpu;
	double cores, cpu_quota, memory_kb;
	const char *allowed_cpus;
	const char *kernel, *filesystem, *mount_options, *device, *simulated_disk,
		*io_scheduler, *governor, *turbo, *smt, *thp, *idle_reclaim;
	double read_ahead_kb, swappiness, numa_nodes, numa_node;
	double load_before, load_after, temperature_before_c, temperature_after_c,
		steal_percent, others_cpu_percent;
	const char *warnings;
	const char *commit, *program, *build, *command;
	/* columns of other modules: result_added */
	_Alignas(double) char added[RESULT_ADDED_SIZE];
};

/*
 * Add a module's columns to those of every row, before the first row is made. Their
 * offsets are in a struct of the module's own, which has numbers and texts only.
 */
void result_add_columns(const struct row_file_columns *table);

/* That struct in a row; may be written to if the row may. */
void *result_added(const struct result *r, const struct row_file_columns *table);

/* A result with nothing known: all numbers NaN, all texts NULL. */
struct result result_unknown(void);

/* A histogram's summary in the columns' units; all NaN if it is empty. */
struct latency result_latency(const struct hist *h);

enum result_format {
	FORMAT_ROCKSDB,
	FORMAT_LEVELDB,
	FORMAT_DBBENCH,
	FORMAT_GOBENCH,
	FORMAT_YCSB /* more than a line; see print_ycsb.h */
};

extern const char *const result_formats[]; /* their names, NULL-ended */

/* One line of a benchmark's report on stdout. */
struct result_line {
	const char *name, *label;
	unsigned threads, cores;
	double mean_us, ops, seconds, bytes;
	double p99_ns, response_p99_ns; /* NaN: unknown, or no open loop */
	const char *extra;              /* appended as it is; "" for none */
	const char *invalid_reason;     /* NULL: valid */
};

/* The 99th percentile of the first kind of call that the row has. */
double result_p99(const struct latency *of_kinds);

/* Operations of all threads. */
double result_operations(const struct result *r);

void result_print(const struct result_line *line, enum result_format format);

/*
 * Prints the summary of `of` repetitions, in RocksDB's format: mean with the half-width
 * of its 95 % confidence interval, and median. The interval uses Student's t; RocksDB
 * uses the normal distribution, which is too narrow for few values. A rate of 0 means an
 * invalid run: it is left out and reported. Sorts both arrays.
 */
void result_print_iterations(const char *name, double *ops_per_sec,
			     double *megabytes_per_sec, unsigned iterations);

/* As in row_file.h. */
enum { RESULT_ERROR_SIZE = ROW_FILE_ERROR_SIZE };
bool result_append_tsv(const char *path, const struct result *r, char *error);
bool result_append_json(const char *path, const struct result *r, char *error);
bool result_check_tsv(const char *path, char *error);
bool result_check_json(const char *path, char *error);

/* As row_file_print_columns. */
void result_print_columns(FILE *to);

#endif
