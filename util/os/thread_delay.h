/*
 * thread_delay.h: why a thread did not run: the kernel's counters, of the calling thread
 * or of the engine's own threads. A reading of one thread takes about half a microsecond.
 */
#ifndef UTIL_OS_THREAD_DELAY_H
#define UTIL_OS_THREAD_DELAY_H

#include <stdbool.h>
#include <stddef.h>
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

/*
 * Threads of the process that the engine started: neither the caller nor named by
 * thread_name_set.
 */
struct thread_delay_engine {
	struct thread_delay_of_thread {
		long id;
		uint64_t cpu_ns, runnable_ns;
	} *threads; /* the caller frees them; NULL: there are none, or unknown */
	size_t count;
};

struct thread_delay_engine thread_delay_engine(void);

/* Of the threads that live at the end: others cannot be asked. NaN: unknown. */
struct thread_delay_of_engine {
	double runnable_s; /* all together */
	/*
	 * CPU time and waits of the thread for which this is longest, among those that
	 * waited for at least a quarter of it
	 */
	double starved_s;
};

struct thread_delay_of_engine thread_delay_engine_between(
	const struct thread_delay_engine *before,
	const struct thread_delay_engine *after);

/* Between `before`, which it frees, and now. */
struct thread_delay_of_engine thread_delay_engine_since(
	struct thread_delay_engine *before);

#endif
