/*
 * run.c: what the threads of one benchmark share, and where measuring begins and ends;
 * see worker.h. Nothing here is timed.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../util/message.h"
#include "../../util/db_dir.h"
#include "../extras/procedure_table.h"
#include "../../util/os/perf_control.h"
#include "database.h"
#include "../extras/replay.h"
#include "worker.h"

/* Set what the generators of all threads share. */
static void set_generator_shared(struct run *run, struct database *database)
{
	const struct workload *workload = run->workload;

	run->generator.scan_lengths = plan_scan_lengths(workload);
	run->generator.workload = workload;
	run->generator.num = procedure_table_records(workload, cfg->num);
	run->generator.first_free_id = database->first_free_id;
	run->generator.operations = run->timed ? UINT64_MAX : plan_operations(workload);
	run->generator.timed = run->timed;
	run->generator.threads = run->foreground;
	run->generator.all_threads = procedure_table_threads(workload, run->foreground);
	run->generator.rmw_is_transaction = cfg->txn && run->engine->transactions &&
					    workload->weights[OP_MODIFY];
	run->generator.key_format = database_key_format(&database->settings);
	run->generator.key_size = database->settings.key_size;
	run->generator.value_sizes = database->value_sizes;
	run->generator.permutation =
		random_permutation_make(run->generator.num,
					cfg->seed + run->item->age_pass);
	run->generator.growth = run->context->growth;
	run->generator.complete = database->complete;
	/* Random deletes with replacement select records that are already deleted. */
	run->generator.must_find =
		(database->complete && !workload->starts_empty &&
		 workload->key_order != ORDER_ABSENT &&
		 workload->source != SOURCE_TRACE &&
		 !(workload->deletes && workload->key_order == ORDER_RANDOM)) ||
		workload->queue;
}

void run_init(struct run *run, const struct run_context *context,
	      const struct plan_item *item)
{
	const struct workload *workload = item->workload;
	struct database *database = context->info->database;

	memset(run, 0, sizeof *run);
	run->context = context;
	run->info = context->info;
	run->published = context->published;
	run->stats = context->stats;
	run->workload = workload;
	run->item = item;
	run->engine = context->engine;
	run->db = database->db;
	run->settings = &database->settings;
	/* Each iteration uses other records, the same ones for every engine. */
	snprintf(run->seed_name, sizeof run->seed_name,
		 item->is_warmup	 ? "%s warm %u"
		 : item->iteration > 1 ? "%s %u"
				 : "%s",
		 workload->name, item->iteration);
	run->foreground = item->threads;
	run->all_threads = procedure_table_threads(workload, item->threads) +
			   plan_added_background(workload, run->added_background);
	run->bulk_load = workload->bulk_load && run->engine->bulk_begin;
	run->is_multiget = workload->weights[OP_MULTIGET] > 0;
	run->batch = workload->batched && !run->bulk_load &&
				     (run->is_multiget || run->engine->begin)
			     ? plan_batch(workload)
			     : 1;
	run->timed = cfg->duration > 0 && !procedure_table_has_fixed_length(workload);
	run->txn_reads = cfg->txn_reads > 1 && run->engine->snapshot &&
					 workload_reads(workload)
				 ? cfg->txn_reads
				 : 0;
	set_generator_shared(run, database);
	database->oracle.records = workload_grows(workload) || workload->queue
					   ? UINT64_MAX / 2
					   : run->generator.num;
	procedure_run_set_shared(run);
	run->metrics.disk_bytes = NAN;
	pthread_mutex_init(&run->gate.lock, NULL);
	pthread_cond_init(&run->gate.gate_opened, NULL);
	run->metrics.resident_bytes = NAN;
	atomic_init(&run->monitor.warming,
		    cfg->warmup > 0 && !procedure_table_has_fixed_length(workload));
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

const struct perf_control *run_open_profiler(void)
{
	static struct perf_control opened;
	char error[PERF_CONTROL_ERROR_SIZE];

	if (!*cfg->perf_control)
		return NULL;
	if (!perf_control_open(&opened, cfg->perf_control, error))
		message_fatal(2, "--perf_control: %s", error);
	return &opened;
}

/* Profile the last item of the plan only: those before it load the database. */
static void control_profiler(const struct run *run, const char *command)
{
	char error[PERF_CONTROL_ERROR_SIZE];

	if (!run->context->perf_control || run->item[1].workload)
		return;
	if (!perf_control_send(run->context->perf_control, command, error))
		message_print("--perf_control: %s; the profile is incomplete", error);
}

void run_begin_measuring(void *owner)
{
	struct run *run = owner;
	struct metrics *m = &run->metrics;

	resource_usage_reset_peak();
	m->nand_bytes = database_nand_bytes(run->info->database);
	m->disk_bytes_before = database_disk_bytes(run->info->database, NULL);
	if (cfg->memory)
		cgroup_reset_peak(run->context->cgroup);
	m->servers_before = database_server_usage(run->info->database);
	m->host_before = host_state();
	/* With a warm-up this is called twice, and measuring begins the second time. */
	if (m->began.ticks || !atomic_load(&run->monitor.warming))
		control_profiler(run, "enable");
	/* Reading a trace is the harness's work, like main()'s. */
	m->main_cpu_s =
		resource_usage_thread_cpu() + replay_cpu_seconds(run->replay_reader);
	run->usage_before = resource_usage_read();
	m->began = clock_pair_now(run->info->clock);
	monitor_begin(&run->monitor, &run->usage_before);
}

void run_end_measuring(struct run *run)
{
	struct metrics *m = &run->metrics;

	m->ended = clock_pair_now(run->info->clock);
	run->usage_after = resource_usage_read();
	control_profiler(run, "disable");
	m->usage = resource_usage_since(&run->usage_before, &run->usage_after);
	m->footprint = resource_usage_footprint();
	m->nand_bytes = database_nand_bytes(run->info->database) - m->nand_bytes;
	m->cgroup_usage = cgroup_usage(run->context->cgroup);
	m->main_cpu_s = resource_usage_thread_cpu() +
			replay_cpu_seconds(run->replay_reader) - m->main_cpu_s;
	m->host_after = host_state();
	m->servers_after = database_server_usage(run->info->database);
	m->disk_bytes = database_disk_bytes(run->info->database, NULL);
	if (database_storage_path(run->info->database) && !*cfg->device)
		m->resident_bytes = db_dir_resident(&run->info->database->db_dir);
}

static struct thread_sample *sample_of(void *owner, unsigned thread)
{
	return &((struct run *)owner)->workers[thread].stats->sample;
}

void run_start_monitor(struct run *run)
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
	m->measured_threads = procedure_table_threads(run->workload, run->foreground);
	m->threads = run->monitored;
	m->clock = run->info->clock;
	m->cgroup = run->context->cgroup;
	m->timed = run->timed;
	m->planned = run_planned_operations(run);
	m->wake_fd = run->context->wake_fd;
	m->interrupted = run->context->interrupted;
	m->begin_measuring = run_begin_measuring;
	m->database = run->info->database;
	m->owner = run;
	if (*cfg->timeline && !run->item->is_warmup)
		monitor_start_timeline(m, sample_of);
}

double run_last_end_seconds(const struct run *run, unsigned threads)
{
	uint64_t end = run->metrics.began.ticks;

	for (unsigned i = 0; i < threads; i++)
		end = run->workers[i].ended_at > end ? run->workers[i].ended_at : end;
	return (double)clock_ns(run->info->clock, end - run->metrics.began.ticks) / 1e9;
}

void run_free_workers(struct run *run)
{
	for (unsigned i = 0; run->workers && i < run->all_threads; i++)
		worker_free(&run->workers[i]);
	free(run->workers);
	free(run->monitored);
	free(run->procedure_threads);
	free(run->procedure.shared);
}
