/*
 * trace_binary.h: traces of binary records, little-endian: RocksDB's, and libCacheSim's
 * oracleGeneral. trace.h has what an operation is made of.
 */
#ifndef UTIL_TRACE_BINARY_H
#define UTIL_TRACE_BINARY_H

#include "trace_file.h"

extern const struct trace_format trace_binary_rocksdb, trace_binary_oracle;

/* The bytes of a record of oracleGeneral. */
enum { TRACE_BINARY_ORACLE_SIZE = 24 };

/*
 * Writes such a record for the operation to `to`, without its next access; returns false
 * if the format has no such operation.
 */
bool trace_binary_write_oracle(char *to, const struct trace_line *line);
/*
 * Sets the next accesses in `count` records; returns false if there is no memory for
 * their objects.
 */
bool trace_binary_link_oracle(char *records, uint64_t count);

#endif
