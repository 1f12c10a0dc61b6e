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

/*
 * Name of the disk, also for a partition. Returns false if the kernel does not provide
 * it.
 */
static bool find_disk_name(const struct device *d, char *name, size_t size)
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

/*
 * Reads the program's output, as much as fits; returns false if the program is missing or
 * fails.
 */
static bool run_nvme(const char *disk, char *text, size_t size)
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

/* The number after "name": in `text`; NaN if there is none. */
static double find_number(const char *text, const char *name)
{
	const char *at = strstr(text, name), *digits;
	char *end;
	double number;

	if (!at || !(digits = strchr(at + strlen(name), ':')))
		return NAN;
	number = strtod(digits + 1, &end);
	return end == digits + 1 ? NAN : number;
}

double nand_written_bytes(const struct device *d)
{
	static const char written[] = "\"Physical media units written\"";
	char disk[4200], text[32768];
	const char *at;

	if (!find_disk_name(d, disk, sizeof disk) || !run_nvme(disk, text, sizeof text) ||
	    !(at = strstr(text, written)))
		return NAN;
	return find_number(at, "\"hi\"") * 0x1p64 + find_number(at, "\"lo\"");
}
