/* clock.c: choosing, calibrating and checking the clock; see clock.h. */
#include "clock.h"

#include <stdio.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#define CALIBRATION_NS 20000000u
#define ASLEEP_NS 18000000u
#define PREEMPTION_NS 100000.0

double clock_wall_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

uint64_t clock_raw_ns(void)
{
	struct timespec t;

#ifdef CLOCK_MONOTONIC_RAW
	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
#else
	clock_gettime(CLOCK_MONOTONIC, &t);
#endif
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#if defined(__x86_64__)
/*
 * Linux drops "tsc" from this list when its watchdog has seen the counter drift between
 * cores.
 */
static bool kernel_distrusts_tsc(void)
{
	static const char path[] =
		"/sys/devices/system/clocksource/clocksource0/available_clocksource";
	char names[128] = "";
	FILE *f = fopen(path, "re");

	if (!f)
		return false;
	if (!fgets(names, sizeof names, f))
		names[0] = '\0';
	fclose(f);
	return names[0] && !strstr(names, "tsc");
}

/*
 * Invariant TSC: CPUID leaf 0x80000007, EDX bit 8 (Intel SDM vol. 3, 18.17.1; AMD APM
 * vol. 3).
 */
bool clock_counter_usable(void)
{
	unsigned a, b, c, d;

	return __get_cpuid(0x80000007u, &a, &b, &c, &d) && (d & 1u << 8) &&
	       !kernel_distrusts_tsc();
}
#else
bool clock_counter_usable(void)
{
	return CLOCK_HAS_COUNTER;
}
#endif

struct clock_pair clock_pair_now(const struct clock *c)
{
	struct clock_pair best = {0, 0};
	uint64_t narrowest = UINT64_MAX;

	/* The tightest of several readings: the others were interrupted. */
	for (int i = 0; i < 16; i++) {
		uint64_t before = clock_ticks(c);
		uint64_t raw = clock_raw_ns();
		uint64_t after = clock_ticks(c);

		if (after - before < narrowest) {
			narrowest = after - before;
			best = (struct clock_pair){before + (after - before) / 2, raw};
		}
	}
	return best;
}

static double measure_read_cost(const struct clock *c)
{
	enum { READINGS = 1000, ROUNDS = 5 };
	uint64_t least = UINT64_MAX;

	for (int round = 0; round < ROUNDS; round++) {
		uint64_t start = clock_ticks(c), last = start;

		for (int i = 0; i < READINGS; i++)
			last = clock_ticks(c);
		if (last - start < least)
			least = last - start;
	}
	return (double)least * clock_tick_ns(c) / READINGS;
}

struct clock clock_calibrate(bool counter)
{
	struct clock c = {.counter = counter, .ns_per_tick = (uint64_t)1 << 32};

	if (counter) {
		struct clock_pair from = clock_pair_now(&c), to;

		/*
		 * Asleep, as both clocks run meanwhile; then awake, as a CPU that has
		 * rested may be slow, and what a reading costs is measured next.
		 */
		nanosleep(&(struct timespec){.tv_nsec = ASLEEP_NS}, NULL);
		do
			to = clock_pair_now(&c);
		while (to.raw_ns - from.raw_ns < CALIBRATION_NS);
		c.ns_per_tick = (uint64_t)(((clock_u128)(to.raw_ns - from.raw_ns) << 32) /
					   (to.ticks - from.ticks));
	}
	c.read_cost_ns = measure_read_cost(&c);
	return c;
}

double clock_disagreement(const struct clock *c, struct clock_pair from,
			  struct clock_pair to)
{
	double raw = (double)(to.raw_ns - from.raw_ns);
	double ours = (double)clock_ns(c, to.ticks - from.ticks);
	double gap = ours > raw ? ours - raw : raw - ours;

	return gap <= PREEMPTION_NS ? 0 : gap / (raw > 1 ? raw : 1);
}
