/*
 * nearest.h: which of many names was meant by one that was mistyped.
 *
 * Names are offered one after the other; the one with the fewest edits (a character put
 * in, left out or changed, or two neighbours exchanged: optimal string alignment, Damerau
 * 1964) is kept, if they are few for its length.
 */
#ifndef NEAREST_H
#define NEAREST_H

#include <stddef.h>

enum { NEAREST_TEXT = 80 };

struct nearest {
	const char *typed;
	size_t length;
	const char *name; /* the best so far, or NULL; the caller's */
	unsigned edits;
};

/* Names may be up to `length` characters of `typed` away by a third of these. */
struct nearest nearest_begin(const char *typed, size_t length);

/* Is this one nearer? '-' and '_' are one character. */
void nearest_offer(struct nearest *n, const char *name);

/*
 * "did you mean PREFIXname?" in `text` (NEAREST_TEXT bytes), or `otherwise` where none is
 * near. Answers `text`.
 */
const char *nearest_text(const struct nearest *n, const char *prefix,
			 const char *otherwise, char *text);

#endif
