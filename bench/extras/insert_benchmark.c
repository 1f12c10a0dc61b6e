/* insert_benchmark.c: see insert_benchmark.h. */
#include "insert_benchmark.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../util/message.h"
#include "../../util/per_second.h"
#include "../runner/database.h"
#include "../runner/task.h"
#include "../workload/config.h"
#include "insert_benchmark_table.h"

extern const struct extra insert_benchmark_extra;
static const struct ib_step insert_benchmark_steps[IB_STEPS];

enum { IB_VALUE_FORMAT = 0x4942 }; /* of its values */

/* ---- state ---- */

/* A client while a step runs. Rows below each of these pks have been processed so far. */
struct ib_client {
	_Alignas(128) pthread_mutex_t lock;
	pthread_cond_t advanced;
	_Atomic uint64_t inserted;      /* inserted, and committed */
	_Atomic uint64_t deleting;      /* being deleted */
	_Atomic uint64_t deleted;       /* deleted, and committed */
	struct ib_pk_range rows_before; /* when the step began */
};

struct ib_shared {
	struct ib_client *clients; /* of each */
	bool audited;
	struct ib_counts count;
};

/*
 * Totals of a step for each second since it was prepared: rows by role of their writer,
 * and queries. They stay allocated.
 */
enum { IB_SUM_WRITES, IB_SUM_QUERIES, IB_SUMS };

static struct {
	pthread_mutex_t lock;
	uint64_t began_second;
	struct per_second seconds[IB_SUMS];
	uint64_t totals[IB_SUMS];
	struct ib_client *clients;
} ib_sums = {.lock = PTHREAD_MUTEX_INITIALIZER};

/*
 * The state of a thread. The results of an operation are added when the next one is
 * drawn.
 */
struct ib_thread {
	enum ib_role role;
	struct ib_client *client;
	uint32_t number;  /* of the client */
	uint64_t next;    /* pk of an inserter or indexer */
	unsigned pending; /* rows or queries that are not added yet */
	uint64_t total;   /* rows or queries that were added */
	struct per_second seconds;
};

/* Drawn before a clock is read. */
struct ib_statement {
	struct ib_pk_range rows;
	bool last; /* of an indexer */
	enum insert_benchmark_row_table table;
	uint32_t field;
	uint64_t query_pks[IB_QUERY_ROWS];
	struct ib_encoded_row encoded_rows[IB_STATEMENT_ROWS_MAX]; /* of an inserter */
};

static bool ib_check_indexes;

static const struct option ib_options[] = {
	{"ib_check", "1",
	 "1: after each workload of the Insert Benchmark, outside the "
	 "measured time, compare all rows with their index entries. A "
	 "difference makes the result invalid. 0: do not compare, which saves "
	 "hours with large tables.",
	 .flag = &ib_check_indexes, .group = "Insert Benchmark"},
	{0},
};

static const struct ib_step *ib_step_of(const struct procedure_shared *s)
{
	return (const struct ib_step *)(const void *)s->procedure;
}

static struct ib_shared *ib_shared_of(const struct procedure_shared *s)
{
	return s->shared;
}

/* Rows that each client inserts or indexes. An inserter with a rate has no limit. */
static uint64_t ib_row_count(const struct ib_step *step)
{
	uint64_t changes = cfg->writes ? cfg->writes : cfg->num;

	if (step->rows_per_second > 0)
		return UINT64_MAX;
	if (step == &insert_benchmark_steps[IB_L_I1])
		return changes;
	return step == &insert_benchmark_steps[IB_L_I2] ? (changes + 3) / 4 : cfg->num;
}

/* Operations of each foreground thread; 0: until the time is over. */
static uint64_t ib_operations(const struct procedure *procedure)
{
	const struct ib_step *step = (const struct ib_step *)(const void *)procedure;

	if (step->roles[0] == IB_RANGE_QUERIER || step->roles[0] == IB_POINT_QUERIER)
		return 0;
	return step->statement_rows ? (ib_row_count(step) + step->statement_rows - 1) /
					      step->statement_rows
				    : 1;
}

/* ---- coordination of threads ---- */

/* Rows inserted, or deleted, since the step began. */
static uint64_t ib_rows_inserted(const struct ib_client *c)
{
	return atomic_load(&c->inserted) - c->rows_before.end;
}

static uint64_t ib_rows_deleted(const struct ib_client *c)
{
	return atomic_load(&c->deleted) - c->rows_before.first;
}

/* May the next statement with this many rows begin? */
static bool ib_may_insert(const struct ib_client *c, unsigned rows)
{
	return ib_rows_inserted(c) - ib_rows_deleted(c) <=
	       (IB_DELETER_LAG_MAX - 1) * (uint64_t)rows;
}

static bool ib_may_delete(const struct ib_client *c, unsigned rows)
{
	(void)rows;
	return ib_rows_inserted(c) > ib_rows_deleted(c);
}

static bool ib_deleter_caught_up(const struct ib_client *c, unsigned rows)
{
	return !ib_may_delete(c, rows);
}

/* Wait until the condition holds; returns false if the run ended first. */
static bool ib_wait_until(struct procedure_thread *t,
			  bool (*condition)(const struct ib_client *, unsigned),
			  unsigned rows)
{
	struct ib_client *c = ((struct ib_thread *)t->state)->client;
	/* how often it checks whether the run ended or a backup copies files */
	const long CHECK_NS = 10000000;
	bool is;

	pthread_mutex_lock(&c->lock);
	while (!(is = condition(c, rows)) && !atomic_load(t->shared->stop)) {
		struct timespec deadline;

		pthread_mutex_unlock(&c->lock);
		procedure_run_pause(t);
		pthread_mutex_lock(&c->lock);
		clock_gettime(CLOCK_REALTIME, &deadline);
		deadline.tv_nsec += CHECK_NS;
		deadline.tv_sec += deadline.tv_nsec / 1000000000;
		deadline.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&c->advanced, &c->lock, &deadline);
	}
	pthread_mutex_unlock(&c->lock);
	return is;
}

static void ib_advance(struct ib_client *c, _Atomic uint64_t *pk, uint64_t rows)
{
	pthread_mutex_lock(&c->lock);
	atomic_fetch_add(pk, rows);
	pthread_cond_broadcast(&c->advanced);
	pthread_mutex_unlock(&c->lock);
}

/* ---- accounting ---- */

static uint64_t ib_second_now(const struct clock *clock)
{
	return clock_ns(clock, clock_ticks(clock)) / 1000000000;
}

/* Add the results of the last operation, and let other threads rely on them. */
static void ib_account(struct procedure_thread *t)
{
	struct ib_thread *own = t->state;

	if (t->calibrating)
		return;
	if (own->role == IB_INSERTER && own->pending)
		ib_advance(own->client, &own->client->inserted, own->pending);
	if (own->role == IB_DELETER && own->pending)
		ib_advance(own->client, &own->client->deleted, own->pending);
	own->total += own->pending;
	per_second_add(&own->seconds, ib_second_now(t->clock) - ib_sums.began_second,
		       own->pending);
	own->pending = 0;
}

static void ib_reset_counts(struct procedure_thread *t)
{
	struct ib_thread *own = t->state;

	if (own->role == IB_NO_ROLE)
		return;
	ib_account(t);
	own->total = 0;
	per_second_clear(&own->seconds);
}

/* An inserter waits until all rows are deleted that should be; then the sums are made. */
static bool ib_end(struct procedure_thread *t)
{
	struct ib_thread *own = t->state;
	const struct ib_step *step = ib_step_of(t->shared);
	bool waits = own->role == IB_INSERTER && step->roles[1] == IB_DELETER;
	int sum = own->role == IB_RANGE_QUERIER || own->role == IB_POINT_QUERIER
			  ? IB_SUM_QUERIES
			  : IB_SUM_WRITES;

	if (own->role == IB_NO_ROLE || t->calibrating)
		return false;
	ib_account(t);
	if (waits)
		ib_wait_until(t, ib_deleter_caught_up, step->statement_rows);
	pthread_mutex_lock(&ib_sums.lock);
	if (own->role != IB_DELETER) {
		ib_sums.totals[sum] += own->total;
		for (size_t i = own->seconds.first; i < own->seconds.end; i++)
			per_second_add(&ib_sums.seconds[sum], i, own->seconds.counts[i]);
	}
	pthread_mutex_unlock(&ib_sums.lock);
	free(own->seconds.counts);
	own->seconds = (struct per_second){0};
	return waits;
}

/* ---- the roles: draw and do ---- */

/* The thread's state; its role is determined at its first operation. */
static struct ib_thread *ib_thread_of(struct procedure_thread *t)
{
	const struct ib_step *step = ib_step_of(t->shared);
	struct ib_thread *own = t->state;

	if (own->role != IB_NO_ROLE)
		return own;
	own->role = step->roles[t->number / t->shared->threads];
	own->number = t->number % t->shared->threads;
	if (t->calibrating)
		return own;
	own->client = &ib_shared_of(t->shared)->clients[own->number];
	own->next = own->role == IB_INSERTER ? own->client->rows_before.end
					     : own->client->rows_before.first;
	return own;
}

/* The rows of the next statement, up to `end`. */
static void ib_take_rows(struct ib_thread *own, struct ib_statement *s, uint64_t rows,
			 uint64_t end)
{
	s->rows.first = own->next;
	s->rows.end = end - own->next < rows ? end : own->next + rows;
	own->next = s->rows.end;
}

static void ib_draw_insert(struct procedure_thread *t, struct ib_thread *own,
			   struct ib_statement *s)
{
	const struct ib_step *step = ib_step_of(t->shared);
	uint64_t end = UINT64_MAX;

	if (!t->calibrating && step->roles[1] &&
	    !ib_wait_until(t, ib_may_insert, step->statement_rows))
		end = own->next; /* nothing: the run ends */
	else if (!t->calibrating && !(step->rows_per_second > 0))
		end = own->client->rows_before.end + ib_row_count(step);
	ib_take_rows(own, s, step->statement_rows, end);
	for (uint64_t pk = s->rows.first; pk < s->rows.end; pk++)
		insert_benchmark_table_encode_row(&s->encoded_rows[pk - s->rows.first],
						  own->number, pk);
}

static void ib_draw_delete(struct procedure_thread *t, struct ib_thread *own,
			   struct ib_statement *s)
{
	const struct ib_step *step = ib_step_of(t->shared);
	uint64_t end = own->next;

	if (ib_wait_until(t, ib_may_delete, step->statement_rows))
		end += ib_rows_inserted(own->client) - ib_rows_deleted(own->client);
	ib_take_rows(own, s, step->statement_rows, end);
	atomic_store(&own->client->deleting, s->rows.end);
}

/* Rows of each of `parts` equal parts; the last part may be smaller. */
static uint64_t ib_part_rows(uint64_t rows, uint64_t parts)
{
	return parts > 1 ? (rows + parts - 1) / parts : rows;
}

/* A client's rows in as many equal parts as there are operations. */
static void ib_draw_index(struct procedure_thread *t, struct ib_thread *own,
			  struct ib_statement *s)
{
	uint64_t statements = ib_operations(t->shared->procedure);
	const struct ib_pk_range rows =
		t->calibrating ? (struct ib_pk_range){own->next, UINT64_MAX}
			       : own->client->rows_before;
	uint64_t part = ib_part_rows(rows.end - rows.first, statements);

	ib_take_rows(own, s,
		     t->calibrating ? ib_step_of(t->shared)->statement_rows : part,
		     rows.end);
	s->last = s->rows.end == rows.end;
}

static void ib_draw_range(struct procedure_thread *t, struct ib_thread *own,
			  struct ib_statement *s)
{
	(void)own;
	s->table = (enum insert_benchmark_row_table)(
		IB_INDEX_PRODUCT + random_below(&t->random, IB_INDEXES));
	s->field = (uint32_t)random_below(&t->random,
					  insert_benchmark_row_field_limit(s->table));
}

static void ib_draw_points(struct procedure_thread *t, struct ib_thread *own,
			   struct ib_statement *s)
{
	uint64_t least = t->calibrating ? 0 : atomic_load(&own->client->deleting);
	uint64_t end =
		t->calibrating ? t->shared->num : atomic_load(&own->client->inserted);

	for (unsigned i = 0; i < IB_QUERY_ROWS; i++)
		s->query_pks[i] = least + random_below(&t->random, end - least);
}

static void ib_draw_audit(struct procedure_thread *t, struct ib_thread *own,
			  struct ib_statement *s)
{
	(void)t;
	(void)own;
	(void)s;
}

static enum status ib_do_insert(struct procedure_thread *t, struct ib_thread *own,
				const struct ib_statement *s)
{
	unsigned n = (unsigned)(s->rows.end - s->rows.first);
	enum status status = CONFLICT; /* of no statement, at the end */

	if (n)
		status = insert_benchmark_table_insert(t, s->encoded_rows, n,
						       ib_step_of(t->shared)->indexed);
	if (status == DONE)
		own->pending = n;
	return status;
}

static enum status ib_do_delete(struct procedure_thread *t, struct ib_thread *own,
				const struct ib_statement *s)
{
	unsigned n = (unsigned)(s->rows.end - s->rows.first);
	enum status status =
		n ? insert_benchmark_table_delete(t, own->number, s->rows) : CONFLICT;

	if (status == DONE || status == NOT_FOUND)
		own->pending = n;
	return status;
}

static enum status ib_do_index(struct procedure_thread *t, struct ib_thread *own,
			       const struct ib_statement *s)
{
	enum status status =
		insert_benchmark_table_index(t, own->number, s->rows, s->last);

	if (status == DONE)
		own->pending = (unsigned)(s->rows.end - s->rows.first);
	return status;
}

static enum status ib_do_range(struct procedure_thread *t, struct ib_thread *own,
			       const struct ib_statement *s)
{
	enum status status =
		insert_benchmark_table_query_range(t, own->number, s->table, s->field);

	own->pending = status == DONE;
	return status;
}

static enum status ib_do_points(struct procedure_thread *t, struct ib_thread *own,
				const struct ib_statement *s)
{
	static const _Atomic uint64_t none = 0;
	enum status status =
		insert_benchmark_table_query_points(t, own->number, s->query_pks,
						    t->calibrating
							    ? &none
							    : &own->client->deleting);

	own->pending = status == DONE;
	return status;
}

/* main() audits the tables when this has ended. */
static enum status ib_do_audit(struct procedure_thread *t, struct ib_thread *own,
			       const struct ib_statement *s)
{
	(void)t;
	(void)s;
	own->pending = 0;
	return DONE;
}

static const struct {
	enum result_kind kind;
	void (*draw)(struct procedure_thread *, struct ib_thread *,
		     struct ib_statement *);
	enum status (*do_once)(struct procedure_thread *, struct ib_thread *,
			       const struct ib_statement *);
} ib_role_table[] = {
	[IB_INSERTER] = {KIND_WRITE, ib_draw_insert, ib_do_insert},
	[IB_DELETER] = {KIND_WRITE, ib_draw_delete, ib_do_delete},
	[IB_INDEXER] = {KIND_WRITE, ib_draw_index, ib_do_index},
	[IB_RANGE_QUERIER] = {KIND_SCAN, ib_draw_range, ib_do_range},
	[IB_POINT_QUERIER] = {KIND_READ, ib_draw_points, ib_do_points},
	[IB_AUDITOR] = {KIND_SCAN, ib_draw_audit, ib_do_audit},
};

static enum result_kind ib_draw(struct procedure_thread *t, void *parameters)
{
	struct ib_thread *own = ib_thread_of(t);

	ib_account(t);
	ib_role_table[own->role].draw(t, own, parameters);
	return ib_role_table[own->role].kind;
}

static enum status ib_do(struct procedure_thread *t, const void *parameters)
{
	struct ib_thread *own = t->state;

	return ib_role_table[own->role].do_once(t, own, parameters);
}

/* ---- before and after a step ---- */

/* Check the state of a client's table before the step. */
static const char *ib_check_client(struct procedure_shared *s, const struct ib_client *c,
				   unsigned number, enum status indexed)
{
	const struct ib_step *step = ib_step_of(s);
	uint64_t rows = c->rows_before.end - c->rows_before.first,
		 statements = ib_operations(s->procedure);
	char *why = s->why;

	/* A load that was aborted may have left clients without rows. */
	if (step == &insert_benchmark_steps[IB_L_I0] ||
	    step == &insert_benchmark_steps[IB_CHECK])
		return NULL;
	if (!rows)
		snprintf(why, PROCEDURE_WHY_SIZE,
			 "client %u has no rows; put l.i0 before it, with as many "
			 "--threads",
			 number);
	else if (step->indexed && indexed != DONE)
		snprintf(why, PROCEDURE_WHY_SIZE,
			 "client %u has no indexes, or not all of them; put l.x before "
			 "it",
			 number);
	else if (step->roles[0] == IB_INDEXER &&
		 ib_part_rows(rows, statements) > IB_STATEMENT_ROWS_MAX)
		snprintf(why, PROCEDURE_WHY_SIZE,
			 "client %u has %llu rows; give the --num that they were loaded "
			 "with",
			 number, (unsigned long long)rows);
	else
		return NULL;
	return why;
}

/* Find the existing rows of a client; returns NULL, or why the step cannot run. */
static const char *ib_find_client(struct procedure_shared *s, struct procedure_thread *t,
				  unsigned number)
{
	struct ib_client *c = &ib_sums.clients[number];
	enum status found, indexed = DONE;

	memset(c, 0, sizeof *c);
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->advanced, NULL);
	found = insert_benchmark_table_find_rows(t, number, &c->rows_before);
	if (found == DONE)
		found = indexed = insert_benchmark_table_is_indexed(t, number);
	if (found != DONE && found != NOT_FOUND)
		return t->why;
	c->inserted = c->rows_before.end;
	c->deleting = c->deleted = c->rows_before.first;
	return ib_check_client(s, c, number, indexed);
}

static const char *ib_prepare(struct procedure_shared *s, struct procedure_thread *t)
{
	const char *why = NULL;

	free(ib_sums.clients);
	ib_sums.clients = message_alloc_aligned(s->threads * sizeof *ib_sums.clients);
	ib_shared_of(s)->clients = ib_sums.clients;
	ib_sums.began_second = ib_second_now(t->clock);
	for (int i = 0; i < IB_SUMS; i++) {
		per_second_clear(&ib_sums.seconds[i]);
		ib_sums.totals[i] = 0;
	}
	for (unsigned i = 0; i < s->threads && !why; i++)
		why = ib_find_client(s, t, i);
	return why;
}

/* Is there a client beyond --threads? Returns NULL if there is none. */
static const char *ib_check_extra_clients(struct procedure_shared *s,
					  struct procedure_thread *t)
{
	struct ib_pk_range rows;
	enum status found = insert_benchmark_table_find_rows(t, s->threads, &rows);

	if (found != DONE)
		return t->why;
	if (rows.first == rows.end)
		return NULL;
	snprintf(s->why, sizeof s->why,
		 "client %u has rows but no thread; give as many "
		 "--threads as the load had",
		 s->threads);
	return s->why;
}

static const char *ib_check(struct procedure_shared *s, struct procedure_thread *t)
{
	const struct ib_step *step = ib_step_of(s);
	struct ib_shared *shared = ib_shared_of(s);
	bool indexed = step->indexed || step->roles[0] == IB_INDEXER;
	const char *why = NULL;

	if (!ib_check_indexes && step != &insert_benchmark_steps[IB_CHECK])
		return NULL;
	shared->audited = true;
	for (unsigned i = 0; i < s->threads && !why; i++) {
		const struct ib_client *c = &shared->clients[i];
		const struct ib_pk_range rows = {c->deleted, c->inserted};

		why = insert_benchmark_table_audit(t, i, rows, indexed, &shared->count,
						   s->why);
	}
	return why || step != &insert_benchmark_steps[IB_CHECK]
		       ? why
		       : ib_check_extra_clients(s, t);
}

/*
 * Scheduled statements per second of a thread; the first starts after `first_gap` of a
 * gap.
 */
static double ib_rate(const struct procedure_shared *s, unsigned number,
		      double *first_gap)
{
	const struct ib_step *step = ib_step_of(s);
	unsigned role = number / s->threads;
	/* A deleter starts half a gap after its inserter. */
	double at = (double)(number % s->threads) / s->threads + (role == 2) * 0.5;

	*first_gap = at - floor(at);
	return role ? step->rows_per_second / step->statement_rows : 0;
}

static const char *ib_refuse(const struct procedure *procedure, uint64_t num)
{
	static char why[PROCEDURE_WHY_SIZE];

	(void)procedure;
	(void)num;
	if (!engine.fixed_size && engine.seek && engine.next && engine.prev)
		return NULL;
	snprintf(why, sizeof why,
		 "%s has no ordered scan of keys of several sizes, which indexes need",
		 engine.title);
	return why;
}

/* clang-format off */
#define IB_STEP(background, ...)							\
	{									\
		.procedure =							\
			{							\
				.records_per_num = IB_TABLES,			\
				.value_format = IB_VALUE_FORMAT,		\
				.own_key_size = IB_KEY_SIZE_MAX,		\
				.own_value_min = IB_VALUE_SIZE_MIN,		\
				.own_value_max = IB_VALUE_SIZE_MAX,		\
				.parameters_size = sizeof(struct ib_statement),	\
				.state_size = sizeof(struct ib_thread),		\
				.shared_size = sizeof(struct ib_shared),	\
				.background_threads = background,		\
				.one_at_a_time = true,				\
				.prepare = ib_prepare,				\
				.check = ib_check,				\
				.draw_parameters = ib_draw,			\
				.do_once = ib_do,				\
				.finish = ib_end,				\
				.reset_counts = ib_reset_counts,		\
				.operations = ib_operations,			\
				.rate = ib_rate,				\
				.reject = ib_refuse,				\
			},							\
		__VA_ARGS__							\
	}
/* clang-format on */
#define IB_LOAD_STEP(rows, role) IB_STEP(0, {role}, rows)
#define IB_CHANGE_STEP(rows) IB_STEP(1, {IB_INSERTER, IB_DELETER}, rows, .indexed = true)
#define IB_QUERY_STEP(role, rate) \
	IB_STEP(2, {role, IB_INSERTER, IB_DELETER}, 50, rate, true)

static const struct ib_step insert_benchmark_steps[IB_STEPS] = {
	[IB_L_I0] = IB_LOAD_STEP(100, IB_INSERTER),
	[IB_L_X] = IB_LOAD_STEP(100, IB_INDEXER),
	[IB_L_I1] = IB_CHANGE_STEP(50),
	[IB_L_I2] = IB_CHANGE_STEP(5),
	[IB_CHECK] = IB_STEP(0, {IB_AUDITOR}, 0),
	[IB_QR100] = IB_QUERY_STEP(IB_RANGE_QUERIER, 100),
	[IB_QP100] = IB_QUERY_STEP(IB_POINT_QUERIER, 100),
	[IB_QR500] = IB_QUERY_STEP(IB_RANGE_QUERIER, 500),
	[IB_QP500] = IB_QUERY_STEP(IB_POINT_QUERIER, 500),
	[IB_QR1000] = IB_QUERY_STEP(IB_RANGE_QUERIER, 1000),
	[IB_QP1000] = IB_QUERY_STEP(IB_POINT_QUERIER, 1000),
};

/* ---- the extra ---- */

/* Wait until no work is pending in the engine, then rest. */
static void ib_wait(struct run *run)
{
	double rows = (double)cfg->num * run->item->threads,
	       seconds = fmin(60 + rows / 1e6, 1200);
	const struct task task = {"settling", task_settle,
				  cfg->duration > 0 ? fmin(seconds, cfg->duration)
						    : seconds};

	task_run(run, 1, &task);
}

/* A step of the Insert Benchmark. */
/* clang-format off */
#define INSERT_STEP(called, step, also, does)						\
	{										\
		.name = called, .help = does, .weights = {[OP_PROCEDURE] = 100}, also,	\
		.procedure = &insert_benchmark_steps[step].procedure,			\
		.preset = "insert-benchmark"						\
	}
/* clang-format on */

static struct workload ib_workloads[] = {
	INSERT_STEP(
		"l.i0", IB_L_I0, .starts_empty = true,
		"Insert Benchmark: each of --threads clients inserts --num rows in key "
		"order into a table of its own, 100 per transaction, without indexes."),
	INSERT_STEP(
		"l.x", IB_L_X, .starts_empty = false,
		"Insert Benchmark: each client builds the three indexes of its table by "
		"a scan."),
	INSERT_STEP("l.i1", IB_L_I1, .starts_empty = false,
		    "Insert Benchmark: each client inserts --writes rows, 50 per "
		    "transaction, into its table and indexes. A second thread deletes as "
		    "many of the oldest rows, at most 8 transactions behind."),
	INSERT_STEP("l.i2", IB_L_I2, .starts_empty = false,
		    "Insert Benchmark: l.i1 with a quarter of --writes rows, 5 per "
		    "transaction."),
	{"wait",
	 "Insert Benchmark: wait until the engine has no pending work, then idle for 60 "
	 "s plus 1 s per million rows. It idles for at most 1200 s, or --duration.",
	 .maintenance = ib_wait, .preset = "insert-benchmark"},
	INSERT_STEP(
		"qr100", IB_QR100, .requires_rate = true,
		"Insert Benchmark: for --duration, a thread of each client queries: it "
		"reads 10 entries of an index from a random place on. Two more threads "
		"insert and delete 100 rows/s. The row is invalid if that rate was not "
		"met."),
	INSERT_STEP("qp100", IB_QP100, .requires_rate = true,
		    "Insert Benchmark: qr100, but each query gets 10 random rows."),
	INSERT_STEP("qr500", IB_QR500, .requires_rate = true,
		    "Insert Benchmark: qr100 at 500 inserted and deleted rows/s."),
	INSERT_STEP("qp500", IB_QP500, .requires_rate = true,
		    "Insert Benchmark: qp100 at 500 inserted and deleted rows/s."),
	INSERT_STEP("qr1000", IB_QR1000, .requires_rate = true,
		    "Insert Benchmark: qr100 at 1000 inserted and deleted rows/s."),
	INSERT_STEP("qp1000", IB_QP1000, .requires_rate = true,
		    "Insert Benchmark: qp100 at 1000 inserted and deleted rows/s."),
	INSERT_STEP(
		"l.check", IB_CHECK, .starts_empty = false,
		"Insert Benchmark: compare each index entry with its row and each row "
		"with its entries, as every step does at its end with --ib_check=1."),
	{0},
};

static const struct preset ib_presets[] = {
	{"insert-benchmark",
	 "Insert Benchmark (Callaghan) in memory: 10 million rows, 16 million changes, "
	 "30 minutes of each kind of query. To exceed 32 GB of memory, add --num=800m "
	 "--writes=4m.",
	 "benchmarks=l.i0,l.x,l.i1,l.i2,wait,qr100,qp100,qr500,qp500,qr1000,qp1000 "
	 "num=10m writes=16m duration=1800 key_size=29 value_size=34-44"},
	{0},
};

struct insert_benchmark_columns {
	double rows_per_sec, rows_worst_second, queries_per_sec, queries_worst_second;
	double storage_reads_per_query, read_kb_per_query, cpu_us_per_query,
		ctx_per_query;
	double index_check, table_rows, index_entries;
};

static const struct row_file_column ib_column_table[] = {
	RESULT_NUMBER(insert_benchmark_columns, rows_per_sec, 1,
		      "Rows per second that the Insert Benchmark inserted, all "
		      "clients together. Deletes are neither added nor subtracted. "
		      "In its step l.x, which makes the indexes: rows indexed. "
		      "Empty: another workload, or the step l.check, which only "
		      "checks."),
	RESULT_NUMBER(insert_benchmark_columns, rows_worst_second, 0,
		      "Fewest rows that the Insert Benchmark inserted in any whole "
		      "second, all clients together: the depth of its worst stall. "
		      "Empty: runs below three seconds."),
	RESULT_NUMBER(insert_benchmark_columns, queries_per_sec, 1,
		      "Queries of the Insert Benchmark per second, all clients "
		      "together. In its steps qr100 to qr1000 each reads 10 entries of "
		      "an index, in qp100 to qp1000 10 rows. Empty: other workloads."),
	RESULT_NUMBER(insert_benchmark_columns, queries_worst_second, 0,
		      "Fewest queries that the Insert Benchmark did in any whole "
		      "second, all clients together: the depth of its worst stall. "
		      "Empty: runs below three seconds."),
	RESULT_NUMBER(insert_benchmark_columns, storage_reads_per_query, 3,
		      "Device reads per query of the Insert Benchmark: device_reads / "
		      "queries. Reads for its inserts and deletes, and for other "
		      "processes, are in it."),
	RESULT_NUMBER(insert_benchmark_columns, read_kb_per_query, 3,
		      "Data that the device read per query of the Insert Benchmark: "
		      "device_read_bytes / queries. Reads for its inserts, deletes "
		      "and other processes are in it."),
	RESULT_NUMBER(insert_benchmark_columns, cpu_us_per_query, 2,
		      "CPU time of the process per query of the Insert Benchmark: "
		      "1e6 * (user_s + sys_s) / queries. The CPU time of the "
		      "benchmark's inserts and deletes is included."),
	RESULT_NUMBER(insert_benchmark_columns, ctx_per_query, 3,
		      "Context switches of the process per query of the Insert "
		      "Benchmark: (ctx_voluntary + ctx_involuntary) / queries. Those "
		      "of its inserts and deletes are in it."),
	RESULT_NUMBER(insert_benchmark_columns, index_check, 0,
		      "1: after the workload of the Insert Benchmark, every row was "
		      "compared with its index entries; errors make the result invalid. "
		      "0: not compared (--ib_check=0). Empty: another workload."),
	RESULT_NUMBER(insert_benchmark_columns, table_rows, 0,
		      "Number of rows in all tables of the Insert Benchmark after the "
		      "workload, counted by reading them (--ib_check=1)."),
	RESULT_NUMBER(insert_benchmark_columns, index_entries, 0,
		      "Number of entries in all indexes of the Insert Benchmark after "
		      "the workload, counted by reading them (--ib_check=1): three "
		      "per row once indexes exist."),
};

static void ib_fill_queries(struct insert_benchmark_columns *columns,
			    const struct result *r)
{
	columns->queries_per_sec = (double)ib_sums.totals[IB_SUM_QUERIES] / r->seconds;
	columns->storage_reads_per_query = r->usage.device_reads / r->ops;
	columns->read_kb_per_query = r->usage.device_read_bytes / 1024 / r->ops;
	columns->cpu_us_per_query = r->usage.cpu_s * 1e6 / r->ops;
	columns->ctx_per_query =
		(r->usage.ctx_voluntary + r->usage.ctx_involuntary) / r->ops;
}

static void ib_fill(const struct aggregate *a, struct result *r)
{
	const struct procedure_shared *s = a->procedure;
	const struct ib_shared *shared = s->shared;
	const struct per_second *written = &ib_sums.seconds[IB_SUM_WRITES],
				*queries = &ib_sums.seconds[IB_SUM_QUERIES];
	/* who queries is the foreground: the last inserts and deletes end after the run */
	size_t end = queries->end ? queries->end : written->end;
	struct insert_benchmark_columns *columns =
		result_added(r, &insert_benchmark_extra.columns);

	if (!s->procedure || s->procedure->do_once != ib_do)
		return;
	if (ib_step_of(s)->statement_rows) {
		columns->rows_per_sec =
			(double)ib_sums.totals[IB_SUM_WRITES] / r->seconds;
		columns->rows_worst_second = per_second_min(written, written->first, end);
	}
	if (ib_step_of(s)->rows_per_second > 0) {
		columns->queries_worst_second =
			per_second_min(queries, queries->first, end);
		ib_fill_queries(columns, r);
	}
	columns->index_check = shared->audited;
	if (shared->audited) {
		columns->table_rows = (double)shared->count.rows;
		columns->index_entries = (double)shared->count.entries;
	}
}

static bool ib_append_to_line(const struct result *r, char *to, size_t size)
{
	const struct insert_benchmark_columns *columns =
		result_added(r, &insert_benchmark_extra.columns);

	if (!isnan(columns->rows_per_sec))
		message_append(to, size, " ", "%.0f rows/sec", columns->rows_per_sec);
	if (!isnan(columns->rows_worst_second))
		message_append(to, size, " ", "(%.0f in the worst second)",
			       columns->rows_worst_second);
	return false;
}

const struct extra insert_benchmark_extra = {
	.options = ib_options,
	.workloads = ib_workloads,
	.presets = ib_presets,
	.columns = ROW_FILE_COLUMNS(ib_column_table),
	.fill = ib_fill,
	.append_to_line = ib_append_to_line,
};
