/*
 * say.h: the one place that writes to stderr, and what ends in a message: memory that is
 * not there.
 */
#ifndef SAY_H
#define SAY_H

#include <stdbool.h>
#include <stddef.h>

/* The name that starts each message; the string stays the caller's. */
void say_program(const char *name);

/* One line on stderr, after clearing the progress line if one is shown. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* say, then exit. Only for main()'s side of the program, before threads run. */
_Noreturn void die(int status, const char *format, ...)
	__attribute__((noreturn, format(printf, 2, 3)));

/* Zeroed memory, or death. */
void *say_alloc(size_t count, size_t size);

/*
 * The same, sharing no cache line, nor the pair that is fetched with one, with any other.
 */
void *say_alloc_apart(size_t size);

/*
 * A command line as a shell reads it back, in one line of UTF-8 whatever the arguments
 * hold; the caller frees it.
 */
char *say_command(char **argv);

/* Replace the progress line. Shown on a terminal only; an empty text clears it. */
void say_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));

bool say_on_terminal(void);

#endif
