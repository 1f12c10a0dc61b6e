/* perf.c: hardware counters of the whole process; see perf.h. */
#include "perf.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/syscall.h>

#define DTLB_READ_MISSES \
	(PERF_COUNT_HW_CACHE_DTLB | PERF_COUNT_HW_CACHE_OP_READ << 8 | \
	 PERF_COUNT_HW_CACHE_RESULT_MISS << 16)

/* In the order of struct perf_counts. */
static const struct {
	uint32_t type;
	uint64_t config;
} events[PERF_EVENTS] = {
	{PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
	{PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
	{PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
	{PERF_TYPE_HW_CACHE, DTLB_READ_MISSES},
};

static int open_event(int i, bool kernel)
{
	struct perf_event_attr a = {
		.type = events[i].type,
		.size = sizeof a,
		.config = events[i].config,
		.read_format =
			PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.inherit = 1,
		.exclude_kernel = !kernel,
		.exclude_hv = 1,
	};

	return (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}
#else
static int open_event(int i, bool kernel)
{
	(void)i;
	(void)kernel;
	return -1;
}
#endif

struct perf perf_start(void)
{
	struct perf p = {.scope = NULL};
	bool kernel = true;

	for (int i = 0; i < PERF_EVENTS; i++) {
		p.fd[i] = open_event(i, kernel);
		/* All events need the same scope to be comparable. */
		if (p.fd[i] < 0 && kernel && !p.scope) {
			p.fd[i] = open_event(i, false);
			kernel = p.fd[i] < 0;
		}
		if (p.fd[i] >= 0)
			p.scope = kernel ? "all" : "user";
	}
	return p;
}

struct perf_counts perf_read(const struct perf *p)
{
	double counts[PERF_EVENTS] = {0};
	struct perf_counts c;

	for (int i = 0; i < PERF_EVENTS; i++) {
		uint64_t now[3]; /* count, nanoseconds enabled, nanoseconds running */

		counts[i] = NAN;
		if (p->fd[i] >= 0 && read(p->fd[i], now, sizeof now) == sizeof now &&
		    now[2])
			counts[i] = (double)now[0] * ((double)now[1] / (double)now[2]);
	}
	memcpy(&c, counts, sizeof c);
	return c;
}
