/*
 * copy.h: copies of files, for backups of what copies itself by no call of its own.
 */
#ifndef COPY_H
#define COPY_H

#include <stdbool.h>

enum { COPY_ERROR = 8192 + 256 };

/* Copy a file to a new one; false with a sentence in `error`, which takes COPY_ERROR
 * bytes. */
bool copy_file(const char *from, const char *to, char *error);

/*
 * The files of a directory, and of those below it, into one that is there and empty. What
 * is neither a file nor a directory stays behind.
 */
bool copy_tree(const char *from, const char *to, char *error);

#endif
