/*
 * device.h: the block device under a path, and what it did: /proc/diskstats, for all
 * processes together. A figure that could not be had is NaN. Linux; elsewhere nothing is
 * known.
 */
#ifndef DEVICE_H
#define DEVICE_H

#include <stdbool.h>

struct device {
	bool known;
	unsigned major, minor;
};

struct device_counts {
	double reads, read_bytes, writes, write_bytes, flushes, busy_s;
};

/* Of the file system that holds a path, or of a block device itself. */
struct device device_under(const char *path);

struct device_counts device_read(const struct device *d);

/* How the kernel drives it; unknown texts are empty, an unknown number NaN. */
struct device_queue {
	char scheduler[32];
	double read_ahead_kb;
};

struct device_queue device_queue(const struct device *d);

/*
 * Bytes of the file system that holds a path, or would, or of a block device itself; NaN
 * if unknown.
 */
double device_bytes(const char *path);

/*
 * Bytes that this user may still write to the file system that holds a path, or will; NaN
 * if unknown.
 */
double device_room(const char *path);

#endif
