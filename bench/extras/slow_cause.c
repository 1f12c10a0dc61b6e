/* slow_cause.c: see slow_cause.h. */
#include "slow_cause.h"

#include <math.h>
#include <stdlib.h>

#include "../../util/message.h"
#include "../../util/random.h"

const char *const slow_cause_names[SLOW_CAUSES] = {
	"cpu", "runnable", "steal", "own_sync", "stall", "device_read", "other_writer",
	"flush", "compaction", "checkpoint", "blocked", "not_attributed"};

/* The cause that the end of an event is; SLOW_BLOCKED: none by itself. */
static const enum slow_cause cause_of_event[EVENT_KINDS] = {
	[EVENT_FLUSH] = SLOW_FLUSH,
	[EVENT_COMPACTION] = SLOW_COMPACTION,
	[EVENT_CHECKPOINT] = SLOW_CHECKPOINT,
	[EVENT_EVICTION] = SLOW_BLOCKED,
	[EVENT_STALL] = SLOW_BLOCKED,
};

/* Events fewer than these are no evidence; the blocks within which events are shifted. */
enum { LEAST_EVENTS = 3, SHIFT_BLOCKS = 32, MOST_SHIFTS = 1999, LEAST_SHIFTS = 499 };

/* A span of the blocked calls' union. */
struct blocked_span {
	uint64_t begin, end;
};

static int order_by_end(const void *a, const void *b)
{
	const struct slow_event *x = a, *y = b;

	return (x->end > y->end) - (x->end < y->end);
}

static int order_by_begin(const void *a, const void *b)
{
	const struct blocked_span *x = a, *y = b;

	return (x->begin > y->begin) - (x->begin < y->begin);
}

/* The blocked time that no direct evidence explains. */
static uint64_t blocked_rest(const struct slow_call *call)
{
	return call->device_read || call->own_sync >= call->blocked
		       ? 0
		       : call->blocked - call->own_sync;
}

/* The union of the calls that mostly waited, for no sync and no device read. */
static size_t join_blocked(const struct slow_call *calls, size_t n,
			   struct blocked_span *spans)
{
	size_t count = 0, last = 0;

	for (size_t i = 0; i < n; i++)
		if (calls[i].is_known && blocked_rest(&calls[i]) * 2 >= calls[i].ticks)
			spans[count++] = (struct blocked_span){calls[i].begin,
							       calls[i].end};
	qsort(spans, count, sizeof *spans, order_by_begin);
	for (size_t i = 1; i < count; i++)
		if (spans[i].begin > spans[last].end)
			spans[++last] = spans[i];
		else if (spans[i].end > spans[last].end)
			spans[last].end = spans[i].end;
	return count ? last + 1 : 0;
}

static bool is_inside(const struct blocked_span *spans, size_t n, uint64_t at)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (spans[middle].end < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low < n && spans[low].begin <= at;
}

/* Events of a kind whose ends, shifted within blocks of time, lie inside the spans. */
static unsigned count_inside(const struct slow_causes *c, enum event_kind kind,
			     const struct blocked_span *spans, size_t n, uint64_t begin,
			     uint64_t end, const uint64_t *shifts)
{
	uint64_t block = (end - begin) / SHIFT_BLOCKS + 1;
	unsigned inside = 0;

	for (size_t i = 0; i < c->count; i++) {
		uint64_t at = c->events[i].end - begin, number = at / block;

		if (c->events[i].kind == kind)
			inside += is_inside(spans, n,
					    begin + number * block +
						    (at + shifts[number]) % block);
	}
	return inside;
}

/* How often chance puts as many ends inside; NaN: fewer than three are. */
static double chance_of(const struct slow_causes *c, enum event_kind kind,
			const struct blocked_span *spans, size_t n, uint64_t begin,
			uint64_t end)
{
	uint64_t shifts[SHIFT_BLOCKS] = {0}, block = (end - begin) / SHIFT_BLOCKS + 1;
	unsigned inside = count_inside(c, kind, spans, n, begin, end, shifts);
	unsigned rounds = (unsigned)(4000000 / (c->count + 1)), as_many = 0;
	struct random r = random_seed(1, "slow calls");

	if (inside < LEAST_EVENTS)
		return NAN;
	rounds = rounds > MOST_SHIFTS	 ? MOST_SHIFTS
		 : rounds < LEAST_SHIFTS ? LEAST_SHIFTS
					 : rounds;
	for (unsigned i = 0; i < rounds; i++) {
		for (int b = 0; b < SHIFT_BLOCKS; b++)
			/* at/block keeps its number: the shift is modulo the block */
			shifts[b] = random_below(&r, block);
		as_many += count_inside(c, kind, spans, n, begin, end, shifts) >= inside;
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
		if (c->p[best] * left-- > 0.05)
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
	size_t joined = join_blocked(calls, n, spans);

	if (count) /* there may be no array */
		qsort(events, count, sizeof *events, order_by_end);
	for (int k = 0; k < EVENT_KINDS; k++)
		c.p[k] = cause_of_event[k] == SLOW_BLOCKED
				 ? NAN
				 : chance_of(&c, (enum event_kind)k, spans, joined, begin,
					     end);
	correct(&c);
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
 * did one begin inside the call?
 */
static bool is_stalled(const struct slow_causes *c, const struct slow_call *call,
		       uint64_t left)
{
	uint64_t overlap = 0;

	if (call->kind != KIND_WRITE)
		return false;
	for (size_t i = 0; i < c->count; i++) {
		const struct slow_event *e = &c->events[i];
		uint64_t from = e->begin > call->begin ? e->begin : call->begin,
			 to = e->end < call->end ? e->end : call->end;

		if (e->kind != EVENT_STALL || to < from)
			continue;
		if (from == e->begin)
			return true;
		overlap += to - from;
	}
	return overlap && overlap * 2 >= left;
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

		r->during[e->kind] |= !inside && e->begin < call->end &&
				      e->end > call->begin;
		if (!inside || !c->beyond_chance[e->kind])
			continue;
		if (!r->has_ended || c->p[e->kind] <= c->p[r->ended])
			r->ended = e->kind;
		r->has_ended = true;
	}
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
	if (left && is_stalled(causes, call, left))
		take(&r, call, SLOW_STALL, left, &left);
	if (call->device_read)
		take(&r, call, SLOW_DEVICE_READ, left, &left);
	if (call->kind == KIND_WRITE && call->other_sync * 2 >= left)
		take(&r, call, SLOW_OTHER_WRITER, left, &left);
	if (r.has_ended)
		take(&r, call, cause_of_event[r.ended], left, &left);
	take(&r, call, SLOW_BLOCKED, left, &left);
	return r;
}
