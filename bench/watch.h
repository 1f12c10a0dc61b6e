/*
 * watch.h: what happens while the threads run: interval reports, the timeline, progress,
 * and the end of their time.
 *
 * The thread that called watch_run sees of the others what they show: thread_public,
 * each, and samples of their histograms when it asks for them. It touches nothing that is
 * timed but the end of a turn.
 */
#ifndef WATCH_H
#define WATCH_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "../util/cgroup.h"
#include "../util/clock.h"
#include "../util/hist.h"
#include "../util/result.h"
#include "../util/steady.h"
#include "../util/usage.h"

/*
 * What others look at of a thread while it runs: who watches, other threads and, were it
 * to die, the parent. What is shown is committed, so that it never becomes less; `begun`
 * may, and tells only that the thread gets on.
 */
struct thread_public {
	_Alignas(128) _Atomic uint64_t shown[KINDS];
	_Atomic uint64_t shown_ops, begun;
	atomic_bool counts; /* these are of the figures, not of the warm-up */
};

/*
 * What a thread has copied at the end of a turn; who finds it taken tries at its next
 * turn.
 */
struct sample {
	pthread_mutex_t lock;
	unsigned tick; /* which request this answers */
	uint64_t kind[KINDS], ops;
	struct hist hist[KINDS];
};

/* What is known of a thread: as it was at the last row of the timeline. */
struct sampled {
	uint64_t kind[KINDS], ops;
	double cpu_s;
	struct hist hist[KINDS];
};

/* One thread. It sets `finished` as the last thing it does to this. */
struct watched {
	_Alignas(128) atomic_bool finished;
	_Atomic uint64_t began; /* ticks; 0: not yet */
	/* of the thread; moved back to have what was done shown at once */
	_Atomic(void *) turn_end;
	const char *role;         /* its name in a timeline; NULL: its number */
	bool silent;              /* it shows nothing until it has finished */
	struct thread_public *public;
	struct sample *sample;    /* NULL without a timeline */
	struct sampled *last;
	pthread_t thread;
	double cpu_s;             /* its CPU time, of its work, */
	atomic_bool counted;      /* once that has ended */
	uint64_t reported_ops;
};

struct place;
struct sampler;

/* What the threads of one benchmark have in common with who watches them. */
struct watch {
	const char *benchmark, *time; /* when it began */
	/* threads in all; the first ones are those asked for */
	unsigned repeat, count, foreground;
	struct watched **threads;
	const struct clock *clock;
	const struct cgroup *group;
	bool timed;        /* ends by the clock */
	uint64_t planned;  /* operations; UINT64_MAX: until the clock ends */
	int wake;          /* a pipe that signals and finishing threads write to */
	const volatile sig_atomic_t *interrupted;
	void (*begin)(void *owner); /* the warm-up is over: the figures begin */
	const struct place *place;
	void *owner;
	struct steady steady;
	struct sampler *sampler;    /* of --timeline, or NULL */
	/* An option whose file could not be written, or NULL, */
	const char *trouble_with;
	char trouble[TABLE_ERROR];  /* and why */
	_Alignas(128) atomic_bool stop, warming;
	atomic_uint tick; /* samples asked for */
};

/* Make ready for a timeline; the threads are there and have not begun. */
void watch_start_timeline(struct watch *w,
			  struct sample *(*sample_of)(void *owner, unsigned thread));

/* The figures begin: forget what was before them. */
void watch_begin(struct watch *w, const struct usage *before);

/*
 * Wait until --start_at, once, and for the others of --meet, each time, and tell `doing`
 * so. What is done changes each second, so that the run does not count as hung.
 */
void watch_wait_for_start(struct watch *w, const char *_Atomic *doing);

/* Wait for the threads; report, show progress, and tell them when to stop. */
void watch_run(struct watch *w);

/*
 * The last interval ends where the threads did, so many seconds after the figures began,
 * and with what was spent by `after`.
 */
void watch_end(struct watch *w, double seconds, const struct usage *after);

/* There will be no timeline: the threads do not run. */
void watch_call_off(struct watch *w);

/* db_bench's interval line of one thread: (in this interval, in all). */
void watch_print_interval(unsigned thread, uint64_t ops, uint64_t all, double seconds,
			  double all_seconds);

/*
 * Whether the files of --report_file and --timeline can be appended to; if not, which
 * option, and `error` says why.
 */
const char *watch_check_files(char *error);

/* True once all of the first `count` threads have finished. */
bool watch_finished(const struct watch *w, unsigned count);

#endif
