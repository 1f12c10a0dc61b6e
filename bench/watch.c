/* watch.c: see watch.h. */
#include "watch.h"

#include <limits.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../engines/engine.h"
#include "../util/meet.h"
#include "../util/say.h"
#include "../util/table.h"
#include "../util/timeline.h"
#include "config.h"
#include "place.h"

/* RocksDB's two columns, then ours; RocksDB may have written there, too. */
static const struct table_form report_form = {
	.header = "secs_elapsed,interval_qps,interval_seconds,reads_per_sec,"
		  "writes_per_sec,scans_per_sec,total_ops,benchmark,engine,threads\n",
};

const char *watch_check_files(char *error)
{
	if (*cfg->timeline && !timeline_check(cfg->timeline, error))
		return "--timeline";
	if (cfg->report_interval_seconds > 0 &&
	    !table_check(cfg->report_file, &report_form, error))
		return "--report_file";
	return NULL;
}

/* A file cannot be written: the first reason is kept. */
static void note_trouble(struct watch *w, const char *option, const char *why)
{
	if (w->trouble_with)
		return;
	w->trouble_with = option;
	snprintf(w->trouble, sizeof w->trouble, "%s", why);
}

static void stamp(char *to, size_t size)
{
	time_t now = time(NULL);
	struct tm t;

	localtime_r(&now, &t);
	strftime(to, size, "%Y/%m/%d-%H:%M:%S", &t);
}

void watch_print_interval(unsigned thread, uint64_t ops, uint64_t all, double seconds,
			  double all_seconds)
{
	char time_text[32];

	stamp(time_text, sizeof time_text);
	say("%s ... thread %u: (%llu,%llu) ops and (%.1f,%.1f) ops/second in (%.6f,%.6f) "
	    "seconds",
	    time_text, thread, (unsigned long long)ops, (unsigned long long)all,
	    (double)ops / seconds, (double)all / all_seconds, seconds, all_seconds);
}

/* ---- what has been done so far ---- */

/* The next times of all reports; seconds count from the start of the benchmark. */
struct timetable {
	uint64_t start; /* clock_raw_ns */
	double now, next_stats, next_report, next_sample, next_progress;
	double last_stats, last_report;
	uint64_t reported[KINDS], reported_ops;
	uint64_t window_ops, windows;
	double next_window;
};

/*
 * What a thread shows of its figures: none until it has heard that the warm-up is over. /
 */
static uint64_t shown(const struct watched *t, const _Atomic uint64_t *what)
{
	return atomic_load_explicit(&t->public->counts, memory_order_acquire)
		       ? atomic_load_explicit(what, memory_order_relaxed)
		       : 0;
}

static uint64_t shown_ops(const struct watch *w)
{
	uint64_t ops = 0;

	for (unsigned i = 0; i < w->foreground; i++)
		ops += shown(w->threads[i], &w->threads[i]->public->shown_ops);
	return ops;
}

/* With what is not committed yet. */
static uint64_t begun_ops(const struct watch *w)
{
	uint64_t ops = 0;

	for (unsigned i = 0; i < w->foreground; i++)
		ops += shown(w->threads[i], &w->threads[i]->public->begun);
	return ops;
}

static void show_threads(struct watch *w, struct timetable *t)
{
	for (unsigned i = 0; i < w->count; i++) {
		struct watched *thread = w->threads[i];
		uint64_t ops = shown(thread, &thread->public->shown_ops);

		watch_print_interval(i, ops - thread->reported_ops, ops,
				     t->now - t->last_stats, t->now);
		thread->reported_ops = ops;
	}
	t->last_stats = t->now;
}

static void append_report(struct watch *w, struct timetable *t)
{
	uint64_t ops = shown_ops(w), now[KINDS] = {0};
	double span = t->now - t->last_report;
	char line[512], error[TABLE_ERROR];
	size_t n;

	for (unsigned i = 0; i < w->count; i++)
		for (int k = 0; k < KINDS; k++)
			now[k] += shown(w->threads[i], &w->threads[i]->public->shown[k]);
	n = (size_t)snprintf(line, sizeof line, "%.6g,%.0f,%.6f", t->now,
			     (double)(ops - t->reported_ops) / span, span);
	for (int k = 0; k < KINDS; k++)
		n += (size_t)snprintf(line + n, sizeof line - n, ",%.0f",
				      (double)(now[k] - t->reported[k]) / span);
	snprintf(line + n, sizeof line - n, ",%llu,%s,%s,%u\n", (unsigned long long)ops,
		 w->benchmark, engine.name, w->foreground);
	if (!table_append(cfg->report_file, &report_form, line, error))
		note_trouble(w, "--report_file", error);
	memcpy(t->reported, now, sizeof now);
	t->reported_ops = ops;
	t->last_report = t->now;
}

static void show_progress(struct watch *w, struct timetable *t)
{
	double ops = (double)begun_ops(w);
	double share = w->timed ? t->now / cfg->duration : ops / (double)w->planned;
	double left = share > 0 ? t->now / share - t->now : 0;

	if (atomic_load(&w->warming)) {
		say_progress("%s: warming up, %.0f s left", w->benchmark,
			     cfg->warmup - t->now);
		return;
	}
	say_progress("%s: %3.0f %%, %.0f ops/sec, %.0f s left", w->benchmark, 100 * share,
		     ops / t->now, left);
}

/* When the time `due` has come, act and move it on. */
static void when_due(struct watch *w, struct timetable *t, double *due, double every,
		     void (*act)(struct watch *, struct timetable *))
{
	if (every <= 0 || t->now < *due)
		return;
	act(w, t);
	*due += every * (floor((t->now - *due) / every) + 1);
}

/* Milliseconds until something is due, rounded up; -1: never. */
static int patience(const struct watch *w, const struct timetable *t)
{
	enum { ENDING = 5 }; /* they are told again, lest one began a turn just then */
	double until = cfg->warmup;

	if (atomic_load(&w->stop))
		return ENDING;
	if (!atomic_load(&w->warming)) {
		until = t->next_window;
		if (w->timed) /* or soon, if they began late */
			until = fmin(until, fmax(cfg->duration, t->now + 0.001));
		if (cfg->stats_interval_seconds > 0)
			until = fmin(until, t->next_stats);
		if (cfg->report_interval_seconds > 0)
			until = fmin(until, t->next_report);
		if (w->sampler)
			until = fmin(until, t->next_sample);
	}
	if (say_on_terminal())
		until = fmin(until, t->next_progress);
	if (isinf(until))
		return -1;
	return until <= t->now ? 0 : (int)fmin(ceil((until - t->now) * 1000), 60000);
}

bool watch_finished(const struct watch *w, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (!atomic_load(&w->threads[i]->finished))
			return false;
	return true;
}

/* End each thread's turn after the call that it is in. */
static void cut_turns(struct watch *w)
{
	for (unsigned i = 0; i < w->count; i++)
		atomic_store_explicit(&w->threads[i]->turn_end, NULL,
				      memory_order_relaxed);
}

/* Have them show what they have done, however long what they are doing will take. */
static void catch_up(struct watch *w)
{
	const struct timespec turn = {0, 1000000};

	cut_turns(w);
	nanosleep(&turn, NULL);
}

/* Another second of operations; if we were kept from looking, more, taken as alike. */
static void close_window(struct watch *w, struct timetable *t)
{
	uint64_t ops, seconds = (uint64_t)t->now - t->windows;

	catch_up(w);
	ops = shown_ops(w);
	for (uint64_t i = 0; i < seconds; i++)
		steady_add(&w->steady, (double)(ops - t->window_ops) / (double)seconds);
	t->windows += seconds;
	t->window_ops = ops;
	if (cfg->until_steady > 0 && w->timed && steady_judge(&w->steady).steady > 0)
		atomic_store(&w->stop, true);
}

/* When the figures begin, at the start or after the warm-up. */
static struct timetable begin_timetable(void)
{
	return (struct timetable){
		.start = clock_raw_ns(),
		.next_stats = cfg->stats_interval_seconds,
		.next_report = cfg->report_interval_seconds,
		.next_sample = cfg->timeline_interval,
		.next_progress = 0.5,
		.next_window = 1,
	};
}

/*
 * The threads forget what they counted, each at the end of its turn; so does what is
 * counted here.
 */
static void end_warmup(struct watch *w, struct timetable *t)
{
	w->begin(w->owner);
	atomic_store(&w->warming, false);
	*t = begin_timetable();
	for (unsigned i = 0; i < w->count; i++)
		w->threads[i]->reported_ops = 0;
}

/* ---- the timeline ---- */

struct sampler {
	double last; /* second of the last row */
	struct usage usage;
	struct hist now[KINDS], all[KINDS]; /* room to work in */
	struct timeline_row row;
};

void watch_start_timeline(struct watch *w,
			  struct sample *(*sample_of)(void *owner, unsigned thread))
{
	w->sampler = say_alloc(1, sizeof *w->sampler);
	for (unsigned i = 0; i < w->count; i++) {
		struct sample *sample = sample_of(w->owner, i);

		pthread_mutex_init(&sample->lock, NULL);
		for (int k = 0; k < KINDS; k++)
			sample->hist[k].unit = clock_unit_ns(w->clock);
		w->threads[i]->sample = sample;
	}
}

void watch_begin(struct watch *w, const struct usage *before)
{
	struct sampler *s = w->sampler;

	if (!s)
		return;
	s->last = 0;
	s->usage = *before;
	for (unsigned i = 0; i < w->count; i++)
		w->threads[i]->last->cpu_s = usage_cpu_of(w->threads[i]->thread);
}

/* Of the threads' rows and of the one of all alike. */
static void begin_row(const struct watch *w, const char *thread, double span)
{
	struct timeline_row *r = &w->sampler->row;

	timeline_unknown(r);
	r->time = w->time;
	r->engine = engine.name;
	r->label = *cfg->label ? cfg->label : engine.name;
	r->benchmark = w->benchmark;
	r->repeat = w->repeat;
	r->threads = w->foreground;
	r->thread = thread;
	r->at_s = w->sampler->last + span;
	r->span_s = span;
}

static void append_sample(struct watch *w)
{
	char error[TABLE_ERROR];

	w->sampler->row.ops_per_sec = w->sampler->row.ops / w->sampler->row.span_s;
	if (!timeline_append(cfg->timeline, &w->sampler->row, error))
		note_trouble(w, "--timeline", error);
}

/*
 * The operations of one kind in this interval, with their times; they go into the sums,
 * too.
 */
static uint64_t sample_kind(struct sampler *s, struct sampled *last, int k,
			    uint64_t count)
{
	uint64_t new = count - last->kind[k];
	struct hist now = s->now[k];

	last->kind[k] = count;
	hist_since(&now, &last->hist[k]);
	last->hist[k] = s->now[k];
	hist_merge(&s->all[k], &now);
	s->row.kind[k].ops = (double)new;
	timeline_times(&s->row.kind[k], &now);
	return new;
}

/* A thread's row. What it did goes into the sums. */
static void sample_thread(struct watch *w, unsigned i, double span, double *ops,
			  uint64_t *kinds)
{
	struct watched *t = w->threads[i];
	struct sampler *s = w->sampler;
	double cpu = usage_cpu_of(t->thread);
	uint64_t done, count[KINDS];
	char name[16];

	/*
	 * What it spends on leaving is no work: looked at last, or that would be taken
	 * back.
	 */
	if (atomic_load(&t->counted))
		cpu = t->cpu_s;
	snprintf(name, sizeof name, "%u", i);
	begin_row(w, t->role ? t->role : name, span);
	pthread_mutex_lock(&t->sample->lock);
	memcpy(s->now, t->sample->hist, sizeof s->now);
	memcpy(count, t->sample->kind, sizeof count);
	done = t->sample->ops;
	pthread_mutex_unlock(&t->sample->lock);
	s->row.ops = (double)(done - t->last->ops);
	*ops += i < w->foreground ? s->row.ops : 0;
	t->last->ops = done;
	s->row.cpu_s = cpu - t->last->cpu_s;
	t->last->cpu_s = cpu;
	for (int k = 0; k < KINDS; k++)
		kinds[k] += sample_kind(s, t->last, k, count[k]);
	append_sample(w);
}

/* The rows of an interval: what each thread did, and all of them with what that cost. */
static void take_sample(struct watch *w, double now, const struct usage *usage)
{
	struct sampler *s = w->sampler;
	struct cgroup_usage group = cgroup_usage(w->group);
	double span = now - s->last, ops = 0;
	uint64_t kinds[KINDS] = {0};

	memset(s->all, 0, sizeof s->all);
	for (unsigned i = 0; i < w->count; i++)
		sample_thread(w, i, span, &ops, kinds);
	begin_row(w, "all", span);
	s->row.ops = ops;
	for (int k = 0; k < KINDS; k++) {
		s->row.kind[k].ops = (double)kinds[k];
		timeline_times(&s->row.kind[k], &s->all[k]);
	}
	s->row.usage = usage_since(&s->usage, usage);
	s->row.cpu_s = s->row.usage.cpu_s;
	s->row.footprint = footprint_read();
	s->row.page_cache_kb = cfg->memory ? group.page_cache / 1024
					   : timeline_page_cache_kb();
	s->row.disk_kb = place_disk(w->place, NULL) / 1024;
	append_sample(w);
	s->usage = *usage;
	s->last = now;
}

static bool has_answered(struct watched *t, unsigned tick)
{
	bool answered;

	pthread_mutex_lock(&t->sample->lock);
	/* Who closes the door asks, too, so that it may have answered a later one. */
	answered = t->silent || t->sample->tick - tick < UINT_MAX / 2 ||
		   atomic_load(&t->finished);
	pthread_mutex_unlock(&t->sample->lock);
	return answered;
}

/*
 * Ask the threads, wait for the end of their turns, and take what they have given. Who is
 * in a long call, or waits for a processor, for a quarter of a second or of the interval
 * is in the next one with the times of this one.
 */
static void sample(struct watch *w, struct timetable *t)
{
	const struct timespec turn = {0, 1000000};
	double until = t->now + fmin(cfg->timeline_interval / 4, 0.25);
	struct usage usage;
	unsigned tick;
	double now;

	if (atomic_load(&w->stop))
		return;
	tick = atomic_fetch_add(&w->tick, 1) + 1;
	cut_turns(w);
	if (w->timed)
		until = fmin(until, cfg->duration);
	for (unsigned i = 0; i < w->count && clock_seconds_since(t->start) < until;)
		if (has_answered(w->threads[i], tick))
			i++;
		else
			nanosleep(&turn, NULL);
	usage = usage_read();
	now = clock_seconds_since(t->start);
	/*
	 * What ended meanwhile ended before now: the last interval has it. So it may have
	 * where the time is over, though who was first to see that waits for a processor.
	 */
	if (!atomic_load(&w->stop) && !watch_finished(w, w->foreground) &&
	    !(w->timed && now >= cfg->duration))
		take_sample(w, now, &usage);
}

void watch_call_off(struct watch *w)
{
	for (unsigned i = 0; w->sampler && i < w->count; i++)
		pthread_mutex_destroy(&w->threads[i]->sample->lock);
	free(w->sampler);
	w->sampler = NULL;
}

void watch_end(struct watch *w, double seconds, const struct usage *after)
{
	if (w->sampler)
		take_sample(w, fmax(seconds, w->sampler->last + 1e-9), after);
	watch_call_off(w);
}

/* ---- all of it ---- */

/* What has become due. */
static void keep_time(struct watch *w, struct timetable *t)
{
	if (!atomic_load(&w->warming)) {
		when_due(w, t, &t->next_window, 1, close_window);
		when_due(w, t, &t->next_stats, cfg->stats_interval_seconds, show_threads);
		when_due(w, t, &t->next_report, cfg->report_interval_seconds,
			 append_report);
		when_due(w, t, &t->next_sample, w->sampler ? cfg->timeline_interval : 0,
			 sample);
	}
	when_due(w, t, &t->next_progress, say_on_terminal() ? 0.5 : 0, show_progress);
}

/* The threads do not begin. */
static void stay_away(struct watch *w, const char *why)
{
	note_trouble(w, "--meet", why);
	atomic_store(&w->stop, true);
}

/*
 * All are to begin within a millisecond; who does not come within --hang_timeout will
 * not.
 */
static void wait_for_others(struct watch *w, const char *_Atomic *doing)
{
	static const char *const waits[] = {
		"waiting for others (--meet)", "still waiting for others (--meet)"};
	const struct timespec soon = {0, 500000};
	uint64_t began = clock_raw_ns(), until, come;
	char why[MEET_ERROR];

	if (!meet_come(cfg->meet, cfg->meet_clients, &until, why)) {
		stay_away(w, why);
		return;
	}
	while ((come = meet_count(cfg->meet)) < until && !*w->interrupted) {
		double waited = clock_seconds_since(began);

		*doing = waits[(unsigned)waited % 2];
		if (cfg->hang_timeout > 0 && waited > cfg->hang_timeout) {
			snprintf(why, sizeof why,
				 "%llu of %llu clients did not come to %s within %g s "
				 "(--hang_timeout)",
				 (unsigned long long)(until - come),
				 (unsigned long long)cfg->meet_clients, cfg->meet,
				 cfg->hang_timeout);
			stay_away(w, why);
			return;
		}
		nanosleep(&soon, NULL);
	}
}

static void wait_for_time(struct watch *w, const char *_Atomic *doing)
{
	static const char *const waits[] = {
		"waiting for --start_at", "still waiting for --start_at"};
	static bool waited;
	double left = cfg->start_at - clock_wall();

	if (cfg->start_at > 0 && !waited && left < 0)
		say("--start_at had passed by %.3f s when the threads were ready, so "
		    "they begin late",
		    -left);
	for (unsigned i = 0; !waited && left > 0 && !*w->interrupted; i++) {
		struct timespec t = {(time_t)fmin(left, 1),
				     left < 1 ? (long)(left * 1e9) : 0};

		*doing = waits[i % 2];
		nanosleep(&t, NULL);
		left = cfg->start_at - clock_wall();
	}
	waited = true;
}

void watch_wait_for_start(struct watch *w, const char *_Atomic *doing)
{
	const char *before = *doing;

	wait_for_time(w, doing);
	if (*cfg->meet)
		wait_for_others(w, doing);
	*doing = before;
}

/* Since the first of them began, who may have got a processor late: so long is a row. */
static bool time_is_up(const struct watch *w, const struct timetable *t)
{
	uint64_t now = clock_ticks(w->clock);
	double ns = 0;

	if (t->now < cfg->duration)
		return false;
	for (unsigned i = 0; i < w->foreground; i++) {
		uint64_t began = atomic_load(&w->threads[i]->began);

		if (began && began < now)
			ns = fmax(ns, (double)clock_ns(w->clock, now - began));
	}
	return ns >= cfg->duration * 1e9;
}

void watch_run(struct watch *w)
{
	struct timetable t = begin_timetable();
	struct pollfd pipe_end = {.fd = w->wake, .events = POLLIN};
	char drain[256];

	steady_start(&w->steady);
	while (!watch_finished(w, w->count)) {
		poll(&pipe_end, 1, patience(w, &t));
		while (read(w->wake, drain, sizeof drain) > 0)
			;
		t.now = clock_seconds_since(t.start);
		if (atomic_load(&w->warming) && t.now >= cfg->warmup)
			end_warmup(w, &t);
		else if (!atomic_load(&w->warming) && w->timed && time_is_up(w, &t))
			atomic_store(&w->stop, true);
		if (*w->interrupted || watch_finished(w, w->foreground))
			atomic_store(&w->stop, true);
		if (atomic_load(&w->stop))
			cut_turns(w);
		keep_time(w, &t);
	}
	say_progress("%s", "");
}
