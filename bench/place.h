/*
 * place.h: where the database lives: what is refused there, its directory or device, and
 * opening, settling and closing it.
 *
 * What cannot be run is said before anything is touched, and ends the program with
 * status 2. What fails afterwards is a value: a struct failure, which bench.c turns into
 * the end of the run.
 */
#ifndef PLACE_H
#define PLACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "../engines/engine.h"
#include "../util/device.h"
#include "../util/host.h"
#include "../util/raw.h"
#include "../util/record.h"
#include "../util/result.h"
#include "../util/store.h"
#include "plan.h"
#include "workload.h"

enum { FAILURE_SIZE = STORE_ERROR + 1024, PLACE_OPTIONS = 2048 };

/* The first thing that went wrong; what fails after it comes of that. */
struct failure {
	bool failed;
	char text[FAILURE_SIZE];
};

/* Say it and keep it, unless something failed before. */
void failure_note(struct failure *f, const char *doing, const char *why);

struct place {
	struct settings settings;
	struct oracle oracle;
	struct store store;
	struct raw raw;            /* of --device */
	struct store_cold cold;    /* how the last --cold went */
	struct mount mount;        /* under the database */
	struct device_queue queue;

	struct db *db;             /* open, or NULL */
	enum durability opened_as;
	double open_seconds;
	char options[PLACE_OPTIONS]; /* in effect, when it was opened */
	bool complete; /* every record of the key space is known to be there */
	struct record_sizes sizes; /* of the values in it */
	/* the first record that does not exist yet; below num there is no other */
	uint64_t next_new;

	char why[WHY_SIZE];        /* the engine's words */
	bool suffering; /* the engine failed a call: that it cannot close is no news */
	struct failure failure;
	/* Told of what could take long; NULL there: nothing */
	const char *_Atomic *doing;
};

/* How many records --device_share comes to, where it is given. */
void place_share(void);

/*
 * Can the engine have the records and promises of all benchmarks of the list? Nothing is
 * touched.
 */
void place_plan(struct place *p, const struct entry *list);

/*
 * The directory or device: there is room, it is ours, and it holds what the command line
 * says.
 */
void place_prepare(struct place *p, const struct entry *list);
void place_end(struct place *p);

/* What the records are kept on; NULL: nothing of this process's. */
const char *place_storage(const struct place *p);

/*
 * Bytes its files take, and how long they are unless that is NULL; NAN: nothing of this
 * process's.
 */
double place_disk(const struct place *p, double *apparent);

/* What its servers took until now; of none, if the engine has none or they do not answer.
 */
struct remote place_remote(struct place *p);

/*
 * Bytes that the drive under the database has written to its flash so far; NaN where it
 * does not tell.
 */
double place_nand(const struct place *p);

/* How keys are written. */
enum record_keys place_key_form(const struct settings *s);

/* The promise of each commit, and the sizes of the values, of a workload. */
enum durability place_durability(const struct workload *load);
struct record_sizes place_sizes(const struct workload *load);

/*
 * Open the database as the workload needs it, empty for a fill, cold for --cold. Look at
 * p->failure.
 */
void place_open(struct place *p, const struct workload *load);

/* Wait until no work is pending in the engine. */
void place_settle(struct place *p, struct result_aside *cost);

/* What closing cost goes to *cost, if that is not NULL. */
void place_close(struct place *p, struct result_aside *cost);

/* Keep in the marker what is true of the database after this workload. */
void place_note(struct place *p, const struct workload *load, bool complete);

/*
 * Before and after a workload that may be part of a pass of --age: what it has deleted is
 * not there; and is again when the pass has ended.
 */
void place_begin_part(struct place *p, const struct workload *load);
void place_end_part(struct place *p, const struct entry *e, bool valid);

/* What another process has done to the database. */
void place_learn(struct place *p, const struct workload *load);

/* What takes long from here on; NULL: nothing. */
void place_doing(struct place *p, const char *what);

/*
 * The engine's words `why`, and what the process's own limits have to do with them; until
 * the next call.
 */
const char *place_words(const struct place *p, enum status status, const char *why);

#endif
