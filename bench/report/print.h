/* print.h: lines on stdout and in the files of --tsv, --json, --hdr and --hdr_log. */
#ifndef BENCH_REPORT_PRINT_H
#define BENCH_REPORT_PRINT_H

#include "../../util/result.h"
#include "../runner/metrics.h"

/*
 * Check the output files: one that is named twice or holds something else ends the
 * program.
 */
void print_check_files(void);

/* Print the header above all lines. */
void print_header(const struct program_facts *info);

/*
 * Print a row's lines and append it to its files. A file that cannot be written is a
 * failure of the database (a->info->database->failure).
 */
void print_and_store_row(const struct aggregate *a, const struct result *r);

/* The row of a benchmark that could not begin, or whose process died. */
void print_invalid_row(const struct aggregate *a, const struct result *r);

#endif
