/* maintenance.c: workloads that are not lists of calls; see maintenance.h. */
#include "maintenance.h"

#include <stdio.h>
#include <time.h>

#include "../../engines/driver_util.h"
#include "../../util/message.h"
#include "../../util/os/resource_usage.h"
#include "../runner/background.h"
#include "procedure_table.h"
#include "insert_benchmark.h"
#include "../runner/database.h"
#include "../workload/plan.h"

/*
 * A task that takes long. It is done repeatedly; do_once says how the engine does it
 * once.
 */
struct maintenance_task {
	const char *activity;
	enum status (*do_once)(struct run *run, char *why);
	bool rests_afterwards;
};

static void print_statistics(const struct run *run)
{
	char text[8192] = "";

	run->engine->statistics(run->db, text, sizeof text);
	printf("%s", text);
	fflush(stdout);
}

static enum status reopen_once(struct run *run, char *why)
{
	struct database *database = run->info->database;

	database->settings.create = false;
	database_close(database, NULL);
	return database->failure.failed
		       ? FAILED
		       : driver_util_open(run->engine, &database->settings, &database->db,
					  why);
}

static enum status settle_once(struct run *run, char *why)
{
	uint64_t busy_until;
	enum status status = driver_util_settle(run->engine, run->db, &busy_until, why);

	run->idle_ns = clock_raw_ns() - busy_until;
	return status;
}

static enum status compact_once(struct run *run, char *why)
{
	return run->engine->compact ? run->engine->compact(run->db, why)
				    : settle_once(run, why);
}

static const struct maintenance_task maintenance_tasks[MAINTENANCES] = {
	[MAINTENANCE_REOPEN] = {NULL, reopen_once, false},
	[MAINTENANCE_COMPACT] = {"compacting", compact_once, false},
	[MAINTENANCE_SETTLE] = {"settling", settle_once, false},
	[MAINTENANCE_REST] = {"settling", settle_once, true},
	[MAINTENANCE_BACKUP] = {"making a backup", backup_make, false},
};

/*
 * Sleep. The activity text changes each second, so that the run does not count as hung.
 */
static void rest_for(struct database *database, double seconds,
		     const volatile sig_atomic_t *interrupted)
{
	static const char *const words[] = {"resting", "still resting"};
	const uint64_t began = clock_raw_ns();
	double left = seconds;

	for (unsigned i = 0; left > 0 && !*interrupted; i++) {
		database_set_activity(database, words[i % 2]);
		nanosleep(&(struct timespec){left < 1 ? 0 : 1,
					     left < 1 ? (long)(left * 1e9) : 0},
			  NULL);
		left = seconds - clock_seconds_since(began);
	}
}

/* Do a task `times` times in one worker, whose operations these are. */
static void do_maintenance(struct run *run, uint64_t times,
			   const struct maintenance_task *task,
			   const volatile sig_atomic_t *interrupted)
{
	struct database *database = run->info->database;
	struct random stream = random_seed(cfg->seed, run->seed_name);
	struct worker *w;

	run->workers = w = message_alloc_aligned(sizeof *w);
	run->all_threads = run->foreground = 1;
	run->timed = false;
	run->generator.operations = times;
	worker_init(w, run, 0, &stream);
	run_begin_measuring(run);
	w->began = w->ended_at = clock_ticks(w->clock);
	while (w->done < times && !*interrupted && w->status == DONE) {
		w->status = task->do_once(run, w->why);
		if (task->rests_afterwards && w->status == DONE)
			rest_for(database,
				 insert_benchmark_rest_seconds(procedure_table_run_size(),
							       run->item->threads),
				 interrupted);
		w->done += w->status == DONE;
		w->ended_at = clock_ticks(w->clock);
		if (!task->rests_afterwards)
			w->ended_at -= (uint64_t)((double)run->idle_ns /
						  clock_tick_ns(w->clock));
	}
	run_end_measuring(run);
	/* main() is the foreground thread; the engine's own threads are not. */
	w->cpu_s = run->metrics.main_cpu_s;
	run->metrics.main_cpu_s = 0;
	run->db = database->db;
}

void maintenance_run(struct run *run, const volatile sig_atomic_t *interrupted)
{
	enum maintenance maintenance = run->workload->maintenance;
	const struct maintenance_task *task = &maintenance_tasks[maintenance];
	uint64_t times =
		maintenance == MAINTENANCE_REOPEN ? plan_operations(run->workload) : 1;

	if (maintenance == MAINTENANCE_STATISTICS) {
		print_statistics(run);
		return;
	}
	if (task->activity)
		database_set_activity(run->info->database, task->activity);
	if (maintenance == MAINTENANCE_BACKUP && !backup_prepare(run))
		times = 0;
	do_maintenance(run, times, task, interrupted);
	if (maintenance == MAINTENANCE_BACKUP)
		backup_compare(run);
	if (task->activity)
		database_set_activity(run->info->database, NULL);
}
