/*
 * host.c: the machine and the file system, from uname, sysconf, /proc and /sys; see
 * host.h.
 */
#include "host.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#ifdef __linux__
#include <linux/mempolicy.h>
#include <sys/syscall.h>
#endif

#define FAIL_SIZE 256
#include "fail.h"

#define CPUS "/sys/devices/system/cpu/"
#define NODES "/sys/devices/system/node"
#define DAMON "/sys/kernel/mm/damon/admin/kdamonds/*/"

bool host_text(const char *path, char *to, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, to, size - 1);

	if (fd >= 0)
		close(fd);
	to[n > 0 ? n : 0] = '\0';
	return n > 0;
}

double host_number(const char *text, const char *name)
{
	size_t length = strlen(name);

	for (; text && *text; text = strchr(text, '\n'), text += text != NULL) {
		char *end;
		double x;

		if (strncmp(text, name, length) || (length && text[length] != ' '))
			continue;
		x = strtod(text + length, &end);
		return end > text + length ? x : NAN;
	}
	return NAN;
}

void host_line(const char *path, char *to, size_t size)
{
	host_text(path, to, size);
	to[strcspn(to, "\n")] = '\0';
}

/* x86 has "model name"; arm64 numbers its implementer and part instead. */
static void cpu_model(char *to, size_t size)
{
	static const char *const names[] = {"model name", "CPU part"};
	char line[256];
	FILE *f = fopen("/proc/cpuinfo", "re");

	to[0] = '\0';
	if (!f)
		return;
	while (!to[0] && fgets(line, sizeof line, f)) {
		char *value = strstr(line, ": ");

		for (int i = 0; value && i < 2; i++) {
			if (strncmp(line, names[i], strlen(names[i])))
				continue;
			value[strcspn(value, "\n")] = '\0';
			snprintf(to, size, "%s", value + 2);
		}
	}
	fclose(f);
}

static unsigned cores(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef __linux__
	cpu_set_t set;

	if (!sched_getaffinity(0, sizeof set, &set))
		n = CPU_COUNT(&set);
#endif
	return n > 0 ? (unsigned)n : 1;
}

static double number_in(const char *path)
{
	char text[64];

	host_line(path, text, sizeof text);
	return *text ? strtod(text, NULL) : NAN;
}

/* Intel's driver says when it is off, the others when it is on. */
static const char *turbo(void)
{
	double off = number_in(CPUS "intel_pstate/no_turbo"),
	       on = number_in(CPUS "cpufreq/boost");

	if (!isnan(off))
		return off > 0 ? "off" : "on";
	return isnan(on) ? "" : on > 0 ? "on" : "off";
}

const char *host_chosen(char *text)
{
	char *word = strchr(text, '[') ? strchr(text, '[') + 1 : text;

	word[strcspn(word, "]")] = '\0';
	return word;
}

static void huge_pages(char *to, size_t size)
{
	char text[64];

	host_line("/sys/kernel/mm/transparent_hugepage/enabled", text, sizeof text);
	snprintf(to, size, "%.15s", host_chosen(text));
}

/* Entries of a directory that begin so, and then are numbered. */
static double numbered(const char *directory, const char *name)
{
	size_t length = strlen(name);
	struct dirent *entry;
	double n = 0;
	DIR *dir = opendir(directory);

	while (dir && (entry = readdir(dir)))
		n += !strncmp(entry->d_name, name, length) &&
		     strspn(entry->d_name + length, "0123456789") > 0;
	if (dir)
		closedir(dir);
	return n > 0 ? n : NAN;
}

struct host_state host_state(void)
{
	struct host_state s = {number_in("/proc/loadavg"), NAN};

	for (int zone = 0; zone < 256; zone++) {
		char path[64];
		double t;

		snprintf(path, sizeof path, "/sys/class/thermal/thermal_zone%d/temp",
			 zone);
		t = number_in(path) / 1000;
		if (isnan(t))
			break;
		s.temperature_c = fmax(t, s.temperature_c); /* NaN is left behind */
	}
	return s;
}

/* Whether the first line of a file of that pattern is this word. */
static bool any_says(const char *pattern, const char *word)
{
	char line[32];
	bool says = false;
	glob_t found;

	if (glob(pattern, GLOB_NOSORT, NULL, &found))
		return false;
	for (size_t i = 0; i < found.gl_pathc && !says; i++) {
		host_line(found.gl_pathv[i], line, sizeof line);
		says = !strcmp(line, word);
	}
	globfree(&found);
	return says;
}

/*
 * DAMON pages out by schemes of that action, which root alone can read, or as a module:
 * Documentation/admin-guide/mm/damon/usage.rst and reclaim.rst of Linux.
 */
static const char *idle_reclaim(void)
{
	bool scheme = any_says(DAMON "state", "on") &&
		      any_says(DAMON "contexts/*/schemes/*/action", "pageout");

	return scheme || any_says("/sys/module/damon_reclaim/parameters/enabled", "Y")
		       ? "damon"
		       : "";
}

struct host host_describe(void)
{
	struct host h;
	struct utsname u;

	memset(&h, 0, sizeof h);
	if (!uname(&u)) {
		snprintf(h.name, sizeof h.name, "%s", u.nodename);
		snprintf(h.kernel, sizeof h.kernel, "%s %s", u.sysname, u.release);
	}
	cpu_model(h.cpu, sizeof h.cpu);
	host_line(CPUS "cpu0/cpufreq/scaling_governor", h.governor,
		   sizeof h.governor);
	snprintf(h.turbo, sizeof h.turbo, "%s", turbo());
	host_line(CPUS "smt/control", h.smt, sizeof h.smt);
	huge_pages(h.thp, sizeof h.thp);
	h.idle_reclaim = idle_reclaim();
	h.swappiness = number_in("/proc/sys/vm/swappiness");
	h.numa_nodes = numbered(NODES, "node");
	h.cores = cores();
	h.memory_kb = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) /
		      1024;
	return h;
}

/*
 * proc(5), mountinfo: "36 35 98:0 /root /mount/point options [optional ...] - type source
 * super". The line with the path's device number and the longest mount point above the
 * path is its mount.
 */
struct mount host_mount(const char *path)
{
	struct mount m;
	struct stat st;
	char line[4096], real[4096], *resolved = realpath(path, NULL);
	size_t best = 0;
	FILE *f = fopen("/proc/self/mountinfo", "re");

	memset(&m, 0, sizeof m);
	snprintf(real, sizeof real, "%s", resolved ? resolved : path);
	free(resolved);
	if (!f || stat(path, &st)) {
		if (f)
			fclose(f);
		return m;
	}
	while (fgets(line, sizeof line, f)) {
		char point[1024], options[256], type[32], source[128];
		char *rest = strstr(line, " - ");

		if (!rest ||
		    sscanf(line, "%*s %*s %*s %*s %1023s %255s", point, options) != 2 ||
		    sscanf(rest, " - %31s %127s", type, source) != 2)
			continue;
		size_t length = strlen(point);
		/* Of mounts stacked on one point the last is the one seen. */
		if (strncmp(real, point, length) || length < best ||
		    (length > 1 && real[length] && real[length] != '/'))
			continue;
		best = length;
		memcpy(m.type, type, sizeof m.type);
		memcpy(m.options, options, sizeof m.options);
		memcpy(m.device, source, sizeof m.device);
	}
	fclose(f);
	return m;
}

#ifdef __linux__
/* One processor or a range at *text, which moves behind it; false if it is none. */
static bool take_range(const char **text, cpu_set_t *set)
{
	char *end;
	unsigned long first = strtoul(*text, &end, 10), last = first;

	if (end == *text || **text == '-' || **text == '+')
		return false;
	if (*end == '-') {
		*text = end + 1;
		last = strtoul(*text, &end, 10);
		if (end == *text)
			return false;
	}
	if (first > last || last >= CPU_SETSIZE)
		return false;
	for (; first <= last; first++)
		CPU_SET(first, set);
	*text = end;
	return true;
}

bool host_pin(const char *list, char *error)
{
	const char *p = list;
	cpu_set_t set, got;

	CPU_ZERO(&set);
	do {
		if (!take_range(&p, &set) || (*p && *p != ','))
			return fail(error,
				    "cannot read '%.60s'; give processors such as 0-3,8",
				    list);
	} while (*p++);
	/* The kernel takes what it has of them. */
	CPU_ZERO(&got);
	if (!sched_setaffinity(0, sizeof set, &set))
		sched_getaffinity(0, sizeof got, &got);
	if (CPU_EQUAL(&set, &got))
		return true;
	return fail(error,
		    "%.60s: not all of these may be used; this machine has 0 to %ld",
		    list, sysconf(_SC_NPROCESSORS_CONF) - 1);
}

const char *host_bind(unsigned node, char *error)
{
	static char list[1024];
	char path[64];
	unsigned long mask[16] = {0}; /* 1024 nodes */
	unsigned bits = 8 * sizeof *mask;

	snprintf(path, sizeof path, NODES "/node%u/cpulist", node);
	host_line(path, list, sizeof list);
	if (!*list || node >= 8 * sizeof mask) {
		fail(error, "this machine has no node %u with processors", node);
		return NULL;
	}
	mask[node / bits] = 1UL << node % bits;
	if (!syscall(SYS_set_mempolicy, MPOL_BIND, mask, 8 * sizeof mask))
		return list;
	fail(error, "cannot take memory from node %u only: %s", node, strerror(errno));
	return NULL;
}
#else
bool host_pin(const char *list, char *error)
{
	return fail(error, "%.60s: only Linux can be asked for processors", list);
}

const char *host_bind(unsigned node, char *error)
{
	fail(error, "node %u: only Linux can be asked for one", node);
	return NULL;
}
#endif

void host_limit_arenas(unsigned arenas)
{
#ifdef __GLIBC__
	if (arenas)
		mallopt(M_ARENA_MAX, (int)arenas);
#else
	(void)arenas;
#endif
}
