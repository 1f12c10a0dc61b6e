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
	record_lanes folded = {0, 0};

	if (size < 32)
		return size < 16 ? fold_short(p, size) : load(p) + fold_short(p + 16, size - 16);
	for (; p < last; p += 32)
		folded = (folded + load(p)) ^ load(p + 16);
	return (folded + load(last)) ^ load(last + 16);
}

uint64_t record_digest(record_lanes folds)
{
	return random_mix(folds[0]) + random_mix(folds[1] + 1);
}

/* Random bytes, `size` of them: a counter through a multiplier, eight at a time. */
static uint64_t random_bytes(char *to, size_t size, uint64_t state)
{
	uint64_t word;

	for (; size >= 8; to += 8, size -= 8) {
		state += 0x9e3779b97f4a7c15u;
		word = (state ^ state >> 32) * 0xd6e8feb86659fd93u;
		memcpy(to, &word, 8);
	}
	if (size) {
		state += 0x9e3779b97f4a7c15u;
		word = (state ^ state >> 32) * 0xd6e8feb86659fd93u;
		memcpy(to, &word, size);
	}
	return state;
}

static void body(char *to, size_t size, unsigned ratio, uint64_t id, uint64_t generation)
{
	uint64_t state = random_mix(id * 0x9fb21c651e98df25u ^ generation);

	while (size) {
		size_t block = size < BLOCK ? size : BLOCK;
		size_t noise = (block * ratio + BLOCK / 2) / BLOCK;

		state = random_bytes(to, noise, state);
		memset(to + noise, 0, block - noise);
		to += block;
		size -= block;
	}
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
