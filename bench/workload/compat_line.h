/*
 * compat_line.h: in another program's place: the command line of ours that its own
 * becomes, and what of it cannot be had.
 */
#ifndef BENCH_WORKLOAD_COMPAT_LINE_H
#define BENCH_WORKLOAD_COMPAT_LINE_H

#include <stdbool.h>

struct option;

enum { COMPAT_LINE_MAX = 1024 }; /* arguments, and refusals */

struct compat_line {
	char *argv[COMPAT_LINE_MAX];
	unsigned argc;
	const char *refused[COMPAT_LINE_MAX];
	unsigned refusals;
};

/* A formatted text that lasts as long as the program. */
char *compat_line_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Add an argument, which must last as long as the program; more than fit are ignored. */
void compat_line_add(struct compat_line *line, char *argument);

/*
 * Note what cannot be had: its name, as it was typed, the value, which may be empty, and
 * what to do instead.
 */
void compat_line_refuse(struct compat_line *line, const char *name, const char *value,
			const char *why);

/*
 * If anything was refused, print it all and end the program with status 2: a script's
 * command may have many. `kind` is the plural of what these are.
 */
void compat_line_finish(const struct compat_line *line, const char *kind);

/*
 * Is `program` asked for: by the last --compat=NAME, or by the name of the program that
 * was started? A suffix of that name, such as .sh, does not count.
 */
bool compat_line_asks(const char *program, int argc, char **argv);

#endif
