/*
 * stand_in.h: for headers that stand in for an engine's library, so that its driver can be
 * tested where nobody has built it (test/calls.sh). They have of its interface what the
 * driver uses; constants have the library's values. Nothing is stored: each call succeeds
 * with a fixed result, or fails as --fail of calls.c asks. What its arguments point to
 * stands below the line that the call printed itself.
 */
#ifndef TEST_STAND_IN_H
#define TEST_STAND_IN_H

#include <stddef.h>

/* The result of a call of this name: 0, or the one that --fail has for it. */
int stand_in(const char *name);

/* A line below that of the call. */
void stand_in_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Such a line for a key, as text if it is one of calls.c, or for a value. */
void stand_in_bytes(const char *what, const void *bytes, size_t size);

/* The record that every read finds. */
#define STAND_IN_KEY "0000000000000001"
#define STAND_IN_VALUE "the value that is always found"

/* A function that only succeeds, or fails. */
#define STAND_IN(name, ...) \
	static inline int name(__VA_ARGS__) \
	{ \
		return stand_in(#name); \
	}

/* One that then makes an object, of which only the address is of interest. */
#define STAND_IN_MAKES(name, to, ...) \
	static inline int name(__VA_ARGS__) \
	{ \
		static char object; \
		int rc = stand_in(#name); \
\
		if (!rc) \
			*to = (void *)&object; \
		return rc; \
	}

#endif
