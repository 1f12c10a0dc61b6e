/*
 * driver_util.h: functions for all callers of a driver, over those of engine.h: memory
 * for its structs, reverse seeks, and waiting for pending work.
 */
#ifndef ENGINES_DRIVER_UTIL_H
#define ENGINES_DRIVER_UTIL_H

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../util/os/clock.h"
#include "engine.h"

enum order { FORWARD, REVERSE };

/*
 * Returns zeroed memory, aligned so that it shares no cache line, nor the pair that is
 * fetched together, with other memory; or NULL.
 */
static inline void *driver_util_alloc(size_t size, char *why)
{
	enum { ALIGNMENT = 128 };
	void *memory = NULL;

	size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	if (posix_memalign(&memory, ALIGNMENT, size)) {
		set_error(why, FAILED, "out of memory");
		return NULL;
	}
	return memset(memory, 0, size);
}

/*
 * The facts about a database with these settings, those that hold for all settings of the
 * engine included.
 */
static inline struct traits driver_util_traits(const struct engine *e,
					       const struct settings *s)
{
	struct traits traits = e->check_settings ? e->check_settings(s)
						 : (struct traits){.invalid = NULL};

	traits.native_keys |= s->native_keys;
	traits.non_atomic |= e->non_atomic;
	traits.transactions |= e->transactions;
	return traits;
}

/*
 * *db is NULL unless the result is DONE. The settings belong to the caller and must stay
 * valid while it is open.
 */
static inline enum status driver_util_open(const struct engine *e,
					   const struct settings *s, struct db **db,
					   char *why)
{
	char ignored[ENGINE_ERROR_SIZE];
	enum status status = FAILED;

	*db = driver_util_alloc(e->db_size, why);
	if (!*db || (status = e->open(*db, s, why)) == DONE)
		return status;
	e->close(*db, ignored);
	free(*db);
	*db = NULL;
	return status;
}

static inline enum status driver_util_close(const struct engine *e, struct db *db,
					    char *why)
{
	enum status status = e->close(db, why);

	free(db);
	return status;
}

/* Returns NULL on failure; `s` are the settings that db was opened with. */
static inline struct session *driver_util_attach(const struct engine *e,
						 const struct settings *s, struct db *db,
						 char *why)
{
	struct session *session = driver_util_alloc(
		e->session_size + (e->session_extra_size ? e->session_extra_size(s) : 0),
		why);

	if (!session || e->attach(session, db, why) == DONE)
		return session;
	e->detach(session);
	free(session);
	return NULL;
}

/* Rolls back an open transaction first. */
static inline void driver_util_detach(const struct engine *e, struct session *session)
{
	if (e->rollback)
		e->rollback(session);
	if (e->release)
		e->release(session);
	e->detach(session);
	free(session);
}

/*
 * Begins a scan in the given order and returns its first record: at `from` or the next
 * one in that order; from.data NULL: the first of that order. An engine's own seek finds
 * the record at or above `from`.
 */
static inline enum status driver_util_seek(const struct engine *e,
					   struct session *session, struct slice from,
					   enum order order, struct slice *key,
					   struct slice *value)
{
	enum status status;

	if (order == REVERSE && !from.data)
		return e->last(session, key, value);
	status = e->seek(session, from, key, value);
	if (order == FORWARD)
		return status;
	if (status == NOT_FOUND)
		return e->last(session, key, value);
	if (status != DONE ||
	    (key->size == from.size && !memcmp(key->data, from.data, from.size)))
		return status;
	return e->prev(session, key, value);
}

/*
 * Waits until no work is pending, or until an engine with unknown pending work has been
 * idle for a second. That second is not the engine's: *busy_until is when work was last
 * seen, by clock_raw_ns().
 */
static inline enum status driver_util_wait(const struct engine *e, struct db *db,
					   uint64_t *busy_until, char *why)
{
	enum { POLLS = 40 };
	const struct timespec soon = {0, 5000000}, later = {0, 25000000};
	struct pending_work pending;
	uint64_t before = 0;

	for (int quiet = 0; quiet < POLLS; quiet++) {
		enum status status = e->pending_work(db, &pending, why);

		if (pending.work != PENDING_WORK_UNKNOWN || pending.progress != before) {
			quiet = 0;
			*busy_until = clock_raw_ns();
		}
		if (status != DONE || !pending.work)
			return status;
		before = pending.progress;
		nanosleep(pending.work == PENDING_WORK_UNKNOWN ? &later : &soon, NULL);
	}
	return DONE;
}

/* The settings that the engine reports, as "name=value name=value". */
static inline void driver_util_describe(const struct engine *e, struct db *db, char *text,
					size_t size)
{
	struct report report = {text, size, "=", " "};

	*text = '\0';
	if (e->describe)
		e->describe(db, &report);
}

/* The engine's statistics, as lines, the last one without its end. */
static inline void driver_util_statistics(const struct engine *e, struct db *db,
					  char *text, size_t size)
{
	struct report report = {text, size, " ", "\n"};

	*text = '\0';
	if (e->statistics)
		e->statistics(db, &report);
	else
		snprintf(text, size, "%s has no statistics of its own", e->title);
	for (size_t end = strlen(text); end && text[end - 1] == '\n'; end--)
		text[end - 1] = '\0';
}

/* One of the engine's statistics as it formats it; "": it does not know that. */
static inline void driver_util_property(const struct engine *e, struct db *db,
					const char *name, char *text, size_t size)
{
	*text = '\0';
	if (e->property)
		e->property(db, name, &(struct report){text, size, " ", "\n"});
}

static inline bool driver_util_can_settle(const struct engine *e)
{
	return e->settle || e->pending_work;
}

/*
 * Settles, and waits until no deferred work is left: no compaction, checkpoint or
 * write-back. *busy_until is as in driver_util_wait.
 */
static inline enum status driver_util_settle(const struct engine *e, struct db *db,
					     uint64_t *busy_until, char *why)
{
	enum status status = e->settle ? e->settle(db, why) : DONE;

	*busy_until = clock_raw_ns();
	return status == DONE && e->pending_work
		       ? driver_util_wait(e, db, busy_until, why)
		       : status;
}

#endif
