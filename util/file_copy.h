/* file_copy.h: copies of files, for backups of engines without a backup call. */
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

#endif
