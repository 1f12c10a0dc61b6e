/*
 * draw.h: which key comes next: the distributions of storage benchmarks.
 *
 * Every distribution takes constant memory, needs no lock (each thread has its own struct
 * draw and its own stream of random numbers), works with 64-bit keys to 10^10 and more,
 * and follows a key space that grows. Draws are made many at a time, into an array.
 */
#ifndef DRAW_H
#define DRAW_H

#include <stdint.h>

#include "mixgraph.h"
#include "random.h"

enum draw_kind {
	DRAW_UNIFORM,     /* every key alike */
	DRAW_ZIPFIAN,     /* key r with probability proportional to 1 / (r + 1)^theta */
	/* YCSB's: a rank of 10^10 zipfian ones, hashed with FNV onto the keys */
	DRAW_SCRAMBLED,
	DRAW_LATEST,      /* zipfian counted back from the newest key */
	/*
	 * hot_share of the draws uniform over the first hot_keys of the keys, the rest
	 * over the rest
	 */
	DRAW_HOTSPOT,
	/*
	 * YCSB's: counted back from the newest key; 95 % fall on 0.8571428571 of the keys
	 */
	DRAW_EXPONENTIAL,
	/* self-similar: the first h of the keys get 1 - h of the draws */
	DRAW_PARETO,
	DRAW_SEQUENTIAL,  /* ascending, wrapping at the end */
	DRAW_MIXGRAPH,    /* the social graph's: mixgraph.h */
	/* an artefact: uniform as db_bench's of 2014, x = 16807 x mod 2^31 - 1, x % n */
	DRAW_MINSTD,
	/* an artefact: scrambled as UCSB's of 2022, in 32-bit floats over minstd */
	DRAW_UCSB2022,
	DRAWS
};

extern const char *const draw_names[DRAWS + 1]; /* ends with NULL */

struct draw_shape {
	enum draw_kind kind;
	double theta;              /* zipfian, scrambled, latest: at least 0 */
	double hot_keys, hot_share; /* hotspot: fractions, 0 to 1 */
	double h;                  /* Pareto: above 0, below 1 */
	/*
	 * scrambled: hash onto so many keys, and draw again what is not there; 0: onto n
	 */
	uint64_t hashed;
	uint32_t lcg;              /* minstd: first state, 1 to 2^31 - 2 */
	const struct mixgraph *mixgraph; /* prepared, and the caller's */
};

/* A thread's own; copying one and its struct random copies all there is. */
struct draw {
	struct draw_shape shape;
	uint64_t n;        /* keys are below this */
	/* ranks below this are the most popular 1 % of the keys, at least one */
	uint64_t popular;
	/*
	 * draws that fell on them: by rank, before a scrambled one is hashed; not of
	 * mixgraph's
	 */
	uint64_t tops;
	uint64_t position; /* of a sequence */
	uint32_t lcg;
	double constant[8]; /* what depends on n and theta only; draw.c names them */
};

/*
 * n is at least 1. The first call fills tables that all threads share, without a lock:
 * one thread, as in bench.c the main one, must have made it before others draw.
 */
void draw_start(struct draw *d, const struct draw_shape *shape, uint64_t n);

/* The key space now holds n keys; costs a power or two. */
void draw_resize(struct draw *d, uint64_t n);

/* The next `count` keys. */
void draw_many(struct draw *d, struct random *random, uint64_t *ids, unsigned count);

#endif
