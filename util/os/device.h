/*
 * device.h: the block device of a path and its I/O counts: /proc/diskstats, all processes
 * together. Unknown numbers are NaN. Linux; everything is unknown elsewhere.
 */
#ifndef UTIL_OS_DEVICE_H
#define UTIL_OS_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

struct device {
	bool known;
	unsigned major, minor;
};

struct device_counts {
	double reads, read_bytes, writes, write_bytes, flushes, busy_s;
};

/* The device of the file system that holds a path, or of the block device itself. */
struct device device_of_path(const char *path);

struct device_counts device_read_counts(const struct device *d);

/* The kernel's queue settings; unknown texts are empty, an unknown number is NaN. */
struct device_queue {
	char scheduler[32];
	double read_ahead_kb;
};

struct device_queue device_queue(const struct device *d);

/*
 * The numbers of the simulated disk (scripts/tools/simulated_disk.c) that a loop device is
 * made of, as the mount table has them; "" if it is none.
 */
void device_simulated_disk(const struct device *d, char *to, size_t size);

/*
 * Size in bytes of the file system that holds a path (or its nearest parent), or of a
 * block device; NaN: unknown.
 */
double device_size_bytes(const char *path);

/*
 * Bytes that this user may still write to the file system of a path or its nearest
 * parent; NaN: unknown.
 */
double device_free_bytes(const char *path);

#endif
