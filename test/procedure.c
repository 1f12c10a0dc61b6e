/*
 * procedure.c: what a procedure asks of its engine, each way that it can end, and what
 * the statements of the Insert Benchmark make of rows that are gone.
 *
 * Prints TAP and exits with 1 if anything failed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bench/extras/insert_benchmark_table.h"
#include "../bench/workload/procedure.h"
#include "memstore.h"
#include "tap.h"

/* ---- an engine in memory that writes down what it is asked for ---- */

struct session {
	struct memstore_session kept;
	char asked[16];               /* a letter each: B C R of transactions, S E of */
	enum status get, write, ends; /* snapshots; what calls return, if not DONE */
};

static enum status asked(struct session *s, char letter, enum status status)
{
	s->asked[strlen(s->asked)] = letter;
	return status;
}

static enum status begin(struct session *s)
{
	return asked(s, 'B', DONE);
}

static enum status commit(struct session *s)
{
	return asked(s, 'C', s->ends);
}

static void rollback(struct session *s)
{
	asked(s, 'R', DONE);
}

static enum status snapshot(struct session *s)
{
	return asked(s, 'S', DONE);
}

static void release(struct session *s)
{
	asked(s, 'E', DONE);
}

static enum status get(struct session *s, struct slice key, struct slice *value)
{
	enum status status = memstore_get(&s->kept, key, MEMSTORE_AT);

	*value = s->kept.value;
	return s->get == DONE ? status : s->get;
}

static enum status put(struct session *s, struct slice key, struct slice value)
{
	return s->write == DONE ? memstore_put(&s->kept, key, value) : s->write;
}

static enum status del(struct session *s, struct slice key)
{
	return put(s, key, (struct slice){NULL, 0});
}

static enum status seek(struct session *s, struct slice from, struct slice *key,
			struct slice *value)
{
	enum status status = memstore_get(&s->kept, from, MEMSTORE_FROM);

	*key = s->kept.key;
	*value = s->kept.value;
	return status;
}

static enum status next(struct session *s, struct slice *key, struct slice *value)
{
	enum status status = memstore_get(&s->kept, s->kept.key, MEMSTORE_ABOVE);

	*key = s->kept.key;
	*value = s->kept.value;
	return status;
}

#define ITS_CALLS \
	.begin = begin, .commit = commit, .rollback = rollback, .get = get, .put = put, \
	.del = del, .seek = seek, .next = next

static const struct engine with_snapshots = {ITS_CALLS, .snapshot = snapshot,
					     .release = release},
			   without_snapshots = {ITS_CALLS};

/* ---- a thread of it ---- */

static const struct settings settings = {.key_size = 16, .value_size = 100};
static struct procedure definition;
static struct memstore store;
static struct procedure_shared shared;
static struct procedure_thread *thread;
static struct session session;
static struct read_tally tally;

static void open_thread(const struct engine *by)
{
	struct random stream = random_seed(1, "procedure");

	memset(&session, 0, sizeof session);
	memset(&tally, 0, sizeof tally);
	memstore_open(&store, 0);
	session.kept.store = &store;
	definition = (struct procedure){.title = "of the test"};
	shared = (struct procedure_shared){.procedure = &definition,
					   .settings = &settings,
					   .key_shape = {.format = KEYS_BINARY,
							 .wide = true,
							 .size = 16,
							 .stride = 16}};
	thread = procedure_thread_create(&shared, by, 0, &stream);
	thread->session = &session;
	thread->tally = &tally;
}

static void close_thread(void)
{
	memstore_end_session(&session.kept);
	procedure_thread_free(thread);
	memstore_close(&store);
}

/* ---- the ends of a procedure ---- */

/* What is read ends so, the transaction of an engine without snapshots as `ends` says. */
static void reads_end(void)
{
	static const struct {
		const struct engine *engine;
		enum status reads, ends, is;
		const char *asked;
	} rows[] = {
		{&with_snapshots, DONE, FAILED, DONE, "SE"},
		{&with_snapshots, NOT_FOUND, DONE, NOT_FOUND, "SE"},
		{&with_snapshots, FAILED, DONE, FAILED, "SE"},
		{&with_snapshots, CONFLICT, DONE, CONFLICT, "SE"},
		{&without_snapshots, DONE, DONE, DONE, "BC"},
		{&without_snapshots, DONE, CONFLICT, CONFLICT, "BC"},
		{&without_snapshots, DONE, FAILED, FAILED, "BC"},
		{&without_snapshots, NOT_FOUND, DONE, NOT_FOUND, "BR"},
		{&without_snapshots, FAILED, DONE, FAILED, "BR"},
		{&without_snapshots, CONFLICT, DONE, CONFLICT, "B"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		open_thread(rows[i].engine);
		session.ends = rows[i].ends;
		tap_expect(procedure_snapshot(thread) == DONE, "row %zu begins", i);
		tap_expect(procedure_release(thread, rows[i].reads) == rows[i].is,
			   "status of row %zu", i);
		tap_expect(!strcmp(session.asked, rows[i].asked), "row %zu asked for %s",
			   i, session.asked);
		close_thread();
	}
}

/* A driver that returns a conflict has rolled back. */
static void writes_end(void)
{
	static const struct {
		enum status writes, is;
		const char *asked;
	} rows[] = {
		{DONE, DONE, "BR"}, {NOT_FOUND, NOT_FOUND, "BR"}, {FAILED, FAILED, "BR"},
		{FULL, FULL, "BR"}, {CONFLICT, CONFLICT, "B"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		open_thread(&with_snapshots);
		procedure_begin(thread);
		tap_expect(procedure_rollback(thread, rows[i].writes) == rows[i].is,
			   "status of row %zu", i);
		tap_expect(!strcmp(session.asked, rows[i].asked), "row %zu asked for %s",
			   i, session.asked);
		close_thread();
	}
}

static enum status once_is;

static enum status write_and_read(struct procedure_thread *t, const void *parameters)
{
	struct slice value;

	(void)parameters;
	procedure_begin(t);
	procedure_put(t, 1, (struct slice){"value", 5});
	procedure_get(t, 1, &value);
	procedure_commit(t);
	return once_is;
}

/* What did not succeed is not counted, whatever it read and wrote. */
static void counts(void)
{
	static const enum status statuses[] = {NOT_FOUND, CONFLICT, FAILED, FULL, DONE};

	open_thread(&with_snapshots);
	definition.do_once = write_and_read;
	for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
		bool done = statuses[i] == DONE;

		once_is = statuses[i];
		tap_expect(procedure_do(thread, NULL) == once_is, "status %zu", i);
		tap_expect(tally.bytes == (done ? 2 * 21 : 0), "%zu: %llu bytes", i,
			   (unsigned long long)tally.bytes);
		tap_expect(thread->total.commits == done && thread->total.writes == done,
			   "%zu: commits and writes", i);
		tap_expect(thread->total.records == (done ? 2 : 0) &&
				   thread->total.bytes == (done ? 21 : 0),
			   "%zu: records and bytes", i);
	}
	close_thread();
}

static unsigned finishes;

static bool finish_waits(struct procedure_thread *t)
{
	return t && ++finishes;
}

static bool finish_at_once(struct procedure_thread *t)
{
	return !t || !++finishes;
}

/* A thread without `finish` waits for none: its time ends with its last operation. */
static void last_operation(void)
{
	open_thread(&with_snapshots);
	tap_expect(!procedure_end(thread), "nothing waits");
	definition.finish = finish_waits;
	tap_expect(procedure_end(thread) && finishes == 1, "it waits");
	definition.finish = finish_at_once;
	tap_expect(!procedure_end(thread) && finishes == 2, "it does not wait");
	tap_expect(!*session.asked, "asked for %s", session.asked);
	close_thread();
}

/* ---- statements of the Insert Benchmark ---- */

enum { CLIENT = 7, ROWS = 5 };

/* Rows 1 to 5 with their entries; row `gone` without one of its records, or all. */
static void open_table(unsigned gone, unsigned from, unsigned to)
{
	struct ib_encoded_row rows[ROWS];

	open_thread(&with_snapshots);
	for (unsigned pk = 1; pk <= ROWS; pk++)
		insert_benchmark_table_encode_row(&rows[pk - 1], CLIENT, pk);
	tap_expect(insert_benchmark_table_insert(thread, rows, ROWS, true) == DONE,
		   "rows are not inserted");
	for (unsigned table = from; gone && table < to; table++)
		memstore_set(&store,
			     (struct slice){rows[gone - 1].key[table],
					    insert_benchmark_row_key_sizes[table]},
			     (struct slice){NULL, 0});
	memset(session.asked, 0, sizeof session.asked);
}

static unsigned records_left(void)
{
	unsigned n = 0;

	for (const struct memstore_node *at = store.head->next[0]; at; at = at->next[0])
		n++;
	return n;
}

static void rows_deleted(void)
{
	static const struct {
		unsigned gone, from, to; /* tables that lack its records */
		enum status get, write, is;
		const char *asked;
		unsigned left;
	} rows[] = {
		{0, 0, 0, DONE, DONE, DONE, "BC", 0},
		{1, 0, IB_TABLES, DONE, DONE, NOT_FOUND, "BC", 0},
		{3, 0, IB_TABLES, DONE, DONE, NOT_FOUND, "BC", 0},
		{5, 0, IB_TABLES, DONE, DONE, NOT_FOUND, "BC", 0},
		{3, IB_INDEX_REGISTER, IB_TABLES, DONE, DONE, NOT_FOUND, "BC", 0},
		{3, IB_TABLE_ROWS, 1, DONE, DONE, NOT_FOUND, "BC", 3},
		{0, 0, 0, FAILED, DONE, FAILED, "BR", 20},
		{0, 0, 0, CONFLICT, DONE, CONFLICT, "B", 20},
		{0, 0, 0, DONE, FULL, FULL, "BR", 20},
		{0, 0, 0, DONE, CONFLICT, CONFLICT, "B", 20},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		open_table(rows[i].gone, rows[i].from, rows[i].to);
		session.get = rows[i].get;
		session.write = rows[i].write;
		tap_expect(insert_benchmark_table_delete(
				   thread, CLIENT, (struct ib_pk_range){1, ROWS + 1}) ==
				   rows[i].is,
			   "status of row %zu", i);
		tap_expect(!strcmp(session.asked, rows[i].asked), "row %zu asked for %s",
			   i, session.asked);
		tap_expect(records_left() == rows[i].left, "row %zu leaves %u", i,
			   records_left());
		close_thread();
	}
}

/* The end of a commit is that of the statement; it says more than a row that was gone. */
static void delete_uncommitted(void)
{
	for (unsigned gone = 0; gone < 2; gone++) {
		open_table(gone, 0, IB_TABLES);
		session.ends = CONFLICT;
		tap_expect(insert_benchmark_table_delete(
				   thread, CLIENT, (struct ib_pk_range){1, ROWS + 1}) ==
				   CONFLICT,
			   "%u gone", gone);
		close_thread();
	}
}

static void rows_missed(void)
{
	static const uint64_t pks[IB_QUERY_ROWS] = {1, 2, 4, 5, 3, 1, 2, 4, 5, 1};

	for (unsigned gone = 0; gone <= 3; gone += 3) {
		enum status is = gone ? NOT_FOUND : DONE;
		_Atomic uint64_t deleting = 3;

		open_table(gone, 0, IB_TABLES);
		tap_expect(insert_benchmark_table_query_points(thread, CLIENT, pks,
							       &deleting) == is,
			   "a query, %u gone", gone);
		tap_expect(!strcmp(session.asked, "SE"), "a query asked for %s",
			   session.asked);
		deleting = 4;
		tap_expect(insert_benchmark_table_query_points(thread, CLIENT, pks,
							       &deleting) == DONE,
			   "of what may be deleted, %u gone", gone);
		memset(session.asked, 0, sizeof session.asked);
		tap_expect(insert_benchmark_table_index(thread, CLIENT,
							(struct ib_pk_range){1, ROWS + 1},
							true) == is,
			   "an index, %u gone", gone);
		tap_expect(insert_benchmark_table_is_indexed(thread, CLIENT) == is,
			   "it is complete, %u gone", gone);
		close_thread();
	}
}

/* What a scan of all tables finds wrong, and how many rows and entries it has counted. */
static void tables_audited(void)
{
	static const struct {
		unsigned gone, from, to; /* tables that lack its records */
		int set;      /* in this table row 2 has another value; -1: none */
		uint64_t end; /* of the rows that must be there */
		bool must_be_indexed, is_indexed;
		uint64_t rows, entries;
		const char *why;
	} rows[] = {
		{0, 0, 0, -1, 6, false, false, 5, 15, NULL},
		{0, 0, 0, -1, 6, true, true, 5, 15, NULL},
		{0, 0, 0, -1, 6, true, false, 0, 0, "client 7 lacks some of its indexes"},
		{3, 1, 2, -1, 6, false, false, 5, 14,
		 "client 7 has 4 entries by product, which do not cover all of "
		 "its 4 rows"},
		{5, 1, IB_TABLES, -1, 6, false, false, 5, 12, NULL},
		{5, 1, IB_TABLES, -1, 6, true, true, 5, 12,
		 "client 7 has 4 entries by product for 5 rows"},
		{3, IB_INDEX_REGISTER, IB_INDEX_REGISTER + 1, -1, 6, false, false, 5, 14,
		 "client 7 has 4 entries by register for 5 rows"},
		{5, 0, 1, -1, 6, false, false, 4, 15,
		 "client 7 has 4 rows, not those of pk 1 to below 6"},
		{0, 0, 0, -1, 5, false, false, 5, 15,
		 "client 7 has 5 rows, not those of pk 1 to below 5"},
		{2, 0, 1, -1, 5, false, false, 4, 15,
		 "client 7 has 4 rows, not those of pk 1 to below 5"},
		{0, 0, 0, IB_TABLE_ROWS, 6, false, false, 5, 15,
		 "client 7 has 1 wrong rows, and 0 records that are neither row nor "
		 "index entry"},
		{0, 0, 0, IB_INDEX_REGISTER, 6, false, false, 5, 15,
		 "client 7 has 0 wrong rows, and 1 records that are neither row nor "
		 "index entry"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct ib_counts count = {0};
		char text[PROCEDURE_WHY_SIZE];
		struct ib_encoded_row second;
		const char *why;

		open_table(rows[i].gone, rows[i].from, rows[i].to);
		if (rows[i].is_indexed)
			insert_benchmark_table_index(thread, CLIENT,
						     (struct ib_pk_range){ROWS, ROWS},
						     true);
		insert_benchmark_table_encode_row(&second, CLIENT, 2);
		if (rows[i].set >= 0)
			memstore_set(&store,
				     (struct slice){
					     second.key[rows[i].set],
					     insert_benchmark_row_key_sizes[rows[i].set]},
				     (struct slice){"x", 1});
		why = insert_benchmark_table_audit(thread, CLIENT,
						   (struct ib_pk_range){1, rows[i].end},
						   rows[i].must_be_indexed, &count, text);
		tap_expect(!why == !rows[i].why && (!why || !strcmp(why, rows[i].why)),
			   "%zu: %s", i, why ? why : "nothing");
		tap_expect(count.rows == rows[i].rows && count.entries == rows[i].entries,
			   "%zu: %d rows, %d entries", i, (int)count.rows,
			   (int)count.entries);
		close_thread();
	}
}

int main(void)
{
	tap_run("procedure: reads release their snapshot once, or end a transaction",
		reads_end);
	tap_run("procedure: writes are rolled back, but after a conflict", writes_end);
	tap_run("procedure: only what succeeded is counted", counts);
	tap_run("procedure: the last operation waits only where it is to",
		last_operation);
	tap_run("insert_benchmark_table: a row that is gone is reported, the others go",
		rows_deleted);
	tap_run("insert_benchmark_table: a delete that is not committed is none",
		delete_uncommitted);
	tap_run("insert_benchmark_table: queries and indexes report a row that is gone",
		rows_missed);
	tap_run("insert_benchmark_table: an audit finds each kind of fault",
		tables_audited);
	return tap_end();
}
