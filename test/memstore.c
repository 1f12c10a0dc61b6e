/*
 * memstore.c: a test engine, which keeps records in memory until its database is closed,
 * and runs one transaction at a time. It can lose updates, be slow, stall, and return
 * conflicts, so that tests see whether the suite notices. bench_memstore is built for
 * tests only.
 */
#include <stdatomic.h>
#include <time.h>

#include "memstore.h"

struct db {
	struct memstore store;
};

struct session {
	struct memstore_session kept;
	uint64_t calls, puts, gets, nexts;
	char *why;
};

static struct {
	uint64_t get_ns, stall_every, stall_ms, conflict_every, conflicts, lose_every,
		scan_conflict_every, get_conflict_every;
} option_values;

static const struct option options[] = {
	{"memstore_lose_every", "0",
	 "N: every Nth overwrite or delete is acknowledged and lost; 0: none is lost.",
	 .count = &option_values.lose_every, .group = "Test engine"},
	{"memstore_get_ns", "0", "Time for which each get sleeps, ns.",
	 .count = &option_values.get_ns, .max = 1000000000},
	{"memstore_stall_every", "0",
	 "N: every Nth get or put of a session sleeps for --memstore_stall_ms; 0: none "
	 "sleeps.",
	 .count = &option_values.stall_every},
	{"memstore_stall_ms", "0",
	 "Time for which a get or put of --memstore_stall_every sleeps, ms.",
	 .count = &option_values.stall_ms, .max = 3600000},
	{"memstore_conflict_every", "0",
	 "N: every Nth put of a session returns a conflict; 0: none does.",
	 .count = &option_values.conflict_every},
	{"memstore_get_conflict_every", "0",
	 "N: every Nth get of a session returns a conflict; 0: none does.",
	 .count = &option_values.get_conflict_every},
	{"memstore_scan_conflict_every", "0",
	 "N: every Nth next of a session returns a conflict; 0: none does.",
	 .count = &option_values.scan_conflict_every},
	{"memstore_conflicts", "1",
	 "Conflicts in a row that a put returns each time that "
	 "--memstore_conflict_every makes it return one.",
	 .count = &option_values.conflicts, .min = 1},
	{0},
};

static void sleep_ns(uint64_t ns)
{
	struct timespec t = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};

	nanosleep(&t, NULL);
}

static void stall(struct session *s)
{
	if (option_values.stall_every && ++s->calls % option_values.stall_every == 0)
		sleep_ns(option_values.stall_ms * 1000000);
}

static bool has_conflict(struct session *s)
{
	uint64_t every = option_values.conflict_every;

	return every && ++s->puts >= every && s->puts % every < option_values.conflicts;
}

static enum status check(struct session *s, enum status status)
{
	return status == FAILED ? set_error(s->why, FAILED, "out of memory") : status;
}

static enum status memstore_driver_put(struct session *s, struct slice key,
				       struct slice value)
{
	stall(s);
	if (has_conflict(s)) {
		memstore_rollback(&s->kept);
		return CONFLICT;
	}
	return check(s, memstore_put(&s->kept, key, value));
}

static enum status memstore_driver_del(struct session *s, struct slice key)
{
	return memstore_driver_put(s, key, (struct slice){NULL, 0});
}

static enum status find(struct session *s, struct slice at,
			enum memstore_position position, struct slice *key,
			struct slice *value)
{
	enum status status = memstore_get(&s->kept, at, position);

	*key = s->kept.key;
	*value = s->kept.value;
	return check(s, status);
}

static enum status memstore_driver_get(struct session *s, struct slice key,
				       struct slice *value)
{
	uint64_t every = option_values.get_conflict_every;

	stall(s);
	if (every && ++s->gets % every == 0) {
		memstore_rollback(&s->kept);
		return CONFLICT;
	}
	if (option_values.get_ns)
		sleep_ns(option_values.get_ns);
	return find(s, key, MEMSTORE_AT, &key, value);
}

static enum status memstore_driver_seek(struct session *s, struct slice from,
					struct slice *key, struct slice *value)
{
	return find(s, from, from.data ? MEMSTORE_FROM : MEMSTORE_FIRST, key, value);
}

static enum status memstore_driver_last(struct session *s, struct slice *key,
					struct slice *value)
{
	return find(s, (struct slice){NULL, 0}, MEMSTORE_BELOW, key, value);
}

static enum status memstore_driver_next(struct session *s, struct slice *key,
					struct slice *value)
{
	uint64_t every = option_values.scan_conflict_every;

	if (every && ++s->nexts % every == 0) {
		memstore_rollback(&s->kept);
		return CONFLICT;
	}
	return find(s, s->kept.key, MEMSTORE_ABOVE, key, value);
}

static enum status memstore_driver_prev(struct session *s, struct slice *key,
					struct slice *value)
{
	return find(s, s->kept.key, MEMSTORE_BELOW, key, value);
}

static enum status memstore_driver_begin(struct session *s)
{
	memstore_lock(&s->kept, true);
	return DONE;
}

static enum status memstore_driver_commit(struct session *s)
{
	memstore_unlock(&s->kept);
	return DONE;
}

static void memstore_driver_rollback(struct session *s)
{
	if (s->kept.in_transaction)
		memstore_rollback(&s->kept);
}

static const char *memstore_version(void)
{
	return "1";
}

static struct traits memstore_check_settings(const struct settings *s)
{
	(void)s;
	if (option_values.conflict_every > 1 &&
	    option_values.conflict_every <= option_values.conflicts)
		return invalid_settings("--memstore_conflicts: give less than "
					"--memstore_conflict_every, or no put is ever "
					"done");
	return (struct traits){.invalid = NULL};
}

static enum status memstore_driver_open(struct db *db, const struct settings *s,
					char *why)
{
	(void)s;
	return memstore_open(&db->store, option_values.lose_every)
		       ? DONE
		       : set_error(why, FAILED, "out of memory");
}

static enum status memstore_driver_close(struct db *db, char *why)
{
	(void)why;
	memstore_close(&db->store);
	return DONE;
}

static enum status memstore_attach(struct session *s, struct db *db, char *why)
{
	s->kept.store = &db->store;
	s->why = why;
	return DONE;
}

static void memstore_detach(struct session *s)
{
	memstore_end_session(&s->kept);
}

const struct engine engine = {
	.name = "memstore",
	.title = "memory",
	.version = memstore_version,
	.effective_durability = {DURABILITY_NONE, DURABILITY_ASYNC, DURABILITY_SYNC},
	.options = options,
	.stores_nothing = true,
	.transactions = true,
	.db_size = sizeof(struct db),
	.session_size = sizeof(struct session),
	.put = memstore_driver_put,
	.del = memstore_driver_del,
	.get = memstore_driver_get,
	.seek = memstore_driver_seek,
	.last = memstore_driver_last,
	.next = memstore_driver_next,
	.prev = memstore_driver_prev,
	.begin = memstore_driver_begin,
	.commit = memstore_driver_commit,
	.rollback = memstore_driver_rollback,
	.check_settings = memstore_check_settings,
	.open = memstore_driver_open,
	.close = memstore_driver_close,
	.attach = memstore_attach,
	.detach = memstore_detach,
};
