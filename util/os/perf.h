/*
 * perf.h: hardware counters of this process, where the kernel permits them (Linux,
 * perf_event_open; kernel.perf_event_paranoid 2 or less). Unknown numbers are NaN.
 */
#ifndef UTIL_OS_PERF_H
#define UTIL_OS_PERF_H

struct perf_counts {
	double cycles, instructions, cache_misses, tlb_misses;
};

enum { PERF_EVENTS = sizeof(struct perf_counts) / sizeof(double) };

struct perf {
	int fd[PERF_EVENTS]; /* or -1 */
	/* "all": kernel and user mode; "user"; NULL: no counters */
	const char *scope;
};

/* Starts counting, for this thread and all that it starts. */
struct perf perf_start(void);

/*
 * Counts so far. If the CPU has fewer counters than events, they are multiplexed, and the
 * counts scaled up.
 */
struct perf_counts perf_read(const struct perf *p);

#endif
