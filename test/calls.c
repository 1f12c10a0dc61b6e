/*
 * calls.c: each call of the contract once or twice, and what the driver makes of it: for
 * test/calls.sh, which links it with a driver whose calls print themselves (calls.h), and
 * with its engine's library or with what stands in for that (test/stand_in).
 */
#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../engines/driver_util.h"
#include "../util/os/sync_count.h"
#include "calls.h"
#include "stand_in/stand_in.h"

enum { KEY = 16, VALUE = 100, RECORDS = 1000, MANY = 100 };

static bool silent;

/* Where the call whose arguments are being evaluated would put its message, or NULL. */
static char **error_of;

/* Calls whose arguments are being evaluated, the outermost first. */
static struct {
	char text[4096];
	int arguments;
} lines[8];
static int depth;

static __attribute__((format(printf, 1, 2))) void add(const char *format, ...)
{
	char *text = lines[depth].text;
	va_list values;

	va_start(values, format);
	vsnprintf(text + strlen(text), sizeof lines->text - strlen(text), format, values);
	va_end(values);
}

static const char *comma(void)
{
	return lines[depth].arguments++ ? ", " : "";
}

void said_name(const char *name)
{
	depth++;
	error_of = NULL;
	lines[depth].arguments = 0;
	*lines[depth].text = '\0';
	add("\t%s(", name);
}

void said_number(long long value)
{
	add("%s%lld", comma(), value);
}

void said_real(double value)
{
	add("%s%g", comma(), value);
}

void said_text(const char *value)
{
	add(value ? "%s\"%s\"" : "%s0", comma(), value);
}

void said_pointer(const void *value)
{
	add("%s%s", comma(), value ? "*" : "0");
}

void said_error(char **error)
{
	said_pointer(error);
	error_of = error;
}

void said_end(void)
{
	if (!silent)
		printf("%s)\n", lines[depth].text);
	depth--;
}

/* ---- for what stands in for a library ---- */

static const char *failing = ""; /* NAME:RESULT[:NTH], or several with + between */

/* Whether this call fails, with which result. */
static bool is_failing(const char *name, int *result)
{
	static int calls[4];
	size_t size = strlen(name);
	const char *one = failing;
	char *rest;

	for (int i = 0; i < 4 && *one;
	     i++, one += strcspn(one, "+"), one += *one == '+') {
		if (strncmp(one, name, size) || one[size] != ':')
			continue;
		*result = (int)strtol(one + size + 1, &rest, 0);
		if (*rest == ':' && ++calls[i] != atoi(rest + 1))
			continue;
		stand_in_note("fails: %d", *result);
		return true;
	}
	return false;
}

int stand_in(const char *name)
{
	int result = 0;

	return is_failing(name, &result) ? result : 0;
}

/* What stands in for a library asks for itself. */
static int failed_with;

bool said_fails(const char *name)
{
	return !STOOD_IN && is_failing(name, &failed_with);
}

long said_failed(void)
{
	errno = EIO; /* where -1 says that */
	if (!error_of)
		return failed_with;
	*error_of = strdup(failed_with == ENOSPC ? "IO error: No space left on device"
						 : "IO error: told to fail");
	error_of = NULL;
	return 0;
}

void stand_in_note(const char *format, ...)
{
	va_list values;

	if (silent)
		return;
	va_start(values, format);
	printf("\t\t");
	vprintf(format, values);
	puts("");
	va_end(values);
}

void stand_in_bytes(const char *what, const void *bytes, size_t size)
{
	if (size == KEY)
		stand_in_note("%s %.16s", what, (const char *)bytes);
	else
		stand_in_note("%s %zu bytes%s", what, size,
			      bytes ? "" : " at no address");
}

/* ---- the records ---- */

static bool native_keys, transactions;

static uint64_t oracle_index(const struct oracle *o, struct slice key)
{
	char text[KEY + 1] = "";

	if (key.size != KEY)
		return UINT64_MAX;
	memcpy(text, key.data, KEY);
	return strtoull(text, NULL, 10) < o->records ? strtoull(text, NULL, 10)
						     : UINT64_MAX;
}

static size_t oracle_record(const struct oracle *o, uint64_t index, char *key,
			    char *value)
{
	(void)o;
	snprintf(key, KEY + 1, "%016" PRIu64, index);
	memset(value, 'v', VALUE);
	return VALUE;
}

/* Valid until the fourth call after it. */
static struct slice key_of(uint64_t number)
{
	static char text[4][KEY + 1];
	static uint64_t numbers[4];
	static unsigned next;
	unsigned i = next++ % 4;

	numbers[i] = number;
	snprintf(text[i], sizeof text[i], "%016" PRIu64, number);
	return native_keys ? (struct slice){&numbers[i], sizeof *numbers}
			   : (struct slice){text[i], KEY};
}

static char value_bytes[VALUE];
static const struct slice value_slice = {value_bytes, VALUE};

/* ---- printing ---- */

static char words[ENGINE_ERROR_SIZE];

/* Those of a driver or its library in another language, beside what it asks for. */
static void print_syncs(void)
{
	static uint64_t before;
	struct sync_counts now = sync_count_read();
	uint64_t n = sync_count_total(&now) - before;

	before += n;
	if (STOOD_IN && n)
		stand_in_note("syncs %" PRIu64, n);
}

/* A call of the contract; what the driver asks its engine for, and this, stand below it. */
static enum status print_status(enum status status)
{
	static const char *const names[] = {
		[DONE] = "DONE", [NOT_FOUND] = "NOT_FOUND",     [CONFLICT] = "CONFLICT",
		[FULL] = "FULL", [UNSUPPORTED] = "UNSUPPORTED", [FAILED] = "FAILED"};

	if (!silent) {
		print_syncs();
		printf("= %s%s%s\n", names[status], *words ? ": " : "", words);
	}
	*words = '\0';
	return status;
}

/* Also the record that a read returned. */
static enum status print_record(enum status status, const struct slice *key,
				const struct slice *value)
{
	if (print_status(status) != DONE)
		return status;
	if (key)
		stand_in_bytes("key", key->data, key->size);
	stand_in_bytes("value", value->data, value->size);
	return status;
}

static void print_call(const char *name)
{
	if (!silent)
		puts(name);
}

#define CALL(name, call) (print_call(name), print_status(call))
#define READ(name, call) (print_call(name), print_record(call, NULL, values))
#define SCAN(name, call) (print_call(name), print_record(call, &key, values))

static void print_traits(const struct traits *t)
{
	printf("traits: native_keys %d, reads_mapped %d, uncounted_writes %d, sharded "
	       "%d, "
	       "discards_writes %d, non_atomic %u\n",
	       t->native_keys, t->reads_mapped, t->uncounted_writes, t->sharded,
	       t->discards_writes, t->non_atomic);
}

/* What holds for the engine with all settings. */
static void print_engine_facts(void)
{
	const struct {
		const char *name;
		unsigned long long value;
	} numbers[] = {
		{"compressions", engine.compressions},
		{"durability of none", engine.effective_durability[DURABILITY_NONE]},
		{"durability of async", engine.effective_durability[DURABILITY_ASYNC]},
		{"durability of sync", engine.effective_durability[DURABILITY_SYNC]},
		{"stores_nothing", engine.stores_nothing},
		{"exclusive", engine.exclusive},
		{"one_writer", engine.one_writer},
		{"non_atomic", engine.non_atomic},
		{"blind_deletes", engine.blind_deletes},
		{"integer_keys", engine.integer_keys},
		{"transactions", engine.transactions},
		{"raw_devices", engine.raw_devices},
		{"fixed_size", engine.fixed_size},
		{"key_limit", engine.key_limit},
		{"value_limit", engine.value_limit},
		{"crc32c", engine.provenance.crc32c},
		{"events", engine.events != NULL},
		{"statistics", engine.statistics != NULL},
		{"leveldb_files", engine.leveldb_files},
		{"has_assertions",
		 engine.provenance.has_assertions && engine.provenance.has_assertions()},
	};
	const struct {
		const char *name, *value;
	} texts[] = {
		{"cache", engine.cache},
		{"write_buffer", engine.write_buffer},
		{"symbol", engine.provenance.symbol},
		{"cpp_namespace", engine.provenance.cpp_namespace},
		{"backup_by", engine.backup_by},
		{"allocator", engine.provenance.allocator},
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		printf("%s: %s\n", texts[i].name,
		       texts[i].value ? texts[i].value : "none");
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		printf("%s: %llu\n", numbers[i].name, numbers[i].value);
	for (const struct preset *p = engine.presets; p && p->name; p++)
		printf("preset %s: %s\n", p->name, p->options);
}

/* The engine's report, a line for each setting. */
static void print_settings(struct db *db)
{
	char text[8192];

	puts("describe");
	driver_util_describe(&engine, db, text, sizeof text);
	for (char *c = text; *c; c++)
		if (*c == ' ')
			*c = '\t';
	printf("= %s\n", text);
}

/* ---- the calls ---- */

static void write_records(struct session *s)
{
	CALL("put", engine.put(s, key_of(1), value_slice));
	CALL("put again", engine.put(s, key_of(1), value_slice));
	CALL("put", engine.put(s, key_of(2), value_slice));
	CALL("put", engine.put(s, key_of(4), value_slice));
	CALL("delete", engine.del(s, key_of(2)));
	CALL("delete again", engine.del(s, key_of(2)));
	if (engine.append)
		CALL("append", engine.append(s, key_of(7), value_slice));
	if (engine.merge)
		CALL("merge", engine.merge(s, key_of(4), value_slice));
}

/* As the core does: what is no success, nor a delete of nothing, ends the batch. */
static void write_batch(struct session *s)
{
	struct slice values[1];

	if (CALL("begin", engine.begin(s)) != DONE ||
	    CALL("put in a batch", engine.put(s, key_of(3), value_slice)) != DONE ||
	    CALL("delete in a batch", engine.del(s, key_of(4))) > NOT_FOUND)
		return;
	if (transactions &&
	    READ("get in a transaction", engine.get(s, key_of(1), values)) > NOT_FOUND)
		return;
	if (STOOD_IN &&
	    (READ("get of what it wrote", engine.get(s, key_of(3), values)) > NOT_FOUND ||
	     READ("get of what it deleted", engine.get(s, key_of(4), values)) >
		     NOT_FOUND ||
	     CALL("delete again in it", engine.del(s, key_of(4))) > NOT_FOUND))
		return;
	CALL("commit", engine.commit(s));
}

static void write_batches(struct session *s)
{
	if (!engine.begin)
		return;
	write_batch(s);
	puts("rollback of what failed");
	engine.rollback(s);
	if (CALL("begin", engine.begin(s)) == DONE)
		CALL("put in a batch", engine.put(s, key_of(6), value_slice));
	puts("rollback");
	engine.rollback(s);
	puts("rollback of nothing");
	engine.rollback(s);
	if (!STOOD_IN)
		return;
	if (CALL("begin", engine.begin(s)) == DONE &&
	    CALL("put in a batch", engine.put(s, key_of(8), value_slice)) == DONE)
		CALL("commit", engine.commit(s));
	engine.rollback(s);
}

/* With --multiget of as many. */
static void read_many(struct session *s)
{
	struct slice keys[MANY], values[MANY];

	for (int i = 0; i < MANY; i++)
		keys[i] = key_of(1);
	CALL("multiget of many", engine.multiget(s, keys, values, MANY));
}

static void read_records(struct session *s)
{
	struct slice keys[2] = {key_of(1), key_of(2)}, key, values[2];

	READ("get", engine.get(s, key_of(1), values));
	READ("get of none", engine.get(s, key_of(2), values));
	if (engine.multiget)
		CALL("multiget", engine.multiget(s, keys, values, 2));
	SCAN("seek the first", engine.seek(s, (struct slice){NULL, 0}, &key, values));
	if (SCAN("seek", engine.seek(s, key_of(2), &key, values)) == DONE) {
		SCAN("next", engine.next(s, &key, values));
		if (STOOD_IN)
			SCAN("next again", engine.next(s, &key, values));
		if (STOOD_IN && engine.next_many)
			SCAN("next, several",
			     engine.next_many(s, &key, values, &(unsigned){1}));
	}
	if (SCAN("seek", engine.seek(s, key_of(3), &key, values)) == DONE &&
	    SCAN("prev", engine.prev(s, &key, values)) == DONE)
		SCAN("prev again", engine.prev(s, &key, values));
	if (SCAN("last", engine.last(s, &key, values)) == DONE)
		SCAN("prev", engine.prev(s, &key, values));
	puts("release");
	if (engine.release)
		engine.release(s);
	if (engine.snapshot)
		CALL("snapshot", engine.snapshot(s));
	READ("get", engine.get(s, key_of(1), values));
	if (SCAN("seek", engine.seek(s, key_of(1), &key, values)) == DONE && STOOD_IN) {
		SCAN("prev", engine.prev(s, &key, values));
		SCAN("last", engine.last(s, &key, values));
	}
	puts("release");
	if (engine.release)
		engine.release(s);
	if (STOOD_IN)
		READ("get of what is new", engine.get(s, key_of(1), values));
}

static void note_event(void *to, const struct event *e)
{
	(void)to;
	stand_in_note("event %d for %d, real time %d, from %" PRIu64 " to %" PRIu64,
		      e->kind, e->reason, e->realtime, e->begin_ns, e->end_ns);
}

/* What an engine says of itself, where it is always the same. */
static void print_reports(struct db *db)
{
	struct server_usage usage;
	struct pending_work pending = {0, 0};
	char text[8192];

	if (engine.pending_work) {
		CALL("reported work", engine.pending_work(db, &pending, words));
		stand_in_note("%" PRIu64 ", progress %" PRIu64, pending.work,
			      pending.progress);
	}
	puts("statistics");
	driver_util_statistics(&engine, db, text, sizeof text);
	printf("%s\n", text);
	if (engine.events)
		CALL("events", engine.events(db, note_event, NULL, words));
	if (!engine.server_usage)
		return;
	CALL("server usage", engine.server_usage(db, &usage, words));
	stand_in_note("%u servers, local %d, %" PRIu64 " round trips", usage.servers,
		      usage.local, usage.round_trips);
	stand_in_note("user %g s, system %g s, %g KiB", usage.user_s, usage.sys_s,
		      usage.rss_kb);
}

/* Of a database whose sessions do nothing. */
static void maintain(struct db *db, const char *copy)
{
	static const char *const properties[] = {"levelstats", "sstables", "memstats",
						 "stats", "statistics"};
	struct pending_work pending;

	if (engine.settle)
		CALL("settle", engine.settle(db, words));
	if (STOOD_IN)
		print_reports(db);
	else if (engine.pending_work)
		CALL("pending work", engine.pending_work(db, &pending, words));
	if (engine.compact)
		CALL("compact", engine.compact(db, words));
	if (engine.compact_level0)
		CALL("compact level 0", engine.compact_level0(db, words));
	for (int i = 0; engine.property && i < 5; i++) {
		char text[65536] = "";
		struct report report = {text, sizeof text, "=", " "};

		print_call(properties[i]);
		engine.property(db, properties[i], &report);
	}
	if (engine.backup)
		CALL("backup", engine.backup(db, copy, words));
}

static void load(struct session *s)
{
	CALL("begin a load", engine.bulk_begin(s));
	CALL("put of a load", engine.bulk_put(s, key_of(1), value_slice));
	CALL("put of a load", engine.bulk_put(s, key_of(2), value_slice));
	CALL("end of a load", engine.bulk_end(s));
}

/* The calls that crossed into an engine, of all sessions: the first has been detached. */
static void count_crossings(const struct settings *s, struct db *db)
{
	struct slice value;
	struct session *other;

	print_call("another session");
	other = driver_util_attach(&engine, s, db, words);
	if (print_status(other ? DONE : FAILED) == DONE) {
		CALL("get", engine.get(other, key_of(1), &value));
		print_call("detach that");
		driver_util_detach(&engine, other);
	}
	printf("%" PRIu64 " crossings, all syncs are counted: %d\n",
	       engine.crossing.calls(db), sync_count_is_complete());
}

/* Opens and attaches, does what `with` does, and undoes it. */
static void with_database(struct settings *s, void (*with)(struct db *, struct session *))
{
	struct session *session;
	enum status status;
	struct db *db;

	print_call(s->create ? "open a new one" : "open");
	status = driver_util_open(&engine, s, &db, words);
	print_status(status);
	if (status != DONE) {
		if (!*failing)
			exit(1);
		return;
	}
	print_call("attach");
	session = driver_util_attach(&engine, s, db, words);
	print_status(session ? DONE : FAILED);
	if (!session && !*failing)
		exit(1);
	if (session && with)
		with(db, session);
	print_call("detach");
	if (session && engine.crossing.nothing)
		CALL("nothing", engine.crossing.nothing(session));
	if (session)
		driver_util_detach(&engine, session);
	if (engine.crossing.calls)
		count_crossings(s, db);
	CALL("close", driver_util_close(&engine, db, words));
}

static const char *copy_path;

static unsigned multiget;

static void with_all_calls(struct db *db, struct session *session)
{
	print_settings(db);
	write_records(session);
	write_batches(session);
	read_records(session);
	if (engine.multiget && multiget >= MANY)
		read_many(session);
	maintain(db, copy_path);
}

static void with_load(struct db *db, struct session *session)
{
	(void)db;
	silent = false; /* opening is as above */
	load(session);
	silent = true;
}

static int remove_inside(const char *path, const struct stat *st, int kind,
			 struct FTW *at)
{
	(void)st;
	(void)kind;
	return at->level ? remove(path) : 0;
}

/*
 * A child for each of the list, with the directory empty; false: this is the parent, and
 * they have ended.
 */
static bool next_failure(const char *list, const char *directory)
{
	static char text[256];
	int status;

	for (size_t size; *list; list += size + (list[size] == ',')) {
		size = strcspn(list, ",");
		snprintf(text, sizeof text, "%.*s", (int)size, list);
		printf("# --fail=%s\n", text);
		fflush(stdout);
		nftw(directory, remove_inside, 8, FTW_DEPTH | FTW_PHYS);
		nftw(copy_path, remove_inside, 8, FTW_DEPTH | FTW_PHYS);
		if (!fork()) {
			alarm(120); /* which a child does not inherit */
			failing = text;
			setenv("STAND_IN_FAIL", text, 1); /* for Go */
			return true;
		}
		wait(&status);
		if (WIFSIGNALED(status))
			printf("ended by signal %d\n", WTERMSIG(status));
	}
	return false;
}

int main(int argc, char **argv)
{
	static const char *const durabilities[] = {"none", "async", "sync", NULL};
	static const char *const compressions[] = {"none", "snappy", "lz4",
						   "zlib", "zstd",   NULL};
	static const struct oracle oracle = {.records = RECORDS,
					     .index = oracle_index,
					     .record = oracle_record};
	static const char *db, *load_path, *fails;
	static int durability, compression;
	static uint64_t cache, write_buffer, num, value_size, sessions, most_keys;
	static bool counters, tickers, version;
	static const struct option own[] = {
		{"db", "", "An empty directory.", .text = &db},
		{"copy", "", "Another.", .text = &copy_path},
		{"version", "0", "Print whose calls these are.", .flag = &version},
		{"load", "", "A third.", .text = &load_path},
		{"fail", "",
		 "NAME:RESULT[:NTH] of calls of what stands in, each in turn.",
		 .text = &fails},
		{"durability", "sync", "As ever.", .choice = &durability,
		 .choices = durabilities},
		{"compression", "none", "As ever.", .choice = &compression,
		 .choices = compressions},
		{"cache_size", "64Mi", "As ever.", .size = &cache},
		{"write_buffer_size", "16Mi", "As ever.", .size = &write_buffer},
		{"num", "1000", "As ever.", .count = &num},
		{"multiget", "2", "Keys of a multi-get.", .count = &most_keys},
		{"value_size", "100", "Of the settings; records have 100 bytes.",
		 .size = &value_size},
		{"sessions", "3", "As many at once.", .count = &sessions},
		{"tickers", "0", "The property statistics is asked for.",
		 .flag = &tickers},
		{"counters", "0", "Statistics are asked for.", .flag = &counters},
		{0},
	};
	const struct option *tables[] = {own, engine.options, NULL};
	struct settings s = {.create = true, .key_size = KEY, .oracle = &oracle};
	struct traits traits;

	setlinebuf(stdout);              /* Go writes to it as well */
	alarm(120);                      /* a lock that is not released */
	for (int fd = 3; fd < 256; fd++) /* so that those of files are the same */
		close(fd);
	for (int i = 0; tables[i]; i++)
		if (!option_set_defaults(tables[i], words))
			return 2;
	if (!option_parse(tables, argc, argv, words)) {
		fprintf(stderr, "calls: %s\n", words);
		return 2;
	}
	if (version) {
		printf("%s %s\n", engine.title, engine.version());
		return 0;
	}
	if (*fails && !next_failure(fails, db))
		return 0;
	s.path = db;
	s.durability = (enum durability)durability;
	s.compression = (enum compression)compression;
	s.cache_bytes = cache;
	s.write_buffer_bytes = write_buffer;
	s.num = num;
	s.value_size = value_size;
	s.multiget = multiget = (unsigned)most_keys;
	s.sessions = (unsigned)sessions;
	s.counters = counters;
	s.statistics = tickers;
	traits = driver_util_traits(&engine, &s);
	if (traits.invalid) {
		printf("invalid: %s\n", traits.invalid);
		return 0;
	}
	print_engine_facts();
	print_traits(&traits);
	native_keys = s.native_keys = traits.native_keys;
	transactions = traits.transactions;
	s.key_size = native_keys ? 8 : KEY;
	with_database(&s, with_all_calls);
	s.create = false;
	with_database(&s, NULL);
	s.create = true;
	s.path = load_path;
	silent = true;
	if (engine.bulk_begin && *load_path)
		with_database(&s, with_load);
	return 0;
}
