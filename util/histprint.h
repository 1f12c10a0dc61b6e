/* histprint.h: a histogram in the two formats that other tools read. */
#ifndef UTIL_HISTPRINT_H
#define UTIL_HISTPRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "hist.h"

/*
 * RocksDB's text: "Microseconds per KIND:", count, average, percentiles, then a line per
 * bucket. Buckets are quarters of a power of two, in microseconds.
 */
void histprint_rocksdb(const struct hist *h, const char *kind, FILE *to);

/*
 * The same with the buckets of db_bench itself, in whole microseconds: RocksDB's, or
 * LevelDB's, which has neither percentiles nor kinds. db_bench's times go from the end of
 * one operation to that of the next: `between` nanoseconds are added to each value.
 */
void histprint_db_bench(const struct hist *h, double between, const char *kind,
			bool leveldb, FILE *to);

/*
 * HdrHistogram's percentile distribution: values in nanoseconds, five steps for each
 * halving of the distance to 100 %. An existing file is replaced only if it is such a
 * file. Returns false with errno set.
 */
bool histprint_hdr(const struct hist *h, const char *path);

#endif
