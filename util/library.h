/*
 * library.h: which build of a shared library this process has loaded, and whether it is fit to be
 * compared with others.
 */
#ifndef LIBRARY_H
#define LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

struct library {
	char path[512]; /* of the file, or "" if the function is linked in or not there */
	bool known;     /* the file could be read, so what follows is true of it */
	bool assertions; /* it imports __assert_fail: assertions are compiled in */
	bool crc32c;     /* it holds the processor's CRC-32C instruction */
};

/* Look at the library that `symbol` comes from: the file that is loaded, not the one at build time. */
struct library library_find(const char *symbol);

/*
 * The library in words, for people: path, then what makes it unfit; `wants_crc32c` says that it
 * computes CRC-32C. True if it is unfit.
 */
bool library_describe(const struct library *l, bool wants_crc32c, char *text, size_t size);

#endif
