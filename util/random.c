/* random.c: seeding, jumping and permuting; see random.h. */
#include "random.h"

uint64_t random_splitmix(uint64_t *state)
{
	return random_mix(*state += 0x9e3779b97f4a7c15u);
}

struct random random_seed(uint64_t seed, const char *name)
{
	struct random r;
	uint64_t state = random_mix(seed);

	for (; *name; name++)
		state = random_mix(state ^ (unsigned char)*name) + 0x9e3779b97f4a7c15u;
	for (int i = 0; i < 4; i++)
		r.s[i] = random_splitmix(&state);
	return r;
}

void random_jump(struct random *r)
{
	/* The jump polynomial for 2^128 steps, from the authors' reference implementation. */
	static const uint64_t polynomial[] = {
		0x180ec6d33cfd0aba, 0xd5a61266f0c9392c, 0xa9582618e03fc9aa, 0x39abdc4529b1661c,
	};
	struct random to = {{0, 0, 0, 0}};

	for (int word = 0; word < 4; word++) {
		for (int bit = 0; bit < 64; bit++) {
			if (polynomial[word] >> bit & 1)
				for (int i = 0; i < 4; i++)
					to.s[i] ^= r->s[i];
			random_next(r);
		}
	}
	*r = to;
}

struct permutation permutation_make(uint64_t n, uint64_t seed)
{
	struct permutation p = {.n = n, .half = 1};

	while (p.half < 32 && (uint64_t)1 << 2 * p.half < n)
		p.half++;
	for (int i = 0; i < 4; i++)
		p.key[i] = random_splitmix(&seed);
	return p;
}

uint64_t permutation_at(const struct permutation *p, uint64_t i)
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
