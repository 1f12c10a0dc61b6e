/*
 * ibtable.h: a client's table of the Insert Benchmark and its three indexes, through an
 * engine: statements that keep them consistent, queries, and whether they are.
 *
 * Statements open and end their own transaction. One that gave way can be done again from
 * its beginning. Whether the indexes are there is kept in the database: a record of the
 * table beyond the indexes, which is put with the last entries that build them.
 */
#ifndef IBTABLE_H
#define IBTABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "../util/purchase.h"
#include "act.h"

/* Rows in a statement at most, and entries or rows in a query. */
enum { IB_ROWS_MOST = 128, IB_QUERIED = 10 };

/* A row and its entries, written before a clock is read. */
struct ibrow {
	size_t value_size;
	char value[PURCHASE_VALUE_MOST];
	char key[PURCHASE_TABLES][PURCHASE_KEY_MOST];
};

/* The rows from pk `first` up to, and without, `end`. */
struct ibrange {
	uint64_t first, end;
};

/* Write row `pk` of a client. */
void ibrow_write(struct ibrow *row, uint32_t client, uint64_t pk);

/*
 * Put the rows, with their entries if `indexed`. A key or value the engine has seen is
 * counted by the actor.
 */
enum status ibtable_insert(struct actor *a, const struct ibrow *rows, unsigned n,
			   bool indexed);

/*
 * Read each row and delete it and its entries; NOT_FOUND if one of them was not there:
 * the others are deleted all the same.
 */
enum status ibtable_delete(struct actor *a, uint32_t client, struct ibrange rows);

/*
 * Scan the rows and put their entries; `last`: with these the indexes are complete.
 * NOT_FOUND if a row was not there.
 */
enum status ibtable_index(struct actor *a, uint32_t client, struct ibrange rows,
			  bool last);

/* Read IB_QUERIED entries of an index from this first field on, or all there are. */
enum status ibtable_query_range(struct actor *a, uint32_t client,
				enum purchase_table table, uint32_t field);

/*
 * Get IB_QUERIED rows in one snapshot, where the engine has any. One below *dying may
 * have been deleted meanwhile; NOT_FOUND if another was not there.
 */
enum status ibtable_query_points(struct actor *a, uint32_t client, const uint64_t *pks,
				 const _Atomic uint64_t *dying);

/* The rows that there are, from the least pk to the greatest. */
enum status ibtable_find(struct actor *a, uint32_t client, struct ibrange *rows);

/* DONE if the indexes are there, NOT_FOUND if not, or not wholly. */
enum status ibtable_indexed(struct actor *a, uint32_t client);

/* What an audit has counted. */
struct ibcount {
	uint64_t rows, entries;
};

/*
 * Hold every entry against its row, and every row against its entries: adds to *count,
 * and answers NULL or what is wrong, in `why` of STAGE_WHY bytes. The rows must be these.
 * Unless they must be indexed there may be entries for the first of them only.
 */
const char *ibtable_audit(struct actor *a, uint32_t client, struct ibrange rows,
			  bool must_be_indexed, struct ibcount *count, char *why);

#endif
