/* report.c: see report.h. */
#include "report.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../engines/driver_util.h"
#include "../util/distribution.h"
#include "../util/hdrlog.h"
#include "../util/histprint.h"
#include "../util/output_check.h"
#include "../util/message.h"
#include "../util/row_file.h"
#include "generator.h"
#include "procedure_table.h"
#include "monitor.h"

/* ---- checks before the first run ---- */

static const struct {
	const char *name;
	size_t path; /* of "": none */
} output_files[] = {
	{"tsv", offsetof(struct config, tsv)},
	{"json", offsetof(struct config, json)},
	{"timeline", offsetof(struct config, timeline)},
	{"hdr", offsetof(struct config, hdr)},
	{"hdr_log", offsetof(struct config, hdr_log)},
	{"report_file", offsetof(struct config, report_file)},
};

enum { OUTPUT_FILES = sizeof output_files / sizeof *output_files };

/* The path of output file i; NULL: none. */
static const char *output_path(int i)
{
	const char *path = *(const char *const *)(const void *)((const char *)cfg +
								output_files[i].path);

	return !*path || (path == cfg->report_file && !(cfg->report_interval_seconds > 0))
		       ? NULL
		       : path;
}

/* Each can be opened, and differs from those before it. */
static void check_output_files(void)
{
	char error[RESULT_ERROR_SIZE];

	for (int i = 0; i < OUTPUT_FILES; i++) {
		const char *path = output_path(i);

		if (path && !output_check_opens(path, error))
			message_fatal(2, "--%s: %s", output_files[i].name, error);
		for (int k = 0; k < i && path; k++)
			if (output_path(k) &&
			    output_check_same_file(output_path(k), path))
				message_fatal(2,
					      "--%s and --%s are both %s, which can "
					      "hold one of them only; name another file",
					      output_files[k].name, output_files[i].name,
					      path);
	}
}

static const struct row_file_format hdr_log_form = {
	.header = HDRLOG_HEADER "\n",
	.strict = true,
};

void report_check_files(void)
{
	char error[RESULT_ERROR_SIZE];
	const char *option;

	check_output_files();
	if (*cfg->tsv && !result_check_tsv(cfg->tsv, error))
		message_fatal(2, "--tsv: %s", error);
	if (*cfg->json && !result_check_json(cfg->json, error))
		message_fatal(2, "--json: %s", error);
	if ((option = monitor_check_files(error)))
		message_fatal(2, "%s: %s", option, error);
	if (*cfg->hdr &&
	    !row_file_check(cfg->hdr, &(struct row_file_format){.header = ""}, error))
		message_fatal(2, "--hdr: %s", error);
	if (*cfg->hdr_log && !row_file_check(cfg->hdr_log, &hdr_log_form, error))
		message_fatal(2, "--hdr_log: %s", error);
}

/*
 * Configuration lines for benchstat, which separates rows of different configurations.
 * They contain no versions, because versions are to be compared.
 */
static void print_configuration(const struct run_info *info)
{
	struct utsname system;

	if (uname(&system))
		message_fatal(1, "uname: %s", strerror(errno));
	printf("goos: %s\ngoarch: %s\npkg: assay\ncpu: %s\nhost: %s\nnum: %llu\n"
	       "key-bytes: %zu\nvalue-bytes: %s\n"
	       "durability: %s\n",
	       !strcmp(system.sysname, "Linux") ? "linux" : system.sysname,
	       !strcmp(system.machine, "x86_64")    ? "amd64"
	       : !strcmp(system.machine, "aarch64") ? "arm64"
						    : system.machine,
	       info->host->cpu, info->host->name, (unsigned long long)cfg->num,
	       info->database->settings.key_size, cfg->value_size,
	       config_durabilities[cfg->durability]);
	if (cfg->memory)
		printf("memory-bytes: %llu\n", (unsigned long long)cfg->memory);
	putchar('\n');
	fflush(stdout);
}

/*
 * The records of the database: those of a trace, the options', or both. A trace gives
 * the number of lines that load records, but not the number of keys.
 */
static void print_records(const struct run_info *info)
{
	const struct settings *s = &info->database->settings;
	const struct trace_facts *trace = &cfg->trace_facts;
	const char *at_most = trace->is_only_source ? " at most" : "";
	double value = record_sizes_loaded_mean(&cfg->value_sizes),
	       records = (double)(trace->is_only_source ? trace->loads : s->num);
	double keys = (double)s->key_size * records, values = value * records;
	char of_trace[2][64] = {"", ""}, packed[64] = "";
	double left = s->compression ? cfg->compression_ratio : 1;

	if (trace->is_only_source) {
		keys = (double)trace->loaded_key_bytes;
		values = (double)trace->loaded_value_bytes;
		printf("Keys:       to %zu bytes, as in the trace\n", trace->key_max);
		printf("Values:     to %zu bytes, as in the trace\n", trace->value_max);
	} else {
		if (trace->key_max) {
			snprintf(of_trace[0], sizeof of_trace[0], "; to %zu in the trace",
				 trace->key_max);
			snprintf(of_trace[1], sizeof of_trace[1], "; to %zu in the trace",
				 trace->value_max);
		}
		if (s->compression)
			snprintf(packed, sizeof packed, " (%.0f bytes after compression)",
				 value * left);
		printf("Keys:       %zu bytes each%s\n", s->key_size, of_trace[0]);
		printf("Values:     %s bytes each%s%s\n", cfg->value_size, packed,
		       of_trace[1]);
	}
	printf("Entries:    %.0f%s\n", records, at_most);
	printf("RawSize:    %.1f MB%s (estimated)\n", (keys + values) / 1048576, at_most);
	printf("FileSize:   %.1f MB%s (estimated)\n", (keys + values * left) / 1048576,
	       at_most);
}

void report_header(const struct run_info *info)
{
	if (cfg->format == FORMAT_GOBENCH) {
		print_configuration(info);
		return;
	}
	printf("assay:      %s (%s), %s %s\n", info->program->version,
	       info->program->commit, engine.title, engine.version());
	printf("CPU:        %u * %s\n", info->host->cores, info->host->cpu);
	print_records(info);
	printf("Database:   %s\n",
	       engine.stores_nothing ? "none" : info->database->db_dir.path);
	printf("Durability: %s\n", config_durabilities[cfg->durability]);
	if (!engine.cache)
		printf("Cache:      the operating system's\n");
	else if (*engine.cache)
		printf("Cache:      %llu bytes: %s\n",
		       (unsigned long long)cfg->cache_size, engine.cache);
	else
		printf("Cache:      none\n");
	if (engine.write_buffer)
		printf("Buffer:     %llu bytes: %s\n",
		       (unsigned long long)cfg->write_buffer_size, engine.write_buffer);
	printf("------------------------------------------------\n");
	fflush(stdout);
}

/* ---- validity ---- */

/* A group starts with its first key, so a rate is accurate only over many groups. */
static const char *find_too_few_groups(const struct aggregate *a)
{
	enum { GROUPS_MIN = 10 };
	static char text[ENGINE_ERROR_SIZE];

	if (!(a->groups < GROUPS_MIN))
		return NULL;
	snprintf(text, sizeof text,
		 "at this rate only %.1f groups of %u keys were scheduled for each "
		 "thread, fewer than %d; give more time or a smaller --batch_size",
		 a->groups, a->group_keys, GROUPS_MIN);
	return text;
}

/*
 * A background thread makes its first call before measuring begins, and must make more
 * while it lasts.
 */
static const char *find_idle_background(const struct aggregate *a)
{
	static char text[ENGINE_ERROR_SIZE];

	if (!a->workload->own_background || a->own_background.ops)
		return NULL;
	snprintf(text, sizeof text,
		 "the threads ended before the background %s had finished an operation; "
		 "give them more to do",
		 workload_own_background(a->workload)->name);
	return text;
}

/* The error of the backup, or NULL. */
static const char *find_bad_backup(const struct aggregate *a)
{
	static char text[ENGINE_ERROR_SIZE];
	const struct backup *b = a->backup;

	if (!b)
		return NULL;
	if (b->consistent < 1)
		return "the backup is not consistent as of any point in time between its "
			"begin and end";
	if (b->wrong > 0)
		snprintf(text, sizeof text, "%.0f records of the backup were wrong",
			 b->wrong);
	else if (a->must_find && !engine.stores_nothing && b->records < (double)cfg->num)
		snprintf(text, sizeof text, "the backup has %.0f records of %llu",
			 b->records, (unsigned long long)cfg->num);
	else
		return NULL;
	return text;
}

/*
 * For workloads that require the rate of their writes: why it was not met, or NULL.
 * Writes may be late by a second, or 1 % of the time if that is more. At most 5 % may
 * be missing at the end, which is the stricter limit in short runs.
 */
static const char *find_rate_not_met(const struct aggregate *a)
{
	static char text[ENGINE_ERROR_SIZE];
	const struct hist *start_errors = &a->responses[KIND_WRITE];
	double waiting = (double)a->totals.unstarted,
	       fraction = waiting / (waiting + (double)a->totals.ops_by_kind[KIND_WRITE]);
	double behind = fmax((double)start_errors->max * start_errors->unit / 1e9,
			     waiting / a->target_rate);
	double most = fmax(1, 0.01 * a->foreground_totals.seconds);

	if (!a->workload->requires_rate || (behind <= most && !(fraction > 0.05)))
		return NULL;
	snprintf(text, sizeof text,
		 "the target rate of inserts and deletes was not met: they were up to "
		 "%.1f s late, and %.0f %% had not started at the end (allowed: %.1f s "
		 "and 5 %%)",
		 behind, 100 * fraction, most);
	return text;
}

/* Records that were returned or missing against expectation. */
static const char *find_bad_records(const struct aggregate *a)
{
	static char text[ENGINE_ERROR_SIZE];
	const struct totals *all = &a->totals;
	/* found records of a workload that gets absent keys */
	uint64_t unexpected =
		a->workload->key_order == ORDER_ABSENT && all->missing < all->ops
			? all->ops - all->missing
			: 0;
	const struct {
		uint64_t n;
		const char *what;
	} bad[] = {
		{all->wrong ? all->wrong : unexpected, "records were wrong"},
		{a->long_reader ? a->long_reader->changed_reads : 0,
		 "reads of a snapshot that was held found another record than before"},
		{all->disordered, "records were out of order"},
		{all->lost, "records were missing"},
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		if (!bad[i].n)
			continue;
		snprintf(text, sizeof text, "%llu %s", (unsigned long long)bad[i].n,
			 bad[i].what);
		return text;
	}
	return NULL;
}

/* Why the row is invalid, or NULL. */
static const char *find_invalid_reason(const struct aggregate *a)
{
	static char text[ENGINE_ERROR_SIZE + 64];
	uint64_t expected = a->planned;
	const char *why;

	if (a->info->database->failure.failed)
		return a->info->database->failure.text;
	if (a->errors)
		return a->engine_error;
	if (a->interrupted)
		return "interrupted";
	if (a->procedure_error)
		return a->procedure_error;
	if (!a->workload->starts_empty && a->info->database->db_dir.facts.unfinished)
		return "the load of this database did not end, or was invalid; load it "
			"again";
	if (!a->foreground_totals.ops)
		return "no operation was done";
	if ((why = find_idle_background(a)) || (why = find_too_few_groups(a)) ||
	    (why = find_rate_not_met(a)))
		return why;
	if ((why = find_bad_records(a)) || (why = find_bad_backup(a)))
		return why;
	/* An iteration of an incomplete database ends with the data. */
	if (!a->timed && a->foreground_totals.ops < expected &&
	    (a->must_find || !a->workload->weights[OP_NEXT])) {
		snprintf(text, sizeof text, "%llu of %llu operations were done",
			 (unsigned long long)a->foreground_totals.ops,
			 (unsigned long long)expected);
		return text;
	}
	why = resource_usage_implausible(&a->usage, a->totals.cpu,
					 (double)(a->ended.raw_ns - a->began.raw_ns) /
						 1e9,
					 a->all_threads, a->info->host->cores);
	if (why)
		return why;
	if (clock_disagreement(a->info->clock, a->began, a->ended) > 1e-3)
		return "the clocks disagree about how long it took";
	return NULL;
}

/* ---- the row: configuration ---- */

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
	static char text[256];
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
		{cfg->txn && workload->weights[OP_MODIFY] && !engine.transactions,
		 "read-modify-write transactions, by single calls"},
		{cfg->txn_reads > 1 && workload_reads(workload) && !engine.snapshot,
		 "snapshots of several reads, by single reads"},
		{workload->source == SOURCE_TRACE && cfg->trace_facts.ttls,
		 "expiry, by nothing"},
		{engine.blind_deletes &&
			 (workload->weights[OP_DELETE] || workload->weights[OP_EXPIRE]),
		 "deletes that tell what was there, by blind ones"},
		{a->backup && a->backup->method != engine.backup_by,
		 engine.stores_nothing ? "backup, by nothing"
				       : "backup, by copying files while all wait"},
		{workload->maintenance == MAINTENANCE_COMPACT && !engine.compact,
		 driver_util_can_settle(&engine) ? "compaction, by settling"
						 : "compaction, by nothing"},
		{orders_by_record_number(a),
		 "the order of keys, by that of record numbers"},
		{workload->weights[OP_APPEND] && !workload->bulk_load &&
			 (!engine.append || cfg->key_format == KEYS_USER),
		 "append, by put"},
	};

	text[0] = '\0';
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		if (list[i].is_missing)
			message_append(text, sizeof text, "; ", "%s", list[i].emulation);
	return *text ? text : NULL;
}

/* How batches can become visible in part; NULL: they are atomic. */
static const char *atomicity_text(unsigned non_atomic)
{
	static char text[64];

	if (!non_atomic)
		return NULL;
	snprintf(text, sizeof text, "%s%s%s%s",
		 non_atomic & NON_ATOMIC_VISIBLE ? " seen" : "",
		 non_atomic & NON_ATOMIC_ROLLBACK ? " abandoned" : "",
		 non_atomic & NON_ATOMIC_CRASH ? " crash" : "",
		 non_atomic & NON_ATOMIC_DATABASE ? " database" : "");
	return text + 1;
}

/* "read:50,update:50"; NULL if the workload's name is enough. */
static const char *mix_text(const struct workload *workload)
{
	static char text[128];
	bool always = workload->custom_mix || workload->percent_of == PERCENT_OF_GETS ||
		      (workload->source != SOURCE_WEIGHTS && !workload->starts_empty) ||
		      (workload->preset && !workload->starts_empty);

	if (workload->weights[OP_PROCEDURE])
		return procedure_table_find(workload)->mix;
	text[0] = '\0';
	for (unsigned op = 0; op < OPS; op++) {
		const char *name = op == OP_DELETE && always ? "delete"
							     : workload_op_names[op];

		if (name && workload->weights[op])
			message_append(text, sizeof text, ",", "%s:%u", name,
				       workload->weights[op]);
	}
	return *text && (always || strchr(text, ',')) ? text : NULL;
}

/* The key distribution with its parameters. */
static const char *distribution_text(const struct workload *workload)
{
	static char text[80];
	enum distribution_kind kind = generator_distribution(workload);
	const char *name = distribution_names[kind];
	const struct procedure *procedure = procedure_table_find(workload);

	if (workload->weights[OP_PROCEDURE])
		return procedure->distribution ? procedure->distribution() : NULL;
	if (workload->source == SOURCE_TRACE)
		return "trace";
	if (workload->key_order != ORDER_RANDOM)
		return workload_key_orders[workload->key_order];
	if (kind == DISTRIBUTION_HOTSPOT)
		snprintf(text, sizeof text, "%s %g/%g", name, cfg->hotspot_keys,
			 cfg->hotspot_share);
	else if (kind == DISTRIBUTION_PARETO)
		snprintf(text, sizeof text, "%s %g", name, cfg->pareto_h);
	else if (kind == DISTRIBUTION_MIXGRAPH)
		snprintf(text, sizeof text, "%s %s%s", name,
			 mixgraph_variants[cfg->mixgraph.keys],
			 cfg->mixgraph.db_bench ? " by one draw (db_bench)" : "");
	else if (kind == DISTRIBUTION_ZIPFIAN || kind == DISTRIBUTION_SCRAMBLED_ZIPFIAN ||
		 kind == DISTRIBUTION_LATEST)
		snprintf(text, sizeof text, "%s %g", name, cfg->theta);
	else
		snprintf(text, sizeof text, "%s", name);
	return text;
}

/* Expected bytes in a value that the workload writes, or finds after a load. */
static double mean_value_size(const struct aggregate *a)
{
	const struct record_sizes *sizes = &a->info->database->value_sizes;

	if (a->workload->source == SOURCE_TRACE)
		return (double)cfg->trace_facts.written_bytes /
		       (double)cfg->trace_facts.writes;
	return a->workload->starts_empty ? record_sizes_loaded_mean(sizes)
					 : record_sizes_mean(sizes);
}

/* "pareto theta k sigma, 10-1024", after the size of what was loaded, if any. */
static size_t pareto_text(const struct record_sizes *sizes, char *to, size_t size)
{
	const struct mixgraph_pareto *pareto = &sizes->pareto;
	size_t n = 0;

	if (sizes->loaded_size)
		n = (size_t)snprintf(to, size, "%zu, then ", sizes->loaded_size);
	return n + (size_t)snprintf(to + n, size - n, "pareto %g %g %g, %llu-%llu",
				    pareto->theta, pareto->k, pareto->sigma,
				    (unsigned long long)pareto->min,
				    (unsigned long long)pareto->max);
}

static const char *sizes_text(const struct record_sizes *sizes, char *to, size_t size)
{
	snprintf(to, size, sizes->min == sizes->max ? "%zu" : "%zu-%zu", sizes->min,
		 sizes->max);
	if (sizes->pareto.sigma > 0)
		pareto_text(sizes, to, size);
	if (sizes->list_count)
		*to = '\0';
	for (unsigned i = 0; i < sizes->list_count; i++)
		message_append(to, size, ",", "%zu", sizes->list[i]);
	return to;
}

/* The sizes of the stored or written values. */
static const char *values_text(const struct aggregate *a, char *to, size_t size)
{
	if (a->workload->source != SOURCE_TRACE)
		return sizes_text(&a->info->database->value_sizes, to, size);
	snprintf(to, size, "0-%zu, as in the trace", cfg->trace_facts.value_max);
	return to;
}

static void fill_what_ran(const struct aggregate *a, struct result *r)
{
	static char values[256], lengths[256], cold[64], commit[128];
	const struct settings *s = &a->info->database->settings;

	r->schema = RESULT_SCHEMA;
	r->engine = engine.name;
	r->label = *cfg->label ? cfg->label : engine.name;
	r->cpus = *cfg->cpus ? cfg->cpus : NULL;
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
	r->value_sizes = values_text(a, values, sizeof values);
	r->key_format = record_key_formats[database_key_format(s)];
	r->batch_size = (double)a->batch;
	r->distribution = distribution_text(a->workload);
	r->mix = mix_text(a->workload);
	if (a->workload->weights[OP_SEEK])
		r->scan_length = sizes_text(&a->scan_lengths, lengths, sizeof lengths);
	if (a->workload->queue) {
		r->queues = (double)cfg->queues;
		r->queue_deletes = a->workload->weights[OP_DELETE] / 100.0;
	}
	r->txn_reads = a->txn_reads ? (double)a->txn_reads : 1;
	r->txn = a->rmw_is_transaction ||
		 (a->workload->weights[OP_PROCEDURE] &&
		  procedure_table_find(a->workload)->needs_transactions);
	r->warmup_s = procedure_table_has_fixed_length(a->workload) ||
				      a->workload->maintenance
			      ? 0
			      : cfg->warmup;
	snprintf(cold, sizeof cold,
		 a->info->database->cold.resident_kb > 0 ? "%s, but %.0f KiB" : "%s",
		 a->info->database->cold.method, a->info->database->cold.resident_kb);
	r->cold = cfg->cold && !a->workload->starts_empty ? cold : NULL;
	r->durability = config_durabilities[a->info->database->open_durability];
	r->durability_effective = config_durabilities
		[engine.effective_durability[a->info->database->open_durability]];
	r->batch_atomicity = atomicity_text(engine.non_atomic | s->non_atomic);
	r->cache_bytes = engine.cache && *engine.cache ? (double)s->cache_bytes : NAN;
	r->write_buffer_bytes = engine.write_buffer ? (double)s->write_buffer_bytes : NAN;
	r->compression = config_compressions[s->compression];
	r->seed = (double)cfg->seed;
	r->iteration = a->item->iteration;
	r->repetition = (double)cfg->repetition + a->item->repetition;
	r->emulated = emulated(a);
	r->touch = config_touches[cfg->touch];
	snprintf(commit, sizeof commit, "%s %s", a->info->program->version,
		 a->info->program->commit);
	r->commit = commit;
	r->build = a->info->program->build;
	r->command = a->info->command;
}

/* ---- the row: results and costs ---- */

static double mean_us(const struct totals *t)
{
	if (!t->ops)
		return 0;
	return (t->call_ns > 0 ? t->call_ns : t->thread_ns) / (double)t->ops / 1000;
}

static void fill_what_happened(const struct aggregate *a, struct result *r)
{
	static char digest[20];

	snprintf(digest, sizeof digest, "%016llx",
		 (unsigned long long)record_digest(a->totals.digest));
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
			    : digest;
	r->commits = (double)a->totals.commits;
	r->conflicts = (double)a->totals.conflicts;
	r->retries = (double)a->totals.retries;
	r->retry_s = cfg->latency ? a->totals.undone_ns / 1e9 : NAN;
	r->mean_us = mean_us(&a->foreground_totals);
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

/*
 * The throughput relative to that before aging, if the same workload ran before in the
 * same plan.
 */
static void fill_aging(const struct aggregate *a, struct result *r)
{
	struct report_state *all = a->info->report_state;
	unsigned i = 0;

	if (a->info->database->db_dir.facts.age_passes)
		r->age = (double)a->info->database->db_dir.facts.age_passes;
	if (a->workload->starts_empty)
		all->before_aging_count = 0;
	while (i < all->before_aging_count &&
	       (all->before_aging[i].workload != a->workload ||
		all->before_aging[i].threads != a->foreground))
		i++;
	if (r->age > 0) {
		if (i < all->before_aging_count)
			r->aged_rate_ratio = r->ops_per_sec * all->before_aging[i].rows /
					 all->before_aging[i].rates;
		return;
	}
	if (r->valid != 1 || a->item->is_warmup || i == PLAN_ITEMS_MAX)
		return;
	if (i == all->before_aging_count) {
		all->before_aging_count++;
		all->before_aging[i].workload = a->workload;
		all->before_aging[i].threads = a->foreground;
		all->before_aging[i].rows = 0;
		all->before_aging[i].rates = 0;
	}
	all->before_aging[i].rows++;
	all->before_aging[i].rates += r->ops_per_sec;
}

/* The drawn keys, whatever the options requested. */
static void fill_key_draws(const struct aggregate *a, struct result *r)
{
	if (!a->foreground_totals.keys_drawn)
		return;
	r->distinct_keys = a->distinct_keys;
	/* The most popular of these keys are not counted; sequential keys have none. */
	if (a->workload->key_order == ORDER_RANDOM &&
	    (generator_distribution(a->workload) == DISTRIBUTION_MIXGRAPH ||
	     generator_distribution(a->workload) == DISTRIBUTION_SEQUENTIAL))
		return;
	r->top1pct_fraction = (double)a->foreground_totals.top1pct_draws /
			      (double)a->foreground_totals.keys_drawn;
}

/* The arrivals, and the sine of their rate. */
static const char *arrivals_text(const struct aggregate *a)
{
	static char text[128];

	if (a->workload->source == SOURCE_TRACE && cfg->speed > 0) {
		snprintf(text, sizeof text, "recorded, at %g times the speed",
			 cfg->speed);
		return text;
	}
	if (!a->rate_is_sine)
		return config_arrivals[cfg->arrivals];
	snprintf(text, sizeof text, "%s, %g sin(%g t + %g) + %g every %g s",
		 config_arrivals[cfg->arrivals], cfg->sine_a, cfg->sine_b, cfg->sine_c,
		 cfg->sine_d, (double)cfg->sine_interval_ms / 1e3);
	return text;
}

/*
 * Target rates and whether they were met. A rate is met if at most 1 % of the scheduled
 * operations had not started. With a fixed count all are done at the end, and the end
 * is late.
 */
static void fill_rates(const struct aggregate *a, struct result *r)
{
	static char rates[STEADY_STATE_WINDOWS * 14];
	struct steady_state_verdict s = steady_state_judge(a->steady_state);

	r->target_rate = a->target_rate;
	if (!isnan(r->target_rate)) {
		double done = (double)(a->totals.ops_by_kind[KIND_READ] +
				       a->totals.ops_by_kind[KIND_WRITE] +
				       a->totals.ops_by_kind[KIND_SCAN]),
		       waiting = (double)a->totals.unstarted;

		r->arrivals = arrivals_text(a);
		r->backlog = (double)a->totals.backlog;
		r->start_error_p99_ns = a->start_error_p99_ns;
		r->target_rate_met = waiting <= 0.01 * (done + waiting);
		if (a->workload->requires_rate)
			r->target_rate_met = !find_rate_not_met(a);
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
	r->rates = *rates ? rates : NULL;
}

/* Results of the probe. */
static void fill_probe(const struct aggregate *a, struct result *r)
{
	const struct totals *t = &a->added_background[ADDED_BACKGROUND_PROBE];

	if (!a->probe_latency)
		return;
	r->probe_rate = (double)cfg->probe_rate;
	r->probe_reads = (double)t->ops;
	r->probe_missing = (double)t->missing;
	r->probe_backlog = (double)t->unstarted;
	r->probe = result_latency(a->probe_latency);
	r->probe_response = result_latency(a->probe_responses);
}

/* Results of the backup, and the others' rate during it and outside it. */
static void fill_backup(const struct aggregate *a, struct result *r)
{
	static char digest[20];
	const struct backup *b = a->backup;
	uint64_t end;
	double during_s, outside_s;

	if (a->backup_requested)
		r->backup_at_s = cfg->backup;
	if (!b)
		return;
	end = b->ended_ticks < a->foreground_totals.last_end
		      ? b->ended_ticks
		      : a->foreground_totals.last_end;
	during_s = (double)clock_ns(a->info->clock,
				    end > b->began_ticks ? end - b->began_ticks : 0) /
		   1e9;
	outside_s = a->foreground_totals.seconds - during_s;
	r->backup_by = b->method;
	r->backup_s = (double)clock_ns(a->info->clock, b->ended_ticks - b->began_ticks) /
		      1e9;
	r->backup_bytes = b->bytes;
	r->backup_bytes_per_sec = b->bytes / r->backup_s;
	r->backup_consistent = b->consistent;
	if (!a->workload->maintenance && during_s > 0) {
		r->backup_ops_per_sec = b->ops / during_s;
		if (outside_s > 0)
			r->backup_ops_share = r->backup_ops_per_sec * outside_s /
					      ((double)a->foreground_totals.ops - b->ops);
	}
	if (engine.stores_nothing)
		return;
	snprintf(digest, sizeof digest, "%016llx",
		 (unsigned long long)record_digest(b->digest));
	r->backup_records = b->records;
	r->backup_digest = digest;
}

/* Growth that the long reader caused, and the others' rate meanwhile. */
static void fill_long_reader(const struct aggregate *a, struct result *r)
{
	const struct long_reader *reader = a->long_reader;

	if (!reader)
		return;
	r->long_reader_s = cfg->long_reader;
	r->snapshot_reads = (double)a->added_background[ADDED_BACKGROUND_LONG_READER].ops;
	r->snapshots = reader->snapshots;
	r->snapshots_revoked = reader->revoked;
	r->snapshot_s = reader->held.seconds;
	r->snapshot_ops_per_sec = reader->held.ops / reader->held.seconds;
	r->snapshot_disk_growth_kb = reader->held.disk_bytes / 1024;
	r->snapshot_memory_growth_kb = reader->held.anonymous_kb;
	if (!(cfg->long_reader_pause > 0))
		return;
	r->pause_s = reader->between.seconds;
	r->pause_ops_per_sec = reader->between.ops / reader->between.seconds;
	r->pause_disk_growth_kb = reader->between.disk_bytes / 1024;
	r->pause_memory_growth_kb = reader->between.anonymous_kb;
}

/* Bytes written per byte of records: handed to the kernel, and written to the device. */
static void fill_write_amp(const struct aggregate *a, struct result *r)
{
	const struct resource_usage *u = &a->usage;
	double key = (double)a->info->database->settings.key_size,
	       record = key + mean_value_size(a);
	double deletes = (double)a->totals.deletes;
	double records = a->workload->weights[OP_PROCEDURE]
				 ? (double)a->totals.written_bytes
				 : (r->writes - deletes) * record + deletes * key;

	if (engine.server_usage)
		return;
	if (!a->info->database->settings.uncounted_writes)
		r->io_write_overcharged = resource_usage_overcharged(u);
	r->nand_write_bytes = a->nand_bytes;
	if (u->device_write_bytes > 0)
		r->nand_write_amp = a->nand_bytes / u->device_write_bytes;
	if (!(r->writes > 0))
		return;
	/* Unless their number may be too high. */
	if (a->info->database->settings.uncounted_writes || r->io_write_overcharged == 0)
		r->fs_out_per_write = u->fs_out_blocks / r->writes;
	if (a->workload->deletes || a->workload->queue)
		return;
	if (!a->info->database->settings.uncounted_writes) {
		r->write_amp = u->io_wchar_bytes / records;
		r->write_amp_all_in = (u->io_wchar_bytes +
				       zero_if_nan(r->settle.io_wchar_bytes) +
				       zero_if_nan(r->close.io_wchar_bytes)) /
				      records;
	}
	r->host_write_amp = u->device_write_bytes / records;
	r->host_write_amp_all_in = (u->device_write_bytes +
				      zero_if_nan(r->settle.device_write_bytes) +
				      zero_if_nan(r->close.device_write_bytes)) /
				     records;
}

static void fill_memory(const struct aggregate *a, struct result *r)
{
	r->footprint = a->footprint;
	if (cfg->malloc_arenas)
		r->malloc_arenas = (double)cfg->malloc_arenas;
	r->memory_used_kb = r->footprint.rss_anon_kb + a->resident_bytes / 1024;
	if (!cfg->memory)
		return;
	r->memory_limit_kb = (double)cfg->memory / 1024;
	r->cgroup_peak_kb = a->cgroup_usage.peak / 1024;
	r->memory_used_kb = r->cgroup_peak_kb;
	r->page_cache_kb = a->cgroup_usage.page_cache / 1024;
	r->memory_stall_s = a->cgroup_usage.stall_s;
}

/*
 * Resource usage of an engine's servers, and network traffic. Syncs are among their
 * system calls, which are not counted.
 */
static void fill_remote(const struct aggregate *a, struct result *r, double ops)
{
	const struct server_usage *before = &a->servers_before,
				  *after = &a->servers_after;
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
	const struct resource_usage *u = &a->usage;
	double ops = r->reads + r->writes + r->scans,
	       wall = (double)(a->ended.raw_ns - a->began.raw_ns) / 1e9;

	r->usage = *u;
	fill_memory(a, r);
	fill_write_amp(a, r);
	if (engine.server_usage)
		fill_remote(a, r, ops);
	r->cpu_percent = r->seconds > 0 ? 100 * (u->user_s + u->sys_s) / r->seconds : NAN;
	r->device_reads_per_op = u->device_reads / ops;
	r->device_read_bytes_per_op = u->device_read_bytes / ops;
	if (wall >= CPU_TICKS_TELL_S && !isnan(u->device_busy_s))
		r->device_busy_percent = fmin(100, 100 * u->device_busy_s / wall);
	r->fg_cpu_s = a->totals.cpu;
	r->bg_cpu_s = at_least_zero(u->cpu_s - a->totals.cpu - a->main_cpu_s);
	r->harness_cpu_s = a->main_cpu_s;
	r->cpu_us_per_op = 1e6 * (r->fg_cpu_s + r->bg_cpu_s) / ops;
	r->counters = resource_usage_counter_scope();
	r->cycles_per_op = u->cycles / ops;
	r->instructions_per_op = u->instructions / ops;
	r->cache_misses_per_op = u->cache_misses / ops;
	r->tlb_misses_per_op = u->tlb_misses / ops;
	if (r->commits > 0)
		r->syncs_per_commit = r->usage.syncs / r->commits;
	if (!isnan(r->settle.seconds) || !isnan(r->close.seconds))
		r->ops_per_sec_all_in = r->ops /
					(r->seconds + zero_if_nan(r->settle.seconds) +
					 zero_if_nan(r->close.seconds));
}

static void fill_storage(const struct aggregate *a, struct result *r)
{
	const struct run_info *info = a->info;
	double apparent, disk, records;

	r->filesystem = info->database->mount.type;
	r->mount_options = info->database->mount.options;
	r->device = info->database->mount.device;
	r->io_scheduler = info->database->queue.scheduler;
	r->read_ahead_kb = info->database->queue.read_ahead_kb;
	if (*cfg->device) /* only the engine knows */
		return;
	disk = database_disk_bytes(info->database, &apparent);
	r->run_disk_kb = a->disk_bytes / 1024;
	r->disk_growth_kb = (a->disk_bytes - a->disk_bytes_before) / 1024;
	r->db_apparent_kb = apparent / 1024;
	r->db_extents = db_dir_extents(&info->database->db_dir);
	r->db_disk_kb = disk / 1024;
	records = a->workload->completes
			  ? r->valid == 1 ? (double)info->database->first_free_id : 0
		  : info->database->complete ? (double)info->database->records
					     : 0;
	records *= (double)info->database->settings.key_size + mean_value_size(a);
	/*
	 * With a size distribution it is unknown how many values have their loaded
	 * size.
	 */
	if (info->database->value_sizes.pareto.sigma > 0 && !a->workload->starts_empty)
		return;
	if (records > 0) {
		r->space_amp_run = a->disk_bytes / records;
		r->space_amp = disk / records;
	}
}

static void fill_where(const struct aggregate *a, struct result *r)
{
	const struct run_info *info = a->info;

	r->timer = info->clock->counter ? "tsc" : "monotonic";
	r->timer_ns = info->clock->read_cost_ns;
	r->host = info->host->name;
	r->cpu = info->host->cpu;
	r->cores = info->host->cores;
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

/* Disturbances of a measurement, and their limits. */
static const struct {
	size_t metric;
	double limit;
	const char *text; /* text about the value */
} warning_limits[] = {
	{offsetof(struct result, steal_percent), 2,
	 "the hypervisor took %.0f %% of the CPU time"},
	{offsetof(struct result, others_cpu_percent), 10,
	 "other processes and kernel threads used %.0f %% of the CPU time"},
	{offsetof(struct result, temperature_after_c), 90,
	 "the CPU ran at %.0f degrees"},
	{offsetof(struct result, overrun_s), 0.1,
	 "the last call ended %.1f s after --duration"},
};

/* Reads from a device that do not affect any rate. */
#define NEGLIGIBLE_BYTES (4 << 20)

/*
 * Warn if read-ahead, and not records, determines the rate. Each record needs one page,
 * and several if the engine uses a tree. Read-ahead of a mapped file beyond Linux's
 * default of 128 KiB is noticed at fewer pages.
 */
static const char *read_ahead_warning(const struct aggregate *a, const struct result *r)
{
	enum { SEVERAL = 16, FEW = 4, USUAL_KB = 128 };
	static char text[160];
	bool far = a->info->database->settings.reads_mapped &&
		   r->read_ahead_kb > USUAL_KB;
	double records = fmax(r->entries, r->reads + r->scans + r->writes),
	       bytes = a->usage.io_read_bytes / records;
	double record = fmax((double)sysconf(_SC_PAGESIZE),
			     (double)a->info->database->settings.key_size +
					   mean_value_size(a));

	if (!(r->reads + r->scans > 0) || !(a->usage.io_read_bytes > NEGLIGIBLE_BYTES) ||
	    !(bytes > (far ? FEW : SEVERAL) * record))
		return NULL;
	snprintf(text, sizeof text,
		 far ? "%.0f KiB were read for each record, as the kernel reads %.0f KiB "
		       "ahead in a mapped file"
		     : "%.0f KiB were read for each record",
		 bytes / 1024, r->read_ahead_kb);
	return text;
}

/*
 * Warn if data that could have stayed in memory was read from the device because the
 * kernel pages out idle memory. Engines that map their files are spared, others are
 * not. If none of its files is in memory after reading, the engine bypasses the page
 * cache.
 */
static const char *idle_reclaim_warning(const struct aggregate *a, const struct result *r)
{
	static char text[128];

	if (!*a->info->host->idle_reclaim || cfg->cold || cfg->memory ||
	    !(a->resident_bytes > NEGLIGIBLE_BYTES) || !(r->reads + r->scans > 0) ||
	    !(a->usage.io_read_bytes > NEGLIGIBLE_BYTES) ||
	    !(r->db_disk_kb < r->memory_kb / 2))
		return NULL;
	snprintf(text, sizeof text,
		 "%.0f MiB were read from the device, and the kernel pages out idle "
		 "memory (%s)",
		 a->usage.io_read_bytes / (1 << 20), a->info->host->idle_reclaim);
	return text;
}

/*
 * Warn if the whole process stood still, by SIGSTOP or because the machine was
 * suspended.
 */
static const char *stopped_warning(const struct aggregate *a)
{
	static char text[96];

	if (!(a->stopped_s > 0))
		return NULL;
	snprintf(text, sizeof text,
		 "the process was stopped or had no CPU for at least %.1f s",
		 a->stopped_s);
	return text;
}

/*
 * Warn if the database has far outgrown its records: an engine that does not reclaim
 * space does less work than one that does. Small files are ignored: they are mostly
 * initial overhead.
 */
static const char *space_warning(const struct result *r)
{
	enum { FAR = 20, SMALL_KB = 1 << 20 };
	static char text[96];

	if (!(r->space_amp_run > FAR) || !(r->run_disk_kb > SMALL_KB))
		return NULL;
	snprintf(text, sizeof text,
		 "the database took %.1f GiB of disk space, %.0f times the size of its "
		 "records",
		 r->run_disk_kb / (1 << 20), r->space_amp_run);
	return text;
}

/* Warnings about the machine and about the results. */
static void fill_warnings(const struct aggregate *a, struct result *r)
{
	static char text[1024];
	const char *other[] = {stopped_warning(a), read_ahead_warning(a, r),
			       idle_reclaim_warning(a, r), space_warning(r)};
	double wall = (double)(a->ended.raw_ns - a->began.raw_ns) / 1e9,
	       all = wall * (double)sysconf(_SC_NPROCESSORS_ONLN);
	const char *governor = a->info->host->governor;

	r->load_before = a->host_before.load_average;
	r->load_after = a->host_after.load_average;
	r->temperature_before_c = a->host_before.temperature_c;
	r->temperature_after_c = a->host_after.temperature_c;
	if (wall >= CPU_TICKS_TELL_S) {
		double servers_s = a->servers_after.local
					   ? r->server_user_s + r->server_sys_s
					   : 0;

		r->steal_percent = 100 * a->usage.steal_s / all;
		r->others_cpu_percent =
			100 *
			at_least_zero(a->usage.machine_cpu_s - a->usage.cpu_s -
				      servers_s) /
			all;
	}
	text[0] = '\0';
	if (*governor && strcmp(governor, "performance"))
		message_append(text, sizeof text, "; ", "the governor is %s", governor);
	if (!strcmp(a->info->host->turbo, "on"))
		message_append(text, sizeof text, "; ", "turbo is on");
	for (size_t i = 0; i < sizeof warning_limits / sizeof *warning_limits; i++) {
		double x = *(const double *)(const void *)((const char *)r +
							   warning_limits[i].metric);

		if (x > warning_limits[i].limit)
			message_append(text, sizeof text, "; ", warning_limits[i].text,
				       x);
	}
	for (size_t i = 0; i < sizeof other / sizeof *other; i++)
		if (other[i])
			message_append(text, sizeof text, "; ", "%s", other[i]);
	r->warnings = *text ? text : NULL;
}

/* ---- output ---- */

/* Print them once, and not for an invalid row. */
static void print_warnings(const struct aggregate *a, const struct result *r)
{
	if (!r->warnings || a->info->report_state->warnings_printed || r->valid != 1)
		return;
	message_print("%s: warning: %s", r->benchmark, r->warnings);
	a->info->report_state->warnings_printed = true;
}

static void print_line(const struct aggregate *a, const struct result *r)
{
	struct result_line line = {.name = a->workload->name,
				   .label = r->label,
				   .threads = a->foreground,
				   .cores = a->info->host->cores,
				   .p99_ns = result_p99(r),
				   .mean_us = r->mean_us,
				   .ops = r->ops,
				   .seconds = r->seconds,
				   .bytes = r->bytes,
				   .invalid_reason = r->invalid_reason};
	char extra[512] = "";
	double known_deletes = engine.blind_deletes ? 0 : (double)a->totals.deletes;

	if (!isnan(r->aborts))
		message_append(extra, sizeof extra, "", "(%.0f commits, %.0f aborts)",
			       r->commits, r->aborts);
	else if (r->reads + r->scans > 0 && !isnan(r->found) &&
		 !a->workload->weights[OP_NEXT])
		message_append(extra, sizeof extra, "", "(%.0f of %.0f found)", r->found,
			       r->reads + r->scans + known_deletes);
	if (a->foreground > 1 && !a->workload->divided && !a->timed)
		message_append(extra, sizeof extra, " ", "%u x %llu operations",
			       a->foreground,
			       (unsigned long long)(a->foreground_totals.ops /
						    a->foreground));
	if (r->entries > r->ops && r->seconds > 0)
		message_append(extra, sizeof extra, " ", "%.0f entries/sec",
			       r->entries_per_sec);
	if (!isnan(r->rows_per_sec))
		message_append(extra, sizeof extra, " ", "%.0f rows/sec",
			       r->rows_per_sec);
	if (!isnan(r->rows_worst_second))
		message_append(extra, sizeof extra, " ", "(%.0f in the worst second)",
			       r->rows_worst_second);
	if (r->target_rate_met < 1)
		message_append(extra, sizeof extra, " ",
			       r->backlog > 0 ? "(rate of %.0f not kept: %.0f behind)"
				       : "(rate of %.0f not kept)",
			       r->target_rate, r->backlog);
	if (a->timed && cfg->until_steady > 0 && !(r->steady > 0))
		message_append(extra, sizeof extra, " ", "(not steady within %g s)",
			       cfg->until_steady);
	if (!isnan(r->aged_rate_ratio))
		message_append(extra, sizeof extra, " ",
			       "(%.2f of the rate before aging, at "
			       "age %.0f)",
			       r->aged_rate_ratio, r->age);
	if (cfg->settle && !isnan(r->ops_per_sec_all_in))
		message_append(extra, sizeof extra, " ", "(%.0f ops/sec all in)",
			       r->ops_per_sec_all_in);
	line.extra = extra;
	result_print(&line, (enum result_format)cfg->format);
}

/* The line of a background thread. */
static void print_background_line(const struct aggregate *a, const struct result *r,
				  const char *role, const struct totals *t)
{
	char name[64];
	struct result_line line = {
		.name = name,
		.label = r->label,
		.threads = a->foreground,
		.cores = a->info->host->cores,
		.p99_ns = NAN,
		.mean_us = mean_us(t),
		.ops = (double)t->ops,
		.seconds = t->seconds,
		.bytes = (double)t->bytes,
		.extra = "",
		.invalid_reason = cfg->format == FORMAT_GOBENCH
						  ? r->invalid_reason
						  : NULL,
	};

	snprintf(name, sizeof name, cfg->format == FORMAT_GOBENCH ? "%s/%s" : "%.0s%s",
		 a->workload->name, role);
	result_print(&line, (enum result_format)cfg->format);
}

static void print_background_lines(const struct aggregate *a, const struct result *r)
{
	const struct workload *roles[ADDED_BACKGROUNDS];
	unsigned n = plan_added_background(a->workload, roles);

	if (a->workload->own_background)
		print_background_line(a, r, workload_own_background(a->workload)->name,
				      &a->own_background);
	for (unsigned i = 0; i < n && a->all_threads > a->foreground; i++)
		if (roles[i]->added_background == ADDED_BACKGROUND_BACKUP && !a->backup)
			message_print(
				      "%s: it had ended before --backup=%g s, and there "
				      "was no backup", a->workload->name, cfg->backup);
		else
			print_background_line(
				a, r, roles[i]->name,
				&a->added_background[roles[i]->added_background]);
}

static void write_hdr(const struct aggregate *a, const char *kind, const struct hist *h)
{
	char path[DB_DIR_PATH_SIZE], error[RESULT_ERROR_SIZE];

	snprintf(path, sizeof path,
		 a->info->report_state->hdr_written ? "%s.%s.%s" : "%s", cfg->hdr,
		 a->workload->name, kind);
	a->info->report_state->hdr_written = true;
	if (!output_check_opens(path, error))
		database_note_failure(&a->info->database->failure, "--hdr", error);
	else if (!histprint_hdr(h, path))
		database_note_failure(&a->info->database->failure, path,
				      errno == EEXIST
				     ? "holds something else and is not overwritten"
				     : strerror(errno));
}

static void log_hdr(const struct aggregate *a, const char *label, const char *kind,
		    const struct hist *h)
{
	const struct clock *clock = a->info->clock;
	uint64_t *counts = message_alloc(HDRLOG_COUNTS, sizeof *counts);
	uint64_t ago =
		clock_ns(clock, clock_ticks(clock) - a->foreground_totals.first_start);
	char tag[HDRLOG_TAG_SIZE], error[ROW_FILE_ERROR_SIZE], *line;

	snprintf(tag, sizeof tag, "%.60s.%.40s.%s", label, a->workload->name, kind);
	hdrlog_add(counts, h);
	line = hdrlog_line(tag, clock_wall_seconds() - (double)ago / 1e9,
			   a->foreground_totals.seconds, counts);
	if (!line || !row_file_append(cfg->hdr_log, &hdr_log_form, line, error))
		database_note_failure(&a->info->database->failure, "--hdr_log",
				      line ? error : "out of memory");
	free(line);
	free(counts);
}

static void report_append_row(const struct aggregate *a, const struct result *r)
{
	char error[RESULT_ERROR_SIZE];

	if (*cfg->tsv && !result_append_tsv(cfg->tsv, r, error))
		database_note_failure(&a->info->database->failure, "--tsv", error);
	if (*cfg->json && !result_append_json(cfg->json, r, error))
		database_note_failure(&a->info->database->failure, "--json", error);
}

/* After the last iteration print their summary in RocksDB's form. */
static void print_iterations_summary(const struct aggregate *a, const struct result *r)
{
	const struct plan_item *item = a->item;
	unsigned n = item->iterations * (unsigned)cfg->repeat,
		 slot = item->first_iteration * (unsigned)cfg->repeat;
	unsigned nth = item->repetition * item->iterations + item->iteration;

	if (r->valid == 1) {
		a->info->report_state->rates[slot + nth - 1] = r->ops_per_sec;
		a->info->report_state->megabytes[slot + nth - 1] = r->bytes / 1048576 /
								 r->seconds;
	}
	if (n > 1 && nth == n && cfg->format != FORMAT_GOBENCH)
		result_print_iterations(a->workload->name,
					a->info->report_state->rates + slot,
					a->info->report_state->megabytes + slot, n);
}

/* The histograms, as RocksDB prints them and as HdrHistogram's tools read them. */
static void write_histograms(const struct aggregate *a, const struct result *r)
{
	for (int k = 0; k < KINDS; k++) {
		if (cfg->histogram)
			histprint_rocksdb(&a->latency[k], result_kinds[k], stdout);
		if (*cfg->hdr && a->latency[k].sum)
			write_hdr(a, result_kinds[k], &a->latency[k]);
		if (*cfg->hdr_log && r->valid == 1 && a->latency[k].sum)
			log_hdr(a, r->label, result_kinds[k], &a->latency[k]);
	}
}

void report_row(const struct aggregate *a, struct result *r)
{
	r->invalid_reason = find_invalid_reason(a);
	r->valid = !r->invalid_reason;
	r->errors = a->errors;
	r->partial = r->errors > 0 || a->interrupted;
	fill_what_ran(a, r);
	fill_what_happened(a, r);
	fill_throughput(a, r);
	fill_key_draws(a, r);
	fill_aging(a, r);
	for (int k = 0; k < KINDS; k++) {
		r->latency[k] = result_latency(&a->latency[k]);
		r->response[k] = result_latency(&a->responses[k]);
	}
	fill_rates(a, r);
	fill_probe(a, r);
	fill_long_reader(a, r);
	fill_backup(a, r);
	fill_cost(a, r);
	if (a->workload->weights[OP_PROCEDURE] && a->procedure->procedure->fill_columns)
		a->procedure->procedure->fill_columns(a->procedure, r);
	fill_where(a, r);
	fill_warnings(a, r);
	print_warnings(a, r);
	if (!a->item->is_warmup || r->valid != 1) {
		print_line(a, r);
		print_background_lines(a, r);
		report_append_row(a, r);
	}
	if (!a->item->is_warmup) {
		write_histograms(a, r);
		print_iterations_summary(a, r);
	}
	if (r->errors > 0)
		database_note_failure(&a->info->database->failure, a->workload->name,
				      r->invalid_reason);
}

void report_invalid(const struct aggregate *a, struct result *r, uint64_t ops,
		    const char *why)
{
	r->invalid_reason = why;
	r->valid = 0;
	r->partial = 1;
	r->ops = (double)ops;
	fill_what_ran(a, r);
	fill_where(a, r);
	r->mean_us = ops ? r->seconds * 1e6 * a->foreground / r->ops : 0;
	print_line(a, r);
	report_append_row(a, r);
}
