/*
 * null.c: an engine that stores nothing and returns every record.
 *
 * It measures the harness: the result of bench_null is part of every other result. Reads
 * return a value of the right size, and with --verify=1 the very value that the database
 * would hold. Calls can be slowed by a known amount, to check the reported latencies.
 * This is the only driver that reads a clock. A leak and creep can be planted as well.
 */
#include "../util/os/file_cache.h"
#include "driver_common.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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
	/* with --null_leak or --null_creep: */
	_Atomic uint64_t calls;
	_Atomic bool is_storing; /* by one session at a time */
	int calls_file;          /* -1: none */
	void *last_block; /* of the leaked memory; each begins with the one before */
	size_t leaked;
	uint64_t statistics; /* times that they were asked for */
	FILE *file;          /* of --null_slow=sync and read */
	/* the background work of --null_work_ms, and what it has done */
	pthread_t worker;
	pthread_mutex_t work, noting;
	atomic_bool has_worker, stop;
	struct event *events;
	size_t events_count;
};

struct null_session {
	bool fast_path; /* no delays, no verification: the shortest path */
	/* key size on the fast path; otherwise a size that no key has */
	size_t fast_path_key_size;
	struct slice fixed_value; /* returned by get */
	size_t key_size;
	const struct settings *settings;
	struct null_db *db;
	uint64_t wait_excess_ns, get_ns, calls, puts, slow_calls;
	uint64_t records;
	uint64_t scan_record; /* of a scan: the record last returned */
	char *key;            /* after the value */
	_Alignas(16) char value[];
};

static struct {
	uint64_t counter, get_ns, x, y, put_ns, stall_every, stall_ms, conflict_every,
		conflicts;
	uint64_t slow_every, work_ms, work_gap_ms;
	bool conflict_others, work_computes;
	double leak, creep;
	const char *calls_file;
	int slow, work;
} null_option_values;

/* Macros, as one source may hold this driver twice; in the order of the names. */
#define NULL_LEAK_BLOCK 4096 /* bytes */
#define NULL_SLOW_SYNC 0
#define NULL_SLOW_READ 1
#define NULL_SLOW_LOCK 2
static const char *const null_slow_names[] = {"sync", "read", "lock", NULL};
static const char *const null_work_names[] = {"flush", "compaction", "checkpoint", NULL};

static const struct option null_options[] = {
	{"null_get_ns", "0",
	 "Time that each get takes, in which its thread computes, ns. The null engine "
	 "has no records; this makes it as slow as wanted, to test the program.",
	 .count = &null_option_values.get_ns, .max = 1000000000, .group = "Null engine"},
	{"null_counter", "0",
	 "Number by which the null engine's counter \"planted\" rises in each "
	 "workload, to test the file of --engine_counters. 0: it does not "
	 "rise.",
	 .count = &null_option_values.counter},
	{"null_x", "0",
	 "Setting x, 0 to 20, which changes the time of a get in a known way, to test "
	 "automatic tuning. --null_get_ns is multiplied by (50 + (x-7)^2 + (y-4)^2 - "
	 "(x-7)(y-4)) / 87; y is --null_y. The factor is 1 if both are 0.",
	 .count = &null_option_values.x, .max = 20},
	{"null_y", "0",
	 "Setting y, 0 to 20, which changes the time of a get in a known way, to test "
	 "automatic tuning. --null_get_ns is multiplied by (50 + (x-7)^2 + (y-4)^2 - "
	 "(x-7)(y-4)) / 87; x is --null_x.",
	 .count = &null_option_values.y, .max = 20},
	{"null_put_ns", "0",
	 "Time that each put takes, in which its thread computes, ns. The null engine "
	 "stores nothing; this makes it as slow as wanted, to test the program.",
	 .count = &null_option_values.put_ns, .max = 1000000000},
	{"null_stall_every", "0",
	 "Number N: every Nth get or put of a thread sleeps for --null_stall_ms in "
	 "the null engine. It tests how stalls are reported. 0: none sleeps.",
	 .count = &null_option_values.stall_every},
	{"null_stall_ms", "0",
	 "Time for which the gets and puts sleep that --null_stall_every selects, ms. "
	 "0: they do not.",
	 .count = &null_option_values.stall_ms, .max = 3600000},
	{"null_slow_every", "0",
	 "Number N: every Nth get or put of a thread is slow in the null engine, for "
	 "the reason --null_slow. It tests --slow_calls. 0: none is.",
	 .count = &null_option_values.slow_every},
	{"null_slow", "sync",
	 "Reason why the calls that --null_slow_every selects are slow. sync: they "
	 "sync a temporary file. read: they read a file that is not in the page "
	 "cache. lock: they wait for the lock of the simulated background jobs "
	 "(--null_work_ms).",
	 .choice = &null_option_values.slow, .choices = null_slow_names},
	{"null_work_ms", "0",
	 "Duration of each background job that the null engine simulates, ms; 0: no "
	 "jobs. A job holds a lock; with --null_slow=lock, calls selected by "
	 "--null_slow_every wait for it. --null_work_gap_ms is the pause between two "
	 "jobs. Such jobs test --slow_calls.",
	 .count = &null_option_values.work_ms, .max = 3600000},
	{"null_work_gap_ms", "20",
	 "Mean time from the end of a simulated background job of "
	 "--null_work_ms to the start of the next, ms. Each time is uniformly "
	 "random, from 0 to twice this mean.",
	 .count = &null_option_values.work_gap_ms, .max = 3600000},
	{"null_work", "flush",
	 "Kind of background event as which the engine reports the simulated "
	 "jobs of --null_work_ms: memtable flush, compaction or checkpoint.",
	 .choice = &null_option_values.work, .choices = null_work_names},
	{"null_work_computes", "0",
	 "1: simulated background jobs of --null_work_ms use a CPU. 0: they sleep. "
	 "It tests the column bg_cpu_s.",
	 .flag = &null_option_values.work_computes},
	{"null_conflict_every", "0",
	 "Number N: every Nth put of a thread in the null engine returns a conflict, "
	 "and the program repeats it. It tests retries. 0: none does.",
	 .count = &null_option_values.conflict_every},
	{"null_conflicts", "1",
	 "Number of times in a row that a put returns a conflict, if "
	 "--null_conflict_every selects it.",
	 .count = &null_option_values.conflicts, .min = 1},
	{"null_conflict_others", "0",
	 "To test retries. 1: a put returns a conflict if another thread tried a put "
	 "since this thread's last try. A retry succeeds unless another put came "
	 "between. Real optimistic transactions conflict only on the same record. 0: "
	 "other threads cause no conflicts.",
	 .flag = &null_option_values.conflict_others},
	{"null_leak", "0",
	 "Memory leak, percent of the size of all records (keys and values) "
	 "per million calls of all threads. It tests leak detection. The "
	 "process allocates memory for all records when it opens the "
	 "database, then grows linearly. 0: no allocation and no leak.",
	 .real = &null_option_values.leak, .real_max = 1000000},
	{"null_creep", "0",
	 "Slowdown, percent of --null_get_ns and --null_put_ns per million "
	 "calls of all threads, added linearly. It tests how a slow decay is "
	 "detected. It has no effect on a time of 0. 0: none.",
	 .real = &null_option_values.creep, .real_max = 1000000},
	{"null_calls_file", "",
	 "File in which the null engine keeps its number of calls while the database "
	 "is closed. With it --null_leak and --null_creep go on after reopening. "
	 "Empty: they start again.",
	 .text = &null_option_values.calls_file},
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

static void null_sleep(uint64_t ms)
{
	struct timespec t = {(time_t)(ms / 1000), (long)(ms % 1000) * 1000000};

	nanosleep(&t, NULL);
}

#define NULL_BLOCK 4096  /* bytes */
#define NULL_BLOCKS 4096 /* of the temporary file */
#define NULL_READS 32
#define NULL_WRITES 64

/* Reads blocks far apart, which are then dropped from the cache again. */
static void null_read_cold(struct null_session *s)
{
	int fd = fileno(s->db->file);
	char block[NULL_BLOCK];

	for (unsigned i = 0; i < NULL_READS; i++) {
		uint64_t number = (s->slow_calls * 37 + i * (NULL_BLOCKS / NULL_READS)) %
				  NULL_BLOCKS;

		if (pread(fd, block, sizeof block, (off_t)(number * NULL_BLOCK)) < 0)
			return;
	}
	file_cache_drop_clean(fd);
}

/* One session at a time syncs; others that would wait for it. */
static void null_sync(struct null_session *s)
{
	static const char block[NULL_BLOCK];
	int fd = fileno(s->db->file);
	bool failed = false;

	pthread_mutex_lock(&s->db->work);
	for (unsigned i = 0; i < NULL_WRITES && !failed; i++)
		failed = pwrite(fd, block, sizeof block, (off_t)i * 16 * NULL_BLOCK) < 0;
	if (!failed)
		file_cache_sync(fd);
	pthread_mutex_unlock(&s->db->work);
}

/* Waits for the end of a piece of work that is under way. */
static void null_lock(struct null_session *s)
{
	pthread_mutex_lock(&s->db->work);
	pthread_mutex_unlock(&s->db->work);
}

static void null_be_slow(struct null_session *s)
{
	static void (*const slow[])(struct null_session *) = {
		[NULL_SLOW_SYNC] = null_sync,
		[NULL_SLOW_READ] = null_read_cold,
		[NULL_SLOW_LOCK] = null_lock,
	};

	if (++s->slow_calls % null_option_values.slow_every == 0)
		slow[null_option_values.slow](s);
}

static __attribute__((noinline)) void null_spin(uint64_t ns)
{
	uint64_t until = null_now_ns() + ns;

	while (null_now_ns() < until)
		;
}

static bool null_ages(void)
{
	return null_option_values.leak > 0 || null_option_values.creep > 0;
}

static double null_million_calls(struct null_db *db)
{
	return (double)atomic_load_explicit(&db->calls, memory_order_relaxed) / 1e6;
}

/* Hold as much memory as has leaked so far, and store the calls; false if that fails. */
static bool null_store_age(struct null_db *db)
{
	const struct settings *s = db->settings;
	uint64_t calls = atomic_load(&db->calls);
	double records = (double)s->num * (double)(s->key_size + s->value_size);
	double leaked = null_option_values.leak / 100 * null_million_calls(db);
	size_t size = null_option_values.leak > 0 ? (size_t)(records * (1 + leaked)) : 0;

	while (db->leaked + NULL_LEAK_BLOCK <= size) {
		void *block = malloc(NULL_LEAK_BLOCK);

		if (!block)
			return false;
		memset(block, 1, NULL_LEAK_BLOCK);
		*(void **)block = db->last_block;
		db->last_block = block;
		db->leaked += NULL_LEAK_BLOCK;
	}
	return db->calls_file < 0 ||
	       pwrite(db->calls_file, &calls, sizeof calls, 0) == sizeof calls;
}

/* One more call; a process that is killed forgets at most 1,024 calls. */
static uint64_t null_grow_older(struct null_session *s, uint64_t ns)
{
	struct null_db *db = s->db;

	if (!null_ages())
		return ns;
	if (atomic_fetch_add_explicit(&db->calls, 1, memory_order_relaxed) % 1024 ==
		    1023 &&
	    !atomic_exchange(&db->is_storing, true)) {
		(void)null_store_age(db);
		atomic_store(&db->is_storing, false);
	}
	return (uint64_t)((double)ns *
			  (1 + null_option_values.creep / 100 * null_million_calls(db)));
}

static __attribute__((noinline)) void null_delay(struct null_session *s, uint64_t ns)
{
	if (null_option_values.stall_every &&
	    ++s->calls % null_option_values.stall_every == 0)
		null_sleep(null_option_values.stall_ms);
	if (null_option_values.slow_every)
		null_be_slow(s);
	ns = null_grow_older(s, ns);
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
	enum status status;

	(void)null_grow_older(s, 0);
	status = null_return_record(s, from.data ? o->index(o, from) : 0, key, value);

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

/* Continue at the age that the file says. */
static enum status null_open_age(struct null_db *db, char *why)
{
	const char *path = null_option_values.calls_file;
	uint64_t calls = 0;

	db->calls_file = *path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
	if (db->calls_file >= 0 &&
	    pread(db->calls_file, &calls, sizeof calls, 0) == sizeof calls)
		atomic_store(&db->calls, calls);
	if ((!*path || db->calls_file >= 0) && null_store_age(db))
		return DONE;
	snprintf(why, ENGINE_ERROR_SIZE,
		 "--null_calls_file: cannot write %s, or no memory for --null_leak",
		 path);
	return FAILED;
}

/* The memory goes, as that of a process that ends; the calls stay in their file. */
static enum status null_close_age(struct null_db *db, char *why)
{
	bool stored = null_store_age(db);

	while (db->last_block) {
		void *block = db->last_block;

		db->last_block = *(void **)block;
		free(block);
	}
	if (db->calls_file >= 0)
		close(db->calls_file);
	if (!stored)
		snprintf(why, ENGINE_ERROR_SIZE, "--null_calls_file: cannot write it");
	return stored ? DONE : FAILED;
}

/* One piece of work, which is noted as a background event. */
static void null_do_work(struct null_db *db)
{
	static const enum event_kind kinds[] = {EVENT_FLUSH, EVENT_COMPACTION,
						EVENT_CHECKPOINT};
	struct event event = {.kind = kinds[null_option_values.work]}, *events;

	pthread_mutex_lock(&db->work);
	event.begin_ns = null_now_ns();
	if (null_option_values.work_computes)
		null_spin(null_option_values.work_ms * 1000000);
	else
		null_sleep(null_option_values.work_ms);
	event.end_ns = null_now_ns();
	pthread_mutex_unlock(&db->work);
	pthread_mutex_lock(&db->noting);
	events = realloc(db->events, (db->events_count + 1) * sizeof *events);
	if (events) {
		db->events = events;
		events[db->events_count++] = event;
	}
	pthread_mutex_unlock(&db->noting);
}

/* Gaps are irregular, and others in each run: so no work keeps in step with calls. */
static void *null_work(void *argument)
{
	struct null_db *db = argument;
	uint64_t random = null_now_ns() | 1;

	while (!db->stop) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		null_sleep(random % (2 * null_option_values.work_gap_ms + 1));
		null_do_work(db);
	}
	return NULL;
}

static enum status null_events(struct db *opened,
			       void (*note)(void *to, const struct event *), void *to,
			       char *why)
{
	struct null_db *db = (struct null_db *)opened;

	(void)why;
	pthread_mutex_lock(&db->noting);
	for (size_t i = 0; i < db->events_count; i++)
		note(to, &db->events[i]);
	db->events_count = 0;
	pthread_mutex_unlock(&db->noting);
	return DONE;
}

/* A temporary file whose blocks are on the device, and not in the cache. */
static bool null_make_file(struct null_db *db)
{
	static const char block[NULL_BLOCK];
	int fd;

	db->file = tmpfile();
	if (!db->file)
		return false;
	fd = fileno(db->file);
	for (unsigned i = 0; i < NULL_BLOCKS; i++)
		if (write(fd, block, sizeof block) < 0)
			return false;
	errno = file_cache_drop(fd);
	return errno == 0;
}

static enum status null_open(struct db *opened, const struct settings *settings,
			     char *why)
{
	struct null_db *db = (struct null_db *)opened;

	if (null_option_values.get_ns | null_option_values.put_ns)
		db->wait_excess_ns = null_spin_excess();
	db->settings = settings;
	pthread_mutex_init(&db->work, NULL);
	pthread_mutex_init(&db->noting, NULL);
	if (null_option_values.slow_every && null_option_values.slow != NULL_SLOW_LOCK &&
	    !null_make_file(db))
		return set_error(why, FAILED,
				 "--null_slow: cannot use a temporary file: %s",
				 strerror(errno));
	if (null_option_values.work_ms) {
		if (pthread_create(&db->worker, NULL, null_work, db))
			return set_error(why, FAILED,
					 "--null_work_ms: cannot start a "
					 "thread");
		db->has_worker = true;
	}
	return null_ages() ? null_open_age(db, why) : DONE;
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
	struct null_db *db = (struct null_db *)opened;

	db->stop = true;
	if (db->has_worker)
		pthread_join(db->worker, NULL);
	if (db->file)
		fclose(db->file);
	free(db->events);
	return null_ages() ? null_close_age(db, why) : DONE;
}

/* Asked once before and once after a run. */
static void null_statistics(struct db *opened, struct report *report)
{
	struct null_db *db = (struct null_db *)opened;

	REPORT_NUMBERS(report, {"planted", db->statistics++ * null_option_values.counter},
		       {"constant", 7});
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
			 null_option_values.stall_every | null_option_values.slow_every |
			 null_option_values.conflict_every |
			 null_option_values.conflict_others) &&
		       !null_ages() && !db->settings->verify;
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
	.merge = null_put,
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
	.events = null_events,
	.detach = null_release,
	.statistics = null_statistics,
};
