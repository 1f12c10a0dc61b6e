/* reader.c: see aside.h. */
#include "aside.h"

#include <math.h>
#include <stdatomic.h>
#include <time.h>

#include "place.h"

/* What was known of the run at some time. */
struct mark {
	uint64_t at; /* ticks */
	double ops, disk, anonymous;
};

/* Where a long reader is. */
struct reading {
	struct worker *w;
	struct stay *s;
	bool counts; /* the stretch began after the warm-up */
	struct mark since;
};

static struct mark mark_now(const struct worker *w)
{
	const struct phase *p = w->phase;
	struct mark m = {clock_ticks(w->clock), 0, place_disk(p->origin->place, NULL),
			 footprint_read().rss_anon_kb};

	for (unsigned i = 0; i < p->foreground; i++)
		m.ops += (double)atomic_load_explicit(&p->public[i].shown_ops,
						      memory_order_relaxed);
	return m;
}

static bool warming(const struct worker *w)
{
	return atomic_load_explicit(&w->phase->watch.warming, memory_order_relaxed);
}

/* What others ask of it, which it looks for wherever it waits. */
static void attend(struct worker *w)
{
	unsigned tick = atomic_load(&w->phase->watch.tick);

	if (w->warming && !warming(w))
		worker_start_over(w);
	/* It keeps its snapshot, but reads nothing while files are copied. */
	if (atomic_load(&w->phase->door.closed))
		worker_wait(w);
	if (tick != w->sampled)
		worker_show(w, tick);
}

static void begin_span(struct reading *r)
{
	r->counts = !warming(r->w);
	r->since = mark_now(r->w);
}

/* What grew since goes to one sum or the other. */
static void end_span(struct reading *r, struct stay_span *to)
{
	struct mark now = mark_now(r->w);

	if (!r->counts)
		return;
	to->seconds += (double)clock_ns(r->w->clock, now.at - r->since.at) / 1e9;
	to->ops += now.ops - r->since.ops;
	to->disk += now.disk - r->since.disk;
	to->anonymous += now.anonymous - r->since.anonymous;
}

/* Read one record, and compare it with what it was, unless it is the first time. */
static enum status read_one(struct reading *r, unsigned i, bool first)
{
	struct worker *w = r->w;
	const struct slice key = w->ask.slot[i].key;
	struct slice value;
	uint64_t begun;
	enum status status;
	bool there;
	record_lanes fold;

	attend(w);
	begun = clock_ticks(w->clock);
	status = w->engine->get(w->session, key, &value);
	there = status == DONE;
	fold = there ? record_fold(value.data, value.size) : (record_lanes){0, 0};
	if (!there && status != NOT_FOUND)
		return status;
	hist_record(&w->hist[KIND_READ], clock_ticks(w->clock) - begun);
	w->kind[KIND_READ]++;
	w->done++;
	w->seen.bytes += there ? value.size : 0;
	w->seen.missing += !there;
	w->seen.lost += !there && ask_must_find(&w->ask, w->ask.id[i]);
	if (there && w->verify)
		worker_check(w, w->ask.id[i], key, value);
	if (first) {
		r->s->fold[i] = fold;
		r->s->there[i] = there;
	} else if (there != r->s->there[i] || fold[0] != r->s->fold[i][0] ||
		   fold[1] != r->s->fold[i][1]) {
		r->s->changed++;
	}
	return DONE;
}

static enum status take_snapshot(struct reading *r)
{
	struct worker *w = r->w;
	enum status status = w->engine->snapshot(w->session);

	r->s->n = ask_next(&w->ask, w->ask.slots < STAY_LOOKED_AT ? w->ask.slots
								   : STAY_LOOKED_AT);
	for (unsigned i = 0; i < r->s->n && status == DONE; i++)
		status = read_one(r, i, true);
	return status;
}

static uint64_t ticks_of(const struct worker *w, double seconds)
{
	return (uint64_t)(seconds * 1e9 / clock_unit_ns(w->clock));
}

/* False if the others have ended first. */
static bool reader_rest(struct worker *w, uint64_t until)
{
	const atomic_bool *stop = &w->phase->watch.stop;
	const struct timespec nap = {0, 5000000};
	uint64_t soon = ticks_of(w, 0.01);

	w->ended_at = clock_ticks(w->clock);
	atomic_store_explicit(&w->watched.public->begun, w->done, memory_order_relaxed);
	atomic_store_explicit(&w->watched.public->shown_ops, w->done,
			      memory_order_relaxed);
	for (attend(w); !atomic_load(stop) && clock_ticks(w->clock) + soon < until;
	     attend(w))
		nanosleep(&nap, NULL);
	return pace_wait_until(&w->pace, until, stop);
}

/* Keep the snapshot for its time, reading through it a hundred times, or ten a second. */
static enum status hold(struct reading *r, uint64_t until)
{
	struct worker *w = r->w;
	uint64_t often = ticks_of(w, fmin(cfg->long_reader / 100, 0.1));
	uint64_t least = ticks_of(w, 0.001), pause = often > least ? often : least;
	enum status status = DONE;

	for (unsigned i = 0; status == DONE; i = (i + 1) % r->s->n) {
		uint64_t next = clock_ticks(w->clock) + pause;

		if (!reader_rest(w, next < until ? next : until))
			break;
		if (!r->counts && !warming(w))
			begin_span(r);
		status = read_one(r, i, false);
		if (clock_ticks(w->clock) >= until)
			break;
	}
	return status;
}

static void end_snapshot(struct worker *w)
{
	w->held = false;
	w->engine->release(w->session);
}

/* One snapshot, and what the engine and the run make of it. */
static enum status stay(struct reading *r)
{
	struct worker *w = r->w;
	struct stay *s = r->s;
	uint64_t until = clock_ticks(w->clock) + ticks_of(w, cfg->long_reader);
	enum status status = w->held ? DONE : take_snapshot(r);

	begin_span(r);
	if (status == DONE)
		status = hold(r, until);
	end_span(r, &s->held);
	s->snapshots += r->counts && status == DONE;
	s->taken_back += status == CONFLICT;
	end_snapshot(w);
	return status == CONFLICT ? DONE : status;
}

void stay_begin(struct worker *w)
{
	struct reading r = {.w = w, .s = &w->phase->stay};

	w->pace.clock = w->clock;
	w->status = take_snapshot(&r);
	w->held = w->status == DONE;
	if (w->status == CONFLICT)
		w->status = DONE;
	w->ended_at = clock_ticks(w->clock);
}

void stay_work(struct worker *w)
{
	struct reading r = {.w = w, .s = &w->phase->stay};

	w->began = clock_ticks(w->clock);
	while (w->status == DONE && !atomic_load_explicit(&w->phase->watch.stop,
							  memory_order_relaxed)) {
		w->status = stay(&r);
		if (w->status != DONE || !(cfg->long_reader_pause > 0))
			continue;
		begin_span(&r);
		reader_rest(w, clock_ticks(w->clock) +
				       ticks_of(w, cfg->long_reader_pause));
		end_span(&r, &r.s->paused);
	}
	w->ended_at = clock_ticks(w->clock);
}
