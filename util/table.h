/*
 * table.h: rows of named columns, as TSV and as JSON Lines.
 *
 * A row is a struct of doubles and texts; its table says where in it each column stands. A number that
 * could not be had is NaN and a text NULL: empty in TSV, null in JSON.
 */
#ifndef TABLE_H
#define TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { TABLE_TEXT = -1, TABLE_ERROR = 512 };

struct table_column {
	const char *name, *help;
	size_t offset;
	int digits; /* after the point, of a double; TABLE_TEXT: a const char * */
};

struct table {
	const struct table_column *columns;
	unsigned count;
};

/* Make every column of a row unknown. */
void table_unknown(const struct table *t, void *row);

/*
 * Append a row (and, to an empty file, the header) by one write. A TSV file that begins with another
 * header is refused. False with a sentence in error, which takes TABLE_ERROR bytes.
 */
bool table_append_tsv(const struct table *t, const char *path, const void *row, char *error);
bool table_append_json(const struct table *t, const char *path, const void *row, char *error);

/* Can the file be appended to? Checked before hours are spent on rows for it. */
bool table_check_tsv(const struct table *t, const char *path, char *error);
bool table_check_json(const char *path, char *error);

/* "PREFIXname<TAB>unit<TAB>help" for each column; the unit is text, number, or that which the name ends in. */
void table_columns(const struct table *t, const char *prefix, FILE *to);

#endif
