/* row_file.c: writers for a table of columns; see row_file.h. */
#include "row_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define FAIL_SIZE ROW_FILE_ERROR_SIZE
#include "fail.h"

static const void *column_value(const void *row, const struct row_file_column *c)
{
	return (const char *)row + c->offset;
}

void row_file_set_unknown(const struct row_file_columns *t, void *row)
{
	for (const struct row_file_column *c = t->columns; c < t->columns + t->count; c++)
		if (c->decimals != ROW_FILE_TEXT)
			*(double *)(void *)((char *)row + c->offset) = NAN;
		else
			*(const char **)(void *)((char *)row + c->offset) = NULL;
}

/*
 * Text of a cell, of any length, in every format; "" if unknown. Numbers are written to
 * `to` (NUMBER_SIZE bytes).
 */
enum { NUMBER_SIZE = 512 };

static const char *format_cell(const void *row, const struct row_file_column *c, char *to)
{
	const char *text;
	double x;

	to[0] = '\0';
	if (c->decimals == ROW_FILE_TEXT) {
		text = *(const char *const *)column_value(row, c);
		return text ? text : "";
	}
	x = *(const double *)column_value(row, c);
	if (isfinite(x))
		snprintf(to, NUMBER_SIZE, "%.*f", c->decimals, x);
	return to;
}

/*
 * Writes text without characters that would break a row, and with a backslash before
 * these.
 */
static void write_escaped(const char *text, const char *escaped, FILE *to)
{
	for (; *text; text++) {
		if (strchr(escaped, *text))
			fputc('\\', to);
		fputc((unsigned char)*text < ' ' ? ' ' : *text, to);
	}
}

static void write_header(const struct row_file_columns *t, FILE *to)
{
	for (unsigned i = 0; i < t->count; i++)
		fprintf(to, "%s%s", i ? "\t" : "", t->columns[i].name);
	fputc('\n', to);
}

static void write_tsv(const struct row_file_columns *t, const void *row, FILE *to)
{
	char number[NUMBER_SIZE];

	for (unsigned i = 0; i < t->count; i++) {
		fputs(i ? "\t" : "", to);
		write_escaped(format_cell(row, &t->columns[i], number), "", to);
	}
	fputc('\n', to);
}

static void write_json(const struct row_file_columns *t, const void *row, FILE *to)
{
	char number[NUMBER_SIZE];

	for (unsigned i = 0; i < t->count; i++) {
		const char *value = format_cell(row, &t->columns[i], number);

		fprintf(to, "%s\"%s\":", i ? "," : "{", t->columns[i].name);
		if (!*value) {
			fputs("null", to);
		} else if (t->columns[i].decimals == ROW_FILE_TEXT) {
			fputc('"', to);
			write_escaped(value, "\"\\", to);
			fputc('"', to);
		} else {
			fputs(value, to);
		}
	}
	fputs("}\n", to);
}

/*
 * Ends a text of open_memstream: a string, in whole blocks. An allocator that keeps freed
 * memory of each small size would grow with texts of many sizes, as a leak does.
 */
static void close_text(FILE *f)
{
	enum { BLOCK = 4096 };

	do
		putc('\0', f);
	while (ftell(f) % BLOCK);
	fclose(f);
}

/* The required first line of a file, or NULL if any will do. The caller frees it. */
static char *header_text(const struct row_file_columns *t)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (f) {
		write_header(t, f);
		close_text(f);
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
 * Offset of a file's last line; the file's size if that line ends in a newline; -1 with
 * errno set if it cannot be read.
 */
static off_t last_line_start(int fd, off_t size)
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

/* Whether the file has these bytes at this offset, as far as the file goes. */
static bool file_has(int fd, off_t at, const char *bytes)
{
	size_t size = strlen(bytes);
	char *text = malloc(size + 1);
	ssize_t n = text ? pread(fd, text, size, at) : -1;
	bool same = n >= 0 && !memcmp(text, bytes, (size_t)n);

	free(text);
	return same;
}

/*
 * Opens and locks a file for appending. If `change` is set, it is created, and an
 * incomplete last row is removed: a line without a newline that begins as our rows do, or
 * any such line in a file with our header. Returns -1 on failure.
 */
static int open_for_append(const char *path, const struct row_file_format *format,
			   bool change, char *error)
{
	int fd = open(path, O_RDWR | O_APPEND | O_CLOEXEC | (change ? O_CREAT : 0), 0644);
	struct stat st;
	off_t incomplete;

	if (fd < 0 || fstat(fd, &st)) {
		fail(error, "cannot append to %s: %s", path, strerror(errno));
	} else if (!S_ISREG(st.st_mode)) {
		return fd;
	} else {
		/*
		 * without the lock, a row that another process is writing would look
		 * incomplete
		 */
		flock(fd, LOCK_EX);
		if (fstat(fd, &st))
			st.st_size = 0;
		incomplete = last_line_start(fd, st.st_size);
		if (incomplete < 0)
			fail(error, "cannot append to %s, which cannot be read: %s", path,
			     strerror(errno));
		else if (format->strict && !file_has(fd, 0, format->header))
			fail(error,
			     "%s has another header, so it holds other columns; name "
			     "another file",
			     path);
		else if (!change || incomplete == st.st_size ||
			 !(format->strict ||
			   (format->row_prefix &&
			    file_has(fd, incomplete, format->row_prefix))) ||
			 !ftruncate(fd, incomplete))
			return fd;
		else
			fail(error, "cannot mend %s: %s", path, strerror(errno));
	}
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Writes all of it; returns 0 or errno. */
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

/* Standard output while only rows go there, or -1. */
static int stdout_of_rows = -1;

bool row_file_take_stdout(void)
{
	if (stdout_of_rows < 0)
		stdout_of_rows = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	return stdout_of_rows >= 0 && !fflush(stdout) &&
	       dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
}

static bool is_stdout(const char *path)
{
	return stdout_of_rows >= 0 && !strcmp(path, "-");
}

static bool write_to_stdout(const char *text, char *error)
{
	int rc = write_all(stdout_of_rows, text, strlen(text));

	return !rc || fail(error, "cannot write to standard output: %s", strerror(rc));
}

/* Unless it is a file that has rows. */
static bool write_header_to_stdout(const char *header, char *error)
{
	struct stat st;
	bool has_rows = !fstat(stdout_of_rows, &st) && S_ISREG(st.st_mode) && st.st_size;

	return has_rows || write_to_stdout(header, error);
}

static bool append_to_file(const char *path, const struct row_file_format *format,
			   const char *row, char *error)
{
	int rc, fd = open_for_append(path, format, true, error);
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
			      (last = last_line_start(fd, st.st_size)) < 0)
		     ? errno
		     : 0;
	if (!rc) {
		/* A foreign line without a newline is kept, and ended first. */
		fprintf(f, "%s%s%s",
			S_ISREG(st.st_mode) && last != st.st_size ? "\n" : "",
			S_ISREG(st.st_mode) && !st.st_size ? format->header : "", row);
	}
	if (f)
		close_text(f);
	if (!rc && (rc = text ? write_all(fd, text, strlen(text)) : ENOMEM) &&
	    S_ISREG(st.st_mode) && ftruncate(fd, st.st_size))
		rc = errno;
	if (rc)
		fail(error, "cannot append to %s: %s", path, strerror(rc));
	free(text);
	close(fd);
	return !rc;
}

bool row_file_append(const char *path, const struct row_file_format *format,
		     const char *row, char *error)
{
	return is_stdout(path) ? write_to_stdout(row, error)
			       : append_to_file(path, format, row, error);
}

/* Whether a file can be created in the directory of this path. */
static bool can_create(const char *path)
{
	char *copy = strdup(path);
	bool can = copy && !access(dirname(copy), W_OK | X_OK);

	free(copy);
	return can;
}

bool row_file_check(const char *path, const struct row_file_format *format, char *error)
{
	int fd;

	if (is_stdout(path))
		return true;
	if (access(path, F_OK) && errno == ENOENT)
		return can_create(path) ||
		       fail(error, "cannot append to %s: %s", path, strerror(errno));
	fd = open_for_append(path, format, false, error);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

bool row_file_check_tsv(const struct row_file_columns *t, const char *path, char *error)
{
	char *header = header_text(t);
	bool fits =
		row_file_check(path,
			       &(struct row_file_format){.header = header ? header : "",
							 .strict = true},
			       error);

	/* here and not before its first row, as each row may be of a process of its own */
	if (header && is_stdout(path))
		fits = write_header_to_stdout(header, error);
	free(header);
	return fits;
}

/* The prefix of each of our lines. */
static struct row_file_format json_format(const struct row_file_columns *t, char *begin,
					  size_t size)
{
	snprintf(begin, size, "{\"%s\":", t->columns[0].name);
	return (struct row_file_format){.header = "", .row_prefix = begin};
}

bool row_file_check_json(const struct row_file_columns *t, const char *path, char *error)
{
	char begin[64];
	struct row_file_format format = json_format(t, begin, sizeof begin);

	return row_file_check(path, &format, error);
}

static bool append_row(const struct row_file_columns *t, const char *path,
		       const void *row, const struct row_file_format *format,
		       void (*writer)(const struct row_file_columns *, const void *,
				      FILE *),
		       char *error)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	bool done;

	if (!f || !format->header)
		return fail(error, "out of memory");
	writer(t, row, f);
	close_text(f);
	done = row_file_append(path, format, text, error);
	free(text);
	return done;
}

bool row_file_append_tsv(const struct row_file_columns *t, const char *path,
			 const void *row, char *error)
{
	char *header = header_text(t);
	bool done =
		append_row(t, path, row,
			   &(struct row_file_format){.header = header, .strict = true},
			   write_tsv, error);

	free(header);
	return done;
}

bool row_file_append_json(const struct row_file_columns *t, const char *path,
			  const void *row, char *error)
{
	char begin[64];
	struct row_file_format format = json_format(t, begin, sizeof begin);

	return append_row(t, path, row, &format, write_json, error);
}

/*
 * A column's name ends in its unit; some units are names of columns themselves (bytes,
 * rate).
 */
static const char *column_unit(const struct row_file_column *c)
{
	static const struct {
		const char *end, *unit;
	} units[] = {
		{"_ns", "ns"},
		{"_ns_per_op", "ns"},
		{"_us", "us"},
		{"_ms", "ms"},
		{"_s", "s"},
		{"seconds", "s"},
		{"_us_per_op", "us"},
		{"_us_per_query", "us"},
		{"_kb_per_query", "KiB"},
		{"_bytes_per_op", "bytes"},
		{"_bytes_per_sec", "bytes/s"},
		{"_per_sec", "1/s"},
		{"_per_sec_all_in", "1/s"},
		{"_fifth", "1/s"},
		{"rate", "1/s"},
		{"bytes", "bytes"},
		{"key_size", "bytes"},
		{"value_size", "bytes"},
		{"_kb", "KiB"},
		{"_percent", "%"},
		{"_c", "degrees C"},
		{"_quota", "CPUs"},
	};

	for (size_t i = 0, length = strlen(c->name); i < sizeof units / sizeof *units;
	     i++) {
		size_t end = strlen(units[i].end);

		if (length >= end && !strcmp(c->name + length - end, units[i].end))
			return units[i].unit;
	}
	return "";
}

void row_file_print_columns(const struct row_file_columns *t, const char *table, FILE *to)
{
	const struct row_file_column *c = t->columns, *end = c + t->count;

	for (; c < end; c++)
		fprintf(to, "%s\t%s\t%s\t%s\t%s\n", table, c->name,
			c->decimals == ROW_FILE_TEXT ? "text"
			: c->decimals                ? "real"
						     : "integer",
			c->decimals == ROW_FILE_TEXT ? "" : column_unit(c), c->help);
}
