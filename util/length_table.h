/*
 * length_table.h: lengths of fields and of scans by a distribution that no range and no
 * short list says: zipfian, or a histogram from a file. Each length has its probability.
 */
#ifndef UTIL_LENGTH_TABLE_H
#define UTIL_LENGTH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LENGTH_TABLE_MAX = 1000000 }; /* lengths in a table */

/* Lengths least, least + step, ...: `count` of them. */
struct length_table {
	size_t least, step, count;
	double mean;
	double up_to[]; /* the probability of this length or a smaller one */
};

/*
 * All lengths from least to greatest, equally likely; or zipfian as YCSB has them, the
 * least most often: length r from it with probability proportional to 1 / (r + 1)^0.99.
 * The caller frees the table.
 */
struct length_table *length_table_uniform(size_t least, size_t greatest);
struct length_table *length_table_zipfian(size_t least, size_t greatest);

/*
 * YCSB's histogram of a file: a line with the size of a block, then a line for each
 * bucket with its number and its count. As there, bucket i has lengths of i + 1 blocks,
 * and the last one those of the bucket before it. NULL, with a sentence in `error`
 * (OPTION_ERROR_SIZE bytes), if the file is no such histogram.
 */
struct length_table *length_table_read(const char *path, char *error);

/* The length for u in [0, 1). */
size_t length_table_draw(const struct length_table *table, double u);

static inline size_t length_table_greatest(const struct length_table *table)
{
	return table->least + (table->count - 1) * table->step;
}

#endif
