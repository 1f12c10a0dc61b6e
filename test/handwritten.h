/*
 * handwritten.h: the loops an engineer would write by hand around one engine, to
 * compare bench_NAME with.
 *
 * test/handwritten_NAME.c has only those loops: direct calls of the engine with the
 * settings of its driver, the clock read before and after each call, all bytes of a
 * value read.
 */
#ifndef TEST_HANDWRITTEN_H
#define TEST_HANDWRITTEN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../util/os/clock.h"

enum { HANDWRITTEN_KEY_SIZE = 16, HANDWRITTEN_VALUE_SIZE = 100 };

/* Records or keys made beforehand, one after another. */
struct handwritten_work {
	const struct clock *clock;
	const char *path;
	const char *keys, *values; /* values: of a fill */
	uint64_t count;
	/* out: of the bytes seen, so that nobody leaves the looking out */
	uint64_t sum;
	uint64_t loop_ticks; /* out: of the whole loop, opening and closing aside */
	uint64_t call_ticks; /* out: of the calls; 0: not looked at */
	double cpu_s;        /* out: this thread's CPU time of the loop; 0: the same */
};

struct handwritten {
	const char *name;
	/* single puts into a new database in an empty directory, or NULL */
	void (*fill)(struct handwritten_work *);
	void (*read)(struct handwritten_work *); /* gets from the database at path */
};

extern const struct handwritten handwritten;

/* One sentence on stderr, and the end. */
_Noreturn void handwritten_fail(const char *why);

static inline uint64_t handwritten_sum(const char *p, size_t size)
{
	uint64_t sum = 0, word;

	for (; size >= 8; p += 8, size -= 8) {
		memcpy(&word, p, 8);
		sum += word;
	}
	for (; size; size--)
		sum += (unsigned char)*p++;
	return sum;
}

#endif
