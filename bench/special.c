/* special.c: workloads that are not lists of calls; see special.h. */
#include "special.h"

#include <stdio.h>

#include "../engines/drive.h"
#include "../util/say.h"
#include "../util/usage.h"
#include "place.h"
#include "plan.h"
#include "worker.h"

/* Told of what takes long; once more, and what the engine says of it. */
struct special_act {
	const char *doing;
	enum status (*once)(const struct phase *p, char *why);
};

static void print_statistics(const struct phase *p)
{
	char text[8192] = "";

	p->engine->statistics(p->db, text, sizeof text);
	printf("%s", text);
	fflush(stdout);
}

static enum status reopen(const struct phase *p, char *why)
{
	struct place *place = p->origin->place;

	place->settings.create = false;
	place_close(place, NULL);
	return place->failure.failed
		       ? FAILED
		       : drive_open(p->engine, &place->settings, &place->db, why);
}

static enum status settle_once(const struct phase *p, char *why)
{
	return drive_settle(p->engine, p->db, why);
}

static enum status compact_once(const struct phase *p, char *why)
{
	return p->engine->compact ? p->engine->compact(p->db, why) : settle_once(p, why);
}

static const struct special_act special_acts[SPECIALS] = {
	[SPECIAL_OPEN] = {NULL, reopen},
	[SPECIAL_COMPACT] = {"compacting", compact_once},
	[SPECIAL_SETTLE] = {"settling", settle_once},
};

/* So often by one worker, whose operations these are. */
static void do_special(struct phase *p, uint64_t times, const struct special_act *act,
		       const volatile sig_atomic_t *interrupted)
{
	struct place *place = p->origin->place;
	struct random stream = random_seed(cfg->seed, p->seed_name);
	struct worker *w;

	p->workers = w = say_alloc_apart(sizeof *w);
	p->count = p->foreground = 1;
	p->timed = false;
	p->ask.todo = times;
	worker_make(w, p, 0, &stream);
	phase_begin_figures(p);
	w->began = w->ended_at = clock_ticks(w->clock);
	while (w->done < times && !*interrupted && w->status == DONE) {
		w->status = act->once(p, w->why);
		w->done += w->status == DONE;
		w->ended_at = clock_ticks(w->clock);
	}
	phase_end_figures(p);
	/* What main() is in is the foreground; the engine's own threads are not. */
	w->cpu = p->main_cpu;
	p->main_cpu = 0;
	p->db = place->db;
}

void special_run(struct phase *p, const volatile sig_atomic_t *interrupted)
{
	enum special special = p->load->special;
	const struct special_act *act = &special_acts[special];

	if (special == SPECIAL_STATISTICS) {
		print_statistics(p);
		return;
	}
	if (act->doing)
		place_doing(p->origin->place, act->doing);
	do_special(p, special == SPECIAL_OPEN ? plan_operations(p->load) : 1, act,
		   interrupted);
	if (act->doing)
		place_doing(p->origin->place, NULL);
}
