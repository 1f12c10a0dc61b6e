/* purchase.c: see purchase.h. */
#include "purchase.h"

#include <string.h>

#include "random.h"

const size_t purchase_key_sizes[PURCHASE_TABLES] = {
	[PURCHASE_ROWS] = PURCHASE_KEY,
	[BY_PRODUCT] = PURCHASE_PREFIX + 20,
	[BY_REGISTER] = PURCHASE_PREFIX + 20,
	[BY_PRICE] = PURCHASE_KEY_MOST,
};

/* Every field of a key but time and pk. */
enum { FIELD = 4, WIDE = 8 };

/* Microseconds since the epoch when the first row was bought; each next one later. */
#define OPENING UINT64_C(1700000000000000)
#define APART_US 1000

static char *write_number(char *to, uint64_t number, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		to[i] = (char)(unsigned char)(number >> 8 * (bytes - 1 - i));
	return to + bytes;
}

static uint64_t read_number(const char **from, unsigned bytes)
{
	uint64_t number = 0;

	for (unsigned i = 0; i < bytes; i++)
		number = number << 8 | (unsigned char)(*from)[i];
	*from += bytes;
	return number;
}

/* Half compressible: half of it is random, the rest always the same. */
static void make_data(struct purchase *p, struct random *r)
{
	enum { LEAST = 10, MOST = 20 };
	size_t half;

	p->data_size = LEAST + random_below(r, MOST - LEAST + 1);
	half = p->data_size / 2;
	for (size_t i = 0; i < half; i++)
		p->data[i] = (char)(unsigned char)random_below(r, 256);
	memset(p->data + half, 'a', p->data_size - half);
}

struct purchase purchase_make(uint32_t client, uint64_t pk)
{
	uint64_t state = random_mix(client ^ random_mix(pk)),
		 high = random_splitmix(&state);
	struct random r = {(random_wide)high << 64 | random_splitmix(&state) | 1};
	struct purchase p = {.pk = pk, .time = OPENING + pk * APART_US};

	p.register_id = (uint32_t)random_below(&r, PURCHASE_REGISTERS);
	p.customer = (uint32_t)random_below(&r, PURCHASE_CUSTOMERS);
	p.product = (uint32_t)random_below(&r, PURCHASE_PRODUCTS);
	p.price = (uint32_t)random_below(&r, PURCHASE_PRICES);
	make_data(&p, &r);
	return p;
}

size_t purchase_write(const struct purchase *p, char *value)
{
	char *to = write_number(value, p->register_id, FIELD);

	to = write_number(to, p->customer, FIELD);
	to = write_number(to, p->product, FIELD);
	to = write_number(to, p->price, FIELD);
	to = write_number(to, p->time, WIDE);
	memcpy(to, p->data, p->data_size);
	return (size_t)(to - value) + p->data_size;
}

bool purchase_read(struct purchase *p, uint64_t pk, const void *value, size_t size)
{
	const char *from = value;

	if (size < PURCHASE_VALUE_LEAST || size > PURCHASE_VALUE_MOST)
		return false;
	memset(p, 0, sizeof *p);
	p->pk = pk;
	p->register_id = (uint32_t)read_number(&from, FIELD);
	p->customer = (uint32_t)read_number(&from, FIELD);
	p->product = (uint32_t)read_number(&from, FIELD);
	p->price = (uint32_t)read_number(&from, FIELD);
	p->time = read_number(&from, WIDE);
	p->data_size = size - (size_t)(from - (const char *)value);
	memcpy(p->data, from, p->data_size);
	return true;
}

void purchase_prefix(uint32_t client, enum purchase_table table, char *key)
{
	write_number(write_number(key, client, 4), table, 1);
}

void purchase_first(uint32_t client, enum purchase_table table, uint32_t field,
		    char *key)
{
	purchase_prefix(client, table, key);
	write_number(key + PURCHASE_PREFIX, field, FIELD);
}

uint32_t purchase_firsts(enum purchase_table table)
{
	static const uint32_t below[PURCHASE_TABLES] = {
		[BY_PRODUCT] = PURCHASE_PRODUCTS,
		[BY_REGISTER] = PURCHASE_REGISTERS,
		[BY_PRICE] = PURCHASE_PRICES,
	};

	return below[table];
}

size_t purchase_key(const struct purchase *p, uint32_t client, enum purchase_table table,
		    char *key)
{
	char *to = key + PURCHASE_PREFIX;

	purchase_prefix(client, table, key);
	if (table == BY_PRICE) {
		to = write_number(to, p->price, FIELD);
		to = write_number(to, p->time, WIDE);
		to = write_number(to, p->customer, FIELD);
	} else if (table != PURCHASE_ROWS) {
		to = write_number(
			to, table == BY_PRODUCT ? p->product : p->register_id, FIELD);
		to = write_number(to, p->customer, FIELD);
		to = write_number(to, p->price, FIELD);
	}
	to = write_number(to, p->pk, WIDE);
	return (size_t)(to - key);
}

bool purchase_is_in(uint32_t client, enum purchase_table table, const void *key,
		    size_t size)
{
	char prefix[PURCHASE_PREFIX];

	purchase_prefix(client, table, prefix);
	return size == purchase_key_sizes[table] && !memcmp(key, prefix, sizeof prefix);
}

uint64_t purchase_pk(const void *key, size_t size)
{
	const char *from = (const char *)key + size - WIDE;

	return read_number(&from, WIDE);
}

void purchase_add(struct purchase_sum *sum, const void *key, size_t size)
{
	const char *from = key;
	uint64_t low = size, high = ~(uint64_t)size;

	for (size_t left = size; left;) {
		unsigned bytes = left < WIDE ? (unsigned)left : WIDE;
		uint64_t word = read_number(&from, bytes);

		low = random_mix(low ^ word);
		high = random_mix(high + word * RANDOM_MULTIPLIER) + low;
		left -= bytes;
	}
	sum->count++;
	sum->low += low;
	sum->high += random_mix(high);
}
