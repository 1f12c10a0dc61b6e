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

#define FAIL_SIZE CGROUP_ERROR
#include "fail.h"
#include "host.h"

extern char **environ; /* POSIX has it declared by who uses it */

/*
 * Set for a program that was started again in a scope: if that does not help, nothing
 * will.
 */
#define SCOPE "ASSAY_SCOPE"

static bool cgroup_put(const char *directory, const char *file, const char *text)
{
	char path[CGROUP_PATH + 64];
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

/* A file's contents in `to`; false if it cannot be read. */
static bool get(const char *directory, const char *file, char *to, size_t size)
{
	char path[CGROUP_PATH + 64];

	snprintf(path, sizeof path, "%s/%s", directory, file);
	return host_text(path, to, size);
}

/* The mount of a hierarchy, and this process's place in it. */
struct cgroup_place {
	char mount[CGROUP_PATH / 2], own[CGROUP_PATH / 2];
};

/*
 * Of a line of /proc/mounts that is of this type and has this option, if it is not empty.
 */
static bool find_mount(const char *type, const char *option, char *mount, size_t size)
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
 * This process's group in the hierarchy of a controller, or in version 2's, whose
 * controller is empty.
 */
static void find_own(const char *controller, char *own, size_t size)
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

/* Groups whose program was killed before it could remove them; one in use stays. */
static void remove_stale(const char *parent)
{
	char path[CGROUP_PATH + 256];
	struct dirent *entry;
	DIR *dir = opendir(parent);
	int pid;

	while (dir && (entry = readdir(dir))) {
		if (sscanf(entry->d_name, "assay-%d-", &pid) != 1 || !kill(pid, 0) ||
		    errno != ESRCH)
			continue;
		snprintf(path, sizeof path, "%.*s/%s", CGROUP_PATH - 64, parent,
			 entry->d_name);
		rmdir(path);
	}
	if (dir)
		closedir(dir);
}

/* A group of this parent's with the limit, or not. */
static bool make_under(struct cgroup *g, const char *parent, uint64_t bytes)
{
	char text[32];

	snprintf(text, sizeof text, "%llu", (unsigned long long)bytes);
	if (g->version == 2)
		/* or it is on already, or it cannot be */
		cgroup_put(parent, "cgroup.subtree_control", "+memory");
	snprintf(g->path, sizeof g->path, "%.*s/assay-%d-%ld", CGROUP_PATH - 64, parent,
		 (int)getpid(), (long)time(NULL));
	if (mkdir(g->path, 0755))
		return false;
	remove_stale(parent);
	if (cgroup_put(g->path, g->version == 2 ? "memory.max" : "memory.limit_in_bytes",
		       text)) {
		/* Swapping would be memory by another name. */
		if (g->version == 2)
			cgroup_put(g->path, "memory.swap.max", "0");
		else
			cgroup_put(g->path, "memory.memsw.limit_in_bytes", text);
		return true;
	}
	rmdir(g->path);
	return false;
}

/*
 * Version 2 has processes in leaves only: in a group that was delegated to us, and in
 * which we are alone, we make room for others by moving into a leaf.
 */
static bool make_beside_us(struct cgroup *g, const char *own, uint64_t bytes)
{
	char leaf[CGROUP_PATH], pid[32];

	snprintf(pid, sizeof pid, "%d", (int)getpid());
	snprintf(leaf, sizeof leaf, "%.*s/assay-main-%s", CGROUP_PATH - 64, own, pid);
	if (mkdir(leaf, 0755))
		return false;
	if (cgroup_put(leaf, "cgroup.procs", pid) && make_under(g, own, bytes))
		return true;
	cgroup_put(own, "cgroup.procs", pid);
	rmdir(leaf);
	return false;
}

/* Below our own group, beside it, or at the top. */
static bool make_in(struct cgroup *g, const struct cgroup_place *p, uint64_t bytes)
{
	char parent[CGROUP_PATH], *slash;

	snprintf(parent, sizeof parent, "%s%s", p->mount,
		 strcmp(p->own, "/") ? p->own : "");
	if (g->version == 2 && strcmp(p->own, "/") && !strstr(p->own, "/assay-main-") &&
	    make_beside_us(g, parent, bytes))
		return true;
	for (;;) {
		if (make_under(g, parent, bytes))
			return true;
		slash = strrchr(parent, '/');
		if (!slash || strlen(parent) <= strlen(p->mount))
			return false;
		*slash = '\0';
	}
}

bool cgroup_make(struct cgroup *g, uint64_t bytes, char *error)
{
	struct cgroup_place p = {"", ""};
	char controllers[256];
	bool any = false;

	g->peak = -1;
	if (find_mount("cgroup2", "", p.mount, sizeof p.mount) &&
	    get(p.mount, "cgroup.controllers", controllers, sizeof controllers) &&
	    strstr(controllers, "memory")) {
		any = true;
		find_own("", p.own, sizeof p.own);
		g->version = 2;
		if (make_in(g, &p, bytes))
			return true;
	}
	if (find_mount("cgroup", "memory", p.mount, sizeof p.mount)) {
		any = true;
		find_own("memory", p.own, sizeof p.own);
		g->version = 1;
		if (make_in(g, &p, bytes))
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

/* Run a command, quietly; true if it ended well. */
static bool succeeds(char *const *words)
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

void cgroup_find_scope(char **argv)
{
	enum { WORDS = 6 };
	static char self[CGROUP_PATH], nothing[] = "true";
	static char *run[WORDS] = {
		"systemd-run", "--user", "--scope", "--quiet", "--property=Delegate=yes",
		"--"};
	size_t n = 0;
	char **words;

	while (argv[n])
		n++;
	words = calloc(WORDS + n + 2, sizeof *words);
	if (!words || getenv(SCOPE) ||
	    readlink("/proc/self/exe", self, sizeof self - 1) < 0) {
		free(words);
		return;
	}
	memcpy(words, run, sizeof run);
	words[WORDS] = nothing;
	if (succeeds(words)) {
		memcpy(words + WORDS, argv, n * sizeof *argv);
		words[WORDS] = self;
		setenv(SCOPE, "1", 1);
		execvp(*words, words);
	}
	free(words);
}

bool cgroup_enter(const struct cgroup *g, char *error)
{
	char text[32];

	snprintf(text, sizeof text, "%d", (int)getpid());
	return cgroup_put(g->path, "cgroup.procs", text) ||
	       fail(error, "cannot enter %s: %s", g->path, strerror(errno));
}

struct cgroup_usage cgroup_usage(const struct cgroup *g)
{
	struct cgroup_usage u = {NAN, NAN, NAN};
	char text[8192];
	ssize_t n;

	if (!*g->path)
		return u;
	if (g->peak >= 0 && (n = pread(g->peak, text, sizeof text - 1, 0)) > 0) {
		text[n] = '\0';
		u.peak = host_number(text, "");
	}
	if (get(g->path, "memory.stat", text, sizeof text))
		u.page_cache = host_number(text, g->version == 2 ? "file" : "cache");
	if (get(g->path, "memory.pressure", text, sizeof text)) {
		const char *total = strstr(text, "total=");

		u.stall_s = total ? strtod(total + 6, NULL) / 1e6 : NAN;
	}
	return u;
}

bool cgroup_killed(const struct cgroup *g)
{
	char text[1024];

	return *g->path &&
	       get(g->path, g->version == 2 ? "memory.events" : "memory.oom_control",
		   text, sizeof text) &&
	       host_number(text, "oom_kill") > 0;
}

void cgroup_reset_peak(struct cgroup *g)
{
	char path[CGROUP_PATH + 64];

	if (g->peak < 0) {
		snprintf(path, sizeof path, "%s/memory.%s", g->path,
			 g->version == 2 ? "peak" : "max_usage_in_bytes");
		g->peak = open(path, O_RDWR | O_CLOEXEC);
		if (g->peak < 0)
			g->peak = open(path, O_RDONLY | O_CLOEXEC);
	}
	if (pwrite(g->peak, "0", 1, 0) < 0) {
		/* Then it is that since the group was made. */
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
}
