/*
 * library.h: which build of a shared library this process has loaded, and whether it is
 * fit to be compared with others.
 */
#ifndef LIBRARY_H
#define LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

struct library {
	char path[512]; /* of the file, or "" if the function is linked in or not there */
	bool known;     /* the file could be read, so what follows is true of it */
	/* the engine's own functions call __assert_fail: assertions are compiled in */
	bool assertions;
	/*
	 * they hold the processor's CRC-32C instruction, or a library made for it is
	 * called
	 */
	bool crc32c;
	char compiler[64]; /* what the file says that compiled it, or "" */
	/* what scripts/engine.sh wrote of the build, in one line, or "" */
	char facts[512];
};

/*
 * Look at the library that `symbol` comes from: the file that is loaded, not the one at
 * build time. `own` is the C++ namespace of the engine, by which its functions are told
 * from those of libraries that are bundled with it; NULL: all functions are its own.
 */
struct library library_find(const char *symbol, const char *own);

/*
 * The file that malloc comes from, without its directory: "libc.so.6", or what took its
 * place.
 */
void library_allocator(char *text, size_t size);

/*
 * The library in words, for people: path, then compiler and origin, then what makes it
 * unfit; `wants_crc32c` says that it computes CRC-32C. True if it is unfit.
 */
bool library_describe(const struct library *l, bool wants_crc32c, char *text,
		      size_t size);

#endif
