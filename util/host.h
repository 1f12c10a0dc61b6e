/* host.h: what a result was measured on. Unknown texts are empty, unknown numbers 0. */
#ifndef HOST_H
#define HOST_H

#include <stdbool.h>
#include <stddef.h>

struct host {
	char name[65], cpu[128], kernel[160], governor[32];
	/* "on" or "off"; what the kernel says of sibling threads */
	char turbo[8], smt[16];
	char thp[16];           /* transparent huge pages: always, madvise, never */
	/* what pages out what is idle, though memory is free: damon */
	const char *idle_reclaim;
	unsigned cores;         /* that this process may run on */
	double memory_kb, swappiness, numa_nodes;
};

/* What passes; NaN where unknown. */
struct host_state {
	/* average of the last minute: tasks that ran or waited for a device */
	double load;
	double temperature_c; /* of the hottest zone */
};

/* The file system that holds a path. */
struct mount {
	char type[32], options[256], device[128];
};

/*
 * The text of a file such as those of /proc, cut to what `to` takes; false, and "", if it
 * cannot be read.
 */
bool host_text(const char *path, char *to, size_t size);

/*
 * The number after a name at the beginning of a line; with an empty name, at that of the
 * text. NaN if there is none.
 */
double host_number(const char *text, const char *name);

/* The first line of a file such as those of /sys; empty if it cannot be read. */
void host_line(const char *path, char *to, size_t size);

/*
 * Of a line such as "always [madvise] never" the word in brackets, or all of it; within
 * `text`, which is cut.
 */
const char *host_chosen(char *text);

struct host host_describe(void);
struct host_state host_state(void);

/*
 * Run this process on these processors only, such as "0-3,8". False with a sentence in
 * `error`, 256 bytes.
 */
bool host_pin(const char *list, char *error);

/*
 * Take memory from this NUMA node only; answers its processors as a list, or NULL with a
 * sentence in `error`.
 */
const char *host_bind(unsigned node, char *error);

/*
 * Let malloc keep so many arenas, where it is one that has them (glibc); 0: as many as it
 * likes.
 */
void host_limit_arenas(unsigned arenas);

struct mount host_mount(const char *path);

#endif
