/*
 * insert_benchmark_row.h: a row of the Insert Benchmark, and the encoding of rows and
 * index entries.
 *
 * The benchmark is Callaghan's; its table is purchases_index. A row is a function of its
 * client and its pk, whatever the seed, so that any run can verify it. Each client has
 * its own table and three indexes. All their keys begin with the client's number and
 * the number of the table or index. Numbers in keys and rows are big-endian, so that
 * keys sort as their fields do. Index entries have no value. Sizes in bytes:
 *
 *     row          client 4, table 1, pk 8, with the value
 *                  register 4, customer 4, product 4, price 4, time 8, data 10 to 20
 *     by product   client 4, table 1, product 4, customer 4, price 4, pk 8
 *     by register  client 4, table 1, register 4, customer 4, price 4, pk 8
 *     by price     client 4, table 1, price 4, time 8, customer 4, pk 8
 */
#ifndef UTIL_INSERT_BENCHMARK_ROW_H
#define UTIL_INSERT_BENCHMARK_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum insert_benchmark_row_table {
	IB_TABLE_ROWS,
	IB_INDEX_PRODUCT,
	IB_INDEX_REGISTER,
	IB_INDEX_PRICE,
	IB_TABLES
};

/* Bytes in each table's keys. */
extern const size_t insert_benchmark_row_key_sizes[IB_TABLES];

enum {
	IB_INDEXES = IB_TABLES - 1,
	IB_PREFIX_SIZE = 5,   /* client and table, bytes */
	IB_ROW_KEY_SIZE = 13, /* of a row */
	IB_KEY_SIZE_MAX = 29, /* the longest key */
	IB_VALUE_SIZE_MIN = 34,
	IB_VALUE_SIZE_MAX = 44,
	/* exclusive limits of the fields */
	IB_PRODUCTS = 10000,
	IB_REGISTERS = 1000,
	IB_CUSTOMERS = 100000,
	IB_PRICES = 500,
};

struct insert_benchmark_row {
	/* microseconds since the epoch, derived from pk: no clock is read */
	uint64_t pk, time;
	uint32_t register_id, customer, product, price;
	size_t data_size;
	char data[20]; /* the first half is random, the rest is the same in all rows */
};

/* The row that a client must have with this pk. */
struct insert_benchmark_row insert_benchmark_row_make(uint32_t client, uint64_t pk);

/* Encodes its value into IB_VALUE_SIZE_MAX bytes; returns the size. */
size_t insert_benchmark_row_encode(const struct insert_benchmark_row *p, char *value);

/* Decodes a value; returns false if it is not valid. */
bool insert_benchmark_row_decode(struct insert_benchmark_row *p, uint64_t pk,
				 const void *value, size_t size);

/*
 * Writes the key of the row or of its index entry (IB_KEY_SIZE_MAX bytes); returns the
 * size.
 */
size_t insert_benchmark_row_key(const struct insert_benchmark_row *p, uint32_t client,
				enum insert_benchmark_row_table table, char *key);

/* Writes the prefix of all keys of a client's table: IB_PREFIX_SIZE bytes. */
void insert_benchmark_row_table_prefix(uint32_t client,
				       enum insert_benchmark_row_table table, char *key);

/*
 * Writes the prefix of an index's keys with this first field: IB_PREFIX_SIZE bytes and 4.
 */
void insert_benchmark_row_index_prefix(uint32_t client,
				       enum insert_benchmark_row_table table,
				       uint32_t field, char *key);

/* Exclusive limit of an index's first field. */
uint32_t insert_benchmark_row_field_limit(enum insert_benchmark_row_table table);

/* Whether this is a complete key of a client's table. */
bool insert_benchmark_row_is_key_of(uint32_t client,
				    enum insert_benchmark_row_table table,
				    const void *key, size_t size);

/* Reads the pk at the end of a key. */
uint64_t insert_benchmark_row_pk(const void *key, size_t size);

/*
 * A sum over keys that does not depend on their order. Different sets of the same number
 * of keys agree with a probability of about 2^-128.
 */
struct insert_benchmark_row_checksum {
	uint64_t count, low, high;
};

void insert_benchmark_row_checksum_add(struct insert_benchmark_row_checksum *sum,
				       const void *key, size_t size);

#endif
