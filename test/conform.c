/*
 * conform.c: what engine.h promises, held against one driver; linked with it and with no
 * harness.
 *
 * conform_NAME --db=DIRECTORY
 *	the contract, as TAP
 * conform_NAME --db=DIRECTORY --kill
 *	what survives kill -9 at each durability, in so many --rounds=N
 * conform_NAME --facts
 *	what the engine has natively and what it is said to do, as JSON
 * conform_NAME --db=DIRECTORY --cut=FILE --durability=WORD [--threads=N] [--seconds=X]
 *	commit until FILE, a disk's power switch, is written to; how many commits each
 *	thread had acknowledged before, on stdout; --seed=N
 * conform_NAME --db=DIRECTORY --recount=N,N --durability=WORD
 *	what is left of them, as JSON; scripts/powerloss.sh uses both
 * conform_NAME --help
 *	all options
 *
 * The engine's own options go with any. DIRECTORY is empty and is filled with databases.
 * A driver joins by its row in the Makefile.
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "conform.h"

enum { RECORDS = 1000, LARGE = 4 << 20, FORTH = 100 << 10 };

const char *const conform_durabilities[] = {"none", "async", "sync", NULL};
const char *conform_top_directory;
char conform_error[ENGINE_ERROR_SIZE];
static int tests, failures;

/* ---- telling ---- */

void conform_report(bool ok, const char *what)
{
	tests++;
	failures += !ok;
	printf("%sok %d - %s: %s\n", ok ? "" : "not ", tests, engine.name, what);
	if (!ok && *conform_error)
		printf("# the engine's words: %s\n", conform_error);
	fflush(stdout);
	*conform_error = '\0';
}

void conform_skip(const char *what, const char *reason)
{
	tests++;
	printf("ok %d - %s: %s # skip %s\n", tests, engine.name, what, reason);
}

_Noreturn void conform_fatal(const char *what)
{
	conform_report(false, what);
	printf("Bail out! %s\n", what);
	exit(1);
}

/* ---- records and databases ---- */

void conform_sleep_us(uint64_t us)
{
	struct timespec t = {(time_t)(us / 1000000), (long)(us % 1000000 * 1000)};

	nanosleep(&t, NULL);
}

void conform_in_child(void (*work)(void *), void *argument)
{
	int how;
	pid_t pid;

	fflush(stdout);
	if ((pid = fork()) < 0)
		conform_fatal("a child process");
	if (!pid) {
		work(argument);
		fflush(stdout);
		_exit(0);
	}
	if (waitpid(pid, &how, 0) != pid || (how && !WIFEXITED(how)))
		conform_fatal("a child process comes to its end");
	if (how)
		exit(1);
}

void *conform_shared_memory(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		conform_fatal("memory");
	return memory;
}

struct slice conform_slice(const void *data, size_t size)
{
	return (struct slice){data, size};
}

struct slice conform_key(char *to, uint64_t id)
{
	snprintf(to, KEY + 1, "%016" PRIu64, id % 10000000000000000u);
	return conform_slice(to, KEY);
}

struct slice conform_value(char *to, uint64_t id, uint64_t generation)
{
	memset(to, (int)('a' + id % 26), VALUE);
	memcpy(to, &id, 8);
	memcpy(to + 8, &generation, 8);
	return conform_slice(to, VALUE);
}

uint64_t conform_index(const struct oracle *o, struct slice key)
{
	uint64_t id = 0;

	if (key.size != KEY)
		return UINT64_MAX;
	for (size_t i = 0; i < KEY; i++)
		id = id * 10 + (uint64_t)(((const char *)key.data)[i] - '0');
	return id < o->records ? id : UINT64_MAX;
}

size_t conform_record(const struct oracle *o, uint64_t id, char *key, char *value)
{
	char text[KEY + 1];

	(void)o;
	conform_key(text, id);
	memcpy(key, text, KEY);
	return conform_value(value, id, 0).size;
}

static const struct oracle oracle = {.records = 4 * RECORDS,
				     .index = conform_index,
				     .record = conform_record};

struct settings conform_settings(const char *path, bool create, size_t value_size)
{
	return (struct settings){
		/* Some make room for all of them at once. */
		.num = value_size > VALUE ? 16 : 4 * RECORDS,
		.path = path,
		.create = create,
		.durability = DURABILITY_ASYNC,
		.key_size = KEY,
		.value_size = value_size,
		.cache_bytes = 256 << 20,
		.write_buffer_bytes = 64 << 20,
		.sessions = SESSIONS + 1,
		.multiget = 100,
		.verify = true,
		.oracle = &oracle,
	};
}

const char *conform_path(const char *name)
{
	static char path[PATH_SIZE];

	snprintf(path, sizeof path, "%s/%s", conform_top_directory, name);
	mkdir(path, 0777);
	return path;
}

struct test_database conform_try_open(struct settings s)
{
	struct test_database p = {.settings_copy = malloc(sizeof *p.settings_copy)};

	if (!p.settings_copy)
		conform_fatal("memory");
	p.settings_copy->traits = driver_util_traits(&engine, &s);
	if (p.settings_copy->traits.invalid)
		conform_fatal("the driver refuses plain settings");
	snprintf(p.settings_copy->path, sizeof p.settings_copy->path, "%s", s.path);
	s.path = p.settings_copy->path;
	p.settings_copy->settings = s;
	driver_util_open(&engine, &p.settings_copy->settings, &p.db, conform_error);
	p.session = p.db ? driver_util_attach(&engine, &p.settings_copy->settings, p.db,
					      conform_error)
			 : NULL;
	return p;
}

unsigned conform_non_atomic(const struct test_database *p)
{
	return p->settings_copy->traits.non_atomic;
}

struct session *conform_attach(const struct test_database *p, char *words)
{
	return driver_util_attach(&engine, &p->settings_copy->settings, p->db, words);
}

void conform_detach(struct session *s)
{
	driver_util_detach(&engine, s);
}

void conform_must_be_open(struct test_database p)
{
	if (!p.db)
		conform_fatal("opens a database");
	if (!p.session)
		conform_fatal("attaches a session");
}

struct test_database conform_open_with(struct settings s)
{
	struct test_database p = conform_try_open(s);

	conform_must_be_open(p);
	return p;
}

struct test_database conform_open(const char *name, bool create, size_t value_size)
{
	return conform_open_with(
		conform_settings(conform_path(name), create, value_size));
}

bool conform_close(struct test_database p)
{
	bool closed;

	if (p.session)
		conform_detach(p.session);
	closed = p.db && driver_util_close(&engine, p.db, conform_error) == DONE;
	free(p.settings_copy);
	return closed;
}

bool conform_is_same(struct slice a, struct slice b)
{
	return a.size == b.size && a.data && !memcmp(a.data, b.data, b.size);
}

enum status conform_put(struct session *s, struct slice key, struct slice value)
{
	enum status status;

	do
		status = engine.put(s, key, value);
	while (status == CONFLICT);
	return status;
}

bool conform_holds(struct session *s, struct slice key, struct slice value)
{
	struct slice got = {NULL, 0};
	enum status status = engine.get(s, key, &got);

	return value.data ? status == DONE && conform_is_same(got, value)
			  : status == NOT_FOUND;
}

/* Put records first, first + step, ...; each in a transaction of its own. */
static bool put_records(struct session *s, uint64_t first, uint64_t step, uint64_t n)
{
	char key[KEY + 1], value[VALUE];
	bool ok = true;

	for (uint64_t i = 0; i < n; i++)
		ok &= conform_put(s, conform_key(key, first + i * step),
				  conform_value(value, first + i * step, 0)) == DONE;
	return ok;
}

/* ---- what a driver says of itself ---- */

static void print_words(const char *name, const char *const *words, bool (*is)(int))
{
	const char *before = "";

	printf("\"%s\":[", name);
	for (int i = 0; words[i]; i++)
		if (is(i)) {
			printf("%s\"%s\"", before, words[i]);
			before = ",";
		}
	printf("],");
}

static bool supports_durability(int durability)
{
	return engine.effective_durability[durability] != DURABILITY_UNSUPPORTED;
}

/* The traits with these options, at any durability. */
static struct traits any_traits(void)
{
	struct traits any = {.non_atomic = engine.non_atomic};

	for (int d = DURABILITY_NONE; d <= DURABILITY_SYNC; d++) {
		struct settings s = conform_settings("", false, VALUE);
		struct traits traits;

		s.durability = (enum durability)d;
		if (!supports_durability(d))
			continue;
		traits = driver_util_traits(&engine, &s);
		any.native_keys |= traits.native_keys;
		any.reads_mapped |= traits.reads_mapped;
		any.uncounted_writes |= traits.uncounted_writes;
		any.sharded |= traits.sharded;
		any.discards_writes |= traits.discards_writes;
		any.transactions |= traits.transactions;
		any.non_atomic |= traits.non_atomic;
	}
	return any;
}

/* What an engine can have natively; the rest the harness makes up for. */
static bool has_capability(int capability)
{
	const bool all[] = {engine.snapshot,    any_traits().transactions, engine.append,
			    engine.multiget,    engine.bulk_begin,         engine.compact,
			    engine.integer_keys};

	return all[capability];
}

static const char *const capabilities[] = {"snapshots",   "transactions",
					   "append",      "multiget",
					   "bulk_load",   "compaction",
					   "native_keys", NULL};

static bool is_non_atomic(int bit)
{
	return any_traits().non_atomic & 1u << bit;
}

/* Which of the calls that an engine need not have it has. */
static bool has_call(int call)
{
	const struct engine *e = &engine;
	const bool all[] = {
		e->append,         e->multiget,  e->snapshot,   e->release,
		e->begin,          e->commit,    e->rollback,   e->bulk_begin,
		e->bulk_put,       e->bulk_end,  e->compact,    e->settle,
		e->pending_work,   e->backup,    e->describe,   e->server_usage,
		e->check_settings, e->property,  e->statistics, e->session_extra_size,
		e->events,         e->next_many, e->merge};

	return all[call];
}

static const char *const optional_calls[] = {
	"append",         "multiget",  "snapshot",   "release",
	"begin",          "commit",    "rollback",   "bulk_begin",
	"bulk_put",       "bulk_end",  "compact",    "settle",
	"pending_work",   "backup",    "describe",   "server_usage",
	"check_settings", "property",  "statistics", "session_extra_size",
	"events",         "next_many", "merge",      NULL};

/* Every bit of the engine, of its provenance and of its traits. */
static void print_bits(void)
{
	const struct traits traits = any_traits();
	const struct {
		const char *name;
		bool is;
	} bits[] = {
		{"crc32c", engine.provenance.crc32c},
		{"stores_nothing", engine.stores_nothing},
		{"exclusive", engine.exclusive},
		{"one_process", engine.one_process},
		{"keeps_memtable", engine.keeps_memtable},
		{"one_writer", engine.one_writer},
		{"blind_deletes", engine.blind_deletes},
		{"integer_keys", engine.integer_keys},
		{"transactions", traits.transactions},
		{"raw_devices", engine.raw_devices},
		{"fixed_size", engine.fixed_size},
		{"leveldb_files", engine.leveldb_files},
		{"native_keys", traits.native_keys},
		{"reads_mapped", traits.reads_mapped},
		{"uncounted_writes", traits.uncounted_writes},
		{"sharded", traits.sharded},
		{"discards_writes", traits.discards_writes},
	};

	for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
		printf(",\"%s\":%s", bits[i].name, bits[i].is ? "true" : "false");
}

static void print_facts(void)
{
	static const char *const non_atomic[] = {"seen", "abandoned", "crash", "database",
						 NULL};

	printf("{\"engine\":\"%s\",", engine.name);
	print_words("native", capabilities, has_capability);
	print_words("non_atomic", non_atomic, is_non_atomic);
	print_words("durabilities", conform_durabilities, supports_durability);
	print_words("calls", optional_calls, has_call);
	printf("\"key_limit\":%zu,\"value_limit\":%llu", engine.key_limit,
	       (unsigned long long)engine.value_limit);
	print_bits();
	printf("}\n");
}

/* What goes together is there together; or nothing else can be tested. */
static void test_facts(void)
{
	const struct engine *e = &engine;
	bool all = e->put && e->get && e->del && e->seek && e->last && e->next &&
		   e->prev && e->open && e->close && e->attach && e->detach && e->name &&
		   e->title && e->version;
	bool promises = true;

	for (int d = DURABILITY_NONE; d <= DURABILITY_SYNC; d++)
		promises &= (unsigned)e->effective_durability[d] >= (unsigned)d;
	if (!all || !e->db_size || !e->session_size)
		conform_fatal(
			"has all that an engine must have, and the sizes of its structs");
	if (e->snapshot && !e->release)
		conform_fatal("who has snapshots has release");
	if (!e->begin != !e->commit || !e->begin != !e->rollback)
		conform_fatal("begin, commit and rollback: all, or none");
	if (!e->bulk_begin != !e->bulk_put || !e->bulk_begin != !e->bulk_end)
		conform_fatal("bulk_begin, bulk_put and bulk_end: all, or none");
	if (e->non_atomic & ~(unsigned)(NON_ATOMIC_VISIBLE | NON_ATOMIC_ROLLBACK |
					NON_ATOMIC_CRASH | NON_ATOMIC_DATABASE) ||
	    (e->non_atomic && !e->begin))
		conform_fatal("batch_atomicity are bits of enum non_atomic, of an engine "
			      "with batches");
	conform_report(promises,
		       "each word of durability gives its promise, a stronger one, or "
		       "is refused");
}

/* ---- the contract ---- */

static void test_single(void)
{
	struct test_database p = conform_open("single", true, VALUE);
	struct session *s = p.session, *other;
	char key[KEY + 1], value[VALUE], second[VALUE];
	struct slice k = conform_key(key, 7), v = conform_value(value, 7, 1),
		     w = conform_value(second, 7, 2), none = {NULL, 0};
	enum status status;
	bool ok;

	conform_report(conform_holds(s, k, none),
		       "a key that was never put is not found");
	conform_report(conform_put(s, k, v) == DONE && conform_holds(s, k, v),
		       "put, then get");
	conform_report(conform_put(s, k, w) == DONE && conform_holds(s, k, w),
		       "a second put replaces the first");
	conform_report(engine.del(s, k) == DONE && conform_holds(s, k, none),
		       "a deleted record is not found");
	status = engine.del(s, k);
	conform_report(
		status == (engine.blind_deletes ? DONE : NOT_FOUND),
		engine.blind_deletes
			? "deletes are blind: of what is not there they say it is done"
			: "deletes tell that there was nothing");
	ok = conform_put(s, k, v) == DONE;
	other = conform_attach(&p, conform_error);
	conform_report(ok && other && conform_holds(other, k, v),
		       "and the next write is committed for other sessions");
	if (other)
		conform_detach(other);
	conform_report(conform_holds(s, conform_slice(key, KEY - 1), none),
		       "a prefix of a key is another key");
	conform_report(conform_close(p), "closes");
}

static void test_slices(void)
{
	struct test_database p = conform_open("slices", true, VALUE);
	char first[KEY + 1], second[KEY + 1], value[VALUE];
	struct slice got = {NULL, 0}, v;
	bool ok = put_records(p.session, 0, 1, 10);

	v = conform_value(value, 3, 0);
	ok &= engine.get(p.session, conform_key(first, 3), &got) == DONE;
	memset(first, 'x', KEY); /* the key was the caller's and is gone */
	conform_report(ok && conform_is_same(got, v),
		       "a value stays until the session's next call, "
		       "whatever becomes of the key");
	if (engine.release)
		engine.release(p.session);
	conform_report(conform_holds(p.session, conform_key(second, 3), v),
		       "after release the session reads on");
	conform_close(p);
}

static void test_sizes(void)
{
	static const size_t sizes[] = {0, 1, VALUE, 4000, 4096, FORTH, LARGE};
	static const char *const names[] = {
		"an empty value",        "a value of 1 byte",     "a value of 100 bytes",
		"a value of 4000 bytes", "a value of 4096 bytes", "a value of 100 KiB",
		"a value of 4 MiB"};
	char *big = malloc(LARGE), key[KEY + 1];
	struct test_database p;

	if (!big)
		conform_fatal("memory");
	for (size_t i = 0; i < LARGE; i++)
		big[i] = (char)(i * 2654435761u >> 13);
	p = conform_open("sizes", true, LARGE);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct slice v = conform_slice(big, sizes[i]);

		if (engine.fixed_size && sizes[i] != LARGE)
			conform_skip(names[i], "all values are of one size");
		else if (engine.value_limit && sizes[i] > engine.value_limit)
			conform_skip(names[i], "beyond the engine's limit");
		else
			conform_report(conform_put(p.session, conform_key(key, i), v) ==
						       DONE &&
					       conform_holds(p.session,
							     conform_slice(key, KEY), v),
				       names[i]);
	}
	if (!engine.fixed_size)
		conform_report(conform_put(p.session, conform_key(key, 1),
					   conform_slice(big, 7)) == DONE &&
				       conform_holds(p.session, conform_slice(key, KEY),
						     conform_slice(big, 7)) &&
				       conform_put(p.session, conform_slice(key, KEY),
						   conform_slice(big, FORTH)) == DONE &&
				       conform_holds(p.session, conform_slice(key, KEY),
						     conform_slice(big, FORTH)),
			       "a value shrinks and grows");
	conform_close(p);
	free(big);
}

static void test_binary_keys(void)
{
	static const unsigned char keys[][3] = {{0, 0, 0},   {0, 0, 1},
						{0, 255, 0}, {'a', 0, 'b'},
						{128, 0, 0}, {255, 255, 255}};
	enum { KEY_ORDERS = sizeof keys / sizeof *keys };
	struct slice key, value, from = {NULL, 0};
	struct test_database p;
	bool ok = true;

	if (engine.fixed_size) {
		conform_skip("binary keys", "a key is a number");
		return;
	}
	p = conform_open("binary", true, VALUE);
	for (size_t i = KEY_ORDERS; i-- > 0;)
		ok &= conform_put(p.session, conform_slice(keys[i], 3),
				  conform_slice(&keys[i], 3)) == DONE;
	for (size_t i = 0; i < KEY_ORDERS; i++) {
		ok &= (i ? engine.next(p.session, &key, &value)
			 : engine.seek(p.session, from, &key, &value)) == DONE;
		ok = ok && conform_is_same(key, conform_slice(keys[i], 3)) &&
		     conform_is_same(value, conform_slice(keys[i], 3));
	}
	conform_report(ok, "binary keys, in the order of their unsigned bytes");
	conform_close(p);
}

/* Walk from `from`, expecting records first, first + step, ... until `end` is reached. */
static bool check_walk(struct session *s, struct slice from, enum order order,
		       int64_t first, int64_t step, int64_t end)
{
	struct slice key, value;
	char expected_key[KEY + 1], expected[VALUE];
	enum status status = driver_util_seek(&engine, s, from, order, &key, &value);

	for (int64_t id = first; id != end; id += step) {
		if (status != DONE ||
		    !conform_is_same(key, conform_key(expected_key, (uint64_t)id)) ||
		    !conform_is_same(value, conform_value(expected, (uint64_t)id, 0)))
			return false;
		status = (order == FORWARD ? engine.next : engine.prev)(s, &key, &value);
	}
	return status == NOT_FOUND;
}

/* Every second record from 0 on, several in a call, until all of `end` were there. */
static bool check_many(struct session *s, int64_t end)
{
	enum { MOST = 7 };
	struct slice none = {NULL, 0}, keys[MOST], values[MOST];
	char expected_key[KEY + 1], expected[VALUE];
	enum status status = engine.seek(s, none, keys, values);
	unsigned n = 1;
	int64_t id = 0;

	while (status == DONE && n) {
		for (unsigned i = 0; i < n; i++, id += 2)
			if (!conform_is_same(keys[i],
					     conform_key(expected_key, (uint64_t)id)) ||
			    !conform_is_same(values[i],
					     conform_value(expected, (uint64_t)id, 0)))
				return false;
		n = MOST;
		status = engine.next_many(s, keys, values, &n);
	}
	return status == NOT_FOUND && id == end;
}

/* Values of very different sizes in one call stay until the next. */
static bool check_many_sizes(struct session *s)
{
	static char values[4][FORTH];
	struct slice key, value, keys[4], got[4];
	char text[KEY + 1];
	unsigned n = 4, count = 0;
	bool ok = true;

	for (uint64_t i = 0; i < 5; i++) {
		if (i)
			memset(values[i - 1], (int)('a' + i), FORTH);
		ok &= conform_put(s, conform_key(text, i),
				  conform_slice(values[i ? i - 1 : 0],
						i ? (size_t)FORTH >> (4 - i) * 3 : 0)) ==
		      DONE;
	}
	ok &= engine.seek(s, conform_key(text, 0), &key, &value) == DONE;
	if (!ok || engine.next_many(s, keys, got, &n) != DONE || n > 4)
		return false;
	for (; count < n; count++)
		ok &= conform_is_same(got[count],
				      conform_slice(values[count],
						    FORTH >> (3 - count) * 3));
	return ok;
}

static void test_many(void)
{
	struct test_database p;

	if (!engine.next_many) {
		conform_skip("several records in a call", "none");
		return;
	}
	p = conform_open("many", true, FORTH);
	put_records(p.session, 0, 2, RECORDS);
	conform_report(check_many(p.session, 2 * RECORDS),
		       "all records forwards, several in a call");
	conform_report(check_many_sizes(p.session),
		       "several values of different sizes stay until the next call");
	conform_close(p);
}

static void test_scans(void)
{
	struct test_database p = conform_open("scans", true, VALUE);
	struct session *s = p.session;
	struct slice none = {NULL, 0}, key, value;
	char k[KEY + 1];
	int64_t last = 2 * RECORDS - 2;

	conform_report(engine.seek(s, none, &key, &value) == NOT_FOUND &&
			       engine.last(s, &key, &value) == NOT_FOUND,
		       "an empty database has no first record, nor a last");
	/* Even records only, in an order of no kind. */
	put_records(s, 0, 4, RECORDS / 2);
	put_records(s, 2, 4, RECORDS / 2);
	conform_report(check_walk(s, none, FORWARD, 0, 2, last + 2),
		       "all records forwards");
	conform_report(check_walk(s, none, REVERSE, last, -2, -2),
		       "all records backwards");
	conform_report(check_walk(s, conform_key(k, 1000), FORWARD, 1000, 2, last + 2),
		       "forwards from a key");
	conform_report(check_walk(s, conform_key(k, 1000), REVERSE, 1000, -2, -2),
		       "backwards from a key");
	conform_report(check_walk(s, conform_key(k, 1001), FORWARD, 1002, 2, last + 2),
		       "forwards from between two keys");
	conform_report(check_walk(s, conform_key(k, 1001), REVERSE, 1000, -2, -2),
		       "backwards from between two keys");
	conform_report(check_walk(s, conform_key(k, (uint64_t)last + 1), REVERSE, last,
				  -2, -2),
		       "backwards from above all keys");
	conform_report(engine.seek(s, conform_key(k, (uint64_t)last + 1), &key, &value) ==
			       NOT_FOUND,
		       "forwards from above all keys there is nothing");
	conform_close(p);
}

/* Deletes, one by one, the records it is asked to, by a session and thread of its own. */
struct deleter {
	const struct test_database *pair;
	uint64_t ids[RECORDS];
	_Atomic unsigned requested, done;
	_Atomic bool over, failed;
	char why[ENGINE_ERROR_SIZE];
};

static void *delete_on_request(void *argument)
{
	struct deleter *e = argument;
	struct session *s = conform_attach(e->pair, e->why);
	char key[KEY + 1];

	while (s && (!e->over || e->done < e->requested)) {
		enum status status;

		if (e->done == e->requested) {
			conform_sleep_us(20);
			continue;
		}
		while ((status = engine.del(s, conform_key(key, e->ids[e->done]))) ==
		       CONFLICT)
			;
		e->failed |= status != DONE;
		e->done++;
	}
	e->failed |= !s;
	if (s)
		conform_detach(s);
	return NULL;
}

/*
 * Have the record deleted. Where deletes wait for the scan, because it locks its page, it
 * does not wait for them.
 */
static void request_delete(struct deleter *e, uint64_t id, bool *patient)
{
	e->ids[e->requested] = id;
	e->requested++;
	for (int i = 0; *patient && e->done < e->requested; i++) {
		conform_sleep_us(20);
		*patient = i < 20000;
	}
}

/*
 * Does a scan visit each record once, while of those just answered each one, or every
 * `step`-th, is deleted?
 */
static bool visits_all(const char *name, enum order order, int64_t step)
{
	struct test_database p = conform_open(name, true, VALUE);
	struct deleter e = {.pair = &p};
	pthread_t thread;
	struct slice key, value;
	int64_t id = order == FORWARD ? 0 : RECORDS - 1, by = order == FORWARD ? 1 : -1;
	bool ok = put_records(p.session, 0, 1, RECORDS), patient = true;
	char expected[KEY + 1];
	enum status status;

	if (pthread_create(&thread, NULL, delete_on_request, &e))
		conform_fatal("threads");
	status = driver_util_seek(&engine, p.session, conform_slice(NULL, 0), order, &key,
				  &value);
	for (;
	     status == DONE && conform_is_same(key, conform_key(expected, (uint64_t)id));
	     id += by) {
		if (id % step == 0)
			request_delete(&e, (uint64_t)id, &patient);
		do
			status =
				(order == FORWARD ? engine.next
						  : engine.prev)(p.session, &key, &value);
		while (status == CONFLICT);
	}
	if (engine.release)
		engine.release(p.session);
	e.over = true;
	pthread_join(thread, NULL);
	ok &= status == NOT_FOUND && id == (order == FORWARD ? RECORDS : -1) && !e.failed;
	for (uint64_t i = 0; i < RECORDS; i++)
		ok &= conform_holds(p.session, conform_key(expected, i),
				    conform_slice(NULL, 0)) == (i % (uint64_t)step == 0);
	if (id != RECORDS && id != -1)
		printf("# the scan came to record %" PRId64 "\n", id);
	conform_close(p);
	return ok;
}

static void test_scans_during_deletes(void)
{
	conform_report(
		visits_all("erased-1", FORWARD, 1) && visits_all("erased-2", FORWARD, 3),
		"forwards each record is visited once, beside deletes of what was just "
		"answered");
	conform_report(
		visits_all("erased-3", REVERSE, 1) && visits_all("erased-4", REVERSE, 3),
		"backwards each record is visited once, beside deletes of what was just "
		"answered");
}

enum { MOST_KEYS = 100 };

/*
 * A multi-get of n keys, of which every second is there; with `more` 1 it is those that
 * were not with 0, so that each place, the last too, once has a record and once has none.
 */
static bool gets_many(struct session *s, unsigned n, unsigned more)
{
	char keys[MOST_KEYS][KEY + 1], value[VALUE];
	struct slice requested[MOST_KEYS] = {{NULL, 0}}, got[MOST_KEYS];
	bool ok;

	for (unsigned i = 0; i < n; i++) {
		requested[i] = conform_key(keys[i], (i * 37 + more) % MOST_KEYS);
		got[i] = conform_slice("", 0); /* neither a record nor none */
	}
	ok = engine.multiget(s, requested, got, n) == DONE;
	for (unsigned i = 0; i < n; i++) {
		uint64_t id = (i * 37 + more) % MOST_KEYS;

		ok = ok &&
		     (id % 2 ? !got[i].data
			     : conform_is_same(got[i], conform_value(value, id, 0)));
	}
	return ok;
}

static void test_multiget(void)
{
	struct test_database p = conform_open("multiget", true, VALUE);
	bool ok = put_records(p.session, 0, 2, MOST_KEYS);

	for (unsigned n = MOST_KEYS; n > 0 && engine.multiget; n /= 2)
		ok = gets_many(p.session, n, 0) && gets_many(p.session, n, 1) && ok;
	if (engine.multiget)
		conform_report(
			ok, "a multi-get finds what is there, and all values stay until "
			    "the next call");
	else
		conform_skip("multi-get", "none, the harness makes it of gets");
	conform_close(p);
}

/* Somebody else, who asks for a record or writes one while a batch is open. */
struct observer {
	const struct test_database *pair;
	bool writes;
	_Atomic bool answered;
	bool found;
	char why[ENGINE_ERROR_SIZE];
};

static void *observe(void *argument)
{
	struct observer *o = argument;
	struct session *s = conform_attach(o->pair, o->why);
	struct slice got;
	char key[KEY + 1], value[VALUE];
	enum status status = s ? CONFLICT : FAILED;

	while (status == CONFLICT)
		status = o->writes ? engine.put(s, conform_key(key, 2500),
						conform_value(value, 2500, 0))
				   : engine.get(s, conform_key(key, 2000), &got);
	o->found = status == DONE;
	o->answered = true;
	if (s)
		conform_detach(s);
	return NULL;
}

/*
 * Was a call of another session over before the batch was, and did it find its record, or
 * write one? A call that waits for the end of the batch has seen nothing of it.
 */
static bool is_done_during_batch(struct test_database *p, bool writes)
{
	enum { MOST = 200 }; /* of waits of a millisecond */
	struct observer o = {.pair = p, .writes = writes};
	pthread_t thread;
	bool early;

	if (engine.begin(p->session) != DONE || !put_records(p->session, 2000, 1, 500) ||
	    pthread_create(&thread, NULL, observe, &o))
		conform_fatal("a batch beside another session");
	for (int i = 0; i < MOST && !o.answered; i++)
		conform_sleep_us(1000);
	early = o.answered;
	if (engine.commit(p->session) != DONE)
		conform_fatal("commits beside another session");
	pthread_join(thread, NULL);
	return early && o.found;
}

/*
 * Reads one record of a batch after the other, while others are committed: who finds an
 * older one has seen a part of one. In one snapshot, where there are any: between two
 * transactions an engine may go back. LMDB's writer writes the meta page before it
 * announces its transaction, and a reader that was preempted in between reads that page;
 * its next transaction may still be the one before.
 */
struct reader {
	const struct test_database *pair;
	_Atomic bool over;
	_Atomic uint64_t parts;
	char why[ENGINE_ERROR_SIZE];
};

enum {
	TOGETHER = 16,
	TOGETHER_FROM = 3600,
	GENERATIONS = 300,
	MOST_GENERATIONS = 100 * GENERATIONS
};

static void *read_continuously(void *argument)
{
	struct reader *r = argument;
	struct session *s = conform_attach(r->pair, r->why);
	char key[KEY + 1];

	while (s && !r->over) {
		uint64_t latest = 0, generation;
		struct slice got;

		if (engine.snapshot && engine.snapshot(s) != DONE)
			continue;
		for (uint64_t i = 0; i < TOGETHER; i++) {
			if (engine.get(s, conform_key(key, TOGETHER_FROM + i), &got) !=
			    DONE)
				continue;
			memcpy(&generation, (const char *)got.data + 8,
			       sizeof generation);
			r->parts += generation < latest;
			latest = generation;
		}
		if (engine.release)
			engine.release(s);
	}
	if (s)
		conform_detach(s);
	return NULL;
}

static enum status put_together(struct session *s, uint64_t generation)
{
	enum status status;

	do {
		char key[KEY + 1], value[VALUE];

		status = engine.begin(s);
		for (uint64_t i = 0; status == DONE && i < TOGETHER; i++)
			status = engine.put(s, conform_key(key, TOGETHER_FROM + i),
					    conform_value(value, TOGETHER_FROM + i,
							  generation));
		if (status == DONE)
			status = engine.commit(s);
	} while (status == CONFLICT);
	return status;
}

/* Do others see a part of a batch while it commits? Where they may, until they do. */
static bool is_part_visible_to_others(struct test_database *p, bool may)
{
	struct reader r = {.pair = p};
	pthread_t thread;
	bool ok = put_together(p->session, 1) == DONE;

	if (pthread_create(&thread, NULL, read_continuously, &r))
		conform_fatal("threads");
	for (uint64_t i = 2; ok && i < (may ? MOST_GENERATIONS : GENERATIONS) && !r.parts;
	     i++)
		ok = put_together(p->session, i) == DONE;
	r.over = true;
	pthread_join(thread, NULL);
	if (!ok)
		conform_fatal("commits beside a session that reads");
	return r.parts > 0;
}

/* A batch that deletes what is there, and what is not: that it may not know. */
static void delete_together(struct session *s)
{
	char key[KEY + 1], value[VALUE];
	bool ok = put_records(s, 3900, 1, 2) && engine.begin(s) == DONE;
	enum status missing;

	ok = ok && engine.del(s, conform_key(key, 3901)) == DONE;
	missing = engine.del(s, conform_key(key, 3902));
	ok = ok && (missing == NOT_FOUND || missing == DONE);
	ok = engine.commit(s) == DONE && ok;
	conform_report(ok &&
			       conform_holds(s, conform_key(key, 3901),
					     conform_slice(NULL, 0)) &&
			       conform_holds(s, conform_key(key, 3900),
					     conform_value(value, 3900, 0)),
		       "a batch deletes what is there, and nothing else");
}

static void test_batches(void)
{
	struct test_database p = conform_open("batches", true, VALUE);
	char key[KEY + 1], value[VALUE];
	struct slice none = {NULL, 0};
	struct session *other = conform_attach(&p, conform_error);
	bool non_atomic = engine.non_atomic & NON_ATOMIC_ROLLBACK,
	     may = conform_non_atomic(&p) & NON_ATOMIC_VISIBLE;
	bool ok = engine.begin(p.session) == DONE;

	ok &= put_records(p.session, 0, 1, 500) && engine.commit(p.session) == DONE;
	conform_report(ok &&
			       conform_holds(p.session, conform_key(key, 499),
					     conform_value(value, 499, 0)) &&
			       conform_holds(other, conform_key(key, 250),
					     conform_value(value, 250, 0)),
		       "a batch is there after its commit, for all sessions");
	ok = engine.begin(p.session) == DONE && put_records(p.session, 1000, 1, 500);
	engine.rollback(p.session);
	conform_report(
		ok &&
			conform_holds(p.session, conform_key(key, 1000), none) ==
				!non_atomic &&
			conform_holds(other, conform_key(key, 1499), none) == !non_atomic,
		non_atomic ? "batches only group writes: one that was abandoned is there"
			   : "of a batch that was abandoned nothing is there");
	engine.rollback(p.session);
	conform_report(put_records(p.session, 3000, 1, 2) &&
			       conform_holds(other, conform_key(key, 3001),
					     conform_value(value, 3001, 0)),
		       "to abandon none is nothing, and the session writes on");
	delete_together(p.session);
	conform_report(is_done_during_batch(&p, false) ==
			       !!(engine.non_atomic & NON_ATOMIC_VISIBLE),
		       engine.non_atomic & NON_ATOMIC_VISIBLE
			       ? "others see what is not committed, as it is said"
			       : "others do not see what is not committed");
	if (engine.one_writer)
		conform_report(!is_done_during_batch(&p, true),
			       "a write of another session waits for the batch");
	else
		conform_skip("another writer", "not said to wait for the batch");
	if (engine.non_atomic & NON_ATOMIC_VISIBLE)
		conform_skip("what others see of a batch while it commits",
			     "they see it before, as it is said");
	else
		conform_report(
			is_part_visible_to_others(&p, may) == may,
			may ? "others see a part of a batch while it commits, as is said"
			    : "others see nothing or all of a batch while it commits");
	ok = engine.begin(p.session) == DONE && put_records(p.session, 3500, 1, 5);
	conform_detach(p.session);
	p.session = conform_attach(&p, conform_error);
	conform_report(ok && p.session &&
			       conform_holds(p.session, conform_key(key, 3500), none) ==
				       !non_atomic,
		       "a session that ends abandons what it had begun");
	conform_detach(other);
	conform_close(p);
	p = conform_open("batches", false, VALUE);
	conform_report(conform_holds(p.session, conform_key(key, 499),
				     conform_value(value, 499, 0)) &&
			       conform_holds(p.session, conform_key(key, 1000), none) ==
				       !non_atomic,
		       "and so it is after opening again");
	conform_close(p);
}

static void test_bulk(void)
{
	struct test_database p = conform_open("bulk of nothing", true, VALUE);
	char key[KEY + 1], value[VALUE];
	bool ok = engine.bulk_begin && engine.bulk_begin(p.session) == DONE &&
		  engine.bulk_end(p.session) == DONE;

	conform_close(p);
	p = conform_open("bulk", true, VALUE);
	ok = ok && engine.bulk_begin(p.session) == DONE;
	for (uint64_t i = 0; ok && i < RECORDS; i++)
		ok = engine.bulk_put(p.session, conform_key(key, i),
				     conform_value(value, i, 0)) == DONE;
	ok = ok && engine.bulk_end(p.session) == DONE;
	if (!engine.bulk_begin)
		conform_skip("bulk load", "none, the harness makes it of batches");
	else
		conform_report(ok && check_walk(p.session, conform_slice(NULL, 0),
						FORWARD, 0, 1, RECORDS),
			       "a bulk load is all there");
	conform_close(p);
}

static void test_append(void)
{
	struct test_database p = conform_open("append", true, VALUE);
	char key[KEY + 1], value[VALUE];
	bool ok = true;

	for (uint64_t i = 0; engine.append && i < RECORDS; i++)
		ok &= engine.append(p.session, conform_key(key, i),
				    conform_value(value, i, 0)) == DONE;
	if (engine.append)
		conform_report(ok && check_walk(p.session, conform_slice(NULL, 0),
						FORWARD, 0, 1, RECORDS),
			       "records that were appended are there");
	else
		conform_skip("append", "none, the harness puts");
	conform_close(p);
}

/* Does the engine rest after it was settled? */
static bool is_at_rest(struct db *db)
{
	struct pending_work before = {0}, after = {0};

	if (!engine.pending_work)
		return true;
	return engine.pending_work(db, &before, conform_error) == DONE &&
	       engine.pending_work(db, &after, conform_error) == DONE &&
	       (before.work == 0 || before.work == PENDING_WORK_UNKNOWN) &&
	       before.progress == after.progress;
}

static struct test_database open_durable(const char *name, bool create, int durability)
{
	struct settings s = conform_settings(conform_path(name), create, VALUE);

	s.durability = (enum durability)durability;
	return conform_open_with(s);
}

static void test_reopen(void)
{
	char name[32], text[64], options[2048], k[KEY + 1], v[VALUE];

	for (int d = DURABILITY_NONE; d <= DURABILITY_SYNC; d++) {
		snprintf(name, sizeof name, "reopen-%s", conform_durabilities[d]);
		for (int round = 0; round < 2 && engine.effective_durability[d] !=
							 DURABILITY_UNSUPPORTED;
		     round++) {
			struct test_database p = open_durable(name, !round, d);
			uint64_t busy_until;
			bool ok;

			ok = round ? check_walk(p.session, conform_slice(NULL, 0),
						FORWARD, 0, 1, RECORDS)
				   : put_records(p.session, 0, 1, RECORDS);
			driver_util_describe(&engine, p.db, options, sizeof options);
			ok &= driver_util_settle(&engine, p.db, &busy_until,
						 conform_error) == DONE &&
			      is_at_rest(p.db);
			ok &= conform_holds(p.session, conform_key(k, 5),
					    conform_value(v, 5, 0));
			ok &= conform_close(p);
			snprintf(text, sizeof text, "%s at %s",
				 round ? "all is there after opening again"
				       : "loads, settles and closes",
				 conform_durabilities[d]);
			conform_report(ok && (!engine.describe || strchr(options, '=')),
				       text);
		}
	}
}

/* Made at one durability, opened and written at another, and at the first again. */
static bool changes_durability(int made, int then)
{
	enum { FEW = 50 };
	char name[32];
	struct test_database p;
	bool ok;

	snprintf(name, sizeof name, "turns-%d-%d", made, then);
	p = open_durable(name, true, made);
	ok = put_records(p.session, 0, 1, FEW) && conform_close(p);
	p = open_durable(name, false, then);
	ok &= check_walk(p.session, conform_slice(NULL, 0), FORWARD, 0, 1, FEW) &&
	      put_records(p.session, FEW, 1, FEW) && conform_close(p);
	p = open_durable(name, false, made);
	ok &= check_walk(p.session, conform_slice(NULL, 0), FORWARD, 0, 1, 2 * FEW);
	return ok & conform_close(p);
}

static void test_durabilities(void)
{
	bool ok = true;

	for (int made = DURABILITY_NONE; made <= DURABILITY_SYNC; made++)
		for (int then = DURABILITY_NONE; then <= DURABILITY_SYNC; then++)
			if (made != then &&
			    engine.effective_durability[made] != DURABILITY_UNSUPPORTED &&
			    engine.effective_durability[then] != DURABILITY_UNSUPPORTED)
				ok &= changes_durability(made, then);
	conform_report(
		ok, "all is there after opening at another durability, and at the first "
		    "again");
}

/* ---- many sessions ---- */

struct test_thread {
	const struct test_database *pair;
	unsigned number;
	bool ok;
	char why[ENGINE_ERROR_SIZE];
};

/* So many threads at once, SESSIONS at most; true if all of them were content. */
static bool run_sessions(const struct test_database *pair, unsigned n,
			 void *(*work)(void *))
{
	struct test_thread members[SESSIONS];
	pthread_t threads[SESSIONS];
	bool ok = true;

	for (unsigned i = 0; i < n; i++) {
		members[i] = (struct test_thread){.pair = pair, .number = i};
		if (pthread_create(&threads[i], NULL, work, &members[i]))
			conform_fatal("threads");
	}
	for (unsigned i = 0; i < n; i++) {
		pthread_join(threads[i], NULL);
		if (!members[i].ok)
			memcpy(conform_error, members[i].why, sizeof conform_error);
		ok &= members[i].ok;
	}
	return ok;
}

/*
 * Each writes records of its own and one that all share, and reads and scans in between.
 */
static void *work_in_session(void *argument)
{
	struct test_thread *c = argument;
	struct session *s = conform_attach(c->pair, c->why);
	char k[KEY + 1], v[VALUE];
	struct slice key, value, got;

	c->ok = s != NULL;
	for (uint64_t i = 0; c->ok && i < 100; i++) {
		uint64_t own = 1 + i * SESSIONS + c->number;
		enum status status;

		c->ok &= conform_put(s, conform_key(k, own), conform_value(v, own, 0)) ==
			 DONE;
		c->ok &=
			conform_put(s, conform_key(k, 0), conform_value(v, 0, i)) == DONE;
		while ((status = engine.get(s, conform_key(k, own), &got)) == CONFLICT)
			;
		c->ok = c->ok && status == DONE &&
			conform_is_same(got, conform_value(v, own, 0));
		while ((status = i % 2 ? engine.seek(s, conform_slice(NULL, 0), &key,
						     &value)
				       : engine.last(s, &key, &value)) == CONFLICT)
			;
		for (int n = 0; n < 10 && status == DONE; n++)
			status = (i % 2 ? engine.next : engine.prev)(s, &key, &value);
		c->ok &= status == DONE || status == NOT_FOUND || status == CONFLICT;
		if (engine.release)
			engine.release(s);
	}
	if (s)
		conform_detach(s);
	return NULL;
}

static void test_sessions(void)
{
	struct test_database p = conform_open("sessions", true, VALUE);
	bool ok = run_sessions(&p, SESSIONS, work_in_session);
	char k[KEY + 1], v[VALUE];

	for (uint64_t id = 1; id <= 100 * SESSIONS; id++)
		ok = ok && conform_holds(p.session, conform_key(k, id),
					 conform_value(v, id, 0));
	conform_report(
		ok,
		"16 sessions at once write, read and scan, and all they wrote is there");
	conform_close(p);
}

/* Read, add one, write, in one transaction, until it is not lost to another. */
static bool increment(struct session *s, struct slice key)
{
	for (;;) {
		char value[VALUE];
		uint64_t count;
		struct slice got;
		enum status status = engine.begin(s);

		if (status == DONE)
			status = engine.get(s, key, &got);
		if (status == DONE) {
			memcpy(&count, got.data, sizeof count);
			status = engine.put(s, key, conform_value(value, count + 1, 0));
		}
		if (status == DONE)
			status = engine.commit(s);
		if (status != CONFLICT)
			return status == DONE;
	}
}

enum { COUNTER_COUNT = 3, INCREMENTS = 300, COUNTING = 4 };

static void *count_up(void *argument)
{
	struct test_thread *c = argument;
	struct session *s = conform_attach(c->pair, c->why);
	char key[KEY + 1];

	c->ok = s != NULL;
	for (uint64_t i = 0; c->ok && i < INCREMENTS; i++)
		c->ok = increment(s, conform_key(key, (i + c->number) % COUNTER_COUNT));
	if (s)
		conform_detach(s);
	return NULL;
}

/* A transaction reads the last of its own writes. */
static bool reads_own_writes(struct session *s)
{
	char key[KEY + 1], first[VALUE], second[VALUE];
	struct slice k = conform_key(key, 99), v = conform_value(first, 99, 1),
		     w = conform_value(second, 99, 2), none = {NULL, 0};
	bool ok = engine.begin(s) == DONE && engine.put(s, k, v) == DONE &&
		  conform_holds(s, k, v) && engine.put(s, k, w) == DONE &&
		  conform_holds(s, k, w) && engine.del(s, k) == DONE &&
		  conform_holds(s, k, none) && engine.put(s, k, w) == DONE;

	return engine.commit(s) == DONE && ok && conform_holds(s, k, w);
}

static void test_transactions(void)
{
	struct test_database p;
	uint64_t sum = 0;
	bool ok = true;

	if (!any_traits().transactions) {
		conform_skip("transactions that read",
			     "none, the harness does single calls");
		return;
	}
	p = conform_open("transactions", true, VALUE);
	conform_report(reads_own_writes(p.session),
		       "a transaction reads the last of its own writes");
	for (uint64_t i = 0; i < COUNTER_COUNT; i++) {
		char key[KEY + 1], value[VALUE];

		ok &= conform_put(p.session, conform_key(key, i),
				  conform_value(value, 0, 0)) == DONE;
	}
	ok &= run_sessions(&p, COUNTING, count_up);
	for (uint64_t i = 0; i < COUNTER_COUNT; i++) {
		char key[KEY + 1];
		uint64_t count;
		struct slice got;

		ok = ok && engine.get(p.session, conform_key(key, i), &got) == DONE;
		memcpy(&count, ok ? got.data : &sum, sizeof count);
		sum += count;
	}
	conform_report(ok && sum == COUNTING * INCREMENTS,
		       "of read-modify-writes by four threads none is lost");
	conform_close(p);
}

/* ---- memory ---- */

enum { LONG_VALUE = 1000, LONG_RECORDS = 16384 }; /* 16 MB */

/* Values that can be compressed, for who keeps only what was. */
static struct slice long_value(char *to, uint64_t id)
{
	memset(to, (int)('a' + id % 26), LONG_VALUE);
	memcpy(to, &id, sizeof id);
	return conform_slice(to, LONG_VALUE);
}

static size_t long_record_of(const struct oracle *o, uint64_t id, char *key, char *value)
{
	char text[KEY + 1];

	(void)o;
	memcpy(key, conform_key(text, id).data, KEY);
	return long_value(value, id).size;
}

static struct oracle long_oracle = {.records = LONG_RECORDS,
				    .index = conform_index,
				    .record = long_record_of};

static struct settings long_settings(const char *name, bool create,
				     enum compression compression, uint64_t cache)
{
	struct settings s = conform_settings(conform_path(name), create, LONG_VALUE);

	s.num = long_oracle.records;
	s.cache_bytes = cache;
	s.write_buffer_bytes = 1 << 20;
	s.compression = compression;
	s.durability = DURABILITY_ASYNC;
	s.oracle = &long_oracle;
	s.sessions = 2;
	return s;
}

static void load_long(const char *name, enum compression compression)
{
	struct settings s = long_settings(name, true, compression, 64 << 20);
	struct test_database p;
	char key[KEY + 1], value[LONG_VALUE];
	uint64_t busy_until;
	bool ok = true;

	s.durability = DURABILITY_NONE;
	p = conform_open_with(s);
	for (uint64_t i = 0; i < long_oracle.records; i++)
		ok &= conform_put(p.session, conform_key(key, i), long_value(value, i)) ==
		      DONE;
	ok &= driver_util_settle(&engine, p.db, &busy_until, conform_error) == DONE;
	if (!conform_close(p) || !ok)
		conform_fatal("loads 16 MiB or more");
}

static bool get_all(struct session *s)
{
	char key[KEY + 1], value[LONG_VALUE];
	uint64_t n = long_oracle.records;
	bool ok = true;

	for (uint64_t i = 0; i < 2 * n; i++)
		ok &= conform_holds(s, conform_key(key, i * 1237 % n),
				    long_value(value, i * 1237 % n));
	return ok;
}

/* Of this process, by the kernel: memory that is no file's; 0 where it does not tell. */
static uint64_t anonymous_kb(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[256];
	uint64_t kb = 0;

	while (f && fgets(line, sizeof line, f))
		if (sscanf(line, "RssAnon: %" SCNu64, &kb) == 1)
			break;
	if (f)
		fclose(f);
	return kb;
}

/* Bytes of files below `path` that are mapped to be read. */
static uint64_t mapped_bytes(const char *path)
{
	FILE *f = fopen("/proc/self/maps", "r");
	char line[PATH_SIZE + 128], may;
	uint64_t from, to, sum = 0;

	while (f && fgets(line, sizeof line, f))
		if (strstr(line, path) &&
		    sscanf(line, "%" SCNx64 "-%" SCNx64 " %c", &from, &to, &may) == 3 &&
		    may == 'r')
			sum += to - from;
	if (f)
		fclose(f);
	return sum;
}

/*
 * What a process that has read all holds, and says of its settings, with so much cache.
 */
struct memory_held {
	uint64_t kb;
	bool mapped;
	char options[2048];
};

static struct memory_held measure_memory(const char *name, enum compression compression,
					 uint64_t cache)
{
	struct memory_held held = {0};
	int ends[2], how;
	pid_t pid;

	fflush(stdout);
	if (pipe(ends) || (pid = fork()) < 0)
		conform_fatal("a child process");
	if (!pid) {
		struct test_database p =
			conform_open_with(long_settings(name, false, compression, cache));

		if (!get_all(p.session))
			_exit(1);
		held.kb = anonymous_kb();
		held.mapped = p.settings_copy->traits.reads_mapped;
		driver_util_describe(&engine, p.db, held.options, sizeof held.options);
		_exit(write(ends[1], &held, sizeof held) != sizeof held ||
		      !conform_close(p));
	}
	close(ends[1]);
	if (read(ends[0], &held, sizeof held) != sizeof held ||
	    waitpid(pid, &how, 0) != pid || how)
		conform_fatal("reads all with another cache");
	close(ends[0]);
	return held;
}

struct cached {
	const char *name;
	enum compression compression;
};

static void load_cached(void *argument)
{
	const struct cached *c = argument;

	load_long(c->name, c->compression);
}

/*
 * What is in the page cache by a map need not be held once more: then it is enough that
 * the engine reports it.
 */
static bool respects_cache_size(const char *name, enum compression compression)
{
	enum { SMALL = 4 << 20, BIG = 256 << 20, LEAST_KB = 4096 };
	struct memory_held small, big;

	/* What this process has allocated, and freed, its children would have too. */
	conform_in_child(load_cached, &(struct cached){name, compression});
	small = measure_memory(name, compression, SMALL);
	big = measure_memory(name, compression, BIG);
	printf("# with 4 and 256 MiB of cache it holds %" PRIu64 " and %" PRIu64
	       " KiB; what it reports of it is %s\n",
	       small.kb, big.kb,
	       strcmp(small.options, big.options) ? "another" : "the same");
	return big.kb > small.kb + LEAST_KB ||
	       (small.mapped && strcmp(small.options, big.options));
}

/* Sanitizers keep what is freed, and that hides what the engine holds. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
static const bool sanitized = true;
#else
static const bool sanitized;
#endif

/* sled evicts nothing before it has read some 16,000 pages. */
static bool respects_cache_size_of_much(void)
{
	bool respects;

	long_oracle.records = 6 * LONG_RECORDS;
	respects = respects_cache_size("cache-of-much", COMPRESSION_NONE);
	long_oracle.records = LONG_RECORDS;
	return respects;
}

static void test_cache(void)
{
	if (sanitized) {
		conform_skip("cache_size", "not with sanitizers");
		return;
	}
	if (!engine.cache || !*engine.cache) {
		conform_skip("cache_size", "the engine has no cache of its own");
		return;
	}
	conform_report(
		respects_cache_size("cache", COMPRESSION_NONE) ||
			(engine.compressions & 1 << COMPRESSION_SNAPPY &&
			 respects_cache_size("cache-snappy", COMPRESSION_SNAPPY)) ||
			respects_cache_size_of_much(),
		"cache_size changes what the engine holds, or what it reports where it "
		"reads through a map");
}

static void test_maps(void)
{
	enum { LEAST = 1 << 20 };
	const char *path;
	struct test_database p;
	bool ok;

	load_long("maps", COMPRESSION_NONE);
	p = conform_open_with(long_settings("maps", false, COMPRESSION_NONE, 64 << 20));
	ok = get_all(p.session);
	path = p.settings_copy->path;
	if (!anonymous_kb())
		conform_skip("maps", "this kernel does not tell what is mapped");
	else
		conform_report(ok && (mapped_bytes(path) >= LEAST) ==
					       p.settings_copy->traits.reads_mapped,
			       p.settings_copy->traits.reads_mapped
				       ? "records are read through a map, as is said"
				       : "no file of records is mapped, as is said");
	conform_close(p);
}

enum { MOST_EVENTS = 256 };

struct noted_events {
	struct event all[MOST_EVENTS];
	unsigned count, flushes, checkpoints;
	uint64_t from_ns[2]; /* of the monotonic clock, of the real time */
	bool wrong;
};

static uint64_t system_clock_ns(bool realtime)
{
	struct timespec t;

	clock_gettime(realtime ? CLOCK_REALTIME : CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Its times are within those of the test, and it has not been noted before. */
static void note_event(void *to, const struct event *event)
{
	struct noted_events *n = to;

	n->wrong |= event->begin_ns < n->from_ns[event->realtime] ||
		    event->end_ns < event->begin_ns ||
		    event->end_ns > system_clock_ns(event->realtime);
	for (unsigned i = 0; i < n->count && i < MOST_EVENTS; i++)
		n->wrong |= n->all[i].kind == event->kind &&
			    n->all[i].begin_ns == event->begin_ns &&
			    n->all[i].end_ns == event->end_ns;
	if (n->count < MOST_EVENTS)
		n->all[n->count] = *event;
	n->count++;
	n->flushes += event->kind == EVENT_FLUSH;
	n->checkpoints += event->kind == EVENT_CHECKPOINT;
}

/*
 * 16 MB by a write buffer of 1 MiB. A log of local time must be read as such, so here it
 * is not UTC.
 */
static void test_events(void)
{
	static struct noted_events noted;
	char key[KEY + 1], value[LONG_VALUE];
	uint64_t busy_until;
	struct test_database p;
	bool ok = true;

	if (!engine.events) {
		conform_skip("events", "none, or the engine notes no times of them");
		return;
	}
	/* engines note the time in microseconds, or coarser */
	for (int realtime = 0; realtime < 2; realtime++)
		noted.from_ns[realtime] = system_clock_ns(realtime) - 1000000;
	setenv("TZ", "TEST+5:30", 1);
	tzset();
	p = conform_open_with(long_settings("events", true, COMPRESSION_NONE, 64 << 20));
	for (uint64_t i = 0; i < LONG_RECORDS; i++)
		ok &= conform_put(p.session, conform_key(key, i * 7919 % LONG_RECORDS),
				  long_value(value, i)) == DONE;
	ok &= driver_util_settle(&engine, p.db, &busy_until, conform_error) == DONE &&
	      engine.events(p.db, note_event, &noted, conform_error) == DONE;
	printf("# %u events, %u of them flushes of a memtable\n", noted.count,
	       noted.flushes);
	conform_report(ok && !noted.wrong && noted.count &&
			       (!engine.write_buffer || noted.flushes > 1 ||
				noted.checkpoints),
		       "background events have times within the run");
	conform_report(engine.events(p.db, note_event, &noted, conform_error) == DONE &&
			       !noted.wrong,
		       "and none is passed on twice");
	conform_close(p);
}

static void test_snapshots(void)
{
	char key[KEY + 1], old[VALUE], new[VALUE];
	struct settings s = conform_settings(conform_path("snapshots"), true, VALUE);
	struct slice k = conform_key(key, 5), v = conform_value(old, 5, 1),
		     w = conform_value(new, 5, 2), found, value;
	struct session *other;
	struct test_database p;
	bool ok;

	if (!engine.snapshot) {
		conform_skip("snapshots", "none, each read sees the latest");
		return;
	}
	p = conform_open_with(s);
	other = conform_attach(&p, conform_error);
	ok = other && conform_put(other, k, v) == DONE;
	engine.release(other);
	ok = ok && engine.snapshot(p.session) == DONE && conform_holds(p.session, k, v) &&
	     conform_put(other, k, w) == DONE && conform_holds(other, k, w) &&
	     conform_holds(p.session, k, v);
	ok = ok && engine.seek(p.session, k, &found, &value) == DONE &&
	     conform_is_same(value, v);
	conform_report(
		ok, "a snapshot that is held sees what was there when it began, by get "
		    "and by seek");
	engine.release(p.session);
	conform_report(conform_holds(p.session, k, w),
		       "after release the next one sees the latest");
	engine.release(p.session);
	conform_report(conform_put(p.session, k, v) == DONE &&
			       conform_holds(p.session, k, v),
		       "and the session may write");
	if (other)
		conform_detach(other);
	conform_close(p);
}

static void test_compact(void)
{
	struct test_database p = conform_open("compact", true, VALUE);
	char key[KEY + 1];
	bool ok = put_records(p.session, 0, 1, RECORDS);

	if (!engine.compact) {
		conform_skip("compaction", "none");
		conform_close(p);
		return;
	}
	for (uint64_t i = 0; i < RECORDS; i += 2)
		ok &= engine.del(p.session, conform_key(key, i)) == DONE;
	conform_detach(p.session);
	ok &= engine.compact(p.db, conform_error) == DONE &&
	      engine.compact(p.db, conform_error) == DONE;
	p.session = conform_attach(&p, conform_error);
	ok = ok && p.session &&
	     check_walk(p.session, conform_slice(NULL, 0), FORWARD, 1, 2, RECORDS + 1);
	conform_report(
		ok, "after compactions what was deleted is gone and the rest is there");
	conform_report(put_records(p.session, 0, 2, 10) &&
			       check_walk(p.session, conform_key(key, 21), FORWARD, 21, 2,
					  RECORDS + 1) &&
			       conform_close(p),
		       "and it can be written and closed");
}

static void make_for_processes(void *argument)
{
	struct test_database p = conform_open("processes", true, VALUE);

	(void)argument;
	if (!put_records(p.session, 0, 1, 1) || !conform_close(p))
		conform_fatal("a database for two processes");
}

/*
 * Another process opens the same database. It is made before, so that nothing which the
 * engine knows of its own process is the reason, and before this process has opened any.
 * One that waits for ever is ended by its alarm, which GNU parallel, say, leaves ignored.
 */
static void test_processes(void)
{
	char key[KEY + 1], value[VALUE], begin;
	int ends[2], how;
	struct test_database p;
	pid_t pid;

	conform_in_child(make_for_processes, NULL);
	if (pipe(ends) || (pid = fork()) < 0)
		conform_fatal("a child process");
	if (!pid) {
		if (read(ends[0], &begin, 1) != 1)
			_exit(1);
		signal(SIGALRM, SIG_DFL);
		alarm(engine.exclusive ? 2 : 30);
		p = conform_try_open(
			conform_settings(conform_path("processes"), false, VALUE));
		_exit(!p.db || !p.session ||
		      !conform_holds(p.session, conform_key(key, 0),
				     conform_value(value, 0, 0)) ||
		      !conform_close(p));
	}
	close(ends[0]);
	p = conform_open("processes", false, VALUE);
	if (write(ends[1], "", 1) != 1 || waitpid(pid, &how, 0) != pid)
		conform_fatal("tells its child to begin");
	close(ends[1]);
	conform_report(engine.stores_nothing || engine.exclusive == (how != 0),
		       engine.exclusive ? "another process cannot open the same database"
					: "another process reads the same database");
	conform_report(conform_close(p), "and this one closes it");
}

static int drop_message(void *handler, void *session, int error, const char *message)
{
	(void)handler, (void)session, (void)error, (void)message;
	return 0;
}

/*
 * When a process first opens WiredTiger, its library counts to 300 million to compare two
 * clocks. Children inherit the result from an open that fails before any thread starts,
 * and tests open databases in dozens of children.
 */
static void compare_clocks_once(void)
{
	static struct {
		int (*error)(void *, void *, int, const char *);
		void *others[7];
	} handler = {.error = drop_message};
	int (*open)(const char *, void *, const char *, void **);
	void *connection;

	*(void **)&open = dlsym(dlopen(NULL, RTLD_LAZY), "wiredtiger_open");
	if (open)
		open(NULL, &handler, "no_such_setting", &connection);
}

int main(int argc, char **argv)
{
	static void (*const contract[])(void) = {
		test_facts,       test_cache,
		test_processes,   test_single,
		test_slices,      test_sizes,
		test_binary_keys, test_many,
		test_scans,       test_scans_during_deletes,
		test_multiget,    test_batches,
		test_bulk,        test_append,
		test_reopen,      test_durabilities,
		test_sessions,    test_transactions,
		test_maps,        test_snapshots,
		test_compact,     test_events,
	};
	static struct power_cut cut;
	static const char *counts;
	static uint64_t rounds, commits, from;
	static bool kills, facts, extents, iterators, help;
	static const struct option own[] = {
		{"db", "", "Directory to make the databases in; it is empty.",
		 .text = &conform_top_directory},
		{"kill", "0", "Test kill -9 instead of the contract.", .flag = &kills},
		{"rounds", "4", "Kills at each durability.", .count = &rounds, .min = 1,
		 .max = 100000},
		{"facts", "0",
		 "Print what the engine has natively and is said to do, and exit.",
		 .flag = &facts},
		{"cut", "", "Commit until the power is cut by a write to this file.",
		 .text = &cut.switch_file},
		{"recount", "", "Count what is left of so many commits of each thread.",
		 .text = &counts},
		{"durability", "sync", "Of --cut and --recount.",
		 .choice = &cut.durability, .choices = conform_durabilities},
		{"threads", "1", "Threads that commit until the cut.",
		 .count = &cut.threads, .min = 1, .max = SESSIONS},
		{"seconds", "0.5", "In which the power is cut.", .real = &cut.seconds,
		 .real_min = 0.001, .real_max = 60},
		{"write_back", "0.05",
		 "Seconds after which the kernel writes back what is not synced, sync "
		 "aside.",
		 .real = &cut.write_back, .real_min = 0.001, .real_max = 60},
		{"seed", "1", "Of the moment of the cut.", .count = &cut.seed},
		{"commits", "0", "Commit so many times, until one fails, and print it.",
		 .count = &commits},
		{"from", "0", "The first of --commits; 0: in a new database.",
		 .count = &from},
		{"extents", "0", "Print where the database's files are on the device.",
		 .flag = &extents},
		{"iterators", "0",
		 "Print what an open iterator sees of deletes, and what it costs.",
		 .flag = &iterators},
		{"help", "0", "Print this and exit.", .flag = &help},
		{0},
	};
	const struct option *tables[] = {own, engine.options, NULL};

	for (int i = 0; tables[i]; i++)
		if (!option_set_defaults(tables[i], conform_error))
			conform_fatal("options have defaults");
	if (!option_parse(tables, argc, argv, conform_error) ||
	    (!*conform_top_directory && !help && !facts)) {
		fprintf(stderr,
			"conform_%s: %s; usage: conform_%s [--kill] --db=DIRECTORY\n",
			engine.name, *conform_error ? conform_error : "no directory",
			engine.name);
		return 2;
	}
	if (help) {
		printf("usage: conform_%s --db=DIRECTORY [--option=value ...]\n\n"
		       "Holds the driver of %s against engines/engine.h; prints TAP.\n\n",
		       engine.name, engine.title);
		for (int i = 0; tables[i]; i++)
			option_print_help(tables[i], stdout);
		return 0;
	}
	if (facts) {
		print_facts();
		return 0;
	}
	if (*cut.switch_file)
		return crash_cut_power(&cut);
	if (*counts)
		return crash_recount(counts, cut.durability);
	if (commits)
		return crash_commit(from, commits, cut.durability);
	if (extents)
		return crash_print_extents();
	if (iterators)
		return iterators_print();
	compare_clocks_once();
	for (size_t i = 0; !kills && i < sizeof contract / sizeof *contract; i++)
		contract[i]();
	for (int d = DURABILITY_NONE; kills && d <= DURABILITY_SYNC; d++)
		if (supports_durability(d))
			crash_test_kill((enum durability)d, (unsigned)rounds);
	printf("1..%d\n", tests);
	return failures > 0;
}
