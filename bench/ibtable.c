/* ibtable.c: see ibtable.h. */
#include "ibtable.h"

#include <stdio.h>
#include <string.h>

#include "../engines/drive.h"

static const char *const names[PURCHASE_TABLES] = {
	[PURCHASE_ROWS] = "rows",
	[BY_PRODUCT] = "entries by product",
	[BY_REGISTER] = "entries by register",
	[BY_PRICE] = "entries by price",
};

/* ---- what is timed ---- */

static struct slice entry(const struct ibrow *row, enum purchase_table table)
{
	return (struct slice){row->key[table], purchase_key_sizes[table]};
}

static enum status open_statement(struct actor *a)
{
	return a->engine->begin ? actor_begin(a) : DONE;
}

/* Commit what was `done`, or abandon it. */
static enum status close_statement(struct actor *a, enum status done)
{
	if (!a->engine->begin)
		return done;
	return done == DONE ? actor_commit(a) : actor_abandon(a, done);
}

void ibrow_write(struct ibrow *row, uint32_t client, uint64_t pk)
{
	struct purchase p = purchase_make(client, pk);

	row->value_size = purchase_write(&p, row->value);
	for (unsigned t = 0; t < PURCHASE_TABLES; t++)
		purchase_key(&p, client, (enum purchase_table)t, row->key[t]);
}

static enum status put_entries(struct actor *a, const struct ibrow *row)
{
	enum status status = DONE;

	for (unsigned t = BY_PRODUCT; t < PURCHASE_TABLES && status == DONE; t++)
		status = actor_put_key(a, entry(row, (enum purchase_table)t),
				       (struct slice){"", 0});
	return status;
}

enum status ibtable_insert(struct actor *a, const struct ibrow *rows, unsigned n,
			   bool indexed)
{
	enum status status = open_statement(a);

	for (unsigned i = 0; i < n && status == DONE; i++) {
		status = actor_put_key(
			a, entry(&rows[i], PURCHASE_ROWS),
			(struct slice){rows[i].value, rows[i].value_size});
		if (status == DONE && indexed)
			status = put_entries(a, &rows[i]);
	}
	return close_statement(a, status);
}

/* The row at a pk as it was read, with its keys; NOT_FOUND if it is not there. */
static enum status read_row(struct actor *a, uint32_t client, uint64_t pk,
			    struct purchase *p)
{
	const struct purchase asked = {.pk = pk};
	char key[PURCHASE_KEY_MOST];
	size_t size = purchase_key(&asked, client, PURCHASE_ROWS, key);
	struct slice value;
	enum status status = actor_get_key(a, (struct slice){key, size}, &value);

	if (a->rehearses) {
		*p = purchase_make(client, pk);
		return DONE;
	}
	if (status == DONE && !purchase_read(p, pk, value.data, value.size))
		a->now.wrong++;
	return status;
}

/* A row's entries, and then the row. */
static enum status delete_row(struct actor *a, uint32_t client, const struct purchase *p)
{
	char key[PURCHASE_KEY_MOST];
	enum status lost = DONE;

	for (unsigned t = PURCHASE_TABLES; t--;) {
		size_t size = purchase_key(p, client, (enum purchase_table)t, key);
		enum status status = actor_del_key(a, (struct slice){key, size});

		if (status != DONE && status != NOT_FOUND)
			return status;
		lost = status == NOT_FOUND ? NOT_FOUND : lost;
	}
	return lost;
}

enum status ibtable_delete(struct actor *a, uint32_t client, struct ibrange rows)
{
	enum status status = open_statement(a), lost = DONE;

	for (uint64_t pk = rows.first; pk < rows.end && status == DONE; pk++) {
		struct purchase p;

		status = read_row(a, client, pk, &p);
		if (status == DONE)
			status = delete_row(a, client, &p);
		if (status != NOT_FOUND)
			continue;
		lost = NOT_FOUND;
		status = DONE;
	}
	status = close_statement(a, status);
	return status == DONE ? lost : status;
}

/* A scan's next record, if it is one of the table. */
static enum status in_table(uint32_t client, enum purchase_table table,
			    enum status status, struct slice key)
{
	char prefix[PURCHASE_PREFIX];

	purchase_prefix(client, table, prefix);
	return status == DONE && (key.size < sizeof prefix ||
				  memcmp(key.data, prefix, sizeof prefix))
		       ? NOT_FOUND
		       : status;
}

/* Look at what a scan has read. */
static void see_record(struct actor *a, struct slice key, struct slice value)
{
	seen_add(a->seen, key, a->stage->touch);
	seen_add(a->seen, value, a->stage->touch);
	a->now.entries++;
}

/* The rows of a range, one after another, into `p`, which has room for them. */
static enum status scan_rows(struct actor *a, uint32_t client, struct ibrange rows,
			     struct purchase *p)
{
	const struct purchase asked = {.pk = rows.first};
	char from[PURCHASE_KEY_MOST];
	size_t size = purchase_key(&asked, client, PURCHASE_ROWS, from);
	struct slice key, value;
	enum status status = a->engine->seek(a->session, (struct slice){from, size}, &key,
					     &value);

	for (uint64_t pk = rows.first; pk < rows.end; pk++, p++) {
		if (a->rehearses) {
			*p = purchase_make(client, pk);
			continue;
		}
		if (pk > rows.first)
			status = a->engine->next(a->session, &key, &value);
		status = in_table(client, PURCHASE_ROWS, status, key);
		if (status != DONE)
			return status;
		see_record(a, key, value);
		if (purchase_pk(key.data, key.size) != pk)
			return NOT_FOUND;
		if (!purchase_read(p, pk, value.data, value.size))
			a->now.wrong++;
	}
	return DONE;
}

/* The record that says that the indexes are there. */
static struct slice catalogue(uint32_t client, char *key)
{
	purchase_prefix(client, PURCHASE_TABLES, key);
	return (struct slice){key, PURCHASE_PREFIX};
}

enum status ibtable_index(struct actor *a, uint32_t client, struct ibrange rows,
			  bool last)
{
	struct purchase p[IB_ROWS_MOST];
	struct ibrow row;
	char key[PURCHASE_PREFIX];
	enum status status = scan_rows(a, client, rows, p);

	if (status != DONE)
		return status;
	status = open_statement(a);
	for (uint64_t i = 0; i < rows.end - rows.first && status == DONE; i++) {
		for (unsigned t = 0; t < PURCHASE_TABLES; t++)
			purchase_key(&p[i], client, (enum purchase_table)t, row.key[t]);
		status = put_entries(a, &row);
	}
	if (status == DONE && last)
		status = actor_put_key(a, catalogue(client, key), (struct slice){"", 0});
	return close_statement(a, status);
}

static void end_query(struct actor *a)
{
	if (a->engine->release)
		a->engine->release(a->session);
}

enum status ibtable_query_range(struct actor *a, uint32_t client,
				enum purchase_table table, uint32_t field)
{
	char from[PURCHASE_PREFIX + 4];
	struct slice key, value;
	enum status status;

	purchase_first(client, table, field, from);
	status = a->engine->seek(a->session, (struct slice){from, sizeof from}, &key,
				 &value);
	for (unsigned n = 1;; n++) {
		status = in_table(client, table, status, key);
		if (status != DONE)
			break;
		see_record(a, key, value);
		if (a->verify && !a->rehearses &&
		    !purchase_is_in(client, table, key.data, key.size))
			a->now.wrong++;
		if (n == IB_QUERIED)
			break;
		status = a->engine->next(a->session, &key, &value);
	}
	end_query(a);
	return status == NOT_FOUND ? DONE : status;
}

/* Is that the row a client must have there? The time is kept aside of the call's. */
static void verify_row(struct actor *a, uint32_t client, const struct purchase *p)
{
	uint64_t start = clock_ticks(a->clock);
	struct purchase must = purchase_make(client, p->pk);
	char is[PURCHASE_VALUE_MOST], should[PURCHASE_VALUE_MOST];
	size_t size = purchase_write(p, is);

	if (purchase_write(&must, should) != size || memcmp(is, should, size))
		a->now.wrong++;
	*a->aside += clock_ticks(a->clock) - start;
}

enum status ibtable_query_points(struct actor *a, uint32_t client, const uint64_t *pks,
				 const _Atomic uint64_t *dying)
{
	enum status status = a->engine->snapshot ? a->engine->snapshot(a->session) : DONE;

	for (unsigned i = 0; i < IB_QUERIED && status == DONE; i++) {
		struct purchase p;

		status = read_row(a, client, pks[i], &p);
		if (status == DONE && a->verify)
			verify_row(a, client, &p);
		else if (status == NOT_FOUND && pks[i] < atomic_load(dying))
			status = DONE;
	}
	end_query(a);
	return status;
}

/* ---- before and after ---- */

enum status ibtable_find(struct actor *a, uint32_t client, struct ibrange *rows)
{
	char from[PURCHASE_PREFIX];
	struct slice prefix = {from, sizeof from}, key, value;
	enum status status;

	*rows = (struct ibrange){0};
	purchase_prefix(client, PURCHASE_ROWS, from);
	status = a->engine->seek(a->session, prefix, &key, &value);
	status = in_table(client, PURCHASE_ROWS, status, key);
	if (status == DONE) {
		rows->first = purchase_pk(key.data, key.size);
		purchase_prefix(client, PURCHASE_ROWS + 1, from);
		status = drive_seek(a->engine, a->session, prefix, REVERSE, &key, &value);
		if (status == DONE)
			rows->end = purchase_pk(key.data, key.size) + 1;
	}
	end_query(a);
	return status == NOT_FOUND ? DONE : status;
}

enum status ibtable_indexed(struct actor *a, uint32_t client)
{
	char key[PURCHASE_PREFIX];
	struct slice value;
	enum status status = a->engine->get(a->session, catalogue(client, key), &value);

	end_query(a);
	return status;
}

/* What is there, and what must be. */
struct audit {
	uint32_t client;
	struct ibrange rows;
	struct purchase_sum there[PURCHASE_TABLES], must[PURCHASE_TABLES];
	uint64_t covered;        /* rows, from the first, that must have entries */
	uint64_t next;           /* pk that comes next */
	uint64_t strange, wrong; /* keys that are none of the table's; rows not as put */
};

static void audit_row(struct audit *u, struct slice key, struct slice value)
{
	uint64_t pk = purchase_pk(key.data, key.size);
	struct ibrow row;

	ibrow_write(&row, u->client, pk);
	u->wrong += pk != u->next || value.size != row.value_size ||
		    memcmp(value.data, row.value, value.size);
	u->next = pk + 1;
	if (u->there[PURCHASE_ROWS].count > u->covered)
		return;
	for (unsigned t = BY_PRODUCT; t < PURCHASE_TABLES; t++)
		purchase_add(&u->must[t], row.key[t], purchase_key_sizes[t]);
}

static void audit_record(struct audit *u, enum purchase_table table, struct slice key,
			 struct slice value)
{
	if (!purchase_is_in(u->client, table, key.data, key.size)) {
		u->strange++;
		return;
	}
	purchase_add(&u->there[table], key.data, key.size);
	if (table == PURCHASE_ROWS)
		audit_row(u, key, value);
	else
		u->strange += value.size > 0;
}

/* Scan a table. Nobody writes, and who gives way all the same is asked again. */
static enum status audit_table(struct actor *a, struct audit *u,
			       enum purchase_table table)
{
	char from[PURCHASE_PREFIX];
	struct slice key, value;
	enum status status;

	purchase_prefix(u->client, table, from);
	do
		status = a->engine->seek(a->session, (struct slice){from, sizeof from},
					 &key, &value);
	while (status == CONFLICT);
	while ((status = in_table(u->client, table, status, key)) == DONE) {
		audit_record(u, table, key, value);
		do
			status = a->engine->next(a->session, &key, &value);
		while (status == CONFLICT);
	}
	end_query(a);
	return status == NOT_FOUND ? DONE : status;
}

/* What is wrong with the rows themselves; NULL: nothing. */
static const char *judge_rows(const struct audit *u, char *why)
{
	unsigned long long rows = u->there[PURCHASE_ROWS].count;

	if (rows != u->rows.end - u->rows.first || (rows && u->next != u->rows.end))
		snprintf(why, STAGE_WHY,
			 "client %u has %llu rows, not those of pk %llu to below %llu",
			 u->client, rows, (unsigned long long)u->rows.first,
			 (unsigned long long)u->rows.end);
	else if (u->wrong || u->strange)
		snprintf(why, STAGE_WHY,
			 "client %u has %llu wrong rows, and %llu records that are no "
			 "row or entry",
			 u->client, (unsigned long long)u->wrong,
			 (unsigned long long)u->strange);
	else
		return NULL;
	return why;
}

/* Of tables that were scanned, what does not fit; NULL: they do. */
static const char *verdict(const struct audit *u, char *why)
{
	const char *rows = judge_rows(u, why);

	for (unsigned t = BY_PRODUCT; t < PURCHASE_TABLES && !rows; t++) {
		const struct purchase_sum *is = &u->there[t], *must = &u->must[t];

		if (is->count == must->count && is->low == must->low &&
		    is->high == must->high)
			continue;
		snprintf(why, STAGE_WHY,
			 is->count == must->count
				 ? "client %u has %llu %s, which are not all of its %llu "
				   "rows"
				 : "client %u has %llu %s for %llu rows",
			 u->client, (unsigned long long)is->count, names[t],
			 (unsigned long long)must->count);
		return why;
	}
	return rows;
}

const char *ibtable_audit(struct actor *a, uint32_t client, struct ibrange rows,
			  bool must_be_indexed, struct ibcount *count, char *why)
{
	struct audit u = {.client = client, .rows = rows, .next = rows.first};
	enum status indexed = ibtable_indexed(a, client), status = DONE;

	if (must_be_indexed && indexed == NOT_FOUND) {
		snprintf(why, STAGE_WHY, "client %u has not all of its indexes", client);
		return why;
	}
	for (unsigned t = PURCHASE_TABLES; t-- && status == DONE;) {
		/* The rows come last: it is known how far the indexes have come. */
		if (t == PURCHASE_ROWS)
			u.covered = indexed == DONE ? UINT64_MAX
						    : u.there[BY_PRODUCT].count;
		status = audit_table(a, &u, (enum purchase_table)t);
		*(t == PURCHASE_ROWS ? &count->rows : &count->entries) +=
			u.there[t].count;
	}
	if (status != DONE || (indexed != DONE && indexed != NOT_FOUND)) {
		snprintf(why, STAGE_WHY, "client %u cannot be looked at: %s", client,
			 a->why);
		return why;
	}
	return verdict(&u, why);
}
