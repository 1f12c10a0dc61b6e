/* verdict.c: see verdict.h. */
#include "verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../util/message.h"
#include "../runner/database.h"

/* ---- invalid ---- */

/* Something failed, or the run had no chance to be complete. */
static const char *find_failure(const struct aggregate *a)
{
	const struct database *d = a->info->database;

	if (d->failure.failed)
		return d->failure.text;
	if (a->errors)
		return a->engine_error;
	if (a->interrupted)
		return "interrupted";
	if (a->procedure_error)
		return a->procedure_error;
	if (!a->workload->starts_empty && d->db_dir.facts.unfinished)
		return "the load of this database did not finish, or was invalid; load "
		       "it again";
	return a->foreground_totals.ops ? NULL : "no operation was done";
}

/*
 * A background thread makes its first call before measuring begins, and must make more
 * while it lasts.
 */
static const char *find_idle_background(const struct aggregate *a)
{
	if (!a->own_background_name || a->own_background.ops)
		return NULL;
	return message_keep(a->texts,
			    "the threads ended before the background %s had finished an "
			    "operation; give them more to do",
			    a->own_background_name);
}

/* A group starts with its first key, so a rate is accurate only over many groups. */
static const char *find_too_few_groups(const struct aggregate *a)
{
	enum { GROUPS_MIN = 10 };

	if (!(a->groups < GROUPS_MIN))
		return NULL;
	return message_keep(a->texts,
			    "at this rate only %.1f groups of %u keys were scheduled "
			    "for each thread, fewer than %d; give more time or a "
			    "smaller --batch_size",
			    a->groups, a->group_keys, GROUPS_MIN);
}

const char *verdict_missed_rate_reason(const struct aggregate *a)
{
	double waiting = (double)a->totals.unstarted,
	       fraction = waiting / (waiting + (double)a->totals.ops_by_kind[KIND_WRITE]);
	double behind = fmax(a->start_error_max_ns / 1e9, waiting / a->target_rate);
	double most = fmax(1, 0.01 * a->foreground_totals.seconds);

	if (!a->workload->requires_rate || (behind <= most && !(fraction > 0.05)))
		return NULL;
	return message_keep(a->texts,
			    "the target rate of inserts and deletes was not met: they "
			    "were up to %.1f s late, and %.0f %% had not started at the "
			    "end (allowed: %.1f s and 5 %%)",
			    behind, 100 * fraction, most);
}

/* Records that were returned or missing against expectation. */
static const char *find_bad_records(const struct aggregate *a)
{
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
		{all->disordered, "records were out of order"},
		{all->lost, "records were missing"},
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (bad[i].n)
			return message_keep(a->texts, "%llu %s",
					    (unsigned long long)bad[i].n, bad[i].what);
	return NULL;
}

static const char *find_reason_of_extra(const struct aggregate *a)
{
	const char *why = NULL;

	for (const struct extra *const *extra = extra_all(); *extra && !why; extra++)
		if ((*extra)->invalid_reason)
			why = (*extra)->invalid_reason(a);
	return why ? message_keep(a->texts, "%s", why) : NULL;
}

/* An iteration of an incomplete database ends with the data. */
const char *verdict_undone_reason(const struct aggregate *a)
{
	if (a->timed || a->foreground_totals.ops >= a->planned ||
	    (!a->must_find && a->workload->weights[OP_NEXT]))
		return NULL;
	return message_keep(a->texts, "%llu of %llu operations were done",
			    (unsigned long long)a->foreground_totals.ops,
			    (unsigned long long)a->planned);
}

static const char *find_implausible(const struct aggregate *a)
{
	const struct metrics *m = &a->metrics;
	const char *why =
		resource_usage_implausible(&m->usage, a->totals.cpu,
					   metrics_wall_seconds(m), a->all_threads,
					   a->info->host->cores);

	if (!why && clock_disagreement(a->info->clock, m->began, m->ended) > 1e-3)
		why = "the clock of latencies and the system's clock disagree about the "
		      "run's length";
	return why;
}

const char *verdict_invalid_reason(const struct aggregate *a)
{
	/* The cause comes before what follows from it. */
	static const char *(*const checks[])(const struct aggregate *) = {
		find_failure,          find_idle_background,
		find_too_few_groups,   verdict_missed_rate_reason,
		find_bad_records,      find_reason_of_extra,
		verdict_undone_reason, find_implausible,
	};
	const char *why = NULL;

	for (size_t i = 0; !why && i < sizeof checks / sizeof *checks; i++)
		why = checks[i](a);
	return why;
}

/* ---- valid with warnings ---- */

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
	{offsetof(struct result, temperature_after_c), 90, "the CPU ran at %.0f degrees"},
	{offsetof(struct result, overrun_s), 0.1,
	 "the last call ended %.1f s after --duration"},
};

/*
 * Warn if each put changed far more of the device than an engine changes pages: ext4 and
 * XFS write a folio of a mapped file as a whole, and after a load it is large.
 */
static const char *find_large_folios(const struct aggregate *a, const struct result *r)
{
	enum { PAGES = 128 << 10 }; /* of a tree, a free list and a journal */
	double bytes = r->usage.device_write_bytes / (double)a->totals.puts;

	if (!a->totals.puts || !a->info->database->traits.uncounted_writes ||
	    !r->filesystem ||
	    (strcmp(r->filesystem, "ext4") && strcmp(r->filesystem, "xfs")) ||
	    !(r->usage.syncs > 0) || !(bytes > PAGES + 4 * (r->key_size + r->value_size)))
		return NULL;
	return message_keep(a->texts,
			    "the device wrote %.0f KiB for each record: %s writes large "
			    "folios of a mapped file as a whole",
			    bytes / 1024, r->filesystem);
}

/* Reads from a device that do not affect any rate. */
#define NEGLIGIBLE_BYTES (4 << 20)

/*
 * Warn if read-ahead, and not records, determines the rate. Each record needs one page,
 * and several if the engine uses a tree. Read-ahead of a mapped file beyond Linux's
 * default of 128 KiB is noticed at fewer pages.
 */
static const char *find_read_ahead(const struct aggregate *a, const struct result *r)
{
	enum { SEVERAL = 16, FEW = 4, USUAL_KB = 128 };
	bool far = a->info->database->traits.reads_mapped && r->read_ahead_kb > USUAL_KB;
	double records = fmax(r->entries, r->reads + r->scans + r->writes),
	       read = a->metrics.usage.io_read_bytes, bytes = read / records,
	       record = fmax((double)sysconf(_SC_PAGESIZE), r->key_size + r->value_size);

	if (!(r->reads + r->scans > 0) || !(read > NEGLIGIBLE_BYTES) ||
	    !(bytes > (far ? FEW : SEVERAL) * record))
		return NULL;
	return message_keep(a->texts,
			    far ? "%.0f KiB were read for each record, as the kernel "
				  "reads %.0f KiB ahead in a mapped file"
				: "%.0f KiB were read for each record",
			    bytes / 1024, r->read_ahead_kb);
}

/*
 * Warn if data that could have stayed in memory was read from the device because the
 * kernel pages out idle memory. Engines that map their files are spared, others are
 * not. If none of its files is in memory after reading, the engine bypasses the page
 * cache.
 */
static const char *find_reclaimed(const struct aggregate *a, const struct result *r)
{
	double read = a->metrics.usage.io_read_bytes;

	if (!*a->info->host->idle_reclaim || r->cold ||
	    !(a->metrics.resident_bytes > NEGLIGIBLE_BYTES) ||
	    !(r->reads + r->scans > 0) || !(read > NEGLIGIBLE_BYTES) ||
	    !(r->db_disk_kb < fmin(r->memory_kb, r->memory_limit_kb) / 2))
		return NULL;
	return message_keep(a->texts,
			    "%.0f MiB were read from the device, and the kernel pages "
			    "out idle memory (%s)",
			    read / (1 << 20), a->info->host->idle_reclaim);
}

/*
 * Warn if the database has far outgrown its records: an engine that does not reclaim
 * space does less work than one that does. Small files are ignored: they are mostly
 * initial overhead.
 */
static const char *find_outgrown(const struct aggregate *a, const struct result *r)
{
	enum { FAR = 20, SMALL_KB = 1 << 20 };

	if (!(r->space_amp_run > FAR) || !(r->run_disk_kb > SMALL_KB))
		return NULL;
	return message_keep(a->texts,
			    "the database took %.1f GiB of disk space, %.0f times the "
			    "size of its records",
			    r->run_disk_kb / (1 << 20), r->space_amp_run);
}

/* Each stop lasts up to a period, mostly 100 ms, and is in the longest latencies. */
static const char *find_throttled(const struct aggregate *a, const struct result *r)
{
	if (!(r->throttled_periods > 0))
		return NULL;
	return message_keep(a->texts,
			    "a quota of %.3g CPUs stopped threads in %.0f of %.0f "
			    "periods, for %.1f s",
			    r->cpu_quota, r->throttled_periods, r->quota_periods,
			    r->throttled_s);
}

static void append_warnings_of_extras(const struct aggregate *a, char *text, size_t size)
{
	const char *why;

	for (const struct extra *const *extra = extra_all(); *extra; extra++)
		if ((*extra)->warning && (why = (*extra)->warning(a)))
			message_append(text, size, "; ", "%s", why);
}

const char *verdict_warnings(const struct aggregate *a, const struct result *r)
{
	char text[2048] = "";
	const char *governor = a->info->host->governor, *why;

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
	/* by SIGSTOP, or because the machine was suspended */
	if (a->stopped_s > 0)
		message_append(text, sizeof text, "; ",
			       "the process was stopped or had no CPU for at least "
			       "%.1f s",
			       a->stopped_s);
	if ((why = find_throttled(a, r)))
		message_append(text, sizeof text, "; ", "%s", why);
	if ((why = find_large_folios(a, r)))
		message_append(text, sizeof text, "; ", "%s", why);
	if ((why = find_read_ahead(a, r)))
		message_append(text, sizeof text, "; ", "%s", why);
	if ((why = find_reclaimed(a, r)))
		message_append(text, sizeof text, "; ", "%s", why);
	if ((why = find_outgrown(a, r)))
		message_append(text, sizeof text, "; ", "%s", why);
	if (*a->info->database->difference)
		message_append(text, sizeof text, "; ", "%s",
			       a->info->database->difference);
	append_warnings_of_extras(a, text, sizeof text);
	return *text ? message_keep(a->texts, "%s", text) : NULL;
}

/* ---- what limited the rate ---- */

/* Values of a row that rules compare; NaN: unknown, and no rule on it holds. */
enum bound_value {
	BOUND_RATE_MET,
	BOUND_THROTTLED, /* percent of the CPU quota's periods */
	BOUND_HARNESS,   /* percent of the threads' time */
	BOUND_SYNCS,     /* per commit */
	BOUND_CPU,       /* percent of what the threads could use, and would have */
	BOUND_DEVICE,    /* percent of the time in which it had requests */
	BOUND_WAITS,     /* voluntary context switches per thread and second */
	BOUND_ROUND_TRIPS,
	BOUND_REQUESTS, /* to the device, per voluntary context switch */
	BOUND_VALUES
};

/* A rule holds if all its conditions do: low <= value < high. */
struct bound_rule {
	const char *word;
	struct bound_condition {
		enum bound_value value;
		double low, high;
	} conditions[4];
	unsigned count;
	const char *detail; /* text about the first condition's value; NULL: none */
};

/*
 * The first that holds; docs/why.md explains them. Threads that wait for one device
 * request at a time use the CPU in between: half of each is then both limits of a rule.
 */
static const struct bound_rule bound_rules[] = {
	{"rate", {{BOUND_RATE_MET, 1, INFINITY}}, 1, NULL},
	{"quota", {{BOUND_THROTTLED, 50, INFINITY}}, 1, "%.0f %% of periods"},
	{"harness", {{BOUND_HARNESS, 50, INFINITY}}, 1, "%.0f %%"},
	{"sync", {{BOUND_SYNCS, 0.05, INFINITY}, {BOUND_CPU, 0, 70}}, 2, "%.2g a commit"},
	{"cpu", {{BOUND_CPU, 85, INFINITY}}, 1, "%.0f %%"},
	{"device", {{BOUND_DEVICE, 75, INFINITY}}, 1, "%.0f %% busy"},
	{"device", {{BOUND_DEVICE, 40, INFINITY}, {BOUND_CPU, 0, 60}}, 2, "%.0f %% busy"},
	{"lock",
	 {{BOUND_WAITS, 1000, INFINITY},
	  {BOUND_CPU, 0, 85},
	  {BOUND_ROUND_TRIPS, 0, 1},
	  {BOUND_REQUESTS, 0, 0.5}},
	 4,
	 "%.0f waits/s a thread"},
};

static bool bound_rule_holds(const struct bound_rule *rule, const double *values)
{
	for (unsigned i = 0; i < rule->count; i++) {
		const struct bound_condition *c = &rule->conditions[i];

		if (!(values[c->value] >= c->low && values[c->value] < c->high))
			return false;
	}
	return true;
}

/* Adds what the threads used of the CPU, where waiting for a core is more than that. */
static void add_cpu_used(const struct result *r, char *text, size_t size)
{
	if (r->cpu_demand_percent >= r->cpu_used_percent + 1)
		message_append(text, size, ", ", "used %.0f %%", r->cpu_used_percent);
}

const char *verdict_bound_by(const struct aggregate *a, const struct result *r,
			     const char **detail)
{
	char text[64] = "";
	const double requests =
		(r->usage.device_reads + r->usage.device_writes) / r->usage.ctx_voluntary;
	const double values[BOUND_VALUES] = {
		[BOUND_RATE_MET] = r->target_rate_met,
		[BOUND_THROTTLED] = 100 * r->throttled_periods / r->quota_periods,
		[BOUND_HARNESS] = r->harness_percent,
		[BOUND_SYNCS] = r->syncs_per_commit,
		[BOUND_CPU] = r->cpu_demand_percent,
		[BOUND_DEVICE] = r->device_busy_percent,
		[BOUND_WAITS] = r->usage.ctx_voluntary / r->seconds / r->threads,
		[BOUND_ROUND_TRIPS] = isnan(r->round_trips) ? 0 : r->round_trips,
		[BOUND_REQUESTS] = isnan(requests) ? 0 : requests,
	};
	const struct bound_rule *rule = bound_rules,
				*end = rule + sizeof bound_rules / sizeof *bound_rules;

	while (rule < end && !bound_rule_holds(rule, values))
		rule++;
	if (rule == end && !isnan(r->cpu_demand_percent))
		snprintf(text, sizeof text, "CPU %.0f %%", r->cpu_demand_percent);
	if (rule < end && rule->detail)
		snprintf(text, sizeof text, rule->detail,
			 values[rule->conditions[0].value]);
	if (rule == end || rule->conditions[0].value == BOUND_CPU)
		add_cpu_used(r, text, sizeof text);
	*detail = *text ? message_keep(a->texts, "%s", text) : NULL;
	return rule == end ? "unclear" : rule->word;
}
