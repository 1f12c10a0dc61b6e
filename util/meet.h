/*
 * meet.h: processes that wait for each other, again and again, by a file to which each
 * adds a byte when it comes. Not on NFS, where two can add theirs in one place.
 */
#ifndef MEET_H
#define MEET_H

#include <stdbool.h>
#include <stdint.h>

enum { MEET_ERROR = 512 };

/*
 * Come to the meeting that is next: it is complete when the file has `until` bytes. False
 * with a sentence in `error`.
 */
bool meet_come(const char *path, uint64_t clients, uint64_t *until, char *error);

/* How many have come by now, to all meetings; 0 if the file has gone. */
uint64_t meet_count(const char *path);

#endif
