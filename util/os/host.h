/* host.h: the machine of a result. Unknown texts are empty, unknown numbers 0. */
#ifndef UTIL_OS_HOST_H
#define UTIL_OS_HOST_H

#include <stdbool.h>
#include <stddef.h>

struct host {
	char name[65], cpu[128], kernel[160], governor[32];
	/* "on" or "off"; the kernel's word for the state of sibling threads */
	char turbo[8], smt[16];
	char thp[16]; /* transparent huge pages: always, madvise, never */
	/* kernel mechanism that pages out idle memory although memory is free: damon */
	const char *idle_reclaim;
	unsigned cores;         /* CPUs that this process may run on, */
	char allowed_cpus[256]; /* and which, such as "0-3,8" */
	unsigned machine_cpus;  /* that /proc/stat sums up */
	double memory_kb, swappiness, numa_nodes;
};

/* State that changes with time; NaN where unknown. */
struct host_state {
	/* average of the last minute: tasks that ran or waited for a device */
	double load_average;
	double temperature_c; /* of the hottest zone */
};

/* The file system that holds a path. */
struct mount_info {
	char type[32], options[256], device[128];
};

/*
 * Reads the text of a file such as those of /proc, cut to the size of `to`. Returns
 * false, with "" in `to`, if it cannot be read.
 */
bool host_read_text(const char *path, char *to, size_t size);

/*
 * The number after a name at the beginning of a line; an empty name means the beginning
 * of the text. NaN if there is none.
 */
double host_find_number(const char *text, const char *name);

/* The first line of a file such as those of /sys; empty if it cannot be read. */
void host_read_line(const char *path, char *to, size_t size);

/*
 * The word in brackets of a line such as "always [madvise] never", or the whole line.
 * Points into `text`, which is cut.
 */
const char *host_bracketed_word(char *text);

struct host host_describe(void);
struct host_state host_state(void);

/* Bytes that can be used without swapping, page cache included; NaN: unknown. */
double host_available_memory(void);

/*
 * Restricts this process to these CPUs, such as "0-3,8". Returns false with a sentence in
 * `error` (256 bytes).
 */
bool host_pin_cpus(const char *list, char *error);

/*
 * Restricts the calling thread to one CPU of such a list: number 0 to the first, and so
 * on, after the last from the first again.
 */
void host_pin_thread(const char *list, unsigned number);

/*
 * Restricts memory to this NUMA node. Returns its CPUs as a list, or NULL with a sentence
 * in `error`.
 */
const char *host_bind_node(unsigned node, char *error);

/* Limits malloc to this many arenas, where it has arenas (glibc); 0: no limit. */
void host_limit_arenas(unsigned arenas);

struct mount_info host_mount(const char *path);

#endif
