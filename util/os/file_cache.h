/*
 * file_cache.h: a file's data between the page cache and its device.
 */
#ifndef UTIL_OS_FILE_CACHE_H
#define UTIL_OS_FILE_CACHE_H

#include <stdbool.h>

/* Writes the file's data to its device. Returns 0, or an error number. */
int file_cache_sync(int fd);

/*
 * Drops the file's pages from the page cache, except for those that are not written.
 * Returns 0, or an error number: ENOTSUP where the system takes no such advice (macOS).
 */
int file_cache_drop_clean(int fd);

/* Writes the file's data, and drops its pages. Returns 0, or an error number as above. */
int file_cache_drop(int fd);

/*
 * Reads the file's data in sequence into the page cache, and adds their number of bytes
 * to *bytes. Returns 0, or an error number.
 */
int file_cache_fill(int fd, double *bytes);

/* Whether mincore() tells which pages of a file are in memory. */
bool file_cache_shows_residency(void);

#endif
