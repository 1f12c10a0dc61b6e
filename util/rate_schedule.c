/*
 * rate_schedule.c: schedules of an open loop, and waiting for scheduled starts; see
 * rate_schedule.h.
 */
#include "rate_schedule.h"

#include <math.h>
#include <time.h>

/*
 * Longest sleep, so that the end of the run is noticed; and the busy wait at its end,
 * because sleeps end late.
 */
enum { MAX_SLEEP_NS = 5000000, BUSY_WAIT_NS = 100000 };

enum {
	DRAWN_GAPS = sizeof((struct rate_schedule *)0)->drawn_gaps /
		     sizeof *((struct rate_schedule *)0)->drawn_gaps
};

/* With a mean of 1. */
static double draw_gap(struct rate_schedule *p)
{
	/* (0, 1], so that the logarithm is finite. */
	return -log((double)((random_next(&p->random) >> 11) + 1) * 0x1p-53);
}

static double constant_gap(struct rate_schedule *p)
{
	return p->mean_gap;
}

static double poisson_gap(struct rate_schedule *p)
{
	if (!p->drawn_count)
		return draw_gap(p) * p->mean_gap;
	p->drawn_count--;
	return (double)p->drawn_gaps[p->drawn_next++ % DRAWN_GAPS] * p->mean_gap;
}

/*
 * Draws a gap in idle time, so that a busy thread need not compute logarithms. Returns
 * false if none is needed.
 */
static bool draw_ahead(struct rate_schedule *p)
{
	if (!p->poisson || p->drawn_count == DRAWN_GAPS)
		return false;
	p->drawn_gaps[(p->drawn_next + p->drawn_count++) % DRAWN_GAPS] =
		(float)draw_gap(p);
	return true;
}

static void advance_by(struct rate_schedule *p, double ticks)
{
	double whole = floor(p->next_start_fraction += ticks);

	p->next_start += (uint64_t)whole;
	p->next_start_fraction -= whole;
}

/* Sets the rate of a sine at the beginning of an interval. */
static void set_sine_rate(struct rate_schedule *p)
{
	const struct rate_schedule_sine *s = &p->sine;
	double second = 1e9 / clock_tick_ns(p->clock), t = p->rate_change_at / second;
	double rate = s->a * sin(s->b * t + s->c) + s->d;

	if (s->noise > 0)
		rate += ((double)(random_next(&p->random) >> 11) * 0x1p-53 - 0.5) *
			s->noise * s->a;
	p->mean_gap = rate > 0 ? second / rate : INFINITY;
	p->rate_change_at += s->interval * second;
}

static double sine_gap(struct rate_schedule *p)
{
	double waited = 0;

	/* At a rate of 0 no operation is scheduled. */
	while (p->elapsed + waited >= p->rate_change_at || !isfinite(p->mean_gap)) {
		if (p->elapsed + waited < p->rate_change_at)
			waited = p->rate_change_at - p->elapsed;
		set_sine_rate(p);
	}
	waited += p->poisson ? poisson_gap(p) : p->mean_gap;
	p->elapsed += waited;
	p->issued++;
	return waited;
}

struct rate_schedule rate_schedule_start(const struct clock *clock, uint64_t start,
					 double per_second, bool poisson, double phase,
					 struct random random)
{
	struct rate_schedule p = {.clock = clock,
				  .poisson = poisson,
				  .mean_gap = 1e9 / per_second / clock_tick_ns(clock),
				  .next_gap = poisson ? poisson_gap : constant_gap,
				  .next_start = start,
				  .random = random};

	advance_by(&p, p.mean_gap * phase + (poisson ? p.next_gap(&p) : 0));
	return p;
}

struct rate_schedule rate_schedule_start_sine(const struct clock *clock, uint64_t start,
					      const struct rate_schedule_sine *sine,
					      bool poisson, double phase,
					      struct random random)
{
	struct rate_schedule p = {.clock = clock,
				  .poisson = poisson,
				  .mean_gap = INFINITY,
				  .next_gap = sine_gap,
				  .sine = *sine,
				  .next_start = start,
				  .random = random};

	p.elapsed = sine_gap(&p) * (poisson ? 1 : phase);
	advance_by(&p, p.elapsed);
	return p;
}

static double burst_gap(struct rate_schedule *p)
{
	double burst = floor(p->elapsed / p->burst_ticks);

	p->elapsed += p->mean_gap;
	return (floor(p->elapsed / p->burst_ticks) - burst) * p->burst_ticks;
}

void rate_schedule_in_bursts(struct rate_schedule *p, double seconds)
{
	p->burst_ticks = seconds * 1e9 / clock_tick_ns(p->clock);
	p->elapsed = p->mean_gap / 2; /* no operation is at an edge */
	p->next_gap = burst_gap;
}

/*
 * Gap to the next listed start of the chunk; the first of the next chunk is not known
 * yet.
 */
static double listed_gap(struct rate_schedule *p)
{
	struct rate_schedule_times *t = p->times;

	p->issued++;
	if (++t->next >= t->n)
		return 0;
	return (double)(t->starts[t->next] - t->starts[t->next - 1]);
}

struct rate_schedule rate_schedule_start_times(const struct clock *clock, uint64_t start,
					       struct rate_schedule_times *times)
{
	return (struct rate_schedule){.clock = clock,
				      .mean_gap = INFINITY,
				      .next_gap = listed_gap,
				      .times = times,
				      .next_start = start};
}

void rate_schedule_take_times(struct rate_schedule *p)
{
	if (!p->has_first_ticks)
		p->first_ticks = p->next_start;
	p->has_first_ticks = true;
	p->times->next = 0;
	p->next_start = p->first_ticks + p->times->starts[0];
}

/* Backlog within this chunk; after the last operation, by the rate of those before. */
static uint64_t listed_backlog(const struct rate_schedule *p, uint64_t end)
{
	const struct rate_schedule_times *t = p->times;
	uint64_t n = 0;

	if (t->next >= t->n && end > p->next_start && p->next_start > p->first_ticks)
		return (uint64_t)((double)(end - p->next_start) * (double)p->issued /
				  (double)(p->next_start - p->first_ticks));
	for (unsigned i = t->next + 1; i < t->n && p->first_ticks + t->starts[i] < end;
	     i++)
		n++;
	return n;
}

bool rate_schedule_is_sine(const struct rate_schedule *p)
{
	return p->next_gap == sine_gap;
}

double rate_schedule_rate(const struct rate_schedule *p)
{
	double second = 1e9 / clock_tick_ns(p->clock);

	if (p->times)
		return p->next_start > p->first_ticks
			       ? (double)p->issued /
					 (double)(p->next_start - p->first_ticks) * second
			       : 0;
	return rate_schedule_is_sine(p) ? (double)p->issued / p->elapsed * second
					: second / p->mean_gap;
}

uint64_t rate_schedule_end(const struct rate_schedule *p, uint64_t start, uint64_t n)
{
	return p->next_gap == constant_gap ? start + (uint64_t)((double)n * p->mean_gap)
					   : p->next_start;
}

void rate_schedule_advance(struct rate_schedule *p)
{
	advance_by(p, p->next_gap(p));
}

bool rate_schedule_can_sleep(const struct rate_schedule *p)
{
	uint64_t now = clock_ticks(p->clock);

	return now < p->next_start &&
	       clock_ns(p->clock, p->next_start - now) > 2 * BUSY_WAIT_NS;
}

uint64_t rate_schedule_backlog(const struct rate_schedule *p, uint64_t end)
{
	enum { COUNTED = 1000000 };
	struct rate_schedule copy = *p;
	uint64_t n = 0;

	if (p->times)
		return listed_backlog(p, end);
	if (p->next_gap != constant_gap)
		for (rate_schedule_advance(&copy); copy.next_start < end && n < COUNTED;
		     n++)
			rate_schedule_advance(&copy);
	return copy.next_start < end
		       ? n + (uint64_t)((double)(end - copy.next_start) / p->mean_gap)
		       : n;
}

bool rate_schedule_wait_until(struct rate_schedule *p, uint64_t ticks,
			      const atomic_bool *stop)
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
		if (left > 2 * BUSY_WAIT_NS) {
			uint64_t nap = left - BUSY_WAIT_NS < MAX_SLEEP_NS
					       ? left - BUSY_WAIT_NS
					       : MAX_SLEEP_NS;
			struct timespec t = {0, (long)nap};

			nanosleep(&t, NULL);
		}
	}
}
