/* copier.c: see aside.h. */
#include "aside.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "../engines/drive.h"
#include "../util/census.h"
#include "../util/copy.h"
#include "../util/say.h"
#include "place.h"

/* ---- making one ---- */

/* The directory that the copy goes to, empty; what was there before is another copy. */
static enum status prepare_copy(const struct place *p, struct backup *b, char *why)
{
	char path[STORE_PATH], error[STORE_ERROR];

	*b = (struct backup){.copy = {.marker = -1}, .of_moment = NAN};
	if (engine.stores_nothing)
		return DONE;
	if (snprintf(path, sizeof path, "%s/backup", p->store.path) >= STORE_PATH)
		return because(why, FAILED, "the path of the backup would be too long");
	if (!store_make(&b->copy, path, engine.name, error) ||
	    !store_clear(&b->copy, error))
		return because(why, FAILED, "%s", error);
	return DONE;
}

/* What is known of the database is true of the copy. */
static enum status mark_copy(const struct place *p, struct backup *b, char *why)
{
	char error[STORE_ERROR];
	double disk;

	if (engine.stores_nothing)
		return DONE;
	b->copy.facts = p->store.facts;
	b->copy.facts.unfinished = 0;
	b->copy.facts.complete = p->complete;
	store_size(&b->copy, &b->bytes, &disk);
	return store_note(&b->copy, error) ? DONE : because(why, FAILED, "%s", error);
}

/* Nobody is at work, and nothing goes on by itself once it has settled. */
static enum status copy_files(const struct place *p, const struct backup *b, char *why)
{
	char error[COPY_ERROR];
	enum status status = drive_settle(&engine, p->db, why);

	if (status != DONE)
		return status;
	return copy_tree(p->store.data, b->copy.data, error)
		       ? DONE
		       : because(why, FAILED, "%s", error);
}

/* UNSUPPORTED: the engine has no hot backup, or not as it is open. */
static enum status copy_by_engine(const struct place *p, struct backup *b, char *why)
{
	b->by = engine.stores_nothing ? BACKUP_BY_NOTHING : engine.backup_by;
	if (engine.stores_nothing)
		return DONE;
	return engine.backup ? engine.backup(p->db, b->copy.data, why) : UNSUPPORTED;
}

/* ---- beside others ---- */

/* What the threads have shown, and what they may have begun besides. */
static uint64_t ops_shown(const struct phase *p, unsigned i)
{
	return atomic_load(&p->public[i].shown_ops);
}

static uint64_t ops_begun(const struct phase *p, unsigned i)
{
	return atomic_load(&p->public[i].begun) + p->workers[i].ask.slots;
}

static void note_progress(const struct phase *p, uint64_t *to,
			  uint64_t (*of)(const struct phase *, unsigned))
{
	for (unsigned i = 0; i < p->foreground; i++)
		to[i] = of(p, i);
}

/* Operations of all threads asked for. */
static double all_ops(const struct phase *p)
{
	double all = 0;

	for (unsigned i = 0; i < p->foreground; i++)
		all += (double)ops_shown(p, i);
	return all;
}

/* Behind a closed door no operation is under way. */
static enum status copy_alone(struct worker *w, double before, char *why)
{
	struct phase *p = w->phase;
	struct backup *b = &p->backup;
	enum status status;

	b->by = BACKUP_BY_FILES;
	worker_close_door(w);
	note_progress(p, b->before, ops_shown);
	note_progress(p, b->after, ops_shown);
	status = copy_files(p->origin->place, b, why);
	/* Nobody has gone on. */
	b->ops = all_ops(p) - before;
	worker_open_door(w);
	return status;
}

static enum status copier_make(struct worker *w)
{
	struct phase *p = w->phase;
	struct backup *b = &p->backup;
	const struct place *place = p->origin->place;
	double before = all_ops(p);
	enum status status;

	note_progress(p, b->before, ops_shown);
	b->began = clock_ticks(w->clock);
	status = copy_by_engine(place, b, w->why);
	b->ended = clock_ticks(w->clock);
	note_progress(p, b->after, ops_begun);
	b->ops = all_ops(p) - before;
	if (status == UNSUPPORTED) {
		status = copy_alone(w, before, w->why);
		b->ended = clock_ticks(w->clock);
	}
	return status == DONE ? mark_copy(place, b, w->why) : status;
}

/* False if the others have ended first. */
static bool copier_wait(struct worker *w)
{
	const atomic_bool *warming = &w->phase->watch.warming;
	uint64_t after = (uint64_t)(cfg->backup * 1e9 / clock_unit_ns(w->clock));
	uint64_t soon = (uint64_t)(1e6 / clock_unit_ns(w->clock));

	w->pace.clock = w->clock;
	while (atomic_load(warming))
		if (!pace_wait_until(&w->pace, clock_ticks(w->clock) + soon,
				     &w->phase->watch.stop))
			return false;
	return pace_wait_until(&w->pace, w->phase->began.ticks + after,
			       &w->phase->watch.stop);
}

void backup_work(struct worker *w)
{
	struct backup *b = &w->phase->backup;

	w->began = w->ended_at = clock_ticks(w->clock);
	if (w->status != DONE || !copier_wait(w))
		return;
	w->status = copier_make(w);
	b->made = w->status == DONE;
	w->began = b->began;
	w->ended_at = b->ended;
	w->done = b->made;
	w->seen.bytes = (uint64_t)b->bytes;
}

/* ---- reading one ---- */

/* A database, read from its first record to its last. */
struct contents {
	const struct phase *p;
	double records, wrong;
	record_lanes digest;
	uint64_t *generation; /* of each record below num; NULL: not wanted */
	char *scratch;        /* NULL: bytes are not looked at */
};

enum { NOT_THERE = -1 }; /* as a generation */

static void enter_record(struct contents *c, struct slice key, struct slice value)
{
	const struct ask_shared *asked = &c->p->ask;
	uint64_t id = key.size == asked->key_size
			      ? record_id(key.data, key.size, asked->form)
			      : UINT64_MAX;

	c->records++;
	c->digest += record_fold(key.data, key.size) +
		     record_fold(value.data, value.size);
	if (c->scratch)
		c->wrong += id == UINT64_MAX ||
			    !record_check(&asked->sizes, value.data, value.size,
					  config_ratio(), id, c->scratch);
	if (c->generation && id < asked->num)
		c->generation[id] = c->p->load->fresh
					    ? 0
					    : record_generation(value.data, value.size,
								config_ratio(), id);
}

static enum status read_session(struct contents *c, struct session *s)
{
	struct slice key = {NULL, 0}, value = {NULL, 0};
	enum status status = engine.seek(s, (struct slice){NULL, 0}, &key, &value);

	for (; status == DONE; status = engine.next(s, &key, &value))
		enter_record(c, key, value);
	return status == NOT_FOUND ? DONE : status;
}

static enum status read_db(struct contents *c, const struct settings *s, struct db *db,
			   char *why)
{
	struct session *session = drive_attach(&engine, s, db, why);
	enum status status = session ? read_session(c, session) : FAILED;

	if (session)
		drive_detach(&engine, session);
	return status;
}

static struct contents contents_of(const struct phase *p, bool generations)
{
	struct contents c = {.p = p};

	if (cfg->verify && !p->load->cast)
		c.scratch = say_alloc(1, p->ask.sizes.most);
	if (generations) {
		c.generation = say_alloc(p->ask.num, sizeof *c.generation);
		memset(c.generation, NOT_THERE, p->ask.num * sizeof *c.generation);
	}
	return c;
}

static enum status read_copy(struct contents *c, const struct backup *b, char *why)
{
	struct settings s = *c->p->settings;
	struct db *db;
	char ignored[WHY_SIZE];
	enum status status;

	s.path = b->copy.data;
	s.create = false;
	status = drive_open(&engine, &s, &db, why);
	if (status != DONE)
		return status;
	status = read_db(c, &s, db, why);
	drive_close(&engine, db, ignored);
	return status;
}

/* ---- is it of one moment? ---- */

/*
 * Can it be told what each thread has written when? A warm-up is not counted, and a short
 * value does not say who wrote it.
 */
static bool follows(const struct phase *p)
{
	const struct workload *load = p->load;

	return cfg->verify && !(cfg->warmup > 0) && !load->beside && !*cfg->record &&
	       load->asks == ASKS_DEALT &&
	       (load->weight[OP_PUT] || load->weight[OP_APPEND]) &&
	       step_writes(step_of[p->workers[0].ask.only]) &&
	       p->workers[0].ask.uniform && p->ask.num == p->ask.first_new &&
	       (load->fresh || p->ask.sizes.least > RECORD_HEADER);
}

/* What the writes of all threads have left in the copy. */
struct moment {
	const struct phase *p;
	const uint64_t *base, *copy; /* generations; of a load base is NULL */
	/*
	 * Of a load: writes of each record, up to 2. Otherwise whether one of them made
	 * of it again what it was before.
	 */
	unsigned char *drawn;
	uint64_t required;           /* writes of this thread that must be in it */
	bool holes;                  /* one of those is not */
};

/* A thread's write number `nth`, of the record `id` at a generation. */
struct event {
	uint64_t thread, nth, id, generation;
};

/* The copy can have this record from no other write. */
static bool is_in(const struct moment *m, const struct event *e)
{
	if (m->copy[e->id] != e->generation)
		return false;
	return m->base ? !m->drawn[e->id] : m->drawn[e->id] < 2;
}

/* The copy has of this record only what was written before this. */
static bool is_missing(const struct moment *m, const struct event *e)
{
	uint64_t there = m->copy[e->id];

	if (!m->base || there == UINT64_MAX)
		return there == UINT64_MAX;
	return (there == m->base[e->id] && !m->drawn[e->id]) ||
	       (there >> 40 == e->thread + 1 && there < e->generation);
}

static void count_draw(struct moment *m, const struct event *e)
{
	if (m->base)
		m->drawn[e->id] |= m->base[e->id] == e->generation;
	else
		m->drawn[e->id] = (unsigned char)(m->drawn[e->id] +
						  (m->drawn[e->id] < 2));
}

static void find_last(struct moment *m, const struct event *e)
{
	if (e->nth >= m->required && is_in(m, e))
		m->required = e->nth + 1;
}

static void find_hole(struct moment *m, const struct event *e)
{
	m->holes |= e->nth < m->required && is_missing(m, e);
}

/* All that a thread has written, again. */
static void replay(struct moment *m, unsigned thread,
		   void (*see_it)(struct moment *, const struct event *))
{
	const struct phase *p = m->p;
	struct random stream = random_seed(cfg->seed, p->seed_name);
	struct event e = {.thread = thread};
	struct ask a;

	for (unsigned i = 0; i < thread; i++)
		random_jump(&stream);
	ask_start(&a, &p->ask, p->load, thread, &stream, NULL, 0);
	for (uint64_t left = p->workers[thread].done; left;) {
		uint64_t first = a.generation;
		unsigned n = ask_deal(&a, left < a.slots ? (unsigned)left : a.slots);

		for (unsigned i = 0; i < n; i++, e.nth++) {
			e.id = a.id[i];
			e.generation = first ? first + i : 0;
			see_it(m, &e);
		}
		left -= n;
	}
	census_end(&a.census);
	ask_end(&a);
}

/*
 * Each thread's writes are in the copy up to one of them, which is none before those that
 * were acknowledged when it began, and none after those that had begun when it ended.
 */
static bool is_of_moment(const struct phase *p, const uint64_t *copy)
{
	const struct backup *b = &p->backup;
	struct moment m = {.p = p, .base = b->base, .copy = copy};
	bool good = true;

	m.drawn = say_alloc(p->ask.num, 1);
	for (unsigned i = 0; i < p->foreground; i++)
		replay(&m, i, count_draw);
	for (unsigned i = 0; i < p->foreground; i++) {
		m.required = b->before[i];
		replay(&m, i, find_last);
		replay(&m, i, find_hole);
		good &= !m.holes && m.required <= b->after[i];
	}
	free(m.drawn);
	return good;
}

/* ---- all of it ---- */

void backup_begin(struct worker *w)
{
	struct phase *p = w->phase;
	struct backup *b = &p->backup;
	struct contents c;

	w->status = prepare_copy(p->origin->place, b, w->why);
	b->before = say_alloc(p->foreground, sizeof *b->before);
	b->after = say_alloc(p->foreground, sizeof *b->after);
	if (w->status != DONE || p->load->fresh || !follows(p) || engine.stores_nothing)
		return;
	c = contents_of(p, true);
	w->status = read_session(&c, w->session);
	b->base = c.generation;
	free(c.scratch);
	if (engine.release)
		engine.release(w->session);
}

static void close_backup(struct backup *b)
{
	store_close(&b->copy);
	free(b->before);
	free(b->after);
	free(b->base);
}

/* The last worker that makes one, or NULL. */
static struct worker *maker(const struct phase *p)
{
	struct worker *w = &p->workers[p->count - 1];

	return w->ask.role->aside == ASIDE_BACKUP ? w : NULL;
}

void backup_check(struct phase *p)
{
	struct backup *b = &p->backup;
	struct worker *w = maker(p);
	struct contents c;
	bool failed = false;

	if (!w)
		return;
	for (unsigned i = 0; i < p->count; i++)
		failed |= p->workers[i].status != DONE;
	if (b->made && !failed && !engine.stores_nothing) {
		c = contents_of(p, follows(p));
		w->status = read_copy(&c, b, w->why);
		b->records = c.records;
		b->wrong = c.wrong;
		b->digest = c.digest;
		if (w->status == DONE && follows(p))
			b->of_moment = is_of_moment(p, c.generation);
		free(c.generation);
		free(c.scratch);
	}
	close_backup(b);
}

bool backup_prepare(struct phase *p)
{
	char why[WHY_SIZE];
	bool ready = prepare_copy(p->origin->place, &p->backup, why) == DONE;

	if (!ready)
		failure_note(&p->origin->place->failure, "backup", why);
	return ready;
}

enum status backup_alone(struct phase *p, char *why)
{
	const struct place *place = p->origin->place;
	struct backup *b = &p->backup;
	enum status status = copy_by_engine(place, b, why);

	if (status == UNSUPPORTED) {
		b->by = BACKUP_BY_FILES;
		status = copy_files(place, b, why);
	}
	return status == DONE ? mark_copy(place, b, why) : status;
}

void backup_compare(struct phase *p)
{
	struct worker *w = &p->workers[0];
	struct backup *b = &p->backup;
	struct contents there = contents_of(p, false), copy = contents_of(p, false);

	b->began = w->began;
	b->ended = w->ended_at;
	b->made = w->status == DONE;
	if (b->made && !engine.stores_nothing) {
		w->seen.bytes = (uint64_t)b->bytes;
		w->status = read_db(&there, p->settings, p->db, w->why);
		if (w->status == DONE)
			w->status = read_copy(&copy, b, w->why);
		b->records = copy.records;
		b->wrong = copy.wrong;
		b->digest = copy.digest;
		b->of_moment = record_digest(copy.digest) == record_digest(there.digest);
	}
	free(there.scratch);
	free(copy.scratch);
	close_backup(b);
}
