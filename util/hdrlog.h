/*
 * hdrlog.h: histograms as lines of HdrHistogram's log (version 1.3), which its tools
 * read, plot and merge.
 *
 * Counts stand as HdrHistogram keeps whole numbers with three significant digits: below
 * 2048 each has its own, above that 1024 to each power of two. So a value that was a
 * bucket of hist.h is off by 1/2048 more. The form of a line, and its payload (version 2,
 * counts as zig-zag LEB128 with runs of zeros as negative numbers, in zlib's format, in
 * base 64), is that of github.com/HdrHistogram, HistogramLogWriter and AbstractHistogram.
 */
#ifndef HDRLOG_H
#define HDRLOG_H

#include <stddef.h>
#include <stdint.h>

#include "hist.h"

#define HDRLOG_HEADER "#[Histogram log format version 1.3]"

enum {
	HDRLOG_DIGITS = 3,
	HDRLOG_HALF_BITS = 10, /* of the counts to a power of two */
	HDRLOG_COUNTS = (63 - HDRLOG_HALF_BITS + 1) << HDRLOG_HALF_BITS,
	HDRLOG_TAG = 128,
	HDRLOG_COOKIE = 0x1c849313,  /* of a payload of version 2 */
	HDRLOG_PACKED = 0x1c849314,  /* and of one that is compressed */
	HDRLOG_HEAD = 40,            /* bytes before the counts */
};

/*
 * Which count a value below 2^63 belongs to; the least value of a count; one in its
 * middle.
 */
size_t hdrlog_index(uint64_t value);
uint64_t hdrlog_lowest(size_t index);
uint64_t hdrlog_middle(size_t index);

/* Add what a histogram holds, in nanoseconds, to HDRLOG_COUNTS counts. */
void hdrlog_add(uint64_t *counts, const struct hist *h);

/*
 * A line with its newline, of what began `start` seconds after the epoch and took so
 * many; of other characters than letters, digits and -+=@. a tag has _. The caller frees
 * it; NULL: no memory.
 */
char *hdrlog_line(const char *tag, double start, double seconds, const uint64_t *counts);

#endif
