/*
 * redis.c: Redis, a database in the memory of other processes, behind a socket: one
 * server, or several among which the driver shards keys by a hash. Uses hiredis; a
 * session is a connection to each server.
 *
 * A record is a string, named RECORD_PREFIX and its key. The key is also a member of one
 * sorted set, all with score 0, which scans read in order. Both change in one MULTI. The
 * driver collects a batch until its commit and then sends it, as a MULTI to each server
 * concerned. A transaction that reads WATCHes what it read, on one server. Commands to
 * several servers are sent to all of them before any reply is awaited: one round trip.
 *
 * Traps: with several servers a batch is atomic in each, not among them. There are no
 * snapshots. Settings belong to the server and stay when the database is closed. Only a
 * server that is empty, or was filled by a bench_redis, is used.
 */
#include <signal.h>

#include "../util/random.h"
#include "redis_servers.h"

/* Prefix of a record's name: no name of assay's own begins with it. */
#define RECORD_PREFIX "r"
#define KEYS "assay:keys" /* the sorted set */

enum { KEY_LIMIT = 1024, SCAN_GROWTH_MAX = 64, SCAN_BYTES = 1 << 20 };

static struct {
	const char *addresses;
	bool remote;
	uint64_t scan_records, wait_replicas;
} redis_option_values;

static const struct option redis_options[] = {
	{"redis", "",
	 "Addresses of the servers, separated by commas: HOST:PORT or a socket's "
	 "path. Keys are distributed over them, so an existing database needs the "
	 "same list in the same order. Empty: $ASSAY_REDIS, which scripts/serve.sh "
	 "sets.",
	 .text = &redis_option_values.addresses, .text_type = "list", .group = "Redis"},
	{"redis_remote", "0",
	 "1: allow --redis to name servers on other machines; keys and values then "
	 "cross the network unencrypted. 0: refuse such addresses.",
	 .flag = &redis_option_values.remote},
	{"redis_scan", "16",
	 "Number of records that the first request of a scan fetches from "
	 "each server. Each further request fetches twice as many as the one "
	 "before. The limit per request is 64 times this number or about 1 "
	 "MiB of values, whichever is less.",
	 .count = &redis_option_values.scan_records, .min = 1, .max = 10000},
	{"redis_wait", "0",
	 "Number of replicas of each server that must confirm a commit, in "
	 "memory, before it is acknowledged (WAIT); 0: none. The time of the "
	 "commit includes this wait. If fewer confirm a commit within 3 s, "
	 "the run ends with an error.",
	 .count = &redis_option_values.wait_replicas, .max = 100},
	{0},
};

struct db {
	const struct settings *settings;
	struct redis_connections connections; /* for calls without a session */
	struct server_common_sessions sessions;
};

struct session {
	struct db *db;
	struct server_common_session of_db;
	struct redis_connections connections;
	bool open; /* the batch is collecting writes */
	struct batch batch;
	bool reverse;                   /* of a scan */
	unsigned current;               /* the server of the current record */
	uint64_t chunk;                 /* records per request to each server */
	char scan_bound[KEY_LIMIT + 1]; /* the next request starts here */
	const char **arguments;         /* arguments of a command with many keys, */
	size_t *argument_sizes;
	char *names; /* and those keys, each with RECORD_PREFIX */
};

static struct slice slice_of_reply(const redisReply *r)
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
	return (unsigned)((random_u128)random_mix(hash) * servers.n >> 64);
}

/*
 * Writes a record's name into slot `slot` of the session's names; valid until the slot is
 * reused.
 */
static struct slice name_record(struct session *s, unsigned slot, struct slice key)
{
	char *name = s->names + slot * (s->db->settings->key_size + sizeof RECORD_PREFIX);

	memcpy(name, RECORD_PREFIX, sizeof RECORD_PREFIX - 1);
	memcpy(name + sizeof RECORD_PREFIX - 1, key.data, key.size);
	return (struct slice){name, key.size + sizeof RECORD_PREFIX - 1};
}

static void begin_call(struct session *s)
{
	for (unsigned i = 0; i < servers.n; i++)
		free_replies(&s->connections.server[i]);
}

/* Appends commands for the string and the sorted set of a record. */
static void append_write(struct session *s, struct server_connection *to, bool deletes,
			 struct slice key, struct slice value)
{
	struct slice name = name_record(s, 0, key);

	if (deletes) {
		append_command(to,
			       (struct slice[MAX_ARGUMENTS]){slice_of_text("DEL"), name});
		append_command(to,
			       (struct slice[MAX_ARGUMENTS]){slice_of_text("ZREM"),
							     slice_of_text(KEYS), key});
	} else {
		append_command(to, (struct slice[MAX_ARGUMENTS]){slice_of_text("SET"),
								 name, value});
		append_command(to,
			       (struct slice[MAX_ARGUMENTS]){slice_of_text("ZADD"),
							     slice_of_text(KEYS),
							     slice_of_text("0"), key});
	}
}

static enum status send_write(struct session *s, bool deletes, struct slice key,
			      struct slice value)
{
	unsigned i = shard_of(key);
	struct server_connection *to = &s->connections.server[i];
	enum status status;

	begin_call(s);
	append_text_command(to, "MULTI");
	append_write(s, to, deletes, key, value);
	append_text_command(to, "EXEC");
	append_replica_wait(to);
	status = send_and_receive(&s->connections);
	if (status == DONE &&
	    (to->reply->type != REDIS_REPLY_ARRAY || to->reply->elements != 2))
		return fail_with_server(&s->connections, i,
					"the server that answered is "
					"not Redis");
	return status == DONE && deletes && !to->reply->element[0]->integer ? NOT_FOUND
									    : status;
}

/* Adds a write to the batch. */
static enum status collect_write(struct session *s, struct slice key,
				 const struct slice *value)
{
	s->connections.server[shard_of(key)].writes = true;
	return batch_add(&s->batch, key, value, s->connections.why);
}

static enum status redis_put(struct session *s, struct slice key, struct slice value)
{
	return s->open ? collect_write(s, key, &value) : send_write(s, false, key, value);
}

static enum status record_exists(struct session *s, struct slice key)
{
	struct server_connection *at = &s->connections.server[shard_of(key)];
	enum status status;

	begin_call(s);
	append_command(at, (struct slice[MAX_ARGUMENTS]){slice_of_text("EXISTS"),
							 name_record(s, 0, key)});
	status = send_and_receive(&s->connections);
	return status == DONE && !at->reply->integer ? NOT_FOUND : status;
}

static enum status redis_del(struct session *s, struct slice key)
{
	const struct batch_write *w;
	enum status status;

	if (!s->open)
		return send_write(s, true, key, (struct slice){NULL, 0});
	w = batch_find(&s->batch, key);
	status = !w ? record_exists(s, key) : w->deletes ? NOT_FOUND : DONE;
	return status == DONE ? collect_write(s, key, NULL) : status;
}

static enum status redis_get(struct session *s, struct slice key, struct slice *value)
{
	struct server_connection *at = &s->connections.server[shard_of(key)];
	const struct batch_write *w = s->open ? batch_find(&s->batch, key) : NULL;
	struct slice name = name_record(s, 0, key);
	enum status status;

	if (w) {
		*value = batch_value(w);
		return w->deletes ? NOT_FOUND : DONE;
	}
	begin_call(s);
	if (s->open)
		append_command(at, (struct slice[MAX_ARGUMENTS]){slice_of_text("WATCH"),
								 name});
	at->watched = s->open;
	append_command(at, (struct slice[MAX_ARGUMENTS]){slice_of_text("GET"), name});
	status = send_and_receive(&s->connections);
	if (status != DONE || at->reply->type == REDIS_REPLY_NIL)
		return status == DONE ? NOT_FOUND : status;
	*value = slice_of_reply(at->reply);
	return DONE;
}

/* Requests from server i the values of its own keys among n keys. */
static void append_gets(struct session *s, unsigned i, const struct slice *keys,
			unsigned n)
{
	int words = 1;

	s->arguments[0] = "MGET";
	s->argument_sizes[0] = 4;
	for (unsigned k = 0; k < n; k++) {
		struct slice name;

		if (shard_of(keys[k]) != i)
			continue;
		name = name_record(s, (unsigned)words - 1, keys[k]);
		s->arguments[words] = name.data;
		s->argument_sizes[words++] = name.size;
	}
	if (words > 1)
		append_arguments(&s->connections.server[i], words, s->arguments,
				 s->argument_sizes);
}

static enum status redis_multiget(struct session *s, const struct slice *keys,
				  struct slice *values, unsigned n)
{
	enum status status;

	begin_call(s);
	for (unsigned i = 0; i < servers.n; i++) {
		s->connections.server[i].next_key = 0;
		append_gets(s, i, keys, n);
	}
	status = send_and_receive(&s->connections);
	for (unsigned k = 0; status == DONE && k < n; k++) {
		struct server_connection *at = &s->connections.server[shard_of(keys[k])];
		const redisReply *r = at->reply->element[at->next_key++];

		values[k] = r->type == REDIS_REPLY_STRING ? slice_of_reply(r)
							  : (struct slice){NULL, 0};
	}
	return status;
}

/*
 * ---- scans: requests each server's keys beyond the bound, then their values; merges
 * them ----
 */

/* Sets the bound: a key, inclusive or exclusive. */
static void set_scan_bound(struct session *s, const char *how, struct slice key,
			   struct slice *bound)
{
	s->scan_bound[0] = *how;
	memcpy(s->scan_bound + 1, key.data, key.size);
	*bound = (struct slice){s->scan_bound, key.size + 1};
}

static void append_range(struct session *s, struct server_connection *from,
			 struct slice range_bound)
{
	char most[24];
	const char *word[7] = {s->reverse ? "ZREVRANGEBYLEX" : "ZRANGEBYLEX",
			       KEYS,
			       range_bound.data,
			       s->reverse ? "-" : "+",
			       "LIMIT",
			       "0",
			       most};
	size_t length[7];

	snprintf(most, sizeof most, "%llu", (unsigned long long)s->chunk);
	for (int i = 0; i < 7; i++)
		length[i] = i == 2 ? range_bound.size : strlen(word[i]);
	append_arguments(from, 7, word, length);
}

/* The requested keys have arrived: requests their values. */
static enum status fetch_values(struct session *s)
{
	enum status status = send_and_receive(&s->connections);
	bool any = false;

	for (unsigned i = 0; status == DONE && i < servers.n; i++) {
		struct server_connection *from = &s->connections.server[i];

		if (from->keys || !from->reply)
			continue;
		from->keys = from->reply;
		from->reply = NULL;
		from->next_key = 0;
		from->more_keys = from->keys->elements == s->chunk;
		s->arguments[0] = "MGET";
		s->argument_sizes[0] = 4;
		for (unsigned k = 0; k < from->keys->elements; k++) {
			struct slice name =
				name_record(s, k, slice_of_reply(from->keys->element[k]));

			s->arguments[k + 1] = name.data;
			s->argument_sizes[k + 1] = name.size;
		}
		if (from->keys->elements)
			append_arguments(from, (int)from->keys->elements + 1,
					 s->arguments, s->argument_sizes);
		any |= from->keys->elements > 0;
	}
	return status == DONE && any ? send_and_receive(&s->connections) : status;
}

/*
 * Whether the position has an existing record; records deleted since their keys were read
 * are skipped.
 */
static bool is_at_record(struct server_connection *from)
{
	while (from->keys && from->next_key < from->keys->elements &&
	       from->reply->element[from->next_key]->type != REDIS_REPLY_STRING)
		from->next_key++;
	return from->keys && from->next_key < from->keys->elements;
}

static uint64_t max_chunk(const struct session *s)
{
	uint64_t fit = SCAN_BYTES / (s->db->settings->value_size + 1) + 1;
	uint64_t most = redis_option_values.scan_records * SCAN_GROWTH_MAX;

	return fit < most ? fit : most;
}

/* Requests the next records of servers whose records are used up. */
static enum status fetch_next_records(struct session *s)
{
	enum status status = DONE;
	bool any = true;

	while (status == DONE && any) {
		any = false;
		for (unsigned i = 0; i < servers.n; i++) {
			struct server_connection *from = &s->connections.server[i];
			struct slice bound;

			if (is_at_record(from) || !from->more_keys)
				continue;
			if (!any)
				s->chunk = 2 * s->chunk < max_chunk(s) ? 2 * s->chunk
								       : max_chunk(s);
			set_scan_bound(
				s, "(",
				slice_of_reply(
					from->keys->element[from->keys->elements - 1]),
				&bound);
			append_range(s, from, bound);
			free_replies(from);
			any = true;
		}
		status = any ? fetch_values(s) : DONE;
	}
	return status;
}

static int compare_replies(const redisReply *a, const redisReply *b)
{
	size_t size = a->len < b->len ? a->len : b->len;
	int sign = memcmp(a->str, b->str, size);

	return sign ? sign : (a->len > b->len) - (a->len < b->len);
}

/* Merges: returns the next record of all servers. */
static enum status merge_next(struct session *s, struct slice *key, struct slice *value)
{
	enum status status = fetch_next_records(s);
	const redisReply *best = NULL;
	struct server_connection *from;

	for (unsigned i = 0; status == DONE && i < servers.n; i++) {
		from = &s->connections.server[i];
		const redisReply *candidate =
			is_at_record(from) ? from->keys->element[from->next_key] : NULL;

		if (!candidate ||
		    (best && (compare_replies(candidate, best) > 0) != s->reverse))
			continue;
		best = candidate;
		s->current = i;
	}
	if (status != DONE || !best)
		return status == DONE ? NOT_FOUND : status;
	from = &s->connections.server[s->current];
	*key = slice_of_reply(best);
	*value = slice_of_reply(from->reply->element[from->next_key]);
	return DONE;
}

static enum status scan_from(struct session *s, struct slice bound, struct slice *key,
			     struct slice *value)
{
	enum status status;

	begin_call(s);
	s->chunk = redis_option_values.scan_records < max_chunk(s)
			   ? redis_option_values.scan_records
			   : max_chunk(s);
	for (unsigned i = 0; i < servers.n; i++)
		append_range(s, &s->connections.server[i], bound);
	status = fetch_values(s);
	return status == DONE ? merge_next(s, key, value) : status;
}

static enum status redis_seek(struct session *s, struct slice from, struct slice *key,
			      struct slice *value)
{
	struct slice bound = slice_of_text("-");

	s->reverse = false;
	if (from.data)
		set_scan_bound(s, "[", from, &bound);
	return scan_from(s, bound, key, value);
}

static enum status redis_last(struct session *s, struct slice *key, struct slice *value)
{
	s->reverse = true;
	return scan_from(s, slice_of_text("+"), key, value);
}

static enum status redis_next(struct session *s, struct slice *key, struct slice *value)
{
	s->connections.server[s->current].next_key++;
	return merge_next(s, key, value);
}

/*
 * After a seek the servers are asked again, because their replies are in the other
 * direction.
 */
static enum status redis_prev(struct session *s, struct slice *key, struct slice *value)
{
	const struct server_connection *from = &s->connections.server[s->current];
	struct slice bound;

	if (s->reverse)
		return redis_next(s, key, value);
	s->reverse = true;
	set_scan_bound(s, "(", slice_of_reply(from->keys->element[from->next_key]),
		       &bound);
	return scan_from(s, bound, key, value);
}

/* ---- batches ---- */

static enum status redis_begin(struct session *s)
{
	s->open = true;
	return DONE;
}

static void end_batch(struct session *s)
{
	s->open = false;
	batch_clear(&s->batch);
	for (unsigned i = 0; i < servers.n; i++)
		s->connections.server[i].writes = s->connections.server[i].watched =
			false;
}

/*
 * Ends WATCH without a commit. A connection that fails here fails the next call as well.
 */
static void redis_rollback(struct session *s)
{
	bool any = false;

	for (unsigned i = 0; i < servers.n; i++) {
		if (s->connections.server[i].watched &&
		    !s->connections.server[i].context->err)
			append_text_command(&s->connections.server[i], "UNWATCH");
		any |= s->connections.server[i].watched;
	}
	end_batch(s);
	if (any)
		send_and_receive(&s->connections);
}

/* Two servers cannot commit together. */
static bool reads_other_servers(const struct redis_connections *w)
{
	unsigned reads = 0, concerned = 0;

	for (unsigned i = 0; i < servers.n; i++) {
		reads += w->server[i].watched;
		concerned += w->server[i].watched || w->server[i].writes;
	}
	return reads && concerned > 1;
}

static enum status redis_commit(struct session *s)
{
	struct redis_connections *w = &s->connections;
	const struct batch_write *p = NULL;
	enum status status;

	if (reads_other_servers(w)) {
		redis_rollback(s);
		return set_error(w->why, UNSUPPORTED,
				 "a transaction that reads has keys of several servers");
	}
	begin_call(s);
	for (unsigned i = 0; i < servers.n; i++)
		if (w->server[i].writes || w->server[i].watched)
			append_text_command(&w->server[i], "MULTI");
	while ((p = batch_next(&s->batch, p)))
		append_write(s, &w->server[shard_of(batch_key(p))], p->deletes,
			     batch_key(p), batch_value(p));
	for (unsigned i = 0; i < servers.n; i++) {
		if (w->server[i].writes || w->server[i].watched)
			append_text_command(&w->server[i], "EXEC");
		if (w->server[i].writes)
			append_replica_wait(&w->server[i]);
	}
	status = send_and_receive(w);
	for (unsigned i = 0; status == DONE && i < servers.n; i++)
		if (w->server[i].watched && w->server[i].reply->type == REDIS_REPLY_NIL)
			status = CONFLICT;
	end_batch(s);
	return status;
}

/* ---- the rest ---- */

static struct traits redis_check_settings(const struct settings *s)
{
	static char why[ENGINE_ERROR_SIZE];
	const char *list = *redis_option_values.addresses ? redis_option_values.addresses
							  : getenv("ASSAY_REDIS");

	(void)s;
	servers.replicas = (unsigned)redis_option_values.wait_replicas;
	/* once for all benchmarks of a list */
	if (!*servers.version &&
	    (parse_addresses(list ? list : "", redis_option_values.remote, why) ||
	     check_servers(why)))
		return invalid_settings(why);
	return (struct traits){.sharded = servers.n > 1,
			       .non_atomic = servers.n > 1 ? NON_ATOMIC_VISIBLE |
								     NON_ATOMIC_CRASH
							   : 0};
}

static enum status redis_open(struct db *db, const struct settings *settings, char *why)
{
	char word[128];
	enum status status;

	db->settings = settings;
	/* hiredis may write to a closed socket */
	signal(SIGPIPE, SIG_IGN);
	server_common_open(&db->sessions);
	status = server_common_id(settings, word, sizeof word, why);
	if (status == DONE)
		status = connect_servers(&db->connections, why);
	if (status == DONE)
		status = check_ownership(&db->connections);
	if (status == DONE)
		status = settings->create ? claim_servers(&db->connections, word)
					  : check_parts(&db->connections, word);
	if (status == DONE)
		status = set_server_durability(&db->connections, settings->durability);
	return status == DONE
		       ? send_to_all(&db->connections, "CLIENT SETNAME " CLIENT_NAME)
		       : status;
}

/* The records stay in the servers. */
static enum status redis_close(struct db *db, char *why)
{
	(void)why;
	disconnect_servers(&db->connections);
	server_common_close(&db->sessions);
	return DONE;
}

static enum status redis_attach(struct session *s, struct db *db, char *why)
{
	size_t most = (size_t)(redis_option_values.scan_records * SCAN_GROWTH_MAX);
	enum status status;

	most = most > db->settings->multiget ? most : db->settings->multiget;
	s->db = db;
	s->arguments = malloc((most + 1) * sizeof *s->arguments);
	s->argument_sizes = malloc((most + 1) * sizeof *s->argument_sizes);
	s->names = malloc(most * (db->settings->key_size + sizeof RECORD_PREFIX));
	if (!s->arguments || !s->argument_sizes || !s->names)
		return set_error(why, FAILED, "out of memory");
	status = connect_servers(&s->connections, why);
	if (status == DONE)
		status = send_to_all(&s->connections, "CLIENT SETNAME " CLIENT_NAME);
	s->connections.round_trips = 0;
	server_common_attach(&db->sessions, &s->of_db, &s->connections.round_trips);
	return status;
}

static void redis_detach(struct session *s)
{
	server_common_detach(&s->db->sessions, &s->of_db);
	disconnect_servers(&s->connections);
	free(s->batch.bytes.data);
	free(s->arguments);
	free(s->argument_sizes);
	free(s->names);
}

static enum status redis_settle(struct db *db, char *why)
{
	db->connections.why = why;
	return db->settings->durability == DURABILITY_ASYNC ? sync_log(&db->connections)
							    : DONE;
}

static enum status redis_pending_work(struct db *db, struct pending_work *pending,
				      char *why)
{
	static const char *const works[] = {"aof_rewrite_in_progress",
					    "aof_rewrite_scheduled",
					    "rdb_bgsave_in_progress",
					    "aof_pending_bio_fsync"};
	enum status status;

	db->connections.why = why;
	status = send_to_all(&db->connections, "INFO persistence");
	*pending = (struct pending_work){0, 0};
	for (unsigned i = 0; status == DONE && i < servers.n; i++)
		for (size_t k = 0; k < sizeof works / sizeof *works; k++)
			pending->work +=
				info_number(&db->connections.server[i], works[k]) > 0;
	return status;
}

static enum status redis_server_usage(struct db *db, struct server_usage *r, char *why)
{
	enum status status;

	db->connections.why = why;
	*r = (struct server_usage){.servers = servers.n,
				   .local = servers.local,
				   .round_trips =
					   server_common_round_trips(&db->sessions)};
	status = send_to_all(&db->connections, "INFO");
	for (unsigned i = 0; status == DONE && i < servers.n; i++) {
		const struct server_connection *from = &db->connections.server[i];

		r->user_s += info_number(from, "used_cpu_user") +
			     info_number(from, "used_cpu_user_children");
		r->sys_s += info_number(from, "used_cpu_sys") +
			    info_number(from, "used_cpu_sys_children");
		r->rss_kb += info_number(from, "used_memory_rss") / 1024;
	}
	return status;
}

static void redis_describe(struct db *db, struct report *report)
{
	static const char *const names[] = {"appendonly", "appendfsync",
					    "maxmemory",  "maxmemory-policy",
					    "io-threads", "auto-aof-rewrite-percentage"};
	char command[64];

	report_append(report, "servers=%u", servers.n);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(command, sizeof command, "CONFIG GET %s", names[i]);
		if (send_to_all(&db->connections, command) == DONE)
			report_text(report, names[i],
				    config_value(&db->connections.server[0]));
	}
	for (unsigned i = 0; i < servers.n; i++)
		report_append(report, "%s%s",
			      i ? "," : " redis=", servers.address[i].name);
}

/* Memory and call counters of each server. */
static void redis_statistics(struct db *db, struct report *report)
{
	for (int part = 0; part < 2; part++) {
		if (send_to_all(&db->connections, part ? "INFO stats" : "INFO memory") !=
		    DONE)
			return;
		for (unsigned i = 0; i < servers.n; i++)
			report_append(report, "server %s\n%s", servers.address[i].name,
				      db->connections.server[i].reply->str);
	}
}

#define TEXT_OF(x) #x
#define DOTTED(a, b, c) TEXT_OF(a) "." TEXT_OF(b) "." TEXT_OF(c)

/* Version of the servers, once they have been asked. */
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
	.effective_durability = {DURABILITY_NONE, DURABILITY_ASYNC, DURABILITY_SYNC},
	.provenance = {.symbol = "redisGetReply"},
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
	.check_settings = redis_check_settings,
	.open = redis_open,
	.close = redis_close,
	.attach = redis_attach,
	.detach = redis_detach,
	.settle = redis_settle,
	.pending_work = redis_pending_work,
	.server_usage = redis_server_usage,
	.describe = redis_describe,
	.statistics = redis_statistics,
};
