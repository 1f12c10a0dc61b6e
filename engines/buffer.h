/*
 * buffer.h: bytes of a session's own, for engines that show a record only while they call
 * back. A part of tkrzw.c and of toku.c.
 */
#ifndef BUFFER_H
#define BUFFER_H

#include <stdlib.h>
#include <string.h>

#include "engine.h"

/* All zero at first; who has it frees `data`. */
struct buffer {
	char *data;
	size_t size, room;
};

/* Room for so many; false: there is none, and what is there stays. */
static bool buffer_grow(struct buffer *b, size_t room)
{
	char *data = room <= b->room ? b->data : realloc(b->data, room);

	if (!data)
		return false;
	b->data = data;
	b->room = room > b->room ? room : b->room;
	return true;
}

/* A copy, which may be of nothing. */
static bool buffer_keep(struct buffer *b, const void *data, size_t size)
{
	if (!buffer_grow(b, size + 1))
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
