/*
 * rust_common.h: what drivers of engines in Rust have in common.
 *
 * The library, libassay_NAME.so, is a crate below engines/rust/ that scripts/engine.sh
 * builds. It exports the functions below, whose types are the contract's (engines/rust/
 * shared/lib.rs), so that `engine` points straight at them. The driver's C file has its
 * facts and options.
 */
#ifndef ENGINES_RUST_COMMON_H
#define ENGINES_RUST_COMMON_H

#include "driver_common.h"

struct db {
	void *store;
};

struct session {
	char *why;
	void *session;
};

enum { RUST_COMMON_OPTIONS = 4 };

/* struct settings as Rust has it, which must have this size there. */
struct rust_settings {
	size_t size;
	const char *path;
	uint64_t cache_bytes, write_buffer_bytes;
	uint64_t options[RUST_COMMON_OPTIONS]; /* the engine's own */
	uint32_t durability;
	bool create, lz4;
};

enum status rust_put(struct session *, struct slice key, struct slice value);
enum status rust_del(struct session *, struct slice key);
enum status rust_get(struct session *, struct slice key, struct slice *value);
enum status rust_seek(struct session *, struct slice from, struct slice *key,
		      struct slice *value);
enum status rust_last(struct session *, struct slice *key, struct slice *value);
enum status rust_next(struct session *, struct slice *key, struct slice *value);
enum status rust_prev(struct session *, struct slice *key, struct slice *value);
enum status rust_snapshot(struct session *);
void rust_release(struct session *);
enum status rust_begin(struct session *);
enum status rust_commit(struct session *);
void rust_rollback(struct session *);

/* Of the crate, as in the Cargo.lock that the library was built with. */
const char *rust_version(void);
enum status rust_open(const struct rust_settings *, void **store, char *why);
enum status rust_close(void *store, char *why);
enum status rust_attach(struct session *, void *store, char *why);
void rust_detach(struct session *);
enum status rust_settle(void *store, char *why);
enum status rust_compact(void *store, char *why);
uint64_t rust_pending(void *store, uint64_t *progress);
typedef void rust_reporter(void *to, const char *name, uint64_t value);
void rust_describe(void *store, rust_reporter *, void *to);
void rust_statistics(void *store, rust_reporter *, void *to);

/* Opens with options of the engine's own, in the order in which its crate reads them. */
static inline enum status rust_common_open(struct db *db, const struct settings *s,
					   const uint64_t *options, char *why)
{
	struct rust_settings settings = {
		.size = sizeof settings,
		.path = s->path,
		.cache_bytes = s->cache_bytes,
		.write_buffer_bytes = s->write_buffer_bytes,
		.durability = s->durability,
		.create = s->create,
		.lz4 = s->compression == COMPRESSION_LZ4,
	};

	memcpy(settings.options, options, sizeof settings.options);
	return rust_open(&settings, &db->store, why);
}

static enum status rust_common_close(struct db *db, char *why)
{
	return db->store ? rust_close(db->store, why) : DONE;
}

static enum status rust_common_attach(struct session *s, struct db *db, char *why)
{
	return rust_attach(s, db->store, why);
}

static inline enum status rust_common_settle(struct db *db, char *why)
{
	return rust_settle(db->store, why);
}

static inline enum status rust_common_compact(struct db *db, char *why)
{
	return rust_compact(db->store, why);
}

static inline enum status rust_common_pending_work(struct db *db, struct pending_work *p,
						   char *why)
{
	(void)why;
	p->work = rust_pending(db->store, &p->progress);
	return DONE;
}

static void rust_common_report(void *to, const char *name, uint64_t value)
{
	report_numbers(to, (struct reported[]){{name, value}, {0}});
}

static inline void rust_common_describe(struct db *db, struct report *report)
{
	rust_describe(db->store, rust_common_report, report);
}

static inline void rust_common_statistics(struct db *db, struct report *report)
{
	rust_statistics(db->store, rust_common_report, report);
}

/* In each driver's `engine`: what all of them have. */
#define RUST_COMMON_CALLS \
	.version = rust_version, .provenance = {.symbol = "rust_open"}, \
	.db_size = sizeof(struct db), .session_size = sizeof(struct session), \
	.put = rust_put, .del = rust_del, .get = rust_get, .seek = rust_seek, \
	.last = rust_last, .next = rust_next, .prev = rust_prev, \
	.release = rust_release, .begin = rust_begin, .commit = rust_commit, \
	.rollback = rust_rollback, .close = rust_common_close, \
	.attach = rust_common_attach, .detach = rust_detach, \
	.settle = rust_common_settle

#endif
