/*
 * list_parser.h: options that are lists with a syntax of their own, such as --benchmarks
 * and --mix.
 */
#ifndef UTIL_LIST_PARSER_H
#define UTIL_LIST_PARSER_H

#include <stdbool.h>
#include <stddef.h>

enum {
	LIST_PARSER_ERROR_SIZE = 256,
	LIST_PARSER_MAX_THREADS = 4096,
	LIST_PARSER_MAX_ITERATIONS = 1000
};

/*
 * name, name@4, name[X5], name[W2], name[W2-X5]: a benchmark, its threads, its
 * iterations.
 */
struct list_parser_entry {
	const char *name; /* points into the caller's text and is not terminated */
	size_t length;
	unsigned threads; /* 0: not given; at most LIST_PARSER_MAX_THREADS */
	/*
	 * measured runs, 1 or more, and runs before them; at most
	 * LIST_PARSER_MAX_ITERATIONS each
	 */
	unsigned iterations, warmups;
};

/*
 * Parses the entry at *text, whatever its name. *text moves behind the comma, or becomes
 * NULL at the end. Returns false with a sentence in `error` (LIST_PARSER_ERROR_SIZE
 * bytes) and leaves *text alone.
 */
bool list_parser_next(const char **text, struct list_parser_entry *e, char *error);

/*
 * Parses "read:50,update:30": a weight for each of n names, 0 for absent ones. A NULL
 * name cannot be given, and no name twice. The sum is 1 to `max`. Returns false with a
 * sentence in `error`.
 */
bool list_parser_weights(const char *text, const char *const *names, size_t n,
			 unsigned max, unsigned *weights, char *error);

#endif
