/* message.c: messages and the progress line; see message.h. */
#include "message.h"

#include <ctype.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *program_name = "assay";
static pthread_mutex_t message_lock = PTHREAD_MUTEX_INITIALIZER;
static int progress_columns; /* columns of the progress line on the screen */

void message_set_program(const char *name)
{
	program_name = name;
}

bool message_on_terminal(void)
{
	return isatty(STDERR_FILENO);
}

/* The caller must hold the lock. */
static void clear_progress(void)
{
	if (progress_columns)
		fprintf(stderr, "\r%*s\r", progress_columns, "");
	progress_columns = 0;
}

/* Arguments and engine messages may contain line ends; a message is always one line. */
static void print_message(const char *format, va_list args)
{
	char text[4096];

	vsnprintf(text, sizeof text, format, args);
	for (char *p = text; *p; p++)
		if (iscntrl((unsigned char)*p))
			*p = ' ';
	pthread_mutex_lock(&message_lock);
	clear_progress();
	fprintf(stderr, "%s: %s\n", program_name, text);
	pthread_mutex_unlock(&message_lock);
}

void message_print(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_message(format, args);
	va_end(args);
}

void message_print_bare(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	pthread_mutex_lock(&message_lock);
	clear_progress();
	vfprintf(stderr, format, args);
	pthread_mutex_unlock(&message_lock);
	va_end(args);
}

void message_fatal(int status, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_message(format, args);
	va_end(args);
	exit(status);
}

void *message_alloc(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size ? size : 1);

	if (!p)
		message_fatal(1, "out of memory: cannot allocate %zu times %zu bytes",
			      count, size);
	return p;
}

void *message_alloc_aligned(size_t size)
{
	size_t whole = (size + 127) & ~(size_t)127;
	void *p = whole < size ? NULL : aligned_alloc(128, whole);

	if (!p)
		message_fatal(1, "out of memory: cannot allocate %zu bytes", size);
	return memset(p, 0, whole);
}

/* Writes a word as a shell reads it back. */
static void quote_word(const char *word, FILE *to)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789_-./=,:+@%";

	if (*word && !word[strspn(word, safe)]) {
		fputs(word, to);
		return;
	}
	fputc('\'', to);
	for (; *word; word++)
		fputs(*word == '\'' ? "'\\''" : (char[]){*word, '\0'}, to);
	fputc('\'', to);
}

/*
 * Number of bytes of the UTF-8 character that begins here (RFC 3629); 0: not valid UTF-8.
 */
static size_t utf8_length(const char *text)
{
	unsigned char first = (unsigned char)*text;
	size_t length = first < 0x80   ? 1
			: first < 0xc2 ? 0
			: first < 0xe0 ? 2
			: first < 0xf0 ? 3
			: first < 0xf5 ? 4
				       : 0;

	for (size_t i = 1; i < length; i++)
		if (((unsigned char)text[i] & 0xc0) != 0x80)
			return 0;
	return length;
}

/* Whether a row can hold the text unchanged. */
static bool is_printable(const char *text)
{
	size_t length;

	while (*text && !iscntrl((unsigned char)*text) && (length = utf8_length(text)))
		text += length;
	return !*text;
}

/*
 * Writes the command in characters that any row can hold: printf(1) creates the others.
 */
static void write_printable(const char *command, FILE *to)
{
	fputs("eval \"$(printf '", to);
	for (; *command; command++)
		if (*command < ' ' || *command > '~' || strchr("'\\%", *command))
			fprintf(to, "\\%03o", (unsigned)(unsigned char)*command);
		else
			fputc(*command, to);
	fputs("')\"", to);
}

static FILE *open_text_stream(char **text, size_t *size)
{
	FILE *f = open_memstream(text, size);

	if (!f)
		message_fatal(1, "out of memory");
	return f;
}

char *message_quote_command(char **argv)
{
	char *text = NULL, *spelled = NULL;
	size_t size;
	FILE *f = open_text_stream(&text, &size);

	for (; *argv; argv++) {
		quote_word(*argv, f);
		if (argv[1])
			fputc(' ', f);
	}
	fclose(f);
	if (is_printable(text))
		return text;
	f = open_text_stream(&spelled, &size);
	write_printable(text, f);
	fclose(f);
	free(text);
	return spelled;
}

const char *message_keep(struct message_texts *texts, const char *format, ...)
{
	char *text = texts->bytes + texts->used;
	size_t left = sizeof texts->bytes - texts->used;
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(text, left, format, args);
	va_end(args);
	/* The last byte stays an empty text for all that no longer fit. */
	if (length < 0)
		*text = '\0';
	else
		texts->used += (size_t)length + 1 < left ? (size_t)length + 1 : left - 1;
	return text;
}

void message_append(char *to, size_t size, const char *separator, const char *format, ...)
{
	size_t length = strlen(to);
	va_list args;

	if (length && length < size)
		length += (size_t)snprintf(to + length, size - length, "%s", separator);
	if (length >= size)
		return;
	va_start(args, format);
	vsnprintf(to + length, size - length, format, args);
	va_end(args);
}

void message_progress(const char *format, ...)
{
	va_list args;

	if (!message_on_terminal())
		return;
	pthread_mutex_lock(&message_lock);
	clear_progress();
	va_start(args, format);
	progress_columns = vfprintf(stderr, format, args);
	va_end(args);
	fflush(stderr);
	pthread_mutex_unlock(&message_lock);
}
