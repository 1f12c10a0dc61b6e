/* db_bench_mode.h: what db_bench's flags ask for that no option of ours says. */
#ifndef BENCH_WORKLOAD_DB_BENCH_MODE_H
#define BENCH_WORKLOAD_DB_BENCH_MODE_H

#include <stdbool.h>
#include <stdint.h>

struct db_bench_mode {
	bool on, leveldb;
	bool statistics;         /* print the engine's counters at the end */
	bool stats_per_interval; /* and its statistics with each interval's line */
	bool reverse;            /* seeks go on backwards */
	bool transactions;       /* of --transaction_db or --optimistic_transaction_db */
	uint64_t transaction_sets;
	uint64_t deletes; /* in each thread; 0: --num */
	uint64_t stride;  /* of the keys of a multi-get; 0: each is drawn */
	/* values that its header repeats */
	const char *write_rate, *sampling, *memtable, *perf_level;
};

#endif
