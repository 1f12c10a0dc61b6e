/*
 * mixgraph.h: keys and sizes of db_bench's mixgraph, under db_bench's names (Cao
 * et al., "Characterizing, Modeling, and Benchmarking RocksDB Key-Value Workloads at
 * Facebook", FAST 2020).
 *
 * All draws are independent. In the bug-compatible variant one number below the number of
 * keys determines everything of an operation, as in db_bench: its key, its type and its
 * size.
 */
#ifndef BENCH_EXTRAS_MIXGRAPH_H
#define BENCH_EXTRAS_MIXGRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "../../util/pareto.h"
#include "../../util/random.h"

/* How keys are drawn: by range or not, then by popularity or uniformly. */
enum mixgraph_keys {
	MIXGRAPH_PREFIX_DIST,
	MIXGRAPH_PREFIX_RANDOM,
	MIXGRAPH_ALL_DIST,
	MIXGRAPH_ALL_RANDOM
};

extern const char *const mixgraph_variants[]; /* their names, NULL-ended */

enum { MIXGRAPH_RANGES = 4096, MIXGRAPH_ERROR_SIZE = 256 };

/* Parameters, and members that mixgraph_prepare derives from them. */
struct mixgraph {
	int keys;        /* enum mixgraph_keys */
	int db_bench;    /* true: bug-compatible */
	uint64_t ranges; /* each has the same number of keys */
	/* range i = 1, 2, ... is drawn by a e^(bi) + c e^(di) */
	double range_a, range_b, range_c, range_d;
	/* and key s in it, by popularity: s = (u / a)^(1 / b), rounded up */
	double key_a, key_b;
	double get, put, seek; /* weights of the operations */
	uint64_t max_value, max_scan;
	struct pareto value, scan;

	/*
	 * fraction of draws that fall on a range and those before it; bug-compatible: in
	 * integers, relative to the last one
	 */
	double range_edges[MIXGRAPH_RANGES];
	uint64_t get_threshold, put_threshold; /* relative to 2^63, or to `operations` */
	uint64_t operations;
};

/*
 * Derives the other members; returns false with a sentence in `error` if the parameters
 * are invalid.
 */
bool mixgraph_prepare(struct mixgraph *m, char *error);

/* Draws keys below n. */
void mixgraph_draw_keys(const struct mixgraph *m, uint64_t n, struct random *random,
			uint64_t *ids, unsigned count);

enum mixgraph_operation { MIXGRAPH_GET, MIXGRAPH_PUT, MIXGRAPH_SEEK };

/*
 * Draws the next `count` operations on n keys, by two streams of random numbers: one for
 * keys, one for types. Bug-compatible: only by the first, and r[i] is the number below n
 * that determines both.
 */
void mixgraph_draw_operations(const struct mixgraph *m, uint64_t n, struct random *keys,
			      struct random *others, uint64_t *ids,
			      unsigned char *operations, uint64_t *r, unsigned count);

#endif
