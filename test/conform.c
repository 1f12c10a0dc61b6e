/*
 * conform.c: what engine.h promises, held against one driver; linked with it and with no harness.
 *
 * usage: conform_NAME --db=DIRECTORY            the contract, as TAP
 *        conform_NAME --db=DIRECTORY --kill     what survives kill -9 at each durability
 *        conform_NAME --db=DIRECTORY --cut=FILE --durability=WORD [--threads=N] [--seconds=X] [--seed=N]
 *                                               commit until FILE, a disk's power switch, is written to; how many
 *                                               commits each thread had acknowledged before, on stdout
 *        conform_NAME --db=DIRECTORY --recount=N,N --durability=WORD
 *                                               what is left of them, as JSON; scripts/powerloss.sh uses both
 * The engine's own options go with any. DIRECTORY is empty and is filled with databases. A
 * driver joins by its row in the Makefile.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../util/random.h"
#include "../engines/drive.h"

enum { KEY = 16, VALUE = 100, RECORDS = 1000, SESSIONS = 16, LARGE = 4 << 20, FORTH = 100 << 10, PATH_SIZE = 4096 };

static const char *top;
static char why[WHY_SIZE];
static int tests, failures, skips;

/* ---- telling ------------------------------------------------------------------------------- */

static void result(bool ok, const char *what)
{
	tests++;
	failures += !ok;
	printf("%sok %d - %s: %s\n", ok ? "" : "not ", tests, engine.name, what);
	if (!ok && *why)
		printf("# the engine's words: %s\n", why);
	fflush(stdout);
	*why = '\0';
}

static void skip(const char *what, const char *reason)
{
	tests++;
	skips++;
	printf("ok %d - %s: %s # skip %s\n", tests, engine.name, what, reason);
}

static _Noreturn void give_up(const char *what)
{
	result(false, what);
	printf("Bail out! %s\n", what);
	exit(1);
}

/* ---- records and databases ----------------------------------------------------------------- */

static struct slice slice(const void *data, size_t size)
{
	return (struct slice){data, size};
}

/* A record's key in a buffer of KEY + 1 bytes. */
static struct slice key_of(char *to, uint64_t id)
{
	snprintf(to, KEY + 1, "%016" PRIu64, id % 10000000000000000u);
	return slice(to, KEY);
}

static struct slice value_of(char *to, uint64_t id, uint64_t generation)
{
	memset(to, (int)('a' + id % 26), VALUE);
	memcpy(to, &id, 8);
	memcpy(to + 8, &generation, 8);
	return slice(to, VALUE);
}

static uint64_t index_of(const struct oracle *o, struct slice key)
{
	uint64_t id = 0;

	if (key.size != KEY)
		return UINT64_MAX;
	for (size_t i = 0; i < KEY; i++)
		id = id * 10 + (uint64_t)(((const char *)key.data)[i] - '0');
	return id < o->records ? id : UINT64_MAX;
}

static size_t record_of(const struct oracle *o, uint64_t id, char *key, char *value)
{
	char text[KEY + 1];

	(void)o;
	key_of(text, id);
	memcpy(key, text, KEY);
	return value_of(value, id, 0).size;
}

static const struct oracle oracle = {4 * RECORDS, index_of, record_of};

static struct settings settings_for(const char *path, bool create, size_t value_size)
{
	return (struct settings){
		/* Some make room for all of them at once. */
		.num = value_size > VALUE ? 16 : 4 * RECORDS,
		.path = path, .create = create, .durability = DURABILITY_ASYNC, .key_size = KEY,
		.value_size = value_size, .cache_bytes = 256 << 20, .write_buffer_bytes = 64 << 20,
		.sessions = SESSIONS + 1, .multiget = 100, .verify = true, .oracle = &oracle,
	};
}

static const char *path_of(const char *name)
{
	static char path[PATH_SIZE];

	snprintf(path, sizeof path, "%s/%s", top, name);
	mkdir(path, 0777);
	return path;
}

/* An open database with a session; its settings stay valid as long, as the contract says. */
struct pair {
	struct db *db;
	struct session *session;
	struct {
		struct settings settings;
		char path[PATH_SIZE];
	} *kept;
};

/* Without db or session if the engine fails. */
static struct pair try_open(struct settings s)
{
	struct pair p = {.kept = malloc(sizeof *p.kept)};

	if (!p.kept)
		give_up("memory");
	if (engine.tune && engine.tune(&s))
		give_up("the driver refuses plain settings");
	snprintf(p.kept->path, sizeof p.kept->path, "%s", s.path);
	s.path = p.kept->path;
	p.kept->settings = s;
	drive_open(&engine, &p.kept->settings, &p.db, why);
	p.session = p.db ? drive_attach(&engine, &p.kept->settings, p.db, why) : NULL;
	return p;
}

static struct session *attach(const struct pair *p, char *words)
{
	return drive_attach(&engine, &p->kept->settings, p->db, words);
}

static void detach(struct session *s)
{
	drive_detach(&engine, s);
}

static struct pair open_with(struct settings s)
{
	struct pair p = try_open(s);

	if (!p.db)
		give_up("opens a database");
	if (!p.session)
		give_up("attaches a session");
	return p;
}

static struct pair open_at(const char *name, bool create, size_t value_size)
{
	return open_with(settings_for(path_of(name), create, value_size));
}

static bool shut(struct pair p)
{
	bool closed;

	detach(p.session);
	closed = drive_close(&engine, p.db, why) == DONE;
	free(p.kept);
	return closed;
}

static bool same(struct slice a, struct slice b)
{
	return a.size == b.size && a.data && !memcmp(a.data, b.data, b.size);
}

static enum status put(struct session *s, struct slice key, struct slice value)
{
	enum status status;

	do
		status = engine.put(s, key, value);
	while (status == CONFLICT);
	return status;
}

/* Does the key hold this value? data NULL: does it hold none? */
static bool holds(struct session *s, struct slice key, struct slice value)
{
	struct slice got = {NULL, 0};
	enum status status = engine.get(s, key, &got);

	return value.data ? status == DONE && same(got, value) : status == NOT_FOUND;
}

/* Put records first, first + step, ...; each in a transaction of its own. */
static bool put_records(struct session *s, uint64_t first, uint64_t step, uint64_t n)
{
	char key[KEY + 1], value[VALUE];
	bool ok = true;

	for (uint64_t i = 0; i < n; i++)
		ok &= put(s, key_of(key, first + i * step), value_of(value, first + i * step, 0)) == DONE;
	return ok;
}

/* ---- the contract -------------------------------------------------------------------------- */

static void test_single(void)
{
	struct pair p = open_at("single", true, VALUE);
	struct session *s = p.session;
	char key[KEY + 1], value[VALUE], other[VALUE];
	struct slice k = key_of(key, 7), v = value_of(value, 7, 1), w = value_of(other, 7, 2), none = {NULL, 0};
	enum status status;

	result(holds(s, k, none), "a key that was never put is not found");
	result(put(s, k, v) == DONE && holds(s, k, v), "put, then get");
	result(put(s, k, w) == DONE && holds(s, k, w), "a second put replaces the first");
	result(engine.del(s, k) == DONE && holds(s, k, none), "a deleted record is not found");
	status = engine.del(s, k);
	result(status == NOT_FOUND || status == DONE, "deleting what is not there is no failure");
	result(holds(s, slice(key, KEY - 1), none), "a prefix of a key is another key");
	result(shut(p), "closes");
}

static void test_slices(void)
{
	struct pair p = open_at("slices", true, VALUE);
	char first[KEY + 1], second[KEY + 1], value[VALUE];
	struct slice got = {NULL, 0}, v;
	bool ok = put_records(p.session, 0, 1, 10);

	v = value_of(value, 3, 0);
	ok &= engine.get(p.session, key_of(first, 3), &got) == DONE;
	memset(first, 'x', KEY); /* the key was the caller's and is gone */
	result(ok && same(got, v), "a value stays until the session's next call, whatever becomes of the key");
	if (engine.release)
		engine.release(p.session);
	result(holds(p.session, key_of(second, 3), v), "after release the session reads on");
	shut(p);
}

static void test_sizes(void)
{
	static const size_t sizes[] = {0, 1, VALUE, 4000, 4096, FORTH, LARGE};
	static const char *const names[] = {"an empty value", "a value of 1 byte", "a value of 100 bytes",
					    "a value of 4000 bytes", "a value of 4096 bytes", "a value of 100 KiB",
					    "a value of 4 MiB"};
	char *big = malloc(LARGE), key[KEY + 1];
	struct pair p;

	if (!big)
		give_up("memory");
	for (size_t i = 0; i < LARGE; i++)
		big[i] = (char)(i * 2654435761u >> 13);
	p = open_at("sizes", true, LARGE);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct slice v = slice(big, sizes[i]);

		if (engine.fixed_size && sizes[i] != LARGE)
			skip(names[i], "all values are of one size");
		else if (engine.value_limit && sizes[i] > engine.value_limit)
			skip(names[i], "beyond the engine's limit");
		else
			result(put(p.session, key_of(key, i), v) == DONE && holds(p.session, slice(key, KEY), v), names[i]);
	}
	if (!engine.fixed_size)
		result(put(p.session, key_of(key, 1), slice(big, 7)) == DONE &&
			       holds(p.session, slice(key, KEY), slice(big, 7)) &&
			       put(p.session, slice(key, KEY), slice(big, FORTH)) == DONE &&
			       holds(p.session, slice(key, KEY), slice(big, FORTH)),
		       "a value shrinks and grows");
	shut(p);
	free(big);
}

static void test_binary_keys(void)
{
	static const unsigned char keys[][3] = {{0, 0, 0}, {0, 0, 1}, {0, 255, 0}, {'a', 0, 'b'}, {128, 0, 0},
						{255, 255, 255}};
	enum { KEYS = sizeof keys / sizeof *keys };
	struct slice key, value, from = {NULL, 0};
	struct pair p;
	bool ok = true;

	if (engine.fixed_size) {
		skip("binary keys", "a key is a number");
		return;
	}
	p = open_at("binary", true, VALUE);
	for (size_t i = KEYS; i-- > 0;)
		ok &= put(p.session, slice(keys[i], 3), slice(&keys[i], 3)) == DONE;
	for (size_t i = 0; i < KEYS; i++) {
		ok &= (i ? engine.next(p.session, &key, &value)
			 : engine.seek(p.session, from, &key, &value)) == DONE;
		ok = ok && same(key, slice(keys[i], 3)) && same(value, slice(keys[i], 3));
	}
	result(ok, "binary keys, in the order of their unsigned bytes");
	shut(p);
}

/* Walk from `from`, expecting records first, first + step, ... until `end` is reached. */
static bool walks(struct session *s, struct slice from, enum order order, int64_t first, int64_t step, int64_t end)
{
	struct slice key, value;
	char expected_key[KEY + 1], expected[VALUE];
	enum status status = drive_seek(&engine, s, from, order, &key, &value);

	for (int64_t id = first; id != end; id += step) {
		if (status != DONE || !same(key, key_of(expected_key, (uint64_t)id)) ||
		    !same(value, value_of(expected, (uint64_t)id, 0)))
			return false;
		status = (order == FORWARD ? engine.next : engine.prev)(s, &key, &value);
	}
	return status == NOT_FOUND;
}

static void test_scans(void)
{
	struct pair p = open_at("scans", true, VALUE);
	struct session *s = p.session;
	struct slice none = {NULL, 0}, key, value;
	char k[KEY + 1];
	int64_t last = 2 * RECORDS - 2;

	result(engine.seek(s, none, &key, &value) == NOT_FOUND && engine.last(s, &key, &value) == NOT_FOUND,
	       "an empty database has no first record, nor a last");
	/* Even records only, in an order of no kind. */
	put_records(s, 0, 4, RECORDS / 2);
	put_records(s, 2, 4, RECORDS / 2);
	result(walks(s, none, FORWARD, 0, 2, last + 2), "all records forwards");
	result(walks(s, none, REVERSE, last, -2, -2), "all records backwards");
	result(walks(s, key_of(k, 1000), FORWARD, 1000, 2, last + 2), "forwards from a key");
	result(walks(s, key_of(k, 1000), REVERSE, 1000, -2, -2), "backwards from a key");
	result(walks(s, key_of(k, 1001), FORWARD, 1002, 2, last + 2), "forwards from between two keys");
	result(walks(s, key_of(k, 1001), REVERSE, 1000, -2, -2), "backwards from between two keys");
	result(walks(s, key_of(k, (uint64_t)last + 1), REVERSE, last, -2, -2), "backwards from above all keys");
	result(engine.seek(s, key_of(k, (uint64_t)last + 1), &key, &value) == NOT_FOUND,
	       "forwards from above all keys there is nothing");
	shut(p);
}

static void test_multiget(void)
{
	enum { N = 100 };
	struct pair p = open_at("multiget", true, VALUE);
	char keys[N][KEY + 1], value[VALUE];
	struct slice asked[N], got[N];
	bool ok = put_records(p.session, 0, 2, N);

	for (unsigned i = 0; i < N; i++)
		asked[i] = key_of(keys[i], (i * 37) % N);
	for (int again = 0; again < 2 && engine.multiget; again++) {
		ok &= engine.multiget(p.session, asked, got, N) == DONE;
		for (unsigned i = 0; i < N; i++) {
			uint64_t id = (i * 37) % N;

			ok = ok && (id % 2 ? !got[i].data : same(got[i], value_of(value, id, 0)));
		}
	}
	if (engine.multiget)
		result(ok, "a multi-get finds what is there, and all values stay until the next call");
	else
		skip("multi-get", "none, the harness makes it of gets");
	shut(p);
}

static void test_batches(void)
{
	struct pair p = open_at("batches", true, VALUE);
	char key[KEY + 1], value[VALUE];
	struct slice none = {NULL, 0};
	struct session *other = attach(&p, why);
	bool ok = engine.begin(p.session) == DONE;

	ok &= put_records(p.session, 0, 1, 500) && engine.commit(p.session) == DONE;
	result(ok && holds(p.session, key_of(key, 499), value_of(value, 499, 0)) &&
		       holds(other, key_of(key, 250), value_of(value, 250, 0)),
	       "a batch is there after its commit, for all sessions");
	ok = engine.begin(p.session) == DONE && put_records(p.session, 1000, 1, 500);
	detach(p.session);
	p.session = attach(&p, why);
	if (engine.torn_batches & TORN_ABANDONED)
		skip("a batch that was abandoned", "batches only group writes");
	else
		result(ok && p.session && holds(p.session, key_of(key, 1000), none) &&
			       holds(p.session, key_of(key, 1499), none),
		       "of a batch that was abandoned nothing is there");
	detach(other);
	shut(p);
	p = open_at("batches", false, VALUE);
	result(holds(p.session, key_of(key, 499), value_of(value, 499, 0)) &&
		       ((engine.torn_batches & TORN_ABANDONED) || holds(p.session, key_of(key, 1000), none)),
	       "and so it is after opening again");
	shut(p);
}

static void test_bulk(void)
{
	struct pair p = open_at("bulk", true, VALUE);
	char key[KEY + 1], value[VALUE];
	bool ok = engine.bulk_begin && engine.bulk_begin(p.session) == DONE;

	for (uint64_t i = 0; ok && i < RECORDS; i++)
		ok = engine.bulk_put(p.session, key_of(key, i), value_of(value, i, 0)) == DONE;
	ok = ok && engine.bulk_end(p.session) == DONE;
	if (!engine.bulk_begin)
		skip("bulk load", "none, the harness makes it of batches");
	else
		result(ok && walks(p.session, slice(NULL, 0), FORWARD, 0, 1, RECORDS), "a bulk load is all there");
	shut(p);
}

static void test_append(void)
{
	struct pair p = open_at("append", true, VALUE);
	char key[KEY + 1], value[VALUE];
	bool ok = true;

	for (uint64_t i = 0; engine.append && i < RECORDS; i++)
		ok &= engine.append(p.session, key_of(key, i), value_of(value, i, 0)) == DONE;
	if (engine.append)
		result(ok && walks(p.session, slice(NULL, 0), FORWARD, 0, 1, RECORDS), "records that were appended are there");
	else
		skip("append", "none, the harness puts");
	shut(p);
}

static void test_reopen(void)
{
	static const char *const words[] = {"none", "async", "sync"};
	char name[32], text[64], options[2048], k[KEY + 1], v[VALUE];

	for (int d = DURABILITY_NONE; d <= DURABILITY_SYNC; d++) {
		snprintf(name, sizeof name, "reopen-%s", words[d]);
		for (int round = 0; round < 2; round++) {
			struct settings s = settings_for(path_of(name), !round, VALUE);
			struct pair p;
			bool ok;

			s.durability = (enum durability)d;
			p = open_with(s);
			ok = round ? walks(p.session, slice(NULL, 0), FORWARD, 0, 1, RECORDS)
				   : put_records(p.session, 0, 1, RECORDS);
			options[0] = '\0';
			if (engine.describe)
				engine.describe(p.db, options, sizeof options);
			ok &= drive_settle(&engine, p.db, why) == DONE;
			ok &= holds(p.session, key_of(k, 5), value_of(v, 5, 0));
			ok &= shut(p);
			snprintf(text, sizeof text, "%s at %s", round ? "all is there after opening again" :
				 "loads, settles and closes", words[d]);
			result(ok && (!engine.describe || strchr(options, '=')) && (unsigned)engine.gives[d] >= (unsigned)d, text);
		}
	}
}

/* ---- many sessions ------------------------------------------------------------------------- */

struct crew {
	const struct pair *pair;
	unsigned number;
	bool ok;
	char why[WHY_SIZE];
};

/* Each writes records of its own and one that all share, and reads and scans in between. */
static void *crew_member(void *argument)
{
	struct crew *c = argument;
	struct session *s = attach(c->pair, c->why);
	char k[KEY + 1], v[VALUE];
	struct slice key, value, got;

	c->ok = s != NULL;
	for (uint64_t i = 0; c->ok && i < 100; i++) {
		uint64_t own = 1 + i * SESSIONS + c->number;
		enum status status;

		c->ok &= put(s, key_of(k, own), value_of(v, own, 0)) == DONE;
		c->ok &= put(s, key_of(k, 0), value_of(v, 0, i)) == DONE;
		while ((status = engine.get(s, key_of(k, own), &got)) == CONFLICT)
			;
		c->ok = c->ok && status == DONE && same(got, value_of(v, own, 0));
		while ((status = i % 2 ? engine.seek(s, slice(NULL, 0), &key, &value) : engine.last(s, &key, &value)) == CONFLICT)
			;
		for (int n = 0; n < 10 && status == DONE; n++)
			status = (i % 2 ? engine.next : engine.prev)(s, &key, &value);
		c->ok &= status == DONE || status == NOT_FOUND || status == CONFLICT;
		if (engine.release)
			engine.release(s);
	}
	if (s)
		detach(s);
	return NULL;
}

static void test_sessions(void)
{
	struct pair p = open_at("sessions", true, VALUE);
	struct crew crew[SESSIONS];
	pthread_t threads[SESSIONS];
	bool ok = true;
	char k[KEY + 1], v[VALUE];

	for (unsigned i = 0; i < SESSIONS; i++) {
		crew[i] = (struct crew){.pair = &p, .number = i};
		if (pthread_create(&threads[i], NULL, crew_member, &crew[i]))
			give_up("threads");
	}
	for (unsigned i = 0; i < SESSIONS; i++) {
		pthread_join(threads[i], NULL);
		if (!crew[i].ok)
			memcpy(why, crew[i].why, sizeof why);
		ok &= crew[i].ok;
	}
	for (uint64_t id = 1; id <= 100 * SESSIONS; id++)
		ok = ok && holds(p.session, key_of(k, id), value_of(v, id, 0));
	result(ok, "16 sessions at once write, read and scan, and all they wrote is there");
	shut(p);
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
			status = engine.put(s, key, value_of(value, count + 1, 0));
		}
		if (status == DONE)
			status = engine.commit(s);
		if (status != CONFLICT)
			return status == DONE;
	}
}

enum { COUNTERS = 3, INCREMENTS = 300, COUNTING = 4 };

static void *count_up(void *argument)
{
	struct crew *c = argument;
	struct session *s = attach(c->pair, c->why);
	char key[KEY + 1];

	c->ok = s != NULL;
	for (uint64_t i = 0; c->ok && i < INCREMENTS; i++)
		c->ok = increment(s, key_of(key, (i + c->number) % COUNTERS));
	if (s)
		detach(s);
	return NULL;
}

static void test_transactions(void)
{
	struct crew crew[COUNTING];
	pthread_t threads[COUNTING];
	struct pair p;
	uint64_t sum = 0;
	bool ok = true;

	if (!engine.transactions) {
		skip("transactions that read", "none, the harness does single calls");
		return;
	}
	p = open_at("transactions", true, VALUE);
	for (uint64_t i = 0; i < COUNTERS; i++) {
		char key[KEY + 1], value[VALUE];

		ok &= put(p.session, key_of(key, i), value_of(value, 0, 0)) == DONE;
	}
	for (unsigned i = 0; i < COUNTING; i++) {
		crew[i] = (struct crew){.pair = &p, .number = i};
		if (pthread_create(&threads[i], NULL, count_up, &crew[i]))
			give_up("threads");
	}
	for (unsigned i = 0; i < COUNTING; i++) {
		pthread_join(threads[i], NULL);
		if (!crew[i].ok)
			memcpy(why, crew[i].why, sizeof why);
		ok &= crew[i].ok;
	}
	for (uint64_t i = 0; i < COUNTERS; i++) {
		char key[KEY + 1];
		uint64_t count;
		struct slice got;

		ok = ok && engine.get(p.session, key_of(key, i), &got) == DONE;
		memcpy(&count, ok ? got.data : &sum, sizeof count);
		sum += count;
	}
	result(ok && sum == COUNTING * INCREMENTS, "of read-modify-writes by four threads none is lost");
	shut(p);
}

static void test_views(void)
{
	char key[KEY + 1], old[VALUE], new[VALUE];
	struct settings s = settings_for(path_of("views"), true, VALUE);
	struct slice k = key_of(key, 5), v = value_of(old, 5, 1), w = value_of(new, 5, 2), found, value;
	struct session *other;
	struct pair p;
	bool ok;

	if (!engine.snapshot) {
		skip("views", "none, each read sees the latest");
		return;
	}
	p = open_with(s);
	other = attach(&p, why);
	ok = other && put(other, k, v) == DONE;
	engine.release(other);
	ok = ok && engine.snapshot(p.session) == DONE && holds(p.session, k, v) && put(other, k, w) == DONE &&
	     holds(other, k, w) && holds(p.session, k, v);
	ok = ok && engine.seek(p.session, k, &found, &value) == DONE && same(value, v);
	result(ok, "a view that is held sees what was there when it began, by get and by seek");
	engine.release(p.session);
	result(holds(p.session, k, w), "after release the next one sees the latest");
	engine.release(p.session);
	result(put(p.session, k, v) == DONE && holds(p.session, k, v), "and the session may write");
	if (other)
		detach(other);
	shut(p);
}

static void test_compact(void)
{
	struct pair p = open_at("compact", true, VALUE);
	char key[KEY + 1];
	bool ok = put_records(p.session, 0, 1, RECORDS);

	if (!engine.compact) {
		skip("compaction", "none");
		shut(p);
		return;
	}
	for (uint64_t i = 0; i < RECORDS; i += 2)
		ok &= engine.del(p.session, key_of(key, i)) == DONE;
	detach(p.session);
	ok &= engine.compact(p.db, why) == DONE && engine.compact(p.db, why) == DONE;
	p.session = attach(&p, why);
	ok = ok && p.session && walks(p.session, slice(NULL, 0), FORWARD, 1, 2, RECORDS + 1);
	result(ok, "after compactions what was deleted is gone and the rest is there");
	result(put_records(p.session, 0, 2, 10) && walks(p.session, key_of(key, 21), FORWARD, 21, 2, RECORDS + 1) && shut(p),
	       "and it can be written and closed");
}

/* ---- kill -9 ------------------------------------------------------------------------------- */

/* Commit record after record, and say each on the pipe when it is acknowledged. */
static _Noreturn void commit_for_ever(struct settings s, int to)
{
	struct pair p = open_with(s);
	char key[KEY + 1], value[VALUE];

	for (uint64_t i = 0; i < oracle.records; i++) {
		if (put(p.session, key_of(key, i), value_of(value, i, 0)) != DONE ||
		    write(to, &i, sizeof i) != sizeof i)
			_exit(1);
	}
	pause();
	_exit(1);
}

/* Kill a child after at least `least` commits and a random moment; answers how many it acknowledged. */
static uint64_t kill_child(struct settings s, uint64_t least, unsigned *seed)
{
	struct timespec moment = {0, rand_r(seed) % 20000000};
	uint64_t acknowledged = 0, last;
	int ends[2];
	pid_t pid;

	if (pipe(ends) || (pid = fork()) < 0)
		give_up("a child process");
	if (!pid) {
		close(ends[0]);
		commit_for_ever(s, ends[1]);
	}
	close(ends[1]);
	while (read(ends[0], &last, sizeof last) == sizeof last && (acknowledged = last + 1) < least)
		;
	nanosleep(&moment, NULL);
	kill(pid, SIGKILL);
	while (read(ends[0], &last, sizeof last) == sizeof last)
		acknowledged = last + 1;
	close(ends[0]);
	waitpid(pid, NULL, 0);
	return acknowledged;
}

static void test_kill(enum durability d, const char *word)
{
	enum { ROUNDS = 4, LEAST = 300 };
	uint64_t lost = 0, all = 0;
	unsigned seed = (unsigned)getpid();
	char name[32], text[160], key[KEY + 1], value[VALUE];

	for (int round = 0; round < ROUNDS; round++) {
		struct settings s;
		uint64_t acknowledged;
		struct pair p;

		snprintf(name, sizeof name, "kill-%s-%d", word, round);
		s = settings_for(path_of(name), true, VALUE);
		s.durability = d;
		acknowledged = kill_child(s, LEAST, &seed);
		s.create = false;
		p = open_with(s);
		for (uint64_t i = 0; i < acknowledged; i++)
			lost += !holds(p.session, key_of(key, i), value_of(value, i, 0));
		all += acknowledged;
		shut(p);
	}
	snprintf(text, sizeof text, "%s: of %" PRIu64 " commits that were acknowledged before kill -9, %" PRIu64
		 " are lost", word, all, lost);
	result(all >= ROUNDS * LEAST && (d == DURABILITY_NONE || !lost), text);
}

/* ---- power loss ---------------------------------------------------------------------------- */

/*
 * Commit n of thread t, of T, is that of record SETTLED + n * T + t; the records before are there, closed
 * and forced, when the threads begin. A record's place among the keys is scattered, so that commits
 * change pages everywhere.
 */
enum { SETTLED = 2000 };

static struct oracle places = {1 << 18, index_of, record_of};

static uint64_t place_of(uint64_t record)
{
	static struct permutation scatter;

	if (!scatter.n)
		scatter = permutation_make(places.records, 1);
	return permutation_at(&scatter, record);
}

static struct settings power_settings(bool create, int durability)
{
	struct settings s = settings_for(top, create, VALUE);

	s.num = places.records;
	s.durability = (enum durability)durability;
	s.oracle = &places;
	return s;
}

static enum status commit_record(struct session *s, uint64_t record)
{
	char key[KEY + 1], value[VALUE];
	uint64_t place = place_of(record);

	return put(s, key_of(key, place), value_of(value, place, 0));
}

/* What the parent of the writers sees. */
struct writer {
	const struct pair *pair;
	unsigned number, of;
	_Atomic uint64_t acknowledged;
	_Atomic bool failed;
	char why[WHY_SIZE];
};

static void *writer(void *argument)
{
	struct writer *w = argument;
	struct session *s = attach(w->pair, w->why);
	uint64_t record = SETTLED + w->number;

	for (; s && record < places.records && commit_record(s, record) == DONE; record += w->of)
		w->acknowledged++;
	w->failed = record < places.records;
	return NULL;
}

static void sleep_us(uint64_t us)
{
	struct timespec t = {(time_t)(us / 1000000), (long)(us % 1000000 * 1000)};

	nanosleep(&t, NULL);
}

/*
 * Commit by n threads; until the power is cut and this process is killed. What nobody forces the kernel
 * writes back after 5 to 30 seconds; here every `write_back` seconds, so that cuts fall into it.
 */
static _Noreturn void write_on(struct settings s, struct writer *writers, unsigned n, double write_back)
{
	pthread_t thread;
	struct pair pair = open_with(s);
	int fd = open(top, O_RDONLY | O_DIRECTORY);

	for (unsigned i = 0; i < n; i++) {
		writers[i].pair = &pair;
		writers[i].number = i;
		writers[i].of = n;
		if (pthread_create(&thread, NULL, writer, &writers[i]))
			give_up("threads");
	}
	for (;;) {
		sleep_us((uint64_t)(write_back * 1e6));
		if (s.durability != DURABILITY_SYNC)
			syncfs(fd);
	}
}

static void settle_records(struct settings s)
{
	struct pair p = open_with(s);
	int fd = open(top, O_RDONLY | O_DIRECTORY);

	for (uint64_t i = 0; i < SETTLED; i++) {
		if (commit_record(p.session, i) != DONE)
			give_up("loads a database");
	}
	if (!shut(p) || fd < 0 || syncfs(fd))
		give_up("closes and forces a database");
	close(fd);
}

/* Are all the writers at work? What they have acknowledged goes to `counts`. */
static bool at_work(pid_t pid, struct writer *writers, unsigned n, uint64_t *counts)
{
	bool all = !waitpid(pid, NULL, WNOHANG);

	for (unsigned i = 0; i < n; i++) {
		counts[i] = writers[i].acknowledged;
		all &= !writers[i].failed;
		if (writers[i].failed)
			memcpy(why, writers[i].why, sizeof why);
	}
	return all;
}

/* Cut the power at a random moment within `seconds` of the first acknowledged commit. */
static int cut_power(const char *power, int durability, unsigned threads, double seconds, double write_back,
		     uint64_t seed)
{
	struct random chance = random_seed(seed, "cut");
	struct writer *writers = mmap(NULL, threads * sizeof *writers, PROT_READ | PROT_WRITE,
				      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	uint64_t counts[SESSIONS] = {0};
	int fd = open(power, O_WRONLY | O_CLOEXEC);
	bool ok;
	pid_t pid;

	if (writers == MAP_FAILED || fd < 0)
		give_up("has a power switch");
	settle_records(power_settings(true, durability == DURABILITY_NONE ? DURABILITY_NONE : DURABILITY_ASYNC));
	if ((pid = fork()) < 0)
		give_up("a child process");
	if (!pid && !prctl(PR_SET_PDEATHSIG, SIGKILL))
		write_on(power_settings(false, durability), writers, threads, write_back);
	while ((ok = at_work(pid, writers, threads, counts)) && !counts[0])
		sleep_us(1000);
	sleep_us(random_below(&chance, (uint64_t)(seconds * 1e6)));
	/* What is acknowledged from here until the power fails is not asked for. */
	ok = ok && at_work(pid, writers, threads, counts);
	if (!ok || write(fd, "1", 1) != 1)
		give_up("commits until the power is cut");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	for (unsigned i = 0; i < threads; i++)
		printf("%s%" PRIu64, i ? "," : "", counts[i]);
	printf("\n");
	return 0;
}

/* What of a record there is. */
enum { SCANNED = 1, GOT = 2 };

/* Walk over all of it; answers how many records are damaged or foreign. */
static uint64_t scan_all(struct session *s, unsigned char *found)
{
	struct slice key, value;
	char expected[VALUE];
	uint64_t wrong = 0, seen = 0;
	enum status status = engine.seek(s, slice(NULL, 0), &key, &value);

	/* What is damaged can go round in circles. */
	for (; status == DONE && seen <= places.records; seen++) {
		uint64_t place = index_of(&places, key);

		if (place == UINT64_MAX || !same(value, value_of(expected, place, 0)))
			wrong++;
		else
			found[place] |= SCANNED;
		status = engine.next(s, &key, &value);
	}
	return wrong + (status != NOT_FOUND);
}

static uint64_t get_first(struct session *s, uint64_t records, unsigned char *found)
{
	char key[KEY + 1], value[VALUE];
	uint64_t wrong = 0;

	for (uint64_t i = 0; i < records; i++) {
		uint64_t place = place_of(i);
		struct slice k = key_of(key, place);

		if (holds(s, k, value_of(value, place, 0)))
			found[place] |= GOT;
		else
			wrong += !holds(s, k, slice(NULL, 0));
	}
	return wrong;
}

/* What is left, record by record. */
struct left {
	uint64_t lost;           /* acknowledged, and no get finds it */
	uint64_t settled_lost;   /* of those that had been forced long before */
	uint64_t disagree;       /* found by scan or by get, not by both */
	uint64_t after_a_gap;    /* there, though an earlier commit of its thread is not */
	uint64_t unacknowledged; /* there all the same */
};

static struct left count_left(const unsigned char *found, const uint64_t *counts, unsigned threads, uint64_t asked)
{
	bool gap[SESSIONS] = {false};
	struct left left = {0};

	for (uint64_t i = 0; i < places.records; i++) {
		unsigned char there = found[place_of(i)];
		uint64_t n = (i - SETTLED) / threads, t = (i - SETTLED) % threads;

		left.disagree += i < asked && there && there != (SCANNED | GOT);
		if (i < SETTLED) {
			left.settled_lost += !(there & GOT);
			continue;
		}
		left.lost += n < counts[t] && !(there & GOT);
		left.unacknowledged += n >= counts[t] && there;
		left.after_a_gap += gap[t] && there;
		gap[t] |= !there;
	}
	return left;
}

/* Open what the cut has left, and print how much is there of what was acknowledged. */
static int recount(const char *list, int durability)
{
	unsigned char *found = calloc(places.records, 1);
	uint64_t counts[SESSIONS], asked, wrong;
	unsigned threads = 0;
	struct left left;
	struct pair p = try_open(power_settings(false, durability));
	char *rest;

	for (; threads < SESSIONS && *list; list = *rest ? rest + 1 : rest)
		counts[threads++] = strtoull(list, &rest, 10);
	if (!p.session || !found) {
		printf("{\"opens\":0}\n");
		fprintf(stderr, "%s\n", why);
		free(found);
		return 0;
	}
	asked = SETTLED;
	for (unsigned t = 0; t < threads; t++)
		asked = counts[t] * threads + SETTLED > asked ? counts[t] * threads + SETTLED : asked;
	asked = asked < places.records ? asked : places.records;
	wrong = scan_all(p.session, found) + get_first(p.session, asked, found);
	left = count_left(found, counts, threads, asked);
	free(found);
	printf("{\"opens\":1,\"lost\":%" PRIu64 ",\"settled_lost\":%" PRIu64 ",\"wrong\":%" PRIu64
	       ",\"scan_disagrees\":%" PRIu64 ",\"after_a_gap\":%" PRIu64 ",\"unacknowledged\":%" PRIu64
	       ",\"writes_on\":%d}\n", left.lost, left.settled_lost, wrong, left.disagree, left.after_a_gap,
	       left.unacknowledged, commit_record(p.session, 0) == DONE && shut(p));
	fprintf(stderr, "%s\n", why);
	return 0;
}

int main(int argc, char **argv)
{
	static void (*const contract[])(void) = {
		test_single, test_slices, test_sizes, test_binary_keys, test_scans, test_multiget, test_batches,
		test_bulk, test_append, test_reopen, test_sessions, test_transactions, test_views, test_compact,
	};
	static const char *const words[] = {"none", "async", "sync", NULL};
	static const char *power, *counts;
	static uint64_t threads, seed;
	static double seconds, write_back;
	static int durability;
	static bool kills;
	static const struct option own[] = {
		{"db", "", "Where to make the databases.", .text = &top},
		{"kill", "0", "Test kill -9 instead of the contract.", .flag = &kills},
		{"cut", "", "Commit until the power is cut by a write to this.", .text = &power},
		{"recount", "", "Count what is left of so many commits of each thread.", .text = &counts},
		{"durability", "sync", "Of --cut and --recount.", .choice = &durability, .choices = words},
		{"threads", "1", "That commit.", .count = &threads, .least = 1, .most = SESSIONS},
		{"seconds", "0.5", "In which the power is cut.", .real = &seconds, .floor = 0.001, .ceiling = 60},
		{"write_back", "0.05", "Seconds after which the kernel writes back what is not forced, sync aside.",
		 .real = &write_back, .floor = 0.001, .ceiling = 60},
		{"seed", "1", "Of the moment.", .count = &seed},
		{0},
	};
	const struct option *tables[] = {own, engine.options, NULL};

	for (int i = 0; tables[i]; i++)
		if (!option_defaults(tables[i], why))
			give_up("options have defaults");
	if (!option_parse(tables, argc, argv, why) || !*top) {
		fprintf(stderr, "conform_%s: %s; usage: conform_%s [--kill] --db=DIRECTORY\n", engine.name,
			*why ? why : "no directory", engine.name);
		return 2;
	}
	/* Such an engine writes all places at first, 4 KiB each. */
	if (engine.fixed_size)
		places.records = 1 << 14;
	if (*power)
		return cut_power(power, durability, (unsigned)threads, seconds, write_back, seed);
	if (*counts)
		return recount(counts, durability);
	for (size_t i = 0; !kills && i < sizeof contract / sizeof *contract; i++)
		contract[i]();
	if (kills) {
		test_kill(DURABILITY_NONE, "none");
		test_kill(DURABILITY_ASYNC, "async");
		test_kill(DURABILITY_SYNC, "sync");
	}
	printf("1..%d\n", tests);
	return failures > 0;
}
