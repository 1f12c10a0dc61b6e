/*
 * config.h: the command line: one table holds the parser, defaults and documentation of
 * options.
 *
 * The configuration is constant after config_parse. Code that runs once a benchmark
 * reads it; the timed code is given what it needs.
 */
#ifndef BENCH_WORKLOAD_CONFIG_H
#define BENCH_WORKLOAD_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "../../util/record.h"
#include "db_bench_mode.h"
#include "read_tally.h"
#include "ycsb_mode.h"

struct option;

enum { PLAN_ITEMS_MAX = 1024 }; /* benchmarks in a list, repetitions included */

enum timer { TIMER_AUTO, TIMER_COUNTER, TIMER_MONOTONIC };
enum page_cache { PAGE_CACHE_SEQUENTIAL, PAGE_CACHE_KEPT };
enum arrivals { ARRIVALS_CONSTANT, ARRIVALS_POISSON };

/* The values of enumerated options; NULL ends each list. */
extern const char *const config_touches[], *const config_durabilities[];
extern const char *const config_compressions[], *const config_arrivals[];

/* What the command line requests to be printed. */
struct help_request {
	const char *help; /* a topic; "": none */
	bool man, version;
	int options, columns, workloads, presets; /* 1: as TSV */
};

struct config {
	const char *preset, *benchmarks, *label, *loaded_by, *copy_of, *cpus,
		*pin_threads, *db, *report_file, *timeline, *tsv, *json, *hdr, *hdr_log;
	const char *value_size, *scan_length, *mix, *numa_node, *device;
	uint64_t num, reads, writes, threads, key_size, batch_size, cache_size, seed,
		epoch;
	uint64_t memory, malloc_arenas, write_buffer_size, txn_reads, rate, read_rate,
		write_rate;
	uint64_t seek_nexts, readwritepercent, stats_interval, repeat, repetition, chunk;
	double device_share, duration, until_steady, warmup, compression_ratio,
		stats_interval_seconds, report_interval_seconds;
	double timeline_interval, hang_timeout, start_at;
	double theta, hotspot_keys, hotspot_share, pareto_h;
	const char *barrier_file, *progress_file, *perf_control, *engine_counters;
	uint64_t barrier_clients;
	bool use_existing_db, check_space, confirm_overwrite, sync, histogram, latency,
		verify, settle, reopen, cold, txn, isolate;
	bool show_options, supervise, multiprocess_read;
	int durability, compression, touch, page_cache, timer, format, key_format,
		distribution, arrivals, rng, zipf_generator, voron_partitioning;
	struct help_request help_request;
	int compat;
	struct db_bench_mode db_bench;
	struct ycsb_mode ycsb;
	const char *ucsb_results; /* the file of UCSB's -res; NULL: none */
	bool sine_write_rate;
	double sine_a, sine_b, sine_c, sine_d, sine_noise;
	uint64_t sine_interval_ms;
	/* parsed from texts */
	struct record_sizes value_sizes, scan_lengths;
};

extern const struct config *const cfg;

/*
 * Parse a command line. An invalid option ends the program with status 2 and one line.
 * Returns the tables of options that it knows; NULL ends them.
 */
const struct option *const *config_parse(int argc, char **argv);

/* Check what has been parsed, and give workloads and extras what they take from it. */
void config_apply(void);

/* Set --num to what --device_share allows. */
void config_set_num(uint64_t num);

/*
 * The engine has integer keys of its own: set --key_size to their size, whatever was
 * given.
 */
void config_set_native_keys(uint64_t size);

/*
 * Are values db_bench's texts? They are not checked, so each workload of a list may write
 * sizes of its own.
 */
bool config_values_are_texts(void);

/* For extras that have sizes of their own. */
void config_set_value_sizes(const struct record_sizes *sizes);

/* Reject a sine that is never positive. */
void config_check_sine(void);

/* Compressibility of values in 256ths, as record_write_value takes it. */
unsigned config_value_ratio(void);

#endif
