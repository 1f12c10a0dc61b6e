/*
 * perf.h: what the processor counted for this process, where the kernel lets us ask
 * (Linux, perf_event_open; kernel.perf_event_paranoid 2 or less). A figure that could not
 * be had is NaN.
 */
#ifndef PERF_H
#define PERF_H

struct perf_counts {
	double cycles, instructions, cache_misses, tlb_misses;
};

enum { PERF_EVENTS = sizeof(struct perf_counts) / sizeof(double) };

struct perf {
	int fd[PERF_EVENTS]; /* or -1 */
	/* "all": the kernel's work too; "user"; NULL: nothing is counted */
	const char *scope;
};

/* Count from here on, for this thread and all that it starts. */
struct perf perf_start(void);

/*
 * So far. Where the processor has fewer counters than events, what was counted in turns
 * is scaled up.
 */
struct perf_counts perf_read(const struct perf *p);

#endif
