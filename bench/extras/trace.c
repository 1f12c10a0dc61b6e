/*
 * trace.c: traces of operations: --trace_in replays one (replay.h), --trace_out writes
 * one (trace_writer.h).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../util/message.h"
#include "../../util/option.h"
#include "../runner/database.h"
#include "../runner/worker.h"
#include "../workload/config.h"
#include "replay.h"
#include "trace_writer.h"

extern const struct extra trace_extra;

static struct trace_settings trace_settings_read;
const struct trace_settings *const trace_settings = &trace_settings_read;

static const struct option trace_options[] = {
	{"trace_out", "",
	 "File to which the operations of one workload are recorded, in the format "
	 "of --trace_in; the workload replay repeats them. Empty: none. The recorded "
	 "workload is the one in --benchmarks that is not a load; several such "
	 "workloads are refused. If all are loads, --benchmarks must have exactly "
	 "one, which is recorded. Maintenance such as compact is not recorded and "
	 "does not count. Files named *.gz or *.zst are compressed. A file named "
	 "*.oracleGeneral or *.oracleGeneral.zst is in libCacheSim's format, without "
	 "deletes and seeks. Contents of values follow from key and size only, so "
	 "that a replay writes the same.",
	 .text = &trace_settings_read.out, .group = "Traces"},
	{"trace_in", "",
	 "File of recorded operations, for the workloads replay and replay-load; "
	 "empty: none. Its content tells the format: Twitter's, Meta's kvcache, "
	 "libCacheSim's oracleGeneral or RocksDB's. A line of Twitter's is "
	 "time,key,key size,value size,client,operation,TTL[,found]. Operations "
	 "replayed as a read: get, gets; as a put: set; as a delete: delete; as a "
	 "seek: scan. add: a read, then a put if the key does "
	 "not exist. replace, cas, append, prepend, incr, decr: a read, then a put "
	 "if it exists. Times are seconds, sizes bytes; TTLs are ignored. found is 1 "
	 "if a get found a record, 0 if not. The line Trace of the output says what "
	 "the replay leaves out. Files named *.gz or *.zst are decompressed.",
	 .text = &trace_settings_read.in},
	{"speed", "0",
	 "Speed of the workload replay relative to the recorded times (open "
	 "loop): 2 is twice as fast. Above 0 it overrides --rate. 0: ignore "
	 "the times; go at --rate, or as fast as possible.",
	 .real = &trace_settings_read.speed, .real_max = 1e9},
	{"trace_clients", "0",
	 "1: the workload replay uses one thread for each client that the trace "
	 "names. 0: it uses --threads threads.",
	 .flag = &trace_settings_read.clients},
	{0},
};

/* The state of a run. */
struct trace_run {
	struct replay_reader *reader; /* of a replay, or NULL */
	struct replay_gets gets;      /* of all its threads */
};

struct trace_columns {
	double replay_gets_found, replay_gets_lost, replay_gets_gained,
		replay_ttls_ignored;
};

static const struct row_file_column trace_column_table[] = {
	RESULT_NUMBER(trace_columns, replay_gets_found, 0,
		      "Number of gets in a replay that had found a record when the "
		      "trace was recorded. Empty: the trace does not say, or no "
		      "replay."),
	RESULT_NUMBER(trace_columns, replay_gets_lost, 0,
		      "Number of gets that found a record when the trace was recorded, "
		      "and none in the replay: near 0 if the replay is faithful. Empty: "
		      "the trace does not say, or no replay."),
	RESULT_NUMBER(trace_columns, replay_gets_gained, 0,
		      "Number of gets that found no record when the trace was recorded, "
		      "and one in the replay: near 0 if the replay is faithful. Empty: "
		      "the trace does not say, or no replay."),
	RESULT_NUMBER(trace_columns, replay_ttls_ignored, 0,
		      "Number of writes in the trace that have a time to live. The "
		      "replay ignores it: no record expires. Empty: no replay."),
};

static bool is_replay(const struct workload *workload)
{
	return workload->next == replay_next;
}

/* Does a replay compare what its gets find with the recording? */
static bool counts_gets(const struct workload *workload)
{
	return is_replay(workload) && !workload->starts_empty &&
	       trace_settings->facts.is_found_known;
}

/* ---- before any file is touched ---- */

static void set_any_size_max(size_t size)
{
	struct record_sizes values = cfg->value_sizes;

	values.any_size_max = values.max > size ? values.max : size;
	config_set_value_sizes(&values);
}

static void trace_configure(const char *preset)
{
	(void)preset;
	/* Values are made from their size alone, which does not tell the generation. */
	if (*trace_settings->out || *trace_settings->in)
		set_any_size_max(0);
}

static unsigned trace_change_plan(struct plan_item *list, unsigned count, unsigned most)
{
	(void)most;
	count = replay_change_plan(list, count, &trace_settings_read.facts);
	if (trace_settings->facts.key_max)
		set_any_size_max(trace_settings->facts.value_max);
	return count;
}

static void trace_check_plan(const struct plan_item *list, unsigned count)
{
	(void)count;
	trace_settings_read.writes_load = trace_writer_check_plan(list);
}

static const char *trace_observes(const struct plan_item *item)
{
	if (trace_writer_traces(item->workload))
		return "--trace_out";
	return counts_gets(item->workload)
		       ? "the comparison with what gets found when they were recorded"
		       : NULL;
}

/* Keys of a trace have any form and size. */
static void trace_check_settings(const struct plan_item *item, const struct settings *s)
{
	if (!is_replay(item->workload))
		return;
	if (engine.fixed_size || s->native_keys)
		message_fatal(2, "--trace_in: %s",
			      engine.fixed_size ? "this engine's records have one size, "
						  "and a trace's differ"
						: "its keys are not integers; leave out "
						  "--key_format=native");
	if (engine.key_limit && trace_settings->facts.key_max > engine.key_limit)
		message_fatal(2,
			      "--trace_in: its longest key has %zu bytes, and %s takes "
			      "at most %zu",
			      trace_settings->facts.key_max, engine.title,
			      engine.key_limit);
}

static bool trace_is_scheduled(const struct workload *workload)
{
	return is_replay(workload) && !workload->starts_empty &&
	       trace_settings->speed > 0;
}

/*
 * The records are those of the trace, or those and the options'. A trace gives the number
 * of lines that load records, but not the number of keys.
 */
static void trace_describe_records(struct records_summary *records)
{
	const struct trace_facts *facts = &trace_settings->facts;

	records->trace = facts->key_max ? facts->description : NULL;
	if (facts->is_only_source) {
		snprintf(records->keys, sizeof records->keys,
			 "to %zu bytes, as in the trace", facts->key_max);
		snprintf(records->values, sizeof records->values,
			 "to %zu bytes, as in the trace", facts->value_max);
		records->count = (double)facts->loads;
		records->key_bytes = (double)facts->loaded_key_bytes;
		records->value_bytes = (double)facts->loaded_value_bytes;
		records->at_most = true;
	} else if (facts->key_max) {
		message_append(records->keys, sizeof records->keys, "; ",
			       "to %zu in the trace", facts->key_max);
		message_append(records->values, sizeof records->values, "; ",
			       "to %zu in the trace", facts->value_max);
	}
}

/* ---- while it runs ---- */

/*
 * A replay, and a load before it, write the same values as the recording did in the same
 * epochs.
 */
static void trace_begin_run(struct run *run)
{
	run->generator.values_by_key |=
		*trace_settings->out || is_replay(run->workload) ||
		(*trace_settings->in && run->workload->starts_empty);
}

static void trace_add_chunk(struct worker *w, unsigned n)
{
	const struct trace_writer_chunk chunk = {
		.generator = &w->generator,
		.from = w->next_slot,
		.n = n,
		.began = w->run->metrics.began.ticks,
		.start = w->chunk_began,
		.end = w->ended_at,
		.scheduled = w->is_scheduled ? w->scheduled : NULL,
		.response = w->response,
		.batched = !w->transaction.single_writes && !w->transaction.bulk_load,
		.uncommitted = transaction_open_calls(&w->transaction, n),
		.is_multiget = w->is_multiget,
	};

	if (counts_gets(w->generator.workload))
		replay_note_done(&w->generator, w->next_slot, n);
	if (w->observer_state)
		trace_writer_add(w->observer_state, &chunk);
}

static void trace_note_missing(struct worker *w, unsigned slot)
{
	if (counts_gets(w->generator.workload))
		replay_note_missing(&w->generator, slot);
	trace_writer_note_missing(w->observer_state, slot);
}

static void trace_undo(struct worker *w)
{
	trace_writer_undo(w->observer_state);
}

static const struct chunk_observer trace_observer = {
	.done = trace_add_chunk,
	.missing = trace_note_missing,
	.undone = trace_undo,
};

/* Take operations from a trace, and their schedule if it is used. */
static void begin_replay(struct worker *w)
{
	struct run *run = w->run;
	struct trace_run *state = extra_state(&run->extras, &trace_extra);
	bool real = !run->is_baseline,
	     timed = real && trace_is_scheduled(w->generator.workload);

	w->is_scheduled |= timed;
	replay_start(&w->generator,
		     &(struct replay_arguments){.reader = &state->reader,
						.threads = run->foreground,
						.calibrating = !real,
						.stop = &run->monitor.stop,
						.schedule = timed ? &w->schedule : NULL,
						.clock = w->clock});
}

static void trace_begin_worker(struct worker *w)
{
	if (is_replay(w->generator.workload))
		begin_replay(w);
	w->observer_state =
		w->run->is_baseline
			? NULL
			: trace_writer_start(w->generator.workload, w->generator.number);
	if (w->observer_state ||
	    (counts_gets(w->generator.workload) && !w->run->is_baseline))
		w->observer = &trace_observer;
}

static void trace_end_worker(struct worker *w)
{
	replay_end(&w->generator);
	if (w->observer == &trace_observer)
		trace_writer_free(w->observer_state);
}

/* Reading a trace is the harness's work, like main()'s. */
static double trace_cpu_seconds(const struct run *run)
{
	const struct trace_run *state = extra_state(&run->extras, &trace_extra);

	return replay_cpu_seconds(state->reader);
}

static void sum_gets(const struct run *run)
{
	struct trace_run *state = extra_state(&run->extras, &trace_extra);

	for (unsigned i = 0; i < run->foreground; i++) {
		const struct replay_gets *own =
			replay_gets_of(&run->workers[i].generator);

		state->gets.recorded_found += own->recorded_found;
		state->gets.lost += own->lost;
		state->gets.gained += own->gained;
	}
}

/* All threads have ended: write the trace of --trace_out, if it is given. */
static void trace_end_run(struct run *run)
{
	struct trace_writer **writers;

	if (!run->workers || run->workers->observer != &trace_observer)
		return;
	if (counts_gets(run->workload))
		sum_gets(run);
	if (!run->workers->observer_state)
		return;
	writers = message_alloc(run->all_threads, sizeof(struct trace_writer *));
	for (unsigned i = 0; i < run->all_threads; i++)
		writers[i] = run->workers[i].observer_state;
	trace_writer_finish(writers, run->all_threads, run->info->clock,
			    &run->info->database->failure);
	free(writers);
}

/* ---- results ---- */

static const char *trace_emulated(const struct aggregate *a)
{
	return is_replay(a->workload) && trace_settings->facts.ttls ? "expiry, by nothing"
								    : NULL;
}

static void trace_describe(const struct aggregate *a, struct result *r)
{
	const struct trace_facts *facts = &trace_settings->facts;

	if (!is_replay(a->workload))
		return;
	r->value_sizes =
		message_keep(a->texts, "0-%zu, as in the trace", facts->value_max);
	r->value_size = a->workload->starts_empty
				? (double)facts->loaded_value_bytes / (double)facts->loads
				: (double)facts->written_bytes / (double)facts->writes;
	r->distribution = "trace";
}

/* A replay on other records than the recording's does other work. */
static const char *trace_warning(const struct aggregate *a)
{
	const struct trace_run *state = extra_state(a->extras, &trace_extra);

	if (state->gets.lost * 100 <= state->gets.recorded_found)
		return NULL;
	return message_keep(
		a->texts,
		"%.3g %% of the gets that had found a record when the trace was "
		"recorded found none; load the same records",
		100 * (double)state->gets.lost / (double)state->gets.recorded_found);
}

static void fill_gets(const struct aggregate *a, struct result *r)
{
	const struct trace_run *state = extra_state(a->extras, &trace_extra);
	struct trace_columns *columns = result_added(r, &trace_extra.columns);

	if (!counts_gets(a->workload))
		return;
	columns->replay_gets_found = (double)state->gets.recorded_found;
	columns->replay_gets_lost = (double)state->gets.lost;
	columns->replay_gets_gained = (double)state->gets.gained;
}

static void trace_fill(const struct aggregate *a, struct result *r)
{
	fill_gets(a, r);
	if (is_replay(a->workload)) {
		struct trace_columns *columns = result_added(r, &trace_extra.columns);

		columns->replay_ttls_ignored = (double)trace_settings->facts.ttls;
	}
	if (!trace_is_scheduled(a->workload) || isnan(a->target_rate))
		return;
	r->arrivals = message_keep(a->texts, "recorded, at %g times the speed",
				   trace_settings->speed);
}

const struct extra trace_extra = {
	.options = trace_options,
	.workloads = replay_workloads,
	.columns = ROW_FILE_COLUMNS(trace_column_table),
	.configure = trace_configure,
	.change_plan = trace_change_plan,
	.check_plan = trace_check_plan,
	.observes = trace_observes,
	.check_settings = trace_check_settings,
	.is_scheduled = trace_is_scheduled,
	.describe_records = trace_describe_records,
	.state_size = sizeof(struct trace_run),
	.begin_run = trace_begin_run,
	.begin_worker = trace_begin_worker,
	.end_worker = trace_end_worker,
	.cpu_seconds = trace_cpu_seconds,
	.end_run = trace_end_run,
	.warning = trace_warning,
	.emulated = trace_emulated,
	.describe = trace_describe,
	.fill = trace_fill,
};
