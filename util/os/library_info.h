/*
 * library_info.h: which build of a shared library this process has loaded, and whether it
 * is fit for comparison.
 */
#ifndef UTIL_OS_LIBRARY_INFO_H
#define UTIL_OS_LIBRARY_INFO_H

#include <stdbool.h>
#include <stddef.h>

struct library_info {
	/* of the file, or "" if the function is linked statically or missing */
	char path[512];
	bool readable; /* the file could be read, so the members below are valid */
	/* the engine's own functions call __assert_fail: assertions are compiled in */
	bool assertions;
	/* they contain the CPU's CRC-32C instruction, or call a library that does */
	bool crc32c;
	char compiler[64]; /* name and version of the compiler, from the file, or "" */
	/* facts that scripts/engine.sh wrote about the build, in one line, or "" */
	char build_facts[512];
};

/*
 * Inspects the loaded library that defines `symbol`; it may differ from the one at build
 * time. `cpp_namespace` tells the engine's functions from those of bundled libraries;
 * NULL: all functions are the engine's.
 */
struct library_info library_info_find(const char *symbol, const char *cpp_namespace);

/* The same of a library that need not be loaded, by its path. */
struct library_info library_info_read(const char *path, const char *cpp_namespace);

/*
 * The path of the library that dlopen(name) of the program itself would load, or "".
 * Where the system does not tell (musl), only of one that is loaded.
 */
void library_info_locate(const char *name, char *path, size_t size);

/*
 * The text that follows `mark` in a file, until white space or a control character; "" if
 * there is none.
 */
void library_info_find_text(const char *path, const char *mark, char *text, size_t size);

/*
 * Name of the file that defines malloc, without its directory: "libc.so.6" or a
 * replacement.
 */
void library_info_allocator(char *text, size_t size);

/*
 * Describes the library: path, compiler, origin, and why it is unfit for comparison.
 * `uses_crc32c`: the engine computes CRC-32C. Returns true if it is unfit.
 */
bool library_info_describe(const struct library_info *l, bool uses_crc32c, char *text,
			   size_t size);

#endif
