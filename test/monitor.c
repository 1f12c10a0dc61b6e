/*
 * monitor.c: prints what the monitor reports of threads that were not run: all of their
 * counts, and the times at which it looks, are given here. test/monitor.txt is what was
 * looked at and found right; a tick of the clock is 2 ns. Argument: an empty directory.
 */
#include "../bench/runner/monitor.c"

#include "../bench/runner/account.h"

const struct engine engine = {.name = "made"};

enum { MONITORED = 4, RESTS = 6 };

static struct {
	struct monitor monitor;
	struct monitored_thread threads[MONITORED], *of[MONITORED];
	struct published_counts published[MONITORED];
	struct thread_sample samples[MONITORED];
	struct thread_last_sample last[MONITORED];
	struct clock clock;
	struct cgroup group;
	char timeline[200], report[200];
} monitored;

static double two_and_a_half_mb(void *owner)
{
	(void)owner;
	return 2560 * 1024;
}

static struct thread_sample *watched_sample(void *owner, unsigned thread)
{
	(void)owner;
	return &monitored.samples[thread];
}

/* Two readers, a writer that is the workload's own, and a probe that an option added. */
static void prepare_monitor(const char *const *options)
{
	char *command[8] = {"monitor", monitored.timeline, monitored.report};
	struct monitor *m = &monitored.monitor;
	int n = 3;

	for (; *options; options++)
		command[n++] = (char *)*options;
	config_parse(n, command);
	config_apply();
	memset(m, 0, sizeof *m);
	memset(monitored.threads, 0, sizeof monitored.threads);
	memset(monitored.published, 0, sizeof monitored.published);
	memset(monitored.samples, 0, sizeof monitored.samples);
	memset(monitored.last, 0, sizeof monitored.last);
	monitored.clock.ns_per_tick = (uint64_t)2 << 32;
	*m = (struct monitor){.benchmark = "readwhilewriting",
			      .time = "a time",
			      .iteration = 3,
			      .all_threads = MONITORED,
			      .foreground = 2,
			      .measured_threads = 3,
			      .threads = monitored.of,
			      .clock = &monitored.clock,
			      .cgroup = &monitored.group,
			      .disk_bytes = two_and_a_half_mb,
			      .planned = 1000};
	for (unsigned i = 0; i < MONITORED; i++) {
		monitored.of[i] = &monitored.threads[i];
		monitored.of[i]->published = &monitored.published[i];
		monitored.of[i]->last_sample = &monitored.last[i];
		monitored.of[i]->thread = pthread_self();
		monitored.of[i]->cpu_is_final = true;
	}
	monitored.threads[2].role = "writer";
	monitored.threads[3].role = "probe";
}

/* By round r, thread i has done (i + 1)^2 * r^2 reads, or writes, and other calls. */
static void do_work(uint64_t round)
{
	for (unsigned i = 0; i < MONITORED; i++) {
		uint64_t n = (i + 1) * (i + 1) * round * round;
		enum result_kind kind = i == 2 ? KIND_WRITE : KIND_READ;
		struct thread_sample *s = &monitored.samples[i];

		monitored.published[i].is_measuring = true;
		monitored.published[i].ops = s->ops = n;
		monitored.published[i].begun_ops = n + i + 1;
		monitored.published[i].ops_by_kind[kind] = s->ops_by_kind[kind] = n;
		monitored.published[i].ops_by_kind[KIND_SCAN] =
			s->ops_by_kind[KIND_SCAN] = round * i;
		monitored.threads[i].cpu_s = 0.25 * (double)n;
		while (hist_count(&s->latency[kind]) < n)
			hist_record(&s->latency[kind],
				    1000 * (i + 1) * round +
					    370 * hist_count(&s->latency[kind]));
		while (i && hist_count(&s->responses[kind]) < n / 2)
			hist_record(&s->responses[kind], 3000 * (i + 1) * round);
	}
}

/* Fields whose differences differ, the n-th is n^2 * factor. */
static struct resource_usage usage_of(double factor)
{
	struct resource_usage usage = {.user_s = 0};
	double *field = (double *)&usage;

	for (size_t i = 0; i < sizeof usage / sizeof *field; i++)
		field[i] = (double)(i * i) * factor;
	return usage;
}

/* Two whole intervals and a last one that is shorter, of each report. */
static void three_intervals(void)
{
	static const char *const options[] = {"--timeline_interval=2",
					      "--report_interval_seconds=2",
					      "--stats_interval_seconds=2", "--label=own",
					      NULL};
	struct resource_usage usage = usage_of(1);
	struct monitor *m = &monitored.monitor;
	struct monitor_times *t = &m->times;

	prepare_monitor(options);
	m->stopped_s = 7;
	m->windows_closed = 8;
	m->window_ops = 9;
	monitor_start_timeline(m, watched_sample);
	monitor_begin(m, &usage);
	printf("begun: %llu windows, %llu operations, stopped %g s\n",
	       (unsigned long long)m->windows_closed, (unsigned long long)m->window_ops,
	       m->stopped_s);
	*t = begin_monitor_times();
	for (unsigned i = 0; i < MONITORED; i++)
		monitored.last[i].cpu_s = 0;
	for (uint64_t round = 1; round <= 2; round++) {
		do_work(round);
		usage = usage_of(1 + (double)(round * round * round));
		t->now = 2 * (double)round + 0.25 * (double)(round - 1);
		run_timer(m, t, &t->next_stats, 2, show_threads);
		run_timer(m, t, &t->next_report, 2, append_report);
		take_sample(m, t->now, &usage);
	}
	do_work(RESTS);
	usage = usage_of(100);
	monitor_end(m, 4.9995, 5.5, &usage);
	printf("ends at %g, %u windows of %g s, sampler %s, failed %s\n", t->now,
	       m->steady_state.windows, m->steady_state.window_s,
	       m->sampler ? "left" : "freed",
	       m->failed_option ? m->failed_option : "none");
}

/* What a report ends with: nothing in a warm-up, nothing without operations. */
static void last_intervals(void)
{
	static const char *const options[] = {"--report_interval_seconds=2",
					      "--stats_interval_seconds=2", NULL};
	struct monitor *m = &monitored.monitor;

	printf("last intervals: warming\n");
	prepare_monitor(options);
	do_work(1);
	m->warming = true;
	report_last_intervals(m, 1);
	printf("none measured\n");
	m->warming = false;
	for (unsigned i = 0; i < MONITORED; i++)
		monitored.published[i].is_measuring = false;
	report_last_intervals(m, 1);
	printf("only the writer\n");
	monitored.published[2].is_measuring = true;
	report_last_intervals(m, 0.5);
	printf("nothing since\n");
	report_last_intervals(m, 0.75);
	printf("an operation at the moment of the report before\n");
	monitored.published[0].is_measuring = true;
	m->times.last_report = 0.75;
	m->times.last_stats = 0.25;
	report_last_intervals(m, 0.75);
}

/* db_bench's file: whole intervals, and a last one that is at least half of one. */
static void as_db_bench(void)
{
	static const char *const options[] = {"--report_interval_seconds=2", NULL};
	static const double at[] = {2, 4.6, 5.8, 6.5};
	struct monitor *m = &monitored.monitor;

	prepare_monitor(options);
	((struct config *)(uintptr_t)cfg)->db_bench.on = true;
	append_db_bench_report(m, &m->times, true);
	for (unsigned i = 0; i < sizeof at / sizeof *at; i++) {
		do_work(i + 1);
		m->times.now = at[i];
		m->times.counts = read_counts(m);
		append_report(m, &m->times);
	}
	((struct config *)(uintptr_t)cfg)->db_bench.on = false;
}

/* YCSB's status of the foreground, and the time that is left in its words. */
static void as_ycsb(void)
{
	static const char *const options[] = {NULL};
	static const double seconds[] = {0,    0.2,  1,     59.5,  60,    119,
					 3600, 7325, 86399, 86400, 180061};
	struct monitor *m = &monitored.monitor;
	char left[80];

	prepare_monitor(options);
	((struct config *)(uintptr_t)cfg)->ycsb.on = true;
	for (unsigned round = 0; round < 15; round += 7) {
		do_work(round);
		m->timed = round == 14;
		m->times.now = 2.75 * round;
		m->times.counts = read_counts(m);
		show_threads(m, &m->times);
	}
	((struct config *)(uintptr_t)cfg)->ycsb.on = false;
	for (unsigned i = 0; i < sizeof seconds / sizeof *seconds; i++) {
		format_left(seconds[i], left, sizeof left);
		printf("%g seconds left: %s\n", seconds[i], left);
	}
}

static void count_run(struct monitor *m, struct monitor_times *t)
{
	(void)t;
	m->iteration++;
}

/* Is the time come, and when does it come again? */
static void timers(void)
{
	static const struct {
		double now, next, every;
	} at[] = {{1.99, 2, 2}, {2, 2, 2},      {3.99, 2, 2}, {4, 2, 2},
		  {9.5, 2, 2},  {2.5, 2, 0.25}, {9, 2, 0},    {9, 2, -1}};
	struct monitor *m = &monitored.monitor;

	for (unsigned i = 0; i < sizeof at / sizeof *at; i++) {
		struct monitor_times t = {.now = at[i].now};
		double next = at[i].next;

		m->iteration = 0;
		run_timer(m, &t, &next, at[i].every, count_run);
		printf("timer at %g, due at %g, every %g: runs %u, next %g, reads %llu\n",
		       at[i].now, at[i].next, at[i].every, m->iteration, next,
		       (unsigned long long)t.counts.ops);
	}
}

/* When reports are due, and what else decides how long the monitor sleeps. */
static const struct sleep {
	const char *what, *options[4];
	struct monitor_times at;
	bool stop, warming, timed, samples;
} sleeps_of[] = {
	{"next window", {NULL}, {.now = 0.25, .next_window = 1}, 0, 0, 0, 0},
	{"part of a millisecond", {NULL}, {.now = 0.9991, .next_window = 1}, 0, 0, 0, 0},
	{"late", {NULL}, {.now = 1.5, .next_window = 1}, 0, 0, 0, 0},
	{"at most a minute", {NULL}, {.now = 1, .next_window = 100}, 0, 0, 0, 0},
	{"stopping", {NULL}, {.now = 0.25, .next_window = 1}, 1, 0, 0, 0},
	{"warm-up", {"--warmup=3"}, {.now = 0.25, .next_window = 1}, 0, 1, 0, 0},
	{"duration", {"--duration=1"}, {.now = 0.75, .next_window = 2}, 0, 0, 1, 0},
	{"after the duration",
	 {"--duration=1"},
	 {.now = 1.5, .next_window = 2},
	 0,
	 0,
	 1,
	 0},
	{"a duration of others",
	 {"--duration=1"},
	 {.now = 0.75, .next_window = 2},
	 0,
	 0,
	 0,
	 0},
	{"interval of threads",
	 {"--stats_interval_seconds=1"},
	 {.now = 0.5, .next_window = 2, .next_stats = 1},
	 0,
	 0,
	 0,
	 0},
	{"report",
	 {"--report_interval_seconds=1"},
	 {.now = 0.6, .next_window = 2, .next_report = 1},
	 0,
	 0,
	 0,
	 0},
	{"timeline",
	 {"--timeline_interval=1"},
	 {.now = 0.75, .next_window = 2, .next_sample = 1},
	 0,
	 0,
	 0,
	 1},
	{"no timeline",
	 {"--timeline_interval=1"},
	 {.now = 0.75, .next_window = 2, .next_sample = 1},
	 0,
	 0,
	 0,
	 0},
};

/* How long the monitor sleeps. */
static void sleeps(void)
{
	struct monitor *m = &monitored.monitor;

	for (unsigned i = 0; i < sizeof sleeps_of / sizeof *sleeps_of; i++) {
		prepare_monitor(sleeps_of[i].options);
		m->stop = sleeps_of[i].stop;
		m->warming = sleeps_of[i].warming;
		m->timed = sleeps_of[i].timed;
		m->sampler = sleeps_of[i].samples ? (struct timeline_sampler *)m : NULL;
		printf("sleeps, %s: %d ms\n", sleeps_of[i].what,
		       poll_timeout(m, &sleeps_of[i].at));
	}
}

static void print_windows(const char *when)
{
	const struct monitor *m = &monitored.monitor;

	printf("windows %s:", when);
	for (unsigned i = 0; i < m->steady_state.windows; i++)
		printf(" %g", m->steady_state.window_ops[i]);
	printf("; %llu closed, %llu operations\n", (unsigned long long)m->windows_closed,
	       (unsigned long long)m->window_ops);
}

/* One thread is in its calls for seconds, another is far ahead of the monitor. */
static void windows(void)
{
	static const char *const options[] = {NULL};
	const struct resource_usage before = usage_of(0);
	struct monitor *m = &monitored.monitor;

	prepare_monitor(options);
	do_work(10);
	monitor_begin(m, &before);
	for (unsigned i = 0; i < 3; i++)
		for (unsigned s = 0; s < PUBLISHED_SECONDS; s++)
			monitored.published[i].ops_at_second[s] = (i + 1) * 10 * s + i;
	monitored.published[0].seconds_passed = 3;
	monitored.published[1].seconds_passed = 1;
	close_windows(m, 3);
	print_windows("of a thread that is in a call");
	monitored.published[0].ops_at_second[4] = 5;
	monitored.published[0].seconds_passed = 4;
	close_windows(m, 4);
	print_windows("of a thread that had done less than was thought");
	monitored.published[0].seconds_passed = 40;
	for (unsigned s = 0; s < PUBLISHED_SECONDS; s++)
		monitored.published[0].ops_at_second[(25 + s) % PUBLISHED_SECONDS] =
			1000 + s;
	close_windows(m, 26);
	print_windows("seen late");
	monitor_end(m, 23.9995, 30, NULL);
	print_windows("at the end");
}

/* A thread's own intervals, by operations, and the last of them. */
static void own_intervals(void)
{
	static struct worker w;
	static struct transaction_times none;

	w.transaction.times = &none;
	w.transaction.single_writes = true;
	w.engine = &engine;
	w.clock = &monitored.clock;
	w.monitored.published = &monitored.published[0];
	w.generator.number = 5;
	w.timed_calls = false;
	w.generator.single_call = w.chunk_size_is_fixed = true;
	w.generator.only_op = OP_PUT;
	w.next_second = UINT64_MAX;
	w.report_every = 100;
	w.began = 1000000;
	for (unsigned i = 1; i <= 3; i++) {
		w.done = i * i * 40;
		w.ended_at = w.began + i * 500000000;
		w.next_report = w.next_report ? w.next_report : 100;
		printf("after %llu operations\n", (unsigned long long)w.done);
		account_chunk(&w, 0, w.ended_at);
		printf("next at %llu\n", (unsigned long long)w.next_report);
	}
	account_end(&w);
	w.done++;
	w.ended_at += 250000000;
	account_end(&w);
	account_end(&w);
	w.next_report = UINT64_MAX;
	w.done++;
	account_end(&w);
	printf("published %llu\n", (unsigned long long)monitored.published[0].ops);
}

int main(int argc, char **argv)
{
	static void (*const all[])(void) = {three_intervals, last_intervals, as_db_bench,
					    timers,          sleeps,         windows,
					    own_intervals,   as_ycsb};

	if (argc != 2)
		message_fatal(2, "usage: build/monitor DIRECTORY");
	dup2(STDOUT_FILENO, STDERR_FILENO);
	setvbuf(stdout, NULL, _IONBF, 0);
	for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
		snprintf(monitored.timeline, sizeof monitored.timeline,
			 "--timeline=%s/%u.tsv", argv[1], i);
		snprintf(monitored.report, sizeof monitored.report,
			 "--report_file=%s/%u.csv", argv[1], i);
		all[i]();
	}
	return 0;
}
