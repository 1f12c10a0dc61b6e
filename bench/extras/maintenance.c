/*
 * maintenance.c: workloads that are no lists of calls: reopen the database repeatedly,
 * compact it, wait until it has settled, or print the engine's statistics.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../engines/driver_util.h"
#include "../../util/message.h"
#include "../runner/database.h"
#include "../runner/task.h"
#include "../workload/config.h"

extern const struct extra maintenance_extra;

enum { STATISTICS_SIZE = 1 << 20 };

/*
 * Print what the engine has under the workload's name, or else all of its statistics.
 * db_bench has a blank line before it, unless that is a list of names and values.
 */
static void maintenance_statistics(struct run *run)
{
	char *text = message_alloc(STATISTICS_SIZE, 1);
	const char *name = run->workload->name;
	bool is_all = !strcmp(name, "stats") && !cfg->db_bench.on;

	if (!is_all)
		driver_util_property(run->engine, run->db, name, text, STATISTICS_SIZE);
	if (!*text)
		driver_util_statistics(run->engine, run->db, text, STATISTICS_SIZE);
	printf("%s%s\n", cfg->db_bench.on && strcmp(name, "memstats") ? "\n" : "", text);
	fflush(stdout);
	free(text);
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

static enum status compact_level0_once(struct run *run, char *why)
{
	return run->engine->compact_level0 ? run->engine->compact_level0(run->db, why)
					   : compact_once(run, why);
}

static void maintenance_compact_level0(struct run *run)
{
	static const struct task task = {"compacting", compact_level0_once, 0};

	task_run(run, 1, &task);
}

static enum status flush_once(struct run *run, char *why)
{
	return run->engine->settle ? run->engine->settle(run->db, why) : DONE;
}

static void maintenance_flush(struct run *run)
{
	static const struct task task = {"writing the memtable", flush_once, 0};

	task_run(run, 1, &task);
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

/* The core has made it, and that is all. */
static void maintenance_create(struct run *run)
{
	struct database *d = run->info->database;

	d->db_dir.facts.unfinished = 0;
	d->records = 0; /* the number is unknown */
	database_write_marker(d, run->workload, false);
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
	{"compactall", "Do the same as compact, under another name of db_bench's.",
	 .changes = true, .maintenance = maintenance_compact},
	{"compact0",
	 "Merge the files of an LSM tree's level 0 into the next level; engines that "
	 "cannot be asked for it do as in compact.",
	 .changes = true, .maintenance = maintenance_compact_level0},
	{"flush",
	 "Have the engine write its memtable, or make a checkpoint, without waiting for "
	 "what follows.",
	 .changes = true, .maintenance = maintenance_flush},
	{"waitforcompaction",
	 "Wait until the engine has no pending work: compaction, checkpoint, write-back.",
	 .changes = true, .maintenance = maintenance_settle},
	{"create", "Replace the database by an empty one, without a row.",
	 .starts_empty = true, .has_no_row = true, .maintenance = maintenance_create},
	{"stats", "Print the engine's own statistics.", .has_no_row = true,
	 .maintenance = maintenance_statistics},
	{"levelstats",
	 "Print the number and size of files in each level of an LSM tree; other "
	 "engines print their statistics.",
	 .has_no_row = true, .maintenance = maintenance_statistics},
	{"sstables",
	 "Print the table files of an LSM tree; other engines print their statistics.",
	 .has_no_row = true, .maintenance = maintenance_statistics},
	{"memstats",
	 "Print the sizes of an LSM tree's memtables; other engines print their "
	 "statistics.",
	 .has_no_row = true, .maintenance = maintenance_statistics},
	{0},
};

static const char *maintenance_emulated(const struct aggregate *a)
{
	if (a->workload->maintenance == maintenance_flush)
		return engine.keeps_memtable ? "memtable flush, by syncing the log"
		       : engine.settle       ? NULL
					     : "memtable flush, by nothing";
	if (a->workload->maintenance == maintenance_compact && engine.keeps_memtable)
		return "compaction, without the memtable";
	if (a->workload->maintenance == maintenance_compact_level0 &&
	    !engine.compact_level0)
		return "compaction of level 0, by one of all";
	if (a->workload->maintenance != maintenance_compact || engine.compact)
		return NULL;
	return driver_util_can_settle(&engine) ? "compaction, by settling"
					       : "compaction, by nothing";
}

const struct extra maintenance_extra = {
	.workloads = maintenance_workloads,
	.emulated = maintenance_emulated,
};
