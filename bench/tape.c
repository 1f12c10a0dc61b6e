/*
 * tape.c: what a worker has to do with traces, of those it replays and those it makes;
 * see worker.h.
 */
#include <stdlib.h>

#include "../util/say.h"
#include "place.h"
#include "recorder.h"
#include "worker.h"

enum status worker_conditional(struct worker *w, const struct slot *slot)
{
	const bool add = (slot->step & STEP_MASK) == STEP_ADD;
	const struct seen before = w->seen;
	struct slice value;
	enum status status = w->engine->get(w->session, slot->key, &value);

	if (status == DONE)
		seen_add(&w->seen, value, w->touch);
	/* That there is nothing to do is no miss. */
	if (status == (add ? DONE : NOT_FOUND))
		return DONE;
	if (status != (add ? NOT_FOUND : DONE))
		return status;
	status = w->engine->put(w->session, slot->key, slot->value);
	if (status == DONE) {
		w->seen.bytes += slot->value.size;
		txn_wrote(&w->txn, STEP_PUT);
	} else {
		w->seen = before;
	}
	return status;
}

void worker_record(struct worker *w, unsigned n)
{
	const struct recorder_turn turn = {
		.ask = &w->ask,
		.from = w->from,
		.n = n,
		.began = w->began,
		.start = w->first_end,
		.due = w->paced ? w->due : NULL,
		.grouped = w->grouped,
	};

	recorder_note(w->recorder, &turn);
}

void phase_write_trace(const struct phase *p)
{
	struct recorder **recorders;

	if (!p->workers || !p->workers->recorder)
		return;
	recorders = say_alloc(p->count, sizeof(struct recorder *));
	for (unsigned i = 0; i < p->count; i++)
		recorders[i] = p->workers[i].recorder;
	recorder_finish(recorders, p->count, p->origin->clock,
			&p->origin->place->failure);
	free(recorders);
}
