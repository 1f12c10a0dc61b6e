/*
 * interpose.h: what the preloaded instruments of all engines share.
 *
 * An instrument is a library that is preloaded into bench_NAME and stands between its
 * driver and the engine. It has a clock of its own (CLOCK_MONOTONIC_RAW, never the
 * CPU's counter that the suite reads), keeps start and length of each call exactly,
 * by thread, and writes all of it to the file $INSTRUMENT when the process ends;
 * build/instruments/read_recording prints it. Of nested calls only the outer one
 * counts. $INSTRUMENT_SLOW makes calls slow: "read=100000000,write=1000"
 * nanoseconds; asleep from a millisecond on, busy below.
 */
#ifndef TEST_INSTRUMENTS_INTERPOSE_H
#define TEST_INSTRUMENTS_INTERPOSE_H

#include <stdbool.h>
#include <stdint.h>

/* What a call is to the driver's operation: all of it, or a part. */
enum call_kind {
	CALL_READ,
	CALL_WRITE,
	CALL_REMOVE,
	CALL_SEEK,
	CALL_NEXT,   /* an operation of an iteration, but a part of a range read */
	CALL_GROUP,  /* a multi-get */
	CALL_COMMIT, /* belongs to the write before it */
	CALL_REST,   /* belongs to the operation before it */
	CALL_PART,   /* belongs to the operation after it */
	CALL_BEGIN,  /* of a transaction of writes; so does it */
	CALL_UNDO,   /* what was done since that was not */
	CALL_LOST,   /* to another session: no operation was done */
	CALL_WAIT,   /* of the main thread, between its looks at the others */
	CALL_KINDS,
};

struct interposed_call {
	uint64_t start;
	enum call_kind kind;
	bool outer;
};

/* A call may turn out to be of another kind than it began as. */
struct interposed_call interpose_begin(enum call_kind kind);
void interpose_end(const struct interposed_call *call);

/* The function of that name behind ours; a process that has none ends. */
void interpose_next(const char *name, void *function);

/* True where the driver's calls are those of the system: aio.c says so. */
extern const bool interpose_system;

#define EXPORTED __attribute__((visibility("default")))

/* Looked up once; threads that race store the same. */
#define NEXT(function) \
	static __typeof__(&function) next; \
	if (!next) \
	interpose_next(#function, &next)

/* Our own function of that name: the call behind it, timed. */
#define WRAP(kind, type, name, parameters, ...) \
	EXPORTED type name parameters \
	{ \
		NEXT(name); \
		struct interposed_call interposed_call = interpose_begin(kind); \
		type answer = next(__VA_ARGS__); \
		interpose_end(&interposed_call); \
		return answer; \
	}

#define WRAP_VOID(kind, name, parameters, ...) \
	EXPORTED void name parameters \
	{ \
		NEXT(name); \
		struct interposed_call interposed_call = interpose_begin(kind); \
		next(__VA_ARGS__); \
		interpose_end(&interposed_call); \
	}

/* Our own function in a handle's table; one that comes from a cache is as we left it. */
#define PUT_BEFORE(slot, kept, ours) \
	do \
		if ((slot) != (ours)) { \
			(kept) = (slot); \
			(slot) = (ours); \
		} \
	while (0)

#endif
