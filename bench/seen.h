/*
 * seen.h: what a thread has seen of the records, and how it looks at them.
 */
#ifndef SEEN_H
#define SEEN_H

#include <stdint.h>

#include "../engines/engine.h"
#include "../util/record.h"

enum touch { TOUCH_ALL, TOUCH_FIRST, TOUCH_NONE, TOUCHES };

/* What a transaction that gives way takes back. */
struct seen {
	uint64_t bytes, missing, lost;
	record_lanes digest;
};

/* Look at the bytes a read returned, as much as `touch` says. */
static inline __attribute__((always_inline)) void seen_add(struct seen *seen,
							    struct slice bytes,
							    enum touch touch)
{
	seen->bytes += bytes.size;
	if (touch == TOUCH_ALL)
		seen->digest += record_fold(bytes.data, bytes.size);
	else if (touch == TOUCH_FIRST && bytes.size)
		seen->digest[0] += *(const unsigned char *)bytes.data;
}

#endif
