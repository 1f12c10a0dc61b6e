/*
 * trace.h: traces of requests to a database, in the format of Twitter's cache traces
 * (Yang et al., "A large scale analysis of hundreds of in-memory cache clusters at
 * Twitter", OSDI 2020), read and written line by line, in constant memory.
 *
 *     timestamp,key,key size,value size,client id,operation,TTL[,found]
 *
 * The eighth column is this suite's: 1 for a get that found a record, 0 for one that did
 * not, and empty for other operations. Lines without it are read, too.
 *
 * Times are seconds, with up to nine decimals if they have any. In a key that is not
 * text, or contains a comma, such bytes are written as %XX; its size counts the decoded
 * bytes. A key that is shorter than its stated size is padded with commas. Files whose
 * names end in .gz or .zst are piped through gzip or zstd.
 */
#ifndef UTIL_TRACE_H
#define UTIL_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "record.h"

/* Twitter's operations, and one of this suite: a seek that reads `value size` records. */
enum trace_operation {
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
	TRACE_OPERATIONS
};

extern const char *const trace_operation_names[TRACE_OPERATIONS];

/* Maximum bytes in a key, in a value, and in a line. */
enum {
	TRACE_KEY_SIZE = 1024,
	TRACE_VALUE_SIZE = 1 << 28,
	TRACE_LINE_SIZE = 4 * TRACE_KEY_SIZE,
	TRACE_ERROR_SIZE = 512
};

/* What a get found when it was recorded. */
enum trace_found { TRACE_FOUND_UNKNOWN, TRACE_FOUND_NOT, TRACE_FOUND };

struct trace_line {
	uint64_t ns;	 /* since time 0 of the trace */
	const char *key; /* owned by the reader, valid until its next line */
	size_t key_size;
	uint64_t value_size, client, ttl;
	enum trace_operation operation;
	enum trace_found found;
};

/* A file to read or to write; initially all zero. */
struct trace {
	const char *path; /* owned by the caller */
	int fd;		  /* of the file, or of a pipe */
	pid_t compressor_pid;	  /* the compressor at the other end, or 0 */
	bool is_writer, ended;
	bool is_cut; /* the line read last has no end */
	uint64_t lines; /* lines read so far */
	char *buffer;
	size_t buffer_start, buffer_end;	 /* of the buffer */
	char key[3 * TRACE_KEY_SIZE]; /* the longest encoded key */
};

/*
 * All functions return false on failure, with a sentence in `error` (TRACE_ERROR_SIZE
 * bytes).
 */
bool trace_open(struct trace *t, const char *path, char *error);
/*
 * Reads the next line; at the end it returns false with an empty `error`. An unreadable
 * line is reported by its number.
 */
bool trace_read(struct trace *t, struct trace_line *line, char *error);
/* Creates a file, or opens an empty one; and whether that is possible, before a run. */
bool trace_check_create(const char *path, char *error);
bool trace_create(struct trace *t, const char *path, char *error);
bool trace_write(struct trace *t, const struct trace_line *line, char *error);
/* Closes a written trace in any case; returns whether all of it was written. */
bool trace_close(struct trace *t, char *error);

/*
 * The id that a key's values are made from: its record's, if it is a key of this format
 * and size, otherwise a hash of the key.
 */
uint64_t trace_value_id(const char *key, size_t size, enum record_key_format form,
			size_t key_size);

#endif
