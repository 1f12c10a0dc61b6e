/*
 * db_bench_flags.h: the flags of RocksDB's db_bench 7.8.3 and 11.8.1, and of LevelDB's 1.23,
 * and what each means here. The program, its help and docs/from-db_bench.md all read this
 * table.
 */
#ifndef BENCH_WORKLOAD_DB_BENCH_FLAGS_H
#define BENCH_WORKLOAD_DB_BENCH_FLAGS_H

#include <stdbool.h>
#include <stddef.h>

/* What becomes of a flag's value. */
enum db_bench_way {
	DB_BENCH_OURS,         /* an option of ours has it, with any value */
	DB_BENCH_BENCHMARKS,   /* the list of workloads */
	DB_BENCH_ROCKSDB,      /* an option of RocksDB's, by its own name */
	DB_BENCH_ALWAYS,       /* the same, and db_bench's default is not RocksDB's */
	DB_BENCH_TAKEN,        /* these values ask for what is done anyway */
	DB_BENCH_ANY,          /* so does any value */
	DB_BENCH_MODE,         /* done in db_bench's place only (struct db_bench_mode) */
	DB_BENCH_DURABILITY,   /* two flags make one level of durability */
	DB_BENCH_WRITE_RATE,   /* bytes/s there, writes/s here */
	DB_BENCH_LEVELS,       /* the compression of each level */
	DB_BENCH_WAL_DIR,      /* the same directory only */
	DB_BENCH_DIRECTORY,    /* db_bench has a default directory of its own */
	DB_BENCH_TRANSACTIONS, /* an option of RocksDB's driver, or what is done anyway */
	DB_BENCH_OPTIONS_FILE, /* RocksDB's ini file */
	DB_BENCH_REFUSED,      /* its default only */
	DB_BENCH_WAYS
};

struct db_bench_flag {
	const char *name, *value; /* its default there; true and false: a boolean */
	enum db_bench_way way;
	/*
	 * An option: ours, or RocksDB's with its group, as in compression_opts.level. Of
	 * DB_BENCH_ANY: what is done anyway.
	 */
	const char *to;
	/*
	 * THEIRS:OURS for each value, where they differ. No text after the colon: it asks
	 * for nothing. *: any other value; %: that value. NULL: values are the same.
	 */
	const char *values;
	/* the first release of RocksDB whose db_bench has it; NULL: 7.8.3 has it */
	const char *since;
	/* RELEASE:DEFAULT: its default there from that release on; NULL: it stayed */
	const char *changed;
};

/* Flag i of LevelDB's db_bench or of RocksDB's; NULL after the last. */
const struct db_bench_flag *db_bench_flags_at(bool leveldb, size_t i);

/* The flag with this name, of this length, or NULL. */
const struct db_bench_flag *db_bench_flags_find(bool leveldb, const char *name,
						size_t length);

/* Is a release of RocksDB, as 11.8.1, that one, as 8.7, or a later one? */
bool db_bench_flags_reaches(const char *release, const char *since);

/* The flag's default in the db_bench of that release of RocksDB; NULL: of the oldest. */
const char *db_bench_flags_default(const struct db_bench_flag *flag, const char *release);

/* Do two texts mean one value: as text, as number or as boolean? */
bool db_bench_flags_same_value(const char *a, const char *b);

/* The value of a boolean flag as true or false; what cannot be read is left. */
const char *db_bench_flags_boolean(const char *value);

/*
 * What a value is here, by the flag's `values`: a text in `to`, "" if it asks for nothing.
 * Returns false if the flag has no such value here.
 */
bool db_bench_flags_map(const struct db_bench_flag *flag, const char *value, char *to,
			size_t size);

/* What becomes of the flag's value in db_bench's place, in a few words. */
const char *db_bench_flags_fate(const struct db_bench_flag *flag);

/* What stands for the flag here, in a few words; NULL: nothing is known. */
const char *db_bench_flags_describe(const struct db_bench_flag *flag, char *text,
				    size_t size);

#endif
