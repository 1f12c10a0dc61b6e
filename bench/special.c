/* special.c: workloads that are not lists of calls; see special.h. */
#include "special.h"

#include <stdio.h>
#include <time.h>

#include "../engines/drive.h"
#include "../util/say.h"
#include "../util/usage.h"
#include "aside.h"
#include "cast.h"
#include "insertbench.h"
#include "place.h"
#include "plan.h"

/* Told of what takes long; once more, and what the engine says of it. */
struct special_act {
	const char *doing;
	enum status (*once)(struct phase *p, char *why);
	bool rests; /* afterwards */
};

static void print_statistics(const struct phase *p)
{
	char text[8192] = "";

	p->engine->statistics(p->db, text, sizeof text);
	printf("%s", text);
	fflush(stdout);
}

static enum status reopen(struct phase *p, char *why)
{
	struct place *place = p->origin->place;

	place->settings.create = false;
	place_close(place, NULL);
	return place->failure.failed
		       ? FAILED
		       : drive_open(p->engine, &place->settings, &place->db, why);
}

static enum status settle_once(struct phase *p, char *why)
{
	return drive_settle(p->engine, p->db, why);
}

static enum status compact_once(struct phase *p, char *why)
{
	return p->engine->compact ? p->engine->compact(p->db, why) : settle_once(p, why);
}

static const struct special_act special_acts[SPECIALS] = {
	[SPECIAL_OPEN] = {NULL, reopen, false},
	[SPECIAL_COMPACT] = {"compacting", compact_once, false},
	[SPECIAL_SETTLE] = {"settling", settle_once, false},
	[SPECIAL_REST] = {"settling", settle_once, true},
	[SPECIAL_BACKUP] = {"making a backup", backup_alone, false},
};

/* Do nothing. That it is not hung is told by a word that changes each second. */
static void rest(struct place *place, double seconds,
		 const volatile sig_atomic_t *interrupted)
{
	static const char *const words[] = {"resting", "still resting"};
	const uint64_t began = clock_raw_ns();
	double left = seconds;

	for (unsigned i = 0; left > 0 && !*interrupted; i++) {
		place_doing(place, words[i % 2]);
		nanosleep(&(struct timespec){left < 1 ? 0 : 1,
					     left < 1 ? (long)(left * 1e9) : 0},
			  NULL);
		left = seconds - clock_seconds_since(began);
	}
}

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
		if (act->rests && w->status == DONE)
			rest(place,
			     insertbench_rest(cast_amounts(), p->entry->threads),
			     interrupted);
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
	uint64_t times = special == SPECIAL_OPEN ? plan_operations(p->load) : 1;

	if (special == SPECIAL_STATISTICS) {
		print_statistics(p);
		return;
	}
	if (act->doing)
		place_doing(p->origin->place, act->doing);
	if (special == SPECIAL_BACKUP && !backup_prepare(p))
		times = 0;
	do_special(p, times, act, interrupted);
	if (special == SPECIAL_BACKUP)
		backup_compare(p);
	if (act->doing)
		place_doing(p->origin->place, NULL);
}
