/* slow_cause.c: see slow_cause.h. */
#include "slow_cause.h"

#include <math.h>
#include <stdlib.h>

#include "../../util/message.h"
#include "../../util/random.h"

const char *const slow_cause_names[SLOW_CAUSES] = {"cpu",          "runnable",
						   "steal",        "own_sync",
						   "stall",        "device_read",
						   "other_writer", "flush",
						   "compaction",   "checkpoint",
						   "blocked",      "not_attributed"};

/* The cause that the end of an event is; SLOW_BLOCKED: none by itself. */
static const enum slow_cause cause_of_event[EVENT_KINDS] = {
	[EVENT_FLUSH] = SLOW_FLUSH,           [EVENT_COMPACTION] = SLOW_COMPACTION,
	[EVENT_CHECKPOINT] = SLOW_CHECKPOINT, [EVENT_EVICTION] = SLOW_BLOCKED,
	[EVENT_STALL] = SLOW_BLOCKED,
};

/* Events fewer than these are no evidence; the blocks within which events are shifted. */
enum { LEAST_EVENTS = 3, SHIFT_BLOCKS = 32, MOST_SHIFTS = 1999, LEAST_SHIFTS = 499 };

/* Below the 5 % that may be wrong, as events that grow within a block add a little. */
#define CHANCE_LEVEL 0.04

/*
 * An event that ends in the last third of a call's blocked time is late. If only chance
 * puts ends into calls, a third of them is late, and the number of late ends exceeds that
 * by this many standard deviations in 5 % of cases. The test of lateness is needed where a
 * core is free only while calls are blocked: then more events end inside calls than by
 * chance, but not more of them are late.
 */
#define LATENESS 1.645
#define LATE (5.0 / 6) /* a late end has a weight above this */

/* A blocked call, and the earliest begin of it and those that end later. */
struct blocked_span {
	uint64_t begin, end, earliest;
};

static int order_by_end(const void *a, const void *b)
{
	const struct slow_event *x = a, *y = b;

	return (x->end > y->end) - (x->end < y->end);
}

static int order_spans(const void *a, const void *b)
{
	const struct blocked_span *x = a, *y = b;

	return (x->end > y->end) - (x->end < y->end);
}

/* The blocked time that no direct evidence explains. */
static uint64_t blocked_rest(const struct slow_call *call)
{
	return call->device_read || call->own_sync >= call->blocked
		       ? 0
		       : call->blocked - call->own_sync;
}

/*
 * The calls that mostly waited, for no sync and no device read, by their ends. The wait
 * for a core comes last, when what they waited for has ended.
 */
static size_t list_blocked(const struct slow_call *calls, size_t n,
			   struct blocked_span *spans)
{
	uint64_t earliest = UINT64_MAX;
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		if (calls[i].is_known && blocked_rest(&calls[i]) * 2 >= calls[i].ticks)
			spans[count++] =
				(struct blocked_span){calls[i].begin,
						      calls[i].end - calls[i].runnable,
						      0};
	qsort(spans, count, sizeof *spans, order_spans);
	for (size_t i = count; i--;) {
		earliest = spans[i].begin < earliest ? spans[i].begin : earliest;
		spans[i].earliest = earliest;
	}
	return count;
}

/*
 * How much the end of an event at this time says: 0 outside all calls. A call that
 * waited for it ends soon after: so 1 at the call's end, and half of that at its begin.
 */
static double weigh_end(const struct blocked_span *spans, size_t n, uint64_t at)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (spans[middle].end < at)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < n && spans[low].earliest <= at; low++)
		if (spans[low].begin <= at)
			return 1 -
			       (double)(spans[low].end - at) / 2 /
				       (double)(spans[low].end - spans[low].begin + 1);
	return 0;
}

/* What a test shifts: events of a kind, within blocks of time. */
struct shift_test {
	const struct slow_causes *causes;
	enum event_kind kind;
	const struct blocked_span *spans;
	size_t n;
	uint64_t begin, block;
};

/*
 * The sum of weights of the kind's ends with these shifts; how many are inside, and how
 * many of those in the last third of the blocked time.
 */
static double weigh_shifted(const struct shift_test *t, const uint64_t *shifts,
			    unsigned *inside, unsigned *late)
{
	double sum = 0;

	*inside = *late = 0;
	for (size_t i = 0; i < t->causes->count; i++) {
		const struct slow_event *e = &t->causes->events[i];
		uint64_t at = e->end - t->begin, number = at / t->block;
		double weight;

		if (e->kind != t->kind)
			continue;
		/* it stays in its block: the shift is modulo the block */
		at = t->begin + number * t->block + (at + shifts[number]) % t->block;
		weight = weigh_end(t->spans, t->n, at);
		*inside += weight > 0;
		*late += weight > LATE;
		sum += weight;
	}
	return sum;
}

/* How likely a moment in the calls is in the last third of the blocked time. */
static double chance_of_late(const struct shift_test *t, struct random *r)
{
	enum { DRAWS = 1000 };
	unsigned late = 0;

	for (int i = 0; i < DRAWS; i++) {
		const struct blocked_span s = t->spans[random_below(r, t->n)];
		uint64_t at = s.begin + random_below(r, s.end - s.begin + 1);

		late += weigh_end(t->spans, t->n, at) > LATE;
	}
	return (double)late / DRAWS;
}

/* Standard deviations by which more ends inside are late than by chance. */
static double lateness(const struct shift_test *t, unsigned inside, unsigned late,
		       struct random *r)
{
	double p = chance_of_late(t, r);

	return (late - p * inside) / sqrt(p * (1 - p) * inside);
}

/*
 * How often chance has ends that say as much; NaN: fewer than three are inside. And
 * whether more of them than by chance are late.
 */
static double chance_of(const struct shift_test *t, bool *is_late)
{
	uint64_t shifts[SHIFT_BLOCKS] = {0};
	unsigned inside, late, shifted[2], as_many = 0;
	unsigned rounds = (unsigned)(4000000 / (t->causes->count + 1));
	double weight = weigh_shifted(t, shifts, &inside, &late);
	struct random r = random_seed(1, "slow calls");

	if (inside < LEAST_EVENTS)
		return NAN;
	*is_late = lateness(t, inside, late, &r) >= LATENESS;
	rounds = rounds > MOST_SHIFTS    ? MOST_SHIFTS
		 : rounds < LEAST_SHIFTS ? LEAST_SHIFTS
					 : rounds;
	for (unsigned i = 0; i < rounds; i++) {
		for (int b = 0; b < SHIFT_BLOCKS; b++)
			shifts[b] = random_below(&r, t->block);
		as_many +=
			weigh_shifted(t, shifts, shifted, shifted + 1) >= weight - 1e-9;
	}
	return (1 + as_many) / (1.0 + rounds);
}

/* Holm's correction: the least p stands against all kinds, the next against one less. */
static void correct(struct slow_causes *c)
{
	unsigned left = 0;

	for (int k = 0; k < EVENT_KINDS; k++)
		left += isnan(c->p[k]) ? 0 : 1;
	while (left) {
		int best = -1;

		for (int k = 0; k < EVENT_KINDS; k++)
			if (!isnan(c->p[k]) && !c->beyond_chance[k] &&
			    (best < 0 || c->p[k] < c->p[best]))
				best = k;
		if (c->p[best] * left-- > CHANCE_LEVEL)
			return;
		c->beyond_chance[best] = true;
	}
}

struct slow_causes slow_cause_judge(struct slow_event *events, size_t count,
				    const struct slow_call *calls, size_t n,
				    uint64_t begin, uint64_t end)
{
	struct slow_causes c = {.events = events, .count = count};
	struct blocked_span *spans = message_alloc(n + 1, sizeof *spans);
	struct shift_test test = {.causes = &c,
				  .spans = spans,
				  .n = list_blocked(calls, n, spans),
				  .begin = begin,
				  .block = (end - begin) / SHIFT_BLOCKS + 1};
	bool is_late[EVENT_KINDS] = {false};

	if (count) /* there may be no array */
		qsort(events, count, sizeof *events, order_by_end);
	for (int k = 0; k < EVENT_KINDS; k++) {
		test.kind = (enum event_kind)k;
		c.p[k] = cause_of_event[k] == SLOW_BLOCKED
				 ? NAN
				 : chance_of(&test, &is_late[k]);
	}
	correct(&c);
	for (int k = 0; k < EVENT_KINDS; k++)
		c.beyond_chance[k] &= is_late[k];
	free(spans);
	return c;
}

/* Takes the part of a cause from what is left of a call's time. */
static void take(struct slow_reason *r, const struct slow_call *call,
		 enum slow_cause cause, uint64_t ticks, uint64_t *left)
{
	ticks = ticks < *left ? ticks : *left;
	r->part[cause] += (double)ticks / (double)call->ticks;
	*left -= ticks;
}

/*
 * Was the engine in a stall of writes for at least half of what is left to explain, or
 * did one begin inside the call? The reason is that of the longest in the call.
 */
static bool is_stalled(const struct slow_causes *c, const struct slow_call *call,
		       uint64_t left, enum stall_reason *reason)
{
	uint64_t overlap = 0, longest = 0;
	bool began = false;

	for (size_t i = 0; call->kind == KIND_WRITE && i < c->count; i++) {
		const struct slow_event *e = &c->events[i];
		uint64_t from = e->begin > call->begin ? e->begin : call->begin,
			 to = e->end < call->end ? e->end : call->end;

		if (e->kind != EVENT_STALL || to < from)
			continue;
		began |= from == e->begin;
		overlap += to - from;
		if (to - from >= longest)
			*reason = e->reason;
		longest = to - from > longest ? to - from : longest;
	}
	return began || (overlap && overlap * 2 >= left);
}

/*
 * Of the events that ended inside, the one of the kind that chance explains least, and
 * of one kind the latest.
 */
static void find_ended(const struct slow_causes *c, const struct slow_call *call,
		       struct slow_reason *r)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct slow_event *e = &c->events[i];
		bool inside = e->end >= call->begin && e->end <= call->end;

		r->during[e->kind] |=
			!inside && e->begin < call->end && e->end > call->begin;
		if (!inside || !c->beyond_chance[e->kind])
			continue;
		if (!r->has_ended || c->p[e->kind] <= c->p[r->ended])
			r->ended = e->kind;
		r->has_ended = true;
	}
}

/*
 * Did the write wait for another one? It did if others synced for half of the time, and
 * where an engine has one writer, if any of them did: it holds the lock until then.
 */
static bool is_behind_writer(const struct slow_causes *c, const struct slow_call *call,
			     uint64_t left)
{
	return call->kind == KIND_WRITE && call->other_sync &&
	       (c->one_writer || call->other_sync * 2 >= left);
}

struct slow_reason slow_cause_find(const struct slow_causes *causes,
				   const struct slow_call *call)
{
	struct slow_reason r = {.has_ended = false};
	uint64_t left = call->ticks;

	find_ended(causes, call, &r);
	if (!call->is_known) {
		take(&r, call, SLOW_OWN_SYNC, call->own_sync, &left);
		take(&r, call, SLOW_NOT_ATTRIBUTED, left, &left);
		return r;
	}
	take(&r, call, SLOW_RUNNABLE, call->runnable, &left);
	take(&r, call, SLOW_STEAL, call->steal, &left);
	take(&r, call, SLOW_CPU, left > call->blocked ? left - call->blocked : 0, &left);
	take(&r, call, SLOW_OWN_SYNC, call->own_sync, &left);
	if (left && is_stalled(causes, call, left, &r.stall))
		take(&r, call, SLOW_STALL, left, &left);
	if (call->device_read)
		take(&r, call, SLOW_DEVICE_READ, left, &left);
	if (is_behind_writer(causes, call, left))
		take(&r, call, SLOW_OTHER_WRITER, left, &left);
	if (r.has_ended)
		take(&r, call, cause_of_event[r.ended], left, &left);
	take(&r, call, SLOW_BLOCKED, left, &left);
	return r;
}
