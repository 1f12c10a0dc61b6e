/*
 * phase.c: what the threads of one benchmark share, and where its figures begin and end;
 * see worker.h. Nothing here is timed.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../util/say.h"
#include "../util/store.h"
#include "cast.h"
#include "place.h"
#include "replay.h"
#include "worker.h"

/* What its threads ask, in common. */
static void set_questions(struct phase *p, struct place *place)
{
	const struct workload *load = p->load;

	p->ask.scan_lengths = plan_scan_lengths(load);
	p->ask.load = load;
	p->ask.num = cast_records(load, cfg->num);
	p->ask.first_new = place->next_new;
	p->ask.todo = p->timed ? UINT64_MAX : plan_operations(load);
	p->ask.timed = p->timed;
	p->ask.threads = p->foreground;
	p->ask.count = cast_threads(load, p->foreground);
	p->ask.transacts = cfg->txn && p->engine->transactions && load->weight[OP_MODIFY];
	p->ask.form = place_key_form(&place->settings);
	p->ask.key_size = place->settings.key_size;
	p->ask.sizes = place->sizes;
	p->ask.permutation = permutation_make(p->ask.num, cfg->seed + p->entry->age);
	p->ask.growth = p->crew->growth;
	p->ask.complete = place->complete;
	/* Deleting at random with replacement meets what it has deleted itself. */
	p->ask.must_find = (place->complete && !load->fresh && load->keys != ABSENT &&
			    load->asks != ASKS_TRACE &&
			    !(load->deletes && load->keys == RANDOM)) ||
			   load->queue;
}

void phase_make(struct phase *p, const struct crew *crew, const struct entry *e)
{
	const struct workload *load = e->load;
	struct place *place = crew->origin->place;

	memset(p, 0, sizeof *p);
	p->crew = crew;
	p->origin = crew->origin;
	p->public = crew->public;
	p->counters = crew->counters;
	p->load = load;
	p->entry = e;
	p->engine = crew->engine;
	p->db = place->db;
	p->settings = &place->settings;
	/* A repetition asks for other records, and for the same ones of every engine. */
	snprintf(p->seed_name, sizeof p->seed_name,
		 e->warm	 ? "%s warm %u"
		 : e->repeat > 1 ? "%s %u"
				 : "%s",
		 load->name, e->repeat);
	p->foreground = e->threads;
	p->count = cast_threads(load, e->threads) + plan_asides(load, p->aside);
	p->bulk = load->bulk && p->engine->bulk_begin;
	p->grouped = load->weight[OP_MULTIGET] > 0;
	p->batch = load->batched && !p->bulk && (p->grouped || p->engine->begin)
			   ? plan_batch(load)
			   : 1;
	p->timed = cfg->duration > 0 && !cast_ends(load);
	p->txn_reads = cfg->txn_reads > 1 && p->engine->snapshot && workload_reads(load)
			  ? cfg->txn_reads
			  : 0;
	set_questions(p, place);
	place->oracle.records = workload_grows(load) || load->queue ? UINT64_MAX / 2
								    : p->ask.num;
	phase_set_stage(p);
	p->disk = NAN;
	pthread_mutex_init(&p->door.lock, NULL);
	pthread_cond_init(&p->door.opened, NULL);
	p->in_memory = NAN;
	atomic_init(&p->watch.warming, cfg->warmup > 0 && !cast_ends(load));
}

uint64_t phase_planned(const struct phase *p)
{
	if (p->load->whole)
		return cfg->num * p->foreground;
	return p->ask.todo == UINT64_MAX
		       ? p->ask.todo
		       : p->ask.todo * (p->load->shared ? 1 : p->foreground);
}

void phase_begin_figures(void *owner)
{
	struct phase *p = owner;

	usage_reset_peak();
	p->nand = place_nand(p->origin->place);
	p->disk_before = place_disk(p->origin->place, NULL);
	if (cfg->memory)
		cgroup_reset_peak(p->crew->group);
	p->remote_before = place_remote(p->origin->place);
	p->host_before = host_state();
	/* Reading a trace is the harness's work, as main()'s is. */
	p->main_cpu = usage_thread_cpu() + replay_cpu(p->feed);
	p->before = usage_read();
	p->began = clock_pair_now(p->origin->clock);
	watch_begin(&p->watch, &p->before);
}

void phase_end_figures(struct phase *p)
{
	p->ended = clock_pair_now(p->origin->clock);
	p->after = usage_read();
	p->spent = usage_since(&p->before, &p->after);
	p->footprint = footprint_read();
	p->nand = place_nand(p->origin->place) - p->nand;
	p->group = cgroup_usage(p->crew->group);
	p->main_cpu = usage_thread_cpu() + replay_cpu(p->feed) - p->main_cpu;
	p->host_after = host_state();
	p->remote = place_remote(p->origin->place);
	p->disk = place_disk(p->origin->place, NULL);
	if (place_storage(p->origin->place) && !*cfg->device)
		p->in_memory = store_in_memory(&p->origin->place->store);
}

static struct sample *sample_of(void *owner, unsigned thread)
{
	return &((struct phase *)owner)->workers[thread].counters->sample;
}

void phase_start_watch(struct phase *p)
{
	struct watch *w = &p->watch;

	p->threads = say_alloc(p->count, sizeof *p->threads);
	for (unsigned i = 0; i < p->count; i++)
		p->threads[i] = &p->workers[i].watched;
	w->benchmark = p->load->name;
	w->time = p->time;
	w->repeat = p->entry->repeat;
	w->count = p->count;
	w->foreground = p->foreground;
	w->threads = p->threads;
	w->clock = p->origin->clock;
	w->group = p->crew->group;
	w->timed = p->timed;
	w->planned = phase_planned(p);
	w->wake = p->crew->wake;
	w->interrupted = p->crew->interrupted;
	w->begin = phase_begin_figures;
	w->place = p->origin->place;
	w->owner = p;
	if (*cfg->timeline && !p->entry->warm)
		watch_start_timeline(w, sample_of);
}

double phase_last_end(const struct phase *p)
{
	uint64_t end = p->began.ticks;

	for (unsigned i = 0; i < p->count; i++)
		end = p->workers[i].ended_at > end ? p->workers[i].ended_at : end;
	return (double)clock_ns(p->origin->clock, end - p->began.ticks) / 1e9;
}

void phase_free_workers(struct phase *p)
{
	for (unsigned i = 0; p->workers && i < p->count; i++)
		worker_free(&p->workers[i]);
	free(p->workers);
	free(p->threads);
	free(p->actors);
	free(p->stage.shared);
}
