/*
 * address.h: a server's address as a user writes it: HOST:PORT, [HOST]:PORT, or the path
 * of a socket.
 */
#ifndef UTIL_ADDRESS_H
#define UTIL_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>

enum { ADDRESS_SIZE = 128 };

struct address {
	char name[ADDRESS_SIZE]; /* as given */
	/* without brackets; "": the address is the path of a socket */
	char host[ADDRESS_SIZE];
	int port;
};

/* Parses the first address of a comma-separated list. Returns false if it is not one. */
bool address_parse(struct address *a, const char *list);

/*
 * Whether the address is on this machine for any reader: a path, a loopback address, or
 * localhost.
 */
bool address_is_local(const struct address *a);

#endif
