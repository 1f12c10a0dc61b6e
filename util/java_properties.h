/* java_properties.h: properties files as java.util.Properties reads them. */
#ifndef UTIL_JAVA_PROPERTIES_H
#define UTIL_JAVA_PROPERTIES_H

#include <stdbool.h>

enum { JAVA_PROPERTIES_ERROR_SIZE = 512 };

/* Takes one property; both texts end with the call. */
typedef void java_properties_take(void *owner, const char *name, const char *value);

/*
 * Gives each property of a file to `take`, in order. Lines that begin with # or ! are
 * comments, a backslash at the end continues a line, and =, : or blanks end a name.
 * Returns false, with a sentence in `error` (JAVA_PROPERTIES_ERROR_SIZE bytes), if the
 * file cannot be read.
 */
bool java_properties_read(const char *path, java_properties_take *take, void *owner,
			  char *error);

#endif
