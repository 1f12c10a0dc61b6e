/*
 * long_reader.c: --long_reader: a background thread that holds one snapshot after
 * another while others write, and measures how much the database grows meanwhile. It
 * reads through its snapshot now and then; a read that returns something else than the
 * first time is an error.
 */

#include "long_reader.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "../../util/message.h"
#include "../runner/database.h"
#include "../runner/worker.h"

extern const struct extra long_reader_extra;

static struct {
	double hold_s, pause_s;
} long_reader_times;

static const struct option long_reader_options[] = {
	{"long_reader", "0",
	 "Time for which a background reader holds each of its snapshots "
	 "while a workload writes, seconds; 0: no such reader. Columns "
	 "snapshot_... have the workload's throughput and the growth of disk "
	 "space and memory while it holds one. With --long_reader_pause, "
	 "columns pause_... have the same while it holds none.",
	 .real = &long_reader_times.hold_s, .real_max = 1e9, .group = "Held snapshots"},
	{"long_reader_pause", "0",
	 "Time between two snapshots of the background reader of --long_reader, "
	 "seconds, in which it holds none; 0: no pause.",
	 .real = &long_reader_times.pause_s, .real_max = 1e9},
	{0},
};

struct long_reader_columns {
	double long_reader_s, snapshots, snapshot_reads, snapshots_revoked;
	double snapshot_s, snapshot_ops_per_sec, snapshot_disk_growth_kb,
		snapshot_memory_growth_kb;
	double pause_s, pause_ops_per_sec, pause_disk_growth_kb, pause_memory_growth_kb;
};

static const struct row_file_column long_reader_column_table[] = {
	RESULT_NUMBER(long_reader_columns, long_reader_s, 3,
		      "Time for which the background reader holds each of its "
		      "snapshots (--long_reader). Empty: there was none."),
	RESULT_NUMBER(long_reader_columns, snapshots, 0,
		      "Number of snapshots that the background reader of "
		      "--long_reader held for its full time or to the end of the "
		      "run. Those that the engine revoked do not count. Empty: no "
		      "such reader."),
	RESULT_NUMBER(long_reader_columns, snapshot_reads, 0,
		      "Number of reads by the background reader of --long_reader "
		      "through its snapshots; the column reads does not include them. "
		      "Empty: no such reader."),
	RESULT_NUMBER(long_reader_columns, snapshots_revoked, 0,
		      "Number of snapshots of the background reader (--long_reader) "
		      "that the engine ended early, for example to free space. Empty: "
		      "no such reader."),
	RESULT_NUMBER(long_reader_columns, snapshot_s, 3,
		      "Time in the run in which the background reader of "
		      "--long_reader held a snapshot, summed up. Empty: no such "
		      "reader."),
	RESULT_NUMBER(long_reader_columns, snapshot_ops_per_sec, 1,
		      "Throughput of the --threads threads while a background reader "
		      "held a snapshot (--long_reader). Less than pause_ops_per_sec: "
		      "open snapshots slow the workload."),
	RESULT_NUMBER(long_reader_columns, snapshot_disk_growth_kb, 0,
		      "Growth of the database's disk space while a background reader "
		      "held a snapshot (--long_reader): the sum over all snapshots. "
		      "Divide it by snapshot_s, and compare pause_disk_growth_kb / "
		      "pause_s. Negative: the files shrank."),
	RESULT_NUMBER(long_reader_columns, snapshot_memory_growth_kb, 0,
		      "Growth of the process's rss_anon_kb while a background reader "
		      "held a snapshot (--long_reader): the sum over all snapshots. "
		      "Divide it by snapshot_s, and compare pause_memory_growth_kb / "
		      "pause_s. Negative: memory was freed."),
	RESULT_NUMBER(long_reader_columns, pause_s, 3,
		      "Time in the run in which the background reader of "
		      "--long_reader held no snapshot (--long_reader_pause), summed "
		      "up. Empty: no such pause."),
	RESULT_NUMBER(long_reader_columns, pause_ops_per_sec, 1,
		      "Throughput of the --threads threads while the background reader "
		      "of --long_reader held no snapshot. Compare it with "
		      "snapshot_ops_per_sec. Empty: no --long_reader_pause."),
	RESULT_NUMBER(long_reader_columns, pause_disk_growth_kb, 0,
		      "Growth of the database's disk space while the background reader "
		      "of --long_reader held no snapshot, summed over all pauses. "
		      "Divide it by pause_s, and compare snapshot_disk_growth_kb / "
		      "snapshot_s. Negative: the files shrank. Empty: no "
		      "--long_reader_pause."),
	RESULT_NUMBER(long_reader_columns, pause_memory_growth_kb, 0,
		      "Growth of the process's rss_anon_kb while the background reader "
		      "of --long_reader held no snapshot, summed over all pauses. "
		      "Divide it by pause_s, and compare snapshot_memory_growth_kb / "
		      "snapshot_s. Negative: memory was freed. Empty: no "
		      "--long_reader_pause."),
};

enum { LONG_READER_RECORDS = 16 }; /* read in each snapshot, in rotation */

/* Totals over spans of time. */
struct long_reader_span {
	double seconds, ops; /* operations of the foreground threads */
	double disk_bytes;   /* growth of the files */
	double anonymous_kb; /* growth of the process's memory */
};

struct long_reader {
	unsigned snapshots; /* that were held to their end */
	unsigned revoked;   /* that the engine revoked early */
	/* reads that returned something else than the first time */
	uint64_t changed_reads;
	struct long_reader_span held, between;

	/* how many records it reads, and their contents when the snapshot was new */
	unsigned records;
	record_lanes digests[LONG_READER_RECORDS];
	bool found[LONG_READER_RECORDS];
};

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
					   run_measured_operations(run),
					   database_size(run->info->database).disk,
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
	if (!is_span_measured(r) && !isnan(run_measured_operations(w->run)))
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
	uint64_t often = to_ticks(w, fmin(long_reader_times.hold_s / 100, 0.1));
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
	uint64_t until = clock_ticks(w->clock) + to_ticks(w, long_reader_times.hold_s);
	enum status status = DONE;

	r->span_start = sample_run(w);
	if (!w->holds_snapshot)
		status = take_snapshot(r);
	if (status == DONE)
		status = hold_snapshot(r, until);
	end_span(r, &result->held);
	result->snapshots += is_span_measured(r) && status == DONE;
	result->revoked += is_span_measured(r) && status == CONFLICT;
	release_held_snapshot(w);
	return status == CONFLICT ? DONE : status;
}

/* Take the first snapshot, before measuring begins. */
static void long_reader_begin(struct worker *w)
{
	struct long_reader_state r = {.worker = w,
				      .result = extra_state(&w->run->extras,
							    &long_reader_extra)};

	w->schedule.clock = w->clock;
	w->status = take_snapshot(&r);
	w->holds_snapshot = w->status == DONE;
	if (w->status == CONFLICT)
		w->status = DONE;
	w->ended_at = clock_ticks(w->clock);
}

/* Hold snapshots, one after another, until the others have ended. */
static void long_reader_work(struct worker *w)
{
	struct long_reader_state r = {.worker = w,
				      .result = extra_state(&w->run->extras,
							    &long_reader_extra)};

	w->began = clock_ticks(w->clock);
	while (w->status == DONE &&
	       !atomic_load_explicit(&w->run->monitor.stop, memory_order_relaxed)) {
		w->status = hold_one_snapshot(&r);
		if (w->status != DONE || !(long_reader_times.pause_s > 0))
			continue;
		r.span_start = sample_run(w);
		rest_until(&r, clock_ticks(w->clock) +
				       to_ticks(w, long_reader_times.pause_s));
		end_span(&r, &r.result->between);
	}
	w->ended_at = clock_ticks(w->clock);
}

static const struct added_thread long_reader_thread = {.begin = long_reader_begin,
						       .work = long_reader_work};

static const struct workload long_reader_role = {"long_reader",
						 "",
						 {[OP_GET] = 100},
						 .key_order = ORDER_RANDOM,
						 .added = &long_reader_thread};

static const struct workload *long_reader_added_thread(void)
{
	return long_reader_times.hold_s > 0 ? &long_reader_role : NULL;
}

static void long_reader_check_plan(const struct plan_item *list, unsigned count)
{
	(void)list, (void)count;
	if (long_reader_times.hold_s > 0 && !engine.snapshot)
		message_fatal(2,
			      "--long_reader: %s has no snapshots that a reader could "
			      "hold; leave it out",
			      engine.title);
}

const char *long_reader_invalid_reason(uint64_t changed_reads,
				       struct message_texts *texts)
{
	if (!changed_reads)
		return NULL;
	return message_keep(texts,
			    "%llu reads through a held snapshot found a changed record",
			    (unsigned long long)changed_reads);
}

static const char *long_reader_invalid(const struct aggregate *a)
{
	const struct long_reader *reader = extra_state(a->extras, &long_reader_extra);

	return long_reader_invalid_reason(reader->changed_reads, a->texts);
}

/* Growth that it caused, and the others' rate meanwhile. */
/* What grew in the spans that were measured; unknown if none was. */
static double long_reader_growth(const struct long_reader_span *spans, double of)
{
	return spans->seconds > 0 ? of : NAN;
}

static void long_reader_fill(const struct aggregate *a, struct result *r)
{
	const struct added_totals *added = metrics_added(a, &long_reader_role);
	const struct long_reader *reader = extra_state(a->extras, &long_reader_extra);
	struct long_reader_columns *columns = result_added(r, &long_reader_extra.columns);

	if (!added)
		return;
	columns->long_reader_s = long_reader_times.hold_s;
	columns->snapshot_reads = (double)added->totals.ops;
	columns->snapshots = reader->snapshots;
	columns->snapshots_revoked = reader->revoked;
	columns->snapshot_s = reader->held.seconds;
	columns->snapshot_ops_per_sec = reader->held.ops / reader->held.seconds;
	columns->snapshot_disk_growth_kb =
		long_reader_growth(&reader->held, reader->held.disk_bytes / 1024);
	columns->snapshot_memory_growth_kb =
		long_reader_growth(&reader->held, reader->held.anonymous_kb);
	if (!(long_reader_times.pause_s > 0))
		return;
	columns->pause_s = reader->between.seconds;
	columns->pause_ops_per_sec = reader->between.ops / reader->between.seconds;
	columns->pause_disk_growth_kb =
		long_reader_growth(&reader->between, reader->between.disk_bytes / 1024);
	columns->pause_memory_growth_kb =
		long_reader_growth(&reader->between, reader->between.anonymous_kb);
}

const struct extra long_reader_extra = {
	.options = long_reader_options,
	.columns = ROW_FILE_COLUMNS(long_reader_column_table),
	.added_thread = long_reader_added_thread,
	.added_by = "long_reader",
	.check_plan = long_reader_check_plan,
	.state_size = sizeof(struct long_reader),
	.invalid_reason = long_reader_invalid,
	.fill = long_reader_fill,
};
