/*
 * clr.c: stands in for .NET's runtime and the assembly that engines/voron.c calls through
 * it (stand_in.h).
 */
#include <inttypes.h>
#include <string.h>

#include "../../engines/engine.h"
#include "stand_in.h"

enum { STORE = 71, SESSION = 72, HOST = 73 };

/* The structure of voron.c. */
struct settings_of_voron {
	long size;
	const char *path;
	void *program;
	long durability, create, initial_log, max_log, journal_pages;
};

#define STAND_IN_SESSION(name) \
	static int name(long session) \
	{ \
		stand_in_note(#name " of session %ld", session); \
		return stand_in(#name); \
	}

STAND_IN_SESSION(Nothing)
STAND_IN_SESSION(Snapshot)
STAND_IN_SESSION(Release)
STAND_IN_SESSION(Begin)
STAND_IN_SESSION(Commit)
STAND_IN_SESSION(Rollback)
STAND_IN_SESSION(Detach)

static int Put(long session, const void *key, size_t size, const void *value,
	       size_t length)
{
	stand_in_note("Put of session %ld", session);
	stand_in_bytes("key", key, size);
	stand_in_bytes("value", value, length);
	return stand_in("Put");
}

static int Del(long session, const void *key, size_t size)
{
	stand_in_note("Del of session %ld", session);
	stand_in_bytes("key", key, size);
	return stand_in("Del");
}

static int found(const char *name, struct slice *key, struct slice *value)
{
	if (key)
		*key = (struct slice){STAND_IN_KEY, sizeof STAND_IN_KEY - 1};
	*value = (struct slice){STAND_IN_VALUE, sizeof STAND_IN_VALUE - 1};
	return stand_in(name);
}

static int Get(long session, const void *key, size_t size, struct slice *value)
{
	stand_in_note("Get of session %ld", session);
	stand_in_bytes("key", key, size);
	return found("Get", NULL, value);
}

static int Seek(long session, const void *from, size_t size, struct slice *key,
		struct slice *value)
{
	stand_in_note("Seek of session %ld", session);
	stand_in_bytes("from", from, size);
	return found("Seek", key, value);
}

#define STAND_IN_SCAN(name) \
	static int name(long session, struct slice *key, struct slice *value) \
	{ \
		stand_in_note(#name " of session %ld", session); \
		return found(#name, key, value); \
	}

STAND_IN_SCAN(Last)
STAND_IN_SCAN(Next)
STAND_IN_SCAN(Prev)

static int NextMany(long session, struct slice *keys, struct slice *values, unsigned *n)
{
	stand_in_note("NextMany of session %ld, %u", session, *n);
	*n = 1;
	return found("NextMany", keys, values);
}

static int Open(const struct settings_of_voron *s, long *store, char *why)
{
	stand_in_note("Open %s, size %d, program %d", s->path, s->size == sizeof *s,
		      s->program != NULL);
	stand_in_note("durability %ld, create %ld", s->durability, s->create);
	stand_in_note("initial_log %ld, max_log %ld, journal_pages %ld", s->initial_log,
		      s->max_log, s->journal_pages);
	*store = STORE;
	return stand_in("Open") ? (int)set_error(why, FAILED, "it does not open") : DONE;
}

#define STAND_IN_STORE(name) \
	static int name(long store, char *why) \
	{ \
		stand_in_note(#name " of store %ld", store); \
		return stand_in(#name) ? (int)set_error(why, FULL, #name " fails") \
				       : DONE; \
	}

STAND_IN_STORE(Close)
STAND_IN_STORE(Settle)

static int Attach(long store, long *session, char *why)
{
	stand_in_note("Attach to store %ld", store);
	*session = SESSION;
	return stand_in("Attach") ? (int)set_error(why, FAILED, "it does not attach")
				  : DONE;
}

static int pairs(const char *name, long store, char *text, long size, const char *words,
		 long length)
{
	stand_in_note("%s of store %ld, %ld bytes", name, store, size);
	memcpy(text, words, (size_t)length);
	return stand_in(name);
}

static int Describe(long store, char *text, long size, char *why)
{
	static const char words[] = "number\0"
				    "1003\0"
				    "text\0"
				    "words\0";

	(void)why;
	return pairs("Describe", store, text, size, words, sizeof words);
}

static int Statistics(long store, char *text, long size, char *why)
{
	static const char words[] = "counted\0"
				    "1004\0";

	(void)why;
	return pairs("Statistics", store, text, size, words, sizeof words);
}

int coreclr_initialize(const char *program, const char *domain, int n, const char **names,
		       const char **values, void **host, unsigned *id)
{
	stand_in_note("initialize %s", domain);
	for (int i = 0; i < n; i++)
		stand_in_note("%s %s", names[i],
			      strstr(names[i], "DIRECTORIES")
				      ? strcmp(values[i], program) ? "another" : "its own"
			      : strchr(values[i], '/') ? "a list"
						       : values[i]);
	*host = (void *)(uintptr_t)HOST;
	*id = HOST;
	return stand_in("initialize") ? -1 : 0;
}

int coreclr_create_delegate(void *host, unsigned id, const char *assembly,
			    const char *type, const char *method, void **function)
{
#define STAND_IN_ROW(name) {#name, (void *)(uintptr_t)name}
	static const struct {
		const char *name;
		void *function;
	} rows[] = {
		STAND_IN_ROW(Nothing),  STAND_IN_ROW(Put),      STAND_IN_ROW(Del),
		STAND_IN_ROW(Get),      STAND_IN_ROW(Seek),     STAND_IN_ROW(Last),
		STAND_IN_ROW(Next),     STAND_IN_ROW(Prev),     STAND_IN_ROW(NextMany),
		STAND_IN_ROW(Snapshot), STAND_IN_ROW(Release),  STAND_IN_ROW(Begin),
		STAND_IN_ROW(Commit),   STAND_IN_ROW(Rollback), STAND_IN_ROW(Open),
		STAND_IN_ROW(Close),    STAND_IN_ROW(Attach),   STAND_IN_ROW(Detach),
		STAND_IN_ROW(Settle),   STAND_IN_ROW(Describe), STAND_IN_ROW(Statistics)};

	if (host != (void *)(uintptr_t)HOST || id != HOST || stand_in("create_delegate"))
		return -1;
	if (strcmp(assembly, "assay_voron") || strcmp(type, "Assay.Calls"))
		stand_in_note("%s of %s in %s", method, type, assembly);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!strcmp(rows[i].name, method)) {
			*function = rows[i].function;
			return 0;
		}
	return -1;
}
