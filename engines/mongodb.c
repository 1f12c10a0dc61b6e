/*
 * mongodb.c: MongoDB, a server behind a socket: one mongod. Uses libmongoc; a session is
 * a client of its own, and so a connection.
 *
 * A record is a document {_id: key, v: value} of the collection RECORDS, both BinData. A
 * put replaces it, or inserts it if there is none (upsert). A scan is a query sorted by
 * _id. The driver collects a batch until its commit and sends it as one ordered bulk
 * write, which others can see in part and a crash can cut.
 *
 * Traps: MongoDB orders BinData by length before content, so keys need one length for the
 * order of other engines. Write concern 0 is never used: it acknowledges nothing. Other
 * servers speak this protocol, too; the version of those says that they are not mongod.
 */
#include <math.h>
#include <mongoc/mongoc.h>

#include "../util/address.h"
#include "server_common.h"

#define DATABASE "assay"
#define RECORDS "records"
#define MARKERS "marker" /* one document, with the identifier of our directory */

enum {
	DUPLICATE_KEY = 11000, /* two sessions inserted a key at once */
	WRITE_CONFLICT = 112,
	NO_SUCH_COMMAND = 59,
	OUT_OF_DISK_SPACE = 14031,
	TIMEOUT_MS = 10000,
	MONGODB_WORD_SIZE = 128,
};

static struct {
	const char *address;
	bool remote;
	uint64_t scan_records;
} mongodb_option_values;

static const struct option mongodb_options[] = {
	{"mongodb", "",
	 "Address of the mongod: HOST:PORT, or the path of a socket, which ends in "
	 ".sock. Empty: $ASSAY_MONGODB, which scripts/serve.sh sets.",
	 .text = &mongodb_option_values.address, .group = "MongoDB"},
	{"mongodb_remote", "0",
	 "1: allow --mongodb to name a server on another machine; keys and values then "
	 "cross the network unencrypted. 0: refuse such an address.",
	 .flag = &mongodb_option_values.remote},
	{"mongodb_scan", "0",
	 "Number of records in each reply to a scan (batchSize). 0: the server decides: "
	 "101 records at first, then 16 MiB.",
	 .count = &mongodb_option_values.scan_records, .max = 1000000},
	{0},
};

/* The server of --mongodb, once it was asked. */
static struct {
	struct address address;
	mongoc_uri_t *uri;
	bool is_mongod;
	char version[64];
} mongod;

/* A client, and the collection of records by it. */
struct mongodb_client {
	mongoc_client_t *client;
	mongoc_collection_t *records;
	_Atomic uint64_t round_trips; /* written by one thread */
};

struct db {
	const struct settings *settings;
	struct mongodb_client own; /* for calls without a session */
	struct server_common_sessions sessions;
};

struct session {
	struct db *db;
	char *why;
	struct server_common_session of_db;
	struct mongodb_client own;
	bson_t upsert, first, ascending, descending; /* options of commands */
	mongoc_cursor_t *cursor; /* of the last read; it owns that document */
	struct slice key;        /* of the current record of a scan */
	bool open;               /* the batch is collecting writes */
	bool reverse;            /* of a scan */
	struct batch batch;
};

/* ---- the server ---- */

static enum status fail_with_mongod(char *why, const bson_error_t *e)
{
	if (e->code == DUPLICATE_KEY || e->code == WRITE_CONFLICT)
		return CONFLICT;
	return set_error(why, e->code == OUT_OF_DISK_SPACE ? FULL : FAILED,
			 "server %s: %s", mongod.address.name, e->message);
}

/* Returns NULL, or the problem with the address, in `why`. */
static const char *parse_mongod_address(const char *text, char *why)
{
	char uri[4 * ADDRESS_SIZE] = "mongodb://";
	size_t used = strlen(uri);

	if (!text || !*text) {
		set_error(why, FAILED,
			  "--mongodb: no server is given; scripts/serve.sh "
			  "mongodb starts one and prints how to reach it");
		return why;
	}
	if (strpbrk(text, ",@?%") || !address_parse(&mongod.address, text)) {
		set_error(why, FAILED,
			  "--mongodb: '%.*s' is not an address; give "
			  "HOST:PORT or a socket's path",
			  ADDRESS_SIZE, text);
		return why;
	}
	if (!mongodb_option_values.remote && !address_is_local(&mongod.address)) {
		set_error(why, FAILED,
			  "--mongodb: %s is not on this machine; give "
			  "--mongodb_remote=1 if it may be measured over the network",
			  mongod.address.name);
		return why;
	}
	for (const char *c = mongod.address.name; *c; c++)
		used += (size_t)snprintf(uri + used, sizeof uri - used,
					 *c == '/' ? "%%2F" : "%c", *c);
	mongoc_uri_destroy(mongod.uri);
	mongod.uri = mongoc_uri_new(uri);
	if (!mongod.uri) {
		set_error(why, FAILED,
			  "--mongodb: '%s' is not an address of libmongoc's; "
			  "a socket's path ends in .sock",
			  mongod.address.name);
		return why;
	}
	mongoc_uri_set_appname(mongod.uri, "assay");
	mongoc_uri_set_option_as_bool(mongod.uri, MONGOC_URI_DIRECTCONNECTION, true);
	mongoc_uri_set_option_as_bool(mongod.uri, MONGOC_URI_RETRYWRITES, false);
	mongoc_uri_set_option_as_int32(mongod.uri, MONGOC_URI_SERVERSELECTIONTIMEOUTMS,
				       TIMEOUT_MS);
	return NULL;
}

/* The round trips of a client are the commands that were answered. */
static void count_round_trip(const mongoc_apm_command_succeeded_t *event)
{
	struct mongodb_client *c = mongoc_apm_command_succeeded_get_context(event);
	uint64_t n = atomic_load_explicit(&c->round_trips, memory_order_relaxed);

	atomic_store_explicit(&c->round_trips, n + 1, memory_order_relaxed);
}

static enum status connect_mongod(struct mongodb_client *c, char *why)
{
	mongoc_apm_callbacks_t *calls = mongoc_apm_callbacks_new();

	mongoc_apm_set_command_succeeded_cb(calls, count_round_trip);
	c->client = mongoc_client_new_from_uri(mongod.uri);
	if (c->client) {
		mongoc_client_set_error_api(c->client, MONGOC_ERROR_API_VERSION_2);
		mongoc_client_set_apm_callbacks(c->client, calls, c);
		c->records = mongoc_client_get_collection(c->client, DATABASE, RECORDS);
	}
	mongoc_apm_callbacks_destroy(calls);
	return c->client ? DONE
			 : set_error(why, FAILED, "server %s: no client",
				     mongod.address.name);
}

static void disconnect_mongod(struct mongodb_client *c)
{
	mongoc_collection_destroy(c->records);
	mongoc_client_destroy(c->client);
	c->records = NULL;
	c->client = NULL;
}

/* Runs {name: 1} on the database `admin`. The caller destroys the reply in any case. */
static enum status run_on_admin(struct mongodb_client *c, const char *name, bson_t *reply,
				bson_error_t *error)
{
	bson_t *command = BCON_NEW(name, BCON_INT32(1));
	bool ok = mongoc_client_command_simple(c->client, "admin", command, NULL, reply,
					       error);

	bson_destroy(command);
	return ok ? DONE : FAILED;
}

/* What is at a dotted name; false if nothing is. */
static bool find_in_reply(const bson_t *reply, const char *name, bson_iter_t *at)
{
	bson_iter_t from;

	return bson_iter_init(&from, reply) && bson_iter_find_descendant(&from, name, at);
}

/* A number that the server reports, or NaN. */
static double reply_number(const bson_t *reply, const char *name)
{
	bson_iter_t at;

	return find_in_reply(reply, name, &at) ? bson_iter_as_double(&at) : NAN;
}

/*
 * Asks for the version. Any mongod names its storage engines beside it; what does not is
 * another program, whose version says nothing of MongoDB.
 */
static enum status read_mongod_version(struct mongodb_client *c, char *why)
{
	bson_error_t error;
	bson_t reply;
	bson_iter_t at;
	enum status status = run_on_admin(c, "buildInfo", &reply, &error);
	const char *text = status == DONE && find_in_reply(&reply, "version", &at) &&
					   BSON_ITER_HOLDS_UTF8(&at)
				   ? bson_iter_utf8(&at, NULL)
				   : "?";

	if (status != DONE) {
		set_error(why, FAILED, "no server answers at %s: %s", mongod.address.name,
			  error.message);
	} else {
		mongod.is_mongod = find_in_reply(&reply, "storageEngines", &at);
		snprintf(mongod.version, sizeof mongod.version,
			 mongod.is_mongod ? "%s" : "not mongod: says %s", text);
	}
	bson_destroy(&reply);
	return status;
}

/* ---- ownership ---- */

/*
 * Reads the marker; "" if there is none. Records without one are somebody else's, and so
 * is any other collection.
 */
static enum status read_mongodb_marker(struct mongodb_client *c, char *word, char *why)
{
	mongoc_database_t *database = mongoc_client_get_database(c->client, DATABASE);
	mongoc_collection_t *markers =
		mongoc_client_get_collection(c->client, DATABASE, MARKERS);
	bson_t all = BSON_INITIALIZER;
	bson_error_t error = {.code = 0};
	mongoc_cursor_t *found =
		mongoc_collection_find_with_opts(markers, &all, NULL, NULL);
	char **names = NULL;
	const bson_t *document;
	bson_iter_t at;
	enum status status = DONE;

	*word = '\0';
	if (mongoc_cursor_next(found, &document) &&
	    bson_iter_init_find(&at, document, "word") && BSON_ITER_HOLDS_UTF8(&at))
		snprintf(word, MONGODB_WORD_SIZE, "%s", bson_iter_utf8(&at, NULL));
	else if (mongoc_cursor_error(found, &error) ||
		 !(names = mongoc_database_get_collection_names_with_opts(database, NULL,
									  &error)))
		status = fail_with_mongod(why, &error);
	else if (*names)
		status = set_error(why, FAILED,
				   "server %s: its database '" DATABASE
				   "' holds what assay did not write; start an empty "
				   "server",
				   mongod.address.name);
	bson_strfreev(names);
	mongoc_cursor_destroy(found);
	mongoc_collection_destroy(markers);
	mongoc_database_destroy(database);
	bson_destroy(&all);
	return status;
}

/* Deletes what assay wrote there, and marks the database with our directory. */
static enum status claim_mongod(struct mongodb_client *c, const char *word, char *why)
{
	mongoc_database_t *database = mongoc_client_get_database(c->client, DATABASE);
	mongoc_collection_t *markers =
		mongoc_client_get_collection(c->client, DATABASE, MARKERS);
	bson_t *marker = BCON_NEW("_id", BCON_INT32(1), "word", BCON_UTF8(word));
	bson_error_t error;
	bool ok = mongoc_database_drop_with_opts(database, NULL, &error) &&
		  mongoc_collection_insert_one(markers, marker, NULL, NULL, &error);

	bson_destroy(marker);
	mongoc_collection_destroy(markers);
	mongoc_database_destroy(database);
	return ok ? DONE : fail_with_mongod(why, &error);
}

/* ---- records ---- */

static void append_binary(bson_t *to, const char *name, struct slice bytes)
{
	bson_append_binary(to, name, -1, BSON_SUBTYPE_BINARY, bytes.data,
			   (uint32_t)bytes.size);
}

/* The caller destroys it. */
static void init_document(bson_t *document, struct slice key, const struct slice *value)
{
	bson_init(document);
	append_binary(document, "_id", key);
	if (value)
		append_binary(document, "v", *value);
}

static void end_cursor(struct session *s)
{
	mongoc_cursor_destroy(s->cursor);
	s->cursor = NULL;
}

/* Begins a query. */
static void send_query(struct session *s, const bson_t *filter, const bson_t *options)
{
	end_cursor(s);
	s->cursor =
		mongoc_collection_find_with_opts(s->own.records, filter, options, NULL);
}

static bool read_binary(const bson_t *document, const char *name, struct slice *bytes)
{
	bson_iter_t at;
	bson_subtype_t type;
	uint32_t size;
	const uint8_t *data;

	if (!bson_iter_init_find(&at, document, name) || !BSON_ITER_HOLDS_BINARY(&at))
		return false;
	bson_iter_binary(&at, &type, &size, &data);
	*bytes = (struct slice){data, size};
	return true;
}

/* The next record of the query. */
static enum status receive_record(struct session *s, struct slice *key,
				  struct slice *value)
{
	const bson_t *document;
	bson_error_t error;

	if (mongoc_cursor_next(s->cursor, &document))
		return read_binary(document, "_id", key) &&
				       read_binary(document, "v", value)
			       ? DONE
			       : set_error(s->why, FAILED,
					   "server %s: a document is not "
					   "as it was written",
					   mongod.address.name);
	return mongoc_cursor_error(s->cursor, &error) ? fail_with_mongod(s->why, &error)
						      : NOT_FOUND;
}

static enum status mongodb_put(struct session *s, struct slice key, struct slice value)
{
	bson_t which, document;
	bson_error_t error;
	bool ok;

	if (s->open)
		return batch_add(&s->batch, key, &value, s->why);
	init_document(&which, key, NULL);
	init_document(&document, key, &value);
	ok = mongoc_collection_replace_one(s->own.records, &which, &document, &s->upsert,
					   NULL, &error);
	bson_destroy(&which);
	bson_destroy(&document);
	return ok ? DONE : fail_with_mongod(s->why, &error);
}

static enum status mongodb_del(struct session *s, struct slice key)
{
	bson_t which, reply;
	bson_error_t error;
	enum status status;

	if (s->open)
		return batch_add(&s->batch, key, NULL, s->why);
	init_document(&which, key, NULL);
	if (!mongoc_collection_delete_one(s->own.records, &which, NULL, &reply, &error))
		status = fail_with_mongod(s->why, &error);
	else
		status = reply_number(&reply, "deletedCount") > 0 ? DONE : NOT_FOUND;
	bson_destroy(&which);
	bson_destroy(&reply);
	return status;
}

static enum status mongodb_get(struct session *s, struct slice key, struct slice *value)
{
	struct slice found;
	bson_t which;

	init_document(&which, key, NULL);
	send_query(s, &which, &s->first);
	bson_destroy(&which);
	return receive_record(s, &found, value);
}

/* ---- scans ---- */

/* Begins a scan: `bound` is $gte or $lt, or NULL for all records. */
static enum status scan_mongod(struct session *s, bool reverse, const char *bound,
			       struct slice from, struct slice *key, struct slice *value)
{
	bson_t filter = BSON_INITIALIZER, range;
	enum status status;

	if (bound) {
		bson_append_document_begin(&filter, "_id", -1, &range);
		append_binary(&range, bound, from);
		bson_append_document_end(&filter, &range);
	}
	s->reverse = reverse;
	send_query(s, &filter, reverse ? &s->descending : &s->ascending);
	bson_destroy(&filter);
	status = receive_record(s, &s->key, value);
	*key = s->key;
	return status;
}

static enum status mongodb_seek(struct session *s, struct slice from, struct slice *key,
				struct slice *value)
{
	return scan_mongod(s, false, from.data ? "$gte" : NULL, from, key, value);
}

static enum status mongodb_last(struct session *s, struct slice *key, struct slice *value)
{
	return scan_mongod(s, true, NULL, (struct slice){NULL, 0}, key, value);
}

static enum status mongodb_next(struct session *s, struct slice *key, struct slice *value)
{
	enum status status = receive_record(s, &s->key, value);

	*key = s->key;
	return status;
}

/* After a seek the server is asked anew, as its cursor goes up. */
static enum status mongodb_prev(struct session *s, struct slice *key, struct slice *value)
{
	return s->reverse ? mongodb_next(s, key, value)
			  : scan_mongod(s, true, "$lt", s->key, key, value);
}

/* ---- batches ---- */

static enum status mongodb_begin(struct session *s)
{
	s->open = true;
	return DONE;
}

static void mongodb_rollback(struct session *s)
{
	s->open = false;
	batch_clear(&s->batch);
}

static void append_to_bulk(mongoc_bulk_operation_t *bulk, const struct batch_write *w,
			   const bson_t *upsert)
{
	struct slice value = batch_value(w);
	bson_t which, document;

	init_document(&which, batch_key(w), NULL);
	if (w->deletes) {
		mongoc_bulk_operation_remove_one_with_opts(bulk, &which, NULL, NULL);
	} else {
		init_document(&document, batch_key(w), &value);
		mongoc_bulk_operation_replace_one_with_opts(bulk, &which, &document,
							    upsert, NULL);
		bson_destroy(&document);
	}
	bson_destroy(&which);
}

static enum status mongodb_commit(struct session *s)
{
	const struct batch_write *w = NULL;
	mongoc_bulk_operation_t *bulk;
	bson_error_t error;
	bool ok = true;

	if (s->batch.count) {
		bulk = mongoc_collection_create_bulk_operation_with_opts(s->own.records,
									 NULL);
		while ((w = batch_next(&s->batch, w)))
			append_to_bulk(bulk, w, &s->upsert);
		ok = mongoc_bulk_operation_execute(bulk, NULL, &error);
		mongoc_bulk_operation_destroy(bulk);
	}
	mongodb_rollback(s);
	return ok ? DONE : fail_with_mongod(s->why, &error);
}

/* ---- the rest ---- */

/* A bulk write is seen, and can be cut, while it is carried out; not before. */
static const struct traits mongodb_traits = {.non_atomic = NON_ATOMIC_VISIBLE |
							   NON_ATOMIC_CRASH};

static struct traits mongodb_check_settings(const struct settings *s)
{
	static char why[ENGINE_ERROR_SIZE];
	struct mongodb_client c = {.client = NULL};
	char word[MONGODB_WORD_SIZE];
	bool fits;

	(void)s;
	/* once for all benchmarks of a list */
	if (*mongod.version)
		return mongodb_traits;
	mongoc_init();
	mongoc_log_set_handler(NULL, NULL);
	if (parse_mongod_address(*mongodb_option_values.address
					 ? mongodb_option_values.address
					 : getenv("ASSAY_MONGODB"),
				 why))
		return invalid_settings(why);
	fits = connect_mongod(&c, why) == DONE && read_mongod_version(&c, why) == DONE &&
	       read_mongodb_marker(&c, word, why) == DONE;
	disconnect_mongod(&c);
	if (!fits)
		mongod.version[0] = '\0';
	return fits ? mongodb_traits : invalid_settings(why);
}

/* All writes are acknowledged: by memory, or once the journal is synced. */
static void set_write_concern(struct mongodb_client *c, enum durability d)
{
	mongoc_write_concern_t *concern = mongoc_write_concern_new();

	mongoc_write_concern_set_w(concern, 1);
	mongoc_write_concern_set_journal(concern, d != DURABILITY_NONE);
	mongoc_client_set_write_concern(c->client, concern);
	mongoc_collection_set_write_concern(c->records, concern);
	mongoc_write_concern_destroy(concern);
}

static enum status mongodb_open(struct db *db, const struct settings *settings, char *why)
{
	char word[MONGODB_WORD_SIZE], marker[MONGODB_WORD_SIZE];
	enum status status;

	db->settings = settings;
	server_common_open(&db->sessions);
	status = server_common_id(settings, word, sizeof word, why);
	if (status == DONE)
		status = connect_mongod(&db->own, why);
	if (status == DONE) {
		set_write_concern(&db->own, settings->durability);
		status = read_mongodb_marker(&db->own, marker, why);
	}
	if (status != DONE)
		return status;
	if (settings->create)
		return claim_mongod(&db->own, word, why);
	if (!*marker)
		return set_error(why, FAILED,
				 "server %s: it is empty; load the database "
				 "again",
				 mongod.address.name);
	return strcmp(marker, word)
		       ? set_error(why, FAILED,
				   "server %s: it holds another database than "
				   "this directory describes; load again",
				   mongod.address.name)
		       : DONE;
}

/* The records stay in the server. */
static enum status mongodb_close(struct db *db, char *why)
{
	(void)why;
	disconnect_mongod(&db->own);
	server_common_close(&db->sessions);
	return DONE;
}

/* Options of a scan. */
static void init_scan_options(bson_t *options, int direction)
{
	bson_t sort;

	bson_init(options);
	bson_append_document_begin(options, "sort", -1, &sort);
	bson_append_int32(&sort, "_id", -1, direction);
	bson_append_document_end(options, &sort);
	if (mongodb_option_values.scan_records)
		bson_append_int32(options, "batchSize", -1,
				  (int32_t)mongodb_option_values.scan_records);
}

static enum status mongodb_attach(struct session *s, struct db *db, char *why)
{
	enum status status;

	s->db = db;
	s->why = why;
	bson_init(&s->upsert);
	bson_append_bool(&s->upsert, "upsert", -1, true);
	bson_init(&s->first);
	bson_append_int64(&s->first, "limit", -1, 1);
	bson_append_bool(&s->first, "singleBatch", -1, true);
	init_scan_options(&s->ascending, 1);
	init_scan_options(&s->descending, -1);
	status = connect_mongod(&s->own, why);
	if (status == DONE)
		set_write_concern(&s->own, db->settings->durability);
	server_common_attach(&db->sessions, &s->of_db, &s->own.round_trips);
	return status;
}

static void mongodb_detach(struct session *s)
{
	end_cursor(s);
	server_common_detach(&s->db->sessions, &s->of_db);
	disconnect_mongod(&s->own);
	free(s->batch.bytes.data);
	bson_destroy(&s->upsert);
	bson_destroy(&s->first);
	bson_destroy(&s->ascending);
	bson_destroy(&s->descending);
}

/* Makes a checkpoint, also of what is not in the journal. */
static enum status mongodb_settle(struct db *db, char *why)
{
	bson_error_t error;
	bson_t reply;
	enum status status = run_on_admin(&db->own, "fsync", &reply, &error);

	bson_destroy(&reply);
	/* others have nothing like it */
	if (status != DONE && error.code == NO_SUCH_COMMAND && !mongod.is_mongod)
		return DONE;
	return status == DONE ? DONE : fail_with_mongod(why, &error);
}

static enum status mongodb_server_usage(struct db *db, struct server_usage *r, char *why)
{
	bson_error_t error;
	bson_t reply;
	enum status status = run_on_admin(&db->own, "serverStatus", &reply, &error);

	*r = (struct server_usage){.servers = 1,
				   .local = address_is_local(&mongod.address),
				   .round_trips =
					   server_common_round_trips(&db->sessions)};
	if (status == DONE) {
		r->user_s = reply_number(&reply, "extra_info.user_time_us") / 1e6;
		r->sys_s = reply_number(&reply, "extra_info.system_time_us") / 1e6;
		r->rss_kb = reply_number(&reply, "mem.resident") * 1024; /* MiB */
	}
	bson_destroy(&reply);
	return status == DONE ? DONE : fail_with_mongod(why, &error);
}

static void mongodb_describe(struct db *db, struct report *report)
{
	bson_error_t error;
	bson_t reply;
	bson_iter_t at;

	report_append(report, "servers=1 mongodb=%s", mongod.address.name);
	if (run_on_admin(&db->own, "serverStatus", &reply, &error) == DONE) {
		if (find_in_reply(&reply, "storageEngine.name", &at) &&
		    BSON_ITER_HOLDS_UTF8(&at))
			report_text(report, "storage_engine", bson_iter_utf8(&at, NULL));
		if (find_in_reply(&reply, "wiredTiger.cache.maximum bytes configured",
				  &at))
			REPORT_NUMBERS(report, {"cache_bytes",
						(uint64_t)bson_iter_as_int64(&at)});
	}
	bson_destroy(&reply);
}

/* Version of the server, once it was asked. */
static const char *mongodb_version(void)
{
	return *mongod.version ? mongod.version : "by libmongoc " MONGOC_VERSION_S;
}

const struct engine engine = {
	.name = "mongodb",
	.title = "MongoDB",
	.version = mongodb_version,
	.cache = "",
	/* what the journal holds is synced before an acknowledgement, or not written */
	.effective_durability = {DURABILITY_NONE, DURABILITY_SYNC, DURABILITY_SYNC},
	.provenance = {.symbol = "mongoc_client_new_from_uri"},
	.options = mongodb_options,
	.key_limit = 1000,                /* of an index, before version 4.2 */
	.value_limit = (16 << 20) - 2048, /* of a document, with its key */
	.db_size = sizeof(struct db),
	.session_size = sizeof(struct session),
	.put = mongodb_put,
	.del = mongodb_del,
	.get = mongodb_get,
	.seek = mongodb_seek,
	.last = mongodb_last,
	.next = mongodb_next,
	.prev = mongodb_prev,
	.begin = mongodb_begin,
	.commit = mongodb_commit,
	.rollback = mongodb_rollback,
	.check_settings = mongodb_check_settings,
	.open = mongodb_open,
	.close = mongodb_close,
	.attach = mongodb_attach,
	.detach = mongodb_detach,
	.settle = mongodb_settle,
	.server_usage = mongodb_server_usage,
	.describe = mongodb_describe,
};
