/*
 * backup.h: a copy of the database, made while others go on, or by itself; what that
 * takes, and whether it is a copy.
 *
 * By the engine's own hot backup where it has one; else its files are copied behind a
 * closed door: nobody is at work, and nothing is owed. The copy is a database of its own,
 * in backup/ beside data/, and stays there until the next one. It is opened and read from
 * end to end when the figures are complete.
 */
#ifndef BACKUP_H
#define BACKUP_H

#include <stdbool.h>
#include <stdint.h>

#include "../engines/engine.h"
#include "../util/record.h"
#include "../util/store.h"

struct phase;
struct place;
struct worker;

struct backup {
	bool made;
	const char *by;           /* how */
	uint64_t began, ended;    /* ticks */
	double bytes;             /* in the copy's files */
	double ops;               /* of the threads asked for, meanwhile */

	/* when it was opened */
	double records, wrong;
	record_lanes digest;
	double of_moment;         /* 1: it is the database of one moment of it; NaN: not looked at */

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

/* Learn what is there before the figures begin, if the copy will be checked. */
void backup_begin(struct worker *w);

/* Wait for the time of --backup, and make one; unless the others have ended. */
void backup_work(struct worker *w);

/* Open what was made beside others. What is wrong with it is a failure of its thread. */
void backup_check(struct phase *p);

/* One that nobody is at work beside: make ready, */
bool backup_prepare(struct phase *p);

/* make it, */
enum status backup_alone(struct place *p, struct backup *b, char *why);

/* open it, and compare it with the database. */
void backup_compare(struct phase *p);

#endif
