/*
 * thread_delay.h: why the calling thread did not run: counters of the kernel for one
 * thread. A reading takes about half a microsecond.
 */
#ifndef UTIL_OS_THREAD_DELAY_H
#define UTIL_OS_THREAD_DELAY_H

#include <stdbool.h>
#include <stdint.h>

/* Since the thread began. */
struct thread_delay {
	uint64_t cpu_ns;
	uint64_t runnable_ns;  /* it could run, and waited for a core */
	uint64_t sleeps;       /* times that it gave up its core by itself */
	uint64_t device_reads; /* 512-byte blocks that a device read for it */
};

/* What a system cannot tell, in a line for users; NULL: it tells everything. */
const char *thread_delay_missing(void);

/* Without these a thread cannot tell whether it slept. */
bool thread_delay_is_known(void);

/* Without it the wait for a core is part of the sleep, and runnable_ns is 0. */
bool thread_delay_knows_runnable(void);

/* The calling thread's descriptor, for thread_delay_read in this thread; or -1. */
int thread_delay_open(void);
struct thread_delay thread_delay_read(int fd);

/*
 * Time since the calling thread began in which it could run and waited for a core,
 * seconds; NaN: the system does not tell.
 */
double thread_delay_runnable_s(void);

#endif
