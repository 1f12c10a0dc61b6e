/*
 * slow_calls.c: --slow_calls: keeps each thread's slowest calls, and says what they
 * waited for (slow_cause.h).
 *
 * All of it happens between chunks. A thread reads the kernel's counters after a chunk
 * that was long enough to hold a slow call, and at least once a millisecond, so that what
 * they counted before the chunk is little. What a chunk waited is shared among its calls
 * by their durations. Below 1 ms that would mostly be wrong where a chunk has several
 * calls: such a call is not attributed.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../util/message.h"
#include "../../util/os/sync_count.h"
#include "../../util/os/thread_delay.h"
#include "../runner/database.h"
#include "../runner/worker.h"
#include "slow_cause.h"

extern const struct extra slow_calls_extra;

static struct {
	uint64_t calls;
	const char *file;
} slow_options;

static const struct option slow_calls_options[] = {
	{"slow_calls", "0",
	 "Number of slowest engine calls above 10 us that each thread records in "
	 "each run of a workload; 0: none. Columns slow_..._percent split by cause "
	 "what these calls take beyond the 99th percentile of their kind. Kinds are "
	 "read, write and scan. slow_covered_percent says how much of all such time "
	 "is in recorded calls. Begin with 100; if it is below 90, record more.",
	 .count = &slow_options.calls, .max = 100000, .group = "Slowest calls"},
	{"slow_calls_file", "",
	 "TSV file to which the calls that --slow_calls recorded are appended, with "
	 "their times and causes; empty: none. start_ms is from the start of the "
	 "measurement, as at_s of --timeline; time is that of the row.",
	 .text = &slow_options.file},
	{0},
};

struct slow_calls_columns {
	double calls, above_ms, covered, percent[SLOW_CAUSES];
	double stall_flush, stall_compaction, stall_level0, other_sync;
};

#define SLOW_PERCENT(name, member, help) \
	{"slow_" name "_percent", help, offsetof(struct slow_calls_columns, member), 1}
#define SLOW_SHARE(name, member, help) \
	SLOW_PERCENT(name, member, \
		     "Percentage of slow_above_p99_ms (what slow calls took " \
		     "beyond the 99th percentile) " help)
#define SLOW_CAUSE(name, cause, help) SLOW_SHARE(name, percent[cause], help)
/* Nobody reports this wait: a call that waited for an event returns when that ends. */
#define UNTIL_END_OF(event) \
	"in which the thread waited until a " event " ended within the call. This is " \
	"inferred from the times: no own sync, stall, device read or other writer " \
	"explains the wait. 0: the engine reports none, or they end within slow " \
	"calls, or late in them, no more often than by chance."

static const struct row_file_column slow_calls_column_table[] = {
	{"slow_calls",
	 "Number of recorded calls that took longer than the 99th percentile (p99) "
	 "of their kind: read, write or scan. Each thread records its --slow_calls "
	 "slowest calls of all kinds. Empty: without --slow_calls.",
	 offsetof(struct slow_calls_columns, calls), 0},
	{"slow_above_p99_ms",
	 "Time above p99: for each slow call that --slow_calls recorded, its "
	 "duration minus the 99th percentile of its kind, summed up. Columns "
	 "slow_cpu_percent to slow_not_attributed_percent divide it by cause, each "
	 "call's as its whole duration. Empty: without --slow_calls.",
	 offsetof(struct slow_calls_columns, above_ms), 3},
	SLOW_PERCENT("covered", covered,
		     "Percentage of all time above p99 (what calls took beyond the "
		     "99th percentile) that the recorded calls hold. slow_above_p99_ms "
		     "/ the same sum over all calls. Low: the slow_ columns explain "
		     "little; raise --slow_calls. Empty: no call took longer than p99."),
	SLOW_CAUSE("cpu", SLOW_CPU, "in which the thread was computing on a CPU."),
	SLOW_CAUSE("runnable", SLOW_RUNNABLE,
		   "in which the thread could run and waited for a free core."),
	SLOW_CAUSE("steal", SLOW_STEAL,
		   "in which the hypervisor ran other machines. It is known only if "
		   "the thread did not sleep in the call. Otherwise that time stands "
		   "in the columns of waiting, such as slow_blocked_percent. Empty: "
		   "the kernel lacks counters for it."),
	SLOW_CAUSE("own_sync", SLOW_OWN_SYNC,
		   "in which the thread waited for a sync that it called itself."),
	SLOW_CAUSE("other_writer", SLOW_OTHER_WRITER,
		   "in which a write waited for other threads' writes. It is the call's "
		   "wait without own syncs, stalls and device reads. Other threads must "
		   "have been in syncs for half of this wait; where an engine has one "
		   "writer, for any part."),
	SLOW_SHARE("other_sync", other_sync,
		   "in which a write waited inside syncs of other threads. It is "
		   "part of slow_other_writer_percent."),
	SLOW_CAUSE("stall", SLOW_STALL,
		   "in which writes waited during a stall of writes that the engine's "
		   "log reports."),
	SLOW_SHARE("stall_flush", stall_flush,
		   "in which writes waited, by the engine's own account, for a "
		   "memtable flush. It is part of slow_stall_percent."),
	SLOW_SHARE("stall_compaction", stall_compaction,
		   "in which writes waited, by the engine's own account, for a "
		   "compaction. It is part of slow_stall_percent."),
	SLOW_SHARE("stall_level0", stall_level0,
		   "in which writes waited because level 0 had too many files. "
		   "It is part of slow_stall_compaction_percent."),
	SLOW_CAUSE("device_read", SLOW_DEVICE_READ,
		   "in which the thread waited and a device read data for it."),
	SLOW_CAUSE("flush", SLOW_FLUSH, UNTIL_END_OF("memtable flush")),
	SLOW_CAUSE("compaction", SLOW_COMPACTION, UNTIL_END_OF("compaction")),
	SLOW_CAUSE("checkpoint", SLOW_CHECKPOINT, UNTIL_END_OF("checkpoint")),
	SLOW_CAUSE("blocked", SLOW_BLOCKED,
		   "in which the thread waited, and no other slow_ column names the "
		   "reason."),
	SLOW_CAUSE("not_attributed", SLOW_NOT_ATTRIBUTED,
		   "for which it is unknown whether the thread ran or waited. Usually "
		   "these are calls below 1 ms: the kernel's counters are read once for "
		   "several of them. Near 100: the system may lack such counters."),
};

/* ---- in a thread, between chunks ---- */

/* Nothing could be said of shorter calls, and to look for them would cost time. */
#define SLOW_LEAST_NS 10e3

struct slow_thread {
	struct sync_count_spans syncs;
	uint64_t least;      /* ticks: no shorter call is kept */
	uint64_t read_least; /* ticks of a chunk after which counters are read, */
	uint64_t read_every; /* and of the longest time between two readings */
	uint64_t read_at;
	struct thread_delay read;
	int fd;
	bool is_known, is_heap;
	uint64_t open_in; /* of the last kept call, see struct slow_call */
	uint64_t capacity, count;
	struct slow_call kept[]; /* once it is full: a heap, the fastest call first */
};

/* What a chunk's calls waited, in nanoseconds. */
struct slow_chunk {
	bool is_known, slept, device_read;
	/* between two readings; in the calls; off the core, and of that why */
	double window_ns, calls_ns, off_ns, runnable_ns, steal_ns;
};

static void slow_calls_began(struct worker *w)
{
	struct slow_thread *t = w->observer_state;

	if (t->fd < 0)
		t->fd = thread_delay_open();
	t->is_known = thread_delay_is_known();
	sync_count_note_spans(&t->syncs);
	t->read = thread_delay_read(t->fd);
	t->read_at = clock_ticks(w->clock);
}

static uint64_t difference(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* Ticks of the calls of a chunk. */
static uint64_t sum_slots(const struct worker *w, unsigned n)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += w->generator.slot[w->next_slot + i].ticks;
	return sum;
}

/* Read the counters: the time off the core since the last reading, and why. */
static struct slow_chunk read_chunk(const struct worker *w, struct slow_thread *t)
{
	struct thread_delay now = thread_delay_read(t->fd), was = t->read;
	uint64_t at = clock_ticks(w->clock);
	struct slow_chunk c = {
		.is_known = t->is_known,
		.window_ns = (double)clock_ns(w->clock, at - t->read_at),
		.runnable_ns = (double)difference(now.runnable_ns, was.runnable_ns),
		.slept = now.sleeps > was.sleeps,
		.device_read = now.device_reads > was.device_reads,
	};

	c.off_ns = c.window_ns - (double)difference(now.cpu_ns, was.cpu_ns);
	t->read = now;
	t->read_at = at;
	return c;
}

/*
 * Between the two readings the thread was off its core in the calls of the chunk, but for
 * the pauses of an open loop, which are no part of a call.
 */
static void split_chunk(const struct worker *w, unsigned n, struct slow_chunk *c)
{
	double between;

	c->calls_ns = (double)clock_ns(w->clock, sum_slots(w, n));
	between = c->window_ns > c->calls_ns ? c->window_ns - c->calls_ns : 0;
	/* a pause that is not of the schedule cannot be told from the calls */
	c->is_known &= w->is_scheduled || between < 3e6;
	if (w->is_scheduled)
		c->off_ns -= between;
	c->off_ns = fmax(0, fmin(c->off_ns, c->calls_ns));
	c->runnable_ns = fmin(c->runnable_ns, c->off_ns);
	/* without the wait for a core the rest may be that */
	c->steal_ns = c->slept || !thread_delay_knows_runnable()
			      ? 0
			      : c->off_ns - c->runnable_ns;
}

/* Put a call where the fastest one was, and restore the heap. */
static void replace_fastest(struct slow_thread *t, const struct slow_call *call)
{
	size_t i = 0;

	for (;;) {
		size_t child = 2 * i + 1;

		if (child + 1 < t->count &&
		    t->kept[child + 1].ticks < t->kept[child].ticks)
			child++;
		if (child >= t->count || t->kept[child].ticks >= call->ticks)
			break;
		t->kept[i] = t->kept[child];
		i = child;
	}
	t->kept[i] = *call;
}

static int order_by_ticks(const void *a, const void *b)
{
	const struct slow_call *x = a, *y = b;

	return (x->ticks > y->ticks) - (x->ticks < y->ticks);
}

static void keep_call(struct slow_thread *t, const struct slow_call *call)
{
	if (t->count == t->capacity)
		replace_fastest(t, call);
	else
		t->kept[t->count++] = *call;
	if (t->count < t->capacity)
		return;
	if (!t->is_heap) /* a sorted array is one */
		qsort(t->kept, t->count, sizeof *t->kept, order_by_ticks);
	t->is_heap = true;
	t->least = t->kept->ticks;
}

/* Ticks in which other foreground sessions synced during the call, each counted. */
static uint64_t other_sync_ticks(const struct worker *w, const struct slow_call *call)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < w->run->all_threads; i++) {
		struct worker *other = &w->run->workers[i];
		struct slow_thread *t = other->observer_state;

		if (other != w && t)
			sum += sync_count_ticks(&t->syncs, call->begin, call->end);
	}
	return sum < call->ticks ? sum : call->ticks;
}

/* Complete a call that is kept: its parts of what the chunk waited. */
static void describe_call(const struct worker *w, struct slow_thread *t,
			  const struct slow_chunk *c, unsigned n, struct slow_call *call)
{
	double ns = (double)clock_ns(w->clock, call->ticks);
	double share = c->calls_ns > 0 ? (double)call->ticks / c->calls_ns : 0;

	call->is_known = c->is_known && (n == 1 || ns >= 1e6);
	call->device_read = c->device_read;
	/* `share` turns nanoseconds of all calls into ticks of this one */
	call->runnable = (uint64_t)(c->runnable_ns * share);
	call->steal = (uint64_t)(c->steal_ns * share);
	call->blocked = (uint64_t)((c->off_ns - c->runnable_ns - c->steal_ns) * share);
	call->cpu = difference(call->ticks, call->runnable + call->steal + call->blocked);
	call->own_sync = sync_count_ticks(&t->syncs, call->begin, call->end);
	call->other_sync = other_sync_ticks(w, call);
}

/* Has the chunk a call that is to be kept? */
static bool has_slow_call(const struct worker *w, const struct slow_thread *t, unsigned n)
{
	const struct slot *slot = w->generator.slot + w->next_slot;
	const uint64_t least = t->least;
	bool slow = false;

#pragma GCC unroll 8
	for (unsigned i = 0; i < n; i++)
		slow |= slot[i].ticks > least;
	return slow;
}

/* Keep the calls of a chunk that are slower than what is kept. */
static void keep_chunk(struct worker *w, struct slow_thread *t,
		       const struct slow_chunk *c, unsigned n)
{
	const struct generator *g = &w->generator;
	const unsigned open = transaction_open_calls(&w->transaction, n),
		       end = w->next_slot + n;
	uint64_t at = w->chunk_began;

	for (unsigned i = w->next_slot; i < end; i++) {
		const struct slot *slot = &g->slot[i];
		struct slow_call call = {.ticks = slot->ticks, .id = g->id[i]};

		at += slot->ticks;
		if (slot->ticks <= t->least)
			continue;
		call.end = w->is_scheduled ? w->scheduled[i] + w->response[i] : at;
		call.begin = difference(call.end, slot->ticks);
		call.kind = generator_kind_of_call[slot->call & CALL_MASK];
		call.thread = g->number;
		call.open_in = i < end - open ? 0 : w->transaction.commits + 1;
		describe_call(w, t, c, n, &call);
		keep_call(t, &call);
		t->open_in = call.open_in;
	}
}

static void slow_calls_done(struct worker *w, unsigned n)
{
	struct slow_thread *t = w->observer_state;
	uint64_t spent = w->ended_at - w->chunk_began;
	struct slow_chunk c = {.is_known = false};

	n = w->is_multiget && n ? 1 : n;
	if (spent >= t->read_least || w->ended_at - t->read_at >= t->read_every)
		c = read_chunk(w, t);
	if (w->is_warming_up || spent <= t->least || !has_slow_call(w, t, n))
		return;
	split_chunk(w, n, &c);
	keep_chunk(w, t, &c, n);
}

/*
 * The open transaction was rolled back: its calls are in no figure. Calls that they have
 * replaced are lost.
 */
static void slow_calls_undone(struct worker *w)
{
	struct slow_thread *t = w->observer_state;
	uint64_t open_in = w->transaction.commits + 1, n = 0;

	if (t->open_in != open_in)
		return;
	for (uint64_t i = 0; i < t->count; i++)
		if (t->kept[i].open_in != open_in)
			t->kept[n++] = t->kept[i];
	t->count = n;
	t->is_heap = false;
	t->least = (uint64_t)(SLOW_LEAST_NS / clock_tick_ns(w->clock));
	t->open_in = 0;
}

static const struct chunk_observer slow_calls_observer = {
	.done = slow_calls_done,
	.undone = slow_calls_undone,
	.began = slow_calls_began,
};

static const char *slow_calls_observes(const struct plan_item *item)
{
	return slow_options.calls && !workload_is_maintenance(item->workload)
		       ? "--slow_calls"
		       : NULL;
}

static void slow_calls_begin_worker(struct worker *w)
{
	const double tick_ns = clock_tick_ns(w->clock);
	struct slow_thread *t;

	if (w->run->is_baseline || w->generator.workload->added ||
	    !slow_calls_observes(w->run->item))
		return;
	t = message_alloc(1, sizeof *t + slow_options.calls * sizeof *t->kept);
	t->syncs.clock = w->clock;
	t->capacity = slow_options.calls;
	t->fd = -1;
	t->least = (uint64_t)(SLOW_LEAST_NS / tick_ns);
	t->read_least = (uint64_t)(50e3 / tick_ns);
	t->read_every = (uint64_t)(1e6 / tick_ns);
	w->observer = &slow_calls_observer;
	w->observer_state = t;
}

static void slow_calls_end_worker(struct worker *w)
{
	struct slow_thread *t = w->observer_state;

	if (w->observer != &slow_calls_observer)
		return;
	if (t->fd >= 0)
		close(t->fd);
	free(t);
}

/* ---- when the threads have ended ---- */

/* A moment on the harness's clock and the two that engines note times by. */
struct slow_moment {
	uint64_t ticks, ns[2]; /* CLOCK_MONOTONIC, CLOCK_REALTIME */
};

struct slow_calls_run {
	struct slow_moment began, ended;
	struct slow_call *calls;
	size_t count;
	struct slow_event *events;
	size_t events_count, events_room;
	bool has_run;
};

static struct slow_moment moment_now(const struct clock *clock)
{
	struct slow_moment m = {.ticks = clock_ticks(clock)};

	for (int realtime = 0; realtime < 2; realtime++) {
		struct timespec t;

		clock_gettime(realtime ? CLOCK_REALTIME : CLOCK_MONOTONIC, &t);
		m.ns[realtime] = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
	}
	return m;
}

/* A time of an engine's clock in ticks, by two moments at which both were read. */
static uint64_t ticks_of(const struct slow_calls_run *s, bool realtime, uint64_t ns)
{
	double span = (double)(s->ended.ns[realtime] - s->began.ns[realtime]);
	double since = (double)(int64_t)(ns - s->began.ns[realtime]);

	return s->began.ticks +
	       (uint64_t)(int64_t)(since / span *
				   (double)(s->ended.ticks - s->began.ticks));
}

/* Keep an event that ended during the run. */
static void note_slow_event(void *to, const struct event *event)
{
	struct slow_calls_run *s = to;

	if (event->end_ns <= s->began.ns[event->realtime] ||
	    event->end_ns >= s->ended.ns[event->realtime])
		return;
	if (s->events_count == s->events_room) {
		s->events_room = s->events_room ? 2 * s->events_room : 256;
		s->events = realloc(s->events, s->events_room * sizeof *s->events);
		if (!s->events)
			message_fatal(1, "out of memory");
	}
	s->events[s->events_count++] =
		(struct slow_event){event->kind,
				    ticks_of(s, event->realtime, event->begin_ns),
				    ticks_of(s, event->realtime, event->end_ns),
				    event->reason};
}

static void slow_calls_begin_run(struct run *run)
{
	static bool is_said;
	struct slow_calls_run *s = extra_state(&run->extras, &slow_calls_extra);

	if (!slow_options.calls)
		return;
	if (thread_delay_missing() && !is_said)
		message_print("--slow_calls: %s", thread_delay_missing());
	is_said = true;
	s->began = moment_now(run->info->clock);
}

/* All calls that the threads have kept. */
static void collect_calls(struct slow_calls_run *s, const struct run *run)
{
	s->calls = message_alloc(run->all_threads * slow_options.calls, sizeof *s->calls);
	for (unsigned i = 0; i < run->all_threads; i++) {
		const struct worker *w = &run->workers[i];
		const struct slow_thread *t = w->observer_state;

		if (w->observer != &slow_calls_observer)
			continue;
		memcpy(s->calls + s->count, t->kept, t->count * sizeof *s->calls);
		s->count += t->count;
	}
}

static void slow_calls_end_run(struct run *run)
{
	struct slow_calls_run *s = extra_state(&run->extras, &slow_calls_extra);
	char why[ENGINE_ERROR_SIZE] = "";

	if (!slow_options.calls || workload_is_maintenance(run->workload))
		return;
	s->has_run = true;
	s->ended = moment_now(run->info->clock);
	collect_calls(s, run);
	if (run->engine->events && run->db &&
	    run->engine->events(run->db, note_slow_event, s, why) != DONE)
		message_print("--slow_calls: the engine's background events are unknown, "
			      "and no call is attributed to them: %s",
			      why);
}

static void slow_calls_end_item(struct run *run, bool valid)
{
	struct slow_calls_run *s = extra_state(&run->extras, &slow_calls_extra);

	(void)valid;
	free(s->calls);
	free(s->events);
	s->calls = NULL;
	s->events = NULL;
}

/* ---- the row ---- */

/* Time above p99 of all calls of a kind, nanoseconds. */
static double time_above(const struct hist *h, double p99)
{
	double sum = 0;

	for (size_t i = 0; i < HIST_BUCKETS; i++) {
		double ns = (hist_lowest(i) + hist_highest(i)) / 2 * h->unit;

		if (h->count[i] && ns > p99)
			sum += (double)h->count[i] * (ns - p99);
	}
	return sum;
}

/* A call with its explanation. */
struct slow_line {
	const struct slow_call *call;
	struct slow_reason reason;
	double above_ns; /* above p99 */
};

static void add_line(struct slow_calls_columns *c, const struct slow_line *l)
{
	const double stall = l->reason.part[SLOW_STALL] * l->above_ns;

	c->calls++;
	c->above_ms += l->above_ns / 1e6;
	for (int i = 0; i < SLOW_CAUSES; i++)
		c->percent[i] += l->reason.part[i] * l->above_ns;
	if (l->reason.stall == STALL_MEMTABLES)
		c->stall_flush += stall;
	if (l->reason.stall == STALL_LEVEL0)
		c->stall_level0 += stall;
	if (l->reason.stall == STALL_LEVEL0 || l->reason.stall == STALL_COMPACTION)
		c->stall_compaction += stall;
	if (l->reason.part[SLOW_OTHER_WRITER] > 0) {
		double synced = (double)l->call->other_sync / (double)l->call->ticks,
		       part = l->reason.part[SLOW_OTHER_WRITER];

		c->other_sync += (synced < part ? synced : part) * l->above_ns;
	}
}

/* Sums become percentages; what the system does not tell is unknown. */
static void finish_columns(struct slow_calls_columns *c, double all_ns)
{
	double *const parts[] = {&c->stall_flush, &c->stall_compaction, &c->stall_level0,
				 &c->other_sync};
	double above_ns = c->above_ms * 1e6;

	c->covered = all_ns > 0 ? fmin(100, 100 * above_ns / all_ns) : NAN;
	for (int i = 0; i < SLOW_CAUSES; i++)
		c->percent[i] = above_ns > 0 ? 100 * c->percent[i] / above_ns : NAN;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		*parts[i] = above_ns > 0 ? 100 * *parts[i] / above_ns : NAN;
	if (!thread_delay_knows_runnable())
		c->percent[SLOW_RUNNABLE] = c->percent[SLOW_STEAL] = NAN;
	if (!thread_delay_is_known())
		c->percent[SLOW_STEAL] = c->percent[SLOW_CPU] = NAN;
}

static const char slow_file_header[] =
	"benchmark\titeration\tthread\tkind\tstart_ms\tduration_ms\trecord\tcpu_ms\t"
	"runnable_ms\tsteal_ms\tblocked_ms\town_sync_ms\tother_sync_ms\tdevice_read\t"
	"cause\tended\tduring\ttime\n";
static const char *const event_names[EVENT_KINDS] = {"flush", "compaction", "checkpoint",
						     "eviction", "stall"};

/* The cause with the greatest part of a call. */
static const char *main_cause(const struct slow_reason *r)
{
	int best = 0;

	for (int i = 1; i < SLOW_CAUSES; i++)
		if (r->part[i] > r->part[best])
			best = i;
	return slow_cause_names[best];
}

static void print_slow_call(FILE *file, const struct aggregate *a, const struct result *r,
			    const struct slow_line *l)
{
	const struct slow_call *c = l->call;
	const struct clock *clock = a->info->clock;
	/* as at_s of a timeline; a background thread may begin before it */
	const uint64_t zero = a->foreground_totals.first_start,
		       parts[] = {c->cpu,     c->runnable, c->steal,
				  c->blocked, c->own_sync, c->other_sync};
	char during[64] = "";

	for (int k = 0; k < EVENT_KINDS; k++)
		if (l->reason.during[k])
			message_append(during, sizeof during, ",", "%s", event_names[k]);
	fprintf(file, "%s\t%u\t%u\t%s", a->workload->name, a->item->iteration, c->thread,
		result_kinds[c->kind]);
	fprintf(file, "\t%.3f\t%.3f",
		((double)clock_ns(clock, difference(c->begin, zero)) -
		 (double)clock_ns(clock, difference(zero, c->begin))) /
			1e6,
		(double)clock_ns(clock, c->ticks) / 1e6);
	fprintf(file, "\t%llu", (unsigned long long)c->id);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (c->is_known || i > 3)
			fprintf(file, "\t%.3f", (double)clock_ns(clock, parts[i]) / 1e6);
		else
			fputc('\t', file);
	fprintf(file, "\t%d\t%s\t%s\t%s\t%s\n", c->device_read, main_cause(&l->reason),
		l->reason.has_ended ? event_names[l->reason.ended] : "", during, r->time);
}

static FILE *open_slow_file(void)
{
	FILE *file = *slow_options.file ? fopen(slow_options.file, "a") : NULL;

	if (*slow_options.file && !file)
		message_print("--slow_calls_file: cannot open %s: %s; the row has the "
			      "columns slow_... all the same",
			      slow_options.file, strerror(errno));
	if (file && !fseek(file, 0, SEEK_END) && !ftell(file))
		fputs(slow_file_header, file);
	return file;
}

static void slow_calls_fill(const struct aggregate *a, struct result *r)
{
	struct slow_calls_run *s = extra_state(a->extras, &slow_calls_extra);
	struct slow_calls_columns *columns = result_added(r, &slow_calls_extra.columns);
	struct slow_causes causes;
	double p99[KINDS], all_ns = 0;
	FILE *file;

	if (!s->has_run || !a->latency)
		return;
	memset(columns, 0, sizeof *columns);
	for (int k = 0; k < KINDS; k++) {
		p99[k] = hist_quantile(&a->latency[k], 990000);
		all_ns += time_above(&a->latency[k], p99[k]);
	}
	causes = slow_cause_judge(s->events, s->events_count, s->calls, s->count,
				  s->began.ticks, s->ended.ticks);
	causes.one_writer = engine.one_writer;
	file = a->item->is_warmup ? NULL : open_slow_file();
	for (size_t i = 0; i < s->count; i++) {
		double ns = (double)clock_ns(a->info->clock, s->calls[i].ticks);
		struct slow_line l = {&s->calls[i],
				      slow_cause_find(&causes, &s->calls[i]),
				      ns - p99[s->calls[i].kind]};

		if (l.above_ns > 0)
			add_line(columns, &l);
		if (file)
			print_slow_call(file, a, r, &l);
	}
	finish_columns(columns, all_ns);
	if (file)
		fclose(file);
}

static void slow_calls_check_plan(const struct plan_item *list, unsigned count)
{
	(void)list, (void)count;
	if (slow_options.calls && !cfg->latency)
		message_fatal(2, "--slow_calls: each call must be timed; leave out "
				 "--latency=0");
	if (*slow_options.file && !slow_options.calls)
		message_fatal(2, "--slow_calls_file: no calls are recorded; give "
				 "--slow_calls=100");
}

const struct extra slow_calls_extra = {
	.options = slow_calls_options,
	.columns = ROW_FILE_COLUMNS(slow_calls_column_table),
	.check_plan = slow_calls_check_plan,
	.observes = slow_calls_observes,
	.state_size = sizeof(struct slow_calls_run),
	.begin_run = slow_calls_begin_run,
	.begin_worker = slow_calls_begin_worker,
	.end_worker = slow_calls_end_worker,
	.end_run = slow_calls_end_run,
	.end_item = slow_calls_end_item,
	.fill = slow_calls_fill,
};
