/* say.c: messages and the progress line; see say.h. */
#include "say.h"

#include <ctype.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *said_by = "assay";
static pthread_mutex_t say_lock = PTHREAD_MUTEX_INITIALIZER;
static int say_shown; /* columns of the progress line on the screen */

void say_program(const char *name)
{
	said_by = name;
}

bool say_on_terminal(void)
{
	return isatty(STDERR_FILENO);
}

/* The caller holds the lock. */
static void clear(void)
{
	if (say_shown)
		fprintf(stderr, "\r%*s\r", say_shown, "");
	say_shown = 0;
}

/*
 * What users typed and engines said may hold line ends; a message is one line all the
 * same.
 */
static void say_list(const char *format, va_list args)
{
	char text[4096];

	vsnprintf(text, sizeof text, format, args);
	for (char *p = text; *p; p++)
		if (iscntrl((unsigned char)*p))
			*p = ' ';
	pthread_mutex_lock(&say_lock);
	clear();
	fprintf(stderr, "%s: %s\n", said_by, text);
	pthread_mutex_unlock(&say_lock);
}

void say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say_list(format, args);
	va_end(args);
}

void die(int status, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say_list(format, args);
	va_end(args);
	exit(status);
}

void *say_alloc(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size ? size : 1);

	if (!p)
		die(1, "out of memory: cannot allocate %zu times %zu bytes", count, size);
	return p;
}

void *say_alloc_apart(size_t size)
{
	size_t whole = (size + 127) & ~(size_t)127;
	void *p = whole < size ? NULL : aligned_alloc(128, whole);

	if (!p)
		die(1, "out of memory: cannot allocate %zu bytes", size);
	return memset(p, 0, whole);
}

/* A word as a shell reads it back. */
static void quote(const char *word, FILE *to)
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

/* The bytes of the UTF-8 character that begins here (RFC 3629); 0: none does. */
static size_t character(const char *text)
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

/* Whether a row can hold it as it is. */
static bool is_line(const char *text)
{
	size_t length;

	while (*text && !iscntrl((unsigned char)*text) && (length = character(text)))
		text += length;
	return !*text;
}

/* The same command, in characters that any row can hold: printf(1) makes the others. */
static void spell(const char *command, FILE *to)
{
	fputs("eval \"$(printf '", to);
	for (; *command; command++)
		if (*command < ' ' || *command > '~' || strchr("'\\%", *command))
			fprintf(to, "\\%03o", (unsigned)(unsigned char)*command);
		else
			fputc(*command, to);
	fputs("')\"", to);
}

static FILE *open_text(char **text, size_t *size)
{
	FILE *f = open_memstream(text, size);

	if (!f)
		die(1, "out of memory");
	return f;
}

char *say_command(char **argv)
{
	char *text = NULL, *spelled = NULL;
	size_t size;
	FILE *f = open_text(&text, &size);

	for (; *argv; argv++) {
		quote(*argv, f);
		if (argv[1])
			fputc(' ', f);
	}
	fclose(f);
	if (is_line(text))
		return text;
	f = open_text(&spelled, &size);
	spell(text, f);
	fclose(f);
	free(text);
	return spelled;
}

void say_progress(const char *format, ...)
{
	va_list args;

	if (!say_on_terminal())
		return;
	pthread_mutex_lock(&say_lock);
	clear();
	va_start(args, format);
	say_shown = vfprintf(stderr, format, args);
	va_end(args);
	fflush(stderr);
	pthread_mutex_unlock(&say_lock);
}
