/*
 * null.c: an engine that stores nothing and returns every record.
 *
 * It measures the harness: the result of bench_null is part of every other result. Reads
 * return a value of the right size, and with --verify=1 the very value that the database
 * would hold. Calls can be slowed by a known amount, to check the reported latencies.
 * This is the only driver that reads a clock.
 */
#include "engine.h"

#include <stdatomic.h>
#include <time.h>

/*
 * Other drivers call these `struct db` and `struct session`. This driver is also the
 * baseline beside each of them, even in one source (scripts/amalgamate.sh), where those
 * names belong to the other driver.
 */
struct null_db {
	const struct settings *settings;
	/* time that a busy wait takes beyond the requested time */
	uint64_t wait_excess_ns;
	_Atomic(struct null_session *) writer; /* session of the last put */
};

struct null_session {
	bool fast_path;          /* no delays, no verification: the shortest path */
	/* key size on the fast path; otherwise a size that no key has */
	size_t fast_path_key_size;
	struct slice fixed_value; /* returned by get */
	size_t key_size;
	const struct settings *settings;
	struct null_db *db;
	uint64_t wait_excess_ns, get_ns, calls, puts;
	uint64_t records;
	uint64_t scan_record; /* of a scan: the record last returned */
	char *key;   /* after the value */
	_Alignas(16) char value[];
};

static struct {
	uint64_t get_ns, x, y, put_ns, stall_every, stall_ms, conflict_every, conflicts;
	bool conflict_others;
} null_option_values;

static const struct option null_options[] = {
	{"null_get_ns", "0", "Time for which each get keeps its CPU busy, ns.",
	 .count = &null_option_values.get_ns, .max = 1000000000, .group = "Null engine"},
	{"null_x", "0",
	 "Setting x with a known effect, to test tuning, 0 to 20. --null_get_ns is "
	 "multiplied by (50 + (x-7)^2 + (y-4)^2 - (x-7)(y-4)) / 87; y is --null_y. The "
	 "factor is 1 if both are 0.",
	 .count = &null_option_values.x, .max = 20},
	{"null_y", "0",
	 "Setting y with a known effect, to test tuning, 0 to 20; --null_x has the "
	 "formula.",
	 .count = &null_option_values.y, .max = 20},
	{"null_put_ns", "0", "Time for which each put keeps its CPU busy, ns.",
	 .count = &null_option_values.put_ns, .max = 1000000000},
	{"null_stall_every", "0",
	 "Every Nth get or put of a thread sleeps for --null_stall_ms; 0: none sleeps.",
	 .count = &null_option_values.stall_every},
	{"null_stall_ms", "0",
	 "Time for which a get or put that --null_stall_every selects sleeps, ms.",
	 .count = &null_option_values.stall_ms, .max = 3600000},
	{"null_conflict_every", "0",
	 "Every Nth put of a thread returns a conflict and is retried; 0: none does.",
	 .count = &null_option_values.conflict_every},
	{"null_conflicts", "1",
	 "Number of conflicts in a row that a put selected by --null_conflict_every "
	 "returns.",
	 .count = &null_option_values.conflicts, .min = 1},
	{"null_conflict_others", "0",
	 "1: a put returns a conflict if another thread has put since this thread's last "
	 "put; 0: it does not.",
	 .flag = &null_option_values.conflict_others},
	{0},
};

static struct null_session *null_session_of(struct session *s)
{
	return (struct null_session *)s;
}

static uint64_t null_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void null_stall(void)
{
	struct timespec t = {(time_t)(null_option_values.stall_ms / 1000),
			     (long)(null_option_values.stall_ms % 1000) * 1000000};

	nanosleep(&t, NULL);
}

static __attribute__((noinline)) void null_spin(uint64_t ns)
{
	uint64_t until = null_now_ns() + ns;

	while (null_now_ns() < until)
		;
}

static __attribute__((noinline)) void null_delay(struct null_session *s, uint64_t ns)
{
	if (null_option_values.stall_every &&
	    ++s->calls % null_option_values.stall_every == 0)
		null_stall();
	if (ns)
		null_spin(ns > s->wait_excess_ns ? ns - s->wait_excess_ns : 0);
}

/*
 * A put has a conflict if another session made the last put, and so do `conflicts` puts
 * of every `conflict_every`.
 */
static bool null_has_conflict(struct null_session *s)
{
	uint64_t every = null_option_values.conflict_every;

	if (null_option_values.conflict_others && atomic_exchange(&s->db->writer, s) != s)
		return true;
	return every && ++s->puts >= every &&
	       s->puts % every < null_option_values.conflicts;
}

/* Not inlined, so that a plain put is a handful of instructions. */
static __attribute__((noinline)) enum status null_write(struct null_session *s)
{
	null_delay(s, null_option_values.put_ns);
	return null_has_conflict(s) ? CONFLICT : DONE;
}

static enum status null_put(struct session *session, struct slice key, struct slice value)
{
	struct null_session *s = null_session_of(session);

	(void)key;
	(void)value;
	return s->fast_path ? DONE : null_write(s);
}

static enum status null_del(struct session *s, struct slice key)
{
	return null_put(s, key, (struct slice){NULL, 0});
}

/* Writes record `index` into the session's buffers. */
static void null_make_record(struct null_session *s, uint64_t index)
{
	const struct oracle *o = s->settings->oracle;

	s->fixed_value = (struct slice){s->value, o->record(o, index, s->key, s->value)};
}

/*
 * After the requested delay, returns the value of that key, byte for byte with
 * --verify=1. Not inlined, so that a plain get is a handful of instructions.
 */
static __attribute__((noinline)) enum status null_make_value(struct null_session *s,
							     struct slice key,
							     struct slice *value)
{
	const struct oracle *o = s->settings->oracle;
	uint64_t index = 0;

	null_delay(s, s->get_ns);
	if (s->settings->verify) {
		index = o->index(o, key);
		if (index != UINT64_MAX)
			null_make_record(s, index);
	}
	*value = s->fixed_value;
	return key.size == s->key_size && index != UINT64_MAX ? DONE : NOT_FOUND;
}

static enum status null_get(struct session *session, struct slice key,
			    struct slice *value)
{
	struct null_session *s = null_session_of(session);

	if (key.size != s->fast_path_key_size)
		return null_make_value(s, key, value);
	*value = s->fixed_value;
	return DONE;
}

/* Returns record `index` in a scan. */
static enum status null_return_record(struct null_session *s, uint64_t index,
				      struct slice *key, struct slice *value)
{
	if (index >= s->records)
		return NOT_FOUND;
	if (s->settings->verify)
		null_make_record(s, index);
	s->scan_record = index;
	*key = (struct slice){s->key, s->key_size};
	*value = s->fixed_value;
	return DONE;
}

static enum status null_next(struct session *session, struct slice *key,
			     struct slice *value)
{
	struct null_session *s = null_session_of(session);

	return null_return_record(s, s->scan_record + 1, key, value);
}

/* Going below the first record wraps, and ends the scan as well. */
static enum status null_prev(struct session *session, struct slice *key,
			     struct slice *value)
{
	struct null_session *s = null_session_of(session);

	return null_return_record(s, s->scan_record - 1, key, value);
}

static enum status null_last(struct session *session, struct slice *key,
			     struct slice *value)
{
	struct null_session *s = null_session_of(session);

	return null_return_record(s, s->records - 1, key, value);
}

static enum status null_seek(struct session *session, struct slice from,
			     struct slice *key, struct slice *value)
{
	struct null_session *s = null_session_of(session);
	const struct oracle *o = s->settings->oracle;
	enum status status =
		null_return_record(s, from.data ? o->index(o, from) : 0, key, value);

	if (from.data && status == DONE)
		*key = from;
	return status;
}

static enum status null_begin(struct session *s)
{
	(void)s;
	return DONE;
}

static void null_release(struct session *s)
{
	(void)s;
}

/*
 * Waits end late, and reading the clock is part of them: the excess of one call, in the
 * quietest of several rounds.
 */
static uint64_t null_spin_excess(void)
{
	enum { ROUNDS = 40, SPINS = 20, NS = 1000 };
	uint64_t best = UINT64_MAX;

	for (int round = 0; round < ROUNDS; round++) {
		uint64_t start = null_now_ns(), took;

		for (int i = 0; i < SPINS; i++)
			null_spin(NS);
		took = (null_now_ns() - start) / SPINS;
		best = took < best ? took : best;
	}
	return best > NS ? best - NS : 0;
}

static const char *null_version(void)
{
	return "1";
}

static enum status null_open(struct db *opened, const struct settings *settings,
			     char *why)
{
	struct null_db *db = (struct null_db *)opened;

	if (null_option_values.get_ns | null_option_values.put_ns)
		db->wait_excess_ns = null_spin_excess();
	(void)why;
	db->settings = settings;
	return DONE;
}

static struct traits null_check_settings(const struct settings *settings)
{
	(void)settings;
	if (null_option_values.conflict_every > 1 &&
	    null_option_values.conflict_every <= null_option_values.conflicts)
		return invalid_settings(
			"--null_conflicts: give less than --null_conflict_every, or no "
			"put is ever done");
	return (struct traits){.discards_writes = true};
}

static enum status null_close(struct db *opened, char *why)
{
	(void)opened;
	(void)why;
	return DONE;
}

static size_t null_session_extra_size(const struct settings *settings)
{
	return settings->key_size + settings->value_size + 1;
}

/* --null_get_ns on the response surface of --null_x and --null_y. */
static uint64_t null_get_time(void)
{
	double x = (double)null_option_values.x - 7, y = (double)null_option_values.y - 4;

	return (uint64_t)((double)null_option_values.get_ns *
			  (50 + x * x + y * y - x * y) / 87);
}

static enum status null_attach(struct session *session, struct db *opened, char *why)
{
	struct null_session *s = null_session_of(session);
	struct null_db *db = (struct null_db *)opened;

	(void)why;
	s->db = db;
	s->settings = db->settings;
	s->wait_excess_ns = db->wait_excess_ns;
	s->get_ns = null_get_time();
	s->fast_path = !(null_option_values.get_ns | null_option_values.put_ns |
			 null_option_values.stall_every |
			 null_option_values.conflict_every |
			 null_option_values.conflict_others) &&
		       !db->settings->verify;
	s->key_size = db->settings->key_size;
	s->fast_path_key_size = s->fast_path ? s->key_size : SIZE_MAX;
	s->key = s->value + db->settings->value_size + 1;
	s->records = db->settings->oracle->records;
	null_make_record(s, 0);
	return DONE;
}

const struct engine engine = {
	.name = "null",
	.title = "null engine",
	.version = null_version,
	.effective_durability = {DURABILITY_NONE, DURABILITY_ASYNC, DURABILITY_SYNC},
	.options = null_options,
	.stores_nothing = true,
	.transactions = true,
	.db_size = sizeof(struct null_db),
	.session_size = sizeof(struct null_session),
	.put = null_put,
	.append = null_put,
	.del = null_del,
	.get = null_get,
	.seek = null_seek,
	.last = null_last,
	.next = null_next,
	.prev = null_prev,
	.snapshot = null_begin,
	.release = null_release,
	.begin = null_begin,
	.commit = null_begin,
	.rollback = null_release,
	.check_settings = null_check_settings,
	.open = null_open,
	.close = null_close,
	.session_extra_size = null_session_extra_size,
	.attach = null_attach,
	.detach = null_release,
};
