/* ycsb.h: in YCSB's place: a command line of its client becomes one of ours. */
#ifndef BENCH_WORKLOAD_YCSB_H
#define BENCH_WORKLOAD_YCSB_H

#include "ycsb_mode.h"

struct option;

/*
 * Our command line for that of YCSB's client or of bin/ycsb: its strings last as long as
 * the program. The run phase becomes a workload (workload_add). Ends the program with
 * status 2, after a line for each property and option that cannot be had here, if there
 * is any.
 */
char **ycsb_translate(const struct option *const *tables, int *argc, char **argv,
		      struct ycsb_mode *mode);

#endif
