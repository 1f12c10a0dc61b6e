/*
 * random.h: independent streams of random numbers, and permutations without a table.
 *
 * The generator is a multiplicative congruential one modulo 2^128, whose high 64 bits are
 * the output. The multiplier is from Steele and Vigna, "Computationally easy, spectrally
 * good multipliers for congruential pseudorandom number generators", Softw. Pract. Exp.
 * 52, 2022. A draw costs one multiplication; the period is 2^126. All streams of a seed
 * are parts of one sequence: random_jump moves 2^126 / phi draws ahead. The nearest two
 * of 4096 streams are 2^113 draws apart, so they do not overlap. A jump by a power of two
 * would leave the low halves of two streams' states alike.
 */
#ifndef UTIL_RANDOM_H
#define UTIL_RANDOM_H

#include <stdint.h>

__extension__ typedef unsigned __int128 random_u128;

struct random {
	random_u128 state; /* odd */
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

/*
 * The stream of a (seed, name) pair; different names separate a load from the reads after
 * it.
 */
struct random random_seed(uint64_t seed, const char *name);

/* Moves to the next stream. */
void random_jump(struct random *r);

#define RANDOM_MULTIPLIER 0xda942042e4dd58b5u

static inline uint64_t random_next(struct random *r)
{
	/* by halves: fewer moves between registers than the product of 128 bits has */
	random_u128 low = (random_u128)(uint64_t)r->state * RANDOM_MULTIPLIER;
	uint64_t high =
		(uint64_t)(r->state >> 64) * RANDOM_MULTIPLIER + (uint64_t)(low >> 64);

	r->state = (random_u128)high << 64 | (uint64_t)low;
	return high;
}

/*
 * Uniform in [0, n). Multiply and shift (Lemire, ACM TOMACS 29, 2019) without the
 * rejection step: no value is favoured by more than n / 2^64, which is 6e-10 at 10^10
 * keys.
 */
static inline uint64_t random_below(struct random *r, uint64_t n)
{
	return (uint64_t)((random_u128)random_next(r) * n >> 64);
}

/*
 * A pseudorandom permutation of [0, n) in constant memory: a four-round Feistel network
 * over the next even power of two, repeated until the result is below n (Black and
 * Rogaway, CT-RSA 2002); fewer than four steps on average.
 */
struct random_permutation {
	uint64_t n, key[4];
	unsigned half; /* bits on each side of the network */
};

struct random_permutation random_permutation_make(uint64_t n, uint64_t seed);

/* Position of `i`, which must be below n. */
uint64_t random_permutation_at(const struct random_permutation *p, uint64_t i);

#endif
