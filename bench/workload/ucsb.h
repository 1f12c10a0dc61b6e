/* ucsb.h: in UCSB's place: a command line of its benchmark becomes one of ours. */
#ifndef BENCH_WORKLOAD_UCSB_H
#define BENCH_WORKLOAD_UCSB_H

#include <stdio.h>

struct option;

/*
 * Our command line for that of ucsb_bench: its strings last as long as the program. So does
 * *results, the file that its results are asked for in, or NULL. The workloads of its JSON
 * file are added (workload_add). Ends the program with status 2, after a line for each
 * option and member that cannot be had here, if there is any.
 */
char **ucsb_translate(const struct option *const *tables, int *argc, char **argv,
		      const char **results);

/* Where the array of results begins in the text of a result file (-res), or NULL. */
const char *ucsb_results_array(const char *text);

/* Print each member of a workload, one a line: name, default, what it is here. */
void ucsb_print(FILE *to);

#endif
