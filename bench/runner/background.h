/*
 * background.h: background threads whose work is no list of calls: one holds snapshots,
 * one makes a backup.
 */
#ifndef BENCH_RUNNER_BACKGROUND_H
#define BENCH_RUNNER_BACKGROUND_H

#include <stdbool.h>

#include "worker.h"

/*
 * Begin such a thread's work before measuring begins, and do it while the others are
 * measured. Both return false if the worker is of another kind.
 */
bool background_begin(struct worker *w);
bool background_work(struct worker *w);

/*
 * Operations that the foreground threads have done since measuring began. NaN until
 * each of them has reset its counts after the warm-up: before that a difference could
 * be negative.
 */
double background_measured_ops(const struct run *run);

/*
 * long_reader.c: holds one snapshot after another while others write, and measures how
 * much the database grows meanwhile. It reads through its snapshot now and then; a read
 * that returns something else than the first time is an error.
 */

/* Take the first snapshot, before measuring begins. */
void long_reader_begin(struct worker *w);

/* Hold snapshots, one after another, until the others have ended. */
void long_reader_work(struct worker *w);

/*
 * backup.c: makes a copy of the database, while others work or alone, and checks it.
 *
 * The engine's own hot backup is used if it has one. Else the files are copied while
 * the pause gate is closed: no thread is in a call, and no work is pending. The copy is
 * a database of its own, in backup/ next to data/, and is kept until the next backup.
 * It is opened and read from end to end when measuring has ended.
 */

/*
 * Note the generation of each record before measuring begins, if the copy will be
 * checked.
 */
void backup_begin(struct worker *w);

/*
 * Wait until --backup seconds have passed, and make a backup, unless the others ended
 * first.
 */
void backup_work(struct worker *w);

/* Check a backup that was made while others worked. A fault fails its thread. */
void backup_check(struct run *run);

/* The workload `backup`, which no other thread accompanies: prepare, */
bool backup_prepare(struct run *run);

/* make the backup, */
enum status backup_make(struct run *run, char *why);

/* and compare it with the database. */
void backup_compare(struct run *run);

#endif
