/* trace.c: see trace.h. */
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "random.h"
#include "trace_binary.h"
#include "trace_text.h"

#define FAIL_SIZE TRACE_ERROR_SIZE
#include "fail.h"

enum { TRACE_HEAD_SIZE = 4096 }; /* bytes that tell the format */

/* ---- reading ---- */

/* The last one takes what no other does. */
static const struct trace_format *const trace_formats[] = {
	&trace_binary_rocksdb,
	&trace_binary_oracle,
	&trace_text_meta,
	&trace_text_twitter,
};

/* Is it compressed, though its name does not say so? */
static bool is_packed(const char *head, size_t size)
{
	return size > 4 &&
	       (!memcmp(head, "\x1f\x8b", 2) || !memcmp(head, "\x28\xb5\x2f\xfd", 4));
}

bool trace_open(struct trace *t, const char *path, char *error)
{
	size_t size, i = 0;

	if (!trace_file_open(t, path, O_RDONLY, error))
		return false;
	size = trace_file_fill(t, TRACE_HEAD_SIZE);
	if (t->read_error)
		return fail(error, "%s: %s", path, strerror(t->read_error));
	if (is_packed(t->buffer, size))
		return fail(error, "%s is compressed; name it *.gz or *.zst", path);
	while (!trace_formats[i]->matches(t->buffer, size))
		i++;
	t->format = trace_formats[i];
	return true;
}

bool trace_read(struct trace *t, struct trace_line *line, char *error)
{
	const char *why;

	*error = '\0';
	if (t->repeats) {
		t->repeats--;
		*line = t->repeated;
		return true;
	}
	*line = (struct trace_line){.ns = 0};
	why = t->format->read(t, line);
	if (!why) {
		if (t->repeats)
			t->repeated = *line;
		return true;
	}
	if (t->read_error)
		return fail(error, "%s: %s", t->path, strerror(t->read_error));
	if (!*why)
		return false;
	return fail(error, "%s: %s %llu: %s%s", t->path, t->format->unit,
		    (unsigned long long)(*t->format->unit == 'l' ? t->lines
								 : t->record_offset),
		    why, t->format->form);
}

void trace_summarize(const struct trace *t, char *to, size_t size)
{
	static const char *const texts[TRACE_REMARKS] = {
		[TRACE_REMARK_TTL] = "TTLs are ignored",
		[TRACE_REMARK_SOME_HITS] =
			"lines do not say which of their gets found a record",
		[TRACE_REMARK_SEEK] =
			"seeks read one record each, as it has no iterations",
		[TRACE_REMARK_BACKWARD] = "seeks backward go forward",
		[TRACE_REMARK_BOUNDS] = "seeks go without their bounds",
		[TRACE_REMARK_MERGE] = "merges are puts",
		[TRACE_REMARK_RANGE_DELETION] = "range deletions are left out",
		[TRACE_REMARK_FAMILY] =
			"keys of other column families begin with the family's number",
		[TRACE_REMARK_EMPTY_KEY] = "operations on the empty key are left out",
		[TRACE_REMARK_EARLIER] =
			"records are earlier than the one before, and have its time",
		[TRACE_REMARK_DELETE] = "deletes are left out",
		[TRACE_REMARK_SCAN] = "scans are left out",
	};
	bool is_oracle = t->is_oracle || t->format == &trace_binary_oracle,
	     is_rocksdb = t->format == &trace_binary_rocksdb;

	snprintf(to, size, "%s",
		 is_oracle      ? trace_binary_oracle.title
		 : t->is_writer ? trace_text_twitter.title
				: t->format->title);
	if (is_oracle)
		message_append(to, size, "; ", "it has no kinds of operations%s",
			       t->is_writer ? "" : ": all are gets");
	if (t->is_timeless)
		message_append(to, size, "; ", "it has no times");
	for (int i = 0; i < TRACE_REMARKS; i++)
		if (t->remarks[i])
			message_append(to, size, "; ", "%llu %s",
				       (unsigned long long)t->remarks[i], texts[i]);
	if (is_rocksdb && !t->record.is_ended)
		message_append(to, size, "; ",
			       "it has no end record, as if recording went on");
	if (is_rocksdb && t->record.has_rest)
		message_append(to, size, "; ", "what follows its end record is left out");
}

/* ---- writing ---- */

/* Is it a name of oracleGeneral, whatever suffixes follow? */
static bool is_oracle_name(const char *path)
{
	const char *name = strrchr(path, '/'), *dot;

	dot = strstr(name ? name : path, ".oracleGeneral");
	return dot && (!dot[14] || dot[14] == '.');
}

bool trace_check_create(const char *path, char *error)
{
	struct stat st;

	if (!stat(path, &st) && (!S_ISREG(st.st_mode) || st.st_size))
		return fail(error, "%s holds something else and is not overwritten",
			    path);
	return true;
}

/*
 * A file of oracleGeneral is written without the next accesses first: to an unnamed file,
 * as they can be set in a file only.
 */
static bool create_oracle(struct trace *t, const char *path, char *error)
{
	char unnamed[4096];
	bool good;

	snprintf(unnamed, sizeof unnamed, "%s.%ld", path, (long)getpid());
	good = trace_file_open(t, unnamed, O_RDWR | O_CREAT | O_EXCL, error);
	if (t->fd >= 0)
		unlink(unnamed);
	t->path = path;
	t->is_oracle = true;
	return good;
}

bool trace_create(struct trace *t, const char *path, char *error)
{
	if (!trace_check_create(path, error))
		return false;
	return is_oracle_name(path) ? create_oracle(t, path, error)
				    : trace_file_open(t, path, O_WRONLY | O_CREAT, error);
}

bool trace_write(struct trace *t, const struct trace_line *line, char *error)
{
	char *to;

	if (t->buffer_end + TRACE_LINE_SIZE > TRACE_BUFFER_SIZE &&
	    !trace_file_flush(t, error))
		return false;
	to = t->buffer + t->buffer_end;
	if (!t->is_oracle)
		t->buffer_end = (size_t)(trace_text_write(to, line) - t->buffer);
	else if (trace_binary_write_oracle(to, line))
		t->buffer_end += TRACE_BINARY_ORACLE_SIZE;
	else
		t->remarks[line->operation == TRACE_SCAN ? TRACE_REMARK_SCAN
							 : TRACE_REMARK_DELETE]++;
	return true;
}

/* Writes the records to the file of the trace, whose descriptor is the unnamed one's. */
static bool write_records(struct trace *t, const char *records, size_t size, char *error)
{
	const char *program = trace_file_compressor(t->path);

	close(t->fd);
	t->fd = open(t->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (t->fd < 0)
		return fail(error, "%s: %s", t->path, strerror(errno));
	return (!program || trace_file_compress(t, program, false, error)) &&
	       trace_file_write(t, records, size, error);
}

static bool finish_oracle(struct trace *t, char *error)
{
	struct stat st;
	char *records = NULL;
	bool good;

	if (!trace_file_flush(t, error))
		return false;
	if (fstat(t->fd, &st))
		return fail(error, "%s: %s", t->path, strerror(errno));
	if (st.st_size)
		records = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE,
			       MAP_SHARED, t->fd, 0);
	if (records == MAP_FAILED)
		return fail(error, "%s: cannot map: %s", t->path, strerror(errno));
	good = trace_binary_link_oracle(records, (uint64_t)st.st_size /
							 TRACE_BINARY_ORACLE_SIZE) ||
	       fail(error, "%s: out of memory for its objects", t->path);
	good = good && write_records(t, records, (size_t)st.st_size, error);
	if (records)
		munmap(records, (size_t)st.st_size);
	return good;
}

bool trace_close(struct trace *t, char *error)
{
	bool good = !t->is_writer ||
		    (t->is_oracle ? finish_oracle(t, error) : trace_file_flush(t, error));

	return trace_file_close(t, good, error);
}

/* ---- values ---- */

uint64_t trace_value_id(const char *key, size_t size, enum record_key_format form,
			size_t key_size)
{
	uint64_t id = size == key_size ? record_parse_key(key, size, form) : UINT64_MAX;

	if (id != UINT64_MAX)
		return id;
	id = size;
	while (size--)
		id = (id ^ (unsigned char)*key++) * 0x100000001b3u;
	return random_mix(id);
}
