/* output.h: files that a run will write, looked at before it begins. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>

#include "table.h"

/*
 * Whether the file, if it is there, can be opened without waiting for somebody else: a
 * named pipe or a socket cannot, unless it is open here already (/dev/stdout, a shell's
 * process substitution). False with a sentence in error, which takes TABLE_ERROR bytes.
 */
bool output_opens(const char *path, char *error);

/*
 * Whether both names lead to one file, be it there or still to be made. Devices, such as
 * /dev/null and terminals, take what several write, and are none.
 */
bool output_same(const char *a, const char *b);

#endif
