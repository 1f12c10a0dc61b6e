/*
 * address.h: where a server listens, as a user writes it: HOST:PORT, [HOST]:PORT, or the
 * path of a socket.
 */
#ifndef ADDRESS_H
#define ADDRESS_H

#include <stdbool.h>
#include <stddef.h>

enum { ADDRESS_NAME = 128 };

struct address {
	char name[ADDRESS_NAME]; /* as it was given */
	char host[ADDRESS_NAME]; /* without brackets; "": a socket's path */
	int port;
};

/* The first of a list with commas, without those; false if it is none. */
bool address_parse(struct address *a, const char *list);

/* Is it on this machine whoever looks: a path, a loopback address, or localhost? */
bool address_is_on_this_machine(const struct address *a);

#endif
