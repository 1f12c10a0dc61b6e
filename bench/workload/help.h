/*
 * help.h: prints help topics and the manual page for people, and options, columns,
 * workloads and presets as TSV for scripts, all from the tables that the program uses.
 */
#ifndef BENCH_WORKLOAD_HELP_H
#define BENCH_WORKLOAD_HELP_H

#include <stdbool.h>

#include "../../util/option.h"
#include "config.h"

/*
 * For --version and --man. The commit has a place of fixed size, so that programs that
 * differ only in it are otherwise the same, byte by byte.
 */
struct program_info {
	const char *version, *date;
	char commit[64];
	const char *build;
};

/*
 * Print what is requested, from these tables of options. Returns false if nothing is;
 * an unknown topic ends the program with status 2.
 */
bool help_print(const struct help_request *request, const struct option *const *tables,
		const struct program_info *program);

#endif
