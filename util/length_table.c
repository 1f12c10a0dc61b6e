/* length_table.c: see length_table.h. */
#include "length_table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "option.h"

/* A table of these lengths, whose weights are entered next. */
static struct length_table *new_table(size_t least, size_t step, size_t count)
{
	struct length_table *table =
		message_alloc(1, sizeof *table + count * sizeof *table->up_to);

	table->least = least;
	table->step = step;
	table->count = count;
	return table;
}

/* From a weight of each length to probabilities up to each, and their mean. */
static struct length_table *sum_weights(struct length_table *table)
{
	double sum = 0, lengths = 0;

	for (size_t i = 0; i < table->count; i++) {
		lengths += table->up_to[i] * (double)(table->least + i * table->step);
		table->up_to[i] = sum += table->up_to[i];
	}
	for (size_t i = 0; i < table->count; i++)
		table->up_to[i] /= sum;
	table->mean = lengths / sum;
	return table;
}

struct length_table *length_table_uniform(size_t least, size_t greatest)
{
	struct length_table *table = new_table(least, 1, greatest - least + 1);

	for (size_t i = 0; i < table->count; i++)
		table->up_to[i] = 1;
	return sum_weights(table);
}

struct length_table *length_table_zipfian(size_t least, size_t greatest)
{
	struct length_table *table = new_table(least, 1, greatest - least + 1);

	for (size_t i = 0; i < table->count; i++)
		table->up_to[i] = pow((double)i + 1, -0.99);
	return sum_weights(table);
}

/* Its counts in ascending order of buckets, which must have no gap; 0: it has none. */
static size_t read_length_counts(FILE *f, double *counts)
{
	unsigned long bucket;
	double count;
	size_t n = 0;

	while (fscanf(f, "%lu %lf", &bucket, &count) == 2)
		if (bucket != n || n == LENGTH_TABLE_MAX || !(count >= 0))
			return 0;
		else
			counts[n++] = count;
	return feof(f) ? n : 0;
}

struct length_table *length_table_read(const char *path, char *error)
{
	FILE *f = fopen(path, "re");
	double *counts = message_alloc(LENGTH_TABLE_MAX, sizeof *counts);
	struct length_table *table = NULL;
	unsigned long block = 0;
	size_t n;

	if (!f) {
		free(counts);
		snprintf(error, OPTION_ERROR_SIZE, "cannot read %.128s: %s", path,
			 strerror(errno));
		return NULL;
	}
	n = fscanf(f, "BlockSize %lu", &block) == 1 ? read_length_counts(f, counts) : 0;
	fclose(f);
	if (n >= 2 && block && block <= LENGTH_TABLE_MAX) {
		table = new_table(block, block, n - 1);
		memcpy(table->up_to, counts, (n - 1) * sizeof *counts);
		/* a draw of 0 to the sum falls into the first bucket that reaches it */
		table->up_to[0]++;
		table->up_to[n - 2] += counts[n - 1] - 1;
		sum_weights(table);
	}
	free(counts);
	if (!table || !(table->mean > 0)) {
		snprintf(error, OPTION_ERROR_SIZE,
			 "%.128s is no histogram: give a line 'BlockSize N', then lines "
			 "of bucket and count from bucket 0 on, at least two",
			 path);
		free(table);
		return NULL;
	}
	return table;
}

size_t length_table_draw(const struct length_table *table, double u)
{
	size_t low = 0, high = table->count - 1;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (u < table->up_to[middle])
			high = middle;
		else
			low = middle + 1;
	}
	return table->least + low * table->step;
}
