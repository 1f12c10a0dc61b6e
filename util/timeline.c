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
/* clang-format off */
#define TIMES(name, times, what, empty) \
	{#name "_p50_ns", "Median " what ". Empty: " empty, \
	 offsetof(struct timeline_row, times.p50_ns), 1}, \
	{#name "_p99_ns", "99th percentile of the " what ". Empty: " empty, \
	 offsetof(struct timeline_row, times.p99_ns), 1}, \
	{#name "_max_ns", \
	 "Longest " what ". Rounded up to the limit of its histogram bucket. " \
	 "Empty: " empty, \
	 offsetof(struct timeline_row, times.max_ns), 1}, \
	{#name "_histogram", \
	 "Histogram of the " what ". Pairs UPPER_LIMIT_NS:COUNT, one per bucket that " \
	 "is not empty, separated by blanks; each power of two has four buckets. " \
	 "Empty: " empty, \
	 offsetof(struct timeline_row, times.histogram), ROW_FILE_TEXT}
#define KIND(name, index) \
	{#name "_ops", \
	 "Number of " #name "s done in this interval by the row's thread. In a row " \
	 "of all threads: by the --threads threads and the workload's own " \
	 "background threads.", \
	 offsetof(struct timeline_row, ops_by_kind[index]), 0}, \
	TIMES(name, service[index], \
	      "service time (from call to return) of this interval's " #name "s", \
	      "no " #name "s.")
#define RESPONSES(name, index) \
	TIMES(name##_resp, response[index], \
	      "response time of this interval's " #name \
	      "s, from scheduled start to end", \
	      "no " #name "s, or none at a target rate (--rate, --read_rate, " \
	      "--write_rate).")
/* clang-format on */

/*
 * Many columns repeat a result's for one interval. Their help texts differ, so the rows
 * are listed here and in result.c.
 */
static const struct row_file_column columns_of_timeline[] = {
	TEXT(time, "Date and time at which the workload began, UTC, the same in all of "
		   "its intervals. Its row of results has the same time, label and "
		   "benchmark."),
	TEXT(engine,
	     "Name of the storage engine, NAME of the program bench_NAME; equal in all "
	     "rows of one process."),
	TEXT(label,
	     "Name of the configuration (--label); without that, the engine's name."),
	TEXT(benchmark,
	     "Name of the workload that the row is about, such as readrandom. All "
	     "intervals of a run of that workload have it."),
	NUMBER(iteration, 0,
	       "Number of this interval's measurement among several of the same "
	       "workload in one process, from 1. name[X5] in --benchmarks asks for "
	       "five."),
	NUMBER(threads, 0,
	       "Number of threads that run the workload (--threads), without background "
	       "threads."),
	TEXT(thread,
	     "Whom this row describes: all threads together (all), a thread by its "
	     "number from 0, or a background thread by its name, such as writer."),
	NUMBER(at_s, 3,
	       "Time from the start of the measurement to the end of this interval."),
	NUMBER(span_s, 6,
	       "Length of this interval (--timeline_interval); the last one of a run "
	       "is shorter."),
	NUMBER(ops, 0,
	       "Number of operations done in this interval by the row's thread. In "
	       "a row of all threads: by the --threads threads."),
	NUMBER(ops_per_sec, 1, "Throughput in this interval: ops / span_s."),
	KIND(read, KIND_READ),
	KIND(write, KIND_WRITE),
	KIND(scan, KIND_SCAN),
	RESPONSES(read, KIND_READ),
	RESPONSES(write, KIND_WRITE),
	RESPONSES(scan, KIND_SCAN),
	NUMBER(cpu_s, 6,
	       "CPU time used in this interval by the row's thread. In a row of all "
	       "threads: by the process."),
	USAGE(user_s, 6,
	      "CPU time that the process spent in user mode in this interval. "
	      "Empty in a row of one thread."),
	USAGE(sys_s, 6,
	      "CPU time that the process spent in the kernel in this interval. "
	      "Empty in a row of one thread."),
	FOOTPRINT(rss_kb,
		  "Resident memory of the process at the end of this interval, of all "
		  "kinds: rss_anon_kb + rss_file_kb + shared memory. Empty in a "
		  "row of one thread."),
	FOOTPRINT(rss_anon_kb,
		  "Anonymous resident memory of the process (backed by no file) at the "
		  "end of this interval: heap, stacks, engine caches. Empty in a "
		  "row of one thread."),
	FOOTPRINT(rss_file_kb,
		  "Resident memory of the process that is mapped from files, at the "
		  "end of this interval, such as a memory-mapped database. Empty "
		  "in a row of one thread."),
	NUMBER(page_cache_kb, 0,
	       "Page cache at the end of this interval. With --memory: that of the "
	       "run's control group; without: that of the whole machine. Empty "
	       "in a row of one thread."),
	NUMBER(disk_kb, 0,
	       "Disk space of the database's files at the end of this interval. "
	       "Empty in a row of one thread."),
	USAGE(io_read_bytes, 0,
	      "Bytes read from a device for the process in this interval "
	      "(/proc/self/io); reads that the page cache served do not count. "
	      "Empty in a row of one thread."),
	USAGE(io_write_bytes, 0,
	      "Bytes of file pages that the process changed in this interval, and "
	      "of its direct writes (write_bytes of /proc/self/io). The kernel "
	      "writes the pages to the device later. Empty in a row of one thread."),
	USAGE(device_read_bytes, 0,
	      "Bytes that the device under the database read in this interval, for "
	      "all processes of the machine. Empty in a row of one thread."),
	USAGE(device_write_bytes, 0,
	      "Bytes that the device under the database wrote in this interval, for "
	      "all processes of the machine. Empty in a row of one thread."),
	USAGE(faults_major, 0,
	      "Number of page faults of the process in this interval that waited "
	      "for a read from a device. Empty in a row of one thread."),
	USAGE(faults_minor, 0,
	      "Number of page faults of the process in this interval that memory "
	      "could serve without a device. Empty in a row of one thread."),
	USAGE(syncs, 0,
	      "Number of sync calls of the process in this interval, of all kinds "
	      "(fsync, fdatasync, msync and others). Empty in a row of one thread."),
	USAGE(ctx_voluntary, 0,
	      "Number of times in this interval that a thread of the process gave up "
	      "its CPU to wait. Empty in a row of one thread."),
	USAGE(ctx_involuntary, 0,
	      "Number of times in this interval that the kernel took the CPU from a "
	      "thread of the process for another one. Empty in a row of one thread."),
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
