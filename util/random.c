/* random.c: seeding, jumping and permuting; see random.h. */
#include "random.h"

uint64_t random_splitmix(uint64_t *state)
{
	return random_mix(*state += 0x9e3779b97f4a7c15u);
}

struct random random_seed(uint64_t seed, const char *name)
{
	uint64_t state = random_mix(seed), high;

	for (; *name; name++)
		state = random_mix(state ^ (unsigned char)*name) + 0x9e3779b97f4a7c15u;
	high = random_splitmix(&state);
	return (struct random){(random_u128)high << 64 | random_splitmix(&state) | 1};
}

void random_jump(struct random *r)
{
	/* The multiplier to the power of 2^126 / phi, by repeated squaring. */
	random_u128 length = (random_u128)0x278dde6e5fd29f05 << 64 | 0x7ce73018173b720d,
		    power = RANDOM_MULTIPLIER;

	for (; length; length >>= 1) {
		if (length & 1)
			r->state *= power;
		power *= power;
	}
}

struct random_permutation random_permutation_make(uint64_t n, uint64_t seed)
{
	struct random_permutation p = {.n = n, .half = 1};

	while (p.half < 32 && (uint64_t)1 << 2 * p.half < n)
		p.half++;
	for (int i = 0; i < 4; i++)
		p.key[i] = random_splitmix(&seed);
	return p;
}

uint64_t random_permutation_at(const struct random_permutation *p, uint64_t i)
{
	uint64_t mask = ((uint64_t)1 << p->half) - 1;

	do {
		uint64_t left = i >> p->half, right = i & mask;

		for (int round = 0; round < 4; round++) {
			uint64_t next = left ^ (random_mix(right ^ p->key[round]) & mask);

			left = right;
			right = next;
		}
		i = left << p->half | right;
	} while (i >= p->n);
	return i;
}
