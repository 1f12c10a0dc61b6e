/*
 * trace_file.h: the file of a trace, its buffer and the program that compresses it; and
 * what the formats of traces (trace_text.h, trace_binary.h) share.
 */
#ifndef UTIL_TRACE_FILE_H
#define UTIL_TRACE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

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
	TRACE_ERROR_SIZE = 512,
	TRACE_BUFFER_SIZE = 1 << 20
};

/* What a get found when it was recorded. */
enum trace_found { TRACE_FOUND_UNKNOWN, TRACE_FOUND_NOT, TRACE_FOUND };

/* An operation. */
struct trace_line {
	uint64_t ns;     /* since time 0 of the trace */
	const char *key; /* owned by the reader, valid until its next line */
	size_t key_size;
	uint64_t value_size, client, ttl;
	enum trace_operation operation;
	enum trace_found found;
};

/* What a trace has that its operations do not say; counted while it is read. */
enum trace_remark {
	TRACE_REMARK_TTL,
	TRACE_REMARK_SOME_HITS,
	TRACE_REMARK_SEEK,
	TRACE_REMARK_BACKWARD,
	TRACE_REMARK_BOUNDS,
	TRACE_REMARK_MERGE,
	TRACE_REMARK_RANGE_DELETION,
	TRACE_REMARK_FAMILY,
	TRACE_REMARK_EMPTY_KEY,
	TRACE_REMARK_EARLIER,
	TRACE_REMARK_DELETE, /* the last two: of a trace that is written */
	TRACE_REMARK_SCAN,
	TRACE_REMARKS
};

struct trace;

/* A format of traces that are read. */
struct trace_format {
	const char *title;
	const char *unit; /* what an error counts: lines, or bytes before the record */
	const char *form; /* what a line should have been, or "" */
	/* Is this the begin of such a trace? */
	bool (*matches)(const char *head, size_t size);
	/*
	 * Reads the next operation: returns NULL; or "" at the end, or the problem.
	 * `line` is all zero.
	 */
	const char *(*read)(struct trace *t, struct trace_line *line);
};

/* The columns of Meta's lines. */
enum trace_column {
	TRACE_COLUMN_TIME,
	TRACE_COLUMN_KEY,
	TRACE_COLUMN_KEY_SIZE,
	TRACE_COLUMN_OPERATION,
	TRACE_COLUMN_COUNT,
	TRACE_COLUMN_SIZE,
	TRACE_COLUMN_HITS,
	TRACE_COLUMN_TTL,
	TRACE_COLUMNS
};

enum { TRACE_HEADER_MAX = 32 }; /* columns in a header */

/* A record of RocksDB's, of which a part is read. */
struct trace_record {
	bool with_map; /* of version 0.2: a map says which fields there are */
	bool is_ended; /* the end record was read */
	bool has_rest; /* the file goes on */
	uint64_t first_us, last_us;
	uint64_t left;            /* bytes of the record that are not read */
	uint32_t stated, entries; /* of a write batch: operations, as stated and read */
	uint32_t gets;            /* of a multiget, which are left */
	uint32_t *families;       /* of its keys */
	uint32_t family_at;
	bool is_batch;
	const char *problem; /* why the last field could not be read */
};

/* A file to read or to write; initially all zero. */
struct trace {
	const char *path;     /* owned by the caller */
	int fd;               /* of the file, or of a pipe */
	pid_t compressor_pid; /* the compressor at the other end, or 0 */
	bool is_writer, ended;
	bool is_cut;    /* the line read last has no end */
	int read_error; /* errno of a failed read */
	uint64_t lines; /* lines, or operations of a binary trace, read so far */
	uint64_t offset, record_offset; /* bytes read; before the last record */
	char *buffer;
	size_t buffer_start, buffer_end; /* of the buffer */
	char key[3 * TRACE_KEY_SIZE];    /* the longest encoded key */

	const struct trace_format *format; /* of a reader */
	bool is_oracle;                    /* a writer writes oracleGeneral */
	bool is_timeless;                  /* the trace has no times */
	uint64_t remarks[TRACE_REMARKS];
	struct trace_line repeated; /* its last line */
	uint64_t repeats;           /* how often it comes again */
	unsigned columns;           /* of Meta's header; which each of them is */
	signed char column[TRACE_HEADER_MAX];
	bool has_column[TRACE_COLUMNS];
	struct trace_record record;
};

/*
 * Functions that take `error` (TRACE_ERROR_SIZE bytes) return false on failure, with a
 * sentence in it. Opens a file, through a compressor if its name says so.
 */
bool trace_file_open(struct trace *t, const char *path, int flags, char *error);
/* Writes data, or what is buffered. */
bool trace_file_write(struct trace *t, const char *data, size_t size, char *error);
bool trace_file_flush(struct trace *t, char *error);
/* Closes the file and frees all; of a writer, returns whether all was written. */
bool trace_file_close(struct trace *t, bool good, char *error);
/* The compressor of this name; NULL: the file is not compressed. */
const char *trace_file_compressor(const char *path);
/* Starts it; t->fd becomes our end of a pipe to it. */
bool trace_file_compress(struct trace *t, const char *program, bool reading, char *error);

/*
 * Reads ahead until the buffer has `want` bytes, at most TRACE_BUFFER_SIZE, from
 * t->buffer_start on; returns how many it has: fewer at the end of the file, or if
 * reading failed (t->read_error).
 */
size_t trace_file_fill(struct trace *t, size_t want);
/* Takes n of them. */
const char *trace_file_take(struct trace *t, size_t n);
/* Takes a line without its end; NULL: there is none. */
const char *trace_file_line(struct trace *t, size_t *size);

/* Checks the sizes of a line; NULL, or the problem. */
const char *trace_file_check_sizes(uint64_t key_size, uint64_t value_size);

#endif
