/* record.c: values, and reading keys back; see record.h. */
#include "record.h"

#include <math.h>
#include <stdio.h>

#include "option.h"
#include "random.h"

#define FAIL_SIZE OPTION_ERROR
#include "fail.h"

enum { BLOCK = 256 };

const __attribute__((weak))
record_halves record_2559 = {2559, 2559, 2559, 2559, 2559, 2559, 2559, 2559};

const char *const record_forms[] = {"decimal", "hex", "binary", "user", "native", NULL};

double record_room(enum record_keys form, size_t size)
{
	double digits = (double)(size < 16 ? size : 16);

	return form == KEYS_DECIMAL ? pow(10, digits)
	       : form == KEYS_HEX   ? pow(16, digits)
				    : 0x1p64;
}

/* Eight hexadecimal digits of a number, in reading order, all at once. */
static uint64_t hex_digits(uint32_t x)
{
	uint64_t nibbles = x;

	/* One nibble in each byte, the highest first. */
	nibbles = (nibbles | nibbles << 16) & 0x0000ffff0000ffff;
	nibbles = (nibbles | nibbles << 8) & 0x00ff00ff00ff00ff;
	nibbles = (nibbles | nibbles << 4) & 0x0f0f0f0f0f0f0f0f;
	nibbles = __builtin_bswap64(nibbles);
	/*
	 * Those above 9 carry into bit 4 when 6 is added; 'a' is 39 above what '0' + 10
	 * would be.
	 */
	return nibbles + 0x3030303030303030 +
	       ((nibbles + 0x0606060606060606) >> 4 & 0x0101010101010101) * 39;
}

static void hex_key(char *key, size_t size, uint64_t id)
{
	uint64_t low = hex_digits((uint32_t)id), high = hex_digits((uint32_t)(id >> 32));
	size_t more = size < 16 ? size - 8 : 8;

	memcpy(key + size - 8 - more, (const char *)&high + 8 - more, more);
	memcpy(key + size - 8, &low, 8);
}

/* Four digits and sixteen of a hash: its twenty. */
static void user_keys(const struct record_shape *shape, char *keys, const uint64_t *ids,
		      unsigned n)
{
	for (unsigned i = 0; i < n; i += 2, keys += 2 * shape->stride) {
		uint64_t first = random_mix(ids[i]), second = random_mix(ids[i + 1]);
		uint64_t high = first / 10000000000000000,
			 other = second / 10000000000000000;
		record_lanes fours = record_digits((record_lanes){high, other}), digits;

		first -= high * 10000000000000000;
		second -= other * 10000000000000000;
		/* "user" over the four zeros before the four digits */
		fours = (fours & 0xffffffff00000000) | 0x72657375;
		memcpy(keys, &fours, 8);
		digits = record_digits(
			(record_lanes){first / 100000000, first % 100000000});
		memcpy(keys + 8, &digits, 16);
		memcpy(keys + shape->stride, (const char *)&fours + 8, 8);
		digits = record_digits(
			(record_lanes){second / 100000000, second % 100000000});
		memcpy(keys + shape->stride + 8, &digits, 16);
	}
}

void record_other_keys(const struct record_shape *shape, char *keys, const uint64_t *ids,
		       unsigned n)
{
	if (shape->form == KEYS_USER) {
		user_keys(shape, keys, ids, n);
		return;
	}
	for (unsigned i = 0; i < n; i++, keys += shape->stride) {
		uint64_t id = shape->form == KEYS_BINARY ? __builtin_bswap64(ids[i])
							 : ids[i];

		if (shape->form == KEYS_HEX)
			hex_key(keys, shape->size, id);
		else
			memcpy(keys, &id, 8);
	}
}

/* A digit's worth; 99 for what is none. */
static uint64_t digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return (uint64_t)(c - '0');
	return c >= 'a' && c <= 'f' ? (uint64_t)(c - 'a' + 10) : 99;
}

/* The number that digits of a base spell, or UINT64_MAX. */
static uint64_t spelled(const char *p, size_t size, uint64_t base)
{
	uint64_t x = 0;

	for (; size--; p++) {
		uint64_t digit = digit_of(*p);

		if (digit >= base || x > (UINT64_MAX - digit) / base)
			return UINT64_MAX;
		x = x * base + digit;
	}
	return x;
}

/*
 * What random_mix made `x` of; the multipliers are the inverses of its own modulo 2^64.
 */
static uint64_t unmix(uint64_t x)
{
	x = (x ^ x >> 31 ^ x >> 62) * 0x319642b2d24d8ec3;
	x = (x ^ x >> 27 ^ x >> 54) * 0x96de1b173f119089;
	return x ^ x >> 30 ^ x >> 60;
}

static bool all_zeros(const char *p, size_t size)
{
	while (size && *p == '0') {
		p++;
		size--;
	}
	return !size;
}

uint64_t record_id(const char *key, size_t size, enum record_keys form)
{
	uint64_t id = UINT64_MAX;

	switch (form) {
	case KEYS_DECIMAL:
		return spelled(key, size, 10);
	case KEYS_HEX:
		return spelled(key, size, 16);
	case KEYS_BINARY:
		if (size < 8 || !all_zeros(key + 8, size - 8))
			return UINT64_MAX;
		memcpy(&id, key, 8);
		return __builtin_bswap64(id);
	case KEYS_USER:
		if (size < RECORD_USER || memcmp(key, "user", 4) ||
		    !all_zeros(key + RECORD_USER, size - RECORD_USER))
			return UINT64_MAX;
		id = spelled(key + 4, RECORD_USER - 4, 10);
		return id == UINT64_MAX ? id : unmix(id);
	case KEYS_NATIVE:
		if (size == sizeof id)
			memcpy(&id, key, sizeof id);
		return id;
	}
	return UINT64_MAX;
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
	/* from 0, w0 ^ w1 would commute */
	record_lanes folded = {0x9e3779b97f4a7c15u, 0xf39cc0605cedc834u};

	if (size < 32)
		return size < 16 ? fold_short(p, size)
				 : load(p) + fold_short(p + 16, size - 16);
	for (; p < last; p += 32)
		folded = (folded + load(p)) ^ load(p + 16);
	/*
	 * Rotated, or a byte that the last words share with those before could cancel
	 * itself out.
	 */
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

/*
 * `random` random bytes, then zeros to the end of the block; in whole words where there
 * is room. Inlined and unrolled, as a tenth of an update's time is at stake.
 */
static inline __attribute__((always_inline)) void
fill_block(char *to, size_t block, size_t random, record_lanes lane)
{
	const record_lanes zero = {0, 0};
	size_t i = 0;

#pragma GCC unroll 4
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
#pragma GCC unroll 4
	for (i += 16; i + 16 <= block; i += 16)
		store(to + i, zero);
	/* The last word may reach back over zeros, but over random bytes never. */
	if (i < block)
		store(to + block - 16, zero);
}

/*
 * Of a block's bytes those that are random: one fewer than asked for, as the reference to
 * its zeros takes one or two.
 */
static size_t random_bytes(size_t size, unsigned ratio)
{
	size_t block = size < BLOCK ? size : BLOCK,
	       random = (block * ratio + BLOCK / 2) / BLOCK;

	return random && random < block ? random - 1 : random;
}

/* Whether the header is among the random bytes, or plain as there are too few of them. */
static bool is_sealed(size_t size, unsigned ratio)
{
	return size > RECORD_HEADER && random_bytes(size, ratio) >= RECORD_HEADER;
}

/* No longer than the header, and with room for a generation in 32 bits and a check of at
 * least as many. */
static bool is_short(size_t size)
{
	return size >= 8 && size <= RECORD_HEADER;
}

/* A generation in 32 bits: 0 of 0 only, and itself where it fits. */
static uint32_t short_generation(uint64_t generation)
{
	uint32_t g = (uint32_t)generation + (uint32_t)(generation >> 32) * 0x9e3779b1u;

	return g || !generation ? g : 1;
}

#define SPREAD 0x9fb21c651e98df25u
#define NOT_ZERO 0x5851f42d4c957f2du /* random_mix makes 0 of 0 */

/* Random, and no two of an id are alike: its generation can be told from it. */
static uint64_t seal_of(uint64_t id, uint64_t generation)
{
	return random_mix((id * SPREAD ^ generation) + NOT_ZERO);
}

static uint64_t sealed_generation(uint64_t seal, uint64_t id)
{
	return (unmix(seal) - NOT_ZERO) ^ id * SPREAD;
}

/*
 * The first block where the header is plain: what tells it from another's takes about
 * three bytes of those that are due.
 */
static __attribute__((noinline)) void fill_plain(char *value, size_t block, size_t random,
						 record_lanes header, record_lanes lane)
{
	enum { TELLING = 3 };
	size_t rest = block - RECORD_HEADER,
	       due = random > TELLING ? random - TELLING : 0;

	store(value, header);
	fill_block(value + RECORD_HEADER, rest, due < rest ? due : rest, lane);
}

/* The generation, hidden by the record, and what no other record of that generation has.
 */
static void short_value(char *value, size_t size, uint64_t id, uint32_t generation)
{
	uint64_t check = seal_of(id, generation), more = random_mix(check);
	char text[2 * sizeof check];

	generation ^= (uint32_t)random_mix(id + NOT_ZERO);
	memcpy(text, &check, sizeof check);
	memcpy(text + sizeof check, &more, sizeof more);
	memcpy(value, &generation, sizeof generation);
	memcpy(value + sizeof generation, text, size - sizeof generation);
}

static uint32_t generation_of_short(const char *value, uint64_t id)
{
	uint32_t generation;

	memcpy(&generation, value, sizeof generation);
	return generation ^ (uint32_t)random_mix(id + NOT_ZERO);
}

/*
 * Each block's random part is the same 256 random bytes xored with 16 that no other block
 * of any value has, so no engine can find one block's bytes in another.
 */
void record_value(char *value, size_t size, unsigned ratio, uint64_t id,
		  uint64_t generation)
{
	uint64_t seal = seal_of(id, generation);
	record_lanes lane = {seal, seal * SPREAD}, plain = {id, generation},
		     sealed = {seal, seal * SPREAD + id};
	size_t block = size < BLOCK ? size : BLOCK, random = random_bytes(size, ratio);

	if (is_short(size)) {
		short_value(value, size, id, short_generation(generation));
		return;
	}
	if (size < RECORD_HEADER) {
		memcpy(value, &plain, size);
		return;
	}
	if (is_sealed(size, ratio)) {
		fill_block(value, block, random, lane);
		store(value, sealed);
	} else {
		fill_plain(value, block, random, plain, lane);
	}
	if (size <= BLOCK)
		return;
	for (value += BLOCK, size -= BLOCK; size > BLOCK; value += BLOCK, size -= BLOCK) {
		lane = lane * 0xd6e8feb86659fd93u + 1;
		fill_block(value, BLOCK, random, lane);
	}
	fill_block(value, size, random_bytes(size, ratio),
		   lane * 0xd6e8feb86659fd93u + 1);
}

bool record_sizes_parse(struct record_sizes *sizes, const char *text, char *error)
{
	char part[64];
	bool range = false;
	uint64_t bytes;

	*sizes = (struct record_sizes){.least = SIZE_MAX};
	for (const char *p = text;; p++) {
		size_t length = strcspn(p, ",-");

		/*
		 * what is longer is no number of bytes, and must not become one by being
		 * cut
		 */
		snprintf(part, sizeof part, "%.*s",
			 (int)(length < sizeof part ? length : 0), p);
		if (!option_bytes(part, &bytes) || !bytes || bytes > (uint64_t)1 << 40 ||
		    sizes->listed == RECORD_SIZES)
			return fail(error,
				    "cannot read '%.60s'; give bytes such as 100, a "
				    "range 100-400, or up to %d of them: 100,400,10k",
				    text, RECORD_SIZES);
		sizes->list[sizes->listed++] = (size_t)bytes;
		sizes->least = bytes < sizes->least ? (size_t)bytes : sizes->least;
		sizes->most = bytes > sizes->most ? (size_t)bytes : sizes->most;
		p += length;
		if (!*p)
			break;
		range |= *p == '-';
	}
	if (range && (sizes->listed != 2 || sizes->list[0] > sizes->list[1]))
		return fail(error,
			    "'%.60s' is no range; give the smaller and the larger, such "
			    "as 100-400",
			    text);
	if (range || sizes->least == sizes->most)
		sizes->listed = 0;
	return true;
}

void record_sizes_by_law(struct record_sizes *sizes, const struct mixgraph_law *law,
			 size_t loaded)
{
	*sizes = (struct record_sizes){
		.least = 0, /* of what is above the most, nothing may be left */
		.most = law->most > loaded ? (size_t)law->most : loaded,
		.law = *law,
		.loaded = loaded,
		.law_mean = mixgraph_mean(law),
	};
}

double record_sizes_loaded(const struct record_sizes *sizes)
{
	return sizes->law.sigma > 0 ? (double)sizes->loaded : record_sizes_mean(sizes);
}

double record_sizes_mean(const struct record_sizes *sizes)
{
	double sum = 0;

	if (sizes->law.sigma > 0)
		return sizes->law_mean;
	for (unsigned i = 0; i < sizes->listed; i++)
		sum += (double)sizes->list[i];
	return sizes->listed ? sum / sizes->listed
			     : ((double)sizes->least + (double)sizes->most) / 2;
}

/*
 * By a law: u of a hash of both, or as the generation says. Of a generation no more is
 * needed than a short value has.
 */
static __attribute__((noinline)) size_t size_by_law(const struct record_sizes *sizes,
						    uint64_t id, uint32_t generation)
{
	uint64_t hash = random_mix(id * 0xd6e8feb86659fd93 +
				   random_mix(generation + 0x2545f4914f6cdd1d));
	double u = ((double)(hash >> 11) + 0.5) * 0x1p-53;

	if (!generation)
		return sizes->loaded;
	if (sizes->law_of)
		u = (double)(generation - 1) / (double)sizes->law_of;
	return (size_t)mixgraph_size(&sizes->law, u);
}

size_t record_size(const struct record_sizes *sizes, uint64_t id, uint64_t generation)
{
	uint64_t hash;

	if (sizes->least == sizes->most)
		return sizes->most;
	if (sizes->law.sigma > 0)
		return size_by_law(sizes, id, short_generation(generation));
	/* Other constants than the body's. */
	hash = random_mix(id * 0xd6e8feb86659fd93 +
			  random_mix(generation + 0x2545f4914f6cdd1d));
	if (sizes->listed)
		return sizes->list[hash % sizes->listed];
	return sizes->least + hash % (sizes->most - sizes->least + 1);
}

static bool size_can_be(const struct record_sizes *sizes, size_t size)
{
	for (unsigned i = 0; i < sizes->listed; i++)
		if (sizes->list[i] == size)
			return true;
	return !sizes->listed && size >= sizes->least && size <= sizes->most;
}

uint64_t record_generation(const char *value, size_t size, unsigned ratio, uint64_t id)
{
	uint64_t word;

	if (size <= RECORD_HEADER)
		return UINT64_MAX;
	if (is_sealed(size, ratio)) {
		memcpy(&word, value, 8);
		return sealed_generation(word, id);
	}
	memcpy(&word, value + 8, 8);
	return word;
}

/* Whether a value of a generation can have this size; it can have any that may stand
 * beside. */
static bool may_stand_beside(const struct record_sizes *sizes, size_t size)
{
	return sizes->beyond && size <= sizes->beyond;
}

static bool check_short(const struct record_sizes *sizes, const char *value, size_t size,
			uint64_t id, char *scratch)
{
	uint32_t generation = generation_of_short(value, id);

	if (!may_stand_beside(sizes, size) &&
	    (sizes->law.sigma > 0 ? size != size_by_law(sizes, id, generation)
				  : !size_can_be(sizes, size)))
		return false;
	short_value(scratch, size, id, generation);
	return !memcmp(value, scratch, size);
}

bool record_check(const struct record_sizes *sizes, const char *value, size_t size,
		  unsigned ratio, uint64_t id, char *scratch)
{
	bool whole = size > RECORD_HEADER;
	uint64_t generation = whole ? record_generation(value, size, ratio, id) : 0;

	if (is_short(size))
		return check_short(sizes, value, size, id, scratch);
	if (!may_stand_beside(sizes, size) &&
	    (whole ? size != record_size(sizes, id, generation)
		   : !size_can_be(sizes, size)))
		return false;
	record_value(scratch, size, ratio, id, generation);
	/* A shorter value can be held to the bytes of the id only. */
	return !memcmp(value, scratch, size);
}
