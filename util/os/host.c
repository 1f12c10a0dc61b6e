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
#include <sys/sysmacros.h>
#endif

#define FAIL_SIZE 256
#include "../fail.h"
#include "../message.h"

#define CPUS "/sys/devices/system/cpu/"
#define NODES "/sys/devices/system/node"
#define DAMON_FILES "/sys/kernel/mm/damon/admin/kdamonds/*/"

bool host_read_text(const char *path, char *to, size_t size)
{
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(to, 1, size - 1, f) : 0;

	if (f)
		fclose(f);
	to[n] = '\0';
	return n;
}

double host_find_number(const char *text, const char *name)
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

void host_read_line(const char *path, char *to, size_t size)
{
	host_read_text(path, to, size);
	to[strcspn(to, "\n")] = '\0';
}

/* x86 has "model name"; arm64 has numbers of its implementer and part instead. */
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

static unsigned count_online_cpus(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n > 0 ? (unsigned)n : 1;
}

/* The CPUs that this process may run on: by a cpuset, taskset, or --cpus. */
static void describe_allowed_cpus(struct host *h)
{
	h->cores = count_online_cpus();
#ifdef __linux__
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof set, &set))
		return;
	h->cores = (unsigned)CPU_COUNT(&set);
	for (size_t first = 0, end; first < CPU_SETSIZE; first = end + 1) {
		for (end = first; end < CPU_SETSIZE && CPU_ISSET(end, &set);)
			end++;
		if (end > first)
			message_append(h->allowed_cpus, sizeof h->allowed_cpus, ",",
				       "%zu", first);
		if (end > first + 1)
			message_append(h->allowed_cpus, sizeof h->allowed_cpus, "-",
				       "%zu", end - 1);
	}
#endif
}

/*
 * The lines "cpuN" of /proc/stat. musl's sysconf() counts only CPUs that this process
 * may run on.
 */
static unsigned count_machine_cpus(void)
{
	char line[4096];
	unsigned n = 0;
	FILE *f = fopen("/proc/stat", "re");

	while (f && fgets(line, sizeof line, f))
		n += !strncmp(line, "cpu", 3) && line[3] != ' ';
	if (f)
		fclose(f);
	return n ? n : count_online_cpus();
}

static double read_number_file(const char *path)
{
	char text[64];

	host_read_line(path, text, sizeof text);
	return *text ? strtod(text, NULL) : NAN;
}

/* Intel's driver reports when it is off, the others when it is on. */
static const char *read_turbo(void)
{
	double off = read_number_file(CPUS "intel_pstate/no_turbo"),
	       on = read_number_file(CPUS "cpufreq/boost");

	if (!isnan(off))
		return off > 0 ? "off" : "on";
	return isnan(on) ? "" : on > 0 ? "on" : "off";
}

const char *host_bracketed_word(char *text)
{
	char *word = strchr(text, '[') ? strchr(text, '[') + 1 : text;

	word[strcspn(word, "]")] = '\0';
	return word;
}

static void read_thp(char *to, size_t size)
{
	char text[64];

	host_read_line("/sys/kernel/mm/transparent_hugepage/enabled", text, sizeof text);
	snprintf(to, size, "%.15s", host_bracketed_word(text));
}

/* Number of a directory's entries that are this name and a number. */
static double count_numbered_entries(const char *directory, const char *name)
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
	struct host_state s = {read_number_file("/proc/loadavg"), NAN};

	for (int zone = 0; zone < 256; zone++) {
		char path[64];
		double t;

		snprintf(path, sizeof path, "/sys/class/thermal/thermal_zone%d/temp",
			 zone);
		t = read_number_file(path) / 1000;
		if (isnan(t) && access(path, F_OK))
			break;
		s.temperature_c = fmax(t, s.temperature_c); /* fmax() ignores NaN */
	}
	return s;
}

/* Whether the first line of a file of this pattern is this word. */
static bool any_file_says(const char *pattern, const char *word)
{
	char line[32];
	bool matches = false;
	glob_t found;

	if (glob(pattern, GLOB_NOSORT, NULL, &found))
		return false;
	for (size_t i = 0; i < found.gl_pathc && !matches; i++) {
		host_read_line(found.gl_pathv[i], line, sizeof line);
		matches = !strcmp(line, word);
	}
	globfree(&found);
	return matches;
}

/*
 * Files of DAMON, which pages out idle memory by schemes with that action (only root can
 * read them) or as a module: Documentation/admin-guide/mm/damon/usage.rst and reclaim.rst
 * of Linux.
 */
static const char *find_idle_reclaim(void)
{
	bool scheme = any_file_says(DAMON_FILES "state", "on") &&
		      any_file_says(DAMON_FILES "contexts/*/schemes/*/action", "pageout");

	return scheme || any_file_says("/sys/module/damon_reclaim/parameters/enabled",
				       "Y")
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
	host_read_line(CPUS "cpu0/cpufreq/scaling_governor", h.governor,
		       sizeof h.governor);
	snprintf(h.turbo, sizeof h.turbo, "%s", read_turbo());
	host_read_line(CPUS "smt/control", h.smt, sizeof h.smt);
	read_thp(h.thp, sizeof h.thp);
	h.idle_reclaim = find_idle_reclaim();
	h.swappiness = read_number_file("/proc/sys/vm/swappiness");
	h.numa_nodes = count_numbered_entries(NODES, "node");
	describe_allowed_cpus(&h);
	h.machine_cpus = count_machine_cpus();
	h.memory_kb =
		(double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / 1024;
	return h;
}

double host_available_memory(void)
{
	char text[512];

	host_read_text("/proc/meminfo", text, sizeof text);
	return 1024 * host_find_number(text, "MemAvailable:");
}

/* Blanks, tabs, line ends and backslashes are encoded as \ooo, octal. */
static void unescape(char *text)
{
	char *to = text;
	unsigned code;

	for (; *text; text++) {
		bool octal = *text == '\\' && strspn(text + 1, "01234567") >= 3 &&
			     sscanf(text + 1, "%3o", &code) == 1;

		*to++ = (char)(octal ? (char)code : *text);
		text += octal ? 3 : 0;
	}
	*to = '\0';
}

/* Whether the path is at or below this mount point. */
static bool is_below(const char *path, const char *point)
{
	size_t length = strlen(point);

	return !strncmp(path, point, length) &&
	       (length == 1 || !path[length] || path[length] == '/');
}

static bool is_device_number(const unsigned *numbers, const struct stat *st)
{
#ifdef __linux__
	return makedev(numbers[0], numbers[1]) == st->st_dev;
#else
	return (void)numbers, (void)st, false;
#endif
}

/*
 * proc(5), mountinfo: "36 35 98:0 /root /mount/point options [optional ...] - type source
 * super". The path's mount is the longest mount point above it that has its device
 * number: a longer one may be hidden below another mount. Subvolumes of btrfs have
 * numbers that no mount has; then it is the longest mount point.
 */
struct mount_info host_mount(const char *path)
{
	struct mount_info m;
	struct stat st;
	char line[4096], real[4096], *resolved = realpath(path, NULL);
	size_t best = 0;
	bool best_same = false;
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
		unsigned device[2];

		if (!rest ||
		    sscanf(line, "%*s %*s %u:%u %*s %1023s %255s", &device[0], &device[1],
			   point, options) != 4 ||
		    sscanf(rest, " - %31s %127s", type, source) != 2)
			continue;
		unescape(point);
		unescape(source);
		bool same = is_device_number(device, &st);
		/* If mounts are stacked on one point, the last one is visible. */
		if (!is_below(real, point) || same < best_same ||
		    (same == best_same && strlen(point) < best))
			continue;
		best = strlen(point);
		best_same = same;
		memcpy(m.type, type, sizeof m.type);
		memcpy(m.options, options, sizeof m.options);
		memcpy(m.device, source, sizeof m.device);
	}
	fclose(f);
	return m;
}

#ifdef __linux__
/*
 * Parses a CPU or a range at *text, and moves *text behind it; returns false if there is
 * none.
 */
static bool parse_cpu_range(const char **text, cpu_set_t *set)
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

bool host_pin_cpus(const char *list, char *error)
{
	const char *p = list;
	cpu_set_t set, got;

	CPU_ZERO(&set);
	do {
		if (!parse_cpu_range(&p, &set) || (*p && *p != ','))
			return fail(error, "cannot read '%.60s'; give CPUs such as 0-3,8",
				    list);
	} while (*p++);
	/* The kernel accepts the CPUs that exist. */
	CPU_ZERO(&got);
	if (!sched_setaffinity(0, sizeof set, &set))
		sched_getaffinity(0, sizeof got, &got);
	if (CPU_EQUAL(&set, &got))
		return true;
	return fail(error,
		    "%.60s: not all of these may be used; this machine has 0 to %ld",
		    list, sysconf(_SC_NPROCESSORS_CONF) - 1);
}

void host_pin_thread(const char *list, unsigned number)
{
	const char *p = list;
	cpu_set_t range, own;

	CPU_ZERO(&own);
	while (!CPU_COUNT(&own)) {
		CPU_ZERO(&range);
		if (!parse_cpu_range(&p, &range))
			return;
		for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++)
			if (CPU_ISSET(cpu, &range) && !number--)
				CPU_SET(cpu, &own);
		p = *p ? p + 1 : list;
	}
	sched_setaffinity(0, sizeof own, &own);
}

const char *host_bind_node(unsigned node, char *error)
{
	static char list[1024];
	char path[64];
	unsigned long mask[16] = {0}; /* 1024 nodes */
	unsigned bits = 8 * sizeof *mask;

	snprintf(path, sizeof path, NODES "/node%u/cpulist", node);
	host_read_line(path, list, sizeof list);
	if (!*list || node >= 8 * sizeof mask) {
		fail(error, "this machine has no node %u with CPUs", node);
		return NULL;
	}
	mask[node / bits] = 1UL << node % bits;
	if (!syscall(SYS_set_mempolicy, MPOL_BIND, mask, 8 * sizeof mask))
		return list;
	fail(error, "cannot take memory from node %u only: %s", node, strerror(errno));
	return NULL;
}
#else
bool host_pin_cpus(const char *list, char *error)
{
	return fail(error, "%.60s: CPUs can be chosen on Linux only", list);
}

void host_pin_thread(const char *list, unsigned number)
{
	(void)list;
	(void)number;
}

const char *host_bind_node(unsigned node, char *error)
{
	fail(error, "node %u: NUMA nodes can be chosen on Linux only", node);
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
