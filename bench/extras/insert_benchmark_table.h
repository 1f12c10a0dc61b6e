/*
 * insert_benchmark_table.h: a client's table of the Insert Benchmark and its three
 * indexes: statements that keep them consistent, queries, and an audit.
 *
 * Statements begin and end their own transaction. One that returned a conflict can be
 * repeated from its beginning. The database stores whether the indexes are complete: a
 * marker record of the table, which is put with the last index entries.
 */
#ifndef BENCH_EXTRAS_INSERT_BENCHMARK_TABLE_H
#define BENCH_EXTRAS_INSERT_BENCHMARK_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "../../util/insert_benchmark_row.h"
#include "../workload/procedure.h"

/* Most rows in a statement, and entries or rows in a query. */
enum { IB_STATEMENT_ROWS_MAX = 128, IB_QUERY_ROWS = 10 };

/* A row and its index entries, encoded before a clock is read. */
struct ib_encoded_row {
	size_t value_size;
	char value[IB_VALUE_SIZE_MAX];
	char key[IB_TABLES][IB_KEY_SIZE_MAX];
};

/* The rows with first <= pk < end. */
struct ib_pk_range {
	uint64_t first, end;
};

/* Encode row `pk` of a client. */
void insert_benchmark_table_encode_row(struct ib_encoded_row *row, uint32_t client,
				       uint64_t pk);

/*
 * Put the rows, with their index entries if `indexed`. Keys and values that the engine
 * has received are counted in t.
 */
enum status insert_benchmark_table_insert(struct procedure_thread *t,
					  const struct ib_encoded_row *rows, unsigned n,
					  bool indexed);

/*
 * Read each row, and delete it and its entries. NOT_FOUND: a row was missing; the
 * others are deleted.
 */
enum status insert_benchmark_table_delete(struct procedure_thread *t, uint32_t client,
					  struct ib_pk_range rows);

/*
 * Scan the rows and put their entries; `last` completes the indexes. NOT_FOUND: a row
 * was missing.
 */
enum status insert_benchmark_table_index(struct procedure_thread *t, uint32_t client,
					 struct ib_pk_range rows, bool last);

/* Read IB_QUERY_ROWS entries of an index from `field` on, or as many as there are. */
enum status insert_benchmark_table_query_range(struct procedure_thread *t,
					       uint32_t client,
					       enum insert_benchmark_row_table table,
					       uint32_t field);

/*
 * Get IB_QUERY_ROWS rows in one snapshot, if the engine has snapshots. A row below
 * *deleting may be deleted meanwhile; NOT_FOUND: another row was missing.
 */
enum status insert_benchmark_table_query_points(struct procedure_thread *t,
						uint32_t client, const uint64_t *pks,
						const _Atomic uint64_t *deleting);

/* Find the range of rows that exist, from the least pk to the greatest. */
enum status insert_benchmark_table_find_rows(struct procedure_thread *t, uint32_t client,
					     struct ib_pk_range *rows);

/* DONE: the indexes are complete; NOT_FOUND: they are not. */
enum status insert_benchmark_table_is_indexed(struct procedure_thread *t,
					      uint32_t client);

/* Counted by an audit. */
struct ib_counts {
	uint64_t rows, entries;
};

/*
 * Compare every entry with its row, and every row with its entries; adds to *count.
 * Returns NULL, or what is wrong, in `why` of PROCEDURE_WHY_SIZE bytes. The table must
 * hold exactly `rows`. Unless they must be indexed, only the first rows may have
 * entries.
 */
const char *insert_benchmark_table_audit(struct procedure_thread *t, uint32_t client,
					 struct ib_pk_range rows, bool must_be_indexed,
					 struct ib_counts *count, char *why);

#endif
