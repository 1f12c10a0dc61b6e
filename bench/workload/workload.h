/*
 * workload.h: what a benchmark does: operations by weight, which keys, on which
 * database.
 *
 * The table depends on nothing. Values from the command line are entered once, by
 * workload_configure. Extras (extra.h) have workloads of their own.
 */
#ifndef BENCH_WORKLOAD_WORKLOAD_H
#define BENCH_WORKLOAD_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../engines/engine.h"
#include "../../util/distribution.h"
#include "../../util/record.h"

/* What a user counts as an operation. */
enum op {
	OP_GET,
	OP_MULTIGET,
	OP_PUT,
	OP_APPEND,
	OP_INSERT, /* put a new record: the key range grows */
	OP_MODIFY, /* read, modify, write: two calls */
	OP_DELETE,
	OP_EXPIRE, /* delete the oldest record that this thread inserted */
	OP_SEEK,
	OP_NEXT,
	OP_PROCEDURE, /* of the workload's procedure */
	OPS
};

/* The names that --mix takes; NULL: not accepted. */
extern const char *const workload_op_names[OPS];

enum { WEIGHTS_MAX = 1000 }; /* the sum of a mix's weights */

enum key_order {
	ORDER_RANDOM, /* by a distribution */
	ORDER_SEQUENTIAL,
	ORDER_PERMUTED, /* each record once, in an order that looks random */
	ORDER_HOT,      /* uniform over the first 1 % of record numbers */
	ORDER_STRIDE,   /* ascending by random steps of 1 to 100 records */
	ORDER_ABSENT,   /* uniform, keys that do not exist */
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
 * What --readwritepercent means: nothing; the percentage of gets among gets and puts;
 * the percentage of the loaded records.
 */
enum percent_of { PERCENT_NONE, PERCENT_OF_GETS, PERCENT_OF_RECORDS };

struct generator;
struct procedure;
struct run;
struct slot;
struct worker;

/*
 * A background thread that an extra adds to workloads that write; it does not count in
 * their results.
 */
struct added_thread {
	uint64_t rate; /* its operations per second, on schedule; 0: a closed loop */
	void (*begin)(struct worker *); /* before measuring begins */
	void (*work)(struct worker *);  /* meanwhile, if that is no list of calls */
	bool has_no_samples;            /* publishes nothing until it has finished */
	const char *if_idle;            /* printed in place of its line if idle */
};

struct workload {
	const char *name, *help;
	unsigned weights[OPS];
	const struct procedure *procedure; /* of OP_PROCEDURE, and of its own records */
	enum key_order key_order;
	/* of ORDER_RANDOM keys, unless --distribution is given */
	enum distribution_kind distribution;
	bool starts_empty; /* empties the database first */
	/* the threads divide the operations, each record once; else each does all */
	bool divided;
	/* --batch_size writes in a transaction, or keys in a multi-get; else single */
	bool batched;
	bool merges;      /* writes by the engine's merge operator */
	bool bulk_load;   /* by the engine's own loader */
	bool reverse;     /* direction of an iteration */
	bool whole_range; /* an iteration over the whole database */
	bool restarts;    /* an iteration that starts again at the end */
	bool deletes;     /* the database is incomplete afterwards */
	bool is_restored; /* a later workload inserts again what this one deletes */
	bool completes;   /* the database is complete afterwards */
	bool custom_mix;  /* the weights are those of --mix */
	bool changes;     /* the database, though it makes no call that writes */
	bool untimed;     /* --duration does not end it */
	/* with --duration it ends by that or by its operations, whichever comes first */
	bool ends_at_either;
	/* inserts change what is drawn as in YCSB: see generator.c */
	bool grows_as_ycsb;
	bool own_keys;         /* its records' keys are not those of --num records */
	bool unknown_keys;     /* nobody knows which keys exist */
	bool takes_no_threads; /* extras add no threads to it */
	bool lone_iterators;   /* each seek has one of its own, in db_bench's place */
	bool of_db_bench;      /* exists in db_bench's place only */
	bool requires_rate;    /* the row is invalid if the rate was not met */
	bool sine;             /* its rate follows the sine of --sine_a to --sine_d */
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
	unsigned key_divisor; /* its keys are those of num / this; 0: of num */
	const char *preset;   /* the preset whose records it uses */
	/* fixed number of operations, whatever the options say; 0: by options */
	uint64_t operations;
	/* where operations come from; NULL: they are chosen by their weights */
	unsigned (*next)(struct generator *, unsigned n);
	/* what CALL_OWN_... do; NULL: the procedure */
	enum status (*call)(struct worker *, const struct slot *);
	/* how many records each seek reads, instead of scan_length; NULL: by that */
	struct record_sizes (*scan_lengths)(void);
	/* sizes of the values that it writes; NULL: value_size, or --value_size */
	struct record_sizes (*value_sizes)(void);
	/* what main() does instead of a list of calls, once or often; NULL: it is one */
	void (*maintenance)(struct run *);
	bool has_no_row; /* maintenance that measures nothing */
	/* of a thread that an extra adds; NULL for all others */
	const struct added_thread *added;
};

/* Workload i, those of extras after the common ones; NULL after the last. */
const struct workload *workload_at(size_t i);

/*
 * Add a workload that the command line describes: it is copied, and its texts last as
 * long as the program. Returns false if there are too many.
 */
bool workload_add(const struct workload *workload);

/* The workload whose name has these characters, or NULL. */
const struct workload *workload_find(const char *name, size_t length);

/* The role of the workload's own background thread, or NULL. */
const struct workload *workload_own_background(const struct workload *workload);

/*
 * Add the workloads that only db_bench's place has, those of merges if the engine merges;
 * before any workload is looked for.
 */
void workload_add_db_bench(void);

/*
 * Enter --readwritepercent and the weights of --mix; once, before any workload is run.
 */
void workload_configure(unsigned percent, const unsigned mix[OPS]);

/*
 * Give the workloads that db_bench has the meaning that they have there: each thread does
 * the whole number of operations, writes are batched, and so on. `leveldb`: LevelDB's
 * db_bench. `reverse`: seeks go on backwards. `whole`: a fill writes all `num` records,
 * but for fillbatch, which writes whole batches of its own. Once, before any workload is
 * run.
 */
void workload_imitate_db_bench(bool leveldb, bool reverse, bool whole, uint64_t num);

/*
 * Weights in percent, or in thousandths if percent is too coarse. Every operation with
 * a fraction above 0 has a weight of at least 1; the most frequent one takes the
 * rounding error. The weights are for the row and for queries.
 */
void workload_set_weights(const double fractions[OPS], unsigned weight[OPS]);

/* Are all its operations of this kind? */
bool workload_only(const struct workload *workload, enum op op);
bool workload_reads(const struct workload *workload);
bool workload_puts(const struct workload *workload);   /* values; not deletes */
bool workload_writes(const struct workload *workload); /* values or deletes */
/*
 * Does the database change? True for `mix` if it may, as its weights are not known at
 * first.
 */
bool workload_changes(const struct workload *workload);
/* Is it one function of main()'s thread, rather than calls of threads? */
bool workload_is_maintenance(const struct workload *workload);
/* Does it insert new records, or delete those it inserted? */
bool workload_grows(const struct workload *workload);

/* Preset i: the common ones, those of extras, the engine's own; NULL after the last. */
const struct preset *workload_preset(size_t i);

#endif
