/*
 * store.h: the directory a database lives in, and the promise to delete nothing foreign.
 *
 * DIR/assay.db is the marker: text that says which engine's records are there. The
 * engine's own files are in DIR/data, and that is all that is ever cleared. A directory
 * that holds anything but has no marker is refused, as is one that another process uses,
 * and one of which the directory, the marker or any of the engine's files belongs to
 * another user or is a symbolic link. Errors are one sentence.
 */
#ifndef STORE_H
#define STORE_H

#include <stdbool.h>
#include <stdint.h>

enum { STORE_PATH = 4096, STORE_ERROR = STORE_PATH + 256 };

/* What the marker says. */
struct store_facts {
	char engine[32];
	/* the key space: records 0 to keys - 1 were or may have been written */
	uint64_t keys;
	uint64_t complete;      /* 1: every one of them is there */
	uint64_t unfinished;    /* 1: a load of it has begun and not ended as it should */
	uint64_t key_size, key_form, ratio;
	/* most, least, and a hash of those listed, or 0 */
	uint64_t value_size, value_least, value_list;
	uint64_t value_form;    /* RECORD_FORM of the program that loaded it */
	uint64_t age;      /* passes of ageing that are behind it */
	uint64_t restores; /* 1: it was complete before the pass under way */
	/* the load that a block device must hold (raw.h); 0: it is in files */
	uint64_t raw;
};

struct store {
	char path[STORE_PATH];
	char data[STORE_PATH]; /* the engine's directory */
	int marker;            /* open and locked, or -1 */
	bool shared;           /* locked with others who share it */
	struct store_facts facts;
};

/* Open `path` as it is; it must hold a database that this suite made. */
bool store_open(struct store *s, const char *path, char *error);

/*
 * The same beside other processes that share it; none of them may change what is there.
 */
bool store_share(struct store *s, const char *path, char *error);

/*
 * Open `path`, making the directory (and the ones above it) and the marker if there is
 * none.
 */
bool store_make(struct store *s, const char *path, const char *engine, char *error);

/*
 * Make the directory above the default one with mode 0700; false if what is there belongs
 * to another user, can be written by one, or is a link.
 */
bool store_keep_private(const char *path, char *error);

/* Delete the engine's files, and only those, and leave its directory empty. */
bool store_clear(struct store *s, char *error);

/* Read the facts again, after another process may have written them. */
void store_read(struct store *s);

/* Write the facts into the marker. */
bool store_note(struct store *s, char *error);

/* Bytes in the engine's files, as their lengths say and as the file system allotted. */
void store_size(const struct store *s, double *apparent, double *disk);

/*
 * Pieces that its files lie in on the device (Linux's FIEMAP; the later ones of what is
 * not yet written are not known); NaN where the file system does not tell.
 */
double store_extents(const struct store *s);

/* Bytes that a database at `path`, if there is one, takes on the file system. */
double store_taken(const char *path);

struct store_cold {
	/*
	 * "files": the engine's were dropped one by one; "files and all": and then all
	 * there are; "device"
	 */
	const char *by;
	/*
	 * of the engine's files that are in memory all the same, by mincore(); NaN:
	 * unknown
	 */
	double left_kb;
};

/*
 * Flush the engine's files to the device and have the system forget their pages; they
 * must not be open.
 */
bool store_forget(const struct store *s, struct store_cold *how, char *error);

/* Bytes of the engine's files that are in memory, by mincore(); NaN: unknown. */
double store_in_memory(const struct store *s);

/* Bytes of a file's first ones that are in memory, by mincore(); NaN if unknown. */
double store_resident(int fd, uint64_t bytes);

void store_close(struct store *s);

#endif
