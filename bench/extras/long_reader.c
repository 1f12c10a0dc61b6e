/* long_reader.c: see background.h. */
#include "../runner/background.h"

#include <math.h>
#include <stdatomic.h>
#include <time.h>

#include "../runner/database.h"

/* The state of the run at some time. */
struct long_reader_sample {
	uint64_t ticks;
	double ops, disk_bytes, anonymous_kb; /* ops: NaN in the warm-up */
};

/* The state of a long reader. */
struct long_reader_state {
	struct worker *worker;
	struct long_reader *result;
	struct long_reader_sample span_start;
};

static struct long_reader_sample sample_run(const struct worker *w)
{
	const struct run *run = w->run;

	return (struct long_reader_sample){clock_ticks(w->clock),
					   background_measured_ops(run),
					   database_disk_bytes(run->info->database, NULL),
					   resource_usage_footprint().rss_anon_kb};
}

/* Had the warm-up ended when this span began? */
static bool is_span_measured(const struct long_reader_state *r)
{
	return !isnan(r->span_start.ops);
}

/*
 * Answer requests of other threads; called wherever it waits. A span that includes the
 * warm-up begins when the warm-up is over for all.
 */
static void answer_requests(struct long_reader_state *r)
{
	struct worker *w = r->worker;
	unsigned request = atomic_load(&w->run->monitor.sample_request);

	if (worker_is_warmed_up(w))
		worker_end_warmup(w);
	if (!is_span_measured(r) && !isnan(background_measured_ops(w->run)))
		r->span_start = sample_run(w);
	/* It keeps its snapshot, but reads nothing while files are copied. */
	if (atomic_load(&w->run->gate.closed))
		worker_wait_at_gate(w);
	if (request != w->sample_answered)
		worker_publish_sample(w, request);
}

/* Add the growth since the span began to one of the two sums. */
static void end_span(struct long_reader_state *r, struct long_reader_span *to)
{
	struct long_reader_sample now = sample_run(r->worker);

	if (!is_span_measured(r))
		return;
	to->seconds +=
		(double)clock_ns(r->worker->clock, now.ticks - r->span_start.ticks) / 1e9;
	to->ops += now.ops - r->span_start.ops;
	to->disk_bytes += now.disk_bytes - r->span_start.disk_bytes;
	to->anonymous_kb += now.anonymous_kb - r->span_start.anonymous_kb;
}

/* Read one record, and compare it with its first reading, unless this is the first. */
static enum status read_one(struct long_reader_state *r, unsigned i, bool first)
{
	struct worker *w = r->worker;
	const struct slice key = w->generator.slot[i].key;
	struct slice value;
	uint64_t begun;
	enum status status;
	bool found;
	record_lanes fold;

	answer_requests(r);
	begun = clock_ticks(w->clock);
	status = w->engine->get(w->session, key, &value);
	found = status == DONE;
	fold = found ? record_fold(value.data, value.size) : (record_lanes){0, 0};
	if (!found && status != NOT_FOUND)
		return status;
	hist_record(&w->latencies[KIND_READ], clock_ticks(w->clock) - begun);
	w->ops_by_kind[KIND_READ]++;
	w->done++;
	w->tally.bytes += found ? value.size : 0;
	w->tally.missing += !found;
	w->tally.lost += !found && generator_must_find(&w->generator, w->generator.id[i]);
	if (found && w->verify)
		verify_record(w, w->generator.id[i], key, value);
	if (first) {
		r->result->digests[i] = fold;
		r->result->found[i] = found;
	} else if (found != r->result->found[i] || fold[0] != r->result->digests[i][0] ||
		   fold[1] != r->result->digests[i][1]) {
		r->result->changed_reads++;
	}
	return DONE;
}

static enum status take_snapshot(struct long_reader_state *r)
{
	struct worker *w = r->worker;
	enum status status = w->engine->snapshot(w->session);

	r->result->records =
		generator_next(&w->generator, w->generator.slots < LONG_READER_RECORDS
						      ? w->generator.slots
						      : LONG_READER_RECORDS);
	for (unsigned i = 0; i < r->result->records && status == DONE; i++)
		status = read_one(r, i, true);
	return status;
}

static uint64_t to_ticks(const struct worker *w, double seconds)
{
	return (uint64_t)(seconds * 1e9 / clock_tick_ns(w->clock));
}

/* Returns false if the others ended first. */
static bool rest_until(struct long_reader_state *r, uint64_t until)
{
	struct worker *w = r->worker;
	const atomic_bool *stop = &w->run->monitor.stop;
	const struct timespec nap = {0, 5000000};
	uint64_t soon = to_ticks(w, 0.01);

	w->ended_at = clock_ticks(w->clock);
	atomic_store_explicit(&w->monitored.published->begun_ops, w->done,
			      memory_order_relaxed);
	atomic_store_explicit(&w->monitored.published->ops, w->done,
			      memory_order_relaxed);
	for (answer_requests(r);
	     !atomic_load(stop) && clock_ticks(w->clock) + soon < until;
	     answer_requests(r))
		nanosleep(&nap, NULL);
	return rate_schedule_wait_until(&w->schedule, until, stop);
}

/* Hold the snapshot for its time, reading through it a hundred times, or ten a second. */
static enum status hold_snapshot(struct long_reader_state *r, uint64_t until)
{
	struct worker *w = r->worker;
	uint64_t often = to_ticks(w, fmin(cfg->long_reader / 100, 0.1));
	uint64_t least = to_ticks(w, 0.001), pause = often > least ? often : least;
	enum status status = DONE;

	for (unsigned i = 0; status == DONE; i = (i + 1) % r->result->records) {
		uint64_t next = clock_ticks(w->clock) + pause;

		if (!rest_until(r, next < until ? next : until))
			break;
		status = read_one(r, i, false);
		if (clock_ticks(w->clock) >= until)
			break;
	}
	return status;
}

static void release_held_snapshot(struct worker *w)
{
	w->holds_snapshot = false;
	w->engine->release(w->session);
}

/* Hold one snapshot until its time is over, or it is revoked, or the run ends. */
static enum status hold_one_snapshot(struct long_reader_state *r)
{
	struct worker *w = r->worker;
	struct long_reader *result = r->result;
	uint64_t until = clock_ticks(w->clock) + to_ticks(w, cfg->long_reader);
	enum status status = w->holds_snapshot ? DONE : take_snapshot(r);

	r->span_start = sample_run(w);
	if (status == DONE)
		status = hold_snapshot(r, until);
	end_span(r, &result->held);
	result->snapshots += is_span_measured(r) && status == DONE;
	result->revoked += status == CONFLICT;
	release_held_snapshot(w);
	return status == CONFLICT ? DONE : status;
}

void long_reader_begin(struct worker *w)
{
	struct long_reader_state r = {.worker = w, .result = &w->run->long_reader};

	w->schedule.clock = w->clock;
	w->status = take_snapshot(&r);
	w->holds_snapshot = w->status == DONE;
	if (w->status == CONFLICT)
		w->status = DONE;
	w->ended_at = clock_ticks(w->clock);
}

void long_reader_work(struct worker *w)
{
	struct long_reader_state r = {.worker = w, .result = &w->run->long_reader};

	w->began = clock_ticks(w->clock);
	while (w->status == DONE && !atomic_load_explicit(&w->run->monitor.stop,
							  memory_order_relaxed)) {
		w->status = hold_one_snapshot(&r);
		if (w->status != DONE || !(cfg->long_reader_pause > 0))
			continue;
		r.span_start = sample_run(w);
		rest_until(&r, clock_ticks(w->clock) +
					to_ticks(w, cfg->long_reader_pause));
		end_span(&r, &r.result->between);
	}
	w->ended_at = clock_ticks(w->clock);
}
