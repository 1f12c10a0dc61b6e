/*
 * workload.h: what a benchmark does: operations by weight, which keys, on which
 * database.
 *
 * The table depends on nothing. Values from the command line are entered once, by
 * workload_configure.
 */
#ifndef BENCH_WORKLOAD_WORKLOAD_H
#define BENCH_WORKLOAD_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../engines/engine.h"
#include "../../util/distribution.h"

/* What a user counts as an operation. */
enum op {
	OP_GET, OP_MULTIGET, OP_PUT, OP_APPEND,
	OP_INSERT,    /* put a new record: the key range grows */
	OP_MODIFY,    /* read, modify, write: two calls */
	OP_DELETE,
	OP_EXPIRE,    /* delete the oldest record that this thread inserted */
	OP_SEEK, OP_NEXT,
	OP_PROCEDURE, /* of the workload's procedure */
	OPS
};

/* The names that --mix takes; NULL: not accepted. */
extern const char *const workload_op_names[OPS];

enum { WEIGHTS_MAX = 1000 }; /* the sum of a mix's weights */

enum key_order {
	ORDER_RANDOM,
	ORDER_SEQUENTIAL,
	ORDER_PERMUTED,
	ORDER_HOT,
	ORDER_STRIDE,
	ORDER_ABSENT,
	KEY_ORDERS
};

/* For the distribution column; the name for ORDER_RANDOM is that of its distribution. */
extern const char *const workload_key_orders[KEY_ORDERS];

/* The work of a workload's own background thread. */
enum own_background {
	OWN_BACKGROUND_NONE,
	OWN_BACKGROUND_WRITER,
	OWN_BACKGROUND_SCANNER
};

/*
 * The work of background threads that options add to a workload that writes; it does
 * not count in the workload's results.
 */
enum added_background {
	ADDED_BACKGROUND_NONE,
	ADDED_BACKGROUND_PROBE,
	ADDED_BACKGROUND_LONG_READER,
	ADDED_BACKGROUND_BACKUP,
	ADDED_BACKGROUNDS
};

/* The work of a workload that is not a list of calls. */
enum maintenance {
	MAINTENANCE_NONE,
	MAINTENANCE_REOPEN,
	MAINTENANCE_COMPACT,
	MAINTENANCE_SETTLE,
	MAINTENANCE_REST,
	MAINTENANCE_STATISTICS,
	MAINTENANCE_BACKUP,
	MAINTENANCE_AGE, /* a plan replaces it by workload_age's */
	MAINTENANCES
};

/*
 * What --readwritepercent means: nothing; the percentage of gets among gets and puts;
 * the percentage of the loaded records.
 */
enum percent_of { PERCENT_NONE, PERCENT_OF_GETS, PERCENT_OF_RECORDS };

/*
 * The procedure that OP_PROCEDURE does, and whose records the database has:
 * procedure_table.h.
 */
enum procedure_id {
	PROCEDURE_NONE, /* the suite's own records */
	PROCEDURE_SMALLBANK,
	/* the steps of the Insert Benchmark */
	IB_L_I0, IB_L_X, IB_L_I1, IB_L_I2, IB_CHECK,
	IB_QR100, IB_QP100, IB_QR500, IB_QP500, IB_QR1000, IB_QP1000,
	PROCEDURES
};

/*
 * Where operations come from: chosen by their weights, drawn one by one as
 * util/mixgraph.h does, or read from a trace.
 */
enum operation_source {
	SOURCE_WEIGHTS,
	SOURCE_MIXGRAPH,
	SOURCE_TRACE,
	OPERATION_SOURCES
};

struct workload {
	const char *name, *help;
	unsigned weights[OPS];
	enum procedure_id procedure;
	enum key_order key_order;
	/* of ORDER_RANDOM keys, unless --distribution is given */
	enum distribution_kind distribution;
	bool starts_empty; /* empties the database first */
	/* the threads divide the operations, each record once; else each does all */
	bool divided;
	/* --batch_size writes in a transaction, or keys in a multi-get; else single */
	bool batched;
	bool bulk_load;     /* by the engine's own loader */
	bool reverse;       /* direction of an iteration */
	bool whole_range;   /* an iteration over the whole database */
	bool restarts;      /* an iteration that starts again at the end */
	bool deletes;       /* the database is incomplete afterwards */
	bool completes;     /* the database is complete afterwards */
	bool custom_mix;    /* the weights are those of --mix */
	bool is_aging_part; /* part of a pass of --age, */
	bool restores_deleted; /* which reinserts the deleted records */
	bool queue;         /* its records are in queues, which are sought in the end */
	bool requires_rate; /* the row is invalid if the rate was not met */
	/* The background thread, which runs as long as the others do */
	enum own_background own_background;
	/*
	 * 1 + the durability level, whatever --durability says; 0: that of --durability
	 */
	unsigned durability;
	uint64_t batch;             /* instead of --batch_size; UINT64_MAX: all in one */
	uint64_t value_size;        /* instead of --value_size */
	const char *scan_length;    /* instead of --seek_nexts */
	enum percent_of percent_of; /* the meaning of --readwritepercent */
	/*
	 * operations per record of the key range, unless --reads or --writes is given;
	 * 0: 1
	 */
	double num_fraction;
	const char *preset; /* the preset whose records it uses */
	enum operation_source source;
	/* fixed number of operations, or that of a trace; 0: by options */
	uint64_t operations;
	enum maintenance maintenance; /* what it does instead of a list of calls */
	/* for the role of a background thread that an option adds */
	enum added_background added_background;
};

/* All workloads, in the order of the manual; *n is their number. */
const struct workload *workload_table(size_t *n);

/* The workload whose name has these characters, or NULL. */
const struct workload *workload_find(const char *name, size_t length);

/* The role of the workload's own background thread, or NULL. */
const struct workload *workload_own_background(const struct workload *workload);

/* The role of a background thread that an option adds. */
const struct workload *workload_added_background(enum added_background kind);

/* The parts of a pass of --age, in order. */
enum age_part { AGE_OVERWRITE, AGE_DELETE, AGE_REINSERT, AGE_PARTS };

/*
 * A part of a pass. Keys are drawn as `workload` draws them, unless the part has an
 * order of its own. The result is valid as long as the program runs.
 */
const struct workload *workload_age(enum age_part part, const struct workload *workload);

/*
 * Enter --readwritepercent, the percentage of deletions in a queue, and the weights of
 * --mix and mixgraph; once, before any workload is run.
 */
void workload_configure(unsigned percent, unsigned deletions, const unsigned mix[OPS],
			const struct mixgraph *mixgraph);

/* Enter the lines of a trace: by operation, in total, and those that loads can use. */
void workload_set_trace_counts(const uint64_t op[OPS], uint64_t lines, uint64_t loads);

bool workload_reads(const struct workload *workload);
bool workload_puts(const struct workload *workload);   /* values; not deletes */
bool workload_writes(const struct workload *workload); /* values or deletes */
/*
 * Does the database change? True for `mix` if it may, as its weights are not known at
 * first.
 */
bool workload_changes(const struct workload *workload);
/* Does it insert new records, or delete those it inserted? */
bool workload_grows(const struct workload *workload);

/* Preset i, the engine's own after the common ones; NULL after the last. */
const struct preset *workload_preset(size_t i);

#endif
