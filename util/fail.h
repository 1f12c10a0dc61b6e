/*
 * fail.h: how a part says that it could not: false, with a sentence in the caller's buffer. A source
 * defines FAIL_SIZE, the size of its callers' buffers, before it includes this.
 */
#ifndef FAIL_H
#define FAIL_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static inline __attribute__((format(printf, 2, 3))) bool fail(char *error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error, FAIL_SIZE, format, args);
	va_end(args);
	return false;
}

#endif
