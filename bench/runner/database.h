/*
 * database.h: the database under test: its directory or device, and opening, settling and
 * closing it.
 *
 * A directory or device that is not ours is rejected with status 2. Later failures are
 * values: a struct run_failure, with which bench.c ends the plan.
 */
#ifndef BENCH_RUNNER_DATABASE_H
#define BENCH_RUNNER_DATABASE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "../../engines/engine.h"
#include "../../util/os/clock.h"
#include "../../util/os/device.h"
#include "../../util/os/host.h"
#include "../../util/os/raw_device.h"
#include "../../util/record.h"
#include "../../util/result.h"
#include "../../util/db_dir.h"
#include "../workload/plan_item.h"
#include "../workload/workload.h"

enum { FAILURE_TEXT_SIZE = DB_DIR_ERROR_SIZE + 1024, DATABASE_OPTIONS_SIZE = 2048 };

/* The first failure; later ones usually follow from it. */
struct run_failure {
	bool failed;
	char text[FAILURE_TEXT_SIZE];
};

/* Print a failure and keep it, unless something failed before. */
void database_note_failure(struct run_failure *f, const char *doing, const char *why);

struct database {
	struct settings settings;
	struct traits traits; /* with these settings */
	struct oracle oracle;
	struct db_dir db_dir;
	struct raw_device raw_device; /* for --device */
	struct db_dir_cold cold;      /* how the last --cold went */
	struct mount_info mount;      /* of the file system under the database */
	struct device_queue queue;
	char simulated_disk[128]; /* its numbers; "" if there is none */

	struct db *db; /* open, or NULL */
	enum durability open_durability;
	double open_seconds;
	/* of its files at the beginning of the workload, and at that of the next */
	const char *page_cache_state, *page_cache_state_after;
	char engine_options[DATABASE_OPTIONS_SIZE]; /* in effect when it was opened */
	bool complete;                   /* every record of the key range exists */
	struct record_sizes value_sizes; /* of the stored values */
	/* the first record that does not exist yet; ids between num and this one exist */
	uint64_t first_free_id;
	uint64_t records;       /* number of records, if it is complete; 0: not known */
	uint64_t epochs_before; /* of earlier processes; the plan's epochs follow them */

	char why[ENGINE_ERROR_SIZE]; /* the engine's message */
	/* a call failed: that the database cannot be closed is then no news */
	bool engine_failed;
	struct run_failure failure;
	/*
	 * In db_bench's place: how the database differs from what the command line
	 * describes, for the rows; "": it does not.
	 */
	char difference[DB_DIR_PATH_SIZE + 256];
	/* There, with --statistics: the engine's when it was last closed, or NULL. */
	char *tickers;
	char perf_context[1 << 14]; /* with --perf_level: of the last benchmark there */
	/* set to the current activity while it may take long, else NULL */
	const char *_Atomic *activity;
};

/* Set --num to as many records as --device_share allows, if it is given. */
void database_apply_device_share(void);

/*
 * Open the directory or device. Ends the program if there is not enough disk space, if
 * the files are not a database of this suite, or if it is not the one that the command
 * line describes.
 */
void database_prepare(struct database *d, const struct plan_item *list);
void database_finish(struct database *d);

/* Delete the copy that --copy_of made, after the last process that used it. */
void database_remove_copy(void);

/* The path of the records' files; NULL: this process has none. */
const char *database_storage_path(const struct database *d);

/* Size of the files; NaN: this process has none. */
struct db_dir_size database_size(const struct database *d);

/*
 * Resource usage of the engine's servers until now; unknown if it has none or they do
 * not answer.
 */
struct server_usage database_server_usage(struct database *d);

/*
 * Bytes that the drive under the database has written to its flash so far; NaN if it
 * does not report them.
 */
double database_nand_bytes(const struct database *d);

/* How keys are written. */
enum record_key_format database_key_format(const struct settings *s);

/*
 * Did the last load write records as record.h has them, which record_check knows? Those of
 * SmallBank and the Insert Benchmark are others.
 */
bool database_has_own_records(const struct database *d);

/* The sizes of values that the workload writes: its own, or those of the last load. */
const struct record_sizes *database_value_sizes(const struct database *d,
						const struct plan_item *item);

/*
 * Open the database as the workload needs it: empty for a load, not cached for --cold.
 * On failure d->failure is set.
 */
void database_open(struct database *d, const struct plan_item *item);

/*
 * Wait until no work is pending in the engine. The cost is everything spent since the
 * benchmark ended, except the time in which the engine was watched and did nothing.
 */
void database_settle(struct database *d, const struct clock_pair *since,
		     const struct resource_usage *before, struct result_deferred *cost);

/*
 * In db_bench's place, with --perf_level: keeps the engine's counters since the last call,
 * of threads that have ended, in perf_context. A closed database keeps what it has.
 */
void database_note_perf_context(struct database *d);

/* Close the database; the cost of closing goes to *cost, unless it is NULL. */
void database_close(struct database *d, struct result_deferred *cost);

/* Store in the marker file what is true of the database after this workload. */
void database_write_marker(struct database *d, const struct workload *workload,
			   bool complete);

/*
 * Called before each workload. Deletions make the database incomplete; if they are part
 * of a pass, facts.to_restore says how many puts at its end make it complete again.
 */
void database_begin_workload(struct database *d, const struct plan_item *item);

/*
 * The epoch of an item of the plan: how many measurements the database has had. All
 * engines have the same, if they are asked the same; 0: plan_item_has_epoch is false.
 */
uint64_t database_epoch(const struct database *d, const struct plan_item *item);

/*
 * 0, unless the item writes and has an epoch that the database has had, as --epoch can
 * ask. Then a number that is another one each time.
 */
uint64_t database_repeats_epoch(const struct database *d, const struct plan_item *item);

/* Reload what another process has done to the database. */
void database_reload_facts(struct database *d, const struct plan_item *item);

/* Set the current activity, which may take long; NULL: none. */
void database_set_activity(struct database *d, const char *what);

/*
 * The engine's message `why`, with the limit of this process that may have caused it.
 * The text is valid until the next call.
 */
const char *database_describe_error(const struct database *d, enum status status,
				    const char *why);

#endif
