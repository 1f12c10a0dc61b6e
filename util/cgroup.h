/*
 * cgroup.h: a limit on memory that counts the page cache, so that engines with caches of
 * their own and engines that map files get the same. Linux control groups, version 2 or
 * 1; elsewhere there is none.
 */
#ifndef CGROUP_H
#define CGROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { CGROUP_PATH = 4096, CGROUP_ERROR = 512 };

struct cgroup {
	char path[CGROUP_PATH]; /* of its directory; "" : there is none */
	int version;            /* 1 or 2 */
	int peak;               /* descriptor that the peak is read by, or -1 */
};

/*
 * Make a group that may use so many bytes, swap included where the kernel counts that.
 * False with a sentence in `error`, which takes CGROUP_ERROR bytes.
 */
bool cgroup_make(struct cgroup *g, uint64_t bytes, char *error);

/*
 * Start this program again in a scope of the user's own systemd, where control groups are
 * the user's to make. Returns if that cannot be, or has been done.
 */
void cgroup_find_scope(char **argv);

/* Move this process into it. What it touched before stays charged where it was. */
bool cgroup_enter(const struct cgroup *g, char *error);

/* In bytes; NaN where the kernel does not tell. */
struct cgroup_usage {
	/*
	 * since it was reset, or made; now; time some task waited for memory, since it
	 * was made
	 */
	double peak, page_cache, stall_s;
};

struct cgroup_usage cgroup_usage(const struct cgroup *g);

/* Has the kernel killed one of its processes for want of memory? */
bool cgroup_killed(const struct cgroup *g);

/*
 * Forget the peak so far, where the kernel can. Version 2 forgets it for those who read
 * by the descriptor that it was told by, from Linux 6.12 on. Until the first call the
 * peak is unknown.
 */
void cgroup_reset_peak(struct cgroup *g);

/* Remove it; its processes must have ended. */
void cgroup_remove(struct cgroup *g);

#endif
