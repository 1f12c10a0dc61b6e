/*
 * drive.h: what everybody who calls a driver does alike, over the functions of engine.h:
 * memory for the structs, the place where a reverse scan begins, and the wait until no
 * work is pending.
 */
#ifndef DRIVE_H
#define DRIVE_H

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine.h"

enum order { FORWARD, REVERSE };

/*
 * Zeroed, sharing no cache line, nor the pair that is fetched with one, with any other;
 * or NULL.
 */
static inline void *drive_room(size_t size, char *why)
{
	enum { APART = 128 };
	void *room = NULL;

	size = (size + APART - 1) / APART * APART;
	if (posix_memalign(&room, APART, size)) {
		because(why, FAILED, "out of memory");
		return NULL;
	}
	return memset(room, 0, size);
}

/*
 * *db is NULL unless it is DONE. The settings stay the caller's, and must stay as long as
 * it is open.
 */
static inline enum status drive_open(const struct engine *e, const struct settings *s,
				     struct db **db, char *why)
{
	char ignored[WHY_SIZE];
	enum status status = FAILED;

	*db = drive_room(e->db_size, why);
	if (!*db || (status = e->open(*db, s, why)) == DONE)
		return status;
	e->close(*db, ignored);
	free(*db);
	*db = NULL;
	return status;
}

static inline enum status drive_close(const struct engine *e, struct db *db, char *why)
{
	enum status status = e->close(db, why);

	free(db);
	return status;
}

/* NULL on failure; `s` are the settings that db was opened with. */
static inline struct session *drive_attach(const struct engine *e,
					   const struct settings *s, struct db *db,
					   char *why)
{
	struct session *session = drive_room(
		e->session_size + (e->session_room ? e->session_room(s) : 0), why);

	if (!session || e->attach(session, db, why) == DONE)
		return session;
	e->detach(session);
	free(session);
	return NULL;
}

/* Abandons what is open. */
static inline void drive_detach(const struct engine *e, struct session *session)
{
	if (e->rollback)
		e->rollback(session);
	if (e->release)
		e->release(session);
	e->detach(session);
	free(session);
}

/*
 * Begin a scan and answer its first record: at `from` or the nearest beyond it in the
 * given order, or at that order's first record where from.data is NULL. An engine's seek
 * finds the record at or above.
 */
static inline enum status drive_seek(const struct engine *e, struct session *session,
				     struct slice from, enum order order,
				     struct slice *key, struct slice *value)
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
 * Wait until no work is pending, or until an engine that cannot tell how much has been at
 * rest for a second.
 */
static inline enum status drive_wait(const struct engine *e, struct db *db, char *why)
{
	enum { LOOKS = 40 };
	const struct timespec soon = {0, 5000000}, later = {0, 25000000};
	struct owed owed;
	uint64_t before = 0;

	for (int quiet = 0; quiet < LOOKS; quiet++) {
		enum status status = e->owed(db, &owed, why);

		if (status != DONE || !owed.work)
			return status;
		if (owed.work != OWED_UNKNOWN || owed.progress != before)
			quiet = 0;
		before = owed.progress;
		nanosleep(owed.work == OWED_UNKNOWN ? &later : &soon, NULL);
	}
	return DONE;
}

static inline bool drive_settles(const struct engine *e)
{
	return e->settle || e->owed;
}

/* Until nothing is left to be done later: no compaction, no checkpoint, no write-back. */
static inline enum status drive_settle(const struct engine *e, struct db *db, char *why)
{
	enum status status = e->settle ? e->settle(db, why) : DONE;

	return status == DONE && e->owed ? drive_wait(e, db, why) : status;
}

#endif
