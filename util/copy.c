/* copy.c: see copy.h. */
#include "copy.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FAIL_SIZE COPY_ERROR
#include "fail.h"

enum { COPY_AT_ONCE = 1 << 20, COPY_PATH = 4096 };

static bool copy_out(int fd, const char *bytes, size_t size)
{
	while (size) {
		ssize_t n = write(fd, bytes, size);

		if (n < 0 && errno != EINTR)
			return false;
		bytes += n < 0 ? 0 : n;
		size -= n < 0 ? 0 : (size_t)n;
	}
	return true;
}

static bool copy_bytes(int from, int to, char *room)
{
	ssize_t n;

	while ((n = read(from, room, COPY_AT_ONCE)))
		if ((n < 0 && errno != EINTR) ||
		    (n > 0 && !copy_out(to, room, (size_t)n)))
			return false;
	return true;
}

bool copy_file(const char *from, const char *to, char *error)
{
	char *room = malloc(COPY_AT_ONCE);
	int in = open(from, O_RDONLY | O_CLOEXEC);
	int out = in < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	bool done = room && out >= 0 && copy_bytes(in, out, room);
	int why = errno;

	free(room);
	if (in >= 0)
		close(in);
	if (out >= 0 && close(out) && done) {
		why = errno;
		done = false;
	}
	return done || fail(error, "cannot copy %s to %s: %s", from, to, strerror(why));
}

/* One entry of a directory. */
static bool copy_entry(const char *from, const char *to, const char *name, char *error)
{
	char source[COPY_PATH], target[COPY_PATH];
	struct stat st;

	if (snprintf(source, sizeof source, "%s/%s", from, name) >= COPY_PATH ||
	    snprintf(target, sizeof target, "%s/%s", to, name) >= COPY_PATH)
		return fail(error, "cannot copy %s/%s: the path is too long", from, name);
	if (lstat(source, &st))
		return fail(error, "cannot copy %s: %s", source, strerror(errno));
	if (S_ISREG(st.st_mode))
		return copy_file(source, target, error);
	if (!S_ISDIR(st.st_mode))
		return true;
	if (mkdir(target, 0755))
		return fail(error, "cannot make %s: %s", target, strerror(errno));
	return copy_tree(source, target, error);
}

bool copy_tree(const char *from, const char *to, char *error)
{
	DIR *dir = opendir(from);
	struct dirent *entry;
	bool done = true;

	if (!dir)
		return fail(error, "cannot read %s: %s", from, strerror(errno));
	while (done && (entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			done = copy_entry(from, to, entry->d_name, error);
	closedir(dir);
	return done;
}
