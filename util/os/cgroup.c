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

/* Where a hierarchy is mounted, and this process's group below that; "": the mount. */
struct cgroup_location {
	char mount[CGROUP_PATH_SIZE / 2], path[CGROUP_PATH_SIZE / 2];
};

/* Whether a list with commas contains the word; an empty list contains "". */
static bool list_contains(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (; list; list = strchr(list, ','), list += list != NULL)
		if (strcspn(list, ",") == length && !strncmp(list, word, length))
			return true;
	return false;
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
		if (list_contains(controllers + 1, controller))
			snprintf(own, size, "%s", path);
	}
	if (f)
		fclose(f);
}

/*
 * The path of a group below another, without a slash at its end; NULL if it is not below
 * it. Paths outside of the process's namespace begin with "/..".
 */
static const char *path_below(const char *group, const char *root)
{
	size_t length = strcmp(root, "/") ? strlen(root) : 0;

	if (!strncmp(group, "/..", 3) || strncmp(group, root, length) ||
	    (group[length] && group[length] != '/'))
		return NULL;
	return strcmp(group + length, "/") ? group + length : "";
}

/*
 * Finds the mount of a controller's hierarchy (empty: that of version 2) that shows this
 * process's group. A container may see a part of the hierarchy only: proc(5), mountinfo,
 * "36 35 0:30 /root /mount/point options [optional ...] - type source options".
 */
static bool locate_cgroup(const char *controller, struct cgroup_location *p)
{
	char line[4096], own[sizeof p->path], root[sizeof p->path], kind[64],
		options[1024];
	const char *path = NULL, *rest;
	FILE *f = fopen("/proc/self/mountinfo", "re");

	find_own_cgroup(controller, own, sizeof own);
	while (f && !path && fgets(line, sizeof line, f)) {
		rest = strstr(line, " - ");
		if (rest &&
		    sscanf(line, "%*s %*s %*s %2047s %2047s", root, p->mount) == 2 &&
		    sscanf(rest, " - %63s %*s %1023s", kind, options) == 2 &&
		    !strcmp(kind, *controller ? "cgroup" : "cgroup2") &&
		    (!*controller || list_contains(options, controller)))
			path = path_below(own, root);
	}
	if (f)
		fclose(f);
	snprintf(p->path, sizeof p->path, "%s", path ? path : "");
	return path;
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

	snprintf(parent, sizeof parent, "%s%s", p->mount, p->path);
	if (g->version == 2 && *p->path && !strstr(p->path, "/assay-main-") &&
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
	if (locate_cgroup("", &p) &&
	    read_cgroup_file(p.mount, "cgroup.controllers", controllers,
			     sizeof controllers) &&
	    strstr(controllers, "memory")) {
		any = true;
		g->version = 2;
		if (create_in_hierarchy(g, &p, bytes))
			return true;
	}
	if (locate_cgroup("memory", &p)) {
		any = true;
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

/* ---- limits that others have set ---- */

/* Calls `visit` for this process's group and each group above it that is visible. */
static void each_own_cgroup(const char *controller,
			    void (*visit)(const char *group, void *to), void *to)
{
	struct cgroup_location p;
	char group[CGROUP_PATH_SIZE], *slash;

	if (!locate_cgroup(controller, &p))
		return;
	snprintf(group, sizeof group, "%s%s", p.mount, p.path);
	for (;;) {
		visit(group, to);
		slash = strrchr(group, '/');
		if (!slash || slash < group + strlen(p.mount))
			return;
		*slash = '\0';
	}
}

/* The number that a file begins with; NaN for "max" and if it cannot be read. */
static double read_cgroup_number(const char *group, const char *file)
{
	char text[64];

	read_cgroup_file(group, file, text, sizeof text);
	return host_find_number(text, "");
}

static void narrow_limits_v2(const char *group, void *to)
{
	struct cgroup_limits *l = to;
	double quota, period;
	char text[64];

	/* Above memory.high memory is reclaimed as at the limit; no process is killed. */
	l->memory = fmin(l->memory, read_cgroup_number(group, "memory.max"));
	l->memory = fmin(l->memory, read_cgroup_number(group, "memory.high"));
	read_cgroup_file(group, "cpu.max", text, sizeof text);
	if (sscanf(text, "%lf %lf", &quota, &period) == 2)
		l->cpus = fmin(l->cpus, quota / period);
}

static void narrow_memory_v1(const char *group, void *to)
{
	struct cgroup_limits *l = to;
	char text[8192];
	double bytes;

	read_cgroup_file(group, "memory.stat", text, sizeof text);
	bytes = host_find_number(text, "hierarchical_memory_limit");
	if (bytes < 0x1p62) /* no limit is the largest number of pages */
		l->memory = fmin(l->memory, bytes);
}

static void narrow_cpus_v1(const char *group, void *to)
{
	struct cgroup_limits *l = to;
	double quota = read_cgroup_number(group, "cpu.cfs_quota_us");

	if (quota > 0) /* no quota is -1 */
		l->cpus = fmin(l->cpus,
			       quota / read_cgroup_number(group, "cpu.cfs_period_us"));
}

struct cgroup_limits cgroup_limits(void)
{
	struct cgroup_limits l = {NAN, NAN};

	each_own_cgroup("", narrow_limits_v2, &l);
	each_own_cgroup("memory", narrow_memory_v1, &l);
	each_own_cgroup("cpu", narrow_cpus_v1, &l);
	return l;
}

/* Version 2 counts microseconds, version 1 nanoseconds. */
static void add_throttled_level(const char *group, void *to)
{
	struct cgroup_throttling *t = to;
	char text[2048];

	if (t->levels < CGROUP_LEVELS &&
	    read_cgroup_file(group, "cpu.stat", text, sizeof text))
		t->level[t->levels++] = (struct cgroup_throttled){
			host_find_number(text, "nr_periods"),
			host_find_number(text, "nr_throttled"),
			fmax(host_find_number(text, "throttled_usec") / 1e6,
			     host_find_number(text, "throttled_time") / 1e9)};
}

struct cgroup_throttling cgroup_throttling(void)
{
	struct cgroup_throttling t = {.levels = 0};

	each_own_cgroup("", add_throttled_level, &t);
	each_own_cgroup("cpu", add_throttled_level, &t);
	return t;
}

struct cgroup_throttled cgroup_throttled_since(const struct cgroup_throttling *before,
					       const struct cgroup_throttling *after)
{
	struct cgroup_throttled most = {NAN, NAN, NAN};

	for (unsigned i = 0; i < after->levels && before->levels == after->levels; i++) {
		const struct cgroup_throttled *from = &before->level[i],
					      *to = &after->level[i];
		double periods = to->periods - from->periods,
		       throttled = to->throttled - from->throttled;

		if (periods >= 0 && !(throttled < most.throttled) &&
		    !(throttled == most.throttled && periods <= most.periods))
			most = (struct cgroup_throttled){periods, throttled,
							 to->seconds - from->seconds};
	}
	return most;
}
