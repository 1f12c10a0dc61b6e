/*
 * server_common.h: what drivers of servers share: the identifier that ties a directory to
 * the records in its server, and the round trips of all sessions.
 */
#ifndef ENGINES_SERVER_COMMON_H
#define ENGINES_SERVER_COMMON_H

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>

#include "driver_common.h"

/*
 * The identifier of a directory's database: the contents of a file in it, and when and
 * where that file was made. No other directory has the same.
 */
static enum status server_common_id(const struct settings *s, char *word, size_t size,
				    char *why)
{
	char path[4096];
	struct stat st;
	FILE *f;
	bool ok;

	snprintf(path, sizeof path, "%s/servers", s->path);
	if (!(f = fopen(path, s->create ? "w" : "r")) || fstat(fileno(f), &st))
		return set_error(why, FAILED, "%s: %s", path, strerror(errno));
	if (s->create) {
		snprintf(word, size, "%llx-%llx-%lx", (unsigned long long)st.st_ino,
			 (unsigned long long)st.st_mtim.tv_sec,
			 (unsigned long)st.st_mtim.tv_nsec);
		ok = fputs(word, f) >= 0;
	} else {
		ok = fgets(word, (int)size, f);
	}
	ok &= !fclose(f);
	return ok ? DONE
		  : set_error(why, FAILED, "%s cannot be %s", path,
			      s->create ? "written" : "read");
}

/* A session's counter of round trips, which its thread alone writes. */
struct server_common_session {
	const _Atomic uint64_t *round_trips;
	struct server_common_session *next;
};

/* Those of a database. Sessions attach and detach while others are counted. */
struct server_common_sessions {
	pthread_mutex_t lock;
	bool has_lock;
	struct server_common_session *first;
	uint64_t ended; /* round trips of sessions that have been detached */
};

static void server_common_open(struct server_common_sessions *of)
{
	of->has_lock = !pthread_mutex_init(&of->lock, NULL);
}

static void server_common_close(struct server_common_sessions *of)
{
	if (of->has_lock)
		pthread_mutex_destroy(&of->lock);
}

static void server_common_attach(struct server_common_sessions *of,
				 struct server_common_session *s,
				 const _Atomic uint64_t *round_trips)
{
	s->round_trips = round_trips;
	pthread_mutex_lock(&of->lock);
	s->next = of->first;
	of->first = s;
	pthread_mutex_unlock(&of->lock);
}

/* Does nothing if the session could not attach. */
static void server_common_detach(struct server_common_sessions *of,
				 struct server_common_session *s)
{
	struct server_common_session **at;

	pthread_mutex_lock(&of->lock);
	for (at = &of->first; *at; at = &(*at)->next)
		if (*at == s) {
			*at = s->next;
			of->ended += atomic_load(s->round_trips);
			break;
		}
	pthread_mutex_unlock(&of->lock);
}

static uint64_t server_common_round_trips(struct server_common_sessions *of)
{
	uint64_t n;

	pthread_mutex_lock(&of->lock);
	n = of->ended;
	for (const struct server_common_session *s = of->first; s; s = s->next)
		n += atomic_load_explicit(s->round_trips, memory_order_relaxed);
	pthread_mutex_unlock(&of->lock);
	return n;
}

#endif
