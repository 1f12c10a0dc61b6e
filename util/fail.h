/*
 * fail.h: how a part says that it could not: false, with a sentence in the caller's
 * buffer. A source defines FAIL_SIZE, the size of its callers' buffers, before it
 * includes this. It is taken where fail is called, so that sources can stand one behind
 * another in one file.
 */
#ifndef FAIL_H
#define FAIL_H

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
