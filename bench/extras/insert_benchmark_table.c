/* insert_benchmark_table.c: see insert_benchmark_table.h. */
#include "insert_benchmark_table.h"

#include <stdio.h>
#include <string.h>

#include "../../engines/driver_util.h"

static const char *const ib_table_names[IB_TABLES] = {
	[IB_TABLE_ROWS] = "rows",
	[IB_INDEX_PRODUCT] = "entries by product",
	[IB_INDEX_REGISTER] = "entries by register",
	[IB_INDEX_PRICE] = "entries by price",
};

/* ---- what is timed ---- */

static struct slice index_entry_key(const struct ib_encoded_row *row,
				    enum insert_benchmark_row_table table)
{
	return (struct slice){row->key[table], insert_benchmark_row_key_sizes[table]};
}

static enum status open_statement(struct procedure_thread *t)
{
	return t->engine->begin ? procedure_begin(t) : DONE;
}

/* Commit if `done` is DONE, else roll back. */
static enum status close_statement(struct procedure_thread *t, enum status done)
{
	if (!t->engine->begin)
		return done;
	return done == DONE ? procedure_commit(t) : procedure_rollback(t, done);
}

void insert_benchmark_table_encode_row(struct ib_encoded_row *row, uint32_t client,
				       uint64_t pk)
{
	struct insert_benchmark_row p = insert_benchmark_row_make(client, pk);

	row->value_size = insert_benchmark_row_encode(&p, row->value);
	for (unsigned table = 0; table < IB_TABLES; table++)
		insert_benchmark_row_key(&p, client,
					 (enum insert_benchmark_row_table)table,
					 row->key[table]);
}

static enum status put_entries(struct procedure_thread *t,
			       const struct ib_encoded_row *row)
{
	enum status status = DONE;

	for (unsigned table = IB_INDEX_PRODUCT; table < IB_TABLES && status == DONE;
	     table++)
		status = procedure_put_key(
			t, index_entry_key(row, (enum insert_benchmark_row_table)table),
			(struct slice){"", 0});
	return status;
}

enum status insert_benchmark_table_insert(struct procedure_thread *t,
					  const struct ib_encoded_row *rows, unsigned n,
					  bool indexed)
{
	enum status status = open_statement(t);

	for (unsigned i = 0; i < n && status == DONE; i++) {
		status = procedure_put_key(t, index_entry_key(&rows[i], IB_TABLE_ROWS),
					   (struct slice){rows[i].value,
							  rows[i].value_size});
		if (status == DONE && indexed)
			status = put_entries(t, &rows[i]);
	}
	return close_statement(t, status);
}

/* Read the row of a pk, with its keys; NOT_FOUND if it does not exist. */
static enum status read_row(struct procedure_thread *t, uint32_t client, uint64_t pk,
			    struct insert_benchmark_row *p)
{
	const struct insert_benchmark_row wanted = {.pk = pk};
	char key[IB_KEY_SIZE_MAX];
	size_t size = insert_benchmark_row_key(&wanted, client, IB_TABLE_ROWS, key);
	struct slice value;
	enum status status = procedure_get_key(t, (struct slice){key, size}, &value);

	if (t->calibrating) {
		*p = insert_benchmark_row_make(client, pk);
		return DONE;
	}
	if (status == DONE && !insert_benchmark_row_decode(p, pk, value.data, value.size))
		t->current.wrong++;
	return status;
}

/* Delete a row's entries, and then the row. */
static enum status delete_row(struct procedure_thread *t, uint32_t client,
			      const struct insert_benchmark_row *p)
{
	char key[IB_KEY_SIZE_MAX];
	enum status lost = DONE;

	for (unsigned table = IB_TABLES; table--;) {
		size_t size =
			insert_benchmark_row_key(p, client,
						 (enum insert_benchmark_row_table)table,
						 key);
		enum status status = procedure_delete_key(t, (struct slice){key, size});

		if (status != DONE && status != NOT_FOUND)
			return status;
		lost = status == NOT_FOUND ? NOT_FOUND : lost;
	}
	return lost;
}

enum status insert_benchmark_table_delete(struct procedure_thread *t, uint32_t client,
					  struct ib_pk_range rows)
{
	enum status status = open_statement(t), lost = DONE;

	for (uint64_t pk = rows.first; pk < rows.end && status == DONE; pk++) {
		struct insert_benchmark_row p;

		status = read_row(t, client, pk, &p);
		if (status == DONE)
			status = delete_row(t, client, &p);
		if (status != NOT_FOUND)
			continue;
		lost = NOT_FOUND;
		status = DONE;
	}
	status = close_statement(t, status);
	return status == DONE ? lost : status;
}

/* Returns NOT_FOUND if the next record of a scan is not of the table. */
static enum status end_of_table(uint32_t client, enum insert_benchmark_row_table table,
				enum status status, struct slice key)
{
	char prefix[IB_PREFIX_SIZE];

	insert_benchmark_row_table_prefix(client, table, prefix);
	return status == DONE && (key.size < sizeof prefix ||
				  memcmp(key.data, prefix, sizeof prefix))
		       ? NOT_FOUND
		       : status;
}

/* Read the bytes of a scanned record. */
static void tally_record(struct procedure_thread *t, struct slice key, struct slice value)
{
	read_tally_add(t->tally, key, t->shared->touch);
	read_tally_add(t->tally, value, t->shared->touch);
	t->current.records++;
}

/* Scan a range of rows into `p`, which has space for them. */
static enum status scan_rows(struct procedure_thread *t, uint32_t client,
			     struct ib_pk_range rows, struct insert_benchmark_row *p)
{
	const struct insert_benchmark_row wanted = {.pk = rows.first};
	char from[IB_KEY_SIZE_MAX];
	size_t size = insert_benchmark_row_key(&wanted, client, IB_TABLE_ROWS, from);
	struct slice key, value;
	enum status status =
		t->engine->seek(t->session, (struct slice){from, size}, &key, &value);

	for (uint64_t pk = rows.first; pk < rows.end; pk++, p++) {
		if (t->calibrating) {
			*p = insert_benchmark_row_make(client, pk);
			continue;
		}
		if (pk > rows.first)
			status = t->engine->next(t->session, &key, &value);
		status = end_of_table(client, IB_TABLE_ROWS, status, key);
		if (status != DONE)
			return status;
		tally_record(t, key, value);
		if (insert_benchmark_row_pk(key.data, key.size) != pk)
			return NOT_FOUND;
		if (!insert_benchmark_row_decode(p, pk, value.data, value.size))
			t->current.wrong++;
	}
	return DONE;
}

/* The key of the record that marks the indexes as complete. */
static struct slice indexed_marker_key(uint32_t client, char *key)
{
	insert_benchmark_row_table_prefix(client, IB_TABLES, key);
	return (struct slice){key, IB_PREFIX_SIZE};
}

enum status insert_benchmark_table_index(struct procedure_thread *t, uint32_t client,
					 struct ib_pk_range rows, bool last)
{
	struct insert_benchmark_row p[IB_STATEMENT_ROWS_MAX];
	struct ib_encoded_row row;
	char key[IB_PREFIX_SIZE];
	enum status status = scan_rows(t, client, rows, p);

	if (status != DONE)
		return status;
	status = open_statement(t);
	for (uint64_t i = 0; i < rows.end - rows.first && status == DONE; i++) {
		for (unsigned table = 0; table < IB_TABLES; table++)
			insert_benchmark_row_key(&p[i], client,
						 (enum insert_benchmark_row_table)table,
						 row.key[table]);
		status = put_entries(t, &row);
	}
	if (status == DONE && last)
		status = procedure_put_key(t, indexed_marker_key(client, key),
					   (struct slice){"", 0});
	return close_statement(t, status);
}

static void end_query(struct procedure_thread *t)
{
	if (t->engine->release)
		t->engine->release(t->session);
}

enum status insert_benchmark_table_query_range(struct procedure_thread *t,
					       uint32_t client,
					       enum insert_benchmark_row_table table,
					       uint32_t field)
{
	char from[IB_PREFIX_SIZE + 4];
	struct slice key, value;
	enum status status;

	insert_benchmark_row_index_prefix(client, table, field, from);
	status = t->engine->seek(t->session, (struct slice){from, sizeof from}, &key,
				 &value);
	for (unsigned n = 1;; n++) {
		status = end_of_table(client, table, status, key);
		if (status != DONE)
			break;
		tally_record(t, key, value);
		if (t->verify && !t->calibrating &&
		    !insert_benchmark_row_is_key_of(client, table, key.data, key.size))
			t->current.wrong++;
		if (n == IB_QUERY_ROWS)
			break;
		status = t->engine->next(t->session, &key, &value);
	}
	end_query(t);
	return status == NOT_FOUND ? DONE : status;
}

/*
 * Check that the row is the client's with this pk. The time is subtracted from the
 * call's.
 */
static void verify_row(struct procedure_thread *t, uint32_t client,
		       const struct insert_benchmark_row *p)
{
	uint64_t start = clock_ticks(t->clock);
	struct insert_benchmark_row must = insert_benchmark_row_make(client, p->pk);
	char is[IB_VALUE_SIZE_MAX], should[IB_VALUE_SIZE_MAX];
	size_t size = insert_benchmark_row_encode(p, is);

	if (insert_benchmark_row_encode(&must, should) != size ||
	    memcmp(is, should, size))
		t->current.wrong++;
	*t->check_ticks += clock_ticks(t->clock) - start;
}

enum status insert_benchmark_table_query_points(struct procedure_thread *t,
						uint32_t client, const uint64_t *pks,
						const _Atomic uint64_t *deleting)
{
	enum status status = t->engine->snapshot ? t->engine->snapshot(t->session) : DONE;

	for (unsigned i = 0; i < IB_QUERY_ROWS && status == DONE; i++) {
		struct insert_benchmark_row p;

		status = read_row(t, client, pks[i], &p);
		if (status == DONE && t->verify)
			verify_row(t, client, &p);
		else if (status == NOT_FOUND && pks[i] < atomic_load(deleting))
			status = DONE;
	}
	end_query(t);
	return status;
}

/* ---- checks before and after a step ---- */

enum status insert_benchmark_table_find_rows(struct procedure_thread *t, uint32_t client,
					     struct ib_pk_range *rows)
{
	char from[IB_PREFIX_SIZE];
	struct slice prefix = {from, sizeof from}, key, value;
	enum status status;

	*rows = (struct ib_pk_range){0};
	insert_benchmark_row_table_prefix(client, IB_TABLE_ROWS, from);
	status = t->engine->seek(t->session, prefix, &key, &value);
	status = end_of_table(client, IB_TABLE_ROWS, status, key);
	if (status == DONE) {
		rows->first = insert_benchmark_row_pk(key.data, key.size);
		insert_benchmark_row_table_prefix(client, IB_TABLE_ROWS + 1, from);
		status = driver_util_seek(t->engine, t->session, prefix, REVERSE, &key,
					  &value);
		if (status == DONE)
			rows->end = insert_benchmark_row_pk(key.data, key.size) + 1;
	}
	end_query(t);
	return status == NOT_FOUND ? DONE : status;
}

enum status insert_benchmark_table_is_indexed(struct procedure_thread *t, uint32_t client)
{
	char key[IB_PREFIX_SIZE];
	struct slice value;
	enum status status =
		t->engine->get(t->session, indexed_marker_key(client, key), &value);

	end_query(t);
	return status;
}

/* Findings of an audit, and expectations. */
struct index_audit {
	uint32_t client;
	struct ib_pk_range rows;
	struct insert_benchmark_row_checksum found[IB_TABLES], expected[IB_TABLES];
	uint64_t rows_with_entries; /* rows, from the first, that must have entries */
	uint64_t next;              /* next expected pk */
	/* keys of no row of the table; rows that differ from what was put */
	uint64_t foreign, wrong;
};

static void audit_row(struct index_audit *u, struct slice key, struct slice value)
{
	uint64_t pk = insert_benchmark_row_pk(key.data, key.size);
	struct ib_encoded_row row;

	insert_benchmark_table_encode_row(&row, u->client, pk);
	u->wrong += pk != u->next || value.size != row.value_size ||
		    memcmp(value.data, row.value, value.size);
	u->next = pk + 1;
	if (u->found[IB_TABLE_ROWS].count > u->rows_with_entries)
		return;
	for (unsigned table = IB_INDEX_PRODUCT; table < IB_TABLES; table++)
		insert_benchmark_row_checksum_add(&u->expected[table], row.key[table],
						  insert_benchmark_row_key_sizes[table]);
}

static void audit_record(struct index_audit *u, enum insert_benchmark_row_table table,
			 struct slice key, struct slice value)
{
	if (!insert_benchmark_row_is_key_of(u->client, table, key.data, key.size)) {
		u->foreign++;
		return;
	}
	insert_benchmark_row_checksum_add(&u->found[table], key.data, key.size);
	if (table == IB_TABLE_ROWS)
		audit_row(u, key, value);
	else
		u->foreign += value.size > 0;
}

/* Scan a table. No thread writes; a conflict is retried all the same. */
static enum status audit_table(struct procedure_thread *t, struct index_audit *u,
			       enum insert_benchmark_row_table table)
{
	char from[IB_PREFIX_SIZE];
	struct slice key, value;
	enum status status;

	insert_benchmark_row_table_prefix(u->client, table, from);
	do
		status = t->engine->seek(t->session, (struct slice){from, sizeof from},
					 &key, &value);
	while (status == CONFLICT);
	while ((status = end_of_table(u->client, table, status, key)) == DONE) {
		audit_record(u, table, key, value);
		do
			status = t->engine->next(t->session, &key, &value);
		while (status == CONFLICT);
	}
	end_query(t);
	return status == NOT_FOUND ? DONE : status;
}

/* The error in the rows themselves, or NULL. */
static const char *audit_rows_error(const struct index_audit *u, char *why)
{
	unsigned long long rows = u->found[IB_TABLE_ROWS].count;

	if (rows != u->rows.end - u->rows.first || (rows && u->next != u->rows.end))
		snprintf(why, PROCEDURE_WHY_SIZE,
			 "client %u has %llu rows, not those of pk %llu to below %llu",
			 u->client, rows, (unsigned long long)u->rows.first,
			 (unsigned long long)u->rows.end);
	else if (u->wrong || u->foreign)
		snprintf(why, PROCEDURE_WHY_SIZE,
			 "client %u has %llu wrong rows, and %llu records that are "
			 "neither row nor index entry",
			 u->client, (unsigned long long)u->wrong,
			 (unsigned long long)u->foreign);
	else
		return NULL;
	return why;
}

/* The error between scanned tables, or NULL. */
static const char *audit_error(const struct index_audit *u, char *why)
{
	const char *rows = audit_rows_error(u, why);

	for (unsigned table = IB_INDEX_PRODUCT; table < IB_TABLES && !rows; table++) {
		const struct insert_benchmark_row_checksum *is = &u->found[table],
							   *must = &u->expected[table];

		if (is->count == must->count && is->low == must->low &&
		    is->high == must->high)
			continue;
		snprintf(why, PROCEDURE_WHY_SIZE,
			 is->count == must->count
				 ? "client %u has %llu %s, which do not cover all of its "
				   "%llu rows"
				 : "client %u has %llu %s for %llu rows",
			 u->client, (unsigned long long)is->count, ib_table_names[table],
			 (unsigned long long)must->count);
		return why;
	}
	return rows;
}

const char *insert_benchmark_table_audit(struct procedure_thread *t, uint32_t client,
					 struct ib_pk_range rows, bool must_be_indexed,
					 struct ib_counts *count, char *why)
{
	struct index_audit u = {.client = client, .rows = rows, .next = rows.first};
	enum status indexed = insert_benchmark_table_is_indexed(t, client), status = DONE;

	if (must_be_indexed && indexed == NOT_FOUND) {
		snprintf(why, PROCEDURE_WHY_SIZE, "client %u lacks some of its indexes",
			 client);
		return why;
	}
	for (unsigned table = IB_TABLES; table-- && status == DONE;) {
		/*
		 * Rows are audited last: by then it is known how far the indexes have
		 * been built.
		 */
		if (table == IB_TABLE_ROWS)
			u.rows_with_entries = indexed == DONE
						      ? UINT64_MAX
						      : u.found[IB_INDEX_PRODUCT].count;
		status = audit_table(t, &u, (enum insert_benchmark_row_table)table);
		*(table == IB_TABLE_ROWS ? &count->rows : &count->entries) +=
			u.found[table].count;
	}
	if (status != DONE || (indexed != DONE && indexed != NOT_FOUND)) {
		snprintf(why, PROCEDURE_WHY_SIZE, "client %u: cannot read its rows: %s",
			 client, t->why);
		return why;
	}
	return audit_error(&u, why);
}
