/* long_reader.h: the verdict on what the long reader read, which long_reader.c counts. */
#ifndef BENCH_EXTRAS_LONG_READER_H
#define BENCH_EXTRAS_LONG_READER_H

#include <stdint.h>

struct message_texts;

/*
 * Why a row is invalid whose long reader found so many records changed, a text in
 * `texts`, or NULL.
 */
const char *long_reader_invalid_reason(uint64_t changed_reads,
				       struct message_texts *texts);

#endif
