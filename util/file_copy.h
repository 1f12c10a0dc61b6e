/*
 * file_copy.h: copies of files, for backups of engines without a backup call and for
 * databases that begin as copies.
 */
#ifndef UTIL_FILE_COPY_H
#define UTIL_FILE_COPY_H

#include <stdbool.h>

enum { FILE_COPY_ERROR_SIZE = 8192 + 256 };

/*
 * Copies a file to a new one. Returns false with a sentence in `error`
 * (FILE_COPY_ERROR_SIZE bytes).
 */
bool file_copy(const char *from, const char *to, char *error);

/*
 * Copies the files of a directory and its subdirectories into an existing empty
 * directory. Other types of files are not copied.
 */
bool file_copy_tree(const char *from, const char *to, char *error);

/*
 * The same by reflinks, which share the blocks until one side writes (Linux's FICLONE),
 * and otherwise by copies without the holes of sparse files. The copies are synced.
 */
bool file_copy_clone_tree(const char *from, const char *to, char *error);

/* Whether a reflink of this file can be made in this directory. */
bool file_copy_can_clone(const char *file, const char *directory);

#endif
