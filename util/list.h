/*
 * list.h: the texts of options that are lists with a form of their own, as --benchmarks
 * and --mix are.
 */
#ifndef LIST_H
#define LIST_H

#include <stdbool.h>
#include <stddef.h>

enum { LIST_ERROR = 256, LIST_THREADS = 4096, LIST_REPEATS = 1000 };

/*
 * name, name@4, name[X5], name[W2], name[W2-X5]: what is run, on how many threads, how
 * often.
 */
struct list_entry {
	const char *name; /* in the caller's text, where nothing ends it but its length */
	size_t length;
	unsigned threads;       /* 0: not said; at most LIST_THREADS */
	/* runs that count, 1 or more, and runs before them; at most LIST_REPEATS each */
	unsigned repeats, warm;
};

/*
 * Read the entry at *text, whatever its name, and move to the one behind the comma, or to
 * NULL at the end. False with a sentence in `error` (LIST_ERROR bytes), and *text where
 * it was.
 */
bool list_next(const char **text, struct list_entry *e, char *error);

/*
 * "read:50,update:30": a weight for each of n names, 0 for those that are not there.
 * Names that are NULL cannot be given, none can twice, and the sum is 1 to most. False
 * with a sentence in `error`.
 */
bool list_weights(const char *text, const char *const *names, size_t n, unsigned most,
		  unsigned *weights, char *error);

#endif
