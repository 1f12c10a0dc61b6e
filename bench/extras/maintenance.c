/*
 * maintenance.c: workloads that are no lists of calls: reopen the database repeatedly,
 * compact it, wait until it has settled, or print the engine's statistics.
 */
#include <stdio.h>

#include "../../engines/driver_util.h"
#include "../runner/database.h"
#include "../runner/task.h"

extern const struct extra maintenance_extra;

static void maintenance_statistics(struct run *run)
{
	char text[8192];

	driver_util_statistics(run->engine, run->db, text, sizeof text);
	printf("%s\n", text);
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

static enum status compact_once(struct run *run, char *why)
{
	return run->engine->compact ? run->engine->compact(run->db, why)
				    : task_settle(run, why);
}

static void maintenance_reopen(struct run *run)
{
	static const struct task task = {NULL, reopen_once, 0};

	task_run(run, run->item->operations, &task);
}

static void maintenance_compact(struct run *run)
{
	static const struct task task = {"compacting", compact_once, 0};

	task_run(run, 1, &task);
}

static void maintenance_settle(struct run *run)
{
	static const struct task task = {"settling", task_settle, 0};

	task_run(run, 1, &task);
}

static struct workload maintenance_workloads[] = {
	{"open", "Close and open the database --num/10000 times, as in LevelDB.",
	 .num_fraction = 0.0001, .maintenance = maintenance_reopen},
	{"compact",
	 "Have the engine compact the whole database; engines without compaction finish "
	 "their pending work instead.",
	 .changes = true, .maintenance = maintenance_compact},
	{"waitforcompaction",
	 "Wait until the engine has no pending work: compaction, checkpoint, write-back.",
	 .changes = true, .maintenance = maintenance_settle},
	{"stats", "Print the engine's own statistics.", .has_no_row = true,
	 .maintenance = maintenance_statistics},
	{0},
};

static const char *maintenance_emulated(const struct aggregate *a)
{
	if (a->workload->maintenance != maintenance_compact || engine.compact)
		return NULL;
	return driver_util_can_settle(&engine) ? "compaction, by settling"
					       : "compaction, by nothing";
}

const struct extra maintenance_extra = {
	.workloads = maintenance_workloads,
	.emulated = maintenance_emulated,
};
