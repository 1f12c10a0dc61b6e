/* row.c: see row.h. */
#include "row.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../engines/driver_util.h"
#include "../../util/distribution.h"
#include "../../util/message.h"
#include "../../util/os/program_hash.h"
#include "../workload/generator.h"
#include "verdict.h"
#include "../workload/config.h"
#include "../runner/database.h"
#include "../workload/help.h"
#include "../workload/procedure.h"

/* ---- configuration ---- */

/* Hashed keys have an order that differs from that of an engine with record numbers. */
static bool orders_by_record_number(const struct aggregate *a)
{
	const struct workload *workload = a->workload;

	return engine.fixed_size &&
	       database_key_format(&a->info->database->settings) == KEYS_USER &&
	       (workload->weights[OP_NEXT] || workload->weights[OP_SEEK] ||
		workload->own_background == OWN_BACKGROUND_SCANNER);
}

/*
 * Features that the engine lacks for this workload, and how they are emulated; NULL:
 * none.
 */
static const char *emulated(const struct aggregate *a)
{
	char text[512] = "";
	const struct workload *workload = a->workload;
	const struct {
		bool is_missing;
		const char *emulation;
	} list[] = {
		{workload->bulk_load && !engine.bulk_begin,
		 engine.begin ? "bulk load, by transactions"
			      : "bulk load, by single writes"},
		{a->is_multiget && !engine.multiget, "multi-get, by single gets"},
		{workload->batched && !workload->bulk_load && !a->is_multiget &&
			 !engine.begin,
		 "transactions, by single writes"},
		{cfg->txn && workload->weights[OP_MODIFY] &&
			 !a->info->database->traits.transactions,
		 "read-modify-write transactions, by single calls"},
		{cfg->txn_reads > 1 && workload_reads(workload) && !engine.snapshot,
		 "snapshots of several reads, by single reads"},
		{engine.blind_deletes &&
			 (workload->weights[OP_DELETE] || workload->weights[OP_EXPIRE]),
		 "deletes that tell what was there, by blind ones"},
		{orders_by_record_number(a),
		 "the order of keys, by that of record numbers"},
		{workload->weights[OP_APPEND] && !workload->bulk_load &&
			 !workload->merges &&
			 (!engine.append || cfg->key_format == KEYS_USER),
		 "append, by put"},
	};

	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		if (list[i].is_missing)
			message_append(text, sizeof text, "; ", "%s", list[i].emulation);
	for (const struct extra *const *extra = extra_all(); *extra; extra++)
		if ((*extra)->emulated && (*extra)->emulated(a))
			message_append(text, sizeof text, "; ", "%s",
				       (*extra)->emulated(a));
	return *text ? message_keep(a->texts, "%s", text) : NULL;
}

/* How batches can become visible in part; NULL: they are atomic. */
static const char *atomicity_text(const struct aggregate *a)
{
	unsigned non_atomic = a->info->database->traits.non_atomic;

	if (!non_atomic)
		return NULL;
	return message_keep(a->texts, "%s%s%s%s",
			    non_atomic & NON_ATOMIC_VISIBLE ? " seen" : "",
			    non_atomic & NON_ATOMIC_ROLLBACK ? " abandoned" : "",
			    non_atomic & NON_ATOMIC_CRASH ? " crash" : "",
			    non_atomic & NON_ATOMIC_DATABASE ? " database" : "") +
	       1;
}

/* "read:50,update:50"; NULL if the workload's name is enough. */
static const char *mix_text(const struct aggregate *a)
{
	char text[128] = "";
	const struct workload *workload = a->workload;
	bool always = workload->custom_mix || workload->percent_of == PERCENT_OF_GETS ||
		      (workload->next && !workload->starts_empty) ||
		      (workload->preset && !workload->starts_empty);

	if (workload->weights[OP_PROCEDURE])
		return workload->procedure->mix;
	for (unsigned op = 0; op < OPS; op++) {
		const char *name =
			op == OP_DELETE && always ? "delete" : workload_op_names[op];

		if (name && workload->weights[op])
			message_append(text, sizeof text, ",", "%s:%u", name,
				       workload->weights[op]);
	}
	return *text && (always || strchr(text, ',')) ? message_keep(a->texts, "%s", text)
						      : NULL;
}

/* The key distribution with its parameters. */
static const char *distribution_text(const struct aggregate *a)
{
	const struct workload *workload = a->workload;
	enum distribution_kind kind = generator_distribution(workload);
	const char *name = distribution_names[kind];
	const struct procedure *procedure = workload->procedure;

	if (workload->weights[OP_PROCEDURE])
		return procedure->distribution
			       ? message_keep(a->texts, "%s", procedure->distribution())
			       : NULL;
	if (workload->key_order != ORDER_RANDOM)
		return workload_key_orders[workload->key_order];
	if (kind == DISTRIBUTION_ADDED)
		return message_keep(a->texts, "%s",
				    extra_with_distribution()->describe_distribution());
	if (kind == DISTRIBUTION_HOTSPOT)
		return message_keep(a->texts, "%s %g/%g", name, cfg->hotspot_keys,
				    cfg->hotspot_share);
	if (kind == DISTRIBUTION_PARETO)
		return message_keep(a->texts, "%s %g", name, cfg->pareto_h);
	if (kind == DISTRIBUTION_ZIPFIAN || kind == DISTRIBUTION_SCRAMBLED_ZIPFIAN ||
	    kind == DISTRIBUTION_LATEST)
		return message_keep(a->texts, "%s %g", name, cfg->theta);
	return name;
}

/* Expected bytes in a value that the workload writes, or finds after a load. */
static double mean_value_size(const struct aggregate *a)
{
	const struct record_sizes *sizes = &a->info->database->value_sizes;

	return a->workload->starts_empty ? record_sizes_loaded_mean(sizes)
					 : record_sizes_mean(sizes);
}

/* "pareto theta k sigma, 10-1024", after the size of what was loaded, if any. */
static size_t pareto_text(const struct record_sizes *sizes, char *to, size_t size)
{
	const struct pareto *pareto = &sizes->pareto;
	size_t n = 0;

	if (sizes->loaded_size)
		n = (size_t)snprintf(to, size, "%zu, then ", sizes->loaded_size);
	return n + (size_t)snprintf(to + n, size - n, "pareto %g %g %g, %llu-%llu",
				    pareto->theta, pareto->k, pareto->sigma,
				    (unsigned long long)pareto->min,
				    (unsigned long long)pareto->max);
}

static const char *sizes_text(const struct aggregate *a, const struct record_sizes *sizes)
{
	char to[256];
	const size_t size = sizeof to;

	snprintf(to, size, sizes->min == sizes->max ? "%zu" : "%zu-%zu", sizes->min,
		 sizes->max);
	if (sizes->pareto.sigma > 0)
		pareto_text(sizes, to, size);
	if (sizes->lengths)
		snprintf(to, size, "%s", sizes->fields_text);
	if (sizes->list_count)
		*to = '\0';
	for (unsigned i = 0; i < sizes->list_count; i++)
		message_append(to, size, ",", "%zu", sizes->list[i]);
	return message_keep(a->texts, "%s", to);
}

static const char *const load_orders[] = {
	[DB_DIR_ORDER_SEQUENTIAL] = "sequential",
	[DB_DIR_ORDER_RANDOM] = "random",
};

static void fill_program(const struct aggregate *a, struct result *r)
{
	const struct program_info *program = a->info->program;

	r->commit = message_keep(a->texts, "%s %s", program->version, program->commit);
	r->program = program_hash(program->commit, sizeof program->commit);
	r->build = program->build;
}

/* What selects keys and values, and which of several measurements it is. */
static void fill_sequence(const struct aggregate *a, struct result *r)
{
	r->seed = (double)cfg->seed;
	r->epoch = plan_item_has_epoch(a->item)
			   ? (double)database_epoch(a->info->database, a->item)
			   : NAN;
	r->iteration = a->item->iteration;
	r->repetition = (double)cfg->repetition + a->item->repetition;
}

static void fill_what_ran(const struct aggregate *a, struct result *r)
{
	const struct settings *s = &a->info->database->settings;

	r->schema = RESULT_SCHEMA;
	r->engine = engine.name;
	r->label = *cfg->label ? cfg->label : engine.name;
	r->loaded_by = *cfg->loaded_by ? cfg->loaded_by : NULL;
	r->load_order = load_orders[a->info->database->db_dir.facts.load_order %
				    (DB_DIR_ORDER_RANDOM + 1)];
	r->cpus = *cfg->cpus ? cfg->cpus
		  : *cfg->pin_threads
			  ? message_keep(a->texts, "pinned %s", cfg->pin_threads)
			  : NULL;
	r->isolated = cfg->isolate;
	r->engine_build = *a->info->engine_build ? a->info->engine_build : NULL;
	r->allocator = a->info->allocator;
	r->engine_version = engine.version();
	r->benchmark = a->workload->name;
	r->threads = a->foreground;
	r->num = (double)cfg->num;
	if (cfg->device_share > 0)
		r->device_fill = cfg->device_share;
	r->key_size = (double)s->key_size;
	r->value_size = mean_value_size(a);
	r->value_sizes = sizes_text(a, &a->info->database->value_sizes);
	r->key_format = record_key_formats[database_key_format(s)];
	r->batch_size = (double)a->batch;
	r->distribution = distribution_text(a);
	r->mix = mix_text(a);
	if (a->workload->weights[OP_SEEK])
		r->scan_length = sizes_text(a, &a->scan_lengths);
	r->txn_reads = a->txn_reads ? (double)a->txn_reads : 1;
	r->txn = a->rmw_is_transaction || (a->workload->weights[OP_PROCEDURE] &&
					   a->workload->procedure->needs_transactions);
	r->warmup_s = a->item->may_warm_up ? cfg->warmup : 0;
	if (cfg->cold && !a->workload->starts_empty)
		r->cold = message_keep(a->texts,
				       a->info->database->cold.resident_kb > 0
					       ? "%s, but %.0f KiB"
					       : "%s",
				       a->info->database->cold.method,
				       a->info->database->cold.resident_kb);
	r->page_cache_state = a->info->database->page_cache_state;
	r->durability = config_durabilities[a->info->database->open_durability];
	r->durability_effective = config_durabilities
		[engine.effective_durability[a->info->database->open_durability]];
	r->batch_atomicity = atomicity_text(a);
	r->cache_bytes = engine.cache && *engine.cache ? (double)s->cache_bytes : NAN;
	r->write_buffer_bytes = engine.write_buffer ? (double)s->write_buffer_bytes : NAN;
	r->compression = config_compressions[s->compression];
	fill_sequence(a, r);
	r->emulated = emulated(a);
	r->touch = config_touches[cfg->touch];
	fill_program(a, r);
	r->command = a->info->command;
	for (const struct extra *const *extra = extra_all(); *extra; extra++)
		if ((*extra)->describe)
			(*extra)->describe(a, r);
}

/* ---- results and costs ---- */

static void fill_what_happened(const struct aggregate *a, struct result *r)
{
	r->seconds = a->foreground_totals.seconds;
	r->ops = (double)a->foreground_totals.ops;
	r->reads = (double)a->totals.ops_by_kind[KIND_READ];
	r->writes = (double)a->totals.ops_by_kind[KIND_WRITE];
	r->scans = (double)a->totals.ops_by_kind[KIND_SCAN];
	r->missing = (double)a->totals.missing;
	r->found = (double)(a->totals.ops_by_kind[KIND_READ] +
			    a->totals.ops_by_kind[KIND_SCAN]) -
		   r->missing;
	if (!engine.blind_deletes)
		r->found += (double)a->totals.deletes;
	r->lost = (double)a->totals.lost;
	if (cfg->verify) {
		r->wrong = (double)a->totals.wrong;
		if (!orders_by_record_number(a))
			r->out_of_order = (double)a->totals.disordered;
	}
	if (a->workload->key_order == ORDER_ABSENT)
		r->wrong = r->found;
	r->entries = (double)a->foreground_totals.entries;
	r->bytes = (double)a->foreground_totals.bytes;
	/* It is unknown how many blind deletes found a record; reads tell. */
	if (engine.blind_deletes && a->workload->deletes && a->totals.deletes)
		r->bytes = r->entries = NAN;
	if (engine.blind_deletes && a->totals.deletes && r->reads + r->scans == 0)
		r->found = r->missing = NAN;
	/*
	 * an engine that stores nothing returns generated records, which are checked
	 * only with --verify
	 */
	r->digest = cfg->touch == TOUCH_NONE || (engine.stores_nothing && !cfg->verify)
			    ? NULL
			    : message_keep(a->texts, "%016llx",
					   (unsigned long long)record_digest(
						   a->totals.digest));
	r->commits = (double)a->totals.commits;
	r->conflicts = (double)a->totals.conflicts;
	r->retries = (double)a->totals.retries;
	r->retry_s = cfg->latency ? a->totals.undone_ns / 1e9 : NAN;
	r->mean_us = metrics_mean_us(&a->foreground_totals);
	if (a->timed)
		r->overrun_s = fmax(0, r->seconds - cfg->duration);
	if (cfg->latency)
		r->longest_stall_ms = (double)a->totals.longest_stall_ns / 1e6;
}

/* Operations per second, and how equal the threads were: after the counts. */
static void fill_throughput(const struct aggregate *a, struct result *r)
{
	double writer_seconds = a->workload->own_background == OWN_BACKGROUND_WRITER
					? a->own_background.seconds
					: r->seconds;

	if (r->seconds > 0) {
		r->ops_per_sec = r->ops / r->seconds;
		r->entries_per_sec = r->entries / r->seconds;
		r->reads_per_sec = r->reads / r->seconds;
		r->writes_per_sec = writer_seconds > 0 ? r->writes / writer_seconds : NAN;
	}
	if (a->foreground_totals.rate_squares > 0)
		r->fairness = a->foreground_totals.rate * a->foreground_totals.rate /
			      (a->foreground * a->foreground_totals.rate_squares);
}

/* A difference of counters that are read one after another can be slightly negative. */
static double at_least_zero(double x)
{
	return x < 0 ? 0 : x; /* fmax() would make 0 of NaN */
}

/* Nothing is added where nothing was measured. */
static double zero_if_nan(double x)
{
	return isnan(x) ? 0 : x;
}

/* The drawn keys, whatever the options requested. */
static void fill_key_draws(const struct aggregate *a, struct result *r)
{
	if (!a->foreground_totals.keys_drawn)
		return;
	r->distinct_keys = a->distinct_keys;
	/* The most popular of these keys are not counted; sequential keys have none. */
	if (a->workload->key_order == ORDER_RANDOM &&
	    (generator_distribution(a->workload) == DISTRIBUTION_ADDED ||
	     generator_distribution(a->workload) == DISTRIBUTION_SEQUENTIAL))
		return;
	r->top1pct_fraction = (double)a->foreground_totals.top1pct_draws /
			      (double)a->foreground_totals.keys_drawn;
}

/* The arrivals, and the sine of their rate. */
static const char *arrivals_text(const struct aggregate *a)
{
	if (!a->rate_is_sine)
		return config_arrivals[cfg->arrivals];
	return message_keep(a->texts, "%s, %g sin(%g t + %g) + %g every %g s",
			    config_arrivals[cfg->arrivals], cfg->sine_a, cfg->sine_b,
			    cfg->sine_c, cfg->sine_d,
			    (double)cfg->sine_interval_ms / 1e3);
}

/*
 * Target rates and whether they were met. A rate is met if at most 1 % of the scheduled
 * operations had not started. With a fixed count all are done at the end, and the end
 * is late.
 */
static void fill_rates(const struct aggregate *a, struct result *r)
{
	char rates[STEADY_STATE_WINDOWS * 14];
	struct steady_state_verdict s = steady_state_judge(a->steady_state);

	r->target_rate = a->target_rate;
	if (!isnan(r->target_rate)) {
		double done = (double)a->totals.scheduled_done,
		       waiting = (double)a->totals.unstarted;

		r->arrivals = arrivals_text(a);
		r->backlog = (double)a->totals.backlog;
		r->start_error_p99_ns = a->start_error_p99_ns;
		r->target_rate_met = waiting <= 0.01 * (done + waiting);
		if (a->workload->requires_rate)
			r->target_rate_met = verdict_missed_rate_reason(a) == NULL;
	}
	r->rate_cv = s.cv;
	r->rate_range = s.range;
	r->rate_slope = s.slope;
	r->steady = s.steady;
	r->rate_first_fifth = s.rate_first_fifth;
	r->rate_last_fifth = s.rate_last_fifth;
	r->steady_since_s = s.steady_since_s;
	if (a->timed && cfg->until_steady > 0)
		r->until_steady_s = cfg->until_steady;
	r->window_s = a->steady_state->windows ? a->steady_state->window_s : NAN;
	steady_state_format_rates(a->steady_state, rates, sizeof rates);
	r->rates = *rates ? message_keep(a->texts, "%s", rates) : NULL;
}

/* Bytes written per byte of records: handed to the kernel, and written to the device. */
static void fill_write_amp(const struct aggregate *a, struct result *r)
{
	const struct resource_usage *u = &a->metrics.usage;
	double record = r->key_size + r->value_size;
	double deletes = (double)a->totals.deletes;
	double records =
		a->workload->weights[OP_PROCEDURE] ? (double)a->totals.written_bytes
		: a->workload->unknown_keys /* a replay's keys have lengths of their own */
			? (double)a->foreground_totals.bytes
			: (r->writes - deletes) * record + deletes * r->key_size;

	if (engine.server_usage)
		return;
	if (!a->info->database->traits.uncounted_writes)
		r->io_write_overcharged = resource_usage_overcharged(u);
	r->nand_write_bytes = a->metrics.nand_bytes;
	if (u->device_write_bytes > 0)
		r->nand_write_amp = a->metrics.nand_bytes / u->device_write_bytes;
	if (!(r->writes > 0))
		return;
	/* Unless their number may be too high, or a write is a whole statement. */
	if (!a->workload->weights[OP_PROCEDURE] &&
	    (a->info->database->traits.uncounted_writes || r->io_write_overcharged == 0))
		r->fs_out_per_write = u->fs_out_blocks / r->writes;
	if (a->workload->deletes || a->workload->own_keys)
		return;
	if (!a->info->database->traits.uncounted_writes) {
		r->write_amp = u->io_wchar_bytes / records;
		r->write_amp_all_in =
			(u->io_wchar_bytes + zero_if_nan(r->settle.io_wchar_bytes) +
			 zero_if_nan(r->close.io_wchar_bytes)) /
			records;
	}
	r->host_write_amp = u->device_write_bytes / records;
	r->host_write_amp_all_in =
		(u->device_write_bytes + zero_if_nan(r->settle.device_write_bytes) +
		 zero_if_nan(r->close.device_write_bytes)) /
		records;
}

static void fill_memory(const struct aggregate *a, struct result *r)
{
	r->footprint = a->metrics.footprint;
	if (cfg->malloc_arenas)
		r->malloc_arenas = (double)cfg->malloc_arenas;
	r->memory_used_kb = r->footprint.rss_anon_kb + a->metrics.resident_bytes / 1024;
	r->memory_limit_kb = a->metrics.limits.memory / 1024;
	if (!cfg->memory) {
		if (r->memory_limit_kb >= a->info->host->memory_kb)
			r->memory_limit_kb = NAN;
		return;
	}
	r->memory_limit_kb = fmin(r->memory_limit_kb, (double)cfg->memory / 1024);
	r->cgroup_peak_kb = a->metrics.cgroup_usage.peak / 1024;
	r->memory_used_kb = r->cgroup_peak_kb;
	r->page_cache_kb = a->metrics.cgroup_usage.page_cache / 1024;
	r->memory_stall_s = a->metrics.cgroup_usage.stall_s;
}

/*
 * Resource usage of an engine's servers, and network traffic. Syncs are among their
 * system calls, which are not counted.
 */
static void fill_remote(const struct aggregate *a, struct result *r, double ops)
{
	const struct server_usage *before = &a->metrics.servers_before,
				  *after = &a->metrics.servers_after;
	struct resource_usage *u = &r->usage;

	u->syncs = u->fsyncs = u->fdatasyncs = u->msyncs = NAN;
	u->sync_file_ranges = u->dsync_writes = NAN;
	if (!after->servers || !before->servers)
		return;
	r->servers = after->servers;
	r->round_trips = (double)(after->round_trips - before->round_trips);
	r->round_trips_per_op = r->round_trips / ops;
	r->server_user_s = after->user_s - before->user_s;
	r->server_sys_s = after->sys_s - before->sys_s;
	r->memory_used_kb = r->server_rss_kb = after->rss_kb;
}

/*
 * From this many seconds on, CPU time in ticks of 10 ms is accurate enough, and so is
 * device time in milliseconds that are charged when a request ends.
 */
#define CPU_TICKS_TELL_S 1.0

static void fill_cost(const struct aggregate *a, struct result *r)
{
	const struct resource_usage *u = &a->metrics.usage;
	double ops = result_operations(r), wall = metrics_wall_seconds(&a->metrics);

	r->usage = *u;
	fill_memory(a, r);
	fill_write_amp(a, r);
	if (engine.server_usage)
		fill_remote(a, r, ops);
	if (!isnan(a->metrics.limits.cpus)) {
		r->quota_periods = a->metrics.throttled.periods;
		r->throttled_periods = a->metrics.throttled.throttled;
		r->throttled_s = a->metrics.throttled.seconds;
	}
	r->cpu_percent = r->seconds > 0 ? 100 * (u->user_s + u->sys_s) / r->seconds : NAN;
	r->device_reads_per_op = u->device_reads / ops;
	r->device_read_bytes_per_op = u->device_read_bytes / ops;
	if (wall >= CPU_TICKS_TELL_S && !isnan(u->device_busy_s))
		r->device_busy_percent = fmin(100, 100 * u->device_busy_s / wall);
	r->fg_cpu_s = a->totals.cpu;
	r->bg_cpu_s = at_least_zero(u->cpu_s - a->totals.cpu - a->metrics.main_cpu_s);
	r->harness_cpu_s = a->metrics.main_cpu_s;
	r->cpu_us_per_op = 1e6 * (r->fg_cpu_s + r->bg_cpu_s) / ops;
	r->counters = resource_usage_counter_scope();
	r->cycles_per_op = u->cycles / ops;
	r->instructions_per_op = u->instructions / ops;
	r->cache_misses_per_op = u->cache_misses / ops;
	r->tlb_misses_per_op = u->tlb_misses / ops;
	if (r->commits > 0)
		r->syncs_per_commit = r->usage.syncs / r->commits;
	if (!isnan(r->settle.seconds) || !isnan(r->close.seconds))
		r->ops_per_sec_all_in =
			r->ops / (r->seconds + zero_if_nan(r->settle.seconds) +
				  zero_if_nan(r->close.seconds));
}

static void fill_storage(const struct aggregate *a, struct result *r)
{
	const struct program_facts *info = a->info;
	struct db_dir_size size;
	double records;

	r->filesystem = info->database->mount.type;
	r->mount_options = info->database->mount.options;
	r->device = info->database->mount.device;
	r->simulated_disk = info->database->simulated_disk;
	r->io_scheduler = info->database->queue.scheduler;
	r->read_ahead_kb = info->database->queue.read_ahead_kb;
	if (*cfg->device) /* only the engine knows */
		return;
	size = database_size(info->database);
	r->run_disk_kb = a->metrics.disk_bytes / 1024;
	r->disk_growth_kb = (a->metrics.disk_bytes - a->metrics.disk_bytes_before) / 1024;
	r->db_apparent_kb = size.apparent / 1024;
	r->db_extents = db_dir_extents(&info->database->db_dir);
	r->db_disk_kb = size.disk / 1024;
	r->db_preallocated_kb = size.preallocated / 1024;
	records = a->workload->completes
			  ? r->valid == 1 ? (double)info->database->first_free_id : 0
		  : info->database->complete ? (double)info->database->records
					     : 0;
	records *= r->key_size + r->value_size;
	/*
	 * With a size distribution it is unknown how many values have their loaded
	 * size.
	 */
	if (info->database->value_sizes.pareto.sigma > 0 && !a->workload->starts_empty)
		return;
	if (records > 0) {
		r->space_amp_run = a->metrics.disk_bytes / records;
		r->space_amp = size.disk / records;
	}
}

static void fill_where(const struct aggregate *a, struct result *r)
{
	const struct program_facts *info = a->info;

	r->timer = info->clock->counter ? "tsc" : "monotonic";
	r->timer_ns = info->clock->read_cost_ns;
	r->host = info->host->name;
	r->cpu = info->host->cpu;
	r->cores = info->host->cores;
	r->allowed_cpus = info->host->allowed_cpus;
	r->cpu_quota = a->metrics.limits.cpus;
	r->memory_kb = info->host->memory_kb;
	r->kernel = info->host->kernel;
	r->governor = info->host->governor;
	r->turbo = info->host->turbo;
	r->smt = info->host->smt;
	r->thp = info->host->thp;
	r->idle_reclaim = info->host->idle_reclaim;
	r->swappiness = info->host->swappiness;
	r->numa_nodes = info->host->numa_nodes;
	if (*cfg->numa_node)
		r->numa_node = strtod(cfg->numa_node, NULL);
	if (database_storage_path(info->database))
		fill_storage(a, r);
}

/* State of the machine, and what others than this process did to it. */
static void fill_disturbances(const struct aggregate *a, struct result *r)
{
	const struct metrics *m = &a->metrics;
	double wall = metrics_wall_seconds(m), all = wall * a->info->host->machine_cpus,
	       servers_s =
		       m->servers_after.local ? r->server_user_s + r->server_sys_s : 0,
	       others_s = m->usage.machine_cpu_s - m->usage.cpu_s - servers_s;

	r->load_before = m->host_before.load_average;
	r->load_after = m->host_after.load_average;
	r->temperature_before_c = m->host_before.temperature_c;
	r->temperature_after_c = m->host_after.temperature_c;
	if (wall < CPU_TICKS_TELL_S)
		return;
	r->steal_percent = 100 * m->usage.steal_s / all;
	r->others_cpu_percent = 100 * at_least_zero(others_s) / all;
}

/* The elapsed time of all threads whose CPU time fg_cpu_s has, seconds. */
static double time_of_threads(const struct aggregate *a, const struct result *r)
{
	double ns = a->own_background.ops ? a->own_background.thread_ns : 0;

	for (const struct added_totals *added = a->added; added->role; added++)
		ns += added->totals.thread_ns;
	return r->seconds * a->foreground + ns / 1e9;
}

/* Where an operation's time goes, and what limits the rate: after all other columns. */
static void fill_bound(const struct aggregate *a, struct result *r)
{
	double ops = result_operations(r), threads_s = time_of_threads(a, r),
	       harness_s = r->harness_ns_per_op * (double)a->totals.ops / 1e9,
	       /* Others that use a core need not have kept it from these threads. */
		left = fmin(r->cpu_quota,
			    r->cores * (1 - zero_if_nan(r->steal_percent) / 100)),
	       waited_s = zero_if_nan(a->totals.runnable),
	       starved_s = zero_if_nan(a->metrics.engine_threads.starved_s),
	       used = r->fg_cpu_s + r->bg_cpu_s + zero_if_nan(r->server_user_s) +
		      zero_if_nan(r->server_sys_s);

	r->engine_fg_us_per_op = at_least_zero(1e6 * (r->fg_cpu_s - harness_s) / ops);
	r->engine_bg_us_per_op = 1e6 * r->bg_cpu_s / ops;
	r->kernel_us_per_op = 1e6 * a->metrics.usage.sys_s / ops;
	r->off_cpu_us_per_op = 1e6 * at_least_zero(threads_s - r->fg_cpu_s) / ops;
	r->runnable_us_per_op = 1e6 * a->totals.runnable / ops;
	r->engine_bg_runnable_us_per_op =
		1e6 * a->metrics.engine_threads.runnable_s / ops;
	if (!isnan(r->device_busy_percent))
		r->device_busy_us_per_op = 1e6 * r->usage.device_busy_s / ops;
	if (r->seconds > 0) {
		r->cpu_used_percent = fmin(100, 100 * fmax(r->fg_cpu_s / threads_s,
							   used / (r->seconds * left)));
		r->cpu_demand_percent =
			fmin(100, fmax(fmax(r->cpu_used_percent,
					    100 * (r->fg_cpu_s + waited_s) / threads_s),
				       100 * starved_s / r->seconds));
		r->harness_percent =
			fmin(100, 100 * harness_s / threads_s *
					  fmax(1, threads_s / r->seconds / left));
	}
	r->bound_by = verdict_bound_by(a, r, &r->bound_by_detail);
}

/* Did something end the workload, or keep it from beginning? */
static bool ended_early(const struct aggregate *a)
{
	return a->errors || a->interrupted || verdict_undone_reason(a) ||
	       (a->info->database->failure.failed && !a->foreground_totals.ops);
}

void row_fill(const struct aggregate *a, struct result *r)
{
	r->invalid_reason = verdict_invalid_reason(a);
	r->valid = !r->invalid_reason;
	r->errors = a->errors;
	r->partial = ended_early(a);
	fill_what_ran(a, r);
	fill_what_happened(a, r);
	fill_throughput(a, r);
	fill_key_draws(a, r);
	for (int k = 0; k < KINDS; k++) {
		r->latency[k] = result_latency(&a->latency[k]);
		r->response[k] = result_latency(&a->responses[k]);
	}
	fill_rates(a, r);
	fill_cost(a, r);
	fill_where(a, r);
	fill_disturbances(a, r);
	fill_bound(a, r);
	for (const struct extra *const *extra = extra_all(); *extra; extra++)
		if ((*extra)->fill)
			(*extra)->fill(a, r);
	r->warnings = verdict_warnings(a, r);
}

void row_fill_invalid(const struct aggregate *a, struct result *r, uint64_t ops,
		      const char *why)
{
	r->invalid_reason = why;
	r->valid = 0;
	r->partial = 1;
	r->ops = (double)ops;
	fill_what_ran(a, r);
	fill_where(a, r);
	r->mean_us = ops ? r->seconds * 1e6 * a->foreground / r->ops : 0;
}
