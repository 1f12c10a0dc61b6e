/* histprint.h: a histogram in the two forms that other people's tools read. */
#ifndef HISTPRINT_H
#define HISTPRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "hist.h"

/*
 * RocksDB's text: "Microseconds per KIND:", count, average, percentiles, then a line per
 * bucket; buckets are quarters of a power of two, in microseconds.
 */
void histprint_rocksdb(const struct hist *h, const char *kind, FILE *to);

/*
 * HdrHistogram's percentile distribution, values in nanoseconds, five steps to each
 * halving of the distance to 100 %. An existing file is replaced only if it is such a
 * file. False with errno set.
 */
bool histprint_hdr(const struct hist *h, const char *path);

#endif
