/*
 * raw.h: a block device that holds a database without a file system, and the promise to
 * overwrite nothing foreign. Its last 4 KiB say that it is assay's, and of which load; a
 * device without that must be blank at its beginning and its end. It is held open
 * exclusively, so that nobody mounts it meanwhile.
 */
#ifndef RAW_H
#define RAW_H

#include <stdbool.h>
#include <stdint.h>

#include "store.h"

struct raw {
	const char *path; /* NULL: there is none */
	int fd;
	uint64_t bytes;   /* that may be used, from the beginning on */
	uint64_t id;      /* of the load it holds; 0: none yet */
};

/*
 * False with a sentence in `error`, of STORE_ERROR bytes: no block device, in use, with
 * partitions, or with something on it that is not ours. Nothing is written.
 */
bool raw_open(struct raw *r, const char *path, char *error);

/* Zero its first MiB, and mark it as ours with a new id. */
bool raw_clear(struct raw *r, char *error);

/* As store_forget; what still is in memory is asked for. */
bool raw_forget(const struct raw *r, struct store_cold *how, char *error);

void raw_close(struct raw *r);

#endif
