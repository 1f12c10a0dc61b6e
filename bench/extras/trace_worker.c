/*
 * trace_worker.c: what a worker does for traces, those that it replays and those that
 * it writes; see worker.h.
 */
#include <stdlib.h>

#include "../../util/message.h"
#include "../runner/database.h"
#include "trace_writer.h"
#include "../runner/worker.h"

enum status trace_worker_conditional_put(struct worker *w, const struct slot *slot)
{
	const bool add = (slot->call & CALL_MASK) == CALL_ADD;
	const struct read_tally before = w->tally;
	struct slice value;
	enum status status = w->engine->get(w->session, slot->key, &value);

	if (status == DONE)
		read_tally_add(&w->tally, value, w->touch);
	/* That there is nothing to put is not a miss. */
	if (status == (add ? DONE : NOT_FOUND))
		return DONE;
	if (status != (add ? NOT_FOUND : DONE))
		return status;
	status = w->engine->put(w->session, slot->key, slot->value);
	if (status == DONE) {
		w->tally.bytes += slot->value.size;
		transaction_note_write(&w->transaction, CALL_PUT);
	} else {
		w->tally = before;
	}
	return status;
}

void trace_worker_write(struct worker *w, unsigned n)
{
	const struct trace_writer_chunk chunk = {
		.generator = &w->generator,
		.from = w->next_slot,
		.n = n,
		.began = w->run->metrics.began.ticks,
		.start = w->first_end,
		.end = w->ended_at,
		.scheduled = w->is_scheduled ? w->scheduled : NULL,
		.response = w->response,
		.batched = !w->transaction.single_writes && !w->transaction.bulk_load,
		.uncommitted = transaction_open_calls(&w->transaction, n),
		.is_multiget = w->is_multiget,
	};

	trace_writer_add(w->trace_writer, &chunk);
}

void trace_worker_finish(const struct run *run)
{
	struct trace_writer **writers;

	if (!run->workers || !run->workers->trace_writer)
		return;
	writers = message_alloc(run->all_threads, sizeof(struct trace_writer *));
	for (unsigned i = 0; i < run->all_threads; i++)
		writers[i] = run->workers[i].trace_writer;
	trace_writer_finish(writers, run->all_threads, run->info->clock,
			    &run->info->database->failure);
	free(writers);
}
