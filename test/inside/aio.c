/* aio.c: what the driver of asynchronous I/O makes of results, sizes and slots. */
#include <libaio.h>

static int submit(io_context_t context, long n, struct iocb **requests);

#define io_submit submit
#include "../../engines/aio.c"
#include "../tap.h"

static void results(void)
{
	char why[ENGINE_ERROR_SIZE] = "";

	tap_expect(check(why, "read", 4096, 4096) == DONE, "all");
	tap_expect(check(why, "read", 512, 4096) == FAILED, "a part");
	tap_expect(!strcmp(why, "read: 512 bytes instead of 4096"), "%s", why);
	tap_expect(check(why, "write", -ENOSPC, 4096) == FULL, "a full device");
	tap_expect(check(why, "write", -EDQUOT, 4096) == FULL, "a quota");
	tap_expect(check(why, "write", -EIO, 4096) == FAILED, "an error");
	tap_expect(!strcmp(why, "write: Input/output error"), "%s", why);
}

static void offsets(void)
{
	struct db db = {.slot = 1024};

	option_values.block = 512;
	tap_expect(slot_offset(&db, 0) == 4096 && slot_offset(&db, 3) == 7168,
		   "beyond signatures");
	option_values.block = 8192;
	db.slot = 8192;
	tap_expect(slot_offset(&db, 0) == 8192 && slot_offset(&db, 3) == 32768,
		   "aligned like the slots");
}

static void slots(void)
{
	struct settings settings = {.key_size = 3, .value_size = 5};
	struct db db = {.settings = &settings};
	char why[ENGINE_ERROR_SIZE] = "";
	struct session s = {.db = &db, .why = why};
	_Alignas(8) char bytes[32] = "";
	struct aio_slot *slot = (void *)bytes;
	struct slice key, value;

	tap_expect(decode_slot(&s, bytes, &key, &value) == NOT_FOUND, "an empty one");
	*slot = (struct aio_slot){3, 5};
	memcpy(slot->bytes, "keyvalue", 8);
	tap_expect(decode_slot(&s, bytes, &key, &value) == DONE, "a record");
	tap_expect(key.size == 3 && !memcmp(key.data, "key", 3), "its key");
	tap_expect(value.size == 5 && !memcmp(value.data, "value", 5), "its value");
	slot->value_size = 4;
	tap_expect(decode_slot(&s, bytes, &key, &value) == FAILED, "another size");
	*slot = (struct aio_slot){4, 5};
	tap_expect(decode_slot(&s, bytes, &key, &value) == FAILED, "another key's");
}

static void ends(void)
{
	struct db db = {.end = 5};

	extend_end(&db, 3);
	tap_expect(db.end == 5, "within");
	extend_end(&db, 5);
	tap_expect(db.end == 6, "the next");
	extend_end(&db, 9);
	tap_expect(db.end == 10, "one beyond");
}

static void refusals(void)
{
	option_values.block = 1536;
	tap_expect(!aio_check_settings(NULL).invalid, "three sectors");
	tap_expect(aio_check_settings(NULL).uncounted_writes, "which no call counts");
	option_values.block = 1000;
	tap_expect(aio_check_settings(NULL).invalid, "no whole number of them");
}

/* Requests stay in flight until the test completes them. */
static int submit(io_context_t context, long n, struct iocb **requests)
{
	(void)context;
	(void)requests;
	return (int)n;
}

/* Whether one who writes the slot, or only reads it, has to wait. */
static bool waits(struct db *db, uint64_t index, bool write)
{
	pthread_rwlock_t *lock = &db->locks[index % LOCK_COUNT];

	if (write ? pthread_rwlock_trywrlock(lock) : pthread_rwlock_tryrdlock(lock))
		return true;
	pthread_rwlock_unlock(lock);
	return false;
}

static void locks(void)
{
	static struct db db; /* its locks are many */
	static char bytes[512];
	struct settings settings = {.key_size = 3, .value_size = 5};
	char why[ENGINE_ERROR_SIZE] = "";
	struct session *s = calloc(1, sizeof *s + sizeof(struct iocb));
	struct slice value;

	option_values.block = sizeof bytes;
	db.settings = &settings;
	db.slot = sizeof bytes;
	for (unsigned i = 0; i < LOCK_COUNT; i++)
		pthread_rwlock_init(&db.locks[i], NULL);
	s->db = &db;
	s->why = why;
	start_request(s, s->requests, 2, bytes, &value);
	tap_expect(s->in_flight == 1, "a slot is being read");
	tap_expect(!waits(&db, 2, false), "others read it");
	tap_expect(waits(&db, 2, true), "who writes it waits");
	tap_expect(!waits(&db, 3, true), "but not for another slot");
	complete_request(s, s->requests, sizeof bytes);
	tap_expect(!waits(&db, 2, true), "only until then");
	start_request(s, s->requests, 2, bytes, NULL);
	tap_expect(s->in_flight == 1, "it is being written");
	tap_expect(waits(&db, 2, false), "who reads it waits");
	tap_expect(waits(&db, 2, true), "who writes it, too");
	complete_request(s, s->requests, sizeof bytes);
	tap_expect(!waits(&db, 2, true), "only until that, too");
	tap_expect(s->status == DONE, "%s", why);
	free(s);
}

int main(void)
{
	tap_run("aio: each result is the status that it must be", results);
	tap_run("aio: slots are aligned", offsets);
	tap_run("aio: a slot is empty, a record, or damaged", slots);
	tap_run("aio: what was written last is known to scans", ends);
	tap_run("aio: slots that are being read are read by others, too", locks);
	tap_run("aio: refuses parts of sectors", refusals);
	return tap_end();
}
