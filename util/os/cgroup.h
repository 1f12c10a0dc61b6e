/*
 * cgroup.h: a limit on memory that includes the page cache. Engines with their own caches
 * and engines that map files then get the same memory. And the limits that others have
 * set, such as a container's. Linux control groups, version 2 or 1; not available
 * elsewhere.
 */
#ifndef UTIL_OS_CGROUP_H
#define UTIL_OS_CGROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { CGROUP_PATH_SIZE = 4096, CGROUP_ERROR_SIZE = 512 };

struct cgroup {
	char path[CGROUP_PATH_SIZE]; /* of its directory; "": no group */
	/* group that we moved into so that limits could be set; "": none */
	char leaf[CGROUP_PATH_SIZE];
	int version; /* 1 or 2 */
	int peak_fd; /* descriptor for reading the peak, or -1 */
};

/*
 * Creates a group that may use this many bytes, swap included where the kernel counts it.
 * Returns false with a sentence in `error` (CGROUP_ERROR_SIZE bytes).
 */
bool cgroup_create(struct cgroup *g, uint64_t bytes, char *error);

/*
 * Restarts this program in a scope of the user's systemd, where users may create control
 * groups. Returns if that is impossible or has been done.
 */
void cgroup_restart_in_scope(char **argv);

/*
 * Moves this process into the group. Memory touched earlier stays charged to the old
 * group.
 */
bool cgroup_enter(const struct cgroup *g, char *error);

/* Bytes; NaN where the kernel does not report them. */
struct cgroup_usage {
	/*
	 * since the reset or creation; current; time that any task waited for memory,
	 * since creation
	 */
	double peak, page_cache, stall_s;
};

struct cgroup_usage cgroup_usage(const struct cgroup *g);

/* Whether the kernel has killed one of its processes for lack of memory. */
bool cgroup_killed(const struct cgroup *g);

/*
 * Resets the peak where the kernel can. Version 2 resets it per descriptor, from Linux
 * 6.12 on. The peak is unknown until the first call.
 */
void cgroup_reset_peak(struct cgroup *g);

/* Removes the group; its processes must have ended. */
void cgroup_remove(struct cgroup *g);

/*
 * The smallest limits of this process's group and all visible groups above it, whoever
 * set them. NaN: no limit, or unknown.
 */
struct cgroup_limits {
	double cpus;   /* CPU time per time that passes: the quota */
	double memory; /* bytes, page cache included */
};

struct cgroup_limits cgroup_limits(void);

/* Periods of a CPU quota; those in which it was used up; how long threads then waited. */
struct cgroup_throttled {
	double periods, throttled;
	double seconds; /* summed over the CPUs that had such threads */
};

enum { CGROUP_LEVELS = 16 };

/* Counts of this process's group and those above it, since they were created. */
struct cgroup_throttling {
	unsigned levels;
	struct cgroup_throttled level[CGROUP_LEVELS];
};

struct cgroup_throttling cgroup_throttling(void);

/*
 * Counts in between of the group that was throttled most; 0 without a quota, NaN: not
 * reported.
 */
struct cgroup_throttled cgroup_throttled_since(const struct cgroup_throttling *before,
					       const struct cgroup_throttling *after);

#endif
