/*
 * program_hash.h: identifies the running program by its code and data, whatever its
 * sources were called when it was built.
 */
#ifndef UTIL_OS_PROGRAM_HASH_H
#define UTIL_OS_PROGRAM_HASH_H

#include <stddef.h>

/*
 * A hash of what the executable file loads, in hexadecimal digits, without these bytes of
 * it; "" if the system cannot tell. Shared libraries are not part of it, nor are debug
 * information and the linker's notes. The text is read once and lasts.
 */
const char *program_hash(const void *left_out, size_t size);

#endif
