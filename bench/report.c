/* report.c: see report.h. */
#include "report.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../engines/drive.h"
#include "../util/draw.h"
#include "../util/hdrlog.h"
#include "../util/histprint.h"
#include "../util/output.h"
#include "../util/say.h"
#include "../util/table.h"
#include "ask.h"
#include "cast.h"
#include "watch.h"

/* ---- before anything is run ---- */

static const struct {
	const char *name;
	size_t path; /* of "": none */
} outputs[] = {
	{"tsv", offsetof(struct config, tsv)},
	{"json", offsetof(struct config, json)},
	{"timeline", offsetof(struct config, timeline)},
	{"hdr", offsetof(struct config, hdr)},
	{"hdr_log", offsetof(struct config, hdr_log)},
	{"report_file", offsetof(struct config, report_file)},
};

enum { OUTPUTS = sizeof outputs / sizeof *outputs };

/* The file that it names; NULL: none. */
static const char *output_path(int i)
{
	const char *path = *(const char *const *)(const void *)((const char *)cfg +
								outputs[i].path);

	return !*path || (path == cfg->report_file && !(cfg->report_interval_seconds > 0))
		       ? NULL
		       : path;
}

/* Each can be opened, and is another than those before it. */
static void check_names(void)
{
	char error[RESULT_ERROR];

	for (int i = 0; i < OUTPUTS; i++) {
		const char *path = output_path(i);

		if (path && !output_opens(path, error))
			die(2, "--%s: %s", outputs[i].name, error);
		for (int k = 0; k < i && path; k++)
			if (output_path(k) && output_same(output_path(k), path))
				die(2,
				    "--%s and --%s are both %s, which can hold one of "
				    "them only; name another file",
				    outputs[k].name, outputs[i].name, path);
	}
}

static const struct table_form hdr_log_form = {
	.header = HDRLOG_HEADER "\n",
	.strict = true,
};

void report_check_files(void)
{
	char error[RESULT_ERROR];
	const char *option;

	check_names();
	if (*cfg->tsv && !result_check_tsv(cfg->tsv, error))
		die(2, "--tsv: %s", error);
	if (*cfg->json && !result_check_json(cfg->json, error))
		die(2, "--json: %s", error);
	if ((option = watch_check_files(error)))
		die(2, "%s: %s", option, error);
	if (*cfg->hdr &&
	    !table_check(cfg->hdr, &(struct table_form){.header = ""}, error))
		die(2, "--hdr: %s", error);
	if (*cfg->hdr_log && !table_check(cfg->hdr_log, &hdr_log_form, error))
		die(2, "--hdr_log: %s", error);
}

/*
 * For benchstat, which keeps rows of different configurations apart: so no versions,
 * which are compared.
 */
static void print_configuration(const struct origin *from)
{
	struct utsname system;

	if (uname(&system))
		die(1, "uname: %s", strerror(errno));
	printf("goos: %s\ngoarch: %s\npkg: assay\ncpu: %s\nhost: %s\nnum: %llu\n"
	       "key-bytes: %zu\nvalue-bytes: %s\n"
	       "durability: %s\n",
	       !strcmp(system.sysname, "Linux") ? "linux" : system.sysname,
	       !strcmp(system.machine, "x86_64")    ? "amd64"
	       : !strcmp(system.machine, "aarch64") ? "arm64"
						    : system.machine,
	       from->host->cpu, from->host->name, (unsigned long long)cfg->num,
	       from->place->settings.key_size, cfg->value_size,
	       durabilities[cfg->durability]);
	if (cfg->memory)
		printf("memory-bytes: %llu\n", (unsigned long long)cfg->memory);
	putchar('\n');
	fflush(stdout);
}

void report_header(const struct origin *from)
{
	double key = (double)from->place->settings.key_size,
	       value = record_sizes_loaded(&cfg->value_sizes),
	       records = (double)from->place->settings.num;
	double raw = (key + value) * records / 1048576;
	double packed = (key + value * cfg->compression_ratio) * records / 1048576;

	if (cfg->format == FORMAT_GOBENCH) {
		print_configuration(from);
		return;
	}
	printf("assay:      %s (%s), %s %s\n", from->program->version,
	       from->program->commit, engine.title, engine.version());
	printf("CPU:        %u * %s\n", from->host->cores, from->host->cpu);
	printf("Keys:       %zu bytes each\n", from->place->settings.key_size);
	printf("Values:     %s bytes each (%.0f bytes after compression)\n",
	       cfg->value_size, value * cfg->compression_ratio);
	printf("Entries:    %llu\n", (unsigned long long)from->place->settings.num);
	printf("RawSize:    %.1f MB (estimated)\n", raw);
	printf("FileSize:   %.1f MB (estimated)\n", packed);
	printf("Database:   %s\n",
	       engine.stores_nothing ? "none" : from->place->store.path);
	printf("Durability: %s\n", durabilities[cfg->durability]);
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

/* ---- whether to believe it ---- */

/* A group is due with its first key, so that a rate comes out right only over many. */
static const char *few_groups(const struct outcome *o)
{
	enum { GROUPS_LEAST = 10 };
	static char text[WHY_SIZE];

	if (!(o->groups < GROUPS_LEAST))
		return NULL;
	snprintf(text, sizeof text,
		 "at this rate only %.1f groups of %u keys were due to each thread, and "
		 "fewer than %d make no rate; give more time or a smaller --batch_size",
		 o->groups, o->group, GROUPS_LEAST);
	return text;
}

/*
 * A thread beside those asked for has its first call before the figures, and must have
 * some in them.
 */
static const char *idle_beside(const struct outcome *o)
{
	static char text[WHY_SIZE];

	if (!o->load->beside || o->beside.ops)
		return NULL;
	snprintf(text, sizeof text,
		 "the threads ended before the %s beside them had done anything; give "
		 "them more to do",
		 workload_beside(o->load)->name);
	return text;
}

/* What is wrong with the backup, or NULL. */
static const char *bad_backup(const struct outcome *o)
{
	static char text[WHY_SIZE];
	const struct backup *b = o->backup;

	if (!b)
		return NULL;
	if (b->of_moment < 1)
		return "the backup is not the database of any moment of it";
	if (b->wrong > 0)
		snprintf(text, sizeof text, "%.0f records of the backup were wrong",
			 b->wrong);
	else if (o->must_find && !engine.stores_nothing && b->records < (double)cfg->num)
		snprintf(text, sizeof text, "the backup has %.0f records of %llu",
			 b->records, (unsigned long long)cfg->num);
	else
		return NULL;
	return text;
}

/*
 * Where the rate of the writes is a condition: why it was not kept, or NULL. They may not
 * come to be behind for longer than a second, or 1 % of the time, nor lack more than 5 %
 * at the end, which is the stricter one in short runs.
 */
static const char *rate_lost(const struct outcome *o)
{
	static char text[WHY_SIZE];
	const struct hist *late = &o->responses[KIND_WRITE];
	double waiting = (double)o->all.waiting,
	       share = waiting / (waiting + (double)o->all.kind[KIND_WRITE]);
	double behind = fmax((double)late->max * late->unit / 1e9, waiting / o->rate);
	double most = fmax(1, 0.01 * o->asked.seconds);

	if (!o->load->keeps_rate || (behind <= most && !(share > 0.05)))
		return NULL;
	snprintf(text, sizeof text,
		 "the rate of inserts and deletes was not kept: they came to be %.1f s "
		 "behind, and %.0f %% had not begun at the end; %.1f s and 5 %% are let "
		 "pass",
		 behind, 100 * share, most);
	return text;
}

/* What came back that should not have, or did not that should. */
static const char *bad_records(const struct outcome *o)
{
	static char text[WHY_SIZE];
	const struct tally *all = &o->all;
	/* of those that are asked for because they are not there */
	uint64_t there = o->load->keys == ABSENT && all->missing < all->ops
				 ? all->ops - all->missing
				 : 0;
	const struct {
		uint64_t n;
		const char *what;
	} bad[] = {
		{all->wrong ? all->wrong : there, "records were wrong"},
		{o->stay ? o->stay->changed : 0,
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

/* Why this row must not be believed, or NULL. */
static const char *doubt(const struct outcome *o)
{
	static char text[WHY_SIZE + 64];
	uint64_t expected = o->planned;
	const char *why;

	if (o->origin->place->failure.failed)
		return o->origin->place->failure.text;
	if (o->errors)
		return o->engine_words;
	if (o->interrupted)
		return "interrupted";
	if (o->broken)
		return o->broken;
	if (!o->load->fresh && o->origin->place->store.facts.unfinished)
		return "the load of this database did not end, or is void; load anew";
	if (!o->asked.ops)
		return "no operation was done";
	if ((why = idle_beside(o)) || (why = few_groups(o)) || (why = rate_lost(o)))
		return why;
	if ((why = bad_records(o)) || (why = bad_backup(o)))
		return why;
	/* An iteration of an incomplete database ends when the data does. */
	if (!o->timed && o->asked.ops < expected &&
	    (o->must_find || !o->load->weight[OP_NEXT])) {
		snprintf(text, sizeof text, "%llu of %llu operations were done",
			 (unsigned long long)o->asked.ops, (unsigned long long)expected);
		return text;
	}
	why = usage_doubt(&o->spent, o->all.cpu,
			  (double)(o->ended.raw_ns - o->began.raw_ns) / 1e9, o->count,
			  o->origin->host->cores);
	if (why)
		return why;
	if (clock_disagreement(o->origin->clock, o->began, o->ended) > 1e-3)
		return "the clocks disagree about how long it took";
	return NULL;
}

/* ---- what ran ---- */

/* What the engine lacks of a workload, and how it is made up for; NULL: nothing. */
static const char *emulated(const struct outcome *o)
{
	static char text[256];
	const struct workload *load = o->load;
	const struct {
		bool lacks;
		const char *by;
	} list[] = {
		{load->bulk && !engine.bulk_begin,
		 engine.begin ? "bulk load, by transactions"
			      : "bulk load, by single writes"},
		{o->grouped && !engine.multiget, "multi-get, by single gets"},
		{load->batched && !load->bulk && !o->grouped && !engine.begin,
		 "transactions, by single writes"},
		{cfg->txn && load->weight[OP_MODIFY] && !engine.transactions,
		 "read-modify-write transactions, by single calls"},
		{cfg->txn_reads > 1 && workload_reads(load) && !engine.snapshot,
		 "snapshots of several reads, by single reads"},
		{load->asks == ASKS_TRACE && cfg->in_trace.ttls, "expiry, by nothing"},
		{engine.blind_deletes &&
			 (load->weight[OP_DELETE] || load->weight[OP_EXPIRE]),
		 "deletes that tell what was there, by blind ones"},
		{o->backup && o->backup->by != engine.backup_by,
		 engine.stores_nothing ? "backup, by nothing"
				       : "backup, by copying files while all wait"},
		{load->special == SPECIAL_COMPACT && !engine.compact,
		 drive_settles(&engine) ? "compaction, by settling"
					: "compaction, by nothing"},
		{load->weight[OP_APPEND] && !load->bulk &&
			 (!engine.append || cfg->key_format == KEYS_USER),
		 "append, by put"},
	};
	size_t length = 0;

	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		if (list[i].lacks && length < sizeof text)
			length += (size_t)snprintf(text + length, sizeof text - length,
						   "%s%s", length ? "; " : "",
						   list[i].by);
	return length ? text : NULL;
}

/* The ways in which batches are torn, by their words, or NULL if they are atomic. */
static const char *torn_text(unsigned torn)
{
	static char text[64];

	if (!torn)
		return NULL;
	snprintf(text, sizeof text, "%s%s%s%s", torn & TORN_SEEN ? " seen" : "",
		 torn & TORN_ABANDONED ? " abandoned" : "",
		 torn & TORN_CRASH ? " crash" : "",
		 torn & TORN_DATABASE ? " database" : "");
	return text + 1;
}

/* "read:50,update:50"; NULL if the workload's name says as much. */
static const char *mix_text(const struct workload *load)
{
	static char text[128];
	bool always = load->mixed || load->percent == PERCENT_OF_GETS ||
		      (load->asks != ASKS_DEALT && !load->fresh) ||
		      (load->preset && !load->fresh);
	size_t n = 0;

	if (load->weight[OP_ACT])
		return cast_of(load)->mix;
	for (unsigned op = 0; op < OPS; op++) {
		const char *name = op == OP_DELETE && always ? "delete" : op_names[op];

		if (name && load->weight[op])
			n += (size_t)snprintf(text + n, sizeof text - n, "%s%s:%u",
					      n ? "," : "", name, load->weight[op]);
	}
	return n && (always || strchr(text, ',')) ? text : NULL;
}

/* How keys are chosen, with what shapes the distribution. */
static const char *distribution_text(const struct workload *load)
{
	static char text[80];
	enum draw_kind kind = ask_distribution(load);
	const char *name = draw_names[kind];
	const struct acts *acts = cast_of(load);

	if (load->weight[OP_ACT])
		return acts->distribution ? acts->distribution() : NULL;
	if (load->asks == ASKS_TRACE)
		return "trace";
	if (load->keys != RANDOM)
		return orders[load->keys];
	if (kind == DRAW_HOTSPOT)
		snprintf(text, sizeof text, "%s %g/%g", name, cfg->hotspot_keys,
			 cfg->hotspot_share);
	else if (kind == DRAW_PARETO)
		snprintf(text, sizeof text, "%s %g", name, cfg->pareto_h);
	else if (kind == DRAW_MIXGRAPH)
		snprintf(text, sizeof text, "%s %s%s", name,
			 mixgraph_variants[cfg->mixgraph.keys],
			 cfg->mixgraph.db_bench ? " by one draw (db_bench)" : "");
	else if (kind == DRAW_ZIPFIAN || kind == DRAW_SCRAMBLED || kind == DRAW_LATEST)
		snprintf(text, sizeof text, "%s %g", name, cfg->theta);
	else
		snprintf(text, sizeof text, "%s", name);
	return text;
}

/* Bytes in a value that the workload writes, or finds after a load: expected. */
static double mean_value(const struct outcome *o)
{
	const struct record_sizes *sizes = &o->origin->place->sizes;

	if (o->load->asks == ASKS_TRACE)
		return (double)cfg->in_trace.written / (double)cfg->in_trace.writes;
	return o->load->fresh ? record_sizes_loaded(sizes) : record_sizes_mean(sizes);
}

/* "pareto theta k sigma, 10-1024", behind the size of what was loaded, if any. */
static size_t law_text(const struct record_sizes *sizes, char *to, size_t room)
{
	const struct mixgraph_law *law = &sizes->law;
	size_t n = 0;

	if (sizes->loaded)
		n = (size_t)snprintf(to, room, "%zu, then ", sizes->loaded);
	return n + (size_t)snprintf(to + n, room - n, "pareto %g %g %g, %llu-%llu",
				    law->theta, law->k, law->sigma,
				    (unsigned long long)law->least,
				    (unsigned long long)law->most);
}

static const char *sizes_text(const struct record_sizes *sizes, char *to, size_t room)
{
	size_t n = (size_t)snprintf(to, room,
				    sizes->least == sizes->most ? "%zu" : "%zu-%zu",
				    sizes->least, sizes->most);

	if (sizes->law.sigma > 0)
		law_text(sizes, to, room);
	if (sizes->listed)
		n = 0;
	for (unsigned i = 0; i < sizes->listed && n < room; i++)
		n += (size_t)snprintf(to + n, room - n, "%s%zu", i ? "," : "",
				      sizes->list[i]);
	return to;
}

/* The sizes of the values that there are, or are written. */
static const char *values_text(const struct outcome *o, char *to, size_t room)
{
	if (o->load->asks != ASKS_TRACE)
		return sizes_text(&o->origin->place->sizes, to, room);
	snprintf(to, room, "0-%zu, as in the trace", cfg->in_trace.value_most);
	return to;
}

static void fill_what_ran(const struct outcome *o, struct result *r)
{
	static char values[256], lengths[256], cold[64], commit[128];
	const struct settings *s = &o->origin->place->settings;

	r->schema = RESULT_SCHEMA;
	r->engine = engine.name;
	r->label = *cfg->label ? cfg->label : engine.name;
	r->cpus = *cfg->cpus ? cfg->cpus : NULL;
	r->isolated = cfg->isolate;
	r->engine_build = *o->origin->engine_build ? o->origin->engine_build : NULL;
	r->allocator = o->origin->allocator;
	r->engine_version = engine.version();
	r->benchmark = o->load->name;
	r->threads = o->foreground;
	r->num = (double)cfg->num;
	if (cfg->device_share > 0)
		r->device_share = cfg->device_share;
	r->key_size = (double)s->key_size;
	r->value_size = mean_value(o);
	r->value_sizes = values_text(o, values, sizeof values);
	r->key_format = record_forms[place_key_form(s)];
	r->batch_size = (double)o->batch;
	r->distribution = distribution_text(o->load);
	r->mix = mix_text(o->load);
	if (o->load->weight[OP_SEEK])
		r->scan_length = sizes_text(&o->scan_lengths, lengths, sizeof lengths);
	if (o->load->queue) {
		r->queues = (double)cfg->queues;
		r->queue_deletes = o->load->weight[OP_DELETE] / 100.0;
	}
	r->txn_reads = o->txn_reads ? (double)o->txn_reads : 1;
	r->txn = o->transacts || (o->load->weight[OP_ACT] && cast_of(o->load)->transacts);
	r->warmup_s = cast_ends(o->load) || o->load->special ? 0 : cfg->warmup;
	snprintf(cold, sizeof cold,
		 o->origin->place->cold.left_kb > 0 ? "%s, but %.0f KiB" : "%s",
		 o->origin->place->cold.by, o->origin->place->cold.left_kb);
	r->cold = cfg->cold && !o->load->fresh ? cold : NULL;
	r->durability = durabilities[o->origin->place->opened_as];
	r->durability_given = durabilities[engine.gives[o->origin->place->opened_as]];
	r->torn_batches = torn_text(engine.torn_batches | s->torn_batches);
	r->cache_bytes = engine.cache && *engine.cache ? (double)s->cache_bytes : NAN;
	r->write_buffer_bytes = engine.write_buffer ? (double)s->write_buffer_bytes : NAN;
	r->compression = compressions[s->compression];
	r->seed = (double)cfg->seed;
	r->repeat = o->entry->repeat;
	r->repetition = (double)cfg->repetition + o->entry->round;
	r->emulated = emulated(o);
	r->touch = touches[cfg->touch];
	snprintf(commit, sizeof commit, "%s %s", o->origin->program->version,
		 o->origin->program->commit);
	r->commit = commit;
	r->build = o->origin->program->build;
	r->command = o->origin->command;
}

/* ---- what happened, and what it cost ---- */

static double mean_us(const struct tally *t)
{
	if (!t->ops)
		return 0;
	return (t->call_ns > 0 ? t->call_ns : t->thread_ns) / (double)t->ops / 1000;
}

static void fill_what_happened(const struct outcome *o, struct result *r)
{
	static char digest[20];
	double writer_seconds, n = o->foreground;

	snprintf(digest, sizeof digest, "%016llx",
		 (unsigned long long)record_digest(o->all.digest));
	r->seconds = o->asked.seconds;
	r->ops = (double)o->asked.ops;
	r->reads = (double)o->all.kind[KIND_READ];
	r->writes = (double)o->all.kind[KIND_WRITE];
	r->scans = (double)o->all.kind[KIND_SCAN];
	r->missing = (double)o->all.missing;
	r->found = (double)(o->all.kind[KIND_READ] + o->all.kind[KIND_SCAN]) - r->missing;
	if (!engine.blind_deletes)
		r->found += (double)o->all.deletes;
	r->lost = (double)o->all.lost;
	if (cfg->verify) {
		r->wrong = (double)o->all.wrong;
		r->out_of_order = (double)o->all.disordered;
	}
	if (o->load->keys == ABSENT)
		r->wrong = r->found;
	r->entries = (double)o->asked.entries;
	r->bytes = (double)o->asked.bytes;
	/* Nobody knows how many of them met a record. */
	if (engine.blind_deletes && o->load->deletes)
		r->found = r->missing = r->bytes = r->entries = NAN;
	if (engine.blind_deletes && o->all.deletes && r->reads + r->scans == 0)
		r->found = r->missing = NAN;
	/*
	 * what stores nothing answers with records that nobody wrote, unless they are
	 * looked at
	 */
	r->digest = cfg->touch == TOUCH_NONE || (engine.stores_nothing && !cfg->verify)
			    ? NULL
			    : digest;
	r->commits = (double)o->all.commits;
	r->conflicts = (double)o->all.conflicts;
	r->retries = (double)o->all.retries;
	r->retry_s = cfg->latency ? o->all.undone_ns / 1e9 : NAN;
	r->mean_us = mean_us(&o->asked);
	if (o->timed)
		r->overrun_s = fmax(0, r->seconds - cfg->duration);
	writer_seconds = o->load->beside == BESIDE_WRITER ? o->beside.seconds
							  : r->seconds;
	if (r->seconds > 0) {
		r->ops_per_sec = r->ops / r->seconds;
		r->entries_per_sec = r->entries / r->seconds;
		r->reads_per_sec = r->reads / r->seconds;
		r->writes_per_sec = writer_seconds > 0 ? r->writes / writer_seconds : NAN;
	}
	if (o->asked.rate_squares > 0)
		r->fairness = o->asked.rate * o->asked.rate / (n * o->asked.rate_squares);
	if (cfg->latency)
		r->longest_gap_ms = (double)o->all.gap_ns / 1e6;
}

/* Nothing was added where nothing was measured. */
static double or_zero(double x)
{
	return isnan(x) ? 0 : x;
}

/*
 * What of the rate before the database was aged is left, if the same workload has run
 * before that in the same list.
 */
static void fill_age(const struct outcome *o, struct result *r)
{
	struct reported *all = o->origin->reported;
	unsigned i = 0;

	if (o->origin->place->store.facts.age)
		r->age = (double)o->origin->place->store.facts.age;
	if (o->load->fresh)
		all->fresh_loads = 0;
	while (i < all->fresh_loads && (all->fresh[i].load != o->load ||
					all->fresh[i].threads != o->foreground))
		i++;
	if (r->age > 0) {
		if (i < all->fresh_loads)
			r->fresh_share = r->ops_per_sec * all->fresh[i].rows /
					 all->fresh[i].rates;
		return;
	}
	if (r->valid != 1 || o->entry->warm || i == PLAN_MOST)
		return;
	if (i == all->fresh_loads) {
		all->fresh_loads++;
		all->fresh[i].load = o->load;
		all->fresh[i].threads = o->foreground;
		all->fresh[i].rows = 0;
		all->fresh[i].rates = 0;
	}
	all->fresh[i].rows++;
	all->fresh[i].rates += r->ops_per_sec;
}

/* Which keys were drawn, whatever was meant to be. */
static void fill_draws(const struct outcome *o, struct result *r)
{
	if (!o->asked.draws)
		return;
	r->distinct_keys = o->distinct_keys;
	/* Which of these keys are the most popular nobody has counted. */
	if (o->load->keys == RANDOM && ask_distribution(o->load) == DRAW_MIXGRAPH)
		return;
	r->top1pct_share = (double)o->asked.tops / (double)o->asked.draws;
}

/* How arrivals come, and by which sine their rate changes. */
static const char *arrivals_text(const struct outcome *o)
{
	static char text[128];

	if (o->load->asks == ASKS_TRACE && cfg->speed > 0) {
		snprintf(text, sizeof text, "recorded, at %g times the speed",
			 cfg->speed);
		return text;
	}
	if (!o->sines)
		return arrivals[cfg->arrivals];
	snprintf(text, sizeof text, "%s, %g sin(%g t + %g) + %g every %g s",
		 arrivals[cfg->arrivals], cfg->sine_a, cfg->sine_b, cfg->sine_c,
		 cfg->sine_d, (double)cfg->sine_interval_ms / 1e3);
	return text;
}

/*
 * The rates asked for and kept. A rate is kept if not a hundredth of what was due was
 * left.
 */
static void fill_rates(const struct outcome *o, struct result *r)
{
	static char rates[STEADY_WINDOWS * 14];
	struct steadiness s = steady_judge(o->steady);

	r->rate = o->rate;
	if (!isnan(r->rate)) {
		double done = (double)(o->all.kind[KIND_READ] + o->all.kind[KIND_WRITE] +
				       o->all.kind[KIND_SCAN]),
		       waiting = (double)o->all.waiting;

		r->arrivals = arrivals_text(o);
		r->backlog = waiting + (double)o->all.left;
		r->start_error_p99_ns = o->start_error_p99_ns;
		r->rate_kept = waiting <= 0.01 * (done + waiting);
		if (o->load->keeps_rate)
			r->rate_kept = !rate_lost(o);
	}
	r->rate_cv = s.cv;
	r->rate_range = s.range;
	r->rate_slope = s.slope;
	r->steady = s.steady;
	r->rate_first_fifth = s.first;
	r->rate_last_fifth = s.last;
	r->steady_since_s = s.since;
	if (o->timed && cfg->until_steady > 0)
		r->until_steady_s = cfg->until_steady;
	r->window_s = o->steady->count ? o->steady->seconds : NAN;
	steady_rates(o->steady, rates, sizeof rates);
	r->rates = *rates ? rates : NULL;
}

/* What a probe met. */
static void fill_probe(const struct outcome *o, struct result *r)
{
	const struct tally *t = &o->aside[ASIDE_PROBE];

	if (!o->probe)
		return;
	r->probe_rate = (double)cfg->probe_rate;
	r->probe_reads = (double)t->ops;
	r->probe_missing = (double)t->missing;
	r->probe_backlog = (double)t->waiting;
	r->probe = result_latency(o->probe);
	r->probe_response = result_latency(o->probe_responses);
}

/* How a backup went, and how fast the others were beside it and without it. */
static void fill_backup(const struct outcome *o, struct result *r)
{
	static char digest[20];
	const struct backup *b = o->backup;
	uint64_t end;
	double beside, without;

	if (o->backup_due)
		r->backup_at_s = cfg->backup;
	if (!b)
		return;
	end = b->ended < o->asked.last_end ? b->ended : o->asked.last_end;
	beside = (double)clock_ns(o->origin->clock, end > b->began ? end - b->began : 0) /
		 1e9;
	without = o->asked.seconds - beside;
	r->backup_by = b->by;
	r->backup_s = (double)clock_ns(o->origin->clock, b->ended - b->began) / 1e9;
	r->backup_bytes = b->bytes;
	r->backup_bytes_per_sec = b->bytes / r->backup_s;
	r->backup_of_moment = b->of_moment;
	if (!o->load->special && beside > 0) {
		r->backup_ops_per_sec = b->ops / beside;
		if (without > 0)
			r->backup_ops_share = r->backup_ops_per_sec * without /
					      ((double)o->asked.ops - b->ops);
	}
	if (engine.stores_nothing)
		return;
	snprintf(digest, sizeof digest, "%016llx",
		 (unsigned long long)record_digest(b->digest));
	r->backup_records = b->records;
	r->backup_digest = digest;
}

/* What a long reader made grow, and how fast the others were then. */
static void fill_stay(const struct outcome *o, struct result *r)
{
	const struct stay *s = o->stay;

	if (!s)
		return;
	r->long_reader_s = cfg->long_reader;
	r->snapshot_reads = (double)o->aside[ASIDE_READER].ops;
	r->snapshots = s->snapshots;
	r->snapshots_taken_back = s->taken_back;
	r->snapshot_s = s->held.seconds;
	r->snapshot_ops_per_sec = s->held.ops / s->held.seconds;
	r->snapshot_disk_growth_kb = s->held.disk / 1024;
	r->snapshot_memory_growth_kb = s->held.anonymous;
	if (!(cfg->long_reader_pause > 0))
		return;
	r->pause_s = s->paused.seconds;
	r->pause_ops_per_sec = s->paused.ops / s->paused.seconds;
	r->pause_disk_growth_kb = s->paused.disk / 1024;
	r->pause_memory_growth_kb = s->paused.anonymous;
}

/*
 * Bytes written at two levels by byte of the records: handed to the kernel, written to
 * the device.
 */
static void fill_write_amp(const struct outcome *o, struct result *r)
{
	const struct usage *u = &o->spent;
	double record = (double)o->origin->place->settings.key_size + mean_value(o);
	double records = o->load->weight[OP_ACT] ? (double)o->all.put_bytes
						 : r->writes * record;

	if (engine.remote)
		return;
	if (!o->origin->place->settings.writes_unseen)
		r->io_write_overcharged = usage_overcharged(u);
	r->nand_write_bytes = o->nand;
	if (u->device_write_bytes > 0)
		r->nand_write_amp = o->nand / u->device_write_bytes;
	if (!(r->writes > 0))
		return;
	if (r->io_write_overcharged != 1)
		r->fs_out_per_write = u->fs_out_blocks / r->writes;
	if (o->load->deletes || o->load->queue)
		return;
	if (!o->origin->place->settings.writes_unseen) {
		r->write_amp = u->io_wchar_bytes / records;
		r->write_amp_all_in = (u->io_wchar_bytes +
				       or_zero(r->settle.io_wchar_bytes) +
				       or_zero(r->close.io_wchar_bytes)) /
				      records;
	}
	r->host_write_amp = u->device_write_bytes / records;
	r->host_write_amp_all_in = (u->device_write_bytes +
				      or_zero(r->settle.device_write_bytes) +
				      or_zero(r->close.device_write_bytes)) /
				     records;
}

static void fill_memory(const struct outcome *o, struct result *r)
{
	r->footprint = o->footprint;
	if (cfg->malloc_arenas)
		r->malloc_arenas = (double)cfg->malloc_arenas;
	r->held_kb = r->footprint.rss_anon_kb + o->in_memory / 1024;
	if (!cfg->memory)
		return;
	r->memory_limit_kb = (double)cfg->memory / 1024;
	r->cgroup_peak_kb = o->memory.peak / 1024;
	r->held_kb = r->cgroup_peak_kb;
	r->page_cache_kb = o->memory.page_cache / 1024;
	r->memory_stall_s = o->memory.stall_s;
}

/*
 * What the servers of an engine took, and the way to them. Flushes are among their calls,
 * which are not counted.
 */
static void fill_remote(const struct outcome *o, struct result *r, double ops)
{
	const struct remote *before = &o->remote_before, *after = &o->remote;
	struct usage *u = &r->usage;

	u->flushes = u->fsyncs = u->fdatasyncs = u->msyncs = NAN;
	u->sync_file_ranges = u->dsync_writes = NAN;
	if (!after->servers || !before->servers)
		return;
	r->servers = after->servers;
	r->round_trips = (double)(after->round_trips - before->round_trips);
	r->round_trips_per_op = r->round_trips / ops;
	r->server_user_s = after->user_s - before->user_s;
	r->server_sys_s = after->sys_s - before->sys_s;
	r->held_kb = r->server_rss_kb = after->rss_kb;
}

static void fill_cost(const struct outcome *o, struct result *r)
{
	const struct usage *u = &o->spent;
	double ops = r->reads + r->writes + r->scans;

	r->usage = *u;
	fill_memory(o, r);
	fill_write_amp(o, r);
	if (engine.remote)
		fill_remote(o, r, ops);
	r->cpu_percent = r->seconds > 0 ? 100 * (u->user_s + u->sys_s) / r->seconds : NAN;
	r->cpu_us_per_op = 1e6 * (u->user_s + u->sys_s) / ops;
	r->device_reads_per_op = u->device_reads / ops;
	r->device_read_bytes_per_op = u->device_read_bytes / ops;
	r->device_busy_percent = 100 * u->device_busy_s / r->seconds;
	r->fg_cpu_s = o->all.cpu;
	r->bg_cpu_s = fmax(0, u->cpu_s - o->all.cpu - o->main_cpu);
	r->counters = usage_counter_scope();
	r->cycles_per_op = u->cycles / ops;
	r->instructions_per_op = u->instructions / ops;
	r->cache_misses_per_op = u->cache_misses / ops;
	r->tlb_misses_per_op = u->tlb_misses / ops;
	if (r->commits > 0)
		r->flushes_per_commit = r->usage.flushes / r->commits;
	if (!isnan(r->settle.seconds) || !isnan(r->close.seconds))
		r->ops_per_sec_all_in = r->ops /
					(r->seconds + or_zero(r->settle.seconds) +
					 or_zero(r->close.seconds));
}

static void fill_storage(const struct outcome *o, struct result *r)
{
	const struct origin *from = o->origin;
	double apparent, disk, records;

	r->filesystem = from->place->mount.type;
	r->mount_options = from->place->mount.options;
	r->device = from->place->mount.device;
	r->io_scheduler = from->place->queue.scheduler;
	r->read_ahead_kb = from->place->queue.read_ahead_kb;
	if (*cfg->device) /* only the engine knows */
		return;
	disk = place_disk(from->place, &apparent);
	r->run_disk_kb = o->disk / 1024;
	r->disk_growth_kb = (o->disk - o->disk_before) / 1024;
	r->db_apparent_kb = apparent / 1024;
	r->db_extents = store_extents(&from->place->store);
	r->db_disk_kb = disk / 1024;
	records = (double)from->place->store.facts.keys *
		  ((double)from->place->settings.key_size + mean_value(o));
	/* By a law it is not known how many still have the size they were loaded with. */
	if (from->place->sizes.law.sigma > 0 && !o->load->fresh)
		return;
	if ((from->place->complete || (o->load->completes && r->valid == 1)) &&
	    records > 0) {
		r->space_amp_run = o->disk / records;
		r->space_amp = disk / records;
	}
}

static void fill_where(const struct outcome *o, struct result *r)
{
	const struct origin *from = o->origin;

	r->timer = from->clock->counter ? "tsc" : "monotonic";
	r->timer_ns = from->clock->reading_ns;
	r->host = from->host->name;
	r->cpu = from->host->cpu;
	r->cores = from->host->cores;
	r->memory_kb = from->host->memory_kb;
	r->kernel = from->host->kernel;
	r->governor = from->host->governor;
	r->turbo = from->host->turbo;
	r->smt = from->host->smt;
	r->thp = from->host->thp;
	r->idle_reclaim = from->host->idle_reclaim;
	r->swappiness = from->host->swappiness;
	r->numa_nodes = from->host->numa_nodes;
	if (*cfg->numa_node)
		r->numa_node = strtod(cfg->numa_node, NULL);
	if (place_storage(from->place))
		fill_storage(o, r);
}

/* What disturbs a measurement, from what value on. */
static const struct {
	size_t figure;
	double most;
	const char *text; /* of the figure */
} noises[] = {
	{offsetof(struct result, steal_percent), 2,
	 "the hypervisor took %.0f %% of the processors"},
	{offsetof(struct result, others_cpu_percent), 10,
	 "other processes and kernel threads used %.0f %% of the processors"},
	{offsetof(struct result, temperature_after_c), 90,
	 "the processor ran at %.0f degrees"},
	{offsetof(struct result, overrun_s), 0.1,
	 "a call that was late to end made it %.1f s longer than --duration"},
};

/* Seconds from which on ticks of 10 ms tell who used the processors. */
#define NOTICEABLE 1.0

/* Bytes read from a device that no rate depends on. */
#define LITTLE (4 << 20)

/*
 * That reads ahead, not records, decide the rate, if so. One page for each record is what
 * reading takes, and a tree may take several; what a mapped file is read ahead beyond
 * Linux's own 128 KiB shows in fewer.
 */
static const char *read_ahead_noise(const struct outcome *o, const struct result *r)
{
	enum { PAGE = 4096, SEVERAL = 16, FEW = 4, USUAL_KB = 128 };
	static char text[160];
	bool far = o->origin->place->settings.reads_mapped && r->read_ahead_kb > USUAL_KB;
	double records = fmax(r->entries, r->reads + r->scans + r->writes),
	       bytes = o->spent.io_read_bytes / records;
	double record =
		fmax(PAGE, (double)o->origin->place->settings.key_size + mean_value(o));

	if (!(r->reads + r->scans > 0) || !(o->spent.io_read_bytes > LITTLE) ||
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
 * That what could have stayed in memory was read from the device, where the kernel pages
 * out what was idle: an engine that maps its file is spared, one that reads it is not.
 */
static const char *idle_noise(const struct outcome *o, const struct result *r)
{
	static char text[128];

	if (!*o->origin->host->idle_reclaim || cfg->cold || cfg->memory ||
	    !(r->reads + r->scans > 0) || !(o->spent.io_read_bytes > LITTLE) ||
	    !(r->db_disk_kb < r->memory_kb / 2))
		return NULL;
	snprintf(text, sizeof text,
		 "%.0f MiB came from the device, and the kernel pages out what was idle "
		 "(%s)",
		 o->spent.io_read_bytes / (1 << 20), o->origin->host->idle_reclaim);
	return text;
}

/* How quiet the machine was, and what else is behind the figures. */
static void fill_noise(const struct outcome *o, struct result *r)
{
	static char text[1024];
	const char *device[] = {read_ahead_noise(o, r), idle_noise(o, r)};
	double wall = (double)(o->ended.raw_ns - o->began.raw_ns) / 1e9,
	       all = wall * (double)sysconf(_SC_NPROCESSORS_ONLN);
	const char *governor = o->origin->host->governor;
	size_t n = 0;

	r->load_before = o->host_before.load;
	r->load_after = o->host_after.load;
	r->temperature_before_c = o->host_before.temperature_c;
	r->temperature_after_c = o->host_after.temperature_c;
	if (wall >= NOTICEABLE) {
		double servers_s = o->remote.on_this_machine
					   ? r->server_user_s + r->server_sys_s
					   : 0;

		r->steal_percent = 100 * o->spent.steal_s / all;
		r->others_cpu_percent = fmax(
			0, 100 * (o->spent.machine_cpu_s - o->spent.cpu_s - servers_s) /
				   all);
	}
	text[0] = '\0';
	if (*governor && strcmp(governor, "performance"))
		n += (size_t)snprintf(text, sizeof text, "the governor is %s", governor);
	if (!strcmp(o->origin->host->turbo, "on"))
		n += (size_t)snprintf(text + n, sizeof text - n, "%sturbo is on",
				      n ? "; " : "");
	for (size_t i = 0; i < sizeof noises / sizeof *noises; i++) {
		double x = *(const double *)(const void *)((const char *)r +
							   noises[i].figure);

		if (!(x > noises[i].most))
			continue;
		n += (size_t)snprintf(text + n, sizeof text - n, "%s", n ? "; " : "");
		n += (size_t)snprintf(text + n, sizeof text - n, noises[i].text, x);
	}
	for (size_t i = 0; i < sizeof device / sizeof *device; i++)
		if (device[i])
			n += (size_t)snprintf(text + n, sizeof text - n, "%s%s",
					      n ? "; " : "", device[i]);
	r->noise = n ? text : NULL;
}

/* ---- lines and files ---- */

/* Once, or it would be said of every row; and not of one that is void anyway. */
static void say_noise(const struct outcome *o, const struct result *r)
{
	if (!r->noise || o->origin->reported->noise_said || r->valid != 1)
		return;
	say("%s: doubtful figures: %s", r->benchmark, r->noise);
	o->origin->reported->noise_said = true;
}

static void print_line(const struct outcome *o, const struct result *r)
{
	struct result_line line = {.name = o->load->name,
				   .label = r->label,
				   .threads = o->foreground,
				   .cores = o->origin->host->cores,
				   .p99_ns = result_p99(r),
				   .mean_us = r->mean_us,
				   .ops = r->ops,
				   .seconds = r->seconds,
				   .bytes = r->bytes,
				   .void_because = r->void_because};
	char extra[256] = "";
	size_t n = 0;
	double told = engine.blind_deletes ? 0 : (double)o->all.deletes;

	if (!isnan(r->aborts))
		n = (size_t)snprintf(extra, sizeof extra, "(%.0f commits, %.0f aborts)",
				     r->commits, r->aborts);
	else if (r->reads + r->scans > 0 && !isnan(r->found) &&
		 !o->load->weight[OP_NEXT])
		n = (size_t)snprintf(extra, sizeof extra, "(%.0f of %.0f found)",
				     r->found - (o->load->queue ? told : 0),
				     r->reads + r->scans);
	if (o->foreground > 1 && !o->load->shared && !o->timed)
		snprintf(extra + n, sizeof extra - n, "%s%u x %llu operations",
			 n ? " " : "", o->foreground,
			 (unsigned long long)(o->asked.ops / o->foreground));
	n = strlen(extra);
	if (r->entries > r->ops && r->seconds > 0)
		n += (size_t)snprintf(extra + n, sizeof extra - n, "%s%.0f entries/sec",
				      n ? " " : "", r->entries_per_sec);
	if (!isnan(r->rows_per_sec))
		n += (size_t)snprintf(extra + n, sizeof extra - n, "%s%.0f rows/sec",
				      n ? " " : "", r->rows_per_sec);
	if (!isnan(r->rows_worst_second))
		n += (size_t)snprintf(extra + n, sizeof extra - n,
				      " (%.0f in the worst second)",
				      r->rows_worst_second);
	if (r->rate_kept < 1)
		n += (size_t)snprintf(extra + n, sizeof extra - n,
				      "%s(rate of %.0f not kept: %.0f behind)",
				      n ? " " : "", r->rate, r->backlog);
	if (o->timed && cfg->until_steady > 0 && !(r->steady > 0))
		n += (size_t)snprintf(extra + n, sizeof extra - n,
				      "%s(not steady within %g s)", n ? " " : "",
				      cfg->until_steady);
	if (!isnan(r->fresh_share))
		n += (size_t)snprintf(extra + n, sizeof extra - n,
				      "%s(%.2f of fresh, at age %.0f)", n ? " " : "",
				      r->fresh_share, r->age);
	if (cfg->settle && !isnan(r->ops_per_sec_all_in))
		snprintf(extra + n, sizeof extra - n, "%s(%.0f ops/sec all in)",
			 n ? " " : "", r->ops_per_sec_all_in);
	line.extra = extra;
	result_print(&line, (enum result_format)cfg->format);
}

/* The line of a thread beside the others. */
static void print_beside(const struct outcome *o, const struct result *r,
			 const char *role, const struct tally *t)
{
	char name[64];
	struct result_line line = {
		.name = name,
		.label = r->label,
		.threads = o->foreground,
		.cores = o->origin->host->cores,
		.p99_ns = NAN,
		.mean_us = mean_us(t),
		.ops = (double)t->ops,
		.seconds = t->seconds,
		.bytes = (double)t->bytes,
		.extra = "",
		.void_because = cfg->format == FORMAT_GOBENCH ? r->void_because : NULL,
	};

	snprintf(name, sizeof name, cfg->format == FORMAT_GOBENCH ? "%s/%s" : "%.0s%s",
		 o->load->name, role);
	result_print(&line, (enum result_format)cfg->format);
}

static void print_all_beside(const struct outcome *o, const struct result *r)
{
	const struct workload *roles[ASIDES];
	unsigned n = plan_asides(o->load, roles);

	if (o->load->beside)
		print_beside(o, r, workload_beside(o->load)->name, &o->beside);
	for (unsigned i = 0; i < n && o->count > o->foreground; i++)
		if (roles[i]->aside == ASIDE_BACKUP && !o->backup)
			say("%s: it had ended before --backup=%g s, and there was no "
			    "backup",
			    o->load->name, cfg->backup);
		else
			print_beside(o, r, roles[i]->name, &o->aside[roles[i]->aside]);
}

static void write_hdr(const struct outcome *o, const char *kind, const struct hist *h)
{
	char path[STORE_PATH], error[RESULT_ERROR];

	snprintf(path, sizeof path, o->origin->reported->hdr_written ? "%s.%s.%s" : "%s",
		 cfg->hdr, o->load->name, kind);
	o->origin->reported->hdr_written = true;
	if (!output_opens(path, error))
		failure_note(&o->origin->place->failure, "--hdr", error);
	else if (!histprint_hdr(h, path))
		failure_note(&o->origin->place->failure, path,
			     errno == EEXIST
				     ? "holds something else and is not overwritten"
				     : strerror(errno));
}

static void log_hdr(const struct outcome *o, const char *label, const char *kind,
		    const struct hist *h)
{
	const struct clock *clock = o->origin->clock;
	uint64_t *counts = say_alloc(HDRLOG_COUNTS, sizeof *counts);
	uint64_t ago = clock_ns(clock, clock_ticks(clock) - o->asked.first_start);
	char tag[HDRLOG_TAG], error[TABLE_ERROR], *line;

	snprintf(tag, sizeof tag, "%.60s.%.40s.%s", label, o->load->name, kind);
	hdrlog_add(counts, h);
	line = hdrlog_line(tag, clock_wall() - (double)ago / 1e9, o->asked.seconds,
			   counts);
	if (!line || !table_append(cfg->hdr_log, &hdr_log_form, line, error))
		failure_note(&o->origin->place->failure, "--hdr_log",
			     line ? error : "out of memory");
	free(line);
	free(counts);
}

static void report_append_row(const struct outcome *o, const struct result *r)
{
	char error[RESULT_ERROR];

	if (*cfg->tsv && !result_append_tsv(cfg->tsv, r, error))
		failure_note(&o->origin->place->failure, "--tsv", error);
	if (*cfg->json && !result_append_json(cfg->json, r, error))
		failure_note(&o->origin->place->failure, "--json", error);
}

/* After the last repetition what they came to, in RocksDB's form. */
static void print_repeats(const struct outcome *o, const struct result *r)
{
	const struct entry *e = o->entry;
	unsigned n = e->repeats * (unsigned)cfg->repeat,
		 slot = e->first * (unsigned)cfg->repeat;
	unsigned nth = e->round * e->repeats + e->repeat;

	if (r->valid == 1) {
		o->origin->reported->rates[slot + nth - 1] = r->ops_per_sec;
		o->origin->reported->megabytes[slot + nth - 1] = r->bytes / 1048576 /
								 r->seconds;
	}
	if (n > 1 && nth == n && cfg->format != FORMAT_GOBENCH)
		result_print_repeats(o->load->name, o->origin->reported->rates + slot,
				     o->origin->reported->megabytes + slot, n);
}

/* The histograms, as RocksDB prints them and as HdrHistogram's tools read them. */
static void write_histograms(const struct outcome *o, const struct result *r)
{
	for (int k = 0; k < KINDS; k++) {
		if (cfg->histogram)
			histprint_rocksdb(&o->times[k], result_kinds[k], stdout);
		if (*cfg->hdr && o->times[k].sum)
			write_hdr(o, result_kinds[k], &o->times[k]);
		if (*cfg->hdr_log && r->valid == 1 && o->times[k].sum)
			log_hdr(o, r->label, result_kinds[k], &o->times[k]);
	}
}

void report_row(const struct outcome *o, struct result *r)
{
	r->void_because = doubt(o);
	r->valid = !r->void_because;
	r->errors = o->errors;
	r->partial = r->errors > 0 || o->interrupted;
	fill_what_ran(o, r);
	fill_what_happened(o, r);
	fill_draws(o, r);
	fill_age(o, r);
	for (int k = 0; k < KINDS; k++) {
		r->latency[k] = result_latency(&o->times[k]);
		r->response[k] = result_latency(&o->responses[k]);
	}
	fill_rates(o, r);
	fill_probe(o, r);
	fill_stay(o, r);
	fill_backup(o, r);
	fill_cost(o, r);
	if (o->load->weight[OP_ACT] && o->stage->acts->columns)
		o->stage->acts->columns(o->stage, r);
	fill_where(o, r);
	fill_noise(o, r);
	say_noise(o, r);
	if (!o->entry->warm || r->valid != 1) {
		print_line(o, r);
		print_all_beside(o, r);
		report_append_row(o, r);
	}
	if (!o->entry->warm) {
		write_histograms(o, r);
		print_repeats(o, r);
	}
	if (r->errors > 0)
		failure_note(&o->origin->place->failure, o->load->name, r->void_because);
}

void report_void(const struct outcome *o, struct result *r, uint64_t ops, const char *why)
{
	r->void_because = why;
	r->valid = 0;
	r->partial = 1;
	r->ops = (double)ops;
	fill_what_ran(o, r);
	fill_where(o, r);
	r->mean_us = ops ? r->seconds * 1e6 * o->foreground / r->ops : 0;
	print_line(o, r);
	report_append_row(o, r);
}
