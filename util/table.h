/*
 * table.h: rows of named columns, as TSV and as JSON Lines.
 *
 * A row is a struct of doubles and texts; its table says where in it each column stands.
 * A number that could not be had is NaN and a text NULL: empty in TSV, null in JSON.
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

/* What a file of rows looks like. */
struct table_form {
	const char *header; /* its first line, or "" */
	/* a file that begins otherwise is refused; all of one that does not is ours */
	bool strict;
	/* how each row begins, or NULL: nothing that is there is known to be ours */
	const char *row;
};

/*
 * Append a line (and, to an empty file, the header), whole or not at all. What a crash
 * has left of a line at the end is cut away before, if it is ours; what is another's is
 * ended by a newline. False with a sentence in error, which takes TABLE_ERROR bytes.
 */
bool table_append(const char *path, const struct table_form *form, const char *line,
		  char *error);
bool table_append_tsv(const struct table *t, const char *path, const void *row,
		      char *error);
bool table_append_json(const struct table *t, const char *path, const void *row,
		       char *error);

/*
 * Can the file be appended to? Asked before hours are spent on rows for it; it is not
 * made, nor changed.
 */
bool table_check(const char *path, const struct table_form *form, char *error);
bool table_check_tsv(const struct table *t, const char *path, char *error);
bool table_check_json(const struct table *t, const char *path, char *error);

/*
 * "PREFIXname<TAB>unit<TAB>help" for each column; the unit is text, number, or that which
 * the name ends in.
 */
void table_columns(const struct table *t, const char *prefix, FILE *to);

#endif
