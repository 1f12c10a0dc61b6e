/* backup.h: the results of a backup, which backup.c makes. */
#ifndef BENCH_EXTRAS_BACKUP_H
#define BENCH_EXTRAS_BACKUP_H

#include <stdbool.h>
#include <stdint.h>

#include "../../util/db_dir.h"
#include "../../util/record.h"

struct message_texts;

struct backup {
	bool done;
	const char *method;
	uint64_t began_ticks, ended_ticks;
	double bytes; /* in the copy's files */
	double ops;   /* of the foreground threads while it was made */

	/* found when the copy was read */
	double records, wrong;
	record_lanes digest;
	/* 1: the copy is the database at one point in time; NaN: not checked */
	double consistent;
	/*
	 * Operations of each thread that were acknowledged before the backup began, and
	 * that may have begun before it ended
	 */
	uint64_t *ops_before, *ops_after;
	uint64_t *generations_before; /* of each record, before measuring began */
	struct db_dir dir;
};

/*
 * Why a row with this backup is invalid, a text in `texts`, or NULL; it must have so many
 * records.
 */
const char *backup_invalid_reason(const struct backup *b, uint64_t records_least,
				  struct message_texts *texts);

#endif
