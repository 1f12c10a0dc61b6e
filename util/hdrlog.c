/* hdrlog.c: see hdrlog.h. */
#include "hdrlog.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A growing buffer; once memory has run out it takes no more. */
struct byte_buffer {
	unsigned char *data;
	size_t size, capacity;
	bool failed;
};

static void put_byte(struct byte_buffer *b, unsigned value)
{
	if (b->size == b->capacity && !b->failed) {
		unsigned char *more = realloc(b->data, b->capacity * 2 + 4096);

		b->failed = !more;
		if (more) {
			b->data = more;
			b->capacity = b->capacity * 2 + 4096;
		}
	}
	if (!b->failed)
		b->data[b->size++] = (unsigned char)value;
}

/* Appends the last `n` bytes of a number, highest first. */
static void put_number(struct byte_buffer *b, uint64_t value, int n)
{
	while (n--)
		put_byte(b, (unsigned)(value >> (8 * n)) & 255);
}

/* Appends seven bits a byte, lowest first; a ninth byte has eight. */
static void put_leb(struct byte_buffer *b, int64_t value)
{
	uint64_t rest = ((uint64_t)value << 1) ^ (value < 0 ? ~(uint64_t)0 : 0);

	for (int i = 0; i < 8 && rest > 127; i++, rest >>= 7)
		put_byte(b, (unsigned)(rest & 127) | 128);
	put_byte(b, (unsigned)rest);
}

size_t hdrlog_index(uint64_t value)
{
	int high = 63 - __builtin_clzll(value | (((uint64_t)2 << HDRLOG_HALF_BITS) - 1));
	int bucket = high - HDRLOG_HALF_BITS;

	return ((size_t)bucket << HDRLOG_HALF_BITS) + (size_t)(value >> bucket);
}

uint64_t hdrlog_lowest(size_t index)
{
	size_t bucket = index >> HDRLOG_HALF_BITS;

	if (bucket < 2)
		return index;
	return (uint64_t)(index - ((bucket - 1) << HDRLOG_HALF_BITS)) << (bucket - 1);
}

uint64_t hdrlog_midpoint(size_t index)
{
	return hdrlog_lowest(index) +
	       (hdrlog_lowest(index + 1) - hdrlog_lowest(index)) / 2;
}

void hdrlog_add(uint64_t *counts, const struct hist *h)
{
	size_t last = HIST_BUCKETS;

	for (size_t i = 0; i < HIST_BUCKETS; i++)
		if (h->count[i]) {
			double middle = (hist_lowest(i) + hist_highest(i)) / 2;

			last = hdrlog_index((uint64_t)llround(
				fmin(middle, (double)h->max) * h->unit));
			counts[last] += h->count[i];
		}
	if (last == HIST_BUCKETS)
		return;
	counts[last]--; /* of the last bucket, one is the maximum */
	counts[hdrlog_index((uint64_t)llround((double)h->max * h->unit))]++;
}

/* Appends the counts up to the last that is not zero; returns how many. */
static size_t put_counts(struct byte_buffer *b, const uint64_t *counts)
{
	size_t last = 0;
	int64_t zeros = 0;

	for (size_t i = 0; i < HDRLOG_COUNTS; i++)
		last = counts[i] ? i : last;
	for (size_t i = 0; i <= last; i++) {
		if (!counts[i]) {
			zeros++;
			continue;
		}
		if (zeros)
			put_leb(b, -zeros);
		put_leb(b, (int64_t)counts[i]);
		zeros = 0;
	}
	return last;
}

static void put_payload(struct byte_buffer *b, const uint64_t *counts)
{
	struct byte_buffer body = {.data = NULL};
	size_t last = put_counts(&body, counts);
	uint64_t most = hdrlog_lowest(last + 1) - 1;

	put_number(b, HDRLOG_COOKIE, 4);
	put_number(b, body.size, 4);
	put_number(b, 0, 4); /* offset of the counts */
	put_number(b, HDRLOG_DIGITS, 4);
	put_number(b, 1, 8); /* the smallest value distinguishable from 0 */
	put_number(b, most < 2 ? 2 : most, 8);
	put_number(b, 0x3ff0000000000000, 8); /* 1.0, the conversion ratio */
	for (size_t i = 0; i < body.size; i++)
		put_byte(b, body.data[i]);
	b->failed |= body.failed;
	free(body.data);
}

/*
 * zlib's format (RFC 1950) with stored blocks (RFC 1951, 3.2.4): writing it needs no
 * library.
 */
static void put_stored(struct byte_buffer *to, const struct byte_buffer *from)
{
	uint32_t low = 1, high = 0;

	put_number(to, 0x7801, 2);
	for (size_t at = 0; at < from->size; at += 65535) {
		size_t n = from->size - at < 65535 ? from->size - at : 65535;

		put_byte(to, at + n == from->size);
		put_number(to, (n & 255) << 8 | n >> 8, 2);
		put_number(to, (~n & 255) << 8 | (~n >> 8 & 255), 2);
		for (size_t i = at; i < at + n; i++)
			put_byte(to, from->data[i]);
	}
	for (size_t i = 0; i < from->size; i++) {
		low = (low + from->data[i]) % 65521;
		high = (high + low) % 65521;
	}
	put_number(to, (uint64_t)high << 16 | low, 4);
}

static void put_base64(struct byte_buffer *to, const struct byte_buffer *from)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < from->size; i += 3) {
		size_t left = from->size - i;
		uint32_t three = (uint32_t)from->data[i] << 16 |
				 (left > 1 ? (uint32_t)from->data[i + 1] << 8 : 0) |
				 (left > 2 ? from->data[i + 2] : 0);

		put_byte(to, (unsigned char)digits[three >> 18]);
		put_byte(to, (unsigned char)digits[three >> 12 & 63]);
		put_byte(to, left > 1 ? (unsigned char)digits[three >> 6 & 63] : '=');
		put_byte(to, left > 2 ? (unsigned char)digits[three & 63] : '=');
	}
}

char *hdrlog_line(const char *tag, double start, double seconds, const uint64_t *counts)
{
	struct byte_buffer payload = {.data = NULL}, stored = {.data = NULL},
			   packed = {.data = NULL}, line = {.data = NULL};
	char head[HDRLOG_TAG_SIZE + 96], plain[HDRLOG_TAG_SIZE];
	size_t last = 0;

	snprintf(plain, sizeof plain, "%s", tag);
	for (char *c = plain; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("-+=@.", *c))
			*c = '_';
	for (size_t i = 0; i < HDRLOG_COUNTS; i++)
		last = counts[i] ? i : last;
	/*
	 * the maximum is in milliseconds, as HdrHistogram's own writer does for
	 * nanoseconds
	 */
	snprintf(head, sizeof head, "Tag=%s,%.6f,%.6f,%.6f,", plain, start, seconds,
		 (double)hdrlog_midpoint(last) / 1e6);
	put_payload(&payload, counts);
	put_stored(&stored, &payload);
	put_number(&packed, HDRLOG_COMPRESSED_COOKIE, 4);
	put_number(&packed, stored.size, 4);
	for (size_t i = 0; i < stored.size; i++)
		put_byte(&packed, stored.data[i]);
	for (const char *c = head; *c; c++)
		put_byte(&line, (unsigned char)*c);
	put_base64(&line, &packed);
	put_byte(&line, '\n');
	put_byte(&line, '\0');
	free(payload.data);
	free(stored.data);
	free(packed.data);
	if (payload.failed || stored.failed || packed.failed || line.failed) {
		free(line.data);
		return NULL;
	}
	return (char *)line.data;
}
