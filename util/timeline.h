/*
 * timeline.h: the activity in each interval, as rows of a TSV file: one row for all
 * threads together, with the process's resource usage, and one for each thread.
 */
#ifndef UTIL_TIMELINE_H
#define UTIL_TIMELINE_H

#include "hist.h"
#include "result.h"
#include "os/resource_usage.h"

enum { TIMELINE_HISTOGRAM_SIZE = 8000 }; /* enough for 252 pairs */

/* Latencies of one kind of operation in the interval; NaN and NULL if there were none. */
struct timeline_latency {
	double p50_ns, p99_ns, max_ns;
	const char *histogram; /* points into `text` */
	char text[TIMELINE_HISTOGRAM_SIZE];
};

struct timeline_row {
	const char *time, *engine, *label, *benchmark, *thread;
	double threads, iteration;
	/*
	 * seconds from the start of the measurement to the end of the interval; its
	 * length
	 */
	double at_s, span_s;
	double ops, ops_per_sec;
	double ops_by_kind[KINDS]; /* operations by kind */
	struct timeline_latency service[KINDS], response[KINDS];
	double cpu_s;
	/* on the row of all threads only, like the following members */
	struct resource_usage usage;
	struct footprint footprint;
	double page_cache_kb, disk_kb;
};

/* A row with nothing known. */
void timeline_set_unknown(struct timeline_row *r);

/* Fills in the latencies of an interval's histogram. */
void timeline_set_latency(struct timeline_latency *t, const struct hist *h);

/* As in row_file.h; `error` holds ROW_FILE_ERROR_SIZE bytes. */
bool timeline_check(const char *path, char *error);
bool timeline_append(const char *path, const struct timeline_row *r, char *error);

/* As row_file_print_columns. */
void timeline_print_columns(FILE *to);

/* File pages that the system has in memory, KiB; NaN if unknown. */
double timeline_page_cache_kb(void);

#endif
