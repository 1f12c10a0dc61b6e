/* census.c: counting different keys in constant memory; see census.h. */
#include "census.h"

#include <stdlib.h>
#include <string.h>

#include "random.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/*
 * A key's hash is its low half times a constant, the product's halves folded onto each
 * other: a multiplication alone would sample evenly spaced keys, and what FNV makes of
 * consecutive numbers, unfairly. A key is in the sample if its hash, taken as a signed
 * number, is among the largest 2^(32 - halvings).
 */
#define MULTIPLIER 0x9e3779b1u

/* At most; two hashes are left then. */
enum { HALVINGS = 31 };

static inline int32_t hash(uint64_t key)
{
	uint64_t product = (uint64_t)(uint32_t)key * MULTIPLIER;

	return (int32_t)(uint32_t)(product ^ product >> 32);
}

static inline int64_t least_sampled(const struct census *c)
{
	return ((int64_t)1 << 31) - ((int64_t)1 << (32 - c->halvings));
}

static inline bool sampled(const struct census *c, uint64_t key)
{
	return hash(key) >= least_sampled(c);
}

bool census_start(struct census *c, uint64_t *table)
{
	*c = (struct census){.own = !table,
			     .table = table ? table
					    : calloc(CENSUS_SLOTS, sizeof *c->table)};
	return c->table;
}

void census_end(struct census *c)
{
	if (c->own)
		free(c->table);
	c->table = NULL;
}

void census_clear(struct census *c)
{
	if (c->kept)
		memset(c->table, 0, CENSUS_SLOTS * sizeof *c->table);
	c->kept = 0;
	c->halvings = 0;
}

/*
 * True if it was not there. The one key that an empty slot stands for is never put there.
 */
static bool insert(uint64_t *table, uint64_t key)
{
	size_t i = random_mix(key) % CENSUS_SLOTS;

	if (key == UINT64_MAX)
		return false;
	for (; table[i]; i = (i + 1) % CENSUS_SLOTS)
		if (table[i] == key + 1)
			return false;
	table[i] = key + 1;
	return true;
}

/*
 * Keep half of the sample, in place: entries are taken out one after another and put back
 * where they belong. That begins behind an empty slot, of which there always are, so none
 * goes beyond where it was.
 */
static void halve(struct census *c)
{
	size_t empty = 0;

	while (c->table[empty])
		empty++;
	c->halvings++;
	c->kept = 0;
	for (size_t i = 1; i < CENSUS_SLOTS; i++) {
		uint64_t *slot = &c->table[(empty + i) % CENSUS_SLOTS], mark = *slot;

		*slot = 0;
		if (mark && sampled(c, mark - 1))
			c->kept += insert(c->table, mark - 1);
	}
}

/*
 * A key that is in the sample. A halving may remove nothing, where many keys share a low
 * half; where even the last one did, what is full stays as it is.
 */
static __attribute__((noinline)) void take(struct census *c, uint64_t key)
{
	if (c->kept == CENSUS_MOST || !insert(c->table, key))
		return;
	c->kept++;
	while (c->kept == CENSUS_MOST && c->halvings < HALVINGS)
		halve(c);
}

#if defined(__SSE2__)
/* Of eight keys at a time, which are in the sample? Two bits for each. */
static inline unsigned which(const uint64_t *keys, __m128i above)
{
	const __m128i multiplier = _mm_set1_epi64x(MULTIPLIER),
		      *k = (const __m128i *)(const void *)keys;
	__m128 a = _mm_castsi128_ps(_mm_mul_epu32(_mm_loadu_si128(k), multiplier));
	__m128 b = _mm_castsi128_ps(_mm_mul_epu32(_mm_loadu_si128(k + 1), multiplier));
	__m128 c = _mm_castsi128_ps(_mm_mul_epu32(_mm_loadu_si128(k + 2), multiplier));
	__m128 d = _mm_castsi128_ps(_mm_mul_epu32(_mm_loadu_si128(k + 3), multiplier));
	/* The low halves of the products, four in a word, and the high ones. */
	__m128i first = _mm_xor_si128(_mm_castps_si128(_mm_shuffle_ps(a, b, 0x88)),
				      _mm_castps_si128(_mm_shuffle_ps(a, b, 0xdd)));
	__m128i second = _mm_xor_si128(_mm_castps_si128(_mm_shuffle_ps(c, d, 0x88)),
				       _mm_castps_si128(_mm_shuffle_ps(c, d, 0xdd)));

	return (unsigned)_mm_movemask_epi8(_mm_packs_epi32(
		_mm_cmpgt_epi32(first, above), _mm_cmpgt_epi32(second, above)));
}

/*
 * Eights of keys; answers how many keys that were. While all keys are sampled it does
 * none.
 */
static unsigned add_eights(struct census *c, const uint64_t *keys, unsigned n)
{
	__m128i above = _mm_set1_epi32((int)(least_sampled(c) - 1));
	unsigned i = 0;

	for (; c->halvings && i + 8 <= n; i += 8) {
		unsigned found = which(keys + i, above);

		if (__builtin_expect(!found, 1))
			continue;
		for (; found; found &= found - 1, found &= found - 1) {
			uint64_t key = keys[i + (unsigned)__builtin_ctz(found) / 2];

			/* still: the one before may have halved the sample */
			if (sampled(c, key))
				take(c, key);
		}
		above = _mm_set1_epi32((int)(least_sampled(c) - 1));
	}
	return i;
}
#else
static unsigned add_eights(struct census *c, const uint64_t *keys, unsigned n)
{
	(void)c;
	(void)keys;
	(void)n;
	return 0;
}
#endif

void census_add(struct census *c, const uint64_t *keys, unsigned n)
{
	for (unsigned i = add_eights(c, keys, n); i < n; i++)
		if (sampled(c, keys[i]))
			take(c, keys[i]);
}

void census_merge(struct census *into, const struct census *from)
{
	while (into->halvings < from->halvings)
		halve(into);
	for (size_t i = 0; from->kept && i < CENSUS_SLOTS; i++)
		if (from->table[i]) {
			uint64_t key = from->table[i] - 1;

			census_add(into, &key, 1);
		}
}

double census_distinct(const struct census *c)
{
	uint64_t estimate = (uint64_t)c->kept << c->halvings;

	/* So many have been seen, or the sample would be whole. */
	return (double)(c->halvings && estimate < CENSUS_MOST ? CENSUS_MOST : estimate);
}
