/*
 * thread_barrier.h: a barrier for threads. It is POSIX's, or a mutex and a condition
 * variable where the system has none (macOS).
 */
#ifndef UTIL_OS_THREAD_BARRIER_H
#define UTIL_OS_THREAD_BARRIER_H

#include <pthread.h>
#include <unistd.h>

#if defined(_POSIX_BARRIERS) && _POSIX_BARRIERS > 0 && !defined(ASSAY_PORTABLE)

struct thread_barrier {
	pthread_barrier_t barrier;
};

static inline void thread_barrier_init(struct thread_barrier *b, unsigned threads)
{
	pthread_barrier_init(&b->barrier, NULL, threads);
}

/* Waits until as many threads have called this as the barrier was made for. */
static inline void thread_barrier_wait(struct thread_barrier *b)
{
	pthread_barrier_wait(&b->barrier);
}

/* Returns when every thread that waited has left it. */
static inline void thread_barrier_destroy(struct thread_barrier *b)
{
	pthread_barrier_destroy(&b->barrier);
}

#else

struct thread_barrier {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned threads, waiting, leaving;
};

void thread_barrier_init(struct thread_barrier *b, unsigned threads);
void thread_barrier_wait(struct thread_barrier *b);
void thread_barrier_destroy(struct thread_barrier *b);

#endif

#endif
