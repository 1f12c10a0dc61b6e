/* java_properties.c: see java_properties.h. */
#include "java_properties.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\f";

/* Remove the end of the line; returns true if a backslash continues it. */
static bool cut_end(char *line)
{
	size_t length = strcspn(line, "\r\n"), slashes = 0;

	line[length] = '\0';
	while (slashes < length && line[length - 1 - slashes] == '\\')
		slashes++;
	if (slashes % 2)
		line[length - 1] = '\0';
	return slashes % 2;
}

/*
 * Read one line and those that continue it; returns a text that the caller frees, or NULL
 * at the end of the file.
 */
static char *read_logical_line(FILE *f)
{
	char *all = NULL, *line = NULL;
	size_t size = 0;
	bool goes_on = true;

	while (goes_on && getline(&line, &size, f) >= 0) {
		char *begin = line + strspn(line, blanks), *longer;
		size_t length = all ? strlen(all) : 0;

		/* a comment has no next line */
		goes_on = (all || !strchr("#!", *begin)) && cut_end(begin);
		longer = realloc(all, length + strlen(begin) + 1);
		if (!longer)
			break;
		all = longer;
		strcpy(all + length, begin);
	}
	free(line);
	return all;
}

/* Write a character as UTF-8; returns its end. */
static char *write_character(char *to, unsigned long c)
{
	if (c < 0x80) {
		*to++ = (char)c;
	} else if (c < 0x800) {
		*to++ = (char)(0xc0 | c >> 6);
		*to++ = (char)(0x80 | (c & 63));
	} else {
		*to++ = (char)(0xe0 | c >> 12);
		*to++ = (char)(0x80 | (c >> 6 & 63));
		*to++ = (char)(0x80 | (c & 63));
	}
	return to;
}

/* Replace escapes by what they stand for, in place: none is shorter than that. */
static void unescape_property(char *text)
{
	static const char names[] = "tnrf", meant[] = "\t\n\r\f";
	char *to = text;

	for (const char *at = text; *at; at++) {
		const char *name;
		char digits[5] = "";

		if (*at != '\\' || !at[1]) {
			*to++ = *at;
			continue;
		}
		name = strchr(names, *++at);
		if (*at == 'u' && strspn(at + 1, "0123456789abcdefABCDEF") >= 4) {
			memcpy(digits, at + 1, 4);
			to = write_character(to, strtoul(digits, NULL, 16));
			at += 4;
		} else {
			*to++ = name ? meant[name - names] : *at;
		}
	}
	*to = '\0';
}

static void take_line(char *line, java_properties_take *take, void *owner)
{
	char *end = line, *value;

	while (*end && !strchr("=: \t\f", *end))
		end += *end == '\\' && end[1] ? 2 : 1;
	value = end + strspn(end, blanks);
	value += *value == '=' || *value == ':';
	value += strspn(value, blanks);
	*end = '\0';
	unescape_property(line);
	unescape_property(value);
	take(owner, line, value);
}

bool java_properties_read(const char *path, java_properties_take *take, void *owner,
			  char *error)
{
	FILE *f = fopen(path, "re");
	char *line;
	bool whole;

	while (f && (line = read_logical_line(f))) {
		if (*line && !strchr("#!\r\n", *line))
			take_line(line, take, owner);
		free(line);
	}
	whole = f && !ferror(f);
	if (!whole)
		snprintf(error, JAVA_PROPERTIES_ERROR_SIZE, "cannot read %.300s: %s",
			 path, strerror(errno));
	if (f)
		fclose(f);
	return whole;
}
