/* json_reader.h: reads a JSON array of objects whose members are texts and numbers. */
#ifndef UTIL_JSON_READER_H
#define UTIL_JSON_READER_H

#include <stdbool.h>
#include <stddef.h>

enum { JSON_READER_ERROR_SIZE = 512 };

/*
 * Takes a member of object i, counted from 0. A number is given as it stands. Both texts
 * end with the call.
 */
typedef void json_reader_take(void *owner, size_t i, const char *name, const char *value);

/*
 * Gives each member of each object in a file to `take`. Returns false, with a sentence in
 * `error` (JSON_READER_ERROR_SIZE bytes), if the file cannot be read or is no such array.
 */
bool json_reader_read(const char *path, json_reader_take *take, void *owner, char *error);

#endif
