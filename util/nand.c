/* nand.c: see nand.h. */
#include "nand.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* The disk's name; of a partition that of the disk that it is part of. False if the
 * kernel does not say. */
static bool name_disk(const struct device *d, char *name, size_t size)
{
	char link[64], path[4096], part[4096 + 16], *slash;

	snprintf(link, sizeof link, "/sys/dev/block/%u:%u", d->major, d->minor);
	if (!d->known || !realpath(link, path))
		return false;
	snprintf(part, sizeof part, "%s/partition", path);
	if (!access(part, F_OK) && (slash = strrchr(path, '/')))
		*slash = '\0';
	slash = strrchr(path, '/');
	snprintf(name, size, "/dev/%s", slash ? slash + 1 : path);
	return true;
}

/* What the program prints, as much as there is room for; false if it is not there or
 * fails. */
static bool ask_nvme(const char *disk, char *text, size_t size)
{
	char *argv[] = {(char[]){"nvme"},
			(char[]){"ocp"},
			(char[]){"smart-add-log"},
			(char *)(uintptr_t)disk,
			(char[]){"-o"},
			(char[]){"json"},
			NULL};
	posix_spawn_file_actions_t actions;
	int ends[2], status = -1;
	size_t n = 0;
	ssize_t got;
	pid_t pid;

	if (pipe(ends))
		return false;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_addclose(&actions, ends[0]);
	posix_spawn_file_actions_addclose(&actions, ends[1]);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY,
					 0);
	if (posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ))
		pid = -1;
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	while (pid > 0 && ((got = read(ends[0], text + n, size - 1 - n)) > 0 ||
			   (got < 0 && errno == EINTR)))
		n += got > 0 ? (size_t)got : 0;
	text[n] = '\0';
	close(ends[0]);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return pid > 0 && WIFEXITED(status) && !WEXITSTATUS(status);
}

/* The number after "name": from `text` on; NaN if there is none. */
static double number_of(const char *text, const char *name)
{
	const char *at = strstr(text, name), *digits;
	char *end;
	double number;

	if (!at || !(digits = strchr(at + strlen(name), ':')))
		return NAN;
	number = strtod(digits + 1, &end);
	return end == digits + 1 ? NAN : number;
}

double nand_written(const struct device *d)
{
	static const char written[] = "\"Physical media units written\"";
	char disk[4200], text[32768];
	const char *at;

	if (!name_disk(d, disk, sizeof disk) || !ask_nvme(disk, text, sizeof text) ||
	    !(at = strstr(text, written)))
		return NAN;
	return number_of(at, "\"hi\"") * 0x1p64 + number_of(at, "\"lo\"");
}
