/*
 * random.h: independent streams of random numbers, and permutations without a table.
 *
 * The generator is xoshiro256++ (Blackman and Vigna, "Scrambled linear pseudorandom number
 * generators", ACM TOMS 47, 2021). All streams of one seed are stretches of one sequence of period
 * 2^256 - 1, and random_jump moves 2^128 draws ahead, so no two threads ever walk the same stretch.
 */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

struct random {
	uint64_t s[4];
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

/* Skip 2^128 draws. */
void random_jump(struct random *r);

static inline uint64_t random_rotate(uint64_t x, unsigned by)
{
	return x << by | x >> (64 - by);
}

static inline uint64_t random_next(struct random *r)
{
	uint64_t *s = r->s;
	uint64_t drawn = random_rotate(s[0] + s[3], 23) + s[0], t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = random_rotate(s[3], 45);
	return drawn;
}

__extension__ typedef unsigned __int128 random_wide;

/*
 * Uniform in [0, n). Multiply and shift (Lemire, ACM TOMACS 29, 2019) without the rejection step:
 * no value is favoured by more than n / 2^64, which is 6e-10 at 10^10 keys.
 */
static inline uint64_t random_below(struct random *r, uint64_t n)
{
	return (uint64_t)((random_wide)random_next(r) * n >> 64);
}

/*
 * A pseudorandom permutation of [0, n) in constant memory: a four-round Feistel network over the
 * next even power of two, walked until it lands inside (Black and Rogaway, CT-RSA 2002); fewer
 * than four steps on average.
 */
struct permutation {
	uint64_t n, key[4];
	unsigned half; /* bits on each side of the network */
};

struct permutation permutation_make(uint64_t n, uint64_t seed);

/* Where `i` goes; `i` must be below n. */
uint64_t permutation_at(const struct permutation *p, uint64_t i);

#endif
