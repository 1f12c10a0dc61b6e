/* pace.c: schedules of an open loop, and waiting for them; see pace.h. */
#include "pace.h"

#include <math.h>
#include <time.h>

/*
 * Longest sleep, so that the end is heard of; and what is left for waiting awake, as
 * sleeps end late.
 */
enum { NAP_NS = 5000000, AWAKE_NS = 100000 };

enum { AHEAD = sizeof ((struct pace *)0)->drawn / sizeof *((struct pace *)0)->drawn };

/* Of a mean of 1. */
static double draw_gap(struct pace *p)
{
	/* (0, 1], so that the logarithm is finite. */
	return -log((double)((random_next(&p->random) >> 11) + 1) * 0x1p-53);
}

static double constant_gap(struct pace *p)
{
	return p->gap;
}

static double poisson_gap(struct pace *p)
{
	if (!p->ahead)
		return draw_gap(p) * p->gap;
	p->ahead--;
	return (double)p->drawn[p->head++ % AHEAD] * p->gap;
}

/*
 * A use for idle time, so that a busy thread need not take logarithms. False if there is
 * none.
 */
static bool draw_ahead(struct pace *p)
{
	if (!p->poisson || p->ahead == AHEAD)
		return false;
	p->drawn[(p->head + p->ahead++) % AHEAD] = (float)draw_gap(p);
	return true;
}

static void move_on(struct pace *p, double ticks)
{
	double whole = floor(p->fraction += ticks);

	p->whole += (uint64_t)whole;
	p->fraction -= whole;
}

/* The rate of a sine at the beginning of an interval. */
static void set_rate(struct pace *p)
{
	const struct pace_sine *s = &p->sine;
	double second = 1e9 / clock_unit_ns(p->clock), t = p->changes / second;
	double rate = s->a * sin(s->b * t + s->c) + s->d;

	if (s->noise > 0)
		rate += ((double)(random_next(&p->random) >> 11) * 0x1p-53 - 0.5) *
			s->noise * s->a;
	p->gap = rate > 0 ? second / rate : INFINITY;
	p->changes += s->interval * second;
}

static double sine_gap(struct pace *p)
{
	double waited = 0;

	/* While there is no rate nothing is due. */
	while (p->elapsed + waited >= p->changes || !isfinite(p->gap)) {
		if (p->elapsed + waited < p->changes)
			waited = p->changes - p->elapsed;
		set_rate(p);
	}
	waited += p->poisson ? poisson_gap(p) : p->gap;
	p->elapsed += waited;
	p->issued++;
	return waited;
}

struct pace pace_start(const struct clock *clock, uint64_t start, double per_second,
		       bool poisson, double phase, struct random random)
{
	struct pace p = {.clock = clock,
			 .poisson = poisson,
			 .gap = 1e9 / per_second / clock_unit_ns(clock),
			 .next = poisson ? poisson_gap : constant_gap,
			 .whole = start,
			 .random = random};

	move_on(&p, p.gap * phase + (poisson ? p.next(&p) : 0));
	return p;
}

struct pace pace_start_sine(const struct clock *clock, uint64_t start,
			    const struct pace_sine *sine, bool poisson, double phase,
			    struct random random)
{
	struct pace p = {.clock = clock,
			 .poisson = poisson,
			 .gap = INFINITY,
			 .next = sine_gap,
			 .sine = *sine,
			 .whole = start,
			 .random = random};

	p.elapsed = sine_gap(&p) * (poisson ? 1 : phase);
	move_on(&p, p.elapsed);
	return p;
}

/* To the next one of the turn; the first of the next turn is not known yet. */
static double listed_gap(struct pace *p)
{
	struct pace_times *t = p->times;

	p->issued++;
	if (++t->at >= t->n)
		return 0;
	return (double)(t->due[t->at] - t->due[t->at - 1]);
}

struct pace pace_start_times(const struct clock *clock, uint64_t start,
			     struct pace_times *times)
{
	return (struct pace){.clock = clock,
			     .gap = INFINITY,
			     .next = listed_gap,
			     .times = times,
			     .whole = start};
}

void pace_take(struct pace *p)
{
	if (!p->based)
		p->base = p->whole;
	p->based = true;
	p->times->at = 0;
	p->whole = p->base + p->times->due[0];
}

/* Of a turn. */
static uint64_t listed_backlog(const struct pace *p, uint64_t end)
{
	const struct pace_times *t = p->times;
	uint64_t n = 0;

	for (unsigned i = t->at + 1; i < t->n && p->base + t->due[i] < end; i++)
		n++;
	return n;
}

bool pace_sines(const struct pace *p)
{
	return p->next == sine_gap;
}

double pace_rate(const struct pace *p)
{
	double second = 1e9 / clock_unit_ns(p->clock);

	if (p->times)
		return p->whole > p->base
			       ? (double)p->issued / (double)(p->whole - p->base) * second
			       : 0;
	return pace_sines(p) ? (double)p->issued / p->elapsed * second : second / p->gap;
}

uint64_t pace_end(const struct pace *p, uint64_t start, uint64_t n)
{
	return p->times || pace_sines(p) ? p->whole
					 : start + (uint64_t)((double)n * p->gap);
}

void pace_advance(struct pace *p)
{
	move_on(p, p->next(p));
}

bool pace_rests(const struct pace *p)
{
	uint64_t now = clock_ticks(p->clock);

	return now < p->whole && clock_ns(p->clock, p->whole - now) > 2 * AWAKE_NS;
}

uint64_t pace_backlog(const struct pace *p, uint64_t end)
{
	enum { COUNTED = 1000000 };
	struct pace copy = *p;
	uint64_t n = 0;

	if (p->times)
		return listed_backlog(p, end);
	if (p->next != constant_gap)
		for (pace_advance(&copy); copy.whole < end && n < COUNTED; n++)
			pace_advance(&copy);
	return copy.whole < end ? n + (uint64_t)((double)(end - copy.whole) / p->gap) : n;
}

bool pace_wait_until(struct pace *p, uint64_t ticks, const atomic_bool *stop)
{
	for (;;) {
		uint64_t now = clock_ticks(p->clock), left;

		if (now >= ticks)
			return true;
		if (atomic_load_explicit(stop, memory_order_relaxed))
			return false;
		if (draw_ahead(p))
			continue;
		left = clock_ns(p->clock, ticks - now);
		if (left > 2 * AWAKE_NS) {
			uint64_t nap = left - AWAKE_NS < NAP_NS ? left - AWAKE_NS
								: NAP_NS;
			struct timespec t = {0, (long)nap};

			nanosleep(&t, NULL);
		}
	}
}
