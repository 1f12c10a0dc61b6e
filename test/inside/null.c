/* null.c: which calls the null engine makes slow or lets conflict, and what its scans find. */
#include "../../engines/null.c"
#include "../tap.h"

enum { RECORDS = 5 };

static uint64_t oracle_index(const struct oracle *o, struct slice key)
{
	uint64_t index;

	memcpy(&index, key.data, sizeof index);
	return index < o->records ? index : UINT64_MAX;
}

static size_t oracle_record(const struct oracle *o, uint64_t index, char *key,
			    char *value)
{
	(void)o;
	memcpy(key, &index, sizeof index);
	memset(value, (int)('a' + index), index + 1);
	return index + 1;
}

static const struct oracle null_oracle = {.records = RECORDS,
					  .index = oracle_index,
					  .record = oracle_record};
static struct settings null_settings = {.key_size = 8,
					.value_size = 16,
					.num = RECORDS,
					.oracle = &null_oracle};
static char null_why[ENGINE_ERROR_SIZE];

static struct session *attach_to(struct null_db *db)
{
	struct session *s = calloc(1, sizeof(struct null_session) +
					      null_session_extra_size(&null_settings));

	db->settings = &null_settings;
	null_attach(s, (struct db *)db, null_why);
	return s;
}

/* The statuses of so many puts, C for a conflict. */
static const char *puts_of(struct session *s, unsigned n)
{
	static char text[32];

	for (unsigned i = 0; i < n; i++)
		text[i] = null_put(s, (struct slice){0}, (struct slice){0}) == CONFLICT
				  ? 'C'
				  : '.';
	text[n] = '\0';
	return text;
}

static void conflicts(void)
{
	struct null_db db = {.settings = NULL};
	struct session *one, *other;

	null_option_values.conflict_every = 4;
	null_option_values.conflicts = 2;
	one = attach_to(&db);
	tap_expect(!strcmp(puts_of(one, 13), "...CC..CC..CC"), "%s", puts_of(one, 0));
	free(one);
	null_option_values.conflict_every = 0;
	null_option_values.conflict_others = true;
	one = attach_to(&db);
	other = attach_to(&db);
	tap_expect(!strcmp(puts_of(one, 3), "C.."), "the first");
	tap_expect(!strcmp(puts_of(other, 2), "C."), "after another's");
	tap_expect(!strcmp(puts_of(one, 2), "C."), "again");
	free(one);
	free(other);
	null_option_values.conflict_others = false;
}

static void refusals(void)
{
	null_option_values.conflict_every = 3;
	null_option_values.conflicts = 3;
	tap_expect(null_check_settings(NULL).invalid, "no put would be done");
	null_option_values.conflicts = 2;
	tap_expect(!null_check_settings(NULL).invalid, "one of three is");
	null_option_values.conflict_every = null_option_values.conflicts = 1;
	tap_expect(!null_check_settings(NULL).invalid, "each one, once");
	null_option_values.conflict_every = 0;
	tap_expect(null_check_settings(NULL).discards_writes, "nothing is stored");
}

/* Calls are slow by turns of their own session; stalls and slow calls count apart. */
static void slowness(void)
{
	struct null_db db = {.settings = NULL};
	struct null_session *one, *other;
	struct slice key = {"12345678", 8}, value;

	pthread_mutex_init(&db.work, NULL);
	null_option_values.slow_every = 3;
	null_option_values.slow = NULL_SLOW_LOCK;
	null_option_values.stall_every = 5;
	one = null_session_of(attach_to(&db));
	other = null_session_of(attach_to(&db));
	tap_expect(!one->fast_path && one->fast_path_key_size == SIZE_MAX,
		   "no fast path");
	puts_of((struct session *)one, 4);
	null_get((struct session *)one, key, &value);
	tap_expect(one->slow_calls == 5 && one->calls == 5, "gets and puts count");
	tap_expect(!other->slow_calls && !other->calls, "each session for itself");
	free(one);
	free(other);
	null_option_values.slow_every = null_option_values.stall_every = 0;
	one = null_session_of(attach_to(&db));
	tap_expect(one->fast_path && one->fast_path_key_size == 8, "the fast path");
	tap_expect(null_get((struct session *)one, key, &value) == DONE &&
			   value.size == 1,
		   "which returns the first value");
	free(one);
}

static void surface(void)
{
	null_option_values.get_ns = 870;
	tap_expect(null_get_time() == 870, "as asked at 0 and 0");
	null_option_values.x = 7;
	null_option_values.y = 4;
	tap_expect(null_get_time() == 500, "least: %llu",
		   (unsigned long long)null_get_time());
	null_option_values.x = 10;
	tap_expect(null_get_time() == 590, "along x");
	null_option_values.y = 6;
	tap_expect(null_get_time() == 570, "along both");
	null_option_values.get_ns = null_option_values.x = null_option_values.y = 0;
}

static bool is_record(struct slice key, struct slice value, uint64_t index)
{
	return oracle_index(&null_oracle, key) == index && value.size == index + 1 &&
	       *(const char *)value.data == (char)('a' + index);
}

static void scans(void)
{
	struct null_db db = {.settings = NULL};
	uint64_t three = 3, none = 99;
	struct slice key, value;
	struct session *s;

	null_settings.verify = true;
	s = attach_to(&db);
	tap_expect(null_seek(s, (struct slice){NULL, 0}, &key, &value) == DONE &&
			   is_record(key, value, 0),
		   "the first");
	tap_expect(null_prev(s, &key, &value) == NOT_FOUND, "nothing is before it");
	tap_expect(null_seek(s, (struct slice){&three, 8}, &key, &value) == DONE &&
			   key.data == &three,
		   "the one that is sought");
	tap_expect(null_next(s, &key, &value) == DONE && is_record(key, value, 4),
		   "the next");
	tap_expect(null_next(s, &key, &value) == NOT_FOUND, "nothing is behind the last");
	tap_expect(null_last(s, &key, &value) == DONE && is_record(key, value, 4),
		   "the last");
	tap_expect(null_prev(s, &key, &value) == DONE && is_record(key, value, 3),
		   "the one before");
	tap_expect(null_get(s, (struct slice){&three, 8}, &value) == DONE &&
			   value.size == 4,
		   "its value");
	tap_expect(null_get(s, (struct slice){&none, 8}, &value) == NOT_FOUND,
		   "a key that was never written");
	tap_expect(null_get(s, (struct slice){&three, 7}, &value) == NOT_FOUND,
		   "a shorter key");
	free(s);
	null_settings.verify = false;
}

static struct event noted;
static int noted_count;

static void note(void *to, const struct event *e)
{
	(void)to;
	noted = *e;
	noted_count++;
}

static void work(void)
{
	static const enum event_kind kinds[] = {EVENT_FLUSH, EVENT_COMPACTION,
						EVENT_CHECKPOINT};
	struct null_db db = {.settings = &null_settings};

	pthread_mutex_init(&db.work, NULL);
	pthread_mutex_init(&db.noting, NULL);
	null_option_values.work_ms = 2;
	for (int i = 0; i < 3; i++) {
		null_option_values.work = i;
		null_do_work(&db);
		noted_count = 0;
		null_events((struct db *)&db, note, NULL, null_why);
		tap_expect(noted_count == 1 && noted.kind == kinds[i], "a %s",
			   null_work_names[i]);
		tap_expect(!noted.realtime && noted.end_ns - noted.begin_ns >= 2000000,
			   "of 2 ms");
	}
	null_events((struct db *)&db, note, NULL, null_why);
	tap_expect(noted_count == 1, "each is passed on once");
	free(db.events);
	null_option_values.work_ms = 0;
}

/* A thousand records of 24 bytes, and what leaks of them. */
static void ages(void)
{
	struct null_db db = {.settings = &null_settings,
			     .calls = 500000,
			     .calls_file = -1};
	struct null_session s = {.db = &db};

	null_option_values.creep = 10;
	tap_expect(null_grow_older(&s, 1000) == 1050, "5 %% after half a million calls");
	tap_expect(db.calls == 500001, "each call counts");
	null_option_values.creep = 0;
	null_option_values.leak = 50;
	null_settings.num = 10000;
	tap_expect(null_store_age(&db) && db.leaked == 299008, "%zu bytes", db.leaked);
	db.calls = 1000000;
	tap_expect(null_store_age(&db) && db.leaked == 356352, "%zu bytes", db.leaked);
	tap_expect(null_close_age(&db, null_why) == DONE && !db.last_block, "all go");
	null_option_values.leak = 0;
}

static void statistics(void)
{
	struct null_db db = {.settings = &null_settings};
	char text[64] = "";

	null_option_values.counter = 9;
	for (int i = 0; i < 3; i++)
		null_statistics((struct db *)&db,
				&(struct report){text, sizeof text, "=", " "});
	tap_expect(!strcmp(text, "planted=0 constant=7 planted=9 constant=7 planted=18 "
				 "constant=7"),
		   "%s", text);
}

int main(void)
{
	tap_run("null: which puts conflict", conflicts);
	tap_run("null: refuses conflicts without an end", refusals);
	tap_run("null: which calls are slow, each session for itself", slowness);
	tap_run("null: the time of a get is on the surface that its options say",
		surface);
	tap_run("null: scans find the records, and end at both ends", scans);
	tap_run("null: its work is noted once, as what it is", work);
	tap_run("null: it leaks and creeps as fast as asked", ages);
	tap_run("null: its counter rises by as much each time", statistics);
	return tap_end();
}
