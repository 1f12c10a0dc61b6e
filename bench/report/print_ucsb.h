/*
 * print_ucsb.h: the result file of UCSB (-res), a JSON object of Google Benchmark's form,
 * with UCSB's counters in each member of its array "benchmarks". Numbers that nobody
 * measured are null.
 */
#ifndef BENCH_REPORT_PRINT_UCSB_H
#define BENCH_REPORT_PRINT_UCSB_H

#include "../../util/result.h"
#include "../runner/metrics.h"

/*
 * Write the row to the file. What the file has of another workload stays, as in UCSB, and
 * what it has of this one is replaced.
 */
void print_ucsb_row(const struct aggregate *a, const struct result *r, const char *path);

#endif
