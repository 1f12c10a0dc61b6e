/* distinct_count.c: counting distinct keys in constant memory; see distinct_count.h. */
#include "distinct_count.h"

#include <stdlib.h>
#include <string.h>

#include "random.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/*
 * A key's hash is its low half times a constant, with the product's halves folded onto
 * each other. A multiplication alone would sample evenly spaced keys, or FNV hashes of
 * consecutive numbers, unevenly. A key is in the sample if its hash, as a signed number,
 * is among the largest 2^(32 - halvings).
 */
#define HASH_MULTIPLIER 0x9e3779b1u

/* After that many, two hashes are left. */
enum { MAX_HALVINGS = 31 };

static inline int32_t hash(uint64_t key)
{
	uint64_t product = (uint64_t)(uint32_t)key * HASH_MULTIPLIER;

	return (int32_t)(uint32_t)(product ^ product >> 32);
}

static inline int64_t sample_threshold(const struct distinct_count *c)
{
	return ((int64_t)1 << 31) - ((int64_t)1 << (32 - c->halvings));
}

static inline bool is_sampled(const struct distinct_count *c, uint64_t key)
{
	return hash(key) >= sample_threshold(c);
}

bool distinct_count_init(struct distinct_count *c, uint64_t *table)
{
	*c = (struct distinct_count){.owns_table = !table,
				     .table = table ? table
						    : calloc(DISTINCT_COUNT_SLOTS,
							     sizeof *c->table)};
	return c->table;
}

void distinct_count_free(struct distinct_count *c)
{
	if (c->owns_table)
		free(c->table);
	c->table = NULL;
}

void distinct_count_clear(struct distinct_count *c)
{
	if (c->sampled)
		memset(c->table, 0, DISTINCT_COUNT_SLOTS * sizeof *c->table);
	c->sampled = 0;
	c->halvings = 0;
}

/*
 * Returns true if the key was absent. The key that marks an empty slot is never inserted.
 */
static bool insert(uint64_t *table, uint64_t key)
{
	size_t i = random_mix(key) % DISTINCT_COUNT_SLOTS;

	if (key == UINT64_MAX)
		return false;
	for (; table[i]; i = (i + 1) % DISTINCT_COUNT_SLOTS)
		if (table[i] == key + 1)
			return false;
	table[i] = key + 1;
	return true;
}

/*
 * Keeps half of the sample, in place: entries are removed one by one and inserted again.
 * It begins after an empty slot, which always exists, so that no entry moves past its old
 * slot.
 */
static void halve_sample(struct distinct_count *c)
{
	size_t empty = 0;

	while (c->table[empty])
		empty++;
	c->halvings++;
	c->sampled = 0;
	for (size_t i = 1; i < DISTINCT_COUNT_SLOTS; i++) {
		uint64_t *slot = &c->table[(empty + i) % DISTINCT_COUNT_SLOTS],
			 mark = *slot;

		*slot = 0;
		if (mark && is_sampled(c, mark - 1))
			c->sampled += insert(c->table, mark - 1);
	}
}

/*
 * Adds a key of the sample. A halving may remove nothing if many keys share a low half.
 * If even the last halving removed nothing, the full table is left unchanged.
 */
static __attribute__((noinline)) void add_to_sample(struct distinct_count *c,
						    uint64_t key)
{
	if (c->sampled == DISTINCT_COUNT_MAX || !insert(c->table, key))
		return;
	c->sampled++;
	while (c->sampled == DISTINCT_COUNT_MAX && c->halvings < MAX_HALVINGS)
		halve_sample(c);
}

#if defined(__SSE2__)
/* Which of eight keys are in the sample: two bits for each. */
static inline unsigned sample_mask(const uint64_t *keys, __m128i threshold)
{
	const __m128i multiplier = _mm_set1_epi64x(HASH_MULTIPLIER),
		      *k = (const __m128i *)(const void *)keys;
	__m128 a = _mm_castsi128_ps(_mm_mul_epu32(_mm_loadu_si128(k), multiplier));
	__m128 b = _mm_castsi128_ps(_mm_mul_epu32(_mm_loadu_si128(k + 1), multiplier));
	__m128 c = _mm_castsi128_ps(_mm_mul_epu32(_mm_loadu_si128(k + 2), multiplier));
	__m128 d = _mm_castsi128_ps(_mm_mul_epu32(_mm_loadu_si128(k + 3), multiplier));
	/* The low halves of the products, four in a vector, and the high halves. */
	__m128i first = _mm_xor_si128(_mm_castps_si128(_mm_shuffle_ps(a, b, 0x88)),
				      _mm_castps_si128(_mm_shuffle_ps(a, b, 0xdd)));
	__m128i second = _mm_xor_si128(_mm_castps_si128(_mm_shuffle_ps(c, d, 0x88)),
				       _mm_castps_si128(_mm_shuffle_ps(c, d, 0xdd)));

	return (unsigned)_mm_movemask_epi8(
		_mm_packs_epi32(_mm_cmpgt_epi32(first, threshold),
				_mm_cmpgt_epi32(second, threshold)));
}

/*
 * Adds keys eight at a time; returns how many keys were added. It adds none while all
 * keys are sampled.
 */
static unsigned add_in_eights(struct distinct_count *c, const uint64_t *keys, unsigned n)
{
	__m128i threshold = _mm_set1_epi32((int)(sample_threshold(c) - 1));
	unsigned i = 0;

	for (; c->halvings && i + 8 <= n; i += 8) {
		unsigned found = sample_mask(keys + i, threshold);

		if (__builtin_expect(!found, 1))
			continue;
		for (; found; found &= found - 1, found &= found - 1) {
			uint64_t key = keys[i + (unsigned)__builtin_ctz(found) / 2];

			/* again: an earlier key may have halved the sample */
			if (is_sampled(c, key))
				add_to_sample(c, key);
		}
		threshold = _mm_set1_epi32((int)(sample_threshold(c) - 1));
	}
	return i;
}
#else
static unsigned add_in_eights(struct distinct_count *c, const uint64_t *keys, unsigned n)
{
	(void)c;
	(void)keys;
	(void)n;
	return 0;
}
#endif

void distinct_count_add(struct distinct_count *c, const uint64_t *keys, unsigned n)
{
	for (unsigned i = add_in_eights(c, keys, n); i < n; i++)
		if (is_sampled(c, keys[i]))
			add_to_sample(c, keys[i]);
}

void distinct_count_merge(struct distinct_count *into, const struct distinct_count *from)
{
	while (into->halvings < from->halvings)
		halve_sample(into);
	for (size_t i = 0; from->sampled && i < DISTINCT_COUNT_SLOTS; i++)
		if (from->table[i]) {
			uint64_t key = from->table[i] - 1;

			distinct_count_add(into, &key, 1);
		}
}

double distinct_count_estimate(const struct distinct_count *c)
{
	uint64_t estimate = (uint64_t)c->sampled << c->halvings;

	/* At least this many keys were seen, or the sample would be complete. */
	return (double)(c->halvings && estimate < DISTINCT_COUNT_MAX ? DISTINCT_COUNT_MAX
								     : estimate);
}
