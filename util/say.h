/* say.h: the one place that writes to stderr. */
#ifndef SAY_H
#define SAY_H

#include <stdbool.h>
#include <stddef.h>

/* The name that starts each message; the string stays the caller's. */
void say_program(const char *name);

/* One line on stderr, after clearing the progress line if one is shown. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* say, then exit. Only for main()'s side of the program, before threads run. */
_Noreturn void die(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Memory or death. */
void *say_alloc(size_t count, size_t size);

/* Replace the progress line. Shown on a terminal only; an empty text clears it. */
void say_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));

bool say_on_terminal(void);

#endif
