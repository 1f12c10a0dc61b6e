/* worker.c: initializes and frees a worker; see worker.h. Nothing here is timed. */
#include "worker.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../engines/driver_util.h"
#include "../../util/os/supervisor.h"
#include "../../util/os/thread_delay.h"
#include "../../util/os/thread_name.h"
#include "../../util/message.h"
#include "../workload/config.h"
#include "database.h"
#include "process.h"
#include "../workload/procedure.h"

/* Keys in one multi-get. */
static unsigned multiget_size(const struct run *run)
{
	return run->settings->multiget < run->batch ? run->settings->multiget
						    : (unsigned)run->batch;
}

/*
 * The number of parts in which a rate is divided. If threads divide the operations, a
 * thread's part is that of its operations, so that all schedules end together.
 */
static double count_rate_parts(const struct worker *w)
{
	const struct run *run = w->run;

	return run->workload->divided && !run->timed && w->generator.operations
		       ? (double)run->generator.operations /
				 (double)w->generator.operations
		       : run->foreground;
}

/* Does the rate follow a sine? Each of `threads` has its part of it. */
static bool make_sine(const struct workload *role, double threads,
		      struct rate_schedule_sine *sine)
{
	*sine = (struct rate_schedule_sine){
		.a = cfg->sine_a / threads,
		.b = cfg->sine_b,
		.c = cfg->sine_c,
		.d = cfg->sine_d / threads,
		.interval = (double)cfg->sine_interval_ms / 1e3,
		.noise = cfg->sine_noise,
	};
	return role->sine ||
	       (cfg->sine_write_rate && workload_writes(role) && !workload_reads(role));
}

/*
 * The rate that its role alone has, by an option; 0: none. RocksDB's db_bench limits puts
 * of its threads, all writes of its background writer, and updates.
 */
static double find_own_rate(const struct workload *role, bool is_background)
{
	bool replaces = cfg->db_bench.on && !cfg->db_bench.leveldb;

	if (role->added)
		return (double)role->added->rate;
	if (replaces && role->weights[OP_MODIFY])
		return (double)cfg->write_rate;
	if (replaces && !is_background && workload_writes(role) &&
	    (workload_reads(role) || role->merges || role->deletes))
		return 0;
	/* its limit is of bytes; --write_rate counts values of --value_size */
	if (replaces && role->value_size)
		return strtod(cfg->db_bench.write_rate, NULL) /
		       (double)(cfg->key_size + role->value_size);
	return (double)(workload_reads(role) ? cfg->read_rate : cfg->write_rate);
}

/* Set the schedule of the thread, if its operations have scheduled starts. */
static void make_rate_schedule(struct worker *w, bool is_background)
{
	const struct run *run = w->run;
	const struct workload *role = w->generator.workload;
	const struct procedure *procedure = role->procedure;
	double own = find_own_rate(role, is_background);
	/*
	 * --rate is the total of the foreground threads; a background thread has only
	 * its own rate.
	 */
	double rate = own > 0 ? own : is_background ? 0 : (double)cfg->rate;
	bool unpaced = run->is_baseline || workload_is_maintenance(role) ||
		       (run->item->is_preparation && !role->added);
	double threads = is_background ? 1 : count_rate_parts(w);
	double per_thread = rate / threads;
	double first_gap =
		role->added ? 0 : (double)w->generator.number / run->foreground;
	bool poisson = cfg->arrivals == ARRIVALS_POISSON, sines;
	struct random stream = generator_random_stream(&w->generator, "arrivals");
	struct rate_schedule_sine sine;

	if (procedure && procedure->rate)
		per_thread =
			procedure->rate(&run->procedure, w->generator.number, &first_gap);
	/*
	 * Multi-gets start at intervals of the group's size; Poisson starts are single
	 * anyway.
	 */
	first_gap *= w->is_multiget ? multiget_size(run) : poisson ? 0 : 1;
	sines = make_sine(role, threads, &sine);
	w->is_scheduled =
		(per_thread > 0 || sines) && w->generator.operations && !unpaced;
	if (!w->is_scheduled)
		return;
	w->schedule = sines ? rate_schedule_start_sine(w->clock, 0, &sine, poisson,
						       first_gap, stream)
			    : rate_schedule_start(w->clock, 0, per_thread, poisson,
						  first_gap, stream);
	/* as RocksDB's rate limiter lets those of db_bench through */
	if (own > 0 && cfg->db_bench.on && !cfg->db_bench.leveldb && !sines && !poisson)
		rate_schedule_in_bursts(&w->schedule, 0.1);
}

/* Zeroed statistics of a thread. */
static struct thread_stats *begin_stats(const struct run *run, unsigned number)
{
	if (!run->stats)
		return message_alloc(1, sizeof *run->stats);
	memset(&run->stats[number], 0, sizeof run->stats[number]);
	return &run->stats[number];
}

static void end_stats(struct thread_stats *stats)
{
	if (!cfg->memory)
		free(stats);
}

/* Buffers for results of the slots. */
static void make_buffers(struct worker *w)
{
	unsigned slots = w->generator.slots;

	w->chunk_size_is_fixed = w->is_multiget || cfg->chunk;
	if (w->is_multiget)
		w->chunk_size = slots;
	else if (cfg->chunk)
		w->chunk_size = cfg->chunk < slots ? (unsigned)cfg->chunk : slots;
	else
		w->chunk_size = 1; /* until the duration of a call is known */
	if (w->is_multiget) {
		w->group_keys = message_alloc(slots, sizeof *w->group_keys);
		w->group_values = message_alloc(slots, sizeof *w->group_values);
		for (unsigned i = 0; i < slots; i++)
			w->group_keys[i] = w->generator.slot[i].key;
	}
	if (w->is_scheduled) {
		w->scheduled = message_alloc_aligned(slots * sizeof *w->scheduled);
		w->response = message_alloc_aligned(slots * sizeof *w->response);
	}
	w->value_scratch =
		w->verify ? message_alloc_aligned(w->run->settings->value_size) : NULL;
}

/*
 * The call of CALL_APPEND: a merge, an append, or a put. Several threads do not append in
 * order, nor does one whose keys are hashed.
 */
static enum status (*choose_append(const struct worker *w))(struct session *,
							    struct slice, struct slice)
{
	const struct engine *e = w->engine;

	if (w->transaction.bulk_load && e->bulk_put)
		return e->bulk_put;
	if (w->generator.workload->merges && e->merge)
		return e->merge;
	return w->run->foreground == 1 && e->append && cfg->key_format != KEYS_USER
		       ? e->append
		       : e->put;
}

static void init_counts(struct worker *w)
{
	const unsigned *weights = w->generator.workload->weights;

	w->latencies = w->stats->latency;
	w->responses = w->stats->responses;
	w->start_error = &w->stats->start_error;
	w->start_error->unit = clock_tick_ns(w->clock);
	for (int k = 0; k < METRICS_HISTS; k++)
		w->latencies[k].unit = w->responses[k].unit = clock_tick_ns(w->clock);
	/* LevelDB's db_bench times each record of a batch. */
	w->times_whole =
		cfg->db_bench.on &&
		(w->generator.workload->weights[OP_MODIFY] ||
		 (!cfg->db_bench.leveldb && w->transaction.writes_per_commit > 1));
	w->times_apart = cfg->format == FORMAT_YCSB &&
			 (weights[OP_MODIFY] || weights[OP_INSERT] || weights[OP_GET]);
	if (w->times_apart)
		w->missed = message_alloc(w->generator.slots, sizeof *w->missed);
	w->last_id = UINT64_MAX;
	w->second_ticks = (uint64_t)(1e9 / clock_tick_ns(w->clock));
	w->next_second = UINT64_MAX;
	w->duration_ticks = (uint64_t)(cfg->duration * 1e9 / clock_tick_ns(w->clock));
	/* with both, db_bench's operations only say how often it looks at the time */
	w->report_every = cfg->db_bench.on && cfg->stats_interval_seconds > 0
				  ? 0
				  : cfg->stats_interval;
	w->next_report = w->report_every ? w->report_every : UINT64_MAX;
}

struct thread_stats *worker_alloc_shared_stats(unsigned threads)
{
	struct thread_stats *stats = supervisor_shared_memory(threads * sizeof *stats);

	if (!stats)
		message_fatal(1, "out of memory");
	memset(stats, 0, threads * sizeof *stats);
	return stats;
}

/* What the monitor sees of a thread. `background`: its own workload, or NULL. */
static void init_monitored(struct worker *w, unsigned number,
			   const struct workload *background)
{
	struct monitored_thread *m = &w->monitored;

	m->published = &w->run->published[number];
	m->last_sample = &w->stats->last_sample;
	m->role = background ? background->name : NULL;
	m->has_no_samples =
		background && background->added && background->added->has_no_samples;
	memset(m->published, 0, sizeof *m->published);
	m->published->is_measuring = !w->is_warming_up;
}

void worker_init(struct worker *w, struct run *run, unsigned number,
		 const struct random *stream)
{
	bool is_background = number >= run->foreground;
	/* Background threads of a procedure run the procedure, too. */
	unsigned own = run->item->measured_threads;
	const struct workload *background =
				      number >= own ? run->item->added[number - own]
				      : is_background
					      ? workload_own_background(run->workload)
					      : NULL,
			      *role = background ? background : run->workload;

	memset(w, 0, sizeof *w);
	w->run = run;
	w->engine = run->engine;
	w->clock = run->info->clock;
	w->stats = begin_stats(run, number);
	w->is_warming_up = atomic_load(&run->monitor.warming);
	init_monitored(w, number, background);
	w->timed_calls = cfg->latency;
	/* Procedures check their own writes. */
	w->verify = run->settings->verify && !(is_background && run->workload->procedure);
	w->touch = (enum touch)cfg->touch;
	w->is_multiget = run->is_multiget && !is_background;
	w->transaction.bulk_load = run->bulk_load && !is_background;
	w->transaction.writes_per_commit =
		is_background || w->is_multiget ? 1 : run->batch;
	w->transaction.single_writes =
		w->transaction.writes_per_commit == 1 && !w->transaction.bulk_load;
	w->transaction.times = &w->stats->open_transaction;
	/* A multi-get and an iteration use one snapshot each anyway. */
	w->txn_reads = workload_reads(role) && !w->is_multiget &&
				       !role->weights[OP_NEXT] && !role->added &&
				       !role->weights[OP_PROCEDURE]
			       ? run->txn_reads
			       : 0;
	generator_init(&w->generator, &run->generator, role, number, stream,
		       w->stats->distinct_key_slots,
		       w->is_multiget
			       ? multiget_size(run)
			       : role->procedure && role->procedure->one_at_a_time);
	w->append = choose_append(w);
	w->iterate = role->reverse ? w->engine->prev : w->engine->next;
	w->moves_past = cfg->db_bench.on;
	w->ends_scans = cfg->db_bench.on && role->lone_iterators && w->engine->release;
	make_rate_schedule(w, is_background);
	w->backoff.random = generator_random_stream(&w->generator, "backoff");
	w->own_call = role->call ? role->call : procedure_run_do;
	for (const struct extra *const *extra = extra_all(); *extra; extra++)
		if ((*extra)->begin_worker)
			(*extra)->begin_worker(w);
	make_buffers(w);
	init_counts(w);
	if (role->weights[OP_PROCEDURE])
		procedure_run_create_thread(w, stream);
	w->planned = w->remaining = w->generator.operations;
	if (w->is_warming_up)
		w->remaining = UINT64_MAX;
}

void worker_prepare_thread(const struct worker *w)
{
	static const char *const roles[2][3] = {{"read", "write", "mixed"},
						{"bgread", "bgwrite", "bgmixed"}};
	const struct workload *role = w->generator.workload;
	bool reads = workload_reads(role), writes = workload_writes(role);

	process_pin_thread(w->generator.number);
	thread_name_set(roles[w->generator.is_background][reads == writes ? 2 : writes]);
}

void worker_free(struct worker *w)
{
	for (const struct extra *const *extra = extra_all(); *extra; extra++)
		if ((*extra)->end_worker)
			(*extra)->end_worker(w);
	generator_free(&w->generator);
	end_stats(w->stats);
	free(w->scheduled);
	free(w->response);
	free(w->group_keys);
	free(w->group_values);
	free(w->value_scratch);
	procedure_thread_free(w->procedure);
	free(w->procedure_parameters);
	free(w->missed);
}

void worker_publish_sample(struct worker *w, unsigned request)
{
	struct thread_sample *sample = w->monitored.sample;

	if (!sample || w->is_warming_up)
		return;
	/* A thread that has ended has no other chunk to try in. */
	if (w->is_leaving)
		pthread_mutex_lock(&sample->lock);
	else if (pthread_mutex_trylock(&sample->lock))
		return;
	for (int k = 0; k < KINDS; k++)
		if (w->ops_by_kind[k]) {
			sample->latency[k] = w->latencies[k];
			if (w->is_scheduled)
				sample->responses[k] = w->responses[k];
		}
	memcpy(sample->ops_by_kind, w->ops_by_kind, sizeof w->ops_by_kind);
	sample->ops = w->done;
	w->sample_answered = sample->request = request;
	pthread_mutex_unlock(&sample->lock);
}

void worker_begin_cpu(struct worker *w)
{
	w->runnable_before_s = thread_delay_runnable_s();
	w->cpu_before_s = resource_usage_thread_cpu();
}

void worker_end_cpu(struct worker *w)
{
	w->cpu_s = resource_usage_thread_cpu() - w->cpu_before_s;
	w->runnable_s = thread_delay_runnable_s() - w->runnable_before_s;
}

void worker_begin_measuring(struct worker *w, uint64_t ticks)
{
	bool ends = w->run->timed && !w->generator.is_background && !w->is_warming_up;

	w->began = ticks;
	w->end_ticks = ends ? ticks + w->duration_ticks : UINT64_MAX;
	w->last_finish = ticks;
	w->next_second = w->is_warming_up || w->run->is_baseline
				 ? UINT64_MAX
				 : w->run->metrics.began.ticks + w->second_ticks;
	if (w->observer && w->observer->began)
		w->observer->began(w);
}

void worker_end_warmup(struct worker *w)
{
	/* the warm-up may end with the thread */
	const uint64_t began =
		worker_is_warmed_up(w) ? w->run->metrics.began.ticks : w->ended_at;

	w->is_warming_up = false;
	for (int k = 0; k < METRICS_HISTS; k++) {
		double unit = w->latencies[k].unit;

		memset(&w->latencies[k], 0, sizeof w->latencies[k]);
		w->latencies[k].unit = unit;
		if (w->is_scheduled) {
			memset(&w->responses[k], 0, sizeof w->responses[k]);
			w->responses[k].unit = unit;
		}
	}
	for (int k = 0; k < KINDS; k++)
		w->monitored.published->ops_by_kind[k] = w->ops_by_kind[k] = 0;
	memset(w->start_error, 0, sizeof *w->start_error);
	w->start_error->unit = w->latencies->unit;
	generator_reset_counts(&w->generator);
	if (w->procedure)
		procedure_reset_counts(w->procedure);
	w->tally = (struct read_tally){0};
	w->done = w->wrong = w->disordered = w->entries = w->deletes = 0;
	w->conflicts = w->retries = w->retry_ticks = 0;
	w->longest_stall = 0;
	worker_begin_cpu(w);
	w->reported = 0;
	w->reported_seconds = 0;
	w->next_report = w->report_every ? w->report_every : UINT64_MAX;
	w->remaining = w->planned;
	w->is_iterating = false;
	worker_begin_measuring(w, began);
	if (w->ended_at < w->began)
		w->ended_at = w->began;
	w->monitored.published->ops = w->monitored.published->seconds_passed = 0;
	atomic_store_explicit(&w->monitored.published->is_measuring, true,
			      memory_order_release);
	/*
	 * A transaction begun in the warm-up ends while measuring; its first part is
	 * not counted.
	 */
	transaction_discard_times(&w->transaction);
	w->transaction.open_since_warmup |= w->transaction.pending > 0;
	w->transaction.pending = w->transaction.commits = 0;
	w->transaction_start.tally = w->tally;
}

void worker_wait_at_gate(struct worker *w)
{
	struct pause_gate *gate = &w->run->gate;
	uint64_t since = w->ended_at;

	pthread_mutex_lock(&gate->lock);
	gate->waiting_threads++;
	while (atomic_load(&gate->closed))
		pthread_cond_wait(&gate->gate_opened, &gate->lock);
	gate->waiting_threads--;
	pthread_mutex_unlock(&gate->lock);
	/* The wait counts like a call that took this long. */
	w->ended_at = clock_ticks(w->clock);
	if (!w->is_scheduled && w->ended_at - since > w->longest_stall)
		w->longest_stall = w->ended_at - since;
}

/* Do all other threads wait, or have they ended? */
static bool do_all_wait(struct worker *w)
{
	struct run *run = w->run;
	unsigned busy = run->all_threads - 1;

	pthread_mutex_lock(&run->gate.lock);
	for (unsigned i = 0; i < run->all_threads; i++)
		busy -= &run->workers[i] != w &&
			atomic_load(&run->workers[i].monitored.finished);
	busy -= run->gate.waiting_threads;
	pthread_mutex_unlock(&run->gate.lock);
	return !busy;
}

void worker_close_gate(struct worker *w)
{
	const struct timespec soon = {0, 500000};
	struct run *run = w->run;

	atomic_store(&run->gate.closed, true);
	while (!do_all_wait(w)) {
		/* A thread that has not noticed yet ends its chunk, and notices. */
		atomic_fetch_add(&run->monitor.sample_request, 1);
		for (unsigned i = 0; i < run->all_threads; i++)
			atomic_store_explicit(&run->workers[i].monitored.chunk_end, NULL,
					      memory_order_relaxed);
		nanosleep(&soon, NULL);
	}
}

void worker_open_gate(struct worker *w)
{
	struct pause_gate *gate = &w->run->gate;

	pthread_mutex_lock(&gate->lock);
	atomic_store(&gate->closed, false);
	pthread_cond_broadcast(&gate->gate_opened);
	pthread_mutex_unlock(&gate->lock);
}

/* ---- transactions ---- */

void worker_rewind_transaction(struct worker *w)
{
	w->remaining += w->transaction.pending;
	w->retries += w->transaction.pending;
	w->retry_ticks += transaction_discard_times(&w->transaction);
	if (w->observer && w->observer->undone)
		w->observer->undone(w);
	w->transaction.must_regenerate = false;
	w->transaction.pending = w->transaction.marked = 0;
	w->transaction.open_since_warmup = false;
	w->tally = w->transaction_start.tally;
	w->schedule = w->transaction_start.schedule;
	generator_restore(&w->generator, &w->transaction_start.generator);
	w->next_slot = w->prepared = w->slots_begun = 0;
}

void worker_count_committed(struct worker *w)
{
	uint64_t writes = transaction_commit_times(
		&w->transaction, w->timed_calls ? &w->latencies[KIND_WRITE] : NULL,
		w->is_scheduled ? &w->responses[KIND_WRITE] : NULL,
		w->is_scheduled ? w->start_error : NULL);

	w->ops_by_kind[KIND_WRITE] += writes;
	w->done += writes;
}

void worker_count_begun(struct worker *w)
{
	for (unsigned i = w->next_slot; i < w->slots_begun; i++)
		w->ops_unfinished += !(w->generator.slot[i].call & CALL_FIRST_OF_TWO) ||
				     i + 1 == w->slots_begun;
}

void worker_finish_schedule(struct worker *w)
{
	uint64_t end = w->run->timed
			       ? w->began + w->duration_ticks
			       : rate_schedule_end(&w->schedule, w->began, w->planned);
	uint64_t now;

	if (!w->run->timed && !w->remaining)
		rate_schedule_wait_until(&w->schedule, end, &w->run->monitor.stop);
	now = clock_ticks(w->clock);
	end = end < now ? end : now;
	if (w->ended_at < end)
		w->ended_at = end;
}

void worker_finish_transaction(struct worker *w)
{
	enum status (*end)(struct session *) =
		w->transaction.bulk_load ? w->engine->bulk_end : w->engine->commit;

	if (!transaction_is_open(&w->transaction))
		return;
	if (w->status == DONE && !w->transaction.rolled_back &&
	    (!end || (w->status = end(w->session)) == DONE)) {
		w->transaction.commits += w->transaction.pending > 0;
		worker_count_committed(w);
		w->ended_at = clock_ticks(w->clock);
		return;
	}
	if (w->engine->rollback)
		w->engine->rollback(w->session);
	if (w->is_scheduled)
		w->ops_unfinished += transaction_uncounted(&w->transaction);
	if (w->transaction.writes_per_commit > 1) {
		w->generator.inserted = w->transaction_start.generator.inserted;
		w->next_slot = w->prepared = 0;
	}
	transaction_discard_times(&w->transaction);
	if (w->observer && w->observer->undone)
		w->observer->undone(w);
	w->tally.bytes = w->transaction_start.tally.bytes;
	w->tally.digest = w->transaction_start.tally.digest;
}

/* ---- all workers of a run ---- */

static struct thread_sample *sample_of(void *owner, unsigned thread)
{
	return &((struct run *)owner)->workers[thread].stats->sample;
}

static void print_engine_statistics(void *owner)
{
	const struct run *run = owner;
	enum { SIZE = 1 << 16 };
	char *text = message_alloc(SIZE, 1);

	driver_util_property(run->engine, run->db, "stats", text, SIZE);
	message_print_bare("%s\n", text);
	free(text);
}

static double disk_bytes(void *owner)
{
	return database_size(((struct run *)owner)->info->database).disk;
}

void worker_start_monitor(struct run *run)
{
	struct monitor *m = &run->monitor;

	run->monitored = message_alloc(run->all_threads, sizeof *run->monitored);
	for (unsigned i = 0; i < run->all_threads; i++)
		run->monitored[i] = &run->workers[i].monitored;
	m->benchmark = run->workload->name;
	m->time = run->time;
	m->iteration = run->item->iteration;
	m->all_threads = run->all_threads;
	m->foreground = run->foreground;
	m->measured_threads = run->item->measured_threads;
	m->threads = run->monitored;
	m->clock = run->info->clock;
	m->cgroup = run->context->cgroup;
	m->timed = run->timed;
	m->planned = run_planned_operations(run);
	m->wake_fd = run->context->wake_fd;
	m->interrupted = run->context->interrupted;
	m->begin_measuring = run_begin_measuring;
	m->disk_bytes = disk_bytes;
	m->print_statistics = print_engine_statistics;
	m->owner = run;
	if (*cfg->timeline && !run->item->is_warmup)
		monitor_start_timeline(m, sample_of);
}

double worker_last_end_seconds(const struct run *run, unsigned threads)
{
	uint64_t end = run->metrics.began.ticks;

	for (unsigned i = 0; i < threads; i++)
		end = run->workers[i].ended_at > end ? run->workers[i].ended_at : end;
	return (double)clock_ns(run->info->clock, end - run->metrics.began.ticks) / 1e9;
}

void worker_free_all(struct run *run)
{
	for (unsigned i = 0; run->workers && i < run->all_threads; i++)
		worker_free(&run->workers[i]);
	free(run->workers);
	run->workers = NULL;
}

enum status worker_scan_many(struct worker *w, uint64_t records)
{
	enum { MOST = 64 };
	struct slice keys[MOST], values[MOST];
	enum status status = DONE;

	while (records && status == DONE) {
		unsigned n = records < MOST ? (unsigned)records : MOST;

		status = w->engine->next_many(w->session, keys, values, &n);
		if (status != DONE)
			break;
		records -= n;
		w->entries += n;
		for (unsigned i = 0; i < n; i++) {
			read_tally_add(&w->tally, keys[i], w->touch);
			read_tally_add(&w->tally, values[i], w->touch);
			if (w->verify)
				verify_record(w, UINT64_MAX, keys[i], values[i]);
		}
	}
	return status;
}
