/*
 * procedure_run.c: runs a procedure in the threads of a benchmark; see worker.h and
 * procedure.h.
 */
#include <string.h>

#include "../../engines/driver_util.h"
#include "../../util/message.h"
#include "database.h"
#include "worker.h"
#include "../workload/config.h"
#include "../workload/procedure.h"

void procedure_run_create_thread(struct worker *w, const struct random *stream)
{
	struct run *run = w->run;
	const struct procedure *procedure = run->procedure.procedure;

	w->procedure = procedure_thread_create(&run->procedure, w->engine,
					       w->generator.number, stream);
	w->procedure->worker = w;
	w->procedure->clock = w->clock;
	w->procedure->tally = &w->tally;
	w->procedure->check_ticks = &w->check_ticks;
	w->procedure->why = w->why;
	w->procedure->calibrating = w->engine != &engine;
	w->procedure_parameters = message_alloc_aligned(
		w->generator.slots * procedure->parameters_size + 1);
	for (unsigned i = 0; i < w->generator.slots; i++)
		w->generator.slot[i].value =
			(struct slice){w->procedure_parameters +
					       i * procedure->parameters_size,
				       procedure->parameters_size};
	if (!w->procedure->calibrating)
		run->procedure_threads[w->generator.number] = w->procedure;
}

unsigned procedure_run_draw(struct worker *w, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		struct slot *slot = &w->generator.slot[i];
		enum result_kind kind = w->run->procedure.procedure->draw_parameters(
			w->procedure, w->procedure_parameters + i * slot->value.size);

		slot->call = (unsigned char)(CALL_OWN_READ + kind);
	}
	return n;
}

enum status procedure_run_do(struct worker *w, const struct slot *slot)
{
	w->procedure->session = w->session;
	return procedure_do(w->procedure, slot->value.data);
}

void procedure_run_pause(struct procedure_thread *t)
{
	struct worker *w = t->worker;

	if (atomic_load(&w->run->gate.closed))
		worker_wait_at_gate(w);
}

/* Call `at` with a session of main()'s; returns NULL, or the error. */
static const char *run_from_main(struct run *run,
				 const char *(*at)(struct procedure_shared *,
						   struct procedure_thread *))
{
	struct random stream = random_seed(run->procedure.seed, "stage");
	struct procedure_thread *t = procedure_thread_create(&run->procedure, run->engine,
							     run->all_threads, &stream);
	struct read_tally tally = {0};
	uint64_t check_ticks = 0;
	const char *why;

	t->clock = run->info->clock;
	t->tally = &tally;
	t->check_ticks = &check_ticks;
	t->why = run->info->database->why;
	*t->why = '\0';
	database_set_activity(run->info->database, "counting the records");
	t->session = driver_util_attach(run->engine, run->settings, run->db, t->why);
	why = t->session ? at(&run->procedure, t) : t->why;
	if (t->session)
		driver_util_detach(run->engine, t->session);
	database_set_activity(run->info->database, NULL);
	procedure_thread_free(t);
	return why;
}

void procedure_run_prepare(struct run *run)
{
	const struct procedure *procedure = run->procedure.procedure;
	const char *why;

	run->procedure.shared = message_alloc(1, procedure->shared_size);
	run->procedure_threads =
		message_alloc(run->all_threads, sizeof *run->procedure_threads);
	why = procedure->prepare ? run_from_main(run, procedure->prepare) : NULL;
	run->procedure.threads_of = run->procedure_threads;
	if (why)
		database_note_failure(&run->info->database->failure, run->workload->name,
				      why);
}

void procedure_run_check(struct run *run)
{
	for (unsigned i = 0; i < run->all_threads; i++)
		if (run->workers[i].status != DONE)
			return;
	if (run->procedure.procedure->check)
		run->procedure_error =
			run_from_main(run, run->procedure.procedure->check);
}
