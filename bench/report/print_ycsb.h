/*
 * print_ycsb.h: the text form of YCSB's result (--format=ycsb): a line
 * "[OPERATION], MEASURE, VALUE" for each measure. What has no meaning without a JVM is
 * left out. Latencies are whole microseconds, rounded down, but for the mean.
 */
#ifndef BENCH_REPORT_PRINT_YCSB_H
#define BENCH_REPORT_PRINT_YCSB_H

#include "../../util/result.h"
#include "../runner/metrics.h"

/* What YCSB says on stderr when it starts. */
void print_ycsb_header(const struct program_facts *info);

void print_ycsb_row(const struct aggregate *a, const struct result *r);

#endif
