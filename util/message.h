/*
 * message.h: the only writer to stderr, and allocation that exits with a message if
 * memory runs out.
 */
#ifndef UTIL_MESSAGE_H
#define UTIL_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

/* The name that starts each message; the caller keeps the string. */
void message_set_program(const char *name);

/* Prints one line on stderr, after clearing the progress line if there is one. */
void message_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Prints a text on stderr as it is, without the program's name: in place of another
 * program, whose scripts read stderr.
 */
void message_print_bare(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints a message, then exits. Only for the main thread, before other threads run. */
_Noreturn void message_fatal(int status, const char *format, ...)
	__attribute__((noreturn, format(printf, 2, 3)));

/* Returns zeroed memory, or exits. */
void *message_alloc(size_t count, size_t size);

/*
 * The same, aligned so that it shares no cache line, nor the pair that is fetched
 * together, with other memory.
 */
void *message_alloc_aligned(size_t size);

/*
 * A command line as a shell reads it back, in one line of UTF-8 whatever the arguments
 * contain. The caller frees it.
 */
char *message_quote_command(char **argv);

/* Texts that live as long as this: each is its own, and later ones leave it as it is. */
struct message_texts {
	size_t used;
	char bytes[16384];
};

/* Formats another text; it is cut at the end of the bytes. */
const char *message_keep(struct message_texts *texts, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Appends to the text in `to`, a buffer of `size` bytes, after `separator` unless `to` is
 * empty. The text is cut at the buffer's end.
 */
void message_append(char *to, size_t size, const char *separator, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Replaces the progress line. It is shown on a terminal only; an empty text clears it. */
void message_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));

bool message_on_terminal(void);

#endif
