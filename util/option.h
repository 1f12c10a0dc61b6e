/*
 * option.h: one table of options that parses the command line and prints --help and the
 * manual.
 *
 * An option's type is whichever target pointer its row sets. Defaults are written in the
 * user's spelling and go through the same parser, so the help cannot disagree with the
 * program.
 */
#ifndef OPTION_H
#define OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct option {
	/* words joined by '_'; the user may type '-' instead; NULL ends a table */
	const char *name;
	const char *fallback; /* the default, as a user would type it */
	const char *help;     /* one sentence, units included */
	const char *alias;    /* a second name that users of other tools know, or NULL */
	const char *group;    /* heading, given on the first row of a group */
	/* in a few words, for the first screen of help; NULL: not there */
	const char *brief;
	const char *bare;     /* of a text: its value when the name stands alone */
	/* exactly one target */
	bool *flag;
	uint64_t *count;            /* 10, 5k, 2m, 1g: powers of 1000 */
	uint64_t *size;             /* bytes: as count, and Ki, Mi, Gi, Ti */
	double *real;
	const char **text;          /* points into argv or at the default */
	int *choice;                /* an index into `choices` */
	const char *const *choices; /* ends with NULL */
	uint64_t least, most;       /* bounds of count and size; most 0: none */
	double floor, ceiling;      /* bounds of real; ceiling 0: none */
};

enum { OPTION_ERROR = 256 }; /* enough for any message below */

/*
 * Set every target of a table to its default. False, with a sentence in `error`, on a bad
 * row.
 */
bool option_defaults(const struct option *table, char *error);

/*
 * Parse argv[1..] against a NULL-ended list of tables: --name=value, --name value, and
 * --flag alone for a bool. Nothing else is accepted. False with one sentence in `error`
 * (what was read, what is allowed); targets may then be partly set.
 */
bool option_parse(const struct option *const *tables, int argc, char **argv, char *error);

/* Bytes as a row with a size takes them: 100, 64k, 1Gi. False if the text is none. */
bool option_bytes(const char *text, uint64_t *bytes);

/* Parse one value for one row, as above. */
bool option_set(const struct option *o, const char *value, char *error);

/* A row's value as it is now, as it could be given; answers its length. */
int option_value(const struct option *o, char *text, size_t size);

/* A sentence or several as mdoc(7) text. */
void option_mdoc(const char *text, FILE *to);

/*
 * The row of that name, whichever way it is spelled, in a NULL-ended list of tables, or
 * NULL.
 */
const struct option *option_find(const struct option *const *tables, const char *typed,
				 size_t length);

/*
 * A row as indented text; all rows of a table, with their headings; the rows that have a
 * few words.
 */
void option_help_row(const struct option *o, FILE *to);
void option_help(const struct option *table, FILE *to);
void option_brief(const struct option *table, FILE *to);

/* The rows as mdoc(7) list items. */
void option_manual(const struct option *table, FILE *to);

#endif
