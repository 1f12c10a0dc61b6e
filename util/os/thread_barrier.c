/* thread_barrier.c: the barrier where POSIX's is missing; see thread_barrier.h. */
#include "thread_barrier.h"

#if !(defined(_POSIX_BARRIERS) && _POSIX_BARRIERS > 0) || defined(ASSAY_PORTABLE)

void thread_barrier_init(struct thread_barrier *b, unsigned threads)
{
	pthread_mutex_init(&b->lock, NULL);
	pthread_cond_init(&b->changed, NULL);
	b->threads = threads;
	b->waiting = b->leaving = 0;
}

/* The last thread to come opens the barrier; the last to leave makes it usable again. */
void thread_barrier_wait(struct thread_barrier *b)
{
	pthread_mutex_lock(&b->lock);
	while (b->leaving)
		pthread_cond_wait(&b->changed, &b->lock);
	if (++b->waiting == b->threads)
		b->leaving = b->threads;
	while (!b->leaving)
		pthread_cond_wait(&b->changed, &b->lock);
	b->waiting--;
	b->leaving--;
	pthread_cond_broadcast(&b->changed);
	pthread_mutex_unlock(&b->lock);
}

void thread_barrier_destroy(struct thread_barrier *b)
{
	pthread_mutex_lock(&b->lock);
	while (b->leaving)
		pthread_cond_wait(&b->changed, &b->lock);
	pthread_mutex_unlock(&b->lock);
	pthread_cond_destroy(&b->changed);
	pthread_mutex_destroy(&b->lock);
}

#else
/* ISO C permits no empty file. */
typedef int thread_barrier_is_of_posix;
#endif
