/*
 * worker.h: a thread at work, and what the threads of one benchmark share.
 *
 * bench.c runs them; outcome.c sums up what they did when they have ended.
 */
#ifndef WORKER_H
#define WORKER_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "../engines/engine.h"
#include "../util/backoff.h"
#include "../util/census.h"
#include "../util/cgroup.h"
#include "../util/clock.h"
#include "../util/hist.h"
#include "../util/host.h"
#include "../util/pace.h"
#include "../util/record.h"
#include "../util/usage.h"
#include "act.h"
#include "ask.h"
#include "backup.h"
#include "config.h"
#include "plan.h"
#include "report.h"
#include "stay.h"
#include "seen.h"
#include "txn.h"
#include "watch.h"

/* Whose latency a step counts for. */
extern const enum result_kind kind_of[STEPS];

/* What the threads of all benchmarks of a program use, one benchmark after another. */
struct crew {
	const struct engine *engine; /* of the program */
	const struct origin *origin;
	struct cgroup *group;  /* of --memory */
	struct thread_public *public; /* of each thread */
	/* Of each, in memory of the parent; NULL: they are allocated */
	struct counters *counters;
	struct growth *growth; /* of each */
	int wake; /* a pipe that signals and finishing threads write to */
	const volatile sig_atomic_t *interrupted;
};

/*
 * Threads stop between two operations while it is closed, and none is in a transaction or
 * holds what it has read.
 */
struct door {
	atomic_bool closed;
	pthread_mutex_t lock;
	pthread_cond_t opened;
	unsigned waiting; /* threads at it */
};

/*
 * What the threads of one benchmark share. Only main() writes it; threads look at the
 * watch's stop, warming and tick, and may set stop.
 */
struct phase {
	const struct crew *crew;
	const struct origin *origin;
	const struct workload *load;
	const struct entry *entry;
	/* The program's, or the floor: all that works on a benchmark has it from here */
	const struct engine *engine;
	bool floor; /* the null engine, to see what the loop costs: nothing is due */
	struct db *db;
	const struct settings *settings;
	char seed_name[64];
	uint64_t batch;       /* writes in a transaction, keys in a multi-get */
	bool bulk;            /* one load by the engine's loader */
	bool grouped;         /* turns are multi-gets */
	struct ask_shared ask;
	struct stage stage;   /* of a workload with acts, */
	struct actor **actors; /* and those of each thread */
	const char *broken;   /* what its check has found, or NULL */
	bool timed;           /* ends by the clock, not by count */
	uint64_t txn_reads;   /* reads in one snapshot, or 0: each has its own */
	pthread_mutex_t starting; /* held until all threads are there, */
	bool called_off;          /* or will never be */
	/* all are attached; the figures begin; they have ended */
	pthread_barrier_t ready, go, leave;
	struct feed *feed; /* of a trace that is replayed */
	struct worker *workers;
	struct thread_public *public; /* of each */
	struct counters *counters; /* of each, or NULL */
	/* workers in all; the first ones are those asked for */
	unsigned count, foreground;
	const struct workload *aside[ASIDES]; /* roles of the last ones, by options */
	struct stay stay;           /* what became of the long reader's snapshots */
	struct backup backup;
	struct door door;
	double disk_before;         /* bytes, when the figures began */
	double nand; /* bytes that the drive wrote to its flash meanwhile */
	struct clock_pair began, ended; /* of the figures */
	struct usage before, after, spent;
	/* when the threads had ended and the database was still open */
	struct footprint footprint;
	struct cgroup_usage group;  /* the same */
	double disk;                /* bytes; the same */
	double in_memory;           /* bytes of its files; the same */
	struct remote remote_before, remote;
	struct host_state host_before, host_after;
	double main_cpu;
	const char *time;        /* when the benchmark began */
	struct watched **threads;
	struct watch watch;
};

/*
 * What a thread keeps its counts in. A megabyte for each of 64 would not be the engine's:
 * under a limit it stands in memory that the parent has touched, which is charged to the
 * parent.
 */
struct counters {
	struct hist hist[KINDS], responses[KINDS], late;
	struct txn_times open;
	struct sample sample;
	struct sampled last;
	uint64_t census[CENSUS_SLOTS];
};

/*
 * A thread and all it touches between the barrier and the join. Main writes the first
 * part before and reads the others after; the thread alone writes the rest, but for
 * `watched`, through which others see it meanwhile.
 */
struct worker {
	/* what it is given */
	_Alignas(128) struct phase *phase;
	const struct engine *engine;
	const struct clock *clock;
	struct counters *counters;
	bool latency, verify;
	bool grouped;          /* the slots of one turn are one multi-get */
	bool paced;            /* in an open loop */
	enum touch touch;
	uint64_t txn_reads;         /* reads in one snapshot of the database, or 0 */
	uint64_t planned;      /* operations after the warm-up */
	uint64_t lasts;        /* ticks, if it ends by the clock, */
	uint64_t until;        /* and when; UINT64_MAX: it does not, or is warming up */
	uint64_t report_every; /* operations; 0: it does not */
	enum status (*append)(struct session *, struct slice, struct slice);
	/* next or prev */
	enum status (*onward)(struct session *, struct slice *, struct slice *);

	/* what it asks, and when: turn by turn */
	struct ask ask;
	struct actor *actor;     /* of a workload with acts, or NULL; */
	char *draws;             /* what is drawn for each slot */
	struct txn txn;
	struct pace pace;
	struct {
		struct ask_place place;
		struct pace pace;
		struct seen seen;
	} mark;                  /* where the open transaction began */
	unsigned limit;          /* slots used at a time */
	unsigned prepared, from; /* slots of this turn; those before are done */
	/* of an open loop: slots that were begun; operations left so at the end */
	unsigned begun;
	uint64_t left;
	/* of each slot: intended start, and response time in ticks */
	uint64_t *due, *response;
	/* of a multi-get: all slots' keys, and what came */
	struct slice *group, *answers;
	char *scratch;           /* room to check a value in */
	struct recorder *recorder; /* or NULL */

	/* where it is */
	struct session *session;
	uint64_t todo, done;   /* operations */
	bool warming;
	bool scanning;         /* an iteration has begun */
	bool ended;            /* the data, or the engine's patience */
	uint64_t snapshot_reads; /* reads that this snapshot has served, */
	bool held;             /* if there is one now */
	uint64_t last_id;      /* of an iteration */
	uint64_t aside;        /* ticks that checking took within a call */
	uint64_t retried_at;   /* ticks when what gave way was begun again */
	struct backoff backoff; /* between giving way and trying again */
	bool undone_now;       /* in this stretch */
	uint64_t next_report;  /* operation to report after */
	uint64_t reported;     /* operations when it last did, */
	double reported_seconds; /* and when that was */
	unsigned sampled;      /* the last request that it has answered */
	bool leaving;          /* this is the last one */

	/* what happened */
	struct hist *hist;      /* service times of each kind, in clock ticks */
	struct hist *responses; /* response times of each kind, in clock ticks */
	struct hist *late;      /* start errors: from intended start to begin, in ticks */
	struct seen seen;
	uint64_t kind[KINDS], wrong, disordered, entries, deletes;
	uint64_t conflicts; /* times the engine rolled it back for another session */
	uint64_t retries;   /* operations that conflicts undid */
	uint64_t undone;    /* ticks spent in operations that conflicts undid */
	uint64_t undone_until; /* end of the last undone stretch, ticks */
	uint64_t began, first_end, ended_at, gap; /* ticks */
	double cpu_before, cpu;
	enum status status;
	char why[WHY_SIZE];

	struct watched watched;
};

/*
 * Counts for so many threads, in memory that a child shares and its parent has touched.
 */
struct counters *worker_share_counters(unsigned threads);

/* Make ready worker `number` of a phase, with a stream of random numbers of its own. */
void worker_make(struct worker *w, struct phase *p, unsigned number,
		 const struct random *stream);
void worker_free(struct worker *w);

/*
 * Show what was recorded so far, as the answer to this request of who watches; if that
 * looks just now, at the next time.
 */
void worker_show(struct worker *w, unsigned tick);

/* The warm-up is over: forget what was counted, and begin what was planned. */
void worker_start_over(struct worker *w);

/* Its work begins, or after the warm-up its figures; and so is known when they end. */
void worker_begin_at(struct worker *w, uint64_t ticks);

/* Wait until the door is open. */
void worker_wait(struct worker *w);

/*
 * Close it, and answer when all others wait at it, or have ended; then open it. `w` is
 * the one who does not wait.
 */
void worker_close_door(struct worker *w);
void worker_open_door(struct worker *w);

/*
 * Check a record: its bytes and, where one follows another, its place. `id` is the record
 * asked for, or UINT64_MAX where the key must tell. The time this takes is kept aside of
 * the call's.
 */
void worker_check(struct worker *w, uint64_t id, struct slice key, struct slice value);

/* Make ready for a benchmark, on the database that is open. */
void phase_make(struct phase *p, const struct crew *crew, const struct entry *e);
void phase_free_workers(struct phase *p);

/*
 * What is spent from the first to the second is what the row says was spent. The first
 * takes a phase; a watch calls it when the warm-up is over.
 */
void phase_begin_figures(void *phase);
void phase_end_figures(struct phase *p);

/* How this benchmark is watched while it runs; its workers are made. */
void phase_start_watch(struct phase *p);

/* When the last thread ended, in seconds from the beginning of the figures. */
double phase_last_end(const struct phase *p);

/* An actor for a worker that is otherwise made. */
void worker_make_actor(struct worker *w, const struct random *stream);

/* Draw acts for the first n slots; answers n. */
unsigned worker_draw_acts(struct worker *w, unsigned n);

/* Do the act of a slot. */
enum status worker_act(struct worker *w, const struct slot *slot);

/*
 * One of a trace's conditional operations (replay.h), all of it in its time: a get and,
 * by what that said, a put.
 */
enum status worker_conditional(struct worker *w, const struct slot *slot);

/* Note the first n slots from w->from on, which were done in this turn, for --record. */
void worker_record(struct worker *w, unsigned n);

/* All have ended: write the trace of --record, if there is one. */
void phase_write_trace(const struct phase *p);

/* What all actors share, if the workload has acts or records of a cast. */
void phase_set_stage(struct phase *p);

/* Acts, before the threads begin and after they have ended; what is wrong is noted. */
void phase_prepare_acts(struct phase *p);
void phase_check_acts(struct phase *p);
/* Seek where a queue began, and see its head: the step STEP_HEAD. */
enum status worker_seek_head(struct worker *w, const struct slot *slot);

/*
 * Operations that all threads asked for do together, by plan; UINT64_MAX: until the clock
 * ends.
 */
uint64_t phase_planned(const struct phase *p);

/* What is known of a benchmark before it has run. */
struct outcome outcome_expected(const struct phase *p, bool interrupted);

/*
 * What became of it; `times` and `responses` are one histogram for each kind, all zero. /
 */
struct outcome outcome_of(const struct phase *p, bool interrupted, struct hist *times,
			  struct hist *responses);

#endif
