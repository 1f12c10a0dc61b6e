/*
 * backoff.h: how long who gave way to others stays away before it tries again.
 *
 * As a rule at once, for the other one is about to end. But transactions can undo each
 * other for ever: of 64 that filled one tree of Berkeley DB none got through in 20
 * seconds and 300,000 attempts. So who gives way again and again, with nothing done in
 * between, stays away for a random time, up to twice as long each time (binary
 * exponential backoff: Metcalfe and Boggs, CACM 19(7), 1976), until one has the time
 * that it needs.
 */
#ifndef BACKOFF_H
#define BACKOFF_H

#include <stdint.h>

#include "random.h"

/* Times that it tries again at once; then the longest waits, the first and the last. */
enum { BACKOFF_AT_ONCE = 16, BACKOFF_FIRST_NS = 20000, BACKOFF_MOST_NS = 20000 << 9 };

struct backoff {
	struct random random;
	uint64_t mark;  /* of the last time, */
	unsigned times; /* and how often with this mark */
};

/* Nanoseconds to stay away. `mark` is another number once something was done. */
uint64_t backoff_ns(struct backoff *b, uint64_t mark);

/*
 * Stay away for so long, and let others run. It is short enough to hear of the end after
 * it.
 */
void backoff_wait(struct backoff *b, uint64_t mark);

#endif
