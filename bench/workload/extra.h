/*
 * extra.h: the contract of an extra: a subject of its own, such as a published benchmark
 * or a kind of background thread, with its options, workloads and columns.
 *
 * An extra is in bench/extras/ and has a row in extras.c there. The core knows extras by
 * this struct only: to delete one, delete its files and its row. Members that are NULL or
 * 0 do not apply. The order of the members is that in which they are used.
 */
#ifndef BENCH_WORKLOAD_EXTRA_H
#define BENCH_WORKLOAD_EXTRA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../util/distribution.h"
#include "../../util/result.h"

struct aggregate;
struct option;
struct plan_item;
struct preset;
struct run;
struct settings;
struct worker;
struct workload;

/* What an extra does with operations of a worker. All but `done` may be NULL. */
struct chunk_observer {
	/* The first n slots from w->next_slot on are done. */
	void (*done)(struct worker *w, unsigned n);
	/* This slot found no record. */
	void (*missing)(struct worker *w, unsigned slot);
	/* The open transaction was rolled back. */
	void (*undone)(struct worker *w);
	/* In the thread: its work begins, or measuring after its warm-up. */
	void (*began)(struct worker *w);
};

/* The records of a plan, for the header. */
struct records_summary {
	char keys[96], values[128]; /* "16 bytes each" */
	double count, key_bytes, value_bytes;
	bool at_most;      /* these are limits */
	const char *trace; /* where they come from, and what it leaves out; or NULL */
};

struct extra {
	const struct option *options;
	struct workload *workloads; /* a NULL name ends them */
	const struct preset *presets;
	struct row_file_columns columns; /* of its own struct in the row (result_added) */
	/* a distribution of random keys for all workloads, by this name */
	const char *distribution_name;
	distribution_draw_keys *draw_keys;
	/* its name with parameters, for the row */
	const char *(*describe_distribution)(void);

	/*
	 * The options are parsed; `preset` is the chosen one, or NULL. Check them, and
	 * set what workloads take from them.
	 */
	void (*configure)(const char *preset);

	/* Change the plan, which has room for `most` items; returns its new length. */
	unsigned (*change_plan)(struct plan_item *list, unsigned count, unsigned most);

	/* Reject contradictions in the plan: exit status 2 and one line. */
	void (*check_plan)(const struct plan_item *list, unsigned count);
	void (*check_item)(const struct plan_item *item);

	/*
	 * The plan is checked: why it is the chunk_observer of this item's workers, of whom
	 * each has one; NULL: it is not.
	 */
	const char *(*observes)(const struct plan_item *item);

	/* Reject what the engine cannot do with these settings. */
	void (*check_settings)(const struct plan_item *item, const struct settings *s);

	/* Do its options schedule the operations of a workload of the plan? */
	bool (*is_scheduled)(const struct workload *workload);

	/* The thread that its options add to workloads that write, or NULL. */
	const struct workload *(*added_thread)(void);
	const char *added_by; /* the option that adds it */

	/* Change how the header describes the plan's records. */
	void (*describe_records)(struct records_summary *records);

	/* Bytes of a run's state, zero at first: extra_state. */
	size_t state_size;

	/*
	 * The database is open, and a procedure prepared; threads do not exist yet. A
	 * failure that it notes of the database ends the benchmark.
	 */
	void (*begin_run)(struct run *run);
	/* A worker is initialized, or freed. */
	void (*begin_worker)(struct worker *w);
	void (*end_worker)(struct worker *w);
	/* CPU seconds that it has spent for the harness so far. */
	double (*cpu_seconds)(const struct run *run);
	/* The threads have ended, and the engine has settled. */
	void (*end_run)(struct run *run);
	/* The database as this item leaves it. */
	void (*end_item)(struct run *run, bool valid);

	/* Why the row is invalid; NULL: it is not. */
	const char *(*invalid_reason)(const struct aggregate *a);
	/* A warning about the row; NULL: there is none. */
	const char *(*warning)(const struct aggregate *a);
	/* Operations that the engine lacks, and how they are emulated; NULL: none. */
	const char *(*emulated)(const struct aggregate *a);
	/* Change columns that say what ran; others are computed from them. */
	void (*describe)(const struct aggregate *a, struct result *r);
	/* Fill its own columns, after all others but the warnings. */
	void (*fill)(const struct aggregate *a, struct result *r);
	/*
	 * Append to the printed line. Returns true if this replaces the number of found
	 * records.
	 */
	bool (*append_to_line)(const struct result *r, char *to, size_t size);
};

enum { EXTRAS_MAX = 20 };

/* Set the table of extras, which NULL ends; once, at the start. */
void extra_set(const struct extra *const *table);
const struct extra *const *extra_all(void);

/* The extra that has a distribution of keys; one without members if none has. */
const struct extra *extra_with_distribution(void);

/* The state of each extra in one run. */
struct extra_states {
	void *of[EXTRAS_MAX];
};

void extra_create_states(struct extra_states *states);
void extra_free_states(struct extra_states *states);

/* This extra's state in a run. */
void *extra_state(const struct extra_states *states, const struct extra *extra);

#endif
