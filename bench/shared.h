/*
 * shared.h: what outlives the process that runs benchmarks: in memory shared with the
 * parent, which reports the benchmark that the process died in.
 */
#ifndef SHARED_H
#define SHARED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../util/guard.h"
#include "../util/record.h"
#include "place.h"
#include "plan.h"
#include "report.h"
#include "watch.h"

/* The process that runs benchmarks writes it; the parent reads it. */
struct shared {
	const struct workload *_Atomic load; /* being run, or NULL */
	/* The call that main() is in, or NULL: the threads are at work */
	const char *_Atomic doing;
	_Atomic uint64_t began_ns;           /* clock_raw_ns */
	struct entry now;                    /* the benchmark that runs */
	struct record_sizes sizes;           /* of its records */
	char time[32];                       /* when it began, for its row */
	_Atomic bool failed;                 /* the list must not go on */
	struct reported reported;
	unsigned threads;
	char options[PLACE_OPTIONS];
	struct thread_public thread[];
};

/* For so many threads; what cannot be had ends the program. */
struct shared *shared_make(unsigned threads);

/* What the row of a benchmark needs, whoever will write it. */
void shared_note(struct shared *shared, const struct entry *now,
		 const struct record_sizes *sizes);

/* Something that changes as long as the process gets on. */
uint64_t shared_progress(const struct shared *shared);

/*
 * Why the benchmark that was being run ended with its process: `cause` if that is known,
 * else what such an end is usually due to. Answers how many operations it had shown.
 */
uint64_t shared_why(const struct shared *shared, enum guard_end end, int how,
		    const char *cause, const char *path, char *why, size_t size);

#endif
