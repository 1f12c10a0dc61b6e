/*
 * null.c: an engine that stores nothing and answers everything.
 *
 * It measures the harness: what bench_null reports is what every other figure contains.
 * Reads are answered with a value of the right size, and with the very value the database
 * would hold when
 * --verify=1 asks to look at it. Calls can be made slow by a known amount, so that what
 * is reported can be held against what is known to have happened. This is the one driver
 * that reads a clock. With --null_keep=1 it keeps what is written, in memory and one
 * transaction at a time (kept.h), for workloads that look at what they have written; and
 * can be made to lose some of it.
 */
#include "engine.h"

#include <stdatomic.h>
#include <time.h>

#include "kept.h"

/*
 * Another driver calls these `struct db` and `struct session`. This one is the floor
 * beside each of them as well, in one source even (scripts/single.sh), and there those
 * names are the other's.
 */
struct null_db {
	const struct settings *settings;
	uint64_t excess_ns; /* what a busy wait takes beyond what it was asked for */
	struct kept kept;   /* of --null_keep */
	_Atomic(struct null_session *) writer; /* the last one that put */
};

struct null_session {
	bool plain;          /* no delays, no verification: the shortest way */
	size_t plain_key;    /* then the size of a key; else one that no key has */
	struct slice answer; /* to a get */
	size_t key_size;
	const struct settings *settings;
	struct null_db *db;
	uint64_t excess_ns, calls, puts;
	uint64_t records;
	uint64_t at; /* of a scan: the record last answered */
	struct kept_session kept; /* without `kept`: nothing is */
	char *key;   /* behind the value */
	_Alignas(16) char value[];
};

static struct {
	uint64_t get_ns, put_ns, stall_every, stall_ms, conflict_every, conflicts,
		lose_every;
	bool keep, conflict_others;
} null_tuning;

static const struct option null_options[] = {
	{"null_get_ns", "0", "Time for which each get keeps its CPU busy, ns.",
	 .count = &null_tuning.get_ns, .most = 1000000000, .group = "Null engine"},
	{"null_put_ns", "0", "Time for which each put keeps its CPU busy, ns.",
	 .count = &null_tuning.put_ns, .most = 1000000000},
	{"null_stall_every", "0",
	 "N: every Nth get or put of a session sleeps for --null_stall_ms; 0: none "
	 "sleeps.",
	 .count = &null_tuning.stall_every},
	{"null_stall_ms", "0",
	 "Time for which a get or put of --null_stall_every sleeps, ms.",
	 .count = &null_tuning.stall_ms, .most = 3600000},
	{"null_conflict_every", "0",
	 "N: every Nth put of a session answers a conflict and is done again; 0: none "
	 "does.",
	 .count = &null_tuning.conflict_every},
	{"null_conflicts", "1",
	 "Puts in a row that answer a conflict each time that --null_conflict_every has "
	 "one do so.",
	 .count = &null_tuning.conflicts, .least = 1},
	{"null_conflict_others", "0",
	 "1: a put answers a conflict if another session has put since the last put of "
	 "its own session; 0: it does not.",
	 .flag = &null_tuning.conflict_others},
	{"null_keep", "0",
	 "1: keep records in memory until the database is closed, and read them back, "
	 "one transaction at a time; 0: store nothing and answer what a database should "
	 "hold.",
	 .flag = &null_tuning.keep},
	{"null_lose_every", "0",
	 "N: every Nth overwrite is acknowledged and lost, with --null_keep=1; 0: none "
	 "is lost.",
	 .count = &null_tuning.lose_every},
	{0},
};

static struct null_session *null_own(struct session *s)
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
	struct timespec t = {(time_t)(null_tuning.stall_ms / 1000),
			     (long)(null_tuning.stall_ms % 1000) * 1000000};

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
	if (null_tuning.stall_every && ++s->calls % null_tuning.stall_every == 0)
		null_stall();
	if (ns)
		null_spin(ns > s->excess_ns ? ns - s->excess_ns : 0);
}

/*
 * Is it another session's turn, of which each takes it from the others? And from each put
 * of that number on a few give way.
 */
static bool null_gives_way(struct null_session *s)
{
	uint64_t every = null_tuning.conflict_every;

	if (null_tuning.conflict_others && atomic_exchange(&s->db->writer, s) != s)
		return true;
	return every && ++s->puts >= every && s->puts % every < null_tuning.conflicts;
}

/* Out of line, so that a plain put is a handful of instructions. */
static __attribute__((noinline)) enum status
null_write(struct null_session *s, struct slice key, struct slice value)
{
	null_delay(s, null_tuning.put_ns);
	if (null_gives_way(s)) {
		kept_rollback(&s->kept);
		return CONFLICT;
	}
	return s->kept.kept ? kept_put(&s->kept, key, value) : DONE;
}

static enum status null_put(struct session *session, struct slice key, struct slice value)
{
	struct null_session *s = null_own(session);

	return s->plain ? DONE : null_write(s, key, value);
}

static enum status null_del(struct session *s, struct slice key)
{
	return null_put(s, key, (struct slice){NULL, 0});
}

/* What is kept there. */
static enum status null_find(struct null_session *s, struct slice at,
			     enum kept_which which, struct slice *key,
			     struct slice *value)
{
	enum status status = kept_get(&s->kept, at, which);

	*key = s->kept.key;
	*value = s->kept.value;
	return status;
}

/* Have the session hold record `index`. */
static void null_recall_record(struct null_session *s, uint64_t index)
{
	const struct oracle *o = s->settings->oracle;

	s->answer = (struct slice){s->value, o->record(o, index, s->key, s->value)};
}

/*
 * After the delay asked for, the value that key must have, byte for byte if somebody
 * looks. Kept out of line so that a plain get is a handful of instructions.
 */
static __attribute__((noinline)) enum status null_recall(struct null_session *s,
							 struct slice key,
							 struct slice *value)
{
	const struct oracle *o = s->settings->oracle;
	uint64_t index = 0;

	null_delay(s, null_tuning.get_ns);
	if (s->kept.kept)
		return null_find(s, key, KEPT_AT, &key, value);
	if (s->settings->verify) {
		index = o->index(o, key);
		if (index != UINT64_MAX)
			null_recall_record(s, index);
	}
	*value = s->answer;
	return key.size == s->key_size && index != UINT64_MAX ? DONE : NOT_FOUND;
}

static enum status null_get(struct session *session, struct slice key,
			    struct slice *value)
{
	struct null_session *s = null_own(session);

	if (key.size != s->plain_key)
		return null_recall(s, key, value);
	*value = s->answer;
	return DONE;
}

/* Come to record `index` in a scan. */
static enum status null_come_to(struct null_session *s, uint64_t index, struct slice *key,
				struct slice *value)
{
	if (index >= s->records)
		return NOT_FOUND;
	if (s->settings->verify)
		null_recall_record(s, index);
	s->at = index;
	*key = (struct slice){s->key, s->key_size};
	*value = s->answer;
	return DONE;
}

static enum status null_next(struct session *session, struct slice *key,
			     struct slice *value)
{
	struct null_session *s = null_own(session);

	if (s->kept.kept)
		return null_find(s, s->kept.key, KEPT_ABOVE, key, value);
	return null_come_to(s, s->at + 1, key, value);
}

/* Below the first is beyond the last, too. */
static enum status null_prev(struct session *session, struct slice *key,
			     struct slice *value)
{
	struct null_session *s = null_own(session);

	if (s->kept.kept)
		return null_find(s, s->kept.key, KEPT_BELOW, key, value);
	return null_come_to(s, s->at - 1, key, value);
}

static enum status null_last(struct session *session, struct slice *key,
			     struct slice *value)
{
	struct null_session *s = null_own(session);

	if (s->kept.kept)
		return null_find(s, (struct slice){NULL, 0}, KEPT_BELOW, key, value);
	return null_come_to(s, s->records - 1, key, value);
}

static enum status null_seek(struct session *session, struct slice from,
			     struct slice *key, struct slice *value)
{
	struct null_session *s = null_own(session);
	const struct oracle *o = s->settings->oracle;
	enum status status;

	if (s->kept.kept)
		return null_find(s, from, from.data ? KEPT_FROM : KEPT_FIRST, key, value);
	status = null_come_to(s, from.data ? o->index(o, from) : 0, key, value);
	if (from.data && status == DONE)
		*key = from;
	return status;
}

static enum status null_hold(struct session *session, bool transaction)
{
	struct null_session *s = null_own(session);

	if (s->kept.kept)
		kept_hold(&s->kept, transaction);
	return DONE;
}

static enum status null_snapshot(struct session *s)
{
	return null_hold(s, false);
}

static void null_release(struct session *session)
{
	struct null_session *s = null_own(session);

	if (!s->kept.transaction)
		kept_release(&s->kept);
}

static enum status null_begin(struct session *s)
{
	return null_hold(s, true);
}

static enum status null_commit(struct session *s)
{
	kept_release(&null_own(s)->kept);
	return DONE;
}

static void null_rollback(struct session *session)
{
	struct null_session *s = null_own(session);

	if (s->kept.transaction)
		kept_rollback(&s->kept);
}

/*
 * Waits end late and reading the clock is part of them: by how much a call does, in the
 * quietest of some rounds.
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

	if (null_tuning.get_ns | null_tuning.put_ns)
		db->excess_ns = null_spin_excess();
	db->settings = settings;
	if (null_tuning.keep && !kept_open(&db->kept, null_tuning.lose_every))
		return because(why, FAILED, "out of memory");
	return DONE;
}

static const char *null_tune(struct settings *settings)
{
	settings->forgets = !null_tuning.keep;
	if (null_tuning.conflict_every > 1 &&
	    null_tuning.conflict_every <= null_tuning.conflicts)
		return "--null_conflicts: give less than --null_conflict_every, or no "
		       "put is ever done";
	return null_tuning.lose_every && !null_tuning.keep
		       ? "--null_lose_every: what is not kept is not lost; give "
			 "--null_keep=1"
		       : NULL;
}

static enum status null_close(struct db *opened, char *why)
{
	(void)why;
	kept_close(&((struct null_db *)opened)->kept);
	return DONE;
}

static size_t null_room(const struct settings *settings)
{
	return settings->key_size + settings->value_size + 1;
}

static enum status null_attach(struct session *session, struct db *opened, char *why)
{
	struct null_session *s = null_own(session);
	struct null_db *db = (struct null_db *)opened;

	(void)why;
	s->db = db;
	s->settings = db->settings;
	s->excess_ns = db->excess_ns;
	s->plain = !(null_tuning.get_ns | null_tuning.put_ns | null_tuning.stall_every |
		     null_tuning.conflict_every | null_tuning.conflict_others) &&
		   !db->settings->verify && !null_tuning.keep;
	s->key_size = db->settings->key_size;
	s->plain_key = s->plain ? s->key_size : SIZE_MAX;
	s->key = s->value + db->settings->value_size + 1;
	s->records = db->settings->oracle->records;
	null_recall_record(s, 0);
	if (null_tuning.keep)
		s->kept.kept = &db->kept;
	return DONE;
}

static void null_detach(struct session *s)
{
	kept_end(&null_own(s)->kept);
}

static void null_statistics(struct db *db, char *text, size_t size)
{
	(void)db;
	snprintf(text, size, "nothing is stored, so there is nothing to count\n");
}

const struct engine engine = {
	.name = "null",
	.title = "null engine",
	.version = null_version,
	.gives = {DURABILITY_NONE, DURABILITY_ASYNC, DURABILITY_SYNC},
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
	.snapshot = null_snapshot,
	.release = null_release,
	.begin = null_begin,
	.commit = null_commit,
	.rollback = null_rollback,
	.tune = null_tune,
	.open = null_open,
	.close = null_close,
	.session_room = null_room,
	.attach = null_attach,
	.detach = null_detach,
	.statistics = null_statistics,
};
