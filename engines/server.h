/*
 * server.h: what redis.c knows of its servers: where they are, connections to them,
 * commands and answers, what they say of themselves, whether they are ours, and how
 * durable they are made. No record is known here.
 *
 * What is asked of several servers is sent to all of them before an answer is waited for.
 * Only a server that holds nothing, or what was marked as ours, is touched; each part of
 * a database is marked with a word of its directory.
 */
#ifndef SERVER_H
#define SERVER_H

#include <errno.h>
#include <hiredis/hiredis.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../util/address.h"
#include "engine.h"

#define MARKER "assay:database" /* whose records these are, and which part of them */
#define FLUSHED "assay:flushed" /* written to have the log flushed */
#define CLIENT "assay"		/* the name of our connections */

enum { SERVERS = 32, CONNECT_S = 10, WAIT_S = 3, WORDS = 7 };

/* Those of --redis, with the version that they answered. */
static struct {
	unsigned n;
	bool on_this_machine; /* all of them */
	unsigned replicas;    /* of each, that acknowledge a commit before it counts */
	char version[32];
	struct address at[SERVERS];
} servers;

/* A connection to a server, and what it answered last. */
struct shard {
	redisContext *link;
	unsigned waiting;     /* commands whose answers have not been read */
	bool counts;	      /* the last of them asks how many replicas have it */
	redisReply *answer;   /* to the last of them: values, of a scan */
	redisReply *keys;     /* of a scan */
	size_t next;	      /* of those: the next one */
	bool more;	      /* beyond them there may be others */
	bool writes, watched; /* in the open batch */
};

/* To all of them. */
struct wire {
	char *why;
	_Atomic uint64_t trips; /* one thread writes it */
	struct shard shard[SERVERS];
};

/* ---- commands and answers ---- */

static struct slice text(const char *word)
{
	return (struct slice){word, strlen(word)};
}

/* Server i will not, or cannot; it may be that there is no room. */
static enum status server_fail(const struct wire *w, unsigned i, const char *words)
{
	bool full = !strncmp(words, "OOM", 3) || strstr(words, "No space left");

	return because(w->why, full ? FULL : FAILED, "server %s: %s", servers.at[i].name,
		       words);
}

/* A command of any length; it is sent with the next exchange. */
static void ask_words(struct shard *to, int n, const char **word, const size_t *length)
{
	redisAppendCommandArgv(to->link, n, word, length);
	to->waiting++;
}

/* One of few words; those without data are not there. */
static void ask(struct shard *to, const struct slice command[static WORDS])
{
	const char *word[WORDS];
	size_t length[WORDS];
	int n = 0;

	for (; n < WORDS && command[n].data; n++) {
		word[n] = command[n].data;
		length[n] = command[n].size;
	}
	ask_words(to, n, word, length);
}

/* One that is text. */
static void ask_text(struct shard *to, const char *command)
{
	struct slice words[WORDS] = {{NULL, 0}};

	for (int n = 0; n < WORDS && *command; n++) {
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

/*
 * What is wrong with an answer, or NULL; the commands of a MULTI answer in the array of
 * its EXEC.
 */
static const char *complaint(const redisReply *r)
{
	if (r->type == REDIS_REPLY_ERROR)
		return r->str;
	for (size_t i = 0; r->type == REDIS_REPLY_ARRAY && i < r->elements; i++)
		if (r->element[i]->type == REDIS_REPLY_ERROR)
			return r->element[i]->str;
	return NULL;
}

/*
 * Behind a commit, in the same round trip: how many replicas have it. They have it in
 * their memory then, and perhaps nowhere else.
 */
static void ask_replicas(struct shard *to)
{
	char command[48];

	if (!servers.replicas)
		return;
	snprintf(command, sizeof command, "WAIT %u %d", servers.replicas, 1000 * WAIT_S);
	ask_text(to, command);
	to->counts = true;
}

static enum status enough_replicas(const struct wire *w, unsigned i, const redisReply *r)
{
	char words[96];

	if (r->integer >= servers.replicas)
		return DONE;
	snprintf(words, sizeof words,
		 "%lld of %u replicas acknowledged a commit within %d s", r->integer,
		 servers.replicas, WAIT_S);
	return server_fail(w, i, words);
}

/* Read all that server i answers; the last of it stays, but for a count of replicas. */
static enum status hear(struct wire *w, unsigned i)
{
	struct shard *from = &w->shard[i];
	enum status status = DONE;

	for (; from->waiting; from->waiting--) {
		bool count = from->counts && from->waiting == 1;
		void *reply;
		const char *words;

		if (redisGetReply(from->link, &reply) != REDIS_OK)
			return server_fail(w, i, from->link->errstr);
		words = complaint(reply);
		if (words && status == DONE)
			status = server_fail(w, i, words);
		if (count && status == DONE)
			status = enough_replicas(w, i, reply);
		freeReplyObject(count ? reply : from->answer);
		if (!count)
			from->answer = reply;
	}
	from->counts = false;
	return status;
}

/* Send what was asked, to all servers, and wait for their answers: one round trip. */
static enum status exchange(struct wire *w)
{
	uint64_t trips = atomic_load_explicit(&w->trips, memory_order_relaxed);
	enum status status = DONE;
	int sent;

	for (unsigned i = 0; i < servers.n; i++)
		for (sent = !w->shard[i].waiting; !sent;)
			if (redisBufferWrite(w->shard[i].link, &sent) != REDIS_OK)
				return server_fail(w, i, w->shard[i].link->errstr);
	for (unsigned i = 0; i < servers.n && status == DONE; i++)
		status = hear(w, i);
	atomic_store_explicit(&w->trips, trips + 1, memory_order_relaxed);
	return status;
}

/* Send one command to all servers. */
static enum status ask_all(struct wire *w, const char *command)
{
	for (unsigned i = 0; i < servers.n; i++)
		ask_text(&w->shard[i], command);
	return exchange(w);
}

/* ---- where they are ---- */

/* NULL, or what is wrong with the list, in `why`. */
static const char *read_addresses(const char *list, bool may_be_remote, char *why)
{
	servers.on_this_machine = true;
	for (servers.n = 0; *list && servers.n < SERVERS; servers.n++) {
		struct address *at = &servers.at[servers.n];
		int size = (int)strcspn(list, ",");

		if (!address_parse(at, list)) {
			because(why, FAILED,
				"--redis: '%.*s' is no address; give HOST:PORT or a "
				"socket's path",
				size < ADDRESS_NAME ? size : ADDRESS_NAME, list);
			return why;
		}
		servers.on_this_machine &= address_is_on_this_machine(at);
		if (!servers.on_this_machine && !may_be_remote) {
			because(why, FAILED,
				"--redis: %s is not on this machine; give "
				"--redis_remote=1 if it may be "
				"measured over the network",
				at->name);
			return why;
		}
		list += size + (list[size] == ',');
	}
	if (*list)
		because(why, FAILED, "--redis: more than %d servers", SERVERS);
	else if (!servers.n)
		because(why, FAILED,
			"--redis: which server? scripts/serve.sh redis starts one and "
			"says how to reach it");
	return *list || !servers.n ? why : NULL;
}

static enum status dial(struct wire *w, char *why)
{
	const struct timeval patience = {CONNECT_S, 0};

	w->why = why;
	for (unsigned i = 0; i < servers.n; i++) {
		const struct address *at = &servers.at[i];
		redisContext *c = *at->host ? redisConnectWithTimeout(at->host, at->port,
								      patience)
					    : redisConnectUnixWithTimeout(at->name,
									  patience);

		w->shard[i].link = c;
		if (!c || c->err)
			return because(why, FAILED, "no server answers at %s: %s",
				       at->name, c ? c->errstr : "out of memory");
	}
	return DONE;
}

static void hang_up(struct wire *w)
{
	for (unsigned i = 0; i < servers.n; i++) {
		forget_answers(&w->shard[i]);
		if (w->shard[i].link)
			redisFree(w->shard[i].link);
		w->shard[i] = (struct shard){.link = NULL};
	}
}

/* ---- what they say of themselves ---- */

/*
 * Of what INFO answered, "name:value" in a line: the value, which that line's end ends;
 * or NULL.
 */
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

/* What CONFIG GET answered of one setting; "": nothing. */
static const char *config(const struct shard *from)
{
	return from->answer->type == REDIS_REPLY_ARRAY && from->answer->elements == 2
		       ? from->answer->element[1]->str
		       : "";
}

static enum status learn_version(struct wire *w)
{
	enum status status = ask_all(w, "INFO server");

	for (unsigned i = 0; status == DONE && i < servers.n; i++) {
		const char *v = info(&w->shard[i], "redis_version");
		size_t length = v ? strcspn(v, "\r\n") : 0;

		if (!length || length >= sizeof servers.version)
			return server_fail(w, i, "it does not say its version");
		if (i && (strncmp(servers.version, v, length) || servers.version[length]))
			return server_fail(
				w, i,
				"its version is not that of the first; measure servers "
				"of one version");
		snprintf(servers.version, sizeof servers.version, "%.*s", (int)length, v);
	}
	return status;
}

/* ---- whether they are ours ---- */

/* In database 0 there may be what assay put there, and nothing anywhere else. */
static enum status check_ours(struct wire *w)
{
	enum status status = ask_all(w, "INFO keyspace");
	bool any[SERVERS] = {false};

	for (unsigned i = 0; status == DONE && i < servers.n; i++) {
		const char *first = strstr(w->shard[i].answer->str, "\ndb");

		any[i] = first;
		if (first && (strncmp(first + 1, "db0:", 4) || strstr(first + 1, "\ndb")))
			return server_fail(
				w, i,
				"it has databases that are not assay's; start one that "
				"is empty");
	}
	if (status == DONE)
		status = ask_all(w, "EXISTS " MARKER);
	for (unsigned i = 0; status == DONE && i < servers.n; i++)
		if (any[i] && !w->shard[i].answer->integer)
			return server_fail(
				w, i,
				"it holds what assay did not put there; start one that "
				"is empty");
	return status;
}

static enum status check_keeps(struct wire *w)
{
	enum status status = ask_all(w, "CONFIG GET maxmemory-policy");

	for (unsigned i = 0; status == DONE && i < servers.n; i++)
		if (strcmp(config(&w->shard[i]), "noeviction"))
			return server_fail(
				w, i,
				"it may drop records when its memory is full; set its "
				"maxmemory-policy to noeviction");
	return status;
}

/* Each has so many replicas that have all it has, and are sent what is new. */
static enum status check_replicas(struct wire *w)
{
	enum status status = ask_all(w, "INFO replication");

	for (unsigned i = 0; status == DONE && i < servers.n; i++) {
		const char *at = w->shard[i].answer->str;
		unsigned online = 0;

		for (; (at = strstr(at, ",state=online,")); at++)
			online++;
		if (online < servers.replicas)
			return server_fail(w, i,
					   "it has fewer replicas than --redis_wait asks "
					   "for; scripts/serve.sh redis --replicas=N "
					   "starts some");
	}
	return status;
}

/*
 * Before anything is touched: are they there, alike, and may they be used? NULL, or why
 * not.
 */
static const char *reconnoitre(char *why)
{
	struct wire w = {.why = why};
	enum status status = dial(&w, why);

	if (status == DONE)
		status = learn_version(&w);
	if (status == DONE)
		status = check_ours(&w);
	if (status == DONE)
		status = check_keeps(&w);
	if (status == DONE && servers.replicas)
		status = check_replicas(&w);
	hang_up(&w);
	if (status != DONE)
		servers.version[0] = '\0';
	return status == DONE ? NULL : why;
}

/* No connection has the name that ours will have. */
static enum status check_alone(struct wire *w)
{
	enum status status = ask_all(w, "CLIENT LIST");

	for (unsigned i = 0; status == DONE && i < servers.n; i++)
		if (strstr(w->shard[i].answer->str, " name=" CLIENT " "))
			return server_fail(w, i,
					   "another bench_redis is at work with it");
	return status;
}

/*
 * The word of the database that a directory is about: in a file of it, and when and where
 * that was made, which is so of no other one.
 */
static enum status own_word(const struct settings *s, char *word, size_t size, char *why)
{
	char path[4096];
	struct stat st;
	FILE *f;
	bool ok;

	snprintf(path, sizeof path, "%s/servers", s->path);
	if (!(f = fopen(path, s->create ? "w" : "r")) || fstat(fileno(f), &st))
		return because(why, FAILED, "%s: %s", path, strerror(errno));
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
		  : because(why, FAILED, "%s cannot be %s", path,
			    s->create ? "written" : "read");
}

enum { PART = 192 };

static const char *part_of(char *to, const char *word, unsigned i)
{
	snprintf(to, PART, "%s part %u of %u", word, i + 1, servers.n);
	return to;
}

/* Empty them, and mark them as ours. */
static enum status take_servers(struct wire *w, const char *word)
{
	enum status status = check_alone(w);
	char part[PART];

	/* so that no log is written of what goes */
	if (status == DONE)
		status = ask_all(w, "CONFIG SET appendonly no");
	if (status == DONE)
		status = ask_all(w, "FLUSHDB");
	for (unsigned i = 0; status == DONE && i < servers.n; i++)
		ask(&w->shard[i], (struct slice[WORDS]){text("SET"), text(MARKER),
							text(part_of(part, word, i))});
	return status == DONE ? exchange(w) : status;
}

static enum status find_parts(struct wire *w, const char *word)
{
	enum status status = ask_all(w, "GET " MARKER);
	char part[PART];

	for (unsigned i = 0; status == DONE && i < servers.n; i++) {
		const redisReply *r = w->shard[i].answer;

		if (r->type != REDIS_REPLY_STRING)
			return server_fail(w, i, "it holds nothing any more; load anew");
		if (strcmp(r->str, part_of(part, word, i)))
			return server_fail(
				w, i,
				"it holds another database than this directory is "
				"about, or another part; give "
				"the addresses in the same order, or load anew");
	}
	return status;
}

/* ---- how durable they are ---- */

/* Set, and answered so. */
static enum status set_config(struct wire *w, const char *name, const char *value)
{
	char command[64];
	enum status status;

	for (unsigned i = 0; i < servers.n; i++)
		ask(&w->shard[i], (struct slice[WORDS]){text("CONFIG"), text("SET"),
							text(name), text(value)});
	status = exchange(w);
	snprintf(command, sizeof command, "CONFIG GET %s", name);
	if (status == DONE)
		status = ask_all(w, command);
	for (unsigned i = 0; status == DONE && i < servers.n; i++)
		if (strcmp(config(&w->shard[i]), value))
			return server_fail(w, i,
					   "a setting of its log was set and is not so");
	return status;
}

/*
 * A log that was turned on holds what was there before only when it has been written
 * anew. WAIT for a replica that there is not is how a server lets a client rest for so
 * many milliseconds.
 */
static enum status await_log(struct wire *w, bool wanted)
{
	enum status status;
	bool busy = true;

	while ((status = ask_all(w, "INFO persistence")) == DONE && busy) {
		busy = false;
		for (unsigned i = 0; i < servers.n; i++) {
			const struct shard *at = &w->shard[i];
			const char *last = info(at, "aof_last_bgrewrite_status");

			busy |= info_number(at, "aof_rewrite_in_progress") +
					info_number(at, "aof_rewrite_scheduled") >
				0;
			if (wanted && (!last || strncmp(last, "ok", 2) ||
				       info_number(at, "aof_enabled") != 1))
				return server_fail(
					w, i,
					"it cannot write its append-only file; see its "
					"log");
		}
		if (busy && (status = ask_all(w, "WAIT 1 20")) != DONE)
			return status;
	}
	return status;
}

static const char *const fsyncs[] = {[DURABILITY_NONE] = "no",
				     [DURABILITY_ASYNC] = "no",
				     [DURABILITY_SYNC] = "always"};

/*
 * A server writes its log before it answers: by a call, and at sync flushes it.
 * With everysec it can answer first, while another thread of it flushes.
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

/* A write that is flushed takes along all that was written before it. */
static enum status flush_log(struct wire *w)
{
	enum status status = set_config(w, "appendfsync", fsyncs[DURABILITY_SYNC]);

	if (status == DONE)
		status = ask_all(w, "SET " FLUSHED " 1");
	return status == DONE ? set_config(w, "appendfsync", fsyncs[DURABILITY_ASYNC])
			      : status;
}

#endif
