/* cgroup.c: control groups by their files; see cgroup.h. */
#include "cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FAIL_SIZE CGROUP_ERROR_SIZE
#include "../fail.h"
#include "host.h"

extern char **environ; /* POSIX leaves its declaration to the program */

/* Set for a program that was restarted in a scope: a second restart would not help. */
#define SCOPE_VARIABLE "ASSAY_SCOPE"

static bool write_cgroup_file(const char *directory, const char *file, const char *text)
{
	char path[CGROUP_PATH_SIZE + 64];
	int fd;
	ssize_t wrote;

	snprintf(path, sizeof path, "%s/%s", directory, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	wrote = write(fd, text, strlen(text));
	close(fd);
	return wrote == (ssize_t)strlen(text);
}

/* Reads a file's contents into `to`. Returns false if it cannot be read. */
static bool read_cgroup_file(const char *directory, const char *file, char *to,
			     size_t size)
{
	char path[CGROUP_PATH_SIZE + 64];

	snprintf(path, sizeof path, "%s/%s", directory, file);
	return host_read_text(path, to, size);
}

/* The mount point of a hierarchy, and this process's path in it. */
struct cgroup_location {
	char mount[CGROUP_PATH_SIZE / 2], path[CGROUP_PATH_SIZE / 2];
};

/*
 * Finds the mount point in /proc/mounts with this type and, unless it is empty, this
 * option.
 */
static bool find_cgroup_mount(const char *type, const char *option, char *mount,
			      size_t size)
{
	char line[4096], where[2048], kind[64], options[1024];
	bool found = false;
	FILE *f = fopen("/proc/mounts", "re");

	while (f && !found && fgets(line, sizeof line, f)) {
		char *rest = options, *word;

		if (sscanf(line, "%*s %2047s %63s %1023s", where, kind, options) != 3 ||
		    strcmp(kind, type))
			continue;
		found = !*option;
		while (!found && (word = strsep(&rest, ",")))
			found = !strcmp(word, option);
		if (found)
			snprintf(mount, size, "%s", where);
	}
	if (f)
		fclose(f);
	return found;
}

/*
 * This process's group in the hierarchy of a controller. An empty controller means
 * version 2.
 */
static void find_own_cgroup(const char *controller, char *own, size_t size)
{
	char line[4096];
	FILE *f = fopen("/proc/self/cgroup", "re");

	snprintf(own, size, "/");
	while (f && fgets(line, sizeof line, f)) {
		char *controllers = strchr(line, ':'),
		     *path = controllers ? strchr(controllers + 1, ':') : NULL;

		if (!path)
			continue;
		*path++ = '\0';
		path[strcspn(path, "\n")] = '\0';
		if (!strcmp(controllers + 1, controller))
			snprintf(own, size, "%s", path);
	}
	if (f)
		fclose(f);
}

/*
 * Removes groups whose program was killed before it could remove them; groups in use
 * stay.
 */
static void remove_stale_cgroups(const char *parent)
{
	char path[CGROUP_PATH_SIZE + 256];
	struct dirent *entry;
	DIR *dir = opendir(parent);
	int pid;

	while (dir && (entry = readdir(dir))) {
		if ((sscanf(entry->d_name, "assay-%d-", &pid) != 1 &&
		     sscanf(entry->d_name, "assay-main-%d", &pid) != 1) ||
		    !kill(pid, 0) || errno != ESRCH)
			continue;
		snprintf(path, sizeof path, "%.*s/%s", CGROUP_PATH_SIZE - 64, parent,
			 entry->d_name);
		rmdir(path);
	}
	if (dir)
		closedir(dir);
}

/* Creates a group with the limit below this parent; returns false if that fails. */
static bool create_below(struct cgroup *g, const char *parent, uint64_t bytes)
{
	char text[32];

	snprintf(text, sizeof text, "%llu", (unsigned long long)bytes);
	if (g->version == 2)
		/* it may be enabled already, or not be permitted */
		write_cgroup_file(parent, "cgroup.subtree_control", "+memory");
	snprintf(g->path, sizeof g->path, "%.*s/assay-%d-%ld", CGROUP_PATH_SIZE - 64,
		 parent, (int)getpid(), (long)time(NULL));
	if (mkdir(g->path, 0755))
		return false;
	remove_stale_cgroups(parent);
	if (write_cgroup_file(g->path,
			      g->version == 2 ? "memory.max" : "memory.limit_in_bytes",
			      text)) {
		/* The limit must also cover memory that is swapped out. */
		if (g->version == 2)
			write_cgroup_file(g->path, "memory.swap.max", "0");
		else
			write_cgroup_file(g->path, "memory.memsw.limit_in_bytes", text);
		return true;
	}
	rmdir(g->path);
	return false;
}

/* Counts this program's groups below a group, whichever process made them. */
static unsigned count_groups_below(const char *parent)
{
	struct dirent *entry;
	DIR *dir = opendir(parent);
	unsigned n = 0;

	while (dir && (entry = readdir(dir)))
		n += !strncmp(entry->d_name, "assay-", 6);
	if (dir)
		closedir(dir);
	return n;
}

/*
 * Moves back to the original group and removes the leaf. No process can be in the
 * original group while its child groups have limits. If other groups of this program
 * still need theirs, the leaf stays until a later run removes it.
 */
static void leave_leaf(struct cgroup *g)
{
	char own[CGROUP_PATH_SIZE], pid[32];

	if (!*g->leaf)
		return;
	snprintf(own, sizeof own, "%.*s", (int)(strrchr(g->leaf, '/') - g->leaf),
		 g->leaf);
	snprintf(pid, sizeof pid, "%d", (int)getpid());
	if (count_groups_below(own) == 1)
		write_cgroup_file(own, "cgroup.subtree_control", "-memory");
	write_cgroup_file(own, "cgroup.procs", pid);
	rmdir(g->leaf);
	*g->leaf = '\0';
}

/*
 * Version 2 permits processes in leaves only. In a group that was delegated to us and has
 * no other process, we therefore move into a leaf first.
 */
static bool create_next_to_leaf(struct cgroup *g, const char *own, uint64_t bytes)
{
	char pid[32];

	snprintf(pid, sizeof pid, "%d", (int)getpid());
	snprintf(g->leaf, sizeof g->leaf, "%.*s/assay-main-%s", CGROUP_PATH_SIZE - 64,
		 own, pid);
	if (mkdir(g->leaf, 0755))
		*g->leaf = '\0';
	else if (write_cgroup_file(g->leaf, "cgroup.procs", pid) &&
		 create_below(g, own, bytes))
		return true;
	leave_leaf(g);
	return false;
}

/* Tries below our own group, beside it, and at the top. */
static bool create_in_hierarchy(struct cgroup *g, const struct cgroup_location *p,
				uint64_t bytes)
{
	char parent[CGROUP_PATH_SIZE], *slash;

	snprintf(parent, sizeof parent, "%s%s", p->mount,
		 strcmp(p->path, "/") ? p->path : "");
	if (g->version == 2 && strcmp(p->path, "/") && !strstr(p->path, "/assay-main-") &&
	    create_next_to_leaf(g, parent, bytes))
		return true;
	for (;;) {
		if (create_below(g, parent, bytes))
			return true;
		slash = strrchr(parent, '/');
		if (!slash || strlen(parent) <= strlen(p->mount))
			return false;
		*slash = '\0';
	}
}

bool cgroup_create(struct cgroup *g, uint64_t bytes, char *error)
{
	struct cgroup_location p = {"", ""};
	char controllers[256];
	bool any = false;

	g->peak_fd = -1;
	*g->leaf = '\0';
	if (find_cgroup_mount("cgroup2", "", p.mount, sizeof p.mount) &&
	    read_cgroup_file(p.mount, "cgroup.controllers", controllers,
			     sizeof controllers) &&
	    strstr(controllers, "memory")) {
		any = true;
		find_own_cgroup("", p.path, sizeof p.path);
		g->version = 2;
		if (create_in_hierarchy(g, &p, bytes))
			return true;
	}
	if (find_cgroup_mount("cgroup", "memory", p.mount, sizeof p.mount)) {
		any = true;
		find_own_cgroup("memory", p.path, sizeof p.path);
		g->version = 1;
		if (create_in_hierarchy(g, &p, bytes))
			return true;
	}
	*g->path = '\0';
	if (!any)
		return fail(error, "this machine has no memory controller of control "
				   "groups mounted");
	return fail(error,
		    "cannot make a control group: %s; run as root, or where systemd-run "
		    "--user --scope works",
		    strerror(errno));
}

/* Runs a command with its output discarded; returns true if it succeeded. */
static bool run_quietly(char *const *words)
{
	posix_spawn_file_actions_t quiet;
	pid_t child;
	int status = -1;

	posix_spawn_file_actions_init(&quiet);
	for (int fd = 0; fd < 3; fd++)
		posix_spawn_file_actions_addopen(&quiet, fd, "/dev/null", O_RDWR, 0);
	if (!posix_spawnp(&child, *words, &quiet, NULL, words, environ))
		while (waitpid(child, &status, 0) < 0 && errno == EINTR)
			;
	posix_spawn_file_actions_destroy(&quiet);
	return !status;
}

void cgroup_restart_in_scope(char **argv)
{
	enum { WORDS = 6 };
	static char self[CGROUP_PATH_SIZE], nothing[] = "true";
	static char *run[WORDS] = {
		"systemd-run", "--user", "--scope", "--quiet", "--property=Delegate=yes",
		"--"};
	size_t n = 0;
	char **words;

	while (argv[n])
		n++;
	words = calloc(WORDS + n + 2, sizeof *words);
	if (!words || getenv(SCOPE_VARIABLE) ||
	    readlink("/proc/self/exe", self, sizeof self - 1) < 0) {
		free(words);
		return;
	}
	memcpy(words, run, sizeof run);
	words[WORDS] = nothing;
	if (run_quietly(words)) {
		memcpy(words + WORDS, argv, n * sizeof *argv);
		words[WORDS] = self;
		setenv(SCOPE_VARIABLE, "1", 1);
		execvp(*words, words);
	}
	free(words);
}

bool cgroup_enter(const struct cgroup *g, char *error)
{
	char text[32];

	snprintf(text, sizeof text, "%d", (int)getpid());
	return write_cgroup_file(g->path, "cgroup.procs", text) ||
	       fail(error, "cannot enter %s: %s", g->path, strerror(errno));
}

struct cgroup_usage cgroup_usage(const struct cgroup *g)
{
	struct cgroup_usage u = {NAN, NAN, NAN};
	char text[8192];
	ssize_t n;

	if (!*g->path)
		return u;
	if (g->peak_fd >= 0 && (n = pread(g->peak_fd, text, sizeof text - 1, 0)) > 0) {
		text[n] = '\0';
		u.peak = host_find_number(text, "");
	}
	if (read_cgroup_file(g->path, "memory.stat", text, sizeof text))
		u.page_cache = host_find_number(text, g->version == 2 ? "file" : "cache");
	if (read_cgroup_file(g->path, "memory.pressure", text, sizeof text)) {
		const char *total = strstr(text, "total=");

		u.stall_s = total ? strtod(total + 6, NULL) / 1e6 : NAN;
	}
	return u;
}

bool cgroup_killed(const struct cgroup *g)
{
	char text[1024];

	return *g->path &&
	       read_cgroup_file(g->path,
				g->version == 2 ? "memory.events" : "memory.oom_control",
				text, sizeof text) &&
	       host_find_number(text, "oom_kill") > 0;
}

void cgroup_reset_peak(struct cgroup *g)
{
	char path[CGROUP_PATH_SIZE + 64];

	if (g->peak_fd < 0) {
		snprintf(path, sizeof path, "%s/memory.%s", g->path,
			 g->version == 2 ? "peak" : "max_usage_in_bytes");
		g->peak_fd = open(path, O_RDWR | O_CLOEXEC);
		if (g->peak_fd < 0)
			g->peak_fd = open(path, O_RDONLY | O_CLOEXEC);
	}
	if (pwrite(g->peak_fd, "0", 1, 0) < 0) {
		/* The peak is then that since the group was made. */
	}
}

void cgroup_remove(struct cgroup *g)
{
	const struct timespec pause = {0, 10000000};

	/* A group stays busy for a moment after its last process. */
	for (int tries = 0; *g->path && rmdir(g->path) && errno == EBUSY && tries < 100;
	     tries++)
		nanosleep(&pause, NULL);
	*g->path = '\0';
	leave_leaf(g);
}
