/*
 * fail.h: return false with a sentence in the caller's buffer. A source defines
 * FAIL_SIZE, the size of that buffer, before it includes this. The macro expands where
 * fail is called, so that sources can be joined into one file.
 */
#ifndef UTIL_FAIL_H
#define UTIL_FAIL_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#define fail(error, ...) fail_within(error, FAIL_SIZE, __VA_ARGS__)

static inline __attribute__((format(printf, 3, 4))) bool fail_within(char *error,
								     size_t size,
								     const char *format,
								     ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error, size, format, args);
	va_end(args);
	return false;
}

#endif
