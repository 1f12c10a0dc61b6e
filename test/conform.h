/*
 * conform.h: what the tests of the contract in conform.c and those of crashes in crash.c
 * share: telling, records, databases. What cannot be done ends the program as a failed
 * test.
 */
#ifndef CONFORM_H
#define CONFORM_H

#include "../engines/drive.h"

enum { KEY = 16, VALUE = 100, SESSIONS = 16, PATH_SIZE = 4096 };

extern const char *const durability_words[]; /* NULL-ended */
extern const char *top;                      /* the directory of all databases */
extern char why[WHY_SIZE];                   /* the engine's words */

/* One line of TAP, with the engine's words if it is not ok. */
void result(bool ok, const char *what);
void skip(const char *what, const char *reason);
_Noreturn void give_up(const char *what);

void sleep_us(uint64_t us);

struct slice slice(const void *data, size_t size);
bool same(struct slice a, struct slice b);

/* A record's key in a buffer of KEY + 1 bytes, and its value of VALUE bytes. */
struct slice key_of(char *to, uint64_t id);
struct slice value_of(char *to, uint64_t id, uint64_t generation);
/* For an oracle: the record of a key, or UINT64_MAX; a record into buffers. */
uint64_t index_of(const struct oracle *o, struct slice key);
size_t record_of(const struct oracle *o, uint64_t id, char *key, char *value);

struct settings settings_for(const char *path, bool create, size_t value_size);
/* A directory below `top`, made if need be; valid until the next call. */
const char *path_of(const char *name);

/*
 * An open database with a session; its settings stay valid as long, as the contract says.
 */
struct pair {
	struct db *db;
	struct session *session;
	struct {
		struct settings settings;
		char path[PATH_SIZE];
	} *kept;
};

/* Without db or session if the engine fails; must_be_open and open_with give up then. */
struct pair try_open(struct settings s);
void must_be_open(struct pair p);
struct pair open_with(struct settings s);
struct pair open_at(const char *name, bool create, size_t value_size);
bool shut(struct pair p);

struct session *attach(const struct pair *p, char *words);
void detach(struct session *s);

/* In which ways its batches can be torn, by the engine and its settings. */
unsigned torn_ways(const struct pair *p);

/* Again as long as it gives way. */
enum status put(struct session *s, struct slice key, struct slice value);
/* Does the key hold this value? data NULL: does it hold none? */
bool holds(struct session *s, struct slice key, struct slice value);

/* ---- crash.c ---- */

/* What is lost by `rounds` kills of a process that commits at this durability. */
void test_kill(enum durability d, unsigned rounds);

struct cut {
	const char *power; /* a write to this file cuts it */
	int durability;
	uint64_t threads, seed;
	double seconds, write_back;
};

/*
 * Commit, and cut the power at a random moment; on stdout what each thread had
 * acknowledged. Exit status.
 */
int cut_power(const struct cut *cut);
/*
 * What is left of so many commits of each thread (N,N,...), as JSON on stdout. Exit
 * status.
 */
int recount(const char *counts, int durability);

#endif
