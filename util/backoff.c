/* backoff.c: see backoff.h. */
#include "backoff.h"

#include <sched.h>
#include <time.h>

uint64_t backoff_ns(struct backoff *b, uint64_t progress)
{
	uint64_t limit_ns = BACKOFF_INITIAL_NS;

	b->conflicts = progress == b->progress ? b->conflicts + 1 : 1;
	b->progress = progress;
	if (b->conflicts <= BACKOFF_IMMEDIATE_RETRIES)
		return 0;
	for (unsigned i = BACKOFF_IMMEDIATE_RETRIES + 1;
	     i < b->conflicts && limit_ns < BACKOFF_MAX_NS; i++)
		limit_ns *= 2;
	return random_below(&b->random, limit_ns);
}

void backoff_wait(struct backoff *b, uint64_t progress)
{
	struct timespec t = {0, (long)backoff_ns(b, progress)};

	if (t.tv_nsec)
		nanosleep(&t, NULL);
	else
		sched_yield();
}
