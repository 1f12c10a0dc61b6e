/*
 * mongoc.h: stands in for libmongoc (stand_in.h): what the driver of MongoDB calls of it.
 * Documents are libbson's own.
 */
#ifndef TEST_STAND_IN_MONGODB_MONGOC_H
#define TEST_STAND_IN_MONGODB_MONGOC_H

#include <bson/bson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../stand_in.h"

#define MONGOC_VERSION_S "1.23.45"
#define MONGOC_URI_DIRECTCONNECTION "directconnection"
#define MONGOC_URI_RETRYWRITES "retrywrites"
#define MONGOC_URI_SERVERSELECTIONTIMEOUTMS "serverselectiontimeoutms"
#define MONGOC_ERROR_API_VERSION_2 2

typedef struct {
	void *context;
} mongoc_apm_command_succeeded_t;
typedef void mongoc_apm_command_succeeded_cb_t(const mongoc_apm_command_succeeded_t *);
typedef struct {
	mongoc_apm_command_succeeded_cb_t *succeeded;
} mongoc_apm_callbacks_t;
typedef struct {
	char text[512];
} mongoc_uri_t;
typedef struct {
	int w, journal;
} mongoc_write_concern_t;
typedef struct {
	mongoc_apm_callbacks_t calls;
	mongoc_apm_command_succeeded_t event;
} mongoc_client_t;
typedef struct {
	mongoc_client_t *client;
	const char *name;
} mongoc_collection_t, mongoc_database_t;
typedef struct {
	mongoc_collection_t of;
	bson_t document;
	int n;
	uint32_t error;
} mongoc_cursor_t;
typedef mongoc_collection_t mongoc_bulk_operation_t;
typedef void mongoc_log_func_t(int, const char *, const char *, void *);

/* The document that marks whose records they are, once it was inserted. */
static char mongoc_marker[128];

/* Appends a document, of binary what stand_in_bytes() has. */
static void mongoc_show(char *to, size_t size, const bson_t *document)
{
	bson_iter_t at;
	const char *between = "{";

	for (bson_iter_init(&at, document); bson_iter_next(&at); between = ", ") {
		size_t used = strlen(to);
		bson_subtype_t type;
		uint32_t length;
		const uint8_t *bytes;
		bson_t inner;

		used += (size_t)snprintf(to + used, size - used, "%s%s: ", between,
					 bson_iter_key(&at));
		switch (bson_iter_type(&at)) {
		case BSON_TYPE_BINARY:
			bson_iter_binary(&at, &type, &length, &bytes);
			if (length == 16)
				snprintf(to + used, size - used, "%.16s of type %d",
					 bytes, type);
			else
				snprintf(to + used, size - used, "%u bytes of type %d",
					 length, type);
			break;
		case BSON_TYPE_DOCUMENT:
			bson_iter_document(&at, &length, &bytes);
			bson_init_static(&inner, bytes, length);
			mongoc_show(to, size, &inner);
			break;
		case BSON_TYPE_UTF8:
			snprintf(to + used, size - used, "a text");
			break;
		default:
			snprintf(to + used, size - used, "%s %lld",
				 bson_iter_type(&at) == BSON_TYPE_INT64  ? "int64"
				 : bson_iter_type(&at) == BSON_TYPE_BOOL ? "bool"
									 : "int32",
				 (long long)bson_iter_as_int64(&at));
		}
	}
	snprintf(to + strlen(to), size - strlen(to), "%s", *between == '{' ? "{}" : "}");
}

static void mongoc_note(const char *what, const bson_t *document)
{
	char text[1024] = "";

	if (document)
		mongoc_show(text, sizeof text, document);
	stand_in_note("%s %s", what, document ? text : "none");
}

/* A command that a server answers, or not. */
static bool mongoc_answers(mongoc_client_t *c, const char *name, bson_error_t *error)
{
	int rc = stand_in(name);

	if (rc) {
		bson_set_error(error, 1, (uint32_t)rc, "error %d of the server's", rc);
		return false;
	}
	c->calls.succeeded(&c->event);
	return true;
}

static inline void mongoc_init(void)
{
	stand_in_note("init");
}

static inline void mongoc_log_set_handler(mongoc_log_func_t *f, void *to)
{
	stand_in_note("log %d %d", f != NULL, to != NULL);
}

static inline mongoc_uri_t *mongoc_uri_new(const char *text)
{
	mongoc_uri_t *uri = stand_in("mongoc_uri_new") ? NULL : calloc(1, sizeof *uri);

	stand_in_note("uri %s", text);
	return uri;
}

static inline void mongoc_uri_destroy(mongoc_uri_t *uri)
{
	free(uri);
}

static inline void mongoc_uri_set_appname(mongoc_uri_t *uri, const char *name)
{
	(void)uri;
	stand_in_note("appname %s", name);
}

static inline void mongoc_uri_set_option_as_bool(mongoc_uri_t *uri, const char *name,
						 bool is)
{
	(void)uri;
	stand_in_note("%s %d", name, is);
}

static inline void mongoc_uri_set_option_as_int32(mongoc_uri_t *uri, const char *name,
						  int n)
{
	(void)uri;
	stand_in_note("%s %d", name, n);
}

static inline mongoc_apm_callbacks_t *mongoc_apm_callbacks_new(void)
{
	return calloc(1, sizeof(mongoc_apm_callbacks_t));
}

static inline void mongoc_apm_set_command_succeeded_cb(
	mongoc_apm_callbacks_t *calls, mongoc_apm_command_succeeded_cb_t *f)
{
	calls->succeeded = f;
}

static inline void mongoc_apm_callbacks_destroy(mongoc_apm_callbacks_t *calls)
{
	free(calls);
}

static inline void *mongoc_apm_command_succeeded_get_context(
	const mongoc_apm_command_succeeded_t *event)
{
	return event->context;
}

static inline mongoc_client_t *mongoc_client_new_from_uri(mongoc_uri_t *uri)
{
	(void)uri;
	stand_in_note("client");
	return stand_in("client") ? NULL : calloc(1, sizeof(mongoc_client_t));
}

static inline void mongoc_client_set_error_api(mongoc_client_t *c, int version)
{
	(void)c;
	stand_in_note("errors of version %d", version);
}

static inline void mongoc_client_set_apm_callbacks(mongoc_client_t *c,
						   mongoc_apm_callbacks_t *calls,
						   void *context)
{
	c->calls = *calls;
	c->event.context = context;
}

static inline void mongoc_client_destroy(mongoc_client_t *c)
{
	if (c)
		stand_in_note("end of the client");
	free(c);
}

static inline mongoc_collection_t *mongoc_client_get_collection(mongoc_client_t *c,
								const char *database,
								const char *name)
{
	mongoc_collection_t *of = malloc(sizeof *of);

	(void)database;
	*of = (mongoc_collection_t){c, name};
	return of;
}

static inline void mongoc_collection_destroy(mongoc_collection_t *of)
{
	free(of);
}

static inline mongoc_database_t *mongoc_client_get_database(mongoc_client_t *c,
							    const char *name)
{
	return mongoc_client_get_collection(c, "", name);
}

static inline void mongoc_database_destroy(mongoc_database_t *of)
{
	free(of);
}

static inline bool mongoc_client_command_simple(mongoc_client_t *c, const char *database,
						const bson_t *command, const void *read,
						bson_t *reply, bson_error_t *error)
{
	static const struct {
		const char *name, *reply;
	} replies[] = {
		{"buildInfo", "{\"version\": \"6.7.8\", \"storageEngines\": []}"},
		{"serverStatus",
		 "{\"extra_info\": {\"user_time_us\": 1500000, \"system_time_us\": "
		 "250000},"
		 " \"mem\": {\"resident\": 3}, \"storageEngine\": {\"name\": \"wood\"},"
		 " \"wiredTiger\": {\"cache\": {\"maximum bytes configured\": 1011}}}"},
	};
	char text[64] = "";
	bson_iter_t at;

	(void)read;
	bson_iter_init(&at, command);
	bson_iter_next(&at);
	snprintf(text, sizeof text, "%s on %s", bson_iter_key(&at), database);
	mongoc_note(text, command);
	bson_init(reply);
	if (!mongoc_answers(c, bson_iter_key(&at), error))
		return false;
	for (size_t i = 0; i < sizeof replies / sizeof *replies; i++)
		if (!strcmp(replies[i].name, bson_iter_key(&at)))
			bson_init_from_json(reply, replies[i].reply, -1, error);
	return true;
}

static inline mongoc_cursor_t *mongoc_collection_find_with_opts(mongoc_collection_t *of,
								const bson_t *filter,
								const bson_t *options,
								const void *read)
{
	mongoc_cursor_t *c = calloc(1, sizeof *c);
	char text[64];

	(void)read;
	snprintf(text, sizeof text, "find in %s", of->name);
	mongoc_note(text, filter);
	mongoc_note("  options", options);
	c->of = *of;
	bson_init(&c->document);
	return c;
}

/* --fail=find:1: there is nothing; any other is an error */
static inline bool mongoc_cursor_next(mongoc_cursor_t *c, const bson_t **document)
{
	bool marker = strcmp(c->of.name, "records") != 0;
	bson_error_t error = {.code = 0};

	stand_in_note("next in %s", c->of.name);
	if (!c->n++ && !mongoc_answers(c->of.client, "find", &error))
		c->error = error.code == 1 ? 0 : error.code;
	if (error.code || (marker && !*mongoc_marker))
		return false;
	bson_reinit(&c->document);
	if (marker)
		bson_append_utf8(&c->document, "word", -1, mongoc_marker, -1);
	else {
		bson_append_binary(&c->document, "v", -1, BSON_SUBTYPE_BINARY,
				   (const uint8_t *)STAND_IN_VALUE,
				   sizeof STAND_IN_VALUE - 1);
		bson_append_binary(&c->document, "_id", -1, BSON_SUBTYPE_BINARY,
				   (const uint8_t *)STAND_IN_KEY,
				   sizeof STAND_IN_KEY - 1);
	}
	*document = &c->document;
	return true;
}

static inline bool mongoc_cursor_error(mongoc_cursor_t *c, bson_error_t *error)
{
	if (c->error)
		bson_set_error(error, 1, c->error, "error %u of the server's", c->error);
	return c->error;
}

static inline void mongoc_cursor_destroy(mongoc_cursor_t *c)
{
	if (!c)
		return;
	stand_in_note("end of a find in %s", c->of.name);
	bson_destroy(&c->document);
	free(c);
}

/* --fail=listed:1: there is one that is somebody else's */
static inline char **mongoc_database_get_collection_names_with_opts(mongoc_database_t *of,
								    const bson_t *options,
								    bson_error_t *error)
{
	char **names;

	(void)options;
	stand_in_note("list of %s", of->name);
	if (!mongoc_answers(of->client, "listCollections", error))
		return NULL;
	names = calloc(2, sizeof *names);
	if (stand_in("listed"))
		names[0] = bson_strdup("another");
	return names;
}

static inline bool mongoc_database_drop_with_opts(mongoc_database_t *of,
						  const bson_t *options,
						  bson_error_t *error)
{
	(void)options;
	stand_in_note("drop %s", of->name);
	return mongoc_answers(of->client, "drop", error);
}

static inline bool mongoc_collection_insert_one(mongoc_collection_t *of,
						const bson_t *document,
						const bson_t *options, bson_t *reply,
						bson_error_t *error)
{
	bson_iter_t at;

	(void)options;
	(void)reply;
	stand_in_note("insert into %s", of->name);
	mongoc_note("  document", document);
	if (bson_iter_init_find(&at, document, "word"))
		snprintf(mongoc_marker, sizeof mongoc_marker, "%s",
			 bson_iter_utf8(&at, NULL));
	return mongoc_answers(of->client, "insert", error);
}

static inline bool mongoc_collection_replace_one(mongoc_collection_t *of,
						 const bson_t *which,
						 const bson_t *document,
						 const bson_t *options, bson_t *reply,
						 bson_error_t *error)
{
	(void)reply;
	stand_in_note("replace in %s", of->name);
	mongoc_note("  which", which);
	mongoc_note("  document", document);
	mongoc_note("  options", options);
	return mongoc_answers(of->client, "update", error);
}

/* --fail=missing:1: it deletes nothing */
static inline bool mongoc_collection_delete_one(mongoc_collection_t *of,
						const bson_t *which,
						const bson_t *options, bson_t *reply,
						bson_error_t *error)
{
	stand_in_note("delete in %s", of->name);
	mongoc_note("  which", which);
	mongoc_note("  options", options);
	bson_init(reply);
	bson_append_int32(reply, "deletedCount", -1, !stand_in("missing"));
	return mongoc_answers(of->client, "delete", error);
}

static inline mongoc_bulk_operation_t *mongoc_collection_create_bulk_operation_with_opts(
	mongoc_collection_t *of, const bson_t *options)
{
	mongoc_note("bulk, options", options);
	return mongoc_client_get_collection(of->client, "", of->name);
}

static inline bool mongoc_bulk_operation_remove_one_with_opts(
	mongoc_bulk_operation_t *bulk, const bson_t *which, const bson_t *options,
	bson_error_t *error)
{
	(void)bulk;
	(void)error;
	mongoc_note("  remove", which);
	mongoc_note("  options", options);
	return true;
}

static inline bool mongoc_bulk_operation_replace_one_with_opts(
	mongoc_bulk_operation_t *bulk, const bson_t *which, const bson_t *document,
	const bson_t *options, bson_error_t *error)
{
	(void)bulk;
	(void)error;
	mongoc_note("  replace", which);
	mongoc_note("  document", document);
	mongoc_note("  options", options);
	return true;
}

static inline bool mongoc_bulk_operation_execute(mongoc_bulk_operation_t *bulk,
						 bson_t *reply, bson_error_t *error)
{
	(void)reply;
	stand_in_note("execute");
	return mongoc_answers(bulk->client, "bulk", error);
}

static inline void mongoc_bulk_operation_destroy(mongoc_bulk_operation_t *bulk)
{
	stand_in_note("end of the bulk");
	free(bulk);
}

static inline mongoc_write_concern_t *mongoc_write_concern_new(void)
{
	return calloc(1, sizeof(mongoc_write_concern_t));
}

static inline void mongoc_write_concern_set_w(mongoc_write_concern_t *c, int w)
{
	c->w = w;
}

static inline void mongoc_write_concern_set_journal(mongoc_write_concern_t *c, bool is)
{
	c->journal = is;
}

static inline void mongoc_write_concern_destroy(mongoc_write_concern_t *c)
{
	free(c);
}

static inline void mongoc_client_set_write_concern(mongoc_client_t *client,
						   const mongoc_write_concern_t *c)
{
	(void)client;
	stand_in_note("of the client: w %d, journal %d", c->w, c->journal);
}

static inline void mongoc_collection_set_write_concern(mongoc_collection_t *of,
						       const mongoc_write_concern_t *c)
{
	stand_in_note("of %s: w %d, journal %d", of->name, c->w, c->journal);
}

#endif
