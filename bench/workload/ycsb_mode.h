/* ycsb_mode.h: what YCSB's properties ask for that no option of ours says. */
#ifndef BENCH_WORKLOAD_YCSB_MODE_H
#define BENCH_WORKLOAD_YCSB_MODE_H

#include <stdbool.h>

struct ycsb_mode {
	bool on;
	bool service, intended;  /* the times that are printed */
	bool variance;           /* as of measurementtype=histogram */
	const char *percentiles; /* a list with commas; NULL: YCSB's own */
	const char *export_file; /* instead of standard output; NULL: none */
};

#endif
