/* address.c: see address.h. */
#include "address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

bool address_parse(struct address *a, const char *list)
{
	size_t size = strcspn(list, ","), host;
	const char *from = a->name, *colon;
	char *end;

	if (!size || size >= sizeof a->name)
		return false;
	*a = (struct address){.port = 0};
	memcpy(a->name, list, size);
	if (strchr(a->name, '/'))
		return true;
	colon = strrchr(a->name, ':');
	if (!colon || colon[1] < '0' || colon[1] > '9')
		return false;
	host = (size_t)(colon - from);
	if (host > 2 && from[0] == '[' && from[host - 1] == ']') {
		from++;
		host -= 2;
	}
	memcpy(a->host, from, host);
	a->port = (int)strtol(colon + 1, &end, 10);
	return host && !*end && a->port > 0 && a->port < 65536;
}

bool address_is_local(const struct address *a)
{
	struct in_addr four;
	struct in6_addr six;

	if (!*a->host || !strcmp(a->host, "localhost"))
		return true;
	if (inet_pton(AF_INET, a->host, &four) == 1)
		return ntohl(four.s_addr) >> 24 == IN_LOOPBACKNET;
	return inet_pton(AF_INET6, a->host, &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}
