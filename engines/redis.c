/*
 * redis.c: Redis, a store in the memory of other processes, behind a socket: one server, or several among which keys are
 * dealt out by a hash of ours. By hiredis; a session is a connection to each server.
 *
 * A record is a string under MARK and its key, which is also a member of one sorted set, all of score 0, which scans read in
 * order. Both change in one MULTI, or not at all. A batch is kept here until its commit and then sent, a MULTI to each server
 * that it concerns; a transaction that reads WATCHes what it read, on one server. What goes to several servers is sent to all
 * of them before an answer is waited for: one round trip.
 * Traps: with several servers a batch is atomic in each, not among them. There are no snapshots. Settings are the server's,
 * so they stay when the database is closed. Only a server that holds nothing, or what a bench_redis put there, is touched.
 */
#include <errno.h>
#include <hiredis/hiredis.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "../util/random.h"
#include "engine.h"

#define MARK "r"                /* before the key of a record, so that none is a name of ours */
#define KEYS "assay:keys"       /* the sorted set */
#define MARKER "assay:database" /* whose records these are, and which part of them */
#define FORCED "assay:forced"   /* written to have the log forced */
#define CLIENT "assay"

enum { SERVERS = 32, NAME = 128, KEY_LIMIT = 1024, CONNECT_S = 10, SCAN_GROWS = 64, SCAN_BYTES = 1 << 20 };

/* Of --redis, with the version that they answered. */
static struct {
	unsigned n;
	bool here; /* all on this machine */
	char version[32];
	struct server {
		char name[NAME]; /* as it was given: HOST:PORT or a path */
		char host[NAME]; /* "": a socket's path */
		int port;
	} at[SERVERS];
} servers;

static struct {
	const char *addresses;
	bool remote;
	uint64_t scan;
} redis_tuning;

static const struct option redis_options[] = {
	{"redis", "", "Addresses of the servers, HOST:PORT or a socket's path, with commas between; their number and order belong to "
	 "the database. Those of $ASSAY_REDIS, which scripts/serve.sh sets, if there are none.",
	 .text = &redis_tuning.addresses, .group = "Redis"},
	{"redis_remote", "0", "1: servers may be on other machines, and have what is measured pass a network that is not encrypted.",
	 .flag = &redis_tuning.remote},
	{"redis_scan", "16", "Records that a scan asks each server for at first; twice as many each time, to 64 times that and 1 MiB.",
	 .count = &redis_tuning.scan, .least = 1, .most = 10000},
	{0},
};

/* A connection to a server, and what it answered last. */
struct shard {
	redisContext *link;
	unsigned waiting;            /* commands whose answers have not been read */
	redisReply *answer;          /* to the last of them: values, of a scan */
	redisReply *keys;            /* of a scan */
	size_t next;                 /* of those: the next one */
	bool more;                   /* beyond them there may be others */
	bool writes, watched;        /* in the open batch */
};

/* To all of them. */
struct wire {
	char *why;
	_Atomic uint64_t trips;
	struct shard shard[SERVERS];
};

/* A write of the open batch, before its key and its value. */
struct pending {
	size_t key_size, value_size;
	unsigned shard;
	bool deletes;
};

struct db {
	const struct settings *settings;
	struct wire wire; /* for what no session does */
	pthread_mutex_t lock; /* of the list of sessions */
	bool locks;
	struct session *sessions;
	uint64_t trips; /* of those that have ended */
};

struct session {
	struct db *db;
	struct session *following; /* in the list */
	struct wire wire;
	bool batch;
	char *pending;             /* writes of the batch, each after the other */
	size_t used, room;
	bool reverse;              /* of a scan */
	unsigned here;             /* the server that has the record it came to */
	uint64_t chunk;            /* records it asks each server for */
	char bound[KEY_LIMIT + 1]; /* where it goes on */
	const char **word;         /* of a command with many keys, */
	size_t *length;
	char *names;               /* and those keys with MARK before each */
};

static struct slice text(const char *word)
{
	return (struct slice){word, strlen(word)};
}

/* ---- commands and answers ---- */

/* Of server i: no room for what says so. */
static enum status refused(const struct wire *w, unsigned i, const char *words)
{
	bool full = !strncmp(words, "OOM", 3) || strstr(words, "No space left");

	return because(w->why, full ? FULL : FAILED, "server %s: %s", servers.at[i].name, words);
}

static void push(struct shard *to, int words, const char **word, const size_t *length)
{
	redisAppendCommandArgv(to->link, words, word, length);
	to->waiting++;
}

/* A command of up to six words; those without data are not there. It is sent with the next exchange. */
static void ask(struct shard *to, const struct slice command[static 6])
{
	const char *word[6];
	size_t length[6];
	int n = 0;

	for (; n < 6 && command[n].data; n++) {
		word[n] = command[n].data;
		length[n] = command[n].size;
	}
	push(to, n, word, length);
}

/* The same of a command that is text. */
static void ask_text(struct shard *to, const char *command)
{
	struct slice words[6] = {{NULL, 0}};

	for (int n = 0; n < 6 && *command; n++) {
		words[n] = (struct slice){command, strcspn(command, " ")};
		command += words[n].size + strspn(command + words[n].size, " ");
	}
	ask(to, words);
}

static void forget_answers(struct shard *from)
{
	freeReplyObject(from->answer);
	freeReplyObject(from->keys);
	from->answer = from->keys = NULL;
}

/* Every command of a MULTI answers in the array of its EXEC. */
static const char *complaint(const redisReply *r)
{
	if (r->type == REDIS_REPLY_ERROR)
		return r->str;
	for (size_t i = 0; r->type == REDIS_REPLY_ARRAY && i < r->elements; i++)
		if (r->element[i]->type == REDIS_REPLY_ERROR)
			return r->element[i]->str;
	return NULL;
}

/* Read what server i answers, to its last command. */
static enum status hear(struct wire *w, unsigned i)
{
	struct shard *from = &w->shard[i];
	enum status status = DONE;

	for (; from->waiting; from->waiting--) {
		void *reply;
		const char *words;

		if (redisGetReply(from->link, &reply) != REDIS_OK)
			return refused(w, i, from->link->errstr);
		freeReplyObject(from->answer);
		from->answer = reply;
		words = complaint(from->answer);
		if (words && status == DONE)
			status = refused(w, i, words);
	}
	return status;
}

/* Send what was asked, to all servers, and wait for their answers: one round trip. */
static enum status exchange(struct wire *w)
{
	enum status status = DONE;
	uint64_t trips = atomic_load_explicit(&w->trips, memory_order_relaxed);
	int sent;

	for (unsigned i = 0; i < servers.n; i++)
		for (sent = !w->shard[i].waiting; !sent;)
			if (redisBufferWrite(w->shard[i].link, &sent) != REDIS_OK)
				return refused(w, i, w->shard[i].link->errstr);
	for (unsigned i = 0; i < servers.n && status == DONE; i++)
		status = hear(w, i);
	atomic_store_explicit(&w->trips, trips + 1, memory_order_relaxed);
	return status;
}

/* The same question to all. */
static enum status ask_all(struct wire *w, const char *command)
{
	for (unsigned i = 0; i < servers.n; i++)
		ask_text(&w->shard[i], command);
	return exchange(w);
}

static struct slice string_of(const redisReply *r)
{
	return (struct slice){r->str, r->len};
}

/* ---- records ---- */

/* The server of a key, by FNV-1a. */
static unsigned shard_of(struct slice key)
{
	const unsigned char *bytes = key.data;
	uint64_t hash = 0xcbf29ce484222325u;

	if (servers.n == 1)
		return 0;
	for (size_t i = 0; i < key.size; i++)
		hash = (hash ^ bytes[i]) * 0x100000001b3u;
	return (unsigned)((random_wide)random_mix(hash) * servers.n >> 64);
}

/* The name of a record in room that the session has for so many: valid until another takes its place. */
static struct slice name_of(struct session *s, unsigned place, struct slice key)
{
	char *name = s->names + place * (KEY_LIMIT + sizeof MARK);

	memcpy(name, MARK, sizeof MARK - 1);
	memcpy(name + sizeof MARK - 1, key.data, key.size);
	return (struct slice){name, key.size + sizeof MARK - 1};
}

static void begin_call(struct session *s)
{
	for (unsigned i = 0; i < servers.n; i++)
		forget_answers(&s->wire.shard[i]);
}

/* String and sorted set, of one record. */
static void ask_write(struct session *s, struct shard *to, bool deletes, struct slice key, struct slice value)
{
	struct slice name = name_of(s, 0, key);

	if (deletes) {
		ask(to, (struct slice[6]){text("DEL"), name});
		ask(to, (struct slice[6]){text("ZREM"), text(KEYS), key});
	} else {
		ask(to, (struct slice[6]){text("SET"), name, value});
		ask(to, (struct slice[6]){text("ZADD"), text(KEYS), text("0"), key});
	}
}

static enum status write_now(struct session *s, bool deletes, struct slice key, struct slice value)
{
	unsigned i = shard_of(key);
	struct shard *to = &s->wire.shard[i];
	enum status status;

	begin_call(s);
	ask_text(to, "MULTI");
	ask_write(s, to, deletes, key, value);
	ask_text(to, "EXEC");
	status = exchange(&s->wire);
	if (status == DONE && (to->answer->type != REDIS_REPLY_ARRAY || to->answer->elements != 2))
		return refused(&s->wire, i, "what answered is no Redis");
	return status == DONE && deletes && !to->answer->element[0]->integer ? NOT_FOUND : status;
}

static size_t pending_size(const struct pending *p)
{
	return (sizeof *p + p->key_size + p->value_size + 7) & ~(size_t)7;
}

/* Keep a write until the commit. */
static enum status write_later(struct session *s, bool deletes, struct slice key, struct slice value)
{
	struct pending p = {key.size, value.size, shard_of(key), deletes};
	size_t size = pending_size(&p);

	if (s->used + size > s->room) {
		size_t room = 2 * (s->used + size);
		char *more = realloc(s->pending, room);

		if (!more)
			return because(s->wire.why, FAILED, "no memory for a batch of %zu bytes", room);
		s->pending = more;
		s->room = room;
	}
	memcpy(s->pending + s->used, &p, sizeof p);
	memcpy(s->pending + s->used + sizeof p, key.data, key.size);
	if (value.size)
		memcpy(s->pending + s->used + sizeof p + key.size, value.data, value.size);
	s->used += size;
	s->wire.shard[p.shard].writes = true;
	return DONE;
}

/* What the batch last did to a key, or NULL. */
static const struct pending *pending_of(const struct session *s, struct slice key)
{
	const struct pending *found = NULL, *p;

	for (size_t at = 0; at < s->used; at += pending_size(p)) {
		p = (const void *)(s->pending + at);
		if (p->key_size == key.size && !memcmp(p + 1, key.data, key.size))
			found = p;
	}
	return found;
}

static enum status redis_put(struct session *s, struct slice key, struct slice value)
{
	return (s->batch ? write_later : write_now)(s, false, key, value);
}

static enum status is_there(struct session *s, struct slice key)
{
	struct shard *at = &s->wire.shard[shard_of(key)];
	enum status status;

	begin_call(s);
	ask(at, (struct slice[6]){text("EXISTS"), name_of(s, 0, key)});
	status = exchange(&s->wire);
	return status == DONE && !at->answer->integer ? NOT_FOUND : status;
}

static enum status redis_del(struct session *s, struct slice key)
{
	struct slice none = {NULL, 0};
	const struct pending *p;
	enum status status;

	if (!s->batch)
		return write_now(s, true, key, none);
	p = pending_of(s, key);
	status = !p ? is_there(s, key) : p->deletes ? NOT_FOUND : DONE;
	return status == DONE ? write_later(s, true, key, none) : status;
}

static enum status redis_get(struct session *s, struct slice key, struct slice *value)
{
	struct shard *at = &s->wire.shard[shard_of(key)];
	const struct pending *p = s->batch ? pending_of(s, key) : NULL;
	struct slice name = name_of(s, 0, key);
	enum status status;

	if (p) {
		*value = (struct slice){(const char *)(p + 1) + p->key_size, p->value_size};
		return p->deletes ? NOT_FOUND : DONE;
	}
	begin_call(s);
	if (s->batch)
		ask(at, (struct slice[6]){text("WATCH"), name});
	at->watched = s->batch;
	ask(at, (struct slice[6]){text("GET"), name});
	status = exchange(&s->wire);
	if (status != DONE || at->answer->type == REDIS_REPLY_NIL)
		return status == DONE ? NOT_FOUND : status;
	*value = string_of(at->answer);
	return DONE;
}

/* Ask server i for the values of those of n keys that are its own. */
static void ask_values(struct session *s, unsigned i, const struct slice *keys, unsigned n)
{
	int words = 1;

	s->word[0] = "MGET";
	s->length[0] = 4;
	for (unsigned k = 0; k < n; k++) {
		struct slice name;

		if (shard_of(keys[k]) != i)
			continue;
		name = name_of(s, (unsigned)words - 1, keys[k]);
		s->word[words] = name.data;
		s->length[words++] = name.size;
	}
	if (words > 1)
		push(&s->wire.shard[i], words, s->word, s->length);
}

static enum status redis_multiget(struct session *s, const struct slice *keys, struct slice *values, unsigned n)
{
	enum status status;

	begin_call(s);
	for (unsigned i = 0; i < servers.n; i++) {
		s->wire.shard[i].next = 0;
		ask_values(s, i, keys, n);
	}
	status = exchange(&s->wire);
	for (unsigned k = 0; status == DONE && k < n; k++) {
		struct shard *at = &s->wire.shard[shard_of(keys[k])];
		const redisReply *r = at->answer->element[at->next++];

		values[k] = r->type == REDIS_REPLY_STRING ? string_of(r) : (struct slice){NULL, 0};
	}
	return status;
}

/* ---- scans: from each server keys beyond the bound, then their values; merged ---- */

/* The bound: from a key on, inclusive or not. */
static void bound_by(struct session *s, const char *how, struct slice key, struct slice *bound)
{
	s->bound[0] = *how;
	memcpy(s->bound + 1, key.data, key.size);
	*bound = (struct slice){s->bound, key.size + 1};
}

static void ask_keys(struct session *s, struct shard *from, struct slice bound)
{
	char most[24];
	const char *word[7] = {s->reverse ? "ZREVRANGEBYLEX" : "ZRANGEBYLEX", KEYS, bound.data, s->reverse ? "-" : "+",
			       "LIMIT", "0", most};
	size_t length[7];

	snprintf(most, sizeof most, "%llu", (unsigned long long)s->chunk);
	for (int i = 0; i < 7; i++)
		length[i] = i == 2 ? bound.size : strlen(word[i]);
	push(from, 7, word, length);
}

/* The keys that were asked for have come: get their values. */
static enum status fetch_values(struct session *s)
{
	enum status status = exchange(&s->wire);
	bool any = false;

	for (unsigned i = 0; status == DONE && i < servers.n; i++) {
		struct shard *from = &s->wire.shard[i];

		if (from->keys || !from->answer)
			continue;
		from->keys = from->answer;
		from->answer = NULL;
		from->next = 0;
		from->more = from->keys->elements == s->chunk;
		s->word[0] = "MGET";
		s->length[0] = 4;
		for (unsigned k = 0; k < from->keys->elements; k++) {
			struct slice name = name_of(s, k, string_of(from->keys->element[k]));

			s->word[k + 1] = name.data;
			s->length[k + 1] = name.size;
		}
		if (from->keys->elements)
			push(from, (int)from->keys->elements + 1, s->word, s->length);
		any |= from->keys->elements > 0;
	}
	return status == DONE && any ? exchange(&s->wire) : status;
}

/* At a record that is there; what was deleted since its key came is passed over. */
static bool at_record(struct shard *from)
{
	while (from->keys && from->next < from->keys->elements &&
	       from->answer->element[from->next]->type != REDIS_REPLY_STRING)
		from->next++;
	return from->keys && from->next < from->keys->elements;
}

static uint64_t chunk_most(const struct session *s)
{
	uint64_t fit = SCAN_BYTES / (s->db->settings->value_size + 1) + 1;
	uint64_t most = redis_tuning.scan * SCAN_GROWS;

	return fit < most ? fit : most;
}

/* Of those that have come to the end of what they were asked for, the next records. */
static enum status refill(struct session *s)
{
	enum status status = DONE;
	bool any = true;

	while (status == DONE && any) {
		any = false;
		for (unsigned i = 0; i < servers.n; i++) {
			struct shard *from = &s->wire.shard[i];
			struct slice bound;

			if (at_record(from) || !from->more)
				continue;
			if (!any)
				s->chunk = 2 * s->chunk < chunk_most(s) ? 2 * s->chunk : chunk_most(s);
			bound_by(s, "(", string_of(from->keys->element[from->keys->elements - 1]), &bound);
			ask_keys(s, from, bound);
			forget_answers(from);
			any = true;
		}
		status = any ? fetch_values(s) : DONE;
	}
	return status;
}

static int in_order(const redisReply *a, const redisReply *b)
{
	size_t size = a->len < b->len ? a->len : b->len;
	int sign = memcmp(a->str, b->str, size);

	return sign ? sign : (a->len > b->len) - (a->len < b->len);
}

/* The next record of all servers'. */
static enum status merge(struct session *s, struct slice *key, struct slice *value)
{
	enum status status = refill(s);
	const redisReply *best = NULL;

	for (unsigned i = 0; status == DONE && i < servers.n; i++) {
		struct shard *from = &s->wire.shard[i];
		const redisReply *candidate = at_record(from) ? from->keys->element[from->next] : NULL;

		if (!candidate || (best && (in_order(candidate, best) > 0) != s->reverse))
			continue;
		best = candidate;
		s->here = i;
	}
	if (status != DONE || !best)
		return status == DONE ? NOT_FOUND : status;
	*key = string_of(best);
	*value = string_of(s->wire.shard[s->here].answer->element[s->wire.shard[s->here].next]);
	return DONE;
}

static enum status scan_from(struct session *s, struct slice bound, struct slice *key, struct slice *value)
{
	enum status status;

	begin_call(s);
	s->chunk = redis_tuning.scan < chunk_most(s) ? redis_tuning.scan : chunk_most(s);
	for (unsigned i = 0; i < servers.n; i++)
		ask_keys(s, &s->wire.shard[i], bound);
	status = fetch_values(s);
	return status == DONE ? merge(s, key, value) : status;
}

static enum status redis_seek(struct session *s, struct slice from, struct slice *key, struct slice *value)
{
	struct slice bound = text("-");

	s->reverse = false;
	if (from.data)
		bound_by(s, "[", from, &bound);
	return scan_from(s, bound, key, value);
}

static enum status redis_last(struct session *s, struct slice *key, struct slice *value)
{
	s->reverse = true;
	return scan_from(s, text("+"), key, value);
}

static enum status redis_next(struct session *s, struct slice *key, struct slice *value)
{
	s->wire.shard[s->here].next++;
	return merge(s, key, value);
}

/* After a seek the servers are asked anew, as their answers go the other way. */
static enum status redis_prev(struct session *s, struct slice *key, struct slice *value)
{
	const struct shard *from = &s->wire.shard[s->here];
	struct slice bound;

	if (s->reverse)
		return redis_next(s, key, value);
	s->reverse = true;
	bound_by(s, "(", string_of(from->keys->element[from->next]), &bound);
	return scan_from(s, bound, key, value);
}

/* ---- batches ---- */

static enum status redis_begin(struct session *s)
{
	s->batch = true;
	return DONE;
}

static void end_batch(struct session *s)
{
	s->batch = false;
	s->used = 0;
	for (unsigned i = 0; i < servers.n; i++)
		s->wire.shard[i].writes = s->wire.shard[i].watched = false;
}

/* What was watched and is not to be committed. A connection that fails now fails the next call as well. */
static void redis_rollback(struct session *s)
{
	bool any = false;

	for (unsigned i = 0; i < servers.n; i++) {
		if (s->wire.shard[i].watched && !s->wire.shard[i].link->err)
			ask_text(&s->wire.shard[i], "UNWATCH");
		any |= s->wire.shard[i].watched;
	}
	end_batch(s);
	if (any)
		exchange(&s->wire);
}

/* No two servers can be made to decide alike. */
static bool reads_apart(const struct wire *w)
{
	unsigned reads = 0, concerned = 0;

	for (unsigned i = 0; i < servers.n; i++) {
		reads += w->shard[i].watched;
		concerned += w->shard[i].watched || w->shard[i].writes;
	}
	return reads && concerned > 1;
}

static enum status redis_commit(struct session *s)
{
	struct wire *w = &s->wire;
	const struct pending *p;
	enum status status;

	if (reads_apart(w)) {
		redis_rollback(s);
		return because(w->why, UNSUPPORTED, "a transaction that reads has keys of several servers");
	}
	begin_call(s);
	for (unsigned i = 0; i < servers.n; i++)
		if (w->shard[i].writes || w->shard[i].watched)
			ask_text(&w->shard[i], "MULTI");
	for (size_t at = 0; at < s->used; at += pending_size(p)) {
		const char *key;

		p = (const void *)(s->pending + at);
		key = (const char *)(p + 1);
		ask_write(s, &w->shard[p->shard], p->deletes, (struct slice){key, p->key_size},
			  (struct slice){key + p->key_size, p->value_size});
	}
	for (unsigned i = 0; i < servers.n; i++)
		if (w->shard[i].writes || w->shard[i].watched)
			ask_text(&w->shard[i], "EXEC");
	status = exchange(w);
	for (unsigned i = 0; status == DONE && i < servers.n; i++)
		if (w->shard[i].watched && w->shard[i].answer->type == REDIS_REPLY_NIL)
			status = CONFLICT;
	end_batch(s);
	return status;
}

/* ---- the rest: where the servers are ---- */

/* Is it an address of this machine alone? */
static bool is_loopback(const char *host)
{
	return !strcmp(host, "localhost") || !strcmp(host, "::1") || !strncmp(host, "127.", 4);
}

/* HOST:PORT, [HOST]:PORT or a path. */
static bool read_address(struct server *at, const char *address, size_t size)
{
	char *colon, *end = "";
	size_t length;

	if (!size || size >= NAME)
		return false;
	snprintf(at->name, sizeof at->name, "%.*s", (int)size, address);
	at->host[0] = '\0';
	colon = strrchr(at->name, ':');
	if (strchr(at->name, '/'))
		return true;
	if (!colon)
		return false;
	at->port = (int)strtol(colon + 1, &end, 10);
	length = (size_t)(colon - at->name);
	snprintf(at->host, sizeof at->host, "%.*s", (int)length, at->name);
	if (at->host[0] == '[' && at->host[length - 1] == ']')
		snprintf(at->host, sizeof at->host, "%.*s", (int)length - 2, at->name + 1);
	return *at->host && !*end && colon[1] && at->port > 0 && at->port < 65536;
}

static const char *read_addresses(const char *list)
{
	static char why[WHY_SIZE];

	servers.here = true;
	for (servers.n = 0; *list && servers.n < SERVERS; servers.n++) {
		struct server *at = &servers.at[servers.n];
		size_t size = strcspn(list, ",");

		if (!read_address(at, list, size)) {
			snprintf(why, sizeof why, "--redis: '%.*s' is no address; give HOST:PORT or a socket's path",
				 (int)(size < NAME ? size : NAME), list);
			return why;
		}
		servers.here &= !*at->host || is_loopback(at->host);
		if (!servers.here && !redis_tuning.remote) {
			snprintf(why, sizeof why, "--redis: %s is not on this machine; give --redis_remote=1 if it may be measured "
				 "over the network", at->name);
			return why;
		}
		list += size + (list[size] == ',');
	}
	if (*list) {
		snprintf(why, sizeof why, "--redis: more than %d servers", SERVERS);
		return why;
	}
	return servers.n ? NULL : "--redis: which server? scripts/serve.sh redis starts some and says how to reach them";
}

static void hang_up(struct wire *w)
{
	for (unsigned i = 0; i < servers.n; i++) {
		forget_answers(&w->shard[i]);
		if (w->shard[i].link)
			redisFree(w->shard[i].link);
	}
}

static enum status dial(struct wire *w, char *why)
{
	const struct timeval patience = {CONNECT_S, 0};

	w->why = why;
	for (unsigned i = 0; i < servers.n; i++) {
		const struct server *at = &servers.at[i];
		redisContext *c = *at->host ? redisConnectWithTimeout(at->host, at->port, patience)
					    : redisConnectUnixWithTimeout(at->name, patience);

		w->shard[i].link = c;
		if (!c || c->err)
			return because(why, FAILED, "no server answers at %s: %s", at->name, c ? c->errstr : "out of memory");
	}
	return DONE;
}

/* ---- what the servers say of themselves ---- */

/* "name:value" in what INFO answered: the value, which a line's end ends; or NULL. */
static const char *info(const struct shard *from, const char *name)
{
	size_t length = strlen(name);

	for (const char *line = from->answer->str; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, name, length) && line[length] == ':')
			return line + length + 1;
	}
	return NULL;
}

static double info_number(const struct shard *from, const char *name)
{
	const char *value = info(from, name);

	return value ? strtod(value, NULL) : 0;
}

/* What CONFIG GET answers of one setting; "": nothing. */
static const char *config(const struct shard *from)
{
	return from->answer->type == REDIS_REPLY_ARRAY && from->answer->elements == 2 ? from->answer->element[1]->str : "";
}

/* All have one version. */
static enum status learn_versions(struct wire *w)
{
	enum status status = ask_all(w, "INFO server");

	for (unsigned i = 0; status == DONE && i < servers.n; i++) {
		const char *v = info(&w->shard[i], "redis_version");
		size_t length = v ? strcspn(v, "\r\n") : 0;

		if (!length || length >= sizeof servers.version)
			return refused(w, i, "it does not say its version");
		if (i && strncmp(servers.version, v, length))
			return refused(w, i, "its version is not that of the first; measure servers of one version");
		snprintf(servers.version, sizeof servers.version, "%.*s", (int)length, v);
	}
	return status;
}

/* Nothing foreign is touched: each holds nothing, or what was marked as ours, and gives nothing away. */
static enum status check_ours(struct wire *w)
{
	enum status status = ask_all(w, "INFO keyspace");

	for (unsigned i = 0; status == DONE && i < servers.n; i++) {
		const char *first = strstr(w->shard[i].answer->str, "db"), *second = first ? strstr(first, "\ndb") : NULL;

		if (first && (strncmp(first, "db0:", 4) || second))
			return refused(w, i, "it has databases that are not assay's; start one that is empty");
		w->shard[i].more = first != NULL;
	}
	if (status == DONE)
		status = ask_all(w, "EXISTS " MARKER);
	for (unsigned i = 0; status == DONE && i < servers.n; i++)
		if (w->shard[i].more && !w->shard[i].answer->integer)
			return refused(w, i, "it holds what assay did not put there; start one that is empty");
	if (status == DONE)
		status = ask_all(w, "CONFIG GET maxmemory-policy");
	for (unsigned i = 0; status == DONE && i < servers.n; i++)
		if (strcmp(config(&w->shard[i]), "noeviction"))
			return refused(w, i, "it may drop records when its memory is full; set its maxmemory-policy to noeviction");
	return status;
}

/* Once, before anything is touched: are there servers, and may they be used? */
static const char *redis_tune(struct settings *s)
{
	static char why[WHY_SIZE];
	static struct wire w;
	const char *list = *redis_tuning.addresses ? redis_tuning.addresses : getenv("ASSAY_REDIS"), *wrong;

	if (!*servers.version) {
		if ((wrong = read_addresses(list ? list : "")))
			return wrong;
		if (dial(&w, why) != DONE || learn_versions(&w) != DONE || check_ours(&w) != DONE) {
			hang_up(&w);
			return why;
		}
		hang_up(&w);
	}
	s->torn_batches = servers.n > 1 ? TORN_SEEN | TORN_CRASH : 0;
	return NULL;
}

/* ---- open and close ---- */

/* What the directory has of the database: a word that no other one has, from when and where its file was made. */
static enum status own_word(const struct settings *s, char *word, size_t size, char *why)
{
	char path[4096];
	struct stat st;
	FILE *f;
	bool ok;

	snprintf(path, sizeof path, "%s/servers", s->path);
	if (!(f = fopen(path, s->create ? "w" : "r")))
		return because(why, FAILED, "%s: %s", path, strerror(errno));
	if (s->create) {
		fstat(fileno(f), &st);
		snprintf(word, size, "%llx-%llx-%lx", (unsigned long long)st.st_ino, (unsigned long long)st.st_mtim.tv_sec,
			 (unsigned long)st.st_mtim.tv_nsec);
		ok = fputs(word, f) >= 0;
	} else {
		ok = fgets(word, (int)size, f);
	}
	ok &= !fclose(f);
	return ok ? DONE : because(why, FAILED, "%s: %s", path, s->create ? "cannot be written" : "is empty");
}

/* Nobody else's connections have the name that ours will have. */
static enum status check_alone(struct wire *w)
{
	enum status status = ask_all(w, "CLIENT LIST");

	for (unsigned i = 0; status == DONE && i < servers.n; i++)
		if (strstr(w->shard[i].answer->str, " name=" CLIENT " "))
			return refused(w, i, "another bench_redis is at work with it");
	return status;
}

/* Of each server the words of its part of the database. */
static void part_of(char *to, size_t size, const char *word, unsigned i)
{
	snprintf(to, size, "%s part %u of %u", word, i + 1, servers.n);
}

static enum status take_servers(struct wire *w, const char *word)
{
	enum status status = check_alone(w);
	char part[160];

	/* so that no log is written of what goes */
	if (status == DONE)
		status = ask_all(w, "CONFIG SET appendonly no");
	if (status == DONE)
		status = ask_all(w, "FLUSHDB");
	for (unsigned i = 0; status == DONE && i < servers.n; i++) {
		part_of(part, sizeof part, word, i);
		ask(&w->shard[i], (struct slice[6]){text("SET"), text(MARKER), text(part)});
	}
	return status == DONE ? exchange(w) : status;
}

static enum status find_records(struct wire *w, const char *word)
{
	enum status status = ask_all(w, "GET " MARKER);
	char part[160];

	for (unsigned i = 0; status == DONE && i < servers.n; i++) {
		const redisReply *r = w->shard[i].answer;

		part_of(part, sizeof part, word, i);
		if (r->type != REDIS_REPLY_STRING)
			return refused(w, i, "it holds nothing any more; load anew");
		if (strcmp(r->str, part))
			return refused(w, i, "it holds another database than this directory is about, or another part; give the same "
				       "addresses, or load anew");
	}
	return status;
}

/* Set, and answered so. */
static enum status set_config(struct wire *w, const char *name, const char *value)
{
	char command[64];
	enum status status = DONE;

	for (unsigned i = 0; i < servers.n; i++)
		ask(&w->shard[i], (struct slice[6]){text("CONFIG"), text("SET"), text(name), text(value)});
	status = exchange(w);
	snprintf(command, sizeof command, "CONFIG GET %s", name);
	if (status == DONE)
		status = ask_all(w, command);
	for (unsigned i = 0; status == DONE && i < servers.n; i++)
		if (strcmp(config(&w->shard[i]), value))
			return refused(w, i, "a setting of its log was set and is not so");
	return status;
}

/*
 * A log that was turned on holds what was there before only when it has been written anew. WAIT for a replica that there is
 * not is how a server lets a client rest for so many milliseconds.
 */
static enum status await_log(struct wire *w, bool wanted)
{
	enum status status;
	bool busy = true;

	while ((status = ask_all(w, "INFO persistence")) == DONE && busy) {
		busy = false;
		for (unsigned i = 0; i < servers.n; i++) {
			struct shard *at = &w->shard[i];
			const char *last = info(at, "aof_last_bgrewrite_status");

			busy |= info_number(at, "aof_rewrite_in_progress") + info_number(at, "aof_rewrite_scheduled") > 0;
			if (wanted && (!last || strncmp(last, "ok", 2) || info_number(at, "aof_enabled") != 1))
				return refused(w, i, "it cannot write its append-only file; see its log");
		}
		if (busy && (status = ask_all(w, "WAIT 1 20")) != DONE)
			return status;
	}
	return status;
}

static const char *const fsyncs[] = {[DURABILITY_NONE] = "no", [DURABILITY_ASYNC] = "no", [DURABILITY_SYNC] = "always"};

/*
 * A server writes its log before it answers, by a call at async, and forces it at sync. With everysec it can answer
 * first, while a force is under way.
 */
static enum status make_durable(struct wire *w, enum durability d)
{
	bool log = d != DURABILITY_NONE;
	enum status status = set_config(w, "save", "");

	if (status == DONE)
		status = set_config(w, "appendfsync", fsyncs[d]);
	if (status == DONE)
		status = set_config(w, "appendonly", log ? "yes" : "no");
	return status == DONE ? await_log(w, log) : status;
}

static enum status redis_open(struct db *db, const struct settings *settings, char *why)
{
	char word[128];
	enum status status;

	db->settings = settings;
	/* hiredis writes to sockets whose other end may be gone */
	signal(SIGPIPE, SIG_IGN);
	db->locks = !pthread_mutex_init(&db->lock, NULL);
	status = own_word(settings, word, sizeof word, why);
	if (status == DONE)
		status = dial(&db->wire, why);
	if (status == DONE)
		status = check_ours(&db->wire);
	if (status == DONE)
		status = settings->create ? take_servers(&db->wire, word) : find_records(&db->wire, word);
	if (status == DONE)
		status = make_durable(&db->wire, settings->durability);
	return status == DONE ? ask_all(&db->wire, "CLIENT SETNAME " CLIENT) : status;
}

/* The records stay where they are, in the servers. */
static enum status redis_close(struct db *db, char *why)
{
	(void)why;
	hang_up(&db->wire);
	if (db->locks)
		pthread_mutex_destroy(&db->lock);
	return DONE;
}

static enum status redis_attach(struct session *s, struct db *db, char *why)
{
	size_t most = (size_t)(redis_tuning.scan * SCAN_GROWS);
	enum status status;

	most = most > db->settings->multiget ? most : db->settings->multiget;
	s->db = db;
	s->word = malloc((most + 1) * sizeof *s->word);
	s->length = malloc((most + 1) * sizeof *s->length);
	s->names = malloc(most * (KEY_LIMIT + sizeof MARK));
	if (!s->word || !s->length || !s->names)
		return because(why, FAILED, "out of memory");
	status = dial(&s->wire, why);
	if (status == DONE)
		status = ask_all(&s->wire, "CLIENT SETNAME " CLIENT);
	s->wire.trips = 0;
	pthread_mutex_lock(&db->lock);
	s->following = db->sessions;
	db->sessions = s;
	pthread_mutex_unlock(&db->lock);
	return status;
}

static void redis_detach(struct session *s)
{
	struct session **at;

	pthread_mutex_lock(&s->db->lock);
	for (at = &s->db->sessions; *at; at = &(*at)->following)
		if (*at == s) {
			*at = s->following;
			s->db->trips += s->wire.trips;
			break;
		}
	pthread_mutex_unlock(&s->db->lock);
	hang_up(&s->wire);
	free(s->pending);
	free(s->word);
	free(s->length);
	free(s->names);
}

/* ---- settle, and what it tells ---- */

/* With a commit that is forced, all before it is. */
static enum status redis_settle(struct db *db, char *why)
{
	enum durability d = db->settings->durability;
	enum status status;

	db->wire.why = why;
	if (d != DURABILITY_ASYNC)
		return DONE;
	status = set_config(&db->wire, "appendfsync", fsyncs[DURABILITY_SYNC]);
	if (status == DONE)
		status = ask_all(&db->wire, "SET " FORCED " 1");
	if (status == DONE)
		status = set_config(&db->wire, "appendfsync", fsyncs[d]);
	return status;
}

static enum status redis_owed(struct db *db, struct owed *owed, char *why)
{
	static const char *const works[] = {"aof_rewrite_in_progress", "aof_rewrite_scheduled", "rdb_bgsave_in_progress",
					    "aof_pending_bio_fsync"};
	enum status status;

	db->wire.why = why;
	status = ask_all(&db->wire, "INFO persistence");
	*owed = (struct owed){0, 0};
	for (unsigned i = 0; status == DONE && i < servers.n; i++)
		for (size_t k = 0; k < sizeof works / sizeof *works; k++)
			owed->work += info_number(&db->wire.shard[i], works[k]) > 0;
	return status;
}

static enum status redis_remote(struct db *db, struct remote *r, char *why)
{
	enum status status;

	db->wire.why = why;
	*r = (struct remote){.servers = servers.n, .here = servers.here, .round_trips = db->trips};
	pthread_mutex_lock(&db->lock);
	for (const struct session *s = db->sessions; s; s = s->following)
		r->round_trips += atomic_load_explicit(&s->wire.trips, memory_order_relaxed);
	pthread_mutex_unlock(&db->lock);
	status = ask_all(&db->wire, "INFO everything");
	for (unsigned i = 0; status == DONE && i < servers.n; i++) {
		const struct shard *from = &db->wire.shard[i];

		r->user_s += info_number(from, "used_cpu_user") + info_number(from, "used_cpu_user_children");
		r->sys_s += info_number(from, "used_cpu_sys") + info_number(from, "used_cpu_sys_children");
		r->rss_kb += info_number(from, "used_memory_rss") / 1024;
	}
	return status;
}

static void redis_describe(struct db *db, char *to, size_t size)
{
	static const char *const names[] = {"appendonly", "appendfsync", "maxmemory", "maxmemory-policy", "io-threads",
					    "auto-aof-rewrite-percentage"};
	char command[64];
	size_t n = (size_t)snprintf(to, size, "servers=%u", servers.n);

	for (size_t i = 0; i < sizeof names / sizeof *names && n < size; i++) {
		snprintf(command, sizeof command, "CONFIG GET %s", names[i]);
		if (ask_all(&db->wire, command) == DONE)
			n += (size_t)snprintf(to + n, size - n, " %s=%s", names[i], config(&db->wire.shard[0]));
	}
	for (unsigned i = 0; i < servers.n && n < size; i++)
		n += (size_t)snprintf(to + n, size - n, "%s%s", i ? "," : " redis=", servers.at[i].name);
}

/* What each server counts of its memory and its calls. */
static void redis_statistics(struct db *db, char *to, size_t size)
{
	size_t n = 0;

	for (int part = 0; part < 2; part++) {
		if (ask_all(&db->wire, part ? "INFO stats" : "INFO memory") != DONE)
			return;
		for (unsigned i = 0; i < servers.n && n < size; i++)
			n += (size_t)snprintf(to + n, size - n, "server %s\n%s", servers.at[i].name, db->wire.shard[i].answer->str);
	}
}

#define TEXT_OF(x) #x
#define DOTTED(a, b, c) TEXT_OF(a) "." TEXT_OF(b) "." TEXT_OF(c)

/* That of the servers, when they have been asked. */
static const char *redis_version(void)
{
	return *servers.version ? servers.version : "by hiredis " DOTTED(HIREDIS_MAJOR, HIREDIS_MINOR, HIREDIS_PATCH);
}

const struct engine engine = {
	.name = "redis",
	.title = "Redis",
	.version = redis_version,
	.cache = "",
	.gives = {DURABILITY_NONE, DURABILITY_ASYNC, DURABILITY_SYNC},
	.symbol = "redisGetReply",
	.options = redis_options,
	.key_limit = KEY_LIMIT,
	.value_limit = 512 << 20, /* proto-max-bulk-len */
	.transactions = true,
	.db_size = sizeof(struct db),
	.session_size = sizeof(struct session),
	.put = redis_put,
	.del = redis_del,
	.get = redis_get,
	.multiget = redis_multiget,
	.seek = redis_seek,
	.last = redis_last,
	.next = redis_next,
	.prev = redis_prev,
	.begin = redis_begin,
	.commit = redis_commit,
	.rollback = redis_rollback,
	.tune = redis_tune,
	.open = redis_open,
	.close = redis_close,
	.attach = redis_attach,
	.detach = redis_detach,
	.settle = redis_settle,
	.owed = redis_owed,
	.remote = redis_remote,
	.describe = redis_describe,
	.statistics = redis_statistics,
};
