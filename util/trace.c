/* trace.c: see trace.h. */
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "random.h"

#define FAIL_SIZE TRACE_ERROR_SIZE
#include "fail.h"

extern char **environ;

enum { TRACE_BUFFER_SIZE = 1 << 20 };

const char *const trace_operation_names[TRACE_OPERATIONS] = {
	"get",	  "gets",    "set",    "add",  "replace", "cas",
	"append", "prepend", "delete", "incr", "decr",	  "scan",
};

/* ---- files, and programs that compress them ---- */

/* The compressor for this name; NULL: the file is not compressed. */
static const char *compressor_of(const char *path)
{
	static const struct {
		const char *ending, *program;
	} programs[] = {{".gz", "gzip"}, {".zst", "zstd"}};
	size_t length = strlen(path);

	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
		size_t tail = strlen(programs[i].ending);

		if (length > tail && !strcmp(path + length - tail, programs[i].ending))
			return programs[i].program;
	}
	return NULL;
}

/* Starts a compressor for the file t->fd, which becomes our end of a pipe to it. */
static bool start_compressor(struct trace *t, const char *program, bool reading,
			     char *error)
{
	char *words[] = {(char *)(uintptr_t)program, reading ? "-dcq" : "-cq", NULL};
	posix_spawn_file_actions_t actions;
	int ends[2], rc;

	if (pipe(ends))
		return fail(error, "%s: no pipe: %s", t->path, strerror(errno));
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, reading ? t->fd : ends[0], 0);
	posix_spawn_file_actions_adddup2(&actions, reading ? ends[1] : t->fd, 1);
	/* our own message reports its failure */
	posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
	rc = posix_spawnp(&t->compressor_pid, program, &actions, NULL, words, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(t->fd);
	close(ends[reading]);
	t->fd = ends[!reading];
	if (!rc)
		return true;
	t->compressor_pid = 0;
	return fail(error, "%s: cannot run %s: %s; install it, or name a plain file",
		    t->path, program, strerror(rc));
}

static bool open_trace(struct trace *t, const char *path, int flags, char *error)
{
	const char *program = compressor_of(path);

	*t = (struct trace){
		.path = path,
		.fd = open(path, flags | O_CLOEXEC, 0666),
		.is_writer = flags != O_RDONLY,
	};
	if (t->fd < 0)
		return fail(error, "%s: %s", path, strerror(errno));
	t->buffer = malloc(TRACE_BUFFER_SIZE);
	if (!t->buffer)
		return fail(error, "out of memory");
	return !program || start_compressor(t, program, flags == O_RDONLY, error);
}

bool trace_open(struct trace *t, const char *path, char *error)
{
	return open_trace(t, path, O_RDONLY, error);
}

bool trace_check_create(const char *path, char *error)
{
	struct stat st;

	if (!stat(path, &st) && (!S_ISREG(st.st_mode) || st.st_size))
		return fail(error, "%s holds something else and is not overwritten",
			    path);
	return true;
}

bool trace_create(struct trace *t, const char *path, char *error)
{
	return trace_check_create(path, error) &&
	       open_trace(t, path, O_WRONLY | O_CREAT, error);
}

static bool write_buffered(struct trace *t, char *error)
{
	for (size_t done = 0; done < t->buffer_end;) {
		ssize_t n = write(t->fd, t->buffer + done, t->buffer_end - done);

		if (n < 0 && errno != EINTR)
			return fail(error, "%s: %s", t->path, strerror(errno));
		done += n > 0 ? (size_t)n : 0;
	}
	t->buffer_end = 0;
	return true;
}

/*
 * If the compressor has ended, write() must fail with EPIPE instead of killing this
 * process.
 */
static bool write_buffered_ignoring_sigpipe(struct trace *t, char *error)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
	bool good;

	sigaction(SIGPIPE, &ignore, &before);
	good = write_buffered(t, error);
	sigaction(SIGPIPE, &before, NULL);
	return good;
}

bool trace_close(struct trace *t, char *error)
{
	bool good = !t->is_writer || write_buffered_ignoring_sigpipe(t, error);
	int how = 0;

	if (t->fd >= 0 && close(t->fd) && good)
		good = fail(error, "%s: %s", t->path, strerror(errno));
	while (t->compressor_pid && waitpid(t->compressor_pid, &how, 0) < 0 &&
	       errno == EINTR)
		;
	/* The compressor of a file that is no longer read may end by SIGPIPE. */
	if (t->compressor_pid && how && good && (t->is_writer || t->ended))
		good = fail(error, "%s: %s failed", t->path,
			    compressor_of(t->path));
	free(t->buffer);
	*t = (struct trace){.fd = -1};
	return good;
}

/* ---- reading ---- */

/*
 * Returns the next line without its end, or NULL: at the end, or with the reason in
 * `error`.
 */
static char *next_line(struct trace *t, size_t *size, char *error)
{
	error[0] = '\0';
	for (;;) {
		char *text = t->buffer + t->buffer_start,
		     *end = memchr(text, '\n', t->buffer_end - t->buffer_start);
		ssize_t n;

		*size = end ? (size_t)(end - text) : t->buffer_end - t->buffer_start;
		if (end || (t->ended && *size)) {
			t->is_cut = !end;
			t->buffer_start += *size + (end != NULL);
			t->lines++;
			return text;
		}
		if (t->ended)
			return NULL;
		memmove(t->buffer, text, *size);
		t->buffer_start = 0;
		t->buffer_end = *size;
		/*
		 * a line that fills the buffer is too long: it is cut, and refused for
		 * that
		 */
		n = t->buffer_end == TRACE_BUFFER_SIZE
			    ? 0
			    : read(t->fd, t->buffer + t->buffer_end,
				   TRACE_BUFFER_SIZE - t->buffer_end);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			fail(error, "%s: %s", t->path, strerror(errno));
			return NULL;
		}
		t->ended = !n;
		t->buffer_end += (size_t)n;
	}
}

/*
 * Parses a whole number at *text, followed by a comma or the end; returns false if there
 * is none.
 */
static bool parse_integer(const char **text, const char *end, uint64_t *to)
{
	const char *p = *text;
	uint64_t n = 0;

	for (; p < end && *p >= '0' && *p <= '9'; p++) {
		if (n > (UINT64_MAX - 9) / 10)
			return false;
		n = n * 10 + (uint64_t)(*p - '0');
	}
	if (p == *text || (p < end && *p != ','))
		return false;
	*to = n;
	*text = p + (p < end);
	return true;
}

/* Parses seconds, with or without decimals, as nanoseconds. */
static bool parse_seconds(const char **text, const char *end, uint64_t *ns)
{
	const char *p = *text;
	uint64_t n = 0, unit = 1000000000;

	for (; p < end && *p >= '0' && *p <= '9'; p++) {
		if (n > 1000000000000)
			return false;
		n = n * 10 + (uint64_t)(*p - '0');
	}
	if (p == *text)
		return false;
	*ns = n * unit;
	if (p < end && *p == '.')
		for (p++; p < end && *p >= '0' && *p <= '9'; p++)
			*ns += (uint64_t)(*p - '0') * (unit /= 10);
	if (p == end || *p != ',')
		return false;
	*text = p + 1;
	return true;
}

static int hex_value(char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
				      : -1;
}

/* Decodes %XX into bytes; returns how many. */
static size_t decode_key(const char *text, size_t size, char *to)
{
	size_t n = 0;

	for (size_t i = 0; i < size; i++) {
		int high = i + 2 < size && text[i] == '%' ? hex_value(text[i + 1]) : -1;
		int low = high < 0 ? -1 : hex_value(text[i + 2]);

		to[n++] = (char)(low < 0 ? text[i] : high << 4 | low);
		i += low < 0 ? 0 : 2;
	}
	return n;
}

/*
 * Sets the key of a line with this stated size: the text itself, or its decoded bytes. An
 * anonymized key may differ in size: it is kept whole, padded if it is shorter. No text
 * contains a comma: padding makes no two keys equal.
 */
static void set_line_key(struct trace *t, struct trace_line *line, const char *text,
			 size_t size)
{
	size_t stated_size = line->key_size, n = size;

	if (size != stated_size && memchr(text, '%', size))
		n = decode_key(text, size, t->key);
	if (n != stated_size || n == size)
		memcpy(t->key, text, n = size);
	while (n < stated_size)
		t->key[n++] = ',';
	line->key = t->key;
	line->key_size = n;
}

static bool parse_operation(const char **text, const char *end,
			    enum trace_operation *what)
{
	const char *comma = memchr(*text, ',', (size_t)(end - *text));
	size_t size = comma ? (size_t)(comma - *text) : 0;

	for (int i = 0; i < TRACE_OPERATIONS; i++)
		if (strlen(trace_operation_names[i]) == size &&
		    !memcmp(*text, trace_operation_names[i], size)) {
			*what = (enum trace_operation)i;
			*text += size + 1;
			return true;
		}
	return false;
}

/* Parses the eighth column, which a line need not have: 1, 0 or nothing. */
static bool parse_found(const char *p, const char *end, bool has_column,
			enum trace_found *found)
{
	*found = TRACE_FOUND_UNKNOWN;
	if (p == end)
		return true;
	if (!has_column || end - p != 1 || (*p != '0' && *p != '1'))
		return false;
	*found = *p == '1' ? TRACE_FOUND : TRACE_FOUND_NOT;
	return true;
}

/* Parses a line; returns NULL, or the problem. */
static const char *parse_line(struct trace *t, struct trace_line *line, const char *p,
			      size_t size)
{
	const char *end = p + size, *key, *comma;
	uint64_t key_size;

	if (end > p && end[-1] == '\r')
		end--;
	if (end - p > TRACE_LINE_SIZE)
		return "the line is too long";
	if (t->is_cut)
		return "the last line has no end, as if the file were cut; if it is "
		       "whole, end it with a newline";
	if (!parse_seconds(&p, end, &line->ns))
		return "the first column is not a time in seconds";
	key = p;
	comma = memchr(p, ',', (size_t)(end - p));
	if (!comma || comma == key)
		return "the second column is not a key";
	p = comma + 1;
	if (!parse_integer(&p, end, &key_size) || !key_size)
		return "the third column is not the size of a key";
	if (!parse_integer(&p, end, &line->value_size))
		return "the fourth column is not the size of a value";
	if (!parse_integer(&p, end, &line->client))
		return "the fifth column is not the number of a client";
	if (!parse_operation(&p, end, &line->operation))
		return "the sixth column is not an operation";
	if (p == end || !parse_integer(&p, end, &line->ttl))
		return "the seventh column is not a TTL";
	if (!parse_found(p, end, p[-1] == ',', &line->found))
		return "the eighth column is not 1, 0 or empty";
	if (line->value_size > TRACE_VALUE_SIZE)
		return "its value has more than 256 MiB";
	if (key_size > TRACE_KEY_SIZE || comma - key > 3 * TRACE_KEY_SIZE)
		return "its key has more than 1024 bytes";
	line->key_size = (size_t)key_size;
	set_line_key(t, line, key, (size_t)(comma - key));
	return line->key_size > TRACE_KEY_SIZE ? "its key has more than 1024 bytes"
					       : NULL;
}

bool trace_read(struct trace *t, struct trace_line *line, char *error)
{
	size_t size;
	const char *text = next_line(t, &size, error), *why;

	if (!text)
		return false;
	why = parse_line(t, line, text, size);
	if (!why)
		return true;
	return fail(error,
		    "%s: line %llu: %s; a line is time,key,key size,value "
		    "size,client,operation,TTL[,found]",
		    t->path, (unsigned long long)t->lines, why);
}

/* ---- writing ---- */

static bool is_plain(unsigned char c)
{
	return c > ' ' && c < 127 && c != ',' && c != '%' && c != '"';
}

static size_t encode_key(const char *key, size_t size, char *to)
{
	static const char digits[] = "0123456789ABCDEF";
	size_t n = 0;

	for (size_t i = 0; i < size; i++) {
		unsigned char c = (unsigned char)key[i];

		to[n++] = is_plain(c) ? (char)c : '%';
		if (is_plain(c))
			continue;
		to[n++] = digits[c >> 4];
		to[n++] = digits[c & 15];
	}
	return n;
}

bool trace_write(struct trace *t, const struct trace_line *line, char *error)
{
	static const char *const found[] = {"", "0", "1"};
	char *to;

	if (t->buffer_end + TRACE_LINE_SIZE > TRACE_BUFFER_SIZE &&
	    !write_buffered_ignoring_sigpipe(t, error))
		return false;
	to = t->buffer + t->buffer_end;
	to += sprintf(to, "%llu.%09llu,", (unsigned long long)(line->ns / 1000000000),
		      (unsigned long long)(line->ns % 1000000000));
	to += encode_key(line->key, line->key_size, to);
	to += sprintf(to, ",%zu,%llu,%llu,%s,%llu,%s\n", line->key_size,
		      (unsigned long long)line->value_size,
		      (unsigned long long)line->client,
		      trace_operation_names[line->operation],
		      (unsigned long long)line->ttl, found[line->found]);
	t->buffer_end = (size_t)(to - t->buffer);
	return true;
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
