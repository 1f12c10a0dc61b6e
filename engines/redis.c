/*
 * redis.c: Redis, a store in the memory of other processes, behind a socket: one server,
 * or several among which keys are dealt out by a hash of ours. By hiredis; a session is a
 * connection to each server.
 *
 * A record is a string under MARK and its key, which is also a member of one sorted set,
 * all of score 0, which scans read in order. Both change in one MULTI, or not at all. A
 * batch is kept here until its commit and then sent, a MULTI to each server that it
 * concerns; a transaction that reads WATCHes what it read, on one server. What goes to
 * several servers is sent to all of them before an answer is waited for: one round trip.
 * Traps: with several servers a batch is atomic in each, not among them. There are no
 * snapshots. Settings are the server's, so they stay when the database is closed. Only a
 * server that holds nothing, or what a bench_redis put there, is touched.
 */
#include <pthread.h>
#include <signal.h>

#include "../util/random.h"
#include "server.h"

#define MARK "r"	  /* before the key of a record, so that none is a name of ours */
#define KEYS "assay:keys" /* the sorted set */

enum { KEY_LIMIT = 1024, SCAN_GROWS = 64, SCAN_BYTES = 1 << 20 };

static struct {
	const char *addresses;
	bool remote;
	uint64_t scan, wait;
} redis_tuning;

static const struct option redis_options[] = {
	{"redis", "",
	 "Addresses of the servers, HOST:PORT or a socket's path, separated by commas; "
	 "a database can be opened again only by the same list in the same order. "
	 "Empty: those of $ASSAY_REDIS, which scripts/serve.sh sets.",
	 .text = &redis_tuning.addresses, .group = "Redis"},
	{"redis_remote", "0",
	 "1: servers may be on other machines, and keys and values then cross the "
	 "network unencrypted; 0: servers on other machines are refused.",
	 .flag = &redis_tuning.remote},
	{"redis_scan", "16",
	 "Records that a scan asks each server for at first; the number doubles with "
	 "each further request, up to 64 times as many and 1 MiB.",
	 .count = &redis_tuning.scan, .least = 1, .most = 10000},
	{"redis_wait", "0",
	 "Replicas of a server that must have each commit in their memory before it "
	 "counts (WAIT, in the commit's own round trip); if fewer say so within 3 s the "
	 "run ends.",
	 .count = &redis_tuning.wait, .most = 100},
	{0},
};

/* A write of the open batch, before its key and its value. */
struct pending {
	size_t key_size, value_size;
	unsigned shard;
	bool deletes;
};

struct db {
	const struct settings *settings;
	struct wire wire;     /* for what no session does */
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
	char *pending; /* writes of the batch, each after the other */
	size_t used, room;
	bool reverse;		   /* of a scan */
	unsigned current;	   /* the server that has the current record */
	uint64_t chunk;		   /* records it asks each server for */
	char bound[KEY_LIMIT + 1]; /* where it goes on */
	const char **word;	   /* of a command with many keys, */
	size_t *length;
	char *names; /* and those keys with MARK before each */
};

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

/*
 * The name of a record in room that the session has for so many: valid until another
 * takes its place.
 */
static struct slice name_record(struct session *s, unsigned place, struct slice key)
{
	char *name = s->names + place * (s->db->settings->key_size + sizeof MARK);

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
static void ask_write(struct session *s, struct shard *to, bool deletes, struct slice key,
		      struct slice value)
{
	struct slice name = name_record(s, 0, key);

	if (deletes) {
		ask(to, (struct slice[WORDS]){text("DEL"), name});
		ask(to, (struct slice[WORDS]){text("ZREM"), text(KEYS), key});
	} else {
		ask(to, (struct slice[WORDS]){text("SET"), name, value});
		ask(to, (struct slice[WORDS]){text("ZADD"), text(KEYS), text("0"), key});
	}
}

static enum status write_now(struct session *s, bool deletes, struct slice key,
			     struct slice value)
{
	unsigned i = shard_of(key);
	struct shard *to = &s->wire.shard[i];
	enum status status;

	begin_call(s);
	ask_text(to, "MULTI");
	ask_write(s, to, deletes, key, value);
	ask_text(to, "EXEC");
	ask_replicas(to);
	status = exchange(&s->wire);
	if (status == DONE &&
	    (to->answer->type != REDIS_REPLY_ARRAY || to->answer->elements != 2))
		return server_fail(&s->wire, i, "what answered is no Redis");
	return status == DONE && deletes && !to->answer->element[0]->integer ? NOT_FOUND
									     : status;
}

static size_t pending_size(const struct pending *p)
{
	return (sizeof *p + p->key_size + p->value_size + 7) & ~(size_t)7;
}

/* Keep a write until the commit. */
static enum status write_later(struct session *s, bool deletes, struct slice key,
			       struct slice value)
{
	struct pending p = {key.size, value.size, shard_of(key), deletes};
	size_t size = pending_size(&p);

	if (s->used + size > s->room) {
		size_t room = 2 * (s->used + size);
		char *more = realloc(s->pending, room);

		if (!more)
			return because(s->wire.why, FAILED,
				       "no memory for a batch of %zu bytes", room);
		s->pending = more;
		s->room = room;
	}
	memcpy(s->pending + s->used, &p, sizeof p);
	memcpy(s->pending + s->used + sizeof p, key.data, key.size);
	if (value.size)
		memcpy(s->pending + s->used + sizeof p + key.size, value.data,
		       value.size);
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
	ask(at, (struct slice[WORDS]){text("EXISTS"), name_record(s, 0, key)});
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
	struct slice name = name_record(s, 0, key);
	enum status status;

	if (p) {
		*value = (struct slice){(const char *)(p + 1) + p->key_size,
					p->value_size};
		return p->deletes ? NOT_FOUND : DONE;
	}
	begin_call(s);
	if (s->batch)
		ask(at, (struct slice[WORDS]){text("WATCH"), name});
	at->watched = s->batch;
	ask(at, (struct slice[WORDS]){text("GET"), name});
	status = exchange(&s->wire);
	if (status != DONE || at->answer->type == REDIS_REPLY_NIL)
		return status == DONE ? NOT_FOUND : status;
	*value = string_of(at->answer);
	return DONE;
}

/* Ask server i for the values of those of n keys that are its own. */
static void ask_values(struct session *s, unsigned i, const struct slice *keys,
		       unsigned n)
{
	int words = 1;

	s->word[0] = "MGET";
	s->length[0] = 4;
	for (unsigned k = 0; k < n; k++) {
		struct slice name;

		if (shard_of(keys[k]) != i)
			continue;
		name = name_record(s, (unsigned)words - 1, keys[k]);
		s->word[words] = name.data;
		s->length[words++] = name.size;
	}
	if (words > 1)
		ask_words(&s->wire.shard[i], words, s->word, s->length);
}

static enum status redis_multiget(struct session *s, const struct slice *keys,
				  struct slice *values, unsigned n)
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

		values[k] = r->type == REDIS_REPLY_STRING ? string_of(r)
							  : (struct slice){NULL, 0};
	}
	return status;
}

/* ---- scans: from each server keys beyond the bound, then their values; merged ---- */

/* The bound: from a key on, inclusive or not. */
static void bound_by(struct session *s, const char *how, struct slice key,
		     struct slice *bound)
{
	s->bound[0] = *how;
	memcpy(s->bound + 1, key.data, key.size);
	*bound = (struct slice){s->bound, key.size + 1};
}

static void ask_keys(struct session *s, struct shard *from, struct slice bound)
{
	char most[24];
	const char *word[7] = {s->reverse ? "ZREVRANGEBYLEX" : "ZRANGEBYLEX",
			       KEYS,
			       bound.data,
			       s->reverse ? "-" : "+",
			       "LIMIT",
			       "0",
			       most};
	size_t length[7];

	snprintf(most, sizeof most, "%llu", (unsigned long long)s->chunk);
	for (int i = 0; i < 7; i++)
		length[i] = i == 2 ? bound.size : strlen(word[i]);
	ask_words(from, 7, word, length);
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
			struct slice name = name_record(
				s, k, string_of(from->keys->element[k]));

			s->word[k + 1] = name.data;
			s->length[k + 1] = name.size;
		}
		if (from->keys->elements)
			ask_words(from, (int)from->keys->elements + 1, s->word,
				  s->length);
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
				s->chunk = 2 * s->chunk < chunk_most(s) ? 2 * s->chunk
									: chunk_most(s);
			bound_by(s, "(",
				 string_of(from->keys->element[from->keys->elements - 1]),
				 &bound);
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
	struct shard *from;

	for (unsigned i = 0; status == DONE && i < servers.n; i++) {
		from = &s->wire.shard[i];
		const redisReply *candidate = at_record(from)
						      ? from->keys->element[from->next]
						      : NULL;

		if (!candidate || (best && (in_order(candidate, best) > 0) != s->reverse))
			continue;
		best = candidate;
		s->current = i;
	}
	if (status != DONE || !best)
		return status == DONE ? NOT_FOUND : status;
	from = &s->wire.shard[s->current];
	*key = string_of(best);
	*value = string_of(from->answer->element[from->next]);
	return DONE;
}

static enum status scan_from(struct session *s, struct slice bound, struct slice *key,
			     struct slice *value)
{
	enum status status;

	begin_call(s);
	s->chunk = redis_tuning.scan < chunk_most(s) ? redis_tuning.scan : chunk_most(s);
	for (unsigned i = 0; i < servers.n; i++)
		ask_keys(s, &s->wire.shard[i], bound);
	status = fetch_values(s);
	return status == DONE ? merge(s, key, value) : status;
}

static enum status redis_seek(struct session *s, struct slice from, struct slice *key,
			      struct slice *value)
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
	s->wire.shard[s->current].next++;
	return merge(s, key, value);
}

/* After a seek the servers are asked anew, as their answers go the other way. */
static enum status redis_prev(struct session *s, struct slice *key, struct slice *value)
{
	const struct shard *from = &s->wire.shard[s->current];
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

/*
 * What was watched and is not to be committed. A connection that fails now fails the next
 * call as well.
 */
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
		return because(w->why, UNSUPPORTED,
			       "a transaction that reads has keys of several servers");
	}
	begin_call(s);
	for (unsigned i = 0; i < servers.n; i++)
		if (w->shard[i].writes || w->shard[i].watched)
			ask_text(&w->shard[i], "MULTI");
	for (size_t at = 0; at < s->used; at += pending_size(p)) {
		const char *key;

		p = (const void *)(s->pending + at);
		key = (const char *)(p + 1);
		ask_write(s, &w->shard[p->shard], p->deletes,
			  (struct slice){key, p->key_size},
			  (struct slice){key + p->key_size, p->value_size});
	}
	for (unsigned i = 0; i < servers.n; i++) {
		if (w->shard[i].writes || w->shard[i].watched)
			ask_text(&w->shard[i], "EXEC");
		if (w->shard[i].writes)
			ask_replicas(&w->shard[i]);
	}
	status = exchange(w);
	for (unsigned i = 0; status == DONE && i < servers.n; i++)
		if (w->shard[i].watched && w->shard[i].answer->type == REDIS_REPLY_NIL)
			status = CONFLICT;
	end_batch(s);
	return status;
}

/* ---- the rest ---- */

static const char *redis_tune(struct settings *s)
{
	static char why[WHY_SIZE];
	const char *list = *redis_tuning.addresses ? redis_tuning.addresses
						   : getenv("ASSAY_REDIS");

	servers.replicas = (unsigned)redis_tuning.wait;
	/* once for all benchmarks of a list */
	if (!*servers.version &&
	    (read_addresses(list ? list : "", redis_tuning.remote, why) ||
	     reconnoitre(why)))
		return why;
	s->parted = servers.n > 1;
	s->torn_batches = s->parted ? TORN_SEEN | TORN_CRASH : 0;
	return NULL;
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
		status = settings->create ? take_servers(&db->wire, word)
					  : find_parts(&db->wire, word);
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
	s->names = malloc(most * (db->settings->key_size + sizeof MARK));
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

static enum status redis_settle(struct db *db, char *why)
{
	db->wire.why = why;
	return db->settings->durability == DURABILITY_ASYNC ? flush_log(&db->wire) : DONE;
}

static enum status redis_owed(struct db *db, struct owed *owed, char *why)
{
	static const char *const works[] = {
		"aof_rewrite_in_progress", "aof_rewrite_scheduled",
		"rdb_bgsave_in_progress", "aof_pending_bio_fsync"};
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
	*r = (struct remote){
		.servers = servers.n,
		.on_this_machine = servers.on_this_machine,
		.round_trips = db->trips};
	pthread_mutex_lock(&db->lock);
	for (const struct session *s = db->sessions; s; s = s->following)
		r->round_trips += atomic_load_explicit(&s->wire.trips,
						       memory_order_relaxed);
	pthread_mutex_unlock(&db->lock);
	status = ask_all(&db->wire, "INFO");
	for (unsigned i = 0; status == DONE && i < servers.n; i++) {
		const struct shard *from = &db->wire.shard[i];

		r->user_s += info_number(from, "used_cpu_user") +
			     info_number(from, "used_cpu_user_children");
		r->sys_s += info_number(from, "used_cpu_sys") +
			    info_number(from, "used_cpu_sys_children");
		r->rss_kb += info_number(from, "used_memory_rss") / 1024;
	}
	return status;
}

static void redis_describe(struct db *db, char *to, size_t size)
{
	static const char *const names[] = {"appendonly", "appendfsync",
					    "maxmemory",  "maxmemory-policy",
					    "io-threads", "auto-aof-rewrite-percentage"};
	char command[64];
	size_t n = (size_t)snprintf(to, size, "servers=%u", servers.n);

	for (size_t i = 0; i < sizeof names / sizeof *names && n < size; i++) {
		snprintf(command, sizeof command, "CONFIG GET %s", names[i]);
		if (ask_all(&db->wire, command) == DONE)
			n += (size_t)snprintf(to + n, size - n, " %s=%s", names[i],
					      config(&db->wire.shard[0]));
	}
	for (unsigned i = 0; i < servers.n && n < size; i++)
		n += (size_t)snprintf(to + n, size - n, "%s%s",
				      i ? "," : " redis=", servers.at[i].name);
}

/* What each server counts of its memory and its calls. */
static void redis_statistics(struct db *db, char *to, size_t size)
{
	size_t n = 0;

	for (int part = 0; part < 2; part++) {
		if (ask_all(&db->wire, part ? "INFO stats" : "INFO memory") != DONE)
			return;
		for (unsigned i = 0; i < servers.n && n < size; i++)
			n += (size_t)snprintf(to + n, size - n, "server %s\n%s",
					      servers.at[i].name,
					      db->wire.shard[i].answer->str);
	}
}

#define TEXT_OF(x) #x
#define DOTTED(a, b, c) TEXT_OF(a) "." TEXT_OF(b) "." TEXT_OF(c)

/* That of the servers, when they have been asked. */
static const char *redis_version(void)
{
	return *servers.version ? servers.version
				: "by hiredis " DOTTED(HIREDIS_MAJOR, HIREDIS_MINOR,
						       HIREDIS_PATCH);
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
