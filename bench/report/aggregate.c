/* aggregate.c: see aggregate.h. */
#include "aggregate.h"

#include <math.h>
#include <stdlib.h>

#include "../../util/distinct_count.h"
#include "../../util/message.h"
#include "../runner/database.h"
#include "../workload/config.h"

/* Records read or written; a seek reads a range of them. */
static uint64_t count_entries(const struct worker *w)
{
	if (w->procedure)
		return w->procedure->total.records;
	uint64_t scans = w->generator.workload->weights[OP_SEEK]
				 ? w->entries
				 : w->ops_by_kind[KIND_SCAN];

	return w->ops_by_kind[KIND_READ] + w->ops_by_kind[KIND_WRITE] + scans -
	       (w->tally.missing -
		(w->generator.workload->weights[OP_SEEK] ? w->tally.missing_scans : 0));
}

/*
 * Operations whose scheduled start had passed at the end and that had not begun. A
 * background thread that waits for a CPU until the others have ended has missed the
 * starts meanwhile.
 */
static uint64_t count_unstarted(const struct run *run, const struct worker *w)
{
	uint64_t end = w->ended_at;

	for (unsigned i = 0; w->generator.is_background && i < run->foreground; i++)
		end = run->workers[i].ended_at > end ? run->workers[i].ended_at : end;
	/* a thread whose list ends before those of others is not late */
	if (w->schedule.times && w->last_finish < end)
		end = w->last_finish;
	return w->is_scheduled ? rate_schedule_backlog(&w->schedule, end) : 0;
}

static void add_thread(struct totals *t, const struct run *run, const struct worker *w)
{
	double ns = (double)clock_ns(w->clock, w->ended_at - w->began);
	double rate = ns > 0 ? (double)w->done / ns : 0;
	uint64_t gap = w->longest_stall, behind = count_unstarted(run, w);
	size_t key_size = run->settings->key_size;

	t->ops += w->done;
	t->scheduled_done += w->is_scheduled ? w->done : 0;
	t->missing += w->tally.missing;
	t->lost += w->tally.lost;
	t->wrong += w->wrong + (w->procedure ? w->procedure->total.wrong : 0);
	t->disordered += w->disordered;
	t->entries += count_entries(w);
	t->keys_drawn += w->generator.keys_drawn;
	t->top1pct_draws += w->generator.distribution.top1pct_draws;
	t->unstarted += behind;
	/* A fixed count is done, and an iteration ends with the data. */
	if (run->timed || w->generator.is_background)
		t->backlog += behind + w->ops_unfinished;
	t->digest += w->tally.digest;
	t->commits +=
		w->transaction.commits + (w->procedure ? w->procedure->total.commits : 0);
	t->conflicts += w->conflicts;
	t->retries += w->retries;
	t->undone_ns += (double)clock_ns(w->clock, w->retry_ticks);
	t->deletes += w->deletes;
	t->written_bytes += w->procedure ? w->procedure->total.bytes : 0;
	t->puts += w->procedure ? w->procedure->total.writes : w->ops_by_kind[KIND_WRITE];
	t->bytes += w->tally.bytes;
	for (int k = 0; k < KINDS; k++) {
		t->ops_by_kind[k] += w->ops_by_kind[k];
		t->call_ns += (double)w->latencies[k].sum * w->latencies[k].unit;
		gap = w->latencies[k].max > gap ? w->latencies[k].max : gap;
	}
	/*
	 * Scans and procedures have counted their keys; other calls sent
	 * theirs.
	 */
	if (w->generator.key_bytes)
		t->bytes += w->generator.key_bytes;
	else if (!w->procedure)
		t->bytes += key_size *
			    (w->ops_by_kind[KIND_READ] + w->ops_by_kind[KIND_WRITE] -
			     (w->tally.missing - w->tally.missing_scans));
	gap = clock_ns(w->clock, gap);
	t->longest_stall_ns = gap > t->longest_stall_ns ? gap : t->longest_stall_ns;
	t->thread_ns += ns;
	t->cpu += w->cpu_s;
	t->runnable += w->runnable_s;
	t->rate += rate;
	t->rate_squares += rate * rate;
	t->first_start = w->began < t->first_start ? w->began : t->first_start;
	t->last_end = w->ended_at > t->last_end ? w->ended_at : t->last_end;
}

static struct totals sum_threads(const struct run *run, unsigned from, unsigned to)
{
	struct totals t = {.first_start = UINT64_MAX};

	for (unsigned i = from; i < to; i++)
		add_thread(&t, run, &run->workers[i]);
	if (t.last_end > t.first_start)
		t.seconds =
			(double)clock_ns(run->info->clock, t.last_end - t.first_start) /
			1e9;
	return t;
}

/*
 * Threads whose work the row counts: the foreground threads and the workload's own
 * background threads.
 */
static unsigned count_measured_threads(const struct run *run)
{
	return workload_is_maintenance(run->workload) ? 1 : run->item->measured_threads;
}

/*
 * Sum up the threads that extras add, each by itself. Their errors make the row invalid;
 * their time is not the engine's own.
 */
static void sum_added_threads(const struct run *run, struct aggregate *a)
{
	for (unsigned i = count_measured_threads(run); i < run->all_threads; i++) {
		const struct worker *w = &run->workers[i];
		struct added_totals *added = &a->added[i - count_measured_threads(run)];

		*added = (struct added_totals){
			.role = w->generator.workload,
			.totals = sum_threads(run, i, i + 1),
			.latency = &w->latencies[KIND_READ],
			.responses = &w->responses[KIND_READ],
		};
		a->totals.lost += added->totals.lost;
		a->totals.wrong += added->totals.wrong;
		a->totals.cpu += added->totals.cpu;
		a->totals.runnable += added->totals.runnable;
	}
}

/* Multi-gets and scheduled rates of an open loop. */
static void add_rates(const struct run *run, struct aggregate *a)
{
	const struct worker *first = run->workers;

	for (unsigned i = 0; i < count_measured_threads(run); i++) {
		const struct rate_schedule *schedule = &run->workers[i].schedule;

		a->rate_is_sine |=
			run->workers[i].is_scheduled && rate_schedule_is_sine(schedule);
		if (run->workers[i].is_scheduled)
			a->target_rate = (isnan(a->target_rate) ? 0 : a->target_rate) +
					 rate_schedule_rate(schedule);
	}
	a->group_keys = first->generator.slots;
	if (first->is_multiget && first->is_scheduled)
		a->groups = a->foreground_totals.seconds * 1e9 /
			    clock_tick_ns(first->clock) /
			    (first->schedule.mean_gap * a->group_keys);
}

static double distinct_keys(const struct run *run)
{
	struct distinct_count distinct_count;
	double distinct;

	if (!distinct_count_init(&distinct_count, NULL))
		return NAN;
	for (unsigned i = 0; i < run->foreground; i++)
		distinct_count_merge(&distinct_count,
				     &run->workers[i].generator.distinct_keys);
	distinct = distinct_count_estimate(&distinct_count);
	distinct_count_free(&distinct_count);
	return distinct;
}

struct aggregate aggregate_expected(const struct run *run, bool interrupted,
				    struct message_texts *texts)
{
	const struct workload *background = workload_own_background(run->workload);

	return (struct aggregate){
		.info = run->info,
		.texts = texts,
		.workload = run->workload,
		.item = run->item,
		.foreground = run->foreground,
		.all_threads = run->all_threads,
		.timed = run->timed,
		.is_multiget = run->is_multiget,
		.must_find = run->generator.must_find,
		.rmw_is_transaction = run->generator.rmw_is_transaction,
		.own_background_name = background ? background->name : NULL,
		.records_least = run->generator.must_find && !run->workload->deletes &&
						 !run->engine->stores_nothing
					 ? cfg->num
					 : 0,
		.planned = run_planned_operations(run),
		.batch = run->batch,
		.txn_reads = run->txn_reads,
		.scan_lengths = run->generator.scan_lengths,
		.interrupted = interrupted,
		.target_rate = NAN,
		.groups = NAN,
		.start_error_p99_ns = NAN,
		.steady_state = &run->monitor.steady_state,
		.stopped_s = run->monitor.stopped_s,
		.extras = &run->extras,
		.metrics = {.disk_bytes = NAN,
			    .disk_bytes_before = NAN,
			    .limits = {NAN, NAN}},
		.procedure = &run->procedure,
		.procedure_error = run->procedure_error,
	};
}

/* The delay between scheduled and actual start, of an open loop. */
static void sum_start_errors(const struct run *run, struct aggregate *a)
{
	struct hist *start_errors = message_alloc(1, sizeof *start_errors);

	for (unsigned i = 0; i < count_measured_threads(run); i++)
		hist_merge(start_errors, run->workers[i].start_error);
	a->start_error_p99_ns = hist_quantile(start_errors, 990000);
	a->start_error_max_ns = (double)start_errors->max * start_errors->unit;
	free(start_errors);
}

struct aggregate aggregate_run(const struct run *run, bool interrupted,
			       struct message_texts *texts, struct hist *times,
			       struct hist *responses)
{
	struct aggregate a = aggregate_expected(run, interrupted, texts);

	a.totals = sum_threads(run, 0, count_measured_threads(run));
	a.foreground_totals = sum_threads(run, 0, run->foreground);
	a.own_background = sum_threads(run, run->foreground, count_measured_threads(run));
	sum_added_threads(run, &a);
	a.latency = times;
	a.responses = responses;
	a.distinct_keys = a.foreground_totals.keys_drawn ? distinct_keys(run) : NAN;
	a.metrics = run->metrics;
	for (unsigned i = 0; i < run->all_threads; i++) {
		const struct worker *w = &run->workers[i];

		for (int h = 0; h < METRICS_HISTS && i < count_measured_threads(run);
		     h++) {
			hist_merge(&times[h], &w->latencies[h]);
			hist_merge(&responses[h], &w->responses[h]);
		}
		if (w->status == DONE)
			continue;
		if (!a.errors++)
			a.engine_error =
				message_keep(texts, "%s",
					     database_describe_error(run->info->database,
								     w->status, w->why));
	}
	add_rates(run, &a);
	if (!isnan(a.target_rate))
		sum_start_errors(run, &a);
	return a;
}
