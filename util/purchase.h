/*
 * purchase.h: a row of the Insert Benchmark, and how it and its index entries are
 * written.
 *
 * The benchmark is Callaghan's; its table is purchases_index. A row is a function of its
 * client and its pk, whatever the seed, so that any run can say what must be there. Each
 * client has a table and three indexes of its own: all their keys begin with the client's
 * number and that of the table or index. Numbers in keys and rows are big-endian, so that
 * keys sort as their fields do. Index entries have no value. In bytes:
 *
 *     row          client 4, table 1, pk 8, with the value
 *                  register 4, customer 4, product 4, price 4, time 8, data 10 to 20
 *     by product   client 4, table 1, product 4, customer 4, price 4, pk 8
 *     by register  client 4, table 1, register 4, customer 4, price 4, pk 8
 *     by price     client 4, table 1, price 4, time 8, customer 4, pk 8
 */
#ifndef PURCHASE_H
#define PURCHASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum purchase_table { PURCHASE_ROWS, BY_PRODUCT, BY_REGISTER, BY_PRICE, PURCHASE_TABLES };

/* Bytes of each table's keys. */
extern const size_t purchase_key_sizes[PURCHASE_TABLES];

enum {
	PURCHASE_INDEXES = PURCHASE_TABLES - 1,
	PURCHASE_PREFIX = 5,      /* bytes: client and table */
	PURCHASE_KEY = 13,        /* of a row */
	PURCHASE_KEY_MOST = 29,   /* of anything */
	PURCHASE_VALUE_LEAST = 34,
	PURCHASE_VALUE_MOST = 44,
	/* what the fields are below */
	PURCHASE_PRODUCTS = 10000, PURCHASE_REGISTERS = 1000, PURCHASE_CUSTOMERS = 100000,
	PURCHASE_PRICES = 500,
};

struct purchase {
	uint64_t pk, time; /* microseconds since the epoch, by pk: no clock is read */
	uint32_t register_id, customer, product, price;
	size_t data_size;
	char data[20]; /* the first half is random, the rest the same in all rows */
};

/* The row that a client must have there. */
struct purchase purchase_make(uint32_t client, uint64_t pk);

/* Its value, into PURCHASE_VALUE_MOST bytes; answers how many. */
size_t purchase_write(const struct purchase *p, char *value);

/* Back from a value; false if it cannot be one. */
bool purchase_read(struct purchase *p, uint64_t pk, const void *value, size_t size);

/*
 * The key of the row, or of its entry in an index, into PURCHASE_KEY_MOST bytes; answers
 * how many.
 */
size_t purchase_key(const struct purchase *p, uint32_t client, enum purchase_table table,
		    char *key);

/* The beginning of all keys of a client's table: PURCHASE_PREFIX bytes. */
void purchase_prefix(uint32_t client, enum purchase_table table, char *key);

/* The beginning of an index's keys with this first field: PURCHASE_PREFIX bytes and 4. */
void purchase_first(uint32_t client, enum purchase_table table, uint32_t field,
		    char *key);

/* First fields of an index are below this. */
uint32_t purchase_firsts(enum purchase_table table);

/* Whether a key is one of a client's table, whole. */
bool purchase_is_in(uint32_t client, enum purchase_table table, const void *key,
		    size_t size);

/* The pk at the end of each key. */
uint64_t purchase_pk(const void *key, size_t size);

/*
 * A sum over keys that does not depend on their order: two sets of different keys agree
 * in it, and in their number, with a chance of about 2^-128.
 */
struct purchase_sum {
	uint64_t count, low, high;
};

void purchase_add(struct purchase_sum *sum, const void *key, size_t size);

#endif
