/*
 * bench.c: a benchmark of embedded key-value stores.
 *
 * Linked with one driver (engines/NAME.c), bench/ and util/, it becomes bench_NAME. This
 * file holds what decides whether a result can be trusted. main() runs the workloads of a
 * plan one after another on one database. do_benchmark() is one measurement, from open
 * to close. do_work() is what each thread does, and contains the only timed loop. The
 * file reads downwards in sections; within a section callees come first.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/report/aggregate.h"
#include "bench/report/print.h"
#include "bench/report/row.h"
#include "bench/extras/extras.h"
#include "bench/runner/account.h"
#include "bench/runner/child_state.h"
#include "bench/runner/database.h"
#include "bench/runner/process.h"
#include "bench/runner/settings.h"
#include "bench/runner/worker.h"
#include "bench/workload/config.h"
#include "bench/workload/help.h"
#include "bench/workload/plan.h"
#include "engines/driver_util.h"
#include "util/db_dir.h"
#include "util/message.h"
#include "util/os/big_stack.h"
#include "util/os/cgroup.h"
#include "util/os/supervisor.h"

/*
 * The only place: Makefile reads it; test.sh compares CHANGELOG and the Debian package.
 */
#define VERSION "0.3.0"
#define DATE "November 24, 2026"
#ifndef ASSAY_COMMIT
#define ASSAY_COMMIT "unknown"
#endif
#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif
#ifdef __OPTIMIZE__
#define BUILD COMPILER
#else
#define BUILD COMPILER " without optimization"
#endif

/*
 * The null driver is linked into every program besides its own driver: it measures what
 * the harness itself costs.
 */
extern const struct engine baseline_engine;

/* ---- the program ---- */

/* State that lasts from one benchmark to the next. */
struct program_state {
	char *command;
	struct clock clock;
	struct host host;
	char build[1536];   /* library version, and whether it is fit for comparison */
	char allocator[64]; /* the file that malloc comes from */
	struct database database;
	struct program_facts info; /* for the report */
	struct cgroup cgroup;      /* for --memory */
	struct program_context context;
	bool out_of_memory; /* the kernel killed the child */
	bool any_invalid;   /* the exit status is 1 */
};

/* Shared with the parent, which outlives this process. */
static struct child_state *child_state;

static const struct program_info this_program = {VERSION, DATE, ASSAY_COMMIT, BUILD};
static volatile sig_atomic_t interrupt_signal; /* the signal received, or 0 */
static int wake_pipe[2]; /* wakes the monitor; signals and ending threads write to it */

static void prepare_program(struct program_state *s, const struct plan_item *list,
			    char **argv);
static void do_benchmark(struct program_state *s, const struct plan_item *item,
			 const struct plan_item *next_item);
static int report_child_death(struct program_state *s, enum supervisor_outcome end,
			      int how);

/* Report the signal that ended the program; returns the exit status. */
static int report_interruption(void)
{
	message_print("interrupted by %s; the current benchmark is invalid, "
		      "and the list ends",
		      strsignal(interrupt_signal));
	return 128 + interrupt_signal;
}

/* Consecutive benchmarks of the plan that one process runs. */
struct job {
	struct program_state *program;
	const struct plan_item *items;
	unsigned n;
};

/* Run a job in this process; returns its exit status. */
static int do_job_here(const struct job *job)
{
	static const struct plan_item none;
	struct program_state *s = job->program;

	resource_usage_watch(database_storage_path(&s->database));
	for (unsigned i = 0; i < job->n && job->items[i].workload; i++) {
		if (s->database.failure.failed || interrupt_signal)
			break;
		do_benchmark(s, &job->items[i],
			     i + 1 < job->n ? &job->items[i + 1] : &none);
	}
	return interrupt_signal ? report_interruption()
				: s->database.failure.failed || s->any_invalid;
}

/*
 * Close everything that is open and check that all output was printed; returns the exit
 * status.
 */
static int finish_program(struct program_state *s, int status)
{
	database_finish(&s->database);
	free(s->context.growth);
	free(s->command);
	if (!status && (fflush(stdout) || ferror(stdout))) {
		message_print("standard output is incomplete: %s", strerror(errno));
		status = 1;
	}
	return status;
}

/* Lets the supervisor see that the child makes progress. */
static uint64_t child_progress(void)
{
	return child_state_progress(child_state);
}

/* The child's main function. */
static int do_job_as_child(void *argument)
{
	const struct job *job = argument;
	char error[CGROUP_ERROR_SIZE];

	if (cfg->memory && !cgroup_enter(&job->program->cgroup, error))
		message_fatal(1, "--memory: %s", error);
	return finish_program(job->program, do_job_here(job));
}

/* Run a job in a child, which may die or hang; returns the exit status. */
static int do_job_in_child(const struct job *job)
{
	struct program_state *s = job->program;
	char error[CGROUP_ERROR_SIZE];
	struct job child_job = *job;
	enum supervisor_outcome end;
	int how, error_number;

	if (cfg->memory && !cgroup_create(&s->cgroup, cfg->memory, error))
		message_fatal(1, "--memory: %s", error);
	end = supervisor_run(do_job_as_child, &child_job, child_progress,
			     cfg->hang_timeout, &how);
	error_number = errno;
	s->out_of_memory = cgroup_killed(&s->cgroup);
	cgroup_remove(&s->cgroup);
	if (end == SUPERVISOR_EXITED && how < 0)
		message_fatal(1,
			      "cannot start a child process: %s; --supervise=0 needs "
			      "none",
			      strerror(error_number));
	return end == SUPERVISOR_EXITED ? how : report_child_death(s, end, how);
}

/* Run the whole plan, items_per_process at a time. */
static int do_plan(struct program_state *s, const struct plan_item *list,
		   unsigned items_per_process)
{
	int status = 0;

	for (const struct plan_item *item = list; item->workload;
	     item += items_per_process) {
		const struct job child_job = {s, item, items_per_process};
		int now = cfg->supervise ? do_job_in_child(&child_job)
					 : do_job_here(&child_job);

		status = !status || interrupt_signal ? now : status;
		if (interrupt_signal || child_state->stop_list ||
		    !item[items_per_process].workload)
			break;
		for (unsigned i = 0; i < items_per_process; i++)
			database_reload_facts(&s->database, &item[i]);
	}
	if (interrupt_signal && status != 128 + interrupt_signal)
		status = report_interruption();
	return status;
}

static int run_program_with_options(int argc, char **argv)
{
	static struct plan_item list[PLAN_ITEMS_MAX + 1];
	struct program_state state = {.database = {.db_dir = {.marker_fd = -1},
						   .raw_device = {.fd = -1},
						   .cold = {.method = ""}}};
	const struct option *const *known;
	unsigned items_per_repetition; /* plan items, without --repeat */
	int status;

	extra_set(extras_table);
	known = config_parse(argc, argv);
	if (help_print(&cfg->help_request, known, &this_program))
		return 0;
	config_apply();
	database_apply_device_share();
	items_per_repetition = plan_make(list, PLAN_ITEMS_MAX);
	prepare_program(&state, list, argv);
	print_header(&state.info);
	status = finish_program(&state, do_plan(&state, list,
						cfg->isolate ? 1 : items_per_repetition));
	database_remove_copy();
	return status;
}

int main(int argc, char **argv)
{
	return big_stack_run(run_program_with_options, argc, argv);
}

/* ---- from the command line to a plan ---- */

/* The first Ctrl-C ends the run in order; a second one kills the process. */
static void on_signal(int number)
{
	/* The same signal within REPEAT_NS is a repetition by timeout(1) or a parent. */
	const uint64_t REPEAT_NS = 250000000;
	static uint64_t first;
	uint64_t now = clock_raw_ns();
	int saved = errno;

	if (interrupt_signal && now - first > REPEAT_NS) {
		signal(number, SIG_DFL);
		raise(number);
		return;
	}
	first = interrupt_signal ? first : now;
	interrupt_signal = number;
	if (write(wake_pipe[1], "", 1) < 0) {
		/* The pipe is full, so the monitor is awake. */
	}
	errno = saved;
}

static void catch_signals(void)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

	if (pipe(wake_pipe))
		message_fatal(1, "cannot make a pipe: %s", strerror(errno));
	for (int i = 0; i < 2; i++)
		fcntl(wake_pipe[i], F_SETFL, O_NONBLOCK);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	/*
	 * The write beyond the file size limit fails with EFBIG, and its caller reports
	 * that.
	 */
	signal(SIGXFSZ, SIG_IGN);
}

/* Invalid configurations are rejected with status 2, before any file is touched. */
static void prepare_program(struct program_state *s, const struct plan_item *list,
			    char **argv)
{
	settings_make(&s->database, list);
	s->command = message_quote_command(argv);
	if ((cfg->memory || cfg->isolate || cfg->repeat > 1) && !cfg->supervise)
		message_fatal(2, "--%s needs child processes; leave out --supervise=0",
			      cfg->memory    ? "memory"
			      : cfg->isolate ? "isolate"
					     : "repeat");
	process_bind();
	if (cfg->timer == TIMER_COUNTER && !clock_counter_usable())
		message_fatal(2, "--timer: this CPU has no invariant counter; give "
				 "--timer=monotonic");
	if (cfg->memory)
		process_check_memory_limit(argv);
	run_open_profiler();
	print_check_files();
	if (!engine.stores_nothing)
		database_prepare(&s->database, list);
	s->clock =
		clock_calibrate(cfg->timer != TIMER_MONOTONIC && clock_counter_usable());
	s->host = host_describe();
	child_state = child_state_create(s->database.settings.sessions);
	s->database.activity = &child_state->activity;
	catch_signals();
	s->context = (struct program_context){
		.engine = &engine,
		.info = &s->info,
		.cgroup = &s->cgroup,
		.progress = child_state->progress,
		.growth = message_alloc_aligned(s->database.settings.sessions *
						sizeof *s->context.growth),
		.wake_fd = wake_pipe[0],
		.interrupted = &interrupt_signal,
	};
	if (cfg->memory)
		s->context.stats =
			worker_alloc_shared_stats(s->database.settings.sessions);
	process_describe_library(s->build, sizeof s->build);
	process_describe_allocator(s->allocator, sizeof s->allocator);
	s->info = (struct program_facts){&this_program, s->command,
					 s->build,      s->allocator,
					 &s->host,      &s->clock,
					 &s->database,  &child_state->report_state};
#ifndef __OPTIMIZE__
	message_print("built without optimization: do not publish these results");
#endif
}

/* ---- one benchmark, from open to close ---- */

static void report_run(const struct run *run, struct result *r);
static void report_not_run(struct program_state *s, const struct plan_item *item,
			   uint64_t ops, const char *why);
static void measure_run(struct run *run);
static double measure_baseline(const struct run *run);

/*
 * Must the database be closed after this benchmark? Yes if no other follows, or the
 * next one opens it differently.
 */
static bool must_close(const struct program_state *s, const struct plan_item *after)
{
	return cfg->reopen || cfg->cold || s->database.failure.failed ||
	       s->database.engine_failed || interrupt_signal || !after->workload ||
	       plan_item_empties(after) ||
	       after->durability != s->database.open_durability;
}

static void note_engine_failure(struct program_state *s, const struct run *run)
{
	for (unsigned i = 0; i < run->all_threads && run->workers; i++)
		s->database.engine_failed |= run->workers[i].status != DONE;
}

/* Settle before anything is checked: checks take time in which the engine works on. */
static void settle_after_run(struct program_state *s, const struct run *run,
			     struct result *r)
{
	note_engine_failure(s, run);
	if (cfg->settle && driver_util_can_settle(&engine) && run->workers &&
	    !s->database.failure.failed && !s->database.engine_failed)
		database_settle(&s->database, &run->metrics.ended, &run->usage_after,
				&r->settle);
}

/* Check what the threads have left behind, because later benchmarks rely on it. */
static void check_after_run(struct program_state *s, struct run *run)
{
	for (const struct extra *const *extra = extra_all(); *extra; extra++)
		if ((*extra)->end_run && run->workers)
			(*extra)->end_run(run);
	if (run->workload->weights[OP_PROCEDURE] && !interrupt_signal)
		procedure_run_check(run);
	account_inserted(&s->database, run);
	note_engine_failure(s, run);
}

/* Run one benchmark and report its row. `next_item` is what follows it in the plan. */
static void do_benchmark(struct program_state *s, const struct plan_item *item,
			 const struct plan_item *next_item)
{
	const struct workload *workload = item->workload;
	struct run run;
	struct result r = result_unknown();

	if (item->pass && item->pass <= s->database.db_dir.facts.passes)
		return;
	child_state_begin(child_state, item, database_value_sizes(&s->database, item));
	database_open(&s->database, item);
	memcpy(child_state->engine_options, s->database.engine_options,
	       sizeof s->database.engine_options);
	run_init(&run, &s->context, item);
	if (workload->weights[OP_PROCEDURE] && !s->database.failure.failed)
		procedure_run_prepare(&run);
	if (!s->database.failure.failed)
		run_begin_extras(&run);
	if (s->database.failure.failed) {
		worker_free_all(&run);
		run_free(&run);
		report_not_run(s, item, 0, s->database.failure.text);
		child_state->stop_list = true;
		return;
	}
	database_begin_workload(&s->database, item);
	r.time = run.time = child_state->time;
	r.engine_options = s->database.engine_options;
	r.open_seconds = s->database.open_seconds;
	s->database.open_seconds = NAN;
	if (workload_is_maintenance(workload)) {
		workload->maintenance(&run);
	} else {
		r.harness_ns_per_op = measure_baseline(&run);
		measure_run(&run);
	}
	settle_after_run(s, &run, &r);
	if (!workload_is_maintenance(workload))
		check_after_run(s, &run);
	if (must_close(s, next_item))
		database_close(&s->database, &r.close);
	if (run.workers)
		report_run(&run, &r);
	s->any_invalid |= run.workers && r.valid != 1 && !cfg->db_bench.on;
	if (workload->starts_empty && r.valid == 1) {
		s->database.db_dir.facts.unfinished = 0;
		s->database.records = s->database.first_free_id;
		database_write_marker(&s->database, workload, workload->completes);
	}
	for (const struct extra *const *extra = extra_all(); *extra; extra++)
		if ((*extra)->end_item)
			(*extra)->end_item(&run, r.valid == 1);
	worker_free_all(&run);
	run_free(&run);
	child_state->stop_list = s->database.failure.failed;
	child_state->workload = NULL;
}

/* ---- threads ---- */

static void *thread_main(void *argument);
static void begin_background_work(struct worker *w);
static void do_work(struct worker *w);
static void publish_sample(struct worker *w, unsigned request);

/* A thread could not be created: those that began have done nothing. The row says so. */
static void cancel_run(struct run *run, unsigned started, int rc)
{
	struct worker *w = &run->workers[started];

	for (unsigned i = 0; i < started; i++)
		pthread_join(run->workers[i].monitored.thread, NULL);
	w->status = FAILED;
	snprintf(w->why, sizeof w->why,
		 "cannot start thread %u of %u: %s; give fewer --threads, or raise the "
		 "limit (ulimit -u, ulimit -v)",
		 started + 1, run->all_threads, strerror(rc));
	monitor_free_timeline(&run->monitor);
	run_begin_measuring(run);
	run_end_measuring(run);
}

static void make_barriers(struct run *run)
{
	pthread_mutex_init(&run->starting, NULL);
	thread_barrier_init(&run->all_attached, run->all_threads + 1);
	thread_barrier_init(&run->start, run->all_threads + 1);
	thread_barrier_init(&run->leave, run->all_threads + 1);
}

static void end_barriers(struct run *run)
{
	thread_barrier_destroy(&run->all_attached);
	thread_barrier_destroy(&run->start);
	thread_barrier_destroy(&run->leave);
	pthread_mutex_destroy(&run->starting);
}

/*
 * All threads attach, wait at a barrier and begin at once, when the counters are read.
 * The counters are read again when the last thread has ended, before any detaches.
 */
static void measure_run(struct run *run)
{
	struct random stream = random_seed(cfg->seed, run->seed_name);
	unsigned started = 0;
	int rc = 0;

	run->workers = message_alloc_aligned(run->all_threads * sizeof *run->workers);
	for (unsigned i = 0; i < run->all_threads; i++, random_jump(&stream))
		worker_init(&run->workers[i], run, i, &stream);
	worker_start_monitor(run);
	make_barriers(run);
	pthread_mutex_lock(&run->starting);
	while (started < run->all_threads && !rc) {
		rc = big_stack_thread(&run->workers[started].monitored.thread,
				      thread_main, &run->workers[started]);
		started += !rc;
	}
	run->cancelled = rc;
	pthread_mutex_unlock(&run->starting);
	if (rc) {
		cancel_run(run, started, rc);
		end_barriers(run);
		return;
	}
	thread_barrier_wait(&run->all_attached);
	monitor_wait_for_start(&run->monitor, &child_state->activity);
	run_begin_measuring(run);
	run->released_ticks = run->metrics.began.ticks;
	thread_barrier_wait(&run->start);
	monitor_run(&run->monitor);
	/* Sessions are attached until memory and CPU time are read. */
	run_end_measuring(run);
	monitor_end(&run->monitor, worker_last_end_seconds(run, run->foreground),
		    worker_last_end_seconds(run, run->all_threads), &run->usage_after);
	if (run->monitor.failed_option)
		database_note_failure(&run->info->database->failure,
				      run->monitor.failed_option,
				      run->monitor.file_error);
	thread_barrier_wait(&run->leave);
	for (unsigned i = 0; i < run->all_threads; i++)
		pthread_join(run->workers[i].monitored.thread, NULL);
	end_barriers(run);
}

static void *thread_main(void *argument)
{
	struct worker *w = argument;
	const struct workload *role = w->generator.workload;

	worker_prepare_thread(w);
	pthread_mutex_lock(&w->run->starting); /* until all threads are created */
	pthread_mutex_unlock(&w->run->starting);
	if (w->run->cancelled)
		return NULL;
	w->session = driver_util_attach(w->engine, w->run->settings, w->run->db, w->why);
	if (!w->session) {
		w->status = FAILED;
		w->began = w->ended_at = clock_ticks(w->clock);
	} else {
		begin_background_work(w);
	}
	thread_barrier_wait(&w->run->all_attached);
	thread_barrier_wait(&w->run->start); /* the counters are read meanwhile */
	if (w->session) {
		worker_begin_cpu(w);
		if (role->added && role->added->work)
			role->added->work(w);
		else
			do_work(w);
		worker_end_cpu(w);
		w->monitored.cpu_s = w->cpu_before_s + w->cpu_s;
		atomic_store(&w->monitored.cpu_is_final, true);
		w->is_leaving = true;
		publish_sample(w, w->sample_answered + 1);
	}
	if (w->status != DONE)
		atomic_store(&w->run->monitor.stop, true);
	atomic_store(&w->monitored.finished, true);
	if (write(wake_pipe[1], "", 1) < 0) {
		/* The pipe is full, so the monitor is awake. */
	}
	thread_barrier_wait(&w->run->leave);
	if (w->session)
		driver_util_detach(w->engine, w->session);
	return NULL;
}

/* ---- the work: chunks of prepare, measure, account ---- */

/* Does the next n slots and times them; returns how many were done. */
typedef unsigned measure_loop(struct worker *w, unsigned n);

static measure_loop *choose_loop(const struct worker *w);
static unsigned fill_slots(struct worker *w);
static void release_snapshot(struct worker *w);

/* Do one chunk, or the rest of one that the monitor ended early. */
static void do_chunk(struct worker *w, measure_loop *loop)
{
	uint64_t start = w->ended_at;
	unsigned done;

	if (w->next_slot == w->prepared) {
		w->prepared = fill_slots(w);
		w->next_slot = w->slots_begun = 0;
	}
	done = loop(w, w->prepared - w->next_slot);
	account_chunk(w, done, start);
	if (w->observer)
		w->observer->done(w, done);
	w->next_slot += done;
	if (w->transaction.must_regenerate)
		worker_rewind_transaction(w);
	if (w->generator.must_wait || (w->txn_reads && w->snapshot_reads >= w->txn_reads))
		release_snapshot(w);
}

/* A procedure may wait for another thread's, which has not begun. */
static bool begins_early(const struct worker *w)
{
	return w->generator.is_background && !w->procedure;
}

/*
 * A background thread does its first operation before measuring begins. So results do
 * not depend on which thread is given a CPU first. The operation is counted. The
 * thread's schedule continues when measuring begins, however long the threads take to
 * attach.
 */
static void begin_background_work(struct worker *w)
{
	const struct added_thread *added = w->generator.workload->added;
	const unsigned chunk = w->chunk_size;

	if (!begins_early(w))
		return;
	if (added && added->work) {
		if (added->begin)
			added->begin(w);
		return;
	}
	w->schedule.next_start += w->began = w->ended_at = clock_ticks(w->clock);
	w->chunk_size = 1;
	do_chunk(w, choose_loop(w));
	w->chunk_size = chunk;
	w->longest_stall = 0;
}

/*
 * A thread's main loop: chunks, until its operations or its time are over. An open
 * loop's schedule begins for all threads at once, however long a thread waits for a
 * CPU.
 */
static void do_work(struct worker *w)
{
	unsigned request;
	measure_loop *loop = choose_loop(w);
	/* of a background thread's early operation, or 0 */
	uint64_t first_begin = w->began;

	w->ended_at = clock_ticks(w->clock);
	worker_begin_measuring(w, w->is_scheduled && !begins_early(w)
					  ? w->run->released_ticks
					  : w->ended_at);
	atomic_store(&w->monitored.began, w->began);
	w->schedule.next_start += w->run->released_ticks - first_begin;
	if (w->transaction.bulk_load && w->engine->bulk_begin &&
	    (w->status = w->engine->bulk_begin(w->session)) != DONE)
		w->ended = true;
	while (w->remaining && !w->ended &&
	       !atomic_load_explicit(&w->run->monitor.stop, memory_order_relaxed)) {
		do_chunk(w, loop);
		if (w->next_slot == w->prepared && worker_is_warmed_up(w))
			worker_end_warmup(w);
		request = atomic_load_explicit(&w->run->monitor.sample_request,
					       memory_order_relaxed);
		if (request != w->sample_answered)
			publish_sample(w, request);
		/*
		 * The monitor may wait for a CPU: the first thread to notice ends it
		 * for all.
		 */
		if (w->ended_at >= w->end_ticks)
			atomic_store(&w->run->monitor.stop, true);
	}
	/* It ended in the warm-up, or a call lasted until then: nothing was measured. */
	if (w->is_warming_up)
		worker_end_warmup(w);
	worker_count_begun(w);
	worker_finish_transaction(w);
	release_snapshot(w);
	if (w->procedure && procedure_end(w->procedure))
		w->ended_at = clock_ticks(w->clock);
	if ((w->is_scheduled || w->run->timed) && !w->generator.is_background &&
	    w->status == DONE)
		worker_finish_schedule(w);
	account_end(w);
}

/* ---- between chunks ---- */

static void release_snapshot(struct worker *w)
{
	w->snapshot_reads = 0;
	w->holds_snapshot = false;
	generator_end_snapshot(&w->generator);
	if (w->engine->release)
		w->engine->release(w->session);
}

/* Publish what was counted so far for the monitor, which has requested a sample. */
static void publish_sample(struct worker *w, unsigned request)
{
	if (atomic_load(&w->run->gate.closed) && !w->is_leaving) {
		if (transaction_is_open(&w->transaction))
			return;
		if (!w->is_iterating)
			release_snapshot(w);
		/* a thread that has done all need not wait for what others do */
		if (w->remaining)
			worker_wait_at_gate(w);
	}
	worker_publish_sample(w, request);
}

/* ---- prepare ---- */

/*
 * Fill the slots; nothing here is inside a timed call. Returns how many calls they
 * hold.
 */
static unsigned fill_slots(struct worker *w)
{
	uint64_t counted = w->done + transaction_uncounted(&w->transaction);
	bool batched = w->transaction.writes_per_commit > 1;
	unsigned n = w->chunk_size;

	if (n > w->remaining)
		n = (unsigned)w->remaining;
	/*
	 * A multi-get is not cut for a report; an operation under way at the report's
	 * time is reported when it has ended.
	 */
	if (!w->is_multiget && counted < w->next_report && n > w->next_report - counted)
		n = (unsigned)(w->next_report - counted);
	if (w->txn_reads && n > w->txn_reads - w->snapshot_reads)
		n = (unsigned)(w->txn_reads - w->snapshot_reads);
	if (batched && !w->transaction.marked) {
		w->transaction_start.generator = generator_save(&w->generator);
		if (w->is_scheduled)
			w->transaction_start.schedule = w->schedule;
	}
	if (batched)
		n = transaction_fit(&w->transaction, n);
	n = w->procedure ? procedure_run_draw(w, n) : generator_next(&w->generator, n);
	w->ended |= !n; /* only a trace runs out */
	if (batched)
		transaction_mark(&w->transaction, w->generator.slot, n,
				 n == w->remaining);
	return n;
}

/* ---- measure: all that is timed ---- */

#define INLINED inline __attribute__((always_inline))

/* Read the bytes that a call returned, as much as --touch says. */
static inline void tally_bytes(struct worker *w, struct slice bytes)
{
	read_tally_add(&w->tally, bytes, w->touch);
}

/* Counts as part of the read that needs the snapshot. */
static enum status begin_snapshot(struct worker *w)
{
	enum status status;

	generator_begin_snapshot(&w->generator);
	status = w->engine->snapshot(w->session);
	w->holds_snapshot = status == DONE;
	return status;
}

/* Begin a transaction, and save the state that a rollback restores. */
static enum status begin_transaction(struct worker *w)
{
	w->transaction_start.tally = w->tally;
	return w->engine->begin(w->session);
}

static INLINED enum status write_call(struct worker *w, const struct slot *slot,
				      enum status (*put)(struct session *, struct slice,
							 struct slice))
{
	enum status status = DONE;

	if (slot->call & CALL_BEGIN)
		status = begin_transaction(w);
	if (status == DONE)
		status = put(w->session, slot->key, slot->value);
	if (status == DONE && slot->call & CALL_COMMIT)
		status = w->engine->commit(w->session);
	if (status != DONE)
		return status;
	w->tally.bytes += slot->value.size;
	transaction_note_write(&w->transaction, slot->call);
	return DONE;
}

/* A single delete, or one of a batch; a single one that found nothing committed nothing. */
static enum status delete_call(struct worker *w, const struct slot *slot)
{
	enum status status = DONE, end = DONE;

	if (slot->call & CALL_BEGIN)
		status = begin_transaction(w);
	if (status == DONE)
		status = w->engine->del(w->session, slot->key);
	if (status != DONE && status != NOT_FOUND)
		return status;
	if (slot->call & CALL_COMMIT)
		end = w->engine->commit(w->session);
	if (end != DONE)
		return end;
	w->deletes++;
	if (status == DONE || !w->transaction.single_writes)
		transaction_note_write(&w->transaction, slot->call);
	return status;
}

/* A get, and a put if it found no record, or if it found one. */
static enum status conditional_put_call(struct worker *w, const struct slot *slot)
{
	const bool add = (slot->call & CALL_MASK) == CALL_ADD;
	const struct read_tally before = w->tally;
	struct slice value;
	enum status status = w->engine->get(w->session, slot->key, &value);

	if (status == DONE)
		read_tally_add(&w->tally, value, w->touch);
	/* That there is nothing to put is not a miss. */
	if (status == (add ? DONE : NOT_FOUND))
		return DONE;
	if (status != (add ? NOT_FOUND : DONE))
		return status;
	status = w->engine->put(w->session, slot->key, slot->value);
	if (status == DONE) {
		w->tally.bytes += slot->value.size;
		transaction_note_write(&w->transaction, CALL_PUT);
	} else {
		w->tally = before;
	}
	return status;
}

static enum status seek_call(struct worker *w, const struct slot *slot)
{
	struct slice key, value;
	enum status status = w->engine->seek(w->session, slot->key, &key, &value),
		    next = status;
	/* The record found may have another key than the requested one. */
	bool met = status == DONE && key.size == slot->key.size &&
		   !memcmp(key.data, slot->key.data, key.size);
	uint64_t bytes = w->tally.bytes, entries = w->entries, records = slot->value.size;
	record_lanes digest = w->tally.digest;
	bool many = w->engine->next_many && records && w->iterate == w->engine->next;

	w->last_id = UINT64_MAX;
	for (uint64_t left = many ? 1 : records; left && next == DONE; left--) {
		tally_bytes(w, key);
		tally_bytes(w, value);
		w->entries++;
		if (w->verify)
			verify_record(w, UINT64_MAX, key, value);
		if (left > 1)
			next = w->iterate(w->session, &key, &value);
	}
	next = many && next == DONE ? worker_scan_many(w, records - 1) : next;
	if (w->moves_past && records && next == DONE)
		next = w->iterate(w->session, &key, &value);
	if (w->ends_scans)
		w->engine->release(w->session);
	if (next == CONFLICT) {
		w->tally.bytes = bytes;
		w->tally.digest = digest;
		w->entries = entries;
	}
	return next != DONE && next != NOT_FOUND ? next : met ? DONE : NOT_FOUND;
}

static enum status next_call(struct worker *w)
{
	struct slice key, value;
	enum status status;

	if (w->is_iterating) {
		status = w->iterate(w->session, &key, &value);
	} else {
		w->last_id = UINT64_MAX;
		status = driver_util_seek(w->engine, w->session, (struct slice){NULL, 0},
					  w->generator.workload->reverse ? REVERSE
									 : FORWARD,
					  &key, &value);
		w->is_iterating = status == DONE;
	}
	if (status == DONE) {
		tally_bytes(w, key);
		tally_bytes(w, value);
		if (w->verify)
			verify_record(w, UINT64_MAX, key, value);
	}
	return status;
}

/* The get of a read-modify-write; it may begin the transaction. */
static enum status rmw_get_call(struct worker *w, const struct slot *slot,
				struct slice *value)
{
	enum status status = slot->call & CALL_BEGIN ? begin_transaction(w) : DONE;

	return status == DONE ? w->engine->get(w->session, slot->key, value) : status;
}

/*
 * The engine returned a conflict: returns the slot to continue from, or NULL if the
 * transaction began in an earlier chunk. `then` is when the call began.
 */
static struct slot *retry_call(struct worker *w, struct slot *slot, uint64_t then)
{
	bool single = w->transaction.single_writes &&
		      (slot->call & (CALL_BEGIN | CALL_COMMIT)) != CALL_COMMIT;
	struct slot *from = transaction_rewind(&w->transaction, w->generator.slot, slot);
	uint64_t now;

	w->conflicts++;
	w->retries++;
	if (w->holds_snapshot && (w->status = begin_snapshot(w)) != DONE) {
		w->ended = true;
		return NULL;
	}
	backoff_wait(&w->backoff,
		     w->transaction.commits + (single ? (uintptr_t)slot : 0));
	now = clock_ticks(w->clock);
	/* A call that conflicts repeatedly began only once. */
	w->retry_ticks += now - (then > w->retry_end ? then : w->retry_end);
	w->retry_end = now;
	if (single || !from)
		return from;
	w->retried_at = clock_ticks(w->clock);
	w->is_retrying = true;
	for (struct slot *undone = from; undone < slot; undone++) {
		w->retry_ticks += undone->ticks;
		w->retries += !(undone->call & CALL_FIRST_OF_TWO);
	}
	w->tally = w->transaction_start.tally;
	return from;
}

/*
 * Does an iteration that reached the end of the data start again? Only if it found any
 * record, and for workloads that restart or in a warm-up.
 */
static bool restarts_iteration(struct worker *w)
{
	bool again =
		(w->generator.workload->restarts || w->is_warming_up) && w->is_iterating;

	w->is_iterating = false;
	release_snapshot(w);
	return again;
}

/*
 * Handle a call that did not return DONE. Returns the slot to continue from, with its
 * time counted from retried_at, or NULL to end the chunk.
 */
static struct slot *handle_not_done(struct worker *w, struct slot *slot,
				    enum status status, uint64_t then)
{
	bool stop = atomic_load_explicit(&w->run->monitor.stop, memory_order_relaxed);

	w->retried_at = then;
	if (status == CONFLICT && !stop)
		return retry_call(w, slot, then);
	if (status == NOT_FOUND && (slot->call & CALL_MASK) != CALL_NEXT) {
		w->tally.missing++;
		w->tally.missing_scans +=
			generator_kind_of_call[slot->call & CALL_MASK] == KIND_SCAN;
		if (w->missed)
			w->missed[slot - w->generator.slot] = true;
		if (w->observer && w->observer->missing)
			w->observer->missing(w, (unsigned)(slot - w->generator.slot));
		w->tally.lost +=
			generator_must_find(&w->generator,
					    w->generator.id[slot - w->generator.slot]);
		return slot + 1;
	}
	if (status == NOT_FOUND && !stop && restarts_iteration(w))
		return slot;
	w->ended = true;
	if (status == NOT_FOUND) /* at the end of the data no operation was scheduled */
		w->slots_begun = 0;
	w->transaction.rolled_back = status == CONFLICT;
	if (status != NOT_FOUND && status != CONFLICT)
		w->status = status;
	return NULL;
}

/*
 * Open loop: wait for the next operation; returns false if the run ended first. An idle
 * session releases its snapshot: else the engine keeps every version that is replaced
 * meanwhile.
 */
static bool wait_for_scheduled_start(struct worker *w, uint64_t *scheduled)
{
	if (w->engine->release && !w->txn_reads && !w->is_iterating &&
	    !transaction_is_open(&w->transaction) &&
	    rate_schedule_can_sleep(&w->schedule))
		w->engine->release(w->session);
	*scheduled = rate_schedule_next_start(&w->schedule);
	return rate_schedule_wait(&w->schedule, &w->run->monitor.stop);
}

/*
 * Does the chunk end here? It ends at `end`, or early where no transaction is open and
 * the monitor has moved the end, or where the run stops.
 */
static bool ends_chunk(struct worker *w, const struct slot *slot, const struct slot *end)
{
	if (slot == end)
		return true;
	/* The second call of an operation ends what the first began, such as a lock. */
	if (transaction_is_second_call(w->generator.slot, slot))
		return false;
	if (atomic_load_explicit(&w->run->monitor.stop, memory_order_relaxed)) {
		w->ended = true;
		return true;
	}
	return !transaction_is_open(&w->transaction);
}

/* The slot before which the chunk ends; the monitor may move it back meanwhile. */
static inline const struct slot *chunk_end(struct worker *w)
{
	return atomic_load_explicit(&w->monitored.chunk_end, memory_order_relaxed);
}

/*
 * A test build prints the scheduled start, begin and end of each operation of an open
 * loop, for test/waits.awk.
 */
static inline void print_operation_times(const struct worker *w, uint64_t scheduled,
					 uint64_t begun, uint64_t done)
{
#ifdef ASSAY_TRACE
	fprintf(stderr, "trace %u %llu %llu %llu\n", w->generator.number,
		(unsigned long long)clock_ns(w->clock, scheduled),
		(unsigned long long)clock_ns(w->clock, begun),
		(unsigned long long)clock_ns(w->clock, done));
#else
	(void)w, (void)scheduled, (void)begun, (void)done;
#endif
}

/* How a loop measures, as bits. */
enum {
	MEASURE_TIME = 1,
	MEASURE_BY_COUNTER = 2,
	MEASURE_VERIFYING = 4,
	MEASURE_SCHEDULED = 8
};

/*
 * Of an open loop: wait until the slot's scheduled start, and set `then` to when it
 * begins. A retried operation keeps its scheduled start; the two calls of one operation
 * have the same one. Returns false if the run ended first.
 */
static INLINED bool begin_scheduled(struct worker *w, const struct slot *slot,
				    uint64_t *scheduled, uint64_t *then)
{
	const struct slot *first = w->generator.slot;

	if (slot != first + w->slots_begun)
		return true;
	if (slot == first || !((slot - 1)->call & CALL_FIRST_OF_TWO)) {
		if (!wait_for_scheduled_start(w, scheduled)) {
			w->ended = true;
			return false;
		}
		rate_schedule_advance(&w->schedule);
		*then = clock_ticks(w->clock);
	}
	w->scheduled[w->slots_begun++] = *scheduled;
	return true;
}

/* Where reads share a snapshot: begin it before a read, release it before a write. */
static INLINED enum status prepare_snapshot(struct worker *w, const struct slot *slot,
					    enum call call)
{
	if (!w->txn_reads)
		return DONE;
	if (generator_call_writes(call) || slot->call & CALL_BEGIN) {
		release_snapshot(w);
		return DONE;
	}
	return w->holds_snapshot ? DONE : begin_snapshot(w);
}

/* Make the slot's call; `measured` and `touch` are constants of each loop. */
static INLINED enum status make_call(struct worker *w, const struct engine *e,
				     const struct slot *slot, enum call call,
				     unsigned measured, enum touch touch)
{
	struct slice value;
	enum status status;

	switch (call) {
	case CALL_GET:
	case CALL_RMW_GET:
		status = call == CALL_RMW_GET ? rmw_get_call(w, slot, &value)
					      : e->get(w->session, slot->key, &value);
		if (status == DONE)
			read_tally_add(&w->tally, value,
				       touch == TOUCHES ? w->touch : touch);
		if (measured & MEASURE_VERIFYING && status == DONE)
			verify_record(w, w->generator.id[slot - w->generator.slot],
				      slot->key, value);
		return status;
	case CALL_PUT:
		return write_call(w, slot, e->put);
	case CALL_APPEND:
		return write_call(w, slot, w->append);
	case CALL_DELETE:
		return delete_call(w, slot);
	case CALL_SEEK:
		return seek_call(w, slot);
	case CALL_NEXT:
		return next_call(w);
	case CALL_OWN_READ:
	case CALL_OWN_WRITE:
	case CALL_OWN_SCAN:
		return w->own_call(w, slot);
	case CALL_ADD:
	case CALL_REPLACE:
		return conditional_put_call(w, slot);
	case CALL_MULTIGET:
	case CALLS:
		break;
	}
	return UNSUPPORTED;
}

/* Time the call that has just ended, and began at `then`; returns when it ended. */
static INLINED uint64_t time_call(struct worker *w, struct slot *slot,
				  const struct clock *clock, uint64_t then,
				  unsigned measured)
{
	const uint64_t now =
		measured & MEASURE_BY_COUNTER ? clock_counter() : clock_ticks(clock);
	const size_t i = (size_t)(slot - w->generator.slot);
	uint64_t end = now;

	slot->ticks = now - then;
	if (measured & MEASURE_VERIFYING) {
		slot->ticks -= w->check_ticks;
		end -= w->check_ticks; /* the call ended before its check */
		w->check_ticks = 0;
	}
	if (measured & MEASURE_SCHEDULED) {
		w->response[i] = end - w->scheduled[i];
		print_operation_times(w, w->scheduled[i], end - slot->ticks, end);
	}
	return now;
}

/*
 * Do the first n slots and time each, from the end of the previous call to the end of
 * this one: one clock reading serves both. In an open loop the time counts from the
 * operation's begin. Returns how many were done. Inlined once for each call and way of
 * measuring, so a loop of gets contains nothing else.
 */
static INLINED unsigned measure_as(struct worker *w, unsigned n, enum call fixed,
				   unsigned measured, enum touch touch)
{
	const struct engine *e = w->engine;
	const struct clock clock = *w->clock;
	struct slot *const begin = w->generator.slot + w->next_slot,
			   *const end = begin + n, *slot = begin;
	uint64_t then = clock_ticks(&clock), scheduled = 0;

	w->chunk_began = then;
	if (fixed != CALLS && w->txn_reads && !w->holds_snapshot &&
	    (w->status = begin_snapshot(w)) != DONE) {
		w->ended = true;
		return 0;
	}
	atomic_store_explicit(&w->monitored.chunk_end, end, memory_order_relaxed);
	for (;;) {
		enum status status = DONE;
		enum call call;

		if (__builtin_expect(slot >= chunk_end(w), 0) && ends_chunk(w, slot, end))
			break;
		if (measured & MEASURE_SCHEDULED &&
		    !begin_scheduled(w, slot, &scheduled, &then))
			break;
		call = fixed == CALLS ? (enum call)(slot->call & CALL_MASK) : fixed;
		if (fixed == CALLS)
			status = prepare_snapshot(w, slot, call);
		if (status == DONE)
			status = make_call(w, e, slot, call, measured, touch);
		if (__builtin_expect(status != DONE, 0)) {
			struct slot *from = handle_not_done(w, slot, status, then);

			if (!from)
				break;
			if (from <= slot) {
				then = w->retried_at;
				slot = from;
				continue;
			}
		}
		if (measured)
			then = time_call(w, slot, &clock, then, measured);
		slot++;
	}
	w->ended_at = measured ? then : clock_ticks(&clock);
	return (unsigned)(slot - begin);
}

/* Loops timed by the counter know at compile time how much of a value is read. */
static INLINED unsigned measure_call(struct worker *w, unsigned n, enum call call)
{
	const unsigned by_counter = MEASURE_TIME | MEASURE_BY_COUNTER;

	if (w->verify)
		return measure_as(w, n, call, MEASURE_TIME | MEASURE_VERIFYING, TOUCHES);
	if (!w->timed_calls)
		return measure_as(w, n, call, 0, TOUCHES);
	if (!w->clock->counter)
		return measure_as(w, n, call, MEASURE_TIME, TOUCHES);
	if (w->touch == TOUCH_ALL)
		return measure_as(w, n, call, by_counter, TOUCH_ALL);
	if (w->touch == TOUCH_NONE)
		return measure_as(w, n, call, by_counter, TOUCH_NONE);
	return measure_as(w, n, call, by_counter, TOUCHES);
}

static unsigned measure_gets(struct worker *w, unsigned n)
{
	return measure_call(w, n, CALL_GET);
}

static unsigned measure_puts(struct worker *w, unsigned n)
{
	return measure_call(w, n, CALL_PUT);
}

static unsigned measure_nexts(struct worker *w, unsigned n)
{
	return measure_call(w, n, CALL_NEXT);
}

static unsigned measure_any(struct worker *w, unsigned n)
{
	return measure_call(w, n, CALLS);
}

static unsigned measure_scheduled(struct worker *w, unsigned n)
{
	const unsigned measured = MEASURE_TIME | MEASURE_SCHEDULED;

	return w->verify ? measure_as(w, n, CALLS, measured | MEASURE_VERIFYING, TOUCHES)
			 : measure_as(w, n, CALLS, measured, TOUCHES);
}

/* Tally one value of a multi-get; a value without data was not found. */
static void tally_multiget_value(struct worker *w, unsigned i, struct slice value)
{
	if (!value.data) {
		w->tally.missing++;
		if (w->observer && w->observer->missing)
			w->observer->missing(w, i);
		w->tally.lost += generator_must_find(&w->generator, w->generator.id[i]);
		return;
	}
	tally_bytes(w, value);
	if (w->verify)
		verify_record(w, w->generator.id[i], w->group_keys[i], value);
}

/*
 * Get the keys one by one, for an engine without multi-get: each value lives until the
 * next get.
 */
static enum status get_one_by_one(struct worker *w, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		struct slice value = {NULL, 0};
		enum status status = w->engine->get(w->session, w->group_keys[i], &value);

		/*
		 * A group that does not end in time is not done; it ends as one with a
		 * conflict does.
		 */
		if (atomic_load_explicit(&w->run->monitor.stop, memory_order_relaxed))
			return CONFLICT;
		if (status != DONE && status != NOT_FOUND)
			return status;
		tally_multiget_value(w, i,
				     status == DONE ? value : (struct slice){NULL, 0});
	}
	return DONE;
}

static enum status get_by_multiget(struct worker *w, unsigned n)
{
	enum status status =
		w->engine->multiget(w->session, w->group_keys, w->group_values, n);

	for (unsigned i = 0; status == DONE && i < n; i++)
		tally_multiget_value(w, i, w->group_values[i]);
	return status;
}

/*
 * In an open loop a group starts when its first key is scheduled; returns false if the
 * run ended first.
 */
static bool wait_for_group(struct worker *w, unsigned n, uint64_t *scheduled)
{
	if (!w->is_scheduled)
		return true;
	if (!wait_for_scheduled_start(w, scheduled))
		return false;
	for (w->slots_begun = n; n--;)
		rate_schedule_advance(&w->schedule);
	return true;
}

/* One call for all slots; its time is stored in the first one. */
static unsigned measure_group(struct worker *w, unsigned n)
{
	const struct read_tally before = w->tally;
	enum status status = CONFLICT;
	struct slot *from = w->generator.slot;
	uint64_t scheduled = 0;

	if (!wait_for_group(w, n, &scheduled)) {
		w->ended = true;
		return 0;
	}
	w->chunk_began = clock_ticks(w->clock);
	while (from == w->generator.slot) {
		status = w->engine->multiget ? get_by_multiget(w, n)
					     : get_one_by_one(w, n);
		if (status == DONE)
			break;
		w->tally = before;
		from = handle_not_done(w, w->generator.slot, status, w->chunk_began);
	}
	w->ended_at = clock_ticks(w->clock);
	w->generator.slot[0].ticks = w->ended_at - w->chunk_began - w->check_ticks;
	for (unsigned i = 0; w->is_scheduled && i < n; i++) {
		w->scheduled[i] = scheduled;
		w->response[i] = w->ended_at - w->check_ticks - scheduled;
	}
	w->check_ticks = 0;
	return status == DONE ? n : 0;
}

/* The loop that does all chunks of a worker. */
static measure_loop *choose_loop(const struct worker *w)
{
	static measure_loop *const loops_of_one_call[CALLS] = {
		[CALL_GET] = measure_gets,
		[CALL_PUT] = measure_puts,
		[CALL_NEXT] = measure_nexts,
	};
	measure_loop *loop =
		w->generator.single_call
			? loops_of_one_call[generator_first_call[w->generator.only_op]]
			: NULL;

	if (w->is_multiget)
		return measure_group;
	if (w->is_scheduled)
		return measure_scheduled;
	return loop ? loop : measure_any;
}

/* ---- the cost of the loop itself ---- */

/*
 * The baseline: nanoseconds per operation of worker 0's loop when the engine does
 * nothing. It runs the same code with the null driver, and takes the best of a few
 * rounds of about 2 ms.
 */
static double measure_baseline(const struct run *real_run)
{
	enum { ROUNDS = 4, FIRST = 2048, MOST = 1000000 };
	/* a small key range would end it early */
	uint64_t records = cfg->num > MOST ? cfg->num : MOST;
	struct run run = *real_run;
	struct oracle oracle = *real_run->settings->oracle;
	struct settings settings = *real_run->settings;
	struct random stream = random_seed(cfg->seed, "calibration");
	double best = INFINITY;

	oracle.records = workload_grows(real_run->workload) ? UINT64_MAX / 2 : records;
	settings.oracle = &oracle;
	settings.verify = false;
	run.engine = &baseline_engine;
	run.is_baseline = true;
	run.settings = &settings;
	run.txn_reads = 0;
	atomic_init(&run.monitor.warming, false);
	driver_util_open(&baseline_engine, &settings, &run.db, run.info->database->why);
	run.generator.operations = FIRST;
	run.generator.permutation = random_permutation_make(records, cfg->seed);
	run.foreground = run.generator.threads = run.generator.all_threads = 1;
	for (int round = 0; run.db && round < ROUNDS; round++) {
		struct worker *w = message_alloc_aligned(sizeof *w);

		worker_init(w, &run, 0, &stream);
		w->next_report = UINT64_MAX;
		w->session =
			driver_util_attach(&baseline_engine, &settings, run.db, w->why);
		if (w->session) {
			do_work(w);
			driver_util_detach(&baseline_engine, w->session);
		}
		if (w->done) {
			double ns = (double)clock_ns(w->clock, w->ended_at - w->began) /
				    (double)w->done;

			best = ns < best ? ns : best;
			run.generator.operations = (uint64_t)fmin(2e6 / ns + 2, MOST);
		}
		worker_free(w);
		free(w);
	}
	if (run.db)
		driver_util_close(&baseline_engine, run.db, run.info->database->why);
	return isfinite(best) ? best : NAN;
}

/* ---- rows ---- */

/* Report a benchmark that was run. */
static void report_run(const struct run *run, struct result *r)
{
	struct hist *times = message_alloc(METRICS_HISTS, sizeof *times),
		    *responses = message_alloc(METRICS_HISTS, sizeof *responses);
	struct message_texts texts = {.used = 0};
	struct aggregate a =
		aggregate_run(run, interrupt_signal, &texts, times, responses);

	row_fill(&a, r);
	print_and_store_row(&a, r);
	free(times);
	free(responses);
}

/* Report a benchmark that could not begin, or whose process died. */
static void report_not_run(struct program_state *s, const struct plan_item *item,
			   uint64_t ops, const char *why)
{
	struct result r = result_unknown();
	struct run run;
	struct message_texts texts = {.used = 0};
	struct aggregate a;

	if (item->workload->has_no_row)
		return;
	run_init(&run, &s->context, item);
	a = aggregate_expected(&run, interrupt_signal, &texts);
	s->database.open_durability = item->durability;
	r.time = child_state->time;
	r.engine_options = s->database.engine_options;
	r.seconds = clock_seconds_since(child_state->began_ns);
	row_fill_invalid(&a, &r, ops, why);
	print_invalid_row(&a, &r);
	worker_free_all(&run);
	run_free(&run);
}

/* Report the benchmark that the child died in; returns the exit status. */
static int report_child_death(struct program_state *s, enum supervisor_outcome end,
			      int how)
{
	const struct workload *workload = child_state->workload;
	bool asked_for = how == SIGINT || how == SIGTERM;
	const char *path = engine.stores_nothing ? NULL : s->database.db_dir.path;
	const char *cause = asked_for ? "interrupted before the benchmark could end"
			    : s->out_of_memory
				    ? process_memory_advice(&s->database.settings)
				    : NULL;
	char why[ENGINE_ERROR_SIZE + 512];
	uint64_t ops =
		child_state_explain(child_state, end, how, cause, path, why, sizeof why);

	message_print("%s: %s", workload ? workload->name : "between benchmarks", why);
	if (workload) {
		memcpy(s->database.engine_options, child_state->engine_options,
		       sizeof s->database.engine_options);
		database_reload_facts(&s->database, &child_state->item);
		s->database.value_sizes = child_state->value_sizes;
		report_not_run(s, &child_state->item, ops, why);
	}
	return asked_for ? 128 + how : 1;
}
