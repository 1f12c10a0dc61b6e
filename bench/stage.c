/*
 * stage.c: a cast of acts, put on by the threads of a benchmark; see worker.h and act.h.
 */
#include <string.h>

#include "../engines/drive.h"
#include "../util/say.h"
#include "cast.h"
#include "place.h"
#include "worker.h"

void worker_make_actor(struct worker *w, const struct random *stream)
{
	struct phase *p = w->phase;
	const struct acts *acts = p->stage.acts;

	w->actor = actor_make(&p->stage, w->engine, w->ask.number, stream);
	w->actor->clock = w->clock;
	w->actor->seen = &w->seen;
	w->actor->aside = &w->aside;
	w->actor->why = w->why;
	w->actor->rehearses = w->engine != &engine;
	w->draws = say_alloc_apart(w->ask.slots * acts->draw_size + 1);
	for (unsigned i = 0; i < w->ask.slots; i++)
		w->ask.slot[i].value = (struct slice){w->draws + i * acts->draw_size,
						      acts->draw_size};
	if (!w->actor->rehearses)
		p->actors[w->ask.number] = w->actor;
}

unsigned worker_draw_acts(struct worker *w, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		struct slot *slot = &w->ask.slot[i];
		enum result_kind kind = w->phase->stage.acts->draw(
			w->actor, w->draws + i * slot->value.size);

		slot->step = (unsigned char)(STEP_ACT_READ + kind);
	}
	return n;
}

enum status worker_act(struct worker *w, const struct slot *slot)
{
	w->actor->session = w->session;
	return actor_do(w->actor, slot->value.data);
}

/* Have main() look at the database: NULL, or what is wrong. */
static const char *stage_look(struct phase *p,
			const char *(*at)(struct stage *, struct actor *))
{
	struct random stream = random_seed(p->stage.seed, "stage");
	struct actor *a = actor_make(&p->stage, p->engine, p->count, &stream);
	struct seen seen = {0};
	uint64_t aside = 0;
	const char *why;

	a->clock = p->origin->clock;
	a->seen = &seen;
	a->aside = &aside;
	a->why = p->origin->place->why;
	*a->why = '\0';
	place_doing(p->origin->place, "counting what is there");
	a->session = drive_attach(p->engine, p->settings, p->db, a->why);
	why = a->session ? at(&p->stage, a) : a->why;
	if (a->session)
		drive_detach(p->engine, a->session);
	place_doing(p->origin->place, NULL);
	actor_free(a);
	return why;
}

void phase_set_stage(struct phase *p)
{
	p->stage = (struct stage){
		.acts = cast_of(p->load),
		.settings = p->settings,
		.shape = {.form = p->ask.form,
			  .wide = true,
			  .size = p->ask.key_size,
			  .stride = (p->ask.key_size + 15) / 16 * 16},
		.touch = (enum touch)cfg->touch,
		.num = cfg->num,
		.amounts = cast_amounts(),
		.seed = cfg->seed,
		.threads = p->foreground,
		.ratio = config_ratio(),
		.stop = &p->watch.stop,
	};
	p->ask.stage = &p->stage;
}

void phase_prepare_acts(struct phase *p)
{
	const struct acts *acts = p->stage.acts;
	const char *why;

	p->stage.shared = say_alloc(1, acts->shared_size);
	p->actors = say_alloc(p->count, sizeof *p->actors);
	why = acts->prepare ? stage_look(p, acts->prepare) : NULL;
	p->stage.actors = p->actors;
	if (why)
		failure_note(&p->origin->place->failure, p->load->name, why);
}

void phase_check_acts(struct phase *p)
{
	for (unsigned i = 0; i < p->count; i++)
		if (p->workers[i].status != DONE)
			return;
	if (p->stage.acts->check)
		p->broken = stage_look(p, p->stage.acts->check);
}
