/*
 * hiredis.h: stands in for hiredis and for a server behind it (stand_in.h). Commands print
 * themselves; replies follow from their first words. --fail=WORD:KIND gives another one,
 * see stand_in_reply; --fail=errors:1 is a connection that breaks.
 */
#ifndef TEST_STAND_IN_HIREDIS_H
#define TEST_STAND_IN_HIREDIS_H

#ifdef __linux__
#include <malloc.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "../../stand_in.h"

#define HIREDIS_MAJOR 1
#define HIREDIS_MINOR 23
#define HIREDIS_PATCH 45

enum {
	REDIS_OK = 0,
	REDIS_ERR = -1,
	REDIS_REPLY_STRING = 1,
	REDIS_REPLY_ARRAY = 2,
	REDIS_REPLY_INTEGER = 3,
	REDIS_REPLY_NIL = 4,
	REDIS_REPLY_STATUS = 5,
	REDIS_REPLY_ERROR = 6,
};

typedef struct redisReply {
	int type;
	long long integer;
	size_t len;
	char *str;
	size_t elements;
	struct redisReply **element;
} redisReply;

enum { STAND_IN_COMMANDS = 64, STAND_IN_WORDS = 256 };

typedef struct {
	int err;
	char errstr[128];
	int server;
	/* sent, and not yet answered: the first words, and how many there are */
	struct {
		char text[STAND_IN_WORDS];
		int words;
	} commands[STAND_IN_COMMANDS];
	int begun, ended;
	int multi; /* commands since MULTI; -1: there is none */
	/* what CONFIG SET set, which its GET returns */
	char setting[STAND_IN_WORDS];
} redisContext;

static inline redisReply *stand_in_reply_of(int type, const char *text)
{
	redisReply *r = calloc(1, sizeof *r);

	r->type = type;
	r->str = text ? strdup(text) : NULL;
	r->len = text ? strlen(text) : 0;
	return r;
}

static inline redisReply *stand_in_integer(long long n)
{
	redisReply *r = stand_in_reply_of(REDIS_REPLY_INTEGER, NULL);

	r->integer = n;
	return r;
}

/* Of so many strings, or other replies. */
static inline redisReply *stand_in_array(int n, int type, const char *text)
{
	redisReply *r = stand_in_reply_of(REDIS_REPLY_ARRAY, NULL);

	r->elements = (size_t)n;
	r->element = calloc((size_t)n + 1, sizeof *r->element);
	for (int i = 0; i < n; i++) {
		r->element[i] = stand_in_reply_of(type, text);
		r->element[i]->integer = 1;
	}
	return r;
}

/* KIND: 1 nil, 2 a full memory, 3 an error, 4 the number 0, 5 an array that has one, 6 "",
 * 7 a full device. */
static inline redisReply *stand_in_reply(int kind)
{
	return kind == 1   ? stand_in_reply_of(REDIS_REPLY_NIL, NULL)
	       : kind == 2 ? stand_in_reply_of(REDIS_REPLY_ERROR, "OOM no memory")
	       : kind == 3 ? stand_in_reply_of(REDIS_REPLY_ERROR, "ERR it fails")
	       : kind == 4 ? stand_in_integer(0)
	       : kind == 7 ? stand_in_reply_of(REDIS_REPLY_ERROR, "ERR No space left")
	       : kind == 5 ? stand_in_array(2, REDIS_REPLY_ERROR, "ERR within")
			   : stand_in_reply_of(REDIS_REPLY_STRING, "");
}

static inline const char *stand_in_info(redisContext *c)
{
	static char text[1024];

	snprintf(text, sizeof text,
		 "redis_version:1.23.45\r\naof_enabled:1\r\n"
		 "aof_rewrite_in_progress:0\r\naof_rewrite_scheduled:0\r\n"
		 "aof_last_bgrewrite_status:ok\r\nrdb_bgsave_in_progress:1\r\n"
		 "aof_pending_bio_fsync:3\r\nused_cpu_user:%d.5\r\n"
		 "used_cpu_user_children:200\r\nused_cpu_sys:300\r\n"
		 "used_cpu_sys_children:4000\r\nused_memory_rss:1048576\r\n"
		 "slave0:ip=1,state=online,offset=0\r\n"
		 "slave1:ip=1,state=online,offset=0\r\ndb0:keys=2\r\n",
		 10 + c->server);
	return text;
}

/* The value that was set last; of another name, that name. */
static inline const char *stand_in_setting(redisContext *c, const char *name)
{
	size_t size = strlen(name);

	return strncmp(c->setting, name, size) || c->setting[size] != ' '
		       ? name
		       : c->setting + size + 1;
}

static char stand_in_marker[10][STAND_IN_WORDS];

static inline redisReply *stand_in_answer(redisContext *c, const char *text, int words)
{
	static const struct {
		const char *begins;
		int type;
		const char *text;
	} rows[] = {
		{"GET ", REDIS_REPLY_STRING, STAND_IN_VALUE},
		{"CLIENT LIST", REDIS_REPLY_STRING, "id=1 name= addr=1\n"},
		{"EXISTS ", REDIS_REPLY_INTEGER, NULL},
		{"WAIT ", REDIS_REPLY_INTEGER, NULL},
	};

	if (!strncmp(text, "INFO", 4))
		return stand_in_reply_of(REDIS_REPLY_STRING, stand_in_info(c));
	if (!strncmp(text, "CONFIG GET maxmemory-policy", 27))
		return stand_in_array(2, REDIS_REPLY_STRING, "noeviction");
	if (!strncmp(text, "CONFIG GET ", 11))
		return stand_in_array(2, REDIS_REPLY_STRING,
				      stand_in_setting(c, text + 11));
	if (!strncmp(text, "GET assay:database", 18))
		return stand_in_reply_of(REDIS_REPLY_STRING, stand_in_marker[c->server]);
	if (!strncmp(text, "MGET ", 5))
		return stand_in_array(words - 1, REDIS_REPLY_STRING, STAND_IN_VALUE);
	if (text[0] == 'Z' && strstr(text, "RANGEBYLEX"))
		return stand_in_array(2, REDIS_REPLY_STRING, STAND_IN_KEY);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!strncmp(text, rows[i].begins, strlen(rows[i].begins)))
			return rows[i].type == REDIS_REPLY_INTEGER
				       ? stand_in_integer(2)
				       : stand_in_reply_of(rows[i].type, rows[i].text);
	return stand_in_reply_of(REDIS_REPLY_STATUS, "OK");
}

/* Whether a list that a session allocated has room for so many words, where that is known. */
static inline int stand_in_has_room(const char **list, int n)
{
#ifdef __linux__
	return malloc_usable_size(list) >= (size_t)n * sizeof *list;
#else
	return 1;
#endif
}

static inline int redisAppendCommandArgv(redisContext *c, int n, const char **word,
					 const size_t *size)
{
	char *text = c->commands[c->ended % STAND_IN_COMMANDS].text;
	int used = 0;

	*text = '\0';
	for (int i = 0; i < n && used < STAND_IN_WORDS - 64; i++)
		used += size[i] < 64 && memchr(word[i], '\0', size[i]) == NULL
				? sprintf(text + used, "%s%.*s", i ? " " : "",
					  (int)size[i], word[i])
				: sprintf(text + used, " %zu bytes", size[i]);
	stand_in_note("%d: %s", c->server, text);
	if (!strcmp(word[0], "MGET") && !stand_in_has_room(word, n))
		stand_in_note("%d words where there is no room for them", n);
	if (!strncmp(text, "CONFIG SET ", 11))
		strcpy(c->setting, text + 11);
	if (!strncmp(text, "SET assay:database ", 19))
		strcpy(stand_in_marker[c->server], text + 19);
	c->commands[c->ended++ % STAND_IN_COMMANDS].words = n;
	return REDIS_OK;
}

static inline int redisBufferWrite(redisContext *c, int *done)
{
	*done = 1;
	if (!stand_in("write"))
		return REDIS_OK;
	strcpy(c->errstr, "cannot be written to");
	return REDIS_ERR;
}

static inline int redisGetReply(redisContext *c, void **reply)
{
	char *text = c->commands[c->begun % STAND_IN_COMMANDS].text, first[32] = "";
	int words = c->commands[c->begun++ % STAND_IN_COMMANDS].words, kind;

	if (c->err || stand_in("errors")) {
		strcpy(c->errstr, "connection lost");
		c->err = 1;
		return REDIS_ERR;
	}
	snprintf(first, sizeof first, "%.*s", (int)strcspn(text, " "), text);
	kind = stand_in(first);
	if (!strcmp(first, "MULTI"))
		c->multi = 0;
	if (kind)
		*reply = stand_in_reply(kind);
	else if (!strcmp(first, "EXEC"))
		*reply = stand_in_array(c->multi, REDIS_REPLY_INTEGER, NULL);
	else if (c->multi >= 0 && strcmp(first, "MULTI"))
		*reply = stand_in_reply_of(REDIS_REPLY_STATUS, "QUEUED");
	else
		*reply = stand_in_answer(c, text, words);
	if (!strcmp(first, "EXEC"))
		c->multi = -1;
	else if (c->multi >= 0 && strcmp(first, "MULTI"))
		c->multi++;
	return REDIS_OK;
}

static inline void freeReplyObject(void *reply)
{
	redisReply *r = reply;

	if (!r)
		return;
	for (size_t i = 0; i < r->elements; i++)
		freeReplyObject(r->element[i]);
	free(r->element);
	free(r->str);
	free(r);
}

/* --fail=connects:1: there is no server, 2: no memory. */
static inline redisContext *stand_in_connect(int server)
{
	redisContext *c;
	int kind = stand_in("connects");

	if (kind == 2)
		return NULL;
	c = calloc(1, sizeof *c);
	c->server = server % 10;
	c->multi = -1;
	c->err = kind;
	strcpy(c->errstr, "refused");
	return c;
}

static inline redisContext *redisConnectWithTimeout(const char *host, int port,
						    struct timeval timeout)
{
	stand_in_note("connect to %s, %d, within %ld s", host, port,
		      (long)timeout.tv_sec);
	return stand_in_connect(port);
}

static inline redisContext *redisConnectUnixWithTimeout(const char *path,
							struct timeval timeout)
{
	stand_in_note("connect to %s, within %ld s", path, (long)timeout.tv_sec);
	return stand_in_connect(path[strlen(path) - 1] - '0');
}

static inline void redisFree(redisContext *c)
{
	stand_in_note("disconnect %d", c->server);
	free(c);
}

#endif
