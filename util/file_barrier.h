/*
 * file_barrier.h: a barrier for processes, used repeatedly, by a file to which each adds
 * a byte. Not on NFS, where two processes can write to the same offset.
 */
#ifndef UTIL_FILE_BARRIER_H
#define UTIL_FILE_BARRIER_H

#include <stdbool.h>
#include <stdint.h>

enum { FILE_BARRIER_ERROR_SIZE = 512 };

/*
 * Arrives at the next barrier, which is complete when the file has `complete_at` bytes.
 * Returns false with a sentence in `error`.
 */
bool file_barrier_arrive(const char *path, uint64_t clients, uint64_t *complete_at,
			 char *error);

/* Number of arrivals so far, at all barriers; 0 if the file does not exist. */
uint64_t file_barrier_arrivals(const char *path);

#endif
