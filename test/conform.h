/*
 * conform.h: what the tests of the contract in conform.c and those of crashes in crash.c
 * share: telling, records, databases. What cannot be done ends the program as a failed
 * test.
 */
#ifndef TEST_CONFORM_H
#define TEST_CONFORM_H

#include "../engines/driver_util.h"

enum { KEY = 16, VALUE = 100, SESSIONS = 16, PATH_SIZE = 4096 };

extern const char *const conform_durabilities[]; /* NULL-ended */
extern const char *conform_top_directory;        /* the directory of all databases */
extern char conform_error[ENGINE_ERROR_SIZE];    /* the engine's words */

/* One line of TAP, with the engine's words if it is not ok. */
void conform_report(bool ok, const char *what);
void conform_skip(const char *what, const char *reason);
_Noreturn void conform_fatal(const char *what);

void conform_sleep_us(uint64_t us);

/*
 * Runs in a child process, and gives up if that does. For what needs a process that never
 * opened a database: the threads of some engines outlast it, and a fork has none of them.
 */
void conform_in_child(void (*work)(void *), void *argument);
/* Zeroed memory that children share. */
void *conform_shared_memory(size_t size);

struct slice conform_slice(const void *data, size_t size);
bool conform_is_same(struct slice a, struct slice b);

/* A record's key in a buffer of KEY + 1 bytes, and its value of VALUE bytes. */
struct slice conform_key(char *to, uint64_t id);
struct slice conform_value(char *to, uint64_t id, uint64_t generation);
/* For an oracle: the record of a key, or UINT64_MAX; a record into buffers. */
uint64_t conform_index(const struct oracle *o, struct slice key);
size_t conform_record(const struct oracle *o, uint64_t id, char *key, char *value);

struct settings conform_settings(const char *path, bool create, size_t value_size);
/* A directory below `top`, made if need be; valid until the next call. */
const char *conform_path(const char *name);

/*
 * An open database with a session; its settings stay valid as long, as the contract says.
 */
struct test_database {
	struct db *db;
	struct session *session;
	struct {
		struct settings settings;
		struct traits traits;
		char path[PATH_SIZE];
	} *settings_copy;
};

/* Without db or session if the engine fails; conform_must_be_open and open_with give up
 * then. */
struct test_database conform_try_open(struct settings s);
void conform_must_be_open(struct test_database p);
struct test_database conform_open_with(struct settings s);
struct test_database conform_open(const char *name, bool create, size_t value_size);
bool conform_close(struct test_database p);

struct session *conform_attach(const struct test_database *p, char *words);
void conform_detach(struct session *s);

/* How its batches can become visible in part, by the engine and its settings. */
unsigned conform_non_atomic(const struct test_database *p);

/* Retries while there are conflicts. */
enum status conform_put(struct session *s, struct slice key, struct slice value);
/* Does the key hold this value? data NULL: does it hold none? */
bool conform_holds(struct session *s, struct slice key, struct slice value);

/* ---- iterators.c ---- */

/* Print what an open iterator sees of deletes, and what both cost, as JSON. Exit status. */
int iterators_print(void);

/* ---- crash.c ---- */

/* What is lost by `rounds` kills of a process that commits at this durability. */
void crash_test_kill(enum durability d, unsigned rounds);

struct power_cut {
	const char *switch_file; /* a write to this file cuts it */
	int durability;
	uint64_t threads, seed;
	double seconds, write_back;
};

/*
 * Commit, and cut the power at a random moment; on stdout what each thread had
 * acknowledged. Exit status.
 */
int crash_cut_power(const struct power_cut *cut);
/*
 * What is left of so many commits of each thread (N,N,...), as JSON on stdout. Exit
 * status.
 */
int crash_recount(const char *counts, int durability);

/*
 * Commit n times from commit number `first` of the history, 0: in a new database, and
 * stop at the first error; on stdout how many are acknowledged, as lines of JSON. Exit status.
 */
int crash_commit(uint64_t first, uint64_t n, int durability);
/* "OFFSET BYTES" on the device of all extents of the database's files. Exit status. */
int crash_print_extents(void);

#endif
