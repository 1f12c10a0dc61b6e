/* insertbench.c: see insertbench.h. */
#include "insertbench.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../util/say.h"
#include "ibtable.h"

enum { IB_FORM = 0x4942 }; /* of its values */

/* ---- what the threads share ---- */

/* A client while a step runs: pks below each of these have come so far. */
struct client {
	_Alignas(128) pthread_mutex_t lock;
	pthread_cond_t moved;
	_Atomic uint64_t inserted; /* they are committed */
	_Atomic uint64_t dying;    /* they are being deleted, */
	_Atomic uint64_t deleted;  /* and that is committed */
	struct ibrange before;     /* what there was when the step began */
};

struct ibshared {
	struct client *client; /* of each */
	bool audited;
	struct ibcount count;
};

/* What was finished in each second since the step was prepared. */
struct seconds {
	size_t first, end, room; /* of those in which there was somebody at work */
	double *finished;
};

/* Of a step: rows by those that write them, and queries. They stay allocated. */
enum { WRITTEN, ASKED, SUMS };

static struct {
	pthread_mutex_t lock;
	uint64_t began; /* second */
	struct seconds seconds[SUMS];
	uint64_t all[SUMS];
	struct client *client;
} sums = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A thread's own. What an act has done is entered when the next one is drawn. */
struct ibstate {
	enum ibrole role;
	struct client *client;
	uint32_t number; /* the client's */
	uint64_t next;   /* pk of an inserter or indexer */
	unsigned done;   /* rows, or queries, not entered yet */
	uint64_t all;    /* rows, or queries, entered */
	struct seconds seconds;
};

/* What is drawn before a clock is read. */
struct statement {
	struct ibrange rows;
	bool last;                  /* of an indexer */
	enum purchase_table table;
	uint32_t field;
	uint64_t pks[IB_QUERIED];
	struct ibrow row[IB_ROWS_MOST]; /* an inserter's */
};

static bool check_indexes;

static const struct option ib_options[] = {
	{"ib_check", "1",
	 "1: after each step of the Insert Benchmark, compare rows and index entries "
	 "with each other; 0: do not, for large runs.",
	 .flag = &check_indexes, .group = "Insert Benchmark"},
	{0},
};

static const struct ibstep *step_of_stage(const struct stage *s)
{
	return (const struct ibstep *)(const void *)s->acts;
}

static struct ibshared *shared_of(const struct stage *s)
{
	return s->shared;
}

/* Rows that each client inserts, or indexes; of an inserter with a rate, any number. */
static uint64_t rows_of(const struct ibstep *step, const struct amounts *of)
{
	uint64_t changes = of->writes ? of->writes : of->num;

	if (step->rate > 0)
		return UINT64_MAX;
	if (step == &insertbench_steps[IB_L_I1])
		return changes;
	return step == &insertbench_steps[IB_L_I2] ? (changes + 3) / 4 : of->num;
}

/* Acts of each thread that is asked for; 0: as many as there is time for. */
static uint64_t ib_operations(const struct acts *acts, const struct amounts *of)
{
	const struct ibstep *step = (const struct ibstep *)(const void *)acts;

	if (step->role[0] == IB_BY_RANGE || step->role[0] == IB_BY_POINT)
		return 0;
	return step->rows ? (rows_of(step, of) + step->rows - 1) / step->rows : 1;
}

/* ---- keeping together ---- */

/* So many rows were inserted, or deleted, since the step began. */
static uint64_t inserted(const struct client *c)
{
	return atomic_load(&c->inserted) - c->before.end;
}

static uint64_t deleted(const struct client *c)
{
	return atomic_load(&c->deleted) - c->before.first;
}

/* May the next statement of so many rows begin? */
static bool may_insert(const struct client *c, unsigned rows)
{
	return inserted(c) - deleted(c) <= (IB_APART - 1) * (uint64_t)rows;
}

static bool may_delete(const struct client *c, unsigned rows)
{
	(void)rows;
	return inserted(c) > deleted(c);
}

static bool has_caught_up(const struct client *c, unsigned rows)
{
	return !may_delete(c, rows);
}

/* Wait until that is so; false if the end came first. */
static bool wait_until(struct actor *a, bool (*so)(const struct client *, unsigned),
		       unsigned rows)
{
	struct client *c = ((struct ibstate *)a->state)->client;
	const long LOOK_NS = 10000000; /* that often at whether the end has come */
	bool is;

	pthread_mutex_lock(&c->lock);
	while (!(is = so(c, rows)) && !atomic_load(a->stage->stop)) {
		struct timespec t;

		clock_gettime(CLOCK_REALTIME, &t);
		t.tv_nsec += LOOK_NS;
		t.tv_sec += t.tv_nsec / 1000000000;
		t.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&c->moved, &c->lock, &t);
	}
	pthread_mutex_unlock(&c->lock);
	return is;
}

static void ib_move(struct client *c, _Atomic uint64_t *what, uint64_t rows)
{
	pthread_mutex_lock(&c->lock);
	atomic_fetch_add(what, rows);
	pthread_cond_broadcast(&c->moved);
	pthread_mutex_unlock(&c->lock);
}

/* ---- what was done ---- */

static uint64_t this_second(const struct clock *clock)
{
	return clock_ns(clock, clock_ticks(clock)) / 1000000000;
}

/* So much more was finished in a second. */
static void seconds_add(struct seconds *s, size_t second, double finished)
{
	if (second >= s->room) {
		size_t room = second * 2 + 64;

		s->finished = realloc(s->finished, room * sizeof *s->finished);
		if (!s->finished)
			die(1, "out of memory");
		memset(s->finished + s->room, 0, (room - s->room) * sizeof *s->finished);
		s->room = room;
	}
	if (!s->end || second < s->first)
		s->first = second;
	if (second >= s->end)
		s->end = second + 1;
	s->finished[second] += finished;
}

static void seconds_clear(struct seconds *s)
{
	if (s->room)
		memset(s->finished, 0, s->room * sizeof *s->finished);
	s->first = s->end = 0;
}

/* The least of all whole ones; NaN: there was none. */
static double seconds_worst(const struct seconds *s, size_t first, size_t end)
{
	double worst = NAN;

	for (size_t i = first + 1; i + 1 < end; i++)
		worst = fmin(worst, i < s->room ? s->finished[i] : 0);
	return worst;
}

/* What the last act did: others may rely on it, and it counts. */
static void ib_settle(struct actor *a)
{
	struct ibstate *t = a->state;

	if (a->rehearses)
		return;
	if (t->role == IB_INSERTER && t->done)
		ib_move(t->client, &t->client->inserted, t->done);
	if (t->role == IB_DELETER && t->done)
		ib_move(t->client, &t->client->deleted, t->done);
	t->all += t->done;
	seconds_add(&t->seconds, this_second(a->clock) - sums.began, t->done);
	t->done = 0;
}

static void ib_forget(struct actor *a)
{
	struct ibstate *t = a->state;

	if (t->role == IB_NOBODY)
		return;
	ib_settle(a);
	t->all = 0;
	seconds_clear(&t->seconds);
}

/* Who inserts ends when all is deleted that should be; what was done is added up. */
static bool ib_end(struct actor *a)
{
	struct ibstate *t = a->state;
	const struct ibstep *step = step_of_stage(a->stage);
	bool waits = t->role == IB_INSERTER && step->role[1] == IB_DELETER;
	int sum = t->role == IB_BY_RANGE || t->role == IB_BY_POINT ? ASKED : WRITTEN;

	if (t->role == IB_NOBODY || a->rehearses)
		return false;
	ib_settle(a);
	if (waits)
		wait_until(a, has_caught_up, step->rows);
	pthread_mutex_lock(&sums.lock);
	if (t->role != IB_DELETER) {
		sums.all[sum] += t->all;
		for (size_t i = t->seconds.first; i < t->seconds.end; i++)
			seconds_add(&sums.seconds[sum], i, t->seconds.finished[i]);
	}
	pthread_mutex_unlock(&sums.lock);
	free(t->seconds.finished);
	t->seconds = (struct seconds){0};
	return waits;
}

/* ---- the roles: what is drawn, and done ---- */

/* Who it is, at its first act. */
static struct ibstate *state_of(struct actor *a)
{
	const struct ibstep *step = step_of_stage(a->stage);
	struct ibstate *t = a->state;

	if (t->role != IB_NOBODY)
		return t;
	t->role = step->role[a->number / a->stage->threads];
	t->number = a->number % a->stage->threads;
	if (a->rehearses)
		return t;
	t->client = &shared_of(a->stage)->client[t->number];
	t->next = t->role == IB_INSERTER ? t->client->before.end
					 : t->client->before.first;
	return t;
}

/* The rows of the next statement, up to `end`. */
static void ib_take(struct ibstate *t, struct statement *s, uint64_t rows, uint64_t end)
{
	s->rows.first = t->next;
	s->rows.end = end - t->next < rows ? end : t->next + rows;
	t->next = s->rows.end;
}

static void draw_insert(struct actor *a, struct ibstate *t, struct statement *s)
{
	const struct ibstep *step = step_of_stage(a->stage);
	uint64_t end = UINT64_MAX;

	if (!a->rehearses && step->role[1] && !wait_until(a, may_insert, step->rows))
		end = t->next; /* nothing: the end has come */
	else if (!a->rehearses && !(step->rate > 0))
		end = t->client->before.end + rows_of(step, a->stage->amounts);
	ib_take(t, s, step->rows, end);
	for (uint64_t pk = s->rows.first; pk < s->rows.end; pk++)
		ibrow_write(&s->row[pk - s->rows.first], t->number, pk);
}

static void draw_delete(struct actor *a, struct ibstate *t, struct statement *s)
{
	const struct ibstep *step = step_of_stage(a->stage);
	uint64_t end = t->next;

	if (wait_until(a, may_delete, step->rows))
		end += inserted(t->client) - deleted(t->client);
	ib_take(t, s, step->rows, end);
	atomic_store(&t->client->dying, s->rows.end);
}

/* Of rows in so many equal parts, how many make one; the last may be smaller. */
static uint64_t ib_part(uint64_t rows, uint64_t parts)
{
	return parts > 1 ? (rows + parts - 1) / parts : rows;
}

/* A client's rows in equal parts, as many as there are acts. */
static void draw_index(struct actor *a, struct ibstate *t, struct statement *s)
{
	uint64_t acts = ib_operations(a->stage->acts, a->stage->amounts);
	const struct ibrange rows =
		a->rehearses ? (struct ibrange){t->next, UINT64_MAX} : t->client->before;
	uint64_t part = ib_part(rows.end - rows.first, acts);

	ib_take(t, s, a->rehearses ? step_of_stage(a->stage)->rows : part, rows.end);
	s->last = s->rows.end == rows.end;
}

static void draw_range(struct actor *a, struct ibstate *t, struct statement *s)
{
	(void)t;
	s->table = (enum purchase_table)(BY_PRODUCT +
					 random_below(&a->random, PURCHASE_INDEXES));
	s->field = (uint32_t)random_below(&a->random, purchase_firsts(s->table));
}

static void draw_points(struct actor *a, struct ibstate *t, struct statement *s)
{
	uint64_t least = a->rehearses ? 0 : atomic_load(&t->client->dying);
	uint64_t end = a->rehearses ? a->stage->num : atomic_load(&t->client->inserted);

	for (unsigned i = 0; i < IB_QUERIED; i++)
		s->pks[i] = least + random_below(&a->random, end - least);
}

static void draw_audit(struct actor *a, struct ibstate *t, struct statement *s)
{
	(void)a;
	(void)t;
	(void)s;
}

static enum status do_insert(struct actor *a, struct ibstate *t,
			     const struct statement *s)
{
	unsigned n = (unsigned)(s->rows.end - s->rows.first);
	enum status status = CONFLICT; /* of nothing, at the end */

	if (n)
		status = ibtable_insert(a, s->row, n, step_of_stage(a->stage)->indexed);
	if (status == DONE)
		t->done = n;
	return status;
}

static enum status do_delete(struct actor *a, struct ibstate *t,
			     const struct statement *s)
{
	unsigned n = (unsigned)(s->rows.end - s->rows.first);
	enum status status = n ? ibtable_delete(a, t->number, s->rows) : CONFLICT;

	if (status == DONE || status == NOT_FOUND)
		t->done = n;
	return status;
}

static enum status do_index(struct actor *a, struct ibstate *t, const struct statement *s)
{
	enum status status = ibtable_index(a, t->number, s->rows, s->last);

	if (status == DONE)
		t->done = (unsigned)(s->rows.end - s->rows.first);
	return status;
}

static enum status do_range(struct actor *a, struct ibstate *t, const struct statement *s)
{
	enum status status = ibtable_query_range(a, t->number, s->table, s->field);

	t->done = status == DONE;
	return status;
}

static enum status do_points(struct actor *a, struct ibstate *t,
			     const struct statement *s)
{
	static const _Atomic uint64_t none = 0;
	enum status status = ibtable_query_points(
		a, t->number, s->pks, a->rehearses ? &none : &t->client->dying);

	t->done = status == DONE;
	return status;
}

/* Main() looks at the tables when this has ended. */
static enum status do_audit(struct actor *a, struct ibstate *t, const struct statement *s)
{
	(void)a;
	(void)s;
	t->done = 0;
	return DONE;
}

static const struct {
	enum result_kind kind;
	void (*draw)(struct actor *, struct ibstate *, struct statement *);
	enum status (*once)(struct actor *, struct ibstate *, const struct statement *);
} roles[] = {
	[IB_INSERTER] = {KIND_WRITE, draw_insert, do_insert},
	[IB_DELETER] = {KIND_WRITE, draw_delete, do_delete},
	[IB_INDEXER] = {KIND_WRITE, draw_index, do_index},
	[IB_BY_RANGE] = {KIND_SCAN, draw_range, do_range},
	[IB_BY_POINT] = {KIND_READ, draw_points, do_points},
	[IB_AUDITOR] = {KIND_SCAN, draw_audit, do_audit},
};

static enum result_kind ib_draw(struct actor *a, void *drawn)
{
	struct ibstate *t = state_of(a);

	ib_settle(a);
	roles[t->role].draw(a, t, drawn);
	return roles[t->role].kind;
}

static enum status ib_once(struct actor *a, const void *drawn)
{
	struct ibstate *t = a->state;

	return roles[t->role].once(a, t, drawn);
}

/* ---- before and after a step ---- */

/* What this client's table must be like when the step begins. */
static const char *check_client(struct stage *s, const struct client *c, unsigned number,
				enum status indexed)
{
	const struct ibstep *step = step_of_stage(s);
	uint64_t rows = c->before.end - c->before.first,
		 acts = ib_operations(s->acts, s->amounts);
	char *why = s->why;

	/* A load that did not end may have left clients without rows. */
	if (step == &insertbench_steps[IB_L_I0] || step == &insertbench_steps[IB_CHECK])
		return NULL;
	if (!rows)
		snprintf(why, STAGE_WHY,
			 "client %u has no rows; put l.i0 before it, with as many "
			 "--threads",
			 number);
	else if (step->indexed && indexed != DONE)
		snprintf(why, STAGE_WHY,
			 "client %u has no indexes, or not all of them; put l.x before "
			 "it",
			 number);
	else if (step->role[0] == IB_INDEXER && ib_part(rows, acts) > IB_ROWS_MOST)
		snprintf(why, STAGE_WHY,
			 "client %u has %llu rows; give the --num that they were loaded "
			 "with",
			 number, (unsigned long long)rows);
	else
		return NULL;
	return why;
}

/* Find what there is of a client; NULL, or why the step cannot be. */
static const char *find_client(struct stage *s, struct actor *a, unsigned number)
{
	struct client *c = &sums.client[number];
	enum status found, indexed = DONE;

	memset(c, 0, sizeof *c);
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->moved, NULL);
	found = ibtable_find(a, number, &c->before);
	if (found == DONE)
		found = indexed = ibtable_indexed(a, number);
	if (found != DONE && found != NOT_FOUND)
		return a->why;
	c->inserted = c->before.end;
	c->dying = c->deleted = c->before.first;
	return check_client(s, c, number, indexed);
}

static const char *ib_prepare(struct stage *s, struct actor *a)
{
	const char *why = NULL;

	free(sums.client);
	sums.client = say_alloc_apart(s->threads * sizeof *sums.client);
	shared_of(s)->client = sums.client;
	sums.began = this_second(a->clock);
	for (int i = 0; i < SUMS; i++) {
		seconds_clear(&sums.seconds[i]);
		sums.all[i] = 0;
	}
	for (unsigned i = 0; i < s->threads && !why; i++)
		why = find_client(s, a, i);
	return why;
}

/* Whether there is a client beyond those that are looked at; NULL: there is none. */
static const char *check_others(struct stage *s, struct actor *a)
{
	struct ibrange rows;
	enum status found = ibtable_find(a, s->threads, &rows);

	if (found != DONE)
		return a->why;
	if (rows.first == rows.end)
		return NULL;
	snprintf(s->why, sizeof s->why, "client %u has rows, too; give more --threads",
		 s->threads);
	return s->why;
}

static const char *ib_check(struct stage *s, struct actor *a)
{
	const struct ibstep *step = step_of_stage(s);
	struct ibshared *shared = shared_of(s);
	bool indexed = step->indexed || step->role[0] == IB_INDEXER;
	const char *why = NULL;

	if (!check_indexes && step != &insertbench_steps[IB_CHECK])
		return NULL;
	shared->audited = true;
	for (unsigned i = 0; i < s->threads && !why; i++) {
		const struct client *c = &shared->client[i];
		const struct ibrange rows = {c->deleted, c->inserted};

		why = ibtable_audit(a, i, rows, indexed, &shared->count, s->why);
	}
	return why || step != &insertbench_steps[IB_CHECK] ? why : check_others(s, a);
}

static void ib_columns(const struct stage *s, struct result *r)
{
	const struct ibshared *shared = shared_of(s);
	const struct seconds *written = &sums.seconds[WRITTEN],
			     *asked = &sums.seconds[ASKED];
	size_t first = asked->end && asked->first < written->first ? asked->first
								   : written->first,
	       last = asked->end > written->end ? asked->end : written->end;

	if (step_of_stage(s)->rows) {
		r->rows_per_sec = (double)sums.all[WRITTEN] / r->seconds;
		r->rows_worst_second = seconds_worst(written, first, last);
	}
	if (step_of_stage(s)->rate > 0) {
		r->queries_per_sec = (double)sums.all[ASKED] / r->seconds;
		r->queries_worst_second = seconds_worst(asked, first, last);
		r->storage_reads_per_query = r->usage.device_reads / r->ops;
		r->read_kb_per_query = r->usage.device_read_bytes / 1024 / r->ops;
		r->cpu_us_per_query = r->usage.cpu_s * 1e6 / r->ops;
		r->ctx_per_query = (r->usage.ctx_voluntary + r->usage.ctx_involuntary) /
				   r->ops;
	}
	r->index_check = shared->audited;
	if (shared->audited) {
		r->table_rows = (double)shared->count.rows;
		r->index_entries = (double)shared->count.entries;
	}
}

/* Statements a second that are due to a thread, the first after `phase` of a gap. */
static double ib_rate(const struct stage *s, unsigned number, double *phase)
{
	const struct ibstep *step = step_of_stage(s);
	unsigned role = number / s->threads;
	/* Half a gap lies between who inserts rows and who deletes as many. */
	double at = (double)(number % s->threads) / s->threads + (role == 2) * 0.5;

	*phase = at - floor(at);
	return role ? step->rate / step->rows : 0;
}

static const char *ib_refuse(const struct acts *acts, uint64_t num)
{
	static char why[STAGE_WHY];

	(void)acts;
	(void)num;
	if (!engine.fixed_size && engine.seek && engine.next && engine.prev)
		return NULL;
	snprintf(why, sizeof why,
		 "%s has no ordered scan of keys of several sizes, which indexes need",
		 engine.title);
	return why;
}

#define STEP(beside_it, ...)                                                             \
	{                                                                                \
		.acts =                                                                  \
			{                                                                \
				.options = ib_options,                                   \
				.records = PURCHASE_TABLES,                              \
				.form = IB_FORM,                                         \
				.key_size = PURCHASE_KEY_MOST,                           \
				.value_least = PURCHASE_VALUE_LEAST,                     \
				.value_most = PURCHASE_VALUE_MOST,                       \
				.draw_size = sizeof(struct statement),                   \
				.state_size = sizeof(struct ibstate),                    \
				.shared_size = sizeof(struct ibshared),                  \
				.beside = beside_it,                                     \
				.singly = true,                                          \
				.prepare = ib_prepare,                                   \
				.check = ib_check,                                       \
				.draw = ib_draw,                                         \
				.once = ib_once,                                         \
				.end = ib_end,                                           \
				.forget = ib_forget,                                     \
				.columns = ib_columns,                                   \
				.operations = ib_operations,                             \
				.rate = ib_rate,                                         \
				.refuse = ib_refuse,                                     \
			},                                                               \
		__VA_ARGS__                                                              \
	}
#define LOADS(rows, role) STEP(0, {role}, rows)
#define CHANGES(rows) STEP(1, {IB_INSERTER, IB_DELETER}, rows, .indexed = true)
#define QUERIES(role, rate) STEP(2, {role, IB_INSERTER, IB_DELETER}, 50, rate, true)

const struct ibstep insertbench_steps[CASTS] = {
	[IB_L_I0] = LOADS(100, IB_INSERTER),
	[IB_L_X] = LOADS(100, IB_INDEXER),
	[IB_L_I1] = CHANGES(50),
	[IB_L_I2] = CHANGES(5),
	[IB_CHECK] = STEP(0, {IB_AUDITOR}, 0),
	[IB_QR100] = QUERIES(IB_BY_RANGE, 100),
	[IB_QP100] = QUERIES(IB_BY_POINT, 100),
	[IB_QR500] = QUERIES(IB_BY_RANGE, 500),
	[IB_QP500] = QUERIES(IB_BY_POINT, 500),
	[IB_QR1000] = QUERIES(IB_BY_RANGE, 1000),
	[IB_QP1000] = QUERIES(IB_BY_POINT, 1000),
};

double insertbench_rest(const struct amounts *of, unsigned clients)
{
	double rows = (double)of->num * clients,
	       seconds = fmin(60 + rows / 1e6, 1200);

	return of->duration > 0 ? fmin(seconds, of->duration) : seconds;
}
