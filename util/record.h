/*
 * record.h: keys and values of records.
 *
 * Record i's key is i in one of several formats. Its value is a header of 16 bytes, which
 * holds i and the generation that wrote it, and a body. The body is a pure function of
 * both, so any value can be checked without remembering what was written.
 *
 * A value of 8 to 16 bytes holds the generation in 32 bits and a hash of it and the
 * record; it is checked like longer ones. A value below 8 bytes holds part of the
 * record's number, and only that is checked.
 *
 * Of every 256 bytes the first compression_ratio x 256 are random and the rest zero: an
 * engine can compress to that ratio, and finds no other repetition. The header is among
 * the random bytes: a hash of both numbers, from which one gives the other, then the
 * record's number, hidden by the hash. With fewer than 16 random bytes the header is the
 * two numbers, little-endian. A compressor's overhead, a byte or two of each value, is
 * subtracted from the random bytes.
 */
#ifndef UTIL_RECORD_H
#define UTIL_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "length_table.h"
#include "pareto.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum record_key_format {
	KEYS_DECIMAL, /* zero-padded decimal digits: LevelDB's */
	KEYS_HEX,     /* zero-padded hexadecimal digits, lower case: dbbench's */
	/*
	 * 8 bytes big-endian, then '0's up to the size: RocksDB's, and UCSB's as intended
	 * by its authors
	 */
	KEYS_BINARY,
	/*
	 * "user", then 20 digits of a hash of the number, then '0's: YCSB's, but without
	 * duplicates
	 */
	KEYS_USER,
	/* a uint64_t in native byte order, for engines that compare numbers */
	KEYS_NATIVE,
};

extern const char *const record_key_formats[]; /* their names, NULL-ended */

/* Number of records that have distinct keys of this format and size. */
double record_max_keys(enum record_key_format format, size_t size);

enum { RECORD_HEADER_SIZE = 16, RECORD_USER_KEY_SIZE = 24 };

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "assay knows little-endian machines only"
#endif

typedef int32_t record_words __attribute__((vector_size(16)));
typedef uint16_t record_halves __attribute__((vector_size(16)));
typedef float record_floats __attribute__((vector_size(16)));
typedef uint64_t record_lanes __attribute__((vector_size(16)));

/*
 * 2559 in each lane. It is in memory, and weak where it is defined: a compiler that knows
 * the constant replaces the product by five shifts and sums.
 */
extern const record_halves record_2559;

/*
 * The low half of each lane times a 32-bit constant: one instruction instead of ten with
 * GCC's vectors.
 */
static inline record_lanes record_multiply(record_lanes x, uint32_t by)
{
#if defined(__SSE2__)
	const record_lanes factor = {by, by};

	return (record_lanes)_mm_mul_epu32((__m128i)x, (__m128i)factor);
#else
	return (record_lanes){(uint64_t)(uint32_t)x[0] * by,
			      (uint64_t)(uint32_t)x[1] * by};
#endif
}

/*
 * Eight decimal digits of each of two numbers below 10^8, as 16 bytes in reading order.
 * Numbers are split into fours, fours into pairs and pairs into digits, all lanes at
 * once. The fixed-point products are exact for these ranges.
 */
static inline record_lanes record_digits(record_lanes numbers)
{
	/* x / 10000 for x < 2^32 */
	record_lanes tops = record_multiply(numbers, 3518437209u) >> 45;
	/* quotient | remainder << 32 */
	record_words fours =
		(record_words)(((numbers - record_multiply(tops, 10000)) << 32) + tops);
	record_floats hundredths =
		__builtin_convertvector(fours, record_floats) * 0.010000001f;
	record_words high = __builtin_convertvector(hundredths, record_words);
	/* In each word: low half 0 - high * -1 = high, high half four - high * 100. */
	record_halves pairs = (record_halves)(fours << 16) -
			      (record_halves)(high | high << 16) *
				      (record_halves){0xffff, 100, 0xffff, 100,
						      0xffff, 100, 0xffff, 100};
	record_halves tens = pairs * 103 >> 10; /* x / 10 for x < 100 */

	/* tens + (pairs - tens * 10) * 256 */
	return (record_lanes)((pairs << 8) - tens * record_2559 + 0x3030);
}

/* The shape of all keys of a database. */
struct record_key_shape {
	enum record_key_format format;
	bool wide;     /* some id has more than eight digits */
	size_t size;   /* bytes in a key: at least 8; native keys are 8 */
	size_t stride; /* bytes from one key to the next in an array of them */
};

/* Writes keys in the formats other than decimal. */
void record_write_other_keys(const struct record_key_shape *shape, char *keys,
			     const uint64_t *ids, unsigned n);

/*
 * Writes the keys of ids[0..n-1], and of one more if n is odd, into an array large enough
 * for that. The array must have been filled with '0' once: only digits that can differ
 * are written.
 */
static inline void record_write_keys(const struct record_key_shape *shape, char *keys,
				     const uint64_t *ids, unsigned n)
{
	size_t stride = shape->stride, size = shape->size,
	       high = size < 16 ? size - 8 : 8;

	if (shape->format != KEYS_DECIMAL) {
		record_write_other_keys(shape, keys, ids, n);
		return;
	}
	if (shape->wide) {
		for (unsigned i = 0; i < n; i++) {
			uint64_t top = ids[i] / 100000000;
			record_lanes digits =
				record_digits((record_lanes){top, ids[i] % 100000000});
			char text[16];

			memcpy(text, &digits, 16);
			memcpy(keys + i * stride + size - 8 - high, text + 8 - high,
			       high + 8);
		}
		return;
	}
	keys += size - 8;
	for (unsigned i = 0; i < n; i += 2, keys += 2 * stride) {
		record_lanes pair, digits;

		memcpy(&pair, &ids[i], sizeof pair);
		digits = record_digits(pair);
		uint64_t first = digits[0], second = digits[1];

		memcpy(keys, &first, 8);
		memcpy(keys + stride, &second, 8);
	}
}

/* The record of a key, or UINT64_MAX if it is not a key of this format. */
uint64_t record_parse_key(const char *key, size_t size, enum record_key_format format);

/*
 * Sizes of values: constant (min == max, no list), uniform from min to max, uniform over
 * a list, the sum of fields whose lengths are drawn from a table, or by a Pareto
 * distribution. A value's size is a function of (id, generation).
 */
enum { RECORD_SIZES_MAX = 32 };

struct record_sizes {
	size_t min, max;
	unsigned list_count; /* 0: a range */
	size_t list[RECORD_SIZES_MAX];
	const struct length_table *lengths; /* of each field; NULL: not by fields */
	unsigned fields;
	const char *fields_text; /* as it was parsed */
	/* of values written after the load, whose sizes are `loaded`; sigma 0: none */
	struct pareto pareto;
	size_t loaded_size;
	/*
	 * generation g has the size of u = (g - 1) / pareto_steps, below 2^32; 0: u is
	 * drawn by (id, generation)
	 */
	uint64_t pareto_steps;
	double pareto_mean;
	/* if above 0, values of any size up to this may occur as well */
	size_t any_size_max;
};

/* The largest size of any value. */
static inline size_t record_sizes_max(const struct record_sizes *sizes)
{
	return sizes->any_size_max > sizes->max ? sizes->any_size_max : sizes->max;
}

/* Sets sizes by a Pareto distribution, after a load with values of `loaded` bytes. */
void record_sizes_pareto(struct record_sizes *sizes, const struct pareto *pareto,
			 size_t loaded);

/*
 * Parses "100", "100-400" or "100,400,10k"; "zipf:1-100" or "hist:FILE", lengths of a
 * table; "10*100", "10*1-100" or "10*zipf:1-100", the sum of so many fields. The text must
 * last as long as the sizes. Returns false with a sentence in `error` (OPTION_ERROR_SIZE
 * bytes).
 */
bool record_sizes_parse(struct record_sizes *sizes, const char *text, char *error);

/*
 * Mean in bytes: of loaded values, and of values written later. They differ only for a
 * Pareto distribution.
 */
double record_sizes_loaded_mean(const struct record_sizes *sizes);
double record_sizes_mean(const struct record_sizes *sizes);

/* Size of the value of (id, generation). */
size_t record_size(const struct record_sizes *sizes, uint64_t id, uint64_t generation);

/*
 * Incremented whenever record_write_value() changes its bytes: databases of another
 * format cannot be verified.
 */
enum { RECORD_FORMAT = 3, RECORD_TEXT_FORMAT = 255 };

/*
 * From now on values are texts like db_bench's, so that they take the same work and space
 * when they are compressed: pieces of 100 bytes, in which `ratio` as many random printable
 * characters are repeated. They do not say whose they are, and cannot be checked. Before
 * any value is written.
 */
void record_use_text(double ratio);

/* Are values such texts? */
bool record_is_text(void);

/* Writes the value of (id, generation), `size` bytes; ratio in 256ths, 0 to 256. */
void record_write_value(char *value, size_t size, unsigned ratio, uint64_t id,
			uint64_t generation);

/* The generation that a value of `id` states; UINT64_MAX if the value is too short. */
uint64_t record_read_generation(const char *value, size_t size, unsigned ratio,
				uint64_t id);

/*
 * Returns true if `value` is the value of some generation of `id`, its size included.
 * `scratch` holds record_sizes_max() bytes.
 */
bool record_check(const struct record_sizes *sizes, const char *value, size_t size,
		  unsigned ratio, uint64_t id, char *scratch);

/*
 * Folds every byte of a string into two words by adding and xoring its 16-byte words in
 * turn. The two operations do not commute, so both the bytes and their order matter. The
 * loop is as fast as memory. The last words may overlap those before. Folds of several
 * strings are added, in any order; record_digest reduces the sum to one word.
 */
record_lanes record_fold(const void *data, size_t size);

uint64_t record_digest(record_lanes folds);

#endif
