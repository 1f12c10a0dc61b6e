/* outcome.c: what the threads of a benchmark did, summed up; see worker.h. */
#include <math.h>
#include <stdlib.h>

#include "../util/census.h"
#include "../util/say.h"
#include "cast.h"
#include "place.h"
#include "worker.h"

const enum result_kind kind_of[STEPS] = {
	[STEP_GET] = KIND_READ,      [STEP_FETCH] = KIND_READ,  [STEP_PUT] = KIND_WRITE,
	[STEP_APPEND] = KIND_WRITE,  [STEP_DELETE] = KIND_WRITE, [STEP_SEEK] = KIND_SCAN,
	[STEP_NEXT] = KIND_SCAN,     [STEP_MULTIGET] = KIND_READ,
	[STEP_ACT_READ] = KIND_READ, [STEP_ACT_WRITE] = KIND_WRITE,
	[STEP_ACT_SCAN] = KIND_SCAN, [STEP_HEAD] = KIND_SCAN,
	[STEP_ADD] = KIND_WRITE,     [STEP_REPLACE] = KIND_WRITE,
};

/* Records read or written; a seek reads a range of them. */
static uint64_t entries(const struct worker *w)
{
	if (w->actor)
		return w->actor->acted.entries;
	uint64_t scans = w->ask.role->weight[OP_SEEK] ? w->entries : w->kind[KIND_SCAN];

	return w->kind[KIND_READ] + w->kind[KIND_WRITE] + scans -
	       (w->ask.role->weight[OP_SEEK] ? 0 : w->seen.missing);
}

static struct tally tally(const struct phase *p, unsigned from, unsigned to)
{
	struct tally t = {.first_start = UINT64_MAX};
	size_t key_size = p->settings->key_size;

	for (unsigned i = from; i < to; i++) {
		const struct worker *w = &p->workers[i];
		double ns = (double)clock_ns(w->clock, w->ended_at - w->began);
		double rate = ns > 0 ? (double)w->done / ns : 0;
		uint64_t gap = w->gap;

		t.ops += w->done;
		t.missing += w->seen.missing;
		t.lost += w->seen.lost;
		t.wrong += w->wrong + (w->actor ? w->actor->acted.wrong : 0);
		t.disordered += w->disordered;
		t.entries += entries(w);
		t.draws += w->ask.draws;
		t.tops += w->ask.draw.tops;
		t.waiting += w->paced ? pace_backlog(&w->pace, w->ended_at) : 0;
		t.left += w->left;
		t.digest += w->seen.digest;
		t.commits += w->txn.commits + (w->actor ? w->actor->acted.commits : 0);
		t.conflicts += w->conflicts;
		t.retries += w->retries;
		t.undone_ns += (double)clock_ns(w->clock, w->undone);
		t.deletes += w->deletes;
		t.put_bytes += w->actor ? w->actor->acted.bytes : 0;
		t.bytes += w->seen.bytes;
		for (int k = 0; k < KINDS; k++) {
			t.kind[k] += w->kind[k];
			t.call_ns += (double)w->hist[k].sum * w->hist[k].unit;
			gap = w->hist[k].max > gap ? w->hist[k].max : gap;
		}
		/* A scan saw its keys, and an act; the others sent theirs. */
		if (w->ask.replay)
			t.bytes += w->ask.key_total;
		else if (!w->actor)
			t.bytes += key_size * (w->kind[KIND_READ] + w->kind[KIND_WRITE] -
					       w->seen.missing * !w->kind[KIND_SCAN]);
		gap = clock_ns(w->clock, gap);
		t.gap_ns = gap > t.gap_ns ? gap : t.gap_ns;
		t.thread_ns += ns;
		t.cpu += w->cpu;
		t.rate += rate;
		t.rate_squares += rate * rate;
		t.first_start = w->began < t.first_start ? w->began : t.first_start;
		t.last_end = w->ended_at > t.last_end ? w->ended_at : t.last_end;
	}
	if (t.last_end > t.first_start)
		t.seconds = (double)clock_ns(p->origin->clock,
					     t.last_end - t.first_start) /
			    1e9;
	return t;
}

/*
 * Threads whose work is in the figures: those asked for, and the workload's own
 * background thread.
 */
static unsigned counted(const struct phase *p)
{
	return cast_threads(p->load, p->foreground);
}

/*
 * Background threads that options add, a sum for each kind. What must not be counts for
 * the row, and their time is not the engine's own.
 */
static void tell_asides(const struct phase *p, struct outcome *o)
{
	for (unsigned i = counted(p); i < p->count; i++) {
		const struct worker *w = &p->workers[i];
		enum aside aside = w->ask.role->aside;
		struct tally t = tally(p, i, i + 1);

		o->aside[aside] = t;
		o->all.lost += t.lost;
		o->all.wrong += t.wrong;
		o->all.cpu += t.cpu;
		if (aside == ASIDE_PROBE) {
			o->probe = &w->hist[KIND_READ];
			o->probe_responses = &w->responses[KIND_READ];
		}
		if (aside == ASIDE_READER)
			o->stay = &p->stay;
		o->backup_due |= aside == ASIDE_BACKUP;
	}
}

/* What multi-gets and rates of an open loop came to. */
static void tell_rates(const struct phase *p, struct outcome *o)
{
	const struct worker *first = p->workers;

	for (unsigned i = 0; i < counted(p); i++) {
		const struct pace *pace = &p->workers[i].pace;

		o->sines |= p->workers[i].paced && pace_sines(pace);
		if (p->workers[i].paced)
			o->rate = (isnan(o->rate) ? 0 : o->rate) + pace_rate(pace);
	}
	o->group = first->ask.slots;
	if (first->grouped && first->paced)
		o->groups = o->asked.seconds * 1e9 / clock_unit_ns(first->clock) /
			    (first->pace.gap * o->group);
}

static double distinct_keys(const struct phase *p)
{
	struct census census;
	double distinct;

	if (!census_start(&census, NULL))
		return NAN;
	for (unsigned i = 0; i < p->foreground; i++)
		census_merge(&census, &p->workers[i].ask.census);
	distinct = census_distinct(&census);
	census_end(&census);
	return distinct;
}

struct outcome outcome_expected(const struct phase *p, bool interrupted)
{
	return (struct outcome){
		.origin = p->origin,
		.load = p->load,
		.entry = p->entry,
		.foreground = p->foreground,
		.count = p->count,
		.timed = p->timed,
		.grouped = p->grouped,
		.must_find = p->ask.must_find,
		.transacts = p->ask.transacts,
		.planned = phase_planned(p),
		.batch = p->batch,
		.txn_reads = p->txn_reads,
		.scan_lengths = p->ask.scan_lengths,
		.interrupted = interrupted,
		.rate = NAN,
		.groups = NAN,
		.start_error_p99_ns = NAN,
		.steady = &p->watch.steady,
		.stage = &p->stage,
		.broken = p->broken,
	};
}

/* How late operations of an open loop began, in ns; NaN: there was none. */
static double start_error(const struct phase *p)
{
	struct hist *late = say_alloc(1, sizeof *late);
	double p99;

	for (unsigned i = 0; i < p->count; i++)
		hist_merge(late, p->workers[i].late);
	p99 = hist_quantile(late, 990000);
	free(late);
	return p99;
}

struct outcome outcome_of(const struct phase *p, bool interrupted, struct hist *times,
			  struct hist *responses)
{
	struct outcome o = outcome_expected(p, interrupted);

	o.all = tally(p, 0, counted(p));
	o.asked = tally(p, 0, p->foreground);
	o.beside = tally(p, p->foreground, counted(p));
	tell_asides(p, &o);
	if (p->backup.made)
		o.backup = &p->backup;
	o.times = times;
	o.responses = responses;
	o.distinct_keys = o.asked.draws ? distinct_keys(p) : NAN;
	o.began = p->began;
	o.ended = p->ended;
	o.spent = p->spent;
	o.footprint = p->footprint;
	o.memory = p->group;
	o.disk_before = p->disk_before;
	o.nand = p->nand;
	o.disk = p->disk;
	o.in_memory = p->in_memory;
	o.remote_before = p->remote_before;
	o.remote = p->remote;
	o.host_before = p->host_before;
	o.host_after = p->host_after;
	o.main_cpu = p->main_cpu;
	for (unsigned i = 0; i < p->count; i++) {
		const struct worker *w = &p->workers[i];

		for (int k = 0; k < KINDS && i < counted(p); k++) {
			hist_merge(&times[k], &w->hist[k]);
			hist_merge(&responses[k], &w->responses[k]);
		}
		if (w->status == DONE)
			continue;
		if (!o.errors++)
			o.engine_words = place_words(p->origin->place, w->status, w->why);
	}
	tell_rates(p, &o);
	if (!isnan(o.rate))
		o.start_error_p99_ns = start_error(p);
	return o;
}
