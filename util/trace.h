/*
 * trace.h: traces of requests to a database, read and written operation by operation, in
 * constant memory. The format of a trace that is read is told by its content:
 *
 *     Twitter's lines (Yang et al., "A large scale analysis of hundreds of in-memory
 *     cache clusters at Twitter", OSDI 2020):
 *         timestamp,key,key size,value size,client id,operation,TTL[,found]
 *     Meta's kvcache lines: a header names the columns op_time, key, key_size, op,
 *         op_count, size, cache_hits and ttl, in any order; others are ignored
 *     libCacheSim's oracleGeneral: a record of 24 bytes for each access, which is a get
 *     RocksDB's records (db_bench --trace_file, DB::StartTrace), versions 0.1 and 0.2
 *
 * The eighth column of Twitter's lines is this suite's: 1 for a get that found a record,
 * 0 for one that did not, and empty for other operations. Lines without it are read, too.
 *
 * Times are seconds, with up to nine decimals if they have any. In a key that is not
 * text, or contains a comma, such bytes are written as %XX; its size counts the decoded
 * bytes. A key that is shorter than its stated size is padded with commas. Files whose
 * names end in .gz or .zst are piped through gzip or zstd.
 *
 * Twitter's lines are written, or oracleGeneral to a file that is named so
 * (x.oracleGeneral, x.oracleGeneral.bin.zst): its times are whole seconds, an object's
 * size is that of key and value, and it has no deletes and no scans.
 */
#ifndef UTIL_TRACE_H
#define UTIL_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record.h"
#include "trace_file.h"

/*
 * All functions return false on failure, with a sentence in `error` (TRACE_ERROR_SIZE
 * bytes).
 */
bool trace_open(struct trace *t, const char *path, char *error);
/*
 * Reads the next operation; at the end it returns false with an empty `error`. What
 * cannot be parsed is reported by its line, or the offset of its record.
 */
bool trace_read(struct trace *t, struct trace_line *line, char *error);
/* Creates a file, or opens an empty one; and whether that is possible, before a run. */
bool trace_check_create(const char *path, char *error);
bool trace_create(struct trace *t, const char *path, char *error);
bool trace_write(struct trace *t, const struct trace_line *line, char *error);
/* Closes a written trace in any case; returns whether all of it was written. */
bool trace_close(struct trace *t, char *error);

/*
 * The format, and what the operations read or written so far do not say of the trace;
 * the text is cut at `size` bytes.
 */
void trace_summarize(const struct trace *t, char *to, size_t size);

/*
 * The id that a key's values are made from: its record's, if it is a key of this format
 * and size, otherwise a hash of the key.
 */
uint64_t trace_value_id(const char *key, size_t size, enum record_key_format form,
			size_t key_size);

#endif
