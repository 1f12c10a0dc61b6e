/* timeline.c: the table of a timeline's columns; see timeline.h. */
#include "timeline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TEXT(name, help) {#name, help, offsetof(struct timeline_row, name), TABLE_TEXT}
#define NUMBER(name, digits, help)                                       \
	{                                                                \
#name, help, offsetof(struct timeline_row, name), digits \
	}
#define USAGE(name, digits, help)                                              \
	{                                                                      \
#name, help, offsetof(struct timeline_row, usage.name), digits \
	}
#define FOOTPRINT(name, help)                                                 \
	{                                                                     \
#name, help, offsetof(struct timeline_row, footprint.name), 0 \
	}
#define TIMES(name, index, what)                                                         \
	{#name "_ops", what " done.", offsetof(struct timeline_row, kind[index].ops),    \
	 0},                                                                             \
		{#name "_p50_ns", "Median time of these.",                               \
		 offsetof(struct timeline_row, kind[index].p50_ns), 1},                  \
		{#name "_p99_ns", "99th percentile.",                                    \
		 offsetof(struct timeline_row, kind[index].p99_ns), 1},                  \
		{#name "_max_ns", "Longest, to the histogram's bucket.",                 \
		 offsetof(struct timeline_row, kind[index].max_ns), 1},                  \
	{                                                                                \
#name "_histogram", "Times as UPPER_NS:COUNT, four to a power of two.",  \
			offsetof(struct timeline_row, kind[index].histogram), TABLE_TEXT \
	}

static const struct table_column columns_of_timeline[] = {
	TEXT(time,
	     "When the benchmark began, UTC; with label and benchmark it names the run."),
	TEXT(engine, "As in the rows of results."),
	TEXT(label, "As in the rows of results."),
	TEXT(benchmark, "As in the rows of results."),
	NUMBER(repeat, 0, "As in the rows of results."),
	NUMBER(threads, 0, "Threads asked for."),
	TEXT(thread, "all; or the thread's number; or the role of one that runs beside "
		     "them, such as writer."),
	NUMBER(at_s, 3,
	       "Seconds from the start of the figures to the end of the interval."),
	NUMBER(span_s, 6, "Seconds in the interval; the last one is shorter."),
	NUMBER(ops, 0, "Operations done; of all, those of the threads asked for."),
	NUMBER(ops_per_sec, 1, "ops / span_s."),
	TIMES(read, KIND_READ, "Reads"),
	TIMES(write, KIND_WRITE, "Writes"),
	TIMES(scan, KIND_SCAN, "Scans"),
	NUMBER(cpu_s, 6,
	       "Processor seconds of the thread; of all, those of the process."),
	USAGE(user_s, 6, "Of these in user mode."),
	USAGE(sys_s, 6, "Of these in the kernel."),
	FOOTPRINT(rss_kb, "Resident memory at the end of the interval, KiB."),
	FOOTPRINT(rss_anon_kb, "Of that, the process's own."),
	FOOTPRINT(rss_file_kb, "Of that, mapped files."),
	NUMBER(page_cache_kb, 0,
	       "Pages of files in memory, KiB: the run's under --memory, else the "
	       "system's."),
	NUMBER(disk_kb, 0, "Room that the database takes on the file system, KiB."),
	USAGE(io_read_bytes, 0, "Bytes fetched from a device."),
	USAGE(io_write_bytes, 0, "Bytes sent, or dirtied to be sent, to a device."),
	USAGE(device_read_bytes, 0,
	      "Bytes that the device under the database was read, for all processes."),
	USAGE(device_write_bytes, 0, "Bytes it was written."),
	USAGE(faults_major, 0, "Page faults that read from a device."),
	USAGE(faults_minor, 0, "Page faults that did not."),
	USAGE(flushes, 0, "Calls that force data, all kinds."),
	USAGE(ctx_voluntary, 0, "Voluntary context switches."),
	USAGE(ctx_involuntary, 0, "Involuntary context switches."),
};

static const struct table timeline_table = {
	columns_of_timeline, sizeof columns_of_timeline / sizeof *columns_of_timeline};

void timeline_unknown(struct timeline_row *r)
{
	table_unknown(&timeline_table, r);
}

/*
 * The number of its histogram's bucket, and up to where that reaches: 2^(1/4) times the
 * one before.
 */
static int coarse(double ns)
{
	return (int)ceil(4 * log2(fmax(ns, 1)));
}

static double reaches(int bucket)
{
	return exp2(bucket / 4.0);
}

static void write_histogram(const struct hist *h, char *to, size_t size)
{
	size_t n = 0;
	uint64_t count = 0;
	int last = 0;

	to[0] = '\0';
	for (size_t i = 0; i <= HIST_BUCKETS && n < size; i++) {
		bool end = i == HIST_BUCKETS;
		int bucket;

		if (!end && !h->count[i])
			continue;
		bucket = end ? last + 1 : coarse(hist_lowest(i) * h->unit);
		if (count && bucket != last) {
			n += (size_t)snprintf(to + n, size - n, "%s%.0f:%llu",
					      n ? " " : "", reaches(last),
					      (unsigned long long)count);
			count = 0;
		}
		last = bucket;
		count += end ? 0 : h->count[i];
	}
}

void timeline_times(struct timeline_kind *k, const struct hist *h)
{
	if (!hist_count(h))
		return;
	k->p50_ns = hist_quantile(h, 500000);
	k->p99_ns = hist_quantile(h, 990000);
	k->max_ns = (double)h->max * h->unit;
	write_histogram(h, k->text, sizeof k->text);
	k->histogram = k->text;
}

bool timeline_check(const char *path, char *error)
{
	return table_check_tsv(&timeline_table, path, error);
}

bool timeline_append(const char *path, const struct timeline_row *r, char *error)
{
	return table_append_tsv(&timeline_table, path, r, error);
}

void timeline_columns(FILE *to)
{
	table_columns(&timeline_table, "timeline.", to);
}

double timeline_page_cache_kb(void)
{
	char line[256];
	double kb = NAN;
	FILE *f = fopen("/proc/meminfo", "re");

	while (f && isnan(kb) && fgets(line, sizeof line, f))
		if (sscanf(line, "Cached: %lf", &kb) != 1)
			kb = NAN;
	if (f)
		fclose(f);
	return kb;
}
