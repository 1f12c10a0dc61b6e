/*
 * go.c: stands in for the library of an engine in Go (go_common.h, stand_in.h), which the
 * driver loads. Its version is found as in one of Go's.
 */
#include <inttypes.h>
#include <string.h>

#include "../../engines/go_contract.h"
#include "stand_in.h"

enum { STORE = 71, SESSION = 72 };

const char assay_go_build_info[] = "dep\t" GO_MODULE "\tv1.23.45\th1:\n";

#define STAND_IN_GO(name, what, ...) \
	int assay_go_##name(uint64_t handle, ##__VA_ARGS__) \
	{ \
		stand_in_note(#name " of " what " %" PRIu64, handle); \
		return stand_in(#name); \
	}

STAND_IN_GO(nothing, "session")
STAND_IN_GO(snapshot, "session")
STAND_IN_GO(release, "session")
STAND_IN_GO(begin, "session")
STAND_IN_GO(commit, "session")
STAND_IN_GO(rollback, "session")
STAND_IN_GO(detach, "session")
STAND_IN_GO(close, "store", char *why)
STAND_IN_GO(settle, "store", char *why)
STAND_IN_GO(compact, "store", char *why)

int assay_go_put(uint64_t handle, struct slice key, struct slice value)
{
	stand_in_note("put of session %" PRIu64, handle);
	stand_in_bytes("key", key.data, key.size);
	stand_in_bytes("value", value.data, value.size);
	return stand_in("put");
}

int assay_go_del(uint64_t handle, struct slice key)
{
	stand_in_note("del of session %" PRIu64, handle);
	stand_in_bytes("key", key.data, key.size);
	return stand_in("del");
}

static int found(int status, struct slice *key, struct slice *value)
{
	if (key)
		*key = (struct slice){STAND_IN_KEY, sizeof STAND_IN_KEY - 1};
	*value = (struct slice){STAND_IN_VALUE, sizeof STAND_IN_VALUE - 1};
	return status;
}

int assay_go_get(uint64_t handle, struct slice key, struct slice *value)
{
	stand_in_note("get of session %" PRIu64, handle);
	stand_in_bytes("key", key.data, key.size);
	return found(stand_in("get"), NULL, value);
}

int assay_go_seek(uint64_t handle, struct slice from, struct slice *key,
		  struct slice *value)
{
	stand_in_note("seek of session %" PRIu64, handle);
	stand_in_bytes("from", from.data, from.size);
	return found(stand_in("seek"), key, value);
}

#define STAND_IN_GO_SCAN(name, ...) \
	int assay_go_##name(uint64_t handle, ##__VA_ARGS__, struct slice *key, \
			    struct slice *value) \
	{ \
		stand_in_note(#name " of session %" PRIu64, handle); \
		return found(stand_in(#name), key, value); \
	}

STAND_IN_GO_SCAN(last)
STAND_IN_GO_SCAN(next)
STAND_IN_GO_SCAN(prev)

int assay_go_next_many(uint64_t handle, struct slice *keys, struct slice *values,
		       unsigned *n)
{
	stand_in_note("next_many of session %" PRIu64 ", %u", handle, *n);
	*n = 1;
	return found(stand_in("next_many"), keys, values);
}

int assay_go_open(const struct settings *s, const struct go_option *options,
		  uint64_t *handle, char *why)
{
	stand_in_note("open %s, durability %d", s->path, s->durability);
	for (; options->name; options++)
		stand_in_note("%s %" PRIu64, options->name, options->value);
	*handle = STORE;
	return stand_in("open") ? (int)set_error(why, FAILED, "it does not open") : DONE;
}

int assay_go_attach(uint64_t store, uint64_t *handle, char *why)
{
	stand_in_note("attach to store %" PRIu64, store);
	*handle = SESSION;
	return stand_in("attach") ? (int)set_error(why, FAILED, "it does not attach")
				  : DONE;
}

int assay_go_backup(uint64_t store, const char *to, char *why)
{
	stand_in_note("backup of store %" PRIu64 " to %s", store, to);
	return stand_in("backup");
}

void assay_go_pending(uint64_t store, struct pending_work *pending)
{
	stand_in_note("pending of store %" PRIu64, store);
	*pending = (struct pending_work){1001, 1002};
}

void assay_go_describe(uint64_t store, struct go_report *to)
{
	stand_in_note("describe store %" PRIu64, store);
	to->number(to->report, "number", 1003);
	to->text(to->report, "text", "words");
}

void assay_go_statistics(uint64_t store, struct go_report *to)
{
	stand_in_note("statistics of store %" PRIu64, store);
	to->number(to->report, "counted", 1004);
	to->text(to->report, "text", "words");
}

/* --fail=counts_syncs:1: it does not */
int assay_go_counts_syncs(void)
{
	return !stand_in("counts_syncs");
}
