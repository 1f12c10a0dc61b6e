/* print_ycsb.c: see print_ycsb.h. */
#include "print_ycsb.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../util/message.h"
#include "../runner/database.h"
#include "../workload/config.h"
#include "../workload/help.h"

void print_ycsb_header(const struct program_facts *info)
{
	message_print_bare("assay %s (%s), %s %s, in YCSB's form\n",
			   info->program->version, info->program->commit, engine.title,
			   engine.version());
}

/* "1st", "99th"; of a fraction the number alone, as YCSB has it. */
static void format_ordinal(double percentile, char *text, size_t size)
{
	static const char *const endings[] = {"th", "st", "nd", "rd"};
	unsigned whole = (unsigned)percentile, last = whole % 10;
	bool teen = whole % 100 / 10 == 1;

	if (percentile > whole)
		snprintf(text, size, "%g", percentile);
	else
		snprintf(text, size, "%u%s", whole, endings[teen || last > 3 ? 0 : last]);
}

static void print_percentiles(FILE *to, const char *name, const struct hist *h)
{
	const char *list = cfg->ycsb.percentiles ? cfg->ycsb.percentiles : "50,95,99";
	char ordinal[32], *end;

	for (const char *at = list; *at; at += *at == ',') {
		double percentile = strtod(at, &end);

		if (end > at && percentile > 0 && percentile <= 100) {
			format_ordinal(percentile, ordinal, sizeof ordinal);
			fprintf(to, "[%s], %sPercentileLatency(us), %.0f\n", name,
				ordinal,
				floor(hist_quantile(h,
						    (uint32_t)lround(percentile * 1e4)) /
				      1000));
		}
		at += strcspn(at, ",");
	}
}

/* The times of one operation; nothing if there are none. */
static void print_times(FILE *to, const char *prefix, const char *operation,
			const struct hist *h)
{
	const struct hist_summary s = hist_summarize(h);
	char name[64];

	if (!s.count)
		return;
	snprintf(name, sizeof name, "%s%s", prefix, operation);
	fprintf(to, "[%s], Operations, %llu\n", name, (unsigned long long)s.count);
	fprintf(to, "[%s], AverageLatency(us), %.3f\n", name, s.mean / 1000);
	if (cfg->ycsb.variance)
		fprintf(to, "[%s], LatencyVariance(us), %.3f\n", name,
			s.stddev * s.stddev / 1e6);
	fprintf(to, "[%s], MinLatency(us), %.0f\n", name, floor(s.min / 1000));
	fprintf(to, "[%s], MaxLatency(us), %.0f\n", name, floor(s.max / 1000));
	print_percentiles(to, name, h);
}

/* An operation of YCSB's: its histograms and how many found no record. */
struct ycsb_operation {
	const char *name;
	const struct hist *times, *responses;
	uint64_t ok, missing; /* both 0: its calls have a status each, not it */
};

static void print_operation(FILE *to, const struct ycsb_operation *o)
{
	bool service = cfg->ycsb.service || !cfg->ycsb.intended;
	/* without a target rate an operation is due when it begins */
	const struct hist *due = o->responses->sum ? o->responses : o->times;

	if (service)
		print_times(to, "", o->name, o->times);
	if (o->ok)
		fprintf(to, "[%s], Return=OK, %llu\n", o->name,
			(unsigned long long)o->ok);
	if (o->missing)
		fprintf(to, "[%s], Return=NOT_FOUND, %llu\n", o->name,
			(unsigned long long)o->missing);
	if (cfg->ycsb.intended)
		print_times(to, service ? "Intended-" : "", o->name, due);
}

/* The name of the workload's writes that are no inserts into a growing key range. */
static const char *name_writes(const struct workload *workload)
{
	const unsigned *weights = workload->weights;
	bool puts = weights[OP_PUT] || weights[OP_MODIFY],
	     deletes = weights[OP_DELETE] || weights[OP_EXPIRE];

	return workload->starts_empty ? "INSERT"
	       : puts && deletes      ? "WRITE"
	       : deletes              ? "DELETE"
				      : "UPDATE";
}

/* All of a kind but those that have a histogram of their own. */
static struct hist *without(const struct hist *all, enum result_kind kind, int apart)
{
	struct hist *others = message_alloc(1, sizeof *others);

	*others = all[kind];
	hist_subtract(others, &all[apart]);
	return others;
}

static void print_operations(FILE *to, const struct aggregate *a)
{
	const struct hist *times = a->latency, *responses = a->responses;
	struct hist *updates = without(times, KIND_WRITE, METRICS_INSERTS),
		    *updates_due = without(responses, KIND_WRITE, METRICS_INSERTS),
		    *reads = without(times, KIND_READ, METRICS_MISSED),
		    *reads_due = without(responses, KIND_READ, METRICS_MISSED);
	uint64_t missing = a->foreground_totals.missing,
		 all_reads = hist_count(&times[KIND_READ]),
		 missing_reads = hist_count(&times[METRICS_MISSED]),
		 scans = hist_count(&times[KIND_SCAN]), writes = hist_count(updates),
		 missing_scans = scans && !all_reads ? missing : 0,
		 missing_writes = writes && !scans ? missing - missing_reads : 0;
	const struct ycsb_operation operations[] = {
		{"READ", reads, reads_due, hist_count(reads), missing_reads},
		{"READ-FAILED", &times[METRICS_MISSED], &responses[METRICS_MISSED], 0, 0},
		{name_writes(a->workload), updates, updates_due, writes - missing_writes,
		 missing_writes},
		{"INSERT", &times[METRICS_INSERTS], &responses[METRICS_INSERTS],
		 hist_count(&times[METRICS_INSERTS]), 0},
		{"SCAN", &times[KIND_SCAN], &responses[KIND_SCAN], scans - missing_scans,
		 missing_scans},
		{"READ-MODIFY-WRITE", &times[METRICS_WHOLE], &responses[METRICS_WHOLE], 0,
		 0},
	};

	for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
		print_operation(to, &operations[i]);
	free(updates);
	free(updates_due);
	free(reads);
	free(reads_due);
}

/* Closing the database, which is once for all threads. */
static void print_cleanup(FILE *to, const struct result *r)
{
	struct hist *h;

	if (isnan(r->close.seconds))
		return;
	h = message_alloc(1, sizeof *h);
	h->unit = 1;
	hist_record(h, (uint64_t)(r->close.seconds * 1e9));
	print_times(to, "", "CLEANUP", h);
	free(h);
}

/* As dataintegrity does: what was read, and whether it was what had been written. */
static void print_verify(FILE *to, const struct aggregate *a)
{
	bool is_timed = hist_count(&a->latency[KIND_READ]) > 0;
	uint64_t checked = a->foreground_totals.ops_by_kind[KIND_READ] -
			   (is_timed ? hist_count(&a->latency[METRICS_MISSED])
				     : a->foreground_totals.missing),
		 wrong = a->foreground_totals.wrong;

	if (!cfg->verify || !a->foreground_totals.ops_by_kind[KIND_READ])
		return;
	fprintf(to, "[VERIFY], Operations, %llu\n", (unsigned long long)checked);
	if (checked > wrong)
		fprintf(to, "[VERIFY], Return=OK, %llu\n",
			(unsigned long long)(checked - wrong));
	if (wrong)
		fprintf(to, "[VERIFY], Return=UNEXPECTED_STATE, %llu\n",
			(unsigned long long)wrong);
}

void print_ycsb_row(const struct aggregate *a, const struct result *r)
{
	const char *path = cfg->ycsb.export_file;
	FILE *to = path ? fopen(path, "we") : stdout;

	if (r->invalid_reason)
		message_print("%s: INVALID: %s", a->workload->name, r->invalid_reason);
	if (!to) {
		database_note_failure(&a->info->database->failure, path, strerror(errno));
		return;
	}
	if (!cfg->ycsb.on)
		fprintf(to, "%s:\n", a->workload->name);
	fprintf(to, "[OVERALL], RunTime(ms), %.0f\n", r->seconds * 1000);
	fprintf(to, "[OVERALL], Throughput(ops/sec), %.6f\n", r->ops_per_sec);
	print_operations(to, a);
	print_verify(to, a);
	print_cleanup(to, r);
	if (to == stdout ? fflush(to) : fclose(to))
		database_note_failure(&a->info->database->failure, path ? path : "stdout",
				      strerror(errno));
}
