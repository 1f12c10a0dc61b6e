/* run.c: see run.h. Nothing here is timed. */
#include "run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../engines/driver_util.h"
#include "../../util/message.h"
#include "../../util/db_dir.h"
#include "../../util/os/perf_control.h"
#include "../workload/config.h"
#include "database.h"

/* A load of a new database, and the first workload after it. */
static bool has_first_epoch(const struct plan_item *item, const struct database *database)
{
	return database_epoch(database, item) <= !item->workload->starts_empty;
}

/*
 * Name the stream of random numbers: each measurement uses other records, the same ones
 * for every engine.
 */
static void name_stream(struct run *run, const struct database *database)
{
	const struct plan_item *item = run->item;
	char epoch[24] = "", warmup[24] = "";

	if (!has_first_epoch(item, database))
		snprintf(epoch, sizeof epoch, " %" PRIu64,
			 database_epoch(database, item));
	if (item->is_warmup)
		snprintf(warmup, sizeof warmup, " warm %u", item->iteration);
	snprintf(run->seed_name, sizeof run->seed_name, "%s%s%s", run->workload->name,
		 epoch, warmup);
}

/*
 * No two measurements of a database write the same values. If an epoch is repeated, its
 * keys are, but the values differ from those that it wrote before.
 */
static uint64_t choose_value_stream(const struct run *run,
				    const struct database *database)
{
	const struct plan_item *item = run->item;
	uint64_t repeated = database_repeats_epoch(database, item);
	struct random stream;
	char name[96];

	if (item->pass ? item->pass == 1
		       : has_first_epoch(item, database) && !item->is_warmup && !repeated)
		return 0;
	snprintf(name, sizeof name, "values %" PRIu64 " %u %u %" PRIu64,
		 database_epoch(database, item), item->pass,
		 item->is_warmup ? item->iteration : 0, repeated);
	stream = random_seed(cfg->seed, name);
	return random_next(&stream) | 1;
}

/* Set what the generators of all threads share. */
static void set_generator_shared(struct run *run, struct database *database)
{
	const struct workload *workload = run->workload;

	run->generator.scan_lengths = run->item->scan_lengths;
	run->generator.workload = workload;
	run->generator.num = run->item->records;
	run->generator.first_free_id = database->first_free_id;
	run->generator.timed = run->timed && !workload->ends_at_either;
	run->generator.operations =
		run->generator.timed ? UINT64_MAX : run->item->operations;
	run->generator.threads = run->foreground;
	run->generator.all_threads = run->item->measured_threads;
	run->generator.rmw_is_transaction = cfg->txn && database->traits.transactions &&
					    workload->weights[OP_MODIFY] &&
					    !workload->next;
	run->generator.key_format = database_key_format(&database->settings);
	run->generator.key_size = database->settings.key_size;
	run->generator.value_sizes = database->value_sizes;
	run->generator.any_keys =
		database->db_dir.facts.any_keys || workload->unknown_keys;
	run->generator.value_stream = choose_value_stream(run, database);
	/* Parts of a pass have one order: what one deletes another inserts. */
	run->generator.permutation = random_permutation_make(
		run->generator.num,
		cfg->seed + (run->item->pass ? run->item->pass
					     : run->generator.value_stream));
	run->generator.growth = run->context->growth;
	run->generator.complete = database->complete;
	/* Random deletes with replacement select records that are already deleted. */
	run->generator.must_find =
		database->complete && !workload->starts_empty &&
		workload->key_order != ORDER_ABSENT && !workload->unknown_keys &&
		!(workload->deletes && workload->key_order == ORDER_RANDOM);
}

/* Set what all threads of a procedure share; also for loads of its records. */
static void set_procedure_shared(struct run *run)
{
	run->procedure = (struct procedure_shared){
		.procedure = run->workload->procedure,
		.settings = run->settings,
		.key_shape = {.format = run->generator.key_format,
			      .wide = true,
			      .size = run->generator.key_size,
			      .stride = (run->generator.key_size + 15) / 16 * 16},
		.touch = (enum touch)cfg->touch,
		.num = cfg->num,
		.seed = cfg->seed,
		.threads = run->foreground,
		.value_ratio = config_value_ratio(),
		.stop = &run->monitor.stop,
	};
	run->generator.procedure = &run->procedure;
}

void run_init(struct run *run, const struct program_context *context,
	      const struct plan_item *item)
{
	const struct workload *workload = item->workload;
	struct database *database = context->info->database;

	memset(run, 0, sizeof *run);
	run->context = context;
	run->info = context->info;
	run->published = context->progress->thread;
	run->stats = context->stats;
	run->workload = workload;
	run->item = item;
	run->engine = context->engine;
	run->db = database->db;
	run->settings = &database->settings;
	name_stream(run, database);
	run->foreground = item->threads;
	run->all_threads = item->measured_threads + item->added_count;
	run->bulk_load = workload->bulk_load && run->engine->bulk_begin;
	run->is_multiget = workload->weights[OP_MULTIGET] > 0;
	run->batch = workload->batched && !run->bulk_load &&
				     (run->is_multiget || run->engine->begin)
			     ? item->batch
			     : 1;
	run->timed = item->is_timed;
	run->txn_reads =
		cfg->txn_reads > 1 && run->engine->snapshot && workload_reads(workload)
			? cfg->txn_reads
			: 0;
	set_generator_shared(run, database);
	database->oracle.records = workload_grows(workload) || workload->own_keys
					   ? UINT64_MAX / 2
					   : run->generator.num;
	set_procedure_shared(run);
	run->metrics.disk_bytes = NAN;
	pthread_mutex_init(&run->gate.lock, NULL);
	pthread_cond_init(&run->gate.gate_opened, NULL);
	run->metrics.resident_bytes = NAN;
	atomic_init(&run->monitor.warming, cfg->warmup > 0 && item->may_warm_up);
	extra_create_states(&run->extras);
}

void run_begin_extras(struct run *run)
{
	for (const struct extra *const *extra = extra_all(); *extra; extra++)
		if ((*extra)->begin_run)
			(*extra)->begin_run(run);
}

uint64_t run_planned_operations(const struct run *run)
{
	if (run->workload->whole_range)
		return cfg->num * run->foreground;
	return run->generator.operations == UINT64_MAX
		       ? run->generator.operations
		       : run->generator.operations *
				 (run->workload->divided ? 1 : run->foreground);
}

/* CPU time of main() and of threads of extras that are none of the engine's. */
static double harness_cpu_seconds(const struct run *run)
{
	double seconds = resource_usage_thread_cpu();

	for (const struct extra *const *extra = extra_all(); *extra; extra++)
		if ((*extra)->cpu_seconds)
			seconds += (*extra)->cpu_seconds(run);
	return seconds;
}

double run_measured_operations(const struct run *run)
{
	double ops = 0;

	for (unsigned i = 0; i < run->foreground; i++) {
		const struct published_counts *published = &run->published[i];

		if (!atomic_load_explicit(&published->is_measuring, memory_order_acquire))
			return NAN;
		ops += (double)atomic_load_explicit(&published->ops,
						    memory_order_relaxed);
	}
	return ops;
}

/* Opened once, before the first benchmark, and inherited by child processes. */
static struct perf_control profiler;

void run_open_profiler(void)
{
	char error[PERF_CONTROL_ERROR_SIZE];

	if (*cfg->perf_control && !perf_control_open(&profiler, cfg->perf_control, error))
		message_fatal(2, "--perf_control: %s", error);
}

/* Profile the last item of the plan only: those before it load the database. */
static void control_profiler(const struct run *run, const char *command)
{
	char error[PERF_CONTROL_ERROR_SIZE];

	if (!*cfg->perf_control || run->item[1].workload)
		return;
	if (!perf_control_send(&profiler, command, error))
		message_print("--perf_control: %s; the profile is incomplete", error);
}

void run_begin_measuring(void *owner)
{
	struct run *run = owner;
	struct metrics *m = &run->metrics;
	/* With a warm-up this is called twice, and measuring begins the second time. */
	bool begins = m->began.ticks || !atomic_load(&run->monitor.warming);

	resource_usage_reset_peak();
	m->nand_bytes = database_nand_bytes(run->info->database);
	m->disk_bytes_before = database_size(run->info->database).disk;
	if (cfg->memory)
		cgroup_reset_peak(run->context->cgroup);
	m->limits = cgroup_limits();
	m->servers_before = database_server_usage(run->info->database);
	m->host_before = host_state();
	free(run->engine_threads_before.threads); /* of a warm-up */
	run->engine_threads_before = thread_delay_engine();
	if (begins)
		control_profiler(run, "enable");
	run->throttling_before = cgroup_throttling();
	m->main_cpu_s = harness_cpu_seconds(run);
	run->usage_before = resource_usage_read();
	m->began = clock_pair_now(run->info->clock);
	if (begins)
		run->context->progress->began_ns = m->began.raw_ns;
	monitor_begin(&run->monitor, &run->usage_before);
}

void run_end_measuring(struct run *run)
{
	struct metrics *m = &run->metrics;
	struct cgroup_throttling throttling;

	m->ended = clock_pair_now(run->info->clock);
	run->context->progress->ended_ns = m->ended.raw_ns;
	run->usage_after = resource_usage_read();
	m->engine_threads = thread_delay_engine_since(&run->engine_threads_before);
	throttling = cgroup_throttling();
	m->throttled = cgroup_throttled_since(&run->throttling_before, &throttling);
	control_profiler(run, "disable");
	m->usage = resource_usage_since(&run->usage_before, &run->usage_after);
	m->footprint = resource_usage_footprint();
	m->nand_bytes = database_nand_bytes(run->info->database) - m->nand_bytes;
	m->cgroup_usage = cgroup_usage(run->context->cgroup);
	m->main_cpu_s = harness_cpu_seconds(run) - m->main_cpu_s;
	m->host_after = host_state();
	m->servers_after = database_server_usage(run->info->database);
	m->disk_bytes = database_size(run->info->database).disk;
	if (database_storage_path(run->info->database) && !*cfg->device)
		m->resident_bytes = db_dir_resident(&run->info->database->db_dir);
}

void run_free(struct run *run)
{
	free(run->monitored);
	free(run->procedure_threads);
	free(run->procedure.shared);
	extra_free_states(&run->extras);
}
