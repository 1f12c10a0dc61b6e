/*
 * go_common.h: what drivers of engines in Go have in common. Before it a driver defines
 *
 *	GO_ENGINE   its name, a text: the library is libassay_NAME.so
 *	GO_MODULE   the Go module of the engine, a text
 *	go_options  a function that writes its own options to a zeroed list
 *
 * The library is made from engines/go/NAME by scripts/engine.sh, and opened by open():
 * Go's runtime starts threads, which a fork would not survive. A program that is linked
 * with it would start them before main(). Each call crosses from C to Go, which costs
 * some 50 ns: the column crossing_ns. Go's runtime takes SIGBUS, SIGFPE, SIGSEGV and
 * SIGURG; a panic ends by SIGABRT with its text.
 */
#ifndef ENGINES_GO_COMMON_H
#define ENGINES_GO_COMMON_H

#include <dlfcn.h>
#include <stdatomic.h>

#include "../util/os/library_info.h"
#include "../util/os/sync_count.h"
#include "driver_common.h"
#include "go_contract.h"

#define GO_LIBRARY "libassay_" GO_ENGINE ".so"

struct db {
	uint64_t handle;
	bool open;
	_Atomic uint64_t calls; /* of the sessions that have been detached */
};

struct session {
	uint64_t handle, calls;
	struct db *db;
	bool attached;
};

/* What the library exports, each assay_go_NAME: NAME, result, parameters. */
#define GO_FUNCTIONS(F) \
	F(nothing, int, (uint64_t)) \
	F(put, int, (uint64_t, struct slice, struct slice)) \
	F(del, int, (uint64_t, struct slice)) \
	F(get, int, (uint64_t, struct slice, struct slice *)) \
	F(seek, int, (uint64_t, struct slice, struct slice *, struct slice *)) \
	F(last, int, (uint64_t, struct slice *, struct slice *)) \
	F(next, int, (uint64_t, struct slice *, struct slice *)) \
	F(prev, int, (uint64_t, struct slice *, struct slice *)) \
	F(next_many, int, (uint64_t, struct slice *, struct slice *, unsigned *)) \
	F(snapshot, int, (uint64_t)) \
	F(release, void, (uint64_t)) \
	F(begin, int, (uint64_t)) \
	F(commit, int, (uint64_t)) \
	F(rollback, void, (uint64_t)) \
	F(open, int, \
	  (const struct settings *, const struct go_option *, uint64_t *, char *)) \
	F(close, int, (uint64_t, char *)) \
	F(attach, int, (uint64_t, uint64_t *, char *)) \
	F(detach, void, (uint64_t)) \
	F(settle, int, (uint64_t, char *)) \
	F(compact, int, (uint64_t, char *)) \
	F(backup, int, (uint64_t, const char *, char *)) \
	F(pending, void, (uint64_t, struct pending_work *)) \
	F(describe, void, (uint64_t, struct go_report *)) \
	F(statistics, void, (uint64_t, struct go_report *)) \
	F(counts_syncs, int, (void))

/* clang-format off */
#define GO_MEMBER(name, result, parameters) result (*name) parameters;
/* clang-format on */
static struct {
	GO_FUNCTIONS(GO_MEMBER)
} go_calls;

/* ---- timed ---- */

#define GO_CALL(name, ...) \
	((enum status)(s->calls++, go_calls.name(s->handle, __VA_ARGS__)))
#define GO_CALL_ALONE(name) (s->calls++, go_calls.name(s->handle))

static enum status go_put(struct session *s, struct slice key, struct slice value)
{
	return GO_CALL(put, key, value);
}

static enum status go_del(struct session *s, struct slice key)
{
	return GO_CALL(del, key);
}

static enum status go_get(struct session *s, struct slice key, struct slice *value)
{
	return GO_CALL(get, key, value);
}

static enum status go_seek(struct session *s, struct slice from, struct slice *key,
			   struct slice *value)
{
	return GO_CALL(seek, from, key, value);
}

static enum status go_last(struct session *s, struct slice *key, struct slice *value)
{
	return GO_CALL(last, key, value);
}

static enum status go_next(struct session *s, struct slice *key, struct slice *value)
{
	return GO_CALL(next, key, value);
}

static enum status go_prev(struct session *s, struct slice *key, struct slice *value)
{
	return GO_CALL(prev, key, value);
}

static enum status go_next_many(struct session *s, struct slice *keys,
				struct slice *values, unsigned *n)
{
	return GO_CALL(next_many, keys, values, n);
}

static enum status go_snapshot(struct session *s)
{
	return (enum status)GO_CALL_ALONE(snapshot);
}

static void go_release(struct session *s)
{
	if (s->attached)
		GO_CALL_ALONE(release);
}

static enum status go_begin(struct session *s)
{
	return (enum status)GO_CALL_ALONE(begin);
}

static enum status go_commit(struct session *s)
{
	return (enum status)GO_CALL_ALONE(commit);
}

static void go_rollback(struct session *s)
{
	if (s->attached)
		GO_CALL_ALONE(rollback);
}

/* ---- not timed ---- */

static enum status go_nothing(struct session *s)
{
	return (enum status)go_calls.nothing(s->handle);
}

static uint64_t go_count_calls(struct db *db)
{
	return atomic_load(&db->calls);
}

static const char *go_library_file(void)
{
	static char path[512];

	if (!*path)
		library_info_locate(GO_LIBRARY, path, sizeof path);
	return path;
}

/* From Go's build info in the library, which the parent process does not load. */
static const char *go_version(void)
{
	static char version[64];

	if (!*version)
		library_info_find_text(go_library_file(), "dep\t" GO_MODULE "\tv",
				       version, sizeof version);
	return *version ? version : "unknown";
}

/* Go has none; C that is linked in for compression imports the function of C's. */
static bool go_has_assertions(void)
{
	return false;
}

static enum status go_load(char *why)
{
	void *library = dlopen(GO_LIBRARY, RTLD_NOW | RTLD_LOCAL), *symbol;

	if (!library)
		return set_error(why, FAILED,
				 "%s; build it: scripts/engine.sh build " GO_ENGINE,
				 dlerror());
#define GO_FIND(name, result, parameters) \
	symbol = dlsym(library, "assay_go_" #name); \
	if (!symbol) \
		return set_error(why, FAILED, \
				 GO_LIBRARY \
				 " has no assay_go_" #name ", it is of " \
				 "another assay; build it anew: scripts/engine.sh " \
				 "build " GO_ENGINE); \
	memcpy(&go_calls.name, &symbol, sizeof symbol);
	GO_FUNCTIONS(GO_FIND)
	if (!go_calls.counts_syncs())
		sync_count_miss_some();
	return DONE;
}

enum { GO_OPTIONS_MAX = 16 };

static enum status go_open(struct db *db, const struct settings *s, char *why)
{
	struct go_option list[GO_OPTIONS_MAX + 1] = {{0}};
	enum status status = go_calls.open ? DONE : go_load(why);

	if (status != DONE)
		return status;
	go_options(list);
	status = (enum status)go_calls.open(s, list, &db->handle, why);
	db->open = status == DONE;
	return status;
}

static enum status go_close(struct db *db, char *why)
{
	return db->open ? (enum status)go_calls.close(db->handle, why) : DONE;
}

static enum status go_attach(struct session *s, struct db *db, char *why)
{
	enum status status = (enum status)go_calls.attach(db->handle, &s->handle, why);

	s->db = db;
	s->attached = status == DONE;
	return status;
}

static void go_detach(struct session *s)
{
	if (s->attached)
		go_calls.detach(s->handle);
	atomic_fetch_add(&s->db->calls, s->calls);
}

static inline enum status go_settle(struct db *db, char *why)
{
	return (enum status)go_calls.settle(db->handle, why);
}

static inline enum status go_compact(struct db *db, char *why)
{
	return (enum status)go_calls.compact(db->handle, why);
}

static inline enum status go_backup(struct db *db, const char *to, char *why)
{
	return (enum status)go_calls.backup(db->handle, to, why);
}

static inline enum status go_pending_work(struct db *db, struct pending_work *pending,
					  char *why)
{
	(void)why;
	go_calls.pending(db->handle, pending);
	return DONE;
}

static void go_report_number(struct report *r, const char *name, uint64_t value)
{
	REPORT_NUMBERS(r, {name, value});
}

static void go_describe(struct db *db, struct report *report)
{
	go_calls.describe(db->handle,
			  &(struct go_report){report, go_report_number, report_text});
}

static void go_statistics(struct db *db, struct report *report)
{
	go_calls.statistics(db->handle,
			    &(struct go_report){report, go_report_number, report_text});
}

/* In each driver's `engine`: what all of them have. */
#define GO_COMMON_CALLS \
	.name = GO_ENGINE, .version = go_version, \
	.provenance = {.file = go_library_file, \
		       .allocator = "Go", \
		       .has_assertions = go_has_assertions}, \
	.db_size = sizeof(struct db), .session_size = sizeof(struct session), \
	.put = go_put, .del = go_del, .get = go_get, .seek = go_seek, .last = go_last, \
	.next = go_next, .prev = go_prev, .next_many = go_next_many, \
	.snapshot = go_snapshot, .release = go_release, .begin = go_begin, \
	.commit = go_commit, .rollback = go_rollback, \
	.crossing = {go_nothing, go_count_calls}, .open = go_open, .close = go_close, \
	.attach = go_attach, .detach = go_detach, .settle = go_settle, \
	.describe = go_describe, .statistics = go_statistics

#endif
