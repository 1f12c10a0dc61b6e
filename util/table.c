/* table.c: writers that walk a table of columns; see table.h. */
#include "table.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEXT_MOST = 8192 };

static const void *field(const void *row, const struct table_column *c)
{
	return (const char *)row + c->offset;
}

void table_unknown(const struct table *t, void *row)
{
	for (const struct table_column *c = t->columns; c < t->columns + t->count; c++)
		if (c->digits != TABLE_TEXT)
			*(double *)(void *)((char *)row + c->offset) = NAN;
		else
			*(const char **)(void *)((char *)row + c->offset) = NULL;
}

/* A cell's text as every form shows it; "" when unknown. Texts lose what would break a row. */
static const char *cell(const void *row, const struct table_column *c, char *to)
{
	to[0] = '\0';
	if (c->digits == TABLE_TEXT) {
		const char *text = *(const char *const *)field(row, c);

		snprintf(to, TEXT_MOST, "%s", text ? text : "");
		for (char *p = to; *p; p++)
			if ((unsigned char)*p < ' ')
				*p = ' ';
	} else {
		double x = *(const double *)field(row, c);

		if (isfinite(x))
			snprintf(to, TEXT_MOST, "%.*f", c->digits, x);
	}
	return to;
}

static void write_header(const struct table *t, FILE *to)
{
	for (unsigned i = 0; i < t->count; i++)
		fprintf(to, "%s%s", i ? "\t" : "", t->columns[i].name);
	fputc('\n', to);
}

static void write_tsv(const struct table *t, const void *row, FILE *to)
{
	char text[TEXT_MOST];

	for (unsigned i = 0; i < t->count; i++)
		fprintf(to, "%s%s", i ? "\t" : "", cell(row, &t->columns[i], text));
	fputc('\n', to);
}

static void write_json(const struct table *t, const void *row, FILE *to)
{
	char text[TEXT_MOST];

	for (unsigned i = 0; i < t->count; i++) {
		const char *value = cell(row, &t->columns[i], text);

		fprintf(to, "%s\"%s\":", i ? "," : "{", t->columns[i].name);
		if (!*value) {
			fputs("null", to);
		} else if (t->columns[i].digits == TABLE_TEXT) {
			fputc('"', to);
			for (; *value; value++)
				fprintf(to, *value == '"' || *value == '\\' ? "\\%c" : "%c", *value);
			fputc('"', to);
		} else {
			fputs(value, to);
		}
	}
	fputs("}\n", to);
}

/* What a file's first line must be, or NULL if any will do. The caller frees it. */
static char *header_text(const struct table *t)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (f) {
		write_header(t, f);
		fclose(f);
	}
	return text;
}

/* Is the file new or empty (1), of the same columns (0), or something else (-1)? */
static int inspect(const char *path, const char *header, char *error)
{
	int same = 0, fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
	struct stat st;

	if (fd < 0 || fstat(fd, &st)) {
		snprintf(error, TABLE_ERROR, "cannot append to %s: %s", path, strerror(errno));
		same = -1;
	} else if (S_ISREG(st.st_mode) && !st.st_size) {
		same = 1;
	} else if (header && S_ISREG(st.st_mode)) {
		size_t size = strlen(header);
		char *start = malloc(size);

		if (!start || pread(fd, start, size, 0) != (ssize_t)size || memcmp(start, header, size)) {
			snprintf(error, TABLE_ERROR,
				 "%s begins with another header, so its columns are not these; name another file",
				 path);
			same = -1;
		}
		free(start);
	}
	if (fd >= 0)
		close(fd);
	return same;
}

/* One write, so that a row is there whole or not at all. */
static bool append(const char *path, const char *row, size_t size, char *error)
{
	int fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
	ssize_t wrote = fd < 0 ? -1 : write(fd, row, size);

	if (wrote != (ssize_t)size)
		snprintf(error, TABLE_ERROR, "cannot append to %s: %s", path,
			 wrote < 0 ? strerror(errno) : "the device is full");
	if (fd >= 0)
		close(fd);
	return wrote == (ssize_t)size;
}

bool table_check_tsv(const struct table *t, const char *path, char *error)
{
	char *header = header_text(t);
	int state = inspect(path, header, error);

	free(header);
	return state >= 0;
}

bool table_check_json(const char *path, char *error)
{
	return inspect(path, NULL, error) >= 0;
}

static bool append_row(const struct table *t, const char *path, const void *row, bool header,
		       void (*writer)(const struct table *, const void *, FILE *), char *error)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f) {
		snprintf(error, TABLE_ERROR, "out of memory");
		return false;
	}
	if (header)
		write_header(t, f);
	writer(t, row, f);
	fclose(f);
	bool done = append(path, text, size, error);

	free(text);
	return done;
}

bool table_append_tsv(const struct table *t, const char *path, const void *row, char *error)
{
	char *header = header_text(t);
	int state = inspect(path, header, error);

	free(header);
	return state >= 0 && append_row(t, path, row, state == 1, write_tsv, error);
}

bool table_append_json(const struct table *t, const char *path, const void *row, char *error)
{
	return append_row(t, path, row, false, write_json, error);
}

/* Columns have their unit at the end of their name; a unit's name is a column as well (bytes, rate). */
static const char *unit(const struct table_column *c)
{
	static const struct {
		const char *end, *unit;
	} units[] = {
		{"_ns", "ns"}, {"_ns_per_op", "ns"}, {"_us", "us"}, {"_ms", "ms"}, {"_s", "s"}, {"seconds", "s"},
		{"_per_sec", "1/s"}, {"_per_sec_all_in", "1/s"}, {"rate", "1/s"}, {"bytes", "bytes"},
		{"key_size", "bytes"}, {"value_size", "bytes"}, {"_kb", "KiB"}, {"_percent", "%"}, {"_c", "degrees C"},
	};

	if (c->digits == TABLE_TEXT)
		return "text";
	for (size_t i = 0, length = strlen(c->name); i < sizeof units / sizeof *units; i++) {
		size_t end = strlen(units[i].end);

		if (length >= end && !strcmp(c->name + length - end, units[i].end))
			return units[i].unit;
	}
	return "number";
}

void table_columns(const struct table *t, const char *prefix, FILE *to)
{
	for (unsigned i = 0; i < t->count; i++)
		fprintf(to, "%s%s\t%s\t%s\n", prefix, t->columns[i].name, unit(&t->columns[i]), t->columns[i].help);
}
