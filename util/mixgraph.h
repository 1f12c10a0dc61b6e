/*
 * mixgraph.h: the social graph's keys, sizes and rate (Cao et al., "Characterizing,
 * Modeling, and Benchmarking RocksDB Key-Value Workloads at Facebook", FAST 2020, whose
 * model is db_bench's mixgraph), under db_bench's names.
 *
 * Every draw is independent of every other. As an artefact all of an operation follows
 * from one number below the number of keys, as in db_bench: its key, what is done, and
 * how large it is.
 */
#ifndef MIXGRAPH_H
#define MIXGRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "random.h"

/* What keys are drawn by: first a range, or none; then by how hot they are, or alike. */
enum mixgraph_keys {
	MIXGRAPH_PREFIX_DIST, MIXGRAPH_PREFIX_RANDOM, MIXGRAPH_ALL_DIST,
	MIXGRAPH_ALL_RANDOM
};

extern const char *const mixgraph_variants[]; /* their names, NULL-ended */

/*
 * Sizes by a generalised Pareto law: theta + sigma (u^-k - 1) / k, rounded up; below
 * `least` it is that, above `most` what is left of it by `modulus`. Without sigma there
 * is no law.
 */
struct mixgraph_law {
	double theta, k, sigma;
	uint64_t least, most, modulus;
};

/* That of u, in (0, 1]. */
uint64_t mixgraph_size(const struct mixgraph_law *law, double u);

/* Expected, by its quantiles. */
double mixgraph_mean(const struct mixgraph_law *law);

enum { MIXGRAPH_RANGES = 4096, MIXGRAPH_ERROR = 256 };

/* What may be chosen, and from mixgraph_prepare on what follows from it. */
struct mixgraph {
	int keys;        /* enum mixgraph_keys */
	int db_bench;    /* the artefact */
	uint64_t ranges; /* of equal numbers of keys */
	/* range i = 1, 2, ... is drawn by a e^(bi) + c e^(di) */
	double range_a, range_b, range_c, range_d;
	/* and key s in it, by popularity: s = (u / a)^(1 / b), rounded up */
	double key_a, key_b;
	double get, put, seek; /* of the operations, by weight */
	uint64_t max_value, max_scan;
	struct mixgraph_law value, scan;

	/* of a place in the key space: draws that fall on it and those before, of 1;
	 * as an artefact whole numbers, of the last one */
	double edge[MIXGRAPH_RANGES];
	uint64_t get_below, put_below; /* of 2^63, or of `operations` */
	uint64_t operations;
};

/* What follows; false with a sentence in `error` if nothing can be drawn by these. */
bool mixgraph_prepare(struct mixgraph *m, char *error);

/* Keys below n. */
void mixgraph_draw(const struct mixgraph *m, uint64_t n, struct random *random,
		   uint64_t *ids, unsigned count);

enum mixgraph_what { MIXGRAPH_GET, MIXGRAPH_PUT, MIXGRAPH_SEEK };

/*
 * The next `count` operations on n keys: keys and what is done with them, by two streams.
 * As an artefact by the first alone, and r[i] is the number below n that they come from.
 */
void mixgraph_next(const struct mixgraph *m, uint64_t n, struct random *keys,
		   struct random *others, uint64_t *ids, unsigned char *what, uint64_t *r,
		   unsigned count);

#endif
