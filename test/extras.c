/*
 * extras.c: prints what extras make of runs that were not made, all of whose counts and
 * times are given here; test/extras.txt is what was looked at and found right.
 *
 * A tick of the clock is 2 ns. Argument: an empty directory.
 */
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "../bench/extras/aging.c"
#include "../bench/extras/backup.c"
#include "../bench/extras/commit_journal.c"
#include "../bench/extras/crossing.c"
#include "../bench/extras/engine_counters.c"
#include "../bench/extras/insert_benchmark.c"
#include "../bench/extras/long_reader.c"
#include "../bench/extras/maintenance.c"
#include "../bench/extras/queue.c"
#include "../bench/extras/replay.c"
#include "../bench/extras/slow_calls.c"
#include "../bench/extras/soak.c"
#include "../bench/extras/trace.c"
#include "../bench/extras/trace_writer.c"

#include "../bench/extras/extras.h"
#include "../util/os/clock.h"
#include "../util/os/file_cache.h"

/* Of the device that is measured by itself; the text of that extra has these instead. */
static uint64_t limit_raw_ns(void);
static int limit_fcntl(int fd, int command, int flags);
static ssize_t limit_pread(int fd, void *to, size_t size, off_t at);
static ssize_t limit_pwrite(int fd, const void *from, size_t size, off_t at);
static int limit_sync(int fd);
#define clock_raw_ns limit_raw_ns
#define fcntl limit_fcntl
#define pread limit_pread
#define pwrite limit_pwrite
#define file_cache_sync limit_sync
#include "../bench/extras/device_limit.c"
#undef clock_raw_ns
#undef fcntl
#undef pread
#undef pwrite
#undef file_cache_sync

enum { EXTRA_THREADS = 4, EXTRA_SLOTS = 16 };

/* ---- an engine that does what it is told ---- */

struct session {
	int unused;
};

static struct {
	/* what each get returns, in order, and then DONE; 'd', 'n', 'c', 'f' */
	const char *gets;
	const char *value; /* that a get finds, of so many bytes; 0: a text */
	size_t value_size;
	uint64_t calls;                /* into its library */
	uint64_t released;             /* snapshots */
	const char *records;           /* that a scan finds: keys, of a byte each */
	struct slice found;            /* the key that a seek finds, if there is one */
	const struct slice (*scan)[2]; /* so many keys and values that a scan finds */
	unsigned scans;
	const char *counters;
	void (*meanwhile)(void); /* what others do during a backup */
} told;

static const char *told_version(void)
{
	return "1";
}

static enum status told_get(struct session *s, struct slice key, struct slice *value)
{
	const char what = told.gets && *told.gets ? *told.gets++ : 'd';

	(void)s, (void)key;
	*value = (struct slice){told.value,
				told.value_size ? told.value_size : strlen(told.value)};
	return what == 'd'   ? DONE
	       : what == 'n' ? NOT_FOUND
	       : what == 'c' ? CONFLICT
			     : FAILED;
}

static enum status told_snapshot(struct session *s)
{
	(void)s;
	return DONE;
}

static void told_release(struct session *s)
{
	(void)s;
	told.released++;
}

static enum status told_next(struct session *s, struct slice *key, struct slice *value)
{
	(void)s;
	if (told.scans) {
		told.scans--;
		*key = told.scan[0][0];
		*value = (*told.scan++)[1];
		return DONE;
	}
	if (!*told.records)
		return NOT_FOUND;
	*key = *value = (struct slice){told.records++, 1};
	return DONE;
}

static enum status told_seek(struct session *s, struct slice from, struct slice *key,
			     struct slice *value)
{
	(void)from;
	*key = *value = told.found;
	return told.found.data ? DONE : told_next(s, key, value);
}

static enum status told_nothing(struct session *s)
{
	(void)s;
	told.calls++;
	return DONE;
}

static uint64_t told_calls(struct db *db)
{
	(void)db;
	return told.calls;
}

static enum status told_attach(struct session *s, struct db *db, char *why)
{
	(void)s, (void)db, (void)why;
	return DONE;
}

static void told_detach(struct session *s)
{
	(void)s;
}

static void told_statistics(struct db *db, struct report *report)
{
	(void)db;
	snprintf(report->text, report->size, "%s", told.counters);
}

static enum status told_backup(struct db *db, const char *path, char *why)
{
	(void)db, (void)path, (void)why;
	told.meanwhile();
	return DONE;
}

const struct engine engine = {
	.name = "told",
	.title = "Told",
	.version = told_version,
	.cache = "",
	.effective_durability = {DURABILITY_NONE, DURABILITY_ASYNC, DURABILITY_SYNC},
	.session_size = sizeof(struct session),
	.get = told_get,
	.seek = told_seek,
	.next = told_next,
	.snapshot = told_snapshot,
	.release = told_release,
	.attach = told_attach,
	.detach = told_detach,
	.statistics = told_statistics,
	.backup = told_backup,
	.backup_by = "told backup",
	.crossing = {.nothing = told_nothing, .calls = told_calls},
};
const struct engine baseline_engine = {.name = "none"};

/* ---- a run, and what is printed of it ---- */

static struct {
	struct clock clock;
	struct database database;
	struct program_facts info;
	struct workload workload;
	struct plan_item item;
	struct settings settings;
	struct run run;
	struct worker workers[EXTRA_THREADS];
	struct thread_stats stats[EXTRA_THREADS];
	struct published_counts published[EXTRA_THREADS];
	struct growth growth[EXTRA_THREADS];
	struct slot slots[EXTRA_THREADS][EXTRA_SLOTS];
	uint64_t id[EXTRA_THREADS][EXTRA_SLOTS];
	uint64_t scheduled[EXTRA_SLOTS], response[EXTRA_SLOTS];
	struct aggregate aggregate;
	struct message_texts texts;
	struct hist latency[METRICS_HISTS];
	const char *directory;
} given;

static unsigned next_records(struct generator *g, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		g->id[i] = i;
	return n;
}

/* The run of a workload, by so many threads of which the first are foreground threads. */
static void give_run(const struct workload *workload, unsigned foreground, unsigned all)
{
	const char *directory = given.directory;
	struct run *run = &given.run;

	extra_free_states(&run->extras);
	memset(&given, 0, sizeof given);
	given.directory = directory;
	given.clock.ns_per_tick = (uint64_t)2 << 32;
	given.database.db_dir.facts.value_format = RECORD_FORMAT;
	given.workload = *workload;
	given.info = (struct program_facts){.clock = &given.clock,
					    .database = &given.database};
	given.item = (struct plan_item){.workload = &given.workload,
					.threads = foreground,
					.iteration = 3,
					.measured_threads = foreground};
	*run = (struct run){.info = &given.info,
			    .engine = &engine,
			    .workload = &given.workload,
			    .item = &given.item,
			    .settings = &given.settings,
			    .workers = given.workers,
			    .published = given.published,
			    .foreground = foreground,
			    .all_threads = all};
	run->generator.threads = foreground;
	run->generator.growth = given.growth;
	extra_create_states(&run->extras);
	for (unsigned i = 0; i < all; i++) {
		struct worker *w = &given.workers[i];

		w->run = run;
		w->engine = &engine;
		w->clock = &given.clock;
		w->stats = &given.stats[i];
		w->latencies = w->stats->latency;
		w->responses = w->stats->responses;
		w->monitored.published = &given.published[i];
		w->transaction.times = &w->stats->open_transaction;
		w->transaction.single_writes = true;
		w->generator.workload = &given.workload;
		w->generator.number = i;
		w->generator.is_background = i >= foreground;
		w->generator.slot = given.slots[i];
		w->generator.slots = EXTRA_SLOTS;
		w->generator.id = given.id[i];
		w->generator.next = next_records;
		w->generator.must_find = true;
		w->generator.shared = &run->generator;
		given.published[i].is_measuring = true;
	}
	given.aggregate = (struct aggregate){.info = &given.info,
					     .texts = &given.texts,
					     .workload = &given.workload,
					     .item = &given.item,
					     .foreground = foreground,
					     .latency = given.latency,
					     .procedure = &run->procedure,
					     .extras = &run->extras};
	for (int h = 0; h < METRICS_HISTS; h++)
		given.latency[h].unit = 2;
}

/* The columns of an extra and what it adds to the line, of a row of what is given. */
static void print_row_of(const char *what, const struct extra *extra, struct result r)
{
	const struct row_file_columns *t = &extra->columns;
	const char *row = result_added(&r, t);

	extra->fill(&given.aggregate, &r);
	printf("%s:", what);
	for (unsigned i = 0; i < t->count; i++) {
		const struct row_file_column *c = &t->columns[i];
		double number;
		const char *text;

		memcpy(&number, row + c->offset, sizeof number);
		memcpy(&text, row + c->offset, sizeof text);
		if (c->decimals == ROW_FILE_TEXT && text)
			printf(" %s \"%s\"", c->name, text);
		else if (c->decimals != ROW_FILE_TEXT && !isnan(number))
			printf(" %s %.9g", c->name, number);
	}
	if (extra->append_to_line) {
		char line[256] = "";

		extra->append_to_line(&r, line, sizeof line);
		printf("%s%s", *line ? "; the line: " : "", line);
	}
	printf("\n");
}

/* Options of the command line, after which the defaults hold of all others. */
static void give_options(const char *const *options)
{
	char *command[8] = {"extras", "--device=/dev/given"};
	int n = 2;

	for (; n < 8 && options && options[n - 2]; n++)
		command[n] = (char *)(uintptr_t)options[n - 2];
	config_parse(n, command);
	config_apply();
}

static const struct workload reads = {.name = "reads",
				      .weights = {[OP_GET] = 100},
				      .key_order = ORDER_RANDOM},
			     writes = {.name = "writes",
				       .weights = {[OP_PUT] = 100},
				       .key_order = ORDER_RANDOM};

/* ---- held snapshots ---- */

/* Of one snapshot: the gets tell how it ends. */
static void hold_once(const char *what, const char *gets, bool measured)
{
	struct long_reader_state r;
	const struct long_reader *l;
	enum status status;

	give_run(&writes, 1, 2);
	r = (struct long_reader_state){.worker = &given.workers[1],
				       .result = extra_state(&given.run.extras,
							     &long_reader_extra)};
	l = r.result;
	r.worker->schedule.clock = r.worker->clock;
	atomic_store(&given.published[0].is_measuring, measured);
	told.gets = gets;
	told.value = "value";
	told.released = 0;
	status = hold_one_snapshot(&r);
	printf("%s: status %d, snapshots %u, revoked %u, changed %llu, missing %llu, "
	       "lost "
	       "%llu, released %llu, held %d\n",
	       what, status, l->snapshots, l->revoked,
	       (unsigned long long)l->changed_reads,
	       (unsigned long long)r.worker->tally.missing,
	       (unsigned long long)r.worker->tally.lost,
	       (unsigned long long)told.released, r.worker->holds_snapshot);
}

/* A read through a snapshot is compared with the first one of that record. */
static void read_again(void)
{
	static const char *const values[] = {"one", "one", "two", "one"};
	struct long_reader_state r;

	give_run(&writes, 1, 2);
	r = (struct long_reader_state){.worker = &given.workers[1],
				       .result = extra_state(&given.run.extras,
							     &long_reader_extra)};
	for (unsigned i = 0; i < 4; i++) {
		told.value = values[i];
		told.gets = i == 3 ? "n" : "";
		read_one(&r, 1, !i);
		printf("read %u of a snapshot: changed %llu, reads %llu, bytes %llu, "
		       "missing %llu, lost %llu\n",
		       i, (unsigned long long)r.result->changed_reads,
		       (unsigned long long)r.worker->done,
		       (unsigned long long)r.worker->tally.bytes,
		       (unsigned long long)r.worker->tally.missing,
		       (unsigned long long)r.worker->tally.lost);
	}
	told.gets = "n";
	read_one(&r, 2, true);
	told.gets = "nd";
	read_one(&r, 2, false);
	printf("missing, and again: changed %llu\n",
	       (unsigned long long)r.result->changed_reads);
	read_one(&r, 2, false);
	printf("missing, and then there: changed %llu\n",
	       (unsigned long long)r.result->changed_reads);
}

/* A span counts what the foreground threads did in it; it begins after the warm-up. */
static void span_counts(void)
{
	struct long_reader_state r;
	struct long_reader_span span = {.ops = 5};

	give_run(&writes, 2, 3);
	r = (struct long_reader_state){.worker = &given.workers[2],
				       .result = extra_state(&given.run.extras,
							     &long_reader_extra)};
	given.published[0].is_measuring = false;
	r.span_start = sample_run(r.worker);
	given.published[0].ops = given.published[1].ops = 10;
	given.published[2].ops = 1000;
	answer_requests(&r);
	printf("a span in the warm-up is measured: %d\n", is_span_measured(&r));
	end_span(&r, &span);
	printf("and adds nothing: %g\n", span.ops);
	given.published[0].is_measuring = true;
	answer_requests(&r);
	given.published[0].ops = 110;
	r.span_start.ticks = 7;
	answer_requests(&r);
	printf("it begins once, after it: %d %llu\n", is_span_measured(&r),
	       (unsigned long long)r.span_start.ticks);
	end_span(&r, &span);
	printf("and adds 100: %g\n", span.ops);
}

static void held_snapshots(void)
{
	static const char *const options[] = {"--long_reader=0.03", NULL},
				 *const pauses[] = {"--long_reader=4",
						    "--long_reader_pause=0.5", NULL};
	struct long_reader *l;

	give_options(options);
	hold_once("held to its end", "", true);
	hold_once("revoked as it is taken", "c", true);
	hold_once("revoked as it is held", "ddddddddddddddddc", true);
	hold_once("failed as it is held", "ddddddddddddddddf", true);
	hold_once("in the warm-up", "", false);
	hold_once("revoked in the warm-up", "ddddddddddddddddc", false);
	read_again();
	span_counts();
	give_run(&writes, 1, 2);
	l = extra_state(&given.run.extras, &long_reader_extra);
	*l = (struct long_reader){.snapshots = 3,
				  .revoked = 2,
				  .held = {2.5, 1000, 1 << 20, 300},
				  .between = {0.5, 400, 2048, 7}};
	print_row_of("no long reader", &long_reader_extra, result_unknown());
	given.aggregate.added[0] =
		(struct added_totals){.role = &long_reader_role,
				      .totals = {.ops = 26, .missing = 5}};
	print_row_of("long reader", &long_reader_extra, result_unknown());
	give_options(pauses);
	print_row_of("with pauses", &long_reader_extra, result_unknown());
	l->held.seconds = l->held.ops = 0;
	print_row_of("nothing held", &long_reader_extra, result_unknown());
	l->changed_reads = 4;
	printf("invalid: %s\n", long_reader_extra.invalid_reason(&given.aggregate));
}

/* ---- crossings ---- */

static void crossings(void)
{
	static const char *const warm[] = {"--warmup=1", NULL};
	struct result r = result_unknown();
	struct crossing *c;
	int there;

	give_options(NULL);
	give_run(&reads, 1, 1);
	told.calls = 17;
	given.run.db = (struct db *)(void *)&there;
	crossing_begin(&given.run);
	c = extra_state(&given.run.extras, &crossing_extra);
	printf("calls before: %s, the call takes time: %d\n",
	       c->calls == told.calls ? "all" : "others", c->ns > 0 && c->ns < 1e6);
	told.calls += 250;
	crossing_end(&given.run);
	printf("calls of the run: %llu\n", (unsigned long long)c->calls);
	given.run.db = NULL;
	crossing_end(&given.run);
	printf("and of a database that is closed: %llu\n", (unsigned long long)c->calls);
	*c = (struct crossing){12.5, 4000};
	r.fg_cpu_s = 0;
	print_row_of("no CPU time", &crossing_extra, r);
	r.fg_cpu_s = 0.001;
	print_row_of("one millisecond", &crossing_extra, r);
	r.fg_cpu_s = 0.00001;
	print_row_of("less than they take", &crossing_extra, r);
	give_options(warm);
	print_row_of("after a warm-up", &crossing_extra, r);
}

/* ---- a device by itself ---- */

/* A read takes 0.1 ms, a write 0.5 ms, a sync 0.3 ms, one of 20 1 ms, one of 400 9 ms. */
static struct {
	uint64_t ns;
	unsigned syncs;
	bool refuses_direct;
} limit_device;

static uint64_t limit_raw_ns(void)
{
	return limit_device.ns;
}

static int limit_fcntl(int fd, int command, int flags)
{
	(void)fd, (void)command;
	return limit_device.refuses_direct && flags ? -1 : 0;
}

static ssize_t limit_pread(int fd, void *to, size_t size, off_t at)
{
	(void)fd, (void)to, (void)at;
	limit_device.ns += 100000;
	return (ssize_t)size;
}

static ssize_t limit_pwrite(int fd, const void *from, size_t size, off_t at)
{
	(void)fd, (void)from, (void)at;
	limit_device.ns += 500000;
	return (ssize_t)size;
}

static int limit_sync(int fd)
{
	(void)fd;
	limit_device.syncs++;
	limit_device.ns += limit_device.syncs % 400 == 0  ? 9000000
			   : limit_device.syncs % 20 == 0 ? 1000000
							  : 300000;
	return 0;
}

static void print_device_limit(const char *what, const char *directory)
{
	struct device_limit_columns of = {NAN, NAN, NAN};

	limit_device.ns = limit_device.syncs = 0;
	device_limit_measure(directory, &of);
	printf("%s: a read %.1f ms, a sync %.1f ms, and %.1f ms\n", what,
	       of.device_read_p50_ns / 1e6, of.sync_p50_ns / 1e6, of.sync_p99_ns / 1e6);
}

/* Rows that syncs limit: on a bare device, while the database is open, and later. */
static void device_limit_rows(void)
{
	struct result r = result_unknown();

	give_run(&writes, 1, 1);
	snprintf(given.database.db_dir.path, sizeof given.database.db_dir.path, "%s",
		 given.directory);
	r.seconds = 1;
	r.bound_by = "sync";
	print_row_of("limited on a bare device", &device_limit_extra, r);
	((struct config *)(uintptr_t)cfg)->device = "";
	given.database.db = (struct db *)(void *)&given;
	print_row_of("limited and open", &device_limit_extra, r);
	given.database.db = NULL;
	print_row_of("limited and closed", &device_limit_extra, r);
	r.seconds = 0.9;
	print_row_of("limited for less than a second", &device_limit_extra, r);
	give_options(NULL);
}

static void device_limits(void)
{
	print_device_limit("a device by itself", given.directory);
	limit_device.refuses_direct = true;
	print_device_limit("one with reads from memory", given.directory);
	print_device_limit("one that cannot be written", "/missing");
	limit_device.refuses_direct = false;
	device_limit_rows();
}

/* ---- counters of the engine ---- */

static void counters(void)
{
	char path[300], option[330];
	const char *const options[] = {option, NULL};
	struct engine_counters *c;
	struct result r = result_unknown();

	snprintf(path, sizeof path, "%s/counters.tsv", given.directory);
	snprintf(option, sizeof option, "--engine_counters=%s", path);
	give_options(options);
	r.time = "a time";
	r.engine = r.label = "told";
	r.benchmark = "reads";
	r.threads = 2;
	r.iteration = r.repetition = r.valid = 1;
	r.ops = 90;
	r.reads = 70;
	r.writes = 20;
	r.scans = 10;
	for (int i = 0; i < 3; i++) {
		give_run(&reads, 2, 2);
		given.item.is_warmup = i == 1;
		r.valid = i != 2;
		told.counters = "words\nget.hit\t7\nget\t5\nonly.words\tx\nput\t1\n";
		engine_counters_begin(&given.run);
		told.counters = "get\t30\nget.hit\t9\nwords\nnew\t4\n\t3\nhalf\t2.5 x\n"
				"put\t1";
		given.run.db = (struct db *)(void *)&r;
		engine_counters_end(&given.run);
		engine_counters_fill(&given.aggregate, &r);
		c = extra_state(&given.run.extras, &engine_counters_extra);
		printf("counters are freed: %d\n", !c->begin && !c->end);
	}
	r.valid = 1;
	r.reads = r.writes = r.scans = 0;
	give_run(&reads, 2, 2);
	engine_counters_begin(&given.run);
	given.run.db = (struct db *)(void *)&r;
	told.counters = "put\t3\n";
	engine_counters_end(&given.run);
	engine_counters_fill(&given.aggregate, &r);
}

/* ---- backups ---- */

/* Half of a run of 10 s, and what else a backup and the threads may have of each other. */
static void backup_rates(void)
{
	static const struct {
		const char *what;
		double seconds, ops, all_ops;
		uint64_t began_s, ended_s, last_s;
		bool done, maintenance;
	} backups[] = {
		{"within the run", 10, 300, 1100, 3, 5, 11, true, false},
		{"outlasts the run", 10, 300, 1100, 9, 15, 11, true, false},
		{"after the run", 10, 0, 1100, 12, 15, 11, true, false},
		{"all of the run", 10, 1100, 1200, 1, 11, 11, true, false},
		{"nothing outside", 10, 1100, 1100, 2, 4, 11, true, false},
		{"was not made", 10, 300, 1100, 3, 5, 11, false, false},
		{"alone", 2, 0, 1, 3, 5, 5, true, true},
	};

	for (size_t i = 0; i < sizeof backups / sizeof *backups; i++) {
		struct workload workload = writes;
		struct backup *b;

		workload.maintenance = backups[i].maintenance ? backup_alone : NULL;
		give_run(&workload, 2, 3);
		b = backup_of(&given.run);
		*b = (struct backup){.done = backups[i].done,
				     .method = engine.backup_by,
				     .began_ticks = backups[i].began_s * 500000000,
				     .ended_ticks = backups[i].ended_s * 500000000,
				     .bytes = 6000,
				     .ops = backups[i].ops,
				     .records = 77,
				     .digest = {5, 6},
				     .consistent = i % 2 ? 1 : NAN};
		given.aggregate.foreground_totals =
			(struct totals){.ops = (uint64_t)backups[i].all_ops,
					.seconds = backups[i].seconds,
					.last_end = backups[i].last_s * 500000000};
		if (!backups[i].maintenance)
			given.aggregate.added[0].role = &backup_role;
		print_row_of(backups[i].what, &backup_extra, result_unknown());
	}
}

static void print_emulated(const char *what, const char *emulated)
{
	printf("%s: %s\n", what, emulated ? emulated : "not emulated");
}

/* Is it valid, and is it the engine's own? */
static void backup_judged(void)
{
	struct backup *b;

	give_run(&writes, 2, 3);
	given.aggregate.records_least = 77;
	b = backup_of(&given.run);
	for (int i = 0; i < 6; i++) {
		const char *reason;

		*b = (struct backup){.done = i > 0,
				     .method = i % 5 == 0
						       ? "copy of files, while all wait"
						       : engine.backup_by,
				     .records = i == 4   ? 76
						: i == 5 ? 78
							 : 77,
				     .wrong = i == 3,
				     .consistent = i == 2 || !i ? 0
						   : i == 5     ? 1
								: NAN};
		reason = backup_extra.invalid_reason(&given.aggregate);
		printf("backup %d: %s\n", i, reason ? reason : "valid");
		print_emulated("it is", backup_extra.emulated(&given.aggregate));
	}
}

/* Can the writes be made again? Each case differs from the first in one thing. */
static void backup_checked(void)
{
	static const char *const verifies[] = {"--verify=1", NULL},
				 *const warm[] = {"--verify=1", "--warmup=1", NULL};
	static const char *const cases[] = {
		"overwrites",    "not verified",
		"a warm-up",     "a writer of its own",
		"values by key", "reads",
		"mixed calls",   "inserts before",
		"short values",  "a load of short values",
		"appends",       "values of the header's size"};

	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct workload workload = writes;

		workload.own_background =
			i == 3 ? OWN_BACKGROUND_WRITER : OWN_BACKGROUND_NONE;
		workload.starts_empty = i == 9;
		workload.weights[OP_PUT] = i == 10 || i == 5 ? 0 : 100;
		workload.weights[OP_APPEND] = i == 10 ? 100 : 0;
		workload.weights[OP_GET] = i == 5 ? 100 : i == 6 ? 1 : 0;
		give_options(i == 1 ? NULL : i == 2 ? warm : verifies);
		give_run(&workload, 2, 3);
		given.run.generator.values_by_key = i == 4;
		given.run.generator.num = 100;
		given.run.generator.first_free_id = i == 7 ? 101 : 100;
		given.run.generator.value_sizes.min = i == 8 || i == 9 ? 4
						      : i == 11 ? RECORD_HEADER_SIZE
								: RECORD_HEADER_SIZE + 1;
		printf("a backup beside %s is checked: %d\n", cases[i],
		       can_check_consistency(&given.run));
	}
}

enum { REPLAYED = 1000, WRITES = 6 };

/* The writes of two threads. */
static struct {
	struct replayed_write of[2][WRITES];
	unsigned thread;
} replayed;

static void note_replayed(struct consistency_check *c, const struct replayed_write *e)
{
	(void)c;
	replayed.of[replayed.thread][e->nth] = *e;
}

/* A copy that has the first writes of each thread, but one of the first. */
static bool copy_is_consistent(uint64_t *copy, unsigned first, unsigned second,
			       unsigned without)
{
	const uint64_t *before = backup_of(&given.run)->generations_before;

	for (unsigned i = 0; i < REPLAYED; i++)
		copy[i] = before ? before[i] : UINT64_MAX;
	for (unsigned i = 0; i < first; i++)
		if (i != without)
			copy[replayed.of[0][i].id] = replayed.of[0][i].generation;
	for (unsigned i = 0; i < second; i++)
		copy[replayed.of[1][i].id] = replayed.of[1][i].generation;
	return is_consistent(&given.run, copy);
}

/*
 * The first thread had two writes acknowledged as the backup began, and had begun four
 * as it ended; the second one, three and five. The value of the first thread's second
 * write may have been there before.
 */
static void backup_consistent(const char *what, const struct workload *workload,
			      bool was_there)
{
	static uint64_t before[REPLAYED], copy[REPLAYED];
	uint64_t ops_before[] = {2, 3}, ops_after[] = {4, 5};
	struct consistency_check c = {.run = &given.run};
	struct backup *b;

	give_run(workload, 2, 3);
	given.run.generator = (struct generator_shared){
		.workload = &given.workload,
		.num = REPLAYED,
		.first_free_id = REPLAYED,
		.operations = WRITES * (workload->divided ? 2 : 1),
		.threads = 2,
		.all_threads = 2,
		.key_size = 16,
		.value_sizes = {.min = 100, .max = 100},
		.growth = given.growth,
	};
	b = backup_of(&given.run);
	b->ops_before = ops_before;
	b->ops_after = ops_after;
	b->generations_before = workload->starts_empty ? NULL : before;
	given.workers[0].done = given.workers[1].done = WRITES;
	for (replayed.thread = 0; replayed.thread < 2; replayed.thread++)
		replay_writes(&c, replayed.thread, note_replayed);
	memset(before, 0, sizeof before);
	if (was_there)
		before[replayed.of[0][1].id] = replayed.of[0][1].generation;
	printf("%s, the first thread's writes in the copy:", what);
	for (unsigned n = 0; n <= WRITES; n++)
		printf(" %u:%d", n, copy_is_consistent(copy, n, 4, UINT_MAX));
	printf("\n%s, the second thread's:", what);
	for (unsigned n = 0; n <= WRITES; n++)
		printf(" %u:%d", n, copy_is_consistent(copy, 3, n, UINT_MAX));
	printf("\n%s, without one of the first thread's four:", what);
	for (unsigned n = 0; n < 4; n++)
		printf(" %u:%d", n, copy_is_consistent(copy, 4, 4, n));
	printf("\n");
}

/* Each thread's values, and each measurement's, have generations of their own. */
static void print_generations(void)
{
	for (uint64_t stream = 0; stream < 2; stream++) {
		struct random random = random_seed(1, "generations");

		printf("generations of stream %llu begin with:",
		       (unsigned long long)stream);
		give_run(&writes, 2, 3);
		given.run.generator.num = given.run.generator.first_free_id = 9;
		given.run.generator.all_threads = 2;
		given.run.generator.key_size = 16;
		given.run.generator.value_sizes =
			(struct record_sizes){.min = 10, .max = 10};
		given.run.generator.value_stream = stream;
		given.run.generator.workload = &given.workload;
		for (unsigned i = 0; i < 3; i++) {
			struct generator g;

			generator_init(&g, &given.run.generator, &given.workload, i,
				       &random, NULL, 0);
			printf(" %llx", (unsigned long long)g.generation);
			distinct_count_free(&g.distinct_keys);
			generator_free(&g);
		}
		printf("\n");
	}
}

/* What a copy holds, and how far threads had come. */
static void backup_contents(void)
{
	static const char *const verifies[] = {"--verify=1", NULL};
	struct database_contents c;
	uint64_t to[3];

	give_options(verifies);
	give_run(&writes, 3, 3);
	given.run.generator.key_size = 16;
	given.run.generator.value_sizes = (struct record_sizes){.min = 4, .max = 4};
	c = contents_init(&given.run, false);
	told.records = "abca";
	printf("read: status %d", read_session(&c, NULL));
	printf(", records %g, wrong %g, digest %016llx\n", c.records, c.wrong,
	       (unsigned long long)record_digest(c.digest));
	free(c.scratch);
	for (unsigned i = 0; i < 3; i++) {
		given.published[i].ops = 10 * (i + 1);
		given.published[i].begun_ops = 10 * (i + 1) + 5;
		given.workers[i].generator.slots = 100 * (i + 1);
	}
	read_progress(&given.run, to, acknowledged_ops);
	printf("acknowledged: %llu %llu %llu\n", (unsigned long long)to[0],
	       (unsigned long long)to[1], (unsigned long long)to[2]);
	read_progress(&given.run, to, possibly_begun_ops);
	printf("begun at most: %llu %llu %llu\n", (unsigned long long)to[0],
	       (unsigned long long)to[1], (unsigned long long)to[2]);
}

/* While the engine copies, threads do and begin more. */
static void work_meanwhile(void)
{
	for (unsigned i = 0; i < 2; i++) {
		given.published[i].ops = 50 * (i + 1);
		given.published[i].begun_ops = 50 * (i + 1) + 7;
	}
}

/*
 * Of three records one has another one's value, and one another key, which a trace's may
 * have; others' records are not checked.
 */
static void backup_records(void)
{
	static const char *const verifies[] = {"--verify=1", NULL};
	static const char *const of[] = {"records", "records of a trace",
					 "records of others"};
	static char keys[2][16], values[2][80];
	const struct record_key_shape shape = {.format = KEYS_DECIMAL,
					       .size = 16,
					       .stride = 16};
	const struct slice scan[][2] = {{{keys[0], 16}, {values[0], 80}},
					{{keys[1], 16}, {values[0], 80}},
					{{keys[1], 15}, {values[1], 80}}};
	const uint64_t ids[] = {4, 6};
	struct database_contents c;

	memset(keys, '0', sizeof keys);
	record_write_keys(&shape, keys[0], ids, 2);
	give_options(verifies);
	for (unsigned i = 0; i < 2; i++)
		record_write_value(values[i], sizeof values[i], config_value_ratio(),
				   ids[i], 70 + i);
	for (int k = 0; k < 3; k++) {
		give_run(&writes, 1, 1);
		given.run.generator.num = 6;
		given.run.generator.key_size = 16;
		given.run.generator.value_sizes =
			k == 1 ? (struct record_sizes){.min = 1,
						       .max = 1,
						       .any_size_max = 80}
			       : (struct record_sizes){.min = 80, .max = 80};
		given.run.generator.any_keys = k == 1;
		if (k == 2)
			given.database.db_dir.facts.value_format = 256;
		told.scan = scan;
		told.scans = 3;
		told.records = "";
		c = contents_init(&given.run, true);
		read_session(&c, NULL);
		printf("of three %s wrong %g; generations:", of[k], c.wrong);
		for (unsigned i = 0; i < 6; i++)
			printf(" %lld", (long long)c.generation[i]);
		printf("\n");
		free(c.generation);
		free(c.scratch);
	}
}

static void backup_progress(void)
{
	uint64_t before[2] = {0}, after[2] = {0};
	struct backup *b;

	give_run(&writes, 2, 3);
	b = backup_of(&given.run);
	b->ops_before = before;
	b->ops_after = after;
	b->dir.marker_fd = -1;
	given.published[0].ops = 3;
	given.published[1].ops = 4;
	told.meanwhile = work_meanwhile;
	backup_during_run(&given.workers[2]);
	printf("meanwhile: before %llu %llu, after %llu %llu, done %g, by %s, in order "
	       "%d\n",
	       (unsigned long long)before[0], (unsigned long long)before[1],
	       (unsigned long long)after[0], (unsigned long long)after[1], b->ops,
	       b->method, b->began_ticks <= b->ended_ticks);
}

static void backups(void)
{
	static const char *const options[] = {"--backup=2", NULL};
	struct workload fill = {.name = "fill",
				.weights = {[OP_PUT] = 100},
				.key_order = ORDER_SEQUENTIAL,
				.divided = true,
				.starts_empty = true};

	give_options(options);
	backup_rates();
	backup_judged();
	backup_checked();
	give_options(NULL);
	backup_consistent("overwrites", &writes, false);
	backup_consistent("overwrites, one by what was there", &writes, true);
	backup_consistent("load", &fill, false);
	print_generations();
	backup_contents();
	backup_records();
	backup_progress();
}

/* ---- acknowledged puts ---- */

static void journal_finds(void)
{
	const unsigned threads = 3;
	struct journal_header *header = message_alloc(1, journal_size(threads));
	static const struct {
		const char *what;
		unsigned thread;
		uint64_t nth, id, generation;
	} finds[] = {
		{"the put itself", 0, 1, 8, 101},
		{"a later put of the thread", 0, 0, 7, 102},
		{"an older put of the thread", 0, 2, 7, 100},
		{"its next put, not acknowledged", 0, 1, 8, 103},
		{"a put after that", 0, 1, 8, 104},
		{"a value from before", 0, 0, 7, 99},
		{"another thread's put", 0, 0, 7, 501},
		{"another thread's put of another record", 0, 1, 8, 501},
		{"another thread's next put", 0, 1, 8, 502},
		{"that of a thread without puts", 0, 1, 8, 900},
	};

	*header = (struct journal_header){JOURNAL_MAGIC, threads, 10};
	for (unsigned t = 0; t < threads; t++) {
		struct journal_list *list = journal_list_of(header, t);

		list->count = t == 0 ? 3 : t == 2 ? 2 : 0;
		list->generation = t == 0 ? 100 : t == 2 ? 500 : 900;
		list->id[0] = t == 0 ? 7 : 9;
		list->id[1] = t == 0 ? 8 : 7;
		list->id[2] = 7;
	}
	for (size_t i = 0; i < sizeof finds / sizeof *finds; i++)
		printf("journal, %s: %d\n", finds[i].what,
		       journal_has_put(header, finds[i].thread, finds[i].nth, finds[i].id,
				       finds[i].generation));
	free(header);
}

/* Which workloads are single puts? Each differs from an overwrite in one thing. */
static void journal_accepts(void)
{
	static const char *const one[] = {"--batch_size=1", NULL},
				 *const two[] = {"--batch_size=2", NULL};
	const struct procedure procedure = {.title = "none"};

	for (int i = 0; i < 11; i++) {
		struct workload w = writes;

		give_options(i == 9 ? two : i == 10 ? NULL : one);
		w.weights[OP_PUT] = i == 1 ? 0 : i == 2 ? 99 : 100;
		w.weights[OP_DELETE] = i == 2;
		w.next = i == 3 ? queue_next : NULL;
		w.procedure = i == 4 ? &procedure : NULL;
		w.own_background = i == 5 ? OWN_BACKGROUND_SCANNER : OWN_BACKGROUND_NONE;
		w.starts_empty = i == 6;
		w.bulk_load = i == 7;
		w.batched = i == 8 || i == 9;
		if (i == 10)
			((struct config *)(uintptr_t)cfg)->value_sizes.min =
				RECORD_HEADER_SIZE;
		printf("journal takes workload %d: %d\n", i, journal_takes(&w));
	}
}

/* A chunk is listed from the slot on that comes next; a full list ends what remains. */
static void journal_lists(void)
{
	static const struct {
		unsigned left, remaining;
	} ends[] = {{2, 1}, {1, 0}, {1, 1}};
	struct journal_list *list = message_alloc(1, sizeof *list);
	struct worker *w = &given.workers[0];

	give_options(NULL);
	give_run(&writes, 1, 1);
	w->observer_state = list;
	for (uint64_t i = 0; i < EXTRA_SLOTS; i++)
		w->generator.id[i] = 40 + i;
	w->next_slot = 2;
	commit_journal_add(w, 3);
	w->next_slot = 9;
	commit_journal_add(w, 1);
	commit_journal_add(w, 0);
	printf("listed:");
	for (uint64_t i = 0; i < list->count; i++)
		printf(" %llu", (unsigned long long)list->id[i]);
	for (int i = 0; i < 3; i++) {
		list->count = JOURNAL_MOST - ends[i].left;
		w->remaining = ends[i].remaining;
		commit_journal_add(w, 1);
		printf("; stops: %d", w->run->monitor.stop);
	}
	printf("\n");
	free(list);
}

/* Each put is read back, and the first of those that are not there is told. */
static void journal_checks(void)
{
	static const struct {
		const char *what, *gets;
		uint64_t id, generation; /* of the value that is there */
		size_t size;
	} rows[] = {
		{"there", "", 8, 101, 50},
		{"older", "", 8, 99, 50},
		{"of another", "", 7, 101, 50},
		{"gone", "n", 8, 101, 50},
		{"shorter", "", 8, 101, 49},
		{"a later put of another record", "", 8, 102, 50},
		{"next one", "", 8, 103, 50},
	};
	struct journal_header *header = message_alloc(1, journal_size(2));
	struct journal_list *list = journal_list_of(header, 1);
	struct worker *w = &given.workers[0];
	char value[50], scratch[64], keys[64];
	struct journal_reader r = {.run = &given.run, .scratch = scratch};

	give_run(&writes, 1, 1);
	memset(keys, '0', sizeof keys);
	*header = (struct journal_header){JOURNAL_MAGIC, 2, 10};
	list->count = 3;
	list->generation = 100;
	list->id[0] = list->id[2] = 7;
	list->id[1] = 8;
	given.run.generator.value_sizes = (struct record_sizes){.min = 50, .max = 50};
	w->generator.key_buffer = keys;
	w->generator.key_shape = (struct record_key_shape){.format = KEYS_DECIMAL,
							   .size = 16,
							   .stride = 16};
	w->generator.value_ratio = 128;
	r.generator = &w->generator;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct journal_run *state =
			extra_state(&given.run.extras, &commit_journal_extra);

		*state = (struct journal_run){.lost = 0};
		record_write_value(value, sizeof value, 128, rows[i].id,
				   rows[i].generation);
		told.gets = rows[i].gets;
		told.value = value;
		told.value_size = rows[i].size;
		journal_check_put(&r, header, 1, 1);
		told.gets = "n";
		journal_check_put(&r, header, 1, 2);
		printf("journal check, %s: %g of %g lost, first %s; key %.16s\n",
		       rows[i].what, state->lost, state->commits, state->first_lost,
		       keys);
	}
	told.gets = told.value = NULL;
	told.value_size = 0;
	free(header);
}

static void journals(void)
{
	struct journal_run *state;

	journal_finds();
	journal_accepts();
	journal_lists();
	journal_checks();
	give_run(&writes, 1, 1);
	state = extra_state(&given.run.extras, &commit_journal_extra);
	*state = (struct journal_run){.commits = 9, .lost = 0};
	print_row_of("journal of another workload", &commit_journal_extra,
		     result_unknown());
	given.workload.maintenance = journal_verify;
	print_row_of("none lost", &commit_journal_extra, result_unknown());
	printf("invalid: %d\n", commit_journal_invalid_reason(&given.aggregate) != NULL);
	*state = (struct journal_run){.commits = 9, .lost = 1, .first_lost = "put 3"};
	print_row_of("one lost", &commit_journal_extra, result_unknown());
	printf("invalid: %s\n", commit_journal_invalid_reason(&given.aggregate));
}

/* ---- queues ---- */

/* Ten queues of three threads, and twenty operations of each. */
static void queues_divided(void)
{
	static const char *const options[] = {"--queues=10", "--num=20", NULL};

	give_options(options);
	for (unsigned i = 0; i < 4; i++) {
		struct queue *q = queue_create(i % 3, 3, i == 3 ? 3 : 20);

		printf("thread %u: %llu queues of %llu records, %llu changes, first "
		       "records %llu %llu\n",
		       i % 3, (unsigned long long)q->queue_count,
		       (unsigned long long)q->capacity,
		       (unsigned long long)q->changes_left,
		       (unsigned long long)queue_record_id(q, 0, 0),
		       (unsigned long long)queue_record_id(q, 1, 2));
		queue_free(q);
	}
}

/* One queue is chosen from; deletions are wanted at each other operation. */
static void queue_operations(void)
{
	struct queue *q = queue_create(1, 2, 12);
	struct random random = random_seed(1, "queue");

	q->queue_count = 2;
	printf("queue:");
	for (unsigned i = 0; i < 15; i++) {
		uint64_t id = 0, head = 0;
		enum call call = queue_choose(q, &random, i % 2 == 0, &id, &head);

		printf(" %s %llu",
		       call == CALL_PUT      ? "append"
		       : call == CALL_DELETE ? "delete"
					     : "seek",
		       (unsigned long long)id);
		if (call == CALL_OWN_SCAN)
			printf(" (%lld)", (long long)head);
		if (i == 12) /* the other one is empty */
			q->head[1] = q->tail[1];
	}
	printf("; postponed %llu\n", (unsigned long long)q->postponed_deletes);
	queue_free(q);
}

/* What a seek finds, and what it should have found. */
static void queue_heads(void)
{
	static const struct {
		const char *what;
		bool finds;
		uint64_t found, expected;
	} heads[] = {
		{"its head", true, 105, 105},
		{"another head", true, 106, 105},
		{"of an empty queue its own record", true, 120, UINT64_MAX},
		{"of an empty queue the next one's first", true, 121, UINT64_MAX},
		{"of an empty queue nothing", false, 0, UINT64_MAX},
		{"nothing", false, 0, 105},
	};
	struct record_key_shape shape = {.format = KEYS_DECIMAL,
					 .size = 16,
					 .stride = 16};
	static char keys[2][16];

	memset(keys, '0', sizeof keys);
	told.records = "";
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
		struct worker *w = &given.workers[0];
		struct queue *q = queue_create(0, 1, 9);
		uint64_t ids[2] = {heads[i].found, heads[i].found};

		give_run(&writes, 1, 1);
		q->expected_head = message_alloc(EXTRA_SLOTS, sizeof *q->expected_head);
		q->capacity = 21;
		q->expected_head[1] = heads[i].expected;
		w->generator.source = q;
		w->generator.id[1] = 100;
		w->generator.key_shape = shape;
		record_write_keys(&shape, keys[0], ids, 2);
		told.found = (struct slice){heads[i].finds ? keys[0] : NULL, 16};
		printf("queue finds %s: status %d", heads[i].what,
		       queue_seek(w, &w->generator.slot[1]));
		printf(", wrong %llu, entries %llu, bytes %llu, missing %llu, lost "
		       "%llu\n",
		       (unsigned long long)w->wrong, (unsigned long long)w->entries,
		       (unsigned long long)w->tally.bytes,
		       (unsigned long long)w->tally.missing,
		       (unsigned long long)w->tally.lost);
		queue_free(q);
	}
	told.found.data = NULL;
}

static void queues(void)
{
	queues_divided();
	queue_operations();
	queue_heads();
}

/* ---- slow calls ---- */

static struct slow_thread *slow_begun(unsigned thread, uint64_t capacity)
{
	struct slow_thread *t = message_alloc(1, sizeof *t + capacity * sizeof *t->kept);

	t->capacity = capacity;
	t->fd = -1;
	t->least = 5000;
	t->read_least = t->read_every = UINT64_MAX;
	given.workers[thread].observer = &slow_calls_observer;
	given.workers[thread].observer_state = t;
	return t;
}

static void print_kept(const char *what, const struct slow_thread *t)
{
	uint64_t fastest = UINT64_MAX;

	printf("%s, not below %llu ticks:", what, (unsigned long long)t->least);
	for (uint64_t i = 0; i < t->count; i++) {
		const struct slow_call *c = &t->kept[i];

		fastest = c->ticks < fastest ? c->ticks : fastest;
		printf(" [%llu at %llu-%llu record %llu kind %d thread %u open %llu "
		       "known %d]",
		       (unsigned long long)c->ticks, (unsigned long long)c->begin,
		       (unsigned long long)c->end, (unsigned long long)c->id, c->kind,
		       c->thread, (unsigned long long)c->open_in, c->is_known);
	}
	printf("%s\n", t->is_heap && t->kept->ticks != fastest ? "; no heap" : "");
}

/* A chunk of calls of so many ticks; 0 ends them. */
static void slow_chunk_done(struct worker *w, uint64_t began, const uint64_t *ticks)
{
	unsigned n = 0;

	w->chunk_began = w->ended_at = began;
	for (; ticks[n]; n++) {
		w->generator.slot[w->next_slot + n].ticks = ticks[n];
		w->generator.slot[w->next_slot + n].call = n % 2 ? CALL_GET : CALL_PUT;
		w->generator.id[w->next_slot + n] = began + n;
		w->ended_at += ticks[n];
	}
	slow_calls_done(w, n);
}

/* Which calls are kept, and where in time they were. */
static void slow_kept(void)
{
	static const uint64_t few[] = {5000, 5001, 9000, 0},
			      more[] = {20000, 6000, 7000, 30000, 5002, 0},
			      most[] = {8000, 0}, none[] = {0};
	struct worker *w = &given.workers[1];
	struct slow_thread *t;

	give_run(&writes, 2, 2);
	w->scheduled = given.scheduled;
	w->response = given.response;
	t = slow_begun(1, 4);
	w->next_slot = 3;
	w->is_warming_up = true;
	slow_chunk_done(w, 1000, few);
	print_kept("of a warm-up", t);
	w->is_warming_up = false;
	slow_chunk_done(w, 1000, few);
	print_kept("some", t);
	slow_chunk_done(w, 100000, more);
	print_kept("the slowest", t);
	slow_chunk_done(w, 200000, most);
	print_kept("one more", t);
	slow_chunk_done(w, 300000, none);
	print_kept("none more", t);
	free(t);
	t = slow_begun(1, 4);
	w->is_scheduled = true;
	given.scheduled[4] = 500000;
	given.response[4] = 70000;
	given.scheduled[5] = 510000;
	given.response[5] = 75000;
	slow_chunk_done(w, 400000, few);
	print_kept("in an open loop", t);
	w->is_scheduled = false;
	w->is_multiget = true;
	slow_chunk_done(w, 600000, more);
	print_kept("and a multi-get", t);
	free(t);
}

/* Calls of a transaction that is open, and is rolled back or not. */
static void slow_undone(void)
{
	static const uint64_t calls[] = {9000, 8000, 7000, 0}, more[] = {6000, 0};
	struct worker *w = &given.workers[0];
	struct slow_thread *t;

	give_run(&writes, 1, 1);
	t = slow_begun(0, 3);
	w->transaction.single_writes = false;
	w->transaction.commits = 4;
	w->transaction.pending = 2;
	slow_chunk_done(w, 1000, calls);
	print_kept("two are open", t);
	w->transaction.commits = 5;
	w->transaction.pending = 0;
	slow_calls_undone(w);
	print_kept("another was rolled back", t);
	w->transaction.commits = 4;
	slow_calls_undone(w);
	print_kept("theirs was rolled back", t);
	slow_chunk_done(w, 50000, more);
	print_kept("and one more", t);
	free(t);
}

static void print_split(const char *what, unsigned n, struct slow_chunk c)
{
	const struct worker *w = &given.workers[0];

	split_chunk(w, n, &c);
	printf("%s: calls %g, off the core %g, runnable %g, known %d\n", what, c.calls_ns,
	       c.off_ns, c.runnable_ns, c.is_known);
}

/* What a chunk waited, and the part of a call in it. Slots 2 and 3 take 3 and 1 ms. */
static void slow_parts(void)
{
	struct slow_chunk c = {.is_known = true,
			       .window_ns = 5e6,
			       .off_ns = 3.5e6,
			       .runnable_ns = 1e6,
			       .slept = true};
	struct slow_call call = {.ticks = 1500000, .begin = 1000, .end = 1501000};
	struct worker *w = &given.workers[0];
	struct slow_thread *t;

	give_run(&writes, 3, 3);
	t = slow_begun(0, 3);
	w->next_slot = 2;
	w->generator.slot[2].ticks = 1500000;
	w->generator.slot[3].ticks = 500000;
	print_split("closed", 2, c);
	w->is_scheduled = true;
	print_split("open", 2, c);
	c.window_ns = 7e6;
	print_split("open, a long pause", 2, c);
	w->is_scheduled = false;
	print_split("closed, as long", 2, c);
	c.window_ns = 6.9e6;
	print_split("closed, not as long", 2, c);
	c.off_ns = 9e6;
	c.runnable_ns = 8e6;
	print_split("off for longer than the calls", 2, c);
	c.off_ns = -5;
	print_split("on the core", 2, c);
	c = (struct slow_chunk){.is_known = true,
				.device_read = true,
				.calls_ns = 4e6,
				.off_ns = 2e6,
				.runnable_ns = 4e5,
				.steal_ns = 8e5};
	for (unsigned i = 0; i < 3; i++) {
		call.ticks = i == 2 ? 499999 : 1500000;
		describe_call(w, t, &c, i == 1 ? 1 : 2, &call);
		printf("part %u: known %d, read %d, cpu %llu, runnable %llu, steal %llu, "
		       "blocked %llu\n",
		       i, call.is_known, call.device_read, (unsigned long long)call.cpu,
		       (unsigned long long)call.runnable, (unsigned long long)call.steal,
		       (unsigned long long)call.blocked);
	}
	free(t);
}

/* Syncs of three threads during a call of the second one, from 1000 to 2000. */
static void slow_syncs(void)
{
	static const uint64_t spans[3][2][2] = {{{900, 1100}, {1500, 1600}},
						{{1200, 1250}, {3000, 3100}},
						{{1900, 2100}, {2500, 2600}}};
	struct slow_call call = {.ticks = 1000, .begin = 1000, .end = 2000};
	struct slow_thread *t[3];

	give_run(&writes, 2, 4);
	for (unsigned i = 0; i < 3; i++) {
		t[i] = slow_begun(i, 1);
		for (unsigned s = 0; s < 2; s++) {
			t[i]->syncs.span[s].begin = spans[i][s][0];
			t[i]->syncs.span[s].end = spans[i][s][1];
		}
		t[i]->syncs.count = 2;
	}
	printf("syncs of others: %llu\n",
	       (unsigned long long)other_sync_ticks(&given.workers[1], &call));
	call.ticks = 150;
	printf("at most the call: %llu\n",
	       (unsigned long long)other_sync_ticks(&given.workers[1], &call));
	for (unsigned i = 0; i < 3; i++)
		free(t[i]);
}

/* Times of an engine's two clocks; events that ended in the run. */
static void slow_events(void)
{
	struct slow_calls_run s = {.began = {1000, {5000, 900000}},
				   .ended = {3000, {9000, 901000}}};
	static const struct event events[] = {
		{EVENT_FLUSH, 0, false, 4000, 5000},
		{EVENT_FLUSH, 0, false, 4000, 5002},
		{EVENT_STALL, STALL_LEVEL0, true, 900500, 900750},
		{EVENT_COMPACTION, 0, true, 5500, 6000},
		{EVENT_COMPACTION, 0, false, 8000, 8998},
		{EVENT_CHECKPOINT, 0, false, 8000, 9000},
	};

	for (size_t i = 0; i < sizeof events / sizeof *events; i++)
		note_slow_event(&s, &events[i]);
	printf("events:");
	for (size_t i = 0; i < s.events_count; i++)
		printf(" [kind %d %llu-%llu reason %d]", s.events[i].kind,
		       (unsigned long long)s.events[i].begin,
		       (unsigned long long)s.events[i].end, s.events[i].reason);
	printf("\n");
	free(s.events);
}

/* The columns: of the calls above their kind's p99, and what of them has which cause. */
static void slow_columns(void)
{
	static const struct slow_line lines[] = {
		{NULL,
		 {.part = {[SLOW_CPU] = 0.25, [SLOW_STALL] = 0.75},
		  .stall = STALL_LEVEL0},
		 4e6},
		{NULL, {.part = {[SLOW_STALL] = 1}, .stall = STALL_MEMTABLES}, 1e6},
		{NULL,
		 {.part = {[SLOW_STALL] = 0.5, [SLOW_BLOCKED] = 0.5},
		  .stall = STALL_COMPACTION},
		 2e6},
		{NULL, {.part = {[SLOW_STALL] = 1}, .stall = STALL_UNKNOWN}, 1e6},
		{NULL, {.part = {[SLOW_OTHER_WRITER] = 0.5, [SLOW_FLUSH] = 0.5}}, 8e6},
		{NULL, {.part = {[SLOW_OTHER_WRITER] = 0.25, [SLOW_CPU] = 0.75}}, 4e6},
	};
	const struct slow_call call = {.ticks = 1000, .other_sync = 300};
	struct slow_calls_columns c = {0};

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct slow_line line = lines[i];

		line.call = &call;
		add_line(&c, &line);
	}
	finish_columns(&c, 50e6);
	printf("slow: calls %g above %g covered %g stall %g memtables %g compaction %g "
	       "level0 %g "
	       "other writer %g other sync %g ended %g blocked %g\n",
	       c.calls, c.above_ms, c.covered, c.percent[SLOW_STALL], c.stall_flush,
	       c.stall_compaction, c.stall_level0, c.percent[SLOW_OTHER_WRITER],
	       c.other_sync, c.percent[SLOW_FLUSH], c.percent[SLOW_BLOCKED]);
	c = (struct slow_calls_columns){0};
	finish_columns(&c, 0);
	printf("none: calls %g above %g covered %g stall %g\n", c.calls, c.above_ms,
	       c.covered, c.stall_flush);
	c = (struct slow_calls_columns){.above_ms = 3};
	finish_columns(&c, 2e6);
	printf("all: covered %g\n", c.covered);
}

/* The file, and the columns of calls of two kinds: 1000 reads and 100 writes. */
static void slow_file(void)
{
	char path[300], option[330];
	const char *const options[] = {"--slow_calls=5", option, NULL};
	struct slow_call calls[] = {
		{5000, 3000, 8000, 71, KIND_READ, 0, true, true, 10, 20, 30, 40, 50, 60,
		 0},
		{9000, 500, 9500, 72, KIND_WRITE, 1, false, false, 1, 2, 3, 4, 5, 6, 0},
		{50000, 2000, 52000, 73, KIND_WRITE, 1, true, false, 0, 0, 0, 50000, 0, 0,
		 0},
	};
	struct result r = result_unknown();
	struct slow_calls_run *s;

	r.time = "a time";
	snprintf(path, sizeof path, "%s/slow.tsv", given.directory);
	snprintf(option, sizeof option, "--slow_calls_file=%s", path);
	give_options(options);
	give_run(&writes, 2, 2);
	given.aggregate.foreground_totals.first_start = 1000;
	for (int i = 0; i < 1000; i++)
		hist_record(&given.latency[KIND_READ], i < 995 ? 100 : 5000);
	for (int i = 0; i < 100; i++)
		hist_record(&given.latency[KIND_WRITE], i < 99 ? 9000 : 50000);
	s = extra_state(&given.run.extras, &slow_calls_extra);
	*s = (struct slow_calls_run){.began = {0, {0, 0}},
				     .ended = {100000, {200000, 200000}},
				     .calls = calls,
				     .count = 3};
	print_row_of("slow calls of a run that was not made", &slow_calls_extra,
		     result_unknown());
	s->has_run = true;
	given.item.is_warmup = true;
	print_row_of("slow calls that only warm up", &slow_calls_extra, result_unknown());
	given.item.is_warmup = false;
	print_row_of("slow calls", &slow_calls_extra, r);
}

static void slow(void)
{
	give_options(NULL);
	slow_kept();
	slow_undone();
	slow_parts();
	slow_syncs();
	slow_events();
	slow_columns();
	slow_file();
}

/* ---- aging ---- */

static void aging(void)
{
	static const struct {
		const char *workload;
		unsigned threads, passes;
		double rate;
		bool valid, warms;
	} rows[] = {
		{"fill", 1, 0, 1000, true, false}, {"reads", 1, 0, 500, true, false},
		{"reads", 1, 0, 700, true, false}, {"reads", 1, 0, 9000, false, false},
		{"reads", 1, 0, 9000, true, true}, {"reads", 2, 0, 800, true, false},
		{"writes", 1, 0, 60, true, false}, {"reads", 1, 2, 300, true, false},
		{"reads", 2, 2, 200, true, false}, {"writes", 1, 3, 30, false, false},
		{"writes", 2, 3, 30, true, false}, {"reads", 1, 3, 150, true, true},
		{"fill", 1, 0, 1000, true, false}, {"reads", 1, 2, 300, true, false},
		{"reads", 1, 0, 400, true, false}, {"reads", 1, 2, 100, true, false},
	};
	static struct workload workloads[3];
	struct database *d = &given.database;

	give_options(NULL);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct result r = result_unknown();
		char what[80];
		struct workload *w = &workloads[*rows[i].workload == 'f'   ? 0
						: *rows[i].workload == 'r' ? 1
									   : 2];

		give_run(&reads, rows[i].threads, rows[i].threads);
		w->name = rows[i].workload;
		w->starts_empty = *rows[i].workload == 'f';
		given.aggregate.workload = w;
		given.item.is_warmup = rows[i].warms;
		d->db_dir.facts.passes = rows[i].passes;
		r.valid = rows[i].valid;
		r.ops_per_sec = rows[i].rate;
		snprintf(what, sizeof what, "age %u of %s, %u threads, at %g",
			 rows[i].passes, rows[i].workload, rows[i].threads, rows[i].rate);
		print_row_of(what, &aging_extra, r);
	}
}

/* Where a list gets the parts of two passes. */
static void aging_plans(void)
{
	static const char *const options[] = {"--age=2", NULL};
	static const struct workload fill = {.name = "fill", .starts_empty = true},
				     own = {.name = "own", .own_keys = true},
				     unknown = {.name = "unknown", .unknown_keys = true},
				     hot = {.name = "hot",
					    .distribution = DISTRIBUTION_HOTSPOT};
	const struct workload *const age = age_workloads;
	const struct workload *const lists[][7] = {
		{&fill, &reads, &writes, &fill, &hot},   {&reads, &fill, &fill, &reads},
		{&fill, &own, &unknown, &hot},           {&fill},
		{&fill, &reads, age, &hot, age, &reads},
	};

	give_options(options);
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		struct plan_item list[40];
		unsigned count = 0;

		for (; lists[i][count]; count++)
			list[count] = (struct plan_item){.workload = lists[i][count],
							 .threads = 7,
							 .iteration = 9};
		count = age_change_plan(list, count, 40);
		printf("plan %zu:", i);
		for (unsigned k = 0; k < count; k++)
			printf(" %s%s", list[k].workload->name,
			       list[k].workload->distribution == DISTRIBUTION_HOTSPOT
				       ? "(hotspot)"
				       : "");
		printf("\n");
		for (unsigned k = 0; !i && k < count; k++)
			printf("%s: pass %u, %u of %u, threads %u, warms %d\n",
			       list[k].workload->name, list[k].pass, list[k].iteration,
			       list[k].iterations, list[k].threads, list[k].is_warmup);
	}
	give_options(NULL);
}

/* ---- traces ---- */

static struct trace_writer *writer_begun(void)
{
	struct trace_writer *writer = message_alloc(1, sizeof *writer);

	writer->file = tmpfile();
	if (!writer->file)
		message_fatal(1, "cannot create a file");
	return writer;
}

static void print_notes(const char *what, struct trace_writer *writer)
{
	struct trace_note_reader n = {.file = writer->file};

	printf("%s, %lld bytes of which %lld are committed:", what,
	       (long long)writer->size, (long long)writer->committed_size);
	fflush(writer->file);
	rewind(writer->file);
	for (read_note(&n); n.has_next; read_note(&n))
		printf(" [%d %.*s %llu-%llu late %llu size %llu found %d batched %d "
		       "commits %d]",
		       n.next.operation, (int)n.next.key_size, n.key,
		       (unsigned long long)n.next.start, (unsigned long long)n.next.end,
		       (unsigned long long)n.next.late,
		       (unsigned long long)n.next.value_size, n.next.found,
		       n.next.batched, n.next.commits);
	fseek(writer->file, 0, SEEK_END);
	printf("; error %d\n", writer->error);
}

/* Four slots, of which the chunk has the last three. */
static void give_slots(struct trace_writer_chunk *chunk)
{
	static const unsigned char calls[] = {CALL_GET, CALL_PUT, CALL_GET,
					      CALL_DELETE | CALL_COMMIT};
	struct generator *g = &given.workers[0].generator;

	give_run(&writes, 1, 1);
	given.run.generator.value_sizes = (struct record_sizes){.min = 30, .max = 30};
	g->shared = &given.run.generator;
	for (unsigned i = 0; i < 4; i++) {
		static const char *const keys[] = {"key0", "key1", "key2", "key3"};

		g->slot[i] = (struct slot){.key = {keys[i], 4},
					   .value = {"", 50 + i},
					   .ticks = 100 * (i + 1),
					   .call = calls[i]};
		given.scheduled[i] = 1500 + 1000 * i;
		given.response[i] = 1200;
	}
	*chunk = (struct trace_writer_chunk){.generator = g,
					     .from = 1,
					     .n = 3,
					     .began = 1000,
					     .start = 5000,
					     .end = 6000};
}

static void traces(void)
{
	struct trace_writer_chunk chunk;
	struct trace_writer *writer = writer_begun();

	give_options(NULL);
	give_slots(&chunk);
	trace_writer_note_missing(writer, 2);
	trace_writer_add(writer, &chunk);
	trace_writer_add(writer, &chunk);
	print_notes("a chunk, and it again", writer);
	chunk.uncommitted = 2;
	chunk.batched = true;
	trace_writer_add(writer, &chunk);
	print_notes("two are open", writer);
	trace_writer_undo(writer);
	print_notes("and undone", writer);
	chunk.uncommitted = 0;
	trace_writer_add(writer, &chunk);
	print_notes("and done again", writer);
	trace_writer_free(writer);
	writer = writer_begun();
	chunk.scheduled = given.scheduled;
	chunk.response = given.response;
	trace_writer_add(writer, &chunk);
	print_notes("in an open loop", writer);
	trace_writer_free(writer);
	writer = writer_begun();
	for (unsigned i = 0; i < 4; i++)
		((struct slot *)chunk.generator->slot)[i].call = CALL_MULTIGET;
	chunk.from = 0;
	chunk.is_multiget = true;
	chunk.batched = false;
	trace_writer_add(writer, &chunk);
	chunk.scheduled = chunk.response = NULL;
	trace_writer_add(writer, &chunk);
	print_notes("multi-gets", writer);
	trace_writer_free(writer);
}

/* A get during two puts of its key by another thread, before which it found nothing. */
static void notes_merged(void)
{
	static const struct {
		unsigned thread;
		struct trace_note note;
	} notes[] = {
		{0, {.start = 10, .end = 100, .key_size = 3, .operation = TRACE_GET}},
		{1, {.start = 20, .end = 30, .key_size = 3, .operation = TRACE_SET}},
		{1, {.start = 40, .end = 50, .key_size = 3, .operation = TRACE_SET}},
	};
	struct trace_note_reader readers[2] = {{.file = tmpfile()}, {.file = tmpfile()}};
	char error[TRACE_ERROR_SIZE] = "", path[4096];
	struct trace to;
	struct trace_writer_output output = {&given.clock, &to, 0, error};

	for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
		fwrite(&notes[i].note, sizeof notes[i].note, 1,
		       readers[notes[i].thread].file);
		fwrite("key", 3, 1, readers[notes[i].thread].file);
	}
	for (int i = 0; i < 2; i++) {
		rewind(readers[i].file);
		read_note(&readers[i]);
	}
	snprintf(path, sizeof path, "%s/merged.tsv", given.directory);
	printf("merged: %d\n", trace_create(&to, path, error) &&
				       merge_notes(readers, 2, &output) &&
				       trace_close(&to, error));
	for (int i = 0; i < 2; i++)
		fclose(readers[i].file);
}

/* ---- replays ---- */

/* Two threads' gets: what was recorded of each slot, and whether it was missing now. */
static void gets_compared(void)
{
	static const enum trace_found recorded[] = {TRACE_FOUND,         TRACE_FOUND,
						    TRACE_FOUND_NOT,     TRACE_FOUND_NOT,
						    TRACE_FOUND_UNKNOWN, TRACE_FOUND};
	static struct replay replays[2];
	const struct trace_run *state;

	give_run(&replay_workloads[REPLAY_RUN], 2, 2);
	memset(replays, 0, sizeof replays);
	trace_settings_read.facts.is_found_known = true;
	for (unsigned t = 0; t < 2; t++) {
		struct worker *w = &given.workers[t];

		w->generator.source = &replays[t];
		for (unsigned i = 0; i < 6; i++)
			replays[t].recorded[i] = (unsigned char)recorded[i];
		for (unsigned i = 1; i < 6; i += 2)
			trace_note_missing(w, i);
		w->next_slot = t;
		trace_add_chunk(w, 5);
		w->next_slot = 1;
		trace_add_chunk(w, t ? 1 : 0);
	}
	sum_gets(&given.run);
	state = extra_state(&given.run.extras, &trace_extra);
	printf("gets: found %llu, lost %llu, gained %llu\n",
	       (unsigned long long)state->gets.recorded_found,
	       (unsigned long long)state->gets.lost,
	       (unsigned long long)state->gets.gained);
}

/* Columns and the warning, of a replay, its load and another workload. */
static void replays_told(void)
{
	static const uint64_t lost[] = {0, 1, 2};
	struct trace_run *state;
	struct result r = result_unknown();

	trace_settings_read.facts = (struct trace_facts){.writes = 4,
							 .written_bytes = 70,
							 .value_max = 40,
							 .ttls = 3,
							 .is_found_known = true};
	for (int i = 0; i < 4; i++) {
		give_run(i == 0   ? &replay_workloads[REPLAY_LOAD]
			 : i == 1 ? &reads
				  : &replay_workloads[REPLAY_RUN],
			 1, 1);
		state = extra_state(&given.run.extras, &trace_extra);
		state->gets = (struct replay_gets){100, 2, 5};
		trace_settings_read.facts.is_found_known = i < 3;
		print_row_of("replay", &trace_extra, result_unknown());
		print_emulated("it is", trace_emulated(&given.aggregate));
	}
	for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
		const char *warning;

		state->gets = (struct replay_gets){100, lost[i], 0};
		warning = trace_warning(&given.aggregate);
		printf("%llu of 100 lost: %s\n", (unsigned long long)lost[i],
		       warning ? warning : "no warning");
	}
	trace_describe(&given.aggregate, &r);
	printf("sizes %s, mean %g, %s\n", r.value_sizes, r.value_size, r.distribution);
}

static void replays(void)
{
	give_options(NULL);
	gets_compared();
	replays_told();
}

/* ---- what completes a database ---- */

/* The last part of a pass, valid or not, that restores all, some or nothing. */
static void completions(void)
{
	static const struct {
		const char *what;
		const struct extra *extra;
		const struct workload *workload;
	} ends[] = {
		{"reinsert", &aging_extra, &age_parts[AGE_REINSERT]},
		{"delete", &aging_extra, &age_parts[AGE_DELETE]},
		{"refill", &soak_extra, &soak_workloads[SOAK_REFILL]},
		{"expire", &soak_extra, &soak_workloads[SOAK_EXPIRE]},
	};
	struct db_dir_facts *facts = &given.database.db_dir.facts;

	for (size_t i = 0; i < 4 * sizeof ends / sizeof *ends; i++) {
		bool valid = i % 4 != 1;
		int before = i % 4 == 2 ? 0 : 20;

		give_run(&writes, 1, 1);
		given.run.workload = ends[i / 4].workload;
		given.item.pass = 4;
		given.item.operations = i % 4 == 3 ? 19 : 20;
		given.database.db_dir.marker_fd = -1;
		facts->to_restore = (unsigned)before;
		facts->passes = 3;
		ends[i / 4].extra->end_item(&given.run, valid);
		printf("%s, valid %d, of %d to restore %d: complete %d, %d left, passes "
		       "%u\n",
		       ends[i / 4].what, valid, before, (int)given.item.operations,
		       given.database.complete, (int)facts->to_restore,
		       (unsigned)facts->passes);
	}
	for (struct workload *w = maintenance_workloads; w->name; w++) {
		given.aggregate.workload = w;
		print_emulated(w->name, maintenance_emulated(&given.aggregate));
	}
}

/* ---- the Insert Benchmark ---- */

static void inserts_planned(void)
{
	static const char *const options[] = {"--num=1000", "--writes=1021", NULL},
				 *const none[] = {"--num=1030", NULL};

	for (int o = 0; o < 2; o++) {
		give_options(o ? none : options);
		for (int i = 0; i < IB_STEPS; i++)
			printf("step %d: operations %llu\n", i,
			       (unsigned long long)ib_operations(
				       &insert_benchmark_steps[i].procedure));
	}
	for (unsigned i = 0; i < 9; i++) {
		struct procedure_shared s = {
			.procedure = &insert_benchmark_steps[IB_QR500].procedure,
			.threads = 3};
		double gap, rate = ib_rate(&s, i, &gap);

		printf("thread %u of three clients: rate %g from %.3f\n", i, rate, gap);
	}
}

/* Who may go on; rows of a client that began with those from 100 to 200. */
static void inserts_wait(void)
{
	static const uint64_t progress[][2] = {{200, 100}, {201, 100}, {549, 100},
					       {550, 100}, {551, 100}, {600, 450},
					       {600, 500}};
	struct ib_client c = {.rows_before = {100, 200}};
	struct ib_thread own = {.next = 120};
	static struct ib_statement s;

	for (size_t i = 0; i < sizeof progress / sizeof *progress; i++) {
		c.inserted = progress[i][0];
		c.deleted = progress[i][1];
		printf("inserted %llu, deleted %llu: may insert %d, delete %d, end %d\n",
		       (unsigned long long)ib_rows_inserted(&c),
		       (unsigned long long)ib_rows_deleted(&c), ib_may_insert(&c, 50),
		       ib_may_delete(&c, 50), ib_deleter_caught_up(&c, 50));
	}
	for (int i = 0; i < 4; i++) {
		ib_take_rows(&own, &s, 50, 230);
		printf("takes %llu to %llu\n", (unsigned long long)s.rows.first,
		       (unsigned long long)s.rows.end);
	}
	printf("parts: %llu %llu %llu\n", (unsigned long long)ib_part_rows(10, 3),
	       (unsigned long long)ib_part_rows(9, 3),
	       (unsigned long long)ib_part_rows(10, 1));
}

/* Queries are of rows that are there, and of all indexes alike. */
static void inserts_queried(void)
{
	struct ib_client c = {.deleting = 40, .inserted = 43};
	struct ib_thread own = {.client = &c};
	struct procedure_shared s = {.num = 1000};
	struct procedure_thread t = {.shared = &s, .random = random_seed(1, "queries")};
	unsigned rows[4] = {0}, tables[IB_TABLES] = {0}, fields = 0;
	static struct ib_statement one;

	for (int n = 0; n < 300; n++) {
		ib_draw_points(&t, &own, &one);
		for (unsigned i = 0; i < IB_QUERY_ROWS; i++)
			rows[one.query_pks[i] - 40 < 3 ? one.query_pks[i] - 40 : 3]++;
		ib_draw_range(&t, &own, &one);
		tables[one.table]++;
		fields += one.field < insert_benchmark_row_field_limit(one.table);
	}
	printf("queries of rows from 40: %u %u %u, of others %u; of indexes %u %u %u, of "
	       "rows %u, in their fields %u\n",
	       rows[0], rows[1], rows[2], rows[3], tables[IB_INDEX_PRODUCT],
	       tables[IB_INDEX_REGISTER], tables[IB_INDEX_PRICE], tables[IB_TABLE_ROWS],
	       fields);
}

static void inserts_counted(void)
{
	struct ib_shared shared = {.count = {500, 1500}};
	struct result r = result_unknown();
	static const enum ib_step_id steps[] = {IB_L_I1, IB_QP100, IB_CHECK};

	give_run(&writes, 2, 2);
	for (int i = 0; i < IB_SUMS; i++)
		per_second_clear(&ib_sums.seconds[i]);
	for (size_t second = 3; second < 9; second++) {
		per_second_add(&ib_sums.seconds[IB_SUM_WRITES], second,
			       (double)(second == 8 ? 2 : 10 * second));
		if (second > 4)
			per_second_add(&ib_sums.seconds[IB_SUM_QUERIES], second - 3,
				       second == 8 ? 1 : (double)(7 - second % 3));
	}
	per_second_add(&ib_sums.seconds[IB_SUM_QUERIES], 9, 1);
	ib_sums.totals[IB_SUM_WRITES] = 400;
	ib_sums.totals[IB_SUM_QUERIES] = 60;
	r.seconds = 4;
	r.ops = 50;
	r.usage = (struct resource_usage){.device_reads = 100,
					  .device_read_bytes = 51200,
					  .cpu_s = 2,
					  .ctx_voluntary = 30,
					  .ctx_involuntary = 5};
	print_row_of("another workload", &insert_benchmark_extra, r);
	for (int i = 0; i < 3; i++) {
		given.run.procedure.procedure =
			&insert_benchmark_steps[steps[i]].procedure;
		given.run.procedure.shared = &shared;
		shared.audited = i != 1;
		print_row_of("a step", &insert_benchmark_extra, r);
	}
}

/* Totals of two clients' threads; a deleter's rows are in none, nor those of a warm-up. */
static void inserts_summed(void)
{
	static const enum ib_role roles[] = {IB_POINT_QUERIER, IB_POINT_QUERIER,
					     IB_INSERTER,      IB_INSERTER,
					     IB_DELETER,       IB_DELETER,
					     IB_NO_ROLE};
	struct procedure_shared s = {.procedure =
					     &insert_benchmark_steps[IB_CHECK].procedure,
				     .threads = 2};
	struct ib_client clients[2] = {{.inserted = 10}, {.inserted = 20}};

	ib_sums.totals[0] = ib_sums.totals[1] = 0;
	ib_sums.began_second = ib_second_now(&given.clock);
	for (unsigned i = 0; i < sizeof roles / sizeof *roles; i++) {
		struct ib_thread own = {.role = roles[i], .client = &clients[i % 2]};
		struct procedure_thread t = {.shared = &s,
					     .clock = &given.clock,
					     .state = &own};

		own.pending = 1000;
		ib_reset_counts(&t);
		own.pending = 10 + i;
		ib_account(&t);
		own.pending = 100 * (i + 1);
		ib_end(&t);
	}
	printf("writes %llu, queries %llu; inserted %llu %llu, deleted %llu %llu\n",
	       (unsigned long long)ib_sums.totals[IB_SUM_WRITES],
	       (unsigned long long)ib_sums.totals[IB_SUM_QUERIES],
	       (unsigned long long)clients[0].inserted,
	       (unsigned long long)clients[1].inserted,
	       (unsigned long long)clients[0].deleted,
	       (unsigned long long)clients[1].deleted);
}

static void inserts(void)
{
	inserts_planned();
	inserts_wait();
	inserts_queried();
	inserts_counted();
	inserts_summed();
}

int main(int argc, char **argv)
{
	static void (*const all[])(void) = {
		held_snapshots, crossings, device_limits, counters, backups,
		journals,       queues,    slow,          aging,    aging_plans,
		traces,         replays,   completions,   inserts,  notes_merged,
	};

	if (argc != 2)
		message_fatal(2, "usage: build/extras DIRECTORY");
	setvbuf(stdout, NULL, _IONBF, 0);
	given.directory = argv[1];
	extra_set(extras_table);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		all[i]();
	return 0;
}
