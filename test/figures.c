/*
 * figures.c: prints the rows of runs that were not made, all of whose counts, times and
 * resource usage are given here; test/figures.txt is what was looked at and found right.
 *
 * Each number given is another, so that one in the place of another, a sum without one
 * thread, or a wrong unit shows. A tick of the clock is 2 ns. Arguments: a file to which
 * the rows are appended as JSON, and a directory for a database.
 */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../bench/report/aggregate.h"
#include "../bench/report/row.h"
#include "../bench/runner/account.h"
#include "../bench/runner/database.h"
#include "../bench/workload/config.h"
#include "../bench/workload/help.h"
#include "../util/distinct_count.h"
#include "../util/message.h"

static const char *figures_version(void)
{
	return "1.2";
}

extern const struct extra probe_extra;

/* Are all rows of an engine that has servers? */
#ifndef FIGURES_SERVERS
#define FIGURES_SERVERS false
#endif

static const char *figures_directory; /* for a database */

static enum status figures_server_usage(struct db *db, struct server_usage *usage,
					char *why)
{
	(void)db, (void)usage, (void)why;
	return FAILED;
}

const struct engine engine = {
	.server_usage = FIGURES_SERVERS ? figures_server_usage : NULL,
	.blind_deletes = FIGURES_SERVERS,
	.name = "figures",
	.version = figures_version,
	.cache = "its cache",
	.write_buffer = "its buffer",
	.effective_durability = {DURABILITY_NONE, DURABILITY_ASYNC, DURABILITY_SYNC},
};

enum { THREADS_MOST = 5, SLOTS = 12 };

/* All that a row is made of. */
static struct {
	struct workload workload, background, added_role;
	struct added_thread added;
	struct plan_item item;
	struct settings settings;
	struct database database;
	struct host host;
	struct clock clock;
	struct program_info program;
	struct program_facts info;
	struct run run;
	struct worker workers[THREADS_MOST];
	struct thread_stats stats[THREADS_MOST];
	struct published_counts published[THREADS_MOST];
	struct growth growth[THREADS_MOST];
	struct program_context context;
	unsigned from; /* the slot that chunks begin with */
	struct slot slots[THREADS_MOST][SLOTS];
	uint64_t scheduled[THREADS_MOST][SLOTS], response[THREADS_MOST][SLOTS];
	bool missed[SLOTS];
	struct hist times[METRICS_HISTS], responses[METRICS_HISTS];
	struct message_texts texts;
} made;

/* Numbers that rise and whose differences differ: the n-th of them is n^2 + 10. */
static void set_numbers(double *first, size_t bytes)
{
	for (size_t i = 0; i < bytes / sizeof *first; i++)
		first[i] = (double)(i * i) + 10;
}

static void make_program(void)
{
	made.clock.ns_per_tick = (uint64_t)2 << 32;
	made.clock.counter = true;
	made.clock.read_cost_ns = 7.5;
	strcpy(made.host.name, "machine");
	strcpy(made.host.governor, "performance");
	strcpy(made.host.turbo, "off");
	strcpy(made.host.smt, "on");
	strcpy(made.host.thp, "madvise");
	made.host.idle_reclaim = "";
	strcpy(made.host.allowed_cpus, "0-2,5");
	made.host.cores = 4;
	made.host.machine_cpus = 6;
	made.host.memory_kb = 1 << 22;
	made.host.swappiness = 61;
	made.host.numa_nodes = 2;
	made.program = (struct program_info){.version = "9",
					     .commit = "abcdef0",
					     .build = "a build"};
	made.info = (struct program_facts){
		.program = &made.program,
		.command = "a command",
		.engine_build = "how",
		.allocator = "malloc",
		.host = &made.host,
		.clock = &made.clock,
		.database = &made.database,
	};
	made.settings.key_size = 20;
	made.settings.cache_bytes = 3 << 20;
	made.settings.write_buffer_bytes = 5 << 20;
	made.database.settings = made.settings;
	made.database.value_sizes = (struct record_sizes){.min = 300, .max = 300};
	made.database.epochs_before = 40;
	made.database.first_free_id = 1000;
	made.database.cold.method = "dropped";
	made.database.cold.resident_kb = 12;
}

/* What main() measured, over 25 s. */
static void make_metrics(struct metrics *m)
{
	m->began.ticks = 1000;
	m->ended.ticks = 1000 + 12500000000;
	m->ended.raw_ns = 25000000000;
	set_numbers(&m->usage.user_s, sizeof m->usage);
	m->usage.user_s = 3.25;
	m->usage.sys_s = 1.5;
	m->usage.cpu_s = 9;
	m->usage.device_busy_s = 4;
	m->usage.machine_cpu_s = 31;
	m->usage.steal_s = 3;
	set_numbers(&m->footprint.rss_kb, sizeof m->footprint);
	m->cgroup_usage = (struct cgroup_usage){4096e3, 2048e3, 0.75};
	m->limits = (struct cgroup_limits){NAN, INFINITY};
	m->disk_bytes_before = 1 << 20;
	m->disk_bytes = 9 << 20;
	m->resident_bytes = 7 << 10;
	m->nand_bytes = 123456;
	m->host_before = (struct host_state){1.25, 41};
	m->host_after = (struct host_state){2.5, 57};
	m->main_cpu_s = 0.125;
	m->engine_threads = (struct thread_delay_of_engine){0.5, 0.25};
}

/* Thread i of so many of each kind. */
static void make_worker(unsigned i, unsigned foreground, unsigned background)
{
	struct worker *w = &made.workers[i];

	w->run = &made.run;
	w->engine = &engine;
	w->clock = &made.clock;
	w->stats = &made.stats[i];
	w->latencies = w->stats->latency;
	w->responses = w->stats->responses;
	w->start_error = &w->stats->start_error;
	w->start_error->unit = 2;
	for (int k = 0; k <= KINDS; k++)
		w->latencies[k].unit = 2;
	for (int k = 0; k < KINDS; k++)
		w->responses[k].unit = 2;
	w->transaction.times = &w->stats->open_transaction;
	w->transaction.single_writes = true;
	w->transaction.writes_per_commit = 1;
	w->monitored.published = &made.published[i];
	w->generator.workload = i < foreground                ? &made.workload
				: i < foreground + background ? &made.background
							      : &made.added_role;
	w->generator.number = i;
	w->generator.is_background = i >= foreground;
	w->generator.slot = made.slots[i];
	w->generator.slots = SLOTS;
	w->scheduled = made.scheduled[i];
	w->response = made.response[i];
	w->timed_calls = true;
	w->chunk_size = 4;
	w->next_report = w->next_second = UINT64_MAX;
	w->remaining = 1000;
}

/* A run of this workload by so many threads, with background threads after them. */
static void make_run(const struct workload *workload, unsigned foreground,
		     unsigned background, unsigned added)
{
	struct run *run = &made.run;

	memset(&made, 0, sizeof made);
	make_program();
	made.workload = *workload;
	made.background =
		(struct workload){.name = "writer", .weights = {[OP_PUT] = 100}};
	made.added_role = (struct workload){.name = "probe",
					    .weights = {[OP_GET] = 100},
					    .added = &made.added};
	made.item = (struct plan_item){
		.workload = &made.workload,
		.threads = foreground,
		.iteration = 3,
		.repetition = 2,
		.epoch = 6,
		.measured_threads = foreground + background,
	};
	run->info = &made.info;
	run->engine = &engine;
	run->workload = &made.workload;
	run->item = &made.item;
	run->settings = &made.settings;
	run->batch = 50;
	run->workers = made.workers;
	run->foreground = foreground;
	run->all_threads = foreground + background + added;
	run->generator.operations = 1000;
	run->generator.must_find = true;
	run->generator.scan_lengths = (struct record_sizes){.min = 11, .max = 11};
	steady_state_init(&run->monitor.steady_state);
	make_metrics(&run->metrics);
	for (unsigned i = 0; i < run->all_threads; i++)
		make_worker(i, foreground, background);
}

/* Thread i does these calls one after another, of so many ticks each. */
static void do_chunk(unsigned i, const unsigned char *calls, unsigned n, uint64_t ticks)
{
	struct worker *w = &made.workers[i];
	uint64_t start = w->ended_at;

	w->chunk_began = start + 3;
	w->ended_at = w->chunk_began;
	w->next_slot = made.from;
	for (unsigned s = 0; s < n; s++) {
		struct slot *slot = &w->generator.slot[made.from + s];

		slot->call = calls[s];
		slot->ticks = ticks + 100 * s;
		w->ended_at += slot->ticks;
		/* what began late took longer, as seen from its scheduled start */
		w->scheduled[made.from + s] = w->ended_at - slot->ticks - 10 * (s + 1);
		w->response[made.from + s] = slot->ticks + 10 * (s + 1);
	}
	for (unsigned s = 0; s < n; s++)
		if (generator_call_writes(calls[s] & CALL_MASK))
			transaction_note_write(&w->transaction, calls[s]);
	w->prepared = made.from + n;
	account_chunk(w, n, start);
}

/* Counts that calls would have made; each thread's are others. */
static void set_counts(unsigned i, uint64_t begin, uint64_t end)
{
	struct worker *w = &made.workers[i];
	uint64_t n = i + 1;

	w->began = begin;
	w->ended_at = end;
	w->tally.missing = n;
	w->tally.lost = 2 * n * n;
	w->tally.bytes = 1000 * n * n;
	w->wrong = 3 * n * n * n;
	w->disordered = 5 * n;
	w->entries = 7 * n * n;
	w->conflicts = 11 * n * n;
	w->retries = 13 * n * n;
	w->retry_ticks = 17000000 * n * n;
	w->cpu_s = 0.25 * (double)(n * n);
	w->runnable_s = 0.03125 * (double)(n * n);
	w->tally.digest[0] = n;
	w->ops_unfinished = 2 * n;
}

/* With these deferred costs. */
static struct result row_after(struct result_deferred settle,
			       struct result_deferred close)
{
	struct aggregate a =
		aggregate_run(&made.run, false, &made.texts, made.times, made.responses);
	struct result r = result_unknown();

	printf("a backup must have %llu records; %g groups\n",
	       (unsigned long long)a.records_least, a.groups);
	r.settle = settle;
	r.close = close;
	r.harness_ns_per_op = 21e6;
	row_fill(&a, &r);
	return r;
}

static struct result row_of_run(void)
{
	struct result_deferred none = result_unknown().settle;

	return row_after(none, none);
}

/* ---- the runs ---- */

/* Three threads read; they begin and end at different times. */
static struct result three_readers(void)
{
	static const unsigned char gets[] = {CALL_GET, CALL_GET, CALL_GET, CALL_GET,
					     CALL_GET, CALL_GET, CALL_GET, CALL_GET,
					     CALL_GET, CALL_GET, CALL_GET};

	make_run(&(struct workload){.name = "read",
				    .weights = {[OP_GET] = 100},
				    .key_order = ORDER_RANDOM},
		 3, 0, 0);
	for (unsigned i = 0; i < 3; i++) {
		struct worker *w = &made.workers[i];

		w->generator.single_call = true;
		w->generator.only_op = OP_GET;
		w->second_ticks = 5000;
		w->next_second = 6000;
		do_chunk(i, gets, 11, 1000 * (i + 1));
		do_chunk(i, gets, 3 + i, 20000 * (i + 1));
		set_counts(i, 500 + 100 * i, 5000000500 + 1000000000 * i);
		w->generator.keys_drawn = 50 + i;
		w->generator.distribution.top1pct_draws = 5 * (i + 1);
		distinct_count_init(&w->generator.distinct_keys, NULL);
		for (uint64_t id = 0; id <= i; id++)
			distinct_count_add(&w->generator.distinct_keys,
					   &(uint64_t){10 * i + id}, 1);
	}
	return row_of_run();
}

/* Two threads of mixed calls that write, after which the engine settled and closed. */
static struct result writers_that_settle(void)
{
	static const unsigned char calls[] = {CALL_RMW_GET | CALL_FIRST_OF_TWO,
					      CALL_PUT,
					      CALL_SEEK,
					      CALL_GET,
					      CALL_PUT,
					      CALL_DELETE};

	make_run(
		&(struct workload){
			.name = "mixed",
			.weights = {[OP_GET] = 40, [OP_PUT] = 40, [OP_SEEK] = 20},
			.key_order = ORDER_RANDOM},
		2, 0, 0);
	for (unsigned i = 0; i < 2; i++) {
		made.workers[i].times_whole = true;
		do_chunk(i, calls, 6 - i, 5000 + 1000 * i);
		set_counts(i, 2000 - 1000 * i, 1000001000 + 500000000 * i);
		made.workers[i].transaction.commits = 3 + 4 * i;
		made.workers[i].deletes = 1 + i;
	}
	made.run.metrics.limits = (struct cgroup_limits){1.5, 512 << 20};
	made.run.metrics.throttled = (struct cgroup_throttled){200, 30, 1.75};
	return row_after((struct result_deferred){0.5, 1, 2e3, 3e3, 4e3, 5},
			 (struct result_deferred){0.25, 10, 20e3, 30e3, 40e3, 50});
}

/*
 * An open loop with a background writer, which may be idle, and a thread that an option
 * adds.
 */
static struct result open_loop_of(bool timed, bool idle)
{
	static const unsigned char gets[] = {CALL_GET, CALL_GET, CALL_GET, CALL_GET};
	static const unsigned char puts[] = {CALL_PUT, CALL_PUT, CALL_PUT};
	struct run *run = &made.run;

	make_run(&(struct workload){.name = "read",
				    .weights = {[OP_GET] = 100},
				    .key_order = ORDER_RANDOM,
				    .own_background = OWN_BACKGROUND_WRITER},
		 2, 1, 1);
	run->timed = timed;
	run->metrics.limits.memory = 32 << 20;
	if (probe_extra.added_thread())
		made.workers[3].generator.workload = probe_extra.added_thread();
	for (unsigned i = 0; i < 4; i++) {
		struct worker *w = &made.workers[i];
		uint64_t end = i == 2 ? 2500000000 : 6000000000 + 1000000 * i;

		w->is_scheduled = true;
		w->generator.single_call = true;
		w->generator.only_op = i == 2 ? OP_PUT : OP_GET;
		w->generator.keys_drawn = 10 * (i + 1);
		w->generator.distribution.top1pct_draws = i + 1;
		w->second_ticks = 4000;
		w->next_second = 5000;
		if (i == 2) {
			do_chunk(i, puts, idle ? 0 : 3, 40000);
			hist_record(w->start_error, 500);
		} else {
			do_chunk(i, gets, 4, 3000 * (i + 1));
			if (i == 3) /* of the thread beside, not of those measured */
				hist_record(w->start_error, 700);
		}
		set_counts(i, 1000 * i, end);
		w->schedule = rate_schedule_start(&made.clock, end - 20000000 * (i + 1),
						  500, false, 0, (struct random){0});
	}
	for (unsigned i = 0; i < 60; i++)
		steady_state_add(&run->monitor.steady_state, 10 + i % 7);
	return row_of_run();
}

static struct result open_loop(void)
{
	return open_loop_of(true, false);
}

static struct result open_loop_of_a_count(void)
{
	return open_loop_of(false, false);
}

static struct result idle_writer(void)
{
	return open_loop_of(true, true);
}

/* So many operations of so many writes were done, and one that was due was not begun. */
static struct result almost_late(uint64_t done, uint64_t writes)
{
	struct worker *w = &made.workers[0];

	make_run(&(struct workload){.name = "read", .weights = {[OP_GET] = 100}}, 1, 0,
		 0);
	made.run.timed = w->is_scheduled = true;
	set_counts(0, 10, 3000000010);
	w->done = w->ops_by_kind[KIND_READ] = done;
	w->ops_by_kind[KIND_WRITE] = writes;
	w->schedule = rate_schedule_start(&made.clock, 3000000005 - 10000000, 50, false,
					  0, (struct random){0});
	return row_of_run();
}

static struct result kept_rate(void)
{
	return almost_late(99, 0);
}

static struct result missed_rate(void)
{
	return almost_late(98, 0);
}

/* Each operation is a get and a put. */
static struct result missed_rate_of_updates(void)
{
	return almost_late(98, 98);
}

/* Two synced statements, of hundreds of puts in a mapped file each. */
static struct result statements(void)
{
	static const unsigned char calls[] = {CALL_OWN_WRITE, CALL_OWN_WRITE};
	static const struct procedure procedure = {.mix = "statements"};
	static struct procedure_thread thread = {
		.total = {.commits = 2, .writes = 400, .bytes = 90000, .records = 500}};

	make_run(&(struct workload){.name = "statements",
				    .weights = {[OP_PROCEDURE] = 100},
				    .procedure = &procedure},
		 1, 0, 0);
	strcpy(made.database.mount.type, "ext4");
	made.database.traits.uncounted_writes = true;
	made.run.metrics.usage.device_write_bytes = 400 * 100e3;
	made.workers[0].procedure = &thread;
	do_chunk(0, calls, 2, 700);
	made.workers[0].began = 10;
	made.workers[0].ended_at = 3000000010;
	return row_of_run();
}

/* What is said in words: of an engine without all of that, and of a rate that follows a sine. */
static struct result worded(void)
{
	static const unsigned char calls[] = {CALL_RMW_GET | CALL_FIRST_OF_TWO, CALL_PUT,
					      CALL_SEEK};
	static const struct rate_schedule_sine sine = {.d = 50, .interval = 60};
	struct worker *w = &made.workers[0];
	char error[OPTION_ERROR_SIZE];

	make_run(&(struct workload){.name = "mixed",
				    .weights = {[OP_MODIFY] = 40,
						[OP_APPEND] = 30,
						[OP_SEEK] = 20,
						[OP_EXPIRE] = 10},
				    .custom_mix = true,
				    .batched = true,
				    .requires_rate = true},
		 1, 0, 0);
	made.database.traits.non_atomic = NON_ATOMIC_VISIBLE | NON_ATOMIC_CRASH;
	record_sizes_parse(&made.database.value_sizes, "10,300,20", error);
	strcpy(made.database.difference, "another database");
	made.run.timed = w->is_scheduled = true;
	do_chunk(0, calls, 3, 500);
	set_counts(0, 10, 3000000010);
	w->wrong = w->disordered = w->tally.lost = 0;
	w->schedule = rate_schedule_start_sine(&made.clock, 10, &sine, false, 0,
					       (struct random){0});
	w->schedule.issued = 8;
	w->schedule.elapsed = 1e9;
	return row_of_run();
}

/* Two threads that write in transactions of four; each leaves one open, and then commits it. */
static struct result transactions(void)
{
	static const unsigned char begun[] = {CALL_PUT | CALL_BEGIN,
					      CALL_PUT,
					      CALL_PUT,
					      CALL_PUT | CALL_COMMIT,
					      CALL_PUT | CALL_BEGIN,
					      CALL_PUT},
				   ended[] = {CALL_PUT, CALL_PUT | CALL_COMMIT,
					      CALL_PUT | CALL_BEGIN};

	make_run(&(struct workload){.name = "write",
				    .weights = {[OP_PUT] = 100},
				    .key_order = ORDER_SEQUENTIAL,
				    .deletes = true},
		 2, 0, 0);
	made.run.metrics.ended.raw_ns = 900000000;
	made.run.metrics.usage.device_writes = NAN;
	made.run.metrics.limits.memory = (double)made.host.memory_kb * 1024;
	made.run.metrics.engine_threads.starved_s = 30;
	made.run.generator.must_find = true;
	for (unsigned i = 0; i < 2; i++) {
		struct worker *w = &made.workers[i];

		w->generator.single_call = true;
		w->generator.only_op = OP_PUT;
		w->transaction.single_writes = false;
		w->transaction.writes_per_commit = 4;
		do_chunk(i, begun, 6, 200 * (i + 1));
		if (i)
			do_chunk(i, ended, 3, 900);
		set_counts(i, 100, 20000000100 + 4 * i);
		w->wrong = w->tally.lost = w->tally.missing = 0;
		w->deletes = 1 + i;
	}
	return row_of_run();
}

/* An open loop of multi-gets, of four keys each. */
static struct result multigets(void)
{
	static const unsigned char gets[] = {CALL_MULTIGET, CALL_MULTIGET, CALL_MULTIGET,
					     CALL_MULTIGET};

	make_run(&(struct workload){.name = "multiread",
				    .weights = {[OP_GET] = 100},
				    .key_order = ORDER_RANDOM,
				    .batched = true},
		 2, 0, 0);
	made.run.is_multiget = made.run.timed = true;
	for (unsigned i = 0; i < 2; i++) {
		struct worker *w = &made.workers[i];

		w->is_scheduled = w->is_multiget = w->generator.single_call = true;
		w->generator.only_op = OP_GET;
		w->generator.slots = 4;
		do_chunk(i, gets, 4, 7000 * (i + 1));
		do_chunk(i, gets, 4, 5000);
		set_counts(i, 0, 5000000000 + 7 - 5 * i);
		w->longest_stall = 90000 - 5000 * i;
		w->wrong = w->tally.lost = w->tally.missing = 0;
		w->schedule = rate_schedule_start(&made.clock, 5000000000 + i, 100, false,
						  0, (struct random){0});
	}
	return row_after(result_unknown().settle,
			 (struct result_deferred){0.25, 10, 20e3, 30e3, 40e3, 50});
}

/* A writer, and the thread of --probe_rate, whose reads have columns of their own. */
static struct result probed(void)
{
	static const unsigned char gets[] = {CALL_GET, CALL_GET, CALL_GET},
				   puts[] = {CALL_PUT, CALL_PUT};
	struct worker *probe = &made.workers[1];

	make_run(&(struct workload){.name = "write",
				    .weights = {[OP_PUT] = 100},
				    .key_order = ORDER_SEQUENTIAL},
		 1, 0, 1);
	probe->is_scheduled = true;
	probe->generator.workload = probe_extra.added_thread();
	do_chunk(0, puts, 2, 300);
	do_chunk(1, gets, 3, 50000);
	for (unsigned i = 0; i < 2; i++) {
		set_counts(i, 10, 3000000010);
		made.workers[i].wrong = made.workers[i].disordered = 0;
		made.workers[i].tally.lost = 0;
	}
	made.workers[0].tally.missing = 0;
	probe->schedule = rate_schedule_start(&made.clock, 3000000010 - 90000000, 50,
					      false, 0, (struct random){0});
	return row_after((struct result_deferred){0.5, 1, 2e3, 3e3, 4e3, 5},
			 result_unknown().close);
}

/* Updates of a get and a put, inserts, and others, each also by itself. */
static struct result apart(void)
{
	static const unsigned char calls[] = {CALL_RMW_GET | CALL_FIRST_OF_TWO, CALL_PUT,
					      CALL_PUT | CALL_INSERTS, CALL_PUT,
					      CALL_GET};

	make_run(&(struct workload){.name = "apart",
				    .weights = {[OP_GET] = 40, [OP_MODIFY] = 60},
				    .key_order = ORDER_RANDOM},
		 1, 0, 0);
	made.workers[0].times_apart = made.workers[0].is_scheduled = true;
	made.workers[0].missed = made.missed;
	made.from = 3;
	made.missed[made.from + 4] = true;
	do_chunk(0, calls, 5, 700);
	set_counts(0, 10, 3000000010);
	made.workers->schedule = rate_schedule_start(&made.clock, 3000000005, 50, false,
						     0, (struct random){0});
	return row_of_run();
}

/* An open transaction of an open loop, in a later part of the slots, and its commit. */
static struct result parts_of_chunks(void)
{
	static const unsigned char begun[] = {CALL_PUT | CALL_COMMIT,
					      CALL_PUT | CALL_BEGIN, CALL_PUT},
				   ended[] = {CALL_PUT | CALL_COMMIT};
	struct worker *w = &made.workers[0];

	make_run(&(struct workload){.name = "write", .weights = {[OP_PUT] = 100}}, 1, 0,
		 0);
	w->generator.single_call = w->is_scheduled = true;
	w->generator.only_op = OP_PUT;
	w->transaction.single_writes = false;
	w->transaction.writes_per_commit = 4;
	made.from = 4;
	do_chunk(0, begun, 3, 500);
	made.from = 7;
	do_chunk(0, ended, 1, 900);
	set_counts(0, 10, 3000000010);
	w->schedule = rate_schedule_start(&made.clock, 3000000005, 50, false, 0,
					  (struct random){0});
	return row_of_run();
}

/* Two threads of three fail, after a call that ends as a second does. */
static struct result failed_threads(void)
{
	static const unsigned char gets[] = {CALL_GET};
	struct worker *w = &made.workers[0];

	make_run(&(struct workload){.name = "read", .weights = {[OP_GET] = 100}}, 3, 0,
		 0);
	w->chunk_size = 1;
	w->second_ticks = 5000;
	w->next_second = 1000003;
	do_chunk(0, gets, 1, 1000000);
	for (unsigned i = 0; i < 3; i++) {
		set_counts(i, 10, 3000000010);
		made.workers[i].tally.missing = 0;
	}
	made.workers[1].status = made.workers[2].status = FAILED;
	strcpy(made.workers[1].why, "the second failed");
	strcpy(made.workers[2].why, "the third failed");
	return row_of_run();
}

/* What a thread has counted and published besides. */
static void print_threads(const char *name)
{
	for (unsigned i = 0; i < made.run.all_threads; i++) {
		const struct worker *w = &made.workers[i];
		struct published_counts *p = w->monitored.published;

		printf("%s, thread %u: done %llu remaining %llu chunk %u stall %llu "
		       "published %llu begun %llu reads %llu writes %llu seconds %llu:",
		       name, i, (unsigned long long)w->done,
		       (unsigned long long)w->remaining, w->chunk_size,
		       (unsigned long long)w->longest_stall, (unsigned long long)p->ops,
		       (unsigned long long)p->begun_ops,
		       (unsigned long long)p->ops_by_kind[KIND_READ],
		       (unsigned long long)p->ops_by_kind[KIND_WRITE],
		       (unsigned long long)p->seconds_passed);
		for (int s = 0; s < 8; s++)
			printf(" %llu", (unsigned long long)p->ops_at_second[s]);
		printf("; in a snapshot %llu; whole operations %llu of %llu ticks, "
		       "inserts %llu of %llu, not found %llu of %llu\n",
		       (unsigned long long)w->snapshot_reads,
		       (unsigned long long)hist_count(&w->latencies[METRICS_WHOLE]),
		       (unsigned long long)w->latencies[METRICS_WHOLE].sum,
		       (unsigned long long)hist_count(&w->latencies[METRICS_INSERTS]),
		       (unsigned long long)w->latencies[METRICS_INSERTS].sum,
		       (unsigned long long)hist_count(&w->latencies[METRICS_MISSED]),
		       (unsigned long long)w->latencies[METRICS_MISSED].sum);
	}
}

/* How a thread's last transaction ends: what it has open, and whether it was undone. */
static void print_last_transactions(void)
{
	static const unsigned char begun[] = {CALL_PUT | CALL_BEGIN, CALL_PUT, CALL_PUT};

	for (unsigned i = 0; i < 5; i++) {
		struct worker *w = &made.workers[0];

		make_run(&(struct workload){.name = "write", .weights = {[OP_PUT] = 100}},
			 1, 0, 0);
		w->clock = &made.clock;
		w->generator.single_call = w->is_scheduled = true;
		w->generator.only_op = OP_PUT;
		w->transaction.single_writes = false;
		w->transaction.writes_per_commit = 4;
		w->transaction_start.tally.bytes = 70;
		w->transaction_start.generator.inserted = 5;
		w->generator.inserted = 8;
		w->tally.bytes = 100;
		w->tally.missing = 9;
		if (i < 4)
			do_chunk(0, begun, i == 3 ? 0 : 3, 500);
		w->transaction.rolled_back = i == 1;
		w->status = i == 2 ? FAILED : DONE;
		w->transaction.open_since_warmup = i == 3;
		worker_finish_transaction(w);
		printf("last transaction %u: commits %llu done %llu unfinished %llu "
		       "writes %llu inserted %llu bytes %llu missing %llu slots %u\n",
		       i, (unsigned long long)w->transaction.commits,
		       (unsigned long long)w->done, (unsigned long long)w->ops_unfinished,
		       (unsigned long long)hist_count(&w->latencies[KIND_WRITE]),
		       (unsigned long long)w->generator.inserted,
		       (unsigned long long)w->tally.bytes,
		       (unsigned long long)w->tally.missing, w->prepared);
	}
}

/* Slots that were begun and not done, of which two are one operation. */
static void print_begun(void)
{
	struct worker *w = &made.workers[0];

	make_run(&(struct workload){.name = "mixed", .weights = {[OP_GET] = 100}}, 1, 0,
		 0);
	made.slots[0][3].call = CALL_RMW_GET | CALL_FIRST_OF_TWO;
	made.slots[0][5].call = CALL_RMW_GET | CALL_FIRST_OF_TWO;
	for (unsigned begun = 2; begun < 7; begun++) {
		w->next_slot = 2;
		w->slots_begun = begun;
		w->ops_unfinished = 0;
		worker_count_begun(w);
		printf("%u slots begun, 2 done: %llu unfinished\n", begun,
		       (unsigned long long)w->ops_unfinished);
	}
}

/* All that a warm-up has counted, of which nothing is left. */
static void print_warmed_up(void)
{
	static const unsigned char gets[] = {CALL_GET, CALL_GET};
	struct worker *w = &made.workers[1];

	make_run(&(struct workload){.name = "read", .weights = {[OP_GET] = 100}}, 2, 0,
		 0);
	made.run.metrics.began.ticks = 5000;
	made.run.timed = w->is_scheduled = w->is_warming_up = true;
	w->generator.single_call = true;
	w->generator.only_op = OP_GET;
	w->second_ticks = 100;
	w->duration_ticks = 3000;
	w->planned = 77;
	w->report_every = 10;
	do_chunk(1, gets, 2, 900);
	set_counts(1, 10, 4000);
	w->deletes = 4;
	w->generator.keys_drawn = 6;
	w->generator.distribution.top1pct_draws = 3;
	w->is_iterating = true;
	w->transaction.pending = 2;
	w->transaction.commits = 8;
	w->monitored.published->seconds_passed = 3;
	worker_end_warmup(w);
	printf("warmed up: done %llu remaining %llu tally %llu %llu %llu wrong %llu "
	       "disordered %llu entries %llu deletes %llu conflicts %llu retries %llu "
	       "%llu stall %llu\n",
	       (unsigned long long)w->done, (unsigned long long)w->remaining,
	       (unsigned long long)w->tally.bytes, (unsigned long long)w->tally.missing,
	       (unsigned long long)w->tally.lost, (unsigned long long)w->wrong,
	       (unsigned long long)w->disordered, (unsigned long long)w->entries,
	       (unsigned long long)w->deletes, (unsigned long long)w->conflicts,
	       (unsigned long long)w->retries, (unsigned long long)w->retry_ticks,
	       (unsigned long long)w->longest_stall);
	printf("began %llu ended %llu end %llu second %llu report %llu keys %llu %llu "
	       "open %d pending %llu commits %llu iterates %d measures %d\n",
	       (unsigned long long)w->began, (unsigned long long)w->ended_at,
	       (unsigned long long)w->end_ticks, (unsigned long long)w->next_second,
	       (unsigned long long)w->next_report,
	       (unsigned long long)w->generator.keys_drawn,
	       (unsigned long long)w->generator.distribution.top1pct_draws,
	       w->transaction.open_since_warmup,
	       (unsigned long long)w->transaction.pending,
	       (unsigned long long)w->transaction.commits, w->is_iterating,
	       w->monitored.published->is_measuring);
	printf("times %llu responses %llu errors of starts %llu, in units of %g %g %g\n",
	       (unsigned long long)hist_count(&w->latencies[KIND_READ]),
	       (unsigned long long)hist_count(&w->responses[KIND_READ]),
	       (unsigned long long)hist_count(w->start_error),
	       w->latencies[KIND_READ].unit, w->responses[KIND_READ].unit,
	       w->start_error->unit);
	print_threads("after the warm-up");
}

/* Records that a thread knows to exist, of two threads that insert and delete behind 1000. */
static void print_known_records(void)
{
	struct generator *g = &made.workers[0].generator;
	static const unsigned char calls[] = {
		CALL_PUT | CALL_INSERTS, CALL_GET,   CALL_DELETE, CALL_PUT | CALL_INSERTS,
		CALL_PUT | CALL_INSERTS, CALL_DELETE};

	make_run(&(struct workload){.name = "mixed", .weights = {[OP_INSERT] = 50}}, 2, 0,
		 0);
	made.run.generator.num = made.run.generator.first_free_id = 1000;
	made.run.generator.threads = 2;
	made.run.generator.growth = made.growth;
	g->shared = &made.run.generator;
	g->must_find = g->key_range_grows = true;
	generator_end_snapshot(g);
	for (unsigned i = 0; i < 2; i++) {
		made.growth[i].inserted = 4 - i;
		made.growth[i].deleting = 1 + i;
	}
	for (int snapshot = 0; snapshot < 3; snapshot++) {
		if (snapshot == 1)
			generator_begin_snapshot(g);
		g->must_find = snapshot < 2;
		printf("known from 998 on:");
		for (uint64_t id = 998; id < 1012; id++)
			printf(" %d", generator_must_find(g, id));
		printf("\n");
	}
	g->inserted = 9;
	g->deleted = 3;
	for (unsigned i = 0; i < 6; i++)
		made.slots[0][i].call = calls[i];
	for (unsigned from = 0; from < 6; from += 2)
		printf("grown by %llu before slot %u\n",
		       (unsigned long long)generator_growth(g, from, 6), from);
}

/* A run whose process died after five operations of each of two threads. */
static struct result died(void)
{
	struct aggregate a;
	struct result r = result_unknown();

	make_run(&(struct workload){.name = "read", .weights = {[OP_GET] = 100}}, 2, 0,
		 0);
	((struct config *)(uintptr_t)cfg)->device = "";
	snprintf(made.database.db_dir.path, sizeof made.database.db_dir.path, "%s",
		 figures_directory);
	made.database.traits.non_atomic = NON_ATOMIC_ROLLBACK | NON_ATOMIC_DATABASE;
	a = aggregate_expected(&made.run, false, &made.texts);
	r.seconds = 4;
	row_fill_invalid(&a, &r, 10, "it died");
	return r;
}

/* Two threads have inserted 5 and 7 records, and deleted 2 and 1; a third is beside. */
static void print_growth(void)
{
	static struct workload grows = {.name = "grows", .weights = {[OP_INSERT] = 100}};
	struct database *d = &made.database;

	made.run.workload = &grows;
	made.run.foreground = 2;
	made.run.all_threads = 3;
	made.run.context = &made.context;
	made.context.growth = made.growth;
	for (unsigned i = 0; i < 2; i++) {
		struct worker *w = &made.workers[i];

		made.growth[i].inserted = 5 + 2 * i;
		w->generator.inserted = 5 + 2 * i;
		w->generator.deleted = 2 - i;
		w->next_slot = w->prepared = 0;
	}
	account_inserted(d, &made.run);
	printf("grown to %llu records, the next is %llu\n",
	       (unsigned long long)d->records, (unsigned long long)d->first_free_id);
	made.run.all_threads = 1;
}

/* One writer, whose two operations are all, on files: a load, or later. */
static struct result stored(bool is_load, bool complete)
{
	static const unsigned char puts[] = {CALL_PUT, CALL_PUT};
	struct database *d = &made.database;
	char error[DB_DIR_ERROR_SIZE], path[DB_DIR_PATH_SIZE + 8];
	struct result r;

	make_run(&(struct workload){.name = "write",
				    .weights = {[OP_PUT] = 100},
				    .key_order = ORDER_SEQUENTIAL,
				    .starts_empty = is_load,
				    .own_keys = !is_load && !complete,
				    .completes = is_load},
		 1, 0, 0);
	d->traits.uncounted_writes = complete;
	((struct config *)(uintptr_t)cfg)->device = "";
	d->db_dir.marker_fd = -1;
	if (!db_dir_create(&d->db_dir, figures_directory, "figures", error))
		message_fatal(1, "%s", error);
	mkdir(d->db_dir.data_path, 0700);
	snprintf(path, sizeof path, "%s/a", d->db_dir.data_path);
	if (close(open(path, O_CREAT | O_WRONLY, 0600)) || truncate(path, 123456))
		message_fatal(1, "cannot write %s", path);
	d->complete = complete;
	d->records = 700;
	made.run.generator.operations = 2;
	do_chunk(0, puts, 2, 300);
	made.workers[0].began = 10;
	made.workers[0].ended_at = 3000000010;
	r = row_of_run();
	print_growth();
	db_dir_close(&d->db_dir);
	return r;
}

static struct result loaded(void)
{
	return stored(true, false);
}

static struct result of_complete_files(void)
{
	return stored(false, true);
}

static struct result of_incomplete_files(void)
{
	return stored(false, false);
}

/* What a workload's beginning makes of the facts of a database, which these runs had. */
static void print_beginning(const struct workload *workload, unsigned pass,
			    const struct db_dir_facts *facts)
{
	struct database *d = &made.database;
	const struct plan_item item = {.workload = workload,
				       .operations = 100,
				       .epoch = 3,
				       .pass = pass};

	d->db_dir.facts = *facts;
	d->complete = facts->complete;
	d->records = facts->records;
	d->first_free_id = facts->key_range;
	printf("%s of %llu, epoch %llu after %llu: repeats %llu, ", workload->name,
	       (unsigned long long)d->records,
	       (unsigned long long)database_epoch(d, &item),
	       (unsigned long long)facts->next_epoch,
	       (unsigned long long)database_repeats_epoch(d, &item));
	database_begin_workload(d, &item);
	facts = &d->db_dir.facts;
	printf("page cache %s, next epoch %llu, records %llu and %llu in the file, "
	       "complete %llu, to restore %llu\n",
	       d->page_cache_state_after, (unsigned long long)facts->next_epoch,
	       (unsigned long long)d->records, (unsigned long long)facts->records,
	       (unsigned long long)facts->complete,
	       (unsigned long long)facts->to_restore);
}

/* Lists of sizes that differ in one of them, or in their order, have other hashes. */
static void print_hashes(void)
{
	static const char *const lists[] = {"100", "10-20", "10,20", "20,10", "30,20"};
	struct database *d = &made.database;
	uint64_t hashes[5];
	char error[OPTION_ERROR_SIZE];

	made.workload.starts_empty = true;
	for (size_t i = 0; i < 5; i++) {
		record_sizes_parse(&d->value_sizes, lists[i], error);
		database_write_marker(d, &made.workload, true);
		hashes[i] = d->db_dir.facts.value_list_hash;
		printf("hash of %s:", lists[i]);
		for (size_t k = 0; k < i; k++)
			printf(" %s", hashes[i] == hashes[k] ? "same" : "other");
		printf(" %s\n", hashes[i] ? "" : "none");
	}
}

/* What a database is told of each workload before it begins. */
static void print_beginnings(void)
{
	static const struct workload workloads[] = {
		{.name = "load", .weights = {[OP_PUT] = 100}, .starts_empty = true},
		{.name = "reads", .weights = {[OP_GET] = 100}},
		{.name = "puts", .weights = {[OP_PUT] = 100}},
		{.name = "inserts", .weights = {[OP_INSERT] = 100}},
		{.name = "deletes", .weights = {[OP_DELETE] = 100}, .deletes = true},
		{.name = "restored deletes",
		 .weights = {[OP_DELETE] = 100},
		 .deletes = true,
		 .is_restored = true},
	};
	static const char *const states[] = {"kept", "cold"};
	struct database *d = &made.database;
	char error[DB_DIR_ERROR_SIZE];

	make_run(&workloads[1], 1, 0, 0);
	((struct config *)(uintptr_t)cfg)->device = "";
	((struct config *)(uintptr_t)cfg)->use_existing_db = true;
	d->db_dir.marker_fd = -1;
	d->epochs_before = 0;
	if (!db_dir_create(&d->db_dir, figures_directory, "figures", error))
		message_fatal(1, "%s", error);
	for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++)
		for (unsigned k = 0; k < 2; k++) {
			d->page_cache_state = states[k];
			print_beginning(&workloads[i], 0,
					&(struct db_dir_facts){.key_range = 700,
							       .records = 700 - k,
							       .next_epoch = 3 + 3 * k,
							       .complete = 1 - k});
		}
	print_beginning(&workloads[4], 2,
			&(struct db_dir_facts){.key_range = 700, .complete = 1});
	print_beginning(&workloads[2], 0,
			&(struct db_dir_facts){.key_range = 700, .next_epoch = 4});
	print_hashes();
	db_dir_close(&d->db_dir);
}

/* Servers of the engine, here or elsewhere; one that did not tell before. */
static struct result served(unsigned before, bool local)
{
	struct metrics *m = &made.run.metrics;

	writers_that_settle();
	m->limits = (struct cgroup_limits){NAN, INFINITY};
	m->usage.cpu_s = 3;
	m->servers_before = (struct server_usage){before, local, 1000, 3, 1.5, 777};
	m->servers_after = (struct server_usage){3, local, 1450, 5.5, 2.25, 888};
	return row_of_run();
}

static struct result served_here(void)
{
	return served(2, true);
}

static struct result served_elsewhere(void)
{
	return served(2, false);
}

static struct result served_unknown(void)
{
	return served(0, true);
}

struct figures_run {
	const char *name, *options[6];
	struct result (*make)(void);
};

static const struct figures_run figures_runs[] = {
	{"readers", {"--verify=1"}, three_readers},
	{"readers, calls not timed",
	 {"--verify=1", "--latency=0", "--duration=2", "--warmup=1"},
	 three_readers},
	{"writers", {"--num=77", "--label=own", "--seed=5"}, writers_that_settle},
	{"open loop", {"--memory=64Mi", "--until_steady=9"}, open_loop},
	{"open loop, cold", {"--arrivals=poisson", "--cold=1"}, open_loop},
	{"open loop, shorter than its time", {"--duration=20"}, open_loop},
	{"open loop of a count, probed", {"--probe_rate=50"}, open_loop_of_a_count},
	{"idle writer", {NULL}, idle_writer},
	{"rate that is kept", {NULL}, kept_rate},
	{"rate that is not", {NULL}, missed_rate},
	{"rate of updates that is not", {NULL}, missed_rate_of_updates},
	{"statements", {NULL}, statements},
	{"worded",
	 {"--txn=1", "--txn_reads=4", "--pin_threads=0,2", "--loaded_by=it",
	  "--numa_node=1", "--sine_c=0.5"},
	 worded},
	{"apart", {NULL}, apart},
	{"parts of chunks", {NULL}, parts_of_chunks},
	{"failed threads", {NULL}, failed_threads},
	{"died", {NULL}, died},
	{"transactions", {"--touch=none"}, transactions},
	{"probe", {"--probe_rate=50", "--until_steady=9"}, probed},
	{"multi-gets", {"--txn_reads=3"}, multigets},
	{"load of files", {"--cold=1"}, loaded},
	{"files, complete", {"--device_share=0.25"}, of_complete_files},
	{"files, incomplete", {NULL}, of_incomplete_files},
};

static const struct figures_run figures_of_servers[] = {
	{"servers here", {NULL}, served_here},
	{"servers elsewhere", {NULL}, served_elsewhere},
	{"servers that said nothing before", {NULL}, served_unknown},
	{"blind deletes", {NULL}, transactions},
	{"readers of servers", {"--verify=1"}, three_readers},
};

int main(int argc, char **argv)
{
	static const struct extra *const extras[] = {&probe_extra, NULL};
	char error[ROW_FILE_ERROR_SIZE];

	const struct figures_run *runs =
		FIGURES_SERVERS ? figures_of_servers : figures_runs;
	const size_t count = FIGURES_SERVERS ? sizeof figures_of_servers / sizeof *runs
					     : sizeof figures_runs / sizeof *runs;

	if (argc != 3)
		message_fatal(2, "usage: build/figures FILE DIRECTORY");
	figures_directory = argv[2];
	extra_set(extras);
	if (!FIGURES_SERVERS) {
		print_last_transactions();
		print_begun();
		print_known_records();
		print_warmed_up();
	}
	for (size_t i = 0; i < count; i++) {
		const struct figures_run *one = &runs[i];
		char *command[8] = {argv[0], "--device=/dev/made"};
		int n = 2;
		struct result r;

		for (; n < 8 && one->options[n - 2]; n++)
			command[n] = (char *)one->options[n - 2];
		config_parse(n, command);
		config_apply();
		r = one->make();
		r.time = one->name;
		print_threads(one->name);
		if (!result_append_json(argv[1], &r, error))
			message_fatal(1, "%s", error);
	}
	if (!FIGURES_SERVERS)
		print_beginnings();
	return 0;
}
