/*
 * backoff.h: how long a thread waits after a conflict before it tries again.
 *
 * It usually tries again at once, because the other transaction is about to end. But
 * transactions can undo each other for ever. Of 64 threads that filled one Berkeley DB
 * tree, none succeeded in 20 seconds and 300,000 attempts. A thread that has conflicts
 * again and again without progress therefore waits for a random time. Its limit doubles
 * each time (binary exponential backoff: Metcalfe and Boggs, CACM 19(7), 1976), until one
 * transaction has the time that it needs.
 */
#ifndef UTIL_BACKOFF_H
#define UTIL_BACKOFF_H

#include <stdint.h>

#include "random.h"

/* Immediate retries; then the first and the last limit of a wait. */
enum {
	BACKOFF_IMMEDIATE_RETRIES = 16,
	BACKOFF_INITIAL_NS = 20000,
	BACKOFF_MAX_NS = 20000 << 9
};

struct backoff {
	struct random random;
	uint64_t progress;  /* at the last conflict */
	unsigned conflicts; /* since the progress changed */
};

/* Returns how many nanoseconds to wait. `progress` changes whenever work was done. */
uint64_t backoff_ns(struct backoff *b, uint64_t progress);

/*
 * Waits that long, and lets other threads run. The longest wait is short enough for the
 * thread to see the end of the run.
 */
void backoff_wait(struct backoff *b, uint64_t progress);

#endif
