/*
 * crash.c: what conform's databases hold after kill -9 and after a power cut.
 *
 * Each thread commits a history that follows from its number alone, so that afterwards
 * every record tells whether its commit is there: single puts, batches and deletes, at
 * scattered keys, which change and split pages everywhere, and at keys above all others.
 * Before it a database is made without any durability and closed: what is in it must not
 * be lost either.
 */
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#endif

#include "conform.h"
#include "../util/random.h"

/* ---- the history of a thread ---- */

enum {
	SETTLED = 2000,
	CYCLE = 6,
	SCATTERED = 7,
	APPENDED = 3,
	WRITES = 4,
	NEVER = CYCLE
};

/* A commit changes records of its cycle: 0 to 6 are scattered, 7 to 9 appended. */
static const struct commit {
	unsigned n; /* writes; several are a batch */
	struct {
		unsigned char record;
		bool deletes;
	} write[WRITES];
} cycle[CYCLE] = {
	{1, {{0, false}}},
	{1, {{7, false}}},
	{4, {{1, false}, {8, false}, {2, false}, {9, false}}},
	{1, {{0, true}}},
	{1, {{3, false}}},
	{4, {{4, false}, {1, true}, {5, false}, {6, false}}},
};

/* The commit of the cycle that deletes each record. */
static const unsigned deleted_by[SCATTERED + APPENDED] = {
	3, 5, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER,
};

static struct oracle crash_oracle = {.records = 1 << 20,
				     .index = conform_index,
				     .record = conform_record};

/* Three quarters of the places are scattered over, from there on upwards is appended. */
static uint64_t scattered_slots(void)
{
	/* Such an engine writes all places at first, 4 KiB each. */
	if (engine.fixed_size)
		crash_oracle.records = 1 << 15;
	return crash_oracle.records / 4 * 3;
}

static uint64_t slot_of(uint64_t number)
{
	static struct random_permutation scatter;

	if (!scatter.n)
		scatter = random_permutation_make(scattered_slots(), 1);
	return random_permutation_at(&scatter, number);
}

/* Who commits: thread `number` of `of`. */
struct commit_thread {
	unsigned number, of;
};

/* The place among all keys of a record of the author's commit n. */
static uint64_t slot_in(struct commit_thread a, uint64_t n, unsigned record)
{
	uint64_t cycle_number = n / CYCLE * a.of + a.number;

	if (record < SCATTERED)
		return slot_of(SETTLED + cycle_number * SCATTERED + record);
	return scattered_slots() + cycle_number * APPENDED + record - SCATTERED;
}

/* Commits that there are places for, scattered and appended. */
static uint64_t most_commits(unsigned threads)
{
	uint64_t scattered = (scattered_slots() - SETTLED) / SCATTERED,
		 appended = (crash_oracle.records - scattered_slots()) / APPENDED;

	return ((scattered < appended ? scattered : appended) / threads - 1) * CYCLE;
}

static enum status put_slot(struct session *s, uint64_t slot)
{
	char key[KEY + 1], value[VALUE];

	return engine.put(s, conform_key(key, slot), conform_value(value, slot, 0));
}

static enum status delete_slot(struct session *s, uint64_t slot)
{
	char key[KEY + 1];

	return engine.del(s, conform_key(key, slot));
}

/* The author's commit n, once. */
static enum status try_commit(struct session *s, struct commit_thread a, uint64_t n)
{
	const struct commit *c = &cycle[n % CYCLE];
	bool batch = c->n > 1 && engine.begin;
	enum status status = batch ? engine.begin(s) : DONE;

	for (unsigned i = 0; status == DONE && i < c->n; i++) {
		uint64_t slot = slot_in(a, n, c->write[i].record);

		status = c->write[i].deletes ? delete_slot(s, slot) : put_slot(s, slot);
	}
	return batch && status == DONE ? engine.commit(s) : status;
}

static enum status commit(struct session *s, struct commit_thread a, uint64_t n)
{
	enum status status;

	while ((status = try_commit(s, a, n)) == CONFLICT)
		;
	return status;
}

static struct settings history_settings(const char *path, bool create,
					enum durability durability)
{
	struct settings s = conform_settings(path, create, VALUE);

	scattered_slots();
	s.num = crash_oracle.records;
	s.durability = durability;
	s.oracle = &crash_oracle;
	return s;
}

/* Syncs the file system of an open file, or all of them where it cannot be named. */
static int sync_file_system(int fd)
{
#ifdef __linux__
	return syncfs(fd);
#else
	sync();
	return (void)fd, 0;
#endif
}

/* The records before the history, closed and synced, at a `const char *`. */
static void load_settled_records(void *argument)
{
	const char *path = *(const char **)argument;
	struct test_database p =
		conform_open_with(history_settings(path, true, DURABILITY_NONE));
	int fd = open(path, O_RDONLY | O_DIRECTORY);

	for (uint64_t i = 0; i < SETTLED; i++) {
		if (put_slot(p.session, slot_of(i)) != DONE)
			conform_fatal("loads a database");
	}
	if (!conform_close(p) || fd < 0 || sync_file_system(fd))
		conform_fatal("closes and syncs a database");
	close(fd);
}

/* ---- what is left of it ---- */

/* What of a place there is; TOLD: the engine said that it cannot read it. */
enum { SCANNED = 1, GOT = 2, TOLD = 4 };

struct surviving {
	/*
	 * commits, acknowledged, of which something is not there, or was deleted and is
	 */
	uint64_t lost;
	uint64_t partial;     /* batches that are there in part */
	uint64_t lost_before; /* records that had been synced long before */
	uint64_t wrong;       /* records that are damaged or foreign */
	uint64_t failed;      /* reads that ended in an error, scan included */
	/* records found by scan or by get, not by both, though neither failed */
	uint64_t disagree;
	bool scan_failed;
	/* commits that are there, though an earlier one of their thread is not */
	uint64_t after_gap;
	uint64_t unacknowledged; /* commits that are there all the same */
};

/* Walk over all of it. */
static void scan_all(struct session *s, unsigned char *found, struct surviving *left)
{
	struct slice key, value;
	char expected[VALUE];
	uint64_t visited = 0;
	enum status status = engine.seek(s, conform_slice(NULL, 0), &key, &value);

	/* What is damaged can go round in circles. */
	for (; status == DONE && visited <= crash_oracle.records; visited++) {
		uint64_t slot = conform_index(&crash_oracle, key);

		if (slot == UINT64_MAX ||
		    !conform_is_same(value, conform_value(expected, slot, 0)))
			left->wrong++;
		else
			found[slot] |= SCANNED;
		status = engine.next(s, &key, &value);
	}
	left->wrong += status == DONE;
	left->scan_failed = status != DONE && status != NOT_FOUND;
	left->failed += left->scan_failed;
}

static void get_slot(struct session *s, uint64_t slot, unsigned char *found,
		     struct surviving *left)
{
	char key[KEY + 1], value[VALUE];
	struct slice got = {NULL, 0};
	enum status status = engine.get(s, conform_key(key, slot), &got);

	if (status == DONE && conform_is_same(got, conform_value(value, slot, 0)))
		found[slot] |= GOT;
	left->wrong += status == DONE && !(found[slot] & GOT);
	if (status != DONE && status != NOT_FOUND) {
		found[slot] |= TOLD;
		left->failed++;
	}
	left->disagree += !left->scan_failed && found[slot] && !(found[slot] & TOLD) &&
			  found[slot] != (SCANNED | GOT);
}

/*
 * Is commit n of which so many were acknowledged there: wholly, in part, not; and what
 * must be is lost?
 */
static void count_commit(struct commit_thread a, uint64_t n, uint64_t acknowledged,
			 const unsigned char *found, struct surviving *left, bool *gap)
{
	const struct commit *c = &cycle[n % CYCLE];
	unsigned there = 0, absent = 0;
	bool lost = false;

	for (unsigned i = 0; i < c->n; i++) {
		unsigned record = c->write[i].record, by = deleted_by[record];
		bool is = found[slot_in(a, n, record)] & GOT;

		/*
		 * Of a put that may have been deleted since nothing is known; nor of a
		 * delete, if its put may be lost; nor of a read that failed.
		 */
		if (found[slot_in(a, n, record)] & TOLD ||
		    (c->write[i].deletes ? !is : by != NEVER))
			continue;
		lost |= is == c->write[i].deletes;
		*(is == c->write[i].deletes ? &absent : &there) += 1;
	}
	left->lost += lost && n < acknowledged;
	left->partial += there && absent && c->n > 1;
	left->unacknowledged += there && n >= acknowledged;
	left->after_gap += *gap && there;
	*gap |= absent > 0;
}

/* All cycles that had been begun, and one more. */
static uint64_t commits_to_look_at(uint64_t acknowledged, unsigned threads)
{
	uint64_t n = (acknowledged / CYCLE + 2) * CYCLE, most = most_commits(threads);

	return n < most ? n : most;
}

static struct surviving count_surviving(struct session *s, const uint64_t *counts,
					unsigned threads)
{
	unsigned char *found = calloc(crash_oracle.records, 1);
	struct surviving left = {0};

	if (!found)
		conform_fatal("memory");
	scan_all(s, found, &left);
	for (uint64_t i = 0; i < SETTLED; i++) {
		get_slot(s, slot_of(i), found, &left);
		left.lost_before += !(found[slot_of(i)] & (GOT | TOLD));
	}
	for (unsigned t = 0; t < threads; t++) {
		uint64_t n = commits_to_look_at(counts[t], threads);
		struct commit_thread a = {t, threads};
		bool gap = false;

		for (uint64_t first = 0; first < n; first += CYCLE)
			for (unsigned record = 0; record < SCATTERED + APPENDED; record++)
				get_slot(s, slot_in(a, first, record), found, &left);
		for (uint64_t i = 0; i < n; i++)
			count_commit(a, i, counts[t], found, &left, &gap);
	}
	free(found);
	return left;
}

/* ---- kill -9 ---- */

/* Commit on and on, and say on the pipe how many are acknowledged. */
static _Noreturn void commit_until_killed(struct settings s, int to)
{
	struct test_database p = conform_open_with(s);
	const struct commit_thread only = {0, 1};

	for (uint64_t n = 0; n < most_commits(1);) {
		if (commit(p.session, only, n++) != DONE ||
		    write(to, &n, sizeof n) != sizeof n)
			_exit(1);
	}
	pause();
	_exit(1);
}

/*
 * Kill a child after at least `least` commits and a random moment; answers how many it
 * acknowledged.
 */
static uint64_t kill_child(struct settings s, uint64_t least, unsigned *seed)
{
	uint64_t acknowledged = 0, last;
	int ends[2];
	pid_t pid;

	if (pipe(ends) || (pid = fork()) < 0)
		conform_fatal("a child process");
	if (!pid) {
		close(ends[0]);
		commit_until_killed(s, ends[1]);
	}
	close(ends[1]);
	while (read(ends[0], &last, sizeof last) == sizeof last &&
	       (acknowledged = last) < least)
		;
	conform_sleep_us((uint64_t)(rand_r(seed) % 20000));
	kill(pid, SIGKILL);
	while (read(ends[0], &last, sizeof last) == sizeof last)
		acknowledged = last;
	close(ends[0]);
	waitpid(pid, NULL, 0);
	return acknowledged;
}

/* Of one round: what it is about, and what a child finds when it opens the database. */
struct kill_round {
	const char *path;
	enum durability durability;
	uint64_t acknowledged;
	struct surviving left;
	unsigned non_atomic;
	bool opened;
};

static void look_after_kill(void *argument)
{
	struct kill_round *r = argument;
	struct test_database p =
		conform_try_open(history_settings(r->path, false, r->durability));

	r->non_atomic = conform_non_atomic(&p);
	r->opened = p.session;
	if (r->opened)
		r->left = count_surviving(p.session, &r->acknowledged, 1);
	else
		printf("# the engine's words: %s\n", conform_error);
	conform_close(p);
}

/* Adds up what is left after a kill; was anything hurt but batches that were begun? */
static bool add_surviving(struct surviving *sum, const struct surviving *left)
{
	uint64_t wrong = left->wrong + left->failed + left->lost_before + left->disagree;

	sum->lost += left->lost;
	sum->partial += left->partial;
	sum->wrong += wrong;
	return left->lost || wrong;
}

/* Each open is in a child of its own, and this process opens no database. */
void crash_test_kill(enum durability d, unsigned rounds)
{
	enum { LEAST = 300 };
	const char *word = conform_durabilities[d];
	struct kill_round *r = conform_shared_memory(sizeof *r);
	struct surviving sum = {0};
	uint64_t all = 0;
	unsigned seed = (unsigned)getpid(), ruined = 0, hurt = 0, partial = 0;
	char name[32], text[200];
	bool borne;

	for (unsigned round = 0; round < rounds; round++) {
		snprintf(name, sizeof name, "kill-%s-%u", word, round);
		*r = (struct kill_round){.path = conform_path(name), .durability = d};
		conform_in_child(load_settled_records, &r->path);
		r->acknowledged =
			kill_child(history_settings(r->path, false, d), LEAST, &seed);
		all += r->acknowledged;
		conform_in_child(look_after_kill, r);
		partial |= r->non_atomic;
		ruined += !r->opened;
		hurt += add_surviving(&sum, &r->left);
	}
	munmap(r, sizeof *r);
	/* What costs a database now and then is said to, and is no rule. */
	borne = d == DURABILITY_NONE ||
		ruined + hurt <= (partial & NON_ATOMIC_DATABASE ? rounds / 2 : 0);
	snprintf(text, sizeof text,
		 "%s: of %" PRIu64
		 " commits that were acknowledged before kill -9, %" PRIu64
		 " are lost; %u of %u databases do not open",
		 word, all, sum.lost, ruined, rounds);
	conform_report(all >= rounds * (uint64_t)LEAST && borne, text);
	if (d == DURABILITY_NONE)
		return;
	snprintf(text, sizeof text, "%s: and %" PRIu64 " batches are there in part", word,
		 sum.partial);
	conform_report(!sum.partial || partial & NON_ATOMIC_CRASH, text);
	snprintf(text, sizeof text,
		 "%s: and %" PRIu64 " records of before or elsewhere are lost or damaged",
		 word, sum.wrong);
	conform_report(!sum.wrong || (borne && partial & NON_ATOMIC_DATABASE), text);
}

/* ---- power loss ---- */

/* What the parent of the writers sees. */
struct writer {
	const struct test_database *pair;
	struct commit_thread author;
	_Atomic uint64_t acknowledged;
	_Atomic bool failed;
	char why[ENGINE_ERROR_SIZE];
};

static void *writer(void *argument)
{
	struct writer *w = argument;
	struct session *s = conform_attach(w->pair, w->why);
	uint64_t n = 0, most = most_commits(w->author.of);

	for (; s && n < most && commit(s, w->author, n) == DONE; n++)
		w->acknowledged++;
	/* Who has filled all places waits for the end. */
	w->failed = n < most;
	return NULL;
}

/*
 * Commit by n threads; until the power is cut and this process is killed. What nobody
 * syncs the kernel writes back after 5 to 30 seconds; here every `write_back` seconds,
 * so that cuts fall into it.
 */
static _Noreturn void write_until_cut(const struct power_cut *cut, struct writer *writers)
{
	pthread_t thread;
	struct test_database pair =
		conform_open_with(history_settings(conform_top_directory, false,
						   (enum durability)cut->durability));
	int fd = open(conform_top_directory, O_RDONLY | O_DIRECTORY);

	for (unsigned i = 0; i < cut->threads; i++) {
		writers[i].pair = &pair;
		writers[i].author = (struct commit_thread){i, (unsigned)cut->threads};
		if (pthread_create(&thread, NULL, writer, &writers[i]))
			conform_fatal("threads");
	}
	for (;;) {
		conform_sleep_us((uint64_t)(cut->write_back * 1e6));
		if (cut->durability != DURABILITY_SYNC)
			sync_file_system(fd);
	}
}

/*
 * With the servers of an engine dead its writers come to an end: then their counts are
 * known exactly.
 */
static bool ended_with_servers(const struct writer *writers, uint64_t n, uint64_t *counts)
{
	enum { MOST = 10000 }; /* of waits of a millisecond */
	unsigned ended = 0;

	for (int i = 0; ended < n && i < MOST; i++) {
		ended = 0;
		for (unsigned k = 0; k < n; k++)
			ended += writers[k].failed;
		conform_sleep_us(1000);
	}
	for (unsigned k = 0; k < n; k++)
		counts[k] = writers[k].acknowledged;
	return ended == n;
}

/* Are all the writers at work? What they have acknowledged goes to `counts`. */
static bool all_writing(pid_t pid, struct writer *writers, uint64_t n, uint64_t *counts)
{
	bool all = !waitpid(pid, NULL, WNOHANG);

	for (unsigned i = 0; i < n; i++) {
		counts[i] = writers[i].acknowledged;
		all &= !writers[i].failed;
		if (writers[i].failed)
			memcpy(conform_error, writers[i].why, sizeof conform_error);
	}
	return all;
}

int crash_cut_power(const struct power_cut *cut)
{
	struct random chance = random_seed(cut->seed, "cut");
	struct writer *writers =
		mmap(NULL, cut->threads * sizeof *writers, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	uint64_t counts[SESSIONS] = {0};
	int fd = open(cut->switch_file, O_WRONLY | O_CLOEXEC);
	bool ok;
	pid_t pid;

	if (writers == MAP_FAILED || fd < 0)
		conform_fatal("has a power switch");
	conform_in_child(load_settled_records, &conform_top_directory);
	if ((pid = fork()) < 0)
		conform_fatal("a child process");
	if (!pid && !prctl(PR_SET_PDEATHSIG, SIGKILL))
		write_until_cut(cut, writers);
	while ((ok = all_writing(pid, writers, cut->threads, counts)) && !counts[0])
		conform_sleep_us(1000);
	conform_sleep_us(random_below(&chance, (uint64_t)(cut->seconds * 1e6)));
	/* What is acknowledged from here until the power fails is not asked for. */
	ok = ok && all_writing(pid, writers, cut->threads, counts);
	if (!ok || write(fd, "1", 1) != 1)
		conform_fatal("commits until the power is cut");
	if (engine.server_usage && !ended_with_servers(writers, cut->threads, counts))
		conform_fatal("has servers that die when the power is cut");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	for (unsigned i = 0; i < cut->threads; i++)
		printf("%s%" PRIu64, i ? "," : "", counts[i]);
	printf("\n");
	return 0;
}

int crash_recount(const char *list, int durability)
{
	uint64_t counts[SESSIONS];
	unsigned threads = 0;
	struct surviving left;
	struct test_database p =
		conform_try_open(history_settings(conform_top_directory, false,
						  (enum durability)durability));
	char *rest;

	for (; threads < SESSIONS && *list; list = *rest ? rest + 1 : rest)
		counts[threads++] = strtoull(list, &rest, 10);
	if (!p.session) {
		printf("{\"opens\":0}\n");
		fprintf(stderr, "%s\n", conform_error);
		return 0;
	}
	left = count_surviving(p.session, counts, threads);
	/* That which the engine says may be is no damage. */
	if (conform_non_atomic(&p) & NON_ATOMIC_CRASH)
		left.partial = 0;
	printf("{\"opens\":1,\"lost\":%" PRIu64 ",\"partial_batches\":%" PRIu64
	       ",\"settled_lost\":%" PRIu64 ",\"wrong\":%" PRIu64 ",\"failed\":%" PRIu64
	       ",\"scan_disagrees\":%" PRIu64 ",\"after_a_gap\":%" PRIu64
	       ",\"unacknowledged\":%" PRIu64 "}\n",
	       left.lost, left.partial, left.lost_before, left.wrong, left.failed,
	       left.disagree, left.after_gap, left.unacknowledged);
	fflush(stdout); /* the engine may die in what follows */
	printf("{\"writes_on\":%d}\n",
	       put_slot(p.session, slot_of(0)) == DONE && conform_close(p));
	fprintf(stderr, "%s\n", conform_error);
	return 0;
}

/* ---- faults ---- */

/*
 * Commits, one after another, until one fails: how many of the history are done then. Each
 * is said at once, as the engine may die in the next, or in closing.
 */
static uint64_t commit_some(struct session *s, uint64_t first, uint64_t n)
{
	const struct commit_thread only = {0, 1};
	uint64_t done = first, most = most_commits(1);

	if (most > first + n)
		most = first + n;
	while (done < most && commit(s, only, done) == DONE) {
		printf("{\"acknowledged\":%" PRIu64 "}\n", ++done);
		fflush(stdout);
	}
	return done;
}

int crash_commit(uint64_t first, uint64_t n, int durability)
{
	struct test_database p;
	uint64_t done = first;
	bool closed = false;

	if (!first)
		load_settled_records(&conform_top_directory);
	p = conform_try_open(history_settings(conform_top_directory, false,
					      (enum durability)durability));
	if (p.session) {
		done = commit_some(p.session, first, n);
		fprintf(stderr, "%s", conform_error);
		closed = conform_close(p);
	}
	printf("{\"acknowledged\":%" PRIu64 ",\"told\":%d}\n", done,
	       done < first + n || !closed);
	fprintf(stderr, "%s\n", done < first + n && closed ? "" : conform_error);
	return 0;
}

#ifdef __linux__
static int print_file_extents(const char *path, const struct stat *st, int type,
			      struct FTW *walk)
{
	enum { MOST = 4096 };
	static union {
		struct fiemap map;
		char bytes[sizeof(struct fiemap) + MOST * sizeof(struct fiemap_extent)];
	} all;
	int fd = type == FTW_F ? open(path, O_RDONLY | O_CLOEXEC) : -1;

	(void)st, (void)walk;
	all.map = (struct fiemap){.fm_length = FIEMAP_MAX_OFFSET,
				  .fm_flags = FIEMAP_FLAG_SYNC,
				  .fm_extent_count = MOST};
	if (fd >= 0 && ioctl(fd, FS_IOC_FIEMAP, &all.map))
		conform_fatal("tells where its files are");
	for (unsigned i = 0; fd >= 0 && i < all.map.fm_mapped_extents; i++) {
		const struct fiemap_extent *e = &all.map.fm_extents[i];

		if (!(e->fe_flags & FIEMAP_EXTENT_UNWRITTEN))
			printf("%llu %llu\n", (unsigned long long)e->fe_physical,
			       (unsigned long long)e->fe_length);
	}
	if (fd >= 0)
		close(fd);
	return 0;
}

int crash_print_extents(void)
{
	return nftw(conform_top_directory, print_file_extents, 16, FTW_PHYS) != 0;
}
#else
int crash_print_extents(void)
{
	fprintf(stderr, "--extents: only Linux tells where files are on a device\n");
	return 1;
}
#endif
