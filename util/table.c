/* table.c: writers that walk a table of columns; see table.h. */
#include "table.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define FAIL_SIZE TABLE_ERROR
#include "fail.h"

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

/*
 * A cell as every form shows it, of any length; "" when unknown. Numbers go to `to`, of
 * NUMBER_MOST bytes.
 */
enum { NUMBER_MOST = 512 };

static const char *cell(const void *row, const struct table_column *c, char *to)
{
	const char *text;
	double x;

	to[0] = '\0';
	if (c->digits == TABLE_TEXT) {
		text = *(const char *const *)field(row, c);
		return text ? text : "";
	}
	x = *(const double *)field(row, c);
	if (isfinite(x))
		snprintf(to, NUMBER_MOST, "%.*f", c->digits, x);
	return to;
}

/* Without what would break a row, and with a backslash before these. */
static void write_text(const char *text, const char *escaped, FILE *to)
{
	for (; *text; text++) {
		if (strchr(escaped, *text))
			fputc('\\', to);
		fputc((unsigned char)*text < ' ' ? ' ' : *text, to);
	}
}

static void write_header(const struct table *t, FILE *to)
{
	for (unsigned i = 0; i < t->count; i++)
		fprintf(to, "%s%s", i ? "\t" : "", t->columns[i].name);
	fputc('\n', to);
}

static void write_tsv(const struct table *t, const void *row, FILE *to)
{
	char number[NUMBER_MOST];

	for (unsigned i = 0; i < t->count; i++) {
		fputs(i ? "\t" : "", to);
		write_text(cell(row, &t->columns[i], number), "", to);
	}
	fputc('\n', to);
}

static void write_json(const struct table *t, const void *row, FILE *to)
{
	char number[NUMBER_MOST];

	for (unsigned i = 0; i < t->count; i++) {
		const char *value = cell(row, &t->columns[i], number);

		fprintf(to, "%s\"%s\":", i ? "," : "{", t->columns[i].name);
		if (!*value) {
			fputs("null", to);
		} else if (t->columns[i].digits == TABLE_TEXT) {
			fputc('"', to);
			write_text(value, "\"\\", to);
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

/* The last newline of a part of a file, or NULL. */
static char *last_newline(char *part, size_t n)
{
	while (n && part[n - 1] != '\n')
		n--;
	return n ? part + n - 1 : NULL;
}

/*
 * Where the last line of a file begins; its size, if that ends in a newline; -1 and errno
 * if it cannot be read.
 */
static off_t last_line(int fd, off_t size)
{
	char part[4096];

	while (size > 0) {
		size_t n = size < (off_t)sizeof part ? (size_t)size : sizeof part;
		ssize_t got = pread(fd, part, n, size - (off_t)n);
		char *newline;

		if (got != (ssize_t)n) {
			errno = got < 0 ? errno : EIO;
			return -1;
		}
		newline = last_newline(part, n);
		if (newline)
			return size - (off_t)n + (newline - part) + 1;
		size -= (off_t)n;
	}
	return 0;
}

/* Does the file have these bytes there, as far as it goes? */
static bool has(int fd, off_t at, const char *bytes)
{
	size_t size = strlen(bytes);
	char *text = malloc(size + 1);
	ssize_t n = text ? pread(fd, text, size, at) : -1;
	bool same = n >= 0 && !memcmp(text, bytes, (size_t)n);

	free(text);
	return same;
}

/*
 * Open a file for appending, alone among those who append. If it is to be changed now,
 * make it, and cut away what a crash has left of a row at its end: a line without a
 * newline that begins as ours do, or any in a file with our header. -1 on failure.
 */
static int open_rows(const char *path, const struct table_form *form, bool change,
		     char *error)
{
	int fd = open(path, O_RDWR | O_APPEND | O_CLOEXEC | (change ? O_CREAT : 0), 0644);
	struct stat st;
	off_t torn;

	if (fd < 0 || fstat(fd, &st)) {
		fail(error, "cannot append to %s: %s", path, strerror(errno));
	} else if (!S_ISREG(st.st_mode)) {
		return fd;
	} else {
		/* or a row that another process is writing would look torn */
		flock(fd, LOCK_EX);
		if (fstat(fd, &st))
			st.st_size = 0;
		torn = last_line(fd, st.st_size);
		if (torn < 0)
			fail(error, "cannot append to %s, which cannot be read: %s", path,
			     strerror(errno));
		else if (form->strict && !has(fd, 0, form->header))
			fail(error,
			     "%s begins with another header, so its columns are not "
			     "these; name another file",
			     path);
		else if (!change || torn == st.st_size ||
			 !(form->strict || (form->row && has(fd, torn, form->row))) ||
			 !ftruncate(fd, torn))
			return fd;
		else
			fail(error, "cannot mend %s: %s", path, strerror(errno));
	}
	if (fd >= 0)
		close(fd);
	return -1;
}

/* All of it, or errno. */
static int write_all(int fd, const char *text, size_t size)
{
	while (size) {
		ssize_t wrote = write(fd, text, size);

		if (wrote < 0 && errno != EINTR)
			return errno;
		text += wrote > 0 ? wrote : 0;
		size -= wrote > 0 ? (size_t)wrote : 0;
	}
	return 0;
}

bool table_append(const char *path, const struct table_form *form, const char *row,
		  char *error)
{
	int rc, fd = open_rows(path, form, true, error);
	struct stat st = {0};
	char *text = NULL;
	off_t last = 0;
	size_t size;
	FILE *f;

	if (fd < 0)
		return false;
	f = open_memstream(&text, &size);
	rc = !f || fstat(fd, &st) ||
			     (S_ISREG(st.st_mode) &&
			      (last = last_line(fd, st.st_size)) < 0)
		     ? errno
		     : 0;
	if (!rc) {
		/* Another's line that does not end stays, and stays apart. */
		fprintf(f, "%s%s%s",
			S_ISREG(st.st_mode) && last != st.st_size ? "\n" : "",
			S_ISREG(st.st_mode) && !st.st_size ? form->header : "", row);
	}
	if (f)
		fclose(f);
	if (!rc && (rc = text ? write_all(fd, text, size) : ENOMEM) &&
	    S_ISREG(st.st_mode) && ftruncate(fd, st.st_size))
		rc = errno;
	if (rc)
		fail(error, "cannot append to %s: %s", path, strerror(rc));
	free(text);
	close(fd);
	return !rc;
}

/* Does the directory of a file take another? */
static bool can_make(const char *path)
{
	char *copy = strdup(path);
	bool can = copy && !access(dirname(copy), W_OK | X_OK);

	free(copy);
	return can;
}

bool table_check(const char *path, const struct table_form *form, char *error)
{
	int fd;

	if (access(path, F_OK) && errno == ENOENT)
		return can_make(path) ||
		       fail(error, "cannot append to %s: %s", path, strerror(errno));
	fd = open_rows(path, form, false, error);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

bool table_check_tsv(const struct table *t, const char *path, char *error)
{
	char *header = header_text(t);
	bool fits = table_check(
		path,
		&(struct table_form){.header = header ? header : "", .strict = true},
		error);

	free(header);
	return fits;
}

/* How each of our lines begins. */
static struct table_form json_form(const struct table *t, char *begin, size_t size)
{
	snprintf(begin, size, "{\"%s\":", t->columns[0].name);
	return (struct table_form){.header = "", .row = begin};
}

bool table_check_json(const struct table *t, const char *path, char *error)
{
	char begin[64];
	struct table_form form = json_form(t, begin, sizeof begin);

	return table_check(path, &form, error);
}

static bool table_append_row(const struct table *t, const char *path, const void *row,
			     const struct table_form *form,
			     void (*writer)(const struct table *, const void *, FILE *),
			     char *error)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	bool done;

	if (!f || !form->header)
		return fail(error, "out of memory");
	writer(t, row, f);
	fclose(f);
	done = table_append(path, form, text, error);
	free(text);
	return done;
}

bool table_append_tsv(const struct table *t, const char *path, const void *row,
		      char *error)
{
	char *header = header_text(t);
	bool done = table_append_row(
		t, path, row, &(struct table_form){.header = header, .strict = true},
		write_tsv, error);

	free(header);
	return done;
}

bool table_append_json(const struct table *t, const char *path, const void *row,
		       char *error)
{
	char begin[64];
	struct table_form form = json_form(t, begin, sizeof begin);

	return table_append_row(t, path, row, &form, write_json, error);
}

/*
 * Columns have their unit at the end of their name; a unit's name is a column as well
 * (bytes, rate).
 */
static const char *table_unit(const struct table_column *c)
{
	static const struct {
		const char *end, *unit;
	} units[] = {
		{"_ns", "ns"},         {"_ns_per_op", "ns"},
		{"_us", "us"},         {"_ms", "ms"},
		{"_s", "s"},           {"seconds", "s"},
		{"_us_per_op", "us"},  {"_us_per_query", "us"},
		{"_kb_per_query", "KiB"},
		{"_bytes_per_op", "bytes"},
		{"_bytes_per_sec", "bytes/s"},
		{"_per_sec", "1/s"},   {"_per_sec_all_in", "1/s"},
		{"_fifth", "1/s"},
		{"rate", "1/s"},       {"bytes", "bytes"},
		{"key_size", "bytes"}, {"value_size", "bytes"},
		{"_kb", "KiB"},        {"_percent", "%"},
		{"_c", "degrees C"},
	};

	if (c->digits == TABLE_TEXT)
		return "text";
	for (size_t i = 0, length = strlen(c->name); i < sizeof units / sizeof *units;
	     i++) {
		size_t end = strlen(units[i].end);

		if (length >= end && !strcmp(c->name + length - end, units[i].end))
			return units[i].unit;
	}
	return "number";
}

void table_columns(const struct table *t, const char *prefix, FILE *to)
{
	for (unsigned i = 0; i < t->count; i++)
		fprintf(to, "%s%s\t%s\t%s\n", prefix, t->columns[i].name,
			table_unit(&t->columns[i]), t->columns[i].help);
}
