/* record.c: values, and reading keys back; see record.h. */
#include "record.h"

#include "random.h"

enum { BLOCK = 256 };

const record_halves record_2559 = {2559, 2559, 2559, 2559, 2559, 2559, 2559, 2559};

uint64_t record_id(const char *key, size_t size, enum record_keys form)
{
	uint64_t id = 0;

	if (form == KEYS_NATIVE) {
		if (size != sizeof id)
			return UINT64_MAX;
		memcpy(&id, key, sizeof id);
		return id;
	}
	for (size_t i = 0; i < size; i++) {
		if (key[i] < '0' || key[i] > '9' || id > UINT64_MAX / 10 - 1)
			return UINT64_MAX;
		id = id * 10 + (uint64_t)(key[i] - '0');
	}
	return id;
}

/* Fewer than 16 bytes, one by one with FNV-1a's step. */
static __attribute__((noinline)) record_lanes fold_short(const char *p, size_t size)
{
	uint64_t folded = size;

	while (size--)
		folded = (folded ^ (unsigned char)*p++) * 0x100000001b3u;
	return (record_lanes){folded, 0};
}

static record_lanes load(const char *p)
{
	record_lanes word;

	memcpy(&word, p, sizeof word);
	return word;
}

record_lanes record_fold(const void *data, size_t size)
{
	const char *p = data, *last = p + size - 32;
	record_lanes folded = {0x9e3779b97f4a7c15u, 0xf39cc0605cedc834u}; /* from 0, w0 ^ w1 would commute */

	if (size < 32)
		return size < 16 ? fold_short(p, size) : load(p) + fold_short(p + 16, size - 16);
	for (; p < last; p += 32)
		folded = (folded + load(p)) ^ load(p + 16);
	/* Rotated, or a byte that the last words share with those before could cancel itself out. */
	return ((folded << 1 | folded >> 63) + load(last)) ^ load(last + 16);
}

uint64_t record_digest(record_lanes folds)
{
	return random_mix(folds[0]) + random_mix(folds[1] + 1);
}

/* The first 256 bytes of splitmix64 from 0: as good as any. */
static const uint64_t noise[BLOCK / 8] = {
	0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f, 0xf88bb8a8724c81ec,
	0x1b39896a51a8749b, 0x53cb9f0c747ea2ea, 0x2c829abe1f4532e1, 0xc584133ac916ab3c,
	0x3ee5789041c98ac3, 0xf3b8488c368cb0a6, 0x657eecdd3cb13d09, 0xc2d326e0055bdef6,
	0x8621a03fe0bbdb7b, 0x8e1f7555983aa92f, 0xb54e0f1600cc4d19, 0x84bb3f97971d80ab,
	0x7d29825c75521255, 0xc3cf17102b7f7f86, 0x3466e9a083914f64, 0xd81a8d2b5a4485ac,
	0xdb01602b100b9ed7, 0xa9038a921825f10d, 0xedf5f1d90dca2f6a, 0x54496ad67bd2634c,
	0xdd7c01d4f5407269, 0x935e82f1db4c4f7b, 0x69b82ebc92233300, 0x40d29eb57de1d510,
	0xa2f09dabb45c6316, 0xee521d7a0f4d3872, 0xf16952ee72f3454f, 0x377d35dea8e40225,
};

/* The first r bytes of a word survive the mask at masks + 16 - r. */
static const unsigned char masks[32] = {255, 255, 255, 255, 255, 255, 255, 255,
					255, 255, 255, 255, 255, 255, 255, 255};

static void store(char *p, record_lanes word)
{
	memcpy(p, &word, sizeof word);
}

static record_lanes noise_at(size_t i, record_lanes lane)
{
	return load((const char *)noise + i) ^ lane;
}

/* `random` random bytes, then zeros to the end of the block; in whole words where there is room. */
static void fill_block(char *to, size_t block, size_t random, record_lanes lane)
{
	const record_lanes zero = {0, 0};
	size_t i = 0;

	for (; i + 16 <= random; i += 16)
		store(to + i, noise_at(i, lane));
	if (random + 16 > block) {
		memset(to + i, 0, block - i);
		if (i < random) {
			record_lanes word = noise_at(i, lane);

			memcpy(to + i, &word, random - i);
		}
		return;
	}
	store(to + i, noise_at(i, lane) & load((const char *)masks + 16 - (random - i)));
	for (i += 16; i + 16 <= block; i += 16)
		store(to + i, zero);
	/* The last word may reach back over zeros, but over random bytes never. */
	if (i < block)
		store(to + block - 16, zero);
}

/*
 * Each block's random part is the same 256 random bytes xored with 16 that no other block of any
 * value has, so no engine can find one block's bytes in another.
 */
static void body(char *to, size_t size, unsigned ratio, uint64_t id, uint64_t generation)
{
	uint64_t state = random_mix(id * 0x9fb21c651e98df25u ^ generation);
	record_lanes lane = {state, state * 0x9fb21c651e98df25u};

	for (; size > BLOCK; to += BLOCK, size -= BLOCK) {
		fill_block(to, BLOCK, ratio, lane);
		lane = lane * 0xd6e8feb86659fd93u + 1;
	}
	fill_block(to, size, (size * ratio + BLOCK / 2) / BLOCK, lane);
}

void record_value(char *value, size_t size, unsigned ratio, uint64_t id, uint64_t generation)
{
	uint64_t header[2] = {id, generation};

	if (size <= RECORD_HEADER) {
		memcpy(value, header, size);
		return;
	}
	memcpy(value, header, RECORD_HEADER);
	body(value + RECORD_HEADER, size - RECORD_HEADER, ratio, id, generation);
}

bool record_check(const char *value, size_t size, unsigned ratio, uint64_t id, char *scratch)
{
	uint64_t generation = 0;

	if (size >= RECORD_HEADER)
		memcpy(&generation, value + 8, 8);
	record_value(scratch, size, ratio, id, generation);
	/* A value cut inside the generation can be held to the bytes of the id only. */
	return !memcmp(value, scratch, size >= RECORD_HEADER ? size : size < 8 ? size : 8);
}
