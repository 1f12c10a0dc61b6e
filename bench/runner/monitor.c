/* monitor.c: see monitor.h. */
#include "monitor.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../engines/engine.h"
#include "../../util/file_barrier.h"
#include "../../util/message.h"
#include "../../util/row_file.h"
#include "../../util/timeline.h"
#include "../workload/config.h"

/* RocksDB's two columns, then ours; RocksDB may have written rows there, too. */
static const struct row_file_format report_format = {
	.header = "secs_elapsed,interval_qps,interval_seconds,reads_per_sec,"
		  "writes_per_sec,scans_per_sec,total_ops,benchmark,engine,threads\n",
};

const char *monitor_check_files(char *error)
{
	if (*cfg->timeline && !timeline_check(cfg->timeline, error))
		return "--timeline";
	if (cfg->report_interval_seconds > 0 && !cfg->db_bench.on &&
	    !row_file_check(cfg->report_file, &report_format, error))
		return "--report_file";
	return NULL;
}

/* Note that a file cannot be written; the first reason is kept. */
static void note_file_error(struct monitor *m, const char *option, const char *why)
{
	if (m->failed_option)
		return;
	m->failed_option = option;
	snprintf(m->file_error, sizeof m->file_error, "%s", why);
}

static void format_time(char *to, size_t size, const char *format, time_t now)
{
	struct tm t;

	localtime_r(&now, &t);
	strftime(to, size, format, &t);
}

void monitor_print_interval(unsigned thread, uint64_t ops, uint64_t all, double seconds,
			    double all_seconds)
{
	char time_text[32];
	void (*print)(const char *, ...) =
		cfg->db_bench.on ? message_print_bare : message_print;

	format_time(time_text, sizeof time_text, "%Y/%m/%d-%H:%M:%S", time(NULL));
	print("%s%s ... thread %u: (%llu,%llu) ops and (%.1f,%.1f) ops/second in "
	      "(%.6f,%.6f) seconds%s",
	      time_text, cfg->db_bench.on && !cfg->db_bench.leveldb ? " " : "", thread,
	      (unsigned long long)ops, (unsigned long long)all, (double)ops / seconds,
	      (double)all / all_seconds, seconds, all_seconds,
	      cfg->db_bench.on ? "\n" : "");
}

/* ---- published counts ---- */

/* A count that a thread has published; 0 until it has noticed the end of the warm-up. */
static uint64_t read_published(const struct monitored_thread *t,
			       const _Atomic uint64_t *count)
{
	return atomic_load_explicit(&t->published->is_measuring, memory_order_acquire)
		       ? atomic_load_explicit(count, memory_order_relaxed)
		       : 0;
}

static struct monitor_counts read_counts(const struct monitor *m)
{
	struct monitor_counts counts = {0};

	for (unsigned i = 0; i < m->all_threads; i++) {
		struct monitored_thread *t = m->threads[i];
		const struct published_counts *published = t->published;

		t->ops = read_published(t, &published->ops);
		counts.ops += i < m->foreground ? t->ops : 0;
		counts.measured_ops += i < m->measured_threads ? t->ops : 0;
		/* Including operations that are not committed yet. */
		counts.begun_ops +=
			i < m->foreground ? read_published(t, &published->begun_ops) : 0;
		for (int k = 0; k < KINDS && i < m->measured_threads; k++)
			counts.by_kind[k] +=
				read_published(t, &published->ops_by_kind[k]);
	}
	return counts;
}

/* As YCSB writes a time that is left: its largest units. */
static void format_left(double seconds, char *text, size_t size)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = {{"day", 86400}, {"hour", 3600}, {"minute", 60}, {"second", 1}};
	double left = ceil(seconds);

	*text = '\0';
	for (size_t i = 0; i < 4 && (i < 2 || seconds < 86400); i++) {
		double n = floor(left / units[i].seconds);

		if (n > 0 && (i < 3 || !*text))
			message_append(text, size, "", "%.0f %s%s ", n, units[i].name,
				       n > 1 ? "s" : "");
		left -= n * units[i].seconds;
	}
}

/* YCSB's status line, without the summary of times that ends it there. */
static void show_status(const struct monitor *m, const struct monitor_times *t,
			uint64_t before)
{
	uint64_t ops = t->counts.ops;
	char date[32], left[80] = "";
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	format_time(date, sizeof date, "%Y-%m-%d %H:%M:%S", now.tv_sec);
	if (!m->timed && m->planned > ops && ops)
		format_left((double)(m->planned - ops) / (double)ops * t->now, left,
			    sizeof left);
	message_print_bare("%s:%03ld %.0f sec: %llu operations; ", date,
			   now.tv_nsec / 1000000, floor(t->now), (unsigned long long)ops);
	if (ops)
		message_print_bare("%.2f current ops/sec; ",
				   (double)(ops - before) / (t->now - t->last_stats));
	message_print_bare("%s%s\n", *left ? "est completion in " : "", left);
}

static void show_threads(struct monitor *m, struct monitor_times *t)
{
	uint64_t reported = 0;

	for (unsigned i = 0; i < m->all_threads; i++) {
		struct monitored_thread *thread = m->threads[i];

		reported += i < m->foreground ? thread->reported_ops : 0;
		if (!cfg->ycsb.on)
			monitor_print_interval(i, thread->ops - thread->reported_ops,
					       thread->ops, t->now - t->last_stats,
					       t->now);
		thread->reported_ops = thread->ops;
	}
	if (cfg->ycsb.on)
		show_status(m, t, reported);
	if (cfg->db_bench.stats_per_interval && !atomic_load(&m->stop))
		m->print_statistics(m->owner);
	t->last_stats = t->now;
}

/*
 * db_bench begins its file anew for each benchmark. A row has the operations of a whole
 * interval, at the nearest second, with those of its background writer; the last interval
 * counts from its middle on.
 */
static void append_db_bench_report(struct monitor *m, const struct monitor_times *t,
				   bool is_first)
{
	FILE *f = fopen(cfg->report_file, is_first ? "we" : "ae");

	if (f && is_first)
		fprintf(f, "secs_elapsed,interval_qps\n");
	else if (f && t->now - t->last_report >= cfg->report_interval_seconds / 2)
		fprintf(f, "%.0f,%llu\n", t->now,
			(unsigned long long)(t->counts.measured_ops -
					     t->reported.measured_ops));
	if (!f || fclose(f))
		note_file_error(m, "--report_file", strerror(errno));
}

static void append_report(struct monitor *m, struct monitor_times *t)
{
	const struct monitor_counts *now = &t->counts, *before = &t->reported;
	double span = t->now - t->last_report;
	char line[512], error[ROW_FILE_ERROR_SIZE];
	size_t n;

	if (cfg->db_bench.on) {
		append_db_bench_report(m, t, false);
		t->reported = t->counts;
		t->last_report = t->now;
		return;
	}
	n = (size_t)snprintf(line, sizeof line, "%.6g,%.0f,%.6f", t->now,
			     (double)(now->ops - before->ops) / span, span);
	for (int k = 0; k < KINDS; k++)
		n += (size_t)snprintf(line + n, sizeof line - n, ",%.0f",
				      (double)(now->by_kind[k] - before->by_kind[k]) /
					      span);
	snprintf(line + n, sizeof line - n, ",%llu,%s,%s,%u\n",
		 (unsigned long long)now->ops, m->benchmark, engine.name, m->foreground);
	if (!row_file_append(cfg->report_file, &report_format, line, error))
		note_file_error(m, "--report_file", error);
	t->reported = t->counts;
	t->last_report = t->now;
}

static void show_progress(struct monitor *m, struct monitor_times *t)
{
	double ops = (double)t->counts.begun_ops;
	double fraction = m->timed ? t->now / cfg->duration : ops / (double)m->planned;
	double left = fraction > 0 ? t->now / fraction - t->now : 0;

	if (atomic_load(&m->warming)) {
		message_progress("%s: warming up, %.0f s left", m->benchmark,
				 cfg->warmup - t->now);
		return;
	}
	message_progress("%s: %3.0f %%, %.0f ops/sec, %.0f s left", m->benchmark,
			 100 * fraction, ops / t->now, left);
}

/* When *next_time has come, read the counts, call the action and advance the time. */
static void run_timer(struct monitor *m, struct monitor_times *t, double *next_time,
		      double every,
		      void (*action)(struct monitor *, struct monitor_times *))
{
	if (every <= 0 || t->now < *next_time)
		return;
	t->counts = read_counts(m);
	action(m, t);
	*next_time += every * (floor((t->now - *next_time) / every) + 1);
}

/* Milliseconds until the next action, rounded up; -1: never. */
static int poll_timeout(const struct monitor *m, const struct monitor_times *t)
{
	enum {
		STOP_POLL_MS = 5
	}; /* the request is repeated: a thread may just have begun a chunk */
	double until = cfg->warmup;

	if (atomic_load(&m->stop))
		return STOP_POLL_MS;
	if (!atomic_load(&m->warming)) {
		until = t->next_window;
		if (m->timed) /* or soon, if they began late */
			until = fmin(until, fmax(cfg->duration, t->now + 0.001));
		if (cfg->stats_interval_seconds > 0)
			until = fmin(until, t->next_stats);
		if (cfg->report_interval_seconds > 0)
			until = fmin(until, t->next_report);
		if (m->sampler)
			until = fmin(until, t->next_sample);
	}
	if (message_on_terminal())
		until = fmin(until, t->next_progress);
	if (isinf(until))
		return -1;
	return until <= t->now ? 0 : (int)fmin(ceil((until - t->now) * 1000), 60000);
}

bool monitor_is_finished(const struct monitor *m, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (!atomic_load(&m->threads[i]->finished))
			return false;
	return true;
}

/* End each thread's chunk after the call that it is in. */
static void end_chunks_early(struct monitor *m)
{
	for (unsigned i = 0; i < m->all_threads; i++)
		atomic_store_explicit(&m->threads[i]->chunk_end, NULL,
				      memory_order_relaxed);
}

/* Make the threads publish what they have done, however long their current call takes. */
static void wait_for_chunk_ends(struct monitor *m)
{
	const struct timespec nap = {0, 1000000};

	end_chunks_early(m);
	nanosleep(&nap, NULL);
}

/*
 * Operations of a thread when a second ended, counted from 1. A thread that has not
 * passed the second's end is still in the call that it was in then, or waits for a CPU.
 * That work comes later.
 */
static uint64_t ops_at(const struct monitored_thread *t, uint64_t second)
{
	const struct published_counts *published = t->published;
	uint64_t passed = read_published(t, &published->seconds_passed);

	if (passed < second)
		return read_published(t, &published->ops);
	if (passed >= second + PUBLISHED_SECONDS)
		second = passed - PUBLISHED_SECONDS + 1;
	return atomic_load_explicit(&published->ops_at_second[second % PUBLISHED_SECONDS],
				    memory_order_relaxed);
}

/* The seconds up to this one become windows of the rate. */
static void close_windows(struct monitor *m, uint64_t seconds)
{
	while (m->windows_closed < seconds) {
		uint64_t ops = 0;

		m->windows_closed++;
		for (unsigned i = 0; i < m->foreground; i++)
			ops += ops_at(m->threads[i], m->windows_closed);
		/*
		 * A thread in a call may have been assumed to have done more than it
		 * had.
		 */
		ops = ops > m->window_ops ? ops : m->window_ops;
		steady_state_add(&m->steady_state, (double)(ops - m->window_ops));
		m->window_ops = ops;
	}
}

/*
 * Another second of operations, or several if the monitor was delayed. Background
 * threads may outlast the foreground threads: monitor_end() drops what is after these.
 */
static void close_window(struct monitor *m, struct monitor_times *t)
{
	wait_for_chunk_ends(m);
	close_windows(m, (uint64_t)t->now);
	if (cfg->until_steady > 0 && m->timed &&
	    steady_state_judge(&m->steady_state).steady > 0)
		atomic_store(&m->stop, true);
}

/* Measuring begins, at the start or after the warm-up. */
static struct monitor_times begin_monitor_times(void)
{
	return (struct monitor_times){
		.start = clock_raw_ns(),
		.next_stats = cfg->stats_interval_seconds,
		.next_report = cfg->report_interval_seconds,
		.next_sample = cfg->timeline_interval,
		.next_progress = 0.5,
		.next_window = 1,
	};
}

/*
 * The threads reset their counts, each at the end of its chunk; the monitor resets its
 * own.
 */
static void end_warmup(struct monitor *m, struct monitor_times *t)
{
	m->begin_measuring(m->owner);
	atomic_store(&m->warming, false);
	*t = begin_monitor_times();
}

/* ---- the timeline ---- */

struct timeline_sampler {
	double last_s; /* second of the last row */
	struct resource_usage usage;
	/* buffers: histograms of threads, and sums over them */
	struct hist latency_now[KINDS], responses_now[KINDS], all_latency[KINDS],
		all_responses[KINDS];
	struct timeline_row row;
};

void monitor_start_timeline(struct monitor *m,
			    struct thread_sample *(*sample_of)(void *owner,
							       unsigned thread))
{
	m->sampler = message_alloc(1, sizeof *m->sampler);
	for (unsigned i = 0; i < m->all_threads; i++) {
		struct thread_sample *sample = sample_of(m->owner, i);

		pthread_mutex_init(&sample->lock, NULL);
		for (int k = 0; k < KINDS; k++)
			sample->latency[k].unit = sample->responses[k].unit =
				clock_tick_ns(m->clock);
		m->threads[i]->sample = sample;
	}
}

void monitor_begin(struct monitor *m, const struct resource_usage *before)
{
	struct timeline_sampler *s = m->sampler;

	steady_state_init(&m->steady_state);
	m->windows_closed = m->window_ops = 0;
	m->stopped_s = 0;
	if (!s)
		return;
	s->last_s = 0;
	s->usage = *before;
	for (unsigned i = 0; i < m->all_threads; i++)
		m->threads[i]->last_sample->cpu_s =
			resource_usage_cpu_of(m->threads[i]->thread);
}

/* Begin a row, of a thread or of all threads. */
static void begin_row(const struct monitor *m, const char *thread, double span)
{
	struct timeline_row *r = &m->sampler->row;

	timeline_set_unknown(r);
	r->time = m->time;
	r->engine = engine.name;
	r->label = *cfg->label ? cfg->label : engine.name;
	r->benchmark = m->benchmark;
	r->iteration = m->iteration;
	r->threads = m->foreground;
	r->thread = thread;
	r->at_s = m->sampler->last_s + span;
	r->span_s = span;
}

static void append_sample(struct monitor *m)
{
	char error[ROW_FILE_ERROR_SIZE];

	m->sampler->row.ops_per_sec = m->sampler->row.ops / m->sampler->row.span_s;
	if (!timeline_append(cfg->timeline, &m->sampler->row, error))
		note_file_error(m, "--timeline", error);
}

/*
 * Add the difference between a histogram and its last sample to the row and, unless it
 * is NULL, to a sum.
 */
static void sample_latency(struct timeline_latency *to, struct hist *last,
			   const struct hist *sampled, struct hist *all)
{
	struct hist now = *sampled;

	hist_subtract(&now, last);
	*last = *sampled;
	timeline_set_latency(to, &now);
	if (all)
		hist_merge(all, &now);
}

/* Write a thread's row, and add its values to the sums. */
static void sample_thread(struct monitor *m, unsigned i, double span, double *ops,
			  double *kinds)
{
	struct monitored_thread *t = m->threads[i];
	struct timeline_sampler *s = m->sampler;
	double cpu = resource_usage_cpu_of(t->thread);
	bool counts = i < m->measured_threads;
	uint64_t done, count[KINDS];
	char name[16];

	/*
	 * CPU time for detaching is not counted. The final value is read after the
	 * first one, which may be larger.
	 */
	if (atomic_load(&t->cpu_is_final))
		cpu = t->cpu_s;
	snprintf(name, sizeof name, "%u", i);
	begin_row(m, t->role ? t->role : name, span);
	pthread_mutex_lock(&t->sample->lock);
	memcpy(s->latency_now, t->sample->latency, sizeof s->latency_now);
	memcpy(s->responses_now, t->sample->responses, sizeof s->responses_now);
	memcpy(count, t->sample->ops_by_kind, sizeof count);
	done = t->sample->ops;
	pthread_mutex_unlock(&t->sample->lock);
	s->row.ops = (double)(done - t->last_sample->ops);
	*ops += i < m->foreground ? s->row.ops : 0;
	t->last_sample->ops = done;
	s->row.cpu_s = cpu - t->last_sample->cpu_s;
	t->last_sample->cpu_s = cpu;
	for (int k = 0; k < KINDS; k++) {
		s->row.ops_by_kind[k] =
			(double)(count[k] - t->last_sample->ops_by_kind[k]);
		kinds[k] += counts ? s->row.ops_by_kind[k] : 0;
		t->last_sample->ops_by_kind[k] = count[k];
		sample_latency(&s->row.service[k], &t->last_sample->latency[k],
			       &s->latency_now[k], counts ? &s->all_latency[k] : NULL);
		sample_latency(&s->row.response[k], &t->last_sample->responses[k],
			       &s->responses_now[k],
			       counts ? &s->all_responses[k] : NULL);
	}
	append_sample(m);
}

/*
 * The rows of an interval: each thread's, and that of all threads with the resource
 * usage.
 */
static void take_sample(struct monitor *m, double now, const struct resource_usage *usage)
{
	struct timeline_sampler *s = m->sampler;
	struct cgroup_usage group = cgroup_usage(m->cgroup);
	double span = now - s->last_s, ops = 0;
	double kinds[KINDS] = {0};

	memset(s->all_latency, 0, sizeof s->all_latency);
	memset(s->all_responses, 0, sizeof s->all_responses);
	for (unsigned i = 0; i < m->all_threads; i++)
		sample_thread(m, i, span, &ops, kinds);
	begin_row(m, "all", span);
	s->row.ops = ops;
	for (int k = 0; k < KINDS; k++) {
		s->row.ops_by_kind[k] = kinds[k];
		timeline_set_latency(&s->row.service[k], &s->all_latency[k]);
		timeline_set_latency(&s->row.response[k], &s->all_responses[k]);
	}
	s->row.usage = resource_usage_since(&s->usage, usage);
	s->row.cpu_s = s->row.usage.cpu_s;
	s->row.footprint = resource_usage_footprint();
	s->row.page_cache_kb =
		cfg->memory ? group.page_cache / 1024 : timeline_page_cache_kb();
	s->row.disk_kb = m->disk_bytes(m->owner) / 1024;
	append_sample(m);
	s->usage = *usage;
	s->last_s = now;
}

static bool has_sampled(struct monitored_thread *t, unsigned request)
{
	bool answered;

	pthread_mutex_lock(&t->sample->lock);
	/*
	 * The thread that closes the gate makes requests, too, so a later one may be
	 * answered.
	 */
	answered = t->has_no_samples || t->sample->request - request < UINT_MAX / 2 ||
		   atomic_load(&t->finished);
	pthread_mutex_unlock(&t->sample->lock);
	return answered;
}

/*
 * Request samples, wait for the ends of chunks, and collect the answers. It waits at
 * most a quarter of a second, or of the interval. A thread that is longer in a call, or
 * waits for a CPU, has its times in the next interval.
 */
static void sample_timeline(struct monitor *m, struct monitor_times *t)
{
	const struct timespec nap = {0, 1000000};
	double until = t->now + fmin(cfg->timeline_interval / 4, 0.25);
	struct resource_usage usage;
	unsigned request;
	double now;

	if (atomic_load(&m->stop))
		return;
	request = atomic_fetch_add(&m->sample_request, 1) + 1;
	end_chunks_early(m);
	if (m->timed)
		until = fmin(until, cfg->duration);
	for (unsigned i = 0; i < m->all_threads && clock_seconds_since(t->start) < until;)
		if (has_sampled(m->threads[i], request))
			i++;
		else
			nanosleep(&nap, NULL);
	usage = resource_usage_read();
	now = clock_seconds_since(t->start);
	/*
	 * Threads that ended meanwhile ended before now: the last interval has their
	 * samples. That may also be if the time is over and the first thread to notice
	 * waits for a CPU.
	 */
	if (!atomic_load(&m->stop) && !monitor_is_finished(m, m->foreground) &&
	    !(m->timed && now >= cfg->duration))
		take_sample(m, now, &usage);
}

void monitor_free_timeline(struct monitor *m)
{
	for (unsigned i = 0; m->sampler && i < m->all_threads; i++)
		pthread_mutex_destroy(&m->threads[i]->sample->lock);
	free(m->sampler);
	m->sampler = NULL;
}

/* Operations behind the last row of --report_file. */
static bool has_unreported(const struct monitor_times *t)
{
	bool has = t->counts.ops > t->reported.ops;

	for (int k = 0; k < KINDS; k++)
		has |= t->counts.by_kind[k] > t->reported.by_kind[k];
	return has;
}

/*
 * What was done after the last whole interval, or within the only one that began: the
 * sum of all intervals is what was done. db_bench prints whole intervals only.
 */
static void report_last_intervals(struct monitor *m, double seconds)
{
	struct monitor_times *t = &m->times;
	bool has_ops = false;

	if (atomic_load(&m->warming))
		return;
	t->counts = read_counts(m);
	for (unsigned i = 0; i < m->all_threads; i++)
		has_ops |= m->threads[i]->ops > m->threads[i]->reported_ops;
	t->now = fmax(seconds, t->last_stats + 1e-6);
	if (cfg->stats_interval_seconds > 0 && has_ops && !cfg->db_bench.on)
		show_threads(m, t);
	t->now = fmax(seconds, t->last_report + 1e-6);
	if (cfg->report_interval_seconds > 0 && has_unreported(t))
		append_report(m, t);
}

void monitor_end(struct monitor *m, double foreground_s, double seconds,
		 const struct resource_usage *after)
{
	report_last_intervals(m, seconds);
	/* The last second may be shorter by the difference between threads' clocks. */
	close_windows(m, (uint64_t)(foreground_s + 0.001));
	steady_state_end(&m->steady_state, foreground_s + 0.001);
	if (m->sampler)
		take_sample(m, fmax(seconds, m->sampler->last_s + 1e-9), after);
	monitor_free_timeline(m);
}

/* ---- the main loop ---- */

/* Call the actions whose time has come. */
static void run_timers(struct monitor *m, struct monitor_times *t)
{
	if (!atomic_load(&m->warming)) {
		run_timer(m, t, &t->next_window, 1, close_window);
		run_timer(m, t, &t->next_stats, cfg->stats_interval_seconds,
			  show_threads);
		run_timer(m, t, &t->next_report, cfg->report_interval_seconds,
			  append_report);
		run_timer(m, t, &t->next_sample, m->sampler ? cfg->timeline_interval : 0,
			  sample_timeline);
	}
	run_timer(m, t, &t->next_progress, message_on_terminal() ? 0.5 : 0,
		  show_progress);
}

/* The threads do not begin. */
static void cancel_start(struct monitor *m, const char *why)
{
	note_file_error(m, "--barrier_file", why);
	atomic_store(&m->stop, true);
}

/*
 * All processes begin within a millisecond; one that is not there within --hang_timeout
 * is given up.
 */
static void wait_for_others(struct monitor *m, const char *_Atomic *doing)
{
	static const char *const waits[] = {
		"waiting for other processes (--barrier_file)",
		"still waiting for other "
		"processes (--barrier_file)"};
	const struct timespec soon = {0, 500000};
	uint64_t began = clock_raw_ns(), until, come;
	char why[FILE_BARRIER_ERROR_SIZE];

	if (!file_barrier_arrive(cfg->barrier_file, cfg->barrier_clients, &until, why)) {
		cancel_start(m, why);
		return;
	}
	while ((come = file_barrier_arrivals(cfg->barrier_file)) < until &&
	       !*m->interrupted) {
		double waited = clock_seconds_since(began);

		*doing = waits[(unsigned)waited % 2];
		if (cfg->hang_timeout > 0 && waited > cfg->hang_timeout) {
			snprintf(why, sizeof why,
				 "%llu of %llu clients did not reach the barrier %s "
				 "within %g s (--hang_timeout)",
				 (unsigned long long)(until - come),
				 (unsigned long long)cfg->barrier_clients,
				 cfg->barrier_file, cfg->hang_timeout);
			cancel_start(m, why);
			return;
		}
		nanosleep(&soon, NULL);
	}
}

static void wait_for_time(struct monitor *m, const char *_Atomic *doing)
{
	static const char *const waits[] = {"waiting for --start_at",
					    "still waiting for --start_at"};
	static bool waited;
	double left = cfg->start_at - clock_wall_seconds();

	if (cfg->start_at > 0 && !waited && left < 0)
		message_print("--start_at had passed by %.3f s when the threads were "
			      "ready, so they begin late",
			      -left);
	for (unsigned i = 0; !waited && left > 0 && !*m->interrupted; i++) {
		struct timespec t = {(time_t)fmin(left, 1),
				     left < 1 ? (long)(left * 1e9) : 0};

		*doing = waits[i % 2];
		nanosleep(&t, NULL);
		left = cfg->start_at - clock_wall_seconds();
	}
	waited = true;
}

void monitor_wait_for_start(struct monitor *m, const char *_Atomic *doing)
{
	const char *before = *doing;

	wait_for_time(m, doing);
	if (*cfg->barrier_file)
		wait_for_others(m, doing);
	*doing = before;
}

/* Is --duration over since the first thread began, which may have got a CPU late? */
static bool time_is_up(const struct monitor *m, const struct monitor_times *t)
{
	uint64_t now = clock_ticks(m->clock);
	double ns = 0;

	if (t->now < cfg->duration)
		return false;
	for (unsigned i = 0; i < m->foreground; i++) {
		uint64_t began = atomic_load(&m->threads[i]->began);

		if (began && began < now)
			ns = fmax(ns, (double)clock_ns(m->clock, now - began));
	}
	return ns >= cfg->duration * 1e9;
}

/*
 * Sleep until the next action or until a thread finishes. A much later wake-up means
 * that the whole process was stopped, or that no CPU was free.
 */
static void wait_for_events(struct monitor *m, struct monitor_times *t)
{
	const double MUCH = 0.5;
	struct pollfd pipe_end = {.fd = m->wake_fd, .events = POLLIN};
	double late;
	char drain[256];
	int most;

	/* A sample may have waited for threads. */
	t->now = clock_seconds_since(t->start);
	most = poll_timeout(m, t);
	late = t->now + most / 1e3;
	poll(&pipe_end, 1, most);
	while (read(m->wake_fd, drain, sizeof drain) > 0)
		;
	t->now = clock_seconds_since(t->start);
	late = t->now - late;
	if (most >= 0 && late > MUCH)
		m->stopped_s += late;
}

void monitor_run(struct monitor *m)
{
	struct monitor_times *t = &m->times;

	*t = begin_monitor_times();
	if (cfg->db_bench.on && cfg->report_interval_seconds > 0)
		append_db_bench_report(m, t, true);
	while (!monitor_is_finished(m, m->all_threads)) {
		wait_for_events(m, t);
		if (*m->interrupted || monitor_is_finished(m, m->foreground) ||
		    (!atomic_load(&m->warming) && m->timed && time_is_up(m, t)))
			atomic_store(&m->stop, true);
		/* a run that ends in its warm-up has measured nothing */
		if (atomic_load(&m->warming) &&
		    (t->now >= cfg->warmup || atomic_load(&m->stop)))
			end_warmup(m, t);
		if (atomic_load(&m->stop))
			end_chunks_early(m);
		run_timers(m, t);
	}
	message_progress("%s", "");
}
