/* rust.c: stands in for the library of an engine in Rust (rust_common.h, stand_in.h). */
#include <inttypes.h>

#include "../../engines/rust_common.h"
#include "stand_in.h"

static char store, session;

/* One that has a session, and a key or not. */
#define STAND_IN_SESSION(name, ...) \
	enum status name(struct session *s, ##__VA_ARGS__) \
	{ \
		stand_in_note(#name ", %s", \
			      s->session == &session ? "ours" : "another"); \
		return (enum status)stand_in(#name); \
	}

STAND_IN_SESSION(rust_put, struct slice key, struct slice value)
STAND_IN_SESSION(rust_del, struct slice key)
STAND_IN_SESSION(rust_snapshot)
STAND_IN_SESSION(rust_begin)
STAND_IN_SESSION(rust_commit)

static enum status found(enum status status, struct slice *key, struct slice *value)
{
	if (key)
		*key = (struct slice){STAND_IN_KEY, sizeof STAND_IN_KEY - 1};
	*value = (struct slice){STAND_IN_VALUE, sizeof STAND_IN_VALUE - 1};
	return status;
}

enum status rust_get(struct session *s, struct slice key, struct slice *value)
{
	stand_in_note("rust_get");
	return found((enum status)stand_in("rust_get"), NULL, value);
}

#define STAND_IN_SCAN(name, ...) \
	enum status name(struct session *s, ##__VA_ARGS__, struct slice *key, \
			 struct slice *value) \
	{ \
		stand_in_note(#name); \
		return found((enum status)stand_in(#name), key, value); \
	}

STAND_IN_SCAN(rust_seek, struct slice from)
STAND_IN_SCAN(rust_last)
STAND_IN_SCAN(rust_next)
STAND_IN_SCAN(rust_prev)

void rust_release(struct session *s)
{
	stand_in_note("rust_release");
}

void rust_rollback(struct session *s)
{
	stand_in_note("rust_rollback");
}

const char *rust_version(void)
{
	return "1.23.45";
}

enum status rust_open(const struct rust_settings *s, void **to, char *why)
{
	stand_in_note("size %d, path %s", s->size == sizeof *s, s->path);
	stand_in_note("cache %" PRIu64 ", write buffer %" PRIu64, s->cache_bytes,
		      s->write_buffer_bytes);
	stand_in_note("options %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64,
		      s->options[0], s->options[1], s->options[2], s->options[3]);
	stand_in_note("durability %" PRIu32 ", create %d, lz4 %d", s->durability,
		      s->create, s->lz4);
	if (!stand_in("rust_open"))
		*to = &store;
	return *to ? DONE : set_error(why, FAILED, "it does not open");
}

#define STAND_IN_STORE(name, ...) \
	enum status name(void *of, ##__VA_ARGS__, char *why) \
	{ \
		stand_in_note(#name ", %s", of == &store ? "ours" : "another"); \
		return stand_in(#name) ? set_error(why, FAILED, #name " fails") : DONE; \
	}

STAND_IN_STORE(rust_close)
STAND_IN_STORE(rust_settle)
STAND_IN_STORE(rust_compact)

enum status rust_attach(struct session *s, void *of, char *why)
{
	stand_in_note("rust_attach, %s", of == &store ? "ours" : "another");
	s->why = why;
	if (stand_in("rust_attach"))
		return set_error(why, FAILED, "it does not attach");
	s->session = &session;
	return DONE;
}

void rust_detach(struct session *s)
{
	stand_in_note("rust_detach, %s", s->session == &session ? "ours" : "another");
}

uint64_t rust_pending(void *of, uint64_t *progress)
{
	stand_in_note("rust_pending, %s", of == &store ? "ours" : "another");
	*progress = 1002;
	return 1001;
}

void rust_describe(void *of, rust_reporter *report, void *to)
{
	stand_in_note("rust_describe, %s", of == &store ? "ours" : "another");
	report(to, "described", 1003);
	report(to, "again", 1004);
}

void rust_statistics(void *of, rust_reporter *report, void *to)
{
	stand_in_note("rust_statistics, %s", of == &store ? "ours" : "another");
	report(to, "counted", 1005);
	report(to, "again", 1006);
}
