/* timeline.c: the table of a timeline's columns; see timeline.h. */
#include "timeline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TEXT(name, help) {#name, help, offsetof(struct timeline_row, name), ROW_FILE_TEXT}
#define NUMBER(name, digits, help) \
	{#name, help, offsetof(struct timeline_row, name), digits}
#define PART(name, part, digits, help) \
	{#name, help, offsetof(struct timeline_row, part.name), digits}
#define USAGE(name, digits, help) PART(name, usage, digits, help)
#define FOOTPRINT(name, help) PART(name, footprint, 0, help)
#define TIMES(name, times, what)                                                \
	{#name "_p50_ns", "Median " what ".",                                   \
	 offsetof(struct timeline_row, times.p50_ns), 1},                       \
	{#name "_p99_ns", "99th percentile of the " what ".",                   \
	 offsetof(struct timeline_row, times.p99_ns), 1},                       \
	{#name "_max_ns", "Longest " what ", as its histogram bucket's limit.",       \
	 offsetof(struct timeline_row, times.max_ns), 1},                       \
	{#name "_histogram",                                                    \
	 "Histogram of the " what ": UPPER_NS:COUNT per bucket, four to a power " \
	 "of two.",   \
	 offsetof(struct timeline_row, times.histogram), ROW_FILE_TEXT}
#define KIND(name, index)                                                        \
	{#name "_ops",                                                          \
	 "Number of " #name "s done in the interval, counted as in the results' "    \
	 #name "s.", \
	 offsetof(struct timeline_row, ops_by_kind[index]), 0},                        \
	TIMES(name, service[index], "service time of the interval's " #name "s")
#define RESPONSES(name, index)                                                   \
	TIMES(name##_resp, response[index],                                     \
	      "response time of the interval's " #name                          \
	      "s, from scheduled start to end (open loop)")

/*
 * Many columns repeat a result's for one interval. Their help texts differ, so the rows
 * are listed here and in result.c.
 */
static const struct row_file_column columns_of_timeline[] = {
	TEXT(time,
		"Time at which the benchmark began, UTC; with label and benchmark it "
		"identifies the run."),
	TEXT(engine, "Name of the engine, as in the results."),
	TEXT(label, "Name of the configuration, as in the results."),
	TEXT(benchmark,
		"Name of the workload, as in the column benchmark of the results."),
	NUMBER(iteration, 0,
		"Number of the benchmark's iteration (name[X5]), as in the results."),
	NUMBER(threads, 0, "Number of threads that run the workload, as in the results."),
	TEXT(thread,
		"Thread that the row is about: all, a thread's number, or the role of a "
		"background thread, such as writer."),
	NUMBER(at_s, 3, "Time from the start of the measurement to the end of the "
		"interval."),
	NUMBER(span_s, 6,
		"Length of the interval; the last interval of a run is shorter."),
	NUMBER(ops, 0,
		"Number of operations done in the interval by the row's thread, or by "
		"all --threads threads."),
	NUMBER(ops_per_sec, 1, "Rate in the interval: ops / span_s."),
	KIND(read, KIND_READ),
	KIND(write, KIND_WRITE),
	KIND(scan, KIND_SCAN),
	RESPONSES(read, KIND_READ),
	RESPONSES(write, KIND_WRITE),
	RESPONSES(scan, KIND_SCAN),
	NUMBER(cpu_s, 6,
		"CPU time in the interval of the row's thread, or of the process in rows "
		"of all threads."),
	USAGE(user_s, 6, "CPU time of the process in user mode in the interval."),
	USAGE(sys_s, 6, "CPU time of the process in the kernel in the interval."),
	FOOTPRINT(rss_kb, "Resident memory of the process at the end of the interval."),
	FOOTPRINT(rss_anon_kb,
		  "Anonymous resident memory of the process at the end of the interval: "
		  "heap, stacks, the engine's own caches."),
	FOOTPRINT(rss_file_kb,
		  "Resident memory of the process that maps files, at the end of the "
		  "interval, such as a memory-mapped database."),
	NUMBER(page_cache_kb, 0,
		"Page cache at the end of the interval: of the run under --memory, else "
		"of the machine."),
	NUMBER(disk_kb, 0,
		"Disk space of the database at the end of the interval."),
	USAGE(io_read_bytes, 0,
		"Bytes that the process caused to be read from a device in the interval "
		"(/proc/self/io)."),
	USAGE(io_write_bytes, 0,
		"Bytes of pages that the process dirtied in the interval (write_bytes "
		"of /proc/self/io); they reach a device later."),
	USAGE(device_read_bytes, 0,
		"Bytes read in the interval from the device under the database, for all "
		"processes."),
	USAGE(device_write_bytes, 0,
		"Bytes written in the interval to the device under the database, for "
		"all processes."),
	USAGE(faults_major, 0,
		"Number of page faults in the interval that waited for a device."),
	USAGE(faults_minor, 0,
		"Number of page faults in the interval that were served from memory."),
	USAGE(syncs, 0,
		"Number of sync calls of the process in the interval, all kinds."),
	USAGE(ctx_voluntary, 0,
	      "Number of voluntary context switches of the process in the interval."),
	USAGE(ctx_involuntary, 0,
	      "Number of involuntary context switches of the process in the interval."),
};

static const struct row_file_columns timeline_columns = {
	columns_of_timeline, sizeof columns_of_timeline / sizeof *columns_of_timeline};

void timeline_set_unknown(struct timeline_row *r)
{
	row_file_set_unknown(&timeline_columns, r);
}

/*
 * Index of a value's bucket and its upper limit: 2^(1/4) times that of the bucket before.
 */
static int histogram_bucket(double ns)
{
	return (int)ceil(4 * log2(fmax(ns, 1)));
}

static double bucket_upper_ns(int bucket)
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
		bucket = end ? last + 1 : histogram_bucket(hist_lowest(i) * h->unit);
		if (count && bucket != last) {
			n += (size_t)snprintf(to + n, size - n, "%s%.0f:%llu",
					      n ? " " : "", bucket_upper_ns(last),
					      (unsigned long long)count);
			count = 0;
		}
		last = bucket;
		count += end ? 0 : h->count[i];
	}
}

void timeline_set_latency(struct timeline_latency *t, const struct hist *h)
{
	if (!hist_count(h))
		return;
	t->p50_ns = hist_quantile(h, 500000);
	t->p99_ns = hist_quantile(h, 990000);
	t->max_ns = (double)h->max * h->unit;
	write_histogram(h, t->text, sizeof t->text);
	t->histogram = t->text;
}

bool timeline_check(const char *path, char *error)
{
	return row_file_check_tsv(&timeline_columns, path, error);
}

bool timeline_append(const char *path, const struct timeline_row *r, char *error)
{
	return row_file_append_tsv(&timeline_columns, path, r, error);
}

void timeline_print_columns(FILE *to)
{
	row_file_print_columns(&timeline_columns, "timeline", to);
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
