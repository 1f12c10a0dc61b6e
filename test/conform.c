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
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "conform.h"

enum { RECORDS = 1000, LARGE = 4 << 20, FORTH = 100 << 10 };

const char *const durability_words[] = {"none", "async", "sync", NULL};
const char *top;
char why[WHY_SIZE];
static int tests, failures;

/* ---- telling ---- */

void result(bool ok, const char *what)
{
	tests++;
	failures += !ok;
	printf("%sok %d - %s: %s\n", ok ? "" : "not ", tests, engine.name, what);
	if (!ok && *why)
		printf("# the engine's words: %s\n", why);
	fflush(stdout);
	*why = '\0';
}

void skip(const char *what, const char *reason)
{
	tests++;
	printf("ok %d - %s: %s # skip %s\n", tests, engine.name, what, reason);
}

_Noreturn void give_up(const char *what)
{
	result(false, what);
	printf("Bail out! %s\n", what);
	exit(1);
}

/* ---- records and databases ---- */

void sleep_us(uint64_t us)
{
	struct timespec t = {(time_t)(us / 1000000), (long)(us % 1000000 * 1000)};

	nanosleep(&t, NULL);
}

struct slice slice(const void *data, size_t size)
{
	return (struct slice){data, size};
}

struct slice key_of(char *to, uint64_t id)
{
	snprintf(to, KEY + 1, "%016" PRIu64, id % 10000000000000000u);
	return slice(to, KEY);
}

struct slice value_of(char *to, uint64_t id, uint64_t generation)
{
	memset(to, (int)('a' + id % 26), VALUE);
	memcpy(to, &id, 8);
	memcpy(to + 8, &generation, 8);
	return slice(to, VALUE);
}

uint64_t index_of(const struct oracle *o, struct slice key)
{
	uint64_t id = 0;

	if (key.size != KEY)
		return UINT64_MAX;
	for (size_t i = 0; i < KEY; i++)
		id = id * 10 + (uint64_t)(((const char *)key.data)[i] - '0');
	return id < o->records ? id : UINT64_MAX;
}

size_t record_of(const struct oracle *o, uint64_t id, char *key, char *value)
{
	char text[KEY + 1];

	(void)o;
	key_of(text, id);
	memcpy(key, text, KEY);
	return value_of(value, id, 0).size;
}

static const struct oracle oracle = {
	.records = 4 * RECORDS, .index = index_of, .record = record_of};

struct settings settings_for(const char *path, bool create, size_t value_size)
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

const char *path_of(const char *name)
{
	static char path[PATH_SIZE];

	snprintf(path, sizeof path, "%s/%s", top, name);
	mkdir(path, 0777);
	return path;
}

struct pair try_open(struct settings s)
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

unsigned torn_ways(const struct pair *p)
{
	return engine.torn_batches | p->kept->settings.torn_batches;
}

struct session *attach(const struct pair *p, char *words)
{
	return drive_attach(&engine, &p->kept->settings, p->db, words);
}

void detach(struct session *s)
{
	drive_detach(&engine, s);
}

void must_be_open(struct pair p)
{
	if (!p.db)
		give_up("opens a database");
	if (!p.session)
		give_up("attaches a session");
}

struct pair open_with(struct settings s)
{
	struct pair p = try_open(s);

	must_be_open(p);
	return p;
}

struct pair open_at(const char *name, bool create, size_t value_size)
{
	return open_with(settings_for(path_of(name), create, value_size));
}

bool shut(struct pair p)
{
	bool closed;

	if (p.session)
		detach(p.session);
	closed = p.db && drive_close(&engine, p.db, why) == DONE;
	free(p.kept);
	return closed;
}

bool same(struct slice a, struct slice b)
{
	return a.size == b.size && a.data && !memcmp(a.data, b.data, b.size);
}

enum status put(struct session *s, struct slice key, struct slice value)
{
	enum status status;

	do
		status = engine.put(s, key, value);
	while (status == CONFLICT);
	return status;
}

bool holds(struct session *s, struct slice key, struct slice value)
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
		ok &= put(s, key_of(key, first + i * step),
			  value_of(value, first + i * step, 0)) == DONE;
	return ok;
}

/* ---- what a driver says of itself ---- */

/* What an engine can have natively; the rest the harness makes up for. */
static bool has(int capability)
{
	const bool all[] = {engine.snapshot,    engine.transactions, engine.append,
			    engine.multiget,    engine.bulk_begin,   engine.compact,
			    engine.integer_keys};

	return all[capability];
}

static const char *const capabilities[] = {
	"snapshots", "transactions", "append",      "multiget",
	"bulk_load", "compaction",   "native_keys", NULL};

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

static bool is_torn(int bit)
{
	return engine.torn_batches & 1u << bit;
}

static bool is_given(int durability)
{
	return engine.gives[durability] != DURABILITY_REFUSED;
}

static void print_facts(void)
{
	static const char *const torn[] = {"seen", "abandoned", "crash", NULL};

	printf("{\"engine\":\"%s\",", engine.name);
	print_words("native", capabilities, has);
	print_words("torn", torn, is_torn);
	print_words("gives", durability_words, is_given);
	printf("\"blind_deletes\":%s}\n", engine.blind_deletes ? "true" : "false");
}

/* What goes together is there together; or nothing else can be tested. */
static void test_facts(void)
{
	const struct engine *e = &engine;
	bool all = e->put && e->get && e->del && e->seek && e->last && e->next &&
		   e->prev && e->open && e->close && e->attach && e->detach &&
		   e->statistics && e->name && e->title && e->version;
	bool promises = true;

	for (int d = DURABILITY_NONE; d <= DURABILITY_SYNC; d++)
		promises &= (unsigned)e->gives[d] >= (unsigned)d;
	if (!all || !e->db_size || !e->session_size)
		give_up("has all that an engine must have, and the sizes of its structs");
	if (e->snapshot && !e->release)
		give_up("who has snapshots has release");
	if (!e->begin != !e->commit || !e->begin != !e->rollback)
		give_up("begin, commit and rollback: all, or none");
	if (!e->bulk_begin != !e->bulk_put || !e->bulk_begin != !e->bulk_end)
		give_up("bulk_begin, bulk_put and bulk_end: all, or none");
	if (e->torn_batches & ~(unsigned)(TORN_SEEN | TORN_ABANDONED | TORN_CRASH |
					  TORN_DATABASE) ||
	    (e->torn_batches && !e->begin))
		give_up("torn_batches are bits of enum torn, of an engine with batches");
	result(promises, "each word of durability gives its promise, a stronger one, or "
			 "is refused");
}

/* ---- the contract ---- */

static void test_single(void)
{
	struct pair p = open_at("single", true, VALUE);
	struct session *s = p.session;
	char key[KEY + 1], value[VALUE], other[VALUE];
	struct slice k = key_of(key, 7), v = value_of(value, 7, 1),
		     w = value_of(other, 7, 2), none = {NULL, 0};
	enum status status;

	result(holds(s, k, none), "a key that was never put is not found");
	result(put(s, k, v) == DONE && holds(s, k, v), "put, then get");
	result(put(s, k, w) == DONE && holds(s, k, w), "a second put replaces the first");
	result(engine.del(s, k) == DONE && holds(s, k, none),
	       "a deleted record is not found");
	status = engine.del(s, k);
	result(status == (engine.blind_deletes ? DONE : NOT_FOUND),
	       engine.blind_deletes
		       ? "deletes are blind: of what is not there they say it is done"
		       : "deletes tell that there was nothing");
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
	result(ok && same(got, v), "a value stays until the session's next call, "
				   "whatever becomes of the key");
	if (engine.release)
		engine.release(p.session);
	result(holds(p.session, key_of(second, 3), v),
	       "after release the session reads on");
	shut(p);
}

static void test_sizes(void)
{
	static const size_t sizes[] = {0, 1, VALUE, 4000, 4096, FORTH, LARGE};
	static const char *const names[] = {
		"an empty value",        "a value of 1 byte",     "a value of 100 bytes",
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
			result(put(p.session, key_of(key, i), v) == DONE &&
				       holds(p.session, slice(key, KEY), v),
			       names[i]);
	}
	if (!engine.fixed_size)
		result(put(p.session, key_of(key, 1), slice(big, 7)) == DONE &&
			       holds(p.session, slice(key, KEY), slice(big, 7)) &&
			       put(p.session, slice(key, KEY), slice(big, FORTH)) ==
				       DONE &&
			       holds(p.session, slice(key, KEY), slice(big, FORTH)),
		       "a value shrinks and grows");
	shut(p);
	free(big);
}

static void test_binary_keys(void)
{
	static const unsigned char keys[][3] = {{0, 0, 0},   {0, 0, 1},
						{0, 255, 0}, {'a', 0, 'b'},
						{128, 0, 0}, {255, 255, 255}};
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
static bool walks(struct session *s, struct slice from, enum order order, int64_t first,
		  int64_t step, int64_t end)
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

	result(engine.seek(s, none, &key, &value) == NOT_FOUND &&
		       engine.last(s, &key, &value) == NOT_FOUND,
	       "an empty database has no first record, nor a last");
	/* Even records only, in an order of no kind. */
	put_records(s, 0, 4, RECORDS / 2);
	put_records(s, 2, 4, RECORDS / 2);
	result(walks(s, none, FORWARD, 0, 2, last + 2), "all records forwards");
	result(walks(s, none, REVERSE, last, -2, -2), "all records backwards");
	result(walks(s, key_of(k, 1000), FORWARD, 1000, 2, last + 2),
	       "forwards from a key");
	result(walks(s, key_of(k, 1000), REVERSE, 1000, -2, -2), "backwards from a key");
	result(walks(s, key_of(k, 1001), FORWARD, 1002, 2, last + 2),
	       "forwards from between two keys");
	result(walks(s, key_of(k, 1001), REVERSE, 1000, -2, -2),
	       "backwards from between two keys");
	result(walks(s, key_of(k, (uint64_t)last + 1), REVERSE, last, -2, -2),
	       "backwards from above all keys");
	result(engine.seek(s, key_of(k, (uint64_t)last + 1), &key, &value) == NOT_FOUND,
	       "forwards from above all keys there is nothing");
	shut(p);
}

/* Deletes, one by one, the records it is asked to, by a session and thread of its own. */
struct eraser {
	const struct pair *pair;
	uint64_t ids[RECORDS];
	_Atomic unsigned asked, done;
	_Atomic bool over, failed;
	char why[WHY_SIZE];
};

static void *erase(void *argument)
{
	struct eraser *e = argument;
	struct session *s = attach(e->pair, e->why);
	char key[KEY + 1];

	while (s && (!e->over || e->done < e->asked)) {
		enum status status;

		if (e->done == e->asked) {
			sleep_us(20);
			continue;
		}
		while ((status = engine.del(s, key_of(key, e->ids[e->done]))) == CONFLICT)
			;
		e->failed |= status != DONE;
		e->done++;
	}
	e->failed |= !s;
	if (s)
		detach(s);
	return NULL;
}

/*
 * Have the record deleted. Where deletes wait for the scan, because it locks its page, it
 * does not wait for them.
 */
static void have_erased(struct eraser *e, uint64_t id, bool *patient)
{
	e->ids[e->asked] = id;
	e->asked++;
	for (int i = 0; *patient && e->done < e->asked; i++) {
		sleep_us(20);
		*patient = i < 20000;
	}
}

/*
 * Does a scan visit each record once, while of those just answered each one, or every
 * `step`-th, is deleted?
 */
static bool visits_all(const char *name, enum order order, int64_t step)
{
	struct pair p = open_at(name, true, VALUE);
	struct eraser e = {.pair = &p};
	pthread_t thread;
	struct slice key, value;
	int64_t id = order == FORWARD ? 0 : RECORDS - 1, by = order == FORWARD ? 1 : -1;
	bool ok = put_records(p.session, 0, 1, RECORDS), patient = true;
	char expected[KEY + 1];
	enum status status;

	if (pthread_create(&thread, NULL, erase, &e))
		give_up("threads");
	status = drive_seek(&engine, p.session, slice(NULL, 0), order, &key, &value);
	for (; status == DONE && same(key, key_of(expected, (uint64_t)id)); id += by) {
		if (id % step == 0)
			have_erased(&e, (uint64_t)id, &patient);
		do
			status = (order == FORWARD ? engine.next : engine.prev)(
				p.session, &key, &value);
		while (status == CONFLICT);
	}
	if (engine.release)
		engine.release(p.session);
	e.over = true;
	pthread_join(thread, NULL);
	ok &= status == NOT_FOUND && id == (order == FORWARD ? RECORDS : -1) && !e.failed;
	for (uint64_t i = 0; i < RECORDS; i++)
		ok &= holds(p.session, key_of(expected, i), slice(NULL, 0)) ==
		      (i % (uint64_t)step == 0);
	if (id != RECORDS && id != -1)
		printf("# the scan came to record %" PRId64 "\n", id);
	shut(p);
	return ok;
}

static void test_scans_beside_deletes(void)
{
	result(visits_all("erased-1", FORWARD, 1) & visits_all("erased-2", FORWARD, 3),
	       "forwards each record is visited once, beside deletes of what was just "
	       "answered");
	result(visits_all("erased-3", REVERSE, 1) & visits_all("erased-4", REVERSE, 3),
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
	struct slice asked[MOST_KEYS] = {{NULL, 0}}, got[MOST_KEYS];
	bool ok;

	for (unsigned i = 0; i < n; i++) {
		asked[i] = key_of(keys[i], (i * 37 + more) % MOST_KEYS);
		got[i] = slice("", 0); /* neither a record nor none */
	}
	ok = engine.multiget(s, asked, got, n) == DONE;
	for (unsigned i = 0; i < n; i++) {
		uint64_t id = (i * 37 + more) % MOST_KEYS;

		ok = ok && (id % 2 ? !got[i].data : same(got[i], value_of(value, id, 0)));
	}
	return ok;
}

static void test_multiget(void)
{
	struct pair p = open_at("multiget", true, VALUE);
	bool ok = put_records(p.session, 0, 2, MOST_KEYS);

	for (unsigned n = MOST_KEYS; n > 0 && engine.multiget; n /= 2)
		ok = gets_many(p.session, n, 0) && gets_many(p.session, n, 1) && ok;
	if (engine.multiget)
		result(ok, "a multi-get finds what is there, and all values stay until "
			   "the next call");
	else
		skip("multi-get", "none, the harness makes it of gets");
	shut(p);
}

/* Somebody else, who asks for a record while a batch is open. */
struct onlooker {
	const struct pair *pair;
	_Atomic bool answered;
	bool seen;
	char why[WHY_SIZE];
};

static void *look_on(void *argument)
{
	struct onlooker *o = argument;
	struct session *s = attach(o->pair, o->why);
	struct slice got;
	char key[KEY + 1];
	enum status status = CONFLICT;

	while (s && (status = engine.get(s, key_of(key, 2000), &got)) == CONFLICT)
		;
	o->seen = status == DONE;
	o->answered = true;
	if (s)
		detach(s);
	return NULL;
}

/* A read that waits for the end of the batch has seen nothing of it. */
static bool others_see(struct pair *p)
{
	enum { MOST = 200 }; /* of waits of a millisecond */
	struct onlooker o = {.pair = p};
	pthread_t thread;
	bool early;

	if (engine.begin(p->session) != DONE || !put_records(p->session, 2000, 1, 500) ||
	    pthread_create(&thread, NULL, look_on, &o))
		give_up("a batch beside another session");
	for (int i = 0; i < MOST && !o.answered; i++)
		sleep_us(1000);
	early = o.answered;
	if (engine.commit(p->session) != DONE)
		give_up("commits beside another session");
	pthread_join(thread, NULL);
	return early && o.seen;
}

/*
 * Reads one record of a batch after the other, while others are committed: who finds an
 * older one has seen a part of one.
 */
struct reader {
	const struct pair *pair;
	_Atomic bool over;
	_Atomic uint64_t parts;
	char why[WHY_SIZE];
};

enum {
	TOGETHER = 16,
	TOGETHER_FROM = 3600,
	GENERATIONS = 300,
	MOST_GENERATIONS = 100 * GENERATIONS
};

static void *read_on(void *argument)
{
	struct reader *r = argument;
	struct session *s = attach(r->pair, r->why);
	char key[KEY + 1];

	while (s && !r->over) {
		uint64_t latest = 0, generation;
		struct slice got;

		for (uint64_t i = 0; i < TOGETHER; i++) {
			if (engine.get(s, key_of(key, TOGETHER_FROM + i), &got) != DONE)
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
		detach(s);
	return NULL;
}

static enum status put_together(struct session *s, uint64_t generation)
{
	enum status status;

	do {
		char key[KEY + 1], value[VALUE];

		status = engine.begin(s);
		for (uint64_t i = 0; status == DONE && i < TOGETHER; i++)
			status = engine.put(
				s, key_of(key, TOGETHER_FROM + i),
				value_of(value, TOGETHER_FROM + i, generation));
		if (status == DONE)
			status = engine.commit(s);
	} while (status == CONFLICT);
	return status;
}

/* Do others see a part of a batch while it commits? Where they may, until they do. */
static bool others_see_part(struct pair *p, bool may)
{
	struct reader r = {.pair = p};
	pthread_t thread;
	bool ok = put_together(p->session, 1) == DONE;

	if (pthread_create(&thread, NULL, read_on, &r))
		give_up("threads");
	for (uint64_t i = 2; ok && i < (may ? MOST_GENERATIONS : GENERATIONS) && !r.parts;
	     i++)
		ok = put_together(p->session, i) == DONE;
	r.over = true;
	pthread_join(thread, NULL);
	if (!ok)
		give_up("commits beside a session that reads");
	return r.parts > 0;
}

/* A batch that deletes what is there, and what is not: that it may not know. */
static void delete_together(struct session *s)
{
	char key[KEY + 1], value[VALUE];
	bool ok = put_records(s, 3900, 1, 2) && engine.begin(s) == DONE;
	enum status missing;

	ok = ok && engine.del(s, key_of(key, 3901)) == DONE;
	missing = engine.del(s, key_of(key, 3902));
	ok = ok && (missing == NOT_FOUND || missing == DONE);
	ok = engine.commit(s) == DONE && ok;
	result(ok && holds(s, key_of(key, 3901), slice(NULL, 0)) &&
		       holds(s, key_of(key, 3900), value_of(value, 3900, 0)),
	       "a batch deletes what is there, and nothing else");
}

static void test_batches(void)
{
	struct pair p = open_at("batches", true, VALUE);
	char key[KEY + 1], value[VALUE];
	struct slice none = {NULL, 0};
	struct session *other = attach(&p, why);
	bool torn = engine.torn_batches & TORN_ABANDONED, may = torn_ways(&p) & TORN_SEEN;
	bool ok = engine.begin(p.session) == DONE;

	ok &= put_records(p.session, 0, 1, 500) && engine.commit(p.session) == DONE;
	result(ok && holds(p.session, key_of(key, 499), value_of(value, 499, 0)) &&
		       holds(other, key_of(key, 250), value_of(value, 250, 0)),
	       "a batch is there after its commit, for all sessions");
	ok = engine.begin(p.session) == DONE && put_records(p.session, 1000, 1, 500);
	engine.rollback(p.session);
	result(ok && holds(p.session, key_of(key, 1000), none) == !torn &&
		       holds(other, key_of(key, 1499), none) == !torn,
	       torn ? "batches only group writes: one that was abandoned is there"
		    : "of a batch that was abandoned nothing is there");
	engine.rollback(p.session);
	result(put_records(p.session, 3000, 1, 2) &&
		       holds(other, key_of(key, 3001), value_of(value, 3001, 0)),
	       "to abandon none is nothing, and the session writes on");
	delete_together(p.session);
	result(others_see(&p) == !!(engine.torn_batches & TORN_SEEN),
	       engine.torn_batches & TORN_SEEN
		       ? "others see what is not committed, as it is said"
		       : "others do not see what is not committed");
	if (engine.torn_batches & TORN_SEEN)
		skip("what others see of a batch while it commits",
		     "they see it before, as it is said");
	else
		result(others_see_part(&p, may) == may,
		       may ? "others see a part of a batch while it commits, as is said"
			   : "others see nothing or all of a batch while it commits");
	ok = engine.begin(p.session) == DONE && put_records(p.session, 3500, 1, 5);
	detach(p.session);
	p.session = attach(&p, why);
	result(ok && p.session && holds(p.session, key_of(key, 3500), none) == !torn,
	       "a session that ends abandons what it had begun");
	detach(other);
	shut(p);
	p = open_at("batches", false, VALUE);
	result(holds(p.session, key_of(key, 499), value_of(value, 499, 0)) &&
		       holds(p.session, key_of(key, 1000), none) == !torn,
	       "and so it is after opening again");
	shut(p);
}

static void test_bulk(void)
{
	struct pair p = open_at("bulk", true, VALUE);
	char key[KEY + 1], value[VALUE];
	bool ok = engine.bulk_begin && engine.bulk_begin(p.session) == DONE;

	for (uint64_t i = 0; ok && i < RECORDS; i++)
		ok = engine.bulk_put(p.session, key_of(key, i), value_of(value, i, 0)) ==
		     DONE;
	ok = ok && engine.bulk_end(p.session) == DONE;
	if (!engine.bulk_begin)
		skip("bulk load", "none, the harness makes it of batches");
	else
		result(ok && walks(p.session, slice(NULL, 0), FORWARD, 0, 1, RECORDS),
		       "a bulk load is all there");
	shut(p);
}

static void test_append(void)
{
	struct pair p = open_at("append", true, VALUE);
	char key[KEY + 1], value[VALUE];
	bool ok = true;

	for (uint64_t i = 0; engine.append && i < RECORDS; i++)
		ok &= engine.append(p.session, key_of(key, i), value_of(value, i, 0)) ==
		      DONE;
	if (engine.append)
		result(ok && walks(p.session, slice(NULL, 0), FORWARD, 0, 1, RECORDS),
		       "records that were appended are there");
	else
		skip("append", "none, the harness puts");
	shut(p);
}

/* Does the engine rest after it was settled? */
static bool rests(struct db *db)
{
	struct owed before = {0}, after = {0};

	if (!engine.owed)
		return true;
	return engine.owed(db, &before, why) == DONE &&
	       engine.owed(db, &after, why) == DONE &&
	       (before.work == 0 || before.work == OWED_UNKNOWN) &&
	       before.progress == after.progress;
}

static struct pair open_durable(const char *name, bool create, int durability)
{
	struct settings s = settings_for(path_of(name), create, VALUE);

	s.durability = (enum durability)durability;
	return open_with(s);
}

static void test_reopen(void)
{
	char name[32], text[64], options[2048], k[KEY + 1], v[VALUE];

	for (int d = DURABILITY_NONE; d <= DURABILITY_SYNC; d++) {
		snprintf(name, sizeof name, "reopen-%s", durability_words[d]);
		for (int round = 0; round < 2 && engine.gives[d] != DURABILITY_REFUSED;
		     round++) {
			struct pair p = open_durable(name, !round, d);
			bool ok;

			ok = round ? walks(p.session, slice(NULL, 0), FORWARD, 0, 1,
					   RECORDS)
				   : put_records(p.session, 0, 1, RECORDS);
			options[0] = '\0';
			if (engine.describe)
				engine.describe(p.db, options, sizeof options);
			ok &= drive_settle(&engine, p.db, why) == DONE && rests(p.db);
			ok &= holds(p.session, key_of(k, 5), value_of(v, 5, 0));
			ok &= shut(p);
			snprintf(text, sizeof text, "%s at %s",
				 round ? "all is there after opening again"
				       : "loads, settles and closes",
				 durability_words[d]);
			result(ok && (!engine.describe || strchr(options, '=')), text);
		}
	}
}

/* Made at one durability, opened and written at another, and at the first again. */
static bool changes_durability(int made, int then)
{
	enum { FEW = 50 };
	char name[32];
	struct pair p;
	bool ok;

	snprintf(name, sizeof name, "turns-%d-%d", made, then);
	p = open_durable(name, true, made);
	ok = put_records(p.session, 0, 1, FEW) && shut(p);
	p = open_durable(name, false, then);
	ok &= walks(p.session, slice(NULL, 0), FORWARD, 0, 1, FEW) &&
	      put_records(p.session, FEW, 1, FEW) && shut(p);
	p = open_durable(name, false, made);
	ok &= walks(p.session, slice(NULL, 0), FORWARD, 0, 1, 2 * FEW);
	return ok & shut(p);
}

static void test_durabilities(void)
{
	bool ok = true;

	for (int made = DURABILITY_NONE; made <= DURABILITY_SYNC; made++)
		for (int then = DURABILITY_NONE; then <= DURABILITY_SYNC; then++)
			if (made != then && engine.gives[made] != DURABILITY_REFUSED &&
			    engine.gives[then] != DURABILITY_REFUSED)
				ok &= changes_durability(made, then);
	result(ok, "all is there after opening at another durability, and at the first "
		   "again");
}

/* ---- many sessions ---- */

struct crew {
	const struct pair *pair;
	unsigned number;
	bool ok;
	char why[WHY_SIZE];
};

/* So many threads at once, SESSIONS at most; true if all of them were content. */
static bool crew_works(const struct pair *pair, unsigned n, void *(*work)(void *))
{
	struct crew crew[SESSIONS];
	pthread_t threads[SESSIONS];
	bool ok = true;

	for (unsigned i = 0; i < n; i++) {
		crew[i] = (struct crew){.pair = pair, .number = i};
		if (pthread_create(&threads[i], NULL, work, &crew[i]))
			give_up("threads");
	}
	for (unsigned i = 0; i < n; i++) {
		pthread_join(threads[i], NULL);
		if (!crew[i].ok)
			memcpy(why, crew[i].why, sizeof why);
		ok &= crew[i].ok;
	}
	return ok;
}

/*
 * Each writes records of its own and one that all share, and reads and scans in between.
 */
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
		while ((status = i % 2 ? engine.seek(s, slice(NULL, 0), &key, &value)
				       : engine.last(s, &key, &value)) == CONFLICT)
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
	bool ok = crew_works(&p, SESSIONS, crew_member);
	char k[KEY + 1], v[VALUE];

	for (uint64_t id = 1; id <= 100 * SESSIONS; id++)
		ok = ok && holds(p.session, key_of(k, id), value_of(v, id, 0));
	result(ok,
	       "16 sessions at once write, read and scan, and all they wrote is there");
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
	ok &= crew_works(&p, COUNTING, count_up);
	for (uint64_t i = 0; i < COUNTERS; i++) {
		char key[KEY + 1];
		uint64_t count;
		struct slice got;

		ok = ok && engine.get(p.session, key_of(key, i), &got) == DONE;
		memcpy(&count, ok ? got.data : &sum, sizeof count);
		sum += count;
	}
	result(ok && sum == COUNTING * INCREMENTS,
	       "of read-modify-writes by four threads none is lost");
	shut(p);
}

/* ---- memory ---- */

enum { LONG_VALUE = 1000, LONG_RECORDS = 16384 }; /* 16 MB */

/* Values that can be compressed, for who keeps only what was. */
static struct slice long_value(char *to, uint64_t id)
{
	memset(to, (int)('a' + id % 26), LONG_VALUE);
	memcpy(to, &id, sizeof id);
	return slice(to, LONG_VALUE);
}

static size_t long_record_of(const struct oracle *o, uint64_t id, char *key, char *value)
{
	char text[KEY + 1];

	(void)o;
	memcpy(key, key_of(text, id).data, KEY);
	return long_value(value, id).size;
}

static const struct oracle long_oracle = {
	.records = LONG_RECORDS, .index = index_of, .record = long_record_of};

static struct settings long_settings(const char *name, bool create,
				     enum compression compression, uint64_t cache)
{
	struct settings s = settings_for(path_of(name), create, LONG_VALUE);

	s.num = LONG_RECORDS;
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
	struct pair p = open_with(long_settings(name, true, compression, 64 << 20));
	char key[KEY + 1], value[LONG_VALUE];
	bool ok = true;

	for (uint64_t i = 0; i < LONG_RECORDS; i++)
		ok &= put(p.session, key_of(key, i), long_value(value, i)) == DONE;
	ok &= drive_settle(&engine, p.db, why) == DONE;
	if (!shut(p) || !ok)
		give_up("loads 16 MiB");
}

static bool get_all(struct session *s)
{
	char key[KEY + 1], value[LONG_VALUE];
	bool ok = true;

	for (uint64_t i = 0; i < 2 * LONG_RECORDS; i++)
		ok &= holds(s, key_of(key, i * 1237 % LONG_RECORDS),
			    long_value(value, i * 1237 % LONG_RECORDS));
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
struct held {
	uint64_t kb;
	bool mapped;
	char options[2048];
};

static struct held hold_with(const char *name, enum compression compression,
			     uint64_t cache)
{
	struct held held = {0};
	int ends[2], how;
	pid_t pid;

	fflush(stdout);
	if (pipe(ends) || (pid = fork()) < 0)
		give_up("a child process");
	if (!pid) {
		struct pair p = open_with(long_settings(name, false, compression, cache));

		if (!get_all(p.session))
			_exit(1);
		held.kb = anonymous_kb();
		held.mapped = p.kept->settings.reads_mapped;
		if (engine.describe)
			engine.describe(p.db, held.options, sizeof held.options);
		_exit(write(ends[1], &held, sizeof held) != sizeof held || !shut(p));
	}
	close(ends[1]);
	if (read(ends[0], &held, sizeof held) != sizeof held ||
	    waitpid(pid, &how, 0) != pid || how)
		give_up("reads all with another cache");
	close(ends[0]);
	return held;
}

/*
 * What is in the page cache by a map need not be held once more: then it is enough that
 * the engine reports it.
 */
static bool heeds_cache(const char *name, enum compression compression)
{
	enum { SMALL = 4 << 20, BIG = 64 << 20, LEAST_KB = 4096 };
	struct held small, big;
	int how;
	pid_t pid = fork();

	/* What this process has allocated, and freed, its children would have too. */
	if (!pid) {
		load_long(name, compression);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &how, 0) != pid || how)
		give_up("loads 16 MiB in a child process");
	small = hold_with(name, compression, SMALL);
	big = hold_with(name, compression, BIG);
	printf("# with 4 and 64 MiB of cache it holds %" PRIu64 " and %" PRIu64
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

static void test_cache(void)
{
	if (sanitized) {
		skip("cache_size", "not with sanitizers");
		return;
	}
	if (!engine.cache || !*engine.cache) {
		skip("cache_size", "the engine has no cache of its own");
		return;
	}
	result(heeds_cache("cache", COMPRESSION_NONE) ||
		       (engine.compressions & 1 << COMPRESSION_SNAPPY &&
			heeds_cache("cache-snappy", COMPRESSION_SNAPPY)),
	       "cache_size changes what the engine holds, or what it reports where it "
	       "reads through a map");
}

static void test_maps(void)
{
	enum { LEAST = 1 << 20 };
	const char *path;
	struct pair p;
	bool ok;

	load_long("maps", COMPRESSION_NONE);
	p = open_with(long_settings("maps", false, COMPRESSION_NONE, 64 << 20));
	ok = get_all(p.session);
	path = p.kept->path;
	if (!anonymous_kb())
		skip("maps", "this kernel does not tell what is mapped");
	else
		result(ok && (mapped_bytes(path) >= LEAST) ==
				       p.kept->settings.reads_mapped,
		       p.kept->settings.reads_mapped
			       ? "records are read through a map, as is said"
			       : "no file of records is mapped, as is said");
	shut(p);
}

static void test_snapshots(void)
{
	char key[KEY + 1], old[VALUE], new[VALUE];
	struct settings s = settings_for(path_of("snapshots"), true, VALUE);
	struct slice k = key_of(key, 5), v = value_of(old, 5, 1), w = value_of(new, 5, 2),
		     found, value;
	struct session *other;
	struct pair p;
	bool ok;

	if (!engine.snapshot) {
		skip("snapshots", "none, each read sees the latest");
		return;
	}
	p = open_with(s);
	other = attach(&p, why);
	ok = other && put(other, k, v) == DONE;
	engine.release(other);
	ok = ok && engine.snapshot(p.session) == DONE && holds(p.session, k, v) &&
	     put(other, k, w) == DONE && holds(other, k, w) && holds(p.session, k, v);
	ok = ok && engine.seek(p.session, k, &found, &value) == DONE && same(value, v);
	result(ok, "a snapshot that is held sees what was there when it began, by get "
		   "and by seek");
	engine.release(p.session);
	result(holds(p.session, k, w), "after release the next one sees the latest");
	engine.release(p.session);
	result(put(p.session, k, v) == DONE && holds(p.session, k, v),
	       "and the session may write");
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
	ok = ok && p.session &&
	     walks(p.session, slice(NULL, 0), FORWARD, 1, 2, RECORDS + 1);
	result(ok, "after compactions what was deleted is gone and the rest is there");
	result(put_records(p.session, 0, 2, 10) &&
		       walks(p.session, key_of(key, 21), FORWARD, 21, 2, RECORDS + 1) &&
		       shut(p),
	       "and it can be written and closed");
}

int main(int argc, char **argv)
{
	static void (*const contract[])(void) = {
		test_facts,    test_cache,
		test_single,   test_slices,
		test_sizes,    test_binary_keys,
		test_scans,    test_scans_beside_deletes,
		test_multiget, test_batches,
		test_bulk,     test_append,
		test_reopen,   test_durabilities,
		test_sessions, test_transactions,
		test_maps,     test_snapshots,
		test_compact,
	};
	static struct cut cut;
	static const char *counts;
	static uint64_t rounds;
	static bool kills, facts, help;
	static const struct option own[] = {
		{"db", "", "Directory to make the databases in; it is empty.",
		 .text = &top},
		{"kill", "0", "Test kill -9 instead of the contract.", .flag = &kills},
		{"rounds", "4", "Kills at each durability.", .count = &rounds, .least = 1,
		 .most = 100000},
		{"facts", "0",
		 "Print what the engine has natively and is said to do, and exit.",
		 .flag = &facts},
		{"cut", "", "Commit until the power is cut by a write to this file.",
		 .text = &cut.power},
		{"recount", "", "Count what is left of so many commits of each thread.",
		 .text = &counts},
		{"durability", "sync", "Of --cut and --recount.",
		 .choice = &cut.durability, .choices = durability_words},
		{"threads", "1", "Threads that commit until the cut.",
		 .count = &cut.threads, .least = 1, .most = SESSIONS},
		{"seconds", "0.5", "In which the power is cut.", .real = &cut.seconds,
		 .floor = 0.001, .ceiling = 60},
		{"write_back", "0.05",
		 "Seconds after which the kernel writes back what is not flushed, sync "
		 "aside.",
		 .real = &cut.write_back, .floor = 0.001, .ceiling = 60},
		{"seed", "1", "Of the moment of the cut.", .count = &cut.seed},
		{"help", "0", "Print this and exit.", .flag = &help},
		{0},
	};
	const struct option *tables[] = {own, engine.options, NULL};

	for (int i = 0; tables[i]; i++)
		if (!option_defaults(tables[i], why))
			give_up("options have defaults");
	if (!option_parse(tables, argc, argv, why) || (!*top && !help && !facts)) {
		fprintf(stderr,
			"conform_%s: %s; usage: conform_%s [--kill] --db=DIRECTORY\n",
			engine.name, *why ? why : "no directory", engine.name);
		return 2;
	}
	if (help) {
		printf("usage: conform_%s --db=DIRECTORY [--option=value ...]\n\n"
		       "Holds the driver of %s against engines/engine.h; prints TAP.\n\n",
		       engine.name, engine.title);
		for (int i = 0; tables[i]; i++)
			option_help(tables[i], stdout);
		return 0;
	}
	if (facts) {
		print_facts();
		return 0;
	}
	if (*cut.power)
		return cut_power(&cut);
	if (*counts)
		return recount(counts, cut.durability);
	for (size_t i = 0; !kills && i < sizeof contract / sizeof *contract; i++)
		contract[i]();
	for (int d = DURABILITY_NONE; kills && d <= DURABILITY_SYNC; d++)
		if (is_given(d))
			test_kill((enum durability)d, (unsigned)rounds);
	printf("1..%d\n", tests);
	return failures > 0;
}
