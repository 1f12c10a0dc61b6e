/*
 * option.h: one table of options that parses the command line and prints --help and the
 * manual.
 *
 * An option's type is whichever target pointer its row sets. Defaults are written in the
 * user's spelling and go through the same parser, so the help cannot disagree with the
 * program.
 */
#ifndef UTIL_OPTION_H
#define UTIL_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct option {
	/* words joined by '_'; the user may type '-' instead; NULL ends a table */
	const char *name;
	const char *default_value; /* the default, as a user would type it */
	const char *help;          /* one sentence, units included */
	const char *alias; /* a second name that users of other tools know, or NULL */
	const char *group; /* heading, given on the first row of a group */
	/* a few words for the first screen of help; NULL: not listed there */
	const char *summary;
	/* the value if the name is given without one; NULL: it needs one */
	const char *bare_value;
	/* exactly one target */
	bool *flag;
	uint64_t *count; /* 10, 5k, 2m, 1g: powers of 1000 */
	uint64_t *size;  /* bytes: as count, and Ki, Mi, Gi, Ti */
	double *real;
	const char **text; /* points into argv or at the default */
	/*
	 * the text's type in the table of options: "list" (parts with commas between them),
	 * "sizes", "word" (no commas); NULL: "text"
	 */
	const char *text_type;
	int *choice;                /* an index into `choices` */
	const char *const *choices; /* ends with NULL */
	uint64_t min, max;          /* bounds of count and size; max 0: none */
	double real_min, real_max;  /* bounds of real; real_max 0: none */
};

enum { OPTION_ERROR_SIZE = 256 }; /* enough for every message of this file */

/*
 * Sets every target of a table to its default. Returns false, with a sentence in `error`,
 * for a bad row.
 */
bool option_set_defaults(const struct option *table, char *error);

/*
 * Parses argv[1..] against a NULL-ended list of tables: --name=value, --name value, and
 * --flag alone for a bool. Nothing else is accepted. Returns false with one sentence in
 * `error`: the text and the values that are allowed. Targets may then be partly set.
 */
bool option_parse(const struct option *const *tables, int argc, char **argv, char *error);

/*
 * Parses the command line of a program with one table, and returns the index of its first
 * argument. Where it takes none, all must be options. `help` is a flag of the table; where
 * it is given, prints usage and table, and ends with status 0; with 2 after an error.
 */
int option_parse_tool(const struct option *table, const bool *help, const char *usage,
		      bool takes_arguments, int argc, char **argv);

/*
 * Parses bytes as a row with a size does: 100, 64k, 1Gi. Returns false if the text is
 * invalid.
 */
bool option_parse_bytes(const char *text, uint64_t *bytes);

/* Parses one value for one row, as above. */
bool option_parse_value(const struct option *o, const char *value, char *error);

/* Formats a row's current value as a user could type it; returns its length. */
int option_format_value(const struct option *o, char *text, size_t size);

/* Prints sentences as mdoc(7) text. */
void option_print_mdoc(const char *text, FILE *to);

/* The row with that name, in either spelling, in a NULL-ended list of tables, or NULL. */
const struct option *option_find(const struct option *const *tables, const char *typed,
				 size_t length);

/*
 * Prints a row as indented text; all rows of a table with their headings; the rows that
 * have a summary.
 */
void option_print_row(const struct option *o, FILE *to);
void option_print_help(const struct option *table, FILE *to);
void option_print_summary(const struct option *table, FILE *to);

/*
 * Prints each row as a line of TSV: `of`, name, alias, group, type, values, default, min,
 * max, help.
 */
void option_print_tsv(const struct option *table, const char *of, FILE *to);

/* Prints the rows as mdoc(7) list items. */
void option_print_manual(const struct option *table, FILE *to);

#endif
