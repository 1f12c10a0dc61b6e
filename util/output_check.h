/* output_check.h: checks of output files before a run. */
#ifndef UTIL_OUTPUT_CHECK_H
#define UTIL_OUTPUT_CHECK_H

#include <stdbool.h>

#include "row_file.h"

/*
 * Whether the file, if it exists, can be opened without waiting for another process. A
 * named pipe or a socket cannot, unless it is open in this process (/dev/stdout, a
 * shell's process substitution). Returns false with a sentence in `error`
 * (ROW_FILE_ERROR_SIZE bytes).
 */
bool output_check_opens(const char *path, char *error);

/*
 * Whether both names lead to the same file, existing or not. Devices such as /dev/null
 * and terminals accept several writers and never count as the same file.
 */
bool output_check_same_file(const char *a, const char *b);

#endif
