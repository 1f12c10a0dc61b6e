/*
 * bench.c: a benchmark of embedded key-value stores.
 *
 * Linked with one driver (engines/NAME.c) and the parts of bench/ and util/, it becomes
 * bench_NAME. Here is what a sceptic reads to trust a figure: main() runs a list of
 * workloads one after another on one database, run() is one measurement from open to
 * close, and work() is what a thread does, the only loop that is timed. It reads
 * downwards in acts; within an act callees come first.
 *
 * What it calls once a benchmark or once a turn stands in bench/: the table of workloads,
 * the command line (config) and its list (plan), where the database lives (place), what
 * is asked next (ask), transactions that give way (txn), what happens meanwhile (watch),
 * what is no list of calls (special), what outlives the process (shared), and the row
 * (outcome, report).
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
#include <time.h>
#include <unistd.h>

#include "bench/aside.h"
#include "bench/config.h"
#include "bench/place.h"
#include "bench/plan.h"
#include "bench/recorder.h"
#include "bench/replay.h"
#include "bench/shared.h"
#include "bench/special.h"
#include "bench/worker.h"
#include "bench/workload.h"
#include "engines/drive.h"
#include "util/cgroup.h"
#include "util/clock.h"
#include "util/guard.h"
#include "util/hist.h"
#include "util/host.h"
#include "util/library.h"
#include "util/pace.h"
#include "util/random.h"
#include "util/record.h"
#include "util/result.h"
#include "util/say.h"
#include "util/stack.h"
#include "util/store.h"
#include "util/usage.h"

/* Here only: Makefile reads it; test.sh holds CHANGELOG and the Debian package to it. */
#define VERSION "0.2.0"
#define DATE "November 22, 2026"
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
 * The null driver, linked into every program beside its own: what the harness itself
 * costs.
 */
extern const struct engine floor_engine;

/* ---- the program ---- */

/* What stays from one benchmark to the next. */
struct bench {
	char *command;
	struct clock clock;
	struct host host;
	char build[1536];      /* which library, and whether it is fit for comparison */
	char allocator[64];    /* the file that malloc comes from */
	struct place place;
	struct origin origin;  /* all that, for the report */
	struct cgroup cgroup;  /* of --memory */
	struct crew crew;
	bool out_of_memory;    /* it killed the child */
	bool any_void;         /* exit 1 */
};

static struct shared *shared; /* shared with the parent, which outlives us */

static const struct program about = {VERSION, DATE, ASSAY_COMMIT, BUILD};
static volatile sig_atomic_t interrupted; /* the signal that asked us to end, or 0 */
static int wake[2]; /* a pipe: signals and finishing threads wake the monitor */

static void prepare_bench(struct bench *b, const struct entry *list, char **argv);
static void run(struct bench *b, const struct entry *now, const struct entry *after);
static int report_death(struct bench *b, enum guard_end end, int how);

/* What there is to say of a signal that asked us to end; answers the exit status. */
static int interruption(void)
{
	say("interrupted by %s; the current benchmark is void, and the list ends",
	    strsignal(interrupted));
	return 128 + interrupted;
}

/* So many benchmarks of the list, which one process does. */
struct errand {
	struct bench *bench;
	const struct entry *list;
	unsigned n;
};

/* Run them in this process; answers its exit status. */
static int run_here(const struct errand *e)
{
	static const struct entry none;
	struct bench *b = e->bench;

	usage_watch(place_storage(&b->place));
	for (unsigned i = 0; i < e->n && e->list[i].load; i++) {
		if (b->place.failure.failed || interrupted)
			break;
		run(b, &e->list[i], i + 1 < e->n ? &e->list[i + 1] : &none);
	}
	return interrupted ? interruption() : b->place.failure.failed || b->any_void;
}

/* Close what is open, and see that all is printed; answers the exit status. */
static int finish(struct bench *b, int status)
{
	place_end(&b->place);
	free(b->crew.growth);
	free(b->command);
	if (!status && (fflush(stdout) || ferror(stdout))) {
		say("standard output: what was printed is not all there: %s",
		    strerror(errno));
		status = 1;
	}
	return status;
}

/* For who waits for a child. */
static uint64_t progress(void)
{
	return shared_progress(shared);
}

/* What a child does. */
static int run_errand(void *argument)
{
	const struct errand *e = argument;
	char error[CGROUP_ERROR];

	if (cfg->memory && !cgroup_enter(&e->bench->cgroup, error))
		die(1, "--memory: %s", error);
	return finish(e->bench, run_here(e));
}

/* Run them in a child, which may die or hang; answers the exit status. */
static int run_apart(const struct errand *e)
{
	struct bench *b = e->bench;
	char error[CGROUP_ERROR];
	struct errand errand = *e;
	enum guard_end end;
	int how;

	if (cfg->memory && !cgroup_make(&b->cgroup, cfg->memory, error))
		die(1, "--memory: %s", error);
	end = guard_run(run_errand, &errand, progress, cfg->hang_timeout, &how);
	b->out_of_memory = cgroup_killed(&b->cgroup);
	cgroup_remove(&b->cgroup);
	if (end == GUARD_EXITED && how < 0)
		die(1, "cannot start a child process: %s; --supervise=0 does without",
		    strerror(errno));
	return end == GUARD_EXITED ? how : report_death(b, end, how);
}

/* The whole list, by as many at once as one process does. */
static int run_list(struct bench *b, const struct entry *list, unsigned at_once)
{
	int status = 0;

	for (const struct entry *e = list; e->load; e += at_once) {
		const struct errand errand = {b, e, at_once};
		int now = cfg->supervise ? run_apart(&errand) : run_here(&errand);

		status = !status || interrupted ? now : status;
		if (interrupted || shared->failed || !e[at_once].load)
			break;
		for (unsigned i = 0; i < at_once; i++)
			place_learn(&b->place, e[i].load);
	}
	if (interrupted && status != 128 + interrupted)
		status = interruption();
	return status;
}

static int program(int argc, char **argv)
{
	static struct entry list[PLAN_MOST + 1];
	struct bench bench = {.place = {.store = {.marker = -1},
					.raw = {.fd = -1},
					.cold = {.by = ""}}};
	unsigned once; /* entries of the list, without --repeat */

	if (config_parse(argc, argv, &about))
		return 0;
	place_share();
	once = plan_make(list, PLAN_MOST);
	replay_plan(list);
	recorder_plan(list);
	prepare_bench(&bench, list, argv);
	report_header(&bench.origin);
	return finish(&bench, run_list(&bench, list, cfg->isolate ? 1 : once));
}

int main(int argc, char **argv)
{
	return stack_run(program, argc, argv);
}

/* ---- from the command line to a plan ---- */

/* The first Ctrl-C ends the run in order, a second one at once. */
static void on_signal(int number)
{
	/*
	 * nanoseconds in which what timeout(1) or a parent sends again is no second one
	 */
	const uint64_t SAME = 250000000;
	static uint64_t first;
	uint64_t now = clock_raw_ns();
	int saved = errno;

	if (interrupted && now - first > SAME) {
		signal(number, SIG_DFL);
		raise(number);
		return;
	}
	first = interrupted ? first : now;
	interrupted = number;
	if (write(wake[1], "", 1) < 0) {
		/* The pipe is full, so the monitor is awake. */
	}
	errno = saved;
}

static void catch_signals(void)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

	if (pipe(wake))
		die(1, "cannot make a pipe: %s", strerror(errno));
	for (int i = 0; i < 2; i++)
		fcntl(wake[i], F_SETFL, O_NONBLOCK);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	/*
	 * the call that was one too many answers EFBIG, and its caller has words for it
	 */
	signal(SIGXFSZ, SIG_IGN);
}

/* On the processors asked for, and with memory near them. */
static void place_process(struct bench *b)
{
	const char *cpus = cfg->cpus;

	if (*cfg->numa_node) {
		char *end;
		unsigned long node = strtoul(cfg->numa_node, &end, 10);
		const char *own = host_bind((unsigned)node, b->place.why);

		if (*end || !own)
			die(2, "--numa_node: %s", *end ? "give a number" : b->place.why);
		cpus = *cpus ? cpus : own;
	}
	if (*cpus && !host_pin(cpus, b->place.why))
		die(2, "--cpus: %s", b->place.why);
	host_limit_arenas((unsigned)cfg->malloc_arenas);
}

/* Whether there can be a limit is known before anything is touched. */
static void check_memory(char **argv)
{
	char error[CGROUP_ERROR];
	struct cgroup group = {.version = 0};

	if (!cgroup_make(&group, cfg->memory, error)) {
		cgroup_find_scope(argv);
		die(2, "--memory: %s", error);
	}
	cgroup_remove(&group);
}

/* Say so if the engine's library was not built to be fast. */
static void prepare_library(struct bench *b)
{
	struct library library = library_find(engine.symbol, engine.own);

	if (engine.asserts)
		library.assertions = engine.asserts();
	if (engine.symbol &&
	    library_describe(&library, engine.crc32c, b->build, sizeof b->build))
		say("%s", b->build);
	library_allocator(b->allocator, sizeof b->allocator);
}

/* What cannot be is refused with status 2, before anything is touched. */
static void prepare_bench(struct bench *b, const struct entry *list, char **argv)
{
	place_plan(&b->place, list);
	b->command = say_command(argv);
	if ((cfg->memory || cfg->isolate || cfg->repeat > 1) && !cfg->supervise)
		die(2, "--%s is done in child processes; leave out --supervise=0",
		    cfg->memory ? "memory" : cfg->isolate ? "isolate" : "repeat");
	place_process(b);
	if (cfg->timer == TIMER_COUNTER && !clock_counter_usable())
		die(2, "--timer: this processor has no invariant counter; give "
		       "--timer=monotonic");
	if (cfg->memory)
		check_memory(argv);
	report_check_files();
	if (!engine.stores_nothing)
		place_prepare(&b->place, list);
	b->clock = clock_start(cfg->timer != TIMER_MONOTONIC && clock_counter_usable());
	b->host = host_describe();
	shared = shared_make(b->place.settings.sessions);
	b->place.doing = &shared->doing;
	catch_signals();
	b->crew = (struct crew){
		.engine = &engine,
		.origin = &b->origin,
		.group = &b->cgroup,
		.public = shared->thread,
		.growth = say_alloc_apart(b->place.settings.sessions *
					  sizeof *b->crew.growth),
		.wake = wake[0],
		.interrupted = &interrupted,
	};
	if (cfg->memory)
		b->crew.counters = worker_share_counters(b->place.settings.sessions);
	prepare_library(b);
	b->origin = (struct origin){&about,   b->command, b->build,  b->allocator,
				    &b->host, &b->clock,  &b->place, &shared->reported};
#ifndef __OPTIMIZE__
	say("built without optimization: do not publish these figures");
#endif
}

/* ---- one benchmark, from open to close ---- */

static void report(const struct phase *p, struct result *r);
static void report_nothing(struct bench *b, const struct entry *e, uint64_t ops,
			   const char *why);
static void run_threads(struct phase *p);
static double calibrate(const struct phase *p);

/*
 * After this benchmark, must the database be closed: nothing follows, or a different
 * opening does?
 */
static bool closes(const struct bench *b, const struct workload *after)
{
	return cfg->reopen || cfg->cold || b->place.failure.failed ||
	       b->place.suffering || interrupted || !after || after->fresh ||
	       place_durability(after) != b->place.opened_as;
}

/*
 * The records that every thread has inserted are there for what follows, unless one may
 * have lost some of its own.
 */
static void note_growth(struct bench *b, const struct phase *p)
{
	uint64_t least = UINT64_MAX;

	if (!workload_grows(p->load) || p->load->weight[OP_EXPIRE])
		return;
	for (unsigned i = 0; i < p->foreground; i++) {
		if (p->workers[i].status != DONE)
			return;
		least = b->crew.growth[i].born < least ? b->crew.growth[i].born : least;
	}
	b->place.next_new += least * p->foreground;
	place_note(&b->place, p->load, b->place.complete);
}

/* One benchmark, of which a row tells. `after` is what follows it in the list. */
static void run(struct bench *b, const struct entry *now, const struct entry *after)
{
	const struct workload *load = now->load;
	struct phase p;
	struct result r = result_unknown();
	struct record_sizes sizes;

	if (now->age && now->age <= b->place.store.facts.age)
		return;
	sizes = load->fresh ? place_sizes(load) : b->place.sizes;
	shared_note(shared, now, &sizes);
	place_open(&b->place, load);
	memcpy(shared->options, b->place.options, sizeof b->place.options);
	phase_make(&p, &b->crew, now);
	if (load->weight[OP_ACT] && !b->place.failure.failed)
		phase_prepare_acts(&p);
	if (b->place.failure.failed) {
		phase_free_workers(&p);
		report_nothing(b, now, 0, b->place.failure.text);
		shared->failed = true;
		return;
	}
	place_begin_part(&b->place, load);
	r.time = p.time = shared->time;
	r.engine_options = b->place.options;
	r.open_seconds = b->place.open_seconds;
	b->place.open_seconds = NAN;
	if (load->special) {
		special_run(&p, &interrupted);
	} else {
		r.harness_ns_per_op = calibrate(&p);
		run_threads(&p);
		backup_check(&p);
		phase_write_trace(&p);
		if (load->weight[OP_ACT] && !interrupted)
			phase_check_acts(&p);
		note_growth(b, &p);
	}
	for (unsigned i = 0; i < p.count && p.workers; i++)
		b->place.suffering |= p.workers[i].status != DONE;
	if (cfg->settle && drive_settles(&engine) && !b->place.failure.failed &&
	    !b->place.suffering)
		place_settle(&b->place, &r.settle);
	if (closes(b, after->load))
		place_close(&b->place, &r.close);
	if (p.workers)
		report(&p, &r);
	b->any_void |= p.workers && r.valid != 1;
	if (load->fresh && r.valid == 1) {
		b->place.store.facts.unfinished = 0;
		place_note(&b->place, load, load->completes);
	}
	place_end_part(&b->place, now, r.valid == 1);
	phase_free_workers(&p);
	shared->failed = b->place.failure.failed;
	shared->load = NULL;
}

/* ---- threads ---- */

static void *thread_main(void *argument);
static void begin_work(struct worker *w);
static void work(struct worker *w);
static void give_sample(struct worker *w, unsigned tick);

/*
 * Not all threads could be had: those that began have done nothing, and the row says so.
 */
static void call_off(struct phase *p, unsigned started, int rc)
{
	struct worker *w = &p->workers[started];

	for (unsigned i = 0; i < started; i++)
		pthread_join(p->workers[i].watched.thread, NULL);
	w->status = FAILED;
	snprintf(w->why, sizeof w->why,
		 "cannot start thread %u of %u: %s; give fewer --threads, or raise the "
		 "limit (ulimit -u, ulimit -v)",
		 started + 1, p->count, strerror(rc));
	watch_call_off(&p->watch);
	phase_begin_figures(p);
	phase_end_figures(p);
}

static void make_barriers(struct phase *p)
{
	pthread_mutex_init(&p->starting, NULL);
	pthread_barrier_init(&p->ready, NULL, p->count + 1);
	pthread_barrier_init(&p->go, NULL, p->count + 1);
	pthread_barrier_init(&p->leave, NULL, p->count + 1);
}

static void end_barriers(struct phase *p)
{
	pthread_barrier_destroy(&p->ready);
	pthread_barrier_destroy(&p->go);
	pthread_barrier_destroy(&p->leave);
	pthread_mutex_destroy(&p->starting);
}

/*
 * All threads attach, meet, and begin at once, when the counters are read; they are read
 * again when the last has ended, before any detaches.
 */
static void run_threads(struct phase *p)
{
	struct random stream = random_seed(cfg->seed, p->seed_name);
	unsigned started = 0;
	int rc = 0;

	p->workers = say_alloc_apart(p->count * sizeof *p->workers);
	for (unsigned i = 0; i < p->count; i++, random_jump(&stream))
		worker_make(&p->workers[i], p, i, &stream);
	phase_start_watch(p);
	make_barriers(p);
	pthread_mutex_lock(&p->starting);
	while (started < p->count && !rc) {
		rc = pthread_create(&p->workers[started].watched.thread, NULL,
				    thread_main, &p->workers[started]);
		started += !rc;
	}
	p->called_off = rc;
	pthread_mutex_unlock(&p->starting);
	if (rc) {
		call_off(p, started, rc);
		end_barriers(p);
		return;
	}
	pthread_barrier_wait(&p->ready);
	watch_wait_for_start(&p->watch, &shared->doing);
	phase_begin_figures(p);
	pthread_barrier_wait(&p->go);
	watch_run(&p->watch);
	/* Sessions are attached until memory and CPU time are read. */
	phase_end_figures(p);
	watch_end(&p->watch, phase_last_end(p), &p->after);
	if (p->watch.trouble_with)
		failure_note(&p->origin->place->failure, p->watch.trouble_with,
			     p->watch.trouble);
	pthread_barrier_wait(&p->leave);
	for (unsigned i = 0; i < p->count; i++)
		pthread_join(p->workers[i].watched.thread, NULL);
	end_barriers(p);
}

static void *thread_main(void *argument)
{
	struct worker *w = argument;

	pthread_mutex_lock(&w->phase->starting); /* until all are here */
	pthread_mutex_unlock(&w->phase->starting);
	if (w->phase->called_off)
		return NULL;
	w->session = drive_attach(w->engine, w->phase->settings, w->phase->db, w->why);
	if (!w->session) {
		w->status = FAILED;
		w->began = w->ended_at = clock_ticks(w->clock);
	} else {
		begin_work(w);
	}
	pthread_barrier_wait(&w->phase->ready);
	pthread_barrier_wait(&w->phase->go); /* the counters are read */
	if (w->session) {
		w->cpu_before = usage_thread_cpu();
		if (!aside_work(w))
			work(w);
		w->cpu = usage_thread_cpu() - w->cpu_before;
		w->watched.cpu_s = w->cpu_before + w->cpu;
		atomic_store(&w->watched.counted, true);
		w->leaving = true;
		give_sample(w, w->sampled + 1);
	}
	if (w->status != DONE)
		atomic_store(&w->phase->watch.stop, true);
	atomic_store(&w->watched.finished, true);
	if (write(wake[1], "", 1) < 0) {
		/* The pipe is full, so the monitor is awake. */
	}
	pthread_barrier_wait(&w->phase->leave);
	if (w->session)
		drive_detach(w->engine, w->session);
	return NULL;
}

/* ---- the work: turns of prepare, measure, account ---- */

/* Does the next n slots and times them; answers how many were done. */
typedef unsigned measure(struct worker *w, unsigned n);

static unsigned prepare(struct worker *w);
static measure measure_any, measure_paced, measure_group;
static measure *const measures[STEPS];
static void account(struct worker *w, unsigned n, uint64_t start);
static void rewind_batch(struct worker *w);
static void finish_batch(struct worker *w);
static void release_snapshot(struct worker *w);

static measure *loop_of(const struct worker *w)
{
	measure *loop = w->ask.uniform ? measures[step_of[w->ask.only]] : NULL;

	if (w->grouped)
		return measure_group;
	if (w->paced)
		return measure_paced;
	return loop ? loop : measure_any;
}

/* A turn, or what was left of one that the monitor ended early. */
static void do_turn(struct worker *w, measure *loop)
{
	uint64_t start = w->ended_at;
	unsigned done;

	if (w->from == w->prepared) {
		w->prepared = prepare(w);
		w->from = w->begun = 0;
	}
	done = loop(w, w->prepared - w->from);
	account(w, done, start);
	if (w->recorder)
		worker_record(w, done);
	w->from += done;
	if (w->txn.again)
		rewind_batch(w);
	if (w->txn_reads && w->snapshot_reads >= w->txn_reads)
		release_snapshot(w);
}

/* An actor may wait for another one, who has not begun. */
static bool begins_early(const struct worker *w)
{
	return w->ask.beside && !w->actor;
}

/*
 * Who works beside others does the first operation before the figures begin, so that they
 * do not depend on who is given a processor first. It is counted.
 */
static void begin_work(struct worker *w)
{
	if (!begins_early(w) || aside_begin(w))
		return;
	w->pace.whole += w->ended_at = clock_ticks(w->clock);
	do_turn(w, loop_of(w));
	w->gap = 0;
}

/* What of an open loop was begun and will not be done is in no figure but backlog. */
static void leave_begun(struct worker *w)
{
	for (unsigned i = w->from; i < w->begun; i++)
		w->left += !(w->ask.slot[i].step & HALF) || i + 1 == w->begun;
}

/*
 * What ends by the clock lasts until then, and an open loop as long as its schedule,
 * whenever the last call ended: who waited for a processor after it did so in that time.
 */
static void finish_schedule(struct worker *w)
{
	uint64_t end = w->phase->timed ? w->began + w->lasts
				       : pace_end(&w->pace, w->began, w->planned);
	uint64_t now;

	if (!w->phase->timed && !w->todo)
		pace_wait_until(&w->pace, end, &w->phase->watch.stop);
	now = clock_ticks(w->clock);
	end = end < now ? end : now;
	if (w->ended_at < end)
		w->ended_at = end;
}

/*
 * What a thread does: turns, until its operations or the time are over. An open loop's
 * schedule begins for all at once, however long a thread waits for a processor.
 */
static void work(struct worker *w)
{
	unsigned tick;
	measure *loop = loop_of(w);

	w->ended_at = clock_ticks(w->clock);
	worker_begin_at(w, w->paced && !begins_early(w) ? w->phase->began.ticks
							: w->ended_at);
	atomic_store(&w->watched.began, w->began);
	if (!begins_early(w))
		w->pace.whole += w->began;
	if (w->txn.bulk && w->engine->bulk_begin &&
	    (w->status = w->engine->bulk_begin(w->session)) != DONE)
		w->ended = true;
	while (w->todo && !w->ended &&
	       !atomic_load_explicit(&w->phase->watch.stop, memory_order_relaxed)) {
		do_turn(w, loop);
		if (w->warming && w->from == w->prepared &&
		    !atomic_load_explicit(&w->phase->watch.warming, memory_order_relaxed))
			worker_start_over(w);
		tick = atomic_load_explicit(&w->phase->watch.tick, memory_order_relaxed);
		if (tick != w->sampled)
			give_sample(w, tick);
		/* Who watches may wait for a processor: the first ends it for all. */
		if (w->ended_at >= w->until)
			atomic_store(&w->phase->watch.stop, true);
	}
	/* Who was in one call from the warm-up to the end has done nothing in between. */
	if (w->warming && !atomic_load(&w->phase->watch.warming))
		worker_start_over(w);
	leave_begun(w);
	finish_batch(w);
	release_snapshot(w);
	if (w->actor && actor_end(w->actor))
		w->ended_at = clock_ticks(w->clock);
	if ((w->paced || w->phase->timed) && !w->ask.beside && w->status == DONE)
		finish_schedule(w);
}

/* ---- between turns ---- */

static void release_snapshot(struct worker *w)
{
	w->snapshot_reads = 0;
	w->held = false;
	if (w->engine->release)
		w->engine->release(w->session);
}

/* What was recorded so far, for the sampler, which has asked again. */
static void give_sample(struct worker *w, unsigned tick)
{
	if (atomic_load(&w->phase->door.closed) && !w->leaving) {
		if (txn_is_open(&w->txn))
			return;
		if (!w->scanning)
			release_snapshot(w);
		worker_wait(w);
	}
	worker_show(w, tick);
}

/*
 * Go back to where the transaction began, as if its calls had not been: what they took is
 * kept apart.
 */
static void rewind_batch(struct worker *w)
{
	w->todo += w->txn.pending;
	w->retries += w->txn.pending;
	w->undone += txn_drop(&w->txn);
	w->txn.again = false;
	w->txn.pending = w->txn.placed = 0;
	w->txn.carried = false;
	w->seen = w->mark.seen;
	w->pace = w->mark.pace;
	ask_return(&w->ask, &w->mark.place);
	w->from = w->prepared = w->begun = 0;
}

/* The transaction has committed, and what it did counts. */
static void settle_times(struct worker *w)
{
	uint64_t writes = txn_settle(&w->txn, w->latency ? &w->hist[KIND_WRITE] : NULL,
				     w->paced ? &w->responses[KIND_WRITE] : NULL);

	w->kind[KIND_WRITE] += writes;
	w->done += writes;
}

/*
 * End the load, or commit what a stopped run left open; what a failed one left open was
 * not done.
 */
static void finish_batch(struct worker *w)
{
	enum status (*end)(struct session *) = w->txn.bulk ? w->engine->bulk_end
							      : w->engine->commit;

	if (!txn_is_open(&w->txn))
		return;
	if (w->status == DONE && !w->txn.rolled_back &&
	    (!end || (w->status = end(w->session)) == DONE)) {
		w->txn.commits += w->txn.pending > 0;
		settle_times(w);
		w->ended_at = clock_ticks(w->clock);
		return;
	}
	if (w->engine->rollback)
		w->engine->rollback(w->session);
	if (w->paced)
		w->left += txn_unsettled(&w->txn);
	txn_drop(&w->txn);
	w->seen.bytes = w->mark.seen.bytes;
	w->seen.digest = w->mark.seen.digest;
}

/* ---- prepare ---- */

/*
 * Fill the slots; nothing here is inside a timed call. Answers how many calls they hold.
 */
static unsigned prepare(struct worker *w)
{
	uint64_t counted = w->done + txn_unsettled(&w->txn);
	bool batched = w->txn.size > 1;
	unsigned n = w->limit;

	if (n > w->todo)
		n = (unsigned)w->todo;
	/*
	 * A multi-get is not cut for a report; what is open where one is due is reported
	 * when it has ended.
	 */
	if (!w->grouped && counted < w->next_report && n > w->next_report - counted)
		n = (unsigned)(w->next_report - counted);
	if (w->txn_reads && n > w->txn_reads - w->snapshot_reads)
		n = (unsigned)(w->txn_reads - w->snapshot_reads);
	if (batched && !w->txn.placed) {
		w->mark.place = ask_place(&w->ask);
		if (w->paced)
			w->mark.pace = w->pace;
	}
	if (batched)
		n = txn_fit(&w->txn, n);
	n = w->actor ? worker_draw_acts(w, n) : ask_next(&w->ask, n);
	w->ended |= !n; /* a trace */
	if (batched)
		txn_mark(&w->txn, w->ask.slot, n, n == w->todo);
	return n;
}

/* ---- measure: all that is timed ---- */

/* Look at the bytes a read returned, as much as --touch asks. */
static inline void see(struct worker *w, struct slice bytes)
{
	seen_add(&w->seen, bytes, w->touch);
}

/* Inside the time of the read that needs it. */
static enum status begin_snapshot(struct worker *w)
{
	enum status status = w->engine->snapshot(w->session);

	w->held = status == DONE;
	return status;
}

/* Open a transaction, and remember what to go back to. */
static enum status begin(struct worker *w)
{
	w->mark.seen = w->seen;
	return w->engine->begin(w->session);
}

static inline __attribute__((always_inline)) enum status
write_step(struct worker *w, const struct slot *slot,
	   enum status (*put)(struct session *, struct slice, struct slice))
{
	enum status status = DONE;

	if (slot->step & BEGIN)
		status = begin(w);
	if (status == DONE)
		status = put(w->session, slot->key, slot->value);
	if (status == DONE && slot->step & COMMIT)
		status = w->engine->commit(w->session);
	if (status != DONE)
		return status;
	w->seen.bytes += slot->value.size;
	txn_wrote(&w->txn, slot->step);
	return DONE;
}

static enum status seek_step(struct worker *w, const struct slot *slot)
{
	struct slice key, value;
	enum status status = w->engine->seek(w->session, slot->key, &key, &value),
		    next = status;
	/* The record there may be another than the one asked for. */
	bool met = status == DONE && key.size == slot->key.size &&
		   !memcmp(key.data, slot->key.data, key.size);
	uint64_t bytes = w->seen.bytes, entries = w->entries;
	record_lanes digest = w->seen.digest;

	w->last_id = UINT64_MAX;
	for (uint64_t left = slot->value.size; left && next == DONE; left--) {
		see(w, key);
		see(w, value);
		w->entries++;
		if (w->verify)
			worker_check(w, UINT64_MAX, key, value);
		if (left > 1)
			next = w->engine->next(w->session, &key, &value);
	}
	if (next == CONFLICT) {
		w->seen.bytes = bytes;
		w->seen.digest = digest;
		w->entries = entries;
	}
	if (next != DONE && next != NOT_FOUND)
		return next;
	return met ? DONE : NOT_FOUND;
}

static enum status next_step(struct worker *w)
{
	struct slice key, value;
	enum status status;

	if (w->scanning) {
		status = w->onward(w->session, &key, &value);
	} else {
		w->last_id = UINT64_MAX;
		status = drive_seek(w->engine, w->session, (struct slice){NULL, 0},
				    w->ask.role->reverse ? REVERSE : FORWARD, &key,
				    &value);
		w->scanning = status == DONE;
	}
	if (status == DONE) {
		see(w, key);
		see(w, value);
		if (w->verify)
			worker_check(w, UINT64_MAX, key, value);
	}
	return status;
}

/* The read of a read-modify-write, which may open its transaction. */
static enum status fetch_step(struct worker *w, const struct slot *slot,
			      struct slice *value)
{
	enum status status = slot->step & BEGIN ? begin(w) : DONE;

	return status == DONE ? w->engine->get(w->session, slot->key, value) : status;
}

/*
 * The engine gave way to another thread: answer the slot to go on from, or NULL if its
 * transaction began in an earlier turn. `then` is when the call began.
 */
static struct slot *retry(struct worker *w, struct slot *slot, uint64_t then)
{
	bool single = w->txn.alone && (slot->step & (BEGIN | COMMIT)) != COMMIT;
	struct slot *from = txn_back(&w->txn, w->ask.slot, slot);
	uint64_t now;

	w->conflicts++;
	w->retries++;
	if (w->held && (w->status = begin_snapshot(w)) != DONE) {
		w->ended = true;
		return NULL;
	}
	backoff_wait(&w->backoff, w->txn.commits + (single ? (uintptr_t)slot : 0));
	now = clock_ticks(w->clock);
	/* A call that gives way again has begun but once. */
	w->undone += now - (then > w->undone_until ? then : w->undone_until);
	w->undone_until = now;
	if (single || !from)
		return from;
	w->retried_at = clock_ticks(w->clock);
	w->undone_now = true;
	for (struct slot *undone = from; undone < slot; undone++) {
		w->undone += undone->took;
		w->retries += !(undone->step & HALF);
	}
	w->seen = w->mark.seen;
	return from;
}

/*
 * An iteration that begins again at the end of the data, if there was any: as asked for,
 * or in a warm-up.
 */
static bool wraps(struct worker *w)
{
	bool again = (w->ask.role->endless || w->warming) && w->scanning;

	w->scanning = false;
	release_snapshot(w);
	return again;
}

/*
 * A call that was not DONE: the slot to go on from, with its time from retried_at; or
 * NULL to end the turn.
 */
static struct slot *missed(struct worker *w, struct slot *slot, enum status status,
			   uint64_t then)
{
	bool stop = atomic_load_explicit(&w->phase->watch.stop, memory_order_relaxed);

	w->retried_at = then;
	if (status == CONFLICT && !stop)
		return retry(w, slot, then);
	if (status == NOT_FOUND && (slot->step & STEP_MASK) != STEP_NEXT) {
		w->seen.missing++;
		w->seen.lost += ask_must_find(&w->ask, w->ask.id[slot - w->ask.slot]);
		return slot + 1;
	}
	if (status == NOT_FOUND && !stop && wraps(w))
		return slot;
	w->ended = true;
	if (status == NOT_FOUND) /* where the data ends nothing was due */
		w->begun = 0;
	w->txn.rolled_back = status == CONFLICT;
	if (status != NOT_FOUND && status != CONFLICT)
		w->status = status;
	return NULL;
}

/*
 * In an open loop: wait for the next operation; false if the end came first. An idle
 * session releases its snapshot, or the engine keeps all that others replace meanwhile.
 */
static bool wait_until_due(struct worker *w, uint64_t *due)
{
	if (w->engine->release && !w->txn_reads && !w->scanning &&
	    !txn_is_open(&w->txn) && pace_rests(&w->pace))
		w->engine->release(w->session);
	*due = pace_due(&w->pace);
	return pace_wait(&w->pace, &w->phase->watch.stop);
}

/*
 * At the end of the turn, or where that has been moved to, if what is under way can end
 * there; or at the end of all.
 */
static bool ends_turn(struct worker *w, const struct slot *slot, const struct slot *end)
{
	if (slot == end)
		return true;
	/* What the first step of two has begun, a transaction's lock, the second ends. */
	if (txn_halfway(w->ask.slot, slot))
		return false;
	if (atomic_load_explicit(&w->phase->watch.stop, memory_order_relaxed)) {
		w->ended = true;
		return true;
	}
	return !txn_is_open(&w->txn);
}

/* The slot before which the turn ends, unless it is moved back meanwhile. */
static inline const struct slot *turn_end(struct worker *w)
{
	return atomic_load_explicit(&w->watched.turn_end, memory_order_relaxed);
}

/*
 * A test build writes down the intended start, begin and end of each operation of an open
 * loop: test/waits.awk.
 */
static inline void trace(const struct worker *w, uint64_t due, uint64_t begun,
			 uint64_t done)
{
#ifdef ASSAY_TRACE
	fprintf(stderr, "trace %u %llu %llu %llu\n", w->ask.number,
		(unsigned long long)clock_ns(w->clock, due),
		(unsigned long long)clock_ns(w->clock, begun),
		(unsigned long long)clock_ns(w->clock, done));
#else
	(void)w, (void)due, (void)begun, (void)done;
#endif
}

/* What is looked at while measuring, besides the engine's answers: bits. */
enum { WATCH_TIME = 1, WATCH_COUNTER = 2, WATCH_BYTES = 4, WATCH_PACE = 8 };

/*
 * Do the first n slots and time each: from the end of the call before to the end of this
 * one, so that one clock reading serves both; in an open loop, from when it was begun.
 * Answers how many were done. Inlined once for each step and way of watching, so that a
 * loop of gets is nothing but gets.
 */
static inline __attribute__((always_inline)) unsigned measure_as(
	struct worker *w, unsigned n, enum step fixed, unsigned watch, enum touch touch)
{
	const struct engine *e = w->engine;
	const struct clock clock = *w->clock;
	struct slot *const begin = w->ask.slot + w->from, *const end = begin + n,
			   *slot = begin;
	uint64_t then = clock_ticks(&clock), now, due = 0;

	w->first_end = then;
	if (fixed != STEPS && w->txn_reads && !w->held &&
	    (w->status = begin_snapshot(w)) != DONE) {
		w->ended = true;
		return 0;
	}
	atomic_store_explicit(&w->watched.turn_end, end, memory_order_relaxed);
	for (;;) {
		enum status status = UNSUPPORTED;
		struct slice value;
		enum step step;

		if (__builtin_expect(slot >= turn_end(w), 0) &&
		    ends_turn(w, slot, end))
			break;
		step = fixed == STEPS ? (enum step)(slot->step & STEP_MASK) : fixed;
		/*
		 * An operation that is done again keeps its intended start; the two steps
		 * of one operation share theirs.
		 */
		if (watch & WATCH_PACE && slot == w->ask.slot + w->begun) {
			if (slot == w->ask.slot || !((slot - 1)->step & HALF)) {
				if (!wait_until_due(w, &due)) {
					w->ended = true;
					break;
				}
				pace_advance(&w->pace);
				then = clock_ticks(&clock);
			}
			w->due[w->begun++] = due;
		}
		if (fixed == STEPS && w->txn_reads &&
		    (step_writes(step) || slot->step & BEGIN))
			release_snapshot(w);
		else if (fixed == STEPS && w->txn_reads && !w->held &&
			 (status = begin_snapshot(w)) != DONE)
			step = STEPS;
		switch (step) {
		case STEP_GET:
		case STEP_FETCH:
			status = fixed == STEPS && step == STEP_FETCH
					 ? fetch_step(w, slot, &value)
					 : e->get(w->session, slot->key, &value);
			if (status == DONE)
				seen_add(&w->seen, value,
					 touch == TOUCHES ? w->touch : touch);
			if (watch & WATCH_BYTES && status == DONE)
				worker_check(w, w->ask.id[slot - w->ask.slot], slot->key,
					     value);
			break;
		case STEP_PUT:
			status = write_step(w, slot, e->put);
			break;
		case STEP_APPEND:
			status = write_step(w, slot, w->append);
			break;
		case STEP_DELETE:
			status = e->del(w->session, slot->key);
			w->txn.commits += status == DONE;
			w->deletes += status == DONE || status == NOT_FOUND;
			break;
		case STEP_SEEK:
			status = seek_step(w, slot);
			break;
		case STEP_NEXT:
			status = next_step(w);
			break;
		case STEP_HEAD:
			status = worker_seek_head(w, slot);
			break;
		case STEP_ACT_READ:
		case STEP_ACT_WRITE:
		case STEP_ACT_SCAN:
			status = worker_act(w, slot);
			break;
		case STEP_ADD:
		case STEP_REPLACE:
			status = worker_conditional(w, slot);
			break;
		case STEP_MULTIGET:
		case STEPS:
			break;
		}
		if (__builtin_expect(status != DONE, 0)) {
			struct slot *from = missed(w, slot, status, then);

			if (!from)
				break;
			if (from <= slot) {
				then = w->retried_at;
				slot = from;
				continue;
			}
		}
		if (watch) {
			now = watch & WATCH_COUNTER ? clock_counter()
						    : clock_ticks(&clock);
			slot->took = now - then;
			then = now;
		}
		if (watch & WATCH_BYTES) {
			slot->took -= w->aside;
			w->aside = 0;
		}
		if (watch & WATCH_PACE) {
			w->response[slot - w->ask.slot] = now -
							  w->due[slot - w->ask.slot];
			trace(w, w->due[slot - w->ask.slot], now - slot->took, now);
		}
		slot++;
	}
	w->ended_at = watch ? then : clock_ticks(&clock);
	return (unsigned)(slot - begin);
}

/* Single steps by the counter know at compile time what is touched. */
static inline __attribute__((always_inline)) unsigned measure_step(struct worker *w,
								   unsigned n,
								   enum step step)
{
	if (w->verify)
		return measure_as(w, n, step, WATCH_TIME | WATCH_BYTES, TOUCHES);
	if (!w->latency)
		return measure_as(w, n, step, 0, TOUCHES);
	if (!w->clock->counter)
		return measure_as(w, n, step, WATCH_TIME, TOUCHES);
	if (w->touch == TOUCH_ALL)
		return measure_as(w, n, step, WATCH_TIME | WATCH_COUNTER, TOUCH_ALL);
	if (w->touch == TOUCH_NONE)
		return measure_as(w, n, step, WATCH_TIME | WATCH_COUNTER, TOUCH_NONE);
	return measure_as(w, n, step, WATCH_TIME | WATCH_COUNTER, TOUCHES);
}

static unsigned measure_gets(struct worker *w, unsigned n)
{
	return measure_step(w, n, STEP_GET);
}

static unsigned measure_puts(struct worker *w, unsigned n)
{
	return measure_step(w, n, STEP_PUT);
}

static unsigned measure_nexts(struct worker *w, unsigned n)
{
	return measure_step(w, n, STEP_NEXT);
}

static unsigned measure_any(struct worker *w, unsigned n)
{
	return measure_step(w, n, STEPS);
}

static unsigned measure_paced(struct worker *w, unsigned n)
{
	if (w->verify)
		return measure_as(w, n, STEPS, WATCH_TIME | WATCH_PACE | WATCH_BYTES,
				  TOUCHES);
	return measure_as(w, n, STEPS, WATCH_TIME | WATCH_PACE, TOUCHES);
}

/* One value of a multi-get, or none. */
static void see_answer(struct worker *w, unsigned i, struct slice value)
{
	if (!value.data) {
		w->seen.missing++;
		w->seen.lost += ask_must_find(&w->ask, w->ask.id[i]);
		return;
	}
	see(w, value);
	if (w->verify)
		worker_check(w, w->ask.id[i], w->group[i], value);
}

/*
 * Get the group one by one, for an engine without multi-get: each answer lives until the
 * next get.
 */
static enum status get_group(struct worker *w, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		struct slice value = {NULL, 0};
		enum status status = w->engine->get(w->session, w->group[i], &value);

		/*
		 * A group that does not end in time is not done: the harness ends it as
		 * it ends one that gave way.
		 */
		if (atomic_load_explicit(&w->phase->watch.stop, memory_order_relaxed))
			return CONFLICT;
		if (status != DONE && status != NOT_FOUND)
			return status;
		see_answer(w, i, status == DONE ? value : (struct slice){NULL, 0});
	}
	return DONE;
}

static enum status get_many(struct worker *w, unsigned n)
{
	enum status status = w->engine->multiget(w->session, w->group, w->answers, n);

	for (unsigned i = 0; status == DONE && i < n; i++)
		see_answer(w, i, w->answers[i]);
	return status;
}

/* In an open loop a group is due with its first key; false if the end came first. */
static bool group_due(struct worker *w, unsigned n, uint64_t *due)
{
	if (!w->paced)
		return true;
	if (!wait_until_due(w, due))
		return false;
	for (w->begun = n; n--;)
		pace_advance(&w->pace);
	return true;
}

/* One call for all slots; its time stands in the first one. */
static unsigned measure_group(struct worker *w, unsigned n)
{
	const struct seen before = w->seen;
	enum status status = CONFLICT;
	struct slot *from = w->ask.slot;
	uint64_t due = 0;

	if (!group_due(w, n, &due)) {
		w->ended = true;
		return 0;
	}
	w->first_end = clock_ticks(w->clock);
	while (from == w->ask.slot) {
		status = w->engine->multiget ? get_many(w, n) : get_group(w, n);
		if (status == DONE)
			break;
		w->seen = before;
		from = missed(w, w->ask.slot, status, w->first_end);
	}
	w->ended_at = clock_ticks(w->clock);
	w->ask.slot[0].took = w->ended_at - w->first_end - w->aside;
	if (w->paced)
		w->response[0] = w->ended_at - due;
	w->aside = 0;
	return status == DONE ? n : 0;
}

/* The loop for a worker that does one step only, where there is one. */
static measure *const measures[STEPS] = {
	[STEP_GET] = measure_gets,
	[STEP_PUT] = measure_puts,
	[STEP_NEXT] = measure_nexts,
};

/* ---- account ---- */

/* Of an open loop: a response, and what of it was waiting. */
static void enter_response(struct worker *w, enum result_kind kind,
			   const struct slot *slot)
{
	uint64_t response = w->response[slot - w->ask.slot];

	hist_record(&w->responses[kind], response);
	hist_record(w->late, response > slot->took ? response - slot->took : 0);
}

/* Enter the times of n finished slots, all of one kind. */
static void enter_alike(struct worker *w, const struct slot *restrict slot, unsigned n)
{
	enum result_kind kind = kind_of[step_of[w->ask.only]];
	struct hist *h = &w->hist[kind];

	w->kind[kind] += n;
	w->done += n;
	if (!n) /* a group that gave way at the end took time for nothing */
		return;
	n = w->grouped ? 1 : n;
	if (w->latency && !w->verify && !w->paced && !w->undone_now) {
		/* One call's end is the next one's beginning. */
		h->sum += w->ended_at - w->first_end;
#pragma GCC unroll 4
		for (unsigned i = 0; i < n; i++)
			hist_enter(h, slot[i].took);
	} else if (w->latency) {
		for (unsigned i = 0; i < n; i++)
			hist_record(h, slot[i].took);
	}
	for (unsigned i = 0; w->paced && i < n; i++)
		enter_response(w, kind, slot + i);
}

static void enter_mixed(struct worker *w, const struct slot *restrict slot, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		enum result_kind kind = kind_of[slot[i].step & STEP_MASK];

		w->kind[kind]++;
		w->done += !(slot[i].step & HALF);
		if (w->latency)
			hist_record(&w->hist[kind], slot[i].took);
		if (w->paced)
			enter_response(w, kind, slot + i);
	}
}

/*
 * Enter n finished slots. Of a transaction that is still open, the last writes of them
 * and perhaps all of earlier turns, it is not known yet whether they count.
 */
static void enter_times(struct worker *w, unsigned n)
{
	const struct slot *slot = w->ask.slot + w->from;
	unsigned open = txn_open(&w->txn, n), settled = n - open;

	if (txn_ended(&w->txn, n))
		settle_times(w);
	if (open)
		w->undone_now = true; /* the sum is not that of the stretch */
	if (w->ask.uniform)
		enter_alike(w, slot, settled);
	else
		enter_mixed(w, slot, settled);
	if (open)
		txn_keep(&w->txn, slot + settled,
			 w->paced ? w->response + w->from + settled : NULL, open);
	w->undone_now = false;
}

/*
 * Slow calls are taken fewer at a time, so that a thread hears of the end within
 * milliseconds.
 */
static void adapt_turn(struct worker *w, uint64_t start)
{
	uint64_t spent = clock_ns(w->clock, w->ended_at - start);

	if (w->grouped)
		return;
	if (spent > 1000000 && w->limit > 1)
		w->limit /= 2;
	else if (spent < 250000 && w->limit < w->ask.slots)
		w->limit = w->limit * 2 < w->ask.slots ? w->limit * 2 : w->ask.slots;
}

/* Let others see what has been done and will not be undone. */
static void show_work(struct worker *w, unsigned n)
{
	struct thread_public *v = w->watched.public;

	/* What is not committed is there for nobody. */
	if (!w->ended && !txn_is_open(&w->txn) && w->from + n == w->prepared)
		ask_show_born(&w->ask);
	for (int k = 0; k < KINDS; k++)
		atomic_store_explicit(&v->shown[k], w->kind[k], memory_order_relaxed);
	atomic_store_explicit(&v->shown_ops, w->done, memory_order_relaxed);
	atomic_store_explicit(&v->begun, w->done + txn_unsettled(&w->txn),
			      memory_order_relaxed);
}

/* A thread's own report, every stats_interval operations. */
static void report_thread(struct worker *w)
{
	double all = (double)clock_ns(w->clock, w->ended_at - w->began) / 1e9;
	double since = all - w->reported_seconds;

	watch_print_interval(w->ask.number, w->done - w->reported, w->done, since, all);
	w->reported = w->done;
	w->reported_seconds = all;
	while (w->next_report <= w->done)
		w->next_report += w->report_every;
}

/* Enter n finished slots into the thread's counters; `start`: when the last ended. */
static void account(struct worker *w, unsigned n, uint64_t start)
{
	uint64_t first = w->first_end + (n ? w->ask.slot[w->from].took : 0) - start;
	uint64_t before = w->done + txn_unsettled(&w->txn);

	enter_times(w, n);
	if (first > w->gap && !w->paced)
		w->gap = first;
	w->todo -= w->done + txn_unsettled(&w->txn) - before;
	w->snapshot_reads += n;
	show_work(w, n);
	if (w->done >= w->next_report)
		report_thread(w);
	adapt_turn(w, start);
}

/* ---- what the loop itself costs ---- */

/*
 * Nanoseconds the loop of worker 0 costs an operation when the engine does nothing: the
 * same code with the null driver, the best of a few rounds of about 2 ms.
 */
static double calibrate(const struct phase *real)
{
	enum { ROUNDS = 4, FIRST = 2048, MOST = 1000000 };
	uint64_t records = cfg->num > MOST
				   ? cfg->num
				   : MOST; /* a small key space would end it early */
	struct phase p = *real;
	struct oracle oracle = *real->settings->oracle;
	struct settings settings = *real->settings;
	struct random stream = random_seed(cfg->seed, "calibration");
	double best = INFINITY;

	oracle.records = workload_grows(real->load) ? UINT64_MAX / 2 : records;
	settings.oracle = &oracle;
	settings.verify = false;
	p.engine = &floor_engine;
	p.floor = true;
	p.settings = &settings;
	p.txn_reads = 0;
	atomic_init(&p.watch.warming, false);
	drive_open(&floor_engine, &settings, &p.db, p.origin->place->why);
	p.ask.todo = FIRST;
	p.ask.permutation = permutation_make(records, cfg->seed);
	p.foreground = p.ask.threads = p.ask.count = 1;
	for (int round = 0; p.db && round < ROUNDS; round++) {
		struct worker *w = say_alloc_apart(sizeof *w);

		worker_make(w, &p, 0, &stream);
		w->next_report = UINT64_MAX;
		w->session = drive_attach(&floor_engine, &settings, p.db, w->why);
		if (w->session) {
			work(w);
			drive_detach(&floor_engine, w->session);
		}
		if (w->done) {
			double ns = (double)clock_ns(w->clock, w->ended_at - w->began) /
				    (double)w->done;

			best = ns < best ? ns : best;
			p.ask.todo = (uint64_t)fmin(2e6 / ns + 2, MOST);
		}
		worker_free(w);
		free(w);
	}
	if (p.db)
		drive_close(&floor_engine, p.db, p.origin->place->why);
	return isfinite(best) ? best : NAN;
}

/* ---- rows ---- */

/* The row of a benchmark that was run. */
static void report(const struct phase *p, struct result *r)
{
	struct hist *times = say_alloc(KINDS, sizeof *times),
		    *responses = say_alloc(KINDS, sizeof *responses);
	struct outcome o = outcome_of(p, interrupted, times, responses);

	report_row(&o, r);
	free(times);
	free(responses);
}

/* The row of a benchmark that could not begin, or that nobody was left to report. */
static void report_nothing(struct bench *b, const struct entry *e, uint64_t ops,
			   const char *why)
{
	struct result r = result_unknown();
	struct phase p;
	struct outcome o;

	if (e->load->special == SPECIAL_STATISTICS)
		return;
	phase_make(&p, &b->crew, e);
	o = outcome_expected(&p, interrupted);
	b->place.opened_as = place_durability(e->load);
	r.time = shared->time;
	r.engine_options = b->place.options;
	r.seconds = clock_seconds_since(shared->began_ns);
	report_void(&o, &r, ops, why);
}

/* The row of the benchmark that the child died in. Answers the exit status. */
static int report_death(struct bench *b, enum guard_end end, int how)
{
	const struct workload *load = shared->load;
	bool asked_for = how == SIGINT || how == SIGTERM;
	const char *path = engine.stores_nothing ? NULL : b->place.store.path;
	const char *cause = asked_for ? "interrupted before it could end in order"
			    : b->out_of_memory
				    ? "it needs more memory than --memory allows; give "
				      "more, or less to --cache_size"
				    : NULL;
	char why[WHY_SIZE + 512];
	uint64_t ops = shared_why(shared, end, how, cause, path, why, sizeof why);

	say("%s: %s", load ? load->name : "between benchmarks", why);
	if (load) {
		memcpy(b->place.options, shared->options, sizeof b->place.options);
		place_learn(&b->place, load);
		b->place.sizes = shared->sizes;
		report_nothing(b, &shared->now, ops, why);
	}
	return asked_for ? 128 + how : 1;
}
