/*
 * trace.h: traces of what a store was asked, in the form of Twitter's cache traces (Yang
 * et al., "A large scale analysis of hundreds of in-memory cache clusters at Twitter",
 * OSDI 2020), read and written a line at a time, in constant memory.
 *
 *     timestamp,key,key size,value size,client id,operation,TTL
 *
 * Times are seconds, with up to nine decimals where there are any. A key that is no text,
 * or has a comma in it, is written with %XX for such bytes, and its size is that of the
 * bytes. Files whose names end in .gz or .zst go through gzip or zstd.
 */
#ifndef TRACE_H
#define TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "record.h"

/* Twitter's operations, and one of ours: a seek that reads `value size` records. */
enum trace_what {
	TRACE_GET,
	TRACE_GETS,
	TRACE_SET,
	TRACE_ADD,
	TRACE_REPLACE,
	TRACE_CAS,
	TRACE_APPEND,
	TRACE_PREPEND,
	TRACE_DELETE,
	TRACE_INCR,
	TRACE_DECR,
	TRACE_SCAN,
	TRACE_WHATS
};

extern const char *const trace_names[TRACE_WHATS];

/* Bytes in a key and in a value; and in a line. */
enum {
	TRACE_KEY = 1024,
	TRACE_VALUE = 1 << 28,
	TRACE_LINE = 4 * TRACE_KEY,
	TRACE_ERROR = 512
};

struct trace_line {
	uint64_t ns;	 /* since the trace's 0 */
	const char *key; /* bytes; the reader's until its next line */
	size_t key_size;
	uint64_t value_size, client, ttl;
	enum trace_what what;
};

/* A file that is read, or written; all zero at first. */
struct trace {
	const char *path; /* the caller's */
	int fd;		  /* of the file, or of a pipe */
	pid_t child;	  /* the program at its other end, or 0 */
	bool writes, ended;
	uint64_t lines; /* read so far */
	char *buffer;
	size_t from, to;	 /* of the buffer */
	char key[3 * TRACE_KEY]; /* as it stands in a line, at most */
};

/* All of these: false, with a sentence in `error` (TRACE_ERROR bytes). */
bool trace_open(struct trace *t, const char *path, char *error);
/*
 * The next line; at the end false with an empty `error`. A line that cannot be read is
 * named by its number.
 */
bool trace_read(struct trace *t, struct trace_line *line, char *error);
/* A new file, or an empty one; whether it can be, before anything is done. */
bool trace_can_be_made(const char *path, char *error);
bool trace_make(struct trace *t, const char *path, char *error);
bool trace_write(struct trace *t, const struct trace_line *line, char *error);
/* Close one that was written, in any case; answers whether all is there. */
bool trace_close(struct trace *t, char *error);

/*
 * The number by which a key's values are made: that of its record, if it is a key of this
 * form and size, else a hash of it.
 */
uint64_t trace_id(const char *key, size_t size, enum record_keys form, size_t key_size);

#endif
