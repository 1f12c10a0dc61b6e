/*
 * slow_cause.h: what slow calls waited for, by evidence; as mathematics, without threads.
 *
 * A background event is a cause where its END lies inside a call, and only if more ends
 * of its kind do so than by chance. What merely overlaps a call says nothing: a long
 * compaction overlaps everything.
 */
#ifndef BENCH_EXTRAS_SLOW_CAUSE_H
#define BENCH_EXTRAS_SLOW_CAUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../engines/engine.h"
#include "../../util/result.h"

/* Where the time of a slow call went. The first four are no waiting for anybody. */
enum slow_cause {
	SLOW_CPU,
	SLOW_RUNNABLE,
	SLOW_STEAL,
	SLOW_OWN_SYNC,
	SLOW_STALL,
	SLOW_DEVICE_READ,
	SLOW_OTHER_WRITER,
	SLOW_FLUSH,
	SLOW_COMPACTION,
	SLOW_CHECKPOINT,
	SLOW_BLOCKED,
	SLOW_NOT_ATTRIBUTED,
	SLOW_CAUSES
};
extern const char *const slow_cause_names[SLOW_CAUSES];

/* A call that a thread keeps; times in ticks of the clock that timed it. */
struct slow_call {
	uint64_t ticks, begin, end, id;
	enum result_kind kind;
	unsigned thread;
	bool is_known;    /* the parts that follow are; else the call is not attributed */
	bool device_read; /* a device read for the thread meanwhile */
	uint64_t cpu, runnable, steal, blocked;
	uint64_t own_sync, other_sync; /* in a sync: its thread, another session */
	/* the commit, from 1, that the call waited for when it was kept; 0: none */
	uint64_t open_in;
};

/* An event on the clock of the calls. */
struct slow_event {
	enum event_kind kind;
	uint64_t begin, end;
	enum stall_reason reason; /* of a stall */
};

struct slow_causes {
	const struct slow_event *events; /* by their ends */
	size_t count;
	/* the kind's ends lie inside blocked calls, near their ends, beyond chance */
	bool beyond_chance[EVENT_KINDS];
	double p[EVENT_KINDS]; /* of that kind, before the correction; NaN: too few */
	bool one_writer;       /* of the engine: a write waits for any other one */
};

/* Sort the events, and decide which kinds are causes of these calls. */
struct slow_causes slow_cause_judge(struct slow_event *events, size_t count,
				    const struct slow_call *calls, size_t n,
				    uint64_t begin, uint64_t end);

/* What is known of a call beside its time. */
struct slow_reason {
	double part[SLOW_CAUSES]; /* of its time; the sum is 1 */
	enum event_kind ended;    /* the kind of the event that ended inside it, */
	bool has_ended;           /* if one of a kind beyond chance has */
	enum stall_reason stall;  /* of its part SLOW_STALL, by the engine's account */
	bool during[EVENT_KINDS]; /* such an event overlapped it, which is weak */
};

struct slow_reason slow_cause_find(const struct slow_causes *causes,
				   const struct slow_call *call);

#endif
