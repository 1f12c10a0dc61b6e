/*
 * config.h: the command line, parsed, defaulted and documented by one table.
 *
 * After config_parse it is const. What runs once a benchmark reads it; the timed half is
 * given what it needs.
 */
#ifndef CONFIG_H
#define CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "../util/record.h"
#include "help.h"
#include "seen.h"

enum { PLAN_MOST = 1024 }; /* benchmarks in a list, repetitions included */

enum timer { TIMER_AUTO, TIMER_COUNTER, TIMER_MONOTONIC };
enum arrivals { ARRIVALS_CONSTANT, ARRIVALS_POISSON };

/* The words of options, NULL-ended. */
extern const char *const touches[], *const durabilities[], *const compressions[],
								   *const arrivals[];

/* What a look through a trace has told. */
struct trace_facts {
	size_t key_most, value_most;
	uint64_t writes, written; /* values, and bytes in them */
	uint64_t ttls;            /* lines that have one */
};

struct config {
	const char *preset, *benchmarks, *label, *cpus, *db, *report_file, *timeline,
		*tsv, *json, *hdr, *hdr_log;
	const char *value_size, *scan_length, *mix, *numa_node, *device;
	uint64_t num, reads, writes, threads, key_size, batch_size, cache_size, seed;
	uint64_t memory, malloc_arenas, write_buffer_size, txn_reads, rate, read_rate,
		write_rate, probe_rate, queues, age;
	uint64_t seek_nexts, readwritepercent, stats_interval, repeat, repetition;
	double device_share, duration, until_steady, warmup, compression_ratio,
		stats_interval_seconds, report_interval_seconds;
	double timeline_interval, hang_timeout, start_at, long_reader, long_reader_pause,
		backup;
	double queue_deletes, theta, hotspot_keys, hotspot_share, pareto_h;
	const char *meet;
	uint64_t meet_clients;
	bool use_existing_db, check_space, raw_device, sync, histogram, latency, verify,
		settle, reopen, cold, txn, isolate;
	bool show_options, supervise, share;
	int durability, compression, touch, timer, format, key_format, distribution,
		arrivals, rng, zipf, parallel;
	struct asked asked;
	bool sine_mix_rate, sine_write_rate;
	double sine_a, sine_b, sine_c, sine_d, sine_noise;
	uint64_t sine_interval_ms;
	/* parsed further: */
	struct mixgraph mixgraph;
	const char *record, *trace;
	double speed;
	bool trace_clients;
	/* known later: */
	bool record_loads;
	struct trace_facts in_trace;
	struct record_sizes value_sizes, scan_lengths;
};

extern const struct config *const cfg;

/*
 * Read a command line. Answers true if all that was asked for has been printed (--help
 * and the like). What cannot be read ends the program with status 2 and one line.
 */
bool config_parse(int argc, char **argv, const struct program *program);

/* So many records: what --device_share comes to. */
void config_take_num(uint64_t num);

/*
 * The engine has integer keys of its own: it takes them by their size, whatever was asked
 * for.
 */
void config_take_native_keys(uint64_t size);

/* The one benchmark to be recorded is a load. */
void config_record_loads(void);

/* A trace will be replayed, and these are its records. */
void config_take_trace(const struct trace_facts *facts);

/* Compressibility of values in 256ths, as record.h takes it. */
unsigned config_ratio(void);

#endif
