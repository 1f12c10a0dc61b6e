/* redis.c: round trips of sessions, in whichever order these come and go. */
#include "../../engines/redis.c"
#include "../tap.h"

enum { COUNTED_SESSIONS = 4 };

static void round_trips(void)
{
	static const unsigned order[] = {1, 3, 0, 2};
	struct server_common_sessions all = {.first = NULL};
	struct server_common_session sessions[COUNTED_SESSIONS] = {{NULL}},
				     never = {NULL};
	_Atomic uint64_t trips[COUNTED_SESSIONS] = {1, 20, 300, 4000};

	server_common_open(&all);
	tap_expect(!server_common_round_trips(&all), "none");
	for (int i = 0; i < COUNTED_SESSIONS; i++)
		server_common_attach(&all, &sessions[i], &trips[i]);
	tap_expect(server_common_round_trips(&all) == 4321, "of all that are there");
	for (int i = 0; i < COUNTED_SESSIONS; i++) {
		server_common_detach(&all, &sessions[order[i]]);
		trips[order[i]] = 0; /* it is freed */
		tap_expect(server_common_round_trips(&all) == 4321, "after %d have ended",
			   i + 1);
	}
	tap_expect(!all.first, "none is left");
	server_common_detach(&all, &never);
	tap_expect(server_common_round_trips(&all) == 4321, "one that never came");
	server_common_close(&all);
}

/* The directory keeps its word; another has another. */
static void identifiers(void)
{
	char one[] = "/tmp/inside-redis-XXXXXX", other[] = "/tmp/inside-redis-XXXXXX";
	char word[64] = "", again[64] = "", path[80], why[ENGINE_ERROR_SIZE] = "";
	struct settings s = {.path = mkdtemp(one), .create = true};

	tap_expect(server_common_id(&s, word, sizeof word, why) == DONE, "%s", why);
	s.create = false;
	tap_expect(server_common_id(&s, again, sizeof again, why) == DONE, "%s", why);
	tap_expect(!strcmp(word, again), "%s, %s", word, again);
	s.path = mkdtemp(other);
	tap_expect(server_common_id(&s, again, sizeof again, why) == FAILED,
		   "no word of it");
	s.create = true;
	tap_expect(server_common_id(&s, again, sizeof again, why) == DONE, "%s", why);
	tap_expect(strcmp(word, again) != 0, "%s twice", word);
	snprintf(path, sizeof path, "%s/servers", one);
	remove(path);
	remove(one);
	snprintf(path, sizeof path, "%s/servers", other);
	remove(path);
	remove(other);
}

int main(void)
{
	tap_run("redis: round trips of all sessions are counted, of those that ended "
		"once",
		round_trips);
	tap_run("redis: a directory has a word of its own", identifiers);
	return tap_end();
}
