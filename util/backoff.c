/* backoff.c: see backoff.h. */
#include "backoff.h"

#include <sched.h>
#include <time.h>

uint64_t backoff_ns(struct backoff *b, uint64_t mark)
{
	uint64_t most = BACKOFF_FIRST_NS;

	b->times = mark == b->mark ? b->times + 1 : 1;
	b->mark = mark;
	if (b->times <= BACKOFF_AT_ONCE)
		return 0;
	for (unsigned i = BACKOFF_AT_ONCE + 1; i < b->times && most < BACKOFF_MOST_NS;
	     i++)
		most *= 2;
	return random_below(&b->random, most);
}

void backoff_wait(struct backoff *b, uint64_t mark)
{
	struct timespec t = {0, (long)backoff_ns(b, mark)};

	if (t.tv_nsec)
		nanosleep(&t, NULL);
	else
		sched_yield();
}
