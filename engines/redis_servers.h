/*
 * redis_servers.h: redis.c's servers: addresses, connections, commands and replies,
 * configuration, ownership and durability. It knows nothing of records.
 *
 * Commands to several servers are sent to all of them before any reply is awaited. Only a
 * server that is empty, or is marked as ours, is used. Each shard of a database is marked
 * with an identifier of its directory.
 */
#ifndef ENGINES_REDIS_SERVERS_H
#define ENGINES_REDIS_SERVERS_H

#include <hiredis/hiredis.h>
#include <stdlib.h>

#include "../util/address.h"
#include "server_common.h"

#define MARKER "assay:database" /* identifies the database, and the shard of it */
#define SYNC_KEY "assay:synced" /* written to have the log synced */
#define CLIENT_NAME "assay"     /* name of our connections */

enum { MAX_SERVERS = 32, CONNECT_TIMEOUT_S = 10, WAIT_TIMEOUT_S = 3, MAX_ARGUMENTS = 7 };

/* The servers of --redis, with their version. */
static struct {
	unsigned n;
	bool local; /* all are on this machine */
	/* of each server, which acknowledge a commit before it counts */
	unsigned replicas;
	char version[32];
	struct address address[MAX_SERVERS];
} servers;

/* A connection to a server, and its last reply. */
struct server_connection {
	redisContext *context;
	unsigned unread_replies; /* commands whose replies have not been read */
	bool counts_replicas;    /* the last of them requests the number of replicas */
	redisReply *reply;       /* reply to the last command: values, of a scan */
	redisReply *keys;        /* of a scan */
	size_t next_key;         /* the next of those */
	bool more_keys;          /* there may be more keys */
	bool writes, watched;    /* in the open batch */
};

/* Connections to all servers. */
struct redis_connections {
	char *why;
	_Atomic uint64_t round_trips; /* written by one thread */
	struct server_connection server[MAX_SERVERS];
};

/* ---- commands and replies ---- */

static struct slice slice_of_text(const char *word)
{
	return (struct slice){word, strlen(word)};
}

/* Server i refuses, or fails; FULL if its disk is full. */
static enum status fail_with_server(const struct redis_connections *w, unsigned i,
				    const char *words)
{
	return set_error(w->why, strstr(words, "No space left") ? FULL : FAILED,
			 "server %s: %s", servers.address[i].name, words);
}

/* Appends a command of any length; it is sent with the next exchange. */
static void append_arguments(struct server_connection *to, int n, const char **word,
			     const size_t *length)
{
	redisAppendCommandArgv(to->context, n, word, length);
	to->unread_replies++;
}

/* Appends a command of few arguments; those without data are omitted. */
static void append_command(struct server_connection *to,
			   const struct slice command[static MAX_ARGUMENTS])
{
	const char *word[MAX_ARGUMENTS];
	size_t length[MAX_ARGUMENTS];
	int n = 0;

	for (; n < MAX_ARGUMENTS && command[n].data; n++) {
		word[n] = command[n].data;
		length[n] = command[n].size;
	}
	append_arguments(to, n, word, length);
}

/* Appends a command given as text. */
static void append_text_command(struct server_connection *to, const char *command)
{
	struct slice words[MAX_ARGUMENTS] = {{NULL, 0}};

	for (int n = 0; n < MAX_ARGUMENTS && *command; n++) {
		words[n] = (struct slice){command, strcspn(command, " ")};
		command += words[n].size + strspn(command + words[n].size, " ");
	}
	append_command(to, words);
}

static void free_replies(struct server_connection *from)
{
	freeReplyObject(from->reply);
	freeReplyObject(from->keys);
	from->reply = from->keys = NULL;
}

/* The error of a reply, or NULL; commands of a MULTI reply in the array of its EXEC. */
static const char *reply_error(const redisReply *r)
{
	if (r->type == REDIS_REPLY_ERROR)
		return r->str;
	for (size_t i = 0; r->type == REDIS_REPLY_ARRAY && i < r->elements; i++)
		if (r->element[i]->type == REDIS_REPLY_ERROR)
			return r->element[i]->str;
	return NULL;
}

/*
 * After a commit, in the same round trip: requests the number of replicas that have it.
 * Replicas have it in memory, and perhaps nowhere else.
 */
static void append_replica_wait(struct server_connection *to)
{
	char command[48];

	if (!servers.replicas)
		return;
	snprintf(command, sizeof command, "WAIT %u %d", servers.replicas,
		 1000 * WAIT_TIMEOUT_S);
	append_text_command(to, command);
	to->counts_replicas = true;
}

static enum status check_replica_count(const struct redis_connections *w, unsigned i,
				       const redisReply *r)
{
	char words[96];

	if (r->integer >= servers.replicas)
		return DONE;
	snprintf(words, sizeof words,
		 "%lld of %u replicas acknowledged a commit within %d s", r->integer,
		 servers.replicas, WAIT_TIMEOUT_S);
	return fail_with_server(w, i, words);
}

/*
 * Reads all replies of server i; the last one is kept, unless it is a number of replicas.
 */
static enum status read_replies(struct redis_connections *w, unsigned i)
{
	struct server_connection *from = &w->server[i];
	enum status status = DONE;

	for (; from->unread_replies; from->unread_replies--) {
		bool count = from->counts_replicas && from->unread_replies == 1;
		void *reply;
		const char *words;

		if (redisGetReply(from->context, &reply) != REDIS_OK)
			return fail_with_server(w, i, from->context->errstr);
		words = reply_error(reply);
		if (words && status == DONE)
			status = fail_with_server(w, i, words);
		if (count && status == DONE)
			status = check_replica_count(w, i, reply);
		freeReplyObject(count ? reply : from->reply);
		if (!count)
			from->reply = reply;
	}
	from->counts_replicas = false;
	return status;
}

/* Sends queued commands to all servers and waits for their replies: one round trip. */
static enum status send_and_receive(struct redis_connections *w)
{
	uint64_t trips = atomic_load_explicit(&w->round_trips, memory_order_relaxed);
	enum status status = DONE;
	int sent;

	for (unsigned i = 0; i < servers.n; i++)
		for (sent = !w->server[i].unread_replies; !sent;)
			if (redisBufferWrite(w->server[i].context, &sent) != REDIS_OK)
				return fail_with_server(w, i,
							w->server[i].context->errstr);
	for (unsigned i = 0; i < servers.n && status == DONE; i++)
		status = read_replies(w, i);
	atomic_store_explicit(&w->round_trips, trips + 1, memory_order_relaxed);
	return status;
}

/* Sends one command to all servers. */
static enum status send_to_all(struct redis_connections *w, const char *command)
{
	for (unsigned i = 0; i < servers.n; i++)
		append_text_command(&w->server[i], command);
	return send_and_receive(w);
}

/* ---- addresses ---- */

/* Returns NULL, or the problem with the list, in `why`. */
static const char *parse_addresses(const char *list, bool may_be_remote, char *why)
{
	servers.local = true;
	for (servers.n = 0; *list && servers.n < MAX_SERVERS; servers.n++) {
		struct address *at = &servers.address[servers.n];
		int size = (int)strcspn(list, ",");

		if (!address_parse(at, list)) {
			set_error(why, FAILED,
				  "--redis: '%.*s' is not an address; give HOST:PORT or "
				  "a socket's path",
				  size < ADDRESS_SIZE ? size : ADDRESS_SIZE, list);
			return why;
		}
		servers.local &= address_is_local(at);
		if (!servers.local && !may_be_remote) {
			set_error(why, FAILED,
				  "--redis: %s is not on this machine; give "
				  "--redis_remote=1 if it may be "
				  "measured over the network",
				  at->name);
			return why;
		}
		list += size + (list[size] == ',');
	}
	if (*list)
		set_error(why, FAILED, "--redis: more than %d servers", MAX_SERVERS);
	else if (!servers.n)
		set_error(why, FAILED,
			  "--redis: no server is given; scripts/serve.sh redis starts "
			  "one and prints how to reach it");
	return *list || !servers.n ? why : NULL;
}

static enum status connect_servers(struct redis_connections *w, char *why)
{
	const struct timeval timeout = {CONNECT_TIMEOUT_S, 0};

	w->why = why;
	for (unsigned i = 0; i < servers.n; i++) {
		const struct address *at = &servers.address[i];
		redisContext *c =
			*at->host ? redisConnectWithTimeout(at->host, at->port, timeout)
				  : redisConnectUnixWithTimeout(at->name, timeout);

		w->server[i].context = c;
		if (!c || c->err)
			return set_error(why, FAILED, "no server answers at %s: %s",
					 at->name, c ? c->errstr : "out of memory");
	}
	return DONE;
}

static void disconnect_servers(struct redis_connections *w)
{
	for (unsigned i = 0; i < servers.n; i++) {
		free_replies(&w->server[i]);
		if (w->server[i].context)
			redisFree(w->server[i].context);
		w->server[i] = (struct server_connection){.context = NULL};
	}
}

/* ---- configuration ---- */

/* The value of a line "name:value" in INFO's reply, ended by that line's end; or NULL. */
static const char *info_value(const struct server_connection *from, const char *name)
{
	size_t length = strlen(name);

	for (const char *line = from->reply->str; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, name, length) && line[length] == ':')
			return line + length + 1;
	}
	return NULL;
}

static double info_number(const struct server_connection *from, const char *name)
{
	const char *value = info_value(from, name);

	return value ? strtod(value, NULL) : 0;
}

/* The value in CONFIG GET's reply for one setting; "": none. */
static const char *config_value(const struct server_connection *from)
{
	return from->reply->type == REDIS_REPLY_ARRAY && from->reply->elements == 2
		       ? from->reply->element[1]->str
		       : "";
}

static enum status read_server_version(struct redis_connections *w)
{
	enum status status = send_to_all(w, "INFO server");

	for (unsigned i = 0; status == DONE && i < servers.n; i++) {
		const char *v = info_value(&w->server[i], "redis_version");
		size_t length = v ? strcspn(v, "\r\n") : 0;

		if (!length || length >= sizeof servers.version)
			return fail_with_server(w, i, "it does not report its version");
		if (i && (strncmp(servers.version, v, length) || servers.version[length]))
			return fail_with_server(
				w, i,
				"its version differs from the first server's; use "
				"servers of one version");
		snprintf(servers.version, sizeof servers.version, "%.*s", (int)length, v);
	}
	return status;
}

/* ---- ownership ---- */

/* Database 0 may hold data of assay, and no other database any data. */
static enum status check_ownership(struct redis_connections *w)
{
	enum status status = send_to_all(w, "INFO keyspace");
	bool any[MAX_SERVERS] = {false};

	for (unsigned i = 0; status == DONE && i < servers.n; i++) {
		const char *first = strstr(w->server[i].reply->str, "\ndb");

		any[i] = first;
		if (first && (strncmp(first + 1, "db0:", 4) || strstr(first + 1, "\ndb")))
			return fail_with_server(
				w, i,
				"it has databases that assay did not make; start an "
				"empty server");
	}
	if (status == DONE)
		status = send_to_all(w, "EXISTS " MARKER);
	for (unsigned i = 0; status == DONE && i < servers.n; i++)
		if (any[i] && !w->server[i].reply->integer)
			return fail_with_server(
				w, i,
				"it holds records that assay did not write; start an "
				"empty server");
	return status;
}

static enum status check_no_eviction(struct redis_connections *w)
{
	enum status status = send_to_all(w, "CONFIG GET maxmemory-policy");

	for (unsigned i = 0; status == DONE && i < servers.n; i++)
		if (strcmp(config_value(&w->server[i]), "noeviction"))
			return fail_with_server(
				w, i,
				"it may drop records when its memory is full; set its "
				"maxmemory-policy to noeviction");
	return status;
}

/* Each server has this many replicas that are up to date and online. */
static enum status check_replicas_online(struct redis_connections *w)
{
	enum status status = send_to_all(w, "INFO replication");

	for (unsigned i = 0; status == DONE && i < servers.n; i++) {
		const char *at = w->server[i].reply->str;
		unsigned online = 0;

		for (; (at = strstr(at, ",state=online,")); at++)
			online++;
		if (online < servers.replicas)
			return fail_with_server(
				w, i,
				"it has fewer replicas than --redis_wait asks "
				"for; scripts/serve.sh redis --replicas=N "
				"starts some");
	}
	return status;
}

/*
 * Before any write: checks that the servers are reachable, alike, and usable. Returns
 * NULL, or why not.
 */
static const char *check_servers(char *why)
{
	struct redis_connections w = {.why = why};
	enum status status = connect_servers(&w, why);

	if (status == DONE)
		status = read_server_version(&w);
	if (status == DONE)
		status = check_ownership(&w);
	if (status == DONE)
		status = check_no_eviction(&w);
	if (status == DONE && servers.replicas)
		status = check_replicas_online(&w);
	disconnect_servers(&w);
	if (status != DONE)
		servers.version[0] = '\0';
	return status == DONE ? NULL : why;
}

/* Checks that no other connection has our client name. */
static enum status check_no_other_client(struct redis_connections *w)
{
	enum status status = send_to_all(w, "CLIENT LIST");

	for (unsigned i = 0; status == DONE && i < servers.n; i++)
		if (strstr(w->server[i].reply->str, " name=" CLIENT_NAME " "))
			return fail_with_server(w, i, "another bench_redis uses it");
	return status;
}

enum { PART_LABEL_SIZE = 192 };

static const char *part_label(char *to, const char *word, unsigned i)
{
	snprintf(to, PART_LABEL_SIZE, "%s part %u of %u", word, i + 1, servers.n);
	return to;
}

/* Empties the servers, and marks them as ours. */
static enum status claim_servers(struct redis_connections *w, const char *word)
{
	enum status status = check_no_other_client(w);
	char part[PART_LABEL_SIZE];

	/* so that deleted records are not logged */
	if (status == DONE)
		status = send_to_all(w, "CONFIG SET appendonly no");
	if (status == DONE)
		status = send_to_all(w, "FLUSHDB");
	for (unsigned i = 0; status == DONE && i < servers.n; i++)
		append_command(&w->server[i],
			       (struct slice[MAX_ARGUMENTS]){
				       slice_of_text("SET"), slice_of_text(MARKER),
				       slice_of_text(part_label(part, word, i))});
	return status == DONE ? send_and_receive(w) : status;
}

static enum status check_parts(struct redis_connections *w, const char *word)
{
	enum status status = send_to_all(w, "GET " MARKER);
	char part[PART_LABEL_SIZE];

	for (unsigned i = 0; status == DONE && i < servers.n; i++) {
		const redisReply *r = w->server[i].reply;

		if (r->type != REDIS_REPLY_STRING)
			return fail_with_server(w, i,
						"it is empty; load the database again");
		if (strcmp(r->str, part_label(part, word, i)))
			return fail_with_server(
				w, i,
				"it holds another database than this directory "
				"describes, or another part of it; give the addresses in "
				"the same order, or load again");
	}
	return status;
}

/* ---- durability ---- */

/* Sets a value, and checks that the server reports it. */
static enum status set_config(struct redis_connections *w, const char *name,
			      const char *value)
{
	char command[64];
	enum status status;

	for (unsigned i = 0; i < servers.n; i++)
		append_command(&w->server[i],
			       (struct slice[MAX_ARGUMENTS]){slice_of_text("CONFIG"),
							     slice_of_text("SET"),
							     slice_of_text(name),
							     slice_of_text(value)});
	status = send_and_receive(w);
	snprintf(command, sizeof command, "CONFIG GET %s", name);
	if (status == DONE)
		status = send_to_all(w, command);
	for (unsigned i = 0; status == DONE && i < servers.n; i++)
		if (strcmp(config_value(&w->server[i]), value))
			return fail_with_server(
				w, i, "a setting of its log did not take effect");
	return status;
}

/*
 * A log that was just turned on contains older records only after a rewrite. WAIT for a
 * replica that does not exist makes the server wait for that many milliseconds.
 */
static enum status wait_for_log(struct redis_connections *w, bool wanted)
{
	enum status status;
	bool busy = true;

	while ((status = send_to_all(w, "INFO persistence")) == DONE && busy) {
		busy = false;
		for (unsigned i = 0; i < servers.n; i++) {
			const struct server_connection *at = &w->server[i];
			const char *last = info_value(at, "aof_last_bgrewrite_status");

			busy |= info_number(at, "aof_rewrite_in_progress") +
					info_number(at, "aof_rewrite_scheduled") >
				0;
			if (wanted && (!last || strncmp(last, "ok", 2) ||
				       info_number(at, "aof_enabled") != 1))
				return fail_with_server(
					w, i,
					"it cannot write its append-only file; see its "
					"log");
		}
		if (busy && (status = send_to_all(w, "WAIT 1 20")) != DONE)
			return status;
	}
	return status;
}

static const char *const appendfsync_values[] = {[DURABILITY_NONE] = "no",
						 [DURABILITY_ASYNC] = "no",
						 [DURABILITY_SYNC] = "always"};

/*
 * A server writes its log before it replies, by a system call, and at sync syncs it. With
 * everysec it can reply first, while another of its threads syncs.
 */
static enum status set_server_durability(struct redis_connections *w, enum durability d)
{
	bool log = d != DURABILITY_NONE;
	enum status status = set_config(w, "save", "");

	if (status == DONE)
		status = set_config(w, "appendfsync", appendfsync_values[d]);
	if (status == DONE)
		status = set_config(w, "appendonly", log ? "yes" : "no");
	return status == DONE ? wait_for_log(w, log) : status;
}

/* Syncing one write syncs all writes before it. */
static enum status sync_log(struct redis_connections *w)
{
	enum status status =
		set_config(w, "appendfsync", appendfsync_values[DURABILITY_SYNC]);

	if (status == DONE)
		status = send_to_all(w, "SET " SYNC_KEY " 1");
	return status == DONE ? set_config(w, "appendfsync",
					   appendfsync_values[DURABILITY_ASYNC])
			      : status;
}

#endif
