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

#ifdef __linux__
#include <linux/fs.h>
#include <sys/ioctl.h>
#endif

#include "os/file_cache.h"

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

/* Skip holes where the system reports them. Returns how many bytes follow as data. */
static off_t next_copied_part(int from, int to)
{
	off_t at = lseek(from, 0, SEEK_CUR), hole = -1;
	struct stat st;

#if defined SEEK_DATA && defined SEEK_HOLE
	off_t data = lseek(from, at, SEEK_DATA);

	if (data < 0 && errno == ENXIO)
		return 0;
	at = data < 0 ? at : data;
	hole = lseek(from, at, SEEK_HOLE);
#endif
	if (fstat(from, &st) || lseek(from, at, SEEK_SET) < 0 ||
	    lseek(to, at, SEEK_SET) < 0)
		return -1;
	return (hole < 0 ? st.st_size : hole) - at;
}

static bool copy_part(int from, int to, char *buffer, off_t bytes)
{
	while (bytes > 0) {
		ssize_t n = read(from, buffer,
				 bytes < FILE_COPY_CHUNK_SIZE ? (size_t)bytes
							      : FILE_COPY_CHUNK_SIZE);

		if ((n < 0 && errno != EINTR) ||
		    (n > 0 && !write_copied(to, buffer, (size_t)n)))
			return false;
		bytes = n ? bytes - (n < 0 ? 0 : n) : 0;
	}
	return true;
}

static bool copy_bytes(int from, int to, char *buffer)
{
	struct stat st;
	off_t part;

	while ((part = next_copied_part(from, to)) > 0)
		if (!copy_part(from, to, buffer, part))
			return false;
	return !part && !fstat(from, &st) && !ftruncate(to, st.st_size);
}

static bool clone_file(int from, int to)
{
#ifdef FICLONE
	return !ioctl(to, FICLONE, from);
#else
	(void)from, (void)to;
	return false;
#endif
}

static bool copy_synced(int from, int to, char *buffer)
{
	if (!clone_file(from, to) && !copy_bytes(from, to, buffer))
		return false;
	errno = file_cache_sync(to);
	return !errno;
}

/* Copies the contents of one file by a buffer; false with errno set. */
typedef bool copy_contents(int from, int to, char *buffer);

static bool copy_by(copy_contents *copy, const char *from, const char *to, char *error)
{
	char *buffer = malloc(FILE_COPY_CHUNK_SIZE);
	int in = open(from, O_RDONLY | O_CLOEXEC);
	int out = in < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	bool done = buffer && out >= 0 && copy(in, out, buffer);
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

bool file_copy(const char *from, const char *to, char *error)
{
	return copy_by(copy_bytes, from, to, error);
}

bool file_copy_can_clone(const char *file, const char *directory)
{
	char target[FILE_COPY_PATH_SIZE];
	bool can = false;
	int in, out;

	if (snprintf(target, sizeof target, "%s/clone", directory) >= FILE_COPY_PATH_SIZE)
		return false;
	in = open(file, O_RDONLY | O_CLOEXEC);
	out = in < 0 ? -1 : open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (out >= 0) {
		can = clone_file(in, out);
		close(out);
		unlink(target);
	}
	if (in >= 0)
		close(in);
	return can;
}

/* ---- directories ---- */

static bool tree_by(copy_contents *copy, const char *from, const char *to, char *error);

/* Copies one entry of a directory. */
static bool copy_entry(copy_contents *copy, const char *from, const char *to,
		       const char *name, char *error)
{
	char source[FILE_COPY_PATH_SIZE], target[FILE_COPY_PATH_SIZE];
	struct stat st;

	if (snprintf(source, sizeof source, "%s/%s", from, name) >= FILE_COPY_PATH_SIZE ||
	    snprintf(target, sizeof target, "%s/%s", to, name) >= FILE_COPY_PATH_SIZE)
		return fail(error, "cannot copy %s/%s: the path is too long", from, name);
	if (lstat(source, &st))
		return fail(error, "cannot copy %s: %s", source, strerror(errno));
	if (S_ISREG(st.st_mode))
		return copy_by(copy, source, target, error);
	if (!S_ISDIR(st.st_mode))
		return true;
	if (mkdir(target, 0755))
		return fail(error, "cannot make %s: %s", target, strerror(errno));
	return tree_by(copy, source, target, error);
}

static bool tree_by(copy_contents *copy, const char *from, const char *to, char *error)
{
	DIR *dir = opendir(from);
	struct dirent *entry;
	bool done = true;

	if (!dir)
		return fail(error, "cannot read %s: %s", from, strerror(errno));
	while (done && (entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			done = copy_entry(copy, from, to, entry->d_name, error);
	closedir(dir);
	return done;
}

bool file_copy_tree(const char *from, const char *to, char *error)
{
	return tree_by(copy_bytes, from, to, error);
}

bool file_copy_clone_tree(const char *from, const char *to, char *error)
{
	return tree_by(copy_synced, from, to, error);
}
