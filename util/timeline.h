/*
 * timeline.h: what a benchmark did in each interval, as rows of a TSV file: one for all
 * threads together, with what the process used, and one for each thread.
 */
#ifndef TIMELINE_H
#define TIMELINE_H

#include "hist.h"
#include "result.h"
#include "usage.h"

enum { TIMELINE_HISTOGRAM = 8000 }; /* more than 252 pairs take */

/* Operations of one kind in the interval; times are NaN where there were none. */
struct timeline_kind {
	double ops, p50_ns, p99_ns, max_ns;
	const char *histogram; /* points into `text` */
	char text[TIMELINE_HISTOGRAM];
};

struct timeline_row {
	const char *time, *engine, *label, *benchmark, *thread;
	double threads, repeat;
	/* seconds from the start of the figures to the end of the interval; its length */
	double at_s, span_s;
	double ops, ops_per_sec;
	struct timeline_kind kind[KINDS];
	double cpu_s;
	struct usage usage; /* of all threads' row, as is what follows */
	struct footprint footprint;
	double page_cache_kb, disk_kb;
};

/* A row with nothing known. */
void timeline_unknown(struct timeline_row *r);

/* Enter what a histogram of the interval says. */
void timeline_times(struct timeline_kind *k, const struct hist *h);

/* As in table.h; `error` takes TABLE_ERROR bytes. */
bool timeline_check(const char *path, char *error);
bool timeline_append(const char *path, const struct timeline_row *r, char *error);

/* As table_columns, each name after "timeline.". */
void timeline_columns(FILE *to);

/* Pages of files that the system has in memory, KiB; NaN if unknown. */
double timeline_page_cache_kb(void);

#endif
