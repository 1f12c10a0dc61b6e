/*
 * compat.h: names of options and workloads of db_bench, dbbench and others, and their
 * equivalents here.
 */
#ifndef BENCH_WORKLOAD_COMPAT_H
#define BENCH_WORKLOAD_COMPAT_H

#include <stddef.h>
#include <stdio.h>

/* The equivalent here of another tool's option or workload; NULL if none is known. */
const char *compat_option(const char *name, size_t length);
const char *compat_workload(const char *name, size_t length);

/*
 * Print all, one a line: option or workload, its name and its equivalent, separated by
 * tabs.
 */
void compat_print(FILE *to);

#endif
