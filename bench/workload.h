/*
 * workload.h: what a benchmark does: operations by weight, which keys, on which database.
 *
 * The table depends on nothing: what the command line says of it is entered once, by
 * workload_configure.
 */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../engines/engine.h"
#include "../util/draw.h"

/* What a user counts as an operation. */
enum op {
	OP_GET, OP_MULTIGET, OP_PUT, OP_APPEND,
	OP_INSERT, /* put a record that was not there: the key space grows */
	OP_MODIFY, /* read, modify, write: two steps */
	OP_DELETE,
	OP_EXPIRE, /* delete the oldest record that this thread inserted */
	OP_SEEK, OP_NEXT,
	OP_ACT, /* one of a cast */
	OPS
};

/* The names that --mix takes; NULL: it does not take that. */
extern const char *const op_names[OPS];

enum { WEIGHTS_MOST = 1000 }; /* the sum of a mix's weights */

enum keys { RANDOM, SEQUENTIAL, PERMUTED, HOT, STRIDE, ABSENT, KEYS };

/* For the distribution column; RANDOM's is that of the draw. */
extern const char *const orders[KEYS];

/* What a workload's background thread does. */
enum beside { BESIDE_NONE, BESIDE_WRITER, BESIDE_SCANNER };

/*
 * What a background thread does that an option adds to a workload that writes; it is in
 * no figure of the others.
 */
enum aside { ASIDE_NONE, ASIDE_PROBE, ASIDE_READER, ASIDE_BACKUP, ASIDES };

/* What a workload does that is no list of calls. */
enum special {
	SPECIAL_NONE,
	SPECIAL_OPEN,
	SPECIAL_COMPACT,
	SPECIAL_SETTLE,
	SPECIAL_REST,
	SPECIAL_STATISTICS,
	SPECIAL_BACKUP,
	SPECIAL_AGE, /* in a plan it becomes workload_age's */
	SPECIALS
};

/*
 * What --readwritepercent is of: nothing; the gets of gets and puts; the records loaded.
 */
enum percent { PERCENT_NONE, PERCENT_OF_GETS, PERCENT_OF_LOAD };

/* Whose records they are, and who does what OP_ACT stands for; their acts: cast.h. */
enum cast {
	CAST_NONE, /* the suite's own records */
	CAST_SMALLBANK,
	/* the steps of the Insert Benchmark */
	IB_L_I0, IB_L_X, IB_L_I1, IB_L_I2, IB_CHECK,
	IB_QR100, IB_QP100, IB_QR500, IB_QP500, IB_QR1000, IB_QP1000,
	CASTS
};

/*
 * How it comes to its operations: dealt out by their weights, drawn one by one as
 * util/mixgraph.h has it, or read from a trace.
 */
enum asks { ASKS_DEALT, ASKS_GRAPH, ASKS_TRACE, ASKS };

struct workload {
	const char *name, *help;
	unsigned weight[OPS];
	enum cast cast;
	enum keys keys;
	enum draw_kind draw; /* of RANDOM keys, if --distribution does not say */
	bool fresh;    /* empties the database first */
	/*
	 * all threads together do num operations, each record once; else each does its
	 * own
	 */
	bool shared;
	/*
	 * --batch_size writes in a transaction, or keys in a multi-get; else one by one
	 */
	bool batched;
	bool bulk;     /* by the engine's own loader */
	bool reverse;  /* of an iteration */
	bool whole;    /* an iteration over all there is */
	bool endless;  /* an iteration that begins again at the end */
	bool deletes;  /* the database is incomplete from here on */
	bool completes; /* every record of the key space is there afterwards */
	bool mixed;    /* the weights are those of --mix */
	bool ages;     /* part of a pass of --age, */
	bool restores; /* after which what it has deleted is there again */
	bool queue;    /* its records are in queues, which are sought in the end */
	bool keeps_rate; /* a row whose rate was not kept is void */
	/* The background thread, which runs as long as the others do */
	enum beside beside;
	/* 1 + the promise of each commit, whatever --durability says; 0: as that says */
	unsigned durability;
	uint64_t batch;      /* instead of --batch_size; UINT64_MAX: all in one */
	uint64_t value_size; /* instead of --value_size */
	const char *scan_length; /* instead of --seek_nexts */
	enum percent percent; /* what --readwritepercent is of */
	/* operations by record of the key space, unless --reads or --writes tell; 0: 1 */
	double share;
	const char *preset;  /* whose records it works on */
	enum asks asks;
	uint64_t operations; /* if it is so many, whatever is asked for; of a trace */
	enum special special; /* what it does instead of a list of calls */
	enum aside aside;     /* of a background thread that an option adds */
};

/* The n of all workloads, in the order of the manual. */
const struct workload *workload_table(size_t *n);

/* That of a name of so many characters, or NULL. */
const struct workload *workload_find(const char *name, size_t length);

/* What the background thread of a workload does, or NULL. */
const struct workload *workload_beside(const struct workload *load);

/* What a background thread does that an option adds. */
const struct workload *workload_aside(enum aside aside);

/* What one pass of --age does, one after another. */
enum age { AGE_OVERWRITE, AGE_DELETE, AGE_REINSERT, AGES };

/*
 * Part of a pass, with keys drawn as `load` draws them where it has no order of its own.
 * It stays for as long as the program runs.
 */
const struct workload *workload_age(enum age part, const struct workload *load);

/*
 * Enter --readwritepercent, the deletions in a hundred operations of a queue, the weights
 * of --mix, and those of mixgraph; once, before any workload is run.
 */
void workload_configure(unsigned percent, unsigned deletions, const unsigned mix[OPS],
			const struct mixgraph *graph);

/*
 * Enter what a trace holds: lines by operation and in all, and those by which it can be
 * loaded.
 */
void workload_take_trace(const uint64_t op[OPS], uint64_t lines, uint64_t loads);

bool workload_reads(const struct workload *load);
bool workload_puts(const struct workload *load);   /* values; not deletes */
bool workload_writes(const struct workload *load); /* values or deletes */
/*
 * Whether the database is another afterwards; of the mix before its weights are known,
 * that it may be.
 */
bool workload_changes(const struct workload *load);
/* Whether it inserts records that were not there, or deletes those it inserted. */
bool workload_grows(const struct workload *load);

/* Options in a bundle; what the command line says besides comes after them. */
struct preset {
	const char *name, *help, *settings;
};

const struct preset *preset_table(size_t *n);

#endif
