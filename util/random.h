/*
 * random.h: independent streams of random numbers, and permutations without a table.
 *
 * The generator is a multiplicative congruential one modulo 2^128 with the high 64 bits
 * as output (Steele and Vigna, "Computationally easy, spectrally good multipliers for
 * congruential pseudorandom number generators", Softw. Pract. Exp. 52, 2022, give the
 * multiplier): one multiplication a draw, period 2^126. All streams of one seed are
 * stretches of one sequence and random_jump moves 2^126 / phi draws ahead: of 4096
 * streams the nearest two are 2^113 draws apart, so none walks where another does, and
 * the jump is no power of two, which would leave the low halves of two streams' states
 * alike.
 */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

__extension__ typedef unsigned __int128 random_wide;

struct random {
	random_wide state; /* odd */
};

/* One step of splitmix64: advances *state and returns a well mixed word. */
uint64_t random_splitmix(uint64_t *state);

/* A 64-bit hash of a word; a bijection (the finalizer of splitmix64). */
static inline uint64_t random_mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

/* The stream of a (seed, name) pair; names keep a load and the reads after it apart. */
struct random random_seed(uint64_t seed, const char *name);

/* Move to the next stream. */
void random_jump(struct random *r);

#define RANDOM_MULTIPLIER 0xda942042e4dd58b5u

static inline uint64_t random_next(struct random *r)
{
	r->state *= RANDOM_MULTIPLIER;
	return (uint64_t)(r->state >> 64);
}

/*
 * Uniform in [0, n). Multiply and shift (Lemire, ACM TOMACS 29, 2019) without the
 * rejection step: no value is favoured by more than n / 2^64, which is 6e-10 at 10^10
 * keys.
 */
static inline uint64_t random_below(struct random *r, uint64_t n)
{
	return (uint64_t)((random_wide)random_next(r) * n >> 64);
}

/*
 * A pseudorandom permutation of [0, n) in constant memory: a four-round Feistel network
 * over the next even power of two, walked until it lands inside (Black and Rogaway,
 * CT-RSA 2002); fewer than four steps on average.
 */
struct permutation {
	uint64_t n, key[4];
	unsigned half; /* bits on each side of the network */
};

struct permutation permutation_make(uint64_t n, uint64_t seed);

/* Where `i` goes; `i` must be below n. */
uint64_t permutation_at(const struct permutation *p, uint64_t i);

#endif
