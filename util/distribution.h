/*
 * distribution.h: key distributions of storage benchmarks.
 *
 * Every distribution takes constant memory, works with 64-bit keys to 10^10 and more, and
 * follows a growing key range. It needs no lock: each thread has its own struct
 * distribution and its own random numbers. Keys are drawn into an array, many at a time.
 */
#ifndef UTIL_DISTRIBUTION_H
#define UTIL_DISTRIBUTION_H

#include <stdbool.h>
#include <stdint.h>

#include "random.h"

enum distribution_kind {
	DISTRIBUTION_UNIFORM, /* all keys equally often */
	/* key r with probability proportional to 1 / (r + 1)^theta */
	DISTRIBUTION_ZIPFIAN,
	/* YCSB's: a zipfian rank of 10^10, hashed with FNV onto the keys */
	DISTRIBUTION_SCRAMBLED_ZIPFIAN,
	DISTRIBUTION_LATEST, /* zipfian, counted back from the newest key */
	/*
	 * hot_fraction of the draws uniform over the first hot_keys of the keys, the
	 * others over the rest
	 */
	DISTRIBUTION_HOTSPOT,
	/*
	 * YCSB's: counted back from the newest key; 95 % of draws fall on 0.8571428571 of
	 * the keys
	 */
	DISTRIBUTION_EXPONENTIAL,
	/* self-similar: the first h of the keys get 1 - h of the draws */
	DISTRIBUTION_PARETO,
	DISTRIBUTION_SEQUENTIAL, /* ascending, wrapping at the end */
	DISTRIBUTION_ADDED,      /* by the caller's function */
	/* bug-compatible: db_bench's uniform of 2014, x = 16807 x mod 2^31 - 1, x % n */
	DISTRIBUTION_MINSTD,
	/* bug-compatible: UCSB's scrambled of 2022, in 32-bit floats over minstd */
	DISTRIBUTION_UCSB2022,
	DISTRIBUTIONS
};

extern const char *const distribution_names[DISTRIBUTIONS + 1]; /* ends with NULL */

/* Draws `count` keys below n, by a function of the caller's. */
typedef void distribution_draw_keys(uint64_t n, struct random *random, uint64_t *ids,
				    unsigned count);

struct distribution_parameters {
	enum distribution_kind kind;
	double theta;                  /* zipfian, scrambled, latest: at least 0 */
	double hot_keys, hot_fraction; /* hotspot: fractions, 0 to 1 */
	double h;                      /* Pareto: above 0, below 1 */
	/*
	 * scrambled: hash onto this many keys and draw again if a key does not exist; 0,
	 * or n is greater: onto n
	 */
	uint64_t hash_range;
	/* a growing n does not change the scale of exponential, nor such a hash_range */
	bool keeps_scale;
	uint32_t lcg_seed;                 /* minstd: first state, 1 to 2^31 - 2 */
	distribution_draw_keys *draw_keys; /* of DISTRIBUTION_ADDED */
};

/* Belongs to one thread; it can be copied together with its struct random. */
struct distribution {
	struct distribution_parameters parameters;
	uint64_t n; /* keys are below this */
	/* ranks below this are the most popular 1 % of the keys, at least one */
	uint64_t top1pct_keys;
	/*
	 * draws that fell on them: by rank, before scrambling; not counted for
	 * DISTRIBUTION_ADDED
	 */
	uint64_t top1pct_draws;
	uint64_t position; /* of a sequential distribution */
	uint32_t lcg_state;
	double constants[8]; /* depend on n and theta only; distribution.c names them */
};

/*
 * n is at least 1. The first call fills tables that all threads share, without a lock. It
 * must be made before other threads draw.
 */
void distribution_init(struct distribution *d,
		       const struct distribution_parameters *parameters, uint64_t n);

/* The key range now holds n keys; costs one or two powers. */
void distribution_resize(struct distribution *d, uint64_t n);

/* Draws the next `count` keys. */
void distribution_draw(struct distribution *d, struct random *random, uint64_t *ids,
		       unsigned count);

#endif
