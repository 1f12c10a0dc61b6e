/* account.c: see account.h. Called once per chunk, outside timed calls. */
#include "account.h"

#include <string.h>

#include "../workload/config.h"

/*
 * Open loop: record the response time and, of a call that begins an operation, the part of
 * it before the actual start.
 */
static void record_response(struct worker *w, enum result_kind kind,
			    const struct slot *slot, bool begins)
{
	uint64_t response = w->response[slot - w->generator.slot];

	hist_record(&w->responses[kind], response);
	if (begins)
		hist_record(w->start_error,
			    response > slot->ticks ? response - slot->ticks : 0);
}

/* Eight slots at a time, with constant offsets. */
static void record_in_batch(struct hist *h, const struct slot *restrict slot, unsigned n)
{
	struct hist_batch batch = HIST_NO_BATCH;
	unsigned rest = n % 8;

	for (const struct slot *end = slot + (n - rest); slot < end; slot += 8)
#pragma GCC unroll 8
		for (unsigned i = 0; i < 8; i++)
			hist_add_to_bucket(h, &batch, slot[i].ticks);
	for (unsigned i = 0; i < rest; i++)
		hist_add_to_bucket(h, &batch, slot[i].ticks);
	hist_end_batch(h, &batch);
}

/* Record the times of n finished slots, all of one kind. */
static void record_same_calls(struct worker *w, const struct slot *restrict slot,
			      unsigned n)
{
	enum result_kind kind =
		generator_kind_of_call[generator_first_call[w->generator.only_op]];
	struct hist *h = &w->latencies[kind];

	w->ops_by_kind[kind] += n;
	w->done += n;
	if (!n) /* a group that conflicted at the end did nothing */
		return;
	n = w->is_multiget ? 1 : n;
	if (w->timed_calls && !w->verify && !w->is_scheduled && !w->is_retrying) {
		/* The end of one call is the beginning of the next. */
		h->sum += w->ended_at - w->chunk_began;
		record_in_batch(h, slot, n);
	} else if (w->timed_calls) {
		for (unsigned i = 0; i < n; i++)
			hist_record(h, slot[i].ticks);
	}
	for (unsigned i = 0; w->is_scheduled && i < n; i++)
		record_response(w, kind, slot + i, true);
}

static void record_mixed_calls(struct worker *w, const struct slot *restrict slot,
			       unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		enum result_kind kind = generator_kind_of_call[slot[i].call & CALL_MASK];

		w->ops_by_kind[kind]++;
		w->done += !(slot[i].call & CALL_FIRST_OF_TWO);
		if (w->timed_calls)
			hist_record(&w->latencies[kind], slot[i].ticks);
		if (w->is_scheduled)
			record_response(w, kind, slot + i,
					!i || !(slot[i - 1].call & CALL_FIRST_OF_TWO));
	}
}

/* The time of a get and the put that follows it, or of a batch, as of one operation. */
static void record_whole_operations(struct worker *w, const struct slot *slot, unsigned n)
{
	bool in_batches = w->generator.single_call;

	for (unsigned i = 0; w->timed_calls && i < n; i++) {
		w->whole_ticks += slot[i].ticks;
		if (in_batches ? slot[i].call & CALL_COMMIT
			       : !(slot[i].call & CALL_FIRST_OF_TWO)) {
			hist_record(&w->latencies[METRICS_WHOLE], w->whole_ticks);
			w->whole_ticks = 0;
		}
	}
}

static void record_once_more(struct worker *w, int h, const struct slot *slot,
			     uint64_t ticks)
{
	hist_record(&w->latencies[h], ticks);
	if (w->is_scheduled)
		hist_record(&w->responses[h], w->response[slot - w->generator.slot]);
}

/*
 * Once more: the time of a get and the put that follows it, as of one operation, that of
 * inserts, and that of gets that found nothing. The response time of the second call is
 * that of both.
 */
static void record_apart(struct worker *w, const struct slot *slot, unsigned n)
{
	bool *missed = w->missed + (slot - w->generator.slot);

	for (unsigned i = 0; w->timed_calls && i < n; i++) {
		if (i && slot[i - 1].call & CALL_FIRST_OF_TWO)
			record_once_more(w, METRICS_WHOLE, slot + i,
					 slot[i].ticks + slot[i - 1].ticks);
		else if (slot[i].call & CALL_INSERTS)
			record_once_more(w, METRICS_INSERTS, slot + i, slot[i].ticks);
		if (missed[i] &&
		    generator_kind_of_call[slot[i].call & CALL_MASK] == KIND_READ)
			record_once_more(w, METRICS_MISSED, slot + i, slot[i].ticks);
	}
	memset(missed, 0, n * sizeof *missed);
}

/*
 * Record n finished slots. Writes of a transaction that is still open are kept apart:
 * whether they count is not known before it commits.
 */
static void record_times(struct worker *w, unsigned n)
{
	const struct slot *slot = w->generator.slot + w->next_slot;
	unsigned open = transaction_open_calls(&w->transaction, n), committed = n - open;

	if (transaction_has_ended(&w->transaction, n))
		worker_count_committed(w);
	if (open)
		/* the chunk's duration includes uncommitted calls */
		w->is_retrying = true;
	if (w->generator.single_call)
		record_same_calls(w, slot, committed);
	else
		record_mixed_calls(w, slot, committed);
	if (w->times_whole)
		record_whole_operations(w, slot, n);
	if (w->times_apart)
		record_apart(w, slot, committed);
	if (open)
		transaction_keep_times(&w->transaction, slot + committed,
				       w->is_scheduled
					       ? w->response + w->next_slot + committed
					       : NULL,
				       open);
	w->is_retrying = false;
}

/*
 * Chunks of slow calls are made smaller, so that a thread notices the end within
 * milliseconds.
 */
static void adapt_chunk(struct worker *w, uint64_t start)
{
	uint64_t spent;

	if (w->chunk_size_is_fixed)
		return;
	spent = clock_ns(w->clock, w->ended_at - start);
	if (spent > 1000000 && w->chunk_size > 1)
		w->chunk_size /= 2;
	else if (w->chunk_size < w->generator.slots && spent < 250000)
		w->chunk_size = w->chunk_size * 2 < w->generator.slots
					? w->chunk_size * 2
					: w->generator.slots;
}

/* Publish the operations that are done and cannot be rolled back. */
static void publish_progress(struct worker *w, unsigned n, uint64_t begun)
{
	struct published_counts *published = w->monitored.published;

	/* Uncommitted records are visible to no other thread. */
	if (w->generator.key_range_grows && !w->ended &&
	    !transaction_is_open(&w->transaction) && w->next_slot + n == w->prepared)
		generator_publish_inserted(&w->generator);
	for (int k = 0; k < KINDS; k++)
		atomic_store_explicit(&published->ops_by_kind[k], w->ops_by_kind[k],
				      memory_order_relaxed);
	atomic_store_explicit(&published->ops, w->done, memory_order_relaxed);
	atomic_store_explicit(&published->begun_ops, begun, memory_order_relaxed);
}

/* One or more seconds have ended by `now`: publish what was done until then. */
static void publish_seconds(struct worker *w, uint64_t now, uint64_t done)
{
	struct published_counts *published = w->monitored.published;
	uint64_t n = (now - w->next_second) / w->second_ticks + 1;
	uint64_t seconds = published->seconds_passed + n;

	w->next_second += n * w->second_ticks;
	for (uint64_t i = 0; i < n && i < PUBLISHED_SECONDS; i++)
		atomic_store_explicit(
			&published->ops_at_second[(seconds - i) % PUBLISHED_SECONDS],
			done, memory_order_relaxed);
	atomic_store_explicit(&published->seconds_passed, seconds, memory_order_release);
}

/*
 * A stall in an open loop begins at a scheduled start, or where the previous operation
 * finished if that was later. Time in which nothing is scheduled is no stall. A chunk
 * may last for seconds.
 */
static void note_stalls(struct worker *w, unsigned n)
{
	uint64_t done = w->done;

	for (unsigned i = w->next_slot; i < w->next_slot + n; i++) {
		uint64_t since = w->last_finish > w->scheduled[i] ? w->last_finish
								  : w->scheduled[i];

		w->last_finish = w->scheduled[i] + w->response[i];
		if (w->last_finish - since > w->longest_stall)
			w->longest_stall = w->last_finish - since;
		if (w->last_finish >= w->next_second)
			publish_seconds(w, w->last_finish, done);
		done += !(w->generator.slot[i].call & CALL_FIRST_OF_TWO);
	}
}

/* The thread's own interval report, every stats_interval operations. */
static void report_thread_interval(struct worker *w)
{
	double all = (double)clock_ns(w->clock, w->ended_at - w->began) / 1e9;
	double since = all - w->reported_seconds;

	monitor_print_interval(w->generator.number, w->done - w->reported, w->done, since,
			       all);
	w->reported = w->done;
	w->reported_seconds = all;
	while (w->next_report <= w->done)
		w->next_report += w->report_every;
	if (cfg->db_bench.stats_per_interval && !w->generator.number)
		w->run->monitor.print_statistics(w->run);
}

void account_end(struct worker *w)
{
	generator_count_keys(&w->generator, w->next_slot);
	publish_progress(w, 0, w->done);
	if (w->done > w->reported && w->next_report != UINT64_MAX && !cfg->db_bench.on)
		report_thread_interval(w);
}

void account_chunk(struct worker *w, unsigned n, uint64_t start)
{
	uint64_t first =
		w->chunk_began + (n ? w->generator.slot[w->next_slot].ticks : 0) - start;
	uint64_t before = w->done + transaction_uncounted(&w->transaction), begun;

	if (w->is_scheduled)
		note_stalls(w, w->is_multiget ? n > 0 : n);
	else if (first > w->longest_stall)
		w->longest_stall = first;
	if (w->ended_at >= w->next_second)
		publish_seconds(w, w->ended_at, w->done);
	record_times(w, n);
	begun = w->done + transaction_uncounted(&w->transaction);
	w->remaining -= begun - before;
	w->snapshot_reads += n;
	publish_progress(w, n, begun);
	if (w->done >= w->next_report)
		report_thread_interval(w);
	adapt_chunk(w, start);
}

void account_inserted(struct database *database, const struct run *run)
{
	uint64_t least = UINT64_MAX, more = 0;

	if (!workload_grows(run->workload))
		return;
	for (unsigned i = 0; i < run->foreground; i++) {
		const struct worker *w = &run->workers[i];

		if (w->status != DONE) {
			database->records = 0;
			return;
		}
		if (run->context->growth[i].inserted < least)
			least = run->context->growth[i].inserted;
		more += generator_growth(&w->generator, w->next_slot, w->prepared);
	}
	if (database->records)
		database->records += more;
	if (!run->workload->weights[OP_EXPIRE])
		database->first_free_id += least * run->foreground;
	database_write_marker(database, run->workload, database->complete);
}
