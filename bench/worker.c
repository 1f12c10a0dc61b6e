/*
 * worker.c: what a thread begins with, and gives back; see worker.h. Nothing here is
 * timed.
 */
#include "worker.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../util/guard.h"
#include "../util/say.h"
#include "cast.h"
#include "graph.h"
#include "recorder.h"
#include "replay.h"

static unsigned (*const questions[ASKS])(struct ask *, unsigned) = {
	[ASKS_DEALT] = ask_deal,
	[ASKS_GRAPH] = graph_next,
	[ASKS_TRACE] = replay_next,
};

/* Keys in one multi-get. */
static unsigned group_size(const struct phase *p)
{
	return p->settings->multiget < p->batch ? p->settings->multiget
						: (unsigned)p->batch;
}

/* Does the rate follow a sine? Of so many threads each has its part of it. */
static bool on_sine(const struct workload *role, double threads, struct pace_sine *sine)
{
	bool graph = role->asks == ASKS_GRAPH;

	*sine = (struct pace_sine){
		.a = cfg->sine_a / threads,
		.b = cfg->sine_b,
		.c = cfg->sine_c,
		.d = cfg->sine_d / threads,
		.interval = (double)cfg->sine_interval_ms / 1e3,
		.noise = cfg->sine_noise,
	};
	return graph ? cfg->sine_mix_rate
		     : cfg->sine_write_rate && workload_writes(role) &&
			       !workload_reads(role);
}

/* Is the thread's work due at certain times, and how many a second? */
static void make_pace(struct worker *w, bool extra)
{
	const struct phase *p = w->phase;
	const struct workload *role = w->ask.role;
	const struct acts *acts = cast_of(role);
	uint64_t own = role->aside == ASIDE_PROBE ? cfg->probe_rate
		       : role->aside		  ? 0
		       : workload_reads(role)	  ? cfg->read_rate
						  : cfg->write_rate;
	/* --rate is the total of the threads asked for; a background thread has its own
	 * only. */
	uint64_t rate = own ? own : extra ? 0 : cfg->rate;
	double threads = extra ? 1 : p->foreground;
	double per_thread = (double)rate / threads;
	double phase = role->aside ? 0 : (double)w->ask.number / p->foreground;
	bool poisson = cfg->arrivals == ARRIVALS_POISSON, sines;
	struct random stream = ask_stream(&w->ask, "arrivals");
	struct pace_sine sine;

	if (acts && acts->rate)
		per_thread = acts->rate(&p->stage, w->ask.number, &phase);
	/* Groups are as far apart as they are due; Poisson singles anyway. */
	phase *= w->grouped ? group_size(p) : poisson ? 0 : 1;
	sines = on_sine(role, threads, &sine);
	w->paced = (per_thread > 0 || sines) && !p->floor && !role->special;
	if (!w->paced)
		return;
	w->pace = sines ? pace_start_sine(w->clock, 0, &sine, poisson, phase, stream)
			: pace_start(w->clock, 0, per_thread, poisson, phase, stream);
}

/* What it asks comes from a trace, and at its times if it is to. */
static void make_replay(struct worker *w)
{
	struct phase *p = w->phase;
	bool real = !p->floor, timed = real && cfg->speed > 0;

	w->paced |= timed;
	replay_start(&w->ask, &(struct replay_terms){.feed = &p->feed,
						     .threads = p->foreground,
						     .calibrates = !real,
						     .stop = &p->watch.stop,
						     .pace = timed ? &w->pace : NULL,
						     .clock = w->clock});
}

/* Zeroed counters of a thread. */
static struct counters *begin_counters(const struct phase *p, unsigned number)
{
	if (!p->counters)
		return say_alloc(1, sizeof *p->counters);
	memset(&p->counters[number], 0, sizeof p->counters[number]);
	return &p->counters[number];
}

static void end_counters(struct counters *counters)
{
	if (!cfg->memory)
		free(counters);
}

/* Buffers for what is done with the slots. */
static void make_buffers(struct worker *w)
{
	unsigned slots = w->ask.slots;

	w->limit = w->grouped ? slots : 1; /* until it is known how long a call takes */
	if (w->grouped) {
		w->group = say_alloc(slots, sizeof *w->group);
		w->answers = say_alloc(slots, sizeof *w->answers);
		for (unsigned i = 0; i < slots; i++)
			w->group[i] = w->ask.slot[i].key;
	}
	if (w->paced) {
		w->due = say_alloc_apart(slots * sizeof *w->due);
		w->response = say_alloc_apart(slots * sizeof *w->response);
	}
	w->scratch = w->verify ? say_alloc_apart(w->phase->settings->value_size) : NULL;
}

/* Several threads do not append in order, nor does one whose keys are hashed. */
static enum status (*append_of(const struct worker *w))(struct session *, struct slice,
							struct slice)
{
	const struct engine *e = w->engine;

	if (w->txn.bulk && e->bulk_put)
		return e->bulk_put;
	return w->phase->foreground == 1 && e->append && cfg->key_format != KEYS_USER
		       ? e->append
		       : e->put;
}

static void make_counts(struct worker *w)
{
	w->hist = w->counters->hist;
	w->responses = w->counters->responses;
	w->late = &w->counters->late;
	w->late->unit = clock_unit_ns(w->clock);
	for (int k = 0; k < KINDS; k++)
		w->hist[k].unit = w->responses[k].unit = clock_unit_ns(w->clock);
	w->last_id = UINT64_MAX;
	w->lasts = (uint64_t)(cfg->duration * 1e9 / clock_unit_ns(w->clock));
	w->report_every = cfg->stats_interval;
	w->next_report = w->report_every ? w->report_every : UINT64_MAX;
}

struct counters *worker_share_counters(unsigned threads)
{
	struct counters *counters = guard_memory(threads * sizeof *counters);

	if (!counters)
		die(1, "out of memory");
	memset(counters, 0, threads * sizeof *counters);
	return counters;
}

void worker_make(struct worker *w, struct phase *p, unsigned number,
		 const struct random *stream)
{
	bool extra = number >= p->foreground;
	/* Those beside actors are actors, too. */
	unsigned own = cast_threads(p->load, p->foreground);
	const struct workload *beside = number >= own ? p->aside[number - own]
					: extra	      ? workload_beside(p->load)
						      : NULL,
			      *role = beside ? beside : p->load;

	memset(w, 0, sizeof *w);
	w->phase = p;
	w->engine = p->engine;
	w->clock = p->origin->clock;
	w->counters = begin_counters(p, number);
	w->watched.public = &p->public[number];
	w->watched.last = &w->counters->last;
	w->watched.role = beside ? role->name : NULL;
	w->watched.silent = role->aside == ASIDE_BACKUP;
	memset(w->watched.public, 0, sizeof *w->watched.public);
	w->warming = atomic_load(&p->watch.warming);
	w->watched.public->counts = !w->warming;
	w->latency = cfg->latency;
	/* What casts write, they check themselves. */
	w->verify = p->settings->verify && !(extra && p->load->cast);
	w->touch = (enum touch)cfg->touch;
	w->grouped = p->grouped && !extra;
	w->txn.bulk = p->bulk && !extra;
	w->txn.size = extra || w->grouped ? 1 : p->batch;
	w->txn.alone = w->txn.size == 1 && !w->txn.bulk;
	w->txn.times = &w->counters->open;
	/* A group and an iteration are each in one snapshot anyway. */
	w->txn_reads = workload_reads(role) && !w->grouped && !role->weight[OP_NEXT] &&
				  !role->aside && !role->weight[OP_ACT]
			  ? p->txn_reads
			  : 0;
	ask_start(&w->ask, &p->ask, role, number, stream, w->counters->census,
		  w->grouped ? group_size(p) : role->cast && cast_of(role)->singly);
	w->ask.next = questions[role->asks];
	w->append = append_of(w);
	w->onward = role->reverse ? w->engine->prev : w->engine->next;
	make_pace(w, extra);
	w->backoff.random = ask_stream(&w->ask, "backoff");
	if (role->asks == ASKS_TRACE)
		make_replay(w);
	make_buffers(w);
	make_counts(w);
	if (role->weight[OP_ACT])
		worker_make_actor(w, stream);
	w->recorder = p->floor ? NULL : recorder_start(role, number);
	w->planned = w->todo = w->ask.todo;
	if (w->warming)
		w->todo = UINT64_MAX;
}

void worker_free(struct worker *w)
{
	replay_end(&w->ask);
	recorder_free(w->recorder);
	ask_end(&w->ask);
	end_counters(w->counters);
	free(w->due);
	free(w->response);
	free(w->group);
	free(w->answers);
	free(w->scratch);
	actor_free(w->actor);
	free(w->draws);
}

void worker_show(struct worker *w, unsigned tick)
{
	struct sample *sample = w->watched.sample;

	if (!sample || w->warming)
		return;
	/* Who has ended has no other turn to try in. */
	if (w->leaving)
		pthread_mutex_lock(&sample->lock);
	else if (pthread_mutex_trylock(&sample->lock))
		return;
	for (int k = 0; k < KINDS; k++)
		if (w->kind[k])
			sample->hist[k] = w->paced ? w->responses[k] : w->hist[k];
	memcpy(sample->kind, w->kind, sizeof w->kind);
	sample->ops = w->done;
	w->sampled = sample->tick = tick;
	pthread_mutex_unlock(&sample->lock);
}

void worker_begin_at(struct worker *w, uint64_t ticks)
{
	bool ends = w->phase->timed && !w->ask.beside && !w->warming;

	w->began = ticks;
	w->until = ends ? ticks + w->lasts : UINT64_MAX;
}

void worker_start_over(struct worker *w)
{
	w->warming = false;
	for (int k = 0; k < KINDS; k++) {
		double unit = w->hist[k].unit;

		w->watched.public->shown[k] = 0;
		memset(&w->hist[k], 0, sizeof w->hist[k]);
		w->hist[k].unit = unit;
		if (w->paced) {
			memset(&w->responses[k], 0, sizeof w->responses[k]);
			w->responses[k].unit = unit;
		}
		w->kind[k] = 0;
	}
	memset(w->late, 0, sizeof *w->late);
	w->late->unit = w->hist->unit;
	ask_forget_counts(&w->ask);
	if (w->actor)
		actor_forget(w->actor);
	w->seen = (struct seen){0};
	w->done = w->wrong = w->disordered = w->entries = w->deletes = 0;
	w->conflicts = w->retries = w->undone = 0;
	w->gap = 0;
	w->cpu_before = usage_thread_cpu();
	w->reported = 0;
	w->reported_seconds = 0;
	w->next_report = w->report_every ? w->report_every : UINT64_MAX;
	w->todo = w->planned;
	w->scanning = false;
	worker_begin_at(w, w->phase->began.ticks);
	if (w->ended_at < w->began)
		w->ended_at = w->began;
	w->watched.public->shown_ops = 0;
	atomic_store_explicit(&w->watched.public->counts, true, memory_order_release);
	/*
	 * A batch begun in the warm-up ends in the figures; its first part is not among
	 * them.
	 */
	txn_drop(&w->txn);
	w->txn.carried |= w->txn.pending > 0;
	w->txn.pending = w->txn.commits = 0;
	w->mark.seen = w->seen;
}

void worker_wait(struct worker *w)
{
	struct door *d = &w->phase->door;
	uint64_t since = w->ended_at;

	pthread_mutex_lock(&d->lock);
	d->waiting++;
	while (atomic_load(&d->closed))
		pthread_cond_wait(&d->opened, &d->lock);
	d->waiting--;
	pthread_mutex_unlock(&d->lock);
	/* It is part of the run, as a call would be that took so long. */
	w->ended_at = clock_ticks(w->clock);
	if (!w->paced && w->ended_at - since > w->gap)
		w->gap = w->ended_at - since;
}

/* Do all but this one wait, or have they ended? */
static bool all_wait(struct worker *w)
{
	struct phase *p = w->phase;
	unsigned busy = p->count - 1;

	pthread_mutex_lock(&p->door.lock);
	for (unsigned i = 0; i < p->count; i++)
		busy -= &p->workers[i] != w &&
			atomic_load(&p->workers[i].watched.finished);
	busy -= p->door.waiting;
	pthread_mutex_unlock(&p->door.lock);
	return !busy;
}

void worker_close_door(struct worker *w)
{
	const struct timespec soon = {0, 500000};
	struct phase *p = w->phase;

	atomic_store(&p->door.closed, true);
	while (!all_wait(w)) {
		/* Whoever has not yet looked ends its turn, and looks. */
		atomic_fetch_add(&p->watch.tick, 1);
		for (unsigned i = 0; i < p->count; i++)
			atomic_store_explicit(&p->workers[i].watched.turn_end, NULL,
					      memory_order_relaxed);
		nanosleep(&soon, NULL);
	}
}

void worker_open_door(struct worker *w)
{
	struct door *d = &w->phase->door;

	pthread_mutex_lock(&d->lock);
	atomic_store(&d->closed, false);
	pthread_cond_broadcast(&d->opened);
	pthread_mutex_unlock(&d->lock);
}
