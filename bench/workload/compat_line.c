/* compat_line.c: see compat_line.h. */
#include "compat_line.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../../util/message.h"

char *compat_line_text(const char *format, ...)
{
	va_list arguments;
	char *text;
	int size;

	va_start(arguments, format);
	size = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	text = message_alloc((size_t)size + 1, 1);
	va_start(arguments, format);
	vsnprintf(text, (size_t)size + 1, format, arguments);
	va_end(arguments);
	return text;
}

void compat_line_add(struct compat_line *line, char *argument)
{
	if (line->argc + 1 < COMPAT_LINE_MAX)
		line->argv[line->argc++] = argument;
}

void compat_line_refuse(struct compat_line *line, const char *name, const char *value,
			const char *why)
{
	if (line->refusals < COMPAT_LINE_MAX)
		line->refused[line->refusals++] =
			compat_line_text("%s%s%s: %s", name, *value ? "=" : "", value,
					 why);
}

void compat_line_finish(const struct compat_line *line, const char *kind)
{
	for (unsigned i = 0; i < line->refusals; i++)
		message_print("%s", line->refused[i]);
	if (line->refusals)
		message_fatal(2, "%u of these %s cannot be had here, so nothing is run",
			      line->refusals, kind);
}

bool compat_line_asks(const char *program, int argc, char **argv)
{
	const char *slash = strrchr(argv[0], '/'), *name = slash ? slash + 1 : argv[0];
	size_t length = strlen(program);
	bool asked =
		!strncmp(name, program, length) && (!name[length] || name[length] == '.');

	for (int i = 1; i < argc; i++) {
		const char *option = argv[i] + strspn(argv[i], "-");

		if (option > argv[i] && !strncmp(option, "compat=", 7))
			asked = !strcmp(option + 7, program);
	}
	return asked;
}
