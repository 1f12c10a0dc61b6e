/* insert_benchmark_row.c: see insert_benchmark_row.h. */
#include "insert_benchmark_row.h"

#include <string.h>

#include "random.h"

const size_t insert_benchmark_row_key_sizes[IB_TABLES] = {
	[IB_TABLE_ROWS] = IB_ROW_KEY_SIZE,
	[IB_INDEX_PRODUCT] = IB_PREFIX_SIZE + 20,
	[IB_INDEX_REGISTER] = IB_PREFIX_SIZE + 20,
	[IB_INDEX_PRICE] = IB_KEY_SIZE_MAX,
};

/* Every field of a key except time and pk. */
enum { FIELD_SIZE = 4, WIDE_FIELD_SIZE = 8 };

/* Microseconds since the epoch of the first row's time; each next row is later. */
#define FIRST_ROW_TIME_US UINT64_C(1700000000000000)
#define ROW_INTERVAL_US 1000

static char *write_big_endian(char *to, uint64_t number, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		to[i] = (char)(unsigned char)(number >> 8 * (bytes - 1 - i));
	return to + bytes;
}

static uint64_t read_big_endian(const char **from, unsigned bytes)
{
	uint64_t number = 0;

	for (unsigned i = 0; i < bytes; i++)
		number = number << 8 | (unsigned char)(*from)[i];
	*from += bytes;
	return number;
}

/* Half compressible: one half is random, the other is constant. */
static void make_data(struct insert_benchmark_row *p, struct random *r)
{
	enum { LEAST = 10, MOST = 20 };
	size_t half;

	p->data_size = LEAST + random_below(r, MOST - LEAST + 1);
	half = p->data_size / 2;
	for (size_t i = 0; i < half; i++)
		p->data[i] = (char)(unsigned char)random_below(r, 256);
	memset(p->data + half, 'a', p->data_size - half);
}

struct insert_benchmark_row insert_benchmark_row_make(uint32_t client, uint64_t pk)
{
	uint64_t state = random_mix(client ^ random_mix(pk)),
		 high = random_splitmix(&state);
	struct random r = {(random_u128)high << 64 | random_splitmix(&state) | 1};
	struct insert_benchmark_row p = {.pk = pk,
					 .time = FIRST_ROW_TIME_US +
						 pk * ROW_INTERVAL_US};

	p.register_id = (uint32_t)random_below(&r, IB_REGISTERS);
	p.customer = (uint32_t)random_below(&r, IB_CUSTOMERS);
	p.product = (uint32_t)random_below(&r, IB_PRODUCTS);
	p.price = (uint32_t)random_below(&r, IB_PRICES);
	make_data(&p, &r);
	return p;
}

size_t insert_benchmark_row_encode(const struct insert_benchmark_row *p, char *value)
{
	char *to = write_big_endian(value, p->register_id, FIELD_SIZE);

	to = write_big_endian(to, p->customer, FIELD_SIZE);
	to = write_big_endian(to, p->product, FIELD_SIZE);
	to = write_big_endian(to, p->price, FIELD_SIZE);
	to = write_big_endian(to, p->time, WIDE_FIELD_SIZE);
	memcpy(to, p->data, p->data_size);
	return (size_t)(to - value) + p->data_size;
}

bool insert_benchmark_row_decode(struct insert_benchmark_row *p, uint64_t pk,
				 const void *value, size_t size)
{
	const char *from = value;

	if (size < IB_VALUE_SIZE_MIN || size > IB_VALUE_SIZE_MAX)
		return false;
	memset(p, 0, sizeof *p);
	p->pk = pk;
	p->register_id = (uint32_t)read_big_endian(&from, FIELD_SIZE);
	p->customer = (uint32_t)read_big_endian(&from, FIELD_SIZE);
	p->product = (uint32_t)read_big_endian(&from, FIELD_SIZE);
	p->price = (uint32_t)read_big_endian(&from, FIELD_SIZE);
	p->time = read_big_endian(&from, WIDE_FIELD_SIZE);
	p->data_size = size - (size_t)(from - (const char *)value);
	memcpy(p->data, from, p->data_size);
	return true;
}

void insert_benchmark_row_table_prefix(uint32_t client,
				       enum insert_benchmark_row_table table, char *key)
{
	write_big_endian(write_big_endian(key, client, 4), table, 1);
}

void insert_benchmark_row_index_prefix(uint32_t client,
				       enum insert_benchmark_row_table table,
				       uint32_t field, char *key)
{
	insert_benchmark_row_table_prefix(client, table, key);
	write_big_endian(key + IB_PREFIX_SIZE, field, FIELD_SIZE);
}

uint32_t insert_benchmark_row_field_limit(enum insert_benchmark_row_table table)
{
	static const uint32_t below[IB_TABLES] = {
		[IB_INDEX_PRODUCT] = IB_PRODUCTS,
		[IB_INDEX_REGISTER] = IB_REGISTERS,
		[IB_INDEX_PRICE] = IB_PRICES,
	};

	return below[table];
}

size_t insert_benchmark_row_key(const struct insert_benchmark_row *p, uint32_t client,
				enum insert_benchmark_row_table table, char *key)
{
	char *to = key + IB_PREFIX_SIZE;

	insert_benchmark_row_table_prefix(client, table, key);
	if (table == IB_INDEX_PRICE) {
		to = write_big_endian(to, p->price, FIELD_SIZE);
		to = write_big_endian(to, p->time, WIDE_FIELD_SIZE);
		to = write_big_endian(to, p->customer, FIELD_SIZE);
	} else if (table != IB_TABLE_ROWS) {
		to = write_big_endian(to,
				      table == IB_INDEX_PRODUCT ? p->product
								: p->register_id,
				      FIELD_SIZE);
		to = write_big_endian(to, p->customer, FIELD_SIZE);
		to = write_big_endian(to, p->price, FIELD_SIZE);
	}
	to = write_big_endian(to, p->pk, WIDE_FIELD_SIZE);
	return (size_t)(to - key);
}

bool insert_benchmark_row_is_key_of(uint32_t client,
				    enum insert_benchmark_row_table table,
				    const void *key, size_t size)
{
	char prefix[IB_PREFIX_SIZE];

	insert_benchmark_row_table_prefix(client, table, prefix);
	return size == insert_benchmark_row_key_sizes[table] &&
	       !memcmp(key, prefix, sizeof prefix);
}

uint64_t insert_benchmark_row_pk(const void *key, size_t size)
{
	const char *from = (const char *)key + size - WIDE_FIELD_SIZE;

	return read_big_endian(&from, WIDE_FIELD_SIZE);
}

void insert_benchmark_row_checksum_add(struct insert_benchmark_row_checksum *sum,
				       const void *key, size_t size)
{
	const char *from = key;
	uint64_t low = size, high = ~(uint64_t)size;

	for (size_t left = size; left;) {
		unsigned bytes =
			left < WIDE_FIELD_SIZE ? (unsigned)left : WIDE_FIELD_SIZE;
		uint64_t word = read_big_endian(&from, bytes);

		low = random_mix(low ^ word);
		high = random_mix(high + word * RANDOM_MULTIPLIER) + low;
		left -= bytes;
	}
	sum->count++;
	sum->low += low;
	sum->high += random_mix(high);
}
