/*
 * clock.h: nanoseconds at the cost of one instruction.
 *
 * Where the processor has a time-stamp counter that runs at one rate on every core
 * (x86-64 TSC with the invariant bit, arm64 cntvct_el0), ticks are read from it and
 * turned into nanoseconds by a factor calibrated against the kernel's raw monotonic
 * clock. Elsewhere, or on request, ticks are clock_gettime's nanoseconds. A clock is
 * chosen once, before threads start.
 */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#if defined(__x86_64__) || defined(__aarch64__)
#define CLOCK_HAS_COUNTER 1
#else
#define CLOCK_HAS_COUNTER 0
#endif

__extension__ typedef unsigned __int128 clock_wide;

struct clock {
	/* ticks come from the processor's counter, not clock_gettime */
	bool counter;
	uint64_t ns_per_tick; /* fixed point, 32 binary places */
	double reading_ns;   /* what one reading costs, measured */
};

/* The kernel's raw monotonic clock, in nanoseconds: unaffected by NTP, slower to read. */
uint64_t clock_raw_ns(void);

/* Seconds since the epoch by the system's clock, which others set. */
double clock_wall(void);

/* Seconds since such a moment. */
static inline double clock_seconds_since(uint64_t raw_ns)
{
	return (double)(clock_raw_ns() - raw_ns) / 1e9;
}

/*
 * True if this machine has a counter fit for timing: invariant, and not distrusted by the
 * kernel.
 */
bool clock_counter_usable(void);

/*
 * Choose and calibrate a clock; takes about 20 ms when `counter` is asked for. The
 * counter must be usable. Calibration error is about 2e-6 (a 40 ns bracket on a 20 ms
 * interval).
 */
struct clock clock_start(bool counter);

/* One moment on both clocks, read together as tightly as possible. */
struct clock_pair {
	uint64_t ticks, raw_ns;
};

struct clock_pair clock_pair_now(const struct clock *c);

/*
 * How far the two clocks disagree about the time between two moments, as a fraction; 0
 * when the difference is within the 100 us that a preemption between two readings can
 * explain.
 */
double clock_disagreement(const struct clock *c, struct clock_pair from,
			  struct clock_pair to);

static inline uint64_t clock_counter(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t ticks;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
#else
	return 0;
#endif
}

/* Now, in ticks of the chosen clock. */
static inline uint64_t clock_ticks(const struct clock *c)
{
	struct timespec t;

	if (CLOCK_HAS_COUNTER && c->counter)
		return clock_counter();
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Nanoseconds in one tick. */
static inline double clock_unit_ns(const struct clock *c)
{
	return (double)c->ns_per_tick / 4294967296.0;
}

/* A span of ticks in nanoseconds, rounded to nearest. */
static inline uint64_t clock_ns(const struct clock *c, uint64_t ticks)
{
	return (uint64_t)(((clock_wide)ticks * c->ns_per_tick + (1u << 31)) >> 32);
}

#endif
