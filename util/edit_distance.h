/*
 * edit_distance.h: find the name closest to a mistyped one.
 *
 * Names are offered one by one. The name with the fewest edits is kept, if they are few
 * for its length. An edit inserts, deletes or changes a character, or swaps two
 * neighbours (optimal string alignment, Damerau 1964).
 */
#ifndef UTIL_EDIT_DISTANCE_H
#define UTIL_EDIT_DISTANCE_H

#include <stddef.h>

enum { EDIT_DISTANCE_TEXT_SIZE = 80 };

struct edit_distance {
	const char *typed;
	size_t length;
	const char *best; /* closest name so far, or NULL; owned by the caller */
	unsigned edits;
};

/* A name may differ from the first `length` characters of `typed` by a third of them. */
struct edit_distance edit_distance_begin(const char *typed, size_t length);

/* Offers a name. '-' and '_' are the same character. */
void edit_distance_offer(struct edit_distance *n, const char *name);

/*
 * Writes "did you mean PREFIXname?" into `text` (EDIT_DISTANCE_TEXT_SIZE bytes), or
 * `otherwise` if no name is close. Returns `text`.
 */
const char *edit_distance_suggestion(const struct edit_distance *n, const char *prefix,
				     const char *otherwise, char *text);

#endif
