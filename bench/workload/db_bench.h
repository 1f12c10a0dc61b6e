/*
 * db_bench.h: in db_bench's place: a command line of RocksDB's or LevelDB's db_bench
 * becomes one of ours.
 */
#ifndef BENCH_WORKLOAD_DB_BENCH_H
#define BENCH_WORKLOAD_DB_BENCH_H

#include <stdbool.h>
#include <stddef.h>

#include "db_bench_mode.h"

struct option;

/* What the suite knows of names, for those that have no flag or workload here. */
struct db_bench_names {
	bool (*is_workload)(const char *name, size_t length);
	/* an equivalent in words; NULL: none is known */
	const char *(*option)(const char *name, size_t length);
	const char *(*workload)(const char *name, size_t length);
};

/*
 * Our command line for db_bench's, whose strings last as long as the program. Ends the
 * program with status 2, after one message with a line for each flag that has no
 * equivalent here, if there is any.
 */
char **db_bench_translate(const struct option *const *tables,
			  const struct db_bench_names *names, int *argc, char **argv,
			  struct db_bench_mode *mode);

#endif
