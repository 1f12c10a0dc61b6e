/*
 * raw_device.h: a block device that holds a database without a file system, and the
 * guarantee that no foreign data is overwritten.
 *
 * The last 4 KiB of a device of assay's state so, with the id of its load. A device
 * without that mark must be blank at its beginning and its end. The device is opened
 * exclusively, so that nobody mounts it meanwhile.
 */
#ifndef UTIL_OS_RAW_DEVICE_H
#define UTIL_OS_RAW_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "../db_dir.h"

struct raw_device {
	const char *path; /* NULL: none */
	int fd;
	uint64_t bytes;   /* usable bytes, from the beginning on */
	uint64_t load_id; /* id of the load on the device; 0: none yet */
};

/*
 * Opens the device without writing to it. Returns false with a sentence in `error`
 * (DB_DIR_ERROR_SIZE bytes) if it is not a block device, is in use, has partitions, or
 * holds foreign data.
 */
bool raw_device_open(struct raw_device *r, const char *path, char *error);

/* Zeroes the first MiB, and marks the device as ours with a new id. */
bool raw_device_clear(struct raw_device *r, char *error);

/* Like db_dir_drop_cache; asks the kernel which pages are still in memory. */
bool raw_device_drop_cache(const struct raw_device *r, struct db_dir_cold *cold,
			   char *error);

void raw_device_close(struct raw_device *r);

#endif
