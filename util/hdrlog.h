/*
 * hdrlog.h: histograms as lines of HdrHistogram's log (version 1.3), which its tools
 * read, plot and merge.
 *
 * Counts are laid out as HdrHistogram does for integers with three significant digits.
 * Each value below 2048 has its own count; above, each power of two has 1024. A value
 * from a bucket of hist.h thus has an additional error of 1/2048. Lines and payload
 * follow HistogramLogWriter and AbstractHistogram of github.com/HdrHistogram. The payload
 * is version 2: counts as zig-zag LEB128, runs of zeros as negative numbers, in zlib's
 * format, in base 64.
 */
#ifndef UTIL_HDRLOG_H
#define UTIL_HDRLOG_H

#include <stddef.h>
#include <stdint.h>

#include "hist.h"

#define HDRLOG_HEADER "#[Histogram log format version 1.3]"

enum {
	HDRLOG_DIGITS = 3,
	HDRLOG_HALF_BITS = 10, /* counts for each power of two, as bits */
	HDRLOG_COUNTS = (63 - HDRLOG_HALF_BITS + 1) << HDRLOG_HALF_BITS,
	HDRLOG_TAG_SIZE = 128,
	HDRLOG_COOKIE = 0x1c849313,            /* cookie of a payload of version 2 */
	HDRLOG_COMPRESSED_COOKIE = 0x1c849314, /* and of a compressed one */
	HDRLOG_HEADER_SIZE = 40,               /* bytes before the counts */
};

/*
 * Index of the count of a value below 2^63; the smallest value of a count; the value in
 * its middle.
 */
size_t hdrlog_index(uint64_t value);
uint64_t hdrlog_lowest(size_t index);
uint64_t hdrlog_midpoint(size_t index);

/* Adds a histogram, in nanoseconds, to HDRLOG_COUNTS counts. */
void hdrlog_add(uint64_t *counts, const struct hist *h);

/*
 * Returns a line with its newline, for an interval that began `start` seconds after the
 * epoch. Characters of the tag other than letters, digits and -+=@. become _. The caller
 * frees it; NULL: no memory.
 */
char *hdrlog_line(const char *tag, double start, double seconds, const uint64_t *counts);

#endif
