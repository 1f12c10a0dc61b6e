/*
 * record.h: what a record looks like.
 *
 * Record i's key is i in one of several forms. Its value is 16 bytes of header, which
 * tell i and the generation that wrote it, and a body that is a pure function of the two,
 * so any value that comes back can be checked without remembering what was written. Of
 * values that are no longer than the header those of 8 bytes and more hold the generation
 * in 32 bits and a hash of it and the record, and are checked like the others; those
 * below 8 hold a part of the number of the record, and are held to that.
 *
 * Of every 256 bytes the first compression_ratio x 256 are random and the rest zero: an
 * engine can compress to that ratio and finds no repeat beyond it. The header is among
 * the random bytes (a hash of both numbers, of which either gives the other; then the
 * number of the record, hidden by it); where there are fewer than 16 it is the two
 * numbers themselves, little-endian. What a compressor needs besides the random bytes, a
 * byte or two of each value, is taken off them.
 */
#ifndef RECORD_H
#define RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "mixgraph.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum record_keys {
	KEYS_DECIMAL, /* zero-padded decimal digits: LevelDB's */
	KEYS_HEX,     /* zero-padded hexadecimal digits, lower case: dbbench's */
	/*
	 * 8 bytes big-endian, then '0's up to the size: RocksDB's, and UCSB's as it was
	 * meant
	 */
	KEYS_BINARY,
	/*
	 * "user", then 20 digits of a hash of the number, then '0's: YCSB's, but no two
	 * alike
	 */
	KEYS_USER,
	/* a uint64_t as the machine has it, for engines that compare numbers */
	KEYS_NATIVE,
};

extern const char *const record_forms[]; /* their names, NULL-ended */

/* How many records have different keys of this form and size. */
double record_room(enum record_keys form, size_t size);

enum { RECORD_HEADER = 16, RECORD_USER = 24 };

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "assay knows little-endian machines only"
#endif

typedef int32_t record_words __attribute__((vector_size(16)));
typedef uint16_t record_halves __attribute__((vector_size(16)));
typedef float record_floats __attribute__((vector_size(16)));
typedef uint64_t record_lanes __attribute__((vector_size(16)));

/*
 * 2559 in each lane. In memory, and weak where it is defined: compilers that see it spell
 * the product as five shifts and sums.
 */
extern const record_halves record_2559;

/*
 * The low half of each lane times a 32-bit constant: one instruction where GCC's vectors
 * would take ten.
 */
static inline record_lanes record_times(record_lanes x, uint32_t by)
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
 * Eight decimal digits of each of two numbers below 10^8, as 16 bytes in reading order:
 * numbers are split into fours, fours into pairs and pairs into digits, all lanes at
 * once. The float product is exact where it matters: no x below 10^4 comes within
 * rounding of a multiple of 100 from below.
 */
static inline record_lanes record_digits(record_lanes numbers)
{
	/* x / 10000 for x < 2^32 */
	record_lanes tops = record_times(numbers, 3518437209u) >> 45;
	/* quotient | remainder << 32 */
	record_words fours =
		(record_words)(((numbers - record_times(tops, 10000)) << 32) + tops);
	record_floats hundredths = __builtin_convertvector(fours, record_floats) *
				   0.010000001f;
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
struct record_shape {
	enum record_keys form;
	bool wide;     /* some id needs more than eight digits */
	size_t size;   /* bytes in a key: at least 8; native keys are 8 */
	size_t stride; /* bytes from one key to the next in an array of them */
};

/* The forms other than decimal. */
void record_other_keys(const struct record_shape *shape, char *keys, const uint64_t *ids,
		       unsigned n);

/*
 * Write the keys of ids[0..n-1], and of one more when n is odd, into an array with room
 * for that. The array must have been filled with '0' once: only digits that can differ
 * are written.
 */
static inline void record_keys(const struct record_shape *shape, char *keys,
			       const uint64_t *ids, unsigned n)
{
	size_t stride = shape->stride, size = shape->size,
	       high = size < 16 ? size - 8 : 8;

	if (shape->form != KEYS_DECIMAL) {
		record_other_keys(shape, keys, ids, n);
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

/* The record that a key names, or UINT64_MAX if it is not a key of ours. */
uint64_t record_id(const char *key, size_t size, enum record_keys form);

/*
 * How large values are: all alike (least == most, nothing listed), uniform from least to
 * most, uniform over a list, or by a law. Which size a value has follows from (id,
 * generation).
 */
enum { RECORD_SIZES = 32 };

struct record_sizes {
	size_t least, most;
	unsigned listed; /* 0: a range */
	size_t list[RECORD_SIZES];
	struct mixgraph_law law; /* of what is written after the load, whose values are
				    `loaded`; no sigma: none */
	size_t loaded;
	uint64_t law_of; /* generation g has the size of u = (g - 1) / law_of, below 2^32;
			    0: drawn by (id, generation) */
	double law_mean;
	size_t beyond; /* if above 0, values of any size up to this stand beside those: a
			  trace's */
};

/* Of all values there may be. */
static inline size_t record_sizes_most(const struct record_sizes *sizes)
{
	return sizes->beyond > sizes->most ? sizes->beyond : sizes->most;
}

/* Values by a law, after a load of values of so many bytes. */
void record_sizes_by_law(struct record_sizes *sizes, const struct mixgraph_law *law,
			 size_t loaded);

/*
 * From "100", "100-400" or "100,400,10k"; false with a sentence in `error`, which takes
 * OPTION_ERROR bytes.
 */
bool record_sizes_parse(struct record_sizes *sizes, const char *text, char *error);

/* Expected, in bytes: of a load, and of what is written after it, which is different by a
 * law only. */
double record_sizes_loaded(const struct record_sizes *sizes);
double record_sizes_mean(const struct record_sizes *sizes);

/* Of the value of (id, generation). */
size_t record_size(const struct record_sizes *sizes, uint64_t id, uint64_t generation);

/*
 * Changes whenever record_value() makes other bytes of the same numbers: what databases
 * of another form hold is not ours.
 */
enum { RECORD_FORM = 3 };

/* The value of (id, generation), `size` bytes; ratio in 256ths, 0 to 256. */
void record_value(char *value, size_t size, unsigned ratio, uint64_t id,
		  uint64_t generation);

/* The generation that a value of `id` says wrote it; UINT64_MAX if it is too short to
 * tell. */
uint64_t record_generation(const char *value, size_t size, unsigned ratio, uint64_t id);

/*
 * True if `value` is what some generation of `id` must hold, its size included; `scratch`
 * takes sizes->most bytes.
 */
bool record_check(const struct record_sizes *sizes, const char *value, size_t size,
		  unsigned ratio, uint64_t id, char *scratch);

/*
 * Fold every byte of a string into two words, by adding and xoring its 16-byte words in
 * turn: as the two do not commute both the bytes and their order matter, and the loop
 * runs as fast as the bytes arrive. The last words may overlap those before. Folds of
 * several strings are added up, in any order; record_digest makes one word of the sum.
 */
record_lanes record_fold(const void *data, size_t size);

uint64_t record_digest(record_lanes folds);

#endif
