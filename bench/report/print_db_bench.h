/*
 * print_db_bench.h: what db_bench prints, RocksDB's or LevelDB's, for parsers of its
 * output. Of each benchmark there are one line and one histogram, which are of its own
 * threads. All that db_bench does not print goes to stderr.
 */
#ifndef BENCH_REPORT_PRINT_DB_BENCH_H
#define BENCH_REPORT_PRINT_DB_BENCH_H

#include "../../util/result.h"
#include "../runner/metrics.h"

void print_db_bench_header(const struct program_facts *info);

/* The line and, with --histogram, the histogram. */
void print_db_bench_row(const struct aggregate *a, const struct result *r);

#endif
