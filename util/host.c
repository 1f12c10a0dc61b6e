/* host.c: the machine and the file system, from uname, sysconf, /proc and /sys; see host.h. */
#include "host.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <unistd.h>

static void first_line(const char *path, char *to, size_t size)
{
	FILE *f = fopen(path, "re");

	to[0] = '\0';
	if (!f)
		return;
	if (!fgets(to, (int)size, f))
		to[0] = '\0';
	fclose(f);
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
	first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", h.governor,
		   sizeof h.governor);
	h.cores = cores();
	h.memory_kb = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / 1024;
	return h;
}

/*
 * proc(5), mountinfo: "36 35 98:0 /root /mount/point options [optional ...] - type source super".
 * The line with the path's device number and the longest mount point above the path is its mount.
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

		if (!rest || sscanf(line, "%*s %*s %*s %*s %1023s %255s", point, options) != 2 ||
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
		if (!take_range(&p, &set) || (*p && *p != ',')) {
			snprintf(error, 256, "cannot read '%.60s'; give processors such as 0-3,8", list);
			return false;
		}
	} while (*p++);
	/* The kernel takes what it has of them. */
	CPU_ZERO(&got);
	if (!sched_setaffinity(0, sizeof set, &set))
		sched_getaffinity(0, sizeof got, &got);
	if (CPU_EQUAL(&set, &got))
		return true;
	snprintf(error, 256, "%.60s: not all of these may be used; this machine has 0 to %ld", list,
		 sysconf(_SC_NPROCESSORS_CONF) - 1);
	return false;
}
