/* file_copy.c: see file_copy.h. */
#include "file_copy.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FAIL_SIZE FILE_COPY_ERROR_SIZE
#include "fail.h"

enum { FILE_COPY_CHUNK_SIZE = 1 << 20, FILE_COPY_PATH_SIZE = 4096 };

static bool write_copied(int fd, const char *bytes, size_t size)
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

static bool copy_bytes(int from, int to, char *buffer)
{
	ssize_t n;

	while ((n = read(from, buffer, FILE_COPY_CHUNK_SIZE)))
		if ((n < 0 && errno != EINTR) ||
		    (n > 0 && !write_copied(to, buffer, (size_t)n)))
			return false;
	return true;
}

bool file_copy(const char *from, const char *to, char *error)
{
	char *buffer = malloc(FILE_COPY_CHUNK_SIZE);
	int in = open(from, O_RDONLY | O_CLOEXEC);
	int out = in < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	bool done = buffer && out >= 0 && copy_bytes(in, out, buffer);
	int why = errno;

	free(buffer);
	if (in >= 0)
		close(in);
	if (out >= 0 && close(out) && done) {
		why = errno;
		done = false;
	}
	return done || fail(error, "cannot copy %s to %s: %s", from, to, strerror(why));
}

/* Copies one entry of a directory. */
static bool copy_entry(const char *from, const char *to, const char *name, char *error)
{
	char source[FILE_COPY_PATH_SIZE], target[FILE_COPY_PATH_SIZE];
	struct stat st;

	if (snprintf(source, sizeof source, "%s/%s", from, name) >= FILE_COPY_PATH_SIZE ||
	    snprintf(target, sizeof target, "%s/%s", to, name) >= FILE_COPY_PATH_SIZE)
		return fail(error, "cannot copy %s/%s: the path is too long", from, name);
	if (lstat(source, &st))
		return fail(error, "cannot copy %s: %s", source, strerror(errno));
	if (S_ISREG(st.st_mode))
		return file_copy(source, target, error);
	if (!S_ISDIR(st.st_mode))
		return true;
	if (mkdir(target, 0755))
		return fail(error, "cannot make %s: %s", target, strerror(errno));
	return file_copy_tree(source, target, error);
}

bool file_copy_tree(const char *from, const char *to, char *error)
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
