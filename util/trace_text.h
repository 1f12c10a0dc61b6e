/*
 * trace_text.h: traces of a line for each operation: Twitter's and Meta's. trace.h has
 * their columns.
 */
#ifndef UTIL_TRACE_TEXT_H
#define UTIL_TRACE_TEXT_H

#include "trace_file.h"

extern const struct trace_format trace_text_twitter, trace_text_meta;

/*
 * Writes a line of Twitter's to `to`, which has TRACE_LINE_SIZE bytes; returns its end.
 */
char *trace_text_write(char *to, const struct trace_line *line);

#endif
