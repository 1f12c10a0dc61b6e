/*
 * backup.c: makes a copy of the database, while others work (--backup) or alone (the
 * workload backup), and checks it.
 *
 * The engine's own hot backup is used if it has one. Else the files are copied while the
 * pause gate is closed: no thread is in a call, and no work is pending. The copy is a
 * database of its own, in backup/ next to data/, and is kept until the next backup. It is
 * opened and read from end to end when measuring has ended.
 */

#include "backup.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../engines/driver_util.h"
#include "../../util/distinct_count.h"
#include "../../util/file_copy.h"
#include "../../util/message.h"
#include "../runner/database.h"
#include "../runner/task.h"
#include "../runner/worker.h"
#include "../workload/config.h"

extern const struct extra backup_extra;

static double backup_after_s; /* of --backup */

static const struct option backup_options[] = {
	{"backup", "0",
	 "Delay of a backup, seconds from the measured start of each workload that "
	 "writes; 0: no backup. If the workload ends earlier, none is made. The copy "
	 "is in the subdirectory backup of --db. Columns backup_... have its cost; "
	 "--verify=1 checks that it is consistent.",
	 .real = &backup_after_s, .real_max = 1e9, .group = "Backups"},
	{0},
};

struct backup_columns {
	const char *backup_by, *backup_digest;
	double backup_at_s, backup_s, backup_bytes, backup_bytes_per_sec,
		backup_ops_per_sec, backup_ops_share, backup_records, backup_consistent;
};

static const struct row_file_column backup_column_table[] = {
	RESULT_TEXT(backup_columns, backup_by,
		    "Method of the backup: the engine's own function, such as "
		    "mdb_env_copy2, or \"copy of files\". A copy of files stops "
		    "all threads of the workload. Empty: no backup (--backup)."),
	RESULT_NUMBER(backup_columns, backup_at_s, 3,
		      "Time after the start of the workload at which the backup was "
		      "to begin (--backup). Empty: no backup."),
	RESULT_NUMBER(backup_columns, backup_s, 6,
		      "Duration of the backup: of the engine's own call, or of "
		      "stopping all threads, waiting for background work (as "
		      "--settle=1) and copying. Files that are copied are not "
		      "synced; an engine's own call may sync. Empty: no backup."),
	RESULT_NUMBER(backup_columns, backup_bytes, 0,
		      "Total length of the files of the backup; a hard link counts as "
		      "the file that it links to. Empty: no backup."),
	RESULT_NUMBER(backup_columns, backup_bytes_per_sec, 0,
		      "Length of the backup's files per second of the backup: "
		      "backup_bytes / backup_s. Hard links, as RocksDB makes, count in "
		      "full, although nothing is copied for them. Empty: no backup."),
	RESULT_NUMBER(backup_columns, backup_ops_per_sec, 1,
		      "Throughput of the --threads threads while the backup ran. "
		      "Empty: no backup, no other threads (workload backup), or they "
		      "ended just before it began."),
	RESULT_NUMBER(backup_columns, backup_ops_share, 4,
		      "Throughput of the --threads threads during the backup relative "
		      "to that before and after it. 1: the backup costs nothing; 0: "
		      "the workload stood still. Empty: as backup_ops_per_sec, or they "
		      "did nothing before and after it."),
	RESULT_NUMBER(backup_columns, backup_records, 0,
		      "Number of records in the backup, counted by opening it after "
		      "the workload. Empty: no backup."),
	RESULT_TEXT(backup_columns, backup_digest,
		    "Checksum of the keys and values of all records in the backup. "
		    "It equals the column digest of a readseq by one thread over the "
		    "backup. Empty: no backup, or the null engine, which stores "
		    "nothing."),
	RESULT_NUMBER(backup_columns, backup_consistent, 0,
		      "1: for each thread the backup has all of its writes up to a "
		      "moment during the backup, and none later. Threads may differ "
		      "in that moment. 0: it does not, and the row is invalid. "
		      "Workload backup: 1 if it equals the database. Empty: not "
		      "checked. With --backup, the check needs --verify=1, no "
		      "--warmup, and a fill or overwrite."),
};

static struct backup *backup_of(const struct run *run)
{
	return extra_state(&run->extras, &backup_extra);
}

/* ---- making a backup ---- */

/* Create the empty directory of the copy; an earlier copy there is removed. */
static enum status prepare_copy(const struct database *d, struct backup *b, char *why)
{
	char path[DB_DIR_PATH_SIZE], error[DB_DIR_ERROR_SIZE];

	*b = (struct backup){.dir = {.marker_fd = -1}, .consistent = NAN};
	if (engine.stores_nothing)
		return DONE;
	if (snprintf(path, sizeof path, "%s/backup", d->db_dir.path) >= DB_DIR_PATH_SIZE)
		return set_error(why, FAILED,
				 "the path of the backup would be too long; "
				 "choose a shorter --db");
	if (!db_dir_create(&b->dir, path, engine.name, error) ||
	    !db_dir_clear(&b->dir, error))
		return set_error(why, FAILED, "%s", error);
	return DONE;
}

/* Facts that are known of the database hold for the copy, too. */
static enum status write_copy_marker(const struct database *d, struct backup *b,
				     char *why)
{
	char error[DB_DIR_ERROR_SIZE];

	if (engine.stores_nothing)
		return DONE;
	b->dir.facts = d->db_dir.facts;
	b->dir.facts.unfinished = 0;
	b->dir.facts.complete = d->complete;
	b->bytes = db_dir_size(&b->dir).apparent;
	return db_dir_write_facts(&b->dir, error) ? DONE
						  : set_error(why, FAILED, "%s", error);
}

/* No thread is in a call, and no work is pending once the engine has settled. */
static enum status copy_database_files(const struct database *d, const struct backup *b,
				       char *why)
{
	char error[FILE_COPY_ERROR_SIZE];
	uint64_t busy_until;
	enum status status = driver_util_settle(&engine, d->db, &busy_until, why);

	if (status != DONE)
		return status;
	return file_copy_tree(d->db_dir.data_path, b->dir.data_path, error)
		       ? DONE
		       : set_error(why, FAILED, "%s", error);
}

/* UNSUPPORTED: the engine has no hot backup, or not with its current settings. */
static enum status copy_by_engine(const struct database *d, struct backup *b, char *why)
{
	b->method = engine.stores_nothing ? "nothing, as nothing is stored"
					  : engine.backup_by;
	if (engine.stores_nothing)
		return DONE;
	return engine.backup ? engine.backup(d->db, b->dir.data_path, why) : UNSUPPORTED;
}

/* ---- while others work ---- */

/* Operations of a thread that were acknowledged, and that may have begun. */
static uint64_t acknowledged_ops(const struct run *run, unsigned i)
{
	return atomic_load(&run->published[i].ops);
}

static uint64_t possibly_begun_ops(const struct run *run, unsigned i)
{
	return atomic_load(&run->published[i].begun_ops) +
	       run->workers[i].generator.slots;
}

static void read_progress(const struct run *run, uint64_t *to,
			  uint64_t (*of)(const struct run *, unsigned))
{
	for (unsigned i = 0; i < run->foreground; i++)
		to[i] = of(run, i);
}

/* While the gate is closed no operation is under way. */
static enum status copy_behind_gate(struct worker *w, double before, char *why)
{
	struct run *run = w->run;
	struct backup *b = backup_of(run);
	enum status status;

	b->method = "copy of files, while all wait";
	worker_close_gate(w);
	read_progress(run, b->ops_before, acknowledged_ops);
	read_progress(run, b->ops_after, acknowledged_ops);
	status = copy_database_files(run->info->database, b, why);
	/* No thread has continued yet. */
	b->ops = run_measured_operations(run) - before;
	worker_open_gate(w);
	return status;
}

static enum status backup_during_run(struct worker *w)
{
	struct run *run = w->run;
	struct backup *b = backup_of(run);
	const struct database *database = run->info->database;
	double before = run_measured_operations(run);
	enum status status;

	read_progress(run, b->ops_before, acknowledged_ops);
	b->began_ticks = clock_ticks(w->clock);
	status = copy_by_engine(database, b, w->why);
	b->ended_ticks = clock_ticks(w->clock);
	read_progress(run, b->ops_after, possibly_begun_ops);
	b->ops = run_measured_operations(run) - before;
	if (status == UNSUPPORTED) {
		status = copy_behind_gate(w, before, w->why);
		b->ended_ticks = clock_ticks(w->clock);
	}
	return status == DONE ? write_copy_marker(database, b, w->why) : status;
}

/* Returns false if the others ended first. */
static bool wait_for_backup_time(struct worker *w)
{
	uint64_t after = (uint64_t)(backup_after_s * 1e9 / clock_tick_ns(w->clock));
	uint64_t soon = (uint64_t)(1e6 / clock_tick_ns(w->clock));

	w->schedule.clock = w->clock;
	while (isnan(run_measured_operations(w->run)))
		if (!rate_schedule_wait_until(&w->schedule, clock_ticks(w->clock) + soon,
					      &w->run->monitor.stop))
			return false;
	if (!rate_schedule_wait_until(&w->schedule, w->run->metrics.began.ticks + after,
				      &w->run->monitor.stop))
		return false;
	/* the monitor may wait for a CPU, and not have seen that yet */
	return !monitor_is_finished(&w->run->monitor, w->run->foreground);
}

/*
 * Wait until --backup seconds have passed, and make a backup, unless the others ended
 * first.
 */
static void backup_work(struct worker *w)
{
	struct backup *b = backup_of(w->run);

	w->began = w->ended_at = clock_ticks(w->clock);
	if (w->status != DONE || !wait_for_backup_time(w))
		return;
	w->status = backup_during_run(w);
	b->done = w->status == DONE;
	w->began = b->began_ticks;
	w->ended_at = b->ended_ticks;
	w->done = b->done;
	w->tally.bytes = (uint64_t)b->bytes;
}

/* ---- reading a backup ---- */

/* The contents of a database, read from its first record to its last. */
struct database_contents {
	const struct run *run;
	double records, wrong;
	record_lanes digest;
	uint64_t *generation; /* of each record below num; NULL: not wanted */
	char *scratch;        /* NULL: values are not checked */
};

enum { NO_GENERATION = -1 }; /* of a record that is missing */

static void count_record(struct database_contents *c, struct slice key,
			 struct slice value)
{
	const struct generator_shared *shared = &c->run->generator;
	uint64_t id = key.size == shared->key_size
			      ? record_parse_key(key.data, key.size, shared->key_format)
			      : UINT64_MAX;

	c->records++;
	c->digest +=
		record_fold(key.data, key.size) + record_fold(value.data, value.size);
	if (c->scratch)
		c->wrong += !verify_value(shared, id, value, config_value_ratio(),
					  c->scratch);
	if (c->generation && id < shared->num)
		c->generation[id] =
			c->run->workload->starts_empty
				? 0
				: record_read_generation(value.data, value.size,
							 config_value_ratio(), id);
}

static enum status read_session(struct database_contents *c, struct session *s)
{
	struct slice key = {NULL, 0}, value = {NULL, 0};
	enum status status = engine.seek(s, (struct slice){NULL, 0}, &key, &value);

	for (; status == DONE; status = engine.next(s, &key, &value))
		count_record(c, key, value);
	return status == NOT_FOUND ? DONE : status;
}

static enum status read_db(struct database_contents *c, const struct settings *s,
			   struct db *db, char *why)
{
	struct session *session = driver_util_attach(&engine, s, db, why);
	enum status status = session ? read_session(c, session) : FAILED;

	if (session)
		driver_util_detach(&engine, session);
	return status;
}

static struct database_contents contents_init(const struct run *run, bool generations)
{
	struct database_contents c = {.run = run};

	if (cfg->verify && !run->workload->procedure &&
	    database_has_own_records(run->info->database))
		c.scratch =
			message_alloc(1, record_sizes_max(&run->generator.value_sizes));
	if (generations) {
		c.generation = message_alloc(run->generator.num, sizeof *c.generation);
		memset(c.generation, NO_GENERATION,
		       run->generator.num * sizeof *c.generation);
	}
	return c;
}

static enum status read_copy(struct database_contents *c, const struct backup *b,
			     char *why)
{
	struct settings s = *c->run->settings;
	struct db *db;
	char ignored[ENGINE_ERROR_SIZE];
	enum status status;

	s.path = b->dir.data_path;
	s.create = false;
	status = driver_util_open(&engine, &s, &db, why);
	if (status != DONE)
		return status;
	status = read_db(c, &s, db, why);
	driver_util_close(&engine, db, ignored);
	return status;
}

/* ---- is it consistent? ---- */

/*
 * Can the writes of each thread be reconstructed? Not with a warm-up, which is not
 * counted, nor with values that are too short to identify their write.
 */
static bool can_check_consistency(const struct run *run)
{
	const struct workload *workload = run->workload;

	return cfg->verify && !(cfg->warmup > 0) && !workload->own_background &&
	       !run->generator.values_by_key && !workload->next &&
	       (workload_only(workload, OP_PUT) || workload_only(workload, OP_APPEND)) &&
	       run->generator.num == run->generator.first_free_id &&
	       (workload->starts_empty ||
		run->generator.value_sizes.min > RECORD_HEADER_SIZE);
}

/* The writes of all threads, compared with the copy. */
struct consistency_check {
	const struct run *run;
	/* for a load generations_before is NULL */
	const uint64_t *generations_before, *generations_in_copy;
	/*
	 * For a load: writes of each record, at most 2. Otherwise: whether a write
	 * restored the generation that the record had before.
	 */
	unsigned char *times_written;
	uint64_t required;     /* writes of this thread that must be in the copy */
	bool is_missing_write; /* one of those is missing */
};

/*
 * Write number `nth` of a thread: record `id` with this generation. `first` is that of
 * its first write.
 */
struct replayed_write {
	uint64_t nth, id, generation, first;
};

/* Does the copy have this record from this write? */
static bool is_in_copy(const struct consistency_check *c, const struct replayed_write *e)
{
	if (c->generations_in_copy[e->id] != e->generation)
		return false;
	return c->generations_before ? !c->times_written[e->id]
				     : c->times_written[e->id] < 2;
}

/* Does the copy have this record only from earlier writes? */
static bool is_missing_in_copy(const struct consistency_check *c,
			       const struct replayed_write *e)
{
	uint64_t copied = c->generations_in_copy[e->id];

	if (!c->generations_before || copied == UINT64_MAX)
		return copied == UINT64_MAX;
	return (copied == c->generations_before[e->id] && !c->times_written[e->id]) ||
	       copied - e->first < e->generation - e->first;
}

static void count_write_of_record(struct consistency_check *c,
				  const struct replayed_write *e)
{
	if (c->generations_before)
		c->times_written[e->id] |= c->generations_before[e->id] == e->generation;
	else
		c->times_written[e->id] = (unsigned char)(c->times_written[e->id] +
							  (c->times_written[e->id] < 2));
}

static void find_last_write(struct consistency_check *c, const struct replayed_write *e)
{
	if (e->nth >= c->required && is_in_copy(c, e))
		c->required = e->nth + 1;
}

static void find_missing_write(struct consistency_check *c,
			       const struct replayed_write *e)
{
	c->is_missing_write |= e->nth < c->required && is_missing_in_copy(c, e);
}

/* Visit all writes of a thread again. */
static void replay_writes(struct consistency_check *c, unsigned thread,
			  void (*visit)(struct consistency_check *,
					const struct replayed_write *))
{
	const struct run *run = c->run;
	struct random stream = random_seed(cfg->seed, run->seed_name);
	struct replayed_write e = {0};
	struct generator g;

	for (unsigned i = 0; i < thread; i++)
		random_jump(&stream);
	generator_init(&g, &run->generator, run->workload, thread, &stream, NULL, 0);
	e.first = g.generation;
	for (uint64_t left = run->workers[thread].done; left;) {
		uint64_t first = g.generation;
		unsigned n = generator_next_by_weight(&g, left < g.slots ? (unsigned)left
									 : g.slots);

		for (unsigned i = 0; i < n; i++, e.nth++) {
			e.id = g.id[i];
			e.generation = run->workload->starts_empty ? 0 : first + i;
			visit(c, &e);
		}
		left -= n;
	}
	distinct_count_free(&g.distinct_keys);
	generator_free(&g);
}

/*
 * The copy must have each thread's writes up to one of them. That is at least the last
 * one acknowledged when the backup began, and at most the last one begun when it ended.
 */
static bool is_consistent(const struct run *run, const uint64_t *copy)
{
	const struct backup *b = backup_of(run);
	struct consistency_check c = {.run = run,
				      .generations_before = b->generations_before,
				      .generations_in_copy = copy};
	bool good = true;

	c.times_written = message_alloc(run->generator.num, 1);
	for (unsigned i = 0; i < run->foreground; i++)
		replay_writes(&c, i, count_write_of_record);
	for (unsigned i = 0; i < run->foreground; i++) {
		c.required = b->ops_before[i];
		replay_writes(&c, i, find_last_write);
		replay_writes(&c, i, find_missing_write);
		good &= !c.is_missing_write && c.required <= b->ops_after[i];
	}
	free(c.times_written);
	return good;
}

/* ---- the thread of --backup ---- */

static void free_backup(struct backup *b)
{
	db_dir_close(&b->dir);
	free(b->ops_before);
	free(b->ops_after);
	free(b->generations_before);
}

static const struct workload backup_role;

static bool has_backup_thread(const struct run *run)
{
	for (unsigned i = 0; i < run->item->added_count; i++)
		if (run->item->added[i] == &backup_role)
			return true;
	return false;
}

/* Returns false if the backup cannot be made. */
static bool backup_prepare(struct run *run)
{
	char why[ENGINE_ERROR_SIZE];
	bool ready = prepare_copy(run->info->database, backup_of(run), why) == DONE;

	if (!ready)
		database_note_failure(&run->info->database->failure, "backup", why);
	return ready;
}

/*
 * Note the generation of each record before anything is counted, if the copy will be
 * checked.
 */
static void note_generations(struct run *run)
{
	struct database *d = run->info->database;
	struct backup *b = backup_of(run);
	struct database_contents c;
	char why[ENGINE_ERROR_SIZE] = "";
	enum status status;

	if (run->workload->starts_empty || !can_check_consistency(run) ||
	    engine.stores_nothing)
		return;
	c = contents_init(run, true);
	status = read_db(&c, run->settings, run->db, why);
	b->generations_before = c.generation;
	free(c.scratch);
	if (status != DONE)
		database_note_failure(&d->failure, "backup",
				      database_describe_error(d, status, why));
}

static void backup_begin_run(struct run *run)
{
	struct backup *b = backup_of(run);

	if (!has_backup_thread(run) || !backup_prepare(run))
		return;
	b->ops_before = message_alloc(run->foreground, sizeof *b->ops_before);
	b->ops_after = message_alloc(run->foreground, sizeof *b->ops_after);
	note_generations(run);
}

/* The worker that makes a backup, or NULL. */
static struct worker *backup_worker(const struct run *run)
{
	for (unsigned i = run->item->measured_threads; i < run->all_threads; i++)
		if (run->workers[i].generator.workload == &backup_role)
			return &run->workers[i];
	return NULL;
}

/* Check a backup that was made while others worked. A fault fails its thread. */
static void backup_check(struct run *run)
{
	struct backup *b = backup_of(run);
	struct worker *w =
		workload_is_maintenance(run->workload) ? NULL : backup_worker(run);
	struct database_contents c;
	bool failed = false;

	if (!w)
		return;
	for (unsigned i = 0; i < run->all_threads; i++)
		failed |= run->workers[i].status != DONE;
	if (b->done && !failed && !engine.stores_nothing) {
		c = contents_init(run, can_check_consistency(run));
		w->status = read_copy(&c, b, w->why);
		b->records = c.records;
		b->wrong = c.wrong;
		b->digest = c.digest;
		if (w->status == DONE && can_check_consistency(run))
			b->consistent = is_consistent(run, c.generation);
		free(c.generation);
		free(c.scratch);
	}
	free_backup(b);
}

/* ---- the workload backup ---- */

static enum status backup_make(struct run *run, char *why)
{
	const struct database *database = run->info->database;
	struct backup *b = backup_of(run);
	enum status status = copy_by_engine(database, b, why);

	if (status == UNSUPPORTED) {
		b->method = "copy of files, while all wait";
		status = copy_database_files(database, b, why);
	}
	return status == DONE ? write_copy_marker(database, b, why) : status;
}

/* Compare the copy with the database. */
static void backup_compare(struct run *run)
{
	struct worker *w = &run->workers[0];
	struct backup *b = backup_of(run);
	struct database_contents original = contents_init(run, false),
				 copy = contents_init(run, false);

	b->began_ticks = w->began;
	b->ended_ticks = w->ended_at;
	b->done = w->status == DONE;
	if (b->done && !engine.stores_nothing) {
		w->tally.bytes = (uint64_t)b->bytes;
		w->status = read_db(&original, run->settings, run->db, w->why);
		if (w->status == DONE)
			w->status = read_copy(&copy, b, w->why);
		b->records = copy.records;
		b->wrong = copy.wrong;
		b->digest = copy.digest;
		b->consistent =
			record_digest(copy.digest) == record_digest(original.digest);
	}
	free(original.scratch);
	free(copy.scratch);
	free_backup(b);
}

static void backup_alone(struct run *run)
{
	static const struct task task = {"making a backup", backup_make, 0};

	task_run(run, backup_prepare(run), &task);
	backup_compare(run);
}

static struct workload backup_workloads[] = {
	{"backup",
	 "Back up the database to the directory backup: by the engine's own hot backup, "
	 "or else by copying its files. Then open the copy, which must hold the same "
	 "records.",
	 .maintenance = backup_alone},
	{0},
};

/* ---- the extra ---- */

static const struct added_thread backup_thread = {
	.work = backup_work,
	.has_no_samples = true,
	.if_idle = "the run ended before the time of --backup, and there was no backup"};

static const struct workload backup_role = {"backup",
					    "",
					    {[OP_GET] = 100},
					    .key_order = ORDER_RANDOM,
					    .added = &backup_thread};

static const struct workload *backup_added_thread(void)
{
	return backup_after_s > 0 ? &backup_role : NULL;
}

static void backup_check_plan(const struct plan_item *list, unsigned count)
{
	bool copies = backup_after_s > 0;

	for (unsigned i = 0; i < count; i++)
		copies |= list[i].workload == backup_workloads;
	if (copies && *cfg->device)
		message_fatal(2,
			      "--device: a backup copies files, and a device has none; "
			      "leave out the backup");
	if (copies && engine.server_usage)
		message_fatal(2,
			      "backup: %s keeps its records in servers, whose files "
			      "cannot be copied; leave out the backup",
			      engine.title);
}

const char *backup_invalid_reason(const struct backup *b, uint64_t records_least,
				  struct message_texts *texts)
{
	if (!b->done)
		return NULL;
	if (b->consistent < 1)
		return "the backup is not consistent as of any point in time between its "
		       "start and end";
	if (b->wrong > 0)
		return message_keep(texts, "%.0f records of the backup were wrong",
				    b->wrong);
	if (b->records < (double)records_least)
		return message_keep(texts, "the backup has %.0f records of %llu",
				    b->records, (unsigned long long)records_least);
	return NULL;
}

static const char *backup_invalid(const struct aggregate *a)
{
	return backup_invalid_reason(extra_state(a->extras, &backup_extra),
				     a->records_least, a->texts);
}

static const char *backup_emulated(const struct aggregate *a)
{
	const struct backup *b = extra_state(a->extras, &backup_extra);

	if (!b->done || b->method == engine.backup_by)
		return NULL;
	return engine.stores_nothing ? "backup, by nothing"
				     : "backup, by copying files while all wait";
}

/* The backup, and the others' rate during it and outside it. */
static void backup_fill(const struct aggregate *a, struct result *r)
{
	const struct backup *b = extra_state(a->extras, &backup_extra);
	struct backup_columns *columns = result_added(r, &backup_extra.columns);
	uint64_t last = a->foreground_totals.last_end,
		 end = b->ended_ticks < last ? b->ended_ticks : last;
	double during_s, outside_s;

	if (metrics_added(a, &backup_role))
		columns->backup_at_s = backup_after_s;
	if (!b->done)
		return;
	during_s = (double)clock_ns(a->info->clock,
				    end > b->began_ticks ? end - b->began_ticks : 0) /
		   1e9;
	outside_s = a->foreground_totals.seconds - during_s;
	columns->backup_by = b->method;
	columns->backup_s =
		(double)clock_ns(a->info->clock, b->ended_ticks - b->began_ticks) / 1e9;
	columns->backup_bytes = b->bytes;
	columns->backup_bytes_per_sec = b->bytes / columns->backup_s;
	columns->backup_consistent = b->consistent;
	if (!workload_is_maintenance(a->workload) && during_s > 0) {
		columns->backup_ops_per_sec = b->ops / during_s;
		if (outside_s > 0)
			columns->backup_ops_share =
				columns->backup_ops_per_sec * outside_s /
				((double)a->foreground_totals.ops - b->ops);
	}
	if (engine.stores_nothing)
		return;
	columns->backup_records = b->records;
	columns->backup_digest =
		message_keep(a->texts, "%016llx",
			     (unsigned long long)record_digest(b->digest));
}

const struct extra backup_extra = {
	.options = backup_options,
	.workloads = backup_workloads,
	.columns = ROW_FILE_COLUMNS(backup_column_table),
	.check_plan = backup_check_plan,
	.added_thread = backup_added_thread,
	.added_by = "backup",
	.state_size = sizeof(struct backup),
	.begin_run = backup_begin_run,
	.end_run = backup_check,
	.invalid_reason = backup_invalid,
	.emulated = backup_emulated,
	.fill = backup_fill,
};
