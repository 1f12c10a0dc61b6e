/*
 * aside.h: background threads whose work is no list of calls: a reader that holds
 * snapshots, and one that makes a backup.
 */
#ifndef ASIDE_H
#define ASIDE_H

#include <stdbool.h>

#include "worker.h"

/*
 * Begin the work of such a thread before the figures begin, and do it while they are
 * taken; false if this worker is another one.
 */
bool aside_begin(struct worker *w);
bool aside_work(struct worker *w);

/*
 * reader.c: one snapshot of the database held for a while, beside what writes, and what
 * grows meanwhile. It reads through its snapshot now and then, and what it reads must be
 * what it read at first: a snapshot that moves is none.
 */

/* Take the first snapshot, before the figures begin. */
void stay_begin(struct worker *w);

/* Hold snapshots, one after another, until the others have ended. */
void stay_work(struct worker *w);

/*
 * copier.c: a copy of the database, made while others go on, or by itself; what that
 * takes, and whether it is a copy.
 *
 * By the engine's own hot backup where it has one; else its files are copied behind a
 * closed door: nobody is at work, and no work is pending. The copy is a database of its
 * own, in backup/ beside data/, and stays there until the next one. It is opened and read
 * from end to end when the figures are complete.
 */

/* Learn what is there before the figures begin, if the copy will be checked. */
void backup_begin(struct worker *w);

/* Wait for the time of --backup, and make one; unless the others have ended. */
void backup_work(struct worker *w);

/* Open what was made beside others. What is wrong with it is a failure of its thread. */
void backup_check(struct phase *p);

/* One that nobody is at work beside: make ready, */
bool backup_prepare(struct phase *p);

/* make it, */
enum status backup_alone(struct phase *p, char *why);

/* open it, and compare it with the database. */
void backup_compare(struct phase *p);


#endif
