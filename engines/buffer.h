/*
 * buffer.h: a session's own buffer, for engines that show a record only during a
 * callback. Included by tkrzw.c and toku.c.
 */
#ifndef ENGINES_BUFFER_H
#define ENGINES_BUFFER_H

#include <stdlib.h>
#include <string.h>

#include "engine.h"

/* Initially all zero; the owner frees `data`. */
struct buffer {
	char *data;
	size_t size, capacity;
};

/*
 * Makes the buffer at least this large. Returns false without memory; its contents then
 * stay.
 */
static bool buffer_reserve(struct buffer *b, size_t capacity)
{
	char *data = capacity <= b->capacity ? b->data : realloc(b->data, capacity);

	if (!data)
		return false;
	b->data = data;
	b->capacity = capacity > b->capacity ? capacity : b->capacity;
	return true;
}

/* Copies bytes into the buffer; size 0 is permitted. */
static bool buffer_copy(struct buffer *b, const void *data, size_t size)
{
	if (!buffer_reserve(b, size + 1))
		return false;
	memcpy(b->data, data, size);
	b->size = size;
	return true;
}

static struct slice buffer_slice(const struct buffer *b)
{
	return (struct slice){b->data, b->size};
}

#endif
