/*
 * help.h: what a program says of itself: its help by screens, its manual page, its
 * columns and workloads, all from the tables that it works by.
 */
#ifndef HELP_H
#define HELP_H

#include <stdbool.h>

#include "../util/option.h"

/* What a program says of itself, with --version and --man. */
struct program {
	const char *version, *date, *commit, *build;
};

/* What the command line asks to be printed. */
struct asked {
	const char *help; /* a topic; "": none */
	bool man, columns, workloads, version;
};

/*
 * Print what is asked for, of these tables of options. Answers false if nothing is; a
 * topic that is none ends the program with status 2.
 */
bool help_print(const struct asked *asked, const struct option *const *tables,
		const struct program *program);

#endif
