/* perf_control.c: see perf_control.h. */
#include "perf_control.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FAIL_SIZE PERF_CONTROL_ERROR_SIZE
#include "../fail.h"

/*
 * The FIFO is opened for reading, too: a profiler that ends then causes a missing
 * acknowledgement, not SIGPIPE. Linux defines this; POSIX leaves it undefined.
 */
static int open_fifo(const char *path, char *error)
{
	int fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0) {
		fail(error, "cannot open %s: %s", path, strerror(errno));
	} else if (fstat(fd, &st) || !S_ISFIFO(st.st_mode)) {
		fail(error, "%s is not a FIFO; make one with mkfifo", path);
		close(fd);
		fd = -1;
	}
	return fd;
}

static bool has_reader(const char *path)
{
	int fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return errno != ENXIO;
	close(fd);
	return true;
}

bool perf_control_open(struct perf_control *p, const char *fifos, char *error)
{
	char path[4096];
	const char *ack = strchr(fifos, ',');

	*p = (struct perf_control){-1, -1};
	snprintf(path, sizeof path, "%.*s", ack ? (int)(ack - fifos) : (int)strlen(fifos),
		 fifos);
	if (!has_reader(path))
		return fail(error,
			    "no process reads %s; start perf record "
			    "--control=fifo:%s first",
			    path, fifos);
	p->control_fd = open_fifo(path, error);
	if (p->control_fd < 0 || !ack)
		return p->control_fd >= 0;
	p->ack_fd = open_fifo(ack + 1, error);
	if (p->ack_fd < 0)
		close(p->control_fd);
	return p->ack_fd >= 0;
}

/* perf writes "ack", a newline and a zero byte. */
static bool await_ack(int fd)
{
	struct pollfd ready = {.fd = fd, .events = POLLIN};
	char byte = 0;
	int events;

	while (byte != '\n') {
		do
			events = poll(&ready, 1, 10000);
		while (events < 0 && errno == EINTR);
		if (events <= 0 || read(fd, &byte, 1) != 1)
			return false;
	}
	return true;
}

bool perf_control_send(const struct perf_control *p, const char *command, char *error)
{
	char line[32];
	int length = snprintf(line, sizeof line, "%s\n", command);

	if (write(p->control_fd, line, (size_t)length) != length)
		return fail(error, "the profiler was not sent '%s': %s", command,
			    strerror(errno));
	if (p->ack_fd >= 0 && !await_ack(p->ack_fd))
		return fail(error, "the profiler did not acknowledge '%s' within 10 s",
			    command);
	return true;
}
