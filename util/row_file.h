/*
 * row_file.h: rows of named columns, as TSV and as JSON Lines.
 *
 * A row is a struct of doubles and texts; its table gives the offset of each column. An
 * unknown number is NaN and an unknown text NULL: empty in TSV, null in JSON.
 */
#ifndef UTIL_ROW_FILE_H
#define UTIL_ROW_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { ROW_FILE_TEXT = -1, ROW_FILE_ERROR_SIZE = 512 };

struct row_file_column {
	const char *name, *help;
	size_t offset;
	/* digits after the point, of a double; ROW_FILE_TEXT: a const char * */
	int decimals;
};

struct row_file_columns {
	const struct row_file_column *columns;
	unsigned count;
};

#define ROW_FILE_COLUMNS(array) {array, sizeof(array) / sizeof *(array)}

/* Sets every column of a row to unknown. */
void row_file_set_unknown(const struct row_file_columns *t, void *row);

/* Format of a file of rows. */
struct row_file_format {
	const char *header; /* its first line, or "" */
	/*
	 * a file with another first line is refused; all lines of an accepted one are
	 * ours
	 */
	bool strict;
	/* prefix of each row, or NULL: no existing line is known to be ours */
	const char *row_prefix;
};

/*
 * Keeps standard output for the rows of the path "-": all else that is printed there goes
 * to stderr from now on. Returns false with errno set.
 */
bool row_file_take_stdout(void);

/*
 * Appends a line (and the header, if the file is empty), completely or not at all. An
 * incomplete line at the end is first removed if it is ours; a foreign one is ended with
 * a newline. Returns false with a sentence in `error` (ROW_FILE_ERROR_SIZE bytes).
 */
bool row_file_append(const char *path, const struct row_file_format *format,
		     const char *line, char *error);
bool row_file_append_tsv(const struct row_file_columns *t, const char *path,
			 const void *row, char *error);
bool row_file_append_json(const struct row_file_columns *t, const char *path,
			  const void *row, char *error);

/*
 * Whether the file can be appended to; called before a run of hours. It neither creates
 * nor changes the file; standard output, once taken, gets its header of TSV.
 */
bool row_file_check(const char *path, const struct row_file_format *format, char *error);
bool row_file_check_tsv(const struct row_file_columns *t, const char *path, char *error);
bool row_file_check_json(const struct row_file_columns *t, const char *path, char *error);

/*
 * Prints each column as a line of TSV: `table`, name, type (integer, real or text), unit
 * (empty if it has none) and help.
 */
void row_file_print_columns(const struct row_file_columns *t, const char *table,
			    FILE *to);

#endif
