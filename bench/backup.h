/*
 * backup.h: what became of a copy of the database, which copier.c makes.
 */
#ifndef BACKUP_H
#define BACKUP_H

#include <stdbool.h>
#include <stdint.h>

#include "../engines/engine.h"
#include "../util/record.h"
#include "../util/store.h"

struct backup {
	bool made;
	const char *by;           /* how */
	uint64_t began, ended;    /* ticks */
	double bytes;             /* in the copy's files */
	double ops;               /* of the threads asked for, meanwhile */

	/* when it was opened */
	double records, wrong;
	record_lanes digest;
	double of_moment; /* 1: it is the database of one moment of it; NaN: not looked at
			   */

	/*
	 * Of each thread, the operations that were acknowledged before it began, and that
	 * may have begun before it ended.
	 */
	uint64_t *before, *after;
	uint64_t *base;           /* generation of each record before the figures */
	struct store copy;
};

/* How it is done where the engine has no hot backup of its own. */
#define BACKUP_BY_FILES "copy of files, while all wait"
#define BACKUP_BY_NOTHING "nothing, as nothing is stored"

#endif
