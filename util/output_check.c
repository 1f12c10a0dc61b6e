/* output_check.c: find the files that names lead to; see output_check.h. */
#include "output_check.h"

#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FAIL_SIZE ROW_FILE_ERROR_SIZE
#include "fail.h"

static bool is_same_inode(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Shells pass their descriptors at 63 and below. */
static bool is_open_here(const struct stat *st)
{
	struct stat own;

	for (int fd = 1; fd < 256; fd++)
		if (!fstat(fd, &own) && is_same_inode(st, &own))
			return true;
	return false;
}

bool output_check_opens(const char *path, char *error)
{
	struct stat st;

	if (stat(path, &st) || !(S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)) ||
	    is_open_here(&st))
		return true;
	return fail(
		error,
		"%s is a %s, which waits for somebody to read it; name a regular file",
		path, S_ISFIFO(st.st_mode) ? "named pipe" : "socket");
}

/*
 * Replaces the name of a link by its target until it is not a link. Returns false if
 * links form a cycle or are too long.
 */
static bool follow_links(char path[PATH_MAX])
{
	enum { LINKS = 40 }; /* Linux's limit (path_resolution(7)) */

	for (int links = 0; links < LINKS; links++) {
		char target[PATH_MAX], copy[PATH_MAX];
		ssize_t size = readlink(path, target, sizeof target - 1);
		int length;

		if (size < 0)
			return true;
		target[size] = '\0';
		memcpy(copy, path, sizeof copy);
		length = *target == '/' ? snprintf(path, PATH_MAX, "%s", target)
					: snprintf(path, PATH_MAX, "%s/%s", dirname(copy),
						   target);
		if (length >= PATH_MAX)
			return false;
	}
	return false;
}

/*
 * The directory in which open(2) would create a file of this name, and the name of that
 * file.
 */
static bool find_destination(const char *name, struct stat *directory,
			     char base[PATH_MAX])
{
	char path[PATH_MAX], copy[PATH_MAX];

	if (snprintf(path, sizeof path, "%s", name) >= PATH_MAX || !follow_links(path))
		return false;
	memcpy(copy, path, sizeof copy);
	snprintf(base, PATH_MAX, "%s", basename(copy));
	return !stat(dirname(path), directory);
}

bool output_check_same_file(const char *a, const char *b)
{
	struct stat of_a, of_b;
	char name_a[PATH_MAX], name_b[PATH_MAX];
	bool has_a = !stat(a, &of_a), has_b = !stat(b, &of_b);

	if (has_a && has_b)
		return is_same_inode(&of_a, &of_b) && !S_ISCHR(of_a.st_mode);
	return !has_a && !has_b && find_destination(a, &of_a, name_a) &&
	       find_destination(b, &of_b, name_b) && is_same_inode(&of_a, &of_b) &&
	       !strcmp(name_a, name_b);
}
