/* task.c: see task.h. */
#include "task.h"

#include <math.h>
#include <time.h>

#include "../../engines/driver_util.h"
#include "../../util/message.h"
#include "../workload/config.h"
#include "database.h"
#include "worker.h"

/*
 * Sleep. The activity text changes each second, so that the run does not count as hung.
 */
static void rest_for(struct run *run, double seconds)
{
	const volatile sig_atomic_t *interrupted = run->context->interrupted;
	static const char *const words[] = {"resting", "still resting"};
	const uint64_t began = clock_raw_ns();
	double left = seconds;

	for (unsigned i = 0; left > 0 && !*interrupted; i++) {
		database_set_activity(run->info->database, words[i % 2]);
		nanosleep(&(struct timespec){left < 1 ? 0 : 1,
					     left < 1 ? (long)(left * 1e9) : 0},
			  NULL);
		left = seconds - clock_seconds_since(began);
	}
}

void task_run(struct run *run, uint64_t times, const struct task *task)
{
	struct database *database = run->info->database;
	struct random stream = random_seed(cfg->seed, run->seed_name);
	struct worker *w;

	database_set_activity(database, task->activity);
	run->workers = w = message_alloc_aligned(sizeof *w);
	run->all_threads = run->foreground = 1;
	run->timed = false;
	run->generator.operations = times;
	worker_init(w, run, 0, &stream);
	run_begin_measuring(run);
	w->began = w->ended_at = clock_ticks(w->clock);
	while (w->done < times && !*run->context->interrupted && w->status == DONE) {
		w->status = task->do_once(run, w->why);
		if (task->rest_seconds > 0 && w->status == DONE)
			rest_for(run, task->rest_seconds);
		w->done += w->status == DONE;
		w->ended_at = clock_ticks(w->clock);
		if (!(task->rest_seconds > 0))
			w->ended_at -= (uint64_t)((double)run->idle_ns /
						  clock_tick_ns(w->clock));
	}
	run_end_measuring(run);
	/* main() is the foreground thread; the engine's own threads are not. */
	w->cpu_s = run->metrics.main_cpu_s;
	w->runnable_s = NAN;
	run->metrics.main_cpu_s = 0;
	run->db = database->db;
	database_set_activity(database, NULL);
}

enum status task_settle(struct run *run, char *why)
{
	uint64_t busy_until;
	enum status status = driver_util_settle(run->engine, run->db, &busy_until, why);

	run->idle_ns = clock_raw_ns() - busy_until;
	return status;
}
