/*
 * clock.h: nanoseconds at the cost of one instruction.
 *
 * Where the CPU has a time-stamp counter that runs at one rate on every core (x86-64 TSC
 * with the invariant bit, arm64 cntvct_el0), ticks are read from it and turned into
 * nanoseconds by a factor calibrated against the kernel's raw monotonic clock. Elsewhere,
 * or on request, ticks are clock_gettime's nanoseconds. A clock is chosen once, before
 * threads start.
 */
#ifndef UTIL_OS_CLOCK_H
#define UTIL_OS_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#if defined(__x86_64__) || defined(__aarch64__)
#define CLOCK_HAS_COUNTER 1
#else
#define CLOCK_HAS_COUNTER 0
#endif

__extension__ typedef unsigned __int128 clock_u128;

struct clock {
	/* ticks come from the CPU's counter, not clock_gettime */
	bool counter;
	uint64_t ns_per_tick; /* fixed point, 32 binary places */
	double read_cost_ns;  /* measured cost of one reading */
};

/* The kernel's raw monotonic clock, nanoseconds: not adjusted by NTP, slower to read. */
uint64_t clock_raw_ns(void);

/* Seconds since the epoch by the system's clock, which may be adjusted. */
double clock_wall_seconds(void);

/* Seconds since a reading of clock_raw_ns(). */
static inline double clock_seconds_since(uint64_t raw_ns)
{
	return (double)(clock_raw_ns() - raw_ns) / 1e9;
}

/* True if this machine has a counter that is invariant and that the kernel trusts. */
bool clock_counter_usable(void);

/*
 * Chooses and calibrates a clock; takes about 20 ms if `counter` is true, most of them
 * asleep. The counter must be usable. The calibration error is about 2e-6 (a 40 ns
 * bracket on a 20 ms interval).
 */
struct clock clock_calibrate(bool counter);

/* The same moment on both clocks, read as close together as possible. */
struct clock_pair {
	uint64_t ticks, raw_ns;
};

struct clock_pair clock_pair_now(const struct clock *c);

/*
 * Relative difference between the clocks' times between two moments. It is 0 within 100
 * us, which a preemption between two readings can explain.
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

/* Current time, in ticks of the chosen clock. */
static inline uint64_t clock_ticks(const struct clock *c)
{
	struct timespec t;

	if (CLOCK_HAS_COUNTER && c->counter)
		return clock_counter();
#ifdef __APPLE__
	clock_gettime(CLOCK_MONOTONIC_RAW, &t); /* the other counts microseconds */
#else
	clock_gettime(CLOCK_MONOTONIC, &t);
#endif
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Nanoseconds in one tick. */
static inline double clock_tick_ns(const struct clock *c)
{
	return (double)c->ns_per_tick / 4294967296.0;
}

/* A span of ticks in nanoseconds, rounded to nearest. */
static inline uint64_t clock_ns(const struct clock *c, uint64_t ticks)
{
	return (uint64_t)(((clock_u128)ticks * c->ns_per_tick + (1u << 31)) >> 32);
}

#endif
