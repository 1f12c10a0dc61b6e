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

static double draw_gap(struct pace *p)
{
	/* (0, 1], so that the logarithm is finite. */
	return -log((double)((random_next(&p->random) >> 11) + 1) * 0x1p-53) * p->gap;
}

static double gap(struct pace *p)
{
	if (!p->poisson)
		return p->gap;
	if (!p->ahead)
		return draw_gap(p);
	p->ahead--;
	return (double)p->drawn[p->head++ % AHEAD];
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

struct pace pace_start(const struct clock *clock, uint64_t start, double per_second,
		       bool poisson, double phase, struct random random)
{
	struct pace p = {.clock = clock,
			 .poisson = poisson,
			 .gap = 1e9 / per_second / clock_unit_ns(clock),
			 .whole = start,
			 .random = random};

	move_on(&p, poisson ? gap(&p) : p.gap * phase);
	return p;
}

void pace_advance(struct pace *p)
{
	move_on(p, gap(p));
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

	if (p->poisson)
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
