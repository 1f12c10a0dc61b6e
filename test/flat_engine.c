/*
 * flat_engine.c: an engine that keeps its records in one file, for the tests of
 * scripts/faults.sh: by its options it notices what is wrong with them, or does not.
 *
 * Each write appends a slot: key, value, state, number and checksum. Opening reads all
 * slots into an index in the order of keys. A synced commit fills its page with slots
 * that say nothing, so that the next commit never writes the page again. Only keys and
 * values of conform's size fit. One session at a time.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../engines/engine.h"
#include "../util/random.h"

enum { FLAT_KEY = 16, FLAT_VALUE = 100, FLAT_PAGE = 4096 };
enum flat_state { FLAT_NOTHING, FLAT_PUT, FLAT_DELETE };

struct flat_slot {
	char key[FLAT_KEY], value[FLAT_VALUE];
	uint16_t state, number;
	uint64_t sum;
};

struct db {
	const struct settings *settings;
	int files[2]; /* the second has the copies of --flat_copies=2 */
	uint64_t slots, records;
	struct flat_slot *index; /* sorted, without what is deleted */
	/* of --flat_late: the last two, acknowledged, and not written */
	struct flat_slot late[2];
};

struct session {
	struct db *db;
	char *why;
	uint64_t at; /* of a scan */
	bool in_batch;
	struct flat_slot found;
};

static uint64_t flat_copies;
static bool flat_checksum, flat_heed_errors, flat_dies, flat_dies_late, flat_late;
static bool flat_is_damaged; /* for --flat_dies_late: a slot, or one was not written */

static const struct option flat_options[] = {
	{"flat_checksum", "1", "Check the slots.", .flag = &flat_checksum},
	{"flat_heed_errors", "1", "Heed errors of writes and syncs.",
	 .flag = &flat_heed_errors},
	{"flat_dies", "0", "Crash where a checksum is wrong.", .flag = &flat_dies},
	{"flat_dies_late", "0", "Crash at the end, where something went wrong unheeded.",
	 .flag = &flat_dies_late},
	{"flat_copies", "1", "Files that have all slots.", .count = &flat_copies,
	 .min = 1, .max = 2},
	{"flat_late", "0", "Write each put with the next but one, or when closing.",
	 .flag = &flat_late},
	{0},
};

static enum status flat_failed(char *why, const char *what)
{
	return set_error(why, errno == ENOSPC ? FULL : FAILED, "%s: %s", what,
			 strerror(errno));
}

static uint64_t flat_sum(const struct flat_slot *slot)
{
	uint64_t sum = 1, word;

	for (size_t i = 0; i < offsetof(struct flat_slot, sum); i += sizeof word) {
		memcpy(&word, (const char *)slot + i, sizeof word);
		sum = random_mix(sum ^ word);
	}
	return sum;
}

/* The place in the index of the first key that is not below this one. */
static uint64_t flat_find(const struct db *db, const char *key)
{
	uint64_t low = 0, high = db->records;

	while (low < high) {
		uint64_t middle = (low + high) / 2;

		if (memcmp(db->index[middle].key, key, FLAT_KEY) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool flat_is_at(const struct db *db, uint64_t at, const char *key)
{
	return at < db->records && !memcmp(db->index[at].key, key, FLAT_KEY);
}

static bool flat_holds(const struct db *db, const char *key)
{
	return flat_is_at(db, flat_find(db, key), key);
}

/* What a slot says becomes the index. */
static bool flat_apply(struct db *db, const struct flat_slot *slot)
{
	uint64_t at = flat_find(db, slot->key);
	bool is = flat_is_at(db, at, slot->key);
	struct flat_slot *grown;

	if (slot->state == FLAT_DELETE && is)
		memmove(db->index + at, db->index + at + 1,
			(--db->records - at) * sizeof *slot);
	if (slot->state != FLAT_PUT)
		return true;
	if (!is) {
		grown = realloc(db->index, (db->records + 1) * sizeof *slot);
		if (!grown)
			return false;
		db->index = grown;
		memmove(grown + at + 1, grown + at, (db->records++ - at) * sizeof *slot);
	}
	db->index[at] = *slot;
	return true;
}

static bool flat_is_whole(const struct flat_slot *slot, uint64_t number)
{
	bool is_whole = slot->sum == flat_sum(slot) && slot->number == (uint16_t)number;

	flat_is_damaged |= !is_whole;
	return !flat_checksum || is_whole;
}

/* A slot from the first file that has it whole. */
static enum status flat_read(struct db *db, uint64_t number, struct flat_slot *slot,
			     char *why)
{
	for (uint64_t i = 0; i < flat_copies; i++) {
		if (pread(db->files[i], slot, sizeof *slot,
			  (off_t)(number * sizeof *slot)) != sizeof *slot)
			flat_failed(why, "read");
		else if (flat_is_whole(slot, number))
			return DONE;
		else if (flat_dies)
			abort();
		else
			set_error(why, FAILED, "slot %llu: wrong checksum",
				  (unsigned long long)number);
	}
	return FAILED;
}

static enum status flat_append(struct db *db, struct flat_slot slot, char *why)
{
	slot.number = (uint16_t)db->slots;
	slot.sum = flat_sum(&slot);
	for (uint64_t i = 0; i < flat_copies; i++)
		if (pwrite(db->files[i], &slot, sizeof slot,
			   (off_t)(db->slots * sizeof slot)) != sizeof slot) {
			flat_is_damaged = true;
			if (flat_heed_errors)
				return flat_failed(why, "write");
		}
	db->slots++;
	return DONE;
}

static enum status flat_sync(struct session *s)
{
	struct db *db = s->db;

	if (db->settings->durability != DURABILITY_SYNC)
		return DONE;
	while (db->slots * sizeof(struct flat_slot) % FLAT_PAGE)
		if (flat_append(db, (struct flat_slot){.state = FLAT_NOTHING}, s->why) !=
		    DONE)
			return FAILED;
	for (uint64_t i = 0; i < flat_copies; i++)
		if (fdatasync(db->files[i])) {
			flat_is_damaged = true;
			if (flat_heed_errors)
				return flat_failed(s->why, "sync");
		}
	return DONE;
}

static enum status flat_write(struct session *s, struct slice key, struct slice value,
			      uint16_t state)
{
	struct flat_slot slot = {.state = state};
	enum status status;

	if (key.size != FLAT_KEY || value.size > FLAT_VALUE)
		return set_error(s->why, UNSUPPORTED, "keys have 16 bytes, values 100");
	memcpy(slot.key, key.data, FLAT_KEY);
	if (value.size)
		memcpy(slot.value, value.data, value.size);
	if (state == FLAT_DELETE && !flat_holds(s->db, slot.key))
		return NOT_FOUND;
	status = flat_append(s->db, flat_late ? s->db->late[0] : slot, s->why);
	s->db->late[0] = s->db->late[1];
	s->db->late[1] = slot;
	if (status == DONE && !flat_apply(s->db, &slot))
		return set_error(s->why, FAILED, "out of memory");
	return status == DONE && !s->in_batch ? flat_sync(s) : status;
}

static enum status flat_put(struct session *s, struct slice key, struct slice value)
{
	return flat_write(s, key, value, FLAT_PUT);
}

static enum status flat_del(struct session *s, struct slice key)
{
	return flat_write(s, key, (struct slice){NULL, 0}, FLAT_DELETE);
}

static enum status flat_at(struct session *s, uint64_t at, struct slice *key,
			   struct slice *value)
{
	s->at = at;
	if (at >= s->db->records)
		return NOT_FOUND;
	s->found = s->db->index[at];
	*key = (struct slice){s->found.key, FLAT_KEY};
	*value = (struct slice){s->found.value, FLAT_VALUE};
	return DONE;
}

static enum status flat_get(struct session *s, struct slice key, struct slice *value)
{
	uint64_t at = flat_find(s->db, key.data);
	struct slice found;

	if (key.size != FLAT_KEY || !flat_is_at(s->db, at, key.data))
		return NOT_FOUND;
	return flat_at(s, at, &found, value);
}

static enum status flat_seek(struct session *s, struct slice from, struct slice *key,
			     struct slice *value)
{
	return flat_at(s, from.data ? flat_find(s->db, from.data) : 0, key, value);
}

static enum status flat_last(struct session *s, struct slice *key, struct slice *value)
{
	return flat_at(s, s->db->records - 1, key, value);
}

static enum status flat_next(struct session *s, struct slice *key, struct slice *value)
{
	return flat_at(s, s->at + 1, key, value);
}

static enum status flat_prev(struct session *s, struct slice *key, struct slice *value)
{
	return flat_at(s, s->at - 1, key, value);
}

static enum status flat_begin(struct session *s)
{
	s->in_batch = true;
	return DONE;
}

static enum status flat_commit(struct session *s)
{
	s->in_batch = false;
	return flat_sync(s);
}

static void flat_rollback(struct session *s)
{
	s->in_batch = false;
}

static const char *flat_version(void)
{
	return "1";
}

static enum status flat_load(struct db *db, char *why)
{
	off_t size = lseek(db->files[0], 0, SEEK_END);
	struct flat_slot slot;

	for (; db->slots < (uint64_t)size / sizeof slot; db->slots++) {
		if (flat_read(db, db->slots, &slot, why) != DONE)
			return FAILED;
		if (!flat_apply(db, &slot))
			return set_error(why, FAILED, "out of memory");
	}
	return DONE;
}

static enum status flat_open(struct db *db, const struct settings *settings, char *why)
{
	static const char *const names[] = {"records", "copies"};
	char path[4096];

	db->settings = settings;
	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof path, "%s/%s", settings->path, names[i]);
		db->files[i] = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
		if (db->files[i] < 0)
			return flat_failed(why, path);
	}
	return flat_load(db, why);
}

static enum status flat_close(struct db *db, char *why)
{
	for (int i = 0; flat_late && i < 2; i++)
		if (flat_append(db, db->late[i], why) != DONE)
			return FAILED;
	if (flat_dies_late && flat_is_damaged)
		abort();
	close(db->files[0]);
	close(db->files[1]);
	free(db->index);
	return DONE;
}

static enum status flat_attach(struct session *s, struct db *db, char *why)
{
	s->db = db;
	s->why = why;
	return DONE;
}

static void flat_detach(struct session *s)
{
	(void)s;
}

const struct engine engine = {
	.name = "flat",
	.title = "flat file",
	.version = flat_version,
	.effective_durability = {DURABILITY_NONE, DURABILITY_ASYNC, DURABILITY_SYNC},
	.options = flat_options,
	.non_atomic = NON_ATOMIC_ROLLBACK | NON_ATOMIC_CRASH,
	.db_size = sizeof(struct db),
	.session_size = sizeof(struct session),
	.put = flat_put,
	.del = flat_del,
	.get = flat_get,
	.seek = flat_seek,
	.last = flat_last,
	.next = flat_next,
	.prev = flat_prev,
	.begin = flat_begin,
	.commit = flat_commit,
	.rollback = flat_rollback,
	.open = flat_open,
	.close = flat_close,
	.attach = flat_attach,
	.detach = flat_detach,
};
