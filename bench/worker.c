/*
 * worker.c: what a thread begins with, and gives back; see worker.h. Nothing here is
 * timed.
 */
#include "worker.h"

#include <stdlib.h>
#include <string.h>

#include "../util/guard.h"
#include "../util/say.h"

/* Keys in one multi-get. */
static unsigned group_size(const struct phase *p)
{
	return p->settings->multiget < p->batch ? p->settings->multiget
						: (unsigned)p->batch;
}

/* Is the thread's work due at certain times, and how many a second? */
static void make_pace(struct worker *w, bool extra)
{
	const struct phase *p = w->phase;
	uint64_t own = workload_reads(w->ask.role) ? cfg->read_rate : cfg->write_rate;
	/* --rate is the total of the threads asked for; one beside them is held back by
	 * its own only. */
	uint64_t rate = own ? own : extra ? 0 : cfg->rate;
	double per_thread = (double)rate / (extra ? 1 : p->foreground);
	double phase = (double)w->ask.number / p->foreground;

	if (w->ask.role->acts && w->ask.role->acts->rate)
		per_thread = w->ask.role->acts->rate(&p->stage, w->ask.number, &phase);
	w->paced = per_thread > 0 && !p->floor && !w->ask.role->special;
	if (w->paced)
		w->pace = pace_start(w->clock, 0, per_thread,
				     cfg->arrivals == ARRIVALS_POISSON, phase,
				     ask_stream(&w->ask, "arrivals"));
}

/* All zero. */
static struct books *begin_books(const struct phase *p, unsigned number)
{
	if (!p->books)
		return say_alloc(1, sizeof *p->books);
	memset(&p->books[number], 0, sizeof p->books[number]);
	return &p->books[number];
}

static void end_books(struct books *books)
{
	if (!cfg->memory)
		free(books);
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
	w->hist = w->books->hist;
	w->responses = w->books->responses;
	for (int k = 0; k < KINDS; k++)
		w->hist[k].unit = w->responses[k].unit = clock_unit_ns(w->clock);
	w->last_id = UINT64_MAX;
	w->lasts = (uint64_t)(cfg->duration * 1e9 / clock_unit_ns(w->clock));
	w->report_every = cfg->stats_interval;
	w->next_report = w->report_every ? w->report_every : UINT64_MAX;
}

struct books *worker_share_books(unsigned threads)
{
	struct books *books = guard_memory(threads * sizeof *books);

	if (!books)
		die(1, "out of memory");
	memset(books, 0, threads * sizeof *books);
	return books;
}

void worker_make(struct worker *w, struct phase *p, unsigned number,
		 const struct random *stream)
{
	bool extra = number >= p->foreground;
	/* Those beside actors are actors, too. */
	const struct workload *beside = extra ? workload_beside(p->load) : NULL,
			      *role = beside ? beside : p->load;

	memset(w, 0, sizeof *w);
	w->phase = p;
	w->engine = p->engine;
	w->clock = p->origin->clock;
	w->books = begin_books(p, number);
	w->watched.vital = &p->vital[number];
	w->watched.last = &w->books->last;
	w->watched.role = beside ? role->name : NULL;
	memset(w->watched.vital, 0, sizeof *w->watched.vital);
	w->warming = atomic_load(&p->watch.warming);
	w->watched.vital->counts = !w->warming;
	w->latency = cfg->latency;
	w->verify = p->settings->verify;
	w->touch = (enum touch)cfg->touch;
	w->grouped = p->grouped && !extra;
	w->txn.bulk = p->bulk && !extra;
	w->txn.size = extra || w->grouped ? 1 : p->batch;
	w->txn.alone = w->txn.size == 1 && !w->txn.bulk;
	w->txn.times = &w->books->open;
	/* A group and an iteration are each in one view anyway. */
	w->view = workload_reads(role) && !w->grouped && !role->weight[OP_NEXT] &&
				  !role->weight[OP_ACT]
			  ? p->view
			  : 0;
	ask_start(&w->ask, &p->ask, role, number, stream, w->books->census,
		  w->grouped ? group_size(p) : role->acts && role->acts->singly);
	w->append = append_of(w);
	w->onward = role->reverse ? w->engine->prev : w->engine->next;
	make_pace(w, extra);
	w->backoff.random = ask_stream(&w->ask, "backoff");
	make_buffers(w);
	make_counts(w);
	if (role->weight[OP_ACT])
		worker_make_actor(w, stream);
	w->planned = w->todo = w->ask.todo;
	if (w->warming)
		w->todo = UINT64_MAX;
}

void worker_free(struct worker *w)
{
	ask_end(&w->ask);
	end_books(w->books);
	free(w->due);
	free(w->response);
	free(w->group);
	free(w->answers);
	free(w->scratch);
	actor_free(w->actor);
	free(w->draws);
}
