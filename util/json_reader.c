/* json_reader.c: see json_reader.h. */
#include "json_reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JSON_TEXT_SIZE = 256 };

static char *skip_blanks(char *at)
{
	return at + strspn(at, " \t\r\n");
}

/* Is this character next? If so, move behind it and the blanks after it. */
static bool take_character(char **at, char c)
{
	*at = skip_blanks(*at);
	if (**at != c)
		return false;
	*at = skip_blanks(*at + 1);
	return true;
}

/* A text in quotes, or a number or word. Returns false if there is none. */
static bool take_text(char **at, char *to)
{
	char *begin = skip_blanks(*at);
	bool quoted = *begin == '"';
	size_t length;

	begin += quoted;
	length = strcspn(begin, quoted ? "\"\\" : ",:}] \t\r\n");
	if (length >= JSON_TEXT_SIZE || (!quoted && !length) ||
	    (quoted && begin[length] != '"'))
		return false;
	memcpy(to, begin, length);
	to[length] = '\0';
	*at = skip_blanks(begin + length + quoted);
	return true;
}

/* One object, from its brace to its brace. */
static bool take_object(char **at, size_t i, json_reader_take *take, void *owner)
{
	char name[JSON_TEXT_SIZE], value[JSON_TEXT_SIZE];

	if (!take_character(at, '{'))
		return false;
	while (!take_character(at, '}')) {
		if (!take_text(at, name) || !take_character(at, ':') ||
		    !take_text(at, value))
			return false;
		take(owner, i, name, value);
		if (!take_character(at, ',') && **at != '}')
			return false;
	}
	return true;
}

static bool take_array(char *at, json_reader_take *take, void *owner)
{
	size_t i = 0;

	if (!take_character(&at, '['))
		return false;
	while (!take_character(&at, ']')) {
		if (!take_object(&at, i++, take, owner) ||
		    (!take_character(&at, ',') && *at != ']'))
			return false;
	}
	return !*at;
}

bool json_reader_read(const char *path, json_reader_take *take, void *owner, char *error)
{
	FILE *f = fopen(path, "re");
	char *text = NULL;
	size_t size = 0;
	bool read = f && getdelim(&text, &size, '\0', f) >= 0 && !ferror(f),
	     done = read && take_array(text, take, owner);

	if (!read)
		snprintf(error, JSON_READER_ERROR_SIZE, "cannot read %.300s: %s", path,
			 f ? "it is empty or a directory" : strerror(errno));
	else if (!done)
		snprintf(error, JSON_READER_ERROR_SIZE,
			 "%.300s is no array of objects with texts and numbers", path);
	free(text);
	if (f)
		fclose(f);
	return done;
}
