/* print.c: see print.h. */
#include "print.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "../../util/hdrlog.h"
#include "../../util/histprint.h"
#include "../../util/message.h"
#include "../../util/output_check.h"
#include "../../util/row_file.h"
#include "../runner/monitor.h"
#include "../workload/config.h"
#include "../runner/database.h"
#include "../workload/help.h"
#include "print_db_bench.h"
#include "print_ucsb.h"
#include "print_ycsb.h"

/* ---- output files ---- */

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
					      "--%s and --%s name the same file, %s; "
					      "name another file",
					      output_files[k].name, output_files[i].name,
					      path);
	}
}

static const struct row_file_format hdr_log_form = {
	.header = HDRLOG_HEADER "\n",
	.strict = true,
};

void print_check_files(void)
{
	char error[RESULT_ERROR_SIZE];
	const char *option;

	check_output_files();
	if ((!strcmp(cfg->json, "-") || !strcmp(cfg->tsv, "-")) &&
	    !row_file_take_stdout())
		message_fatal(2,
			      "standard output cannot be kept for rows: %s; "
			      "name a file",
			      strerror(errno));
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

/* ---- the header ---- */

/*
 * Configuration lines for benchstat, which separates rows of different configurations.
 * They contain no versions, because versions are to be compared.
 */
static void print_configuration(const struct program_facts *info)
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

/* The records of the database, by the options unless an extra knows better. */
static void print_records(const struct program_facts *info)
{
	const struct settings *s = &info->database->settings;
	double value = record_sizes_loaded_mean(&cfg->value_sizes),
	       left = s->compression ? cfg->compression_ratio : 1;
	struct records_summary records = {.count = (double)s->num};
	const char *at_most;

	records.key_bytes = (double)s->key_size * records.count;
	records.value_bytes = value * records.count;
	snprintf(records.keys, sizeof records.keys, "%zu bytes each", s->key_size);
	snprintf(records.values, sizeof records.values, "%.64s bytes each",
		 cfg->value_size);
	if (s->compression)
		message_append(records.values, sizeof records.values, " ",
			       "(%.0f bytes after compression)", value * left);
	for (const struct extra *const *extra = extra_all(); *extra; extra++)
		if ((*extra)->describe_records)
			(*extra)->describe_records(&records);
	at_most = records.at_most ? " at most" : "";
	if (records.trace)
		printf("Trace:      %s\n", records.trace);
	printf("Keys:       %s\n", records.keys);
	printf("Values:     %s\n", records.values);
	printf("Entries:    %.0f%s\n", records.count, at_most);
	printf("RawSize:    %.1f MB%s (estimated)\n",
	       (records.key_bytes + records.value_bytes) / 1048576, at_most);
	printf("FileSize:   %.1f MB%s (estimated)\n",
	       (records.key_bytes + records.value_bytes * left) / 1048576, at_most);
}

void print_header(const struct program_facts *info)
{
	if (cfg->format == FORMAT_GOBENCH) {
		print_configuration(info);
		return;
	}
	if (cfg->db_bench.on) {
		print_db_bench_header(info);
		return;
	}
	if (cfg->format == FORMAT_YCSB) {
		print_ycsb_header(info);
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

/* ---- rows ---- */

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
				   .p99_ns = result_p99(r->latency),
				   .response_p99_ns = result_p99(r->response),
				   .mean_us = r->mean_us,
				   .ops = r->ops,
				   .seconds = r->seconds,
				   .bytes = r->bytes,
				   .invalid_reason = r->invalid_reason};
	char extra[512] = "";
	bool found = true;
	double known_deletes = engine.blind_deletes ? 0 : (double)a->totals.deletes;

	for (const struct extra *const *e = extra_all(); *e; e++)
		if ((*e)->append_to_line)
			found &= !(*e)->append_to_line(r, extra, sizeof extra);
	if (found && r->reads + r->scans > 0 && !isnan(r->found) &&
	    !a->workload->weights[OP_NEXT])
		message_append(extra, sizeof extra, " ", "(%.0f of %.0f found)", r->found,
			       r->reads + r->scans + known_deletes);
	if (a->foreground > 1 && !a->workload->divided && !a->timed)
		message_append(extra, sizeof extra, " ", "%u x %llu operations",
			       a->foreground,
			       (unsigned long long)(a->foreground_totals.ops /
						    a->foreground));
	if (r->entries > r->ops && r->seconds > 0)
		message_append(extra, sizeof extra, " ", "%.0f entries/sec",
			       r->entries_per_sec);
	if (r->target_rate_met < 1)
		message_append(extra, sizeof extra, " ",
			       r->backlog > 0 ? "(rate of %.0f not kept: %.0f behind)"
					      : "(rate of %.0f not kept)",
			       r->target_rate, r->backlog);
	if (a->timed && cfg->until_steady > 0 && !(r->steady > 0))
		message_append(extra, sizeof extra, " ", "(not steady within %g s)",
			       cfg->until_steady);
	if (cfg->settle && !isnan(r->ops_per_sec_all_in))
		message_append(extra, sizeof extra, " ", "(%.0f ops/sec all in)",
			       r->ops_per_sec_all_in);
	line.extra = extra;
	result_print(&line, (enum result_format)cfg->format);
}

/*
 * What a background thread did, on stderr: parsers take each line with ops/sec on stdout
 * for one of the benchmark's own threads. benchstat tells lines apart by their names.
 */
static void print_background_line(const struct aggregate *a, const struct result *r,
				  const char *role, const struct totals *t)
{
	char name[64];
	const struct result_line line = {
		.name = name,
		.label = r->label,
		.threads = a->foreground,
		.cores = a->info->host->cores,
		.p99_ns = NAN,
		.response_p99_ns = NAN,
		.mean_us = metrics_mean_us(t),
		.ops = (double)t->ops,
		.seconds = t->seconds,
		.bytes = (double)t->bytes,
		.extra = "",
		.invalid_reason = r->invalid_reason,
	};

	snprintf(name, sizeof name, "%s/%s", a->workload->name, role);
	if (cfg->format == FORMAT_GOBENCH)
		result_print(&line, FORMAT_GOBENCH);
	else
		message_print("%s: %llu operations in %.3f s, %.0f a second, each %.3f "
			      "us on average",
			      name, (unsigned long long)t->ops, t->seconds,
			      (double)t->ops / fmax(t->seconds, 1e-9), line.mean_us);
}

static void print_background_lines(const struct aggregate *a, const struct result *r)
{
	if (a->own_background_name)
		print_background_line(a, r, a->own_background_name, &a->own_background);
	for (const struct added_totals *added = a->added; added->role; added++)
		if (added->role->added->if_idle && !added->totals.ops)
			message_print("%s: %s", a->workload->name,
				      added->role->added->if_idle);
		else
			print_background_line(a, r, added->role->name, &added->totals);
}

static void print_lines(const struct aggregate *a, const struct result *r)
{
	if (cfg->db_bench.on) {
		print_db_bench_row(a, r);
		return;
	}
	if (cfg->format == FORMAT_YCSB) {
		print_ycsb_row(a, r);
		print_background_lines(a, r);
		return;
	}
	print_line(a, r);
	print_background_lines(a, r);
	/* as in UCSB, a run that fails leaves what the file has */
	if (cfg->ucsb_results && r->valid == 1)
		print_ucsb_row(a, r, cfg->ucsb_results);
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
					      ? "is not a file of percentiles and is not "
						"overwritten; name another file"
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

static void append_to_files(const struct aggregate *a, const struct result *r)
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
		a->info->report_state->megabytes[slot + nth - 1] =
			r->bytes / 1048576 / r->seconds;
	}
	if (n > 1 && nth == n && cfg->format < FORMAT_GOBENCH)
		result_print_iterations(a->workload->name,
					a->info->report_state->rates + slot,
					a->info->report_state->megabytes + slot, n);
}

static void write_histogram_files(const struct aggregate *a, const struct result *r,
				  const char *kind, const struct hist *h)
{
	if (cfg->histogram && !cfg->db_bench.on)
		histprint_rocksdb(h, kind, stdout);
	if (*cfg->hdr && h->sum)
		write_hdr(a, kind, h);
	if (*cfg->hdr_log && r->valid == 1 && h->sum)
		log_hdr(a, r->label, kind, h);
}

/*
 * The histograms, as RocksDB prints them and as HdrHistogram's tools read them. Of an
 * open loop response times come first, under the names of their columns: service times
 * leave out the waiting.
 */
static void write_histograms(const struct aggregate *a, const struct result *r)
{
	for (int k = 0; k < KINDS; k++) {
		char kind[32];

		snprintf(kind, sizeof kind, "%s_resp", result_kinds[k]);
		write_histogram_files(a, r, kind, &a->responses[k]);
		write_histogram_files(a, r, result_kinds[k], &a->latency[k]);
	}
}

void print_and_store_row(const struct aggregate *a, const struct result *r)
{
	print_warnings(a, r);
	if (!a->item->is_warmup || r->valid != 1) {
		print_lines(a, r);
		append_to_files(a, r);
	}
	if (!a->item->is_warmup) {
		write_histograms(a, r);
		print_iterations_summary(a, r);
	}
	if (r->errors > 0)
		database_note_failure(&a->info->database->failure, a->workload->name,
				      r->invalid_reason);
}

void print_invalid_row(const struct aggregate *a, const struct result *r)
{
	if (cfg->db_bench.on || cfg->format == FORMAT_YCSB)
		message_print("%s: INVALID: %s", a->workload->name, r->invalid_reason);
	else
		print_line(a, r);
	append_to_files(a, r);
}
