/*
 * record.h: what a record looks like.
 *
 * Record i's key is i, written as a zero-padded decimal (LevelDB's habit) or as a native 8-byte
 * integer. Its value is 16 bytes of header, little-endian (i, then the generation that wrote it),
 * and a body that is a pure function of (i, generation), so any value that comes back can be
 * checked without remembering what was written. Values shorter than the header are cut.
 *
 * Of every 256 bytes of body the first compression_ratio x 256 are random and the rest zero: an
 * engine can compress to that ratio and finds no repeat beyond it.
 */
#ifndef RECORD_H
#define RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum record_keys {
	KEYS_DECIMAL,
	KEYS_NATIVE,
};

enum { RECORD_HEADER = 16, RECORD_DIGITS = 16 };

/* Eight decimal digits of n < 10^8 as bytes in reading order, computed in parallel in one word. */
static inline uint64_t record_digits(uint64_t n)
{
	uint64_t q = n / 10000;

	n = (n << 32) - q * ((10000ull << 32) - 1);
	q = n * 10486 >> 20 & 0x7f0000007f; /* x / 100 for x < 10^4 */
	n = (n << 16) - q * ((100ull << 16) - 1);
	q = n * 103 >> 10 & 0x000f000f000f000f; /* x / 10 for x < 100 */
	n = (n << 8) - q * ((10ull << 8) - 1);
	n += 0x3030303030303030;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	n = __builtin_bswap64(n);
#endif
	return n;
}

/*
 * Write record `id`'s key of `size` bytes. A decimal key's buffer must be filled with '0' once
 * before its first use: the low eight digits are always written, the next eight only when `wide`
 * (some id needs them). size is at least 8; native keys are 8.
 */
static inline void record_key(char *key, size_t size, enum record_keys form, bool wide, uint64_t id)
{
	uint64_t digits;

	if (form == KEYS_NATIVE) {
		memcpy(key, &id, sizeof id);
		return;
	}
	if (wide) {
		size_t high = size < 16 ? size - 8 : 8;

		digits = record_digits(id / 100000000);
		memcpy(key + size - 8 - high, (char *)&digits + 8 - high, high);
		id %= 100000000;
	}
	digits = record_digits(id);
	memcpy(key + size - 8, &digits, sizeof digits);
}

/* The record that a key names, or UINT64_MAX if it is not a key of ours. */
uint64_t record_id(const char *key, size_t size, enum record_keys form);

/* The value of (id, generation), `size` bytes; ratio in 256ths, 0 to 256. */
void record_value(char *value, size_t size, unsigned ratio, uint64_t id, uint64_t generation);

/* True if `value` is what some generation of `id` must hold; `scratch` takes `size` bytes. */
bool record_check(const char *value, size_t size, unsigned ratio, uint64_t id, char *scratch);

typedef uint64_t record_lanes __attribute__((vector_size(16)));

/*
 * Fold every byte of a string into one word: two lanes of 64 bits, a running sum and the sum of
 * the running sums (Fletcher's idea, IEEE Trans. Comm. 1982), so both the bytes and their order
 * matter and the loop runs as fast as the bytes arrive.
 */
static inline uint64_t record_fold(const void *data, size_t size)
{
	const char *p = data;
	record_lanes sum = {size, 0}, sums = {0, 0}, word;
	uint64_t tail = 0;

	for (; size >= sizeof word; p += sizeof word, size -= sizeof word) {
		memcpy(&word, p, sizeof word);
		sum += word;
		sums += sum;
	}
	if (size & 8) {
		memcpy(&tail, p, 8);
		sum[0] += tail;
		p += 8;
	}
	if (size & 4) {
		uint32_t four;

		memcpy(&four, p, 4);
		tail = tail * 31 + four;
		p += 4;
	}
	for (size &= 3; size; size--)
		tail = tail * 257 + (unsigned char)*p++;
	return (sum[0] ^ sums[1]) * 0x9e3779b97f4a7c15u + (sum[1] ^ sums[0]) + tail;
}

#endif
