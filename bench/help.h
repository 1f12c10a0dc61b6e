/*
 * help.h: what a program says of itself: its help by screens, its manual page, its
 * columns and workloads, all from the tables that it works by.
 */
#ifndef HELP_H
#define HELP_H

#include <stdbool.h>

#include "../util/option.h"
#include "config.h"

/*
 * Print what the command line asks for, of these tables of options. Answers false if it
 * asks for nothing of the kind; a topic that is none ends the program with status 2.
 */
bool help_asked(const struct config *c, const struct option *const *tables,
		const struct program *program);

#endif
