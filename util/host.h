/* host.h: what a result was measured on. Unknown texts are empty, unknown numbers 0. */
#ifndef HOST_H
#define HOST_H

#include <stdbool.h>

struct host {
	char name[65], cpu[128], kernel[160], governor[32];
	unsigned cores; /* that this process may run on */
	double memory_kb;
};

/* The file system that holds a path. */
struct mount {
	char type[32], options[256], device[128];
};

struct host host_describe(void);

/* Run this process on these processors only, such as "0-3,8". False with a sentence in `error`, 256 bytes. */
bool host_pin(const char *list, char *error);
struct mount host_mount(const char *path);

#endif
