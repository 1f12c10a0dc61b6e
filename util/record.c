/* record.c: values, and parsing keys; see record.h. */
#include "record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "option.h"
#include "random.h"

#define FAIL_SIZE OPTION_ERROR_SIZE
#include "fail.h"

enum { RATIO_BLOCK = 256 };

const __attribute__((weak)) record_halves record_2559 = {2559, 2559, 2559, 2559,
							 2559, 2559, 2559, 2559};

const char *const record_key_formats[] = {"decimal", "hex",    "binary",
					  "user",    "native", NULL};

double record_max_keys(enum record_key_format format, size_t size)
{
	double digits = (double)(size < 16 ? size : 16);

	return format == KEYS_DECIMAL ? pow(10, digits)
	       : format == KEYS_HEX   ? pow(16, digits)
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

/* Four digits of the number and sixteen of a hash: twenty in all. */
static void user_keys(const struct record_key_shape *shape, char *keys,
		      const uint64_t *ids, unsigned n)
{
	for (unsigned i = 0; i < n; i += 2, keys += 2 * shape->stride) {
		uint64_t first = random_mix(ids[i]), second = random_mix(ids[i + 1]);
		uint64_t high = first / 10000000000000000,
			 other = second / 10000000000000000;
		record_lanes fours = record_digits((record_lanes){high, other}), digits;

		first -= high * 10000000000000000;
		second -= other * 10000000000000000;
		/* "user" replaces the four zeros before the four digits */
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

void record_write_other_keys(const struct record_key_shape *shape, char *keys,
			     const uint64_t *ids, unsigned n)
{
	if (shape->format == KEYS_USER) {
		user_keys(shape, keys, ids, n);
		return;
	}
	for (unsigned i = 0; i < n; i++, keys += shape->stride) {
		uint64_t id =
			shape->format == KEYS_BINARY ? __builtin_bswap64(ids[i]) : ids[i];

		if (shape->format == KEYS_HEX)
			hex_key(keys, shape->size, id);
		else
			memcpy(keys, &id, 8);
	}
}

/* Value of a digit; 99 if the character is not one. */
static uint64_t digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return (uint64_t)(c - '0');
	return c >= 'a' && c <= 'f' ? (uint64_t)(c - 'a' + 10) : 99;
}

/* The number that these digits represent in a base, or UINT64_MAX. */
static uint64_t parse_digits(const char *p, size_t size, uint64_t base)
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

/* Inverse of random_mix; the multipliers are the inverses of its own modulo 2^64. */
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

uint64_t record_parse_key(const char *key, size_t size, enum record_key_format format)
{
	uint64_t id = UINT64_MAX;

	switch (format) {
	case KEYS_DECIMAL:
		return parse_digits(key, size, 10);
	case KEYS_HEX:
		return parse_digits(key, size, 16);
	case KEYS_BINARY:
		if (size < 8 || !all_zeros(key + 8, size - 8))
			return UINT64_MAX;
		memcpy(&id, key, 8);
		return __builtin_bswap64(id);
	case KEYS_USER:
		if (size < RECORD_USER_KEY_SIZE || memcmp(key, "user", 4) ||
		    !all_zeros(key + RECORD_USER_KEY_SIZE, size - RECORD_USER_KEY_SIZE))
			return UINT64_MAX;
		id = parse_digits(key + 4, RECORD_USER_KEY_SIZE - 4, 10);
		return id == UINT64_MAX ? id : unmix(id);
	case KEYS_NATIVE:
		if (size == sizeof id)
			memcpy(&id, key, sizeof id);
		return id;
	}
	return UINT64_MAX;
}

/* Folds fewer than 16 bytes, one by one with FNV-1a's step. */
static __attribute__((noinline)) record_lanes fold_short(const char *p, size_t size)
{
	uint64_t folded = size;

	while (size--)
		folded = (folded ^ (unsigned char)*p++) * 0x100000001b3u;
	return (record_lanes){folded, 0};
}

static record_lanes load_lanes(const char *p)
{
	record_lanes word;

	memcpy(&word, p, sizeof word);
	return word;
}

record_lanes record_fold(const void *data, size_t size)
{
	const char *p = data, *last = p + size - 32;
	/* starting from 0, w0 ^ w1 would commute */
	record_lanes folded = {0x9e3779b97f4a7c15u, 0xf39cc0605cedc834u};

	if (size < 32)
		return size < 16 ? fold_short(p, size)
				 : load_lanes(p) + fold_short(p + 16, size - 16);
	for (; p < last; p += 32)
		folded = (folded + load_lanes(p)) ^ load_lanes(p + 16);
	/*
	 * Rotated: otherwise a byte that the last words share with those before could
	 * cancel itself out.
	 */
	return ((folded << 1 | folded >> 63) + load_lanes(last)) ^ load_lanes(last + 16);
}

uint64_t record_digest(record_lanes folds)
{
	return random_mix(folds[0]) + random_mix(folds[1] + 1);
}

/* The first 256 bytes of splitmix64 from 0: arbitrary. */
static const uint64_t random_block[RATIO_BLOCK / 8] = {
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

static void store_lanes(char *p, record_lanes word)
{
	memcpy(p, &word, sizeof word);
}

static record_lanes random_lanes_at(size_t i, record_lanes lane)
{
	return load_lanes((const char *)random_block + i) ^ lane;
}

/*
 * Writes `random` random bytes, then zeros to the end of the block, in whole words where
 * they fit. Inlined and unrolled: otherwise an update takes a tenth longer.
 */
static inline __attribute__((always_inline)) void fill_block(char *to, size_t block,
							     size_t random,
							     record_lanes lane)
{
	const record_lanes zero = {0, 0};
	size_t i = 0;

#pragma GCC unroll 4
	for (; i + 16 <= random; i += 16)
		store_lanes(to + i, random_lanes_at(i, lane));
	if (random + 16 > block) {
		memset(to + i, 0, block - i);
		if (i < random) {
			record_lanes word = random_lanes_at(i, lane);

			memcpy(to + i, &word, random - i);
		}
		return;
	}
	store_lanes(to + i, random_lanes_at(i, lane) &
				    load_lanes((const char *)masks + 16 - (random - i)));
#pragma GCC unroll 4
	for (i += 16; i + 16 <= block; i += 16)
		store_lanes(to + i, zero);
	/* The last word may overlap zeros, but never random bytes. */
	if (i < block)
		store_lanes(to + block - 16, zero);
}

/*
 * Number of random bytes in a block: one fewer than requested, because a compressor's
 * reference to the zeros takes one or two.
 */
static size_t count_random_bytes(size_t size, unsigned ratio)
{
	size_t block = size < RATIO_BLOCK ? size : RATIO_BLOCK,
	       random = (block * ratio + RATIO_BLOCK / 2) / RATIO_BLOCK;

	return random && random < block ? random - 1 : random;
}

/* Whether the header is among the random bytes; it is plain if they are too few. */
static bool has_hidden_header(size_t size, unsigned ratio)
{
	return size > RECORD_HEADER_SIZE &&
	       count_random_bytes(size, ratio) >= RECORD_HEADER_SIZE;
}

/*
 * No longer than the header, but long enough for a 32-bit generation and a check of at
 * least 32 bits.
 */
static bool is_short(size_t size)
{
	return size >= 8 && size <= RECORD_HEADER_SIZE;
}

/* A generation in 32 bits: 0 for 0 only, and unchanged if it fits. */
static uint32_t short_generation(uint64_t generation)
{
	uint32_t g = (uint32_t)generation + (uint32_t)(generation >> 32) * 0x9e3779b1u;

	return g || !generation ? g : 1;
}

#define SPREAD 0x9fb21c651e98df25u
#define NOT_ZERO 0x5851f42d4c957f2du /* random_mix maps 0 to 0 */

/*
 * Looks random and differs for all generations of an id, so the generation can be
 * recovered.
 */
static uint64_t hide_generation(uint64_t id, uint64_t generation)
{
	return random_mix((id * SPREAD ^ generation) + NOT_ZERO);
}

static uint64_t reveal_generation(uint64_t hidden, uint64_t id)
{
	return (unmix(hidden) - NOT_ZERO) ^ id * SPREAD;
}

/*
 * The first block with a plain header. Its distinct part takes about three of the
 * requested random bytes.
 */
static __attribute__((noinline)) void fill_plain_header(char *value, size_t block,
							size_t random,
							record_lanes header,
							record_lanes lane)
{
	enum { TELLING = 3 };
	size_t rest = block - RECORD_HEADER_SIZE,
	       wanted = random > TELLING ? random - TELLING : 0;

	store_lanes(value, header);
	fill_block(value + RECORD_HEADER_SIZE, rest, wanted < rest ? wanted : rest, lane);
}

/* The generation, hidden by the record, and a check that is unique to both. */
static void short_value(char *value, size_t size, uint64_t id, uint32_t generation)
{
	uint64_t check = hide_generation(id, generation), more = random_mix(check);
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

enum { TEXT_SIZE = 1 << 20, TEXT_PIECE = 100 };

static const char *text_of_values; /* NULL: values are no texts */

void record_use_text(double ratio)
{
	static char bytes[TEXT_SIZE];
	struct random random = random_seed(0, "text");
	size_t distinct = ratio * TEXT_PIECE < 1 ? 1 : (size_t)(ratio * TEXT_PIECE);

	for (size_t i = 0; i < TEXT_SIZE; i++)
		bytes[i] = i % TEXT_PIECE < distinct
				   ? (char)(' ' + random_below(&random, '~' - ' ' + 1))
				   : bytes[i - distinct];
	text_of_values = bytes;
}

bool record_is_text(void)
{
	return text_of_values != NULL;
}

/* A part of the text, which the record chooses; db_bench takes them in turn. */
static void write_text(char *value, size_t size, uint64_t chosen)
{
	for (size_t length; size; size -= length, value += length) {
		length = size < TEXT_SIZE / 2 ? size : TEXT_SIZE / 2;
		memcpy(value, text_of_values + chosen % (TEXT_SIZE / length) * length,
		       length);
	}
}

/*
 * Each block's random part is the same 256 random bytes xored with 16 that no other block
 * of any value has, so no engine can find one block's bytes in another.
 */
void record_write_value(char *value, size_t size, unsigned ratio, uint64_t id,
			uint64_t generation)
{
	uint64_t hidden = hide_generation(id, generation);
	record_lanes lane = {hidden, hidden * SPREAD}, plain = {id, generation},
		     sealed = {hidden, hidden * SPREAD + id};
	size_t block = size < RATIO_BLOCK ? size : RATIO_BLOCK,
	       random = count_random_bytes(size, ratio);

	if (text_of_values) {
		write_text(value, size, hidden);
		return;
	}
	if (is_short(size)) {
		short_value(value, size, id, short_generation(generation));
		return;
	}
	if (size < RECORD_HEADER_SIZE) {
		memcpy(value, &plain, size);
		return;
	}
	if (has_hidden_header(size, ratio)) {
		fill_block(value, block, random, lane);
		store_lanes(value, sealed);
	} else {
		fill_plain_header(value, block, random, plain, lane);
	}
	if (size <= RATIO_BLOCK)
		return;
	for (value += RATIO_BLOCK, size -= RATIO_BLOCK; size > RATIO_BLOCK;
	     value += RATIO_BLOCK, size -= RATIO_BLOCK) {
		lane = lane * 0xd6e8feb86659fd93u + 1;
		fill_block(value, RATIO_BLOCK, random, lane);
	}
	fill_block(value, size, count_random_bytes(size, ratio),
		   lane * 0xd6e8feb86659fd93u + 1);
}

/* A size, a range or a list of sizes; no fields. */
static bool parse_bytes(struct record_sizes *sizes, const char *text, char *error)
{
	char part[64];
	bool range = false;
	uint64_t bytes;

	*sizes = (struct record_sizes){.min = SIZE_MAX};
	for (const char *p = text;; p++) {
		size_t length = strcspn(p, ",-");

		/*
		 * longer text is not a number of bytes, and must not become one by
		 * truncation
		 */
		snprintf(part, sizeof part, "%.*s",
			 (int)(length < sizeof part ? length : 0), p);
		if (!option_parse_bytes(part, &bytes) || !bytes ||
		    bytes > (uint64_t)1 << 40 || sizes->list_count == RECORD_SIZES_MAX)
			return fail(error,
				    "cannot read '%.60s'; give bytes such as 100, a "
				    "range 100-400, or up to %d of them: 100,400,10k",
				    text, RECORD_SIZES_MAX);
		sizes->list[sizes->list_count++] = (size_t)bytes;
		sizes->min = bytes < sizes->min ? (size_t)bytes : sizes->min;
		sizes->max = bytes > sizes->max ? (size_t)bytes : sizes->max;
		p += length;
		if (!*p)
			break;
		range |= *p == '-';
	}
	if (range && (sizes->list_count != 2 || sizes->list[0] > sizes->list[1]))
		return fail(error,
			    "'%.60s' is no range; give the smaller and the larger, such "
			    "as 100-400",
			    text);
	if (range || sizes->min == sizes->max)
		sizes->list_count = 0;
	return true;
}

/* The table of one field's lengths; `sizes` is what a range says. */
static const struct length_table *make_lengths(const struct record_sizes *sizes,
					       const char *kind, char *error)
{
	const char *file = strncmp(kind, "hist:", 5) ? NULL : kind + 5;

	if (file)
		return length_table_read(file, error);
	if (sizes->list_count || sizes->max - sizes->min >= LENGTH_TABLE_MAX) {
		fail(error, "'%.60s' is no range of at most %d lengths", kind,
		     LENGTH_TABLE_MAX);
		return NULL;
	}
	return strncmp(kind, "zipf:", 5) ? length_table_uniform(sizes->min, sizes->max)
					 : length_table_zipfian(sizes->min, sizes->max);
}

bool record_sizes_parse(struct record_sizes *sizes, const char *text, char *error)
{
	enum { FIELDS_MAX = 10000 };
	size_t digits = strspn(text, "0123456789");
	bool is_sum = digits && text[digits] == '*';
	unsigned long fields = is_sum ? strtoul(text, NULL, 10) : 1;
	const char *kind = is_sum ? text + digits + 1 : text;
	bool is_table = !strncmp(kind, "zipf:", 5) || !strncmp(kind, "hist:", 5);
	const char *range = !is_table ? kind : *kind == 'h' ? "1" : kind + 5;

	if (fields < 1 || fields > FIELDS_MAX)
		return fail(error, "cannot read '%.60s'; give 1 to %d fields", text,
			    FIELDS_MAX);
	if (!parse_bytes(sizes, range, error))
		return false;
	if (!is_table && (!is_sum || sizes->min == sizes->max)) {
		sizes->min *= fields;
		sizes->max *= fields;
		return true;
	}
	sizes->lengths = make_lengths(sizes, kind, error);
	if (!sizes->lengths)
		return false;
	sizes->fields = (unsigned)fields;
	sizes->fields_text = text;
	sizes->min = fields * sizes->lengths->least;
	sizes->max = fields * length_table_greatest(sizes->lengths);
	return true;
}

void record_sizes_pareto(struct record_sizes *sizes, const struct pareto *pareto,
			 size_t loaded)
{
	*sizes = (struct record_sizes){
		.min = 0, /* a value above the maximum may be reduced to nothing */
		.max = pareto->max > loaded ? (size_t)pareto->max : loaded,
		.pareto = *pareto,
		.loaded_size = loaded,
		.pareto_mean = pareto_mean(pareto),
	};
}

double record_sizes_loaded_mean(const struct record_sizes *sizes)
{
	return sizes->pareto.sigma > 0 ? (double)sizes->loaded_size
				       : record_sizes_mean(sizes);
}

double record_sizes_mean(const struct record_sizes *sizes)
{
	double sum = 0;

	if (sizes->pareto.sigma > 0)
		return sizes->pareto_mean;
	if (sizes->lengths)
		return sizes->fields * sizes->lengths->mean;
	for (unsigned i = 0; i < sizes->list_count; i++)
		sum += (double)sizes->list[i];
	return sizes->list_count ? sum / sizes->list_count
				 : ((double)sizes->min + (double)sizes->max) / 2;
}

/*
 * Size by a Pareto distribution: u from a hash of both numbers, or from the generation.
 * Only the part of the generation that a short value holds is used.
 */
static __attribute__((noinline)) size_t pareto_size(const struct record_sizes *sizes,
						    uint64_t id, uint32_t generation)
{
	uint64_t hash = random_mix(id * 0xd6e8feb86659fd93 +
				   random_mix(generation + 0x2545f4914f6cdd1d));
	double u = ((double)(hash >> 11) + 0.5) * 0x1p-53;

	if (!generation)
		return sizes->loaded_size;
	if (sizes->pareto_steps)
		u = (double)(generation - 1) / (double)sizes->pareto_steps;
	return (size_t)pareto_draw(&sizes->pareto, u);
}

/* The sum of the fields' lengths, from a hash. */
static __attribute__((noinline)) size_t fields_size(const struct record_sizes *sizes,
						    uint64_t hash)
{
	size_t size = 0;

	for (unsigned i = 0; i < sizes->fields; i++, hash = random_mix(hash))
		size += length_table_draw(sizes->lengths, (double)(hash >> 11) * 0x1p-53);
	return size;
}

size_t record_size(const struct record_sizes *sizes, uint64_t id, uint64_t generation)
{
	uint64_t hash;

	if (sizes->min == sizes->max)
		return sizes->max;
	if (sizes->pareto.sigma > 0)
		return pareto_size(sizes, id, short_generation(generation));
	/* Constants that differ from those of the body. */
	hash = random_mix(id * 0xd6e8feb86659fd93 +
			  random_mix(generation + 0x2545f4914f6cdd1d));
	if (sizes->list_count)
		return sizes->list[hash % sizes->list_count];
	if (sizes->lengths)
		return fields_size(sizes, hash);
	return sizes->min + hash % (sizes->max - sizes->min + 1);
}

static bool is_possible_size(const struct record_sizes *sizes, size_t size)
{
	for (unsigned i = 0; i < sizes->list_count; i++)
		if (sizes->list[i] == size)
			return true;
	return !sizes->list_count && size >= sizes->min && size <= sizes->max;
}

uint64_t record_read_generation(const char *value, size_t size, unsigned ratio,
				uint64_t id)
{
	uint64_t word;

	if (size <= RECORD_HEADER_SIZE)
		return UINT64_MAX;
	if (has_hidden_header(size, ratio)) {
		memcpy(&word, value, 8);
		return reveal_generation(word, id);
	}
	memcpy(&word, value + 8, 8);
	return word;
}

/* Whether a value of some generation can have this size; trace values may have any. */
static bool is_trace_size(const struct record_sizes *sizes, size_t size)
{
	return sizes->any_size_max && size <= sizes->any_size_max;
}

static bool check_short(const struct record_sizes *sizes, const char *value, size_t size,
			uint64_t id, char *scratch)
{
	uint32_t generation = generation_of_short(value, id);

	if (!is_trace_size(sizes, size) &&
	    (sizes->pareto.sigma > 0 ? size != pareto_size(sizes, id, generation)
				     : !is_possible_size(sizes, size)))
		return false;
	short_value(scratch, size, id, generation);
	return !memcmp(value, scratch, size);
}

bool record_check(const struct record_sizes *sizes, const char *value, size_t size,
		  unsigned ratio, uint64_t id, char *scratch)
{
	bool whole = size > RECORD_HEADER_SIZE;
	uint64_t generation = whole ? record_read_generation(value, size, ratio, id) : 0;

	if (is_short(size))
		return check_short(sizes, value, size, id, scratch);
	if (!is_trace_size(sizes, size) &&
	    (whole ? size != record_size(sizes, id, generation)
		   : !is_possible_size(sizes, size)))
		return false;
	record_write_value(scratch, size, ratio, id, generation);
	/* A shorter value can be checked against bytes of the id only. */
	return !memcmp(value, scratch, size);
}
