/* trace_file.c: see trace_file.h. */
#include "trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define FAIL_SIZE TRACE_ERROR_SIZE
#include "fail.h"

extern char **environ;

const char *const trace_operation_names[TRACE_OPERATIONS] = {
	"get",    "gets",    "set",    "add",  "replace", "cas",
	"append", "prepend", "delete", "incr", "decr",    "scan",
};

const char *trace_file_compressor(const char *path)
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

bool trace_file_compress(struct trace *t, const char *program, bool reading, char *error)
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

bool trace_file_open(struct trace *t, const char *path, int flags, char *error)
{
	const char *program = trace_file_compressor(path);

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
	return !program || trace_file_compress(t, program, flags == O_RDONLY, error);
}

static bool write_to_file(struct trace *t, const char *data, size_t size, char *error)
{
	for (size_t done = 0; done < size;) {
		ssize_t n = write(t->fd, data + done, size - done);

		if (n < 0 && errno != EINTR)
			return fail(error, "%s: %s", t->path, strerror(errno));
		done += n > 0 ? (size_t)n : 0;
	}
	return true;
}

/*
 * If the compressor has ended, write() must fail with EPIPE instead of killing this
 * process.
 */
bool trace_file_write(struct trace *t, const char *data, size_t size, char *error)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
	bool good;

	sigaction(SIGPIPE, &ignore, &before);
	good = write_to_file(t, data, size, error);
	sigaction(SIGPIPE, &before, NULL);
	return good;
}

bool trace_file_flush(struct trace *t, char *error)
{
	bool good = trace_file_write(t, t->buffer, t->buffer_end, error);

	t->buffer_end = 0;
	return good;
}

bool trace_file_close(struct trace *t, bool good, char *error)
{
	int how = 0;

	if (t->fd >= 0 && close(t->fd) && good)
		good = fail(error, "%s: %s", t->path, strerror(errno));
	while (t->compressor_pid && waitpid(t->compressor_pid, &how, 0) < 0 &&
	       errno == EINTR)
		;
	/* The compressor of a file that is no longer read may end by SIGPIPE. */
	if (t->compressor_pid && how && good && (t->is_writer || t->ended))
		good = fail(error, "%s: %s failed", t->path,
			    trace_file_compressor(t->path));
	free(t->buffer);
	free(t->record.families);
	*t = (struct trace){.fd = -1};
	return good;
}

/* ---- reading ---- */

/* Reads more; returns false at the end, if reading failed, or if the buffer is full. */
static bool read_more(struct trace *t)
{
	size_t size = t->buffer_end - t->buffer_start;
	ssize_t n;

	if (t->ended || t->read_error)
		return false;
	if (t->buffer_start) {
		memmove(t->buffer, t->buffer + t->buffer_start, size);
		t->buffer_start = 0;
		t->buffer_end = size;
	}
	if (size == TRACE_BUFFER_SIZE)
		return false;
	do
		n = read(t->fd, t->buffer + size, TRACE_BUFFER_SIZE - size);
	while (n < 0 && errno == EINTR);
	t->read_error = n < 0 ? errno : 0;
	t->ended = !n;
	t->buffer_end += n > 0 ? (size_t)n : 0;
	return n > 0;
}

size_t trace_file_fill(struct trace *t, size_t want)
{
	while (t->buffer_end - t->buffer_start < want && read_more(t))
		;
	return t->buffer_end - t->buffer_start;
}

const char *trace_file_take(struct trace *t, size_t n)
{
	const char *at = t->buffer + t->buffer_start;

	t->buffer_start += n;
	t->offset += n;
	return at;
}

const char *trace_file_line(struct trace *t, size_t *size)
{
	size_t searched = 0;

	for (;;) {
		const char *text = t->buffer + t->buffer_start;
		size_t have = t->buffer_end - t->buffer_start;
		const char *end = memchr(text + searched, '\n', have - searched);

		*size = end ? (size_t)(end - text) : have;
		searched = have;
		if (!end && read_more(t))
			continue;
		/* a line that fills the buffer is too long: it is cut, and refused */
		if (t->read_error || (!*size && !end))
			return NULL;
		t->is_cut = !end;
		t->lines++;
		return trace_file_take(t, *size + (end != NULL));
	}
}

const char *trace_file_check_sizes(uint64_t key_size, uint64_t value_size)
{
	if (value_size > TRACE_VALUE_SIZE)
		return "its value has more than 256 MiB";
	return key_size > TRACE_KEY_SIZE ? "its key has more than 1024 bytes" : NULL;
}
